"""Counts what the scribe writes, per player, and keeps what a pull's truth needs."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field, fields, replace

from benchmarks.raid.nights.truth import (
    Death,
    Dispel,
    EnemyCast,
    EnemyDeath,
    Mana,
    PhaseStart,
    Totals,
    Uptime,
    Use,
)
from benchmarks.raid.nights.units import Enemy, PetUnit, Player, Unit

BURST_SECONDS = 5.0
_BUSY_SECONDS = 3.0
"""After a cast a player counts as active until the next, for so long at most."""
_CHANNELS = frozenset({"Mind Flay"})
"""Spells whose ticks fill a player's time until they end."""
_HOLDS = frozenset({"Fear"})
"""What takes a player out of the fight: that time is neither filled nor idle."""


def add(one: Totals, other: Totals) -> Totals:
    """Add the sums of two stretches of a night."""
    summed = {f.name: getattr(one, f.name) + getattr(other, f.name) for f in fields(Totals)}
    return replace(one, **summed)


@dataclass
class Ledger:
    """The record of one pull or stretch of trash."""

    tallies: dict[str, Totals] = field(default_factory=lambda: defaultdict(Totals))
    deaths: list[Death] = field(default_factory=list)
    enemy_deaths: list[EnemyDeath] = field(default_factory=list)
    casts: list[EnemyCast] = field(default_factory=list)
    dispels: list[Dispel] = field(default_factory=list)
    bloodlust: list[Use] = field(default_factory=list)
    cooldowns: list[Use] = field(default_factory=list)
    potions: list[Use] = field(default_factory=list)
    phases: list[PhaseStart] = field(default_factory=list)
    avoidable: dict[str, dict[str, int]] = field(default_factory=dict)
    up_since: dict[tuple[int, str, str], float] = field(default_factory=dict)
    up_for: dict[tuple[int, str, str], float] = field(default_factory=dict)
    hits: dict[str, deque[tuple[float, int]]] = field(default_factory=dict)
    healed_at: dict[str, float] = field(default_factory=dict)
    acted_at: dict[str, float] = field(default_factory=dict)
    mana: dict[str, list[float]] = field(default_factory=dict)

    def damage(self, source: Unit, target: Unit, amount: int, over: int, when: float) -> None:
        """Record a hit; `over` is its overkill, 0 when none."""
        if isinstance(source, Player):
            tally = self.tallies[source.name]
            tally.damage += amount
            tally.overkill += over
        elif isinstance(source, PetUnit) and source.master:
            self.tallies[source.master.name].pet_damage += amount
        if isinstance(target, Player):
            self.tallies[target.name].taken += amount
            self._remember(target.name, amount, when)

    def _remember(self, name: str, amount: int, when: float) -> None:
        recent = self.hits.setdefault(name, deque())
        recent.append((when, amount))
        while recent[0][0] < when - BURST_SECONDS:
            recent.popleft()

    def heal(self, source: Unit, target: Unit, amount: int, over: int, when: float) -> None:
        """Record a heal; `amount` includes the overheal."""
        if isinstance(source, Player):
            tally = self.tallies[source.name]
            tally.healing += amount - over
            tally.overheal += over
        if amount > over:
            self.healed_at[target.name] = when

    def avoid(self, target: Player, spell: str, amount: int) -> None:
        """Record damage that the player need not have taken."""
        self.tallies[target.name].avoidable += amount
        per_spell = self.avoidable.setdefault(target.name, {})
        per_spell[spell] = per_spell.get(spell, 0) + amount

    def cast(self, source: Unit, when: float) -> None:
        """Record a successful cast of a player."""
        if isinstance(source, Player):
            self.tallies[source.name].casts += 1
            self._fill(source.name, when)

    def channel(self, source: Unit, spell: str, when: float) -> None:
        """Record a tick or the end of a spell, which fills the time if the spell is channelled."""
        if isinstance(source, Player) and spell in _CHANNELS:
            self._fill(source.name, when)

    def hold(self, target: Unit, spell: str, when: float, *, free: bool) -> None:
        """Record that a player is taken out of the fight, or free again."""
        if isinstance(target, Player) and spell in _HOLDS:
            if free:
                self.acted_at[target.name] = when
            else:
                self._fill(target.name, when)

    def _fill(self, name: str, when: float) -> None:
        gap = when - self.acted_at.get(name, when - 1.5)
        self.tallies[name].active += min(gap, _BUSY_SECONDS)
        self.acted_at[name] = when

    def show_mana(self, player: Player) -> None:
        """Record the mana that a line shows."""
        fraction = player.power / player.power_max
        seen = self.mana.setdefault(player.name, [fraction, fraction])
        seen[0], seen[1] = min(seen[0], fraction), fraction

    def die(self, victim: Unit, blow: Death | None, line: int, when: float) -> None:
        """Record a death; `blow` is set for a raider."""
        if blow is not None:
            recent = self.hits.get(victim.name, ())
            burst = sum(amount for at, amount in recent if at >= when - BURST_SECONDS)
            healed = self.healed_at.get(victim.name)
            since = None if healed is None else round(when - healed, 3)
            self.deaths.append(replace(blow, line=line, burst=burst, since_heal=since))
            self.tallies[victim.name].deaths += 1
        elif isinstance(victim, Enemy):
            boss = victim.boss or victim.council
            found = EnemyDeath(victim.name, victim.npc, round(when, 3), boss, line)
            self.enemy_deaths.append(found)

    def aura_on(self, spell_id: int, spell: str, target: Unit, when: float) -> None:
        """Note that a debuff is on a boss."""
        self.up_since.setdefault((spell_id, spell, target.name), when)

    def aura_off(self, spell_id: int, spell: str, target: Unit, when: float) -> None:
        """Note that it is gone."""
        key = (spell_id, spell, target.name)
        since = self.up_since.pop(key, None)
        if since is not None:
            self.up_for[key] = self.up_for.get(key, 0.0) + when - since

    def close(self, when: float) -> None:
        """End the stretch: debuffs that are still up end here."""
        for spell_id, spell, name in tuple(self.up_since):
            key = (spell_id, spell, name)
            self.up_for[key] = self.up_for.get(key, 0.0) + when - self.up_since.pop(key)

    def uptimes(self) -> tuple[Uptime, ...]:
        """Return the debuffs with their seconds."""
        return tuple(Uptime(*key, round(s, 3)) for key, s in sorted(self.up_for.items()))

    def healer_mana(self, healers: frozenset[str]) -> tuple[Mana, ...]:
        """Return the healers' lowest and last mana."""
        rows = sorted((n, v) for n, v in self.mana.items() if n in healers)
        return tuple(Mana(name, round(low, 4), round(last, 4)) for name, (low, last) in rows)
