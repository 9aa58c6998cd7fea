"""What a model may return for a decision: an order's number, and new odds for the prediction."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.prediction import summarise, within_carried
from ruleplay.agents.battle.domain.results import Candidate, Expected

BEND = 4.0
"""How far a model may change a candidate's odds, as a factor up or down, before renormalising.

The limit keeps a confident but wrong model from overruling the rules' prediction altogether.
"""


class Weight(Frozen):
    """The probability of one candidate, by its number in the list, counted from one."""

    candidate: int
    probability: float = Field(ge=0, le=1)


class Reweighting(Frozen):
    """What the model thinks of the candidates; those it leaves out keep their weight."""

    weights: tuple[Weight, ...] = Field(default=(), max_length=16)


def weight_problems(weighting: Reweighting, candidates: Sequence[Candidate]) -> list[str]:
    """List what is wrong with the weights; an empty list means they can be used."""
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
    """Apply a model's weights to the prediction and write its summary anew.

    The probabilities still sum to one. `name` is the opposing Pokémon's name for the summary.
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
    # No move may become likelier than the chance that the Pokémon has it at all.
    ranked = sorted(within_carried(wished), key=lambda candidate: -candidate.probability)
    switching = sum(one.probability for one in ranked if one.kind == "switch")
    switching = min(1.0, switching)
    told = summarise(ranked, switching, name)
    return Expected(predictions=tuple(ranked), switch_chance=switching, summary=told)


def _factor(was: float, wanted: float | None) -> float:
    """Divide what the model wants by what the rules predicted, within the limits of BEND."""
    if wanted is None or was <= 0:
        return 1.0
    return min(BEND, max(1 / BEND, wanted / was))


class Choice(Frozen):
    """Which of the listed orders to give, by its number in the list, counted from one."""

    choice: int


def choice_problems(choice: Choice, legal: Sequence[Order]) -> list[str]:
    """List why a chosen number is not one of the legal orders."""
    if 1 <= choice.choice <= len(legal):
        return []
    return [f"order {choice.choice} is not among 1 to {len(legal)}"]
