"""Deaths and first deaths over several pulls, killing blows that no line names, parts of sums."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.agents.raid.demo_home import demo_nights

from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.book import Book
from ruleplay.agents.raid.tools.registry import run_tool


def told(tool: str, **args: str) -> tuple[Row, ...]:
    outcome = run_tool(demo_nights()[1].reports, tool, args)
    assert not outcome.problem
    return outcome.rows


def tally(measure: str, **args: str) -> tuple[Row, ...]:
    return told("get_tally", measure=measure, **args)


def test_who_died_and_who_died_first_is_counted_over_kills_as_well_as_wipes() -> None:
    deaths = [row for row in told("get_night_deaths") if row.get("fight")]
    ended = {row["fight"]: row["outcome"] for row in told("list_pulls")}
    assert {"kill", "wipe"} <= {ended[row["fight"]] for row in deaths}
    rows = tally("deaths")
    assert {row["name"]: row["deaths"] for row in rows if row["deaths"]} == Counter(
        row["player"] for row in deaths
    )
    first = {row["name"]: row["first_deaths"] for row in rows if row["first_deaths"]}
    assert first == Counter(row["player"] for row in deaths if row["first_of_pull"])
    spared = [row for row in tally("deaths", fights="1") if not row["deaths"]]
    assert spared, "who did not die is told too"


def test_the_first_death_of_each_pull_is_a_row_of_its_own() -> None:
    deaths = told("get_night_deaths")
    first = {row["fight"]: row["player"] for row in deaths if row.get("first_of_pull")}
    rows = tally("deaths", by="pull")
    assert {row["fight"]: row["first_death"] for row in rows if row["deaths"]} == {
        fight: who for fight, who in first.items() if fight
    }
    one = next(iter(first.values()))
    # Who died first did so before everybody, whoever is asked for.
    own = tally("deaths", by="pull", player_name=str(one))
    assert {row["fight"]: row["first_death"] for row in own} == {
        row["fight"]: row["first_death"] for row in rows
    }
    assert [row["name"] for row in tally("deaths", player_name=str(one))] == [one]


def test_deaths_of_a_part_of_pulls_are_those_within_it() -> None:
    whole = sum(int(str(row["deaths"])) for row in tally("deaths"))
    early = sum(int(str(row["deaths"])) for row in tally("deaths", part="0-30"))
    late = sum(int(str(row["deaths"])) for row in tally("deaths", part="30-"))
    assert (early > 0, late > 0, early + late) == (True, True, whole)


def test_item_levels_are_those_of_the_last_pull_and_say_which() -> None:
    pulls = [row["fight"] for row in told("list_pulls")]
    rows = tally("gear")
    assert {row["fight"] for row in rows} == {pulls[-1]}
    assert {row["fight"] for row in tally("gear", fights=f"{pulls[0]}-{pulls[1]}")} == {pulls[1]}


def test_killing_blows_are_inferred_where_the_client_logs_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = Book.habits.fget
    assert plain
    monkeypatch.setattr(Book, "habits", property(lambda book: {**plain(book), "logs_kills": False}))
    fight = str(told("list_pulls")[-1]["fight"])
    details = told("get_fight_details", fight_id=fight)
    killed = {row["player"]: row["killing_blows"] for row in details if row["killing_blows"]}
    rows = tally("kills", fights=fight)
    assert killed == {row["name"]: row["killing_blows"] for row in rows}
    assert killed


def test_what_shields_absorbed_stands_beside_the_healing_that_counts_it() -> None:
    shields = {row["name"]: row["absorbs"] for row in tally("absorbs")}
    healing = tally("healing")
    assert {row["name"]: row["absorbs"] for row in healing if row["absorbs"]} == shields
    assert all(int(str(row["absorbs"])) <= int(str(row["healing"])) for row in healing)
