"""Names that the hero does not know yet, wishes that come to nothing, and the way to a place."""

from __future__ import annotations

import json

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.worlds import hero_at, lamp

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising, surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Scenario
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Act, Reading
from ruleplay.story.texts import Lang

COAX = {"do": "say", "to": "bargemaster", "approach": "deceive", "want": "like"}


def in_the_hall(lang: Lang = "en") -> Game:
    game = hero_at("inn", lang=lang)
    return game.model_copy(
        update={"place": "hall", "haven": "quay", "visited": ("quay", "hall"), "flags": ()}
    )


def lines(before: Game, play: Play) -> str:
    script = script_of(before, [event_of(one) for one in play.done], play.book)
    return " / ".join(beat.line.text for beat in script.beats())


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_line_does_not_name_whom_the_hero_has_not_recognised(lang: Lang) -> None:
    book, game = open_book("grey-debt"), in_the_hall(lang)
    play = Play(game, book)
    act = Act.model_validate({**COAX, "text": "I am a thatcher"})
    improvising.enact(play, Reading(acts=(act,)))
    told = lines(game, play)
    assert {"en": "the host", "fr": "le maître de maison"}[lang] in told
    assert "Orlo" not in told


def test_a_person_is_recognised_by_being_named_and_stays_so() -> None:
    book, game = open_book("grey-debt"), in_the_hall()
    play = Play(game, book)
    act = Act.model_validate({**COAX, "text": "You look well for a drowned man, Webb"})
    improvising.enact(play, Reading(acts=(act,)))
    assert "Orlo Webb" in lines(game, play)
    assert surroundings.known_name(play.game, book, "bargemaster").en == "Orlo Webb"


def test_a_talk_makes_a_person_known() -> None:
    book, game = open_book("grey-debt"), in_the_hall()
    assert surroundings.persons(game, book)["bargemaster"].name.en == "the host"
    heard = game.model_copy(update={"flags": ("talk:orlo-hello:text",)})
    assert surroundings.persons(heard, book)["bargemaster"].name.en == "Orlo Webb"


def test_who_would_be_followed_is_left_where_they_will_not_come() -> None:
    """Maud never comes along, so nothing is rolled."""
    acts = (
        Act(do="follow", to="maud", approach="comfort", want="join", text="Come with me, Maud"),
        Act(do="move", to="greenway", when="if_failure", text="I go alone"),
        Act(do="flourish", when="if_success", text="I dance with her"),
    )
    play = Play(hero_at("inn"), lamp())
    improvising.enact(play, Reading(acts=acts))
    assert play.game.place == "greenway"
    assert not any(isinstance(one, h.Flourished | h.LeftUndone) for one in play.done)


def test_without_another_plan_nobody_leaves_alone() -> None:
    acts = (
        Act(do="follow", to="maud", want="join", text="Come with me, Maud"),
        Act(do="move", to="greenway", text="up the road with her"),
    )
    play = Play(hero_at("inn"), lamp())
    improvising.enact(play, Reading(acts=acts))
    assert play.game.place == "inn"


async def test_what_a_second_reading_notes_is_no_fact_of_the_world(sit: Sit) -> None:
    table = await sit(model="scripted", scenario="grey-debt")
    ask = {"do": "say", "to": "all", "want": "know", "text": "Did you know him?"}
    first = {
        "acts": [{"do": "move", "to": "landing", "text": "into the boat"}, ask],
        "details": [{"text": "an old man rows the boat"}],
    }
    second = {"acts": [ask], "details": [{"text": "the question is meant for the rower"}]}
    script: dict[str, list[object]] = {
        "saga.read": [json.dumps(first), json.dumps(second)],
        "saga.narrator": ["Gulls."] * 6,
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("Into the boat, and I ask the rower if he knew him")
    kept = [event["detail"]["text"] for event in turn.events if event["type"] == "DetailKept"]
    assert kept == ["an old man rows the boat"]


def test_who_waits_at_a_place_is_met_after_the_stealth_on_the_way() -> None:
    game, book = hero_at("inn").model_copy(update={"visited": ("inn",)}), lamp()
    play = Play(game, book)
    improvising.enact(play, Reading(acts=(Act(do="move", to="greenway"),)))
    creep = Act(do="check", skill="stealth", secret=True, text="on tiptoe")
    improvising.enact(play, Reading(acts=(creep,)))
    beats = script_of(game, [event_of(one) for one in play.done], book).beats()
    foes = book.scenario.encounters["ruffians"].text.en
    at = {"roll": 0, "met": 0}
    for n, beat in enumerate(beats):
        at["roll"] = n if beat.kind == "check" else at["roll"]
        at["met"] = n if beat.passage == foes else at["met"]
    assert at["roll"] < at["met"]


def test_a_topic_that_makes_somebody_known_has_to_exist() -> None:
    story = open_book("grey-debt").scenario.model_dump()
    story["persons"]["bargemaster"]["known_by"] = ["dwalma-master"]
    assert Scenario.model_validate(story).persons["bargemaster"].known_by
    story["persons"]["bargemaster"]["known_by"] = ["nobody-says"]
    with pytest.raises(ValueError, match="talk 'nobody-says' is not defined"):
        Scenario.model_validate(story)
