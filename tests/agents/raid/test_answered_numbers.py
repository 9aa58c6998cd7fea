"""Numbers of whole dialogues about real logs, as the answer says them without a model."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_other_clients import nights

from ruleplay.agents.raid.domain.tool_result import NO_ABSORBS
from ruleplay.agents.raid.nodes import _in_focus
from ruleplay.agents.raid.policy.answers import compose
from ruleplay.agents.raid.policy.plan import make_plan
from ruleplay.agents.raid.policy.sentences import Tongue
from ruleplay.agents.raid.state import Answered, State, ToolCalled, ToolReturned
from ruleplay.agents.raid.tools.registry import run_tool
from ruleplay.errors import NotFound

NAXX, ERA = "naxxramas_3.3.5a_part.txt", "era_1.15.1_raid.txt"
FRACTILLUS = "retail_12.0_raid_fractillus_kill.txt"


def dialogue(log: str, *messages: str) -> list[str]:
    """Return what is answered to some messages, one after the other."""
    store, state, replies = nights(log), State(), list[str]()
    code = store.reports.codes()[0]
    for message in messages:
        overview = store.overview(message, code)
        plan = make_plan(message, overview, state)
        found = []
        for place, call in enumerate(plan.wanted_calls, 1):
            args = _in_focus(call.tool, call.args, overview)
            called = ToolCalled(result=f"r{place}", tool=call.tool, args=args)
            found.append(ToolReturned.of(called, run_tool(store.reports, call.tool, args)))
        answer = compose(plan, overview, found)
        replies.append(answer.text)
        people = plan.question.players
        own = {
            "topics": plan.topics,
            "players": people or answer.about,
            "named": people,
            "group": people if len(people) > 4 else (),
            "places": answer.places,
            "me": plan.question.myself,
            "abilities": plan.question.abilities or answer.abilities,
            "led": bool(answer.abilities) and not plan.question.abilities,
        }
        state = state.apply(Answered.model_validate(plan.leaves | own))
    return replies


@pytest.mark.timeout(120)
def test_the_biggest_hit_is_told_in_both_directions() -> None:
    (told,) = dialogue(NAXX, "what was the biggest crit of the raid")
    assert "21,518, Arcane Blast by Morka on Heigan the Unclean" in told
    assert "10,399, Melee on Watary" in told
    for pulls, said in (("what was our best pull", "Best: "), ("worst try tonight", "Worst: ")):
        assert said in dialogue(NAXX, pulls)[0]


@pytest.mark.timeout(120)
def test_a_players_own_ability_is_a_part_of_the_damage_and_hit_somebody() -> None:
    first, part = dialogue(ERA, "who did the most damage", "how much of it was Lava Burst")
    assert "Flakeshock did the most damage: 89,076" in first
    assert "32,552 of 89,076 damage (36.5%) were Lava Burst" in part
    (alone,) = dialogue(ERA, "how much damage did Lava Burst hit for")
    assert "32,552" in alone


@pytest.mark.timeout(120)
def test_shields_are_only_said_to_be_missing_where_the_log_has_none() -> None:
    store = nights(ERA)
    with_shields = run_tool(store.reports, "get_tally", {"measure": "healing"})
    assert NO_ABSORBS not in with_shields.notes
    without = run_tool(nights(NAXX).reports, "get_tally", {"measure": "healing"})
    assert NO_ABSORBS in without.notes


@pytest.mark.timeout(120)
def test_a_blow_with_two_amounts_counts_once_and_pets_are_a_part() -> None:
    (tank,) = dialogue(FRACTILLUS, "how much damage did Висмарк take on Fractillus")
    assert "1,392,597" in tank
    _, pets = dialogue(FRACTILLUS, "who did the most damage", "how much of his was pets")
    assert "1,146,933 of 2,804,430 damage (40.9%)" in pets


@pytest.mark.timeout(120)
def test_what_could_be_avoided_is_inferred_where_no_table_knows_the_boss() -> None:
    (told,) = dialogue(FRACTILLUS, "who took avoidable damage")
    assert "Perhaps avoidable, as it hit few: Tasadin 103,957" in told
    assert "Shattershell 36,159" in told
    (french,) = dialogue(FRACTILLUS, "qui a pris des dégâts évitables ?")
    assert "Peut-être évitable, car peu ont été touchés" in french


@pytest.mark.timeout(120)
def test_a_comparison_says_which_abilities_make_the_difference() -> None:
    (told,) = dialogue(FRACTILLUS, "madgey vs frenezie, who was better and where is the difference")
    assert "ahead of Frénézie (1,263,170) by 497,671" in told
    assert "Frost Splinter 214,512 / 0" in told
    assert "Shatter 425,514 / 250,651" in told
    assert "[r1] [r2] [r3]" in told
    assert "Brunix" not in told


@pytest.mark.timeout(120)
def test_a_pronoun_of_a_pull_is_its_boss() -> None:
    _, why = dialogue(NAXX, "top 3 dps on faerlina?", "why did we wipe on her the first time tho")
    assert "was no wipe" in why
    assert "Braisedbrain" not in why.partition("\n\n- ")[0]


@pytest.mark.timeout(120)
def test_who_has_none_of_what_is_compared_has_none() -> None:
    (neither,) = dialogue(NAXX, "Morka or Pingu, who took more on heigan")
    assert "no damage taken (Morka, Pingu)" in neither
    assert "Watary" not in neither.partition("|")[0]
    (one,) = dialogue(NAXX, "Watary or Pingu, who took more on heigan")
    assert "Watary took more than Pingu, by 53,950" in one


def test_a_night_s_first_death_may_be_between_the_pulls() -> None:
    first, again = dialogue(NAXX, "qui est mort le premier ce soir ?", "et qui l'a ressuscité")
    assert "Redzepi à 21:04:04" in first
    assert "ressuscité par Gulag" in again


def test_several_of_a_class_are_no_ability() -> None:
    (told,) = dialogue(NAXX, "compare redz and nule, both locks")
    assert ") is ahead of Redzepi (" in told
    assert "Lock and Load" not in told


def test_a_parse_is_said_to_be_in_no_log() -> None:
    (told,) = dialogue(ERA, "so who had the highest parse")
    assert "Flakeshock" in told
    assert "which no log has" in told


def test_potions_are_known_by_what_they_do() -> None:
    (told,) = dialogue(NAXX, "which potions did people drink")
    assert "Braisedbrain (Wild Magic" in told
    assert "Klownalino (Speed" in told


@pytest.mark.timeout(120)
def test_a_flask_that_only_the_list_at_the_pull_shows_was_drunk() -> None:
    (told,) = dialogue(FRACTILLUS, "Qui n'avait pas de flacon sur Fractillus ?")
    had, _, lacked = told.partition("Pas vu")
    assert "Côkinne (Flask of Tempered Versatility)" in had
    assert "Eruani (Flask of Alchemical Chaos)" in had
    assert "Baynn" in had
    assert "Côkinne" not in lacked


@pytest.mark.timeout(120)
def test_swings_that_missed_went_at_somebody_too() -> None:
    (told,) = dialogue(NAXX, "who tanked Anub")
    assert "with 23 of the boss's 23 swings" in told


@pytest.mark.timeout(120)
def test_a_cast_that_only_shows_as_begun_is_not_cancelled() -> None:
    store = nights(NAXX)
    pulls = run_tool(store.reports, "list_pulls", {}).rows
    loatheb = next(row["fight"] for row in pulls if row["encounter"] == "Loatheb")
    rows = run_tool(store.reports, "get_cancelled_casts", {"fight_id": loatheb}).rows
    wrath = next(row for row in rows if row["ability"] == "Wrath")
    assert (wrath["started"], wrath["finished"], wrath["cancelled"]) == (42, 42, 0)


def test_no_other_report_stands_in_for_one_that_is_not_there() -> None:
    with pytest.raises(NotFound, match="there is no report 'gone'; imported: "):
        nights(NAXX).overview("who died?", "gone")


@pytest.mark.timeout(120)
def test_a_channel_is_no_pause_and_a_web_is_nobody_s_idleness() -> None:
    reports = nights(NAXX).reports
    (warlock,) = run_tool(
        reports, "get_activity_report", {"fight_id": "4", "player_name": "Nule"}
    ).rows
    # Drain Soul ticked from 52.7 s to 60.2 s, which was the best damage of the pull.
    assert warlock["longest_gap_seconds"] == 2.5
    (mage,) = run_tool(
        reports, "get_activity_report", {"fight_id": "3", "player_name": "Braisedbrain"}
    ).rows
    assert mage["longest_gap_seconds"] < 3
    avoided = run_tool(reports, "get_avoidable_damage", {"fight_id": "3"}).rows
    assert "Web Wrap" not in {row["ability"] for row in avoided}


@pytest.mark.timeout(120)
def test_what_cheats_death_heals_nobody() -> None:
    reports = nights("retail_12.0_raid_dimensius_two_short_wipes.txt").reports
    healed = {
        str(row["name"]).partition("-")[0]: row["healing"]
        for row in run_tool(reports, "get_tally", {"measure": "healing"}).rows
    }
    assert healed["Baynn"] == 4_135
    assert healed["Кастиэлка"] == 496_266


DIMENSIUS = "retail_12.0_raid_dimensius_two_short_wipes.txt"


@pytest.mark.timeout(180)
def test_of_resets_it_is_said_that_they_tell_little_and_rates_are_of_what_was_fought() -> None:
    (told,) = dialogue(DIMENSIUS, "who's best dps on dimensius")
    assert "Little to go by" in told
    assert "8,718 dps" in told
    _, second = dialogue(
        DIMENSIUS, "on était a combien de % sur dimensius au mieux", "et le deuxieme try, mieux ?"
    )
    assert "100.0 %" in second.replace(",", ".")
    assert "94.9 %" in second.replace(",", ".")
    outcome = run_tool(nights(DIMENSIUS).reports, "get_wipe_causes", {"fights": "1-2"})
    assert not outcome.rows
    assert "pull 1 (reset, 21.0 s, deaths 0), pull 2 (reset, 21.0 s, deaths 1)" in outcome.notes[-1]


@pytest.mark.timeout(180)
def test_a_boss_s_ability_is_told_by_whom_it_hit_and_the_worst_took_most() -> None:
    (told,) = dialogue(DIMENSIUS, "show me devour damage per player, worst first")
    assert "Frénézie 63,698" in told
    assert told.index("Frénézie") < told.index("Mádgéy")


@pytest.mark.timeout(180)
def test_of_all_whom_something_hit_the_first_are_named_and_none_is_elided_wrongly() -> None:
    (told,) = dialogue(FRACTILLUS, "who ate the most shockwaves on Fractillus?")
    assert "and 17 more" in told
    assert "Côkinne" not in told
    asked = "qui a coupé quoi sur thermojoncteur", "et wauro il en a fait combien"
    assert "n'a pas d'interruptions (Wauro)" in dialogue(ERA, *asked)[1]


@pytest.mark.timeout(180)
def test_who_was_held_and_for_how_long() -> None:
    (told,) = dialogue(NAXX, "qui s'est pris les toiles sur Maexna")
    assert "Braisedbrain pendant 5,9 s, dès 19,8 s" in told


@pytest.mark.timeout(180)
def test_nothing_known_is_no_good_news() -> None:
    (worn,) = dialogue(NAXX, "is Klownalino missing enchants or gems")
    assert worn.startswith("Not known")
    (hurt,) = dialogue(NAXX, "pourquoi on a wipe sur patchwerk")
    assert "aucun d'après le journal" not in hurt
    assert "n'a pas été un wipe" not in hurt
    assert "unfinished" not in hurt


@pytest.mark.timeout(180)
def test_last_seconds_of_somebody_who_died_are_those_before_the_death() -> None:
    (told,) = dialogue(ERA, "what killed flakeshock right at the end? talk me through last 5 secs")
    assert "did not die" not in told
    assert "3 s before, High Voltage! (Environment) 1,195" in told


@pytest.mark.timeout(180)
def test_a_part_of_an_ability_s_name_stands_for_it() -> None:
    reports = nights(FRACTILLUS).reports
    found = run_tool(reports, "get_tally", {"measure": "uptime", "ability": "Flask"}).rows
    assert "Flask of Tempered Aggression" in {row["ability"] for row in found}
    by_id = run_tool(reports, "get_tally", {"measure": "taken", "ability": "1227373"}).rows
    by_name = run_tool(reports, "get_tally", {"measure": "taken", "ability": "Shattershell"}).rows
    assert by_id == by_name != ()


@pytest.mark.timeout(180)
def test_uptimes_are_of_all_pulls_where_none_is_named() -> None:
    (told,) = dialogue(NAXX, "who kept faerie fire up on bosses")
    assert "Loatheb 99.7%" in told
    assert "Anub'Rekhan 99.8%" in told


@pytest.mark.timeout(180)
def test_two_pulls_compared_get_a_verdict() -> None:
    (told,) = dialogue(NAXX, "compare anub et faerlina, on a été plus propre sur lequel")
    assert told.startswith("**Plus propre : Grand Widow Faerlina")


@pytest.mark.timeout(180)
def test_only_another_measure_keeps_whom_was_spoken_of() -> None:
    _, told = dialogue(
        NAXX, "heilung auf loatheb wer war vorne? gulag oder inwaves", "nur overheal bitte"
    )
    assert "Watary" not in told
    assert "81,3" in told
    assert "overhealing" not in told


@pytest.mark.timeout(120)
def test_how_low_somebody_got_is_told_and_whether_that_was_near_death() -> None:
    _, near = dialogue(FRACTILLUS, "I'm Висмарк, let's look at the kill", "did i nearly die?")
    assert near.startswith("**Yes. Висмарк (you) got as low as 20.9% of health at 31.6 s")
    found = run_tool(nights(NAXX).reports, "get_lowest_health", {})
    assert not found.rows
    assert "health" in found.notes[0]


@pytest.mark.timeout(120)
def test_what_was_put_on_before_a_pull_is_up_in_sums_too_and_heroism_is_one_look() -> None:
    reports = nights(NAXX).reports
    flasks = {"measure": "uptime", "ability": "Flask", "fights": "1"}
    up = run_tool(reports, "get_tally", flasks).rows
    assert {row["uptime_percent"] for row in up} == {100.0}
    assert len(up) == 6
    lust = run_tool(reports, "get_bloodlust_timing", {})
    assert [row["fight"] for row in lust.rows] == [1, 3, 5, 7]
    assert "pull 2 (Grand Widow Faerlina)" in lust.notes[0]


@pytest.mark.timeout(120)
def test_whom_an_ability_hit_is_answered_first_and_pets_stand_apart() -> None:
    (told,) = dialogue(ERA, "who ate the most High Voltage!")
    assert told.startswith("**Giefwater took the most of High Voltage!: 3,639 (5 hits)")
    assert "Grepe 3,501 (7 hits)" in told
    (often,) = dialogue(ERA, "who got hit by High Voltage! most often")
    assert often.startswith("**High Voltage! hit Grepe most often: 3,501 (7 hits)")
    assert "Giefwater took the most damage of it: 3,639" in often
    (fire,) = dialogue(NAXX, "who got hit by Rain of Fire on Faerlina")
    assert "Of all players 8,962 in 57 hits, 1,120 on average" in fire
    assert "(49 of them absorbed whole (" in fire
    assert "To 4 pets it did 8,790" in fire
    _, foe = dialogue(NAXX, "On regarde Patchwerk", "les hateful c sur qui")
    assert "Hateful Strike a touché Klownalino" in foe


@pytest.mark.timeout(120)
def test_the_first_of_several_pulls_is_the_first_and_deaths_elsewhere_name_their_pull() -> None:
    asked = ("how many pulls on dimensius", "why the first then? nobody died")
    assert "pull 1 (reset" in dialogue(DIMENSIUS, *asked)[1]
    _, other = dialogue(DIMENSIUS, "who died on pull 2", "and on pull 1, did Xamymage die there?")
    assert other.startswith("**No. Xamymage did not die")
    assert "All-Devouring, pull 2, 23:29:24" in other
    _, healers = dialogue(
        DIMENSIUS, "why did Xamymage die on pull 2", "could the healers have saved him"
    )
    assert "No: even at full health, about 90,200" in healers


@pytest.mark.timeout(120)
def test_who_was_second_is_the_second() -> None:
    _, second, his = dialogue(
        NAXX, "who did the most damage on loatheb", "who was second?", "what did he overheal?"
    )
    assert second.startswith("**Ragyo was number 2: 1,027,758")
    assert his.startswith("**Ragyo: overhealing")


@pytest.mark.timeout(120)
def test_who_writes_is_kept_and_stands_beside_who_is_named() -> None:
    _, versus = dialogue(
        NAXX, "I'm Gulag, let's look at Loatheb", "how much did i heal here vs inwaves"
    )
    assert "Inwaves is ahead of Gulag (you) by 5,368" in versus
    assert "overhealing 81.3%" in versus
    (gone,) = dialogue(DIMENSIUS, "was Willowi there?")
    assert gone.startswith("No: nobody called Willowi is in this log.")


def test_one_of_what_ends_in_y_is_no_ie() -> None:
    assert "1 try:" in Tongue("en").say("not_killed", boss="Patchwerk", n=1, list="1")
    assert "11 tries:" in Tongue("en").say("not_killed", boss="Patchwerk", n=11, list="1")
