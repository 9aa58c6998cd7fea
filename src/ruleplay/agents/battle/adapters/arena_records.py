"""Stores finished arenas as JSON files, with their reports and win-rate curves."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from ruleplay.agents.battle.adapters.arena import ArenaReport
from ruleplay.agents.battle.domain.rating import Match
from ruleplay.agents.battle.domain.standing import Standing

POINTS = 200
"""Points of a curve that are kept; the last one is always included."""
LISTED = 50
"""Arenas that are listed."""
Point: TypeAlias = tuple[int, float, float, float]
FILE_LIMIT = 200_000


class ArenaRecord(BaseModel):
    """A stored arena; a point of `curve` is (battles so far, win rate, low, high), 95% Wilson."""

    model_config = ConfigDict(frozen=True)

    id: str
    played: AwareDatetime
    report: ArenaReport
    curve: tuple[Point, ...] = Field(max_length=POINTS + 1)


def keep_arena(home: Path, report: ArenaReport, won: Iterable[bool | None]) -> ArenaRecord:
    """Store a finished arena; `won` are its battles in the order they ended."""
    played = datetime.now(UTC)
    ident = f"{played:%Y%m%dT%H%M%S%f}-{_plain(report.opponent)}"
    record = ArenaRecord(id=ident, played=played, report=report, curve=curve_of(won))
    folder = _folder(home)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{ident}.{os.getpid()}.part"
    part.write_text(record.model_dump_json(), encoding="utf-8")
    part.replace(folder / f"{ident}.json")
    return record


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:40]


def kept_arenas(home: Path) -> tuple[ArenaRecord, ...]:
    """Load the newest arenas, latest first; unreadable files are skipped."""
    files = sorted(_folder(home).glob("*.json"), reverse=True)[:LISTED]
    return tuple(record for file in files if (record := _read(file)) is not None)


def matches(home: Path) -> list[Match]:
    """Convert all stored arenas to matches between us, as configured then, and the opponent."""
    found = []
    for file in sorted(_folder(home).glob("*.json")):
        record = _read(file)
        if record is not None:
            report = record.report
            us = f"ruleplay {report.engine} {report.search_ms} ms"
            them = f"{us}, itself" if report.opponent == "self" else report.opponent
            found.append(Match(us, them, report.wins, report.losses, report.ties))
    return found


def curve_of(won: Iterable[bool | None]) -> tuple[Point, ...]:
    """Compute the win rate and its interval after each battle, thinned out to POINTS."""
    points: list[Point] = []
    standing = Standing()
    for result in won:
        standing = standing.after(result)
        low, high = standing.interval
        rate = round(standing.win_rate, 4)
        points.append((standing.battles, rate, round(low, 4), round(high, 4)))
    step = -(-len(points) // POINTS) or 1
    thinned = points[::step]
    return tuple(thinned if not points or thinned[-1] == points[-1] else [*thinned, points[-1]])


def _folder(home: Path) -> Path:
    return home / "battle" / "arenas"


def _read(file: Path) -> ArenaRecord | None:
    try:
        if file.stat().st_size > FILE_LIMIT:
            return None
        return ArenaRecord.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError):
        return None
