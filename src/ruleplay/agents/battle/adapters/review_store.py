"""Reviews that were made, a JSON file each; a log that comes again in the same way has its own."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from pydantic import ValidationError

from ruleplay.agents.battle.adapters.review import Review
from ruleplay.errors import NotFound

KEPT = 500
"""Reviews kept; the oldest goes for a new one."""
EDITION = 1
"""Raised when reviews of the same log come out otherwise: older ones are not found then."""
IDENT = re.compile(r"[0-9a-f]{24}")


def review_id(file: Path, *asked: object) -> str:
    """Return the id of a file's review, by its bytes and what was asked."""
    digest = hashlib.sha256(repr((EDITION, *asked)).encode())
    digest.update(file.read_bytes())
    return digest.hexdigest()[:24]


def keep_review(home: Path, review: Review) -> None:
    """Write a review down under its id."""
    folder = _folder(home)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{review.id}.{os.getpid()}.part"
    part.write_text(review.model_dump_json(), encoding="utf-8")
    part.replace(folder / f"{review.id}.json")
    for old in sorted(folder.glob("*.json"), key=_age)[:-KEPT]:
        old.unlink(missing_ok=True)


def kept_review(home: Path, ident: str) -> Review:
    """Return a kept review (NotFound)."""
    file = _folder(home) / f"{ident}.json"
    try:
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
