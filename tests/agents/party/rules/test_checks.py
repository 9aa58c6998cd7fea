"""Checks, contests, passive scores and saves; what conditions and traits do to them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.party.heroes import BOOK, cast_of, fighting, foe, hero, of

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Boon, Effect
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.checks import check, check_formula, contest, save
from ruleplay.agents.party.domain.rules.conditions import check_edges, save_edges, with_implied
from ruleplay.agents.party.domain.rules.effects import inflict
from ruleplay.agents.party.domain.rules.rests import tire
from ruleplay.agents.party.domain.terms import CONDITIONS, modifier


@pytest.mark.parametrize(
    ("score", "bonus"), [(1, -5), (3, -4), (8, -1), (9, -1), (10, 0), (11, 0), (15, 2), (20, 5)]
)
def test_the_modifier_of_a_score(score: int, bonus: int) -> None:
    assert modifier(score) == bonus


def test_a_check_adds_ability_and_proficiency_once_or_twice() -> None:
    rogue = hero("rogue", skills={"stealth": 2, "perception": 1})
    assert rogue.check_bonus("stealth") == 3 + 4
    assert rogue.check_bonus("perception") == 1 + 2
    assert rogue.check_bonus("arcana") == 1
    assert rogue.check_bonus("dex") == 3
    assert rogue.passive("perception") == 13


def test_a_bard_is_half_skilled_at_everything() -> None:
    assert hero("bard", 2, skills={}).check_bonus("arcana") == 1 + 1


def test_a_save_adds_proficiency_where_it_is_trained() -> None:
    assert hero("fighter").save_bonus("con") == 3 + 2
    assert hero("fighter", 5).save_bonus("con") == 3 + 3
    assert hero("fighter").save_bonus("wis") == 1


def attempt(cast: Cast, dc: int) -> tuple[h.Happening, ...]:
    """Return what comes of a rogue's check of Stealth."""
    play = Play(cast, BOOK)
    check(play, "rogue", "stealth", dc)
    return tuple(play.happened)


@pytest.mark.parametrize(("dc", "least"), [(10, 10), (15, 15), (30, 30)])
def test_a_check_succeeds_from_its_dc_up(dc: int, least: int) -> None:
    for seed in map(str, range(60)):
        checked = attempt(cast_of(hero("rogue"), seed=seed), dc)[0]
        assert isinstance(checked, h.Checked)
        assert checked.success == (checked.roll.total >= least)


def test_a_contest_needs_the_higher_total() -> None:
    for seed in map(str, range(60)):
        play = Play(fighting(hero("fighter"), foe("ogre"), seed=seed), BOOK)
        won = contest(play, "fighter", "athletics", "ogre", "athletics", "grapple")
        told = of(tuple(play.happened), h.Contested)[0]
        assert won == told.success == (told.rolls[0].total > told.rolls[1].total)
        assert told.rolls[1].index == told.rolls[0].index + 1


@pytest.mark.parametrize(
    ("condition", "hampered"),
    [("poisoned", True), ("frightened", True), ("prone", False), ("grappled", False)],
)
def test_conditions_hamper_checks(condition: Any, hampered: bool) -> None:
    one = hero("rogue", effects=(Effect(key="x", conditions=(condition,)),))
    assert bool(check_edges(cast_of(one), one, "stealth")[1]) is hampered


def test_fear_of_who_is_gone_hampers_nobody() -> None:
    one = hero("rogue", effects=(Effect(key="x", source="ogre", conditions=("frightened",)),))
    assert check_edges(cast_of(one, foe("ogre")), one, "stealth")[1]
    assert not check_edges(cast_of(one, foe("ogre", dead=True, hp=0)), one, "stealth")[1]


def test_noisy_armour_hampers_stealth_alone() -> None:
    one = hero("fighter")
    assert check_edges(cast_of(one), one, "stealth")[1] == ["noisy-armour"]
    assert not check_edges(cast_of(one), one, "athletics")[1]


def test_advantage_and_disadvantage_cancel_in_the_formula() -> None:
    keen = foe("wolf")
    assert check_formula(cast_of(keen), keen, "perception") == "2d20kh1+3"
    ill = foe("wolf", effects=(Effect(key="x", conditions=("poisoned",)),))
    assert check_formula(cast_of(ill), ill, "perception") == "1d20+3"


def test_what_helps_once_is_used_up_by_one_check() -> None:
    guided = hero(
        "rogue",
        effects=(Effect(key="guidance", source="x", boon=Boon(check="+1d4", once=True)),),
    )
    happened = attempt(cast_of(guided), 10)
    assert of(happened, h.Checked)[0].roll.formula == "1d20+1d4+3"
    assert [one.key for one in of(happened, h.EffectEnded)] == ["guidance"]


@pytest.mark.parametrize("condition", ["paralyzed", "petrified", "stunned", "unconscious"])
@pytest.mark.parametrize(("ability", "fails"), [("str", True), ("dex", True), ("wis", False)])
def test_the_helpless_fail_strength_and_dexterity(
    condition: Any, ability: Any, fails: bool
) -> None:
    one = hero("rogue", effects=(Effect(key="x", conditions=(condition,)),))
    play = Play(cast_of(one), BOOK)
    assert save(play, "rogue", ability, 1) is not fails
    assert of(tuple(play.happened), h.SaveRolled)[0].automatic is fails


@pytest.mark.parametrize(
    ("changes", "ability", "magical", "against", "gain"),
    [
        ({"traits": ("magic-resistance",)}, "wis", True, (), True),
        ({"traits": ("magic-resistance",)}, "wis", False, (), False),
        ({"traits": ("brave",)}, "wis", False, ("frightened",), True),
        ({"traits": ("brave",)}, "wis", False, ("charmed",), False),
        ({"traits": ("fey-ancestry",)}, "wis", False, ("charmed",), True),
        ({"traits": ("dwarven-resilience",)}, "con", False, ("poison",), True),
        ({"traits": ("gnome-cunning",)}, "int", True, (), True),
        ({"traits": ("gnome-cunning",)}, "con", True, (), False),
        ({"traits": ("dark-devotion",)}, "wis", False, ("charmed",), True),
    ],
)
def test_traits_that_help_saves(
    changes: dict[str, Any], ability: Any, magical: bool, against: tuple[str, ...], gain: bool
) -> None:
    one = foe("ogre", **changes)
    assert bool(save_edges(one, ability, magical=magical, against=against)[0]) is gain


def test_danger_sense_needs_eyes() -> None:
    one = hero("barbarian", 2)
    assert save_edges(one, "dex", magical=True, against=())[0] == ["danger-sense"]
    blind = one.model_copy(update={"effects": (Effect(key="x", conditions=("blinded",)),)})
    assert not save_edges(blind, "dex", magical=True, against=())[0]


def test_restraint_hampers_dexterity_saves() -> None:
    one = hero("rogue", effects=(Effect(key="x", conditions=("restrained",)),))
    assert save_edges(one, "dex", magical=False, against=())[1] == ["restrained"]
    assert not save_edges(one, "str", magical=False, against=())[1]


@pytest.mark.parametrize(
    ("level", "check", "saves", "maximum"),
    [(1, True, False, 13), (2, True, False, 13), (3, True, True, 13), (4, True, True, 6)],
)
def test_exhaustion_by_level(level: int, check: bool, saves: bool, maximum: int) -> None:
    play = Play(cast_of(hero("fighter")), BOOK)
    tire(play, "fighter", level)
    one = play.the("fighter")
    assert one.exhaustion == level
    assert bool(check_edges(play.cast, one, "athletics")[1]) is check
    assert bool(save_edges(one, "wis", magical=False, against=())[1]) is saves
    assert one.max_hp == maximum
    tire(play, "fighter", -level)
    assert (play.the("fighter").max_hp, play.the("fighter").exhaustion) == (13, 0)


def test_the_sixth_level_of_exhaustion_kills() -> None:
    play = Play(cast_of(hero("fighter")), BOOK)
    for _ in range(6):
        tire(play, "fighter")
    assert play.the("fighter").dead
    assert of(tuple(play.happened), h.Died)[0].why == "exhaustion"


@pytest.mark.parametrize("condition", CONDITIONS)
def test_immunity_keeps_a_condition_off(condition: Any) -> None:
    from ruleplay.agents.party.domain.creature import Inflicts

    play = Play(cast_of(foe("ogre", condition_immune=(condition,)), foe("goblin")), BOOK)
    given = Inflicts(conditions=(condition,))
    assert not inflict(play, "ogre", given, "x", "goblin")
    assert inflict(play, "goblin", given, "x", "ogre")
    assert set(play.the("goblin").conditions) == set(with_implied((condition,)))


@given(st.sets(st.sampled_from(CONDITIONS)))
def test_conditions_bring_what_they_imply_and_nothing_else(conditions: Any) -> None:
    implied = set(with_implied(tuple(sorted(conditions))))
    extra = implied - conditions
    assert extra <= {"incapacitated", "prone"}
    assert ("prone" in extra) <= ("unconscious" in conditions)
