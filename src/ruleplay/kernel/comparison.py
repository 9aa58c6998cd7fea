"""Compare two branches of a session: their shared turns, newest turns, and differing states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel

from ruleplay.kernel.agent import Difference
from ruleplay.kernel.session import Session, turn_json

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent
    from ruleplay.records.turns import Turn

LAST = 3
"""How many of a branch's newest turns are shown."""


class ComparedTurn(BaseModel):
    """A turn of a branch, as strangers hear it where seats are guarded."""

    turn: str
    number: int
    seat: str
    message: str
    reply: str


class ComparedBranch(BaseModel):
    """A branch: its last turn, and the newest turns of those that it has alone."""

    turn: str
    number: int
    turns: list[ComparedTurn]


class Comparison(BaseModel):
    """Two branches of a session side by side; `shared` counts the turns that both have."""

    shared: int
    branches: list[ComparedBranch]
    differences: list[Difference]


async def compared(session: Session, one: str, other: str) -> Comparison:
    """Compare two turns of a session's tree (NotFound).

    If seats are guarded everything is shown as the public seat may see it, since on the other
    branch a seat may have belonged to somebody else.
    """
    host, head = session.host, await session.head()
    agent = host.find_agent(head.agent)
    for turn in (one, other):
        await host.check_in_tree(head, turn)
    lines = [await host.store.lineage(turn) for turn in (one, other)]
    shared = _shared(*lines)
    (mine, _), (theirs, _) = [await host.state(head, turn) for turn in (one, other)]
    seat = agent.public_seat or agent.reading_seat(mine)
    return Comparison(
        shared=shared,
        branches=[_branch(agent, line, shared, seat) for line in lines],
        differences=[*agent.differences(mine, theirs, seat)],
    )


def _shared(one: list[Turn], other: list[Turn]) -> int:
    """Count the turns that two branches share, from the first."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a.id != b.id), min(len(one), len(other)))


def _branch(agent: AnyAgent, line: list[Turn], shared: int, seat: str) -> ComparedBranch:
    last = line[-1]
    told = [_turn(agent, turn, seat) for turn in line[shared:][-LAST:]]
    return ComparedBranch(turn=last.id, number=last.number, turns=told)


def _turn(agent: AnyAgent, turn: Turn, seat: str) -> ComparedTurn:
    shown = turn_json(agent, turn, seat)
    given = shown["input"]
    message = str(given.get("message", "")) if isinstance(given, dict) else ""
    return ComparedTurn(
        turn=turn.id, number=turn.number, seat=turn.seat, message=message, reply=turn.reply
    )
