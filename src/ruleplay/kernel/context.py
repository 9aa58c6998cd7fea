"""A node's access to everything but its draft: models, randomness, time, the outside world.

All results are recorded on the turn's tape. In a replay the tape answers instead, so that nothing
outside is asked and the turn comes out the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, cast

from pydantic import BaseModel, JsonValue, TypeAdapter

from ruleplay.errors import ModelError, Unavailable
from ruleplay.kernel.journal import Journal
from ruleplay.kernel.tracing import chat_span, node_span
from ruleplay.models.briefing import Briefing
from ruleplay.models.streaming import ReplyCollector, SessionModels
from ruleplay.records.events import EVERYONE, Json
from ruleplay.records.given import Message
from ruleplay.records.stream import Name
from ruleplay.records.tape import Call, Reply, Tape, ms_since, question_key
from ruleplay.telling.table import Table

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

World = TypeVar("World")
Answer = TypeVar("Answer")


class _Readers(dict[type[object], TypeAdapter[object]]):
    """Cache of Pydantic adapters by type, since building one costs more than using it."""

    def __missing__(self, kind: type[object]) -> TypeAdapter[object]:
        made: TypeAdapter[object] = TypeAdapter(kind)
        return self.setdefault(kind, made)


_READERS = _Readers()


class Publish(Protocol):
    """Sends an item of a running turn to the session's readers."""

    def __call__(self, name: Name, body: Json, audience: tuple[str, ...] = (EVERYONE,)) -> None:
        """Publish one item to the seats of `audience`."""


def silent(name: Name, body: Json, audience: tuple[str, ...] = (EVERYONE,)) -> None:
    """Publish nothing, as in a replay."""


class Prompt(BaseModel, frozen=True):
    """What a model is asked: a static system text, then history, then what is new this turn.

    Keep `system` the same from turn to turn: it is stored once and providers cache it.
    """

    system: str
    user: str
    history: tuple[Message, ...] = ()

    @property
    def hash(self) -> str:
        """The key under which the system text is stored, once for all turns."""
        return sha256(self.system.encode()).hexdigest()[:16]

    def messages(self, *, repair: tuple[str, str] | None = None) -> list[BaseMessage]:
        """Return LangChain messages; `repair` appends a refused answer and the reason."""
        from langchain_core.messages import AIMessage, HumanMessage, SystemMessage  # loads slowly

        lines: list[BaseMessage] = [SystemMessage(self.system)]
        for line in self.history:
            lines.append((HumanMessage if line.role == "user" else AIMessage)(line.text))
        lines.append(HumanMessage(self.user))
        if repair:
            lines += [AIMessage(repair[0]), HumanMessage(repair[1])]
        return lines


@dataclass
class Context(Generic[World]):
    """One turn's context. Everything that comes through it is recorded for exact replays.

    `spent` are the session's costs in dollars so far, `at` is the turn's time, `cites` are what
    the turn's reply cites. `journal` is only there in durable turns.
    """

    session: str
    turn: str
    seat: str
    number: int
    seed: str
    at: datetime
    world: World
    tape: Tape
    models: SessionModels
    spent: Decimal = Decimal(0)
    publish: Publish = silent
    read_history: Callable[[str, int], Awaitable[tuple[Message, ...]]] | None = None
    read_events: Callable[[int], Awaitable[tuple[Json, ...]]] | None = None
    calls: list[Call] = field(default_factory=list)
    prompts: dict[str, str] = field(default_factory=dict)
    cites: list[str] = field(default_factory=list)
    journal: Journal | None = None

    @contextmanager
    def node(self, name: str) -> Iterator[None]:
        """Publish and trace that a node runs during the block."""
        began = perf_counter()
        self.publish("node", {"node": name, "state": "running"})
        with node_span(name):
            yield
        self.publish("node", {"node": name, "state": "done", "ms": ms_since(began)})

    def rng(self, name: str) -> Random:
        """Return a random generator for one purpose, the same whenever this turn is run.

        Names keep purposes apart: a draw more for one of them does not shift the others.
        """
        return Random(f"{self.seed}/{self.number}/{name}")

    def outside(
        self, name: str, question: JsonValue, ask: Callable[[], Answer], kind: type[Answer]
    ) -> Answer:
        """Ask something outside the turn that answers quickly, and record the answer.

        `question` is JSON that distinguishes this call from others of the same name; `kind` is the
        answer's type, for reading it from the tape. Use `outside_later` for slow sources: a journal
        keeps quick answers only with the next slow one, so after a crash they may be asked again.
        """
        key, adapter = question_key(name, question), _READERS[kind]
        if self.tape.holds(key):
            return cast("Answer", adapter.validate_python(self.tape.next_answer(key)))
        answer = ask()
        self.tape.outside[key].append(adapter.dump_python(answer, mode="json"))
        return answer

    async def outside_later(
        self,
        name: str,
        question: JsonValue,
        ask: Callable[[], Awaitable[Answer]],
        kind: type[Answer],
    ) -> Answer:
        """Await an answer from outside the turn and record it; see `outside`."""
        key, adapter = question_key(name, question), _READERS[kind]
        if self.tape.holds(key):
            return cast("Answer", adapter.validate_python(self.tape.next_answer(key)))
        answers: list[Answer] = []

        async def asked() -> JsonValue:
            answers.append(await ask())
            return cast("JsonValue", adapter.dump_python(answers[0], mode="json"))

        kept = await (self.journal.answer(key, asked) if self.journal else asked())
        self.tape.outside[key].append(kept)
        return answers[0]

    def say(self, text: str, audience: tuple[str, ...] = (EVERYONE,)) -> None:
        """Stream text to readers; it must have passed the checks, or come from a template."""
        self.publish("text", {"text": text}, audience)

    async def history(self, channel: str = "main", last: int = 20) -> tuple[Message, ...]:
        """Return a channel's newest lines before this turn, in chronological order."""
        return await self.read_history(channel, last) if self.read_history else ()

    async def events(self, last: int = 2_000) -> tuple[Json, ...]:
        """Return the stored events of the `last` turns before this one, in chronological order.

        Like the history they are read from the record, so that a replay finds the same.
        """
        return await self.read_events(last) if self.read_events else ()

    def model(self, role: str) -> str:
        """Return the name of the model for a role; `rules` means the policy instead of a model."""
        return self.tape.model_of(role) if self.tape.playing else self.models.for_role(role)

    def thinks_first(self, role: str) -> bool:
        """Whether a role's model begins with its reasoning, without an opening tag."""
        return self.tape.thinks_first(role) if self.tape.playing else self.models.thinks_first(role)

    async def ask(
        self,
        role: str,
        messages: Sequence[BaseMessage],
        *,
        deadline: float,
        on_text: Callable[[str], None] = lambda text: None,
        schema: Json | None = None,
        tools: tuple[Json, ...] = (),
        facts: Sequence[Table] = (),
        attempt: int = 0,
    ) -> Reply:
        """Ask a role's model once; failures are returned in the reply's `end`, not raised.

        `deadline` is in seconds, and includes waiting while too many calls are in progress.
        `on_text` gets the text as it streams, in a replay all at once. `facts` and `attempt` are
        for scripted models.
        """
        if (heard := self.tape.next_reply(role)) is not None:
            on_text(heard.text)
            self.spent += heard.cost
            return heard
        ears, name = ReplyCollector(on_text), self.models.for_role(role)
        briefing = Briefing(role, tuple(facts), schema, tools, attempt)

        async def listen() -> Reply:
            return await self._listen(name, messages, ears, briefing, deadline)

        reply = await (self.journal.reply(role, listen) if self.journal else listen())
        self.spent += reply.cost
        return reply

    async def _listen(
        self,
        name: str,
        messages: Sequence[BaseMessage],
        ears: ReplyCollector,
        briefing: Briefing,
        deadline: float,
    ) -> Reply:
        with chat_span(name, briefing.role) as span:
            try:
                self.models.check_budget(self.spent)
                async with asyncio.timeout(deadline):
                    await self.models.listen(name, messages, ears, briefing)
            except TimeoutError:
                ears.fail("deadline", f"no complete answer within {round(deadline, 2):g} s")
            except (ModelError, Unavailable) as error:
                ears.fail("error", str(error))
            reply = ears.reply(self.models.cost(name, ears.input_tokens, ears.output_tokens))
            span.ended(reply)
        return reply

    def record(
        self,
        role: str,
        source: Literal["model", "policy"],
        started: float,
        *,
        replies: Sequence[Reply] = (),
        refusals: Sequence[str] = (),
        audience: tuple[str, ...] = (EVERYONE,),
        prompt: Prompt | None = None,
    ) -> None:
        """Record a finished question to a model, and publish why answers were refused.

        `started` is a time of `perf_counter`. `audience` may read the refusals.
        """
        call = Call(
            role=role,
            source=source,
            model=self.model(role),
            thinks_first=self.thinks_first(role),
            ms=ms_since(started),
            refusals=tuple(refusals),
            audience=audience,
            asked=prompt.user if prompt else "",
            system=prompt.hash if prompt else "",
            replies=tuple(replies),
        )
        if prompt:
            self.prompts[prompt.hash] = prompt.system
        self.calls.append(call)
        for reason in refusals:
            self.publish("refused", {"role": role, "reason": reason}, audience)
