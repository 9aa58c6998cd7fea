"""The host: everything that a process needs to play turns, opened once.

It has the store, models, agents with their worlds and graphs, the bus and the running turns. All
changes to sessions go through it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from ruleplay.errors import Conflict, NotFound, UserError, first_invalid
from ruleplay.kernel.agent import Config, Draft, State
from ruleplay.kernel.context import Context
from ruleplay.kernel.endings import Ending, Witness, log_ending
from ruleplay.kernel.turn import HEAD, Run, check_key, now, run_turn
from ruleplay.models.streaming import Models
from ruleplay.records.events import Json
from ruleplay.records.given import Given, Message, check_given
from ruleplay.records.rules import address, dumped
from ruleplay.records.stream import Bus
from ruleplay.records.tape import Tape
from ruleplay.records.turns import Head, Turn
from ruleplay.settings import Settings
from ruleplay.storage.commit import Landing
from ruleplay.storage.database import Postgres
from ruleplay.storage.relay import Relay
from ruleplay.storage.store import Store
from ruleplay.system.logs import about

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent
    from ruleplay.kernel.graph import Graph

ConfigT = TypeVar("ConfigT", bound=Config)
StateT = TypeVar("StateT", bound=State)
World = TypeVar("World")
FindAgent = Callable[[str], "AnyAgent"]


class Runner(Protocol):
    """Runs a host's turns differently than at once and in this process; see `ruleplay.durable`."""

    @property
    def run(self) -> Callable[..., Coroutine[Any, Any, Turn]]:
        """Handle one input; takes the arguments of `run_turn` except for the host."""

    def hand_back(self) -> None:
        """From now on return turns that are stopped here to the queue."""

    async def close(self, grace: float = 0) -> None:
        """Accept no more turns; those not finished after `grace` seconds return to the queue."""


TAKEN_BACK = 20
"""How many of the latest turns are searched for the one that a seat takes back."""
GRAPHS = 64
"""Most graphs that are cached; clients can create sessions with any combination of seats, each of
which needs its own graph."""


class Host:
    """Agents, sessions, models and running turns of one process."""

    def __init__(self, settings: Settings, store: Store, find_agent: FindAgent) -> None:
        self.settings, self.store, self.find_agent = settings, store, find_agent
        self.bus = Bus()
        self.relay: Relay | None = None
        self.witnesses: list[Witness] = [log_ending]
        self.models = Models(settings)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._worlds: dict[str, object] = {}
        self._opening = asyncio.Lock()
        self._graphs: OrderedDict[tuple[str, str], Graph] = OrderedDict()
        self._tasks: dict[str, asyncio.Task[Turn]] = {}
        self.runner: Runner | None = None
        self._agents: dict[str, AnyAgent] = {}

    async def agent(self, name: str) -> AnyAgent:
        """Return an agent by name; the first time its packages are imported in a thread."""
        if name not in self._agents:
            self._agents[name] = await asyncio.to_thread(self.find_agent, name)
        return self._agents[name]

    @classmethod
    async def open(cls, settings: Settings, find_agent: FindAgent) -> Host:
        """Open a host with the store that the settings name; create `home` if it is missing."""
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        host = cls(settings, await Store.open(settings.database_url), find_agent)
        if isinstance(host.store.database, Postgres):
            host.relay = Relay(host.store.database, host.bus, host.store.leases, host.cancel)
        return host

    def hand_back(self) -> None:
        """From now on return durable turns that are stopped here to the queue."""
        if self.runner:
            self.runner.hand_back()

    async def close(self, grace: float = 0) -> None:
        """Cancel running turns, which leave no trace, and close the store.

        Durable turns that this process took from the queue get `grace` seconds to finish, and then
        return to it.
        """
        # First, so that turns cancelled below return to the queue instead of counting as stopped.
        self.hand_back()
        for task in tuple(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        if self.runner:
            await self.runner.close(grace)
        if self.relay:
            await self.relay.close()
        await self.store.close()

    def lock(self, session: str) -> asyncio.Lock:
        """Return the lock by which a session's turns exclude each other in this process.

        It is fair, so turns run in the order in which they were started. Unused locks are
        collected, as they are only referenced weakly.
        """
        return self._locks.setdefault(session, asyncio.Lock())

    @asynccontextmanager
    async def alone(
        self, session: str, key: str | None = None
    ) -> AsyncIterator[tuple[Head, Turn | None]]:
        """Give the block exclusive access to a session, by lock in this process and lease beyond.

        Yields the session's current head, and the turn that was committed under `key`, if any.
        """
        async with self.lock(session), self.store.alone(session, key) as seen:
            yield seen

    def start(
        self,
        session: str,
        given: Given,
        *,
        seat: str = "",
        key: str | None = None,
        after: str | None = HEAD,
        version: int | None = None,
    ) -> asyncio.Task[Turn]:
        """Start a turn in a separate task, whose name is the turn's id.

        The turn runs independently of its readers; cancel the task to stop it. The other arguments
        are those of `run_turn`.
        """
        turn = secrets.token_hex(12)
        run = self.runner.run if self.runner else partial(run_turn, self)
        task = asyncio.create_task(
            run(session, given, seat=seat, key=key, after=after, turn=turn, version=version),
            name=turn,
        )
        self._tasks[turn] = task
        task.add_done_callback(lambda _: self._tasks.pop(turn, None))
        return task

    @property
    def running_turns(self) -> int:
        """The number of turns in this process, including those that wait for their session."""
        return len(self._tasks)

    def cancel(self, turn: str) -> bool:
        """Stop a running turn, which then leaves no trace; False if there is none of that id."""
        task = self._tasks.get(turn)
        return task.cancel() if task else False

    async def world(self, agent: AnyAgent) -> object:
        """Return an agent's world, opened in a thread at its first turn."""
        async with self._opening:
            if agent.name not in self._worlds:
                self._worlds[agent.name] = await asyncio.to_thread(agent.open_world, self.settings)
        return self._worlds[agent.name]

    async def graph(self, agent: AnyAgent, config: Config) -> Graph:
        """Return the graph of a configuration; built once, in a thread because of its imports."""
        key = (agent.name, agent.graph_key(config))
        async with self._opening:
            if key not in self._graphs:
                self._graphs[key] = await asyncio.to_thread(agent.build_graph, config)
                if len(self._graphs) > GRAPHS:
                    self._graphs.popitem(last=False)
            self._graphs.move_to_end(key)
            return self._graphs[key]

    async def create(
        self,
        agent_name: str,
        config: Json | None = None,
        *,
        models: dict[str, str] | None = None,
        seed: str = "",
        title: str = "",
    ) -> Head:
        """Create a session, with the agent's demo configuration if `config` is None.

        UserError names the first bad field.
        """
        agent = self.find_agent(agent_name)
        chosen = agent.demo() if config is None else _read_config(agent, config)
        chosen = chosen.model_copy(update={"rules": await self._kept_rules(agent)})
        seed = seed or secrets.token_hex(8)
        state = agent.new(chosen, Random(f"{seed}/new"))
        at = now()
        head = Head(
            id=secrets.token_hex(12),
            agent=agent.name,
            title=title or agent.title_of(state),
            config=chosen.model_dump(mode="json"),
            seed=seed,
            models=models or {},
            head=None,
            number=0,
            version=1,
            state=state.model_dump_json(),
            state_version=state.version,
            created=at,
            updated=at,
        )
        await self.store.create(head)
        return head

    async def _kept_rules(self, agent: AnyAgent) -> str:
        """Store the agent's shipped rule data if it is new, and return its name."""
        if agent.rules is None:
            return ""
        name = await asyncio.to_thread(lambda rules: rules.name, agent.rules)
        await self.store.keep_rules(address(name), dumped(agent.rules.shipped))
        return name

    async def know_rules(self, head: Head) -> None:
        """Load the rule data of a session's release if necessary (Unavailable if it is lost)."""
        rules, name = self.find_agent(head.agent).rules, str(head.config.get("rules", ""))
        if rules and rules.reads_older and not rules.knows(name):
            rules.learn(name, await self.store.rules(address(name)))

    async def first_state(self, head: Head) -> State:
        """Compute the state that a session began with, from its configuration and seed."""
        await self.know_rules(head)
        agent = self.find_agent(head.agent)
        config = agent.config_type.model_validate(head.config)
        state: State = agent.new(config, Random(f"{head.seed}/new"))
        return ruled(state, head)

    @asynccontextmanager
    async def running(
        self, head: Head, given: Given, *, seat: str, key: str | None, after: str | None, turn: str
    ) -> AsyncIterator[Run[Config, State, object]]:
        """Prepare a turn for the block that runs it; if it fails readers and logs are told."""
        run = await self.prepare(head, given, seat=seat, key=key, after=after, turn=turn)
        with about(session=head.id, turn=run.context.turn):
            try:
                yield run
            except BaseException as error:
                run.failed(error)
                self._witness(run.ending(error))
                raise
            self._witness(run.ending())

    def _witness(self, ending: Ending) -> None:
        for witness in self.witnesses:
            witness(ending)

    async def prepare(
        self,
        head: Head,
        given: Given,
        *,
        seat: str,
        key: str | None,
        after: str | None,
        turn: str,
    ) -> Run[Config, State, object]:
        """Prepare a turn to run: load the state and open the world, but do nothing yet."""
        self.bus.begins(head.id, head.version)
        check_given(given)
        check_key(key)
        agent = self.find_agent(head.agent)
        head = await self._pinned(head)
        parent = head.head if after == HEAD else await self._landed(agent, after)
        state, number = await self.state(head, parent)
        seat = seat or agent.acting_seat(state)
        run = await self.make_run(head, state, given, seat, parent, number + 1)
        run.bus, run.key, run.land = self.bus, key, partial(self.landing, run)
        run.context.turn = turn or run.context.turn
        return run

    async def _pinned(self, head: Head) -> Head:
        """Give this release's rules to a session of a release that did not store any."""
        if head.config.get("rules") or self.find_agent(head.agent).rules is None:
            return head
        name = await self._kept_rules(self.find_agent(head.agent))
        pinned = head.model_copy(update={"config": {**head.config, "rules": name}})
        await self.store.configure(pinned)
        return pinned

    async def make_run(
        self, head: Head, state: State, given: Given, seat: str, parent: str | None, number: int
    ) -> Run[Config, State, object]:
        """Build a turn on a state, with an empty tape and a bus without readers."""

        async def read_history(channel: str, last: int) -> tuple[Message, ...]:
            return await self.store.messages(parent, channel, last)

        async def read_events(last: int) -> tuple[Json, ...]:
            turns = await self.store.lineage(parent, last)
            return tuple(event for turn in turns for event in turn.events)

        agent = self.find_agent(head.agent)
        config = agent.config_type.model_validate(head.config)
        context: Context[object] = Context(
            session=head.id,
            turn=secrets.token_hex(12),
            seat=seat,
            number=number,
            seed=head.seed,
            at=now(),
            world=await self.world(agent),
            tape=Tape(),
            models=self.models.for_session(head.models),
            spent=head.spent,
            read_history=read_history,
            read_events=read_events,
        )
        draft: Draft[State] = agent.draft_type(before=state, given=given, seat=seat)
        return Run(
            agent=agent,
            config=config,
            graph=await self.graph(agent, config),
            context=context,
            draft=draft,
            head=head,
            bus=Bus(),
            parent=parent,
        )

    async def state(self, head: Head, turn: str | None) -> tuple[State, int]:
        """Return the state after a turn, and the turn's number; None is before the first turn.

        The head's state is stored. Others are computed from the nearest stored state before them
        and the events since.
        """
        agent = self.find_agent(head.agent)
        await self.know_rules(head)
        if turn == head.head and head.state_version == agent.state_type.version:
            return ruled(agent.state_type.model_validate_json(head.state), head), head.number
        stored = await self.store.state_at(turn, agent.state_type.version)
        if stored.state is None:
            state = await self.first_state(head)
        else:
            state = ruled(agent.state_type.model_validate_json(stored.state), head)
        for events in stored.events:
            for body in events:
                state = state.apply(agent.codec.load(body))
        number = (await self.store.turn(turn)).number if turn else 0
        return state, number

    async def undo(self, session: str) -> Head:
        """Move the head to the previous turn (Conflict without one, or if the agent forbids it)."""
        async with self.alone(session) as (head, _):
            if head.head is None:
                raise Conflict("nothing to undo: the session has no turn yet")
            await self._check_undo(head)
            last = await self.store.turn(head.head)
            await self._move(head, last.parent)
        return (await self.store.read(session))[0]

    async def landing(self, run: Run[Config, State, object]) -> Landing:
        """Compute where the head moves after a run that takes back its seat's last turn."""
        parent = await self._before_last(run.agent, run.parent, run.draft.seat)
        state, number = await self.state(run.head, parent)
        return Landing(parent, number, state.model_dump_json(), state.version)

    async def _landed(self, agent: AnyAgent, turn: str | None) -> str | None:
        """Return the turn to continue from if a client continues from `turn`.

        For a turn that took others back that is where it left the session, not the turn itself.
        """
        last = await self.store.turn(turn) if turn else None
        if last is None or not agent.takes_back([*map(agent.codec.load, last.events)]):
            return turn
        return await self._before_last(agent, last.parent, last.seat)

    async def _before_last(self, agent: AnyAgent, turn: str | None, seat: str) -> str | None:
        """Return the parent of a seat's last move before `turn`, or of anybody's if it has none."""
        lately = await self.store.lineage(turn, TAKEN_BACK)
        events = agent.codec.load
        moves = [o for o in lately if agent.may_be_taken_back(o.given, [*map(events, o.events)])]
        own = [one for one in moves if one.seat == seat] or moves
        return own[-1].parent if own else turn

    async def go_to(self, session: str, turn: str) -> Head:
        """Move the head to any turn of the session's tree, which switches branches."""
        async with self.alone(session) as (head, _):
            await self.check_in_tree(head, turn)
            await self._move(head, turn)
        return (await self.store.read(session))[0]

    async def rename(self, session: str, title: str) -> Head:
        """Change a session's title."""
        await self.store.rename(session, title)
        return (await self.store.read(session))[0]

    async def delete(self, session: str) -> None:
        """Delete a session permanently (Conflict while a fork needs its turns)."""
        async with self.alone(session):
            await self.store.delete(session)

    async def regenerate(self, session: str, key: str | None = None) -> asyncio.Task[Turn]:
        """Start the head's turn again as a sibling, with the same input and dice."""
        head, _ = await self.store.read(session)
        if head.head is None:
            raise Conflict("nothing to regenerate: the session has no turn yet")
        last = await self.store.turn(head.head)
        await self._check_undo(head)
        return self.start(session, last.given, seat=last.seat, key=key, after=last.parent)

    async def edit(
        self, session: str, number: int, message: str, key: str | None = None
    ) -> asyncio.Task[Turn]:
        """Start turn `number` of the current branch as a sibling with another message."""
        head, _ = await self.store.read(session)
        turn = await self.numbered(head, number)
        await self._check_undo(head)
        return self.start(
            session, Given(message=message), seat=turn.seat, key=key, after=turn.parent
        )

    async def fork(self, session: str, number: int | None = None) -> Head:
        """Create a session that shares this one's turns up to `number`, by default all.

        No turns are copied: the fork's head is a turn of this session.
        """
        head, _ = await self.store.read(session)
        turn = head.head if number is None else None
        if number:
            turn = (await self.numbered(head, number)).id
        state, depth = await self.state(head, turn)
        at = now()
        forked = head.model_copy(
            update={
                "id": secrets.token_hex(12),
                "head": turn,
                "number": depth,
                "version": 1,
                "state": state.model_dump_json(),
                "state_version": state.version,
                "spent": type(head.spent)(0),
                "origin": head.id,
                "forked": turn,
                "created": at,
                "updated": at,
            }
        )
        await self.store.create(forked)
        return forked

    async def numbered(self, head: Head, number: int) -> Turn:
        """Return turn `number` of the session's current branch (NotFound)."""
        if not 1 <= number <= head.number:
            raise NotFound(f"no turn {number} here; this branch has turns 1 to {head.number}")
        return await self.store.ancestor(head.head, head.number - number)

    async def _check_undo(self, head: Head) -> None:
        state, _ = await self.state(head, head.head)
        if problem := self.find_agent(head.agent).undo_problem(state):
            raise Conflict(problem)

    async def check_in_tree(self, head: Head, turn: str) -> None:
        """Refuse a turn that does not belong to a session's tree (NotFound)."""
        made_here = {branch.id for branch in await self.store.branches(head.id)}
        inherited = {inherited.id for inherited in await self.store.lineage(head.forked)}
        if turn not in made_here | inherited:
            raise NotFound(f"no turn {turn!r} in this session")

    async def _move(self, head: Head, turn: str | None) -> None:
        self.bus.begins(head.id, head.version)
        state, number = await self.state(head, turn)
        await self.store.move_head(head, turn, number, state.model_dump_json(), state.version)
        self.bus.moved(head.id, head.version + 1)
        self.bus.move_head(head.id, turn, number)


def ruled(state: StateT, head: Head) -> StateT:
    """Fill in the rules' name, which is stored in the session instead of the state."""
    return state.model_copy(update={"rules": str(head.config.get("rules", ""))})


def _read_config(agent: AnyAgent, config: Json) -> Config:
    from pydantic import ValidationError

    kind: type[Config] = agent.config_type
    try:
        return kind.model_validate(config)
    except ValidationError as error:
        where, what = first_invalid(error)
        fields = ", ".join(name for name in kind.model_fields if name != "rules") or "none"
        raise UserError(f"config {where!r}: {what}; {agent.name} takes {fields}") from error
