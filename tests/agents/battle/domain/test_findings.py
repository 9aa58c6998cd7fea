"""What the stations before a decision find out, held against positions made for the purpose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruleplay.agents.battle import prompts
from ruleplay.agents.battle.domain.exchange import play_out
from ruleplay.agents.battle.domain.matchups import hits_needed, matchups
from ruleplay.agents.battle.domain.options import rank_moves, rank_switches
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.position import Position, Side
from ruleplay.agents.battle.domain.prediction import HURT, predict
from ruleplay.agents.battle.domain.results import (
    Expected,
    Inference,
    Matchups,
    MoveOptions,
    SwitchOptions,
)
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.domain.strikes import Scene
from ruleplay.agents.battle.domain.tera import weigh_tera
from ruleplay.agents.battle.domain.worlds import Fighter, Known, our_fighters
from ruleplay.agents.battle.state import State

NOBODY = Matchups(pairs=())


def fighter(position: Position, move: str, speed: int = 100, **changes: object) -> Fighter:
    """Return somebody with one move, health enough for a few blows, and nothing else."""
    plain = replace(
        our_fighters(position)[0], types=("normal",), item="", ability="", status="",
        volatiles=frozenset(), moves=(Known(move, 8),), hp=300, hp_max=300, terastallized=False,
    )  # fmt: skip
    stats = plain.stats | {"spe": speed} if isinstance(plain.stats, dict) else plain.stats
    return replace(plain, stats=stats, **changes)  # type: ignore[arg-type]


def quick_and_slow(position: Position, move: str = "bodyslam") -> tuple[Fighter, Fighter]:
    slow = fighter(position, move, status="par")
    return fighter(position, move), slow


def meeting(positions: list[Position]) -> Position:
    """Return a position in which both sides stand and we may move and switch."""
    return next(
        p for p in positions
        if p.ours.active and p.theirs.active and not p.force_switch and not p.team_preview
        and moves(p) and switches(p) and p.theirs.bench
    )  # fmt: skip


def moves(position: Position) -> list[MoveOrder]:
    return [order for order in position.legal if isinstance(order, MoveOrder) and not order.tera]


def switches(position: Position) -> list[SwitchOrder]:
    return [order for order in position.legal if isinstance(order, SwitchOrder)]


def theirs(position: Position, **changes: object) -> Position:
    """Return a position with something of their active one changed."""
    foe = position.theirs.active
    assert foe
    return position.model_copy(update={"theirs": changed(position.theirs, foe.ident, changes)})


def ours(position: Position, ident: str, **changes: object) -> Position:
    """Return a position with something of one of ours changed."""
    return position.model_copy(update={"ours": changed(position.ours, ident, changes)})


def changed(side: Side, ident: str, changes: dict[str, object]) -> Side:
    """Return a side made anew, so that nothing it has worked out before is kept."""
    team = [mon.model_copy(update=changes) if mon.ident == ident else mon for mon in side.team]
    fields = {name: getattr(side, name) for name in Side.model_fields}
    return Side.model_validate({**fields, "team": team})


def found(position: Position, pool: SetPool) -> tuple[Inference, Matchups, Expected]:
    sets = opponent_sets(position, pool)
    pairs = matchups(position, sets)
    return sets, pairs, predict(position, sets, pairs)


def test_an_exchange_begins_with_the_faster(positions: list[Position]) -> None:
    quick, slow = quick_and_slow(meeting(positions))
    played = play_out(quick, slow, Scene(), Scene())
    assert played.faster
    assert (played.outcome, played.theirs) == ("win", 0)
    assert 0 < played.ours < quick.hp
    # The slower of two equals is one blow behind when it falls.
    assert played.ours == pytest.approx(
        quick.hp - (played.turns - 1) * played.their_blow.expected, abs=1
    )
    back = play_out(slow, quick, Scene(), Scene())
    assert (back.faster, back.outcome, back.turns) == (False, "lose", played.turns)


def test_who_cannot_hurt_each_other_draws(positions: list[Position]) -> None:
    quick, slow = quick_and_slow(meeting(positions), move="splash")
    played = play_out(quick, slow, Scene(), Scene())
    assert played.outcome == "draw"
    assert (played.ours, played.theirs) == (quick.hp, slow.hp)


@pytest.mark.parametrize(
    ("health", "blow", "hits"), [(100, 100.0, 1), (101, 100.0, 2), (100, 34.0, 3), (1, 0.0, 99)]
)
def test_hits_needed_are_counted_up(health: float, blow: float, hits: int) -> None:
    assert hits_needed(health, blow) == hits


def test_notes_say_who_is_faster_and_who_needs_how_many_hits(
    positions: list[Position], pool: SetPool
) -> None:
    _, pairs, _ = found(meeting(positions), pool)
    for pair in pairs.pairs:
        assert pair.notes.startswith("we outspeed" if pair.faster else "they outspeed")
        assert pair.notes.count("KOs") == 2


def test_stages_make_a_pair_stale(positions: list[Position], pool: SetPool) -> None:
    position = meeting(positions)
    sets, first, _ = found(position, pool)
    foe = position.theirs.active
    assert foe
    raised = theirs(position, boosts=foe.boosts.model_copy(update={"atk": 2}))
    again = matchups(raised, sets, first)
    assert 0 < again.recomputed == sum(pair.theirs == foe.ident for pair in first.pairs)


def test_a_prediction_says_what_it_does_to_us(positions: list[Position], pool: SetPool) -> None:
    position = meeting(positions)
    us = position.ours.active
    _, _, expected = found(position, pool)
    hurting = [one for one in expected.predictions if one.damage and one.damage.high]
    assert us
    assert hurting
    for one in hurting:
        assert one.damage_to_us.startswith(f"{us.name} takes ")
        assert one.damage_to_us.endswith(f"from {one.name}")
    assert any(one.reasoning for one in expected.predictions)


def known(position: Position, *names: str) -> Position:
    """Return a position whose opposing active one is known to have these moves and no others."""
    body = position.model_dump(mode="json")
    foe = position.theirs.active
    assert foe
    for mon in body["theirs"]["team"]:
        if mon["ident"] == foe.ident:
            mon["moves"] = [{"id": name, "pp": 8, "max_pp": 8} for name in names]
    return Position.model_validate(body)


def chances(position: Position, pool: SetPool) -> dict[str, float]:
    _, _, expected = found(position, pool)
    return {one.action: one.probability for one in expected.predictions if one.kind == "move"}


def test_the_strongest_move_is_likeliest(positions: list[Position], pool: SetPool) -> None:
    position = known(theirs(meeting(positions), item="", types=("normal",)), "tackle", "hyperbeam")
    found_ = chances(position, pool)
    assert found_["hyperbeam"] > found_["tackle"]


def test_status_moves_are_expected_where_nothing_kills(
    positions: list[Position], pool: SetPool
) -> None:
    position = meeting(positions)
    us = position.ours.active
    assert us
    weak = chances(known(position, "tackle", "stealthrock"), pool)
    assert weak["stealthrock"] > weak["tackle"]
    dying = ours(position, us.ident, hp=0.01, hp_now=1)
    kills = chances(known(dying, "tackle", "stealthrock"), pool)
    assert kills["tackle"] > kills["stealthrock"]


def switching(position: Position, pool: SetPool) -> float:
    return found(position, pool)[2].switch_chance


def free(positions: list[Position]) -> list[Position]:
    """Return positions in which the opponent may switch."""
    return [
        p for p in positions
        if p.theirs.active and p.ours.active and (p.theirs.bench or p.theirs.unseen)
    ]  # fmt: skip


def test_signals_raise_the_chance_of_a_switch(positions: list[Position], pool: SetPool) -> None:
    calm, pressed = [], {}
    for position in free(positions):
        _, _, expected = found(position, pool)
        why = {one.reasoning for one in expected.predictions if one.kind == "switch"}
        if why == {"a better matchup"}:
            calm.append(expected.switch_chance)
        elif why and not position.force_switch:
            pressed[why.pop()] = expected.switch_chance
    assert {"we outspeed and KO", "our types beat theirs", "they lose the exchange"} <= {*pressed}
    assert pressed["we outspeed and KO"] > max(calm)
    assert pressed["we outspeed and KO"] > pressed["they lose the exchange"] > max(calm)


def test_who_is_hurt_switches_less(positions: list[Position], pool: SetPool) -> None:
    """Just above and just below the line everything else is the same."""
    lower = 0
    for position in free(positions):
        above = theirs(position, hp=HURT + 0.001)
        below = theirs(position, hp=HURT - 0.001)
        assert switching(below, pool) <= switching(above, pool) + 1e-9
        lower += switching(below, pool) < switching(above, pool)
    assert lower


def ranked(position: Position, pool: SetPool) -> MoveOptions:
    sets, pairs, expected = found(position, pool)
    return rank_moves(position, sets, expected, pairs)


def test_ranked_moves_say_what_they_do(positions: list[Position], pool: SetPool) -> None:
    options = ranked(meeting(positions), pool)
    assert [one.rank for one in options.moves] == [*range(1, len(options.moves) + 1)]
    assert {one.order for one in options.moves} == set(moves(meeting(positions)))
    for one in options.moves:
        assert 0 <= one.accuracy <= 100
        assert one.reasoning
        assert one.damage_to_active == "no damage" or "%" in one.damage_to_active
        if one.on_switches:
            assert one.damage_to_switches.startswith("Hits ")
            assert all(each.name in one.damage_to_switches for each in one.on_switches)
    assert options.summary.startswith(f"{options.moves[0].name}: ")


def test_a_knock_out_ranks_before_damage(positions: list[Position], pool: SetPool) -> None:
    for position in positions:
        if not (position.theirs.active and position.ours.active and len(moves(position)) > 1):
            continue
        options = ranked(theirs(position, hp=0.02), pool).moves
        assert options[0].ko_chance == max(one.ko_chance for one in options)


def test_accuracy_decides_between_equals(positions: list[Position], pool: SetPool) -> None:
    """Against somebody nearly fallen both knock out, and the surer ranks first."""
    dying = theirs(meeting(positions), hp=0.01, types=("normal",))
    pair = (MoveOrder(move="dynamicpunch"), MoveOrder(move="closecombat"))
    options = ranked(dying.model_copy(update={"legal": pair}), pool).moves
    assert [(one.move, one.accuracy) for one in options] == [
        ("closecombat", 100),
        ("dynamicpunch", 50),
    ]
    assert all(one.damage.low > 0.01 for one in options)


def test_a_locked_choice_is_the_only_move_and_said(
    positions: list[Position], pool: SetPool
) -> None:
    position = meeting(positions)
    only = moves(position)[0]
    rest = tuple(o for o in position.legal if isinstance(o, SwitchOrder))
    options = ranked(position.model_copy(update={"legal": (only, *rest)}), pool)
    assert [one.order for one in options.moves] == [only]
    assert (options.choice_locked, options.locked_move) == (True, only.move)
    assert "We are locked into" in options.summary


def ranked_switches(position: Position, pool: SetPool) -> SwitchOptions:
    sets, pairs, expected = found(position, pool)
    return rank_switches(position, sets, expected, pairs)


def test_ranked_switches_say_what_they_take(positions: list[Position], pool: SetPool) -> None:
    position = meeting(positions)
    _, pairs, _ = found(position, pool)
    foe = position.theirs.active
    options = ranked_switches(position, pool)
    assert foe
    assert [one.rank for one in options.switches] == [*range(1, len(options.switches) + 1)]
    for one in options.switches:
        pair = pairs.of(one.ident, foe.ident)
        assert pair
        assert one.outcome == pair.outcome
        assert one.survives == (one.hp_after > 0)
        assert one.damage_on_switch.startswith(("Takes ", "Comes in", "Is "))
        told = {"win": "Wins with", "lose": "Loses", "draw": "Neither"}[pair.outcome]
        assert one.matchup_result.startswith(told)
    assert options.summary.startswith(f"{options.switches[0].name} is the best switch")


def test_who_would_fall_comes_last(positions: list[Position], pool: SetPool) -> None:
    position = meeting(positions)
    first = ranked_switches(position, pool).switches[0]
    dying = ours(position, first.ident, hp=0.004, hp_now=1)
    dying = known(dying, "earthquake", "hypervoice")
    found_ = ranked_switches(dying, pool).switches
    survive = [one.survives for one in found_]
    assert survive == sorted(survive, reverse=True)
    assert {one.order for one in found_} == set(switches(dying))


def test_a_missing_matchup_is_no_obstacle(positions: list[Position], pool: SetPool) -> None:
    position = meeting(positions)
    sets, _, expected = found(position, pool)
    options = rank_switches(position, sets, expected, NOBODY)
    assert {one.order for one in options.switches} == set(switches(position))
    assert all(one.outcome is None and not one.matchup_result for one in options.switches)


def test_both_sides_tera_is_tracked(positions: list[Position], pool: SetPool) -> None:
    for position in positions:
        sets, _, expected = found(position, pool)
        weighed = weigh_tera(position, sets, expected)
        able = any(isinstance(order, MoveOrder) and order.tera for order in position.legal)
        assert weighed.our_tera_available == able
        assert weighed.opponent_tera_available == (not position.theirs.tera_used)
        assert weighed.summary
        spent = position.model_copy(
            update={"theirs": position.theirs.model_copy(update={"tera_used": True})}
        )
        assert not weigh_tera(spent, sets, expected).opponent_tera_available


def test_the_decision_prompt_has_the_documents_sections_in_order(
    positions: list[Position], pool: SetPool
) -> None:
    position = meeting(positions)
    sets, pairs, expected = found(position, pool)
    best = rank_moves(position, sets, expected, pairs)
    ways = rank_switches(position, sets, expected, pairs)
    state = State(assessment="We are ahead.", strategy="Sweep late.", pairs=pairs.pairs)
    asked = prompts.decide(
        state, position, expected, best, ways, weigh_tera(position, sets, expected), None
    ).user
    headings = [line[3:] for line in asked.splitlines() if line.startswith("## ")]
    wanted = ("Battle State", "Speed", "Expected Opponent Action", "Your Best Moves",
              "Your Best Switches", "Battle Context", "Team Strategy")  # fmt: skip
    assert [one for one in headings if one in wanted] == [*wanted]
    assert headings[-1] == "Valid Orders"
    for words in (expected.summary, best.summary, ways.summary, "We are ahead.", "Sweep late."):
        assert words in asked
    assert f"1. {best.moves[0].name} - {best.moves[0].reasoning}" in asked
    assert f"1. {ways.switches[0].name} - {ways.switches[0].reasoning}" in asked
