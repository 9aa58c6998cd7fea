"""Messages such as players write, for fuzzing and benchmarks: sense, nonsense and mischief."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from random import Random

from ruleplay.agents.saga.domain.offers import suggestions
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.state import State

OPENINGS = ("well then,", "I", "bon, alors", "je vais")
BOTH = 0.9
"""Random draws above this combine two acts in one message."""
LETTERS = "abc éà'!?.;,123 \n-«»"
"""Characters of gibberish, with those that split sentences and mark quotations."""


@cache
def _written(kind: str) -> list[str]:
    """Load the messages of a kind (`stray` or `mischief`) from `rehearsal.json`."""
    text = files("ruleplay.agents.saga.policy").joinpath("rehearsal.json").read_text("utf-8")
    return [str(one) for one in json.loads(text)[kind]]


def message(state: State, book: Book, rng: Random) -> str:
    """Make a message: most follow a suggestion, some are off topic, some are mischief."""
    draw = rng.random()
    if draw < 0.04:
        return "".join(rng.choice(LETTERS) for _ in range(rng.randint(1, 60))) + "x"
    if draw < 0.1:
        return rng.choice(_written("mischief"))
    offered = suggestions(state.game, book)
    if draw < 0.35 or not offered:
        return rng.choice(_written("stray"))
    chosen = rng.choice(offered[:3] if rng.random() < 0.6 else offered)
    if draw > BOTH:
        return f"{chosen}, then {rng.choice(offered)}"
    # A suggestion that is not repeated word for word has to be parsed.
    return chosen if rng.random() < 0.5 else f"{rng.choice(OPENINGS)} {chosen}"
