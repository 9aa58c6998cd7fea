"""Without a model an unsure reader asks back, and neither rolls nor does something else."""

from __future__ import annotations

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.policy.asking import again
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.state import Heard
from ruleplay.story.texts import Lang


def heard(said: str, place: str = "inn", lang: Lang = "en") -> Heard:
    return parse(said, hero_at(place, lang=lang), lamp())


@pytest.mark.parametrize(
    ("lang", "place", "said"),
    [
        ("en", "inn", "Tell Maud I will see her carters home, if anybody can still be seen home."),
        ("fr", "inn", "faut que je file bientôt, je ferais mieux de dormir ici ou de partir ?"),
        ("en", "greenway", "you get no coin and no fight off me, is there no path round you two"),
    ],
)
def test_what_is_not_surely_a_plea_is_not_rolled_for(lang: Lang, place: str, said: str) -> None:
    found = heard(said, place, lang)
    rolled = [act for act in found.acts if act.do == "say" and act.want and act.approach != "plain"]
    assert rolled == []
    assert "parley" not in [one.act for one in found.intents]


def test_what_is_surely_a_plea_still_is() -> None:
    (act,) = heard(
        "Four coins it is, but for that you tell me who went up to the tower.", "greenway"
    ).acts
    assert (act.do, act.want, act.approach) == ("say", "know", "bargain")


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "fr",
            "je m'accoude et je demande au patron c koi son truc le plus raide, genre qui assomme",
        ),
        ("en", "bet. who round here lookin like they carry a fat purse"),
    ],
)
def test_what_may_not_be_speech_is_asked_about_before_a_stock_reply(lang: Lang, said: str) -> None:
    found = heard(said, lang=lang)
    assert found.question
    assert not found.acts


def test_an_unclear_remark_beside_a_clear_deed_stops_nothing() -> None:
    found = heard("shoot the old one, the other will surely run off once hes down", "dell")
    assert [one.act for one in found.intents] == ["trigger_combat"]
    assert not found.question


@pytest.mark.parametrize(
    ("said", "place", "choice"),
    [
        ("just stroll past them like i never heard", "greenway", "sneak past"),
        ("straight arrow at greymuzzle", "dell", "attack"),
    ],
)
def test_the_likeliest_acts_are_the_first_choices(said: str, place: str, choice: str) -> None:
    found = heard(said, place)
    assert not found.question or found.choices[0].startswith(choice)


@pytest.mark.parametrize("said", ["I turn the mug round in my hands", "je souffle sur la table"])
def test_nobody_is_offered_a_blow_for_a_gesture(said: str) -> None:
    found = heard(said, lang="fr" if said.startswith("je") else "en")
    assert not [one for one in found.choices if one.startswith(("attack", "attaquer"))]
    assert "trigger_combat" not in [one.act for one in found.intents]


async def test_a_purchase_is_not_dropped_for_the_question_behind_it(sit: Sit) -> None:
    table = await sit()
    await table.say("begin")
    turn = await table.say("I buy a rope. How much money have I got?")
    assert "You have 15 coins" in turn.reply
    assert "coil of rope: 2 coins" in turn.reply
    assert "buy coil of rope" in turn.reply
    done = await table.say("buy coil of rope")
    assert "−2 coins" in done.reply


def test_who_wonders_whether_they_could_win_strikes_nobody() -> None:
    found = parse("how strong is he. could i take him, honestly", fight_with("ruffians"), lamp())
    assert {act.do for act in found.acts} <= {"ask"}
    struck = parse("I take him from the left", fight_with("ruffians"), lamp())
    assert "ask" not in [act.do for act in struck.acts]


def test_a_long_message_is_said_by_its_choice() -> None:
    said = ["I rest my elbows on the bar, and what would “you” do in my place, honestly"]
    spoken = again("just say it", said)
    assert spoken == "“I rest my elbows on the bar, and what would you do in my place, honestly”"
    assert again("le dire, simplement", said) == spoken
    assert again("encore", said) == said[0]
