"""The d100 rules: golden tables, and what must hold whatever is played."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import journey, melee, skirmish
from ruleplay.agents.saga.domain.blows import damage_of, hits
from ruleplay.agents.saga.domain.creation import DEFAULT, creation_problems, price
from ruleplay.agents.saga.domain.dice import Roll, d100, edge, modifier
from ruleplay.agents.saga.domain.fight import HERO, Status, check_combat_status
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Act, Intent, Plan
from ruleplay.agents.saga.domain.invariants import broken_rules
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.sheet import next_level_at
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.policy.rehearsal import message
from ruleplay.agents.saga.policy.replies import whose_move
from ruleplay.agents.saga.state import State
from ruleplay.story.acts import Reading


def roll(natural: int, modifier: int = 0, edge: int = 0) -> Roll:
    return Roll(index=0, natural=natural, modifier=modifier, edge=edge)


@pytest.mark.parametrize(
    ("attack", "defence", "hit"),
    [
        (roll(51), roll(50), True),
        (roll(50), roll(50), False),
        (roll(50, 2), roll(51), True),
        (roll(40), roll(50, -1, -20), True),
        (roll(40, 0, 20), roll(59), True),
        (roll(40, 0, -20), roll(21), False),
        (roll(95), roll(100, 3), True),
        (roll(94), roll(100), False),
        (roll(5, 3), roll(1), False),
        (roll(6), roll(5), True),
    ],
)
def test_a_blow_hits_when_its_total_is_higher(attack: Roll, defence: Roll, hit: bool) -> None:
    assert hits(attack, defence) is hit


@pytest.mark.parametrize(
    ("weapon", "attack", "defence", "armour", "damage"),
    [
        (8, roll(60), roll(50), 0, 9),
        (8, roll(59), roll(50), 0, 8),
        (8, roll(60), roll(50), 3, 6),
        (2, roll(52), roll(50), 5, 0),
        (8, roll(95), roll(55), 0, 24),
        (8, roll(95), roll(55), 3, 21),
        (8, roll(95), roll(100, 5), 0, 14),
        (5, roll(90, 2), roll(1), 1, 13),
    ],
)
def test_damage_is_weapon_and_difference_less_armour(
    weapon: int, attack: Roll, defence: Roll, armour: int, damage: int
) -> None:
    assert damage_of(weapon, attack, defence, armour) == damage


@pytest.mark.parametrize(("score", "adds"), [(8, -1), (9, -1), (10, 0), (11, 0), (14, 2), (17, 3)])
def test_the_modifier_is_half_of_what_is_above_ten(score: int, adds: int) -> None:
    assert modifier(score) == adds


@pytest.mark.parametrize(
    ("reasons", "against", "result"),
    [([], [], 0), ([True], [], 20), ([True, True], [], 20), ([], [True], -20), ([True], [True], 0)],
)
def test_advantage_is_twenty_and_does_not_add_up(
    reasons: list[bool], against: list[bool], result: int
) -> None:
    assert edge(reasons, against) == result


def test_a_roll_says_its_formula() -> None:
    assert roll(50, 2, -20).formula == "1d100+2-20"
    assert roll(50, 2, -20).total == 32


@given(st.text(max_size=20), st.integers(0, 10_000))
def test_every_roll_replays_from_seed_and_index(seed: str, index: int) -> None:
    assert d100(seed, index) == d100(seed, index)
    assert 1 <= d100(seed, index) <= 100


def test_the_die_is_fair() -> None:
    faces = [d100("fair", index) for index in range(20_000)]
    assert abs(sum(faces) / len(faces) - 50.5) < 1
    assert set(faces) == set(range(1, 101))


def test_levels_come_at_100_300_600() -> None:
    assert [next_level_at(level) for level in (1, 2, 3)] == [100, 300, 600]


def test_the_default_hero_costs_the_whole_budget() -> None:
    rules = lamp().rules
    assert sum(price(score, rules.point_buy) for score in DEFAULT.values()) == 25
    assert not creation_problems(rules, "Halla", "human", "bree", DEFAULT, {})


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": "x"}, "the name 'x'"),
        ({"name": "R2D2"}, "the name 'R2D2'"),
        ({"race": "ent"}, "no race 'ent'"),
        ({"culture": "shire"}, "no culture 'shire' for 'human'"),
        ({"stats": {**DEFAULT, "agility": 17}}, "agility 17 is out of range"),
        ({"stats": {**DEFAULT, "agility": 16}}, "cost 29 points of 25"),
        ({"stats": {"agility": 10}}, "no score for strength"),
        ({"skills": {"flying": 1}}, "no skill 'flying'"),
        ({"skills": {"stealth": 3}}, "rank 3 of 'stealth'"),
        ({"skills": {"stealth": 2, "lore": 2, "healing": 1}}, "5 skill ranks of 4"),
    ],
)
def test_an_illegal_hero_is_told_why(change: dict[str, object], problem: str) -> None:
    made = {"name": "Halla", "race": "human", "culture": "bree", "stats": DEFAULT, "skills": {}}
    found = creation_problems(lamp().rules, **{**made, **change})
    assert any(problem in one.en and one.fr != one.en for one in found), found


def play(game: Game, *intents: Intent, plans: dict[str, Plan] | None = None) -> Play:
    """Let intents be followed, and hold what happened to the rules' promises."""
    made = Play(game, lamp())
    if game.fight:
        skirmish.fight_on(made, intents, plans or {})
    else:
        journey.follow(made, intents)
    assert not broken_rules(game, made.done, made.game)
    return made


def attack(target: str = "foe1") -> Intent:
    return Intent(act="attack", target=target)


def wounded(game: Game, who: str, hp: int) -> Game:
    assert game.fight
    return game.model_copy(update={"fight": game.fight.with_(who, hp=hp)})


def first_to_move(game: Game) -> Game:
    """Put the hero at the head of the initiative."""
    assert game.fight
    order = (HERO, *(one for one in game.fight.order if one != HERO))
    fight = game.fight.model_copy(update={"order": order, "opened": True})
    return game.model_copy(update={"fight": fight})


@pytest.mark.parametrize("act", ["attack", "intimidate"])
def test_the_dead_cannot_be_a_target(act: Act) -> None:
    game = first_to_move(wounded(fight_with("orcs"), "foe1", 0))
    made = play(game, Intent(act=act, target="foe1"))
    assert [one.reason for one in made.done if isinstance(one, h.Refused)] == ["already_dead"]
    assert made.game == game


def test_two_major_actions_are_one_too_many() -> None:
    game = first_to_move(fight_with("orcs"))
    made = play(game, attack("foe1"), attack("foe2"))
    assert isinstance(made.done[0], h.Refused)
    assert made.game == game


def test_a_minor_action_leaves_the_turn_to_the_hero() -> None:
    made = play(first_to_move(fight_with("orcs")), Intent(act="guard"))
    assert made.fight.actor == HERO
    assert made.fight.spent == ("minor",)
    again = play(made.game, Intent(act="aim"))
    assert isinstance(again.done[0], h.Refused)
    assert again.done[0].reason == "no_minor_left"


def test_changing_weapons_and_walking_up_cost_the_minor_action() -> None:
    game = first_to_move(fight_with("orcs"))
    far = play(game, Intent(act="guard"), attack("foe2"))
    assert far.done == [h.Refused(reason="too_far", about="foe2")]
    drawn = play(game, Intent(act="aim"), Intent(act="attack", target="foe2", item="bow"))
    assert drawn.done == [h.Refused(reason="no_minor_left")]
    shot = play(game, Intent(act="attack", target="foe2", item="bow"))
    spent = [o.cost for o in shot.done if isinstance(o, h.ActionTaken) and o.who == HERO]
    assert spent[:2] == ["minor", "major"]


def test_arrows_are_used_up_and_run_out() -> None:
    game = first_to_move(fight_with("orcs"))
    sheet = game.sheet.with_items("arrow", 1 - game.sheet.count("arrow"))
    game = game.model_copy(update={"sheet": sheet.model_copy(update={"weapon": "bow"})})
    assert game.fight
    game = game.model_copy(update={"fight": game.fight.with_(HERO, weapon="bow")})
    made = play(game, attack())
    assert made.game.sheet.count("arrow") == 0
    if made.game.fight and not made.game.dead:
        assert play(made.game, attack()).done[0] == h.Refused(reason="no_ammunition", about="arrow")


def test_a_status_expires_on_time() -> None:
    game = first_to_move(fight_with("orcs"))
    assert game.fight
    fight = game.fight.with_(HERO, statuses=(Status(kind="blessed", rounds=2),), hp=40)
    game = game.model_copy(update={"fight": fight})
    one = play(game, Intent(act="defend"))
    assert one.fight.the(HERO).has("blessed")
    two = play(one.game, Intent(act="defend"))
    assert not two.game.fight or not two.fight.the(HERO).has("blessed")


def test_poison_hurts_at_the_start_of_the_turn_and_can_kill() -> None:
    game = first_to_move(fight_with("captain"))
    assert game.fight
    poisoned = (Status(kind="poisoned", rounds=3, power=2),)
    game = wounded(game, "foe2", 1)
    assert game.fight
    fight = game.fight.with_("foe2", statuses=poisoned)
    made = play(game.model_copy(update={"fight": fight}), Intent(act="defend"))
    died = [one for one in made.done if isinstance(one, h.Died)]
    assert (died[0].who, died[0].by) == ("foe2", "")


def test_a_stunned_hero_loses_the_turn() -> None:
    game = first_to_move(fight_with("orcs"))
    assert game.fight
    fight = game.fight.with_(HERO, statuses=(Status(kind="stunned", rounds=1),))
    made = play(game.model_copy(update={"fight": fight}), attack())
    assert h.TurnSkipped(who=HERO, why="stunned") in made.done
    assert not any(isinstance(one, h.Attacked) and one.attacker == HERO for one in made.done)


def test_a_stunned_hero_may_give_up_and_is_told_what_was_not_done() -> None:
    game = first_to_move(fight_with("orcs"))
    assert game.fight
    fight = game.fight.with_(HERO, statuses=(Status(kind="stunned", rounds=1),))
    dazed = game.model_copy(update={"fight": fight})
    flight = {"do": "rule", "item": "flee", "text": "I run for it"}
    for acts in ([flight], [flight, {"do": "yield", "text": "I give up"}]):
        made = Play(dazed, lamp())
        melee.fight_on(made, Reading.model_validate({"acts": acts}), {})
        left = [one for one in made.done if isinstance(one, h.LeftUndone)]
        assert [(one.what, one.why) for one in left] == [(("I run for it",), "stunned")]
        gave_up = any(isinstance(one, h.Surrendered) for one in made.done)
        assert gave_up == (len(acts) > 1)
    assert "only speak" in whose_move(dazed)


def test_a_coward_runs_and_the_brave_do_not() -> None:
    game = first_to_move(wounded(wounded(fight_with("captain"), "foe2", 3), "foe1", 2))
    made = play(game, Intent(act="defend"))
    assert h.Fled(who="foe2") in made.done


def test_plans_are_carried_out_only_while_they_are_legal() -> None:
    game = first_to_move(fight_with("orcs"))
    plans = {
        "foe1": Plan(who="foe1", act="defend"),
        "foe2": Plan(who="foe2", act="attack", target="foe1"),
    }
    made = play(game, Intent(act="defend"), plans=plans)
    defending = [o.who for o in made.done if isinstance(o, h.StatusGained)]
    assert "foe1" in defending
    struck = [(o.attacker, o.target) for o in made.done if isinstance(o, h.Attacked)]
    assert ("foe2", "foe1") not in struck


def outcome_of(game: Game, *intents: Intent) -> h.CombatEnded:
    made = play(game, *intents)
    return next(one for one in made.done if isinstance(one, h.CombatEnded))


def last_standing(hp: int, seed: str, archetype: str = "aggressive") -> Game:
    game = first_to_move(fight_with("wight", seed=seed))
    assert game.fight
    fight = game.fight.with_("foe1", hp=hp, archetype=archetype, armour="")
    return game.model_copy(update={"fight": fight})


def test_every_outcome_can_be_reached() -> None:
    games = [last_standing(1, str(seed)) for seed in range(40)]
    wins = [play(game, attack()) for game in games]
    reached = {o.outcome for made in wins for o in made.done if isinstance(o, h.CombatEnded)}
    reached.add(outcome_of(last_standing(20, "0"), Intent(act="force_end")).outcome)
    coward = last_standing(1, "0", "coward")
    assert outcome_of(coward, Intent(act="defend")).outcome == "npc_flee"
    reached.add("npc_flee")
    reached.add(outcome_of(wounded(last_standing(20, "3"), HERO, 44), Intent(act="flee")).outcome)
    dying = [
        play(wounded(last_standing(20, str(s)), HERO, 1), Intent(act="pass")) for s in range(9)
    ]
    reached |= {o.outcome for made in dying for o in made.done if isinstance(o, h.CombatEnded)}
    broken = last_standing(20, "0")
    assert broken.fight
    fight = broken.fight.model_copy(update={"order": (*broken.fight.order, "nobody")})
    made = Play(broken.model_copy(update={"fight": fight}), lamp())
    skirmish.fight_on(made, [attack()], {})
    assert made.game.mode == "narrative"
    assert made.game.last_result
    reached.add(made.game.last_result.outcome)
    assert reached == {
        *("player_win", "player_flee", "player_die", "npc_flee", "forced_end", "error_abort")
    }


def test_a_fight_without_end_is_ended_by_force() -> None:
    game = last_standing(20, "0", "guardian")
    assert game.fight
    game = game.model_copy(update={"fight": game.fight.model_copy(update={"round": 31})})
    assert game.fight
    assert check_combat_status(game.fight) == "forced_end"


def test_death_is_a_choice() -> None:
    game = hero_at("ford").model_copy(update={"dead": True})
    game = game.model_copy(update={"sheet": game.sheet.model_copy(update={"hp": 0})})
    assert isinstance(play(game, Intent(act="travel", target="greenway")).done[0], h.Refused)
    back = play(game, Intent(act="return")).game
    assert (back.dead, back.place, back.sheet.hp) == (False, "inn", back.sheet.max_hp // 2)
    assert back.sheet.coin == game.sheet.coin - game.sheet.coin // 2
    assert play(game, Intent(act="accept")).game.ending == "fallen"


def test_trade_conserves_coin_and_goods() -> None:
    game = hero_at("inn")
    bought = play(game, Intent(act="buy", item="healing-draught")).game
    assert bought.sheet.coin == game.sheet.coin - 6
    sold = play(bought, Intent(act="sell", item="healing-draught")).game
    assert sold.sheet.coin == bought.sheet.coin + 3
    dear = play(game, Intent(act="buy", item="lantern")).game
    assert play(dear, Intent(act="buy", item="bow")).done[0] == h.Refused(
        reason="not_sold", about="bow"
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["en", "fr"]), st.integers(5, 25))
def test_whatever_is_played_the_promises_hold(seed: int, lang: str, turns: int) -> None:
    rng = Random(seed)
    game = hero_at("greenway", lang="fr" if lang == "fr" else "en", seed=str(seed))
    for _ in range(turns):
        state = State(game=game, scenario="greenway-lamp")
        said = message(state, lamp(), rng)
        intents = [o for o in parse(said, game, lamp()).intents if o.act != "language"]
        if not intents:
            continue
        made = Play(game, lamp())
        if game.fight:
            skirmish.fight_on(made, intents, {})
        else:
            journey.follow(made, intents)
        assert not broken_rules(game, made.done, made.game)
        game = made.game
