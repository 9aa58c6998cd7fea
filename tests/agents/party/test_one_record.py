"""One record of what is kept, tried, paid and heard, and a player's correction of it."""

from __future__ import annotations

import pytest
from tests.agents.party.test_improvising import done, inn, kinds

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration.acts import exits
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.creatures import Checked
from ruleplay.agents.party.domain.remembering import worth_remembering
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.policy.report import tell_events

FEATHER, LONGER = "grey feather", "grey feather with a white tip"


def rich() -> tuple[Table, Book]:
    """Return a table whose purse holds a gold piece."""
    table, book = inn()
    purse = table.expedition.model_copy(update={"purse": 100})
    return table.model_copy(update={"expedition": purse}), book


def test_what_is_taken_is_not_kept_a_second_time_under_a_longer_name() -> None:
    table, book = inn()
    takes = {"do": "take", "item": FEATHER, "text": "picks up a grey feather"}
    details = [{"kind": "keepsake", "text": LONGER}]
    play = done(table, book, "thorin", "I pick it up", acts=[takes], details=details)
    assert [one.text for one in play.table.tale.keepsakes] == [FEATHER]


def test_a_correction_takes_a_trifle_off_the_record_and_prints_no_sheet() -> None:
    table, book = inn()
    takes = {"do": "take", "item": FEATHER, "text": "picks up a grey feather"}
    had = done(table, book, "thorin", acts=[takes]).table
    had = had.model_copy(update={"current_turn": "thorin"})
    says = {"do": "meta", "meta": "correct", "item": "feather", "text": "there was no feather"}
    play = done(had, book, "thorin", acts=[says])
    assert not play.table.tale.keepsakes
    told = tell_events(had, as_events(play), book)
    assert FEATHER in str(told.blocks)
    other = done(had, book, "thorin", acts=[{**says, "item": "", "text": "I am inside!"}])
    (asked,) = [one for one in other.done if isinstance(one, p.Consulted)]
    assert (asked.topic, asked.asked, asked.about) == ("scene", True, "I am inside!")
    assert other.table.tale.keepsakes


def test_what_is_said_about_the_rules_is_answered_and_not_listed() -> None:
    table, book = inn()
    says = {"do": "meta", "meta": "rules_talk", "text": "Pell has the boat"}
    (asked,) = [
        one for one in done(table, book, "thorin", acts=[says]).done if isinstance(one, p.Consulted)
    ]
    assert asked.asked


@pytest.mark.parametrize(("who", "kind"), [("pell", "failed"), ("thorin", "did")])
def test_only_ones_own_roll_for_a_deed_says_that_it_was_in_vain(who: str, kind: str) -> None:
    table, book = inn()
    tries = {"do": "check", "skill": "athletics", "band": "extreme", "text": "lifts the whole bar"}
    rolled = (one for one in done(table, book, "thorin", acts=[tries]).done)
    (check,) = [one for one in rolled if isinstance(one, Checked)]
    failed = check.model_copy(update={"success": False, "who": "pell"})
    deed = t.Did(who=who, text="lifts the whole bar", tries=True)
    (line,) = worth_remembering((deed, failed), lambda _: "")
    assert line.kind == kind


def test_who_listens_at_a_way_hears_who_is_there() -> None:
    table, book = inn()
    way = exits(table.expedition, book.story)[0].to
    act = {"do": "check", "skill": "perception", "band": "sure", "to": way, "text": "listens there"}
    play = done(table, book, "thorin", acts=[act])
    (heard,) = [one for one in play.done if isinstance(one, t.Overheard)]
    assert heard.scene == way
    beats = tell_events(table, as_events(play), book).laid_out()
    assert book.story.scenes[way].name.of("en") in str(beats)
    assert play.table.expedition.scene == table.expedition.scene


def test_a_wager_is_taken_up_and_takes_no_time_when_it_is_lost() -> None:
    table, book = rich()
    dice = {
        "do": "check",
        "skill": "dex",
        "band": "extreme",
        "to": "jory",
        "coin": 1,
        "unit": "silver",
        "text": "casts the dice against him",
    }
    play = done(table, book, "thorin", acts=[dice])
    assert "TimeSpent" not in kinds(play)
    assert "PersonActs" in kinds(play)
    assert "wager" in str(tell_events(table, as_events(play), book).laid_out())


def test_a_payment_says_to_whom_and_what_for() -> None:
    table, book = rich()
    gives = {"do": "give", "to": "jory", "coin": 1, "unit": "silver", "text": "pays what was lost"}
    play = done(table, book, "thorin", acts=[gives])
    laid = tell_events(table, as_events(play), book).laid_out()
    says = [one.says for one in laid if not isinstance(one, str)]
    assert [one for one in says if "pays Old Jory" in one and "pays what was lost" in one]


def test_a_murmur_to_several_companions_is_for_them_alone() -> None:
    table, book = inn()
    says = {
        "do": "say",
        "to": "pell, thorin",
        "secret": True,
        "want": "truce",
        "text": "Hands off.",
    }
    play = done(table, book, "sunniva", "Hands off.", acts=[{**says, "secret": True}])
    (whisper,) = [one for one in play.done if isinstance(one, p.Whispered)]
    assert (whisper.to, whisper.sign) == (("pell", "thorin"), False)
    assert [one.seat for one in play.table.tale.orders] == ["pell", "thorin"]
