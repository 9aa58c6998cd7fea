"""Catching up: the items that a reader missed while it was away, from the store.

A reader knows the session up to a cursor. If the head has moved to another branch since, the path
leads from the cursor up to the last common ancestor (`head.moved`) and down over committed turns.
"""

from __future__ import annotations

from ruleplay.errors import NotFound
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import committed
from ruleplay.records.stream import Item, head_moved
from ruleplay.records.turns import Head, Turn
from ruleplay.server.cursors import END, Cursor
from ruleplay.server.turn_tasks import stored

MOST = 200
"""Turns that are sent one by one; a reader that missed more has to reload the session."""


async def missed(host: Host, head: Head, known: Cursor) -> list[Item] | None:
    """Return the items between a cursor and the session's head.

    None if the reader must reload: the turn failed or is unknown, or it missed more than `MOST`.
    """
    if known.turn is None:
        return await _way(host, head, None)
    try:
        turn = await stored(host, head.id, known.turn)
    except NotFound:
        return None
    way = await _way(host, head, turn)
    if way is None or known.seq >= END:
        return way
    # The reader has seen the beginning of the turn, so it still needs the end.
    return [committed(turn, END), *way]


async def _way(host: Host, head: Head, known: Turn | None) -> list[Item] | None:
    start, depth = (known.id, known.number) if known else (None, 0)
    if start == head.head:
        return []
    line = await host.store.lineage(head.head, MOST + 1)
    if depth < head.number <= depth + MOST and _parent(line, depth) == start:
        return [committed(turn, END) for turn in line if turn.number > depth]
    return await _way_round(host, line, start)


def _parent(line: list[Turn], depth: int) -> str | None:
    """Return the id of a line's turn at a depth; None at 0, before the first turn."""
    return next(turn.parent for turn in line if turn.number == depth + 1)


async def _way_round(host: Host, line: list[Turn], start: str | None) -> list[Item] | None:
    """Return the path to a head on another branch, or higher up on the same branch."""
    up = await host.store.lineage(start, MOST + 1)
    depths = _depths(up)
    shared = {turn: depth for turn, depth in _depths(line).items() if turn in depths}
    if not shared:
        return None
    number = max(shared.values())
    turn = next(ident for ident, depth in shared.items() if depth == number)
    onward = [committed(below, END) for below in line if below.number > number]
    return [head_moved(turn, number), *onward] if len(onward) <= MOST else None


def _depths(line: list[Turn]) -> dict[str | None, int]:
    """Map the turns of a line to their depths; with None → 0 if it reaches the session's start."""
    first: dict[str | None, int] = {} if line and line[0].parent else {None: 0}
    return {**first, **{turn.id: turn.number for turn in line}}
