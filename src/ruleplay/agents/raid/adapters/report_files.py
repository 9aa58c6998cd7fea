"""A report on disk: a folder of immutable files, and a `report.json` that lists the valid ones.

A new report is built in a temporary sibling folder and renamed. A growing report gets additional
files, and then a new `report.json` atomically. If the process is killed, either the old or the new
state remains.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from ruleplay.agents.raid.domain.columns import SCHEMA_VERSION, TableSchema
from ruleplay.system.processes import is_running

if TYPE_CHECKING:
    import polars as pl

MANIFEST = "report.json"
_BUILDING = ".building"
RAW_LINES = 4096
"""Number of lines per block of raw text."""


_PAGE = 4 << 20
"""Page size of a Parquet file in bytes."""
_RAW_SETTINGS = {
    "window_log": 20,
    "hash_log": 14,
    "chain_log": 6,
    "search_log": 1,
    "min_match": 7,
    "target_length": 2,
}
"""Zstandard parameters for raw text: repetitions in logs are long, so these settings still reach
a twelfth of the size, in half the time of level 1."""


class RawFile(BaseModel):
    """A file of raw text: its lines, where it begins in the log, how many bytes its blocks have.

    A block is RAW_LINES lines as one Zstandard frame.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    first_line: int
    lines: int
    blocks: tuple[int, ...]


class Manifest(BaseModel):
    """What a report is, and its files; `files` are the Parquet files by table.

    `fingerprint` is XXH3-128 of the log's bytes: it only tells logs apart, and a cryptographic hash
    costs a tenth of the import.
    """

    model_config = ConfigDict(frozen=True)

    schema_version: int = SCHEMA_VERSION
    generation: int = 1
    code: str
    file: str
    fingerprint: str
    bytes: int
    dialect: str
    verified: bool
    build: str = ""
    zone: str = ""
    bosses: tuple[str, ...] = ()
    owner: str = ""
    lines: int
    events: int
    unparsed: int
    start_clock_ms: int
    first_date: str
    last_ms: int
    imported_at: str
    started_at: str | None = None
    notes: tuple[str, ...] = ()
    files: Mapping[str, tuple[str, ...]]
    raw: tuple[RawFile, ...] = ()


def reports_folder(home: Path) -> Path:
    """Folder of all reports."""
    return home / "raid" / "reports"


def read_manifest(folder: Path) -> Manifest | None:
    """Read a report's `report.json`; None if it is missing or of another schema version."""
    try:
        found = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None
    return found if found.schema_version == SCHEMA_VERSION else None


def manifests(home: Path) -> list[Manifest]:
    """List all reports, the newest import first."""
    folder = reports_folder(home)
    if not folder.is_dir():
        return []
    found = [read_manifest(one) for one in folder.iterdir() if not one.name.startswith(".")]
    known = [one for one in found if one is not None]
    return sorted(known, key=lambda one: (one.imported_at, one.code), reverse=True)


def outdated(home: Path) -> list[Manifest]:
    """List the reports that an older version imported and whose raw lines can be read again."""
    current, found = f'"schema_version": {SCHEMA_VERSION},'.encode(), []
    for path in reports_folder(home).glob(f"[!.]*/{MANIFEST}"):
        text = path.read_bytes()
        if current in text[: len(current) + 8]:  # it begins with it, and parsing takes time
            continue
        try:
            one = Manifest.model_validate_json(text)
        except ValidationError:
            continue
        found += [one] if one.schema_version < SCHEMA_VERSION and one.raw else []
    return found


class ReportFiles:
    """Writes one report; nothing is visible before `publish`."""

    def __init__(self, home: Path) -> None:
        parent = reports_folder(home)
        parent.mkdir(parents=True, exist_ok=True)
        remove_stale(parent)
        name = f".{os.getpid()}.{secrets.token_hex(4)}{_BUILDING}"
        self._parent, self.folder = parent, parent / name
        self.folder.mkdir()
        self._number = 0
        self._published = ""

    def write(self, table: TableSchema, frame: pl.DataFrame) -> str:
        """Write a Parquet file of a table; returns its name."""
        name = self.name(table)
        frame.write_parquet(
            self.folder / name,
            compression="zstd",
            compression_level=1,
            statistics=True,
            data_page_size=_PAGE,
        )
        return name

    def name(self, table: TableSchema) -> str:
        """Make up a new name for a Parquet file of a table."""
        return self._name(table.name, "parquet")

    def write_raw(
        self, blocks: Iterable[bytes | memoryview], first_line: int, lines: int
    ) -> RawFile:
        """Write blocks of raw text, each decompressible by itself."""
        from zstandard import STRATEGY_FAST, ZstdCompressionParameters, ZstdCompressor

        name = self._name("raw", "zst")
        settings = ZstdCompressionParameters(strategy=STRATEGY_FAST, **_RAW_SETTINGS)
        compressor = ZstdCompressor(compression_params=settings)
        with (self.folder / name).open("wb") as file:
            sizes = [file.write(compressor.compress(block)) for block in blocks]
        return RawFile(name=name, first_line=first_line, lines=lines, blocks=tuple(sizes))

    def _name(self, what: str, suffix: str) -> str:
        self._number += 1
        # A random part keeps names unique when files move into the folder of an older report.
        return f"{what}-{self._number:06}-{secrets.token_hex(4)}.{suffix}"

    def remove(self, names: Iterable[str]) -> None:
        """Delete files that no manifest lists."""
        for name in names:
            (self.folder / name).unlink(missing_ok=True)

    def publish(self, manifest: Manifest) -> None:
        """Switch the report to this manifest, and delete files that it does not list."""
        # The order matters: data has to be on disk before the manifest that refers to it.
        self._sync(manifest)
        self._write_manifest(manifest)
        if not self._published:
            self._move_in(manifest.code)
        kept = {*_names(manifest), MANIFEST}
        self.remove(one.name for one in self.folder.iterdir() if one.name not in kept)

    def _write_manifest(self, manifest: Manifest) -> None:
        fresh = self.folder / f".{MANIFEST}.{secrets.token_hex(4)}"
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(manifest.model_dump(mode="json"), file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.folder / MANIFEST)
        _sync_folder(self.folder)

    def _move_in(self, code: str) -> None:
        """Rename the built folder into place, or move its files into an existing report's folder.

        In the second case the manifest moves last; until then the older report stays valid.
        """
        target = self._parent / code
        if (target / MANIFEST).is_file():
            built = _names(self._built())
            for name in built:
                (self.folder / name).rename(target / name)
            _sync_folder(target)
            (self.folder / MANIFEST).replace(target / MANIFEST)
            _sync_folder(target)
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            shutil.rmtree(target, ignore_errors=True)
            self.folder.rename(target)
        self.folder, self._published = target, code
        _sync_folder(self._parent)

    def _built(self) -> Manifest:
        return Manifest.model_validate_json((self.folder / MANIFEST).read_bytes())

    def _sync(self, manifest: Manifest) -> None:
        for name in _names(manifest):
            with (self.folder / name).open("rb") as file:
                os.fsync(file.fileno())

    def discard(self) -> None:
        """Delete what was built, unless it was published."""
        if not self._published:
            shutil.rmtree(self.folder, ignore_errors=True)


def read_raw(folder: Path, raw: RawFile, first: int = 0, last: int | None = None) -> bytes:
    """Decompress a raw file's blocks `first` to `last` (inclusive, counted from 0)."""
    from zstandard import ZstdDecompressor

    wanted = raw.blocks[first : None if last is None else last + 1]
    decompressor = ZstdDecompressor()
    with (folder / raw.name).open("rb") as file:
        file.seek(sum(raw.blocks[:first]))
        return b"".join(decompressor.decompress(file.read(size)) for size in wanted)


def _names(manifest: Manifest) -> list[str]:
    parquet = [name for names in manifest.files.values() for name in names]
    return parquet + [raw.name for raw in manifest.raw]


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove_stale(parent: Path) -> None:
    """Delete what killed imports left behind; folder names carry the process id."""
    for left in parent.glob(f".*{_BUILDING}"):
        owner = left.name.removeprefix(".").partition(".")[0]
        if owner.isdigit() and not is_running(int(owner)):
            shutil.rmtree(left, ignore_errors=True)


def delete_report(home: Path, code: str) -> None:
    """Delete a report with all its files; other processes see it whole or not at all."""
    parent = reports_folder(home)
    going = parent / f".{os.getpid()}.{secrets.token_hex(4)}{_BUILDING}"
    (parent / Path(code).name).rename(going)
    _sync_folder(parent)
    shutil.rmtree(going, ignore_errors=True)
