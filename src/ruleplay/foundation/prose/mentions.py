"""Finds what a sentence mentions: names, quantities, outcome words, pronouns, breaks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from ruleplay.foundation.prose import numbers, words
from ruleplay.foundation.prose.lexicon import Outcome, Unit
from ruleplay.foundation.prose.numbers import Interval, exactly
from ruleplay.foundation.prose.record import Record, Vocabulary
from ruleplay.foundation.prose.spelling import TOKEN

Sort = Literal["name", "quantity", "outcome", "cue", "foreign", "pronoun", "break", "word"]
_SUFFIXED = re.compile(r"(\d+(?:[.,]\d+)?)([^\W\d_]+)\Z")
_HOURS = re.compile(r"(\d+)h(\d\d)\Z")
_BIG = {"k": 1_000, "m": 1_000_000, "mio": 1_000_000, "bn": 1_000_000_000, "b": 1_000_000_000}
_FAR_OVER, _FAR_UNDER, _NEARLY = Fraction(5, 4), Fraction(4, 5), Fraction(9, 10)
_ORDINALS = frozenset(("st", "nd", "rd", "th", "e", "er", "ère", "ème", "eme", "nde"))


@dataclass(slots=True)
class Mention:
    """One thing mentioned; which fields are filled depends on `sort`."""

    sort: Sort
    text: str
    size: int = 1
    keys: tuple[str, ...] = ()
    interval: Interval | None = None
    dimension: str = ""
    kinds: frozenset[str] = frozenset()
    outcome: tuple[Outcome, ...] = ()
    negated: bool = False
    owner: bool = False
    bounded: str = ""
    starts: bool = False
    counts: bool = False


@dataclass(slots=True)
class Scan:
    """One pass over a sentence's tokens."""

    vocabulary: Vocabulary
    record: Record
    tokens: list[re.Match[str]]
    low: list[str] = field(default_factory=list)
    numbered: list[bool] = field(default_factory=list)

    def mentions(self) -> list[Mention]:
        """Return the mentions in order; together they cover every token."""
        self.low = [token[0].casefold() for token in self.tokens]
        self.numbered = [token.lastgroup in ("number", "mixed") for token in self.tokens]
        found: list[Mention] = []
        at = 0
        while at < len(self.low):
            mention = self._next(at)
            found.append(mention)
            at += mention.size
        return found

    def _next(self, at: int) -> Mention:
        return (
            self._name(at)
            or self._recorded(at)
            or self._foreign_id(at)
            or self._quantity(at)
            or self._phrase(at)
            or self._foreign(at)
            or self._plain(at)
        )

    def _name(self, at: int) -> Mention | None:
        found = self.vocabulary.names.find(self.low, at)
        own = self.record.names.find(self.low, at)
        if own and (not found or own[0] > found[0]):
            found = own
        if not found:
            return self._squeezed(at)
        size = found[0]
        if self._numbered_otherwise(at, size):
            return Mention("foreign", " ".join(self.low[at : at + size + 1]), size + 1)
        owner = at + size < len(self.low) and self.low[at + size] in ("'s", "'")
        text = " ".join(token[0] for token in self.tokens[at : at + size])
        return Mention("name", text, size + owner, keys=tuple(found[1]), owner=owner)

    def _numbered_otherwise(self, at: int, size: int) -> bool:
        """Whether a name goes on with a number that nobody of that name has ("goblin 7")."""
        after = at + size
        return (
            after < len(self.low)
            and self.tokens[after].lastgroup == "number"
            and " ".join(self.low[at:after]) in self.vocabulary.numbered
            and self._unit_after(after + 1)[0] is None
        )

    def _recorded(self, at: int) -> Mention | None:
        """Find a recorded phrase: its figures are no quantities ("fits.csv line 129")."""
        found = self.record.outcomes.find(self.low, at)
        if not found or (found[0] == 1 and self.tokens[at].lastgroup == "word"):
            return None
        text = " ".join(self.low[at : at + found[0]])
        return Mention("outcome", text, found[0], outcome=tuple(found[1]))

    def _squeezed(self, at: int) -> Mention | None:
        """Find an id written with dashes, dots or spaces the record does not have."""
        if True not in self.numbered[at : at + 4]:
            return None
        if self.tokens[at].lastgroup not in ("mixed", "word"):
            return None
        for size in (4, 3, 2, 1):
            part = self.low[at : at + size]
            text = re.sub(r"[-./]", "", "".join(part))
            if len(part) == size and any(char.isdigit() for char in text) and len(text) > 3:
                found = self.vocabulary.names.find([text], 0) or self.record.names.find([text], 0)
                if found and found[0] == 1:
                    return Mention("name", text, size, keys=tuple(found[1]))
        return None

    def _foreign_id(self, at: int) -> Mention | None:
        """Find a token that has the form of an id but is none we know."""
        pattern, token = self.vocabulary.id_pattern, self.tokens[at]
        numbered = pattern is not None and self.numbered[at]
        if pattern is None or not numbered or not pattern.fullmatch(token[0]):
            return None
        return Mention("foreign", token[0])

    def _quantity(self, at: int) -> Mention | None:
        start, bound = self._bound(at)
        read = self._number(start)
        if read is None:
            return None
        interval, unit, size = read
        if start == at and self._is_label(at):
            return Mention("word", self.low[at], size)
        if not bound and at and self.low[at - 1] in ("between", "entre", "from"):
            bound = "range"
        if unit is None:
            unit, gap = self._unit_after(start + size)
            size += gap
        text = " ".join(self.low[at : start + size])
        counts = self._counts_unknown(start + size, unit)
        if unit and unit.dimension in ("time", "usd"):
            interval = interval.times(unit.factor)
            interval, size = self._smaller_unit(interval, unit, start, size)
        elif unit:
            interval = interval.times(unit.factor)
        return Mention(
            "quantity",
            text,
            start - at + size,
            interval=_bounded(interval, bound),
            dimension=unit.dimension if unit else "",
            kinds=unit.kinds if unit else frozenset(),
            bounded=bound,
            counts=counts,
        )

    def _counts_unknown(self, at: int, unit: Unit | None) -> bool:
        """Whether a noun we do not know follows a number ("12 potions", "$5 shipping")."""
        if at < len(self.low) and self.low[at] == "-":
            at += 1
        if at >= len(self.low) or self.tokens[at].lastgroup != "word":
            return False
        low = self.low[at]
        if unit is not None:
            return low in words.NOT_THE_WHOLE
        if low in words.FOLLOWERS or low in words.VERBS or low.endswith("ly"):
            return False
        tables = (self.vocabulary.names, self.record.names, self.vocabulary.outcomes)
        if any(table.find(self.low, at) for table in tables):
            return False
        return not self.record.outcomes.find(self.low, at) and not self._unit(at)

    def _smaller_unit(
        self, interval: Interval, unit: Unit, start: int, size: int
    ) -> tuple[Interval, int]:
        """Add the rest of "2 minutes [and] 30 seconds", "5 dollars and 10 cents"."""
        at = start + size + (self.low[start + size : start + size + 1] in (["and"], ["et"]))
        read = self._number(at) if interval.low == interval.high else None
        if read is None:
            return interval, size
        smaller, gap = (read[1], 0) if read[1] else self._unit_after(at + read[2])
        if smaller is None or smaller.dimension != unit.dimension or smaller.factor >= unit.factor:
            return interval, size
        more = read[0].times(smaller.factor)
        return exactly(interval.low + more.low), at + read[2] + gap - start

    def _bound(self, at: int) -> tuple[int, str]:
        found = words.BOUNDS.find(self.low, at)
        if found is None:
            return at, ""
        return (at + found[0], found[1][0]) if at + found[0] < len(self.low) else (at, "")

    def _number(self, at: int) -> tuple[Interval, Unit | None, int] | None:
        """Read a number or a range: its values, a unit written inside, how many tokens."""
        first = self._single(at)
        if first is None:
            return None
        value, unit, size = first
        link = self.low[at + size] if at + size < len(self.low) else ""
        between = at > 0 and self.low[at - 1] in ("between", "entre")
        if link in ("-", "to", "à") or (between and link in ("and", "et")):
            second = self._single(at + size + 1)
            if (second and second[0] > value and link != "-") or (second and link == "-"):
                upper, unit = second[0], second[1] or unit
                return Interval(min(value, upper), max(value, upper)), unit, size + 1 + second[2]
        return exactly(value), unit, size

    def _single(self, at: int) -> tuple[Fraction, Unit | None, int] | None:
        if at >= len(self.low):
            return None
        text, group = self.low[at], self.tokens[at].lastgroup
        if text in ("$", "€", "£", "usd", "eur", "gbp"):
            read = self._single(at + 1)
            return (read[0], self._unit(at), read[2] + 1) if read and not read[1] else None
        if group == "number":
            value, size = numbers.figure(text), 1
            scale = self.low[at + 1] if at + 1 < len(self.low) else ""
            if scale in numbers.SCALES and scale not in ("cents", "m", "k"):
                value, size = value * numbers.SCALES[scale], 2
            return value, None, size
        if group == "time":
            parts = [int(part) for part in text.split(":")]
            seconds = sum(part * 60**power for power, part in enumerate(reversed(parts)))
            return Fraction(seconds), Unit("time"), 1
        if group == "mixed":
            return self._mixed(text)
        return self._spelled(at) if group == "word" else None

    def _mixed(self, text: str) -> tuple[Fraction, Unit | None, int] | None:
        """Read "30min", "12k", "1h30"; an ordinal or an id is no number."""
        hours = _HOURS.match(text)
        if hours:
            return Fraction(int(hours[1]) * 3600 + int(hours[2]) * 60), Unit("time"), 1
        found = _SUFFIXED.match(text)
        if found is None:
            return None
        if found[2] in _BIG:
            return numbers.figure(found[1]) * _BIG[found[2]], None, 1
        unit = self.vocabulary.units.find([found[2]], 0)
        return (numbers.figure(found[1]), unit[1][0], 1) if unit else None

    def _spelled(self, at: int) -> tuple[Fraction, Unit | None, int] | None:
        read = numbers.spelled(self.low, at)
        if read is None:
            return self._one_or_none(at)
        before = self.low[at - 1] if at else ""
        if read.size == 1 and 1 < read.value <= 10 and before in words.DEFINITE:
            # "the two of them" counts nothing; "the two minutes" do.
            return (read.value, None, 1) if self._unit_after(at + 1)[0] else None
        if self.low[at] in numbers.TIMES:
            return read.value, Unit("times"), read.size
        if self.low[at + read.size - 1] in numbers.FRACTIONS and read.value < 1:
            return self._share(at, read)
        return read.value, None, read.size

    def _share(self, at: int, read: numbers.Read) -> tuple[Fraction, Unit | None, int] | None:
        """Read "half" as a share, "half an hour" as a time; "half-hearted" is neither."""
        end = at + read.size
        if self.low[end : end + 1] == ["-"]:
            return None
        if self.low[end : end + 1] in (["an"], ["a"]) and self._unit(end + 1):
            return read.value, self._unit(end + 1), read.size + 2
        return read.value, Unit("share"), read.size

    def _one_or_none(self, at: int) -> tuple[Fraction, Unit | None, int] | None:
        """Read "one minute", "an hour", "no damage": a lone "one" or "no" is no number."""
        word, after = self.low[at], self.low[at + 1 : at + 2]
        if (
            word == "once"
            and self.low[at - 1 : at] != ["at"]
            and (not after or not after[0].isalpha())
        ):
            return (Fraction(1), Unit("times"), 1) if at else None
        if word == "third" and self.low[at - 1 : at] in (["a"], ["one"]):
            return Fraction(1, 3), Unit("share"), 1
        if word in ("one", "un", "une") and self._counts_one(at + 1):
            return Fraction(1), None, 1
        if word in ("an", "a") and after == ["hour"]:
            return Fraction(1), None, 1
        return (Fraction(0), None, 1) if word == "no" and self._unit(at + 1) else None

    def _counts_one(self, at: int) -> bool:
        unit = self._unit(at)
        return bool(unit) or bool(at < len(self.low) and self.record.outcomes.find(self.low, at))

    def _unit(self, at: int) -> Unit | None:
        found = self.vocabulary.units.find(self.low, at) if at < len(self.low) else None
        return found[1][0] if found else None

    def _unit_after(self, at: int) -> tuple[Unit | None, int]:
        """Find the unit right after a number, or after a few adjectives ("7 points of fire")."""
        for gap in range(3):
            place = at + gap
            if place >= len(self.low):
                break
            found = self.vocabulary.units.find(self.low, place)
            if found and (gap == 0 or self.low[at] == "-" or not found[1][0].dimension):
                return found[1][0], gap + found[0]
            low = self.low[place]
            plural = low.endswith("s") and low != "points"
            adjective = low.isalpha() and low not in words.FUNCTION and not plural
            pointed = self.low[place] in ("of", "de") and gap and self.low[place - 1][:5] == "point"
            dash = self.low[place] == "-" and gap == 0
            if not (adjective or pointed or dash) or self._names_or_acts(place):
                break
        return None, 0

    def _names_or_acts(self, at: int) -> bool:
        found = self.vocabulary.names.find(self.low, at) or self.record.names.find(self.low, at)
        return bool(found)

    def _is_label(self, at: int) -> bool:
        """Whether a number only counts steps or list items ("step 1", "2. Then", "#3")."""
        if at == 0 or all(self.low[index] in "->|#" for index in range(at)):
            after = self.low[at + 1] if at + 1 < len(self.low) else ""
            return after in (".", ")") and at + 2 < len(self.low)
        before = self.low[at - 1]
        return before in words.LABELS or before in self.vocabulary.lexicon.labels

    def _phrase(self, at: int) -> Mention | None:
        known = self.vocabulary.outcomes.find(self.low, at)
        own = self.record.outcomes.find(self.low, at)
        if own and (not known or own[0] > known[0]):
            known = own
        unit = self.vocabulary.units.find(self.low, at)
        if unit and unit[1][0].kinds and (not known or unit[0] >= known[0]):
            return Mention("cue", self.low[at], unit[0], kinds=unit[1][0].kinds)
        if known:
            text = " ".join(self.low[at : at + known[0]])
            return Mention("outcome", text, known[0], outcome=tuple(known[1]))
        return None

    def _foreign(self, at: int) -> Mention | None:
        token = self.tokens[at]
        text = token[0]
        if token.lastgroup == "whole":
            return Mention("foreign", text)
        if token.lastgroup == "mixed":
            found = _SUFFIXED.match(self.low[at])
            harmless = found and found[2] in _ORDINALS
            return None if harmless else Mention("foreign", text)
        if token.lastgroup != "word" or not text[0].isupper() or self._common(at):
            return None
        return Mention("foreign", text, starts=not at or self._starts_clause(at))

    def _common(self, at: int) -> bool:
        """Whether a capitalised word is no name: it is known, or a sentence may well start so."""
        low = self.low[at]
        if low in words.COMMON or low in self.vocabulary.words or low in self.record.words:
            return True
        if self.vocabulary.units.find(self.low, at):
            return True
        starts = not at or self._starts_clause(at)
        return starts and low.endswith(words.COMMON_ENDINGS) and len(low) > 5

    def _starts_clause(self, at: int) -> bool:
        return all(not token[0].isalpha() for token in self.tokens[:at]) or (
            self.low[at - 1] in (".", "!", "?", ":", "|", '"', "(")
            or (self.low[at - 1] == "," and at <= 5 and set(self.low[: at - 1]) <= words.OPENING)
        )

    def _plain(self, at: int) -> Mention:
        low = self.low[at]
        if low in words.PRONOUNS:
            return Mention("pronoun", low)
        if low in words.BREAKS:
            return Mention("break", low)
        return Mention("word", low)


def _bounded(interval: Interval, bound: str) -> Interval:
    """Apply "more than", "nearly", … to a number.

    A bound holds for what is within a quarter of it: "more than 40" may tell of 42, but "up to
    300" of 12 would be a number from somewhere else.
    """
    low, high = interval
    tiny = Fraction(1, 10**9)
    bounds = {
        "over": Interval(high + tiny, high * _FAR_OVER),
        "least": Interval(low, low * _FAR_OVER),
        "under": Interval(low * _FAR_UNDER, low - tiny),
        "most": Interval(high * _FAR_UNDER, high),
        "nearly": Interval(low * _NEARLY, low - tiny),
    }
    return bounds.get(bound, interval)


def scan(text: str, vocabulary: Vocabulary, record: Record) -> list[Mention]:
    """Return what normalised `text` mentions, in order."""
    return Scan(vocabulary, record, list(TOKEN.finditer(text))).mentions()
