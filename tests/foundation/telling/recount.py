"""Recounting what tagged sentences say, from the tables alone: the check on those who write them.

Plain and slow on purpose, with no code of whoever writes or checks such sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleplay.telling.table import Table, clean

TAG = re.compile(r"\[([^\]]*\br\d[^\]]*)\]")
BLANKS = " \u00a0\u202f"
WRITTEN = {
    "en": (r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", ",", "."),
    "fr": (rf"\d{{1,3}}(?:[{BLANKS}]\d{{3}})+(?:,\d+)?|\d+(?:,\d+)?", BLANKS, ","),
    "de": (r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?", ".", ","),
}
SCALES = {"k": 1_000, "M": 1_000_000, "min": 60}
ATOM = re.compile(r"(sum|max|min)\((r\d+)\.(\w+)\)|(r\d+)\.(\d+)(?:\.(\w+))?")
COUNT = re.compile(r"count\((r\d+)\.(\w+)([<>])([\d.]+)\)")


@dataclass(frozen=True)
class Read:
    """A number as it was read, and how far off the exact value may be."""

    value: float
    slack: float

    def fits(self, value: float) -> bool:
        off = abs(self.value - value)
        return off <= self.slack * 1.000001 and off <= 0.05 * abs(value)


def nameless(text: str, tables: Sequence[Table]) -> str:
    """Drop the names of the record, for the digits in them."""
    names = {
        clean(str(row[place]), 60)
        for table in tables
        for place, column in enumerate(table.columns)
        if column.unit == "name" or column.name == table.owner
        for row in table.rows
    }
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "*", text)
    return text


def reads(text: str, language: str) -> list[Read]:
    """Return the numbers of a text."""
    pattern, groups, point = WRITTEN[language]
    found = []
    for clock in re.findall(r"\b(\d+):(\d\d)\b", text):
        found.append(Read(int(clock[0]) * 60 + int(clock[1]), 0.5))
    text = re.sub(r"\b\d+:\d\d\b", " ", text)
    unit = rf"(?:[{BLANKS}]?(k|M|min)\b)?"
    for whole, scale in re.findall(rf"(?<![\w.])({pattern}){unit}", text):
        plain = re.sub(f"[{re.escape(groups)}]", "", whole).replace(point, ".")
        digits = len(plain.split(".")[1]) if "." in plain else 0
        factor = SCALES.get(scale, 1)
        found.append(Read(float(plain) * factor, factor * 0.5 / 10**digits))
    return found


def segments(text: str) -> Iterator[tuple[str, str]]:
    """Yield each text before a tag, with the tag's inside."""
    start = 0
    for tag in TAG.finditer(text):
        yield text[start : tag.start()], tag[1]
        start = tag.end()


def result(tag: str, tables: Mapping[str, Table]) -> float | None:
    """Return what a formula comes to; None where the tag is none."""
    if counted := COUNT.fullmatch(tag):
        bound = float(counted[4])
        values = [v for v in tables[counted[1]].column(counted[2]) if isinstance(v, int | float)]
        above = counted[3] == ">"
        return float(sum(value > bound if above else value < bound for value in values))
    if not re.search(r"[-+*/(]", tag):
        return None
    column = next((atom[6] for atom in ATOM.finditer(tag) if atom[6]), "")

    def value(atom: re.Match[str]) -> str:
        if atom[1]:
            cells = [v for v in tables[atom[2]].column(atom[3]) if isinstance(v, int | float)]
            return repr({"sum": sum, "max": max, "min": min}[atom[1]](cells))
        table = tables[atom[4]]
        place = table.place(atom[6] or column)
        assert place is not None, tag
        return repr(table.rows[int(atom[5]) - 1][place])

    arithmetic = ATOM.sub(value, tag)
    assert re.fullmatch(r"[\d.e+\-*/() ]+", arithmetic), arithmetic
    return float(eval(arithmetic))  # only digits and signs are left


def cells(tag: str, tables: Mapping[str, Table]) -> list[float]:
    """Return the numbers of the rows a plain tag names, and of what holds for them."""
    found: list[float] = []
    for name in re.split(r"\s*,\s*", tag):
        table = tables[name.split(".")[0]]
        row = re.fullmatch(r"r\d+\.(\d+)(?:\.\w+)?", name)
        found += [table.seconds] if table.seconds else []
        if not row:
            found.append(float(len(table.rows)))
        else:
            values = table.rows[int(row[1]) - 1]
            found += [float(v) for v in values if isinstance(v, int | float)]
            packed = re.findall(r"\d[\d,]*", " ".join(v for v in values if isinstance(v, str)))
            found += [float(number.replace(",", "")) for number in packed]
    return found


def formula_fits(read: Read, value: float) -> bool:
    """Tell whether a number says what a formula comes to: itself, its inverse, or in percent."""
    forms = [value, 100 * value]
    if value > 0:
        forms += [1 / value, 100 * (value - 1), 100 * (1 - value), 100 * (1 / value - 1)]
    return any(read.fits(form) for form in forms)


def misfits(text: str, language: str, tables: Sequence[Table]) -> list[str]:
    """Return the segments with a number that their tags do not hold; small counts pass."""
    by_id = {table.id: table for table in tables}
    wrong = []
    for said, tag in segments(text):
        value = result(tag, by_id)
        for read in reads(nameless(said, tables), language):
            if value is None:
                fine = any(read.fits(cell) for cell in cells(tag, by_id))
            else:
                bounds = [float(b) for b in re.findall(r"[<>]([\d.]+)", tag)]
                sizes = [float(len(t.rows)) for t in tables if t.id in tag]
                fine = formula_fits(read, value) or any(read.fits(b) for b in bounds + sizes)
            if not fine:
                wrong.append(f"{read.value:g} in {said!r} [{tag}]")
    return wrong
