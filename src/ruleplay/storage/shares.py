"""Read-only share links, one file each in the home, named by the hash of the link's token.

Files make them visible to every server and command that uses the home. The token itself is stored
nowhere, so that the files and the list of links do not give access to what is shared.
"""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ValidationError

from ruleplay.errors import NotFound

ID = 12
"""Leading characters of the token's hash that serve as the link's id."""


class Share(BaseModel, frozen=True):
    """A link: `kind` is `session` or an agent's name; `what` is the id of what is shared."""

    id: str
    kind: str
    what: str
    title: str
    made: datetime


class Shares:
    """The links of a home; safe to use from several threads and processes."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "shares"

    def make(self, kind: str, what: str, title: str) -> tuple[Share, str]:
        """Create a link; returns it with its token (192 random bits), which is not stored."""
        token = secrets.token_urlsafe(24)
        name = _hashed(token)
        share = Share(id=name[:ID], kind=kind, what=what, title=title, made=datetime.now(UTC))
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Written under another name and renamed, so that readers never see half a file.
        part = self._folder / f"{name}.{os.getpid()}"
        part.write_text(share.model_dump_json(), "utf-8")
        part.replace(self._folder / f"{name}.json")
        return share, token

    def find(self, token: str) -> Share:
        """Return the link of a token; NotFound if it never existed or was revoked."""
        if found := _read(self._folder / f"{_hashed(token)}.json"):
            return found
        raise NotFound("this link is not valid (any more)")

    def all(self) -> list[Share]:
        """List the valid links, newest first."""
        found = (_read(path) for path in self._folder.glob("*.json"))
        return sorted((one for one in found if one), key=lambda one: one.made, reverse=True)

    def revoke(self, ident: str) -> Share:
        """Delete a link by its id, as listed; NotFound if there is none."""
        for path in self._folder.glob("*.json"):
            if path.name[:ID] == ident and (found := _read(path)):
                path.unlink(missing_ok=True)
                return found
        raise NotFound(f"there is no link {ident!r}; it may have been revoked already")


def _hashed(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()


def _read(path: Path) -> Share | None:
    try:
        return Share.model_validate_json(path.read_text("utf-8"))
    except (OSError, ValidationError):
        return None
