"""AG-UI beyond what its own client shows: ends, reloads, and what a run may not tell."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import httpx
from tests.server.streaming import Life, until


def events(answer: httpx.Response) -> list[dict[str, object]]:
    assert answer.status_code == 200, answer.text
    return [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]


def body(thread: str, *said: tuple[str, str, str], **more: object) -> dict[str, object]:
    messages = [{"id": ident, "role": role, "content": text} for ident, role, text in said]
    return {"threadId": thread, "runId": "r1", "messages": messages, **more}


async def run(life: Life, *said: tuple[str, str, str], **more: object) -> list[dict[str, object]]:
    return events(await life.client.post("/agui/tally", json=body("t", *said, **more)))


def kinds(run_: list[dict[str, object]]) -> list[str]:
    return [str(event["type"]) for event in run_]


async def test_a_failed_run_leaves_nothing_in_the_thread(life: Life) -> None:
    first = await run(life, ("m1", "user", "add 3"))
    failed = await run(life, ("m2", "user", "break"))
    assert kinds(failed)[-1] == "RUN_ERROR"
    seen = Counter(kinds(failed))
    assert seen["RUN_ERROR"] + seen["RUN_FINISHED"] == 1
    assert seen["STEP_STARTED"] == seen["STEP_FINISHED"]
    assert seen["TEXT_MESSAGE_START"] == seen["TEXT_MESSAGE_END"]

    loaded = await run(life)
    assert kinds(loaded) == ["RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]
    messages = loaded[2]["messages"]
    assert isinstance(messages, list)
    assert [message["content"] for message in messages] == [
        "add 3",
        "The tally is 3. You said: add 3",
    ]
    result = first[-1]["result"]
    assert isinstance(result, dict)
    assert messages[1]["id"] == result["turn"]
    # Whoever loads it again gets the same ids, so that nothing is doubled.
    assert (await run(life))[2]["messages"] == messages


async def test_an_ordinary_run_sends_no_messages_again(life: Life) -> None:
    told = kinds(await run(life, ("m1", "user", "add 3")))
    assert "MESSAGES_SNAPSHOT" not in told
    assert told.count("STATE_SNAPSHOT") == told.count("STATE_DELTA") == 1


async def test_a_reply_that_changed_is_sent_as_it_is(life: Life) -> None:
    told = await run(life, ("m1", "user", "change 3"))
    (snapshot,) = [event for event in told if event["type"] == "MESSAGES_SNAPSHOT"]
    messages = snapshot["messages"]
    assert isinstance(messages, list)
    assert messages[-1]["content"] == "The tally is 3. You said: change 3"


async def test_a_turn_that_somebody_stops_ends_the_run_as_cancelled(
    life: Life, tmp_path: Path
) -> None:
    asked = body("t", ("m1", "user", f"hold 1 {tmp_path / 'never'}"))
    async with life.client.stream("POST", "/agui/tally", json=asked) as answer:
        await until(lambda: bool(life.host.running_turns))
        (session,) = (await life.client.get("/api/sessions")).json()["sessions"]
        turns = f"/api/sessions/{session['id']}/turns"
        turn = life.host.bus.running(session["id"])
        assert (await life.client.post(f"{turns}/{turn}/cancel")).status_code < 300
        read = "".join([piece async for piece in answer.aiter_text()])
    told = [json.loads(line[6:]) for line in read.splitlines() if line.startswith("data: ")]
    assert told[-1]["type"] == "RUN_FINISHED"
    assert told[-1]["outcome"] == {"type": "cancelled"}


async def test_a_thread_of_another_caller_is_another_session(life: Life) -> None:
    await run(life, ("m1", "user", "add 3"))
    other = await life.client.post(
        "/agui/tally", json=body("t", ("m1", "user", "add 3")), headers={"Ruleplay-Caller": "bea"}
    )
    assert "The tally is 3." in other.text
    assert len((await life.client.get("/api/sessions")).json()["sessions"]) == 2
