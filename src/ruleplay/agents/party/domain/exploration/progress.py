"""A party's progress in its adventure: where it is, and what it did, found out and left open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from ruleplay.agents.party.domain.happenings import exploration as x
from ruleplay.agents.party.domain.happenings.base import change_of
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
    encounter that is being fought, `faced` has the day and the foes left of each encounter that was
    fled from; `purse` is the party's coin, in copper pieces.
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
    faced: dict[str, tuple[int, tuple[str, ...]]] = Field(
        default_factory=dict, exclude_if=lambda faced: not faced
    )
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
        """Return the flags that hold now, including the one for the current scene."""
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

    def apply(self, happening: x.Explored) -> Expedition:
        """Return the expedition after a happening; every kind of `Explored` is handled."""
        return self.model_copy(update=change_of(_CHANGES, happening)(self, happening))

    def flagged(self, *flags: str) -> tuple[str, ...]:
        """Return the party's flags with these added, each once."""
        return tuple(dict.fromkeys((*self.flags, *flags)))

    def failing(self, kind: str, key: str, who: str) -> Changes:
        """Return what changes when a character fails at something."""
        tried = (*self.tried, f"{kind}:{key}/{who}")
        return {"flags": self.flagged(f"failed:{key}"), "tried": tried}


def _found(now: Expedition, h: x.ClueFound) -> Changes:
    found = Found(clue=h.clue, by=h.who, audience=h.audience)
    return {"clues": (*now.clues, found), "flags": now.flagged(f"clue:{h.clue}")}


def _revealed(now: Expedition, h: x.SecretRevealed) -> Changes:
    told = (
        one.model_copy(update={"out": True}) if one.secret == h.secret else one
        for one in now.secrets
    )
    return {"secrets": tuple(told)}


def _over(now: Expedition, h: x.EncounterOver) -> Changes:
    key = h.encounter
    over = {"won": (f"won:{key}", f"over:{key}"), "fled": (f"fled:{key}",)}
    left = {"faced": {**now.faced, key: (now.day, h.left)}} if h.left else {}
    return {"fighting": "", "flags": now.flagged(*over.get(h.outcome, ())), **left}


_CHANGES: dict[type[x.Explored], Callable[[Expedition, Any], Changes]] = {
    x.SceneEntered: lambda now, h: {"scene": h.scene, "flags": now.flagged(f"scene:{h.scene}")},
    x.DeedDone: lambda now, h: {"flags": now.flagged(f"deed:{h.deed}")},
    x.TalkHeard: lambda now, h: {"flags": now.flagged(f"talk:{h.talk}")},
    x.FlagSet: lambda now, h: {"flags": now.flagged(h.flag)},
    x.CoinChanged: lambda now, h: {"purse": h.purse},
    x.SecretDealt: lambda now, h: {"secrets": (*now.secrets, Dealt(secret=h.secret, who=h.who))},
    x.DetailPlanted: lambda now, h: {"planted": (*now.planted, h.detail)},
    x.DetailReturned: lambda now, h: {"returned": (*now.returned, h.detail)},
    x.ExitOpened: lambda now, h: {"opened": (*now.opened, f"{h.scene}/{h.to}")},
    x.EncounterMet: lambda now, h: {"met": (*now.met, h.encounter)},
    x.EncounterAvoided: lambda now, h: {
        "flags": now.flagged(f"avoided:{h.encounter}", f"over:{h.encounter}")
    },
    x.EncounterStarted: lambda now, h: {"fighting": h.encounter},
    x.ShortRestTaken: lambda now, h: {"short_rests": now.short_rests + 1},
    x.DayBroke: lambda now, h: {
        "day": h.day,
        "short_rests": 0,
        "flags": now.flagged(f"day:{h.day}"),
    },
    x.HintGiven: lambda now, h: {"hinted": (*now.hinted, h.about)},
    x.EndingReached: lambda now, h: {"ending": h.ending, "fighting": ""},
    x.DeedFailed: lambda now, h: now.failing("deed", h.deed, h.who),
    x.TalkFailed: lambda now, h: now.failing("talk", h.talk, h.who),
    x.ClueFound: _found,
    x.SecretRevealed: _revealed,
    x.EncounterOver: _over,
}
