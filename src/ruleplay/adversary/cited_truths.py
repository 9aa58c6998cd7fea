"""True sentences about tables, with tags, in the words of people and not of the tables.

Each family of frames picks cells, computes what it says with plain arithmetic, and returns the
sentence together with the cells it rests on, so that anyone can recompute it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from string import Formatter
from typing import Literal

from ruleplay.adversary.ledger import (
    Ledger,
    Pick,
    Where,
    chosen,
    kind_of,
    numbers,
    wordings,
)
from ruleplay.adversary.lies import Planted
from ruleplay.adversary.numerals import Language, Numeral, Scribe
from ruleplay.telling.table import Table, clean

Proof = Literal["value", "all", "rank", "count", "formula", "heading", "none"]
"""What a line must hold to contradict a lie: see `verdicts`."""
TAG_SLOTS = ("t", "u", "f", "g", "tt")


@dataclass(frozen=True)
class Cited(Planted):
    """A planted sentence, the cells that decide about it, and what would contradict it.

    `why` is the family of a truth and the class of a lie. `result` is what a formula comes to.
    `block`: stands on lines of its own.
    """

    language: Language = "en"
    about: tuple[Where, ...] = ()
    proof: Proof = "value"
    result: float | None = None
    block: bool = False
    tables: tuple[Table, ...] = field(default=(), repr=False, compare=False)


class Frames:
    """Fills frames of one language with what was found in the tables."""

    def __init__(
        self, rng: Random, tables: Sequence[Table], language: Language, ledger: Ledger | None = None
    ) -> None:
        self.rng, self.language = rng, language
        self.ledger = ledger or Ledger(tables)
        self.phrases = wordings().of(language)
        self.scribe = Scribe(rng, language)

    def has(self, frame: str) -> bool:
        """Tell whether this language has frames of a family."""
        return frame in self.phrases.frames

    def did(self, pick: Pick, numeral: Numeral | str, kind: str = "") -> str:
        """Return a predicate that says a number, of this cell's measure or of another."""
        said, known = kind or kind_of(pick.column), self.phrases.did
        text = numeral if isinstance(numeral, str) else numeral.text
        return self.rng.choice(known.get(said, known["generic"])).format(n=text)

    def tag(self, pick: Pick) -> str:
        """Return a cell's tag, or its row's."""
        return " " + (pick.cell_tag if self.rng.random() < 0.4 else pick.row_tag)

    def cell_tag(self, pick: Pick) -> str:
        """Return a cell's tag."""
        return f" {pick.cell_tag}"

    def pick(self, fit: Callable[[Pick], bool] = lambda pick: True) -> Pick | None:
        """Return a random cell that fits."""
        return chosen(self.rng, self.ledger.cells, fit)

    def pair(self, fit: Callable[[Pick], bool] = lambda pick: True) -> tuple[Pick, Pick] | None:
        """Return two cells of one column, the larger first."""
        fitting = [pair for pair in self.ledger.pairs if fit(pair[0]) and fit(pair[1])]
        return self.rng.choice(fitting) if fitting else None

    def percent(self, share: float) -> Numeral:
        """Return a share as a percentage with the digits people give."""
        value = share * 100
        digits = 0 if value >= 20 else 1
        text = self.scribe.with_unit(self.scribe.number(round(value, digits), digits), "%")
        return Numeral(text, round(value, digits), 10.0**-digits)

    def fill(self, frame: str, slots: Mapping[str, str]) -> tuple[str, str]:
        """Return a sentence with its tags, and its words up to the last tag without them."""
        return filled(self.rng.choice(self.phrases.frames[frame]), slots)


def filled(template: str, slots: Mapping[str, str]) -> tuple[str, str]:
    """Fill a template; also return it without tags and without what follows the last one."""
    bare = {name: "" if name in TAG_SLOTS else text for name, text in slots.items()}
    parts = list(Formatter().parse(template))
    last = max((i for i, part in enumerate(parts) if part[1] in TAG_SLOTS), default=len(parts))
    kept = parts[: last + 1]
    needle = "".join(text + (bare[name] if name else "") for text, name, *_ in kept)
    return template.format(**slots), needle


class Truths(Frames):
    """True sentences of many families."""

    def made(self, family: str) -> Cited | None:
        """Return a sentence of a family; None when the tables or the language have none."""
        return FAMILIES[family](self)

    def true(
        self,
        frame: str,
        slots: Mapping[str, str],
        about: Sequence[Pick | Where],
        result: float | None = None,
        family: str = "",
    ) -> Cited | None:
        """Return a true sentence; None when the language lacks the frame."""
        if not self.has(frame):
            return None
        sentence, _ = self.fill(frame, slots)
        where = tuple(pick.where if isinstance(pick, Pick) else pick for pick in about)
        block = sentence.startswith(("- ", "|"))
        return Cited(
            "truth",
            sentence,
            _without(sentence, slots),
            family or frame,
            language=self.language,
            about=where,
            result=result,
            block=block,
        )

    def single(self) -> Cited | None:
        """One number of somebody."""
        if (pick := self.pick()) is None:
            return None
        numeral = self.scribe.any(pick.value, pick.unit)
        slots = {"A": pick.owner, "did": self.did(pick, numeral), "n": numeral.text}
        return self.true("single", {**slots, "t": self.tag(pick)}, [pick], numeral.value)

    def in_words(self) -> Cited | None:
        """Tell a small count as a number word."""
        words = self.phrases.numbers
        small = self.pick(lambda p: p.unit == "" and p.value.is_integer() and 2 <= p.value <= 12)
        if small is None or not words:
            return None
        word = words[int(small.value)]
        slots = {"A": small.owner, "did": self.did(small, word), "n": word, "t": self.tag(small)}
        return self.true("single", slots, [small], small.value, "in_words")

    def pair_of(self) -> Cited | None:
        """Two people's numbers, each with its tag."""
        if (pair := self.pair()) is None:
            return None
        one, two = self.rng.sample(pair, 2)
        return self.true("pair", self.two(one, two, one.value, two.value), [one, two])

    def two(self, one: Pick, two: Pick, first: float, second: float) -> dict[str, str]:
        """Return slots for two cells said to hold these numbers."""
        n, m = (self.scribe.any(value, one.unit) for value in (first, second))
        return {
            "A": one.owner,
            "B": two.owner,
            "n": n.text,
            "m": m.text,
            "did": self.did(one, n),
            "didb": self.did(two, m),
            "t": self.tag(one),
            "u": self.tag(two),
        }

    def order(self) -> Cited | None:
        """Who is ahead of whom, with both numbers."""
        if (pair := self.pair()) is None:
            return None
        return self.true("order", self.two(*pair, pair[0].value, pair[1].value), pair)

    def ratio(self) -> Cited | None:
        """How many percent more one has, by a formula."""
        pair = self.pair(lambda p: p.value > 0 and p.unit != "%")
        if pair is None or not 1.02 < pair[0].value / pair[1].value < 5:
            return None
        a, b = pair
        if self.has("behind") and self.rng.random() < 0.3:
            less = 1 - b.value / a.value
            slots = {"A": a.owner, "B": b.owner, "q": self.percent(less).text}
            return self.true("behind", {**slots, "g": over(b, a, "/")}, pair, less * 100)
        more = a.value / b.value - 1
        slots = {"A": a.owner, "B": b.owner, "p": self.percent(more).text, "f": over(a, b, "/")}
        return self.true("ratio", slots, pair, more * 100)

    def times(self) -> Cited | None:
        """How many times as much one has, by a formula."""
        pair = self.pair(lambda p: p.value > 0 and p.unit != "%")
        if pair is None or not 2 <= pair[0].value / pair[1].value < 60:
            return None
        share = pair[0].value / pair[1].value
        slots = {"A": pair[0].owner, "B": pair[1].owner, "f": over(*pair, "/")}
        return self.true("times", {**slots, "x": self.scribe.number(share, 1)}, pair, share)

    def difference(self) -> Cited | None:
        """How much lies between two, by a formula."""
        if (pair := self.pair(lambda p: p.unit != "%")) is None:
            return None
        gap = round(pair[0].value - pair[1].value, 2)
        slots = {"A": pair[0].owner, "B": pair[1].owner, "f": over(*pair, "-")}
        text = self.scribe.exact(gap, pair[0].unit).text
        return self.true("difference", {**slots, "d": text}, pair, gap)

    def share(self) -> Cited | None:
        """Tell what share of the total is somebody's."""
        pick = self.pick(lambda p: p.unit == "" and p.value > 0 and self.ledger.ranked(p))
        if pick is None or len(self.ledger.column(pick)) < 3:
            return None
        share = pick.value / sum(self.ledger.column(pick))
        formula = f" [{pick.cell_tag[1:-1]}/sum({pick.table.id}.{pick.column})]"
        slots = {"A": pick.owner, "p": self.percent(share).text, "f": formula}
        return self.true("share", slots, [pick], share * 100) if share >= 0.01 else None

    def total(self) -> Cited | None:
        """Tell a column added up."""
        return self.aggregate("sum", "sum", sum)

    def ceiling(self) -> Cited | None:
        """Tell the largest number of a column."""
        return self.aggregate("ceiling", "max", max)

    def floor(self) -> Cited | None:
        """Tell the smallest number of a column."""
        return self.aggregate("floor", "min", min)

    def aggregate(
        self, frame: str, name: str, of: Callable[[Sequence[float]], float], error: float = 1.0
    ) -> Cited | None:
        """Tell a column's sum, maximum or minimum; `error` makes it a lie's number."""
        pick = self.pick(lambda p: p.unit in ("", "$") and self.ledger.ranked(p))
        if pick is None or len(self.ledger.column(pick)) < 2:
            return None
        value = round(of(self.ledger.column(pick)) * error, 2)
        whole = round(value) if pick.unit == "" and pick.value.is_integer() else value
        slots = {"n": self.scribe.exact(whole, pick.unit).text}
        slots["f"] = f" [{name}({pick.table.id}.{pick.column})]"
        return self.true(frame, slots, [Where(pick.table.id, 0, pick.column)], whole)

    def count(self) -> Cited | None:
        """How many lie above a number."""
        pick = self.pick(lambda p: p.unit == "" and self.ledger.ranked(p))
        if pick is None:
            return None
        above = sum(value > pick.value for value in self.ledger.column(pick))
        formula = f" [count({pick.table.id}.{pick.column}>{pick.value:g})]"
        if "e" in formula.split(">")[1] or above == 0:
            return None
        text = self.scribe.exact(pick.value, "").text
        slots = {"k": str(above), "rows": str(len(pick.table.rows)), "n": text, "f": formula}
        return self.true("count", slots, [Where(pick.table.id, 0, pick.column)], above)

    def top(self) -> Cited | None:
        """Who has the most."""
        pick = self.pick(lambda p: self.ledger.ranked(p) and self.ledger.extreme(p))
        return self.superlative("top", pick)

    def bottom(self) -> Cited | None:
        """Who has the least."""
        pick = self.pick(lambda p: self.ledger.ranked(p) and self.ledger.extreme(p, False))
        return self.superlative("bottom", pick)

    def superlative(self, frame: str, pick: Pick | None) -> Cited | None:
        """Tell a cell said to be the extreme of its column."""
        if pick is None:
            return None
        numeral = self.scribe.any(pick.value, pick.unit)
        slots = {"A": pick.owner, "n": numeral.text, "t": self.cell_tag(pick)}
        return self.true(frame, slots, [pick], numeral.value)

    def zero(self) -> Cited | None:
        """Somebody who has none."""
        pick, known = self.pick(lambda p: p.value == 0), self.phrases.zero
        if pick is None or not known:
            return None
        return self.plain(known.get(kind_of(pick.column), known["generic"]), pick, "zero")

    def plain(self, templates: Sequence[str], pick: Pick, family: str) -> Cited:
        """Tell a sentence without a number about one cell."""
        slots = {"A": pick.owner, "t": self.cell_tag(pick)}
        template = self.rng.choice(templates)
        return Cited(
            "truth",
            template.format(**slots),
            template.format(**{**slots, "t": ""}),
            family,
            language=self.language,
            about=(pick.where,),
            result=0,
        )

    def columns(self, fit: Callable[[tuple[float, ...], int], bool]) -> list[tuple[Table, str]]:
        """Return columns of numbers that fit; also given is how many rows there are."""
        return [
            (table, column.name)
            for table in self.ledger.tables
            for column in table.columns
            if column.numeric and fit(numbers(table, column.name), len(table.rows))
        ]

    def nobody(self) -> Cited | None:
        """Tell a column of zeros."""
        found = self.columns(lambda values, rows: rows == len(values) > 0 and not any(values))
        return self.none_of(found, tagged=True)

    def none_of(self, found: Sequence[tuple[Table, str]], tagged: bool) -> Cited | None:
        """Say of a column that it is all zero."""
        known = self.phrases.nobody
        if not found or not known:
            return None
        table, column = self.rng.choice(found)
        template = self.rng.choice(known.get(kind_of(column), known["generic"]))
        tag = f" [{table.id}.{column}]" if tagged else ""
        return Cited(
            "truth",
            template.format(t=tag),
            template.format(t=""),
            "nobody",
            language=self.language,
            about=(Where(table.id, 0, column),),
            result=0,
        )

    def everyone(self) -> Cited | None:
        """Tell a column without a zero."""
        found = self.columns(lambda values, rows: rows == len(values) > 1 and min(values) > 0)
        return self.all_of(found)

    def all_of(self, found: Sequence[tuple[Table, str]]) -> Cited | None:
        """Say of a column that each has some."""
        if not found:
            return None
        table, column = self.rng.choice(found)
        formula = f" [count({table.id}.{column}>0)]"
        return self.true("everyone", {"f": formula}, [Where(table.id, 0, column)])

    def table_facts(self) -> Cited | None:
        """Tell what holds for a whole result: its size, its length, its note, that it is empty."""
        table = self.rng.choice(self.ledger.tables)
        where, choices = [Where(table.id)], ["size" if table.rows else "empty"]
        choices += ["duration"] * 2 if table.seconds else []
        choices += ["note"] if table.notes else []
        frame, slots = self.rng.choice(choices), {"t": f" [{table.id}]"}
        if frame == "note":
            slots["t"] = f" [{table.id}.n1]"
        if frame == "size":
            return self.true(frame, {**slots, "k": str(len(table.rows))}, where, len(table.rows))
        if frame == "duration" and table.seconds:
            time = self.scribe.any(table.seconds, "s")
            return self.true(frame, {**slots, "n": time.text}, where, time.value)
        return self.true(frame, slots, where)

    def missing(self) -> Cited | None:
        """Tell a cell that does not apply."""
        found = [
            (table, row, column.name)
            for table in self.ledger.tables
            for row, cells in enumerate(table.rows[: table.shown], 1)
            for column, cell in zip(table.columns, cells, strict=True)
            if column.numeric and cell is None and clean(table.whose(row))
        ]
        if not found:
            return None
        table, row, column = self.rng.choice(found)
        slots = {"A": clean(table.whose(row), 60), "t": f" [{table.id}.{row}.{column}]"}
        return self.true("missing", slots, [Where(table.id, row, column)])

    def double(self) -> Cited | None:
        """Two numbers of one row."""
        if (one := self.pick()) is None:
            return None
        two = self.pick(
            lambda p: p.table is one.table and p.row == one.row and p.column != one.column
        )
        if two is None:
            return None
        n, m = (self.scribe.any(pick.value, pick.unit) for pick in (one, two))
        slots = {"A": one.owner, "n": n.text, "m": m.text, "t": self.tag(one), "u": self.tag(two)}
        slots |= {"did": self.did(one, n), "didb": self.did(two, m)}
        return self.true("double", slots, [one, two])

    def text(self) -> Cited | None:
        """Tell what a row says in words."""
        found = [
            (table, row, column.name, clean(cell))
            for table in self.ledger.tables
            for row, cells in enumerate(table.rows[: table.shown], 1)
            for column, cell in zip(table.columns, cells, strict=True)
            if column.name != table.owner and isinstance(cell, str) and clean(table.whose(row))
        ]
        if not found:
            return None
        table, row, column, cell = self.rng.choice(found)
        tag = f" [{table.id}.{row}.{column}]"
        slots = {"A": clean(table.whose(row), 60), "x": cell, "t": tag}
        return self.true("text", slots, [Where(table.id, row, column)])

    def tie(self) -> Cited | None:
        """Two who have the same."""
        found = [
            (one, two)
            for one in self.ledger.cells
            for two in self.ledger.cells
            if one.table is two.table
            and (one.column, one.value) == (two.column, two.value)
            and one.row < two.row
            and one.owner != two.owner
        ]
        if not found:
            return None
        one, two = self.rng.choice(found)
        numeral = self.scribe.exact(one.value, one.unit)
        slots = {"A": one.owner, "B": two.owner, "n": numeral.text, "tt": both(one, two)}
        return self.true("tie", slots, [one, two], numeral.value)

    def table(self) -> Cited | None:
        """Tell a table in Markdown, a tag in each cell."""
        if (first := self.pick()) is None:
            return None
        column = self.beside(first)
        rows = [(p, self.scribe.exact(p.value, p.unit).text) for p in column[:3]]
        head = "| {} | {} |\n|---|---|".format(*self.phrases.table)
        lines = [f"| {p.owner} | {text}{self.tag(p)} |" for p, text in rows]
        plain = " ".join(f"{p.owner} {text}" for p, text in rows)
        return Cited(
            "truth",
            "\n".join([head, *lines]),
            plain,
            "table",
            language=self.language,
            about=tuple(p.where for p, _ in rows),
            block=True,
        )

    def beside(self, pick: Pick) -> list[Pick]:
        """Return the cells of a cell's column, itself among them."""
        cells = self.ledger.cells
        return [p for p in cells if p.table is pick.table and p.column == pick.column]

    def view(self) -> Cited | None:
        """Tell a judgement or advice, with nothing to check; ids may not stand without a tag."""
        pick = self.pick()
        if pick and self.rng.random() < 0.4 and not _ID.search(pick.owner):
            return self.true("advice", {"A": pick.owner}, [], family="view")
        return self.true("view", {}, [])


_ID = re.compile(r"\d{3}")


def over(one: Pick, two: Pick, sign: str) -> str:
    """Return a formula's tag for two cells of one column, which is named once."""
    return f" [{one.table.id}.{one.row}{sign}{two.table.id}.{two.row}.{one.column}]"


def both(one: Pick, two: Pick) -> str:
    """Return one tag of two rows."""
    return f" [{one.row_tag[1:-1]}, {two.row_tag[1:-1]}]"


def _without(sentence: str, slots: Mapping[str, str]) -> str:
    for name in TAG_SLOTS:
        if name in slots:
            sentence = sentence.replace(slots[name], "")
    return sentence


FAMILIES: dict[str, Callable[[Truths], Cited | None]] = {
    "single": Truths.single,
    "in_words": Truths.in_words,
    "pair": Truths.pair_of,
    "order": Truths.order,
    "ratio": Truths.ratio,
    "times": Truths.times,
    "difference": Truths.difference,
    "share": Truths.share,
    "sum": Truths.total,
    "ceiling": Truths.ceiling,
    "floor": Truths.floor,
    "count": Truths.count,
    "top": Truths.top,
    "bottom": Truths.bottom,
    "zero": Truths.zero,
    "nobody": Truths.nobody,
    "everyone": Truths.everyone,
    "table facts": Truths.table_facts,
    "missing": Truths.missing,
    "double": Truths.double,
    "text": Truths.text,
    "tie": Truths.tie,
    "table": Truths.table,
    "view": Truths.view,
}
"""Families of true sentences, by name."""
