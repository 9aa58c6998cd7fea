"""Adventures in Markdown sections: scenes, persons, talks, deeds, clues and all the rest.

The format is that of `ruleplay.foundation.sections`; `ruleplay party check FILE` tells what is
wrong with a file, and on which line.
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
    Scene,
    Secret,
    Talk,
)
from ruleplay.agents.party.domain.adventure_problems import problems
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.domain.texts import Frozen
from ruleplay.foundation.sections import read_sections

KINDS: dict[str, type[Frozen]] = {
    "scene": Scene,
    "person": Person,
    "talk": Talk,
    "deed": Deed,
    "clue": Clue,
    "secret": Secret,
    "detail": Detail,
    "encounter": Encounter,
    "ending": Ending,
}


def read_adventure(text: str, file: str, rules: Rulebook) -> Adventure:
    """Read one adventure; UserError names file and line of the first thing that is wrong."""
    written = read_sections(text, file, tuple(KINDS), "an adventure")
    adventure = written.assembled(Adventure, written.body(KINDS))
    for where, problem in problems(adventure, rules):
        raise written.error(where, problem)
    return adventure
