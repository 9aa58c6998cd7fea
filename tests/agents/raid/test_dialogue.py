"""A follow-up changes what it names, and nothing else: each slot changed alone, in chains."""

from __future__ import annotations

from itertools import product

import pytest

from ruleplay.agents.raid.domain.overview import Member, Night, Overview, Pull, Report
from ruleplay.agents.raid.policy.plan import Plan, make_plan
from ruleplay.agents.raid.state import Answered, State

GRUUL, MAULGAR = "Gruul the Dragonkiller", "High King Maulgar"
PEOPLE = (
    ("Thrandor", "Warrior", "Protection", "tank"),
    ("Elyne", "Priest", "Holy", "healer"),
    ("Bromn", "Shaman", "Restoration", "healer"),
    ("Kickoo", "Rogue", "Combat", "damage"),
    ("Mirael", "Mage", "Fire", "damage"),
)
NIGHT = Night(
    code="abc123",
    title="a night",
    pulls=tuple(
        Pull(fight=at, name=name, kill=kill, ended="kill" if kill else "wipe", seconds=100)
        for at, (name, kill) in enumerate(
            ((MAULGAR, False), (MAULGAR, True), (GRUUL, False), (GRUUL, False), (GRUUL, True)), 1
        )
    ),
    members=tuple(
        Member(name=name, class_name=class_, spec=spec, role=role)
        for name, class_, spec, role in PEOPLE
    ),
    abilities=(),
)
MEASURES = {
    "damage": "how much damage did Mirael do on pull 4",
    "healing": "how much healing did Mirael do on pull 4",
    "overheal": "how much overhealing did Mirael have on pull 4",
    "taken": "how much damage did Mirael take on pull 4",
    "deaths": "how did Mirael die on pull 4",
}
PLAYERS = {
    "and Kickoo?": ("Kickoo",),
    "et Kickoo ?": ("Kickoo",),
    "und Kickoo?": ("Kickoo",),
    "what about the rogue": ("Kickoo",),
    "et le voleur ?": ("Kickoo",),
    "und der Schurke?": ("Kickoo",),
    "same for Elyne": ("Elyne",),
}
PULLS = {
    "and on the try before?": 3,
    "et au pull d'avant ?": 3,
    "und beim Versuch davor?": 3,
    "and on pull 2?": 2,
    "et sur le pull 5 ?": 5,
    "und bei Pull 1?": 1,
}


def planned(message: str, state: State) -> Plan:
    world = Overview(reports=(Report(code=NIGHT.code, title="a night"),), night=NIGHT)
    return make_plan(message, world, state)


def told(plan: Plan, state: State, **about: tuple[str, ...]) -> State:
    """Return what the conversation is about once a plan was told."""
    answered = Answered(
        topics=plan.topics,
        report=plan.report,
        fight=plan.fights[-1] if plan.fights and not plan.over else None,
        players=plan.question.players or about.get("players", ()),
        named=plan.question.players,
        pulls=plan.several,
        measure=plan.heard.measure,
        shape=plan.heard.shape,
        abilities=plan.question.abilities,
        language=plan.heard.language,
        asked_back=plan.asked_back,
    )
    return state.apply(answered)


def slots(plan: Plan) -> tuple[str, tuple[str, ...], tuple[int, ...]]:
    return plan.heard.measure, plan.question.players, plan.fights


@pytest.mark.parametrize("measure", MEASURES)
def test_each_slot_changes_alone(measure: str) -> None:
    first = planned(MEASURES[measure], State())
    assert slots(first) == (measure, ("Mirael",), (4,))
    state = told(first, State())
    for said, players in PLAYERS.items():
        assert slots(planned(said, state)) == (measure, players, (4,)), said
    for said, fight in PULLS.items():
        assert slots(planned(said, state)) == (measure, ("Mirael",), (fight,)), said


@pytest.mark.parametrize("measure", MEASURES)
def test_chains_keep_what_was_changed_before(measure: str) -> None:
    begun = told(planned(MEASURES[measure], State()), State())
    for (player, players), (pull, fight) in product(PLAYERS.items(), PULLS.items()):
        moved = told(planned(pull, begun), begun)
        assert slots(planned(player, moved)) == (measure, players, (fight,)), (pull, player)
        turned = told(planned(player, begun), begun)
        assert slots(planned(pull, turned)) == (measure, players, (fight,)), (player, pull)


@pytest.mark.parametrize("said", ["and the other healer?", "et l'autre heal ?", "und der andere?"])
def test_the_other_one_is_of_the_same_role(said: str) -> None:
    state = told(planned("how much overhealing did Elyne have on pull 4", State()), State())
    assert slots(planned(said, state)) == ("overheal", ("Bromn",), (4,))


@pytest.mark.parametrize(
    ("said", "role"),
    [("and the healers?", "healer"), ("et les tanks ?", "tank"), ("und die Heiler?", "healer")],
)
def test_a_role_narrows_the_rank_before(said: str, role: str) -> None:
    begun = told(planned("who did the most damage on pull 4", State()), State())
    plan = planned(said, begun)
    assert (plan.heard.measure, plan.question.only, plan.fights) == ("damage", (role,), (4,))
    assert plan.question.players == ()


def test_better_without_a_second_name_is_asked_back() -> None:
    state = told(planned("how often did Mirael die", State()), State())
    plan = planned("is he better?", state)
    assert not plan.calls
    assert plan.asks
    both = planned("is he better than Kickoo on pull 4 in damage?", state)
    assert both.question.players == ("Mirael", "Kickoo")


def test_whoever_led_is_meant_by_a_pronoun_and_pets_are_a_part() -> None:
    state = told(
        planned("who did the most damage on pull 4", State()), State(), players=("Mirael",)
    )
    plan = planned("how much of his damage was pets", state)
    assert (plan.form, plan.question.players, plan.fights) == ("part", ("Mirael",), (4,))


@pytest.mark.parametrize(
    ("said", "fight"),
    [("and the second?", 4), ("et la deuxième ?", 4), ("number 3 then", 5), ("und der letzte?", 5)],
)
def test_a_place_alone_is_the_bosss_pull(said: str, fight: int) -> None:
    plan = planned("what killed us on the first pull on gruul", State())
    assert plan.fights == (3,)
    assert planned(said, told(plan, State())).fights == (fight,)


def test_a_rank_of_a_class_or_of_pets_is_of_them_alone() -> None:
    ranked = planned("healer healing ranking on pull 4", State())
    assert ranked.calls
    pets = planned("how much damage did the pets do on pull 4", State())
    assert pets.form == "part"
    assert planned("top damage with pets on pull 4", State()).form == "tally"


def test_what_is_left_out_next_leaves_the_question_as_it_was() -> None:
    plan = planned("who did the most damage on pull 4", State())
    without = planned("et sans les pets ça change quoi", told(plan, State()))
    assert (without.measure, without.question.without) == ("damage", ("pets",))
