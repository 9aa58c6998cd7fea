"""What the server's messages tell of a battle, gathered line by line from one player's seat.

poke-env's parser keeps the client alive; this record keeps what deciding needs beyond it: who showed
which move when, how often, what each hit did under which conditions, who moved first, which items
and abilities that rules out. It reads public messages only, so it works on live battles, saved logs
and replays alike. A message it does not know is no news.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.position import HITS_LIMIT, LOG_LIMIT, Boosts, Hit, SpeedSeen
from ruleplay.agents.battle.domain.protocol import Line, Tags

SCREENS = ("reflect", "lightscreen", "auroraveil")
ONE_TURN = {
    "protect", "endure", "kingsshield", "spikyshield", "banefulbunker", "obstruct", "silktrap",
    "burningbulwark", "maxguard", "roost", "flinch", "helpinghand", "focuspunch", "beakblast",
    "magiccoat", "snatch", "ragepowder", "followme", "electrify", "powder", "instruct",
    "quickguard", "wideguard", "craftyshield", "matblock", "shelltrap", "destinybond", "grudge",
}  # fmt: skip
NOT_HELD = {
    "protectivepads", "safetygoggles", "poltergeist", "trick", "mist", "safeguard", "skillswap",
    "healbell", "aromatherapy", "lockon", "mimic", "sketch", "guardsplit", "powersplit", "spite",
    "leppaberry", "focusband", "custapberry", "quickclaw", "endure", "orichalcumpulse",
    "hadronengine", "toxicdebris", "forewarn", "battlebond", "symbiosis", "synchronize", "shedskin",
    "healer", "deltastream", "struggle", "feint", "pursuit", "destinybond", "courtchange",
}  # fmt: skip
"""What `-activate` announces and nobody carries on."""

STOLEN = {"magician", "pickpocket", "thief", "covet"}
CALLED = {"sleeptalk", "copycat", "metronome", "mirrormove", "assist", "naturepower", "mefirst"}


@dataclass
class Seen:
    """One Pokémon as the messages have shown it so far."""

    ident: str
    species: str
    base: str
    level: int
    gender: str = ""
    active: bool = False
    hp: float = 1.0
    hp_now: int | None = None
    hp_max: int | None = None
    status: str = ""
    asleep_for: int = 0
    poisoned_for: int = 0
    rested: bool = False
    boosts: dict[str, int] = field(default_factory=dict)
    tera: str = ""
    item: str | None = None
    first_item: str | None = None
    ability: str | None = None
    own_ability: str | None = None
    moves: dict[str, int] = field(default_factory=dict)
    effects: dict[str, tuple[int, int]] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    added_type: str = ""
    last_move: str | None = None
    entered: int = 0
    used_since_entry: list[str] = field(default_factory=list)
    transformed: str | None = None
    recharging: bool = False
    charging: str | None = None
    disabled: str | None = None
    substitute: bool = False
    hurt_by_entry: bool = False
    times_hit: int = 0
    ruled_out_items: set[str] = field(default_factory=set)
    ruled_out_abilities: set[str] = field(default_factory=set)
    speeds: list[SpeedSeen] = field(default_factory=list)

    @property
    def side(self) -> str:
        """Whose it is: p1 or p2."""
        return self.ident[:2]


@dataclass
class _Strike:
    """A move in the making: what stood when it began, and the damage it has done."""

    by: str
    move: str
    on: str = ""
    crit: bool = False
    hits: int = 0
    damage: float = 0.0
    before: float = 0.0
    capped: bool = False
    at: Hit | None = None


class Chronicle:
    """The record of one battle. `read` it the new lines; `mons`, `sides` and the rest tell."""

    def __init__(self) -> None:
        self.mons: dict[str, Seen] = {}
        self.turn = 0
        self.sizes: dict[str, int] = {}
        self.names: dict[str, str] = {}
        self.sides: dict[str, dict[str, tuple[int, int]]] = {"p1": {}, "p2": {}}
        self.wishes: dict[str, tuple[int, str]] = {}
        self.futures: dict[str, tuple[int, str]] = {}
        self.tera_used: dict[str, str] = {}
        self.weather: tuple[str, int, bool] | None = None
        self.terrain: tuple[str, int] | None = None
        self.rooms: dict[str, int] = {}
        self.hits: list[Hit] = []
        self.log: list[str] = []
        self.format = ""
        self.winner: str | None = None
        self._strike: _Strike | None = None
        self._order: list[tuple[str, str]] = []
        self._turn_speeds: dict[str, SpeedSeen] = {}
        self._came: set[str] = set()
        self._hurt: set[tuple[str, str]] = set()
        self._read = 0

    def read(self, lines: Sequence[Line]) -> None:
        """Take in the lines that are new; the whole list is passed each time and only grows."""
        for line in lines[self._read :]:
            self.take(line)
        self._read = len(lines)

    def take(self, line: Line) -> None:
        """Take in one message."""
        if len(line) < 2:
            return
        kind = line[1].lstrip("-")
        handler = _HANDLERS.get(kind)
        if handler is not None and len(line) > 2 - (kind in {"upkeep", "clearallboost"}):
            handler(self, line, protocol.tags(line[3:]))
        if line[1] in _TOLD:
            self.log.append("|".join(line[1:])[:160])
            del self.log[:-LOG_LIMIT]

    def active(self, side: str) -> Seen | None:
        """Return who stands on the field for `p1` or `p2`."""
        return next((mon for mon in self.mons.values() if mon.active and mon.side == side), None)

    def foe(self, mon: Seen) -> Seen | None:
        """Return who stands opposite."""
        return self.active("p2" if mon.side == "p1" else "p1")

    def mon(self, text: str) -> Seen | None:
        """Return the record of a Pokémon named in a message, None for one that never came in."""
        return self.mons.get(protocol.ident(text))

    def boosts(self, mon: Seen) -> Boosts:
        """Return a Pokémon's stages as they stand."""
        return Boosts.model_validate({k: v for k, v in mon.boosts.items() if v})

    # Coming and going

    def _switch(self, line: Line, tags: Tags) -> None:
        name, found = protocol.ident(line[2]), protocol.details(line[3])
        for other in self.mons.values():
            if other.side == name[:2] and other.active:
                self._leave(other)
        mon = self.mons.get(name)
        if mon is None:
            base = _base(found.species)
            mon = Seen(name, found.species, base, found.level, found.gender)
            self.mons[name] = mon
        _enter(mon, found.species, self.turn)
        if found.tera:
            mon.tera = found.tera
        self._health(mon, line[4] if len(line) > 4 else "100/100")
        self._strike = None
        self._came.add(name)

    def _leave(self, mon: Seen) -> None:
        if mon.own_ability == "regenerator" and mon.hp > 0:
            mon.hp = min(1.0, mon.hp + 1 / 3)
        if mon.own_ability == "naturalcure" and mon.hp > 0:
            mon.status = ""
        mon.active = False
        mon.boosts, mon.effects, mon.types, mon.added_type = {}, {}, (), ""
        mon.used_since_entry, mon.last_move, mon.disabled = [], None, None
        mon.transformed, mon.recharging, mon.charging, mon.substitute = None, False, None, False
        mon.ability, mon.poisoned_for = mon.own_ability, 0
        if not mon.species.startswith(("palafin", "mimikyu", "eiscue", "ogerpon", "terapagos")):
            mon.species = mon.base

    def _replace(self, line: Line, tags: Tags) -> None:
        """Illusion ends: what the disguise showed was the other one's doing."""
        name, found = protocol.ident(line[2]), protocol.details(line[3])
        disguise = self.active(name[:2])
        mon = self.mons.get(name) or Seen(name, found.species, _base(found.species), found.level)
        self.mons[name] = mon
        if disguise is None or disguise is mon:
            return
        mon.active, mon.entered, mon.own_ability, mon.ability = (
            True, disguise.entered, "illusion", "illusion",
        )  # fmt: skip
        mon.boosts, mon.effects = dict(disguise.boosts), dict(disguise.effects)
        mon.hp, mon.status = disguise.hp, disguise.status
        mon.used_since_entry = list(disguise.used_since_entry)
        for used in disguise.used_since_entry:
            mon.moves[used] = mon.moves.get(used, 0) + 1
            disguise.moves[used] = disguise.moves.get(used, 1) - 1
            if disguise.moves[used] <= 0:
                del disguise.moves[used]
        disguise.speeds = [seen for seen in disguise.speeds if seen.turn < disguise.entered]
        self.hits = [h for h in self.hits if not (h.by == disguise.ident or h.on == disguise.ident)]
        disguise.hp, disguise.status, disguise.hp_now = 1.0, "", None
        self._leave(disguise)

    def _faint(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.hp, mon.status, mon.hp_now = 0.0, "fnt", 0
            mon.effects, mon.boosts = {}, {}

    # Moves and what they do

    def _move(self, line: Line, tags: Tags) -> None:
        mon, move = self.mon(line[2]), dex.to_id(line[3])
        if mon is None:
            return
        self._settle()
        mon.recharging, mon.charging = False, None
        called = tags.source_id
        own = called in {"", "lockedmove", "sleeptalk"} or called == move
        if own and called != "lockedmove" and move != "struggle" and dex.knows_move(move):
            self._show(mon, move, counts=called != "sleeptalk")
        if not called or called == "lockedmove":
            mon.last_move = move
            mon.used_since_entry.append(move)
        if not called and mon.ident not in {each for each, _ in self._order}:
            self._order.append((mon.ident, move))
            self._note_speed(mon)
        target = line[4] if len(line) > 4 else ""
        on = self.mon(target) if target else None
        self._strike = _Strike(mon.ident, move)
        if on is not None and on is not mon:
            self._strike.on = on.ident
        if dex.knows_move(move) and dex.move(move).locks:
            mon.effects.setdefault("lockedmove", (self.turn, 1))
        if move == "glaiverush":
            mon.effects["glaiverush"] = (self.turn, 1)
        elif "glaiverush" in mon.effects:
            del mon.effects["glaiverush"]

    def _show(self, mon: Seen, move: str, *, counts: bool) -> None:
        if mon.transformed:
            return
        foe = self.foe(mon)
        pressed = foe is not None and foe.ability == "pressure" and not foe.status == "fnt"
        used = (2 if pressed else 1) if counts else 0
        mon.moves[move] = mon.moves.get(move, 0) + used
        since = {each for each in mon.used_since_entry if each != move}
        if since and "choice" not in (mon.item or ""):
            mon.ruled_out_items.update(("choiceband", "choicespecs", "choicescarf"))
        if dex.move(move).category == "status":
            mon.ruled_out_items.add("assaultvest")

    def _note_speed(self, mon: Seen) -> None:
        """Remember what each stood under when it moved; compared once both have."""
        self._turn_speeds[mon.ident] = SpeedSeen(
            turn=self.turn,
            boost=mon.boosts.get("spe", 0),
            paralysed=mon.status == "par",
            tailwind="tailwind" in self.sides[mon.side],
            trick_room="trickroom" in self.rooms,
            weather=self.weather[0] if self.weather else "",
            terrain=self.terrain[0] if self.terrain else "",
        )

    def _damage(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2])
        if mon is None:
            return
        before = mon.hp
        self._health(mon, line[3])
        strike = self._strike
        if tags.source:
            self._hurt_by(mon, tags)
        elif strike is not None and strike.by != mon.ident and self.mons.get(strike.by):
            self._struck(strike, mon, before)

    def _struck(self, strike: _Strike, mon: Seen, before: float) -> None:
        by = self.mons[strike.by]
        if strike.at is None:
            strike.on, strike.before = mon.ident, before
            strike.at = self._hit(by, mon, strike, before)
        if strike.on != mon.ident:
            return
        strike.hits += 1
        strike.damage += before - mon.hp
        strike.capped = strike.capped or mon.hp <= 0
        mon.times_hit += 1
        self._hurt.add((strike.by, mon.ident))

    def _hit(self, by: Seen, on: Seen, strike: _Strike, before: float) -> Hit:
        return Hit(
            turn=self.turn,
            by=by.ident,
            on=on.ident,
            move=strike.move,
            damage=0.0,
            precision=1 / (on.hp_max or 100),
            by_boosts=self.boosts(by),
            on_boosts=self.boosts(on),
            by_status=by.status,
            on_status=on.status,
            by_hp=by.hp,
            on_hp=before,
            by_tera=by.tera,
            on_tera=on.tera,
            by_item=by.item,
            on_item=on.item,
            weather=self.weather[0] if self.weather else "",
            terrain=self.terrain[0] if self.terrain else "",
            screens=tuple(each for each in SCREENS if each in self.sides[on.side]),
            rooms=tuple(sorted(self.rooms)),
            by_volatiles=tuple(sorted(by.effects)),
            on_volatiles=tuple(sorted(on.effects)),
            by_species=by.species,
            on_species=on.species,
            by_types=by.types,
            on_types=(*on.types, on.added_type) if on.added_type and on.types else on.types,
            by_fallen=sum(m.status == "fnt" for m in self.mons.values() if m.side == by.side),
            by_times_hit=by.times_hit,
            by_ability=by.ability,
            on_ability=on.ability,
            struck=(on.ident, by.ident) in self._hurt,
            incoming=on.ident in self._came,
            last=on.ident in self._came or on.ident in {each for each, _ in self._order[:-1]},
        )

    def _settle(self) -> None:
        """Close the strike that was under way."""
        strike, self._strike = self._strike, None
        if strike is None or strike.at is None or strike.damage <= 0:
            return
        self.hits.append(
            strike.at.model_copy(
                update={
                    "damage": round(strike.damage, 5),
                    "capped": strike.capped,
                    "crit": strike.crit,
                    "hits": max(1, strike.hits),
                }
            )
        )
        del self.hits[:-HITS_LIMIT]

    def _crit(self, line: Line, tags: Tags) -> None:
        if self._strike:
            self._strike.crit = True

    def _hurt_by(self, mon: Seen, tags: Tags) -> None:
        if tags.source.startswith("item:"):
            owner = self.mons.get(tags.of, mon) if tags.of else mon
            _holds(owner, tags.source_id)
        elif tags.source.startswith("ability:"):
            self._ability_of(self.mons.get(tags.of, mon) if tags.of else mon, tags.source_id)
        elif tags.source_id in {"stealthrock", "spikes"}:
            mon.ruled_out_items.add("heavydutyboots")
            mon.ruled_out_abilities.add("magicguard")
        elif tags.source_id in {"psn", "brn", "leechseed", "sandstorm", "saltcure", "curse"}:
            mon.ruled_out_abilities.add("magicguard")

    def _heal(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2])
        if mon is None:
            return
        self._health(mon, line[3])
        if tags.source.startswith("item:"):
            if tags.source_id in {"leftovers", "blacksludge", "shellbell"}:
                _holds(mon, tags.source_id)
        elif tags.source.startswith("ability:"):
            self._ability_of(mon, tags.source_id)
        elif tags.source_id == "wish":
            self.wishes.pop(mon.side, None)

    def _sethp(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            self._health(mon, line[3])

    def _health(self, mon: Seen, text: str) -> None:
        try:
            found = protocol.condition(text)
        except ValueError:
            return
        mon.hp = found.share
        if found.whole != 100 or mon.hp_max not in {None, 100}:
            mon.hp_now, mon.hp_max = found.now, found.whole if found.now else mon.hp_max
        self._set_status(mon, found.status)

    def _set_status(self, mon: Seen, status: str) -> None:
        if status != mon.status:
            mon.asleep_for, mon.poisoned_for, mon.rested = 0, 0, False
        mon.status = status

    def _cant(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2])
        if mon is None:
            return
        self._settle()
        mon.recharging, mon.charging = False, None
        why = protocol.effect_id(line[3]) if len(line) > 3 else ""
        if why == "slp":
            mon.asleep_for += 1
        if why in {"slp", "par", "frz", "flinch"}:
            mon.effects.pop("lockedmove", None)

    # Stages, status, effects

    def _boost(self, line: Line, tags: Tags) -> None:
        self._shift(line, +1)

    def _unboost(self, line: Line, tags: Tags) -> None:
        self._shift(line, -1)

    def _shift(self, line: Line, sign: int) -> None:
        if mon := self.mon(line[2]):
            stage = mon.boosts.get(line[3], 0) + sign * int(line[4])
            mon.boosts[line[3]] = max(-6, min(6, stage))

    def _setboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts[line[3]] = int(line[4])

    def _clearboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts = {}

    def _clearallboost(self, line: Line, tags: Tags) -> None:
        for mon in self.mons.values():
            mon.boosts = {}

    def _clearpositiveboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts = {k: v for k, v in mon.boosts.items() if v < 0}

    def _clearnegativeboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts = {k: v for k, v in mon.boosts.items() if v > 0}

    def _copyboost(self, line: Line, tags: Tags) -> None:
        source, target = self.mon(line[2]), self.mon(line[3])
        if source and target:
            source.boosts = dict(target.boosts)

    def _swapboost(self, line: Line, tags: Tags) -> None:
        one, other = self.mon(line[2]), self.mon(line[3])
        if not one or not other:
            return
        named = line[4].split(", ") if len(line) > 4 and not line[4].startswith("[") else ()
        for stat in named or {*one.boosts, *other.boosts}:
            one.boosts[stat], other.boosts[stat] = (
                other.boosts.get(stat, 0),
                one.boosts.get(stat, 0),
            )

    def _invertboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts = {k: -v for k, v in mon.boosts.items()}

    def _status(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2])
        if mon is None:
            return
        self._set_status(mon, line[3])
        mon.effects.pop("yawn", None)
        mon.rested = line[3] == "slp" and tags.source_id == "rest"
        if tags.source.startswith("item:"):
            _holds(mon, tags.source_id)

    def _curestatus(self, line: Line, tags: Tags) -> None:
        if (mon := self.mon(line[2])) and mon.status != "fnt":
            self._set_status(mon, "")

    def _cureteam(self, line: Line, tags: Tags) -> None:
        for mon in self.mons.values():
            if mon.side == line[2][:2] and mon.status != "fnt":
                self._set_status(mon, "")

    def _start(self, line: Line, tags: Tags) -> None:
        mon, effect = self.mon(line[2]), protocol.effect_id(line[3])
        if mon is None:
            return
        if effect == "typechange" and len(line) > 4 and not line[4].startswith("["):
            mon.types = tuple(each.lower() for each in line[4].split("/"))
        elif effect == "typeadd" and len(line) > 4:
            mon.added_type = line[4].lower()
        elif effect == "substitute":
            mon.substitute = True
        elif effect == "disable" and len(line) > 4:
            mon.disabled = dex.to_id(line[4])
        elif effect in {"futuresight", "doomdesire"}:
            self.futures[mon.side] = (self.turn, mon.ident)
            return
        elif effect.startswith("perish"):
            for old in [each for each in mon.effects if each.startswith("perish")]:
                del mon.effects[old]
        elif effect in {"dynamax", "mimic"}:
            return
        if tags.source.startswith("ability:") and not tags.of:
            self._ability_of(mon, tags.source_id)
        layers = mon.effects.get(effect, (0, 0))[1] + 1 if effect == "stockpile" else 1
        mon.effects[effect] = (self.turn, layers)

    def _end(self, line: Line, tags: Tags) -> None:
        mon, effect = self.mon(line[2]), protocol.effect_id(line[3])
        if mon is None:
            return
        if effect in {"futuresight", "doomdesire"}:
            self.futures.pop("p2" if mon.side == "p1" else "p1", None)
        if effect == "substitute":
            mon.substitute = False
        if effect == "disable":
            mon.disabled = None
        if effect == "illusion":
            mon.own_ability = mon.ability = "illusion"
        if effect in {"protosynthesis", "quarkdrive"}:
            for each in [name for name in mon.effects if name.startswith(effect)]:
                del mon.effects[each]
        if effect == "stockpile":
            mon.effects.pop("stockpile", None)
        mon.effects.pop(effect, None)

    def _single(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.effects[protocol.effect_id(line[3])] = (self.turn, 1)

    def _activate(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2]) if line[2] else None
        if mon is None:
            return
        effect = protocol.effect_id(line[3])
        if line[3].startswith("ability:"):
            self._ability_of(mon, effect)
        elif line[3].startswith("item:"):
            _holds(mon, effect)
        elif effect == "trapped":
            mon.effects[effect] = (self.turn, 1)
        elif effect == "substitute" and self._strike:
            self._strike = None
        elif effect == "protect" or effect in ONE_TURN or effect in NOT_HELD:
            pass
        elif "[of]" in "|".join(line) and _binds(effect):
            mon.effects["partiallytrapped"] = (self.turn, 1)

    def _prepare(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.charging = dex.to_id(line[3])

    def _mustrecharge(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.recharging = True

    # Items, abilities, formes

    def _item(self, line: Line, tags: Tags) -> None:
        mon, item = self.mon(line[2]), dex.to_id(line[3])
        if mon is None:
            return
        if tags.source_id == "frisk" and tags.of:
            self._ability_of(self.mons.get(tags.of), "frisk")
        if tags.source_id in {"trick", "switcheroo", *STOLEN}:
            self._swapped(mon, item, self.mons.get(tags.of) or self.foe(mon), tags.source_id)
        else:
            _holds(mon, item)

    def _swapped(self, mon: Seen, item: str, other: Seen | None, how: str) -> None:
        """An item that came from the other one tells what that one held at first."""
        if other is not None:
            other.first_item = other.first_item if other.first_item is not None else item
            if how in STOLEN:
                other.item = ""
        mon.item = item

    def _enditem(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            _holds(mon, dex.to_id(line[3]))
            mon.item = ""

    def _ability(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2])
        if tags.source_id == "trace" and mon:
            mon.own_ability = mon.own_ability or "trace"
            if foe := self.mons.get(tags.of):
                self._ability_of(foe, dex.to_id(line[3]))
            mon.ability = dex.to_id(line[3])
            return
        self._ability_of(mon, dex.to_id(line[3]))

    def _endability(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.ability = ""

    def _ability_of(self, mon: Seen | None, ability: str) -> None:
        if mon is None:
            return
        mon.ability = ability
        if mon.own_ability is None and mon.transformed is None and ability != "mummy":
            mon.own_ability = ability

    def _immune(self, line: Line, tags: Tags) -> None:
        if tags.source.startswith("ability:"):
            self._ability_of(self.mon(line[2]), tags.source_id)

    def _block(self, line: Line, tags: Tags) -> None:
        if len(line) > 3 and line[3].startswith("ability:"):
            owner = self.mons.get(tags.of) if tags.of else self.mon(line[2])
            self._ability_of(owner, protocol.effect_id(line[3]))

    def _formechange(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.species = protocol.details(line[3]).species
            mon.types = ()

    def _transform(self, line: Line, tags: Tags) -> None:
        mon, into = self.mon(line[2]), self.mon(line[3])
        if mon is None or into is None:
            return
        if tags.source_id == "imposter":
            mon.own_ability = "imposter"
        mon.transformed, mon.species = into.ident, into.species
        mon.boosts, mon.ability = dict(into.boosts), into.ability

    def _terastallize(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.tera, mon.types, mon.added_type = line[3].lower(), (), ""
            self.tera_used[mon.side] = mon.ident

    # Field and sides

    def _weather(self, line: Line, tags: Tags) -> None:
        found = protocol.weather_id(line[2])
        if not found:
            self.weather = None
        elif "upkeep" not in tags.words:
            permanent = found in {"desolateland", "primordialsea", "deltastream"}
            self.weather = (found, self.turn, permanent)
            if tags.source.startswith("ability:"):
                self._ability_of(self.mons.get(tags.of), tags.source_id)

    def _fieldstart(self, line: Line, tags: Tags) -> None:
        found = protocol.effect_id(line[2])
        if found.endswith("terrain"):
            self.terrain = (found, self.turn)
        else:
            self.rooms[found] = self.turn
        if tags.source.startswith("ability:") and tags.of:
            self._ability_of(self.mons.get(tags.of), tags.source_id)

    def _fieldend(self, line: Line, tags: Tags) -> None:
        found = protocol.effect_id(line[2])
        if found.endswith("terrain"):
            self.terrain = None
        self.rooms.pop(found, None)

    def _sidestart(self, line: Line, tags: Tags) -> None:
        side, found = self.sides[line[2][:2]], protocol.effect_id(line[3])
        start, layers = side.get(found, (self.turn, 0))
        side[found] = (start, layers + 1)

    def _sideend(self, line: Line, tags: Tags) -> None:
        self.sides[line[2][:2]].pop(protocol.effect_id(line[3]), None)

    def _swapsideconditions(self, line: Line, tags: Tags) -> None:
        self.sides["p1"], self.sides["p2"] = self.sides["p2"], self.sides["p1"]

    # The clock

    def _upkeep(self, line: Line, tags: Tags) -> None:
        self._settle()

    def _turn(self, line: Line, tags: Tags) -> None:
        self._settle()
        self._compare_speeds()
        self._order, self._turn_speeds, self._came, self._hurt = [], {}, set(), set()
        self.turn = int(line[2])
        for mon in self.mons.values():
            if mon.active:
                self._age(mon)
        for side, (begun, _) in list(self.futures.items()):
            if self.turn - begun > 2:
                del self.futures[side]
        for side, (begun, _) in list(self.wishes.items()):
            if self.turn - begun > 1:
                del self.wishes[side]

    def _age(self, mon: Seen) -> None:
        for effect in ONE_TURN & mon.effects.keys():
            del mon.effects[effect]
        if mon.status == "tox":
            mon.poisoned_for += 1
        if mon.last_move == "wish" and mon.used_since_entry[-1:] == ["wish"]:
            self.wishes.setdefault(mon.side, (self.turn - 1, mon.ident))

    def _compare_speeds(self) -> None:
        """Who moved first tells of speed where both used moves of one priority."""
        if len(self._order) != 2:
            return
        (first, one), (second, other) = self._order
        if first[:2] == second[:2] or not (dex.knows_move(one) and dex.knows_move(other)):
            return
        if dex.move(one).priority != dex.move(other).priority:
            return
        for ident, mate, led in ((first, second, True), (second, first, False)):
            mon = self.mons.get(ident)
            seen, theirs = self._turn_speeds.get(ident), self._turn_speeds.get(mate)
            if mon is None or seen is None or theirs is None:
                continue
            update = {
                "mate": mate, "first": led, "mate_boost": theirs.boost,
                "mate_paralysed": theirs.paralysed, "mate_tailwind": theirs.tailwind,
                "move": one if led else other, "mate_move": other if led else one,
            }  # fmt: skip
            mon.speeds = [*mon.speeds[-5:], seen.model_copy(update=update)]

    def _player(self, line: Line, tags: Tags) -> None:
        if len(line) > 3 and line[3]:
            self.names[line[2]] = line[3]

    def _teamsize(self, line: Line, tags: Tags) -> None:
        self.sizes[line[2]] = int(line[3])

    def _tier(self, line: Line, tags: Tags) -> None:
        self.format = dex.to_id(line[2])

    def _win(self, line: Line, tags: Tags) -> None:
        self._settle()
        self.winner = line[2]


def _base(species: str) -> str:
    return species


def _holds(mon: Seen, item: str) -> None:
    """An item shown; the first one shown is the one it came with."""
    mon.item = item
    if mon.first_item is None:
        mon.first_item = item


def _binds(effect: str) -> bool:
    return dex.knows_move(effect) and dex.move(effect).volatile == "partiallytrapped"


def _enter(mon: Seen, species: str, turn: int) -> None:
    mon.active, mon.entered, mon.species = True, turn, species
    mon.boosts, mon.effects, mon.used_since_entry = {}, {}, []
    mon.last_move = None


Handler = Callable[[Chronicle, Line, Tags], None]


def _handlers(names: Iterable[str]) -> dict[str, Handler]:
    return {name: getattr(Chronicle, f"_{name}") for name in names}


_HANDLERS: dict[str, Handler] = {
    **_handlers((
        "switch", "replace", "faint", "move", "damage", "crit", "heal", "sethp", "cant", "boost",
        "unboost", "setboost", "clearboost", "clearallboost", "clearpositiveboost",
        "clearnegativeboost", "copyboost", "swapboost", "invertboost", "status", "curestatus",
        "cureteam", "start", "end", "activate", "prepare", "mustrecharge", "item", "enditem",
        "ability", "endability", "immune", "block", "formechange", "transform", "terastallize",
        "weather", "fieldstart", "fieldend", "sidestart", "sideend", "swapsideconditions",
        "upkeep", "turn", "player", "teamsize", "tier", "win",
    )),
    "drag": Chronicle._switch,
    "singleturn": Chronicle._single,
    "singlemove": Chronicle._single,
    "detailschange": Chronicle._formechange,
}  # fmt: skip

_TOLD = {
    "move", "switch", "drag", "faint", "cant", "turn", "-damage", "-heal", "-status", "-curestatus",
    "-boost", "-unboost", "-weather", "-sidestart", "-sideend", "-fieldstart", "-fieldend",
    "-terastallize", "-enditem", "-item", "-ability", "-crit", "-supereffective", "-resisted",
    "-immune", "-miss", "-fail", "replace", "-start", "-end", "win", "tie",
}  # fmt: skip
