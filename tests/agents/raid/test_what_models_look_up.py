"""What a model is told beside the sums: casts on the dying, killers, floors, sides, room."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_other_clients import nights, ran
from tests.agents.raid.test_what_logs_tell import ARENA, ERA, TORGHAST, tally

from ruleplay.agents.raid import nodes
from ruleplay.agents.raid.domain.overview import Night
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy import printing, standing
from ruleplay.agents.raid.policy.looks import Look, looks_of, resolved
from ruleplay.agents.raid.policy.rows import Asked, tables_of
from ruleplay.agents.raid.state import Shown, ToolCalled, ToolReturned

DUEL, SHUFFLE = "tbc_2.5.1_arena.txt", "retail_12.0_arena_round.txt"
FRACTILLUS = "retail_12.0_raid_fractillus_kill.txt"

pytestmark = pytest.mark.timeout(180)


def night(log: str) -> Night:
    found = nights(log).overview("", "").night
    assert found
    return found


def dead(log: str) -> dict[str, Row]:
    return {str(row["player"]): row for row in ran(log, "get_death_analysis", fight_id="1").rows}


def test_what_their_own_side_cast_on_the_dying_is_told_also_where_it_came_too_late() -> None:
    (died,) = dead(ERA).values()
    assert died["casts_on_them"] == ["Lifebloom by Giefwater-CrusaderStrike 0.2 s before"]
    # Both fell to shocks, which are no help.
    assert [row["casts_on_them"] for row in dead(DUEL).values()] == [[], []]


def test_whom_the_log_itself_names_as_the_killer_is_not_inferred() -> None:
    found = ran(ARENA, "get_night_deaths", fights="1")
    (died,) = (row for row in found.rows if "player" in row)
    assert str(died["credited_to"]).startswith("Selenamilky")
    assert any("not inferred" in note for note in found.notes)
    assert str(*(row["credited_to"] for row in dead(ARENA).values())).startswith("Selenamilky")
    other = ran(ERA, "get_night_deaths", fights="1")
    assert not any("credited_to" in row for row in other.rows)
    assert not any("credited_to" in note for note in other.notes)


def test_several_floors_stand_for_a_pull_and_deaths_are_counted_by_floor() -> None:
    apart = [tally(TORGHAST, "damage", fights=f"floor {floor}") for floor in (1, 2)]
    (both,) = (
        row for row in tally(TORGHAST, "damage", fights="floors 1-2") if "Mael" in row["name"]
    )
    each = [row["total_damage"] for rows in apart for row in rows if "Mael" in row["name"]]
    assert both["total_damage"] == sum(each) > 0
    fell = tally(TORGHAST, "deaths", by="floor")
    assert [(row["name"], row["deaths"]) for row in fell] == [
        (f"floor {n}", 0) for n in range(1, 7)
    ]


def test_a_pull_of_a_log_without_pulls_is_no_zero_and_told_what_to_name_instead() -> None:
    found = ran(TORGHAST, "get_night_deaths", fights="3")
    assert not found.absent
    assert "'everything'" in found.problem
    assert "'floors 1-3'" in found.problem
    lacking = ran(TORGHAST, "get_night_deaths", fights="floor 9")
    assert lacking.absent
    assert "floor 6" in lacking.problem


def test_pets_of_a_match_are_on_the_side_of_their_owners() -> None:
    sides = {
        side: {row["name"] for row in tally(SHUFFLE, "casts", by="cast", player_name=side)}
        for side in ("our side", "enemies")
    }
    assert {"Törpe", "Törpi"} <= sides["enemies"]
    assert not {"Törpe", "Törpi"} & sides["our side"]


def test_one_cast_on_many_at_once_is_one_row() -> None:
    rows = tally(FRACTILLUS, "casts", by="cast", ability="Spirit Link Totem")
    assert len(rows) == 4
    assert [str(row["target"]).partition(" and ")[2] for row in rows] == [
        *("", "11 others", "4 others", "")
    ]


def test_a_tool_of_one_player_that_needs_none_selects_the_rows_of_many() -> None:
    members = night(FRACTILLUS).members
    asked = Look(tool="cooldown_efficiency", pull="1", player="healers")
    (look,) = looks_of(asked, members)
    assert look.player.count(";") == 4
    assert "player_name" not in resolved(look)[1]


def test_a_pulls_beginning_is_called_start_clock_in_every_table() -> None:
    arena, floors = night(ARENA), night(TORGHAST)
    for one in (standing.overview_table(arena), standing.overview_table(floors)):
        assert one.place("start_clock") is not None
        assert one.place("end_clock") is not None
    for tool in ("list_pulls", "get_trash_time", "search_fights"):
        args = {"encounter_name": "Nagrand Arena"} if tool == "search_fights" else {}
        told = ran(ARENA, tool, **args)
        called = ToolCalled(result="r1", tool=tool, args=args)
        made = ToolReturned.of(called, told).model_copy(update={"rows": told.rows})
        (table, *_) = tables_of([made], arena, Asked())
        assert table.place("start") is None
        assert table.place("start_clock") is not None


def test_room_that_shortening_gives_back_is_offered_and_its_price_told() -> None:
    rows = "\n".join(f"{n} | Oda {n} | {'x' * 60}" for n in range(1, 41))
    shown = [Shown(f"[r1] Casts (40 rows)\n  | player | what\n{rows}", "a", "tally")]
    assert "cut to their first rows" not in nodes._room_left(5, 3_000, shown)
    tight = nodes._room_left(5, 100, shown)
    assert printing.SHORT in tight
    assert "5 more times" in tight
    assert nodes._room_left(5, 100, [Shown("[r1] Casts: nothing found", "a", "tally")]) == (
        printing.SPENT
    )
