"""Parses the timestamps of many lines at once, and counts their days.

`M/D HH:MM:SS.mmm` has no year, so days are counted from line to line: past midnight, past New Year,
and past 29 February if the log contains it.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ruleplay.agents.raid.domain.lines import STAMP
from ruleplay.agents.raid.domain.numerals import (
    OVER_NINE,
    TOP_BITS,
    Bytes,
    Ints,
    Mask,
    Words,
    words_of,
)

DAY = 86_400_000
"""Milliseconds per day."""

_CLOCK = 12
"""Number of characters of `HH:MM:SS.mmm`."""
_CLOCK_ZERO = np.frombuffer(b"00:00:00", "<u8")[0]
_FRACTION_ZERO = np.frombuffer(b"0:00.000", "<u8")[0]
_BYTE = np.uint64(0xFF)
_SLASH, _SPACE, _TAB = ord("/"), ord(" "), ord("\t")
_SAME_YEAR = 180
"""Days. Without a year, a date further back than this belongs to the next year."""
_MOST_DATES = 64
"""Distinct dates handled per chunk; lines with further ones are parsed one by one."""


@dataclass
class Calendar:
    """Numbers days, starting with 0 for the first line's day."""

    style: str = ""
    _days: dict[bytes, int] = field(default_factory=dict)
    _last: tuple[int, int, int, int] | None = None
    """Month, day, year (0 if not logged) and number of the latest date."""

    def number(self, date: bytes) -> int | None:
        """Get the day number of a date such as `3/24` or `3/24/2026`; None for an invalid date."""
        known = self._days.get(date)
        if known is None or (self._last is not None and known < self._last[3] - _SAME_YEAR):
            known = self._count(date)
            if known is not None:
                self._days[date] = known
        return known

    def _count(self, date: bytes) -> int | None:
        parts = date.split(b"/")
        if not 2 <= len(parts) <= 3 or not all(part.isdigit() for part in parts):
            return None
        month, day, year = int(parts[0]), int(parts[1]), int(parts[2]) if len(parts) > 2 else 0
        number = 0
        if self._last is not None:
            steps = _days_between(self._last[:3], (month, day, year))
            if steps is None:
                return None
            number = self._last[3] + steps
        elif _days_between((month, day, year), (month, day, year)) is None:
            return None
        self.style = self.style or ("with year" if year else "without year")
        self._last = (month, day, year, number)
        return number


@dataclass(frozen=True)
class Stamps:
    """Per line: milliseconds, offset of the event, and whether the timestamp is valid.

    Until its timestamp is parsed, a line's event offset is the start of the line.
    """

    ms: Ints
    events: Ints
    good: Mask


DateReader = Callable[[Stamps, Ints, bytes, int], Ints]
"""Parses the clocks of lines that begin with the given date; returns the remaining lines."""


def _days_between(first: tuple[int, int, int], then: tuple[int, int, int]) -> int | None:
    """Count the days between two dates; without a year, to the nearest such date either way."""
    try:
        if first[2] and then[2]:
            return (_date(then, then[2]) - _date(first, first[2])).days
        leap = (2, 29) in {first[:2], then[:2]}
        # Any leap year and any common year will do.
        year = 2024 if leap else 2023
        days = (_date(then, year) - _date(first, year)).days
    except ValueError:
        return None
    length = 366 if leap else 365
    # Wrapped to half a year either way, so that Dec 31 to Jan 1 is one day.
    return (days + length // 2) % length - length // 2


def _date(date: tuple[int, int, int], year: int) -> datetime.date:
    return datetime.date(year, date[0], date[1])


def read_stamps(
    buffer: Bytes, starts: Ints, ends: Ints, calendar: Calendar, read_date: DateReader | None = None
) -> tuple[Ints, Ints, Mask]:
    """Parse timestamps: milliseconds since the calendar's first midnight, event offsets, validity.

    `read_date` parses the clocks of the lines of one date; NumPy does so by default.
    """
    count = len(starts)
    stamps = Stamps(np.zeros(count, np.int64), starts.copy(), np.zeros(count, bool))
    rest, read_date = _dated(buffer, starts, ends), read_date or partial(_read_date, buffer, ends)
    for _ in range(_MOST_DATES):
        if not rest.size:
            break
        line = buffer[starts[rest[0]] : starts[rest[0]] + 64].tobytes()
        stamp = STAMP.match(line)
        day = calendar.number(line.partition(b" ")[0]) if stamp else None
        if stamp is None or day is None:
            rest = rest[1:]
            continue
        rest = read_date(stamps, rest, line[: stamp.start(4)], day)
    for row in rest:
        one = _one(buffer, int(starts[row]), calendar)
        stamps.ms[row], stamps.events[row], stamps.good[row] = one
    return stamps.ms, stamps.events, stamps.good


def _read_date(
    buffer: Bytes, ends: Ints, stamps: Stamps, rest: Ints, date: bytes, day: int
) -> Ints:
    starts = stamps.events[rest]
    alike = _alike(buffer, starts, ends[rest], date)
    rows = rest[alike]
    found = _clocks(buffer, words_of(buffer), starts[alike] + len(date), ends[rows], day)
    stamps.ms[rows], stamps.events[rows], stamps.good[rows] = found
    return rest[~alike]


def _dated(buffer: Bytes, starts: Ints, ends: Ints) -> Ints:
    """Preselect lines that may begin with a date: a slash after one or two digits."""
    slash = (buffer[starts + 1] == _SLASH) | (buffer[starts + 2] == _SLASH)
    return np.flatnonzero(slash & (ends - starts > _CLOCK + 6))


def _alike(buffer: Bytes, starts: Ints, ends: Ints, date: bytes) -> Mask:
    """Mask of the lines that begin with this date (at most 16 bytes, trailing space included)."""
    windows = np.ndarray((len(buffer) - 15,), "V16", buffer=buffer.data, strides=(1,))
    found = windows[starts].view("<u8").reshape(-1, 2)
    wanted = np.frombuffer(date.ljust(16, b"\0"), "<u8")
    kept = np.frombuffer((b"\xff" * len(date)).ljust(16, b"\0"), "<u8")
    same: Mask = ((found[:, 0] ^ wanted[0]) & kept[0]) == 0
    same &= ((found[:, 1] ^ wanted[1]) & kept[1]) == 0
    same &= ends - starts > len(date) + _CLOCK + 2
    return same


def _clocks(
    buffer: Bytes, words: Words, clocks: Ints, ends: Ints, day: int
) -> tuple[Ints, Ints, Mask]:
    seconds, good = _two_digits(words[clocks] ^ _CLOCK_ZERO)
    fraction = words[clocks + 4]
    thousandths, fine = _two_digits(fraction ^ _FRACTION_ZERO)
    good &= fine
    ms = (seconds & _BYTE) * np.uint64(3_600_000)
    ms += (seconds >> np.uint64(24) & _BYTE) * np.uint64(60_000)
    ms += (seconds >> np.uint64(48) & _BYTE) * np.uint64(1_000)
    ms += (thousandths >> np.uint64(40) & _BYTE) * np.uint64(10)
    ms += fraction >> np.uint64(56) & np.uint64(0xF)
    ms += np.uint64(day * DAY % 2**64)
    events = clocks + _CLOCK
    # The fraction may have up to six digits and a time zone after them: skip to the blank.
    for _ in range(10):
        inside = good & (buffer[events] != _SPACE) & (buffer[events] != _TAB)
        if not inside.any():
            break
        events[inside] += 1
    tab = buffer[events] == _TAB
    events += np.where(tab, 1, 2)
    spaces = (buffer[events - 2] == _SPACE) & (buffer[events - 1] == _SPACE)
    good &= (tab | spaces) & (events < ends)
    return ms.view(np.int64), events, good


def _two_digits(digits: Words) -> tuple[Words, Mask]:
    """Turn each byte into ten times its digit plus the next digit; also the mask of valid words."""
    good = (((digits + OVER_NINE) | digits) & TOP_BITS) == 0
    return digits * np.uint64(10) + (digits >> np.uint64(8)), good


def _one(buffer: Bytes, start: int, calendar: Calendar) -> tuple[int, int, bool]:
    line = buffer[start : start + 64].tobytes()
    stamp = STAMP.match(line)
    day = calendar.number(line.partition(b" ")[0]) if stamp else None
    if stamp is None or day is None:
        return 0, start, False
    hours, minutes, seconds, ms = (int(stamp[n]) for n in (4, 5, 6, 7))
    clock = ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
    return day * DAY + clock, start + stamp.end(), True
