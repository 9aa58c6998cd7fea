"""The longer texts, from their file; why an input is not admitted."""

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
    """Return texts by key, those of one section of the file."""
    source = resources.files(__package__).joinpath("texts.json")
    return _TEXTS.validate_python(json.loads(source.read_text(encoding="utf-8")))[of]


def problem_in_words(problem: Refusal, lang: Lang) -> str:
    """Return what is wrong with a character's sheet, and what to do about it."""
    text = texts("sheet")[problem.reason].of(lang)
    return text.format(about=problem.about, other=problem.other)


def said_no(refused: NotAdmitted, table: Table) -> str:
    """Return the reason in words."""
    seat = refused.seat if refused.reason == "seat" else table.name(refused.seat)
    text = texts("input")[refused.reason].of(table.lang)
    said = text.format(
        seat=seat,
        current=table.name(table.current_turn),
        seats=", ".join(table.turn_queue),
        about=refused.about,
    )
    return unnamed(said, table.safety, table.lang)
