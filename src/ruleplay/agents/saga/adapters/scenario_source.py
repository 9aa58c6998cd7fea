"""Scenarios in Markdown sections: places, persons, talks, deeds, secrets, encounters, endings."""

from __future__ import annotations

from ruleplay.agents.saga.domain.rulebook import Rulebook
from ruleplay.agents.saga.domain.scenario import (
    Deed,
    Encounter,
    Ending,
    Person,
    Place,
    Scenario,
    Secret,
    Talk,
)
from ruleplay.agents.saga.domain.texts import Frozen
from ruleplay.foundation.sections import read_sections

KINDS: dict[str, type[Frozen]] = {
    "place": Place,
    "person": Person,
    "talk": Talk,
    "deed": Deed,
    "secret": Secret,
    "encounter": Encounter,
    "ending": Ending,
}


def read_scenario(text: str, file: str, rules: Rulebook) -> Scenario:
    """Read one scenario; UserError names file and line of the first thing that is wrong."""
    written = read_sections(text, file, tuple(KINDS), "a scenario")
    scenario = written.assembled(Scenario, written.body(KINDS))
    for where, problem in scenario.unknown_rules(rules):
        raise written.error(where, problem)
    return scenario
