"""What is put down lies where it was put, and is there to be taken again."""

from __future__ import annotations

import pytest
from tests.agents.saga.test_improvising import at_the_toll, kinds, played, read
from tests.agents.saga.worlds import hero_at, lamp

from ruleplay.agents.saga import nodes, prompts
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising, setting, surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.answers import block_of, facts_of, told_of
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.policy.recap import recap
from ruleplay.agents.saga.state import event_of
from ruleplay.story import canon
from ruleplay.story.acts import Act, Reading, problems
from ruleplay.story.texts import Lang


def had(game: Game) -> tuple[int, int, list[str]]:
    kept = [one.text for one in game.story.canon if one.kind == "keepsake"]
    return game.sheet.count("arrow"), game.sheet.coin, kept


def keeper(place: str) -> Game:
    """Return a hero with a keepsake."""
    return played(hero_at(place), read(do="take", item="grey feather", text="a feather")).game


@pytest.mark.parametrize(
    ("thing", "name"),
    [({"item": "arrow"}, "arrow"), ({"coin": 3}, "coins"), ({"item": "grey feather"}, None)],
)
def test_it_stays_here_and_is_taken_again(thing: dict[str, object], name: str | None) -> None:
    begun = keeper("inn")
    down = played(begun, read(do="give", text="I lay it on the table", **thing))
    assert had(down.game) != had(begun)
    assert len(down.game.story.left) == 1
    take = read(do="take", item=name or "grey feather", text="I take it back")
    assert (name or "grey feather") in setting.roster(down.game, lamp()).things
    away = played(down.game, read(do="move", to="greenway")).game
    assert (name or "grey feather") not in setting.roster(away, lamp()).things
    back = played(down.game, take)
    assert had(back.game) == had(begun)
    assert back.game.story.left == ()


def test_it_is_told_when_one_looks_around() -> None:
    down = played(hero_at("inn"), read(do="give", item="bow", text="against the wall"))
    assert "left here: hunting bow" in block_of("place", down.game, lamp())


def test_where_it_was_put_is_remembered_until_it_is_taken_again() -> None:
    begun = hero_at("inn")
    down = played(
        begun, read(do="give", item="bow", text="I lean it on the beam by the hearth")
    ).game
    away = played(down, read(do="move", to="greenway")).game
    assert "the Drowsy Heron (“I lean it on the beam by the hearth”)" in recap(away, lamp())
    assert "the Drowsy Heron (“I lean it" in told_of("where is my bow?", "sheet", away, lamp())[0]
    back = played(away, read(do="move", to="inn"))
    told = script_of(away, [event_of(one) for one in back.done], lamp()).beats()
    assert "You have left here: hunting bow." in [beat.passage for beat in told]
    again = played(back.game, read(do="take", item="bow", text="I take it"))
    assert "hearth" not in recap(again.game, lamp())


def test_words_about_more_than_where_it_lies_are_not_kept() -> None:
    said = "I leave it on the chest full of gold"
    down = played(hero_at("inn"), read(do="give", item="arrow", text=said)).game
    assert "arrow, the Drowsy Heron" in recap(down, lamp())
    assert "gold" not in recap(down, lamp())


def enacted(game: Game, **act: object) -> list[str]:
    """Return what comes of an act that names what nobody has listed."""
    play = Play(game, lamp())
    improvising.enact(play, read(**act))
    return kinds(play)


def test_what_is_not_carried_is_put_down_nowhere() -> None:
    assert enacted(hero_at("inn"), do="give", item="lantern", text="I leave it") == ["InVain"]
    nothing = Reading.model_validate({"acts": [{"do": "give"}]})
    assert problems(nothing, setting.roster(hero_at("inn"), lamp()))


def test_a_keepsake_is_given_away() -> None:
    play = played(keeper("inn"), read(do="give", to="maud", item="grey feather", text="for you"))
    assert play.done == [h.KeepsakeLost(keepsake="grey feather", to="maud", text="for you")]
    assert had(play.game)[2] == []
    assert play.game.story.left == ()


def test_what_was_theirs_is_given_back_to_who_gave_up() -> None:
    game = hero_at("greenway", flags=("yielded:ruffians:foe2", "won:ruffians"))
    knife = {"do": "give", "item": "knife", "text": "his knife back"}
    assert enacted(game, to="rudge-beaten", **knife) == ["Flourished"]
    assert enacted(hero_at("inn"), to="maud", **knife) == ["InVain"]


def test_in_a_fight_it_costs_the_minor_action() -> None:
    play = played(at_the_toll(), read(do="give", item="sword", text="I drop my sword"))
    assert play.game.fight
    assert play.game.fight.spent == ("minor",)
    assert play.game.fight.the("hero").weapon == ""


def test_a_weapon_of_the_beaten_can_be_handled_and_is_not_kept() -> None:
    take = {"do": "take", "item": "cudgel", "text": "I pick up the cudgel"}
    won = hero_at("greenway", flags=("won:ruffians",))
    assert enacted(won, **take) == ["Flourished"]
    assert enacted(hero_at("greenway"), **take) == ["InVain"]


@pytest.mark.parametrize(
    ("name", "end"),
    [("a handful of salted herrings lifted from the crate", "crate"), ("a " + "long " * 40, "…")],
)
def test_what_is_kept_has_a_whole_name_or_one_that_shows_it_is_cut(name: str, end: str) -> None:
    wish = {"kind": "keepsake", "text": name}
    tried = read(do="check", skill="stealth", band="sure", success=[wish], text="I help myself")
    (kept,) = had(played(hero_at("inn"), tried).game)[2]
    assert kept.endswith(end)


def test_as_many_are_given_as_are_said() -> None:
    (act,) = parse("I give Maud two arrows", hero_at("inn"), lamp()).acts
    assert had(played(hero_at("inn"), Reading(acts=(act,))).game)[0] == had(hero_at("inn"))[0] - 2


def test_what_is_put_down_is_one_beat_for_a_teller() -> None:
    down = played(hero_at("inn"), read(do="give", item="bow", text="I lean it on the beam"))
    beats = script_of(hero_at("inn"), [event_of(one) for one in down.done], lamp()).beats()
    assert [beat.says for beat in beats if "lean it" in beat.says] == [beats[0].says]


@pytest.mark.parametrize(
    ("lang", "says"), [("en", "you have not been to"), ("fr", "vous n'avez pas encore vu")]
)
def test_a_search_in_vain_says_what_is_still_open_elsewhere_but_not_in_the_midst_of_a_scene(
    lang: Lang, says: str
) -> None:
    book, game = lamp(), hero_at("ford", lang=lang)
    play = Play(game, book)
    play.add(h.Refused(reason="nothing_found"))
    told = script_of(game, [event_of(one) for one in play.done], book).beats()
    assert says in told[0].passage
    assert says not in told[0].line.text
    seen = game.model_copy(update={"visited": tuple(book.scenario.places)})
    assert says not in script_of(seen, [event_of(play.done[0])], book).beats()[0].passage


@pytest.mark.parametrize(
    ("lang", "resale", "odds"),
    [
        ("en", "hunting bow × 1: 5 coins", "in percent"),
        ("fr", "arc de chasse × 1 : 5", "pour cent"),
    ],
)
def test_facts_have_the_resale_price_and_the_chances(lang: Lang, resale: str, odds: str) -> None:
    book, at_home = lamp(), hero_at("inn", lang=lang)
    assert any(resale in fact for fact in facts_of("sheet", at_home, book))
    assert not any(resale in fact for fact in facts_of("sheet", hero_at("ford", lang=lang), book))
    (chances,) = (fact for fact in facts_of("rules", at_home, book) if odds in fact)
    assert chances.count("%/") > len(book.rules.skills)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_half_a_draught_is_one_drunk_or_none_and_said(lang: Lang) -> None:
    game = hero_at("inn", lang=lang)
    count = game.sheet.count("healing-draught")
    half = {"do": "flourish", "item": "healing-draught", "text": "I drink half of it"}
    play = played(game, read(**half))
    told = script_of(game, [event_of(one) for one in play.done], lamp()).beats()
    says = {"en": "whole or not at all", "fr": "en entier ou pas du tout"}[lang]
    assert any(says in beat.line.text for beat in told)
    assert play.game.sheet.count("healing-draught") == count


MADE = {"do": "check", "skill": "survival", "band": "sure", "text": "I wind a rag on a stick"}


def test_what_is_made_without_a_roll_is_kept_beside_other_things() -> None:
    game = hero_at("inn")
    for item in ("a cup of oil", "bent iron"):
        game = played(game, read(do="take", item=item, text=item)).game
    wish = {"kind": "keepsake", "who": "hero", "text": "a makeshift torch, still dry"}
    play = played(game, read(**MADE, success=[wish]))
    assert "a makeshift torch" in surroundings.keepsakes(play.game)
    assert not any(isinstance(one, h.Refused) for one in play.done)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_done_without_a_roll_is_not_told_to_come_to_nothing(lang: Lang) -> None:
    game = hero_at("inn", lang=lang)
    wish = {"kind": "mark", "text": "gold coins"}
    assert kinds(played(game, read(**MADE, success=[wish]))) == ["Attempted"]
    named = {"kind": "keepsake", "who": "hero", "text": "gold coins"}
    unkept = played(game, read(**MADE, success=[named]))
    script = script_of(game, [event_of(one) for one in unkept.done], lamp())
    says = {"en": "keep this: gold coins", "fr": "ne vous reste pas : gold coins"}[lang]
    assert any(says in beat.line.text for beat in script.beats())


def test_a_name_that_the_hero_gives_is_kept() -> None:
    said = {"do": "say", "to": "inn-folk", "text": "Then I call you Hazel."}
    body = {"acts": [said], "details": [{"kind": "name", "text": "Hazel", "about": "inn-folk"}]}
    game = played(hero_at("inn"), Reading.model_validate(body)).game
    assert canon.called(game.story.canon, "inn-folk") == "Hazel"
    assert "Hazel to the hero" in str(prompts.read("hello", game, lamp(), None).user)
    assert surroundings.known_name(game, lamp(), "inn-folk").en == "Hazel"
    taken = {**body, "details": [{"kind": "name", "text": "Maud", "about": "inn-folk"}]}
    assert not played(hero_at("inn"), Reading.model_validate(taken)).game.story.canon


BOWS = {"do": "flourish", "text": "I bow"}


def test_a_trifle_that_was_kept_is_named_in_other_words_and_none_is_needed_for_a_check() -> None:
    body = {"acts": [BOWS], "details": [{"kind": "keepsake", "text": "half a piece of bread"}]}
    game = played(hero_at("inn"), Reading.model_validate(body)).game
    toss = {"do": "check", "skill": "athletics", "with": "bread", "spent": True}
    throws = Act.model_validate({**toss, "text": "I toss it"})
    (known,) = nodes.trifles((throws,), game, lamp())
    assert known.with_ == "half a piece of bread"
    (bare,) = nodes.trifles((throws,), hero_at("inn"), lamp())
    assert (bare.with_, bare.spent, bare.skill) == ("", False, "athletics")
    (rope,) = nodes.trifles((throws.model_copy(update={"with_": "rope"}),), game, lamp())
    assert rope.with_ == "rope"
