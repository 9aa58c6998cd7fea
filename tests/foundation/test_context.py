"""Chance, ids and the outside come from the context, and all of it can be played back."""

from __future__ import annotations

import pytest
from lectern import Lectern

from ruleplay.records.tape import question_key


def test_streams_of_chance_do_not_disturb_each_other() -> None:
    one, two = Lectern().context, Lectern().context
    alone = [one.rng("blow").randint(1, 20)]
    stream = two.rng("omen")
    [stream.random() for _ in range(100)]
    assert [two.rng("blow").randint(1, 20)] == alone
    draws = {name: one.rng(name).random() for name in ("blow", "omen", "blow ", "0")}
    assert len(set(draws.values())) == 4


@pytest.mark.parametrize(("field", "other"), [("seed", "other"), ("number", 2)])
def test_chance_depends_on_seed_and_depth(field: str, other: str | int) -> None:
    one, two = Lectern().context, Lectern().context
    setattr(two, field, other)
    assert one.rng("blow").random() != two.rng("blow").random()


def test_chance_does_not_depend_on_the_turns_id_or_session() -> None:
    one, two = Lectern().context, Lectern().context
    two.turn, two.session, two.seat = "another", "a fork", "blue"
    assert one.rng("blow").random() == two.rng("blow").random()


async def test_outside_answers_are_recorded_and_played_back_in_order() -> None:
    lectern = Lectern()
    asked = iter(range(10))
    first = [lectern.context.outside("count", {"of": "x"}, lambda: next(asked), int) for _ in "12"]
    other = lectern.context.outside("count", {"of": "y"}, lambda: next(asked), int)
    later = await lectern.context.outside_later("count", {"of": "x"}, _async(99), int)
    assert (first, other, later) == ([0, 1], 2, 99)
    again = lectern.replayed().context
    # Played back in another order: parallel branches must not swap their answers.
    assert again.outside("count", {"of": "y"}, _never, int) == 2
    assert [again.outside("count", {"of": "x"}, _never, int) for _ in "12"] == [0, 1]
    assert await again.outside_later("count", {"of": "x"}, _async(-1), int) == 99


def _never() -> int:
    raise AssertionError("a replay must not ask outside")


class _async:  # noqa: N801  # stands for an async function
    def __init__(self, value: int) -> None:
        self._value = value

    async def __call__(self) -> int:
        return self._value


def test_an_answer_that_was_not_recorded_is_an_error() -> None:
    again = Lectern().replayed().context
    with pytest.raises(LookupError, match="no answer to 'count"):
        again.outside("count", {}, _never, int)


def test_recorded_answers_keep_their_type() -> None:
    lectern = Lectern()
    given = ((1, "a"), (2, "b"))
    lectern.context.outside("pairs", {}, lambda: given, tuple[tuple[int, str], ...])
    again = lectern.replayed().context
    assert again.outside("pairs", {}, lambda: (), tuple[tuple[int, str], ...]) == given


def test_a_failing_source_records_nothing() -> None:
    lectern = Lectern()
    with pytest.raises(ZeroDivisionError):
        lectern.context.outside("broken", {}, lambda: 1 // 0, int)
    assert "broken {}" not in lectern.context.tape.outside


def test_equal_questions_share_a_key_whatever_their_order() -> None:
    assert question_key("q", {"a": 1, "b": 2}) == question_key("q", {"b": 2, "a": 1})
    assert question_key("q", {"a": 1}) != question_key("q", {"a": "1"})


async def test_a_context_without_a_store_has_no_history() -> None:
    assert await Lectern().context.history() == ()
