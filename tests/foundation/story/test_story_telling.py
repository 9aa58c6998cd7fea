"""Beats told by a model: by the paragraph, lines beneath, nothing torn, every line there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

import pytest
from lectern import MINUTE, Lapse, Lectern
from tests.foundation.story.test_passage import BEATS, GOOD, SCENE

from ruleplay.errors import ModelError
from ruleplay.kernel.context import Prompt
from ruleplay.kernel.tell import Told
from ruleplay.models.scripted import Entry, ScriptedModel
from ruleplay.story.beats import Beat, Item, Line, answer, is_line, listed, printed
from ruleplay.story.telling import tell_beats

LIE = "Thorin cuts Pell down, and Pell dies. [b3]"


async def spoken(
    *script: Entry, beats: Sequence[Beat] = BEATS, after: Mapping[str, str] | None = None
) -> tuple[Told, Lectern]:
    lectern = Lectern(ScriptedModel(script))
    found = await tell_beats(
        lectern.context,
        "duel.narrator",
        prompt=lambda: Prompt(system="Tell the beats.", user="[b1] [b2] [b3]"),
        beats=beats,
        scene=SCENE,
        otherwise=lambda: printed(beats),
        deadline=MINUTE,
        after=after,
    )
    return found, lectern


async def test_lines_stand_beneath_each_paragraph() -> None:
    found, lectern = await spoken("\n\n".join(GOOD))
    parts = found.text.split("\n\n")
    assert [is_line(part) for part in parts] == [False, True, False, True]
    assert found.source == "model"
    assert lectern.text == found.text


async def test_a_paragraph_that_fails_is_left_out_and_its_lines_stand_in_its_place() -> None:
    found, lectern = await spoken(f"{GOOD[0]}\n\n{LIE}\n\nThe night goes on.")
    parts = found.text.split("\n\n")
    assert parts[2:] == [printed(BEATS[2:]), "The night goes on."]
    assert "dies" not in found.text
    assert found.refusals
    assert len(lectern.context.calls[0].replies) == 1


async def test_what_follows_a_first_paragraph_that_fails_is_still_told() -> None:
    found, _ = await spoken(
        f"Thorin dies of the one-eared rat. [b1] Teeth on iron. [b2]\n\n{GOOD[1]}"
    )
    assert found.source == "model"
    assert found.text.startswith(printed(BEATS[:2]))
    assert found.text.endswith(printed(BEATS[2:]))
    assert "nothing clever to say" in found.text


@pytest.mark.parametrize("entry", ["", LIE, ModelError("down"), [Lapse()], [GOOD[0], Lapse()]])
async def test_when_nothing_passes_the_lines_make_the_reply(entry: Entry) -> None:
    found, lectern = await spoken(entry)
    assert (found.text, found.source) == (printed(BEATS), "policy")
    assert lectern.text == found.text


def sentences(paragraph: str) -> set[str]:
    return {one.strip() for one in re.split(r"(?<=[.!?])\s+", paragraph) if one.strip()}


async def test_one_sentence_that_is_wrong_costs_no_more_than_itself() -> None:
    lie = "By the door Thorin falls over and dies."
    paragraph = f"{GOOD[0]} {lie}"
    found, _ = await spoken(f"{paragraph}\n\n{GOOD[1]}")
    kept = sentences(re.sub(r" ?\[b\d\]", "", GOOD[0]))
    assert kept <= sentences(found.text.split("\n\n")[0])
    assert "falls over" not in found.text
    assert any("dies" in one for one in found.refusals)


async def test_whatever_comes_every_line_is_there_once_and_nothing_is_torn() -> None:
    rng = Random(3)
    pool = [*GOOD, LIE, "The water is black. [b9]", "A bird. [b2]", "Rain begins to fall, slowly."]
    for _ in range(60):
        text = "\n\n".join(rng.choice(pool) for _ in range(rng.randint(1, 5)))
        cut = text[: rng.randint(0, len(text))] if rng.random() < 0.3 else text
        found, lectern = await spoken([cut[:9], cut[9:]] if rng.random() < 0.5 else cut)
        for beat in BEATS:
            assert found.text.count(beat.line.text) == 1, (cut, found.text)
        offered = [sentences(re.sub(r" ?\[b\d\]", "", part)) for part in cut.split("\n\n")]
        shown = [sentences(part) for part in found.text.split("\n\n") if not is_line(part)]
        assert all(any(part <= whole for whole in offered) for part in shown)
        assert lectern.text == found.text


QUESTION = answer("b4", "what do I carry?", ("longsword", "coins: 14"))


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    "reply", ["You carry a longsword and 14 coins. [b4]", "15 coins. [b4]", ""]
)
async def test_a_question_is_answered_once_by_the_model_or_by_code(first: bool, reply: str) -> None:
    beats = (QUESTION, *BEATS) if first else (*BEATS, QUESTION)
    parts = [reply, *GOOD] if first else [*GOOD, reply]
    found, _ = await spoken("\n\n".join(filter(None, parts)), beats=beats)
    told = reply.startswith("You")
    assert found.text.count(QUESTION.passage) == (not told)
    assert ("and 14 coins." in found.text) == told
    assert found.text.endswith(QUESTION.passage) == (not told)
    for beat in BEATS:
        assert found.text.count(beat.line.text) == 1


async def test_an_answer_loses_only_the_sentences_that_are_wrong() -> None:
    said = (
        "You carry a longsword, well kept. You have 15 coins. Nothing else is in your hands. [b4]"
    )
    found, _ = await spoken(said, beats=(QUESTION,))
    assert found.text == "You carry a longsword, well kept. Nothing else is in your hands."
    found, _ = await spoken("Yes. You have 15 coins, and 3 swords. [b4]", beats=(QUESTION,))
    assert found.text == QUESTION.passage


async def test_without_a_model_the_block_answers() -> None:
    found, _ = await spoken(ModelError("down"), beats=(*BEATS, QUESTION))
    assert found.text == printed((*BEATS, QUESTION))
    assert found.text.endswith("longsword\ncoins: 14")


ARRIVAL = Beat(id="b4", kind="arrive", must=False, says="", passage="You come to the bridge.")


@pytest.mark.parametrize(
    ("prose", "order"),
    [
        ([*GOOD, "The path narrows."], ["The path narrows.", ARRIVAL.passage]),
        ([*GOOD, "The path narrows.", "A bird."], ["narrows.", ARRIVAL.passage, "A bird."]),
        ([*GOOD, "[b4]", "A bird."], [ARRIVAL.passage, "A bird."]),
        ([LIE, "The path narrows."], ["The path narrows.", ARRIVAL.passage]),
    ],
)
async def test_prose_leads_up_to_an_arrival(prose: list[str], order: list[str]) -> None:
    found, _ = await spoken("\n\n".join(prose), beats=(*BEATS, ARRIVAL))
    places = [found.text.index(one) for one in order]
    assert places == sorted(places)
    assert found.text.count(ARRIVAL.passage) == 1


async def test_a_small_beat_told_ahead_of_its_turn_does_not_pull_lines_along() -> None:
    own = [
        Beat(id="b1", kind="other", who="thorin", says="Thorin asks", line=line("asks")),
        Beat(id="b2", kind="other", who="pell", says="Pell decides", line=line("decides")),
        Beat(id="b3", kind="detail", must=False, says="this is so: a vow", line=line("vow")),
    ]
    prose = "Thorin asks quietly enough [b1], and gives his word on it [b3]."
    found, _ = await spoken(f"{prose}\n\nPell thinks it over for a while [b2].", beats=own)
    parts = found.text.split("\n\n")
    assert parts[1] == printed(own[:1])
    assert parts[3] == printed(own[1:])


def line(text: str) -> Line:
    return Line(items=(Item(kind="text", text=text),))


async def test_words_under_a_beat_that_is_only_printed_come_before_their_answer() -> None:
    waits = Beat(id="b1", kind="other", must=False, says="", line=line("Thorin waits"))
    reply = Beat(id="b2", kind="say", who="pell", says="Pell may answer Thorin in words")
    words = {"b1": "Thorin: “How far is it to the mill?”"}
    assert "How far is it" in listed((waits, reply), words)
    found, _ = await spoken("Pell points at the ridge. [b2]", beats=(waits, reply), after=words)
    parts = found.text.split("\n\n")
    assert parts.index(words["b1"]) < parts.index("Pell points at the ridge.")
    assert found.text.count("Thorin waits") == 1


BOOK = (
    *BEATS,
    Beat(id="b4", kind="other", must=False, says="", passage="The chest has been unscrewed."),
    Beat(id="b5", kind="other", must=False, says="", passage="You know who paid for it."),
    Beat(id="b6", kind="gain", must=False, says="a letter", line=line("a letter")),
)
PATH = (
    *BEATS,
    *(
        Beat(id=f"b{n}", kind="arrive", must=False, says="", passage=text)
        for n, text in ((4, "You come to the bridge."), (5, "Three arches."), (6, "A troll."))
    ),
)
CHEST, KNOWN, TROLL = (*(one.passage for one in BOOK[3:5]), PATH[5].passage)
LIFTS, HIDES = "Pell lifts every board.", "Thorin stops behind an alder."


@pytest.mark.parametrize(
    ("beats", "prose", "order"),
    [
        (BOOK, [LIFTS, "[b4]", "The wax cracks. [b6]"], [LIFTS, CHEST, KNOWN, "The wax"]),
        (BOOK, [LIFTS, HIDES, "Then they see. [b4]"], [LIFTS, HIDES, "Then", CHEST]),
        (BOOK, [LIFTS, "The wax cracks. [b6]"], [CHEST, KNOWN, LIFTS, "The wax"]),
        (BOOK, [LIFTS], [CHEST, KNOWN, LIFTS]),
        (BOOK, ["[b4]", LIFTS, "[b5]"], [CHEST, LIFTS, KNOWN]),
        (PATH, ["[b4]", "[b5]", HIDES, "[b6]", LIFTS], ["arches", HIDES, TROLL, LIFTS]),
        (PATH, [LIFTS, "[b4]", "[b5]", HIDES, "[b6]"], [LIFTS, "bridge", HIDES, TROLL]),
        (PATH, [LIFTS, HIDES], [LIFTS, TROLL, HIDES]),
    ],
)
async def test_a_paragraph_that_leads_up_to_a_book_text_precedes_it(
    beats: Sequence[Beat], prose: list[str], order: list[str]
) -> None:
    found, lectern = await spoken("\n\n".join([*GOOD, *prose]), beats=beats)
    places = [found.text.index(one) for one in order]
    assert places == sorted(places)
    assert all(found.text.count(one.passage) == 1 for one in beats if one.passage)
    assert lectern.text == found.text


async def test_a_book_text_after_a_refused_paragraph_comes_before_the_next() -> None:
    found, _ = await spoken(f"{GOOD[0]}\n\n{LIE}\n\nThe wax cracks. [b6]", beats=BOOK)
    places = [found.text.index(one) for one in (CHEST, KNOWN, "The wax", "a letter")]
    assert places == sorted(places)
