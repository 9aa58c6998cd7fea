"""Whatever is written comes to something: done, rolled for, answered, or asked with choices."""

from __future__ import annotations

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_improvising import kinds, played, read
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising, melee
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.story.acts import Act
from ruleplay.story.hearing import DRAWN_OUT
from ruleplay.story.texts import Lang

CLEAR = {"do": "check", "skill": "athletics", "text": "I tear myself loose and get clear"}


@pytest.mark.parametrize("to", ["away", "back"])
def test_who_gets_clear_in_a_fight_is_out_of_reach(to: str) -> None:
    reached = set()
    for seed in range(12):
        game = fight_with("ruffians", seed=str(seed))
        play = played(game, read(**CLEAR, success=[{"kind": "place", "what": to}]))
        tried = next((one for one in play.done if isinstance(one, h.Attempted)), None)
        moved = {one.who for one in play.done if isinstance(one, h.Moved) and one.far}
        if tried and tried.success:
            reached.add(moved == {"foe1", "foe2"})
    assert reached == {True}


def test_who_gets_out_of_a_fight_by_skill_is_out_of_it() -> None:
    came = set()
    for seed in range(12):
        game = fight_with("orcs", seed=str(seed))
        play = played(game, read(**CLEAR, success=[{"kind": "place", "what": "ford"}]))
        tried = next((one for one in play.done if isinstance(one, h.Attempted)), None)
        if tried and tried.success:
            came.add((play.game.place, play.game.fight is None))
    assert came == {("ford", True)}


def test_a_claim_in_vain_names_to_whom_it_is_made() -> None:
    claim = read(do="vain", vain="claims_outcome", to="maud", text="I own this house")
    (one,) = played(hero_at("inn"), claim).done
    assert isinstance(one, h.InVain)
    assert one.to == "maud"


def test_a_blow_at_nobody_in_particular_asks_whom_it_is_for() -> None:
    play = Play(hero_at("dell"), lamp())
    blow = Act(do="rule", item="attack", text="I strike first")
    left = improvising.enact(play, read(**blow.model_dump(exclude_defaults=True)))
    melee.strike_first(play, left)
    asked = play.game.story.asked
    assert asked
    assert asked.choices == ("attack Greymuzzle", "attack Limper")


@pytest.mark.parametrize(
    ("lang", "place", "said"),
    [
        ("en", "ford", "let Halvard have one of my healing draughts for his cough"),
        ("fr", "ford", "je file une de mes potions de soin à Halvard pour son rhume"),
        ("en", "greenway", "pour a healing draught down Rudge's throat"),
    ],
)
def test_a_remedy_strikes_nobody(lang: Lang, place: str, said: str) -> None:
    heard = parse(said, hero_at(place, lang=lang), lamp())
    assert "attack" not in {act.item for act in heard.acts}
    assert "trigger_combat" not in {one.act for one in heard.intents}
    assert "?" in heard.question or "give" in {act.do for act in heard.acts} or heard.question


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", '"Two coins and a song, and you let me by. Deal?"'),
        ("fr", "« Deux pièces et une chanson, et vous me laissez passer, d'accord ? »"),
    ],
)
def test_what_is_quoted_is_heard_for_what_it_wants(lang: Lang, said: str) -> None:
    (act,) = parse(said, hero_at("greenway", lang=lang), lamp()).acts
    assert act.do == "say"
    assert act.want == "pass"
    assert act.approach == "bargain"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "i tell them my uncle is the sheriff and theyd better let me by"),
        (
            "fr",
            "je leur raconte que mon oncle est bailli et qu'ils ont intérêt à me laisser passer",
        ),
    ],
)
def test_a_bluff_that_is_told_is_rolled_for(lang: Lang, said: str) -> None:
    heard = parse(said, hero_at("greenway", lang=lang), lamp())
    assert [(act.do, bool(act.want)) for act in heard.acts] == [("say", True)]


def test_drawn_out_letters_are_one() -> None:
    assert DRAWN_OUT.sub(r"\1", "je me tireeee, noooon") == "je me tire, non"


def test_looking_is_not_lost_beside_a_gesture() -> None:
    said = "are they hurt or only hungry? i scratch my chin"
    heard = parse(said, hero_at("dell"), lamp())
    assert heard.intents or heard.acts
    assert [act.do for act in heard.acts] != ["flourish"]


async def test_a_gesture_is_done_in_the_scene(sit: Sit) -> None:
    table = await sit()
    await table.say("begin")
    told = (await table.say("i warm my hands and look up at the heron")).reply
    assert "nothing comes of it" not in told
    assert "heron" in told.lower()


async def test_whoever_has_not_spoken_yet_answers_any_kind_word(sit: Sit) -> None:
    table = await sit()
    await table.say("begin")
    told = (await table.say("a warm fire you keep here, Maud, I like it")).reply
    assert "slate is clean" in told


def test_a_trick_in_a_fight_has_somebody_to_suffer_it() -> None:
    (act,) = parse("kick dust into his face", fight_with("ruffians"), lamp()).acts
    assert act.do == "check"
    assert act.success
    assert act.success[0].who not in ("", HERO)


def test_kinds_of_a_line_are_not_lost() -> None:
    play = played(hero_at("inn"), read(do="meta", meta="stop_scene", text="spiders"))
    assert kinds(play) == ["StyleChosen"]
