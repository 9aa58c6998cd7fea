"""Read-only links: what they open without the server's token, and that they open nothing else."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from tests.server.conftest import Serve

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.storage.shares import Shares

OWNER = {"Authorization": "Bearer s3cret"}
PLAN = NightPlan(pulls=(PullPlan(649, trash=0),), health=0.02, roster=1)


@pytest.fixture
def report(tmp_path: Path) -> str:
    """Return the code of a small imported night."""
    log = tmp_path / "night.txt"
    log.write_text("".join(generate_night(5, PLAN)[0]), "utf-8", newline="\n")
    return import_logs([log], tmp_path).report


async def made(client: httpx.AsyncClient, kind: str, what: str) -> dict[str, str]:
    """Make a link as the server's owner."""
    answer = await client.post("/api/shares", json={"kind": kind, "what": what}, headers=OWNER)
    assert answer.status_code == 201, answer.text
    found: dict[str, str] = answer.json()
    return found


async def test_a_link_shows_a_report_and_opens_nothing_else(serve: Serve, report: str) -> None:
    async with serve(token="s3cret") as client:
        link = await made(client, "raid", report)
        page = await client.get(link["path"])
        assert page.status_code == 200
        assert "<script" not in page.text
        assert page.text.count("<svg") >= 2
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert page.headers["cache-control"] == "no-store"
        assert "set-cookie" not in page.headers
        token = link["path"].removeprefix("/share/")
        bearer = {"Authorization": f"Bearer {token}"}
        for path in ("/api/shares", "/api/sessions", "/api/raid/reports", "/openapi.json"):
            assert (await client.get(path, headers=bearer)).status_code == 401
        assert (await client.post("/api/login", json={"token": token})).status_code == 401
        for other in (f"{token}x", "", "../api/shares", "x" * 64):
            assert (await client.get(f"/share/{other}")).status_code in (401, 404)


async def test_a_revoked_link_opens_nothing(serve: Serve, report: str) -> None:
    async with serve(token="s3cret") as client:
        link, kept = await made(client, "raid", report), await made(client, "raid", report)
        listed = (await client.get("/api/shares", headers=OWNER)).json()["shares"]
        assert {one["id"] for one in listed} == {link["id"], kept["id"]}
        assert link["path"].removeprefix("/share/") not in str(listed)
        path = f"/api/shares/{link['id']}"
        assert (await client.delete(path)).status_code == 401
        assert (await client.delete(path, headers=OWNER)).status_code == 204
        gone = await client.get(link["path"], headers={"Accept-Language": "de-AT,en"})
        assert gone.status_code == 404
        assert "nicht mehr gültig" in gone.text
        assert (await client.get(kept["path"])).status_code == 200
        assert (await client.delete(path, headers=OWNER)).status_code == 404


async def test_a_link_shows_a_session_and_what_people_wrote_does_nothing_there(
    serve: Serve,
) -> None:
    async with serve(token="s3cret") as client:
        new = await client.post("/api/sessions", json={"agent": "tally"}, headers=OWNER)
        session = new.json()["id"]
        link = await made(client, "session", session)
        said = {"message": "add 2 <script>alert(1)</script> [x](https://elsewhere.example)"}
        turn = f"/api/sessions/{session}/turns?wait=true"
        assert (await client.post(turn, json=said, headers=OWNER)).status_code == 200
        page = (await client.get(link["path"])).text
        assert "add 2" in page
        assert "<script" not in page
        assert "href" not in page


async def test_who_sits_at_a_table_shares_it_with_the_browsers_cookie_and_nobody_else(
    client: httpx.AsyncClient,
) -> None:
    table = (await client.post("/api/sessions", json={"agent": "circle"})).json()["id"]
    sat = await client.post(f"/api/sessions/{table}/seats/ada", json={"name": ""})
    whisper = {"action": {"do": "whisper", "to": ["ben"], "text": "seven harts"}, "seat": "ada"}
    address = f"/api/sessions/{table}"
    assert (await client.post(f"{address}/turns?wait=true", json=whisper)).status_code == 200
    link = await client.post(f"{address}/shares")
    assert link.status_code == 201, link.text
    shown = (await client.get(link.json()["path"])).text
    assert "circle" in shown
    assert "seven harts" not in shown
    listed = (await client.get("/api/sessions")).json()["sessions"]
    assert "seven harts" not in str(listed)
    client.cookies.clear()
    assert (await client.post(f"{address}/shares")).status_code == 403
    token = {"Ruleplay-Seat-Token": sat.json()["token"]}
    assert (await client.post(f"{address}/shares", headers=token)).status_code == 201


async def test_what_is_not_there_cannot_be_shared(client: httpx.AsyncClient, report: str) -> None:
    for kind, what, status in (
        ("session", "nothing", 404),
        ("raid", "nothing", 404),
        ("nobody", "", 404),
        ("tally", "", 422),
    ):
        answer = await client.post("/api/shares", json={"kind": kind, "what": what})
        assert answer.status_code == status, answer.text


def test_a_token_is_kept_nowhere(tmp_path: Path) -> None:
    share, token = Shares(tmp_path).make("session", "s1", "A game")
    kept = "".join(f"{path.name} {path.read_text()}" for path in tmp_path.rglob("*.json"))
    assert token not in kept
    assert Shares(tmp_path).find(token) == share


async def test_no_log_holds_what_opens_a_link(
    serve: Serve, report: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "ruleplay")
    async with serve(token="s3cret") as client:
        link = await made(client, "raid", report)
        await client.get(link["path"])
        told = [vars(record) for record in caplog.records if record.message == "request"]
    assert [one["path"] for one in told if one["method"] == "GET"] == ["/share/"]
    assert link["path"].removeprefix("/share/") not in str(told)


async def test_a_shared_answer_has_footnotes_and_speaks_its_readers_language(
    serve: Serve, report: str
) -> None:
    async with serve(token="s3cret") as client:
        given = {"agent": "raid", "config": {"report": report}}
        new = await client.post("/api/sessions", json=given, headers=OWNER)
        session = new.json()["id"]
        turn = f"/api/sessions/{session}/turns?wait=true"
        asked = {"message": "Who did the most damage?"}
        assert (await client.post(turn, json=asked, headers=OWNER)).status_code == 200
        link = await made(client, "session", session)
        page = (await client.get(f"{link['path']}?lang=fr")).text
        assert "[^" not in page
        assert "¹" in page
        assert "<ol>" in page
        assert "Une session de Ruleplay" in page
        assert "l’italique est l’avis" in page
        assert session not in page
        assert "raider" not in page
