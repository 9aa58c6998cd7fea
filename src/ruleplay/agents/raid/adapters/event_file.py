"""Writes a Parquet file of events, column by column, as packed by the compiled log reader.

Without the compiled reader, Polars writes the same tables at several times the cost. Only the part
of the format that events need is implemented: one row group, one page per column, Zstandard, all
columns optional. Source: the Parquet format's `README.md`, `Encodings.md` and `parquet.thrift`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import polars as pl
from zstandard import ZstdCompressor

from ruleplay.agents.raid.adapters.compiled_reader import CompiledReader, Packed
from ruleplay.agents.raid.domain.column_buffer import KINDS, ColumnBuffer, Values
from ruleplay.agents.raid.domain.columns import EVENTS, Kind
from ruleplay.agents.raid.domain.numerals import Mask

LATER = ("fight", "owner", "counts")
"""Columns that may change until the whole log is read; they are written last."""
_NEEDED = ("line", "source", "source_flags", *LATER)
_SORTED = frozenset({"line", "offset", "ms"})
"""Columns written with delta encoding."""
_BOUNDED = frozenset({"line", "ms", "fight"})
"""Columns with minimum and maximum statistics, which let queries skip files."""

_PLAIN, _DICTIONARY = 0, 8
_LEVELS, _ZSTD, _OPTIONAL = 3, 6, 1
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_MARK = b"PAR1"
_TYPES: Mapping[Kind, tuple[int, int, int | None]] = {
    "bool": (0, 0, None),
    "u8": (1, 4, 11),
    "u16": (1, 4, 12),
    "u32": (1, 4, 13),
    "u64": (2, 8, 14),
    "i64": (2, 8, None),
    "f32": (4, 4, None),
    "str": (6, 4, 0),
}
"""Kind -> Parquet physical type, bytes per value (0: bits; texts are packed as codes), and
converted type."""


class _Long(int):
    """An integer that the format stores as i64."""


_Thrift: TypeAlias = "int | bytes | list[_Thrift] | dict[int, _Thrift]"
_Column: TypeAlias = tuple[Values | None, Mask | None, Mask | None]
"""Values, mask of non-nulls, mask of rows to keep; None means no values, or all rows."""


class EventFile:
    """A file of events: stable columns are written at once, the others by `finish`."""

    def __init__(self, path: Path, reader: CompiledReader, sheets: Sequence[ColumnBuffer]) -> None:
        self._path, self._reader, self._texts = path, reader, reader.names()
        self._compressor = ZstdCompressor(level=1)
        self._columns: dict[str, _Thrift] = {}
        self._size = len(_MARK)
        self.later = pl.concat([sheet.frame(self._texts, _NEEDED) for sheet in sheets])
        path.write_bytes(_MARK)
        self._write({name: _parts(sheets, name) for name in EVENTS.names if name not in LATER})

    def finish(self, later: pl.DataFrame) -> None:
        """Write the columns that could still change, and the footer."""
        columns = {name: _series(later[name]) for name in LATER}
        self._write(columns)
        chunks: list[_Thrift] = [self._columns[name] for name in EVENTS.names]
        group: _Thrift = {1: chunks, 2: _Long(self._size), 3: _Long(later.height)}
        order: list[_Thrift] = [{1: {}} for _ in chunks]
        schema: list[_Thrift] = [{4: b"events", 5: len(chunks)}, *map(_schema, EVENTS.names)]
        footer = _bytes(
            {1: 2, 2: schema, 3: _Long(later.height), 4: [group], 6: b"ruleplay", 7: order}
        )
        with self._path.open("ab") as file:
            file.write(footer + len(footer).to_bytes(4, "little") + _MARK)

    def _write(self, columns: Mapping[str, Iterable[_Column]]) -> None:
        with self._path.open("ab") as file:
            for name, parts in columns.items():
                _, size, _ = _TYPES[KINDS[name]]
                parts = [*parts]
                for values, known, keep in parts:
                    self._reader.add_to_page(values, known, keep)
                packed = self._reader.pack_page(size, sorted_=name in _SORTED)
                pages, told = self._pages(name, packed)
                if name in _BOUNDED and packed.present:
                    told[12] = _bounds(parts, packed, size)
                self._columns[name] = {2: told[11] if 11 in told else told[9], 3: told}
                file.writelines(pages)

    def _pages(self, name: str, packed: Packed) -> tuple[list[bytes], dict[int, _Thrift]]:
        """Build a column's pages with their headers, and its metadata for the footer."""
        start, pages, whole = self._size, [], 0
        for header, body in self._bodies(name, packed):
            squeezed = self._compressor.compress(body)
            head = _bytes({**header, 2: len(body), 3: len(squeezed)})
            pages += [head, squeezed]
            whole += len(head) + len(body)
        written = sum(map(len, pages))
        self._size += written
        told: dict[int, _Thrift] = {
            1: _TYPES[KINDS[name]][0],
            2: [_LEVELS, _PLAIN, packed.encoding],
            3: [name.encode()],
            4: _ZSTD,
            5: _Long(packed.rows),
            6: _Long(whole),
            7: _Long(written),
            9: _Long(start + sum(map(len, pages[:-2]))),
        }
        if len(pages) > 2:
            told[11] = _Long(start)
        return pages, told

    def _bodies(self, name: str, packed: Packed) -> Iterable[tuple[dict[int, _Thrift], bytes]]:
        size, values = _TYPES[KINDS[name]][1], packed.value_bytes()
        if packed.encoding == _DICTIONARY:
            distinct = packed.distinct_values().astype(f"<u{size}")
            body = self._spell(name, distinct) if KINDS[name] == "str" else distinct.tobytes()
            yield {1: _DICTIONARY_PAGE, 7: {1: len(distinct), 2: _PLAIN}}, body
        elif KINDS[name] == "str":
            values = self._spell(name, np.frombuffer(values, "<u4"))
        levels = packed.level_bytes()
        page: _Thrift = {1: packed.rows, 2: packed.encoding, 3: _LEVELS, 4: _LEVELS}
        yield {1: _DATA_PAGE, 5: page}, len(levels).to_bytes(4, "little") + levels + values

    def _spell(self, name: str, codes: Values) -> bytes:
        """Encode the texts of these codes, each preceded by its length."""
        texts = (self._texts[name][code].encode() for code in codes.tolist())
        return b"".join(len(text).to_bytes(4, "little") + text for text in texts)


def _parts(sheets: Sequence[ColumnBuffer], name: str) -> Iterable[_Column]:
    for sheet in sheets:
        values, known = sheet.arrays(name)
        yield values, known, (~sheet.bad if sheet.bad.any() else None)


def _series(column: pl.Series) -> Iterable[_Column]:
    known = column.is_not_null().to_numpy()
    yield np.ascontiguousarray(column.fill_null(0).to_numpy()), np.ascontiguousarray(known), None


def _bounds(parts: Iterable[_Column], packed: Packed, size: int) -> _Thrift:
    """Statistics of a column: null count, maximum and minimum."""
    found = [values[_both(known, keep)] for values, known, keep in parts if values is not None]
    ends = (
        max(one.max() for one in found if one.size),
        min(one.min() for one in found if one.size),
    )
    most, least = (int(end).to_bytes(size, "little", signed=True) for end in ends)
    return {3: _Long(packed.rows - packed.present), 5: most, 6: least}


def _both(known: Mask | None, keep: Mask | None) -> Mask | slice:
    if known is not None and keep is not None:
        return known & keep
    one = known if keep is None else keep
    return slice(None) if one is None else one


def _schema(name: str) -> _Thrift:
    type_, _, meant = _TYPES[KINDS[name]]
    told: dict[int, _Thrift] = {1: type_, 3: _OPTIONAL, 4: name.encode()}
    return told if meant is None else {**told, 6: meant}


def _bytes(value: _Thrift) -> bytes:
    """Encode a value in Thrift's compact protocol; dictionaries are structs by field number."""
    if isinstance(value, dict):
        found, before = bytearray(), 0
        for number, one in sorted(value.items()):
            found += bytes([(number - before) << 4 | _kind(one)]) + _bytes(one)
            before = number
        return bytes(found) + b"\0"
    if isinstance(value, list):
        short = len(value) < 15
        head = len(value) << 4 if short else 0xF0
        start = bytes([head | _kind(value[0])]) + (b"" if short else _varint(len(value)))
        return start + b"".join(map(_bytes, value))
    if isinstance(value, bytes):
        return _varint(len(value)) + value
    # Zigzag encoding, so that small negative numbers stay short.
    return _varint(value << 1 ^ value >> 63)


def _kind(value: _Thrift) -> int:
    if isinstance(value, _Long):
        return 6
    kinds: Mapping[type, int] = {int: 5, bytes: 8, list: 9, dict: 12}
    return kinds[type(value)]


def _varint(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
