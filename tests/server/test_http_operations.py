"""What an operator sees of a server: health, metrics, logs, and how it stops."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import signal
from typing import TYPE_CHECKING

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from tests.server.conftest import Start
from tests.server.streaming import SECONDS, Lives

from ruleplay.catalog import SHIPPED, find_agent, shipped_names
from ruleplay.hearing import encoder
from ruleplay.kernel.endings import Ending
from ruleplay.models.scripted import ScriptedModel
from ruleplay.server.app import heard
from ruleplay.server.serving import GcFreezer, Server
from ruleplay.settings import Settings
from ruleplay.system.logs import Lines, Text, about

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

    from ruleplay.kernel.host import Host


async def counted(lives: Lives, life: object) -> dict[str, float]:
    """Return the counters of a server by name and labels."""
    answer = await life.client.get("/metrics")  # type: ignore[attr-defined]
    assert answer.headers["content-type"].startswith("text/plain")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


async def test_turns_calls_readers_and_requests_are_counted(lives: Lives) -> None:
    life = await lives.start()
    model = ScriptedModel({"tally.read": ['{"amount": 3}', "nonsense", "more nonsense"]})
    session = await life.new("tally", model, "tally.read")
    async with life.listen(session):
        for message in ("add 3", "add 4"):
            await life.play(session, message)
        await life.client.post(f"{session}/turns?wait=true", json={"message": "refuse this"})
        await life.client.post(f"{session}/turns?wait=true", json={"message": "break this"})
        stuck = await life.play(session, "wait", wait=False)
        during = await counted(lives, life)
        await life.client.post(f"{session}/turns/{stuck}/cancel")
    found = await counted(lives, life)
    assert (during["ruleplay_readers"], during["ruleplay_running_turns"]) == (1, 1)
    turns = 'ruleplay_turns_total{agent="tally",outcome="%s"}'
    outcomes = [found[turns % kind] for kind in ("committed", "refused", "failed", "cancelled")]
    assert outcomes == [2, 1, 1, 1]
    assert found['ruleplay_turn_seconds_count{agent="tally"}'] == 2
    assert found['ruleplay_model_calls_total{end="stop",provider="scripted"}'] == 3
    assert found['ruleplay_requests_total{method="POST",status="500"}'] == 1
    assert found["process_resident_memory_bytes"] > 0


async def test_metrics_need_the_token_where_there_is_one(lives: Lives) -> None:
    life = await lives.start(token="a-long-token-of-the-owner")
    assert (await life.client.get("/metrics")).status_code == 401
    signed = {"Authorization": "Bearer a-long-token-of-the-owner"}
    assert (await life.client.get("/metrics", headers=signed)).status_code == 200


async def test_health_is_the_databases(lives: Lives, postgres: PostgresServer) -> None:
    life = await lives.start(db=await asyncio.to_thread(postgres.new_database))
    session = await life.new("tally")
    assert (await life.client.get("/health")).json()["status"] == "ok"
    await asyncio.to_thread(postgres.stop)
    try:
        for answer in (
            await life.client.get("/health"),
            await life.client.get(session),
            await life.client.post(f"{session}/turns", json={"message": "add 1"}),
        ):
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == "2"
            assert "does not answer" in answer.json()["detail"]
    finally:
        await asyncio.to_thread(postgres.start)
    assert (await life.client.get("/health")).status_code == 200
    await life.play(session, "add 1")


SECRETS = ("my diary", "ZmVpZ2U", "a secret of the machine")


def test_logs_are_json_lines_with_ids_and_without_content(start: Start) -> None:
    process, client = start(RULEPLAY_LOGS="json")
    session = client.post("/api/sessions", json={"agent": "tally"}).headers["location"]
    ident = session.rpartition("/")[2]
    turn = client.post(
        f"{session}/turns?wait=true&seat=keeper", json={"message": "add 3 to my diary ZmVpZ2U"}
    ).json()["turn"]
    client.post(f"{session}/turns?wait=true", json={"message": "break my diary ZmVpZ2U"})
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    lines = [json.loads(line) for line in errors.splitlines()]
    ended = [line for line in lines if line["message"] == "turn ended"]
    assert [(line["session"], line["outcome"]) for line in ended] == [
        (ident, "committed"),
        (ident, "failed"),
    ]
    assert ended[0]["turn"] == turn
    assert ended[1]["error"]["type"] == "RuntimeError"
    assert any("tally.py" in place for place in ended[1]["error"]["where"])
    posts = [line for line in lines if line["message"] == "request" and line["method"] == "POST"]
    assert [line["status"] for line in posts] == [201, 200, 500]
    assert all(secret not in errors for secret in SECRETS)


def record(error: Exception) -> logging.LogRecord:
    found = (type(error), error, None)
    return logging.LogRecord("x", logging.ERROR, "f", 1, "it broke\nprompt: my diary", (), found)


def test_content_is_logged_only_where_the_owner_wants_it() -> None:
    error = ValueError("my diary")
    with about(session="s1", turn="t1"):
        line, shown = Lines().format(record(error)), Text().format(record(error))
        whole = Lines(content=True).format(record(error))
    assert json.loads(line)["session"] == "s1"
    assert "turn=t1" in shown
    assert "my diary" not in line + shown
    assert "my diary" in whole


async def leased(host: Host) -> list[object]:
    return await host.store.database.run(
        lambda connection: list(connection.execute(text("SELECT * FROM leases")))
    )


async def test_a_stopped_server_hands_its_turns_back(lives: Lives, database: str) -> None:
    here, there = await lives.start(db=database, grace=0.2), await lives.start(db=database)
    session = await here.new("tally")
    keyed = {"Idempotency-Key": "k"}
    begun = await here.client.post(f"{session}/turns", json={"message": "wait"}, headers=keyed)
    assert begun.status_code == 202
    async with asyncio.timeout(SECONDS):
        while len(await leased(there.host)) != 1:
            await asyncio.sleep(0.01)
    await here.stop()
    assert await leased(there.host) == []
    again = await there.client.post(
        f"{session}/turns?wait=true", json={"message": "add 4"}, headers=keyed
    )
    assert again.status_code == 200


@pytest.mark.parametrize("value", ["xml", "loud"])
def test_a_wrong_setting_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from ruleplay.cli.hosting import configured
    from ruleplay.errors import UserError

    monkeypatch.setenv("RULEPLAY_LOGS", value)
    with pytest.raises(UserError, match="RULEPLAY_LOGS"):
        configured()


def test_what_an_agent_loaded_is_not_looked_through_again() -> None:
    gc.collect()  # what other tests have left would stay for good
    ended, settling = Ending("session", "turn", "parts", 1, 0.1, ()), GcFreezer()
    loaded = [[number] for number in range(100_000)]
    before = gc.get_freeze_count()
    settling(ended)
    assert gc.get_freeze_count() - before > len(loaded)
    held = gc.get_freeze_count()
    later = [[number] for number in range(1_000)]
    settling(ended)
    assert gc.get_freeze_count() <= held, later


def test_the_encoder_is_loaded_for_agents_that_hear_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(encoder, "load_soon", lambda: loaded.append("loaded"))
    find = heard(find_agent)
    assert find("tally") is find_agent("tally")
    assert not loaded
    for name in shipped_names():
        folder = SHIPPED / name
        sources = (file.read_text(encoding="utf-8") for file in folder.rglob("*.py"))
        assert find(name).hears is any("ruleplay.hearing" in source for source in sources), name
    assert len(loaded) == len(shipped_names())


def test_a_connection_is_kept_longer_than_clients_keep_theirs() -> None:
    """Else the server would close some just as a request is sent on them, which is lost."""
    served = Server(FastAPI(), lambda: None, Settings()).config
    assert served.timeout_keep_alive > 2 * (httpx.Limits().keepalive_expiry or 0)
