"""Jobs as users meet them: handed in, done by a worker, stopped, gone on with after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest
from tests.foundation.conftest import skip_or_fail

from ruleplay.cli.jobs.kinds import find_kind, job_offers
from ruleplay.errors import NotFound

if TYPE_CHECKING:
    from tests.cli.commands import Done, Run

SECONDS = 300
Body = dict[str, Any]


@pytest.fixture(autouse=True)
def dbos() -> None:
    """Need DBOS."""
    if find_spec("dbos") is None:
        skip_or_fail("durable", "install the package dbos")


@contextmanager
def worker(name: str) -> Iterator[subprocess.Popen[str]]:
    """Run a worker as a process of its own."""
    command = [sys.executable, "-m", "ruleplay.cli.main", "worker", "--name", name, "--json"]
    with subprocess.Popen(
        [*command, "--grace", "0"], stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"worker": name, "pid": process.pid}
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(SECONDS)
            finally:
                process.kill()


def until(cli: Run, job: str, met: Callable[[Body], bool], at_work: subprocess.Popen[str]) -> Body:
    """Look at a job until something is so of it, while its worker lives."""
    give_up = time.monotonic() + SECONDS
    while not met(body := cli("jobs", "show", job, "--json").json):
        assert at_work.poll() is None, f"the worker ended with {at_work.returncode}"
        assert time.monotonic() < give_up, body
        time.sleep(0.4)
    return body


def submitted(done: Done) -> str:
    assert done.code == 0, done.err
    return str(done.json["job"])


def ended(body: Body) -> bool:
    return body["status"] not in ("queued", "running")


def test_each_listed_kind_is_there() -> None:
    for name, offer in job_offers().items():
        kind = find_kind(name)
        assert (kind.name, kind.title) == (name, offer.title)
    with pytest.raises(NotFound, match="arena, night, autoplay"):
        find_kind("none")


def test_a_game_plays_on_after_a_kill_and_no_round_twice(cli: Run) -> None:
    options = json.dumps({"agent": "saga", "rounds": 30})
    job = submitted(cli("jobs", "submit", "autoplay", "--key", "k", "--options", options, "--json"))
    with worker("w1") as first:
        before = until(cli, job, lambda body: body["done"] >= 3, first)
        first.send_signal(signal.SIGKILL)
        first.wait(SECONDS)
    assert (before["status"], before["worker"], before["parts"]) == ("running", "w1", 30)
    left = cli("jobs", "show", job, "--json").json
    assert 3 <= left["done"] < 30
    with worker("w1") as working:
        done = until(cli, job, ended, working)
    assert (done["status"], done["done"], done["error"]) == ("done", 30, "")
    result = done["result"]
    turns = cli("session", "show", result["session"], "--json").json["turns"]
    assert result["rounds"] == 30
    assert len(turns) == result["turns"] > 3
    assert cli("replay", result["session"], "--json").json["identical"]
    assert [
        body["result"] for body in cli("jobs", "list", "--json").json["jobs"] if "result" in body
    ] == []


def test_a_night_is_the_report_that_the_command_writes_and_a_failure_says_why(cli: Run) -> None:
    missing = ("--options", '{"report": "none"}')
    wrong = submitted(cli("jobs", "submit", "night", *missing, "--json"))
    job = submitted(cli("jobs", "submit", "night", "--json"))
    with worker("w1") as working:
        failed = until(cli, wrong, ended, working)
        done = until(cli, job, ended, working)
    assert (failed["status"], "none" in failed["error"]) == ("failed", True)
    assert (done["status"], done["done"]) == ("done", done["parts"])
    expected = cli("raid", "report", "--json").json
    for name in ("night", "results", "pulls"):
        assert done["result"][name] == expected[name]
    assert cli("raid", "report").out.strip() in cli("jobs", "show", job).out


def test_a_waiting_job_is_stopped_and_stays_so(cli: Run) -> None:
    job = submitted(cli("jobs", "submit", "night", "--json"))
    assert cli("jobs", "cancel", job, "--json").json["status"] == "cancelled"
    again = cli("jobs", "cancel", job, "--json")
    assert (again.code, again.error["type"]) == (4, "Conflict")


def test_what_is_wrong_is_said_before_it_waits(cli: Run) -> None:
    assert cli("jobs", "submit", "none").code == 3
    wrong = cli("jobs", "submit", "night", "--options", '{"rep": 1}')
    assert (wrong.code, "night takes report" in wrong.err) == (2, True)
    assert cli("jobs", "show", "none").code == 3
    submitted(cli("jobs", "submit", "night", "--key", "k", "--json"))
    other = cli("jobs", "submit", "autoplay", "--key", "k")
    assert (other.code, "another job" in other.err) == (4, True)
