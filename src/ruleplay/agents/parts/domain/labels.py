"""Numbers that a worn label leaves open: "WRS325SDHZ-something, 08 or 80, it is smudged"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ruleplay.agents.parts.domain.id_judgement import OFFERED
from ruleplay.agents.parts.domain.ids import (
    Choice,
    Found,
    Lookup,
    ModelFound,
    Option,
    PartFound,
    Span,
    Unknown,
)
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.reader import LIKELY, readings
from ruleplay.agents.parts.domain.references import alternatives_at, speaks
from ruleplay.agents.parts.domain.understanding import Understood

_PIECE = re.compile(r"[A-Z0-9](?:[A-Z0-9./-]*[A-Z0-9])?", re.IGNORECASE)
# Only from the start of a run: trying every letter of a long run would take quadratic time.
_STEM = re.compile(r"(?<![A-Z])[A-Z]*+\d[A-Z0-9]*(?:[./-](?=[A-Z0-9]*\d)[A-Z0-9]+)*", re.IGNORECASE)
_CLOSED = re.compile(r"\W*?(?:[.,;:!?)\n]|$)")
_INSIDE = re.compile(r"(?<=[^.?!\n\s]\s)[^\W\d_]{1,4}\b")
"""A short word inside of a sentence."""
_WHOLE = 6
"""Fewest characters of a number that may be a whole model number."""
_ENDING = 4
"""Most characters of an alternative ending."""
_BETWEEN = 3
"""Most characters between a number and the "or"."""


class Readings(Span):
    """A number that a message gives in several readings, and what these readings are."""

    numbers: tuple[str, ...]


def label_readings(message: str, language: str) -> Readings | None:
    """Find the alternative readings of one number in a message; `None` if there are none.

    These are two whole numbers with an "or" between them, or two endings of a number before them.
    """
    pieces = [*_PIECE.finditer(message)]
    for start, end in alternatives_at(message, language):
        before = [one for one in pieces if start - _BETWEEN <= one.end() <= start]
        after = [one for one in pieces if end <= one.start() <= end + _BETWEEN]
        after = [one for one in after if _digit(one[0])] or after  # "a 4 or a 9"
        if not (before and after and _digit(before[-1][0] + after[0][0])):
            continue
        one, other = before[-1], after[0]
        short = len(other[0]) <= _ENDING and _CLOSED.match(message, other.end())
        stems = [stem for stem in _STEM.finditer(message, 0, one.start()) if _whole(stem[0])]
        numbers: tuple[str, ...]
        if _whole(one[0]) and _whole(other[0]):
            numbers, begin = (one[0], other[0]), one.start()
        elif short and _whole(one[0]) and len(one[0]) > len(other[0]):
            numbers = (one[0], one[0][: -len(other[0])] + other[0])
            begin = one.start()
        elif short and stems and len(one[0]) <= _ENDING:
            numbers, begin = _endings(stems[-1][0], one[0], other[0]), stems[-1].start()
        else:
            continue
        text = message[begin : other.end()]
        return Readings(text=text, start=begin, end=other.end(), numbers=numbers)
    return None


def spelled(heard: Understood) -> Readings | None:
    """Find the readings that a model recognised, located where the message has their beginning."""
    if len(heard.readings) < 2:
        return None
    begins = normal(heard.readings[0])[:_ENDING]
    whole = Span(text=heard.message, start=0, end=len(heard.message))
    stem = next((one for one in heard.found if normal(one.text).startswith(begins)), whole)
    return Readings(text=stem.text, start=stem.start, end=stem.end, numbers=heard.readings)


def _endings(stem: str, *endings: str) -> tuple[str, ...]:
    """Append each ending to a number, or replace the ending that it already has."""
    has = next((one for one in endings if stem.casefold().endswith(one.casefold())), "")
    return tuple((stem.removesuffix(has) if has else stem) + one for one in endings)


def _digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _whole(text: str) -> bool:
    return len(normal(text)) >= _WHOLE and _digit(text)


def put_together(message: str, number: str) -> bool:
    """Whether a number occurs in the message, in one piece or split into two."""
    said, whole = normal(message), normal(number)
    return any(whole[:at] in said and whole[at:] in said for at in range(1, len(whole) + 1))


def ending_said(message: str, numbers: Sequence[str]) -> str:
    """Pick the one reading that a message settles on by its ending: "it is 08"."""
    said = [normal(one[0]) for one in _PIECE.finditer(message)]
    meant = [one for one in numbers if any(normal(one).endswith(end) for end in said)]
    return meant[0] if len(meant) == 1 else ""


def digits_said(message: str, asked: str, numbers: Sequence[str]) -> str:
    """Pick the one of the offered numbers that has digits of the message where `asked` had others.

    "Yes, 78, sorry" after PS11752779 means PS11752778, as does "M1 at the end" of a model; endings
    are better than digits inside.
    """
    said = [normal(one[0]) for one in _PIECE.finditer(message)]
    said = [one for one in said if len(one) > 1 and _digit(one) and one not in normal(asked)]
    for fits in (str.endswith, str.__contains__):
        meant = [one for one in numbers if any(fits(normal(one), digits) for digits in said)]
        if len(meant) == 1:
            return meant[0]
    return ""


def letters_said(message: str, numbers: Sequence[str], language: str) -> str:
    """Pick the one of the offered numbers with the ending that is told: "it's white, so W".

    Capitals that a sentence has anyway ("I") count where the message says that it tells an ending.
    """
    ends = [one.text for one in readings(message, ()) if one.goal == "ends" and one.sure >= LIKELY]
    told = [word for one in ends for word in one.split() if word.isupper()]
    inside = (one[0] for one in _INSIDE.finditer(message))
    told += [one for one in inside if one.isupper() and not speaks(one, language)]
    return ending_said(" ".join(told), numbers)


def models_likely(found: Sequence[Found]) -> list[ModelFound]:
    """List the models of a message, also mistyped ones if all they may stand for is of one kind."""
    models: list[ModelFound] = []
    for one in found:
        if isinstance(one, ModelFound):
            models.append(one)
        elif isinstance(one, Choice) and {(o.kind, o.appliance) for o in one.options} == {
            ("model", one.options[0].appliance)
        }:
            span = {"text": one.text, "start": one.start, "end": one.end}
            models.append(ModelFound.model_validate({**span, "model": one.options[0]}))
    return models


def left_open(
    found: Sequence[Found], read: Readings, looked_up: Mapping[str, Lookup]
) -> tuple[Found, ...]:
    """Replace the findings inside a doubtful number by one choice among its readings.

    If the catalog has two of the readings, or if part numbers are involved, they are separate
    numbers, and the findings stay as they are.
    """
    inside = [one for one in found if one.start < read.end and read.start < one.end]
    numbers = {normal(one) for one in read.numbers}
    known = [one for one in inside if isinstance(one, ModelFound)]
    parts = any(isinstance(one, PartFound) or getattr(one, "kind", "") == "part" for one in inside)
    if parts or len(known) > 1 or any(normal(one.text) not in numbers for one in known):
        return tuple(found)
    lookups = [looked_up[number] for number in sorted(numbers) if number in looked_up]
    near = ((one.model, *one.starting, *one.near_models) for one in lookups)
    options = [option for each in near for option in each if option]
    once = tuple({option.number: option for option in options}.values())[:OFFERED]
    whole = tuple(one for one in found if one not in inside)
    return tuple(sorted((*whole, _doubted(read, once)), key=lambda one: one.start))


def _doubted(read: Readings, options: tuple[Option, ...]) -> Found:
    span = {"text": read.text, "start": read.start, "end": read.end, "kind": "model"}
    told = {**span, "readings": read.numbers}
    if not options:
        return Unknown.model_validate({**told, "normal": normal(read.numbers[0])})
    asked = {"asked": read.numbers[0], "reason": "near", "options": options}
    return Choice.model_validate({**told, **asked})
