"""Lines and veils bind whoever tells: the templates' words, a model's, and what views remind of."""

from __future__ import annotations

import json

import pytest
from tests.agents.party.conftest import Open

from ruleplay.agents.party.domain.safety import PASSED_OVER, Safety, spared
from ruleplay.foundation.llm.rehearsal import Asked, Rehearsal, Reply

SAFETY = Safety(on=True, lines=("spider",), veils=("blood",))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("A cellar. It is dark.", "A cellar. It is dark."),
        ("A cellar. Spiders sit in it. It is dark.", "A cellar. It is dark."),
        ("There is blood. And more Blood! It is dark.", f"{PASSED_OVER.en} It is dark."),
        ("Spiders.", PASSED_OVER.en),
        ("“A spider!” cries Ann. Then silence.", "cries Ann. Then silence."),
    ],
)
def test_a_text_is_spared(text: str, left: str) -> None:
    assert spared(text, SAFETY, "en") == left
    assert spared(text, Safety(), "en") == text


async def test_templates_keep_to_lines_and_veils(room: Open) -> None:
    """The inn's lantern is never spoken of, the village is passed over."""
    plain, table = await room("1"), await room("1")
    agreed = {"do": "safety", "on": True, "lines": ["lantern"], "veils": ["village"]}
    told = await table.does(agreed, "thorin")
    assert "lantern" in told.reply  # what is agreed on is named once, where it is agreed
    heard, before = "", ""
    for _ in range(3):
        heard += (await table.does({"do": "play"})).reply
        before += (await plain.does({"do": "play"})).reply
    assert "antern" in before
    assert "illage" in before
    assert "antern" not in heard
    assert "illage" not in heard
    assert PASSED_OVER.en in heard
    for seat in ("thorin", "table", "dm"):
        view = await table.view(seat)
        shown = {name: view[name] for name in ("recap", "callbacks", "knowledge")}
        shown["scene"] = view["scene"]["text"]
        assert "antern" not in json.dumps(shown)


class Loose(Rehearsal):
    """Tells what it was not to tell."""

    def reply(self, asked: Asked) -> Reply:
        """Pick nothing sensible; tell of a lantern."""
        if asked.role.count(".") == 2:
            return Reply(("The lantern flickers over the counter. The wind turns.",))
        return Reply(("no",))


async def test_a_model_keeps_to_lines(room: Open) -> None:
    loose, bound = await room("1", model="loose"), await room("1", model="loose")
    agreed = {"do": "safety", "on": True, "lines": ["lantern"]}
    await bound.does(agreed, "thorin")
    heard = {}
    for name, table in (("loose", loose), ("bound", bound)):
        async with table.session(Loose()) as session:
            for _ in range(4):
                turn = await session.turn(action={"do": "play"})
                heard[name] = heard.get(name, "") + turn.reply
    assert "The lantern flickers" in heard["loose"]
    assert "The wind turns" in heard["bound"]
    assert "antern" not in heard["bound"]


async def test_the_card_pauses_the_scene_for_all_to_see(room: Open) -> None:
    table = await room()
    await table.does({"do": "safety", "on": True}, "pell")
    await table.does({"do": "card"}, "pell")
    for seat in ("dm", "thorin", "table"):
        assert (await table.view(seat))["paused"] == {"why": "card", "by": "pell"}
