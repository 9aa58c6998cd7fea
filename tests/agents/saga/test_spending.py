"""What an act uses up leaves the pack, whoever has left hears nothing, a state has its bearer."""

from __future__ import annotations

import pytest
from tests.agents.saga.test_handling import keeper
from tests.agents.saga.test_improvising import at_the_toll, kinds, played, read
from tests.agents.saga.test_named import by
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising, journey, setting, surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Act, Reading
from ruleplay.story.beats import Line, printed
from ruleplay.story.texts import Lang

SEEDS = range(30)
HURLS = {"do": "check", "skill": "athletics", "with": "lantern", "text": "I hurl it at their feet"}


def with_things(game: Game, *items: str) -> Game:
    sheet = game.sheet
    for item in items:
        sheet = sheet.with_items(item, 1)
    return game.model_copy(update={"sheet": sheet})


@pytest.mark.parametrize("spent", [True, False])
def test_what_is_thrown_for_good_is_gone_whatever_the_roll(spent: bool) -> None:
    outcomes = set()
    for seed in SEEDS:
        before = with_things(fight_with("orcs", seed=str(seed)), "lantern")
        wish = [{"kind": "condition", "what": "frightened", "who": "foe1"}]
        play = played(before, read(**HURLS, spent=spent, success=wish))
        for roll in (one for one in play.done if isinstance(one, h.Attempted)):
            outcomes.add(roll.success)
            assert play.game.sheet.count("lantern") == (not spent)
    assert outcomes == {True, False}


USED = {
    "waved": {"do": "flourish", "with": "lantern", "text": "I smash the lantern on the step"},
    "used": {"do": "use", "item": "lantern", "text": "I pour all its oil on the floor"},
    "tried": HURLS,
}


@pytest.mark.parametrize("name", USED)
def test_what_is_broken_outside_a_fight_is_gone(name: str) -> None:
    game = with_things(hero_at("inn"), "lantern", "lantern")
    play = played(game, read(**USED[name], spent=True))
    assert play.game.sheet.count("lantern") == 1
    assert not surroundings.left(play.game)
    assert "the lantern is lost" in by(play, game)


def test_nothing_is_used_up_twice_nor_by_another_rule() -> None:
    game = with_things(hero_at("inn"), "healing-draught", "healing-draught", "bow")
    hurt = game.model_copy(update={"sheet": game.sheet.model_copy(update={"hp": 9})})
    count = hurt.sheet.count("healing-draught")
    drunk = played(hurt, read(do="use", item="healing-draught", text="I drink it", spent=True))
    assert drunk.game.sheet.count("healing-draught") == count - 1
    arrows = with_things(hurt, "arrow", "arrow")
    shot = {"do": "check", "skill": "athletics", "with": "bow", "text": "I shoot the rope through"}
    done = played(arrows, read(**shot, spent=True))
    assert done.game.sheet.count("bow") == arrows.sheet.count("bow")
    assert done.game.sheet.count("arrow") == arrows.sheet.count("arrow") - 1
    vain = Reading(acts=(Act(do="flourish", item="lantern", spent=True, text="I break a lamp"),))
    play = Play(hero_at("inn"), lamp())
    improvising.enact(play, vain)
    assert kinds(play) == ["Flourished"]


def test_a_weapon_that_is_thrown_is_in_nobodys_hand() -> None:
    game = at_the_toll()
    weapon = game.sheet.weapon
    blow = {"do": "rule", "item": "attack", "to": "foe1", "with": weapon, "spent": True}
    play = played(game, read(**blow, text="I throw it"))
    assert play.game.sheet.count(weapon) == game.sheet.count(weapon) - 1
    assert play.game.sheet.weapon == ""


def test_what_the_story_will_ask_for_is_only_put_down() -> None:
    book = open_book("grey-debt")
    assert "iron-key" in book.scenario.asked_for()
    game = with_things(hero_at("inn").model_copy(update={"place": "quay"}), "iron-key")
    play = Play(game, book)
    throws = {"do": "flourish", "item": "iron-key", "spent": True, "text": "I toss it on the wet"}
    improvising.enact(play, read(**throws))
    assert not play.game.sheet.count("iron-key")
    assert [one.item for one in surroundings.left(play.game)] == ["iron-key"]


def test_a_keepsake_can_be_used_up() -> None:
    burns = {"do": "flourish", "item": "grey feather", "text": "I let it burn away", "spent": True}
    play = played(keeper("inn"), read(**burns))
    assert not surroundings.keepsakes(play.game)
    assert not surroundings.left(play.game)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_line_says_who_flees_and_who_takes_fright(lang: Lang) -> None:
    wish = [
        {"kind": "place", "what": "ford"},
        {"kind": "condition", "what": "frightened", "who": "foe2"},
    ]
    flees = {"en": "Halla: flees", "fr": "Halla: s'enfuit"}[lang]
    got_away = 0
    for seed in SEEDS:
        game = fight_with("orcs", lang=lang, seed=str(seed))
        ways = surroundings.ways(game, lamp())
        wish[0]["what"] = next(iter(ways))
        play = played(game, read(**(HURLS | {"with": ""}), success=wish))
        fled = [one for one in play.done if isinstance(one, h.Fled) and one.who == "hero"]
        if not fled:
            continue
        got_away += 1
        beats = script_of(game, [event_of(one) for one in play.done], lamp()).beats()
        told = printed([one.model_copy(update={"passage": ""}) for one in beats])
        assert flees in told
        assert any(item.text.startswith("Skrit") for beat in beats for item in beat.line.items)
    assert got_away


def test_a_state_follows_the_name_of_its_bearer() -> None:
    game = at_the_toll()
    play = Play(game, lamp())
    play.add(h.Attempted(skill="athletics", band="medium", difficulty=50, roll=None, success=True))
    for who in ("foe1", "foe2"):
        play.add(h.Yielded(who=who))
    (beat,) = script_of(game, [event_of(one) for one in play.done], lamp()).beats()
    names = [item.text for item in Line(items=beat.line.items).items if item.kind == "who"]
    assert names[1:] == [play.fight.the(who).name.en for who in ("foe1", "foe2")]


# Whoever has left


def thieves(way: str, lang: Lang = "en", seed: str = "0") -> Play:
    """Return the glade after the thieves were got past in some way."""
    game = hero_at("inn", lang=lang, seed=seed)
    seen = ("quay", "landing", "bridge", "glade")
    play = Play(game.model_copy(update={"place": "glade", "visited": seen}), open_book("grey-debt"))
    journey.pass_by(play, "thieves", way)
    return play


OFFER = {"do": "say", "to": "foe2", "approach": "bargain", "want": "know", "coin": 3}


@pytest.mark.parametrize(
    ("lang", "line"), [("en", "Whom it was meant for has gone"), ("fr", "n'est plus là")]
)
def test_an_offer_to_somebody_who_has_left_is_said_to_reach_nobody(lang: Lang, line: str) -> None:
    play = thieves("persuasion", lang)
    done, game = len(play.done), play.game
    search = {"do": "pick", "item": "deed:search-barge", "when": "if_failure", "text": "I search"}
    offer = OFFER | {"text": "Three coins for the name"}
    improvising.enact(play, Reading.model_validate({"acts": [offer, search]}))
    left = [one for one in play.done[done:] if isinstance(one, h.LeftUndone)]
    assert [(one.what, one.why) for one in left] == [(("Three coins for the name",), "gone")]
    events = [event_of(one) for one in play.done[done:]]
    assert line in "\n".join(script_of(game, events, play.book).closing)
    assert "deed:search-barge:text" in play.game.flags


def test_farewells_to_somebody_who_has_left_are_simply_said() -> None:
    play = thieves("stealth")
    improvising.enact(play, read(do="say", to="foe1", text="Good riddance"))
    assert kinds(play)[-1] == "Spoke"


@pytest.mark.parametrize(
    ("scenario", "key", "way", "there"),
    [
        ("grey-debt", "thieves", "persuasion", False),
        ("grey-debt", "troll", "toll", True),
        ("greenway-lamp", "wolves", "stealth", True),
        ("greenway-lamp", "wolves", "intimidation", False),
        ("greenway-lamp", "ruffians", "toll", True),
    ],
)
def test_who_has_left_is_listed_no_more(scenario: str, key: str, way: str, there: bool) -> None:
    book = open_book(scenario)
    place = next(at for at, one in book.scenario.places.items() if one.encounter == key)
    here = {"place": place, "visited": (place,)}
    play = Play(hero_at("inn").model_copy(update=here), book)
    journey.pass_by(play, key, way)
    assert bool(surroundings.passed(play.game, book)) == there
    assert ("foe1" in setting.roster(play.game, book).beings) == there


def test_an_offer_to_somebody_who_let_the_hero_pass_is_rolled_for_and_paid_if_taken() -> None:
    outcomes = set()
    for seed in SEEDS:
        play = Play(hero_at("greenway", seed=str(seed)), lamp())
        journey.pass_by(play, "ruffians", "toll")
        done = len(play.done)
        improvising.enact(play, read(**OFFER, text="Three coins: who sent you?"))
        (roll,) = [one for one in play.done if isinstance(one, h.Attempted)]
        paid = -sum(one.amount for one in play.done[done:] if isinstance(one, h.CoinChanged))
        assert paid == (3 if roll.success else 0)
        outcomes.add(roll.success)
    assert outcomes == {True, False}


# The hero's word, and an empty purse


@pytest.mark.parametrize(
    ("act", "always"),
    [
        ({"approach": "comfort", "want": "know", "topic": "halvard-orcs"}, True),
        ({"approach": "charm", "want": "like"}, True),
        ({"approach": "bargain", "want": "know", "topic": "halvard-orcs"}, False),
    ],
)
def test_a_promise_is_kept_whatever_the_roll_unless_it_was_a_price(
    act: dict[str, object], always: bool
) -> None:
    vow = {"kind": "promise", "text": "Halla names nobody at the inn", "about": "halvard"}
    outcomes = set()
    for seed in SEEDS:
        says = {"do": "say", "to": "halvard", "text": "Tell me; I will name nobody", **act}
        reading = Reading.model_validate({"acts": [says], "details": [vow]})
        play = played(hero_at("ford", seed=str(seed)), reading)
        won = all(getattr(one, "success", True) for one in play.done)
        kept = [one.text for one in play.game.story.canon if one.kind == "promise"]
        assert bool(kept) == (always or won)
        outcomes.add(won)
    assert outcomes == {True, False}


@pytest.mark.parametrize(("wanted", "short"), [(2, False), (9, True)])
def test_who_has_fewer_coins_than_asked_for_says_so(wanted: int, short: bool) -> None:
    purse = lamp().scenario.persons["maud"].purse
    won = 0
    for seed in SEEDS:
        asks = {"do": "say", "to": "maud", "approach": "charm", "want": "give", "coin": wanted}
        game = hero_at("inn", seed=str(seed))
        play = played(game, read(**asks, text="A loan?"))
        got = sum(one.amount for one in play.done if isinstance(one, h.CoinChanged))
        why = [one.reason for one in play.done if isinstance(one, h.Refused)]
        assert why == (["purse"] if got and short else [])
        assert got in (0, min(wanted, purse))
        won += bool(got)
        assert ("Maud Fennick has no more coins to give" in by(play, game)) == bool(got and short)
    assert won


OIL = "a cup of oil"


@pytest.mark.parametrize("item", [OIL, "the oil of the cup"])
def test_what_a_thing_is_used_on_is_never_lost(item: str) -> None:
    had = read(do="take", item=OIL, text="I take a cup of oil")
    game = with_things(played(hero_at("inn"), had).game, "lantern")
    pours = {"do": "use", "item": item, "with": "lantern", "spent": True, "text": "I pour it in"}
    play = Play(game, lamp())
    improvising.enact(play, read(**pours))
    assert play.game.sheet.count("lantern") == 1
    assert surroundings.keepsakes(play.game) == (() if item == OIL else (OIL,))
