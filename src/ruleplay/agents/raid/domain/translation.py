"""Translates Warcraft Logs events into combat log lines, so that one importer reads both.

Warcraft Logs keeps a report's events as JSON, with numbers for actors and abilities (`masterData`).
Each becomes the line that the game would have written, in the dialect of 2.5.6 (18 advanced
fields); what Warcraft Logs does not keep (armor, further powers) is written as 0. Its damage
excludes overkill and its heals exclude overheal, whereas log lines include them, so both are added
back. GUIDs are made from the report's actor numbers and are unique within the report only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ruleplay.errors import NotFound

NULL = "0000000000000000"
_NULL_UNIT = f"{NULL},nil,0x80000000,0x80000000"
# Unit flags: a friendly raid member, its pet, and a hostile npc.
_FLAGS = {"Player": "0x514", "Pet": "0x1114"}
_HOSTILE = "0xa48"
_MELEE = 1
_MOST_STACKS = 65_535
# Auto Shot and Shoot (wand), which the game logs as RANGE_ events.
_RANGED = frozenset({75, 5019})
_MISSES = {0: "MISS", 7: "DODGE", 8: "PARRY", 9: "DEFLECT", 10: "IMMUNE", 13: "EVADE", 14: "RESIST"}
_AURAS = {
    "applybuff": ("APPLIED", "BUFF"),
    "applydebuff": ("APPLIED", "DEBUFF"),
    "removebuff": ("REMOVED", "BUFF"),
    "removedebuff": ("REMOVED", "DEBUFF"),
    "refreshbuff": ("REFRESH", "BUFF"),
    "refreshdebuff": ("REFRESH", "DEBUFF"),
    "applybuffstack": ("APPLIED_DOSE", "BUFF"),
    "applydebuffstack": ("APPLIED_DOSE", "DEBUFF"),
    "removebuffstack": ("REMOVED_DOSE", "BUFF"),
    "removedebuffstack": ("REMOVED_DOSE", "DEBUFF"),
}
_GEAR_SLOTS = 19
_DROPPED = frozenset({"encounterstart", "encounterend", "phasestart"})
"""Redundant: the report's fights already give these boundaries."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Actor(_Row):
    """A unit of the report: `gameID` is the npc's id, `petOwner` another actor's number."""

    id: int
    name: str = ""
    type: str = ""
    subType: str = ""  # noqa: N815
    gameID: int | None = None  # noqa: N815 (their name)
    petOwner: int | None = None  # noqa: N815


class Ability(_Row):
    """A spell: `type` is its school mask, as text."""

    gameID: int  # noqa: N815
    name: str | None = ""
    type: str | None = "1"


class Fight(_Row):
    """A pull, or trash where `encounterID` is 0; times are milliseconds of the report."""

    id: int
    encounterID: int = 0  # noqa: N815
    name: str = ""
    startTime: float  # noqa: N815
    endTime: float  # noqa: N815
    kill: bool | None = None
    difficulty: int | None = None
    size: int | None = None


class Power(_Row):
    """What an actor had of a power, and how much it can have."""

    amount: int = 0
    max: int = 0
    type: int = 0


class Enchanted(_Row):
    """An item worn."""

    id: int = 0
    itemLevel: int = 0  # noqa: N815
    permanentEnchant: int = 0  # noqa: N815
    temporaryEnchant: int = 0  # noqa: N815
    gems: tuple[dict[str, object], ...] = ()


class WornAura(_Row):
    """An aura at the pull."""

    source: int = 0
    ability: int


class TalentTree(_Row):
    """The points in one tree (Classic)."""

    id: int = 0


class Event(_Row):
    """An event as Warcraft Logs sends it; the fields that its type does not have are absent."""

    timestamp: float
    type: str
    sourceID: int = -1  # noqa: N815
    targetID: int = -1  # noqa: N815
    sourceInstance: int = 0  # noqa: N815
    targetInstance: int = 0  # noqa: N815
    abilityGameID: int = 0  # noqa: N815
    extraAbilityGameID: int = 0  # noqa: N815
    amount: int = 0
    absorbed: int = 0
    blocked: int = 0
    resisted: int = 0
    overkill: int = 0
    overheal: int = 0
    hitType: int = 1  # noqa: N815
    tick: bool = False
    stack: int = 0
    attackerID: int = -1  # noqa: N815
    resourceActor: int = 0  # noqa: N815
    hitPoints: int = 0  # noqa: N815
    maxHitPoints: int = 0  # noqa: N815
    classResources: tuple[Power, ...] = ()  # noqa: N815
    x: int = 0
    y: int = 0
    facing: int = 0
    mapID: int = 0  # noqa: N815
    resourceChange: int = 0  # noqa: N815
    resourceChangeType: int = 0  # noqa: N815
    maxResourceAmount: int = 0  # noqa: N815
    waste: int = 0
    isBuff: bool = False  # noqa: N815
    strength: int = 0
    agility: int = 0
    stamina: int = 0
    intellect: int = 0
    spirit: int = 0
    armor: int = 0
    faction: int = 0
    gear: tuple[Enchanted, ...] = Field(default=(), max_length=40)
    auras: tuple[WornAura, ...] = Field(default=(), max_length=400)
    talents: tuple[TalentTree, ...] = Field(default=(), max_length=40)


@dataclass
class Translation:
    """Converts a report's events to lines, counting those `read`, `skipped` and `malformed`."""

    code: str
    start_ms: int
    actors: dict[int, Actor]
    abilities: dict[int, Ability]
    fights: tuple[Fight, ...]
    zone: tuple[int, str] = (0, "")
    skipped: Counter[str] = field(default_factory=Counter)
    malformed: int = 0
    read: int = 0

    def lines(self, events: Iterable[object]) -> Iterator[str]:
        """Yield the report's lines in chronological order, each with its newline."""
        yield self._line(
            0, "COMBAT_LOG_VERSION,9,ADVANCED_LOG_ENABLED,1,BUILD_VERSION,2.5.6,PROJECT_ID,5"
        )
        yield self._line(0, f'ZONE_CHANGE,{self.zone[0]},"{_quoted(self.zone[1])}",0')
        marks = self._marks()
        for raw in events:
            event = self._read(raw)
            if event is None:
                continue
            while marks and marks[0][0] <= event.timestamp:
                yield self._line(*marks.pop(0))
            text = self._text(event)
            if text:
                yield self._line(event.timestamp, text)
        for mark in marks:
            yield self._line(*mark)

    @property
    def pulls(self) -> list[Fight]:
        """The boss fights, in the order in which an import numbers them."""
        bosses = (fight for fight in self.fights if fight.encounterID)
        return sorted(bosses, key=lambda fight: fight.startTime)

    def pull_of(self, fight: str) -> int | None:
        """Convert a fight number of the report to a pull number (from 1); None for trash.

        `last` means the last boss fight. NotFound if the report has no such fight.
        """
        if fight == "last":
            return len(self.pulls) or None
        if fight not in {str(one.id) for one in self.fights}:
            raise NotFound(f"the report has no fight {fight}")
        return next((at for at, one in enumerate(self.pulls, 1) if str(one.id) == fight), None)

    def _marks(self) -> list[tuple[float, str]]:
        marks: list[tuple[float, str]] = []
        for fight in self.pulls:
            size = f"{fight.difficulty or 0},{fight.size or 0}"
            head = f'{fight.encounterID},"{_quoted(fight.name)}",{size}'
            length = int(fight.endTime - fight.startTime)
            marks.append((fight.startTime, f"ENCOUNTER_START,{head},{self.zone[0]}"))
            # Half a millisecond later, so that the end follows all events of its millisecond.
            marks.append(
                (fight.endTime + 0.5, f"ENCOUNTER_END,{head},{int(bool(fight.kill))},{length}")
            )
        return marks

    def _read(self, raw: object) -> Event | None:
        self.read += 1
        try:
            return Event.model_validate(raw)
        except ValidationError:
            self.malformed += 1
            return None

    def _line(self, ms: float, text: str) -> str:
        at = datetime.fromtimestamp((self.start_ms + int(ms)) / 1000, UTC)
        clock = f"{at.month}/{at.day}/{at.year} {at:%H:%M:%S}.{at.microsecond // 1000:03d}+0"
        return f"{clock}  {text}\n"

    def _text(self, event: Event) -> str:
        if event.type in _AURAS:
            return self._aura(event)
        write = _WRITERS.get(event.type)
        if write is None:
            if event.type not in _DROPPED:
                self.skipped[event.type] += 1
            return ""
        return write(self, event)

    def _guid(self, number: int, instance: int = 0) -> str:
        actor = self.actors.get(number)
        if actor is None:
            return NULL
        if actor.type == "Player":
            return f"Player-0-{number:08X}"
        kind = "Pet" if actor.type == "Pet" else "Creature"
        return f"{kind}-0-0-0-0-{actor.gameID or 0}-{number * 4096 + max(instance, 0):010X}"

    def _unit(self, number: int, instance: int = 0) -> str:
        actor = self.actors.get(number)
        if actor is None:
            return _NULL_UNIT
        flags = _FLAGS.get(actor.type, _HOSTILE)
        return f'{self._guid(number, instance)},"{_quoted(actor.name)}",{flags},0x0'

    def _pair(self, event: Event) -> str:
        target = self._unit(event.targetID, event.targetInstance)
        return f"{self._unit(event.sourceID, event.sourceInstance)},{target}"

    def _spell(self, number: int) -> str:
        ability = self.abilities.get(number)
        name = (ability.name if ability else "") or f"spell {number}"
        return f'{number},"{_quoted(name)}",0x{self._school(number):x}'

    def _school(self, number: int) -> int:
        ability = self.abilities.get(number)
        told = (ability.type if ability else "1") or "1"
        return int(told) if told.isdecimal() else 1

    def _block(self, event: Event) -> str:
        """Build the advanced fields, of the source (`resourceActor` 1) or the target (2)."""
        of_source = event.resourceActor == 1
        number = event.sourceID if of_source else event.targetID
        instance = event.sourceInstance if of_source else event.targetInstance
        actor = self.actors.get(number)
        owner = self._guid(actor.petOwner) if actor and actor.petOwner else NULL
        power = event.classResources[0] if event.classResources else Power()
        return (
            f"{self._guid(number, instance)},{owner},{event.hitPoints},{event.maxHitPoints},"
            f"0,0,0,0,0,{power.type},{power.amount},{power.max},0,"
            f"{event.x / 100:.2f},{event.y / 100:.2f},{event.mapID},{event.facing / 100:.4f},0"
        )

    def _damage(self, event: Event) -> str:
        # Of Warcraft Logs' hit types, 2 is a critical hit and 6 a glancing blow.
        melee = event.abilityGameID == _MELEE
        if not event.amount and not event.absorbed and event.hitType in _MISSES:
            return self._miss(event, melee)
        over = event.overkill if event.overkill > 0 else -1
        whole = event.amount + max(event.overkill, 0)
        critical = "1" if event.hitType == 2 else "nil"
        glancing = "1" if event.hitType == 6 else "nil"
        tail = (
            f"{whole},{whole + event.absorbed},{over},{self._school(event.abilityGameID)},"
            f"{event.resisted},{event.blocked},{event.absorbed},{critical},{glancing},nil"
        )
        if melee:
            return f"SWING_DAMAGE,{self._pair(event)},{self._block(event)},{tail}"
        ranged = "RANGE" if event.abilityGameID in _RANGED else "SPELL"
        name = "SPELL_PERIODIC" if event.tick else ranged
        spell = self._spell(event.abilityGameID)
        return f"{name}_DAMAGE,{self._pair(event)},{spell},{self._block(event)},{tail},ST"

    def _miss(self, event: Event, melee: bool) -> str:
        why = _MISSES[event.hitType]
        tail = f"{why},nil,0" if why == "RESIST" else f"{why},nil"
        if melee:
            return f"SWING_MISSED,{self._pair(event)},{tail}"
        return f"SPELL_MISSED,{self._pair(event)},{self._spell(event.abilityGameID)},{tail}"

    def _heal(self, event: Event) -> str:
        name = "SPELL_PERIODIC_HEAL" if event.tick else "SPELL_HEAL"
        whole, crit = event.amount + event.overheal, "1" if event.hitType == 2 else "nil"
        spell = self._spell(event.abilityGameID)
        tail = f"{whole},{whole},{event.overheal},{event.absorbed},{crit}"
        return f"{name},{self._pair(event)},{spell},{self._block(event)},{tail}"

    def _cast(self, event: Event) -> str:
        spell = self._spell(event.abilityGameID)
        return f"SPELL_CAST_SUCCESS,{self._pair(event)},{spell},{self._block(event)}"

    def _begin_cast(self, event: Event) -> str:
        return f"SPELL_CAST_START,{self._pair(event)},{self._spell(event.abilityGameID)}"

    def _aura(self, event: Event) -> str:
        name, kind = _AURAS[event.type]
        stacks = f",{max(0, min(event.stack, _MOST_STACKS))}" if name.endswith("DOSE") else ""
        spell = self._spell(event.abilityGameID)
        return f"SPELL_AURA_{name},{self._pair(event)},{spell},{kind}{stacks}"

    def _death(self, event: Event) -> str:
        return f"UNIT_DIED,{_NULL_UNIT},{self._unit(event.targetID, event.targetInstance)},0"

    def _summon(self, event: Event) -> str:
        return f"SPELL_SUMMON,{self._pair(event)},{self._spell(event.abilityGameID)}"

    def _extra(self, event: Event) -> str:
        number = event.extraAbilityGameID
        name, school = self._spell(number).rpartition(",")[0], self._school(number)
        head = f"{self._pair(event)},{self._spell(event.abilityGameID)},{name},{school}"
        if event.type == "interrupt":
            return f"SPELL_INTERRUPT,{head}"
        return f"SPELL_DISPEL,{head},{'BUFF' if event.isBuff else 'DEBUFF'}"

    def _energize(self, event: Event) -> str:
        spell = self._spell(event.abilityGameID)
        tail = (
            f"{event.resourceChange}.0000,{event.waste}.0000,{event.resourceChangeType},"
            f"{event.maxResourceAmount}"
        )
        return f"SPELL_ENERGIZE,{self._pair(event)},{spell},{self._block(event)},{tail}"

    def _absorbed(self, event: Event) -> str:
        """Write an absorb: `sourceID` shielded `targetID` against `attackerID`."""
        pair = f"{self._unit(event.attackerID)},{self._unit(event.targetID, event.targetInstance)}"
        attack = f",{self._spell(event.extraAbilityGameID)}" if event.extraAbilityGameID > 1 else ""
        shield = f"{self._unit(event.sourceID)},{self._spell(event.abilityGameID)}"
        return f"SPELL_ABSORBED,{pair}{attack},{shield},{event.amount},{event.amount}"

    def _combatant(self, event: Event) -> str:
        points = [str(tree.id) for tree in event.talents[:3]]
        gear = [_item(item) for item in event.gear[:_GEAR_SLOTS]]
        gear += [_item(Enchanted())] * (_GEAR_SLOTS - len(gear))
        auras = ",".join(f"{self._guid(a.source)},{a.ability}" for a in event.auras)
        zeros = ",".join(["0"] * 15)
        return (
            f"COMBATANT_INFO,{self._guid(event.sourceID)},{event.faction},{event.strength},"
            f"{event.agility},{event.stamina},{event.intellect},{event.spirit},{zeros},{event.armor},"
            f"0,({','.join(points or ['0', '0', '0'])}),(),[{','.join(gear)}],[{auras}],0,0,()"
        )


def _quoted(name: str) -> str:
    """Remove from a name what would end its quotes or its line, or cannot be encoded."""
    kept = "".join(char for char in name if char not in '"\r\n')
    return kept.encode("utf-8", "replace").decode()


def _item(item: Enchanted) -> str:
    enchants = f"({item.permanentEnchant},{item.temporaryEnchant},0)"
    if not item.permanentEnchant and not item.temporaryEnchant:
        enchants = "()"
    gems = ",".join(f"{_whole(g.get('id'))},{_whole(g.get('itemLevel'))}" for g in item.gems)
    return f"({item.id},{item.itemLevel},{enchants},(),({gems}))"


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


_WRITERS = {
    "damage": Translation._damage,
    "heal": Translation._heal,
    "cast": Translation._cast,
    "begincast": Translation._begin_cast,
    "death": Translation._death,
    "destroy": Translation._death,
    "summon": Translation._summon,
    "interrupt": Translation._extra,
    "dispel": Translation._extra,
    "energize": Translation._energize,
    "resourcechange": Translation._energize,
    "absorbed": Translation._absorbed,
    "combatantinfo": Translation._combatant,
}
