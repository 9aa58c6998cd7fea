"""What can happen to creatures: typed facts, each with one effect on the cast.

They hold ids, keys and numbers, never phrases: a fight is the same in every language.
"""

from __future__ import annotations

from typing import Literal

from ruleplay.agents.party.domain.creature import Creature, Effect
from ruleplay.agents.party.domain.fight import Budget, Cost, Fight, Outcome
from ruleplay.agents.party.domain.happenings.base import Happening as Happening
from ruleplay.agents.party.domain.happenings.base import Rolled as Rolled
from ruleplay.agents.party.domain.happenings.base import Thrown
from ruleplay.agents.party.domain.happenings.base import Why as Why
from ruleplay.agents.party.domain.intents import Act
from ruleplay.agents.party.domain.terms import Ability, DamageType


class CreatureEntered(Happening):
    """Somebody came into play."""

    creature: Creature


class CreatureRemoved(Happening):
    """Somebody is of no more concern: a foe of a fight that is over."""

    who: str


class FightBegan(Thrown):
    """A fight began; `rolls` are the initiative rolls, `places` where each one stands."""

    fight: Fight
    places: tuple[tuple[str, int], ...]


class PersonsFirst(Happening):
    """Who sits at the table acts before companions who play themselves.

    `owed` are characters whose players have not been asked in this fight: none of them falls
    before they are.
    """

    order: tuple[str, ...]
    owed: tuple[str, ...]


class FightOver(Happening):
    """A fight ended; `xp` is what each character gains."""

    key: str
    outcome: Outcome
    rounds: int
    xp: int = 0
    fallen: tuple[str, ...] = ()


class TurnBegan(Happening):
    """Somebody's turn in the fight began; `lost` says why they cannot use it."""

    actor: str
    round: int
    turn: int
    budget: Budget
    lost: Literal["", "surprised", "incapacitated", "down", "gone"] = ""


class TurnEnded(Happening):
    """Somebody's turn in the fight ended."""

    actor: str


class ActionTaken(Happening):
    """Somebody spent part of their turn, or their reaction; `left` is what remains of the turn."""

    who: str
    act: Act | Literal["opportunity", "readied", "reaction", "improvise"]
    cost: Cost
    what: str = ""
    targets: tuple[str, ...] = ()
    left: Budget | None = None


class Moved(Happening):
    """Somebody went from one place to another; `spent` are feet of movement."""

    who: str
    origin: int
    position: int
    spent: int = 0
    why: Literal["walk", "pushed", "spell", "fled"] = "walk"


class Checked(Rolled):
    """An ability check against a DC; `what` is the skill or ability."""

    who: str
    what: str
    dc: int
    success: bool
    why: str = ""


class Contested(Thrown):
    """A check of one against a check of another; a tie leaves things as they were."""

    who: str
    what: str
    other: str
    other_what: str
    success: bool
    why: str = ""


class SaveRolled(Rolled):
    """A saving throw against a DC; `automatic` when a condition failed it whatever the dice say."""

    who: str
    ability: Ability
    dc: int
    success: bool
    automatic: bool = False
    why: str = ""


class AttackRolled(Rolled):
    """An attack roll against an armour class: a natural 20 hits, a natural 1 misses, always."""

    attacker: str
    target: str
    what: str
    ac: int
    hit: bool
    critical: bool = False
    ranged: bool = False
    distance: int = 0


class DamageRolled(Rolled):
    """Damage dice of one type, once for everyone that the effect reaches."""

    by: str
    what: str
    damage: DamageType
    critical: bool = False
    why: str = ""


class HealingRolled(Rolled):
    """Dice of healing or of temporary hit points."""

    by: str
    what: str


class HitPointsChanged(Happening):
    """Hit points went up or down by `amount`; `hp` is what is left.

    Damage: `raw`, `halved` by a save, less `reduced`, times `factor` in halves (0 immune, 1
    resisted, 4 vulnerable), less what temporary ones `absorbed`; `over` is beyond the last one.
    """

    who: str
    amount: int
    hp: int
    why: Why
    by: str = ""
    damage: DamageType | Literal[""] = ""
    raw: int = 0
    factor: int = 2
    halved: bool = False
    reduced: int = 0
    absorbed: int = 0
    over: int = 0


class TempChanged(Happening):
    """Temporary hit points were granted; they do not add up."""

    who: str
    temp: int
    why: str = ""


class MaxHpChanged(Happening):
    """The hit point maximum changed."""

    who: str
    amount: int
    max_hp: int


class Fell(Happening):
    """A character dropped to 0 hit points: unconscious, prone and dying."""

    who: str
    by: str = ""


class CameRound(Happening):
    """Somebody who was down has hit points again."""

    who: str


class DeathSaved(Rolled):
    """A death saving throw, with the tallies after it."""

    who: str
    passed: int
    failed: int


class DeathSaveFailed(Happening):
    """Damage at 0 hit points: a failure, two of a critical hit."""

    who: str
    count: int
    failed: int


class Stabilised(Happening):
    """Somebody who was dying is stable."""

    who: str
    by: str = ""


class Died(Happening):
    """Somebody died; `by` is who did it."""

    who: str
    by: str = ""
    why: Literal["damage", "massive", "saves", "exhaustion"] = "damage"


class Revived(Happening):
    """Somebody who had died lives again."""

    who: str
    by: str
    hp: int


class Endured(Rolled):
    """Undead fortitude or its like was tried at the last hit point."""

    who: str
    dc: int
    success: bool


class EffectGained(Happening):
    """A condition, spell or stance came upon somebody."""

    who: str
    effect: Effect


class EffectEnded(Happening):
    """An effect left somebody."""

    who: str
    key: str
    source: str = ""
    why: Literal["time", "saved", "escaped", "cured", "damage", "spent", "over", "lost"] = "time"


class ConcentrationBegan(Happening):
    """Somebody concentrates on a spell."""

    who: str
    spell: str


class ConcentrationEnded(Happening):
    """Somebody's concentration ended, and what it held."""

    who: str
    spell: str
    why: Literal["damage", "incapacitated", "another", "time", "ended"] = "ended"


class SpellCast(Happening):
    """A spell was cast, with a slot of a level (0: none)."""

    who: str
    spell: str
    slot: int
    targets: tuple[str, ...]
    ritual: bool = False


class SlotSpent(Happening):
    """A spell slot was used."""

    who: str
    level: int
    left: int


class FeatureUsed(Happening):
    """A feature was used; `left` is what remains of it."""

    who: str
    feature: str
    amount: int
    left: int
    targets: tuple[str, ...] = ()


class PowerUsed(Happening):
    """A monster used a special action."""

    who: str
    power: str
    targets: tuple[str, ...]


class PowerRecharged(Rolled):
    """A die for a special action's return."""

    who: str
    power: str
    success: bool


class Hidden(Happening):
    """Somebody went out of sight; `total` is their Stealth."""

    who: str
    total: int


class Readying(Happening):
    """Somebody waits with an attack for a foe to come near."""

    who: str
    attack: str


class ItemGained(Happening):
    """Things came into somebody's possession."""

    who: str
    item: str
    count: int = 1


class ItemLost(Happening):
    """Things left somebody's possession."""

    who: str
    item: str
    count: int = 1
    why: Literal["used", "shot", "thrown", "given", "sold"] = "used"


class Equipped(Happening):
    """Somebody changed what they hold or wear; the creature's numbers follow."""

    who: str
    creature: Creature


class GotAway(Happening):
    """Somebody left the fight."""

    who: str


class HitDieSpent(Rolled):
    """A hit die was rolled in a short rest."""

    who: str
    left: int


class Rested(Happening):
    """A rest ended: slots, features and hit dice came back as its kind allows."""

    who: str
    kind: Literal["short", "long"]
    slots: tuple[int, ...]
    hit_dice: int


class TimePassed(Happening):
    """Rounds went by outside a fight."""

    rounds: int


class XpGained(Happening):
    """Experience was gained; `xp` is all of it."""

    who: str
    amount: int
    xp: int


class LevelReached(Happening):
    """A character rose a level; `creature` is what they are now."""

    who: str
    level: int
    creature: Creature
