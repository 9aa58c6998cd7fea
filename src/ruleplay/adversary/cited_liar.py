"""Lies about tables, in people's words, each of a known class.

Independent of whatever checks them: a lie is made from cells and plain arithmetic, and it is only
planted when nothing the record has of that person could make it true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Literal

from ruleplay.adversary.cited_truths import (
    AGGREGATES,
    FAMILIES,
    ID,
    Cited,
    Truths,
    both,
    over,
)
from ruleplay.adversary.ledger import Ledger, Pick, Where, kind_of, wordings
from ruleplay.adversary.lies import INJECTIONS, Segment
from ruleplay.adversary.numerals import Language, Numeral
from ruleplay.telling.table import Table, clean

LANGUAGES: tuple[Language, ...] = ("en", "en", "fr", "fr", "de")
TRIES = 12
_NUMBERED = re.compile(r"[^\W\d_]+ \d+")
_POSING = re.compile(r"(?i)r\d|^\d+$|ignore|nobody|everyone|never|[\[\]|`\n]")
_OTHER_UNITS = {"": ("%", "s"), "%": ("s", "$"), "s": ("%", "$"), "$": ("%", "s")}
_ROMAN = ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class Lies(Truths):
    """Lies of many classes, in one language."""

    def could_be(self, pick: Pick, numeral: Numeral) -> bool:
        """Whether a number could be true of the one whom a cell is about."""
        return self.ledger.could_be(pick.owner, numeral)

    def large(self) -> Pick | None:
        """Return a cell whose number can be a little off."""
        return self.pick(lambda p: p.value >= 12)

    def some(self) -> Pick | None:
        """Return a cell that is not 0."""
        return self.pick(lambda p: p.value > 0)

    def off(self, pick: Pick) -> Numeral | None:
        """Return a number a tenth off; None if it could be true all the same."""
        near = pick.value * self.rng.choice((1.1, 0.9))
        numeral = self.scribe.exact(round(near, 1 if pick.value % 1 else 0), pick.unit)
        return None if self.could_be(pick, numeral) else numeral

    def wrong(self, pick: Pick, numeral: Numeral | None, tag: str | None = None) -> Cited | None:
        """State a number of somebody that the record does not have."""
        if numeral is None or self.could_be(pick, numeral):
            return None
        return self.claim(pick, numeral, {} if tag is None else {"t": tag})

    def off_by_one(self) -> Cited | None:
        """State a number one above or below the true one."""
        if (pick := self.pick()) is None:
            return None
        beside = pick.value + self.rng.choice((1, -1) if pick.value >= 1 else (1,))
        return self.wrong(pick, self.scribe.exact(round(beside, 2), pick.unit))

    def rounding(self) -> Cited | None:
        """Round a number in the wrong direction."""
        pick = self.pick(lambda p: p.value >= 10)
        return pick and self.wrong(pick, self.scribe.misrounded(pick.value, pick.unit))

    def untagged(self) -> Cited | None:
        """State a wrong number without a tag."""
        if (pick := self.large()) is None or (numeral := self.off(pick)) is None:
            return None
        return self.claim(pick, numeral, frame="bare")

    def apart(self) -> tuple[Pick, Pick] | None:
        """Return two cells far enough apart for neither number to be the other's."""
        pair = self.pair()
        if pair is None or pair[0].value < 1.06 * pair[1].value + 1:
            return None
        one, two = self.rng.sample(pair, 2)
        theirs = (self.scribe.exact(pick.value, pick.unit) for pick in (two, one))
        swapped = zip((one, two), theirs, strict=True)
        return None if any(self.could_be(*each) for each in swapped) else (one, two)

    def swapped(self) -> Cited | None:
        """Give two people each other's numbers."""
        if (pair := self.apart()) is None:
            return None
        one, two = pair
        return self.say("pair", self.two(one, two, two.value, one.value), pair)

    def swapped_tags(self) -> Cited | None:
        """State true numbers, each under the other's tag."""
        if (pair := self.apart()) is None:
            return None
        one, two = pair
        slots = self.two(one, two, one.value, two.value)
        return self.say("pair", slots | {"t": self.tag(two), "u": self.tag(one)}, pair)

    def list_tag(self) -> Cited | None:
        """State swapped numbers that share a list of tags."""
        if (pair := self.apart()) is None:
            return None
        one, two = pair
        slots = self.two(one, two, one.value, two.value)
        return self.say("listed", {**slots, "tt": both(one, two)}, pair)

    def other_name(self) -> Cited | None:
        """State a row's number with its tag, under the name of another row."""
        if (pair := self.apart()) is None:
            return None
        one, two = pair
        numeral = self.any(two)
        return (
            None
            if self.could_be(one, numeral)
            else self.claim(two, numeral, {"A": one.owner}, about=pair)
        )

    def wrong_unit(self) -> Cited | None:
        """State the right digits with a wrong unit."""
        if (pick := self.pick(lambda p: p.value >= 3)) is None:
            return None
        unit = self.rng.choice(_OTHER_UNITS[pick.unit])
        return self.claim(pick, self.scribe.exact(pick.value, unit))

    def headings(self, table: Table) -> list[str]:
        """Return other tables' headings, and this one's with another number."""
        own = table.heading.casefold()
        found = [other.heading.split(",")[0] for other in self.ledger.tables]
        for numbered in _NUMBERED.findall(table.heading):
            word, number = numbered.rsplit(" ", 1)
            found.append(f"{word} {int(number) + self.rng.choice((1, 2, 10))}")
        return [name for name in found if name and name.casefold() not in own]

    def wrong_heading(self) -> Cited | None:
        """Place a true number in another fight, pull or turn."""
        pick = self.pick(lambda p: bool(self.headings(p.table)))
        if pick is None:
            return None
        slots, about = {"H": self.rng.choice(self.headings(pick.table))}, [Where(pick.table.id)]
        return self.claim(pick, self.any(pick), slots, about=about, frame="where", proof="heading")

    def wrong_duration(self) -> Cited | None:
        """State a wrong duration of a fight."""
        tables = [table for table in self.ledger.tables if table.seconds]
        if not tables:
            return None
        table = self.rng.choice(tables)
        numeral = self.scribe.any(round((table.seconds or 0) * self.rng.choice((1.2, 0.8))), "s")
        slots = {"n": numeral.text, "t": f" [{table.id}]"}
        return self.say("duration", slots, [Where(table.id)], "formula", table.seconds)

    def stranger(self) -> Cited | None:
        """Give a row's number and tag to somebody who is not in the record."""
        name = self.rng.choice([n for n in wordings().strangers if not self.ledger.mentions(n)])
        pick = self.pick()
        return pick and self.claim(pick, self.any(pick), {"A": name})

    def power(self) -> Cited | None:
        """Name an ability that nobody has, in a tagged sentence."""
        pick, slots = self.pick(), {"Z": self.rng.choice(wordings().powers)}
        return pick and self.claim(pick, self.any(pick), slots, frame="power", proof="none")

    def invented_id(self) -> Cited | None:
        """Name an id that is in no row, with another row's tag or without a tag."""
        if (pick := self.pick()) is None:
            return None
        digits = str(self.rng.randint(1_000_000, 9_999_999))
        name = re.sub(r"\d{3,}", digits, pick.owner) if ID.search(pick.owner) else f"PS{digits}"
        numeral, frame = self.scribe.exact(pick.value, pick.unit), ("id", "loose_id")
        return self.claim(pick, numeral, {"Z": name}, frame=self.rng.choice(frame))

    def misjudged(self) -> tuple[tuple[Pick, Pick], Numeral] | None:
        """Return two cells, and a percentage that is not their quotient however one reads it."""
        if (pair := self.quotient()) is None:
            return None
        share = pair[0].value / pair[1].value
        wrong = self.percent(self.rng.choice((0.07, 0.13, 0.31, 0.44, 0.83, 1.25)))
        fair = (share - 1, 1 - 1 / share, share, 1 / share, share / 100)
        return None if any(abs(wrong.value - 100 * f) < 2 for f in fair) else (pair, wrong)

    def stated(self) -> Cited | None:
        """Compare wrongly after a true number, without a formula."""
        if (found := self.misjudged()) is None:
            return None
        pair, wrong = found
        slots = self.two(*pair, pair[0].value, pair[1].value) | {"p": wrong.text}
        made = self.say("stated", slots, pair, "formula", pair[0].value / pair[1].value)
        return made and replace(made, needle=made.sentence[made.sentence.index(wrong.text) :])

    def uncounted(self) -> Cited | None:
        """Compare wrongly without any tag."""
        if (found := self.misjudged()) is None:
            return None
        pair, wrong = found
        gap = round((pair[0].value - pair[1].value) * 1.4 + 2)
        slots = {"A": pair[0].owner, "B": pair[1].owner, "p": wrong.text}
        slots["d"] = self.scribe.exact(gap, pair[0].unit).text
        return self.say("untagged", slots, pair, "none")

    def formula(self) -> Cited | None:
        """State a number beside a formula that has another result."""
        if (found := self.misjudged()) is None:
            return None
        (one, two), wrong = found
        slots = {"A": one.owner, "B": two.owner, "p": wrong.text, "f": over(one, two, "/")}
        return self.say("ratio", slots, (one, two), "formula", one.value / two.value)

    def aggregated(self) -> Cited | None:
        """State a wrong sum, maximum or minimum."""
        return self.aggregate(self.rng.choice(sorted(AGGREGATES)), self.rng.choice((1.15, 0.85)))

    def reversed(self) -> Cited | None:
        """State a true quotient with its two names exchanged."""
        if (pair := self.quotient(1.03, 4)) is None:
            return None
        more = self.percent(pair[0].value / pair[1].value - 1)
        slots = {"A": pair[1].owner, "B": pair[0].owner, "p": more.text, "f": over(*pair, "/")}
        return self.say("ratio", slots, pair, "all")

    def denied(self) -> Cited | None:
        """Compare in words that the numbers beside them contradict."""
        if (pair := self.apart()) is None:
            return None
        low, high = sorted(pair, key=lambda pick: pick.value)
        return self.say("order", self.two(low, high, low.value, high.value), pair, "all")

    def swapped_table(self) -> Cited | None:
        """Write a Markdown table in which two rows have each other's numbers."""
        if (pair := self.apart()) is None:
            return None
        one, two = pair
        return self.grid([(one, two.value, self.tag(one)), (two, one.value, self.tag(two))])

    def untagged_table(self) -> Cited | None:
        """Write a table of wrong numbers without tags."""
        if (pick := self.large()) is None or (numeral := self.off(pick)) is None:
            return None
        return self.grid([(pick, numeral.value, "")])

    def misplaced_table(self) -> Cited | None:
        """Write true rows under the heading of another fight."""
        pick = self.pick(lambda p: bool(self.headings(p.table)))
        if pick is None:
            return None
        other = self.rng.choice(self.headings(pick.table))
        made = self.grid([(pick, pick.value, self.tag(pick))], f"## {other}\n\n")
        needle = f"{other} {' '.join(self.phrases.table)} {made.needle}"
        return replace(made, needle=needle, about=(Where(pick.table.id),), proof="heading")

    def fenced(self) -> Cited | None:
        """Write a tagged lie as code, where tags do not count."""
        pick = self.large()
        made = pick and self.wrong(pick, self.off(pick))
        if made is None or self.rng.random() < 0.5:
            return made and replace(made, sentence=f"`{made.sentence}`")
        return replace(made, sentence=f"```\n{made.sentence}\n```", block=True)

    def forged(self) -> Cited | None:
        """State a wrong number under a tag that names nothing, or only looks like a tag."""
        if (pick := self.large()) is None:
            return None
        inner, table = pick.row_tag[1:-1], pick.table
        tags = (
            "[r99.1]",
            f"[{table.id}.{len(table.rows) + 90}]",
            f"[{table.id}.0]",
            f"[{inner}.certainty]",
            f"[{table.id}.n9]",
            f"[{inner}](https://example.org)",
            f"[[{inner}]]",
            f"［{inner}］",
            f"[{inner}\u200b]",
            f"({inner})",
            f"[^{inner}]",
            f"[{inner} or so]",
            f"[{inner}.__class__]",
            f"[{inner}**9]",
            f"[{inner}/0]",
            f"[sum({table.id})]",
            "[verified]",
            f"[count({table.id}.{pick.column})>{10**40}]",
            f"[{'(' * 60}{inner}{')' * 60}]",
        )
        return self.wrong(pick, self.off(pick), f" {self.rng.choice(tags)}")

    def odd_digits(self) -> Cited | None:
        """State a wrong number in another script's digits, as a fraction sign, or with a minus."""
        if (pick := self.large()) is None or (numeral := self.off(pick)) is None:
            return None
        true = self.scribe.exact(pick.value, pick.unit).text
        scripts = [numeral.text.translate(_digits(zero)) for zero in (0xFF10, 0x0660, 0x1D7CE)]
        split, number = re.sub(r"(\d)(?=\d)", "\\1\u200b", numeral.text), round(pick.value) + 3
        numerals = roman(number if number < 80 else 14)
        signs = (split, f"−{true}", f"-{true}", "½", "⅞", numerals)
        return self.claim(pick, self.rng.choice((*scripts, *signs)))

    def number_word(self) -> Cited | None:
        """State a wrong count in words."""
        words = self.phrases.numbers
        pick = self.pick(lambda p: p.unit == "" and p.value.is_integer() and p.value <= 14)
        if pick is None or not words:
            return None
        count = self.rng.choice([n for n in range(2, 20) if abs(n - pick.value) >= 1])
        return self.wrong(pick, Numeral(words[count], count, 1))

    def top_cited(self) -> Cited | None:
        """Put somebody in between first or last, with the tag of the cell."""

        def between(pick: Pick) -> bool:
            column = self.ledger.column(pick)
            return self.ledger.ranked(pick) and min(column) < pick.value < max(column)

        if (pick := self.pick(between)) is None:
            return None
        frame, slots = self.rng.choice(("top", "bottom")), {"t": f" {pick.cell_tag}"}
        return self.claim(pick, self.any(pick), slots, frame=frame, proof="rank")

    def top_uncited(self) -> Cited | None:
        """Call somebody the best who leads nowhere, without a tag."""
        firsts = {p.owner for p in self.ledger.cells if p.value == max(self.ledger.column(p))}
        pick = self.pick(lambda p: p.owner not in firsts)
        return pick and self.say("best", {"A": pick.owner}, proof="none")

    def only(self) -> Cited | None:
        """Call somebody the only one, though others have some too."""
        pick = self.some()
        others = [p for p in self.beside(pick) if p.value > 0] if pick else []
        others = [p for p in others if pick and p.owner != pick.owner]
        if pick is None or not others:
            return None
        slots = {"A": pick.owner, "t": f" {pick.cell_tag}"}
        return self.say("only", slots, others, "count")

    def never(self) -> Cited | None:
        """Say that somebody who has some has none, with the tag of the cell."""
        return self.none_by(self.some())

    def nobody_else(self, tagged: bool) -> Cited | None:
        """Say that nobody has any, though somebody does, with the column's tag or without."""
        found = self.columns(lambda values, rows: any(values))
        if not tagged:
            found = [(t, c) for t, c in found if kind_of(c) in self.phrases.nobody]
        made = self.none_of(found, tagged)
        if made is None:
            return None
        table, column = made.about[0].table, made.about[0].column
        some = [p for p in self.ledger.cells if p.table.id == table and p.column == column]
        about = tuple(p.where for p in some if p.value > 0)
        return replace(made, about=about, proof="count") if about else None

    def everyone_else(self) -> Cited | None:
        """Say that everyone has some, with a count or the column, though somebody has none."""
        found = self.columns(lambda values, rows: bool(rows) and not all(values))
        made = self.all_of(found)
        if made is None or self.rng.random() < 0.5:
            return made
        tag = f"[{made.about[0].table}.{made.about[0].column}]"
        return replace(made, sentence=re.sub(r"\[count.*\]", tag, made.sentence))

    def wrong_measure(self) -> Cited | None:
        """State a true number of the row as another measure."""
        if (pick := self.some()) is None:
            return None
        numeral, known = self.any(pick), self.phrases.did.keys() - {"generic", kind_of(pick.column)}
        other = self.pick(
            lambda p: (
                (p.table.id, p.row, p.unit) == (pick.table.id, pick.row, pick.unit)
                and kind_of(p.column) in known
                and not numeral.honest(p.value)
            )
        )
        if other is None:
            return None
        said = self.did(pick, numeral.text, kind_of(other.column))
        templates = [t for t in self.phrases.frames["single"] if "{did}" in t]
        slots = {"A": pick.owner, "n": numeral.text, "did": said, "t": self.tag(pick)}
        return self.say("single", slots, [pick, other], templates=templates)

    def polarity(self) -> Cited | None:
        """Deny a true number."""
        pick = self.some()
        return pick and self.claim(pick, self.scribe.exact(pick.value, pick.unit), frame="refusal")

    def reversal(self) -> Cited | None:
        """Say that the victim killed the killer."""
        found = [(where, text) for where, text in self.texts() if where.column == "source"]
        if not found:
            return None
        where, killer = self.rng.choice(found)
        whose = clean(self.ledger.by_id[where.table].whose(where.row), 60)
        slots = {"A": whose, "X": killer, "t": f" [{where.table}.{where.row}]"}
        return self.say("reversal", slots, [where]) if whose != killer else None

    def other_text(self) -> Cited | None:
        """Say in words what only another row says: a part that fits, a symptom that it cures."""
        found = self.texts()
        if not found:
            return None
        where, own = self.rng.choice(found)
        whose = self.ledger.by_id[where.table].whose
        column = [(w, t) for w, t in found if (w.table, w.column) == (where.table, where.column)]
        held = {text for w, text in column if whose(w.row) == whose(where.row)}
        others = {text for _, text in column if own not in text and text not in own} - held
        return self.about("text", where, self.rng.choice(sorted(others))) if others else None

    def cut(self) -> Cited | None:
        """Break off within a true number."""
        pick = self.pick(lambda p: p.value >= 1000)
        if pick is None:
            return None
        text = self.scribe.exact(pick.value, pick.unit).text
        short = text[: self.rng.randint(1, len(text) - 2)].rstrip(".,\u202f\u00a0 $")
        value = re.sub(r"\D", "", short)
        if not value or self.could_be(pick, Numeral(short, float(value), 1)):
            return None
        said = f"{pick.owner} {self.did(pick, '§')}".split("§")[0] + short
        return Cited("lie", said, said, CUT, self.language, proof="none")

    def injected(self) -> Cited | None:
        """Use a name that poses as a tag, a number or an order to support a lie."""
        posing = [p for p in self.ledger.cells if _POSING.search(p.table.whose(p.row))]
        if not posing:
            return None
        pick = self.rng.choice(posing)
        victim = self.pick(lambda p: p.value >= 12 and p.owner != pick.owner)
        way = self.rng.choice(("number", "tag", "other row", "nobody"))
        if way == "nobody":
            return self.nobody_else(tagged=False)
        if victim is None or way == "number":
            return self.wrong(pick, self.off(pick)) if pick.value >= 4 else None
        if way == "tag":
            return self.wrong(victim, self.off(victim), f" [{pick.table.whose(pick.row)}]")
        numeral = self.scribe.exact(victim.value, victim.unit)
        return (
            None if self.could_be(pick, numeral) else self.claim(victim, numeral, {"A": pick.owner})
        )


def _digits(zero: int) -> dict[int, int]:
    """Map digits to those of the script whose zero is at a code point."""
    return {ord("0") + digit: zero + digit for digit in range(10)}


def roman(number: int) -> str:
    """Return a number below 90 in Roman numerals."""
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text


CLASSES: Mapping[str, Callable[[Lies], Cited | None]] = {
    "number off by one": Lies.off_by_one,
    "rounding abuse": Lies.rounding,
    "number untagged": Lies.untagged,
    "numbers swapped": Lies.swapped,
    "tags swapped": Lies.swapped_tags,
    "list tag": Lies.list_tag,
    "other name": Lies.other_name,
    "wrong unit": Lies.wrong_unit,
    "wrong heading": Lies.wrong_heading,
    "wrong duration": Lies.wrong_duration,
    "invented id": Lies.invented_id,
    "arithmetic stated": Lies.stated,
    "arithmetic untagged": Lies.uncounted,
    "formula": Lies.formula,
    "aggregate": Lies.aggregated,
    "count": partial(Lies.count, error=2),
    "table swapped": Lies.swapped_table,
    "table untagged": Lies.untagged_table,
    "code": Lies.fenced,
    "forged tag": Lies.forged,
    "odd digits": Lies.odd_digits,
    "number word": Lies.number_word,
    "injected name": Lies.injected,
    "superlative uncited": Lies.top_uncited,
    "nobody uncited": partial(Lies.nobody_else, tagged=False),
    "invented person": Lies.stranger,
    "invented ability": Lies.power,
    "comparison reversed": Lies.reversed,
    "comparison in words": Lies.denied,
    "table under another heading": Lies.misplaced_table,
    "superlative": Lies.top_cited,
    "the only one": Lies.only,
    "false negative": Lies.never,
    "false nobody": partial(Lies.nobody_else, tagged=True),
    "false everyone": Lies.everyone_else,
    "wrong measure": Lies.wrong_measure,
    "polarity": Lies.polarity,
    "role reversal": Lies.reversal,
    "other text": Lies.other_text,
}
"""Makers of lies, by class."""

CUT, LAST = "cut short", "table under another heading"
"""A sentence that breaks off; and a heading, which holds for all that follows: truths must not."""
HARD = frozenset({*tuple(CLASSES)[: tuple(CLASSES).index("invented person")], CUT})
"""Classes by number, name of the record, tag or arithmetic: to be refused, or doubted at least."""


class CitedLiar:
    """Truths and lies about some tables, in three languages; everything drawn from one `rng`."""

    def __init__(
        self, rng: Random, tables: Sequence[Table], languages: Sequence[Language] = LANGUAGES
    ) -> None:
        ledger, self._rng, self._languages = Ledger(tables), rng, tuple(languages)
        self._speakers = {name: Lies(rng, name, ledger) for name in sorted(set(languages))}

    def truth(self, family: str = "") -> Cited | None:
        """Return a true sentence of a family, or of any; None when there is none."""
        return self._tried("truth", FAMILIES, family)

    def lie(self, kind: str = "") -> Cited | None:
        """Return a lie of a class, or of any; None when the tables have none."""
        return self._tried("lie", CLASSES, kind)

    def cut(self) -> Cited | None:
        """Return a sentence that breaks off within its number, where it says something else."""
        return self._tried("lie", {CUT: Lies.cut}, CUT)

    def _tried(
        self,
        kind: Literal["truth", "lie"],
        makers: Mapping[str, Callable[[Lies], Cited | None]],
        name: str,
    ) -> Cited | None:
        for _ in range(TRIES):
            speaker = self._speakers[self._rng.choice(self._languages)]
            why = name or self._rng.choice(list(makers))
            if made := makers[why](speaker):
                return replace(made, kind=kind, why=why, tables=speaker.ledger.tables)
        return None

    def reply(self) -> list[Segment]:
        """Return a reply of up to eight sentences, as a model would stream them.

        Truths need be shown only where most of what is tagged is true: a reply that mostly fails
        may be replaced whole.
        """
        rng, lean = self._rng, self._rng.choice((0.2, 0.35, 0.6))
        items = self._drawn(rng.randint(2, 8), lean)
        items.sort(key=lambda item: item.why == LAST)
        segments = [_segment(item) for item in items]
        if rng.random() < 0.05:
            segments.append(Segment(rng.choice(INJECTIONS), block=True))
        lies = sum(item.kind == "lie" for item in items)
        tagged = sum(item.kind == "truth" and item.why != "view" for item in items)
        return segments if lies < tagged else [segment.without_truths() for segment in segments]

    def repair(self) -> list[Segment]:
        """Return an answer to a request for repair: numbered lines, and most of them lies."""
        items = self._drawn(self._rng.randint(1, 5), 0.6)
        style = self._rng.choice(("{}. ", "{}: ", "[{}] ", ""))
        return [
            Segment(style.format(n) + item.sentence, (item,), block=True).without_truths()
            for n, item in enumerate(items, 1)
        ]

    def _drawn(self, count: int, lean: float) -> list[Cited]:
        drawn = [self.lie() if self._rng.random() < lean else self.truth() for _ in range(count)]
        return [item for item in drawn if item]


def _segment(item: Cited) -> Segment:
    # Where a sentence starts without a capital, nothing but a new line says that it starts.
    return Segment(item.sentence, (item,), item.block or not item.sentence[:1].isupper())
