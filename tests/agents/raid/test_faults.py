"""What went wrong, who could do better and which pull was worst, on real logs without a model."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import cast

import pytest
from tests.agents.raid.test_answered_numbers import FRACTILLUS, NAXX, dialogue
from tests.agents.raid.test_other_clients import nights

from ruleplay.agents.raid.tools.registry import run_tool

DIMENSIUS = "retail_12.0_raid_dimensius_two_short_wipes.txt"
pytestmark = pytest.mark.timeout(240)


def rows(log: str, tool: str, **args: object) -> tuple[dict[str, object], ...]:
    found = run_tool(nights(log).reports, tool, args)
    assert not found.problem
    return tuple(dict(row) for row in found.rows)


def test_what_lies_on_the_ground_has_no_source_and_is_avoidable() -> None:
    told = rows(FRACTILLUS, "get_avoidable_damage", fight_id="1")
    void = {
        row["player"]: row["damage_taken"] for row in told if row["ability"] == "Void Lightning"
    }
    assert {str(name).partition("-")[0]: n for name, n in void.items()} == {
        "Tasadin": 67_798,
        "Bladewatch": 36_462,
    }
    # Shadow Word: Death hurts its own caster, whose line has no source in this client's log.
    assert not rows(NAXX, "get_avoidable_damage", fight_id="5")


def test_a_fall_is_avoidable_where_few_fell_and_no_fault_where_a_boss_throws_all() -> None:
    told = rows(NAXX, "get_avoidable_damage", fight_id="1")
    assert {row["ability"] for row in told} == {"(all)", "Acid Spit"}
    (said,) = dialogue(NAXX, "who took fall damage on anub")
    assert "39,462 in 11 hits" in said


def test_who_is_hit_by_an_ability_is_told_pets_apart_from_players() -> None:
    (told,) = dialogue(NAXX, "who failed the heigan dance")
    # No table knows the boss, so that nothing found is no good news.
    assert "what could be avoided is not known" in told
    assert "Pets alone were hit by Decrepit Fever, Eruption." in told


def test_debuffs_of_one_player_are_that_player_s() -> None:
    told = rows(NAXX, "get_debuff_uptimes", fight_id="6", player_name="Lutoscs")
    assert {row["debuff"]: row["uptime_percent"] for row in told}["Serpent Sting"] == 14.0
    assert all(row["players"] == ["Lutoscs"] for row in told)


def test_roles_are_those_of_the_pull() -> None:
    roles = {
        fight: {
            row["name"]: row["role"]
            for row in rows(NAXX, "get_tally", fights=fight, measure="damage", by="player")
        }
        for fight in ("4", "5", "6")
    }
    assert [roles[fight]["Klownalino"] for fight in roles] == ["damage", "damage", "tank"]
    assert [roles[fight].get("Inwaves") for fight in roles] == [None, "damage", "healer"]
    (told,) = dialogue(NAXX, "is Inwaves a healer or what")
    assert "damage (Heigan the Unclean)" in told


def test_casts_that_nobody_is_known_to_be_able_to_interrupt_are_told_as_such() -> None:
    first, _, through = dialogue(
        FRACTILLUS, "who didnt kick", "ok and who kicked the most", "was it enough or did some pass"
    )
    assert "no interrupt by a player" in first
    assert "Crystalline Shockwave 3" in first
    assert "the log does not tell" in through


def test_a_spell_that_was_interrupted_once_can_be_interrupted() -> None:
    told = rows("era_1.15.1_raid.txt", "get_missed_interrupts", fight_id="1")
    # A kick is told when it came, as the tally of interrupts tells it, not when the cast began.
    kicks = rows("era_1.15.1_raid.txt", "get_tally", measure="interrupts", by="cast")
    own = [at for row in told if row.get("player") for at in cast(list[float], row["at"])]
    assert sorted(own) == sorted(cast(float, row["at"]) for row in kicks)
    cut = [row for row in told if row.get("interrupted")]
    assert all("kind" not in row for row in cut)
    assert all(int(str(row["missed"])) <= int(str(row["casts"])) for row in cut)


def test_somebody_s_card_is_measured_by_the_own_role() -> None:
    (told,) = dialogue(FRACTILLUS, "what shoud willowi improve")
    assert "Willòwí played damage: 2,067,255 (2 of 24, pets included)" in told
    assert "Active 99.7%" in told
    (two,) = dialogue(FRACTILLUS, "Vespien ou Eruani, qui a fait le meilleur match ?")
    assert "Deux rôles (soigneur, dégâts)" in two


def test_the_worst_pull_is_found_and_stays_the_subject() -> None:
    worst, who = dialogue(NAXX, "which pull was the ugliest", "and who messed up most")
    # In Maexxna's webs nobody could act, so that her pull was not the idlest.
    assert "Worst: Loatheb, pull 6" in worst
    assert "Not ranked, as it was no full try: Patchwerk" in worst
    assert "no log tells" in who


def test_a_kill_is_no_wipe_and_my_bad_is_nobody_s_name() -> None:
    first, second = dialogue(
        NAXX, "why did we wipe on Loatheb", "ok my bad, so what went wrong then"
    )
    assert "was no wipe" in first
    assert "Braisedbrain" not in second.partition("\n\n- ")[0]
    assert "Several pulls" not in second
    assert "Loatheb, pull 6" in second


def test_a_verdict_has_no_norm_and_keeps_the_subject() -> None:
    first, verdict = dialogue(
        NAXX, "uptime des debuffs de Lutoscs sur Loatheb", "c'est bien ou c'est nul ça ?"
    )
    assert "Serpent Sting 14,0" in first
    assert "pas de norme" in verdict
    assert "Serpent Sting 14,0" in verdict


def test_heals_after_damage_are_healing_not_the_healers_damage() -> None:
    _, heals = dialogue(FRACTILLUS, "top 5 dps on fractillus", "heals?")
    assert "Кастиэлка healed the most: 1,815,154" in heals


def test_who_is_no_tank_leaves_the_tanks_out() -> None:
    (told,) = dialogue(FRACTILLUS, "who took the most damage that isnt a tank on fractillus")
    assert "Висмарк" not in told.partition("|")[0]


def test_the_least_is_told_only_where_a_word_asks_for_it() -> None:
    first, least = dialogue(NAXX, "le maître du dps c'est qui ce soir", "et le plus nul ?")
    assert "Braisedbrain a fait le plus de dégâts : 3" in first.partition("|")[0]
    assert "Redzepi a fait le moins de dégâts : 1" in least.partition("|")[0]


def test_the_slowest_after_the_fastest_is_of_all_pulls() -> None:
    fastest, slowest = dialogue(NAXX, "whats our fastest kill", "and the slowest")
    assert "Anub'Rekhan with 46.8 s: pull 1" in fastest
    assert "Loatheb with 2:30: pull 6" in slowest


def test_why_a_pull_was_given_up_is_not_in_a_log() -> None:
    (told,) = dialogue(DIMENSIUS, "pk on a reset dimensius aussi vite")
    assert "Pourquoi, le journal ne le dit pas" in told
    assert "Xamymage" in told


def test_flasks_and_food_are_told_apart_and_potions_by_their_effect() -> None:
    (both,) = dialogue(NAXX, "did everybody flask and eat")
    assert "Flasks and elixirs:" in both
    assert "Food:" in both
    (potions,) = dialogue(NAXX, "was Pingu using potions")
    assert "Pingu (Wild Magic 21:01:42, 21:33:19)" in potions


def test_taunts_are_told_beside_who_was_struck() -> None:
    (told,) = dialogue(NAXX, "le tank a perdu l'aggro sur Patch ou pas ? ya eu des taunts ?")
    assert "Hand of Reckoning – Klownalino à 0,6 s" in told


def test_a_repaired_reply_is_printed_once_where_it_cannot_be_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ruleplay.cli import screens

    written = io.StringIO()
    monkeypatch.setattr(screens.output, "write", written.write)
    page = screens.Page()
    with page.turn():
        page.hear(SimpleNamespace(name="text", body={"text": "Gulag healed 9"}))  # type: ignore[arg-type]
    page.show(SimpleNamespace(spans=()), "Gulag healed 12.")  # type: ignore[arg-type]
    assert written.getvalue() == "Gulag healed 12.\n"


def test_a_boss_whose_killing_blow_has_no_line_fell_to_the_hit_with_overkill() -> None:
    blows = rows("era_1.15.1_raid.txt", "get_tally", measure="kills", by="cast")
    last = [row for row in blows if row["target"] == "Mekgineer Thermaplugg"]
    assert [(row["ability"], str(row["name"]).partition("-")[0]) for row in last] == [
        ("Envenom", "Wauro")
    ]


def test_a_spell_with_a_colon_in_its_name_is_no_pets() -> None:
    asked = {"measure": "damage", "by": "ability", "player_name": "Sury", "without": "pets"}
    told = {row["name"] for row in rows("era_1.15.1_raid.txt", "get_tally", **asked)}
    assert "Shadow Word: Pain" in told
    assert not any(str(name).startswith("Shadowfiend") for name in told)


def test_an_enemy_who_is_no_foe_yet_strikes_no_friend_of_theirs() -> None:
    told = rows("wrath_3.4.0_battleground.txt", "get_tally", measure="damage")
    done = {str(row["name"]).partition("-")[0]: row["total_damage"] for row in told}
    # Landed 108,893 of which 825 overkill, and 19,284 that shields absorbed; a fifth of it while
    # the caster was neutral (flags 0x528).
    assert done["Инакоо"] == 108_893 - 825 + 19_284
