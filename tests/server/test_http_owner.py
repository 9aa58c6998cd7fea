"""What belongs to the server's owner stays theirs: files, tokens, cookies, and what is told."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from tests.server.conftest import Serve, Start, server_environment

from ruleplay.cli.main import run

SECONDS = 180
TOKEN = "a-long-token-of-the-owner"
WAIT = {"Prefer": "wait"}


def play(client: httpx.Client, session: str) -> httpx.Response:
    return client.post(f"{session}/turns", json={"message": "add 5"}, headers=WAIT)


def test_turns_that_a_missing_or_replaced_database_would_lose_are_not_told_as_played(
    start: Start, tmp_path: Path
) -> None:
    _, client = start()
    session = client.post("/api/sessions", json={"agent": "tally"}).headers["location"]
    assert play(client, session).status_code == 200
    file, kept = tmp_path / "ruleplay.db", tmp_path / "kept.db"
    with closing(sqlite3.connect(file)) as there, closing(sqlite3.connect(kept)) as here:
        there.backup(here)
    for path in tmp_path.glob("ruleplay.db*"):
        path.unlink()
    for replaced in (False, True):
        if replaced:
            kept.rename(file)
        for _ in range(3):
            assert play(client, session).status_code == 503
            assert client.get("/health").status_code == 503
        assert replaced or not file.exists()


def test_others_cannot_read_what_is_stored_and_ctrl_c_ends_what_began_with_it_ignored(
    start: Start, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    before, handled = os.umask(0o022), signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        try:
            process, client = start(RULEPLAY_HOME=str(home))
        finally:
            signal.signal(signal.SIGINT, handled)
        client.post("/api/sessions", json={"agent": "tally"})
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) in (0, 130, -2)
        (home / "ruleplay.db").chmod(0o644)
        _, client = start(RULEPLAY_HOME=str(home))
        client.post("/api/sessions", json={"agent": "tally"})
    finally:
        os.umask(before)
    assert home.stat().st_mode & 0o077 == 0
    names = [path.name for path in home.iterdir()]
    assert "ruleplay.db-wal" in names
    assert [path.name for path in home.iterdir() if path.stat().st_mode & 0o077] == []


async def test_a_cookie_that_was_signed_out_is_worth_nothing(serve: Serve) -> None:
    async with serve(token=TOKEN) as client:
        assert (await client.post("/api/login", json={"token": TOKEN})).status_code == 204
        stolen = {"Cookie": f"ruleplay={client.cookies['ruleplay']}"}
        assert (await client.get("/api/agents")).status_code == 200
        assert (await client.post("/api/logout")).status_code == 204
        client.cookies.clear()
        assert (await client.get("/api/agents", headers=stolen)).status_code == 401
        assert (await client.post("/api/login", json={"token": TOKEN})).status_code == 204
        assert (await client.get("/api/agents")).status_code == 200
        client.cookies.clear()
    async with serve(token=TOKEN) as client:  # another server, or the same one later
        assert (await client.get("/api/agents", headers=stolen)).status_code == 401


@pytest.mark.parametrize("cookie", ["", ".", "a.b.c", "x." + "9" * 30 + ".y", "é", "a" * 5_000])
async def test_no_other_cookie_signs_in(serve: Serve, cookie: str) -> None:
    async with serve(token=TOKEN) as client:
        headers = {"Cookie": f"ruleplay={cookie}".encode()}
        assert (await client.get("/api/agents", headers=headers)).status_code == 401


@pytest.mark.parametrize("path", ["/api/agents", "/api/sessions/none", "/health", "/api/doctor"])
async def test_answers_are_not_guessed_at_and_not_kept(
    client: httpx.AsyncClient, path: str
) -> None:
    got = await client.get(path)
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("token", [" ", "fifteen-letters"])
def test_a_token_that_can_be_guessed_serves_no_other_machine(
    token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEPLAY_TOKEN", token)
    monkeypatch.setattr("ruleplay.server.serving.serve", lambda *given: pytest.fail("it serves"))
    assert run(["serve", "--port", "0", "--host", "0.0.0.0"]) == 2
    assert "RULEPLAY_TOKEN" in capsys.readouterr().err


SHEETS = [
    "name: 2001-13-45\n",
    f"name: A\nlevel: {'9' * 5_000}\n",
    f"name: A\nlevel: {'1_' * 9_000}1\n",
    f"name: A\nlevel: 0x{'f' * 18_000}\n",
    f"name: A\nlevel: {':'.join(['59'] * 6_000)}\n",
    "{a: " * 4_900,
    "[" * 19_000 + "\n",
    "? " * 9_000 + "\n",
    "- " * 9_000 + "\n",
    "name: &a [*a]\n",
    "name: !!python/object/apply:os.system [id]\n",
    "name: !!binary x\n",
    "name: !!timestamp nothing\n",
    "? [a]\n: b\n",
    ": \n",
    "name: .nan\n",
    "name: \x85\n",
    "level: -0b1_\n",
    "&" * 9_000 + ": x\n",
]


@pytest.mark.parametrize("sheet", SHEETS, ids=range(len(SHEETS)))
async def test_no_sheet_of_a_stranger_breaks_anything(
    client: httpx.AsyncClient, sheet: str
) -> None:
    made = await client.post(
        "/api/sessions", json={"agent": "party", "config": {"characters": [sheet]}}
    )
    assert made.status_code in (404, 422), made.text
    header = {"agent": "saga", "config": {"source": f"---\n{sheet}---\n\n## place a\n"}}
    made = await client.post("/api/sessions", json=header)
    assert made.status_code == 422, made.text


@pytest.mark.parametrize("number", ["9" * 5_000, "9" * 4_299, "-" + "9" * 4_000, "1" + "0" * 900])
async def test_no_number_breaks_anything(client: httpx.AsyncClient, number: str) -> None:
    headers = {"Content-Type": "application/json"}
    for body in (
        '{"agent": "tally", "config": {"start": %s}}',
        '{"agent": "saga", "config": {"skills": {"a": %s}}}',
        '{"agent": "party", "config": {"level": %s}}',
    ):
        made = await client.post("/api/sessions", content=body % number, headers=headers)
        assert made.status_code in (201, 400, 422), made.text
    session = (await client.post("/api/sessions", json={"agent": "tally"})).headers["location"]
    for body in ('{"action": {"add": %s}}', '{"action": {"seat": {"a": [%s]}}}'):
        played = await client.post(
            f"{session}/turns?wait=true", content=body % number, headers=headers
        )
        assert played.status_code < 500, played.text


@pytest.mark.parametrize("route", ["battle/reviews", "raid/imports"])
async def test_a_full_disk_is_said_and_leaves_nothing(
    client: httpx.AsyncClient, tmp_path: Path, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = Path.open

    def full(self: Path, *given: str, **named: object) -> object:
        if given[:1] == ("wb",):
            return opening(Path("/dev/full"), "wb")
        return opening(self, *given, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", full)
    got = await client.post(
        f"/api/{route}", content=b"x" * 100, headers={"Content-Type": "application/octet-stream"}
    )
    assert got.status_code == 503, got.text
    assert "No space left" in got.json()["detail"]
    assert list((tmp_path / "uploads").iterdir()) == []


@pytest.mark.parametrize("command", [["battle", "review"], ["party", "check"]])
def test_a_file_without_an_end_is_not_read(command: list[str]) -> None:
    assert run([*command, "/dev/zero"]) == 2


def test_standing_input_without_an_end_is_not_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "ruleplay.cli.main", "battle", "review", "/dev/stdin"],
            env=server_environment(tmp_path),
            stdin=reading,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == 2, done.stderr
