"""Fits a turn's results into the prompt: pages, filtered rows, shortened older results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ruleplay.agents.raid.domain.overview import fold
from ruleplay.telling.table import Cell, Table

EITHER = "|"
"""Separates alternative names, one of which a row must contain."""
LEAST = 5
"""Minimum number of rows printed per table, however little room there is."""
LOWEST = 3
"""Of a ranking's printed rows, the number taken from its bottom."""
KEPT = 4
"""Rows of an older result kept in the prompt; matching rows come first."""
WIDE, NARROW = 700, 250
"""Characters of room below which no result is requested, and below which none is printed."""
BRIEF = 500
"""Maximum length of a result that is printed even if there is no room left."""
WHOLE = 1_000_000
"""Room that any result fits into unabridged."""
SPENT = "The room is spent: answer now, from what you have."
SHORT = "If you look again, the results above are cut to their first rows."
_ROW = re.compile(r"\d+ \| ")

Starts = Mapping[str, tuple[int, ...]]
"""Table id -> first rows of its pages; the last entry is that of the next page."""


def shares(sizes: Sequence[int], room: int) -> list[int]:
    """Divide room among results: what short ones do not need goes to longer ones."""
    left, parts = room, [0] * len(sizes)
    for done, place in enumerate(sorted(range(len(sizes)), key=lambda at: sizes[at])):
        parts[place] = min(sizes[place], max(0, left) // (len(sizes) - done))
        left -= parts[place]
    return [part if part < size else WHOLE for part, size in zip(parts, sizes, strict=True)]


def printed(
    tables: Sequence[Table], characters: int, starts: Starts, page: int = 1
) -> tuple[str, dict[str, tuple[int, ...]]]:
    """Print a page of a result within the given room; also returns where pages begin.

    The remaining room is divided evenly among the tables, so that the first does not use it all.
    """
    begun = {one.id: starts.get(one.id, (1,)) for one in tables}
    page = min(page, max((len(begun[one.id]) for one in tables), default=1))
    open_ = [one for one in tables if page == 1 or _begins(one, begun[one.id], page)]
    texts: list[str] = []
    for place, table in enumerate(open_):
        first = begun[table.id][page - 1]
        room = max(WIDE // 2, (characters - sum(map(len, texts))) // (len(open_) - place))
        text, after = _fitted(table, first, room, page)
        begun[table.id] = (*begun[table.id][:page], after)
        texts.append(text)
    if not texts and tables:
        texts = [f"[{tables[0].id}] All its rows were shown; page 1 has the first."]
    return "\n\n".join(texts), begun


def _begins(table: Table, starts: tuple[int, ...], page: int) -> bool:
    return len(starts) >= page and starts[page - 1] <= len(table.rows)


def _fitted(table: Table, first: int, room: int, page: int) -> tuple[str, int]:
    """Print as many rows as fit; also returns the first row of the next page."""
    count = most = min(table.shown, len(table.rows) - first + 1)
    text, after = _page(table, first, count, page)
    while len(text) > room and count > LEAST:
        count = max(LEAST, min(count - 1, int(count * room / len(text))))
        text, after = _page(table, first, count, page)
    return text, after if most else len(table.rows) + 1


def _page(table: Table, first: int, count: int, page: int) -> tuple[str, int]:
    last = first + count - 1
    left = len(table.rows) - last
    if left <= 0:
        return table.prompt(first, count), last + 1
    ends = LOWEST if first == 1 and count > LOWEST and left > 1 and _is_ranking(table) else 0
    last -= ends
    text = table.prompt(first, last - first + 1)
    more = f"{len(table.rows) - last} more rows"
    told = f"{more} (page {page + 1} goes on from row {last + 1})"
    low = "".join(
        f"\n{_row(table, number)}"
        for number in range(len(table.rows) - ends + 1, len(table.rows) + 1)
    )
    return text.replace(f"\n{more}", f"\n{told}{', the lowest:' if ends else ''}{low}", 1), last + 1


def _row(table: Table, number: int) -> str:
    return table.prompt(number, 1).split("\n")[2]


def _is_ranking(table: Table) -> bool:
    """Whether the last rows show the least: each is a player's, or they are ordered by a number."""
    if not table.owner or table.place("died_at") is not None:
        return False
    whose = [table.whose(number) for number in range(1, len(table.rows) + 1)]
    falls = table.owner == "player" or any(
        _falls([row[place] for row in table.rows])
        for place, column in enumerate(table.columns)
        if column.ranked
    )
    return len(set(whose)) == len(whose) and falls


def _falls(cells: Sequence[Cell]) -> bool:
    """Whether cells are numbers, largest first."""
    numbers = [cell for cell in cells if isinstance(cell, int | float)]
    falling = all(one >= other for one, other in pairwise(numbers))
    return falling and len(numbers) == len(cells) and numbers[0] > numbers[-1]


def narrowed(tables: Sequence[Table], about: Sequence[str], characters: int) -> str:
    """Print the rows that name each of these people or abilities, under their numbers.

    Printing the whole result again would repeat rows, few of which were asked for.
    """
    texts = [text for one in tables if (text := _rows_of(one, about, characters // len(tables)))]
    if texts:
        return "\n\n".join(texts)
    table = tables[0]
    known = dict.fromkeys(table.whose(number) for number in range(1, len(table.rows) + 1))
    names = ", ".join(name for name in known if name)[:400]
    said = f"[{table.id}] {table.name} has no row of {', '.join(about)}; it has {names or 'none'}."
    return "\n".join([said, *table.prompt(count=0).split("\n")[1:]])


def _rows_of(table: Table, about: Sequence[str], characters: int) -> str:
    asked = [fold(one) for one in about]
    fitting = [
        number
        for number in range(1, len(table.rows) + 1)
        if all(_has(fold(table.text_of(number)), one) for one in asked)
    ]
    if not fitting:
        return ""
    lines = table.prompt(1, 1).split("\n")[:2]
    if len(fitting) < len(table.rows):
        lines[0] = lines[0].replace(" rows", f" rows, {len(fitting)} of {', '.join(about)}", 1)
    for at, number in enumerate(fitting):
        row = _row(table, number)
        if at >= LEAST and sum(map(len, lines)) + len(row) > characters:
            lines.append(f"{len(fitting) - at} more rows of {', '.join(about)}")
            break
        lines.append(row)
    return "\n".join(lines)


def _has(row: str, asked: str) -> bool:
    """Whether a row contains a name, or one of several alternatives separated by EITHER."""
    return any(one in row for one in asked.split(EITHER))


def shortened(text: str) -> str:
    """Shorten an older result for the prompt: headings, columns and first rows."""
    kept: list[str] = []
    for part in text.split("\n\n"):
        lines = part.split("\n")
        rows = [line for line in lines if _ROW.match(line)]
        if len(rows) <= KEPT:
            kept += lines
            continue
        kept += [line for line in lines[:2] if not _ROW.match(line)]
        kept += [*rows[:KEPT], f"(shortened: {len(rows) - KEPT} rows were shown; look again)"]
    return "\n".join(kept)
