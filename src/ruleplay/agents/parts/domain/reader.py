"""Classifies what a message is about: questions, side questions and complaints.

The classifier (`reader.bin`) was trained on written examples (decision 0030). Numbers are replaced
by marks before a sentence is classified, so that what was learnt is about the question and not
about the part. A reading counts only where it is certain enough, and adds to what numbers and names
say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ruleplay.agents.parts.domain.ids import Found, ModelFound, PartFound, Span
from ruleplay.agents.parts.domain.negation import without_praise
from ruleplay.agents.parts.domain.references import Reference
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.hearing.classifier import Guess, load
from ruleplay.hearing.encoder import alike, is_everyday
from ruleplay.hearing.gaps import GAP, tokens, window

SURE = 0.42
"""Least probability of a reading that counts."""
VERY_SURE = 0.64
"""Least probability of a reading that fills a slot, or stops for a danger, without support from a
rule."""
UNLIKELY = 0.01
"""Probability below which a label is ignored altogether."""
DOUBT = 0.04
"""Probability of a label below which an intent that rules found for it is dropped."""
POSSIBLE = 0.12
"""Least probability of something that a customer is asked about."""
OFFERED = 3
"""Most things that a customer is asked to choose from."""
LIKELY = 0.2
"""Least probability that an unknown word is the name of a part for it to be taken as one."""
PROBABLE = 0.5
"""Least probability that an everyday word is the name of a part."""
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
"""Side questions that a text answers: the classifier's label, and the name of the text."""
SHOPS = {"status": "order_status", "wherenumber": "where_is_the_number"}
"""Side questions that rules recognise as well: the classifier's label, and the name of the text."""
ASKED = {**GOALS, **TOPICS, **SHOPS}
"""Everything that a message may ask."""
DOUBTFUL = ("untold", "cheaper", "othermachine")
"""Side questions that are easily confused with others, so that only a very sure reading counts."""
_STOPS = re.compile(r"[.?!;,:\n]+\s|\s(?:and|et|y|but|mais|pero|pis)\s")
_LED = re.compile(r"^\s*(?:(?:and|et|but|mais|pero|pis)\s+)?", re.IGNORECASE)
_SENTENCES = re.compile(r"[.?!\n]+\s")
_LETTERS = re.compile(r"(?<![\w<])[^\W\d_]+(?![\w>])")
_NUMBER = 4
"""Fewest characters of a part's number."""
_BROKEN, _NEAR = 0.55, 0.2
"""Least nearness in meaning to "the rack is broken" or the name of a symptom."""
_STATES = ("it is broken", "it is in good order", "it works fine", "it is not that")
_FINE, _APART = 0.35, 0.1
"""Least nearness to one of the good states, and how much nearer that is than the bad one."""
_FEWEST = 2
"""Fewest words of a clause that is classified by itself."""


class Reading(Span):
    """A stretch of a message with the most likely goal and complaint, and their probabilities."""

    goal: str
    sure: float
    complaint: str
    complaint_sure: float
    words: int = 0
    """Number of words that consist of letters."""
    complaints: Mapping[str, float] = {}
    """Probability of each complaint, in descending order."""
    shares: Mapping[str, float] = {}
    """Probability of each goal or topic, in descending order."""

    def leads(self, least: float) -> bool:
        """Whether the goal has at least probability `least` and twice that of any other."""
        others = [share for goal, share in self.shares.items() if goal != self.goal]
        return self.sure >= max([least, *(2 * share for share in others)])


def readings(message: str, numbers: Sequence[Found | Reference]) -> tuple[Reading, ...]:
    """Classify the whole message, then, if it has several clauses, each clause."""
    whole = _reading(message, 0, len(message), numbers)
    clauses = [(a, b) for a, b in _clauses(message) if _tells(message[a:b])]
    if len(clauses) < 2:  # one clause is the message
        return (whole,)
    return (whole, *(_reading(message, a, b, numbers) for a, b in clauses))


def _tells(clause: str) -> bool:
    """Whether a clause is classified by itself: a word alone only as a question, "hard?"."""
    return len(clause.split()) >= (1 if clause.rstrip().endswith("?") else _FEWEST)


def _clauses(message: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _STOPS.finditer(message):
        yield start, stop.start() + 1
        start = stop.end()
    yield start, len(message)


def _reading(message: str, start: int, end: int, numbers: Sequence[Found | Reference]) -> Reading:
    """Classify a stretch; complaints are read without praise, as "the freezer is fine" is none."""
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


def sentence_words(text: str, place: int) -> int:
    """Count the words of the sentence at a place of a text."""
    ends = [stop.end() for stop in _SENTENCES.finditer(text)]
    start = max((end for end in ends if end <= place), default=0)
    end = min((end for end in ends if end > place), default=len(text))
    return len(_LETTERS.findall(text[start:end]))


class Located(Protocol):
    """What stands somewhere in a message."""

    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102


def clause_of(one: Located, read: Sequence[Reading]) -> Reading:
    """Find the narrowest classified stretch around something."""
    around = [clause for clause in read if clause.start <= one.start and one.end <= clause.end]
    return min(around or read[:1], key=lambda clause: clause.end - clause.start)


def quoted(text: str) -> str:
    """Strip a clause of punctuation around it and of the word that joins it to another."""
    return _LED.sub("", text, count=1).strip(" .,;:!?¿\n")


def asked_as(message: str, label: str) -> str:
    """Quote the stretches that surely ask something, or the likeliest, or the whole message."""
    read = readings(message, ())
    sure = [quoted(one.text) for one in read[1:] if one.goal == label and one.sure >= SURE]
    if len(sure) > 1:
        return " … ".join(sure)
    best = max(read[1:] or read, key=lambda one: one.shares.get(label, 0))
    return quoted((best if best.goal == label else read[0]).text)


def clause_around(message: str, words: str) -> str:
    """Quote the clause of a message that has some words, or the whole message."""
    at = message.casefold().find(words.casefold())
    around = [message[a:b] for a, b in _clauses(message) if a <= at < b]
    return quoted((around or [message])[0])


def perhaps(read: Sequence[Reading]) -> tuple[str, ...]:
    """List what a message may ask where nothing is certain, the most likely first.

    Empty if it more likely makes a statement.
    """
    labels = sorted({label for one in read for label in one.shares})
    shares = {label: max(one.shares.get(label, 0) for one in read) for label in labels}
    likely = sorted(
        (label for label in shares if shares[label] >= POSSIBLE), key=lambda label: -shares[label]
    )
    asked = [label for label in likely if label in ASKED]
    return tuple(asked[:OFFERED]) if asked and shares[asked[0]] >= LIKELY else ()


def may_name_part(
    message: str, span: Span, numbers: Sequence[Found | Reference], *, placed: bool = True
) -> bool:
    """Whether an unknown word is used like the name of a part, unlike "dry" in "it won't *dry*".

    Anything that may be a number qualifies, but not the "100" of a price; an everyday word needs
    more certainty than one that is rare and is `placed` where names stand.
    """
    if any(char.isdigit() for char in span.text):
        return len(span.text) >= _NUMBER
    share = part_share(message, span.start, span.end, numbers)
    rare = placed and not all(is_everyday(word) for word in span.text.split())
    return share >= (LIKELY if rare else PROBABLE)


def part_share(
    message: str, start: int, end: int, numbers: Sequence[Found | Reference] = ()
) -> float:
    """Return the probability that the words at a place are used like the name of a part."""
    before = tokens(_marked(message, 0, start, numbers))
    after = tokens(_marked(message, end, len(message), numbers))
    around = window([*before, GAP, *after], len(before), len(before) + 1)
    guesses = load("ruleplay.agents.parts", "names.bin").read(around)["name"]
    return sum(one.sure for one in guesses if one.label == "part")


def seems_broken(clause: str, noun: str) -> bool:
    """Whether a clause that names a part comes near in meaning to saying that it is broken."""
    return alike(clause, (f"the {noun} is broken",))[0] >= _BROKEN


def seems(clause: str, symptom: str) -> bool:
    """Whether a clause comes near in meaning to the name of a symptom."""
    return alike(clause, (symptom,))[0] >= _NEAR


def seems_fine(clause: str) -> bool:
    """Whether a clause comes nearer to saying that something is in order than that it is broken."""
    broken, *fine = alike(clause, _STATES)
    return max(fine) >= max(_FINE, broken + _APART)


def _worth_naming(guesses: Sequence[Guess]) -> dict[str, float]:
    return {one.label: one.sure for one in guesses if one.sure >= UNLIKELY}


def _marked(message: str, start: int, end: int, numbers: Sequence[Found | Reference]) -> str:
    """Return `message[start:end]` with numbers and references replaced by marks."""
    text, last = "", start
    for found in sorted(numbers, key=lambda one: one.start):
        if last <= found.start < end:
            text += message[last : found.start] + f" {_mark(found)} "
            last = found.end
    return text + message[last:end]


def _mark(found: Found | Reference) -> str:
    """Choose the mark for a number, as in the training examples."""
    match found:
        case Reference():
            return "one"
        case ModelFound():
            return "<model>"
        case PartFound():
            return "<part>"
    kind = getattr(found, "kind", "")
    return f"<{kind}>" if kind in ("model", "part") else "<number>"
