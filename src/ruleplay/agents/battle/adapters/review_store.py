"""Stores reviews as JSON files, so that the same log with the same options is reviewed once."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from pydantic import ValidationError

from ruleplay.agents.battle.adapters.review import Review
from ruleplay.errors import NotFound

KEPT = 500
"""Reviews that are kept; then the oldest are deleted."""
EDITION = 2
"""To be raised when reviews of the same log change, so that older ones are no longer found."""
IDENT = re.compile(r"[0-9a-f]{24}")
"""What ids look like."""


def review_id(file: Path, *asked: object) -> str:
    """Compute a review's id from the file's content and the options."""
    digest = hashlib.sha256(repr((EDITION, *asked)).encode())
    digest.update(file.read_bytes())
    return digest.hexdigest()[:24]


def keep_review(home: Path, review: Review) -> None:
    """Store a review under its id."""
    folder = _folder(home)
    folder.mkdir(parents=True, exist_ok=True)
    # Renaming is atomic, so readers never see a half-written file.
    part = folder / f".{review.id}.{os.getpid()}.part"
    part.write_text(review.model_dump_json(), encoding="utf-8")
    part.replace(folder / f"{review.id}.json")
    for old in sorted(folder.glob("*.json"), key=_age)[:-KEPT]:
        old.unlink(missing_ok=True)


def kept_review(home: Path, ident: str) -> Review:
    """Load a review; NotFound if there is none."""
    file = _folder(home) / f"{ident}.json"
    try:
        # The id comes from a client, and a path in it would lead elsewhere.
        if IDENT.fullmatch(ident):
            return Review.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        pass
    raise NotFound(f"no review {ident!r} is kept here; POST its log to /api/battle/reviews again")


def _folder(home: Path) -> Path:
    return home / "battle" / "reviews"


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
