"""Descriptions of an agent's jobs and benchmarks, whose code is loaded only when it is used.

`where` is an object's address, `package.module:NAME`, so that listing them imports nothing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class JobOffer:
    """A kind of job; `where` is the address of its `JobKind`."""

    name: str
    title: str
    where: str


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: the address of its async function, and the options that it takes."""

    name: str
    where: str
    measures: str
    takes: str = "turns"
