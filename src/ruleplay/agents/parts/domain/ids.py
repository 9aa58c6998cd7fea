"""Model and part numbers in a customer's message: patterns propose, the catalog decides.

`candidates` lists the spans that could be a number, `Catalog.look_up` says what the catalog knows
of each, and `judge` turns both into findings. A number that the catalog does not have is never
replaced by one that it has: near ones are a question. See `id_judgement` for the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.id_context import is_measure, surroundings
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.stopwords import COMMON

MAX_CANDIDATES = 48
MAX_SCANNED = 50_000
_SHORTEST, _LONGEST = 3, 24
_MAX_PIECES = 5
_DOUBTED = 3
"""Letters that may be told by themselves: "with a W"."""
# Letters alone, longer than this, are a word and not a piece of a number with spaces in it.
_LONGEST_LETTERS = 7

_UNSPOKEN = re.compile(r"[b-df-hj-np-tv-xz]{4}", re.IGNORECASE)
"""Letters that few words have in a row: "rpwfe", "mswf"."""
_ATOM = re.compile(r"[^\W_]+")
_HARD = re.compile(r"[-‐‑–—./_\\]{1,2}")
_SPELLED = re.compile(r"(?<![^\W_])(?:[A-Za-z0-9](?:[ .,-]|, )){5,23}[A-Za-z0-9](?![^\W_])")
_ORDER = re.compile(r"\b(?=[A-Z-]{0,4}\d)[A-Z]{0,4}-?\d[\d-]{3,19}\b", re.IGNORECASE)
_SOFT = re.compile(r"[ \t\u00a0]{1,2}|[ \t]?[-–—][ \t]?")

Form = Literal["word", "piece", "joined"]


class Option(Frozen):
    """A model or part as it is offered: enough to read back ("Whirlpool dishwasher").

    `known_as` is the number that matched in normal form; `via` what kind of number of the part it
    is ("number", "manufacturer" or "replaces"). `likeness` orders slips and is 1 for exact matches.
    """

    kind: Literal["model", "part"]
    number: str
    row: str
    via: str = ""
    known_as: str = ""
    name: str = ""
    brand: str = ""
    appliance: str = ""
    likeness: float = 1.0


class Lookup(Frozen):
    """All that the catalog knows about one normal form; near ones only where nothing is exact.

    `starting` are models that begin with it, one more than can be offered.
    """

    normal: str
    model: Option | None = None
    parts: tuple[Option, ...] = ()
    near_models: tuple[Option, ...] = ()
    near_parts: tuple[Option, ...] = ()
    starting: tuple[Option, ...] = ()


class Candidate(Frozen):
    """A span that could be a number. `near`: it looks enough like one to search for slips.

    `form` is "word" (no space inside), "piece" (of a word with dashes or slashes) or "joined"
    (several words that may be one number typed with spaces).
    """

    text: str
    start: int
    end: int
    normal: str
    form: Form = "word"
    near: bool = True


class Span(Frozen):
    """Where in the message a finding stands: `message[start:end] == text`."""

    text: str
    start: int
    end: int


class ModelFound(Span):
    """A model number that the catalog has exactly."""

    type: Literal["model"] = "model"
    model: Option


class PartFound(Span):
    """A number that exactly one part has; `part.via` says as what."""

    type: Literal["part"] = "part"
    part: Option


class Choice(Span):
    """A question to the customer: which of at most five, or none of these.

    `reason`: "near" (not in the catalog, these are one slip away), "prefix" (these begin with it),
    "ambiguous" (it is the number of several) or "confirm" (it is in the catalog, but may not have
    been meant as a number). `more`: the catalog has further ones. `readings`: what a label may say.
    """

    type: Literal["choice"] = "choice"
    kind: Literal["model", "part", "either"]
    reason: Literal["near", "prefix", "ambiguous", "confirm"]
    asked: str
    options: tuple[Option, ...]
    more: bool = False
    readings: tuple[str, ...] = ()


class Unknown(Span):
    """What looks like a number but is not in the catalog; to be confirmed before it is used."""

    type: Literal["unknown"] = "unknown"
    kind: Literal["model", "part", ""]
    normal: str
    readings: tuple[str, ...] = ()


Found = Annotated[ModelFound | PartFound | Choice | Unknown, Field(discriminator="type")]


class _Word(NamedTuple):
    """Atoms joined by dashes, dots or slashes, without spaces."""

    start: int
    end: int
    atoms: tuple[tuple[int, int], ...]


def candidates(message: str) -> tuple[Candidate, ...]:
    """Propose the spans of a message that could be numbers, in order, at most 48.

    Of longer lists those that look most like numbers are kept; only the first 50,000 characters
    are read.
    """
    message = message[:MAX_SCANNED]
    found = {(one.start, one.end): one for one in (*_proposals(message), *_spelled(message))}
    likeliest = sorted(found.values(), key=lambda one: (-_promise(one), one.start, one.end))
    return tuple(sorted(likeliest[:MAX_CANDIDATES], key=lambda one: (one.start, one.end)))


def is_mixed(form: str) -> bool:
    """Tell whether a normal form has both letters and digits."""
    return not form.isdigit() and not form.isalpha()


def _promise(one: Candidate) -> int:
    if one.form == "joined":
        return 1 if one.near else 0
    return 2 + is_mixed(one.normal) + (len(one.normal) >= 6)


def _spelled(message: str) -> Iterator[Candidate]:
    """Propose the numbers that are read out sign by sign: "F F H S 2 6 2 2"."""
    for read_out in _SPELLED.finditer(message):
        one = _candidate(message, *read_out.span(), "joined", near=True)
        if one and _has_digit(one.normal):
            yield one.model_copy(update={"form": "word"})


def _proposals(message: str) -> Iterator[Candidate]:
    run: list[_Word] = []
    mixed_case = any(char.islower() for char in message)
    for word in _words(message):
        if run and not _SOFT.fullmatch(message, run[-1].end, word.start):
            run = []
        run.append(word)
        yield from _single(message, word, mixed_case)
        yield from _joined(message, run[-_MAX_PIECES:], mixed_case)


def _words(message: str) -> Iterator[_Word]:
    atoms: list[tuple[int, int]] = []
    for match in _ATOM.finditer(message):
        joins = (
            atoms
            and _HARD.fullmatch(message, atoms[-1][1], match.start())
            and len(atoms) < _MAX_PIECES + 1
        )
        if atoms and not joins:
            yield _Word(atoms[0][0], atoms[-1][1], tuple(atoms))
            atoms = []
        atoms.append(match.span())
    if atoms:
        yield _Word(atoms[0][0], atoms[-1][1], tuple(atoms))


def _single(message: str, word: _Word, mixed_case: bool) -> Iterator[Candidate]:
    """Propose a word and, where it is joined by dashes or slashes, its pieces."""
    whole = _candidate(message, word.start, word.end, "word", near=True)
    if whole and (_has_digit(whole.normal) or _letters_meant(message, word, mixed_case)):
        yield whole.model_copy(update={"near": _has_digit(whole.normal)})
    if len(word.atoms) == 1:
        return
    for start, end in _pieces(message, word):
        piece = _candidate(message, start, end, "piece", near=False)
        if piece and len(piece.normal) > _SHORTEST and _has_digit(piece.normal):
            yield piece.model_copy(update={"near": len(piece.normal) >= 6})


def _pieces(message: str, word: _Word) -> list[tuple[int, int]]:
    """List the atoms of a word and what stands between its slashes."""
    between = [word.atoms[0]]
    for before, atom in zip(word.atoms, word.atoms[1:], strict=False):
        if message[before[1]] in "/\\":
            between.append(atom)
        else:
            between[-1] = (between[-1][0], atom[1])
    return sorted({*word.atoms, *between} - {(word.start, word.end)})


def _joined(message: str, run: list[_Word], mixed_case: bool) -> Iterator[Candidate]:
    """Propose the numbers with spaces inside that end with the last word of the run."""
    near = True
    for at in range(len(run) - 1, -1, -1):
        text = message[run[at].start : run[at].end]
        if not _fragment(text):
            return
        near = near and _numberlike(text, mixed_case)
        if at < len(run) - 1:
            one = _candidate(message, run[at].start, run[-1].end, "joined", near=near)
            if one and len(one.normal) > 4 and _has_digit(one.normal):
                yield one


def _fragment(text: str) -> bool:
    """Tell whether a word may be a piece of a number typed with spaces."""
    form = normal(text)
    if text == "A":  # as an article it is hardly ever large before a number
        return True
    if not form or text.casefold() in COMMON or len(form) > _LONGEST:
        return False
    return _has_digit(form) or len(form) <= _LONGEST_LETTERS


def _numberlike(text: str, mixed_case: bool) -> bool:
    """Tell whether a word looks so much like a piece of a number that slips are worth a search."""
    if text == "A" or is_measure(text):
        return False
    return _has_digit(text) or (mixed_case and text.isupper())


def _letters_meant(message: str, word: _Word, mixed_case: bool) -> bool:
    """Tell whether a word without digits may be a number: called one, in capitals, no word."""
    text = message[word.start : word.end]
    if text.casefold() in COMMON or len(word.atoms) > 1 or len(text) < 4:
        return False
    called = surroundings(message, word.start, word.end).cue in {"model", "part", "number"}
    return called or (mixed_case and text.isupper()) or bool(_UNSPOKEN.search(text))


def _candidate(message: str, start: int, end: int, form: Form, *, near: bool) -> Candidate | None:
    text = message[start:end]
    folded = normal(text)
    if not _SHORTEST <= len(folded) <= _LONGEST or len(text) > 2 * _LONGEST:
        return None
    return Candidate(text=text, start=start, end=end, normal=folded, form=form, near=near)


def _has_digit(text: str) -> bool:
    return any(char in "0123456789" for char in text)


def order_number(message: str) -> str:
    """Return what looks like an order's number in a message; empty when nothing does."""
    found = _ORDER.search(message)
    return found[0] if found else ""


def spelled_out(message: str, asked: str, options: Sequence[Option]) -> Option | None:
    """Return the one option whose letters that were doubted stand alone in a message: "with a W".

    Letters in capitals are meant before others, which may be words.
    """
    alone = [piece for piece in _ATOM.findall(message) if len(piece) <= _DOUBTED]
    for pieces in ([piece for piece in alone if not piece.islower()], alone):
        said = {piece.casefold() for piece in pieces}
        meant = [one for one in options if _differs(asked, one) & said]
        if meant:
            return meant[0] if len(meant) == 1 else None
    return None


def _differs(asked: str, option: Option) -> set[str]:
    """Return the letters in which an option differs from what was asked, as one piece."""
    known = (option.known_as or option.number).casefold()
    if len(known) != len(asked):
        return set()
    return {"".join(new for old, new in zip(asked.casefold(), known, strict=True) if old != new)}
