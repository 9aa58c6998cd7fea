"""Prices are in US dollars: it is said when asked, and the model that replies knows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.agents.parts.conftest import Talk
from tests.agents.parts.test_models import scripted

from ruleplay.agents.parts.domain.voice import voice


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "how much is PS3406971 in canadian dollars?"),
        ("en", "is that US dollars or Canadian, for PS3406971?"),
        ("en", "PS3406971: what currency are your prices in?"),
        ("fr", "combien coûte le PS3406971 en piasses canadiennes ?"),
        ("fr", "le prix du PS3406971, c'est en euros ?"),
        ("es", "¿cuánto cuesta PS3406971 en euros?"),
    ],
)
async def test_the_currency_is_said_with_the_price(language: str, message: str, talk: Talk) -> None:
    (turn,) = await talk(message)
    assert voice(language).say("currency") in turn.reply
    assert ("12.13" if language == "en" else "12,13") in turn.reply


@pytest.mark.parametrize(
    "message", ["is PS3406971 made in Canada?", "50 euros is too much, PS3406971 price?"]
)
async def test_it_is_not_said_unasked(message: str, talk: Talk) -> None:
    (turn,) = await talk(message)
    assert voice("en").say("currency") not in turn.reply


async def test_a_model_is_told_it_as_a_fact(tmp_path: Path) -> None:
    heard = {
        "wishes": [{"goal": "price_and_stock", "part": "PS3406971"}],
        "topics": ["currency"],
    }
    told = ["PS3406971 is $12.13 [r1.1], in US dollars [r2.2.told]."]
    script: dict[str, list[object]] = {"parts.extract": [json.dumps(heard)], "parts.tell": [told]}
    async with scripted(tmp_path, script) as (session, model):
        turn = await session.turn("PS3406971, how much is it in CAD?")
        asked = str(model.seen[-1].messages[-1].content)
    assert "prices are in | US dollars" in asked
    assert "in US dollars" in turn.reply
    assert not next(call for call in turn.calls if call.role == "parts.tell").refusals
