"""A job that plays a game on: by the game's own rounds, and never in a person's name."""

from __future__ import annotations

from contextlib import AsyncExitStack
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from ruleplay.cli.jobs.autoplay import AUTOPLAY, AutoplayOptions, OpenGame
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

Open = Callable[..., Awaitable[OpenGame]] if TYPE_CHECKING else object


@pytest.fixture
async def game(tmp_path: Path) -> Open:
    """Return a way to open a job on one database; each is a process's life."""
    async with AsyncExitStack() as stack:

        async def opened(**options: object) -> OpenGame:
            given = AutoplayOptions.model_validate(options)
            job = AUTOPLAY.open("job-1", given, Settings(home=tmp_path, model="rules"))
            found = await stack.enter_async_context(job)
            assert isinstance(found, OpenGame)
            return found

        yield opened


async def played(game: OpenGame, session: str) -> list[tuple[str, object]]:
    """Return who acted in a session, and how."""
    head, _ = await game.host.store.read(session)
    turns = await game.host.store.lineage(head.head)
    return [(turn.seat, (turn.given.action or {}).get("do")) for turn in turns]


async def test_a_tables_rounds_are_its_own(game: Open) -> None:
    job = await game(agent="party", rounds=2)
    first, second = await job.plan()
    session = first.rpartition(" ")[0]
    begun = await job.part(first)
    _, state = await job._state(session)
    assert state.table.round == int(second.rpartition(" ")[2])
    # After a crash the round that was done is found as it is, and none is played in its place.
    later = await game(agent="party", rounds=2)
    assert await later.part(first) == begun
    done = {first: begun, second: await later.part(second)}
    acted = await played(later, session)
    assert {what for _, what in acted} == {"round"}
    assert later.result(done)["turns"] == len(acted)


async def test_a_round_that_was_cut_short_is_played_to_its_end(game: Open) -> None:
    job = await game(agent="party", rounds=1)
    (only,) = await job.plan()
    session, _, number = only.rpartition(" ")
    agent, state = await job._state(session)
    move = agent.next_move(state)
    await job.host.start(session, move.given, seat=move.seat, key=f"job-1/{number}/0")
    result = await (await game(agent="party", rounds=1)).part(only)
    acted = await played(job, session)
    _, state = await job._state(session)
    assert len(result["turns"]) == len(acted) > 1
    assert state.table.round == int(number) + 1


async def test_nobody_speaks_for_a_person(game: Open) -> None:
    job = await game(agent="party", rounds=2, patience=1)
    rounds = await job.plan()
    session = rounds[0].rpartition(" ")[0]
    agent, state = await job._state(session)
    seat = state.table.turn_queue[1]
    guard = sha256(b"token").hexdigest()
    await job.host.start(session, agent.sit(state, seat, guard, "Ann"), seat=seat)
    for part in rounds:
        await job.part(part)
    acted = await played(job, session)
    how = [what for who, what in acted if who == seat]
    assert (how[0], {*how[1:]}) == ("hold", {"timeout"})


async def test_a_table_that_has_ended_is_left_alone(
    game: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = await game(agent="party", rounds=1)
    (only,) = await job.plan()
    session = only.rpartition(" ")[0]
    agent, _ = await job._state(session)
    monkeypatch.setattr(type(agent), "next_move", lambda self, state: None)
    assert await job.part(only) == {
        "session": session,
        "turns": [],
        "ended": "nothing goes on by itself here",
    }
    assert await played(job, session) == []
