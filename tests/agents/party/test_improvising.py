"""What readings bring about: never more than the bounds, whatever a model makes of the words."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import fighting, laid
from tests.agents.party.models import Able
from tests.samples import sample

from ruleplay.adversary.garble import Invention
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings.tale import InVain, LeftUndone, Yielded
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.invariants import broken_rules
from ruleplay.agents.party.domain.staging import roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.kernel.replay import replay
from ruleplay.story.acts import Reading, hopeless, problems
from ruleplay.story.texts import Text


def inn(seed: int = 1) -> tuple[Table, Book]:
    state, book = laid(seed)
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.finish("dm")
    return play.table, book


def fight(seed: int = 1) -> tuple[Table, Book, str]:
    state, book = laid(seed)
    table = fighting(state.table, book)
    return table, book, table.current_turn


def done(table: Table, book: Book, seat: str, message: str = "", **reading: object) -> TableTurn:
    play = TableTurn(table, book)
    perform(play, seat, Reading.model_validate(reading), message)
    assert not broken_rules(table, as_events(play), play.table, book)
    return play


def kinds(play: TableTurn) -> list[str]:
    return [type(one).__name__ for one in play.done]


def test_a_check_is_rolled_by_code_and_its_effects_come_within_bounds() -> None:
    table, book = inn()
    wished = [{"kind": "coin", "who": "brenna", "amount": 5_000}]
    act = {"do": "check", "skill": "persuasion", "band": "sure", "success": wished, "text": "begs"}
    play = done(table, book, "thorin", acts=[act])
    assert "Checked" in kinds(play)
    gained = play.table.expedition.purse - table.expedition.purse
    assert gained <= 200


@pytest.mark.parametrize(("approach", "asked"), [("provoke", 0), ("threaten", 0), ("plain", 3)])
def test_what_is_hurled_at_foes_is_put_to_no_companion(approach: str, asked: int) -> None:
    table, book, seat = fight()
    act = {"do": "say", "to": "all", "text": "Come and get it!", "approach": approach}
    told = kinds(done(table, book, seat, "Come and get it!", acts=[act]))
    assert told.count("SpokenTo") == asked
    assert told.count("Spoke") == 1


def test_a_deed_that_hangs_on_an_answer_is_kept_and_spends_nothing() -> None:
    table, book, seat = fight()
    acts = [
        {"do": "ask", "to": "rules", "text": "Do they strike as I go?"},
        {"do": "flourish", "when": "trigger", "text": "I walk out"},
    ]
    play = done(table, book, seat, "I walk out. Do they strike as I go?", acts=acts)
    assert kinds(play) == ["Consulted", "LeftUndone"]
    assert play.table.tale.undone(seat) == ("I walk out",)
    stays = {"do": "flourish", "text": "I stay put"}
    after = done(play.table, book, seat, "I stay put then", acts=[stays])
    assert not after.table.tale.undone(seat)
    assert after.table.cast.fight == table.cast.fight


def test_words_cost_nothing_and_quotes_are_spoken_as_they_were() -> None:
    table, book = inn()
    words = 'I nod. "Good evening to all of you."'
    act = {"do": "say", "to": "all", "text": "Good evening to all of you."}
    play = done(table, book, "thorin", words, acts=[act])
    assert kinds(play) == ["Spoke", "SpokenTo", "SpokenTo", "SpokenTo"]
    assert play.table.current_turn == "thorin"


def test_indirect_speech_is_told_and_not_put_into_a_mouth() -> None:
    table, book = inn()
    act = {"do": "say", "to": "brenna", "text": "asks about the beer", "want": "know"}
    play = done(table, book, "thorin", "I ask Brenna about her beer", acts=[act])
    assert kinds(play) == ["Did"]


def test_another_players_character_is_never_moved() -> None:
    table, book, seat = fight()
    other = next(one for one in table.characters if one != seat)
    act = {"do": "rule", "item": "attack", "to": other}
    play = done(table, book, seat, acts=[act])
    assert kinds(play) == ["InVain"]
    assert play.table.cast == table.cast


def test_what_follows_an_act_in_vain_is_done_and_said_all_the_same() -> None:
    table, book = inn()
    words = 'I win. "Good night, all of you." Then I go out.'
    acts = [
        {"do": "vain", "vain": "claims_outcome", "text": "wins"},
        {"do": "take", "item": "crown", "text": "takes it", "when": "if_success"},
        {"do": "say", "to": "all", "text": "Good night, all of you."},
        {"do": "move", "to": "causeway", "text": "goes out"},
    ]
    play = done(table, book, "thorin", words, acts=acts)
    assert kinds(play)[:2] == ["InVain", "Spoke"]
    assert play.table.expedition.scene == "causeway"
    left = [one for one in play.done if isinstance(one, LeftUndone)]
    assert [(one.texts, one.why) for one in left] == [(("takes it",), "vain")]
    assert play.table.tale.undone("thorin") == ()  # nobody means to do it any more


def test_one_wrong_id_costs_its_own_act_alone() -> None:
    table, book = inn()
    acts = [
        {"do": "rule", "item": "attack", "to": "a dragon", "text": "strikes the dragon"},
        {"do": "say", "to": "somebody gone", "text": "Is anybody there?", "topic": "none"},
        {"do": "check", "skill": "Athletics", "with": "rope of gold", "text": "climbs"},
        {"do": "check", "skill": "athletics", "to": "nobody", "text": "lifts the bench"},
    ]
    assert hopeless(Reading.model_validate({"acts": acts}), roster(table, book, "thorin")) == []
    play = done(table, book, "thorin", "Is anybody there?", acts=acts)
    assert [one.why for one in play.done if isinstance(one, InVain)] == ["not_here", "not_carried"]
    assert "Spoke" in kinds(play)
    assert "Checked" in kinds(play)


def test_nothing_sound_is_asked_for_again() -> None:
    table, book = inn()
    acts = [{"do": "rule", "item": "attack", "to": "a dragon", "text": "strikes"}]
    assert hopeless(Reading.model_validate({"acts": acts}), roster(table, book, "thorin"))


def test_a_seat_that_is_not_to_move_may_speak_and_do_nothing_else() -> None:
    table, book = inn()
    said = done(table, book, "pell", "Boo.", acts=[{"do": "say", "to": "all", "text": "Boo."}])
    assert {*kinds(said)} == {"Spoke", "SpokenTo"}
    acts = [
        {"do": "move", "to": "causeway", "text": "slips out"},
        {"do": "say", "to": "all", "text": "Nobody saw me."},
    ]
    went = done(table, book, "pell", 'I slip out. "Nobody saw me."', acts=acts)
    assert kinds(went)[0] == "Spoke"
    assert kinds(went)[-2:] == ["Refused", "LeftUndone"]
    assert went.table.expedition == table.expedition
    assert went.table.current_turn == table.current_turn
    # It is that seat's plan, which words in the meantime do not take away.
    more = done(went.table, book, "pell", "Boo.", acts=[{"do": "say", "to": "all", "text": "Boo."}])
    assert more.table.tale.undone("pell") == ("slips out",)


@pytest.mark.parametrize(("to", "numbers"), [("", [13, 16, 20]), ("brenna", [13, 16])])
def test_the_same_try_again_is_harder_and_on_somebody_then_refused(
    to: str, numbers: list[int]
) -> None:
    table, book = inn()
    act = {"do": "check", "skill": "athletics", "band": "medium", "text": "lifts the table"}
    act |= {"to": to} if to else {}
    dcs = []
    for _ in range(3):
        play = done(table, book, "thorin", acts=[act])
        dcs += [getattr(one, "dc", 0) for one in play.done if type(one).__name__ == "Checked"]
        table = play.table.model_copy(update={"current_turn": "thorin"})
    assert dcs == numbers
    vain = [one for one in play.done if isinstance(one, InVain)]
    assert [one.why for one in vain] == ["tried"] * (len(numbers) < 3)


def test_the_turn_follows_the_initiative_when_whoever_it_was_at_has_left() -> None:
    table, book, _ = fight()
    while table.current_turn != "dm":
        table = done(table, book, table.current_turn, acts=[{"do": "wait"}]).table
    flees = {"do": "rule", "item": "flee", "text": "runs"}
    check = {"do": "check", "skill": "athletics", "text": "strikes"}
    for _ in range(len(table.cast.fight.order) if table.cast.fight else 0):
        play = done(table, book, "dm", acts=[flees, check])
        fought = play.table.cast.fight
        if fought is None:
            break
        mover = fought.actor if fought.actor in play.table.characters else "dm"
        assert play.table.current_turn == mover
        table = play.table
        if mover != "dm":
            break


def test_the_dm_has_no_character_who_could_ask_somebody_along() -> None:
    table, book = inn()
    passed = TableTurn(table, book)
    for name in ("thorin", "pell", "sunniva", "zephrine"):
        if passed.table.current_turn == name:
            passed.finish(name, "passes")
    leading = passed.table
    assert leading.current_turn == "dm"
    play = done(leading, book, "dm", acts=[{"do": "follow", "to": "brenna", "text": "come"}])
    assert "InVain" in kinds(play)


def test_beasts_do_not_give_up_and_nobody_without_a_reason_does() -> None:
    table, book, seat = fight()
    foe = table.cast.foes_of(seat)[0].id
    act = {"do": "say", "to": foe, "approach": "threaten", "want": "yield", "text": "Down!"}
    play = done(table, book, seat, "Down!", acts=[act])
    assert "Unmoved" in kinds(play)
    assert "Checked" not in kinds(play)


def test_a_foe_that_is_spared_is_out_and_alive() -> None:
    table, book, seat = fight()
    foe = table.cast.foes_of(seat)[0]
    cast = table.cast.with_(foe.id, hp=1, ac=1, position=table.cast.the(seat).position)
    table = table.model_copy(update={"cast": cast})
    melee = next(one.key for one in cast.the(seat).attacks if one.reach)
    act = {"do": "rule", "item": "attack", "to": foe.id, "with": melee, "spare": True}
    play = done(table, book, seat, acts=[act])
    if any(getattr(one, "hit", False) for one in play.done):
        assert "Stabilised" in kinds(play)
        assert "Died" not in kinds(play)


def test_canon_takes_nothing_from_the_author() -> None:
    table, book = inn()
    details = [
        {"text": "Pell has a faded eel tattooed on her forearm"},
        {"text": "a golden key under the stair"},
    ]
    act = {"do": "flourish", "text": "rolls up his sleeve"}
    play = done(table, book, "thorin", acts=[act], details=details)
    assert [one.text for one in play.table.tale.canon] == []
    plain = [{"text": "an old sailor's tattoo of an eel"}]
    play = done(table, book, "thorin", acts=[act], details=plain)
    assert [one.text for one in play.table.tale.canon] == ["an old sailor's tattoo of an eel"]


def test_a_name_given_to_a_captive_and_what_one_says_one_does_are_not_turned_down() -> None:
    table, book = inn()
    rat = Text(en="giant rat", fr="rat géant")
    play = TableTurn(table, book)
    play.add(Yielded(who="giant-rat-9", captive=rat))
    act = {"do": "flourish", "text": "scratches its ears"}
    named = [{"text": "the giant rat is now called Biscuit"}]
    after = done(
        play.table, book, "thorin", "From now on you are Biscuit.", acts=[act], details=named
    )
    assert [one.text for one in after.table.tale.canon] == ["the giant rat is now called Biscuit"]
    says = "I give Pell the end of the leash and scratch the rat's ears."
    held = [{"text": "Pell has the end of the leash"}]
    after = done(play.table, book, "thorin", says, acts=[act], details=held)
    assert "Refused" not in kinds(after)
    rich = [{"text": "the rat is worth a great treasure of gold"}]
    after = done(
        play.table, book, "thorin", "The rat is worth a treasure.", acts=[act], details=rich
    )
    assert not after.table.tale.canon


def test_what_somebody_was_talked_into_giving_costs_nothing_that_was_not_offered() -> None:
    ask = {"do": "say", "to": "brenna", "want": "give", "item": "curtain ring", "approach": "charm"}
    given = 0
    for seed in range(1, 9):
        table, book = inn(seed)
        rich = table.expedition.model_copy(update={"purse": 1000})
        table = table.model_copy(update={"expedition": rich})
        play = done(table, book, "thorin", acts=[{**ask, "text": "May I have that ring?"}])
        given += "KeepsakeGained" in kinds(play)
        assert "CoinChanged" not in kinds(play)
    assert given


def test_a_person_is_asked_before_a_fight_is_decided() -> None:
    state, book = laid(1, humans=["zephrine"])
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.venture("thorin", Exploration(act="go", target="causeway"))
    fought = play.table.cast.fight
    assert fought
    party = [who for who in fought.order if who in play.table.characters and who != fought.actor]
    assert "zephrine" in (fought.actor, party[0])
    assert fought.owed in (("zephrine",), ())


@settings(max_examples=sample(40, 150), deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_hostile_readings_break_no_promise(seed: int, in_fight: bool) -> None:
    rng = Random(seed)
    if in_fight:
        table, book, seat = fight(seed % 5)
    else:
        table, book = inn(seed % 5)
        seat = "thorin"
    known = roster(table, book, seat)
    tokens = [
        *known.beings, *known.seats, *known.options, *known.rules, *known.ways, *known.items,
        *known.topics, *known.skills, *known.clues, "prone", "up", "down", "the king is dead",
        "a golden crown", "all", "dm", "help", "rules",
    ]  # fmt: skip
    for _ in range(3):
        made = Invention(rng, Reading.model_json_schema(), tokens).value()
        try:
            reading = Reading.model_validate(made)
        except ValueError:
            continue
        if problems(reading, known):
            continue
        play = TableTurn(table, book)
        perform(play, seat, reading, json.dumps(made)[:200])
        assert not broken_rules(table, as_events(play), play.table, book)
        earned = play.table.expedition.purse - table.expedition.purse
        assert earned <= 400 or any(type(one).__name__ == "TalkHeard" for one in play.done)
        table = play.table
        if table.current_turn != seat or table.mode == "ended":
            return


async def test_a_companion_answers_once_what_it_was_told_twice(room: Open) -> None:
    """Two questions to one role side by side could be answered in another order than asked."""
    said = "Pell, do you see it? Pell, do you hear it?"
    acts = [
        {"do": "say", "to": "pell", "text": "Pell, do you see it?"},
        {"do": "say", "to": "pell", "text": "Pell, do you hear it?"},
    ]
    model = Able({said: {"acts": acts}})
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        await session.turn(said, seat="thorin")
        asked = [text for role, text in model.asked if role == "party.pell.answer"]
        assert (await replay(session.host, session.id)).identical
    (once,) = asked
    assert "do you see it" in once
    assert "do you hear it" in once
