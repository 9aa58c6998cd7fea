"""`POST /agui/{agent}`: an agent's turns as runs of AG-UI (docs.ag-ui.com), as CopilotKit uses it.

A thread is a session. The last user message is played after the turn whose id the assistant message
before it has; the rest of the history is ignored, as the session has it. Exactly one event,
RUN_FINISHED or RUN_ERROR, ends a run.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Literal

from ag_ui import core
from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel
from sse_starlette import ServerSentEvent
from starlette.exceptions import HTTPException

from ruleplay.errors import Conflict, NotFound, RuleplayError, UserError
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import played_json, view_json
from ruleplay.kernel.turn import told_input
from ruleplay.records.events import Json
from ruleplay.records.given import Given
from ruleplay.records.stream import Item
from ruleplay.records.turns import Head, Turn, whole_reply
from ruleplay.server.access import Access, SeatAccess, TheAccess, check_branching
from ruleplay.server.errors import problem_of, problems
from ruleplay.server.events import EventStream
from ruleplay.server.shapes import Plain
from ruleplay.server.sse import remaining_text
from ruleplay.server.turn_tasks import Started, TurnTasks, stored
from ruleplay.server.turns import until_settled
from ruleplay.server.wiring import TheHost, TheTurnTasks
from ruleplay.storage.histories import Histories, digest

routes = APIRouter(prefix="/agui", tags=["agui"], responses=problems(401, 403, 500))
PROTOCOL = "1.0"
TURNS = 200
"""Turns whose messages a page gets when it loads a thread."""
KEY = "agui:"
SUCCESS: Json = {"type": "success"}


class Sent(BaseModel):
    """A body with camelCase names, whose unknown fields are ignored."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


class SentMessage(Sent):
    """A message of the thread."""

    id: Plain = Field(max_length=200)
    role: str
    content: JsonValue = None

    @property
    def text(self) -> str:
        """The text of all its parts."""
        if isinstance(self.content, str):
            return self.content
        parts = self.content if isinstance(self.content, list) else []
        texts = (part.get("text") for part in parts if isinstance(part, dict))
        return "\n".join(text for text in texts if isinstance(text, str))


class Resumed(Sent):
    """An answer to an interrupt, that is, to the open choice of a turn."""

    interrupt_id: Plain = Field(max_length=200)
    status: Literal["resolved", "cancelled"]
    payload: JsonValue = None


class Forwarded(Sent):
    """A page's `forwardedProps`: the seat to act for, and whether open choices interrupt a run."""

    seat: Plain = Field(default="", max_length=128)
    interrupts: bool = False
    regenerate: bool = False


class Run(Sent):
    """The input of a run."""

    thread_id: Plain = Field(min_length=1, max_length=200)
    run_id: Plain = Field(min_length=1, max_length=200)
    messages: list[SentMessage] = Field(default_factory=list)
    forwarded_props: Forwarded | None = None
    resume: list[Resumed] | None = None

    @property
    def props(self) -> Forwarded:
        """The forwarded properties, or their defaults."""
        return self.forwarded_props or Forwarded()


@routes.post(
    "/{agent}",
    status_code=200,
    response_class=EventStream,
    responses={
        200: {
            "description": "The run's events",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        **problems(400, 404, 413, 415, 422, 503),
    },
)
async def run_agent(
    agent: Annotated[str, Path(max_length=64)],
    given: Run,
    request: Request,
    host: TheHost,
    access: TheAccess,
    turn_tasks: TheTurnTasks,
) -> EventStream:
    """Play the last message of a thread as a turn, and stream its run.

    Disconnecting cancels the turn. A thread is a session of this agent: the one with the thread's
    id, or the one that its first run has created.
    """
    await host.agent(agent)
    names = (request.headers.get(name, "") for name in host.settings.caller_headers)
    caller = next((name for name in names if name), "")
    stream = _RunStream(host, turn_tasks, access, agent, caller, given)
    opened = ExitStack()
    opened.callback(stream.leave)
    return EventStream(stream.events(), opened)


@dataclass(frozen=True)
class _Stand:
    """Where a run starts: the seats at `parent`, the turn before, and the seats to use."""

    table: SeatAccess
    parent: str | None
    acting: str
    seat: str

    @property
    def head(self) -> Head:
        return self.table.head


class _RunStream:
    """One run, from its input to its last event."""

    def __init__(
        self,
        host: Host,
        turn_tasks: TurnTasks,
        access: Access,
        agent: str,
        caller: str,
        run: Run,
    ) -> None:
        self._host, self._turn_tasks, self._access = host, turn_tasks, access
        self._agent, self._caller, self._run = agent, caller, run
        self._started: Started | Turn | None = None
        self._open: dict[str, list[str]] = {"steps": [], "message": []}
        self._tools, self._said_so_far = 0, ""

    def leave(self) -> None:
        """Cancel the turn if it is still running."""
        if isinstance(self._started, Started):
            self._started.task.cancel()

    async def events(self) -> AsyncIterator[ServerSentEvent]:
        """Yield the run's events."""
        run = self._run
        yield _sent(
            core.RunStartedEvent(
                thread_id=run.thread_id, run_id=run.run_id, protocol_version=PROTOCOL
            )
        )
        try:
            async for event in self._played():
                yield _sent(event)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001  # reported by the run's last event
            for event in self._closing():
                yield _sent(event)
            yield _sent(_failed(error))

    async def _played(self) -> AsyncIterator[core.BaseEvent]:
        run = self._run
        message = next((m for m in reversed(run.messages) if m.role == "user"), None)
        new = bool(run.messages) and run.messages[-1].role == "user"
        stand = await self._stand(begins=new)
        view = await view_json(self._host, stand.head, stand.parent, stand.seat)
        yield core.StateSnapshotEvent(snapshot=view)
        text, key = await self._said(stand, view, message if new else None)
        if not text:
            yield await self._messages(stand)
            yield self._finished({"session": stand.head.id})
            return
        self._started = await self._turn_tasks.play(
            stand.head.id, Given(message=text), stand.acting, key, stand.parent
        )
        async for event in self._follow(stand, view):
            yield event

    async def _stand(self, *, begins: bool) -> _Stand:
        session = await self._session(begins=begins)
        head, _ = await self._host.store.read(session)
        parent = await self._parent(head)
        state, _number = await self._host.state(head, parent)
        table = SeatAccess(self._host.find_agent(self._agent), head, state, self._access.tokens)
        if not begins and not self._run.resume:
            seat = table.reading(self._run.props.seat)
            return _Stand(table, parent, "", seat)
        acting = table.acting(self._run.props.seat)
        await check_branching(self._host, table, parent)
        return _Stand(table, parent, acting, table.reading(acting))

    async def _session(self, *, begins: bool) -> str:
        """Find the thread's session: the one with its id, the one recorded for it, or a new one.

        A thread's id gives no access: guarded seats still need their tokens.
        """
        histories = Histories(self._host.store.database)
        thread = self._run.thread_id
        with suppress(NotFound):
            head, _ = await self._host.store.read(thread)
            if head.agent != self._agent:
                raise UserError(f"session {thread!r} belongs to {head.agent!r}")
            return head.id
        hashed = digest("thread", self._agent, self._caller, thread)
        if places := await histories.places(hashed):
            return places[0].session
        made = (await self._host.create(self._agent)).id
        if begins:
            await histories.keep([hashed], made, "")
        return made

    async def _parent(self, head: Head) -> str | None:
        """Find the turn that the new message follows; the newest if the messages name none."""
        if self._run.resume:
            return self._run.resume[0].interrupt_id
        messages = self._run.messages
        before = messages[:-1] if messages and messages[-1].role == "user" else messages
        for message in reversed(before):
            if message.role == "assistant":
                with suppress(NotFound):
                    return (await stored(self._host, head.id, message.id)).id
        asked = any(message.role == "user" for message in before)
        first = not asked and messages and messages[-1].role == "user"
        return None if first else head.head

    async def _said(
        self, stand: _Stand, view: Json, message: SentMessage | None
    ) -> tuple[str, str | None]:
        """Return the message to play and its key; "" if the page only loads the thread."""
        run, open_ = self._run, _choices(view) if self._run.props.interrupts else []
        if run.resume:
            answer = run.resume[0]
            await stored(self._host, stand.head.id, answer.interrupt_id)
            chosen = answer.payload.get("choice") if isinstance(answer.payload, dict) else None
            return (str(chosen), None) if answer.status == "resolved" and chosen else ("", None)
        if message is None or not message.text.strip():
            return "", None
        if open_:
            raise Conflict("a choice is open; answer it with `resume`, or turn interrupts off")
        if run.props.regenerate:
            return message.text, None
        raw = f"{run.thread_id}\n{message.id}".encode(errors="replace")
        return message.text, KEY + sha256(raw).hexdigest()

    async def _follow(self, stand: _Stand, view: Json) -> AsyncIterator[core.BaseEvent]:
        """Yield a turn's events while it runs, then what the committed turn adds to them."""
        if self._started is None:
            return
        async for event in self._live(stand, self._started):
            yield event
        if await _cancelled(self._started):
            for event in self._closing():
                yield event
            yield self._finished({"session": stand.head.id}, {"type": "cancelled"})
            return
        turn = await until_settled(self._started)
        reply = whole_reply(turn, stand.seat or None)
        # If the reply is not what was streamed, the text cannot be taken back by an event; the
        # snapshot of all messages then replaces it.
        rest = remaining_text(reply, self._said_so_far)
        corrected = bool(self._said_so_far) and rest.startswith("\n\n") and reply in rest
        for event in (*self._text(turn.id, "" if corrected else rest), *self._closing()):
            yield event
        after = await played_json(self._host, turn, stand.seat)
        now = after["view"] if isinstance(after["view"], dict) else {}
        if delta := patch(view, now):
            yield core.StateDeltaEvent.model_validate({"delta": delta})
        if corrected:
            yield await self._messages(stand, turn)
        choices = _choices(now) if self._run.props.interrupts else []
        yield self._finished(
            {"session": turn.session, "turn": turn.id, "number": turn.number},
            _interrupt(turn, choices) if choices else SUCCESS,
            _usage(turn),
        )

    async def _live(self, stand: _Stand, started: Started | Turn) -> AsyncIterator[core.BaseEvent]:
        """Yield a turn's events while it runs."""
        if isinstance(started, Turn):
            return
        with self._host.bus.reading(stand.head.id, stand.seat or None) as reader:
            started.task.add_done_callback(lambda _: reader.close())
            async for item in reader:
                if item.turn == started.id:
                    for event in self._events_of(item):
                        yield event

    def _events_of(self, item: Item) -> Iterator[core.BaseEvent]:
        body = item.body
        match item.name:
            case "node" if body.get("state") == "running":
                self._open["steps"].append(str(body["node"]))
                yield core.StepStartedEvent(step_name=str(body["node"]))
            case "node":
                with suppress(ValueError):
                    self._open["steps"].remove(str(body["node"]))
                yield core.StepFinishedEvent(step_name=str(body["node"]))
            case "tool":
                yield from self._tool(item)
            case "event":
                yield core.CustomEvent(name=f"ruleplay.{body['type']}", value=body)
            case "text":
                yield from self._text(item.turn, str(body["text"]))

    def _tool(self, item: Item) -> Iterator[core.BaseEvent]:
        """Yield a tool call as its own message, or clients show the text before its result."""
        self._tools += 1
        call = f"{item.turn}-tool-{self._tools}"
        yield core.ToolCallStartEvent(
            tool_call_id=call, tool_call_name=str(item.body["tool"]), parent_message_id=f"{call}-by"
        )
        yield core.ToolCallArgsEvent(tool_call_id=call, delta=json.dumps(item.body.get("args", {})))
        yield core.ToolCallEndEvent(tool_call_id=call)
        result = json.dumps(item.body.get("result", "done"))
        yield core.ToolCallResultEvent(
            message_id=f"{call}-result", tool_call_id=call, content=result, role="tool"
        )

    def _text(self, message: str, text: str) -> Iterator[core.BaseEvent]:
        if not text:
            return
        self._said_so_far += text
        if not self._open["message"]:
            self._open["message"].append(message)
            yield core.TextMessageStartEvent(message_id=message, role="assistant")
        yield core.TextMessageContentEvent(message_id=message, delta=text)

    def _closing(self) -> Iterator[core.BaseEvent]:
        """Yield the end events of the open message and steps."""
        for message in self._open["message"]:
            yield core.TextMessageEndEvent(message_id=message)
        for step in self._open["steps"]:
            yield core.StepFinishedEvent(step_name=step)
        self._open = {"steps": [], "message": []}

    async def _messages(self, stand: _Stand, turn: Turn | None = None) -> core.BaseEvent:
        last = turn.id if turn else stand.parent
        line = await self._host.store.lineage(last, TURNS)
        messages: list[JsonValue] = []
        for one in line:
            given = told_input(one.given, one.audience, stand.seat)
            if given["message"]:
                messages.append({"id": f"{one.id}-by", "role": "user", "content": given["message"]})
            reply = whole_reply(one, stand.seat or None)
            messages.append({"id": one.id, "role": "assistant", "content": reply})
        return core.MessagesSnapshotEvent.model_validate({"messages": messages})

    def _finished(
        self, result: Json, outcome: Json = SUCCESS, usage: Sequence[JsonValue] = ()
    ) -> core.BaseEvent:
        return core.RunFinishedEvent.model_validate(
            {
                "threadId": self._run.thread_id,
                "runId": self._run.run_id,
                "result": result,
                "outcome": outcome,
                **({"usage": [*usage]} if usage else {}),
            }
        )


async def _cancelled(started: Started | Turn) -> bool:
    """Wait for a turn to end; returns whether it was cancelled."""
    if isinstance(started, Turn):
        return False
    await asyncio.wait({started.task})
    return started.task.cancelled()


def _interrupt(turn: Turn, choices: list[str]) -> Json:
    """Make the outcome of a run that ends with an open choice."""
    schema: Json = {
        "type": "object",
        "required": ["choice"],
        "properties": {"choice": {"type": "string", "enum": [*choices]}},
    }
    interrupt: Json = {
        "id": turn.id,
        "reason": "input_required",
        "message": turn.reply,
        "responseSchema": schema,
    }
    return {"type": "interrupt", "interrupts": [interrupt]}


def _usage(turn: Turn) -> list[JsonValue]:
    tokens: dict[str, tuple[int, int]] = {}
    for call in turn.calls:
        got, said = tokens.get(call.model, (0, 0))
        tokens[call.model] = got + call.input_tokens, said + call.output_tokens
    return [
        {"model": model, "inputTokens": got, "outputTokens": said}
        for model, (got, said) in tokens.items()
    ]


def _choices(view: Json) -> list[str]:
    """Return the choices of an open question; none unless the view says something is missing."""
    replies = view.get("quick_replies")
    return [str(r) for r in replies] if view.get("missing") and isinstance(replies, list) else []


def patch(before: Json, after: Json) -> list[JsonValue]:
    """Make the JSON Patch (RFC 6902) from one view to another; fields are replaced whole."""
    changes: list[JsonValue] = []
    for name in before.keys() - after.keys():
        changes.append({"op": "remove", "path": _pointer(name)})
    for name, value in after.items():
        if name not in before:
            changes.append({"op": "add", "path": _pointer(name), "value": value})
        elif before[name] != value:
            changes.append({"op": "replace", "path": _pointer(name), "value": value})
    return changes


def _pointer(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _failed(error: Exception) -> core.BaseEvent:
    if isinstance(error, HTTPException):
        return core.RunErrorEvent(message=str(error.detail), code=str(error.status_code))
    code = type(error).__name__ if isinstance(error, RuleplayError) else "InternalError"
    return core.RunErrorEvent(message=problem_of(error).detail, code=code)


def _sent(event: core.BaseEvent) -> ServerSentEvent:
    # ASCII, because a model's text may contain unpaired surrogates, which UTF-8 cannot encode.
    return ServerSentEvent(json.dumps(event.model_dump(mode="json", by_alias=True)), sep="\n")
