"""Sides of a match told apart, hits that shields swallowed, trash, and what came after a pull."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import dialogue
from tests.agents.raid.test_other_clients import BARE, nights, ran
from tests.agents.raid.test_what_logs_tell import ERA, GULCH, NAXX, tally

from ruleplay.agents.raid.domain.arguments import OfFight
from ruleplay.agents.raid.domain.grammar import find_layout
from ruleplay.agents.raid.domain.overview import short_name
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy import printing, standing
from ruleplay.agents.raid.policy.looks import Look, looks_of, resolved
from ruleplay.agents.raid.tools.registry import TOOLS, run_tool
from ruleplay.telling.table import Column, Table

DIMENSIUS = "retail_12.0_raid_dimensius_two_short_wipes.txt"

pytestmark = pytest.mark.timeout(180)


def number(row: Row, column: str) -> int:
    return int(str(row[column]))


def test_abilities_of_a_match_have_a_row_of_each_side_and_together_make_the_whole() -> None:
    every = tally(GULCH, "taken", by="ability")
    sums = {
        side: sum(number(row, "damage_taken") for row in every if row["side"] == side)
        for side in ("our side", "enemy")
    }
    for side, argument in (("our side", "our side"), ("enemy", "enemies")):
        own = tally(GULCH, "taken", player_name=argument)
        assert sums[side] == sum(number(row, "damage_taken") for row in own) > 0
    melee = [row for row in every if row["name"] == "Melee"]
    assert {row["side"] for row in melee} == {"our side", "enemy"}
    assert all("side" not in row for row in tally(ERA, "taken", by="ability"))


@pytest.mark.parametrize(
    "asked", ["what do we need to improve", "sur quoi il faut qu'on travaille", "any advice for us"]
)
def test_what_hurt_an_enemy_is_no_fault_of_ours(asked: str) -> None:
    (told,) = dialogue(GULCH, asked)
    assert "Kukuu" in told
    assert "Дангстер" not in told, "her own spell struck her back"


def test_what_to_work_on_counts_what_the_own_side_took() -> None:
    (told,) = dialogue(GULCH, "how did we do, what should we work on")
    assert "of the 687,465 damage taken" in told
    assert "2 of 12 players (Crbl, Halflight)" in told


def test_both_sides_of_a_match_are_ranked_each_on_its_own() -> None:
    (told,) = dialogue(GULCH, "top healers of the game")
    ours, theirs = told.split("Enemy ")
    assert "Our side 368,750 in all: Alexpals 83,033" in ours
    assert theirs.startswith("153,721 in all: Сашакриминал 79,397 (288 hps, 51.7%)")
    (kicks,) = dialogue(GULCH, "how many interrupts")
    assert "Our side 1 in all: Aikurushii 1" in kicks
    (own,) = dialogue(GULCH, "which of our own team healed the most")
    assert "Сашакриминал" not in own


def test_a_hit_that_a_shield_took_whole_is_a_hit_with_its_amount_and_its_shield() -> None:
    saved = {row["name"]: row for row in tally(DIMENSIUS, "taken", fights="1", ability="Oblivion")}
    rogue = saved["Bladewatch-BurningBlade-EU"]
    assert (rogue["hits"], rogue["absorbed_hits"], rogue["damage_taken"]) == (1, 1, 0)
    assert (rogue["absorbed"], rogue["absorbed_by"]) == (183_160, "Cheat Death")
    (devour,) = tally(DIMENSIUS, "taken", fights="1", by="ability", ability="Devour")
    assert (devour["hits"], devour["absorbed_hits"]) == (79, 4)
    assert devour["players_hit"] == 17
    (told,) = dialogue(DIMENSIUS, "who got hit by Oblivion on pull 1")
    assert "183,160, Cheat Death" in told


def test_who_was_saved_from_a_blow_is_told_with_who_did_not_die() -> None:
    (told,) = dialogue(DIMENSIUS, "has Bladewatch died in the first pull")
    assert "Bladewatch did not die" in told
    assert "Cheat Death saved Bladewatch at 11 s from Oblivion" in told
    low = ran(DIMENSIUS, "get_lowest_health", fights="1").rows
    assert [row["absorbed"] for row in low if row.get("saved_by")] == [183_160, 184_840]


def test_the_spell_that_a_shield_took_of_is_read_where_the_line_has_one() -> None:
    for width in (18, 19):
        assert not (swing := find_layout("SPELL_ABSORBED", width, old=False, tail=False)) or (
            not swing.spell
        )
        spelled = find_layout("SPELL_ABSORBED", width + 3, old=False, tail=False)
        assert spelled
        assert spelled.spell
        assert dict(spelled.columns)["absorber"] == 12


def test_deaths_of_a_run_or_an_evening_include_those_on_trash_and_of_a_pull_do_not() -> None:
    run = [row for row in ran(BARE, "get_night_deaths", fights="107-112").rows if row.get("where")]
    assert len(run) == 17
    assert sum(str(row["where"]).startswith("trash") for row in run) == 3
    named = [r for r in ran(BARE, "get_night_deaths", fights="run 10").rows if r.get("where")]
    assert len(named) == 17
    runs = [row for row in ran(BARE, "get_keystone_runs").rows if row["run"] == 10]
    assert (runs[0]["deaths"], runs[0]["deaths_on_trash"]) == (17, 3)
    assert [row["seconds"] for row in runs[1:]] == [123.5, 83.0, 127.1, 136.6, 147.5, 148.5]
    evening = ran(NAXX, "get_night_deaths", fights="1-7", player_name="Redzepi; Lutoscs").rows
    assert [row.get("where", row.get("on_trash")) for row in evening] == [
        "trash before pull 2 (Grand Widow Faerlina)",
        4,
    ]
    assert not ran(NAXX, "get_night_deaths", fights="2", player_name="Redzepi").rows
    (told,) = dialogue(NAXX, "how many times did Redzepi die this evening")
    assert told.startswith("**1 death: Redzepi at 21:04:04 on trash before pull 2")


def test_what_was_dispelled_just_after_a_kill_is_told_apart() -> None:
    late = {row["name"]: row for row in tally(NAXX, "dispels", fights="2")}
    assert {name: (row["dispels"], row["just_after"]) for name, row in late.items()} == {
        "Gulag": (0, 6),
        "Pingu": (0, 4),
    }
    by_pull = {row["fight"]: row["just_after"] for row in tally(NAXX, "dispels", by="pull")}
    assert by_pull[2] == 10
    (told,) = dialogue(NAXX, "who cleansed on Faerlina")
    assert "Just after the end, in no sum: Gulag 6, Pingu 4." in told
    # A debuff that nobody dispelled is no reason to list every aura of the pull.
    (first,) = (one for one in ran(NAXX, "list_pulls").rows if one["fight"] == 1)
    report = ran(NAXX, "get_dispel_report", fight_id=str(first["fight"])).rows
    assert len(report) < 5


def test_every_tool_of_a_pull_takes_trash_and_trash_and_pulls_make_up_everything() -> None:
    reports = nights(NAXX).reports
    given = {"player_a": "Gulag", "player_b": "Morka"}
    for tool in TOOLS:
        fields = tool.arguments.model_fields
        if issubclass(tool.arguments, OfFight):
            needed = {name: given[name] for name in fields if fields[name].is_required()}
            told = run_tool(reports, tool.name, {"fight_id": "trash before 3", **needed})
            assert not told.problem, (tool.name, told.problem)
            assert told.fight is None
            assert all("fight" not in row for row in told.rows), tool.name
    parts = [tally(NAXX, "damage", fights=fights) for fights in ("trash", "", "everything")]
    trash, pulls, every = (sum(number(r, "total_damage") for r in part) for part in parts)
    assert 0 < trash < pulls < every == trash + pulls
    (death,) = ran(NAXX, "get_death_analysis", fight_id="trash").rows
    assert (death["player"], death["overkill"]) == ("Redzepi", 530)
    assert "no keystone run 3" in ran(NAXX, "get_fight_details", fight_id="run 3").problem


def test_an_aura_put_on_late_is_told_of_the_pulls_without_it() -> None:
    forms = tally(NAXX, "uptime", ability="Shadowform")
    assert {row["fight"]: row["uptime_percent"] for row in forms} == {
        **dict.fromkeys((1, 2, 3, 4), 0.0),
        **dict.fromkeys((5, 6, 7), 100.0),
    }


def test_every_pull_of_a_long_log_can_be_found_from_the_prompt() -> None:
    store = nights(BARE)
    night = store.night(store.reports.codes()[0])
    visits = standing.visits_table(night)
    assert visits
    told = visits.prompt()
    assert "pulls 60-64 | 3/4 | Darkheart Thicket | +6 | 4 | 4 | 1" in told
    some = ran(BARE, "list_pulls", fights="60-64").rows
    assert [row["fight"] for row in some] == [60, 61, 62, 63, 64]
    assert {row["zone"] for row in some} == {"Darkheart Thicket"}
    short = nights(NAXX)
    assert standing.visits_table(short.night(short.reports.codes()[0])) is None
    assert len(standing.overview_table(night).prompt()) + len(told) < 6_000


def test_deaths_of_a_role_are_looked_at_at_once() -> None:
    members = store.night(store.reports.codes()[0]).members if (store := nights(BARE)) else ()
    (look,) = looks_of(Look(tool="night_deaths", player="healers", pulls="107-112"), members)
    tool, _ = resolved(look)
    healers = [one for one in members if one.role == "healer"]
    there = [one for one in healers if any(107 <= pull <= 112 for pull in one.pulls)]
    # Those of other evenings would only fill the heading.
    assert 0 < len(there) < len(healers)
    named = looks_of(
        Look(tool="tally", measure="deaths", player="healers", pulls="107-112"), members
    )
    assert {one.player for one in (look, *named)} == {"; ".join(short_name(m.name) for m in there)}
    assert not run_tool(
        store.reports, tool, {"fights": "107-112", "player_name": "Locumire"}
    ).problem


def test_of_an_ordered_list_that_is_cut_both_ends_are_printed() -> None:
    pulls = tuple((f"pull {at}", 500.0 - at) for at in range(1, 61))
    columns = (Column(name="pull", unit="name"), Column(name="seconds", unit="s"))
    table = Table(id="r1", title="pulls", columns=columns, rows=pulls, owner="pull")
    text, _ = printing.printed([table], 900, {})
    assert "pull 1 |" in text
    assert "the lowest:" in text
    assert "pull 60 | 440" in text
    mixed = table.model_copy(update={"rows": (pulls[5], *pulls)})
    assert "the lowest" not in printing.printed([mixed], 900, {})[0]


def test_a_run_s_headline_counts_its_trash_in_french_too() -> None:
    (told,) = dialogue(BARE, "combien de temps pour la clé +14 de neltharion")
    assert "wipes 0, morts 6 (dont 5 sur trash)" in told


def test_what_is_no_pull_has_no_rate_and_no_role() -> None:
    (row, *_) = tally("retail_9.0.2_torghast.txt", "damage", fights="trash")
    assert row["total_damage"]
    assert not {"dps", "role"} & {*row}


@pytest.mark.parametrize(
    "asked", ["so how many of us died in total", "qui meurt le plus souvent dedans"]
)
def test_in_total_after_several_pulls_is_of_these(asked: str) -> None:
    log = "retail_7.3_legion_encounters_only.txt"
    _, told = dialogue(log, "was eye of azshara +16 finished?", asked)
    assert "17" in told
    assert "904" not in told


def test_one_keystone_run_is_asked_for_by_its_pulls() -> None:
    every = ran("retail_7.3_legion_encounters_only.txt", "get_keystone_runs")
    one = ran("retail_7.3_legion_encounters_only.txt", "get_keystone_runs", fights="run 10")
    assert {row["run"] for row in one.rows} == {10}
    assert len({row["run"] for row in every.rows}) > 1


def test_runs_of_a_dungeon_are_told_once_each() -> None:
    log = "retail_7.3_legion_encounters_only.txt"
    (told,) = dialogue(log, "compare the darkheart thicket keys")
    assert [told.count(f"Darkheart Thicket +{level} was") for level in (3, 5, 6)] == [1, 1, 1]


@pytest.mark.parametrize("asked", ["why did we lose patchwerk", "pourquoi on a wipe patchwerk"])
def test_a_pull_in_which_the_log_ends_was_not_given_up(asked: str) -> None:
    (told,) = dialogue(NAXX, asked)
    assert "15.7 s" in told or "15,7 s" in told
    assert "given up" not in told
    assert "abandonné" not in told
