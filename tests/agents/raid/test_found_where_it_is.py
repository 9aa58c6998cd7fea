"""What a tally hears of names and kinds, where else there is something, and what it leaves out."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_other_clients import nights, ran
from tests.agents.raid.test_what_logs_tell import ARENAS, ERA, GULCH, NAXX, tally
from tests.agents.raid.test_what_models_look_up import FRACTILLUS, night

from ruleplay.agents.raid.policy import printing, standing
from ruleplay.agents.raid.policy.looks import Look, looks_of, resolved
from ruleplay.agents.raid.policy.rows import Asked, tables_of
from ruleplay.agents.raid.state import ToolCalled, ToolReturned
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.telling.table import Table

pytestmark = pytest.mark.timeout(180)


def table(log: str, tool: str, **args: str) -> Table:
    outcome = run_tool(nights(log).reports, tool, args)
    called = ToolCalled(result="r1", tool=tool, args=dict(args))
    made = ToolReturned.of(called, outcome).model_copy(update={"rows": outcome.rows})
    return tables_of([made], night(log), Asked())[0]


@pytest.mark.parametrize("measure", ["cooldowns", "consumed"])
@pytest.mark.parametrize("kind", ["potions", "potion", "pots", "tempered potions"])
def test_a_kind_is_heard_however_it_is_written(measure: str, kind: str) -> None:
    (drunk,) = tally(FRACTILLUS, measure, ability=kind, fights="1")
    assert (drunk["ability"], drunk["at"]) == ("Tempered Potion", 57.2)


def test_where_uses_are_none_it_is_told_which_measure_has_some() -> None:
    note, *_ = ran(FRACTILLUS, "get_tally", measure="cooldowns", ability="flasks").notes
    assert note.startswith("Nothing here, but consumed has 7 (Flask of Tempered Aggression by Ba")
    assert note.endswith(", 4 more).")
    note, *_ = ran(FRACTILLUS, "get_tally", measure="cooldowns", ability="healthstones").notes
    assert note == "Nothing called so is in consumed or casts either."


def test_several_names_are_found_each_by_itself_and_pets_have_their_owners() -> None:
    said = {"measure": "taken", "ability": "Eruption", "fights": "5"}
    look = Look(tool="tally", player="aborto, Treant, shaaghun", measure="taken")
    (one,) = looks_of(look, night(NAXX).members)
    names = str(resolved(one)[1]["player_name"])
    rows = tally(NAXX, player_name=names, **said)
    assert [(row["name"], row["owner"]) for row in rows] == [
        *(("Aborto", "Lutoscs"), ("Treant", "Braisedbrain"), ("Shaaghun", "Nule"))
    ]
    some = ran(NAXX, "get_tally", player_name="aborto; nobodyhere; lutoscs", **said)
    assert [row["name"] for row in some.rows] == ["Aborto"]
    assert some.notes[0].startswith("Nobody called 'nobodyhere' is in report")
    assert some.notes[1] == "No row is of lutoscs: none of it is theirs."
    assert "'alike', 'nobodyhere'" in ran(NAXX, "get_tally", player_name="nobodyhere;alike").problem


def test_everyone_is_no_players_name() -> None:
    look = Look(tool="night_deaths", player="Everyone", pulls="1")
    assert resolved(look)[1] == {"fights": "1"}


def test_what_is_left_out_of_a_list_is_counted() -> None:
    cells = [row["abilities"] for row in tally(GULCH, "casts", by="player")]
    assert any(str(cell).count(", ") == 6 and " more" in str(cell) for cell in cells)


def test_dispels_say_that_failed_ones_are_not_among_them() -> None:
    said = "failed ones not counted as dispels"
    assert said in table(GULCH, "get_tally", measure="dispels").heading
    assert said not in table(GULCH, "get_tally", measure="dispels", by="cast").heading


def test_what_cannot_die_is_killed_once_and_not_by_every_hit() -> None:
    kills = tally(ERA, "kills", by="cast", target_name="STX-99/XD")
    assert [(row["name"], row["at"]) for row in kills] == [("Meerah-CrusaderStrike", 320.8)]


def test_both_tables_of_overhealing_say_whether_pets_are_in_it() -> None:
    for tool, said in (("get_tally", "in their owners'"), ("get_overheal_analysis", "not in")):
        args = {"measure": "overheal"} if tool == "get_tally" else {"fight_id": "1"}
        assert any(f"What pets healed is {said}" in one for one in ran(ERA, tool, **args).notes)


def test_rows_that_were_selected_are_counted_beside_those_there_are() -> None:
    there = table(NAXX, "get_roster", fights="1")
    name = str(there.rows[0][0])
    heading, _, *rows = printing.narrowed([there], [name], 2_000).split("\n")
    assert f"({len(there.rows)} rows, 1 of {name}" in heading
    assert len(rows) == 1


def test_no_death_is_later_than_the_end_of_its_pull() -> None:
    (pull,) = night(ARENAS).pulls[:1]
    died = [str(row["clock"]) for row in ran(ARENAS, "get_night_deaths", fights="1").rows]
    assert max(one for one in died if one != "None") <= standing.later(pull)
    assert standing.later(pull) in table(ARENAS, "get_night_deaths", fights="1").heading


def test_of_a_long_night_the_pulls_of_other_bosses_are_left_to_the_rows_of_all() -> None:
    whole = night(NAXX)
    pulls = tuple(
        whole.pulls[n % 3].model_copy(update={"fight": n + 1, "name": f"Boss {n // 8}"})
        for n in range(80)
    )
    long = whole.model_copy(update={"pulls": pulls})
    shown = standing.overview_table(long, (20,)).column("pull")
    assert shown == (*(f"pull {n}" for n in range(17, 25)), "pull 79", "pull 80")
    assert len(standing.overview_table(long).rows) == standing.LATEST
    every = tuple(range(1, 60))
    assert len(standing.overview_table(long, every).rows) == standing.PULLS


def test_of_an_evening_the_pulls_of_other_bosses_are_a_row_each() -> None:
    whole = night(NAXX)
    pulls = tuple(
        whole.pulls[0].model_copy(update={"fight": n, "name": f"Boss {n // 4}"})
        for n in range(1, 18)
    )
    evening = whole.model_copy(update={"pulls": pulls})
    assert standing.visits_table(evening) is None
    assert len(standing.overview_table(evening).rows) == len(pulls)
    shown = standing.overview_table(evening, (5,)).column("pull")
    assert shown == ("pull 4", "pull 5", "pull 6", "pull 7", "pull 16", "pull 17")
    others = standing.visits_table(evening, (5,))
    assert others
    assert others.column("boss") == tuple(f"Boss {n}" for n in range(5))
    assert others.column("pulls")[1] == "pulls 4-7"
    assert others.column("kills") == (3, 4, 4, 4, 2)
