"""The rules of cited telling: what a clause with a tag, and one without, may say.

Numbers, names, tags and formulas are checked, and refuse. Words only raise doubt: the clause is
shown with the record's line opened beside it. Verbs and grammar are never read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pydantic import BaseModel

from ruleplay.telling.names import Found, ends_span, within
from ruleplay.telling.numbers import Number, agrees_with, read
from ruleplay.telling.record import COUNTED, LEANING, Record
from ruleplay.telling.segments import Cutter, Segment, is_mark, is_tail, word_patterns
from ruleplay.telling.table import Cell, Table
from ruleplay.telling.tags import TAG, Cited, Tag, TagError, parse

_PRICE = 5
"""Digits that a count, a price or a time may have; an id has more."""
SMALL_UNCITED = 3
"""The largest number in words, or as an ordinal, that needs no row."""
_ID = re.compile(r"\S*\d{3}\S*")
"""A name that is an id: one word with three digits in a row."""
_CODE = re.compile(r"(?=\S*[A-Z])\S*\d\S*", re.IGNORECASE)
"""A name of letters and digits: "WF2CB"."""
_CAPITAL = re.compile(r"(?<=[a-zà-ÿ,] )(?!I\b)[A-ZÀ-Þ][a-zà-ÿ][\w'’-]+")
_NAME_GOES_ON = re.compile(r" of (?:the )?[A-ZÀ-Þ]\w+")
"""Behind a capital it makes a name of several words, which is not known by each of them."""
_WORD = re.compile(r"\w+")
_AN = re.compile(r"\b(?:an?|une?)\s+$", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|solely|seule?|uniquement)\s+$", re.IGNORECASE)
_ONLY_ONE = re.compile(r"\b(?:the only|le seul|la seule)\b", re.IGNORECASE)
_OF = re.compile(
    r"(?:\b(?:of|all|sur|des|tous|toutes|von|der|among|parmi)(?: \w{2,6})?|/)\s*$", re.IGNORECASE
)
_DEFINITE = re.compile(r"\b(?:the|these|those|les|ces)\s*$", re.IGNORECASE)
DOUBTED = ("en", "fr", "es")
"""Languages whose words are known."""
_OF_MORE = "says that there is no other, and the table is a choice of more"
State = Literal["vouched", "doubted", "view", "plain"]


class Span(BaseModel, frozen=True):
    """A piece of a told text: who stands behind it, and the record's lines that it rests on."""

    text: str
    state: State = "plain"
    lines: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """What became of a sentence: its spans; why it may not be shown; why its lines are opened.

    `lines` are those of what it cites; of a refused one only of rows and cells, which may stand in
    for it: a table's heading says nothing of what was meant.
    """

    spans: tuple[Span, ...]
    refused: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    tagged: bool = False


class Reader(Record):
    """Judges the sentences of one reply, in order, against the turn's tables.

    `names` are what the record knows besides those in the tables, `vocabulary` capitalised words
    that name nothing in it, `about` the question, `amounts` how many of something the asker wants,
    which may be said beside any row and reckoned with. Nothing is doubted in other languages than
    `DOUBTED`.
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
        self._words = word_patterns() if language[:2] in DOUBTED else {}
        self._cutter = Cutter(self.names, self.says)
        self._rested: tuple[Sequence[Cited], ...] = ()
        self.leaning: tuple[str, ...] = ()
        self._items = 0
        self.cited: set[tuple[str, int]] = set()

    def judge(self, unit: str, listed: Sequence[str] = ()) -> Judged:
        """Judge one sentence, list item, heading or table row; `listed` is what a lead-in opens."""
        segments = self._cutter.cut(unit)
        tags = (found[0] for line in listed for found in TAG.finditer(line))
        sentence = _Sentence(self, segments, tuple(tags), len(listed))
        judged = sentence.judged()
        if not judged.refused:
            self.cited |= sentence.rows
        if cited := sentence.cited:
            self._rested = (*self._rested[-1:], cited)
        self.leaning = judged.lines if judged.tagged and not judged.refused else ()
        return judged

    def counts_on(self, text: str) -> bool:
        """Whether a piece is the mark of a list's next item: "25. players died" is none."""
        if not is_mark(text):
            return False
        number = int("".join(filter(str.isdecimal, text)) or 0)
        if number > self._items + 1:
            return False
        self._items = max(number, self._items) if number != 1 else 1
        return True

    def cuts(self, cited: Iterable[Cited], text: str) -> bool:
        """Whether a text says that there is no other of what is only a choice."""
        return any(one.table.cut for one in cited) and self.says("alone", text)

    @property
    def says_anything(self) -> bool:
        """Whether the words of the reply's language are known."""
        return bool(self._words)

    def says(self, kind: str, text: str) -> bool:
        """Whether a text has a word of a kind, in the reply's language."""
        pattern = self._words.get(kind)
        return bool(pattern and pattern.search(text))


@dataclass
class _Sentence:
    """One sentence under judgement."""

    reader: Reader
    segments: Sequence[Segment]
    ahead: Sequence[str] = ()
    items: int = 0
    refused: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)
    rows: set[tuple[str, int]] = field(default_factory=set)
    stated: list[tuple[Table, int, int]] = field(default_factory=list)
    """The cells that the numbers of the sentence agree with."""
    last: _Clause | None = None

    def judged(self) -> Judged:
        spans: list[Span] = []
        for segment in self.segments:
            span = self._tagged(segment) if segment.tags else self._plain(segment)
            if spans and span.state == "plain" and is_tail(span.text):
                spans[-1] = spans[-1].model_copy(update={"text": spans[-1].text + span.text})
            else:
                spans.append(span)
        tagged = any(segment.tags for segment in self.segments)
        lines = dict.fromkeys(self.standing if self.refused else self.lines)
        return Judged(tuple(spans), tuple(self.refused), tuple(self.doubts), tuple(lines), tagged)

    @property
    def cited(self) -> Sequence[Cited]:
        """The rows and tables that the sentence cites."""
        return self._row_clause.cited

    @cached_property
    def _row_clause(self) -> _Clause:
        """All tags of a table's row or of a lead-in's list: what need not be cited again."""
        written = (tag for segment in self.segments for tag in segment.tags)
        return _Clause(self, "", self.reader.parsed([*written, *self.ahead]))

    @cached_property
    def near(self) -> list[Cited]:
        """What the sentence cites or reckons with, and what was cited just before."""
        before = (one for cited in reversed(self.reader._rested) for one in cited)
        return [*self.cited, *self._row_clause.operands, *before]

    def has(self, name: str) -> bool:
        """Whether the sentence cites a row of the record that has a name."""
        return any(within(name, self.reader.tables[t].text_of(row)) for t, row in self._rows)

    @cached_property
    def _rows(self) -> set[tuple[str, int]]:
        """The rows that the sentence cites."""
        return {(cited.table.id, cited.row) for cited in self._row_clause.cited}

    @cached_property
    def listed(self) -> set[int]:
        """How many rows the sentence cites, how many different ones of a kind, how many names."""
        names = {hit.name for s in self.segments for hit in self.reader.names.find(s.text)}
        cells: dict[tuple[str, str], set[Cell]] = defaultdict(set)
        for name, row in self._rows:
            table = self.reader.tables[name]
            for cell, column in table.cells_of(row):
                if not column.numeric:
                    cells[name, column.name].add(cell)
        return {len(self._rows), self.items, len(names), *map(len, cells.values())} - {0}

    def _plain(self, segment: Segment) -> Span:
        """Check what no tag vouches for: a view may hold no digits, ids, "nobody", "the most"."""
        if self.reader.counts_on(segment.text):
            return Span(text=segment.text)
        found = self.reader.names.find(segment.text)
        blanked = self.reader.names.blanked(segment.text, found)
        leans: list[str] = []
        for number in read(blanked):
            why = f"{number.text.strip()!r} needs the tag of its row"
            if number.odd:
                self.refused.append(number.odd)
            elif (
                self._free(segment, number, named=bool(found))
                or number.spoken
                or (number.value <= SMALL_UNCITED and (number.word or number.unit == "th"))
            ):
                continue
            elif line := self.cited and self.reader.traced(number, self.near):
                self.lines += [line] if line not in self.lines else []
                leans.append(why)
            else:
                leaning = number.word and (number.value <= LEANING or number.unit == "s")
                (leans if leaning else self.refused).append(why)
        for hit in found:
            own = self.has(hit.name) or self.reader.asked(hit.name)
            if _ID.fullmatch(hit.name) and not own:
                self.refused.append(f"{hit.name} needs the tag of its row")
        measured = bool(self.reader.stems(blanked))
        if self.reader.cuts(self.near, blanked):
            self.refused.append(_OF_MORE)
        if found or measured:
            kinds = ["none", *["most"] * (measured or not self.cited), *["everyone"] * measured]
            heads = [one.table.text_of(0) for one in self.near]
            foreign = not self.cited and not all(
                any(within(hit.name, head) for head in heads) for hit in found
            )
            (self.refused if foreign else leans).extend(self._absolute(blanked, kinds))
        claims = self._claims(segment, found, measured=measured)
        return self._leaning(segment.text, leans, claims=claims)

    def _claims(self, segment: Segment, found: Sequence[Found], *, measured: bool) -> bool:
        """Whether a piece says something: headings, questions, greetings and lead-ins do not."""
        opens = segment.text.rstrip(" *_\n")[-1:]
        asks = segment.cell or segment.text.lstrip()[:1] in ("|", "#") or opens == "?"
        follows = opens == ":" and all(self.has(hit.name) for hit in found)
        long = len(_WORD.findall(segment.text)) > 2 and (measured or opens != "!")
        return not (asks or follows) and bool(found or long)

    def _free(self, segment: Segment, number: Number, *, named: bool) -> bool:
        """Whether a number needs no tag: it repeats its row's, or is the asker's own."""
        if segment.cell and self._row_clause.holds(number):
            return True
        # "A 9 looks like a 0" is about a sign, not an amount.
        sign = number.figure and _AN.search(segment.text[: number.start])
        if sign or (self.ahead and number.value in self.listed):
            return True
        return number.unit in ("", "th") and not named and self.reader.numbered(number)

    def _leaning(self, text: str, leans: Sequence[str], *, claims: bool) -> Span:
        """Show what goes on about rows just cited with their lines open; alone it is refused.

        Headings and greetings claim nothing, so that they are nobody's view.
        """
        lines = tuple(self.lines) or self.reader.leaning
        if leans and lines:
            self.doubts += leans
            return Span(text=text, state="doubted", lines=lines)
        self.refused += leans
        return Span(text=text, state="view" if claims else "plain")

    def _absolute(self, text: str, kinds: Iterable[str]) -> Iterator[str]:
        for kind in kinds:
            pattern = self.reader._words.get(kind)
            said = pattern.search(text) if pattern else None
            if said and said[0].casefold() not in _HARMLESS_ALONE:
                yield f"{said[0]!r} needs a tag: the cell, column, result or count(…)"

    def _tagged(self, segment: Segment) -> Span:
        tags: list[Tag] = []
        for written in segment.tags:
            try:
                tags.append(parse(written, self.reader.tables, self.reader.figures))
            except TagError as error:
                self.refused.append(str(error))
        clause = _Clause(self, segment.checked, tags, segment.heading)
        wrong = [] if len(tags) < len(segment.tags) else list(clause.problems())
        doubts = [] if wrong else list(clause.doubts())
        lines = clause.lines()
        self.stated += clause.matched
        self.last = clause
        self.refused += wrong
        self.doubts += doubts
        self.lines += [line for line in lines if line not in self.lines]
        self.standing += clause.lines(whole=False)
        self.rows |= {(one.table.id, one.row) for one in (*clause.cited, *clause.operands)}
        return Span(
            text=segment.text,
            state="doubted" if doubts else "vouched",
            lines=tuple(lines),
            cites=segment.tags,
        )


def _headed(number: Number, table: Table, notes: Sequence[str] = ()) -> bool:
    """Whether a number stands in a table's heading, or in notes of it that are cited."""
    heading = f"{table.title} {table.heading}"
    told = [*re.findall(r"\d[\d.,:]*", heading), *notes]
    told += [heading, *table.notes] if number.unit else []
    lasted = table.seconds and number.unit in ("s", "") and number.agrees(table.seconds)
    return bool(lasted) or any(agrees_with(number, text, "text") for text in told)


def _is_code(name: str) -> bool:
    """Whether a name is a number of a part or the like: an id, or letters and digits."""
    return bool(_ID.fullmatch(name) or _CODE.fullmatch(name))


_HARMLESS_ALONE = frozenset(("no", "all", "every", "top", "best", "worst", "nothing", "rien"))
"""Too common as plain words to need a tag; beside one they still open its line."""


class _Clause:
    """What tags vouch for: its words, its numbers and names, and the rows that are cited."""

    def __init__(
        self, sentence: _Sentence, text: str, tags: Sequence[Tag], heading: str = ""
    ) -> None:
        self.sentence, self.reader = sentence, sentence.reader
        self.text, self.heading = text, heading
        self.cited = [cited for tag in tags for cited in tag.cited]
        self.rows = [cited for cited in self.cited if cited.row]
        self.formulas = [formula for tag in tags for formula in tag.formulas]
        self.operands = [cell for formula in self.formulas for cell in formula.cells]
        self.found = self.reader.names.find(text)
        self.blanked = self.reader.names.blanked(text, self.found)
        self.numbers = read(self.blanked)
        self.unsure: list[str] = []
        self.opened: list[str] = []
        """Lines of what no tag of a number names."""
        self.matched: list[tuple[Table, int, int]] = []
        """The cells that numbers agree with: the table, its row, its column."""
        self.alike: list[tuple[Table, int, int]] = []
        """All cells that a number agrees with, which its line shows."""

    def problems(self) -> Iterator[str]:
        """Yield why the clause may not be shown."""
        for number in [number for number in self.numbers if not self._rests(number)]:
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
        free = number.spoken and not self.formulas
        shown = result or self.holds(number) or any(map(number.agrees, plain))
        return shown or self._counts(number) or self._is_id(number) or free

    def _doubted(self, number: Number) -> str:
        """Open the line that a number is taken from; return why it is refused where there is none.

        What follows from two numbers that the sentence itself gives needs no doubt.
        """
        said, reader, told = number.text.strip(), self.reader, self._name_before(number)
        before, near = self.sentence.last, [*self.cited, *self.operands, *self.sentence.near]
        if line := number.telling and reader.derived(number, reader.stated(self._given())):
            self.opened.append(line)
        elif before and not told and any(before.in_row(number, one) for one in before.rows):
            self.opened += before.lines()
        elif line := number.telling and self._cited_name(told) and reader.told_of(told, number):
            self.opened.append(line)
        elif line := reader.traced(number, near):
            self.unsure.append(f"{said!r} stands elsewhere: tag it apart")
            self.opened.append(line)
        elif number.value in reader.amounts and number.unit in ("", "x"):
            self.unsure.append(f"{said!r} is what was asked for, not of the record")
        elif reader.numbered(number) and any(map(self.holds, self.numbers)):
            self.unsure.append(f"{said!r} is the asker's, not of the record")
        else:
            return self._why(number)
        return ""

    def _given(self) -> list[tuple[Table, int, int]]:
        """Return the cells that numbers gave, and those beside them in the rows of the clause."""
        given = [*self.sentence.stated, *self.matched]
        places = dict.fromkeys((table.id, place) for table, _, place in given)
        rows = [(one.table, one.row) for one in self.rows]
        return given + [(t, row, p) for t, row in rows for name, p in places if name == t.id]

    def _name_before(self, number: Number) -> str:
        return next((h.name for h in reversed(self.found) if h.start < number.start), "")

    def holds(self, number: Number) -> bool:
        """Whether a number stands in what is cited."""
        headed = any(_headed(number, one.table) for one in self.operands)
        return self._held(number) or headed or any(self._beside(number, one) for one in self.cited)

    def _held(self, number: Number) -> bool:
        """Whether the cited rows hold a number.

        Names that stand in some of the rows and not in others tell whose it is: a row of each has
        to hold it. This alone keeps two people's numbers from being swapped.
        """
        holding = [cited.words for cited in self.rows if self.in_row(number, cited)]
        telling = {hit.name for hit in self.found if self._tells_apart(hit.name)}
        if not telling:
            return bool(holding)
        own, leads = self._told_by(number)
        if leads:
            return any(not any(within(name, text) for name in telling) for text in holding)
        owners = [own] if own else telling
        return all(any(within(name, text) for text in holding) for name in owners)

    def _tells_apart(self, name: str) -> bool:
        return 0 < sum(within(name, cited.words) for cited in self.rows) < len(self.rows)

    def _told_by(self, number: Number) -> tuple[str, bool]:
        """Return the name just before a number, and whether it comes before all names instead.

        "Her 41 beside Oda's 32" gives Oda hers; "Oda and Bram with 41 and 32" tells nobody's.
        """
        starts = [(hit.start, hit.name) for hit in self.found if self._tells_apart(hit.name)]
        places = sorted([*starts, *((one.start, "") for one in self.numbers)])
        at = places.index((number.start, ""))
        names = ["", "", *(name for _, name in places), "", ""]
        far, before, _, after, beyond = names[at : at + 5]
        leads = not any(names[: at + 2]) and bool(after) and not beyond and at + 2 < len(places)
        return ("" if far else before), leads

    def in_row(self, number: Number, cited: Cited) -> bool:
        """Whether a row holds the number, in the cell that was named if it is there."""
        table, row = cited.table, cited.table.rows[cited.row - 1]
        columns = enumerate(zip(row, table.columns, strict=True))
        places = [at for at, (cell, column) in columns if agrees_with(number, cell, column.unit)]
        if not places:
            return number.unit == "th" and self._ranked(number, cited)
        first = cited.column if cited.column in places else places[0]
        told = number.value == 0 and cited.column is None and self._measures
        if told and not any(table.columns[p].spoken_of(told) for p in places):
            # Nothing of one thing is not nothing of another: "0 deaths" beside a health of 0.
            self.unsure.append(f"speaks of nothing, and the cell is {table.columns[first].said}")
        self.matched.append((table, cited.row, first))
        self.alike += [(table, cited.row, place) for place in places]
        return True

    @cached_property
    def _measures(self) -> set[str]:
        """The measures that the clause, or its column's heading, speaks of."""
        return self.reader.stems(f"{self.heading} {self.blanked}")

    def _ranked(self, number: Number, cited: Cited) -> bool:
        columns = range(len(cited.table.columns)) if cited.column is None else [cited.column]
        ranks = {cited.table.rank(cited.row, p) for p in columns if cited.table.columns[p].numeric}
        return any(number.agrees(rank) for rank in (*ranks, cited.row) if rank)

    def _beside(self, number: Number, cited: Cited) -> bool:
        """Whether a number stands in a heading or a note, or is all rows' or how many there are."""
        table, whole = cited.table, not cited.row and not cited.note
        if _headed(number, table, table.notes[cited.note - 1 : cited.note]):
            return True
        size = max(len(table.rows), table.total)
        counts = whole and number.unit in ("", "th") and number.agrees(size)
        return counts or (whole and self._same_in_all(number, cited))

    def _same_in_all(self, number: Number, cited: Cited) -> bool:
        """Whether every row has a number in the column that is cited, or in one of the table."""
        columns = enumerate(cited.table.columns)
        units = [(at, c.unit) for at, c in columns if cited.column in (None, at)]
        cells = ([(cell or 0, unit) for cell in cited.table.cells(at)] for at, unit in units)
        alike = (all(agrees_with(number, cell, unit) for cell, unit in column) for column in cells)
        return bool(cited.table.rows) and any(alike)

    def _of_all(self, number: Number) -> bool:
        """Whether the number is the whole of "3 of 24"."""
        return bool(_OF.search(self.text[: number.start]))

    def _counts(self, number: Number) -> bool:
        """Whether a number counts what the sentence lists, "the two" of it, or "3 of the 7" rows.

        A column that a formula takes as a whole has as many cells as the table has rows.
        """
        of_all = self._of_all(number)
        if of_all and any(number.agrees(len(table.rows)) for table in self.reader.tables.values()):
            return True
        cells = [
            cell.described() if cell.one else place
            for formula in self.formulas
            for cell in formula.cells
            for place in range(1 if cell.one else len(cell.table.rows))
        ]
        listed = number.value in self.sentence.listed or number.value == len(cells) > 1
        if number.small and number.unit in ("", "th", "x") and listed:
            return True
        few = number.word and not number.unit and 1 < number.value <= SMALL_UNCITED
        points = few and (of_all or _DEFINITE.search(self.text[: number.start]))
        sizes = [len(self.sentence.near), *(len(cited.table.rows) for cited in self.rows)]
        return bool(points) and number.value <= max(sizes)

    def _is_id(self, number: Number) -> bool:
        """Whether digits are the id of something in another row that the sentence cites."""
        said = number.text.strip()
        return bool(_ID.fullmatch(said)) and len(said) > _PRICE and self.sentence.has(said)

    def _why(self, number: Number) -> str:
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
        """Yield what refuses: a name of no cited row that could be taken for the row's own.

        Beside the row's own name it only opens the line; an id, and a pull behind it, refuse.
        """
        words = [one.table.words_of(one.row) for one in self.rows]
        own = [hit.start for hit in self.found if any(within(hit.name, text) for text in words)]
        for hit in self._strange:
            before = own and (own[-1] > hit.start or not COUNTED.fullmatch(hit.name))
            if not before or (_is_code(hit.name) and not self.sentence.has(hit.name)):
                yield f"{hit.name} is not in the cited row"

    @cached_property
    def _strange(self) -> list[Found]:
        """The names that are in no cited row, and neither the asker's nor words of the field.

        Who is said not to stand in a column that is cited as a whole is none of them.
        """
        columns = all(one.column is not None and not one.row for one in self.cited)
        if self.cited and columns and self.reader.says("not", self.blanked):
            return []
        own = [hit.name.casefold() for hit in self.found if self._cited_name(hit.name)]
        others = (hit for hit in self.found if not any(within(hit.name, name) for name in own))
        return [hit for hit in others if not self._excused(hit)]

    def _excused(self, hit: Found) -> bool:
        """Whether a name is an id that the sentence cites or the asker's, or a word for itself.

        An "Elemental" is no Elemental Mastery.
        """
        said = self.text[hit.start : hit.end].casefold()
        word = said != hit.name.casefold() and said in self.reader.vocabulary
        cited = bool(_ID.fullmatch(hit.name)) and self.sentence.has(hit.name)
        return word or cited or (_is_code(hit.name) and self.reader.asked(hit.name))

    def _cited_name(self, name: str) -> bool:
        # A count of one name says nothing of the others in the column.
        cells = [c for f in self.formulas if not f.counts_among(name) for c in f.cells]
        against = [
            f"{f.against} {c.table.heading}".casefold()
            for f in self.formulas
            for c in f.cells
            if f.against
        ]
        texts = [*against, *(text for one in (*self.cited, *cells) for text in one.texts())]
        stands = any(within(name, text) for text in texts)
        words = [one.words for one in self.cited]
        stands |= any(ends_span(name, self.text, one.table.heading) for one in self.cited)
        return stands or self.reader.stands_with(name, words, code=_is_code(name))

    # Doubts

    def doubts(self) -> Iterator[str]:
        """Yield why the record's line is opened beside the clause; none of it refuses."""
        yield from self.unsure
        for hit in self._strange:
            if not self.sentence.has(hit.name):
                yield f"{hit.name} is not in the cited row"
        if not self.reader.says_anything:
            return
        measured = any(number.value and not number.odd for number in self.numbers)
        nothing = self.reader.says("not", self.blanked) and not self._shows_absence()
        if nothing and self.cited and not measured:
            yield "says that something is not, and the cited row does not show it"
        yield from self._universals()
        yield from self._only()
        yield from self._strangers()

    def _universals(self) -> Iterator[str]:
        """Doubt what is said of all where a count, or a column that says it of all, is missing."""
        if any(f.kind == "count" for f in self.formulas):
            return
        columns = [c for c in self.cited if c.column is not None and not c.row]
        alike = [len(set(c.table.cells(c.column or 0))) == 1 for c in columns]
        if self.reader.says("everyone", self.blanked) and not any(alike):
            yield "speaks of everyone, and cites no count"
        elif columns and not all(alike) and self.reader.says("all", self.blanked):
            yield "speaks of all, and the column does not say the same of each"

    def _shows_absence(self) -> bool:
        """Whether something cited is empty, 0 or negative, or a column or note to look in."""
        for cited in self.cited:
            table, row = cited.table, cited.row
            alone = len(table.rows) == 1 and self.reader.says("else", self.text)
            if not row and (cited.note or not table.rows or alone or self._lacks(cited)):
                return True
            cells = table.cells_of(row) if cited.column is None else ()
            told = self._measures
            empty = any(not cell and (not told or c.spoken_of(told)) for cell, c in cells)
            if row and (empty or self.reader.says("not", table.words_of(row))):
                return True
            if cited.one and not cited.cell:
                return True
        return any(not formula.value for formula in self.formulas)

    def _lacks(self, cited: Cited) -> bool:
        """Whether a whole column is 0, or has words: what of them is missing is not read."""
        if cited.column is None:
            return False
        return not (
            cited.table.columns[cited.column].numeric and any(cited.table.cells(cited.column))
        )

    def _only(self) -> Iterator[str]:
        """Doubt "only Oda" where others have something in the same column."""
        alone = any(_ONLY.search(self.text[: hit.start]) for hit in self.found)
        if not alone and not _ONLY_ONE.search(self.blanked):
            return
        named = [(c.table, c.row, c.column) for c in self.rows if c.column is not None]
        for table, row, place in (*self.matched, *named):
            if any(cell for at, cell in enumerate(table.cells(place), start=1) if at != row):
                yield "speaks of one only, and others have something in that column"
                return

    def _strangers(self) -> Iterator[str]:
        counted = " ".join(formula.against for formula in self.formulas).casefold()
        for match in _CAPITAL.finditer(self.blanked):
            more = _NAME_GOES_ON.match(self.blanked, match.end())
            name = self.blanked[match.start() : more.end() if more else match.end()]
            spoken = within(name, self.reader.said) or name.casefold() in counted
            if not (spoken or self.reader.knows(name)):
                yield f"{name} is not in the record"
                return

    # Lines

    def lines(self, *, whole: bool = True) -> list[str]:
        """Return the record's lines of what is cited, of whole tables too unless `whole` is off."""
        told = [c for c in self.cited if whole or c.row or c.note or c.column is not None]
        lines = [self._line(cited) for cited in told]
        lines += [formula.line() for formula in self.formulas] if whole else []
        return list(dict.fromkeys([*lines, *self.opened]))

    def _line(self, cited: Cited) -> str:
        table = cited.table
        if cited.note:
            return f"{table.notes[cited.note - 1]} — {table.name}"
        if cited.row:
            places = [p for t, r, p in self.alike if t is table and r == cited.row]
            if cited.column is not None:
                places = [cited.column, *places]
            return table.line(cited.row, list(dict.fromkeys(places)))
        if cited.column is not None:
            return table.summary(cited.column)
        return f"{table.name}: {len(table.rows)} rows"
