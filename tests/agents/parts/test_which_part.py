"""Which part and which machine a message means, played with the rules and the demo."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.agents.parts.conftest import Talk

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import parts_named
from ruleplay.agents.parts.domain.ids import Unknown
from ruleplay.agents.parts.domain.labels import digits_said
from ruleplay.agents.parts.domain.references import find_references, is_standard
from ruleplay.agents.parts.domain.slots import Evidence, Goal, VerifiedModel
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.listening import without_withdrawn
from ruleplay.agents.parts.policy.pointing import (
    description_slot,
    named_like,
    narrowed,
    with_prices,
)
from ruleplay.agents.parts.policy.turning import alike, fits_of_corrected, spoken_of_another
from ruleplay.agents.parts.policy.unasked import Numbers
from ruleplay.agents.parts.state import CaseFile, State

HEATER = Card(number="PS1", row="1", name="Hotpoint Refrigerator Heater", price=Decimal("126.79"))
TIMER = Card(number="PS2", row="2", name="Hotpoint Refrigerator Timer", price=Decimal("50.67"))
SHOWN = State(cards=(HEATER, TIMER))
SEALS = (
    Card(number="PS3", row="3", name="Amana Dishwasher Door Seal", kind="dishwasher"),
    Card(number="PS4", row="4", name="Amana Dishwasher Tub Seal", kind="dishwasher"),
)


@pytest.mark.parametrize(
    ("message", "language", "amounts"),
    [
        ("hang on, the 126 one", "en", ["126.79"]),
        ("the one at 50, is it hard", "en", ["50.67"]),
        ("celui à 126 c'est long ?", "fr", ["126.79"]),
        ("et celle a 50", "fr", ["50.67"]),
        ("I need 50 of them", "en", []),  # a quantity
        ("I have 50 min for the job", "en", []),
        ("the 127 one", "en", []),
    ],
)
def test_bare_figures_mean_the_part_of_that_price(
    message: str, language: str, amounts: list[str]
) -> None:
    heard = with_prices(SHOWN, Understood(message=message, language=language))
    assert [str(one.amount) for one in heard.references if one.way == "priced"] == amounts


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("what do the seals cost", ["PS3", "PS4"]),
        ("both seals, in stock?", ["PS3", "PS4"]),
        ("the first seal, is it hard", ["PS3"]),
        ("the 2nd seal then", ["PS4"]),
        ("what does the seal cost", [""]),  # one of two is asked for
    ],
)
def test_of_parts_of_a_kind_those_are_taken_that_are_meant(message: str, meant: list[str]) -> None:
    references = find_references(message, "en")
    heard = Understood(message=message, references=references, named=parts_named(message))
    slot = description_slot(heard, heard.named[0], 1)
    taken = narrowed(SEALS, heard, slot.evidence)
    assert [getattr(one.part, "row", "") for one in taken] == [one[2:] for one in meant]


def test_verbs_and_what_is_compared_with_name_no_part() -> None:
    assert not parts_named("and to mount, how long")
    assert [one.text for one in parts_named("how long does the mount take")] == ["mount"]
    assert [one.text for one in parts_named("my screwdriver and a screw")] == ["screw"]
    said = "dearer than the seal, is it easy"
    assert is_standard(said, said.index("seal"), "en")
    assert not is_standard(said, said.index("easy"), "en")


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("la même vanne va dessus ?", "vanne"),
        ("le bras du dessus", "bras du dessus"),
        ("la pompe rentre dedans en bas ?", "pompe"),
        ("le bras de lavage inférieur svp", "bras de lavage inférieur"),
    ],
)
def test_places_behind_a_verb_do_not_tell_a_part_apart(message: str, value: str) -> None:
    heard = Understood(message=message, language="fr", named=parts_named(message, "fr"))
    assert description_slot(heard, heard.named[0], 1).value == value


def test_a_part_of_the_same_kind_may_be_called_otherwise() -> None:
    like = named_like(SEALS[0])
    assert like
    assert "gasket" in like.strong
    assert like.said == ("door",)


def test_the_ending_of_a_model_may_have_letters() -> None:
    options = ["WDT780SAEM1", "WDT780SAEB1"]
    assert digits_said("M1 at the end, not M2", "WDT780SAEM2", options) == "WDT780SAEM1"
    assert not digits_said("M2 it is", "WDT780SAEM2", options)


def test_only_like_numbers_are_wrong_readings_of_each_other() -> None:
    assert alike("25344352404", "25344352403")
    assert not alike("25344352404", "25344352404")
    assert not alike("25344352404", "10640563010")
    assert not alike("WDT780SAEM1", "WDT780SAEM")


def test_the_other_machine_is_not_that_of_the_part_spoken_of() -> None:
    card = HEATER.model_copy(update={"model": "M100"})
    said = Evidence(turn=1, start=0, end=4, text="M100")
    slots = {"value": "M100", "row": "1", "evidence": said, "appliance": "refrigerator"}
    model = {**slots, "state": "verified"}
    here = State.model_validate(
        {
            "cards": (card,),
            "focus": ("PS1",),
            "slots": {"model": {**model, "value": "M200"}},
            "others": (
                CaseFile.model_validate(
                    {"number": 2, "slots": {"model": {**slots, "state": "verified"}}}
                ),
            ),
        }
    )
    assert spoken_of_another(here)
    assert not spoken_of_another(here.but(cards=(card.model_copy(update={"model": "M200"}),)))


def test_the_only_number_of_a_message_is_not_taken_back_unless_it_was_told() -> None:
    number = Unknown(text="PS77", start=3, end=7, kind="part", normal="PS77")
    heard = Understood(message="is PS77 ok", found=(number,), withdrawn=("PS77",))
    assert without_withdrawn(State(), heard).found == (number,)
    other = number.model_copy(update={"text": "PS88"})
    both = heard.model_copy(update={"found": (number, other)})
    assert without_withdrawn(State(), both).found == (other,)


async def test_a_part_named_after_another_is_the_subject(talk: Talk) -> None:
    *_, turn, easy = await talk(
        "does PS90001822 fit WDT780SAEM1?",
        "oh that's the gasket. which is the drain pump for it?",
        "more than the gasket! is it an easy job?",
    )
    assert "PS90001411" in turn.reply
    assert "PS90001822" not in turn.reply
    assert "PS90001411" in easy.reply
    assert "PS90001822" not in easy.reply


def verified(number: str) -> VerifiedModel:
    said = Evidence(turn=1, start=0, end=len(number), text=number)
    return VerifiedModel(value=number, row="1", evidence=said, appliance="refrigerator")


def test_a_corrected_model_asks_again_whether_the_part_fits() -> None:
    state = State.model_validate(
        {
            "cards": (HEATER,),
            "focus": ("PS1",),
            "goal": Goal.PRICE,
            "done": True,
            "slots": {"model": verified("25344352404")},
        }
    )
    heard = Understood(message="oops, 25344352403: still ok?", perhaps=("check",))
    numbers = Numbers(parts=(), models=(verified("25344352403"),))
    (asked,) = fits_of_corrected(state, heard, numbers, 2)
    assert (asked.goal, asked.how) == (Goal.CHECK, "corrected")
    assert asked.part
    assert asked.part.value == "PS1"
    other = Numbers(parts=(), models=(verified("10640563010"),))
    assert not [*fits_of_corrected(state, heard, other, 2)], "that is another machine"
    unasked = heard.model_copy(update={"perhaps": ("price",)})
    assert not [*fits_of_corrected(state, unasked, numbers, 2)]


async def test_an_ending_settles_the_model_that_was_offered(talk: Talk) -> None:
    *_, turn = await talk("does PS3406971 fit WDT780SAEM2?", "ah, it's M1 at the end. so good?")
    assert "is listed for model WDT780SAEM1" in turn.reply


async def test_what_is_asked_for_an_unknown_model_is_named(talk: Talk) -> None:
    *_, turn = await talk("Is PS3406971 compatible with GSS78GSHQZ?", "does the left bracelet fit?")
    assert "bracelet" in turn.reply
