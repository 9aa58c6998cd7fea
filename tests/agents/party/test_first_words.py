"""A person's words are heard where the story has begun, and answered in their order."""

from __future__ import annotations

import json

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import types
from tests.agents.party.hearing import situation
from tests.agents.party.models import Able

from ruleplay.agents.party.agent import AGENT
from ruleplay.agents.party.domain.happenings.creatures import HitPointsChanged
from ruleplay.agents.party.domain.happenings.table import Acted, Consulted
from ruleplay.agents.party.domain.happenings.tale import AskedBack, Did
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.policy.answering import companion_says, person_says
from ruleplay.agents.party.policy.answers import between_us, facts_of
from ruleplay.agents.party.policy.parsing import understand
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.state import Happened, event_of
from ruleplay.kernel.replay import replay
from ruleplay.records.given import Given
from ruleplay.records.turns import whole_reply

BELL = "A bell that rings under water, Brenna, how so?"
ROOM = "A low room that smokes from every joint."


def spoken(said: str, *acts: dict[str, object]) -> dict[str, dict[str, object]]:
    """Return what a model reads in a message."""
    return {said: {"acts": acts}}


async def test_first_words_are_heard_once_the_story_has_begun(room: Open) -> None:
    model = Able(spoken(BELL, {"do": "say", "to": "brenna", "text": BELL}))
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        turn = await session.turn(BELL, seat="thorin")
        (read,) = [text for role, text in model.asked if role == "party.read"]
        later = await session.turn(action={"do": "pass"}, seat="thorin")
        assert (await replay(session.host, session.id)).identical
    assert "brenna" in read
    assert ROOM in read
    assert turn.reply.index(ROOM) < turn.reply.index(BELL)
    assert ROOM not in later.reply
    assert (turn.reply.count(ROOM), types(turn).count("SceneEntered")) == (1, 1)


async def test_the_beginning_is_told_again_where_the_first_turn_is_taken_back(room: Open) -> None:
    table = await room("1", humans=["thorin"])
    async with table.session() as session:
        first = await session.turn("Good evening, Brenna", seat="thorin")
        again = await session.regenerate()
        await session.undo()
        anew = await session.turn("Good evening, Jory", seat="thorin")
    assert [one.reply.count(ROOM) for one in (first, again, anew)] == [1, 1, 1]


@pytest.mark.parametrize("message", ["/help", "/w pell quietly now", "/fr"])
async def test_what_is_not_read_begins_no_story(room: Open, message: str) -> None:
    table = await room("1", humans=["thorin"])
    assert "SceneEntered" not in types(await table.says(message, "thorin"))


class Helpful(Able):
    """Lends a hand whenever it is asked."""

    def answer(self, role: str, text: str) -> str:
        """Agree to help."""
        if role.endswith(".answer"):
            return json.dumps({"say": "Gladly.", "helps": True})
        return super().answer(role, text)


HAND = "Pell, hold this for me. I look along the beam."
ASKS = {"do": "say", "to": "pell", "text": "Pell, hold this for me", "want": "help"}
LOOKS = {"do": "check", "skill": "perception", "text": "I look along the beam"}


async def test_who_helps_spends_their_own_turn_on_it_and_it_is_told(room: Open) -> None:
    model = Helpful(spoken(HAND, ASKS, LOOKS))
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        turn = await session.turn(HAND, seat="thorin")
        kinds = types(turn)
        assert kinds.index("HandLent") < kinds.index("EdgeGained") < kinds.index("Checked")
        assert "Pell: helps Thorin" in turn.reply
        asked = len(model.asked)
        after = await session.turn(action={"do": "play"})
        assert "party.pell" not in [role for role, _ in model.asked[asked:]]
        assert (await replay(session.host, session.id)).identical
    assert {"Acted", "TurnPassed"} <= {*types(after)}
    assert not (await table.state()).table.tale.lent


async def test_a_promise_of_help_alone_is_worth_nothing_to_the_rules(room: Open) -> None:
    said = "Pell, hold this for me"
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(Helpful(spoken(said, ASKS))) as session:
        turn = await session.turn(said, seat="thorin")
    assert "Gladly." in turn.reply
    assert not {"HandLent", "EdgeGained"} & {*types(turn)}


async def test_companions_answer_before_persons_whom_nobody_addressed(room: Open) -> None:
    said = "Thorin asks the others whether they know about the bell. Do we go tonight?"
    model = Able(spoken(said, {"do": "say", "to": "all", "text": "Do we go tonight?"}))
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(said, seat="thorin")
        told = next(text for role, text in reversed(model.asked) if role == "party.dm.voice")
    mates = [turn.reply.index(f"{one}, to Thorin") for one in ("Pell", "Sunniva", "Zephrine")]
    assert max(mates) < turn.reply.index("quietly enough for once")
    assert "Ask me again when we are dry." in told.partition("Beats:")[0]


def test_what_companions_have_and_suffer_is_among_the_facts() -> None:
    table, book = situation("en", "fight", "thorin")
    asked = Consulted(seat="thorin", topic="sheet", about="who has rope left?", asked=True)
    told = [one for one in facts_of((asked,), table, book) if one.startswith("Pell:")]
    pell = "\n".join(told)
    assert book.item(table.cast.the("pell").inventory[0].item).en in pell
    assert "0 made, 0 failed" in pell
    assert "Spell slots left" in "\n".join(facts_of((asked,), table, book)).partition("Sunniva:")[2]


async def test_what_is_asked_first_is_answered_first(room: Open) -> None:
    said = "How am I? Then I sit down by the wall."
    acts = (
        {"do": "ask", "to": "sheet", "text": "How am I?"},
        {"do": "flourish", "text": "I sit down by the wall"},
    )
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(Able(spoken(said, *acts))) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(said, seat="thorin")
        assert (await replay(session.host, session.id)).identical
    (answer,) = [one for one in turn.asides if one.first]
    assert answer.audience == ("dm", "thorin")
    assert turn.reply
    assert whole_reply(turn, "thorin").startswith(answer.text)
    assert answer.text not in whole_reply(turn, "pell")


def test_a_question_before_a_deed_is_about_how_things_stood_then() -> None:
    table, book = situation("en", "fight", "thorin")
    play = TableTurn(table, book)
    hp = table.cast.the("thorin").hp
    hurt = HitPointsChanged(who="thorin", amount=-1, hp=hp - 1, raw=1, why="hit")
    asked = [Consulted(seat="thorin", topic="sheet", about=one, asked=True) for one in ("a", "b")]
    play.add(asked[0], hurt, asked[1])
    found = tell_events(table, [event_of(one) for one in play.done], book).questions
    stood = [(one.first, one.table.cast.the("thorin").hp) for one in found]
    assert stood == [(True, hp), (False, hp - 1)]


@pytest.mark.parametrize(
    ("message", "lang", "open_"),
    [
        ("I hum a tune for the drowned. small stakes, a silver or so", "en",
         "small stakes, a silver or so"),
        ("Je m'assois. on les tape pendant qu'ils dorment ?", "fr",
         "on les tape pendant qu'ils dorment ?"),
    ],
)  # fmt: skip
def test_what_is_surely_heard_is_done_and_the_rest_asked_about(
    message: str, lang: str, open_: str
) -> None:
    table, book = situation(lang, "inn", "thorin")
    found = understand(message, table, book, "thorin")
    assert [act.do for act in found.acts] == ["flourish"]
    assert open_ in found.question
    assert found.acts[0].text not in found.question
    assert found.quote == open_


async def test_a_choice_is_picked_by_its_number_or_its_words(room: Open) -> None:
    message = "any of the fishermen up for cards? small stakes, a silver or so"
    table = await room("1", humans=["pell"])
    async with table.session() as session:
        await session.turn(action={"do": "play"})
        asked = await session.turn(message, seat="pell")
        offered = (await table.state()).table.tale.question("pell")
        assert offered is not None
        at = next(
            n for n, one in enumerate(offered.choices, 1) if one == "say it aloud to everybody"
        )
        assert f"{at}. say it aloud to everybody" in whole_reply(asked, "pell")
        by_number = await session.turn(str(at), seat="pell")
        assert types(by_number).count("AskedBack") == 0
        assert "up for cards" in by_number.reply


@pytest.mark.parametrize(
    "message", ["does the lean rat look hungry?", "is the one-eared rat hurt yet?"]
)
def test_a_question_about_a_foe_is_not_put_to_it(message: str) -> None:
    table, book = situation("en", "fight", "thorin")
    found = understand(message, table, book, "thorin")
    assert not [act.to for act in found.acts if act.do == "say"]
    assert found.question or found.acts


def test_only_who_keeps_the_place_names_prices() -> None:
    table, book = situation("en", "inn", "thorin")
    assert "1 gp" in person_says("brenna", "what's a rope here?", table, book)
    assert "gp" not in person_says("jory", "what's a rope here?", table, book)


def test_whether_to_go_or_stay_is_answered_with_a_plan() -> None:
    table, book = situation("en", "inn", "thorin")
    asks = ("Sunniva, Pell: do we go tonight or sleep first?", "Pell first, then Sunniva. Agreed?")
    plan, agrees = (companion_says("pell", one, "thorin", table, book, alone=False) for one in asks)
    assert agrees == texts("answering_pell")["agrees"].en
    assert plan.startswith(texts("answering_pell")["plan"].en.partition("{")[0])


def test_a_turn_that_only_asked_back_is_not_taken_back_and_one_that_did_more_is() -> None:
    asks = AskedBack(seat="thorin", question="How?", choices=("so", "or so"))
    given = Given(message="I hum. small stakes")

    def taken(*happened: Happened) -> bool:
        return AGENT.may_be_taken_back(given, [event_of(one) for one in happened])

    assert not taken(asks)
    assert not taken(Acted(seat="dm", how="acts"), asks)
    assert taken(Did(who="thorin", text="I hum"), asks)
    assert taken(Acted(seat="thorin", how="acts"), asks)


def read_in(message: str, lang: str = "en", place: str = "inn") -> list[tuple[str, str, str]]:
    """Return what each act of a message does, to whom, in which words."""
    table, book = situation(lang, place, "thorin")
    found = understand(message, table, book, "thorin")
    assert not found.question
    return [(act.do, act.to, act.text or act.item) for act in found.acts]


def test_what_stands_around_quoted_words_is_not_said() -> None:
    told = read_in('Thorin drops onto the bench. "What hour is it, and is there ale left?"')
    assert [(do, to) for do, to, _ in told] == [("flourish", ""), ("say", "brenna")]
    assert told[1][2] == "What hour is it, and is there ale left?"


def test_quoted_words_swallow_no_deed() -> None:
    said = (
        'Thorin spits, grins wide and roars: "My turn, you pests!" and shoves the nearest rat down.'
    )
    told = read_in(said, place="fight")
    assert [do for do, *_ in told] == ["flourish", "say", "rule"]
    assert told[1][2] == "My turn, you pests!"


def test_a_gesture_of_ones_own_beside_a_question_is_made() -> None:
    assert [do for do, *_ in read_in("What do I carry? I lean on the wall.")] == ["ask", "flourish"]


def test_a_remark_that_one_still_whispers_keeps_the_rest_from_everybody() -> None:
    ((do, to, _),) = read_in("(still in a whisper) and not a word of it to Pell, he'd sing it")
    assert (do, to) == ("whisper", "dm")


def test_what_is_asked_in_secret_talks_with_nobody() -> None:
    said = "(just for the DM) Is Brenna hiding something about the bell, can I tell?"
    assert all(do in ("whisper", "check") for do, *_ in read_in(said))


def test_a_plan_with_a_question_to_one_companion_is_put_to_them() -> None:
    said = (
        "Tonight I lie down by the door with a bell on my foot and rest. Sunniva, will you watch?"
    )
    ((do, to, told),) = read_in(said)
    assert (do, to) == ("say", "sunniva")
    assert told.startswith("Tonight I lie down")


@pytest.mark.parametrize(
    "said",
    [
        "Thorin pose son casque sans bruit et va saluer Brenna.",
        "Thorin salue Brenna d'un signe de tête.",
    ],
)
def test_what_tells_of_oneself_is_not_said_aloud(said: str) -> None:
    assert {do for do, *_ in read_in(said, "fr")} <= {"flourish", "check"}


def test_a_negated_scrap_beside_a_gesture_is_no_speech() -> None:
    told = read_in("Je m'assois dans un coin et je ferme les yeux. Pas un mot.", "fr")
    assert {do for do, *_ in told} == {"flourish"}


def test_of_a_question_to_nobody_one_companion_knows_nothing() -> None:
    table, book = situation("en", "inn", "thorin")
    said = "Who locked this door, and when?"
    mates = [seat for seat in table.characters if seat != "thorin"]
    told = [companion_says(one, said, "thorin", table, book, alone=False) for one in mates]
    assert [bool(one) for one in told] == [True, False, False]


@pytest.mark.parametrize(
    ("said", "skill"),
    [("could I sneak past Jory to the door?", "Stealth"), ("is Jory lying to us?", "Insight")],
)
def test_a_whisper_about_a_deed_names_the_skill_it_takes(said: str, skill: str) -> None:
    table, book = situation("en", "inn", "thorin")
    assert skill in between_us(f"psst DM, {said}", table, book, "thorin")
