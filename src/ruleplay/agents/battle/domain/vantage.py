"""Builds the position as one player sees it, from the battle's chronicle and the server's request.

The request (Showdown's `|request|` message, parsed) is exact about our own team and the possible
answers; everything else comes from the chronicle. What neither tells is not guessed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.chronicle import Chronicle, Seen
from ruleplay.agents.battle.domain.orders import (
    DefaultOrder,
    MoveOrder,
    Order,
    SwitchOrder,
    TeamOrder,
)
from ruleplay.agents.battle.domain.position import (
    Field_,
    Mon,
    MoveSlot,
    Position,
    Side,
    Source,
    Stats,
    Timed,
)

Json = Mapping[str, object]

LASTS = {"reflect": 5, "lightscreen": 5, "auroraveil": 5, "safeguard": 5, "mist": 5, "tailwind": 4}
"""Turns that side conditions last without an item that prolongs them (Light Clay: 8)."""

PROLONGED = 8
"""Turns of what an item prolongs."""
ROOM_TURNS = 5
"""Turns that Trick Room and the like last."""


def see(chronicle: Chronicle, role: str, request: Json, *, battle: str = "") -> Position:
    """Build the position in which `role` (p1 or p2) has to answer the request."""
    team = _members(request)
    active = _active(request)
    force = _force(request)
    slots = cast("list[Json]", request.get("active") or [])
    asked = (slots[n] if n < len(slots) else active for n in range(len(team)))
    ours = tuple(
        _ours(chronicle, entry, slot if entry.get("active") else None)
        for entry, slot in zip(team, asked, strict=True)
    )
    foe = "p2" if role == "p1" else "p1"
    theirs = tuple(_theirs(mon) for mon in chronicle.mons.values() if mon.side == foe)
    return Position(
        battle=battle,
        format=chronicle.format,
        turn=chronicle.turn,
        request_id=int(cast("int", request.get("rqid") or 0)),
        ours=_side(chronicle, role, ours),
        theirs=_side(chronicle, foe, theirs),
        field=_field(chronicle),
        legal=legal_orders(request),
        request_moves=tuple(str(each["id"]) for each in _moves(active)),
        request_team=tuple(str(each["ident"]) for each in team),
        team_preview=bool(request.get("teamPreview")),
        force_switch=force,
        reviving=any(bool(each.get("reviving")) for each in team),
        trapped=bool(active.get("trapped")),
        maybe_trapped=bool(active.get("maybeTrapped")),
        can_tera=bool(active.get("canTerastallize")),
        foe_to_move=force and _has_yet_to_move(chronicle, role, foe),
        hits=tuple(chronicle.hits),
        log=tuple(chronicle.log),
        rules=tuple(chronicle.rules),
    )


def _has_yet_to_move(chronicle: Chronicle, role: str, foe: str) -> bool:
    """Check whether a pivoting move of ours interrupts a turn in which they have yet to act."""
    ours, theirs = chronicle.active(role), chronicle.active(foe)
    if ours is None or theirs is None or min(ours.hp, theirs.hp) <= 0:
        return False
    return chronicle.acted(role) and not chronicle.acted(foe)


def _members(request: Json) -> list[Json]:
    side = cast("Json", request.get("side") or {})
    return cast("list[Json]", side.get("pokemon") or [])


def _active(request: Json) -> Json:
    active = cast("list[Json]", request.get("active") or [{}])
    return active[0] if active else {}


def _moves(active: Json) -> list[Json]:
    return cast("list[Json]", active.get("moves") or [])


def _force(request: Json) -> bool:
    return bool(cast("list[bool]", request.get("forceSwitch") or [False])[0])


def legal_orders(request: Json) -> tuple[Order, ...]:
    """List every order that the server accepts for this request, without duplicates.

    A trap that the server conceals (`maybeTrapped`) only shows when it refuses a switch.
    """
    team = _members(request)
    if request.get("teamPreview"):
        return _leads(len(team))
    found: list[Order] = []
    active = _active(request)
    if not _force(request):
        usable = [each for each in _moves(active) if not each.get("disabled")]
        found += [MoveOrder(move=str(each["id"])) for each in usable]
        if active.get("canTerastallize"):
            found += [MoveOrder(move=str(each["id"]), tera=True) for each in usable]
    if not active.get("trapped"):
        found += [SwitchOrder(ident=str(each["ident"])) for each in team if _may_come(each, team)]
    unique = list(dict.fromkeys(found))
    # A request that leaves no choice still wants an answer.
    return tuple(unique) or (DefaultOrder(),)


def _leads(size: int) -> tuple[Order, ...]:
    """List the orders of a team preview: each member may lead, the others keep their order."""
    places = range(1, size + 1)
    return tuple(
        TeamOrder(order=(lead, *(each for each in places if each != lead))) for lead in places
    )


def _may_come(entry: Json, team: Sequence[Json]) -> bool:
    fainted = str(entry.get("condition", "")).endswith("fnt")
    # Revival Blessing asks for a fainted member in the form of a switch.
    if any(each.get("reviving") for each in team):
        return fainted
    return not entry.get("active") and not fainted


def _ours(chronicle: Chronicle, entry: Json, active: Json | None) -> Mon:
    """Build one of ours from the request, completed by the chronicle."""
    name = str(entry["ident"])
    found = protocol.details(str(entry["details"]))
    health = protocol.condition(str(entry["condition"]))
    seen = chronicle.mons.get(name)
    stats = cast("dict[str, int]", entry.get("stats") or {})
    # The condition of a fainted Pokémon, "0 fnt", does not show its maximum.
    whole = health.whole if health.now else (seen.hp_max if seen and seen.hp_max else None)
    tera = dex.to_id(str(entry.get("teraType") or "")) or None
    terastallized = dex.to_id(str(entry.get("terastallized") or ""))
    base = _mon(seen, name, found.species, found.level)
    current = (seen.species if seen and seen.transformed else found.species) or found.species
    whole = whole or _whole(found.species, found.level)
    ability = dex.to_id(str(entry.get("ability") or entry.get("baseAbility") or ""))
    return base.model_copy(
        update={
            "species": current,
            "gender": found.gender,
            "types": _types(current, terastallized, seen),
            "own_types": _types(current, "", seen),
            "tera_type": tera,
            "terastallized": bool(terastallized),
            "active": bool(entry.get("active")),
            "hp": health.share,
            "hp_now": health.now,
            "hp_max": whole,
            "status": health.status,
            "stats": Stats.model_validate({"hp": whole, **stats}) if stats else None,
            "item": dex.to_id(str(entry.get("item") or "")),
            "item_source": "request",
            "ability": ability,
            "own_ability": dex.to_id(str(entry.get("baseAbility") or "")) or ability,
            "ability_source": "request",
            "moves": _our_moves(entry, active, seen),
            "locked": _locked(active),
        }
    )


def _whole(species: str, level: int) -> int:
    return dex.raw_stats(species, level, (85,) * 6, (31,) * 6)[0]


def _our_moves(entry: Json, active: Json | None, seen: Seen | None) -> tuple[MoveSlot, ...]:
    """List our moves; PP comes from the request if it says so, else from counted uses."""
    listed = [each for each in _moves(active or {}) if "pp" in each]
    names = [dex.to_id(str(each)) for each in cast("list[str]", entry.get("moves") or [])]
    by_id = {str(each["id"]): each for each in listed}
    used = seen.moves if seen else {}
    return tuple(_slot(name, by_id.get(name), used.get(name, 0), bool(active)) for name in names)


def _slot(name: str, listed: Json | None, used: int, active: bool) -> MoveSlot:
    if listed is not None:
        pp, whole = int(cast("int", listed["pp"])), int(cast("int", listed["maxpp"]))
        return MoveSlot(id=name, pp=pp, max_pp=whole, disabled=bool(listed.get("disabled")))
    whole = _max_pp(name)
    return MoveSlot(id=name, pp=max(0, whole - used), max_pp=whole)


def _max_pp(name: str) -> int:
    # Showdown's sets have all PP Ups: eight fifths of the printed PP.
    return max(1, dex.move(name).pp * 8 // 5)


def _locked(active: Json | None) -> str | None:
    """Find the only usable move, if there is just one (because of a Choice item, Encore, …)."""
    usable = [each for each in _moves(active or {}) if not each.get("disabled")]
    return str(usable[0]["id"]) if len(usable) == 1 and len(_moves(active or {})) >= 1 else None


def _theirs(seen: Seen) -> Mon:
    """Build one of theirs from the chronicle."""
    mon = _mon(seen, seen.ident, seen.base, seen.level)
    item_source: Source = "seen" if seen.item is not None else "unknown"
    return mon.model_copy(
        update={
            "item": seen.item,
            "item_source": item_source,
            "ability": seen.ability,
            "own_ability": seen.own_ability,
            "ability_source": "seen" if seen.ability is not None else "unknown",
            "tera_type": seen.tera or None,
            "terastallized": bool(seen.tera),
            "types": _types(seen.species, seen.tera, seen),
            "own_types": _types(seen.species, "", seen),
        }
    )


def _mon(seen: Seen | None, name: str, species: str, level: int) -> Mon:
    """Convert the chronicle's record of a Pokémon of either side."""
    printed = dex.species(species).name if dex.knows_species(species) else name[4:]
    if seen is None:
        return Mon(
            ident=name,
            name=printed,
            species=species,
            base=species,
            level=level,
            types=_types(species, "", None),
        )
    return Mon.model_validate(
        {
            "ident": name,
            "name": printed,
            "species": seen.species,
            "base": seen.base,
            "level": seen.level,
            "gender": seen.gender,
            "types": _types(seen.species, seen.tera, seen),
            "active": seen.active,
            "second": seen.active and seen.place == "b",
            "hp": max(0.0, min(1.0, seen.hp)),
            "status": seen.status,
            "status_turns": seen.asleep_for if seen.status == "slp" else max(0, seen.poisoned_for),
            "rested": seen.rested,
            "boosts": seen.stages,
            "first_item": seen.first_item,
            "moves": tuple(_used_slot(seen, name, used) for name, used in seen.moves.items()),
            "volatiles": tuple(_volatiles(seen)),
            "last_move": seen.last_move,
            "turns_active": len(seen.used_since_entry),
            "transformed": seen.transformed,
            "must_recharge": seen.recharging,
            "charging": seen.charging,
            "times_hit": seen.times_hit,
            "ruled_out_items": tuple(sorted(seen.ruled_out_items)),
            "ruled_out_abilities": tuple(sorted(seen.ruled_out_abilities)),
            "speeds": tuple(seen.speeds),
        }
    )


def _used_slot(seen: Seen, name: str, used: int) -> MoveSlot:
    whole = _max_pp(name)
    return MoveSlot(id=name, pp=max(0, whole - used), max_pp=whole, disabled=seen.disabled == name)


def _volatiles(seen: Seen) -> list[Timed]:
    return [
        Timed(id=name, layers=layers, turns=start)
        for name, (start, layers) in sorted(seen.effects.items())
    ]


def _types(species: str, tera: str, seen: Seen | None) -> tuple[str, ...]:
    """Determine current types: the tera type, a changed one, or the species' own."""
    own = dex.species(species).types
    if tera and tera != "stellar":
        return (tera,)
    if seen is not None and seen.active:
        own = seen.types or own
        if seen.added_type and seen.added_type not in own:
            own = (*own, seen.added_type)
    return own


def _side(chronicle: Chronicle, role: str, team: tuple[Mon, ...]) -> Side:
    """Build one player's side from the chronicle."""
    turn, ends = chronicle.turn, chronicle.upkeeps
    wish = chronicle.wishes.get(role)
    future = chronicle.futures.get(role)
    return Side(
        name=chronicle.names.get(role, role),
        team=tuple(_aged(mon, turn) for mon in team),
        size=max(chronicle.sizes.get(role, 6), len(team)),
        conditions=tuple(
            Timed(id=name, layers=layers, turns=ends - start, left=_left(name, ends - start))
            for name, (start, layers) in sorted(chronicle.sides[role].items())
        ),
        tera_used=role in chronicle.tera_used,
        preview=tuple(chronicle.previews[role]),
        lead=chronicle.leads.get(role, ""),
        wish=_wish(team, wish, turn),
        future_sight=(3 - (turn - future[0]), future[1]) if future else (0, ""),
    )


def _wish(team: tuple[Mon, ...], wish: tuple[int, str] | None, turn: int) -> tuple[int, int]:
    """Compute the turns until a Wish comes true, and the points it heals.

    These are half of the wisher's maximum health, for which 300 stands if unknown.
    """
    if wish is None:
        return (0, 0)
    wisher = next((mon for mon in team if mon.ident == wish[1]), None)
    whole = (wisher.hp_max if wisher else None) or 300
    return (max(1, 2 - (turn - wish[0])), whole // 2)


def _aged(mon: Mon, turn: int) -> Mon:
    """Replace the turn in which volatile conditions began by how long they have lasted."""
    if not mon.volatiles:
        return mon
    aged = tuple(
        each.model_copy(update={"turns": max(0, turn - each.turns)}) for each in mon.volatiles
    )
    return mon.model_copy(update={"volatiles": aged})


def _left(name: str, stood: int) -> int | None:
    """Compute the turns left; whatever exceeds its usual time must have been prolonged."""
    if name not in LASTS:
        return None
    whole = LASTS[name] if stood < LASTS[name] else PROLONGED
    return max(1, whole - stood)


def _field(chronicle: Chronicle) -> Field_:
    """Build the conditions of the field, with the turns they still last."""
    turn = chronicle.upkeeps
    weather = terrain = None
    if chronicle.weather:
        name, start, permanent = chronicle.weather
        stood = turn - start
        left = None if permanent else (5 if stood < 5 else PROLONGED) - stood
        weather = Timed(id=name, turns=stood, left=None if left is None else max(1, left))
    if chronicle.terrain:
        name, start = chronicle.terrain
        stood = turn - start
        terrain = Timed(id=name, turns=stood, left=max(1, (5 if stood < 5 else PROLONGED) - stood))
    rooms = tuple(
        Timed(id=name, turns=turn - start, left=max(1, ROOM_TURNS - (turn - start)))
        for name, start in sorted(chronicle.rooms.items())
    )
    return Field_(weather=weather, terrain=terrain, rooms=rooms)
