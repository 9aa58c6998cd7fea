"""The ledger of rules is what the page says, and what it calls enforced has a place in the code."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.party.coverage import Entry, code, entries, page

from ruleplay.agents.party.adapters.srd_source import shipped_rules

BUILT_IN = ("ability-improvement", "spellcasting", "pact-magic", "fighting-style")
"""Features that are the making of a character itself."""
PAGE = Path(__file__).parents[4] / "docs" / "rules-coverage.md"


def test_the_page_is_what_is_generated() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def enforced() -> list[Entry]:
    return [one for one in entries() if one.status == "enforced"]


@pytest.mark.parametrize("one", enforced(), ids=lambda one: f"{one.group} {one.name}")
def test_what_is_called_enforced_is_named_in_the_rules(one: Entry) -> None:
    if one.kind == "class feature":
        assert one.key in shipped_rules().features
        assert one.key in BUILT_IN or f'"{one.key}"' in code()
    if one.kind in ("condition", "action"):
        assert f'"{one.key}"' in code() or f"{one.key}:" in code()


def test_most_of_the_class_features_are_enforced() -> None:
    features = [one for one in entries() if one.kind == "class feature"]
    assert len([one for one in features if one.status == "enforced"]) > 0.5 * len(features)
