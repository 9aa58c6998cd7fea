"""Turns that were handed in are forgotten once they are old; what they made stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from tests.foundation.conftest import skip_or_fail

from ruleplay.records.given import Given

if TYPE_CHECKING:
    from duel.table import Tables


def kept(connection: Connection) -> dict[str, int]:
    """Return how many rows the runner's tables hold."""
    schema = "dbos" if connection.dialect.name == "postgresql" else None
    found = {}
    for name in ("workflow_status", "workflow_input", "workflow_output", "operation_outputs"):
        assert inspect(connection).has_table(name, schema)
        where = f"{schema}.{name}" if schema else name
        found[name] = connection.execute(text(f"SELECT COUNT(*) FROM {where}")).scalar() or 0
    return found


async def test_ended_turns_leave_nothing_behind(tables: Tables) -> None:
    if find_spec("dbos") is None:
        skip_or_fail("durable", "install the package dbos")
    from ruleplay.durable.pruning import forget_work
    from ruleplay.durable.runner import Runner

    host = await tables.host()
    database, url = host.store.database, host.settings.database_url
    assert await forget_work(database, url, datetime.now(UTC)) == 0  # no runner was ever here
    duel = await tables.duel(host)
    host.runner = await Runner.open(host, "w1")
    for key in ("k1", "k2"):
        await host.start(duel.id, Given(message="En garde!"), key=key)
    assert min((await database.run(kept)).values()) == 2
    assert await forget_work(database, url, datetime.now(UTC) - timedelta(hours=1)) == 0
    assert await forget_work(database, url, datetime.now(UTC), dry=True) == 2
    assert min((await database.run(kept)).values()) == 2
    assert await forget_work(database, url, datetime.now(UTC)) == 2
    assert max((await database.run(kept)).values()) == 0
    # A key is still one turn: the session itself knows it.
    again = await host.start(duel.id, Given(message="En garde!"), key="k2")
    assert again.number == len(await duel.turns()) == 2
    assert (await host.start(duel.id, Given(message="Again!"), key="k3")).number == 3
