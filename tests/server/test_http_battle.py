"""Battles to watch, arenas and reviews over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

import httpx
import pytest
from tests.pace import wait_for_health
from tests.samples import sample
from tests.server.conftest import Start
from tests.showdown import lending, patient_search, server, showdown

from ruleplay.agents.battle.adapters.arena import ArenaReport, Times
from ruleplay.agents.battle.adapters.arena_records import POINTS, curve_of, keep_arena
from ruleplay.agents.battle.adapters.review import Review
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.agent import AGENT
from ruleplay.agents.battle.domain.orders import MoveOrder, Order
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.routes import background
from ruleplay.agents.battle.routes.shapes import (
    ArenaList,
    BattleAnswer,
    BattleList,
    SeatAnswer,
)

__all__ = ["patient_search", "server", "showdown"]  # fixtures
LOG = Path(__file__).parent.parent / "web" / "battle.log"
FILE = {"Content-Type": "application/octet-stream"}


async def test_a_battle_without_a_server_says_what_to_do(client: httpx.AsyncClient) -> None:
    got = await client.post("/api/battle/battles", json={"opponent": "random"})
    battle = BattleAnswer.model_validate(got.json())
    assert (got.status_code, battle.status) == (202, "starting")
    async with asyncio.timeout(180):
        while battle.status == "starting":
            await asyncio.sleep(0.02)
            shown = await client.get(f"/api/battle/battles/{battle.id}")
            battle = BattleAnswer.model_validate(shown.json())
    assert battle.status == "failed"
    assert battle.problem is not None
    assert "ruleplay setup battle" in battle.problem.detail
    listed = BattleList.model_validate((await client.get("/api/battle/battles")).json())
    assert listed.battles == [battle]
    late = await client.post(f"/api/battle/battles/{battle.id}/cancel")
    assert late.status_code == 409


@pytest.mark.parametrize(
    "body", [{"opponent": "nobody"}, {"format": "../x"}, {"search_ms": 10**9}, {"more": 1}]
)
async def test_a_battle_that_makes_no_sense_is_refused(
    client: httpx.AsyncClient, body: dict[str, object]
) -> None:
    assert (await client.post("/api/battle/battles", json=body)).status_code == 422


async def test_a_battle_that_is_not_there(client: httpx.AsyncClient) -> None:
    assert (await client.get("/api/battle/battles/0123")).status_code == 404
    assert (await client.post("/api/battle/battles/0123/cancel")).status_code == 404


@pytest.fixture
def arena(server: LocalServer, tmp_path: Path) -> Iterator[None]:
    """Lend the run's server to the home of a test's server; skip where there is none."""
    with lending(server, tmp_path):
        yield


async def begun(client: httpx.AsyncClient) -> tuple[str, SeatAnswer]:
    """Start a battle against a person; return their seat's address and the first question."""
    asked = {"opponent": "you", "search_ms": 0}
    got = await client.post("/api/battle/battles", json=asked)
    seat = f"/api/battle/battles/{got.json()['id']}/seat"
    return seat, await asked_next(client, seat, -1)


async def asked_next(client: httpx.AsyncClient, seat: str, after: int) -> SeatAnswer:
    """Wait for the next question, or the end."""
    async with asyncio.timeout(300):
        while True:
            got = await client.get(seat, params={"after": after}, timeout=60)
            seen = SeatAnswer.model_validate(got.json())
            if seen.asked or seen.battle.status not in ("starting", "running"):
                return seen
            after = seen.version


async def test_a_person_plays_and_gives_up(client: httpx.AsyncClient, arena: None) -> None:
    seat, seen = await begun(client)
    assert seen.position is not None
    legal, request = seen.position["legal"], seen.position["request_id"]
    assert isinstance(legal, list)
    assert len(legal) > 4
    assert len(seen.moves) == 4
    assert seen.moves[0].pp > 0
    assert seen.battle.session == "", "our team is not to be looked at"
    theirs = seen.position["theirs"]
    assert isinstance(theirs, dict)
    assert len(str(theirs.get("team"))) < 1_000, "one of theirs was shown"

    wrong = {"request": request, "order": {"kind": "switch", "ident": "p2: Nobody"}}
    assert (await client.post(seat, json=wrong)).status_code in (400, 422)
    stale = {"request": 999, "order": legal[0]}
    assert (await client.post(seat, json=stale)).status_code == 409
    given = await client.post(seat, json={"request": request, "order": legal[0]})
    assert given.status_code == 202

    after = await asked_next(client, seat, seen.version)
    assert after.position is not None
    assert after.position["request_id"] != request
    assert any(line.startswith("|move|") for line in after.log)
    await client.post(seat, json={"request": after.position["request_id"]})
    ended = await asked_next(client, seat, after.version)
    assert (ended.battle.status, ended.battle.result) == ("finished", "win")
    assert ended.battle.session, "now it may be looked at"
    assert ended.log[-1].startswith("|win|Ruleplay")
    record = await client.get(f"{seat}/log")
    assert record.text.endswith(ended.log[-1])
    assert "|player|p2|Player" in record.text


def strength(seen: SeatAnswer, order: Order) -> float:
    """Prefer what hits hardest, so that a battle ends soon."""
    used = next(
        (m for m in seen.moves if isinstance(order, MoveOrder) and m.id == order.move), None
    )
    return used.power * (1 if used.effect is None else used.effect) if used else 0


async def test_a_battle_is_played_to_its_end(client: httpx.AsyncClient, arena: None) -> None:
    seat, seen = await begun(client)
    while seen.asked:
        position = Position.model_validate(seen.position)
        best = max(position.legal, key=partial(strength, seen)).model_dump(mode="json")
        asked = {"request": position.request_id, "order": best}
        assert (await client.post(seat, json=asked)).status_code == 202
        seen = await asked_next(client, seat, seen.version)
    ended = Position.model_validate(seen.position)
    assert seen.battle.result in ("win", "loss")
    fallen = ended.ours if seen.battle.result == "win" else ended.theirs
    assert sum(mon.hp <= 0 for mon in fallen.team) == 6, "what the last move did is seen"


async def test_a_battle_whose_person_went_away_makes_room(
    client: httpx.AsyncClient, arena: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = await begun(client)
    second, _ = await begun(client)
    asked = {"opponent": "you", "search_ms": 0}
    assert (await client.post("/api/battle/battles", json=asked)).status_code == 409
    monkeypatch.setattr(background, "LEFT_SECONDS", 0)
    third = await client.post("/api/battle/battles", json=asked)
    assert third.status_code == 202
    went = SeatAnswer.model_validate((await client.get(first, params={"after": -1})).json())
    stays = SeatAnswer.model_validate((await client.get(second, params={"after": -1})).json())
    assert went.battle.status == "cancelled"
    assert stays.battle.status in ("starting", "running"), "our own side may be slower to begin"


async def test_a_battle_to_watch_has_no_seat(client: httpx.AsyncClient) -> None:
    got = await client.post("/api/battle/battles", json={"opponent": "random"})
    seat = f"/api/battle/battles/{got.json()['id']}/seat"
    assert (await client.get(seat)).status_code == 404
    assert (await client.post(seat, json={"request": 1})).status_code == 404


async def test_a_replay_is_reviewed(client: httpx.AsyncClient, tmp_path: Path) -> None:
    got = await client.post(
        "/api/battle/reviews",
        params={"name": "../../battle.log", "player": "p2", "search_ms": 0},
        content=LOG.read_bytes(),
        headers=FILE,
    )
    review = Review.model_validate(got.json())
    assert (review.player, review.opponent, review.winner) == ("Opponent", "Ruleplay", "Ruleplay")
    assert review.turns[0].played.startswith("Earthquake")
    assert sum(review.counts.values()) == len(review.turns) > 3
    assert [*(tmp_path / "uploads").iterdir()] == []
    kept = await client.get(f"/api/battle/reviews/{review.id}")
    assert kept.json() == got.json()
    page = await client.get(f"/api/battle/reviews/{review.id}/page")
    assert page.headers["content-disposition"].startswith("attachment")
    assert page.text.startswith("<!DOCTYPE html>")
    assert (await client.get(f"/api/battle/reviews/{'0' * 24}")).status_code == 404


async def test_damage_that_cannot_be_asked_is_refused(client: httpx.AsyncClient) -> None:
    whole = {"attacker": "Great Tusk", "move": "Earthquake", "defender": "Toxapex"}
    for change in ({"attacker": ""}, {"format": "../x"}, {"move": "x" * 61}, {"more": 1}):
        asked = await client.post("/api/battle/calc", json=whole | change)
        assert asked.status_code == 422


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"no battle", FILE, 422),
        (b"<html>nothing</html>", FILE, 422),
        (b"{" * 10_000, FILE, 422),
        (b"\xff\xfe\x00", FILE, 422),
        (b"", FILE, 422),
        (b"{}", {"Content-Type": "application/json"}, 415),
        (b"x" * (AGENT.uploads["/api/battle/reviews"] + 1), FILE, 413),
    ],
    ids=["text", "page", "json", "binary", "empty", "wrong type", "too long"],
)
async def test_what_is_no_replay_is_refused(
    client: httpx.AsyncClient, content: bytes, headers: dict[str, str], status: int
) -> None:
    got = await client.post("/api/battle/reviews", content=content, headers=headers)
    assert (got.status_code, got.headers["content-type"]) == (status, "application/problem+json")


async def test_arenas_are_listed_newest_first(client: httpx.AsyncClient, tmp_path: Path) -> None:
    assert (await client.get("/api/battle/arenas")).json() == {"arenas": []}
    for opponent, won in (("random", [True] * 3), ("maxdamage", [True, None, False])):
        keep_arena(tmp_path, report(opponent, won), won)
    (tmp_path / "battle" / "arenas" / "9-broken.json").write_text("{")
    listed = ArenaList.model_validate((await client.get("/api/battle/arenas")).json())
    assert [arena.opponent for arena in listed.arenas] == ["maxdamage", "random"]
    assert [point[:2] for point in listed.arenas[0].curve] == [(1, 1.0), (2, 0.5), (3, 0.3333)]


@pytest.mark.parametrize("battles", [1, POINTS - 1, POINTS, POINTS + 1, 3 * POINTS + 7])
def test_a_long_curve_is_thinned_and_keeps_its_end(battles: int) -> None:
    curve = curve_of([number % 3 > 0 for number in range(battles)])
    assert len(curve) <= POINTS + 1
    assert curve[-1][0] == battles
    assert all(low <= rate <= high for _, rate, low, high in curve)


def report(opponent: str, won: list[bool | None]) -> ArenaReport:
    """Return an arena's report."""
    return ArenaReport(
        opponent=opponent,
        battles=len(won),
        wins=won.count(True),
        losses=won.count(False),
        ties=won.count(None),
        win_rate=won.count(True) / len(won),
        ci95=(0.1, 1.0),
        decisions=60,
        invalid_choices=0,
        unavailable_choices=0,
        fallbacks=0,
        decision_ms=Times(p50=1.0, p95=2.0),
        search_ms=100,
        engine="python",
    )


PIECES = (
    b"<script",
    b"<script class='battle-log-data'",
    b"<script class='battle-log-data'>",
    b"<script><",
    b"|player|p1|",
    b"|player|p1|a\n|player|p2|b\n|turn|1\n",
    b'{"log":',
    b"[",
)
"""What whole files for review are made of."""


def test_no_file_for_review_keeps_others_waiting(start: Start) -> None:
    """Health is asked while each file is being read."""
    process, client = start()
    client.get("/api/battle/arenas")  # the agent's packages are loaded once
    whole = AGENT.uploads["/api/battle/reviews"]
    slowest = dict.fromkeys(PIECES, 0.0)
    for piece in PIECES[:: sample(4, 1)]:
        lead = b"{" if piece[:1] in b"{[" else b"<x>" if piece[:1] == b"<" else b""
        content = lead + piece * ((whole - len(lead)) // len(piece))
        with ThreadPoolExecutor(1) as pool:
            reviewing = pool.submit(
                client.post, "/api/battle/reviews?search_ms=0", content=content, headers=FILE
            )
            while not wait([reviewing], 0.02).done:
                took = wait_for_health(process.pid, client.base_url)
                slowest[piece] = max(slowest[piece], took)
            assert reviewing.result().status_code in (200, 413, 422), piece
    assert {piece: took for piece, took in slowest.items() if took >= 1} == {}


def _endless() -> bytes:
    """Return a battle's log whose turns come again and again."""
    head, turns = LOG.read_text("utf-8").split("|turn|1\n", 1)
    return (head + ("|turn|1\n" + turns.rpartition("|win|")[0]) * 40).encode()[:7_000_000]


def test_reviews_end_when_their_askers_leave_and_when_the_server_stops(start: Start) -> None:
    process, client = start()
    client.get("/api/battle/arenas")
    where = "/api/battle/reviews?search_ms=1000"
    for _ in range(3):  # more than there are places
        with pytest.raises(httpx.ReadTimeout):
            client.post(where, content=_endless(), headers=FILE, timeout=1)
    got = client.post(
        "/api/battle/reviews?search_ms=0", content=LOG.read_bytes(), headers=FILE, timeout=60
    )
    assert got.status_code == 200, got.text
    with pytest.raises(httpx.ReadTimeout):
        client.post(where, content=_endless(), headers=FILE, timeout=1)
    process.terminate()
    assert process.wait(60) in (0, -15), "the review would take hours"
