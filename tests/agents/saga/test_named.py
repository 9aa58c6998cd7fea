"""What a message names is what it is answered about, and to whom; the rest goes with it."""

from __future__ import annotations

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising, talking, trying
from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scope import scope_of
from ruleplay.agents.saga.policy.answers import EXACT, Question, facts_of, told_of
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.policy.responses import by_rules
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Act, Detail, Effect, Reading
from ruleplay.story.hearing import part_of
from ruleplay.story.texts import Lang

PASSED = ("encounter:ruffians:avoided",)


def by(play: Play, before: Game) -> str:
    script = script_of(before, [event_of(one) for one in play.done], lamp())
    return by_rules(script, script.beats())


@pytest.mark.parametrize(
    ("lang", "asked", "told"),
    [
        ("en", "have I brought any rope with me?", "coil of rope: you carry none."),
        ("fr", "je possède une corde ?", "rouleau de corde : vous n'en portez pas."),
    ],
)
def test_a_question_about_ones_kit_is_answered_with_the_thing(
    lang: Lang, asked: str, told: str
) -> None:
    game = hero_at("ford", lang=lang)
    heard = parse(asked, game, lamp())
    assert [act.do for act in heard.acts] == ["ask"]
    assert told in "\n".join(told_of(asked, heard.acts[0].to, game, lamp()))


def test_two_weapons_are_compared_by_the_rules() -> None:
    game = hero_at("inn")
    dagger, sword = sorted(told_of("dagger or sword, which is better?", "rules", game, lamp()))
    assert "A hit does 5" in dagger
    assert "A hit does 8" in sword


def test_how_strong_somebody_is_compares_both() -> None:
    told = told_of("how strong is Rudge?", "place", hero_at("greenway"), lamp())
    assert len(told) == 1
    assert told[0].startswith("Rudge has 17 hit points")


def test_words_to_who_stands_by_the_hero_reach_nobody_else() -> None:
    game = hero_at("tower-foot")
    heard = parse("I ask Sael what she has seen", game, lamp())
    assert [(act.do, act.to) for act in heard.acts] == [("say", "ally1")]
    play = Play(game, lamp())
    improvising.enact(play, heard)
    assert "Sael" in by(play, game)
    assert "Grashlug" not in by(play, game)


def test_nobody_is_attacked_who_stands_by_the_hero() -> None:
    play = Play(hero_at("tower-foot"), lamp())
    improvising.perform(play, Act(do="rule", item="attack", to="ally1"))
    assert [type(one) for one in play.done] == [h.Refused]


def test_who_is_named_and_not_here_is_not_answered_for_by_foes() -> None:
    heard = parse("I ask Maud what she knows", hero_at("greenway"), lamp())
    assert not any(act.to.startswith("foe") for act in heard.acts)


def test_reported_speech_is_said_without_the_words_that_report_it() -> None:
    heard = parse("Tell Maud I will be back by nightfall.", hero_at("inn"), lamp())
    assert [act.text for act in heard.acts] == ["I will be back by nightfall."]


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "okay, we give them their toll"), ("fr", "bon, on leur donne leur péage")],
)
def test_a_toll_that_is_given_is_paid(lang: Lang, said: str) -> None:
    heard = parse(said, hero_at("greenway", lang=lang), lamp())
    assert [one.act for one in heard.intents] == ["pay"]


def test_what_goes_before_a_blow_is_no_reason_to_ask() -> None:
    heard = parse("I wet my lips and I hit Skrit", fight_with("orcs"), lamp())
    assert not heard.question
    assert [(act.item, act.to) for act in heard.acts if act.do == "rule"] == [("attack", "foe2")]


def test_a_trick_to_get_past_is_one_try_that_leads_past() -> None:
    way = Effect(kind="place", who="hero", what="ford")
    trick = Act(do="check", skill="athletics", to="foe2", success=(way,), text="I barge through")
    outcomes = set()
    for seed in range(8):
        play = Play(hero_at("greenway", seed=str(seed)), lamp())
        won = trying.attempt(play, trick)
        past = "encounter:ruffians:avoided" in play.game.flags
        outcomes.add((won, past, play.game.mode))
    assert outcomes == {(True, True, "narrative"), (False, False, "combat")}


@pytest.mark.parametrize(("coin", "won"), [(2, 2), (9, 6)])
def test_a_wager_with_nobody_named_pays_what_was_put_down(coin: int, won: int) -> None:
    wager = Act(do="check", skill="athletics", coin=coin, text="arm wrestling")
    changes = set()
    for seed in range(8):
        play = Play(hero_at("inn", seed=str(seed)), lamp())
        before = play.game.sheet.coin
        trying.attempt(play, wager)
        changes.add(play.game.sheet.coin - before)
        cut = [one for one in play.done if isinstance(one, h.Refused)]
        assert bool(cut) == (coin != won)
    assert changes == {won, -won}


def test_work_pays_for_a_ware_once() -> None:
    work = Effect(kind="time", amount=240)
    offer = {"do": "say", "to": "maud", "approach": "bargain", "want": "give", "item": "lantern"}
    act = Act.model_validate({**offer, "success": (work,), "text": "I wash up for it"})
    for seed in range(9):
        play = Play(hero_at("inn", seed=str(seed)), lamp())
        talking.say(play, act)
        if play.game.sheet.count("lantern"):
            break
    assert play.game.sheet.coin == hero_at("inn").sheet.coin
    assert any(isinstance(one, h.TimePassed) for one in play.done)
    again = act.model_copy(update={"item": "dagger"})
    talking.say(play, again)
    assert not play.game.sheet.count("dagger")


def test_a_promise_is_not_kept_for_what_was_refused() -> None:
    act = {"do": "say", "to": "maud", "approach": "bargain", "want": "give", "item": "lantern"}
    vow = Detail(kind="promise", text="wash all of her dishes tonight", about="maud")
    for seed in range(8):
        play = Play(hero_at("inn", seed=str(seed)), lamp())
        said = Reading.model_validate({"acts": [act | {"text": "lend it to me"}], "details": [vow]})
        improvising.enact(play, said)
        assert not any(isinstance(one, h.DetailKept) for one in play.done)


def test_who_was_asked_along_and_stays_is_said_to_stay() -> None:
    before = hero_at("inn")
    play = Play(before, lamp())
    along = Act(do="say", to="maud", want="join", text="come with me")
    improvising.enact(play, Reading(acts=(along, Act(do="move", to="greenway"))))
    assert "Maud Fennick stays behind" in by(play, before)


ANSWERS = {
    "purse": "You have 15 coins.",
    "self": "You are Halla: Human, Bree-land, level 1.",
    "rest": "You have all your 50 hit points",
    "around": "There is no way round Tam Thistle and Rudge",
    "chase": "No, nobody is after you. Still in your way: Tam Thistle and Rudge.",
    "who": "A pole lies across the road.",
    "back": "Yes, the last thing you did can be taken back",
    "roll": "In a blow the higher of the two rolls wins",
}


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("subject", ANSWERS)
def test_what_is_asked_out_of_the_story_is_answered_shortly_from_the_state(
    subject: str, lang: Lang
) -> None:
    place = "inn" if subject == "rest" else "greenway"
    game = hero_at(place, lang=lang)
    part = part_of("and", scope_of(game, lamp()))
    told = EXACT[subject](Question(part, game, lamp()))
    assert len(told) < 330
    assert "{" not in told
    assert lang == "fr" or told.startswith(ANSWERS[subject])


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_how_somebody_stands_in_a_fight_is_said_of_who_is_named(lang: Lang) -> None:
    game = fight_with("ruffians", lang=lang)
    part = part_of("how is Rudge", scope_of(game, lamp()))
    told = EXACT["fight"](Question(part, game, lamp()))
    assert "Rudge" in told
    assert "Tam" not in told
    gone = game.model_copy(update={"fight": game.fight and game.fight.with_("foe2", fled=True)})
    assert "17" not in EXACT["chase"](Question(part, gone, lamp()))


def test_a_chance_to_hit_is_reckoned_over_all_rolls() -> None:
    (told,) = told_of("what is my chance to hit Rudge?", "rules", hero_at("greenway"), lamp())
    often = int(told.partition("hits ")[2].split()[0])
    hero, foe = (fight_with("ruffians").fight.the(one) for one in ("hero", "foe2"))  # type: ignore[union-attr]
    ahead = modifier(hero.stats["agility"]) - modifier(foe.stats["agility"])
    pairs = [(a, b) for a in range(1, 101) for b in range(1, 101)]
    assert often == round(sum(a > 94 or (a > 5 and a + ahead > b) for a, b in pairs) / 100)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_a_scene_knows_of_itself_answers_a_question(lang: Lang) -> None:
    asked = "how deep is it?" if lang == "en" else "elle est profonde ?"
    told = told_of(asked, "scene", hero_at("ford", lang=lang), lamp())
    assert told == [lamp().scenario.lores["river"].text.of(lang)]


def test_a_disadvantage_is_told_as_it_is_rolled() -> None:
    told = "\n".join(facts_of("rules", hero_at("inn"), lamp()))
    assert "disadvantage takes 20 off" in told
    assert "Lost hit points change no roll" in told


async def test_what_cannot_be_said_exactly_ends_no_turn(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question after a chase in which nobody is met ended the turn with an error."""
    monkeypatch.setitem(EXACT, "chase", lambda question: "")
    table = await sit()
    await table.say("begin")
    assert (await table.say("(is anybody after me?)")).reply
