"""What a whole session with a strong model has shown: ways on, companions, readied acts, sales."""

from __future__ import annotations

import pytest
from tests.agents.saga.test_improvising import at_the_toll, kinds, played, read
from tests.agents.saga.worlds import hero_at, lamp

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import errands, journey, melee, setting, spoils, surroundings
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.combat_acts import plan_problem
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent, Plan
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.recap import leads, recap
from ruleplay.agents.saga.policy.replies import refusal
from ruleplay.story.beats import Item, joined, who
from ruleplay.story.texts import Lang


def with_maud(game: Game) -> Game:
    return game.model_copy(update={"story": game.story.model_copy(update={"company": ("maud",)})})


def test_peace_opens_what_those_who_make_it_have_guarded() -> None:
    book = lamp()
    story = book.scenario
    gain = story.encounters["ruffians"].gain.model_copy(update={"flags": ("toll-open",)})
    guarded = story.encounters["ruffians"].model_copy(update={"gain": gain})
    story = story.model_copy(update={"encounters": story.encounters | {"ruffians": guarded}})
    play = Play(at_the_toll(), book.model_copy(update={"scenario": story}))
    play.add(h.Fled(who="foe2"))
    spoils.conclude(play, "truce")
    assert {"left:ruffians", "toll-open"} <= {*play.game.flags}
    assert "won:ruffians" not in play.game.flags
    assert "foe2" not in surroundings.passed(play.game, play.book)
    assert "foe1" in surroundings.passed(play.game, play.book)


def test_what_was_given_is_handed_back_once() -> None:
    game = hero_at("inn")
    lent = played(game, read(do="give", to="maud", item="sword", text="Keep it for me")).game
    assert not lent.sheet.count("sword")
    ask = read(do="say", to="maud", want="give", item="sword", text="My sword back, if you will")
    back = played(lent, ask).game
    assert back.sheet.count("sword") == game.sheet.count("sword")
    assert errands.given_to(lent, "maud") == ["sword"]
    assert errands.given_to(back, "maud") == []


def test_a_companion_helps_once_at_a_place_and_then_says_so() -> None:
    ask = read(do="say", to="maud", want="help", text="Hold the ladder for me")
    first = played(with_maud(hero_at("inn")), ask)
    assert {"Helped", "EdgeGained"} <= {*kinds(first)}
    again = played(first.game, ask)
    assert [one.reason for one in again.done if isinstance(one, h.Refused)] == ["helped_once"]


def test_what_is_readied_can_be_given_up() -> None:
    ready = read(do="rule", item="attack", when="trigger", text="if he moves I strike")
    game = played(hero_at("greenway"), ready).game
    assert setting.STAND_DOWN in setting.roster(game, lamp()).rules
    stood = played(game, read(do="rule", item=setting.STAND_DOWN, text="I lower it again")).game
    assert not stood.story.readied
    assert setting.STAND_DOWN not in setting.roster(stood, lamp()).rules


def test_a_readied_blow_at_nobody_meets_a_foe_once_it_is_a_fight() -> None:
    ready = read(do="rule", item="attack", when="trigger", text="if one of them jumps")
    game = played(hero_at("greenway"), ready).game
    play = Play(game, lamp())
    spoils.trigger(play, "ruffians")
    melee.spring(play)
    assert any(isinstance(one, h.Attacked) and one.attacker == "hero" for one in play.done)
    assert not any(isinstance(one, h.Refused) for one in play.done)


def test_a_pair_of_cheap_things_is_sold_and_one_is_worthless() -> None:
    game = hero_at("inn")
    before = game.sheet.coin
    assert played(game, read(do="pick", item="sell:arrow", count=2)).game.sheet.coin == before + 1
    one = played(game, read(do="pick", item="sell:arrow"))
    assert [each.reason for each in one.done if isinstance(each, h.Refused)] == ["worthless"]
    labels = dict(setting.options(game, lamp()))
    assert labels["sell:arrow"].en.endswith("1 for two")


def test_whoever_draws_back_needs_no_target_and_strikes_nobody() -> None:
    play = Play(at_the_toll(), lamp())
    assert plan_problem(play, Plan(who="foe2", act="withdraw")) == ""
    assert plan_problem(play, Plan(who="foe2", act="attack"))


def test_who_has_let_the_hero_pass_takes_up_no_fight() -> None:
    passed = hero_at("greenway", flags=("encounter:ruffians:avoided",))
    assert "foe2" in surroundings.passed(passed, lamp())
    play = played(passed, read(do="rule", item="attack", to="foe2", text="I hit him after all"))
    (refused,) = [one for one in play.done if isinstance(one, h.Refused)]
    assert refused.reason == "settled"
    assert refusal(refused, play.game, lamp()).startswith("Rudge")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_open_names_nobody_by_a_name_that_is_unknown(lang: Lang) -> None:
    book = open_book("grey-debt")
    there = hero_at("inn", lang=lang).model_copy(update={"place": "hall", "visited": ("hall",)})
    known = there.model_copy(update={"flags": (*there.flags, "known:bargemaster")})
    assert "Orlo" not in recap(there, book)
    assert "Orlo" in recap(known, book)


def test_places_that_were_not_seen_are_listed_once() -> None:
    told = leads(hero_at("greenway").model_copy(update={"visited": ("greenway",)}), lamp())
    assert told.count("you have not been to") == 1
    assert "the ford, the hollow dell" in told


def test_what_is_looked_up_does_not_hang_on_what_is_refused() -> None:
    play = Play(hero_at("inn"), lamp())
    wrong = Intent(act="talk", target="nobody", said="I ask Bolg")
    journey.follow(play, [wrong, Intent(act="journal", said="what did I promise?")])
    assert [type(one).__name__ for one in play.done] == ["Refused", "Consulted"]


def test_a_name_behind_a_state_is_parted_from_it() -> None:
    dark = Item(kind="state", text="dark")
    assert joined([dark, who("Morlug"), Item(kind="state", text="frightened")]) == (
        "dark, Morlug: frightened"
    )
