"""A request of the server with everything known at that moment: the input of every decision.

Our side is exact, from the request. Theirs has only what was revealed, with the evidence from which
more can be deduced. Ids are Showdown's (`greattusk`, `closecombat`, `heavydutyboots`), types are
lower-case words, health is a fraction from 0 to 1, idents are the server's (`p1: Great Tusk`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from pydantic import Field

from ruleplay.agents.battle.domain import orders
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.orders import Order

Status = Literal["", "brn", "par", "slp", "frz", "psn", "tox", "fnt"]
Source = Literal["unknown", "request", "seen", "deduced"]
"""How an item or ability became known; with `unknown` it is None."""

STATS = ("hp", "atk", "def", "spa", "spd", "spe")
TEAM_LIMIT = 24
"""Members of a team at most."""
LOG_LIMIT = 80
"""Lines of the log in a position, the latest."""
HITS_LIMIT = 32
"""Hits in a position, the latest."""
RULES_LIMIT = 24


class Stats(Frozen):
    """The six raw stats, without stages, items and status."""

    hp: int
    atk: int
    def_: int = Field(alias="def", serialization_alias="def")
    spa: int
    spd: int
    spe: int

    model_config = Frozen.model_config | {"populate_by_name": True, "serialize_by_alias": True}

    def __getitem__(self, stat: str) -> int:
        """Read a stat by its Showdown name (`def` is a keyword of Python)."""
        value: int = getattr(self, "def_" if stat == "def" else stat)
        return value


class Boosts(Frozen):
    """Stat stages, from -6 to 6."""

    atk: int = 0
    def_: int = Field(default=0, alias="def", serialization_alias="def")
    spa: int = 0
    spd: int = 0
    spe: int = 0
    accuracy: int = 0
    evasion: int = 0

    model_config = Frozen.model_config | {"populate_by_name": True, "serialize_by_alias": True}

    def __getitem__(self, stat: str) -> int:
        """Read a stage by its Showdown name."""
        value: int = getattr(self, "def_" if stat == "def" else stat)
        return value

    @property
    def raised(self) -> int:
        """The sum of all stages above zero."""
        return sum(
            max(0, stage)
            for stage in (self.atk, self.def_, self.spa, self.spd, self.spe, self.evasion)
        )


class MoveSlot(Frozen):
    """A move that a Pokémon is known to have."""

    id: str
    pp: int
    max_pp: int
    disabled: bool = False


class Timed(Frozen):
    """A condition: its id (`substitute`, `stealthrock`), its layers and the turns it has lasted.

    `left` is the number of turns it still lasts; None if that is not certain.
    """

    id: str
    layers: int = 1
    turns: int = 0
    left: int | None = None


class SpeedSeen(Frozen):
    """One observation of who moved first, with moves of equal priority.

    It belongs to one Pokémon: `first` if that one moved before `mate`, its opponent. The other
    fields are what influences speed: stages, paralysis and Tailwind of both, and the field.
    """

    turn: int
    mate: str = ""
    first: bool = False
    move: str = ""
    mate_move: str = ""
    boost: int = 0
    paralysed: bool = False
    tailwind: bool = False
    mate_boost: int = 0
    mate_paralysed: bool = False
    mate_tailwind: bool = False
    trick_room: bool = False
    weather: str = ""
    terrain: str = ""


class Hit(Frozen):
    """One observed damaging hit and its circumstances; `damage` is a fraction of full health.

    `by` and `on` are idents. `capped` means that the target fainted, so the roll may have been
    higher. `precision` is the step in which the damage is known, 0.01 for theirs.
    """

    turn: int
    by: str
    on: str
    move: str
    damage: float
    capped: bool = False
    crit: bool = False
    hits: int = 1
    precision: float = 0.01
    by_boosts: Boosts = Boosts()
    on_boosts: Boosts = Boosts()
    by_status: Status = ""
    on_status: Status = ""
    by_hp: float = 1.0
    on_hp: float = 1.0
    by_tera: str = ""
    on_tera: str = ""
    by_item: str | None = None
    on_item: str | None = None
    weather: str = ""
    terrain: str = ""
    screens: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    by_volatiles: tuple[str, ...] = ()
    on_volatiles: tuple[str, ...] = ()
    by_species: str = ""
    on_species: str = ""
    by_types: tuple[str, ...] = ()
    on_types: tuple[str, ...] = ()
    by_fallen: int = 0
    by_times_hit: int = 0
    on_ability: str | None = None
    by_ability: str | None = None
    incoming: bool = False
    last: bool = False
    struck: bool = False


class Mon(Frozen):
    """A Pokémon: ours exactly, theirs as far as revealed.

    `species` is its current forme, `base` the one its set was made for (a key of the set pool).
    `second` means the second place in a double battle. `hp_now` and `hp_max` are points, known of
    ours only. `status_turns` counts turns asleep or badly poisoned. An `item` of "" means that it
    holds nothing, None that it is unknown; `first_item` is what it held when it first came in.
    """

    ident: str
    name: str
    species: str
    base: str
    level: int
    gender: str = ""
    types: tuple[str, ...]
    own_types: tuple[str, ...] = ()
    tera_type: str | None = None
    terastallized: bool = False
    active: bool = False
    second: bool = False
    hp: float = 1.0
    hp_now: int | None = None
    hp_max: int | None = None
    status: Status = ""
    status_turns: int = 0
    rested: bool = False
    boosts: Boosts = Boosts()
    stats: Stats | None = None
    item: str | None = None
    item_source: Source = "unknown"
    first_item: str | None = None
    ability: str | None = None
    own_ability: str | None = None
    ability_source: Source = "unknown"
    moves: tuple[MoveSlot, ...] = ()
    volatiles: tuple[Timed, ...] = ()
    last_move: str | None = None
    turns_active: int = 0
    transformed: str | None = None
    must_recharge: bool = False
    charging: str | None = None
    locked: str | None = None
    times_hit: int = 0
    ruled_out_items: tuple[str, ...] = ()
    ruled_out_abilities: tuple[str, ...] = ()
    speeds: tuple[SpeedSeen, ...] = ()

    @property
    def fainted(self) -> bool:
        """Whether it has fainted."""
        return self.status == "fnt" or self.hp <= 0

    @cached_property
    def effects(self) -> frozenset[str]:
        """The ids of its volatile conditions."""
        return frozenset(effect.id for effect in self.volatiles)

    def effect(self, name: str) -> Timed | None:
        """Find the volatile condition with this id."""
        return next((each for each in self.volatiles if each.id == name), None)

    @property
    def known_moves(self) -> tuple[str, ...]:
        """Ids of the moves it is known to have."""
        return tuple(slot.id for slot in self.moves)


class Side(Frozen):
    """One player's side: `team` has all of ours, or the revealed ones of theirs.

    `size` is the number of the team's members, revealed or not.
    """

    name: str = ""
    team: tuple[Mon, ...] = Field(default=(), max_length=TEAM_LIMIT)
    size: int = 6
    conditions: tuple[Timed, ...] = ()
    tera_used: bool = False
    wish: tuple[int, int] = (0, 0)
    future_sight: tuple[int, str] = (0, "")
    preview: tuple[str, ...] = Field(default=(), max_length=TEAM_LIMIT)
    """The team's species as team preview showed them, in formats that have it."""
    lead: str = ""
    """The ident of the Pokémon sent in first, if that was seen."""

    @cached_property
    def active(self) -> Mon | None:
        """The Pokémon on the field, which may have fainted and not been replaced yet."""
        return next((mon for mon in self.team if mon.active), None)

    @property
    def bench(self) -> tuple[Mon, ...]:
        """Those who could be sent in."""
        return tuple(mon for mon in self.team if not mon.active and not mon.fainted)

    @property
    def alive(self) -> int:
        """How many can still fight, unseen ones included."""
        return self.size - sum(mon.fainted for mon in self.team)

    @property
    def unseen(self) -> int:
        """How many have not been revealed."""
        return max(0, self.size - len(self.team))

    def layers(self, condition: str) -> int:
        """Count the layers of a side condition; 0 if there are none."""
        return next((each.layers for each in self.conditions if each.id == condition), 0)

    def member(self, ident: str) -> Mon:
        """Find a team member by its ident; KeyError if there is none."""
        for mon in self.team:
            if mon.ident == ident:
                return mon
        raise KeyError(ident)


CLEARS = ("rapidspin", "defog", "mortalspin", "tidyup", "courtchange")
"""Moves that remove entry hazards."""
LAID = ("stealthrock", "spikes", "toxicspikes", "stickyweb")
"""Entry hazards."""


def clearers(side: Side) -> Iterator[tuple[Mon, str]]:
    """Yield those of a side that are known to have a hazard-removing move, with the move."""
    for mon in side.team:
        for move in mon.known_moves:
            if move in CLEARS and not mon.fainted:
                yield mon, move


class Field_(Frozen):  # noqa: N801 - `Field` is Pydantic's
    """Conditions of both sides: weather, terrain and rooms, with their remaining turns."""

    weather: Timed | None = None
    terrain: Timed | None = None
    rooms: tuple[Timed, ...] = ()

    @property
    def sky(self) -> str:
        """The weather's id, or ""."""
        return self.weather.id if self.weather else ""

    @property
    def ground(self) -> str:
        """The terrain's id, or ""."""
        return self.terrain.id if self.terrain else ""

    def has(self, room: str) -> bool:
        """Check whether a room (`trickroom`, `gravity`, …) is active."""
        return any(each.id == room for each in self.rooms)


class Position(Frozen):
    """Everything a decision can be based on; `legal` lists all orders the server accepts."""

    battle: str
    format: str
    gen: int = 9
    turn: int = 0
    request_id: int = 0
    ours: Side
    theirs: Side
    field: Field_ = Field_()
    legal: tuple[Order, ...] = Field(max_length=64)
    request_moves: tuple[str, ...] = ()
    request_team: tuple[str, ...] = ()
    team_preview: bool = False
    force_switch: bool = False
    reviving: bool = False
    trapped: bool = False
    maybe_trapped: bool = False
    can_tera: bool = False
    foe_to_move: bool = False
    time_left: int | None = None
    hits: tuple[Hit, ...] = Field(default=(), max_length=HITS_LIMIT)
    log: tuple[str, ...] = Field(default=(), max_length=LOG_LIMIT)
    rules: tuple[str, ...] = Field(default=(), max_length=RULES_LIMIT)
    """The format's rules as the server announced them."""

    @property
    def sides(self) -> tuple[tuple[Literal["ours", "theirs"], Side], ...]:
        """Both sides with their names, ours first."""
        return ("ours", self.ours), ("theirs", self.theirs)

    def wire(self, order: Order) -> str:
        """Render an order as a message; ValueError if it is not legal here."""
        if order not in self.legal:
            raise ValueError(f"{orders.key(order)!r} is not among the legal orders")
        return orders.wire(order, self.request_moves, self.request_team)
