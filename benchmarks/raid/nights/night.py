"""A whole night: the way in, trash, pulls, and the truth about them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from benchmarks.raid.nights import ledger as ledgers
from benchmarks.raid.nights.arena import Arena
from benchmarks.raid.nights.losing import arrange
from benchmarks.raid.nights.mechanics import begin, engage, release
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from benchmarks.raid.nights.raiders import bloodlust, join
from benchmarks.raid.nights.roster import Item, Roster, gather
from benchmarks.raid.nights.tables import Boss, Zone, bosses, zones
from benchmarks.raid.nights.truth import GroundTruth, PullTruth, Totals
from benchmarks.raid.nights.units import ENEMY, Enemy, Player
from benchmarks.raid.nights.writing import BUILD, PROJECT, Scribe

DIFFICULTY = 176
"""The game's id of a raid of 25 in Classic."""
_ITEM_LEVEL = 120
_GEM_LEVEL = 70
_SUMMON = (883, "Call Pet", 1)
_STEPS = 400


def generate_night(seed: int, plan: NightPlan) -> tuple[Iterator[str], GroundTruth]:
    """Return a night's log lines, each with its newline, and their truth.

    The lines are made as they are read, so a night of any length needs little memory; the truth is
    complete when they have been read to the end. The same seed and plan give the same bytes.
    """
    truth = GroundTruth()
    return _Night(seed, plan, truth).lines(), truth


class _Night:
    def __init__(self, seed: int, plan: NightPlan, truth: GroundTruth) -> None:
        self.plan, self.truth = plan, truth
        self.rng = random.Random(f"night {seed}")
        self.roster: Roster = gather(plan, self.rng)
        self.scribe = Scribe(plan.start, plan.zone_hours)
        self.fight = 0
        self.instance = 0
        self.spawns = 0
        self._last_ms = 0
        self._tell_roster()

    def _tell_roster(self) -> None:
        truth, lack = self.truth, self.roster.lack
        truth.no_flask, truth.no_food, truth.no_oil = lack.flask, lack.food, lack.oil
        truth.no_enchant, truth.no_gem = lack.enchants, lack.gems
        truth.slow, truth.clumsy, truth.unused = (
            self.roster.slow,
            self.roster.clumsy,
            self.roster.unused,
        )
        for player in self.roster.players:
            truth.roles[player.name] = player.plays.role
            truth.classes[player.name] = (player.plays.class_, player.plays.name)
            if player.pet:
                truth.pets[player.pet.guid] = player.name

    def lines(self) -> Iterator[str]:
        """Write the night, pull by pull."""
        self.scribe.write(
            f"COMBAT_LOG_VERSION,9,ADVANCED_LOG_ENABLED,1,BUILD_VERSION,{BUILD},PROJECT_ID,{PROJECT}"
        )
        for pull in self.plan.pulls:
            boss = bosses()[pull.boss]
            self._enter(zones()[boss.instance])
            for _ in range(pull.trash):
                yield from self._fight_trash(zones()[boss.instance])
            yield from self._fight_boss(boss, pull)
            self._wait(20, 45)
        yield from self.scribe.take()
        self.truth.lines = self.scribe.written
        self.truth.seconds = round(self._last_ms / 1000, 3)

    def _enter(self, zone: Zone) -> None:
        if zone.instance == self.instance:
            return
        first = not self.instance
        self.instance = zone.instance
        self.scribe.map = zone.map
        self.scribe.write(f'ZONE_CHANGE,{zone.instance},"{zone.name}",{DIFFICULTY}')
        self.scribe.write(
            f'MAP_CHANGE,{zone.map},"{zone.name}",400.000000,-100.000000,350.000000,-150.000000'
        )
        for player in self.roster.players if first else ():
            if player.pet and player.plays.class_ == "Warlock":
                self.scribe.summon(player, player.pet, (712, "Summon Succubus", 32))
            elif player.pet:
                self.scribe.summon(player, player.pet, _SUMMON)

    def _wait(self, low: int, high: int) -> None:
        self._last_ms = self.scribe.ms
        self.scribe.ms += self.rng.randint(low * 1000, high * 1000)

    def _rested(self) -> None:
        for player in self.roster.players:
            player.dead, player.hp = False, player.hp_max
            player.cursed_until = player.hasty_until = 0.0
            if player.power_kind == 0:
                player.power = player.power_max
            if player.pet:
                player.pet.hp = player.pet.hp_max

    def _enemy(self, npc: int, name: str, hp: int) -> Enemy:
        self.spawns += 1
        return Enemy(
            guid=f"Creature-0-6064-{self.instance}-1187-{npc}-{0x0692F000 + self.spawns:010X}",
            name=name,
            flags=ENEMY,
            hp=int(hp * self.plan.health),
            hp_max=int(hp * self.plan.health),
            npc=npc,
        )

    def _arena(self, boss: Boss | None) -> Arena:
        self._rested()
        self.scribe.ledger = ledgers.Ledger()
        self.scribe.pull_ms = self.scribe.ms
        return Arena(self.scribe, self.rng, self.plan, self.roster.players, boss)

    def _fight_trash(self, zone: Zone) -> Iterator[str]:
        arena = self._arena(None)
        for npc, name, hp in zone.trash * (2 if len(zone.trash) == 1 else 1):
            enemy = self._enemy(npc, name, hp)
            enemy.swing, enemy.held_by = (900, 1500, 2.0), arena.tanks[len(arena.enemies) % 3]
            arena.enemies.append(enemy)
        yield from self._play(arena, serious=False)
        self._fold()
        self._wait(8, 20)

    def _play(self, arena: Arena, serious: bool) -> Iterator[str]:
        join(arena, serious)
        for enemy in arena.enemies:
            if enemy.active:
                engage(arena, enemy)
        while any(arena.step() for _ in range(_STEPS)):
            yield from self.scribe.take()
        yield from self.scribe.take()

    def _line_up(self, arena: Arena, boss: Boss) -> None:
        for row in boss.units:
            for _ in range(row.count):
                enemy = self._enemy(row.npc, row.name, row.hp)
                enemy.swing, enemy.boss, enemy.active = row.swing, row.boss, not row.released
                enemy.council = row.council
                place = 0 if row.boss else 1 + len(arena.enemies) % 2
                enemy.held_by = arena.tanks[place]
                arena.enemies.append(enemy)
        arena.wardens = [e for e in arena.enemies if not e.boss]

    def _fight_boss(self, boss: Boss, pull: PullPlan) -> Iterator[str]:
        self.fight += 1
        arena = self._arena(boss)
        start_line = self.scribe.write(
            f'ENCOUNTER_START,{boss.id},"{boss.name}",{DIFFICULTY},25,{boss.instance},{PROJECT}'
        )
        start_ms = self.scribe.ms
        for player in self.roster.players:
            self.scribe.write(combatant_info(player, self.roster))
        self._line_up(arena, boss)
        if pull.story == "missed":
            arena.kicks = self.plan.kicks * 0.25
        self._set_phases(arena, boss)
        arrange(arena, pull)
        self._plan_bloodlust(arena, pull)
        yield from self._play(arena, serious=True)
        self.scribe.ms += 90
        arena.scribe.ledger.close(self.scribe.now)
        self._end(arena, boss, pull, start_line, start_ms)
        yield from self.scribe.take()

    def _set_phases(self, arena: Arena, boss: Boss) -> None:
        arena.begin_phase(boss.phases[0].name)
        main = arena.main_boss()
        for phase in boss.phases[1:]:
            if phase.released:
                arena.after(0.5, partial(release, arena, phase))
            else:
                arena.marks.append((phase.below * main.hp_max, partial(begin, arena, phase)))

    def _plan_bloodlust(self, arena: Arena, pull: PullPlan) -> None:
        if pull.bloodlust is None:
            return
        shamans = [p for p in arena.players if p.plays.class_ == "Shaman"]
        for place, shaman in enumerate(shamans[:2]):
            arena.after(pull.bloodlust + place * 1.3, partial(bloodlust, arena, shaman))

    def _end(
        self, arena: Arena, boss: Boss, pull: PullPlan, start_line: int, start_ms: int
    ) -> None:
        main, length = arena.main_boss(), self.scribe.ms - start_ms
        end_line = self.scribe.write(
            f'ENCOUNTER_END,{boss.id},"{boss.name}",{DIFFICULTY},25,{int(main.dead)},{length}'
        )
        kept = self.scribe.ledger
        healers = frozenset(p.name for p in arena.healers)
        self.truth.pull_seconds = round(self.truth.pull_seconds + length / 1000, 3)
        self.truth.pulls.append(
            PullTruth(
                fight=self.fight,
                encounter=boss.id,
                name=boss.name,
                start_line=start_line,
                end_line=end_line,
                start_ms=start_ms,
                seconds=length / 1000,
                kill=main.dead,
                story=pull.story,
                boss_hp=main.hp / main.hp_max,
                lost_at=arena.lost_at,
                totals=self._fold(),
                deaths=tuple(kept.deaths),
                enemy_deaths=tuple(kept.enemy_deaths),
                casts=tuple(kept.casts),
                dispels=tuple(kept.dispels),
                bloodlust=tuple(kept.bloodlust),
                cooldowns=tuple(kept.cooldowns),
                potions=tuple(kept.potions),
                uptimes=kept.uptimes(),
                mana=kept.healer_mana(healers),
                phases=tuple(kept.phases),
                avoidable=kept.avoidable,
            )
        )

    def _fold(self) -> dict[str, Totals]:
        """Add the stretch that ended to the night's totals; returns the stretch's own."""
        told = {name: replace(tally) for name, tally in self.scribe.ledger.tallies.items()}
        for name, total in told.items():
            self.truth.totals[name] = ledgers.add(self.truth.totals.get(name, Totals()), total)
        return told


def combatant_info(player: Player, roster: Roster) -> str:
    """Return the COMBATANT_INFO line of a raider: stats, talents, gear and auras."""
    one, two, three = player.plays.talents
    gear = ",".join(_item(item) for item in roster.gear[player.name])
    auras = ",".join(f"{player.guid},{spell}" for spell in roster.auras[player.name])
    zeros = ",".join(["0"] * 15)
    return (
        f"COMBATANT_INFO,{player.guid},0,320,280,410,260,190,{zeros},9200,0,"
        f"({one},{two},{three}),(),[{gear}],[{auras}],0,0,()"
    )


def _item(item: Item) -> str:
    if not item.id:
        return "(0,0,(),(),())"
    enchants = f"({item.enchant},{item.temporary},0)" if item.enchant or item.temporary else "()"
    gems = ",".join(f"{gem},{_GEM_LEVEL}" for gem in item.gems)
    return f"({item.id},{_ITEM_LEVEL},{enchants},(),({gems}))"
