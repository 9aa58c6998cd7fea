"""Read the package's sheets: JSON files by a third party, so sizes are bounded, nothing trusted."""

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
"""Most files of a kind that are read, and most bytes of a file."""
_STEM = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\]\s]+)[^\]]*\](?:\{([^}]*)\})?", re.IGNORECASE)
_BRACKETED = re.compile(r"^(.+) \((\w+)\)$")
_ROLL = re.compile(r"\[\[[^\]]*\]\](?:\{([^}]*)\})?")

Sheet = TypeVar("Sheet", bound=BaseModel)


def sheets(folder: Path, kind: type[Sheet]) -> Iterator[tuple[str, Sheet]]:
    """Yield a folder's sheets by file name; broken and too large ones are skipped."""
    for path in sorted(folder.glob("*.json"))[:SHEETS]:
        if not _STEM.fullmatch(path.stem):
            continue
        try:
            if path.stat().st_size <= BYTES:
                yield path.stem, kind.model_validate(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, RecursionError, ValueError, ValidationError):
            continue


def plain(text: str) -> str:
    """Remove the markup of a text: references and rolls are replaced by their labels."""
    text = _REFERENCE.sub(lambda found: found[2] or found[1], text)
    text = _ROLL.sub(lambda found: found[1] or "", text)
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ").replace("’", "'")).strip()


def called(name: str) -> dict[str, str]:
    """Convert a name to our form: lower case, `Clothes, Fine` reordered, English for French."""
    head, comma, rest = name.lower().partition(", ")
    said = f"{rest} {head}" if comma else _BRACKETED.sub(r"\2 \1", head)
    return {"en": said, "fr": said}
