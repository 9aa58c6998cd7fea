"""Whatever clients write, a server goes nowhere and opens nothing that its owner did not name."""

from __future__ import annotations

from pathlib import Path

from tests.foundation.conftest import skip_or_fail
from tests.samples import sample
from tests.server.strays import fed
from tests.system_calls import NEEDED, can_watch

SHARE = sample(0.002, 0.015)
"""Of all requests with all texts; `python -m benchmarks.strays` sends them all."""


def test_no_text_of_a_client_leads_to_a_host_a_file_or_a_key(tmp_path: Path) -> None:
    if not can_watch():
        skip_or_fail("compiler", NEEDED)
    found = fed(tmp_path, SHARE, 3)
    assert (found.connections, found.files, found.keys) == ([], [], [])
    assert found.statuses.get(200, 0) > sample(5, 20)
    assert not [status for status in found.statuses if status >= 500 and status != 503]
