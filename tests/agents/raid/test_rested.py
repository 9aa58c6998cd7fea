"""What the next question still knows of the answer before, and what of a night a prompt lists."""

from __future__ import annotations

import pytest
from tests.agents.raid.demo_home import demo_nights
from tests.agents.raid.test_rows import result, tables

from ruleplay.agents.raid.domain.overview import Night
from ruleplay.agents.raid.policy import rested, standing
from ruleplay.agents.raid.state import Answered, Finding, State
from ruleplay.telling.citing import Reader, Span


@pytest.fixture(scope="module")
def night() -> Night:
    found = demo_nights()[1].overview("", "").night
    assert found
    return found


BEFORE = (
    Finding(metric="healing", value=116_225, player="Oda", pull=3),
    Finding(metric="hps", value=410.5, player="Oda", pull=3),
    Finding(metric="healing", value=90_001, player="Bram", pull=3),
)


def test_what_is_cited_of_the_answer_before_is_there_for_the_one_after() -> None:
    table = rested.told_table(BEFORE)
    assert table
    spans = [Span(text="Oda healed 116,225", cites=("[r99.1]",))]
    again = rested.recalled(spans, [table], (), BEFORE)
    assert again == BEFORE[:2]
    answered = Answered(topics=("healing",), source="model", again=again)
    kept = State().apply(answered).told
    assert kept == again
    assert rested.told_table(kept) == table.model_copy(update={"rows": table.rows[:1]})


def test_the_result_of_a_formula_can_be_told_again(night: Night) -> None:
    hit = result("r1", "get_fight_details", fight_id="3")
    table = tables(night, hit)["r1"]
    place = table.place("damage_taken")
    assert place is not None
    total = sum(cell for cell in table.cells(place) if isinstance(cell, int))
    spans = [Span(text=f"all took {total:,}", cites=("[sum(r1.damage_taken)]",))]
    again = rested.recalled(spans, [table], [hit], ())
    assert [(one.metric, one.value, one.pull) for one in again] == [("computed", total, 3)]
    told = rested.told_table(again)
    assert told
    assert not Reader((told,)).judge(f"All of them took {total:,} on pull 3 [r99.1].").refused
    assert Reader((told,)).judge(f"All of them took {total + 7:,} [r99.1].").refused


def test_what_a_result_keeps_is_no_second_time_among_what_is_recalled(night: Night) -> None:
    hit = result("r1", "get_death_analysis", fight_id="3")
    found = tables(night, hit)
    spans = [Span(text="", cites=("[r1.1.killing_blow]", "[r103.1.damage_taken]"))]
    held = rested.findings_of(spans, [*found.values()], [hit])
    again = rested.recalled(spans, [*found.values()], [hit], ())
    assert [one.metric for one in held] == ["amount"]
    assert not {*held} & {*again}


def test_of_a_crowd_those_asked_about_come_first_and_few_are_listed(night: Night) -> None:
    member = night.members[0].model_copy(update={"pulls": ()})
    crowd = [member.model_copy(update={"name": f"N{at}"}) for at in range(60)]
    table = standing.people_table(night.model_copy(update={"members": tuple(crowd)}), (), ("N41",))
    assert (table.whose(1), len(table.rows), table.shown) == ("N41", 60, standing.CROWD)
    assert "48 more rows" in table.prompt()


def test_the_sides_of_a_single_match_are_named_from_who_is_hostile(night: Night) -> None:
    friend, foe, other = night.members[:3]
    foe, other = foe.model_copy(update={"foe": True}), other.model_copy(update={"pulls": ()})
    fought = {"pulls": night.pulls[:1], "members": (friend, foe, other)}
    match = night.model_copy(update=fought)
    table = standing.people_table(match)
    sides = {table.whose(at): side for at, side in enumerate(table.column("side"), 1)}
    names = [night.plain(one.name) for one in (friend, foe, other)]
    assert [sides[name] for name in names] == ["our side", "enemy", None]
    several = standing.people_table(match.model_copy(update={"pulls": night.pulls}))
    assert several.place("side") is None


def test_of_a_crowd_passers_by_are_left_out(night: Night) -> None:
    member = night.members[0].model_copy(update={"pulls": ()})
    crowd = [member.model_copy(update={"name": f"N{at}"}) for at in range(60)]
    there = member.model_copy(update={"name": "Oda", "pulls": (2,)})
    table = standing.people_table(night.model_copy(update={"members": (*crowd, there)}))
    assert [table.whose(at) for at in range(1, len(table.rows) + 1)] == ["Oda"]


def test_a_table_of_another_report_says_what_report_and_of_what_day(night: Night) -> None:
    codes = demo_nights()[1].reports.codes()
    other = next(code for code in codes if code != night.code)
    hit = result("r1", "get_night_deaths", report_code=other)
    table = tables(night, hit, titles={other: "Karazhan 5/21"})["r1"]
    assert table.heading.startswith(f"report {other} (Karazhan 5/21), all pulls")
