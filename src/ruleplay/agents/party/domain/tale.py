"""What play itself has created: canon, attitudes, marks and letters.

All of it is counted and limited, and none of it is worth any money.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import zip_longest
from typing import Any

from pydantic import Field

from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.base import change_of
from ruleplay.agents.party.domain.happenings.tale import Improvised
from ruleplay.agents.party.domain.seats import EVERYONE, Audience
from ruleplay.story.acts import Act
from ruleplay.story.bounds import ATTITUDE, Ledger
from ruleplay.story.canon import Canon, Established, keep
from ruleplay.story.style import Style
from ruleplay.story.texts import Frozen, Text
from ruleplay.story.undone import Undone

MARKS, KEEPSAKES, LETTERS, CAPTIVES, WAITING, PLANS = 12, 40, 8, 8, 8, 5
"""How many are kept: marks, keepsakes, unanswered letters, captives, words that wait for an answer,
and acts left undone."""

OVER: tuple[Undone, ...] = ("vain", "ended", "hangs")
"""The reasons for which nobody means to do it any more, or it is kept by a word of its own."""
MERCY = "fight:mercy"
"""The ledger's key for a fight that somebody wants to end without deaths."""
WAY = "fight:way:"
"""Prefix of the ledger's key for the scene that a flight leads to; the last one named counts."""


NOBODY, ANYBODY, HERE, LAST = "nobody", "anybody", "here", "last"
"""Whom somebody strikes, and where they keep, beside ids."""
NEAR = "fight:near:"
"""Prefix of the ledger's keys for who was at arm's length of whom: round, who, kind of foe."""


class Mark(Frozen):
    """Something about a place that an act has changed for a while; it lasts to the end of `until`.

    Rounds are the table's.
    """

    scene: str
    what: str
    text: str = ""
    until: int
    ears: Audience = Field(default=(), exclude_if=lambda ears: not ears)


class Keepsake(Frozen):
    """A worthless thing with a name, and who has it."""

    who: str
    text: str
    ears: Audience = Field(default=(), exclude_if=lambda ears: not ears)


class Letter(Frozen):
    """Words for somebody who has not answered yet: `by` waits for `to`."""

    by: str
    to: str
    text: str


class Asked(Frozen):
    """A question that somebody was asked back, what they had said, and what they may choose."""

    seat: str
    question: str
    choices: tuple[str, ...]
    message: str = ""


class Left(Frozen):
    """What somebody still means to do, in their own words: there was no room for it.

    `settled` are the adventure's flags after which there is no need for it, in the same order.
    """

    seat: str
    texts: tuple[str, ...]
    settled: tuple[str, ...] = Field(default=(), exclude_if=lambda flags: not flags)


class Order(Frozen):
    """What a companion is held to: whom they may strike, and where they keep.

    `harms` is empty for anybody, "nobody", or ids with commas; `keeps` whom they stay beside,
    "here" for a place where they stay while the party goes on, or "last" for who leaves a fight
    after all others. The `deed` is done in their next turn.
    """

    seat: str
    text: str = ""
    harms: str = ""
    keeps: str = ""
    deed: Act | None = None
    amid: bool = False


class Awaited(Frozen):
    """What somebody means to do once what it hangs on has come."""

    seat: str
    act: Act


class Tale(Frozen):
    """What has been established in play; only happenings change it."""

    canon: Canon = ()
    ledger: Ledger = Ledger()
    attitudes: dict[str, int] = Field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    keepsakes: tuple[Keepsake, ...] = ()
    followers: tuple[str, ...] = ()
    captives: dict[str, Text] = Field(default_factory=dict)
    shaken: tuple[str, ...] = ()
    letters: tuple[Letter, ...] = ()
    waiting: tuple[Letter, ...] = ()
    asked: tuple[Asked, ...] = ()
    left: tuple[Left, ...] = ()
    gone: tuple[str, ...] = ()
    heard: dict[str, int] = Field(default_factory=dict)
    minutes: int = 0
    style: Style = Style()
    present: dict[str, str] = Field(default_factory=dict, exclude_if=lambda seats: not seats)
    lent: tuple[str, ...] = Field(default=(), exclude_if=lambda seats: not seats)
    orders: tuple[Order, ...] = Field(default=(), exclude_if=lambda orders: not orders)
    awaits: tuple[Awaited, ...] = Field(default=(), exclude_if=lambda acts: not acts)
    parted: dict[str, str] = Field(default_factory=dict, exclude_if=lambda seats: not seats)

    @property
    def merciful(self) -> bool:
        """Whether somebody in the party wants nobody to be killed in this fight."""
        return bool(self.ledger.of(MERCY))

    def spares(self, who: str) -> bool:
        """Whether one of the party wants nobody killed: by their own last word, or the party's."""
        return self.merciful or bool(self.ledger.of(f"{MERCY}:{who}"))

    @property
    def way(self) -> str:
        """Return the scene that somebody has named for a flight from this fight; may be empty."""
        named = [one.key for one in self.ledger.counts if one.key.startswith(WAY)]
        return named[-1].removeprefix(WAY) if named else ""

    def attitude(self, person: str) -> int:
        """Return the attitude of a person of the story, from -2 to 2."""
        return self.attitudes.get(person, 0)

    def order(self, seat: str) -> Order:
        """Return what a seat is held to."""
        return next((one for one in self.orders if one.seat == seat), Order(seat=seat))

    def released(self, free: Callable[[Order], Order]) -> Tale:
        """Return the tale with every order changed; those that bind to nothing are over."""
        changed = (free(one) for one in self.orders)
        left = tuple(one for one in changed if one.harms or one.keeps or one.deed)
        return self if left == self.orders else self.model_copy(update={"orders": left})

    def question(self, seat: str) -> Asked | None:
        """Return the question that a seat was asked back, if there is one."""
        return next((one for one in self.asked if one.seat == seat), None)

    def undone(self, seat: str, flags: Collection[str] = ()) -> tuple[str, ...]:
        """Return what else a seat wanted to do and has not done, nor others with these `flags`."""
        done = {*flags} - {""}
        left = next((one for one in self.left if one.seat == seat), Left(seat=seat, texts=()))
        pairs = zip(left.texts, _padded(left), strict=True)
        later = (one.act.text for one in self.awaits if one.seat == seat)
        return (*(text for text, flag in pairs if flag not in done), *later)

    def apply(self, happening: Improvised, round: int) -> Tale:  # noqa: A002
        """Return the tale after something happened in a round of the table."""
        return self.model_copy(update=change_of(_CHANGES, happening)(self, happening, round))

    def known_to(self, seat: str) -> Tale:
        """Return the tale without what a seat may not know because it was done unseen."""
        kept = {
            name: tuple(one for one in made if not one.ears or seat in one.ears)
            for name, made in self._made.items()
        }
        return self.model_copy(update=kept)

    def since(self, before: Tale, known: Audience) -> Tale:
        """Return the tale with everything made since an earlier one limited to the ears `known`."""
        if EVERYONE in known or self is before:
            return self
        old = {id(one) for made in before._made.values() for one in made}
        kept = {
            name: tuple(
                one if id(one) in old else one.model_copy(update={"ears": known}) for one in made
            )
            for name, made in self._made.items()
        }
        return self.model_copy(update=kept)

    @property
    def _made(self) -> dict[str, tuple[Established | Mark | Keepsake, ...]]:
        return {"canon": self.canon, "marks": self.marks, "keepsakes": self.keepsakes}

    def after_fight(self, foes: Collection[str] = ()) -> Tale:
        """Return the tale without what belonged to a fight and without its foes' attitudes."""
        kept = {who: value for who, value in self.attitudes.items() if who not in foes}
        over = {"ledger": self.ledger.without("fight:"), "shaken": (), "attitudes": kept}
        return self.without_details(foes).model_copy(update=over).settled()

    def settled(self) -> Tale:
        """Return the tale without what somebody was held to in a fight or a place that is left."""
        return self.released(
            lambda one: Order(seat=one.seat, keeps=HERE if one.keeps == HERE else "")
        )

    def hurt(self) -> Tale:
        """Return the tale after a foe has hurt one of the party: who held back before may fight."""
        return self.released(lambda one: one if one.amid else one.model_copy(update={"harms": ""}))

    def without_details(self, whom: Collection[str]) -> Tale:
        """Return the tale without how those stood whose state has changed: asleep, in the mud."""
        kept = tuple(one for one in self.canon if one.kind != "detail" or one.about not in {*whom})
        return self if len(kept) == len(self.canon) else self.model_copy(update={"canon": kept})

    def after_turn(self, seat: str) -> Tale:
        """Return the tale after a seat's turn: a hand that was lent has been paid for."""
        after = self.released(
            lambda one: one.model_copy(update={"deed": None}) if one.seat == seat else one
        )
        if seat not in self.lent:
            return after
        return after.model_copy(update={"lent": tuple(one for one in self.lent if one != seat)})

    def rested(self) -> Tale:
        """Return the tale after a night."""
        return self.model_copy(update={"ledger": self.ledger.rested()})


Changes = dict[str, object]


def _detail_established(now: Tale, h: t.DetailEstablished, at: int) -> Changes:
    made = Established(
        text=h.text,
        kind=h.kind,
        place=h.place,
        about=h.about,
        author=h.author,
        turn=at,
        instead=h.instead,
    )
    return {"canon": keep(now.canon, made)}


def _attitude_changed(now: Tale, h: t.AttitudeChanged, at: int) -> Changes:
    value = max(-ATTITUDE, min(ATTITUDE, h.value))
    return {"attitudes": {**now.attitudes, h.person: value}}


def _mark_made(now: Tale, h: t.MarkMade, at: int) -> Changes:
    lasting = [one for one in now.marks if one.until >= at]
    made = Mark(scene=h.scene, what=h.what, text=h.text, until=at + h.rounds)
    return {"marks": (*lasting, made)[-MARKS:]}


def _keepsake_given(now: Tale, h: t.KeepsakeGiven, at: int) -> Changes:
    kept = [one for one in now.keepsakes if (one.who, one.text) != (h.who, h.text)]
    given = (Keepsake(who=h.to, text=h.text),) if h.to else ()
    return {"keepsakes": (*kept, *given)}


def _person_left(now: Tale, h: t.PersonLeft, at: int) -> Changes:
    followers = tuple(one for one in now.followers if one != h.person)
    return {"followers": followers, "gone": tuple(dict.fromkeys((*now.gone, h.person)))}


def _yielded(now: Tale, h: t.Yielded, at: int) -> Changes:
    if h.captive is None:
        return {}
    kept = [*now.captives.items(), (h.who, h.captive)][-CAPTIVES:]
    return {"captives": dict(kept)}


def _asked_back(now: Tale, h: t.AskedBack, at: int) -> Changes:
    others = tuple(one for one in now.asked if one.seat != h.seat)
    made = Asked(seat=h.seat, question=h.question, choices=h.choices, message=h.message)
    return {"asked": (*others, made)}


def _left_undone(now: Tale, h: t.LeftUndone, at: int) -> Changes:
    if h.why in OVER:
        return {}
    own = next((one for one in now.left if one.seat == h.seat), Left(seat=h.seat, texts=()))
    others = tuple(one for one in now.left if one is not own)
    flags = zip_longest((*own.texts, *h.texts), (*_padded(own), *h.settled), fillvalue="")
    kept = [*dict(flags).items()][-PLANS:]
    settled = tuple(flag for _, flag in kept)
    texts = tuple(text for text, _ in kept)
    left = Left(seat=h.seat, texts=texts, settled=settled if any(settled) else ())
    return {"left": (*others, left)}


def _vowed(now: Tale, h: t.Vowed, at: int) -> Changes:
    made = _left_undone(now, t.LeftUndone(seat=h.seat, texts=(h.text,)), at) if h.text else {}
    others = tuple(one for one in now.orders if one.seat != h.seat)
    harms = "" if h.harms == ANYBODY else h.harms
    if not (harms or h.keeps or h.deed):
        return {**made, "orders": others} if h.harms else made
    order = Order(seat=h.seat, text=h.text, harms=harms, keeps=h.keeps, deed=h.deed, amid=h.amid)
    return {**made, "orders": (*others, order)}


def _parted(now: Tale, h: t.Parted, at: int) -> Changes:
    others = {who: scene for who, scene in now.parted.items() if who != h.who}
    orders = tuple(one for one in now.orders if one.seat != h.who)
    return {"parted": {**others, **({h.who: h.scene} if h.scene else {})}, "orders": orders}


def _padded(left: Left) -> tuple[str, ...]:
    return left.settled or ("",) * len(left.texts)


def _considered(now: Tale, h: t.Considered, at: int) -> Changes:
    return {
        "asked": tuple(one for one in now.asked if one.seat != h.seat),
        "left": tuple(one for one in now.left if one.seat != h.seat),
        "awaits": tuple(one for one in now.awaits if one.seat != h.seat),
    }


def _written(now: Tale, h: t.Written, at: int) -> Changes:
    letter = Letter(by=h.seat, to=h.to, text=h.text)
    return {"letters": (*now.letters, letter)[-LETTERS:]}


def _spoken_to(now: Tale, h: t.SpokenTo, at: int) -> Changes:
    words = Letter(by=h.by, to=h.seat, text=h.text)
    return {"waiting": (*now.waiting, words)[-WAITING:]}


def _listened(now: Tale, h: t.Listened, at: int) -> Changes:
    left = tuple(one for one in now.waiting if one.to != h.seat)
    return {"waiting": left, "heard": {**now.heard, h.seat: at}}


_CHANGES: dict[type[t.Improvised], Callable[[Tale, Any, int], Changes]] = {
    t.Tallied: lambda now, h, at: {"ledger": now.ledger.plus(h.key, h.n)},
    t.DetailEstablished: _detail_established,
    t.AttitudeChanged: _attitude_changed,
    t.MarkMade: _mark_made,
    t.KeepsakeGained: lambda now, h, at: {
        "keepsakes": (*now.keepsakes, Keepsake(who=h.who, text=h.text))[-KEEPSAKES:]
    },
    t.KeepsakeGiven: _keepsake_given,
    t.Followed: lambda now, h, at: {"followers": tuple(dict.fromkeys((*now.followers, h.person)))},
    t.PersonLeft: _person_left,
    t.Yielded: _yielded,
    t.Shaken: lambda now, h, at: {"shaken": tuple(dict.fromkeys((*now.shaken, h.who)))},
    t.TimeSpent: lambda now, h, at: {"minutes": now.minutes + h.minutes},
    t.AskedBack: _asked_back,
    t.LeftUndone: _left_undone,
    t.Vowed: _vowed,
    t.Parted: _parted,
    t.Awaits: lambda now, h, at: {
        "awaits": (*now.awaits, Awaited(seat=h.seat, act=h.act))[-PLANS:]
    },
    t.CameDue: lambda now, h, at: {
        "awaits": tuple(one for one in now.awaits if (one.seat, one.act) != (h.seat, h.act))
    },
    t.Considered: _considered,
    t.Written: _written,
    t.Answered: lambda now, h, at: {
        "letters": tuple(one for one in now.letters if one.by != h.seat)
    },
    t.SpokenTo: _spoken_to,
    t.Listened: _listened,
    t.HandLent: lambda now, h, at: {"lent": (*now.lent, h.who)},
    t.TookPart: lambda now, h, at: {"present": {**now.present, h.seat: h.scene}},
    t.StyleChosen: lambda now, h, at: {"style": h.style},
    t.Improvised: lambda now, h, at: {},  # most happenings are only told
}
