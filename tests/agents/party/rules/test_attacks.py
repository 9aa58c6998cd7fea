"""Attacks: rolls against armour class, advantage, criticals, damage types, how many attacks."""

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
from ruleplay.agents.party.domain.creature import Boon, Carried, Creature, Effect
from ruleplay.agents.party.domain.dice import terms
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.conditions import armour_class, attack_edges, factor_for
from ruleplay.agents.party.domain.rules.harm import Hurt, deal
from ruleplay.agents.party.domain.terms import Condition


def under(one: Creature, *conditions: Condition, **boon: Any) -> Creature:
    effect = Effect(key="test", conditions=conditions, boon=Boon(**boon) if boon else None)
    return one.model_copy(update={"effects": (*one.effects, effect)})


def edges(one: Creature, other: Creature, feet: int = 5, ranged: bool = False) -> tuple[bool, bool]:
    """Return whether an attack has advantage, and whether disadvantage."""
    one = one.model_copy(update={"position": 0})
    other = other.model_copy(update={"position": feet})
    attack = one.attack("longbow" if ranged else one.weapon)
    assert attack is not None
    gains, losses = attack_edges(cast_of(one, other), one, other, attack, feet)
    return bool(gains), bool(losses)


@pytest.mark.parametrize(
    ("conditions", "gain", "loss"),
    [
        ((), False, False),
        (("blinded",), False, True),
        (("poisoned",), False, True),
        (("prone",), False, True),
        (("restrained",), False, True),
        (("frightened",), False, True),
        (("invisible",), True, False),
        (("charmed",), False, False),
        (("deafened",), False, False),
        (("grappled",), False, False),
        (("invisible", "poisoned"), True, True),
    ],
)
def test_what_conditions_of_the_attacker_do(
    conditions: tuple[Condition, ...], gain: bool, loss: bool
) -> None:
    assert edges(under(hero("fighter"), *conditions), foe("ogre")) == (gain, loss)


@pytest.mark.parametrize(
    ("conditions", "feet", "gain", "loss"),
    [
        (("blinded",), 5, True, False),
        (("paralyzed",), 5, True, False),
        (("petrified",), 5, True, False),
        (("restrained",), 5, True, False),
        (("stunned",), 5, True, False),
        (("unconscious",), 5, True, False),
        (("invisible",), 5, False, True),
        (("prone",), 5, True, False),
        (("prone",), 10, False, True),
        (("grappled",), 5, False, False),
        (("incapacitated",), 5, False, False),
        (("charmed",), 5, False, False),
    ],
)
def test_what_conditions_of_the_target_do(
    conditions: tuple[Condition, ...], feet: int, gain: bool, loss: bool
) -> None:
    found = edges(hero("fighter"), under(foe("ogre"), *conditions), feet, ranged=feet > 5)
    assert found == (gain, loss)


@pytest.mark.parametrize(("level", "loss"), [(1, False), (2, False), (3, True), (5, True)])
def test_exhaustion_hampers_attacks_from_the_third_level(level: int, loss: bool) -> None:
    tired = Effect(key="exhaustion", conditions=("exhaustion",), level=level)
    assert edges(hero("fighter", effects=(tired,)), foe("ogre")) == (False, loss)


def test_dodging_hampers_attackers_unless_incapacitated() -> None:
    dodging = under(foe("ogre"), dis_against=True)
    assert edges(hero("fighter"), dodging) == (False, True)
    assert edges(hero("fighter"), under(dodging, "incapacitated")) == (False, False)


@pytest.mark.parametrize(("feet", "loss"), [(5, False), (150, False), (155, True), (600, True)])
def test_long_range_hampers(feet: int, loss: bool) -> None:
    assert edges(hero("fighter"), foe("ogre"), feet, ranged=True) == (False, loss)


def test_shooting_with_a_foe_at_hand_is_hampered() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), foe("goblin"), goblin=60)
    fighter, goblin = cast.the("fighter"), cast.the("goblin")
    bow = fighter.attack("longbow")
    assert bow is not None
    assert attack_edges(cast, fighter, goblin, bow, 60)[1] == ["foe-at-hand"]
    asleep = cast.with_(
        "ogre", effects=(Effect(key="x", conditions=("unconscious", "incapacitated")),)
    )
    assert attack_edges(asleep, fighter, goblin, bow, 60)[1] == []


def test_pack_tactics_need_an_ally_who_can_act_at_the_target() -> None:
    wolf, other = foe("wolf"), foe("wolf", "wolf2", position=5)
    target = hero("fighter")
    bite = wolf.attack("bite")
    assert bite is not None
    beside = cast_of(wolf, other, target)
    assert attack_edges(beside, wolf, target, bite, 5)[0] == ["pack-tactics"]
    away = cast_of(wolf, other.model_copy(update={"position": 30}), target)
    assert attack_edges(away, wolf, target, bite, 5)[0] == []
    stunned = cast_of(wolf, under(other, "stunned", "incapacitated"), target)
    assert attack_edges(stunned, wolf, target, bite, 5)[0] == []


def test_small_hands_swing_heavy_weapons_badly() -> None:
    small = hero("barbarian", size="small")
    assert edges(small, foe("ogre"))[1]
    assert not edges(hero("barbarian"), foe("ogre"))[1]


def _struck(face: int, **changes: Any) -> tuple[Cast, tuple[h.Happening, ...], h.AttackRolled]:
    """Return a fighter's attack whose d20 shows a face."""

    def one(seed: str) -> tuple[Cast, tuple[h.Happening, ...]]:
        start = fighting(hero("fighter"), foe("ogre", **changes), seed=seed, first="fighter")
        return act(start, "fighter", "attack", target="ogre")

    cast, happened = seeded(one, lambda f: of(f[1], h.AttackRolled)[0].roll.natural == face, 2000)
    return cast, happened, of(happened, h.AttackRolled)[0]


def test_a_natural_twenty_hits_whatever_the_armour_and_doubles_the_dice() -> None:
    _, happened, blow = _struck(20, ac=40)
    assert (blow.hit, blow.critical) == (True, True)
    damage = of(happened, h.DamageRolled)[0]
    assert damage.critical
    assert damage.roll.formula == "2d8+3"


def test_a_natural_one_misses_whatever_the_armour() -> None:
    _, happened, blow = _struck(1, ac=5)
    assert (blow.hit, blow.critical) == (False, False)
    assert not of(happened, h.DamageRolled)
    assert not of(happened, h.HitPointsChanged)


@pytest.mark.parametrize(("ac", "hit"), [(15, True), (16, False)])
def test_a_hit_needs_the_armour_class(ac: int, hit: bool) -> None:
    assert _struck(10, ac=ac)[2].hit is hit  # 10 and +5


def test_a_champion_hits_critically_with_a_nineteen() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("fighter", 3), foe("ogre", ac=30), seed=seed, first="fighter")
        return of(act(start, "fighter", "attack", target="ogre")[1], h.AttackRolled)[0]

    assert seeded(one, lambda blow: blow.roll.natural == 19, 2000).critical


@pytest.mark.parametrize("condition", ["paralyzed", "unconscious"])
def test_a_hit_from_nearby_on_the_helpless_is_critical(condition: Condition) -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("fighter"), foe("ogre"), seed=seed, first="fighter")
        held = Effect(key="x", conditions=(condition, "incapacitated"))
        start = start.with_("ogre", effects=(held,))
        return of(act(start, "fighter", "attack", target="ogre")[1], h.AttackRolled)[0]

    assert seeded(one, lambda blow: blow.hit and blow.roll.natural < 20).critical


@pytest.mark.parametrize(
    ("changes", "damage", "magical", "factor"),
    [
        ({}, "fire", False, 2),
        ({"resist": ("fire",)}, "fire", True, 1),
        ({"vulnerable": ("fire",)}, "fire", True, 4),
        ({"immune": ("fire",)}, "fire", True, 0),
        ({"immune": ("fire",), "vulnerable": ("fire",)}, "fire", True, 0),
        ({"resist": ("fire",), "vulnerable": ("fire",)}, "fire", True, 2),
        ({"resist": ("nonmagical",)}, "slashing", False, 1),
        ({"resist": ("nonmagical",)}, "slashing", True, 2),
        ({"resist": ("nonmagical",)}, "fire", False, 2),
        ({"immune": ("nonmagical",)}, "piercing", False, 0),
    ],
)
def test_resistance_halves_vulnerability_doubles_immunity_ends(
    changes: dict[str, Any], damage: str, magical: bool, factor: int
) -> None:
    assert factor_for(foe("ogre", **changes), damage, magical=magical) == factor


def test_the_petrified_resist_everything_and_take_no_poison() -> None:
    stone = under(foe("ogre"), "petrified")
    assert factor_for(stone, "force", magical=True) == 1
    assert factor_for(stone, "poison", magical=True) == 0


@pytest.mark.parametrize(
    ("raw", "changes", "lost"),
    [
        (10, {}, 10),
        (7, {"resist": ("fire",)}, 3),
        (7, {"vulnerable": ("fire",)}, 14),
        (7, {"immune": ("fire",)}, 0),
        (1, {"resist": ("fire",)}, 0),
    ],
)
def test_damage_counts_by_type_and_rounds_down(
    raw: int, changes: dict[str, Any], lost: int
) -> None:
    play = Play(cast_of(foe("ogre", **changes)), BOOK)
    deal(play, "ogre", [Hurt(raw, "fire")])
    assert play.the("ogre").hp == 59 - lost


def test_a_save_halves_before_resistance_does() -> None:
    play = Play(cast_of(foe("ogre", resist=("fire",))), BOOK)
    deal(play, "ogre", [Hurt(15, "fire", halved=True)])
    assert play.the("ogre").hp == 59 - 3  # 15 -> 7 -> 3


def test_temporary_hit_points_go_first_and_do_not_add_up() -> None:
    play = Play(cast_of(hero("fighter", temp=5)), BOOK)
    deal(play, "fighter", [Hurt(8, "fire")])
    one = play.the("fighter")
    assert (one.temp, one.hp) == (0, one.max_hp - 3)
    change = of(tuple(play.happened), h.HitPointsChanged)[0]
    assert (change.absorbed, change.amount) == (5, -3)


@pytest.mark.parametrize(
    ("changes", "boon", "ac"),
    [
        ({}, {}, 18),  # chain mail and shield
        ({}, {"ac": 5}, 23),
        ({"armour": "", "shield": ""}, {"base_ac": 13}, 14),
        ({"armour": "", "shield": ""}, {"least_ac": 16}, 16),
        ({"armour": "", "shield": "shield"}, {"base_ac": 13}, 16),
    ],
)
def test_armour_class_with_armour_shield_and_spells(
    changes: dict[str, Any], boon: dict[str, Any], ac: int
) -> None:
    from ruleplay.agents.party.domain.rules.outfit import outfitted

    one = outfitted(hero("fighter").model_copy(update=changes), BOOK)
    assert armour_class(under(one, **boon)) == ac


@pytest.mark.parametrize(
    ("klass", "ac"),
    [("barbarian", 14), ("monk", 16), ("cleric", 17), ("sorcerer", 14), ("wizard", 11)],
)
def test_armour_class_by_class(klass: Any, ac: int) -> None:
    assert hero(klass).ac == ac


def test_one_attack_an_action_and_two_with_extra_attack() -> None:
    cast = fighting(hero("fighter", 1), foe("ogre", hp=500, max_hp=500), first="fighter")
    cast, _ = act(cast, "fighter", "attack", target="ogre")
    assert refused(cast, "fighter", "attack", target="ogre") == "no-action"
    cast = fighting(hero("fighter", 5), foe("ogre", hp=500, max_hp=500), first="fighter")
    for _ in range(2):
        cast, _ = act(cast, "fighter", "attack", target="ogre")
    assert refused(cast, "fighter", "attack", target="ogre") == "no-action"
    cast, _ = act(cast, "fighter", "feature", what="action-surge")
    for _ in range(2):
        cast, _ = act(cast, "fighter", "attack", target="ogre")
    assert refused(cast, "fighter", "attack", target="ogre") == "no-action"
    assert refused(cast, "fighter", "feature", what="action-surge") == "feature-spent"


def test_a_multiattack_holds_the_attacks_it_names() -> None:
    tough = hero("fighter", hp=500, max_hp=500)
    cast = fighting(tough, foe("owlbear"), first="owlbear")
    cast, _ = act(cast, "owlbear", "attack", target="fighter", what="beak")
    assert refused(cast, "owlbear", "attack", target="fighter", what="beak") == "not-in-multiattack"
    cast, _ = act(cast, "owlbear", "attack", target="fighter", what="claws")
    assert refused(cast, "owlbear", "attack", target="fighter") == "no-action"


def test_an_attack_left_open_takes_what_the_multiattack_still_has() -> None:
    cast = fighting(hero("fighter", hp=500, max_hp=500), foe("owlbear"), first="owlbear")
    used = []
    for _ in range(2):
        cast, happened = act(cast, "owlbear", "attack", target="fighter")
        used.append(of(happened, h.AttackRolled)[0].what)
    assert sorted(used) == ["beak", "claws"]


def test_two_weapon_fighting_is_a_bonus_action_without_the_ability_bonus() -> None:
    cast = fighting(hero("ranger"), foe("ogre", ac=5, hp=500, max_hp=500), first="ranger")
    assert refused(cast, "ranger", "offhand", target="ogre") == "attack-first"
    cast, _ = act(cast, "ranger", "attack", target="ogre")

    cast, happened = act(cast, "ranger", "offhand", target="ogre")
    for blow, damage in zip(
        of(happened, h.AttackRolled), of(happened, h.DamageRolled), strict=False
    ):
        assert damage.roll.formula == ("2d6" if blow.critical else "1d6")
    assert refused(cast, "ranger", "offhand", target="ogre") == "no-bonus-action"


def test_a_shield_arm_has_no_second_weapon() -> None:
    cast = fighting(hero("fighter"), foe("ogre", hp=500, max_hp=500), first="fighter")
    cast, _ = act(cast, "fighter", "attack", target="ogre")
    assert refused(cast, "fighter", "offhand", target="ogre") == "no-offhand"


def test_a_versatile_weapon_takes_both_hands_when_one_is_free() -> None:
    bare = hero("fighter", shield="")
    cast = fighting(bare, foe("ogre", ac=1, hp=500, max_hp=500), first="fighter")
    found = seeded(
        lambda seed: act(
            cast.model_copy(update={"dice_seed": seed}), "fighter", "attack", target="ogre"
        )[1],
        lambda happened: any(
            not blow.critical and blow.hit for blow in of(happened, h.AttackRolled)
        ),
    )
    assert of(found, h.DamageRolled)[0].roll.formula == "1d10+3"


def test_missiles_are_spent_and_half_are_found_again() -> None:
    archer = hero("fighter", hp=500, max_hp=500)
    cast = fighting(archer, foe("commoner", hp=1), first="fighter", commoner=60)
    shots = 0
    while cast.fight is not None:
        cast = turn_of(cast, "fighter")
        cast, happened = act(cast, "fighter", "attack", target="commoner", what="longbow")
        shots += len([one for one in of(happened, h.ItemLost) if one.why == "shot"])
    assert cast.the("fighter").count("arrow") == 20 - shots + shots // 2


def test_an_empty_quiver_shoots_nothing() -> None:
    archer = hero("fighter", inventory=(Carried(item="longbow"),))
    cast = fighting(archer, foe("ogre"), first="fighter", ogre=60)
    assert refused(cast, "fighter", "attack", target="ogre", what="longbow") == "no-ammunition"


def test_a_thrown_weapon_leaves_the_hand_and_is_picked_up_after_the_fight() -> None:
    cast = fighting(hero("fighter"), foe("commoner", hp=1), first="fighter", commoner=25)
    thrown = 0
    while cast.fight is not None:
        cast = turn_of(cast, "fighter")
        if not cast.the("fighter").count("javelin"):
            cast, _ = act(cast, "fighter", "move", target="commoner")
            cast, _ = act(cast, "fighter", "attack", target="commoner", what="longsword")
            continue
        cast, happened = act(cast, "fighter", "attack", target="commoner", what="javelin")
        thrown += len([one for one in of(happened, h.ItemLost) if one.why == "thrown"])
    assert thrown
    assert cast.the("fighter").count("javelin") == 1


def test_sneak_attack_once_a_turn_with_advantage_or_an_ally_at_the_target() -> None:
    def struck(ally: bool, seed: str) -> tuple[h.Happening, ...]:
        team = [hero("rogue", 3), hero("fighter")] if ally else [hero("rogue", 3)]
        cast = fighting(*team, foe("ogre", ac=1), seed=seed, first="rogue")
        return act(cast, "rogue", "attack", target="ogre")[1]

    def hit(happened: tuple[h.Happening, ...]) -> bool:
        blow = of(happened, h.AttackRolled)[0]
        return blow.hit and not blow.critical

    with_ally = seeded(lambda seed: struck(True, seed), hit)
    assert [one.roll.formula for one in of(with_ally, h.DamageRolled) if one.why] == ["2d6"]
    alone = seeded(lambda seed: struck(False, seed), hit)
    assert not [one for one in of(alone, h.DamageRolled) if one.why == "sneak-attack"]


def test_a_second_hit_in_the_turn_sneaks_no_more() -> None:
    rogue = hero("rogue", 3, offhand="dagger", weapon="dagger")
    rogue = rogue.model_copy(update={"inventory": (Carried(item="dagger", count=2),)})

    def both(seed: str) -> list[h.DamageRolled]:
        cast = fighting(rogue, hero("fighter"), foe("ogre", ac=1), seed=seed, first="rogue")
        cast, first = act(cast, "rogue", "attack", target="ogre")
        _, second = act(cast, "rogue", "offhand", target="ogre")
        hits = [one.hit for one in of((*first, *second), h.AttackRolled)]
        return of((*first, *second), h.DamageRolled) if all(hits) else []

    rolled = seeded(both, bool)
    assert len([one for one in rolled if one.why == "sneak-attack"]) == 1


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("", "no-target"),
        ("nobody", "no-such-target"),
        ("cleric", "own-side"),
        ("corpse", "already-dead"),
        ("far", "out-of-reach"),
    ],
)
def test_who_cannot_be_attacked(target: str, reason: str) -> None:
    cast = fighting(
        hero("fighter"),
        hero("cleric"),
        foe("ogre"),
        foe("goblin", "corpse"),
        foe("goblin", "far"),
        first="fighter",
        far=700,
    )
    cast = cast.with_("corpse", dead=True, hp=0)
    assert refused(cast, "fighter", "attack", target=target, what="longsword") == reason


def test_the_charmed_do_not_attack_their_charmer() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter")
    charm = Effect(key="charm", source="ogre", conditions=("charmed",))
    cast = cast.with_("fighter", effects=(charm,))
    assert refused(cast, "fighter", "attack", target="ogre") == "charmed"


def test_rage_adds_to_strong_blows_and_halves_weapons() -> None:
    cast = fighting(hero("barbarian"), foe("ogre", ac=1), first="barbarian")
    cast, _ = act(cast, "barbarian", "feature", what="rage")
    raging = cast.the("barbarian")
    assert [factor_for(raging, kind, magical=True) for kind in ("slashing", "fire")] == [1, 2]
    found = seeded(
        lambda seed: act(
            cast.model_copy(update={"dice_seed": seed}), "barbarian", "attack", target="ogre"
        )[1],
        lambda happened: of(happened, h.AttackRolled)[0].hit,
    )
    assert [one.roll.total for one in of(found, h.DamageRolled) if one.why == "rage"] == [2]
    assert raging.feature("rage").left == 1  # type: ignore[union-attr]


def test_a_half_orcs_critical_hit_rolls_one_more_die() -> None:
    def one(seed: str) -> Any:
        fierce = hero("barbarian", traits=("savage-attacks",))
        start = fighting(fierce, foe("ogre", ac=30), seed=seed, first="barbarian")
        return act(start, "barbarian", "attack", target="ogre")[1]

    found = seeded(one, lambda happened: of(happened, h.AttackRolled)[0].critical, 2000)
    dice = [t.count for r in of(found, h.DamageRolled) for t in terms(r.roll.formula) if t.count]
    assert dice == [2, 1]


def test_parry_and_uncanny_dodge_spend_the_reaction() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("fighter"), foe("bandit-captain"), seed=seed, first="fighter")
        return act(start, "fighter", "attack", target="bandit-captain")[1]

    happened = seeded(one, lambda found: any(t.what == "parry" for t in of(found, h.ActionTaken)))
    blow = of(happened, h.AttackRolled)[0]
    assert (blow.ac, blow.hit) == (17, False)

    def two(seed: str) -> Any:
        start = fighting(hero("rogue", 5), foe("ogre"), seed=seed, first="ogre")
        return act(start, "ogre", "attack", target="rogue")[1]

    found = seeded(two, lambda happened: of(happened, h.AttackRolled)[0].hit)
    rolled = of(found, h.DamageRolled)[0].roll.total
    change = of(found, h.HitPointsChanged)[0]
    assert (change.raw, change.raw - change.reduced) == (rolled, rolled // 2)


def test_a_charge_needs_its_run() -> None:
    tough = hero("fighter", hp=200, max_hp=200)

    def near(seed: str) -> Any:
        start = fighting(tough, foe("boar"), seed=seed, first="boar")
        return act(start, "boar", "attack", target="fighter")[1]

    def far(seed: str) -> Any:
        start = fighting(tough, foe("boar"), seed=seed, first="boar", boar=30)
        start, _ = act(start, "boar", "move", target="fighter")
        return act(start, "boar", "attack", target="fighter")[1]

    def hit(happened: tuple[h.Happening, ...]) -> bool:
        return of(happened, h.AttackRolled)[0].hit

    assert len(of(seeded(near, hit), h.DamageRolled)) == 1
    charged = seeded(far, hit)
    assert len(of(charged, h.DamageRolled)) == 2
    assert of(charged, h.SaveRolled)[0].dc == 11


def test_life_drain_lowers_the_maximum_until_a_long_rest() -> None:
    from ruleplay.agents.party.domain.rules.rests import long_rest

    def one(seed: str) -> Any:
        start = fighting(hero("fighter", 5), foe("specter"), seed=seed, first="specter")
        return act(start, "specter", "attack", target="fighter")

    def drained(found: Any) -> bool:
        return any(not save.success for save in of(found[1], h.SaveRolled))

    cast, happened = seeded(one, drained)
    lost = -of(happened, h.HitPointsChanged)[0].amount
    top = hero("fighter", 5).max_hp
    assert cast.the("fighter").max_hp == top - lost
    rested = cast.model_copy(update={"fight": None})
    for happening in long_rest(rested, BOOK):
        rested = rested.apply(happening)
    assert (rested.the("fighter").max_hp, rested.the("fighter").hp) == (top, top)
