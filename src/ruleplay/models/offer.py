"""The models that a server's clients may choose, by aliases that the owner configures.

A model's name can contain a host, a file's path or a provider that the owner pays for. Clients must
not choose any of these (SSRF, file access, spending), so they name an alias, never a model.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from ruleplay.errors import UserError
from ruleplay.models.names import RULES, Selection
from ruleplay.settings import DEFAULT_MODEL, Settings

ADDRESSED = ("llama", "openai-compatible")


class Offer:
    """The owner's aliases, and what they stand for."""

    def __init__(self, settings: Settings) -> None:
        self._default = settings.model
        self._offered = {DEFAULT_MODEL: settings.model, **settings.offered}
        self._configured = {settings.model, *settings.models.values(), *settings.offered.values()}
        self._keyed = {origin_of(settings.compatible_url)} if settings.compatible_url else None

    @property
    def aliases(self) -> tuple[str, ...]:
        """The names that clients may choose, `rules` first."""
        return (RULES, *self._offered)

    def choose(self, given: str) -> dict[str, str]:
        """Parse a client's choice into aliases by role; UserError, which lists the aliases."""
        return dict(Selection.parse(given, self._checked).entries) if given else {}

    def behind(self, name: str) -> str:
        """Resolve an alias to its model; other names are returned as they are."""
        return self._offered.get(name, name)

    def allows(self, name: str) -> bool:
        """Whether a name is an alias, or a model that the owner has configured."""
        return name in self.aliases or name in self._configured

    def refusal(self) -> str:
        """Say which aliases there are, without revealing whether another model exists."""
        return f"not offered here; offered: {', '.join(self.aliases)}"

    def keyed(self, name: str) -> bool:
        """Whether RULEPLAY_COMPATIBLE_KEY may be sent to the server in a model's name.

        It is for the server of `compatible_url` if that is set, else for all configured servers.
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
    """Return the origin (scheme, host, port) of the URL in a model's name, or ""."""
    kind, _, rest = name.partition(":")
    url = rest if kind in ADDRESSED else name
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.hostname}:{port}" if parts.hostname else ""


def shown_name(name: str) -> str:
    """Return a model's name without the address or path in it, for clients."""
    if origin_of(name):
        return name.partition("#")[2] or "compatible"
    return "embedded" if name.startswith("embedded:") else name
