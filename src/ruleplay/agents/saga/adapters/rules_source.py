"""Read the rulebook from YAML files, either the installed ones or those a session began with."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path

from ruleplay.agents.saga.domain.rulebook import Rulebook
from ruleplay.records.rules import RuleData, Texts, files_in
from ruleplay.story.yaml_source import Located

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
    found: dict[str, object] = {}
    sources: list[Located] = []
    for name in FILES:
        source = Located(texts[f"rules/{name}.yaml"], f"{name}.yaml")
        sources.append(source)
        if not isinstance(source.value, dict):
            raise source.error("expected `name: value` lines", 0)
        found.update(source.value)
    return _validated(found, sources)


def _validated(found: dict[str, object], sources: list[Located]) -> Rulebook:
    from pydantic import ValidationError

    try:
        return Rulebook.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        top = str(first["loc"][0]) if first["loc"] else ""
        problem = first["msg"].removeprefix("Value error, ")
        where = ".".join(str(part) for part in first["loc"])
        owner = next((s for s in sources if isinstance(s.value, dict) and top in s.value), None)
        source = owner or _named_in(problem, sources)
        said = f"{where}: {problem}" if where else problem
        raise source.error(said, source.line_of(first["loc"] or _quoted(problem))) from error


def _named_in(problem: str, sources: list[Located]) -> Located:
    """Find the file of the entry that a problem names first; it may concern several files."""
    path = _quoted(problem)
    return next((source for source in sources if source.line_of(path)), sources[0])


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
