"""Paying for acts from a turn's budget: action, bonus action, movement, free interaction."""

from __future__ import annotations

from typing import Literal

from ruleplay.agents.party.domain.fight import Cost
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.intents import Act, Intent
from ruleplay.agents.party.domain.play import Impossible, Play

QUICK = ("dash", "disengage", "hide")
"""What a rogue's Cunning Action can do as a bonus action."""


def pay(play: Play, who: str, intent: Intent, targets: tuple[str, ...] | None = None) -> None:
    """Spend the action for an act."""
    aimed = intent.aimed if targets is None else targets
    take(play, who, intent.act, "action", intent.what, aimed)


def take(
    play: Play,
    who: str,
    act: Act | Literal["improvise"],
    cost: Cost,
    what: str = "",
    targets: tuple[str, ...] = (),
    **changes: object,
) -> None:
    """Spend the cost of an act (Impossible if already spent); outside fights everything is free."""
    left = None
    if play.fighting:
        budget = play.fight.budget
        if cost == "action":
            if not budget.action:
                raise Impossible("no-action", act)
            # Attacks that were left of an Attack action are forfeited by the next action.
            changes = {"action": False, "attacks": (), **changes}
        elif cost == "bonus":
            if not budget.bonus:
                raise Impossible("no-bonus-action", act)
            changes = {"bonus": False, **changes}
        left = budget.model_copy(update=changes) if changes else budget
    play.add(h.ActionTaken(who=who, act=act, cost=cost, what=what, targets=targets, left=left))
