"""How far a party has come in its adventure: where it is, what it did, found out and left open."""

from __future__ import annotations

from functools import singledispatch
from typing import Annotated, TypeAlias

from pydantic import Field

from ruleplay.agents.party.domain.expedition_happenings import (
    ClueFound,
    CoinChanged,
    DayBroke,
    DeedDone,
    DeedFailed,
    DetailPlanted,
    DetailReturned,
    EncounterAvoided,
    EncounterMet,
    EncounterOver,
    EncounterStarted,
    EndingReached,
    ExitOpened,
    Explored,
    FlagSet,
    HintGiven,
    SceneEntered,
    SecretDealt,
    SecretRevealed,
    ShortRestTaken,
    TalkFailed,
    TalkHeard,
)
from ruleplay.story.texts import Frozen

Changes: TypeAlias = "dict[str, object]"


class Found(Frozen):
    """A clue and who knows it ("*" for everyone)."""

    clue: str
    by: str
    audience: tuple[str, ...]


class Dealt(Frozen):
    """A secret and the character who keeps it."""

    secret: str
    who: str
    out: bool = False


class Expedition(Frozen):
    """The party's way through an adventure; `flags` hold in the order in which they came.

    `tried` are the checks that a character has failed, as `deed:key/who`; `fighting` is the
    encounter that is being fought; `purse` is the party's coin, in copper pieces.
    """

    adventure: str
    scene: str = ""
    flags: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    clues: tuple[Found, ...] = ()
    secrets: tuple[Dealt, ...] = ()
    planted: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    hinted: tuple[str, ...] = ()
    fighting: str = ""
    purse: Annotated[int, Field(ge=0)] = 0
    day: Annotated[int, Field(ge=1)] = 1
    short_rests: Annotated[int, Field(ge=0)] = 0
    ending: str = ""

    @property
    def begun(self) -> bool:
        """Whether the party has set out."""
        return bool(self.scene)

    @property
    def standing(self) -> tuple[str, ...]:
        """Return the flags that hold now, those of the place among them."""
        return (*self.flags, f"at:{self.scene}") if self.scene else self.flags

    def keeps(self, who: str, secret: str) -> bool:
        """Whether a character is the keeper of a secret."""
        return any(one.secret == secret and one.who == who for one in self.secrets)

    def knows(self, who: str) -> tuple[str, ...]:
        """Return the clues that a character knows."""
        return tuple(one.clue for one in self.clues if {"*", who} & set(one.audience))

    def has_tried(self, kind: str, key: str, who: str) -> bool:
        """Whether a character has failed at a deed or talk."""
        return f"{kind}:{key}/{who}" in self.tried

    def apply(self, happening: Explored) -> Expedition:
        """Return the expedition after something happened; pure, and total over its happenings."""
        return self.model_copy(update=changes(happening, self))

    def flagged(self, *flags: str) -> tuple[str, ...]:
        """Return the flags with these among them, each once."""
        return tuple(dict.fromkeys((*self.flags, *flags)))

    def failing(self, kind: str, key: str, who: str) -> Changes:
        """Return what changes when a character fails at something."""
        tried = (*self.tried, f"{kind}:{key}/{who}")
        return {"flags": self.flagged(f"failed:{key}"), "tried": tried}


@singledispatch
def changes(happening: Explored, now: Expedition) -> dict[str, object]:
    """Return what a happening changes; one that is not known here is a defect (TypeError)."""
    raise TypeError(f"{type(happening).__name__} is no happening of an expedition")


@changes.register
def _entered(h: SceneEntered, now: Expedition) -> Changes:
    return {"scene": h.scene, "flags": now.flagged(f"scene:{h.scene}")}


@changes.register
def _done(h: DeedDone, now: Expedition) -> Changes:
    return {"flags": now.flagged(f"deed:{h.deed}")}


@changes.register
def _heard(h: TalkHeard, now: Expedition) -> Changes:
    return {"flags": now.flagged(f"talk:{h.talk}")}


@changes.register
def _flag(h: FlagSet, now: Expedition) -> Changes:
    return {"flags": now.flagged(h.flag)}


@changes.register
def _coin(h: CoinChanged, now: Expedition) -> Changes:
    return {"purse": h.purse}


@changes.register
def _dealt(h: SecretDealt, now: Expedition) -> Changes:
    return {"secrets": (*now.secrets, Dealt(secret=h.secret, who=h.who))}


@changes.register
def _planted(h: DetailPlanted, now: Expedition) -> Changes:
    return {"planted": (*now.planted, h.detail)}


@changes.register
def _returned(h: DetailReturned, now: Expedition) -> Changes:
    return {"returned": (*now.returned, h.detail)}


@changes.register
def _opened(h: ExitOpened, now: Expedition) -> Changes:
    return {"opened": (*now.opened, f"{h.scene}/{h.to}")}


@changes.register
def _met(h: EncounterMet, now: Expedition) -> Changes:
    return {"met": (*now.met, h.encounter)}


@changes.register
def _avoided(h: EncounterAvoided, now: Expedition) -> Changes:
    return {"flags": now.flagged(f"avoided:{h.encounter}", f"over:{h.encounter}")}


@changes.register
def _started(h: EncounterStarted, now: Expedition) -> Changes:
    return {"fighting": h.encounter}


@changes.register
def _rested(h: ShortRestTaken, now: Expedition) -> Changes:
    return {"short_rests": now.short_rests + 1}


@changes.register
def _day(h: DayBroke, now: Expedition) -> Changes:
    return {"day": h.day, "short_rests": 0, "flags": now.flagged(f"day:{h.day}")}


@changes.register
def _hinted(h: HintGiven, now: Expedition) -> Changes:
    return {"hinted": (*now.hinted, h.about)}


@changes.register
def _ended(h: EndingReached, now: Expedition) -> Changes:
    return {"ending": h.ending, "fighting": ""}


@changes.register
def _failed_deed(h: DeedFailed, now: Expedition) -> Changes:
    return now.failing("deed", h.deed, h.who)


@changes.register
def _failed_talk(h: TalkFailed, now: Expedition) -> Changes:
    return now.failing("talk", h.talk, h.who)


@changes.register
def _found(h: ClueFound, now: Expedition) -> Changes:
    found = Found(clue=h.clue, by=h.who, audience=h.audience)
    return {"clues": (*now.clues, found), "flags": now.flagged(f"clue:{h.clue}")}


@changes.register
def _revealed(h: SecretRevealed, now: Expedition) -> Changes:
    told = (
        one.model_copy(update={"out": True}) if one.secret == h.secret else one
        for one in now.secrets
    )
    return {"secrets": tuple(told)}


@changes.register
def _over(h: EncounterOver, now: Expedition) -> Changes:
    key = h.encounter
    over = {"won": (f"won:{key}", f"over:{key}"), "fled": (f"fled:{key}",)}
    return {"fighting": "", "flags": now.flagged(*over.get(h.outcome, ()))}
