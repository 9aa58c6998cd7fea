"""Spells: slots, targets, attacks and saves, scaling, concentration, the bonus-action rule."""

from __future__ import annotations

from typing import Any

import pytest
from tests.agents.party.heroes import (
    BOOK,
    act,
    cast_of,
    fighting,
    foe,
    hero,
    of,
    refused,
    seeded,
    turn_of,
)

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature, Effect
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.rules.conditions import armour_class
from ruleplay.agents.party.domain.rules.spells import damage_of, most_targets
from ruleplay.agents.party.domain.terms import ClassKey


def table(klass: ClassKey, *foes: Creature, level: int = 5, **changes: Any) -> Cast:
    """Return a fight in which a caster of a class is to move and somebody waits 30 feet away."""
    others = foes or (foe("ogre", hp=300, max_hp=300),)
    places = {one.id: 30 for one in others}
    caster = hero(klass, level, hp=99, max_hp=99, **changes)
    return fighting(caster, *others, first=klass, **places)


def cast(klass: ClassKey, spell: str, *foes: Creature, level: int = 5, **fields: Any) -> Any:
    return act(table(klass, *foes, level=level), klass, "cast", what=spell, **fields)


@pytest.mark.parametrize(
    ("klass", "level", "spell", "slot", "dice"),
    [
        ("wizard", 1, "fire-bolt", 0, "1d10"),
        ("wizard", 4, "fire-bolt", 0, "1d10"),
        ("wizard", 5, "fire-bolt", 0, "2d10"),
        ("wizard", 5, "burning-hands", 1, "3d6"),
        ("wizard", 5, "burning-hands", 3, "3d6+2d6"),
        ("wizard", 5, "fireball", 3, "8d6"),
        ("wizard", 5, "magic-missile", 1, "1d4+1"),
        ("cleric", 5, "guiding-bolt", 2, "4d6+1d6"),
        ("warlock", 1, "eldritch-blast", 0, "1d10"),
        ("warlock", 5, "eldritch-blast", 0, "1d10+3"),
        ("cleric", 5, "spiritual-weapon", 2, "1d8+3"),
    ],
)
def test_damage_by_level_and_slot(
    klass: ClassKey, level: int, spell: str, slot: int, dice: str
) -> None:
    assert damage_of(hero(klass, level), BOOK.spells[spell], slot)[0].dice == dice


@pytest.mark.parametrize(
    ("klass", "spell", "slot", "most"),
    [
        ("cleric", "bless", 1, 3),
        ("cleric", "bless", 3, 5),
        ("wizard", "magic-missile", 1, 3),
        ("wizard", "magic-missile", 3, 5),
        ("wizard", "scorching-ray", 3, 4),
        ("warlock", "eldritch-blast", 0, 2),
        ("wizard", "hold-person", 3, 2),
        ("wizard", "fireball", 3, 4),
    ],
)
def test_how_many_creatures_a_spell_reaches(
    klass: ClassKey, spell: str, slot: int, most: int
) -> None:
    assert most_targets(hero(klass, 5), BOOK.spells[spell], slot) == most


def test_a_spell_takes_the_lowest_slot_that_serves_and_only_one() -> None:
    after, happened = cast("wizard", "magic-missile", targets=("ogre",))
    assert after.the("wizard").slots == (3, 3, 2)
    assert [(one.level, one.left) for one in of(happened, h.SlotSpent)] == [(1, 3)]
    after, _ = cast("wizard", "magic-missile", targets=("ogre",), slot=3)
    assert after.the("wizard").slots == (4, 3, 1)


def test_a_cantrip_takes_none() -> None:
    after, happened = cast("wizard", "fire-bolt", targets=("ogre",))
    assert after.the("wizard").slots == (4, 3, 2)
    assert not of(happened, h.SlotSpent)


def test_a_warlock_casts_at_the_level_of_the_pact() -> None:
    after, happened = cast("warlock", "hex", targets=("ogre",))
    assert of(happened, h.SlotSpent)[0].level == 3
    assert after.the("warlock").slots == (0, 0, 1)


@pytest.mark.parametrize(
    ("spell", "fields", "reason"),
    [
        ("wish", {"targets": ("ogre",)}, "no-such-spell"),
        ("cure-wounds", {"targets": ("wizard",)}, "no-such-spell"),
        ("fireball", {"targets": ("ogre",), "slot": 2}, "slot-too-low"),
        ("fireball", {"targets": ("ogre",), "slot": 4}, "no-slot"),
        ("fireball", {}, "no-target"),
        ("fire-bolt", {"targets": ("ogre", "wizard")}, "too-many-targets"),
        ("fire-bolt", {"targets": ("nobody",)}, "no-such-target"),
        ("burning-hands", {"targets": ("ogre",)}, "out-of-range"),
        ("hold-person", {"targets": ("ogre",)}, "wrong-kind-of-target"),
        ("shield", {}, "only-as-reaction"),
        ("identify", {}, "takes-too-long"),
    ],
)
def test_what_cannot_be_cast(spell: str, fields: dict[str, Any], reason: str) -> None:
    assert refused(table("wizard"), "wizard", "cast", what=spell, **fields) == reason


def test_without_slots_only_cantrips_are_left() -> None:
    start = table("wizard").with_("wizard", slots=(0, 0, 0))
    assert refused(start, "wizard", "cast", what="sleep", targets=("ogre",)) == "no-slot"
    act(start, "wizard", "cast", what="fire-bolt", targets=("ogre",))


def test_a_bonus_action_spell_leaves_room_for_a_cantrip_alone() -> None:
    start = table("cleric").with_("cleric", hp=50)
    after, _ = act(start, "cleric", "cast", what="healing-word", targets=("cleric",))
    found = refused(after, "cleric", "cast", what="guiding-bolt", targets=("ogre",))
    assert found == "bonus-spell"
    act(after, "cleric", "cast", what="sacred-flame", targets=("ogre",))
    other, _ = act(start, "cleric", "cast", what="guiding-bolt", targets=("ogre",))
    found = refused(other, "cleric", "cast", what="healing-word", targets=("cleric",))
    assert found == "bonus-spell"


def test_a_spell_attack_rolls_against_armour_class_and_can_be_critical() -> None:
    def one(seed: str) -> Any:
        start = table("wizard").model_copy(update={"dice_seed": seed})
        return act(start, "wizard", "cast", what="fire-bolt", targets=("ogre",))[1]

    happened = seeded(one, lambda found: of(found, h.AttackRolled)[0].critical, 1000)
    assert of(happened, h.AttackRolled)[0].roll.modifier == 6
    assert of(happened, h.DamageRolled)[0].roll.formula == "4d10"


def test_an_area_rolls_its_damage_once_and_everyone_saves_alone() -> None:
    goblins = [foe("goblin", f"g{n}", hp=99, max_hp=99) for n in range(3)]
    _, happened = cast("wizard", "fireball", *goblins, targets=("g0", "g1", "g2"))
    assert len(of(happened, h.DamageRolled)) == 1
    saves = of(happened, h.SaveRolled)
    assert [one.who for one in saves] == ["g0", "g1", "g2"]
    assert {(one.ability, one.dc) for one in saves} == {("dex", 14)}
    total = of(happened, h.DamageRolled)[0].roll.total
    for save, change in zip(saves, of(happened, h.HitPointsChanged), strict=True):
        assert -change.amount == (total // 2 if save.success else total)


def test_targets_of_an_area_stand_together() -> None:
    goblins = [foe("goblin", "g0"), foe("goblin", "g1")]
    start = fighting(hero("wizard", 5), *goblins, first="wizard", g0=30, g1=80)
    assert (
        refused(start, "wizard", "cast", what="fireball", targets=("g0", "g1")) == "too-far-apart"
    )


def test_missiles_never_miss_and_are_shared_out() -> None:
    goblins = [foe("goblin", f"g{n}", hp=99, max_hp=99) for n in range(2)]
    after, happened = cast("wizard", "magic-missile", *goblins, targets=("g0", "g1"))
    assert not of(happened, h.AttackRolled)
    each = of(happened, h.DamageRolled)[0].roll.total
    assert (after.the("g0").hp, after.the("g1").hp) == (99 - 2 * each, 99 - each)


def test_healing_adds_the_ability_and_stops_at_the_maximum() -> None:
    start = table("cleric", level=1).with_("cleric", hp=50)
    _, happened = act(start, "cleric", "cast", what="cure-wounds", targets=("cleric",))
    # 1d8, Wisdom 3, and 3 more as a disciple of life.
    assert of(happened, h.HealingRolled)[0].roll.formula == "1d8+6"


def test_healing_passes_the_undead_by() -> None:
    start = table("cleric", foe("skeleton", hp=3)).with_("skeleton", side="party")
    start = start.with_("skeleton", position=5)
    over = start.model_copy(update={"fight": None})
    after, _ = act(over, "cleric", "cast", what="cure-wounds", targets=("skeleton",))
    assert after.the("skeleton").hp == 3


def test_one_concentration_at_a_time() -> None:
    start = table("cleric")
    after, _ = act(start, "cleric", "cast", what="bless", targets=("cleric",))
    assert after.the("cleric").concentration == "bless"
    assert after.the("cleric").under("bless")
    after = turn_of(act(after, "cleric", "end")[0], "cleric")
    after, happened = act(after, "cleric", "cast", what="bane", targets=("ogre",))
    ended = of(happened, h.ConcentrationEnded)[0]
    assert (ended.spell, ended.why) == ("bless", "another")
    assert after.the("cleric").under("bless") is None
    assert after.the("cleric").concentration in ("bane", "")


def test_concentration_runs_out_with_its_time() -> None:
    start = table("cleric", foe("ogre", hp=300, max_hp=300))
    after, _ = act(start, "cleric", "cast", what="bless", targets=("cleric",))
    for turn in range(10):
        assert after.the("cleric").concentration == "bless", turn
        after = turn_of(act(after, "cleric", "end")[0], "cleric")
    assert after.the("cleric").concentration == ""
    assert not after.the("cleric").effects


def _held(success: bool) -> Any:
    def one(seed: str) -> Any:
        start = table("wizard", foe("bandit")).model_copy(update={"dice_seed": seed})
        return act(start, "wizard", "cast", what="hold-person", targets=("bandit",))

    return seeded(one, lambda found: of(found[1], h.SaveRolled)[0].success is success)


def test_a_save_that_fails_holds_and_each_turn_brings_another() -> None:
    after, _ = _held(success=False)
    bandit = after.the("bandit")
    assert bandit.has("paralyzed")
    assert bandit.has("incapacitated")
    after, happened = act(after, "wizard", "end")
    again = [one for one in of(happened, h.SaveRolled) if one.who == "bandit"]
    assert len(again) == 1
    assert again[0].why == "hold-person"
    assert after.the("bandit").has("paralyzed") is not again[0].success
    assert bool(after.the("wizard").concentration) is not again[0].success


def test_a_save_that_succeeds_is_free() -> None:
    after, _ = _held(success=True)
    assert not after.the("bandit").effects


def test_sleep_takes_the_weakest_first_and_wakes_at_a_touch() -> None:
    goblins = [foe("goblin", "g0"), foe("goblin", "g1", hp=5), foe("skeleton", "bones")]
    after, happened = cast("wizard", "sleep", *goblins, targets=("g0", "g1", "bones"), slot=3)
    assert of(happened, h.HealingRolled)[0].roll.formula == "5d8+4d8"
    assert after.the("g1").has("unconscious")
    assert after.the("g0").has("unconscious")
    assert not after.the("bones").has("unconscious")
    after = turn_of(after, "bones").with_("bones", position=30)
    woken, _ = act(after, "bones", "wake", target="g0")
    assert not woken.the("g0").has("unconscious")


def test_elves_do_not_sleep_by_magic() -> None:
    elf = foe("bandit", "elf", traits=("fey-ancestry",))
    after, _ = cast("wizard", "sleep", elf, targets=("elf",), slot=3)
    assert not after.the("elf").effects


def test_damage_wakes_the_sleeper() -> None:
    from ruleplay.agents.party.domain.play import Play
    from ruleplay.agents.party.domain.rules.harm import Hurt, deal

    after, _ = cast("wizard", "sleep", foe("goblin", hp=5), targets=("goblin",), slot=3)
    play = Play(after, BOOK)
    deal(play, "goblin", [Hurt(1, "fire")])
    assert [one.key for one in play.the("goblin").effects] == ["prone"]  # awake, and down still


def test_invisibility_ends_with_an_attack() -> None:
    start = table("wizard")
    after, _ = act(start, "wizard", "cast", what="invisibility", targets=("wizard",))
    assert after.the("wizard").has("invisible")
    after = turn_of(act(after, "wizard", "end")[0], "wizard")
    after, happened = act(after, "wizard", "cast", what="fire-bolt", targets=("ogre",))
    assert "kh1" in of(happened, h.AttackRolled)[0].roll.formula
    assert not after.the("wizard").has("invisible")
    assert after.the("wizard").concentration == ""


def test_the_shield_spell_turns_a_hit_that_it_can_turn() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("wizard", 5, hp=99, max_hp=99), foe("ogre"), seed=seed, first="ogre")
        return act(start, "ogre", "attack", target="wizard")

    after, happened = seeded(one, lambda found: of(found[1], h.SpellCast))
    blow = of(happened, h.AttackRolled)[0]
    assert blow.roll.total < blow.ac == 16
    assert not blow.hit
    assert after.the("wizard").slots == (3, 3, 2)
    assert armour_class(after.the("wizard")) == 16
    after = turn_of(after, "wizard")
    assert armour_class(after.the("wizard")) == 11


def test_guiding_bolt_lights_the_target_for_one_attack() -> None:
    def one(seed: str) -> Any:
        start = table("cleric", foe("ogre", hp=300, max_hp=300))
        start = start.model_copy(update={"dice_seed": seed})
        return act(start, "cleric", "cast", what="guiding-bolt", targets=("ogre",))

    after, _ = seeded(one, lambda found: of(found[1], h.AttackRolled)[0].hit)
    after = turn_of(act(after, "cleric", "end")[0], "cleric")
    after, happened = act(after, "cleric", "attack", target="ogre", what="longbow")
    assert "kh1" in of(happened, h.AttackRolled)[0].roll.formula
    assert after.the("ogre").under("guiding-bolt") is None


@pytest.mark.parametrize(("klass", "spell", "die"), [("ranger", "hunters-mark", "1d6")])
def test_a_mark_adds_to_every_hit_on_the_marked_alone(
    klass: ClassKey, spell: str, die: str
) -> None:
    def one(seed: str) -> Any:
        foes = (foe("ogre", hp=300, max_hp=300, ac=1), foe("goblin", hp=99, max_hp=99, ac=1))
        start = fighting(hero(klass, 4), *foes, seed=seed, first=klass)
        start, _ = act(start, klass, "cast", what=spell, targets=("ogre",))
        start, first = act(start, klass, "attack", target="ogre")
        start = turn_of(act(start, klass, "end")[0], klass)
        return first, act(start, klass, "attack", target="goblin")[1]

    def both_hit(found: Any) -> bool:
        return all(
            of(happened, h.AttackRolled)[0].hit and not of(happened, h.AttackRolled)[0].critical
            for happened in found
        )

    first, second = seeded(one, both_hit)
    assert [o.roll.formula for o in of(first, h.DamageRolled) if o.why == spell] == [die]
    assert not [o for o in of(second, h.DamageRolled) if o.why == spell]


def test_a_spiritual_weapon_goes_on_as_a_bonus_action_without_a_slot() -> None:
    after, _ = cast("cleric", "spiritual-weapon", targets=("ogre",))
    slots = after.the("cleric").slots
    after = turn_of(act(after, "cleric", "end")[0], "cleric")
    after, happened = act(after, "cleric", "cast", what="spiritual-weapon", targets=("ogre",))
    assert after.the("cleric").slots == slots
    assert of(happened, h.ActionTaken)[0].cost == "bonus"


def test_spells_that_do_not_go_on_are_paid_for_each_time() -> None:
    after, _ = cast("cleric", "shield-of-faith", targets=("cleric",))
    after = turn_of(act(after, "cleric", "end")[0], "cleric")
    before = sum(after.the("cleric").slots)
    after, _ = act(after, "cleric", "cast", what="shield-of-faith", targets=("cleric",))
    assert sum(after.the("cleric").slots) == before - 1
    assert armour_class(after.the("cleric")) == 19


def test_thunderwave_pushes_who_fails() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("wizard", 5), foe("ogre"), seed=seed, first="wizard")
        return act(start, "wizard", "cast", what="thunderwave", targets=("ogre",))

    after, _ = seeded(one, lambda found: not of(found[1], h.SaveRolled)[0].success)
    assert after.the("ogre").position == 15


def test_misty_step_draws_no_opportunity_attack() -> None:
    start = fighting(hero("wizard", 5), foe("ogre"), first="wizard")
    after, happened = act(start, "wizard", "cast", what="misty-step")
    assert abs(after.the("wizard").position - 5) >= 30
    assert not of(happened, h.AttackRolled)


def test_aid_raises_the_maximum_and_rest_takes_it_back() -> None:
    from ruleplay.agents.party.domain.rules.rests import long_rest

    start = cast_of(hero("cleric", 5))
    top = start.the("cleric").max_hp
    after, _ = act(start, "cleric", "cast", what="aid", targets=("cleric",))
    assert (after.the("cleric").max_hp, after.the("cleric").hp) == (top + 5, top + 5)
    for happening in long_rest(after, BOOK):
        after = after.apply(happening)
    assert (after.the("cleric").max_hp, after.the("cleric").hp) == (top, top)


def test_revivify_and_restoration() -> None:
    dead = hero("fighter", dead=True, hp=0)
    start = cast_of(hero("cleric", 5), dead)
    after, _ = act(start, "cleric", "cast", what="revivify", targets=("fighter",))
    assert (after.the("fighter").dead, after.the("fighter").hp) == (False, 1)
    ill = hero("fighter", effects=(Effect(key="v", conditions=("poisoned",)),))
    start = cast_of(hero("cleric", 5), ill)
    after, _ = act(start, "cleric", "cast", what="lesser-restoration", targets=("fighter",))
    assert not after.the("fighter").effects


def test_dispelling_ends_what_is_weaker_at_once() -> None:
    start = table("wizard")
    bane = Effect(key="bane", source="ogre", left=10, of="ogre", concentration=True, slot=1)
    start = start.with_("wizard", effects=(bane,)).with_("ogre", concentration="bane")
    after, happened = act(start, "wizard", "cast", what="dispel-magic", targets=("wizard",))
    assert not after.the("wizard").effects
    assert after.the("ogre").concentration == ""
    assert not of(happened, h.Checked)


def test_rituals_take_no_slot_out_of_a_fight() -> None:
    start = cast_of(hero("wizard", 1))
    after, _ = act(start, "wizard", "cast", what="detect-magic")
    assert after.the("wizard").slots == (2,)


def test_harmful_spells_need_a_fight_and_spare_friends() -> None:
    calm = cast_of(hero("wizard", 5), hero("fighter"))
    assert refused(calm, "wizard", "cast", what="fire-bolt", targets=("fighter",)) == "no-fight"
    start = fighting(hero("wizard", 5), hero("fighter"), foe("ogre"), first="wizard")
    assert refused(start, "wizard", "cast", what="fireball", targets=("fighter",)) == "own-side"


def test_a_raging_barbarian_casts_nothing() -> None:
    start = fighting(hero("barbarian", spells=("light",)), foe("ogre"), first="barbarian")
    start, _ = act(start, "barbarian", "feature", what="rage")
    assert refused(start, "barbarian", "cast", what="light") == "raging"


def test_a_breath_weapon_recharges_on_its_faces() -> None:
    tough = hero("fighter", hp=900, max_hp=900)
    start = fighting(tough, foe("red-dragon-wyrmling"), first="red-dragon-wyrmling")
    dragon = "red-dragon-wyrmling"
    after, happened = act(start, dragon, "power", what="fire-breath", targets=("fighter",))
    assert of(happened, h.SaveRolled)[0].dc == 13
    assert refused(after, dragon, "power", what="fire-breath", targets=("fighter",)) in (
        "feature-spent",
        "no-action",
    )
    rolled: list[h.PowerRecharged] = []
    for _ in range(20):
        after, one = act(after, dragon, "end")
        rolled += of(one, h.PowerRecharged)
        after, two = act(turn_of(after, "fighter"), "fighter", "end")
        rolled += of(two, h.PowerRecharged)
        after = turn_of(after, dragon)
        if after.the(dragon).feature("fire-breath").left:  # type: ignore[union-attr]
            break
    assert all(one.success == (one.roll.total >= 5) for one in rolled)
    assert rolled[-1].success
