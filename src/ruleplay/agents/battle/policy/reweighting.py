"""What a model may choose: an order by its number, and how far it may bend the prediction."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.prediction import summarise, within_carried
from ruleplay.agents.battle.domain.results import Candidate, Expected

BEND = 4.0
"""A model may make a candidate this many times likelier, or less likely, before renormalising."""


class Weight(Frozen):
    """The probability of one candidate, by its number in the list, counted from one."""

    candidate: int
    probability: float = Field(ge=0, le=1)


class Reweighting(Frozen):
    """What the model thinks of the candidates; those it leaves out keep their weight."""

    weights: tuple[Weight, ...] = Field(default=(), max_length=16)


def weight_problems(weighting: Reweighting, candidates: Sequence[Candidate]) -> list[str]:
    """List why weights cannot be used."""
    numbers = [weight.candidate for weight in weighting.weights]
    problems = [
        f"candidate {number} is not among 1 to {len(candidates)}"
        for number in numbers
        if not 1 <= number <= len(candidates)
    ]
    if len(set(numbers)) < len(numbers):
        problems.append("a candidate is weighted twice")
    return problems


def reweighted(expected: Expected, weighting: Reweighting, name: str = "It") -> Expected:
    """Return the prediction bent by a model's weights, told anew of the Pokémon of this `name`.

    Probabilities still sum to one.
    """
    wanted = {weight.candidate - 1: weight.probability for weight in weighting.weights}
    bent = [
        candidate.probability * _factor(candidate.probability, wanted.get(place))
        for place, candidate in enumerate(expected.predictions)
    ]
    total = sum(bent)
    if not wanted or total <= 0:
        return expected
    shares = zip(expected.predictions, bent, strict=True)
    wished = [each.model_copy(update={"probability": share / total}) for each, share in shares]
    ranked = sorted(within_carried(wished), key=lambda candidate: -candidate.probability)
    switching = sum(one.probability for one in ranked if one.kind == "switch")
    switching = min(1.0, switching)
    told = summarise(ranked, switching, name)
    return Expected(predictions=tuple(ranked), switch_chance=switching, summary=told)


def _factor(was: float, wanted: float | None) -> float:
    if wanted is None or was <= 0:
        return 1.0
    return min(BEND, max(1 / BEND, wanted / was))


class Choice(Frozen):
    """Which of the listed orders to give, by its number in the list, counted from one."""

    choice: int


def choice_problems(choice: Choice, legal: Sequence[Order]) -> list[str]:
    """List why a choice cannot be made."""
    if 1 <= choice.choice <= len(legal):
        return []
    return [f"order {choice.choice} is not among 1 to {len(legal)}"]
