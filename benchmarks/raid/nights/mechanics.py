"""What enemies do in a fight: swings, the spells of the tables, phases, and how a raid is lost."""

from __future__ import annotations

from functools import partial

from benchmarks.raid.nights.arena import Arena
from benchmarks.raid.nights.raiders import prick
from benchmarks.raid.nights.tables import BossSpell, Phase
from benchmarks.raid.nights.truth import EnemyCast
from benchmarks.raid.nights.units import ENEMY, Enemy, Player
from benchmarks.raid.nights.writing import SpellName

RELEASE_SECONDS = 120.0
"""Magtheridon breaks free two minutes after the pull, or when his channelers are dead."""
_SHATTER: SpellName = (33654, "Shatter", 1)
_SHATTERED: SpellName = (33671, "Shatter", 1)
_GRASP: SpellName = (30410, "Shadow Grasp", 32)
_CAGE: SpellName = (30168, "Shadow Cage", 32)
_CLICKERS = 5


def engage(arena: Arena, enemy: Enemy) -> None:
    """Let an enemy begin to fight: its swings, and its spells from the table."""
    enemy.engaged = True
    if enemy.swing[2]:
        arena.after(arena.rng.uniform(0.2, 1.5), partial(_swing, arena, enemy))
    for row in arena.boss.spells if arena.boss else ():
        if row.by == enemy.npc:
            delay = row.first * arena.rng.uniform(0.9, 1.2)
            arena.after(delay, partial(_use, arena, enemy, row))


def _swing(arena: Arena, enemy: Enemy) -> None:
    if enemy.dead or arena.over:
        return
    tank = _victim(arena, enemy)
    if tank is not None:
        roll = arena.rng.random()
        if roll < 0.12:
            arena.scribe.miss(enemy, tank, "DODGE" if roll < 0.07 else "PARRY")
        else:
            arena.wound(enemy, tank, None, int(arena.spread(*enemy.swing[:2]) * enemy.growth))
            prick(arena, tank, enemy)
    arena.after(enemy.swing[2], partial(_swing, arena, enemy))


def _victim(arena: Arena, enemy: Enemy) -> Player | None:
    if enemy.held_by is None or enemy.held_by.dead:
        able = [t for t in arena.tanks if not t.dead] or arena.standing()
        enemy.held_by = arena.rng.choice(able) if able else None
    return enemy.held_by


def _use(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    if enemy.dead or arena.over:
        return
    wait = 1.0
    if enemy.casting_until <= arena.clock and enemy.hp <= row.below * enemy.hp_max:
        _KINDS[row.kind](arena, enemy, row)
        wait = row.every * arena.rng.uniform(0.95, 1.1)
    arena.after(wait, partial(_use, arena, enemy, row))


def _name(row: BossSpell) -> SpellName:
    return row.id, row.name, row.school


def _hit(arena: Arena, enemy: Enemy, row: BossSpell, player: Player, avoidable: bool) -> None:
    if player.dead or arena.over:
        return
    amount = int(arena.spread(*row.hit) * enemy.growth)
    arena.wound(enemy, player, _name(row), amount, avoidable=avoidable, area=row.kind != "strike")


def _strike(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    tank = _victim(arena, enemy)
    others = [t for t in arena.tanks if not t.dead and t is not tank]
    if row.second and others:
        tank = others[0]
    if tank is not None:
        arena.scribe.cast(enemy, tank, _name(row))
        _hit(arena, enemy, row, tank, avoidable=False)


def _raidwide(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    able = [p for p in arena.standing() if p.is_melee] if row.melee else arena.standing()
    if row.held:
        tank = _victim(arena, enemy)
        able = [tank] if tank else []
    chosen = arena.rng.sample(able, min(row.targets, len(able)))
    arena.scribe.cast(enemy, chosen[0] if row.held and chosen else None, _name(row))
    for tick in range(row.ticks):
        for player in chosen:
            arena.after(tick * row.tick, partial(_hit, arena, enemy, row, player, False))


def careless(arena: Arena, among: list[Player], number: int) -> list[Player]:
    """Return who of `among` stands in the way: of `number` drawn, those that take no care."""
    drawn = arena.rng.sample(among, min(number, len(among)))
    drawn += [p for p in among if p.clumsy > 1 and p not in drawn]
    risk = 1 - arena.plan.care
    return [p for p in drawn if arena.rng.random() < risk * p.clumsy]


def _avoidable(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    arena.scribe.cast(enemy, None, _name(row))
    able = [p for p in arena.standing() if p.plays.role != "tank"]
    for player in careless(arena, able, 8):
        for tick in range(row.ticks):
            later = partial(_hit, arena, enemy, row, player, True)
            arena.after(0.8 + tick * row.tick, later)


def _channel(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    arena.scribe.cast(enemy, None, _name(row))
    arena.scribe.aura("APPLIED", enemy, enemy, _name(row), "BUFF")
    for tick in range(row.ticks):
        arena.after(tick * row.tick + 0.5, partial(_whirl, arena, enemy, row))
    arena.after(row.seconds, partial(_unshield, arena, enemy, row))


def _whirl(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    near = [p for p in arena.standing() if p.plays.melee and p.plays.role != "tank"]
    for player in careless(arena, near, 4):
        _hit(arena, enemy, row, player, avoidable=True)


def _cast(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    line = arena.scribe.cast_start(enemy, _name(row))
    now = arena.clock
    enemy.casting_until = now + row.cast + 0.1
    able = [
        p
        for p in arena.standing()
        if p.plays.interrupt and p.ready.get((p.plays.interrupt[0], ""), 0.0) <= now
    ]
    if able and arena.rng.random() < arena.kicks:
        by = arena.rng.choice(able)
        delay = arena.rng.uniform(0.3, row.cast - 0.3)
        arena.after(delay, partial(_kick, arena, enemy, row, by, line))
    else:
        arena.after(row.cast, partial(_complete, arena, enemy, row, line))


def _kick(arena: Arena, enemy: Enemy, row: BossSpell, by: Player, line: int) -> None:
    how = by.plays.interrupt
    if enemy.dead or arena.over or how is None:
        return
    if by.dead or by.ready.get((how[0], ""), 0.0) > arena.clock:
        rest = max(enemy.casting_until - 0.1 - arena.clock, 0.0)
        arena.after(rest, partial(_complete, arena, enemy, row, line))
        return
    by.ready[how[0], ""] = arena.clock + how[2]
    enemy.casting_until = arena.clock
    arena.scribe.interrupt(by, enemy, (how[0], how[1], 1), _name(row))
    _note_cast(arena, enemy, row, by.name, line)


def _note_cast(arena: Arena, enemy: Enemy, row: BossSpell, by: str, line: int) -> None:
    now = round(arena.scribe.now, 3)
    arena.scribe.ledger.casts.append(EnemyCast(enemy.name, row.id, row.name, now, by, line))


def _complete(arena: Arena, enemy: Enemy, row: BossSpell, line: int) -> None:
    if enemy.dead or arena.over:
        return
    arena.scribe.cast(enemy, None, _name(row))
    _note_cast(arena, enemy, row, "", line)
    if row.heal:
        _heal_enemy(arena, enemy, row)
    for player in arena.rng.sample(arena.standing(), min(row.targets, len(arena.standing()))):
        _hit(arena, enemy, row, player, avoidable=False)


def _heal_enemy(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    gained = min(row.heal, enemy.hp_max - enemy.hp)
    enemy.hp += gained
    arena.scribe.heal("SPELL_HEAL", enemy, enemy, _name(row), row.heal, row.heal - gained)


def _curse(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    able = [p for p in arena.standing() if p.plays.role != "tank" and not p.plays.dispel]
    for player in arena.rng.sample(able, min(row.targets, len(able))):
        arena.scribe.cast(enemy, player, _name(row))
        arena.scribe.aura("APPLIED", enemy, player, _name(row), "DEBUFF")
        player.cursed_until = arena.clock + row.seconds
        healers = [p for p in arena.standing() if p.plays.dispel]
        if healers and row.seconds > 4 and arena.rng.random() < arena.plan.dispels:
            by = arena.rng.choice(healers)
            delay = arena.rng.uniform(1.2, 3.8)
            arena.after(delay, partial(_dispel, arena, enemy, row, by, player))
        else:
            arena.after(row.seconds, partial(_wear_off, arena, enemy, row, player))


def _dispel(arena: Arena, enemy: Enemy, row: BossSpell, by: Player, player: Player) -> None:
    how = by.plays.dispel
    if player.dead or arena.over or how is None:
        return
    if not by.dead:
        arena.scribe.dispel(by, player, (how[0], how[1], 2), _name(row))
    player.cursed_until = arena.clock
    arena.scribe.aura("REMOVED", enemy, player, _name(row), "DEBUFF")


def _wear_off(arena: Arena, enemy: Enemy, row: BossSpell, player: Player) -> None:
    if not player.dead and not arena.over:
        arena.scribe.aura("REMOVED", enemy, player, _name(row), "DEBUFF")


def _silence(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    arena.scribe.cast(enemy, None, _name(row))
    for player in arena.standing():
        arena.scribe.aura("APPLIED", enemy, player, _name(row), "DEBUFF")
        if not player.is_melee and player.plays.class_ != "Hunter":
            player.cursed_until = arena.clock + row.seconds
        arena.after(row.seconds, partial(_wear_off, arena, enemy, row, player))


def _grow(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    arena.scribe.cast(enemy, enemy, _name(row))
    stacks = round((enemy.growth - 1) / 0.05) + 1
    event = "APPLIED" if stacks == 1 else "APPLIED_DOSE"
    arena.scribe.aura(event, enemy, enemy, _name(row), "BUFF", stacks if stacks > 1 else 0)
    enemy.growth = 1 + 0.05 * stacks


def _shield(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    arena.scribe.cast(enemy, enemy, _name(row))
    arena.scribe.aura("APPLIED", enemy, enemy, _name(row), "BUFF")
    arena.after(row.seconds, partial(_unshield, arena, enemy, row))


def _unshield(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    if not enemy.dead and not arena.over:
        arena.scribe.aura("REMOVED", enemy, enemy, _name(row), "BUFF")


def _shatter(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    arena.scribe.cast_start(enemy, _name(row))
    arena.after(1.0, partial(_slam, arena, enemy, row))


def _slam(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    if enemy.dead or arena.over:
        return
    arena.scribe.cast(enemy, None, _name(row))
    arena.after(8.0, partial(_begin_shatter, arena, enemy, row))


def _begin_shatter(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    if not enemy.dead and not arena.over:
        arena.scribe.cast_start(enemy, _SHATTER)
        arena.after(1.5, partial(_burst, arena, enemy, row))


def _burst(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    """Let the stoned players break: each hits who stood too near, as the game does it."""
    if enemy.dead or arena.over:
        return
    arena.scribe.cast(enemy, None, _SHATTER)
    able = arena.standing()
    for player in careless(arena, able, 12):
        near = [p for p in arena.standing() if p is not player]
        for other in arena.rng.sample(near, min(2, len(near))):
            amount = arena.spread(*row.hit)
            arena.wound(other, player, _SHATTERED, amount, avoidable=True, area=True)


def summon(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    """Let an enemy call others to its side."""
    arena.scribe.cast(enemy, None, _name(row))
    for _ in range(row.count):
        arena.spawned += 1
        health = int(row.hp * arena.plan.health)
        add = Enemy(
            guid=f"Creature-0-6064-565-1187-{row.npc}-{0x5A1000 + arena.spawned:010X}",
            name=row.unit,
            flags=ENEMY,
            hp=health,
            hp_max=health,
            npc=row.npc,
            swing=row.swing,
            held_by=arena.tanks[-1],
        )
        arena.scribe.summon(enemy, add, _name(row))
        arena.enemies.insert(0, add)
        engage(arena, add)


def nova(arena: Arena, enemy: Enemy, row: BossSpell, fails: bool = False) -> None:
    """Let the nova be cast; the cubes stop it unless it `fails`."""
    arena.scribe.cast_start(enemy, _name(row))
    enemy.casting_until = arena.clock + (row.cast if fails else 4.0)
    if fails:
        arena.after(row.cast, partial(_explode, arena, enemy, row))
    else:
        arena.after(arena.rng.uniform(1.5, 4.0), partial(_cage, arena, enemy))


def _cage(arena: Arena, enemy: Enemy) -> None:
    able = arena.standing()
    if enemy.dead or arena.over or not able:
        return
    clickers = arena.rng.sample(able, min(_CLICKERS, len(able)))
    for player in clickers:
        arena.scribe.aura("APPLIED", player, player, _GRASP, "DEBUFF")
    arena.scribe.aura("APPLIED", clickers[0], enemy, _CAGE, "DEBUFF")
    arena.after(8.0, partial(_uncage, arena, enemy, clickers))


def _uncage(arena: Arena, enemy: Enemy, clickers: list[Player]) -> None:
    if enemy.dead or arena.over:
        return
    arena.scribe.aura("REMOVED", clickers[0], enemy, _CAGE, "DEBUFF")
    for player in clickers:
        if not player.dead:
            arena.scribe.aura("REMOVED", player, player, _GRASP, "DEBUFF")


def _explode(arena: Arena, enemy: Enemy, row: BossSpell) -> None:
    if enemy.dead or arena.over:
        return
    arena.scribe.cast(enemy, None, _name(row))
    victims = arena.standing()
    arena.rng.shuffle(victims)
    for place, player in enumerate(victims):
        if place < len(victims) * 0.7:
            arena.wound(enemy, player, _name(row), 0, avoidable=True, fatal=True, area=True)
        else:
            _hit(arena, enemy, row, player, avoidable=True)


_KINDS = {
    "strike": _strike,
    "raidwide": _raidwide,
    "avoidable": _avoidable,
    "channel": _channel,
    "cast": _cast,
    "curse": _curse,
    "silence": _silence,
    "grow": _grow,
    "summon": summon,
    "shield": _shield,
    "shatter": _shatter,
    "nova": nova,
}


def begin(arena: Arena, phase: Phase) -> None:
    """Begin a phase, with the boss's own cast where it has one."""
    arena.begin_phase(phase.name)
    boss = arena.main_boss()
    if phase.spell and not boss.dead:
        arena.scribe.cast(boss, boss, (phase.spell, phase.cast, 1))
        arena.scribe.aura("APPLIED", boss, boss, (phase.spell, phase.cast, 1), "BUFF")


def release(arena: Arena, phase: Phase) -> None:
    """Free the boss once his wardens are dead or the time is over; looks twice a second."""
    boss = arena.main_boss()
    if boss.active or arena.over:
        return
    if not all(e.dead for e in arena.wardens) and arena.scribe.now < RELEASE_SECONDS:
        arena.after(0.5, partial(release, arena, phase))
        return
    boss.active = True
    begin(arena, phase)
    _swing(arena, boss)
    for row in arena.boss.spells if arena.boss else ():
        if row.by == boss.npc:
            arena.after(row.first, partial(_use, arena, boss, row))
