"""Reports, tools, raw lines and imports over HTTP."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path

import httpx
import pytest
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from benchmarks.raid.nights.truth import GroundTruth

from ruleplay.agents.raid.routes.shapes import (
    ImportAnswer,
    RawLines,
    ReportList,
    TimelineAnswer,
    ToolResult,
)

PLAN = NightPlan(pulls=(PullPlan(649, trash=0),), health=0.02, roster=1)
FILE = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def night() -> tuple[str, GroundTruth]:
    """Return a small log with what happened in it."""
    lines, truth = generate_night(5, PLAN)
    return "".join(lines), truth


async def send(client: httpx.AsyncClient, content: bytes, name: str) -> ImportAnswer:
    """Send a log and wait until it is imported or refused."""
    got = await client.post(
        "/api/raid/imports", params={"name": name}, content=content, headers=FILE
    )
    assert got.status_code == 202, got.text
    answer = ImportAnswer.model_validate(got.json())
    async with asyncio.timeout(180):
        while answer.status in ("waiting", "reading"):
            await asyncio.sleep(0.02)
            shown = await client.get(f"/api/raid/imports/{answer.id}")
            answer = ImportAnswer.model_validate(shown.json())
    return answer


async def test_a_log_is_imported_asked_and_read(
    client: httpx.AsyncClient, night: tuple[str, GroundTruth], tmp_path: Path
) -> None:
    text, truth = night
    done = await send(client, gzip.compress(text.encode()), "../WoW Log.txt.gz")
    assert (done.status, done.part, done.unparsed) == ("done", 1.0, 0)
    assert done.lines == text.count("\n")
    assert [pull["name"] for pull in done.encounters] == [truth.pulls[0].name]
    assert [*(tmp_path / "uploads").iterdir()] == []

    listed = ReportList.model_validate((await client.get("/api/raid/reports")).json())
    assert [(one.code, one.kills) for one in listed.reports] == [(done.report, 1)]

    got = await client.post("/api/raid/tools/get_fight_details", json={"FightId": 1})
    details = ToolResult.model_validate(got.json())
    apart = ("damage", "overkill", "friendly_fire")
    damage = {
        str(row["player"]): sum(int(str(row[column])) for column in apart) for row in details.rows
    }
    assert damage == {name: did.damage for name, did in truth.pulls[0].totals.items()}

    first, last = details.lines[0]
    where = {"first": first, "last": min(last, first + 9)}
    got = await client.get(f"/api/raid/reports/{done.report}/lines", params=where)
    lines = RawLines.model_validate(got.json()).lines
    raw = text.split("\n")
    assert [one.text for one in lines] == [raw[one.line - 1] for one in lines]
    assert len(lines) == where["last"] - first + 1


async def test_the_same_log_twice_is_one_report(
    client: httpx.AsyncClient, night: tuple[str, GroundTruth]
) -> None:
    sent = [await send(client, night[0].encode(), name) for name in ("one.txt", "two.txt")]
    assert sent[0].report == sent[1].report
    assert len((await client.get("/api/raid/reports")).json()["reports"]) == 1


@pytest.mark.parametrize("content", [b"", b"\0\1\2" * 999, b"PK\3\4junk", b"hello\n" * 50])
async def test_what_is_no_log_is_refused_in_words(
    client: httpx.AsyncClient, content: bytes
) -> None:
    refused = await send(client, content, "holiday.txt")
    assert refused.status == "failed"
    assert refused.problem is not None
    assert refused.problem.status < 500
    assert refused.problem.detail


@pytest.mark.parametrize(
    ("first", "last", "status"), [(5, 4, 422), (0, 4, 422), (1, 600, 422), (10**8, 10**8, 422)]
)
async def test_lines_are_bounded(
    client: httpx.AsyncClient,
    night: tuple[str, GroundTruth],
    first: int,
    last: int,
    status: int,
) -> None:
    code = (await send(client, night[0].encode(), "log.txt")).report
    got = await client.get(f"/api/raid/reports/{code}/lines", params={"first": first, "last": last})
    assert got.status_code == status
    missing = await client.get("/api/raid/reports/none/lines", params={"first": 1, "last": 2})
    assert missing.status_code == 404


async def test_a_wrong_question_is_answered_with_what_there_is(
    client: httpx.AsyncClient, night: tuple[str, GroundTruth]
) -> None:
    await send(client, night[0].encode(), "log.txt")
    for tool, given in (("get_fight_detials", {}), ("get_fight_details", {"boss_id": 1})):
        got = await client.post(f"/api/raid/tools/{tool}", json=given)
        assert "get_fight_details" in ToolResult.model_validate(got.json()).problem


async def test_an_import_that_is_not_there(client: httpx.AsyncClient) -> None:
    assert (await client.get("/api/raid/imports/0123")).status_code == 404


async def test_what_was_cast_and_where_everybody_was_is_told_with_its_lines(
    client: httpx.AsyncClient, night: tuple[str, GroundTruth]
) -> None:
    text, truth = night
    done = await send(client, text.encode(), "night.txt")
    path, lines = f"/api/raid/reports/{done.report}/pulls/1", text.splitlines()
    player = max(truth.pulls[0].totals, key=lambda name: truth.pulls[0].totals[name].damage)
    got = await client.get(f"{path}/timeline", params={"player": player})
    found = TimelineAnswer.model_validate(got.json())
    cast = re.compile(rf'SPELL_CAST_SUCCESS,[^,]*,"{re.escape(player)}"')
    mine = [n for n, line in enumerate(lines, 1) if cast.search(line)]
    first, last = done_range(lines)
    assert [mark.line for mark in found.casts] == [n for n in mine if first <= n <= last]
    for mark in (*found.casts, *found.boss, *found.cooldowns):
        assert mark.ability in lines[mark.line - 1]
        assert mark.source in lines[mark.line - 1]
    assert found.boss
    all_of = TimelineAnswer.model_validate((await client.get(f"{path}/timeline")).json())
    assert (all_of.casts, len(all_of.cooldowns) >= len(found.cooldowns)) == ([], True)

    places = (await client.get(f"{path}/places")).json()
    assert len(places["movers"]) >= 20
    assert {"name", "class", "boss", "died_at", "path"} == set(places["movers"][0])
    step, x, y = places["movers"][0]["path"][0]
    assert 0 <= step <= places["seconds"]
    name = places["movers"][0]["name"]
    number = re.compile(r",(-?\d+\.\d\d),(-?\d+\.\d\d),")
    told = [pair for line in lines if name in line for pair in number.findall(line)]
    assert any(abs(float(one) - x) + abs(float(other) - y) < 0.11 for one, other in told)

    for wrong in ("pulls/9/timeline", "pulls/9/places", "pulls/1/timeline?player=Nobody"):
        answer = await client.get(f"/api/raid/reports/{done.report}/{wrong}")
        assert answer.status_code == 404


def done_range(lines: list[str]) -> tuple[int, int]:
    """Return the lines between which the night's one pull lies."""
    marks = [n for n, line in enumerate(lines, 1) if "ENCOUNTER_" in line]
    return marks[0], marks[-1]
