"""Accumulates one chunk's events as typed NumPy columns, then builds a Polars frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ruleplay.agents.raid.domain.columns import EVENTS, Kind
from ruleplay.agents.raid.domain.numerals import Ints, Mask

Values: TypeAlias = NDArray[np.number[Any] | np.bool_]

TYPES: Mapping[Kind, np.dtype[np.generic]] = {
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "i64": np.dtype(np.int64),
    "f32": np.dtype(np.float32),
    "bool": np.dtype(np.bool_),
    "str": np.dtype(np.int32),
}
"""Text columns hold an interner's codes until the frame is built."""

POLARS: Mapping[Kind, pl.DataType] = {
    "u8": pl.UInt8(),
    "u16": pl.UInt16(),
    "u32": pl.UInt32(),
    "u64": pl.UInt64(),
    "i64": pl.Int64(),
    "f32": pl.Float32(),
    "bool": pl.Boolean(),
    "str": pl.String(),
    "list[u32]": pl.List(pl.UInt32()),
}
_FRAMED = {**POLARS, "str": pl.Categorical()}
"""Event texts repeat a lot, so they are stored dictionary-encoded."""
KINDS: Mapping[str, Kind] = {column.name: column.kind for column in EVENTS.columns}
"""The kind of each column of events."""


class ColumnBuffer:
    """Columns for `count` lines. Unset values are null; lines marked `bad` yield no event."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.bad: Mask = np.zeros(count, bool)
        self.flaws: dict[int, str] = {}
        self._refused: dict[int, int] = {}
        self._values: dict[str, Values] = {}
        self._known: dict[str, Mask] = {}

    def put(self, name: str, lines: Ints, values: Values, known: Mask | None = None) -> None:
        """Set a column for these lines; where `known` is False the value stays null."""
        if name not in self._values:
            dtype = TYPES[KINDS[name]]
            self._values[name] = np.zeros(self.count, dtype)
            self._known[name] = np.zeros(self.count, bool)
        self._values[name][lines] = values
        self._known[name][lines] = True if known is None else known

    def column(self, name: str) -> Values:
        """Get a column's values, zero where it is null."""
        found = self._values.get(name)
        if found is None:
            return np.zeros(self.count, TYPES[KINDS[name]])
        return found

    def known(self, name: str) -> Mask:
        """Mask of the lines where a column is not null."""
        found = self._known.get(name)
        return np.zeros(self.count, bool) if found is None else found

    def adopt(self, name: str, values: Values, known: Mask) -> None:
        """Replace a whole column; `values` must be zero where it is null."""
        self._values[name], self._known[name] = values, known

    def mark_bad(self, lines: Ints, reason: str) -> None:
        """Exclude these lines from the events, with the reason."""
        self.bad[lines] = True
        self.flaws.update((int(line), reason) for line in lines)

    def refuse(self, lines: Iterable[int], token: int, name: str) -> None:
        """Exclude lines whose token is invalid for a column; the leftmost bad token is reported."""
        for line in lines:
            if token < self._refused.get(line, 1 << 30):
                self.bad[line], self._refused[line] = True, token
                self.flaws[line] = f"its {name.replace('_', ' ')} cannot be read"

    def forgive(self, lines: Ints) -> None:
        """Re-admit lines that will be parsed another way, with all their columns null again."""
        self.bad[lines] = False
        for line in lines:
            self.flaws.pop(int(line), None)
            self._refused.pop(int(line), None)
        for known in self._known.values():
            known[lines] = False

    def arrays(self, name: str) -> tuple[Values | None, Mask]:
        """Get a column's values, None if never set, and the mask of lines where it is not null."""
        return self._values.get(name), self.known(name)

    def frame(
        self, texts: Mapping[str, Sequence[str]], names: Sequence[str] = EVENTS.names
    ) -> pl.DataFrame:
        """Build a Polars frame of the good lines with these columns of EVENTS."""
        keep = None if not self.bad.any() else ~self.bad
        kept = self.count if keep is None else int(keep.sum())
        given: dict[str, pl.Series] = {}
        wanted: list[pl.Expr] = []
        for name in names:
            values, known = self.arrays(name)
            if values is None:
                wanted.append(pl.lit(None, _FRAMED[KINDS[name]]).alias(name))
                continue
            if keep is not None:
                values, known = values[keep], known[keep]
            found = pl.col(name)
            given[name] = pl.Series(name, values)
            if KINDS[name] == "str":
                table, given[name] = _texts_of(values, known, texts[name])
                found = table.gather(found)
            if not known.all():
                given[f"{name}?"] = pl.Series(known)
                found = pl.when(f"{name}?").then(found)
            wanted.append(found.alias(name))
        given["line"] = given.get("line", pl.Series(np.zeros(kept, np.uint32)))
        return pl.DataFrame(given).select(wanted)


def _texts_of(codes: Values, known: Mask, texts: Sequence[str]) -> tuple[pl.Expr, pl.Series]:
    """Build a table of the texts present in this chunk, and each line's index into it."""
    present = np.flatnonzero(np.bincount(codes[known], minlength=1))
    places = np.zeros(len(texts) + 1, np.uint32)
    places[present] = np.arange(len(present), dtype=np.uint32)
    # With no known text, the nulls still need an entry to point at.
    named: list[str | None] = [texts[code] for code in present.tolist()] or [None]
    table = pl.Series(named, dtype=pl.Categorical)
    return pl.lit(table), pl.Series(places[codes])
