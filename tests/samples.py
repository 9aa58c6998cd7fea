"""How much the everyday run tries: every property on a sample; `make proof` tries it in full."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

Size = TypeVar("Size", int, float)
Case = TypeVar("Case")
PROOF = bool(os.environ.get("RULEPLAY_PROOF"))


def sample(everyday: Size, proof: Size) -> Size:
    """Return how many of something are tried, or which share of them."""
    return proof if PROOF else everyday


def some(cases: Iterable[Case], everyday: int) -> list[Case]:
    """Return the first and the last of cases and others evenly between them; all as a proof."""
    every = list(cases)
    if PROOF or everyday >= len(every):
        return every
    return [every[place * (len(every) - 1) // max(everyday - 1, 1)] for place in range(everyday)]


def beginning(path: Path, lines: int, folder: Path) -> Path:
    """Return a file's first lines as a file of the same name in `folder`; in full as a proof."""
    if PROOF:
        return path
    with path.open("rb") as whole:
        taken = [line for line, _ in zip(whole, range(lines), strict=False)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / path.name).write_bytes(b"".join(taken))
    return folder / path.name
