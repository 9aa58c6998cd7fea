"""What a message changes of what was said before: a number's ending, a slip, a part not meant."""

from __future__ import annotations

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import leads_to_place, led_to_place
from ruleplay.agents.parts.domain.id_judgement import judge
from ruleplay.agents.parts.domain.ids import Choice, Lookup, ModelFound, Option, candidates
from ruleplay.agents.parts.domain.labels import models_likely
from ruleplay.agents.parts.domain.reader import sentence_words
from ruleplay.agents.parts.domain.references import find_references, only_joins
from ruleplay.agents.parts.domain.slots import Evidence, UnconfirmedId, VerifiedModel
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.in_play import completed
from ruleplay.agents.parts.policy.pointing import unexcluded_words
from ruleplay.agents.parts.policy.quantities import measured, quantities, wanting
from ruleplay.agents.parts.state import CaseFile, State

SAID = Evidence(turn=1, start=0, end=0, text="")
WASHER = VerifiedModel(value="66513002N510", row="models:1", evidence=SAID)
FRIDGE = VerifiedModel(value="25331133300", row="models:2", evidence=SAID)


def state_of(*models: VerifiedModel | UnconfirmedId) -> State:
    """Make a state with a case for each model, the first of them open."""
    state = State()
    others = tuple(
        CaseFile(number=at, slots=state.slots.model_copy(update={"model": model}))
        for at, model in enumerate(models[1:], 2)
    )
    return state.but(slots=state.slots.model_copy(update={"model": models[0]}), others=others)


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("N510, pardon", ["66513002N510"]),
        ("the one with 3300 at its end", ["25331133300"]),
        ("no, N511 it says", ["66513002N511", "25331133300"][:1]),
        ("I paid $3300 for it", []),  # a sum
        ("ok 12 of them", []),  # too short for a number
    ],
)
def test_an_ending_means_a_number_of_the_conversation(message: str, meant: list[str]) -> None:
    state = state_of(WASHER, FRIDGE) if "N511" not in message else state_of(WASHER)
    assert [one.normal for one in completed(state, message)] == meant


def test_an_ending_is_a_number_where_the_catalog_has_it() -> None:
    (ending,) = completed(state_of(WASHER), "N510, pardon")
    model = Option(kind="model", number="66513002N510", row="models:1")
    lookup = {ending.normal: Lookup(normal=ending.normal, model=model)}
    (found,) = judge("N510, pardon", [ending], lookup)
    assert isinstance(found, ModelFound)
    assert found.text == "N510"
    assert judge("N510, pardon", [ending], {ending.normal: Lookup(normal=ending.normal)}) == ()


def test_signs_that_look_alike_leave_one_choice() -> None:
    message = "does it fit LFX2599IST"
    near = tuple(
        Option(kind="model", number=number, row="models:1", known_as=number, likeness=0.9)
        for number in ("LFX25993ST", "LFX25991ST")
    )
    proposed = candidates(message)
    lookup = {one.normal: Lookup(normal=one.normal) for one in proposed}
    lookup["LFX2599IST"] = Lookup(normal="LFX2599IST", near_models=near)
    (choice,) = judge(message, proposed, lookup)
    assert isinstance(choice, Choice)
    assert [one.number for one in choice.options] == ["LFX25991ST"]
    assert models_likely([choice])[0].model.number == "LFX25991ST"


def test_what_is_not_meant_is_blanked_to_the_next_stop() -> None:
    heard = Understood(message="the left one not the right, and the hose")
    assert unexcluded_words(heard.message, heard.language).split() == [
        "the",
        "left",
        "one",
        "not",
        ",",
        "and",
        "the",
        "hose",
    ]


def test_numbers_of_complaints_and_how_many_count_nothing() -> None:
    assert "twice" not in wanting("the milk went bad twice. price?")
    assert "twice" in wanting("I want it twice")


def test_a_measure_is_no_number_of_pieces() -> None:
    assert measured("a 30 cm hose", 2, 4)
    assert not measured("30 hoses", 0, 2)
    card = Card(number="PS1", row="parts:1", name="Whirlpool Dishwasher Drain Hose")
    assert quantities(["a 30 cm drain hose"], [card], "en").of == {}
    assert quantities(["3 drain hoses"], [card], "en").of == {"PS1": 3}


def test_words_that_lead_to_a_place_or_join_two_things() -> None:
    assert leads_to_place(" on the ")
    assert not leads_to_place(" the ")
    assert not leads_to_place(" is what I have on the ")
    assert led_to_place("and for the right door", len("and for the right "))
    assert not led_to_place("and the right door", len("and the right "))
    assert only_joins(" plus the ", "en")
    assert not only_joins(" is not the ", "en")
    assert sentence_words("it rattles all night. cost?", 23) == 1


def test_what_something_is_merely_like_is_not_pointed_at() -> None:
    assert "other" in [one.way for one in find_references("and the other one?")]
    like = find_references("does it have a video like the other one?")
    assert "other" not in [one.way for one in like]


async def test_a_model_of_another_kind_is_doubted_and_settled_by_its_kind(talk: Talk) -> None:
    doubted, settled = await talk(
        "my fridge drips, the model is WDT780SAEM1", "oh pardon, the dishwasher it is"
    )
    assert "Do you mean WDT780SAEM1 (Whirlpool dishwasher)?" in doubted.reply
    assert "PS90001822" in settled.reply


async def test_how_it_is_shut_names_no_part(talk: Talk) -> None:
    (turn,) = await talk(
        "WDT780SAEM1 wont start, dead when i pull the lid shut. need the part by tonight"
    )
    assert "PS90002781" in turn.reply
    assert "“shut”" not in turn.reply


async def test_where_a_number_stands_is_no_part_asked_for(talk: Talk) -> None:
    *_, fits = await talk("how much is PS3406971", "it says WDT780SAEM1 on the rack, does it fit?")
    assert "✓ PS3406971" in fits.reply
    assert "rack” among" not in fits.reply


async def test_what_a_shown_part_is_said_to_be_is_no_search(talk: Talk) -> None:
    *_, told = await talk("how much is PS3406971", "is that the thing the basket rolls on?")
    assert "PS3406971" in told.reply
    assert "I see no" not in told.reply


async def test_a_mistyped_model_is_told_the_fit_beside_the_question(talk: Talk) -> None:
    (turn,) = await talk("does PS3406971 fit a WDT78OSAEM1?")
    assert "If it is WDT780SAEM1: PS3406971" in turn.reply
    assert "Do you mean WDT780SAEM1" in turn.reply
    assert "WDT780SAEM2" not in turn.reply


async def test_a_part_and_another_are_added_up(talk: Talk) -> None:
    *_, both = await talk("price of PS90002233 for WDT780SAEM1", "that one + the wheel, how much")
    assert "PS3406971" in both.reply
    assert "$50.88 in total" in both.reply


async def test_a_part_called_a_model_is_said_to_be_a_part(talk: Talk) -> None:
    (turn,) = await talk("my model number is PS3406971, does the wheel break often")
    assert "PS3406971 is a part's number, not a model's" in turn.reply
