"""What readings come to: every act by its rule, and whatever is wished for within its bounds."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.worlds import fight_with, hero_at, lamp
from tests.samples import sample
from tests.shared import shared_data

from ruleplay.adversary.tales import greedy
from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising, melee, setting
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.invariants import broken_bounds, broken_rules
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Reading, problems
from ruleplay.story.style import TOPICS, Style
from ruleplay.story.texts import Lang


def read(**act: object) -> Reading:
    return Reading.model_validate({"acts": [act]})


def played(game: Game, reading: Reading, *, confirmed: bool = False) -> Play:
    play = Play(game, lamp())
    assert problems(reading, setting.roster(game, lamp())) == []
    if game.fight:
        melee.fight_on(play, reading, {})
    else:
        improvising.enact(play, reading, confirmed=confirmed)
    assert broken_rules(game, play.done, play.game) == []
    assert list(broken_bounds(lamp(), game, play.done, play.game)) == []
    return play


def kinds(play: Play) -> list[str]:
    return [type(one).__name__ for one in play.done]


def at_the_toll(seed: str = "0") -> Game:
    game = fight_with("ruffians", seed=seed)
    return game.model_copy(update={"place": "greenway"})


def test_words_never_strike() -> None:
    play = played(at_the_toll(), read(do="say", to="foe2", want="leave", text="Enough. Go."))
    assert kinds(play) == ["Spoke", "Demanded", "Counted", "Counted"]


def test_a_demand_is_rolled_for_once_for_each_reason() -> None:
    game = at_the_toll()
    hurt = game.model_copy(update={"fight": game.fight.with_("foe2", hp=3)})  # type: ignore[union-attr]
    wish = read(do="say", to="foe2", approach="threaten", want="yield", text="Drop it!")
    outcomes = set()
    for seed in range(30):
        play = played(hurt.model_copy(update={"dice_seed": str(seed)}), wish)
        outcomes.add("Yielded" in kinds(play))
        if play.game.fight and play.game.fight.the("foe2").present:
            assert asked_of(play.game, wish) == (True, None)
            alone = play.game.fight.with_("foe1", fled=True)
            assert asked_of(play.game.model_copy(update={"fight": alone}), wish)[1]
    assert outcomes == {True, False}


def asked_of(game: Game, wish: Reading) -> tuple[bool, object]:
    """Return whether a demand had been answered before, and what was rolled for it."""
    (asked,) = (one for one in played(game, wish).done if isinstance(one, h.Demanded))
    return asked.again, asked.roll


def test_coin_is_a_reason_to_let_somebody_pass() -> None:
    free = read(do="say", to="foe2", want="leave", text="Out of my way!")
    paid = read(do="say", to="foe2", want="leave", coin=5, text="Five coins, and you go!")
    assert asked_of(at_the_toll(), free) == (False, None)
    again, roll = asked_of(at_the_toll(), paid)
    assert roll is not None
    assert not again


def test_coins_for_a_foe_go_to_that_foe() -> None:
    play = played(at_the_toll(), read(do="give", to="foe2", coin=3, text="three coins"))
    (paid,) = (one for one in play.done if isinstance(one, h.CoinChanged))
    assert (paid.amount, paid.to) == (-3, "foe2")


def test_cover_costs_a_minor_action_and_makes_one_blow_harder() -> None:
    hide = read(do="move", to="cover", text="behind the post")
    play = played(at_the_toll(), hide)
    assert [e.action for e in play.done if isinstance(e, h.ActionTaken) and e.who == "hero"] == [
        "cover"
    ]
    assert "EdgeGained" in kinds(play)
    assert play.game.fight
    assert play.game.fight.spent == ("minor",)
    again = list(hide.acts) * 2
    assert kinds(played(at_the_toll(), Reading(acts=tuple(again)))).count("EdgeGained") == 1


def test_what_is_missing_leaves_undone_only_what_needs_it() -> None:
    reading = Reading.model_validate(
        {
            "acts": [
                {"do": "take", "item": "sword", "text": "the cudgel"},
                {"do": "give", "to": "maud", "item": "sword", "text": "hands it to Maud"},
                {"do": "say", "to": "maud", "text": "Good evening, Maud"},
                {"do": "flourish", "text": "I sit down by the fire"},
            ]
        }
    )
    play = Play(hero_at("inn"), lamp())
    play.game = play.game.model_copy(
        update={"sheet": play.game.sheet.model_copy(update={"carried": ()})}
    )
    improvising.enact(play, reading)
    assert kinds(play) == ["InVain", "Flourished", "Spoke", "LeftUndone"]
    assert "hands it to Maud" in play.done[-1].what[0]  # type: ignore[attr-defined]


def test_something_new_to_try_it_with_is_no_second_try() -> None:
    def throw(item: str) -> Reading:
        wish = {"kind": "edge", "who": "foe1", "what": "down"}
        act = {"do": "check", "skill": "athletics", "to": "foe1", "success": [wish]}
        return read(**act, **({"with": item} if item else {}))

    game, numbers = at_the_toll(), []
    carried = [one.item for one in game.sheet.carried][:2]
    for item in ("", *carried):
        play = played(game, throw(item))
        numbers.append(next(e.difficulty for e in play.done if isinstance(e, h.Attempted)))
        spent = play.game.fight
        game = (
            play.game
            if spent is None
            else at_the_toll().model_copy(update={"story": play.game.story})
        )
    assert numbers[0] == numbers[1] < numbers[2]


def test_who_is_spared_is_out_of_the_fight_alive() -> None:
    game = at_the_toll()
    weak = game.model_copy(update={"fight": game.fight.with_("foe1", hp=6)})  # type: ignore[union-attr]
    for seed in range(20):
        reading = read(do="rule", item="attack", to="foe1", spare=True)
        play = played(weak.model_copy(update={"dice_seed": str(seed)}), reading)
        if any(isinstance(one, h.Yielded) for one in play.done):
            assert not any(isinstance(one, h.Died) and one.who == "foe1" for one in play.done)
            return
    raise AssertionError("nobody was ever spared")


def test_attacking_somebody_nobody_wrote_a_fight_for_is_asked_once() -> None:
    game = hero_at("inn")
    blow = read(do="rule", item="attack", to="maud")
    asked = played(game, blow)
    assert kinds(asked) == ["AskedBack"]
    assert played(asked.game, blow, confirmed=True).game.mode == "combat"


async def test_yes_does_what_was_asked_about(sit: Sit) -> None:
    table = await sit(model="scripted")
    quits = json.dumps({"acts": [{"do": "meta", "meta": "end_story"}]})
    script: dict[str, list[object]] = {"saga.read": [quits], "saga.narrator": ["Rain."] * 9}
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("I go home and forget all this")
        assert "Really" in turn.reply
        turn = await session.turn("yes")
        assert (await session.view())["ending"]["key"] == "left"


VAIN = {"do": "vain", "vain": "not_carried", "text": "no rope"}


@pytest.mark.parametrize(("when", "place"), [("if_success", "inn"), ("then", "greenway")])
def test_what_is_in_vain_stops_only_what_hangs_on_it(when: str, place: str) -> None:
    sit = {"do": "flourish", "text": "I sit down"}
    leave = {"do": "move", "to": "greenway", "when": when, "text": "off to the road"}
    game = hero_at("inn", flags=("won:ruffians",))
    play = played(game, Reading.model_validate({"acts": [VAIN, leave, sit]}))
    assert play.game.place == place
    assert ("LeftUndone" in kinds(play)) == (when == "if_success")
    assert kinds(play)[0] == "InVain"


def test_who_gets_nowhere_does_nothing_there() -> None:
    acts = [{"do": "move", "to": "ford"}, {"do": "take", "item": "pebble", "text": "a pebble"}]
    play = played(hero_at("greenway"), Reading.model_validate({"acts": acts}))
    assert kinds(play) == ["Refused", "LeftUndone"]


def test_what_hangs_on_something_that_cannot_fail_is_done() -> None:
    acts = [{"do": "flourish", "text": "I nod"}, {"do": "wait", "when": "if_success"}]
    assert "TimePassed" in kinds(played(hero_at("inn"), Reading.model_validate({"acts": acts})))
    acts[1]["when"] = "if_failure"
    assert kinds(played(hero_at("inn"), Reading.model_validate({"acts": acts}))) == ["Flourished"]


@pytest.mark.parametrize("act", [VAIN, {"do": "say", "to": "maud", "text": "I swear it"}])
def test_a_promise_to_somebody_who_is_elsewhere_is_kept(act: dict[str, object]) -> None:
    promise = {"kind": "promise", "text": "I will bring Halvard a rope", "about": "halvard"}
    play = played(hero_at("inn"), Reading.model_validate({"acts": [act], "details": [promise]}))
    assert [(one.about, one.kind) for one in play.game.story.canon] == [("halvard", "promise")]


@pytest.mark.parametrize("do", ["move", "follow"])
def test_one_goes_after_somebody_who_is_elsewhere_as_far_as_one_knows_where(do: str) -> None:
    after = read(do=do, to="halvard", text="I go after him")
    away = played(hero_at("greenway", flags=("won:ruffians",)), after)
    assert away.game.place == "ford"
    gone = played(hero_at("greenway", flags=("won:ruffians", "gone:halvard")), after)
    assert (gone.game.place, kinds(gone)) == ("greenway", ["InVain"])
    assert played(hero_at("greenway"), after).game.place == "greenway"


def test_a_clue_is_found_by_its_own_number_and_gets_harder_with_each_try() -> None:
    reading = read(do="check", skill="lore", success=[{"kind": "clue", "what": "toll-tally"}])
    game = hero_at("greenway", flags=("won:ruffians",), seed="3")
    found = 0
    for seed in range(20):
        play = played(game.model_copy(update={"dice_seed": str(seed)}), reading)
        tried = next(one for one in play.done if isinstance(one, h.Attempted))
        assert tried.difficulty == 45
        found += any(isinstance(one, h.SectionTold) for one in play.done)
        again = played(play.game, reading) if not tried.success else None
        assert again is None or again.done[0].difficulty == 60  # type: ignore[attr-defined]
        if again and not again.done[0].success:  # type: ignore[attr-defined]
            assert played(again.game, reading).done[0].difficulty == 75  # type: ignore[attr-defined]
    assert 0 < found < 20


def test_details_are_kept_and_those_that_would_count_are_not() -> None:
    reading = Reading.model_validate(
        {
            "acts": [{"do": "flourish", "text": "looks up"}],
            "details": [
                {"text": "two drovers who do not look up"},
                {"text": "a chest of gold under the bed"},
            ],
        }
    )
    play = played(hero_at("inn"), reading)
    assert [one.text for one in play.game.story.canon] == ["two drovers who do not look up"]


def test_the_parser_never_strikes_at_a_quotation_and_asks_when_unsure() -> None:
    book = lamp()
    said = parse('I lower my sword. "Attack? Enough, Rudge. Go."', at_the_toll(), book)
    assert [one.act for one in said.intents] == []
    assert [one.do for one in said.acts] == ["flourish", "say"]
    unsure = parse("asdf jkl qwer", hero_at("inn"), book)
    assert unsure.question
    assert len(unsure.choices) > 1
    rambling = (
        "attack is what my grandmother called her famous pickled walnut breakfast every Sunday"
    )
    heard = parse(rambling, at_the_toll(), book)
    assert heard.question or {act.do for act in heard.acts} == {"say"}


@pytest.mark.parametrize("scenario", ["greenway-lamp", "grey-debt"])
async def test_help_and_commands_cost_no_turn(sit: Sit, scenario: str) -> None:
    table = await sit(scenario=scenario)
    await table.say("begin")
    before = await table.view()
    for said in ("/help", "/sheet", "/recap", "/rules", "/settings", "/nonsense"):
        turn = await table.say(said)
        assert turn.reply
        assert [event["type"] for event in turn.events] == ["Consulted", "TurnConcluded"]
    after = await table.view()
    assert after["sheet"] == before["sheet"]


def test_greedy_readings_never_break_a_rule() -> None:
    book, rng = lamp(), Random(11)
    legal, tried = 0, sample(120, 500)
    for n in range(tried):
        place = rng.choice(("inn", "greenway", "ford", "dell", "barrow"))
        game = at_the_toll(str(n)) if n % 3 == 0 else hero_at(place, seed=str(n))
        for _ in range(3):
            roster = setting.roster(game, book)
            prompt = "\n".join(
                f"{name}: {', '.join(getattr(roster, name))}" for name in type(roster).model_fields
            )
            reading = Reading.model_validate(greedy(rng, prompt))
            if problems(reading, roster):
                continue
            legal += 1
            game = played(game, reading, confirmed=rng.random() < 0.5).game
    assert legal > tried * 2 / 3 - 3


def test_the_readings_meant_by_players_hold_their_bounds() -> None:
    for name in ("played", "more"):
        for line in (shared_data("readings") / f"{name}.jsonl").read_text().splitlines():
            Reading.model_validate(json.loads(line)["reading"])


def test_the_shipped_schema_is_that_of_the_sections() -> None:
    from pathlib import Path

    from ruleplay.agents.saga.adapters import scenario_source

    file = Path(scenario_source.__file__).parents[1] / "world" / "scenario.schema.json"
    assert json.loads(file.read_text()) == scenario_source.section_schemas()
    assert open_book("grey-debt").scenario.clues


@pytest.mark.parametrize(
    ("said", "kept"), [("x", "this"), (" \n", "this"), ("spiders", "spiders"), ("s" * 90, "s" * 60)]
)
def test_whatever_is_barred_leaves_a_style_that_can_be_stored(said: str, kept: str) -> None:
    style = Style()
    for _ in range(TOPICS + 1):
        style = style.without(said, "this").without(f"{said}!!", "that")
    stored = Style.model_validate_json(style.model_dump_json())
    assert kept in stored.lines


def test_who_has_given_up_is_struck_no_more_and_is_there_afterwards() -> None:
    game = at_the_toll("3")
    assert game.fight
    weak = game.model_copy(update={"fight": game.fight.with_("foe2", hp=4)})
    blow = read(do="rule", item="attack", to="foe2", spare=True)
    for seed in range(40):
        first = played(weak.model_copy(update={"dice_seed": str(seed)}), blow)
        if first.game.fight and first.game.fight.the("foe2").yielded:
            again = played(first.game, blow)
            assert again.done == [h.Refused(reason="already_beaten", about="foe2")]
            assert "yielded:ruffians:foe2" in first.game.flags
            return
    raise AssertionError("nobody was ever spared")


def test_who_hides_before_a_fight_is_known_to_be_hidden() -> None:
    hides = [{"kind": "condition", "who": "hero", "what": "hidden"}]
    act = read(do="check", skill="stealth", band="sure", success=hides, text="under the wagon")
    found = set()
    for seed in range(20):
        play = played(hero_at("inn", seed=str(seed)), act)
        won = any(isinstance(one, h.Attempted) and one.success for one in play.done)
        assert [mark.text for mark in play.game.story.marks] == ["Halla: hidden"] * won
        found.add(won)
    assert True in found


@pytest.mark.parametrize(
    ("place", "act", "answered"),
    [
        ("tower-foot", {"approach": "bargain", "want": "pass", "coin": 3}, "SkillChecked"),
        ("tower-foot", {"approach": "deceive", "want": "leave"}, "SkillChecked"),
        ("tower-foot", {"approach": "plain", "want": "pass"}, "words_refused"),
        ("dell", {"approach": "comfort", "want": "leave"}, "SkillChecked"),
        ("dell", {"approach": "deceive", "want": "leave"}, "words_refused"),
        ("tower-foot", {"approach": "threaten", "want": "know"}, "SkillChecked"),
    ],
)
def test_words_that_want_something_of_foes_are_rolled_for_or_refused(
    place: str, act: dict[str, object], answered: str
) -> None:
    game = hero_at(place)
    game = game.model_copy(update={"sheet": game.sheet.model_copy(update={"coin": 9})})
    play = played(game, read(do="say", to="foe1", text="Walk off, both of you", **act))
    rolls = [one for one in play.done if isinstance(one, h.SkillChecked)]
    refusals = [one.reason for one in play.done if isinstance(one, h.Refused)]
    assert answered in (*kinds(play), *refusals)
    sneak = lamp().scenario.encounters["orcs"].sneak
    assert all(sneak and one.difficulty >= sneak.difficulty for one in rolls)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ({"approach": "charm", "want": "help"}, "words_refused"),
        ({"approach": "bargain", "want": "help", "coin": 2}, "offer_refused"),
        ({"approach": "charm", "want": "join"}, "stays_put"),
    ],
)
def test_a_person_who_is_asked_in_vain_says_no(act: dict[str, object], reason: str) -> None:
    game = hero_at("inn")
    game = game.model_copy(update={"sheet": game.sheet.model_copy(update={"coin": 9})})
    wish = read(do="say", to="maud", text="Shut the inn and see me there", **act)
    for _ in range(3):
        play = played(game, wish)
        game = play.game
    assert [one.reason for one in play.done if isinstance(one, h.Refused)] == [reason]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("skill", ["stealth", "intimidation", "survival"])
def test_what_the_book_says_of_foes_who_were_passed_is_how_they_were(
    skill: str, lang: Lang
) -> None:
    wolves = lamp().scenario.encounters["wolves"]
    away = {"kind": "place", "what": "barrow"}
    wish = read(do="check", skill=skill, success=[away], text="by them and on to the mound")
    for seed in range(30):
        game = hero_at("dell", lang=lang, seed=str(seed))
        play = played(game, wish)
        if "encounter:wolves:avoided" in play.game.flags:
            break
    script = script_of(game, [event_of(one) for one in play.done], lamp())
    told = " ".join(beat.passage for beat in script.beats())
    texts = {way: text.of(lang) for way, text in wolves.avoided_by.items()}
    known = texts.get(skill) or (wolves.avoided or wolves.text).of(lang)
    assert known in told
    assert not any(text in told for way, text in texts.items() if way != skill)


def test_the_oil_that_the_book_has_the_hero_take_is_carried() -> None:
    play = played(hero_at("barrow", flags=("wight-gone",)), read(do="pick", item="deed:take-oil"))
    assert play.game.sheet.count("lamp-oil") == play.game.sheet.count("bright-blade") == 1


def test_who_gets_past_to_a_place_is_there_and_who_does_not_is_not() -> None:
    away = {"kind": "place", "what": "dell"}
    wish = read(do="check", skill="stealth", to="foe2", success=[away], text="round them, east")
    places = set()
    for seed in range(30):
        play = played(hero_at("greenway", seed=str(seed)), wish)
        past = "encounter:ruffians:avoided" in play.game.flags
        assert play.game.place == ("dell" if past else "greenway")
        places.add(play.game.place)
    assert len(places) == 2
