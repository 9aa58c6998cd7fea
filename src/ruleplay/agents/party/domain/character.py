"""A character sheet as a player writes it, and its validation against the rules.

Ability scores use the standard array or the 27-point buy at the SRD's costs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field

from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.rulebook import CharacterClass, Race, Rulebook
from ruleplay.agents.party.domain.seats import RESERVED
from ruleplay.agents.party.domain.terms import ABILITIES, Ability, Skill, modifier
from ruleplay.story.texts import Frozen, fold

STANDARD: Final = (15, 14, 13, 12, 10, 8)
PRICES: Final = {8: 0, 9: 1, 10: 2, 11: 3, 12: 4, 13: 5, 14: 7, 15: 9}
POINTS: Final = 27
HIGHEST: Final = 20
PURSE: Final = 15_000
"""What self-chosen equipment may cost in copper pieces (150 gp); a house rule, not the SRD's."""
IMPROVES_AT: Final = 4
"""The level of the Ability Score Improvement."""
EXPERTS: Final[dict[str, tuple[int, int]]] = {"rogue": (1, 2), "bard": (3, 2)}
"""By class: the level at which Expertise is gained, and the number of skills."""
STYLES: Final[dict[str, tuple[int, tuple[str, ...]]]] = {
    "fighter": (1, ("defense", "archery", "dueling", "great-weapon", "two-weapon")),
    "paladin": (2, ("defense", "dueling", "great-weapon")),
    "ranger": (2, ("archery", "defense", "dueling", "two-weapon")),
}
"""By class: the level at which a fighting style is chosen, and the available styles."""
Key = Annotated[str, Field(max_length=40)]


class CharacterSheet(Frozen):
    """A character before play; what is left out is filled in by `creation.completed`.

    `abilities` are the scores before those of the people. `bonus` are the abilities that a people
    lets one choose, `improvements` the two points of level 4 (the same ability twice, or two).
    `equipment` names an item as often as there are of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    name: Annotated[str, Field(max_length=40)]
    race: Key
    klass: Annotated[Key, Field(alias="class")]
    level: int = 1
    scores: Literal["standard", "points"] = "standard"
    abilities: dict[Ability, int] = Field(default_factory=dict)
    bonus: Annotated[tuple[Ability, ...], Field(max_length=2)] = ()
    improvements: Annotated[tuple[Ability, ...], Field(max_length=2)] = ()
    skills: Annotated[tuple[Skill, ...], Field(max_length=8)] = ()
    expertise: Annotated[tuple[Skill, ...], Field(max_length=4)] = ()
    fighting_style: Key = ""
    equipment: Annotated[tuple[Key, ...], Field(max_length=80)] = ()
    spells: Annotated[tuple[Key, ...], Field(max_length=40)] = ()
    persona: Persona = Persona()

    @property
    def seat(self) -> str:
        """Return the seat's name: the character's name in lower case without accents or spaces."""
        return re.sub(r"[^a-z0-9]+", "-", fold(self.name)).strip("-")


def sheet_problems(sheet: CharacterSheet, book: Rulebook) -> tuple[Refusal, ...]:
    """Return all problems of a sheet; empty if it is legal."""
    problems = [*_name(sheet), *_kind(sheet, book)]
    if not problems:
        race, klass = book.races[sheet.race], book.classes[sheet.klass]  # type: ignore[index]
        problems += [
            *_scores(sheet, race),
            *_skills(sheet, race, klass),
            *_style(sheet),
            *_equipment(sheet, klass, book),
            *_spells(sheet, race, klass, book),
        ]
    return tuple(problems)


def _name(sheet: CharacterSheet) -> Iterator[Refusal]:
    letters = re.sub(r"[ '’-]", "", sheet.name)
    if not 2 <= len(sheet.name) <= 24 or not letters.isalpha() or not sheet.name[0].isupper():
        yield Refusal(reason="bad_name", about=sheet.name)
    elif sheet.seat in RESERVED:
        yield Refusal(reason="reserved_name", about=sheet.name)


def _kind(sheet: CharacterSheet, book: Rulebook) -> Iterator[Refusal]:
    if sheet.race not in book.races:
        yield Refusal(reason="no_race", about=sheet.race, other=", ".join(book.races))
    if sheet.klass not in book.classes:
        yield Refusal(reason="no_class", about=sheet.klass, other=", ".join(book.classes))
    if not 1 <= sheet.level <= len(next(iter(book.classes.values())).levels):
        yield Refusal(reason="no_level", about=str(sheet.level), other="5")


def _scores(sheet: CharacterSheet, race: Race) -> Iterator[Refusal]:
    if missing := [one for one in ABILITIES if one not in sheet.abilities]:
        yield Refusal(reason="no_score", about=", ".join(missing))
        return
    bought = sorted(sheet.abilities.values(), reverse=True)
    if sheet.scores == "standard" and tuple(bought) != STANDARD:
        wanted = ", ".join(map(str, STANDARD))
        yield Refusal(reason="not_standard", about=", ".join(map(str, bought)), other=wanted)
    if sheet.scores == "points":
        if wrong := [score for score in bought if score not in PRICES]:
            yield Refusal(reason="score_range", about=", ".join(map(str, wrong)))
        elif (spent := sum(PRICES[score] for score in bought)) > POINTS:
            yield Refusal(reason="too_many_points", about=str(spent), other=str(POINTS))
    yield from _chosen_scores(sheet, race)


def _chosen_scores(sheet: CharacterSheet, race: Race) -> Iterator[Refusal]:
    fresh = [one for one in dict.fromkeys(sheet.bonus) if one not in race.abilities]
    if len(sheet.bonus) != race.choose or len(fresh) != race.choose:
        yield Refusal(reason="bonus_choice", about=str(len(fresh)), other=str(race.choose))
    points = 2 if sheet.level >= IMPROVES_AT else 0
    if len(sheet.improvements) != points:
        about = str(len(sheet.improvements))
        yield Refusal(reason="improvement_choice", about=about, other=str(points))
    for ability, score in final_scores(sheet, race).items():
        if score > HIGHEST:
            yield Refusal(reason="score_too_high", about=ability, other=str(HIGHEST))


def final_scores(sheet: CharacterSheet, race: Race) -> dict[Ability, int]:
    """Return the ability scores with racial bonuses and improvements."""
    added = Counter(race.abilities) + Counter(sheet.bonus) + Counter(sheet.improvements)
    return {one: sheet.abilities[one] + added[one] for one in ABILITIES}


def _skills(sheet: CharacterSheet, race: Race, klass: CharacterClass) -> Iterator[Refusal]:
    """Check the class's skills against its list; skills that the race lets one choose are free."""
    wanted = klass.choose + race.choose_skills
    chosen = tuple(dict.fromkeys(sheet.skills))
    if len(sheet.skills) != wanted or len(chosen) != wanted:
        yield Refusal(reason="skill_count", about=str(len(chosen)), other=str(wanted))
    if twice := [skill for skill in chosen if skill in race.skills]:
        yield Refusal(reason="skill_known", about=", ".join(twice))
    foreign = [skill for skill in chosen if skill not in klass.skills]
    if len(foreign) > race.choose_skills:
        yield Refusal(reason="skill_foreign", about=", ".join(foreign))
    level, count = EXPERTS.get(sheet.klass, (99, 0))
    due = count if sheet.level >= level else 0
    known = {*chosen, *race.skills}
    if len(set(sheet.expertise) & known) != due or len(sheet.expertise) != due:
        yield Refusal(reason="expertise_count", about=str(len(sheet.expertise)), other=str(due))


def _style(sheet: CharacterSheet) -> Iterator[Refusal]:
    level, styles = STYLES.get(sheet.klass, (99, ()))
    known = styles if sheet.level >= level else ()
    wanted = sheet.fighting_style
    if (wanted or known) and wanted not in known:
        yield Refusal(reason="no_style", about=wanted, other=", ".join(known) or "-")


def _equipment(sheet: CharacterSheet, klass: CharacterClass, book: Rulebook) -> Iterator[Refusal]:
    if unknown := [item for item in sheet.equipment if item not in book.items]:
        yield Refusal(reason="no_item", about=", ".join(dict.fromkeys(unknown)))
        return
    items = [(key, book.items[key]) for key in dict.fromkeys(sheet.equipment)]
    if magic := [key for key, item in items if item.magic or item.kind == "treasure"]:
        yield Refusal(reason="not_for_sale", about=", ".join(magic))
    for key, item in items:
        worn = item.category if item.kind == "armour" else item.kind
        if item.kind in ("armour", "shield") and worn not in klass.armour:
            yield Refusal(reason="not_proficient", about=key)
    cost = sum(book.items[key].price for key in sheet.equipment)
    if cost > max(PURSE, sum(book.items[key].price for key in klass.kit)):
        yield Refusal(reason="too_dear", about=str(cost // 100), other=str(PURSE // 100))


def spell_room(level: int, klass: CharacterClass, scores: Mapping[Ability, int]) -> tuple[int, int]:
    """Return how many cantrips and how many other spells a character may have.

    Classes either know a fixed number or prepare their level (half of it for half casters) plus the
    ability modifier.
    """
    if not klass.casting:
        return 0, 0
    row = klass.levels[level - 1]
    if not any(row.slots):
        return row.cantrips, 0
    if row.known:
        return row.cantrips, row.known
    levels = level // 2 if klass.half else level
    return row.cantrips, max(1, levels + modifier(scores[klass.casting]))


def _spells(
    sheet: CharacterSheet, race: Race, klass: CharacterClass, book: Rulebook
) -> Iterator[Refusal]:
    if unknown := [spell for spell in sheet.spells if spell not in book.spells]:
        yield Refusal(reason="no_spell", about=", ".join(unknown))
        return
    if any(ability not in sheet.abilities for ability in ABILITIES):
        return
    chosen = {key: book.spells[key] for key in sheet.spells}
    if len(chosen) != len(sheet.spells):
        yield Refusal(reason="spell_twice")
    top = len(klass.levels[sheet.level - 1].slots)
    for key, spell in chosen.items():
        if sheet.klass not in spell.classes:
            yield Refusal(reason="spell_foreign", about=key, other=sheet.klass)
        elif spell.level > top:
            yield Refusal(reason="spell_too_high", about=key, other=str(top))
    cantrips, others = spell_room(sheet.level, klass, final_scores(sheet, race))
    small = sum(not spell.level for spell in chosen.values())
    if small > cantrips:
        yield Refusal(reason="cantrip_count", about=str(small), other=str(cantrips))
    if len(chosen) - small > others:
        yield Refusal(reason="spell_count", about=str(len(chosen) - small), other=str(others))
