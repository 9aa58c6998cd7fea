"""Splits a message into clauses, at positions learned from marks in `training/`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import inf, log

from ruleplay.hearing.classifier import Classifier, fold

CUT = "<cut>"
"""The mark of a boundary in training examples."""
NEAR = 3
"""Words on either side of a position that the classifier sees."""
RARELY, SENTENCE = 0.08, 0.97
"""Below which likelihood no cut is tried, and that of a cut at the end of a sentence."""
MOST = 24
"""Most positions that are tried, since the search is quadratic in them."""
Spot = tuple[int, float, bool]
"""Position, probability of a cut there, and whether punctuation precedes it."""
_TOKEN = re.compile(r"<\w+>|[^\W_]+")
_STOPS = {",": "<comma>", "?": "<ask>", ".": "<stop>", "!": "<call>", ";": "<semi>", ":": "<colon>"}


def places(text: str) -> Iterator[tuple[int, str]]:
    """Yield each offset where a text may be cut, with the words and punctuation around it."""
    found = [*_TOKEN.finditer(text)]
    for at in range(1, len(found)):
        between = text[found[at - 1].end() : found[at].start()]
        if any(char.isspace() for char in between):
            before = [fold(one[0]) for one in found[max(0, at - NEAR) : at]]
            after = [fold(one[0]) for one in found[at : at + NEAR]]
            stops = [_STOPS.get(char, "<mark>") for char in between if not char.isspace()]
            yield found[at].start(), " ".join([*before, *stops[:2], "<gap>", *after])


def clauses(text: str, joints: Classifier, sure: Callable[[str], float]) -> list[str]:
    """Split a text into clauses, in order, with the punctuation that ends them.

    `sure` rates from 0 to 1 how well a clause is understood alone. The cuts are chosen that
    maximise the product of these ratings and the probabilities of all positions (dynamic
    programming).
    """
    spots = sorted(sorted(_spots(text, joints), reverse=True, key=lambda spot: spot[1])[:MOST])
    # The ends of the text are certain cuts.
    spots = [(0, 1.0, True), *spots, (len(text), 1.0, True)]
    # For each position: the best log-probability of all clauses up to it, and the previous cut.
    best = [(0.0, 0)]
    for end in range(1, len(spots)):
        scores = [
            (best[start][0] + _score(text, spots[start : end + 1], sure), start)
            for start in range(end)
        ]
        best.append(max(scores))
    ends, at = list[int](), len(spots) - 1
    while at:
        ends.append(at)
        at = best[at][1]
    cuts = [0, *(spots[end][0] for end in reversed(ends))]
    return [text[start:end] for start, end in pairwise(cuts)]


def _spots(text: str, joints: Classifier) -> Iterator[tuple[int, float, bool]]:
    """Yield positions where a cut is not out of the question."""
    for at, around in places(text):
        guesses = joints.read(around)["joint"]
        likely = next(guess.sure for guess in guesses if guess.label == "cut")
        before = text[:at].rstrip()[-1:]
        # Punctuation that ends a sentence nearly always ends a clause; nothing else is as certain.
        likely = max(likely, SENTENCE) if before in ".!?" else min(likely, SENTENCE)
        if likely >= RARELY:
            yield at, likely, before in _STOPS


def _score(text: str, spots: Sequence[Spot], sure: Callable[[str], float]) -> float:
    """Compute the log-probability that the text between the outer positions is one clause."""
    (start, _, opened), *inner, (end, likely, closed) = spots
    clause = text[start:end]
    if not (opened and closed) and len(clause.split()) < 2:
        return -inf  # one word is a clause of its own only between punctuation
    whole = sum(log(1 - spot[1]) for spot in inner)
    return whole + log(likely) + log(max(sure(clause), 1e-9))
