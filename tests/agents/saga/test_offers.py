"""What is offered is paid when it is taken, and not before."""

from __future__ import annotations

import pytest
from tests.agents.saga.test_improvising import at_the_toll, kinds, played, read
from tests.agents.saga.worlds import hero_at, lamp

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.surroundings import talks
from ruleplay.story.acts import Reading
from ruleplay.story.texts import Lang

SEEDS = range(40)


def paid(play: Play) -> int:
    return -sum(one.amount for one in play.done if isinstance(one, h.CoinChanged))


def taken(play: Play) -> bool:
    """Whether what was wanted came about: the last roll, or what followed it."""
    rolls = [one for one in play.done if hasattr(one, "success")]
    return bool(rolls[-1].success) if rolls else False


OFFERS = {
    "for what nobody wrote": ("inn", {"to": "maud", "want": "know", "text": "Who is missed here?"}),
    "for help": ("inn", {"to": "maud", "want": "help", "text": "Help me"}),
    "for company": ("ford", {"to": "halvard", "want": "join", "text": "Come with me"}),
    "for a talk that has a test": (
        "ford",
        {"to": "halvard", "topic": "halvard-orcs", "want": "know", "text": "What is up there?"},
    ),
    "as a toll": ("greenway", {"do": "give", "to": "foe1", "text": "Here is your toll"}),
    "to those in the way": ("greenway", {"to": "foe1", "want": "pass", "text": "Two, no more"}),
}


@pytest.mark.parametrize("name", OFFERS)
def test_a_bargain_that_fails_costs_nothing(name: str) -> None:
    place, wish = OFFERS[name]
    act = {"do": "say", "approach": "bargain", "coin": 2, **wish}
    outcomes = set()
    for seed in SEEDS:
        play = played(hero_at(place, seed=str(seed)), read(**act))
        assert paid(play) == (2 if taken(play) else 0), kinds(play)
        outcomes.add(taken(play))
    assert outcomes == {True, False}


def test_what_is_told_without_a_roll_is_paid_for() -> None:
    wish = {"to": "maud", "topic": "maud-lamp", "want": "know", "coin": 3, "text": "The lamp?"}
    play = played(hero_at("inn"), read(do="say", **wish))
    assert paid(play) == 3
    assert kinds(play).index("SectionTold") < kinds(play).index("CoinChanged")


@pytest.mark.parametrize("wish", [{"approach": "deceive", "coin": 5}, {"coin": 500}])
def test_neither_a_lie_nor_an_empty_purse_pays(wish: dict[str, object]) -> None:
    for seed in SEEDS:
        act = {"do": "say", "to": "maud", "want": "help", "approach": "bargain", "text": "For you"}
        assert paid(played(hero_at("inn", seed=str(seed)), read(**{**act, **wish}))) == 0


def test_an_offer_turned_down_is_no_quarrel_the_first_time() -> None:
    act = read(do="say", to="foe1", approach="bargain", want="pass", coin=2, text="two coins")
    fought = set()
    for seed in SEEDS:
        first = played(hero_at("greenway", seed=str(seed)), act)
        assert first.game.fight is None
        if "Refused" in kinds(first):
            second = played(first.game, act)
            fought.add(second.game.fight is not None)
            assert paid(second) == (0 if second.game.fight else 2)
    assert fought == {True, False}


@pytest.mark.parametrize("approach", ["plain", "charm", "comfort"])
def test_a_civil_word_turned_down_is_no_quarrel_the_first_time(approach: str) -> None:
    act = read(
        do="say", to="foe2", approach=approach, want="leave", text="Go home, I'll say nothing"
    )
    refused = 0
    for seed in SEEDS:
        first = played(hero_at("greenway", seed=str(seed)), act)
        assert first.game.fight is None
        refused += "Refused" in kinds(first)
    assert 0 < refused < len(SEEDS)


def foe_beaten(seed: int) -> Game:
    game = at_the_toll(str(seed))
    assert game.fight
    return game.model_copy(update={"fight": game.fight.with_("foe2", hp=3)})


def test_a_foe_who_will_not_be_bought_keeps_no_coin() -> None:
    outcomes = set()
    for seed in SEEDS:
        act = read(do="say", to="foe2", want="leave", coin=4, text="Four coins, and you go home")
        play = played(foe_beaten(seed), act)
        assert paid(play) == (4 if taken(play) else 0)
        outcomes.add(taken(play))
    assert outcomes == {True, False}


def test_what_is_offered_and_handed_over_in_one_breath_is_paid_once() -> None:
    offer = {"do": "say", "to": "maud", "approach": "bargain", "want": "help", "coin": 2}
    hand = {"do": "give", "to": "maud", "coin": 2, "text": "two coins", "when": "if_success"}
    for seed in SEEDS:
        both = Reading.model_validate({"acts": [{**offer, "text": "Help me"}, hand]})
        play = played(hero_at("inn", seed=str(seed)), both)
        assert paid(play) == (2 if taken(play) else 0)


def promised(play: Play) -> list[str]:
    return [one.text for one in play.game.story.canon if one.kind == "promise"]


def test_a_promise_offered_for_what_a_talk_brings_is_kept_once_it_is_taken() -> None:
    book = open_book("grey-debt")
    plea = {"to": "bargemaster", "approach": "bargain", "want": "give", "topic": "orlo-mercy"}
    plea |= {"do": "say", "item": "the rest of the money", "text": "Give it back: I keep quiet"}
    otherwise = {"do": "move", "to": "bridge", "when": "if_failure", "text": "else I go"}
    vow = {"kind": "promise", "text": "Halla keeps quiet about him", "about": "bargemaster"}
    outcomes = set()
    for seed in SEEDS:
        flags = ("talk:orlo-hello:text", "orlo-hello")
        game = hero_at("inn", seed=str(seed)).model_copy(
            update={"place": "hall", "visited": ("quay", "bridge", "hall"), "flags": flags}
        )
        assert "orlo-mercy" in talks(game, book, "bargemaster")
        play = Play(game, book)
        acts = {"acts": [plea, otherwise], "details": [vow]}
        improvising.enact(play, Reading.model_validate(acts))
        won = "talk:orlo-mercy:text" in play.game.flags
        assert "Refused" not in kinds(play)
        assert bool(promised(play)) == won
        assert play.game.place == ("hall" if won else "bridge")
        outcomes.add(won)
    assert outcomes == {True, False}


def test_what_is_not_theirs_to_give_is_no_refusal_of_who_was_won_over() -> None:
    act = {"do": "say", "to": "maud", "approach": "bargain", "want": "give", "coin": 2}
    act |= {"item": "Halvard's gold", "text": "Two coins for his gold"}
    outcomes = set()
    for seed in SEEDS:
        play = played(hero_at("inn", seed=str(seed)), read(**act))
        refused = [one.reason for one in play.done if isinstance(one, h.Refused)]
        assert refused == (["in_part"] if taken(play) else [])
        assert ("EdgeGained" in kinds(play)) == taken(play)
        assert paid(play) == 0
        outcomes.add(taken(play))
    assert outcomes == {True, False}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_promise_is_told_before_the_hero_leaves(lang: Lang) -> None:
    words = {"do": "say", "to": "maud", "text": "You hear it first"}
    vow = {"kind": "promise", "text": "Maud hears it first", "about": "maud"}
    both = {"acts": [words, {"do": "move", "to": "greenway"}], "details": [vow]}
    play = played(hero_at("inn", lang=lang), Reading.model_validate(both))
    assert kinds(play).index("DetailKept") < kinds(play).index("Travelled")
    assert kinds(play).count("DetailKept") == 1


@pytest.mark.parametrize("approach", ["comfort", "charm", "press", "deceive", "plain"])
def test_what_is_only_shown_stays_with_the_hero(approach: str) -> None:
    shown = {"do": "say", "to": "maud", "approach": approach, "want": "know", "text": "Well?"}
    for thing in ({"with": "bow"}, {"item": "bow"}):
        for seed in SEEDS:
            play = played(hero_at("inn", seed=str(seed)), read(**shown, **thing))
            assert play.game.sheet.count("bow") == 1


def test_what_is_shown_for_the_first_time_makes_it_no_harder_to_try_again() -> None:
    plea = {"do": "say", "to": "maud", "approach": "press", "want": "know", "text": "Who was it?"}
    first = played(hero_at("inn"), read(**plea)).game
    bare, shown, again = (
        next(one.difficulty for one in played(game, read(**plea, **thing)).done if rolled(one))
        for game, thing in ((first, {}), (first, {"with": "bow"}), (hero_at("inn"), {}))
    )
    assert again == shown < bare


def rolled(one: object) -> bool:
    return isinstance(one, h.Attempted)


PAYS: dict[str, dict[str, object]] = {
    "in words": {"do": "say", "to": "foe2", "want": "truce", "approach": "bargain"},
    "to all": {"do": "say", "to": "all", "want": "pass"},
    "by hand": {"do": "give", "to": "foe1"},
}


@pytest.mark.parametrize("way", PAYS)
@pytest.mark.parametrize("coin", [4, 6])
def test_a_toll_is_taken_in_a_fight_as_well(way: str, coin: int) -> None:
    for seed in SEEDS:
        play = played(at_the_toll(str(seed)), read(**PAYS[way], coin=coin, text="Here, your toll"))
        assert play.game.fight is None
        assert paid(play) == coin
        assert "left:ruffians" in play.game.flags
        assert "Fled" not in kinds(play)


@pytest.mark.parametrize("way", PAYS)
def test_less_than_the_toll_buys_no_sure_peace(way: str) -> None:
    ends = {
        played(at_the_toll(str(seed)), read(**PAYS[way], coin=2, text="Two?")).game.fight is None
        for seed in SEEDS
    }
    assert False in ends


def test_apt_words_are_a_step_easier() -> None:
    def numbers(band: str, place: str, **act: object) -> list[tuple[int, int]]:
        given = read(do="say", band=band, text="For that cough: pine tea, as hot as may be", **act)
        done = played(hero_at(place), given).done
        rolled = [one for one in done if isinstance(one, h.Attempted | h.SkillChecked)]
        return [(one.difficulty, one.roll.edge if one.roll else 0) for one in rolled]

    asked = {"to": "maud", "approach": "charm", "want": "help"}
    (plain, _), (apt, _) = *numbers("medium", "inn", **asked), *numbers("easy", "inn", **asked)
    assert apt < plain
    barred = {"to": "foe2", "approach": "bargain", "want": "pass"}
    assert [edge for _, edge in numbers("medium", "greenway", **barred)] == [0]
    assert [edge for _, edge in numbers("easy", "greenway", **barred)] == [20]


@pytest.mark.parametrize("to", ["inn-folk", "all"])
def test_coins_laid_down_within_a_bargain_change_hands_once_it_is_struck(to: str) -> None:
    terms = "The carter drives Halla to the tower, and has two more coins on the way back."
    words = {"do": "say", "to": to, "approach": "bargain", "want": "help", "coin": 2}
    hand = {"do": "give", "to": to, "coin": 2, "text": "I close his hand on them"}
    detail = {"kind": "detail", "who": to, "text": terms}
    acts = [{**words, "text": "Two now, two later", "success": [detail]}, hand]
    struck = set()
    for seed in range(20):
        game = hero_at("inn", seed=str(seed))
        play = Play(game, lamp())
        improvising.enact(play, Reading.model_validate({"acts": acts}))
        dealt = next(one.success for one in play.done if isinstance(one, h.Attempted))
        struck.add(dealt)
        assert paid(play) == 2 * dealt
        assert (terms in promised(play)) == dealt
    assert struck == {True, False}


def test_coins_for_somebody_without_a_name_are_paid_where_nothing_is_argued() -> None:
    words = {"do": "say", "to": "inn-folk", "want": "know", "coin": 2, "text": "Two for the news"}
    assert paid(played(hero_at("inn"), read(**words))) == 2
