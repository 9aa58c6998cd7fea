"""What readers see was checked, also when the model lies, fails or stops halfway."""

from __future__ import annotations

import pytest
from duel.record import check, facts_of
from duel.state import BlowStruck, BoutEnded
from lectern import MINUTE, Lapse, Lectern

from ruleplay.foundation.context import Prompt
from ruleplay.foundation.errors import ModelError, UserError
from ruleplay.foundation.llm.rehearsal import Entry, Reasoning, Reply, ScriptedModel
from ruleplay.foundation.prose.tell import Told, tell

FACTS = facts_of(
    [BlowStruck(seat="red", target="blue", roll=12, damage=7), BoutEnded(loser="blue")]
)
TEMPLATE = "Red hits Blue for 7. Blue falls. So it ends."


async def told(lectern: Lectern, deadline: float = 0) -> Told:
    return await tell(
        lectern.context,
        "duel.narrator",
        prompt=lambda: Prompt(system="You tell of a duel.", user="Red hits Blue for 7."),
        facts=FACTS,
        check=check,
        otherwise=lambda: TEMPLATE,
        deadline=deadline,
    )


async def spoken(*script: Entry) -> tuple[Told, Lectern]:
    lectern = Lectern(ScriptedModel(script))
    return await told(lectern, deadline=MINUTE), lectern


async def test_true_prose_passes_as_written() -> None:
    prose = "Steel rings. Red hits Blue for 7. Blue falls, and the crowd is silent."
    found, lectern = await spoken([prose[:20], prose[20:41], prose[41:]])
    assert found == Told(prose, "model", ("blow", "fall"), ())
    assert lectern.text == prose
    assert [name for name, _, _ in lectern.heard].count("text") > 1
    call = lectern.context.calls[0]
    assert (call.source, call.replies[0].text) == ("model", prose)


async def test_a_lie_is_replaced_in_place_before_anyone_sees_it() -> None:
    found, lectern = await spoken("Steel rings. Blue hits Red for 7. Blue falls. Silence.")
    assert found.text == "Steel rings. Red hits Blue for 7. Blue falls. Silence."
    assert found.source == "model"
    assert found.refusals == ("not on record: blue hits red 7",)
    assert lectern.text == found.text
    assert ("refused", "not on record: blue hits red 7") in [
        (name, body.get("reason")) for name, body, _ in lectern.heard
    ]


async def test_what_must_be_told_is_added() -> None:
    found, lectern = await spoken("Steel rings.")
    assert found.text == "Steel rings. Red hits Blue for 7. Blue falls."
    assert (found.source, found.citations) == ("model", ("blow", "fall"))
    assert lectern.text == found.text


@pytest.mark.parametrize(
    "entry",
    ["", "   \n", ModelError("down"), [Lapse()], "<think>Red hits Blue for 7.</think>"],
    ids=["empty", "blank", "error", "deadline", "only thoughts"],
)
async def test_when_the_model_brings_nothing_the_policy_speaks_whole(entry: Entry) -> None:
    found, lectern = await spoken(entry)
    assert (found.text, found.source) == (TEMPLATE, "policy")
    assert lectern.text == TEMPLATE
    assert lectern.context.calls[0].source == "policy"


async def test_after_a_deadline_the_unfinished_sentence_is_dropped() -> None:
    found, lectern = await spoken(["Steel rings. Red hits Bl", Lapse()])
    assert found.text == "Steel rings. Red hits Blue for 7. Blue falls."
    assert "no complete answer within" in found.refusals[0]
    assert lectern.text == found.text


async def test_an_error_in_the_middle_keeps_what_was_checked() -> None:
    found, lectern = await spoken(["Steel rings. Red hits Bl", ModelError("line cut")])
    assert found.text == "Steel rings. Red hits Blue for 7. Blue falls."
    assert found.refusals == ("line cut",)
    assert lectern.text == found.text


async def test_a_text_cut_at_the_token_limit_loses_its_last_sentence() -> None:
    found, _ = await spoken(Reply(("Steel rings. Red hits Blue for 7",), finish_reason="length"))
    assert found.text == "Steel rings. Red hits Blue for 7. Blue falls."
    assert found.refusals == ("cut off at the token limit",)


@pytest.mark.parametrize(
    "entry",
    [
        ["<thi", "nk>Blue hits Red for 99.</th", "ink>Steel rings."],
        [Reasoning("Blue hits Red for 99."), "Steel rings."],
        [Reasoning("Blue hits Red for 99.", as_block=True), "Steel rings."],
    ],
)
async def test_thoughts_are_never_shown(entry: Entry) -> None:
    found, lectern = await spoken(entry)
    assert found.text.startswith("Steel rings.")
    assert "99" not in lectern.text + found.text
    assert found.refusals == ()


async def test_rules_speaks_the_template_without_a_prompt() -> None:
    lectern = Lectern()
    found = await told(lectern)
    assert (found.text, found.source, found.citations) == (TEMPLATE, "policy", ("blow", "fall"))
    assert lectern.text == TEMPLATE


async def test_played_back_it_tells_alike() -> None:
    entry: Entry = ["Blue hits Red for 9. Steel ri", Lapse()]
    first, lectern = await spoken(entry)
    again = lectern.replayed()
    assert await told(again) == first
    assert again.text == lectern.text


async def test_a_defect_of_the_test_is_no_model_failure() -> None:
    with pytest.raises(UserError, match="script ended"):
        await spoken()


async def test_text_without_end_is_cut() -> None:
    found, lectern = await spoken(["Steel rings. " * 1_000] * 30)
    assert len(lectern.text) < 250_000
    assert lectern.text == found.text or lectern.text.strip() == found.text
