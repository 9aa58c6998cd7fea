"""Log lines to typed events: thousands at a time, the odd ones one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ruleplay.agents.raid.domain.columns import EVENTS
from ruleplay.agents.raid.domain.grammar import (
    HEADERS,
    MODERN_BASE,
    OLD_BASE,
    Layout,
    find_layout,
    what_is_wrong,
)
from ruleplay.agents.raid.domain.interning import Interner, Lookup
from ruleplay.agents.raid.domain.lines import (
    LONGEST_LINE,
    BadLine,
    read_mask,
    split_fields,
    text_of,
)
from ruleplay.agents.raid.domain.numerals import Ints, Mask, read_decimals, read_integers
from ruleplay.agents.raid.domain.roster import Roster
from ruleplay.agents.raid.domain.sheet import Sheet, Values
from ruleplay.agents.raid.domain.stamps import Calendar, read_stamps
from ruleplay.agents.raid.domain.tokens import Lines, Tokens, cut_lines, spells, tokens_of

_QUOTE, _ONE, _NIL, _ZERO = (ord(c) for c in '"1n0')
_NO_SPELL = (-1, 0, 0)
_MOST: Mapping[str, int] = {
    column.name: (1 << int(column.kind[1:])) - 1
    for column in EVENTS.columns
    if column.kind in {"u8", "u16", "u32"}
}
"""The greatest number that a column holds."""
_WIDEST = 127
_TEXTS = ("event", "spell", "miss_type", "aura_type", "extra_spell", "note")
_FLAGS = {"critical", "glancing", "crushing", "offhand"}
_POSITIONS = (("x", 5), ("y", 4))
"""Columns of the advanced block, counted from its end."""
_FROM_END = (("power_type", 9), ("power", 8), ("power_max", 7))


@dataclass(frozen=True)
class Header:
    """A line without base fields, which is read one by one: its tokens after the event's name."""

    line: int
    event: str
    fields: tuple[bytes, ...]


@dataclass(frozen=True)
class Unread:
    """A line that is no event: its place in the chunk, and why."""

    line: int
    reason: str


@dataclass
class Chunk:
    """A chunk that was read; lines are counted from 0."""

    lines: Lines
    sheet: Sheet
    stamped: Mask
    """Lines that begin with a timestamp."""
    headers: list[Header] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)


class Reader:
    """Reads chunk after chunk of one log; what it has met stays known."""

    def __init__(self) -> None:
        self.roster = Roster()
        self.calendar = Calendar()
        self.texts = Interner[str](text_of)
        self.events = Interner[str](_plain)
        self.units, self.old_units = Lookup(self._read_unit(4)), Lookup(self._read_unit(3))
        self.infos = Lookup(self.roster.read_info)
        self.guids = Lookup(lambda token: (self.roster.actor_of(text_of(token)),))
        self.masks = Lookup(lambda token: (read_mask(token),))
        self.spells = Lookup(self._read_spell)
        self.seen: Counter[tuple[int, int]] = Counter()
        """Lines by base fields and width of their advanced block."""

    def names(self) -> Mapping[str, Sequence[str]]:
        """Return what the numbers in text columns stand for."""
        texts: dict[str, Sequence[str]] = dict.fromkeys(_TEXTS, self.texts.values)
        return texts | {"event": self.events.values}

    def read(self, chunk: bytes) -> Chunk:
        """Read whole lines; `ms` counts from the midnight before the log's first line."""
        lines = cut_lines(chunk)
        ms, starts, good = read_stamps(lines.buffer, lines.starts, lines.ends, self.calendar)
        result = Chunk(lines, Sheet(len(lines.starts)), good)
        good &= lines.ends - lines.starts <= LONGEST_LINE
        good &= starts <= lines.separators[lines.first]
        every = np.arange(len(ms))
        result.sheet.put("ms", every, ms)
        self._read_events(lines.tokens(starts), np.flatnonzero(good), every, result)
        self._read_carefully(result, starts, np.flatnonzero(result.sheet.bad))
        self._list_unread(result, np.flatnonzero(~good))
        return result

    def _read_unit(self, count: int) -> Callable[[bytes], tuple[int, int, int]]:
        def read(token: bytes) -> tuple[int, int, int]:
            return self.roster.read_unit(token, count)

        return read

    def _read_spell(self, token: bytes) -> tuple[int, int, int]:
        """Read `id,"name",school`; -1 for the id where it is bad."""
        try:
            fields = split_fields(token)
        except BadLine:
            return _NO_SPELL
        if len(fields) != 3 or not _is_quoted(fields[1]):
            return _NO_SPELL
        spelled, name, school = fields
        mask = read_mask(school)
        if not spelled.isdigit() or len(spelled) > 10 or int(spelled) >= 1 << 32:
            return _NO_SPELL
        if not 0 <= mask <= _MOST["school"]:
            return _NO_SPELL
        return int(spelled), self.texts.number_one(name), mask

    def _read_carefully(self, result: Chunk, starts: Ints, failed: Ints) -> None:
        """Split the lines that failed again, with brackets and quotes, where that can help."""
        again: dict[int, list[bytes]] = {}
        for line in failed:
            body = result.lines.buffer[starts[line] : result.lines.ends[line]].tobytes()
            try:
                fields = split_fields(body)
            except BadLine as error:
                result.sheet.flaws[int(line)] = str(error)
                continue
            if len(fields) != result.lines.width[line]:
                again[int(line)] = fields
        if again:
            places = np.array(list(again))
            result.sheet.forgive(places)
            tokens = tokens_of(list(again.values()))
            self._read_events(tokens, np.arange(len(places)), places, result)

    def _list_unread(self, result: Chunk, unstamped: Ints) -> None:
        result.sheet.mark_bad(unstamped, "it does not begin with a timestamp")
        for line in unstamped:
            if result.lines.ends[line] - result.lines.starts[line] > LONGEST_LINE:
                result.sheet.flaws[int(line)] = f"it is longer than {LONGEST_LINE:,} bytes"
        result.unread += [Unread(line, why) for line, why in sorted(result.sheet.flaws.items())]

    def _read_events(self, tokens: Tokens, rows: Ints, places: Ints, result: Chunk) -> None:
        """Read token lines `rows`; `places` are the lines of the sheet that they are."""
        if not rows.size:
            return
        codes = self.events.number(tokens.buffer, *tokens.bounds(rows, 0))
        old, tail = _is_old(tokens, rows), _has_tail(tokens, rows)
        width = np.minimum(tokens.width[rows], _WIDEST)
        keys = ((codes.astype(np.int64) << 7 | width) << 2) | (old << 1) | tail
        block = _Block(self, tokens, places, result.sheet)
        layouts: dict[Layout, list[Ints]] = {}
        for key in np.flatnonzero(np.bincount(keys)):
            mine = rows[keys == key]
            event, count = self.events.values[key >> 9], int(key >> 2) & _WIDEST
            layout = find_layout(event, count, old=bool(key & 2), tail=bool(key & 1))
            if layout:
                layouts.setdefault(layout, []).append(mine)
                if layout.advanced or layout.base == OLD_BASE or not layout.columns:
                    self.seen[layout.base, layout.advanced] += len(mine)
            elif event in HEADERS:
                _take_headers(event, tokens, mine, places, result)
            else:
                reason = what_is_wrong(event, count, old=bool(key & 2))
                result.sheet.mark_bad(places[mine], reason)
        result.sheet.put("event", places[rows], codes)
        block.read({layout: np.concatenate(found) for layout, found in layouts.items()})


def _is_quoted(field: bytes) -> bool:
    return field == b"nil" or (len(field) > 1 and field[:1] == field[-1:] == b'"')


def _plain(token: bytes) -> str:
    return token.decode(errors="backslashreplace")


def _is_old(tokens: Tokens, rows: Ints) -> Mask:
    """Tell the lines without raid flags: their fourth token is the target's GUID of 18 digits."""
    old = tokens.width[rows] > OLD_BASE
    start, end = tokens.bounds(rows[old], 4)
    old[old] = (end - start == 18) & (tokens.buffer[start + 1] == ord("x"))
    return old


def _has_tail(tokens: Tokens, rows: Ints) -> Mask:
    tail = tokens.width[rows] > MODERN_BASE
    start, end = tokens.last(rows[tail])
    buffer = tokens.buffer
    tail[tail] = spells(buffer, start, end, b"ST") | spells(buffer, start, end, b"AOE")
    return tail


def _take_headers(event: str, tokens: Tokens, rows: Ints, places: Ints, result: Chunk) -> None:
    for row in rows:
        start, end = tokens.events[row], tokens.ends[tokens.first[row] + tokens.width[row] - 1]
        text = tokens.buffer[start:end].tobytes()
        # What somebody says may hold quotes and brackets that nothing closes.
        split = _split_plainly if event == "EMOTE" else split_fields
        try:
            fields = tuple(split(text)[1:])
        except BadLine as error:
            result.sheet.mark_bad(places[[row]], str(error))
            continue
        result.headers.append(Header(int(places[row]), event, fields))


def _split_plainly(text: bytes) -> list[bytes]:
    return text.split(b",")


class _Block:
    """Fills a sheet from tokens, one layout at a time."""

    def __init__(self, reader: Reader, tokens: Tokens, places: Ints, sheet: Sheet) -> None:
        self._reader = reader
        self._tokens, self._places, self._sheet = tokens, places, sheet
        self._buffer, self._words = tokens.buffer, tokens.words
        self._asked, self._asked_at, self._asked_end = tokens.width, -2, tokens.width
        self._asked_first = tokens.first

    def read(self, layouts: Mapping[Layout, Ints]) -> None:
        """Read the lines of each layout; columns that layouts share are read together."""
        for base in (MODERN_BASE, OLD_BASE):
            alike = {layout: rows for layout, rows in layouts.items() if layout.base == base}
            if alike:
                self._read_base(np.concatenate([*alike.values()]), base)
            with_spell = [rows for layout, rows in alike.items() if layout.spell]
            if with_spell:
                self._read_spell(np.concatenate(with_spell), base + 1)
        blocks: dict[tuple[int, int], list[Ints]] = {}
        suffixes: dict[tuple[tuple[str, int], ...], list[Ints]] = {}
        for layout, rows in layouts.items():
            if layout.advanced:
                blocks.setdefault((layout.advanced_at, layout.advanced), []).append(rows)
            suffixes.setdefault(layout.columns, []).append(rows)
            if layout.tail:
                self._read_text("note", rows, layout.advanced_at + layout.advanced, last=True)
        for (at, width), found in blocks.items():
            self._read_advanced(np.concatenate(found), at, width)
        for columns, found in suffixes.items():
            rows = np.concatenate(found)
            for name, at in columns:
                self._read_column(name, rows, at)

    def _read_base(self, rows: Ints, base: int) -> None:
        half, reader = base // 2, self._reader
        for side, at in (("source", 1), ("target", 1 + half)):
            units = reader.old_units if half < 4 else reader.units
            actors, flags, raid = self._look_up(units, rows, at, half)
            self._put(side, rows, actors, actors > 0)
            self._put(f"{side}_flags", rows, flags)
            if half > 3:
                self._put(f"{side}_raid_flags", rows, raid)
            self._refuse(rows, actors < 0, side)

    def _read_spell(self, rows: Ints, at: int) -> None:
        ids, names, schools = self._look_up(self._reader.spells, rows, at, 3)
        self._put("spell_id", rows, ids)
        self._put("spell", rows, names)
        self._put("school", rows, schools)
        self._refuse(rows, ids < 0, "spell")

    def _read_advanced(self, rows: Ints, at: int, width: int) -> None:
        (info,) = self._look_up(self._reader.infos, rows, at, 2)
        self._put("info", rows, info, info > 0)
        self._refuse(rows, info < 0, "advanced block")
        self._read_integer("hp", rows, at + 2)
        self._read_integer("hp_max", rows, at + 3)
        for name, from_end in _FROM_END:
            self._read_integer(name, rows, at + width - from_end)
        for name, from_end in _POSITIONS:
            bounds = self._bounds(rows, at + width - from_end)
            values, good = read_decimals(self._buffer, self._words, *bounds)
            self._put(name, rows, values)
            self._refuse(rows, ~good, name)

    def _look_up(self, table: Lookup, rows: Ints, at: int, count: int) -> tuple[Ints, ...]:
        return table.find(self._buffer, *self._tokens.span(rows, at, count))

    def _put(self, name: str, rows: Ints, values: Values, known: Mask | None = None) -> None:
        """Set a column; what could not be read is negative, and its line is refused as well."""
        if name in _MOST:
            values = np.maximum(values, 0)
        self._sheet.put(name, self._places[rows], values, known)

    def _bounds(self, rows: Ints, at: int) -> tuple[Ints, Ints]:
        """Return a token's bounds; its start is known where the token before was the last asked."""
        if self._asked is not rows:
            self._asked_first, self._asked_at = self._tokens.first[rows], -2
        known = self._asked_at == at - 1
        start = (self._asked_end if known else self._tokens.ends[self._asked_first + (at - 1)]) + 1
        end = self._tokens.ends[self._asked_first + at]
        self._asked, self._asked_at, self._asked_end = rows, at, end
        return start, end

    def _read_column(self, name: str, rows: Ints, at: int) -> None:
        if name in _FLAGS:
            self._read_flag(name, rows, at)
        elif name in {"school", "extra_school"}:
            self._read_mask(name, rows, at)
        elif name in _TEXTS:
            self._read_text(name, rows, at)
        elif name == "absorber":
            self._read_actor(name, rows, at)
        elif name == "unconscious":
            start, end = self._bounds(rows, at)
            down = spells(self._buffer, start, end, b"1")
            code = self._reader.texts.number_one(b"unconscious")
            self._put("note", rows[down], np.full(down.sum(), code, np.int32))
        else:
            self._read_integer(name, rows, at)

    def _read_actor(self, name: str, rows: Ints, at: int) -> None:
        (actors,) = self._look_up(self._reader.guids, rows, at, 1)
        self._put(name, rows, actors, actors > 0)
        self._refuse(rows, actors < 0, name)

    def _read_integer(self, name: str, rows: Ints, at: int) -> None:
        start, end = self._bounds(rows, at)
        values, good = read_integers(self._buffer, self._words, start, end)
        if name == "over":
            values = np.maximum(values, 0)
        known = None
        if not good.all():
            nil = spells(self._buffer, start, end, b"nil")
            known = good
            good = good | nil
        if name in _MOST:
            good &= (values >= 0) & (values <= _MOST[name])
        self._put(name, rows, values, known)
        self._refuse(rows, ~good, name)

    def _read_mask(self, name: str, rows: Ints, at: int) -> None:
        (values,) = self._look_up(self._reader.masks, rows, at, 1)
        self._put(name, rows, values)
        self._refuse(rows, (values < 0) | (values > _MOST[name]), name)

    def _read_text(self, name: str, rows: Ints, at: int, *, last: bool = False) -> None:
        start, end = self._tokens.last(rows) if last else self._bounds(rows, at)
        codes = self._reader.texts.number(self._buffer, start, end)
        nil = spells(self._buffer, start, end, b"nil")
        quoted = self._buffer[start] == _QUOTE
        closed = (self._buffer[end - 1] == _QUOTE) & (end - start > 1)
        self._put(name, rows, codes, ~nil)
        self._refuse(rows, quoted != closed, name)

    def _read_flag(self, name: str, rows: Ints, at: int) -> None:
        start, end = self._bounds(rows, at)
        first = self._buffer[start]
        yes = first == _ONE
        good = ((yes | (first == _ZERO)) & (end - start == 1)) | (first == _NIL)
        self._put(name, rows, yes)
        self._refuse(rows, ~good, name)

    def _refuse(self, rows: Ints, wrong: Mask, name: str) -> None:
        if wrong.any():
            fresh = self._places[rows[wrong]]
            fresh = fresh[~self._sheet.bad[fresh]]
            self._sheet.mark_bad(fresh, f"its {name.replace('_', ' ')} cannot be read")
