"""Writes a report while its log is read: events and raw text at once, the rest on `publish`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from xxhash import xxh3_128

from ruleplay.agents.raid.adapters import report_tables as tables
from ruleplay.agents.raid.adapters.compiled_reader import CompiledReader, open_reader
from ruleplay.agents.raid.adapters.event_file import EventFile
from ruleplay.agents.raid.adapters.report_files import (
    RAW_LINES,
    Manifest,
    RawFile,
    ReportFiles,
    manifests,
    read_raw,
)
from ruleplay.agents.raid.domain import columns
from ruleplay.agents.raid.domain.digest import Batch, Digest
from ruleplay.agents.raid.domain.encounters import Pull
from ruleplay.agents.raid.domain.facts import COLUMNS as FACT_COLUMNS
from ruleplay.agents.raid.domain.facts import Facts, examine
from ruleplay.agents.raid.domain.roster import credited

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleplay.agents.raid.domain.column_buffer import ColumnBuffer
    from ruleplay.agents.raid.domain.tokens import Text

_ROWS = 120_000
"""Number of events at which a part is written."""
_MOST_SMALL = 12
"""Number of small parts of a growing log that may accumulate before they are merged."""
_CODE = 12


@dataclass(frozen=True)
class Part:
    """A file of events: its lines, row count, and acting units without an owner."""

    name: str
    first_line: int
    last_line: int
    rows: int
    unowned: frozenset[int]
    pulls: tuple[tuple[int, int, int], ...] | None = None
    """Derived pulls that its `fight` column reflects: fight, first line, last line."""
    file: EventFile | None = None
    """The file, while it is unfinished."""


class ReportWriter:
    """Builds one report."""

    def __init__(self, home: Path) -> None:
        self.digest = Digest(open_reader())
        self._home = home
        self._files = ReportFiles(home)
        self._parts: list[Part] = []
        self._waiting: list[Batch] = []
        self._raw: list[RawFile] = []
        self._unparsed: list[str] = []
        self._hash = xxh3_128()
        self._shorter = sorted(manifests(home), key=lambda one: one.bytes)
        self._grown: Manifest | None = None
        self._generation = 0
        self._code = ""

    def take(self, chunk: Text) -> None:
        """Process the next chunk of whole lines."""
        self._update_hash(chunk)
        batch = self.digest.take(chunk)
        self._write_raw(chunk, batch)
        if batch.unparsed:
            rows = ((one.line, one.offset, one.text, one.reason) for one in batch.unparsed)
            frame = tables.frame_of(columns.UNPARSED, rows)
            self._unparsed.append(self._files.write(columns.UNPARSED, frame))
        self._waiting.append(batch)
        if sum(one.rows for one in self._waiting) >= _ROWS:
            self._write_part()

    def _update_hash(self, chunk: Text) -> None:
        """Hash a chunk, noticing stored reports whose entire log is a prefix of this one."""
        done, size = 0, self.digest.size
        while self._shorter and self._shorter[0].bytes <= size + len(chunk):
            known = self._shorter.pop(0)
            upto = known.bytes - size
            self._hash.update(chunk[done:upto])
            done = max(done, upto)
            if self._hash.hexdigest() == known.fingerprint:
                self._grown = known
        self._hash.update(chunk[done:] if done else chunk)

    @property
    def known(self) -> Manifest | None:
        """The stored report of the log so far, if its bytes are the same or continue beyond."""
        digest = self._hash.hexdigest()
        if self._grown and self._grown.fingerprint == digest:
            return self._grown
        longer = [one for one in self._shorter if one.code == digest[:_CODE]]
        return longer[0] if longer and not self._grown else None

    def _write_raw(self, chunk: Text, batch: Batch) -> None:
        cuts, text = [*batch.starts[::RAW_LINES].tolist(), len(chunk)], memoryview(chunk)
        lines = batch.last_line - batch.first_line + 1
        if lines:
            blocks = (text[a:b] for a, b in pairwise(cuts))
            self._raw.append(self._files.write_raw(blocks, batch.first_line, lines))

    def _write_part(self) -> None:
        if not self._waiting:
            return
        name, file = self._write_events([one.sheet for one in self._waiting])
        self._parts.append(
            Part(
                name,
                self._waiting[0].first_line,
                self._waiting[-1].last_line,
                sum(one.rows for one in self._waiting),
                frozenset().union(*(one.unowned for one in self._waiting)),
                file=file,
            )
        )
        self._waiting = []

    def _write_events(self, sheets: Sequence[ColumnBuffer]) -> tuple[str, EventFile | None]:
        """Write a part; returns its name and, if it can still be amended, the unfinished file."""
        reader = self.digest.reader
        if isinstance(reader, CompiledReader):
            name = self._files.name(columns.EVENTS)
            return name, EventFile(self._files.folder / name, reader, sheets)
        frame = pl.concat([sheet.frame(reader.names()) for sheet in sheets])
        return self._files.write(columns.EVENTS, frame), None

    def publish(
        self, file: str, modified: datetime | None = None, like: Manifest | None = None
    ) -> Manifest:
        """Complete the report as of the lines processed, and make it visible.

        `like` is the report that it takes the place of, under the same code and dates.
        """
        self._write_part()
        self._join_small_parts()
        pulls = self.digest.pulls()
        # Order: owners and late pairs have to be settled before parts are amended; tables come
        # last.
        self.digest.settle_swings()
        self._adopt(pulls)
        self._parts = [self._retouch(part, pulls) for part in self._parts]
        self.digest.late_pairs.clear()
        manifest = self._manifest(file, self._write_tables(self._examine(pulls)), modified)
        if like:
            kept = {name: getattr(like, name) for name in ("code", "imported_at", "started_at")}
            manifest = manifest.model_copy(update=kept)
        self._files.publish(manifest)
        self._code = manifest.code
        return manifest

    def _adopt(self, pulls: Sequence[Pull]) -> None:
        """Assign pets without a recorded owner to the only player who can own them."""
        home = tables.household_of(self.digest)
        strays = home.names.keys() - home.owners.keys()
        parts = [part for part in self._parts if part.unowned & strays]
        if not parts:
            return
        acting: dict[int, set[int]] = {pull.fight: set() for pull in pulls}
        for part in parts:
            frame = part.file.later if part.file else self._read(part, ("line", "source"))
            for pull in pulls:
                found = _between(frame, pull)["source"].drop_nulls().unique()
                acting[pull.fight].update(found.to_list())
        for pet, owner in home.adopt(acting).items():
            self.digest.reader.roster.own(pet, owner)

    def discard(self) -> None:
        """Delete what was written, unless it was published."""
        self._files.discard()

    def _join_small_parts(self) -> None:
        """Merge many small parts at the end into one; a followed log produces them continually."""
        small: list[Part] = []
        while self._parts and self._parts[-1].rows < _ROWS:
            small.insert(0, self._parts.pop())
        if len(small) <= _MOST_SMALL:
            self._parts += small
            return
        for part in small:
            if part.file:
                part.file.finish(part.file.later)
        frame = pl.concat([self._read(part) for part in small])
        self._parts.append(
            replace(
                small[0],
                name=self._files.write(columns.EVENTS, frame),
                last_line=small[-1].last_line,
                rows=frame.height,
                unowned=frozenset().union(*(part.unowned for part in small)),
                pulls=None,
                file=None,
            )
        )
        self._join_raw(small[0].first_line)

    def _join_raw(self, first_line: int) -> None:
        kept = [raw for raw in self._raw if raw.first_line < first_line]
        joined = [raw for raw in self._raw if raw.first_line >= first_line]
        text = b"".join(read_raw(self._files.folder, raw) for raw in joined)
        lines = BytesIO(text).readlines()
        blocks = (b"".join(lines[a : a + RAW_LINES]) for a in range(0, len(lines), RAW_LINES))
        raw = self._files.write_raw(blocks, joined[0].first_line, len(lines))
        self._raw = [*kept, raw]

    def _read(self, part: Part, wanted: Sequence[str] = ()) -> pl.DataFrame:
        return pl.read_parquet(self._files.folder / part.name, columns=list(wanted) or None)

    def _retouch(self, part: Part, pulls: Sequence[Pull]) -> Part:
        """Amend a part if something about it was learned after it was written."""
        roster, late = self.digest.reader.roster, self.digest.late_pairs
        owned = {actor for actor in part.unowned if roster.master(actor)}
        pairs = [line for line in late if part.first_line <= line <= part.last_line]
        mine = tuple(
            (pull.fight, pull.start_line, pull.end_line)
            for pull in pulls
            if pull.derived
            and pull.start_line <= part.last_line
            and pull.end_line >= part.first_line
        )
        if not owned and not pairs and mine == (part.pulls or ()) and not part.file:
            return part
        frame = part.file.later if part.file else self._read(part)
        if mine or part.pulls:
            frame = frame.with_columns(_fights(frame["line"].to_numpy(), mine))
        if owned:
            frame = frame.with_columns(_owners(frame, roster.masters()))
        if pairs:
            frame = frame.with_columns(counts=pl.col("counts") & ~pl.col("line").is_in(pairs))
        if part.file:
            part.file.finish(frame)
        name = part.name if part.file else self._files.write(columns.EVENTS, frame)
        return replace(part, name=name, unowned=part.unowned - owned, pulls=mine, file=None)

    def _examine(self, pulls: Sequence[Pull]) -> list[tuple[Pull, Facts]]:
        roster, found = self.digest.reader.roster, []
        frames: dict[str, pl.DataFrame] = {}
        for pull in pulls:
            mine = [
                part
                for part in self._parts
                if part.first_line <= pull.end_line and part.last_line >= pull.start_line
            ]
            frames = {
                part.name: frames.get(part.name, self._facts_of(part, frames)) for part in mine
            }
            events = [_between(frames[part.name], pull) for part in mine]
            listed = [one.actor for one in self.digest.present if one.fight == pull.fight]
            found.append((pull, examine(pull, pl.concat(events, rechunk=False), roster, listed)))
        return found

    def _facts_of(self, part: Part, frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
        return frames[part.name] if part.name in frames else self._read(part, FACT_COLUMNS)

    def _write_tables(self, examined: tables.Examined) -> dict[str, tuple[str, ...]]:
        digest, write = self.digest, self._files.write
        auras = tables.auras_of(digest)
        empty = tables.frame_of(columns.UNPARSED, ())
        unparsed = self._unparsed or [write(columns.UNPARSED, empty)]
        encounters = tables.encounters_of(examined, digest.last_ms)
        return {
            "events": tuple(part.name for part in self._parts),
            "actors": (write(columns.ACTORS, tables.actors_of(digest)),),
            "encounters": (write(columns.ENCOUNTERS, encounters),),
            "runs": (write(columns.RUNS, tables.runs_of(digest.runs())),),
            "combatants": (write(columns.COMBATANTS, tables.combatants_of(digest)),),
            "gear": (write(columns.GEAR, tables.gear_of(digest)),),
            "pull_auras": (write(columns.AURAS, auras),),
            "unparsed": tuple(unparsed),
        }

    def _manifest(
        self, file: str, files: dict[str, tuple[str, ...]], modified: datetime | None
    ) -> Manifest:
        digest, dialect = self.digest, self.digest.dialect
        fingerprint = self._hash.hexdigest()
        self._generation += 1
        grown = self._grown.code if self._grown else ""
        return Manifest(
            generation=self._generation,
            code=self._code or grown or fingerprint[:_CODE],
            file=file,
            fingerprint=fingerprint,
            bytes=digest.size,
            dialect=dialect.label,
            verified=dialect.verified,
            build=digest.build,
            zone=digest.zone,
            bosses=tuple(dict.fromkeys(pull.name for pull in digest.pulls())),
            owner=digest.owner,
            lines=digest.lines,
            events=digest.events,
            unparsed=digest.unparsed,
            start_clock_ms=digest.start_clock_ms,
            first_date=digest.first_date,
            last_ms=digest.last_ms,
            imported_at=datetime.now(tz=UTC).isoformat(),
            started_at=digest.started_at(modified),
            files=files,
            raw=tuple(self._raw),
        )


def _between(events: pl.DataFrame, pull: Pull) -> pl.DataFrame:
    first = events["line"].search_sorted(pull.start_line)
    return events[first : events["line"].search_sorted(pull.end_line, "right")]


def _fights(
    lines: np.ndarray[tuple[int], np.dtype[np.uint32]], pulls: Sequence[tuple[int, int, int]]
) -> pl.Series:
    """Find the number of each line's pull, null outside pulls; pulls must not overlap."""
    fights = np.zeros(len(lines), np.uint16)
    for fight, first, last in pulls:
        fights[np.searchsorted(lines, first) : np.searchsorted(lines, last, "right")] = fight
    return pl.select(pl.when(pl.Series(fights) > 0).then(pl.Series(fights)).alias("fight"))["fight"]


def _owners(frame: pl.DataFrame, masters: np.ndarray[tuple[int], np.dtype[np.int32]]) -> pl.Series:
    owners = pl.Series("owner", masters[frame["source"].fill_null(0).to_numpy()], pl.UInt32)
    acts = pl.Series(credited(frame["source_flags"].fill_null(0).to_numpy()))
    return pl.select(pl.when((owners > 0) & acts).then(owners).alias("owner"))["owner"]
