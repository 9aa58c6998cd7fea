"""`agents`, `doctor`, `replay`, `fuzz`, `bench`, `parts`, and the command line as a whole."""

from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest
from tests.cli.commands import Run

from ruleplay import __version__
from ruleplay.cli.check import benchmarks, load
from ruleplay.cli.hosting import configured
from ruleplay.cli.output import printable
from ruleplay.errors import UserError

HEAVY = ("langgraph", "langchain", "langchain_core", "sqlalchemy", "fastapi", "rich", "pydantic")
MODULES = 300
"""More than help takes; any package that takes long to load has more than there is room for."""


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(option: str) -> None:
    program = (
        "import sys\n"
        "from ruleplay.cli.main import run\n"
        f"code = run(['{option}'])\n"
        f"loaded = [name for name in {HEAVY} if name in sys.modules]\n"
        "print(code, loaded, len(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True
    )
    code, loaded, modules = done.stderr.split()
    assert (code, loaded) == ("0", "[]")
    assert int(modules) < MODULES
    assert ("Commands:" if option == "--help" else __version__) in done.stdout


def test_what_plays_turns_loads_no_library_that_only_models_or_postgres_need() -> None:
    program = (
        "import sys, ruleplay.kernel.host, ruleplay.kernel.session, ruleplay.kernel.converse\n"
        "from ruleplay.agents.parts import agent, graph\n"
        "heavy = ('langgraph', 'langchain', 'langchain_core', 'sqlalchemy.orm')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "[]"


COMMANDS = ["turn", "chat", "agents", "doctor", "replay", "fuzz", "bench", "serve", "session"]


@pytest.mark.parametrize(
    "command",
    [
        *([name] for name in COMMANDS),
        *(["session", name] for name in ("list", "show", "undo", "regenerate", "edit")),
        *(["session", name] for name in ("fork", "goto", "compare", "export")),
        ["setup", "embedded"],
        *(["parts", name] for name in ("import", "check", "where")),
        *(["saga", name] for name in ("scenarios", "new")),
    ],
)
def test_every_command_has_help(cli: Run, command: list[str]) -> None:
    done = cli(*command, "--help")
    assert done.code == 0
    assert f"ruleplay {' '.join(command)}" in done.out


@pytest.mark.parametrize("arguments", [["bogus"], ["session", "bogus"], ["replay"], ["--bogus"]])
def test_wrong_usage(cli: Run, arguments: list[str]) -> None:
    done = cli(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")


def test_agents(cli: Run) -> None:
    found = {agent["name"]: agent for agent in cli("agents", "--json").json["agents"]}
    assert {"parts", "tally"} <= set(found)
    assert found["tally"]["seats"] == ["guest", "keeper"]
    assert "tally" in cli("agents").out


def test_the_graph_is_drawn_from_the_compiled_one(cli: Run) -> None:
    drawing = cli("agents", "--graph", "tally").out
    assert "graph TD;" in drawing
    assert "read" in drawing
    assert "count" in drawing
    assert cli("agents", "--graph", "tally", "--json").json["mermaid"] == drawing
    assert cli("agents", "--graph", "nobody").code == 3


def test_doctor_says_what_works(cli: Run, home: Path) -> None:
    done = cli("doctor", "--json")
    rows = {row["name"]: row for row in done.json["rows"]}
    assert (done.code, done.json["ok"]) == (0, True)
    assert {"Python", "model rules", "Node", "Rust", "Chromium", "home", "token"} <= set(rows)
    assert {row["state"] for row in rows.values()} <= {"ok", "missing"}
    assert all(row["advice"] for row in rows.values() if row["state"] == "missing")
    assert "first use" in rows["database"]["detail"]
    assert not home.exists()
    assert "Python" in cli("doctor").out


def test_doctor_looks_into_a_database_that_is_there(cli: Run) -> None:
    cli("turn", "tally", "-m", "add 1")
    rows = {row["name"]: row for row in cli("doctor", "--json").json["rows"]}
    assert "schema" in rows["database"]["detail"]


@pytest.mark.parametrize(
    ("variable", "value", "row"),
    [
        ("RULEPLAY_MODEL", "anthropic:claude-sonnet-4-5", "configured model"),
        ("RULEPLAY_MODELS", '{"tally": "embedded:/no/such.gguf"}', "configured model for tally"),
        ("RULEPLAY_DB", "nonsense", "database"),
        ("RULEPLAY_DB", "sqlite+aiosqlite:////dev/null/x.db", "database"),
        ("RULEPLAY_HOME", "/dev/null/home", "home"),
    ],
)
def test_doctor_fails_when_what_is_configured_is_broken(
    cli: Run, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, row: str
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv(variable, value)
    done = cli("doctor", "--json")
    assert done.code == 5
    broken = {row["name"]: row for row in done.json["rows"] if row["state"] == "broken"}
    assert row in broken
    assert broken[row]["advice"]


def test_doctor_never_prints_a_secret(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-key")
    monkeypatch.setenv("RULEPLAY_TOKEN", "canary-token")
    monkeypatch.setenv("RULEPLAY_DB", "postgresql+asyncpg://u:canary-password@127.0.0.1:1/x")
    done = cli("doctor")
    assert done.code == 5
    assert "canary" not in done.out + done.err


def recorded(cli: Run) -> str:
    session = ""
    for message in ("add 1", "add 2"):
        options = ["--session", session] if session else []
        session = cli("turn", "tally", "-m", message, "--json", *options).json["session"]
    return session


def test_a_session_replays_identically(cli: Run) -> None:
    done = cli("replay", recorded(cli), "--json")
    assert done.code == 0
    assert done.json["hash_recorded"] == done.json["hash_replayed"]
    assert (done.json["turns"], done.json["identical"]) == (2, True)
    assert done.json["first_difference"] is None


def test_a_session_that_was_tampered_with_does_not(cli: Run, home: Path) -> None:
    session = recorded(cli)
    with sqlite3.connect(home / "ruleplay.db") as database:
        database.execute("UPDATE turns SET reply = 'The tally is 99.' WHERE number = 2")
    database.close()
    done = cli("replay", session, "--json")
    assert (done.code, done.json["identical"]) == (1, False)
    assert done.json["first_difference"]["number"] == 2
    assert "reply" in done.json["first_difference"]
    assert "identical: false" in cli("replay", session).out


def test_fuzz_reports_and_judges(cli: Run) -> None:
    done = cli("fuzz", "tally", "--turns", "30", "--seed", "7", "--json")
    assert done.code == 0, done.out
    assert {"agent", "turns", "violations", "refused", "fell_back", "seed"} <= set(done.json)
    assert (done.json["violations"], done.json["seed"]) == ([], 7)
    assert done.json["replay_identical"] is True


def test_fuzz_fails_on_a_broken_rule(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tally.Adds.problems", lambda *_: ("the count is wrong",))
    done = cli("fuzz", "tally", "--turns", "5", "--json")
    assert done.code == 1
    assert "the count is wrong" in str(done.json["violations"])


def test_benchmarks_are_listed_and_refused(cli: Run) -> None:
    names = {entry["name"] for entry in cli("bench", "--json").json["benchmarks"]}
    agents = {"battle", "parts", "parts-subject", "raid", "raid-questions", "saga", "party"}
    more = {"raid-truth", "raid-mutations", "battle-agreement", "battle-choices"}
    assert names == {"turn", "server", *agents, *more}
    assert "turn" in cli("bench").out
    assert cli("bench", "bogus").code == 3
    assert cli("bench", "parts", "--turns", "5").code == 2


def test_every_benchmark_is_there_and_takes_its_options() -> None:
    found = benchmarks()
    assert {"turn", "server", "battle", "raid", "parts", "saga", "party"} <= {*found}
    for one in found.values():
        assert {*one.takes.split(), "on_progress"} <= set(signature(load(one.where)).parameters)


def test_parts_says_where_a_fit_is_listed(cli: Run) -> None:
    done = cli("parts", "check", "PS3406971", "wdt780saem1", "--json")
    assert set(done.json) == {"verdict", "part", "model", "source", "explanation"}
    assert (done.json["verdict"], done.json["model"]) == ("listed", "WDT780SAEM1")
    plain = cli("parts", "check", "PS3406971", "WDT780SAEM1")
    assert (plain.code, plain.out) == (0, done.json["explanation"] + "\n")
    unknown = cli("parts", "check", "PS3406971", "NOSUCHMODEL1", "--json").json
    assert unknown["verdict"] == "unknown_model"


def test_parts_says_where_the_model_number_is(cli: Run) -> None:
    assert "door" in cli("parts", "where", "dishwasher", "--json").json["where"]
    assert "door" in cli("parts", "where", "dishwasher").out


def test_parts_imports_a_shops_files(cli: Run, tmp_path: Path) -> None:
    parts, fits = tmp_path / "parts.csv", tmp_path / "fits.csv"
    parts.write_text("sku,name,cost\nPS1000001,Drain hose,12.50\n")
    fits.write_text("part,model\nPS1000001,ABC123\nPS1000001,\n")
    files = ["--parts", str(parts), "--fits", str(fits)]
    options = ["--map", "part_number=sku", "--map", "price=cost", "--priced-on", "2026-01-31"]
    done = cli("parts", "import", *files, *options, "--json")
    assert done.code == 0, done.err
    assert (done.json["parts"], done.json["pairs"], done.json["rejected"]) == (1, 1, 1)
    fit = cli("parts", "check", "PS1000001", "ABC123", "--json").json
    assert fit["verdict"] == "listed"
    broken = tmp_path / "broken.csv"
    broken.write_bytes(b"\xff\xfe\x00bad")
    failed = cli("parts", "import", "--parts", str(broken), "--fits", str(fits), "--json")
    assert (failed.code, failed.error["type"]) == (2, "UserError")
    assert cli("parts", "check", "PS1000001", "ABC123", "--json").json == fit


@pytest.mark.parametrize("wrong", [["--map", "price"], ["--priced-on", "soon"]])
def test_parts_refuses_options_it_cannot_read(cli: Run, tmp_path: Path, wrong: list[str]) -> None:
    file = tmp_path / "x.csv"
    file.write_text("part,model\n")
    done = cli("parts", "import", "--parts", str(file), "--fits", str(file), *wrong)
    assert (done.code, wrong[0] in done.err) == (2, True)


def test_serving_other_machines_needs_a_token(cli: Run) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "games.example"):
        done = cli("serve", "--host", host, "--port", "0")
        assert (done.code, "RULEPLAY_TOKEN" in done.err) == (2, True)


MODELS = [
    ("", "rules", {}, ("rules", {})),
    ("embedded", "rules", {"tally": "ollama:x"}, ("embedded", {})),
    ("tally.read=embedded", "ollama:x", {}, ("ollama:x", {"tally.read": "embedded"})),
    (
        "tally.read=embedded",
        "rules",
        {"tally": "ollama:x"},
        ("rules", {"tally": "ollama:x", "tally.read": "embedded"}),
    ),
    ("default=embedded,tally=rules", "ollama:x", {}, ("embedded", {"tally": "rules"})),
    ('{"tally": "rules"}', "ollama:x", {}, ("ollama:x", {"tally": "rules"})),
    ('{"default": "rules"}', "ollama:x", {"tally": "embedded"}, ("rules", {})),
    ("", "ollama:x,tally=rules", {}, ("ollama:x", {"tally": "rules"})),
]


@pytest.mark.parametrize(("flag", "default", "roles", "chosen"), MODELS)
def test_model_flags_win(
    monkeypatch: pytest.MonkeyPatch,
    flag: str,
    default: str,
    roles: dict[str, str],
    chosen: tuple[str, dict[str, str]],
) -> None:
    monkeypatch.setenv("RULEPLAY_MODEL", default)
    monkeypatch.setenv("RULEPLAY_MODELS", json.dumps(roles))
    settings = configured(model=flag)
    assert (settings.model, settings.models) == chosen


@pytest.mark.parametrize("flag", ["gpt", "tally=", "{", "tally=gpt"])
def test_model_flags_that_name_no_model(flag: str) -> None:
    with pytest.raises(UserError):
        configured(model=flag)


def test_printable_text_cannot_move_the_cursor() -> None:
    assert printable("a\x1b[31mb\x9bc\rd\te\nf\ud800") == "a[31mbcd\te\nf"


def test_output_in_ascii_does_not_break(monkeypatch: pytest.MonkeyPatch, cli: Run) -> None:
    raw = io.BytesIO()
    ascii_out = io.TextIOWrapper(raw, "ascii", errors="backslashreplace")
    monkeypatch.setattr("sys.stdout", ascii_out)
    assert cli("turn", "tally", "-m", "add 1 é ✨").code == 0
    assert rb"\xe9 \u2728" in raw.getvalue()
