"""What ends a story is asked about first, and the turn that ended it can be taken back."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from tests.agents.saga.conftest import Sit, Table

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain.creation import DEFAULT, make_sheet
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.nodes import hear
from ruleplay.agents.saga.state import Heard
from ruleplay.kernel.replay import replay
from ruleplay.records.turns import Turn


def types(turn: Turn) -> list[object]:
    return [event["type"] for event in turn.events]


def reading(*acts: Mapping[str, object]) -> str:
    return json.dumps({"acts": acts})


GIVE_UP = {"do": "pick", "item": "deed:give-up", "text": "let the lamp stay dark"}
UNDO = {"do": "meta", "meta": "undo", "text": "that was a mistake"}
GO = {"do": "move", "to": "greenway", "text": "up the road"}


async def ended(sit: Sit, lang: str = "en") -> Table:
    table = await sit(lang=lang)
    said = {
        "en": ("begin", "talk to Maud Fennick", "I give up", "yes"),
        "fr": ("commencer", "parler à Maud Fennick", "renoncer", "oui"),
    }
    for one in said[lang]:
        await table.say(one)
    assert (await table.view())["ending"]["key"] == "gave-up"
    return table


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        *(("en", one) for one in ("undo that", "/undo", "please take back my last turn", "1")),
        *(("fr", one) for one in ("annule ce tour, s'il te plaît", "/annuler")),
    ],
)
async def test_the_end_is_taken_back_in_words(sit: Sit, lang: str, words: str) -> None:
    table = await ended(sit, lang)
    await table.say("go on" if lang == "en" else "je pars vers le nord")
    turn = await table.say(words)
    assert "TakenBack" in types(turn)
    assert not (await table.view())["ending"]


async def test_a_model_takes_the_end_back_and_does_something_else(sit: Sit) -> None:
    table = await sit(model="scripted")
    ask = {"do": "ask", "to": "help", "text": "what was it all for?"}
    reads: list[object] = [reading(GIVE_UP), reading(ask), reading(UNDO, GO)]
    script: dict[str, list[object]] = {"saga.read": reads, "saga.narrator": ["Rain."] * 12}
    async with table.session(script) as session:
        for said in ("begin", "talk to Maud Fennick", "let the lamp stay dark", "yes"):
            await session.turn(said)
        assert (await session.view())["ending"]
        over = await session.turn("what was it all for?")
        assert types(over)[0] == "Refused"
        turn = await session.turn("that was a mistake, I walk up the road instead")
        # What was taken back is the "yes", so the question was open again.
        assert types(turn)[:3] == ["TakenBack", "Answered", "Travelled"]
        assert not (await session.view())["ending"]
        assert (await replay(session.host, session.id)).identical


async def test_after_the_end_the_commands_are_still_listed_with_undo(sit: Sit) -> None:
    table = await ended(sit)
    assert "/undo" in (await table.say("/help")).reply


async def test_a_deed_that_ends_the_story_is_asked_about_once(sit: Sit) -> None:
    table = await sit(model="scripted")
    script: dict[str, list[object]] = {
        "saga.read": [reading(GIVE_UP), reading(GIVE_UP), reading(GIVE_UP)],
        "saga.narrator": ["Rain."] * 9,
    }
    async with table.session(script) as session:
        for said in ("begin", "talk to Maud Fennick"):
            await session.turn(said)
        asked = await session.turn("the lamp can stay dark for all I care")
        assert "AskedBack" in types(asked)
        assert "ends the story" in asked.reply
        await session.turn("no")
        assert not (await session.view())["ending"]
        assert "AskedBack" in types(await session.turn("then let it stay dark"))
        done = await session.turn("I said, let it stay dark")
        assert "EndingReached" in types(done)


async def test_the_number_of_the_choice_confirms_the_end(sit: Sit) -> None:
    table = await sit()
    for said in ("begin", "talk to Maud Fennick"):
        await table.say(said)
    asked = await table.say("I give up")
    assert "EndingReached" not in types(asked)
    done = await table.say("1")
    assert "EndingReached" in types(done)


def test_a_suggestion_picked_as_it_stands_ends_the_story_at_once() -> None:
    book = open_book("grey-debt")
    game = Game(
        dice_seed="0",
        sheet=make_sheet(book.rules, "Halla", "human", "bree", DEFAULT, {}),
        place="quay",
        haven="quay",
        visited=("quay",),
        flags=("silver", "mercy", "talk:dwalma-hello:text"),
    )
    game = game.model_copy(update={"sheet": game.sheet.with_items("iron-key", 1)})
    hint = book.scenario.talks["dwalma-proof"].hint
    assert hint
    picked, free = hint.en, "so, Dwalma, here is the silver's key"
    told: dict[str, bool] = {}
    for said in (picked, free):
        play = Play(game, book, words=said)
        intent = Intent(act="talk", target="dwalma", item="dwalma-proof", said=said)
        hear(play, Heard(intents=(intent,)))
        told[said] = bool(play.game.ending)
    assert told == {picked: True, free: False}
