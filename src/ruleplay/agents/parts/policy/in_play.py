"""Finds what a message has only a piece of among the numbers of the conversation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleplay.agents.parts.domain.ids import Candidate
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.references import sums_said_at
from ruleplay.agents.parts.domain.slots import UnconfirmedId
from ruleplay.agents.parts.policy.dictated import read_out
from ruleplay.agents.parts.state import State

_PIECE = re.compile(r"[^\W_]+")
_SHORTEST = 3
"""Fewest signs of a piece while a number is being asked about, or if it has letters."""
_KEPT = 2
"""Signs of a model number that an ending leaves at least."""
_ALONE = 4
"""Fewest digits of a piece at any other time."""


def numbers_in_play(state: State) -> tuple[str, ...]:
    """List, in normal form, the numbers that were typed, offered or shown, the newest first."""
    slots = [slot for file in state.cases for slot in (file.slots.model, file.slots.part) if slot]
    offered = [one.options for one in slots if isinstance(one, UnconfirmedId)]
    names = [one.known_as or one.number for options in offered for one in options]
    names += [one.value for one in slots if not isinstance(one, UnconfirmedId)]
    names += [one.value for one in reversed(state.ledger) if one.name in ("model", "part")]
    shown = [*state.cards, *state.spoken]
    names += [name for card in shown for name in (card.number, card.manufacturer_number)]
    strange = {normal(one.value) for one in slots if isinstance(one, UnconfirmedId)}
    return tuple(dict.fromkeys(one for one in map(normal, names) if one not in strange))


def completed(state: State, message: str) -> Iterator[Candidate]:
    """Complete the endings by which a message means a number of the conversation: "K310, sorry".

    An ending that none has replaces that of a model, if the catalog has such a one. Numbers that
    are read out in words are completed too.
    """
    yield from read_out(message)
    whole, models = numbers_in_play(state), _models(state)
    asked = state.asked is not None and state.asked.kind in ("choice", "confirm", "model")
    sums = sums_said_at(message)
    for word in _PIECE.finditer(message):
        piece = normal(word[0])
        digits = sum(map(str.isdigit, piece))
        fewest = _SHORTEST if asked or digits < len(piece) else _ALONE
        if digits < 2 or len(piece) < fewest or word.start() in sums:
            continue
        ends = [one for one in whole if one.endswith(piece) and one != piece]
        if not ends:
            ends = [one[: -len(piece)] + piece for one in models if len(one) > len(piece) + _KEPT]
        if len(ends) == 1:
            span = {"text": word[0], "start": word.start(), "end": word.end()}
            told = {**span, "normal": ends[0], "near": False, "form": "ending"}
            yield Candidate.model_validate(told)


def _models(state: State) -> list[str]:
    """List the model numbers of the machines, known or not."""
    return [normal(file.slots.model.value) for file in state.cases if file.slots.model]
