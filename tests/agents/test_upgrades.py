"""Sessions of every agent, stored as earlier releases stored them, open and go on in this one."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.foundation.conftest import database, postgres, sqlite
from tests.foundation.test_upkeep import back_to
from tests.samples import some

from ruleplay.catalog import agent_names, find_agent
from ruleplay.errors import RuleplayError
from ruleplay.kernel.host import Host
from ruleplay.kernel.maintenance import check
from ruleplay.kernel.replay import replay
from ruleplay.settings import Settings
from ruleplay.storage.database import SCHEMA, opened

if TYPE_CHECKING:
    from pathlib import Path

    from ruleplay.records.turns import Turn

__all__ = ["database", "postgres", "sqlite"]  # fixtures of the foundation's tests
TURNS, TRIES = 4, 40
FROM = [(on, at) for on in ("sqlite", "postgres") for at in ("0001", f"{int(SCHEMA) - 1:04}")]
"""The oldest and the last schema on both databases; what they have between, test_upkeep opens."""


async def play(host: Host, session: str, turns: int, chance: str) -> None:
    """Play plausible turns; what the rules refuse is tried otherwise."""
    rng = Random(chance)
    for _ in range(TRIES):
        head, _ = await host.store.read(session)
        if head.number >= turns:
            return
        agent = host.find_agent(head.agent)
        state, _ = await host.state(head, head.head)
        seat, given = agent.rehearse_seat(state, rng)
        try:
            await host.start(session, given, seat=seat)
        except RuleplayError:
            continue
    raise AssertionError(f"{TRIES} tries brought no {turns} turns")


async def told(host: Host, session: str) -> list[Turn]:
    """Return a session's turns as this release reads them, but for what older ones never kept."""
    head, _ = await host.store.read(session)
    found = await host.store.lineage(head.head)
    never_kept = {"audience": (), "asides": (), "spans": (), "edition": 1}
    return [turn.model_copy(update=never_kept) for turn in found]


@pytest.mark.parametrize(("database", "revision"), some(FROM, 2), indirect=["database"])
async def test_sessions_of_all_agents_go_on_from_earlier_schemas(
    database: str, tmp_path: Path, revision: str
) -> None:
    settings = Settings(home=tmp_path, db=database, model="rules")
    host = await Host.open(settings, find_agent)
    made = {name: (await host.create(name, seed="seed")).id for name in agent_names()}
    for name, session in made.items():
        await play(host, session, TURNS, name)
    before = {session: await told(host, session) for session in made.values()}
    await host.close()
    async with opened(database) as kept:
        await kept.keep(lambda connection: back_to(connection, revision))
        await kept.close()

    host = await Host.open(settings, find_agent)
    try:
        for name, session in made.items():
            assert await told(host, session) == before[session], name
            assert (await replay(host, session)).first_difference is None, name
            await play(host, session, TURNS + 2, f"{name} again")
            assert (await replay(host, session)).identical, name
        assert (await check(host, len(made))).problems == ()
    finally:
        await host.close()
