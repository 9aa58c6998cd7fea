"""The loop of agent and tools: what a model may do in it, and what happens when it does nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agents.raid.demo_home import demo_nights, settings

from ruleplay.agents.raid import nodes
from ruleplay.agents.raid.agent import AGENT, held
from ruleplay.agents.raid.graph import RECURSION_LIMIT
from ruleplay.agents.raid.state import Answered, ToolReturned
from ruleplay.foundation.agent import Given
from ruleplay.foundation.errors import ModelError
from ruleplay.foundation.host import Host
from ruleplay.foundation.llm.rehearsal import Call, Entry, ScriptedModel
from ruleplay.foundation.replay import replay
from ruleplay.foundation.settings import Settings
from ruleplay.foundation.turns import Turn


async def played(folder: Path, script: list[Entry], *messages: str) -> tuple[Turn, ScriptedModel]:
    """Play messages with a scripted model and return the last turn; every turn replays alike."""
    host = await Host.open(settings(folder), lambda name: AGENT)
    model = ScriptedModel(script)
    host.models.stand_ins["scripted"] = model
    try:
        head = await host.create("raid", models={"": "scripted"} if script else {})
        for message in messages:
            turn = await host.start(head.id, Given(message=message))
        assert (await replay(host, head.id)).identical
    finally:
        await host.close()
    return turn, model


def events(turn: Turn, kind: type) -> list:
    found = [AGENT.codec.load(body) for body in turn.events]
    return [event for event in found if isinstance(event, kind)]


def details(turn: Turn) -> ToolReturned:
    return next(e for e in events(turn, ToolReturned) if e.tool == "get_fight_details")


async def test_the_policy_answers_with_citations_and_findings(tmp_path: Path) -> None:
    turn, _ = await played(tmp_path, [], "Top damage on pull 2?")
    (answered,) = events(turn, Answered)
    top = max(details(turn).rows, key=lambda row: row["damage"])
    assert answered.source == "policy"
    assert answered.topics == ("damage",)
    assert f"{top['damage']:,}" in turn.reply
    assert all("[r1]" in line for line in turn.reply.splitlines() if any(map(str.isdigit, line)))
    assert all(held(details(turn), finding) for finding in answered.findings)
    assert (len(turn.calls), turn.cites) == (1, ("r1",))


async def test_the_model_reads_the_usual_tools_before_it_is_first_asked(tmp_path: Path) -> None:
    turn, model = await played(tmp_path, ["Somebody did well."], "Top damage on pull 2?")
    asked = [message.text for message in model.seen[0].messages]
    assert "get_fight_details" in asked[-1]
    assert len(model.seen) == 1
    assert turn.reply == "Somebody did well."


async def test_a_true_number_passes_with_its_citation_and_a_swapped_one_does_not(
    tmp_path: Path,
) -> None:
    first, _ = await played(tmp_path, [], "Top damage on pull 2?")
    rows = sorted(details(first).rows, key=lambda row: -row["damage"])
    names = [str(row["player"]).partition("-")[0] for row in rows]
    true = f"{names[0]} did {rows[0]['damage']:,} damage."
    false = f"{names[1]} did {rows[0]['damage']:,} damage."
    said = f"Here goes. {true} {false} That is all."
    turn, _ = await played(tmp_path / "b", [said], "Top damage on pull 2?")
    assert f"{true} [r1]" in turn.reply
    assert false not in turn.reply
    assert events(turn, Answered)[0].source == "model"
    assert {f.value for f in events(turn, Answered)[0].findings} >= {rows[0]["damage"]}


async def test_calls_of_one_step_run_side_by_side_under_ids_of_their_own(tmp_path: Path) -> None:
    calls: Entry = [
        Call("GetDeathAnalysis", {"FightId": 1}),
        Call("get_bloodlust_timing", '{"fightId": "1"}', index=1),
    ]
    turn, model = await played(tmp_path, [calls, "Done."], "hello there")
    results = events(turn, ToolReturned)
    assert [(r.result, r.tool, r.fight) for r in results] == [
        ("r1", "get_death_analysis", 1),
        ("r2", "get_bloodlust_timing", 1),
    ]
    assert model.left == 0


async def test_the_same_call_again_is_answered_from_before(tmp_path: Path) -> None:
    again: Entry = [Call("get_fight_details", {"fight_id": "2"})]
    turn, _ = await played(tmp_path, [again, again, "Done."], "Top damage on pull 2?")
    assert len(events(turn, ToolReturned)) == 1


async def test_a_wrong_call_comes_back_to_the_model_with_a_reason(tmp_path: Path) -> None:
    wrong: Entry = [Call("delete_everything", {}), Call("list_pulls", {"x": 1}, index=1)]
    turn, model = await played(tmp_path, [wrong, "Sorry."], "hello")
    told = [message.text for message in model.seen[1].messages][-2:]
    assert "no tool 'delete_everything'" in told[0]
    assert "unknown argument 'x'" in told[1]
    assert events(turn, ToolReturned) == []


@pytest.mark.parametrize("entry", ["", ModelError("down")], ids=["silent", "down"])
async def test_without_the_models_word_the_policy_answers(tmp_path: Path, entry: Entry) -> None:
    turn, _ = await played(tmp_path, [entry], "Top damage on pull 2?")
    assert "most damage" in turn.reply
    assert events(turn, Answered)[0].source == "policy"


async def test_a_model_that_only_wants_tools_is_stopped_and_the_policy_answers(
    tmp_path: Path,
) -> None:
    script: list[Entry] = [
        [Call("get_fight_details", {"fight_id": str(1 + n % 3)})] for n in range(30)
    ]
    turn, model = await played(tmp_path, script, "Who died first?")
    assert len(model.seen) == nodes.MODEL_CALLS
    assert "first death" in turn.reply
    assert 2 * nodes.ROUNDS + 2 <= RECURSION_LIMIT


async def test_a_follow_up_in_a_rebuilt_process_keeps_the_pull(tmp_path: Path) -> None:
    turn, _ = await played(tmp_path, [], "Who died first on pull 1?", "Who took avoidable damage?")
    assert events(turn, ToolReturned)[0].fight == 1


@pytest.mark.parametrize(
    "message",
    ["'; DROP TABLE events; --", "damage of read_csv('/etc/passwd')", "\u202e\u200b?", "x" * 4000],
)
async def test_hostile_questions_are_only_questions(tmp_path: Path, message: str) -> None:
    turn, _ = await played(tmp_path, [], message)
    assert turn.reply


@pytest.mark.parametrize(
    "name", ["'; DROP TABLE actors; --", "../../etc/passwd", "$player", "x' OR '1'='1"]
)
async def test_arguments_reach_no_sql_and_no_file(tmp_path: Path, name: str) -> None:
    calls: Entry = [
        Call("get_ability_breakdown", {"fight_id": "1", "player_name": name}),
        Call("get_fight_details", {"report_code": name}, index=1),
    ]
    turn, _ = await played(tmp_path, [calls, "Done."], "hello")
    assert all(result.problem and not result.rows for result in events(turn, ToolReturned))
    _, nights = demo_nights()
    assert nights.overview("", "").night is not None


async def test_without_a_report_it_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "raid").mkdir()
    (tmp_path / "raid" / "demo").write_text("deleted")
    host = await Host.open(Settings(home=tmp_path, db="", model="rules"), lambda name: AGENT)
    try:
        head = await host.create("raid")
        turn = await host.start(head.id, Given(message="Why did we wipe?"))
    finally:
        await host.close()
    assert "ruleplay raid import" in turn.reply
