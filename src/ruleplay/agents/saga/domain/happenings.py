"""What can happen in a saga: typed facts, each with one effect on the game."""

from __future__ import annotations

from typing import Literal

from ruleplay.agents.saga.domain.dice import Roll
from ruleplay.agents.saga.domain.fight import Cost, Fight, Outcome, Status
from ruleplay.agents.saga.domain.rulebook import StatusKind
from ruleplay.agents.saga.domain.texts import Frozen, Lang


class Happening(Frozen):
    """Something that happened; `dice` are the rolls it consumed, in draw order."""

    @property
    def dice(self) -> tuple[Roll, ...]:
        """Return the rolls that were thrown for it."""
        return ()


class Travelled(Happening):
    """The hero went to another place."""

    origin: str
    place: str


class Consulted(Happening):
    """The player looked something up: the place, the sheet, the map; nothing changed."""

    topic: Literal[
        "place", "inventory", "sheet", "journal", "map", "help", "fight", "person", "price", "waits"
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

    @property
    def dice(self) -> tuple[Roll, ...]:
        """Return the roll."""
        return (self.roll,)


class SectionTold(Happening):
    """A passage of the scenario was reached, in one of its texts."""

    kind: Literal["talk", "deed", "encounter", "intro"]
    key: str
    part: Literal["text", "failure", "avoided"] = "text"


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
    why: Literal["found", "loot", "bought", "given"] = "found"


class ItemLost(Happening):
    """Things left the hero's possession."""

    item: str
    count: int = 1
    why: Literal["used", "sold", "given", "shot"] = "used"


class CoinChanged(Happening):
    """Coin came or went; `coin` is what the purse holds now."""

    amount: int
    coin: int
    why: Literal["found", "loot", "bought", "sold", "paid", "lost"] = "found"


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
    cause: Literal["blow", "poisoned", "bleeding", "burning", "remedy", "rest", "aid", "return"]


class CombatTriggered(Happening):
    """A fight began: its seed, with the initiative rolls."""

    fight: Fight
    rolls: tuple[Roll, ...]

    @property
    def dice(self) -> tuple[Roll, ...]:
        """Return the initiative rolls."""
        return self.rolls


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

    @property
    def dice(self) -> tuple[Roll, ...]:
        """Return the attack roll and the defence roll."""
        return (self.attack, self.defence)


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


Entry = tuple[str, str, str]
"""A line of the chronicle: what happened, about what, with which value."""
