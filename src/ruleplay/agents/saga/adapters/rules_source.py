"""The rule files: YAML beside the program, read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ruleplay.agents.saga.domain.rulebook import Rulebook
from ruleplay.story.located import Located

SHIPPED = Path(__file__).parents[1] / "world" / "rules"
PLACES = {
    "race": "races",
    "culture": "cultures",
    "skill": "skills",
    "item": "items",
    "beast": "bestiary",
}
"""Where the rulebook keeps entries of each kind."""
FILES = ("characteristics", "skills", "peoples", "equipment", "bestiary")


def read_rules(folder: Path) -> Rulebook:
    """Read a folder of rule files; UserError names file and line of what is wrong."""
    found: dict[str, object] = {}
    sources: list[Located] = []
    for name in FILES:
        path = folder / f"{name}.yaml"
        source = Located(path.read_text(encoding="utf-8"), path.name)
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
    """Return the file that holds the entry which a problem between files quotes first."""
    path = _quoted(problem)
    return next((source for source in sources if source.line_of(path)), sources[0])


def _quoted(problem: str) -> tuple[str, ...]:
    """Return the path of `race elf: …` and its like."""
    kind, _, key = problem.partition(":")[0].partition(" ")
    return (PLACES[kind], key) if kind in PLACES else ()


@cache
def shipped_rules() -> Rulebook:
    """Return the rules that come with Ruleplay."""
    return read_rules(SHIPPED)
