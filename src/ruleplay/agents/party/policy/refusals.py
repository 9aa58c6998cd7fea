"""The longer texts, from their file; why an input is not admitted."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Literal

from pydantic import TypeAdapter

from ruleplay.agents.party.domain.admission import NotAdmitted
from ruleplay.agents.party.domain.safety import unnamed
from ruleplay.agents.party.domain.table import Table
from ruleplay.story.texts import Text

_TEXTS = TypeAdapter(dict[str, dict[str, Text]])


@cache
def texts(of: Literal["rules", "input", "vain", "marks", "does"]) -> dict[str, Text]:
    """Return texts by key: why acts, inputs are refused or in vain; marks of places; stances."""
    source = resources.files(__package__).joinpath("texts.json")
    return _TEXTS.validate_python(json.loads(source.read_text(encoding="utf-8")))[of]


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
