"""Switching in the model: what leaving resets, and what hazards and entry abilities do."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.boards.board import LEVEL, PLACE, Board, Body, Half
from ruleplay.agents.battle.domain.boards.model import Model
from ruleplay.agents.battle.domain.mechanics import groups, kinds
from ruleplay.agents.battle.domain.strikes import Scene, grounded
from ruleplay.agents.battle.domain.worlds import Fighter

WEATHER_ABILITIES = kinds("weather_abilities")
TERRAIN_ABILITIES = kinds("terrain_abilities")
_IMMUNE = groups("immune")
_IMMUNE_BY = groups("immune_by")


class Entries(Model):
    """A model in which Pokémon switch in and out, and stages and status change."""

    def _shift(
        self, body: Body, stat: str, amount: int, ability: str, *, own: bool = False
    ) -> None:
        """Change a stage; abilities and items may prevent lowering by others, but not by itself."""
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
        """Inflict a status condition, unless something prevents it."""
        half = board.halves[side]
        body, who = half.active, self.teams[side][half.at]
        types = self.types(side, half.at, body)
        # Misty Terrain protects grounded Pokémon from status, Electric Terrain from sleep.
        if body.status or (board.terrain == "mistyterrain" and "flying" not in types):
            return
        if set(types) & {*_IMMUNE.get(status, ())} or who.ability in _IMMUNE_BY.get(status, ()):
            return
        if status == "slp" and board.terrain == "electricterrain" and "flying" not in types:
            return
        if who.ability in {"purifyingsalt", "comatose", "goodasgold"}:
            return
        body.status, body.slept = status, 0
        if body.item == "lumberry":
            body.status, body.item = "", ""

    def _pivot(self, board: Board, side: int) -> None:
        place = self.best_entry(board, side)
        if place is not None:
            self.enter(board, side, place)

    def _drag(self, board: Board, side: int, rng: Random) -> None:
        entries = self.entries(board.halves[side])
        if entries:
            self.enter(board, side, int(rng.choice(entries)[1]))

    def best_entry(self, board: Board, side: int) -> int | None:
        """Find the benched Pokémon that does best against the one opposite, health included."""
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
        """Switch a Pokémon in, with the effects of leaving, hazards and entry abilities."""
        half, foe = board.halves[side], board.halves[1 - side]
        self._leave(side, half)
        half.at = place
        body = half.bodies[place] = half.bodies[place].copy()
        who = self.teams[side][place]
        self._hazards(board, side, body, who)
        # Neutralizing Gas suppresses entry abilities.
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
                    # A grounded Poison type removes Toxic Spikes by entering.
                    del half.hazards["toxicspikes"]
                else:
                    self._afflict(board, side, "tox" if half.hazards["toxicspikes"] > 1 else "psn")
            if "stickyweb" in half.hazards:
                self._shift(body, "spe", -1, who.ability)
