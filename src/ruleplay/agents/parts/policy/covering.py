"""Tells which of the stated symptoms the parts found are known to fix."""

from __future__ import annotations

from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.symptoms import of_one_thing, one_complaint
from ruleplay.agents.parts.state import ToolReturned


def problems(returned: ToolReturned) -> list[str]:
    """List the symptoms by the names under which the parts found are known to fix them."""
    fixed = dict.fromkeys(one for card in returned.cards for one in card.fixes)
    covered = [one for one in stated(returned) if is_fixed(returned, one)]
    return covered or [*fixed] or stated(returned)


def stated(returned: ToolReturned) -> list[str]:
    """List the symptoms for which parts were looked for."""
    told = returned.args.get("symptoms")
    return [*map(str, told)] if isinstance(told, list) else []


def is_fixed(returned: ToolReturned, symptom: str) -> bool:
    """Whether one of the parts found is known for a symptom, by this or nearly the same name."""
    known = {one for card in returned.cards for one in (*card.fixes, *card.symptoms)}
    return any(fold(one) == fold(symptom) or nearly_same(one, symptom) for one in known)


def nearly_same(one: str, other: str) -> bool:
    """Whether asking about one symptom repeats another: "too warm" after "fridge too warm"."""
    words = [{*fold(name).split()} for name in (one, other)]
    same = words[0] <= words[1] or words[1] <= words[0] or one_complaint(one, other)
    return same or of_one_thing(one, other)
