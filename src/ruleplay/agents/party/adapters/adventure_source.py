"""Read adventures from Markdown sections such as `## scene inn`.

The format is that of `ruleplay.story.sections`; `ruleplay party check FILE` reports what is wrong
with a file, with its line.
"""

from __future__ import annotations

from ruleplay.agents.party.domain.adventure import (
    Adventure,
    Clue,
    Deed,
    Detail,
    Encounter,
    Ending,
    Person,
    Remark,
    Scene,
    Secret,
    Talk,
)
from ruleplay.agents.party.domain.adventure_problems import problems
from ruleplay.agents.party.domain.rulebook import Monster, Rulebook
from ruleplay.records.events import Json
from ruleplay.story.sections import read_sections, schemas_of
from ruleplay.story.texts import Frozen

KINDS: dict[str, type[Frozen]] = {
    "scene": Scene,
    "person": Person,
    "talk": Talk,
    "remark": Remark,
    "deed": Deed,
    "clue": Clue,
    "secret": Secret,
    "detail": Detail,
    "encounter": Encounter,
    "ending": Ending,
    "monster": Monster,
}


def read_adventure(text: str, file: str, rules: Rulebook) -> Adventure:
    """Read an adventure; UserError names file and line of the first problem."""
    written = read_sections(text, file, tuple(KINDS), "an adventure")
    adventure = written.assembled(Adventure, written.body(KINDS))
    for where, problem in problems(adventure, with_monsters(rules, adventure)):
        raise written.error(where, problem)
    return adventure


def with_monsters(rules: Rulebook, adventure: Adventure) -> Rulebook:
    """Add an adventure's own monsters to the rules; they replace those of the same key."""
    if not adventure.monsters:
        return rules
    return rules.model_copy(update={"monsters": {**rules.monsters, **adventure.monsters}})


def adventure_schema() -> Json:
    """Return the JSON Schema of each kind of section's YAML, for editors."""
    return schemas_of(KINDS)
