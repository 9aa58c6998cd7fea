"""Dice as they are shown: who threw what for what, and with which numbers it replays."""

from __future__ import annotations

from ruleplay.agents.party.domain import happenings as h
from ruleplay.agents.party.domain.dice import Roll
from ruleplay.agents.party.domain.seats import EVERYONE, Audience
from ruleplay.story.texts import Frozen


class Thrown(Frozen):
    """A roll, who made it, and what for, as `attack:longsword`, `save:dex`, `check:stealth`."""

    by: str
    what: str
    roll: Roll
    audience: Audience = (EVERYONE,)


def thrown(happening: Frozen) -> tuple[Thrown, ...]:
    """Return the dice that something took."""
    if not isinstance(happening, h.Happening):
        return ()
    match happening:
        case h.FightBegan(fight=fight, rolls=rolls):
            return tuple(
                Thrown(
                    by=next(
                        (who for who in fight.order if fight.initiative_of(who) == roll.total), ""
                    ),
                    what="initiative",
                    roll=roll,
                )
                for roll in rolls
            )
        case h.Contested(who=who, what=what, other=other, other_what=other_what, rolls=rolls):
            mine = Thrown(by=who, what=f"contest:{what}", roll=rolls[0])
            return (mine, Thrown(by=other, what=f"contest:{other_what}", roll=rolls[1]))
        case h.Rolled(roll=roll):
            by, what = _purpose(happening)
            return (Thrown(by=by, what=what, roll=roll),)
        case _:
            return ()


def _purpose(happening: h.Rolled) -> tuple[str, str]:
    match happening:
        case h.AttackRolled(attacker=by, what=what):
            return by, f"attack:{what}"
        case h.DamageRolled(by=by, what=what):
            return by, f"damage:{what}"
        case h.HealingRolled(by=by, what=what):
            return by, f"healing:{what}"
        case h.Checked(who=by, what=what):
            return by, f"check:{what}"
        case h.SaveRolled(who=by, ability=ability):
            return by, f"save:{ability}"
        case h.DeathSaved(who=by):
            return by, "death-save"
        case h.HitDieSpent(who=by):
            return by, "hit-die"
        case h.PowerRecharged(who=by, power=power):
            return by, f"recharge:{power}"
        case h.Endured(who=by):
            return by, "endure"
        case _:
            return "", type(happening).__name__
