"""What hangs on an answer is done in the turn that brings it; what replaces a move is played."""

from __future__ import annotations

import json

from tests.agents.party.conftest import Open
from tests.agents.party.models import Able
from tests.agents.party.test_improvising import done, fight, inn, kinds

from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings.tale import Did
from ruleplay.agents.party.domain.improvising import do_what_is_due
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.kernel.replay import replay

ASKED = "Brenna, is the causeway safe? If it is, I go there and look back."
GOES = [
    {"do": "move", "to": "causeway", "text": "goes there", "when": "answer"},
    {"do": "flourish", "text": "looks back", "when": "answer"},
]
SAYS = {"do": "say", "to": "brenna", "want": "know", "text": "Brenna, is the causeway safe?"}


class Deciding(Able):
    """Reads a second time, when what the rest hung on has been told."""

    def __init__(self, then: list[dict[str, object]]) -> None:
        super().__init__({ASKED: {"acts": [SAYS, *GOES]}})
        self._then = then

    def answer(self, role: str, text: str) -> str:
        """Return an answer to a prompt."""
        if role == "party.read" and "This hung on it" in text:
            return json.dumps({"acts": self._then})
        return super().answer(role, text)


async def _played(room: Open, model: Able) -> tuple[list[str], str, str]:
    """Say what hangs on an answer; return kinds of events, the reply and what is said beside it."""
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(ASKED, seat="thorin")
        assert (await replay(session.host, session.id)).identical
    return (
        [str(one["type"]) for one in turn.events],
        turn.reply,
        "\n".join(one.text for one in turn.asides),
    )


async def test_what_hung_on_an_answer_is_done_once_it_was_told(room: Open) -> None:
    model = Deciding([{**one, "when": "then"} for one in GOES])
    kinds, reply, beside = await _played(room, model)
    assert kinds.index("Spoke") < kinds.index("SceneEntered")
    assert "LeftUndone" not in kinds
    voices = [text for role, text in model.asked if role == "party.dm.voice"]
    assert len(voices) == 2
    (again,) = [text for role, text in model.asked if role == "party.read" and "This hung" in text]
    assert "is the causeway safe?" in again.partition("Told in this turn:")[2]
    assert reply.count("is the causeway safe?") == 1
    assert "Still open" not in beside


async def test_what_replaces_a_move_is_played_at_once(room: Open) -> None:
    climb, instead = "I climb on the counter.", "Sunniva, you ask him."
    undo = f"No wait, I don't. {instead}"
    asks = {"do": "say", "to": "sunniva", "text": "you ask him."}
    meta = {"do": "meta", "meta": "undo", "text": "No wait, I don't."}
    model = Able(
        {
            climb: {"acts": [{"do": "flourish", "text": climb}, {"do": "wait"}]},
            undo: {"acts": [meta, asks], "quote": instead},
            instead: {"acts": [asks]},
        }
    )
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        before = await session.head()
        await session.turn(climb, seat="thorin")
        played = await session.turn(undo, seat="thorin", key="once")
        assert played.parent == before.head
        assert "ou ask him" in played.reply
        assert any("taken back" in one.text for one in played.asides)
        assert not any("you ask him" in one.text for one in played.asides)
        taken = await session.turn(undo, seat="thorin", key="once")
        assert "What happens instead?" not in taken.reply
        assert (await replay(session.host, session.id)).identical
        # Readers get both turns, the one that takes back and the one that replaces it.
        await session.turn(climb, seat="thorin")
        items = [item async for item in session.play(undo, seat="thorin")]
        assert [one.name for one in items].count("turn.committed") == 2


async def test_what_is_answered_otherwise_is_left_out(room: Open) -> None:
    kinds, reply, beside = await _played(room, Deciding([]))
    assert "SceneEntered" not in kinds
    assert "LeftUndone" not in kinds
    assert reply
    assert "goes there" not in beside


async def test_what_stays_undecided_is_kept_in_words_of_the_story(room: Open) -> None:
    waits = {"do": "flourish", "text": "you wait for her word before you go", "when": "answer"}
    kinds, _, beside = await _played(room, Deciding([waits]))
    assert kinds.count("LeftUndone") == 1
    assert "You wait for her word before you go." in beside.split("\n")
    assert "Still" not in beside


async def test_what_is_still_open_is_meant_until_the_next_words_and_never_said_in_theirs(
    room: Open,
) -> None:
    raw = {"do": "flourish", "text": "If it is, I go there and look back.", "when": "answer"}
    model = Deciding([raw])
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(ASKED, seat="thorin")
        assert "\nIf it is, I go there" not in "\n".join(one.text for one in turn.asides)
        await session.turn("Well?", seat="thorin")
        prompts = [text for role, text in model.asked if role == "party.read"]
        assert "still waits):\n- If it is, I go there" in prompts[-1]
        assert (await replay(session.host, session.id)).identical


def test_code_does_what_somebody_waits_for_once_it_can_tell_that_it_has_come() -> None:
    table, book = inn()
    bars = {"do": "flourish", "text": "looks back", "when": "answer", "after": "causeway"}
    said = done(table, book, "thorin", "Once we are there I look back.", acts=[bars])
    assert kinds(said) == ["Awaits"]
    assert said.table.undone("thorin") == ("looks back",)
    there = TableTurn(said.table, book)
    do_what_is_due(there)
    assert not there.done
    there.venture("sunniva", Exploration(act="go", target="causeway"))
    if fought := there.table.cast.fight:
        do_what_is_due(there)
        assert "CameDue" not in kinds(there)
        cast = there.table.cast.model_copy(update={"fight": None})
        there.table = there.table.model_copy(update={"cast": cast})
    do_what_is_due(there)
    assert [one.text for one in there.done if isinstance(one, Did)] == ["looks back"]
    assert not there.table.undone("thorin")
    assert fought is None or there.table.cast.fight is None


def test_what_hangs_on_a_foe_comes_when_it_is_out_and_a_costly_deed_is_kept_for_the_turn() -> None:
    table, book, seat = fight()
    foe = table.cast.foes_of(seat)[0].id
    goes = {"do": "move", "to": "inn", "text": "goes back", "when": "answer", "after": foe}
    play = TableTurn(done(table, book, seat, acts=[goes]).table, book)
    do_what_is_due(play)
    assert not play.done
    play.table = play.table.model_copy(update={"cast": play.table.cast.with_(foe, gone=True)})
    do_what_is_due(play)
    assert kinds(play) == ["CameDue", "LeftUndone"]
    assert play.table.undone(seat) == ("goes back",)


def test_what_no_code_can_tell_is_read_again() -> None:
    table, book = inn()
    waits = {"do": "flourish", "text": "lifts the lamp", "when": "answer", "after": "nightfall"}
    assert "Awaits" not in kinds(done(table, book, "thorin", acts=[waits]))
