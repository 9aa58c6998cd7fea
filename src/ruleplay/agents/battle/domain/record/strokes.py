"""Records the use of moves, with the damage, healing and speed that they reveal."""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.position import HITS_LIMIT, Hit, SpeedSeen
from ruleplay.agents.battle.domain.protocol import Line, Tags
from ruleplay.agents.battle.domain.record.ledger import Ledger
from ruleplay.agents.battle.domain.record.seen import Seen, Strike, shows_item

SCREENS = ("reflect", "lightscreen", "auroraveil")
"""Conditions that reduce damage."""


class Strokes(Ledger):
    """Handles messages about moves and health."""

    def _move(self, line: Line, tags: Tags) -> None:
        """Record a move's use, and begin to collect its effects."""
        mon, move = self.mon(line[2]), dex.to_id(line[3])
        if mon is None:
            return
        self._settle()
        self._acted.add(mon.side)
        mon.recharging, mon.charging = False, None
        called = tags.source_id
        # A move called by another (Metronome, Dancer, …) does not belong to the Pokémon's set.
        own = called in {"", "lockedmove", "sleeptalk"} or called == move
        if own and called != "lockedmove" and move != "struggle" and dex.knows_move(move):
            self._show(mon, move, counts=called != "sleeptalk")
        if not called or called == "lockedmove":
            mon.last_move = move
            mon.used_since_entry.append(move)
        # Only the first, freely chosen move of each shows who is faster.
        if not called and mon.ident not in {each for each, _ in self._order}:
            self._order.append((mon.ident, move))
            self._note_speed(mon)
        target = line[4] if len(line) > 4 else ""
        on = self.mon(target) if target else None
        self._strike = Strike(mon.ident, move)
        if on is not None and on is not mon:
            self._strike.on = on.ident
        if dex.move(move).locks:
            mon.effects.setdefault("lockedmove", (self.turn, 1))
        if move == "glaiverush":
            mon.effects["glaiverush"] = (self.turn, 1)
        elif "glaiverush" in mon.effects:
            del mon.effects["glaiverush"]

    def _show(self, mon: Seen, move: str, *, counts: bool) -> None:
        if mon.transformed:
            return
        foe = self.foe(mon)
        # Pressure makes moves cost two PP.
        pressed = foe is not None and foe.ability == "pressure" and foe.status != "fnt"
        used = (2 if pressed else 1) if counts else 0
        mon.moves[move] = mon.moves.get(move, 0) + used
        # Choice items allow only one move until leaving, Assault Vest no status moves.
        since = {each for each in mon.used_since_entry if each != move}
        if since and "choice" not in (mon.item or ""):
            mon.ruled_out_items.update(("choiceband", "choicespecs", "choicescarf"))
        if dex.move(move).category == "status":
            mon.ruled_out_items.add("assaultvest")

    def _note_speed(self, mon: Seen) -> None:
        """Record what influences speed at the time of moving; compared when both have moved."""
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
            # At full health there is nothing to heal, so silent Leftovers prove nothing.
            if before >= 1:
                self._fed.add(mon.ident)
            self._hurt_by(mon, tags)
        # Damage without a named source is that of the move in progress.
        elif strike is not None and strike.by != mon.ident and self.mons.get(strike.by):
            self._struck(strike, mon, before)

    def _struck(self, strike: Strike, mon: Seen, before: float) -> None:
        by = self.mons[strike.by]
        if strike.at is None:
            strike.on, strike.before = mon.ident, before
            strike.at = self._hit(by, mon, strike, before)
        # Of a move with several targets, only the first is followed.
        if strike.on != mon.ident:
            return
        strike.hits += 1
        strike.damage += before - mon.hp
        strike.capped = strike.capped or mon.hp <= 0
        mon.times_hit += 1
        self._hurt.add((strike.by, mon.ident))

    def _hit(self, by: Seen, on: Seen, strike: Strike, before: float) -> Hit:
        """Record the circumstances of a hit; its damage is added as it is reported."""
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
            # The attacker moves after a target that has just come in or has already moved.
            last=on.ident in self._came or on.ident in {each for each, _ in self._order[:-1]},
        )

    def _settle(self) -> None:
        """Complete the current strike and add it to the hits."""
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
        """Deduce an item or ability from damage that did not come from a move."""
        if tags.source.startswith("item:"):
            owner = self.mons.get(tags.of, mon) if tags.of else mon
            shows_item(owner, tags.source_id)
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
            self._fed.add(mon.ident)
            if tags.source_id in {"leftovers", "blacksludge", "shellbell"}:
                shows_item(mon, tags.source_id)
        elif tags.source.startswith("ability:"):
            self._ability_of(mon, tags.source_id)
        elif tags.source_id == "wish":
            self.wishes.pop(mon.side, None)

    def _missed(self, line: Line, tags: Tags) -> None:
        """Handle a move without effect: its user is not locked into it."""
        if self._strike and (by := self.mons.get(self._strike.by)):
            by.effects.pop("lockedmove", None)

    def _sethp(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            self._health(mon, line[3])

    def _cant(self, line: Line, tags: Tags) -> None:
        """Record that a Pokémon could not act."""
        mon = self.mon(line[2])
        if mon is None:
            return
        self._settle()
        self._acted.add(mon.side)
        mon.recharging, mon.charging = False, None
        why = protocol.effect_id(line[3]) if len(line) > 3 else ""
        if why == "slp":
            mon.asleep_for += 1
        if why in {"slp", "par", "frz", "flinch"}:
            mon.effects.pop("lockedmove", None)
