"""Sums and quantities: a total stands only where it is asked for and every count is known."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.policy.quantities import quantities
from ruleplay.agents.parts.policy.rows import reader, tables_of
from ruleplay.agents.parts.state import State, ToolReturned
from ruleplay.records.turns import Turn

Talk = Callable[..., Awaitable[list[Turn]]]
WHEEL = Card(
    row="1",
    number="PS3406971",
    name="Lower Dishrack Wheel",
    manufacturer_number="W10195416",
    replaces=("AP5983730", "W10195416V"),
    price=Decimal("26.89"),
)
PUMP = Card(row="2", number="PS90001822", name="Drain Pump", price=Decimal("40.00"))
CARDS = [WHEEL, PUMP]


@pytest.mark.parametrize(
    ("messages", "of", "unclear"),
    [
        (["PS90001822 pour un WDT780SAEM1 et PS3406971 x4"], {"PS3406971": 4}, set()),
        (["PS3406971 x4", "total ?"], {"PS3406971": 4}, set()),
        (["4 × W10195416, please"], {"PS3406971": 4}, set()),
        (["PS3406971 x4", "non attendez, 2 roulettes seulement"], {"PS3406971": 2}, set()),
        (["PS3406971 x4", "encore une fois, 3"], {"PS3406971": 4}, {3}),
        (["3 of something", "PS3406971 x4", "total ?"], {"PS3406971": 4}, set()),
        (["PS3406971 x4", "PS3406971 x2"], {"PS3406971": 2}, set()),
        (["quatre roulettes"], {"PS3406971": 4}, set()),
        (["laquelle de ces deux roulettes est la moins chère ?"], {}, set()),
        (["deux de ces roulettes"], {"PS3406971": 2}, set()),
        (["les roulettes x4 et PS90001822"], {"PS3406971": 4}, set()),
        (["PS3406971 et PS90001822, le prix des deux ?"], {}, set()),
        (["is WDT780SAEM1 or 10650022211 the 120 V one, for $35?"], {}, set()),
    ],
)
def test_counts_are_read_of_all_messages(
    messages: list[str], of: dict[str, int], unclear: set[int]
) -> None:
    assert quantities(messages, CARDS, "fr") == (of, unclear)


async def test_a_count_alone_is_of_the_one_part_that_is_asked_about(talk: Talk) -> None:
    *_, turn = await talk("price of PS90001822?", "I'd take 3, how much is that?")
    assert "3 × PS90001822" in turn.reply
    *_, turn = await talk("price of PS90001822?", "my 2 year old broke it, how much was it?")
    assert "×" not in turn.reply


async def test_a_total_knows_the_quantities_of_earlier_turns(talk: Talk) -> None:
    *_, turn = await talk("price of PS3406971 x4", "PS3406971 and PS90001822, total?")
    assert "4 × PS3406971" in turn.reply
    assert "PS90001822" in turn.reply


@pytest.mark.parametrize(
    "message",
    [
        "price of PS3406971 and PS90001822?",
        "PS3406971 ou PS90001822, lequel est le moins cher ?",
        "PS3406971 and PS90001822 - in stock?",
    ],
)
async def test_nobody_gets_a_total_who_asked_for_none(message: str, talk: Talk) -> None:
    (turn,) = await talk(message)
    assert "PS90001822" in turn.reply
    assert "in total" not in turn.reply
    assert "au total" not in turn.reply


@pytest.mark.parametrize("message", ["how much for both together?", "combien les deux ensemble ?"])
async def test_a_sum_may_be_asked_for_in_other_words_than_total(message: str, talk: Talk) -> None:
    *_, turn = await talk("price of PS3406971 and PS90001822?", message)
    assert any(total in turn.reply for total in ("$54.67 in total", "54,67 $ au total"))


async def test_a_count_that_may_be_of_any_part_is_asked_about(talk: Talk) -> None:
    *_, last = await talk(
        "price of PS3406971 and PS90001822?",
        "I need 3 of those",
        "PS3406971 and PS90001822, total?",
    )
    assert "How many of each" in last.reply
    assert "in total" not in last.reply


async def test_a_sum_is_of_all_that_was_spoken_of_and_changes_with_what_is_said(talk: Talk) -> None:
    turns = await talk(
        "price of PS3406971 x4 and PS90001822?",
        "total?",
        "no wait, 2 wheels only",
        "drop the wheel",
    )
    assert "4 × PS3406971" in turns[1].reply
    assert "2 × PS3406971" in turns[2].reply
    assert "PS90001822" in turns[2].reply
    assert "PS3406971" not in turns[3].reply


def test_the_customer_s_quantities_are_reckoned_with() -> None:
    state = State(cards=(WHEEL, PUMP), language="fr")
    (table, *_) = tables = tables_of(state, [], [], [WHEEL, PUMP])
    judging = reader(tables, state, "total ?", (), frozenset({4.0}))
    shown = [
        "Avec quatre roulettes PS3406971, cela fait 147,56 $ [r1.2.price+4*r1.1.price].",
        "C'est 107,56 $ les quatre [4*r1.1.price].",
        "La roulette PS3406971, à prendre quatre fois [r1.1].",
        "Cela fait 66,89 $ pour les deux [r1.1.price+r1.2.price].",
    ]
    assert [judging.judge(one).refused for one in shown] == [()] * len(shown)
    assert judging.judge("Cela fait 147,56 $ [5*r1.1.price].").refused
    assert judging.judge("Il en reste 5 [r1.1].").refused
    assert table.place("replaces") is not None


def test_replaced_numbers_that_were_asked_about_stand_first() -> None:
    old = tuple(f"AP{number}" for number in range(100, 150))
    card = WHEEL.model_copy(update={"replaces": old})
    tables = tables_of(State(cards=(card,)), [], [], [card], message="does it replace ap149?")
    assert "| AP149, AP100," in tables[0].prompt()


def test_the_customer_s_own_number_may_stand_under_a_fit() -> None:
    card = WHEEL.model_copy(update={"manufacturer_number": "WF2CB"})
    state = State(cards=(card, PUMP))
    tables = tables_of(state, [], [], [card, PUMP])
    shown = ToolReturned(
        tool="check",
        goal=Goal.CHECK,
        args={"part": card.number, "model": "WDT780SAEM1"},
        verdict="listed",
    )
    fits = tables_of(state, [shown], [], [card, PUMP])
    ours = reader(fits, state, "does it fit?")
    told = f"The WF2CB, {card.number} here, is listed [r1.1]."
    assert fits[0].title == "fit"
    assert not ours.judge(told).refused
    assert not ours.judge(told).doubts
    assert ours.judge("The WF2CB is a good choice [r2.2].").refused
    asked = reader(tables, state, "WF2CB, does it fit?")
    assert not asked.judge("The WF2CB is a good choice beside the PS90001822 [r1.2].").refused
    other = reader(tables, state, "does it fit?")
    assert other.judge("The WF2CB is a good choice beside the PS90001822 [r1.2].").refused
