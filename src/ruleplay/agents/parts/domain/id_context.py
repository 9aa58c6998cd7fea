"""Judges by its context whether a number is a model, a part, a price, a date or an order.

Only the nearest words count ("model number is 18385"), so that "my model leaks since 2000" does not
make a year a model. All patterns run on a few dozen characters beside the number, so the time per
number is bounded.
"""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from importlib.resources import files
from typing import NamedTuple

# Characters before and after a number that are examined.
_BEFORE, _AFTER = 60, 24
_ENDS = ("", ".fr", ".es")


_FOLDER = files("ruleplay.agents.parts.domain")
_TOLD = [
    tomllib.loads(_FOLDER.joinpath(f"id_context{end}.toml").read_text("utf-8")) for end in _ENDS
]


def _alternatives(name: str) -> str:
    """Join what the tables of all languages have under a name."""
    words = dict.fromkeys(word for table in _TOLD for word in table[name])
    return f"(?:{'|'.join(words)})"


_FILLER, _APPLIANCE, _UNIT, _OTHER, _MONTHS = map(
    _alternatives, ("filler", "appliance", "unit", "other_number", "month")
)
_GAP = r"[\s:=#\-–—\"'’“”‘(.,]"
_CUE = {
    "model": re.compile(rf"\b{_alternatives('model')}{_GAP}*(?:{_FILLER}\b{_GAP}*)*$"),
    "part": re.compile(rf"\b{_alternatives('part')}{_GAP}*(?:{_FILLER}\b{_GAP}*)*$"),
    "number": re.compile(rf"(?:\b{_alternatives('number')}|#){_GAP}*(?:{_FILLER}\b{_GAP}*)*$"),
}
_CUE_AFTER = re.compile(r"[\s\"'’”)]*(?:is|was)?\s*(?:my|the)?\s*(model|part)\b")
_APPLIANCE_BEFORE = re.compile(rf"\b{_APPLIANCE}[\s,:(#-]*$")
_APPOSITION = re.compile(rf"(?:^|[\s,.;:(]|(?=,)){_alternatives('apposition')}\s+$")
_APPLIANCE_AFTER = re.compile(rf"[\s,]*{_APPLIANCE}\b")

_OTHER_NUMBER = re.compile(
    rf"\b{_OTHER}"
    rf"{_GAP}*(?:(?:numbers?|no|num|nr|id|code|is|was|s|me|us|at|my|the|in|on|placed)\b{_GAP}*)*$"
)
# In "I want to order PS…" the word is a verb; otherwise it names an order's number.
_VERB_ORDER = re.compile(
    r"(?:\b(?:to|i|we|please|can|could|would|will|must|should|just|and|like|not|be)\s+|\A\s*)"
    r"order(?:ed)?\s+(?:the\s+|a\s+|an\s+|my\s+|this\s+|part\s+)*$"
)
_MONEY_BEFORE = re.compile(
    r"(?:[$€£]|\busd)\s*$|\b(?:paid|costs?|spent|price|worth)\s+(?:me |is |of )*$"
)
_PRICE = re.compile(r"\d{1,4}(?:[.,]\d{1,3})*")
_MONTH = re.compile(rf"\b{_MONTHS}\.?,?\s*(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s*)?$")
_LETTER_UNIT = r"[vawkmgfcxds]"
# Longer numbers are no quantities, whatever follows them: "25331447301 Door shelf trim".
_MEASURE = re.compile(
    rf"\d{{1,4}}(?:[.,/]\d{{1,4}})*{_UNIT}(?:\d{{1,2}}{_UNIT}?)?|"
    rf"\d{{1,3}}(?:[.,/]\d{{1,3}})*{_LETTER_UNIT}(?:\d{{1,2}}{_LETTER_UNIT}?)?|\d{{4}}[wkm]"
)
_DIMENSIONS = re.compile(r"\d{1,3}(?:[./]\d{1,3})*(?:x\d{1,3}(?:[./]\d{1,3})*)+(?:in|cm|mm|ft)?")
_UNIT_AFTER = re.compile(rf"\s?%|[\"″”]\s|\s?°|[\s-]{{1,2}}{_UNIT}\b")
_SMALL_UNIT_AFTER = re.compile(rf"[\s-]{{1,2}}(?:{_LETTER_UNIT}|doors?|speeds?|series)\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATE = re.compile(
    r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:(?:19|20)\d\d|\d\d)|"
    r"\d{1,2}[/.]\d{1,2}"
)
# Telephone numbers in North American formats.
_PHONE = re.compile(r"(?:\+?1[-. ]?)?(?:\(?\d{3}\)?[-. ]{1,2})?\d{3}[-. ]\d{4}")
_PHONE_LONG = re.compile(r"(?:\+?1[-. ]?)?\(?\d{3}\)?[-. ]{1,2}\d{3}[-. ]\d{4}")
_LINK = re.compile(r"(?:https?://|www\.)\S*$|@\S*$|\S+@\S*$")
_WORD_AND_NUMBER = re.compile(
    r"[a-z]{4,}\d{1,3}|[A-Z]?[a-z]{3,}\d{1,3}|\d{1,4}[a-z]{3,}|covid-?\d+"
)


class Noise(StrEnum):
    """How strongly the surroundings speak against a number being a model or part."""

    NONE = ""
    DOUBTFUL = "doubtful"
    CERTAIN = "certain"


class Surroundings(NamedTuple):
    """The context of a number: `cue` is "model", "part", "number" or, if there is none, "".

    `appliance` means that an appliance stands next to it, `link` that it is part of a URL or mail
    address, `after` the text behind it and `before` that in front.
    """

    cue: str
    appliance: bool
    noise: Noise
    link: bool
    after: str = ""
    before: str = ""


def surroundings(message: str, start: int, end: int) -> Surroundings:
    """Judge the text around `message[start:end]`."""
    before = message[max(0, start - _BEFORE) : start].casefold()
    after = message[end : end + _AFTER].casefold()
    token = message[start:end]
    # A message that is nothing but a number was surely meant as one.
    cue = _cue(before, after, token) if message.strip(" \t\r\n.!?\"'#") != token else "number"
    link = bool(_LINK.search(before)) or after.startswith("@")
    return Surroundings(
        cue=cue,
        appliance=_names_machine(before, after),
        noise=_noise(token, before, after, cue),
        link=link,
        after=after,
        before=before[-_AFTER:],
    )


def _names_machine(before: str, after: str) -> bool:
    """Whether a number names a machine: it stands beside its kind, or is what something is."""
    beside = _APPLIANCE_BEFORE.search(before) or _APPLIANCE_AFTER.match(after)
    return bool(beside or _APPOSITION.search(before))


def is_measure(token: str) -> bool:
    """Whether a token is a quantity, size, ordinal or time: "110v", "25th", "120V/60Hz"."""
    low = token.casefold()
    pieces = re.split(r"[-/]", low)
    return bool(
        _MEASURE.fullmatch(low)
        or _DIMENSIONS.fullmatch(low)
        or (len(pieces) > 1 and all(_MEASURE.fullmatch(piece) for piece in pieces))
    )


def reads_as_word(token: str) -> bool:
    """Whether a token is a word with a small number: "windows10", "100degrees"."""
    return bool(_WORD_AND_NUMBER.fullmatch(token))


def _cue(before: str, after: str, token: str) -> str:
    """Find which noun a number belongs to; words in front of it take precedence."""
    other = _OTHER_NUMBER.search(before)
    for kind, pattern in _CUE.items():
        if pattern.search(before) and not (kind == "number" and other):
            return kind
    follows = _CUE_AFTER.match(after)
    # "my 2005 model" means a year.
    return follows[1] if follows and not _YEAR.fullmatch(token) else ""


def _noise(token: str, before: str, after: str, cue: str) -> Noise:
    """Judge how likely it is that a number is something else than a model or part number."""
    digits = token.replace(" ", "").isdigit()
    if _MONEY_BEFORE.search(before) and _PRICE.fullmatch(token):
        return Noise.CERTAIN
    if digits and _is_quantity(token, after):
        return Noise.CERTAIN
    # Prices and quantities are excluded even behind "model" or "part"; all else gives way to them.
    if cue in {"model", "part"}:
        return Noise.NONE
    if is_measure(token) or (digits and _MONTH.search(before)):
        return Noise.CERTAIN
    # Whether the digits are only the start of a longer number: "1,035.50", "10:30".
    if digits and ((_YEAR.fullmatch(token) and not cue) or bool(re.match(r"[.,:]\d", after))):
        return Noise.CERTAIN
    # Part numbers with dashes may look like these, so they are only doubtful.
    if _DATE.fullmatch(token) or _PHONE.fullmatch(token) or _part_of_phone(token, before, after):
        return Noise.DOUBTFUL
    # A message that begins "order 12345…" means the number of an order.
    wants = _VERB_ORDER.search(before) and not (digits and before.split() == ["order"])
    if _OTHER_NUMBER.search(before) and not wants:
        return Noise.DOUBTFUL
    return Noise.NONE


def _is_quantity(digits: str, after: str) -> bool:
    if len(digits) <= 5 and _UNIT_AFTER.match(after + " "):
        return True
    return len(digits) <= 3 and bool(_SMALL_UNIT_AFTER.match(after))


def _part_of_phone(token: str, before: str, after: str) -> bool:
    """Whether a token lies inside a telephone number."""
    around = before[-12:] + token + after[:12]
    at = len(before[-12:])
    return any(
        match.start() <= at and at + len(token) <= match.end()
        for match in _PHONE_LONG.finditer(around)
    )
