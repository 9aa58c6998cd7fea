"""What tables for a model say of themselves: what they cover, from before, by whom, on whose side."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_what_logs_tell import NAXX, tally

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
    assert {row["ability"] for row in tally(FRACTILLUS, "uptime", ability="shatt")} == {
        "Shattershell"
    }
