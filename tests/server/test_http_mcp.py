"""The Model Context Protocol, driven by its own SDK's client, over HTTP and standard streams."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from tests.samples import some
from tests.server.streaming import Life, Lives

from ruleplay.agents.battle.adapters.showdown_package import find_package
from ruleplay.settings import Settings

SECONDS = 180.0
GREETING = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "0"},
    },
}
LOG = Path(__file__).parents[1] / "web" / "battle.log"


@pytest.fixture
async def life(lives: Lives) -> Life:
    return await lives.start()


def told(result: types.CallToolResult) -> dict[str, object]:
    """Return what a tool answered, which has to be the same as text and as structure."""
    assert not result.is_error, result.content
    text = next(c.text for c in result.content if isinstance(c, types.TextContent))
    structure = result.structured_content
    assert isinstance(structure, dict)
    assert set(json.loads(text)) >= set(structure) - {"rows"}
    return structure


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_turns_are_played_over_http(life: Life, mode: str) -> None:
    nodes: list[str] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        nodes.append(message or "")

    async with asyncio.timeout(SECONDS), Client(f"{life.url}/mcp/core", mode=mode) as client:  # type: ignore[arg-type]
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(listed) == {"play_turn", "show_session", "undo_turn"}
        assert listed["show_session"].annotations is not None
        assert listed["show_session"].annotations.read_only_hint
        first = told(
            await client.call_tool(
                "play_turn", {"agent": "tally", "message": "add 3"}, progress_callback=progress
            )
        )
        assert first["reply"] == "The tally is 3. You said: add 3"
        assert first["choices"] == ["add 1", "add 20"]
        assert nodes == ["read", "count"]
        again = {"session": first["session"], "message": "add 4", "key": "k"}
        for _ in range(2):
            assert told(await client.call_tool("play_turn", again))["number"] == 2
        shown = told(await client.call_tool("show_session", {"session": first["session"]}))
        assert shown["view"]["total"] == 7  # type: ignore[index]
        assert (
            told(await client.call_tool("undo_turn", {"session": first["session"]}))["number"] == 1
        )


async def test_errors_are_told_and_not_traced(life: Life) -> None:
    async with asyncio.timeout(SECONDS), Client(f"{life.url}/mcp") as client:
        for name, arguments in (
            ("play_turn", {"agent": "nobody", "message": "x"}),
            ("play_turn", {"message": "x"}),
            ("play_turn", {"agent": "tally", "message": "model-down"}),
            ("show_session", {"session": "none"}),
            ("show_session", {}),
            ("no_such_tool", {}),
        ):
            answer = await client.call_tool(name, arguments)
            assert answer.is_error, name
        broken = await client.call_tool("play_turn", {"agent": "party", "message": "I look."})
        assert broken.is_error
        assert "seat" in str(broken.content)


async def test_agents_bring_tools_few_by_default(life: Life) -> None:
    async with asyncio.timeout(SECONDS):
        async with Client(f"{life.url}/mcp") as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert 15 <= len(names) <= 24
            some = {"play_turn", "raid_wipe_cause", "raid_lines", "parts_fit", "battle_damage"}
            assert some <= set(names)
            assert len(names) == len(set(names))
            assert all(re.fullmatch(r"[a-z_]{1,40}", name) for name in names)
            prompts = (await client.list_prompts()).prompts
            assert {p.name for p in prompts} == {
                "play", "why_wipe", "night_report", "review_battle", "which_part",
            }  # fmt: skip
            begun = await client.get_prompt("play", {"agent": "tally", "seat": "-"})
            assert "agent tally" in str(begun.messages[0].content)
        async with Client(f"{life.url}/mcp/all") as client:
            assert len((await client.list_tools()).tools) > 40
        async with Client(f"{life.url}/mcp/parts") as client:
            found = {tool.name for tool in (await client.list_tools()).tools}
            assert found == {"parts_fit", "parts_find", "parts_diagnose"}
            prompts = (await client.list_prompts()).prompts
            assert [prompt.name for prompt in prompts] == ["which_part"]
            prompt = await client.get_prompt("which_part", {"problem": "It leaks."})
            assert "It leaks." in str(prompt.messages[0].content)
            fit = {"part": "PS90001822", "model": "NOSUCHMODEL"}
            assert told(await client.call_tool("parts_fit", fit))["verdict"] != "fits"


async def test_an_answers_sources_can_be_read(life: Life) -> None:
    async with asyncio.timeout(SECONDS * 2), Client(f"{life.url}/mcp/raid") as client:
        reports = told(await client.call_tool("raid_reports", {}))
        assert reports["rows"]
        cause = await client.call_tool("raid_wipe_cause", {})
        links = [part for part in cause.content if isinstance(part, types.ResourceLink)]
        assert links
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.name for template in templates] == ["raid_lines"]
        read = await client.read_resource(str(links[0].uri))
        contents = read.contents[0]
        assert isinstance(contents, types.TextResourceContents)
        lines = json.loads(contents.text)["lines"]
        assert lines
        more = told(await client.call_tool("raid_find_tools", {"words": "mana"}))
        assert more["tools"]
        ran = {"tool": "get_roster", "arguments": {}}
        assert told(await client.call_tool("raid_run_tool", ran))["rows"]


async def test_the_token_is_asked_for(lives: Lives) -> None:
    life = await lives.start(token="secret")
    answer = await life.client.post("/mcp", json={})
    assert answer.status_code == 401


@pytest.mark.parametrize("mode", some(["auto", "legacy"], 1))
async def test_standard_streams_carry_everything(tmp_path: Path, mode: str) -> None:
    """A program starts the server itself: turns with progress, lists, prompts, sources, errors."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "ruleplay.cli.main", "mcp", "--tools", "core,raid,parts"],
        env={"RULEPLAY_HOME": str(tmp_path)},
    )
    nodes: list[str] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        nodes.append(message or "")

    async with asyncio.timeout(SECONDS * 3), Client(server, mode=mode) as client:  # type: ignore[arg-type]
        assert "play_turn" in [tool.name for tool in (await client.list_tools()).tools]
        asked = {"agent": "parts", "message": "hello"}
        first = told(await client.call_tool("play_turn", asked, progress_callback=progress))
        assert (first["number"], bool(first["reply"]), bool(nodes)) == (1, True, True)
        prompt = await client.get_prompt("which_part", {"problem": "It leaks."})
        assert "It leaks." in str(prompt.messages[0].content)
        cause = await client.call_tool("raid_wipe_cause", {})
        links = [part for part in cause.content if isinstance(part, types.ResourceLink)]
        assert (await client.read_resource(str(links[0].uri))).contents
        assert (await client.call_tool("play_turn", {"agent": "nobody", "message": "x"})).is_error


def test_a_program_that_starts_it_does_not_wait(tmp_path: Path) -> None:
    """What takes long is imported by the first call that needs it; `benchmarks/doors.py` times it.

    Work is compared, not time, which says little on a busy machine.
    """
    assert work_until_ready(tmp_path) < work_until_ready(tmp_path, "import ruleplay.server.app")


def work_until_ready(home: Path, first: str = "") -> float:
    """Return the seconds of processor time that a server takes until it has greeted its client."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"{first}\nfrom ruleplay.cli.main import main; main()", "mcp"],
        env={**os.environ, "RULEPLAY_HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin
    assert process.stdout
    with process.stdin as asked, process.stdout as answered:
        asked.write(json.dumps(GREETING).encode() + b"\n")
        asked.flush()
        greeted = json.loads(answered.readline())
        process.kill()
        _, _, used = os.wait4(process.pid, 0)
    process.wait()  # it was waited for above, where its work is told
    assert greeted["result"]["serverInfo"]["name"]
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("mode", some(["legacy", "auto"], 1))
async def test_battles_are_asked_about(
    lives: Lives, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: str
) -> None:
    installed = find_package(Settings().home)
    if installed is None:
        if "showdown" in os.environ.get("RULEPLAY_REQUIRE", ""):
            pytest.fail("no Showdown package: ruleplay setup battle")
        pytest.skip("no Showdown package: ruleplay setup battle")
    shutil.copytree(Settings().home / "battle", tmp_path / "battle")
    (tmp_path / "showdown").symlink_to(Settings().home / "showdown")
    life = await lives.start()
    async with asyncio.timeout(SECONDS * 3), Client(f"{life.url}/mcp/battle", mode=mode) as client:  # type: ignore[arg-type]
        hit = {"attacker": "Great Tusk", "move": "Earthquake", "defender": "Kingambit, 50%"}
        rolled = told(await client.call_tool("battle_damage", hit))
        assert rolled["knock_out"][0] > 0.9  # type: ignore[index]
        assert "format_note" not in rolled
        elsewhere = told(await client.call_tool("battle_damage", {**hit, "format": "gen9ou"}))
        assert "makes no sets" in str(elsewhere["format_note"])
        seen = {"species": "Great Tusk", "seen": ["Rapid Spin"]}
        carried = told(await client.call_tool("battle_sets", seen))["sets"]
        assert all("rapidspin" in one["set"]["moves"] for one in carried)  # type: ignore[attr-defined,index,union-attr]
        reviewed = await client.call_tool("battle_review", {"replay": LOG.read_text()})
        found = told(reviewed)
        assert found["findings"]
        (link,) = [part for part in reviewed.content if isinstance(part, types.ResourceLink)]
        read = (await client.read_resource(str(link.uri))).contents[0]
        assert isinstance(read, types.TextResourceContents)
        assert json.loads(read.text)["id"] == found["id"]
        for name, wrong in (
            ("battle_damage", {**hit, "move": "No Such Move"}),
            ("battle_damage", {**hit, "format": "../x"}),
            ("battle_sets", {**seen, "format": "gen9randombatle"}),
            ("battle_sets", {"species": "Nobody"}),
            ("battle_review", {}),
            ("battle_review", {"replay": "hello"}),
            ("battle_review", {"review": "../../secrets"}),
        ):
            assert (await client.call_tool(name, wrong)).is_error, (name, wrong)
