"""The compiled log reader (`log_reader.rs`), built by `ruleplay setup raid`.

It produces the same chunks as `domain/reading.py`, several times faster. Without a Rust toolchain,
or on a machine it was not built for, the Python reader takes over.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, TypeVar
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from ruleplay.agents.raid.domain.column_buffer import KINDS, TYPES, ColumnBuffer, Values
from ruleplay.agents.raid.domain.grammar import OLD_BASE, Layout
from ruleplay.agents.raid.domain.interning import Codes, Interner, Lookup
from ruleplay.agents.raid.domain.numerals import MARGIN, Bytes, Ints, Mask, words_of
from ruleplay.agents.raid.domain.reading import (
    FLAGS,
    KEY_BITS,
    KNOWN,
    MASKS,
    MOST,
    POSITIONS,
    SIDES,
    TEXTS,
    WIDEST,
    Chunk,
    Reader,
    advanced_columns,
)
from ruleplay.agents.raid.domain.stamps import DAY, Stamps, read_stamps
from ruleplay.agents.raid.domain.tokens import Lines, Text, Tokens
from ruleplay.errors import Unavailable
from ruleplay.system.finding import Finding

T = TypeVar("T")
N = TypeVar("N", bound=np.signedinteger[Any])

SWITCH = "RULEPLAY_RAID_READER"
"""Set this environment variable to `python` to disable the compiled reader."""
SOURCE = Path(__file__).with_name("log_reader.rs")
_INTERFACE = 1
_BUILD_SECONDS = 300
_OPTIONS = (
    *("--edition", "2021", "--crate-type", "cdylib"),
    *("-C", "opt-level=3", "-C", "panic=abort", "-C", "strip=symbols"),
)
# The compiler's output goes to stderr: stdout belongs to the command that runs the build.
_STDERR = 2

_CODE, _TEXT, _FLAG, _DECIMAL, _NOTE, _INTEGER, _SIGNLESS, _SHORT, _LONG = range(9)
_INTEGERS = {"i64": _INTEGER, "u16": _SHORT, "u32": _LONG}
_TABLES = ("texts", "events", "units", "old_units", "infos", "guids", "masks", "spells")
_ACTORS = _TABLES[2:]
"""Tables whose new tokens are fetched after every chunk, in the order that `Reader` has them."""
# Marks columns that hold token numbers in transit, and differ from the sheet's columns.
_MARK = "#"
_SPELL = "spell" + _MARK
_MASKED = frozenset(name + _MARK for name in MASKS)
_CODED: Mapping[str, str] = {
    "source": "units",
    "target": "units",
    _SPELL: "spells",
    "info": "infos",
    "absorber": "guids",
    **dict.fromkeys(sorted(_MASKED), "masks"),
}
"""Columns of token numbers (plus one; 0 for none) and the table of each."""
_COLUMNS = (*_CODED, *(name for name in KINDS if name in TEXTS or KINDS[name] != "str"))
_PLACES = {name: place for place, name in enumerate(_COLUMNS)}
_Arrays: TypeAlias = tuple[NDArray[Any], Mask]


def library_path() -> Path:
    """Path of the library for this source, in this Python environment; it may not exist."""
    # Named by the source's hash, so that a library of an older source is never loaded.
    version = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    suffix = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    return Path(sysconfig.get_path("platlib")) / "ruleplay_log_reader" / f"{version}.{suffix}"


def build_library() -> Path:
    """Build and install the library, within seconds; Unavailable if that is impossible."""
    compiler = shutil.which("rustc")
    if compiler is None:
        raise Unavailable("the compiled log reader needs a Rust toolchain (rustc), not found here")
    target = library_path()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".building-", dir=target.parent) as folder:
            built = Path(folder) / target.name
            command = (compiler, *_OPTIONS, "-o", str(built), str(SOURCE))
            subprocess.run(command, check=True, timeout=_BUILD_SECONDS, stdout=_STDERR)
            for old in target.parent.glob(f"*{target.suffix}"):
                old.unlink()
            # Built elsewhere and moved: another process never loads a partial file.
            built.replace(target)
    except (subprocess.SubprocessError, OSError) as error:
        raise Unavailable(f"the compiled log reader could not be built: {error}") from error
    _load.cache_clear()
    return target


def find_library() -> ctypes.CDLL | None:
    """Load the library if it is built and not switched off."""
    return None if os.environ.get(SWITCH) == "python" else _load()


@cache
def _load() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(str(library_path()))
    except OSError:
        return None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library if library.reader_interface() == _INTERFACE else None


def open_reader() -> Reader:
    """Create a reader, compiled if possible."""
    library = find_library()
    return CompiledReader(library) if library else Reader()


def finding() -> Finding:
    """Report for `ruleplay doctor` which reader is in use, and why."""
    if find_library():
        return Finding(name="log reader", state="ok", detail=f"compiled: {library_path()}")
    if os.environ.get(SWITCH) == "python":
        detail, advice = f"Python, as {SWITCH} says", f"unset {SWITCH}"
    else:
        detail, advice = "Python", "ruleplay setup raid builds a faster one, with a Rust toolchain"
    return Finding(name="log reader", state="missing", detail=detail, advice=advice)


class _Cut(ctypes.Structure):
    """A chunk's line arrays, owned by the library."""

    _fields_ = (
        ("lines", ctypes.c_size_t),
        ("separators", ctypes.c_size_t),
        *((name, ctypes.c_void_p) for name in ("starts", "ends", "places", "first", "width")),
    )


class Packed(ctypes.Structure):
    """A column packed for a Parquet page; its arrays are valid until the next one is packed."""

    encoding: int
    rows: int
    present: int
    _fields_ = (
        ("encoding", ctypes.c_int32),
        ("rows", ctypes.c_size_t),
        ("present", ctypes.c_size_t),
        *(
            (f"{name}{part}", kind)
            for name in ("levels", "values", "distinct")
            for part, kind in (("_at", ctypes.c_void_p), ("_count", ctypes.c_size_t))
        ),
    )

    def level_bytes(self) -> bytes:
        """Copy the definition levels: which rows have a value."""
        return ctypes.string_at(self.levels_at, self.levels_count)

    def value_bytes(self) -> bytes:
        """Copy the values, or their indices into the dictionary."""
        return ctypes.string_at(self.values_at, self.values_count)

    def distinct_values(self) -> NDArray[np.int64]:
        """View the dictionary."""
        return _array(self.distinct_at, self.distinct_count, np.int64)


class _Step(ctypes.Structure):
    """One parsing step: what to read at one token of a line."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("kind", "column", "token", "count")),
        ("most", ctypes.c_int64),
    )


_POINTER, _SIZE = ctypes.c_void_p, ctypes.c_size_t
_FUNCTIONS: Mapping[str, tuple[Any, list[Any]]] = {
    "reader_interface": (ctypes.c_uint32, []),
    "reader_new": (_POINTER, [_SIZE]),
    "reader_free": (None, [_POINTER]),
    "reader_number": (None, [_POINTER, _SIZE, *[_POINTER] * 3, _SIZE, _POINTER]),
    "reader_known": (_SIZE, [_POINTER, _SIZE]),
    "reader_token": (_POINTER, [_POINTER, _SIZE, _SIZE, _POINTER]),
    "reader_cut": (_Cut, [_POINTER, _POINTER, _SIZE]),
    "reader_clocks": (
        _SIZE,
        [*[_POINTER] * 2, _SIZE, _POINTER, _SIZE, ctypes.c_char_p, _SIZE, ctypes.c_int64]
        + [_POINTER] * 3,
    ),
    "reader_keys": (
        None,
        [*[_POINTER] * 2, *[_SIZE, _POINTER] * 2, ctypes.c_int32, _POINTER],
    ),
    "reader_add": (None, [_POINTER, _POINTER, _SIZE, *[_POINTER] * 2, _SIZE]),
    "reader_pack": (Packed, [_POINTER, _SIZE, ctypes.c_bool]),
    "reader_layout": (None, [_POINTER, _SIZE, _POINTER, _SIZE]),
    "reader_read": (_POINTER, [*[_POINTER] * 2, _SIZE, *[_POINTER] * 2, _SIZE, *[_POINTER] * 3]),
}


class CompiledInterner(Interner[T]):
    """An interner whose tokens are kept by the library."""

    def __init__(self, reader: CompiledReader, table: int, read: Callable[[bytes], T]) -> None:
        super().__init__(read)
        self._reader, self.table = reader, table

    def number(self, buffer: Bytes, start: Ints, end: Ints) -> Codes:
        """Get the number of each token, interning new ones."""
        codes = np.empty(len(start), np.int32)
        starts, ends = (np.ascontiguousarray(places, np.int64) for places in (start, end))
        arrays = (buffer.ctypes.data, starts.ctypes.data, ends.ctypes.data)
        self._reader.call("number", self.table, *arrays, len(codes), codes.ctypes.data)
        self.learn()
        return codes

    def learn(self) -> None:
        """Parse the tokens that the library has numbered since the last call."""
        length = ctypes.c_size_t()
        for code in range(len(self.values), self._reader.call("known", self.table)):
            start = self._reader.call("token", self.table, code, ctypes.byref(length))
            self.values.append(self._read(ctypes.string_at(start, length.value)))


class CompiledReader(Reader):
    """Reads as `Reader` does, using the library."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library, self._made = library, 0
        self._handle = library.reader_new(len(_TABLES))
        # `finalize` must not refer to `self`, which would keep the reader alive.
        finalize(self, library.reader_free, self._handle)
        self._buffer = np.zeros(0, np.uint8)
        self._size = 0
        self._steps: dict[int, dict[str, int]] = {}
        """Line key -> the columns that such lines fill, with their tokens."""
        super().__init__()

    def call(self, name: str, *arguments: object) -> Any:
        """Call a function of the library that takes the reader as its first argument."""
        return getattr(self._library, f"reader_{name}")(self._handle, *arguments)

    def number(self, read: Callable[[bytes], T]) -> Interner[T]:
        """Create an interner on the library's next table; the order must match `_TABLES`."""
        self._made += 1
        return CompiledInterner(self, self._made - 1, read)

    def cut(self, chunk: Text) -> Lines:
        """Find the lines of a chunk; the result is valid until the next chunk is cut."""
        closed = chunk[-1:] == b"\n" or not chunk
        end = MARGIN + len(chunk)
        self._size = end + (not closed) + MARGIN
        if len(self._buffer) < self._size:
            self._buffer = np.zeros(self._size, np.uint8)
        buffer = self._buffer[: self._size]
        buffer[MARGIN:end], buffer[end:] = np.frombuffer(chunk, np.uint8), 0
        if not closed:
            buffer[end] = ord("\n")
        cut = self.call("cut", buffer.ctypes.data, self._size)
        starts, ends, first, width = (
            _array(place, cut.lines, np.int64)
            for place in (cut.starts, cut.ends, cut.first, cut.width)
        )
        separators: NDArray[Any] = _array(cut.places, cut.separators, np.int32)
        return Lines(buffer, words_of(buffer), starts, ends, separators, first, width)

    def stamp(self, lines: Lines) -> tuple[Ints, Ints, Mask]:
        """Parse the timestamps, with clocks parsed by the library."""
        return read_stamps(lines.buffer, lines.starts, lines.ends, self.calendar, self._read_date)

    def _read_date(self, stamps: Stamps, rest: Ints, date: bytes, day: int) -> Ints:
        rows, midnight = np.ascontiguousarray(rest), day * DAY
        place = (self._buffer.ctypes.data, self._size, rows.ctypes.data, len(rows))
        columns = (one.ctypes.data for one in (stamps.ms, stamps.events, stamps.good))
        return rows[: self.call("clocks", *place, date, len(date), midnight, *columns)]

    def read_lines(self, tokens: Tokens, rows: Ints, result: Chunk) -> None:
        """Parse these lines of the chunk into its sheet."""
        sheet, keys = result.sheet, np.empty(len(rows), np.int32)
        events = np.ascontiguousarray(tokens.events)
        lines = (self._buffer.ctypes.data, self._size, rows.ctypes.data)
        self.call("keys", *lines, len(rows), events.ctypes.data, len(KNOWN), keys.ctypes.data)
        self.events.learn()
        layouts = self.sort_lines(
            keys.astype(np.int64), tokens, rows, np.arange(sheet.count), result
        )
        sheet.put("event", rows, keys >> KEY_BITS)
        names = {name for layout, mine in layouts.items() for name in self._learn(layout, mine)}
        columns = {name: _column(name, sheet.count) for name in _COLUMNS if name in names}
        count, places = ctypes.c_size_t(), (_columns_at(columns, 0), _columns_at(columns, 1))
        arrays = (keys.ctypes.data, len(rows), *places, ctypes.byref(count))
        told = self.call("read", *lines, *arrays)
        for line, token, column in _array(told, count.value * 3, np.int32).reshape(-1, 3).tolist():
            sheet.refuse([line], token, _COLUMNS[column])
        self._take(columns, rows, keys, sheet)

    def add_to_page(self, values: Values | None, known: Mask | None, keep: Mask | None) -> None:
        """Add rows of a column to the page; null if `values` is None, or where not `known`."""
        arrays = (None if one is None else one.ctypes.data for one in (known, keep))
        like = next(one for one in (values, known) if one is not None)
        place = None if values is None else values.ctypes.data
        self.call("add", place, like.itemsize, *arrays, len(like))

    def pack_page(self, size: int, *, sorted_: bool) -> Packed:
        """Pack the column added so far (`size` bytes a value, 0 for bits) and begin the next."""
        packed: Packed = self.call("pack", size, sorted_)
        return packed

    def _learn(self, layout: Layout, keys: Sequence[int]) -> Iterator[str]:
        """Yield a layout's columns, teaching the library how to parse its lines if they are new."""
        for key in keys:
            if key not in self._steps:
                steps = sorted(_steps_of(layout, (key >> 2) & WIDEST), key=lambda one: one.token)
                self._steps[key] = {_COLUMNS[one.column]: one.token for one in steps}
                self.call("layout", key, (_Step * len(steps))(*steps), len(steps))
            yield from self._steps[key]

    def _take(
        self, columns: Mapping[str, _Arrays], rows: Ints, keys: Codes, sheet: ColumnBuffer
    ) -> None:
        """Put the columns into the sheet, resolving token numbers to what they stand for."""
        self.texts.learn()
        for table in _ACTORS:
            getattr(self, table).interner.learn()
        for name, (values, known) in columns.items():
            if name not in _CODED:
                sheet.adopt(name, values, known)
        old = np.zeros(sheet.count, bool)
        old[rows] = keys & 2 > 0
        for name, (codes, known) in columns.items():
            if name not in _CODED:
                continue
            wrong = self._put(sheet, name, codes, known, old)
            for line in wrong.tolist():
                token = self._steps[int(keys[np.searchsorted(rows, line)])][name]
                sheet.refuse([line], token, name.removesuffix(_MARK))

    def _put(self, sheet: ColumnBuffer, name: str, codes: Codes, known: Mask, old: Mask) -> Ints:
        """Resolve one column of token numbers; return the lines where that is impossible."""
        if name in SIDES:
            return self._put_units(sheet, name, codes, known, old)
        table: Lookup = getattr(self, _CODED[name])
        found = [column.take(codes) for column in table.columns()]
        first, column = found[0], name.removesuffix(_MARK)
        if name == _SPELL:
            _adopt(sheet, "spell_id", first, known)
            _adopt(sheet, "school", found[2], known.copy())
            lines = np.flatnonzero(known)
            sheet.put("spell", lines, found[1][lines])
        elif name in _MASKED:
            lines = np.flatnonzero(known)
            sheet.put(column, lines, np.maximum(first[lines], 0))
            bad: Ints = lines[(first[lines] < 0) | (first[lines] > MOST[column])]
            return bad
        else:
            _adopt(sheet, column, first, first > 0)
        return np.flatnonzero(first < 0)

    def _put_units(
        self, sheet: ColumnBuffer, name: str, codes: Codes, known: Mask, old: Mask
    ) -> Ints:
        """Set one side's actors, flags and raid markers; old-format lines have no markers."""
        actors = flags = np.zeros(len(codes), np.int64)
        if (known & ~old).any():
            actors, flags, raid = self.units.columns().take(np.where(old, 0, codes), axis=1)
            _adopt(sheet, f"{name}_raid_flags", raid, known & ~old)
        if (known & old).any():
            others = self.old_units.columns().take(np.where(old, codes, 0), axis=1)
            actors, flags = actors + others[0], flags + others[1]
        _adopt(sheet, name, actors, actors > 0)
        _adopt(sheet, f"{name}_flags", flags, known)
        return np.flatnonzero(actors < 0)


def _adopt(sheet: ColumnBuffer, name: str, values: Ints, known: Mask) -> None:
    sheet.adopt(name, np.maximum(values, 0).astype(TYPES[KINDS[name]]), known)


def _steps_of(layout: Layout, width: int) -> Iterator[_Step]:
    """Yield the parsing steps for a line of `width` tokens."""
    half, table = layout.base // 2, "old_units" if layout.base == OLD_BASE else "units"
    for at, side in enumerate(SIDES):
        yield _coded(side, 1 + at * half, half, table)
    if layout.spell:
        yield _coded(_SPELL, 1 + layout.base, 3, "spells")
    if layout.advanced:
        yield _coded("info", layout.advanced_at, 2, "infos")
        yield from (
            _plain(name, at) for name, at in advanced_columns(layout.advanced_at, layout.advanced)
        )
    if layout.tail:
        yield _plain("note", width - 1)
    for name, at in layout.columns:
        if name in MASKS:
            yield _coded(name + _MARK, at, 1, "masks")
        elif name == "absorber":
            yield _coded(name, at, 1, "guids")
        else:
            yield _plain(name, at)


def _coded(name: str, token: int, count: int, table: str) -> _Step:
    return _Step(_CODE, _PLACES[name], token, count, _TABLES.index(table))


def _plain(name: str, token: int) -> _Step:
    """Describe how to parse a column whose tokens are literal values."""
    texts = _TABLES.index("texts")
    if name == "unconscious":
        return _Step(_NOTE, _PLACES["note"], token, 1, texts)
    if name in TEXTS:
        return _Step(_TEXT, _PLACES[name], token, 1, texts)
    if name in FLAGS or name in POSITIONS:
        return _Step(_FLAG if name in FLAGS else _DECIMAL, _PLACES[name], token, 1, 0)
    kind = _SIGNLESS if name == "over" else _INTEGERS[KINDS[name]]
    return _Step(kind, _PLACES[name], token, 1, MOST.get(name, 0))


def _column(name: str, count: int) -> _Arrays:
    dtype = np.dtype(np.int32) if name in _CODED else TYPES[KINDS[name]]
    return np.zeros(count, dtype), np.zeros(count, bool)


def _columns_at(columns: Mapping[str, _Arrays], which: int) -> ctypes.Array[ctypes.c_void_p]:
    """Addresses of each column's values (`which` 0) or masks (1)."""
    found = (_POINTER * len(_COLUMNS))()
    for name, arrays in columns.items():
        found[_PLACES[name]] = arrays[which].ctypes.data
    return found


def _array(place: int, count: int, dtype: type[N]) -> NDArray[N]:
    """View an array of the library; it is valid until the library overwrites it."""
    size = count * np.dtype(dtype).itemsize
    bytes_ = (ctypes.c_uint8 * size).from_address(place) if size else b""
    return np.frombuffer(memoryview(bytes_), dtype)
