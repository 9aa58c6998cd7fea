"""The game master's beats: each kind comes about within its bounds, once a round, and is told."""

from __future__ import annotations

import json

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import types
from tests.agents.party.hearing import situation
from tests.agents.party.models import Able, Clock
from tests.agents.party.test_consequences import printed

from ruleplay.agents.party.domain import mastering
from ruleplay.agents.party.domain.intended import Beat, MasterTurn
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.policy.picking import master_problems

NOISE = {"do": "complicate", "kind": "noise", "text": "Outside a shutter bangs and bangs again."}
OFFER = {
    "do": "npc",
    "who": "brenna",
    "how": "offers",
    "text": "Brenna sets bread before you all and asks for nothing.",
}
TURN = {"do": "spotlight", "who": "thorin", "text": "Thorin, what holds your eye in here?"}
DETAIL = {"do": "detail", "text": "The third stair creaks, and everybody steps over it."}
COMES_ABOUT = {
    "complicate": "Complicated",
    "npc": "PersonActs",
    "spotlight": "Spotlit",
    "detail": "DetailEstablished",
}
MOST = 8.0
"""Seconds of a round of four with a model that takes two seconds a call."""


class Master(Able):
    """A model that lets something happen in each of the game master's turns."""

    def __init__(self, *beats: dict[str, str]) -> None:
        super().__init__()
        self._beats = beats

    def answer(self, role: str, text: str) -> str:
        """Return beats for the game master, what is able for everybody else."""
        if role == "party.dm":
            return json.dumps({"pick": [], "beats": self._beats})
        return super().answer(role, text)


@pytest.mark.parametrize("beat", [NOISE, OFFER, TURN, DETAIL], ids=lambda beat: beat["do"])
async def test_a_beat_of_each_kind_comes_about_and_is_told(
    room: Open, beat: dict[str, str]
) -> None:
    model = Master(beat)
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        await session.turn("I wait", seat="thorin")
        await session.turn(action={"do": "round"})
        turn = await session.turn(action={"do": "round"})
    assert COMES_ABOUT[beat["do"]] in types(turn)
    asked = [text for role, text in model.asked if role == "party.dm.voice"]
    told = " ".join((turn.reply, *asked[-1:]))
    assert beat["text"].rstrip("?.") in told


async def test_a_round_with_a_beat_is_as_quick_as_one_without(
    room: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    clock.install(monkeypatch)
    table = await room("1", model="able")
    async with table.session(Master(NOISE, OFFER, DETAIL)) as session:
        for _ in range(4):
            clock.now = 0.0
            await session.turn(action={"do": "round"})
            assert 0 < clock.now <= MOST


@pytest.mark.parametrize(
    "beats",
    [
        (NOISE, {**NOISE, "kind": "light"}),
        ({**OFFER, "who": "vask"},),
        ({**DETAIL, "text": "Under the third stair lie 40 gold pieces."},),
        ({**TURN, "who": "dm"},),
    ],
    ids=["two complications", "nobody there", "treasure", "no character"],
)
def test_a_beat_out_of_bounds_is_not_taken(beats: tuple[dict[str, str], ...]) -> None:
    table, book = situation("en", "inn", "thorin")
    turn = MasterTurn(beats=tuple(Beat.model_validate(one) for one in beats))
    assert master_problems(turn, table, book, ())


def test_the_world_gets_harder_once_a_round() -> None:
    table, book = situation("en", "inn", "thorin")
    play = TableTurn(table, book)
    for kind in ("noise", "clock"):
        mastering.complicate(play, kind, "Something gives way upstairs.", None)
    assert [type(one).__name__ for one in play.done].count("Complicated") == 1
    assert play.table.tale.minutes == table.tale.minutes


def test_whoever_was_quiet_longest_is_turned_to() -> None:
    table, book = situation("en", "inn", "thorin")
    heard = {"thorin": 3, "pell": 1, "sunniva": 2, "zephrine": 4}
    tale = table.tale.model_copy(update={"heard": heard})
    play = TableTurn(table.model_copy(update={"tale": tale, "round": 5}), book)
    assert mastering.quietest(play, play.table.characters) == "pell"
    mastering.spotlight(play, "pell", "Pell, what do you do?")
    assert mastering.quietest(play, play.table.characters) != "pell"


async def test_without_a_model_too_a_person_who_says_nothing_is_turned_to(room: Open) -> None:
    table = await room("1", humans=["thorin"])
    await table.does({"do": "play"})
    seen = []
    for _ in range(12):
        if (await table.state()).current_turn == "thorin":
            turn = await table.does({"do": "pass"}, "thorin")
        else:
            turn = await table.does({"do": "round"})
        seen += [event["seat"] for event in turn.events if event["type"] == "Spotlit"]
    assert seen
    assert set(seen) == {"thorin"}


def test_what_tells_how_a_person_speaks_is_not_put_in_quotation_marks() -> None:
    table, book = situation("en", "inn", "thorin")
    told = {}
    for words in (
        "Say so before dark.",
        "“You want beds,” says Brenna.",
        "Brenna sets bread down.",
    ):
        play = TableTurn(table, book)
        mastering.npc(play, "brenna", "speaks", words, "")
        told[words] = printed(table, play, book)
    assert [*told.values()] == ["Brenna Tolk: “Say so before dark.”", *[*told][1:]]
