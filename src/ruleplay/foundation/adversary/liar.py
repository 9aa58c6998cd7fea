"""Lies made from true facts and checked to be false, and truths in other words.

A lie changes a claim of a fact (a number, a name, a direction, a verdict) and its sentence with it.
It counts only when the changed claim is told in that sentence and no fact carries it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import combinations

from ruleplay.foundation.adversary.lies import words
from ruleplay.foundation.claims import Claim, Fact
from ruleplay.foundation.prose.phrasebook import Phrasebook

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Edit:
    """Words and numbers to exchange, all at once; `spoken` are other spellings in the sentence."""

    swaps: Mapping[str, str]
    why: str
    spoken: Mapping[str, str] = field(default_factory=dict)

    def text(self, text: str) -> str:
        """Return the sentence with the exchange made, in its own spelling."""
        return _exchanged(text, {**self.swaps, **self.spoken})

    def claim(self, claim: Claim) -> Claim:
        """Return the claim with the same exchange in subject, value and object."""
        return Claim(
            kind=claim.kind,
            subject=_exchanged(claim.subject, self.swaps),
            value=_exchanged(claim.value, self.swaps),
            object=_exchanged(claim.object, self.swaps),
        )


@dataclass(frozen=True)
class Line:
    """A true clause without closing punctuation, and the claims that are told in it."""

    says: str
    claims: tuple[Claim, ...]


class Liar:
    """Draws lies and truths from the facts of one call."""

    def __init__(self, rng: random.Random, facts: Sequence[Fact], book: Phrasebook) -> None:
        self._rng, self._facts, self._book = rng, tuple(facts), book
        self._claims = [claim for fact in facts for claim in fact.claims]
        self._counts = Counter((c.kind, c.subject, c.object) for c in self._claims)
        self._keys = {key(claim) for claim in self._claims}
        self._said = words(" ".join(fact.says for fact in facts))
        self._lines = [line for fact in facts for line in _lines(fact)]
        self._lines += [line for claim in self._claims for line in self._phrased(claim)]

    def truths(self) -> list[tuple[str, bool]]:
        """Return true clauses, shuffled, each with whether its words differ from the facts' own."""
        phrased = [line.says for claim in self._claims for line in self._phrased(claim)]
        own = [fact.says.rstrip(".! ") for fact in self._facts if fact.says]
        clauses = [(clause, self._is_new(clause)) for clause in dict.fromkeys((*own, *phrased))]
        self._rng.shuffle(clauses)
        return clauses

    def lie(self) -> tuple[str, str] | None:
        """Return a false clause and what is false in it, or None when the facts give no room."""
        for _ in range(12):
            made = self._rng.choice(_MAKERS)(self)
            if made and self._is_new(made[0]):
                return made
        return None

    def cut(self) -> tuple[str, str] | None:
        """Return a true line that ends inside a number, so that another number is left."""
        for line in self._rng.sample(self._lines, len(self._lines)):
            for claim in line.claims:
                number = _NUMBER.search(claim.value)
                if number is None or len(number[0]) < 2 or number[0] not in line.says:
                    continue
                edit = Edit({number[0]: number[0][0]}, "number cut by the end of the stream")
                clause = line.says[: line.says.index(number[0]) + 1]
                if key(edit.claim(claim)) not in self._keys and self._is_new(clause):
                    return clause, edit.why
        return None

    def _is_new(self, clause: str) -> bool:
        needle = words(clause)
        return needle.count(" ") > 2 and needle not in self._said

    def _phrased(self, claim: Claim) -> list[Line]:
        templates = self._book.phrasing.get(claim.kind, ())
        slots = {"subject": claim.subject, "value": claim.value, "object": claim.object}
        return [
            Line(template.format(**slots), (claim,))
            for template in templates
            if all(slots[name] for name in slots if "{%s}" % name in template)  # noqa: UP031
        ]

    def edited(self) -> tuple[str, str] | None:
        """Change a number, a name or a direction in a true line."""
        lines = [line for line in self._lines if line.claims]
        if not lines:
            return None
        line = self._rng.choice(lines)
        edit = self._rng.choice(_EDITS)(self, self._rng.choice(line.claims), line)
        if edit is None or (clause := edit.text(line.says)) == line.says:
            return None
        changed = [made for c in line.claims if key(made := edit.claim(c)) != key(c)]
        false = changed and all(key(made) not in self._keys for made in changed)
        return (clause, edit.why) if false else None

    def negated(self) -> tuple[str, str] | None:
        """Turn a verdict round, where the fact is the only one about its subject and kind."""
        lines = [line for line in self._lines if line.claims and all(map(self._alone, line.claims))]
        if not lines:
            return None
        line = self._rng.choice(lines)
        if self._rng.random() < 0.25:
            return f"it is not true that {decapitalised(line.says)}", "negated as a whole"
        old, new = self._rng.choice(_NEGATIONS)
        clause = re.sub(rf"\b{old}\b", new, line.says, count=1)
        if clause == line.says or any(self._speaks_of(c, _stem(new)) for c in line.claims):
            return None
        return clause, f"verdict turned: {old!r} to {new!r}"

    def _alone(self, claim: Claim) -> bool:
        return self._counts[claim.kind, claim.subject, claim.object] == 1

    def _speaks_of(self, claim: Claim, stem: str) -> bool:
        about = [c for c in self._claims if claim.subject in (c.subject, c.object)]
        return any(f" {stem}" in words(f"{c.kind.replace('_', ' ')} {c.value}") for c in about)

    def outcome(self) -> tuple[str, str] | None:
        """Invent an outcome for a known subject about which no fact says anything like it."""
        subjects = sorted({claim.subject for claim in self._claims if claim.subject})
        if not subjects or not self._book.outcomes:
            return None
        subject, outcome = self._rng.choice(subjects), self._rng.choice(self._book.outcomes)
        about = [f for f in self._facts if any(subject in (c.subject, c.object) for c in f.claims)]
        kinds = " ".join(f"{c.kind.replace('_', ' ')} {c.value}" for f in about for c in f.claims)
        known = words(" ".join(f.says for f in about) + " " + kinds)
        if any(f" {stem}" in known for stem in outcome.stems):
            return None
        return outcome.says.format(subject=subject), "outcome invented"

    def compared(self) -> tuple[str, str] | None:
        """Claim a ratio between two subjects that their numbers do not have."""
        numeric = [
            (claim, amount)
            for claim in self._claims
            if (amount := _amount(claim.value)) is not None and self._alone(claim)
        ]
        if not numeric:
            return None
        one, x = self._rng.choice(numeric)
        others = [(c, y) for c, y in numeric if c.kind == one.kind and c.subject != one.subject]
        if not others:
            return None
        other, y = self._rng.choice(others)
        says, ratio = self._rng.choice((("twice", Decimal(2)), ("half", Decimal("0.5"))))
        if abs(x - ratio * y) * 5 <= abs(ratio * y):
            return None
        what = one.kind.replace("_", " ")
        return f"the {what} of {one.subject} is {says} that of {other.subject}", "ratio invented"

    def _number_edit(self, claim: Claim, line: Line) -> Edit | None:
        """Put another subject's number, or one slightly off, in the place of the true one."""
        old = _NUMBER.search(claim.value)
        if old is None:
            return None
        style = self._rng.choice(("swapped", "altered", "in words"))
        new = self._borrowed(claim) if style == "swapped" else self._altered(old[0])
        if _amount(new) == _amount(old[0]) or (style != "swapped" and _amount(new) in self._sums()):
            return None
        spoken = {old[0]: new}
        if old[0].isdigit() and len(old[0]) > 3 and new.isdigit():
            spoken[f"{int(old[0]):,}"] = f"{int(new):,}"
        if style == "in words":
            if not new.isdigit() or int(new) > 100:
                return None
            spoken = {old[0]: in_words(int(new))}
        return Edit({old[0]: new}, f"number {style}: {new} for {old[0]}", spoken)

    def _borrowed(self, claim: Claim) -> str:
        others = [c for c in self._claims if c.kind == claim.kind and c.subject != claim.subject]
        numbers = [n[0] for c in others or self._claims if (n := _NUMBER.search(c.value))]
        return self._rng.choice(numbers)

    def _altered(self, number: str) -> str:
        whole, point, rest = number.partition(".")
        if not whole.isdigit():
            return number
        value = int(whole)
        near = [value + 1, abs(value - 1), value * 2, value * 10, value // 2, int(whole[::-1])]
        return f"{self._rng.choice(near)}{point}{rest}"

    def _sums(self) -> set[Decimal]:
        """Return sums and differences of two known numbers: a true total is not a lie."""
        known = {a for c in self._claims[:60] if (a := _amount(c.value)) is not None}
        pairs = list(combinations(known, 2))
        return {x + y for x, y in pairs} | {abs(x - y) for x, y in pairs}

    def _name_edit(self, claim: Claim, line: Line) -> Edit | None:
        """Put another known name in the place of the subject or the object."""
        role = self._rng.choice(("subject", "object"))
        old = str(getattr(claim, role))
        names = {str(getattr(c, role)): c.kind for c in self._claims}
        others = {n: kind for n, kind in names.items() if n and n not in line.says}
        peers = [name for name, kind in others.items() if kind == claim.kind]
        if not old or not (pool := sorted(peers or others)):
            return None
        new = self._rng.choice(pool)
        return Edit({old: new}, f"{role} swapped: {new} for {old}")

    def _value_edit(self, claim: Claim, line: Line) -> Edit | None:
        """Put another value of the same kind (a verdict, a weapon) in the place of this one."""
        values = {c.value for c in self._claims if c.kind == claim.kind} - {claim.value, ""}
        if not values or not claim.value or claim.value not in line.says:
            return None
        new = self._rng.choice(sorted(values))
        return Edit({claim.value: new}, f"value swapped: {new} for {claim.value}")

    def _direction_edit(self, claim: Claim, line: Line) -> Edit | None:
        """Exchange who did it and to whom; only between subjects of the same sort."""
        subjects = {c.subject for c in self._claims}
        if not claim.object or claim.object not in subjects or claim.subject == claim.object:
            return None
        return Edit(
            {claim.subject: claim.object, claim.object: claim.subject},
            f"direction reversed: {claim.object} and {claim.subject}",
        )

    def _foreign_edit(self, claim: Claim, line: Line) -> Edit | None:
        """Put a name or an id nobody has heard of in the place of a known one."""
        old = self._rng.choice([name for name in (claim.subject, claim.object) if name] or [""])
        digits = re.search(r"\d{3,}", old)
        new = self._rng.choice(list(self._book.names) or [""])
        if digits:
            other = f"{self._rng.randrange(10 ** len(digits[0])):0{len(digits[0])}d}"
            new = old.replace(digits[0], other)
        if not old or not new or words(new) in self._said:
            return None
        return Edit({old: new}, f"foreign name: {new} for {old}")


_MAKERS: Sequence[Callable[[Liar], tuple[str, str] | None]] = (
    *(Liar.edited,) * 6,
    Liar.negated,
    Liar.outcome,
    Liar.compared,
)
_EDITS: Sequence[Callable[[Liar, Claim, Line], Edit | None]] = (
    Liar._number_edit,
    Liar._number_edit,
    Liar._name_edit,
    Liar._value_edit,
    Liar._direction_edit,
    Liar._foreign_edit,
)
_NEGATIONS = (
    ("is not", "is"),
    ("is", "is not"),
    ("are", "are not"),
    ("was", "was not"),
    ("does not", "does"),
    ("fits", "does not fit"),
    ("hits", "misses"),
    ("misses", "hits"),
    ("dies", "survives"),
    ("survives", "dies"),
    ("cannot", "can"),
    ("can", "cannot"),
    ("has", "no longer has"),
    ("listed", "missing from the list"),
    ("compatible", "incompatible"),
)


def key(claim: Claim) -> tuple[str, ...]:
    """Return what makes two claims the same: letter case, spaces and `5.0` against `5` do not."""
    numbers = re.sub(_NUMBER, lambda n: str(_amount(n[0])), claim.value)
    return (
        claim.kind,
        words(claim.subject),
        " ".join(numbers.casefold().split()),
        words(claim.object),
    )


def decapitalised(clause: str) -> str:
    """Return the clause for use after other words: a leading article loses its capital."""
    first = clause.split(" ", 1)[0]
    return clause[:1].lower() + clause[1:] if first in _SMALL else clause


_SMALL = {"The", "A", "An", "It", "Your", "This", "There", "You", "No", "Both", "In", "At", "On"}
_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TEENS = ("eleven", "twelve", "thirteen", "four", "fif", "six", "seven", "eigh", "nine")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_words(number: int) -> str:
    """Return a number from 0 to 100 in English words: 42 is `forty-two`."""
    if number < 20:
        small = _ONES + _TEENS[:3] + tuple(f"{teen}teen" for teen in _TEENS[3:])
        return small[number]
    if number == 100:
        return "one hundred"
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def _amount(text: str) -> Decimal | None:
    found = _NUMBER.search(text)
    if found is None:
        return None
    plain = re.sub(r",(?=\d{3}\b)", "", found[0]).replace(",", ".")
    try:
        return Decimal(plain).normalize()
    except InvalidOperation:
        return None


def _exchanged(text: str, swaps: Mapping[str, str]) -> str:
    whole_keys = "|".join(re.escape(old) for old in sorted(swaps, key=len, reverse=True))
    whole = re.compile(rf"(?<!\w)(?<!\d[.,])(?:{whole_keys})(?!\w|[.,]\d)")
    return whole.sub(lambda found: swaps[found[0]], text)


def _stem(phrase: str) -> str:
    return phrase.rsplit(" ", 1)[-1][:4].casefold()


def _lines(fact: Fact) -> list[Line]:
    """Split what a fact says into clauses, each with the claims that are wholly in it."""
    sentences = [s.strip().rstrip(".!") for s in re.split(r"(?<=[.!])\s+", fact.says) if s.strip()]
    return [Line(s, tuple(c for c in fact.claims if _told(c, s))) for s in sentences]


def _told(claim: Claim, sentence: str) -> bool:
    spoken = words(sentence)
    number = _NUMBER.search(claim.value)
    has_number = number is None or any(
        _amount(n) == _amount(number[0]) for n in _NUMBER.findall(sentence)
    )
    return has_number and all(
        words(name) in spoken for name in (claim.subject, claim.object) if name
    )
