"""A message is about whom and what it means, also where it leaves that unsaid."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import ERA, FRACTILLUS, NAXX, dialogue
from tests.agents.raid.test_narrowing import NIGHT, planned

from ruleplay.agents.raid.domain.overview import Member
from ruleplay.agents.raid.policy.messages import parted
from ruleplay.agents.raid.state import Answered, State

BEFORE = State(report="abc123", fight=2, measure="deaths", shape="yesno", named=("Kickoo",))
BEFORE = BEFORE.model_copy(update={"players": ("Kickoo",), "person": "Kickoo", "language": "en"})


@pytest.mark.parametrize(
    "text", ["and the one before, Gruul?", "et celui d'avant, Gruul ?", "und davor, Gruul?"]
)
def test_a_boss_that_is_not_there_is_never_the_pull_before(text: str) -> None:
    plan = planned(text, BEFORE)
    assert not plan.calls
    assert any("Gruul" in said for said in plan.asks)


def test_who_did_then_is_anybody() -> None:
    plan = planned("hm ok, so who actually did?", BEFORE)
    assert (plan.heard.measure, plan.question.players) == ("deaths", ())


@pytest.mark.parametrize("text", ["and what about me?", "et moi alors ?", "und bei mir?"])
def test_who_logged_is_taken_for_the_writer_and_it_is_said_so(text: str) -> None:
    night = NIGHT.model_copy(update={"owner": "Mirael"})
    plan = planned(text, BEFORE.model_copy(update={"measure": "damage"}), **dict(night))
    assert plan.question.players == ("Mirael",)
    assert "Mirael" in plan.asks[0]


def test_what_about_somebody_goes_on_about_what_was_asked_of_the_others() -> None:
    plan = planned("what about Mirael, she only went down the once, right", BEFORE)
    assert (plan.heard.measure, plan.question.players) == ("deaths", ("Mirael",))


def test_whether_a_dispel_had_saved_the_one_who_died_is_of_that_death() -> None:
    plan = planned("so if somebody dispels him he lives aye?", BEFORE)
    assert (plan.heard.measure, plan.heard.shape) == ("deaths", "whatif")
    assert plan.question.players == ("Kickoo",)


def test_what_is_stated_or_not_wanted_is_no_question_and_narrows_none() -> None:
    night = NIGHT.model_copy(update={"owner": "Mirael"})
    asked = parted(
        "Who died first tonight? we always meant to keep this for Maulgar later on", night
    )
    assert [one.text for one in asked] == ["Who died first tonight?"]
    asked = parted("How was tonight, what died? and dont name anyone who kept dying pls", night)
    assert [one.unheard for one in asked] == [False, True]


DAMAGE = BEFORE.model_copy(update={"measure": "damage", "shape": "amount"})
PULLS = State(report="abc123", measure="pulls", shape="count", language="fr", pulls=(1, 2, 3))


@pytest.mark.parametrize(
    ("text", "before", "measure", "players", "bosses"),
    [
        ("lol ok. how bout Mirael, never shuts up", DAMAGE, "damage", ("Mirael",), ()),
        ("no without pets lol", DAMAGE, "damage", ("Kickoo",), ()),
        ("und Mirael? der gibt immer so an", DAMAGE, "damage", ("Mirael",), ()),
        ("et Maexxna alors ? Kickoo dit qu'on l'a eu", PULLS, "pulls", (), ("Maexxna",)),
        ("haha j'en étais sûr. et c'est quoi qui le tue", BEFORE, "deaths", ("Kickoo",), ()),
    ],
)
def test_what_is_told_beside_a_question_is_not_asked(
    text: str, before: State, measure: str, players: tuple[str, ...], bosses: tuple[str, ...]
) -> None:
    night = NIGHT.model_copy(update={"owner": "Elyne"})
    plan = planned(text, before, **dict(night))
    asked = plan.question
    assert (plan.heard.measure, asked.players, asked.bosses) == (measure, players, bosses)


@pytest.mark.parametrize(
    "text",
    [
        "top dps on Maexxna... no wait, forget the dps, who healed the most",
        "le top dps sur Maexxna. ah non on s'en fiche du dps, plutôt qui a soigné le plus",
        "wer hat auf Maexxna am meisten schaden? ach egal, wer hat am meisten geheilt",
    ],
)
def test_what_is_taken_back_is_not_answered(text: str) -> None:
    plan = planned(text)
    assert (plan.heard.measure, plan.question.bosses) == ("healing", ("Maexxna",))
    assert not plan.also


def test_the_other_one_of_a_class_is_not_who_was_spoken_of() -> None:
    second = Member(name="Bramble", class_name="Rogue", spec="Combat", role="damage")
    state = BEFORE.model_copy(update={"measure": "damage", "shape": "amount"})
    plan = planned("et l'autre voleur", state, members=(*NIGHT.members, second))
    assert plan.question.players == ("Bramble",)


@pytest.mark.parametrize(
    "text",
    [
        "compare the damage of Mirael and of Kickoo, please",
        "les dégâts de Mirael et de Kickoo, avec l'activité de chacun",
        "Mirael or Kickoo, which one did better",
    ],
)
def test_names_in_a_row_are_one_question(text: str) -> None:
    assert len(parted(text, NIGHT)) == 1


@pytest.mark.parametrize(
    "text", ["top damage without Patchwerk", "who did most damage, leave out Patchwerk"]
)
def test_a_boss_is_left_out_with_its_pulls(text: str) -> None:
    plan = planned(text)
    assert plan.fights == (3,)


@pytest.mark.parametrize(
    "text",
    ["who did most damage, no adds, the boss alone", "dégâts uniquement sur le boss, qui domine"],
)
def test_damage_to_the_boss_alone_leaves_out_the_adds(text: str) -> None:
    (call, *_) = planned(f"{text} on pull 3").calls
    assert call.args["without"] == "adds"


@pytest.mark.timeout(120)
def test_without_adds_only_what_was_done_to_bosses_counts() -> None:
    whole, boss = dialogue(ERA, "dps ranking on thermaplugg", "and without adds?")
    assert "Flakeshock did the most damage: 89,076" in whole
    assert "Flakeshock did the most damage: 86," in boss
    assert "without adds" in boss


@pytest.mark.timeout(120)
def test_buffs_from_before_the_pull_are_on_whoever_has_them() -> None:
    (told,) = dialogue(NAXX, "which raid buffs did Nule lack on Noth")
    assert "Greater Blessing of Kings 100.0%" in told
    assert "Prayer of Fortitude 100.0%" in told


@pytest.mark.timeout(120)
def test_an_effect_is_told_of_each_use_with_its_owner() -> None:
    used, did = dialogue(
        FRACTILLUS, "when were Tranquility and Divine Hymn used", "how much did each of them heal"
    )
    assert "Yes, they overlap" in used
    assert "Tranquility (Кастиэлка): effective healing 65,112" in did
    assert "Divine Hymn (Vespién): effective healing 12,285" in did


@pytest.mark.timeout(120)
def test_breaks_lengths_and_deaths_on_the_way_are_told_as_sentences() -> None:
    assert "was the one before Maexxna: 5:04" in dialogue(NAXX, "our longest break tonight?")[0]
    assert "Loatheb took 2:30" in dialogue(NAXX, "how long was Loatheb")[0]
    (told,) = dialogue(NAXX, "how did Redzepi die before Faerlina")
    assert "21:04:04" in told


@pytest.mark.timeout(120)
def test_the_worst_of_overhealing_is_the_most() -> None:
    (told,) = dialogue(ERA, "who had the worst overhealing")
    assert told.index("Reevs") < told.index("Giefwater")


def test_a_spell_in_the_readers_own_language_gets_all_that_there_is() -> None:
    (_, told) = dialogue(
        FRACTILLUS, "Wie viel Schaden hat Висмарк gemacht", "Und wie lange war Knochenpanzer aktiv?"
    )
    assert "englischem Namen" in told
    assert "Buffs auf Висмарк" in told


@pytest.mark.parametrize("text", ["et le premier alors ?", "bon et le 1 ?", "why the first then?"])
def test_after_several_pulls_the_first_is_the_first_of_them(text: str) -> None:
    several = State(report="abc123", pulls=(1, 2), measure="deaths", shape="who", language="en")
    assert planned(text, several).fights == (1,)
    assert planned("top 3", several).fights != (3,)


def test_of_a_class_the_one_is_meant_whose_role_is_spoken_of_and_who_writes_is_kept() -> None:
    other = Member(name="Brak", class_name="Warrior", spec="Fury", role="damage")
    more = tuple(
        Member(name=f"Fury{name}", class_name="Warrior", spec="Fury", role="damage")
        for name in ("a", "b", "c")
    )
    members = (*NIGHT.members, other, *more)
    asked = State(report="abc123", fight=2, me="Kickoo")
    plan = planned("did i ever tank or was it just the warrior", asked, members=members)
    assert plan.question.players == ("Kickoo", "Thrandor")
    told = Answered(asked_back="what?", me="Kickoo")
    assert State().apply(told).me == "Kickoo"


def test_a_boss_with_a_wipe_behind_it_is_asked_how_it_went() -> None:
    opened = State(report="abc123", fight=2, measure="overview", shape="how", language="en")
    assert planned("so Patchwerk. wipe?", opened).heard.measure == "pulls"
