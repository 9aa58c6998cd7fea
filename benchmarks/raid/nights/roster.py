"""Twenty-five raiders: who they are, what they wear, and what they forgot."""

from __future__ import annotations

import random
from dataclasses import dataclass

from benchmarks.raid.nights.plan import NightPlan
from benchmarks.raid.nights.tables import Spec, preparation, specs
from benchmarks.raid.nights.units import LOGGER, PET, RAIDER, PetUnit, Player

from ruleplay.agents.raid.domain.columns import SLOTS

COMPOSITION = (
    ("Warrior", "Protection"),
    ("Druid", "Feral"),
    ("Paladin", "Protection"),
    ("Priest", "Holy"),
    ("Priest", "Holy"),
    ("Paladin", "Holy"),
    ("Shaman", "Restoration"),
    ("Shaman", "Restoration"),
    ("Druid", "Restoration"),
    ("Warrior", "Fury"),
    ("Warrior", "Fury"),
    ("Rogue", "Combat"),
    ("Rogue", "Combat"),
    ("Paladin", "Retribution"),
    ("Shaman", "Enhancement"),
    ("Hunter", "Beast Mastery"),
    ("Hunter", "Beast Mastery"),
    ("Mage", "Fire"),
    ("Mage", "Fire"),
    ("Warlock", "Destruction"),
    ("Warlock", "Destruction"),
    ("Warlock", "Affliction"),
    ("Priest", "Shadow"),
    ("Druid", "Balance"),
    ("Shaman", "Elemental"),
)
_FIRST = (
    "Bal Bra Cor Dra Él Fen Gal Hel Ir Jor Kel Lor Mor Nor Or Pel Quil Ral Sel Tor "
    "Ul Val Wyn Xar Yl Zan"
)
_LAST = (
    "ador amir andra aric ath edan elis enna eth ian ilor imar ion ira onde orin oth ulan una ys"
)
_SOCKETS = {"head": 2, "shoulder": 2, "chest": 3}
_TIER_SLOTS = ("head", "shoulder", "chest", "hands", "legs")
REALM = "Thunderstrike"
"""The realm behind every name, as the game writes it."""
_BARE = frozenset({"shirt", "tabard"})


@dataclass(frozen=True)
class Item:
    """An item worn: its slot, ids of the item, its enchants (0: none) and its gems."""

    slot: str
    id: int
    enchant: int = 0
    temporary: int = 0
    gems: tuple[int, ...] = ()


@dataclass(frozen=True)
class Lack:
    """What players forgot, by name: consumables, (player, slot) enchants, (player, slot) gems."""

    flask: tuple[str, ...]
    food: tuple[str, ...]
    oil: tuple[str, ...]
    enchants: tuple[tuple[str, str], ...]
    gems: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Roster:
    """The raid: players, gear and auras by name, what is lacking, who is slow or clumsy."""

    players: tuple[Player, ...]
    gear: dict[str, tuple[Item, ...]]
    auras: dict[str, tuple[int, ...]]
    lack: Lack
    slow: str
    clumsy: str
    unused: tuple[tuple[str, int, str], ...]


def gather(plan: NightPlan, rng: random.Random) -> Roster:
    """Gather the raid of `plan.roster`; `rng` decides what is forgotten this night."""
    players = _people(random.Random(f"roster {plan.roster}"))
    lack = _lack(players, plan.lacking, rng)
    dealers = [p for p in players if p.plays.role == "damage"]
    slow, clumsy = rng.sample(dealers, 2)
    slow.idle, clumsy.clumsy = 0.75, 4.0
    unused = _unused([p for p in dealers if p.plays.cooldowns], rng)
    return Roster(
        players=tuple(players),
        gear={p.name: _gear(p, lack) for p in players},
        auras={p.name: _auras(p, lack) for p in players},
        lack=lack,
        slow=slow.name,
        clumsy=clumsy.name,
        unused=unused,
    )


def _people(rng: random.Random) -> list[Player]:
    firsts, lasts = _FIRST.split(), _LAST.split()
    names = [f"{a}{b}" for a in firsts for b in lasts]
    chosen = rng.sample(names, len(COMPOSITION))
    people = []
    for place, (key, name) in enumerate(zip(COMPOSITION, chosen, strict=True)):
        people.append(_person(place, specs()[key], f"{name}-{REALM}", rng))
    return people


def _person(place: int, spec: Spec, name: str, rng: random.Random) -> Player:
    player = Player(
        guid=f"Player-6064-{0x02A10000 + place * 977:08X}",
        name=name,
        flags=LOGGER if place == 0 else RAIDER,
        hp=spec.health,
        hp_max=spec.health,
        x=round(rng.uniform(-20, 20), 2),
        y=round(rng.uniform(-20, 20), 2),
        facing=round(rng.uniform(0, 6.28), 4),
        power_kind=spec.power,
        power=spec.mana or 50,
        power_max=spec.mana or 100,
        swing=spec.swing,
        spec=spec,
        party=place % 5,
        skill=rng.uniform(0.85, 1.15),
    )
    if spec.pet:
        player.pet = PetUnit(
            guid=f"Pet-0-6064-565-1187-{spec.pet.npc}-{0x01004B00 + place:010X}",
            name=rng.choice(spec.pet.name),
            flags=PET,
            hp=5200,
            hp_max=5200,
            x=player.x,
            y=player.y,
            owner=player.guid,
            power_kind=2,
            power=100,
            power_max=100,
            swing=spec.pet.swing,
            master=player,
        )
    return player


def _lack(players: list[Player], number: int, rng: random.Random) -> Lack:
    names = [p.name for p in players]
    slots = [s for s in preparation().enchants if s != "mainhand"]
    return Lack(
        flask=tuple(sorted(rng.sample(names, number))),
        food=tuple(sorted(rng.sample(names, number))),
        oil=tuple(sorted(rng.sample(names, number))),
        enchants=tuple(sorted((name, rng.choice(slots)) for name in rng.sample(names, number))),
        gems=tuple(sorted((n, rng.choice(tuple(_SOCKETS))) for n in rng.sample(names, number))),
    )


def _unused(players: list[Player], rng: random.Random) -> tuple[tuple[str, int, str], ...]:
    found = []
    for player in rng.sample(players, 2):
        spell, name, _, _ = player.plays.cooldowns[0]
        player.skips = frozenset({spell})
        found.append((player.name, spell, name))
    return tuple(sorted(found))


def _gear(player: Player, lack: Lack) -> tuple[Item, ...]:
    return tuple(_item(player, slot, lack) for slot in SLOTS)


def _item(player: Player, slot: str, lack: Lack) -> Item:
    told, kit = preparation(), player.plays.kit
    if slot in _BARE:
        return Item(slot, 0)
    tier = dict(zip(_TIER_SLOTS, told.tier[player.plays.class_], strict=True))
    gems = tuple(told.gems[kit][n % 2] for n in range(_SOCKETS.get(slot, 0)))
    return Item(
        slot,
        tier.get(slot) or told.rest[slot],
        0 if (player.name, slot) in lack.enchants else told.enchants.get(slot, {}).get(kit, 0),
        told.oil[kit] if slot == "mainhand" and player.name not in lack.oil else 0,
        gems[:-1] if (player.name, slot) in lack.gems else gems,
    )


def _auras(player: Player, lack: Lack) -> tuple[int, ...]:
    told, kit = preparation(), player.plays.kit
    flask = () if player.name in lack.flask else (told.flask[kit],)
    food = () if player.name in lack.food else (told.food[kit],)
    return (*flask, *food, *told.raid_buffs)
