"""What hangs on something: ways that a deed opens, appeals, won checks, what is readied."""

from __future__ import annotations

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_as_said import THREAT, acts, played
from tests.agents.saga.test_readied import blows
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import melee
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.intents import Plan
from ruleplay.agents.saga.domain.invariants import broken_rules
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Reading
from ruleplay.story.texts import Lang
from ruleplay.story.wording import in_own_words

NORTH = acts({"do": "move", "to": "greenway"})
PAY = acts({"do": "pick", "item": "pay:ruffians", "text": "the toll"})
FORD = acts({"do": "move", "to": "ford"})
MEND = {"do": "pick", "item": "deed:mend-ferry", "text": "I splice the line"}
OVER = {"do": "move", "to": "north bank", "when": "if_success", "text": "then across I go"}
CREEP = {"do": "check", "skill": "stealth", "band": "extreme", "text": "flat on my belly"}
ACROSS = acts({**OVER, "to": "tower-foot", "when": "then"}, {**CREEP, "when": "then"})


async def turn_of(sit: Sit, seed: str, said: str, *reads: Reading) -> list[dict[str, object]]:
    """Return the events of a message at the ford, read as `reads`."""
    table = await sit(model="scripted", seed=seed)
    given = [one.model_dump_json(by_alias=True) for one in (NORTH, PAY, FORD, *reads)]
    script: dict[str, list[object]] = {"saga.read": [*given], "saga.narrator": ["Rain."] * 9}
    async with table.session(script) as session:
        for word in ("begin", "north", "I pay", "on to the river"):
            await session.turn(word)
        return [dict(one) for one in (await session.turn(said)).events]


@pytest.mark.parametrize("when", ["if_success", "then"])
async def test_what_follows_a_way_that_a_deed_opens_is_done_beyond_it(sit: Sit, when: str) -> None:
    said = "I splice the line, then across I go flat on my belly"
    seen = set()
    for seed in ("1", "2", "3", "4", "5", "6"):
        read = acts(MEND, OVER, {**CREEP, "when": when})
        events = await turn_of(sit, seed, said, read, ACROSS, acts(CREEP))
        kinds = [str(one["type"]) for one in events]
        mended = next(one["success"] for one in events if one["type"] == "SkillChecked")
        went = [n for n, one in enumerate(events) if one["type"] == "Travelled"]
        crept = [n for n, one in enumerate(events) if one["type"] == "Attempted"]
        seen.add(mended)
        assert bool(went) is mended
        assert bool(crept) is mended
        assert not crept or crept > went
        assert ("LeftUndone" in kinds) is (when == "then" and not mended)
    assert seen == {True, False}


@pytest.mark.parametrize("want", ["join", "help", "give"])
@pytest.mark.parametrize("approach", ["plain", "bargain"])
def test_those_who_have_let_the_hero_by_answer_an_appeal(want: str, approach: str) -> None:
    offer = {"do": "say", "to": "foe1", "approach": approach, "want": want, "text": "row with me"}
    after = {"do": "follow", "to": "foe2", "when": "if_success", "text": "and bring Rudge"}
    answers = set()
    for seed in map(str, range(1, 20)):
        game = hero_at("greenway", flags=("encounter:ruffians:avoided",), seed=seed)
        done = played(game, acts(offer, after), "Tam, row with me and bring Rudge").done
        told = [one for one in done if isinstance(one, h.Attempted | h.Refused)]
        assert told
        answers.add(getattr(told[0], "success", False))
        left = [one.what for one in done if isinstance(one, h.LeftUndone)]
        assert all(one == ("and bring Rudge",) for one in left)
    assert answers == {True, False}


def test_only_the_part_of_long_speech_that_is_meant_is_quoted() -> None:
    said = (
        "“Lads, one thing before I go: strong arms are wasted on a pole. Walk down to the river "
        "with me, the pair of you. And who pays you for this?” I say and grin."
    )
    part = in_own_words(said, "the pair, down by the river")
    assert part.startswith("Walk down to the river")
    assert "strong arms" not in part
    assert "pays" not in part


@pytest.mark.parametrize("skill", ["lore", "healing", "survival"])
def test_a_won_check_brings_something_each_time(skill: str) -> None:
    wish = {"kind": "edge", "who": "hero", "what": "up"}
    sign = {"kind": "detail", "text": "A golden ring worth ninety crowns"}
    look = {"do": "check", "skill": skill, "band": "easy", "text": "what the carvings mean"}
    game, won, edges = hero_at("barrow", seed="3"), 0, 0
    for _ in range(8):
        play = played(game, acts({**look, "success": [wish, sign]}))
        if any(isinstance(one, h.Attempted) and one.success for one in play.done):
            won += 1
            brought = [one for one in play.done if isinstance(one, h.EdgeGained | h.Consulted)]
            edges += any(isinstance(one, h.EdgeGained) for one in brought)
            assert brought
        game = play.game
    assert won > 2
    assert edges == 2


@pytest.mark.parametrize("opened", [True, False])
def test_a_trick_readied_beside_a_blow_is_done_when_its_foe_strikes(opened: bool) -> None:
    shot = {"do": "rule", "item": "attack", "to": "foe2", "text": "an arrow"}
    net = {"do": "check", "skill": "athletics", "to": "foe1", "text": "a net over him"}
    ready = acts({**net, "when": "trigger"}, shot)
    plans = {"foe1": Plan(who="foe1", act="attack", target=HERO)}
    kept = struck = 0
    for seed in range(20):
        before = fight_with("ruffians", seed=str(seed))
        assert before.fight
        order = {"order": (HERO, "foe1", "foe2"), "opened": True, "turn": 0} if opened else {}
        before = before.model_copy(update={"fight": before.fight.model_copy(update=order)})
        play = Play(before, lamp())
        melee.fight_on(play, ready, plans)
        assert broken_rules(before, play.done, play.game) == []
        assert not [one for one in play.done if isinstance(one, h.LeftUndone)]
        struck += (HERO, "foe2") in blows(play)
        cost = [o.cost for o in play.done if isinstance(o, h.ActionTaken) and o.action == "ready"]
        assert cost == ["minor"] * opened
        threatened = ("foe1", HERO) in blows(play)
        sprung = any(isinstance(one, h.Sprung) and one.came for one in play.done)
        kept += sprung
        assert sprung or not threatened
    assert kept > 5
    assert struck > 15


def test_a_blow_readied_beside_a_blow_is_one_too_many() -> None:
    shot = {"do": "rule", "item": "attack", "to": "foe2", "text": "an arrow"}
    game = fight_with("orcs", seed="4")
    assert game.fight
    order = (HERO, *(one for one in game.fight.order if one != HERO))
    body = {"order": order, "opened": True, "turn": 0}
    game = game.model_copy(update={"fight": game.fight.model_copy(update=body)})
    play = Play(game, lamp())
    melee.fight_on(play, acts(shot, {**shot, "to": "foe1", "when": "trigger", "text": "him"}), {})
    assert [one.why for one in play.done if isinstance(one, h.LeftUndone)] == ["turn"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_list_of_options_shows_what_they_risk_and_take(lang: Lang) -> None:
    gone = ("wight-gone", "encounter:wight:avoided")
    mound, ford = (hero_at("barrow", flags=gone, lang=lang), hero_at("ford", lang=lang))
    toll = hero_at("greenway", lang=lang)
    shown = [prompts.read("hm", one, lamp(), None).user for one in (mound, ford, toll)]
    assert "; takes what is there)" in shown[0]
    found = open_book("greenway-lamp").rules.items["bright-blade"].name.of(lang)
    assert found not in shown[0]  # what lies there has not been found out yet
    assert "; rolls athletics)" in shown[1]
    assert shown[2].count("; may fail into a fight)") == 2


def test_labels_of_deeds_that_take_things_say_so() -> None:
    takes = {"en": ("take", "pick"), "fr": ("prendre", "cueillir", "accepter")}
    for book in (lamp(), open_book("grey-debt")):
        for deed in book.scenario.deeds.values():
            if deed.gain.items or deed.gain.coin:
                assert any(one in deed.hint.en for one in takes["en"])
                assert any(one in deed.hint.fr for one in takes["fr"])


def test_a_promise_ends_where_it_is_said_to_be_kept_also_by_name() -> None:
    vow = {"kind": "promise", "about": "halvard", "text": "Halla owes Halvard a new line"}
    even = {"kind": "detail", "about": "halvard", "text": "Halla and Halvard owe nothing more"}
    say = {"do": "say", "to": "halvard", "text": "There, now we are even"}
    begin = {"acts": [{"do": "say", "to": "halvard", "text": "I owe you one"}], "details": [vow]}
    owed = played(hero_at("ford"), Reading.model_validate(begin)).game
    assert [one.kind for one in owed.story.canon] == ["promise"]
    for ends in ("Halla owes Halvard a new line", ""):
        body = {"acts": [say], "details": [{**even, "instead": ends}]}
        after = played(owed, Reading.model_validate(body)).game.story.canon
        assert [one.kind for one in after] == (["detail"] if ends else ["promise"])


def test_a_deed_that_fails_again_is_not_told_in_the_same_words() -> None:
    before, texts = hero_at("ford"), lamp().scenario.deeds["mend-ferry"].failure
    assert texts
    fails: list[list[str]] = []
    for seed in range(40):
        game = before.model_copy(update={"dice_seed": str(seed)})
        fails = []
        for _ in range(3):
            play = played(game, acts(MEND))
            script = script_of(game, [event_of(one) for one in play.done], lamp())
            fails.append([one.passage for one in script.beats() if one.passage])
            roll = next(one for one in script.beats() if one.kind == "check")
            again = "(no harder than before)" in roll.line.text
            if any(isinstance(one, h.SkillChecked) and one.success for one in play.done):
                break
            assert again is (len(fails) > 1)
            game = play.game
        else:
            break
    assert fails == [[texts.en], [], []]


def test_an_ally_who_is_to_go_for_somebody_strikes_them() -> None:
    struck = 0
    for seed in range(12):
        before = fight_with("orcs", seed=str(seed))
        play = Play(before, lamp())
        plans = {"ally1": Plan(who="ally1", act="close_in", target="foe2")}
        melee.fight_on(play, acts({"do": "wait"}), plans)
        assert broken_rules(before, play.done, play.game) == []
        theirs = [one for one in blows(play) if one[0] == "ally1"]
        assert all(target == "foe2" for _, target in theirs)
        struck += bool(theirs)
    assert struck > 6


def test_who_hides_behind_a_stone_before_a_fight_has_its_cover_in_it() -> None:
    hides = {"do": "move", "to": "cover", "text": "behind the wall"}
    fought = 0
    for seed in range(12):
        play = played(hero_at("greenway", seed=str(seed)), acts(hides, THREAT))
        covered = [one for one in play.done if isinstance(one, h.Readied)]
        assert covered
        if play.game.fight:
            fought += 1
            melee.spring(play)
            took = [one.action for one in play.done if isinstance(one, h.ActionTaken)]
            assert "cover" in took
    assert fought


@pytest.mark.parametrize("to", ["all", ""])
def test_a_question_to_somebody_without_a_name_is_not_put_to_another(to: str) -> None:
    asks = {
        "do": "say",
        "to": to,
        "want": "know",
        "topic": "maud-ruffians",
        "text": "Grandad, the road?",
    }
    done = played(hero_at("inn"), acts(asks)).done
    assert [one.to for one in done if isinstance(one, h.Spoke)] == [to]
    assert "maud-ruffians" in [one.key for one in done if isinstance(one, h.SectionTold)]
