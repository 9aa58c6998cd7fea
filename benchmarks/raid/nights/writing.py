"""Writes log lines in the dialect of 2.5.6: year and zone in the time, 18 advanced fields.

Fields that the game fills and nothing reads (attack power, armor) hold plausible constants.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from benchmarks.raid.nights.ledger import Ledger
from benchmarks.raid.nights.truth import Death, Dispel, Use
from benchmarks.raid.nights.units import NOBODY, Player, Unit

NULL_UNIT = f"{NOBODY},nil,0x80000000,0x80000000"
BUILD = "2.5.6"
PROJECT = 5
"""PROJECT_ID of TBC Classic."""
SpellName = tuple[int, str, int]
"""A spell's id, name and school mask."""
MELEE: SpellName = (0, "Melee", 1)
"""What a swing is called in the truth; the log gives it no spell."""


class Scribe:
    """Writes lines at the current time and keeps the ledger; `ms` counts from the night's start."""

    def __init__(self, start: datetime, zone_hours: int, zone_map: int = 0) -> None:
        self.lines: list[str] = []
        self.written = 0
        self.ms = 0
        self.pull_ms = 0
        self.map = zone_map
        self.ledger = Ledger()
        self._start = start
        self._zone = f"{zone_hours:+d}"
        self._second = -1
        self._clock = ""

    @property
    def now(self) -> float:
        """Seconds since the pull's start."""
        return (self.ms - self.pull_ms) / 1000

    def take(self) -> list[str]:
        """Hand out what was written since the last time."""
        taken, self.lines = self.lines, []
        return taken

    def write(self, text: str) -> int:
        """Write a line at the current time; returns its number."""
        second, ms = divmod(self.ms, 1000)
        if second != self._second:
            at = self._start + timedelta(seconds=second)
            self._second = second
            self._clock = f"{at.month}/{at.day}/{at.year} {at:%H:%M:%S}"
        self.lines.append(f"{self._clock}.{ms:03d}{self._zone}  {text}\n")
        self.written += 1
        return self.written

    def block(self, unit: Unit) -> str:
        """Return the 18 advanced fields about a unit."""
        if isinstance(unit, Player):
            health, most = -(-unit.hp * 100 // unit.hp_max), 100
            if unit.power_kind == 0:
                self.ledger.show_mana(unit)
        else:
            health, most = unit.hp, unit.hp_max
        return (
            f"{unit.guid},{unit.owner},{health},{most},1200,300,4800,0,0,{unit.power_kind},"
            f"{unit.power},{unit.power_max},0,{unit.x:.2f},{unit.y:.2f},{self.map},"
            f"{unit.facing:.4f},{unit.level}"
        )

    def swing(
        self,
        source: Unit,
        target: Unit,
        amount: int,
        over: int = -1,
        absorbed: int = 0,
        marks: str = "nil,nil,nil",
    ) -> None:
        """Write an auto attack, and again as it lands: the two lines are one hit."""
        pair = f"{source.head},{target.head}"
        tail = f"{amount},{amount + absorbed},{over},1,0,0,{absorbed},{marks}"
        self.write(f"SWING_DAMAGE,{pair},{self.block(source)},{tail}")
        self.ledger.damage(source, target, amount, max(over, 0), self.now)
        self.write(f"SWING_DAMAGE_LANDED,{pair},{self.block(target)},{tail}")

    def hit(
        self,
        event: str,
        source: Unit,
        target: Unit,
        spell: SpellName,
        amount: int,
        over: int = -1,
        absorbed: int = 0,
        critical: bool = False,
        area: bool = False,
    ) -> None:
        """Write the damage of a spell; `event` is the name that the log gives it."""
        ident, name, school = spell
        crit = "1" if critical else "nil"
        tail = f"{amount},{amount + absorbed},{over},{school},0,0,{absorbed},{crit},nil,nil"
        if event != "DAMAGE_SHIELD":
            tail += ",AOE" if area else ",ST"
        self.write(
            f'{event},{source.head},{target.head},{ident},"{name}",0x{school:x},'
            f"{self.block(target)},{tail}"
        )
        self.ledger.damage(source, target, amount, max(over, 0), self.now)
        self.ledger.channel(source, name, self.now)

    def heal(
        self,
        event: str,
        source: Unit,
        target: Unit,
        spell: SpellName,
        amount: int,
        over: int,
        critical: bool = False,
    ) -> None:
        """Write a heal; `amount` includes the overheal."""
        ident, name, school = spell
        crit = "1" if critical else "nil"
        self.write(
            f'{event},{source.head},{target.head},{ident},"{name}",0x{school:x},'
            f"{self.block(target)},{amount},{amount},{over},0,{crit}"
        )
        self.ledger.heal(source, target, amount, over, self.now)

    def absorb(
        self,
        pair: tuple[Unit, Unit],
        by: Unit,
        shield: SpellName,
        amount: int,
        whole: int,
        attack: SpellName | None = None,
    ) -> None:
        """Write what a shield took from a hit of pair[0] on pair[1]; `attack` is None for melee."""
        ident, name, school = shield
        how = f'{attack[0]},"{attack[1]}",0x{attack[2]:x},' if attack else ""
        self.write(
            f"SPELL_ABSORBED,{pair[0].head},{pair[1].head},{how}{by.head},"
            f'{ident},"{name}",0x{school:x},{amount},{whole}'
        )
        if isinstance(by, Player):
            self.ledger.tallies[by.name].absorbed += amount

    def miss(self, source: Unit, target: Unit, why: str, spell: SpellName | None = None) -> None:
        """Write a miss, dodge or parry of a swing or spell."""
        pair = f"{source.head},{target.head}"
        if spell is None:
            self.write(f"SWING_MISSED,{pair},{why},nil")
        else:
            self.write(f'SPELL_MISSED,{pair},{spell[0]},"{spell[1]}",0x{spell[2]:x},{why},nil')

    def cast_start(self, source: Unit, spell: SpellName) -> int:
        """Write that a cast begins."""
        ident, name, school = spell
        return self.write(
            f'SPELL_CAST_START,{source.head},{NULL_UNIT},{ident},"{name}",0x{school:x}'
        )

    def cast(self, source: Unit, target: Unit | None, spell: SpellName) -> int:
        """Write that a cast succeeded."""
        ident, name, school = spell
        at = target.head if target else NULL_UNIT
        self.ledger.cast(source, self.now)
        return self.write(
            f'SPELL_CAST_SUCCESS,{source.head},{at},{ident},"{name}",0x{school:x},'
            f"{self.block(source)}"
        )

    def aura(
        self, event: str, source: Unit, target: Unit, spell: SpellName, kind: str, stacks: int = 0
    ) -> None:
        """Write an aura event; `stacks` only for _DOSE ones."""
        ident, name, school = spell
        tail = f",{stacks}" if stacks else ""
        self.write(
            f'SPELL_AURA_{event},{source.head},{target.head},{ident},"{name}",0x{school:x},'
            f"{kind}{tail}"
        )
        if event in ("APPLIED", "REMOVED"):
            self.ledger.hold(target, name, self.now, free=event == "REMOVED")
        if event == "REMOVED":
            self.ledger.channel(source, name, self.now)

    def energize(self, source: Unit, target: Unit, spell: SpellName, amount: int) -> None:
        """Write power gained."""
        ident, name, school = spell
        self.write(
            f'SPELL_ENERGIZE,{source.head},{target.head},{ident},"{name}",0x{school:x},'
            f"{self.block(target)},{amount}.0000,0.0000,{target.power_kind},{target.power_max}"
        )

    def interrupt(self, by: Player, caster: Unit, how: SpellName, what: SpellName) -> int:
        """Write an interrupted cast; returns the line."""
        ident, name, school = how
        self.cast(by, caster, how)
        self.ledger.tallies[by.name].interrupts += 1
        return self.write(
            f'SPELL_INTERRUPT,{by.head},{caster.head},{ident},"{name}",0x{school:x},'
            f'{what[0]},"{what[1]}",{what[2]}'
        )

    def dispel(self, by: Player, target: Unit, how: SpellName, what: SpellName) -> None:
        """Write a debuff taken off."""
        ident, name, school = how
        self.cast(by, target, how)
        line = self.write(
            f'SPELL_DISPEL,{by.head},{target.head},{ident},"{name}",0x{school:x},'
            f'{what[0]},"{what[1]}",{what[2]},DEBUFF'
        )
        self.ledger.tallies[by.name].dispels += 1
        self.ledger.dispels.append(
            Dispel(by.name, target.name, what[0], what[1], round(self.now, 3), line)
        )

    def summon(self, source: Unit, what: Unit, spell: SpellName) -> None:
        """Write that a creature is summoned."""
        ident, name, school = spell
        self.write(f'SPELL_SUMMON,{source.head},{what.head},{ident},"{name}",0x{school:x}')

    def use(self, player: Player, spell: SpellName) -> Use:
        """Write a cooldown, potion or Bloodlust; returns the record of it."""
        line = self.cast(player, player, spell)
        return Use(player.name, spell[0], spell[1], round(self.now, 3), line)

    def die(self, victim: Unit, killer: Unit | None = None, blow: Death | None = None) -> None:
        """Write a death; `killer` is set when the raid killed, `blow` when a raider died."""
        if killer is not None:
            self.write(f"PARTY_KILL,{killer.head},{victim.head},0")
        line = self.write(f"UNIT_DIED,{NULL_UNIT},{victim.head},0")
        self.ledger.die(victim, blow, line, self.now)
