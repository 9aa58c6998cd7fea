"""What is said before anybody buys: free checks, unknown numbers, what is not made any more."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from tests.agents.parts.conftest import Talk
from tests.agents.parts.test_models import scripted

from ruleplay.agents.parts.adapters.catalog import open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.checks import free_checks
from ruleplay.agents.parts.domain.symptoms import other_names
from ruleplay.agents.parts.domain.voice import LANGUAGES, voice
from ruleplay.agents.parts.policy.replies import price
from ruleplay.agents.parts.tools import replaced

HEARD = '{"wishes": [%s], "symptoms": [%s], "topics": [%s]}'


async def test_what_is_free_is_looked_at_before_a_part_is_bought(talk: Talk) -> None:
    first, again = await talk("WDT780SAEM1 leaves a pool of dirty water inside", "it is noisy too")
    assert "Before you buy anything" in first.reply
    assert "drain hose" in first.reply
    assert again.reply.count("Before you buy anything") <= 1


def test_what_was_done_is_not_suggested() -> None:
    every = free_checks(["Not draining"], "dishwasher", (), "en")
    left = free_checks(["Not draining"], "dishwasher", ("I cleaned the filter twice",), "en")
    assert any("filter" in one for one in every)
    assert left
    assert not any("filter" in one for one in left)


def test_checks_are_for_the_machine_and_known_by_other_names() -> None:
    assert free_checks(["Leaking"], "dishwasher", (), "en") != free_checks(
        ["Leaking"], "refrigerator", (), "en"
    )
    assert "Not draining" in other_names("Will not drain")
    assert free_checks(["Will not drain"], "", (), "fr") == free_checks(
        ["Not draining"], "", (), "fr"
    )


def test_every_check_is_in_every_language() -> None:
    text = files("ruleplay.agents.parts.domain").joinpath("checks.toml").read_text("utf-8")
    for name, entry in tomllib.loads(text).items():
        counts = {len(entry[language]) for language in LANGUAGES}
        assert len(counts) == 1, name


async def test_a_new_trouble_is_not_answered_with_the_old_refusal(talk: Talk) -> None:
    refused, turn = await talk(
        "would PS11756470 suit my WDT780SAEM1", "fine. it doesn't drain, what is the part for that"
    )
    assert "PS11756470" in refused.reply
    assert "PS11756470" not in turn.reply
    assert "PS90001411" in turn.reply


async def test_two_unknown_numbers_are_one_sentence(talk: Talk) -> None:
    first, aside = await talk(
        "is PS11752778 right for the fridge 106.40262010?", "and do you ship to Canada?"
    )
    assert first.reply.count("in the catalog") == 1
    assert "PS11752778" in first.reply
    assert "106.40262010" in first.reply
    assert "PS11752778" not in aside.reply, "it was refused once"


async def test_an_unknown_model_is_named_again_where_it_holds_up_a_question(talk: Talk) -> None:
    _, aside, asked = await talk(
        "my fridge asd2120drq leaks",
        "what about delivery to Canada?",
        "and the door gasket for it?",
    )
    assert "asd2120drq" not in aside.reply
    assert "I don't find asd2120drq" in asked.reply


async def test_an_unknown_number_beside_a_choice_is_refused_at_once(talk: Talk) -> None:
    (turn,) = await talk(
        "WDT780SAEM1: the top rack fell, is PS10065979 for both sides or do I need the wheels?"
    )
    assert "PS10065979 is not in the catalog" in turn.reply
    assert "checking compatibility (PS10065979" not in turn.reply


async def test_a_number_nobody_knows_is_not_passed_over_for_the_model(talk: Talk) -> None:
    *_, turn = await talk("my dishwasher leaks", "PS11752778")
    assert "I don't find PS11752778" in turn.reply


async def test_it_is_one_of_two_where_the_other_was_only_found_again(talk: Talk) -> None:
    *_, turn = await talk(
        "PS90001411 or PS90001548 for SHPM78Q55N/13, do they fit?", "how much is it?"
    )
    assert "PS90001411" in turn.reply
    assert "PS90001548" in turn.reply


async def test_of_two_machines_the_one_in_trouble_is_answered(talk: Talk) -> None:
    (turn,) = await talk("the fridge works great but my dishwasher won't drain")
    assert "dishwasher – not draining" in turn.reply
    assert "did not understand" not in turn.reply


CATALOG = """part_number,manufacturer_number,name,brand,appliances,price,availability,replaces
PS1000001,W1000001,Drain Pump,Whirlpool,Dishwasher,50,No Longer Available,
PS1000002,W1000002,Drain Pump,Whirlpool,Dishwasher,60,In Stock,W1000001
PS1000003,W1000003,Door Seal,Whirlpool,Dishwasher,20,No Longer Available,
"""


def test_what_replaces_a_part_is_looked_up(tmp_path: Path) -> None:
    (tmp_path / "parts.csv").write_text(CATALOG)
    (tmp_path / "fits.csv").write_text("model_number,part_number\nM100,PS1000001\n")
    path = tmp_path / "c.catalog"
    import_catalog(tmp_path / "parts.csv", tmp_path / "fits.csv", into=path)
    with open_catalog(path) as catalog:
        gone, new, alone = replaced(
            [
                Card(
                    number=f"PS100000{at}",
                    row="1",
                    manufacturer_number=f"W100000{at}",
                    availability=it,
                )
                for at, it in enumerate(
                    ("No Longer Available", "In Stock", "No Longer Available"), 1
                )
            ],
            catalog,
        )
    assert gone.replaced_by == ("PS1000002",)
    assert new.replaced_by == alone.replaced_by == ()
    words = voice("en")
    assert "its place is taken by PS1000002" in price(gone, words).says
    assert "knows nothing that replaces it" in price(alone, words).says


async def test_a_model_reads_whether_there_are_steps_and_a_successor(tmp_path: Path) -> None:
    ask = '{"goal": "price_and_stock", "part": "PS90001411"}'
    script: dict[str, list[object]] = {
        "parts.extract": [HEARD % (ask, "", "")],
        "parts.tell": [["Hm."]],
    }
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("what about PS90001411")
        prompt = str(model.seen[-1].messages[-1].content)
    assert "8 written steps" in prompt
    assert "no part is known to" in prompt
    assert "written steps of PS90001411, to be told where asked" in prompt
    assert "Bail out the water" in prompt


async def test_how_many_are_wanted_is_what_was_said_last(tmp_path: Path) -> None:
    two = '{"goal": "price_and_stock", "part": "PS3406971", "count": 2, "counted": "a couple"}'
    one = '{"goal": "price_and_stock", "words": "just the one", "shown": 1, "count": 1}'
    script: dict[str, list[object]] = {
        "parts.extract": [HEARD % (two, "", ""), HEARD % (one, "", '"change_order"')],
        "parts.tell": [["Right."], ["Right."]],
    }
    async with scripted(tmp_path, script) as (session, model):
        first = await session.turn("a couple of PS3406971 please")
        last = await session.turn("no, just the one; and stop the order I made")
        prompt = str(model.seen[-1].messages[-1].content)
    assert "$24.26 in total" in first.reply
    assert "in total" not in last.reply
    assert "1 of PS3406971" in prompt
    assert last.reply.startswith("I can't cancel, change or exchange an order from here")


@pytest.mark.parametrize(
    ("message", "heard", "count"),
    [
        ("PS3406971 please", '"count": 4', None),
        ("four of PS3406971 please", '"count": 4', 4),
        ("four of PS3406971 please", '"count": 5, "counted": "four of"', None),
        ("a pair of PS3406971 please", '"count": 2, "counted": "a pair"', 2),
    ],
)
async def test_only_a_count_that_was_said_is_heard(
    message: str, heard: str, count: int | None, tmp_path: Path
) -> None:
    wish = f'{{"goal": "price_and_stock", "part": "PS3406971", {heard}}}'
    script: dict[str, list[object]] = {
        "parts.extract": [HEARD % (wish, "", "")],
        "parts.tell": [["Right."]],
    }
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn(message)
    wanted = [event["count"] for event in turn.events if event["type"] == "Wanted"]
    assert wanted == ([count] if count else [])


async def test_a_model_hears_that_the_least_to_pay_decides(tmp_path: Path) -> None:
    wish = '{"goal": "diagnose_repair", "cheapest": true}'
    told = '{"quote": "leaks", "symptom": "Leaking"}'
    script: dict[str, list[object]] = {
        "parts.extract": [HEARD % (wish, told, '"checks"')],
        "parts.tell": [["Hm."]],
    }
    async with scripted(tmp_path, script) as (session, model):
        turn = await session.turn("WDT780SAEM1 leaks, what would be the least painful try")
        prompt = str(model.seen[-1].messages[-1].content)
    cards = next(event["cards"] for event in turn.events if event["type"] == "ToolReturned")
    prices = [float(card["price"]) for card in cards if card["price"]]
    assert prices == sorted(prices)
    assert "free to look at before buying" in prompt


PLACE = "look along the edge of the tub"
WHERE = '"unknown_model_number"'


@pytest.mark.parametrize(
    ("message", "topic", "told", "added"),
    [
        ("my dishwasher won't drain", "", "That is a nuisance. Which model is it?", False),
        ("my dishwasher won't drain", "", "On the rim of the tub [r2.1]. Which is it?", False),
        ("where's the number on a dishwasher", WHERE, "On a sticker.", True),
        ("where's the number on a dishwasher", WHERE, "On the rim of the tub [r1.1].", False),
    ],
)
async def test_where_the_label_is_can_be_told_in_a_models_words(
    message: str, topic: str, told: str, added: bool, tmp_path: Path
) -> None:
    complaint = '{"quote": "won\'t drain", "symptom": "Not draining"}'
    wish, complaints = ("", "") if topic else ('{"goal": "diagnose_repair"}', complaint)
    script: dict[str, list[object]] = {
        "parts.extract": [HEARD % (wish, complaints, topic)],
        "parts.tell": [[told]],
    }
    async with scripted(tmp_path, script) as (session, model):
        reply = (await session.turn(message)).reply
        prompt = str(model.seen[-1].messages[-1].content)
    assert f"dishwasher | Open the door and {PLACE}" in prompt
    assert (PLACE in reply) is added
    assert told.split(" [")[0] in reply


@pytest.mark.parametrize(
    "asked",
    [
        "do you do a drain pump for a Velden dishwasher, and what would it set me back?",
        "do you have a velden drain pump",
        "une pompe de vidange velden, vous avez ça ?",
    ],
)
async def test_a_part_of_the_brand_named_is_found_whatever_its_name_ends_in(
    talk: Talk, tmp_path: Path, asked: str
) -> None:
    own = (
        "PS1000004,9001,Velden Dishwasher Drain Pump 120/60 Ls08 Ul,Velden,Dishwasher,51,In Stock,"
    )
    (tmp_path / "parts.csv").write_text(f"{CATALOG}{own}\n")
    import_catalog(tmp_path / "parts.csv", into=tmp_path / "parts.catalog")
    (turn,) = await talk(asked)
    assert "PS1000004" in turn.reply
    assert "PS1000002" not in turn.reply
