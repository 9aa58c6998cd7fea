"""What is told of a battle to models and readers: plans, habits, memories, predictions."""

from __future__ import annotations

from random import Random

from tests.agents.battle.domain.test_chronicle import REQUEST, told

from ruleplay.agents.battle import prompts
from ruleplay.agents.battle.domain.analysis import analyze_team, plan
from ruleplay.agents.battle.domain.happenings import first_shown, last_turn
from ruleplay.agents.battle.domain.matchups import matchups
from ruleplay.agents.battle.domain.memory import (
    Memory,
    assessment,
    fresh_lines,
    remember,
)
from ruleplay.agents.battle.domain.options import entry_poison, rank_switches
from ruleplay.agents.battle.domain.orders import SwitchOrder
from ruleplay.agents.battle.domain.phrases import happened
from ruleplay.agents.battle.domain.position import Position, Side, SpeedSeen, Timed
from ruleplay.agents.battle.domain.prediction import predict
from ruleplay.agents.battle.domain.results import Candidate, Expected
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.domain.strikes import Scene
from ruleplay.agents.battle.domain.vantage import see
from ruleplay.agents.battle.domain.worlds import our_fighters, sample_worlds
from ruleplay.agents.battle.policy.reweighting import Reweighting, Weight, reweighted
from ruleplay.agents.battle.policy.rows import strategy_tables
from ruleplay.agents.battle.state import Remembered, State


def candidate(name: str, chance: float, kind: str = "move") -> Candidate:
    made = {"kind": kind, "action": name.lower(), "name": name, "probability": chance}
    return Candidate.model_validate(made)


def test_toxic_spikes_poison_who_stands_on_the_ground(positions: list[Position]) -> None:
    from dataclasses import replace

    us = replace(our_fighters(positions[0])[0], types=("fire",), item="", ability="", status="",
                 volatiles=frozenset())  # fmt: skip
    one, two = (Side(conditions=(Timed(id="toxicspikes", layers=n),)) for n in (1, 2))
    assert (entry_poison(one, us, Scene()), entry_poison(two, us, Scene())) == ("psn", "tox")
    for spared in (
        replace(us, types=("steel",)), replace(us, types=("poison", "fire")),
        replace(us, types=("flying",)), replace(us, item="heavydutyboots"),
        replace(us, status="brn"), replace(us, ability="immunity"),
    ):  # fmt: skip
        assert entry_poison(two, spared, Scene()) == ""


def test_toxic_spikes_are_named_and_cost_the_switch(
    positions: list[Position], pool: SetPool
) -> None:
    position = next(each for each in positions if switches(each))
    spiked = position.model_copy(update={"ours": position.ours.model_copy(
        update={"conditions": (Timed(id="toxicspikes", layers=2),)})})  # fmt: skip
    sets = opponent_sets(position, pool)
    pairs = matchups(position, sets)
    expected = predict(position, sets, pairs)
    ranked = rank_switches(spiked, sets, expected, pairs).switches
    clear = {o.ident: o for o in rank_switches(position, sets, expected, pairs).switches}
    ill = [each for each in ranked if "badly poisoned by Toxic Spikes" in each.damage_on_switch]
    assert ill
    bare = position.model_copy(update={"ours": position.ours.model_copy(update={"conditions": ()})})
    free = {o.ident: o for o in rank_switches(bare, sets, expected, pairs).switches}
    assert all(each.score < free[each.ident].score for each in ill)
    assert clear.keys() == free.keys()


def switches(position: Position) -> list[SwitchOrder]:
    return [order for order in position.legal if isinstance(order, SwitchOrder)]


def test_a_bent_prediction_is_told_anew() -> None:
    before = Expected(
        predictions=(candidate("Moonblast", 0.6), candidate("Stun Spore", 0.4)),
        summary="Floette most likely uses Moonblast at 60%.",
    )
    weights = Reweighting(weights=(Weight(candidate=2, probability=0.95),))
    after = reweighted(before, weights, "Floette")
    best = after.predictions[0]
    assert best.name == "Stun Spore"
    assert f"Floette most likely uses Stun Spore at {best.probability:.0%}" in after.summary


def test_threats_and_uncovered_types_reach_plan_and_prompt(positions: list[Position]) -> None:
    position = next(each for each in positions if analyze_team(each).threats_to_sweepers)
    analysis = analyze_team(position).model_copy(update={"uncovered_types": ("dragon",)})
    made = plan(position, analysis)
    name, _, what = analysis.threats_to_sweepers[0].partition(": ")
    assert f"Clear the way for {name}: what stops it is {what}." in made.plan
    assert "Dragon super effectively" in made.text
    tables = strategy_tables(analysis, made)
    asked = prompts.strategy(analysis, tables, made.text).user
    assert f"What stops our sweepers: {name}" in asked
    assert f"stopped by {what}" in asked


def test_the_log_says_whose_it_was_and_what_was_shown() -> None:
    chronicle = told(
        "|turn|1", "|move|p1a: Great Tusk|Knock Off|p2a: Corviknight",
        "|-enditem|p2a: Corviknight|Leftovers|[from] move: Knock Off",
        "|-sidestart|p1: us|move: Stealth Rock", "|-ability|p2a: Corviknight|Pressure",
        "|-heal|p1a: Great Tusk|250/275|[from] item: Leftovers", "|turn|2",
    )  # fmt: skip
    lines = fresh_lines(Memory(), see(chronicle, "p1", REQUEST))
    assert "Our Great Tusk used Knock Off." in lines
    assert "Their Corviknight lost its Leftovers." in lines
    assert "Stealth Rock on our side." in lines
    assert "Their Corviknight has Pressure." in lines
    assert "Our Great Tusk holds Leftovers." in lines


def test_a_memory_keeps_what_was_lost_and_weighs_every_set(pool: SetPool) -> None:
    chronicle = told("|-enditem|p2a: Corviknight|Leftovers|[from] move: Knock Off", "|turn|2")
    position = see(chronicle, "p1", REQUEST)
    made = remember(Memory(), position, opponent_sets(position, pool))
    (shown,) = made.revealed
    assert (shown.item, shown.item_lost) == ("leftovers", True)


def test_an_item_is_concluded_from_all_sets_not_the_likeliest(pool: SetPool) -> None:
    position = see(told("|turn|2"), "p1", REQUEST)
    inference = opponent_sets(position, pool)
    (guess,) = inference.guesses.values()
    one = guess.model_copy(update={"sets": guess.sets[:1], "items": ("leftovers", "rockyhelmet")})
    made = remember(
        Memory(), position, inference.model_copy(update={"guesses": {guess.ident: one}})
    )
    assert made.revealed[0].deduced_item is None


def test_the_memory_prompt_has_log_sets_conclusions_and_plan(pool: SetPool) -> None:
    lines = ["|move|p2a: Corviknight|Roost|p2a: Corviknight" for _ in range(30)]
    lost = "|-enditem|p2a: Corviknight|Leftovers|[from] move: Knock Off"
    chronicle = told(*lines, "|move|p2a: Corviknight|U-turn|p1a: Great Tusk", lost)
    position = see(chronicle, "p1", REQUEST)
    known = remember(Memory(), position, opponent_sets(position, pool))
    asked = prompts.memory((), known, "", "Sweep with Great Tusk.").user
    assert asked.count("Their Corviknight used Roost.") == 30
    for words in ("The plan:\nSweep with Great Tusk.", "item leftovers (lost)", "Concluded:"):
        assert words in asked
    rules = assessment(position, known, "en")
    for words in ("What we've learned:", "How the strategy should adapt:", "Threat assessment:"):
        assert words in rules


def test_the_log_is_in_the_events_and_the_state_keeps_its_end() -> None:
    state = State()
    for turn in range(300):
        event = Remembered(memory=Memory(turn=turn), told=(f"Turn {turn}.", "Nothing."))
        assert event.memory.log == ()
        state = state.apply(event)
    assert state.memory.log[-2:] == ("Turn 299.", "Nothing.")
    assert len(state.memory.log) == 400


def test_the_prediction_prompt_has_speed_habits_and_priority(
    positions: list[Position], pool: SetPool
) -> None:
    position = next(each for each in positions if each.theirs.active and each.ours.active)
    foe = position.theirs.active
    assert foe is not None
    told_anew = position.model_dump(mode="json")
    for mon in told_anew["theirs"]["team"]:
        if mon["ident"] == foe.ident:
            mon["moves"] = [{"id": "extremespeed", "pp": 5, "max_pp": 8}]
    position = Position.model_validate(told_anew)
    sets = opponent_sets(position, pool)
    pairs = matchups(position, sets)
    state = State(matchups=pairs, memory=Memory(acted=10, switched=4))
    asked = prompts.predict(state, position, predict(position, sets, pairs)).user
    assert "their Extreme Speed (priority +2)" in asked
    assert "switched in 40% of 10 actions" in asked
    assert sample_worlds(position, sets, pool, Random(1), 1)


def test_walling_needs_recovery() -> None:
    from dataclasses import replace

    from ruleplay.agents.battle.domain.prediction import _walls
    from ruleplay.agents.battle.domain.worlds import Known

    position = see(told("|turn|2"), "p1", REQUEST)
    us = our_fighters(position)[0]
    assert not _walls(replace(us, item="", moves=(Known("tackle", 8),)), 1.0)
    assert _walls(replace(us, item="", moves=(Known("recover", 8),)), 1.0)
    assert not _walls(replace(us, item="", moves=(Known("recover", 0),)), 1.0)
    assert not _walls(replace(us, moves=(Known("recover", 8),)), us.hp_max / 2)


def test_the_last_turn_is_told_step_by_step() -> None:
    chronicle = told(
        "|switch|p1a: Great Tusk|Great Tusk, L77|275/275",
        "|switch|p2a: Corviknight|Corviknight, L80|100/100",
        "|turn|1", "|move|p2a: Corviknight|Brave Bird|p1a: Great Tusk",
        "|-supereffective|p1a: Great Tusk", "|-damage|p1a: Great Tusk|110/275",
        "|move|p1a: Great Tusk|Knock Off|p2a: Corviknight", "|-miss|p1a: Great Tusk", "|turn|2",
    )  # fmt: skip
    position = see(chronicle, "p1", REQUEST)
    first, second = last_turn(position)[-2:]
    assert (first.what, first.on, first.share, first.left) == (
        "Brave Bird", "p1: Great Tusk", 0.6, 0.4
    )  # fmt: skip
    assert happened("fr", second) == "Notre Great Tusk a utilisé Knock Off (raté)."
    assert "60% of Great Tusk" in happened("en", first)
    assert first_shown(position) == (("p2: Corviknight", "bravebird"),)


def test_who_goes_first_by_an_ability_is_not_called_faster(positions: list[Position]) -> None:
    position = next(one for one in positions if one.theirs.active and one.ours.team[0].stats)
    mate, foe = position.ours.team[0], position.theirs.active
    assert foe is not None
    seen = SpeedSeen(turn=1, mate=mate.ident, first=True, move="spikes", mate_move="tackle")
    inference = opponent_sets(position, SetPool("", "", {}))
    guess = inference.guesses[foe.ident]

    def concluded(ability: str) -> bool:
        quick = foe.model_copy(update={"speeds": (seen,), "ability": ability})
        team = tuple(quick if mon is foe else mon for mon in position.theirs.team)
        theirs = position.theirs.model_copy(update={"team": team})
        found = remember(Memory(), position.model_copy(update={"theirs": theirs}), inference)
        return any("is faster than" in one.says for one in found.deductions)

    assert guess.sets
    assert (concluded("pressure"), concluded("prankster")) == (True, False)
