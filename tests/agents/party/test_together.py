"""Companions who are spoken to together answer in one call, and do at once what they can."""

from __future__ import annotations

import json

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.models import Able
from tests.agents.party.test_improvising import done, inn

from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.kernel.replay import replay
from ruleplay.records.turns import Turn

ASKED = "You three, what do you make of it?"
BUCKLE = "Pell, undo this strap for me."


class Chorus(Able):
    """Answers for all who were spoken to, and lets Pell lend her fingers."""

    def __init__(self, *said: dict[str, object], one: dict[str, object] | None = None) -> None:
        acts = {"do": "say", "to": "all", "want": "know", "text": ASKED}
        strap = {"do": "say", "to": "pell", "want": "help", "text": BUCKLE}
        super().__init__({ASKED: {"acts": [acts]}, BUCKLE: {"acts": [strap]}})
        self._said, self._one = said, one

    def answer(self, role: str, text: str) -> str:
        """Return an answer to a prompt."""
        if role == "party.answers":
            return json.dumps({"answers": [*self._said]})
        if role == "party.pell.answer" and self._one:
            return json.dumps(self._one)
        return super().answer(role, text)


async def _said(room: Open, model: Able, *messages: str) -> list[Turn]:
    table = await room("1", model="able", humans=["sunniva"])
    async with table.session(model) as session:
        while (await session.head()).number < 1 or not await _moves(session):
            await session.turn(action={"do": "round"})
        turns = [await session.turn(one, seat="sunniva") for one in messages]
        assert (await replay(session.host, session.id)).identical
    return turns


async def _moves(session: object) -> bool:
    view = await session.view("sunniva")  # type: ignore[attr-defined]
    return bool(view["current_turn"] == "sunniva")


async def test_several_answer_in_one_call_in_the_order_in_which_they_speak(room: Open) -> None:
    model = Chorus(
        {"who": "zephrine", "say": "A riddle, and a wet one."},
        {"who": "thorin", "say": "", "will": "bar the door"},
        {"who": "pell", "say": "What she says."},
    )
    (turn,) = await _said(room, model, ASKED)
    roles = [role for role, _ in model.asked]
    assert roles.count("party.answers") == 1
    assert not [role for role in roles if role.endswith(".answer")]
    spoke = [one["seat"] for one in turn.events if one["type"] == "Spoke"]
    assert spoke == ["sunniva", "zephrine", "pell"]
    heard = {one["seat"] for one in turn.events if one["type"] == "Listened"}
    assert {"thorin", "pell", "zephrine"} <= heard
    assert [one["text"] for one in turn.events if one["type"] == "Vowed"] == ["bar the door"]


async def test_their_common_prompt_holds_no_secret(room: Open) -> None:
    model = Chorus({"who": "thorin", "say": "Wet."})
    await _said(room, model, ASKED)
    (asked,) = [text for role, text in model.asked if role == "party.answers"]
    assert "Only you know" not in asked
    story = open_book("drowned-bell").story
    dealt = [one.text.of("en") for one in story.secrets.values()]
    assert dealt
    assert not [one for one in dealt if one in asked]


@pytest.mark.parametrize("band", ["sure", "medium"])
async def test_a_companion_does_at_once_what_they_were_asked_to(room: Open, band: str) -> None:
    tries = {"skill": "sleight-of-hand", "band": band, "text": "undoes the strap"}
    model = Chorus(one={"say": "Hold still.", "tries": tries})
    first, again = await _said(room, model, BUCKLE, BUCKLE)
    kinds = [one["type"] for one in first.events]
    assert kinds.index("Spoke") < kinds.index("HandLent")
    assert ("Checked" in kinds) is (band != "sure")
    told = [text for role, text in model.asked if role == "party.dm.voice"]
    assert "undoes the strap" in told[-1] + first.reply
    assert "helps" not in first.reply
    # It takes their own next turn, so there is one such deed a round.
    assert "HandLent" not in [one["type"] for one in again.events]
    prompts = [text for role, text in model.asked if role == "party.pell.answer"]
    assert len(prompts) == 2


def test_words_to_two_companions_are_theirs_alone() -> None:
    table, book = inn()
    says = {"do": "say", "to": "pell, thorin", "text": "The boat!"}
    play = done(table, book, "sunniva", "“Pell, Thorin: The boat!”", acts=[says])
    heard = [one.seat for one in play.done if isinstance(one, t.SpokenTo)]
    assert heard == ["pell", "thorin"]
    assert len([one for one in play.done if isinstance(one, p.Spoke)]) == 1
