"""What was said is what is done: where one runs, what was prepared, whom one asks, what is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_improvising import at_the_toll, kinds, read
from tests.agents.saga.worlds import enacted, fight_with, hero_at, lamp

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.invariants import broken_rules
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.sheet import Carried
from ruleplay.agents.saga.domain.story import Left
from ruleplay.agents.saga.policy.answers import facts_of
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.events import Json
from ruleplay.story.acts import Reading
from ruleplay.story.beats import Beat

THREAT = {"do": "say", "to": "foe1", "approach": "threaten", "want": "pass", "text": "Or I draw"}
UNDO = {"do": "meta", "meta": "undo", "text": "take the flight back"}


def acts(*each: Json) -> Reading:
    return Reading.model_validate({"acts": [*each]})


def played(game: Game, reading: Reading, words: str = "") -> Play:
    play = Play(game, lamp(), 1, words)
    enacted(play, reading)
    assert broken_rules(game, play.done, play.game) == []
    return play


def over_seeds(game: Game, reading: Reading) -> Iterator[Play]:
    for seed in range(30):
        yield played(game.model_copy(update={"dice_seed": str(seed)}), reading)


def beats_of(before: Game, play: Play) -> tuple[Beat, ...]:
    return script_of(before, [event_of(one) for one in play.done], lamp()).beats()


def never_in_the_dell(game: Game) -> Game:
    return game.model_copy(update={"visited": ("inn", "greenway")})


RUNS = {
    "flee": {"do": "rule", "item": "flee", "to": "dell", "text": "off among the beeches"},
    "check": {
        "do": "check",
        "skill": "athletics",
        "text": "a dash for the trees in the east",
        "success": [{"kind": "place", "who": "hero", "what": "dell"}],
    },
    "readied": {
        "do": "rule",
        "item": "flee",
        "to": "dell",
        "when": "trigger",
        "text": "if he swings I bolt for the dell",
    },
}


@pytest.mark.parametrize("how", RUNS)
def test_a_flight_ends_where_it_was_to_go(how: str) -> None:
    ends = set()
    for play in over_seeds(never_in_the_dell(at_the_toll()), acts(RUNS[how])):
        if play.game.fight is None and not play.game.dead:
            ends.add(play.game.place)
    assert ends == {"dell"}


def test_what_is_prepared_for_a_refusal_is_done_when_it_comes_to_a_fight() -> None:
    slip = {"do": "move", "to": "dell", "when": "if_failure", "text": "else I slip off east"}
    hum = {"do": "flourish", "when": "if_success", "text": "else I hum"}
    places = {True: set[str](), False: set[str]()}
    for play in over_seeds(never_in_the_dell(hero_at("greenway")), acts(THREAT, slip, hum)):
        fought = "CombatTriggered" in kinds(play)
        assert not fought or "Flourished" not in kinds(play)
        if play.game.fight is None and not play.game.dead:
            places[fought].add(play.game.place)
        left = [one for one in play.done if isinstance(one, h.LeftUndone)]
        assert not [one for one in left if "else I slip off east" in one.what]
    assert places == {True: {"dell"}, False: {"greenway"}}


def test_who_only_is_asked_along_hinders_nobody_and_a_refusal_does() -> None:
    passed = hero_at("greenway", flags=("left:ruffians",))
    ask = {"do": "follow", "to": "foe2", "text": "help me with the boat, Rudge"}
    go = {"do": "move", "to": "ford", "text": "down to the river, with or without him"}
    assert played(passed, acts(ask, go)).game.place == "ford"
    with_him = acts(ask, {**go, "when": "if_success"})
    for seed in map(str, range(9)):
        game = played(passed.model_copy(update={"dice_seed": seed}), with_him).game
        assert game.place == ("ford" if game.story.company else "greenway")


async def test_a_way_that_a_deed_opens_is_gone_in_the_same_message(sit: Sit) -> None:
    table = await sit(model="scripted", seed="1")
    north = {"do": "move", "to": "greenway"}
    pay = {"do": "pick", "item": "pay:ruffians", "text": "the toll"}
    ford = {"do": "move", "to": "ford", "text": "to the river"}
    mend = {"do": "pick", "item": "deed:mend-ferry", "text": "I knot the line"}
    over = {"do": "move", "to": "the far bank", "when": "if_success", "text": "and haul us across"}
    reads: list[Reading | str] = [acts(north), acts(pay), acts(ford, mend, over)]
    reads += [acts(mend, over), acts({**over, "to": "tower-foot", "when": "then"})]
    script: dict[str, list[object]] = {
        "saga.read": [
            one.model_dump_json(by_alias=True) if isinstance(one, Reading) else one for one in reads
        ],
        "saga.narrator": ["Rain."] * 9,
        "saga.herald": ["Rain."] * 9,
    }
    async with table.session(script) as session:
        for said in ("begin", "north", "I pay"):
            await session.turn(said)
        turn = await session.turn("To the river, I knot the line and haul us across")
    went = [event["place"] for event in turn.events if event["type"] == "Travelled"]
    mended = any(event["type"] == "SkillChecked" and event["success"] for event in turn.events)
    assert mended
    assert went == ["ford", "tower-foot"]


async def test_a_question_is_no_deed_that_is_taken_back(sit: Sit) -> None:
    table = await sit(model="scripted")
    give = {"do": "give", "to": "maud", "coin": 3, "text": "three coins"}
    why = {"do": "ask", "to": "rules", "text": "why?"}
    ask = {"do": "say", "to": "maud", "want": "know", "text": "Whose mug is that?"}
    reads: list[object] = [acts(one).model_dump_json(by_alias=True) for one in (give, UNDO)]
    reads.insert(1, acts(why, ask).model_dump_json(by_alias=True))
    async with table.session({"saga.read": reads, "saga.narrator": ["Rain."] * 9}) as session:
        await session.turn("begin")
        before = (await session.view())["sheet"]
        await session.turn("three coins for Maud")
        await session.turn("(why?) Whose mug is that, Maud?")
        turn = await session.turn("take the coins back")
        assert "TakenBack" in [event["type"] for event in turn.events]
        assert (await session.view())["sheet"] == before


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_said_of_taking_back_is_so(lang: str) -> None:
    told = " ".join(facts_of("help", hero_at("inn", lang=lang), lamp()))  # type: ignore[arg-type]
    assert "any turn can" not in told
    assert "tout tour" not in told


def test_coins_that_lie_there_pay_the_toll_if_they_are_left_to_them() -> None:
    game = hero_at("greenway")
    lies = (Left(place="greenway", coin=5),)
    game = game.model_copy(update={"story": game.story.model_copy(update={"left": lies})})
    offer = read(do="say", to="foe2", approach="bargain", want="pass", text="Keep what I threw")
    play = played(game, offer)
    assert "encounter:ruffians:avoided" in play.game.flags
    assert not play.game.story.left
    assert play.game.sheet.coin == game.sheet.coin
    plain = played(game, read(do="say", to="foe2", want="pass", text="Let me by"))
    assert plain.game.story.left == lies


def test_a_new_offer_after_a_refusal_begins_no_fight() -> None:
    first = read(do="say", to="foe2", approach="bargain", want="pass", coin=1, text="One coin?")
    for play in over_seeds(hero_at("greenway"), first):
        if "Refused" not in kinds(play):
            continue
        again = read(do="say", to="foe2", approach="bargain", want="pass", coin=2, text="Two, then")
        new, same = played(play.game, again), played(play.game, first)
        assert new.game.fight is None
        checks = [one for one in (*play.done, *new.done) if isinstance(one, h.SkillChecked)]
        assert checks[0].difficulty < checks[1].difficulty
        if same.game.fight:
            return
    raise AssertionError("the same offer never began a fight")


def test_words_alone_may_be_another_offer_and_the_third_refusal_is_a_fight() -> None:
    def offer(said: str) -> Reading:
        return read(do="say", to="foe2", approach="bargain", want="pass", text=said)

    for seed in range(60):
        game = hero_at("greenway").model_copy(update={"dice_seed": str(seed)})
        fights = list[bool]()
        for said in ("Bread for two?", "Work, then, in Bree?", "My thanks for ever?"):
            play = played(game, offer(said))
            game = play.game
            if "Refused" not in kinds(play) and not game.fight:
                break
            fights.append(game.fight is not None)
        else:
            assert fights == [False, False, True]
            return
    raise AssertionError("they always let the hero by")


def test_coins_that_lie_there_are_a_reason_for_peace() -> None:
    lies = (Left(place="greenway", coin=3),)
    game = at_the_toll()
    rich = game.model_copy(update={"story": game.story.model_copy(update={"left": lies})})
    offer = read(do="say", to="foe2", approach="bargain", want="truce", text="Keep what lies there")
    (poor,) = [one for one in played(game, offer).done if isinstance(one, h.Demanded)]
    ends = set()
    for play in over_seeds(rich, offer):
        (one,) = [each for each in play.done if isinstance(each, h.Demanded)]
        assert one.difficulty < poor.difficulty
        ends.add((one.success, bool(play.game.story.left)))
    assert ends == {(True, False), (False, True)}


@pytest.mark.parametrize(("visited", "times"), [(("inn",), 1), (("inn", "greenway"), 0)])
def test_the_text_of_a_meeting_is_told_once(visited: tuple[str, ...], times: int) -> None:
    game = hero_at("inn").model_copy(update={"visited": visited})
    beats = beats_of(game, played(game, read(do="move", to="greenway")))
    first = lamp().scenario.encounters["ruffians"].text.en
    assert [one.passage for one in beats].count(first) == times
    assert any("Still in the way: Tam Thistle, Rudge." in one.passage for one in beats) == (
        not times
    )


def test_who_is_offered_peace_answers_and_other_words_are_heard_once_more() -> None:
    def offer(said: str, **more: object) -> Reading:
        return read(do="say", to="foe2", approach="bargain", want="truce", text=said, **more)

    for play in over_seeds(at_the_toll(), offer("Enough of this!", coin=3)):
        asked = [one for one in play.done if isinstance(one, h.Demanded)]
        assert [one.who for one in asked] == ["foe2"]
        if play.game.fight is None:
            continue
        difficulties = [asked[0].difficulty]
        told = list[bool]()
        game = play.game
        words = ("Enough of this!", "I will speak for you in Bree", "Think of your mothers")
        for said in words:
            after = played(game, offer(said, coin=3))
            (one,) = [each for each in after.done if isinstance(each, h.Demanded)]
            told.append(one.again)
            difficulties += [one.difficulty] if one.roll else []
            game = after.game
            if game.fight is None:
                break
        else:
            assert told == [True, False, True]
            assert difficulties[0] < difficulties[1]
            return
    raise AssertionError("they always agreed")


def test_a_demand_to_go_does_not_answer_an_offer_of_peace() -> None:
    gone = played(at_the_toll(), read(do="say", to="foe2", want="leave", text="Go home"))
    peace = read(do="say", to="foe2", approach="bargain", want="truce", text="Peace, then")
    (one,) = [each for each in played(gone.game, peace).done if isinstance(each, h.Demanded)]
    assert one.roll
    assert not one.again


def test_a_success_whose_wish_no_rule_knows_is_an_advantage() -> None:
    wish = {"kind": "detail", "text": "The cudgel of the captain lies by the Drowsy Heron."}
    look = read(do="check", skill="healing", success=[wish], text="I listen to their breath")
    for play in over_seeds(hero_at("ford"), look):
        won = any(isinstance(one, h.Attempted) and one.success for one in play.done)
        assert ("EdgeGained" in kinds(play)) == won
        assert "Refused" not in kinds(play)


def test_a_disarm_that_hits_leaves_them_worse_off() -> None:
    drops = {"kind": "item", "who": "foe2", "what": "cudgel", "amount": -1, "text": "drops it"}
    blow = {"do": "rule", "item": "attack", "to": "foe2", "spare": True, "stunt": drops}
    found = set()
    for play in over_seeds(at_the_toll(), acts({**blow, "text": "on the wrist"})):
        hero = [one for one in play.done if isinstance(one, h.Attacked) and one.attacker == "hero"]
        edges = [one for one in play.done if isinstance(one, h.EdgeGained)]
        there = [one for one in hero if one.hit and play.game.fight]
        assert not (there and not edges)
        found |= {(one.who, one.up) for one in edges}
    assert found == {("foe2", False)}


def test_beats_do_not_contradict_each_other() -> None:
    offer = read(do="say", to="foe2", approach="bargain", want="pass", coin=1, text="One coin?")
    for play in over_seeds(hero_at("greenway"), offer):
        says = " ".join(one.says for one in beats_of(hero_at("greenway"), play))
        assert "has the better of it" not in says
    before = at_the_toll()
    for play in over_seeds(before, acts(RUNS["readied"])):
        says = " ".join(one.says for one in beats_of(before, play))
        assert not ("has not come to that" in says and "comes about" in says)


def test_a_promise_is_about_somebody_by_name() -> None:
    promise = {"kind": "promise", "text": "Halla speaks for him in Bree", "about": "foe2"}
    words = {"do": "say", "to": "foe2", "text": "I will speak for you"}
    for game in (at_the_toll(), hero_at("greenway")):
        play = played(game, Reading.model_validate({"acts": [words], "details": [promise]}))
        assert [one.about for one in play.game.story.canon] == ["Rudge"]


async def test_prompts_say_what_fighters_want_and_who_was_left(sit: Sit) -> None:
    table = await sit(model="scripted", seed="5")
    bye = {"do": "say", "to": "maud", "text": "Keep my stool warm"}
    go = {"do": "move", "to": "greenway"}
    blow = {"do": "rule", "item": "attack", "to": "foe2", "text": "I strike Rudge"}
    reads: list[object] = [json.dumps({"acts": [bye, go]}), json.dumps({"acts": [blow]})]
    script = {"saga.read": reads, "saga.narrator": ["Rain."] * 9, "saga.herald": ["Rain."] * 9}
    async with table.session(script) as session:
        for said in ("begin", "Keep my stool warm, Maud! And off north.", "I strike Rudge"):
            await session.turn(said)
        model = session.host.models.stand_ins["scripted"]
    assert isinstance(model, ScriptedModel)
    told = [str(one.messages[-1].content) for one in model.seen if one.role == "saga.narrator"]
    maud, ruffians = lamp().scenario.persons["maud"], lamp().scenario.encounters["ruffians"]
    assert maud.traits("en") in told[-2].partition("At the Drowsy Heron:")[2]
    fight = told[-1].partition("In the fight:")[2]
    assert all(foe.traits("en") in fight for foe in ruffians.foes)


def test_who_is_not_in_the_telling_is_left_out_of_the_prompt() -> None:
    before = hero_at("inn")
    after = played(before, read(do="move", to="ford"))
    assert after.game.place != "inn"
    row = prompts._present(after.game, lamp(), before, beats_of(before, after))
    assert "Maud" not in row


@pytest.mark.parametrize("waits", [True, False])
def test_a_blow_with_what_is_no_weapon_is_an_improvised_deed(waits: bool) -> None:
    """A lantern thrust at an orc's face is not lost with the fight that it begins."""
    game = hero_at("tower-foot") if waits else fight_with("orcs")
    carried = (*game.sheet.carried, Carried(item="lantern", count=1))
    sheet = game.sheet.model_copy(update={"carried": carried})
    thrust = {"do": "rule", "item": "attack", "to": "foe1", "with": "lantern", "text": "the flame"}
    play = Play(game.model_copy(update={"sheet": sheet}), lamp())
    enacted(play, acts(thrust))
    tried = [one for one in play.done if isinstance(one, h.Attempted)]
    assert [one.what for one in tried] == ["the flame"]
    assert not any(isinstance(one, h.LeftUndone) for one in play.done)
    assert play.game.sheet.count("lantern") == 1
