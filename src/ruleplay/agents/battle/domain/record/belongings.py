"""Records items, abilities and formes as they are shown, and conditions of field and sides."""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.protocol import Line, Tags
from ruleplay.agents.battle.domain.record.conditions import Conditions
from ruleplay.agents.battle.domain.record.seen import Seen, shows_item

STOLEN = {"magician", "pickpocket", "thief", "covet"}
"""Effects that take the other Pokémon's item."""


class Belongings(Conditions):
    """Handles messages about items, abilities, formes, weather, terrain and sides."""

    def _item(self, line: Line, tags: Tags) -> None:
        mon, item = self.mon(line[2]), dex.to_id(line[3])
        if mon is None:
            return
        # Frisk reveals an item, and thereby also the ability of the one who looked.
        if tags.source_id == "frisk" and tags.of:
            self._ability_of(self.mons.get(tags.of), "frisk")
        if tags.source_id in {"trick", "switcheroo", *STOLEN}:
            self._swapped(mon, item, self.mons.get(tags.of) or self.foe(mon), tags.source_id)
        else:
            shows_item(mon, item)

    def _swapped(self, mon: Seen, item: str, other: Seen | None, how: str) -> None:
        """Record an item that came from another Pokémon, which thus had it at first."""
        if other is not None:
            other.first_item = other.first_item if other.first_item is not None else item
            if how in STOLEN:
                other.item = ""
        mon.item = item

    def _enditem(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            shows_item(mon, dex.to_id(line[3]))
            mon.item = ""
            if mon.active:
                # Unburden doubles speed from the loss of the item until leaving; it has no message.
                mon.effects["unburden"] = (self.turn, 1)

    def _ability(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2])
        # Trace reveals itself and the ability that it copies from the opponent.
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

    def _immune(self, line: Line, tags: Tags) -> None:
        self._missed(line, tags)
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

    def _weather(self, line: Line, tags: Tags) -> None:
        found = protocol.weather_id(line[2])
        if not found:
            self.weather = None
        # The weather is repeated every turn; only its beginning is dated.
        elif "upkeep" not in tags.words:
            permanent = found in {"desolateland", "primordialsea", "deltastream"}
            self.weather = (found, self.upkeeps, permanent)
            if tags.source.startswith("ability:"):
                self._ability_of(self.mons.get(tags.of), tags.source_id)

    def _fieldstart(self, line: Line, tags: Tags) -> None:
        found = protocol.effect_id(line[2])
        if found.endswith("terrain"):
            self.terrain = (found, self.upkeeps)
        else:
            self.rooms[found] = self.upkeeps
        if tags.source.startswith("ability:") and tags.of:
            self._ability_of(self.mons.get(tags.of), tags.source_id)

    def _fieldend(self, line: Line, tags: Tags) -> None:
        found = protocol.effect_id(line[2])
        if found.endswith("terrain"):
            self.terrain = None
        self.rooms.pop(found, None)

    def _sidestart(self, line: Line, tags: Tags) -> None:
        side, found = self.sides[line[2][:2]], protocol.effect_id(line[3])
        # Dated by ends of turns: a switch between two turns may set conditions, too.
        start, layers = side.get(found, (self.upkeeps, 0))
        side[found] = (start, layers + 1)

    def _sideend(self, line: Line, tags: Tags) -> None:
        self.sides[line[2][:2]].pop(protocol.effect_id(line[3]), None)

    def _swapsideconditions(self, line: Line, tags: Tags) -> None:
        self.sides["p1"], self.sides["p2"] = self.sides["p2"], self.sides["p1"]
