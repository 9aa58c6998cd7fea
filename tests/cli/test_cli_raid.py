"""`ruleplay raid` as users call it, over the demo nights."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.agents.raid.demo_home import demo_nights
from tests.cli.commands import Run


@pytest.fixture
def nights(home: Path) -> Path:
    """Return a home that has the demo's reports."""
    made, _ = demo_nights()
    shutil.copytree(made / "raid", home / "raid")
    return home


def test_the_reports_are_listed(cli: Run, nights: Path) -> None:
    found = cli("raid", "reports", "--json").json["reports"]
    assert len(found) == 2
    assert "demo-week" in cli("raid", "reports").out


def test_the_tools_are_listed_with_their_arguments(cli: Run) -> None:
    found = {one["name"]: one for one in cli("raid", "tools", "--json").json["tools"]}
    assert len(found) >= 36
    assert set(found["get_fight_details"]["arguments"]["properties"]) == {
        "report_code",
        "fight_id",
    }


def test_a_tool_prints_rows_and_the_lines_they_rest_on(cli: Run, nights: Path) -> None:
    args = '{"FightId": 2}'
    body = cli("raid", "tool", "get_fight_details", "--args", args, "--json").json
    assert {"result", "rows", "query", "lines", "notes"} <= set(body)
    row = body["rows"][0]
    assert {"player", "class", "spec", "role", "damage", "pet_damage", "healing", "dps"} <= set(row)
    first, last = body["lines"][0]
    raw = cli("raid", "lines", body["report"], f"{first}-{first + 4}", "--json").json
    assert len(raw["lines"]) == 5
    assert first < last


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["tool", "no_such_tool"], 2, "no tool"),
        (["tool", "get_fight_details", "--args", "["], 2, "not valid JSON"),
        (["tool", "get_fight_details", "--args", '{"x": 1}'], 2, "unknown argument"),
        (["tool", "get_fight_details", "--args", '{"fight_id": "99"}'], 2, "no pull 99"),
        (["lines", "nothing", "1-2"], 3, "nothing"),
        (["lines", "nothing", "5-2"], 2, "5-2"),
        (["lines", "nothing", "all"], 2, "FIRST-LAST"),
        (["import", "no-such-file.txt"], 2, "no-such-file"),
        (["import-wcl", "abcdefgh"], 2, "WCL"),
        (["report", "nothing"], 3, "nothing"),
    ],
)
def test_what_cannot_be_done_is_said(
    cli: Run, nights: Path, arguments: list[str], code: int, words: str
) -> None:
    done = cli("raid", *arguments)
    assert (done.code, done.out) == (code, "")
    assert words.lower() in done.err.lower()


def test_a_question_is_answered_with_citations(cli: Run, nights: Path) -> None:
    done = cli("raid", "ask", "Who died first on pull 1?")
    assert done.code == 0
    assert re.search(r"First to die: .* at [\d.:]+", done.out)
    assert "[r" not in done.out
    body = cli("raid", "ask", "Who died first on pull 1?", "--json").json
    answered = next(event for event in body["events"] if event["type"] == "Answered")
    assert answered["topics"] == ["deaths"]
    assert answered["findings"]
    assert any("r1" in span["cites"] for span in body["spans"])


def test_a_log_is_imported_once(cli: Run, home: Path, tmp_path: Path) -> None:
    _, nights = demo_nights()
    report = nights.reports.open(nights.reports.codes()[0])
    log = tmp_path / "night.txt.gz"
    lines = [report.raw_lines(at, min(at + 1999, report.lines)) for at in range(1, 6001, 2000)]
    with gzip.open(log, "wt", encoding="utf-8") as file:
        file.write("\n".join(line for part in lines for line in part) + "\n")
    first = cli("raid", "import", str(log), "--json").json
    assert (first["lines"], first["unparsed"], first["known"]) == (6000, 0, False)
    assert {"report", "dialect", "lines", "unparsed", "events", "encounters", "mb_per_s"} <= set(
        first
    )
    again = cli("raid", "import", str(log), "--json").json
    assert (again["report"], again["known"]) == (first["report"], True)
    assert "night.txt" in cli("raid", "import", str(log)).out


def test_a_night_becomes_one_html_file_without_other_hosts(
    cli: Run, nights: Path, tmp_path: Path
) -> None:
    page = tmp_path / "night.html"
    done = cli("raid", "report", "--html", str(page), "--json")
    assert done.code == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") > len(done.json["night"]["pulls"])
    assert "<script" not in text
    assert not re.search(r"(?:src|href)=|url\(|https?://", text)
    pull = done.json["pulls"]["1"]["get_fight_details"]["rows"]
    top = max(pull, key=lambda row: row["damage"])
    assert f"{top['damage']:,}" in text


def test_a_night_can_be_read_in_a_terminal(cli: Run, nights: Path) -> None:
    done = cli("raid", "report")
    assert done.out.startswith("# ")
    assert "Log lines" in done.out
    assert not done.out.startswith("{")


def test_a_report_is_deleted_by_its_code(cli: Run, nights: Path) -> None:
    code = cli("raid", "reports", "--json").json["reports"][0]["report"]
    assert cli("raid", "delete", code, "--json").json["deleted"] == code
    left = [one["report"] for one in cli("raid", "reports", "--json").json["reports"]]
    assert len(left) == 1
    assert code not in left
    assert cli("raid", "delete", code).code != 0


def test_a_link_to_a_report_is_made_listed_and_revoked(cli: Run, nights: Path) -> None:
    made = cli("share", "make", "raid", "--json").json
    assert re.fullmatch(r"/share/[\w-]{32}", made["path"])
    assert [one["id"] for one in cli("share", "list", "--json").json["shares"]] == [made["id"]]
    assert made["id"] in cli("share", "list").out
    assert cli("share", "revoke", made["id"], "--json").json == {"revoked": made["id"]}
    assert cli("share", "list", "--json").json["shares"] == []
    assert cli("share", "revoke", made["id"]).code == 3
    assert cli("share", "make", "raid", "nothing").code == 3


def test_a_followed_log_tells_each_pull_on_a_line(home: Path, tmp_path: Path) -> None:
    _, nights = demo_nights()
    report = nights.reports.open(nights.reports.codes()[0])
    parts = (report.raw_lines(at, min(at + 1999, report.lines)) for at in range(1, 6001, 2000))
    whole = [line for part in parts for line in part]
    end = next(at for at, line in enumerate(whole, 1) if "ENCOUNTER_END" in line)
    log = tmp_path / "live.txt"
    log.write_text("\n".join(whole[: end - 2]) + "\n", "utf-8")
    command = [sys.executable, "-m", "ruleplay.cli.main", "raid", "import", str(log)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "--follow", "--json"], stdout=pipe, stderr=pipe, text=True
    ) as running:
        limit = threading.Timer(240, running.kill)
        limit.start()
        assert running.stdout is not None
        assert running.stderr is not None
        assert "1 pulls" in running.stderr.readline()
        with log.open("a", encoding="utf-8") as file:
            file.write("\n".join(whole[end - 2 : end + 1]) + "\n")
        told = json.loads(running.stdout.readline())
        assert (told["fight"], told["outcome"]) == (1, "kill")
        assert told["seconds"] > 0
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
        limit.cancel()


def test_a_webhook_needs_a_log_that_grows(cli: Run, nights: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.touch()
    hook = ("--webhook", "https://hooks.example/x")
    assert "--follow" in cli("raid", "import", str(log), *hook).err
    wrong = cli("raid", "import", str(log), "--follow", "--webhook", "nowhere")
    assert (wrong.code, "webhook" in wrong.err) == (2, True)
    assert "de" in cli("raid", "report", "--lang", "es").err
    assert "Woran" in cli("raid", "report", "--lang", "de").out
