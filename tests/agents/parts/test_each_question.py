"""Every question of a message is answered or named, and what is claimed holds, in real parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agents.parts.test_main_matter import home, last_reply  # noqa: F401

FULL = ("WDT780SAEM1 water stays in the bottom", "start with the cheaper one. hard to fit?")
ROLLER = ("a small wheel rolled off my whirlpool dishwasher. have you just the wheel?",)
COLD = ("frigo samsung RF220NCTAS trop chaud dedans",)


@pytest.mark.parametrize(
    "said",
    [
        "and the other one? do you have both in stock, and the total?",
        "what about the other? both in stock? how much in total",
    ],
)
async def test_a_total_is_of_the_parts_shown(home: Path, said: str) -> None:  # noqa: F811
    assert "$95.94" in await last_reply(home, *FULL, said)


@pytest.mark.parametrize(
    "said",
    [
        "WDT780SAEM1 my neighbour read it out over the telephone",
        "it is on the edge of the door: WDT780SAEM1",
    ],
)
async def test_how_a_number_was_found_names_no_part(home: Path, said: str) -> None:  # noqa: F811
    reply = await last_reply(home, *ROLLER, said)
    assert "PS3406971" in reply
    assert "find" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "10640563010, a chirp from behind the freezer panel that stops when I open the door. "
        "Which part is it, and at what price?",
        "my 10640563010 squeaks behind the back panel of the freezer. What do I need and how much?",
    ],
)
async def test_places_of_a_noise_are_no_parts_asked_for(home: Path, said: str) -> None:  # noqa: F811
    reply = await last_reply(home, said)
    assert "PS557957" in reply
    assert "panel" not in reply


@pytest.mark.parametrize(
    "said",
    ["661566, not 661662. what is it?", "the number is 661566 and not 661662, what part is that?"],
)
async def test_a_number_that_is_not_meant_is_not_told_of(home: Path, said: str) -> None:  # noqa: F811
    reply = await last_reply(home, said)
    assert "PS11743423" in reply
    assert "PS11753379" not in reply


async def test_a_list_says_which_faults_it_covers(home: Path) -> None:  # noqa: F811
    reply = await last_reply(
        home, "fridge totally dead, it will not start, and too warm inside. BFHS2611LM2"
    )
    assert "known to fix this (will not start):" in reply
    assert "does not cover: fridge too warm" in reply


@pytest.mark.parametrize("said", ["il y a un R au bout je crois", "ça finit par un R je crois"])
async def test_a_letter_told_picks_the_number_that_ends_so(home: Path, said: str) -> None:  # noqa: F811
    assert "PS4138666" in await last_reply(home, *COLD, said)


@pytest.mark.parametrize(
    "said",
    [
        "how much is the cutlery basket with lids for my GE dishwasher",
        "GE dishwasher silverware basket with the lids, price?",
    ],
)
async def test_details_single_out_one_part_of_any_model(home: Path, said: str) -> None:  # noqa: F811
    reply = await last_reply(home, said)
    assert "PS1016011" in reply
    assert "$31.74" in reply


@pytest.mark.parametrize("said", ["how much for both together, and do the screws come with them?"])
async def test_what_comes_with_parts_stands_beside_their_total(home: Path, said: str) -> None:  # noqa: F811
    reply = await last_reply(home, "price of PS3406971 and PS10065979", said)
    assert "$66.78" in reply
    assert "do the screws come with them" in reply
    assert "don't find" not in reply
