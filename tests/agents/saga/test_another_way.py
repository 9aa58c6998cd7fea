"""Trying it another way: words of another kind, deals of which one is made, ways out of a fight."""

from __future__ import annotations

import pytest
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.domain import demands, improvising
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.answers import facts_for, own_text
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Act, Reading
from ruleplay.story.texts import Lang

ASK = {"do": "say", "to": "maud", "want": "help", "text": "help me with the gate"}


def tried(*approaches: str) -> list[str]:
    """Return the bands of tries at winning somebody over, by approach, without refused ones."""
    play = Play(hero_at("inn"), lamp())
    for approach in approaches:
        demands.win_over(play, Act.model_validate({**ASK, "approach": approach}))
    return [one.band for one in play.done if isinstance(one, h.Attempted)]


def test_the_same_plea_is_harder_and_then_refused_and_another_one_is_not() -> None:
    assert len(tried("press", "press", "press")) == 2
    first, second = tried("press", "press")
    assert (first, second) == ("medium", "hard")
    assert len(tried("press", "press", "bargain")) == 3
    assert len(tried("press", "provoke", "bargain", "deceive")) == 3


def test_a_promise_holds_where_one_of_two_deals_is_made() -> None:
    vow = {"kind": "promise", "text": "come back before the snow", "about": "maud"}
    asks = [
        {"do": "say", "to": "maud", "approach": "bargain", "want": want, "text": text}
        for want, text in (("help", "lend me a hand"), ("like", "and think of me"))
    ]
    kept = set()
    for seed in range(24):
        play = Play(hero_at("inn", seed=str(seed)), lamp())
        improvising.enact(play, Reading.model_validate({"acts": asks, "details": [vow]}))
        won = any(one.success for one in play.done if isinstance(one, h.Attempted))
        refused = any(isinstance(one, h.Refused) for one in play.done)
        held = any(one.kind == "promise" for one in play.game.story.canon)
        assert held is (won and not refused)
        kept.add(held)
    assert kept == {True, False}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_who_asks_how_to_get_away_is_told_what_it_takes(lang: Lang) -> None:
    game, asked = fight_with("orcs", lang=lang), "can I get out of here alive?"
    facts = facts_for({("fight", asked): ()}, game, lamp(), ())
    start = own_text("flight").of(lang).partition("{0}")[0]
    assert any(one.startswith(start) for one in facts)
    fight = game.fight
    assert fight is not None
    far = [one.model_copy(update={"far": one.id != HERO}) for one in fight.combatants]
    away = game.model_copy(update={"fight": fight.model_copy(update={"combatants": tuple(far)})})
    assert own_text("flight_free").of(lang) in facts_for({("fight", asked): ()}, away, lamp(), ())


def test_a_keepsake_had_beside_speech_has_its_line() -> None:
    before = hero_at("inn")
    play = Play(before, lamp())
    acts = [
        {"do": "say", "to": "maud", "text": "Mind if I keep this?"},
        {"do": "take", "item": "napkin", "text": "pockets the napkin"},
    ]
    improvising.enact(play, Reading.model_validate({"acts": acts}))
    script = script_of(before, [event_of(one) for one in play.done], lamp())
    kept = [one for one in script.beats() if "napkin" in one.line.text]
    assert [one.kind for one in kept] == ["gain"]


def test_what_the_hero_has_already_is_no_keepsake_as_well() -> None:
    game = hero_at("inn")
    sword = next(one.item for one in game.sheet.carried)
    name = lamp().rules.items[sword].name.en.split()[-1]
    play = Play(game, lamp())
    acts = ({"do": "take", "item": name, "text": f"takes the {name}"},)
    improvising.enact(play, Reading.model_validate({"acts": acts}))
    assert not any(isinstance(one, h.DetailKept) for one in play.done)


def test_words_that_ask_nothing_are_said_before_a_plea_that_may_send_them_off() -> None:
    book = lamp()
    place = next(key for key, one in book.scenario.places.items() if one.encounter)
    play = Play(hero_at(place), book)
    plea = Act(do="say", to="foe1", want="pass", approach="bargain", text="Let me by.")
    joke = Act(do="say", to="foe1", text="You have egg on your chin.")
    if_not = joke.model_copy(update={"when": "if_failure"})
    assert [*improvising._pleas_last(play, (plea, joke))] == [joke, plea]
    assert [*improvising._pleas_last(play, (plea, if_not))] == [plea, if_not]
