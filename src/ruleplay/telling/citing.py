"""The rules of cited text: what a clause may say with a tag, and what without one.

Numbers, names, tags and formulas are checked, and a mismatch refuses the sentence. Words can only
raise doubt: the clause is then shown together with the record's line. Verbs and grammar are never
interpreted (decision 0024).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import BaseModel

from ruleplay.telling.names import Found, within
from ruleplay.telling.numbers import BETWEEN, Number, agrees_with, read
from ruleplay.telling.record import COUNTED, LEANING, Record
from ruleplay.telling.segments import Cutter, Segment, is_tail, mark_of, word_patterns
from ruleplay.telling.table import Cell, Table
from ruleplay.telling.tags import Cited, Tag, TagError, parse

SMALL_UNCITED = 3
"""Largest number in words, or ordinal, that may be said without a tag."""
_ID = re.compile(r"\S*\d{3}\S*")
"""A name that is an id: one word with three digits in a row."""
_CODE = re.compile(rf"{_ID.pattern}|(?=\S*[A-Z])\S*\d\S*", re.IGNORECASE)
"""A name like a part number: an id, or letters and digits ("WF2CB")."""
# A capitalised word inside a sentence, which should be a name; "I" is none.
_CAPITAL = re.compile(r"(?<=[a-zà-ÿ,] )(?!I\b)[A-ZÀ-Þ][a-zà-ÿ][\w'’-]+")
_TITLED = re.compile(r"\b[A-Z]\w+ (?:of|of the|the) [A-Z]\w+")
"""A name by its form, also where every noun has a capital: "Hammer of Justice" in German."""
_WORD = re.compile(r"\w+")
_AN = re.compile(r"\b(?:an?|une?)\s+$", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|solely|seule?|uniquement)\s+$", re.IGNORECASE)
_OF = re.compile(
    r"(?:\b(?:of|all|sur|des|tous|toutes|von|der|among|parmi)(?: \w{2,6})?|/)\s*$", re.IGNORECASE
)
_DEFINITE = re.compile(r"\b(?:the|these|those|les|ces)\s*$", re.IGNORECASE)
CAPITALS_ARE_NAMES = ("en", "fr", "es")
"""Languages in which a capital within a sentence begins a name: in German every noun has one."""
_OF_MORE = "says that there is no other, and the table is a choice of more"
State = Literal["vouched", "doubted", "view", "plain"]


class Span(BaseModel, frozen=True):
    """A piece of a reply, who vouches for it, and the record's lines that it is based on."""

    text: str
    state: State = "plain"
    lines: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """The verdict on a sentence: its spans, why it may not be shown, why its lines are displayed.

    `lines` are those of everything it cites. For a refused sentence they are only those of rows and
    cells, which the request for a repair quotes; a table's heading says nothing about what was
    meant.
    """

    spans: tuple[Span, ...]
    refused: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    tagged: bool = False


class Reader(Record):
    """Judges the sentences of one reply, in order, against the turn's tables.

    `names` are known names besides those in the tables, `vocabulary` capitalised words that are no
    names, `about` the question, and `amounts` the quantities that the asker wants, which may be
    said next to any row and used in formulas. `language` is that of the reply: it tells whether a
    capitalised word is a name.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        names: Iterable[str] = (),
        vocabulary: Iterable[str] = (),
        language: str = "en",
        about: str = "",
        amounts: Collection[float] = (),
    ) -> None:
        super().__init__(tables, names, vocabulary, about, amounts)
        self.capitals = language[:2] in CAPITALS_ARE_NAMES
        self._cutter = Cutter(self.names, self.says)
        # The last number of a numbered list, see `counts_on`.
        self._item = 0
        self.rested: tuple[Sequence[Cited], ...] = ()
        """What the last two sentences with citations cite."""
        self.leaning: tuple[str, ...] = ()
        """The lines of the previous sentence, if it cites something."""
        self.cited: set[tuple[str, int]] = set()
        self._nameless: dict[str, str] = {}

    def judge(self, unit: str) -> Judged:
        """Judge one sentence, list item, heading or table row."""
        sentence = _Sentence(self, self._cutter.cut(unit))
        judged = sentence.judged()
        # Rows of refused sentences do not count as cited, so their mandatory lines are still added.
        if not judged.refused:
            self.cited |= sentence.rows
        if sentence.cited:
            self.rested = (*self.rested[-1:], sentence.cited)
        self.leaning = judged.lines if judged.tagged and not judged.refused else ()
        return judged

    def counts_on(self, text: str) -> bool:
        """Whether a piece is the number of a list's next item, unlike "25. players died"."""
        # Only the next number, or an earlier one if the list restarts, is a mark.
        number = int("".join(filter(str.isdecimal, text)) or 0)
        if not text.strip() or mark_of(text) != text or number > self._item + 1:
            return False
        self._item = number or self._item
        return True

    def nameless(self, text: str) -> str:
        """Replace the names in a text by blanks; kept, since headings are asked for repeatedly."""
        if text not in self._nameless:
            self._nameless[text] = self.names.blanked(text, self.names.find(text))
        return self._nameless[text]

    def word_of(self, kind: str, text: str) -> str:
        """Find the first word of a kind in a text, in any of the known languages."""
        found = word_patterns()[kind].search(text)
        return found[0] if found else ""

    def cuts(self, cited: Iterable[Cited], text: str) -> bool:
        """Whether a text claims that there is no other, though the table shows only some rows."""
        return any(one.table.cut for one in cited) and self.says("alone", text)

    def says(self, kind: str, text: str) -> bool:
        """Whether a text has a word of a kind."""
        return bool(self.word_of(kind, text))


class _Sentence:
    """A sentence while it is judged."""

    def __init__(self, reader: Reader, segments: Sequence[Segment]) -> None:
        self.reader, self.segments = reader, segments
        self.refused, self.doubts = list[str](), list[str]()
        self.lines, self.standing = list[str](), list[str]()
        self._tags: dict[str, Tag] = {}
        # All tags are parsed first: a wrong tag anywhere refuses the sentence, and untagged
        # segments may lean on tags that come later.
        for written in (tag for segment in segments for tag in segment.tags):
            try:
                self._tags[written] = parse(written, reader.tables, reader.figures)
            except TagError as error:
                self.refused.append(str(error))
        self.cited = [one for tag in self._tags.values() for one in tag.cited]
        reckoned = (f for tag in self._tags.values() for f in tag.formulas)
        named = [*self.cited, *(cell for formula in reckoned for cell in formula.cells)]
        self.told: list[Cited] = []
        """The cells in which the numbers of its clauses so far occur."""
        self.before: list[Cited] = []
        """The rows that the previous clause cites."""
        self.rows = {(one.table.id, one.row) for one in named}
        """The rows that the sentence cites or uses in formulas."""
        self.near = [*named, *(one for cited in reversed(reader.rested) for one in cited)]
        """What it cites or uses in formulas, followed by what was cited just before."""

    def judged(self) -> Judged:
        """Judge all segments and combine the results."""
        spans: list[Span] = []
        for segment in self.segments:
            span = self._tagged(segment) if segment.tags else self._plain(segment)
            # Closing punctuation belongs to the span before, or it would be styled separately.
            if spans and span.state == "plain" and is_tail(span.text):
                spans[-1] = spans[-1].model_copy(update={"text": spans[-1].text + span.text})
            else:
                spans.append(span)
        tagged = any(segment.tags for segment in self.segments)
        lines = dict.fromkeys(self.standing if self.refused else self.lines)
        return Judged(tuple(spans), tuple(self.refused), tuple(self.doubts), tuple(lines), tagged)

    @property
    def text(self) -> str:
        """All of it, without tags."""
        return "".join(segment.text for segment in self.segments)

    def has(self, name: str) -> bool:
        """Whether the sentence cites a row that contains a name."""
        return any(within(name, one.table.text_of(one.row)) for one in self.cited)

    @cached_property
    def listed(self) -> set[int]:
        """The counts that the sentence implies: rows cited, different cells per column, names."""
        names = {hit.name for s in self.segments for hit in self.reader.names.find(s.text)}
        cells: dict[tuple[str, str], set[Cell]] = defaultdict(set)
        for one in self.cited:
            for cell, column in one.table.cells_of(one.row):
                if not column.numeric:
                    cells[one.table.id, column.name].add(cell)
        rows = {(one.table.id, one.row) for one in self.cited}
        return {len(rows), len(names), *map(len, cells.values())} - {0}

    def _plain(self, segment: Segment) -> Span:
        """Check a segment without a tag: a view has no digits, ids, "nobody" or "the most"."""
        text = segment.text
        if self.reader.counts_on(text):
            return Span(text=text)
        found = self.reader.names.find(text)
        blanked = self.reader.names.blanked(text, found)
        leans: list[str] = []
        for number in read(blanked):
            why = f"{number.text.strip()!r} needs the tag of its row"
            if number.odd:
                self.refused.append(number.odd)
            elif self._free(number, text, named=bool(found)):
                continue
            elif line := self.cited and self.reader.traced(number, self.near):
                self.lines.append(line)
                leans.append(why)
            else:
                leaning = number.word and (number.value <= LEANING or number.unit == "s")
                (leans if leaning else self.refused).append(why)
        for hit in found:
            own = self.has(hit.name) or self.reader.asked(hit.name)
            if _ID.fullmatch(hit.name) and not own:
                self.refused.append(f"{hit.name} needs the tag of its row")
        measured = self.reader.measures(blanked)
        if self.reader.cuts(self.near, blanked):
            self.refused.append(_OF_MORE)
        # Absolute words only matter if they are about the record: a name or a measure.
        if found or measured:
            # "Each healer's longest pause:" claims nothing yet.
            opens = not found and text.rstrip(" *_\n").endswith(":")
            extreme = (measured or not self.cited) and not opens
            kinds = ["none", *["most"] * extreme, *["everyone"] * measured]
            heads = [one.table.text_of(0) for one in self.near]
            # Next to a citation, or about the table's own subject, it is only doubtful.
            foreign = not self.cited and not all(
                any(within(hit.name, head) for head in heads) for hit in found
            )
            (self.refused if foreign else leans).extend(self._absolute(blanked, kinds))
        return self._leaning(text, leans, claims=self._claims(segment, found, measured=measured))

    def _free(self, number: Number, text: str, *, named: bool) -> bool:
        """Whether a number needs no tag: a small word, a character, or the asker's own number.

        A lead-in such as "five causes:" counts the list below it, which makes an error visible.
        """
        most = LEANING if text.rstrip(" *_\n").endswith(":") else SMALL_UNCITED
        small = number.word and 0 < number.value <= most  # "zéro" says that there was nothing
        if small or number.spoken or (number.unit == "th" and number.value <= SMALL_UNCITED):
            return True
        # "A 9 looks like a 0" is about a sign, not an amount.
        if len(number.text.strip()) == 1 and _AN.search(text[: number.start]):
            return True
        return number.unit in ("", "th") and not named and self.reader.numbered(number)

    def _claims(self, segment: Segment, found: Sequence[Found], *, measured: bool) -> bool:
        """Whether a piece makes a claim; headings, questions, greetings and lead-ins do not."""
        opens = segment.text.rstrip(" *_\n")[-1:]
        asks = segment.cell or segment.text.lstrip()[:1] in ("|", "#") or opens == "?"
        follows = opens == ":" and all(self.has(hit.name) for hit in found)
        long = len(_WORD.findall(segment.text)) > 2 and (measured or opens != "!")
        return not (asks or follows) and bool(found or long)

    def _leaning(self, text: str, leans: Sequence[str], *, claims: bool) -> Span:
        """Show an untagged piece as doubtful next to the lines it continues, or refuse it.

        Headings and greetings claim nothing, so they are not marked as a view.
        """
        lines = tuple(dict.fromkeys(self.lines)) or self.reader.leaning
        if leans and lines:
            self.doubts += leans
            return Span(text=text, state="doubted", lines=lines)
        self.refused += leans
        return Span(text=text, state="view" if claims else "plain")

    def _absolute(self, text: str, kinds: Iterable[str]) -> Iterator[str]:
        for said in (self.reader.word_of(kind, text) for kind in kinds):
            if said and said.casefold() not in _HARMLESS_ALONE:
                yield f"{said!r} needs a tag: the cell, column, result or count(…)"

    def _tagged(self, segment: Segment) -> Span:
        """Check a segment with tags, and open the lines that it is based on."""
        tags = [self._tags[written] for written in segment.tags if written in self._tags]
        clause = _Clause(self, segment.reads or segment.text, tags)
        # With an unparsable tag the sentence is refused already.
        wrong = [] if len(tags) < len(segment.tags) else list(clause.problems())
        doubts = [] if wrong else list(clause.doubts())
        lines = clause.lines()
        self.refused += wrong
        self.doubts += doubts
        self.lines += lines
        self.standing += clause.lines(whole=False)
        self.told += clause.told
        self.before = clause.rows
        state: State = "doubted" if doubts else "vouched"
        return Span(text=segment.text, state=state, lines=tuple(lines), cites=segment.tags)


_HARMLESS_ALONE = frozenset(("no", "all", "every", "top", "best", "worst", "nothing", "rien"))
"""Too common in ordinary use to require a tag; in a tagged clause they can still raise doubt."""


class _Clause:
    """What tags vouch for: the clause's words, numbers and names, against the rows cited."""

    def __init__(self, sentence: _Sentence, text: str, tags: Sequence[Tag]) -> None:
        self.sentence, self.reader, self.text = sentence, sentence.reader, text
        self.cited = [cited for tag in tags for cited in tag.cited]
        self.rows = [cited for cited in self.cited if cited.row]
        self.formulas = [formula for tag in tags for formula in tag.formulas]
        self.operands = [cell for formula in self.formulas for cell in formula.cells]
        self.found = self.reader.names.find(text)
        self.blanked = self.reader.names.blanked(text, self.found)
        self.numbers = read(self.blanked)
        self.unsure: list[str] = []
        self.opened: list[str] = []
        """Lines to display for numbers that no tag accounts for."""
        self.told: list[Cited] = []
        """All cells that a number agrees with, which the line displays."""

    def problems(self) -> Iterator[str]:
        """Yield the reasons why the clause may not be shown."""
        for number in [number for number in self.numbers if not self._rests(number)]:
            if number.odd and self.sentence.has(number.text):
                continue  # "Wound Poison VII" is the row's own name
            if problem := number.odd or self._doubted(number):
                yield problem
        yield from self._foreign_names()
        if self.reader.cuts(self.cited, self.blanked):
            yield _OF_MORE

    # Numbers

    def _rests(self, number: Number) -> bool:
        """Whether a number is what the tags say, or counts what they name."""
        if number.odd:
            return False
        result = any(
            formula.gives(number) or (number.word and number.nears(abs(formula.value)))
            for formula in self.formulas
        )
        plain = [] if number.unit else [factor for one in self.formulas for factor in one.said]
        # "Between two pulls" counts nothing.
        between = number.word and number.value == 2 and BETWEEN.search(self.text[: number.start])
        free = between or (number.spoken and not self.formulas)
        shown = result or self.holds(number) or any(map(number.agrees, plain))
        return bool(shown or self._counts(number) or free)

    def _doubted(self, number: Number) -> str:
        """Trace a number that the tags do not account for; returns why it is refused if that fails.

        A number that the sentence itself bears out needs no doubt: one of the row just described,
        or one computed from two of its numbers. Otherwise the line it was found in is displayed. A
        number of the asker's may be repeated next to the right one or where there is none, and a
        quantity they want anywhere.
        """
        said, wanted = number.text.strip(), self.reader.wants(number)
        named = any(hit.start < number.start for hit in self.found)
        rows, cells = [] if named else self.sentence.before, [*self.sentence.told, *self.told]
        if line := self.reader.borne_out(number, rows, cells):
            self.opened.append(line)
        elif line := self.reader.traced(number, [*self.cited, *self.operands, *self.sentence.near]):
            self.unsure.append(f"{said!r} stands elsewhere: tag it apart")
            self.opened.append(line)
        elif self._headed(number, names=True):
            self.unsure.append(f"{said!r} is only part of a name in the heading")
        elif wanted or (self.reader.numbered(number) and self._answers()):
            self.unsure.append(f"{said!r} is the asker's, not of the record")
        else:
            return self._why(number)
        return ""

    def _answers(self) -> bool:
        """Whether a number of the asker's stands beside the right one, or beside what is denied."""
        lacks = not (self.rows or self.formulas) and self.reader.says("not", self.text)
        return lacks or any(map(self._rests, self.numbers))

    def holds(self, number: Number) -> bool:
        """Whether a number is in what is cited or, with a unit, in a heading of a formula's."""
        headed = self._held(number) or self._headed(number, names=number.unit == "th")
        return headed or any(self._beside(number, cited) for cited in self.cited)

    def _headed(self, number: Number, *, names: bool) -> bool:
        """Whether a number is in a heading; the 2 of "pull 2" is part of a name there."""
        cited = (*self.cited, *self.operands) if number.unit else self.cited
        headings = {f"{one.table.title} {one.table.heading}" for one in cited}
        told = headings if names else map(self.reader.nameless, headings)
        return any(agrees_with(number, heading, "text") for heading in told)

    def _held(self, number: Number) -> bool:
        """Whether the cited rows contain a number, for the names next to it.

        Names in some of the cited rows but not in others tell whose number it is: a row of each
        must contain it. This alone prevents two people's numbers from being swapped.
        """
        holding = [cited.words for cited in self.rows if self._in_row(number, cited)]
        named = {n: sum(within(n, c.words) for c in self.rows) for _, _, n in self.found}
        telling = {name for name, rows in named.items() if 0 < rows < len(self.rows)}
        if not telling:
            return bool(holding)
        own, leads = self._told_by(number, telling)
        if leads:
            return any(not any(within(name, text) for name in telling) for text in holding)
        owners = [own] if own else telling
        return all(any(within(name, text) for text in holding) for name in owners)

    def _told_by(self, number: Number, telling: Collection[str]) -> tuple[str, bool]:
        """Return the name just before a number, and whether the number precedes all names instead.

        In "her 41 beside Oda's 32" the 32 is Oda's; "Oda and Bram with 41 and 32" assigns neither.
        """
        names = [(hit.start, hit.name) for hit in self.found if hit.name in telling]
        places = sorted([*names, *((one.start, "") for one in self.numbers)])
        at = places.index((number.start, "")) + 2
        said = ["", "", *(name for _, name in places), "", ""]
        own = "" if said[at - 2] else said[at - 1]
        leads = not any(said[:at]) and said[at + 1] and not said[at + 2] and at < len(places)
        return own, bool(leads)

    def _in_row(self, number: Number, cited: Cited) -> bool:
        """Whether a row contains the number, or has that rank in a column ("the 2nd")."""
        table, cells = cited.table, enumerate(cited.table.cells_of(cited.row))
        places = [at for at, (cell, column) in cells if agrees_with(number, cell, column.unit)]
        self.told += [Cited(table, cited.row, place) for place in places]
        if places or number.unit != "th":
            return bool(places)
        ranks = {table.rank(cited.row, p) for p, c in enumerate(table.columns) if c.numeric}
        return any(number.agrees(rank) for rank in (*ranks, cited.row) if rank)

    def _beside(self, number: Number, cited: Cited) -> bool:
        """Whether a number is in a note, is the same in all rows, or is their count."""
        table, whole = cited.table, not cited.row and not cited.note
        own = table.notes[cited.note - 1 : cited.note]
        # A number with a unit may be what a note explains: "in steps of 5 s".
        if any(agrees_with(number, one, "text") for one in (table.notes if number.unit else own)):
            return True
        # "Zero times" is what "did not die" says.
        if not number.value and any(self.reader.says("not", note) for note in own):
            return True
        if table.seconds and number.unit in ("s", "") and number.agrees(table.seconds):
            return True
        size = max(len(table.rows), table.total)
        counts = number.unit in ("", "th") and number.agrees(size)
        alike = (
            all(agrees_with(number, cell or 0, column.unit) for cell in table.cells(at))
            for at, column in enumerate(table.columns if table.rows else ())
            if cited.column in (None, at)
        )
        return whole and (counts or any(alike))

    def _counts(self, number: Number) -> bool:
        """Whether a number counts what the sentence lists, "the two" of it, or "3 of the 7" rows.

        A column that a formula uses as a whole has as many cells as the table has rows.
        """
        before = self.text[: number.start]
        of_all = bool(_OF.search(before))
        listed = self.sentence.listed | {len(c.table.rows) for c in self.operands if not c.row}
        sizes = {size for size in listed if 1 < size <= LEANING}
        sizes |= {len(table.rows) for table in self.reader.tables.values() if of_all}
        if number.unit in ("", "th", "x") and any(map(number.agrees, sizes)):
            return True
        few = number.word and not number.unit and 1 < number.value <= SMALL_UNCITED
        points = few and (of_all or bool(_DEFINITE.search(before)))
        most = [len(self.sentence.near), *(len(cited.table.rows) for cited in self.rows)]
        return points and number.value <= max(most)

    def _why(self, number: Number) -> str:
        """Explain to the model why a number is refused, as precisely as possible."""
        said = number.text.strip()
        if self.formulas and not self.rows:
            results = ", ".join(formula.line() for formula in self.formulas)
            return f"{said!r} is not what the formula gives ({results})"
        for cell, column in (pair for one in self.rows for pair in one.table.cells_of(one.row)):
            if isinstance(cell, int | float) and number.agrees(cell):
                wanted = column.unit or "plain numbers"
                return f"{said!r} has the unit {number.unit!r}; {column.name} is in {wanted}"
        cited = {f"{c.table.id}.{c.row}" if c.row else c.table.id for c in self.cited}
        return f"{said!r} is not in {', '.join(sorted(cited)) or 'any row'}"

    # Names

    def _foreign_names(self) -> Iterator[str]:
        """Refuse names that are in no cited row and could be taken for the row's own.

        After the row's own name, another one only raises doubt, except an id or a pull ("pull 2").
        So does the asker's own beside a note or a whole table, which no row's is put in place of.
        """
        words = [one.table.words_of(one.row) for one in self.rows]
        own = [hit.start for hit in self.found if any(within(hit.name, text) for text in words)]
        for hit in self._strange:
            counted = COUNTED.fullmatch(hit.name)
            before = own and (own[-1] > hit.start or not counted)
            rows = self.rows or any(cell.row for cell in self.operands)
            beside = (self.cited or self.operands) and not rows and not counted
            asked = beside and within(hit.name, self.reader.said)
            foreign = _CODE.fullmatch(hit.name) and not self.sentence.has(hit.name)
            if foreign or not (before or asked):
                yield f"{hit.name} is not in the cited row"

    @cached_property
    def _strange(self) -> list[Found]:
        """Names that are in no cited row, and neither the asker's nor words of the domain.

        Somebody who is said not to be in a table or column cited as a whole is not among them.
        """
        unnamed = all(not one.row and not one.note for one in self.cited)
        denied = bool(self.cited) and unnamed and self.reader.says("not", self.text)
        if denied and all(one.column is not None for one in self.cited):
            return []
        said = {hit.name for hit in self.found}
        cited = (*self.cited, *self.operands)
        # A cell "1-7" of the column "pulls" is "pulls 1-7".
        cells = (pair for one in cited if one.row for pair in one.table.cells_of(one.row))
        told = (f"{column.name} {cell}" for cell, column in cells if isinstance(cell, str))
        texts = (*(one.table.heading for one in cited), *told)
        # Both ends of "pulls 3-9", whatever else the text names.
        found = ([hit.name for hit in self.reader.names.find(text)] for text in texts)
        spans = [{name for name in names if COUNTED.fullmatch(name)} for names in found]
        whole = {name for span in spans if span <= said for name in span}
        own = [name.casefold() for name in said if name in whole or self._cited_name(name)]
        others = (hit for hit in self.found if not any(within(hit.name, name) for name in own))
        # Which pulls a table is of, its heading says.
        others = (hit for hit in others if COUNTED.fullmatch(hit.name) or not denied)
        return [hit for hit in others if not self._excused(hit)]

    def _excused(self, hit: Found) -> bool:
        """Whether a name is an id that the asker used, or an ordinary word.

        "Elemental", for example, need not mean the ability Elemental Mastery.
        """
        said = self.text[hit.start : hit.end].casefold()
        word = said != hit.name.casefold() and said in self.reader.vocabulary
        return word or bool(_CODE.fullmatch(hit.name) and self.reader.asked(hit.name))

    def _cited_name(self, name: str) -> bool:
        against = [f"{f.against} {f.cells[0].table.heading}" for f in self.formulas if f.against]
        texts = [text for one in (*self.cited, *self.operands) for text in one.texts()]
        stands = any(within(name, text) for text in (*texts, *map(str.casefold, against)))
        words = [*(one.words for one in self.cited), *map(str.casefold, against)]
        return stands or self.reader.stands_with(name, words, code=bool(_CODE.fullmatch(name)))

    # Doubts

    def doubts(self) -> Iterator[str]:
        """Yield the reasons to display the record's line next to the clause; none refuses it."""
        yield from self.unsure
        denies = self.reader.says("not", self.blanked)
        for hit in self._strange:
            # "It wasn't Oda, though" repeats whom the asker named.
            repeated = denies and self.rows and within(hit.name, self.reader.said)
            if not (repeated or self.sentence.has(hit.name)):
                yield f"{hit.name} is not in the cited row"
        measured = any(number.value and not number.odd for number in self.numbers)
        # In the text itself, not the blanked one: a player may be called "Nobody" or "Everyone".
        counted = measured or any(not formula.value for formula in self.formulas)
        absent = self.cited and not counted and self.reader.says("not", self.text)
        if absent and not any(map(self._is_absence, self.cited)):
            yield "says that something is not, and the cited row does not show it"
        yield from self._universals()
        if self._others_have_some():
            yield "speaks of one only, and others have something in that column"
        yield from self._strangers()

    def _universals(self) -> Iterator[str]:
        """Doubt statements about all, unless a count or a column that is uniform is cited."""
        if any(f.kind == "count" for f in self.formulas):
            return
        columns = [c for c in self.cited if c.column is not None and not c.row]
        alike = [len(set(c.table.cells(c.column or 0))) == 1 for c in columns]
        if self.reader.says("everyone", self.text) and not any(alike):
            yield "speaks of everyone, and cites no count"
        elif columns and not all(alike) and self.reader.says("all", self.blanked):
            yield "speaks of all, and the column does not say the same of each"

    def _others_have_some(self) -> bool:
        """Whether it says "only Oda", though others have a value in that column too."""
        alone = {hit.name for hit in self.found if _ONLY.search(self.text[: hit.start])}
        pairs = (pair for one in self.rows for pair in one.table.cells_of(one.row))
        # A list with one name ("sources") says itself that there is no other.
        alone -= {str(cell) for cell, column in pairs if column.name.endswith("s")}
        # "Only [x] has any": a name may be too odd to be found as one.
        plain = not (self.numbers or self.found or self.reader.says("not", self.text))
        first = self.text.split(maxsplit=1)[:1]
        opens = plain and _ONLY.search(f"{''.join(first)} ")
        if not (alone or opens or self.reader.says("alone", self.blanked)):
            return False
        return any(
            any(cell for at, cell in enumerate(one.table.cells(one.column), 1) if at != one.row)
            for one in (*self.told, *self.rows)
            if one.column is not None
        )

    def _is_absence(self, cited: Cited) -> bool:
        """Whether a citation shows nothing: empty, 0, or a column or note to look in."""
        table, row, column = cited.table, cited.row, cited.column
        if not row:
            numbers = column is None or any(
                isinstance(cell, int | float) and cell for cell in table.cells(column)
            )
            sought = self._sought(cited)
            lacks = not table.cut and (sought == {False} or not (numbers or True in sought))
            none_else = self.reader.says("else", self.text) and self._names_all(table)
            return bool(cited.note) or not table.rows or none_else or lacks
        cells = table.cells_of(row) if column is None else [(cited.cell, None)]
        return any(not cell for cell, _ in cells) or self.reader.says("not", table.words_of(row))

    def _names_all(self, table: Table) -> bool:
        """Whether whatever a complete table has a row of is named here, or was cited just before.

        So there is no other.
        """
        said = self.sentence.text.casefold()
        near = {one.table.whose(one.row) for one in self.sentence.near if one.row}
        owners = {table.whose(row) for row in range(1, len(table.rows) + 1)}
        named = owners and all(one and (one in near or within(one, said)) for one in owners)
        return not table.cut and (bool(named) or len(table.rows) == 1)

    def _sought(self, cited: Cited) -> set[bool]:
        """For the names said, apart from those of the heading: whether the table has them.

        Of a column cited as a whole only the rows count that have something in it. "Nobody" is no
        name here, though a player may be called so.
        """
        table, column = cited.table, cited.column
        said = (*(hit.name for hit in self.found), *_CAPITAL.findall(self.blanked))
        texts = [
            table.words_of(number)
            for number, row in enumerate(table.rows, 1)
            if column is None or row[column]
        ]
        return {
            any(within(name, text) for text in texts)
            for name in said
            if not within(name, table.text_of(0)) and not self.reader.says("none", name)
        }

    def _strangers(self) -> Iterator[str]:
        """Doubt the first title that no cited row has, or capital that the record lacks."""
        counted = " ".join(formula.against for formula in self.formulas).casefold()
        # "Chain" may stand for Chain Heal, but not in "Chain of Thorns".
        short = {hit.start for hit in self.found if self.text[hit.start : hit.end] != hit.name}
        titles = (
            one[0]
            for one in _TITLED.finditer(self.text)
            if (one.start() in short or self.blanked[slice(*one.span())] == one[0])
            and not self.sentence.has(one[0])
        )
        words = (one[0] for one in _CAPITAL.finditer(self.blanked) if self.reader.capitals)
        strange = (*titles, *(one for one in words if not self.reader.knows(one)))
        whole = (one for one in self.cited if not (one.row or one.table.cut))
        if self.reader.says("not", self.text) and any(self._sought(c) == {False} for c in whole):
            return
        for one in strange:
            if not (within(one, self.reader.said) or one.casefold() in counted):
                yield f"{one} is not in the record"
                return

    # Lines

    def lines(self, *, whole: bool = True) -> list[str]:
        """List the record's lines of what is cited; `whole` includes those of whole tables."""
        told = [c for c in self.cited if whole or c.row or c.note or c.column is not None]
        lines = [self._line(cited) for cited in told]
        lines += [formula.line() for formula in self.formulas] if whole else []
        return list(dict.fromkeys([*lines, *self.opened]))

    def _spoken_of(self, table: Table) -> list[int]:
        """List the columns that the text names by a stem: "knocks" means the chance to."""
        words = _WORD.findall(self.text.casefold())
        columns = enumerate(table.columns)
        return [at for at, c in columns if c.stems and any(w.startswith(c.stems) for w in words)]

    def _line(self, cited: Cited) -> str:
        """Write the record's line of one citation."""
        table = cited.table
        if cited.note:
            return f"{table.notes[cited.note - 1]} — {table.name}"
        if cited.row:
            cells = [
                one
                for one in (cited, *self.told)
                if (one.table.id, one.row) == (table.id, cited.row)
            ]
            places = [one.column for one in cells if one.column is not None]
            # A number that only the heading has shows nothing of what is spoken of.
            return table.line(cited.row, list(dict.fromkeys(places)), self._spoken_of(table))
        if cited.column is not None:
            return table.summary(cited.column)
        return f"{table.name}: {len(table.rows)} rows"
