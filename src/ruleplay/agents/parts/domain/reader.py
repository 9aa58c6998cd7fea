"""What a message is about, as wordings taught it: questions, side questions and complaints.

Numbers are marked before a sentence is read, so what was learnt speaks of the question and not of
the part. A reading only counts where it is sure, and adds to what numbers and names say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ruleplay.agents.parts.domain.ids import Found, ModelFound, PartFound, Span
from ruleplay.agents.parts.domain.negation import without_praise
from ruleplay.agents.parts.domain.references import Reference
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.hearing.classifier import Guess, load
from ruleplay.hearing.gaps import GAP, tokens, window

SURE = 0.42
"""How sure a reading must be to count."""
VERY_SURE = 0.64
"""How sure a reading must be to fill a slot, or to stop for a danger, with no word of a rule."""
UNLIKELY = 0.01
"""How likely something is that is not even counted."""
POSSIBLE = 0.12
"""How likely something is that a customer is asked about."""
OFFERED = 3
"""Things that a customer is asked about."""
LIKELY = 0.2
"""How likely a strange word has to be a part's name, to be taken for one."""
GOALS = {
    "price": Goal.PRICE, "check": Goal.CHECK, "install": Goal.INSTALL, "effort": Goal.EFFORT,
    "about": Goal.ABOUT, "list": Goal.LIST, "find": Goal.FIND, "diagnose": Goal.DIAGNOSE,
    "replaces": Goal.REPLACED, "models": Goal.MODELS,
}  # fmt: skip
TOPICS = {
    "bot": "bot", "onorder": "on_order", "shipping": "shipping", "returns": "returns",
    "warranty": "warranty", "discount": "discount", "payment": "payment", "compare": "compare",
    "language": "language", "rating": "rating", "sure": "sure", "safe": "safe", "worth": "worth",
    "untold": "untold", "cheaper": "by_price", "othermachine": "carried", "help": "help",
    "dear": "dear", "tried": "tried", "howtell": "how_tell", "tools": "tools", "clean": "clean",
    "hours": "hours", "away": "away", "quote": "quote",
}  # fmt: skip
"""Side questions that a text answers, by the name of the text."""
SHOPS = {"status": "order_status", "wherenumber": "where_is_the_number"}
"""Side questions that rules hear as well, by the name of the text."""
ASKED = {**GOALS, **TOPICS, **SHOPS}
"""Whatever a message may ask."""
DOUBTFUL = ("untold", "cheaper", "othermachine")
"""Side questions that are easily taken for others: only a sure reading counts."""
_STOPS = re.compile(r"[.?!;,:\n]+\s|\s(?:and|et|y|but|mais|pero)\s")
_LETTERS = re.compile(r"(?<![\w<])[^\W\d_]+(?![\w>])")
_NUMBER = 4
"""Characters that a part's number has at least."""
_FEWEST = 2
"""Words that a clause has to be read by itself."""


class Reading(Span):
    """A stretch of a message and what it is about; empty where the reader is not sure."""

    goal: str
    sure: float
    complaint: str
    complaint_sure: float
    words: int = 0
    """How many words of letters it has."""
    complaints: Mapping[str, float] = {}
    """How likely each complaint is, the likeliest first."""
    shares: Mapping[str, float] = {}
    """How likely each thing is that it may be about."""

    def leads(self, least: float) -> bool:
        """Whether it is somewhat sure, and twice as likely as anything else."""
        others = [share for goal, share in self.shares.items() if goal != self.goal]
        return self.sure >= max([least, *(2 * share for share in others)])


def readings(message: str, numbers: Sequence[Found | Reference]) -> tuple[Reading, ...]:
    """Read the whole message, then each of its clauses where it has several."""
    whole = _reading(message, 0, len(message), numbers)
    clauses = [(a, b) for a, b in _clauses(message) if len(message[a:b].split()) >= _FEWEST]
    if len(clauses) < 2:  # one clause is the message
        return (whole,)
    return (whole, *(_reading(message, a, b, numbers) for a, b in clauses))


def _clauses(message: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _STOPS.finditer(message):
        yield start, stop.start() + 1
        start = stop.end()
    yield start, len(message)


def _reading(message: str, start: int, end: int, numbers: Sequence[Found | Reference]) -> Reading:
    marked = _marked(message, start, end, numbers)
    heads = load("ruleplay.agents.parts", "reader.bin").read(marked)
    plain = without_praise(marked)
    ill = load("ruleplay.agents.parts", "reader.bin").read(plain) if plain != marked else heads
    goal, complaint = heads["goal"][0], ill["symptom"][0]
    return Reading(
        text=message[start:end],
        start=start,
        end=end,
        goal=goal.label,
        sure=goal.sure,
        complaint=complaint.label,
        complaint_sure=complaint.sure,
        words=len(_LETTERS.findall(marked)),
        complaints=_worth_naming(ill["symptom"]),
        shares=_worth_naming(heads["goal"]),
    )


def perhaps(read: Sequence[Reading]) -> tuple[str, ...]:
    """Return what a message may ask where nobody is sure, the likeliest first.

    Empty where it rather tells than asks.
    """
    labels = sorted({label for one in read for label in one.shares})
    shares = {label: max(one.shares.get(label, 0) for one in read) for label in labels}
    likely = sorted(
        (label for label in shares if shares[label] >= POSSIBLE), key=lambda label: -shares[label]
    )
    asked = [label for label in likely if label in ASKED]
    return tuple(asked[:OFFERED]) if asked and shares[asked[0]] >= LIKELY else ()


def may_name_part(message: str, span: Span, numbers: Sequence[Found | Reference]) -> bool:
    """Tell whether a strange word stands where wordings have a part: not "it won't *dry*".

    What may be a number always may, but not the "100" of a price.
    """
    if any(char.isdigit() for char in span.text):
        return len(span.text) >= _NUMBER
    before = tokens(_marked(message, 0, span.start, numbers))
    after = tokens(_marked(message, span.end, len(message), numbers))
    around = window([*before, GAP, *after], len(before), len(before) + 1)
    guesses = load("ruleplay.agents.parts", "names.bin").read(around)["name"]
    return any(one.label == "part" and one.sure >= LIKELY for one in guesses)


def _worth_naming(guesses: Sequence[Guess]) -> dict[str, float]:
    return {one.label: one.sure for one in guesses if one.sure >= UNLIKELY}


def _marked(message: str, start: int, end: int, numbers: Sequence[Found | Reference]) -> str:
    text, last = "", start
    for found in sorted(numbers, key=lambda one: one.start):
        if last <= found.start < end:
            text += message[last : found.start] + f" {_mark(found)} "
            last = found.end
    return text + message[last:end]


def _mark(found: Found | Reference) -> str:
    match found:
        case Reference():
            return "one"
        case ModelFound():
            return "<model>"
        case PartFound():
            return "<part>"
    kind = getattr(found, "kind", "")
    return f"<{kind}>" if kind in ("model", "part") else "<number>"
