"""What an agent brings for the command line and its workers, named here and loaded when it is used.

`where` is an object's address, `package.module:NAME`, so that a list of offers costs no imports.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class JobOffer:
    """A kind of long work; at `where` stands its `JobKind`."""

    name: str
    title: str
    where: str


@dataclass(frozen=True)
class Benchmark:
    """A measurement: the async function at `where`, and the options it takes (turns, data)."""

    name: str
    where: str
    measures: str
    takes: str = "turns"
