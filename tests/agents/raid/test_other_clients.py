"""Logs of clients and kinds that the lists are not of: nothing is judged that is not known."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import mkdtemp

import pytest
from tests.samples import some
from tests.shared import shared_data

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.nights import Nights, open_nights
from ruleplay.agents.raid.agent import AGENT
from ruleplay.agents.raid.domain.tool_result import ToolOutcome
from ruleplay.agents.raid.policy import standing
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.settings import Settings

RESETS = "retail_12.0_raid_dimensius_two_short_wipes.txt"
BARE = "retail_7.3_legion_encounters_only.txt"
ODD = (
    "wrath_3.4.3_arena_feign_death.txt",
    "tbc_2.5.1_arenas.txt",
    "retail_9.0.2_torghast.txt",
    BARE,
)
"""Logs of matches, of no pull at all, and of nothing but encounters."""
OPENED = Path(__file__).parents[2] / "wordings/raid_opened.jsonl"


@cache
def nights(name: str) -> Nights:
    home = Path(mkdtemp(prefix="ruleplay-raid-"))
    import_logs([shared_data("raid") / name], home)
    return open_nights(home)


def ran(name: str, tool: str, **args: str) -> ToolOutcome:
    return run_tool(nights(name).reports, tool, args)


def test_consumables_of_another_expansion_are_not_judged() -> None:
    found = ran(RESETS, "get_consumable_check", fight_id="2")
    assert found.rows
    assert not any(row["missing"] for row in found.rows)
    assert any("No list of consumables" in note for note in found.notes)


def test_cooldowns_of_another_expansion_are_not_judged() -> None:
    found = ran(RESETS, "get_cooldown_efficiency", fight_id="2")
    assert not found.rows
    assert any("No list of cooldowns" in note for note in found.notes)


def test_who_tanked_is_told_by_the_pull_and_many_deaths_at_once_are_no_tank_s() -> None:
    found = ran(BARE, "get_wipe_cause", fight_id="19")
    cause, *steps = found.rows
    assert (cause["kind"], cause["player"]) == ("deaths in a row", "Exgrull-Eitrigg")
    tanks = {str(row["player"]) for row in steps if row["what"] == "tank death"}
    assert tanks == {"Banjo-Eitrigg", "Felsari-Sargeras"}
    pulls = ran(BARE, "search_fights", encounter_name="Aggramar").rows
    assert {(row["day"], row["difficulty"]) for row in pulls} >= {("3/1", "normal"), ("3/5", "LFR")}


def test_pulls_of_a_player_are_those_that_they_were_there_for() -> None:
    """As COMBATANT_INFO lists them, even where a log tells nothing of what they did."""
    found = ran(BARE, "get_night_players", fights="86-102")
    pulls = {str(row["player"]).partition("-")[0]: row["pulls"] for row in found.rows}
    assert (pulls["Halang"], pulls["Daymia"], pulls["Xatim"], pulls["Mydots"]) == (17, 17, 16, 8)


def test_casts_of_the_other_side_of_a_match_may_go_through() -> None:
    found = ran("tbc_2.5.1_arena.txt", "get_missed_interrupts")
    casts = {
        row["ability"]: (row["casts"], row["interrupted"], row["missed"])
        for row in found.rows
        if str(row.get("caster")).startswith("Darshath")
    }
    # Five Mana Burns were given up before they ended.
    assert casts == {"Mind Blast": (3, 1, 2), "Mana Burn": (9, 3, 1)}


def test_a_derived_arena_has_the_death_that_ended_it() -> None:
    deaths = ran("tbc_2.5.1_arena.txt", "get_death_analysis", fight_id="1").rows
    assert [row["player"] for row in deaths] == ["Mouseprinces-Atiesh", "Assinoth-Whitemane"]


def test_a_reset_is_no_collapse_of_the_raid() -> None:
    for fight in ("1", "2"):
        found = ran(RESETS, "get_wipe_cause", fight_id=fight)
        assert "cause" not in [row["what"] for row in found.rows]
        assert any("no cause is inferred" in note for note in found.notes)


def test_pulls_of_several_evenings_say_when_how_hard_and_how_many() -> None:
    store = nights(BARE)
    table = standing.overview_table(store.night(store.reports.codes()[0]), (1,))
    assert {"day", "difficulty", "players"} <= {column.name for column in table.columns}
    assert table.rows[-1][-3:] == ("3/5", "+16", 5)


async def test_how_close_it_was_is_told_of_one_boss(tmp_path: Path) -> None:
    host = await told_by_rules(BARE, tmp_path)
    try:
        head = await host.create(AGENT.name, {})
        await host.start(head.id, Given(message="how did the heroic night on 3/5 go?"))
        turn = await host.start(head.id, Given(message="how close did we get, what percent?"))
        assert "The Coven of Shivarra: the boss's health is not in this log" in turn.reply
        assert "the longest try was pull 99" in turn.reply
        assert "93 (heroic" not in turn.reply  # of Kin'garoth
    finally:
        await host.close()


def test_the_people_of_a_match_are_those_who_fought_in_it() -> None:
    store = nights("tbc_2.5.1_arena.txt")
    table = standing.people_table(store.night(store.reports.codes()[0]))
    assert {row[0] for row in table.rows} == {"Assinoth", "Mouseprinces", "Darshath", "Sibs"}
    # Sibs was friendly before the match, so that who is hostile does not tell the sides.
    assert "side" not in {column.name for column in table.columns}


def test_the_teams_of_an_arena_are_told_where_the_log_states_them() -> None:
    store = nights("retail_12.0_arena_round.txt")
    table = standing.people_table(store.night(store.reports.codes()[0]))
    teams = {str(row[0]): str(row[-1]) for row in table.rows}
    ours = {name for name, team in teams.items() if team == teams["Gigadwarf"]}
    assert (len(teams), len(ours)) == (6, 3)
    assert "Shizoune" not in ours


async def test_a_log_without_pulls_is_told_as_a_whole(tmp_path: Path) -> None:
    asked = {
        "what hurt me most": "Most damage taken: Firebolt 88,928",
        "how many rats did I kill": "Mawrat 66, Oddly Large Mawrat 2 – the whole log",
        "did I die": "No. Maelikit did not die – the whole log",
        "how low did I get": "Maelikit got as low as 31.5% of health at 21:30:56",
        "did anybody pull early": "only of those I can tell",
    }
    host = await told_by_rules("retail_9.0.2_torghast.txt", tmp_path)
    try:
        for message, told in asked.items():
            head = await host.create(AGENT.name, {"lang": "en"})
            turn = await host.start(head.id, Given(message=message))
            assert told in turn.reply, turn.reply
            assert nights("retail_9.0.2_torghast.txt").reports.codes()[0] not in turn.reply
    finally:
        await host.close()


async def test_a_feigned_death_is_said_to_be_feigned(tmp_path: Path) -> None:
    host = await told_by_rules("wrath_3.4.3_arena_feign_death.txt", tmp_path)
    try:
        head = await host.create(AGENT.name, {"lang": "en"})
        turn = await host.start(head.id, Given(message="how often did Homerjayxx die"))
        assert "1 death: Homerjayxx at 2:49" in turn.reply
        assert (
            "Homerjayxx feigned death at 21:25:50, 21:27:13, 21:27:25: no deaths, since a feign"
            in turn.reply
        )
    finally:
        await host.close()


async def told_by_rules(name: str, folder: Path) -> Host:
    db = f"sqlite+aiosqlite:///{folder / 'sessions.db'}"
    settings = {"home": nights(name).reports.home, "db": db, "model": "rules"}
    return await Host.open(Settings.model_validate(settings), lambda _: AGENT)


@pytest.mark.parametrize(("name", "lang"), some(product(ODD, ("en", "fr")), 4))
async def test_whatever_is_asked_of_an_odd_log_has_an_answer(
    name: str, lang: str, tmp_path: Path
) -> None:
    asked = ["how low did we get him", "how did we do", "go over the second try with me"]
    asked += [json.loads(line)["text"] for line in some(OPENED.read_text("utf-8").splitlines(), 9)]
    host = await told_by_rules(name, tmp_path)
    try:
        for message in asked:
            head = await host.create(AGENT.name, {"lang": lang})
            turn = await host.start(head.id, Given(message=message))
            assert turn.reply, message
    finally:
        await host.close()
