"""A lean model of one turn: what two choices make of a world, for looking ahead without an engine.

It plays damage, accuracy, priority and speed, stages, status, hazards, screens, weather, recoil,
drain, recovery, pivoting, items that heal or lock, and fainting. What it leaves out (Encore, Taunt,
Trick, most abilities on contact) it leaves out for both. Health is in points, as whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import accuracy, rolls
from ruleplay.agents.battle.domain.dex import Move
from ruleplay.agents.battle.domain.exchange import play_out
from ruleplay.agents.battle.domain.position import Boosts, Position, Status
from ruleplay.agents.battle.domain.power import speed_of
from ruleplay.agents.battle.domain.strikes import (
    Scene,
    ability_of,
    grounded,
    priority_of,
    untouched,
)
from ruleplay.agents.battle.domain.worlds import CHOICE_ITEMS, Fighter, World

STATS = ("atk", "def", "spa", "spd", "spe", "accuracy", "evasion")
PLACE = {stat: place for place, stat in enumerate(STATS)}
LEVEL = (0,) * len(STATS)
HEALS = {"recover", "roost", "slackoff", "softboiled", "milkdrink", "shoreup", "synthesis",
         "moonlight", "morningsun", "healorder", "strengthsap", "wish", "junglehealing",
         "lunarblessing"}  # fmt: skip
WEATHER_ABILITIES = {"drought": "sunnyday", "orichalcumpulse": "sunnyday", "drizzle": "raindance",
                     "sandstream": "sandstorm", "snowwarning": "snowscape"}  # fmt: skip
TERRAIN_ABILITIES = {"electricsurge": "electricterrain", "hadronengine": "electricterrain",
                     "grassysurge": "grassyterrain", "psychicsurge": "psychicterrain",
                     "mistysurge": "mistyterrain"}  # fmt: skip
SHIELDS = {"protect", "detect", "kingsshield", "spikyshield", "banefulbunker", "silktrap",
           "burningbulwark", "obstruct"}  # fmt: skip
CLEARING = {"rapidspin", "mortalspin", "tidyup", "defog"}
SCREENS = {"reflect", "lightscreen", "auroraveil"}
HAZARDS = {"stealthrock": 1, "spikes": 3, "toxicspikes": 2, "stickyweb": 1}
BY_HEALTH = {"eruption", "waterspout", "dragonenergy", "flail", "reversal", "finalgambit"}
BY_THEIR_HEALTH = {"superfang", "naturesmadness", "ruination", "endeavor", "hardpress", "crushgrip",
                   "brine"}  # fmt: skip
AWAKE = (0.0, 1 / 3, 1 / 2, 1.0)
"""The chance to wake by turns slept (games' rules: one to three turns)."""

Choice = tuple[str, str, bool]
"""("move", id, tera) or ("switch", place, False) or ("pass", "", False)."""
PASS: Choice = ("pass", "", False)


@dataclass(slots=True)
class Body:
    """What changes about a fighter. Copied before it is changed."""

    hp: int
    status: str = ""
    slept: int = 0
    stages: tuple[int, ...] = LEVEL
    tera: bool = False
    item: str = ""
    volatiles: frozenset[str] = frozenset()
    locked: str = ""
    substitute: int = 0
    species: str = ""

    def copy(self) -> Body:
        """Return one of its own to change."""
        return Body(
            self.hp, self.status, self.slept, self.stages, self.tera, self.item, self.volatiles,
            self.locked, self.substitute, self.species,
        )  # fmt: skip


@dataclass(slots=True)
class Half:
    """One side: its bodies, who is active, what lies on it, whether its tera is left."""

    bodies: list[Body]
    at: int
    hazards: dict[str, int] = field(default_factory=dict)
    screens: dict[str, int] = field(default_factory=dict)
    tera_left: bool = True
    trapped: bool = False

    def copy(self) -> Half:
        """Return one of its own to change; only the active body is copied with it."""
        bodies = list(self.bodies)
        bodies[self.at] = bodies[self.at].copy()
        return Half(bodies, self.at, dict(self.hazards), dict(self.screens), self.tera_left, False)

    @property
    def active(self) -> Body:
        """Who stands on the field."""
        return self.bodies[self.at]

    @property
    def alive(self) -> int:
        """How many can still fight."""
        return sum(body.hp > 0 for body in self.bodies)


@dataclass(slots=True)
class Board:
    """Both sides and what lies over them."""

    halves: tuple[Half, Half]
    weather: str = ""
    weather_left: int = 0
    terrain: str = ""
    terrain_left: int = 0
    rooms: frozenset[str] = frozenset()

    @property
    def over(self) -> bool:
        """Whether one side has nobody left."""
        return any(half.alive == 0 for half in self.halves)


@dataclass(frozen=True, slots=True)
class Shot:
    """What a use of a move does here: points low and high, chance to hit, priority."""

    low: int
    high: int
    accuracy: float
    priority: int
    blocked: bool


@dataclass(slots=True)
class Kept:
    """What was computed once: shots, speeds, and how pairs fare."""

    shots: dict[tuple[object, ...], Shot] = field(default_factory=dict)
    speeds: dict[tuple[object, ...], int] = field(default_factory=dict)
    standings: dict[tuple[object, ...], float] = field(default_factory=dict)


class Model:
    """The rules applied to one world. Damage is computed once per circumstance and kept.

    Worlds of one position may share what they computed: pass the first one's `kept` to the others.
    """

    def __init__(self, position: Position, world: World, kept: Kept | None = None) -> None:
        self.teams: tuple[tuple[Fighter, ...], tuple[Fighter, ...]] = (world.ours, world.theirs)
        self.gas = "neutralizinggas" in {
            each.ability for team in self.teams for each in team if each.active
        }
        self.kept = kept or Kept()
        self._tags = tuple(tuple(_tag(each) for each in team) for team in self.teams)
        self._fighters: dict[tuple[object, ...], Fighter] = {}
        self.start = self._board(position)

    def _board(self, position: Position) -> Board:
        halves = []
        for team, side in zip(self.teams, (position.ours, position.theirs), strict=True):
            at = next((place for place, each in enumerate(team) if each.active), 0)
            half = Half([_body(each) for each in team], at)
            for each in side.conditions:
                if each.id in HAZARDS:
                    half.hazards[each.id] = each.layers
                elif each.id in SCREENS or each.id == "tailwind":
                    half.screens[each.id] = each.left or 2
            half.tera_left = not side.tera_used
            halves.append(half)
        halves[0].tera_left = position.can_tera or (position.force_switch and halves[0].tera_left)
        halves[0].trapped = position.trapped
        field_ = position.field
        return Board(
            (halves[0], halves[1]),
            weather=field_.sky,
            weather_left=(field_.weather.left or 99) if field_.weather else 0,
            terrain=field_.ground,
            terrain_left=(field_.terrain.left or 99) if field_.terrain else 0,
            rooms=frozenset(each.id for each in field_.rooms),
        )

    # What may be chosen

    def choices(self, board: Board, side: int) -> list[Choice]:
        """Return what a side may choose in a normal turn."""
        half, foe = board.halves[side], board.halves[1 - side]
        body, who = half.active, self.teams[side][half.at]
        if body.hp <= 0:
            return self.entries(half) or [PASS]
        if "mustrecharge" in body.volatiles:
            return [PASS]
        moves = [
            move.id
            for move in who.moves
            if move.pp > 0 and not move.disabled and (not body.locked or body.locked == move.id)
        ] or ["struggle"]
        found: list[Choice] = [("move", name, False) for name in moves]
        if half.tera_left and not body.tera:
            found += [("move", name, True) for name in moves if _gains_by_tera(name)]
        if not (half.trapped or self._held(side, board, body, foe)):
            found += self.entries(half)
        return found

    def _held(self, side: int, board: Board, body: Body, foe: Half) -> bool:
        who = self.teams[side][board.halves[side].at]
        types = self.types(side, board.halves[side].at, body)
        if "ghost" in types or body.item == "shedshell":
            return False
        if {"partiallytrapped", "trapped", "noretreat", "ingrain"} & body.volatiles:
            return True
        holder = self.teams[1 - side][foe.at].ability
        if foe.active.hp <= 0:
            return False
        if holder == "shadowtag":
            return who.ability != "shadowtag"
        if holder == "magnetpull":
            return "steel" in types
        return holder == "arenatrap" and "flying" not in types and who.ability != "levitate"

    def entries(self, half: Half) -> list[Choice]:
        """Return the switches that a side may make."""
        return [
            ("switch", str(place), False)
            for place, body in enumerate(half.bodies)
            if place != half.at and body.hp > 0
        ]

    # Reading the board

    def types(self, side: int, place: int, body: Body) -> tuple[str, ...]:
        """Return the types that count for a body now."""
        who = self.teams[side][place]
        if body.tera and not who.terastallized and who.tera_type != "stellar":
            return (who.tera_type,)
        return who.types

    def fighter(self, side: int, place: int, body: Body) -> Fighter:
        """Return a fighter as it stands on the board."""
        key = (side, place, body.stages, body.status, body.item, body.tera, body.hp, body.volatiles)
        found = self._fighters.get(key)
        if found is None:
            found = self._fighters[key] = self._stand(side, place, body)
        return found

    def _stand(self, side: int, place: int, body: Body) -> Fighter:
        who = self.teams[side][place]
        boosts = Boosts.model_construct(
            atk=body.stages[0], def_=body.stages[1], spa=body.stages[2], spd=body.stages[3],
            spe=body.stages[4], accuracy=body.stages[5], evasion=body.stages[6],
        )  # fmt: skip
        made = replace(
            who, hp=body.hp, status=_status(body.status), boosts=boosts, item=body.item,
            volatiles=body.volatiles,
        )  # fmt: skip
        return made.as_tera() if body.tera and not who.terastallized else made

    def scene(self, board: Board, defending: int, *, last: bool = False) -> Scene:
        """Return the scene of a hit on a side."""
        return Scene(
            weather=board.weather,
            terrain=board.terrain,
            rooms=board.rooms,
            screens=frozenset(SCREENS & board.halves[defending].screens.keys()),
            gas=self.gas,
            fainted=sum(body.hp <= 0 for body in board.halves[1 - defending].bodies),
            last=last,
        )

    def shot(self, board: Board, side: int, name: str) -> Shot:
        """Return what a move of a side's active one does now."""
        mine, other = board.halves[side], board.halves[1 - side]
        by, on = mine.active, other.active
        tags = self._tags
        key = (
            tags[side][mine.at], tags[1 - side][other.at], name, by.stages, on.stages, by.tera, on.tera, by.status,
            on.status, by.item, on.item, board.weather, board.terrain, on.volatiles,
            by.hp * 3 <= self.teams[side][mine.at].hp_max,
            on.hp >= self.teams[1 - side][other.at].hp_max,
            tuple(other.screens) if other.screens else (), board.rooms,
            by.hp * 8 // self.teams[side][mine.at].hp_max if name in BY_HEALTH else 0,
            on.hp if name in BY_THEIR_HEALTH else 0,
        )  # fmt: skip
        found = self.kept.shots.get(key)
        if found is None:
            found = self.kept.shots[key] = self._compute(board, side, name)
        return found

    def _compute(self, board: Board, side: int, name: str) -> Shot:
        mine, other = board.halves[side], board.halves[1 - side]
        by = self.fighter(side, mine.at, mine.active)
        on = self.fighter(1 - side, other.at, other.active)
        scene = self.scene(board, 1 - side)
        move = dex.move(name)
        made = rolls(move, by, on, scene)
        blocked = (
            untouched(move, move.type, by, on, scene)
            if move.category == "status"
            else made.high == 0
        )
        mean = made.hits
        low, high = made.low, made.high
        if mean > 1:
            low = high = round((made.low + made.high) / 2)
        return Shot(low, high, accuracy(move, by, on, scene), priority_of(move, by, scene), blocked)

    def speed(self, board: Board, side: int) -> int:
        """Return the speed of a side's active one."""
        half = board.halves[side]
        body = half.active
        key = (
            self._tags[side][half.at], body.stages[4], body.status, body.item, board.weather, board.terrain,
            body.volatiles,
        )  # fmt: skip
        found = self.kept.speeds.get(key)
        if found is None:
            fighter = self.fighter(side, half.at, body)
            found = self.kept.speeds[key] = speed_of(fighter, self.scene(board, side))
        return found * 2 if "tailwind" in half.screens else found

    def standing(self, side: int, place: int, against: int) -> float:
        """Return how one of a side fares against one of the other, -1 to 1, from the start's health."""
        key = (self._tags[side][place], self._tags[1 - side][against])
        found = self.kept.standings.get(key)
        if found is None:
            scene = Scene(gas=self.gas)
            one = replace(self.teams[side][place], boosts=Boosts())
            other = replace(self.teams[1 - side][against], boosts=Boosts())
            if one.hp <= 0 or other.hp <= 0:
                return 0.0
            played = play_out(one, other, scene, scene)
            found = played.ours / max(1, one.hp_max) - played.theirs / max(1, other.hp_max)
            self.kept.standings[key] = found
        return found

    # One turn

    def step(self, board: Board, ours: Choice, theirs: Choice, rng: Random) -> Board:
        """Return the board after both choices; the given one stays as it is."""
        halves = (board.halves[0].copy(), board.halves[1].copy())
        board = Board(halves, board.weather, board.weather_left, board.terrain, board.terrain_left,
                      board.rooms)  # fmt: skip
        chosen = (ours, theirs)
        if any(half.active.hp <= 0 for half in halves):
            self._replace(board, chosen, rng)
            return board
        for side in self._order(board, chosen, rng):
            kind, name, tera = chosen[side]
            half = halves[side]
            if kind == "switch":
                self.enter(board, side, int(name))
            elif kind == "move" and half.active.hp > 0:
                if tera:
                    half.active.tera, half.tera_left = True, False
                self._use(board, side, name, rng)
        self._end(board)
        self._refill(board)
        return board

    def _replace(self, board: Board, chosen: tuple[Choice, Choice], rng: Random) -> None:
        """Only who fell (or must leave) comes and goes; nobody attacks."""
        for side in (0, 1):
            if chosen[side][0] == "switch":
                self.enter(board, side, int(chosen[side][1]))
        self._refill(board)

    def _order(self, board: Board, chosen: tuple[Choice, Choice], rng: Random) -> tuple[int, int]:
        ranks = []
        for side in (0, 1):
            kind, name, _ = chosen[side]
            rank = 9 if kind == "switch" else 0
            if kind == "move":
                rank = self.shot(board, side, name).priority
            ranks.append(rank)
        if ranks[0] != ranks[1]:
            return (0, 1) if ranks[0] > ranks[1] else (1, 0)
        mine, yours = self.speed(board, 0), self.speed(board, 1)
        if mine == yours:
            return (0, 1) if rng.random() < 0.5 else (1, 0)
        first = mine < yours if "trickroom" in board.rooms else mine > yours
        return (0, 1) if first else (1, 0)

    def _use(self, board: Board, side: int, name: str, rng: Random) -> None:
        half, foe = board.halves[side], board.halves[1 - side]
        body = half.active
        if not self._can_act(board, side, name, rng):
            return
        move = dex.move(name)
        shot = self.shot(board, side, name)
        if body.item in CHOICE_ITEMS:
            body.locked = name
        if name in SHIELDS:
            body.volatiles |= {"shield"}
            return
        aimed = move.damaging or not move.self_targeted
        if aimed and (shot.blocked or foe.active.hp <= 0):
            return
        shielded = "shield" in foe.active.volatiles and "protect" in move.flags
        if aimed and (shielded or (shot.accuracy < 1 and rng.random() >= shot.accuracy)):
            return
        if move.damaging:
            self._hit(board, side, move, shot, rng)
        else:
            self._status_move(board, side, move, rng)

    def _can_act(self, board: Board, side: int, name: str, rng: Random) -> bool:
        body = board.halves[side].active
        if body.status == "slp":
            if rng.random() < AWAKE[min(3, body.slept)]:
                body.status, body.slept = "", 0
            else:
                body.slept += 1
                return name == "sleeptalk"
        elif body.status == "frz":
            if rng.random() < 0.2 or "defrost" in dex.move(name).flags:
                body.status = ""
            else:
                return False
        elif body.status == "par" and rng.random() < 0.25:
            return False
        if "flinch" in body.volatiles:
            return False
        if "confusion" in body.volatiles and rng.random() < 0.2:
            body.hp = max(0, body.hp - self.teams[side][board.halves[side].at].hp_max // 10)
            return False
        return True

    def _hit(self, board: Board, side: int, move: Move, shot: Shot, rng: Random) -> None:
        half, foe = board.halves[side], board.halves[1 - side]
        by, on = half.active, foe.active
        who, them = self.teams[side][half.at], self.teams[1 - side][foe.at]
        dealt = shot.low + int((shot.high - shot.low + 1) * rng.random())
        if rng.random() < 1 / 24:
            dealt = dealt * 3 // 2
        if on.substitute and "sound" not in move.flags and who.ability != "infiltrator":
            on.substitute = max(0, on.substitute - dealt)
            dealt = 0
        else:
            if dealt >= on.hp >= them.hp_max and (
                on.item == "focussash" or (them.ability == "sturdy" and not self.gas)
            ):
                dealt = on.hp - 1
                on.item = "" if on.item == "focussash" else on.item
            dealt = min(dealt, on.hp)
            on.hp -= dealt
        self._aftermath(board, side, move, dealt, rng)
        if by.item == "lifeorb" and dealt and who.ability not in {"magicguard", "sheerforce"}:
            by.hp = max(0, by.hp - who.hp_max // 10)
        if on.hp > 0 and dealt:
            self._side_effects(board, side, move, rng)
        self._own_stages(by, who, move)
        if move.self_switch and by.hp > 0:
            self._pivot(board, side)
        elif move.force_switch and on.hp > 0:
            self._drag(board, 1 - side, rng)

    def _aftermath(self, board: Board, side: int, move: Move, dealt: int, rng: Random) -> None:
        half, foe = board.halves[side], board.halves[1 - side]
        by, who = half.active, self.teams[side][half.at]
        them = self.teams[1 - side][foe.at]
        safe = who.ability in {"magicguard", "rockhead"}
        if move.drain:
            by.hp = min(who.hp_max, by.hp + int(dealt * move.drain))
        if move.recoil and not safe:
            by.hp = max(0, by.hp - int(dealt * move.recoil))
        if move.id in {"struggle", "chloroblast", "steelbeam", "mindblown"}:
            by.hp = max(0, by.hp - who.hp_max // (4 if move.id == "struggle" else 2))
        if move.self_destruct:
            by.hp = 0
        if "contact" in move.flags and dealt and who.ability not in {"magicguard", "longreach"}:
            if foe.active.item == "rockyhelmet":
                by.hp = max(0, by.hp - who.hp_max // 6)
            if them.ability in {"roughskin", "ironbarbs"}:
                by.hp = max(0, by.hp - who.hp_max // 8)
        if move.id == "knockoff" and foe.active.hp > 0:
            foe.active.item = ""
        if move.id in CLEARING and by.hp > 0:
            half.hazards.clear()
        if "recharge" in move.flags:
            by.volatiles |= {"mustrecharge", "resting"}
        if foe.active.status == "frz" and move.type == "fire":
            foe.active.status = ""

    def _side_effects(self, board: Board, side: int, move: Move, rng: Random) -> None:
        foe = board.halves[1 - side]
        on, them = foe.active, self.teams[1 - side][foe.at]
        if on.substitute or them.ability in {"shielddust"} or on.item == "covertcloak":
            return
        if self.teams[side][board.halves[side].at].ability == "sheerforce":
            return
        for stat, amount in move.target_boosts:
            self._shift(on, stat, amount, them.ability)
        if move.side_chance and rng.random() < move.side_chance:
            if move.side_status:
                self._afflict(board, 1 - side, move.side_status)
            elif move.side_volatile in {"flinch", "confusion"}:
                on.volatiles |= {move.side_volatile}

    def _own_stages(self, by: Body, who: Fighter, move: Move) -> None:
        if by.hp > 0:
            for stat, amount in move.self_boosts:
                self._shift(by, stat, amount, who.ability, own=True)

    def _shift(
        self, body: Body, stat: str, amount: int, ability: str, *, own: bool = False
    ) -> None:
        if ability == "contrary":
            amount = -amount
        if (
            amount < 0
            and not own
            and (
                ability in {"clearbody", "whitesmoke", "fullmetalbody", "mirrorarmor"}
                or body.item == "clearamulet"
            )
        ):
            return
        stages = list(body.stages)
        place = PLACE[stat]
        stages[place] = max(-6, min(6, stages[place] + amount))
        body.stages = tuple(stages)

    def _afflict(self, board: Board, side: int, status: str) -> None:
        half = board.halves[side]
        body, who = half.active, self.teams[side][half.at]
        types = self.types(side, half.at, body)
        if body.status or (board.terrain == "mistyterrain" and "flying" not in types):
            return
        if set(types) & _IMMUNE.get(status, frozenset()) or who.ability in _IMMUNE_BY.get(
            status, ()
        ):
            return
        if status == "slp" and board.terrain == "electricterrain" and "flying" not in types:
            return
        if who.ability in {"purifyingsalt", "comatose", "goodasgold"}:
            return
        body.status, body.slept = status, 0
        if body.item == "lumberry":
            body.status, body.item = "", ""

    def _status_move(self, board: Board, side: int, move: Move, rng: Random) -> None:
        half, foe = board.halves[side], board.halves[1 - side]
        by, who = half.active, self.teams[side][half.at]
        if move.id in HEALS or (move.heal and move.self_targeted):
            by.hp = min(who.hp_max, by.hp + _healed(move, who, board.weather))
        elif move.id == "rest" and by.hp < who.hp_max:
            by.hp, by.status, by.slept = who.hp_max, "slp", 1
        elif move.id == "substitute":
            quarter = who.hp_max // 4
            if by.hp > quarter and not by.substitute:
                by.hp, by.substitute = by.hp - quarter, quarter
        elif move.id == "bellydrum" and by.hp > who.hp_max // 2:
            by.hp -= who.hp_max // 2
            self._shift(by, "atk", 12, who.ability, own=True)
        elif move.side_condition in HAZARDS:
            most = HAZARDS[move.side_condition]
            foe.hazards[move.side_condition] = min(
                most, foe.hazards.get(move.side_condition, 0) + 1
            )
        elif move.side_condition in SCREENS:
            if move.id != "auroraveil" or board.weather == "snowscape":
                half.screens.setdefault(move.side_condition, 8 if by.item == "lightclay" else 5)
        elif move.side_condition == "tailwind":
            half.screens.setdefault("tailwind", 4)
        elif move.id == "defog":
            half.hazards.clear()
            foe.hazards.clear()
        else:
            self._other_status_move(board, side, move, rng)

    def _other_status_move(self, board: Board, side: int, move: Move, rng: Random) -> None:
        half, foe = board.halves[side], board.halves[1 - side]
        by, on = half.active, foe.active
        if move.weather:
            board.weather, board.weather_left = _WEATHER_OF.get(move.weather, move.weather), 5
        elif move.terrain:
            board.terrain, board.terrain_left = move.terrain, 5
        elif move.id == "trickroom":
            board.rooms = board.rooms ^ {"trickroom"}
        elif move.force_switch:
            self._drag(board, 1 - side, rng)
        elif move.status and not on.substitute:
            self._afflict(board, 1 - side, move.status)
        elif move.id == "leechseed" and not on.substitute:
            if "grass" not in self.types(1 - side, foe.at, on):
                on.volatiles |= {"leechseed"}
        elif move.volatile == "confusion" and not on.substitute:
            on.volatiles |= {"confusion"}
        elif move.id == "haze":
            by.stages = on.stages = LEVEL
        elif move.id == "clangoroussoul":
            by.hp = max(1, by.hp - self.teams[side][half.at].hp_max // 3)
        self._own_stages(by, self.teams[side][half.at], move)
        if not on.substitute:
            for stat, amount in move.target_boosts:
                self._shift(on, stat, amount, self.teams[1 - side][foe.at].ability)
        if move.self_switch and by.hp > 0:
            self._pivot(board, side)

    # Coming and going

    def _pivot(self, board: Board, side: int) -> None:
        place = self.best_entry(board, side)
        if place is not None:
            self.enter(board, side, place)

    def _drag(self, board: Board, side: int, rng: Random) -> None:
        entries = self.entries(board.halves[side])
        if entries:
            self.enter(board, side, int(rng.choice(entries)[1]))

    def best_entry(self, board: Board, side: int) -> int | None:
        """Return who of the bench fares best against who stands opposite, scaled by health left."""
        half, foe = board.halves[side], board.halves[1 - side]
        entries = self.entries(half)
        if not entries:
            return None
        places = [int(place) for _, place, _ in entries]
        return max(
            places,
            key=lambda place: (
                self.standing(side, place, foe.at)
                + 0.3 * half.bodies[place].hp / max(1, self.teams[side][place].hp_max)
            ),
        )

    def enter(self, board: Board, side: int, place: int) -> None:
        """Bring one in: who leaves loses its stages, hazards and entry abilities do their work."""
        half, foe = board.halves[side], board.halves[1 - side]
        self._leave(side, half)
        half.at = place
        body = half.bodies[place] = half.bodies[place].copy()
        who = self.teams[side][place]
        self._hazards(board, side, body, who)
        if body.hp <= 0 or self.gas:
            return
        if who.ability == "intimidate" and foe.active.hp > 0 and not foe.active.substitute:
            them = self.teams[1 - side][foe.at].ability
            if them not in {"innerfocus", "oblivious", "owntempo", "scrappy", "guarddog"}:
                self._shift(foe.active, "atk", -1, them)
        if who.ability in WEATHER_ABILITIES:
            board.weather, board.weather_left = WEATHER_ABILITIES[who.ability], 5
        elif who.ability in TERRAIN_ABILITIES:
            board.terrain, board.terrain_left = TERRAIN_ABILITIES[who.ability], 5

    def _leave(self, side: int, half: Half) -> None:
        body, who = half.active, self.teams[side][half.at]
        body.stages, body.volatiles, body.locked, body.substitute = LEVEL, frozenset(), "", 0
        if body.hp > 0 and who.ability == "regenerator":
            body.hp = min(who.hp_max, body.hp + who.hp_max // 3)
        if who.ability == "naturalcure" and body.hp > 0:
            body.status = ""

    def _hazards(self, board: Board, side: int, body: Body, who: Fighter) -> None:
        half = board.halves[side]
        if not half.hazards or body.item == "heavydutyboots":
            return
        types = self.types(side, half.at, body)
        floor = grounded(replace(who, types=types, item=body.item), Scene(gas=self.gas))
        if who.ability != "magicguard":
            taken = 0.0
            if "stealthrock" in half.hazards:
                taken += dex.effectiveness("rock", types) / 8
            if floor:
                taken += (0, 1 / 8, 1 / 6, 1 / 4)[half.hazards.get("spikes", 0)]
            body.hp = max(0, body.hp - int(who.hp_max * taken))
        if floor and body.hp > 0:
            if "toxicspikes" in half.hazards:
                if "poison" in types:
                    del half.hazards["toxicspikes"]
                else:
                    self._afflict(board, side, "tox" if half.hazards["toxicspikes"] > 1 else "psn")
            if "stickyweb" in half.hazards:
                self._shift(body, "spe", -1, who.ability)

    # The turn's end

    def _end(self, board: Board) -> None:
        if board.weather_left:
            board.weather_left -= 1
            board.weather = board.weather if board.weather_left else ""
        if board.terrain_left:
            board.terrain_left -= 1
            board.terrain = board.terrain if board.terrain_left else ""
        for side in (0, 1):
            half = board.halves[side]
            for name in [name for name, left in half.screens.items() if left <= 1]:
                del half.screens[name]
            for name in half.screens:
                half.screens[name] -= 1
            if half.active.hp > 0:
                self._residue(board, side)

    def _residue(self, board: Board, side: int) -> None:
        half = board.halves[side]
        body, who = half.active, self.teams[side][half.at]
        whole = who.hp_max
        change = 0
        if body.item == "leftovers" or (body.item == "blacksludge" and "poison" in who.types):
            change += whole // 16
        if body.status == "tox":
            body.slept += 1
        if who.ability == "poisonheal" and body.status in {"psn", "tox"}:
            change += whole // 8
        elif who.ability != "magicguard":
            change -= self._hurt(board, side, body, who)
        if board.terrain == "grassyterrain" and "flying" not in who.types:
            change += whole // 16
        body.hp = max(0, min(whole, body.hp + change))
        kept = body.volatiles - {"flinch", "shield", "roost"}
        if "resting" in kept:
            kept -= {"resting"}
        else:
            kept -= {"mustrecharge"}
        body.volatiles = kept
        if body.item == "flameorb" and not body.status:
            self._afflict(board, side, "brn")
        elif body.item == "toxicorb" and not body.status:
            self._afflict(board, side, "tox")
        if who.ability == "speedboost":
            self._shift(body, "spe", 1, who.ability, own=True)

    def _hurt(self, board: Board, side: int, body: Body, who: Fighter) -> int:
        whole, taken = who.hp_max, 0
        if body.status == "brn":
            taken += whole // 16
        elif body.status == "psn":
            taken += whole // 8
        elif body.status == "tox":
            taken += whole * min(15, body.slept) // 16
        if "leechseed" in body.volatiles:
            taken += whole // 8
            foe = board.halves[1 - side]
            them = self.teams[1 - side][foe.at]
            if foe.active.hp > 0:
                foe.active.hp = min(them.hp_max, foe.active.hp + whole // 8)
        if "saltcure" in body.volatiles:
            taken += whole // (4 if {"water", "steel"} & set(who.types) else 8)
        if "partiallytrapped" in body.volatiles:
            taken += whole // 8
        if board.weather == "sandstorm" and not {"rock", "ground", "steel"} & set(who.types):
            taken += 0 if ability_of(who, Scene(gas=self.gas)) in _SAND_SAFE else whole // 16
        return taken

    def _refill(self, board: Board) -> None:
        """Who fell is replaced at once by the best of the bench, for either side."""
        for _ in range(6):
            fallen = [side for side in (0, 1) if board.halves[side].active.hp <= 0]
            entering = [(side, self.best_entry(board, side)) for side in fallen]
            if not any(place is not None for _, place in entering):
                return
            for side, place in entering:
                if place is not None:
                    self.enter(board, side, place)


def _tag(who: Fighter) -> tuple[object, ...]:
    """What of a fighter bears on damage and does not change on the board."""
    stats = who.stats
    return (
        who.ident, who.species, who.ability, who.tera_type, who.level, stats.hp, stats.atk,
        stats.spa, stats.spe, who.item, tuple(move.id for move in who.moves if not move.disabled),
    )  # fmt: skip


def _body(who: Fighter) -> Body:
    stages = tuple(who.boosts[stat] for stat in STATS)
    locked = ""
    usable = [move.id for move in who.moves if not move.disabled and move.pp > 0]
    if who.active and len(usable) == 1 and len(who.moves) > 1:
        locked = usable[0]
    volatiles = who.volatiles
    if who.seen and who.seen.must_recharge:
        volatiles |= {"mustrecharge"}
    return Body(
        hp=max(0, who.hp),
        status="" if who.status == "fnt" else who.status,
        slept=who.status_turns,
        stages=stages,
        tera=who.terastallized,
        item=who.item,
        volatiles=volatiles,
        locked=locked,
        substitute=who.hp_max // 4 if "substitute" in volatiles else 0,
        species=who.species,
    )


def _gains_by_tera(name: str) -> bool:
    return dex.knows_move(name) and (dex.move(name).damaging or bool(dex.move(name).self_boosts))


def _status(status: str) -> Status:
    return status if status in _STATUSES else ""  # type: ignore[return-value]


def _healed(move: Move, who: Fighter, weather: str) -> int:
    if move.id in {"synthesis", "moonlight", "morningsun"}:
        sunny = weather in {"sunnyday", "desolateland"}
        return who.hp_max * 2 // 3 if sunny else who.hp_max // (2 if not weather else 4)
    return who.hp_max // 2


_STATUSES = {"", "brn", "par", "slp", "frz", "psn", "tox", "fnt"}
_IMMUNE = {
    "brn": frozenset({"fire"}), "par": frozenset({"electric"}), "frz": frozenset({"ice"}),
    "psn": frozenset({"poison", "steel"}), "tox": frozenset({"poison", "steel"}),
}  # fmt: skip
_IMMUNE_BY = {
    "brn": ("waterveil", "waterbubble", "thermalexchange"), "par": ("limber",),
    "slp": ("insomnia", "vitalspirit", "sweetveil"), "frz": ("magmaarmor",),
    "psn": ("immunity", "pastelveil"), "tox": ("immunity", "pastelveil"),
}  # fmt: skip
_SAND_SAFE = {"magicguard", "overcoat", "sandveil", "sandrush", "sandforce"}
_WEATHER_OF = {"snow": "snowscape", "hail": "snowscape"}
