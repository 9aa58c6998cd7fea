"""`ruleplay party`: the shelf, characters, laying a table, rounds that play themselves, recaps."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.agents.party.small import SMALL
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


def lines(done: Done) -> list[dict[str, object]]:
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def test_adventures_and_characters_are_listed(cli: Run) -> None:
    rows = cli("party", "adventures", "--json").json["adventures"]
    assert [row["key"] for row in rows] == ["drowned-bell", "glass-orchard"]
    rows = cli("party", "characters", "--json").json["characters"]
    assert [row["seat"] for row in rows] == ["thorin", "pell", "sunniva", "zephrine"]
    assert "hill-dwarf" in cli("party", "characters").out


def test_a_table_is_laid_with_sheets_and_ready_characters(cli: Run, tmp_path: Path) -> None:
    made = cli(
        *("party", "create", "--name", "Ödön", "--race", "elf", "--class", "ranger"),
        *("--level", "3", "--out", str(tmp_path / "odon.yaml")),
    )
    assert made.code == 0, made.err
    view = cli(
        *("party", "new", "--adventure", "glass-orchard", "--lang", "fr", "--level", "3"),
        *("--characters", str(tmp_path / "odon.yaml"), "--characters", "thorin", "--json"),
    ).json["view"]
    assert view["turn_queue"] == ["dm", "odon", "thorin"]
    assert view["title"] == "Le Verger de verre"
    assert [one["level"] for one in view["party"]] == [3, 3]


def test_rounds_play_themselves_and_the_recap_tells_of_them(cli: Run) -> None:
    told = lines(cli("party", "run", "--rounds", "2", "--json"))
    turns, end = told[:-1], told[-1]
    assert {one["type"] for one in turns} == {"turn"}
    assert end["type"] == "end"
    assert end["stage"] in ("done", "over")
    assert {one["round"] for one in turns} >= {1}
    assert turns[0]["seat"] == "dm"
    session = str(end["session"])
    more = lines(cli("party", "run", "--session", session, "--rounds", "1", "--json"))
    assert more[-1]["round"] >= end["round"]  # type: ignore[operator]
    recap = cli("party", "recap", session, "--json").json
    assert recap["recap"]


def test_the_same_seeds_tell_the_same_in_both_languages(cli: Run) -> None:
    session = cli("party", "new", "--lang", "fr", "--json").json["session"]
    told = cli("party", "run", "--session", session, "--rounds", "1")
    assert told.code == 0
    assert "Anguille" in told.out


def test_rounds_stop_where_a_person_must_act(cli: Run) -> None:
    # Thorin moves next to the DM: later seats may lie down before they come to move.
    made = cli("party", "new", "--human", "thorin", "--json").json
    told = lines(cli("party", "run", "--session", made["session"], "--rounds", "3", "--json"))
    assert told[-1]["stage"] == "waiting"
    assert told[-1]["seat"] == "thorin"
    played = [one["seat"] for one in told[:-1]]
    assert played[:1] == ["dm"]
    assert "thorin" not in played


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (("--lang", "de"), 2, "no language 'de'"),
        (("--adventure", "none"), 3, "no adventure 'none'"),
        (("--characters", "gandalf"), 2, "neither a file nor one of the ready characters"),
        (("--characters", "thorin", "--characters", "thorin"), 2, "two characters are called"),
        (("--human", "gandalf"), 2, "no seat 'gandalf'"),
        (("--folder", "/nowhere"), 2, "no folder '/nowhere'"),
    ],
)
def test_what_cannot_be_laid_is_said(
    cli: Run, change: tuple[str, ...], code: int, says: str
) -> None:
    done = cli("party", "new", *change)
    assert done.code == code
    assert says in done.err


def test_an_adventure_of_ones_own_is_played_from_its_folder(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "small.md").write_text(SMALL, encoding="utf-8")
    told = lines(
        cli(
            *("party", "run", "--folder", str(tmp_path), "--adventure", "small"),
            *("--characters", "thorin", "--rounds", "9", "--json"),
        )
    )
    assert told[-1]["stage"] == "over"
    assert told[-1]["ending"]["key"] in ("out", "splinters")  # type: ignore[index]


def test_files_are_checked(cli: Run, tmp_path: Path) -> None:
    good, bad, story = (tmp_path / name for name in ("good.yaml", "bad.yaml", "story.md"))
    good.write_text("name: Anna\nrace: human\nclass: bard\n", encoding="utf-8")
    bad.write_text("name: Anna\nrace: ent\nclass: bard\n", encoding="utf-8")
    story.write_text(SMALL.replace("to: yard", "to: moon"), encoding="utf-8")
    done = cli("party", "check", str(good), str(bad), str(story), "--json")
    assert done.code == 2
    rows = done.json["files"]
    assert [row["legal"] for row in rows] == [True, False, False]
    assert "bad.yaml:2: no race 'ent'" in rows[1]["problem"]
    assert "story.md:" in rows[2]["problem"]
    assert cli("party", "check", str(good)).code == 0


def test_a_sheet_is_made_without_a_terminal(cli: Run) -> None:
    done = cli(
        *("party", "create", "--name", "Odo", "--race", "gnome", "--class", "wizard"),
        *("--abilities", "str=8,dex=14,con=14,int=15,wis=12,cha=8", "--secret", "Afraid of cats."),
        "--no-ask",
    )
    assert done.code == 0, done.err
    assert "race: rock-gnome" in done.out
    assert "scores: points" in done.out
    missing = cli("party", "create", "--name", "Odo", "--no-ask")
    assert (missing.code, "give --race, --class" in missing.err) == (2, True)
    dear = cli(
        *("party", "create", "--name", "Odo", "--race", "gnome", "--class", "wizard"),
        *("--abilities", "str=15,dex=15,con=15,int=15,wis=8,cha=8", "--no-ask"),
    )
    assert (dear.code, "cost 36 points of 27" in dear.err) == (2, True)


def test_encounters_have_odds(cli: Run) -> None:
    rows = cli(
        "party", "odds", "--encounter", "rats", "--encounter", "sleepers", "--seeds", "3", "--json"
    ).json["odds"]
    assert [row["encounter"] for row in rows] == ["rats", "sleepers"]
    assert all(row["fights"] == 3 for row in rows)
    assert all(row["won"] + row["lost"] + row["fled"] <= 1.01 for row in rows)


def test_whole_adventures_have_odds(cli: Run) -> None:
    found = cli("party", "odds", "--whole", "--seeds", "2", "--json").json["whole"]
    assert found["journeys"] == 2
    assert sum(found["endings"].values()) == 1
    shown = cli("party", "odds", "--whole", "--seeds", "1", "--adventure", "glass-orchard")
    assert "survived" in shown.out
