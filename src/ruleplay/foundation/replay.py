"""Replay: run a session's turns again from what was recorded, and compare."""

from __future__ import annotations

from random import Random

from pydantic import BaseModel, ConfigDict

from ruleplay.foundation.agent import State
from ruleplay.foundation.errors import RuleplayError
from ruleplay.foundation.events import Json
from ruleplay.foundation.host import Host
from ruleplay.foundation.tape import Tape, teller_of
from ruleplay.foundation.turn import state_hash
from ruleplay.foundation.turns import Head, Turn

COMPARED, WORDS = ("events", "audience", "state_hash"), ("reply", "asides")


class Replayed(BaseModel):
    """What a replay found; `first_difference` names the turn and what differs there.

    Of turns that an earlier release told in another way, events and states are compared and the
    words are not: `replies_not_checked` counts them.
    """

    model_config = ConfigDict(frozen=True)

    turns: int
    hash_recorded: str
    hash_replayed: str
    identical: bool
    first_difference: Json | None = None
    replies_not_checked: int = 0


async def replay(host: Host, session: str) -> Replayed:
    """Re-run every turn of a session's current branch without asking anything outside."""
    head, _ = await host.store.read(session)
    agent = host.find_agent(head.agent)
    state = agent.new(agent.config_type.model_validate(head.config), Random(f"{head.seed}/new"))
    difference: Json | None = None
    recorded = await host.store.lineage(head.head)
    told_otherwise = 0
    for turn in recorded:
        state, found = await replay_turn(host, head, state, turn)
        told_otherwise += bool(found.pop("told_otherwise", False))
        if found and difference is None:
            difference = {"turn": turn.id, "number": turn.number, **found}
    wanted = recorded[-1].state_hash if recorded else state_hash(state)
    return Replayed(
        turns=len(recorded),
        hash_recorded=wanted,
        hash_replayed=state_hash(state),
        identical=difference is None and wanted == state_hash(state),
        first_difference=difference,
        replies_not_checked=told_otherwise,
    )


async def replay_turn(host: Host, head: Head, state: State, turn: Turn) -> tuple[State, Json]:
    """Re-run one turn over `state`; returns the new state and what differs from the record.

    The difference says `told_otherwise` where the words were not compared.
    """
    run = await host.make_run(head, state, turn.given, turn.seat, turn.parent, turn.number)
    run.context.tape = Tape(turn.calls, turn.outside)
    run.context.turn, run.context.at = turn.id, turn.at
    try:
        await run.play()
    except (LookupError, ValueError, RuleplayError) as error:
        # A changed record may ask for what was not recorded, be unreadable or be refused.
        return state, {"error": str(error)}
    again, *_ = run.sealed()
    old, new = turn.model_dump(mode="json"), again.model_dump(mode="json")
    otherwise = teller_of(turn.calls) < teller_of(again.calls)
    compared = COMPARED if otherwise else (*COMPARED, *WORDS)
    found: Json = {
        name: {"recorded": old[name], "replayed": new[name]}
        for name in compared
        if old[name] != new[name]
    }
    return run.draft.now, {**found, "told_otherwise": True} if otherwise else found
