"""Reconstructs a player's requests from a finished battle's log, with the choices made.

A log contains no requests. Our team is what the whole log reveals of it, completed by the likeliest
sets; the opponent is only what had been shown by then. Choices that the log does not show (because
of a flinch, full paralysis, …) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ruleplay.agents.battle.adapters.replays import Decided, Replay
from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.chronicle import Chronicle, Seen
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import JointSet
from ruleplay.agents.battle.domain.sets import SetPool, guess
from ruleplay.agents.battle.domain.vantage import see
from ruleplay.errors import UserError
from ruleplay.records.events import Json

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, AssertionError)


def decisions_of(replay: Replay, role: str, pool: SetPool) -> Iterator[Decided]:
    """Yield each of a player's choices that the log shows, with its position.

    Raises UserError if the log's messages make no sense.
    """
    lines = [line.split("|") for line in replay.log]
    try:
        yield from _Hindsight(replay, role, lines, _team(lines, role, replay, pool)).decisions()
    except UNREADABLE as error:
        raise UserError(f"the log of {replay.room!r} cannot be followed: {error}") from error


def _team(
    lines: Sequence[list[str]], role: str, replay: Replay, pool: SetPool
) -> dict[str, tuple[Seen, JointSet]]:
    """Collect what the whole log reveals of a player's team, with a likely set for each member."""
    chronicle = Chronicle()
    chronicle.read(lines)
    # From the other seat: without requests, only the opponent's team is in the log.
    last = see(chronicle, "p2" if role == "p1" else "p1", {}, battle=replay.room)
    return {
        mon.ident: (chronicle.mons[mon.ident], guess(mon, pool).best) for mon in last.theirs.team
    }


@dataclass
class _Hindsight:
    replay: Replay
    role: str
    lines: list[list[str]]
    team: dict[str, tuple[Seen, JointSet]]
    chronicle: Chronicle = field(default_factory=Chronicle)

    def decisions(self) -> Iterator[Decided]:
        """Follow the log from choice to choice."""
        done = 0
        for at, line in enumerate(self.lines):
            kind = line[1] if len(line) > 1 else ""
            if kind == "turn":
                self.chronicle.read(self.lines[: at + 1])
                done = at + 1
                yield from self._asked(self._answer(at + 1), force=False)
            # Who comes in after a knock-out or a pivoting move is a choice of its own.
            elif kind == "switch" and self._is_ours(line) and (self._fallen() or _pivots(line)):
                self.chronicle.read(self.lines[:at])
                done = at
                yield from self._asked(self._switch(line), force=True)
            elif kind == "faint":
                self.chronicle.read(self.lines[: max(done, at + 1)])

    def _asked(self, order: Order | None, *, force: bool) -> Iterator[Decided]:
        if order is None:
            return
        position = self._position(force=force)
        if order in position.legal:
            yield Decided(position=position, order=order)

    def _answer(self, start: int) -> Order | None:
        """Find the player's choice in the turn that begins at a line; None if it does not show."""
        tera = False
        for line in self.lines[start:]:
            kind = line[1] if len(line) > 1 else ""
            if kind in ("turn", "win", "tie"):
                return None
            if len(line) < 3 or not self._is_ours(line):
                continue
            if kind == "-terastallize":
                tera = True
            elif kind == "switch":
                return self._switch(line)
            elif kind == "move":
                # A move called by another, or continued from a turn before, was not chosen now.
                called = any("[from]" in part for part in line[4:])
                return None if called else MoveOrder(move=dex.to_id(line[3]), tera=tera)
            elif kind in ("cant", "faint", "drag"):
                return None
        return None

    def _switch(self, line: list[str]) -> Order:
        return SwitchOrder(ident=protocol.ident(line[2]))

    def _is_ours(self, line: list[str]) -> bool:
        return len(line) > 2 and line[2].startswith(self.role)

    def _fallen(self) -> bool:
        active = self.chronicle.active(self.role)
        return active is not None and (active.hp <= 0 or active.status == "fnt")

    def _position(self, *, force: bool) -> Position:
        position = see(self.chronicle, self.role, self._request(force), battle=self.replay.room)
        return position.model_copy(update={"format": self.replay.format or position.format})

    def _request(self, force: bool) -> Json:
        """Rebuild the request that the server must have sent, as far as the log allows."""
        active = self.chronicle.active(self.role)
        # Requests list the active Pokémon first.
        members = sorted(
            self.team.items(), key=lambda one: active is None or one[0] != active.ident
        )
        side: Json = {"id": self.role, "pokemon": [self._member(*one, active) for one in members]}
        if force:
            return {"forceSwitch": [True], "side": side}
        return {"active": [self._active(active)], "side": side}

    def _member(self, ident: str, known: tuple[Seen, JointSet], active: Seen | None) -> Json:
        final, joint = known
        seen = self.chronicle.mons.get(ident)
        whole = joint.stats.hp
        hp = seen.hp if seen else 1.0
        # A small share may round to zero, but only a fainted Pokémon has no points.
        now = max(1, round(hp * whole))
        status = f" {seen.status}" if seen and seen.status else ""
        fallen = hp <= 0 or (seen is not None and seen.status == "fnt")
        stats = joint.stats
        return {
            "ident": ident,
            "details": f"{final.species}, L{final.level}",
            "condition": "0 fnt" if fallen else f"{now}/{whole}{status}",
            "active": active is not None and active.ident == ident,
            "stats": {name: stats[name] for name in ("atk", "def", "spa", "spd", "spe")},
            "moves": [*joint.moves],
            "baseAbility": joint.ability,
            "ability": joint.ability,
            "item": joint.item if seen is None or seen.item is None else seen.item,
            "teraType": final.tera or joint.tera,
            "terastallized": seen.tera if seen else "",
        }

    def _active(self, active: Seen | None) -> Json:
        known = self.team.get(active.ident) if active else None
        if active is None or known is None:
            return {}
        # A log does not show PP, so no move is ever used up.
        moves: list[Json] = [
            {"id": move, "move": dex.move_name(move), "pp": 8, "maxpp": 8, "disabled": False}
            for move in known[1].moves
        ]
        told: Json = {"moves": [*moves]}
        if self.role not in self.chronicle.tera_used:
            told["canTerastallize"] = known[0].tera or known[1].tera
        return told


def _pivots(line: list[str]) -> bool:
    """Whether a switch came of a move or an item, such as Volt Switch, and not of an order."""
    return any("[from]" in part for part in line[4:])
