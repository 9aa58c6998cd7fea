"""The effects of moves in the model: on the target, the user and the field."""

from __future__ import annotations

from random import Random

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.boards.board import HAZARDS, LEVEL, SCREENS, Board, Body, Shot
from ruleplay.agents.battle.domain.boards.entries import Entries
from ruleplay.agents.battle.domain.dex import Move
from ruleplay.agents.battle.domain.mechanics import words
from ruleplay.agents.battle.domain.worlds import CHOICE_ITEMS, Fighter

HEALS = frozenset(words("heals"))
SHIELDS = frozenset(words("shields"))
CLEARING = {"rapidspin", "mortalspin", "tidyup", "defog"}
"""Moves that remove entry hazards."""
AWAKE = (0.0, 1 / 3, 1 / 2, 1.0)
"""Probability to wake up by turns slept; sleep lasts one to three turns."""

Choice = tuple[str, str, bool]
"""("move", id, tera) or ("switch", place, False) or ("pass", "", False)."""
_WEATHER_OF = {"snow": "snowscape", "hail": "snowscape"}


class Moves(Entries):
    """A model in which moves can be used."""

    def _use(self, board: Board, side: int, name: str, rng: Random) -> None:
        """Use a move, unless its user cannot act, or it is blocked or misses."""
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
        """Check whether status, flinching or confusion keep the user from acting."""
        body = board.halves[side].active
        if body.status == "slp":
            if rng.random() < AWAKE[min(3, body.slept)]:
                body.status, body.slept = "", 0
            else:
                body.slept += 1
                return name == "sleeptalk"
        elif body.status == "frz":
            # A frozen Pokémon thaws in 20% of turns, or by using a Fire move such as Flare Blitz.
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
        # A critical hit; raised rates are ignored.
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
        by.hp = max(0, min(who.hp_max, by.hp + _back(move, who, dealt)))
        if move.self_destruct:
            by.hp = 0
        if "contact" in move.flags and dealt:
            self._touched(board, side)
        if move.id == "knockoff" and foe.active.hp > 0:
            foe.active.item = ""
        if move.id in CLEARING and by.hp > 0:
            half.hazards.clear()
        if "recharge" in move.flags:
            # `resting` keeps the mark from being cleared at the end of this very turn.
            by.volatiles |= {"mustrecharge", "resting"}
        if foe.active.status == "frz" and move.type == "fire":
            foe.active.status = ""

    def _touched(self, board: Board, side: int) -> None:
        """Subtract what contact costs the attacker: Rocky Helmet, Rough Skin, Iron Barbs."""
        half, foe = board.halves[side], board.halves[1 - side]
        who, them = self.teams[side][half.at], self.teams[1 - side][foe.at]
        if who.ability in {"magicguard", "longreach"}:
            return
        pain = who.hp_max // 6 if foe.active.item == "rockyhelmet" else 0
        pain += who.hp_max // 8 if them.ability in {"roughskin", "ironbarbs"} else 0
        half.active.hp = max(0, half.active.hp - pain)

    def _side_effects(self, board: Board, side: int, move: Move, rng: Random) -> None:
        """Apply secondary effects to the target, unless something prevents them."""
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

    def _status_move(self, board: Board, side: int, move: Move, rng: Random) -> None:
        half = board.halves[side]
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
            # Twelve stages reach the maximum from any stage.
            self._shift(by, "atk", 12, who.ability, own=True)
        elif move.side_condition:
            self._lay(board, side, move)
        else:
            self._other_status_move(board, side, move, rng)

    def _lay(self, board: Board, side: int, move: Move) -> None:
        """Set a hazard on the other side, or a screen or Tailwind on one's own."""
        half, foe, name = board.halves[side], board.halves[1 - side], move.side_condition
        if name in HAZARDS:
            foe.hazards[name] = min(HAZARDS[name], foe.hazards.get(name, 0) + 1)
        elif name == "tailwind":
            half.screens.setdefault(name, 4)
        elif name in SCREENS and (name != "auroraveil" or board.weather == "snowscape"):
            half.screens.setdefault(name, 8 if half.active.item == "lightclay" else 5)

    def _other_status_move(self, board: Board, side: int, move: Move, rng: Random) -> None:
        half, foe = board.halves[side], board.halves[1 - side]
        by, on = half.active, foe.active
        if move.id == "defog":
            half.hazards.clear()
            foe.hazards.clear()
        elif move.id == "haze":
            by.stages = on.stages = LEVEL
        elif move.id == "clangoroussoul":
            by.hp = max(1, by.hp - self.teams[side][half.at].hp_max // 3)
        elif move.force_switch:
            self._drag(board, 1 - side, rng)
        self._change_sky(board, move)
        self._own_stages(by, self.teams[side][half.at], move)
        if not on.substitute:
            self._trouble(board, side, move)
        if move.self_switch and by.hp > 0:
            self._pivot(board, side)

    def _change_sky(self, board: Board, move: Move) -> None:
        if move.weather:
            board.weather, board.weather_left = _WEATHER_OF.get(move.weather, move.weather), 5
        elif move.terrain:
            board.terrain, board.terrain_left = move.terrain, 5
        elif move.id == "trickroom":
            board.rooms = board.rooms ^ {"trickroom"}

    def _trouble(self, board: Board, side: int, move: Move) -> None:
        """Apply a status move to its target: status, Leech Seed, confusion, lower stages."""
        foe = board.halves[1 - side]
        if move.status and not move.self_targeted:
            self._afflict(board, 1 - side, move.status)
        elif move.id == "leechseed":
            if "grass" not in self.types(1 - side, foe.at, foe.active):
                foe.active.volatiles |= {"leechseed"}
        elif move.volatile == "confusion":
            foe.active.volatiles |= {"confusion"}
        for stat, amount in move.target_boosts:
            self._shift(foe.active, stat, amount, self.teams[1 - side][foe.at].ability)


def _back(move: Move, who: Fighter, dealt: int) -> int:
    """Compute what a hit gives to its user or costs it: drain, recoil, a fixed share."""
    change = int(dealt * move.drain)
    if who.ability not in {"magicguard", "rockhead"}:
        change -= int(dealt * move.recoil)
    if move.id == "struggle":
        change -= who.hp_max // 4
    elif move.id in {"chloroblast", "steelbeam", "mindblown"}:
        change -= who.hp_max // 2
    return change


def _healed(move: Move, who: Fighter, weather: str) -> int:
    if move.id in {"synthesis", "moonlight", "morningsun"}:
        sunny = weather in {"sunnyday", "desolateland"}
        return who.hp_max * 2 // 3 if sunny else who.hp_max // (2 if not weather else 4)
    return who.hp_max // 2
