"""What can happen besides what an adventure has prepared: what people make up, within limits.

The words in them come from people or a model; the rules read none of them.
"""

from __future__ import annotations

import operator
from typing import Annotated, Literal

from pydantic import Field

from ruleplay.agents.party.domain.happenings.base import Happening
from ruleplay.agents.party.domain.seats import EVERYONE, Audience
from ruleplay.story.acts import Act
from ruleplay.story.style import Style
from ruleplay.story.texts import Text
from ruleplay.story.undone import Undone

Words = Annotated[str, Field(max_length=400)]
ALL: Audience = (EVERYONE,)


class Improvised(Happening):
    """Something that happened and that no adventure foresaw; `ears` may know it."""

    @property
    def ears(self) -> Audience:
        """Return the audience that may know it."""
        return ALL


class Private(Improvised):
    """Something between a seat and the game master."""

    seat: str

    @property
    def ears(self) -> Audience:
        """Return the seat and the DM."""
        return ("dm", self.seat) if self.seat != "dm" else ("dm",)


class Tallied(Improvised):
    """Something was tried or given once more; limits count it."""

    key: str
    n: int = 1


class DetailEstablished(Improvised):
    """A detail of the world that holds from now on; worth nothing to the rules."""

    text: Words
    kind: str = "detail"
    place: str = ""
    about: str = ""
    author: str = ""
    instead: str = Field(default="", exclude_if=lambda text: not text)


class Did(Improvised):
    """Somebody did or said something that cannot fail and changes nothing; `to` whom.

    `said`: it is an account of words. `tries`: the roll that follows is for it. `held`: it is what
    they have promised, and keep to.
    """

    who: str
    text: Words
    to: str = ""
    said: bool = Field(default=False, exclude_if=operator.not_)
    tries: bool = Field(default=False, exclude_if=operator.not_)
    held: bool = Field(default=False, exclude_if=operator.not_)


class Noticed(Improvised):
    """Somebody sees or learns something small of a person here; told, and not kept as canon."""

    who: str
    text: Words


class Overheard(Improvised):
    """Somebody has listened or looked into the next place: who is there, by name and id."""

    who: str
    scene: str
    beings: tuple[str, ...] = ()


class Withheld(Improvised):
    """Something that an act was to bring did not come of it: `kind` of effect, to `who`, why."""

    who: str
    kind: str
    why: str


class Remembered(Improvised):
    """Something that is worth a line in everybody's memory: its kind, about whom or what."""

    kind: str
    about: str = ""
    other: str = ""
    value: Words = ""


class InVain(Improvised):
    """Somebody tried what cannot be; told in the story, never as an error."""

    who: str
    why: str
    text: Words = ""


class AttitudeChanged(Improvised):
    """A person of the story likes somebody more or less; `value` is how much, from -2 to 2."""

    person: str
    amount: int
    value: int


class EdgeGained(Improvised):
    """Somebody's next roll will be easier or harder."""

    who: str
    way: Literal["up", "down"]


class MarkMade(Improvised):
    """Something about the place is otherwise for some rounds."""

    scene: str
    what: str
    text: Words = ""
    rounds: int


class KeepsakeGained(Improvised):
    """A worthless thing came into somebody's possession."""

    who: str
    text: Words


class KeepsakeGiven(Improvised):
    """A worthless thing was given on, or left (`to` nobody).

    `mended`: there never was that one; its player has put the record right.
    """

    who: str
    to: str
    text: Words
    mended: bool = Field(default=False, exclude_if=operator.not_)


class Followed(Improvised):
    """A person comes along from now on."""

    person: str


class PersonLeft(Improvised):
    """A person has left the place, or the party; who was `struck` down in peace is carried off."""

    person: str
    struck: bool = Field(default=False, exclude_if=operator.not_)


class PersonActs(Improvised):
    """A person of the story does something by themselves; `to` whom."""

    person: str
    how: str
    text: Words
    to: str = ""


class Yielded(Improvised):
    """Somebody gave up and is out of the fight; a `captive`, named here, stays with the party."""

    who: str
    captive: Text | None = None


class Unmoved(Improvised):
    """A demand came to nothing without a roll.

    `again`: it was made before. Else it goes against their nature, or nothing gives them a reason.
    """

    who: str
    by: str
    why: Literal["", "again", "nature", "reason"] = Field(default="", exclude_if=operator.not_)


class Shaken(Improvised):
    """A foe has lost heart."""

    who: str


class TimeSpent(Improvised):
    """Time went by; it is no rest."""

    minutes: int


class Complicated(Improvised):
    """The world makes things harder, or only louder."""

    kind: str
    text: Words


class Spotlit(Improvised):
    """The game master turns to a seat that has been quiet."""

    seat: str
    text: Words


class AskedBack(Private):
    """What somebody said has two meanings that cost different things: they choose."""

    question: Words
    choices: tuple[str, ...]
    message: str = ""


class LeftUndone(Private):
    """What somebody had wanted to do besides and there was no room for, and why.

    `settled` has, for each of the texts, the adventure's flag with which it is settled; or "".
    """

    texts: tuple[str, ...]
    settled: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    why: Undone = Field(default="", exclude_if=operator.not_)


class Vowed(Private):
    """What a companion has said that they will do from their next turn on, and is held to.

    `harms` whom, and `keeps` where, as in `orders`; the `deed` is done in that turn. `amid`: it was
    said in a fight. Without a `text` it is what they were asked to.
    """

    text: Words
    harms: str = Field(default="", exclude_if=operator.not_)
    keeps: str = Field(default="", exclude_if=operator.not_)
    deed: Act | None = Field(default=None, exclude_if=operator.not_)
    amid: bool = Field(default=False, exclude_if=operator.not_)


class Parted(Improvised):
    """A companion stays in a place while the party goes on; without a `scene` they are back."""

    who: str
    scene: str = Field(default="", exclude_if=operator.not_)


class Awaits(Private):
    """Somebody means to do something once what it hangs on has come (`after` of the act)."""

    act: Act


class CameDue(Private):
    """What somebody meant to do has come to its moment, or is nothing to wait for any more."""

    act: Act


class Considered(Private):
    """What a seat was asked, or had left undone, is settled: it has said something new."""


class Written(Private):
    """A whisper to somebody who has to answer it."""

    to: str
    text: Words


class Answered(Private):
    """The letters of a seat were answered, or will not be."""


class TookPart(Improvised):
    """A person at the table has had a turn in a scene: companions may go on from there."""

    seat: str
    scene: str


class SpokenTo(Improvised):
    """Words were meant for a seat that may answer them."""

    seat: str
    by: str
    text: Words


class HandLent(Improvised):
    """A companion spends their own turn on helping somebody with what is being tried.

    Without `to` they have spent it on what they were asked to do themselves.
    """

    who: str
    to: str = Field(default="", exclude_if=operator.not_)


class Listened(Improvised):
    """A seat took its chance to answer."""

    seat: str


class StyleChosen(Improvised):
    """How the session is told from now on."""

    style: Style
