"""Trying what nobody wrote: code owns the number, the bounds what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ruleplay.agents.saga.domain import demands, effects, errands, journey, setting
from ruleplay.agents.saga.domain import surroundings as around
from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.happenings import (
    Attempted,
    Counted,
    InVain,
    ItemGained,
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
    prize = _price_of_prize(play, act)
    number = max(number, prize)
    if clue in stage.clues:
        number = min(150, play.book.scenario.clues[clue].difficulty + HARDER * tried)
    # A keepsake is worth nothing: where nothing opposes it, no roll stands before it.
    given = band == "easy" and bounds.only_keepsakes(act.success) and not stage.danger_near
    sure = (band == "sure" or given) and not (clue or prize)
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
    if success:
        _win(play, act)
    return success


def _price_of_prize(play: Play, act: Act) -> int:
    """Return what a wager is at least as hard as: getting its prize the way an author wrote."""
    if key := _lets_pass(play, act):
        parley = play.book.scenario.encounters[key].parley
        return parley.difficulty if parley else 0
    talk = around.talks(play.game, play.book, act.to).get(act.topic)
    return talk.test.difficulty if talk and talk.test else 0


def _lets_pass(play: Play, act: Act) -> str:
    """Return the encounter that is passed by winning; empty where nobody would let the hero."""
    there = act.to in setting.waiting_foes(play.game, play.book)
    key = around.waiting(play.game, play.book) if there and act.want in ("pass", "leave") else ""
    return key if key and play.book.scenario.encounters[key].parley else ""


def _win(play: Play, act: Act) -> None:
    """Let a wager be won: passage, what somebody knows, a ware worth no more than the stake."""
    if key := _lets_pass(play, act):
        journey.pass_by(play, key)
    elif act.topic in around.talks(play.game, play.book, act.to):
        play.add(SectionTold(kind="talk", key=act.topic))
        journey.gain(play, play.book.scenario.talks[act.topic].gain)
    elif 0 < errands.price_of(play, act.item, act.to) <= act.coin:
        play.add(ItemGained(item=act.item, why="given"))


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
    amount = act.coin if success else -act.coin
    won = Effect(kind="coin", who=act.to if success else "", amount=amount)
    stake = () if success and act.want else (won,)
    return (*stake, *(act.success if success else act.failure))
