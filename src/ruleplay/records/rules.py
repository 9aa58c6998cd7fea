"""Rule data, addressed by its content, so that a session keeps the rules it began with.

A session's config has the name of its rule data, and the database stores each version of the data
once. Sessions continue and are replayed with it, whatever later releases ship. See
docs/decisions/0029.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from ruleplay.errors import Unavailable

Texts = Mapping[str, str]
"""The data's files: path in its folder → text."""


class RuleData:
    """An agent's rule data: the version of this release, and the versions of older sessions.

    With `reads_older` the agent can play with older versions. It cannot if the data belongs to
    another package's code; turns played with other versions are then replayed from their events.
    """

    def __init__(self, ship: Callable[[], Texts], *, reads_older: bool = True) -> None:
        self._ship, self.reads_older = ship, reads_older
        self._older: dict[str, Texts] = {}

    @cached_property
    def shipped(self) -> Texts:
        """The data of this release."""
        return self._ship()

    @cached_property
    def name(self) -> str:
        """The name of this release's data: `RELEASE+HASH`."""
        return f"{version('ruleplay')}+{fingerprint(self.shipped)}"

    def key(self, name: str) -> str:
        """Return a key that is equal for all names of the same data; "" names this release's."""
        return address(name or self.name)

    def is_shipped(self, name: str) -> bool:
        """Whether a name is that of this release's data."""
        return self.key(name) == address(self.name)

    def knows(self, name: str) -> bool:
        """Whether the data of a name is loaded."""
        return self.is_shipped(name) or address(name) in self._older

    def decides(self, name: str) -> bool:
        """Whether a turn that was played with the data of a name can be run again."""
        return self.reads_older or self.is_shipped(name)

    def learn(self, name: str, texts: Texts) -> None:
        """Add data from the database; Unavailable if it does not match the hash in its name."""
        if fingerprint(texts) != address(name):
            raise Unavailable(f"the rules {name!r} are damaged in the database")
        self._older[address(name)] = texts

    def texts(self, name: str) -> Texts:
        """Return the data of a name; KeyError if it is not loaded."""
        return self.shipped if self.is_shipped(name) else self._older[address(name)]


def address(name: str) -> str:
    """Return the hash in a name, under which data is stored: releases may share the same data."""
    return name.rpartition("+")[2]


def fingerprint(texts: Texts) -> str:
    """Hash rule data; returns 32 hex digits."""
    return sha256(dumped(texts).encode()).hexdigest()[:32]


def dumped(texts: Texts) -> str:
    """Serialise rule data for storage; with sorted keys, as it is also hashed."""
    return json.dumps(dict(texts), ensure_ascii=False, sort_keys=True)


def files_in(folder: Path, *patterns: str) -> Texts:
    """Read the text files of a folder that match any of some glob patterns."""
    found = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in found}
