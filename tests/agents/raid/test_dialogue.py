"""A follow-up changes what it names, and nothing else: each slot changed alone, in chains."""

from __future__ import annotations

from itertools import product

import pytest

from ruleplay.agents.raid.domain.overview import Member, Night, Overview, PullSummary, Report
from ruleplay.agents.raid.domain.persons import asks_average
from ruleplay.agents.raid.domain.spelling import named_abilities
from ruleplay.agents.raid.policy.lookups import Plan
from ruleplay.agents.raid.policy.plan import READINGS, make_plan
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
        PullSummary(fight=at, name=name, kill=kill, ended="kill" if kill else "wipe", seconds=100)
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
        person=plan.person,
        me=plan.question.myself,
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
    after = {said: told(planned(said, begun), begun) for said in (*PLAYERS, *PULLS)}
    for (player, players), (pull, fight) in product(PLAYERS.items(), PULLS.items()):
        assert slots(planned(player, after[pull])) == (measure, players, (fight,)), (pull, player)
        assert slots(planned(pull, after[player])) == (measure, players, (fight,)), (player, pull)


@pytest.mark.parametrize("said", ["and the other healer?", "et l'autre heal ?", "und der andere?"])
def test_the_other_one_is_of_the_same_role(said: str) -> None:
    state = told(planned("how much overhealing did Elyne have on pull 4", State()), State())
    assert slots(planned(said, state)) == ("overheal", ("Bromn",), (4,))


@pytest.mark.parametrize(
    ("said", "role", "measure"),
    [
        ("and the healers?", "healer", "healing"),
        ("et les tanks ?", "tank", "taken"),
        ("und die Heiler?", "healer", "healing"),
    ],
)
def test_a_role_is_ranked_by_what_it_does(said: str, role: str, measure: str) -> None:
    begun = told(planned("who did the most damage on pull 4", State()), State())
    plan = planned(said, begun)
    assert (plan.heard.measure, plan.question.only, plan.fights) == (measure, (role,), (4,))
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


def after(*said: str, about: tuple[str, ...] = ()) -> State:
    """Return what a conversation is about after some messages; `about` led the last answer."""
    state = State()
    for one in said:
        state = told(planned(one, state), state, players=about if one == said[-1] else ())
    return state


@pytest.mark.parametrize(
    ("first", "then", "last"),
    [
        ("did Mirael die on pull 4", "and the healers, how much healing", "how often did he die"),
        ("Mirael est mort au pull 4 ?", "et les soigneurs, leurs soins ?", "il a pris combien"),
    ],
)
def test_a_pronoun_is_nobody_who_merely_led_a_list(first: str, then: str, last: str) -> None:
    state = after(first, then, about=("Elyne",))
    assert planned(last, state).question.players == ("Mirael",)


def test_a_pronoun_after_who_is_the_one_who_was_told() -> None:
    state = after("did Mirael die on pull 4", "who did most damage", about=("Kickoo",))
    assert planned("and how often did he die", state).question.players == ("Kickoo",)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("hi, I'm Bromn, how much healing did I do on pull 4", "is my overheal worse than Elyne's"),
        ("je suis Bromn, j'ai fait combien de soins au pull 4", "mon overheal comparé à Elyne ?"),
    ],
)
def test_who_says_who_they_are_is_compared_with_others(first: str, last: str) -> None:
    state = after(first)
    assert state.me == "Bromn"
    assert set(planned(last, state).question.players) == {"Bromn", "Elyne"}


@pytest.mark.parametrize("said", ["combien de dégâts notre chasseur", "how much did our hunter do"])
def test_a_class_that_nobody_has_is_told_with_those_there_are(said: str) -> None:
    plan = planned(said, State())
    assert not plan.calls
    assert "Kickoo (Combat Rogue)" in plan.asks[0]
    assert "nobody." not in plan.asks[0]


def test_threat_is_told_by_whom_the_boss_struck() -> None:
    plan = planned("who had aggro on pull 4", State())
    assert [call.args["measure"] for call in plan.calls] == ["tanking", "casts"]
    assert "inferred" in plan.asks[-1]


def keyed(level: int, *bosses: str, at: int, clock: int) -> tuple[PullSummary, ...]:
    return tuple(
        PullSummary(
            fight=at + n,
            name=name,
            kill=True,
            ended="kill",
            seconds=120,
            difficulty=f"+{level}",
            day="3/5",
            clock=f"{clock}:{10 * n:02}:00",
        )
        for n, name in enumerate(bosses)
    )


KEYS = NIGHT.model_copy(
    update={
        "pulls": (
            *keyed(9, "Rokmora", "Naraxas", "Dargrul the Underking", at=1, clock=20),
            *keyed(14, "Rokmora", "Naraxas", "Dargrul the Underking", at=4, clock=22),
        )
    }
)


def planned_of_keys(message: str, state: State) -> Plan:
    world = Overview(reports=(Report(code=NIGHT.code, title="keys"),), night=KEYS)
    return make_plan(message, world, state)


def test_a_keystone_run_is_named_by_its_level_and_kept() -> None:
    plan = planned_of_keys("did we time the 14?", State())
    assert plan.fights == (4, 5, 6)
    state = told(plan, State())
    assert planned_of_keys("and how many deaths in it", state).fights == (4, 5, 6)


@pytest.mark.parametrize(("said", "fight"), [("at 22h11", 5), ("à 22:21", 6), ("at 20:00", 1)])
def test_a_time_of_day_names_the_pull_that_went_on(said: str, fight: int) -> None:
    assert planned_of_keys(f"who died {said}", State()).fights == (fight,)


def test_no_pull_went_on_at_another_time() -> None:
    assert len(planned_of_keys("who died at 3h15", State()).fights) != 1


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("who got PI", ("Power Infusion",)),
        ("amz, who and when", ("Anti-Magic Zone",)),
        ("who is to blame", ()),
        ("wer war es", ()),
    ],
)
def test_abilities_are_named_by_their_initials(said: str, meant: tuple[str, ...]) -> None:
    spells = {"Power Infusion": 4, "Anti-Magic Zone": 2, "Touch of Barbs": 9, "Wild Elm Rain": 3}
    assert named_abilities(said, NIGHT, spells) == meant


KEYS_OF_TWO = KEYS.model_copy(
    update={
        "pulls": tuple(
            pull.model_copy(
                update={"instance": "Neltharion's Lair" if pull.fight < 4 else "Eye of the Storm"}
            )
            for pull in KEYS.pulls
        )
    }
)


@pytest.mark.parametrize(
    ("said", "fights"),
    [
        ("who died in eots 14", (4, 5, 6)),
        ("deaths by player in eye of the storm", (4, 5, 6)),
        ("wipes in neltharion's lair?", (1, 2, 3)),
    ],
)
def test_a_dungeon_is_named_whole_or_by_its_initials(said: str, fights: tuple[int, ...]) -> None:
    world = Overview(reports=(Report(code=NIGHT.code, title="keys"),), night=KEYS_OF_TWO)
    assert make_plan(said, world, State()).question.subject.pulls == fights


LONG = NIGHT.model_copy(
    update={
        "pulls": tuple(
            pull.model_copy(update={"seconds": 100.0 * pull.fight % 350}) for pull in NIGHT.pulls
        )
    }
)


def test_the_longest_pull_is_then_the_one_spoken_of() -> None:
    world = Overview(reports=(Report(code=NIGHT.code, title="a night"),), night=LONG)
    state = told(make_plan("how many times did we pull gruul", world, State()), State())
    longest = make_plan("which one was the longest?", world, state)
    assert longest.fights == (3,)
    assert make_plan("who died first there?", world, told(longest, state)).fights == (3,)


def test_a_pull_is_compared_with_the_one_before() -> None:
    state = told(planned("how long was pull 2", State()), State())
    assert planned("compare it with pull 5", state).fights == (2, 5)


@pytest.mark.parametrize("said", ["and windfury?", "et mangouste ?", "und windzorn?"])
def test_an_unknown_word_alone_is_asked_about_and_nothing_told_again(said: str) -> None:
    state = told(planned("how much damage did Mirael do on pull 4", State()), State())
    plan = planned(said, state)
    assert not plan.calls
    assert plan.asks


@pytest.mark.parametrize(
    ("said", "measure"),
    [("and healing?", "healing"), ("et niveau dégâts subis ?", "taken"), ("und tode?", "deaths")],
)
def test_a_measure_alone_changes_the_question(said: str, measure: str) -> None:
    state = told(planned("who did the most damage on pull 4", State()), State())
    plan = planned(said, state)
    assert (plan.heard.measure, plan.fights) == (measure, (4,))


def test_a_rank_of_healers_holds_healers_alone() -> None:
    plan = planned("which healer did the least healing on pull 4", State())
    assert (plan.heard.measure, plan.heard.shape) == ("healing", "least")
    assert plan.question.only == ("healer",)


def test_i_mean_is_no_average() -> None:
    assert not asks_average("no i mean the healing")
    assert asks_average("the mean of it")


def test_a_long_message_that_only_names_somebody_is_told_what_it_is_read_as() -> None:
    said = "Kickoo mate what even was that frobbing about with the thing back over there"
    plan = planned(said, State())
    readings = (plan, *plan.also)
    assert 1 < len(readings) <= READINGS
    assert all(one.read_as and not one.instead for one in readings)


@pytest.mark.parametrize(("reply", "at"), [("2", 1), ("the third", 2), ("yes", 0)])
def test_a_message_that_asks_nothing_sure_is_asked_back_with_numbered_choices(
    reply: str, at: int
) -> None:
    asked = planned("so about Kickoo you know", State())
    assert not asked.calls
    assert "(3)" in asked.asks[0]
    plan = planned(reply, told(asked, State()))
    assert plan.heard.measure == asked.heard.choices[at]
    assert plan.calls


def test_a_wish_to_know_is_not_about_oneself() -> None:
    state = State(me="Kickoo")
    plan = planned(
        "je voudrais savoir lequel des deux heals a le moins soigné sur le pull 4", state
    )
    assert plan.question.players == ()
    mine = planned("combien de dégâts j'ai fait sur le pull 4", state)
    assert mine.question.players == ("Kickoo",)


LEVELS = NIGHT.model_copy(
    update={
        "pulls": tuple(
            PullSummary(
                fight=at,
                name=GRUUL,
                difficulty=level,
                kill=True,
                ended="kill",
                seconds=100,
                day=f"3/{at}",
            )
            for at, level in enumerate(("normal", "heroic", "LFR"), 1)
        )
    }
)


def test_two_difficulties_are_both_told() -> None:
    world = Overview(reports=(Report(code=NIGHT.code, title="a night"),), night=LEVELS)
    plan = make_plan("compare gruul normal and heroic: who died on each", world, State())
    assert plan.fights == (1, 2)


def test_a_weekday_is_no_date_in_a_log_without_a_year() -> None:
    world = Overview(reports=(Report(code=NIGHT.code, title="a night"),), night=LEVELS)
    plan = make_plan("who died on gruul on thursday", world, State())
    assert not plan.calls
    assert "year" in plan.asks[0]


@pytest.mark.parametrize(
    "said", ["qui a pris le plus de crystaline shockwave", "cristaline shockwav"]
)
def test_a_misspelt_name_of_two_words_is_found(said: str) -> None:
    spells = {"Crystalline Shockwave": 5, "Shockwave": 2, "Frost Strike": 3}
    assert named_abilities(said, NIGHT, spells) == ("Crystalline Shockwave",)


def test_what_is_asked_back_names_the_words_that_were_not_understood() -> None:
    asked = planned("so about Grondalf you know", State())
    assert not asked.calls
    assert "“grondalf”" in asked.asks[0]
    assert "“know”" not in asked.asks[0]
