"""How much the everyday run tries: every property on a sample; `make proof` tries it in full."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

Size = TypeVar("Size", int, float)
PROOF = bool(os.environ.get("RULEPLAY_PROOF"))


def sample(everyday: Size, proof: Size) -> Size:
    """Return how many of something are tried, or which share of them."""
    return proof if PROOF else everyday


def beginning(path: Path, lines: int, folder: Path) -> Path:
    """Return a file's first lines as a file of the same name in `folder`; in full as a proof."""
    if PROOF:
        return path
    with path.open("rb") as whole:
        taken = [line for line, _ in zip(whole, range(lines), strict=False)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / path.name).write_bytes(b"".join(taken))
    return folder / path.name
