"""Lies about tables, in the words of people, each of a known class.

Independent of whatever checks them: a lie is made from cells and plain arithmetic, and it is only
planted when nothing the record has of that person could make it true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from ruleplay.adversary.cited_truths import (
    FAMILIES,
    Cited,
    Proof,
    Truths,
    both,
    filled,
    over,
)
from ruleplay.adversary.ledger import Ledger, Pick, Where, kind_of, wordings
from ruleplay.adversary.numerals import Language, Numeral
from ruleplay.telling.table import Table, clean

LANGUAGES: tuple[Language, ...] = ("en", "en", "fr", "fr", "de")
TRIES = 12
_ID = re.compile(r"\d{3}")
_NUMBERED = re.compile(r"[^\W\d_]+ \d+")
_POSING = re.compile(r"(?i)r\d|^\d+$|ignore|nobody|everyone|never|[\[\]|`\n]")
_OTHER_UNITS = {"": ("%", "s"), "%": ("s", "$"), "s": ("%", "$"), "$": ("%", "s")}
_AGGREGATES: Mapping[str, tuple[str, Callable[[Sequence[float]], float]]] = {
    "sum": ("sum", sum),
    "ceiling": ("max", max),
    "floor": ("min", min),
}
_ROMAN = ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class Lies(Truths):
    """Lies of many classes, in one language."""

    def lie(self, kind: str) -> Cited | None:
        """Return a lie of a class; None when the tables or the language have none."""
        made = CLASSES[kind](self)
        return made and replace(made, kind="lie", why=kind)

    def false(
        self,
        frame: str,
        slots: Mapping[str, str],
        about: Sequence[Pick | Where] = (),
        proof: Proof = "value",
        result: float | None = None,
    ) -> Cited | None:
        """Return a lie in a frame; its needle ends with the last tag."""
        return self.said(self.phrases.frames.get(frame, ()), slots, about, proof, result)

    def said(
        self,
        templates: Sequence[str],
        slots: Mapping[str, str],
        about: Sequence[Pick | Where] = (),
        proof: Proof = "value",
        result: float | None = None,
    ) -> Cited | None:
        """Return a lie in one of the templates, None without any."""
        if not templates:
            return None
        sentence, needle = filled(self.rng.choice(templates), slots)
        where = tuple(pick.where if isinstance(pick, Pick) else pick for pick in about)
        block = sentence.startswith(("- ", "|"))
        return Cited(
            "lie", sentence, needle, "", self.language, where, proof, result=result, block=block
        )

    def wrong(self, pick: Pick, numeral: Numeral | None, tag: str | None = None) -> Cited | None:
        """Say a number of somebody that is not there."""
        if numeral is None or self.ledger.could_be(pick.owner, numeral):
            return None
        said = {"A": pick.owner, "n": numeral.text, "did": self.did(pick, numeral)}
        return self.false("single", {**said, "t": self.tag(pick) if tag is None else tag}, [pick])

    def off(self, pick: Pick) -> Numeral:
        """Return a number that is a little, or a tenth, beside the truth."""
        near = self.rng.choice((1.1, 0.9))
        value = pick.value * near if pick.value >= 12 else pick.value + self.rng.choice((1, 2))
        return self.scribe.exact(round(value, 1 if pick.value % 1 else 0), pick.unit)

    def off_by_one(self) -> Cited | None:
        """Tell a number next to the true one."""
        if (pick := self.pick()) is None:
            return None
        beside = pick.value + self.rng.choice((1, -1) if pick.value >= 1 else (1,))
        return self.wrong(pick, self.scribe.exact(round(beside, 2), pick.unit))

    def ten_percent(self) -> Cited | None:
        """Tell a number a tenth above or below."""
        pick = self.pick(lambda p: p.value >= 12)
        return None if pick is None else self.wrong(pick, self.off(pick))

    def rounding(self) -> Cited | None:
        """Tell a rounding to the wrong side."""
        pick = self.pick(lambda p: p.value >= 10)
        return (
            None
            if pick is None
            else self.wrong(pick, self.scribe.misrounded(pick.value, pick.unit))
        )

    def untagged(self) -> Cited | None:
        """Tell a wrong number without a tag."""
        if (pick := self.pick(lambda p: p.value >= 4)) is None:
            return None
        numeral = self.off(pick)
        if self.ledger.could_be(pick.owner, numeral):
            return None
        slots = {"A": pick.owner, "n": numeral.text, "did": self.did(pick, numeral)}
        return self.false("bare", slots)

    def lies_pair(self, apart: float = 1.06) -> tuple[Pick, Pick] | None:
        """Return two cells far enough apart for neither number to be the other's."""
        pair = self.pair()
        if pair is None or pair[0].value < apart * pair[1].value + 1:
            return None
        one, two = self.rng.sample(pair, 2)
        theirs = self.scribe.exact(two.value, two.unit), self.scribe.exact(one.value, one.unit)
        swapped = zip((one, two), theirs, strict=True)
        if any(self.ledger.could_be(pick.owner, numeral) for pick, numeral in swapped):
            return None
        return one, two

    def swapped(self) -> Cited | None:
        """Two people with each other's numbers."""
        if (pair := self.lies_pair()) is None:
            return None
        one, two = pair
        return self.false("pair", self.two(one, two, two.value, one.value), pair)

    def swapped_tags(self) -> Cited | None:
        """Tell true numbers, each under the other's tag."""
        if (pair := self.lies_pair()) is None:
            return None
        one, two = pair
        slots = self.two(one, two, one.value, two.value)
        slots |= {"t": self.tag(two), "u": self.tag(one)}
        return self.false("pair", slots, pair)

    def list_tag(self) -> Cited | None:
        """Tell swapped numbers that share a list of tags."""
        if (pair := self.lies_pair()) is None:
            return None
        one, two = pair
        slots = self.two(one, two, one.value, two.value)
        return self.false("listed", {**slots, "tt": both(one, two)}, pair)

    def wrong_row(self) -> Cited | None:
        """Tell the number of another row, with the tag of the person named."""
        if (pair := self.lies_pair()) is None:
            return None
        return self.wrong(pair[0], self.scribe.exact(pair[1].value, pair[1].unit))

    def other_name(self) -> Cited | None:
        """Tell a row's number and tag, under the name of another row."""
        if (pair := self.lies_pair()) is None:
            return None
        one, two = pair
        numeral = self.scribe.any(two.value, two.unit)
        if self.ledger.could_be(one.owner, numeral):
            return None
        slots = {"A": one.owner, "n": numeral.text, "did": self.did(two, numeral)}
        return self.false("single", {**slots, "t": self.tag(two)}, [two, one])

    def wrong_unit(self) -> Cited | None:
        """Tell the right digits with a unit that makes them something else."""
        if (pick := self.pick(lambda p: p.value >= 3)) is None:
            return None
        unit = self.rng.choice(_OTHER_UNITS[pick.unit])
        text = self.scribe.exact(pick.value, unit).text
        slots = {"A": pick.owner, "n": text, "did": self.did(pick, text), "t": self.tag(pick)}
        return self.false("single", slots, [pick])

    def headings(self, table: Table) -> list[str]:
        """Return what other results are about, and this one's with another number."""
        own = table.heading.casefold()
        found = [other.heading.split(",")[0] for other in self.ledger.tables]
        for numbered in _NUMBERED.findall(table.heading):
            word, number = numbered.rsplit(" ", 1)
            found.append(f"{word} {int(number) + self.rng.choice((1, 2, 10))}")
        return [name for name in found if name and name.casefold() not in own]

    def wrong_heading(self) -> Cited | None:
        """Tell a true number placed in another fight, pull or turn."""
        pick = self.pick(lambda p: bool(self.headings(p.table)))
        if pick is None:
            return None
        numeral, where = self.scribe.any(pick.value, pick.unit), self.headings(pick.table)
        slots = {"A": pick.owner, "n": numeral.text, "did": self.did(pick, numeral)}
        slots |= {"H": self.rng.choice(where), "t": self.tag(pick)}
        return self.false("where", slots, [Where(pick.table.id)], "heading")

    def wrong_duration(self) -> Cited | None:
        """Another length of a fight."""
        tables = [table for table in self.ledger.tables if table.seconds]
        if not tables:
            return None
        table = self.rng.choice(tables)
        numeral = self.scribe.any(round((table.seconds or 0) * self.rng.choice((1.2, 0.8))), "s")
        slots = {"n": numeral.text, "t": f" [{table.id}]"}
        return self.false("duration", slots, [Where(table.id)], "formula", table.seconds)

    def stranger(self) -> Cited | None:
        """Somebody who is not in the record, with a row's number and tag."""
        name = self.rng.choice([n for n in wordings().strangers if not self.ledger.mentions(n)])
        if (pick := self.pick()) is None:
            return None
        numeral = self.scribe.any(pick.value, pick.unit)
        slots = {"A": name, "n": numeral.text, "did": self.did(pick, numeral), "t": self.tag(pick)}
        return self.false("single", slots, [pick])

    def power(self) -> Cited | None:
        """Tell an ability nobody has, in a tagged sentence."""
        if (pick := self.pick()) is None:
            return None
        numeral = self.scribe.any(pick.value, pick.unit)
        slots = {"A": pick.owner, "n": numeral.text, "did": self.did(pick, numeral)}
        slots |= {"Z": self.rng.choice(wordings().powers), "t": self.tag(pick)}
        return self.false("power", slots, [pick], "none")

    def invented_id(self) -> Cited | None:
        """Tell an id that is in no row, with the tag of one that is, or without a tag."""
        if (pick := self.pick()) is None:
            return None
        digits = str(self.rng.randint(1_000_000, 9_999_999))
        name = re.sub(r"\d{3,}", digits, pick.owner) if _ID.search(pick.owner) else f"PS{digits}"
        numeral = self.scribe.exact(pick.value, pick.unit)
        slots = {"Z": name, "did": self.did(pick, numeral), "t": self.tag(pick)}
        return self.false(self.rng.choice(("id", "loose_id")), slots, [pick])

    def misjudged(self, pair: tuple[Pick, Pick]) -> Numeral | None:
        """Return a percentage that is no reading of a pair's quotient."""
        share = pair[0].value / pair[1].value
        wrong = self.percent(self.rng.choice((0.07, 0.13, 0.31, 0.44, 0.83, 1.25)))
        fair = (share - 1, 1 - 1 / share, share, 1 / share)
        return None if any(abs(wrong.value - 100 * f) < 2 for f in fair) else wrong

    def quotient(self) -> tuple[Pick, Pick] | None:
        """Return two cells whose quotient says something."""
        return self.pair(lambda p: p.value > 0 and p.unit != "%")

    def stated(self) -> Cited | None:
        """Tell a wrong comparison after a true number, without a formula."""
        pair = self.quotient()
        if pair is None or (wrong := self.misjudged(pair)) is None:
            return None
        slots = self.two(*pair, pair[0].value, pair[1].value) | {"p": wrong.text}
        made = self.false("stated", slots, pair, "formula", pair[0].value / pair[1].value)
        return made and replace(made, needle=_from(made.sentence, wrong.text))

    def uncounted(self) -> Cited | None:
        """Tell a wrong comparison without any tag."""
        pair = self.quotient()
        if pair is None or (wrong := self.misjudged(pair)) is None:
            return None
        gap = round((pair[0].value - pair[1].value) * 1.4 + 2)
        slots = {"A": pair[0].owner, "B": pair[1].owner, "p": wrong.text}
        slots["d"] = self.scribe.exact(gap, pair[0].unit).text
        return self.false("untagged", slots, pair, "none")

    def formula(self) -> Cited | None:
        """Tell a formula in the tag, and beside it a number that is not its result."""
        pair = self.quotient()
        if pair is None or (wrong := self.misjudged(pair)) is None:
            return None
        slots = {"A": pair[0].owner, "B": pair[1].owner, "p": wrong.text}
        slots["f"] = over(*pair, "/")
        result = pair[0].value / pair[1].value
        return self.false("ratio", slots, pair, "formula", result)

    def aggregated(self) -> Cited | None:
        """Tell a sum, a bound or a count that is another."""
        frame = self.rng.choice(("sum", "ceiling", "floor"))
        name, of = _AGGREGATES[frame]
        made = self.aggregate(frame, name, of, self.rng.choice((1.15, 0.85, 1.4)))
        if made is None:
            return None
        table, column = self.ledger.by_id[made.about[0].table], made.about[0].column
        values = [float(v) for v in table.column(column) if isinstance(v, int | float)]
        truth = of(values)
        if abs((made.result or 0) - truth) < 1:
            return None
        return replace(made, proof="formula", result=truth)

    def miscount(self) -> Cited | None:
        """Tell a count of rows that is another."""
        made = self.count()
        if made is None or made.result is None:
            return None
        formula = re.search(r"\[count.*\]", made.sentence)
        if formula is None:
            return None
        rows = len(self.ledger.by_id[made.about[0].table].rows)
        wrong = int(made.result) + self.rng.choice((2, 3))
        bound = formula[0].rstrip(")]").split(">")[1]
        bound_text = self.scribe.exact(float(bound), "").text
        slots = {"k": str(wrong), "rows": str(rows), "n": bound_text, "f": f" {formula[0]}"}
        if wrong == rows or abs(wrong - float(bound)) < 1:
            return None
        return self.false("count", slots, made.about, "formula", made.result)

    def reversed(self) -> Cited | None:
        """Tell a true quotient with its names turned round."""
        pair = self.quotient()
        if pair is None or not 1.03 < pair[0].value / pair[1].value < 4:
            return None
        more = self.percent(pair[0].value / pair[1].value - 1)
        slots = {"A": pair[1].owner, "B": pair[0].owner, "p": more.text, "f": over(*pair, "/")}
        return self.false("ratio", slots, pair, "all")

    def denied(self) -> Cited | None:
        """Tell a comparison in words that its own numbers deny."""
        if (pair := self.lies_pair()) is None:
            return None
        low, high = sorted(pair, key=lambda pick: pick.value)
        return self.false("order", self.two(low, high, low.value, high.value), pair, "all")

    def swapped_table(self) -> Cited | None:
        """Tell a table in Markdown in which two rows have each other's numbers."""
        if (pair := self.lies_pair()) is None:
            return None
        one, two = pair
        rows = ((one, two.value, self.tag(one)), (two, one.value, self.tag(two)))
        return self.grid(rows, "")

    def grid(
        self, rows: Sequence[tuple[Pick, float, str]], heading: str, needle: str = ""
    ) -> Cited:
        """Return a table of rows with these numbers and tags; the first row is the needle."""
        texts = [self.scribe.exact(value, pick.unit).text for pick, value, _ in rows]
        head = "| {} | {} |\n|---|---|\n".format(*self.phrases.table)
        lines = [
            f"| {pick.owner} | {text}{tag} |"
            for (pick, _, tag), text in zip(rows, texts, strict=True)
        ]
        return Cited(
            "lie",
            heading + head + "\n".join(lines),
            needle or f"{rows[0][0].owner} {texts[0]}",
            "",
            language=self.language,
            about=tuple(pick.where for pick, *_ in rows),
            block=True,
        )

    def untagged_table(self) -> Cited | None:
        """Tell a table of wrong numbers without tags."""
        pick = self.pick(lambda p: p.value >= 12)
        if pick is None or self.ledger.could_be(pick.owner, numeral := self.off(pick)):
            return None
        return self.grid([(pick, numeral.value, "")], "")

    def misplaced_table(self) -> Cited | None:
        """Tell true rows under the heading of another fight."""
        pick = self.pick(lambda p: bool(self.headings(p.table)))
        if pick is None:
            return None
        other = self.rng.choice(self.headings(pick.table))
        made = self.grid([(pick, pick.value, self.tag(pick))], f"## {other}\n\n")
        needle = f"{other} {' '.join(self.phrases.table)} {made.needle}"
        return replace(made, needle=needle, about=(Where(pick.table.id),), proof="heading")

    def fenced(self) -> Cited | None:
        """Tell a tagged lie in code, where tags count for nothing."""
        made = self.ten_percent()
        if made is None:
            return None
        if self.rng.random() < 0.5:
            return replace(made, sentence=f"`{made.sentence}`")
        return replace(made, sentence=f"```\n{made.sentence}\n```", block=True)

    def forged(self) -> Cited | None:
        """Tell a wrong number under a tag that leads nowhere, or looks as if it led somewhere."""
        if (pick := self.pick(lambda p: p.value >= 12)) is None:
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
        numeral = self.off(pick)
        return self.wrong(pick, numeral, f" {self.rng.choice(tags)}")

    def odd_digits(self) -> Cited | None:
        """Tell a wrong number in digits of another script, as a fraction sign, or with a minus."""
        if (pick := self.pick(lambda p: p.value >= 12)) is None:
            return None
        numeral = self.off(pick)
        if self.ledger.could_be(pick.owner, numeral):
            return None
        forms = [
            re.sub(r"\d", lambda d: chr(0xFF10 + int(d[0])), numeral.text),
            re.sub(r"\d", lambda d: chr(0x0660 + int(d[0])), numeral.text),
            re.sub(r"\d", lambda d: chr(0x1D7CE + int(d[0])), numeral.text),
            re.sub(r"(\d)(?=\d)", "\\1\u200b", numeral.text),
            f"−{self.scribe.exact(pick.value, pick.unit).text}",
            f"-{self.scribe.exact(pick.value, pick.unit).text}",
            "½",
            "⅞",
            roman(round(pick.value) + 3 if pick.value < 80 else 14),
        ]
        text = self.rng.choice(forms)
        slots = {"A": pick.owner, "n": text, "did": self.did(pick, text), "t": self.tag(pick)}
        return self.false("single", slots, [pick])

    def number_word(self) -> Cited | None:
        """Tell a count in words that is another."""
        words = self.phrases.numbers
        pick = self.pick(lambda p: p.unit == "" and p.value.is_integer() and p.value <= 14)
        if pick is None or not words:
            return None
        count = self.rng.choice([n for n in range(2, 20) if abs(n - pick.value) >= 1])
        if self.ledger.could_be(pick.owner, Numeral("", count, 1)):
            return None
        slots = {"A": pick.owner, "n": words[count], "did": self.did(pick, words[count])}
        return self.false("single", {**slots, "t": self.tag(pick)}, [pick])

    def top_cited(self) -> Cited | None:
        """Tell a first or last place for somebody in between, with the tag of the cell."""
        pick = self.pick(
            lambda p: (
                self.ledger.ranked(p)
                and min(self.ledger.column(p)) < p.value < max(self.ledger.column(p))
            )
        )
        if pick is None:
            return None
        numeral = self.scribe.any(pick.value, pick.unit)
        slots = {"A": pick.owner, "n": numeral.text, "t": self.cell_tag(pick)}
        return self.false(self.rng.choice(("top", "bottom")), slots, [pick], "rank")

    def top_uncited(self) -> Cited | None:
        """Tell the best of all, without a tag, of somebody who leads nowhere."""
        firsts = {p.owner for p in self.ledger.cells if p.value == max(self.ledger.column(p))}
        pick = self.pick(lambda p: p.owner not in firsts)
        return None if pick is None else self.false("best", {"A": pick.owner}, [], "none")

    def only(self) -> Cited | None:
        """Tell the only one, where others have some too."""
        pick = self.pick(
            lambda p: p.value > 0 and sum(value > 0 for value in self.ledger.column(p)) > 1
        )
        if pick is None:
            return None
        others = [p for p in self.beside(pick) if p.value > 0 and p.owner != pick.owner]
        if not others:
            return None
        slots = {"A": pick.owner, "t": self.cell_tag(pick)}
        return self.false("only", slots, others, "count")

    def never(self) -> Cited | None:
        """None at all, of somebody who has some, with the tag of the cell."""
        pick, known = self.pick(lambda p: p.value > 0), self.phrases.zero
        if pick is None or not known:
            return None
        templates = known.get(kind_of(pick.column), known["generic"])
        return self.said(templates, {"A": pick.owner, "t": self.cell_tag(pick)}, [pick])

    def nobody_cited(self) -> Cited | None:
        """Nobody, with the tag of a column in which somebody has some."""
        return self.nobody_else(tagged=True)

    def nobody_uncited(self) -> Cited | None:
        """Nobody, without a tag, where somebody has some."""
        return self.nobody_else(tagged=False)

    def nobody_else(self, tagged: bool) -> Cited | None:
        """Say nobody of a column in which somebody has some."""
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
        """Everyone, with a count, where somebody has none."""
        found = self.columns(lambda values, rows: not all(values))
        made = self.all_of([(t, c) for t, c in found if t.rows])
        if made is None:
            return None
        table, column = self.ledger.by_id[made.about[0].table], made.about[0].column
        above = sum(isinstance(v, int | float) and v > 0 for v in table.column(column))
        sentence, tag = made.sentence, f"[{table.id}.{column}]"
        if self.rng.random() < 0.5:
            sentence = re.sub(r"\[count.*\]", tag, sentence)
        return replace(made, sentence=sentence, proof="formula", result=above)

    def wrong_measure(self) -> Cited | None:
        """Tell a true number of the row, said to be of another measure."""
        if (pick := self.pick(lambda p: p.value > 0)) is None:
            return None
        same_row = self.pick(
            lambda p: (
                p.table is pick.table
                and p.row == pick.row
                and p.unit == pick.unit
                and kind_of(p.column) in self.phrases.did
                and kind_of(p.column) != kind_of(pick.column)
                and kind_of(p.column) != "generic"
                and p.value != pick.value
            )
        )
        if same_row is None:
            return None
        numeral = self.scribe.any(pick.value, pick.unit)
        if numeral.honest(same_row.value):
            return None
        said = self.did(pick, numeral, kind_of(same_row.column))
        templates = [t for t in self.phrases.frames["single"] if "{did}" in t]
        slots = {"A": pick.owner, "n": numeral.text, "did": said, "t": self.tag(pick)}
        return self.said(templates, slots, [pick, same_row])

    def polarity(self) -> Cited | None:
        """Tell a true number, denied."""
        if (pick := self.pick(lambda p: p.value > 0)) is None:
            return None
        numeral = self.scribe.exact(pick.value, pick.unit)
        slots = {"A": pick.owner, "n": numeral.text, "did": self.did(pick, numeral)}
        return self.false("refusal", {**slots, "t": self.tag(pick)}, [pick])

    def reversal(self) -> Cited | None:
        """Who was killed said to have killed."""
        found = [
            (table, row, clean(str(cells[place])))
            for table in self.ledger.tables
            for row, cells in enumerate(table.rows[: table.shown], 1)
            if (place := table.place("source")) is not None and cells[place]
        ]
        found = [(t, r, x) for t, r, x in found if t.whose(r) != x]
        if not found:
            return None
        table, row, other = self.rng.choice(found)
        slots = {"A": clean(table.whose(row), 60), "X": other, "t": f" [{table.id}.{row}]"}
        return self.false("reversal", slots, [Where(table.id, row, "source")])

    def texts(self, column: str) -> list[tuple[Table, int, str]]:
        """Return the rows and texts of a column of that name."""
        return [
            (table, row, str(cells[place]))
            for table in self.ledger.tables
            if (place := table.place(column)) is not None and table.whose(1 if table.rows else 0)
            for row, cells in enumerate(table.rows, 1)
            if cells[place]
        ]

    def fit(self) -> Cited | None:
        """Tell a part said to fit that does not, or the other way round."""
        if not (found := self.texts("fits")):
            return None
        table, row, verdict = self.rng.choice(found)
        frame = "fits" if verdict.startswith(("not", "no")) else "misfits"
        slots = {"A": table.whose(row), "t": f" [{table.id}.{row}]"}
        return self.false(frame, slots, [Where(table.id, row, "fits")])

    def price(self) -> Cited | None:
        """Tell the price of another part."""
        pair = self.lies_pair()
        if pair is None or pair[0].unit != "$":
            return None
        one, two = pair
        numeral = self.scribe.any(two.value, "$")
        if self.ledger.could_be(one.owner, numeral):
            return None
        slots = {"A": one.owner, "n": numeral.text, "did": self.did(one, numeral)}
        return self.false("single", {**slots, "t": self.tag(self.rng.choice(pair))}, [one, two])

    def symptom(self) -> Cited | None:
        """Tell a cure for a symptom that the part does not cure."""
        found = self.texts("symptom")
        if not found or self.language != "en":
            return None
        table, row, _ = self.rng.choice(found)
        own = {text for _, other, text in found if table.whose(other) == table.whose(row)}
        others = [text for _, _, text in found if text not in own]
        pick = self.pick(lambda p: p.table is table and p.row == row)
        if not others or pick is None:
            return None
        numeral = self.scribe.exact(pick.value, pick.unit)
        slots = {"A": pick.owner, "x": self.rng.choice(others), "n": numeral.text}
        about = [Where(table.id, row, "symptom")]
        return self.false("symptom", {**slots, "t": self.tag(pick)}, about)

    def cut(self) -> Cited | None:
        """Tell a true number up to its last digits but one."""
        pick = self.pick(lambda p: p.value >= 1000)
        if pick is None:
            return None
        text = self.scribe.exact(pick.value, pick.unit).text
        short = text[: self.rng.randint(1, len(text) - 2)].rstrip(".,\u202f\u00a0 $")
        value = re.sub(r"\D", "", short)
        if not value or self.ledger.could_be(pick.owner, Numeral(short, float(value), 1)):
            return None
        said = f"{pick.owner} {self.did(pick, '§')}".split("§")[0] + short
        return Cited("lie", said, said, CUT, self.language, proof="none")

    def blame(self) -> Cited | None:
        """Tell an opinion about somebody, which should look like one."""
        pick = self.pick()
        return None if pick is None else self.false("blame", {"A": pick.owner}, [], "none")

    def injected(self) -> Cited | None:
        """Tell a name that poses as a tag, a number or an order lends its rights to a lie."""
        posing = [p for p in self.ledger.cells if _POSING.search(p.table.whose(p.row))]
        if not posing:
            return None
        pick = self.rng.choice(posing)
        way = self.rng.choice(("number", "tag", "other row", "nobody"))
        if way == "nobody":
            return self.nobody_uncited()
        victim = self.pick(lambda p: p.value >= 12 and p.owner != pick.owner)
        if victim is None or way == "number":
            return self.wrong(pick, self.off(pick)) if pick.value >= 4 else None
        if way == "tag":
            return self.wrong(victim, self.off(victim), f" [{pick.table.whose(pick.row)}]")
        numeral = self.scribe.exact(victim.value, victim.unit)
        if self.ledger.could_be(pick.owner, numeral):
            return None
        slots = {"A": pick.owner, "n": numeral.text, "did": self.did(victim, numeral)}
        return self.false("single", {**slots, "t": self.tag(victim)}, [victim])


def _from(sentence: str, start: str) -> str:
    return sentence[sentence.index(start) :]


def roman(number: int) -> str:
    """Return a number below 90 in Roman numerals."""
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text


CLASSES: dict[str, Callable[[Lies], Cited | None]] = {
    "number off by one": Lies.off_by_one,
    "number a tenth off": Lies.ten_percent,
    "rounding abuse": Lies.rounding,
    "number untagged": Lies.untagged,
    "numbers swapped": Lies.swapped,
    "tags swapped": Lies.swapped_tags,
    "list tag": Lies.list_tag,
    "number of another row": Lies.wrong_row,
    "other name": Lies.other_name,
    "wrong unit": Lies.wrong_unit,
    "wrong heading": Lies.wrong_heading,
    "wrong duration": Lies.wrong_duration,
    "invented id": Lies.invented_id,
    "arithmetic stated": Lies.stated,
    "arithmetic untagged": Lies.uncounted,
    "formula": Lies.formula,
    "aggregate": Lies.aggregated,
    "count": Lies.miscount,
    "table swapped": Lies.swapped_table,
    "table untagged": Lies.untagged_table,
    "code": Lies.fenced,
    "forged tag": Lies.forged,
    "odd digits": Lies.odd_digits,
    "number word": Lies.number_word,
    "parts: price": Lies.price,
    "injected name": Lies.injected,
    "superlative uncited": Lies.top_uncited,
    "nobody uncited": Lies.nobody_uncited,
    "invented person": Lies.stranger,
    "invented ability": Lies.power,
    "comparison reversed": Lies.reversed,
    "comparison in words": Lies.denied,
    "table under another heading": Lies.misplaced_table,
    "superlative": Lies.top_cited,
    "the only one": Lies.only,
    "false negative": Lies.never,
    "false nobody": Lies.nobody_cited,
    "false everyone": Lies.everyone_else,
    "wrong measure": Lies.wrong_measure,
    "polarity": Lies.polarity,
    "role reversal": Lies.reversal,
    "parts: fit": Lies.fit,
    "parts: symptom": Lies.symptom,
    "opinion": Lies.blame,
}
"""Makers of lies, by class."""

CUT = "cut short"
HARD = frozenset({*tuple(CLASSES)[: tuple(CLASSES).index("invented person")], CUT})
"""Classes by number, name of the record, tag or arithmetic: to be refused, or doubted at least."""


class CitedLiar:
    """Truths and lies about some tables, in three languages; everything drawn from one `rng`."""

    def __init__(
        self, rng: Random, tables: Sequence[Table], languages: Sequence[Language] = LANGUAGES
    ) -> None:
        ledger, self._tables = Ledger(tables), tuple(tables)
        self._rng, self._languages = rng, tuple(languages)
        self._speakers = {
            language: Lies(rng, tables, language, ledger) for language in sorted(set(languages))
        }

    def truth(self, family: str = "") -> Cited | None:
        """Return a true sentence of a family, or of any; None when there is none."""
        return self._tried(lambda lies, name: lies.made(name), family, tuple(FAMILIES))

    def lie(self, kind: str = "") -> Cited | None:
        """Return a lie of a class, or of any; None when the tables have none."""
        return self._tried(lambda lies, name: lies.lie(name), kind, tuple(CLASSES))

    def cut(self) -> Cited | None:
        """Return a sentence that breaks off within its number, where it says something else."""
        return self._tried(lambda lies, _: lies.cut(), CUT, ())

    def _tried(
        self, make: Callable[[Lies, str], Cited | None], name: str, names: Sequence[str]
    ) -> Cited | None:
        for _ in range(TRIES):
            speaker = self._speakers[self._rng.choice(self._languages)]
            made = make(speaker, name or self._rng.choice(names))
            if made is not None:
                return replace(made, tables=self._tables)
        return None
