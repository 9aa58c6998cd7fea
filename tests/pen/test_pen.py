"""Replies of a strong model, recorded with the tables they were written from, before the checker.

A line of a `.jsonl` file here is one reply: the question, the names that the record knows besides
its tables, the tables, the reply, and of each sentence whether the record bears it out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from pydantic import BaseModel

from ruleplay.agents.battle.policy import rows as battle_rows
from ruleplay.agents.parts.policy import rows
from ruleplay.agents.raid import nodes
from ruleplay.telling.citing import Judged, Reader
from ruleplay.telling.sentences import Sentences
from ruleplay.telling.table import Table

SHOWN, DOUBTED = 0.95, 0.08
VOCABULARY = {
    "battle": battle_rows.VOCABULARY,
    "parts": rows.VOCABULARY,
    "raid": nodes.vocabulary(),
    "raid_nights": nodes.vocabulary(),
}
_TAG = re.compile(r"\[[^\[\]]*\]")
_WORST = ("refused", "doubted", "clean", "view")


class Sentence(BaseModel):
    """A sentence of the reply, whether it is true, and what became of it when it was written."""

    text: str
    true: bool
    became: str


class Recorded(BaseModel):
    """One reply with the tables that it was written from."""

    question: str
    language: str
    about: str = ""
    """The question with what it was found to be about, where that is known."""
    names: tuple[str, ...]
    tables: tuple[Table, ...]
    reply: str
    sentences: tuple[Sentence, ...]


@cache
def recorded(agent: str) -> tuple[Recorded, ...]:
    lines = Path(__file__).with_name(f"{agent}.jsonl").read_text("utf-8").splitlines()
    return tuple(Recorded.model_validate(json.loads(line)) for line in lines)


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", _TAG.sub("", text)).casefold()


def became(judged: Judged) -> str:
    if judged.refused:
        return "refused"
    if judged.doubts:
        return "doubted"
    return "clean" if judged.tagged else "view"


def fates(one: Recorded, agent: str) -> list[str]:
    """Return what becomes of each true sentence now: of the pieces it is cut into, the worst."""
    reader = Reader(
        one.tables,
        one.names,
        VOCABULARY[agent],
        language=one.language,
        about=one.about or one.question,
    )
    cutter = Sentences(unbroken=reader.names.unbroken, starts=reader.names.starts)
    units = [*cutter.feed(one.reply), *cutter.close()]
    judged = [(letters(unit), became(reader.judge(unit))) for unit in units]
    found: list[str] = []
    for sentence in one.sentences:
        own = letters(sentence.text)
        fitting = [fate for text, fate in judged if text and (text in own or own in text)]
        assert fitting, sentence.text
        if sentence.true:
            found.append(min(fitting, key=_WORST.index))
    return found


@pytest.mark.parametrize("agent", VOCABULARY)
def test_true_sentences_are_shown_and_few_are_doubted(agent: str) -> None:
    counts = Counter(fate for one in recorded(agent) for fate in fates(one, agent))
    total = counts.total()
    assert total > 110
    assert (total - counts["refused"]) / total >= SHOWN, counts
    assert counts["doubted"] / total <= DOUBTED, counts


@pytest.mark.parametrize("agent", VOCABULARY)
def test_with_another_number_they_are_not_shown_as_vouched(agent: str) -> None:
    """The frozen tables would pass nothing if the checker let everything through."""
    swapped = 0
    for one in recorded(agent):
        reader = Reader(one.tables, one.names, VOCABULARY[agent], one.language, one.question)
        for sentence in one.sentences:
            number = re.search(r"(?<![\w.,])\d+[.,]\d{1,3}(?![\w%])", sentence.text)
            if number is None or sentence.became != "clean":
                continue
            lie = sentence.text.replace(number[0], f"9{number[0]}", 1)
            assert reader.judge(lie).refused, lie
            swapped += 1
    assert swapped > 10


@pytest.mark.parametrize(
    ("book", "doubted"),
    [("free", 0.11), ("free_sealed", 0.08), ("natural", 0.4), ("natural_kept", 0.2)],
)
def test_sentences_in_free_words_are_shown_and_lies_are_not_vouched_for(
    book: str, doubted: float
) -> None:
    """Written over the recorded tables, before the rules that they are judged by."""
    counts, lies = Counter[str](), Counter[str]()
    for line in Path(__file__).with_name(f"{book}.jsonl").read_text("utf-8").splitlines():
        said = json.loads(line)
        agent, place = said["of"].split(":")
        one = recorded(agent)[int(place)]
        known = (one.tables, one.names, VOCABULARY[agent], said["language"], said["question"])
        reader = Reader(*known)
        counts.update(became(reader.judge(sentence)) for sentence in said["sentences"])
        lies.update(became(Reader(*known).judge(lie)) for lie in said.get("lies", ()))
    assert counts.total() >= 20
    assert counts["refused"] <= 0.02 * counts.total(), counts
    assert counts["doubted"] <= doubted * counts.total(), counts
    # What is clean turns a word round beside the number of the row that says so.
    assert lies["clean"] + lies["view"] <= 0.3 * lies.total(), lies
