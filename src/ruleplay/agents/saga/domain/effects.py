"""Apply improvised effects: what `ruleplay.story.bounds` grants becomes happenings.

Each handler returns whether its effect came about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.blows import apply_damage
from ruleplay.agents.saga.domain.fight import HERO, Status
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.story import Mark
from ruleplay.story import bounds, canon
from ruleplay.story.acts import Band, Detail, Effect, EffectKind


def bring(
    play: Play, effects: Iterable[Effect], *, success: bool, band: Band = "medium"
) -> list[Effect]:
    """Apply the effects that the bounds grant, and return them as they were granted."""
    brought: list[Effect] = []
    for effect in effects:
        stage = setting.stage(play.game, play.book)
        ledger = play.game.story.ledger
        granted = bounds.grant(effect, stage, ledger, success=success, band=band)
        if isinstance(granted, str) or not _ACTS[granted.effect.kind](play, granted.effect):
            continue
        if granted.key:
            play.add(h.Counted(key=granted.key, n=granted.n))
        brought.append(granted.effect)
    return brought


APART = ("back", "away", "aside", "up")
"""Zones out of the reach of everybody who is near."""
FOR_THEMSELVES = ("hidden", "guarding")
"""Conditions that are good for their bearer."""


def _edge(play: Play, e: Effect) -> bool:
    if play.game.fight is None and e.who != HERO:
        return False
    play.add(h.EdgeGained(who=e.who, up=e.what == "up"))
    return True


def _attitude(play: Play, e: Effect) -> bool:
    if e.who not in play.book.scenario.persons:
        # Foes who bar the way have no attitude; the hero's next roll gets an edge instead.
        return e.amount > 0 and _edge(play, Effect(kind="edge", who=HERO, what="up"))
    play.add(h.AttitudeChanged.model_validate({"who": e.who, "amount": e.amount}))
    return True


def _coin(play: Play, e: Effect) -> bool:
    why = "found" if e.amount > 0 else "paid"
    coin = play.game.sheet.coin + e.amount
    play.add(h.CoinChanged.model_validate({"amount": e.amount, "coin": coin, "why": why}))
    return True


def _item(play: Play, e: Effect) -> bool:
    play.add(h.ItemGained(item=e.what))
    play.add(h.FlagSet(flag=f"taken:{play.game.place}:{e.what}"))
    return True


def _keepsake(play: Play, e: Effect) -> bool:
    fighter = play.game.fight.get(e.who) if play.game.fight else None
    if fighter and fighter.id != HERO:
        return False  # what somebody else is to drop or get is nothing the hero has
    return keep_detail(play, Detail(kind="keepsake", text=e.text))


def _time(play: Play, e: Effect) -> bool:
    play.add(h.TimePassed(minutes=e.amount))
    return True


def _place(play: Play, e: Effect) -> bool:
    fight = play.game.fight
    if fight is None:
        return True
    if e.who == HERO:
        away = e.what in APART
        moved = [foe.id for foe in fight.side("foes") if foe.far != away]
        for who in moved if away else moved[: e.what != "cover"]:
            # Distance is only known between each foe and the hero, so every foe is moved.
            play.add(h.Moved(who=who, far=away))
        return True
    named = fight.get(e.who)
    if named is None:
        return False
    if not named.far:
        play.add(h.Moved(who=e.who, far=True))
    return True


def _condition(play: Play, e: Effect) -> bool:
    if play.game.fight is None:
        # Conditions last rounds, which only fights have. Before one they become an edge.
        play.add(h.EdgeGained(who=HERO, up=(e.who == HERO) == (e.what in FOR_THEMSELVES)))
        foe = setting.waiting_foes(play.game, play.book).get(e.who)
        name = play.game.sheet.name if e.who == HERO else foe.name.of(play.game.lang) if foe else ""
        if name:
            body = {"place": play.game.place, "text": f"{name}: {e.what}", "rounds": e.amount}
            mark = Mark.model_validate({**body, "what": e.what, "who": e.who})
            play.add(h.MarkMade(mark=mark))
        return True
    if play.game.fight.get(e.who) is None:
        return False
    status = Status.model_validate({"kind": e.what, "rounds": e.amount})
    play.add(h.StatusGained(who=e.who, status=status))
    return True


def _morale(play: Play, e: Effect) -> bool:
    if play.game.fight is None:
        return False
    play.add(h.StatusGained(who=e.who, status=Status(kind="shaken", rounds=2)))
    return True


def _harm(play: Play, e: Effect) -> bool:
    sides = 6 if e.amount == 6 else 4
    harmed = h.Harmed.model_validate({"who": e.who, "roll": play.roll(0), "sides": sides})
    hp = play.game.hp if e.who == HERO else 0
    if e.who == HERO and hp <= 1:
        return False
    play.add(harmed)
    if play.game.fight is None:
        lost = min(harmed.amount, hp - 1)
        body = {"who": HERO, "amount": -lost, "hp": hp - lost, "cause": "mishap"}
        play.add(h.HitPointsChanged.model_validate(body))
    elif e.who == HERO:
        apply_damage(play, HERO, min(harmed.amount, hp - 1), cause="mishap")
    else:
        apply_damage(play, e.who, harmed.amount, by=HERO, cause="mishap")
    return True


def _mark(play: Play, e: Effect) -> bool:
    text = e.text
    if text and refused(play.game, play.book, Detail(text=text)):
        text = ""
    if not text and not e.what:
        return False
    play.add(h.MarkMade(mark=Mark(place=play.game.place, what=e.what, text=text, rounds=e.amount)))
    return True


def _detail(play: Play, e: Effect) -> bool:
    return keep_detail(play, Detail(text=e.text, about=e.who))


def _nothing(play: Play, e: Effect) -> bool:
    return False


def refused(game: Game, book: Book, detail: Detail) -> str:
    """Return why a detail is not kept, empty if it may be: some facts only the author establishes.

    Keepsakes and promises may mention persons, and what ends a promise anything that is written,
    since they give no advantage.
    """
    owed = any((one.kind, one.text) == ("promise", detail.instead) for one in game.story.canon)
    persons = detail.kind in ("detail", "name")
    names = () if owed else setting.authored_names(game, book, persons=persons)
    # French words of worth are everyday English ones ("or", "piece"), but not the other way round.
    return canon.refusal(detail, names, "en" if game.lang == "en" else None)


def keep_detail(play: Play, detail: Detail, author: str = HERO) -> bool:
    """Keep a detail, unless only the author may establish it; return whether it is kept."""
    if detail.kind == "keepsake":
        detail = detail.model_copy(update={"text": bounds.keepsake_name(detail.text)})
    if refused(play.game, play.book, detail) or (detail.kind == "name" and not detail.about):
        return False
    kept = surroundings.keepsakes(play.game)
    if detail.kind == "keepsake" and bounds.meant_of(kept, detail.text) is not None:
        return True  # "the rope end" is "a tarred rope's end"
    here = {one.id for one in setting.stage(play.game, play.book).standers}
    known = here | {*surroundings.elsewhere(play.game, play.book)}
    about = setting.lasting_id(play.game, play.book, detail.about)
    play.add(
        h.DetailKept(
            detail=canon.Established(
                text=detail.text,
                kind=detail.kind,
                place=play.game.place,
                about=about if detail.about in known else "",
                author=author,
                turn=play.turn,
                instead=detail.instead,
            )
        )
    )
    return True


_ACTS: dict[EffectKind, Callable[[Play, Effect], bool]] = {
    "edge": _edge,
    "attitude": _attitude,
    "coin": _coin,
    "item": _item,
    "keepsake": _keepsake,
    "time": _time,
    "place": _place,
    "condition": _condition,
    "morale": _morale,
    "harm": _harm,
    "mark": _mark,
    "detail": _detail,
    "clue": _nothing,  # clues are found by a check (`trying.py`), not granted
}
