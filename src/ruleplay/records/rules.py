"""The rules' data that sessions are played with, kept under a name made of what it says.

A session keeps the name in its config, and the database the data, once. So it goes on, and is
replayed, with the rules that it began with, whatever later releases ship.
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
"""Files by their path in the folder of the rules' data."""


class RuleData:
    """An agent's rules' data: what ships with this release, and what older sessions began with.

    `reads_older`: turns that were played with other data can be decided again with it. Where the
    data belongs to another program's package, they are replayed from their events.
    """

    def __init__(self, ship: Callable[[], Texts], *, reads_older: bool = True) -> None:
        self._ship, self.reads_older = ship, reads_older
        self._older: dict[str, Texts] = {}

    @cached_property
    def shipped(self) -> Texts:
        """What ships with this release."""
        return self._ship()

    @cached_property
    def name(self) -> str:
        """The release, and a hash of what ships with it."""
        return f"{version('ruleplay')}+{fingerprint(self.shipped)}"

    def key(self, name: str) -> str:
        """Return the same for all names of the same data; an empty one stands for what ships."""
        return address(name or self.name)

    def is_shipped(self, name: str) -> bool:
        """Whether a name stands for what ships."""
        return self.key(name) == address(self.name)

    def knows(self, name: str) -> bool:
        """Whether the data of a name is at hand."""
        return self.is_shipped(name) or address(name) in self._older

    def decides(self, name: str) -> bool:
        """Whether a turn that was played with the data of a name can be decided again."""
        return self.reads_older or self.is_shipped(name)

    def learn(self, name: str, texts: Texts) -> None:
        """Keep what a database holds under a name at hand (Unavailable when it was changed)."""
        if fingerprint(texts) != address(name):
            raise Unavailable(f"the rules {name!r} are damaged in the database")
        self._older[address(name)] = texts

    def texts(self, name: str) -> Texts:
        """Return the data of a name that is known."""
        return self.shipped if self.is_shipped(name) else self._older[address(name)]


def address(name: str) -> str:
    """Return under what the data of a name is stored: different releases may ship the same."""
    return name.rpartition("+")[2]


def fingerprint(texts: Texts) -> str:
    """Return a hash of what rules' data says."""
    return sha256(dumped(texts).encode()).hexdigest()[:32]


def dumped(texts: Texts) -> str:
    """Return rules' data as it is stored."""
    return json.dumps(dict(texts), ensure_ascii=False, sort_keys=True)


def files_in(folder: Path, *patterns: str) -> Texts:
    """Read the files of a folder that some patterns match."""
    found = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in found}
