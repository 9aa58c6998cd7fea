"""What the catalog has is not denied, nor taken for something near it: played with the demo."""

from __future__ import annotations

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import heads_of, parts_denied
from ruleplay.agents.parts.domain.references import find_references
from ruleplay.agents.parts.domain.slots import DescriptionSlot, Evidence
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy.findings import taken_for
from ruleplay.agents.parts.policy.pointing import says_another, without_new
from ruleplay.agents.parts.policy.weighing import others_like

LEAKS = "my dishwasher WDT780SAEM1 leaks"
NOWHERE = Evidence(turn=1, start=0, end=0, text="")


async def test_several_of_a_part_are_still_that_part(talk: Talk) -> None:
    _, turn = await talk(LEAKS, "I'd take four pumps, any trade discount?")
    assert "I see no" not in turn.reply
    assert "PS90001411" in turn.reply


async def test_what_else_it_may_be_denies_no_part_of_the_list(talk: Talk) -> None:
    _, turn = await talk(
        "price of PS90001822?",
        "the machine is WDT780SAEM1 and it leaks. What would you check apart from that gasket?",
    )
    assert "does not know" not in turn.reply
    assert "PS90002507" in turn.reply


async def test_the_rubber_is_a_gasket_and_the_cheaper_one_one_of_those(talk: Talk) -> None:
    _, turn = await talk(LEAKS, "the rubber has gone hard like wood, got one?")
    assert "PS90001822" in turn.reply
    assert "how hard the installation is" not in turn.reply


async def test_not_knowing_where_it_leaks_is_no_question_about_the_label(talk: Talk) -> None:
    _, turn = await talk(LEAKS, "no idea where it comes from.. is there a gasket in there")
    assert "serial number" not in turn.reply
    assert "PS90001822" in turn.reply


@pytest.mark.parametrize(
    ("said", "denied"),
    [("the seal is gone", ()), ("the gasket has gone", ()), ("it's not the pump", ("pump",))],
)
def test_a_part_that_is_gone_is_not_ruled_out(said: str, denied: tuple[str, ...]) -> None:
    assert parts_denied(said) == denied


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("there is a second one in the shed", "en"),
        ("j'en ai un deuxième à la campagne", "fr"),
    ],
)
def test_a_second_machine_is_no_second_part_of_the_list(said: str, language: str) -> None:
    assert says_another(said, language)
    pointing = find_references(said, language)
    heard = Understood(message=said, language=language, references=pointing)
    assert not any(one.way == "place" for one in without_new(heard).references)
    assert not says_another("the second one, please", "en")


async def test_a_second_machine_without_a_number_is_not_the_first(talk: Talk) -> None:
    _, turn = await talk(
        "does PS90001822 fit my WDT780SAEM1?",
        "my brother has a second one, the sticker is gone so no number. Would the gasket fit too?",
    )
    assert "✓" not in turn.reply
    assert "model number" in turn.reply


@pytest.mark.parametrize(
    ("name", "described", "taken"),
    [
        ("Crosley Refrigerator Water Filter Base", "water filter", False),
        ("Crosley Refrigerator Water Filter", "water filter", True),
        ("Amana Dishwasher Adjuster Kit - White Wheels", "white wheels", True),
    ],
)
def test_what_belongs_to_a_part_is_not_taken_for_it(
    name: str, described: str, *, taken: bool
) -> None:
    first, last = described.split()
    stem = last.removesuffix("s")
    slot = DescriptionSlot(
        value=described, terms=(stem, first), strong=(stem,), said=(first,), own=(first, stem),
        evidence=NOWHERE,
    )  # fmt: skip
    assert taken_for(name, slot) is taken
    assert heads_of("Water Filter Base") == ("base",)
    assert heads_of("Adjuster Kit - White Wheels") == ("adjuster", "kit", "wheels")


async def test_what_a_name_says_is_not_said_to_be_unknown(talk: Talk) -> None:
    _, turn = await talk("price of PS90003466?", "do they come with both sides in the box?")
    assert "says no more than the name does" in turn.reply
    assert "Upper Rack Adjuster Kit" in turn.reply


async def test_how_many_are_needed_adds_up_no_price(talk: Talk) -> None:
    _, turn = await talk("price of PS3406971?", "is it for one wheel or two?")
    assert "in total" not in turn.reply
    assert "says no more than the name does" in turn.reply


async def test_a_price_elsewhere_counts_no_parts(talk: Talk) -> None:
    _, turn = await talk("price of PS3406971?", "they go for like 6 on ebay. price match? voucher?")
    assert "in total" not in turn.reply
    assert "discount" in turn.reply


def test_a_cheaper_one_is_of_the_same_kind() -> None:
    pump, other, hose = (
        Card(number=number, row="r", name=f"GE Dishwasher {name}", kind="dishwasher")
        for number, name in [("PS1", "Drain Pump"), ("PS2", "Circulation Pump"), ("PS3", "Hose")]
    )
    english = voice("en")
    (line,) = others_like(pump, [pump, other, hose], "M1", english)
    assert "no other drain pump" in line.says
    assert "PS2" in line.says
    (line,) = others_like(hose, [pump, other, hose], "M1", english)
    assert line.says == "For M1 the catalog lists no other hose."
    assert others_like(hose, [pump], "M1", english) == []


async def test_cheaper_of_one_part_is_no_other_part_of_the_list(talk: Talk) -> None:
    *_, turn = await talk(LEAKS, "the door gasket, how much?", "ouch. nothing cheaper?")
    assert "no door gasket that costs less" in turn.reply
    assert "PS3406971" not in turn.reply


async def test_a_number_with_its_name_behind_a_comma_is_one_part(talk: Talk) -> None:
    asked, turn = await talk("Price of PS9001411, drain pump", "sorry. PS90001411")
    assert "come back to" not in asked.reply
    assert "still need" not in turn.reply
    assert "$60.23" in turn.reply


async def test_a_part_that_did_not_help_is_not_listed_again(talk: Talk) -> None:
    _, turn = await talk(
        "PS90001822 was no good. Swapped it on Saturday. My dishwasher still leaks",
        "WDT780SAEM1",
    )
    assert "PS90002507" in turn.reply
    assert "PS90001822" not in turn.reply


async def test_to_be_returned_is_no_question_about_a_price(talk: Talk) -> None:
    _, turn = await talk(LEAKS, "et si c'est pas la bonne je peux la renvoyer ?")
    assert "retours" in turn.reply
    assert "Pour le prix" not in turn.reply


async def test_which_is_easier_is_about_the_work(talk: Talk) -> None:
    _, turn = await talk("price of PS90001822 and PS90002507?", "which is easier to fit")
    assert "is listed for" not in turn.reply
    assert "is the quicker to put in" in turn.reply


async def test_an_unknown_thing_on_the_left_is_not_what_was_spoken_of(talk: Talk) -> None:
    _, turn = await talk("does PS90003055 fit my KDFM404LPS1", "does the left bracelet fit?")
    assert "bracelet" in turn.reply
    assert "PS90003055" not in turn.reply


async def test_a_danger_that_stands_is_said_in_few_words_again(talk: Talk) -> None:
    _, first, second = await talk(
        "sparks come out of my dishwasher", "how much is PS3406971?", "is it in stock?"
    )
    assert "do not try it again" in first.reply
    assert second.reply.startswith("⚠")
    assert "do not try it again" not in second.reply
