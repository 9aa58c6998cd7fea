"""Dice: what a formula means, and that every roll replays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleplay.agents.party.domain.dice import Dice, average, d20, doubled, edge_of, roll, terms


@pytest.mark.parametrize(
    ("formula", "count", "least", "most"),
    [
        ("1d20", 1, 1, 20),
        ("1d20+5", 1, 6, 25),
        ("2d20kh1-1", 2, 0, 19),
        ("2d20kl1+1d4", 3, 2, 24),
        ("8d6", 8, 8, 48),
        ("1d20-1d4+3", 2, 0, 22),
        ("3", 0, 3, 3),
    ],
)
def test_a_formula_throws_its_dice(formula: str, count: int, least: int, most: int) -> None:
    thrown = [roll("s", index, formula) for index in range(200)]
    assert {len(one.faces) for one in thrown} == {count}
    assert min(one.total for one in thrown) >= least
    assert max(one.total for one in thrown) <= most


@given(st.text(max_size=8), st.integers(0, 10_000))
def test_a_roll_replays_from_seed_and_index(seed: str, index: int) -> None:
    assert roll(seed, index, "3d6+2") == roll(seed, index, "3d6+2")


def test_other_seeds_and_indices_roll_otherwise() -> None:
    faces = {roll(seed, index, "4d20").faces for seed in "abcd" for index in range(50)}
    assert len(faces) > 190


def test_dice_take_the_next_index() -> None:
    dice = Dice("s")
    first, second = dice.roll("1d20"), dice.roll("1d20")
    assert (first.index, second.index) == (0, 1)
    assert second == roll("s", 1, "1d20")


def test_advantage_keeps_the_higher_and_disadvantage_the_lower() -> None:
    for index in range(100):
        high, low = roll("s", index, "2d20kh1"), roll("s", index, "2d20kl1")
        assert high.total == max(high.faces)
        assert low.total == min(low.faces)


def test_a_reroll_shows_both_faces_and_counts_the_second() -> None:
    lucky = [one for i in range(300) if len((one := roll("s", i, "1d20r1+4")).faces) == 2]
    assert lucky
    assert all(one.faces[0] == 1 and one.natural == one.faces[1] for one in lucky)


@pytest.mark.parametrize(
    ("advantages", "disadvantages", "edge"),
    [(0, 0, 0), (1, 0, 1), (3, 0, 1), (0, 2, -1), (1, 1, 0), (3, 1, 0), (1, 4, 0)],
)
def test_reasons_of_a_kind_do_not_add_up_and_both_kinds_cancel(
    advantages: int, disadvantages: int, edge: int
) -> None:
    assert edge_of(advantages, disadvantages) == edge


@pytest.mark.parametrize(
    ("formula", "twice"),
    [("1d8+3", "2d8+3"), ("2d6+1d6+4", "4d6+2d6+4"), ("2d6r2+3", "4d6r2+3"), ("1", "1")],
)
def test_a_critical_hit_doubles_the_dice_alone(formula: str, twice: str) -> None:
    assert doubled(formula) == twice


@pytest.mark.parametrize(
    ("formula", "mean"),
    [("2d8+2", 11), ("5d8", 22), ("1d4", 2), ("10d12+40", 105), ("7d10+21", 59)],
)
def test_the_average_rounds_down_as_stat_blocks_do(formula: str, mean: int) -> None:
    assert average(formula) == mean


@pytest.mark.parametrize("bad", ["", "d", "1d", "2d6++1", "1d6 + 2", "99d99", "__import__('os')"])
def test_what_is_no_formula_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="dice"):
        terms(bad)


def test_a_d20_is_written_with_edge_extra_dice_and_bonus() -> None:
    assert d20(5, 1, "+1d4") == "2d20kh1+1d4+5"
    assert d20(-1, -1) == "2d20kl1-1"
    assert d20(0, lucky=True) == "1d20r1"
