"""Parses log lines into typed events: vectorised by the thousand, unusual lines one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np

from ruleplay.agents.raid.domain.column_buffer import ColumnBuffer, Values
from ruleplay.agents.raid.domain.columns import EVENTS
from ruleplay.agents.raid.domain.grammar import (
    FORMS,
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
    is_quoted,
    read_mask,
    split_fields,
    text_of,
)
from ruleplay.agents.raid.domain.numerals import Ints, Mask, read_decimals, read_integers
from ruleplay.agents.raid.domain.roster import Roster
from ruleplay.agents.raid.domain.stamps import Calendar, read_stamps
from ruleplay.agents.raid.domain.tokens import Lines, Text, Tokens, cut_lines, spells, tokens_of

T = TypeVar("T")

_QUOTE, _ONE, _NIL, _ZERO = (ord(c) for c in '"1n0')
KNOWN = tuple(name.encode() for name in (*FORMS, *sorted(HEADERS)))
"""Events with fixed codes, in this order; the code after them stands for any other event."""
_NO_SPELL = (-1, 0, 0)
MOST: Mapping[str, int] = {
    column.name: (1 << int(column.kind[1:])) - 1
    for column in EVENTS.columns
    if column.kind in {"u8", "u16", "u32"}
}
"""Largest value that each integer column can hold."""
WIDEST = 127
"""Token counts are capped at this value when lines are grouped by layout."""
KEY_BITS = 9
"""Number of low bits of a line's key, below the event code: 7 for the width, 2 flags."""
TEXTS = ("event", "spell", "miss_type", "aura_type", "extra_spell", "note")
FLAGS = {"critical", "glancing", "crushing", "offhand"}
POSITIONS, MASKS, SIDES = ("x", "y"), ("school", "extra_school"), ("source", "target")
UNCONSCIOUS = (b"unconscious", b"1")
"""The note stored for a false death, and the token by which a line marks one."""
_FROM_END = (("power_type", 9), ("power", 8), ("power_max", 7), ("x", 5), ("y", 4))
"""Columns of the advanced block by position from its end, where all client versions agree."""


@dataclass(frozen=True)
class Header:
    """A line without base fields, parsed individually; `fields` are the tokens after its name."""

    line: int
    event: str
    fields: tuple[bytes, ...]


@dataclass(frozen=True)
class Unread:
    """A line that yields no event: its index in the chunk, and the reason."""

    line: int
    reason: str


@dataclass
class Chunk:
    """A parsed chunk; lines are counted from 0."""

    lines: Lines
    sheet: ColumnBuffer
    stamped: Mask
    """Mask of the lines that begin with a valid timestamp."""
    headers: list[Header] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)


class Reader:
    """Reads the chunks of one log; interned tokens and units persist between chunks.

    This class defines the meaning of a log. A faster subclass may intern tokens, cut lines and
    parse numbers differently, but must produce identical chunks.
    """

    def __init__(self) -> None:
        self.roster = Roster()
        self.calendar = Calendar()
        self.texts: Interner[str] = self.number(text_of)
        self.events: Interner[str] = self.number(_plain)
        self.units = Lookup(self.number(partial(self.roster.read_unit, count=4)))
        self.old_units = Lookup(self.number(partial(self.roster.read_unit, count=3)))
        self.infos = Lookup(self.number(self.roster.read_info))
        self.guids = Lookup(self.number(lambda token: (self.roster.actor_of(text_of(token)),)))
        self.masks = Lookup(self.number(lambda token: (read_mask(token),)))
        self.spells = Lookup(self.number(self._read_spell))
        for event in KNOWN:
            self.events.number_one(event)
        self.seen: Counter[tuple[int, int]] = Counter()
        """Number of lines by (base fields, width of the advanced block)."""

    def number(self, read: Callable[[bytes], T]) -> Interner[T]:
        """Create an interner that keeps the result of `read` for each distinct token."""
        return Interner(read)

    def names(self) -> Mapping[str, Sequence[str]]:
        """Map each text column to the texts that its codes stand for."""
        texts: dict[str, Sequence[str]] = dict.fromkeys(TEXTS, self.texts.values)
        return texts | {"event": self.events.values}

    def read(self, chunk: Text) -> Chunk:
        """Parse whole lines; `ms` counts from the midnight before the log's first line."""
        lines = self.cut(chunk)
        ms, starts, good = self.stamp(lines)
        result = Chunk(lines, ColumnBuffer(len(lines.starts)), good)
        good &= lines.ends - lines.starts <= LONGEST_LINE
        good &= starts <= lines.separators[lines.first]
        every = np.arange(len(ms))
        result.sheet.put("ms", every, ms)
        self.read_lines(lines.tokens(starts), np.flatnonzero(good), result)
        self._read_carefully(result, starts, np.flatnonzero(result.sheet.bad))
        self._list_unread(result, np.flatnonzero(~good))
        return result

    def cut(self, chunk: Text) -> Lines:
        """Find the lines of a chunk."""
        return cut_lines(chunk)

    def stamp(self, lines: Lines) -> tuple[Ints, Ints, Mask]:
        """Parse the timestamps: milliseconds, start of the event, and validity per line."""
        return read_stamps(lines.buffer, lines.starts, lines.ends, self.calendar)

    def read_lines(self, tokens: Tokens, rows: Ints, result: Chunk) -> None:
        """Parse these lines of the chunk into its sheet."""
        self._read_events(tokens, rows, np.arange(result.sheet.count), result)

    def _read_spell(self, token: bytes) -> tuple[int, int, int]:
        """Parse `id,"name",school`; the id is -1 if invalid."""
        try:
            fields = split_fields(token)
        except BadLine:
            return _NO_SPELL
        if len(fields) != 3 or not is_quoted(fields[1]):
            return _NO_SPELL
        spelled, name, school = fields
        mask = read_mask(school)
        if not spelled.isdigit() or len(spelled) > 10 or int(spelled) >= 1 << 32:
            return _NO_SPELL
        if not 0 <= mask <= MOST["school"]:
            return _NO_SPELL
        return int(spelled), self.texts.number_one(name), mask

    def _read_carefully(self, result: Chunk, starts: Ints, failed: Ints) -> None:
        """Retry failed lines with a quote- and bracket-aware split, if that splits differently."""
        again: dict[int, list[bytes]] = {}
        for line in failed:
            body = result.lines.buffer[starts[line] : result.lines.ends[line]].tobytes()
            try:
                fields = split_fields(body)
            except BadLine as error:
                result.sheet.flaws[int(line)] = str(error)
                continue
            # The same number of fields would fail the same way.
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
        """Parse rows of `tokens`; `places` maps the rows of `tokens` to lines of the sheet."""
        if not rows.size:
            return
        codes = self.events.number(tokens.buffer, *tokens.bounds(rows, 0))
        codes = np.minimum(codes, len(KNOWN))
        old, tail = _is_old(tokens, rows), _has_tail(tokens, rows)
        width = np.minimum(tokens.width[rows], WIDEST)
        # Lines with equal keys share a layout, which is looked up once per key, not per line.
        keys = (codes.astype(np.int64) << KEY_BITS) | (width << 2) | (old << 1) | tail
        layouts = self.sort_lines(keys, tokens, rows, places, result)
        result.sheet.put("event", places[rows], codes)
        found = {
            layout: rows[np.logical_or.reduce([keys == key for key in mine])]
            for layout, mine in layouts.items()
        }
        _Block(self, tokens, places, result.sheet).read(found)

    def sort_lines(
        self, keys: Ints, tokens: Tokens, rows: Ints, places: Ints, result: Chunk
    ) -> Mapping[Layout, Sequence[int]]:
        """Group the keys by layout; header lines are parsed, and lines without a layout rejected.

        A key combines the event code, the width (at most WIDEST), whether there are six base
        fields, and whether there is a tail.
        """
        layouts: dict[Layout, list[int]] = {}
        count = np.bincount(keys)
        for key in np.flatnonzero(count).tolist():
            event, width, old = self.events.values[key >> KEY_BITS], key >> 2 & WIDEST, key & 2 > 0
            layout = find_layout(event, width, old=old, tail=bool(key & 1))
            if layout:
                layouts.setdefault(layout, []).append(key)
                if layout.advanced or layout.base == OLD_BASE or not layout.columns:
                    self.seen[layout.base, layout.advanced] += int(count[key])
                continue
            mine = rows[keys == key]
            if event in HEADERS:
                _take_headers(event, tokens, mine, places, result)
                continue
            for row, *bounds in zip(mine, *tokens.bounds(mine, 0), strict=True):
                told = _plain(tokens.buffer[slice(*bounds)].tobytes())
                result.sheet.mark_bad(places[[row]], what_is_wrong(told, width, old=old))
        return layouts


def advanced_columns(at: int, width: int) -> tuple[tuple[str, int], ...]:
    """Token positions of the advanced block's numbers; the two `info` tokens precede them."""
    return (("hp", at + 2), ("hp_max", at + 3), *((n, at + width - end) for n, end in _FROM_END))


def _plain(token: bytes) -> str:
    return token.decode(errors="backslashreplace")


def _is_old(tokens: Tokens, rows: Ints) -> Mask:
    """Detect lines without raid flags: their token 4 is the target's GUID, of 18 characters."""
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
        # Emotes may contain unbalanced quotes and brackets.
        split = partial(bytes.split, sep=b",") if event == "EMOTE" else split_fields
        try:
            fields = tuple(split(text)[1:])
        except BadLine as error:
            result.sheet.mark_bad(places[[row]], str(error))
            continue
        result.headers.append(Header(int(places[row]), event, fields))


class _Block:
    """Fills a sheet from tokens, one layout at a time."""

    def __init__(self, reader: Reader, tokens: Tokens, places: Ints, sheet: ColumnBuffer) -> None:
        self._reader = reader
        self._tokens, self._places, self._sheet = tokens, places, sheet
        self._buffer, self._words = tokens.buffer, tokens.words
        self._asked, self._asked_at, self._asked_end = tokens.width, -2, tokens.width
        self._asked_first = tokens.first

    def read(self, layouts: Mapping[Layout, Ints]) -> None:
        """Parse each layout's lines; columns that several layouts share are read together.

        Sources and targets are interned before units of other columns, in the order of the lines,
        so that actor numbers do not depend on the grouping by layout.
        """
        for base in (MODERN_BASE, OLD_BASE):
            alike = {layout: rows for layout, rows in layouts.items() if layout.base == base}
            if alike:
                self._read_base(np.sort(np.concatenate([*alike.values()])), base)
            with_spell = [rows for layout, rows in alike.items() if layout.spell]
            if with_spell:
                self._read_spell(np.concatenate(with_spell), base + 1)
        self._read_infos(layouts)
        self._read_absorbers(layouts)
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
        units = reader.old_units if half < 4 else reader.units
        pairs = [self._tokens.span(rows, at, half) for at in (1, 1 + half)]
        bounds = [np.stack(sides, axis=1).ravel() for sides in zip(*pairs, strict=True)]
        found = units.find(self._buffer, *bounds)
        for at, side in enumerate(SIDES):
            actors, flags, raid = (column[at::2] for column in found)
            self._put(side, rows, actors, actors > 0)
            self._put(f"{side}_flags", rows, flags)
            if half > 3:
                self._put(f"{side}_raid_flags", rows, raid)
            self._refuse(rows, actors < 0, 1 + at * half, side)

    def _read_spell(self, rows: Ints, at: int) -> None:
        ids, names, schools = self._look_up(self._reader.spells, rows, at, 3)
        self._put("spell_id", rows, ids)
        self._put("spell", rows, names)
        self._put("school", rows, schools)
        self._refuse(rows, ids < 0, at, "spell")

    def _read_infos(self, layouts: Mapping[Layout, Ints]) -> None:
        at = {layout: layout.advanced_at for layout in layouts if layout.advanced}
        self._read_actors(self._reader.infos, "info", 2, at, layouts)

    def _read_absorbers(self, layouts: Mapping[Layout, Ints]) -> None:
        columns = {layout: dict(layout.columns).get("absorber") for layout in layouts}
        at = {layout: where for layout, where in columns.items() if where is not None}
        self._read_actors(self._reader.guids, "absorber", 1, at, layouts)

    def _read_actors(
        self,
        table: Lookup,
        name: str,
        count: int,
        places: Mapping[Layout, int],
        layouts: Mapping[Layout, Ints],
    ) -> None:
        if not places:
            return
        rows = np.concatenate([layouts[layout] for layout in places])
        at = np.concatenate([np.full(len(layouts[one]), where) for one, where in places.items()])
        # Sorted by row: actors are numbered in the order of the log.
        order = np.argsort(rows)
        rows, at = rows[order], at[order]
        (actors,) = table.find(self._buffer, *self._tokens.span(rows, at, count))
        self._put(name, rows, actors, actors > 0)
        for row in np.flatnonzero(actors < 0):
            self._sheet.refuse([int(self._places[rows[row]])], int(at[row]), name)

    def _read_advanced(self, rows: Ints, at: int, width: int) -> None:
        for name, place in advanced_columns(at, width):
            if name in POSITIONS:
                bounds = self._bounds(rows, place)
                values, good = read_decimals(self._buffer, self._words, *bounds)
                self._put(name, rows, values)
                self._refuse(rows, ~good, place, name)
            else:
                self._read_integer(name, rows, place)

    def _look_up(self, table: Lookup, rows: Ints, at: int, count: int) -> tuple[Ints, ...]:
        return table.find(self._buffer, *self._tokens.span(rows, at, count))

    def _put(self, name: str, rows: Ints, values: Values, known: Mask | None = None) -> None:
        """Set a column; unparsable values are negative here, and their lines are refused too."""
        if name in MOST:
            values = np.maximum(values, 0)
        self._sheet.put(name, self._places[rows], values, known)

    def _bounds(self, rows: Ints, at: int) -> tuple[Ints, Ints]:
        """Bounds of a token. If the previous token of the same rows was last, its end is reused."""
        if self._asked is not rows:
            self._asked_first, self._asked_at = self._tokens.first[rows], -2
        known = self._asked_at == at - 1
        start = (self._asked_end if known else self._tokens.ends[self._asked_first + (at - 1)]) + 1
        end = self._tokens.ends[self._asked_first + at]
        self._asked, self._asked_at, self._asked_end = rows, at, end
        return start, end

    def _read_column(self, name: str, rows: Ints, at: int) -> None:
        if name in FLAGS:
            self._read_flag(name, rows, at)
        elif name in MASKS:
            self._read_mask(name, rows, at)
        elif name in TEXTS:
            self._read_text(name, rows, at)
        elif name == "unconscious":
            start, end = self._bounds(rows, at)
            down = spells(self._buffer, start, end, UNCONSCIOUS[1])
            code = self._reader.texts.number_one(UNCONSCIOUS[0])
            self._put("note", rows[down], np.full(down.sum(), code, np.int32))
        elif name != "absorber":
            self._read_integer(name, rows, at)

    def _read_integer(self, name: str, rows: Ints, at: int) -> None:
        start, end = self._bounds(rows, at)
        values, good = read_integers(self._buffer, self._words, start, end)
        # Lines write -1 for "no overkill".
        if name == "over":
            values = np.maximum(values, 0)
        known = None
        if not good.all():
            nil = spells(self._buffer, start, end, b"nil")
            known = good
            good = good | nil
        if name in MOST:
            good &= (values >= 0) & (values <= MOST[name])
        self._put(name, rows, np.where(good, values, 0), known)
        self._refuse(rows, ~good, at, name)

    def _read_mask(self, name: str, rows: Ints, at: int) -> None:
        (values,) = self._look_up(self._reader.masks, rows, at, 1)
        self._put(name, rows, values)
        self._refuse(rows, (values < 0) | (values > MOST[name]), at, name)

    def _read_text(self, name: str, rows: Ints, at: int, *, last: bool = False) -> None:
        start, end = self._tokens.last(rows) if last else self._bounds(rows, at)
        codes = self._reader.texts.number(self._buffer, start, end)
        nil = spells(self._buffer, start, end, b"nil")
        quoted = self._buffer[start] == _QUOTE
        closed = (self._buffer[end - 1] == _QUOTE) & (end - start > 1)
        self._put(name, rows, codes, ~nil)
        self._refuse(rows, quoted != closed, at, name)

    def _read_flag(self, name: str, rows: Ints, at: int) -> None:
        start, end = self._bounds(rows, at)
        first = self._buffer[start]
        yes = first == _ONE
        good = ((yes | (first == _ZERO)) & (end - start == 1)) | (first == _NIL)
        self._put(name, rows, yes)
        self._refuse(rows, ~good, at, name)

    def _refuse(self, rows: Ints, wrong: Mask, at: int, name: str) -> None:
        if wrong.any():
            self._sheet.refuse(self._places[rows[wrong]].tolist(), at, name)
