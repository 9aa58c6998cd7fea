"""The loop of agent and tools: what a model may do in it, and what happens when it does nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from langchain_core.messages import ToolMessage
from tests.agents.raid.demo_home import demo_nights, settings
from tests.samples import some

from ruleplay.agents.raid import nodes, prompts
from ruleplay.agents.raid.agent import AGENT, held
from ruleplay.agents.raid.domain.questions import Question
from ruleplay.agents.raid.domain.tool_result import ToolOutcome
from ruleplay.agents.raid.graph import STEPS
from ruleplay.agents.raid.policy.lookups import Plan, Planned
from ruleplay.agents.raid.state import Answered, Elsewhere, ToolReturned
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.errors import ModelError
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.models.scripted import Call, Entry, ScriptedModel
from ruleplay.models.streaming import SessionModels
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings


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
    return next(e for e in events(turn, ToolReturned) if e.tool == "get_tally")


async def test_the_policy_answers_with_citations_and_findings(tmp_path: Path) -> None:
    turn, _ = await played(tmp_path, [], "Top damage on pull 2?")
    (answered,) = events(turn, Answered)
    top = max(details(turn).rows, key=lambda row: row["total_damage"])
    assert answered.source == "policy"
    assert answered.topics == ("damage",)
    assert f"{top['total_damage']:,}" in turn.reply
    told = [span for span in turn.spans if any(map(str.isdigit, span.text))]
    assert all(span.cites == ("r1",) and span.state == "vouched" for span in told)
    assert "Tally" in told[0].lines[0]
    assert "[r1]" not in turn.reply
    assert all(held(details(turn), finding) for finding in answered.findings)
    assert (len(turn.calls), turn.cites) == (1, ("r1",))


def look(tool: str, index: int = 0, **args: object) -> Call:
    return Call("look", {"tool": tool, **args}, index=index)


TOP = look("tally", measure="damage", pulls="2")


async def test_the_model_is_asked_with_nothing_looked_up_and_chooses_itself(
    tmp_path: Path,
) -> None:
    turn, model = await played(
        tmp_path, [[look("death_analysis", pull=1)], "Once [r1]."], "Top damage on pull 2?"
    )
    assert "[r1]" not in model.seen[0].messages[-1].text
    assert [(e.tool, e.fight) for e in events(turn, ToolReturned)] == [("get_death_analysis", 1)]


async def test_that_a_name_is_in_no_report_can_be_cited_and_a_call_that_cannot_be_made_not(
    tmp_path: Path,
) -> None:
    looks = [
        look("search_fights", boss="Zzyzx"),
        look("tally", 1, measure="mana"),
        look("roster", index=2),
    ]
    script = [looks, "No boss called Zzyzx was met in any report [r1.1]."]
    turn, model = await played(tmp_path, script, "have we met Zzyzx?")
    absent, wrong, roster = (message.text for message in model.seen[1].messages[-3:])
    assert absent.startswith("[r1] Search fights: nothing found")
    assert "1 | no boss 'Zzyzx'; there are" in absent
    assert wrong.startswith("get_tally: no measure 'mana'")
    assert roster.startswith("[r3]")
    assert "vouched" in {span.state for span in turn.spans if "Zzyzx" in span.text}


async def test_no_answer_is_given_twice_to_different_messages(tmp_path: Path) -> None:
    first, _ = await played(tmp_path, [], "Top damage on pull 2?")
    again, _ = await played(tmp_path / "b", [], "Top damage on pull 2?", "well, same here then")
    assert again.reply
    assert again.reply.partition("\n")[0] != first.reply.partition("\n")[0]


async def test_the_prompt_tells_what_there_is(tmp_path: Path) -> None:
    _, model = await played(tmp_path, ["Hello."], "hello")
    asked = model.seen[0].messages[-1].text
    assert re.search(
        r"3 \| pull 3 \| Magtheridon \| wipe \| \d\d:\d\d:\d\d \| \d\d:\d\d:\d\d \| 48.5 \| 56.2",
        asked,
    )
    assert re.search(r"\d+ \| Lororin \| tank \| Protection Paladin", asked)
    assert "Other reports, the newest first: 482f80a09e39" in asked
    assert "High King Maulgar, Gruul the Dragonkiller" in asked


def test_what_two_questions_need_is_looked_up_once() -> None:
    plan = Plan(Question("?"), (Planned("get_night_deaths", {}),))
    asked = nodes._planned(replace(plan, also=(plan,)))
    assert len(asked.calls) == 1


def test_another_report_is_told_by_its_first_bosses() -> None:
    told = prompts._told(Elsewhere(code="c", title="t", bosses=tuple("ABCDEFGH")))
    assert told == "c (t): A, B, 6 more bosses"


async def test_a_true_number_passes_with_its_line_and_a_swapped_one_is_shown_in_doubt(
    tmp_path: Path,
) -> None:
    first, _ = await played(tmp_path, [], "Top damage on pull 2?")
    top, second = sorted(details(first).rows, key=lambda row: -row["total_damage"])[:2]
    names = [str(row["name"]).partition("-")[0] for row in (top, second)]
    swapped = f"{names[1]} did {top['total_damage']:,} damage"
    said = (
        f"Here goes. {names[0]} did {top['total_damage']:,} damage [r1.1]."
        f" {swapped} [r1.2]. I liked it."
    )
    turn, _ = await played(tmp_path / "b", [[TOP], said], "Top damage on pull 2?")
    true = f"{names[0]} did {top['total_damage']:,} damage"
    assert turn.reply == f"Here goes. {true}. {swapped}. I liked it."
    assert "".join(span.text for span in turn.spans) == turn.reply
    states = {span.state for span in turn.spans}
    assert states >= {"vouched", "doubted", "view"}
    doubted = next(span for span in turn.spans if swapped in span.text)
    assert doubted.state == "doubted"
    assert any(f"{second['total_damage']:,}" in line for line in doubted.lines)
    (line,) = next(span.lines for span in turn.spans if true in span.text)
    assert line.startswith(names[0])
    assert f"damage done with pets {top['total_damage']:,} (1 of 19)" in line
    (answered,) = events(turn, Answered)
    assert (answered.source, turn.cites) == ("model", ("r1",))
    assert {(f.metric, f.player, f.value) for f in answered.findings} >= {
        ("total_damage", names[0], top["total_damage"])
    }


async def test_calls_of_one_step_run_side_by_side_under_ids_of_their_own(tmp_path: Path) -> None:
    calls: Entry = [look("DeathAnalysis", pull=1), look("get_bloodlust_timing", 1, pull="1")]
    turn, model = await played(tmp_path, [calls, "Done."], "hello there")
    results = events(turn, ToolReturned)
    assert [(r.result, r.tool, r.fight) for r in results] == [
        ("r1", "get_death_analysis", 1),
        ("r2", "get_bloodlust_timing", 1),
    ]
    assert model.left == 0


async def test_the_same_call_again_is_printed_again_and_not_run_again(tmp_path: Path) -> None:
    again: Entry = [look("fight_details", pull="2")]
    turn, model = await played(tmp_path, [again, again, "Done."], "hello")
    assert len(events(turn, ToolReturned)) == 1
    told = model.seen[2].messages[-1].text
    assert told.startswith("[r1] Fight details")
    assert "\n1 | " in told


async def test_a_player_chooses_rows_of_a_result_of_everyone(tmp_path: Path) -> None:
    name = str(demo_nights()[1].overview("", "").night.members[3].name).partition("-")[0]  # type: ignore[union-attr]
    calls: list[Entry] = [
        [look("fight_details", pull=2)],
        [look("fight_details", pull=2, player=name)],
        "Ok.",
    ]
    turn, model = await played(tmp_path, calls, "hello")
    rows = model.seen[2].messages[-1].text.splitlines()
    assert f" | {name} | " in rows[2]
    assert rows[3].startswith("(At most")
    assert len(events(turn, ToolReturned)) == 1


async def test_further_rows_of_a_result_are_a_page_of_it(tmp_path: Path) -> None:
    calls: list[Entry] = [
        [look("ability_breakdown", pull=2)],
        [look("ability_breakdown", pull=2, page=2)],
        "Ok.",
    ]
    turn, model = await played(tmp_path, calls, "hello")
    before = model.seen[1].messages[-1].text
    first = re.findall(r"page 2 goes on from row (\d+)", before)[0]
    page = model.seen[2].messages[-1].text.splitlines()
    assert page[0].startswith("[r1] Ability breakdown")
    assert page[2].startswith(f"{first} | ")
    assert len(events(turn, ToolReturned)) == 1


async def test_what_other_words_find_again_goes_on_and_is_printed_once(tmp_path: Path) -> None:
    calls: list[Entry] = [
        [look("buff_analysis", pull="2"), look("buff_analysis", 1, pull="pull 2")],
        [look("buff_analysis", 2, pull="02", page=2)],
        "Ok.",
    ]
    _, model = await played(tmp_path, calls, "hello")
    first, again = (m.text for m in model.seen[1].messages if isinstance(m, ToolMessage))
    assert again.startswith("(the same as above)")
    after = re.findall(r"page 2 goes on from row (\d+)", first)[0]
    assert model.seen[2].messages[-1].text.splitlines()[2].startswith(f"{after} | ")


async def test_how_often_it_may_look_and_what_room_is_left_is_said(tmp_path: Path) -> None:
    calls: list[Entry] = [[look("buff_analysis", pull=n)] for n in (1, 2, 3)]
    _, model = await played(tmp_path, [*calls, "Ok."], "hello")
    assert "At most 8 looks at once, 11 more times" in model.seen[0].messages[-1].text
    assert "10 more times; room for" in model.seen[1].messages[-1].text


async def test_a_wrong_call_comes_back_to_the_model_with_a_reason(tmp_path: Path) -> None:
    wrong: Entry = [
        Call("delete_everything", {}),
        look("list_pulls", 1, step=4),
        look("my_performance", 2, boss="Gruul"),
        look("storm_the_castle", 3),
        look("fight_details", 4, pull="99"),
    ]
    turn, model = await played(tmp_path, [wrong, "Sorry."], "hello")
    told = {m.tool_call_id: m.text for m in model.seen[1].messages if isinstance(m, ToolMessage)}
    reasons = "\n".join(told.values())
    assert "no tool 'delete_everything'" in reasons
    assert "list_pulls(pulls) takes no step" in reasons
    assert "my_performance(boss, player!, bests): player" in reasons
    assert "no tool 'storm_the_castle'" in reasons
    assert "no pull 99" in reasons
    assert [e.problem != "" for e in events(turn, ToolReturned)] == [True]


@pytest.mark.parametrize("entry", ["", ModelError("down")], ids=["silent", "down"])
async def test_without_the_models_word_the_policy_answers(tmp_path: Path, entry: Entry) -> None:
    turn, _ = await played(tmp_path, [entry], "Top damage on pull 2?")
    assert "did the most damage" in turn.reply
    assert events(turn, Answered)[0].source == "policy"


async def test_a_model_that_only_wants_tools_is_stopped_and_the_policy_answers(
    tmp_path: Path,
) -> None:
    script: list[Entry] = [[look("fight_details", pull=str(1 + n % 3))] for n in range(30)]
    turn, model = await played(tmp_path, script, "Who died first?")
    assert len(model.seen) == nodes.MODEL_CALLS
    assert not model.seen[-1].tools
    assert "answer now" in model.seen[-1].messages[-1].text
    assert not any(isinstance(message, ToolMessage) for message in model.seen[-1].messages)
    assert "First to die" in turn.reply
    assert 2 * (nodes.MODEL_CALLS + 2) <= STEPS


async def test_the_last_question_to_the_model_gets_an_answer(tmp_path: Path) -> None:
    looks: list[Entry] = [
        [look("fight_details", pull=str(1 + n % 3))] for n in range(nodes.MODEL_CALLS - 1)
    ]
    turn, _ = await played(tmp_path, [*looks, "Well fought [r1]."], "hello")
    assert turn.reply == "Well fought."
    assert events(turn, Answered)[0].source == "model"


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
        look("ability_breakdown", pull="1", player=name),
        look("fight_details", 1, report=name),
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


async def test_answers_are_remembered_without_their_tables(tmp_path: Path) -> None:
    script: list[Entry] = [ModelError("down"), "Fine."]
    _, model = await played(tmp_path, script, "Top damage on pull 2?", "thanks")
    said = [message.text for message in model.seen[1].messages[1:-1]]
    assert said[0] == "Top damage on pull 2?"
    assert "did the most damage" in said[1]
    assert "|" not in said[1]
    assert len(said[1]) <= 420


async def test_where_nothing_is_cited_of_what_was_looked_up_the_policy_answers(
    tmp_path: Path,
) -> None:
    turn, _ = await played(tmp_path, [[TOP], "You were all great."], "Top damage on pull 2?")
    assert "did the most damage" in turn.reply
    assert "great" not in turn.reply


@pytest.mark.parametrize("wide", [False, True], ids=["demo", "500 rows"])
async def test_a_prompt_stays_within_its_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: bool
) -> None:
    if wide:

        def grown(*given: object) -> ToolOutcome:
            found = run_tool(*given)  # type: ignore[arg-type]
            times = 500 // (len(found.rows) or 1) + 1
            return found.model_copy(update={"rows": (found.rows * times)[:500]})

        monkeypatch.setattr(nodes, "run_tool", grown)
    many = ("ability_breakdown", "buff_analysis", "cooldown_efficiency", "dot_management")
    pulls = some((1, 2, 3), 2)
    calls: list[Entry] = [
        [look(tool, place, pull=pull) for place, tool in enumerate(many)] for pull in pulls
    ]
    question = "Why did we wipe on pull 3?" + (" And again?" * 600 if wide else "")
    _, model = await played(tmp_path, [*calls, "Done."], question)
    assert len(model.seen) == len(calls) + 1
    for seen in model.seen:
        spoken = sum(len(m.text) + len(str(getattr(m, "tool_calls", ""))) for m in seen.messages)
        assert spoken + len(str(seen.tools)) <= nodes.PROMPT


async def test_a_short_result_is_printed_even_where_the_room_is_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "_left", lambda state: 0)
    every = look("tally", 1, measure="damage", pulls="2", by="ability")
    one = look("tally", measure="deaths", pulls="2", player="Yasmane")
    _, model = await played(tmp_path, [[one, every], "Done."], "Who died on pull 2?")
    shown = "\n".join(message.text for message in model.seen[-1].messages)
    assert re.search(r"\[r1\].*\n.*\n1 \| ", shown)
    assert re.search(r"\[r2\].*\d+ rows, not printed", shown)


async def test_the_room_that_is_told_is_there_whatever_the_model_could_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(model: ScriptedModel) -> int:
        found = re.search(r"room for ([\d,]+) characters", model.seen[0].messages[-1].text)
        assert found
        return int(found[1].replace(",", ""))

    _, model = await played(tmp_path / "a", ["Hello."], "hello")
    assert told(model) > 3_000
    monkeypatch.setattr(SessionModels, "context_tokens", lambda self, role: 32_768)
    _, wider = await played(tmp_path / "b", ["Hello."], "hello")
    assert told(wider) == told(model)


async def test_what_the_last_answer_rested_on_can_be_cited(tmp_path: Path) -> None:
    first, _ = await played(tmp_path / "a", [], "Top damage on pull 2?")
    top = max(details(first).rows, key=lambda row: row["total_damage"])
    said = f"{str(top['name']).partition('-')[0]} did {top['total_damage']:,}"
    script: list[Entry] = [[TOP], f"{said} [r1.1].", f"As I said, {said} [r90.1]."]
    turn, model = await played(tmp_path / "b", script, "Top damage on pull 2?", "hello")
    assert "[r90] told before: Tally of damage by player" in model.seen[2].messages[-1].text
    assert turn.reply == f"As I said, {said}."
    assert [span.state for span in turn.spans if span.cites] == ["vouched"]
