"""Converts parts of pulls (seconds from the start, last seconds, phases) to report time."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.raid.domain.moments import Part, read_part
from ruleplay.agents.raid.tools.book import Book
from ruleplay.agents.raid.tools.phases import Stage, read_stages
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.errors import NotFound, UserError


def part_of(book: Book, pulls: Sequence[PullRow], text: str) -> dict[int, tuple[int, int]]:
    """Find the start and end in milliseconds of the part, in each pull that has it."""
    part = read_part(text)
    if part is None:
        raise UserError(
            f"no part of a pull is called {text!r}; there are 0-60, 90-, last 30, phase 2"
        )
    found = {pull.fight: _within(book, pull, part) for pull in pulls}
    kept = {fight: one for fight, one in found.items() if one and one[0] <= one[1]}
    if not kept:
        raise NotFound(_none(book, pulls, part))
    return kept


def _within(book: Book, pull: PullRow, part: Part) -> tuple[int, int] | None:
    if part.phase:
        return _of_phase(read_stages(book, pull), pull, part)
    if part.last:
        return max(pull.start_ms, pull.end_ms - round(1000 * part.last)), pull.end_ms
    until = pull.end_ms if part.until is None else pull.start_ms + round(1000 * part.until)
    return pull.start_ms + round(1000 * part.since), min(until, pull.end_ms)


def _of_phase(stages: Sequence[Stage], pull: PullRow, part: Part) -> tuple[int, int] | None:
    own = [stage for stage in stages if stage.phase.phase == part.phase]
    if not own:
        return None
    if part.beside > 0:
        return (own[-1].end_ms, pull.end_ms) if own[-1].end_ms < pull.end_ms else None
    begin = own[0].start_ms
    return (pull.start_ms, begin) if part.beside < 0 else (begin, own[-1].end_ms)


def _none(book: Book, pulls: Sequence[PullRow], part: Part) -> str:
    names = ", ".join(dict.fromkeys(pull.name for pull in pulls))
    if not part.phase:
        longest = max((pull.seconds for pull in pulls), default=0)
        return f"The pull does not last that long: it ends at {longest:g} s."
    known = [f"{one.phase.phase} {one.phase.name}" for one in read_stages(book, pulls[-1])]
    if not known:
        raise UserError(f"No phases of {names} are known; ask for seconds or minutes of the pull.")
    beside = {1: "nothing after phase", -1: "nothing before phase"}.get(part.beside, "no phase")
    return f"{names} shows {beside} {part.phase} here; its phases: {', '.join(known)}."
