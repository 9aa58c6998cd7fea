"""Wishes that begin, end or are lifted by what code can tell of a position."""

from __future__ import annotations

import json
import re

import pytest
from tests.agents.battle.test_battle_clauses import backs, with_foe
from tests.agents.battle.test_battle_person import HIT, LEAVE, bare, held, hold, outlook
from tests.agents.battle.test_battle_turns import event, kinds, scripted

from ruleplay.agents.battle.domain.meaning import Act, Reading
from ruleplay.agents.battle.domain.naming import display
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Line, SearchVerdict
from ruleplay.agents.battle.domain.wishes import Limit, Outlook, Wish, narrow
from ruleplay.agents.battle.policy.obeying import want
from ruleplay.agents.battle.policy.reading import reading_problems
from ruleplay.agents.battle.policy.rows import battle_tables
from ruleplay.agents.battle.state import State
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json

__all__ = ["held"]

SAVES = Limit(sign="costs")
TERA = MoveOrder(move="hit", tera=True)


def test_a_limit_is_told_of_a_position(held: Json) -> None:
    position = Position.model_validate(held)
    foe, count, turn = position.theirs.team[0], position.theirs.alive, position.turn
    hurt = foe.model_copy(update={"hp": 0.4, "active": False, "status": ""})
    team = (hurt, *position.theirs.team[1:])
    there = position.model_copy(
        update={"theirs": position.theirs.model_copy(update={"team": team})}
    )
    for limit, holds in (
        (Limit(sign="turn", number=turn), True),
        (Limit(sign="turn", number=turn + 1), False),
        (Limit(sign="theirs_left", number=count), True),
        (Limit(sign="theirs_left", number=count - 1), False),
        (Limit(sign="out", name=foe.ident), False),
        (Limit(sign="health", name=foe.species, number=50), True),
        (Limit(sign="health", name=foe.species, number=30), False),
        (Limit(sign="fell", name=foe.ident), False),
        (SAVES, False),
    ):
        assert limit.holds(there) is holds, limit


def test_a_wish_is_lifted_where_heeding_it_costs_the_game() -> None:
    wish = (Wish(do="no_tera", unless=SAVES),)
    dear = narrow(wish, [outlook(TERA, 0.6, 0.0), outlook(HIT, 0.3, 0.0)])
    cheap = narrow(wish, [outlook(TERA, 0.6, 0.0), outlook(HIT, 0.5, 0.0)])
    assert (dear.orders, dear.unmet) == ((TERA, HIT), wish)
    assert (cheap.orders, cheap.followed) == ((HIT,), wish)
    assert Limit(sign="costs", number=90).cost == 0.5, "code bounds what a wish may cost"


def test_one_that_is_kept_for_later_comes_in_only_where_that_wins_more() -> None:
    keep = (Wish(do="keep", ident="them"),)
    idle = narrow(keep, [outlook(HIT, 0.57, 0.0), outlook(LEAVE, 0.6, 0.0)])
    forced = narrow(keep, [outlook(HIT, 0.5, 0.0), outlook(LEAVE, 0.6, 0.0)])
    assert (idle.orders, forced.orders) == ((HIT,), (HIT, LEAVE))


def test_the_hardest_hit_is_the_one_that_does_most() -> None:
    big, small = MoveOrder(move="surf"), MoveOrder(move="tackle")
    ranked = [Outlook(big, "us", 0.5, 0.0, hurts=0.4), Outlook(small, "us", 0.6, 0.0, hurts=0.3)]
    assert narrow((Wish(do="hardest"),), ranked).orders == (big,)


@pytest.mark.parametrize(
    "act",
    [
        Act(do="keep", until=Limit(sign="out")),
        Act(do="no_tera", until=SAVES),
        Act(do="no_tera", until=Limit(sign="theirs_left")),
    ],
)
def test_a_limit_that_code_cannot_tell_is_refused(act: Act) -> None:
    assert reading_problems(Reading(acts=(act,)), 0)


async def test_a_wish_says_how_long_it_holds_and_ends_by_itself(host: Host, held: Json) -> None:
    position = Position.model_validate(held)
    left = position.theirs.alive - 1
    until, unless = {"sign": "theirs_left", "number": left}, {"sign": "costs"}
    act: Json = {"do": "no_tera", "until": until, "unless": unless}
    session, _ = await scripted(host, {"battle.read": [json.dumps({"acts": [act]})]})
    await session.turn(action=hold(held))
    told = await session.turn("none of that before one more of theirs is gone, save in need")
    assert f"until they have {left} left, unless that costs more than 20%" in told.reply
    fallen = {**held["theirs"]["team"][0], "status": "fnt", "hp": 0.0}
    team = [fallen, *held["theirs"]["team"][1:]]
    later = {**held, "request_id": 99, "theirs": {**held["theirs"], "team": team}}
    turn = await session.turn(action=hold(later))
    assert kinds(turn)[0] == "WishesDropped"
    assert f"Since they have {left} left, this no longer holds: no terastallization" in turn.reply
    assert (await session.view())["wishes"] == []
    assert (await replay(session.host, session.id)).identical


async def test_what_is_so_already_ends_nothing(host: Host, held: Json) -> None:
    limit = {"sign": "turn", "number": 1}
    said = json.dumps({"acts": [{"do": "no_tera", "until": limit}]})
    session, _ = await scripted(host, {"battle.read": [said]})
    await session.turn(action=hold(held))
    turn = await session.turn("hold on to it for the first turn")
    assert "WishMade" not in kinds(turn)
    assert "so already: it is turn 1" in turn.reply


async def test_a_mild_wish_holds_without_the_condition_that_code_cannot_hold(
    host: Host, held: Json
) -> None:
    said = json.dumps({"acts": [{"do": "no_tera", "only": "other"}]})
    session, _ = await scripted(host, {"battle.read": [said]})
    await session.turn(action=hold(held))
    turn = await session.turn("not while the moon is up")
    assert event(turn, "WishMade")["wish"]["do"] == "no_tera"
    assert "the wish holds without it" in turn.reply


async def test_the_hardest_hit_is_named_with_its_damage(host: Host, held: Json) -> None:
    said = json.dumps({"acts": [{"do": "hardest"}]})
    session, _ = await scripted(host, {"battle.read": [said]})
    trace = event(await session.turn(action=hold(held)), "DecisionTrace")
    turn = await session.turn("never mind, just hit with the big one")
    order = event(turn, "OrderChanged")["chosen"]["order"]
    hits = {one["move"]: one for one in trace["moves"]["moves"]}
    mean = {move: one["damage"]["low"] + one["damage"]["high"] for move, one in hits.items()}
    assert mean[order["move"]] * hits[order["move"]]["accuracy"] == max(
        mean[move] * hits[move]["accuracy"] for move in mean
    )
    assert hits[order["move"]]["name"] in turn.reply
    assert "%" in turn.reply


async def test_a_model_reads_what_the_last_turn_settles(host: Host, held: Json) -> None:
    us, foe = (
        next(mon["ident"] for mon in held[side]["team"] if mon.get("active"))
        for side in ("ours", "theirs")
    )
    hit = [f"move|{foe}|Surf|{us}", f"-crit|{us}", f"-damage|{us}|61/100"]
    log = [f"turn|{held['turn'] - 1}", f"switch|{us}|X, L80|100/100", *hit, f"turn|{held['turn']}"]
    said = json.dumps({"acts": [{"do": "stay"}]})
    session, model = await scripted(host, {"battle.read": [said]})
    await session.turn(action=hold({**held, "log": log}))
    turn = await session.turn("if that was a crit stay, otherwise get out")
    asked = str(model.seen[-1].messages[-1].content)
    assert re.search(r"The last turn: .* used Surf: 39% of .* \(a critical hit\)\.\n", asked)
    assert "changed nothing" not in turn.reply


async def test_the_choice_before_is_told_with_what_was_seen_then(
    session: Session, held: Json
) -> None:
    trace = event(await session.turn(action=hold(held)), "DecisionTrace")
    theirs = {**held["theirs"], "wish": [1, 150]}
    team = [{**mon, "hp": 0.33} if mon.get("active") else mon for mon in theirs["team"]]
    later = {**held, "request_id": 99, "theirs": {**theirs, "team": team}}
    await session.turn(action=hold(later))
    head = await session.head()
    state, _ = await session.host.state(head, head.head)
    assert isinstance(state, State)
    assert state.position
    tables = {table.title: table for table in battle_tables(state)}
    before, best = tables["the choice before this one"], trace["moves"]["moves"][0]
    foe = next(mon for mon in Position.model_validate(held).theirs.team if mon.active)
    assert f"{display(state.position, foe.ident)} at {100 * foe.hp:.0f}% then" in before.heading
    assert round(100 * best["damage"]["high"], 1) in [cell for row in before.rows for cell in row]
    assert any(
        "150 points" in str(cell) for row in tables["how long it lasts"].rows for cell in row
    )
    assert state.trace
    switches = tables["our switches"].rows
    wins = [row[4] if row[3] else 0.0 for row in switches]
    assert all(0 <= won <= 100 for won in wins)  # type: ignore[operator]
    line = Line(order=state.trace.chosen, share=1.0, value=0.6)
    verdict = SearchVerdict(engine="python", lines=(line,))
    state = state.but(trace=state.trace.model_copy(update={"verdict": verdict}))
    searched = next(one for one in battle_tables(state) if one.title == "the search")
    assert any("wins that may still be a poor switch" in note for note in searched.notes)


async def test_a_wish_is_said_to_be_too_dear_or_for_this_turn_only(
    session: Session, held: Json
) -> None:
    await session.turn(action={**hold(held), "hold": False})
    head = await session.head()
    state, _ = await session.host.state(head, head.head)
    assert isinstance(state, State)
    assert state.position
    assert state.trace
    out = next(one for one in state.position.legal if isinstance(one, SwitchOrder))
    values = [(one, 0.9 if one == out else 0.3) for one in state.position.legal]
    lines = tuple(Line(order=one, share=0.1, value=value) for one, value in values)
    verdict = SearchVerdict(engine="python", lines=lines)
    dear = state.but(trace=state.trace.model_copy(update={"verdict": verdict}))
    assert "cost more than 10%" in " ".join(want(dear, Wish(do="attack", span="on"), "en").lines)
    assert state.order
    chosen = next(one for one in state.position.legal if isinstance(one, MoveOrder))
    sent = state.but(order=state.order.model_copy(update={"order": chosen}))
    now = want(sent, Wish(do="move", move=chosen.move, tera=chosen.tera, span="this"), "fr")
    assert "pour ce tour seulement" in now.lines[0]
    assert "rien noté" not in now.lines[0]


async def test_terastallization_is_ruled_out_for_the_one_named(host: Host, held: Json) -> None:
    position = Position.model_validate(held)
    out, waiting = position.ours.active, position.ours.bench[0]
    assert out is not None
    said = json.dumps({"acts": [{"do": "no_tera", "name": bare(waiting.ident)}]})
    session, _ = await scripted(host, {"battle.read": [said]})
    await session.turn(action=hold(held))
    turn = await session.turn("that one on the bench is not to do it, whatever comes")
    wish = Wish.model_validate(event(turn, "WishMade")["wish"])
    assert f"no terastallization of {display(position, waiting.ident)}" in turn.reply
    assert (wish.ident, wish.is_due(position)) == (waiting.ident, False)
    assert wish.model_copy(update={"ident": out.ident}).is_due(position)


async def test_one_is_kept_away_from_one_of_theirs_and_only_there(host: Host, held: Json) -> None:
    position = Position.model_validate(held)
    foe, mon = backs(position)
    act = {"do": "another", "name": bare(mon), "span": "on", "when": bare(foe)}
    session, _ = await scripted(host, {"battle.read": [json.dumps({"acts": [act]})] * 2})
    await session.turn(action=hold(held))
    turn = await session.turn("those two must not meet")
    wish = Wish.model_validate(event(turn, "WishMade")["wish"])
    assert (wish.do, wish.ident, wish.when, wish.stands) == ("avoid", mon, foe, True)
    assert not wish.is_due(position)
    there = await session.turn(action=hold(with_foe(held, foe)))
    assert wish.model_dump(exclude_defaults=True) in [
        Wish.model_validate(one).model_dump(exclude_defaults=True)
        for one in event(there, "OrderChosen")["followed"]
    ]
    again = await session.turn("as I said, those two must not meet")  # it holds, and is said once
    assert kinds(again) == ["Spoken"]
    assert "still holds" in again.reply
    assert (await replay(session.host, session.id)).identical


async def test_staying_for_some_turns_ends_by_itself(host: Host, held: Json) -> None:
    position = Position.model_validate(held)
    said = json.dumps({"acts": [{"do": "stay", "turns": 2}, {"do": "stay", "turns": 2}]})
    session, model = await scripted(host, {"battle.read": [said]})
    await session.turn(action=hold(held))
    turn = await session.turn("hang in there twice")
    assert f"The turn to be chosen: {position.turn}\n" in str(model.seen[-1].messages[-1].content)
    wish = Wish.model_validate(event(turn, "WishMade")["wish"])
    assert wish.until == Limit(sign="turn", number=position.turn + 2)
    assert position.ours.active is not None
    assert wish.ident == position.ours.active.ident
    assert turn.reply.count("until it is turn") == 1
    over = await session.turn(action=hold({**held, "turn": position.turn + 2, "request_id": 98}))
    assert kinds(over)[0] == "WishesDropped"


def test_a_forced_switch_is_no_breach_of_staying(held: Json) -> None:
    position = Position.model_validate(held)
    forced = position.model_copy(update={"force_switch": True})
    wish = Wish(do="stay", span="on")
    assert (wish.is_due(position), wish.is_due(forced)) == (True, False)
