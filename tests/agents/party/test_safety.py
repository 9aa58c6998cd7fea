"""Lines and veils bind whoever tells: the templates' words, a model's, and what views remind of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from tests.agents.party.conftest import Open

from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.domain.comparing import differences
from ruleplay.agents.party.domain.safety import LEFT_UNTOLD, PASSED_OVER, Safety, spared, unnamed
from ruleplay.kernel.export import export_markdown
from ruleplay.models.scripted import Asked, Rehearsal, Reply

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
            marks = re.findall(r"^\[(b\d+)\]", asked.messages[-1].text, re.MULTILINE)
            told = "".join(
                f"The wind turns and turns back, and again it turns [{m}]. " for m in marks
            )
            return Reply((f"{told}\n\nThe lantern flickers over the counter.",))
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


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("attack spider 2 with mace", "attack (something left untold) 2 with mace"),
        ("Spiders’ den", "(something left untold)’ den"),
        ("cast blood spider on Pell", "cast (something left untold) on Pell"),
        ("the mill", "the mill"),
    ],
)
def test_a_name_keeps_what_was_not_agreed_on(name: str, left: str) -> None:
    assert unnamed(name, SAFETY, "en") == left
    assert unnamed(name, Safety(), "en") == name


def test_lines_of_several_words_and_small_ones_leave_the_rest() -> None:
    safety = Safety(on=True, lines=("death of a child", "le noyé"))
    assert unnamed("the death of a child", safety, "en") == (
        "the (something left untold) of a (something left untold)"
    )
    assert unnamed("aller vers les Noyés", safety, "fr") == (
        "aller vers les (quelque chose de passé sous silence)"
    )
    assert unnamed("a child of the mill", safety, "en") == "a child of the mill"


IDS = {"key", "id", "seat", "to", "from", "action", "safety", "adventure", "replay", "seed"}


def read(shown: object, field: str = "") -> Iterator[str]:
    """Yield every text of a view that somebody reads; ids and what was agreed on are none."""
    if field in IDS:
        return
    if isinstance(shown, dict):
        for key, value in shown.items():
            yield from read(value, key)
    elif isinstance(shown, list):
        for one in shown:
            yield from read(one, field)
    elif isinstance(shown, str):
        yield shown


LANGUAGES = [("en", "lantern", LEFT_UNTOLD.en), ("fr", "lanterne", LEFT_UNTOLD.fr)]


@pytest.mark.parametrize(("lang", "word", "instead"), LANGUAGES)
async def test_names_keep_to_lines_too_and_can_still_be_chosen(
    room: Open, lang: str, word: str, instead: str
) -> None:
    """The inn is called after a lantern, and a lantern hangs in it."""
    table, plain = await room("1", lang=lang), await room("1", lang=lang)
    for one in (table, plain):
        await one.does({"do": "play"})
        await one.does({"do": "hold", "seat": "thorin", "by": "human"})
    before = await plain.view("thorin")
    assert any(word in text.casefold() for text in read(before))
    await table.does({"do": "safety", "on": True, "lines": [word]}, "thorin")
    for turn in range(4):
        for seat in ("thorin", "dm", "table"):
            found = list(read(await table.view(seat)))
            assert not [text for text in found if word in text.casefold()], (turn, seat)
        shown = await table.view("thorin")
        assert [one["action"] for one in shown["options"]] == [
            {"do": "choose", "options": [one["id"]]} for one in shown["options"]
        ]
        if turn == 0:
            assert shown["scene"]["name"].endswith(instead)
            assert [one["id"] for one in shown["options"]] == [
                one["id"] for one in before["options"]
            ]
        if shown["mine"]:
            done = await table.does(shown["options"][0]["action"], "thorin")
            assert word not in done.reply.casefold()
        for _ in range(50):
            if (await table.view("thorin"))["mine"]:
                break
            await table.does({"do": "play"})
        else:
            pytest.fail("thorin's turn never came")


@pytest.mark.parametrize(("lang", "word", "instead"), LANGUAGES)
async def test_what_is_looked_up_and_refused_keeps_to_lines(
    room: Open, lang: str, word: str, instead: str
) -> None:
    table = await room("1", lang=lang)
    await table.does({"do": "play"})
    await table.does({"do": "hold", "seat": "thorin", "by": "human"})
    await table.does({"do": "safety", "on": True, "lines": [word], "veils": ["brenna"]}, "thorin")
    for topic in ("recap", "sheet", "scene", "fight", "party", "journal", "callbacks", "help"):
        turn = await table.does({"do": "look", "topic": topic}, "thorin")
        told = " ".join(aside.text for aside in turn.asides).casefold()
        assert word not in told
        assert "brenna" not in told
    help_text = (await table.does({"do": "look", "topic": "help"}, "thorin")).asides[0].text
    assert instead in help_text
    refused = await table.says(f"xyzzy {word} plugh", "thorin")
    assert "plugh" not in " ".join(aside.text for aside in refused.asides).casefold()
    crossing = await table.does({"do": "say", "text": word}, "thorin")
    assert word in crossing.asides[0].text  # what was crossed is named to who crossed it


async def test_others_do_not_read_what_was_sent_across_a_line(room: Open) -> None:
    table = await room("1")
    await table.does({"do": "play"})
    await table.does({"do": "hold", "seat": "thorin", "by": "human"})
    await table.does({"do": "safety", "on": True, "lines": ["lantern"]}, "thorin")
    await table.says("@dm the lantern is mine", "thorin")
    async with table.session() as session:
        for seat in ("pell", "dm", "table"):
            assert "lantern is mine" not in await export_markdown(session, seat)
        assert "lantern is mine" in await export_markdown(session, "thorin")
    await table.does({"do": "safety", "on": False}, "thorin")
    await table.says("@dm the lantern is mine", "thorin")
    async with table.session() as session:
        assert "lantern is mine" not in await export_markdown(session, "pell")
        assert "lantern is mine" in await export_markdown(session, "dm")


async def test_branches_are_compared_without_what_is_not_told(room: Open) -> None:
    table = await room("1")
    await table.does({"do": "play"})
    one = (await table.state()).table
    book = open_book("")
    agreed = one.model_copy(update={"safety": Safety(on=True, lines=("lantern",))})
    elsewhere = one.model_copy(
        update={"expedition": one.expedition.model_copy(update={"scene": "mill"})}
    )
    assert "Lantern" in str(differences(one, elsewhere, book))
    assert "antern" not in str(differences(agreed, elsewhere, book))
