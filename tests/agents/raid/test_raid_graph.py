"""The loop's shape: two stations, one static prompt, tools by workflow, and nothing beside."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from langchain_core.messages import SystemMessage
from tests.agents.raid.demo_home import demo_nights
from tests.agents.raid.test_loop import look, played
from tests.server.test_http_analyze import raid

from ruleplay.agents.raid import prompts
from ruleplay.agents.raid.graph import after_agent, build_graph
from ruleplay.agents.raid.policy.looks import look_tool
from ruleplay.agents.raid.routes.analyze import Analysis
from ruleplay.agents.raid.state import Calls, Draft, Shown, State, ToolReturned
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.agents.raid.view.screen import view
from ruleplay.kernel.graph import END, START
from ruleplay.records.given import Given

__all__ = ["raid"]  # a fixture of the server's tests
CALL = {"name": "look", "args": {}, "id": "1", "type": "tool_call"}


def test_the_graph_has_two_stations() -> None:
    graph = build_graph()
    assert {*graph.nodes} == {"agent", "tools"}
    assert {(edge.start, edge.end) for edge in graph.ways()} == {
        (START, "agent"),
        ("agent", "tools"),
        ("agent", END),
        ("tools", "agent"),
    }


@pytest.mark.parametrize(
    ("said", "leads"),
    [([Calls((CALL,))], "tools"), ([Calls((CALL,)), Shown("1", "1", "look")], END), ([], END)],
)
def test_calls_lead_to_the_tools_and_an_answer_to_the_end(
    said: list[Calls | Shown], leads: str
) -> None:
    draft = Draft(before=State(), given=Given(message="?"), seat="", messages=said)
    assert after_agent(draft) == leads
    (router,) = build_graph().routers["agent"]
    assert router.ends == {"tools": "tools", END: END}


def test_nothing_of_the_old_graph_is_left() -> None:
    gone = {"query_type", "grade", "retry_count"}
    assert State() == State()
    assert not gone & {*State.model_fields, *Draft.__dataclass_fields__, *Analysis.model_fields}
    assert not gone & {*view(State())}
    assert not [name for name in vars(prompts) if "ROUTE" in name or "GRADE" in name]
    assert not {"route", "query", "grade", "rewrite", "analyze"} & {*build_graph().nodes}


async def test_the_prompt_begins_with_one_static_text(tmp_path: Path) -> None:
    calls = [look("death_analysis", pull=1)]
    _, model = await played(tmp_path, [calls, "Well.", "Well."], "Who died?", "And on pull 2?")
    for seen in model.seen:
        assert isinstance(seen.messages[0], SystemMessage)
        assert seen.messages[0].text == prompts.SYSTEM
        assert sum(isinstance(message, SystemMessage) for message in seen.messages) == 1
    text = prompts.SYSTEM
    for words in (
        *("You are a raid analyst", "Look first", "everything you need in one go", '"Tonight"'),
        *('"my"', "The wipe is", "Tanks:", "Healers:", "what decided the pull", "# Answer"),
    ):
        assert words in text
    assert "fight_details" in json.dumps(look_tool().spec)


def test_nobody_is_offered_to_ask_why_a_kill_was_a_wipe() -> None:
    def offered(pull: str) -> object:
        called = ToolReturned(result="r1", tool="get_tally", args={}, pull=pull)
        return view(State().apply(called))["quick_replies"]

    assert "Why did we wipe?" in str(offered("Gruul, pull 1 (wipe, 60.0 s)"))
    assert "Why did we wipe?" not in str(offered("Gruul, pull 2 (kill, 28.6 s)"))


def test_bests_are_over_all_bosses() -> None:
    _, nights = demo_nights()
    night = nights.overview("", "").night
    assert night
    player = night.members[3].name
    given = {"player_name": player, "bests_only": True}
    rows = run_tool(nights.reports, "get_my_performance", given).rows
    everything = run_tool(nights.reports, "get_my_performance", {"player_name": player}).rows
    bosses = {row["encounter"] for row in everything}
    assert len(bosses) > 1
    assert {row["encounter"] for row in rows} == bosses
    assert len(rows) == 3 * len(bosses)
    for row in rows:
        if row["best"] != "dps":
            continue
        own = [one for one in everything if one["encounter"] == row["encounter"]]
        kills = [one for one in own if one["outcome"] == "kill"] or own
        assert row["dps"] == max(one["dps"] for one in kills)  # type: ignore[type-var]
    boss = sorted(map(str, bosses))[0]
    of_one = run_tool(nights.reports, "get_my_performance", {**given, "encounter_name": boss})
    assert [{**row} for row in of_one.rows] == [{**row} for row in rows if row["encounter"] == boss]


async def test_a_failure_is_told_in_the_stream(
    raid: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fails(*given: object, **named: object) -> None:
        raise RuntimeError("the disk is full")

    from ruleplay.agents.raid import nodes

    monkeypatch.setattr(nodes, "survey", fails)
    streamed = await raid.post("/api/analyze/stream", json={"question": "Who died first?"})
    events = [
        json.loads(line[6:]) for line in streamed.text.splitlines() if line.startswith("data: ")
    ]
    assert "error" in events[-2]
    assert "token" not in str(events[:-2])
    assert events[-1] == {"done": True}
