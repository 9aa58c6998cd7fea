"""Reads the files that shops export: CSV with any common delimiter, or JSON Lines.

Columns are found by mapping (`{"price": "price_usd"}`) or guessed from common header names. Files
must be UTF-8, with or without a byte-order mark. A file that cannot be read at all raises a
UserError that names the line; a single bad row is yielded as a `BadRow`, so that the import can
record it and go on.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ruleplay.errors import UserError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_DELIMITERS = ",;\t|"


Good = tuple[int, list[str]]
"""One row: its line in the file (from 1) and its fields in the requested order ("" if absent). It
is a bare tuple because a feed has millions of them."""


class BadRow(NamedTuple):
    """A row that cannot be read, with the reason."""

    line: int
    reason: str


def open_bytes(path: Path) -> io.RawIOBase | gzip.GzipFile:
    """Open a file for reading, decompressing `.gz` files."""
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb", buffering=0)


class Watched(io.RawIOBase):
    """A raw input file that counts and hashes the bytes that are read from it."""

    def __init__(self, path: Path, digest: hashlib._Hash, seen: Callable[[int], None]) -> None:
        self._file = open_bytes(path)
        self._digest, self._seen = digest, seen

    def readable(self) -> bool:
        """Tell the buffering layer that this stream can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer, counting and hashing the bytes."""
        view = memoryview(buffer)
        size = self._file.readinto(view) or 0
        self._digest.update(view[:size])
        self._seen(size)
        return size

    def close(self) -> None:
        """Close the underlying file too."""
        self._file.close()
        super().close()


def read_rows(
    path: Path,
    fields: Sequence[str],
    required: Sequence[str],
    mapping: Mapping[str, str],
    watched: Watched,
) -> Iterator[Good | BadRow]:
    """Read the requested fields of every row of a CSV or JSON Lines file, in file order."""
    buffered = io.BufferedReader(watched, buffer_size=1 << 18)
    with io.TextIOWrapper(buffered, encoding="utf-8-sig", errors="strict", newline="") as text:
        try:
            first = text.readline()
            if first.lstrip().startswith("{"):
                yield from _json_rows(path, _lines(first, text), fields, required, mapping)
            else:
                yield from _csv_rows(path, first, text, fields, required, mapping)
        except UnicodeDecodeError as err:
            raise UserError(
                f"{path.name} is not UTF-8 at line {_undecodable_line(path)}; save it as UTF-8."
            ) from err


HEADER_AT_MOST = 100_000
"""Most characters of a file's first line that are read to find its columns."""


def columns_of(path: Path) -> tuple[str, ...]:
    """Read the column names of a CSV file, or the keys of the first line of JSON Lines.

    A file that is neither has no columns; reading its rows reports what is wrong with it.
    """
    raw = io.BufferedReader(Watched(path, hashlib.sha256(), lambda size: None))
    with io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace", newline="") as file:
        first = file.readline(HEADER_AT_MOST)
    if not first.lstrip().startswith("{"):
        return tuple(_header(first)[0])
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return ()
    return tuple(row) if isinstance(row, dict) else ()


class Preset(NamedTuple):
    """A shop system and the column names of its export."""

    name: str
    columns: dict[str, str]


def _data(name: str) -> dict[str, Any]:
    text = files("ruleplay.agents.parts.adapters").joinpath(name).read_text("utf-8")
    return tomllib.loads(text)


@cache
def headers() -> dict[str, tuple[str, ...]]:
    """Read the common header names of each field, the best guess first."""
    return {field: tuple(names) for field, names in _data("headers.toml").items()}


@lru_cache(maxsize=32)
def _preset(columns: tuple[str, ...]) -> Preset | None:
    for name, known in _data("presets.toml").items():
        if set(known["needs"]) <= set(columns):
            return Preset(name, {field: known[field] for field in known if field != "needs"})
    return None


def preset_of(columns: Sequence[str]) -> Preset | None:
    """Recognise the shop system that exported a file with these columns."""
    return _preset(tuple(columns))


def column_for(field: str, columns: Sequence[str], mapping: Mapping[str, str]) -> str | None:
    """Choose the column for a field: the mapped one if the file has it, else the best guess.

    In the export of a known shop system, that system's column names take precedence over guesses.
    """
    if mapping.get(field) in columns:
        return mapping[field]
    preset = preset_of(columns)
    if preset and field in preset.columns:
        return preset.columns[field] if preset.columns[field] in columns else None
    # Reversed, so that of columns with the same letters the first one wins.
    folded = {re.sub(r"[^a-z0-9]", "", column.casefold()): column for column in reversed(columns)}
    return next((folded[name] for name in headers()[field] if name in folded), None)


def _lines(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _header(line: str) -> tuple[list[str], str]:
    delimiter = max(_DELIMITERS, key=line.count)
    try:
        columns = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:  # a field without end: no list
        columns = []
    return [column.strip() for column in columns], delimiter


def _csv_rows(
    path: Path,
    header: str,
    text: io.TextIOWrapper,
    fields: Sequence[str],
    required: Sequence[str],
    mapping: Mapping[str, str],
) -> Iterator[Good | BadRow]:
    """Read CSV rows; one with the wrong number of columns is bad: its values may be shifted."""
    columns, delimiter = _header(header)
    chosen = [column_for(field, columns, mapping) for field in fields]
    _require(path, required, dict(zip(fields, chosen, strict=True)), columns)
    # Index -1 of a missing column selects the empty field appended to each row below.
    pick = itemgetter(*(columns.index(column) if column is not None else -1 for column in chosen))
    reader, width = csv.reader(text, delimiter=delimiter, strict=True), len(columns)
    line = 2  # the header was read before the reader began to count
    while True:
        try:
            for row in reader:
                if len(row) == width:
                    row.append("")
                    yield line, [*map(str.strip, pick(row))]
                elif row:
                    yield BadRow(line, f"{len(row)} columns where the header has {width}")
                line = reader.line_num + 2
        except csv.Error as err:
            # An unclosed quote swallows the rest of the file, so nothing after it can be trusted.
            if "unexpected end" in str(err):
                raise UserError(
                    f"{path.name}: the quote opened in line {line} never ends."
                ) from err
            yield BadRow(line, f"not readable as CSV: {err}")
            line = reader.line_num + 2
            continue
        return


def _json_rows(
    path: Path,
    lines: Iterator[str],
    fields: Sequence[str],
    required: Sequence[str],
    mapping: Mapping[str, str],
) -> Iterator[Good | BadRow]:
    """Read JSON objects; keys may differ between lines, so columns are chosen per set of keys."""
    chosen: dict[tuple[str, ...], list[str | None]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as err:
            yield BadRow(number, f"not readable as JSON: {err}")
            continue
        if not isinstance(row, dict):
            yield BadRow(number, "not a JSON object")
            continue
        keys = tuple(row)
        if keys not in chosen:
            chosen[keys] = [column_for(field, keys, mapping) for field in fields]
            if len(chosen) == 1:
                _require(path, required, dict(zip(fields, chosen[keys], strict=True)), keys)
        texts = [_text(row[key]) if key is not None else "" for key in chosen[keys]]
        if any(
            "\ud800" <= char <= "\udfff" for text in texts if not text.isascii() for char in text
        ):
            yield BadRow(number, "has half a character (a lone surrogate escape)")
        else:
            yield number, texts


def _text(value: object) -> str:
    """Convert a JSON value to the text that a CSV field would have; lists are joined with "|"."""
    if value is None or isinstance(value, dict | bool):
        return ""
    if isinstance(value, list):
        return "|".join(_text(one) for one in value)
    return str(value).strip()


def _require(
    path: Path, required: Sequence[str], chosen: Mapping[str, str | None], columns: Sequence[str]
) -> None:
    """Raise a UserError that lists the columns if a required field has none."""
    for field in required:
        if chosen[field] is None:
            found = ", ".join(repr(column) for column in columns[:30]) or "no columns"
            raise UserError(
                f"{path.name} has no column for {field!r}; it has {found}."
                f" Say which one it is, as in {field}=COLUMN."
            )


def _undecodable_line(path: Path) -> int:
    with open_bytes(path) as raw:
        for number, line in enumerate(raw, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return 0
