"""Recorded positions that ship with the agent, and sessions as replays."""

from __future__ import annotations

import gzip
import json
from functools import cache
from importlib.resources import files

from ruleplay.agents.battle.adapters.replays import Decided, Replay, from_log
from ruleplay.agents.battle.domain.position import Position
from ruleplay.kernel.host import Host
from ruleplay.records.events import Json
from ruleplay.records.turns import Turn

RECORDED = "positions.jsonl.gz"
"""The recorded positions, one per line."""


@cache
def recorded_positions() -> tuple[Json, ...]:
    """Load positions of battles that Ruleplay played on a local server, as JSON."""
    packed = (files("ruleplay.agents.battle") / "demo" / RECORDED).read_bytes()
    return tuple(json.loads(line) for line in gzip.decompress(packed).splitlines())


async def record_of(host: Host, session: str, log: list[str]) -> Replay:
    """Convert a finished session to a replay with all its decisions."""
    head, _ = await host.store.read(session)
    turns = await host.store.lineage(head.head)
    decisions = tuple(found for turn in turns if (found := decided(turn)) is not None)
    room = str(head.config.get("battle", ""))
    us = decisions[0].position.ours.name if decisions else ""
    replay = from_log(log, room=room, us=us)
    return replay.model_copy(update={"decisions": decisions, "session": session})


def decided(turn: Turn) -> Decided | None:
    """Extract the decision from a turn; None if it made none."""
    if (turn.given.action or {}).get("kind") != "decide":
        return None
    events = {str(event["type"]): event for event in turn.events}
    trace, chosen = events["DecisionTrace"], events["OrderChosen"]
    return Decided.model_validate(
        {
            "position": Position.model_validate(turn.given.action["position"]),  # type: ignore[index]
            "order": chosen["order"],
            "trace": trace,
        }
    )
