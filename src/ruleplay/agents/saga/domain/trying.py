"""Trying what nobody wrote: code owns the number, the bounds what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ruleplay.agents.saga.domain import demands, effects, journey, setting
from ruleplay.agents.saga.domain import surroundings as around
from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.happenings import (
    Attempted,
    Counted,
    InVain,
    Raised,
    Refused,
    SectionTold,
    TimePassed,
)
from ruleplay.agents.saga.domain.play import Play
from ruleplay.story import bounds
from ruleplay.story.acts import Act, Band, Effect

HARDER = 15
"""What a second try at a clue or an authored talk adds to its number."""


def attempt(play: Play, act: Act) -> bool | None:
    """Try what nobody wrote: code owns the number; None when there is no trying it again."""
    stage, ledger = setting.stage(play.game, play.book), play.game.story.ledger
    band = bounds.attempt(act, stage, ledger)
    skill = act.skill if act.skill in play.book.rules.skills else "perception"
    clue = next((one.what for one in act.success if one.kind == "clue"), "")
    if band is None:
        play.add(InVain(why="limits", text=act.text))
        return None
    resists = next((one for one in stage.standers if one.id == act.to and one.kind == "foe"), None)
    number = bounds.difficulty(band, "d100", against=_wits(play, act.to) if resists else None)
    tried = bool(bounds.tries_of(act, stage, ledger))
    if clue in stage.clues:
        number = min(150, play.book.scenario.clues[clue].difficulty + HARDER * tried)
    # A keepsake is worth nothing: where nothing opposes it, no roll stands before it.
    given = band == "easy" and bounds.only_keepsakes(act.success) and not stage.danger_near
    sure = (band == "sure" or given) and not clue
    roll, success = (None, True) if sure else demands.throw(play, skill, number)
    play.add(
        Attempted(
            skill=skill,
            band=band,
            difficulty=0 if sure else number,
            roll=roll,
            success=success,
            what=act.text,
            against=act.to,
            why="" if sure else _raised(play, act, band, clue, tried),
        )
    )
    if not sure:
        demands.spend_edge(play)
        play.add(Counted(key=bounds.key_of(act, stage)))
        if act.with_:
            play.add(Counted(key=bounds.means_of(act, stage)))
    _outcome(play, act, success, band, clue if clue in stage.clues else "")
    return success


def _raised(play: Play, act: Act, band: Band, clue: str, tried: bool) -> Raised | Literal[""]:
    """Return why a roll is harder than the words say."""
    if tried:
        return "again"
    if clue:
        return ""
    return (
        "stake" if band != act.band and bounds.at_least(act.band, act.success) != act.band else ""
    )


def _wits(play: Play, who: str) -> int:
    one = play.game.fight.get(who) if play.game.fight else None
    return modifier(one.stats["wisdom"]) if one else 0


def _outcome(play: Play, act: Act, success: bool, band: Band, clue: str) -> None:
    if success and clue:
        play.add(SectionTold(kind="clue", key=clue))
        journey.gain(play, play.book.scenario.clues[clue].gain)
    brought = effects.bring(play, _staked(act, success), success=success, band=band)
    if success and not brought and not clue and act.success:
        play.add(Refused(reason="nothing_new"))
    alone = play.game.fight is None and not around.waiting(play.game, play.book)
    if not success and not brought and alone and not play.game.dead:
        play.add(TimePassed(minutes=bounds.FAILED_TIME))


def _staked(act: Act, success: bool) -> Sequence[Effect]:
    """Return what comes of a check; of a wager also the stake, won from whom it is with."""
    if not act.coin:
        return act.success if success else act.failure
    stake = Effect(
        kind="coin", who=act.to if success else "", amount=act.coin * (1 if success else -1)
    )
    return (stake, *(act.success if success else act.failure))
