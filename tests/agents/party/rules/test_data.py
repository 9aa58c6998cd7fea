"""The SRD's data: complete, in both languages, and its arithmetic right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from ruleplay.agents.party.adapters.srd_source import (
    SHIPPED,
    files_of,
    read_rulebook,
    shipped_rules,
)
from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.creature import Attack
from ruleplay.agents.party.domain.dice import average, terms
from ruleplay.agents.party.domain.rulebook import Monster, Spell
from ruleplay.agents.party.domain.rules import special
from ruleplay.agents.party.domain.rules.features import COSTS
from ruleplay.agents.party.domain.terms import (
    ABILITIES,
    ABILITY_OF,
    CLASSES,
    CONDITIONS,
    DAMAGE_TYPES,
    SKILLS,
    XP_OF_CR,
    modifier,
    proficiency_of_cr,
    proficiency_of_level,
)
from ruleplay.errors import UserError
from ruleplay.story import yaml_source

BOOK = shipped_rules()
SLOTS = {1: (2,), 2: (3,), 3: (4, 2), 4: (4, 3), 5: (4, 3, 2)}
HALF_SLOTS = {1: (), 2: (2,), 3: (3,), 4: (3,), 5: (4, 2)}
PACT_SLOTS = {1: (1,), 2: (2,), 3: (0, 2), 4: (0, 2), 5: (0, 0, 2)}
HIT_DICE = {
    "barbarian": 12,
    "bard": 8,
    "cleric": 8,
    "druid": 8,
    "fighter": 10,
    "monk": 8,
    "paladin": 10,
    "ranger": 10,
    "rogue": 8,
    "sorcerer": 6,
    "warlock": 8,
    "wizard": 6,
}


def test_there_is_as_much_as_promised() -> None:
    assert tuple(BOOK.classes) == CLASSES
    assert len(BOOK.monsters) >= 40
    assert len(BOOK.spells) >= 60
    assert set(BOOK.conditions) == set(CONDITIONS)
    assert set(BOOK.terms) == {*ABILITIES, *SKILLS, *DAMAGE_TYPES}
    assert len({monster.type for monster in BOOK.monsters.values()}) >= 12
    assert {monster.cr for monster in BOOK.monsters.values()} <= {
        0,
        0.125,
        0.25,
        0.5,
        1,
        2,
        3,
        4,
        5,
    }
    assert {spell.level for spell in BOOK.spells.values()} == {0, 1, 2, 3}


def test_everything_is_named_and_told_in_both_languages() -> None:
    for section in ("conditions", "terms", "races", "classes", "features", "spells", "monsters"):
        for key, entry in getattr(BOOK, section).items():
            for text in (entry.name, entry.text):
                assert text.en.strip(), (section, key)
                assert text.fr.strip(), (section, key)
    assert all(item.name.en and item.name.fr for item in BOOK.items.values())


def test_names_are_unique_in_each_language() -> None:
    for section in ("races", "classes", "spells", "monsters", "items"):
        for lang in ("en", "fr"):
            names = [getattr(one.name, lang) for one in getattr(BOOK, section).values()]
            assert len(names) == len(set(names)), (section, lang)


def _mod(monster: Monster, ability: str) -> int:
    return modifier(monster.abilities[ABILITIES.index(ability)])  # type: ignore[arg-type]


@pytest.mark.parametrize("key", BOOK.monsters)
def test_the_hit_points_of_a_stat_block_are_the_average_of_its_dice(key: str) -> None:
    monster = BOOK.monsters[key]
    assert average(monster.hit_dice) == monster.hp
    dice = next(term for term in terms(monster.hit_dice) if term.count)
    constant = sum(t.sign * t.sides for t in terms(monster.hit_dice) if not t.count)
    assert constant == dice.count * _mod(monster, "con")
    sides = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}
    assert dice.sides == sides[monster.size]


def _attacks() -> list[tuple[str, Attack]]:
    return [(key, one) for key, monster in BOOK.monsters.items() for one in monster.attacks]


@pytest.mark.parametrize(("key", "attack"), _attacks(), ids=lambda v: getattr(v, "key", v))
def test_an_attack_is_its_ability_and_the_proficiency_of_its_challenge_rating(
    key: str, attack: Attack
) -> None:
    monster = BOOK.monsters[key]
    if attack.key in monster.exceptions:
        return
    assert attack.bonus == _mod(monster, attack.ability) + proficiency_of_cr(monster.cr)
    if attack.damage and len(terms(attack.damage[0].dice)) > 1:
        bonus = sum(t.sign * t.sides for t in terms(attack.damage[0].dice) if not t.count)
        assert bonus == _mod(monster, attack.ability)
    assert attack.reach or attack.range
    assert attack.long >= attack.range


def test_save_dcs_are_eight_and_proficiency_and_an_ability() -> None:
    for key, monster in BOOK.monsters.items():
        possible = {8 + proficiency_of_cr(monster.cr) + _mod(monster, a) for a in ABILITIES}
        riders = [(a.key, a.rider.dc) for a in monster.attacks if a.rider and a.rider.save]
        powers = [(p.key, p.dc) for p in monster.powers if p.save]
        for what, dc in (*riders, *powers):
            assert dc in possible or what in monster.exceptions, (key, what, dc, possible)


def test_exceptions_are_few_and_name_something() -> None:
    excused = [
        (key, what)
        for key, monster in BOOK.monsters.items()
        for what in monster.exceptions
        if what in {one.key for one in monster.attacks}
    ]
    assert len(excused) <= 12, excused


def test_every_challenge_rating_has_its_experience() -> None:
    known = {0: 10, 0.125: 25, 0.25: 50, 0.5: 100, 1: 200, 2: 450, 3: 700, 4: 1100, 5: 1800}
    assert {cr: XP_OF_CR[cr] for cr in known} == known


@pytest.mark.parametrize(
    ("key", "skill", "bonus"),
    [
        ("goblin", "stealth", 6),
        ("spy", "perception", 6),
        ("scout", "survival", 5),
        ("gladiator", "athletics", 10),
        ("priest", "medicine", 7),
        ("priest", "religion", 4),
        ("sprite", "stealth", 8),
    ],
)
def test_skills_come_out_as_stat_blocks_print_them(key: str, skill: str, bonus: int) -> None:
    assert enlist(BOOK, key, key).check_bonus(skill) == bonus  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "ability", "bonus"),
    [("bandit-captain", "dex", 5), ("knight", "con", 4), ("red-dragon-wyrmling", "con", 5)],
)
def test_saves_come_out_as_stat_blocks_print_them(key: str, ability: str, bonus: int) -> None:
    assert enlist(BOOK, key, key).save_bonus(ability) == bonus  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "dc", "attack"), [("acolyte", 12, 4), ("priest", 13, 5), ("cult-fanatic", 11, 3)]
)
def test_the_spells_of_monsters_are_as_hard_to_resist_as_printed(
    key: str, dc: int, attack: int
) -> None:
    one = enlist(BOOK, key, key)
    assert (one.spell_dc, one.spell_attack) == (dc, attack)


@pytest.mark.parametrize("key", BOOK.spells)
def test_a_spell_holds_together(key: str) -> None:
    hold_together(BOOK.spells[key])


def hold_together(spell: Spell) -> None:
    """Assert what is true of every spell, wherever it was read."""
    assert not spell.damage or spell.how != "auto" or spell.rays > 1 or spell.sustain
    assert not (spell.heal and spell.damage)
    assert spell.level or not (spell.upcast or spell.more_targets or spell.ritual)
    assert not spell.concentration or spell.rounds
    assert not spell.from_self or spell.radius
    assert (
        not spell.special or special.handles(spell.special) or spell.special in ("beams", "drain")
    )
    for formula in (spell.upcast, spell.heal, spell.heal_upcast, spell.temp, spell.pool):
        assert not formula or terms(formula)
    if spell.inflicts and spell.special != "pool":
        lasting = spell.rounds or spell.inflicts.rounds or spell.inflicts.key == "prone"
        assert lasting or spell.how in ("melee", "ranged")


def test_cantrips_that_deal_damage_scale() -> None:
    cantrips = [one for one in BOOK.spells.values() if not one.level and one.damage]
    assert len(cantrips) >= 10
    assert all(one.scales for one in cantrips)


@pytest.mark.parametrize("key", CLASSES)
def test_a_class_is_as_the_tables_have_it(key: str) -> None:
    one = BOOK.classes[key]  # type: ignore[index]
    assert one.hit_die == HIT_DICE[key]
    table = PACT_SLOTS if one.pact else HALF_SLOTS if one.half else SLOTS
    for level, row in enumerate(one.levels, 1):
        assert row.slots == (table[level] if one.casting else ())
    assert ("ability-improvement" in one.levels[3].features) == (key != "nobody")
    assert len(set(one.skills)) >= one.choose
    if one.casting:
        top = len(one.levels[4].slots)
        levels = {s.level for s in BOOK.spells.values() if key in s.classes}
        assert set(range(1, top + 1)) <= levels


@pytest.mark.parametrize(
    ("level", "bonus"), [(1, 2), (4, 2), (5, 3), (8, 3), (9, 4), (13, 5), (17, 6)]
)
def test_the_proficiency_bonus_by_level(level: int, bonus: int) -> None:
    assert proficiency_of_level(level) == bonus


@pytest.mark.parametrize(("cr", "bonus"), [(0, 2), (0.5, 2), (4, 2), (5, 3), (8, 3), (9, 4)])
def test_the_proficiency_bonus_by_challenge_rating(cr: float, bonus: int) -> None:
    assert proficiency_of_cr(cr) == bonus


def test_every_skill_rests_on_an_ability() -> None:
    assert set(ABILITY_OF) == set(SKILLS)
    assert set(ABILITY_OF.values()) <= set(ABILITIES)


def test_features_that_can_be_used_are_in_the_book() -> None:
    known = {*BOOK.features}
    made = {"cunning-dash", "cunning-disengage", "cunning-hide"}
    assert {key for key in COSTS if key not in made} <= known


@pytest.fixture(scope="module", autouse=True)
def located_once() -> Iterator[None]:
    """Locate what stands in a rule file once, however many tests spoil one of the others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_source, "Located", cache(yaml_source.Located))
        yield


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("monsters", "hp: 7,", "hp: lots,", r"monsters\.yaml:\d+: monsters\..*\.hp"),
        ("monsters", "spells: [sacred-flame, bless", "spells: [wishes, bless", "'wishes'"),
        ("spells", "how: save, save: dex", "how: save", "belong together"),
        ("items", "uses: bolt", "uses: pebble", "'pebble' is not defined"),
        ("races", "darkvision: 60", "darkvison: 60", r"races\.yaml:\d+: .*darkvison"),
        ("classes", "hit_die: 12", "hit_die: 13", r"classes\.yaml:\d+: classes\.barbarian"),
        ("features", "features:", "features: [", r"features\.yaml:\d+"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_line(
    file: str, old: str, new: str, problem: str
) -> None:
    text = files_of("srd")[f"{file}.yaml"]
    assert old in text
    with pytest.raises(UserError, match=problem):
        read_rulebook({**files_of("srd"), f"{file}.yaml": text.replace(old, new, 1)})


def test_the_line_is_that_of_the_entry() -> None:
    lines = files_of("srd")["monsters.yaml"].splitlines()
    at = next(n for n, line in enumerate(lines) if re.match(r"  wolf:", line))
    kind = next(n for n, line in enumerate(lines[at:], at) if "type: beast" in line)
    lines[kind] = lines[kind].replace("type: beast", "type: enormous", 1)
    with pytest.raises(UserError, match=rf"monsters\.yaml:{kind + 1}: monsters\.wolf\.type"):
        read_rulebook({**files_of("srd"), "monsters.yaml": "\n".join(lines)})


def test_the_source_and_its_licence_are_named() -> None:
    told = (SHIPPED / "srd" / "README.md").read_text(encoding="utf-8")
    assert "System Reference Document 5.1" in told
    assert "Creative Commons Attribution 4.0" in told
