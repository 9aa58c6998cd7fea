"""Queries on a board: possible choices, damage of moves, speed, and results of pairs."""

from __future__ import annotations

from dataclasses import replace

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.boards.board import (
    HAZARDS,
    PASS,
    SCREENS,
    Board,
    Body,
    Choice,
    Half,
    Kept,
    Shot,
    body_of,
)
from ruleplay.agents.battle.domain.damage import accuracy, rolls
from ruleplay.agents.battle.domain.exchange import play_out
from ruleplay.agents.battle.domain.mechanics import words
from ruleplay.agents.battle.domain.position import Boosts, Position, Status
from ruleplay.agents.battle.domain.power import speed_of
from ruleplay.agents.battle.domain.strikes import Scene, priority_of, untouched
from ruleplay.agents.battle.domain.worlds import Fighter, World

BY_HEALTH = {"eruption", "waterspout", "dragonenergy", "flail", "reversal", "finalgambit"}
"""Moves whose damage depends on the user's health."""
BY_THEIR_HEALTH = frozenset(words("by_their_health"))
"""Moves whose damage depends on the target's health."""


class Model:
    """The rules for one world; damage is computed once for each combination of circumstances.

    Worlds of one position can share what was computed: pass the `kept` of the first to the others.
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
            half = Half([body_of(each) for each in team], at)
            for each in side.conditions:
                if each.id in HAZARDS:
                    half.hazards[each.id] = each.layers
                elif each.id in SCREENS or each.id == "tailwind":
                    half.screens[each.id] = each.left or 2
            half.tera_left = not side.tera_used
            halves.append(half)
        # A request for a forced switch does not say whether we can terastallize.
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
        """List what a side can choose in a normal turn."""
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
        """Check whether a side's active Pokémon cannot switch out."""
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
        """List the switches open to a side."""
        return [
            ("switch", str(place), False)
            for place, body in enumerate(half.bodies)
            if place != half.at and body.hp > 0
        ]

    # Reading the board

    def types(self, side: int, place: int, body: Body) -> tuple[str, ...]:
        """Determine the current types of a body."""
        who = self.teams[side][place]
        if body.tera and not who.terastallized and who.tera_type != "stellar":
            return (who.tera_type,)
        return who.types

    def fighter(self, side: int, place: int, body: Body) -> Fighter:
        """Build a fighter as it is on the board."""
        key = (side, place, body.stages, body.status, body.item, body.tera, body.hp, body.volatiles)
        found = self._fighters.get(key)
        if found is None:
            found = self._fighters[key] = self._stand(side, place, body)
        return found

    def _stand(self, side: int, place: int, body: Body) -> Fighter:
        who = self.teams[side][place]
        atk, def_, spa, spd, spe, *aim = body.stages
        boosts = Boosts.model_construct(
            atk=atk, def_=def_, spa=spa, spd=spd, spe=spe, accuracy=aim[0], evasion=aim[1]
        )
        made = replace(who, hp=body.hp, status=_status(body.status), boosts=boosts)
        made = replace(made, item=body.item, volatiles=body.volatiles)
        return made.as_tera() if body.tera and not who.terastallized else made

    def scene(self, board: Board, defending: int, *, last: bool = False) -> Scene:
        """Collect the circumstances of a hit on a side."""
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
        """Compute what a move of a side's active Pokémon does now."""
        mine, other = board.halves[side], board.halves[1 - side]
        by, on = mine.active, other.active
        tags = self._tags
        hp_max, their_hp_max = (
            self.teams[side][mine.at].hp_max,
            self.teams[1 - side][other.at].hp_max,
        )
        who = (tags[side][mine.at], tags[1 - side][other.at], name)
        stands = (by.stages, on.stages, by.tera, on.tera, by.status, on.status, by.item, on.item)
        around = (board.weather, board.terrain, on.volatiles, tuple(other.screens), board.rooms)
        # Health is part of the key only as far as it matters: for pinch abilities, effects at full
        # health, and moves that depend on it.
        left = by.hp * 8 // hp_max if name in BY_HEALTH else 0
        theirs = on.hp if name in BY_THEIR_HEALTH else 0
        health = (by.hp * 3 <= hp_max, on.hp >= their_hp_max, left, theirs)
        key = (*who, *stands, *around, *health)
        found = self.kept.shots.get(key)
        if found is None:
            found = self.kept.shots[key] = self._compute(board, side, name)
        return found

    def _compute(self, board: Board, side: int, name: str) -> Shot:
        """Compute a shot that is not in the cache."""
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
            # A shot is a single roll, so several hits are represented by their average.
            low = high = round((made.low + made.high) / 2)
        return Shot(low, high, accuracy(move, by, on, scene), priority_of(move, by, scene), blocked)

    def speed(self, board: Board, side: int) -> int:
        """Compute the speed of a side's active Pokémon."""
        half = board.halves[side]
        body = half.active
        stands = (self._tags[side][half.at], body.stages[4], body.status, body.item, body.volatiles)
        key = (*stands, board.weather, board.terrain)
        found = self.kept.speeds.get(key)
        if found is None:
            fighter = self.fighter(side, half.at, body)
            found = self.kept.speeds[key] = speed_of(fighter, self.scene(board, side))
        return found * 2 if "tailwind" in half.screens else found

    def standing(self, side: int, place: int, against: int) -> float:
        """Compute how well a Pokémon does against another, -1 to 1, without stages.

        It is computed from the health at the start of the search, so each pair is played out only
        once.
        """
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


def _tag(who: Fighter) -> tuple[object, ...]:
    """Collect what matters to damage in a fighter and does not change on the board."""
    stats = who.stats
    moves = tuple(move.id for move in who.moves if not move.disabled)
    built = (who.ident, who.species, who.ability, who.tera_type, who.level, who.item, moves)
    return (*built, stats.hp, stats.atk, stats.spa, stats.spe)


def _gains_by_tera(name: str) -> bool:
    return dex.move(name).damaging or bool(dex.move(name).self_boosts)


def _status(status: str) -> Status:
    return status if status in _STATUSES else ""  # type: ignore[return-value]


_STATUSES = {"", "brn", "par", "slp", "frz", "psn", "tox", "fnt"}
