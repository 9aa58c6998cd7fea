"""Orders of their own kind: to attack, whom one may lose, a switch to whoever takes it best."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.agents.battle.test_battle_person import bare, hold, named
from tests.agents.battle.test_battle_turns import event, kinds, scripted

from ruleplay.agents.battle.adapters.duel import PersonSeat
from ruleplay.agents.battle.domain.meaning import Heard, Named, Thing
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Candidate, Expected, Line, SearchVerdict
from ruleplay.agents.battle.domain.wishes import Outlook, Wish, narrow, with_wish
from ruleplay.agents.battle.policy.answers import answer
from ruleplay.agents.battle.policy.asked import asked_tables
from ruleplay.agents.battle.policy.hearing import hear
from ruleplay.agents.battle.policy.names import Lexicon
from ruleplay.agents.battle.policy.rows import battle_tables
from ruleplay.agents.battle.policy.scene import Scene
from ruleplay.agents.battle.routes.seats import seen
from ruleplay.agents.battle.routes.shapes import BattleAnswer
from ruleplay.agents.battle.state import DecisionTrace, Past, Spoken, State
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json

HIT, REST = MoveOrder(move="tackle"), MoveOrder(move="calmmind")
ONE, OTHER = SwitchOrder(ident="p1: One"), SwitchOrder(ident="p1: Other")


@pytest.fixture
def held(positions: tuple[Json, ...]) -> Json:
    """Return a question with moves and several switches to choose from, somebody against us."""
    return next(
        body
        for body in positions
        if sum(order["kind"] == "switch" for order in body["legal"]) >= 3
        and any(order["kind"] == "move" for order in body["legal"])
        and any(mon.get("active") for mon in body["theirs"]["team"])
    )


def plain(**names: str) -> Lexicon:
    """Return a lexicon of a few of ours and theirs: `name="ours"`."""
    found = {name: (Thing(kind, f"p1: {name.title()}"),) for name, kind in names.items()}
    return Lexicon(found, {}, lambda word: False)


def test_attacking_from_now_on_costs_no_more_than_it_may() -> None:
    wish = Wish(do="attack", span="on")
    near = narrow((wish,), [Outlook(REST, "us", 0.6, 0.0), Outlook(HIT, "us", 0.52, 0.0)])
    far = narrow((wish,), [Outlook(REST, "us", 0.6, 0.0), Outlook(HIT, "us", 0.4, 0.0)])
    now = narrow((Wish(do="attack"),), [Outlook(REST, "us", 0.6, 0), Outlook(HIT, "us", 0.4, 0)])
    assert (near.orders, far.orders, now.orders) == ((HIT,), (REST, HIT), (HIT,))
    assert far.unmet == (wish,)


def test_a_switch_without_a_name_goes_to_whoever_takes_it_best() -> None:
    looks = [Outlook(HIT, "us", 0.9, 0.0), Outlook(ONE, ONE.ident, 0.6, 0.0, 0.2),
             Outlook(OTHER, OTHER.ident, 0.58, 0.0, 0.7)]  # fmt: skip
    assert narrow((Wish(do="leave"),), looks).orders == (OTHER,)
    dear = [*looks[:2], Outlook(OTHER, OTHER.ident, 0.3, 0.0, 0.7)]
    assert narrow((Wish(do="leave"),), dear).orders == (ONE,)


def test_one_that_may_be_lost_is_no_risk_and_no_longer_kept() -> None:
    spend = Wish(do="spend", ident="us")
    looks = [Outlook(HIT, "us", 0.6, 0.9), Outlook(ONE, ONE.ident, 0.58, 0.3)]
    assert narrow((Wish(do="safer"),), looks).orders == (ONE,)
    assert narrow((Wish(do="safer"), spend), looks).orders == (HIT,)
    assert with_wish((Wish(do="keep", ident="us"),), spend) == (spend,)
    assert with_wish((spend,), Wish(do="keep", ident="us")) == (Wish(do="keep", ident="us"),)
    assert with_wish((Wish(do="safer"),), Wish(do="attack")) == (
        Wish(do="safer"), Wish(do="attack"),
    )  # fmt: skip


async def test_what_is_stored_is_printed_all_of_it(host: Host, held: Json) -> None:
    mons = [bare(mon["ident"]) for mon in held["ours"]["team"] if mon.get("status") != "fnt"][:2]
    acts = [{"do": "spend", "name": mons[0]}, {"do": "keep", "name": mons[1]},
            {"do": "attack", "span": "on"}]  # fmt: skip
    session, _ = await scripted(
        host, {"battle.read": [json.dumps({"acts": acts, "language": "en"})]}
    )
    await session.turn(action=hold(held))
    turn = await session.turn("you know what I want")
    assert kinds(turn).count("WishMade") == 3
    assert f"{mons[0]} may be lost" in turn.reply
    assert f"{mons[1]} kept safe, unless that costs more than 15%" in turn.reply
    assert "to attack, unless that costs more than 10%" in turn.reply
    assert (await replay(host, session.id)).identical


async def test_the_reason_for_whom_it_brings_in_is_printed(host: Host, held: Json) -> None:
    session, _ = await scripted(host, {"battle.read": [json.dumps({"acts": [{"do": "leave"}]})]})
    await session.turn(action=hold(held))
    turn = await session.turn("get out")
    assert event(turn, "OrderChanged")["chosen"]["order"]["kind"] == "switch"
    assert "takes it best" in turn.reply


async def test_an_order_taken_back_is_taken_back_whatever_follows(
    session: Session, held: Json
) -> None:
    await session.turn(action=hold(held))
    position = Position.model_validate(held)
    to = next(one.ident for one in position.legal if isinstance(one, SwitchOrder))
    assert event(await session.turn(f"switch to {bare(to)}"), "OrderChanged")
    turn = await session.turn("no, scratch that order, stay in")
    assert "Scratch" not in turn.reply
    changed = [one for one in turn.events if one["type"] == "OrderChanged"]
    assert changed[-1]["chosen"]["order"]["kind"] == "move"


async def test_what_was_chosen_before_is_kept_told_and_shown(
    session: Session, positions: tuple[Json, ...]
) -> None:
    first, second = positions[:2]
    order = event(await session.turn(action=hold(first)), "OrderChosen")["order"]
    turn = await session.turn(action=hold({**second, "request_id": first["request_id"] + 1}))
    assert event(turn, "PositionRead")["past"]["chosen"] == order
    assert (await replay(session.host, session.id)).identical


def told(body: Json, topic: str, past: Past | None = None, *things: Thing) -> tuple[Scene, str]:
    position = Position.model_validate(body)
    heard = Heard("en", Named(tuple((one,) for one in things)), topic)
    state = State(position=position, past=past)
    scene = Scene(state, position, state.inference, heard)
    return scene, answer(scene)


def test_the_choice_before_has_its_chances_beside_it(held: Json) -> None:
    position = Position.model_validate(held)
    chosen = next(one for one in position.legal if isinstance(one, MoveOrder))
    other = next(one for one in position.legal if isinstance(one, SwitchOrder))
    lines = (Line(order=chosen, share=0.7, value=0.61), Line(order=other, share=0.3, value=0.55))
    verdict = SearchVerdict(engine="python", lines=lines)
    past = Past(turn=4, chosen=chosen, source="policy", verdict=verdict)
    scene, said = told(held, "past", past)
    assert f"On turn 4 I chose {named(chosen.move)}" in said
    assert "61% then" in said
    assert "55%" in said
    tables = {one.title: one for one in battle_tables(scene.state)}
    shown = tables["the choice before this one"].rows
    assert [row[1] for row in shown] == [61.0, 55.0]
    assert "no earlier choice" in told(held, "past")[1]


def test_why_a_move_that_was_the_choice_before_is_about_that_choice(held: Json) -> None:
    position = Position.model_validate(held)
    before, now = [one for one in position.legal if isinstance(one, MoveOrder)][:2]
    likely = Candidate(kind="move", action="uturn", name="U-turn", probability=0.75)
    away = Candidate(kind="switch", action="", name="", probability=0.25)
    expected = Expected(predictions=(likely, away), summary="")
    past = Past(turn=4, chosen=before, source="policy", expected=expected)
    scene, _ = told(held, "why", past, Thing("move", before.move))
    trace = DecisionTrace.model_construct(chosen=now, verdict=None, scores=())
    said = answer(replace(scene, state=scene.state.model_copy(update={"trace": trace})))
    assert f"On turn 4 I chose {named(before.move)}" in said
    assert "I expected U-turn from them (75%). A switch of theirs had 25%." in said
    tables = {one.title: one for one in battle_tables(scene.state)}
    foreseen = tables["what they were expected to do then"].rows
    assert [row[2] for row in foreseen] == [75.0, 25.0, 25.0]
    assert foreseen[-1][0] == "any switch of theirs"


def test_who_has_fainted_is_said_to_have_before_anything_is_computed_of_it(held: Json) -> None:
    mons = held["ours"]["team"]
    fallen = next(mon for mon in mons if not mon.get("active"))
    team = [{**mon, "status": "fnt", "hp": 0.0} if mon is fallen else mon for mon in mons]
    body = {**held, "ours": {**held["ours"], "team": team}}
    _, said = told(body, "damage", None, Thing("ours", fallen["ident"]))
    assert said == f"{bare(fallen['ident'])} has fainted."


def test_a_plain_word_is_an_item_where_the_question_makes_sense_so_alone() -> None:
    names = replace(plain(incineroar="ours"), short={"mouchoir": "choicescarf"})
    said = "t'es sûr qu'Incineroar est plus rapide ? surtout s'il a le mouchoir"
    heard = hear(said, names, None, 0)
    found = [thing for one in (heard, *heard.also) for thing in one.named.of("item")]
    assert found[:1] == ["choicescarf"]


def test_a_question_is_asked_again_of_somebody_else() -> None:
    before = Spoken(language="en", topic="ability", ours="p1: Sawsbuck")
    heard = hear("hm ok and what about theirs then", plain(sawsbuck="ours"), before, 0)
    assert (heard.topic, heard.side, heard.orders) == ("ability", "theirs", ())
    alone = hear("hm ok and what about theirs then", plain(sawsbuck="ours"), None, 0)
    assert not alone.topic


@pytest.mark.parametrize("said", [
    "Zekrom could have come in long ago",
    "wow Zekrom is doing a lot of work today",
    "elle est nulle ta Zekrom",
    "Zekrom il attendait pourtant sur le banc",
    "what would you call the safest choice here",
    "franchement quel est le choix le moins dangereux",
])  # fmt: skip
def test_a_remark_or_a_question_orders_nothing(said: str) -> None:
    assert hear(said, plain(zekrom="ours"), None, 0).orders == ()


@pytest.mark.parametrize(("said", "acts"), [
    ("Swampert may die for all i care, but please keep Zekrom", ["spend", "keep"]),
    ("Swampert peut mourir, protège Zekrom", ["spend", "keep"]),
    ("from now on attack every single turn", ["attack"]),
    ("à partir de maintenant tu attaques à tous les tours", ["attack"]),
    ("would you please refrain from terastallizing until later", ["no_tera"]),
    ("auriez-vous l'obligeance de ne pas téracristalliser pour le moment", ["no_tera"]),
])  # fmt: skip
def test_orders_are_of_their_own_kind(said: str, acts: list[str]) -> None:
    heard = hear(said, plain(swampert="ours", zekrom="ours"), None, 0)
    assert [act.do for act, _ in heard.orders] == acts


def test_nothing_of_ours_is_listed_among_what_theirs_may_carry(held: Json) -> None:
    position = Position.model_validate(held)
    mine = position.ours.team[0]
    move = Thing("move", mine.known_moves[0])
    scene, _ = told(held, "asked", None, Thing("theirs", position.theirs.team[0].ident), move)
    tables = asked_tables(scene, (), ())
    carried = [row for one in tables if one.title == "what it may carry" for row in one.rows]
    assert (named(move.id), "move", 0.0) not in carried


def test_an_ended_battle_says_so_before_all_else(held: Json) -> None:
    state = State(position=Position.model_validate(held), result="win")
    assert "the battle is over: for us a win" in battle_tables(state)[0].heading


def test_a_turn_without_a_choice_is_shown_to_a_person(question: Json) -> None:
    asked = {"legal": [{"kind": "move", "move": "recharge"}], "request_moves": ["recharge"]}
    seat = PersonSeat(position=Position.model_validate({**question, **asked}))
    battle = BattleAnswer(
        id="1", opponent="you", format="", status="running", session="", result=None, problem=None
    )
    (move,) = seen(seat, battle, chance=None).moves
    assert (move.id, move.name, move.type, move.max_pp) == ("recharge", "Recharge", "", 0)
