"""How releases before this one understood what their parser did not: for replaying their turns."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from ruleplay.agents.saga.domain.combat_acts import plan_problem
from ruleplay.agents.saga.domain.intents import Act, Intent, Plan, Short
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scope import Scope
from ruleplay.agents.saga.domain.texts import Frozen, words_of

SPOKEN_FOR: tuple[Act, ...] = ("accept", "force_end", "language", "return")
"""Acts that only the player's own words could bring about."""


class Hearing(Frozen):
    """What a model heard, with the words of the message that say so."""

    act: Act = "unknown"
    target: Short = ""
    item: Short = ""
    quote: Short = ""


class CombatHearing(Hearing):
    """The same in a fight, and what everybody else wanted to do."""

    plans: tuple[Plan, ...] = Field(default=(), max_length=10)


def hearing_problems(hearing: Hearing, message: str, scope: Scope) -> list[str]:
    """Return why a hearing was not believed: an act without a quote, an id nobody has."""
    if hearing.act == "unknown":
        return []
    quoted = words_of(hearing.quote)
    said = " ".join(words_of(message))
    known = {one.id for one in (*scope.beings, *scope.places, *scope.deeds, *scope.skills)}
    items = {one.id for one in scope.items}
    wrong = {
        f"the quote {hearing.quote!r} is not in the message": not quoted
        or f" {' '.join(quoted)} " not in f" {said} ",
        f"{hearing.act!r} is for the player alone to say": hearing.act in SPOKEN_FOR,
        f"no target {hearing.target!r} here": bool(hearing.target) and hearing.target not in known,
        f"no item {hearing.item!r} here": bool(hearing.item) and hearing.item not in items,
    }
    return [why for why, is_so in wrong.items() if is_so]


def plan_problems(plans: Iterable[Plan], play: Play) -> list[str]:
    """Return why plans cannot be carried out as things stand."""
    return [problem for plan in plans if (problem := plan_problem(play, plan))]


def intent_of(hearing: Hearing, message: str) -> Intent:
    """Return a believed hearing as an intent."""
    return Intent(act=hearing.act, target=hearing.target, item=hearing.item, said=message[:200])
