"""Imports a shop's files into a new catalog file, all or nothing.

The catalog is built in a temporary file next to the target and put in place with one rename, so a
failed or killed import leaves the old catalog untouched; the next import removes what a killed one
left behind. Rows that cannot be used are written, with line and reason, to `NAME.rejected.jsonl`.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TextIO

from ruleplay.agents.parts.adapters import catalog_schema as schema
from ruleplay.agents.parts.adapters.catalog_load import Loader
from ruleplay.agents.parts.adapters.catalog_rows import (
    BadRow,
    Good,
    Watched,
    column_for,
    columns_of,
    headers,
    preset_of,
    read_rows,
)
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.errors import UserError
from ruleplay.system.processes import is_running

_SHOWN = 20
"""Rejected rows and id-only numbers that a report shows."""
_STEP = 1 << 20
"""Bytes between two progress reports."""

Progress = Callable[[int, int], None]


class Rejected(Frozen):
    """A row that was rejected or, with `kept`, one of its values."""

    file: str
    line: int
    reason: str
    kept: bool = False


class Columns(Frozen):
    """How a file's columns were used: by field, `ignored`, or used but `empty`.

    `preset` is the shop system that exported the file, if it was recognised.
    """

    file: str
    preset: str = ""
    used: dict[str, str]
    ignored: tuple[str, ...]
    empty: tuple[str, ...] = ()


class ImportReport(Frozen):
    """The result of an import; `rejected_rows` has the first ones, `rejected_file` all of them.

    `id_only` counts parts known only from the fits file, `duplicates` rows that added nothing new,
    and `flawed` rows that were kept without a value that could not be read.
    """

    catalog: str
    parts: int
    id_only: int
    id_only_numbers: tuple[str, ...]
    models: int
    pairs: int
    rejected: int
    flawed: int
    duplicates: int
    rejected_rows: tuple[Rejected, ...]
    rejected_file: str | None
    columns: tuple[Columns, ...] = ()
    undated_prices: int = 0
    seconds: float


class Rejects:
    """Collects rejected rows: counts them, remembers the first few and writes all to a file."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.rows = 0
        self.values = 0
        self.first: list[Rejected] = []

    def add(self, file: str, line: int, reason: str, *, kept: bool = False) -> None:
        """Record a row or, with `kept`, one value of a row that was otherwise imported."""
        one = Rejected(file=file, line=line, reason=reason, kept=kept)
        self._file.write(one.model_dump_json() + "\n")
        if kept:
            self.values += 1
        else:
            self.rows += 1
        if len(self.first) < _SHOWN:
            self.first.append(one)


NO_PARTS = "it takes CSV with a header, or JSON Lines, with a part number in each row"


def import_catalog(
    parts: Path,
    fits: Path | None = None,
    models: Path | None = None,
    *,
    into: Path,
    mapping: Mapping[str, str] | None = None,
    priced_on: date | None = None,
    on_progress: Progress | None = None,
    name: str = "",
    imported_on: date | None = None,
) -> ImportReport:
    """Build the catalog at `into` from a parts file and, optionally, a fits and a models file.

    `mapping` names the column of a field where guessing would fail. `priced_on` dates prices that
    have no date of their own; otherwise their date is unknown. `on_progress(bytes_done,
    bytes_total)` may raise to stop the import. If a file cannot be used, UserError is raised and
    `into` is unchanged.
    """
    started = time.perf_counter()
    given = {"parts": parts, "fits": fits, "models": models}
    files = {kind: path for kind, path in given.items() if path is not None}
    _check(files, mapping or {})
    into.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(into)
    with _building(into) as (building, rejects):
        reader = _Reader(files, mapping or {}, rejects, on_progress)
        loader = _load(building, reader, rejects, priced_on)
        meta = {
            "name": name or into.stem,
            "imported_on": (imported_on or datetime.now(tz=UTC).date()).isoformat(),
            "fits_file": fits.name if fits else "",
            "content": reader.content_hash(priced_on),
        }
        counts = loader.finish(meta)
        # Raised inside the block, so that the old catalog stays in place.
        if not counts["parts"]:
            raise UserError(f"{parts.name} has no part that can be used; {NO_PARTS}")
    return ImportReport(
        catalog=str(into),
        **counts,
        id_only_numbers=tuple(loader.id_only_numbers[:_SHOWN]),
        rejected=rejects.rows,
        flawed=rejects.values,
        rejected_rows=tuple(rejects.first),
        rejected_file=str(rejected_file(into)) if rejects.first else None,
        columns=tuple(reader.columns()),
        undated_prices=loader.undated,
        seconds=round(time.perf_counter() - started, 3),
    )


def rejected_file(into: Path) -> Path:
    """Tell where the import into `into` lists rejected rows."""
    return into.with_name(into.stem + ".rejected.jsonl")


class _Reader:
    """Reads the input files one after the other, with progress and a hash of everything read."""

    def __init__(
        self,
        files: Mapping[str, Path],
        mapping: Mapping[str, str],
        rejects: Rejects,
        on_progress: Progress | None,
    ) -> None:
        self._files, self._mapping, self._rejects = files, mapping, rejects
        self._on_progress = on_progress
        self._total = sum(path.stat().st_size for path in files.values())
        self._done = self._told = 0
        self._read: dict[str, tuple[tuple[str, ...], set[str]]] = {}
        self._digests = {kind: hashlib.sha256() for kind in files}

    def rows(self, kind: str, fields: tuple[str, ...], required: int) -> Iterator[Good]:
        """Read one file; the first `required` fields must have a column. Bad rows are recorded."""
        if kind not in self._files:
            return
        path = self._files[kind]
        watched = Watched(path, self._digests[kind], self._seen)
        # Fields without a value so far; the check ends once every field had one.
        empty = set(range(len(fields)))
        for row in read_rows(path, fields, fields[:required], self._mapping, watched):
            if isinstance(row, BadRow):
                self._rejects.add(kind, row.line, row.reason)
                continue
            if empty:
                empty = {place for place in empty if not row[1][place]}
            yield row
        self._read[kind] = (fields, {fields[place] for place in empty})

    def columns(self) -> Iterator[Columns]:
        """Report how each file's columns were used."""
        for kind, (fields, empty) in self._read.items():
            path = self._files[kind]
            names = columns_of(path)
            chosen = {field: column_for(field, names, self._mapping) for field in fields}
            used = {field: column for field, column in chosen.items() if column is not None}
            preset = preset_of(names)
            yield Columns(
                file=path.name,
                preset=preset.name if preset else "",
                used=used,
                ignored=tuple(name for name in names if name not in used.values()),
                empty=tuple(used[field] for field in used if field in empty),
            )

    def content_hash(self, priced_on: date | None) -> str:
        """Hash all that determines the catalog: the files, the mapping and the price date."""
        said = {kind: digest.hexdigest() for kind, digest in self._digests.items()}
        said |= {"mapping": json.dumps(dict(sorted(self._mapping.items())))}
        said |= {"priced_on": str(priced_on), "format": str(schema.FORMAT)}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()

    def _seen(self, size: int) -> None:
        self._done += size
        if self._on_progress and (self._done - self._told >= _STEP or self._done == self._total):
            self._told = self._done
            self._on_progress(self._done, self._total)


def _load(building: Path, reader: _Reader, rejects: Rejects, priced_on: date | None) -> Loader:
    loader = Loader(building, rejects.add, priced_on)
    try:
        loader.load_parts(reader)
        loader.load_models(reader)
        loader.load_fits(reader)
    except BaseException:
        loader.close()
        raise
    return loader


def _check(files: Mapping[str, Path], mapping: Mapping[str, str]) -> None:
    """Reject missing files and mappings that name unknown fields or columns."""
    for path in files.values():
        if not path.is_file():
            raise UserError(f"There is no file {str(path)!r} to import.")
    columns = [column for path in files.values() for column in columns_of(path)] if mapping else []
    for field, column in mapping.items():
        if field not in headers():
            known = ", ".join(headers())
            raise UserError(f"{field!r} is no field of a catalog; the fields are {known}.")
        if column not in columns:
            raise UserError(f"No file has the column {column!r} that {field!r} is to be read from.")


@contextmanager
def _building(into: Path) -> Iterator[tuple[Path, Rejects]]:
    """Provide a temporary file to build in, and put it in place if all went well."""
    # The process id tells a later import whether these files are still in use.
    token = f"{os.getpid()}.{secrets.token_hex(4)}"
    building = into.with_name(f".{into.name}.{token}.building")
    listed = into.with_name(f".{into.name}.{token}.rejected")
    try:
        with listed.open("w", encoding="utf-8") as file:
            rejects = Rejects(file)
            yield building, rejects
        _put_in_place(building, into)
        if rejects.first:
            listed.replace(rejected_file(into))
        else:
            rejected_file(into).unlink(missing_ok=True)
    except (sqlite3.Error, OSError) as err:
        raise UserError(f"The catalog {str(into)!r} could not be built: {err}") from err
    finally:
        building.unlink(missing_ok=True)
        listed.unlink(missing_ok=True)


def _put_in_place(building: Path, into: Path) -> None:
    """Replace the target atomically, flushing file and folder so that it survives a power cut."""
    with building.open("rb+") as file:
        os.fsync(file.fileno())
    building.replace(into)
    # Windows cannot open a folder to flush it.
    if os.name == "posix":
        folder = os.open(into.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _remove_stale(into: Path) -> None:
    """Remove leftovers of killed imports, but not the files of a process that still runs."""
    for left in into.parent.glob(f".{into.name}.*"):
        owner = left.name.removeprefix(f".{into.name}.").partition(".")[0]
        ours = left.suffix in {".building", ".rejected"} and owner.isdigit()
        if ours and not is_running(int(owner)):
            left.unlink(missing_ok=True)
