"""What players wish for at the table: wares, secrets, rests, healing, searching, orders, rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.agents.party.gatherings import laid
from tests.agents.party.test_consequences import printed
from tests.agents.party.test_improvising import done as performed
from tests.agents.party.test_improvising import fight, inn, kinds

from ruleplay.agents.party.adapters.srd_source import DATA
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import CoinChanged
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.memory import Line
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.nodes.gathering import canon_of
from ruleplay.agents.party.policy.parsing import understand
from ruleplay.agents.party.policy.picking import situation
from ruleplay.agents.party.policy.replies import looked_up
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.state import Happened, State
from ruleplay.agents.party.view import view
from ruleplay.story.acts import Reading

EVERYONE, SEATS = "*", 6


def done(
    table: Table, book: Book, *acts: dict[str, Any], seat: str = "thorin", message: str = ""
) -> TableTurn:
    """Return what acts of a seat bring about."""
    return performed(table, book, seat, message, acts=list(acts))


def rich(table: Table, copper: int = 500) -> Table:
    """Return a table whose purse holds something."""
    now = table.expedition.model_copy(update={"purse": copper})
    return table.model_copy(update={"expedition": now})


def order(item: str, **more: Any) -> dict[str, Any]:
    """Return words by which something is bought."""
    return {"do": "say", "to": "brenna", "want": "give", "item": item, "text": item, **more}


@pytest.mark.parametrize(("ware", "price"), [("ale", 4), ("a room", 50), ("corde", 100)])
def test_what_is_ordered_costs_its_price_and_is_no_begging(ware: str, price: int) -> None:
    table, book = inn()
    play = done(rich(table), book, order(ware))
    paid = [one.amount for one in play.done if isinstance(one, CoinChanged)]
    assert paid == [-price]
    assert not any(isinstance(one, h.Checked) for one in play.done)
    assert (play.table.cast.the("thorin").count("rope") > 0) == (ware == "corde")


@pytest.mark.parametrize(
    ("coin", "unit", "copper"), [(7, "silver", 70), (3, "copper", 3), (2, "", 200)]
)
def test_coin_is_paid_in_the_unit_in_which_it_is_counted(coin: int, unit: str, copper: int) -> None:
    table, book = inn()
    tip = {"do": "give", "to": "brenna", "coin": coin, "unit": unit, "text": "for the trouble"}
    assert done(rich(table), book, tip).table.expedition.purse == 500 - copper


def test_a_thing_without_a_price_costs_what_is_offered_for_it() -> None:
    table, book = inn()
    play = done(rich(table), book, order("a jar of pickled plums", coin=4, unit="silver"))
    assert play.table.expedition.purse == 460


def test_what_is_argued_about_is_paid_only_once_it_is_agreed_on() -> None:
    offer = {"do": "say", "to": "brenna", "approach": "bargain", "want": "help", "coin": 1}
    seen = set()
    for seed in range(12):
        table, book = inn(seed)
        play = done(rich(table), book, {**offer, "text": "A gold piece if you wait up for us"})
        (roll,) = [one for one in play.done if isinstance(one, h.Checked)]
        assert play.table.expedition.purse == (400 if roll.success else 500)
        seen.add(roll.success)
    assert seen == {True, False}


def test_what_the_purse_does_not_hold_is_told_with_its_price() -> None:
    table, book = inn()
    play = done(rich(table, 3), book, order("ale"))
    assert play.table.expedition.purse == 3
    assert "4 cp" in printed(table, play, book)
    told = tell_events(table, as_events(play), book).laid_out()
    assert any("declines" in getattr(one, "says", "") for one in told)


def test_everybody_brings_coin_for_a_drink_and_a_bed_but_for_nothing_that_heals() -> None:
    table, book = inn()
    state, _ = laid(rules=DATA.name)
    purse = state.table.expedition.purse
    assert purse == len(table.party) * book.rules.pocket_money > 0
    play = done(rich(table, purse), book, *[order("ale")] * 4)
    assert play.table.expedition.purse == purse - 4 * 4
    potions = [one.price for one in book.rules.items.values() if one.kind == "potion"]
    assert min(potions) > SEATS * book.rules.pocket_money


def test_arms_are_not_bought_at_an_inn_and_a_gift_of_nothing_is_never_coin() -> None:
    table, book = inn()
    for wish in (order("longsword"), order("", approach="charm"), order("")):
        play = done(rich(table), book, wish)
        assert play.table.expedition.purse == 500


def test_a_secret_deed_is_seen_by_its_seat_and_the_game_master_alone() -> None:
    table, book = inn()
    look = {"do": "check", "skill": "perception", "to": "jory", "text": "looks at his feet"}
    play = done(table, book, {**look, "secret": True})
    events = as_events(play)
    shown = [one for one in events if EVERYONE in one.audience]
    assert not [one for one in shown if type(one).__name__ in ("Did", "Checked", "EdgeGained")]
    told = tell_events(table, events, book)
    assert any("looks at his feet" in one.text for one in told.asides)
    assert all({*one.audience} == {"dm", "thorin"} for one in told.asides)
    assert not any("feet" in str(one) for one in told.laid_out())
    assert "Checked" in [type(one).__name__ for one in as_events(done(table, book, look))
                         if EVERYONE in one.audience]  # fmt: skip


def test_a_secret_search_keeps_what_it_finds_for_its_seat() -> None:
    for seed in range(8):
        table, book = inn(seed)
        now = table.expedition.model_copy(update={"scene": "sexton"})
        there = table.model_copy(update={"expedition": now})
        search = {"do": "pick", "item": "search", "secret": True, "text": "search"}
        play = done(there, book, search)
        for clue in play.table.expedition.clues:
            assert EVERYONE not in clue.audience


def shown_to(table: Table, book: Book, seat: str) -> str:
    """Return everything of a table that a seat's page, prompts and memory hold."""
    state = State(table=table, adventure="drowned-bell")
    page = json.dumps({**view(state, seat, book), "options": []}, indent=1)
    told = (*canon_of(table, seat, "ring"), *recalled(table, book, seat))
    return "\n".join((page, situation(table, book, seat), *told))


def folded(table: Table, play: TableTurn) -> Table:
    """Return the table as its events leave it."""
    for event in as_events(play):
        assert isinstance(event, Happened)
        table = table.apply(event)
    return table


def test_what_is_done_in_secret_is_remembered_and_shown_nowhere_but_at_its_seat() -> None:
    table, book = inn()
    talk = {"do": "say", "to": "brenna", "topic": "brenna-bell", "text": "the bell", "want": "know"}
    made = {
        "do": "check", "skill": "sleight-of-hand", "band": "sure", "text": "cuts the ring loose",
        "success": [
            {"kind": "detail", "text": "the ring hangs by a thread"},
            {"kind": "mark", "what": "snare", "text": "a ring of twine"},
        ],
    }  # fmt: skip
    told = 0
    for act in (talk, made):
        play = done(table, book, {**act, "secret": True})
        after = folded(table, play)
        assert after == play.table
        for seat in ("pell", "sunniva", "zephrine", "table"):
            before = shown_to(table, book, seat)
            new = [one for one in shown_to(after, book, seat).split("\n") if one not in before]
            assert not [one for one in new if "ring" in one or "bell" in one.casefold()], seat
            assert not view(State(table=after, adventure="drowned-bell"), seat, book)["dice"]
        told += "thread" in shown_to(after, book, "thorin")
        assert shown_to(after, book, "dm") != shown_to(table, book, "dm")
    assert told


@pytest.mark.parametrize(("seed", "felled"), [(0, True), (1, False)])
def test_a_secret_try_in_a_fight_is_its_seats_alone_but_for_what_others_suffer(
    seed: int, *, felled: bool
) -> None:
    table, book, seat = fight(seed)
    prone = {"kind": "condition", "what": "prone", "who": "giant-rat-1", "amount": 1}
    pulls = {"do": "check", "skill": "sleight-of-hand", "band": "easy", "to": "giant-rat-1",
             "text": "pulls under the water", "secret": True, "success": [prone]}  # fmt: skip
    so = {"text": "a rope lies under the water"}
    play = performed(table, book, seat, acts=[pulls], details=[so])
    assert not any("rope" in one for one in canon_of(play.table, "table", "rope"))
    told = tell_events(table, as_events(play), book)
    assert any("under the water" in one.text for one in told.asides)
    assert not any("under the water" in str(one) for one in told.laid_out())
    assert not any("water" in one for one in recalled(folded(table, play), book, "table"))
    seen = [one for one in as_events(play) if EVERYONE in one.audience]
    assert felled == any(getattr(one, "who", "") == "giant-rat-1" for one in seen)


def test_secret_words_to_a_companion_are_whispered() -> None:
    table, book = inn()
    words = {"do": "say", "to": "sunniva", "text": "I do not trust him", "secret": True}
    play = done(table, book, words, message="psst Sunniva, I do not trust him")
    heard = {one.audience for one in as_events(play) if "trust" in str(one)}
    assert heard
    assert all({*one} <= {"dm", "thorin", "sunniva"} for one in heard)
    for seat in ("sunniva", "pell"):
        knows = any("trust him" in one for one in recalled(folded(table, play), book, seat))
        assert knows == (seat == "sunniva")


@pytest.mark.parametrize(("to", "want", "settled"), [
    ("all", "help", False), ("all", "join", False), ("sunniva", "pass", False),
    ("goblins", "help", True), ("all", "pass", True),
])  # fmt: skip
def test_a_plan_for_companions_is_no_parley_with_who_waits(
    to: str, want: str, *, settled: bool
) -> None:
    state, book = laid(1, adventure="glass-orchard")
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.finish("dm")
    now = play.table.expedition.model_copy(update={"scene": "ditch", "met": ("goblins",)})
    table = play.table.model_copy(update={"expedition": now})
    plan = {"do": "say", "to": to, "text": "Next round I sneak round the back", "want": want}
    play = done(table, book, plan, message="Next round I sneak round the back")
    assert any(isinstance(one, h.Checked) for one in play.done) == settled


def test_words_with_the_keeper_of_a_secret_alone_are_nobody_elses() -> None:
    table, book = inn()
    now = table.expedition.model_copy(update={"scene": "mill"})
    table = table.model_copy(update={"expedition": now})
    keeper = next(one.who for one in now.secrets if one.secret == "debt")
    play = TableTurn(table, book)
    does = Exploration(act="talk", target="vask", topic="vask-debt")
    assert play.venture(keeper, does) is None
    after = folded(table, play)
    hint = "have a word with the miller alone"
    assert any(hint in one for one in recalled(after, book, keeper))
    # A table of an earlier release noted it for all: nobody else is reminded of it.
    note = Line(round=1, kind="talk", about="vask-debt", other=keeper)
    noted = {seat: kept.with_line(note) for seat, kept in after.memories.items()}
    for one in (after, after.model_copy(update={"memories": noted})):
        for seat in {*after.memories} - {keeper, "dm"}:
            assert not any(hint in line for line in recalled(one, book, seat))
    assert all("*" not in one.audience for one in as_events(play) if hasattr(one, "flag"))


def test_plain_search_finds_what_takes_eyes_and_says_in_the_story_when_nothing_is_left() -> None:
    table, book = inn()
    play = done(table, book, {"do": "pick", "item": "search", "text": "search"})
    assert "InVain" in kinds(play)
    assert not any(type(one).__name__ == "Refused" for one in play.done)


def held(table: Table, seat: str) -> Table:
    """Return a table at which a person holds a seat."""
    seats = {**table.seats, seat: table.seats[seat].model_copy(update={"by": "human"})}
    return table.model_copy(update={"seats": seats})


def hurt(table: Table, **hp: int) -> Table:
    """Return a table at which some are hurt."""
    cast = table.cast
    for who, left in hp.items():
        cast = cast.with_(who, hp=left)
    return table.model_copy(update={"cast": cast})


def test_a_persons_short_rest_spends_no_other_persons_dice() -> None:
    table, book = inn()
    table = hurt(held(held(table, "thorin"), "sunniva"), thorin=2, pell=1, sunniva=1)
    play = TableTurn(table, book)
    assert play.venture("thorin", Exploration(act="short_rest")) is None
    spent = {one.who for one in play.done if isinstance(one, h.HitDieSpent)}
    assert spent == {"thorin", "pell"}


def test_whoever_is_unhurt_is_told_that_no_die_was_spent() -> None:
    table, book = inn()
    table = held(table, "thorin")
    play = done(table, book, {"do": "pick", "item": "short_rest", "text": "short rest"})
    assert "no hit die" in printed(table, play, book)


def test_healing_the_unhurt_spends_nothing() -> None:
    table, book = inn()
    table = table.model_copy(update={"current_turn": "sunniva"})
    before = table.cast.the("sunniva").slots
    heal = {"do": "rule", "item": "cast", "with": "healing-word", "to": "sunniva", "text": "heal"}
    play = done(table, book, heal, seat="sunniva")
    assert play.table.cast.the("sunniva").slots == before
    assert any(getattr(one, "reason", "") == "not-hurt" for one in play.done)


def test_a_long_rest_comes_last_and_after_the_answers() -> None:
    table, book = inn()
    rest = {"do": "pick", "item": "long_rest", "text": "sleep"}
    play = done(table, book, rest, {"do": "say", "to": "pell", "text": "hang a bell on the door"})
    order_ = kinds(play)
    assert order_.index("SpokenTo") < order_.index("DayBroke")


def test_any_act_may_be_held_ready() -> None:
    table, book, seat = fight()
    ready = {"do": "check", "skill": "athletics", "when": "trigger", "text": "catch whoever falls"}
    play = done(table, book, ready, seat=seat)
    assert any(isinstance(one, t.EdgeGained) for one in play.done)
    assert any(isinstance(one, t.LeftUndone) and one.why == "ready" for one in play.done)
    assert not any(isinstance(one, h.Checked) for one in play.done)
    down = table.model_copy(update={"cast": table.cast.with_(seat, hp=0)})
    for act in (ready, {**ready, "when": "then"}):
        play = TableTurn(down, book)
        perform(play, seat, Reading.model_validate({"acts": [act]}))
        # Whoever lies dying does nothing, and means to do nothing later.
        assert [one.why for one in play.done if isinstance(one, t.InVain)] == ["not_able"]
        assert not [one for one in play.done if isinstance(one, t.LeftUndone)]
        assert not any(isinstance(one, t.EdgeGained | h.Checked) for one in play.done)


def test_a_move_that_does_not_happen_is_not_told_as_done() -> None:
    table, book, seat = fight()
    at = table.cast.the(seat).position
    near = (one.id for one in table.party if one.id != seat and abs(one.position - at) <= 5)
    play = done(table, book, {"do": "move", "to": next(near), "text": "step back"}, seat=seat)
    assert "InVain" in kinds(play)
    assert not any(isinstance(one, t.Did) for one in play.done)


def test_two_orders_of_one_message_come_out_alike() -> None:
    table, book = inn()
    message = "sunniva patch me up please. and pell go round the back"
    words = ({"do": "say", "to": "sunniva", "text": "patch me up please"},
             {"do": "say", "to": "pell", "text": "goes round the back"})  # fmt: skip
    play = done(table, book, *words, message=message)
    assert kinds(play).count("Spoke") == 2


@pytest.mark.parametrize(
    ("lang", "asked", "told", "untold"),
    [
        ("fr", "si Sunniva m'aide j'ai l'avantage ?", ("aider :", "avantage :", "classe clerc"),
         ("sort de niveau 2",)),
        ("fr", "le magicien peut me lancer un truc pour voler ?", ("voler", "classe magicien"),
         ("voleur", "perforant")),
        ("en", "could Zephrine do identify as a ritual", ("ritual:", "Zephrine, wizard"), ()),
        ("en", "what does sneak attack need", ("within 5 feet",), ()),
        ("en", "what does a rope cost here", ("1 gp",), ()),
    ],
)  # fmt: skip
def test_questions_of_rules_find_the_rule_and_who_is_named(
    lang: str, asked: str, told: tuple[str, ...], untold: tuple[str, ...]
) -> None:
    state, book = laid(lang=lang)
    said = looked_up(Consulted(seat="thorin", topic="rules", about=asked), state.table, book)
    assert [one for one in told if one not in said] == []
    assert [one for one in untold if one in said] == []


def test_without_a_model_a_ware_is_an_order_and_a_bracket_stays_private() -> None:
    table, book = inn()
    bought = understand("a bowl of soup", table, book, "thorin").acts
    assert [(one.do, one.want, one.item) for one in bought] == [("say", "give", "meal")]
    whispered = understand("(to the GM) is the ferryman lying to us?", table, book, "thorin").acts
    assert [(one.do, one.to, one.text) for one in whispered] == [
        ("whisper", "dm", "is the ferryman lying to us?")
    ]


def test_without_a_model_an_unknown_spell_casts_nothing_and_says_so() -> None:
    table, book = inn()
    reading = understand("cast fly", table, book, "zephrine")
    assert [(one.do, one.vain) for one in reading.acts] == [("vain", "not_able")]


def test_without_a_model_a_costly_question_is_asked_back() -> None:
    table, book = inn()
    assert understand("a long rest?", table, book, "thorin").question


def test_a_refusal_of_healing_is_in_words() -> None:
    from ruleplay.agents.party.policy.refusals import texts

    known: dict[str, Any] = {**texts("rules"), **texts("input")}
    assert {"not-hurt", "not_now", "paused"} <= {*known}
    assert Refusal(reason="not-hurt").reason in known
