"""Model and part numbers in a message: patterns propose candidates, the catalog decides.

`candidates` lists the spans that could be a number, `Catalog.look_up` finds what the catalog knows
of each, and `id_judgement.judge` turns both into findings. A number that the catalog lacks is never
replaced by one that it has; similar numbers are offered as a choice.
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
"""Candidates kept per message, since each of them is looked up in the catalog."""
MAX_SCANNED = 50_000
"""Characters of a message that are searched for numbers."""
_SHORTEST, LONGEST = 3, 24
_MAX_PIECES = 5
"""Words that a number typed with spaces may consist of."""
_DOUBTED = 3
"""Most letters of a standalone piece that may settle a doubt: "with a W"."""
# Letters alone that are longer than this are a word, not a piece of a number with spaces.
_LONGEST_LETTERS = 7

_UNSPOKEN = re.compile(r"[b-df-hj-np-tv-xz]{4}|^[b-df-hj-np-tv-xz]{3}$", re.IGNORECASE)
"""Consonants alone, or four in a row, as few words have but numbers such as "mwf" and "rpwfe"."""
_ATOM = re.compile(r"[^\W_]+")
# `_HARD` joins atoms to one word; `_SOFT` may separate the words of one number.
_HARD = re.compile(r"[-‐‑–—./_\\]{1,2}")
_SPELLED = re.compile(r"(?<![^\W_])(?:[A-Za-z0-9](?:[ .,-]|, )){5,23}[A-Za-z0-9](?![^\W_])")
_ORDER = re.compile(r"\b(?=[A-Z-]{0,4}\d)[A-Z]{0,4}-?\d[\d-]{3,19}\b", re.IGNORECASE)
_SOFT = re.compile(r"[ \t\u00a0]{1,2}|[ \t]?[-–—][ \t]?")

Form = Literal["word", "piece", "joined", "ending"]


class Option(Frozen):
    """A model or part as offered to the customer, with enough detail to be read back.

    `known_as` is the number that matched, in normal form; for a part, `via` says which of its
    numbers that is ("number", "manufacturer" or "replaces"). `likeness` orders near matches and is
    1 for exact ones.
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
    """All that the catalog knows about one normal form; near matches only if nothing is exact.

    `starting` are models that begin with the form, one more than can be offered so that callers
    know whether there are further ones.
    """

    normal: str
    model: Option | None = None
    parts: tuple[Option, ...] = ()
    near_models: tuple[Option, ...] = ()
    near_parts: tuple[Option, ...] = ()
    starting: tuple[Option, ...] = ()


class Candidate(Frozen):
    """A span that could be a number; `near` if it looks enough like one to search for typos.

    `form` is "word" (without spaces), "piece" (of a word with dashes or slashes), "joined"
    (several words that may be one number typed with spaces) or "ending" (of a number that was
    spoken of before, whose normal form it has).
    """

    text: str
    start: int
    end: int
    normal: str
    form: Form = "word"
    near: bool = True


class Span(Frozen):
    """Where a finding is in the message: `message[start:end] == text`."""

    text: str
    start: int
    end: int


class ModelFound(Span):
    """A number in the message that is exactly one that the catalog has for a model."""

    type: Literal["model"] = "model"
    model: Option


class PartFound(Span):
    """A number that belongs to exactly one part; `part.via` says which of its numbers it is."""

    type: Literal["part"] = "part"
    part: Option


class Choice(Span):
    """A question to the customer: which of at most five options, or none of these.

    `reason` is "near" (not in the catalog, but these are one typo away), "prefix" (these begin with
    it), "ambiguous" (the number of several) or "confirm" (in the catalog, but perhaps not meant as
    a number). `more` says that the catalog has further options; `readings` are what an illegible
    label may say.
    """

    type: Literal["choice"] = "choice"
    kind: Literal["model", "part", "either"]
    reason: Literal["near", "prefix", "ambiguous", "confirm"]
    asked: str
    options: tuple[Option, ...]
    more: bool = False
    readings: tuple[str, ...] = ()


class Unknown(Span):
    """A likely number that the catalog lacks; it must be confirmed before it is used."""

    type: Literal["unknown"] = "unknown"
    kind: Literal["model", "part", ""]
    normal: str
    readings: tuple[str, ...] = ()


Found = Annotated[ModelFound | PartFound | Choice | Unknown, Field(discriminator="type")]


class _Word(NamedTuple):
    """Alphanumeric runs ("atoms") joined by dashes, dots or slashes, without spaces."""

    start: int
    end: int
    atoms: tuple[tuple[int, int], ...]


def candidates(message: str) -> tuple[Candidate, ...]:
    """Propose the spans of a message that could be numbers, in order.

    At most `MAX_CANDIDATES` are returned, those that look most like numbers, and only the first
    `MAX_SCANNED` characters are read. Candidates may overlap.
    """
    message = message[:MAX_SCANNED]
    found = {(one.start, one.end): one for one in _proposals(message)}
    found |= {(one.start, one.end): one for one in _spelled(message)}
    likeliest = sorted(found.values(), key=lambda one: (-_promise(one), one.start, one.end))
    return tuple(sorted(likeliest[:MAX_CANDIDATES], key=lambda one: (one.start, one.end)))


def is_mixed(form: str) -> bool:
    """Whether a normal form has both letters and digits."""
    return not form.isdigit() and not form.isalpha()


def _promise(one: Candidate) -> int:
    """Rate how much a candidate looks like a number."""
    if one.form == "joined":
        return 1 if one.near else 0
    return 2 + is_mixed(one.normal) + (len(one.normal) >= 6)


def _spelled(message: str) -> Iterator[Candidate]:
    """Propose numbers spelled out character by character: "F F H S 2 6 2 2"."""
    for read_out in _SPELLED.finditer(message):
        one = _candidate(message, *read_out.span(), "joined", near=True)
        if one and _has_digit(one.normal):
            # Spelling it out shows that it is one number, so it is treated like a single word.
            yield one.model_copy(update={"form": "word"})


def _proposals(message: str) -> Iterator[Candidate]:
    """Propose single words, their pieces, and runs of up to `_MAX_PIECES` words."""
    run: list[_Word] = []
    mixed_case = any(char.islower() for char in message)
    for word in _words(message):
        if run and not _SOFT.fullmatch(message, run[-1].end, word.start):
            run = []
        run.append(word)
        yield from _single(message, word, mixed_case)
        yield from _joined(message, run[-_MAX_PIECES:], mixed_case)


def _words(message: str) -> Iterator[_Word]:
    """Split a message into words of at most `_MAX_PIECES` + 1 atoms."""
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
    """Propose a word and, if it contains dashes or slashes, its pieces."""
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
    """List a word's atoms and the stretches between its slashes, without the word itself."""
    between = [word.atoms[0]]
    for before, atom in zip(word.atoms, word.atoms[1:], strict=False):
        if message[before[1]] in "/\\":
            between.append(atom)
        else:
            between[-1] = (between[-1][0], atom[1])
    return sorted({*word.atoms, *between} - {(word.start, word.end)})


def _joined(message: str, run: list[_Word], mixed_case: bool) -> Iterator[Candidate]:
    """Propose numbers typed with spaces that end with the last word of the run."""
    near = True
    for at in range(len(run) - 1, -1, -1):
        text = message[run[at].start : run[at].end]
        # Longer runs to the left would include this word too.
        if not _fragment(text):
            return
        near = near and _numberlike(text, mixed_case)
        if at < len(run) - 1:
            one = _candidate(message, run[at].start, run[-1].end, "joined", near=near)
            if one and len(one.normal) > 4 and _has_digit(one.normal):
                yield one


def _fragment(text: str) -> bool:
    """Whether a word may be a piece of a number typed with spaces."""
    form = normal(text)
    if text == "A":  # an article is hardly ever capitalised before a number
        return True
    if not form or text.casefold() in COMMON or len(form) > LONGEST:
        return False
    return _has_digit(form) or len(form) <= _LONGEST_LETTERS


def _numberlike(text: str, mixed_case: bool) -> bool:
    """Whether a word is so clearly a piece of a number that typos are worth searching for."""
    if text == "A" or is_measure(text):
        return False
    return _has_digit(text) or (mixed_case and text.isupper())


def _letters_meant(message: str, word: _Word, mixed_case: bool) -> bool:
    """Whether a word without digits may be a number, by its context, capitals or letters."""
    text = message[word.start : word.end]
    if text.casefold() in COMMON or len(word.atoms) > 1 or len(text) < _SHORTEST:
        return False
    called = surroundings(message, word.start, word.end).cue in {"model", "part", "number"}
    return called or (mixed_case and text.isupper()) or bool(_UNSPOKEN.search(text))


def _candidate(message: str, start: int, end: int, form: Form, *, near: bool) -> Candidate | None:
    text = message[start:end]
    folded = normal(text)
    if not _SHORTEST <= len(folded) <= LONGEST or len(text) > 2 * LONGEST:
        return None
    return Candidate(text=text, start=start, end=end, normal=folded, form=form, near=near)


def _has_digit(text: str) -> bool:
    return any(char in "0123456789" for char in text)


def order_number(message: str) -> str:
    """Find what looks like the number of an order; empty if there is none."""
    found = _ORDER.search(message)
    return found[0] if found else ""


def spelled_out(message: str, asked: str, options: Sequence[Option]) -> Option | None:
    """Find the one option that a message picks by the letters in doubt: "with a W".

    Capital letters are tried first, since lower-case ones may be words.
    """
    alone = [piece for piece in _ATOM.findall(message) if len(piece) <= _DOUBTED]
    for pieces in ([piece for piece in alone if not piece.islower()], alone):
        said = {piece.casefold() for piece in pieces}
        meant = [one for one in options if _differs(asked, one) & said]
        if meant:
            return meant[0] if len(meant) == 1 else None
    return None


def _differs(asked: str, option: Option) -> set[str]:
    """Join the letters in which an option differs from the number asked for, if lengths agree."""
    known = (option.known_as or option.number).casefold()
    if len(known) != len(asked):
        return set()
    return {"".join(new for old, new in zip(asked.casefold(), known, strict=True) if old != new)}
