"""The record of a battle, built line by line from the server's messages to one player.

It keeps what decisions need beyond the current state: who showed which move when and how often,
what each hit did under which circumstances, who moved first, and which items and abilities that
rules out. It reads public messages only, so it works for live battles, saved logs and replays
alike. Messages it does not know or cannot read are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.mechanics import words
from ruleplay.agents.battle.domain.position import LOG_LIMIT, RULES_LIMIT
from ruleplay.agents.battle.domain.protocol import Line, Tags
from ruleplay.agents.battle.domain.record.belongings import Belongings
from ruleplay.agents.battle.domain.record.conditions import ONE_TURN
from ruleplay.agents.battle.domain.record.seen import Seen

PREVIEW_LIMIT = 24
"""Most species of a team preview that are kept."""
__all__ = ["Chronicle", "Seen"]


class Chronicle(Belongings):
    """The record of one battle; `read` adds new lines."""

    def read(self, lines: Sequence[Line]) -> None:
        """Add the new lines; `lines` is the whole log, which only grows between calls."""
        for line in lines[self._read :]:
            self.take(line)
        self._read = len(lines)

    def take(self, line: Line) -> None:
        """Add one message."""
        if len(line) < 2:
            return
        kind = line[1].lstrip("-")
        # Minor actions begin with "-"; handlers are named without it.
        handler = _HANDLERS.get(kind)
        if handler is not None and len(line) > 2 - (kind in {"upkeep", "clearallboost"}):
            # A server may send anything; unreadable messages are ignored.
            with suppress(IndexError, KeyError, ValueError):
                handler(self, line, protocol.tags(line[3:]))
        if line[1] in _TOLD:
            self.log.append("|".join(line[1:])[:160])
            del self.log[:-LOG_LIMIT]

    def _switch(self, line: Line, tags: Tags) -> None:
        name, found = protocol.ident(line[2]), protocol.details(line[3])
        passed: tuple[dict[str, int], dict[str, tuple[int, int]]] = ({}, {})
        for other in self.mons.values():
            if other.side == name[:2] and other.active and other.place == line[2][2:3]:
                passed = _passed_on(other, tags.source_id)
                self._leave(other)
        # A drag is not the player's own action.
        if line[1] == "switch":
            self._acted.add(name[:2])
        mon = self.mons.get(name)
        if mon is None:
            base = found.species
            mon = Seen(name, found.species, base, found.level, found.gender)
            self.mons[name] = mon
        elif len(line) > 4:
            _healed_away(mon, line[4])
        _enter(mon, found.species, self.turn)
        mon.place = line[2][2:3]
        mon.boosts, mon.effects = passed
        mon.substitute = "substitute" in mon.effects
        if found.tera:
            mon.tera = found.tera
        self._health(mon, line[4] if len(line) > 4 else "100/100")
        self._strike = None
        self._came.add(name)
        self.leads.setdefault(name[:2], name)

    def _leave(self, mon: Seen) -> None:
        """Record that a Pokémon leaves the field, with what that resets and heals."""
        # Regenerator and Natural Cure work on leaving without a message.
        if mon.own_ability == "regenerator" and mon.hp > 0:
            mon.hp = min(1.0, mon.hp + 1 / 3)
        if mon.own_ability == "naturalcure" and mon.hp > 0:
            mon.status = ""
        mon.active = False
        mon.boosts, mon.effects, mon.types, mon.added_type = {}, {}, (), ""
        mon.used_since_entry, mon.last_move, mon.disabled = [], None, None
        mon.transformed, mon.recharging, mon.charging, mon.substitute = None, False, None, False
        mon.ability, mon.poisoned_for = mon.own_ability, 0
        # These formes outlast a switch; all others revert.
        if not mon.species.startswith(("palafin", "mimikyu", "eiscue", "ogerpon", "terapagos")):
            mon.species = mon.base

    def _replace(self, line: Line, tags: Tags) -> None:
        """End an Illusion: credit what the disguise did on the field to its real user."""
        name, found = protocol.ident(line[2]), protocol.details(line[3])
        disguise = self.active(name[:2], line[2][2:3])
        mon = self.mons.get(name) or Seen(name, found.species, found.species, found.level)
        self.mons[name] = mon
        if disguise is None or disguise is mon:
            return
        mon.active, mon.entered, mon.own_ability, mon.ability = (
            True,
            disguise.entered,
            "illusion",
            "illusion",
        )
        mon.boosts, mon.effects = dict(disguise.boosts), dict(disguise.effects)
        mon.hp, mon.status, mon.place = disguise.hp, disguise.status, disguise.place
        mon.used_since_entry = list(disguise.used_since_entry)
        for used in disguise.used_since_entry:
            mon.moves[used] = mon.moves.get(used, 0) + 1
            disguise.moves[used] = disguise.moves.get(used, 1) - 1
            if disguise.moves[used] <= 0:
                del disguise.moves[used]
        disguise.speeds = [seen for seen in disguise.speeds if seen.turn < disguise.entered]
        # Hits of and on the disguise were computed with the wrong Pokémon's stats.
        self.hits = [h for h in self.hits if not (h.by == disguise.ident or h.on == disguise.ident)]
        disguise.hp, disguise.status, disguise.hp_now = 1.0, "", None
        self._leave(disguise)

    def _faint(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.hp, mon.status, mon.hp_now = 0.0, "fnt", 0
            mon.effects, mon.boosts = {}, {}

    def _upkeep(self, line: Line, tags: Tags) -> None:
        """End a turn: count it, and rule out Leftovers that should have shown."""
        self._settle()
        self.upkeeps += 1
        for mon in self.mons.values():
            if mon.active and mon.status == "tox":
                mon.poisoned_for += 1
            if mon.active and self._would_feed(mon):
                mon.ruled_out_items.add("leftovers")
                if self._is_poison(mon):
                    mon.ruled_out_items.add("blacksludge")
        self._fed = set()

    def _would_feed(self, mon: Seen) -> bool:
        """Check whether Leftovers would have shown: it is hurt, and nothing prevents healing."""
        hurt = mon.item is None and 0 < mon.hp < 1 and mon.ident not in self._fed
        return (
            hurt
            and not {"healblock", "embargo"} & mon.effects.keys()
            and not ("magicroom" in self.rooms or mon.own_ability == "klutz")
        )

    def _is_poison(self, mon: Seen) -> bool:
        return "poison" in dex.species(mon.species).types

    def _turn(self, line: Line, tags: Tags) -> None:
        """Begin a turn: compare last turn's speeds, and drop what has run out."""
        self._settle()
        self._compare_speeds()
        self._order, self._turn_speeds, self._came, self._hurt = [], {}, set(), set()
        self._acted = set()
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
        # Showdown announces a Wish only when it comes true, so its start is taken from the move.
        if mon.last_move == "wish" and mon.used_since_entry[-1:] == ["wish"]:
            self.wishes.setdefault(mon.side, (self.turn - 1, mon.ident))

    def _compare_speeds(self) -> None:
        """Record who moved first, if both sides used moves of the same priority."""
        # Only a turn in which both sides used a move compares speeds.
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
                "mate": mate,
                "first": led,
                "mate_boost": theirs.boost,
                "mate_paralysed": theirs.paralysed,
                "mate_tailwind": theirs.tailwind,
                "move": one if led else other,
                "mate_move": other if led else one,
            }
            mon.speeds = [*mon.speeds[-5:], seen.model_copy(update=update)]

    def _player(self, line: Line, tags: Tags) -> None:
        if len(line) > 3 and line[3]:
            self.names[line[2]] = line[3]

    def _teamsize(self, line: Line, tags: Tags) -> None:
        self.sizes[line[2]] = int(line[3])

    def _poke(self, line: Line, tags: Tags) -> None:
        if len(self.previews[line[2]]) < PREVIEW_LIMIT:
            self.previews[line[2]].append(protocol.details(line[3]).species)

    def _tier(self, line: Line, tags: Tags) -> None:
        self.format = dex.to_id(line[2])

    def _rule(self, line: Line, tags: Tags) -> None:
        if len(self.rules) < RULES_LIMIT:
            self.rules.append(line[2])

    def _win(self, line: Line, tags: Tags) -> None:
        self._settle()
        self.winner = line[2]


PASSED_ON = frozenset(words("passed_on"))
"""What Baton Pass passes on besides stages; Shed Tail passes on the substitute only."""


def _passed_on(mon: Seen, how: str) -> tuple[dict[str, int], dict[str, tuple[int, int]]]:
    """Determine the stages and effects that the Pokémon coming in inherits."""
    if how == "shedtail":
        return {}, {k: v for k, v in mon.effects.items() if k == "substitute"}
    if how == "batonpass":
        return dict(mon.boosts), {k: v for k, v in mon.effects.items() if k in PASSED_ON}
    return {}, {}


def _healed_away(mon: Seen, text: str) -> None:
    """Deduce from health and status on return whether an ability healed it on the bench."""
    with suppress(ValueError):
        back = protocol.condition(text)
        if mon.own_ability is None and 0 < mon.hp < 1:
            # Regenerator heals a third; a quarter allows for rounding.
            if back.share > mon.hp + 0.25 or (back.share == 1 and mon.hp < 1):
                mon.own_ability = "regenerator"
            elif abs(back.share - mon.hp) < 0.02:
                mon.ruled_out_abilities.add("regenerator")
        if mon.own_ability is None and mon.status not in {"", "fnt"}:
            if back.status == "":
                mon.own_ability = "naturalcure"
            else:
                mon.ruled_out_abilities.add("naturalcure")


def _enter(mon: Seen, species: str, turn: int) -> None:
    mon.active, mon.entered, mon.species = True, turn, species
    mon.boosts, mon.effects, mon.used_since_entry = {}, {}, []
    mon.last_move = None


Handler = Callable[[Chronicle, Line, Tags], None]


_HANDLERS: dict[str, Handler] = {
    **{name: getattr(Chronicle, f"_{name}") for name in words("messages")},
    "drag": Chronicle._switch,
    "miss": Chronicle._missed,
    "singleturn": Chronicle._single,
    "singlemove": Chronicle._single,
    "detailschange": Chronicle._formechange,
}
"""The handler of each message; most have the message's name."""

_TOLD = frozenset(words("told_messages"))
"""Messages that are kept in the position's log."""
