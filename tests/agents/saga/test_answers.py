"""What hangs on an answer is read again once that has been told, and played in the same turn."""

from __future__ import annotations

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_as_said import acts

from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.turns import Turn
from ruleplay.story.acts import Reading

ASKS = {"do": "say", "to": "maud", "want": "know", "text": "Is the road safe by night?"}
IF_SO = {"do": "flourish", "when": "answer", "text": "if it is, Halla goes out by the north door"}
SAID = "I ask Maud if the road is safe by night. If it is, I go out."
NORTH = {"do": "move", "to": "greenway", "text": "out I go"}
OPEN = "Halla keeps a hand on the latch until Maud has made up her mind."


async def turn_of(
    sit: Sit, *reads: Reading, told: str = "Maud nods. [b1]"
) -> tuple[Turn, list[str]]:
    """Play a message in the inn; return the turn and the prompts of its readings and tellings."""
    table = await sit(model="scripted")
    given = [one.model_dump_json(by_alias=True) for one in reads]
    script: dict[str, list[object]] = {
        "saga.read": [*given],
        "saga.narrator": ["Rain.", told, "The wind takes the door. [b1]"],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn(SAID)
        model = session.host.models.stand_ins["scripted"]
    assert isinstance(model, ScriptedModel)
    return turn, [str(one.messages[-1].content) for one in model.seen if one.role == "saga.read"]


async def test_what_the_answer_allows_is_done_in_the_same_turn(sit: Sit) -> None:
    turn, asked = await turn_of(sit, acts(ASKS, IF_SO), acts(NORTH))
    kinds = [event["type"] for event in turn.events]
    assert kinds[0] == "Spoke"
    assert "Travelled" in kinds
    assert kinds.count("TurnConcluded") == 1
    assert "LeftUndone" not in kinds
    assert turn.reply.index("Maud nods.") < turn.reply.index("You come to the Greenway.")
    assert "Maud nods." in asked[1]
    assert str(IF_SO["text"]) in asked[1]


async def test_what_stays_open_is_a_sentence_of_the_story(sit: Sit) -> None:
    turn, _ = await turn_of(sit, acts(ASKS, IF_SO), acts({**IF_SO, "text": OPEN}))
    assert turn.reply.endswith(OPEN)
    assert "\u203a" not in turn.reply.splitlines()[-1]


async def test_an_answer_may_leave_nothing_to_do(sit: Sit) -> None:
    turn, _ = await turn_of(sit, acts(ASKS, IF_SO), Reading())
    assert turn.reply.endswith("Maud nods.")


async def test_a_turn_goes_on_once(sit: Sit) -> None:
    turn, asked = await turn_of(sit, acts(ASKS, IF_SO), acts(NORTH, {**IF_SO, "text": OPEN}))
    assert len(asked) == 2
    assert turn.reply.endswith(OPEN)


@pytest.mark.parametrize("telling", ["", "Osric lies dead on the floor. [b1]"])
async def test_it_is_read_on_by_the_lines_where_no_prose_passed(sit: Sit, telling: str) -> None:
    turn, asked = await turn_of(sit, acts(ASKS, IF_SO), acts(NORTH), told=telling)
    assert len(asked) == 2
    assert "Travelled" in [event["type"] for event in turn.events]
