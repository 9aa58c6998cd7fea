"""Whatever is sent, the server answers as its OpenAPI document says, and never breaks.

Schemathesis is imported by the test: it takes over a second, in every process that collects tests.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from tests.samples import sample
from tests.server.conftest import Start

if TYPE_CHECKING:
    from schemathesis import APIOperation, Case, GenerationMode

EXAMPLES = sample(3, 12)
"""Requests per operation and mode."""
WRONG = sample(8, 1)
"""Every so many operations one is asked wrongly too: to find ways to do so takes long."""
PARTS = sample(1, 6)
"""Servers that share the operations, each in well under a minute."""
ENDLESS = "/api/sessions/{session}/events"
"""Streams as long as somebody listens, so it is asked for sessions that are not there."""


@pytest.mark.parametrize("part", range(PARTS))
def test_every_answer_is_documented(start: Start, part: int) -> None:
    import schemathesis

    process, client = start()
    modes = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
    schema = schemathesis.openapi.from_url(f"{client.base_url}/openapi.json")
    session = client.post("/api/sessions", json={"agent": "tally"}).json()["id"]
    turn = client.post(f"/api/sessions/{session}/turns?wait=true", json={"message": "add 1"})
    # `parts` has the demo's catalog, as every new home has.
    known = {"session": session, "turn": turn.json()["turn"], "name": "tally", "agent": "parts"}
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 60  # all agents' routes are there, and the doors'
    statuses: dict[str, set[int]] = {}
    operations = operations[part::PARTS]
    for place, operation in enumerate(operations):
        seen = statuses.setdefault(f"{operation.method} {operation.path}", set())
        given = {} if operation.path == ENDLESS else known
        if operation.method == "delete":  # the session is still needed
            spare = client.post("/api/sessions", json={"agent": "tally"}).json()["id"]
            given = known | {"session": spare}
        for mode in modes[: 1 if place % WRONG else 2]:
            attack(operation, mode, given, seen)
    assert process.poll() is None
    # The attack got past the doors: operations did what was asked, or said what is missing, but for
    # those of battles, imports and jobs, of which none is there.
    answered = [name for name, seen in statuses.items() if min(seen) < 300 or 503 in seen]
    assert len(answered) >= len(operations) / 3, statuses


def attack(
    operation: APIOperation,
    mode: GenerationMode,
    known: dict[str, str],
    seen: set[int],
) -> None:
    """Send made-up requests, every other one to a session and a turn that are there."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks as openapi

    conforming = [
        openapi.status_code_conformance,
        openapi.content_type_conformance,
        openapi.response_headers_conformance,
        openapi.response_schema_conformance,
    ]

    @given(case=operation.as_strategy(generation_mode=mode), there=st.booleans())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Case, there: bool) -> None:
        if there:
            here = {name: known[name] for name in case.path_parameters or {} if name in known}
            case.path_parameters = {**(case.path_parameters or {}), **here}
        answer = case.call(timeout=60)
        seen.add(answer.status_code)
        # What is not installed is told as such, where the operation says that it may be.
        missing = answer.status_code == 503 and "503" in operation.definition.raw["responses"]
        checks = conforming if missing else [not_a_server_error, *conforming]
        case.validate_response(answer, checks=checks)

    with suppress(Unsatisfiable):  # an operation that takes nothing cannot be asked wrongly
        send()
