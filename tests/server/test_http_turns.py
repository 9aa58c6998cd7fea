"""Turns over HTTP: at once and waited for, once per key, stopped, failed, on every branch."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx
import pytest
from tests.server.streaming import Lives

from ruleplay.records.turns import Turn
from ruleplay.server.shapes import CommittedTurn, Moved, SessionAnswer, TurnStatus

Serve = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]

WAIT = {"Prefer": "wait"}


async def ended(client: httpx.AsyncClient, path: str) -> dict[str, object]:
    """Return a turn once it no longer runs."""
    async with asyncio.timeout(180):
        while True:
            body: dict[str, object] = (await client.get(path)).json()
            if body["status"] != "running":
                return body
            await asyncio.sleep(0.02)


async def test_a_turn_is_answered_at_once_and_found_by_its_id(
    client: httpx.AsyncClient, session: str, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    message = f"hold 5 {gate}"
    answer = await client.post(f"{session}/turns", json={"message": message})
    assert answer.status_code == 202
    assert TurnStatus(**answer.json()).status == "running"
    assert answer.headers["location"] == f"{session}/turns/{answer.json()['turn']}"
    assert (await client.get(session)).json()["turns"] == []

    gate.touch()
    body = await ended(client, answer.headers["location"])
    turn = CommittedTurn(**body)
    assert (turn.turn, turn.number) == (answer.json()["turn"], 1)
    assert turn.reply == f"The tally is 5. You said: {message}"
    assert [event["type"] for event in turn.events] == ["Added"]
    assert [call.role for call in turn.calls] == ["tally.read"]
    assert turn.view["total"] == 5


@pytest.mark.parametrize(
    ("query", "headers"), [("", WAIT), ("?wait=true", {}), ("", {"Prefer": "x; y, wait=20"})]
)
async def test_a_waiting_client_gets_the_committed_turn(
    client: httpx.AsyncClient, session: str, query: str, headers: dict[str, str]
) -> None:
    answer = await client.post(
        f"{session}/turns{query}", json={"message": "add 3"}, headers=headers
    )
    assert answer.status_code == 200
    assert answer.headers["preference-applied"] == "wait"
    assert CommittedTurn(**answer.json()).view["total"] == 3


async def test_waiting_ends_when_the_client_said_so(
    client: httpx.AsyncClient, session: str
) -> None:
    answer = await client.post(
        f"{session}/turns", json={"message": "wait"}, headers={"Prefer": "wait=1"}
    )
    assert (answer.status_code, answer.json()["status"]) == (202, "running")


async def test_an_action_is_an_input_too(client: httpx.AsyncClient, session: str) -> None:
    answer = await client.post(f"{session}/turns", json={"action": {"add": 4}}, headers=WAIT)
    assert answer.json()["view"]["total"] == 4
    assert answer.json()["input"] == {"message": "", "action": {"add": 4}}


async def test_a_key_means_one_turn(
    client: httpx.AsyncClient, session: str, tmp_path: Path
) -> None:
    headers = {"Idempotency-Key": "k1"}
    gate = tmp_path / "gate"
    body = {"message": f"hold 2 {gate}"}
    asked = [client.post(f"{session}/turns", json=body, headers=headers) for _ in range(3)]
    answers = await asyncio.gather(*asked)
    gate.touch()
    assert {answer.status_code for answer in answers} == {202}
    turns = {
        (await ended(client, f"{session}/turns/{answer.json()['turn']}"))["turn"]
        for answer in answers
    }
    later = await client.post(f"{session}/turns", json=body, headers=headers)
    assert later.json() == {"turn": turns.pop(), "status": "committed"}
    assert not turns
    waited = await client.post(f"{session}/turns", json=body, headers={**headers, **WAIT})
    assert (waited.status_code, waited.json()["turn"]) == (200, later.json()["turn"])
    assert len((await client.get(session)).json()["turns"]) == 1


async def test_a_key_for_another_input_is_a_conflict(
    client: httpx.AsyncClient, session: str, tmp_path: Path
) -> None:
    headers = {"Idempotency-Key": "k1"}
    gate = tmp_path / "gate"
    body = {"message": f"hold 2 {gate}"}
    await client.post(f"{session}/turns", json=body, headers=headers)
    while_running = await client.post(
        f"{session}/turns", json={"message": "add 3"}, headers=headers
    )
    assert while_running.status_code == 409
    gate.touch()
    await client.post(f"{session}/turns", json=body, headers={**headers, **WAIT})
    after = await client.post(f"{session}/turns", json={"message": "add 3"}, headers=headers)
    assert after.status_code == 409
    assert len((await client.get(session)).json()["turns"]) == 1


async def test_keys_hold_across_restarts(serve: Serve) -> None:
    headers = {"Idempotency-Key": "k1", **WAIT}
    async with serve() as client:
        made = await client.post("/api/sessions", json={"agent": "tally"})
        path = made.headers["location"]
        first = await client.post(f"{path}/turns", json={"message": "add 1"}, headers=headers)
    async with serve() as client:
        again = await client.post(f"{path}/turns", json={"message": "add 1"}, headers=headers)
        assert again.json() == first.json()
        assert len((await client.get(path)).json()["turns"]) == 1


async def test_turns_of_a_session_run_one_after_the_other(
    client: httpx.AsyncClient, session: str
) -> None:
    answers = [
        await client.post(f"{session}/turns", json={"message": f"slow {n}"}) for n in (1, 2, 3)
    ]
    bodies = [await ended(client, answer.headers["location"]) for answer in answers]
    assert [(body["number"], body["view"]["total"]) for body in bodies] == [(1, 1), (2, 3), (3, 6)]


async def test_a_running_turn_can_be_stopped(client: httpx.AsyncClient, session: str) -> None:
    path = (await client.post(f"{session}/turns", json={"message": "wait"})).headers["location"]
    stopped = await client.post(f"{path}/cancel")
    assert (stopped.status_code, stopped.json()["status"]) == (200, "cancelled")
    assert (await client.get(path)).json()["problem"]["detail"] == "the turn was cancelled"
    assert (await client.get(session)).json()["turns"] == []
    after = await client.post(f"{session}/turns", json={"message": "add 1"}, headers=WAIT)
    assert after.json()["number"] == 1


async def test_a_committed_turn_cannot_be_stopped(client: httpx.AsyncClient, session: str) -> None:
    turn = (await client.post(f"{session}/turns", json={"message": "add 1"}, headers=WAIT)).json()
    late = await client.post(f"{session}/turns/{turn['turn']}/cancel")
    assert late.status_code == 409
    assert "undo" in late.json()["detail"]
    assert (await client.post(f"{session}/turns/none/cancel")).status_code == 404


@pytest.mark.parametrize(
    ("message", "status", "detail"),
    [
        ("refuse", 422, "that word is not allowed"),
        ("missing", 503, "install 'ruleplay[dice]'"),
        ("model-down", 502, "the model is out"),
        ("break", 500, "something went wrong; the server's log has the details"),
    ],
)
async def test_why_a_turn_failed_can_be_asked(
    client: httpx.AsyncClient, session: str, message: str, status: int, detail: str
) -> None:
    path = (await client.post(f"{session}/turns", json={"message": message})).headers["location"]
    body = await ended(client, path)
    assert body["status"] == "failed"
    assert body["problem"]["status"] == status
    assert body["problem"]["detail"] == detail
    waited = await client.post(f"{session}/turns", json={"message": message}, headers=WAIT)
    assert waited.status_code == status
    assert waited.headers["content-type"] == "application/problem+json"
    assert waited.json()["detail"] == detail
    assert (await client.get(session)).json()["turns"] == []


async def test_what_the_agent_refuses_is_refused_at_once(
    client: httpx.AsyncClient, session: str
) -> None:
    refused = await client.post(f"{session}/turns", json={"message": "not now"})
    assert (refused.status_code, refused.json()["detail"]) == (409, "come back later")
    seat = await client.post(f"{session}/turns", json={"message": "add 1", "seat": "thief"})
    assert (seat.status_code, "guest, keeper" in seat.text) == (409, True)


async def test_undo_and_goto_move_the_head(client: httpx.AsyncClient, session: str) -> None:
    first, second = [
        (await client.post(f"{session}/turns", json={"message": m}, headers=WAIT)).json()
        for m in ("add 1", "add 2")
    ]
    back = Moved(**(await client.post(f"{session}/undo")).json())
    assert (back.head, back.number, back.view["total"]) == (first["turn"], 1, 1)
    there = await client.post(f"{session}/goto", json={"turn": second["turn"]})
    assert Moved(**there.json()).view["total"] == 3
    assert (await client.post(f"{session}/goto", json={"turn": "none"})).status_code == 404
    for _ in range(2):
        await client.post(f"{session}/undo")
    assert (await client.post(f"{session}/undo")).status_code == 409


async def test_undo_is_refused_with_the_agents_reason(
    client: httpx.AsyncClient, session: str
) -> None:
    await client.post(f"{session}/turns", json={"message": "add 1000"}, headers=WAIT)
    refused = await client.post(f"{session}/undo")
    assert (refused.status_code, refused.json()["detail"]) == (409, "a thousand stays a thousand")


async def test_regenerate_and_edit_add_siblings(client: httpx.AsyncClient, session: str) -> None:
    first = (await client.post(f"{session}/turns", json={"message": "add 5"}, headers=WAIT)).json()
    again = (await client.post(f"{session}/regenerate?wait=true")).json()
    assert again["turn"] != first["turn"]
    assert (again["number"], again["events"]) == (1, first["events"])

    headers = {"Idempotency-Key": "e1", **WAIT}
    change = {"turn": 1, "message": "add 6"}
    edited = (await client.post(f"{session}/edit", json=change, headers=headers)).json()
    assert (edited["number"], edited["view"]["total"]) == (1, 6)
    repeated = (await client.post(f"{session}/edit", json=change, headers=headers)).json()
    assert repeated["turn"] == edited["turn"]
    shown = SessionAnswer(**(await client.get(session)).json())
    assert {branch.id for branch in shown.branches} == {
        first["turn"],
        again["turn"],
        edited["turn"],
    }
    assert [turn.turn for turn in shown.turns] == [edited["turn"]]
    beyond = await client.post(f"{session}/edit", json={"turn": 9, "message": "add 6"})
    assert beyond.status_code == 404


async def test_a_fork_shares_turns_and_leaves_its_parent_alone(
    client: httpx.AsyncClient, session: str
) -> None:
    first = (await client.post(f"{session}/turns", json={"message": "add 5"}, headers=WAIT)).json()
    await client.post(f"{session}/turns", json={"message": "add 6"}, headers=WAIT)
    before = (await client.get(session)).json()
    forked = await client.post(f"{session}/fork", json={"turn": 1})
    assert forked.status_code == 201
    path = forked.headers["location"]
    assert [turn["turn"] for turn in forked.json()["turns"]] == [first["turn"]]
    assert (await client.get(f"{path}/turns/{first['turn']}")).json()["reply"] == first["reply"]
    await client.post(f"{path}/turns", json={"message": "add 70"}, headers=WAIT)
    assert (await client.get(path)).json()["view"]["total"] == 75
    assert (await client.get(session)).json() == before
    whole = await client.post(f"{session}/fork")
    assert whole.json()["view"]["total"] == 11


async def test_a_turn_of_another_session_is_not_shown(
    client: httpx.AsyncClient, session: str
) -> None:
    turn = (await client.post(f"{session}/turns", json={"message": "add 5"}, headers=WAIT)).json()
    other = (await client.post("/api/sessions", json={"agent": "tally"})).headers["location"]
    assert (await client.get(f"{other}/turns/{turn['turn']}")).status_code == 404
    running = (await client.post(f"{session}/turns", json={"message": "wait"})).json()["turn"]
    assert (await client.get(f"{other}/turns/{running}")).status_code == 404
    assert (await client.post(f"{other}/turns/{running}/cancel")).status_code == 404


async def test_a_seat_gets_only_its_own_events(client: httpx.AsyncClient, session: str) -> None:
    said = {"message": "whisper canary", "seat": "keeper"}
    turn = (await client.post(f"{session}/turns", json=said, headers=WAIT)).json()
    assert [event["type"] for event in turn["events"]] == ["Whispered", "Added"]
    path = f"{session}/turns/{turn['turn']}"
    as_guest = (await client.get(f"{path}?seat=guest")).json()
    assert [event["type"] for event in as_guest["events"]] == ["Added"]
    assert "whispers" not in as_guest["view"]
    assert (await client.get(f"{path}?seat=keeper")).json()["view"]["whispers"] == ["canary"]


async def test_nothing_of_turns_that_ended_is_kept_but_how(lives: Lives) -> None:
    life = await lives.start()
    background = life.app.state.turn_tasks
    path = await life.new("tally")
    ident = path.rpartition("/")[2]
    made = [
        (await life.client.post(f"{path}/turns?wait=true", json={"message": said})).json()
        for said in ("add 5", "add 6")
    ]
    await asyncio.sleep(0)
    gc.collect()
    assert not [one for one in gc.get_objects() if type(one) is Turn and one.session == ident]
    found = background.find(ident, made[0]["turn"])
    assert (found.turn, found.problem) == (made[0]["turn"], None)
    assert (await life.client.get(f"{path}/turns/{made[1]['turn']}")).json()[
        "status"
    ] == "committed"
