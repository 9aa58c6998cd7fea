"""A session plays on by itself: rounds, steps, waiting for a person, and never over somebody."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from ruleplay.errors import UserError
from ruleplay.kernel.autoplay import Pace, Step, play_on
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from duel.table import Tables
    from pydantic import JsonValue


async def circle(table: Tables, **config: JsonValue) -> Session:
    host = await table.host()
    return Session(host, (await host.create("circle", config, seed="seed")).id)


async def steps(session: Session, pace: Pace) -> list[Step]:
    return [step async for step in play_on(session.host, session.id, pace)]


async def told(session: Session) -> list[JsonValue]:
    said = (await session.view())["told"]
    assert isinstance(said, list)
    return said


@pytest.mark.parametrize(
    ("pace", "moves", "stage"),
    [
        ({"rounds": 1}, 3, "done"),
        ({"rounds": 2}, 6, "done"),
        ({"moves": 4}, 4, "done"),
        ({"moves": 2, "rounds": 1}, 2, "done"),
        ({}, 9, "over"),
    ],
)
async def test_it_goes_as_far_as_asked(
    tables: Tables, pace: Mapping[str, int], moves: int, stage: str
) -> None:
    session = await circle(tables, rounds=3)
    seen = await steps(session, Pace(**pace))
    assert (seen[-1].stage, seen[-1].moves, seen[-1].ended) == (stage, moves, True)
    assert len([step for step in seen if step.turn]) == len(await told(session)) == moves
    assert (await replay(session.host, session.id)).identical


async def test_a_round_begins_where_the_table_is(table: Tables) -> None:
    session = await circle(table)
    await session.turn("Hear!")
    assert (await steps(session, Pace(rounds=1)))[-1].moves == 2


async def test_a_person_is_waited_for_and_passed_over(table: Tables) -> None:
    session = await circle(table)
    await session.turn(action={"do": "sit", "guard": "0" * 64}, seat="ben")
    seen = await steps(session, Pace(rounds=1, patience=0.5))
    waiting = [step for step in seen if step.stage == "waiting"]
    assert {step.seat for step in waiting} == {"ben"}
    assert len({step.until for step in waiting}) == 1
    assert await told(session) == [
        ["ada", "Once upon a time, says ada."],
        ["ben", ""],
        ["cyd", "Once upon a time, says cyd."],
    ]


async def test_a_table_whose_only_person_stays_away_waits_for_them(table: Tables) -> None:
    session = await circle(table, rounds=9)
    await session.turn(action={"do": "sit", "guard": "0" * 64}, seat="ben")
    seen = await steps(session, Pace(patience=0.2))
    assert (seen[-1].stage, seen[-1].seat, seen[-1].round) == ("away", "ben", 3)
    assert [seat for seat, _ in map(_pair, await told(session))].count("ben") == 2


async def test_who_stays_away_from_a_table_where_others_play_holds_nobody_up(table: Tables) -> None:
    session = await circle(table, rounds=4)
    for seat in ("ada", "ben"):
        await session.turn(action={"do": "sit", "guard": "0" * 64}, seat=seat)
    said = 0
    async for step in play_on(session.host, session.id, Pace(patience=0.5)):
        if step.stage == "waiting" and step.seat == "ada" and step.round > said:
            said = step.round
            await session.turn("My tale.", seat="ada")
    assert step.stage == "over"


async def test_a_person_who_acts_is_not_overtaken(table: Tables) -> None:
    session = await circle(table)
    await session.turn(action={"do": "sit", "guard": "0" * 64}, seat="ada")
    said = False
    async for step in play_on(session.host, session.id, Pace(rounds=1, patience=20)):
        if step.stage == "waiting" and not said:
            said = True
            await session.turn("My tale.", seat="ada")
    assert [seat for seat, _ in map(_pair, await told(session))] == ["ada", "ben", "cyd"]
    assert (await told(session))[0] == ["ada", "My tale."]


def _pair(value: JsonValue) -> list[JsonValue]:
    assert isinstance(value, list)
    return value


async def test_two_that_play_on_do_not_double(tables: Tables) -> None:
    session = await circle(tables, rounds=4)
    other = Session(await tables.host(), session.id)
    await asyncio.gather(steps(session, Pace()), steps(other, Pace()))
    seats = [seat for seat, _ in map(_pair, await told(session))]
    assert seats == ["ada", "ben", "cyd"] * 4


async def test_a_cancelled_move_is_the_end(table: Tables) -> None:
    session = await circle(table, seconds=30)
    playing = asyncio.create_task(steps(session, Pace(rounds=1)))
    async with asyncio.timeout(180):
        while (running := session.host.bus.running(session.id)) is None:
            await asyncio.sleep(0.01)
    assert session.host.cancel(running)
    assert (await playing)[-1].stage == "cancelled"
    assert await told(session) == []


async def test_what_a_move_raises_is_raised(table: Tables) -> None:
    session = await circle(table, tellers=["ada", "broken"])
    with pytest.raises(UserError, match="no voice"):
        await steps(session, Pace(rounds=1))
    assert len(await told(session)) == 1


async def test_an_agent_without_moves_is_over_at_once(table: Tables) -> None:
    duel = await table.duel()
    assert [step.stage for step in await steps(duel, Pace())] == ["over"]
