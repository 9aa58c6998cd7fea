"""The OpenAI wire, driven by OpenAI's own Python client: sessions found, branches, errors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import openai
import pytest
from openai import AsyncOpenAI
from tests.server.streaming import Life, Lives, Losing

from ruleplay.server.openai import answering

User = dict[str, str]
LIMIT = 60.0
OPEN: list[AsyncOpenAI] = []


def client_of(life: Life, token: str = "none") -> AsyncOpenAI:
    client = AsyncOpenAI(base_url=f"{life.url}/v1", api_key=token, timeout=LIMIT)
    OPEN.append(client)
    return client


@pytest.fixture(autouse=True)
async def closing(lives: Lives) -> AsyncIterator[None]:
    yield
    while OPEN:
        await OPEN.pop().close()


class Chat:
    """A chat as programs keep it: all messages, sent whole each time."""

    def __init__(self, client: AsyncOpenAI, model: str = "tally", **extra: str) -> None:
        self.client, self.model, self.extra = client, model, extra
        self.messages: list[User] = []
        self.session = ""

    async def ask(self, text: str) -> str:
        self.messages.append({"role": "user", "content": text})
        return await self.again()

    async def again(self) -> str:
        raw = await self.client.chat.completions.with_raw_response.create(
            model=self.model,
            messages=self.messages,  # type: ignore[arg-type]
            extra_headers=self.extra,
        )
        self.session = raw.headers.get("ruleplay-session", "")
        reply = raw.parse().choices[0].message.content or ""
        self.messages.append({"role": "assistant", "content": reply})
        return reply


@pytest.fixture
async def life(lives: Lives) -> Life:
    return await lives.start()


async def turns_of(life: Life, session: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = (await life.client.get(f"/api/sessions/{session}")).json()[
        "branches"
    ]
    return found


async def test_models_are_agents(life: Life) -> None:
    names = {model.id async for model in client_of(life).models.list()}
    assert {"tally", "parts", "party", "ruleplay-tasks"} <= names
    assert any(name.startswith("party@") for name in names)
    assert (await client_of(life).models.retrieve("tally")).owned_by == "ruleplay"
    with pytest.raises(openai.NotFoundError) as caught:
        await client_of(life).models.retrieve("gpt-4o")
    assert caught.value.code == "model_not_found"


async def test_a_chat_is_one_session_whatever_the_system_says(life: Life) -> None:
    chat = Chat(client_of(life))
    chat.messages = [
        {"role": "system", "content": "It is 10:02"},
        {"role": "assistant", "content": "Hello, traveller!"},
    ]
    assert await chat.ask("add 3") == "The tally is 3. You said: add 3"
    first = chat.session
    chat.messages[0]["content"] = "It is 10:03"
    chat.messages[-1]["content"] = "  The tally is 3.\n\nYou said:  add 3 "
    assert await chat.ask("add 4") == "The tally is 7. You said: add 4"
    assert chat.session == first
    assert [turn["number"] for turn in await turns_of(life, first)] == [1, 2]


async def test_regenerate_and_edit_become_siblings(life: Life) -> None:
    chat = Chat(client_of(life))
    await chat.ask("add 1")
    await chat.ask("add 10")
    chat.messages.pop()
    assert (await chat.again()).startswith("The tally is 11.")  # regenerated
    chat.messages[-2:] = []
    assert (await chat.ask("add 20")).startswith("The tally is 21.")  # edited
    branches = await turns_of(life, chat.session)
    assert [turn["number"] for turn in branches] == [1, 2, 2, 2]
    assert len({turn["parent"] for turn in branches[1:]}) == 1


async def test_another_branch_is_gone_on_with(life: Life) -> None:
    chat = Chat(client_of(life))
    await chat.ask("add 1")
    await chat.ask("add 10")
    old = list(chat.messages)
    chat.messages[-2:] = []
    await chat.ask("add 20")
    chat.messages = old
    assert (await chat.ask("add 5")).startswith("The tally is 16.")


@pytest.mark.parametrize("kept", ["The tally is 4", "The tally is 4. You SAID: add 4"])
async def test_half_and_edited_replies_are_found(life: Life, kept: str) -> None:
    chat = Chat(client_of(life))
    await chat.ask("add 4")
    session = chat.session
    chat.messages[-1]["content"] = kept
    assert (await chat.ask("add 2")).startswith("The tally is 6.")
    assert chat.session == session


async def test_a_cut_history_is_found_by_its_last_exchange(life: Life) -> None:
    chat = Chat(client_of(life))
    for amount in (1, 2, 3):
        await chat.ask(f"add {amount}")
    session = chat.session
    chat.messages = chat.messages[-2:]
    assert (await chat.ask("add 4")).startswith("The tally is 10.")
    assert chat.session == session


async def test_a_history_from_elsewhere_begins_a_session_that_says_so(life: Life) -> None:
    chat = Chat(client_of(life))
    chat.messages = [
        {"role": "user", "content": "How are you?"},
        {"role": "assistant", "content": "As a language model I have no feelings."},
    ]
    reply = await chat.ask("add 4")
    assert reply.startswith("*I do not find what was said before")
    assert reply.endswith("The tally is 4. You said: add 4")
    session = chat.session
    assert (await chat.ask("add 1")).startswith("The tally is 5.")
    assert chat.session == session


async def test_chat_ids_keep_equal_chats_apart(life: Life) -> None:
    client = client_of(life)
    one = Chat(client, **{"X-OpenWebUI-Chat-Id": "one"})
    other = Chat(client, **{"X-OpenWebUI-Chat-Id": "other"})
    for chat in (one, other, one, other):
        await chat.ask("add 1")
    assert one.session != other.session
    assert [turn["number"] for turn in await turns_of(life, one.session)] == [1, 2]
    # Its first message again is a sibling, not a new session.
    one.messages = one.messages[:1]
    await one.again()
    assert [turn["number"] for turn in await turns_of(life, one.session)] == [1, 1, 2]


async def test_a_named_session_is_gone_on_with(life: Life) -> None:
    path = await life.new("tally")
    session = path.rsplit("/", 1)[1]
    await life.play(path, "add 40")
    chat = Chat(client_of(life), **{"Ruleplay-Session": session})
    assert (await chat.ask("add 2")).startswith("The tally is 42.")
    assert (await chat.ask("add 1")).startswith("The tally is 43.")
    strange = Chat(client_of(life), model="parts", **{"Ruleplay-Session": session})
    with pytest.raises(openai.BadRequestError):
        await strange.ask("hello")


async def test_streams_begin_at_once_and_bring_the_reply_and_usage(
    life: Life, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    message = f"hold 5 {gate}"
    stream = await client_of(life).chat.completions.create(
        model="tally",
        messages=[{"role": "user", "content": message}],
        stream=True,
        stream_options={"include_usage": True},
    )
    events = aiter(stream)
    async with asyncio.timeout(LIMIT):
        first = await anext(events)
        assert (first.choices[0].delta.role, first.choices[0].delta.content) == ("assistant", "")
        gate.touch()
        rest = [chunk async for chunk in events]
    text = "".join(c.choices[0].delta.content or "" for c in rest if c.choices)
    assert text == f"The tally is 5. You said: {message}"
    assert rest[-2].choices[0].finish_reason == "stop"
    assert rest[-1].usage is not None


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
async def test_a_stream_beats_with_events_that_say_nothing(
    life: Life, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Comments would keep the line open too, but break decoders."""
    monkeypatch.setattr(answering, "BEAT", 0.05)
    gate = tmp_path / "gate"
    asked = f"hold 5 {gate}"
    said = [{"role": "user", "content": asked}]
    body = {"model": "tally", "stream": True, "messages": said, "input": said}
    lines: list[str] = []
    async with asyncio.timeout(LIMIT), life.client.stream("POST", path, json=body) as answer:
        async for line in answer.aiter_lines():
            lines.append(line)
            if sum(one.startswith("data: ") for one in lines) == 9:
                gate.touch()
    assert not [line for line in lines if line.startswith(":")]
    told = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    if path.endswith("completions"):
        assert [one["choices"][0]["delta"] for one in told[1:9]] == [{}] * 8
    else:
        assert [one["sequence_number"] for one in told] == list(range(len(told)))
        assert sum(one["type"] == "response.in_progress" for one in told) > 4
    assert "The tally is 5" in "".join(lines)


async def test_a_client_whose_line_breaks_asks_again_by_itself_and_gets_its_turn(
    life: Life,
) -> None:
    """The answer is lost after the turn was committed: the SDK's own retry is no second turn."""
    async with Losing(life.url).open() as wire:
        client = AsyncOpenAI(base_url=f"{wire.url}/v1", api_key="none", timeout=LIMIT)
        OPEN.append(client)
        chat = Chat(client)
        assert await chat.ask("add 3") == "The tally is 3. You said: add 3"
        wire.loses = 1
        assert await chat.ask("add 4") == "The tally is 7. You said: add 4"
        assert wire.lost == 2
        before = await client.responses.create(model="tally", input="add 5")
        wire.loses = 1
        after = await client.responses.create(
            model="tally", input="add 6", previous_response_id=before.id
        )
        assert after.output_text == "The tally is 11. You said: add 6"
        assert wire.lost == 3
    assert [turn["number"] for turn in await turns_of(life, chat.session)] == [1, 2]
    told = (await life.client.get("/api/sessions")).json()["sessions"]
    assert sorted(one["number"] for one in told) == [2, 2]


async def test_equal_requests_at_once_are_one_turn(life: Life, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    chats = [Chat(client_of(life), **{"X-OpenWebUI-Chat-Id": "c"}) for _ in range(2)]
    asking = [asyncio.create_task(chat.ask(f"hold 5 {gate}")) for chat in chats]
    async with asyncio.timeout(LIMIT):
        while life.app.state.replies.listeners < 2:
            await asyncio.sleep(0)
    gate.touch()
    replies = await asyncio.gather(*asking)
    assert replies[0] == replies[1]
    assert len(await turns_of(life, chats[0].session)) == 1


async def test_a_retry_gets_the_turn_that_was_committed(life: Life) -> None:
    chat = Chat(client_of(life))
    await chat.ask("add 1")
    await chat.ask("add 2")
    chat.messages.pop()
    chat.extra = {"x-stainless-retry-count": "1"}
    assert (await chat.again()).startswith("The tally is 3.")
    assert len(await turns_of(life, chat.session)) == 2
    first = Chat(client_of(life), **{"x-stainless-retry-count": "1"})
    assert (await first.ask("add 1")).startswith("The tally is 1.")
    assert first.session == chat.session


async def test_an_idempotency_key_is_a_turn(life: Life) -> None:
    chat = Chat(client_of(life), **{"Idempotency-Key": "k1"})
    await chat.ask("add 1")
    session = chat.session
    chat.messages = chat.messages[:1]
    await chat.again()
    assert (chat.session, len(await turns_of(life, session))) == (session, 1)


async def test_a_client_that_goes_stops_its_turn(life: Life) -> None:
    path = "/v1/chat/completions"
    body = {"model": "tally", "messages": [{"role": "user", "content": "wait"}]}
    for streaming in (True, False):
        asking = life.client.post(path, json={**body, "stream": streaming}, timeout=0.5)
        with pytest.raises(httpx.ReadTimeout):
            await asking
    async with asyncio.timeout(LIMIT):
        while life.host.running_turns:
            await asyncio.sleep(0.01)


async def test_errors_have_the_shape_that_clients_read(lives: Lives) -> None:
    life = await lives.start(token="secret")
    with pytest.raises(openai.AuthenticationError) as no_token:
        await client_of(life, "wrong").models.list()
    assert "token" in no_token.value.message
    client = client_of(life, "secret")
    cases: list[tuple[dict[str, object], int]] = [
        ({"model": "nobody"}, 404),
        ({"n": 2}, 400),
        ({"response_format": {"type": "json_object"}}, 400),
        ({"messages": [{"role": "assistant", "content": "x"}]}, 400),
        ({"messages": [{"role": "user", "content": "x" * 9_000}]}, 422),
        ({"messages": [{"role": "user", "content": "not now"}]}, 409),
        ({"messages": "x"}, 422),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, 400),
    ]
    for change, status in cases:
        body = {
            "model": "tally",
            "messages": [{"role": "user", "content": "add 1"}],
            **change,
        }
        answer = await life.client.post(
            "/v1/chat/completions", json=body, headers={"Authorization": "Bearer secret"}
        )
        assert answer.status_code == status, answer.text
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}
        assert answer.headers["x-should-retry"] == "false"
    with pytest.raises(openai.ConflictError):
        await Chat(client).ask("not now")


async def test_a_turn_that_fails_is_told_in_the_stream_and_beside_it(life: Life) -> None:
    client = client_of(life)
    with pytest.raises(openai.APIStatusError) as caught:
        await Chat(client).ask("model-down")
    assert caught.value.status_code == 502
    stream = await client.chat.completions.create(
        model="tally", messages=[{"role": "user", "content": "break"}], stream=True
    )
    with pytest.raises(openai.APIError) as told:
        async for _ in stream:
            pass
    assert "secret of the machine" not in told.value.message


async def test_commands_are_no_turns(life: Life) -> None:
    chat = Chat(client_of(life))
    await chat.ask("add 1")
    await chat.ask("add 10")
    session = chat.session
    assert (await chat.ask("!undo")).startswith("↩")
    assert (await chat.ask("add 5")).startswith("The tally is 6.")
    assert (await chat.ask("!session")).startswith(f"Session `{session}`")
    assert (await chat.ask("add 1")).startswith("The tally is 7.")
    assert "no lines" in await chat.ask("!sources")
    await chat.ask("!new")
    assert (await chat.ask("add 2")).startswith("The tally is 2.")
    assert chat.session != session
    assert (await chat.ask("add 2")).startswith("The tally is 4.")


async def test_titles_tags_and_follow_ups_are_no_turns(life: Life) -> None:
    chat = Chat(client_of(life), **{"X-OpenWebUI-Chat-Id": "t"})
    await chat.ask("add 1")
    quoted = (
        "\n<chat_history>\nUSER: add 1\nASSISTANT: The tally is 1. You said: add 1\n</chat_history>"
    )
    tasks = {
        'Generate a concise, 3-5 word title\nJSON format: { "title": "x" }': "title",
        'Generate 1-3 broad tags\nJSON format: { "tags": ["tag1"] }': "tags",
        'Suggest 3-5 follow-up questions\nJSON format: { "follow_ups": ["Q"] }': "follow_ups",
    }
    for headers in ({}, {"X-OpenWebUI-Chat-Id": "t"}):
        found = {}
        for task, key in tasks.items():
            asked = Chat(client_of(life), **headers)
            found |= json.loads(await asked.ask(f"### Task:\n{task}{quoted}"))
            assert key in found
        assert found["title"].startswith("Tally")
        assert found["tags"] == []
        assert found["follow_ups"] == ["add 1", "add 20"]
    title = Chat(client_of(life))
    title.messages = list(chat.messages)
    told = await title.ask(
        "Provide a concise, 5-word-or-less title for the conversation, using its same language."
    )
    assert told.startswith("Tally")
    assert len(await turns_of(life, chat.session)) == 1


async def test_a_reply_that_changed_is_told_after_what_was_streamed(life: Life) -> None:
    """What was sent cannot be taken back; both are known when the program sends them again."""
    client = client_of(life)
    for kept in ("all", "the reply alone"):
        chat = Chat(client, user=kept)
        await chat.ask("add 1")
        told = await chat.ask("change 4")
        reply = "The tally is 5. You said: change 4"
        assert told == f"It will not change. {reply}\n\n{reply}"
        if kept == "the reply alone":
            chat.messages[-1]["content"] = reply
        assert (await chat.ask("add 1")).startswith("The tally is 6.")
        assert [turn["number"] for turn in await turns_of(life, chat.session)] == [1, 2, 3]
    response = await client.responses.create(model="tally", input="change 2")
    assert response.output_text.endswith("\n\nThe tally is 2. You said: change 2")


async def test_responses_are_turns(life: Life) -> None:
    client = client_of(life)
    one = await client.responses.create(model="tally", input="add 1")
    two = await client.responses.create(model="tally", input="add 10", previous_response_id=one.id)
    other = await client.responses.create(
        model="tally", input=[{"role": "user", "content": "add 20"}], previous_response_id=one.id
    )
    assert two.output_text.startswith("The tally is 11.")
    assert other.output_text.startswith("The tally is 21.")
    assert one.conversation is not None
    more = await client.responses.create(
        model="tally", input="add 1", conversation=one.conversation.id
    )
    assert more.output_text.startswith("The tally is 22.")
    again = await client.responses.retrieve(two.id)
    assert again.output_text == two.output_text
    with pytest.raises(openai.NotFoundError) as caught:
        await client.responses.create(model="tally", input="add 1", previous_response_id="resp_x")
    assert caught.value.code == "previous_response_not_found"
    whole = await client.responses.create(
        model="tally",
        input=[
            {"role": "user", "content": "add 1"},
            {"role": "assistant", "content": one.output_text},
            {"role": "user", "content": "add 30"},
        ],
    )
    assert whole.output_text.startswith("The tally is 31.")
    assert whole.conversation is not None
    assert whole.conversation.id == one.conversation.id


async def test_responses_stream(life: Life) -> None:
    kinds = []
    async with client_of(life).responses.stream(model="tally", input="add 7") as stream:
        async for event in stream:
            kinds.append(event.type)
        final = await stream.get_final_response()
    assert final.output_text == "The tally is 7. You said: add 7"
    assert kinds[:4] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
    ]
    assert kinds[-4:] == [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]


async def test_variants_are_models_of_the_owner(lives: Lives) -> None:
    variants = {"tally-hundred": {"agent": "tally", "config": {"start": 100}, "title": "Hundred"}}
    life = await lives.start(variants=variants)
    assert (await Chat(client_of(life), "tally-hundred").ask("add 1")).startswith(
        "The tally is 101"
    )
    names = {model.id async for model in client_of(life).models.list()}
    assert "tally-hundred" in names


async def test_seats_are_models_and_their_holders_are_kept_apart(life: Life) -> None:
    seats = [m.id async for m in client_of(life).models.list() if m.id.startswith("party@")]
    seat = next(name for name in seats if name != "party@dm")
    with pytest.raises(openai.PermissionDeniedError) as caught:
        await Chat(client_of(life), "party").ask("I look around.")
    assert caught.value.code == "seat_required"

    chat = Chat(client_of(life), seat, **{"X-OpenWebUI-Chat-Id": "table"})
    assert (await chat.ask("I look around.")).startswith("*You sit on")
    stranger = Chat(client_of(life), seat, **{"Ruleplay-Session": chat.session})
    stranger.messages = list(chat.messages)
    with pytest.raises(openai.PermissionDeniedError):
        await stranger.ask("I take all the gold.")

    # A move later it is still the same seat at the same table.
    session = chat.session
    await chat.ask("I wait.")
    assert chat.session == session

    ticket = Chat(client_of(life), seat)
    assert "seat:" in await ticket.ask("I look around.")
    reply = await ticket.ask("!seat")
    assert "You sit on" in reply
