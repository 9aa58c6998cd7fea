"""A seat's memory is bounded, and keeps what matters."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ruleplay.agents.party.domain.memory import KEPT, RECENT, SAID, WEIGHT, Line, Memory

LINES = st.builds(
    Line,
    round=st.integers(1, 500),
    kind=st.sampled_from([*WEIGHT, "odd"]),
    about=st.sampled_from("abcdefgh"),
    value=st.text(max_size=400),
)


@given(st.lists(LINES, max_size=300))
def test_a_memory_never_outgrows_its_bounds(lines: list[Line]) -> None:
    memory = Memory()
    for line in lines:
        memory = memory.with_line(line)
        assert len(memory.recent) <= RECENT
        assert len(memory.digest) <= KEPT
        assert all(len(one.value) <= SAID for one in memory.lines)
    assert len(memory.lines) + memory.gone == len(lines)


def test_what_matters_outlasts_small_talk() -> None:
    memory = Memory().with_line(Line(round=1, kind="secret", about="secret:x"))
    for number in range(400):
        memory = memory.with_line(Line(round=number, kind="said", about="anna", value=str(number)))
    assert memory.digest[0].about == "secret:x"
    assert memory.recent[-1].value == "399"


def test_lines_stay_in_the_order_of_time() -> None:
    memory = Memory()
    for number in range(200):
        kind = "clue" if number % 7 == 0 else "check"
        memory = memory.with_line(Line(round=number, kind=kind, about=f"k{number}"))
    rounds = [line.round for line in memory.lines]
    assert rounds == sorted(rounds)


def test_the_work_of_remembering_does_not_grow() -> None:
    """Condensing comes every twentieth line, over as many lines as ever."""
    memory, work = Memory(), []
    for number in range(4_000):
        kind = tuple(WEIGHT)[number % len(WEIGHT)]
        before = memory
        memory = before.with_line(Line(round=number, kind=kind, about=f"k{number % 97}"))
        if len(memory.recent) <= len(before.recent):
            work.append((number, len(before.recent) + len(before.digest)))
    rhythm = {later - earlier for (earlier, _), (later, _) in pairwise(work)}
    assert rhythm == {RECENT // 2}
    assert max(lines for _, lines in work) <= RECENT + KEPT
