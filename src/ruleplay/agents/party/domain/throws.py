"""Dice rolls as they are shown: who rolled, what for, and with which numbers."""

from __future__ import annotations

from ruleplay.agents.party.domain.dice import Roll
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings.base import change_of
from ruleplay.agents.party.domain.seats import EVERYONE, Audience
from ruleplay.story.texts import Frozen


class Thrown(Frozen):
    """A roll, who made it, and what for, as `attack:longsword`, `save:dex`, `check:stealth`."""

    by: str
    what: str
    roll: Roll
    audience: Audience = (EVERYONE,)


def thrown(happening: Frozen) -> tuple[Thrown, ...]:
    """Return the dice rolls of a happening."""
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


PURPOSES: dict[type[h.Rolled], tuple[str, str]] = {
    h.AttackRolled: ("attacker", "attack:{0.what}"),
    h.DamageRolled: ("by", "damage:{0.what}"),
    h.HealingRolled: ("by", "healing:{0.what}"),
    h.Checked: ("who", "check:{0.what}"),
    h.SaveRolled: ("who", "save:{0.ability}"),
    h.DeathSaved: ("who", "death-save"),
    h.HitDieSpent: ("who", "hit-die"),
    h.PowerRecharged: ("who", "recharge:{0.power}"),
    h.Endured: ("who", "endure"),
}
"""For each kind of roll: the field that names who rolled, and the pattern of what it is for."""


def _purpose(happening: h.Rolled) -> tuple[str, str]:
    field, what = change_of(PURPOSES, happening)
    return getattr(happening, field), what.format(happening)
