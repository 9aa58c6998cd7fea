"""Imports combat logs: complete files, or a file that the game is still writing."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.raid.adapters.log_files import read_chunks
from ruleplay.agents.raid.adapters.report_files import (
    Manifest,
    manifests,
    outdated,
    read_raw,
    reports_folder,
)
from ruleplay.errors import Unavailable, UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleplay.agents.raid.adapters.report_writer import ReportWriter

Progress: TypeAlias = Callable[[int, int], None]
"""Bytes done and bytes in total; for packed files the total is the packed size."""

LOG = logging.getLogger(__name__)
_SHOWN = 20
_POLL = 1.0
_LOOK = 64 << 10
"""Number of leading bytes that show whether a followed log was replaced by another."""


class ImportedPull(BaseModel):
    """A pull as an import reports it; `id` is the game's, None when it is not known."""

    model_config = ConfigDict(frozen=True)

    fight: int
    id: int | None
    name: str
    start: str
    seconds: float
    kill: bool
    ended: str
    players: int


class UnparsedLine(BaseModel):
    """A line that is no event."""

    model_config = ConfigDict(frozen=True)

    line: int
    reason: str
    text: str


class ImportReport(BaseModel):
    """What an import brought. `unparsed_lines` are the first ones; the report has them all.

    `known`: the same bytes were imported before and nothing was written. Of several files, `more`
    are the ones before the last.
    """

    model_config = ConfigDict(frozen=True)

    report: str
    file: str
    dialect: str
    verified: bool
    known: bool
    lines: int
    unparsed: int
    events: int
    encounters: tuple[ImportedPull, ...]
    unparsed_lines: tuple[UnparsedLine, ...]
    seconds: float
    mb_per_s: float
    more: tuple[ImportReport, ...] = ()


def import_logs(
    files: Sequence[Path], home: Path, on_progress: Progress | None = None
) -> ImportReport:
    """Import logs, each as its own report; logs already imported are skipped.

    A log that has grown replaces its shorter version. `on_progress` may raise to cancel. UserError
    names the file that cannot be imported; files before it stay imported.
    """
    if not files:
        raise UserError("Name a combat log to import, such as WoWCombatLog.txt.")
    for path in files:
        if not path.is_file():
            raise UserError(f"There is no file {str(path)!r} to import.")
    total, done, found = sum(path.stat().st_size for path in files), 0, []
    for path in files:
        told = _Told(on_progress, done, total)
        found.append(_import_one(path, home, told))
        done += path.stat().st_size
        told.say(done)
    return found[-1].model_copy(update={"more": tuple(found[:-1])})


class _Told:
    """Reports progress over several files."""

    def __init__(self, on_progress: Progress | None, before: int, total: int) -> None:
        self._on_progress, self._before, self._total = on_progress, before, total

    def advance(self, done: int) -> None:
        """Report bytes of the current file; capped, as a packed file yields more than its size."""
        self.say(min(self._before + done, self._total))

    def say(self, done: int) -> None:
        """Report bytes of all files."""
        if self._on_progress:
            self._on_progress(done, self._total)


def _import_one(path: Path, home: Path, told: _Told) -> ImportReport:
    started = time.perf_counter()
    same = _same_file(path, home)
    if same:
        return _report(same, home, started, known=True)
    with _writing(home) as writer:
        done = 0
        for chunk in read_chunks(path):
            writer.take(chunk)
            done += len(chunk)
            told.advance(done)
        _refuse_what_is_no_log(writer, path)
        known = writer.known
        if known:
            return _report(known, home, started, known=True)
        manifest = writer.publish(path.name, _modified(path))
    return _report(manifest, home, started, known=False)


def renew_reports(home: Path) -> tuple[str, ...]:
    """Read reports of an older version again from their raw lines; returns their codes.

    A report keeps its code and dates. If nothing can be written, it stays as it is, unlisted.
    """
    renewed = []
    for old in outdated(home):
        LOG.warning("Report %s was imported by an older version: its log is read again.", old.code)
        try:
            with _writing(home) as writer:
                for raw in old.raw:
                    writer.take(read_raw(reports_folder(home) / old.code, raw))
                writer.publish(old.file, like=old)
        except UserError as error:
            LOG.warning("Report %s could not be read again: %s", old.code, error)
        else:
            renewed.append(old.code)
    return tuple(renewed)


@contextmanager
def _writing(home: Path) -> Iterator[ReportWriter]:
    """Provide a writer; whatever it does not publish is removed."""
    try:
        from ruleplay.agents.raid.adapters.report_writer import ReportWriter
    except ModuleNotFoundError as err:
        raise Unavailable("Importing logs needs: pip install 'ruleplay[raid]'") from err
    try:
        writer = ReportWriter(home)
    except OSError as err:
        raise UserError(f"Nothing can be written to {str(home)!r}: {err}") from err
    try:
        yield writer
    except OSError as err:
        raise UserError(f"The report could not be written: {err}") from err
    finally:
        writer.discard()


def _same_file(path: Path, home: Path) -> Manifest | None:
    """Find the report of this very file without parsing it, by size and then hash."""
    import hashlib

    from xxhash import xxh3_128

    size = path.stat().st_size
    alike = [one for one in manifests(home) if one.bytes == size]
    if not alike:
        return None
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, xxh3_128).hexdigest()
    return next((one for one in alike if one.fingerprint == digest), None)


def _refuse_what_is_no_log(writer: ReportWriter, path: Path) -> None:
    if not writer.digest.events:
        raise UserError(
            f"{path.name!r} is no combat log: of its {writer.digest.lines:,} lines not one is an "
            "event. The game writes it to Logs/WoWCombatLog.txt after /combatlog."
        )


def _modified(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, tz=UTC).astimezone()


def _report(manifest: Manifest, home: Path, started: float, *, known: bool) -> ImportReport:
    import polars as pl

    folder = reports_folder(home) / manifest.code
    pulls = [pl.read_parquet(folder / name) for name in manifest.files["encounters"]]
    unparsed = [pl.read_parquet(folder / name) for name in manifest.files["unparsed"]]
    seconds = max(time.perf_counter() - started, 1e-6)
    rows = pl.concat(unparsed).head(_SHOWN).iter_rows(named=True)
    return ImportReport(
        report=manifest.code,
        file=manifest.file,
        dialect=manifest.dialect,
        verified=manifest.verified,
        known=known,
        lines=manifest.lines,
        unparsed=manifest.unparsed,
        events=manifest.events,
        encounters=tuple(
            _pull(row, manifest) for one in pulls for row in one.iter_rows(named=True)
        ),
        unparsed_lines=tuple(
            UnparsedLine(line=row["line"], reason=row["reason"], text=row["text"]) for row in rows
        ),
        seconds=round(seconds, 3),
        mb_per_s=round(manifest.bytes / 1e6 / seconds, 1),
    )


def _pull(row: dict[str, object], manifest: Manifest) -> ImportedPull:
    start, end = int(str(row["start_ms"])), int(str(row["end_ms"]))
    seconds = (manifest.start_clock_ms + start) % 86_400_000 // 1000
    return ImportedPull.model_validate(
        {
            "fight": row["fight"],
            "id": row["encounter_id"],
            "name": row["name"],
            "start": f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}",
            "seconds": round((end - start) / 1000, 1),
            "kill": row["kill"],
            "ended": row["ended"],
            "players": row["players"],
        }
    )


def follow_log(
    path: Path,
    home: Path,
    on_update: Callable[[ImportReport], None],
    *,
    stop: Callable[[], bool] = lambda: False,
    poll: float = _POLL,
) -> ImportReport:
    """Import a log and keep its report up to date while the file grows, until `stop()` is true.

    New complete lines appear in the report within `poll` seconds, under the same code. If the file
    is started anew, its report ends. The last line counts only once its line end is written, or
    when following stops. UserError for packed files.
    """
    if not path.is_file():
        raise UserError(f"There is no file {str(path)!r} to follow.")
    if _head_of(path, 2) in {b"\x1f\x8b", b"PK"}:
        raise UserError(f"{path.name!r} is packed, so it does not grow; import it instead.")
    started = time.perf_counter()
    with _writing(home) as writer:
        head, done, published = _head_of(path), 0, None
        while True:
            stopping = stop()
            size = path.stat().st_size
            if size < done or _head_of(path, len(head)) != head:
                break
            done, fresh = _take_new(writer, path, done, size, last=stopping)
            head = head if len(head) >= _LOOK else _head_of(path)
            if fresh and writer.digest.events:
                published = writer.publish(path.name, _modified(path))
                on_update(_report(published, home, started, known=False))
            if stopping:
                break
            time.sleep(poll)
        _refuse_what_is_no_log(writer, path)
    if published is None:
        raise UserError(f"{path.name!r} holds nothing that could be imported.")
    return _report(published, home, started, known=False)


def _head_of(path: Path, length: int = _LOOK) -> bytes:
    with path.open("rb") as file:
        return file.read(length)


def _take_new(
    writer: ReportWriter, path: Path, done: int, size: int, *, last: bool
) -> tuple[int, bool]:
    """Process lines that end between `done` and `size`; return the position, and if it moved."""
    before = done
    for chunk in read_chunks(path, skip=done, upto=size):
        whole = bytes(chunk)
        whole = whole if last else whole[: whole.rfind(b"\n") + 1]
        if whole:
            writer.take(whole)
        done += len(whole)
    return done, done > before
