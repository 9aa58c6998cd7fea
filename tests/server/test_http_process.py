"""The server as a process: readers and turns when it is told to stop, and a start right after."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.server.conftest import Start


def test_a_stopped_server_lets_readers_go_and_finishes_its_turns(
    start: Start, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    process, client = start()
    session = client.post("/api/sessions", json={"agent": "tally"}).headers["location"]
    stuck = client.post("/api/sessions", json={"agent": "tally"}).headers["location"]
    client.post(f"{stuck}/turns", json={"message": "wait"})
    known = ""
    with client.stream("GET", f"{session}/events") as reader:
        lines = reader.iter_lines()
        turn = client.post(f"{session}/turns", json={"message": f"hold 5 {gate}"}).json()["turn"]
        for line in lines:
            known = line.removeprefix("id: ") if line.startswith("id: ") else known
            if line == "event: turn.started":
                break
        process.send_signal(signal.SIGTERM)
        rest = [line for line in lines if line.startswith("event: ")]
    assert "event: turn.committed" not in rest
    gate.touch()
    # The turn that would have run for ever gets its seconds, and no more.
    _, errors = process.communicate(timeout=60)
    # Few open files, where the tests themselves run under `ulimit -n`, are told at the start.
    assert [line for line in errors.splitlines() if "open files" not in line] == []

    _, client = start()
    shown = client.get(session).json()
    assert [row["turn"] for row in shown["turns"]] == [turn]
    assert client.get(stuck).json()["turns"] == []
    with client.stream("GET", f"{session}/events", headers={"Last-Event-ID": known}) as reader:
        names = (line for line in reader.iter_lines() if line.startswith("event: "))
        assert next(names) == "event: turn.committed"
