"""What differs between parts, and which of the parts spoken of a message means."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import parts_named
from ruleplay.agents.parts.domain.ids import Span
from ruleplay.agents.parts.domain.machines import machines_said
from ruleplay.agents.parts.domain.reader import may_name_part
from ruleplay.agents.parts.domain.references import find_references, is_comparative
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy.apart import compared
from ruleplay.agents.parts.policy.nouns import noun_meant
from ruleplay.agents.parts.policy.passing import passed_on
from ruleplay.agents.parts.policy.replies import facts
from ruleplay.agents.parts.policy.rows import text
from ruleplay.agents.parts.policy.singled import singled_out
from ruleplay.agents.parts.state import State

FANS = (
    Card(
        number="PS1", row="1", name="Acme Refrigerator Condenser Fan Motor", kind="refrigerator",
        manufacturer_number="A1", price=Decimal("96.81"), availability="In Stock",
        difficulty="Easy", time="30 - 60 mins", symptoms=("Noisy", "Leaking"),
        fit="listed", model="M1",
    ),
    Card(
        number="PS2", row="2", name="Acme Refrigerator Evaporator Fan Motor", kind="refrigerator",
        manufacturer_number="A2", price=Decimal("85.23"), availability="On Order",
        difficulty="Easy", time="15 - 30 mins", symptoms=("Noisy",), video="https://v/2",
        fit="not_listed", model="M1",
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("language", "says"),
    [
        (
            "en",
            (
                "✓ PS1 (Acme Refrigerator Condenser Fan Motor) is listed for model M1; PS2 is not.",
                "$96.81, which is $11.58 more",
                "PS2 is on order",
                "PS2 is the quicker to put in",
                "There is a video only for PS2",
                "Only PS1 is known to fix leaking as well",
            ),
        ),
        (
            "fr",
            (
                "listée pour le modèle M1 ; PS2 ne l'est pas",
                "soit 11,58 $ de plus",
                "PS2 se pose le plus vite",
                "Seule PS2 a une vidéo",
                "Seule PS1 l'est aussi pour : fuite",
            ),
        ),
    ],
)
def test_all_that_tells_two_parts_apart_is_said(language: str, says: tuple[str, ...]) -> None:
    told = text(compared(FANS, voice(language)))
    assert all(one in told for one in says), told


def test_of_two_parts_of_one_name_the_numbers_are_told() -> None:
    twins = [one.model_copy(update={"name": FANS[0].name}) for one in FANS]
    told = text(compared(twins, voice("en")))
    assert "Both are called “condenser fan motor”; their makers' numbers are A1 and A2." in told


def test_only_what_was_asked_is_compared() -> None:
    told = text(compared(FANS, voice("en"), by=["work"], only=True))
    assert "quicker" in told
    assert "$" not in told


@pytest.mark.parametrize(
    ("message", "language", "number"),
    [
        ("the evap. one, does it fit?", "en", "PS2"),
        ("celui du condenseur", "fr", "PS1"),
        ("not the condenser, the evaporator", "en", "PS2"),
        ("the motor", "en", ""),
    ],
)
def test_words_single_out_one_of_the_parts_spoken_of(
    message: str, language: str, number: str
) -> None:
    heard = Understood(message=message, language=language, named=parts_named(message, language))
    found = singled_out(FANS, heard)
    assert ([one.number for one in found] == [number]) is bool(number)


@pytest.mark.parametrize(
    ("message", "language", "compares"),
    [
        ("is the seal any cheaper", "en", True),
        ("the cheaper one then", "en", False),
        ("which is the cheapest", "en", False),
        ("le joint est moins cher non", "fr", True),
        ("le moins cher alors", "fr", False),
    ],
)
def test_a_rank_compares_or_picks(message: str, language: str, compares: bool) -> None:
    (one, *_) = [r for r in find_references(message, language) if r.way == "cheapest"]
    assert is_comparative(message, one, language) is compares


@pytest.mark.parametrize(
    ("message", "word", "names"),
    [
        ("do you sell refurbished ones", "refurbished", False),
        ("vous en avez des usagées", "usagées", False),
        ("how much is the gizmo", "gizmo", True),
    ],
)
def test_an_ordinary_word_is_no_part(message: str, word: str, names: bool) -> None:
    start = message.index(word)
    span = Span(text=word, start=start, end=start + len(word))
    assert may_name_part(message, span, ()) is names


@pytest.mark.parametrize(("message", "found"), [("lampoule", 1), ("leau", 0), ("lampoules", 1)])
def test_an_article_without_its_apostrophe_hides_no_noun(message: str, found: int) -> None:
    assert len(parts_named(f"je cherche {message} pour mon frigo", "fr")) == found


def test_a_machine_is_not_denied_by_a_like_word() -> None:
    kinds = ("dishwasher", "refrigerator")
    message = "my mother's dishwasher, it never gets the dishes clean"
    *_, said = machines_said(message, "en", kinds)
    assert said is not None
    *_, said = machines_said("not the dishwasher", "en", kinds)
    assert said is None


def test_whoever_takes_over_is_told_of_all_parts_spoken_of_last() -> None:
    state = State(spoken=FANS, focus=("PS1", "PS2"))
    assert "PS1 and PS2" in passed_on(state, voice("en"))
    assert "PS1" in passed_on(state.but(focus=("PS1",)), voice("en"))
    assert "PS2" not in passed_on(state.but(focus=("PS1",)), voice("en"))


async def test_a_part_is_compared_with_the_one_spoken_of_before(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS3406971 for WDT780SAEM1",
        "is the door gasket any dearer?",
        "how long does it take",
    )
    assert "PS90001822" in turn.reply, "the part that was named is spoken of from then on"
    assert "PS3406971" not in turn.reply


async def test_which_of_them_is_for_a_model(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS3406971 and PS90001822?", "which of them for WDT780SAEM1, I buy just one"
    )
    assert "WDT780SAEM1" in turn.reply
    assert "✓" in turn.reply


def test_facts_of_a_part_are_sentences() -> None:
    (line,) = facts(FANS[1], voice("en"), ("price", "fit"))
    assert line.says.startswith("PS2 costs $85.23 and is on order")
    assert "PS2 is not listed for model M1" in line.says
    assert facts(FANS[1].model_copy(update={"fit": ""}), voice("en"), ("fit",)) == []


def test_the_word_before_a_noun_says_which_of_several() -> None:
    cards = tuple(
        Card(number=f"PS{at}", row="1", name=f"Acme Dishwasher {name}", kind="dishwasher")
        for at, name in enumerate(("Door Gasket", "Pump Tub Gasket"))
    )
    state = State(cards=cards, focus=("PS0",))
    message = "how much is the tub gasket"
    (noun,) = parts_named(message)
    (found,) = noun_meant(state, Understood(message=message, named=(noun,)), noun, 1)
    assert found.part
    assert found.part.value == "PS1"


async def test_a_word_that_is_no_part_leaves_the_part_in_sight(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS3406971 for WDT780SAEM1", "how much is the gizmo", "how hard is it to fit"
    )
    assert "PS3406971" in turn.reply
