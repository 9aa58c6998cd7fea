"""Drinks and food from their lines: a cast and its aura are one, and what still works counts."""

from __future__ import annotations

from ruleplay.agents.raid.tools.consumed import uses_of
from ruleplay.agents.raid.tools.pulls import PullRow

CAST, ON, OFF = "SPELL_CAST_SUCCESS", "SPELL_AURA_APPLIED", "SPELL_AURA_REMOVED"
FLASK, POTION = "Flask of Endless Rage", "Wild Magic"
MINUTE = 60_000


def pull(start: int, end: int) -> PullRow:
    return PullRow(1, None, "Ymir", 1, 2, start, end, True, "kill", True, None, 10, ())


def test_a_cast_and_its_aura_are_one_use() -> None:
    (use,) = uses_of([(1, "Oda", POTION, 500, CAST), (1, "Oda", POTION, 510, ON)])
    assert (use.name, use.ms, use.aura) == ("Oda", 500, True)


def test_a_flask_drunk_long_before_still_works_until_it_ends() -> None:
    (use,) = uses_of([(None, "Oda", FLASK, 0, ON), (None, "Oda", FLASK, 50 * MINUTE, OFF)])
    assert use.works_in(pull(30 * MINUTE, 32 * MINUTE))
    assert not use.works_in(pull(51 * MINUTE, 53 * MINUTE))


def test_what_is_only_seen_to_end_was_there_before() -> None:
    flask, potion = uses_of(
        [(None, "Oda", FLASK, 50 * MINUTE, OFF), (None, "Tyr", POTION, 50 * MINUTE, OFF)]
    )
    early, late = pull(10 * MINUTE, 12 * MINUTE), pull(49 * MINUTE, 52 * MINUTE)
    assert flask.works_in(early)
    assert flask.works_in(late)
    assert not potion.works_in(early)
    assert potion.works_in(late)


def test_two_potions_are_two_uses() -> None:
    lines = [(1, "Oda", POTION, 0, CAST), (1, "Oda", POTION, 2 * MINUTE, CAST)]
    assert [use.ms for use in uses_of(lines)] == [0, 2 * MINUTE]
