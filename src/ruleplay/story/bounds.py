"""Bounds of improvised acts: difficulties, floors, limits and clamps.

A model, or the parser, picks a skill and a band, and proposes effects of success and failure. Code
decides the rest here: the number to roll, the most that each effect may do, and how often.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import shorten
from typing import Literal, NamedTuple

from pydantic import Field

from ruleplay.story.acts import NAME_AT_MOST, Act, Band, Effect, EffectKind, Frozen
from ruleplay.story.texts import words_of

BANDS: tuple[Band, ...] = ("sure", "easy", "medium", "hard", "extreme")
Dice = Literal["d20", "d100"]
DIFFICULTY: dict[Dice, dict[Band, int]] = {
    "d20": {"sure": 0, "easy": 10, "medium": 13, "hard": 16, "extreme": 20},
    "d100": {"sure": 0, "easy": 35, "medium": 50, "hard": 65, "extreme": 80},
}
AGAINST: dict[Dice, int] = {"d20": 8, "d100": 40}
"""Least difficulty of a check against a foe, before the foe's modifier is added."""
# The least band for each effect: whoever wishes for more has to dare more.
FLOOR: dict[EffectKind, Band] = {
    "time": "sure",
    "mark": "sure",
    "detail": "sure",
    "edge": "easy",
    "attitude": "easy",
    "place": "easy",
    "item": "easy",
    "keepsake": "sure",  # it is worth nothing
    "coin": "medium",
    "condition": "medium",
    "harm": "medium",
    "morale": "hard",
    "clue": "sure",  # a clue's difficulty is authored
}
FREELY: tuple[EffectKind, ...] = ("time", "mark", "detail", "edge", "place", "keepsake", "clue")
"""Effects that nobody gets richer by, however often they are tried for: each try costs time."""
ROUNDS = dict.fromkeys(("prone", "blinded", "restrained", "distracted", "guarding"), 1)
ROUNDS |= dict.fromkeys(("slowed", "grappled", "frightened", "deafened", "hidden"), 2)
"""Conditions that an act may cause, and for how many rounds at most."""
MARKS = ("cover", "slippery", "light", "dark", "noise", "barred", "opened", "snare")
MARK_ROUNDS = 10
COIN_PER_SCENE, FEET = 2, 10
TIME_IN_DANGER, TIME_WHERE_SAFE, FAILED_TIME = 10, 480, 10
"""Most minutes of a time effect in danger and in safety; minutes lost by a failed check."""
ATTITUDE = 2
"""Attitudes range from -2 to 2."""
GIVEN = "given:"
"""Begins the keys of what somebody has of the hero's, by person and item."""
PLEDGED = "pledge:"
"""Begins the keys of what somebody has of the hero's until they get a ware back."""
LEFT = "left:"
"""Begins the keys of what was put down, by scene and item."""
LEDGER = 160
"""Most entries of a ledger."""


def harder(band: Band, steps: int = 1) -> Band:
    """Return the band `steps` higher, at most the highest."""
    return BANDS[min(len(BANDS) - 1, BANDS.index(band) + steps)]


def easier(band: Band, steps: int = 1, floor: Band = "easy") -> Band:
    """Return the band `steps` lower, at least `floor`."""
    return BANDS[max(BANDS.index(floor), BANDS.index(band) - steps)]


def at_least(band: Band, effects: Iterable[Effect]) -> Band:
    """Raise a band to the highest floor of the effects of success."""
    floors = [FLOOR[one.kind] for one in effects]
    return max((band, *floors), key=BANDS.index)


def difficulty(band: Band, dice: Dice, *, against: int | None = None) -> int:
    """Return the number to reach; `against` is the modifier of a foe who resists, if one does."""
    number = DIFFICULTY[dice][band]
    return number if against is None else max(number, AGAINST[dice] + against)


class Count(Frozen):
    """How often something was tried or given."""

    key: str
    n: int


class Ledger(Frozen):
    """Limits that count: per scene and being, or (keys with `fight:`) per fight and round."""

    counts: tuple[Count, ...] = Field(default=(), max_length=LEDGER)

    def of(self, key: str) -> int:
        """Return the count of a key, 0 if it has none."""
        return next((one.n for one in self.counts if one.key == key), 0)

    def plus(self, key: str, n: int = 1) -> Ledger:
        """Add to a key's count; the entry that was counted longest ago is dropped if it is full."""
        others = tuple(one for one in self.counts if one.key != key)
        kept = (*others, Count(key=key, n=self.of(key) + n))
        return Ledger(counts=kept[-LEDGER:])

    def without(self, prefix: str) -> Ledger:
        """Drop the keys with a prefix, as at the end of a fight."""
        return Ledger(counts=tuple(o for o in self.counts if not o.key.startswith(prefix)))

    def rested(self) -> Ledger:
        """Reset the ledger after a night, except for coins taken and tries at clues."""
        # Otherwise sleeping would refill purses, and allow clues to be tried until found.
        kept = ("coin:", "try:clue:", "purse:", GIVEN, PLEDGED, LEFT)
        return Ledger(counts=tuple(one for one in self.counts if one.key.startswith(kept)))


class Stander(Frozen):
    """Somebody an effect may be for, as far as limits are concerned."""

    id: str
    kind: Literal["self", "seat", "npc", "foe"]
    mind: bool = True
    purse: int = 0


class Stage(Frozen):
    """Where an act happens: what its effects can touch."""

    scene: str
    actor: str
    fight: bool = False
    danger: bool = False
    round: int = 0
    coin: int = 0
    standers: tuple[Stander, ...] = ()
    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    clues: tuple[str, ...] = ()
    barred: bool = False
    """An encounter waits: nobody gets past it by an effect."""
    keepsakes: int = 2
    """How many worthless things can be had at one place."""

    @property
    def danger_near(self) -> bool:
        """Whether somebody hostile is here."""
        return self.fight or self.barred

    def the(self, who: str) -> Stander | None:
        """Return somebody by id, the actor for an empty one; None if unknown."""
        wanted = who or self.actor
        return next((one for one in self.standers if one.id == wanted), None)


def only_keepsakes(effects: Iterable[Effect]) -> bool:
    """Whether effects only give keepsakes, perhaps with details."""
    kinds = [one.kind for one in effects]
    return "keepsake" in kinds and {*kinds} <= {"keepsake", "detail"}


def key_of(act: Act, stage: Stage) -> str:
    """Return the ledger's key of a try, by skill, target and effects.

    For clues and morale the skill does not matter: trying another one is no new try.
    """
    for effect in act.success:
        if effect.kind == "clue":
            return f"try:clue:{effect.what}"
        if effect.kind == "morale":
            return f"try:morale:{stage.scene}:{effect.who or act.to}"
    about = act.to or act.item or act.with_
    kinds = "+".join(sorted({effect.kind for effect in act.success}))
    return f"try:{stage.scene}:{act.skill}:{about}:{kinds}"


def means_of(act: Act, stage: Stage) -> str:
    """Return the ledger's key of a try with its tool."""
    return f"{key_of(act, stage)}:{act.with_}"


def tries_of(act: Act, stage: Stage, ledger: Ledger) -> int:
    """Return how often this was tried; a tool that is new to it counts one try less."""
    tries = ledger.of(key_of(act, stage))
    fresh = bool(act.with_) and not ledger.of(means_of(act, stage))
    return max(0, tries - fresh)


def attempt(act: Act, stage: Stage, ledger: Ledger) -> Band | None:
    """Return the band of a check after floors and earlier tries; None if it is refused.

    Each further try is one band harder. What pays, or is tried on somebody, is refused the third
    time, and has no second try if it is extreme.
    """
    band = at_least(act.band, act.success)
    tries = tries_of(act, stage, ledger)
    pays = bool(act.to) or any(effect.kind not in FREELY for effect in act.success)
    if pays and (tries >= 2 or (tries and band == "extreme")):
        return None
    return harder(band, tries)


class Granted(Frozen):
    """An effect within its bounds, and what it is counted as; `harm` has the die's sides."""

    effect: Effect
    key: str = ""
    n: int = 1


def grant(
    effect: Effect, stage: Stage, ledger: Ledger, *, success: bool, band: Band = "medium"
) -> Granted | str:
    """Return an effect clamped to its bounds, or the reason why it is refused."""
    who = stage.the(effect.who)
    if effect.who and who is None:
        return f"nobody here is {effect.who!r}"
    return _GRANTS[effect.kind](Wish(effect, stage, ledger, who, success, band))


class Wish(NamedTuple):
    """A proposed effect, with everything that decides how far it is granted."""

    effect: Effect
    stage: Stage
    ledger: Ledger
    who: Stander | None
    success: bool
    band: Band


Answer = Granted | str
"""A clamped effect, or the reason of a refusal."""


def _kept(effect: Effect, key: str = "", n: int = 1, **changes: object) -> Granted:
    return Granted(effect=effect.model_copy(update=changes), key=key, n=n)


def _round(stage: Stage) -> str:
    return f"fight:{stage.round}:" if stage.fight else f"scene:{stage.scene}:"


def _edge(w: Wish) -> Answer:
    if w.who is None or w.effect.what not in ("up", "down"):
        return "an edge is up or down, for somebody here"
    key = f"{_round(w.stage)}edge:{w.who.id}"
    return "one edge a round" if w.ledger.of(key) else _kept(w.effect, key, who=w.who.id, amount=0)


def _attitude(w: Wish) -> Answer:
    if w.who is None or w.who.kind not in ("npc", "foe") or not w.who.mind:
        return "only persons of the story change their minds so"
    key = f"attitude:{w.stage.scene}:{w.who.id}"
    step = max(-1, min(1, w.effect.amount))
    if not step or w.ledger.of(key):
        return "once a scene"
    return _kept(w.effect, key, amount=step)


def _coin(w: Wish) -> Answer:
    if w.effect.amount <= 0:
        spent = -min(-w.effect.amount, w.stage.coin)
        return _kept(w.effect, amount=spent) if spent else "no coin to spend"
    got = min(w.effect.amount, purse_of(w.who.id if w.who else "", w.stage, w.ledger))
    if not w.success or w.who is None or got <= 0:
        return "coin comes from somebody who has it"
    key = f"purse:{w.who.id}" if w.who.purse else f"coin:{w.stage.scene}"
    return _kept(w.effect, key, got, amount=got)


def purse_of(who: str, stage: Stage, ledger: Ledger) -> int:
    """Return the coins that can still be got from somebody: 0 from heroes, or from nobody."""
    one = stage.the(who)
    if one is None or one.kind not in ("npc", "foe"):
        return 0
    if one.purse:
        return one.purse - ledger.of(f"purse:{one.id}")
    return COIN_PER_SCENE - ledger.of(f"coin:{stage.scene}")


def _item(w: Wish) -> Answer:
    if w.effect.what in w.stage.things:
        key = f"item:{w.effect.what}"
        return "it is taken already" if w.ledger.of(key) else _kept(w.effect, key)
    return _keepsake(w)


def _keepsake(w: Wish) -> Answer:
    named = keepsake_name(w.effect.text or w.effect.what)
    key = f"keepsake:{w.stage.scene}"
    if not w.success or not named or w.ledger.of(key) >= w.stage.keepsakes:
        return "nothing to keep"
    return _kept(w.effect, key, kind="keepsake", text=named, what="")


def keepsake_name(text: str) -> str:
    """Shorten a text to a keepsake's name: what precedes a comma, with an ellipsis if cut."""
    return shorten(re.split(r"[,;:(]", text)[0], NAME_AT_MOST, placeholder="…").strip(" '’-")


def meant_of(kept: Iterable[str], text: str) -> str | None:
    """Find the first keepsake that has all words of a text: "rope end" is "a tarred rope's end"."""
    said = {*words_of(text)}
    return next((one for one in kept if said <= {*words_of(one)}), None)


def _time(w: Wish) -> Answer:
    most = TIME_IN_DANGER if w.stage.danger or w.stage.fight else TIME_WHERE_SAFE
    return _kept(w.effect, amount=max(1, min(most, w.effect.amount)))


def _place(w: Wish) -> Answer:
    if w.who is None or (w.stage.barred and not w.stage.fight):
        return "not past those who wait"
    if w.who.kind == "seat":
        return "another player's to move"
    where = w.effect.what if w.effect.what in w.stage.places else ""
    if w.effect.what in w.stage.ways:
        return "out of the scene one goes or flees"
    return _kept(w.effect, who=w.who.id, what=where, amount=max(0, min(FEET, w.effect.amount)))


def _condition(w: Wish) -> Answer:
    if w.who is None or w.effect.what not in ROUNDS:
        return f"no condition {w.effect.what!r}"
    if w.who.kind == "seat" and w.effect.what not in ("hidden", "guarding"):
        return "only by themselves"
    if w.who.kind == "foe" and w.effect.what in ("hidden", "guarding") and w.success:
        return "that would help a foe"
    rounds = max(1, min(ROUNDS[w.effect.what], w.effect.amount or ROUNDS[w.effect.what]))
    key = f"{_round(w.stage)}condition:{w.who.id}"
    return (
        "one condition a round"
        if w.ledger.of(key)
        else _kept(w.effect, key, who=w.who.id, amount=rounds)
    )


def _clue(w: Wish) -> Answer:
    if not w.success or w.effect.what not in w.stage.clues:
        return f"no clue {w.effect.what!r} here"
    return _kept(w.effect)


def _morale(w: Wish) -> Answer:
    if w.who is None or w.who.kind != "foe" or not w.who.mind:
        return "nothing shakes them"
    key = f"{_round(w.stage)}morale:{w.who.id}"
    if not w.success or w.ledger.of(key):
        return "once a round"
    return _kept(w.effect, key, what="shaken", amount=1)


def _harm(w: Wish) -> Answer:
    if w.who is None or w.who.kind == "seat":
        return "never another player's character"
    if w.who.kind == "npc" or (w.who.kind == "foe" and not w.stage.fight):
        return "nobody is hurt so outside a fight"
    key = f"{_round(w.stage)}harm:{'self' if w.who.kind == 'self' else 'foe'}"
    if w.ledger.of(key):
        return "one harm a round"
    sides = 6 if w.success and BANDS.index(w.band) >= BANDS.index("hard") else 4
    return _kept(w.effect, key, who=w.who.id, amount=sides)


def _mark(w: Wish) -> Answer:
    what = w.effect.what if w.effect.what in MARKS else ""
    if not what and not w.effect.text:
        return "a mark says something"
    key = f"{_round(w.stage)}mark"
    if w.ledger.of(key) >= 2:
        return "two marks a round"
    return _kept(
        w.effect, key, what=what, amount=max(1, min(MARK_ROUNDS, w.effect.amount or MARK_ROUNDS))
    )


def _detail(w: Wish) -> Answer:
    return _kept(w.effect) if len(w.effect.text.split()) > 2 else "a detail has three words or more"


_GRANTS = {
    "edge": _edge,
    "attitude": _attitude,
    "coin": _coin,
    "item": _item,
    "keepsake": _keepsake,
    "time": _time,
    "place": _place,
    "condition": _condition,
    "clue": _clue,
    "morale": _morale,
    "harm": _harm,
    "mark": _mark,
    "detail": _detail,
}
