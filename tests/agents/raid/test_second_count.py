"""The tools' numbers against a second count of real logs, which shares no code with the import."""

from __future__ import annotations

import pytest
from benchmarks.raid.truth import import_and_compare
from tests.shared import shared_data

LOGS = ("era_1.15.1_raid.txt", "naxxramas_3.3.5a_part.txt", "tbc_2.5.1_arena.txt")


@pytest.mark.parametrize("log", LOGS)
def test_every_sum_is_counted_a_second_time(log: str) -> None:
    found = import_and_compare(shared_data("raid") / log, lambda done, total: None)
    assert found.differences == ()
    assert found.equal > 100


def test_whoever_no_line_owns_is_named_with_the_owner_concluded() -> None:
    """The raid's sums and the timeline hold them either way; that was compared above."""
    log = shared_data("raid") / "naxxramas_3.3.5a_part.txt"
    assert import_and_compare(log, lambda done, total: None).adopted["Shaaghun"] == "Nule"
