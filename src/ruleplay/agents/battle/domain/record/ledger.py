"""The data that all message handlers write to, and lookups in it."""

from __future__ import annotations

from ruleplay.agents.battle.domain import protocol
from ruleplay.agents.battle.domain.position import Boosts, Hit, SpeedSeen
from ruleplay.agents.battle.domain.record.seen import Seen, Strike

STATUSES = frozenset({"", "brn", "par", "slp", "frz", "psn", "tox", "fnt"})


class Ledger:
    """Everything recorded of a battle so far."""

    def __init__(self) -> None:
        self.mons: dict[str, Seen] = {}
        self.turn = 0
        self.upkeeps = 0
        """Ends of turns so far: what lasts counts these, for it may begin after the end of one."""
        self.sizes: dict[str, int] = {}
        self.names: dict[str, str] = {}
        self.leads: dict[str, str] = {}
        self.rules: list[str] = []
        self.previews: dict[str, list[str]] = {"p1": [], "p2": []}
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
        self._strike: Strike | None = None
        self._order: list[tuple[str, str]] = []
        self._turn_speeds: dict[str, SpeedSeen] = {}
        self._came: set[str] = set()
        self._acted: set[str] = set()
        self._fed: set[str] = set()
        """Who was whole, or healed by what it holds, at the end of this turn."""
        self._hurt: set[tuple[str, str]] = set()
        self._read = 0

    def acted(self, side: str) -> bool:
        """Check whether `p1` or `p2` has already acted this turn."""
        return side in self._acted

    def active(self, side: str, place: str = "") -> Seen | None:
        """Find the active Pokémon of `p1` or `p2`, in a certain place or any."""
        standing = (mon for mon in self.mons.values() if mon.active and mon.side == side)
        return next((mon for mon in standing if place in ("", mon.place)), None)

    def foe(self, mon: Seen) -> Seen | None:
        """Find the opponent on the field."""
        return self.active("p2" if mon.side == "p1" else "p1")

    def mon(self, text: str) -> Seen | None:
        """Find the record of a Pokémon named in a message; None if it never came in."""
        return self.mons.get(protocol.ident(text))

    def boosts(self, mon: Seen) -> Boosts:
        """Convert a Pokémon's current stages."""
        return Boosts.model_validate(mon.stages)

    def _ability_of(self, mon: Seen | None, ability: str) -> None:
        if mon is None:
            return
        mon.ability = ability
        # Mummy is passed on by contact, and a transformed Pokémon shows another's ability.
        if mon.own_ability is None and mon.transformed is None and ability != "mummy":
            mon.own_ability = ability

    def _health(self, mon: Seen, text: str) -> None:
        try:
            found = protocol.condition(text)
        except ValueError:
            return
        mon.hp = found.share
        # A maximum of 100 means percent, unless its points are known.
        if found.whole != 100 or mon.hp_max not in {None, 100}:
            mon.hp_now, mon.hp_max = found.now, found.whole if found.now else mon.hp_max
        self._set_status(mon, found.status)

    def _set_status(self, mon: Seen, status: str) -> None:
        if status not in STATUSES:
            return
        if status != mon.status:
            mon.asleep_for, mon.poisoned_for, mon.rested = 0, 0, False
        mon.status = status
