"""`ruleplay battle` as users run it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ruleplay.agents.battle.adapters.replays import write_replay
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.cli.main import run

KEYS = [
    *("opponent", "battles", "wins", "losses", "ties", "win_rate", "ci95", "decisions"),
    *("invalid_choices", "unavailable_choices", "fallbacks", "decision_ms", "search_ms"),
    *("engine", "decided"),
]


@pytest.fixture(autouse=True)
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("RULEPLAY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("RULEPLAY_HOME", str(home))
    monkeypatch.setenv("RULEPLAY_TOML", os.devnull)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ruleplay.cli.main", "battle", *arguments]


def ruleplay(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=500, check=False
    )


def test_an_arena_starts_its_own_server(
    showdown: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "replays"
    played = ruleplay(
        *("arena", "--opponent", "random", "--battles", "1", "--search-ms", "0"),
        *("--engine", "python", "--save-replays", str(folder), "--json"),
    )
    assert played.returncode == 0, played.stderr
    report = json.loads(played.stdout)
    assert list(report) == KEYS
    assert (report["battles"], report["invalid_choices"], report["engine"]) == (1, 0, "python")
    (log,) = folder.glob("*.log")
    review = ["battle", "review", str(log), "--search-ms", "0"]
    assert run([*review, "--player", "p1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["turns"]
    page = tmp_path / "review.html"
    assert run([*review, "--as", "html", "--output", str(page)]) == 0
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_two_players_meet(server: LocalServer, home: Path) -> None:
    """One accepts, the other challenges once it is there; both tell the same battle."""
    accepting = subprocess.Popen(
        command(
            *("accept", "--user", "Red Oak", "--name", "Blue Oak", "--server", server.url),
            *("--search-ms", "0", "--db", f"sqlite+aiosqlite:///{home}/blue.db", "--json"),
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert accepting.stderr is not None
        for line in accepting.stderr:
            if "logged in as Blue Oak" in line:
                break
        challenged = ruleplay(
            *("challenge", "Blue Oak", "--name", "Red Oak", "--server", server.url),
            *("--search-ms", "0", "--json"),
        )
        assert challenged.returncode == 0, challenged.stderr
        red = json.loads(challenged.stdout)
        blue = json.loads(accepting.communicate(timeout=60)[0])
    finally:
        accepting.kill()
        accepting.communicate()
    assert red["battle"] == blue["battle"]
    assert {red["result"], blue["result"]} in ({"win", "loss"}, {"tie"})
    assert (red["invalid_choices"], blue["invalid_choices"]) == (0, 0)


@pytest.mark.parametrize("ignored", [False, True], ids=["at a terminal", "in a background job"])
def test_the_server_runs_until_it_is_interrupted(showdown: Path, ignored: bool) -> None:
    """A shell starts background jobs with Ctrl-C ignored, and children take that over."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)
    try:
        process = subprocess.Popen(
            command("server", "--json"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert re.fullmatch(r"ws://127\.0\.0\.1:\d+/showdown/websocket", told["url"])
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    finally:
        process.kill()
        process.communicate(timeout=60)


def test_sets_say_what_was_seen(showdown: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["battle", "sets", "Great Tusk", "--json"]) == 0
    every = json.loads(capsys.readouterr().out)
    assert run(["battle", "sets", "Great Tusk", "--seen", "Rapid Spin", "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert sum(one["chance"] for one in every["sets"]) == pytest.approx(1)
    assert sum(one["chance"] for one in seen["sets"]) == pytest.approx(1)
    assert all("rapidspin" in one["set"]["moves"] for one in seen["sets"])
    assert not all("rapidspin" in one["set"]["moves"] for one in every["sets"])


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("review", "none.log"), 3, "no replay"),
        (("arena", "--team", "none.txt"), 3, "no team file"),
        (("accept", "--server", "ftp://here"), 2, "--server takes"),
        (("challenge", "Gary", "--name", "!!!", "--server", "ws://127.0.0.1:9"), 2, "a name has"),
        (("sets", "Pikachoo"), 3, "no Pokémon"),
    ],
)
def test_mistakes_are_told(
    showdown: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    told: str,
) -> None:
    assert run(["battle", *arguments]) == code
    assert told in capsys.readouterr().err


def test_a_review_escapes_what_players_are_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.agents.battle.test_battle_files import FOUND

    log = (*FOUND.log[:-1], "|move|p1a: Pikachu|Thunderbolt|p2a: Eevee", *FOUND.log[-1:])
    file = write_replay(FOUND.model_copy(update={"log": log}), tmp_path)
    assert run(["battle", "review", str(file), "--search-ms", "0", "--as", "html"]) == 0
    page = capsys.readouterr().out
    assert "Gary" in page
    assert "</script>" not in page
