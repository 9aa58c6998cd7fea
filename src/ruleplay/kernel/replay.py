"""Replay: run a session's turns again from the record, and compare the results.

A turn is decided again with the rule data that its session began with. A turn of an earlier edition
of the agent is not, since the same input may mean something else by now: its events are applied and
only the resulting state is compared. The report counts such turns.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from pydantic import BaseModel

from ruleplay.errors import RuleplayError
from ruleplay.kernel.agent import State
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import state_hash
from ruleplay.records.events import Json
from ruleplay.records.tape import Tape
from ruleplay.records.turns import Head, Turn

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent


class Replayed(BaseModel, frozen=True):
    """What a replay found; `first_difference` names the turn and what differs there.

    `earlier` counts the turns of earlier editions: their events were applied and the state
    compared, but reply and decisions were not checked again.
    """

    turns: int
    hash_recorded: str
    hash_replayed: str
    identical: bool
    first_difference: Json | None = None
    earlier: int = 0


async def replay(host: Host, session: str) -> Replayed:
    """Replay all turns of a session's current branch, without asking anything outside."""
    head, _ = await host.store.read(session)
    agent = host.find_agent(head.agent)
    state = await host.first_state(head)
    difference: Json | None = None
    earlier = 0
    recorded = await host.store.lineage(head.head)
    for turn in recorded:
        state, found = await replay_turn(host, head, state, turn)
        earlier += not decides(agent, head, turn)
        if found and difference is None:
            difference = {"turn": turn.id, "number": turn.number, **found}
    wanted = recorded[-1].state_hash if recorded else state_hash(state)
    return Replayed(
        turns=len(recorded),
        hash_recorded=wanted,
        hash_replayed=state_hash(state),
        identical=difference is None and wanted == state_hash(state),
        first_difference=difference,
        earlier=earlier,
    )


def decides(agent: AnyAgent, head: Head, turn: Turn) -> bool:
    """Whether this release can decide a turn again, given its edition and the session's rules."""
    rules = str(head.config.get("rules", ""))
    return turn.edition >= agent.edition and (agent.rules is None or agent.rules.decides(rules))


async def replay_turn(host: Host, head: Head, state: State, turn: Turn) -> tuple[State, Json]:
    """Replay one turn on `state`; return the new state and the differences from the record.

    If the turn fails the state is returned unchanged, with the error.
    """
    agent = host.find_agent(head.agent)
    if not decides(agent, head, turn):
        return _applied(agent, state, turn)
    run = await host.make_run(head, state, turn.given, turn.seat, turn.parent, turn.number)
    run.context.tape = Tape(turn.calls, turn.outside)
    run.context.turn, run.context.at = turn.id, turn.at
    try:
        await run.play()
    except (LookupError, ValueError, RuleplayError) as error:
        # With a damaged record the turn may ask for what is not on the tape (LookupError), fail to
        # read it (ValueError), or refuse the input.
        return state, {"error": str(error)}
    again, *_ = run.sealed()
    old, new = turn.model_dump(mode="json"), again.model_dump(mode="json")
    return run.draft.now, {
        name: {"recorded": old[name], "replayed": new[name]}
        for name in ("events", "reply", "audience", "asides", "spans", "state_hash")
        if old[name] != new[name]
    }


async def path_of(host: Host, head: Head, turn: Turn) -> list[Json]:
    """Return the nodes that a stored turn went through, in the order of their start.

    They are not stored but found by a replay; empty for a turn of an earlier edition, or one that
    cannot be replayed.
    """
    agent = host.find_agent(head.agent)
    if not decides(agent, head, turn):
        return []
    state, _ = await host.state(head, turn.parent)
    run = await host.make_run(head, state, turn.given, turn.seat, turn.parent, turn.number)
    run.context.tape = Tape(turn.calls, turn.outside)
    run.context.turn, run.context.at = turn.id, turn.at
    with run.bus.reading(head.id) as reader:
        try:
            await run.play()
        except (LookupError, ValueError, RuleplayError):
            return []
        reader.close()
        return [
            {"node": item.body["node"]}
            async for item in reader
            if item.name == "node" and item.body.get("state") == "running"
        ]


def _applied(agent: AnyAgent, state: State, turn: Turn) -> tuple[State, Json]:
    """Apply a turn's recorded events, and compare the hash of the resulting state."""
    state = reduce(lambda before, body: before.apply(agent.codec.load(body)), turn.events, state)
    replayed = state_hash(state)
    if replayed == turn.state_hash:
        return state, {}
    return state, {"state_hash": {"recorded": turn.state_hash, "replayed": replayed}}
