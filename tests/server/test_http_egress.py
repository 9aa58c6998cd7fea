"""No value that a client sends chooses a host, a file or a key."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest
from tests.foundation.openai_stub import OpenAIStub, say
from tests.server.conftest import Serve, Start
from tests.server.streaming import Lives

from ruleplay.kernel.host import Host

SECRET = "owners-secret-key"
SECONDS = 30
WAIT = {"Prefer": "wait"}


class Trap:
    """A listener that notes whatever reaches it."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(SECONDS)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        self.caught: list[bytes] = []
        self._thread = Thread(target=self._catch, daemon=True)
        self._thread.start()

    def _catch(self) -> None:
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            with line:
                line.settimeout(1)
                try:
                    self.caught.append(line.recv(65_536))
                except OSError:
                    self.caught.append(b"")

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(SECONDS)


@pytest.fixture
def trap() -> Iterator[Trap]:
    """Return a listener that nobody is to reach."""
    opened = Trap()
    yield opened
    opened.close()


def names(trap: Trap) -> list[str]:
    """Return names of models that a server's owner alone may use."""
    return [
        trap.url,
        f"{trap.url}#gpt",
        f"llama:{trap.url}",
        f"openai-compatible:{trap.url}#x",
        f"rules,parts.extract={trap.url}",
        f'{{"parts": {{"extract": "{trap.url}"}}}}',
        "embedded",
        "embedded:/etc/passwd",
        "embedded:/nowhere/at/all",
        "openai:gpt-5-mini",
        "anthropic:claude-sonnet-5",
        "nobody:nothing",
        '{"a":' + "[" * 1_900,
    ]


def test_a_client_reaches_no_host_no_file_and_no_key_by_a_models_name(
    start: Start, trap: Trap
) -> None:
    keys = {
        "RULEPLAY_COMPATIBLE_KEY": SECRET,
        "OPENAI_API_KEY": SECRET,
        "OPENAI_BASE_URL": trap.url,
    }
    _, client = start(**keys)
    for name in names(trap):
        made = client.post("/api/sessions", json={"agent": "parts", "model": name})
        assert made.status_code == 422, (name, made.text)
        if "{" not in name or "extract" in name:
            assert made.json()["detail"] == (
                "this model is not offered here; offered: rules, default"
            )
    assert client.get("/api/sessions").json()["sessions"] == []
    assert trap.caught == []


async def test_a_session_that_holds_a_foreign_model_does_not_ask_it(
    lives: Lives, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As sessions may that a client made before models were offered by alias."""
    monkeypatch.setenv("RULEPLAY_COMPATIBLE_KEY", SECRET)
    life = await lives.start()
    made = await life.host.create("parts", models={"": trap.url})
    turn = await life.client.post(
        f"/api/sessions/{made.id}/turns", json={"message": "My dishwasher leaks"}, headers=WAIT
    )
    assert turn.status_code == 200
    assert turn.json()["reply"]
    assert trap.caught == []
    assert "127.0.0.1" not in turn.text


@pytest.mark.parametrize("model", ["quick", "rules,tally=quick"])
async def test_an_alias_opens_what_the_owner_listed_and_is_all_that_clients_see(
    lives: Lives, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEPLAY_COMPATIBLE_KEY", SECRET)
    async with OpenAIStub([say("{}")] * 8) as stub:
        life = await lives.start(offered={"quick": f"llama:{stub.url}#tiny"})
        made = await life.client.post("/api/sessions", json={"agent": "tally", "model": model})
        assert made.status_code == 201, made.text
        turn = await life.client.post(
            f"{made.headers['location']}/turns", json={"message": "add 5"}, headers=WAIT
        )
        assert turn.status_code == 200
        assert {call["model"] for call in turn.json()["calls"]} <= {"quick"}
        assert stub.url not in turn.text
        listed = (await life.client.get("/api/sessions")).json()["sessions"][0]
        assert "quick" in listed["models"].values()


async def test_the_servers_own_model_can_be_named_but_not_read(serve: Serve) -> None:
    async with serve(model="http://10.1.2.3:8080/v1#writer", offered={"quick": "rules"}) as client:
        told = (await client.get("/api/doctor")).json()
        assert told["default"] == "writer"
        assert [one["name"] for one in told["models"]] == ["rules", "default", "quick"]
        made = await client.post("/api/sessions", json={"agent": "tally", "model": "default"})
        assert made.status_code == 201
        assert "10.1.2.3" not in made.text + (await client.get("/api/sessions")).text


@pytest.mark.parametrize(
    ("configured", "told"),
    [({"model": "URL"}, True), ({}, False), ({"compatible_url": "http://127.0.0.1:9/v1"}, False)],
)
async def test_the_key_goes_only_to_the_server_it_is_for(
    tmp_path: Path, configured: dict[str, str], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ruleplay.catalog import find_agent
    from ruleplay.settings import Settings

    monkeypatch.setenv("RULEPLAY_COMPATIBLE_KEY", SECRET)
    async with OpenAIStub([say("{}")] * 8) as stub:
        chosen = {name: value.replace("URL", stub.url) for name, value in configured.items()}
        host = await Host.open(Settings(home=tmp_path, **chosen), find_agent)
        try:
            opened = host.models.open(f"{stub.url}#tiny")
            assert (SECRET in repr(opened.openai_api_key.get_secret_value())) is told  # type: ignore[union-attr]
        finally:
            await host.close()


@pytest.mark.parametrize(
    "path", ["../../../../etc/passwd", "..", "/etc/passwd", "a/b", "%2e%2e", "C:\\x", "x\x00y"]
)
async def test_no_name_of_a_client_is_a_path(
    client: httpx.AsyncClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    exists = Path.exists

    def noted(self: Path, *given: bool) -> bool:
        opened.append(str(self))
        return exists(self, *given)

    monkeypatch.setattr(Path, "exists", noted)
    bodies = [
        ("/api/sessions", {"agent": "battle", "config": {"format": path}}),
        ("/api/sessions", {"agent": "raid", "config": {"report": path}}),
        ("/api/sessions", {"agent": "saga", "config": {"scenario": path}}),
        ("/api/sessions", {"agent": "party", "config": {"adventure": path}}),
        ("/api/sessions", {"agent": "party", "config": {"characters": [path]}}),
        ("/api/battle/battles", {"format": path}),
        ("/api/raid/tools/list_pulls", {"report": path}),
        ("/api/analyze", {"question": "why?", "report": path}),
    ]
    for where, body in bodies:
        made = await client.post(where, json=body)
        assert made.status_code < 500, (where, made.text)
        if made.status_code == 201:
            await client.post(
                f"{made.headers['location']}/turns", json={"message": "why?"}, headers=WAIT
            )
    assert not [name for name in opened if "passwd" in name or ".." in name]
