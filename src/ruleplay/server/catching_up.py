"""What happened in a session while a reader was away, told from the store.

A reader knows the session up to a position. The way from there to the head leads up to the turn
that both share, if the head was moved, and down again over committed turns.
"""

from __future__ import annotations

from ruleplay.errors import NotFound
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import committed
from ruleplay.records.stream import Item, head_moved
from ruleplay.records.turns import Head, Turn
from ruleplay.server.background import stored
from ruleplay.server.cursors import END, Cursor

MOST = 200
"""Turns that are told one by one; a reader further behind does better to read the session anew."""


async def missed(host: Host, head: Head, known: Cursor) -> list[Item] | None:
    """Return the items that lead from a position to the session's head, as readers get them.

    None when there is no way: the turn failed or is unknown here, or too many turns lie between.
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
    # The reader has seen the turn begin and not how it ended.
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
    """Return the id of a line's turn at a depth; 0 is before the first."""
    return next(turn.parent for turn in line if turn.number == depth + 1)


async def _way_round(host: Host, line: list[Turn], start: str | None) -> list[Item] | None:
    """Return the way to a head on another branch, or further up on the same."""
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
    """Return the turns of a line by their depth, the start of the session at 0 if it gets there."""
    first: dict[str | None, int] = {} if line and line[0].parent else {None: 0}
    return {**first, **{turn.id: turn.number for turn in line}}
