"""Where imported rankings are kept: one JSON file per boss in `RULEPLAY_HOME/raid/rankings`."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError

from ruleplay.agents.raid.domain.rankings import BossRankings
from ruleplay.errors import UserError


def rankings_folder(home: Path) -> Path:
    """Return the folder of the rankings; it need not exist."""
    return home / "raid" / "rankings"


def store_rankings(home: Path, rankings: BossRankings) -> Path:
    """Store a boss's rankings in place of those imported before; returns the file."""
    folder = rankings_folder(home)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{rankings.encounter_id}.json"
    written = path.with_suffix(f".{os.getpid()}.part")
    written.write_text(rankings.model_dump_json(), "utf-8")
    written.replace(path)
    return path


def read_rankings(home: Path) -> tuple[BossRankings, ...]:
    """Return what was imported, by encounter id; a broken file is a UserError."""
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
