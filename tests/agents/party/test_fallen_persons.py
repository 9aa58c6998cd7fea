"""Persons whose character falls or dies: what they hear, what they can do, what goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agents.party.gatherings import Room, fighting, laid
from tests.agents.party.heroes import BOOK, hero, of
from tests.agents.party.test_improvising import done, inn, kinds

from ruleplay.agents.party.agent import AGENT
from ruleplay.agents.party.domain.admission import admit
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings.table import Consulted, SeatHeld
from ruleplay.agents.party.domain.intended import Beat
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.harm import Hurt, deal, heal
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.nodes.telling import struck_down
from ruleplay.agents.party.policy.answers import answer_of
from ruleplay.agents.party.policy.picking import beat_problems, situation
from ruleplay.agents.party.policy.replies import looked_up
from ruleplay.agents.party.policy.telling import Telling
from ruleplay.agents.party.state import Draft, State
from ruleplay.kernel.autoplay import Pace, play_on
from ruleplay.kernel.replay import replay
from ruleplay.records.given import Given
from ruleplay.records.turns import whole_reply

SEAT = "pell"


def held(table: Table, *seats: str) -> Table:
    for seat in seats or (SEAT,):
        table = table.apply(SeatHeld(seat=seat, by="human"))
    return table


def slain(table: Table, seat: str = SEAT) -> Table:
    return table.apply(h.Died(who=seat))


def at_the_inn() -> tuple[Table, Book]:
    table, book = inn()
    return held(table), book


def state_of(table: Table) -> State:
    return laid()[0].model_copy(update={"table": table})


def question(about: str, topic: str = "rules") -> Consulted:
    return Consulted.model_validate({"seat": SEAT, "topic": topic, "about": about, "asked": True})


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_whoever_dies_hears_what_is_still_open_to_them(lang: str) -> None:
    before, book = at_the_inn()
    before = before.model_copy(update={"lang": lang})
    told = [*struck_down(before, Telling(slain(before), book))]
    assert [SEAT in one.audience for one in told] == [True]
    assert {*told[0].audience} == {"dm", SEAT}
    undo, passing = ("`/undo`", "`/pass`") if lang == "en" else ("`/annuler`", "`/passe`")
    assert undo in told[0].text
    assert passing in told[0].text
    assert all(name in told[0].text for name in ("Thorin", "Sunniva", "Zephrine"))
    assert not [*struck_down(slain(before), Telling(slain(before), book))]  # once only


def test_with_another_person_nothing_can_be_taken_back_and_the_table_does_not_wait() -> None:
    before, book = at_the_inn()
    before = held(before, "thorin")
    told = [*struck_down(before, Telling(slain(before), book))]
    assert "`/undo`" not in told[0].text
    assert "`/pass`" not in told[0].text
    assert "free one: Sunniva, Zephrine" in told[0].text
    assert not slain(before).onlookers


def test_whoever_goes_down_hears_how_dying_goes() -> None:
    before, book = at_the_inn()
    down = before.apply(h.Fell(who=SEAT))
    down = down.model_copy(update={"cast": down.cast.with_(SEAT, hp=0)})
    told = [*struck_down(before, Telling(down, book))]
    assert len(told) == 1
    assert "three failures are death" in told[0].text


def test_the_table_waits_for_the_word_of_whoever_looks_on() -> None:
    table, _ = at_the_inn()
    assert AGENT.next_move(state_of(table)) is not None
    move = AGENT.next_move(state_of(slain(table)))
    assert move is not None
    assert (move.seat, move.waits) == (SEAT, True)
    assert AGENT.next_move(state_of(slain(held(table, "thorin")))) != move


@pytest.mark.parametrize(
    ("given", "round_"),
    [
        (Given(message="/pass"), True),
        (Given(message="wait."), True),
        (Given(action={"do": "pass"}), True),
        (Given(action={"do": "round"}), True),
        (Given(message="what do the others do with my body?"), False),
    ],
)
def test_passing_lets_the_others_play_a_round_and_a_question_does_not(
    given: Given, *, round_: bool
) -> None:
    table, book = at_the_inn()
    table = slain(table)
    assert admit(table, book, SEAT, given.message, given.action) is None
    draft = Draft(before=state_of(table), given=given, seat=SEAT)
    assert draft.plays_on is round_
    assert draft.by_hand is not round_
    alive = Draft(before=state_of(held(table, "thorin")), given=Given(message="/pass"), seat=SEAT)
    assert alive.by_hand


def test_the_dead_have_no_options_and_no_pace_and_are_in_no_spotlight() -> None:
    table, book = at_the_inn()
    assert choices(table, book, SEAT)
    dead = slain(table)
    assert not choices(dead, book, SEAT)
    line = next(one for one in situation(dead, book, "dm").split("\n") if f"({SEAT})" in one)
    assert "ft a turn" not in line
    assert "dead" in line
    shown = Beat(do="spotlight", who=SEAT, text="What do you do?")
    assert not beat_problems([shown], table, book)
    assert beat_problems([shown], dead, book)


def test_the_help_of_the_dead_offers_no_deeds() -> None:
    table, book = at_the_inn()
    told = looked_up(question("What can I do now?", "help"), slain(table), book)
    assert "sit down at a free one" in told
    assert "still to come" not in told
    assert "could" not in told.replace("could not", "")


@pytest.mark.parametrize(
    "asked",
    [
        "if I fall here, what happens to me by the rules?",
        "What becomes of me if they beat me down?",
        "suppose I bleed out, what then?",
        "is there anything after zero?",
        "Que se passe-t-il si je m'effondre ?",
    ],
)
def test_in_a_fight_the_rule_of_dying_is_among_the_facts(asked: str) -> None:
    state, book = laid(lang="fr" if asked.startswith("Que") else "en")
    facts = answer_of([question(asked)], fighting(state.table, book), book).facts
    rule = book.rules.glossary["dying"].text.of(state.table.lang)
    assert any(rule in one for one in facts)
    assert any("Pell" in one and "9" in one for one in facts)  # how it stands


def test_healing_clears_death_saves_and_far_more_than_all_kills_at_once() -> None:
    play = Play(Cast(creatures=(hero("rogue", hp=4, max_hp=9),), dice_seed="1"), BOOK)
    who = play.cast.creatures[0].id
    deal(play, who, [Hurt(5, "slashing")])
    deal(play, who, [Hurt(3, "slashing")], critical=True)
    assert play.the(who).failed == 2
    heal(play, who, 1)
    assert (play.the(who).failed, play.the(who).passed) == (0, 0)
    deal(play, who, [Hurt(2, "slashing")])
    deal(play, who, [Hurt(3, "slashing")])
    assert (play.the(who).failed, play.the(who).dead) == (1, False)
    heal(play, who, 1)
    deal(play, who, [Hurt(10, "slashing")])
    assert play.the(who).dead
    assert [one.why for one in of(tuple(play.happened), h.Died)] == ["massive"]


async def test_a_question_of_whoever_looks_on_sets_nothing_off_and_passing_plays_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = at_the_inn()
    monkeypatch.setattr(type(AGENT), "new", lambda *_: state_of(slain(table)))
    room = Room(tmp_path)
    await room.lay()
    before = await room.state()
    asked = await room.says("Question: am I dead for good?", SEAT)
    assert "sit down at a free one" in whole_reply(asked, SEAT)
    async with room.session() as session:
        async for step in play_on(session.host, room.id, Pace(rounds=6)):
            assert (step.stage, step.seat) == ("waiting", SEAT)
            break
    assert (await room.state()).table.round == before.table.round
    round_ = await room.says("/pass", SEAT)
    acted = {event["seat"] for event in round_.events if event["type"] == "Acted"}
    assert len(acted) > 1
    assert SEAT not in acted
    assert whole_reply(round_, SEAT)
    async with room.session() as session:
        async for step in play_on(session.host, room.id, Pace(rounds=6, patience=0)):
            if step.turn:  # after a while without a word, it goes on by itself
                assert step.turn.seat == SEAT
                break


def test_the_dead_say_and_do_nothing_and_are_told_what_they_can_do() -> None:
    table, book = at_the_inn()
    acts = [
        {"do": "say", "text": "Avenge me!", "to": "thorin"},
        {"do": "take", "item": "spoon", "text": "takes a spoon"},
        {"do": "pick", "item": "go:causeway"},
    ]
    play = done(slain(table), book, SEAT, acts=acts)
    assert {*kinds(play)} == {"Consulted"}
    assert play.table.expedition.scene == table.expedition.scene


@pytest.mark.parametrize(
    ("lang", "asked"),
    [
        ("en", "How badly am I hurt when I fall from the roof?"),
        ("en", "what does a fall of 20 feet cost me?"),
        ("fr", "si je tombe du toit, combien de dégâts ?"),
    ],
)
def test_a_fall_from_a_height_has_its_rule_still(lang: str, asked: str) -> None:
    state, book = laid(lang=lang)
    now = state.table.expedition.model_copy(update={"scene": "inn", "begun": True})
    table = state.table.model_copy(update={"expedition": now})
    assert book.rules.glossary["fall"].text.of(table.lang) in looked_answer(table, book, asked)


def looked_answer(table: Table, book: Book, asked: str) -> str:
    return str(answer_of([question(asked)], table, book).passage)


def dying_in_a_fight() -> Table:
    state, book = laid()
    table = held(fighting(state.table, book), SEAT)
    table = table.apply(h.Fell(who=SEAT))
    cast = table.cast.with_(SEAT, hp=0)
    return table.model_copy(update={"cast": cast})


@pytest.mark.parametrize("words", ["“Pell... no. Leave me.”", "/say Leave me."])
async def test_the_words_of_the_dying_are_heard_and_the_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    table = dying_in_a_fight()
    assert SEAT in table.onlookers
    monkeypatch.setattr(type(AGENT), "new", lambda *_: state_of(table))
    room = Room(tmp_path)
    await room.lay()
    turn = await room.says(words, SEAT)
    kinds_ = [event["type"] for event in turn.events]
    said = next(at for at, kind in enumerate(kinds_) if kind in ("Spoke", "Did"))
    acted = [event["seat"] for event in turn.events if event["type"] == "Acted"]
    assert said < kinds_.index("Acted")
    assert len(acted) > 1
    assert SEAT not in acted
    async with room.session() as session:
        assert (await replay(session.host, session.id)).identical


def test_the_dying_do_nothing_more() -> None:
    table = dying_in_a_fight()
    _, book = laid()
    blow = {"do": "rule", "item": "attack", "to": "giant-rat-1", "text": "strikes"}
    play = done(table, book, SEAT, acts=[blow])
    assert "InVain" in kinds(play)
    assert "AttackRolled" not in kinds(play)
    assert play.table.current_turn == table.current_turn
