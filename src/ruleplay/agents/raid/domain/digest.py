"""Digests a log chunk by chunk: events, and running knowledge of the log as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np

from ruleplay.agents.raid.domain import traits
from ruleplay.agents.raid.domain.column_buffer import ColumnBuffer
from ruleplay.agents.raid.domain.combatants import Combatant, read_combatant
from ruleplay.agents.raid.domain.deaths import FalseDeaths
from ruleplay.agents.raid.domain.dialects import Dialect, describe, describe_build
from ruleplay.agents.raid.domain.encounters import Encounters, Pull, Run
from ruleplay.agents.raid.domain.evidence import Evidence
from ruleplay.agents.raid.domain.guids import BY_NPC, FRIENDLY, HOSTILE
from ruleplay.agents.raid.domain.lines import BadLine, shown
from ruleplay.agents.raid.domain.numerals import MARGIN, Ints, Mask
from ruleplay.agents.raid.domain.pulls import derive_matches, derive_pulls, with_last_deaths
from ruleplay.agents.raid.domain.reading import Chunk, Header, Reader, Unread
from ruleplay.agents.raid.domain.roster import credited
from ruleplay.agents.raid.domain.stamps import DAY
from ruleplay.agents.raid.domain.swings import Blows, Swings
from ruleplay.agents.raid.domain.tokens import Text

_ENDING = frozenset({"ENCOUNTER_END", "ARENA_MATCH_END"})
"""Lines that are themselves the last line of the pull they end."""


@dataclass(frozen=True)
class Unparsed:
    """A line that could not be parsed into an event."""

    line: int
    offset: int
    text: str
    reason: str


@dataclass(frozen=True)
class Batch:
    """The result of one chunk. `unowned` are acting non-players without a known owner."""

    sheet: ColumnBuffer
    rows: int
    unparsed: tuple[Unparsed, ...]
    unowned: frozenset[int]
    first_line: int
    last_line: int
    starts: Ints
    """Byte offset of each line within the chunk."""


@dataclass(frozen=True)
class Present:
    """A player listed by COMBATANT_INFO at the start of a pull."""

    fight: int
    line: int
    actor: int
    combatant: Combatant


@dataclass
class Digest:
    """Consumes a log's chunks in order; lines are numbered from 1."""

    reader: Reader = field(default_factory=Reader)
    encounters: Encounters = field(default_factory=Encounters)
    present: list[Present] = field(default_factory=list)
    lines: int = 0
    size: int = 0
    events: int = 0
    unparsed: int = 0
    last_ms: int = 0
    zone: str = ""
    late_pairs: set[int] = field(default_factory=set)
    """Lines of earlier batches since found to duplicate a swing or to be a false death."""
    start: int | None = None
    """Milliseconds of the first line since its midnight."""
    first_date: str = ""
    _version: dict[str, str] = field(default_factory=dict)
    _swings: Swings = field(default_factory=Swings)
    _deaths: FalseDeaths = field(default_factory=FalseDeaths)
    _begun: list[int] = field(default_factory=list)
    """Lines of COMBAT_LOG_VERSION, where the client (re)started logging."""

    def __post_init__(self) -> None:
        """Start collecting evidence with this reader."""
        self.evidence = Evidence(self.reader)

    @property
    def dialect(self) -> Dialect:
        """The dialect, as far as the lines so far show it."""
        style = self.reader.calendar.style
        return describe(self.reader.seen, style, describe_build(self._version))

    @property
    def build(self) -> str:
        """The game version, if the log states it."""
        return self._version.get("BUILD_VERSION", "")

    @property
    def owner(self) -> str:
        """The player who recorded the log, if the unit flags reveal it."""
        return self.reader.roster.mine()

    def started_at(self, modified: datetime | None) -> str | None:
        """Return the log's start as local ISO time.

        Without a year in the log, the latest year that puts the start before `modified` (the file's
        timestamp) is used; without either, None.
        """
        parts = [int(part) for part in self.first_date.split("/") if part.isdigit()]
        if len(parts) < 2:
            return None
        clock = timedelta(milliseconds=self.start_clock_ms)
        years = parts[2:] or ([modified.year, modified.year - 1] if modified else [])
        for year in years:
            try:
                found = datetime(year, parts[0], parts[1]) + clock  # noqa: DTZ001 - as logged
            except ValueError:
                continue
            if parts[2:] or (modified and found <= modified.replace(tzinfo=None)):
                return found.isoformat(timespec="milliseconds")
        return None

    @property
    def start_clock_ms(self) -> int:
        """Milliseconds of the first line since midnight."""
        return (self.start or 0) % DAY

    def take(self, chunk: Text) -> Batch:
        """Process the next chunk, which must consist of whole lines."""
        read = self.reader.read(chunk)
        sheet, first_line = read.sheet, self.lines + 1
        every = np.arange(sheet.count)
        sheet.put("line", every, every + first_line)
        sheet.put("offset", every, read.lines.starts - MARGIN + self.size)
        self._set_times(read)
        sheet.put("fight", every, *self._follow_pulls(read))
        self._take_events(sheet, first_line)
        unparsed = self._list_unparsed(read, first_line)
        self.lines += sheet.count
        self.size += len(chunk)
        self.unparsed += len(unparsed)
        # Owners come last: this chunk's summons and pet spells have to be known first.
        self.events += sheet.count - len(unparsed)
        unowned = self._set_owners(sheet)
        rows, starts = sheet.count - len(unparsed), read.lines.starts - MARGIN
        return Batch(sheet, rows, unparsed, unowned, first_line, self.lines, starts)

    def pulls(self) -> list[Pull]:
        """List the pulls so far, from ENCOUNTER lines or else from what the bosses did."""
        if self.encounters.pulls:
            return self.encounters.so_far(self.lines, self.last_ms)
        found = derive_pulls(self.evidence.sightings)
        found = found or derive_matches(self.evidence.duels, self._begun)
        return with_last_deaths(found, self.evidence.deaths, self._begun)

    def runs(self) -> list[Run]:
        """List the keystone runs so far."""
        return self.encounters.runs_so_far(self.lines, self.last_ms)

    def _set_times(self, read: Chunk) -> None:
        stamped = np.flatnonzero(read.stamped)
        ms = read.sheet.column("ms")
        if not stamped.size:
            return
        if self.start is None:
            first = int(stamped[0])
            self.start = int(ms[first])
            self.first_date = read.lines.text(first).partition(b" ")[0].decode()
        read.sheet.put("ms", stamped, ms[stamped] - self.start)
        self.last_ms = int(read.sheet.column("ms")[stamped[-1]])

    def _follow_pulls(self, read: Chunk) -> tuple[Ints, Mask]:
        """Return each line's pull number, and the mask of lines inside a pull."""
        fights, begun = np.zeros(read.sheet.count, np.int64), 0
        for header in sorted(read.headers, key=lambda one: one.line):
            line = header.line + self.lines + 1
            ms = int(read.sheet.column("ms")[header.line])
            # A start line belongs to the new pull, an end line still to the one it ends.
            until = header.line + (header.event in _ENDING)
            fights[begun:until] = self._fight()
            begun = until
            self._take_header(read, header, line, ms)
        fights[begun:] = self._fight()
        return fights, fights > 0

    def _fight(self) -> int:
        return self.encounters.current.fight if self.encounters.current else 0

    def _take_header(self, read: Chunk, header: Header, line: int, ms: int) -> None:
        fields = header.fields
        if header.event == "COMBATANT_INFO":
            self._take_combatant(read, header, line)
            return
        note = self.reader.texts.number_one(b",".join(fields))
        read.sheet.put("note", np.array([header.line]), np.array([note]))
        self.encounters.take(header.event, line, ms, fields)
        if header.event == "ZONE_CHANGE" and len(fields) > 1:
            self.zone = self.zone or fields[1].decode(errors="replace").strip('"')
        elif header.event == "COMBAT_LOG_VERSION":
            texts = [one.decode(errors="replace") for one in fields]
            pairs = ["COMBAT_LOG_VERSION", *texts]
            self._version = dict(zip(pairs[::2], pairs[1::2], strict=False))
            self._begun.append(line)

    def _take_combatant(self, read: Chunk, header: Header, line: int) -> None:
        row = np.array([header.line])
        try:
            combatant = read_combatant(header.fields)
        except BadLine as error:
            read.sheet.mark_bad(row, str(error))
            read.unread.append(Unread(header.line, str(error)))
            return
        actor = self.reader.roster.actor_of(combatant.guid)
        read.sheet.put("source", row, np.array([max(actor, 0)]), np.array([actor > 0]))
        fight = self._fight()
        if actor > 0 and fight:
            self.present.append(Present(fight, line, actor, combatant))

    def _take_events(self, sheet: ColumnBuffer, first_line: int) -> None:
        bits = self.evidence.traits(sheet)
        self.evidence.gather(sheet, bits, sighting=not self.encounters.pulls)
        sheet.put("counts", np.arange(sheet.count), np.ones(sheet.count, bool))
        self._put_apart(sheet, bits)
        players = self.evidence.players()
        unconscious = self.reader.texts.number_one(b"unconscious")
        found = self._deaths.find(sheet, bits, players, unconscious)
        # Pairs may complete only in a later chunk; lines already handed out are reported in
        # `late_pairs` so that the writer can correct them.
        found += self._swings.pair(self._blows(sheet, bits, first_line))
        uncounted = np.array(found, np.int64) - first_line
        here = uncounted[uncounted >= 0]
        sheet.put("counts", here, np.zeros(len(here), bool))
        self.late_pairs.update((uncounted[uncounted < 0] + first_line).tolist())

    def settle_swings(self) -> None:
        """At the end of the log, pair the swings that were still waiting for more lines."""
        self.late_pairs.update(self._swings.rest())

    def _blows(self, sheet: ColumnBuffer, bits: Ints, first_line: int) -> Blows:
        """Select the swings that hit, for 0 if a shield absorbed them whole."""
        rows = np.flatnonzero(bits & traits.SWING)
        missed = bits[rows] & (traits.HARM | traits.LANDED) == 0
        absorb = self.reader.texts.number_one(b"ABSORB")
        whole = sheet.known("miss_type")[rows] & (sheet.column("miss_type")[rows] == absorb)
        rows, missed = rows[~missed | whole], missed[~missed | whole]
        columns = (sheet.column(name)[rows] for name in ("source", "target", "amount"))
        landed = bits[rows] & traits.LANDED > 0
        source, target, amount = (np.asarray(column, np.int64) for column in columns)
        ms = np.asarray(sheet.column("ms")[rows], np.int64)
        return Blows(ms, rows + first_line, landed, source, target, np.where(missed, 0, amount))

    def _put_apart(self, sheet: ColumnBuffer, bits: Ints) -> None:
        """Mark damage to oneself or one's own side; mind-controlled players hit their own side.

        In battlegrounds an enemy who is neither friend nor foe yet strikes friends, too.
        """
        every = np.arange(sheet.count)
        sheet.put("apart", every, np.zeros(sheet.count, bool))
        rows = np.flatnonzero(bits & traits.STRIKE)
        names = ("source", "target", "source_flags", "target_flags")
        columns = (np.asarray(sheet.column(name)[rows], np.int64) for name in names)
        source, target, ours, theirs = columns
        hostile, controlled = ours & HOSTILE > 0, ours & BY_NPC > 0
        turned = controlled & self.evidence.players()[source]
        friends = (turned | (ours & FRIENDLY > 0)) & (theirs & FRIENDLY > 0)
        same = np.where(hostile & ~turned, theirs & HOSTILE > 0, friends)
        sheet.put("apart", rows, same | (source == target) | (turned & (theirs & HOSTILE > 0)))

    def _set_owners(self, sheet: ColumnBuffer) -> frozenset[int]:
        known = sheet.known("source")
        source = np.where(known, sheet.column("source"), 0)  # bad lines may leave stale values
        present = np.bincount(source[known], minlength=1)
        acting = np.flatnonzero((present > 0) & ~self.evidence.players()[: len(present)])
        masters = np.zeros(len(present), np.int64)
        masters[acting] = [self.reader.roster.master(int(actor)) for actor in acting]
        owners = np.where(credited(sheet.column("source_flags")), masters[source], 0)
        sheet.put("owner", np.arange(sheet.count), owners, owners > 0)
        return frozenset(int(actor) for actor in acting if not masters[actor])

    def _list_unparsed(self, read: Chunk, first_line: int) -> tuple[Unparsed, ...]:
        return tuple(
            Unparsed(
                one.line + first_line,
                int(read.lines.starts[one.line]) - MARGIN + self.size,
                shown(read.lines.text(one.line)),
                one.reason,
            )
            for one in sorted(read.unread, key=lambda one: one.line)
        )
