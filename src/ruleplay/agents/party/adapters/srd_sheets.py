"""The package's sheets as files: JSON by somebody else, so read with bounds and never trusted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, StringConstraints, ValidationError

Name = Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=r"^[^\n<>{}\[\]]+$")]
Words = Annotated[str, Field(max_length=4_000)]
SHEETS, BYTES = 2_000, 400_000
"""How many files of a kind are read, and how large one may be."""
_STEM = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\]\s]+)[^\]]*\](?:\{([^}]*)\})?", re.IGNORECASE)
_BRACKETED = re.compile(r"^(.+) \((\w+)\)$")
_ROLL = re.compile(r"\[\[[^\]]*\]\](?:\{([^}]*)\})?")

Sheet = TypeVar("Sheet", bound=BaseModel)


def sheets(folder: Path, kind: type[Sheet]) -> Iterator[tuple[str, Sheet]]:
    """Yield the sheets of a folder by their file's name; the broken and too large are left out."""
    for path in sorted(folder.glob("*.json"))[:SHEETS]:
        if not _STEM.fullmatch(path.stem):
            continue
        try:
            if path.stat().st_size <= BYTES:
                yield path.stem, kind.model_validate(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, RecursionError, ValueError, ValidationError):
            continue


def plain(text: str) -> str:
    """Return a text without its markup: references by what they name, rolls by their label."""
    text = _REFERENCE.sub(lambda found: found[2] or found[1], text)
    text = _ROLL.sub(lambda found: found[1] or "", text)
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ").replace("’", "'")).strip()


def called(name: str) -> dict[str, str]:
    """Return a name as the rules have it: small, `Clothes, Fine` the right way round, no French."""
    head, comma, rest = name.lower().partition(", ")
    said = f"{rest} {head}" if comma else _BRACKETED.sub(r"\2 \1", head)
    return {"en": said, "fr": said}
