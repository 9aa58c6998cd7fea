"""The owner's report by day: what was asked, what was not answered, who was handed over.

It is computed from the stored turns and stores nothing itself.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta

from pydantic import BaseModel, JsonValue

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.records.turns import Turn
from ruleplay.storage.store import Store

TOP = 10
"""Entries of a list of the most frequent things."""
SESSIONS = 100_000
"""Most sessions that a report covers, the newest ones."""


class Day(Frozen):
    """One day's counts; `not_answered` and `top_symptoms` are the commonest, with how often."""

    day: date
    turns: int = 0
    answers: int = 0
    menus: int = 0
    handed_over: int = 0
    stopped_for_safety: int = 0
    unknown_numbers: tuple[tuple[str, int], ...] = ()
    not_answered: tuple[tuple[str, int], ...] = ()
    top_symptoms: tuple[tuple[str, int], ...] = ()
    top_parts: tuple[tuple[str, int], ...] = ()


class Report(BaseModel):
    """All days, the newest first."""

    days: tuple[Day, ...] = ()


async def counted(store: Store, days: int) -> Report:
    """Count the stored turns of the last `days` days."""
    since = datetime.now(UTC) - timedelta(days=days)
    heads = [one for one in await store.recent(SESSIONS) if one.agent == "parts"]
    # A lineage leads from the start to the head, so undone turns are not counted.
    lineages = [await store.lineage(head.head) for head in heads]
    return report(turn for turns in lineages for turn in turns if turn.at >= since)


def report(turns: Iterable[Turn]) -> Report:
    """Count turns of any sessions."""
    by_day: dict[date, list[Turn]] = {}
    for turn in turns:
        by_day.setdefault(turn.at.date(), []).append(turn)
    days = (_day(day, some) for day, some in by_day.items())
    return Report(days=tuple(sorted(days, key=lambda one: one.day, reverse=True)))


def as_csv(told: Report) -> str:
    """Write a report as CSV, one line per day; lists are `name (count)` joined with "; "."""
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(Day.model_fields)
    for day in told.days:
        out.writerow([_cell(getattr(day, name)) for name in Day.model_fields])
    return text.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        text = "; ".join(f"{name} ({count})" for name, count in value)
    else:
        text = str(value)
    # Spreadsheets would run what a customer typed if it began like a formula.
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _day(day: date, turns: list[Turn]) -> Day:
    """Count a day's turns by the events in them."""
    kinds: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    symptoms: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    for event in (event for turn in turns for event in turn.events):
        kind = str(event["type"])
        kinds[kind] += 1
        if kind in ("PartFilled", "ModelFilled"):
            unknown.update(_unknown(event))
        elif kind == "SubjectMissing":
            missed[str(event.get("name"))] += 1
        elif kind == "SymptomHeard":
            symptoms[str(_within(event, "slot").get("value"))] += 1
        elif kind == "ToolReturned" and event.get("verdict") == "nothing_found":
            missed[str(event.get("args"))] += 1
        elif kind == "ToolReturned":
            asked = _within(event, "args").get("part")
            parts.update([str(asked)] if asked else [])
        elif kind == "QuestionAsked":
            kinds["menu"] += _within(event, "asked").get("kind") == "goal"
    return Day(
        day=day,
        turns=len(turns),
        answers=kinds["ToolReturned"],
        menus=kinds["menu"],
        handed_over=kinds["HandedOver"],
        stopped_for_safety=kinds["SafetyStopped"],
        unknown_numbers=tuple(unknown.most_common(TOP)),
        not_answered=tuple(missed.most_common(TOP)),
        top_symptoms=tuple(symptoms.most_common(TOP)),
        top_parts=tuple(parts.most_common(TOP)),
    )


def _within(event: Mapping[str, JsonValue], name: str) -> Mapping[str, JsonValue]:
    inner = event.get(name)
    return inner if isinstance(inner, dict) else {}


def _unknown(event: Mapping[str, JsonValue]) -> list[str]:
    slot = _within(event, "slot")
    waits = slot.get("state") == "to_confirm" and not slot.get("pointed")
    return [str(slot.get("value"))] if waits else []
