"""What the raid routes answer."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from ruleplay.records.events import Json
from ruleplay.server.errors import Problem


class ReportRow(BaseModel):
    """An imported combat log."""

    code: str
    file: str
    started: str
    zone: str
    pulls: int
    kills: int
    wipes: int
    players: int
    seconds: float
    bosses: list[str]


class ReportList(BaseModel):
    """The imported reports, the newest first."""

    reports: list[ReportRow]


class ToolResult(BaseModel):
    """What a tool found: rows, and the lines they rest on; `problem` when it could not."""

    result: str
    rows: list[dict[str, JsonValue]]
    query: str
    lines: list[tuple[int, int]] = Field(description="ranges of lines, first and last")
    elsewhere: list[tuple[str, list[tuple[int, int]]]] = Field(
        description="ranges of lines of other reports, by their code"
    )
    notes: list[str]
    problem: str
    report: str
    fight: int | None
    pull: str
    seconds: float | None


class RawLine(BaseModel):
    """A line of the log as it was written, with its number, counted from one."""

    line: int
    text: str


class RawLines(BaseModel):
    """Lines of a report's log."""

    report: str
    lines: list[RawLine]


class MarkRow(BaseModel):
    """Something cast, seconds into the pull, and the line of the log that says so."""

    at: float
    line: int
    ability: str
    source: str
    target: str


class TimelineAnswer(BaseModel):
    """A pull's lanes: casts of the player who was asked for, cooldowns, the boss's abilities."""

    casts: list[MarkRow]
    cooldowns: list[MarkRow]
    boss: list[MarkRow]


class MoverRow(BaseModel):
    """Somebody who moves: `path` holds step, x and y in yards, where the log tells them."""

    name: str
    class_: str = Field(serialization_alias="class")
    boss: bool
    died_at: float | None
    path: list[tuple[int, float, float]]


class PlacesAnswer(BaseModel):
    """Where everybody was, every `step` seconds; no movers where the log has no coordinates."""

    step: int
    seconds: float
    movers: list[MoverRow]


class ImportAnswer(BaseModel):
    """A log on its way into the store; `part` is how much of it was read, from 0 to 1."""

    id: str
    file: str
    status: Literal["waiting", "reading", "done", "failed"]
    part: float = Field(ge=0, le=1)
    report: str = Field(description="code of the report, once it is done")
    dialect: str
    lines: int
    unparsed: int
    events: int
    encounters: list[Json]
    problem: Problem | None
