"""Timestamps of many lines at once, and the days they count.

`M/D HH:MM:SS.mmm` has no year: days are counted from line to line, past midnight, New Year
and a leap day that the log has.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field

import numpy as np

from ruleplay.agents.raid.domain.lines import STAMP
from ruleplay.agents.raid.domain.numerals import Bytes, Ints, Mask

DAY = 86_400_000
"""Milliseconds."""

_CLOCK = 12
"""Characters of `HH:MM:SS.mmm`."""
_DIGITS = (0, 1, 3, 4, 6, 7, 9, 10, 11)
_WORTH = (36_000_000, 3_600_000, 600_000, 60_000, 10_000, 1_000, 100, 10, 1)
_MARKS = ((2, ord(":")), (5, ord(":")), (8, ord(".")))
_SLASH = ord("/")
_SAME_YEAR = 180
"""Days; the same date without a year, further back than this, is another year's."""
_MOST_DATES = 64
"""Distinct dates in a chunk; lines of further ones are read one by one."""


@dataclass
class Calendar:
    """Numbers days: the day of the first line is 0."""

    style: str = ""
    _days: dict[bytes, int] = field(default_factory=dict)
    _last: tuple[int, int, int, int] | None = None
    """Month, day, year (0 where not logged) and number of the latest date."""

    def number(self, date: bytes) -> int | None:
        """Return the number of the day of `3/24` or `3/24/2026`; None when there is no such day."""
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


def _days_between(first: tuple[int, int, int], then: tuple[int, int, int]) -> int | None:
    """Count the days from one date to another; without a year, to the nearest such date."""
    try:
        if first[2] and then[2]:
            return (_date(then, then[2]) - _date(first, first[2])).days
        leap = (2, 29) in {first[:2], then[:2]}
        year = 2024 if leap else 2023
        days = (_date(then, year) - _date(first, year)).days
    except ValueError:
        return None
    length = 366 if leap else 365
    return (days + length // 2) % length - length // 2


def _date(date: tuple[int, int, int], year: int) -> datetime.date:
    return datetime.date(year, date[0], date[1])


def read_stamps(
    buffer: Bytes, starts: Ints, ends: Ints, calendar: Calendar
) -> tuple[Ints, Ints, Mask]:
    """Return milliseconds since the calendar's first midnight, where events start, what is good."""
    count = len(starts)
    ms, events, good = np.zeros(count, np.int64), starts.copy(), np.zeros(count, bool)
    rest = _dated(buffer, starts, ends)
    for _ in range(_MOST_DATES):
        if not rest.size:
            break
        line = buffer[starts[rest[0]] : starts[rest[0]] + 64].tobytes()
        stamp = STAMP.match(line)
        day = calendar.number(line.partition(b" ")[0]) if stamp else None
        if stamp is None or day is None:
            rest = rest[1:]
            continue
        alike = _alike(buffer, starts[rest], ends[rest], line[: stamp.start(4)])
        rows = rest[alike]
        ms[rows], events[rows], good[rows] = _clocks(
            buffer, starts[rows] + stamp.start(4), ends[rows], day
        )
        rest = rest[~alike]
    for row in rest:
        ms[row], events[row], good[row] = _one(buffer, int(starts[row]), calendar)
    return ms, events, good


def _dated(buffer: Bytes, starts: Ints, ends: Ints) -> Ints:
    """Return the lines that may begin with a date: a slash follows one or two digits."""
    slash = (buffer[starts + 1] == _SLASH) | (buffer[starts + 2] == _SLASH)
    return np.flatnonzero(slash & (ends - starts > _CLOCK + 6))


def _alike(buffer: Bytes, starts: Ints, ends: Ints, date: bytes) -> Mask:
    """Tell which lines begin with this date and its space."""
    alike = ends - starts > len(date) + _CLOCK + 2
    for at, char in enumerate(date):
        alike[alike] &= buffer[starts[alike] + at] == char
    return alike


def _clocks(buffer: Bytes, clocks: Ints, ends: Ints, day: int) -> tuple[Ints, Ints, Mask]:
    ms = np.full(len(clocks), day * DAY, np.int64)
    good = np.ones(len(clocks), bool)
    for at, worth in zip(_DIGITS, _WORTH, strict=True):
        digit = buffer[clocks + at] - np.uint8(48)
        good &= digit < 10
        ms += digit.astype(np.int64) * worth
    for at, mark in _MARKS:
        good &= buffer[clocks + at] == mark
    events = clocks + _CLOCK
    for _ in range(10):
        inside = good & (buffer[events] != 32)
        if not inside.any():
            break
        events[inside] += 1
    good &= (buffer[events] == 32) & (buffer[events + 1] == 32) & (events + 2 < ends)
    return ms, events + 2, good


def _one(buffer: Bytes, start: int, calendar: Calendar) -> tuple[int, int, bool]:
    line = buffer[start : start + 64].tobytes()
    stamp = STAMP.match(line)
    day = calendar.number(line.partition(b" ")[0]) if stamp else None
    if stamp is None or day is None:
        return 0, start, False
    hours, minutes, seconds, ms = (int(stamp[n]) for n in (4, 5, 6, 7))
    clock = ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
    return day * DAY + clock, start + stamp.end(), True
