"""A simple model of one turn for searching without an engine: two choices lead to the next board.

It covers damage, accuracy, priority and speed, stages, status, hazards, screens, weather, recoil,
drain, recovery, pivoting, items that heal or lock, and fainting. Encore, Taunt, Trick and most
contact abilities are left out for both sides. Health is in whole points.
"""

from __future__ import annotations

from random import Random

from ruleplay.agents.battle.domain.boards.board import Board, Body, Choice
from ruleplay.agents.battle.domain.boards.moves import Moves
from ruleplay.agents.battle.domain.strikes import Scene, ability_of
from ruleplay.agents.battle.domain.worlds import Fighter

_SAND_SAFE = {"magicguard", "overcoat", "sandveil", "sandrush", "sandforce"}
"""Abilities that protect from sandstorms."""


class Simulation(Moves):
    """One possible world that can be played on turn by turn."""

    def step(self, board: Board, ours: Choice, theirs: Choice, rng: Random) -> Board:
        """Play one turn and return the new board; the given one is not modified."""
        halves = (board.halves[0].copy(), board.halves[1].copy())
        board = Board(
            halves,
            board.weather,
            board.weather_left,
            board.terrain,
            board.terrain_left,
            board.rooms,
        )
        chosen = (ours, theirs)
        # After a knock-out only replacements are chosen, so nobody attacks.
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
        """Carry out forced switches only."""
        for side in (0, 1):
            if chosen[side][0] == "switch":
                self.enter(board, side, int(chosen[side][1]))
        self._refill(board)

    def _order(self, board: Board, chosen: tuple[Choice, Choice], rng: Random) -> tuple[int, int]:
        """Decide which side acts first."""
        ranks = []
        for side in (0, 1):
            kind, name, _ = chosen[side]
            # Above the priority of any move: switches come first.
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

    def _end(self, board: Board) -> None:
        """End a turn: weather, terrain and screens run down, then each side's residual effects."""
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
        """Apply the residual effects of a turn to a side's active Pokémon."""
        half = board.halves[side]
        body, who = half.active, self.teams[side][half.at]
        whole = who.hp_max
        change = 0
        if body.item == "leftovers" or (body.item == "blacksludge" and "poison" in who.types):
            change += whole // 16
        # `slept` also counts the turns of bad poisoning: a Pokémon has only one status.
        if body.status == "tox":
            body.slept += 1
        if who.ability == "poisonheal" and body.status in {"psn", "tox"}:
            change += whole // 8
        elif who.ability != "magicguard":
            change -= self._hurt(board, side, body, who)
        if board.terrain == "grassyterrain" and "flying" not in who.types:
            change += whole // 16
        body.hp = max(0, min(whole, body.hp + change))
        # These last for one turn.
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
        """Sum up the residual damage of status, effects and weather, in points."""
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
        """Replace fainted Pokémon of both sides at once by the best on their bench."""
        # Entry hazards may knock out a replacement, which then is replaced, too.
        for _ in range(6):
            fallen = [side for side in (0, 1) if board.halves[side].active.hp <= 0]
            entering = [(side, self.best_entry(board, side)) for side in fallen]
            if not any(place is not None for _, place in entering):
                return
            for side, place in entering:
                if place is not None:
                    self.enter(board, side, place)
