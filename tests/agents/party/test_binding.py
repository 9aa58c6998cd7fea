"""What was won, asked, tried or whispered binds what comes after, and is told in its place."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.hearing import situation
from tests.agents.party.models import Able
from tests.agents.party.test_as_printed import read
from tests.agents.party.test_handed_over import at
from tests.agents.party.test_improvising import done

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import fight_choices
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.fight import LURED, REACH
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import TalkHeard
from ruleplay.agents.party.domain.happenings.table import Spoke
from ruleplay.agents.party.domain.mastering import astray
from ruleplay.agents.party.domain.memory import Line, Memory
from ruleplay.agents.party.domain.recalling import said_lately
from ruleplay.agents.party.domain.seats import TABLE
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tactics import choose_venture, wishes
from ruleplay.agents.party.domain.turns import END, fight_on
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.policy.answering import person_says
from ruleplay.agents.party.policy.picking import like
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.kernel.replay import replay
from ruleplay.story.beats import Beat
from ruleplay.story.texts import Text

BELL = {
    "do": "check",
    "skill": "dex",
    "band": "easy",
    "text": "throws the bell far down the row",
    "success": [
        {"kind": "condition", "what": "distracted", "who": "foes"},
        {"kind": "mark", "what": "noise", "text": "the bell rings far down the row"},
    ],
}


def wolves(lang: str = "en") -> tuple[Table, Book]:
    """Return a table at Pell's turn, with wolves who are not within reach of anybody."""
    table, book = at("rows")
    table = table.model_copy(update={"lang": lang})
    play = TableTurn(table, book)
    assert play.venture("pell", Exploration(act="provoke", target="wolves")) is None
    cast, fight = play.table.cast, play.table.cast.fight
    assert fight
    for one in cast.fighters:
        cast = cast.with_(one.id, position=0 if one.side == "party" else 20)
    order = ("pell", *(one for one in fight.order if one != "pell"))
    fight = fight.model_copy(update={"order": order, "turn": 0, "surprised": (), "owed": ()})
    cast = cast.model_copy(update={"fight": fight})
    return play.table.model_copy(update={"cast": cast, "current_turn": "pell"}), book


def rolled(table: Table, book: Book, act: dict[str, Any], *, won: bool) -> TableTurn:
    """Return what comes of an act with dice by which it is won, or lost."""
    for draws in range(60):
        cast = table.cast.model_copy(update={"draws": draws})
        play = done(table.model_copy(update={"cast": cast}), book, "pell", acts=[act])
        rolls = [one.success for one in play.done if isinstance(one, h.Checked)]
        if rolls[:1] == [won]:
            return play
    raise AssertionError("no such roll")


def says_of(play: TableTurn) -> str:
    told = tell_events(play.began, as_events(play), play.book).laid_out()
    return "\n".join(one.says for one in told if isinstance(one, Beat))


def test_foes_who_are_drawn_off_all_spend_their_next_turn_on_it_once_a_fight() -> None:
    table, book = wolves()
    play = rolled(table, book, BELL, won=True)
    drawn = {one.who for one in play.done if isinstance(one, h.EffectGained)}
    foes = {one.id for one in play.table.cast.foes_of("pell")}
    assert len(foes) > 2
    assert drawn == foes
    # A whole pack is harder to draw off than one of them.
    assert [one.dc for one in play.done if isinstance(one, h.Checked)] == [16]
    shown = read(play)
    assert shown.count("drawn off") == 1
    assert all(play.table.name(one) in shown for one in foes)
    there = play.table
    for one in foes:
        assert there.cast.the(one).position > table.cast.the(one).position
    while there.cast.fight and there.cast.fight.actor != "pell":
        turn = TableTurn(there, book)
        if there.cast.fight.actor in there.seats:
            turn.step(there.cast.fight.actor, END)
        else:
            plans = dict.fromkeys(foes, ("dash", "attack:bite:pell", "dodge"))
            fight_on(turn, plans)
            assert "comes no closer" in read(turn)
            assert not any(isinstance(one, h.AttackRolled | h.ActionTaken) for one in turn.done)
        there = turn.table
    assert not any(there.cast.the(one).under(LURED) for one in foes)
    # The second time they look up and no more.
    there = there.model_copy(update={"current_turn": "pell"})
    again = rolled(there, book, BELL, won=True)
    assert not any(again.table.cast.the(one).under(LURED) for one in foes)
    assert any(isinstance(one, h.EffectGained) for one in again.done)


def test_a_foe_within_reach_stays_and_strikes_worse() -> None:
    table, book = wolves()
    cast = table.cast.with_("wolf-1", position=REACH)
    near = table.model_copy(update={"cast": cast})
    sand = {**BELL, "success": [{"kind": "condition", "what": "distracted", "who": "wolf-1"}]}
    play = rolled(near, book, sand, won=True)
    wolf = play.table.cast.the("wolf-1")
    assert wolf.position == REACH
    assert wolf.under(LURED)
    turn = TableTurn(play.table, book)
    while turn.table.cast.fight and turn.table.cast.fight.actor in turn.table.seats:
        turn.step(turn.table.cast.fight.actor, END)
    fight_on(turn)
    bites = [one for one in turn.done if isinstance(one, h.AttackRolled)]
    assert "2d20kl1" in next(one.roll.formula for one in bites if one.attacker == "wolf-1")


def test_who_is_drawn_off_before_a_fight_begins_it_so() -> None:
    table, book = at("rows")
    table = table.model_copy(update={"current_turn": "pell"})
    play = rolled(table, book, BELL, won=True)
    assert play.table.cast.fight is None
    later = TableTurn(play.table.model_copy(update={"current_turn": "pell"}), book)
    assert later.venture("pell", Exploration(act="provoke", target="wolves")) is None
    foes = later.table.cast.foes_of("pell")
    assert foes
    assert all(one.under(LURED) for one in foes)
    lost = TableTurn(rolled(table, book, BELL, won=False).table, book)
    if lost.table.cast.fight is None:
        lost.venture("pell", Exploration(act="provoke", target="wolves"))
        assert not any(one.under(LURED) for one in lost.table.cast.foes_of("pell"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_death_of_a_named_animal_is_told_in_a_sentence(lang: str) -> None:
    table, book = wolves(lang)
    play = TableTurn(table, book)
    play.add(h.Died(who="mastiff-1", by="thorin"))
    told = read(play)
    assert ("hearth" if lang == "en" else "âtre") in told
    wolf = TableTurn(table, book)
    wolf.add(h.Died(who="wolf-1", by="thorin"))
    assert "\n\n" not in read(wolf)


def test_every_named_foe_has_its_death_and_is_told_of_before_it_is_met() -> None:
    for key in ("drowned-bell", "glass-orchard"):
        _, book = laid(adventure=key)
        for one in book.story.encounters.values():
            named = [foe for foe in one.foes if foe.name]
            assert all(foe.dies for foe in named)
    _, book = laid(adventure="glass-orchard")
    pack = book.story.encounters["wolves"]
    assert all("dog" in pack.text.en and "chien" in pack.text.fr for _ in pack.foes)


ASKS = "What happened the first night? And why must nothing ring?"


def test_what_was_asked_beside_a_topic_is_answered_and_no_option_is_printed() -> None:
    table, book = at("press")
    acts = [{"do": "say", "to": "oddny", "topic": "oddny-rows", "text": ASKS, "want": "know"}]
    play = done(table, book, "thorin", ASKS, acts=acts)
    shown = read(play)
    assert "ask the reeve" not in shown
    assert "whatever else was asked or offered" in says_of(play)
    # Somebody who asks without words of their own is said to.
    plain = done(table, book, "thorin", acts=[{"do": "pick", "item": "talk:oddny/oddny-rows"}])
    assert "Thorin goes to ask the reeve how it began" in read(plain)


@pytest.mark.parametrize(
    ("person", "scene", "words", "told"),
    [
        ("oddny", "press", "Why must nothing ring?", "Because it answers"),
        ("oddny", "press", "Pourquoi faut-il que rien ne tinte ?", "Parce que cela répond"),
        ("anwick", "terrace", "And the noise, what is wrong with noise?", "always upward"),
        ("lisbet", "manor", "Why may nothing ring up here?", "cannot bear that something falls"),
    ],
)
def test_who_knows_says_so_whoever_of_them_is_asked(
    person: str, scene: str, words: str, told: str
) -> None:
    table, book = at(scene)
    table = table.model_copy(update={"lang": "fr" if "é" in told else "en"})
    assert told in person_says(person, words, table, book)


def test_who_was_won_over_answers_the_rest_of_the_words() -> None:
    table, book = at("ditch")
    table = table.model_copy(update={"current_turn": "pell"})
    words = "Good evening. What would a bowl of that soup cost us, and would you take a live wolf?"
    say = {"do": "say", "to": "goblins", "approach": "bargain", "want": "truce", "text": words}
    for draws in range(40):
        cast = table.cast.model_copy(update={"draws": draws})
        now = table.model_copy(update={"cast": cast})
        play = done(now, book, "pell", words, acts=[say])
        if any(type(one).__name__ == "EncounterAvoided" for one in play.done):
            break
    else:
        raise AssertionError("never won over")
    assert "Snick, now that they talk, answers Pell in words, all that is asked" in says_of(play)


def test_what_was_tried_and_not_got_is_said_so() -> None:
    table, book = at("rows")
    table = table.model_copy(update={"current_turn": "pell"})
    takes = {"do": "take", "item": "thimble", "text": "slips the thimble off the straw finger"}
    play = rolled(table, book, takes, won=False)
    assert "slips the thimble off the straw finger" in read(play)
    assert "(not taken)" in read(play)
    assert "Pell: slips the thimble" in says_of(play)
    got = rolled(table, book, takes, won=True)
    assert "not taken" not in read(got)
    assert any(isinstance(one, t.KeepsakeGained) for one in got.done)


def test_who_comes_along_is_said() -> None:
    table, book = at("press")
    play = done(table, book, "thorin", acts=[{"do": "move", "to": "rows"}])
    assert "Thorin, Pell, Sunniva, Zephrine → the lower rows" in read(play)


def test_that_companions_wait_is_not_told() -> None:
    table, book = at("press")
    seats = {
        key: one.model_copy(update={"by": "human" if key == "pell" else "rules"})
        for key, one in table.seats.items()
    }
    table = table.model_copy(update={"seats": seats})
    for seat, shown in (("thorin", "…"), ("pell", "Pell waits.")):
        play = TableTurn(table.model_copy(update={"current_turn": seat}), book)
        play.finish(seat, "passes")
        assert read(play) == shown


def test_a_hint_comes_to_who_is_lost() -> None:
    table, book = at("terrace")
    assert not astray(table)
    assert choose_venture(table, book, "dm", Random(1)) is None
    scene = Line(round=table.round, kind="scene", about="terrace")
    talk = Line(round=table.round + 3, kind="said", about="pell", value="Hm.")
    memories = {**table.memories, TABLE: Memory(recent=(scene, talk))}
    later = table.model_copy(update={"round": table.round + 3, "memories": memories})
    assert astray(later)
    found = choose_venture(later, book, "dm", Random(1))
    assert found
    assert found.venture
    assert found.venture.act == "hint"


class Whispers(Able):
    """A companion whose words are always the same."""

    def answer(self, role: str, text: str) -> str:
        if role.endswith(".answer"):
            return json.dumps({"say": "By my mother's anvil, a half-door."})
        return super().answer(role, text)


async def test_what_is_whispered_on_the_way_is_answered_before_arriving(room: Open) -> None:
    words = "On the way I whisper to Pell that I have half promised it, then we go to the rows."
    acts = [
        {"do": "whisper", "to": "pell", "text": "I have half promised it."},
        {"do": "move", "to": "rows"},
    ]
    model = Whispers({words: {"acts": acts}})
    table = await room("1", model="able", humans=["thorin"], adventure="glass-orchard")
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        turn = await session.turn(words, seat="thorin")
        kinds = [event["type"] for event in turn.events]
        last = len(kinds) - 1 - kinds[::-1].index("Whispered")
        assert kinds.count("Whispered") == 2
        assert last < kinds.index("SceneEntered")
        assert (await replay(session.host, session.id)).identical


async def test_a_companion_is_shown_what_they_have_said_lately(room: Open) -> None:
    words = "Pell, what do you say?"
    model = Whispers({words: {"acts": [{"do": "say", "to": "pell", "text": words}]}})
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(words, seat="thorin")
        await session.turn(words, seat="thorin")
    prompts = [text for role, text in model.asked if role == "party.pell.answer"]
    shown = "Said lately; none of its oaths, images and turns is used again:\n- By my mother"
    assert [shown in one for one in prompts][-1]
    assert shown not in prompts[0]
    assert said_lately((await table.state()).table, "pell")


def test_a_captive_can_be_led_along_and_left_behind() -> None:
    table, book = at("ditch", "over:goblins", "avoided:goblins")
    play = TableTurn(table, book)
    wolf = Text(en="split-eared wolf", fr="loup à l'oreille fendue")
    play.add(t.Yielded(who="wolf-9", captive=wolf), t.Followed(person="wolf-9"))
    gives = {"do": "give", "item": "wolf-9", "text": "lays the wolf down behind the bank"}
    left = done(play.table, book, "thorin", acts=[gives])
    assert "wolf-9" not in left.table.tale.followers
    assert "split-eared wolf: lays the wolf down behind the bank, is left behind" in read(left)
    # What a captive is led along by is no speech.
    takes = {"do": "take", "item": "wolf-9", "text": "drags the wolf along"}
    again = done(
        left.table.model_copy(update={"current_turn": "thorin"}), book, "thorin", acts=[takes]
    )
    assert not any(isinstance(one, Spoke) for one in again.done)


@pytest.mark.parametrize(
    ("lang", "words", "kept"),
    [
        ("en", "heal Pell", "cast:"),
        ("en", "drag Pell clear", ""),
        ("fr", "soigner Pell", "cast:cure-wounds:pell"),
        ("fr", "rester à la porte", ""),
    ],
)
def test_a_promise_in_other_words_than_an_option_is_kept(lang: str, words: str, kept: str) -> None:
    table, book = situation(lang, "fight", "sunniva")
    found = like(fight_choices(table, book, "sunniva"), words, table)
    assert (found.id if found else "").startswith(kept)
    assert bool(found) is bool(kept)


@pytest.mark.parametrize(
    ("words", "to", "way"),
    [
        ("Make for the ditch!", "all", "ditch"),
        ("Thorin, to the bee terrace, quick!", "thorin", "terrace"),
        ("Behind me!", "all", ""),
        ("Come and get me, up the terrace!", "wolf-1", ""),
    ],
)
def test_companions_flee_where_they_were_told_to(words: str, to: str, way: str) -> None:
    table, book = wolves()
    said = {"do": "say", "to": to, "text": words}
    assert done(table, book, "pell", words, acts=[said]).table.tale.way == way


def test_who_waits_is_met_by_whatever_way_one_comes() -> None:
    table, book = wolves()
    cast = table.cast
    for one in cast.fighters:
        if one.side == "party" and one.id != "pell":
            cast = cast.with_(one.id, gone=True)
        elif one.id != "pell":
            cast = cast.with_(one.id, position=200)
    flees = {"do": "move", "to": "ditch", "text": "runs for the ditch"}
    away = done(table.model_copy(update={"cast": cast}), book, "pell", acts=[flees])
    assert away.table.expedition.scene == "ditch"
    assert "goblin and his bow" in read(away) or "goblin with a bow" in read(away)


def test_an_animal_won_over_before_a_fight_goes_and_is_struck_last() -> None:
    table, book = at("rows")
    table = table.model_copy(update={"current_turn": "pell"})
    calls = {
        "do": "check",
        "skill": "animal-handling",
        "to": "wolves/mastiff",
        "text": "calls the dog as one calls a farm dog",
        "success": [{"kind": "attitude", "who": "wolves/mastiff", "amount": 1}],
    }
    for act in (calls, {**calls, "success": []}):
        play = rolled(table, book, act, won=True)
        assert "stray dog: calls the dog" in read(play)
        assert "thinks better of you" in read(play)
        later = TableTurn(play.table.model_copy(update={"current_turn": "pell"}), book)
        assert later.venture("pell", Exploration(act="provoke", target="wolves")) is None
        now = later.table
        assert now.tale.attitude("mastiff-1") > 0
        assert not any(now.tale.attitude(one.id) for one in now.cast.fighters if one.kind == "wolf")
        first = next(iter(wishes(now, book, "mastiff-1")))
        assert first.act == "flee"
        near = now.model_copy(update={"cast": now.cast.with_("mastiff-1", position=5)})
        aims = [one.target for one in wishes(near, book, "thorin") if one.act == "move"]
        assert aims[:1] != ["mastiff-1"]


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        ("Why are those bees awake, in this frost?", ["anwick-bees"]),
        ("Pourquoi ces abeilles veillent-elles, si je puis demander ?", ["anwick-bees"]),
        ("What do your bees make of strangers?", []),
        ("Why must nothing ring, not even by the hives?", []),
        ("The bees are awake.", []),
    ],
)
def test_a_question_raises_its_topic_in_any_words(words: str, heard: list[str]) -> None:
    table, book = at("terrace")
    said = {"do": "say", "to": "anwick", "want": "know", "text": words}
    play = done(table, book, "thorin", words, acts=[said])
    assert [one.talk for one in play.done if isinstance(one, TalkHeard)] == heard
