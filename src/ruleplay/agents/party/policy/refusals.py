"""Load texts from `texts.json`, and word refused inputs, faulty sheets and sums of coin."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from pydantic import TypeAdapter

from ruleplay.agents.party.domain.admission import NotAdmitted
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.safety import unnamed
from ruleplay.agents.party.domain.table import Table
from ruleplay.story.texts import Lang, Text

_TEXTS = TypeAdapter(dict[str, dict[str, Text]])


@cache
def texts(of: str) -> dict[str, Text]:
    """Return the texts of one section of `texts.json`, by key."""
    source = resources.files(__package__).joinpath("texts.json")
    return _TEXTS.validate_python(json.loads(source.read_text(encoding="utf-8")))[of]


LINES = texts("lines")


def problem_in_words(problem: Refusal, lang: Lang) -> str:
    """Word a problem of a character's sheet, with what to do about it."""
    text = texts("sheet")[problem.reason].of(lang)
    return text.format(about=problem.about, other=problem.other)


def said_no(refused: NotAdmitted, table: Table) -> str:
    """Word the reason why an input is refused."""
    seat = refused.seat if refused.reason == "seat" else table.name(refused.seat)
    text = texts("input")[refused.reason].of(table.lang)
    said = text.format(
        seat=seat,
        current=table.name(table.current_turn),
        seats=", ".join(table.turn_queue),
        about=refused.about,
    )
    return unnamed(said, table.safety, table.lang)


def is_notice(text: str, table: Table, *kinds: str) -> bool:
    """Whether a line only says whose move it is, with one of the texts for that."""
    starts = (
        LINES[key].of(table.lang).partition("{name}")[0]
        for key in kinds or ("your_turn", "turn_over", "round_over")
    )
    return text.startswith(tuple(starts))


def coined(copper: int) -> dict[str, int]:
    """Split copper pieces into gold (100), silver (10) and copper, without zeros."""
    found = {"gold": copper // 100, "silver": copper % 100 // 10, "copper": copper % 10}
    return {kind: count for kind, count in found.items() if count}


def priced(copper: int, lang: Lang) -> str:
    """Word an amount of copper pieces."""
    return " ".join(texts("coin")[kind].of(lang).format(n=n) for kind, n in coined(copper).items())
