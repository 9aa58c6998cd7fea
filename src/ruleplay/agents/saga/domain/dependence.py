"""What an act depends on: the last roll of the hero's, and whether something came to nothing."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import journey
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.play import Play
from ruleplay.story.acts import Act

GRANTED = (
    *(h.SectionTold, h.Joined, h.Parted, h.FlagSet, h.Consulted, h.DetailKept),
    *(h.CoinChanged, h.ItemGained, h.ItemLost, h.KeepsakeLost),
)
"""What comes directly after words that want something, if it is granted without a roll."""


def in_vain(one: h.Happening) -> bool:
    """Whether something came to nothing, so that acts which depend on it cannot be done."""
    gone = isinstance(one, h.LeftUndone) and one.why == "gone"
    refused = isinstance(one, h.Refused) and one.reason not in journey.FRUITLESS
    return gone or refused or isinstance(one, h.InVain)


def failed(one: h.Happening) -> bool:
    """Whether something was in vain, or failed its roll."""
    return in_vain(one) or getattr(one, "success", True) is False


def conditional(act: Act) -> bool:
    """Whether an act depends on the outcome of a roll."""
    return act.when in ("if_success", "if_failure")


def allowed(play: Play, act: Act, settled: int = 0) -> bool:
    """Whether an act's condition holds, by the last roll of the hero's or failure.

    If nothing was rolled the condition counts as success. With `settled` only the first so many
    happenings count: several acts may depend on the same roll.
    """
    if not conditional(act):
        return True
    last = _decisive(play, settled)
    succeeded = (
        last.hit if isinstance(last, h.Attacked) else bool(getattr(last, "success", not last))
    )
    return succeeded == (act.when == "if_success")


def hangs(play: Play, act: Act, settled: int) -> bool:
    """Whether an act depends on something that was in vain, or on a wish nobody answered."""
    last = _decisive(play, settled) if act.when == "if_success" else None
    return last is not None and (in_vain(last) or isinstance(last, h.Spoke))


def _decisive(play: Play, settled: int) -> h.Happening | None:
    """Return the roll or failure that decides about conditional acts, if there is one."""
    known = play.done[: settled or None]
    for at in reversed(range(len(known))):
        one = known[at]
        mine = one.attacker == HERO if isinstance(one, h.Attacked) else hasattr(one, "success")
        if mine or in_vain(one) or _unanswered(one, known[at + 1 : at + 2]):
            return one
    return None


def _unanswered(one: h.Happening, after: Sequence[h.Happening]) -> bool:
    """Whether a happening is a wish of the hero's of which nothing came directly `after` it."""
    wish = isinstance(one, h.Spoke) and one.who == HERO and bool(one.want)
    return wish and not any(isinstance(then, GRANTED) for then in after)
