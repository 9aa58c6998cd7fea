"""Readied acts: they wait until somebody attacks the hero, and are then done as a reaction."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.saga.domain import (
    combat_acts,
    demands,
    effects,
    journey,
    setting,
    surroundings,
    talking,
    trying,
)
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.blows import weapon_of
from ruleplay.agents.saga.domain.fight import HERO, Cost
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.story import Mark
from ruleplay.story.acts import Act, Effect

FREE = ("say", "flourish", "ask", "whisper", "meta", "vain")
"""Acts that cost no reaction."""
COVER = ("cover", "behind")
"""Zones that give cover."""


def ready(play: Play, act: Act, *, taken: bool = False) -> None:
    """Keep an act until the moment it waits for, or cover that is `taken` until the first blow.

    Words to nobody here are for whoever the message names, and said once the two meet.
    """
    to = act.to
    if act.do == "say" and not to:
        to = surroundings.awaited(play.game, play.book, play.words)
    play.add(h.Readied(act=act.model_copy(update={"when": "then", "to": to}), taken=taken))
    if taken:
        cover = {"place": play.game.place, "what": COVER[0], "who": HERO}
        mark = Mark.model_validate({**cover, "text": f"{play.game.sheet.name}: {COVER[0]}"})
        play.add(h.MarkMade(mark=mark))


def lapse(play: Play, *, dropped: bool = False) -> None:
    """Drop all readied acts: their moment has not come, or the hero has `dropped` them."""
    for act in play.game.story.readied:
        play.add(h.Sprung(act=act, came=False, dropped=dropped))


def meet(play: Play, readied: Sequence[Act]) -> None:
    """At another place, say what was readied for somebody who is here; anything else is off."""
    allies = setting.waiting_allies(play.game, play.book)
    here = {key: key for key in surroundings.persons(play.game, play.book)}
    here |= {f"{surroundings.waiting(play.game, play.book)}-{key}": key for key in allies}
    for act in [one for one in readied if not covers(one)]:
        to = here.get(act.to) if act.do == "say" and play.game.fight is None else None
        play.add(h.Sprung(act=act, came=bool(to)))
        if to:
            talking.say(play, act.model_copy(update={"to": to}))


def give_up(play: Play) -> None:
    """Drop gestures that waited for an answer, where no fight threatens: others are done now."""
    if play.game.fight is None and not surroundings.waiting(play.game, play.book):
        for act in play.game.story.readied:
            if act.do == "flourish":
                play.add(h.Sprung(act=act, came=False))


def spring(play: Play, who: str) -> None:
    """Do readied acts just before somebody attacks the hero, which ends the hero's defence.

    Acts that are meant for another foe, or impossible at this moment, keep waiting.
    """
    for act in play.game.story.readied:
        hero = play.fight.the(HERO)
        free = act.do in FREE
        aimed = act.to if play.fight.get(act.to) else ""
        if aimed not in ("", who, HERO) or hero.has("stunned") or not hero.present:
            continue
        if not free and (HERO in play.fight.reacted or not _in_reach(play, act, who)):
            continue
        play.add(h.Sprung(act=act))
        if not free and hero.has("defending"):
            play.add(h.StatusAged(who=HERO, kind="defending", rounds=0, why="spent"))
        _perform(play, act, who)
        if play.game.fight is None or not play.fight.the(who).present:
            return


def covers(act: Act) -> bool:
    """Whether an act is to take cover."""
    return act.do == "move" and act.to in COVER


def take_cover(play: Play, act: Act, who: str, cost: Cost = "minor") -> None:
    """Take cover from a foe, whose next attack gets a disadvantage.

    As a reaction it was prepared: the weapon that was to be at hand is drawn on the way.
    """
    if cost != "reaction":  # else its words are those of what was readied
        play.add(h.Flourished(text=act.text or act.to))
    play.add(h.ActionTaken(who=HERO, action="cover", cost=cost))
    drawn = Intent(act="equip", item=act.with_)
    ready = cost == "reaction" and act.with_ not in ("", play.game.sheet.weapon)
    if ready and combat_acts.equip_problem(play, drawn) is None:
        combat_acts.equip(play, act.with_)
    effects.bring(play, [Effect(kind="edge", who=who, what="down")], success=True)


def _blow(act: Act, who: str) -> Intent:
    body = {"act": "attack", "target": who, "item": act.with_, "spare": act.spare}
    return Intent.model_validate({**body, "stunt": act.stunt})


def handling(play: Play, act: Act) -> Intent | None:
    """Return the intent of a draught to drink or gear to take up; None for anything else."""
    item = play.book.rules.items.get(act.item) if act.do == "use" else None
    if item and item.kind == "remedy":
        return Intent(act="use", item=act.item)
    equips = act.do == "rule" and act.item == "equip"
    return Intent(act="equip", item=act.with_ or act.to) if equips else None


def helps(play: Play, act: Act) -> bool:
    """Whether a draught or gear is of use at this moment; anything else always is."""
    handled = handling(play, act)
    return handled is None or combat_acts.problem(play, handled) is None


def _strikes(act: Act) -> bool:
    return act.do == "rule" and act.item == "attack"


def _in_reach(play: Play, act: Act, who: str) -> bool:
    """Whether a readied act is possible against an attacker.

    A blow needs the weapon in hand, since a reaction leaves no time to draw another, and an
    attacker who comes within reach, unless the hero's weapon is ranged. A draught has to help.
    """
    if not helps(play, act):
        return False
    if not _strikes(act):
        return True
    ours, theirs = weapon_of(play, play.fight.the(HERO)), weapon_of(play, play.fight.the(who))
    far = play.fight.the(who).far and not (ours and ours.ranged)
    drawn = act.with_ in ("", play.game.sheet.weapon)
    shoots = bool(theirs and theirs.ranged)
    return drawn and not (far and shoots) and combat_acts.problem(play, _blow(act, who)) is None


def _perform(play: Play, act: Act, who: str) -> None:
    away = act.do == "move" or (act.do == "rule" and act.item == "flee")
    if act.do in FREE:
        demands.say_so(play, act) if act.do == "say" else play.add(h.Flourished(text=act.text))
        return
    if covers(act):
        take_cover(play, act, who, "reaction")
        return
    if handled := handling(play, act):
        body = {"action": handled.act, "item": handled.item, "cost": "reaction"}
        play.add(h.ActionTaken.model_validate({"who": HERO, **body}))
        done = combat_acts.use if handled.act == "use" else combat_acts.equip
        done(play, handled.item)
        return
    action = "attack" if _strikes(act) else "flee" if away else "improvise"
    play.add(h.ActionTaken(who=HERO, action=action, cost="reaction", target=who))
    if _strikes(act):
        if play.fight.the(who).far:
            play.add(h.ActionTaken(who=who, action="close_in", cost="minor"))
            play.add(h.Moved(who=who, far=False))
        combat_acts.blow(play, _blow(act, who))
    elif away and not play.fight.the(HERO).has("restrained", "grappled"):
        combat_acts.flee(play, HERO)
        if play.fight.the(HERO).fled:
            journey.run_to(play, act.to, act.text)
    elif act.do == "check":
        trying.attempt(play, act.model_copy(update={"to": act.to or who}))
    else:
        play.add(h.Flourished(text=act.text))
