"""What is told of a turn: beats with their lines, authored words in their places, no filler."""

from __future__ import annotations

import doctest
from itertools import pairwise
from random import Random

import pytest
from tests.agents.party.gatherings import fight_to_its_end, fighting, laid

from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import fight_turn
from ruleplay.agents.party.nodes.telling import by_lines, placed
from ruleplay.agents.party.policy import telling_acts
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.state import event_of
from ruleplay.story.beats import Beat, is_line


def laid_out(play: TableTurn) -> list[str | Beat]:
    """Return what a turn has to tell."""
    return tell_events(play.began, [event_of(one) for one in play.done], play.book).laid_out()


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("seed", range(4))
def test_every_wound_and_death_of_a_fight_stands_in_a_line(seed: int, lang: str) -> None:
    state, book = laid(seed, lang=lang)
    table = fighting(state.table, book)
    for _ in range(60):
        fight = table.cast.fight
        if fight is None:
            return
        play = TableTurn(table, book)
        fight_turn(play, fight.actor)
        beats = [one for one in laid_out(play) if isinstance(one, Beat)]
        lines = " ".join(beat.line.text for beat in beats)
        for one in play.done:
            kind = type(one).__name__
            if kind == "HitPointsChanged" and getattr(one, "amount", 0) < 0:
                # Who fell in the last blow of a fight has left the table by now.
                assert table.name(getattr(one, "who", "")) in lines
                assert "−" in lines
            if kind == "Died":
                who = getattr(one, "who", "")
                assert any(beat.became(who, ["dead"]) for beat in beats)
        table = play.table
    raise AssertionError("the fight does not end")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_foes_of_a_kind_are_told_apart_without_digits(lang: str) -> None:
    state, book = laid(1, lang=lang)
    table = fighting(state.table, book)
    names = [one.name.of(state.table.lang) for one in table.cast.creatures if one.side != "party"]
    assert len(set(names)) == len(names) > 2
    assert not any(char.isdigit() for name in names for char in name)


def test_travel_is_told_before_arrival_and_a_check_before_what_it_brings() -> None:
    state, book = laid(1)
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.venture("thorin", Exploration(act="go", target="causeway"))
    found = laid_out(play)
    at = next(n for n, one in enumerate(found) if isinstance(one, Beat) and one.kind == "arrive")
    assert book.story.scenes["causeway"].text.en in found[at + 1]  # type: ignore[operator]


def test_without_a_model_a_turn_is_authored_words_and_lines() -> None:
    state, book = laid(1)
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.venture("thorin", Exploration(act="go", target="causeway"))
    found = laid_out(play)
    opening, after = placed(found)
    told = by_lines([one for one in found if isinstance(one, Beat)], after)
    written = {one for one in found if isinstance(one, str)}
    for paragraph in f"{opening}\n\n{told}".split("\n\n"):
        assert is_line(paragraph) or any(paragraph in text for text in written)


def test_a_whole_fight_reads_in_the_order_of_its_events() -> None:
    state, book = laid(2)
    table = fighting(state.table, book)
    play = TableTurn(table, book)
    fight = table.cast.fight
    assert fight
    fight_turn(play, fight.actor)
    ids = [int(one.id[1:]) for one in laid_out(play) if isinstance(one, Beat)]
    assert all(one < other for one, other in pairwise(ids))
    assert fight_to_its_end(play.table, book).cast.fight is None


def test_what_only_some_may_know_is_told_to_them_alone() -> None:
    state, book = laid(1)
    play = TableTurn(state.table, book)
    from ruleplay.agents.party.domain.happenings import table as p

    play.add(p.Whispered(seat="pell", to=("thorin",), text="under the third stone"))
    told = tell_events(play.began, [event_of(one) for one in play.done], book)
    assert "third stone" not in str(told.laid_out())
    assert [aside.audience for aside in told.asides] == [("dm", "pell", "thorin")]


def test_options_have_names_of_their_own() -> None:
    state, book = laid(1)
    table = fighting(state.table, book)
    labels = [one.label.en for one in choices(table, book, table.current_turn)]
    assert len(set(labels)) == len(labels)
    assert Random(1).choice(labels)


def test_examples() -> None:
    assert doctest.testmod(telling_acts).failed == 0
