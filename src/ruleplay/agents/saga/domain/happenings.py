"""What can happen in a saga: typed facts, each with one effect on the game."""

from __future__ import annotations

import operator
from typing import Literal

from pydantic import Field

from ruleplay.agents.saga.domain.dice import Roll
from ruleplay.agents.saga.domain.fight import Cost, Fight, Outcome, Status
from ruleplay.agents.saga.domain.rulebook import StatusKind
from ruleplay.agents.saga.domain.story import Asked, Mark
from ruleplay.story.acts import Act, Approach, Band, Vain, Want
from ruleplay.story.canon import Established
from ruleplay.story.morale import Demand, Mercy
from ruleplay.story.style import Style
from ruleplay.story.texts import Frozen, Lang
from ruleplay.story.undone import Undone


class Happening(Frozen):
    """Something that happened; `dice` are the rolls it consumed, in draw order."""

    @property
    def dice(self) -> tuple[Roll, ...]:
        """Return the rolls that were thrown for it, in the order of its fields."""
        held = (one if isinstance(one, tuple) else (one,) for one in self.__dict__.values())
        return tuple(roll for some in held for roll in some if isinstance(roll, Roll))


Counting = tuple[str, ...]
"""What made a roll easier beside its skill: `offer`, `apt` words, `secret:KEY`, `item:KEY`."""


class Travelled(Happening):
    """The hero went to another place."""

    origin: str
    place: str


class Consulted(Happening):
    """The player looked something up: the place, the sheet, the map; nothing changed."""

    topic: Literal[
        "place",
        "inventory",
        "sheet",
        "journal",
        "map",
        "help",
        "fight",
        "person",
        "price",
        "waits",
        "rules",
        "memory",
        "settings",
        "undo",
        "pause",
        "aside",
        "playing",
    ]
    key: str = ""


class Refused(Happening):
    """What the player wanted is impossible, or was not understood; nothing changed."""

    reason: str
    about: str = ""
    other: str = ""


class SkillChecked(Happening):
    """A skill was put to the test against a difficulty."""

    who: str
    skill: str
    difficulty: int
    roll: Roll
    success: bool
    counted: Counting = Field(default=(), exclude_if=operator.not_)


class SectionTold(Happening):
    """A passage of the scenario was reached, in one of its texts.

    `way` is how foes were passed: by a skill, or `toll`.
    """

    kind: Literal["talk", "deed", "encounter", "intro", "clue", "clock"]
    key: str
    part: Literal["text", "failure", "avoided"] = "text"
    way: str = ""


class FlagSet(Happening):
    """Something the story remembers."""

    flag: str


class SecretLearned(Happening):
    """A secret came to light."""

    secret: str


class ItemGained(Happening):
    """Things came into the hero's possession."""

    item: str
    count: int = 1
    why: Literal["found", "loot", "bought", "given", "picked_up"] = "found"


class ItemLost(Happening):
    """Things left the hero's possession."""

    item: str
    count: int = 1
    why: Literal["used", "sold", "given", "shot", "left", "lost"] = "used"
    to: str = Field(default="", exclude_if=operator.not_)
    text: str = Field(default="", exclude_if=operator.not_)


class CoinChanged(Happening):
    """Coin came or went; `coin` is what the purse holds now, `item` a service that it paid for."""

    amount: int
    coin: int
    why: Literal["found", "loot", "bought", "sold", "paid", "lost", "left", "picked_up"] = "found"
    to: str = Field(default="", exclude_if=operator.not_)
    item: str = Field(default="", exclude_if=operator.not_)


class KeepsakeLost(Happening):
    """The hero gave a keepsake away, or put it down where nobody is named, or used it up."""

    keepsake: str
    to: str = ""
    text: str = ""
    spent: bool = Field(default=False, exclude_if=operator.not_)


class Equipped(Happening):
    """Somebody took a weapon in hand or put armour on."""

    who: str
    item: str
    slot: Literal["weapon", "armour"]


class HitPointsChanged(Happening):
    """Hit points went up or down by `amount`; `hp` is what is left."""

    who: str
    amount: int
    hp: int
    cause: Literal[
        "blow", "poisoned", "bleeding", "burning", "remedy", "rest", "aid", "return", "mishap"
    ]


class CombatTriggered(Happening):
    """A fight began: its seed, with the initiative rolls."""

    fight: Fight
    rolls: tuple[Roll, ...]


class FightOpened(Happening):
    """The first one in the initiative began to move."""

    actor: str


class ActionTaken(Happening):
    """Somebody spent an action of their turn, or their reaction."""

    who: str
    action: str
    cost: Cost
    target: str = ""
    item: str = ""


class Attacked(Happening):
    """A blow or a shot: both totals, and what came of it."""

    attacker: str
    target: str
    weapon: str
    attack: Roll
    defence: Roll
    hit: bool
    critical: bool = False
    fumble: bool = False
    weapon_damage: int = 0
    absorbed: int = 0
    damage: int = 0
    halved: bool = Field(default=False, exclude_if=operator.not_)


class StatusGained(Happening):
    """A status came upon somebody, or was renewed."""

    who: str
    status: Status


class StatusAged(Happening):
    """A status has fewer turns to last; at 0 it has ended."""

    who: str
    kind: StatusKind
    rounds: int
    why: Literal["time", "spent", "cured", "over"] = "time"


class Moved(Happening):
    """Somebody closed in, or drew away."""

    who: str
    far: bool


class TurnSkipped(Happening):
    """Somebody could not use their turn."""

    who: str
    why: Literal["stunned", "waits"]


class Died(Happening):
    """Somebody's hit points reached none; `by` is who did it, empty for a status."""

    who: str
    by: str = ""


class Fell(Happening):
    """An ally's hit points reached none: they are down, and die only if they are left behind."""

    who: str
    by: str = ""


class Fled(Happening):
    """Somebody left the fight."""

    who: str


class TurnAdvanced(Happening):
    """The next one in the initiative is to move (the seed's `advance_turn`)."""

    round: int
    turn: int
    actor: str


class CombatEnded(Happening):
    """A fight ended: how, and what it is worth; the story is told again."""

    combat_id: str
    encounter: str
    outcome: Outcome
    hp: int
    xp: int = 0
    coin: int = 0
    loot: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()


class XpGained(Happening):
    """Experience was gained; `xp` is all of it."""

    amount: int
    xp: int


class LevelGained(Happening):
    """A level was reached."""

    level: int
    max_hp: int


class SkillTrained(Happening):
    """A point was spent on a rank of a skill."""

    skill: str
    rank: int


class Rested(Happening):
    """The hero slept; it is another day."""

    day: int


class Returned(Happening):
    """Death let go of the hero, at a price."""

    place: str


class EndingReached(Happening):
    """The story ended."""

    ending: str


class LanguageChosen(Happening):
    """From now on the story is told in another language."""

    lang: Lang


Raised = Literal["again", "stake"]
"""Why a try is harder than its words: it was tried before, or more hangs on it."""


class Attempted(Happening):
    """Something nobody wrote down was tried; `roll` is None for what is sure.

    `what` are the player's words, `against` who resists; `why` it is harder than it sounds.
    """

    skill: str
    band: Band
    difficulty: int
    roll: Roll | None = None
    success: bool
    what: str = ""
    against: str = ""
    why: Raised | Literal[""] = Field(default="", exclude_if=operator.not_)
    counted: Counting = Field(default=(), exclude_if=operator.not_)


class Counted(Happening):
    """Something that has a limit was tried or given."""

    key: str
    n: int = 1


class Spoke(Happening):
    """Words were said: by whom, to whom (`all`: whoever hears), how, and wanting what."""

    who: str
    to: str = ""
    text: str = ""
    approach: Approach = "plain"
    want: Want | Literal[""] = ""


class Flourished(Happening):
    """The hero did something that cannot fail and changes nothing."""

    text: str


class InVain(Happening):
    """What the player said cannot be; the world takes no notice, or notices it oddly."""

    why: Vain | Literal["tried"]
    text: str = ""
    to: str = Field(default="", exclude_if=operator.not_)


class AttitudeChanged(Happening):
    """Somebody thinks better or worse of the hero."""

    who: str
    amount: Literal[-1, 1]


class EdgeGained(Happening):
    """The next roll of somebody will be easier or harder."""

    who: str
    up: bool


class EdgeSpent(Happening):
    """It was."""

    who: str


class DetailKept(Happening):
    """Something about the world was established in play."""

    detail: Established


class MarkMade(Happening):
    """Something about the place holds for a while."""

    mark: Mark


class MarksAged(Happening):
    """What holds at a place for some rounds has one less to hold."""

    place: str


class TimePassed(Happening):
    """Time went by."""

    minutes: int


class Harmed(Happening):
    """Something improvised hurts: a die of four or six sides, drawn like every roll."""

    who: str
    roll: Roll
    sides: Literal[4, 6]

    @property
    def amount(self) -> int:
        """Return the harm: the natural face, scaled to the sides."""
        return (self.roll.natural - 1) * self.sides // 100 + 1


class Demanded(Happening):
    """A foe was told to give up or go; without a roll there was no reason to, or none since."""

    who: str
    want: Demand
    approach: Approach
    again: bool = Field(default=False, exclude_if=operator.not_)
    difficulty: int = 0
    skill: str = ""
    roll: Roll | None = None
    success: bool = False
    counted: Counting = Field(default=(), exclude_if=operator.not_)


class Yielded(Happening):
    """Somebody gave up and is out of the fight, alive."""

    who: str


class Surrendered(Happening):
    """The hero gave up; each foe answers by its nature."""

    answers: tuple[tuple[str, Mercy], ...]


class Joined(Happening):
    """Somebody comes along."""

    who: str


class Parted(Happening):
    """Somebody no longer does: they go their way, or wait at a `place` for the hero."""

    who: str
    place: str = Field(default="", exclude_if=operator.not_)


class LeftUndone(Happening):
    """What there was no room for, in the player's words, and why; offered again."""

    what: tuple[str, ...]
    why: Undone = Field(default="", exclude_if=operator.not_)


class AskedBack(Happening):
    """The player is asked before something with two meanings, or something grave, is done."""

    asked: Asked


class Answered(Happening):
    """The question that waited is settled, or no longer matters."""


class StyleChosen(Happening):
    """From now on the story is told so."""

    style: Style


class Stopped(Happening):
    """What the player could not bear is over, and nothing of it was lost or won."""


class Helped(Happening):
    """Who comes along does a small thing in a fight that they were told to do."""

    who: str
    text: str = ""


class Remembered(Happening):
    """What must not be forgotten has left the chronicle for the long memory."""

    entry: tuple[str, str, str]


class StoryLeft(Happening):
    """The hero walked out of the story: its end, by the player's own wish."""


class Readied(Happening):
    """The hero stands ready for something, which is done when somebody strikes.

    `taken`: it is cover that was taken already, and helps at the first blow.
    """

    act: Act
    taken: bool = Field(default=False, exclude_if=operator.not_)


class Sprung(Happening):
    """What was readied is done now; or it never `came` to that, or the hero has `dropped` it."""

    act: Act
    came: bool = True
    dropped: bool = Field(default=False, exclude_if=operator.not_)


class TakenBack(Happening):
    """What the player did last counts no more: the game is as it was before that turn."""


Entry = tuple[str, str, str]
"""A line of the chronicle: what happened, about what, with which value."""
