"""What a place's text says is so: nobody is in it who has died, left, or come along."""

from __future__ import annotations

import pytest
from tests.agents.saga.worlds import hero_at, lamp

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.policy.answers import block_of
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.story.texts import Lang

MENDED = "deed:mend-ferry:text"


def along(game: Game, who: str) -> Game:
    return game.apply(h.Joined(who=who))


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("how", ["gone", "along"])
def test_who_has_gone_or_come_along_is_not_told_of_as_there(lang: Lang, how: str) -> None:
    there = hero_at("ford", lang=lang)
    assert "Halvard" in surroundings.sight(there, lamp(), again=True)
    gone = (
        along(there, "halvard") if how == "along" else there.apply(h.FlagSet(flag="gone:halvard"))
    )
    told = surroundings.sight(gone, lamp(), again=True)
    assert told
    assert "Halvard" not in told


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_was_mended_is_not_torn(lang: Lang) -> None:
    torn, mended = ("torn", "mended") if lang == "en" else ("rompue", "réparée")
    before, after = hero_at("ford", lang=lang), hero_at("ford", lang=lang, flags=(MENDED,))
    assert torn in block_of("place", before, lamp())
    assert mended not in block_of("place", before, lamp())
    assert torn not in block_of("place", after, lamp())
    assert mended in surroundings.sight(after, lamp(), again=True)


def test_a_deed_is_not_applauded_by_the_dead() -> None:
    told = h.SectionTold(kind="deed", key="mend-ferry")
    for flags, grunts in (((), True), (("gone:halvard",), False)):
        script = script_of(hero_at("ford", flags=flags), [event_of(told)], lamp())
        (passage,) = (draft.passage for draft in script.drafts if draft.passage)
        assert ("Halvard" in passage) == grunts
        assert "swings free" in passage


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("place", sorted(lamp().scenario.places))
def test_where_nothing_has_changed_all_of_it_is_told(place: str, lang: Lang) -> None:
    told = lamp().scenario.places[place]
    game = hero_at(place, lang=lang)
    assert surroundings.sight(game, lamp()) == told.text.of(lang)
    assert told.again
    assert surroundings.sight(game, lamp(), again=True) == told.again.of(lang)
