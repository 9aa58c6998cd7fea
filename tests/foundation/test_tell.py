"""What readers see was cited and checked, also when the model lies, fails or stops halfway."""

from __future__ import annotations

import pytest
from duel.record import reader, tables_of
from duel.state import BlowStruck, BoutEnded
from lectern import MINUTE, Lapse, Lectern

from ruleplay.errors import ModelError, UserError
from ruleplay.kernel.context import Prompt
from ruleplay.kernel.tell import tell
from ruleplay.models.scripted import Entry, Reasoning, Reply, ScriptedModel
from ruleplay.telling.speech import Told

TABLES = tables_of(
    [BlowStruck(seat="red", target="blue", roll=12, damage=7), BoutEnded(loser="blue")]
)
TEMPLATE = "Red hits Blue for 7. Blue falls. So it ends."
CITED = "Steel rings. Red hits Blue for 7 [r1.1]. Blue falls [r2.1], and the crowd is silent."


async def told(lectern: Lectern, deadline: float = 0) -> Told:
    return await tell(
        lectern.context,
        "duel.narrator",
        prompt=lambda: Prompt(system="You tell of a duel.", user="Red hits Blue for 7."),
        facts=TABLES,
        check=lambda: reader(TABLES),
        otherwise=lambda: TEMPLATE,
        deadline=deadline,
    )


async def spoken(*script: Entry) -> tuple[Told, Lectern]:
    lectern = Lectern(ScriptedModel(script))
    return await told(lectern, deadline=MINUTE), lectern


async def test_true_prose_passes_without_its_tags() -> None:
    found, lectern = await spoken([CITED[:20], CITED[20:49], CITED[49:]])
    assert found.text == "Steel rings. Red hits Blue for 7. Blue falls, and the crowd is silent."
    assert (found.source, found.citations) == ("model", ("[r1.1]", "[r2.1]"))
    assert lectern.text == found.text
    assert [name for name, _, _ in lectern.heard].count("text") > 1
    call = lectern.context.calls[0]
    assert (call.source, call.replies[0].text) == ("model", CITED)


async def test_a_lie_is_seen_by_nobody() -> None:
    lie = CITED.replace("Red hits Blue for 7", "Blue hits Red for 9")
    found, lectern = await spoken(lie, "1. Blue hits Red for 9 [r1.1].")
    assert "9" not in found.text + lectern.text
    assert found.source == "model"
    assert "not in r1.1" in found.refusals[0]
    assert ("refused", found.refusals[0]) in [
        (name, body.get("reason")) for name, body, _ in lectern.heard
    ]


async def test_what_must_be_told_is_added() -> None:
    found, lectern = await spoken("Steel rings.")
    assert found.text == "Steel rings.\n\nRed hits Blue for 7. Blue falls."
    assert found.source == "model"
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


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (["Steel rings. Red hits Bl", Lapse()], "no complete answer within"),
        (["Steel rings. Red hits Bl", ModelError("line cut")], "line cut"),
        (Reply(("Steel rings. Red hits Blue for 7",), finish_reason="length"), "cut off at"),
    ],
    ids=["deadline", "error", "token limit"],
)
async def test_a_text_that_breaks_off_loses_its_last_sentence(entry: Entry, why: str) -> None:
    found, lectern = await spoken(entry)
    assert found.text == "Steel rings.\n\nRed hits Blue for 7. Blue falls."
    assert why in found.refusals[0]
    assert lectern.text.split() == found.text.split()


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
    assert (found.text, found.source, found.spans) == (TEMPLATE, "policy", ())
    assert lectern.text == TEMPLATE


async def test_played_back_it_tells_alike() -> None:
    first, lectern = await spoken([f"{CITED} Blue hits Red for 9 [r1.1]. Steel ri", Lapse()])
    again = lectern.replayed()
    assert await told(again) == first
    assert again.text == lectern.text


async def test_a_defect_of_the_test_is_no_model_failure() -> None:
    with pytest.raises(UserError, match="script ended"):
        await spoken()


async def test_text_without_end_is_cut() -> None:
    found, lectern = await spoken(["Steel rings. " * 1_000] * 30)
    assert len(lectern.text) < 250_000
    assert lectern.text.split() == found.text.split()
