"""What a model may say a message means, and why it is not believed."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from ruleplay.agents.saga.domain.combat_acts import plan_problem
from ruleplay.agents.saga.domain.intents import Act, Intent, Plan, Short
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.texts import Frozen, words_of
from ruleplay.agents.saga.domain.understanding import Scope

SPOKEN_FOR: tuple[Act, ...] = ("accept", "force_end", "language", "return")
"""Acts that only the player's own words can bring about: a model never speaks for the player."""


class Hearing(Frozen):
    """What a model heard, with the words of the message that say so."""

    act: Act = "unknown"
    target: Short = ""
    item: Short = ""
    quote: Short = ""


class CombatHearing(Hearing):
    """The same in a fight, and what everybody else wants to do."""

    plans: tuple[Plan, ...] = Field(default=(), max_length=10)


def hearing_problems(hearing: Hearing, message: str, scope: Scope) -> list[str]:
    """Return why a hearing is not believed: an act without a quote, an id nobody has."""
    if hearing.act == "unknown":
        return []
    problems = []
    quoted = words_of(hearing.quote)
    said = " ".join(words_of(message))
    if not quoted or f" {' '.join(quoted)} " not in f" {said} ":
        problems.append(f"the quote {hearing.quote!r} is not in the message")
    if hearing.act in SPOKEN_FOR:
        problems.append(f"{hearing.act!r} is for the player alone to say")
    known = {one.id for one in (*scope.beings, *scope.places, *scope.deeds, *scope.skills)}
    if hearing.target and hearing.target not in known:
        problems.append(f"no target {hearing.target!r} here")
    if hearing.item and hearing.item not in {one.id for one in scope.items}:
        problems.append(f"no item {hearing.item!r} here")
    return problems


def plan_problems(plans: Iterable[Plan], play: Play) -> list[str]:
    """Return why plans cannot be carried out as things stand."""
    return [problem for plan in plans if (problem := plan_problem(play, plan))]


def intent_of(hearing: Hearing, message: str) -> Intent:
    """Return a believed hearing as an intent."""
    return Intent(act=hearing.act, target=hearing.target, item=hearing.item, said=message[:200])
