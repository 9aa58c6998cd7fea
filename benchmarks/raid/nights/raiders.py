"""What raiders do in a fight: casts, swings, dots, heals, pets, cooldowns, potions, Bloodlust."""

from __future__ import annotations

from functools import partial

from benchmarks.raid.nights.arena import Arena
from benchmarks.raid.nights.tables import Spell, preparation
from benchmarks.raid.nights.units import Enemy, PetUnit, Player
from benchmarks.raid.nights.writing import SpellName

GCD = 1.5
_HASTE = 1.3
_LUST: SpellName = (2825, "Bloodlust", 8)
_LUST_SECONDS = 40
_THORNS: SpellName = (26992, "Thorns", 8)
_REGEN = 0.0035
"""Share of the mana that comes back each second."""
_COST = {"healer": 0.019, "damage": 0.006, "tank": 0.008}
_RESTORE: SpellName = (28499, "Restore Mana", 1)
_POTION_SECONDS = 120
_POTION = (0, "potion")


def join(arena: Arena, serious: bool) -> None:
    """Let all raiders start; cooldowns and potions only where it is `serious` (a boss)."""
    for player in arena.players:
        if player.dead:
            continue
        arena.after(arena.rng.uniform(0.1, 2.5), partial(act, arena, player, arena.clock))
        if player.swing[2]:
            arena.after(arena.rng.uniform(0.3, 2.0), partial(_swing, arena, player, player))
        if player.pet:
            arena.after(arena.rng.uniform(1.0, 3.0), partial(_pet, arena, player, player.pet))
        if serious:
            _plan_extras(arena, player)


def _plan_extras(arena: Arena, player: Player) -> None:
    for spell, name, seconds, lasting in player.plays.cooldowns:
        if spell in player.skips:
            continue
        use = partial(_cooldown, arena, player, (spell, name, 1), seconds, lasting)
        arena.after(arena.rng.uniform(3.0, 12.0), use)
    if player.plays.role == "damage" and arena.rng.random() < 0.7:
        ident, name = preparation().potion[player.plays.kit]
        arena.after(arena.rng.uniform(6.0, 25.0), partial(_drink, arena, player, (ident, name, 1)))


def _cooldown(arena: Arena, p: Player, spell: SpellName, seconds: float, lasting: float) -> None:
    if p.dead or arena.over:
        return
    if arena.clock >= p.ready.get((spell[0], ""), 0.0):
        arena.scribe.ledger.cooldowns.append(arena.scribe.use(p, spell))
        p.ready[spell[0], ""] = arena.clock + seconds
        if lasting:
            _buff(arena, p, p, spell, lasting)
    arena.after(
        seconds + arena.rng.uniform(1, 8), partial(_cooldown, arena, p, spell, seconds, lasting)
    )


def _buff(arena: Arena, source: Player, target: Player, spell: SpellName, seconds: float) -> None:
    arena.scribe.aura("APPLIED", source, target, spell, "BUFF")
    arena.after(seconds, partial(_unbuff, arena, source, target, spell))


def _unbuff(arena: Arena, source: Player, target: Player, spell: SpellName) -> None:
    if not target.dead:
        arena.scribe.aura("REMOVED", source, target, spell, "BUFF")


def _drink(arena: Arena, player: Player, spell: SpellName) -> None:
    if player.dead or arena.clock < player.ready.get(_POTION, 0.0):
        return
    player.ready[_POTION] = arena.clock + _POTION_SECONDS
    arena.scribe.ledger.potions.append(arena.scribe.use(player, spell))
    if spell[0] == _RESTORE[0]:
        gained = min(arena.spread(1800, 3000), player.power_max - player.power)
        player.power += gained
        arena.scribe.energize(player, player, spell, gained)
    else:
        _buff(arena, player, player, spell, 15.0)


def bloodlust(arena: Arena, player: Player) -> None:
    """Let a shaman haste their party for forty seconds."""
    if player.dead or arena.over:
        return
    arena.scribe.ledger.bloodlust.append(arena.scribe.use(player, _LUST))
    for friend in arena.standing():
        if friend.party == player.party:
            friend.hasty_until = arena.clock + _LUST_SECONDS
            _buff(arena, player, friend, _LUST, _LUST_SECONDS)


def act(arena: Arena, player: Player, last: float) -> None:
    """Let a player do the next thing: wait, or cast a spell; `last` is when they acted before."""
    if player.dead or arena.over:
        return
    now = arena.clock
    if player.power_kind == 0:
        back = int((now - last) * _REGEN * player.power_max)
        player.power = min(player.power + back, player.power_max)
    else:
        player.power = arena.spread(0, player.power_max)
    busy = _do(arena, player, now) if now >= player.cursed_until else 0.5
    if player.hasty_until > now:
        busy /= _HASTE
    arena.after(busy + arena.rng.random() * 0.25, partial(act, arena, player, now))


def _do(arena: Arena, player: Player, now: float) -> float:
    """Begin a cast; returns the seconds until the next."""
    if player.idle and arena.rng.random() < player.idle:
        return arena.rng.uniform(3.0, 7.0)
    healing = player.plays.role == "healer"
    if healing and player.power < 0.7 * player.power_max:
        _drink(arena, player, _RESTORE)
    cost = int(_COST[player.plays.role] * player.power_max) if player.power_kind == 0 else 0
    if player.power < cost:
        return 2.0
    chosen = _choose_heal(arena, player, now) if healing else _choose_attack(arena, player, now)
    if chosen is None:
        return 1.0
    spell, target = chosen
    player.power -= cost
    if spell.cast:
        arena.scribe.cast_start(player, (spell.id, spell.name, spell.school))
        arena.after(spell.cast, partial(_finish, arena, player, spell, target))
    else:
        _finish(arena, player, spell, target)
    return max(spell.cast, GCD)


def _choose_attack(arena: Arena, player: Player, now: float) -> tuple[Spell, Enemy] | None:
    enemy = _held(arena, player) or arena.focus()
    if enemy is None:
        return None
    for spell in player.plays.spells:
        lasting = spell.kind in ("dot", "debuff")
        key = (spell.id, enemy.guid if lasting else "")
        if now >= player.ready.get(key, 0.0):
            late = arena.rng.uniform(1.0, 1.4) if lasting else 1.0
            player.ready[key] = now + spell.every * late
            return spell, enemy
    return None


def _held(arena: Arena, player: Player) -> Enemy | None:
    if player.plays.role != "tank":
        return None
    held = [e for e in arena.enemies if e.active and not e.dead and e.held_by is player]
    return held[-1] if held else None


def _choose_heal(arena: Arena, player: Player, now: float) -> tuple[Spell, Player] | None:
    target = _neediest(arena)
    if target is None:
        return None
    for spell in player.plays.spells:
        if now >= player.ready.get((spell.id, ""), 0.0):
            player.ready[spell.id, ""] = now + spell.every
            return spell, target
    return None


def _neediest(arena: Arena) -> Player | None:
    able = [p for p in arena.players if not p.dead and p is not arena.unhealed]
    if not able:
        return None
    tanks = [p for p in arena.tanks if not p.dead and p is not arena.unhealed]
    if tanks and arena.rng.random() < 0.55:
        return min(tanks, key=lambda p: p.hp / p.hp_max)
    return min(able, key=lambda p: p.hp / p.hp_max)


def _finish(arena: Arena, player: Player, spell: Spell, target: Enemy | Player) -> None:
    if player.dead or arena.over or target.dead:
        return
    name = (spell.id, spell.name, spell.school)
    arena.scribe.cast(player, target, name)
    if isinstance(target, Player):
        _heal(arena, player, spell, name, target)
    elif spell.kind in ("hit", "shot"):
        event = "RANGE_DAMAGE" if spell.kind == "shot" else "SPELL_DAMAGE"
        _attack(arena, player, target, spell, name, event)
    else:
        _afflict(arena, player, spell, name, target)


def _attack(
    arena: Arena, player: Player, enemy: Enemy, spell: Spell, name: SpellName, event: str
) -> None:
    roll = arena.rng.random()
    if roll < 0.03:
        if event == "SPELL_DAMAGE":
            arena.scribe.miss(player, enemy, "RESIST" if spell.school > 1 else "DODGE", name)
        return
    amount = arena.spread(*spell.hit) * player.skill * arena.plan.power
    critical = roll > 0.78
    arena.hurt(player, enemy, name, int(amount * (1.5 if critical else 1)), event, critical)


def _heal(arena: Arena, player: Player, spell: Spell, name: SpellName, target: Player) -> None:
    if spell.kind == "hot":
        arena.scribe.aura("APPLIED", player, target, name, "BUFF")
        tick = partial(_mend_tick, arena, player, spell, name, target, spell.ticks)
        arena.after(spell.tick, tick)
        return
    targets = [target]
    if spell.kind == "splash":
        able = [p for p in arena.standing() if p is not target and p is not arena.unhealed]
        targets += sorted(able, key=lambda p: p.hp / p.hp_max)[: spell.targets - 1]
    for friend in targets:
        amount = int(arena.spread(*spell.hit) * player.skill * arena.plan.power)
        arena.mend(player, friend, name, amount, "SPELL_HEAL")


def _mend_tick(
    arena: Arena, player: Player, spell: Spell, name: SpellName, target: Player, left: int
) -> None:
    if target.dead or arena.over or target is arena.unhealed:
        return
    amount = int(arena.spread(*spell.hit) * player.skill * arena.plan.power)
    arena.mend(player, target, name, amount, "SPELL_PERIODIC_HEAL")
    if left > 1:
        arena.after(spell.tick, partial(_mend_tick, arena, player, spell, name, target, left - 1))
    else:
        arena.scribe.aura("REMOVED", player, target, name, "BUFF")


def _afflict(arena: Arena, player: Player, spell: Spell, name: SpellName, enemy: Enemy) -> None:
    key = (spell.id, player.guid, enemy.guid)
    serial, *_ = arena.auras.get(key, (0, name, player))
    arena.scribe.aura("REFRESH" if key in arena.auras else "APPLIED", player, enemy, name, "DEBUFF")
    arena.auras[key] = (serial + 1, name, player)
    if enemy.boss:
        arena.scribe.ledger.aura_on(spell.id, spell.name, enemy, arena.scribe.now)
    if spell.kind == "dot":
        arena.after(
            spell.tick, partial(_tick, arena, player, spell, name, enemy, serial + 1, spell.ticks)
        )
    else:
        arena.after(spell.seconds, partial(_fade, arena, player, name, enemy, serial + 1))


def _tick(
    arena: Arena,
    player: Player,
    spell: Spell,
    name: SpellName,
    enemy: Enemy,
    serial: int,
    left: int,
) -> None:
    if enemy.dead or arena.auras.get((spell.id, player.guid, enemy.guid), (0,))[0] != serial:
        return
    amount = int(arena.spread(*spell.hit) * player.skill * arena.plan.power)
    arena.hurt(player, enemy, name, amount, "SPELL_PERIODIC_DAMAGE")
    if left > 1:
        arena.after(spell.tick, partial(_tick, arena, player, spell, name, enemy, serial, left - 1))
    else:
        _fade(arena, player, name, enemy, serial)


def _fade(arena: Arena, player: Player, name: SpellName, enemy: Enemy, serial: int) -> None:
    key = (name[0], player.guid, enemy.guid)
    if enemy.dead or arena.auras.get(key, (0,))[0] != serial:
        return
    del arena.auras[key]
    arena.scribe.aura("REMOVED", player, enemy, name, "DEBUFF")
    if enemy.boss and not any(k[0] == name[0] and k[2] == enemy.guid for k in arena.auras):
        arena.scribe.ledger.aura_off(name[0], name[1], enemy, arena.scribe.now)


def _swing(arena: Arena, attacker: Player | PetUnit, player: Player) -> None:
    if player.dead or arena.over:
        return
    low, high, seconds = attacker.swing
    enemy = (_held(arena, player) if attacker is player else None) or arena.focus()
    idle = player.idle if attacker is player else 0.0
    if enemy is not None and arena.clock >= player.cursed_until and arena.rng.random() >= idle:
        roll = arena.rng.random()
        if roll < 0.06:
            arena.scribe.miss(attacker, enemy, "DODGE" if roll < 0.03 else "MISS")
        else:
            amount = arena.spread(low, high) * player.skill * arena.plan.power
            critical = roll > 0.75
            arena.hurt(
                attacker, enemy, None, int(amount * (2 if critical else 1)), critical=critical
            )
    haste = _HASTE if player.hasty_until > arena.clock else 1.0
    arena.after(seconds / haste, partial(_swing, arena, attacker, player))


def _pet(arena: Arena, player: Player, pet: PetUnit) -> None:
    told = player.plays.pet
    if told is None:
        return
    if told.swing[2]:
        _swing(arena, pet, player)
    arena.after(0.7, partial(_pet_spell, arena, player, pet))


def _pet_spell(arena: Arena, player: Player, pet: PetUnit) -> None:
    told, enemy = player.plays.pet, arena.focus()
    if told is None or player.dead or arena.over:
        return
    if enemy is not None:
        arena.scribe.cast(pet, enemy, told.spell)
        amount = int(arena.spread(*told.hit) * player.skill * arena.plan.power)
        arena.hurt(pet, enemy, told.spell, amount)
    arena.after(arena.rng.uniform(2.5, 4.0), partial(_pet_spell, arena, player, pet))


def prick(arena: Arena, tank: Player, enemy: Enemy) -> None:
    """Let the thorns of a druid who tanks hurt who struck them."""
    if tank.plays.class_ == "Druid" and not tank.dead and not enemy.dead:
        arena.hurt(tank, enemy, _THORNS, 25, "DAMAGE_SHIELD")
