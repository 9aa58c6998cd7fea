"""Who may send what: seats are taken and left, held seats are never spoken for, pauses hold."""

from __future__ import annotations

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import types

from ruleplay.errors import Conflict, UserError

KEY = "ab" * 32


async def test_sitting_down_holds_the_seat_and_hides_its_key(room: Open) -> None:
    table = await room()
    turn = await table.does({"do": "hold", "seat": "thorin", "by": "human", "key": KEY}, "table")
    assert types(turn) == ["SeatHeld", "SeatKeyed"]
    assert turn.audience == ()
    state = await table.state()
    assert state.table.seats["thorin"].key == KEY
    for seat in (*state.turn_queue, "table"):
        assert KEY not in str(await table.view(seat))


async def test_a_taken_seat_cannot_be_taken_again(room: Open) -> None:
    table = await room(humans=["thorin"])
    with pytest.raises(Conflict, match="taken"):
        await table.does({"do": "hold", "seat": "thorin", "by": "human"}, "table")


async def test_only_who_sits_there_or_the_dm_gives_a_seat_away(room: Open) -> None:
    table = await room(humans=["thorin"])
    with pytest.raises(Conflict, match="speaks for them"):
        await table.does({"do": "hold", "seat": "thorin", "by": "policy"}, "pell")
    await table.does({"do": "hold", "seat": "thorin", "by": "policy"}, "thorin")
    assert not (await table.state()).table.is_held("thorin")


async def test_nobody_plays_a_held_seat(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    with pytest.raises(Conflict, match="speaks for them"):
        await table.does({"do": "play"}, "thorin")
    with pytest.raises(Conflict, match="move"):
        await table.says("I search the room", "pell")


async def test_a_human_who_stays_away_is_passed_over_and_not_spoken_for(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    before = (await table.state()).table
    turn = await table.does({"do": "timeout"}, "thorin")
    after = (await table.state()).table
    assert types(turn) == ["Acted", "TookPart", "TurnPassed"]
    assert turn.events[0]["how"] == "timeout"
    assert (before.cast, before.expedition) == (after.cast, after.expedition)
    assert after.current_turn == "pell"
    assert after.seats["thorin"].missed == 1


async def test_the_released_seat_plays_on(room: Open) -> None:
    table = await room(humans=["thorin"])
    await table.does({"do": "play"})
    await table.does({"do": "hold", "seat": "thorin", "by": "model"}, "thorin")
    turn = await table.does({"do": "play"})
    assert turn.seat == "thorin"


async def test_a_human_leads_as_the_dm(room: Open) -> None:
    table = await room(humans=["dm"])
    with pytest.raises(Conflict):
        await table.does({"do": "play"})
    turn = await table.says("let us begin", "dm")
    assert "SceneEntered" in types(turn)
    told = await table.does({"do": "say", "text": "The wind smells of salt."}, "dm")
    assert "The wind smells of salt." in told.reply


async def test_the_spectators_seat_does_not_act(room: Open) -> None:
    table = await room()
    with pytest.raises(Conflict, match="only watches"):
        await table.says("I attack", "table")


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_a_pause_stops_everything_but_what_ends_it(room: Open, lang: str) -> None:
    table = await room(lang=lang)
    await table.does({"do": "pause"}, "thorin")
    assert (await table.view())["paused"] == {"why": "asked", "by": "thorin"}
    with pytest.raises(Conflict, match="resume"):
        await table.does({"do": "play"})
    await table.does({"do": "resume"}, "pell")
    await table.does({"do": "play"})


async def test_the_x_card_is_opt_in_and_stops_the_scene(room: Open) -> None:
    table = await room()
    refused = await table.does({"do": "card"}, "pell")
    assert types(refused) == ["Refused"]
    await table.does({"do": "safety", "on": True, "lines": ["spiders"], "veils": ["blood"]}, "pell")
    assert (await table.view("thorin"))["safety"]["lines"] == ["spiders"]
    await table.does({"do": "card"}, "pell")
    assert (await table.view("thorin"))["paused"]["why"] == "card"
    with pytest.raises(Conflict):
        await table.does({"do": "play"})


async def test_words_that_cross_a_line_are_not_played(room: Open) -> None:
    table = await room()
    await table.plays(1)
    await table.does({"do": "safety", "on": True, "lines": ["spiders"]}, "pell")
    turn = await table.does({"do": "say", "text": "I see SPIDERS everywhere"}, "thorin")
    assert types(turn) == ["Refused"]
    assert turn.reply == ""
    assert turn.asides[0].audience == ("dm", "thorin")


@pytest.mark.parametrize(
    "action", [{"do": "dance"}, {}, {"do": "say"}, {"do": "hold", "seat": "thorin", "by": "god"}]
)
async def test_an_unreadable_action_is_refused(room: Open, action: dict[str, object]) -> None:
    table = await room()
    with pytest.raises(UserError, match="action"):
        await table.does(action, "thorin")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lang", "reason"), [("en", "no seat 'gimli'"), ("fr", "pas de siège 'gimli'")]
)
async def test_an_unknown_seat_is_refused_in_the_tables_language(
    room: Open, lang: str, reason: str
) -> None:
    table = await room(lang=lang)
    with pytest.raises(Conflict, match=reason):
        await table.says("hello", "gimli")
