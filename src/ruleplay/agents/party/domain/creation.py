"""Creates characters from sheets: fills in what was left out and derives the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from ruleplay.agents.party.domain.character import (
    EXPERTS,
    HIGHEST,
    IMPROVES_AT,
    STANDARD,
    STYLES,
    CharacterSheet,
    final_scores,
    spell_room,
)
from ruleplay.agents.party.domain.creature import Carried, Creature, Feature
from ruleplay.agents.party.domain.rulebook import CharacterClass, Race, Rulebook
from ruleplay.agents.party.domain.rules.outfit import base_armour_class, outfitted
from ruleplay.agents.party.domain.terms import (
    ABILITIES,
    CLASSES,
    LEVEL_AT,
    Ability,
    Archetype,
    ClassKey,
    Skill,
    modifier,
    proficiency_of_level,
)
from ruleplay.story.texts import Text, fold

AFTER_PRIMARY: Final[tuple[Ability, ...]] = ("con", "dex", "wis", "str", "cha", "int")
"""The order in which abilities get scores after the class's primary ones."""
MORE_RAGES_AT: Final = 3
STYLE: Final = "style-"
"""The prefix of fighting-style features."""
QUIVER: Final = 20
"""The number of missiles in one entry of ammunition on a sheet."""
FIGHTS_AS: Final[dict[str, Archetype]] = {
    "barbarian": "brute",
    "ranger": "archer",
    "rogue": "skirmisher",
    "sorcerer": "caster",
    "warlock": "caster",
    "wizard": "caster",
}
"""How characters fight if their tactics are left to code; the default is `soldier`."""


def completed(sheet: CharacterSheet, book: Rulebook) -> CharacterSheet:
    """Return a sheet with everything filled in that was left out; legal if the rest is.

    Unknown races and classes are left for `sheet_problems` to report.
    """
    sheet = sheet.model_copy(update={"race": people_meant(sheet.race, book)})
    race, klass = book.races.get(sheet.race), book.classes.get(sheet.klass)  # type: ignore[call-overload]
    if race is None or klass is None or not 1 <= sheet.level <= len(klass.levels):
        return sheet
    order = tuple(dict.fromkeys((*klass.primary, *AFTER_PRIMARY)))
    added: dict[str, object] = {}
    if not sheet.abilities:
        added["abilities"] = dict(zip(order, STANDARD, strict=True))
        added["scores"] = "standard"
    if not sheet.bonus and race.choose:
        added["bonus"] = [one for one in order if one not in race.abilities][: race.choose]
    if not sheet.skills:
        added["skills"] = _skills(race, klass, book)
    if not sheet.equipment:
        added["equipment"] = klass.kit
    level, styles = STYLES.get(sheet.klass, (99, ()))
    if not sheet.fighting_style and sheet.level >= level:
        added["fighting_style"] = styles[0]
    filled = sheet.model_copy(
        update={
            key: tuple(value) if isinstance(value, list) else value for key, value in added.items()
        }
    )
    filled = _with_improvements(filled, race, order)
    filled = _with_expertise(filled, race)
    return _with_spells(filled, race, klass, book)


def people_meant(name: str, book: Rulebook) -> str:
    """Return the one race that a plain word such as `dwarf` can mean; else the word itself."""
    meant = [key for key, race in book.races.items() if fold(name) in race.words.all]
    return meant[0] if name not in book.races and len(meant) == 1 else name


def _skills(race: Race, klass: CharacterClass, book: Rulebook) -> list[Skill]:
    own = [skill for skill in klass.skills if skill not in race.skills][: klass.choose]
    known = dict.fromkeys(skill for one in book.classes.values() for skill in one.skills)
    free = [skill for skill in known if skill not in (*own, *race.skills)]
    return [*own, *free[: race.choose_skills]]


def _with_improvements(
    sheet: CharacterSheet, race: Race, order: tuple[Ability, ...]
) -> CharacterSheet:
    """Assign the level-4 improvement points, if unassigned, to scores below 20."""
    if sheet.improvements or sheet.level < IMPROVES_AT or set(sheet.abilities) < set(ABILITIES):
        return sheet
    points: list[Ability] = []
    for ability in order:
        room = 20 - final_scores(sheet, race)[ability]
        points += [ability] * min(room, 2 - len(points))
    return sheet.model_copy(update={"improvements": tuple(points)})


def _with_expertise(sheet: CharacterSheet, race: Race) -> CharacterSheet:
    level, count = EXPERTS.get(sheet.klass, (99, 0))
    if sheet.expertise or sheet.level < level:
        return sheet
    known = tuple(dict.fromkeys((*sheet.skills, *race.skills)))
    return sheet.model_copy(update={"expertise": known[:count]})


def _with_spells(
    sheet: CharacterSheet, race: Race, klass: CharacterClass, book: Rulebook
) -> CharacterSheet:
    """Fill the free spell slots on the sheet."""
    if not klass.casting or set(sheet.abilities) < set(ABILITIES):
        return sheet
    scores = final_scores(sheet, race)
    more = _more_spells(sheet.spells, sheet.klass, sheet.level, scores, book)
    return sheet.model_copy(update={"spells": (*sheet.spells, *more)})


def _more_spells(
    known: Sequence[str], name: str, level: int, scores: Mapping[Ability, int], book: Rulebook
) -> list[str]:
    """Choose spells for the room left: from each level in turn, starting with the highest.

    Within a level, spells that deal damage or heal come first.
    """
    klass = book.classes[class_key(name)]
    room = spell_room(level, klass, scores)
    top = len(klass.levels[level - 1].slots)
    levels: list[list[str]] = [[] for _ in range(top + 1)]
    spells = book.spells.items()
    for key, spell in sorted(spells, key=lambda it: not (it[1].damage or it[1].heal or it[1].pool)):
        if name in spell.classes and spell.level <= top and key not in known:
            levels[spell.level].append(key)
    turns = zip_longest(*reversed(levels[1:]))
    large = [key for turn in turns for key in turn if key]
    have = [book.spells[key].level for key in known if key in book.spells]
    small = max(0, room[0] - have.count(0))
    return [*levels[0][:small], *large[: max(0, room[1] - len(have) + have.count(0))]]


def make_creature(sheet: CharacterSheet, book: Rulebook) -> Creature:
    """Create the creature for a complete, legal sheet: rested and equipped."""
    race, klass = book.races[sheet.race], book.classes[class_key(sheet.klass)]
    scores = final_scores(sheet, race)
    hp = hit_points(klass.hit_die, sheet.level, modifier(scores["con"]), race.hp_a_level)
    row = klass.levels[sheet.level - 1]
    trained = dict.fromkeys((*race.skills, *sheet.skills), 1)
    one = Creature(
        id=sheet.seat,
        name=Text(en=sheet.name, fr=sheet.name),
        kind=sheet.race,
        size=race.size,
        classes={sheet.klass: sheet.level},
        level=sheet.level,
        xp=LEVEL_AT[sheet.level - 1],
        proficiency=proficiency_of_level(sheet.level),
        archetype=FIGHTS_AS.get(sheet.klass, "soldier"),
        abilities=scores,
        saves=klass.saves,
        skills={**trained, **dict.fromkeys(sheet.expertise, 2)},
        hp=hp,
        max_hp=hp,
        hit_die=klass.hit_die,
        hit_dice=sheet.level,
        speed=race.speed,
        darkvision=race.darkvision,
        resist=race.resist,
        traits=race.traits,
        features=(
            *features_of(sheet.klass, sheet.level, race, scores, book),
            *((Feature(key=f"{STYLE}{sheet.fighting_style}"),) if sheet.fighting_style else ()),
        ),
        spells=tuple(dict.fromkeys((*race.cantrips, *klass.cantrips, *sheet.spells))),
        casting=klass.casting,
        slots=row.slots,
        max_slots=row.slots,
        proficient=(*klass.weapons, *race.weapons),
        inventory=tuple(_carried(sheet.equipment, book)),
    )
    return outfitted(in_hand(one, sheet.equipment, book), book)


def _carried(equipment: Sequence[str], book: Rulebook) -> Iterable[Carried]:
    for key, count in Counter(equipment).items():
        bundle = QUIVER if book.items[key].kind == "ammunition" else 1
        yield Carried(item=key, count=count * bundle)


def class_key(name: str) -> ClassKey:
    """Return a class by name (KeyError)."""
    for key in CLASSES:
        if key == name:
            return key
    raise KeyError(name)


def in_hand(one: Creature, equipment: Sequence[str], book: Rulebook) -> Creature:
    """Return the character wearing the best armour and wielding the first melee weapon."""
    items = {key: book.items[key] for key in dict.fromkeys(equipment)}
    armours = [key for key, item in items.items() if item.kind == "armour"]
    shields = [key for key, item in items.items() if item.kind == "shield"]
    weapons = [key for key, item in items.items() if item.is_weapon]
    held = next((key for key in weapons if items[key].reach), next(iter(weapons), ""))
    both = bool(held) and "two-handed" in items[held].properties
    tried = (one.model_copy(update={"armour": key}) for key in ("", *armours))
    best = max(tried, key=lambda worn: base_armour_class(worn, book))
    shield = shields[0] if shields and not both else ""
    return best.model_copy(update={"weapon": held, "shield": shield})


def features_of(
    klass: str, level: int, race: Race, scores: Mapping[Ability, int], book: Rulebook
) -> tuple[Feature, ...]:
    """Return the features of a class up to a level and of the race, with all uses available."""
    rows = book.classes[class_key(klass)].levels[:level]
    keys = (*(key for row in rows for key in row.features), *race.traits)
    return tuple(_feature(key, klass, level, scores, book) for key in dict.fromkeys(keys))


def _feature(
    key: str, klass: str, level: int, scores: Mapping[Ability, int], book: Rulebook
) -> Feature:
    rule = book.features[key]
    most = {
        "": 0,
        "once": 1,
        "twice": 2,
        "pool": 5 * level,
        "ability": max(1, modifier(scores["cha"])),
        "level": level,
        "rage": 2 if level < MORE_RAGES_AT else 3,
    }[rule.uses]
    return Feature(key=key, left=most, most=most, per=rule.per)


def raised(one: Creature, book: Rulebook) -> Creature:
    """Return a character at the next level with new hit points, slots, features and spells.

    Nothing is asked: hit points rise by the die's average, improvements go to the class's primary
    abilities and spells are chosen automatically.
    """
    name, level = next(iter(one.classes)), one.level + 1
    klass, race = book.classes[class_key(name)], book.races[one.kind]
    row = klass.levels[level - 1]
    scores = _improved(one, klass) if level == IMPROVES_AT else one.abilities
    gained = hit_points(klass.hit_die, level, modifier(scores["con"]), race.hp_a_level) - one.max_hp
    fresh = features_of(name, level, race, scores, book)
    # Uses already spent stay spent: levelling up is no rest.
    spent = {feature.key: feature.most - feature.left for feature in one.features}
    styles = tuple(f for f in one.features if f.key.startswith(STYLE)) or _style(name, level)
    features = (
        *(f.model_copy(update={"left": max(0, f.left - spent.get(f.key, 0))}) for f in fresh),
        *styles,
    )
    before = (*one.max_slots, *(0 for _ in row.slots))
    now = (*one.slots, *(0 for _ in row.slots))
    slots = tuple(max(0, now[n] + row.slots[n] - before[n]) for n in range(len(row.slots)))
    up = one.model_copy(
        update={
            "classes": {name: level},
            "level": level,
            "proficiency": proficiency_of_level(level),
            "abilities": scores,
            "max_hp": one.max_hp + max(1, gained),
            "hp": one.hp + max(1, gained) if one.hp else 0,
            "hit_dice": one.hit_dice + 1,
            "features": features,
            "slots": slots,
            "max_slots": row.slots,
        }
    )
    more = _more_spells(up.spells, name, level, up.abilities, book)
    return outfitted(up.model_copy(update={"spells": (*up.spells, *more)}), book)


def _style(klass: str, level: int) -> tuple[Feature, ...]:
    """Return the default fighting style for a character who has not chosen one."""
    least, styles = STYLES.get(klass, (99, ()))
    return (Feature(key=f"{STYLE}{styles[0]}"),) if level >= least else ()


def _improved(one: Creature, klass: CharacterClass) -> dict[Ability, int]:
    scores, points = dict(one.abilities), 2
    for ability in dict.fromkeys((*klass.primary, *AFTER_PRIMARY)):
        more = min(points, HIGHEST - scores[ability])
        scores[ability] += more
        points -= more
    return scores


def hit_points(die: int, level: int, con: int, extra: int = 0) -> int:
    """Return the hit points at a level: a full die first, then the average rounded up for each."""
    later = (level - 1) * max(1, die // 2 + 1 + con)
    return max(1, die + con) + later + extra * level
