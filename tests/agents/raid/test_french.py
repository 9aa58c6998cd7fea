"""Answers in French: the same numbers, names and citations, no English left."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.raid.scoring import numbers
from tests.agents.raid.demo_home import demo_nights, settings
from tests.agents.raid.test_citations import QUESTIONS, question
from tests.samples import some

from ruleplay.agents.raid import nodes
from ruleplay.agents.raid.agent import AGENT
from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.toolbox import SPECS
from ruleplay.agents.raid.policy import hearing, plan
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.telling.citing import Span
from ruleplay.telling.speech import Told

CITED = re.compile(r"\[r\d+\]")
NAMES = re.compile(
    r"[A-ZÀ-Ý][\w'-]*(?:[ :-]+(?:(?:of|the|to|and|with|in) )+(?=[A-Z])|[ :-]*[A-ZÀ-Ý][\w'-]*)*"
)
ENGLISH = re.compile(
    r"\b(the|was|were|is|are|not|did|died|killed|casts? of|damage|healing|with|without|least|of|and"
    r"|by|at|from|between|every|none|more|missing|unused|first|last|taken|shown)\b"
)
CODE = re.compile(r"`[^`]*`|ruleplay raid \S+|from_pull|\bline\b|low_seconds")


async def say(text: str, folder: Path) -> str:
    """Ask the demo a question in a session of its own."""
    host = await Host.open(settings(folder), lambda name: AGENT)
    try:
        head = await host.create(AGENT.name)
        return (await host.start(head.id, Given(message=text))).reply
    finally:
        await host.close()


@pytest.mark.parametrize("template", some(QUESTIONS[:36:2], 9))
async def test_nothing_but_the_language_changes(
    template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = demo_nights()[1].reports
    asked = question(template, reports, reports.codes()[0])
    english = await say(asked, tmp_path)

    def hear_french(*given: Any) -> hearing.Heard:
        return replace(hearing.hear(*given), language="fr")

    monkeypatch.setattr(plan, "hear", hear_french)
    told = await say(asked, tmp_path / "fr")
    assert Counter(CITED.findall(told)) == Counter(CITED.findall(english))
    assert Counter(n for n, _ in numbers(told)) == Counter(n for n, _ in numbers(english))
    for line in told.splitlines():
        plain = NAMES.sub(" ", CODE.sub(" ", line)) if not line.startswith("|") else ""
        assert not ENGLISH.search(plain), line


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Pourquoi on a wipe au pull 3 ?", "Le pull 3 a été un wipe"),
        ("Qui est mort en premier au pull 3 ?", "Premiers morts : Fenador"),
        ("bonjour", "journal de combat"),
        ("Why did we wipe on pull 3?", "Pull 3 was a wipe"),
        ("pull 99, qui est mort ?", "n'a pas de pull 99"),
    ],
)
async def test_the_answer_is_in_the_language_of_the_question(
    text: str, held: str, tmp_path: Path
) -> None:
    assert held in await say(text, tmp_path)


def test_every_metric_has_a_french_name() -> None:
    names = {metric.name for spec in SPECS for metric in spec.metrics}
    same = {"applications", "score", "pulls", "kills", "wipes", "resets", "activity"}
    lacking = {n for n in names if french.metric(n) == n and n.partition(" (")[0] not in same}
    assert not lacking


def test_a_model_s_numbers_are_written_as_the_language_does() -> None:
    told = nodes._in_tongue(
        Told(
            "3,639 dégâts",
            "model",
            spans=(Span(text="3,639 dégâts en 329.5 s, "), Span(text="1.2M")),
        ),
        "fr",
    )
    assert told.text == "3\u202f639 dégâts en 329,5 s, 1,2M"
    assert nodes._in_tongue(told, "en") == told
    assert french.numbers("3.3.5a à 21:03:04.5, 1,234.5", "de") == "3.3.5a à 21:03:04.5, 1.234,5"
