"""Two courses of one game side by side: what differs is told, and only what all may know."""

from __future__ import annotations

import pytest
from tests.agents.party.gatherings import fight_to_its_end, fighting, laid

from ruleplay.agents.party.domain.comparing import differences
from ruleplay.agents.party.domain.happenings.exploration import ClueFound


def test_a_table_does_not_differ_from_itself() -> None:
    state, book = laid()
    assert differences(state.table, state.table, book) == ()


@pytest.mark.parametrize("seed", [3, 5])
def test_place_round_and_hit_points_differ(seed: int) -> None:
    state, book = laid(seed)
    fight = fighting(state.table, book)
    after = fight_to_its_end(fight, book)
    found = {(row.what, row.name): (row.one, row.other) for row in differences(fight, after, book)}
    assert found["fight", ""][1] == ""
    assert found["fight", ""][0] == book.story.encounters["rats"].text.en
    hurt = {
        before.name.en: (f"{before.hp}/{before.max_hp}", f"{later.hp}/{later.max_hp}")
        for before, later in zip(fight.party, after.party, strict=True)
        if before.hp != later.hp
    }
    assert hurt
    assert hurt == {name: sides for (what, name), sides in found.items() if what == "hit-points"}
    start = {row.what: (row.one, row.other) for row in differences(state.table, fight, book)}
    assert start["place"] == ("", book.story.scenes["causeway"].name.en)


def test_a_discovery_is_told_when_all_know_it_and_not_when_one_does() -> None:
    state, book = laid(lang="fr")
    key = next(iter(book.story.clues))
    for audience, told in ((("*",), True), (("thorin",), False)):
        found = state.table.apply(ClueFound(clue=key, who="thorin", audience=audience))
        rows = differences(state.table, found, book)
        assert [row.other for row in rows] == ([book.story.clues[key].text.fr] if told else [])
