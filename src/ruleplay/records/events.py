"""Events: the typed facts that alone change a state, and how they are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from pydantic import BaseModel, JsonValue

from ruleplay.errors import Unavailable

Json = dict[str, JsonValue]
Upcaster = Callable[[Json], Json]

EVERYONE = "*"


class Event(BaseModel, frozen=True, extra="forbid"):
    """A fact that happened in a turn; subclasses are one agent's vocabulary.

    `audience` names the seats that may know it. `version` counts up when the fields of a subclass
    change; an upcaster then lifts what older releases stored.
    """

    version: ClassVar[int] = 1

    audience: tuple[str, ...] = (EVERYONE,)

    def known_to(self, seat: str) -> bool:
        """Tell whether a seat may know this event."""
        return known_to(seat, self.audience)


def known_to(seat: str, audience: tuple[str, ...]) -> bool:
    """Tell whether a seat belongs to an audience."""
    return EVERYONE in audience or seat in audience


def audience_of(stored: Json) -> tuple[str, ...]:
    """Return who may know a stored event."""
    audience = stored.get("audience", [EVERYONE])
    return tuple(str(seat) for seat in audience) if isinstance(audience, list) else ()


class Aside(BaseModel, frozen=True):
    """A part of a reply that only some seats hear: `text` as Markdown, `audience` their names."""

    text: str
    audience: tuple[str, ...]


class Codec:
    """One agent's events to and from stored JSON; old versions are lifted on reading."""

    def __init__(
        self,
        kinds: Iterable[type[Event]],
        upcasters: Mapping[tuple[str, int], Upcaster] | None = None,
    ) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._upcasters = dict(upcasters or {})

    def dump(self, event: Event) -> Json:
        """Return the stored form: type, version, then the event's own fields."""
        name = type(event).__name__
        if name not in self._kinds:
            raise TypeError(f"event {name!r} is not listed in its agent's events")
        body = event.model_dump(mode="json")
        if event.audience == (EVERYONE,):
            del body["audience"]
        return {"type": name, "version": type(event).version, **body}

    def load(self, stored: Json) -> Event:
        """Read a stored event; KeyError without an upcaster, Unavailable when it is too new."""
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
