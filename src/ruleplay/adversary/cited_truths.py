"""True sentences about tables, with tags, in people's words rather than the tables'.

Each family of frames picks cells, computes what it says with plain arithmetic, and returns the
sentence together with the cells it rests on, so that anyone can recompute it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from string import Formatter
from typing import Literal

from ruleplay.adversary.ledger import Ledger, Pick, Where, kind_of, numbers, wordings
from ruleplay.adversary.lies import Planted
from ruleplay.adversary.numerals import Language, Numeral, Scribe
from ruleplay.telling.table import Table, clean

Proof = Literal["value", "all", "rank", "count", "formula", "heading", "none"]
"""What a line must hold to contradict a lie: see `verdicts`."""
TAG_SLOTS = ("t", "u", "f", "g", "tt")
AGGREGATES: Mapping[str, tuple[str, Callable[[Sequence[float]], float]]] = {
    "sum": ("sum", sum),
    "ceiling": ("max", max),
    "floor": ("min", min),
}
"""What is said of a whole column, by frame: the function's name in a tag, and the function."""
ID = re.compile(r"\d{3}")
Rows = Sequence[tuple[Pick, float, str]]
"""Rows of a table in Markdown: whose, the number to write, and its tag."""


@dataclass(frozen=True)
class Cited(Planted):
    """A planted sentence, the cells that decide whether it is true, and what would contradict it.

    `why` is the family of a truth and the class of a lie. `result` is what a formula comes to.
    `block`: stands on lines of its own.
    """

    language: Language = "en"
    about: tuple[Where, ...] = ()
    proof: Proof = "value"
    result: float | None = None
    block: bool = False
    tables: tuple[Table, ...] = field(default=(), repr=False, compare=False)


class Truths:
    """True sentences of many families, in one language."""

    def __init__(self, rng: Random, language: Language, ledger: Ledger) -> None:
        self.rng, self.language, self.ledger = rng, language, ledger
        self.phrases = wordings().of(language)
        self.scribe = Scribe(rng, language)

    def say(
        self,
        frame: str,
        slots: Mapping[str, str],
        about: Sequence[Pick | Where] = (),
        proof: Proof = "value",
        result: float | None = None,
        templates: Sequence[str] | None = None,
    ) -> Cited | None:
        """Fill one of a frame's templates; None when the language has none."""
        templates = self.phrases.frames.get(frame, ()) if templates is None else templates
        if not templates:
            return None
        sentence, needle = filled(self.rng.choice(templates), slots)
        where = tuple(one.where if isinstance(one, Pick) else one for one in about)
        block = sentence.startswith(("- ", "|"))
        return Cited("truth", sentence, needle, frame, self.language, where, proof, result, block)

    def claim(
        self,
        pick: Pick,
        number: Numeral | str,
        slots: Mapping[str, str] = {},
        *,
        about: Sequence[Pick | Where] = (),
        frame: str = "single",
        proof: Proof = "value",
    ) -> Cited | None:
        """State a number in words of a cell's measure; `slots` change its owner, tag or words."""
        text = number if isinstance(number, str) else number.text
        own = {"A": pick.owner, "n": text, "did": self.did(pick, text), "t": self.tag(pick)}
        return self.say(frame, {**own, **slots}, about or [pick], proof)

    def did(self, pick: Pick, text: str, kind: str = "") -> str:
        """Return a predicate that says a number, of this cell's measure or of another."""
        known = self.phrases.did
        of_kind = known.get(kind or kind_of(pick.column), known["generic"])
        return self.rng.choice(of_kind).format(n=text)

    def tag(self, pick: Pick) -> str:
        """Return a cell's tag, or its row's."""
        return " " + (pick.cell_tag if self.rng.random() < 0.4 else pick.row_tag)

    def any(self, pick: Pick) -> Numeral:
        """Return a cell's number, at times rounded."""
        return self.scribe.any(pick.value, pick.unit)

    def pick(self, fit: Callable[[Pick], bool] = lambda pick: True) -> Pick | None:
        """Return a random cell that fits; None when there is none."""
        fitting = [pick for pick in self.ledger.cells if fit(pick)]
        return self.rng.choice(fitting) if fitting else None

    def pair(self, fit: Callable[[Pick], bool] = lambda pick: True) -> tuple[Pick, Pick] | None:
        """Return two cells of one column, the larger first."""
        fitting = [pair for pair in self.ledger.pairs if fit(pair[0]) and fit(pair[1])]
        return self.rng.choice(fitting) if fitting else None

    def quotient(self, least: float = 0, most: float = 1e9) -> tuple[Pick, Pick] | None:
        """Return two cells whose quotient says something and lies within bounds."""
        pair = self.pair(lambda p: p.value > 0 and p.unit != "%")
        return pair if pair and least <= pair[0].value / pair[1].value < most else None

    def percent(self, share: float) -> Numeral:
        """Return a share as a percentage with the digits people give."""
        value = share * 100
        digits = 0 if value >= 20 else 1
        text = self.scribe.with_unit(self.scribe.number(round(value, digits), digits), "%")
        return Numeral(text, round(value, digits), 10.0**-digits)

    def single(self) -> Cited | None:
        """State one number of somebody."""
        return None if (pick := self.pick()) is None else self.claim(pick, self.any(pick))

    def in_words(self) -> Cited | None:
        """State a small count as a number word."""
        words = self.phrases.numbers
        small = self.pick(lambda p: p.unit == "" and p.value.is_integer() and 2 <= p.value <= 12)
        return None if small is None or not words else self.claim(small, words[int(small.value)])

    def pair_of(self) -> Cited | None:
        """State two people's numbers, each with its tag."""
        if (pair := self.pair()) is None:
            return None
        one, two = self.rng.sample(pair, 2)
        return self.say("pair", self.two(one, two, one.value, two.value), [one, two])

    def two(self, one: Pick, two: Pick, first: float, second: float) -> dict[str, str]:
        """Return slots for two cells said to hold these numbers."""
        n, m = (self.scribe.any(value, one.unit).text for value in (first, second))
        slots = {"A": one.owner, "n": n, "did": self.did(one, n), "t": self.tag(one)}
        return slots | {"B": two.owner, "m": m, "didb": self.did(two, m), "u": self.tag(two)}

    def order(self) -> Cited | None:
        """Say who is ahead of whom, with both numbers."""
        if (pair := self.pair()) is None:
            return None
        return self.say("order", self.two(*pair, pair[0].value, pair[1].value), pair)

    def ratio(self) -> Cited | None:
        """Say how many percent more or less one has, by a formula."""
        if (pair := self.quotient(1.02, 5)) is None:
            return None
        (a, b), share = pair, pair[0].value / pair[1].value
        slots = {"A": a.owner, "B": b.owner}
        if self.rng.random() < 0.3:
            slots |= {"q": self.percent(1 - 1 / share).text, "g": over(b, a, "/")}
            return self.say("behind", slots, pair)
        slots |= {"p": self.percent(share - 1).text, "f": over(a, b, "/")}
        return self.say("ratio", slots, pair)

    def times(self) -> Cited | None:
        """Say how many times as much one has, by a formula."""
        if (pair := self.quotient(2, 60)) is None:
            return None
        slots = {"A": pair[0].owner, "B": pair[1].owner, "f": over(*pair, "/")}
        slots["x"] = self.scribe.number(pair[0].value / pair[1].value, 1)
        return self.say("times", slots, pair)

    def difference(self) -> Cited | None:
        """Say how far apart two are, by a formula."""
        if (pair := self.pair(lambda p: p.unit != "%")) is None:
            return None
        gap = self.scribe.exact(round(pair[0].value - pair[1].value, 2), pair[0].unit)
        slots = {"A": pair[0].owner, "B": pair[1].owner, "f": over(*pair, "-")}
        return self.say("difference", {**slots, "d": gap.text}, pair)

    def share(self) -> Cited | None:
        """Say what share of the total is somebody's."""
        pick = self.pick(lambda p: p.unit == "" and p.value > 0 and self.ledger.ranked(p))
        if pick is None or len(self.ledger.column(pick)) < 3:
            return None
        share = pick.value / sum(self.ledger.column(pick))
        formula = f" [{pick.cell_tag[1:-1]}/sum({pick.table.id}.{pick.column})]"
        slots = {"A": pick.owner, "p": self.percent(share).text, "f": formula}
        return self.say("share", slots, [pick]) if share >= 0.01 else None

    def aggregate(self, frame: str, error: float = 1.0) -> Cited | None:
        """State a column's sum, maximum or minimum; with `error` a wrong one."""
        pick, (name, of) = self.pick(self.adds_up), AGGREGATES[frame]
        if pick is None or len(self.ledger.column(pick)) < 2:
            return None
        truth = of(self.ledger.column(pick))
        whole = pick.unit == "" and pick.value.is_integer()
        said = round(truth * error, None if whole else 2)
        slots = {"n": self.scribe.exact(said, pick.unit).text}
        slots["f"] = f" [{name}({pick.table.id}.{pick.column})]"
        if error != 1 and abs(said - truth) < 1:
            return None
        about = [Where(pick.table.id, 0, pick.column)]
        return self.say(frame, slots, about, "formula", truth)

    def adds_up(self, pick: Pick) -> bool:
        """Whether a cell's column is one that people add up."""
        return pick.unit in ("", "$") and self.ledger.ranked(pick)

    def count(self, error: int = 0) -> Cited | None:
        """Say how many lie above a number; with `error` a wrong count."""
        pick = self.pick(lambda p: p.unit == "" and self.ledger.ranked(p))
        if pick is None:
            return None
        above = sum(value > pick.value for value in self.ledger.column(pick))
        told, rows, bound = above + error, len(pick.table.rows), f"{pick.value:g}"
        alike = error and (told == rows or abs(told - pick.value) < 1)
        if "e" in bound or above == 0 or alike:
            return None
        slots = {"k": str(told), "rows": str(rows), "n": self.scribe.exact(pick.value, "").text}
        slots["f"] = f" [count({pick.table.id}.{pick.column}>{bound})]"
        about = [Where(pick.table.id, 0, pick.column)]
        return self.say("count", slots, about, "formula", above)

    def superlative(self, frame: str) -> Cited | None:
        """Say who has the most or the least."""
        largest = frame == "top"
        pick = self.pick(lambda p: self.ledger.ranked(p) and self.ledger.extreme(p, largest))
        if pick is None:
            return None
        return self.claim(pick, self.any(pick), {"t": f" {pick.cell_tag}"}, frame=frame)

    def zero(self) -> Cited | None:
        """Say that somebody has none."""
        return self.none_by(self.pick(lambda p: p.value == 0))

    def none_by(self, pick: Pick | None) -> Cited | None:
        """Say of a cell that it is zero."""
        known = self.phrases.zero
        if pick is None or not known:
            return None
        slots = {"A": pick.owner, "t": f" {pick.cell_tag}"}
        templates = known.get(kind_of(pick.column), known["generic"])
        return self.say("zero", slots, [pick], templates=templates)

    def columns(self, fit: Callable[[tuple[float, ...], int], bool]) -> list[tuple[Table, str]]:
        """Return the columns of numbers that fit; `fit` also gets the number of rows."""
        return [
            (table, column.name)
            for table in self.ledger.tables
            for column in table.columns
            if column.numeric and fit(numbers(table, column.name), len(table.rows))
        ]

    def nobody(self) -> Cited | None:
        """Say that nobody has any, of a column of zeros."""
        found = self.columns(lambda values, rows: rows == len(values) > 0 and not any(values))
        return self.none_of(found, tagged=True)

    def none_of(self, found: Sequence[tuple[Table, str]], tagged: bool) -> Cited | None:
        """Say of a column that it is all zero."""
        known = self.phrases.nobody
        if not found or not known:
            return None
        table, column = self.rng.choice(found)
        templates = known.get(kind_of(column), known["generic"])
        slots = {"t": f" [{table.id}.{column}]" if tagged else ""}
        return self.say("nobody", slots, [Where(table.id, 0, column)], templates=templates)

    def everyone(self) -> Cited | None:
        """Say that everyone has some, of a column without a zero."""
        found = self.columns(lambda values, rows: rows == len(values) > 1 and min(values) > 0)
        return self.all_of(found)

    def all_of(self, found: Sequence[tuple[Table, str]]) -> Cited | None:
        """Say of a column that each has some."""
        if not found:
            return None
        table, column = self.rng.choice(found)
        some = sum(value > 0 for value in numbers(table, column))
        slots = {"f": f" [count({table.id}.{column}>0)]"}
        return self.say("everyone", slots, [Where(table.id, 0, column)], "formula", some)

    def table_facts(self) -> Cited | None:
        """Say something of a whole table: its size, its duration, its note, that it is empty."""
        table = self.rng.choice(self.ledger.tables)
        choices = ["size" if table.rows else "empty", *["note"] * bool(table.notes)]
        choices += ["duration"] * 2 if table.seconds else []
        frame = self.rng.choice(choices)
        slots = {"t": f" [{table.id}.n1]" if frame == "note" else f" [{table.id}]"}
        slots |= {"k": str(len(table.rows)), "n": self.scribe.any(table.seconds or 0, "s").text}
        return self.say(frame, slots, [Where(table.id)])

    def missing(self) -> Cited | None:
        """Say that a cell does not apply."""
        found = [
            Where(table.id, row, column.name)
            for table, row, cells in self.rows()
            for column, cell in zip(table.columns, cells, strict=True)
            if column.numeric and cell is None
        ]
        return self.about("missing", self.rng.choice(found)) if found else None

    def rows(self) -> list[tuple[Table, int, tuple[object, ...]]]:
        """Return the rows that a model sees and that are about somebody."""
        return [
            (table, row, cells)
            for table in self.ledger.tables
            for row, cells in enumerate(table.rows[: table.shown], 1)
            if clean(table.whose(row))
        ]

    def about(self, frame: str, where: Where, said: str = "") -> Cited | None:
        """Say something of a cell in words, whatever is in it."""
        whose = clean(self.ledger.by_id[where.table].whose(where.row), 60)
        tag = f" [{where.table}.{where.row}.{where.column}]"
        return self.say(frame, {"A": whose, "x": said, "t": tag}, [where])

    def texts(self) -> list[tuple[Where, str]]:
        """Return the cells that say something of their row in words."""
        return [
            (Where(table.id, row, column.name), clean(cell))
            for table, row, cells in self.rows()
            for column, cell in zip(table.columns, cells, strict=True)
            if column.name != table.owner and isinstance(cell, str)
        ]

    def text(self) -> Cited | None:
        """Say what a row says in words."""
        found = self.texts()
        return self.about("text", *self.rng.choice(found)) if found else None

    def tie(self) -> Cited | None:
        """Say that two have the same."""
        cells = self.ledger.cells
        found = [
            (one, two)
            for one in cells
            for two in cells
            if (one.table.id, one.column, one.value) == (two.table.id, two.column, two.value)
            and one.row < two.row
            and one.owner != two.owner
        ]
        if not found:
            return None
        one, two = self.rng.choice(found)
        numeral = self.scribe.exact(one.value, one.unit)
        slots = {"B": two.owner, "tt": both(one, two)}
        return self.claim(one, numeral, slots, about=[one, two], frame="tie")

    def table(self) -> Cited | None:
        """Write a Markdown table with a tag in each cell."""
        if (first := self.pick()) is None:
            return None
        return self.grid([(p, p.value, self.tag(p)) for p in self.beside(first)[:3]], needled=3)

    def grid(self, rows: Rows, heading: str = "", needled: int = 1) -> Cited:
        """Return a table of rows with these numbers and tags; the first ones are the needle."""
        told = [(p, self.scribe.exact(value, p.unit).text, tag) for p, value, tag in rows]
        head = "| {} | {} |\n|---|---|\n".format(*self.phrases.table)
        lines = [f"| {pick.owner} | {text}{tag} |" for pick, text, tag in told]
        needle = " ".join(f"{pick.owner} {text}" for pick, text, _ in told[:needled])
        where = tuple(pick.where for pick, *_ in rows)
        text = heading + head + "\n".join(lines)
        return Cited("truth", text, needle, "table", self.language, where, block=True)

    def beside(self, pick: Pick) -> list[Pick]:
        """Return the cells of a cell's column, itself among them."""
        cells = self.ledger.cells
        return [p for p in cells if p.table is pick.table and p.column == pick.column]

    def view(self) -> Cited | None:
        """State a judgement or advice without anything to check."""
        pick = self.pick()
        advised = pick and self.rng.random() < 0.4 and not ID.search(pick.owner)
        frame = "advice" if advised else "view"
        return self.say(frame, {"A": pick.owner if pick else ""})


def filled(template: str, slots: Mapping[str, str]) -> tuple[str, str]:
    """Fill a template; also return its words up to the last tag, without any tags."""
    parts = list(Formatter().parse(template))
    last = max((i for i, part in enumerate(parts) if part[1] in TAG_SLOTS), default=len(parts))
    needle = "".join(
        text + (slots[name] if name and name not in TAG_SLOTS else "")
        for text, name, *_ in parts[: last + 1]
    )
    return template.format(**slots), needle


def over(one: Pick, two: Pick, sign: str) -> str:
    """Return a formula's tag for two cells of one column, which is named once."""
    return f" [{one.table.id}.{one.row}{sign}{two.table.id}.{two.row}.{one.column}]"


def both(one: Pick, two: Pick) -> str:
    """Return one tag of two rows."""
    return f" [{one.row_tag[1:-1]}, {two.row_tag[1:-1]}]"


FAMILIES: Mapping[str, Callable[[Truths], Cited | None]] = {
    "single": Truths.single,
    "in_words": Truths.in_words,
    "pair": Truths.pair_of,
    "order": Truths.order,
    "ratio": Truths.ratio,
    "times": Truths.times,
    "difference": Truths.difference,
    "share": Truths.share,
    **{frame: partial(Truths.aggregate, frame=frame) for frame in AGGREGATES},
    "count": Truths.count,
    "top": partial(Truths.superlative, frame="top"),
    "bottom": partial(Truths.superlative, frame="bottom"),
    "zero": Truths.zero,
    "nobody": Truths.nobody,
    "everyone": Truths.everyone,
    "table facts": Truths.table_facts,
    "missing": Truths.missing,
    "text": Truths.text,
    "tie": Truths.tie,
    "table": Truths.table,
    "view": Truths.view,
}
"""Families of true sentences, by name."""
