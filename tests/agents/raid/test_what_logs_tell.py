"""What logs have and tools tell: floors, sides, failed dispels, pauses, roles of single pulls."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest
from tests.agents.raid.test_other_clients import BARE, nights, ran

from ruleplay.agents.raid.adapters.reports import Report
from ruleplay.agents.raid.domain.classes import is_healing
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy import standing

NAXX, ERA = "naxxramas_3.3.5a_part.txt", "era_1.15.1_raid.txt"
DUEL = "tbc_2.5.1_arena.txt"
TORGHAST, GULCH = "retail_9.0.2_torghast.txt", "wrath_3.4.0_battleground.txt"
ARENA, ARENAS = "wrath_3.4.3_arena_feign_death.txt", "tbc_2.5.1_arenas.txt"

pytestmark = pytest.mark.timeout(180)


def tally(log: str, measure: str, **args: str) -> tuple[Row, ...]:
    found = ran(log, "get_tally", measure=measure, **args)
    assert not found.problem
    return found.rows


def test_a_run_through_torghast_is_told_floor_by_floor() -> None:
    taken = tally(TORGHAST, "taken", by="floor")
    assert {row["name"]: row["damage_taken"] for row in taken} == {
        "floor 4": 144_743,
        "floor 2": 66_865,
        "floor 5": 35_887,
        "floor 1": 28_781,
        "floor 6": 9_966,
    }
    assert [row["name"] for row in taken if row["run_completed"]] == ["floor 6"]
    assert "no floors" in ran(ERA, "get_tally", by="floor").problem


def test_what_enemies_did_can_be_asked_of_players_and_of_creatures() -> None:
    every = tally(GULCH, "dispels")
    theirs, ours = (tally(GULCH, "dispels", player_name=side) for side in ("enemies", "our side"))
    assert {row["side"] for row in theirs} == {"enemy"}
    assert {row["side"] for row in ours} == {"our side"}
    assert len(theirs) + len(ours) == len(every)
    healed = tally(TORGHAST, "healing", player_name="enemies", fights="between")
    assert healed[0]["name"] == "Empowered Mawsworn Flametender"
    assert not any(row["name"] == "Maelikit-EarthenRing" for row in healed)
    hit = tally(GULCH, "damage", player_name="our side", target_name="enemies")
    assert sum(int(str(row["total_damage"])) for row in hit) > 0
    assert not any(row["side"] == "enemy" for row in hit)


def test_when_each_target_was_fought_is_told_of_one_pull() -> None:
    robots = {row["name"]: row for row in tally(ERA, "damage", by="target")}
    times = [robots[name] for name in ("STX-96/FR", "STX-97/IC", "STX-98/PO", "STX-99/XD")]
    assert [row["fought_seconds"] for row in times] == [77.3, 73.6, 72.7, 66.3]
    assert all(
        float(str(one["last_hit_at"])) < float(str(other["first_hit_at"]))
        for one, other in pairwise(times)
    )


def test_a_plural_stands_for_all_adds_of_the_kind() -> None:
    bombs = {row["name"]: row["killing_blows"] for row in tally(ERA, "kills", target_name="bombs")}
    assert bombs == {
        f"{name}-CrusaderStrike": count
        for name, count in {
            "Flakeshock": 15,
            "Sury": 11,
            "Rexas": 2,
            "Grepe": 1,
            "Wauro": 1,
        }.items()
    }
    assert "may be" in ran(ERA, "get_tally", measure="kills", target_name="bomb").problem
    kinds = [row for row in ran(ERA, "get_add_deaths").rows if row.get("creature")]
    assert {row["creature"]: row["count"] for row in kinds} == {
        "Incendiary Bomb": 12,
        "Frost Bomb": 14,
        "Radioactive Bomb": 17,
    }


def test_a_dispel_just_after_the_end_is_told_apart_and_one_that_failed_too() -> None:
    found = ran(NAXX, "get_dispel_report", fight_id="Noth").rows
    (late,) = [row for row in found if row.get("outcome")]
    assert (late["targets"], late["outcome"]) == ("Braisedbrain", "just after the end")
    (curse,) = [row for row in found if row.get("applied")]
    assert (curse["applied"], curse["removed"]) == (9, 9)
    failed = [row for row in ran(ARENA, "get_dispel_report").rows if row.get("outcome") == "failed"]
    assert len(failed) == 10
    assert sum(row["aura"] == "Divine Shield" for row in failed) == 2


def test_dispels_one_by_one_are_as_many_as_in_all_and_say_what_did_them() -> None:
    (whole,) = tally(NAXX, "dispels", fights="4")
    every = tally(NAXX, "dispels", fights="4", by="cast")
    single = [row for row in every if row["when"] is None]
    assert len(every) - len(single) == whole["just_after"] == 1
    assert len(single) == whole["dispels"] == 8
    mass = tally(ARENA, "dispels", by="cast", ability="Mass Dispel")
    assert {row["with"] for row in mass} == {"Mass Dispel"}
    assert "Hand of Protection" in {row["ability"] for row in mass}


def test_who_begins_a_spell_does_not_pause_and_the_longest_pauses_are_told() -> None:
    (druid,) = ran(ERA, "get_activity_report", player_name="Giefwater").rows
    assert druid["pauses"] == ["16.8 s from 0.3 s", "12.9 s from 242.6 s", "11.3 s from 167.5 s"]
    assert (druid["longest_gap_seconds"], druid["longest_gap_at"]) == (16.8, 0.3)
    assert druid["active_seconds"] == 244.7, "what is begun and not finished is no activity"


def test_a_cast_that_never_ends_is_not_finished_where_a_log_has_ends_of_casts() -> None:
    darshath = ran(DUEL, "get_cancelled_casts", player_name="Darshath")
    cast = {row["ability"]: (row["started"], row["finished"]) for row in darshath.rows}
    assert cast["Smite"] == (3, 0)
    assert cast["Mind Blast"] == (3, 2)
    naxxramas = ran(NAXX, "get_cancelled_casts").rows  # 3.3.5a: has beginnings only
    assert all(row["finished"] for row in naxxramas if int(str(row["started"])) > 20)


def test_an_ability_by_its_name_of_another_client_gets_the_near_names() -> None:
    found = ran(ARENA, "get_tally", measure="uptime", ability="Blessing of Protection")
    assert "near names: Hand of Protection" in " ".join(found.notes)
    known = ran(ARENA, "get_tally", measure="uptime", ability="Hand of Protection")
    assert known.rows
    assert "near names" not in " ".join(known.notes)


def test_roles_in_a_prompt_are_those_of_the_pulls_that_are_asked_about() -> None:
    night = nights(BARE).night(nights(BARE).reports.codes()[0])

    def role(*fights: int) -> tuple[object, ...]:
        table = standing.people_table(night, fights)
        return next(row[1:3] for row in table.rows if row[0] == "Ashborn")

    assert role(95, 96) == ("damage", "Frost Death Knight")
    assert role(100, 101) == ("tank", "Death Knight")
    assert standing.people_table(night, (98, 99, 97)).notes == (
        "The role is that of most pulls; other roles: Ashborn tank on pull 99.",
    )


@pytest.mark.parametrize(
    ("calling", "healed", "mended", "harmed", "heals"),
    [
        (("Warrior", "Arms"), 0, 9_000, 5_000, False),
        (("Druid", "Balance"), 6_000, 6_000, 5_000, True),
        (("Priest", "Discipline"), 1_200, 3_400, 3_900, True),
        (("Priest", "Holy"), 0, 1_000, 9_000, False),
    ],
)
def test_who_heals_only_himself_is_no_healer(
    calling: tuple[str, str], healed: float, mended: float, harmed: float, heals: bool
) -> None:
    assert is_healing(*calling, healed, mended, harmed) is heals


def test_a_prompt_says_where_it_is_inferred_who_won() -> None:
    store = nights(ARENAS)
    table = standing.overview_table(store.night(store.reports.codes()[0]))
    assert standing.JUDGED in table.notes
    raid = nights(ERA)
    assert standing.JUDGED not in standing.overview_table(raid.night(raid.reports.codes()[0])).notes


def test_a_prompt_says_which_day_is_meant_after_midnight() -> None:
    late, early = (
        " ".join(standing.overview_table(store.night(store.reports.codes()[0])).notes)
        for store in (nights(BARE), nights(ERA))
    )
    assert ("after midnight" in late, "after midnight" in early) == (True, False)


def test_item_levels_come_with_the_lowest_and_highest_item() -> None:
    log = "retail_12.0_raid_fractillus_kill.txt"
    for row in tally(log, "gear"):
        assert row["lowest_item"] <= row["item_level"] <= row["highest_item"]  # type: ignore[operator]
        assert row["lowest_slot"]
        assert row["highest_slot"]
    pair = ran(log, "compare_players", player_a="Xamymage", player_b="Zipper").rows[:2]
    assert [row["item_level"] for row in pair] == [123.2, 135.3]


def test_tools_that_ask_the_same_at_once_run_one_query(monkeypatch: pytest.MonkeyPatch) -> None:
    report = nights(ERA).reports.open(nights(ERA).reports.codes()[0])
    begun, asked = threading.Event(), list[str]()
    run = Report._run

    def slow(self: Report, sql: str, *given: object) -> object:
        asked.append(sql)
        begun.set()
        waiting.join(0.2)
        return run(self, sql, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Report, "_run", slow)
    sql, answers = "SELECT count(*) AS once FROM actors", list[object]()

    def ask() -> None:
        answers.append(report.query(sql)[1])

    waiting = threading.Thread(target=lambda: (begun.wait(5), ask()))
    waiting.start()
    ask()
    waiting.join()
    assert asked == [sql]
    assert answers[0] == answers[1]
