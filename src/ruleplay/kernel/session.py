"""`Session`, the Python API of one session, and the JSON that the server and commands show."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import await_turn, outcome, told_asides, told_input
from ruleplay.records.events import Json, known_to
from ruleplay.records.given import Given
from ruleplay.records.stream import Item
from ruleplay.records.turns import Branch, Head, Turn

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent


class Session:
    """One session of a host; as a context manager it closes the host if it owns that."""

    def __init__(self, host: Host, id: str, *, owns_host: bool = False) -> None:  # noqa: A002
        self.host, self.id = host, id
        self._owns_host = owns_host

    async def turn(
        self,
        message: str = "",
        *,
        action: Json | None = None,
        seat: str = "",
        key: str | None = None,
    ) -> Turn:
        """Play one turn and return it once it is committed; cancelling stops the turn."""
        given = Given(message=message, action=action)
        return await await_turn(self.host.start(self.id, given, seat=seat, key=key))

    async def play(
        self,
        message: str = "",
        *,
        action: Json | None = None,
        seat: str = "",
        key: str | None = None,
    ) -> AsyncIterator[Item]:
        """Play one turn and yield its items, up to `turn.committed`.

        If the key belongs to a committed turn only `turn.committed` is yielded. Raises what `turn`
        raises. If the consumer stops iterating the turn still runs to its end.
        """
        given = Given(message=message, action=action)
        with self.host.bus.reading(self.id, seat or None) as reader:
            task = self.host.start(self.id, given, seat=seat, key=key)
            task.add_done_callback(lambda _: reader.close())
            told = False
            async for item in reader:
                if item.turn == task.get_name():
                    told = item.last
                    yield item
            turn = await await_turn(task)
        if not told or turn.id != task.get_name():
            yield committed(turn, 1).told_to(seat or None)

    async def head(self) -> Head:
        """Return the session's current record."""
        return (await self.host.store.read(self.id))[0]

    async def view(self, seat: str = "") -> Json:
        """Return the current state's view from a seat."""
        head = await self.head()
        return await view_json(self.host, head, head.head, seat)

    async def turns(self) -> list[Turn]:
        """Return the current branch's turns in chronological order."""
        return await self.host.store.lineage((await self.head()).head)

    async def undo(self) -> Head:
        """Undo the last turn, which stays in the tree."""
        return await self.host.undo(self.id)

    async def regenerate(self) -> Turn:
        """Play the last turn again, with the same input and dice."""
        return await await_turn(await self.host.regenerate(self.id))

    async def edit(self, number: int, message: str) -> Turn:
        """Play turn `number` again with another message; the old branch stays in the tree."""
        return await await_turn(await self.host.edit(self.id, number, message))

    async def fork(self, number: int | None = None) -> Session:
        """Return a new session that shares the turns up to `number`."""
        return Session(self.host, (await self.host.fork(self.id, number)).id)

    async def close(self) -> None:
        """Close the host if this session opened it."""
        if self._owns_host:
            await self.host.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


async def view_json(host: Host, head: Head, turn: str | None, seat: str = "") -> Json:
    """Return a seat's view of the state after a turn; an empty seat is the agent's default."""
    agent = host.find_agent(head.agent)
    state, _number = await host.state(head, turn)
    return agent.view(state, seat or agent.reading_seat(state))


async def reading_seat(host: Host, head: Head) -> str:
    """Return the default seat for reading a session."""
    agent = host.find_agent(head.agent)
    state, _number = await host.state(head, head.head)
    return agent.reading_seat(state)


async def acting_seat(host: Host, head: Head) -> str:
    """Return the default seat for a session's next turn."""
    agent = host.find_agent(head.agent)
    state, _number = await host.state(head, head.head)
    return agent.acting_seat(state)


def committed(turn: Turn, seq: int) -> Item:
    """Build the item `turn.committed` of a stored turn."""
    body, tell = outcome(turn), partial(told_asides, turn)
    return Item(name="turn.committed", turn=turn.id, seq=seq, body=body, tell=tell)


def branch_json(branch: Branch, seat: str) -> Json:
    """Return a turn's place in the tree as JSON, without a message that a seat may not read."""
    hidden = not known_to(seat, branch.audience)
    shown = branch.model_dump(mode="json", exclude={"audience"})
    return {**shown, "message": "" if hidden else branch.message, "hidden": hidden}


def turn_json(agent: AnyAgent, turn: Turn, seat: str, named: Callable[[str], str] = str) -> Json:
    """Return a turn as JSON with what a seat may see; `named` maps model strings to names."""
    events = [body for body in turn.events if agent.codec.load(body).known_to(seat)]
    given = told_input(turn.given, turn.audience, seat)
    hidden = given.pop("hidden")
    return {
        "session": turn.session,
        "turn": turn.id,
        "number": turn.number,
        "seat": turn.seat,
        "input": {name: value for name, value in given.items() if value is not None},
        "hidden": hidden,
        "reply": turn.reply,
        "spans": [span.model_dump(mode="json") for span in turn.spans],
        **told_asides(turn, seat),
        "events": [*events],
        "calls": [
            {
                **call.model_dump(mode="json", include={"role", "source", "ms"}),
                "model": named(call.model),
                # Refusals quote what a model wanted, which may be secret from this seat.
                "refusals": list(call.refusals) if known_to(seat, call.audience) else [],
                "input_tokens": call.input_tokens,
                "output_tokens": call.output_tokens,
                "cost": str(call.cost),
            }
            for call in turn.calls
        ],
        "cites": list(turn.cites),
        "ms": round(turn.ms),  # as stored, so that a repeated answer is the same
    }


def head_json(head: Head) -> Json:
    """Return a session as JSON for lists, without its content."""
    shown = {"id", "agent", "title", "head", "number", "origin", "models", "created", "updated"}
    return {**head.model_dump(mode="json", include=shown), "spent": str(head.spent)}


async def played_json(host: Host, turn: Turn, seat: str = "") -> Json:
    """Return a turn as JSON with the view right after it; an empty seat is the turn's own."""
    head, _ = await host.store.read(turn.session)
    agent = host.find_agent(head.agent)
    seat = seat or turn.seat
    view = await view_json(host, head, turn.id, seat)
    return {**turn_json(agent, turn, seat, host.models.told), "view": view}


async def session_json(session: Session, seat: str = "") -> Json:
    """Return a session as JSON: the current branch's turns, all branches, and the view."""
    head = await session.head()
    agent = session.host.find_agent(head.agent)
    seat = seat or await reading_seat(session.host, head)
    turns = await session.host.store.lineage(head.head)
    branches = await session.host.store.branches(head.id)
    # On another branch a guarded seat may belong to somebody else, so that is shown as the public
    # seat sees it.
    line, elsewhere = {turn.id for turn in turns}, agent.public_seat or seat
    return {
        "id": head.id,
        "agent": head.agent,
        "title": head.title,
        "head": head.head,
        "origin": head.origin,
        "seat": seat,
        "public_seat": agent.public_seat,
        "spent": str(head.spent),
        "turns": [turn_json(agent, turn, seat, session.host.models.told) for turn in turns],
        "branches": [branch_json(b, seat if b.id in line else elsewhere) for b in branches],
        "view": await view_json(session.host, head, head.head, seat),
    }
