"""Whose thing is asked about, orders that contradict, and answers that begin with the answer."""

from __future__ import annotations

import pytest
from tests.agents.battle.test_battle_clauses import backs, held
from tests.agents.battle.test_battle_person import bare, hold, named
from tests.agents.battle.test_battle_turns import decide, event, kinds
from tests.showdown import INSTALLED

from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.domain.meaning import Thing
from ruleplay.agents.battle.domain.orders import MoveOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.wishes import Limit
from ruleplay.agents.battle.policy.hearing import hear, is_usual
from ruleplay.agents.battle.policy.names import Lexicon
from ruleplay.agents.battle.state import Spoken
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json

__all__ = ["held"]

ENCORE = Lexicon({"encore": (Thing("move", "encore"),)}, {}, is_usual)


@pytest.mark.parametrize(("words", "side"), [
    ("il nous reste encore la téra ?", "ours"), ("ils ont encore leur téra ?", "theirs"),
    ("do we still have our tera", "ours"), ("do they still have their tera", "theirs"),
])  # fmt: skip
def test_a_plain_word_is_no_move_and_a_question_says_whose(words: str, side: str) -> None:
    heard = hear(words, ENCORE, None, 0)
    assert (heard.topic, heard.side, heard.named.names) == ("tera", side, ())


MET = Lexicon(
    {"lugia": (Thing("theirs", "p2: Lugia"),), "lunala": (Thing("ours", "p1: Lunala"),)},
    {},
    is_usual,
    {"scarfed": "choicescarf"},
)


BOTH = Lexicon({**ENCORE.battle, "lunala": (Thing("ours", "p1: Lunala"),)}, {}, is_usual)


@pytest.mark.parametrize(("words", "before", "topics"), [
    # One of theirs is spoken of, not sent in.
    ("attends Lugia il me fait peur, c'est lui le plus dangereux chez eux ?", "", ["danger"]),
    # The words of the question just answered, but another question.
    ("ok et lequel de chez nous peut l'encaisser alors", "danger", ["switches"]),
    ("qui est le plus dangereux ?", "danger", ["danger"]),
    ("wait Lugia, scares me", "", ["danger"]),
    ("what made you think Lugia doesn't outspeed Lunala? show me", "", ["speed"]),
    # Two questions of a sentence each, the second unclear.
    ("peut-on mettre deux adversaires au sommeil dans ce format ? "
     "Et est-ce qu'on voit leur équipe à l'avance comme aux tournois ?", "", ["clause", "unseen"]),
])  # fmt: skip
def test_a_question_is_heard_as_what_it_asks(words: str, before: str, topics: list[str]) -> None:
    heard = hear(words, MET, Spoken(language="en", topic=before) if before else None, 0)
    assert [one.topic for one in (heard, *heard.also)] == topics
    assert heard.orders == ()


@pytest.mark.parametrize(("words", "unless"), [
    ("keep Lunala unless we really need it", Limit(sign="costs")),
    ("garde Lunala, sauf s'il n'y a pas le choix", Limit(sign="costs")),
    ("garde Lunala sauf contre Lugia", Limit(sign="out", name="p2: Lugia")),
    ("no more tera for the rest of the game", None),
])  # fmt: skip
def test_the_exception_of_a_wish_is_kept(words: str, unless: Limit | None) -> None:
    ((act, _),) = hear(words, MET, None, 0).orders
    assert act.unless == unless


@pytest.mark.parametrize(("words", "do", "turns", "when"), [
    ("Lunala is not to be taken off the field", "stay", 0, ""),
    ("on ne rappelle pas Lunala", "stay", 0, ""),
    ("no swapping out for four turns", "stay", 4, ""),
    ("reste en place pendant 3 tours", "stay", 3, ""),
    ("never put Lunala in front of Lugia", "another", 0, "p2: Lugia"),
    ("ne mets jamais Lunala contre Lugia", "another", 0, "p2: Lugia"),
])  # fmt: skip
def test_what_is_ruled_out_is_not_ordered(words: str, do: str, turns: int, when: str) -> None:
    ((act, _),) = hear(words, MET, None, 0).orders
    assert (act.do, act.turns, act.when) == (do, turns, when)


@pytest.mark.parametrize("words", [
    "only Lunala is allowed to tera", "la tera est pour Lunala et personne d'autre",
])  # fmt: skip
def test_who_alone_may_terastallize_is_the_exception(words: str) -> None:
    ((act, named),) = hear(words, MET, None, 0).orders
    assert (act.do, named.names) == ("no_tera", ())
    assert act.unless == Limit(sign="out", name="p1: Lunala")


def test_what_is_ruled_out_for_good_holds_beside_an_order() -> None:
    heard = hear("send Lunala in, and never use Encore again", BOTH, None, 0)
    assert [(act.do, act.rules_out) for act, _ in heard.orders] == [
        ("switch", False),
        ("another", True),
    ]


def test_what_is_ours_to_play_is_asked_back_beside_orders() -> None:
    said = "je préfère que tu tapes avec Lunala et tant pis si il meurt mais téra pas, pas encore"
    heard = hear(said, MET, None, 0)
    assert [act.do for act, _ in heard.orders] == ["spend", "no_tera"]
    assert "attack" in heard.choices


def test_an_item_is_named_by_what_it_makes_of_its_holder() -> None:
    assert hear("and if it's scarfed?", MET, None, 0).named.of("item") == ("choicescarf",)
    assert World(INSTALLED).short_names("is it scarfed?") == {"scarfed": "choicescarf"}


def test_a_word_that_is_all_of_a_message_is_the_move() -> None:
    assert hear("Encore", ENCORE, None, 0).orders[0][0].do == "use"


def test_a_bare_name_speaks_the_language_of_the_talk() -> None:
    assert hear("encore", ENCORE, Spoken(language="fr"), 0).language == "fr"
    assert hear("encore", ENCORE, Spoken(language="en"), 0).language == "en"
    assert hear("encore", ENCORE, None, 0).language == "en"


async def test_two_orders_for_one_turn_are_asked_back(session: Session, held: Json) -> None:
    position = Position.model_validate(held)
    move = next(o.move for o in position.legal if isinstance(o, MoveOrder))
    await session.turn(action=hold(held))
    turn = await session.turn(f"use {named(move)} and switch to {bare(backs(position)[1])}")
    assert kinds(turn) == ["WishesOffered", "Spoken"]
    assert len(event(turn, "WishesOffered")["wishes"]) == 2


@pytest.mark.parametrize("words", ["please don't use {move}", "surtout pas {move} ce tour"])
async def test_a_choice_that_is_ruled_out_is_made_anew(
    session: Session, held: Json, words: str
) -> None:
    held = {**held, "legal": [o for o in held["legal"] if o["kind"] == "move"]}
    before = event(await session.turn(action=hold(held)), "OrderChosen")["order"]
    turn = await session.turn(words.format(move=named(before["move"])))
    assert [e["wish"]["move"] for e in turn.events if e["type"] == "WishMade"] == [before["move"]]
    after = event(turn, "OrderChanged")["chosen"]["order"]
    assert after["move"] != before["move"]
    assert (await session.view())["wishes"] == []


async def test_only_what_is_named_is_ruled_out(session: Session, held: Json) -> None:
    before = event(await session.turn(action=hold(held)), "OrderChosen")["order"]
    other = next(
        o["move"] for o in held["legal"] if o.get("move") not in (None, before.get("move"))
    )
    turn = await session.turn(f"please don't use {named(other)}")
    assert [e["wish"]["move"] for e in turn.events if e["type"] == "WishMade"] == [other]


async def test_a_lasting_ban_is_kept(session: Session, held: Json) -> None:
    held = {**held, "legal": [o for o in held["legal"] if o["kind"] == "move"]}
    before = event(await session.turn(action=decide(held)), "OrderChosen")["order"]
    await session.turn(f"never use {named(before['move'])} again this battle")
    after = event(await session.turn(action=decide(held)), "OrderChosen")["order"]
    assert after["move"] != before["move"]
    assert len((await session.view())["wishes"]) == 1


async def test_a_question_whether_to_give_up_is_no_order(session: Session, held: Json) -> None:
    await session.turn(action=hold(held))
    for words in ("do you think we should surrender", "tu crois qu'il vaut mieux abandonner ?"):
        assert kinds(await session.turn(words)) == ["Spoken"]


async def test_what_leans_on_the_clause_before_is_about_its_subject(
    session: Session, held: Json
) -> None:
    position = Position.model_validate(held)
    move = next(o.move for o in position.legal if isinstance(o, MoveOrder))
    await session.turn(action=decide(held))
    turn = await session.turn(f"why not {named(move)}? is it no use against that?")
    assert "understand" not in turn.reply
    assert named(move) in turn.reply


async def test_an_answer_begins_with_the_answer(session: Session, held: Json) -> None:
    position = Position.model_validate({**held, "time_left": 42})
    await session.turn(action=hold({**held, "time_left": 42}))
    for words, begins in (
        ("how many of theirs are left", f"They still have {position.theirs.alive} Pokémon"),
        ("how many of ours are left", f"We still have {position.ours.alive} Pokémon"),
        ("which of theirs is the most dangerous", "The most dangerous of theirs is"),
        ("how many seconds are on the clock", "42 seconds"),
        ("can you take back that last move", "No:"),
    ):
        assert (await session.turn(words)).reply.startswith(begins), words


async def test_a_boost_is_one_of_the_moves_that_raise_stats(session: Session, held: Json) -> None:
    ours = {**held["ours"], "team": [*held["ours"]["team"]]}
    at = next(n for n, mon in enumerate(ours["team"]) if mon.get("active"))
    slot = {"id": "swordsdance", "pp": 20, "max_pp": 32}
    ours["team"][at] = {**ours["team"][at], "moves": [*ours["team"][at]["moves"][:3], slot]}
    legal = [o for o in held["legal"] if o["kind"] == "switch"]
    legal += [{"kind": "move", "move": move["id"]} for move in ours["team"][at]["moves"]]
    asked = {**held, "ours": ours, "legal": legal}
    asked["request_moves"] = [move["id"] for move in ours["team"][at]["moves"]]
    await session.turn(action=hold(asked))
    turn = await session.turn("raise your stats first")
    assert event(turn, "WishMade")["wish"]["move"] == "swordsdance"
