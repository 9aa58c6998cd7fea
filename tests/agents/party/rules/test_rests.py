"""Rests, experience, the difficulty of encounters, and features that rests bring back."""

from __future__ import annotations

from typing import Any

import pytest
from tests.agents.party.heroes import BOOK, act, cast_of, fighting, foe, hero, of, refused, seeded

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Effect
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Impossible
from ruleplay.agents.party.domain.rules.rests import (
    difficulty,
    long_rest,
    multiplier,
    short_rest,
)
from ruleplay.agents.party.domain.terms import level_for


def rest(cast: Cast, long: bool = False, **dice: int) -> Cast:
    happened = long_rest(cast, BOOK) if long else short_rest(cast, BOOK, dice or None)
    for one in happened:
        cast = cast.apply(one)
    return cast


def test_hit_dice_heal_in_an_hour() -> None:
    start = cast_of(hero("fighter", 3, hp=5))
    after = rest(start, fighter=1)
    one = after.the("fighter")
    assert one.hit_dice == 2
    assert 5 + 4 <= one.hp <= 5 + 13
    assert rest(start, fighter=0).the("fighter").hp == 5


def test_no_more_hit_dice_than_there_are() -> None:
    one = rest(cast_of(hero("fighter", 2, hp=1)), fighter=9).the("fighter")
    assert one.hit_dice == 0 or one.hp == one.max_hp


def test_a_short_rest_brings_back_what_it_may() -> None:
    spent = hero("fighter", 2)
    spent = spent.model_copy(
        update={"features": tuple(f.model_copy(update={"left": 0}) for f in spent.features)}
    )
    one = rest(cast_of(spent)).the("fighter")
    assert one.feature("second-wind").left == 1  # type: ignore[union-attr]
    barbarian = hero("barbarian", 1)
    barbarian = barbarian.model_copy(
        update={"features": tuple(f.model_copy(update={"left": 0}) for f in barbarian.features)}
    )
    assert rest(cast_of(barbarian)).the("barbarian").feature("rage").left == 0  # type: ignore[union-attr]
    after = rest(cast_of(barbarian), long=True).the("barbarian")
    assert after.feature("rage").left == 2  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("klass", "slots", "short", "long"),
    [
        ("warlock", (0, 0, 0), (0, 0, 2), (0, 0, 2)),
        ("cleric", (0, 0, 0), (0, 0, 0), (4, 3, 2)),
        ("wizard", (0, 0, 0), (0, 0, 1), (4, 3, 2)),
    ],
)
def test_slots_come_back(klass: Any, slots: Any, short: Any, long: Any) -> None:
    start = cast_of(hero(klass, 5, slots=slots))
    assert rest(start).the(klass).slots == short
    assert rest(start, long=True).the(klass).slots == long


def test_a_wizard_recovers_slots_once_a_day() -> None:
    after = rest(cast_of(hero("wizard", 5, slots=(0, 0, 0))))
    again = rest(after.with_("wizard", slots=(0, 0, 0)))
    assert again.the("wizard").slots == (0, 0, 0)


def test_a_long_rest_restores_all_hit_points_half_the_dice_and_one_exhaustion() -> None:
    tired = Effect(key="exhaustion", conditions=("exhaustion",), level=2)
    one = rest(cast_of(hero("fighter", 5, hp=1, hit_dice=0, effects=(tired,))), long=True)
    fighter = one.the("fighter")
    assert (fighter.hp, fighter.hit_dice, fighter.exhaustion) == (fighter.max_hp, 2, 1)


def test_the_stable_come_round_and_the_dead_do_not() -> None:
    down = Effect(key="dying", conditions=("incapacitated", "prone", "unconscious"))
    start = cast_of(
        hero("fighter", hp=0, stable=True, effects=(down,)), hero("rogue", hp=0, dead=True)
    )
    after = rest(start, fighter=0)
    assert after.the("fighter").conscious
    assert after.the("rogue").dead


def test_nobody_rests_in_a_fight() -> None:
    cast = fighting(hero("fighter"), foe("ogre"))
    for kind in (short_rest, long_rest):
        with pytest.raises(Impossible, match="in-a-fight"):
            kind(cast, BOOK)


def test_an_hour_ends_what_lasts_less() -> None:
    short = Effect(key="a", source="fighter", left=100, of="fighter")
    long = Effect(key="b", source="fighter", left=4_800, of="fighter")
    after = rest(cast_of(hero("fighter", effects=(short, long))))
    assert [(one.key, one.left) for one in after.the("fighter").effects] == [("b", 4_200)]


@pytest.mark.parametrize(
    ("xp", "level"), [(0, 1), (299, 1), (300, 2), (899, 2), (900, 3), (2_700, 4), (6_500, 5)]
)
def test_levels_by_experience(xp: int, level: int) -> None:
    assert level_for(xp) == level


@pytest.mark.parametrize(
    ("levels", "foes", "expected"),
    [
        ((1, 1, 1, 1), (0.125,), "trivial"),
        ((1, 1, 1, 1), (0.5,), "easy"),
        ((1, 1, 1, 1), (1,), "medium"),
        ((1, 1, 1, 1), (0.5, 0.5), "hard"),
        ((1, 1, 1, 1), (2,), "deadly"),
        ((3, 3, 3, 3), (2,), "easy"),
        ((5, 5, 5, 5), (5,), "easy"),
        ((5, 5), (5,), "deadly"),
    ],
)
def test_how_hard_an_encounter_is(levels: Any, foes: Any, expected: str) -> None:
    assert difficulty(levels, foes) == expected


@pytest.mark.parametrize(
    ("foes", "party", "times"),
    [
        (1, 4, 1),
        (2, 4, 1.5),
        (3, 4, 2),
        (7, 4, 2.5),
        (11, 4, 3),
        (15, 4, 4),
        (1, 2, 1.5),
        (2, 6, 1),
    ],
)
def test_crowds_are_harder(foes: int, party: int, times: float) -> None:
    assert multiplier(foes, party) == times


def test_second_wind_heals_and_is_spent() -> None:
    start = fighting(hero("fighter", 2, hp=3), foe("ogre"), first="fighter")
    after, happened = act(start, "fighter", "feature", what="second-wind")
    rolled = of(happened, h.HealingRolled)[0].roll
    assert rolled.formula == "1d10+2"
    assert after.the("fighter").hp == 3 + rolled.total
    assert refused(after, "fighter", "feature", what="second-wind") == "feature-spent"


def test_lay_on_hands_draws_on_a_pool() -> None:
    team = (hero("paladin", 2), hero("rogue", hp=1))
    start = fighting(*team, foe("ogre"), first="paladin")
    after, _ = act(start, "paladin", "feature", what="lay-on-hands", target="rogue", slot=4)
    assert after.the("rogue").hp == 5
    assert after.the("paladin").feature("lay-on-hands").left == 6  # type: ignore[union-attr]
    whole = start.with_("rogue", hp=9, max_hp=9)
    found = refused(whole, "paladin", "feature", what="lay-on-hands", target="rogue")
    assert found == "not-hurt"


def test_a_smite_spends_its_slot_on_a_hit_alone() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("paladin", 2), foe("zombie"), seed=seed, first="paladin")
        start, _ = act(start, "paladin", "feature", what="divine-smite")
        return act(start, "paladin", "attack", target="zombie")

    def hit(found: Any) -> bool:
        blow = of(found[1], h.AttackRolled)[0]
        return blow.hit and not blow.critical

    after, happened = seeded(one, hit)
    smite = next(o for o in of(happened, h.DamageRolled) if o.why == "divine-smite")
    assert (smite.roll.formula, smite.damage) == ("3d8", "radiant")  # undead: one die more
    assert after.the("paladin").slots == (1,)
    missed, _ = seeded(one, lambda found: not of(found[1], h.AttackRolled)[0].hit)
    assert missed.the("paladin").slots == (2,)


def test_turned_undead_are_afraid() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("cleric", 2), foe("zombie"), seed=seed, first="cleric")
        return act(start, "cleric", "feature", what="turn-undead", targets=("zombie",))

    after, happened = seeded(one, lambda found: not of(found[1], h.SaveRolled)[0].success)
    assert after.the("zombie").has("frightened")
    assert of(happened, h.FeatureUsed)[0].feature == "channel-divinity"
    living = fighting(hero("cleric", 2), foe("ogre"), first="cleric")
    found = refused(living, "cleric", "feature", what="turn-undead", targets=("ogre",))
    assert found == "no-undead"


def test_lesser_undead_are_destroyed_at_level_five() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("cleric", 5), foe("zombie"), seed=seed, first="cleric")
        return act(start, "cleric", "feature", what="turn-undead", targets=("zombie",))

    after, happened = seeded(one, lambda found: not of(found[1], h.SaveRolled)[0].success)
    assert of(happened, h.Died)
    assert after.fight is None


def test_inspiration_is_a_die_for_one_roll_of_an_ally() -> None:
    team = (hero("bard"), hero("fighter"))
    start = fighting(*team, foe("ogre", hp=300, max_hp=300), first="bard")
    after, _ = act(start, "bard", "feature", what="bardic-inspiration", target="fighter")
    assert after.the("fighter").under("bardic-inspiration")
    found = refused(after, "bard", "feature", what="bardic-inspiration", target="bard")
    assert found in ("not-oneself", "no-bonus-action")


def test_a_monk_spends_ki_on_a_flurry() -> None:
    start = fighting(hero("monk", 2), foe("ogre", hp=300, max_hp=300), first="monk")
    needs = refused(start, "monk", "feature", what="flurry-of-blows", target="ogre")
    assert needs == "attack-first"
    start, _ = act(start, "monk", "attack", target="ogre")
    after, happened = act(start, "monk", "feature", what="flurry-of-blows", target="ogre")
    assert len(of(happened, h.AttackRolled)) == 2
    assert after.the("monk").feature("ki").left == 1  # type: ignore[union-attr]


def test_a_dragonborn_breathes_once_between_rests() -> None:
    from ruleplay.agents.party.domain.creature import Feature

    breath = Feature(key="breath-weapon", left=1, most=1, per="short")
    start = fighting(hero("fighter", features=(breath,)), foe("ogre"), first="fighter")
    after, happened = act(start, "fighter", "power", what="breath-weapon", targets=("ogre",))
    assert of(happened, h.SaveRolled)[0].dc == 13
    assert after.the("fighter").feature("breath-weapon").left == 0  # type: ignore[union-attr]


def test_trolls_heal_unless_burned() -> None:
    from ruleplay.agents.party.domain.play import Play
    from ruleplay.agents.party.domain.rules.harm import Hurt, deal

    def healed(kind: Any) -> int:
        start = fighting(hero("fighter", hp=900, max_hp=900), foe("troll"), first="fighter")
        play = Play(start, BOOK)
        deal(play, "troll", [Hurt(40, kind)])
        after, _ = act(play.cast, "fighter", "end")
        return after.the("troll").hp

    assert healed("slashing") == 54
    assert healed("fire") == 44
