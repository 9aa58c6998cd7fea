"""What precedes an answer is told before it; what is unclear costs nothing and is asked about."""

from __future__ import annotations

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_improvising import kinds, played, read
from tests.agents.saga.worlds import hero_at, lamp

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.domain import improvising
from ruleplay.agents.saga.domain.invariants import broken_rules
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.answers import block_of, unanswered
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.state import Heard, event_of
from ruleplay.story.acts import Reading


def heard(said: str, place: str = "inn") -> Heard:
    return parse(said, hero_at(place), lamp())


def test_a_gesture_is_told_before_the_answer_to_the_words_beside_it() -> None:
    said = {"do": "say", "to": "maud", "topic": "maud-lamp", "text": "And the lamp?"}
    leans = {"do": "flourish", "text": "I lean on the counter"}
    play = played(hero_at("inn"), Reading.model_validate({"acts": [said, leans]}))
    assert kinds(play)[:3] == ["Flourished", "Spoke", "SectionTold"]
    moves = {"do": "move", "to": "greenway"}
    later = Reading.model_validate({"acts": [said, moves, leans]})
    assert kinds(played(hero_at("inn"), later))[0] == "Spoke"


@pytest.mark.parametrize("named", ["ale", "buy:ale", "mug of ale"])
def test_a_drink_just_paid_for_can_be_given_and_no_other(named: str) -> None:
    bought = {"do": "pick", "item": "buy:ale", "text": "a mug"}
    given = {"do": "give", "to": "maud", "item": named, "text": "I push it over to her"}
    play = Play(hero_at("inn"), lamp())
    improvising.enact(play, Reading.model_validate({"acts": [bought, given]}))
    assert kinds(play) == ["CoinChanged", "Flourished", "AttitudeChanged", "Counted"]
    assert broken_rules(hero_at("inn"), play.done, play.game) == []
    play = Play(hero_at("inn"), lamp())
    improvising.enact(play, read(**given))
    assert kinds(play) == ["InVain"]


def test_it_is_told_where_a_weapon_was_put_down_by_who_went_on() -> None:
    before = hero_at("greenway")
    laid = {"do": "give", "item": "sword", "text": "I lay down my sword"}
    play = played(before, Reading.model_validate({"acts": [laid, {"do": "yield"}]}))
    beats = script_of(before, [event_of(one) for one in play.done], lamp()).beats()
    assert any("down at the Greenway, where it stays" in beat.says for beat in beats)
    assert prompts._whereabouts(before, play.game, lamp()) == (
        "Place: first the Greenway, at the end the Drowsy Heron."
    )


@pytest.mark.parametrize("picked", ["1", "Buy supper!"])
async def test_a_choice_is_picked_by_its_number_or_its_words(sit: Sit, picked: str) -> None:
    table = await sit()
    await table.say("begin")
    asked = (await table.say("one supper, and put it on my slate")).reply
    assert "−1 coin" not in asked
    assert asked.endswith("- go to the Greenway")
    assert "- buy supper\n" in asked
    assert "−1 coin (supper)" in (await table.say(picked)).reply


def test_how_a_ware_is_to_be_paid_is_no_mere_gesture() -> None:
    unclear = heard("a mug of ale please, and chalk it up for me")
    assert not unclear.intents
    assert "mug of ale: 1 coin" in unclear.question


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("an ale for me and one for my friend", 2),
        ("an ale for me", 1),
        ("an ale for me, two for my friends", 3),
    ],
)
def test_each_of_those_for_whom_a_ware_is_gets_one(said: str, count: int) -> None:
    (bought,) = heard(said).intents
    assert (bought.act, bought.item, bought.count) == ("buy", "ale", count)


def test_a_command_to_the_game_is_not_offered_for_a_guess() -> None:
    asked = heard("I surrender! My sword lies on the ground. Honest, no tricks.", "greenway")
    assert not any("undo" in one for one in asked.choices)


def test_no_blow_is_offered_where_something_is_conditional_or_forbidden() -> None:
    said = "if one of them reaches for the bag, trip him up and stand over him, no stabbing!"
    asked = heard(said, "greenway")
    assert not asked.intents
    assert not any("attack" in one for one in asked.choices)


def test_a_blow_that_is_to_kill_nobody_is_struck_and_spares() -> None:
    (blow,) = heard("shoot Rudge in the foot, not to kill him", "greenway").acts
    assert (blow.do, blow.item, blow.to, blow.spare) == ("rule", "attack", "foe2", True)
    waits = heard("I put an arrow on the string but don't shoot", "greenway")
    assert [act.do for act in waits.acts] == ["flourish"]


def test_what_is_left_is_told_with_coins_and_pack() -> None:
    (shown,) = heard("and now what have i still got left").intents
    assert shown.act == "sheet"
    told = block_of("sheet", hero_at("inn"), lamp())
    assert "Coins: 15" in told
    assert "arrow × 12" in told


def test_a_part_that_is_taken_back_is_not_passed_over() -> None:
    asked = heard("scratch that, I don't want the arrows after all. how much money is left?")
    assert "arrows" in asked.question


async def test_a_question_is_not_answered_by_an_opening_line(sit: Sit) -> None:
    table = await sit()
    await table.say("begin")
    told = (await table.say("Maud, who was your grandmother?")).reply
    assert "slate is clean" not in told
    assert "Maud" in told
    assert "slate is clean" in (await table.say("Good evening, Maud!")).reply


def test_a_question_about_somebody_is_not_put_to_them() -> None:
    (ask,) = heard("does Maud notice me looking behind the counter?").acts
    assert ask.do == "ask"
    told = unanswered("place", ask.text, hero_at("inn"), lamp())
    assert told.startswith("Maud Fennick")
    assert "For sale" not in told


@pytest.mark.parametrize("said", ["I hum to myself", "I bow to the empty chairs"])
def test_a_gesture_to_nobody_is_not_rolled_for(said: str) -> None:
    assert all(act.do in ("flourish", "say") and not act.want for act in heard(said).acts)
