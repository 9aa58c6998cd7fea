"""Puts the questions to the agent and reports how exact its answers are."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import FULL_NIGHT, NightPlan
from benchmarks.raid.nights.truth import GroundTruth
from benchmarks.raid.questions import Question, ask_about, ask_about_weeks
from benchmarks.raid.scoring import Answer, Finding, Verdict
from pydantic import BaseModel

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.agent import AGENT
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings

NIGHTS = 3
_PLAN = replace(FULL_NIGHT, health=0.35)
_LATER = timedelta(days=7)
Progress = Callable[[int, int], None]
Texts = Mapping[str, tuple[str, ...]]


class Topic(BaseModel):
    """How one kind of question did."""

    questions: int
    fields: int
    exact: int
    share: float


class Missed(BaseModel):
    """A question whose answer lacked fields."""

    topic: str
    question: str
    missing: tuple[str, ...]


class QuestionsBench(BaseModel):
    """How exact the answers are: `share` of the expected fields, in all and per topic."""

    nights: int
    questions: int
    fields: int
    exact: int
    share: float
    model_calls_median: float
    p50_ms: float
    topics: dict[str, Topic]
    missed: tuple[Missed, ...]


async def bench_questions(
    turns: int | None = None, on_progress: Progress = lambda done, of: None
) -> QuestionsBench:
    """Ask about generated nights, and about two weeks: all questions, or about `turns` of them.

    All of them take about two minutes on two cores.
    """
    verdicts: list[Verdict] = []
    each = turns and -(-turns // NIGHTS)
    for seed in range(NIGHTS):
        verdicts += await _judge_night(seed, each)
        on_progress(seed + 1, NIGHTS + 1)
    verdicts += await _judge_weeks(101)
    on_progress(NIGHTS + 1, NIGHTS + 1)
    return _report(NIGHTS, verdicts)


async def bench_wordings(texts: Texts, seed: int) -> QuestionsBench:
    """Ask in other wordings than the benchmark's, about a night and two weeks of that seed."""
    verdicts = await _judge_night(seed, None, texts)
    verdicts += await _judge_weeks(seed + 1, texts)
    return _report(1, verdicts)


async def _judge_night(seed: int, number: int | None, texts: Texts | None = None) -> list[Verdict]:
    with TemporaryDirectory(prefix="ruleplay-questions-") as scratch:
        truth = await asyncio.to_thread(store_night, Path(scratch), seed, _PLAN)
        questions = list(ask_about(truth, seed, texts))
        if number is not None and number < len(questions):
            questions = random.Random(seed).sample(questions, number)
        return await judge(Path(scratch), questions)


async def _judge_weeks(seed: int, texts: Texts | None = None) -> list[Verdict]:
    later = replace(_PLAN, start=_PLAN.start + _LATER, power=1.08)
    with TemporaryDirectory(prefix="ruleplay-questions-") as scratch:
        old = await asyncio.to_thread(store_night, Path(scratch), seed, _PLAN)
        new = await asyncio.to_thread(store_night, Path(scratch), seed + 1, later)
        return await judge(Path(scratch), tuple(ask_about_weeks(old, new, texts)))


def store_night(home: Path, seed: int, plan: NightPlan) -> GroundTruth:
    """Write a night's log beside the home, import it, and return its truth."""
    path = home / f"WoWCombatLog-{seed}.txt"
    lines, truth = generate_night(seed, plan)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
    import_logs((path,), home)
    return truth


async def judge(home: Path, questions: Sequence[Question]) -> list[Verdict]:
    """Ask each question in a session of its own, with model `rules`."""
    host = await Host.open(Settings(home=home, db="", model="rules"), lambda name: AGENT)
    try:
        return [await _judge(host, question) for question in questions]
    finally:
        await host.close()


async def _judge(host: Host, question: Question) -> Verdict:
    head = await host.create(AGENT.name)
    began = perf_counter()
    turn = await host.start(head.id, Given(message=question.text))
    took = (perf_counter() - began) * 1000
    answer = read_answer(turn)
    fields = tuple((field.label, field.held_by(answer)) for field in question.expected)
    return Verdict(question.topic, question.text, fields, len(turn.calls), took)


def read_answer(turn: Turn) -> Answer:
    """Return what a turn said, and the findings of its `Answered` events."""
    findings: list[Finding] = []
    for event in turn.events:
        listed = event.get("findings")
        if event["type"] == "Answered" and isinstance(listed, list):
            findings += [Finding.model_validate(row) for row in listed]
    return Answer(turn.reply, tuple(findings))


def _report(nights: int, verdicts: Sequence[Verdict]) -> QuestionsBench:
    fields, exact = _count(verdicts)
    topics = sorted({verdict.topic for verdict in verdicts})
    calls = sorted(verdict.model_calls for verdict in verdicts)
    times = sorted(verdict.ms for verdict in verdicts)
    return QuestionsBench(
        nights=nights,
        questions=len(verdicts),
        fields=fields,
        exact=exact,
        share=round(exact / fields, 4),
        model_calls_median=calls[len(calls) // 2],
        p50_ms=round(times[len(times) // 2], 1),
        topics={name: _topic([v for v in verdicts if v.topic == name]) for name in topics},
        missed=tuple(_missed(v) for v in verdicts if v.exact < len(v.fields)),
    )


def _count(verdicts: Iterable[Verdict]) -> tuple[int, int]:
    told = list(verdicts)
    return sum(len(v.fields) for v in told), sum(v.exact for v in told)


def _topic(verdicts: list[Verdict]) -> Topic:
    fields, exact = _count(verdicts)
    share = round(exact / fields, 4)
    return Topic(questions=len(verdicts), fields=fields, exact=exact, share=share)


def _missed(verdict: Verdict) -> Missed:
    lacking = tuple(label for label, right in verdict.fields if not right)
    return Missed(topic=verdict.topic, question=verdict.question, missing=lacking)
