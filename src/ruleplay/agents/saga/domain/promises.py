"""Promises that words make: the hero's own, and what somebody agrees to do for them."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.saga.domain import dependence, effects
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings as around
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scope import items_alone
from ruleplay.story import bounds
from ruleplay.story.acts import Act, Detail, Reading
from ruleplay.story.mentions import mentioned
from ruleplay.story.texts import Text, words_of
from ruleplay.story.wording import MOSTLY, share_of

FACT = "fact"
"""What a detail of success is that is so at once."""
BACK = Text(en="bring back {0}", fr="rapporter {0}")
TERMS = ("pass", "leave", "yield", "truce", "join", "give")
"""What words want if a promise beside them is what is offered for it."""
HAD = (h.ItemGained, h.Joined)
"""What shows that words with an aim got something, whatever else was refused."""
BINDING = (h.Attempted, h.SkillChecked, h.Demanded, h.Helped, h.Joined, h.Parted)
"""What shows that somebody has agreed to what words want, if nothing failed."""


def promise(play: Play, reading: Reading) -> None:
    """Keep promises, each once: the hero's word holds whatever comes of the words with it.

    Only one that was the price of a deal is not kept if all that was asked for is refused. Of
    several things that are to be brought back, those are promised that were had.
    """
    dealt = any(act.do == "say" and _deals(act) for act in reading.acts)
    refused = dealt and _turned_down(play.done)
    there = around.persons(play.game, play.book)
    vain = sum(map(dependence.in_vain, play.done)) >= len(reading.acts)
    kept = [one.text for one in play.game.story.canon if one.kind == "promise"]
    for one in reading.details:
        lost = refused or one.text in kept or (vain and one.about in there)
        if one.kind == "promise" and not lost:
            for vow in _of_what_was_had(play, reading.acts, one):
                if vow.text not in kept:
                    effects.keep_detail(play, vow)


def _of_what_was_had(play: Play, acts: Sequence[Act], vow: Detail) -> Sequence[Detail]:
    """Return a promise, or one for each thing in it that was had where others were not."""
    asked = [act for act in acts if act.do == "say" and act.want == "give"]
    wares = {act.item.removeprefix("buy:") for act in asked}
    known = items_alone(play.book, sorted(wares & {*play.book.rules.items}))
    named = [one.id for one in known if mentioned(words_of(vow.text), (one,))]
    had = {one.item for one in play.done if isinstance(one, h.ItemGained | h.CoinChanged)}
    trifles = [o.text for act in asked for o in act.success if o.kind == "keepsake"]
    mine = around.keepsakes(play.game)
    lacking = [one for one in named if one not in had] + [
        one
        for one in trifles
        if share_of(words_of(one), words_of(vow.text)) >= MOSTLY and not bounds.meant_of(mine, one)
    ]
    if not lacking:
        return (vow,)
    items, lang = play.book.rules.items, play.game.lang
    text = (BACK.of(lang).format(items[one].the(lang)) for one in named if one in had)
    return tuple(vow.model_copy(update={"text": each}) for each in text)


def _deals(act: Act) -> bool:
    """Whether words propose a bargain, or terms that bind both."""
    return act.approach == "bargain" or act.want in TERMS


def _turned_down(done: Sequence[h.Happening]) -> bool:
    """Whether words with an aim got nothing: refused without a roll, or by every roll."""
    if any(isinstance(one, HAD) for one in done):
        return False
    rolls = [
        one.success
        for one in done
        if isinstance(one, h.Demanded | h.SkillChecked)
        or (isinstance(one, h.Attempted) and one.against)
    ]
    refused = any(isinstance(one, h.Refused | h.InVain) for one in done)
    return refused or (bool(rolls) and not any(rolls))


def hold_to(play: Play, act: Act, *, since: int) -> None:
    """Keep what somebody agrees to do for words that have won them as their promise.

    It is a detail among the effects of success, and no promise where it is a fact; it counts if
    something `since` was granted and nothing failed.
    """
    done = play.done[since:]
    granted = any(isinstance(one, BINDING) for one in done)
    if act.do != "say" or not granted or any(map(dependence.failed, done)):
        return
    for one in act.success:
        if one.kind == "detail":
            kind = "detail" if one.what == FACT else "promise"
            detail = {"kind": kind, "text": one.text, "about": act.to}
            effects.keep_detail(play, Detail.model_validate(detail))
