"""Stores imported rankings, one JSON file per boss in `RULEPLAY_HOME/raid/rankings`."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import BaseModel, ValidationError

from ruleplay.agents.raid.domain.rankings import BossRankings, Parse, Parses
from ruleplay.errors import UserError


def rankings_folder(home: Path) -> Path:
    """Folder of the rankings; it may not exist."""
    return home / "raid" / "rankings"


def store_rankings(home: Path, rankings: BossRankings) -> Path:
    """Store a boss's rankings, replacing earlier ones; returns the file's path."""
    return _store(rankings_folder(home) / f"{rankings.encounter_id}.json", rankings)


def _store(path: Path, kept: BaseModel) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written aside and renamed, so that readers see either the old file or the new one.
    written = path.with_suffix(f".{os.getpid()}.part")
    written.write_text(kept.model_dump_json(), "utf-8")
    written.replace(path)
    return path


def store_parses(home: Path, report: str, parses: tuple[Parse, ...]) -> Path:
    """Store the ranked kills of a report, replacing earlier ones."""
    return _store(_parses_of(home, report), Parses(parses=parses))


def read_parses(home: Path, report: str) -> tuple[Parse, ...]:
    """Read the ranked kills of a report; empty if there are none or the file is unreadable."""
    try:
        return Parses.model_validate_json(_parses_of(home, report).read_text("utf-8")).parses
    except (OSError, ValidationError):
        return ()


def _parses_of(home: Path, report: str) -> Path:
    return rankings_folder(home) / "parses" / f"{report}.json"


def read_rankings(home: Path) -> tuple[BossRankings, ...]:
    """Read all imported rankings, sorted by encounter id; UserError for a malformed file."""
    found = []
    for path in sorted(rankings_folder(home).glob("*.json")):
        try:
            found.append(BossRankings.model_validate_json(path.read_text("utf-8")))
        except ValidationError as error:
            raise UserError(
                f"{path.name!r} holds no rankings; import them again with"
                " `ruleplay raid import-wcl CODE`"
            ) from error
    return tuple(sorted(found, key=lambda boss: boss.encounter_id))
