"""A model looks at several players, a class or a role at once, and reads who was there in words."""

from __future__ import annotations

from itertools import groupby

import pytest
from tests.agents.raid.demo_home import demo_nights
from tests.agents.raid.test_answered_numbers import NAXX

from ruleplay.agents.raid.adapters.nights import Nights
from ruleplay.agents.raid.domain.overview import Member, Night
from ruleplay.agents.raid.policy import rested, rows
from ruleplay.agents.raid.policy.looks import BadLook, Look, looks_of, narrowing, resolved
from ruleplay.agents.raid.state import ToolCalled, ToolReturned
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.telling.tags import Cited

PEOPLE = (
    Member(name="Aria-Realm", class_name="Mage", role="damage"),
    Member(name="Oda", class_name="Mage", role="damage"),
    Member(name="Bram", class_name="Priest", role="healer"),
    Member(name="Cleo", class_name="Druid", role="healer"),
)


@pytest.mark.parametrize(
    ("player", "meant"),
    [
        ("mages", "Aria; Oda"),
        ("healers", "Bram; Cleo"),
        ("Aria and Bram", "Aria; Bram"),
        ("the druid", "Cleo"),
        ("Nobody", "Nobody"),
    ],
)
def test_a_tally_is_of_all_whom_a_look_names(player: str, meant: str) -> None:
    (look,) = looks_of(Look(tool="tally", player=player), PEOPLE)
    assert resolved(look)[1]["player_name"] == meant


def test_a_pull_is_one_of_the_pulls_for_a_tool_that_takes_several() -> None:
    tally = {"tool": "tally", "measure": "damage"}
    assert resolved(Look.model_validate({**tally, "pull": "6"}))[1]["fights"] == "6"
    both = {**tally, "pull": "6", "pulls": "5-8"}
    assert resolved(Look.model_validate(both))[1]["fights"] == "5-8"
    one = Look(tool="ability_breakdown", player="Aria", pulls="3")
    assert resolved(one)[1]["fight_id"] == "3"


def test_a_list_with_commas_is_of_each_and_a_title_is_of_one() -> None:
    spells = Look(tool="tally", measure="casts", by="cast", ability="Vanish, Blind")
    assert resolved(spells)[1]["ability"] == "Vanish; Blind"
    foes = Look(tool="tally", measure="damage", target="Bomb, Orm, the Elder")
    assert resolved(foes)[1]["target_name"] == "Bomb; Orm, the Elder"


def test_a_tool_of_one_player_is_asked_for_each_and_one_of_all_chooses_rows() -> None:
    each = looks_of(Look(tool="ability_breakdown", player="mages"), PEOPLE)
    assert [look.player for look in each] == ["Aria", "Oda"]
    (whole,) = looks_of(Look.model_validate({"tool": "fight_details", "class": "mage"}), PEOPLE)
    assert narrowing(whole) == ("Aria|Oda",)
    (once,) = looks_of(Look(tool="activity_report", player="mages"), PEOPLE)
    assert resolved(once) == ("get_activity_report", {})
    assert narrowing(once) == ("Aria|Oda",)
    many = [Member(name=f"Mage{n}x", class_name="Mage") for n in range(6)]
    (rows,) = looks_of(Look(tool="ability_breakdown", player="mages"), many)
    assert len(narrowing(rows)[0].split("|")) == 6
    with pytest.raises(BadLook, match="name up to 4"):
        looks_of(Look(tool="my_performance", player="mages"), many)


def test_hits_are_told_one_by_one_where_they_are_few() -> None:
    reports = demo_nights()[1].reports
    every = run_tool(reports, "get_tally", {"measure": "damage", "by": "cast"})
    assert "narrow it" in every.problem
    few = {"measure": "taken", "by": "cast", "part": "0-20", "fights": "2"}
    hits = run_tool(reports, "get_tally", few).rows
    sums = run_tool(reports, "get_tally", few | {"by": "player"}).rows
    assert sum(int(str(one["damage_taken"])) for one in hits) == sum(
        int(str(one["damage_taken"])) for one in sums
    )
    assert [one["at"] for one in hits] == sorted(float(str(one["at"])) for one in hits)
    assert "crits by cast" in run_tool(reports, "get_tally", few | {"measure": "crits"}).problem


def test_of_two_who_are_compared_both_stand_among_the_first_rows() -> None:
    _, nights = demo_nights()
    seen = [one.name for one in nights.overview("", "").night.members if one.role == "damage"]  # type: ignore[union-attr]
    pair = {"player_a": seen[0], "player_b": seen[1], "fight_id": "2"}
    details = run_tool(nights.reports, "compare_players", pair).rows[2:]
    assert {row["player"] for row in details[:4]} == {*seen[:2]}
    abilities = [row["ability"] for row in details]
    assert [*dict.fromkeys(abilities)] == [one for one, _ in groupby(abilities)]


def test_who_was_there_is_read_in_words() -> None:
    row = {"fights": [1, 2, 3, 7], "roles": ["damage", "damage", "tank", "damage"]}
    told = {"fights": "pulls 1-3, 7", "roles": "damage on 1-2, 7, tank on 3"}
    assert rows._attendance(row) == told
    assert rows._attendance({"fights": [2], "roles": ["tank"]})["roles"] == "tank"


@pytest.mark.timeout(120)
def test_what_was_told_before_keeps_whose_it_was(naxx: Nights, naxx_night: Night) -> None:
    args = {"measure": "casts", "by": "cast", "ability": "Heroism", "report_code": naxx_night.code}
    called = ToolCalled(result="r1", tool="get_tally", args=args)
    returned = ToolReturned.of(called, run_tool(naxx.reports, "get_tally", args))
    (table,) = rows.tables_of([returned], naxx_night, rows.Asked())
    at = table.place("at")
    assert at is not None
    (finding,) = [rested._finding(Cited(table, 1, at), returned)]
    assert finding
    assert "Pingu" in f"{finding.player} {finding.aspect}"


@pytest.fixture(scope="module")
def naxx() -> Nights:
    from tests.agents.raid.test_answered_numbers import nights

    return nights(NAXX)


@pytest.fixture(scope="module")
def naxx_night(naxx: Nights) -> Night:
    night = naxx.overview("", naxx.reports.codes()[0]).night
    assert night
    return night
