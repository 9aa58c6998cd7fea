"""Decides what each candidate number is, once the catalog has been asked about it.

- A number that the catalog has exactly once is accepted if it can hardly be anything else: it
  mixes letters and digits, is long, or is called a model or part number. Otherwise the customer
  is asked to confirm it.
- A number that the catalog lacks is never replaced: similar and longer ones are offered.
- Anything else that looks like a number is reported as unknown, unless its context says that it
  is a price, a date, a quantity, a telephone number or an order number.
- Of overlapping candidates the most certain counts, then the longest. A number typed with spaces
  whose pieces are themselves in the catalog becomes a choice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from ruleplay.agents.parts.domain.descriptions import parts_named
from ruleplay.agents.parts.domain.id_context import (
    Noise,
    Surroundings,
    is_measure,
    reads_as_word,
    surroundings,
)
from ruleplay.agents.parts.domain.ids import (
    Candidate,
    Choice,
    Found,
    Lookup,
    ModelFound,
    Option,
    PartFound,
    Unknown,
    is_mixed,
)
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.voice import LANGUAGES

OFFERED = 5
"""Options of a choice."""
_LETTERS = 4
"""Fewest letters of a number without digits: "RPWF"."""
_FEW_LETTERS = 3
"""Fewest of them where the message names that kind of part: "water filter, it says XWF"."""
# Numbers of shops (PS…, AP…), of Whirlpool (WP…, W…) and of GE (WR55X10025).
_PART_SHAPE = re.compile(r"PS\d{4,}|WP?W?\d{6,}|AP\d{6,}|W[A-Z]\d\dX\d+")
_MODEL_SHAPE = re.compile(r"[A-Z]{2,}\d{2,}[A-Z]{3,}\d{0,2}|\d{11}|\d{7,8}[A-Z]\d{2,3}")
"""Model numbers as makers write them: GFE28GSKBSS, 106.40563010, 665.12413N410. Of 26,000 real part
numbers 42 match, and of 10,800 real model numbers nearly two thirds."""
_APART = r"(?:[ \t]{1,2}|[ \t]?[-–—/][ \t]?)"
# A few capitals or digits next to a number, which may be a piece of it that was typed apart.
_LOOSE_AFTER = re.compile(rf"{_APART}([A-Z0-9]{{1,3}})(?!\w)")
_LOOSE_BEFORE = re.compile(rf"(?<!\w)([A-Z0-9]{{1,3}}){_APART}$")
# Brands and words that stand next to numbers without belonging to them.
_NOT_LOOSE = frozenset({"GE", "LG", "A", "I"})

_SEPARATORS = "-‐‑–—./_\\"

_ALIKE = str.maketrans("OQILZSBG", "00112586")

_ADJOINING = 2
"""Characters between a number and the kind of its part are fewer."""
Trust = Literal["certain", "confirm", "drop"]


class _Case(NamedTuple):
    """A candidate with all that is known about it."""

    candidate: Candidate
    lookup: Lookup
    around: Surroundings

    @property
    def exact(self) -> tuple[Option, ...]:
        """The models and parts that have exactly this number."""
        model = (self.lookup.model,) if self.lookup.model else ()
        return model + self.lookup.parts


class _Rated(NamedTuple):
    """A finding with its rank; lower ranks win where findings overlap."""

    rank: int
    case: _Case
    found: Found


def judge(
    message: str, candidates: Sequence[Candidate], looked_up: Mapping[str, Lookup]
) -> tuple[Found, ...]:
    """Decide what each candidate is; findings do not overlap and are in the message's order.

    Candidates without a lookup are skipped.
    """
    cases = [
        _Case(one, looked_up[one.normal], surroundings(message, one.start, one.end))
        for one in candidates
        if one.normal in looked_up
    ]
    rated = [one for case in cases if (one := _rate(message, case, cases)) is not None]
    # The most certain finding claims its span first; overlapping ones are dropped.
    rated.sort(key=lambda one: (one.rank, -len(one.case.candidate.normal), one.found.start))
    taken: list[Found] = []
    for one in rated:
        if all(one.found.end <= other.start or other.end <= one.found.start for other in taken):
            taken.append(one.found)
    return tuple(sorted(taken, key=lambda found: found.start))


def is_model_like(form: str) -> bool:
    """Whether a number, given in normal form, is written as model numbers are."""
    return bool(_MODEL_SHAPE.fullmatch(form))


def _rate(message: str, case: _Case, cases: Sequence[_Case]) -> _Rated | None:
    if case.exact:
        return _rate_exact(message, case, cases)
    if (choice := _near(case)) is not None:
        return _Rated(1, case, choice)
    unknown = _unknown(case)
    return _Rated(2, case, unknown) if unknown is not None else None


def _rate_exact(message: str, case: _Case, cases: Sequence[_Case]) -> _Rated | None:
    """Decide what to make of an exact match: accept it, ask about it, or drop it."""
    trust = _trust(case)
    if trust == "confirm" and _is_written_out(message, case):
        trust = "certain"
    if trust == "drop":
        return None
    options = case.exact
    if case.candidate.form == "joined":
        options += _other_options(case, cases)
    if len(options) > 1:
        return _Rated(0, case, _choice(case, "ambiguous", options))
    if trust == "certain" and _stands_alone(message, case, cases):
        return _Rated(0, case, _verified(case))
    # A piece is weaker evidence than the whole word, even if the word is only a near match.
    rank = 2 if case.candidate.form == "piece" else 1
    return _Rated(rank, case, _choice(case, "confirm", options))


def _is_written_out(message: str, case: _Case) -> bool:
    """Whether letters alone are meant as a number: capitals in an otherwise mixed-case message."""
    text = case.candidate.text
    least = _FEW_LETTERS if _names_kind(message, case) else _LETTERS
    letters = text.isalpha() and text.isupper() and len(text) >= least
    word = text.casefold() in COMMON
    return letters and not word and not case.around.noise and not message.isupper()


def _names_kind(message: str, case: _Case) -> bool:
    """Whether a message has the kind of part of the only part with this number."""
    if case.lookup.model or len(case.lookup.parts) != 1:
        return False
    name = case.lookup.parts[0].name.casefold().split()
    nouns = (one for language in LANGUAGES for one in parts_named(message, language))
    return any(one.terms[0] in name for one in nouns)


def _verified(case: _Case) -> Found:
    text, start, end = case.candidate.text, case.candidate.start, case.candidate.end
    option = case.exact[0]
    if option.kind == "model":
        return ModelFound(text=text, start=start, end=end, model=option)
    return PartFound(text=text, start=start, end=end, part=option)


def _choice(
    case: _Case,
    reason: Literal["near", "prefix", "ambiguous", "confirm"],
    options: Sequence[Option],
) -> Choice:
    kinds = {option.kind for option in options}
    return Choice(
        text=case.candidate.text,
        start=case.candidate.start,
        end=case.candidate.end,
        kind=kinds.pop() if len(kinds) == 1 else "either",
        reason=reason,
        asked=case.candidate.text,
        options=tuple(options[:OFFERED]),
        more=len(options) > OFFERED,
    )


def _trust(case: _Case) -> Trust:
    """Judge how likely it is that an exact match was meant as a number at all."""
    form, around = case.candidate.normal, case.around
    if case.candidate.form == "ending":
        return "certain"
    if around.link and not (is_mixed(form) and len(form) >= 6):
        return "drop"
    if around.noise is Noise.CERTAIN:
        return "confirm" if is_mixed(form) and len(form) >= 5 else "drop"
    if around.cue and around.noise is Noise.NONE:
        return "certain"
    if form.isdigit():
        return _trust_digits(case)
    if _is_named(case):
        return "certain"
    if form.isalpha() or reads_as_word(case.candidate.text):
        return "confirm"
    return _trust_mixed(case)


def _is_named(case: _Case) -> bool:
    """Whether the kind of part stands right beside its number: "the AIR1 filter"."""
    only = not case.lookup.model and len(case.lookup.parts) == 1
    written = case.candidate.text.isupper() and not case.around.noise
    before, after = case.around.before.rstrip(), case.around.after
    if not (only and written):
        return False
    behind = parts_named(after)[:1]
    ahead = [one for language in LANGUAGES for one in parts_named(before, language)[-1:]]
    return any(one.start < _ADJOINING for one in behind) or any(
        one.end == len(before) for one in ahead
    )


def _trust_mixed(case: _Case) -> Trust:
    length = len(case.candidate.normal)
    if length <= 4:
        return "confirm" if length == 4 and not case.around.noise else "drop"
    # Words that merely stand side by side can spell a short number by chance.
    sure = 7 if case.candidate.form == "joined" or case.around.noise else 5
    return "certain" if length >= sure and not _loose_ends(case.candidate.text) else "confirm"


def _trust_digits(case: _Case) -> Trust:
    """Judge plain digits: long ones are hardly ever anything else, short ones mostly quantities."""
    length = len(case.candidate.normal)
    if case.around.noise:
        dashed = length == 5 and "-" in case.candidate.text  # read as a date
        return "confirm" if length >= 6 or dashed else "drop"
    if case.candidate.form == "joined":
        return "certain" if length >= 9 else "confirm"
    return "certain" if length >= 6 or (length == 5 and case.around.appliance) else "confirm"


def _loose_ends(text: str) -> bool:
    """Whether a number with spaces begins or ends with a small count: "PS3406971 2"."""
    pieces = text.split()
    return len(pieces) > 1 and any(
        piece.isdigit() and len(piece) <= 2 for piece in (pieces[0], pieces[-1])
    )


def _stands_alone(message: str, case: _Case, cases: Sequence[_Case]) -> bool:
    """Whether nothing next to an exact match could belong to it and make it another number."""
    one = case.candidate
    if one.form == "ending":
        return True
    if one.form == "piece":
        return _rest_is_words(case, cases)
    # A long number of letters and digits is hardly ever incomplete.
    if is_mixed(one.normal) and len(one.normal) >= 8:
        return True
    after = _LOOSE_AFTER.match(message, one.end)
    before = _LOOSE_BEFORE.search(message[max(0, one.start - 8) : one.start])
    shouted = message.isupper()
    return not any(match and _is_loose(match[1], shouted) for match in (after, before))


def _is_loose(text: str, shouted: bool) -> bool:
    """Whether a few capitals or digits may belong to a number; words in all capitals do not."""
    return text not in _NOT_LOOSE and not (shouted and text.casefold() in COMMON)


def _rest_is_words(case: _Case, cases: Sequence[_Case]) -> bool:
    """Whether the rest of the word that a piece was cut from is plain words and exact numbers."""
    piece = case.candidate
    whole = next(
        (
            other.candidate
            for other in cases
            if other.candidate.form == "word"
            and other.candidate.start <= piece.start
            and piece.end <= other.candidate.end
        ),
        None,
    )
    if whole is None:
        return False
    exact = {other.candidate.text for other in cases if other.exact}
    at = piece.start - whole.start
    rest = (whole.text[:at], whole.text[at + len(piece.text) :])
    return all(_is_aside(text, exact) for text in rest)


def _is_aside(text: str, exact: set[str]) -> bool:
    """Whether a remainder is made of words ("-wheel", ".It") or numbers of their own."""
    bare = text.strip(_SEPARATORS)
    if not bare or bare in exact:
        return True
    # A short or capitalised word after a dash is more likely a suffix of the number: "DU2J-CAN".
    dashed = any(char not in "./\\" for char in text if char in _SEPARATORS)
    words = re.split(r"[^\w]+|_", bare)
    return all(
        word.isalpha()
        and ((len(word) >= 4 and not word.isupper()) or (not dashed and word.casefold() in COMMON))
        for word in words
        if word
    )


def _other_options(case: _Case, cases: Sequence[_Case]) -> tuple[Option, ...]:
    """List exact matches that overlap a number with spaces and mean something else."""
    one = case.candidate
    known = {(option.kind, option.number) for option in case.exact}
    others: dict[tuple[str, str], Option] = {}
    for other in cases:
        overlaps = other.candidate.start < one.end and one.start < other.candidate.end
        if other is not case and overlaps and _trust(other) == "certain":
            for option in other.exact:
                others.setdefault((option.kind, option.number), option)
    return tuple(option for key, option in others.items() if key not in known)


def _near(case: _Case) -> Choice | None:
    """Offer numbers that are one typo away or begin with this one."""
    if not case.candidate.near or not _plausible(case):
        return None
    lookup = case.lookup
    if len(lookup.normal) < 5 and lookup.normal.isdigit():
        return None  # one wrong digit of four could mean almost anything
    near = [*lookup.near_models, *lookup.near_parts]
    # Options of the kind that the message names come first.
    near.sort(
        key=lambda option: (option.kind != (case.around.cue or option.kind), -option.likeness)
    )
    looks = [one for one in near if _looks(one.known_as or one.number) == _looks(lookup.normal)]
    if len(looks) == 1:  # "WDT78OSAEM1" has an O for the 0
        return _choice(case, "near", looks)
    known = {(option.kind, option.number) for option in near}
    # People often give only the beginning of a model number.
    longer = [one for one in lookup.starting if (one.kind, one.number) not in known]
    if not near and not longer:
        return None
    return _choice(case, "near" if near else "prefix", [*near, *longer])


def _looks(number: str) -> str:
    """Bring signs that look alike together."""
    return normal(number).translate(_ALIKE)


def _plausible(case: _Case) -> bool:
    """Whether a number that the catalog lacks looks enough like one to ask about it."""
    form, around = case.candidate.normal, case.around
    if around.noise or around.link:
        return False
    if around.cue in {"model", "part"}:
        return len(form) >= 4
    if is_measure(case.candidate.text) or reads_as_word(case.candidate.text):
        return False
    if is_mixed(form):
        return len(form) >= (5 if around.cue or around.appliance else 6)
    return len(form) >= (5 if around.cue or around.appliance else 6)


def _unknown(case: _Case) -> Unknown | None:
    """Report a number that the catalog lacks and has nothing similar for."""
    one, cue = case.candidate, case.around.cue
    called = cue in {"model", "part", "number"}
    if one.form == "piece" or not one.near or not _plausible(case):
        return None
    machine = case.around.appliance and one.normal.isdigit()  # "my fridge, a 2531234"
    telling = machine or is_mixed(one.normal) or is_model_like(one.normal)
    if not called and (one.form == "joined" or not telling):
        return None
    kind: Literal["model", "part", ""] = ""
    if cue == "model":
        kind = "model"
    elif cue == "part" or _PART_SHAPE.fullmatch(one.normal):
        kind = "part"
    elif machine or is_model_like(one.normal):
        kind = "model"
    return Unknown(text=one.text, start=one.start, end=one.end, normal=one.normal, kind=kind)
