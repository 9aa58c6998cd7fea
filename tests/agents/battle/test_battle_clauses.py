"""A message of several clauses: orders, conditions, doubts and questions, each heard by itself."""

from __future__ import annotations

import json

import pytest
from tests.agents.battle.test_battle_person import bare, hold, named, other_move
from tests.agents.battle.test_battle_turns import decide, event, kinds, scripted

from ruleplay.agents.battle.domain.chances import turning
from ruleplay.agents.battle.domain.meaning import Act, Named, Reading, Thing
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.wishes import ANYBODY, Outlook, Wish, narrow, with_wish
from ruleplay.agents.battle.policy.hearing import PACKAGE, _as_one, hear
from ruleplay.agents.battle.policy.names import Lexicon
from ruleplay.agents.battle.policy.reading import reading_problems
from ruleplay.agents.battle.state import Spoken
from ruleplay.hearing.classifier import load
from ruleplay.hearing.joints import clauses
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json


@pytest.fixture
def held(positions: tuple[Json, ...]) -> Json:
    """Return a question with moves, switches, terastallization, and two of theirs seen."""
    return next(
        body
        for body in positions
        if any(order.get("tera") for order in body["legal"])
        and sum(order["kind"] == "switch" for order in body["legal"]) >= 3
        and sum(mon.get("status") != "fnt" for mon in body["theirs"]["team"]) >= 2
        and any(mon.get("active") for mon in body["theirs"]["team"])
    )


def backs(position: Position) -> tuple[str, str]:
    """Return one of theirs on the bench and one of ours that may come in."""
    foe = next(mon.ident for mon in position.theirs.bench)
    return foe, next(o.ident for o in position.legal if isinstance(o, SwitchOrder))


def with_foe(body: Json, ident: str) -> Json:
    """Return a question in which that one of theirs stands on the field."""
    team = [{**mon, "active": mon["ident"] == ident} for mon in body["theirs"]["team"]]
    return {**body, "theirs": {**body["theirs"], "team": team}}


@pytest.mark.parametrize("words", [
    "use {move}, and if they bring {foe} in, switch to {mon}",
    "{move} maintenant, et s'ils envoient {foe} tu mets {mon}",
])  # fmt: skip
async def test_an_order_waits_for_whom_it_names(session: Session, held: Json, words: str) -> None:
    position = Position.model_validate(held)
    foe, mon = backs(position)
    before = event(await session.turn(action=hold(held)), "OrderChosen")
    move = other_move(position, before["order"])
    turn = await session.turn(words.format(move=named(move), foe=bare(foe), mon=bare(mon)))
    wishes = [one["wish"] for one in turn.events if one["type"] == "WishMade"]
    assert [(one["do"], one.get("when", "")) for one in wishes] == [("move", ""), ("switch", foe)]
    assert bare(foe) in turn.reply
    await session.turn(action=hold(held))
    waiting = (await session.view())["wishes"]
    assert [one["wish"]["when"] for one in waiting] == [foe]
    chosen = event(await session.turn(action=hold(with_foe(held, foe))), "OrderChosen")
    assert chosen["order"] == {"kind": "switch", "ident": mon}
    assert (await session.view())["wishes"] == []
    assert (await replay(session.host, session.id)).identical


async def test_a_model_may_read_whom_an_order_waits_for(host: Host, held: Json) -> None:
    foe, mon = backs(Position.model_validate(held))
    act: Json = {"do": "switch", "name": bare(mon), "when": bare(foe)}
    nobody = {**act, "when": "somebody"}
    read = [json.dumps({"acts": [one]}) for one in (act, nobody, nobody)]
    session, _ = await scripted(host, {"battle.read": read})
    await session.turn(action=decide(held))
    assert event(await session.turn("that answer to that one"), "WishMade")["wish"]["when"] == foe
    assert kinds(await session.turn("and to any other")) == ["WishesOffered", "Spoken"]
    assert "at once" in (await session.turn("and to any other")).reply


def fallen(body: Json, whose: str, ident: str) -> Json:
    """Return a question in which this one has fainted; of ours somebody has to come in for it."""
    team = [
        {**mon, "status": "fnt", "hp": 0.0} if mon["ident"] == ident else mon
        for mon in body[whose]["team"]
    ]
    made = {**body, whose: {**body[whose], "team": team}}
    switches = [order for order in body["legal"] if order["kind"] == "switch"]
    return made | ({"legal": switches, "force_switch": True} if whose == "ours" else {})


@pytest.mark.parametrize("whose", ["ours", "theirs"])
async def test_an_order_waits_until_somebody_has_fainted(
    host: Host, held: Json, whose: str
) -> None:
    position = Position.model_validate(held)
    out = (position.ours if whose == "ours" else position.theirs).active
    assert out is not None
    _, mon = backs(position)
    act: Json = {"do": "switch", "name": bare(mon), "once": bare(out.ident)}
    read = [json.dumps({"acts": one}) for one in (
        [act], [act, {"do": "free"}], [{"do": "forfeit", "once": bare(out.ident)}],
        [{"do": "switch", "name": bare(mon), "only": "other", "said": "if it rains"}], [act],
    )]  # fmt: skip
    session, _ = await scripted(host, {"battle.read": read})
    await session.turn(action=hold(held))
    turn = await session.turn("when that one falls, send this one")
    assert kinds(turn) == ["WishMade", "Spoken"]  # the order stays as it is
    assert bare(out.ident) in turn.reply
    assert "WishesDropped" in kinds(await session.turn("no, forget that"))
    assert (await session.view())["wishes"] == []
    for condition, why in (
        ("give up when it falls", "takes effect at once"),
        ("send it if it rains", "decides “if it rains”"),
    ):
        turn = await session.turn(condition)
        assert why in turn.reply
        assert kinds(turn) == ["Spoken"]
    await session.turn("when that one falls, send this one")
    await session.turn(action=hold(held))
    assert [one["wish"]["once"] for one in (await session.view())["wishes"]] == [out.ident]
    chosen = event(await session.turn(action=hold(fallen(held, whose, out.ident))), "OrderChosen")
    assert chosen["order"] == {"kind": "switch", "ident": mon}
    assert (await session.view())["wishes"] == []
    assert (await replay(session.host, session.id)).identical


async def test_a_wish_may_hold_from_the_next_turn_on(host: Host, held: Json) -> None:
    acts: list[Json] = [{"do": "attack", "span": "after"}]
    session, _ = await scripted(host, {"battle.read": [json.dumps({"acts": acts})]})
    await session.turn(action=hold(held))
    made = event(await session.turn("from the next turn on, attack"), "WishMade")["wish"]
    assert (made["since"], made["span"]) == (held["turn"] + 1, "on")
    now, later = (Position.model_validate({**held, "turn": held["turn"] + n}) for n in (0, 1))
    wish = Wish.model_validate(made)
    assert not wish.is_due(now)
    assert wish.is_due(later)


def test_conditions_that_make_no_sense_are_sent_back() -> None:
    keep = Act(do="keep", name="Us", only="lives")
    told = reading_problems(Reading(acts=(keep, Act(do="switch", only="otherwise"))), 0)
    assert len(told) == 1
    assert "once" in told[0]
    assert "otherwise" in reading_problems(Reading(acts=(Act(do="use", only="otherwise"),)), 0)[0]


def test_what_waits_replaces_only_what_waits_for_the_same() -> None:
    plain, waits = Wish(do="move", move="hit"), Wish(do="switch", ident="us", when="p2: Foe")
    other = Wish(do="move", move="sure", when="p2: Foe")
    assert with_wish((plain,), waits) == (plain, waits)
    assert with_wish((plain, waits), other) == (plain, other)
    assert waits.stands


def test_a_setting_narrows_nothing() -> None:
    orders = [Outlook(MoveOrder(move=one), "us", 0.5, 0.0) for one in ("hit", "sure")]
    left = narrow([Wish(do="comment")], orders)
    assert len(left.orders) == 2
    assert not left.followed


@pytest.mark.parametrize("words", [
    "tera now. actually is tera any good here?",
    "téracristallise. euh c'est bien ici ?",
])  # fmt: skip
async def test_who_doubts_an_order_is_asked_again(session: Session, held: Json, words: str) -> None:
    await session.turn(action=hold(held))
    turn = await session.turn(words)
    assert kinds(turn)[0] == "WishesOffered"
    assert (await session.view())["wishes"] == []
    assert ("Dis oui" if "ici" in words else "Say yes") in turn.reply
    said = "oui" if "ici" in words else "yes"
    assert event(await session.turn(said), "WishMade")["wish"]["do"] == "tera"


@pytest.mark.parametrize("words", ["no, not {mon}, another one", "non pas {mon}, un autre"])
async def test_another_than_the_one_named_is_asked_for(
    session: Session, held: Json, words: str
) -> None:
    position = Position.model_validate(held)
    _, mon = backs(position)
    await session.turn(action=decide(held))
    await session.turn(f"switch to {bare(mon)}")
    turn = await session.turn(words.format(mon=bare(mon)))
    assert event(turn, "WishesDropped")["wishes"][0]["ident"] == mon
    offered = event(turn, "WishesOffered")["wishes"]
    assert mon not in [one["ident"] for one in offered]
    picked = event(await session.turn("1"), "WishMade")["wish"]
    assert picked == offered[0]


async def test_each_choice_is_explained_until_that_is_taken_back(
    session: Session, held: Json
) -> None:
    await session.turn(action=decide(held))
    turn = await session.turn("explain every move you make from now on")
    assert event(turn, "WishMade")["wish"]["do"] == "comment"
    assert "Last turn:" in (await session.turn(action=decide(held))).reply
    await session.turn("stop explaining your moves")
    assert (await session.view())["wishes"] == []
    assert "Last turn:" not in (await session.turn(action=decide(held))).reply


async def test_each_clause_that_asks_is_answered(session: Session, held: Json) -> None:
    await session.turn(action=decide(held))
    turn = await session.turn("who is faster? and what are our odds?")
    assert "faster" in turn.reply
    assert "chance of winning" in turn.reply or "no number" in turn.reply


async def test_what_is_unclear_is_asked_back_with_its_own_names(
    session: Session, held: Json
) -> None:
    position = Position.model_validate(held)
    await session.turn(action=decide(held))
    name = named(position.request_moves[0])
    turn = await session.turn(f"zxcv {name} qwerty asdf hjkl")
    if "WishMade" not in kinds(turn):
        assert name in turn.reply


def heard(text: str) -> list[tuple[str, str, str]]:
    """Return the orders of a message without names: what, on which condition, for how long."""
    lexicon = Lexicon({}, {}, lambda word: True)
    return [(act.do, act.only, act.span) for act, _ in hear(text, lexicon, None, 0).orders]


@pytest.mark.parametrize("words", [
    "if i launched {move} now, what would {foe} answer when it shows up?",
    "et si je lançais {move}, {foe} ferait quoi en arrivant ?",
])  # fmt: skip
async def test_what_somebody_only_supposes_is_no_order(
    session: Session, held: Json, words: str
) -> None:
    position = Position.model_validate(held)
    before = event(await session.turn(action=hold(held)), "OrderChosen")
    foe, _ = backs(position)
    move = other_move(position, before["order"])
    turn = await session.turn(words.format(move=named(move), foe=bare(foe)))
    assert kinds(turn) == ["Spoken"]
    assert bare(foe) in turn.reply


@pytest.mark.parametrize("words", ["why not just stay in tho", "pourquoi pas rester là"])
async def test_a_question_that_runs_on_into_an_order_asks(
    session: Session, held: Json, words: str
) -> None:
    await session.turn(action=hold(held))
    turn = await session.turn(words)
    assert "WishMade" not in kinds(turn)
    assert "OrderChanged" not in kinds(turn)


def test_what_is_ordered_whether_they_stay_or_not_has_no_condition() -> None:
    hit = Named(((Thing("move", "hit"),),))
    once = (Act(do="use", when=ANYBODY), hit)
    assert [act.when for act, _ in _as_one([once, (Act(do="use"), Named())])] == [""]
    assert [act.when for act, _ in _as_one([once])] == [ANYBODY]


def test_a_clause_asks_the_same_as_the_one_before_it_of_the_other_side() -> None:
    found = hear("are there spikes on our side? and on theirs?", Lexicon({}, {}, len), None, 0)
    told = [(one.topic, one.side) for one in (found, *found.also)]
    assert told == [("hazards", "ours"), ("hazards", "theirs")]


async def test_who_may_die_without_a_name_is_who_stands_there(session: Session, held: Json) -> None:
    await session.turn(action=hold(held))
    out = next(mon["ident"] for mon in held["ours"]["team"] if mon.get("active"))
    wish = event(await session.turn("it may die if it must"), "WishMade")["wish"]
    assert (wish["do"], wish["ident"]) == ("spend", out)


def test_of_orders_that_contradict_each_other_the_last_counts() -> None:
    assert [do for do, *_ in heard("terastallize. no wait, dont tera")] == ["no_tera"]


def test_a_text_is_cut_only_where_that_reads_better() -> None:
    joints = load("ruleplay.hearing", "joints.bin")

    def sure(text: str) -> float:
        return load(PACKAGE, "reader.bin").by_words().read(text)["topic"][0].sure

    for parts in (["who is faster? ", "are we winning"], ["what does <move> do to <mon>"]):
        assert clauses("".join(parts), joints, sure) == parts
    assert clauses("", joints, sure) == [""]
    long = "and then " * 400
    assert "".join(clauses(long, joints, sure)) == long


def test_the_turns_where_chances_turned_are_told() -> None:
    curve = [(1, 0.5), (2, 0.3), (3, 0.35), (4, 0.7)]
    assert turning(curve) == {"recap_fall": (1, 0.5, 0.3), "recap_rise": (3, 0.35, 0.7)}
    assert turning([(1, 0.5), (2, 0.52)]) == {}
    assert turning([]) == {}


NAMES = Lexicon(
    {
        "grimmsnarl": (Thing("ours", "p1: Grimmsnarl"),),
        "palafin": (Thing("theirs", "p2: Palafin"),),
    },
    {},
    lambda word: False,
)


def test_a_name_of_a_remark_that_is_nobodys_here_is_not_what_is_asked_about() -> None:
    said = "j'ai arrêté à Mewtwo... c'est quoi son type à celui d'en face et il craint quoi ?"
    heard = hear(said, NAMES, None, 0)
    assert heard.topic == "types"
    assert not any(name.of("species") for name in (heard.named, *(o.named for o in heard.also)))


def test_a_wish_in_a_questions_form_is_offered_and_what_it_asks_is_answered() -> None:
    said = "No tera till their last two mons, unless it literally saves the game ok?"
    heard = hear(said, NAMES, None, 0)
    assert [(act.do, act.doubted) for act, _ in heard.orders] == [("no_tera", True)]
    assert heard.topic == "tera"


@pytest.mark.parametrize(("said", "asks"), [
    ("mon petit-fils me parle de « téra » sans arrêt, c'est quoi au juste et combien de fois ?",
     "explain"),
    ("si Palafin téracristallise en acier, est-ce que ça passe encore ?", "tera"),
    ("what happens if we just stay in and they click their best move", "threat"),
])  # fmt: skip
def test_an_orders_words_amid_a_question_order_nothing(said: str, asks: str) -> None:
    heard = hear(said, NAMES, None, 0)
    assert heard.orders == ()
    assert asks in {one.topic for one in (heard, *heard.also)}


def test_a_word_of_an_order_that_is_given_again_is_not_asked_back() -> None:
    heard = hear("right do that. actually no wait, dont, stay in and hit it", NAMES, None, 0)
    assert [act.do for act, _ in heard.orders] == ["attack"]
    assert heard.choices == ()


def test_what_may_be_an_order_is_one_where_it_is_about_what_was_asked_before() -> None:
    said = "Ah d'accord. Alors ne l'utilisez pas tout de suite. Et l'autre en face ?"
    heard = hear(said, NAMES, Spoken(topic="tera", language="fr"), 0)
    assert [(act.do, act.doubted) for act, _ in heard.orders] == [("no_tera", False)]
    assert (heard.topic, heard.side) == ("tera", "theirs")


def test_a_word_beside_a_question_is_no_question_of_its_own() -> None:
    heard = hear("Palafin : rapide ou lent par rapport à Grimmsnarl ? chiffres.", NAMES, None, 0)
    assert (heard.topic, heard.also) == ("speed", ())


@pytest.mark.parametrize(("said", "do"), [
    ("Please don't use tera yet, keep it for the last two. Unless it would save us obviously",
     "no_tera"),
    ("garde Grimmsnarl pour la fin, c'est notre seul truc qui passe derrière. sauf s'il faut le "
     "sacrifier", "keep"),
    ("n dont ever bring Grimmsnarl in on a fighting type", "another"),
])  # fmt: skip
def test_a_clear_wish_stands_whatever_is_said_beside_it(said: str, do: str) -> None:
    heard = hear(said, NAMES, None, 0)
    assert [act.do for act, _ in heard.orders] == [do]
    assert heard.topic != "survive"


@pytest.mark.parametrize(("words", "do"), [
    ("sack {mon} so {out} comes back healthy.. hmm actually no dont, keep it, just attack", "keep"),
    ("met {mon} stp jcroi il resiste", "switch"),
])  # fmt: skip
async def test_what_is_taken_back_is_not_done_and_a_remark_hides_no_order(
    session: Session, held: Json, words: str, do: str
) -> None:
    position = Position.model_validate(held)
    mon, out = backs(position)[1], position.ours.active
    assert out is not None
    await session.turn(action=hold(held))
    turn = await session.turn(words.format(mon=bare(mon), out=bare(out.ident)))
    made = event(turn, "WishMade")["wish"]
    assert (made["do"], made["ident"]) == (do, mon)
    assert "avoid" not in str(turn.events)


async def test_the_last_turn_and_the_status_that_stands_are_answered(
    session: Session, held: Json
) -> None:
    us = next(mon["ident"] for mon in held["ours"]["team"] if mon.get("active"))
    foe = next(mon["ident"] for mon in held["theirs"]["team"] if mon.get("active"))
    team = [{**mon, "status": "par"} if mon.get("active") else mon for mon in held["ours"]["team"]]
    hit = [f"move|{foe}|Surf|{us}", f"-crit|{us}", f"-damage|{us}|61/100"]
    log = [f"turn|{held['turn'] - 1}", f"switch|{us}|X, L80|100/100", *hit, f"turn|{held['turn']}"]
    await session.turn(action=hold({**held, "log": log, "ours": {**held["ours"], "team": team}}))
    assert "used Surf: 39% of" in (await session.turn("was that a crit?")).reply
    for asked in ("how often does paralysis stop a move", f"whats that icon thing on {bare(us)}"):
        assert "a chance of 25%" in (await session.turn(asked)).reply
    await session.turn("pas de tera")
    told = (await session.turn(f"Sauf si ça sauve {bare(us)}, là oui tu peux.")).reply
    assert "je ne peux pas la surveiller. Ce qui tient : pas de téra" in told
