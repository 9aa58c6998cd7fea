"""`ruleplay saga`: the shelf, and making a hero."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.agents.saga.test_sources import OWN, SMALL
from tests.cli.commands import Done

Run = Callable[..., Done]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    from ruleplay.cli.main import run

    monkeypatch.setenv("RULEPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RULEPLAY_TOML", os.devnull)
    monkeypatch.delenv("RULEPLAY_MODEL", raising=False)

    def call(*arguments: str) -> Done:
        capsys.readouterr()
        code = run(list(arguments))
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return call


def test_the_shelf_is_listed(cli: Run) -> None:
    rows = cli("saga", "scenarios", "--json").json["scenarios"]
    assert {"greenway-lamp", "grey-debt"} <= {row["key"] for row in rows}


def test_a_hero_is_made_and_plays(cli: Run) -> None:
    made = cli(
        *("saga", "new", "--scenario", "grey-debt", "--name", "Thrain", "--race", "dwarf"),
        *("--stats", "agility=12,strength=14", "--skills", "lore=2", "--lang", "fr", "--json"),
    ).json
    assert made["view"]["sheet"]["name"] == "Thrain"
    assert made["view"]["sheet"]["race"] == "Nain"
    turn = cli("turn", "saga", "--session", made["session"], "-m", "commencer", "--json").json
    assert "balance" in turn["reply"]
    assert turn["view"]["scene"]["place"] == "quay"


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (("--race", "ent"), 2, "no race 'ent'"),
        (("--stats", "agility=30"), 2, "agility 30 is out of range"),
        (("--stats", "agility"), 2, "--stats takes NAME=N"),
        (("--lang", "de"), 2, "no language 'de'"),
        (("--culture", "moria"), 2, "no culture 'moria'"),
        (("--scenario", "none"), 3, "no scenario 'none'"),
    ],
)
def test_what_cannot_be_made_is_told(
    cli: Run, change: tuple[str, ...], code: int, says: str
) -> None:
    done = cli("saga", "new", "--scenario", "grey-debt", "--name", "Halla", *change, "--json")
    assert done.code == code
    assert says in done.error["message"]


def test_a_scenario_of_ones_own_is_played(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "small.md").write_text(SMALL, encoding="utf-8")
    own = ("--folder", str(tmp_path))
    keys = {row["key"] for row in cli("saga", "scenarios", *own, "--json").json["scenarios"]}
    assert "small" in keys
    made = cli("saga", "new", *own, "--scenario", "small", "--name", "Halla", "--json").json
    (tmp_path / "small.md").unlink()
    turn = cli("turn", "saga", "--session", made["session"], "-m", "look around", "--json").json
    assert "Four walls." in turn["reply"]
    assert cli("replay", made["session"], "--json").json["identical"]


def test_a_scenario_with_rules_of_its_own_is_fought(cli: Run, tmp_path: Path) -> None:
    text = SMALL.replace("exits:\n", "encounter: bank\nexits:\n") + OWN
    (tmp_path / "small.md").write_text(text, encoding="utf-8")
    hero = ("--scenario", "small", "--name", "Halla", "--race", "riverfolk")
    made = cli("saga", "new", "--folder", str(tmp_path), *hero, "--json").json
    assert made["view"]["sheet"]["culture"] == "ferrymen"
    (tmp_path / "small.md").unlink()
    play = ("turn", "saga", "--session", made["session"], "--json", "-m")
    assert cli(*play, "begin").json["view"]["session_mode"] == "combat"
    blow = cli(*play, "I hit Silt with the boathook").json
    struck = [event for event in blow["events"] if event["type"] == "Attacked"]
    assert ("hero", "boathook") in {(event["attacker"], event["weapon"]) for event in struck}
    assert cli("replay", made["session"], "--json").json["identical"]


WITHOUT_YAML = """
import sys
sys.modules["yaml"] = None
from ruleplay.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "command",
    [
        ("saga", "scenarios"),
        ("saga", "new", "--scenario", "grey-debt", "--name", "Halla"),
        ("bench", "saga"),
        ("turn", "saga", "--message", "begin"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_missing_extra_is_named_in_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_YAML, *command],
        env={**os.environ, "RULEPLAY_HOME": str(tmp_path), "RULEPLAY_TOML": os.devnull},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 5
    assert ran.stderr.strip().splitlines() == [
        "error: agent 'saga' needs the package 'yaml': pip install 'ruleplay[saga]'"
    ]


def test_a_scenario_is_checked_with_file_and_line(cli: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text(SMALL, encoding="utf-8")
    bad.write_text(SMALL.replace("## place", "## palace", 1), encoding="utf-8")
    assert "places" in cli("saga", "check", str(good)).out
    failed = cli("saga", "check", str(bad))
    assert failed.code == 2
    assert "bad.md:" in failed.err


def test_persons_go_out_as_cards_and_come_in_as_sections(cli: Run, tmp_path: Path) -> None:
    card = tmp_path / "maud.json"
    card.write_text(cli("saga", "export", "greenway-lamp", "maud").out, encoding="utf-8")
    sections = cli("saga", "import", str(card)).out
    story = tmp_path / "story.md"
    story.write_text(f"{SMALL}\n{sections}", encoding="utf-8")
    assert cli("saga", "check", str(story)).code == 0
    assert cli("saga", "import", str(story)).code == 2
