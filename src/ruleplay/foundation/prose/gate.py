"""The gate: model text goes in by chunks, checked text comes out; nothing unchecked ever does.

Reasoning is stripped, the text cut into sentences, each sentence checked. A refused sentence is
replaced in place by the template words of the facts it was about, as far as they are untold. A
sentence that was shown before is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from ruleplay.foundation.claims import Check, Fact
from ruleplay.foundation.telling.reasoning import Reasoning
from ruleplay.foundation.telling.sentences import Sentences

MAX_SHOWN = 20_000
_LOOPS_FROM = 12
_MARK = re.compile(r"\s*(?:(?:[-*•+>]|\d{1,3}[.)]|#{1,6})\s+)?")


Cite = Callable[[str, tuple[str, ...]], str]
"""Puts the citations of a piece of text into it: (text, ids of the facts it rests on) -> text."""


def uncited(text: str, citations: tuple[str, ...]) -> str:
    """Leave a piece of text as it is."""
    return text


def _letters(unit: str) -> str:
    return "".join(char for char in unit.casefold() if char.isalnum())


class Passed(BaseModel):
    """A piece of text that may be shown; `citations` are ids of the facts that carry it.

    `replaced`: template words stand in for what the model wrote, which had these `problems`.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    citations: tuple[str, ...] = ()
    replaced: bool = False
    problems: tuple[str, ...] = ()


class Refused(BaseModel):
    """A sentence that was not shown, and why."""

    model_config = ConfigDict(frozen=True)

    sentence: str
    problems: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """What a gate did: sentences passed, dropped and repeated, must-facts appended, refusals."""

    passed: int = 0
    dropped: int = 0
    repeated: int = 0
    appended: int = 0
    refused: list[Refused] = field(default_factory=list)


class Gate:
    """Checks one reply: `feed` its chunks, then `close`; show what they return, in order.

    `max_shown` bounds the model's text in characters: the rest of the reply is not read. `cite`
    writes what a piece rests on into it, where an agent shows that.
    """

    def __init__(
        self,
        check: Check,
        facts: Sequence[Fact],
        thinks_first: bool = False,
        max_shown: int = MAX_SHOWN,
        cite: Cite = uncited,
    ) -> None:
        self.tally = Tally()
        self._cite = cite
        self._check = check
        self._facts = tuple(facts)
        self._reasoning = Reasoning(thinks_first)
        self._sentences = Sentences()
        self._told: dict[str, None] = {}
        self._read = 0
        self._max = max_shown
        self._last = ""
        self._seen: set[str] = set()

    def feed(self, chunk: str) -> list[Passed]:
        """Take a chunk of the model's text; return what may be shown now."""
        return self._judge(self._sentences.feed(self._reasoning.feed(chunk)))

    def close(self, complete: bool = True) -> list[Passed]:
        """End the reply; add must-facts still untold, in record order.

        With `complete=False` (deadline, error) the unfinished last unit is dropped unread.
        """
        shown: list[Passed] = []
        if complete:
            units = self._sentences.feed(self._reasoning.close())
            shown = self._judge([*units, *self._sentences.close()])
        untold = [fact for fact in self._facts if fact.must and fact.id not in self._told]
        for fact in untold:
            self.tally.appended += 1
            shown.append(self._say((fact,), "", ()))
        return shown

    def _judge(self, units: Iterable[str]) -> list[Passed]:
        shown: list[Passed] = []
        for unit in units:
            self._read += len(unit)
            if self._read > self._max:
                break
            passed = self._judge_one(unit)
            if passed is not None:
                shown.append(passed)
        return shown

    def _judge_one(self, unit: str) -> Passed | None:
        if not unit.strip():
            return self._show(unit) if self._last else None
        if self._repeats(unit):
            self.tally.repeated += 1
            return self._keep_layout(unit)
        reading = self._check(unit, self._facts)
        if not reading.problems:
            self.tally.passed += 1
            self._seen.add(_letters(unit))
            return self._show(unit, reading.tells)
        self.tally.dropped += 1
        self.tally.refused.append(Refused(sentence=unit, problems=reading.problems))
        about = {*reading.about, *reading.tells}
        untold = tuple(f for f in self._facts if f.id in about and f.id not in self._told)
        if untold:
            return self._say(untold, unit, reading.problems)
        return self._keep_layout(unit)

    def _repeats(self, unit: str) -> bool:
        """Whether the unit was shown before: small models go round in loops."""
        letters = _letters(unit)
        return len(letters) >= _LOOPS_FROM and letters in self._seen

    def _show(self, text: str, citations: tuple[str, ...] = ()) -> Passed:
        text = self._separated(self._cite(text, citations))
        self._told.update(dict.fromkeys(citations))
        self._last = text or self._last
        return Passed(text=text, citations=citations)

    def _say(self, facts: tuple[Fact, ...], instead_of: str, problems: tuple[str, ...]) -> Passed:
        """Say facts in the template's words, laid out like the sentence they replace."""
        mark = _MARK.match(instead_of)
        lead = mark[0] if mark else ""
        tail = instead_of[len(instead_of.rstrip()) :]
        if any(fact.block for fact in facts):
            text = self._gap() + "\n".join(f"- {self._said(fact)}" for fact in facts) + "\n\n"
        else:
            text = self._separated(lead + " ".join(map(self._said, facts)) + tail)
        citations = tuple(fact.id for fact in facts)
        self._told.update(dict.fromkeys(citations))
        self._last = text
        return Passed(text=text, citations=citations, replaced=bool(instead_of), problems=problems)

    def _said(self, fact: Fact) -> str:
        return self._cite(fact.says, (fact.id,))

    def _keep_layout(self, unit: str) -> Passed | None:
        """Leave a dropped unit's line break, so that the next paragraph stays one."""
        if "\n" in unit and self._last and not self._last.endswith("\n"):
            return self._show("\n")
        return None

    def _gap(self) -> str:
        """Return what makes the next piece start a paragraph; blocks leave one open behind them."""
        ends = len(self._last) - len(self._last.rstrip("\n"))
        return "\n" * (2 - min(ends, 2)) if self._last else ""

    def _separated(self, text: str) -> str:
        """Put a space between two pieces that would otherwise touch; none at the very start."""
        if not self._last:
            return text.lstrip()
        touching = not self._last[-1].isspace() and text[:1] and not text[0].isspace()
        return f" {text}" if touching else text
