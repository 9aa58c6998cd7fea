"""The game's state, and how each happening changes it.

`changed` is dispatched by the happening's class; simple changes are in the table `_CHANGES`. No
rule is decided here: happenings carry the numbers, so that applying them needs no rulebook.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Literal

from pydantic import Field, model_validator

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.fight import HERO, Fight, Outcome, Status
from ruleplay.agents.saga.domain.sheet import LEVEL_HP, Sheet
from ruleplay.agents.saga.domain.story import (
    COMPANY,
    LEFT,
    MARKS,
    MEMORY,
    PLAIN,
    READIED,
    Left,
    Story,
)
from ruleplay.story import canon
from ruleplay.story.texts import Frozen, Lang

LEFT_STORY = "left"
"""Ending of a story that the player left."""
CHRONICLE = 60
"""Most entries of the chronicle in the state; the events have them all."""


class Result(Frozen):
    """What the last fight came to: handed to the story."""

    encounter: str
    outcome: Outcome
    xp_gained: int = 0
    gold_gained: int = 0
    loot: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()


class Game(Frozen):
    """A saga as it stands; `dead` while the hero must choose, `ending` once it has ended."""

    dice_seed: str
    draws: int = 0
    lang: Lang = "en"
    sheet: Sheet
    place: str
    haven: str
    visited: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    day: int = 1
    rested: int = 0
    fights: int = 0
    fight: Fight | None = None
    last_result: Result | None = None
    shaken: bool = False
    dead: bool = False
    returns: int = 0
    ending: str = ""
    chronicle: tuple[h.Entry, ...] = ()
    story: Story = Field(default=PLAIN, exclude_if=lambda story: story == PLAIN)

    @property
    def mode(self) -> Literal["narrative", "combat"]:
        """The session's mode: `combat` during a fight, else `narrative`."""
        return "combat" if self.fight else "narrative"

    @property
    def hp(self) -> int:
        """The hero's hit points; during a fight the sheet's are out of date."""
        return self.fight.the(HERO).hp if self.fight else self.sheet.hp

    @model_validator(mode="after")
    def _within_bounds(self) -> Game:
        if not 0 <= self.sheet.hp <= self.sheet.max_hp:
            raise ValueError(f"hit points {self.sheet.hp} of {self.sheet.max_hp}")
        return self

    def apply(self, happening: h.Happening) -> Game:
        """Return the game after a happening; the dice that it threw are counted as drawn."""
        game = self.model_copy(update={"draws": self.draws + len(happening.dice)})
        game = changed(happening, game)
        line = chronicled(happening)
        if line is None:
            return game
        return game.model_copy(update={"chronicle": (*game.chronicle, line)[-CHRONICLE:]})


def chronicled(happening: h.Happening) -> h.Entry | None:
    """Return the chronicle's entry for a happening, None if it is not worth one."""
    line = _LINES.get(type(happening).__name__)
    return line(happening) if line else None


def _section(e: h.SectionTold) -> h.Entry | None:
    if e.kind in ("talk", "deed"):
        return e.kind, e.key, e.part
    if e.kind in ("clue", "clock"):
        return e.kind, e.key, ""
    return ("avoided", e.key, "") if (e.kind, e.part) == ("encounter", "avoided") else None


_LINES: dict[str, Callable[..., h.Entry | None]] = {
    "SecretLearned": lambda e: ("secret", e.secret, ""),
    "SectionTold": _section,
    "CombatEnded": lambda e: ("fight", e.encounter, e.outcome),
    "ItemGained": lambda e: ("item", e.item, "") if e.why in ("found", "given", "bought") else None,
    "LevelGained": lambda e: ("level", "", str(e.level)),
    "EndingReached": lambda e: ("ending", e.ending, ""),
    "Returned": lambda e: ("returned", e.place, ""),
    "Travelled": lambda e: ("place", e.place, ""),
    "Joined": lambda e: ("joined", e.who, ""),
    "Parted": lambda e: ("parted", e.who, ""),
    "StoryLeft": lambda e: ("left", "", ""),
}


def _sheet(game: Game, **changes: object) -> Game:
    return game.model_copy(update={"sheet": game.sheet.model_copy(update=changes)})


def _story(game: Game, **changes: object) -> Game:
    return game.model_copy(update={"story": game.story.model_copy(update=changes)})


def _company(game: Game, who: tuple[str, ...]) -> Game:
    return _story(game, company=who)


def _placed(game: Game, who: str, place: str) -> Game:
    """Let somebody wait at a place for the hero; with an empty one they do not any more."""
    others = {one: at for one, at in game.story.waiting.items() if one != who}
    return _story(game, waiting=others | ({who: place} if place else {}))


def _fight(game: Game, change: Callable[[Fight], Fight]) -> Game:
    if game.fight is None:
        raise ValueError("no fight is on")
    return game.model_copy(update={"fight": change(game.fight)})


def _laid(game: Game, what: Left) -> Game:
    return _story(game, left=(*game.story.left, what)[-LEFT:])


def _lifted(game: Game, what: Left) -> Game:
    lies = list(game.story.left)
    if what in lies:
        lies.remove(what)
    told = () if what in lies else ("left", what.place, what.name)
    kept = tuple(one for one in game.story.canon if (one.kind, one.place, one.about) != told)
    return _story(game, left=tuple(lies), canon=kept)


@singledispatch
def changed(happening: h.Happening, game: Game) -> Game:
    """Return the game with a happening's effect; those without one change nothing."""
    change = _CHANGES.get(type(happening).__name__)
    return change(happening, game) if change else game


_CHANGES: dict[str, Callable[..., Game]] = {
    "SkillChecked": lambda e, g: g.model_copy(update={"shaken": e.roll.fumble}),
    "SecretLearned": lambda e, g: g.model_copy(update={"secrets": (*g.secrets, e.secret)}),
    "CombatTriggered": lambda e, g: g.model_copy(update={"fight": e.fight, "fights": g.fights + 1}),
    "FightOpened": lambda e, g: _fight(g, lambda f: f.model_copy(update={"opened": True})),
    "Moved": lambda e, g: _fight(g, lambda f: f.with_(e.who, far=e.far)),
    "Fled": lambda e, g: _fight(g, lambda f: f.with_(e.who, fled=True)),
    "XpGained": lambda e, g: _sheet(g, xp=e.xp),
    "EndingReached": lambda e, g: g.model_copy(update={"ending": e.ending}),
    "LanguageChosen": lambda e, g: g.model_copy(update={"lang": e.lang}),
    "Counted": lambda e, g: _story(g, ledger=g.story.ledger.plus(e.key, e.n)),
    "MarkMade": lambda e, g: _story(g, marks=(*g.story.marks, e.mark)[-MARKS:]),
    "TimePassed": lambda e, g: _story(g, minutes=g.story.minutes + e.minutes),
    "Fell": lambda e, g: _fight(g, lambda f: f.with_(e.who, statuses=())),
    "Yielded": lambda e, g: _fight(g, lambda f: f.with_(e.who, yielded=True, statuses=())),
    "Joined": lambda e, g: _placed(_company(g, (*g.story.company, e.who)[-COMPANY:]), e.who, ""),
    "Parted": lambda e, g: _placed(
        _company(g, tuple(one for one in g.story.company if one != e.who)), e.who, e.place
    ),
    "AskedBack": lambda e, g: _story(g, asked=e.asked),
    "Answered": lambda e, g: _story(g, asked=None),
    "StyleChosen": lambda e, g: _story(g, style=e.style),
    "Readied": lambda e, g: _story(g, readied=(*g.story.readied, e.act)[-READIED:]),
    "Sprung": lambda e, g: _story(g, readied=tuple(o for o in g.story.readied if o != e.act)),
    "StoryLeft": lambda e, g: g.model_copy(update={"ending": LEFT_STORY}),
}


@changed.register
def _(happening: h.Travelled, game: Game) -> Game:
    seen = game.visited if happening.place in game.visited else (*game.visited, happening.place)
    if game.story.readied:  # acts were readied for the place that the hero has left
        game = _story(game, readied=())
    return game.model_copy(update={"place": happening.place, "visited": seen})


@changed.register
def _(happening: h.SectionTold, game: Game) -> Game:
    if happening.kind == "intro":
        return game
    flag = f"{happening.kind}:{happening.key}"
    return changed(h.FlagSet(flag=f"{flag}:{happening.part}"), game)


@changed.register
def _(happening: h.FlagSet, game: Game) -> Game:
    if happening.flag in game.flags:
        return game
    return game.model_copy(update={"flags": (*game.flags, happening.flag)})


@changed.register
def _(happening: h.ItemGained, game: Game) -> Game:
    sheet = game.sheet.with_items(happening.item, happening.count)
    game = game.model_copy(update={"sheet": sheet})
    if happening.why == "picked_up":
        return _lifted(game, Left(place=game.place, item=happening.item))
    return game


@changed.register
def _(happening: h.ItemLost, game: Game) -> Game:
    sheet = game.sheet.with_items(happening.item, -happening.count)
    game = game.model_copy(update={"sheet": sheet})
    if happening.why == "left":
        game = _laid(game, Left(place=game.place, item=happening.item))
    if game.fight is None:
        return game
    return _fight(game, lambda f: f.with_(HERO, weapon=sheet.weapon, armour=sheet.armour))


@changed.register
def _(happening: h.CoinChanged, game: Game) -> Game:
    amount, game = happening.amount, _sheet(game, coin=happening.coin)
    if happening.why == "left":
        return _laid(game, Left(place=game.place, coin=-amount))
    if happening.why == "picked_up":
        return _lifted(game, Left(place=game.place, coin=amount))
    return game


@changed.register
def _(happening: h.KeepsakeLost, game: Game) -> Game:
    named = happening.keepsake
    kept = tuple(o for o in game.story.canon if (o.kind, o.text) != ("keepsake", named))
    game = _story(game, canon=kept)
    away = happening.to or happening.spent
    return game if away else _laid(game, Left(place=game.place, keepsake=named))


@changed.register
def _(happening: h.Equipped, game: Game) -> Game:
    if happening.who == HERO:
        game = _sheet(game, **{happening.slot: happening.item})
    if game.fight is None:
        return game
    return _fight(game, lambda f: f.with_(happening.who, **{happening.slot: happening.item}))


@changed.register
def _(happening: h.HitPointsChanged, game: Game) -> Game:
    if game.fight is None:
        return _sheet(game, hp=happening.hp)
    return _fight(game, lambda f: f.with_(happening.who, hp=happening.hp))


@changed.register
def _(happening: h.ActionTaken, game: Game) -> Game:
    if happening.cost == "reaction":
        return _fight(game, lambda f: f.model_copy(update={"reacted": (*f.reacted, happening.who)}))
    return _fight(game, lambda f: f.model_copy(update={"spent": (*f.spent, happening.cost)}))


@changed.register
def _(happening: h.StatusGained, game: Game) -> Game:
    def gain(fight: Fight) -> Fight:
        bearer, new = fight.the(happening.who), happening.status
        kept = tuple(one for one in bearer.statuses if one.kind != new.kind)
        return fight.with_(happening.who, statuses=(*kept, new))

    return _fight(game, gain)


@changed.register
def _(happening: h.StatusAged, game: Game) -> Game:
    def age(fight: Fight) -> Fight:
        left: list[Status] = []
        for one in fight.the(happening.who).statuses:
            if one.kind != happening.kind:
                left.append(one)
            elif happening.rounds:
                left.append(one.model_copy(update={"rounds": happening.rounds}))
        return fight.with_(happening.who, statuses=tuple(left))

    return _fight(game, age)


@changed.register
def _(happening: h.Died, game: Game) -> Game:
    game = _fight(game, lambda f: f.with_(happening.who, statuses=()))
    return game.model_copy(update={"dead": True}) if happening.who == HERO else game


@changed.register
def _(happening: h.TurnAdvanced, game: Game) -> Game:
    def advance(fight: Fight) -> Fight:
        # A reaction comes back at the start of one's own turn.
        reacted = tuple(one for one in fight.reacted if one != happening.actor)
        moved = {"round": happening.round, "turn": happening.turn}
        return fight.model_copy(update={**moved, "spent": (), "reacted": reacted})

    return _fight(game, advance)


@changed.register
def _(happening: h.CombatEnded, game: Game) -> Game:
    result = Result(
        encounter=happening.encounter,
        outcome=happening.outcome,
        xp_gained=happening.xp,
        gold_gained=happening.coin,
        loot=happening.loot,
        fallen=happening.fallen,
    )
    game = game.model_copy(update={"fight": None, "last_result": result})
    if game.story.edges or game.story.ledger.counts or game.story.readied:
        ledger = game.story.ledger.without("fight:")
        game = _story(game, ledger=ledger, edges={}, readied=())
    return _sheet(game, hp=happening.hp)


@changed.register
def _(happening: h.LevelGained, game: Game) -> Game:
    sheet = game.sheet
    return _sheet(
        game,
        level=happening.level,
        max_hp=happening.max_hp,
        points=sheet.points + 1,
        hp=sheet.hp + (LEVEL_HP if sheet.hp else 0),
    )


@changed.register
def _(happening: h.SkillTrained, game: Game) -> Game:
    skills = {**game.sheet.skills, happening.skill: happening.rank}
    return _sheet(game, skills=skills, points=game.sheet.points - 1)


@changed.register
def _(happening: h.Rested, game: Game) -> Game:
    rested = {"day": happening.day, "rested": game.rested + 1, "haven": game.place}
    # A night resets limits. Without improvisation the story stays equal to PLAIN, so that the
    # state's JSON leaves it out.
    story = game.story
    if story.ledger.counts:
        rested["story"] = story.model_copy(update={"ledger": story.ledger.rested()})
    return game.model_copy(update=rested)


@changed.register
def _(happening: h.Returned, game: Game) -> Game:
    changes = {"dead": False, "returns": game.returns + 1, "place": happening.place}
    return game.model_copy(update=changes)


@changed.register
def _(happening: h.AttitudeChanged, game: Game) -> Game:
    known = game.story.attitudes
    now = max(-4, min(4, known.get(happening.who, 0) + happening.amount))
    return _story(game, attitudes={**known, happening.who: now})


@changed.register
def _(happening: h.EdgeGained, game: Game) -> Game:
    edges = {**game.story.edges, happening.who: 1 if happening.up else -1}
    return _story(game, edges=edges)


@changed.register
def _(happening: h.EdgeSpent, game: Game) -> Game:
    left = {who: way for who, way in game.story.edges.items() if who != happening.who}
    return _story(game, edges=left)


@changed.register
def _(happening: h.DetailKept, game: Game) -> Game:
    if happening.detail.kind == "keepsake" and game.story.left:
        game = _lifted(game, Left(place=game.place, keepsake=happening.detail.text))
    return _story(game, canon=canon.keep(game.story.canon, happening.detail))


@changed.register
def _(happening: h.MarksAged, game: Game) -> Game:
    aged = (
        mark.model_copy(update={"rounds": mark.rounds - 1})
        if mark.place == happening.place
        else mark
        for mark in game.story.marks
    )
    return _story(game, marks=tuple(mark for mark in aged if mark.rounds > 0))


@changed.register
def _(happening: h.Remembered, game: Game) -> Game:
    known = tuple(entry for entry in game.story.memory if entry != happening.entry)
    return _story(game, memory=(*known, happening.entry)[-MEMORY:])
