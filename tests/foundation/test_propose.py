"""A proposal is legal whatever the model says: repaired once, then the policy decides."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from decimal import Decimal

import pytest
from lectern import MINUTE, Lapse, Lectern
from pydantic import BaseModel, ConfigDict, Field

from ruleplay.errors import ModelError, RuleplayError
from ruleplay.kernel.context import Prompt
from ruleplay.kernel.propose import ANSWER_LIMIT, Proposed, normalise, propose, read_json, snake
from ruleplay.models.scripted import Entry, Reply, ScriptedModel


class Order(BaseModel):
    """What is asked for."""

    model_config = ConfigDict(frozen=True)

    part_number: str
    quantity: int = Field(ge=1)
    express: bool = False
    discount: float | None = None


POLICY = Order(part_number="PS1", quantity=1)
GOOD = '{"part_number": "PS2", "quantity": 2}'
ILLEGAL = '{"part_number": "PS9", "quantity": 2}'


def legal(order: Order) -> list[str]:
    return ["part PS9 is not sold"] if order.part_number == "PS9" else []


async def ask(lectern: Lectern, deadline: float = 0) -> Proposed[Order]:
    return await propose(
        lectern.context,
        "shop.order",
        prompt=lambda: Prompt(system="You take orders.", user="two of PS2"),
        schema=Order,
        legal=legal,
        otherwise=lambda: POLICY,
        deadline=deadline,
    )


async def proposed(*script: Entry) -> tuple[Proposed[Order], Lectern, ScriptedModel]:
    model = ScriptedModel(script)
    lectern = Lectern(model)
    return await ask(lectern), lectern, model


async def test_a_legal_value_comes_from_the_model() -> None:
    found, lectern, model = await proposed(GOOD)
    assert found == Proposed(Order(part_number="PS2", quantity=2), "model", ())
    assert model.left == 0
    call = lectern.context.calls[0]
    assert (call.role, call.source, call.model) == ("shop.order", "model", "scripted")
    assert call.input_tokens > 0
    assert call.output_tokens > 0
    assert lectern.context.prompts == {call.system: "You take orders."}
    assert call.asked == "two of PS2"


@pytest.mark.parametrize(
    "answer",
    [
        "```json\n" + GOOD + "\n```",
        "Sure! " + GOOD + " Anything else?",
        '{"PartNumber": "PS2", "Quantity": 2}',
        '{"partNumber": "PS2", "quantity": "2"}',
        '{"part-number": "PS2", "QUANTITY": " 2"}',
        '{"part_number": "PS2", "quantity": 2, "express": "False", "discount": null}',
        '{"part_number": "PS2", "quantity": "2", "express": false}',
    ],
)
async def test_clumsy_answers_are_understood(answer: str) -> None:
    found, _, _ = await proposed(answer)
    assert (found.value, found.source) == (Order(part_number="PS2", quantity=2), "model")


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (ILLEGAL, "part PS9 is not sold"),
        ('{"part_number": "PS2", "quantity": 0}', "quantity: "),
        ('{"part_number": "PS2"}', "quantity: Field required"),
        ("I would rather not.", "no JSON object"),
        ("", "no JSON object"),
        ('{"part_number": "PS2", "quant', "not the JSON asked for"),
        ("[1, 2]", "no JSON object"),
        ('{"part_number": "PS2", "quantity": NaN}', "NaN is not a JSON number"),
        (GOOD[:-1] + ', "discount": Infinity}', "Infinity is not a JSON number"),
        ("{" * 5_000, "not the JSON asked for"),
        ('{"a":' * 5_000 + "1" + "}" * 5_000, "not the JSON asked for"),
        (GOOD + " " * ANSWER_LIMIT, "at most"),
        (Reply((GOOD,), finish_reason="length"), "cut off at the token limit"),
    ],
)
async def test_a_bad_answer_is_repaired_once_with_its_reason(bad: Entry, reason: str) -> None:
    found, lectern, model = await proposed(bad, GOOD)
    assert (found.value.part_number, found.source) == ("PS2", "model")
    assert len(found.refusals) == 1
    assert reason in found.refusals[0]
    assert reason in model.seen[1].messages[-1].text
    assert [asked.briefing.attempt for asked in model.seen if asked.briefing] == [0, 1]
    assert [name for name, _, _ in lectern.heard] == ["refused"]


async def test_a_repair_does_not_send_a_huge_answer_back() -> None:
    _, _, model = await proposed("x" * 100_000, GOOD)
    assert sum(len(message.text) for message in model.seen[1].messages) < 5_000


@pytest.mark.parametrize(
    ("first", "second"),
    [(ILLEGAL, ILLEGAL), ("garbage", ILLEGAL), (ILLEGAL, Reply((GOOD,), finish_reason="length"))],
)
async def test_two_bad_answers_leave_it_to_the_policy(first: Entry, second: Entry) -> None:
    found, lectern, model = await proposed(first, second)
    assert (found.value, found.source, len(found.refusals)) == (POLICY, "policy", 2)
    assert model.left == 0
    assert lectern.context.calls[0].source == "policy"


async def test_a_failing_model_is_not_asked_again() -> None:
    found, lectern, model = await proposed(ModelError("the provider is down"), GOOD)
    assert (found.value, found.source) == (POLICY, "policy")
    assert found.refusals == ("the provider is down",)
    assert model.left == 1
    assert lectern.context.calls[0].replies[0].end == "error"


async def test_a_deadline_stops_the_model_and_keeps_what_it_said() -> None:
    model = ScriptedModel([['{"part_number"', Lapse(), GOOD]])
    lectern = Lectern(model)
    found = await ask(lectern, deadline=MINUTE)
    assert (found.value, found.source) == (POLICY, "policy")
    reply = lectern.context.calls[0].replies[0]
    assert (reply.end, reply.text) == ("deadline", '{"part_number"')
    # What is left of the minute when the model is asked: all of it, or a little less.
    assert re.search(r"within (60|59\.\d+|5\d(\.\d+)?) s", found.refusals[0])


@pytest.mark.parametrize(("second", "source"), [(0.5, "policy"), (0.1, "model")])
async def test_the_deadline_covers_the_repair_too(
    monkeypatch: pytest.MonkeyPatch, second: float, source: str
) -> None:
    loop = asyncio.get_running_loop()
    monkeypatch.setattr("ruleplay.kernel.propose.perf_counter", lambda: loop.time())
    model = ScriptedModel([[Lapse(0.6 * MINUTE), ILLEGAL], [Lapse(second * MINUTE), GOOD]])
    found = await ask(Lectern(model), deadline=MINUTE)
    assert (found.source, len(found.refusals)) == (source, 2 if source == "policy" else 1)


async def test_the_configured_time_counts_when_none_is_given() -> None:
    model = ScriptedModel([[Lapse(), GOOD]])
    found = await ask(Lectern(model, propose_seconds=MINUTE))
    assert found.source == "policy"
    assert "60 s" in found.refusals[0]


async def test_waiting_for_a_free_place_counts_against_the_deadline() -> None:
    gate = asyncio.Event()
    model = ScriptedModel({"shop.order": [[gate, GOOD], GOOD]})
    lectern = Lectern(model, model_calls=1)
    first = asyncio.create_task(ask(lectern, deadline=MINUTE))
    async with asyncio.timeout(180):
        while not model.seen:
            await asyncio.sleep(0)
    assert (await ask(lectern, deadline=0.05)).source == "policy"
    gate.set()
    assert (await first).source == "model"
    assert len(model.seen) == 1


async def test_a_spending_cap_leaves_it_to_the_policy() -> None:
    model = ScriptedModel([])
    lectern = Lectern(model, spending_cap="0.50")
    lectern.context.spent = Decimal("0.50")
    found = await ask(lectern)
    assert found.source == "policy"
    assert "0.50" in found.refusals[0]
    assert model.seen == ()


async def test_rules_never_builds_a_prompt() -> None:
    def no_prompt() -> Prompt:
        raise AssertionError("nobody reads it")

    lectern = Lectern()
    found = await propose(
        lectern.context,
        "shop.order",
        prompt=no_prompt,
        schema=Order,
        legal=legal,
        otherwise=lambda: POLICY,
    )
    assert (found.value, found.source) == (POLICY, "policy")
    call = lectern.context.calls[0]
    assert (call.model, call.replies, call.refusals) == ("rules", (), ())


@pytest.mark.parametrize("model", [None, ScriptedModel(["nonsense", "nonsense"])])
async def test_an_illegal_policy_is_a_defect(model: ScriptedModel | None) -> None:
    lectern = Lectern(model)
    with pytest.raises(RuleplayError, match=r"policy of 'shop.order'.*PS9"):
        await propose(
            lectern.context,
            "shop.order",
            prompt=lambda: Prompt(system="", user=""),
            schema=Order,
            legal=legal,
            otherwise=lambda: Order(part_number="PS9", quantity=1),
        )


async def test_played_back_it_decides_alike_without_a_model() -> None:
    first, lectern, _ = await proposed(ILLEGAL, GOOD)
    again = await ask(lectern.replayed())
    assert again == first


async def test_a_deadline_is_played_back_as_a_deadline() -> None:
    lectern = Lectern(ScriptedModel([[asyncio.Event()]]))
    first = await ask(lectern, deadline=0.05)
    again = await ask(lectern.replayed(), deadline=0.05)
    assert again == first


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("PartNumber", "part_number"),
        ("partNumber", "part_number"),
        ("part-number", "part_number"),
        ("PART NUMBER", "part_number"),
        ("part_number", "part_number"),
    ],
)
def test_names_are_read_in_any_style(written: str, name: str) -> None:
    assert snake(written) == name


def test_the_first_of_two_keys_for_one_field_counts() -> None:
    given = normalise({"part_number": "A", "PartNumber": "B"}, Order.model_json_schema())
    assert given["part_number"] == "A"


def test_strings_stay_strings_where_strings_are_meant() -> None:
    given = normalise({"part_number": "123"}, Order.model_json_schema())
    assert given["part_number"] == "123"


def test_prose_before_the_answer_may_hold_braces() -> None:
    texts: Sequence[str] = ('Set {x}: {"a": 1}', '{not json} then {"a": 1}')
    assert [read_json(text) for text in texts] == [{"a": 1}, {"a": 1}]


@pytest.mark.parametrize(
    "text",
    ['{"order": {"a": 1}, "cut', '{"order": {"a": 1}', '{"order": {"a": 1}, x', "{" * 60_000],
)
def test_a_part_of_a_broken_answer_is_never_taken_for_the_answer(text: str) -> None:
    with pytest.raises(ValueError, match=r"line 1"):
        read_json(text)
