"""What is told again and again is told in other words, or not at all."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.party.gatherings import laid

from ruleplay.agents.party.adapters.adventure_source import read_adventure
from ruleplay.agents.party.adapters.library import shipped_adventures
from ruleplay.agents.party.adapters.srd_source import files_of, shipped_rules
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.happenings import exploration as x
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.policy.variety import dealt
from ruleplay.agents.party.state import event_of
from ruleplay.story.texts import Lang, Text

SCENES = [
    (story.adventure.key, key)
    for story in shipped_adventures().values()
    for key in story.adventure.scenes
]


@given(st.integers(3, 9), st.text(max_size=8), st.integers(0, 500))
def test_wordings_are_dealt_each_once_and_none_twice_in_a_row(
    count: int, chance: str, start: int
) -> None:
    found = [dealt(count, chance, at) for at in range(start, start + 3 * count)]
    assert all(one != other for one, other in pairwise(found))
    first = -start % count
    assert sorted(found[first : first + count]) == [*range(count)]


def returns(book: Book, table: Table, scene: str, rounds: list[int]) -> list[str]:
    """Return what is told each time that a party comes to a scene, in these rounds."""
    heard: list[str] = []
    for place, at in enumerate(rounds):
        now = table.model_copy(update={"round": at})
        event = x.SceneEntered(scene=scene, origin="elsewhere", first=place == 0)
        telling = tell_events(now, [event_of(event)], book)
        heard.append("\n".join(one for one in telling.blocks if isinstance(one, str)))
        table = telling.table
    return heard


def begun(adventure: str, lang: Lang) -> tuple[Table, Book]:
    """Return a table that has set out."""
    state, book = laid(3, adventure=adventure, lang=lang)
    event = x.SceneEntered(scene=book.story.start, first=True)
    return state.table.apply(event), book


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("adventure", "scene"), SCENES)
def test_coming_back_is_never_told_the_same_way_twice_in_a_row(
    adventure: str, scene: str, lang: Lang
) -> None:
    table, book = begun(adventure, lang)
    heard = returns(book, table, scene, [*range(1, 60, 3), 60, 61, 61, 62])
    wordings = {text.of(lang) for text in book.story.scenes[scene].phrasings}
    assert len(wordings) >= 3
    spoken = [text for text in wordings if any(text in one for one in heard)]
    assert len(spoken) == len(wordings)
    told = [one for one in heard if any(text in one for text in wordings)]
    last = [next(text for text in wordings if text in one) for one in told]
    assert all(one != other for one, other in pairwise(last))
    assert heard == returns(book, table, scene, [*range(1, 60, 3), 60, 61, 61, 62])


def test_back_and_forth_within_a_round_tells_the_scene_once() -> None:
    table, book = begun("drowned-bell", "en")
    _, first, second = returns(book, table, "causeway", [1, 4, 4])
    scene = book.story.scenes["causeway"]
    assert any(text.en in first for text in scene.phrasings)
    assert not any(text.en in second for text in scene.phrasings)


def test_wordings_are_paragraphs_where_both_languages_have_as_many() -> None:
    text = files_of("adventures")["drowned-bell.md"]
    first = "The stones are wet, though it has not rained.\n\n"
    whole = read_adventure(text, "own.md", shipped_rules()).scenes["causeway"]
    fewer = read_adventure(text.replace(first, ""), "own.md", shipped_rules()).scenes["causeway"]
    assert len(whole.phrasings) == 4
    assert fewer.phrasings == (fewer.again,)


def test_a_single_wording_is_told_once_and_then_no_more() -> None:
    table, book = begun("drowned-bell", "en")
    only = Text(en="It has not changed.", fr="Rien n'a changé.")
    scene = book.story.scenes["mill"].model_copy(update={"again": only})
    story = book.story.model_copy(update={"scenes": {**book.story.scenes, "mill": scene}})
    heard = returns(Book(book.rules, story), table, "mill", [1, 5, 9, 14])
    assert [only.en in one for one in heard] == [False, True, False, False]
