"""What happened in the last turns, step by step, read from the server's messages."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.mechanics import kinds
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.protocol import Line

NOTES = frozenset({"crit", "supereffective", "resisted", "immune", "miss", "fail"})
"""Messages that qualify the move before them."""
PLAIN = kinds("happenings")
"""Messages that become a happening of their own, with its kind."""


@dataclass(frozen=True)
class Happening:
    """One thing that happened; `kind` selects its phrase (`did_…`).

    `mon` is an ident, or "" for an event of a whole side. `share` is the health that `on` lost or
    gained and `left` what remains, as fractions; None if unknown.
    """

    turn: int
    kind: str
    ours: bool
    mon: str = ""
    what: str = ""
    on: str = ""
    share: float | None = None
    left: float | None = None
    notes: tuple[str, ...] = ()


@dataclass
class _Account:
    """Reads messages in order; `health` is the last known health of each Pokémon."""

    us: str
    turn: int = 0
    health: dict[str, float] = field(default_factory=dict)
    found: list[Happening] = field(default_factory=list)

    def read(self, line: Line) -> None:
        """Process one message."""
        kind, first, rest = line[0], line[1], line[2:]
        if kind == "turn":
            self.turn = int(first)
            return
        mon = protocol.ident(first) if ": " in first and not kind.startswith("-side") else ""
        made = Happening(self.turn, "", first.startswith(self.us), mon)
        what = first if kind in ("-weather", "-fieldstart") or not rest else rest[0]
        match kind:
            case "move":
                on = protocol.ident(rest[1]) if len(rest) > 1 and ": " in rest[1] else ""
                self.found.append(replace(made, kind="used", what=what, on="" if on == mon else on))
            case "switch" | "drag":
                self.health[mon] = protocol.condition(rest[1]).share
                self.found.append(replace(made, kind="came", left=self.health[mon]))
            case "-damage" | "-heal":
                self._change(made, kind, rest)
            case _ if kind.removeprefix("-") in NOTES:
                self._note(kind.removeprefix("-"))
            case _ if kind in PLAIN and "[upkeep]" not in rest and what != "none":
                name = what.removeprefix("move: ").removeprefix("ability: ")
                self.found.append(replace(made, kind=PLAIN[kind], what=name))

    def _change(self, made: Happening, kind: str, rest: Sequence[str]) -> None:
        """Record a change of health, as an effect of the last move or of its named source."""
        left = protocol.condition(rest[0]).share
        before = self.health.get(made.mon)
        share = None if before is None else abs(before - left)
        self.health[made.mon] = left
        told = replace(made, share=share, left=left, on=made.mon)
        tags = protocol.tags(rest[1:])
        origin, _, name = tags.source.rpartition(": ")
        if origin in ("item", "ability"):
            # Rocky Helmet is its holder's, not theirs whom it hurts; what heals names the attacker.
            owner = tags.of if tags.of and kind == "-damage" else made.mon
            shown = replace(told, mon=owner, ours=owner.startswith(self.us), what=name)
            self.found.append(replace(shown, kind="holds" if origin == "item" else "has"))
        elif tags.source or kind == "-heal":
            self.found.append(
                replace(told, kind="healed" if kind == "-heal" else "hurt", what=name)
            )
        else:
            self._strike(told)

    def _strike(self, told: Happening) -> None:
        """Add damage to the last move used this turn; several hits add up."""
        at = next((n for n, one in reversed([*enumerate(self.found)]) if one.kind == "used"), None)
        if at is None or self.found[at].turn != told.turn:
            return
        one = self.found[at]
        known = [share for share in (one.share, told.share) if share is not None]
        self.found[at] = replace(one, on=told.mon, share=sum(known) or None, left=told.left)

    def _note(self, note: str) -> None:
        """Attach a note to the last move that does not have it yet."""
        for at in range(len(self.found) - 1, -1, -1):
            if (one := self.found[at]).kind == "used" and note not in one.notes:
                self.found[at] = replace(one, notes=(*one.notes, note))
                return


def happenings(position: Position) -> tuple[Happening, ...]:
    """List what a position's log tells, oldest first; unreadable lines are skipped."""
    return _told(position.ours.team[0].ident[:2] if position.ours.team else "p1", position.log)


@lru_cache(4)
def _told(us: str, log: tuple[str, ...]) -> tuple[Happening, ...]:
    account = _Account(us)
    for line in log:
        with suppress(IndexError, KeyError, ValueError):
            account.read(line.split("|"))
    return tuple(account.found)


def last_turn(position: Position) -> tuple[Happening, ...]:
    """List what happened since the turn before this request."""
    # A forced switch is asked for during a turn, other requests after it.
    since = position.turn if position.force_switch else position.turn - 1
    return tuple(one for one in happenings(position) if one.turn >= max(0, since))


def first_shown(position: Position) -> tuple[tuple[str, str], ...]:
    """List the moves that theirs used for the first time last turn, as idents and move ids."""
    used = [(one.mon, dex.to_id(one.what)) for one in last_turn(position) if one.kind == "used"]
    spent = {
        (mon.ident, slot.id): slot.max_pp - slot.pp
        for mon in position.theirs.team
        for slot in mon.moves
    }
    # New are the moves whose uses so far (spent PP) all fall in this turn.
    return tuple(pair for pair in dict.fromkeys(used) if spent.get(pair) == used.count(pair))
