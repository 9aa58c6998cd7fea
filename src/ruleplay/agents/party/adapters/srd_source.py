"""The rules' data: YAML beside the program, read once; more of it where a package has it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml  # type: ignore[import-untyped, unused-ignore]
from pydantic import ValidationError

from ruleplay.agents.party.adapters.srd_package import extended, package_folder
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.story.located import Located

SHIPPED = Path(__file__).parents[1] / "world" / "srd"
FILES = ("conditions", "races", "classes", "features", "items", "spells", "monsters")
FAST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SECTIONS = {
    "race": "races",
    "class": "classes",
    "monster": "monsters",
    "item": "items",
    "spell": "spells",
}
"""The sections that a problem between entries names, as `monster 'wolf': …`."""


def read_rulebook(folder: Path) -> Rulebook:
    """Read a folder of rule files; UserError names file, line and entry of what is wrong."""
    texts = {f"{name}.yaml": (folder / f"{name}.yaml").read_text("utf-8") for name in FILES}
    try:
        # libyaml is ten times as fast; only a file with a problem is read so that lines are known.
        found = [yaml.load(text, Loader=FAST) for text in texts.values()]
        return Rulebook.model_validate({key: one[key] for one in found for key in one})
    except (yaml.YAMLError, TypeError, ValidationError):
        return _located(texts)


def _located(texts: dict[str, str]) -> Rulebook:
    found: dict[str, object] = {}
    sources: list[Located] = []
    for name, text in texts.items():
        source = Located(text, name)
        sources.append(source)
        if not isinstance(source.value, dict):
            raise source.error("expected `name: value` lines", 0)
        found.update(source.value)
    try:
        return Rulebook.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        problem = first["msg"].removeprefix("Value error, ")
        where = ".".join(str(part) for part in first["loc"])
        path_of = first["loc"] or _quoted(problem)
        source = next((one for one in sources if _holds(one, path_of)), sources[0])
        said = f"{where}: {problem}" if where else problem
        raise source.error(said, source.line_of(path_of)) from error


def _holds(source: Located, path: tuple[str | int, ...]) -> bool:
    return isinstance(source.value, dict) and bool(path) and path[0] in source.value


def _quoted(problem: str) -> tuple[str, ...]:
    """Return the path of `race 'elf': …` and its like."""
    kind, quote, rest = problem.partition(" '")
    return (SECTIONS[kind], rest.partition("'")[0]) if quote and kind in SECTIONS else ()


@cache
def shipped_rules() -> Rulebook:
    """Return the rules that come with Ruleplay, and nothing that depends on the machine."""
    return read_rulebook(SHIPPED)


@cache
def known_rules() -> Rulebook:
    """Return the shipped rules with what an installed package adds to them.

    For adventures of one's own; those that ship never depend on what is installed.
    """
    rules, folder = shipped_rules(), package_folder()
    return rules if folder is None else extended(rules, folder)
