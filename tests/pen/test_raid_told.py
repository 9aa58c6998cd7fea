"""Replies of a strong model about real logs, recorded with their tables: what the checker shows."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from ruleplay.agents.raid.nodes import vocabulary
from ruleplay.telling.citing import Judged, Reader
from ruleplay.telling.sentences import Sentences
from ruleplay.telling.table import Table

SHOWN, DOUBTED = 0.95, 0.08
_TAG = re.compile(r"\[[^\[\]]*\]")


class Sentence(BaseModel):
    """A sentence of the reply: whether the logs bear it out, and what became of it then."""

    text: str
    true: bool
    became: str


class Recorded(BaseModel):
    """One reply with the tables that it was written from."""

    question: str
    language: str
    names: tuple[str, ...]
    tables: tuple[Table, ...]
    reply: str
    repair: str
    sentences: tuple[Sentence, ...]


@cache
def recorded() -> tuple[Recorded, ...]:
    lines = Path(__file__).with_name("raid.jsonl").read_text("utf-8").splitlines()
    return tuple(Recorded.model_validate(json.loads(line)) for line in lines)


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", _TAG.sub("", text)).casefold()


def became(judged: Judged) -> str:
    if judged.refused:
        return "refused"
    if judged.doubts:
        return "doubted"
    return "clean" if judged.tagged else "view"


def told(one: Recorded) -> dict[str, tuple[str, Judged]]:
    """Return what becomes of each sentence: of its units, the worst."""
    reader = Reader(one.tables, one.names, vocabulary(), language=one.language, about=one.question)
    cutter = Sentences(unbroken=reader.names.unbroken, starts=reader.names.starts)
    units = [*cutter.feed(one.reply), *cutter.close()]
    judged = [(letters(unit), unit, reader.judge(unit)) for unit in units]
    worst = ("refused", "doubted", "clean", "view")
    found: dict[str, tuple[str, Judged]] = {}
    for sentence in one.sentences:
        own = letters(sentence.text)
        fitting = [j for text, _, j in judged if text and (text in own or own in text)]
        found[sentence.text] = min(
            ((became(j), j) for j in fitting), key=lambda pair: worst.index(pair[0])
        )
    return found


def test_true_sentences_are_shown_and_few_are_doubted() -> None:
    counts = Counter(
        told(one)[sentence.text][0]
        for one in recorded()
        for sentence in one.sentences
        if sentence.true
    )
    total = counts.total()
    assert total > 140
    assert (total - counts["refused"]) / total >= SHOWN, counts
    assert counts["doubted"] / total <= DOUBTED, counts
