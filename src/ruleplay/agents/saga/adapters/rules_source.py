"""Read the rulebook from YAML files, either the installed ones or those a session began with."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path

from ruleplay.agents.saga.domain.rulebook import Rulebook
from ruleplay.records.rules import RuleData, Texts, files_in
from ruleplay.story.yaml_source import read_together

WORLD = Path(__file__).parents[1] / "world"
DATA = RuleData(partial(files_in, WORLD, "rules/*.yaml", "scenarios/*.md"))
"""Rules and scenarios that come with Ruleplay, and the versions that older sessions keep."""
PLACES = {
    "race": "races",
    "culture": "cultures",
    "skill": "skills",
    "item": "items",
    "beast": "bestiary",
}
"""The rulebook's field for each kind of entry."""
FILES = ("characteristics", "skills", "peoples", "equipment", "bestiary")


def read_rules(texts: Texts) -> Rulebook:
    """Read the rule files; UserError names file and line of what is wrong."""
    files = {f"{name}.yaml": texts[f"rules/{name}.yaml"] for name in FILES}
    return read_together(Rulebook, files, _quoted)


def _quoted(problem: str) -> tuple[str, ...]:
    """Return the path to the entry of a problem such as `race elf: …`, or an empty one."""
    kind, _, key = problem.partition(":")[0].partition(" ")
    return (PLACES[kind], key) if kind in PLACES else ()


def shipped_rules(rules: str = "") -> Rulebook:
    """Return Ruleplay's rules, or those named by `rules`, with which a session began."""
    return _rules(DATA.key(rules))


@lru_cache(maxsize=4)
def _rules(key: str) -> Rulebook:
    return read_rules(DATA.texts(key))
