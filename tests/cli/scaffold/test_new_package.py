"""`ruleplay new` writes an agent that brings everything, and Ruleplay finds it once installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.cli.commands import Run
from tests.cli.outside.tally import Adds, Counting, Start, Whispered
from tests.samples import some

from ruleplay.catalog import find_agent
from ruleplay.cli.scaffold import inspection
from ruleplay.cli.scaffold.writing import templates, write_package
from ruleplay.kernel.agent import Update
from ruleplay.kernel.graph import END, START, Graph
from ruleplay.system.finding import Finding

SEEN = """
import asyncio, json
from httpx import ASGITransport, AsyncClient
from ruleplay.catalog import find_agent
from ruleplay.settings import Settings
from ruleplay.server.app import create_app

async def look():
    app = create_app(Settings(), find_agent)
    async with app.router.lifespan_context(app):
        transport = ASGITransport(app, client=("127.0.0.1", 1))
        client = AsyncClient(transport=transport, base_url="http://localhost")
        best = await client.get("/api/demo/best/7")
        page = await client.get("/static/0/agents/demo.js")
        agents = (await client.get("/api/agents")).json()["agents"]
        outside = await client.get("/static/0/agents/demo/../../agent.py")
    shown = [agent["page"] for agent in agents if agent["name"] == "demo"]
    print(json.dumps({"best": best.json(), "page": page.status_code, "shown": shown,
        "outside": outside.status_code, "type": page.headers.get("content-type")}))

asyncio.run(look())
"""

COMMANDS = """
import io, json, sys
from contextlib import redirect_stdout
from ruleplay.cli.main import run

told = []
for line in sys.argv[1:]:
    with redirect_stdout(io.StringIO()) as printed:
        assert run(line.split()) == 0, line
    told.append(printed.getvalue())
print(json.dumps(told))
"""

PLAYED = """
import asyncio, json, sys
from pathlib import Path
from made.agent import AGENT
from ruleplay.adversary.fuzz import fuzz
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.settings import Settings

async def play():
    host = await Host.open(Settings(home=Path("home"), model="rules"), lambda name: AGENT)
    session = (await host.create(AGENT.name, None)).id
    turns = [await host.start(session, Given(message=text)) for text in sys.argv[1:]]
    await host.close()
    report = await fuzz(AGENT, turns=40, seed=3)
    print(json.dumps({"replies": [turn.reply for turn in turns], "violations": report.violations,
        "true_sentences_shown": report.true_sentences_shown}))

asyncio.run(play())
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a package and make it known as an installer would."""
    folder = tmp_path_factory.mktemp("new") / "demo"
    write_package("demo", "duel", folder)
    info = folder / "demo-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: demo\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[ruleplay.agents]\ndemo = demo.agent:AGENT\n")
    return folder


def python(folder: Path, *arguments: str) -> str:
    paths = os.pathsep.join([str(folder), *sys.path])
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": paths, "RULEPLAY_HOME": str(folder / "home")},
        capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def ruleplay(folder: Path, *arguments: str) -> str:
    return python(folder, "-m", "ruleplay.cli.main", *arguments)


def test_it_brings_all_six(installed: Path) -> None:
    assert "demo" in ruleplay(installed, "--help")
    lines = ("demo best 7", "jobs kinds", "bench demo --turns 100", "check demo")
    told = json.loads(python(installed, "-c", COMMANDS, *(f"{line} --json" for line in lines)))
    best, kinds, bench, checked = map(json.loads, told)
    assert best == {"draw": 3}
    assert "demo-heaps" in [kind["name"] for kind in kinds["kinds"]]
    assert bench["moves"] == 100
    rows = {row["name"]: row for row in checked["rows"]}
    assert {row["state"] for row in rows.values()} == {"ok"}
    assert rows["tools"]["detail"] == "demo_best_move"


def test_the_server_answers_its_routes_and_hands_out_its_page(installed: Path) -> None:
    told = json.loads(python(installed, "-c", SEEN))
    assert told["best"] == {"draw": 3}
    assert (told["page"], told["shown"]) == (200, [True])
    assert told["type"].startswith("text/javascript")
    assert told["outside"] == 404


@pytest.mark.parametrize("template", some(templates(), 1))
def test_a_new_package_passes_its_own_tests(template: str, cli: Run, tmp_path: Path) -> None:
    folder = tmp_path / "fresh"
    assert cli("new", "fresh", "--from", template, "--folder", str(folder)).code == 0
    done = subprocess.run(
        ["make", "test"], cwd=folder, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Ran 3 tests" in done.stderr


@pytest.mark.parametrize(
    ("template", "asked", "replies"),
    [
        ("chat", ("Note: buy bread", "strike note 3"), ("Noted: buy bread", "There is no note 3.")),
        (
            "tools",
            ("How large is Mars?", "And Krypton?"),
            (
                "Mars is 6792 kilometres across, and its year has 687 days.",
                "Name a planet, and I tell how large it is and how long its year lasts.",
            ),
        ),
    ],
)
def test_what_each_begins_with_is_played_attacked_and_shown(
    template: str, asked: tuple[str, ...], replies: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "made"
    write_package("made", template, folder)
    told = json.loads(python(folder, "-c", PLAYED, *asked))
    assert told["replies"] == list(replies)
    assert told["violations"] == []
    assert told["true_sentences_shown"] > 0
    page = (folder / "made" / "page" / "made.js").read_text(encoding="utf-8")
    assert "export function View(" in page
    assert "{{" not in page.replace("${{", "")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Demo", 2),
        ("class", 2),
        ("z", 2),
        ("json", 2),
        ("pydantic", 2),
        ("db", 2),
        ("saga", 4),
        ("../up", 2),
    ],
)
def test_names_that_cannot_be_are_refused(name: str, code: int, cli: Run, tmp_path: Path) -> None:
    assert cli("new", name, "--folder", str(tmp_path / "x")).code == code
    assert not (tmp_path / "x").exists()


def test_a_folder_that_is_there_is_left_alone(cli: Run, tmp_path: Path) -> None:
    assert cli("new", "demo", "--folder", str(tmp_path)).code == 4
    assert cli("new", "demo", "--from", "nothing", "--folder", str(tmp_path / "y")).code == 3
    assert cli("check", "no_such_package").code == 3


def test_an_extra_that_is_not_installed_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(agent: object) -> Finding:
        raise ModuleNotFoundError("No module named 'dbos'", name="dbos")

    monkeypatch.setattr(inspection, "_jobs", absent)
    (jobs,) = (one for one in inspection.inspect(find_agent("parts")) if one.name == "jobs")
    assert jobs.state == "missing"
    assert "ruleplay[durable]" in jobs.advice
    monkeypatch.setattr(inspection, "OPTIONAL", {})
    (jobs,) = (one for one in inspection.inspect(find_agent("parts")) if one.name == "jobs")
    assert jobs.state == "broken"


async def silent(state: Counting) -> Update:
    return {}


class Silent(Adds):
    """It never answers."""

    def build_graph(self, config: Start) -> Graph:
        graph = Graph(Counting)
        graph.add_node("silent", silent)
        graph.add_edge(START, "silent")
        graph.add_edge("silent", END)
        return graph.compile(Update)


class Unlisted(Adds):
    """Its event is not listed."""

    events = (Whispered,)


@pytest.mark.parametrize(
    ("made", "state", "why"),
    [
        (Adds, "ok", "a turn without a model"),
        (Silent, "broken", "is answered with nothing"),
        (Unlisted, "broken", "is not listed in its agent's events"),
    ],
)
def test_a_turn_is_played_to_find_out_what_is_broken(
    made: type[Adds], state: str, why: str
) -> None:
    (rehearsed,) = (one for one in inspection.inspect(made()) if one.name == "rehearsal")
    assert rehearsed.state == state
    assert why in rehearsed.detail


def test_an_entry_point_is_called_as_its_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("desk", f"{Adds.__module__}:TALLY", "ruleplay.agents")
    monkeypatch.setattr(inspection, "entry_points", lambda **asked: [point])
    (named,) = (one for one in inspection.inspect(Adds()) if one.name == "name")
    assert named.state == "broken"
    assert "'desk' holds agent 'tally'" in named.detail
