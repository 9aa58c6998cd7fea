"""Read scenarios from Markdown sections such as `## place inn`.

A scenario may define peoples, skills, things and beasts of its own, in sections like all others.
"""

from __future__ import annotations

from pydantic import BaseModel, ValidationError

from ruleplay.agents.saga.adapters.rules_source import PLACES
from ruleplay.agents.saga.domain.rulebook import Beast, Culture, Item, Race, Rulebook, Skill
from ruleplay.agents.saga.domain.scenario import (
    Book,
    Clock,
    Clue,
    Deed,
    Encounter,
    Ending,
    Lore,
    Person,
    Place,
    Scenario,
    Secret,
    Talk,
)
from ruleplay.agents.saga.domain.setting import peopled
from ruleplay.records.events import Json
from ruleplay.story.sections import Sectioned, read_sections, schemas_of
from ruleplay.story.texts import Frozen

KINDS: dict[str, type[Frozen]] = {
    "place": Place,
    "person": Person,
    "talk": Talk,
    "deed": Deed,
    "secret": Secret,
    "encounter": Encounter,
    "ending": Ending,
    "clue": Clue,
    "clock": Clock,
    "lore": Lore,
}


RULES: dict[str, type[Frozen]] = {
    "race": Race,
    "culture": Culture,
    "skill": Skill,
    "item": Item,
    "beast": Beast,
}
"""Kinds that a scenario may add to the rules; its entry replaces one of the same name."""


def read_book(text: str, file: str, rules: Rulebook) -> Book:
    """Read a scenario, and combine the rules with what it adds to them.

    UserError names file and line of the first problem.
    """
    written = read_sections(text, file, (*KINDS, *RULES), "a scenario")
    body = written.body(KINDS | RULES)
    own = {PLACES[kind]: body.pop(f"{kind}s", {}) for kind in RULES}
    rules = _with(rules, own, written)
    scenario = written.assembled(Scenario, body)
    for where, problem in scenario.unknown_rules(rules):
        raise written.error(where, problem)
    return peopled(Book(rules=rules, scenario=scenario))


def section_schemas() -> Json:
    """Return the JSON Schema of each kind of section's YAML, for editors."""
    return schemas_of(KINDS | RULES)


def _with(rules: Rulebook, own: dict[str, dict[str, BaseModel]], written: Sectioned) -> Rulebook:
    if not any(own.values()):
        return rules
    try:
        return Rulebook.model_validate(
            {**dict(rules), **{place: getattr(rules, place) | own[place] for place in own}}
        )
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        where, _, said = problem.partition(": ")
        raise written.error(where, said) from error
