"""Read the rulebook from YAML files, and extend it by an installed package for own adventures."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path

import yaml  # type: ignore[import-untyped, unused-ignore]
from pydantic import ValidationError

from ruleplay.agents.party.adapters.srd_package import extended, package_folder
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.records.rules import RuleData, Texts, files_in
from ruleplay.story.yaml_source import read_together

SHIPPED = Path(__file__).parents[1] / "world"
DATA = RuleData(partial(files_in, SHIPPED, "*/*.yaml", "adventures/*.md"))
"""Rules, characters and adventures that come with Ruleplay, and versions that sessions keep."""
FILES = ("conditions", "glossary", "races", "classes", "features", "items", "spells", "monsters")
FAST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SECTIONS = {
    "race": "races",
    "class": "classes",
    "monster": "monsters",
    "item": "items",
    "spell": "spells",
}
"""The rulebook's section for each kind of entry in problems such as `monster 'wolf': …`."""


def files_of(part: str, rules: str = "") -> Texts:
    """Return the files of a part of the data: `srd`, `adventures` or `characters`."""
    texts, start = DATA.texts(rules), f"{part}/"
    return {name.removeprefix(start): texts[name] for name in texts if name.startswith(start)}


def read_rulebook(files: Texts) -> Rulebook:
    """Read the rule files; UserError names file, line and entry of what is wrong."""
    # Sessions of earlier releases have no glossary.
    texts = {f"{name}.yaml": files.get(f"{name}.yaml", "{}") for name in FILES}
    try:
        # libyaml is ten times as fast, but does not give lines, so only files with a problem are
        # read by `read_together`.
        found = [yaml.load(text, Loader=FAST) for text in texts.values()]
        return Rulebook.model_validate({key: one[key] for one in found for key in one})
    except (yaml.YAMLError, TypeError, ValidationError):
        return read_together(Rulebook, texts, _quoted)


def _quoted(problem: str) -> tuple[str, ...]:
    """Return the path to the entry of a problem such as `race 'elf': …`, or an empty one."""
    kind, quote, rest = problem.partition(" '")
    return (SECTIONS[kind], rest.partition("'")[0]) if quote and kind in SECTIONS else ()


def shipped_rules(rules: str = "") -> Rulebook:
    """Return Ruleplay's rules, or those named by `rules`, with which a session began.

    They are the same on every machine, whatever is installed.
    """
    return _shipped(DATA.key(rules))


@lru_cache(maxsize=4)
def _shipped(key: str) -> Rulebook:
    return read_rulebook(files_of("srd", key))


def known_rules(name: str = "") -> Rulebook:
    """Return the shipped rules, extended by the package if it is installed.

    They are for users' own adventures; shipped ones never depend on what is installed.
    """
    return _known(DATA.key(name))


@lru_cache(maxsize=4)
def _known(key: str) -> Rulebook:
    rules, folder = shipped_rules(key), package_folder()
    return rules if folder is None else extended(rules, folder)
