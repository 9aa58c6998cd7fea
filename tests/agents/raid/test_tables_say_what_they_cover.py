"""What tables for a model say of themselves: what they cover, by whom, on whose side."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_other_clients import nights, ran
from tests.agents.raid.test_what_logs_tell import NAXX, tally

from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy import standing
from ruleplay.agents.raid.policy.looks import BadLook, Look, narrowing, resolved
from ruleplay.telling.citing import Reader
from ruleplay.telling.table import Column, Table

ARENAS = "tbc_2.5.1_arenas.txt"
FEIGN = "wrath_3.4.3_arena_feign_death.txt"
SHUFFLE, TORGHAST = "retail_12.0_arena_round.txt", "retail_9.0.2_torghast.txt"
DETAILS = "get_fight_details"
FRACTILLUS = "retail_12.0_raid_fractillus_kill.txt"

pytestmark = pytest.mark.timeout(180)


def test_a_lockout_that_was_running_counts_from_the_pull_s_start() -> None:
    """It came with the Heroism of the boss before, three minutes and 52 seconds earlier."""
    (pingu,) = tally(NAXX, "uptime", ability="Exhaustion", fights="6", player_name="Pingu")
    assert (pingu["uptime_percent"], pingu["from_before"]) == (100.0, "21:22:04")
    (later,) = tally(NAXX, "uptime", ability="Exhaustion", fights="7", player_name="Pingu")
    assert (later["at"], later["from_before"]) == (1.3, None)


def test_a_debuff_from_before_lasts_no_longer_than_any_of_its_kind() -> None:
    """Decrepit Fever, of Heigan's fight alone, is not on anybody when Loatheb is pulled."""
    assert not tally(NAXX, "uptime", ability="Decrepit Fever", fights="6")


def test_of_all_auras_those_by_enemies_are_listed_one_by_one_in_their_order() -> None:
    found = tally(FRACTILLUS, "uptime", by="cast", part="60-61")
    chain = [(row["name"], row["ability"]) for row in found]
    stuck = {who for who, what in chain if what == "Crystal Encasement"}
    assert stuck == {who for who, what in chain if what == "Shattershell"}
    assert len(stuck) == 4
    assert {row["clock"] for row in found if row["ability"] == "Shattershell"} == {"23:15:20"}
    assert "Power Word: Fortitude" not in {what for _, what in chain}


def test_an_aura_on_several_has_one_row_by_ability() -> None:
    auras = {row["ability"]: row for row in tally(FRACTILLUS, "uptime", by="ability")}
    assert auras["Shattershell"]["bearers"] == 4
    assert (auras["Shattershell"]["casters"], auras["Shattershell"]["longest_seconds"]) == (
        "Fractillus",
        12.0,
    )


def test_two_ends_of_one_aura_that_nobody_cast_do_not_make_it_older_than_the_pull() -> None:
    rows = tally(FRACTILLUS, "uptime", ability="Refracted Entropy")
    assert max(float(str(row["uptime_seconds"])) for row in rows) < 3


def test_a_part_of_an_aura_s_name_finds_it() -> None:
    assert {row["ability"] for row in tally(FRACTILLUS, "uptime", ability="shattersh")} == {
        "Shattershell"
    }


def looked(log: str, **said: object) -> tuple[Row, ...]:
    """Run what a model asks for, as its look is understood."""
    name, args = resolved(Look.model_validate(said))
    return ran(log, name, **args).rows


def test_deaths_of_either_side_of_a_match_can_be_counted() -> None:
    found = {
        side: {row["name"]: row["deaths"] for row in tally(ARENAS, "deaths", fights="5", **asked)}
        for side, asked in (
            ("enemy", {"player_name": "enemies"}),
            ("ours", {"target_name": "our side"}),
        )
    }
    assert {str(name).partition("-")[0] for name in found["enemy"]} == {"Synthesizer", "Aetarius"}
    assert set(found["enemy"].values()) == {1}
    assert sorted(map(int, map(str, found["ours"].values()))) == [0, 1]
    fell = looked(ARENAS, tool="night_deaths", pulls="5", player="enemies")
    assert [str(row["player"]).partition("-")[0] for row in fell] == ["Synthesizer", "Aetarius"]
    by = {row["name"]: row["deaths"] for row in tally(ARENAS, "deaths", fights="5", by="ability")}
    assert by["Arcane Explosion"] == 1


def test_enemies_of_a_raid_are_the_creatures_that_died() -> None:
    died = {row["name"]: row["deaths"] for row in tally(NAXX, "deaths", player_name="enemies")}
    assert died["Loatheb"] == 1
    assert ran(NAXX, "get_night_deaths", player_name="enemies").problem.count("creatures")


def test_a_side_selects_the_rows_of_a_tool_that_knows_no_sides() -> None:
    said = Look(tool="death_analysis", pull="5", player="enemies")
    assert resolved(said) == ("get_death_analysis", {"fight_id": "5"})
    assert narrowing(said) == ("enemy",)


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({"measure": "gear", "by": "ability"}, "takes no by"),
        ({"measure": "gear", "part": "0-10"}, "takes no part"),
        ({"measure": "uptime", "without": "pets"}, "takes no without"),
        ({"measure": "present", "by": "pull"}, "takes no by"),
    ],
)
def test_what_a_tally_does_not_use_is_refused(said: dict[str, str], refused: str) -> None:
    with pytest.raises(BadLook, match=refused):
        resolved(Look.model_validate({"tool": "tally", **said}))


def test_a_boss_limits_a_tool_of_several_pulls_and_a_pull_is_refused_by_a_tool_of_none() -> None:
    assert resolved(Look(tool="tally", boss="Loatheb"))[1] == {"fights": "Loatheb"}
    assert resolved(Look(tool="tally", measure="gear", by="player", player="Oda"))[1] == {
        "measure": "gear"
    }
    assert "in place of a player" in ran(NAXX, "get_tally", by="side").problem
    with pytest.raises(BadLook, match="takes no pull"):
        resolved(Look(tool="list_reports", pull="3"))


def test_dispels_that_did_nothing_are_told_with_those_that_did() -> None:
    """Retayz sat under Divine Shield when Mass Dispel reached him, twice."""
    tries = tally(FEIGN, "dispels", by="cast", ability="Mass Dispel", target_name="Retayz")
    told = [(row["clock"], row["ability"], row["when"]) for row in tries]
    assert ("21:26:19", "Divine Shield", "failed") in told
    assert ("21:26:21", "Mass Dispel", "immune") in told
    assert ("21:27:10", "Blessing of Kings", None) in told
    assert len({row["side"] for row in tries}) == 1
    sums = {str(row["name"]).partition("-")[0]: row for row in tally(FEIGN, "dispels")}
    assert (sums["Retayz"]["dispels"], sums["Retayz"]["failed"]) == (5, 2)
    # Eight lines of failed dispels; three spells of one Mass Dispel that was deflected are one.
    own = sums["Jammln"]
    assert (own["dispels"], own["failed"], own["missed_or_immune"]) == (25, 8, 4)


def overview(log: str) -> Table:
    store = nights(log)
    return standing.overview_table(store.night(store.reports.codes()[0]))


def test_every_match_tells_who_was_on_whose_side() -> None:
    """Sicksixsix is an enemy in the first match and a partner in the last."""
    table = overview(ARENAS)
    assert table.column("our_side")[0] == "Assinoth, Blury"
    assert "Sicksixsix" in str(table.column("enemies")[0])
    assert table.column("our_side")[4] == "Assinoth, Sicksixsix"
    assert table.column("enemies")[4] == "Aetarius, Synthesizer"


def test_bystanders_are_on_no_side_and_partners_of_a_next_round_are_enemies_in_this_one() -> None:
    table = overview(FEIGN)
    assert (table.column("our_side"), table.column("enemies")) == (
        ("Jammln, Selenamilky",),
        ("Homerjayxx, Retayz",),
    )
    sides = {
        str(row["player"]).partition("-")[0]: row["side"] for row in ran(SHUFFLE, DETAILS).rows
    }
    assert (sides["Onlyfails"], sides["Hótty"]) == ("enemy", "our side")


def test_a_log_without_pulls_says_when_it_was_and_what_floors_it_has() -> None:
    table = overview(TORGHAST)
    assert table.column("pull")[:3] == ("everything", "floor 1", "floor 2")
    assert (table.column("start_clock")[0], table.column("start_clock")[2]) == (
        "19:06:32",
        "21:19:09",
    )
    said = resolved(Look(tool="lowest_health"), whole=True)
    assert said == ("get_lowest_health", {"fights": "everything"})
    (low,) = ran(TORGHAST, "get_lowest_health", fights="floor 2").rows
    assert (low["clock"], low["lowest_health_percent"]) == ("21:30:56", 31.5)
    near = tally(TORGHAST, "taken", by="ability", fights="floor 2", part="695-715")
    assert {row["name"] for row in near} == {"Firebolt", "Fireball", "Harrow"}


@pytest.mark.parametrize(
    "said",
    [
        "Nobody cast Rebirth on pulls 2-4 [r1.1].",
        "On pulls 2 to 4 there was no Rebirth [r1].",
        "Aucune Rebirth sur les pulls 2-4 [r1.1.found].",
    ],
)
def test_a_range_of_pulls_that_a_heading_names_may_be_said(said: str) -> None:
    columns = (Column(name="looked_for", unit="text"), Column(name="found"))
    heading = "pulls 2-4 (Varimathras), only ability Rebirth"
    table = Table(id="r1", title="Casts", heading=heading, columns=columns, rows=(("casts", 0),))
    pulls = [f"pull {n}" for n in range(1, 7)]
    names = ("Varimathras", *pulls)
    assert not Reader((table,), names).judge(said).refused
    assert Reader((table,), names).judge(said.replace("4", "6")).refused


def test_casts_in_all_of_a_log_say_in_or_before_which_pull_they_were() -> None:
    asked = {"by": "cast", "player_name": "Assinoth", "fights": "everything"}
    casts = {(row["ability"], row["clock"]): row for row in tally(ARENAS, "casts", **asked)}
    vanish, sap = casts["Vanish", "11:44:37"], casts["Sap", "11:53:06"]
    assert (vanish["in_pull"], vanish["before_pull"]) == ("pull 1 (Arena)", None)
    assert (sap["in_pull"], sap["before_pull"]) == (None, "pull 4 (Arena)")
