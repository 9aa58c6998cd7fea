"""Turns and what they hold: initiative, budgets, movement, reactions, the common actions."""

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
from ruleplay.agents.party.domain.creature import Effect
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rules.acts import resolve
from ruleplay.agents.party.domain.rules.conditions import pace
from ruleplay.agents.party.domain.rules.harm import Hurt, deal
from ruleplay.agents.party.domain.rules.turns import begin_fight, outcome


def budget(cast: Cast) -> Any:
    assert cast.fight is not None
    return cast.fight.budget


def test_initiative_is_a_dexterity_check_and_one_roll_serves_foes_of_a_kind() -> None:
    cast = fighting(hero("fighter"), foe("goblin", "g1"), foe("goblin", "g2"), foe("ogre"))
    fight = cast.fight
    assert fight is not None
    assert fight.initiative_of("g1") == fight.initiative_of("g2")
    assert list(fight.initiative) == sorted(fight.initiative, reverse=True)
    assert set(fight.order) == {"fighter", "g1", "g2", "ogre"}


def test_ties_go_by_dexterity_then_to_the_party_then_by_id() -> None:
    def tied(seed: str) -> Any:
        one, two = hero("fighter", ident="b"), hero("fighter", ident="a")
        return fighting(one, two, foe("commoner", "c"), seed=seed).fight

    fight = seeded(tied, lambda fight: len(set(fight.initiative)) == 1, 4000)
    assert fight.order == ("a", "b", "c")  # dexterity 12, 12, 10


def test_a_fight_needs_two_sides_and_only_one_at_a_time() -> None:
    alone = cast_of(hero("fighter"), hero("cleric"))
    with pytest.raises(Impossible, match="nobody-to-fight"):
        begin_fight(alone, BOOK, "x", {"fighter": 0, "cleric": 0})
    cast = fighting(hero("fighter"), foe("ogre"))
    with pytest.raises(Impossible, match="already-fighting"):
        begin_fight(cast, BOOK, "x", {"fighter": 0, "ogre": 0})


def test_the_surprised_lose_their_first_turn_and_react_to_nothing_in_it() -> None:
    ogre, fighter = foe("ogre"), hero("fighter")
    happened = begin_fight(
        cast_of(fighter, ogre), BOOK, "x", {"fighter": 0, "ogre": 5}, surprised=("ogre",)
    )
    cast = cast_of(fighter, ogre)
    for one in happened:
        cast = cast.apply(one)
    cast = turn_of(cast, "fighter")
    cast, walked = act(cast, "fighter", "move", to=-25)
    fight = cast.fight
    assert fight is not None
    lost = [one for one in of(happened, h.TurnBegan) if one.lost == "surprised"]
    if "ogre" in fight.surprised:  # it has not had its turn yet: no opportunity attack
        assert not of(walked, h.AttackRolled)
    else:
        assert lost


def test_a_turn_has_one_action_one_bonus_action_and_the_speed_in_feet() -> None:
    cast = fighting(hero("rogue", 2), foe("ogre"), first="rogue", ogre=60)
    assert (budget(cast).action, budget(cast).bonus, budget(cast).movement) == (True, True, 30)
    cast, _ = act(cast, "rogue", "dodge")
    assert refused(cast, "rogue", "dash") == "no-action"
    cast, _ = act(cast, "rogue", "feature", what="cunning-dash")
    assert budget(cast).movement == 60
    assert refused(cast, "rogue", "feature", what="cunning-disengage") == "no-bonus-action"
    cast, _ = act(cast, "rogue", "move", to=20)
    assert budget(cast).movement == 40
    assert refused(cast, "rogue", "move", to=61) == "too-far"
    cast, _ = act(cast, "rogue", "move", to=50)
    cast, _ = act(cast, "rogue", "move", to=40)
    assert budget(cast).movement == 0
    assert refused(cast, "rogue", "move", target="ogre") == "no-movement"


def test_only_the_one_to_move_acts() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter")
    assert refused(cast, "ogre", "attack", target="fighter") == "not-your-turn"
    assert refused(cast, "nobody", "end") == "nobody"
    gone = cast.with_("fighter", gone=True)
    assert refused(gone, "fighter", "end") == "out-of-play"


def test_a_refused_intent_changes_nothing() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter", ogre=200)
    before = cast.model_dump()
    assert isinstance(resolve(cast, "fighter", Intent(act="attack", target="ogre"), BOOK), tuple)
    found = resolve(cast, "fighter", Intent(act="attack", target="ogre", what="longsword"), BOOK)
    assert isinstance(found, Refusal)
    assert cast.model_dump() == before


def test_walking_towards_somebody_stops_in_reach_or_where_the_feet_end() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter", ogre=20)
    assert act(cast, "fighter", "move", target="ogre")[0].the("fighter").position == 15
    far = fighting(hero("fighter"), foe("ogre"), first="fighter", ogre=90)
    assert act(far, "fighter", "move", target="ogre")[0].the("fighter").position == 30
    assert act(far, "fighter", "move", target="ogre", distance=70)[0].the("fighter").position == 20


def _leaving(name: str = "", **first: Any) -> tuple[Cast, tuple[h.Happening, ...]]:
    cast = fighting(hero("fighter", hp=300, max_hp=300), foe("ogre"), first="fighter")
    if name:
        cast, _ = act(cast, "fighter", name, **first)
    return act(cast, "fighter", "move", to=-25)


def test_leaving_reach_draws_one_opportunity_attack_a_round() -> None:
    cast, happened = _leaving()
    assert cast.fight is not None
    struck = [one for one in of(happened, h.ActionTaken) if one.cost == "reaction"]
    assert [(one.who, one.act) for one in struck] == [("ogre", "opportunity")]
    cast, _ = act(cast, "fighter", "move", to=-20)
    assert "ogre" in cast.fight.reacted  # type: ignore[union-attr]
    back, again = act(cast, "fighter", "end")
    assert back.fight is not None
    assert not of(again, h.AttackRolled)
    assert "ogre" not in back.fight.reacted  # its turn began: the reaction is back


def test_disengaging_draws_none() -> None:
    assert not of(_leaving("disengage")[1], h.AttackRolled)


def test_staying_in_reach_draws_none() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter")
    assert not of(act(cast, "fighter", "move", to=10)[1], h.AttackRolled)  # past it, 5 feet away


def test_passing_through_reach_draws_one_at_its_edge() -> None:
    runner = hero("fighter", hp=300, max_hp=300)
    cast = fighting(runner, foe("ogre"), first="fighter", fighter=-10, ogre=0)
    cast, happened = act(cast, "fighter", "move", to=20)
    steps = [(one.origin, one.position) for one in of(happened, h.Moved)]
    assert steps == [(-10, 5), (5, 20)]
    assert len(of(happened, h.AttackRolled)) == 1


def test_whoever_falls_to_an_opportunity_attack_goes_no_farther() -> None:
    def one(seed: str) -> Any:
        frail = hero("wizard", hp=1)
        start = fighting(frail, hero("fighter"), foe("ogre"), seed=seed, first="wizard")
        return act(start, "wizard", "move", to=-25)

    cast, _ = seeded(one, lambda found: of(found[1], h.Fell))
    assert cast.the("wizard").position == 0
    assert cast.fight is not None
    assert cast.fight.actor != "wizard"


@pytest.mark.parametrize("condition", ["incapacitated", "stunned", "blinded"])
def test_who_cannot_see_or_act_takes_no_opportunity(condition: Any) -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter")
    cast = cast.with_("ogre", effects=(Effect(key="x", conditions=(condition, "incapacitated")),))
    if condition == "blinded":
        cast = cast.with_("ogre", effects=(Effect(key="x", conditions=("blinded",)),))
    assert not of(act(cast, "fighter", "move", to=-25)[1], h.AttackRolled)


def test_a_readied_attack_waits_for_a_foe_to_come_near() -> None:
    cast = fighting(hero("fighter"), foe("ogre", hp=500, max_hp=500), first="fighter", ogre=40)
    cast, _ = act(cast, "fighter", "ready", what="longsword")
    cast = turn_of(cast, "ogre")
    cast, happened = act(cast, "ogre", "move", target="fighter")
    taken = [one for one in of(happened, h.ActionTaken) if one.who == "fighter"]
    assert [(one.act, one.cost, one.what) for one in taken] == [
        ("readied", "reaction", "longsword")
    ]
    assert cast.fight is not None
    assert not cast.fight.readied


def test_a_readied_attack_is_lost_with_the_next_turn() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter", ogre=200)
    cast, _ = act(cast, "fighter", "ready")
    cast, _ = act(cast, "fighter", "end")
    cast = turn_of(cast, "fighter")
    assert cast.fight is not None
    assert not cast.fight.readied


def test_helping_gives_one_roll_advantage() -> None:
    cast = fighting(hero("fighter"), hero("rogue"), foe("ogre"), first="fighter")
    cast, _ = act(cast, "fighter", "help", target="rogue")
    while cast.fight and cast.fight.actor != "rogue":
        cast, _ = act(cast, cast.fight.actor, "end")
        if cast.fight and cast.fight.actor == "fighter":
            pytest.skip("the rogue moves before the fighter with this seed")
    cast, happened = act(cast, "rogue", "attack", target="ogre")
    assert "kh1" in of(happened, h.AttackRolled)[0].roll.formula
    assert cast.the("rogue").under("helped") is None


def test_help_needs_somebody_near() -> None:
    cast = fighting(hero("fighter"), hero("rogue"), foe("ogre"), first="fighter", rogue=60, ogre=90)
    assert refused(cast, "fighter", "help", target="rogue") == "out-of-reach"
    assert refused(cast, "fighter", "help", target="fighter") == "not-oneself"


def test_hiding_beats_the_best_passive_perception() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("rogue"), foe("goblin"), seed=seed, first="rogue", goblin=60)
        return act(start, "rogue", "hide")

    cast, happened = seeded(one, lambda found: of(found[1], h.Hidden))
    check = of(happened, h.Checked)[0]
    assert (check.what, check.dc) == ("stealth", 9)
    cast = turn_of(act(cast, "rogue", "end")[0], "rogue")
    cast, struck = act(cast, "rogue", "attack", target="goblin", what="longbow")
    assert "kh1" in of(struck, h.AttackRolled)[0].roll.formula
    assert cast.get("rogue").under("hidden") is None  # type: ignore[union-attr]


def test_nobody_hides_at_arms_length() -> None:
    cast = fighting(hero("rogue"), foe("goblin"), first="rogue")
    assert refused(cast, "rogue", "hide") == "foe-at-hand"


def test_dodging_lasts_to_the_next_turn() -> None:
    cast = fighting(hero("fighter", hp=99, max_hp=99), foe("ogre"), first="fighter")
    cast, _ = act(cast, "fighter", "dodge")
    cast = turn_of(cast, "ogre")
    cast, happened = act(cast, "ogre", "attack", target="fighter")
    assert "kl1" in of(happened, h.AttackRolled)[0].roll.formula
    cast = turn_of(cast, "fighter")
    assert cast.the("fighter").under("dodging") is None


def _contest(name: str, wins: bool, **fields: Any) -> tuple[Cast, tuple[h.Happening, ...]]:
    def one(seed: str) -> Any:
        start = fighting(hero("fighter"), foe("goblin"), seed=seed, first="fighter")
        return act(start, "fighter", name, target="goblin", **fields)

    return seeded(one, lambda found: of(found[1], h.Contested)[0].success is wins)


def test_a_grapple_holds_until_escaped() -> None:
    cast, happened = _contest("grapple", wins=True)
    contest = of(happened, h.Contested)[0]
    assert (contest.what, contest.other_what) == ("athletics", "acrobatics")
    assert contest.rolls[0].total > contest.rolls[1].total
    assert pace(cast.the("goblin")) == 0
    cast = turn_of(cast, "goblin")
    assert refused(cast, "goblin", "move", to=30) in ("cannot-move", "too-far")
    tries = 0
    while cast.the("goblin").under("grappled") and tries < 30:
        tries += 1
        cast, _ = act(cast, "goblin", "escape")
        if cast.the("goblin").has("grappled"):
            cast = turn_of(act(cast, "goblin", "end")[0], "goblin")
    assert not cast.the("goblin").has("grappled")


def test_a_grapple_ends_with_the_grappler() -> None:
    cast, _ = _contest("grapple", wins=True)
    play = Play(cast, BOOK)
    deal(play, "fighter", [Hurt(13, "fire")])
    assert play.the("fighter").dying
    assert not play.the("goblin").has("grappled")


def test_a_lost_contest_changes_nothing() -> None:
    cast, _ = _contest("grapple", wins=False)
    assert not cast.the("goblin").effects


def test_a_shove_knocks_over_or_pushes_five_feet() -> None:
    assert _contest("shove", wins=True)[0].the("goblin").has("prone")
    assert _contest("shove", wins=True, what="away")[0].the("goblin").position == 10


def test_the_huge_are_not_wrestled_by_the_medium() -> None:
    cast = fighting(hero("fighter"), foe("hill-giant"), first="fighter")
    assert refused(cast, "fighter", "grapple", target="hill-giant") == "too-large"


def test_standing_up_costs_half_the_speed_and_crawling_double() -> None:
    prone = Effect(key="prone", conditions=("prone",))
    cast = fighting(hero("fighter", effects=(prone,)), foe("ogre"), first="fighter", ogre=100)
    crawled, _ = act(cast, "fighter", "move", to=10)
    assert budget(crawled).movement == 10
    assert refused(crawled, "fighter", "stand") == "no-movement"
    stood, _ = act(cast, "fighter", "stand")
    assert budget(stood).movement == 15
    assert not stood.the("fighter").has("prone")
    assert refused(stood, "fighter", "stand") == "already-so"


def test_the_frightened_go_no_nearer() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter", ogre=60)
    afraid = Effect(key="fear", source="ogre", conditions=("frightened",))
    cast = cast.with_("fighter", effects=(afraid,))
    assert refused(cast, "fighter", "move", target="ogre") == "frightened"
    assert act(cast, "fighter", "move", to=-30)[0].the("fighter").position == -30


@pytest.mark.parametrize(
    ("conditions", "level", "feet"),
    [
        ((), 0, 30),
        (("grappled",), 0, 0),
        (("restrained",), 0, 0),
        (("paralyzed",), 0, 0),
        (("prone",), 0, 30),
        ((), 1, 30),
        ((), 2, 15),
        ((), 4, 15),
        ((), 5, 0),
    ],
)
def test_speed_under_conditions(conditions: Any, level: int, feet: int) -> None:
    effects = [Effect(key="x", conditions=conditions)]
    if level:
        effects.append(Effect(key="exhaustion", conditions=("exhaustion",), level=level))
    assert pace(hero("fighter", effects=tuple(effects))) == feet


@pytest.mark.parametrize(
    ("klass", "level", "feet"), [("barbarian", 5, 40), ("monk", 2, 40), ("monk", 1, 30)]
)
def test_speed_by_class(klass: Any, level: int, feet: int) -> None:
    assert pace(hero(klass, level)) == feet


def test_whoever_gets_sixty_feet_away_has_fled() -> None:
    cast = fighting(hero("fighter", hp=300, max_hp=300), foe("ogre"), first="ogre", ogre=10)
    cast, happened = act(cast, "ogre", "flee")
    assert of(happened, h.GotAway)
    assert of(happened, h.FightOver)[0].outcome == "parted"
    assert cast.fight is None


def test_a_party_that_runs_has_fled() -> None:
    cast = fighting(hero("fighter"), foe("zombie"), first="fighter", zombie=30)
    cast, happened = act(cast, "fighter", "flee")
    assert of(happened, h.FightOver)[0].outcome == "fled"
    assert not cast.the("fighter").gone


def test_a_fight_is_won_when_no_foe_is_left_and_experience_is_shared() -> None:
    def one(seed: str) -> Any:
        team = (hero("fighter"), hero("rogue"))
        start = fighting(*team, foe("ogre", hp=1), seed=seed, first="fighter")
        return act(start, "fighter", "attack", target="ogre")

    cast, happened = seeded(one, lambda found: of(found[1], h.Died))
    over = of(happened, h.FightOver)[0]
    assert (over.outcome, over.xp, over.fallen) == ("won", 225, ("ogre",))
    assert [one.xp for one in cast.creatures] == [225, 225]
    assert cast.get("ogre") is None
    assert outcome(cast) is None


def test_a_fight_is_lost_when_nobody_stands() -> None:
    def one(seed: str) -> Any:
        start = fighting(hero("wizard", hp=1), foe("ogre"), seed=seed, first="ogre")
        return act(start, "ogre", "attack", target="wizard")

    cast, happened = seeded(one, lambda found: of(found[1], h.Fell) or of(found[1], h.Died))
    assert of(happened, h.FightOver)[0].outcome == "lost"
    assert cast.fight is None


def test_drawing_a_weapon_takes_the_free_hand_and_armour_takes_too_long() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter")
    cast, _ = act(cast, "fighter", "equip", what="handaxe")
    assert cast.the("fighter").weapon == "handaxe"
    assert cast.the("fighter").attacks[0].key == "handaxe"
    assert refused(cast, "fighter", "equip", what="longsword") == "no-free-hand"
    assert refused(cast, "fighter", "equip", what="plate") == "no-such-item"
    bare = cast.with_("fighter", armour="")
    assert refused(bare, "fighter", "equip", what="chain-mail") == "takes-too-long"


def test_a_two_handed_weapon_leaves_no_hand_for_a_shield() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter")
    cast, _ = act(cast, "fighter", "equip", what="longbow")
    one = cast.the("fighter")
    assert (one.shield, one.ac) == ("", 16)


def test_drinking_a_potion_heals_and_uses_it_up() -> None:
    cast = fighting(hero("fighter", hp=1), foe("ogre"), first="fighter")
    cast, happened = act(cast, "fighter", "use", what="potion-of-healing")
    rolled = of(happened, h.HealingRolled)[0].roll
    assert rolled.formula == "2d4+2"
    assert cast.the("fighter").hp == 1 + rolled.total
    assert not cast.the("fighter").count("potion-of-healing")
    assert refused(cast, "fighter", "use", what="potion-of-healing") == "no-such-item"


def test_ending_effects_on_time_at_the_start_and_at_the_end_of_turns() -> None:
    cast = fighting(hero("fighter"), foe("ogre"), first="fighter")
    start = Effect(key="a", source="fighter", left=2, of="fighter", at="start")
    end = Effect(key="b", source="fighter", left=1, of="ogre", at="end")
    cast = cast.with_("ogre", effects=(start, end))
    cast = turn_of(act(cast, "fighter", "end")[0], "ogre")
    assert [one.key for one in cast.the("ogre").effects] == ["a", "b"]
    cast = turn_of(cast, "fighter")
    assert [(one.key, one.left) for one in cast.the("ogre").effects] == [("a", 1)]
    cast = turn_of(act(cast, "fighter", "end")[0], "fighter")
    assert not cast.the("ogre").effects
