"""Whatever is written into an option, a command goes nowhere and opens nothing unnamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.strays import fed
from tests.foundation.conftest import skip_or_fail
from tests.system_calls import NEEDED, can_watch

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.commands import Run

SHARE = 0.02
"""Of all options with all texts; `python -m benchmarks.strays cli` gives them all."""


def test_no_text_of_an_option_leads_to_a_host_a_file_or_a_key(tmp_path: Path) -> None:
    if not can_watch():
        skip_or_fail("compiler", NEEDED)
    found = fed(tmp_path, SHARE, 3)
    assert (found.connections, found.files, found.keys, found.defects) == ([], [], [], [])
    assert found.statuses.get(0, 0) > 2


def test_names_that_nothing_has_are_refused(cli: Run) -> None:
    assert cli("check", "../somewhere/else.db").code == 2
    assert cli("check", "..x").code == 2
    unknown = cli("party", "odds", "--encounter", "nobody", "--seeds", "1")
    assert unknown.code == 3
    assert "nobody" in unknown.err
