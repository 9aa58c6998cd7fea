"""Where a fight happens: who is in it, what happens next, and what a hit or a heal does."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from itertools import count

from benchmarks.raid.nights.plan import NightPlan
from benchmarks.raid.nights.tables import Boss
from benchmarks.raid.nights.truth import Death, PhaseStart
from benchmarks.raid.nights.units import Enemy, PetUnit, Player, Unit
from benchmarks.raid.nights.writing import MELEE, Scribe, SpellName

SHIELD: SpellName = (25218, "Power Word: Shield", 2)
_SHAKEN = 0.6
"""How well a raid still fights that is about to lose."""
Act = Callable[[], None]
_SHIELDED = 0.05
"""How often a hit meets a shield."""
_SHIELD_SIZE = 1265
_FLOOR = 20
"""Who is not meant to die keeps a twentieth of their health: a shield takes the rest of the hit."""


class Arena:
    """A running fight: `lost` once the raid loses it, `lethal` once nothing saves anyone."""

    def __init__(
        self,
        scribe: Scribe,
        rng: random.Random,
        plan: NightPlan,
        players: tuple[Player, ...],
        boss: Boss | None,
    ) -> None:
        self.scribe, self.rng, self.plan, self.boss = scribe, rng, plan, boss
        self.players = players
        self.tanks = [p for p in players if p.plays.role == "tank"]
        self.healers = [p for p in players if p.plays.role == "healer"]
        self.enemies: list[Enemy] = []
        self.wardens: list[Enemy] = []
        self.kicks = plan.kicks
        self.lethal = self.over = self.lost = False
        self.lost_at: float | None = None
        self.unhealed: Player | None = None
        self.marks: list[tuple[float, Act]] = []
        self.auras: dict[tuple[int, str, str], tuple[int, SpellName, Player]] = {}
        self.spawned = 0
        self._queue: list[tuple[int, int, Act]] = []
        self._turn = count()

    @property
    def clock(self) -> float:
        """Seconds since the night began."""
        return self.scribe.ms / 1000

    def after(self, seconds: float, act: Act) -> None:
        """Let something happen in `seconds`."""
        when = self.scribe.ms + int(seconds * 1000)
        heapq.heappush(self._queue, (when, next(self._turn), act))

    def step(self) -> bool:
        """Let the next thing happen; False when the fight is over or nothing is left."""
        if self.over or not self._queue:
            return False
        self.scribe.ms, _, act = heapq.heappop(self._queue)
        act()
        return True

    def standing(self) -> list[Player]:
        """Return the living raiders."""
        return [p for p in self.players if not p.dead]

    def focus(self) -> Enemy | None:
        """Return the enemy that the raid kills now: the first that stands, bosses last."""
        for enemy in self.enemies:
            if enemy.active and not enemy.dead:
                return enemy
        return None

    def main_boss(self) -> Enemy:
        """Return the boss that ends the encounter."""
        return next(e for e in reversed(self.enemies) if e.boss)

    def begin_phase(self, name: str) -> None:
        """Record that a phase begins now."""
        self.scribe.ledger.phases.append(PhaseStart(name, round(self.scribe.now, 3)))

    def hurt(
        self,
        source: Player | PetUnit,
        enemy: Enemy,
        spell: SpellName | None,
        amount: int,
        event: str = "SPELL_DAMAGE",
        critical: bool = False,
    ) -> None:
        """Let a raider or a pet hit an enemy; the last hit kills it."""
        if self.lost:
            amount = int(amount * _SHAKEN * min(self.plan.health, 1.0))
        if enemy.dead or (self.lost and enemy.boss and amount >= enemy.hp):
            return
        left = enemy.hp - amount
        over = -left if left < 0 else -1
        enemy.hp = max(left, 0)
        if spell is None:
            marks = "1,nil,nil" if critical else "nil,nil,nil"
            self.scribe.swing(source, enemy, amount, over, marks=marks)
        else:
            self.scribe.hit(event, source, enemy, spell, amount, over, critical=critical)
        while self.marks and enemy.boss and enemy.hp <= self.marks[0][0]:
            self.marks.pop(0)[1]()
        if enemy.hp == 0 and not enemy.dead:
            self._fall(enemy, source)

    def _fall(self, enemy: Enemy, killer: Unit) -> None:
        enemy.dead = True
        for key in [k for k in self.auras if k[2] == enemy.guid]:
            _, spell, by = self.auras.pop(key)
            self.scribe.aura("REMOVED", by, enemy, spell, "DEBUFF")
            if enemy.boss:
                self.scribe.ledger.aura_off(spell[0], spell[1], enemy, self.scribe.now)
        self.scribe.die(enemy, killer)
        if all(e.dead for e in self.enemies if e.boss or not self.boss):
            self.over = True

    def wound(
        self,
        source: Unit,
        player: Player,
        spell: SpellName | None,
        amount: int,
        *,
        avoidable: bool = False,
        fatal: bool = False,
        area: bool = False,
    ) -> None:
        """Let a raider be hit; only a `fatal` hit kills who is not meant to die."""
        if player.dead:
            return
        absorbed = 0
        if fatal:
            amount = max(amount, player.hp + self.rng.randint(150, 2400))
        elif amount >= player.hp and not self.lethal:
            taken = player.hp - player.hp_max // _FLOOR
            if taken <= 0:
                self.scribe.miss(source, player, "DODGE" if spell is None else "MISS", spell)
                return
            absorbed = amount - taken
        elif amount > 1 and self.rng.random() < _SHIELDED:
            absorbed = min(amount // 2, _SHIELD_SIZE)
        if absorbed:
            self._shield(source, player, spell, absorbed, amount)
            amount -= absorbed
        over = amount - player.hp if amount > player.hp else -1
        player.hp = max(player.hp - amount, 0)
        if spell is None:
            crush = "nil,nil,1" if fatal else "nil,nil,nil"
            self.scribe.swing(source, player, amount, over, absorbed, crush)
        else:
            self.scribe.hit(
                "SPELL_DAMAGE", source, player, spell, amount, over, absorbed, area=area
            )
        if avoidable and spell is not None:
            self.scribe.ledger.avoid(player, spell[1], amount)
        if player.hp == 0:
            self._die(player, source, spell or MELEE, amount, max(over, 0))

    def _shield(
        self, source: Unit, player: Player, spell: SpellName | None, amount: int, whole: int
    ) -> None:
        priests = [p for p in self.healers if p.plays.class_ == "Priest" and not p.dead]
        by = priests[0] if priests else player
        self.scribe.absorb((source, player), by, SHIELD, amount, whole, spell)

    def _die(self, player: Player, killer: Unit, spell: SpellName, amount: int, over: int) -> None:
        player.dead = True
        now = round(self.scribe.now, 3)
        blow = Death(player.name, now, killer.name, spell[0], spell[1], amount, over, 0, 0, None)
        self.scribe.die(player, blow=blow)
        if not self.standing():
            self.after(1.5, self._end)

    def _end(self) -> None:
        self.over = True

    def mend(
        self, healer: Player, target: Player, spell: SpellName, amount: int, event: str
    ) -> None:
        """Heal a raider; what they do not miss is overheal."""
        if target.dead:
            return
        gained = min(amount, target.hp_max - target.hp)
        target.hp += gained
        self.scribe.heal(event, healer, target, spell, amount, amount - gained)

    def spread(self, low: int, high: int) -> int:
        """Return a number between the two."""
        return low + int(self.rng.random() * (high - low + 1))
