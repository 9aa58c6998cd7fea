"""Single hits and heals, cooldowns, helpers and what several pulls share, as a model reads them."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_other_clients import nights, ran
from tests.agents.raid.test_what_logs_tell import ARENA, NAXX, TORGHAST, tally

from ruleplay.agents.raid.policy.looks import BadLook, Look, looks_of, resolved
from ruleplay.agents.raid.policy.rows import Asked, tables_of
from ruleplay.agents.raid.state import ToolCalled, ToolReturned
from ruleplay.agents.raid.tools.deeds import HELPER
from ruleplay.telling.table import Table

DIMENSIUS = "retail_12.0_raid_dimensius_two_short_wipes.txt"
LEGION = "retail_7.3_legion_encounters_only.txt"

pytestmark = pytest.mark.timeout(180)


def read(log: str, **look: str) -> Table:
    """Return the first table that a model reads of a look at a log."""
    found = nights(log).overview("", "").night
    assert found
    (one,) = looks_of(Look.model_validate({"tool": "tally", **look}), found.members)
    tool, args = resolved(one)
    outcome = ran(log, tool, **{name: str(value) for name, value in args.items()})
    called = ToolCalled(result="r1", tool=tool, args=args)
    returned = ToolReturned.of(called, outcome).model_copy(update={"rows": outcome.rows})
    return tables_of([returned], found, Asked())[0]


def test_a_blow_tells_its_whole_size_its_shield_and_what_health_it_left() -> None:
    rows = tally(DIMENSIUS, "taken", by="cast", ability="Oblivion")
    told = {str(row["name"]).partition("-")[0]: row for row in rows}
    assert told["Bladewatch"]["whole_hit"] == 457_900
    assert told["Bladewatch"]["absorbed"] == 183_160
    assert told["Bladewatch"]["absorbed_by"] == "Cheat Death"
    assert told["Xamymage"]["damage_taken"] == 450_900
    assert told["Xamymage"]["health_after_percent"] == 0
    assert told["Xamymage"]["whole_hit"] is None, "nothing was absorbed of it"
    summed = tally(DIMENSIUS, "taken", ability="Oblivion", player_name="Baynn")
    assert [row["biggest_absorbed_hit"] for row in summed] == [462_099]


def test_a_blow_that_did_nothing_says_why() -> None:
    rows = tally(ARENA, "taken", by="cast", player_name="Retayz", part="80-97")
    told = {(row["ability"], row["missed"]) for row in rows}
    assert ("Mass Dispel", "immune") in told
    assert ("Gouge", None) in told


@pytest.mark.parametrize("measure", ["damage", "healing", "overheal", "absorbs", "taken"])
def test_what_is_listed_one_by_one_adds_up_to_the_sum(measure: str) -> None:
    given = {"fights": "2", "player_name": "Deyanm"}
    column = {"damage": "total_damage", "taken": "damage_taken"}.get(measure, measure)
    each = tally(DIMENSIUS, measure, by="cast", **given)
    (whole,) = tally(DIMENSIUS, measure, **given)
    assert sum(int(str(row[column])) for row in each) == whole[column]
    assert len(each) > 1


def test_every_use_of_a_cooldown_is_one_look_with_owner_kind_and_target() -> None:
    rows = tally(DIMENSIUS, "cooldowns", fights="1-2")
    used = {(str(row["name"]).partition("-")[0], row["ability"]): row for row in rows}
    assert used["Tasadin", "Rallying Cry"]["kind"] == "raid"
    assert used["Tasadin", "Rallying Cry"]["affected"] == 12
    assert str(used["Dryad", "Tranquility"]["owner"]).startswith("Кастиэлка")
    assert {row["fight"] for row in rows} == {2}
    hers = tally(DIMENSIUS, "cooldowns", player_name="Кастиэлка")
    assert {row["ability"] for row in hers} == {"Tranquility", "Convoke the Spirits"}
    pain = tally(NAXX, "cooldowns", fights="6", ability="external")
    assert [(row["ability"], row["target"]) for row in pain] == [("Pain Suppression", "Watary")]
    assert not tally(NAXX, "cooldowns", fights="6", ability="external", part="0-100")
    drunk = tally(NAXX, "cooldowns", fights="6", ability="potion")
    assert {row["ability"] for row in drunk} == {"Insane Strength Potion", "Wild Magic"}


def test_cooldowns_of_a_match_are_of_a_side_and_a_guardian_is_on_its_owner_s() -> None:
    theirs = tally(ARENA, "cooldowns", player_name="enemies")
    assert {row["side"] for row in theirs} == {"enemy"}
    assert ("Manfred", "Intervene") in {(row["name"], row["ability"]) for row in theirs}


def test_creatures_that_help_have_rows_of_their_own_and_are_in_no_other_sum() -> None:
    rows = tally(TORGHAST, "damage", fights="everything")
    helped = {str(row["name"]): row["total_damage"] for row in rows}
    assert helped["Indri the Treesinger" + HELPER] == 70_054
    by_ability = tally(TORGHAST, "damage", by="ability", fights="everything")
    assert not any("Indri" in str(row["name"]) for row in by_ability)
    hers = tally(
        TORGHAST, "damage", by="ability", fights="everything", player_name="Indri the Treesinger"
    )
    assert sum(int(str(row["total_damage"])) for row in hers) == 70_054


def test_what_is_the_same_on_several_pulls_is_one_row() -> None:
    flasks = read(NAXX, measure="uptime", pulls="1-7", ability="Flask of the Frost Wyrm")
    told = {flasks.whose(n): flasks.text_of(n) for n in range(1, len(flasks.rows) + 1)}
    assert len(told) == len(flasks.rows) == 3
    assert "pulls 4-7" in told["Nule"]
    assert "pulls 1-7" in told["Morka"]
    apart = read(NAXX, measure="uptime", pulls="1-7", ability="Shadowform", player="Inwaves")
    texts = [apart.text_of(n) for n in (1, 2)]
    assert "pulls 5-7" in texts[0]
    assert "pulls 1-4" in texts[1], "where it was not up is told apart"
    each = read(NAXX, measure="consumed", pulls="1-7", by="cast")
    once = read(NAXX, measure="consumed", pulls="1-7")
    assert len(once.rows) < len(each.rows) / 2


def test_consumables_of_several_pulls_are_a_row_of_each_player() -> None:
    rows = ran(NAXX, "get_consumable_check", fights="1-7").rows
    told = {str(row["player"]): row for row in rows}
    assert told["Nule"]["pulls"] == "4-7"
    assert told["Nule"]["flask"] == "Flask of the Frost Wyrm"
    assert told["Inwaves"]["food"] == "Well Fed (pulls 2-7)"
    assert told["Klownalino"]["used"] == "Speed x1 (pulls 1-2, 4)"
    assert told["Gulag"]["flask"] is None
    alone = ran(NAXX, "get_consumable_check", fights="6", player_name="Watary")
    assert [row["flask"] for row in alone.rows] == ["Flask of Stoneblood"]


@pytest.mark.parametrize(
    ("measure", "by", "says"),
    [
        ("uptime", "pull", "player, target, ability, cast"),
        ("crits", "cast", "player, ability, source"),
        ("deaths", "cast", "player, target"),
        ("consumed", "ability", "player, cast"),
        ("cooldowns", "ability", "takes no by"),
    ],
)
def test_a_grouping_that_a_measure_has_not_is_refused_with_those_it_has(
    measure: str, by: str, says: str
) -> None:
    with pytest.raises(BadLook, match=says):
        resolved(Look(tool="tally", measure=measure, by=by))


def test_who_died_right_after_the_end_is_named_and_not_counted() -> None:
    found = ran(LEGION, "get_night_deaths", fights="19")
    assert len([row for row in found.rows if row.get("player")]) == 10
    assert any("Mydots" in note and "0.5 s after pull 19" in note for note in found.notes)
    other = ran(LEGION, "get_night_deaths", fights="19", player_name="Banjo")
    assert not any("Mydots" in note for note in other.notes)


def test_a_debuff_on_a_third_of_the_raid_at_the_end_is_told() -> None:
    rows = ran(DIMENSIUS, "get_wipe_cause", fight_id="1").rows
    (late,) = (row for row in rows if row["what"] == "debuff at the end")
    assert late["ability"] == "Oblivion"
    assert late["amount"] == 9
