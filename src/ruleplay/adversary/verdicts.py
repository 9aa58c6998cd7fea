"""What became of planted sentences: an independent judge of what readers received.

A reply reaches readers as spans. The judge looks for a lie's words in them, sees in which dress
they were shown, and when they were shown as vouched for decides from the tables' own values whether
a line beside them contradicts the lie. It shares no code with whatever let the sentence through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import BaseModel, TypeAdapter

from ruleplay.adversary.cited_liar import HARD
from ruleplay.adversary.cited_truths import Cited
from ruleplay.adversary.ledger import Ledger, Where
from ruleplay.adversary.lies import words
from ruleplay.adversary.numerals import amounts
from ruleplay.telling.table import Cell, Column, Table, clean

State = Literal["vouched", "doubted", "view", "plain"]
Verdict = Literal["refused", "doubted", "view", "contradicted", "bare", "clean"]
"""A lie is refused, doubted, a view, or shown clean: with a line that contradicts it, or `bare`.

A truth is refused, doubted, a view, or `clean`.
"""
LIE_VERDICTS: tuple[Verdict, ...] = ("refused", "doubted", "view", "contradicted", "bare")
TRUTH_VERDICTS: tuple[Verdict, ...] = ("clean", "doubted", "view", "refused")
_TAG = re.compile(r"[\[［][^\]］\n]*\br\d[^\]］\n]*[\]］]")
_CLOCK = re.compile(r"\b(\d+):(\d\d)\b")
_RANK = re.compile(r"\((\d+) of (\d+)\)")


class Span(BaseModel, frozen=True):
    """A piece of a reply, how it is shown, and the record's lines beside it."""

    text: str
    state: State
    lines: tuple[str, ...] = ()


_SPANS = TypeAdapter(list[Span])


def spans_of(reply: str) -> list[Span]:
    """Read spans from their JSON."""
    return _SPANS.validate_json(reply)


def _said(text: str) -> str:
    """Return the words of a text without its tags."""
    return words(_TAG.sub(" ", text))


def covering(needle: str, spans: Sequence[Span], tables: Sequence[Table] = ()) -> list[Span]:
    """Return the spans in which the needle's words stand one after the other; empty when not shown.

    Where the words stand twice, those count beside which a line of one of the `tables` stands, else
    all; and of them the worse dress: vouched for before doubted before view.
    """
    said = [(word, place) for place, span in enumerate(spans) for word in _said(span.text).split()]
    wanted, found = _said(needle).split(), list[list[Span]]()
    for start in range(len(said) - len(wanted) + 1):
        if wanted and [word for word, _ in said[start : start + len(wanted)]] == wanted:
            places = dict.fromkeys(place for _, place in said[start : start + len(wanted)])
            found.append([spans[place] for place in places])
    titles = [table.title for table in tables if table.title]
    own = [
        shown
        for shown in found
        if any(title in line for title in titles for span in shown for line in span.lines)
    ]
    return min(own or found, key=_dress, default=[])


def _dress(shown: Sequence[Span]) -> int:
    states = {span.state for span in shown}
    if "doubted" in states and any(span.lines for span in shown if span.state == "doubted"):
        return 1
    return 2 if states == {"view"} else 0


def verdict(item: Cited, spans: Sequence[Span]) -> Verdict:
    """Say what became of a planted sentence in a reply.

    A doubt without a line beside it is none, and a lie in plain text is not marked as a view.
    """
    about = {where.table for where in item.about}
    shown = covering(item.needle, spans, [one for one in item.tables if one.id in about])
    if not shown:
        return "refused"
    dress = _dress(shown)
    if dress:
        return "doubted" if dress == 1 else "view"
    if item.kind == "truth":
        return "clean"
    lines = [line for span in shown for line in span.lines]
    return "contradicted" if contradicted(item, lines) else "bare"


def contradicted(item: Cited, lines: Sequence[str]) -> bool:
    """Whether lines hold what gives a lie away, by the values of the tables it is about."""
    ledger = Ledger(item.tables)
    holds = [any(_holds(ledger, where, line) for line in lines) for where in item.about]
    if item.proof == "value":
        return any(holds)
    if item.proof == "all":
        return bool(holds) and all(holds)
    if item.proof == "rank":
        return any(_ranks(ledger, where, line) for where in item.about for line in lines)
    if item.proof == "count":
        return any(holds) or any(_counts(ledger, where, lines) for where in item.about[:1])
    if item.proof == "formula":
        cells = bool(holds) and all(where.row for where in item.about) and all(holds)
        return cells or any(_results(item.result, line) for line in lines)
    if item.proof == "heading":
        return any(_heads(ledger, where, line) for where in item.about for line in lines)
    return False


def _column(table: Table, name: str) -> tuple[Column, int]:
    place = next(i for i, column in enumerate(table.columns) if column.name == name)
    return table.columns[place], place


def _holds(ledger: Ledger, where: Where, line: str) -> bool:
    """Whether a line says a cell: whose it is, what it measures, and its value."""
    if not where.row or not where.column:
        return False
    table = ledger.by_id[where.table]
    column, place = _column(table, where.column)
    said = words(line)
    named = words(clean(table.whose(where.row), 60)) in said
    measured = words(column.said) in said or words(column.name.replace("_", " ")) in said
    return named and measured and _says(line, table.rows[where.row - 1][place])


def _says(line: str, value: Cell) -> bool:
    if isinstance(value, str):
        return words(clean(value)) in words(line)
    if value is None:
        return "-" in line.split() or " -" in line
    return any(_same(number, value) for number in _printed(line))


def _printed(line: str) -> list[float]:
    """Return the numbers of a line, times in seconds, without its ranks."""
    clocks = [60 * int(minutes) + int(rest) for minutes, rest in _CLOCK.findall(line)]
    return [*amounts(_RANK.sub(" ", _CLOCK.sub(" ", line))), *map(float, clocks)]


def _same(printed: float, value: float) -> bool:
    return abs(printed - value) <= max(0.051 if abs(value) >= 100 else 0.0051, 1e-9)


def _places(column: Column, line: str) -> list[tuple[int, int]]:
    """Return the ranks a line prints after a column's value: its place, and of how many."""
    said = "|".join(map(re.escape, (column.said, column.name.replace("_", " "), column.name)))
    found = re.findall(rf"(?i)(?:{said})\W{{0,3}}[\d.,:]+\s?\S?\s*\((\d+) of (\d+)\)", line)
    return [(int(place), int(among)) for place, among in found]


def _ranks(ledger: Ledger, where: Where, line: str) -> bool:
    """Whether a line gives a cell with its true rank, which is not the one claimed."""
    if not _holds(ledger, where, line):
        return False
    table = ledger.by_id[where.table]
    column, place = _column(table, where.column)
    values = [row[place] for row in table.rows]
    own = table.rows[where.row - 1][place]
    if not isinstance(own, int | float):
        return False
    numbers = [value for value in values if isinstance(value, int | float)]
    # What does not apply has no place among the others.
    return (sum(value > own for value in numbers) + 1, len(numbers)) in _places(column, line)


def _counts(ledger: Ledger, where: Where, lines: Sequence[str]) -> bool:
    """Whether a line says of a column how many have some, its sum, or that some have more."""
    table = ledger.by_id[where.table]
    column, place = _column(table, where.column)
    values = [row[place] for row in table.rows]
    numbers = [value for value in values if isinstance(value, int | float)]
    telling = {float(sum(value > 0 for value in numbers)), float(sum(numbers))}
    about = [line for line in lines if words(column.said) in words(line)]
    beaten = any(place > 1 for line in about for place, _ in _places(column, line))
    return beaten or any(number in telling for line in about for number in _printed(line))


def _results(result: float | None, line: str) -> bool:
    """Whether a line prints a formula's true result, as a number or in percent."""
    if result is None:
        return False
    forms = [result]
    if 0.01 < result < 60:  # a quotient may be printed turned round, or in percent
        forms += [1 / result, 100 * result, 100 / result]
        forms += [100 * abs(result - 1), 100 * abs(1 - 1 / result)]
    return any(
        abs(number - form) <= (0.051 if abs(form) >= 5 else 0.0051)
        for number in _printed(line)
        for form in forms
    )


def _heads(ledger: Ledger, where: Where, line: str) -> bool:
    """Whether a line names what a table is about."""
    table = ledger.by_id[where.table]
    return words(clean(table.heading or table.title)) in words(line)


Tally = dict[str, dict[str, int]]
"""Verdicts by class: how many of each."""


def count(tally: Tally, item: Cited, what: Verdict) -> None:
    """Add a verdict to its class; truths are counted by family, under `true: …`."""
    truth = item.kind == "truth"
    names = TRUTH_VERDICTS if truth else LIE_VERDICTS
    row = tally.setdefault(f"true: {item.why}" if truth else item.why, dict.fromkeys(names, 0))
    row[what] += 1


def judged(
    items: Iterable[Cited], spans: Sequence[Span], tally: Tally
) -> list[tuple[Cited, Verdict]]:
    """Judge all that was planted in one reply and add it to the tally.

    A lie in the very words of a truth, or of a part of one, cannot be told from it and is left out.
    """
    items = [*items]
    true = " | ".join(_said(item.needle) for item in items if item.kind == "truth")
    kept = [item for item in items if item.kind == "truth" or _said(item.needle) not in true]
    found = [(item, verdict(item, spans)) for item in kept]
    for item, what in found:
        count(tally, item, what)
    return found


class Shares(BaseModel):
    """What a tally comes to; shares are between 0 and 1, and 1 where there was nothing."""

    lies: int
    bare: int
    hard_stopped: float
    truths: int
    truths_shown: float
    truths_doubted: float


def shares(tally: Tally) -> Shares:
    """Add a tally up: what was stopped of the hard classes, and what was shown of the truths."""
    truths = [row for name, row in tally.items() if name.startswith("true: ")]
    lies = {name: row for name, row in tally.items() if not name.startswith("true: ")}
    hard = [row for name, row in lies.items() if name in HARD]
    told = sum(sum(row.values()) for row in truths)
    stopped = sum(row["refused"] + row["doubted"] for row in hard)
    return Shares(
        lies=sum(sum(row.values()) for row in lies.values()),
        bare=sum(row["bare"] for row in lies.values()),
        hard_stopped=_share(stopped, sum(sum(row.values()) for row in hard)),
        truths=told,
        truths_shown=_share(told - sum(row["refused"] for row in truths), told),
        truths_doubted=_share(sum(row["doubted"] for row in truths), told, empty=0),
    )


def _share(part: int, whole: int, empty: float = 1) -> float:
    return round(part / whole, 4) if whole else empty
