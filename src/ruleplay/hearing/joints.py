"""Where one clause of a message ends and the next begins, as wordings in `training/` mark it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import inf, log

from ruleplay.hearing.classifier import Classifier, fold

CUT = "<cut>"
"""How wordings mark the place."""
NEAR = 3
"""Words shown at either side of a place."""
RARELY, SENTENCE = 0.08, 0.97
"""Below which likelihood no cut is tried, and that of a cut at the end of a sentence."""
MOST = 24
"""Places that are tried, the likeliest."""
Spot = tuple[int, float, bool]
_TOKEN = re.compile(r"<\w+>|[^\W_]+")
_STOPS = {",": "<comma>", "?": "<ask>", ".": "<stop>", "!": "<call>", ";": "<semi>", ":": "<colon>"}


def places(text: str) -> Iterator[tuple[int, str]]:
    """Yield where a text may be cut, an offset, with the words and stops around it."""
    found = [*_TOKEN.finditer(text)]
    for at in range(1, len(found)):
        between = text[found[at - 1].end() : found[at].start()]
        if any(char.isspace() for char in between):
            before = [fold(one[0]) for one in found[max(0, at - NEAR) : at]]
            after = [fold(one[0]) for one in found[at : at + NEAR]]
            stops = [_STOPS.get(char, "<mark>") for char in between if not char.isspace()]
            yield found[at].start(), " ".join([*before, *stops[:2], "<gap>", *after])


def clauses(text: str, joints: Classifier, sure: Callable[[str], float]) -> list[str]:
    """Return a text's clauses in their order, with the stops behind them.

    `sure` tells how well a clause is understood alone, 0 to 1: where that and the likelihoods of
    the places together are highest, the text is cut.
    """
    spots = sorted(sorted(_spots(text, joints), reverse=True, key=lambda spot: spot[1])[:MOST])
    spots = [(0, 1.0, True), *spots, (len(text), 1.0, True)]
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
    """Yield places where a cut is not out of the question, how likely it is, whether a stop is."""
    for at, around in places(text):
        guesses = joints.read(around)["joint"]
        likely = next(guess.sure for guess in guesses if guess.label == "cut")
        before = text[:at].rstrip()[-1:]
        likely = max(likely, SENTENCE) if before in ".!?" else min(likely, SENTENCE)
        if likely >= RARELY:
            yield at, likely, before in _STOPS


def _score(text: str, spots: Sequence[Spot], sure: Callable[[str], float]) -> float:
    """Return the logarithm of how likely the text between the outer spots is one clause."""
    (start, _, opened), *inner, (end, likely, closed) = spots
    clause = text[start:end]
    if not (opened and closed) and len(_TOKEN.findall(clause)) < 2:
        return -inf  # one word is a clause of its own only between stops
    whole = sum(log(1 - spot[1]) for spot in inner)
    return whole + log(likely) + log(max(sure(clause), 1e-9))
