"""Read and write characters as YAML sheets: ready-made ones, and players' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import yaml  # type: ignore[import-untyped, unused-ignore]
from pydantic import ValidationError

from ruleplay.agents.party.adapters.srd_source import files_of
from ruleplay.agents.party.domain.character import CharacterSheet, sheet_problems
from ruleplay.agents.party.domain.creation import completed, make_creature
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.policy.refusals import problem_in_words
from ruleplay.errors import NotFound, UserError, first_invalid
from ruleplay.story.texts import Lang
from ruleplay.story.yaml_source import Located

SUFFIX = ".yaml"
LIMIT = 20_000
"""Most characters of a sheet's text."""
LARGEST = 6
"""Most members of a party."""
FIELD_OF = {
    problem: field
    for field, problems in {
        "race": "no_race",
        "class": "no_class",
        "level": "no_level",
        "abilities": "no_score not_standard score_range too_many_points score_too_high",
        "bonus": "bonus_choice",
        "improvements": "improvement_choice",
        "skills": "skill_count skill_known skill_foreign",
        "expertise": "expertise_count",
        "fighting_style": "no_style",
        "equipment": "no_item not_for_sale not_proficient too_dear",
        "spells": "no_spell spell_twice spell_foreign spell_too_high cantrip_count spell_count",
    }.items()
    for problem in problems.split()
}
"""The field of a sheet that each problem is about, to find its line."""


@dataclass(frozen=True)
class Character:
    """A character ready for play."""

    sheet: CharacterSheet
    creature: Creature

    @property
    def persona(self) -> Persona:
        """The character's personality, voice, goals, bonds and secrets."""
        return self.sheet.persona


def read_sheet(text: str, file: str) -> CharacterSheet:
    """Read a sheet without checking the rules; UserError names file and line of what is wrong."""
    return _located(text, file).read(CharacterSheet)


def _located(text: str, file: str) -> Located:
    if len(text) > LIMIT:
        raise UserError(f"{file}:1: {len(text):,} characters; a sheet has at most {LIMIT:,}")
    return Located(text, file)


def read_character(
    text: str, file: str, rules: Rulebook, level: int | None = None, lang: Lang = "en"
) -> Character:
    """Read a sheet as a character ready for play; UserError lists everything that is not legal.

    What the sheet omits is filled in. A `level` replaces the sheet's own.
    """
    located = _located(text, file)
    sheet = completed(at_level(located.read(CharacterSheet), level), rules)
    if problems := sheet_problems(sheet, rules):
        line = 1 + located.line_of((FIELD_OF.get(problems[0].reason, "name"),))
        raise UserError(f"{file}:{line}: {'; '.join(in_words(problems, lang))}")
    return Character(sheet, make_creature(sheet, rules))


def sheet_of(answers: dict[str, object]) -> CharacterSheet:
    """Build a sheet from a wizard's answers (UserError)."""
    try:
        return CharacterSheet.model_validate(answers)
    except ValidationError as error:
        where, what = first_invalid(error)
        raise UserError(f"{where}: {what}") from error


def legal(sheet: CharacterSheet, rules: Rulebook, lang: Lang = "en") -> CharacterSheet:
    """Check a sheet and return it; UserError lists everything that is not legal."""
    if problems := sheet_problems(sheet, rules):
        raise UserError("; ".join(in_words(problems, lang)))
    return sheet


def written(sheet: CharacterSheet) -> str:
    """Write a sheet as YAML for `read_sheet`, without defaults."""
    body = sheet.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return str(yaml.safe_dump(body, allow_unicode=True, sort_keys=False, width=100))


def at_level(sheet: CharacterSheet, level: int | None) -> CharacterSheet:
    """Change a sheet's level; choices that depend on the level are made anew.

    At a higher level the sheet's spells are kept, and completed later.
    """
    if level is None or level == sheet.level:
        return sheet
    spells = sheet.spells if level > sheet.level else ()
    anew = {"improvements": (), "expertise": (), "spells": spells}
    return sheet.model_copy(update={"level": level, **anew})


def in_words(problems: Sequence[Refusal], lang: Lang) -> list[str]:
    """Word a list of problems."""
    return [problem_in_words(problem, lang) for problem in problems]


def shipped_sheets(rules: str = "") -> dict[str, str]:
    """Return the ready-made sheets' texts by key; `rules` names the data a session began with."""
    return {key.removesuffix(SUFFIX): text for key, text in files_of("characters", rules).items()}


READY = ("thorin", "pell", "sunniva", "zephrine")
"""The default party of ready-made characters."""


def party_of(
    characters: Sequence[str],
    rules: Rulebook,
    level: int | None = None,
    lang: Lang = "en",
    shelf: Mapping[str, str] | None = None,
) -> tuple[Character, ...]:
    """Build a party from keys of ready-made characters or texts of sheets (UserError, NotFound).

    An empty list means the four ready-made ones. `shelf` has the sheets of ready-made characters.
    """
    wanted = tuple(characters) or READY
    if len(wanted) > LARGEST:
        raise UserError(f"{len(wanted)} characters; a party has 1 to {LARGEST}")
    party = tuple(_one(text, rules, level, lang, shelf or shipped_sheets()) for text in wanted)
    seats: set[str] = set()
    for one in party:
        if one.creature.id in seats:
            problem = Refusal(reason="seat_twice", about=one.sheet.name)
            raise UserError(problem_in_words(problem, lang))
        seats.add(one.creature.id)
    return party


def _one(
    text: str, rules: Rulebook, level: int | None, lang: Lang, shelf: Mapping[str, str]
) -> Character:
    if "\n" in text or ":" in text:
        return read_character(text, "character.yaml", rules, level, lang)
    if text not in shelf:
        raise NotFound(f"no character {text!r}; there are {', '.join(shelf)}")
    return read_character(shelf[text], f"{text}{SUFFIX}", rules, level, lang)
