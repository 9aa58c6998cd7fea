"""The rules' terms in both languages: conditions, abilities, skills, damage and visible health."""

from __future__ import annotations

from importlib import resources
from typing import Literal

from pydantic import TypeAdapter

from ruleplay.agents.party.domain.creature import Creature
from ruleplay.story.texts import Text

Health = Literal["unhurt", "hurt", "bloodied", "dying", "stable", "dead"]
_FILE = resources.files(__package__).joinpath("terms.json").read_text(encoding="utf-8")
TERMS = TypeAdapter(dict[str, dict[str, Text]]).validate_json(_FILE)
SEATS, CONDITIONS, ABILITIES, SKILLS, DAMAGE, HEALTH = (
    TERMS[kind] for kind in ("seats", "conditions", "abilities", "skills", "damage", "health")
)


def health(one: Creature) -> Health:
    """Return how healthy somebody looks to those who do not see their hit points."""
    if one.dead:
        return "dead"
    if one.hp == 0:
        return "stable" if one.stable else "dying"
    if one.hp >= one.max_hp:
        return "unhurt"
    return "bloodied" if one.hp * 2 <= one.max_hp else "hurt"
