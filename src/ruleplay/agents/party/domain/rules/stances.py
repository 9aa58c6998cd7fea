"""Actions that don't attack: dodge, disengage, dash, hide and help."""

from __future__ import annotations

from ruleplay.agents.party.domain.creature import Boon, Effect
from ruleplay.agents.party.domain.fight import Cost
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.intents import Act
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.checks import check
from ruleplay.agents.party.domain.rules.conditions import pace
from ruleplay.agents.party.domain.rules.effects import bestow
from ruleplay.agents.party.domain.rules.spending import take
from ruleplay.agents.party.domain.terms import ABILITIES

QUIET_DC = 10
"""The Stealth DC when nobody is there to notice."""


def stance(play: Play, who: str, key: str, boon: Boon, rounds: int = 1) -> None:
    """Apply a bonus that lasts until the start of one's next turn, or for more rounds."""
    bestow(play, who, Effect(key=key, source=who, boon=boon, left=rounds, of=who, at="start"))


def dodge(play: Play, who: str) -> None:
    """Dodge until the start of one's next turn."""
    stance(play, who, "dodging", Boon(dis_against=True, adv_saves=("dex",)))


def disengage(play: Play, who: str, cost: Cost = "free") -> None:
    """Move without provoking opportunity attacks for the rest of the turn."""
    take(play, who, "disengage", cost, disengaged=True)


def dash(play: Play, who: str, cost: Cost = "free", act: Act = "dash") -> None:
    """Add one's speed to the movement left."""
    more = play.fight.budget.movement + pace(play.the(who))
    take(play, who, act, cost, movement=more)


def hide(play: Play, who: str) -> None:
    """Try to hide: Stealth against the highest passive Perception among the foes."""
    foes = [foe.passive("perception") for foe in play.cast.foes_of(who) if foe.conscious]
    if check(play, who, "stealth", max(foes, default=QUIET_DC), "hide"):
        rolled = next(one for one in reversed(play.happened) if isinstance(one, h.Checked))
        play.add(h.Hidden(who=who, total=rolled.roll.total))
        bestow(play, who, Effect(key="hidden", source=who))


def aid(play: Play, who: str, ally: str) -> None:
    """Help an ally: advantage on their next attack or ability check."""
    boon = Boon(adv_attack=True, adv_checks=ABILITIES, once=True)
    bestow(play, ally, Effect(key="helped", source=who, boon=boon, left=1, of=who, at="start"))
