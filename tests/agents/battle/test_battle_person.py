"""A person at our side: orders, wishes that stand, and what is answered from the record alone."""

from __future__ import annotations

import json

import pytest
from tests.agents.battle.test_battle_turns import decide, event, kinds, scripted

from ruleplay.agents.battle.domain.meaning import Act
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.wishes import Outlook, Wish, narrow, with_wish
from ruleplay.errors import Conflict
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json


def hold(position: Json) -> Json:
    return {**decide(position), "hold": True}


def bare(ident: str) -> str:
    return ident.partition(": ")[2]


@pytest.fixture
def held(positions: tuple[Json, ...]) -> Json:
    """Return a question with moves, switches and terastallization to choose from."""
    return next(
        body
        for body in positions
        if any(order.get("tera") for order in body["legal"])
        and sum(order["kind"] == "switch" for order in body["legal"]) >= 3
        and body["theirs"]["team"]
    )


def other_move(position: Position, chosen: Json) -> str:
    return next(
        order.move
        for order in position.legal
        if isinstance(order, MoveOrder) and order.move != chosen.get("move")
    )


def named(move: str) -> str:
    from ruleplay.agents.battle.domain.dex import move_name

    return move_name(move)


@pytest.mark.parametrize("words", ["use {}", "utilise {} maintenant", "{} now", "fais {}"])
async def test_an_order_is_followed_while_the_choice_is_held(
    session: Session, held: Json, words: str
) -> None:
    position = Position.model_validate(held)
    before = event(await session.turn(action=hold(held)), "OrderChosen")
    assert before["held"]
    move = other_move(position, before["order"])
    turn = await session.turn(words.format(named(move)))
    changed = event(turn, "OrderChanged")["chosen"]
    assert changed["order"] == {"kind": "move", "move": move, "tera": False}
    assert changed["source"] == "person"
    assert named(move) in turn.reply
    sent = await session.turn(action={"kind": "send", "request_id": position.request_id})
    assert event(sent, "OrderSent")["wire"] == changed["wire"]
    with pytest.raises(Conflict, match="held"):
        await session.turn(action={"kind": "send", "request_id": position.request_id})
    assert (await replay(session.host, session.id)).identical


async def test_an_order_after_the_sending_counts_for_the_next_question(
    session: Session, held: Json
) -> None:
    position = Position.model_validate(held)
    sent = event(await session.turn(action=decide(held)), "OrderChosen")["order"]
    mon = next(
        one.ident
        for one in position.legal
        if isinstance(one, SwitchOrder) and one.ident != sent.get("ident")
    )
    told = await session.turn(f"go {bare(mon)}")
    assert "Next turn" in told.reply
    assert kinds(told)[:1] == ["WishMade"]
    again = await session.turn(action=decide(held))
    chosen = event(again, "OrderChosen")
    assert chosen["order"] == {"kind": "switch", "ident": mon}
    assert chosen["source"] == "person"
    assert (await session.view())["wishes"] == []


async def test_what_is_illegal_is_refused_with_what_is_legal(session: Session, held: Json) -> None:
    position = Position.model_validate(held)
    before = event(await session.turn(action=hold(held)), "OrderChosen")
    bench = next(m for m in position.ours.bench if m.known_moves)
    own = set(position.ours.active.known_moves if position.ours.active else ())
    foreign = next(m for mon in position.ours.bench for m in mon.known_moves if m not in own)
    for words in (f"use {named(foreign)}", f"go {bare(position.ours.active.ident)}"):
        turn = await session.turn(words)
        assert "Possible now:" in turn.reply, (words, turn.reply)
        assert named(next(iter(position.request_moves))) in turn.reply
        assert kinds(turn) == ["Spoken"]
    assert bench
    assert (await session.view())["decision"]["wire"] == before["wire"]


async def test_wishes_stand_are_seen_and_taken_back(session: Session, held: Json) -> None:
    position = Position.model_validate(held)
    await session.turn(action=hold(held))
    with_tera = next(o for o in position.legal if isinstance(o, MoveOrder) and o.tera)
    wanted: Json = {"do": "move", "move": with_tera.move, "tera": True}
    await session.turn(action={"kind": "wish", "wish": wanted})
    assert (await session.view())["decision"]["wire"] == position.wire(with_tera)
    turn = await session.turn("ne téracristallise pas")
    assert "pas de téracristallisation" in turn.reply
    assert not (await session.turn(action=hold(held))).events[-1]["order"].get("tera")
    view = await session.view()
    assert [one["wish"]["do"] for one in view["wishes"]] == ["no_tera"]
    freed = await session.turn("à toi de décider, oublie mon ordre")
    assert "moi qui choisis" in freed.reply
    assert (await session.view())["wishes"] == []


async def test_a_short_name_that_two_have_is_asked_back(session: Session, held: Json) -> None:
    """Two of ours share a word: which is meant is for the person to say."""
    text = {**held, "ours": {**held["ours"], "team": [*held["ours"]["team"]]}}
    bench = [m for m in text["ours"]["team"] if not m.get("active") and not m.get("fainted")][:2]
    renamed = {m["ident"]: f"p1: Zorbl {word}" for m, word in zip(bench, ("Uno", "Dos"))}  # noqa: B905
    body = _renamed(held, renamed)
    await session.turn(action=hold(body))
    turn = await session.turn("switch to zorbl")
    assert kinds(turn)[0] == "WishesOffered"
    assert "1." in turn.reply and "2." in turn.reply  # noqa: PT018
    picked = await session.turn("2")
    offered = event(turn, "WishesOffered")["wishes"]
    assert event(picked, "WishMade")["wish"] == offered[1]


def _renamed(body: Json, names: dict[str, str]) -> Json:
    text = json.dumps(body)
    for old, new in names.items():
        text = text.replace(json.dumps(old), json.dumps(new))
    found: Json = json.loads(text)
    return found


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("who is faster?", "qui est plus rapide ?"),
        ("what are our odds", "nos chances de gagner ?"),
        ("what is on the field", "il y a quoi sur le terrain ?"),
        ("what does {theirs} usually carry", "quel set a {theirs} d'habitude ?"),
        ("how much does {move} do", "{move} fait combien ?"),
        ("what else did you consider", "quelles étaient les autres options ?"),
    ],
)
async def test_questions_are_answered_in_their_language(
    session: Session, held: Json, english: str, french: str
) -> None:
    position = Position.model_validate(held)
    await session.turn(action=decide(held))
    values = {
        "theirs": position.theirs.active.name if position.theirs.active else "",
        "move": named(position.request_moves[0]),
    }
    one = (await session.turn(english.format(**values))).reply
    other = (await session.turn(french.format(**values))).reply
    assert one != other
    for told in (one, other):
        assert "not understand" not in told
        assert "pas sûr" not in told


async def test_what_is_not_understood_is_said(session: Session, held: Json) -> None:
    await session.turn(action=decide(held))
    turn = await session.turn("qwerty asdf zxcv")
    assert kinds(turn) == ["Spoken"]


READING = '{"acts": [{"do": "use", "name": "%s"}], "language": "fr"}'


async def test_a_model_reads_first_and_code_holds_it_to_what_is_legal(
    host: Host, held: Json
) -> None:
    position = Position.model_validate(held)
    move = other_move(position, {})
    said = [READING % named(move), READING % "Judgment of Nobody", '{"acts": []}', "nothing"]
    session, model = await scripted(host, {"battle.read": said})
    await session.turn(action=hold(held))
    obeyed = await session.turn("balance la sauce avec le premier truc")
    assert event(obeyed, "OrderChanged")["chosen"]["order"]["move"] == move
    unknown = await session.turn("le jugement")
    assert kinds(unknown) == ["Spoken"]
    late = await session.turn("who is faster?")
    assert late.reply
    assert len(model.seen) == 4
    assert (await replay(session.host, session.id)).identical


def outlook(order: MoveOrder | SwitchOrder, chance: float, risk: float) -> Outlook:
    return Outlook(order, order.ident if isinstance(order, SwitchOrder) else "us", chance, risk)


HIT, SURE, LEAVE = MoveOrder(move="hit"), MoveOrder(move="sure"), SwitchOrder(ident="them")


def test_safer_play_costs_no_more_than_it_may() -> None:
    safer = (Wish(do="safer"),)
    near = narrow(safer, [outlook(HIT, 0.6, 0.9), outlook(SURE, 0.57, 0.1)])
    far = narrow(safer, [outlook(HIT, 0.6, 0.9), outlook(SURE, 0.4, 0.0)])
    assert near.orders == (SURE,)
    assert far.orders == (HIT,)


def test_one_to_be_kept_leaves_where_that_is_not_too_dear() -> None:
    keep = (Wish(do="keep", ident="us"),)
    left = narrow(keep, [outlook(HIT, 0.6, 0.9), outlook(LEAVE, 0.5, 0.1)])
    dear = narrow(keep, [outlook(HIT, 0.6, 0.9), outlook(LEAVE, 0.3, 0.1)])
    assert (left.orders, left.followed) == ((LEAVE,), keep)
    assert (dear.orders, dear.unmet) == ((HIT, LEAVE), keep)


def test_an_order_takes_the_place_of_another_and_of_what_it_contradicts() -> None:
    before = (Wish(do="no_tera"), Wish(do="move", move="hit"), Wish(do="safer"))
    after = with_wish(before, Wish(do="tera"))
    assert after == (Wish(do="safer"), Wish(do="tera"))


def test_an_act_holds_no_more_than_a_name() -> None:
    with pytest.raises(ValueError, match="80"):
        Act(do="use", name="x" * 81)


async def test_a_wish_for_a_turn_that_is_out_changes_nothing(session: Session, held: Json) -> None:
    sent = event(await session.turn(action=decide(held)), "OrderChosen")["order"]
    turn = await session.turn("do not tera on this turn")
    assert kinds(turn) == ["Spoken"]
    assert "already out" in turn.reply
    assert ("as you want it" in turn.reply) != bool(sent.get("tera"))


async def test_a_wish_for_one_turn_ends_with_it(session: Session, held: Json) -> None:
    await session.turn(action=hold(held))
    made = event(await session.turn("no terastallization on this turn please"), "WishMade")
    assert made["wish"]["span"] == "this"
    await session.turn(action=hold(held))
    assert (await session.view())["wishes"] == []


async def test_an_order_for_the_next_turn_leaves_this_one_alone(
    host: Host, held: Json
) -> None:  # fmt: skip
    position = Position.model_validate(held)
    move = other_move(position, {})
    read = json.dumps({"acts": [{"do": "use", "name": named(move), "span": "next"}]})
    session, _ = await scripted(host, {"battle.read": [read]})
    before = event(await session.turn(action=hold(held)), "OrderChosen")
    turn = await session.turn("and that one after this")
    assert kinds(turn) == ["WishMade", "Spoken"]
    assert (await session.view())["decision"]["wire"] == before["wire"]
    chosen = event(await session.turn(action=hold(held)), "OrderChosen")
    assert chosen["order"]["move"] == move
    assert (await session.view())["wishes"] == []


async def test_giving_up_is_asked_once_and_then_done(session: Session, held: Json) -> None:
    await session.turn(action=decide(held))
    asked = await session.turn("I want to resign this game")
    assert kinds(asked) == ["WishesOffered", "Spoken"]
    await session.turn("who is faster?")
    assert kinds(await session.turn("yes")) == ["Spoken"]
    await session.turn("I want to resign this game")
    done = await session.turn("yes, I am sure")
    assert event(done, "WishMade")["wish"]["do"] == "forfeit"
    assert "give the battle up" in done.reply
    assert (await replay(session.host, session.id)).identical


async def test_a_condition_of_an_order_is_weighed_by_code(host: Host, held: Json) -> None:
    weak = {**held, "theirs": {**held["theirs"], "team": [*held["theirs"]["team"]]}}
    move = other_move(Position.model_validate(held), {})
    use: Json = {"do": "use", "name": named(move), "only": "kills"}
    acts = json.dumps({"acts": [use, {"do": "stay", "only": "otherwise"}]})
    session, _ = await scripted(host, {"battle.read": [acts]})
    trace = event(await session.turn(action=hold(weak)), "DecisionTrace")
    kills = any(one["move"] == move and one["ko_chance"] > 0.995 for one in trace["moves"]["moves"])
    turn = await session.turn("that one if it kills for certain, else just stay")
    assert event(turn, "WishMade")["wish"]["do"] == ("move" if kills else "stay")
    assert ("does not surely knock out" in turn.reply) != kills


def test_the_next_order_and_this_one_stand_side_by_side() -> None:
    now, later = Wish(do="move", move="hit"), Wish(do="move", move="sure", span="next")
    assert with_wish((now,), later) == (now, later)
    assert with_wish((Wish(do="stay", span="on"),), now) == (Wish(do="stay", span="on"), now)
    assert not Wish(do="no_tera", span="this").stands
    assert Wish(do="move", move="hit", span="on").stands


@pytest.mark.parametrize("said", ["do we terastallize this turn?", "on téracristallise ce tour ?"])
async def test_who_asks_whether_to_do_a_thing_has_not_ordered_it(
    session: Session, held: Json, said: str
) -> None:
    await session.turn(action=hold(held))
    assert "WishMade" not in kinds(await session.turn(said))
    assert (await session.view())["wishes"] == []
