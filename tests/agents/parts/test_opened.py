"""Dialogues that strangers wrote, played with the rules alone: what an answer has to name.

They were opened while causes were mended, so they prove nothing new; the rules are held to them.
"""

from __future__ import annotations

import json
from pathlib import Path

from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.catalog import open_session
from ruleplay.settings import Settings

OPENED = Path(__file__).parents[2] / "wordings" / "parts_opened.jsonl"
HELD = 80
"""Turns, of those of which an answer has to name something, whose answer names all of it."""


async def test_the_rules_name_what_strangers_asked_for(tmp_path: Path, shared_data: Path) -> None:
    files = (shared_data / f"{name}.csv" for name in ("parts", "fits", "models"))
    import_catalog(*files, into=tmp_path / "parts.catalog")
    settings, missed, told = Settings(home=tmp_path, db="", model="rules"), [], 0
    for dialogue in map(json.loads, OPENED.read_text("utf-8").splitlines()):
        async with await open_session("parts", settings=settings) as session:
            for asked in dialogue["turns"]:
                reply = (await session.turn(asked["say"])).reply.replace(",", ".")
                if all(one in reply for one in asked["must"]):
                    told += bool(asked["must"])
                else:
                    missed.append(f"{dialogue['id']}: {asked['say']}: {asked['must']}")
    assert told >= HELD, "\n".join(missed)
