"""Events, the typed facts that are the only way to change a state, and their stored form."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, cast

from pydantic import BaseModel, Field, JsonValue, create_model

from ruleplay.errors import Unavailable

Json = dict[str, JsonValue]
Upcaster = Callable[[Json], Json]

EVERYONE = "*"
"""The audience that includes every seat, and readers without one."""


class Event(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """A fact that happened in a turn; each agent defines its own subclasses.

    `audience` lists the seats that may know it. Raise `version` when the fields of a subclass
    change, and add an upcaster, which converts what older releases stored.
    """

    version: ClassVar[int] = 1

    audience: tuple[str, ...] = (EVERYONE,)

    def known_to(self, seat: str) -> bool:
        """Whether a seat may know this event."""
        return known_to(seat, self.audience)


def event_class(kind: type[BaseModel], module: str) -> type[Event]:
    """Derive an event class from a happening's class; it has an audience in addition."""
    bases: Any = (kind, Event)
    made = create_model(kind.__name__, __base__=bases, __module__=module, __doc__=kind.__doc__)
    return cast("type[Event]", made)


def known_to(seat: str, audience: tuple[str, ...]) -> bool:
    """Whether a seat belongs to an audience."""
    return EVERYONE in audience or seat in audience


def audience_of(stored: Json) -> tuple[str, ...]:
    """Read the audience of a stored event; everyone if it has none."""
    audience = stored.get("audience", [EVERYONE])
    # If the field is damaged nobody sees the event, rather than everybody.
    return tuple(str(seat) for seat in audience) if isinstance(audience, list) else ()


class Aside(BaseModel, frozen=True):
    """A part of a reply for some seats only: Markdown `text`, and their names as `audience`.

    It stands after what is for everybody, or before it if it comes `first`.
    """

    text: str
    audience: tuple[str, ...]
    first: bool = Field(default=False, exclude_if=operator.not_)


class Codec:
    """Converts one agent's events to stored JSON and back, upcasting old versions."""

    def __init__(
        self,
        kinds: Iterable[type[Event]],
        upcasters: Mapping[tuple[str, int], Upcaster] | None = None,
    ) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._upcasters = dict(upcasters or {})

    def dump(self, event: Event) -> Json:
        """Convert an event to JSON: `type`, `version`, then its own fields."""
        name = type(event).__name__
        if name not in self._kinds:
            raise TypeError(f"event {name!r} is not listed in its agent's events")
        body = event.model_dump(mode="json")
        if event.audience == (EVERYONE,):
            del body["audience"]
        return {"type": name, "version": type(event).version, **body}

    def load(self, stored: Json) -> Event:
        """Read a stored event; KeyError without type or upcaster, Unavailable if it is too new."""
        body = dict(stored)
        name, version = str(body.pop("type")), body.pop("version", 1)
        kind = self._kinds[name]
        while isinstance(version, int) and version < kind.version:
            body = self._upcasters[name, version](body)
            version += 1
        if version != kind.version:
            raise Unavailable(
                f"event {name!r} was stored by a newer release (version {version!r}); "
                "upgrade to read it"
            )
        return kind.model_validate(body)
