"""Agents on other people's pages: who may show them, and what guests can do, and cannot."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import httpx
import pytest

from ruleplay.server.embedding import guests

Serve = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]
SHOP, OTHER = "https://shop.example", "https://other.example"
TOKEN = re.compile(r'name="ruleplay-guest" content="([^"]+)"')


async def guest_of(client: httpx.AsyncClient, agent: str = "tally", page: str = SHOP) -> str:
    answer = await client.get(f"/embed/{agent}", headers={"Referer": f"{page}/"})
    assert answer.status_code == 200, answer.text
    found = TOKEN.search(answer.text)
    assert found
    return found[1]


def as_guest(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_a_guest_plays_in_a_session_of_its_own(serve: Serve) -> None:
    async with serve(token="owner", framed_by=(SHOP,)) as client:  # type: ignore[arg-type]
        one, other = await guest_of(client), await guest_of(client)
        for guest, amount in ((one, 1), (other, 5), (one, 2)):
            answer = await client.post(
                "/embed/tally/turns", json={"message": f"add {amount}"}, headers=as_guest(guest)
            )
            assert "turn.committed" in answer.text
        told = (await client.get("/embed/tally/session", headers=as_guest(one))).json()
        assert [turn["reply"][:15] for turn in told["turns"]] == [
            "The tally is 1.",
            "The tally is 3.",
        ]
        assert told["quick_replies"] == ["add 1", "add 20"]


async def test_a_guest_cannot_leave_its_session(serve: Serve) -> None:
    async with serve(token="owner", framed_by=(SHOP,)) as client:  # type: ignore[arg-type]
        guest = await guest_of(client)
        headers = as_guest(guest)
        for path in ("/api/sessions", "/v1/models", "/api/agents", "/metrics", "/mcp"):
            assert (await client.get(path, headers=headers)).status_code == 401
        forged = f"{guest[:-2]}xx"
        for agent, token in (
            ("parts", guest),
            ("tally", forged),
            ("tally", "owner"),
            ("tally", ""),
        ):
            answer = await client.get(f"/embed/{agent}/session", headers=as_guest(token))
            assert answer.status_code in (401, 422), (agent, token)
        strange = {**headers, "Origin": SHOP}
        body = {"message": "add 1"}
        answer = await client.post("/embed/tally/turns", json=body, headers=strange)
        assert answer.status_code == 403, "only the frame itself asks, which is of our origin"


async def test_only_listed_pages_may_show_agents(serve: Serve) -> None:
    async with serve(token="owner", framed_by=(SHOP,)) as client:  # type: ignore[arg-type]
        for headers in ({}, {"Referer": f"{OTHER}/"}, {"Referer": "nonsense"}):
            assert (await client.get("/embed/tally", headers=headers)).status_code == 403
        shown = await client.get("/embed/tally", headers={"Referer": f"{SHOP}/"})
        assert f"frame-ancestors {SHOP}" in shown.headers["content-security-policy"]
        assert "owner" not in shown.text
        seats = await client.get("/embed/party", headers={"Referer": f"{SHOP}/"})
        assert seats.status_code == 403
    async with serve(token="owner", framed_by=(OTHER,)) as client:  # type: ignore[arg-type]
        # Whoever is taken off the list takes its guests along.
        guest = TOKEN.search(shown.text)
        assert guest
        answer = await client.get("/embed/tally/session", headers=as_guest(guest[1]))
        assert answer.status_code == 401


async def test_guests_are_bounded(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serve(token="owner", framed_by=(SHOP,), rate="0") as client:  # type: ignore[arg-type]
        guest = await guest_of(client)
        statuses = [
            (await client.get("/embed/tally", headers={"Referer": f"{SHOP}/"})).status_code
            for _ in range(12)
        ]
        assert statuses[-1] == 429
        played = [
            (
                await client.post(
                    "/embed/tally/turns", json={"message": "add 1"}, headers=as_guest(guest)
                )
            ).status_code
            for _ in range(12)
        ]
        assert played[0] == 200
        assert played[-1] == 429
        monkeypatch.setattr(guests, "time", lambda: 4e9)
        late = await client.get("/embed/tally/session", headers=as_guest(guest))
        assert late.status_code == 401


async def test_pages_elsewhere_use_the_doors_with_the_token_and_without_cookies(
    serve: Serve,
) -> None:
    async with serve(token="owner", origins=(SHOP,)) as client:  # type: ignore[arg-type]
        asked = {
            "Origin": SHOP,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
        }
        for path in ("/v1/chat/completions", "/agui/tally", "/mcp"):
            answer = await client.options(path, headers=asked)
            assert answer.headers["access-control-allow-origin"] == SHOP
        bearer = {"Authorization": "Bearer owner"}
        models = await client.get("/v1/models", headers={"Origin": SHOP, **bearer})
        assert models.status_code == 200
        assert models.headers["access-control-allow-origin"] == SHOP
        for path, origin in (("/v1/models", OTHER), ("/api/sessions", SHOP)):
            refused = await client.get(path, headers={"Origin": origin, **bearer})
            assert refused.status_code == 403
            assert "access-control-allow-origin" not in refused.headers
        assert (await client.post("/api/login", json={"token": "owner"})).status_code == 204
        assert (await client.get("/v1/models")).status_code == 200
        crossing = await client.get("/v1/models", headers={"Origin": SHOP})
        assert crossing.status_code == 401, "a cookie opens the server's own page only"
