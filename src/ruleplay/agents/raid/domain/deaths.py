"""Finds false player deaths: UNIT_DIED is also logged for Feign Death and falling unconscious.

Newer clients mark these lines. In other logs a death is false if no blow before it had overkill
and the player either cast Feign Death around that time or acts again within ten seconds without
having been revived.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ruleplay.agents.raid.domain import traits
from ruleplay.agents.raid.domain.column_buffer import ColumnBuffer, Values
from ruleplay.agents.raid.domain.numerals import Ints, Mask
from ruleplay.agents.raid.domain.reference.tables import revivals

SOON = 10_000
"""Milliseconds within which a living player is expected to act again."""
_AT_ONCE = 300
"""Milliseconds after a death during which lines of earlier actions may still be written."""
_AROUND = 2_000
"""Milliseconds that may separate a death from the events that explain it."""
_SPIRIT = 20_000
"""Maximum duration of Spirit of Redemption in milliseconds, with a margin."""


@dataclass
class _Dying:
    """A death not yet judged true or false."""

    actor: int
    line: int
    ms: int


class FalseDeaths:
    """Processes sheets in order and reports the UNIT_DIED lines that are no real deaths."""

    def __init__(self) -> None:
        self._open: list[_Dying] = []
        self._overkill: dict[int, int] = {}
        self._feigned: dict[int, int] = {}
        self._spirit: dict[int, int] = {}
        self._died: dict[int, int] = {}

    def find(self, sheet: ColumnBuffer, bits: Ints, players: Mask, unconscious: int) -> list[int]:
        """Return the lines of false deaths, possibly from earlier sheets; needs `line` and `ms`.

        `unconscious` is the `note` code of lines that the client itself marks as false.
        """
        view = _View(sheet, bits, players)
        notes = np.where(sheet.known("note"), sheet.column("note"), -1)
        found: list[int] = []
        for row, sign in view.signs():
            who, ms = int(view.target[row]), int(view.ms[row])
            if sign == "overkill":
                self._overkill[who] = ms
            elif sign == "feign":
                self._feigned[int(view.source[row])] = ms
            elif sign == "spirit":
                self._spirit[who] = ms
            elif notes[row] == unconscious:
                found.append(int(view.line[row]))
            else:
                found += self._take_death(_Dying(who, int(view.line[row]), ms))
        still: list[_Dying] = []
        for one in self._open:
            decided = self._decide(one, view)
            if decided:
                found.append(one.line)
            elif decided is None:
                still.append(one)
        self._open = still
        return found

    def _take_death(self, one: _Dying) -> list[int]:
        """Record a death; return its line if it is feigned, or the second of one death."""
        spirit, before = self._spirit.get(one.actor), self._died.get(one.actor)
        self._died[one.actor] = one.ms
        # A priest with Spirit of Redemption is logged as dying twice; the second line is false.
        if spirit is not None and abs(one.ms - spirit) <= _SPIRIT:
            told = before is not None and one.ms - before <= _SPIRIT and before >= spirit - _AROUND
            return [one.line] if told else []
        killed = self._overkill.get(one.actor)
        if killed is not None and -_AT_ONCE <= one.ms - killed <= _AROUND:
            return []
        feigned = self._feigned.get(one.actor)
        if feigned is not None and abs(one.ms - feigned) <= _AROUND:
            return [one.line]
        self._open.append(one)
        return []

    def _decide(self, one: _Dying, view: _View) -> bool | None:
        """Whether a death is false; None until enough later lines have been read."""
        after = view.after(one)
        acts, revived = view.acts(after, one.actor), view.revivals(after, one.actor)
        if acts.size:
            return not (revived.size and revived[0] < acts[0])
        if revived.size:
            return False
        return None if view.last_ms <= one.ms + SOON else False


class _View:
    """The columns of a sheet that bear on deaths."""

    def __init__(self, sheet: ColumnBuffer, bits: Ints, players: Mask) -> None:
        self.ms: Ints = np.asarray(sheet.column("ms"), np.int64)
        self.line: Ints = np.asarray(sheet.column("line"), np.int64)
        self.source, self.target = sheet.column("source"), sheet.column("target")
        self.spell: Values = np.where(sheet.known("spell_id"), sheet.column("spell_id"), 0)
        self._bits = bits
        of_player = players[self.target]
        self.deaths = np.flatnonzero((bits & traits.DIED > 0) & of_player)
        self.overkill: Mask = (bits & traits.HURT > 0) & of_player & (sheet.column("over") > 0)
        self.last_ms = int(self.ms[-1]) if len(self.ms) else 0

    def signs(self) -> Iterator[tuple[int, str]]:
        """Yield, in line order, deaths and the events that help to judge them: (row, sign)."""
        known = {number: one.kind for number, one in revivals().items() if one.kind != "revival"}
        told = dict.fromkeys(np.flatnonzero(self.overkill).tolist(), "overkill")
        spells = np.isin(self.spell, [*known]) & (self._bits & traits.SKILL > 0)
        for row in np.flatnonzero(spells).tolist():
            told[row] = known[int(self.spell[row])]
        told |= dict.fromkeys(self.deaths.tolist(), "death")
        yield from sorted(told.items())

    def after(self, one: _Dying) -> Ints:
        """Rows after a death, within the window that decides it."""
        late = self.ms <= one.ms + SOON
        return np.flatnonzero(late & (self.ms >= one.ms + _AT_ONCE) & (self.line > one.line))

    def acts(self, rows: Ints, actor: int) -> Ints:
        """Those rows in which the player acts."""
        found: Ints = rows[(self.source[rows] == actor) & (self._bits[rows] & traits.ACT > 0)]
        return found

    def revivals(self, rows: Ints, actor: int) -> Ints:
        """Those rows in which the player is resurrected, by others or by its own spell."""
        by_others = (self.target[rows] == actor) & (self._bits[rows] & traits.REVIVE > 0)
        own = [number for number, one in revivals().items() if one.kind == "revival"]
        own_act = (self.source[rows] == actor) & np.isin(self.spell[rows], own)
        found: Ints = rows[by_others | own_act]
        return found
