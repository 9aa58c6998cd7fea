"""Damaged lines: real ones, mutated at random, among whole ones; an import outlives them all."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.reports import open_reports
from ruleplay.agents.raid.domain.grammar import FORMS, HEADERS
from ruleplay.errors import RuleplayError, UserError

Progress: TypeAlias = Callable[[int, int], None]

BATCH = 400
"""Damaged lines in one log; as many whole ones stand between them."""
_EVENTS = [name.encode() for name in sorted(FORMS.keys() | HEADERS)]
_TOKENS = (
    *(b"", b"nil", b'"', b"(", b")", b"[", b"]", b"-1", b"0x", b"0xffffffffff", b"1" * 30, b"-"),
    *(b'"a, b"', b"9223372036854775807", b"65536", b"4294967296", b"1|2|3", b"0.5", b"ST", b"AOE"),
    *(
        b"Player-1-00000001",
        b"0000000000000000",
        b"0xF130000000000001",
        b"()",
        b"[()]",
        b"\xff\x00",
    ),
)
_BYTES = b'0123456789,"()[]|-./: \\\t\x00\xff\xc3nil'


class MutationReport(BaseModel):
    """What became of the damaged lines; `crashes` name the batch's seed and the error."""

    model_config = ConfigDict(frozen=True)

    log: str
    mutations: int
    read: int
    unread: int
    crashes: tuple[str, ...]


async def bench_mutations(
    data: Path | None = None, turns: int = 20_000, on_progress: Progress = lambda done, total: None
) -> MutationReport:
    """Import `turns` damaged lines of a log; UserError without a log."""
    return await asyncio.to_thread(outlive, data, turns, on_progress)


def outlive(data: Path | None, turns: int, on_progress: Progress) -> MutationReport:
    """Import damaged lines batch by batch, and note what a batch died of."""
    if data is None or not data.is_file():
        raise UserError("Name a combat log: ruleplay bench raid-mutations WoWCombatLog.txt")
    lines = data.read_bytes().splitlines()
    read, crashes, done, seed = 0, [], 0, 0
    while done < turns:
        size = min(BATCH, turns - done)
        try:
            read += import_damaged(lines, size, seed)
        except (ArithmeticError, LookupError, TypeError, ValueError, RuleplayError) as error:
            crashes.append(f"seed {seed}: {error!r}"[:300])
        done, seed = done + size, seed + 1
        on_progress(done, turns)
    return MutationReport(
        log=data.name, mutations=done, read=read, unread=done - read, crashes=tuple(crashes)
    )


def import_damaged(lines: Sequence[bytes], count: int, seed: int) -> int:
    """Import a log of so many damaged lines among whole ones; return how many could be read.

    Checks that each line is an event or listed with its reason, and that the report can be asked.
    """
    rng = random.Random(seed)
    first = rng.randrange(max(len(lines) - count, 1))
    stretch = [*lines[first : first + count]]
    bad = [mutate(rng.choice(lines), rng) for _ in range(count)]
    mixed = [line for pair in zip(stretch, bad, strict=False) for line in pair]
    mixed += bad[len(stretch) :]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.txt"
        path.write_bytes(b"\n".join(mixed) + b"\n")
        report = import_logs([path], Path(folder))
        stored = open_reports(Path(folder)).open(report.report)
        (counted,) = stored.query("SELECT count(*), count(DISTINCT line) FROM events")[1]
        listed = stored.query("SELECT count(*), count(reason) FROM unparsed")[1][0]
        stored.query("SELECT sum(amount), max(owner), max(apart::INT) FROM events")
        stored.query("SELECT count(*) FROM actors, encounters, combatants, gear, pull_auras, runs")
        stored.close()
    if counted != (report.events, report.events) or listed != (report.unparsed, report.unparsed):
        raise ValueError(f"lines are lost: {report.lines} {counted} {listed}")
    if report.events + report.unparsed != report.lines:
        raise ValueError(f"{report.events} + {report.unparsed} are not {report.lines} lines")
    return max(count - report.unparsed, 0)


def mutate(line: bytes, rng: random.Random) -> bytes:
    """Damage a line in one to three ways; it stays one line."""
    for _ in range(rng.randint(1, 3)):
        line = rng.choice(_WAYS)(line, rng)
    return line.replace(b"\n", b" ").replace(b"\r", b" ")


def _flip(line: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(line) + 1)
    return line[:at] + bytes([rng.choice(_BYTES)]) + line[at + rng.randint(0, 1) :]


def _cut(line: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(line) + 1)
    return line[:at] if rng.random() < 0.5 else line[:at] + line[at + rng.randint(1, 12) :]


def _insert(line: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(line) + 1)
    noise = bytes(rng.choice(_BYTES) for _ in range(rng.randint(1, 6)))
    return line[:at] + noise + line[at:]


def _token(line: bytes, rng: random.Random) -> bytes:
    tokens = line.split(b",")
    at = rng.randrange(len(tokens))
    change = rng.randrange(5)
    if change == 0:
        tokens[at] = rng.choice(_TOKENS)
    elif change == 1:
        tokens.pop(at)
    elif change == 2:
        tokens.insert(at, rng.choice(_TOKENS))
    elif change == 3:
        tokens.insert(at, tokens[at])
    else:
        other = rng.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]
    return b",".join(tokens)


def _event(line: bytes, rng: random.Random) -> bytes:
    stamp, gap, body = line.partition(b"  ")
    _, comma, rest = body.partition(b",")
    return stamp + gap + rng.choice(_EVENTS) + comma + rest


_WAYS = (_flip, _cut, _insert, _token, _token, _token, _event)
