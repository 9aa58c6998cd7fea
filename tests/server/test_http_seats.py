"""Seats over HTTP: sit down, leave, and what strangers and other seats may not do."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from tests.server.streaming import SECONDS, Life, Listener

CANARY = "seven-white-harts"
HEADER = "Ruleplay-Seat-Token"
WHISPER = {"do": "whisper", "to": ["ben"], "text": CANARY}


@pytest.fixture
async def table(client: httpx.AsyncClient) -> str:
    """Return the path of a new circle."""
    made = await client.post("/api/sessions", json={"agent": "circle"})
    assert made.status_code == 201
    return str(made.headers["location"])


async def sit(client: httpx.AsyncClient, table: str, seat: str) -> dict[str, str]:
    """Sit down as a client without cookies does; return the header that opens the seat."""
    answer = await client.post(f"{table}/seats/{seat}")
    assert answer.status_code == 201, answer.text
    client.cookies.clear()
    return {HEADER: answer.json()["token"]}


async def whisper(client: httpx.AsyncClient, table: str, token: dict[str, str]) -> str:
    body = {"action": WHISPER, "seat": "ada"}
    answer = await client.post(f"{table}/turns?wait=true", json=body, headers=token)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["turn"])


async def test_who_sits_down_reads_and_plays(client: httpx.AsyncClient, table: str) -> None:
    token = await sit(client, table, "ada")
    body = {"message": "Hear me!", "seat": "ada"}
    played = await client.post(f"{table}/turns?wait=true", json=body, headers=token)
    assert (played.status_code, played.json()["reply"]) == (200, "Hear me!")
    assert (await client.get(f"{table}?seat=ada", headers=token)).json()["view"]["seat"] == "ada"
    seats = (await client.get(f"{table}/seats", headers=token)).json()
    assert seats["public"] == "gallery"
    assert seats["seats"] == [
        {"seat": "ada", "held": True, "yours": True},
        {"seat": "ben", "held": False, "yours": False},
        {"seat": "cyd", "held": False, "yours": False},
    ]


async def test_a_browser_holds_its_token_in_a_cookie_that_scripts_cannot_read(
    client: httpx.AsyncClient, table: str
) -> None:
    answer = await client.post(f"{table}/seats/ada", json={"name": "Ann"})
    (cookie,) = answer.headers.get_list("set-cookie")
    assert {part.strip() for part in cookie.split(";")} >= {
        "HttpOnly",
        "SameSite=strict",
        f"Path={table}",
    }
    assert answer.headers["cache-control"] == "no-store"
    assert (await client.get(f"{table}?seat=ada")).status_code == 200
    freed = await client.delete(f"{table}/seats/ada")
    assert freed.status_code == 200
    assert "Max-Age=0" in freed.headers["set-cookie"]
    assert (await client.get(f"{table}?seat=ada")).status_code == 403


async def test_a_token_is_kept_as_its_hash(client: httpx.AsyncClient, table: str) -> None:
    token = await sit(client, table, "ada")
    for seat, headers in (("", {}), ("ada", token)):
        for path in (table, f"{table}/export", f"{table}/export?format=json"):
            shown = await client.get(path, params={"seat": seat}, headers=headers)
            assert token[HEADER] not in shown.text
            assert "guard" not in shown.text


READS = ("", "/export", "/export?format=json", "/turns/{turn}", "/events")


@pytest.mark.parametrize("path", READS)
@pytest.mark.parametrize("held", [True, False])
async def test_another_seat_is_not_read(
    client: httpx.AsyncClient, table: str, path: str, held: bool
) -> None:
    ada = await sit(client, table, "ada")
    if held:
        await sit(client, table, "ben")
    turn = await whisper(client, table, ada)
    where = (table + path).replace("{turn}", turn)
    for headers in ({}, ada, {HEADER: "guessed"}, {HEADER: "é"}):
        encoded = {name: value.encode() for name, value in headers.items()}
        answer = await client.get(where, params={"seat": "ben"}, headers=encoded)
        assert answer.status_code == 403, answer.text
        assert CANARY not in answer.text
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", READS[:-1])
async def test_a_stranger_looks_from_the_public_seat(
    client: httpx.AsyncClient, table: str, path: str
) -> None:
    ada = await sit(client, table, "ada")
    turn = await whisper(client, table, ada)
    where = (table + path).replace("{turn}", turn)
    for params in ({}, {"seat": "gallery"}):
        answer = await client.get(where, params=params)
        assert answer.status_code == 200
        assert CANARY not in answer.text
    assert CANARY in (await client.get(where, params={"seat": "ada"}, headers=ada)).text


async def test_a_seat_acts_with_its_token_only(client: httpx.AsyncClient, table: str) -> None:
    ada = await sit(client, table, "ada")
    for seat, headers, status in (
        ("ada", {}, 403),
        ("ben", ada, 403),
        ("gallery", ada, 403),
        ("", {}, 403),
        ("ada", ada, 200),
    ):
        body = {"message": "Hear!", "seat": seat}
        answer = await client.post(f"{table}/turns?wait=true", json=body, headers=headers)
        assert answer.status_code == status, (seat, answer.text)
    assert (await client.get(table)).json()["view"]["told"] == [["ada", "Hear!"]]


async def test_with_one_token_the_seat_need_not_be_named(
    client: httpx.AsyncClient, table: str
) -> None:
    ada = await sit(client, table, "ada")
    answer = await client.post(f"{table}/turns?wait=true", json={"message": "Ho!"}, headers=ada)
    assert (answer.status_code, answer.json()["seat"]) == (200, "ada")


async def test_the_route_of_game_sessions_asks_for_the_token(
    client: httpx.AsyncClient, table: str
) -> None:
    body = {"session_id": table.rpartition("/")[2], "content": "Hear!"}
    assert (await client.post("/api/gamesession/play", json=body)).status_code == 403
    ada = await sit(client, table, "ada")
    played = await client.post("/api/gamesession/play", json=body, headers=ada)
    assert (played.status_code, "Hear!" in played.text) == (200, True)


async def test_a_taken_seat_is_refused_and_freed_by_its_holder_only(
    client: httpx.AsyncClient, table: str
) -> None:
    ada, ben = await sit(client, table, "ada"), await sit(client, table, "ben")
    assert (await client.post(f"{table}/seats/ada")).status_code == 409
    assert (await client.post(f"{table}/seats/nobody")).status_code == 404
    assert (await client.delete(f"{table}/seats/ada", headers=ben)).status_code == 403
    assert (await client.delete(f"{table}/seats/cyd", headers=ben)).status_code == 403
    assert (await client.delete(f"{table}/seats/ada", headers=ada)).status_code == 200
    # The token opens nothing any more, not even after somebody else sat down.
    await sit(client, table, "ada")
    assert (await client.get(f"{table}?seat=ada", headers=ada)).status_code == 403


MOVES = [
    ("undo", None),
    ("regenerate?wait=true", None),
    ("fork", None),
    ("goto", {"turn": "{turn}"}),
    ("autoplay", {"moves": 1}),
]


@pytest.mark.parametrize(("path", "body"), MOVES)
async def test_only_who_sits_there_moves_in_the_tree(
    client: httpx.AsyncClient, table: str, path: str, body: dict[str, object] | None
) -> None:
    ada = await sit(client, table, "ada")
    turn = await whisper(client, table, ada)
    body = {k: turn if v == "{turn}" else v for k, v in body.items()} if body else None
    refused = await client.post(f"{table}/{path}", json=body)
    assert refused.status_code == 403, refused.text
    ben = await sit(client, table, "ben")
    done = await client.post(f"{table}/{path}", json=body, headers=ben)
    assert done.status_code in (200, 201, 202), done.text


async def test_where_nobody_sits_anyone_may_move(client: httpx.AsyncClient, table: str) -> None:
    ada = await sit(client, table, "ada")
    await client.delete(f"{table}/seats/ada", headers=ada)
    assert (await client.post(f"{table}/undo")).status_code == 200


async def test_only_the_seat_of_a_turn_edits_it(client: httpx.AsyncClient, table: str) -> None:
    ada, ben = await sit(client, table, "ada"), await sit(client, table, "ben")
    body = {"message": "Hear!", "seat": "ada"}
    number = (await client.post(f"{table}/turns?wait=true", json=body, headers=ada)).json()[
        "number"
    ]
    edit = {"turn": number, "message": "Listen!"}
    for headers, status in (({}, 403), (ben, 403), (ada, 200)):
        answer = await client.post(f"{table}/edit?wait=true", json=edit, headers=headers)
        assert answer.status_code == status, answer.text
    assert (await client.get(table)).json()["view"]["told"] == [["ada", "Listen!"]]


async def test_undo_shows_no_seat_to_who_took_it_later(
    client: httpx.AsyncClient, table: str
) -> None:
    """Whoever sits on a seat on one branch reads nothing of who sat there on another."""
    cyd, ada = await sit(client, table, "cyd"), await sit(client, table, "ada")
    turn = await whisper(client, table, ada)
    for _ in range(2):
        assert (await client.post(f"{table}/undo", headers=cyd)).status_code == 200
    thief = await sit(client, table, "ada")
    shown = await client.get(f"{table}?seat=ada", headers=thief)
    assert shown.status_code == 200
    assert CANARY not in shown.text
    turn_shown = await client.get(f"{table}/turns/{turn}?seat=ada", headers=thief)
    assert CANARY not in turn_shown.text


async def test_a_fork_seats_who_sat_there(client: httpx.AsyncClient, table: str) -> None:
    await client.post(f"{table}/seats/ada")
    forked = await client.post(f"{table}/fork")
    assert forked.status_code == 201
    where = forked.headers["location"]
    assert where != table
    assert (await client.get(f"{where}?seat=ada")).status_code == 200


async def test_open_agents_have_no_seats_to_take(client: httpx.AsyncClient, session: str) -> None:
    assert (await client.get(f"{session}/seats")).json()["public"] == ""
    assert (await client.post(f"{session}/seats/guest")).status_code == 409
    assert (await client.delete(f"{session}/seats/guest")).status_code == 403
    assert (await client.post(f"{session}/autoplay", json={"rounds": 1})).status_code == 409


@asynccontextmanager
async def listening(
    life: Life, table: str, seat: str, token: str, after: str = ""
) -> AsyncIterator[Listener]:
    headers = {HEADER: token} | ({"Last-Event-ID": after} if after else {})
    async with (
        httpx.AsyncClient(base_url=life.url, timeout=SECONDS) as client,
        client.stream("GET", f"{table}/events?seat={seat}", headers=headers) as response,
    ):
        assert response.status_code == 200
        yield Listener(response)


async def test_a_stream_tells_a_whisper_to_its_ears(life: Life) -> None:
    table = await life.new("circle")
    ada, ben = await sit(life.client, table, "ada"), await sit(life.client, table, "ben")
    async with (
        listening(life, table, "ben", ben[HEADER]) as friend,
        life.listen(table, seat="gallery") as stranger,
    ):
        await friend.next()
        await stranger.next()
        await whisper(life.client, table, ada)
        heard, missed = await friend.until("turn.committed"), await stranger.until("turn.committed")
    assert CANARY in json.dumps([got.data for got in friend.told])
    assert CANARY not in json.dumps([got.data for got in stranger.told])
    assert heard.data["asides"] == [{"text": CANARY, "audience": ["ada", "ben"]}]
    assert (missed.data["asides"], heard.data["turn"]) == ([], missed.data["turn"])


async def test_a_stream_ends_when_its_seat_is_left(life: Life) -> None:
    table = await life.new("circle")
    ada, ben = await sit(life.client, table, "ada"), await sit(life.client, table, "ben")
    async with listening(life, table, "ben", ben[HEADER]) as reader:
        await reader.next()
        await life.client.delete(f"{table}/seats/ben", headers=ben)
        await whisper(life.client, table, ada)
        await reader.to_end()
    assert reader.told[-1].name == "seat.lost"
    assert CANARY not in json.dumps([got.data for got in reader.told])


async def test_resuming_leads_to_no_turn_of_another_branch(life: Life) -> None:
    table = await life.new("circle")
    ada = await sit(life.client, table, "ada")
    turn = await whisper(life.client, table, ada)
    for _ in range(2):
        await life.client.post(f"{table}/undo", headers=ada)
    thief = await sit(life.client, table, "ada")
    async with listening(life, table, "ada", thief[HEADER], after=f"{turn}:1") as reader:
        await reader.until("turn.committed")
    assert CANARY not in json.dumps([got.data for got in reader.told])
