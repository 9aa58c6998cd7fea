"""Which models a server's clients may use: those the owner lists, by alias, and nothing else.

A model's name can hold a host, a file or a provider that the owner pays. So a client never names a
model: it names an alias, and only this process knows what stands behind it.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from ruleplay.errors import UserError
from ruleplay.models.names import RULES, Selection
from ruleplay.settings import DEFAULT_MODEL, Settings

ADDRESSED = ("llama", "openai-compatible")


class Offer:
    """The owner's aliases: how clients choose from them, and what they stand for."""

    def __init__(self, settings: Settings) -> None:
        self._default = settings.model
        self._offered = {DEFAULT_MODEL: settings.model, **settings.offered}
        self._configured = {settings.model, *settings.models.values(), *settings.offered.values()}
        self._keyed = {origin_of(settings.compatible_url)} if settings.compatible_url else None

    @property
    def aliases(self) -> tuple[str, ...]:
        """What clients may name, `rules` first."""
        return (RULES, *self._offered)

    def choose(self, given: str) -> dict[str, str]:
        """Return a client's models by role, as aliases (UserError, which tells only these)."""
        return dict(Selection.parse(given, self._checked).entries) if given else {}

    def behind(self, name: str) -> str:
        """Return the model that an alias stands for; other names stand for themselves."""
        return self._offered.get(name, name)

    def allows(self, name: str) -> bool:
        """Tell whether a name is an alias, or a model that the owner has configured."""
        return name in self.aliases or name in self._configured

    def refusal(self) -> str:
        """Say what is offered, and nothing about what is not."""
        return f"not offered here; offered: {', '.join(self.aliases)}"

    def keyed(self, name: str) -> bool:
        """Tell whether the key for compatible servers belongs to the server that a name holds.

        It belongs to the server of `compatible_url`, or else to those that the settings name.
        """
        origin = origin_of(name)
        if self._keyed is not None:
            return origin in self._keyed
        return origin in {origin_of(name) for name in self._configured}

    def _checked(self, name: str) -> str:
        if name not in self.aliases:
            raise UserError(f"this model is {self.refusal()}")
        return name


def origin_of(name: str) -> str:
    """Return scheme, host and port of the server that a model's name holds; empty for none."""
    kind, _, rest = name.partition(":")
    url = rest if kind in ADDRESSED else name
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.hostname}:{port}" if parts.hostname else ""


def shown_name(name: str) -> str:
    """Return a model's name without the address or path in it, for those it is no business of."""
    if origin_of(name):
        return name.partition("#")[2] or "compatible"
    return "embedded" if name.startswith("embedded:") else name
