"""Falling, dying, being saved, healing: what happens at 0 hit points."""

from __future__ import annotations

from typing import Any

import pytest
from tests.agents.party.heroes import BOOK, act, cast_of, fighting, foe, hero, of, refused, seeded

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature, Effect
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.harm import Hurt, bolster, deal, death_save, heal


def hurt(one: Creature, amount: int, *more: int, critical: bool = False, **given: Any) -> Play:
    """Return what follows when somebody takes damage, once or several times."""
    play = Play(cast_of(one, **given), BOOK)
    for each in (amount, *more):
        deal(play, one.id, [Hurt(each, "fire")], "ogre", critical=critical)
    return play


def test_a_monster_dies_at_no_hit_points() -> None:
    play = hurt(foe("goblin"), 7)
    assert play.the("goblin").dead
    assert [type(one) for one in play.happened] == [h.HitPointsChanged, h.Died]


def test_a_character_falls_and_is_dying() -> None:
    one = hurt(hero("fighter"), 13).the("fighter")
    assert (one.hp, one.dying, one.dead, one.conscious) == (0, True, False, False)
    assert {"unconscious", "prone", "incapacitated"} <= set(one.conditions)


@pytest.mark.parametrize(("amount", "dead"), [(13, False), (25, False), (26, True), (99, True)])
def test_massive_damage_kills_at_once(amount: int, dead: bool) -> None:
    one = hurt(hero("fighter"), amount).the("fighter")  # 13 hit points
    assert one.dead is dead


@pytest.mark.parametrize(("critical", "failed"), [(False, 1), (True, 2)])
def test_damage_at_no_hit_points_is_a_failed_save(critical: bool, failed: int) -> None:
    down = hurt(hero("fighter"), 13).the("fighter")
    play = hurt(down, 3, critical=critical)
    assert play.the("fighter").failed == failed


def test_three_failures_kill_and_damage_of_the_maximum_does_at_once() -> None:
    down = hurt(hero("fighter"), 13).the("fighter")
    assert not hurt(down, 1, 1).the("fighter").dead
    assert hurt(down, 1, 1, 1).the("fighter").dead
    assert hurt(down, 13).the("fighter").dead


def _saved(face: int, **changes: Any) -> Play:
    down = hurt(hero("fighter"), 13).the("fighter").model_copy(update=changes)

    def one(seed: str) -> Play:
        play = Play(cast_of(down, seed=seed), BOOK)
        death_save(play, "fighter")
        return play

    def rolled(play: Play) -> bool:
        return of(tuple(play.happened), h.DeathSaved)[0].roll.natural == face

    return seeded(one, rolled, 1000)


@pytest.mark.parametrize(
    ("face", "passed", "failed"), [(10, 1, 0), (19, 1, 0), (9, 0, 1), (2, 0, 1), (1, 0, 2)]
)
def test_a_death_save_passes_from_ten(face: int, passed: int, failed: int) -> None:
    one = _saved(face).the("fighter")
    assert (one.passed, one.failed) == (passed, failed)


def test_a_twenty_brings_one_round_with_a_hit_point() -> None:
    one = _saved(20, failed=2).the("fighter")
    assert (one.hp, one.failed, one.conscious) == (1, 0, True)
    assert one.has("prone")


def test_three_passes_make_stable_and_three_failures_kill() -> None:
    stable = _saved(15, passed=2).the("fighter")
    assert (stable.stable, stable.dying, stable.passed, stable.hp) == (True, False, 0, 0)
    assert _saved(5, failed=2).the("fighter").dead
    assert _saved(1, failed=1).the("fighter").dead


def test_the_stable_start_to_die_again_when_hurt() -> None:
    stable = _saved(15, passed=2).the("fighter")
    one = hurt(stable, 1).the("fighter")
    assert (one.stable, one.failed) == (False, 1)


def test_healing_brings_the_fallen_round() -> None:
    play = hurt(hero("fighter"), 13)
    heal(play, "fighter", 5)
    one = play.the("fighter")
    assert (one.hp, one.conscious, one.dying) == (5, True, False)


def test_healing_stops_at_the_maximum_and_does_not_raise_the_dead() -> None:
    play = Play(cast_of(hero("fighter", hp=10), foe("goblin", dead=True, hp=0)), BOOK)
    assert heal(play, "fighter", 50) == 3
    assert heal(play, "goblin", 50) == 0
    assert play.the("goblin").dead


def test_temporary_hit_points_take_the_higher() -> None:
    play = Play(cast_of(hero("fighter", temp=6)), BOOK)
    bolster(play, "fighter", 4)
    assert play.the("fighter").temp == 6
    bolster(play, "fighter", 9)
    assert play.the("fighter").temp == 9


def test_a_zombie_may_refuse_to_fall_but_not_to_light_or_a_critical_hit() -> None:
    def one(seed: str) -> Play:
        return hurt(foe("zombie", hp=3), 4, seed=seed)

    play = seeded(one, lambda play: play.the("zombie").hp == 1)
    tried = of(tuple(play.happened), h.Endured)[0]
    assert (tried.dc, tried.success) == (9, True)
    radiant = Play(cast_of(foe("zombie", hp=3)), BOOK)
    deal(radiant, "zombie", [Hurt(4, "radiant")])
    assert radiant.the("zombie").dead
    assert hurt(foe("zombie", hp=3), 4, critical=True).the("zombie").dead


def test_a_half_orc_stays_up_once() -> None:
    from ruleplay.agents.party.domain.creature import Feature

    tough = hero("fighter", features=(Feature(key="relentless-endurance", left=1, most=1),))
    play = hurt(tough, 20)
    one = play.the("fighter")
    assert (one.hp, one.feature("relentless-endurance").left) == (1, 0)  # type: ignore[union-attr]
    assert hurt(one, 5).the("fighter").hp == 0


@pytest.mark.parametrize(("damage", "dc"), [(1, 10), (20, 10), (22, 11), (41, 20)])
def test_concentration_is_held_against_ten_or_half_the_damage(damage: int, dc: int) -> None:
    bless = Effect(key="bless", source="cleric", concentration=True, left=10, of="cleric")
    play = hurt(hero("cleric", hp=99, max_hp=99, concentration="bless", effects=(bless,)), damage)
    save = of(tuple(play.happened), h.SaveRolled)[0]
    assert (save.ability, save.dc) == ("con", dc)
    assert bool(play.the("cleric").concentration) is save.success
    assert bool(play.the("cleric").effects) is save.success


def test_falling_ends_concentration_without_a_save() -> None:
    play = hurt(hero("cleric", concentration="bless"), 11)
    assert not of(tuple(play.happened), h.SaveRolled)
    assert play.the("cleric").concentration == ""


def _dying(**changes: Any) -> Cast:
    cast = fighting(hero("cleric"), hero("fighter"), foe("ogre"), first="cleric", ogre=60)
    play = Play(cast, BOOK)
    deal(play, "fighter", [Hurt(13, "fire")])
    return play.cast.with_("cleric", **changes) if changes else play.cast


def test_a_healers_kit_stabilises_without_a_check() -> None:
    cast, happened = act(_dying(), "cleric", "stabilise", target="fighter")
    assert cast.the("fighter").stable
    assert not of(happened, h.Checked)
    assert cast.the("cleric").count("healers-kit") == 0


def test_without_a_kit_it_takes_medicine() -> None:
    cast, happened = act(_dying(inventory=()), "cleric", "stabilise", target="fighter")
    check = of(happened, h.Checked)[0]
    assert (check.what, check.dc) == ("medicine", 10)
    assert cast.the("fighter").stable is check.success


def test_nobody_stabilises_who_is_not_dying_or_not_at_hand() -> None:
    cast = fighting(hero("cleric"), hero("fighter"), foe("ogre"), first="cleric")
    assert refused(cast, "cleric", "stabilise", target="fighter") == "not-dying"
    assert refused(cast, "cleric", "stabilise", target="ogre") == "not-dying"
    far = _dying(position=30)
    assert refused(far, "cleric", "stabilise", target="fighter") == "out-of-reach"


def test_the_dying_save_on_their_turns_and_never_act() -> None:
    cast = _dying()
    cast, happened = act(cast, "cleric", "end")
    assert refused(cast, "fighter", "attack", target="ogre") in ("not-your-turn", "cannot-act")
    while not of(happened, h.DeathSaved):
        assert cast.fight is not None
        cast, happened = act(cast, cast.fight.actor, "end")
    assert of(happened, h.DeathSaved)[0].who == "fighter"


def test_after_a_victory_the_dying_are_tended() -> None:
    cast = _dying()
    cast = cast.with_("ogre", hp=1, position=5)

    def one(seed: str) -> Any:
        start = cast.model_copy(update={"dice_seed": seed})
        return act(start, "cleric", "attack", target="ogre", what="mace")

    after, happened = seeded(one, lambda found: of(found[1], h.FightOver))
    assert of(happened, h.Stabilised)[0].who == "fighter"
    assert after.the("fighter").stable


@pytest.mark.parametrize("amount", [0, 1, 5, 13, 25, 26])
def test_every_change_of_hit_points_is_told_and_the_sums_match(amount: int) -> None:
    play = hurt(hero("fighter", temp=2), amount)
    changes = of(tuple(play.happened), h.HitPointsChanged)
    assert play.the("fighter").hp == 13 + sum(one.amount for one in changes)
    assert sum(one.absorbed - one.amount + one.over for one in changes) == amount
