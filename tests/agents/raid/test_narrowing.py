"""Parts of a pull, what is left out, and two questions in one message."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleplay.agents.raid.adapters.demo import ensure_demo
from ruleplay.agents.raid.adapters.nights import Nights, open_nights
from ruleplay.agents.raid.domain.moments import cut_part, read_part
from ruleplay.agents.raid.domain.omissions import cut_omissions
from ruleplay.agents.raid.domain.overview import Member, Night, Overview, PullSummary
from ruleplay.agents.raid.policy.lookups import Plan
from ruleplay.agents.raid.policy.messages import parted
from ruleplay.agents.raid.policy.plan import make_plan
from ruleplay.agents.raid.state import State
from ruleplay.agents.raid.tools.registry import run_tool

NIGHT = Night(
    code="abc123",
    title="a night",
    pulls=(
        PullSummary(fight=1, name="Patchwerk", kill=False, ended="wipe", seconds=100),
        PullSummary(fight=2, name="Patchwerk", kill=True, ended="kill", seconds=200),
        PullSummary(fight=3, name="Maexxna", kill=True, ended="kill", seconds=90),
    ),
    members=(
        Member(name="Thrandor", class_name="Warrior", spec="Protection", role="tank"),
        Member(name="Elyne", class_name="Priest", spec="Holy", role="healer"),
        Member(name="Mirael", class_name="Mage", spec="Fire", role="damage"),
        Member(name="Kickoo", class_name="Rogue", spec="Combat", role="damage"),
    ),
)
WORLD = Overview(night=NIGHT)


def planned(text: str, state: State | None = None, **names: tuple[str, ...]) -> Plan:
    night = NIGHT.model_copy(update=dict(names))
    return make_plan(text, WORLD.model_copy(update={"night": night}), state or State())


@pytest.mark.parametrize(
    "text",
    [
        "bottom of the dps, not counting heals n tanks?",
        "who did the least damage without the tanks and healers",
        "qui fait le moins de dégâts sans les tanks et les heals",
    ],
)
def test_roles_left_out_are_neither_asked_about_nor_pets(text: str) -> None:
    before = State(report="abc123", fight=2, measure="damage", shape="amount", language="en")
    before = before.model_copy(update={"players": ("Mirael",), "named": ("Mirael",)})
    plan = planned(text, before, pets=("Healing Stream Totem",))
    assert (plan.heard.measure, plan.heard.shape, plan.also) == ("damage", "least", ())
    assert {*plan.question.left_out} == {"healer", "tank"}
    assert (plan.question.players, plan.question.without) == ((), ())


def test_sums_by_pull_say_that_roles_are_still_in_them() -> None:
    (told,) = planned("damage per boss not counting the tanks").asks
    assert "tanks" in told


@pytest.mark.parametrize(
    "text",
    [
        "what was the biggest hit by one of us. number, who, which boss",
        "le plus gros coup de l'un de nous ? combien, qui, quel boss",
    ],
)
def test_a_list_of_what_to_tell_belongs_to_its_question(text: str) -> None:
    plan = planned(text)
    assert (plan.heard.shape, plan.question.text) == ("hit", text)


def test_the_longest_and_the_shortest_are_both_told() -> None:
    plan = planned("which kill was the fastest? and the slowest one")
    assert [one.fights for one in (plan, *plan.also)] == [(3,), (2,)]


def test_who_fell_first_is_asked_of_the_try_that_was_lost() -> None:
    assert planned("who died first on Patchwerk").fights == (1,)


def test_the_boss_that_was_lost_is_one_of_those_just_shown() -> None:
    shown = State(report="abc123", pulls=(1, 3), measure="deaths", shape="count", language="en")
    assert planned("and the boss we wiped on, which was that", shown).fights == (1, 3)


@pytest.mark.parametrize(
    ("text", "part", "rest"),
    [
        ("who led in the first minute", "0-60", "who led"),
        ("dégâts dans les 30 premières secondes", "0-30", "dégâts"),
        ("Schaden in den ersten zwei Minuten", "0-120", "Schaden"),
        ("damage in the last 20 secs", "last 20", "damage"),
        ("who died after 1:30", "90-", "who died"),
        ("qui a soigné avant 2 min", "0-120", "qui a soigné"),
        ("heals between 30s and 1:00", "30-60", "heals"),
        ("who led in p2", "phase 2", "who led"),
        ("after the second phase who was on top", "after phase 2", "who was on top"),
        ("who died after the first 15 seconds", "15-", "who died"),
        ("who died first", "", "who died first"),
        ("damage on the second try", "", "damage on the second try"),
    ],
)
def test_a_part_of_a_pull_is_read_and_its_words_go(text: str, part: str, rest: str) -> None:
    assert cut_part(text) == (part, rest)
    assert not part or read_part(part)


@pytest.mark.parametrize(
    ("text", "names", "rest"),
    [
        ("dps without pets", ("pets",), "dps"),
        ("best dps, no pets", ("pets",), "best dps,"),
        ("top 3 dégâts sans les familiers stp", ("pets",), "top 3 dégâts stp"),
        ("damage without the army", ("pets",), "damage"),
        ("heals without the tranq", ("Tranquility",), "heals"),
        ("Mirael's dmg without the ghouls", ("Risen Ghoul",), "Mirael's dmg"),
        ("what hit us hardest, minus melee swings", ("Melee",), "what hit us hardest,"),
        ("damage except Mirael", ("Mirael",), "damage"),
        ("who took most besides the tanks", (), "who took most besides the tanks"),
        (
            "thats without the pet? what did the pet do",
            (),
            "thats without the pet? what did the pet do",
        ),
        ("did we do it without dying", (), "did we do it without dying"),
    ],
)
def test_what_is_left_out_is_read(text: str, names: tuple[str, ...], rest: str) -> None:
    known = {"abilities": ("Tranquility",), "pets": ("Risen Ghoul",)}
    assert cut_omissions(text, NIGHT.model_copy(update=known)) == (names, rest)


def test_part_and_omission_reach_the_tool_and_stay_for_the_follow_up() -> None:
    plan = planned("who did most damage on Maexxna without pets in the first 30 seconds")
    args = plan.calls[0].args
    assert (args["part"], args["without"], args["fights"]) == ("0-30", "pets", "3")
    before = State(
        report="abc123", fight=3, measure="damage", shape="most", part="0-30", without=("pets",)
    )
    assert planned("and Kickoo?", before).calls[0].args["part"] == "0-30"
    assert "without" not in planned("and with pets?", before).calls[0].args


def test_a_number_alone_is_of_the_seconds_spoken_of() -> None:
    before = State(report="abc123", fight=3, measure="damage", shape="most", part="0-30")
    assert planned("and the last 20?", before).calls[0].args["part"] == "last 20"


def test_those_left_out_are_not_who_is_ranked() -> None:
    before = State(report="abc123", fight=3, measure="damage", shape="least")
    plan = planned("and the least without the healers", before)
    assert (plan.question.only, plan.question.left_out) == ((), ("healer",))


def test_an_ability_of_the_boss_by_pull_is_what_was_taken() -> None:
    plan = planned("which of the two Patchwerk pulls had more devour damage", abilities=("Devour",))
    assert [call.args["measure"] for call in plan.calls] == ["damage", "taken"]


def test_what_is_left_out_and_unknown_is_said() -> None:
    plan = planned("damage on Maexxna without the zorblax")
    assert "zorblax" in plan.asks[-1]
    assert not planned("damage on Maexxna without the tanks").asks


def test_a_pet_is_known_by_a_word_like_its_name() -> None:
    night = NIGHT.model_copy(update={"pets": ("Risen Ghoul", "Water Elemental")})
    assert cut_omissions("Schaden ohne Ghule", night)[0] == ("Risen Ghoul",)


def test_what_cannot_be_narrowed_says_so() -> None:
    plan = planned("which debuffs were on Maexxna in the first minute")
    assert not plan.question.part
    assert "cannot be narrowed" in plan.asks[-1]


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("who took the most damage on Maexxna and who overhealed most", ("taken", "overheal")),
        (
            "qui est mort en premier sur Patchwerk et qui a fait le plus de dégâts",
            ("deaths", "damage"),
        ),
        ("wer hat am meisten geheilt und wer ist zuerst gestorben", ("healing", "deaths")),
        ("who kicked? and who dispelled?", ("interrupts", "dispels")),
        ("damage of Mirael and Kickoo", ("damage",)),
        ("sorry, dumb q, who died first? felt like ages", ("deaths",)),
        ("fais un résumé, 3 lignes max, et dis si la BL est partie", ("overview", "lust")),
        ("on which boss was it longest, and which was fastest?", ("duration", "duration")),
        ("Maexxna elle a duré combien et qui le premier en dégâts", ("duration", "damage")),
        ("healing on Maexxna, what is it between Elyne and Mirael?", ("healing",)),
        ("heals on Maexxna, who carried", ("healing",)),
        ("who healed Thrandor and Mirael", ("healing",)),
    ],
)
def test_two_questions_of_one_message_are_both_planned(
    text: str, measures: tuple[str, ...]
) -> None:
    plan = planned(text)
    asked = [one for one in (plan, *plan.also) if not one.instead]
    assert tuple(one.heard.measure for one in asked) == measures


def test_what_is_not_understood_beside_a_question_is_said() -> None:
    plan = planned("who died first? also unrelated but how do i turn on advanced logging")
    assert (plan.heard.measure, len(plan.left)) == ("deaths", 1)


@pytest.mark.parametrize(
    "text",
    [
        "les kicks svp. qui a coupé quoi, et Kickoo il en a fait combien",
        "who interrupted what, and how many did Kickoo do",
    ],
)
def test_a_second_question_that_names_no_measure_goes_on_with_the_first(text: str) -> None:
    plan = planned(text)
    asked = [one for one in (plan, *plan.also) if not one.instead]
    told = [(one.heard.measure, one.question.players) for one in asked]
    assert told == [("interrupts", ()), ("interrupts", ("Kickoo",))]
    assert not plan.left


def test_what_happened_asks_why_of_the_death_just_named() -> None:
    plan = planned("lol so Kickoo actually died on Maexxna?? what the hell happened we had it")
    assert (plan.heard.measure, plan.also) == ("deaths", ())
    assert "get_death_analysis" in {call.tool for call in plan.calls}


def test_both_are_about_the_boss_that_one_of_them_names() -> None:
    plan = planned("who died first and who did the most damage on Patchwerk")
    assert [one.question.bosses for one in (plan, *plan.also)] == [("Patchwerk",)] * 2


def test_a_follow_up_asks_both_again() -> None:
    before = State(
        report="abc123", fight=2, measure="taken", shape="most", also=(("overheal", "most"),)
    )
    plan = planned("same on Maexxna", before)
    assert [one.heard.measure for one in (plan, *plan.also)] == ["taken", "overheal"]
    assert {one.fights for one in (plan, *plan.also)} == {(3,)}


def test_one_question_with_an_and_stays_one() -> None:
    assert len(parted("how long was the pull and the run back", NIGHT)) == 1


def test_a_flood_of_questions_is_not_looked_through() -> None:
    assert len(parted("who died and who healed most? " * 400, NIGHT)) == 1


def test_a_beginning_of_a_name_is_enough_beside_a_boss() -> None:
    assert planned("thrand vs mirae on Maexxna, damage").question.players == ("Thrandor", "Mirael")


def test_a_second_question_of_its_own_is_no_follow_up() -> None:
    plan = planned("first death on the Patchwerk kill and how many tries did we need")
    assert [one.heard.measure for one in (plan, *plan.also)] == ["deaths", "pulls"]


def test_an_omission_alone_adds_to_the_question_before() -> None:
    before = State(report="abc123", fight=3, measure="damage", shape="least")
    plan = planned("without his pets too pls", before)
    assert (plan.heard.measure, plan.calls[0].args["without"]) == ("damage", "pets")


def test_a_role_narrows_a_rank() -> None:
    assert planned("which of our healers overhealed least").question.only == ("healer",)
    assert planned("who healed the tanks most on Maexxna").question.only == ()


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Nights:
    home: Path = tmp_path_factory.mktemp("home")
    ensure_demo(home)
    return open_nights(home)


def total(nights: Nights, **args: str) -> int:
    told = run_tool(nights.reports, "get_tally", {"measure": "damage", "fights": "1", **args})
    assert not told.problem
    return sum(int(str(row["total_damage"])) for row in told.rows)


def test_parts_of_a_pull_add_up_to_the_whole(nights: Nights) -> None:
    begun, rest = total(nights, part="0-30"), total(nights, part="30.001-")
    assert 0 < begun < total(nights) == begun + rest


def test_what_is_left_out_is_missing_from_the_sum(nights: Nights) -> None:
    told = run_tool(
        nights.reports, "get_tally", {"measure": "damage", "by": "ability", "fights": "1"}
    )
    first = next(row for row in told.rows if row["name"] != "Melee")
    left = total(nights) - total(nights, without=str(first["name"]))
    assert left == first["total_damage"]


def test_how_many_is_no_second_question() -> None:
    (only,) = parted("who used potions and how many?", NIGHT)
    assert only.text == "who used potions and how many?"


MATCHES = NIGHT.model_copy(
    update={
        "pulls": tuple(
            PullSummary(fight=at, name="Arena", kill=False, ended="won", seconds=60)
            for at in (1, 2)
        ),
        "members": (
            Member(name="Elyne", class_name="Priest", pulls=(1, 2)),
            Member(name="Mirael", class_name="Mage", pulls=(1,)),
            Member(name="Brakk", class_name="Warrior", pulls=(2,), foe=True),
        ),
    }
)


def planned_of_matches(text: str) -> Plan:
    return make_plan(text, Overview(night=MATCHES), State())


@pytest.mark.parametrize(
    ("text", "fights", "players"),
    [
        ("who died first in the match with Mirael", (1,), ()),
        ("who did the most damage in the game against Brakk", (2,), ()),
        ("qui a soigné le plus dans la partie contre Brakk", (2,), ()),
        ("how much damage did Mirael do", (1, 2), ("Mirael",)),
    ],
)
def test_a_match_is_named_by_who_was_in_it(
    text: str, fights: tuple[int, ...], players: tuple[str, ...]
) -> None:
    plan = planned_of_matches(text)
    assert plan.question.players == players
    assert {*plan.fights} <= {*fights}


@pytest.mark.parametrize(
    "text", ["damage in match 2, both teams", "dégâts par équipe", "damage per side"]
)
def test_both_sides_of_a_match_are_told_apart(text: str) -> None:
    plan = planned_of_matches(text)
    assert plan.heard.measure == "damage"
    assert [one.asks[-1] for one in (plan, *plan.also)] in (
        ["Your side:", "The other side:"],
        ["De ton côté :", "En face :"],
    )
    assert planned("damage on both sides").also == ()


def test_an_ability_that_hit_the_writer_is_asked_for_as_taken() -> None:
    state = State(report="abc123", fight=2, me="Mirael", measure="adds", language="en")
    plan = planned("did Fissure get me more than the adds?", state, abilities=("Fissure",))
    assert plan.heard.measure == "taken"
    assert (plan.question.players, plan.question.targets) == (("Mirael",), ())


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("the maexxna kill, did we lose anyone? and how long was it", ["deaths", "duration"]),
        ("maexxna run, who died and how long did it take", ["deaths", "duration"]),
        ("le try de maexxna, qui est mort et ça a duré combien", ["deaths", "duration"]),
    ],
)
def test_a_lead_that_only_names_the_boss_hides_no_question(text: str, asked: list[str]) -> None:
    plan = planned(text)
    assert [one.heard.measure for one in (plan, *plan.also)] == asked
    assert {one.fights for one in (plan, *plan.also)} == {(3,)}


def test_a_boss_that_is_left_out_is_no_lead() -> None:
    assert len(parted("not counting maexxna, who died", NIGHT)) == 1
    assert parted("not counting maexxna, who died", NIGHT)[0].text.startswith("not counting")
