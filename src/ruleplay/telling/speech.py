"""A model's text on its way to readers: each sentence is checked before it is shown.

A sentence that may not be shown leaves a gap. After the end of the text, one more call may repair
all gaps. What fails again is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from ruleplay.telling.citing import Judged, Reader, Span
from ruleplay.telling.numbers import read
from ruleplay.telling.reasoning import Reasoning
from ruleplay.telling.segments import mark_of
from ruleplay.telling.sentences import Sentences
from ruleplay.telling.table import Must, Table
from ruleplay.telling.tags import TAG

MAX_READ = 20_000
"""Characters of a reply that are read."""
LOOPS_FROM = 12
"""Fewest letters of a repeated sentence that indicate a loop."""
REPAIRED = 12
"""Most gaps that are worth a repair call."""
_ROW = re.compile(r"(?<![\w.])r\d+\.\d+(?=[\].,])")
"""A row that a tag cites; one in a formula is none."""
_ENDS = re.compile(r"(?<=[.!?])\s+")
_NUMBERED = re.compile(r"^\s*(?:\[?gap\s*)?(\d{1,2})\s*[.):\]]\s*(\S.*)$", re.IGNORECASE)
REPAIR = """These sentences of your answer cannot be shown, for the reasons given. Write each again,
on one line that begins with its number, so that it holds by the rows above: correct the tag, the
number or the name, cite what needs a tag, or leave the claim out. Nothing else.

"""


@dataclass(frozen=True)
class Told:
    """What readers got: the text, who wrote it, the rows it cites, and its spans.

    The spans joined are `text`; there are none if code wrote all of it. `refusals` are the reasons
    why sentences were not shown.
    """

    text: str
    source: Literal["model", "policy"]
    citations: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass
class _Unit:
    """A sentence as the model wrote it, with its verdict."""

    written: str
    judged: Judged

    @property
    def failed(self) -> bool:
        return bool(self.judged.refused)


@dataclass
class Speech:
    """A streamed text, judged by `reader`; `say` shows each sentence that passes, at once.

    `thinks_first` is explained in `Reasoning`, `must_cite` in `told`.
    """

    reader: Reader
    say: Callable[[str], None]
    thinks_first: bool = False
    must_cite: bool = False
    _units: list[_Unit] = field(default_factory=list)
    _read: int = 0
    _shown: bool = False
    _seen: set[str] = field(default_factory=set)
    _refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._reasoning = Reasoning(self.thinks_first)
        starts = self.reader.names.starts
        self._sentences = Sentences(unbroken=self.reader.unbroken, starts=starts)
        tables = self.reader.tables.values()
        self._always = [must for table in tables for must in table.musts if must.always]
        # Lines that code adds whatever the model writes, so that the model's own copies can be
        # dropped.
        self._own = {_letters(said) for must in self._always for said in _said(must.line)}
        # Opening lines are shown before the model has written anything.
        for span in self._firsts():
            self.say(span.text)

    @property
    def refusals(self) -> tuple[str, ...]:
        """Why sentences were not shown, each with what the model wrote."""
        return tuple(self._refused)

    def hear(self, text: str) -> None:
        """Take a piece of the model's text, and show sentences that pass."""
        self._take(self._sentences.feed(self._reasoning.feed(text)))

    def end(self, complete: bool = True) -> None:
        """End the text; with `complete=False` the unfinished last sentence is dropped."""
        if complete:
            self._take(self._sentences.feed(self._reasoning.close()))
            self._take(self._sentences.close())
        self._rest_lead_ins()

    def _rest_lead_ins(self) -> None:
        """Judge refused lead-ins again by the rows of the list that they announce.

        "All three are in stock, 30 - 60 mins:" has to hold of each of them.
        """
        for at, unit in enumerate(self._units):
            lead, colon, rest = unit.written.rpartition(":")
            if not unit.failed or unit.judged.tagged or not colon or rest.strip("*_ \n"):
                continue
            items = takewhile(lambda one: one.judged.tagged, self._units[at + 1 :])
            rows = [*dict.fromkeys(row for one in items for row in _ROW.findall(one.written))]
            again = self.reader.judge(f"{lead}{colon} [{', '.join(rows)}]{rest}")
            if rows and not again.refused and all(self._holds(lead, row) for row in rows):
                unit.judged = again

    def _holds(self, text: str, row: str) -> bool:
        """Whether a row alone has all figures of a text; its counts are of several rows."""
        bare = self.reader.nameless(text)
        for number in reversed(read(bare)):
            if number.word:
                bare = bare[: number.start] + bare[number.start + len(number.text) :]
        rested, self.reader.rested = self.reader.rested, ()
        alone = self.reader.judge(f"{bare} [{row}].")
        self.reader.rested = rested
        return not (alone.refused or alone.doubts)

    def _take(self, units: Sequence[str]) -> None:
        """Judge finished units, except code blocks, loops, bare tags and what code says itself."""
        for unit in units:
            self._read += len(unit)
            letters = _letters(unit)
            fence = unit.lstrip().startswith(("```", "~~~"))
            # A tag without words tells nobody anything, so its row's mandatory line is still due.
            bare = letters and not _letters(TAG.sub("", unit))
            if (
                self._read > MAX_READ
                or fence
                or bare
                or (len(letters) >= LOOPS_FROM and letters in self._seen)
                or self._repeats_own(unit)
            ):
                continue
            self._seen.add(letters)
            self._judge(unit)

    def _repeats_own(self, unit: str) -> bool:
        """Whether a sentence is one of those that code adds anyway."""
        bare = TAG.sub("", unit)
        said = {_letters(bare), _letters(bare[len(mark_of(bare)) :])} & self._own
        return any(len(letters) >= LOOPS_FROM for letters in said)

    def _judge(self, unit: str) -> None:
        """Judge a unit, and show it if it passes."""
        judged = self.reader.judge(unit)
        self._units.append(_Unit(unit, judged))
        if judged.refused:
            self._refused.append(f"{'; '.join(judged.refused)}: {unit.strip()[:200]}")
        else:
            shown = "".join(span.text for span in judged.spans)
            self.say(shown if self._shown else shown.lstrip())
            self._shown = True

    def gaps(self) -> str:
        """Write the prompt that asks a model to repair its gaps; empty if there are none."""
        failed = [unit for unit in self._units if unit.failed]
        if not failed or len(failed) > REPAIRED:
            return ""
        asked = [
            f"{number}. {_framed(unit.written)[1]}\n   why: {'; '.join(unit.judged.refused)}"
            + "".join(f"\n   row: {line}" for line in unit.judged.lines)
            for number, unit in enumerate(failed, 1)
        ]
        doubted = [
            f"{unit.written.strip()} ({'; '.join(unit.judged.doubts)})"
            for unit in self._units
            if unit.judged.doubts and not unit.failed
        ]
        also = "\n\nShown, but doubtful: " + " / ".join(doubted) if doubted else ""
        return REPAIR + "\n".join(asked) + also

    def repair(self, text: str) -> None:
        """Take a model's repair: lines that begin with the number of a gap; one gap needs none."""
        failed = [unit for unit in self._units if unit.failed]
        reasoning = Reasoning(self.thinks_first)
        lines = (reasoning.feed(text) + reasoning.close()).split("\n")
        if len(failed) == 1 and not any(map(_NUMBERED.match, lines)):
            lines = [f"1. {' '.join(lines)}"]
        for line in lines:
            found = _NUMBERED.match(line)
            if not found or not 0 < int(found[1]) <= len(failed):
                continue
            unit = failed[int(found[1]) - 1]
            head, _, tail = _framed(unit.written)
            judged = self.reader.judge(head + _framed(found[2])[1] + tail)
            # The first acceptable line for a gap wins.
            if unit.failed and _mends(judged, unit.judged):
                unit.judged = judged

    def told(self, tables: Sequence[Table]) -> Told | None:
        """Return what readers get; None if the policy should reply instead.

        That is the case if no sentence passed, or if most of those with tags failed. With
        `must_cite`, whatever passed is kept, and the policy replies if there are rows but no
        sentence cites one.
        """
        tagged = [unit.failed for unit in self._units if unit.judged.tagged]
        # If most citations failed, the rest would give a distorted picture.
        most = 2 * sum(tagged) > len(tagged) > 0 and not self.must_cite
        if most or self._uncited(tables):
            return None
        spans = list(_joined(self._spans()))
        if not any(char.isalnum() for span in spans for char in span.text):
            return None
        spans[-1] = spans[-1].model_copy(update={"text": spans[-1].text.rstrip()})
        spans = [*self._firsts(), *spans, *self._musts(tables)]
        cites = tuple(dict.fromkeys(cite for span in spans for cite in span.cites))
        return Told(
            "".join(span.text for span in spans), "model", cites, self.refusals, tuple(spans)
        )

    def views(self) -> str:
        """Return what the model said as its own view."""
        texts = (
            "".join(span.text for span in unit.judged.spans)
            for unit in self._units
            if not unit.failed and not unit.judged.tagged
        )
        return "".join(texts).strip()

    def _uncited(self, tables: Sequence[Table]) -> bool:
        rows = any(table.rows for table in tables)
        return (
            self.must_cite
            and rows
            and not any(u.judged.tagged and not u.failed for u in self._units)
        )

    def _spans(self) -> Iterator[Span]:
        for unit in self._units:
            if not unit.failed:
                yield from unit.judged.spans
            # A refused sentence leaves nothing: a row in its place would interrupt the reader.
            elif unit.written.endswith("\n") and not unit.written.lstrip().startswith("|"):
                yield Span(text="\n")

    def _firsts(self) -> Iterator[Span]:
        """Yield the lines that open the reply."""
        for must in self._always:
            if must.always == "first":
                yield Span(text=f"{must.line}\n\n", state="vouched")

    def _musts(self, tables: Sequence[Table]) -> Iterator[Span]:
        """Add the lines of mandatory rows that nothing shown cites, then the closing lines."""
        gap = "\n\n"
        for table in tables:
            for must in table.musts:
                if not must.always and not self._cites(table, must):
                    gap = "\n\n" if "\n" in must.line else gap
                    span = Span(text=f"{gap}{must.line}", state="vouched", lines=(must.line,))
                    self.say(span.text)
                    gap = "\n\n" if "\n" in must.line else " "
                    yield span
        told = "".join(s.text for u in self._units if not u.failed for s in u.judged.spans)
        for line in dict.fromkeys(must.line for must in self._always if must.closes(told)):
            span = Span(text=f"\n\n{line}", state="vouched")
            self.say(span.text)
            yield span

    def _cites(self, table: Table, must: Must) -> bool:
        cited = self.reader.cited
        if must.denies is not None:
            row = re.compile(rf"\b{table.id}\.{must.row}\b")
            told = (span for unit in self._units if not unit.failed for span in unit.judged.spans)
            own = (span.text for span in told if any(map(row.search, span.cites)))
            return any(self.reader.says("not", text) == must.denies for text in own)
        if must.row:
            return (table.id, must.row) in cited
        return any(name == table.id for name, _ in cited)


def _framed(unit: str) -> tuple[str, str, str]:
    """Part a unit into what carries paragraphs and lists, its sentence, and the blanks after it."""
    start = len(unit) - len(unit.lstrip())
    start += len(mark_of(unit[start:]))
    body = unit[start:].rstrip()
    return unit[:start], body, unit[start + len(body) :]


def _letters(text: str) -> str:
    """Reduce a text to its letters and digits, for comparison."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _said(line: str) -> list[str]:
    """List the pieces of a line, with and without list marks."""
    pieces = [piece for row in line.splitlines() for piece in (row, *_ENDS.split(row))]
    return [*pieces, *(piece[len(mark_of(piece)) :] for piece in pieces)]


def _mends(again: Judged, before: Judged) -> bool:
    """Whether a repair may fill a gap: it passes, and still cites or at least says something."""
    says = again.tagged or (not before.tagged and any(s.state == "view" for s in again.spans))
    return says and not again.refused


def _joined(spans: Iterator[Span]) -> Iterator[Span]:
    """Join the spans of sentences, without a leading blank but with blanks between words."""
    last = ""
    for span in spans:
        text = span.text if last else span.text.lstrip()
        if last and not last[-1].isspace() and text[:1].isalnum():
            text = f" {text}"
        if text:
            last = text
            yield span.model_copy(update={"text": text}) if text != span.text else span
