"""How raiders die on purpose: the deaths on the way, and the stories by which a pull is lost."""

from __future__ import annotations

from functools import partial

from benchmarks.raid.nights.arena import Arena
from benchmarks.raid.nights.mechanics import nova
from benchmarks.raid.nights.plan import PullPlan
from benchmarks.raid.nights.tables import AVOIDABLE, BossSpell
from benchmarks.raid.nights.units import Enemy, Player
from benchmarks.raid.nights.writing import SpellName

_GAP_SECONDS = 3.5
_HAZARDS = AVOIDABLE - {"nova"}
"""What one raider can die of alone."""
_SHATTERED: SpellName = (33671, "Shatter", 1)


def arrange(arena: Arena, plan: PullPlan) -> None:
    """Set at which health of the boss deaths on the way and the loss of the pull begin."""
    boss = arena.main_boss()
    last = 0.05 if plan.story == "kill" else plan.at
    for n in range(plan.deaths):
        at = last + (0.92 - last) * (n + arena.rng.random()) / max(plan.deaths, 1)
        arena.marks.append((at * boss.hp_max, partial(_one_dies, arena)))
    if plan.story != "kill":
        arena.marks.append((plan.at * boss.hp_max, partial(lose, arena, plan.story)))
    arena.marks.sort(key=lambda mark: -mark[0])


def _hazard(arena: Arena) -> tuple[Enemy, BossSpell] | None:
    """Return who can hit a raider with something avoidable now, and with what."""
    for row in arena.boss.spells if arena.boss else ():
        for enemy in arena.enemies:
            if row.by == enemy.npc and row.kind in _HAZARDS and enemy.active and not enemy.dead:
                return enemy, row
    return None


def _victims(arena: Arena, number: int) -> list[Player]:
    able = [p for p in arena.standing() if p.plays.role == "damage" and not p.idle]
    return arena.rng.sample(able, min(number, len(able)))


def _one_dies(arena: Arena) -> None:
    for player in _victims(arena, 1):
        arena.after(0.4, partial(_fell, arena, player))


def _fell(arena: Arena, player: Player) -> None:
    found = _hazard(arena)
    if found is None or arena.over:
        return
    enemy, row = found
    name = _SHATTERED if row.kind == "shatter" else (row.id, row.name, row.school)
    arena.wound(enemy, player, name, 0, avoidable=True, fatal=True, area=True)


def lose(arena: Arena, story: str) -> None:
    """Begin to lose the pull."""
    arena.lost, arena.lost_at = True, round(arena.scribe.now, 3)
    if story == "nova":
        _let_nova_through(arena)
    elif story == "avoidable":
        for place, player in enumerate(_victims(arena, 5)):
            arena.after(0.5 + place * 0.7, partial(_fell, arena, player))
        arena.after(6.0, partial(_starve_tank, arena))
    else:
        arena.after(0.5, partial(_starve_tank, arena))


def _let_nova_through(arena: Arena) -> None:
    boss = arena.main_boss()
    row = next(s for s in (arena.boss.spells if arena.boss else ()) if s.kind == "nova")
    nova(arena, boss, row, fails=True)
    arena.after(row.cast + 2.0, partial(_finish_raid, arena))


def _starve_tank(arena: Arena) -> None:
    """Leave the tank without heals for a few seconds, then let a crushing blow fall."""
    tank = arena.main_boss().held_by
    if tank is None or tank.dead:
        _finish_raid(arena)
        return
    arena.unhealed = tank
    for n in range(3):
        arena.after(0.8 + n * 0.9, partial(_pound, arena, tank))
    arena.after(_GAP_SECONDS, partial(_crush, arena, tank))
    arena.after(_GAP_SECONDS + 2.0, partial(_finish_raid, arena))


def _pound(arena: Arena, tank: Player) -> None:
    boss = arena.main_boss()
    if not boss.dead and not tank.dead:
        arena.wound(boss, tank, None, arena.spread(*boss.swing[:2]))


def _crush(arena: Arena, tank: Player) -> None:
    boss = arena.main_boss()
    if not boss.dead:
        arena.wound(boss, tank, None, 0, fatal=True)


def _finish_raid(arena: Arena) -> None:
    """Let the boss kill who is left, one after another."""
    arena.lethal = True
    boss, able = arena.main_boss(), arena.standing()
    if arena.over or boss.dead or not able:
        return
    arena.wound(boss, arena.rng.choice(able), None, 0, fatal=True)
    arena.after(arena.rng.uniform(0.5, 1.2), partial(_finish_raid, arena))
