"""Dialogues that strangers held: what was followed, dropped or told twice, one test each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from ruleplay.agents.parts.domain.ids import Choice, ModelFound, Option
from ruleplay.agents.parts.domain.negation import praises
from ruleplay.agents.parts.domain.slots import Evidence, Slots, VerifiedModel
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.policy.replies import unsaid
from ruleplay.agents.parts.policy.unasked import said_before
from ruleplay.agents.parts.state import Line, State
from ruleplay.records.given import Message
from ruleplay.records.turns import Turn

Talk = Callable[..., Awaitable[list[Turn]]]


def answers(turn: Turn) -> list[object]:
    return [event["goal"] for event in turn.events if event["type"] == "ToolReturned"]


async def test_what_is_compared_is_looked_up(talk: Talk) -> None:
    (turn,) = await talk("what's the difference between PS3406971 and PS90001822?")
    assert "$42.54, which is $30.41 more" in turn.reply
    assert "PS90001822 is known to fix leaking" in turn.reply


async def test_one_part_is_compared_with_the_one_spoken_of_last(talk: Talk) -> None:
    *_, turn = await talk(
        "price of PS3406971 for WDT780SAEM1?", "and the door gasket? which of the two is cheaper?"
    )
    assert "PS3406971" in turn.reply
    assert "PS90001822" in turn.reply
    assert "which is $30.41 more" in turn.reply


async def test_a_quality_alone_names_such_a_part_as_was_spoken_of(talk: Talk) -> None:
    _, picked, other = await talk(
        "I need the lower spray arm for WDT780SAEM1", "the lower one", "upper one too lol"
    )
    assert "Lower Spray Arm" in picked.reply
    assert answers(picked) == ["about_part"]
    assert "upper" in other.reply.casefold()


def test_what_was_told_is_not_told_again() -> None:
    price, fit = Line(id="about", says="It is $5.", once=True), Line(id="fit", says="✓", once=True)
    asked = Line(id="effort", says="It is easy.")
    earlier = [Message(role="user", text="✓"), Message(role="assistant", text="It is $5.\n\n✓")]
    assert unsaid([price, fit, asked], earlier) == [asked]
    assert unsaid([price, fit], earlier) == [price], "what was asked is answered all the same"
    assert unsaid([price, fit], earlier[:1]) == [price, fit]


async def test_a_detail_starts_no_search(talk: Talk) -> None:
    _, turn = await talk("my WDT780SAEM1 is leaking", "the water comes in normally at the door")
    assert answers(turn) == []
    assert "I keep it in mind" in turn.reply


@pytest.mark.parametrize(
    ("message", "so"),
    [
        ("l'eau coule normalement à la porte", True),
        ("ok le panier maintenant", False),
        ("fine, the timer", False),
        ("it does not drain properly", False),
    ],
)
def test_praise_is_more_than_a_nod(message: str, so: bool) -> None:
    assert praises(message) is so


async def test_a_new_model_is_searched_for_the_old_complaint(talk: Talk) -> None:
    *_, turn = await talk(
        "my WDT780SAEM1 is leaking", "how hard is the door gasket?", "sorry, it's MDB7959QHZ2"
    )
    assert answers(turn)[:1] == ["check_compatibility"]
    assert "diagnose_repair" in answers(turn)


async def test_where_the_number_is_follows_the_machine(talk: Talk) -> None:
    _, turn = await talk("where do I find my model number?", "it's a dishwasher")
    assert "edge of the tub" in turn.reply
    assert "1." not in turn.reply


async def test_a_number_it_may_replace_is_no_other_part(talk: Talk) -> None:
    _, turn = await talk("price of PS3406971?", "and that replaces W99999999, right?")
    assert "is not known to replace W99999999" in turn.reply
    assert answers(turn) == ["replaced_numbers"]


async def test_a_complaint_is_met_before_the_rules_of_the_shop(talk: Talk) -> None:
    (turn,) = await talk("this is ridiculous, I want my money back")
    assert turn.reply.startswith("I am sorry")


async def test_it_after_a_number_is_that_number(talk: Talk) -> None:
    *_, turn = await talk(
        "Bonjour, PS3406971 va sur WDT780SAEM1 ?", "ok donc PS90001822 et c'est tout bon ?"
    )
    assert "PS3406971" not in turn.reply
    assert "PS90001822" in turn.reply


def test_a_short_number_that_was_the_model_before_is_it_again() -> None:
    option = Option(kind="model", number="71052", row="models.csv:7")
    said = {"text": "71052", "start": 22, "end": 27}
    doubted = Choice(kind="model", reason="confirm", asked="71052", options=(option,), **said)
    evidence = Evidence(turn=1, start=0, end=5, text="71052")
    model = VerifiedModel(value="71052", row="models.csv:7", evidence=evidence)
    heard, before = Understood(message="back to the fridge, 71052"), State(slots=Slots(model=model))
    assert said_before(State(), doubted, heard) == doubted
    assert said_before(before, doubted, heard) == ModelFound(model=option, **said)


async def test_a_corrected_model_asks_nothing_of_numbers(talk: Talk) -> None:
    *_, turn = await talk(
        "il me faudrait la pompe de vidange pour un WDT780SAEM1 svp",
        "oups non je me suis planté, WDT c'est celui de ma soeur. le mien c'est FGHD2465NF1A",
    )
    assert "Je ne trouve pas FGHD2465NF1A" in turn.reply
    assert "remplace" not in turn.reply
    assert "Pour « pompe de vidange », le catalogue a 3 pièces" in turn.reply


async def test_what_an_unknown_number_is_is_not_answered_by_the_same_line(talk: Talk) -> None:
    first, again = await talk(
        "PS11752778 gonna fit my WDT780SAEM1 right?", "ha ok. what even IS it"
    )
    assert "don't order or fit it yet" in first.reply
    assert again.reply.startswith("I know nothing of PS11752778")


async def test_a_part_that_was_ruled_out_is_not_suspected(talk: Talk) -> None:
    for message in (
        "le frigo éclaire plus dedans, c'est pas l'ampoule, elle est neuve",
        "no light in my fridge anymore, and it's not the bulb, that one is new",
    ):
        (turn,) = await talk(message)
        assert "light bulb" not in turn.reply
        assert "model" in turn.reply or "modèle" in turn.reply


async def test_two_unknown_numbers_are_named_at_once(talk: Talk) -> None:
    first, again = await talk(
        "difference between PS11756150 and PS10065979?? they look alike on the photo",
        "hm right. if I got the wrong one would you take it back?",
    )
    assert "I don't find PS11756150 or PS10065979 in the catalog." in first.reply
    assert "come back" not in first.reply
    assert "Returns and refunds are up to the shop" in again.reply


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (
            "auriez-vous la résistance de sole pour un four Bosch HBA5360S0 ?",
            (
                "surface burner element et oven bake element",
                "D'aucune le catalogue ne dit qu'elle est pour Bosch.",
            ),
        ),
        (
            "how much for the everydrop filter 1 for a whirlpool fridge?",
            ("Nothing in the catalog is called “everydrop filter”.", "PS90004151"),
        ),
        ("hinge for a GE range", ("For the “hinge”, I still need", "model number. Open")),
        ("whats 2179574 cross to now? can't find that number", ("I don't find 2179574 in",)),
        ("ma commande 48812 n'arrive pas", ("Désolé, je ne vois pas la commande 48812",)),
    ],
)
async def test_what_the_catalog_lacks_is_said_of_just_that(
    message: str, says: tuple[str, ...], talk: Talk
) -> None:
    (turn,) = await talk(message)
    assert all(one in turn.reply for one in says), turn.reply


async def test_a_strange_word_beside_a_story_is_looked_for_nowhere(talk: Talk) -> None:
    *_, turn = await talk(
        "le frigo est tiède. c un GE",
        "je cherche le numéro attends. sinon le lait et le poulet de ce matin c "
        "encore bon ou je jette",
    )
    assert "« lait »" not in turn.reply
