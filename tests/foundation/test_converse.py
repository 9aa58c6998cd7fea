"""One step of a tool loop: valid calls, refused calls with reasons, or checked prose."""

from __future__ import annotations

import pytest
from duel.record import reader, tables_of
from duel.state import BlowStruck
from langchain_core.messages import HumanMessage
from lectern import MINUTE, Lapse, Lectern
from pydantic import BaseModel, ConfigDict

from ruleplay.errors import ModelError
from ruleplay.kernel.converse import CALLS_PER_STEP, Step, Tool, Wanted, converse
from ruleplay.models.scripted import Call, Entry, ScriptedModel
from ruleplay.records.events import Json
from ruleplay.telling.speech import Told


class Look(BaseModel):
    """Arguments of the tool."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: str
    rounds: int = 1


class Nothing(BaseModel):
    """No arguments."""


TOOLS = (Tool("look_up", "Look a duelist up.", Look), Tool("end_duel", "End it.", Nothing))
FACTS = tables_of([BlowStruck(seat="red", target="blue", roll=12, damage=7)])
POLICY = Step(told=Told("Red hits Blue for 7.", "policy", ("blow",)))


async def step(lectern: Lectern, otherwise: Step = POLICY) -> Step:
    return await converse(
        lectern.context,
        "duel.talk",
        messages=lambda: [HumanMessage("What happened?")],
        tools=TOOLS,
        facts=FACTS,
        check=lambda: reader(FACTS),
        otherwise=lambda: otherwise,
        deadline=MINUTE,
    )


async def taken(entry: Entry) -> tuple[Step, Lectern]:
    lectern = Lectern(ScriptedModel([entry]))
    return await step(lectern), lectern


async def test_a_tool_call_is_read_and_validated() -> None:
    found, lectern = await taken([Call("look_up", {"who": "red", "rounds": 2}, cuts=3)])
    assert found.wanted == (Wanted("look_up", Look(who="red", rounds=2), "call-0"),)
    assert (found.refused, found.told, lectern.text) == ((), None, "")
    assert lectern.context.calls[0].source == "model"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("LookUp", {"Who": "red", "Rounds": "1"}),
        ("look-up", '{"WHO": "red"}'),
        ("look_up", '{"who": "red", "rounds": 1}'),
    ],
)
async def test_names_and_arguments_are_normalised(name: str, arguments: str | Json) -> None:
    found, _ = await taken([Call(name, arguments)])
    assert [wanted.arguments for wanted in found.wanted] == [Look(who="red")]
    assert found.refused == ()


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("attack", {"who": "red"}, "no tool 'attack'; the tools are look_up, end_duel"),
        ("look_up", {}, "look_up: who: Field required; it takes who, rounds"),
        ("look_up", {"who": "red", "x": 1}, "look_up: x: Extra inputs"),
        ("look_up", {"who": "red", "rounds": "many"}, "look_up: rounds: "),
        ("look_up", '{"who": "re', "look_up: "),
        ("look_up", "[]", "look_up: no JSON object"),
    ],
)
async def test_a_wrong_call_comes_back_with_a_reason(
    name: str, arguments: str | Json, reason: str
) -> None:
    found, lectern = await taken([Call(name, arguments)])
    assert found.wanted == ()
    ((call, why),) = found.refused
    assert call.name == name
    assert reason in why
    assert lectern.context.calls[0].refusals == (why,)
    assert ("refused", why) in [(n, body.get("reason")) for n, body, _ in lectern.heard]


async def test_good_and_bad_calls_of_one_step_are_kept_apart() -> None:
    calls: Entry = [
        Call("look_up", {"who": "red"}),
        Call("attack", {}, index=1),
        Call("end_duel", {}, index=2),
    ]
    found, _ = await taken(calls)
    assert [wanted.tool for wanted in found.wanted] == ["look_up", "end_duel"]
    assert [call.name for call, _ in found.refused] == ["attack"]


async def test_too_many_calls_are_refused() -> None:
    calls: Entry = [Call("look_up", {"who": str(n)}, index=n) for n in range(CALLS_PER_STEP + 3)]
    found, _ = await taken(calls)
    assert len(found.wanted) == CALLS_PER_STEP
    assert {why for _, why in found.refused} == {f"at most {CALLS_PER_STEP} calls in one step"}


async def test_an_answer_is_cited_and_checked() -> None:
    found, lectern = await taken("Steel rings. Red hits Blue for 7 [r1.1].")
    assert found.told is not None
    assert found.told.text == "Steel rings. Red hits Blue for 7."
    assert (found.told.source, found.told.citations) == ("model", ("[r1.1]",))
    assert lectern.text == found.told.text


async def test_an_answer_that_cites_nothing_follows_the_policys_as_a_view() -> None:
    found, _ = await taken("Blue should have parried, I think.")
    assert found.told is not None
    assert found.told.text == "Red hits Blue for 7.\n\nBlue should have parried, I think."
    assert [span.state for span in found.told.spans] == ["plain", "plain", "view"]


async def test_prose_beside_a_call_is_checked_and_does_not_end_the_loop() -> None:
    said: Entry = ["Let me see. Blue hits Red for 9. ", Call("look_up", {"who": "red"})]
    found, lectern = await taken(said)
    assert found.told is None
    assert len(found.wanted) == 1
    assert "9" not in lectern.text
    assert "Let me see." in lectern.text


@pytest.mark.parametrize(
    "entry", ["", ModelError("down"), [Lapse()]], ids=["empty", "error", "deadline"]
)
async def test_a_silent_model_leaves_the_step_to_the_policy(entry: Entry) -> None:
    found, lectern = await taken(entry)
    assert found == POLICY
    assert lectern.text == "Red hits Blue for 7."
    assert lectern.context.calls[0].source == "policy"


async def test_the_policy_may_want_tools_too() -> None:
    wanted = Step(wanted=(Wanted("look_up", Look(who="blue")),))
    silent = Lectern(ScriptedModel([ModelError("down")]))
    for lectern in (silent, Lectern()):
        assert await step(lectern, wanted) == wanted
        assert lectern.text == ""
        assert lectern.context.calls[0].source == "policy"


async def test_played_back_the_step_is_the_same() -> None:
    said: Entry = ["Let me see. ", Call("look_up", {"who": "red"}), Call("attack", {}, index=1)]
    first, lectern = await taken(said)
    again = lectern.replayed()
    assert await step(again) == first
    assert again.text == lectern.text


async def test_the_tools_reach_the_model() -> None:
    model = ScriptedModel([[Call("end_duel", {})]])
    await step(Lectern(model))
    briefing = model.seen[0].briefing
    assert briefing is not None
    assert [tool["name"] for tool in briefing.tools] == ["look_up", "end_duel"]
