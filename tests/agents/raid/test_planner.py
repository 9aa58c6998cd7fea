"""Questions in many wordings become measures, pulls, players and tool calls."""

from __future__ import annotations

import pytest

from ruleplay.agents.raid.domain.overview import Member, Night, Overview, PullSummary, Report
from ruleplay.agents.raid.domain.questions import Question, read
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.forms import TOPICS, form_of
from ruleplay.agents.raid.policy.hearing import Heard
from ruleplay.agents.raid.policy.lookups import CALLS, Plan
from ruleplay.agents.raid.policy.plan import make_plan
from ruleplay.agents.raid.policy.workflows import WORKFLOWS
from ruleplay.agents.raid.state import State
from ruleplay.hearing.classifier import load

MAULGAR, GRUUL, MAGTHERIDON = "High King Maulgar", "Gruul the Dragonkiller", "Magtheridon"
TRIES = (
    *((MAULGAR, True), (GRUUL, False), (GRUUL, False), (GRUUL, True)),
    *((MAGTHERIDON, False), (MAGTHERIDON, False)),
)
NIGHT = Night(
    code="abc123",
    title="a night",
    owner="Mirael-Thunderstrike",
    pulls=tuple(
        PullSummary(
            fight=at,
            name=name,
            kill=kill,
            ended="kill" if kill else "wipe",
            seconds=100,
            boss_hp=None if kill else at / 10,
        )
        for at, (name, kill) in enumerate(TRIES, 1)
    ),
    members=(
        Member(name="Thrandor-Thunderstrike", class_name="Warrior", role="tank"),
        Member(name="Élyne-Thunderstrike", class_name="Priest", role="healer"),
        Member(name="Kickoo-Thunderstrike", class_name="Rogue", role="damage"),
        Member(name="Mirael-Thunderstrike", class_name="Mage", spec="Fire", role="damage"),
    ),
)
WORLD = Overview(
    reports=(
        Report(code="abc123", title="a night"),
        Report(code="0ddba11", title="b", bosses=("Gruul the Dragonkiller",)),
    ),
    night=NIGHT,
)


def planned(message: str, state: State | None = None) -> Plan:
    return make_plan(message, WORLD, state or State())


@pytest.mark.parametrize(
    ("message", "measure", "fights"),
    [
        ("Why did we wipe?", "cause", (6,)),
        ("why did we wipe on gruul", "cause", (3,)),
        ("Pourquoi on a wipe sur Gruul ?", "cause", (3,)),
        ("Who died first on pull 2 and what killed them?", "deaths", (2,)),
        ("Qui est mort en premier au pull 3 ?", "deaths", (3,)),
        ("What killed Mirael on pull 2?", "deaths", (2,)),
        ("Who took the most avoidable damage on our best attempt on Gruul?", "avoidable", (2,)),
        ("Qui a pris des dégâts évitables ?", "avoidable", (6,)),
        ("How many interrupts did we miss on the first try on Gruul?", "interrupts", (2,)),
        ("Who dispelled the most on pull 2?", "dispels", (2,)),
        ("Who had no flask on the Gruul kill?", "consumables", (4,)),
        ("missing enchants or gems?", "enchants", (6,)),
        ("Unused cooldowns of Kickoo on pull 3", "cooldowns", (3,)),
        ("when was bloodlust on pull 3?", "lust", (3,)),
        ("Why is Mirael's damage low on pull 4?", "damage", (4,)),
        ("Mirael vs Kickoo on pull 4", "performance", (4,)),
        ("Elyne's overheal on pull 4?", "overheal", (4,)),
        ("healer mana", "mana", (6,)),
        ("Sunder Armor uptime on Maulgar", "auras", (1,)),
        ("When did the adds die?", "adds", (6,)),
        ("Three fixes for the next pull", "advice", (6,)),
        ("How long did the Gruul kill take?", "duration", (4,)),
        ("top dps on pull 4", "damage", (4,)),
        ("how did we do tonight?", "overview", (1, 2, 3, 4, 5, 6)),
        ("Compare this week and last week", "week", (6,)),
        ("wer hat bei Gruul am meisten Schaden gemacht", "damage", (4,)),
        ("wie lange hat Maulgar gedauert", "duration", (1,)),
        ("qui a pull Maulgar ?", "puller", (1,)),
        ("did Mirael pull his weight on pull 4", "performance", (4,)),
    ],
)
def test_a_question_is_understood(message: str, measure: str, fights: tuple[int, ...]) -> None:
    plan = planned(message)
    assert plan.heard.measure == measure
    assert plan.fights == fights
    assert plan.calls


@pytest.mark.parametrize("message", ["write me a poem", "?", "thanks", "le chat est noir"])
def test_what_is_no_question_about_a_raid_calls_nothing(message: str) -> None:
    assert planned(message).calls == ()


def test_every_measure_has_a_form_or_a_workflow_of_real_tools() -> None:
    measures = load("ruleplay.agents.raid", "reader.bin").heads["measure"]
    everyone = tuple(member.name for member in NIGHT.members[:2])
    for measure in {*measures} - {"none", "unlogged", "threat"}:
        question = Question(text="", players=everyone, abilities=("Sunder Armor",))
        form = form_of(Heard(measure=measure, shape="who"), question, NIGHT, State())
        tools = {form.tool} if form.name else set()
        for topic in TOPICS.get(measure, (measure,)) if not form.name else ():
            tools |= set(WORKFLOWS[topic].tools)
        assert tools, measure
        assert tools <= set(BY_NAME), measure


@pytest.mark.parametrize("topic", sorted(WORKFLOWS))
def test_planned_arguments_are_the_tools_own(topic: str) -> None:
    from ruleplay.agents.raid.policy.lookups import _calls

    players = tuple(member.name for member in NIGHT.members[:2])
    question = Question(text="", topics=(topic,), players=players)
    calls = list(_calls(question, NIGHT, (3,)))
    assert calls
    for call in calls:
        BY_NAME[call.tool].arguments.model_validate(call.args)


def test_players_are_named_in_any_case_and_accent_and_never_inside_words() -> None:
    assert read("how did elyne and KICKOO do", WORLD).players == (
        "Élyne-Thunderstrike",
        "Kickoo-Thunderstrike",
    )
    assert read("kickoos damage", WORLD).players == ("Kickoo-Thunderstrike",)
    assert read("kickoox and superkickoo", WORLD).players == ()


def test_a_player_whose_name_is_a_word_asks_nothing_by_it() -> None:
    member = Member(name="Flask-Thunderstrike")
    night = NIGHT.model_copy(update={"members": (*NIGHT.members, member)})
    world = WORLD.model_copy(update={"night": night})
    assert make_plan("Flask's damage?", world, State()).heard.measure == "damage"


def test_a_pull_that_is_not_there_is_said() -> None:
    plan = planned("who died on pull 99")
    assert plan.fights == ()
    assert any("no pull 99" in line for line in plan.asks)


def test_a_follow_up_overrides_only_what_it_names() -> None:
    focus = State(report="abc123", fight=3, measure="deaths", shape="first", topics=("deaths",))
    assert planned("Who took avoidable damage?", focus).fights == (3,)
    again = planned("and on pull 4?", focus)
    assert (again.heard.measure, again.heard.shape, again.fights) == ("deaths", "first", (4,))
    taken = focus.model_copy(update={"measure": "taken", "abilities": ("Cave In",)})
    other = planned("and on Gruul?", taken)
    assert (other.heard.measure, other.question.abilities) == ("taken", ("Cave In",))
    one = planned("and Kickoo?", State(report="abc123", fight=3, measure="damage", topics=("x",)))
    assert (one.heard.measure, one.fights) == ("damage", (3,))
    assert one.question.players == ("Kickoo-Thunderstrike",)


def test_i_am_the_one_who_logged() -> None:
    plan = planned("how was my dps on the last kill")
    assert plan.question.players == ("Mirael-Thunderstrike",)
    assert plan.fights == (4,)


def test_what_is_not_understood_offers_what_may_be_meant_and_keeps_the_subject() -> None:
    plan = planned("gruul xyzzy frobnicate quux grault plugh waldo thud")
    assert not plan.calls
    assert "Gruul the Dragonkiller" in plan.asks[0]
    assert plan.asks[0].endswith("?")


def test_a_whole_night_looks_at_every_pull_with_the_first_tool_only() -> None:
    plan = planned("who took avoidable damage tonight?")
    looked = ["get_avoidable_damage"] * len(TRIES)
    assert [call.tool for call in plan.calls] == ["get_tally", *looked]


def test_a_plan_is_bounded() -> None:
    plan = planned("deaths damage healing dispels interrupts enchants buffs phases tonight")
    assert plan.asks or 0 < len(plan.calls) <= CALLS


def test_why_a_kill_was_lost_is_answered_by_what_it_was() -> None:
    told = planned("why did we wipe on maulgar")
    assert any("was no wipe" in line for line in told.asks)
    assert (told.form, told.fights) == ("story", (1,))


@pytest.mark.parametrize(
    ("message", "tool", "fights"),
    [
        ("how many wipes tonight", "list_pulls", (1, 2, 3, 4, 5, 6)),
        ("combien de try sur gruul", "list_pulls", (2, 3, 4)),
        ("wie oft sind wir bei gruul gewiped", "list_pulls", (2, 3, 4)),
        ("who died tonight", "get_night_deaths", (1, 2, 3, 4, 5, 6)),
        ("who did the most damage tonight", "get_tally", (1, 2, 3, 4, 5, 6)),
    ],
)
def test_several_pulls_are_told_at_once(message: str, tool: str, fights: tuple[int, ...]) -> None:
    plan = planned(message)
    assert (plan.calls[0].tool, plan.fights) == (tool, fights)


def test_what_no_log_tells_is_said_and_not_looked_up() -> None:
    plan = planned("was it the calls on discord?")
    assert plan.calls == ()
    assert "not in a combat log" in plan.asks[0]


def test_a_class_or_role_is_the_player_of_it() -> None:
    assert planned("the mage's damage on pull 4").question.players == ("Mirael-Thunderstrike",)
    lost = planned("did the paladin die on pull 4")
    assert (lost.calls, "Nobody here is" in lost.asks[0]) == ((), True)
    assert planned("lowest dps on pull 4 excluding healers").question.left_out == ("healer",)


def test_what_was_asked_back_is_completed_by_the_next_message() -> None:
    state = State(report="abc123", asked_back="who died first on the second try")
    assert planned("gruul", state).fights == (3,)


def test_without_a_report_nothing_is_planned() -> None:
    assert make_plan("Why did we wipe?", Overview(), State()).calls == ()


@pytest.mark.parametrize(
    ("message", "tools"),
    [
        ("Is Mirael getting better over the nights?", {"get_my_performance"}),
        ("Has Mirael improved on Gruul?", {"get_progression", "get_regressions"}),
        ("Mirael a progressé depuis la semaine dernière ?", {"get_my_performance"}),
        ("How does Mirael rank against kills elsewhere?", {"get_tally"}),
        ("Compare this night with last week", {"compare_two_raids"}),
        ("What gear did Mirael change since last week?", {"get_gear_changes"}),
        ("Who is missing enchants?", {"get_enchant_gem_check"}),
        ("Who had no flask on Gruul?", {"get_tally"}),
    ],
)
def test_each_way_of_working_has_its_tools(message: str, tools: set[str]) -> None:
    assert tools <= {call.tool for call in planned(message).calls}
