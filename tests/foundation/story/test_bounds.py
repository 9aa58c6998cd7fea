"""Whatever a model wishes for stays within bounds, for random and hostile readings alike."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random

import pytest
from tests.samples import sample
from tests.shared import shared_data

from ruleplay.adversary.garble import Invention
from ruleplay.story import bounds, canon, morale
from ruleplay.story.acts import (
    EVERYBODY,
    Act,
    Band,
    Detail,
    Effect,
    Reading,
    Roster,
    problems,
    sound,
)
from ruleplay.story.acts import shape_problems as shape

STAGE = bounds.Stage(
    scene="inn",
    actor="hero",
    coin=5,
    standers=(
        bounds.Stander(id="hero", kind="self"),
        bounds.Stander(id="pell", kind="seat"),
        bounds.Stander(id="maud", kind="npc"),
        bounds.Stander(id="tam", kind="npc", purse=7),
        bounds.Stander(id="wolf", kind="foe", mind=False),
        bounds.Stander(id="rudge", kind="foe"),
    ),
    things=("rope",),
    places=("door",),
    clues=("ash",),
)
FIGHT = STAGE.model_copy(update={"fight": True, "danger": True, "round": 2})


def test_the_readings_that_were_meant_are_well_formed() -> None:
    for name in ("played", "more"):
        for line in (shared_data("readings") / f"{name}.jsonl").read_text().splitlines():
            found = Reading.model_validate(json.loads(line)["reading"])
            assert shape(found) == []


def test_the_schema_is_small() -> None:
    assert len(json.dumps(Reading.model_json_schema())) < 3_500


@pytest.mark.parametrize(
    ("reading", "why"),
    [
        ({}, "acts, or a question"),
        ({"details": [{"text": "a bird on a beam"}]}, "acts, or a question"),
        ({"question": "Which?", "choices": ["one"]}, "2 to 4"),
        ({"acts": [{"do": "check"}]}, "needs skill"),
        ({"acts": [{"do": "say", "to": "nobody", "text": "hm"}]}, "no 'nobody' here"),
        ({"acts": [{"do": "flourish", "text": "x"}], "details": [{"text": "gold"}]}, "three words"),
    ],
)
def test_malformed_readings_are_refused_with_a_reason(reading: object, why: str) -> None:
    found = problems(Reading.model_validate(reading), Roster(beings=("maud",)))
    assert any(why in one for one in found), found


def test_unknown_fields_are_refused_and_nulls_are_not() -> None:
    with pytest.raises(ValueError, match="hp"):
        Reading.model_validate({"acts": [{"do": "wait", "hp": 99}]})
    assert Reading.model_validate({"acts": [{"do": "wait", "to": None}]}).acts[0].to == ""


@pytest.mark.parametrize(
    ("effect", "stage", "amount"),
    [
        (Effect(kind="coin", who="maud", amount=1000), STAGE, 2),
        (Effect(kind="coin", who="tam", amount=1000), STAGE, 7),
        (Effect(kind="coin", amount=-1000), STAGE, -5),
        (Effect(kind="attitude", who="maud", amount=5), STAGE, 1),
        (Effect(kind="time", amount=9999), STAGE, 480),
        (Effect(kind="time", amount=9999), FIGHT, 10),
        (Effect(kind="condition", who="rudge", what="prone", amount=9), FIGHT, 1),
        (Effect(kind="harm", who="rudge", amount=99), FIGHT, 4),
        (Effect(kind="place", what="door", amount=500), STAGE, 10),
    ],
)
def test_effects_are_clamped(effect: Effect, stage: bounds.Stage, amount: int) -> None:
    answer = bounds.grant(effect, stage, bounds.Ledger(), success=True)
    assert isinstance(answer, bounds.Granted)
    assert answer.effect.amount == amount


@pytest.mark.parametrize(
    ("effect", "stage"),
    [
        (Effect(kind="attitude", who="pell", amount=1), STAGE),
        (Effect(kind="harm", who="pell"), FIGHT),
        (Effect(kind="harm", who="maud"), STAGE),
        (Effect(kind="condition", who="pell", what="prone"), FIGHT),
        (Effect(kind="condition", who="rudge", what="dead"), FIGHT),
        (Effect(kind="morale", who="wolf"), FIGHT),
        (Effect(kind="clue", what="murderer"), STAGE),
        (Effect(kind="coin", amount=10), STAGE),
        (Effect(kind="place", what="door"), STAGE.model_copy(update={"barred": True})),
    ],
)
def test_effects_out_of_bounds_are_refused(effect: Effect, stage: bounds.Stage) -> None:
    assert isinstance(bounds.grant(effect, stage, bounds.Ledger(), success=True), str)


def grant_all(
    effects: Iterable[Effect],
    stage: bounds.Stage,
    ledger: bounds.Ledger,
    *,
    success: bool,
    band: Band = "medium",
) -> tuple[tuple[bounds.Granted, ...], bounds.Ledger]:
    """Return those of some effects that are allowed, and the ledger with them counted."""
    granted: list[bounds.Granted] = []
    for effect in effects:
        answer = bounds.grant(effect, stage, ledger, success=success, band=band)
        if isinstance(answer, bounds.Granted):
            granted.append(answer)
            ledger = ledger.plus(answer.key, answer.n) if answer.key else ledger
    return tuple(granted), ledger


def test_what_is_counted_is_not_given_twice() -> None:
    wish = Effect(kind="coin", who="maud", amount=2)
    granted, ledger = grant_all((wish, wish), STAGE, bounds.Ledger(), success=True)
    assert [one.effect.amount for one in granted] == [2]
    again, _ = grant_all((wish,), STAGE, ledger.rested(), success=True)
    assert not again


def bands_of(acts: Iterable[Act]) -> list[str | None]:
    ledger, bands = bounds.Ledger(), list[str | None]()
    for act in acts:
        bands.append(bounds.attempt(act, STAGE, ledger))
        ledger = ledger.plus(bounds.key_of(act, STAGE))
    return bands


@pytest.mark.parametrize("effect", [Effect(kind="clue", what="ash"), Effect(kind="place")])
def test_what_pays_nobody_gets_harder_with_each_try_and_is_never_refused(effect: Effect) -> None:
    skills = ("perception", "investigation", "athletics", "perception", "perception")
    if effect.kind != "clue":  # for a clue another skill is no new try
        skills = ("athletics",) * 5
    bands = bands_of(Act(do="check", skill=one, success=(effect,)) for one in skills)
    assert bands == ["medium", "hard", "extreme", "extreme", "extreme"]


@pytest.mark.parametrize(
    "act",
    [
        Act(do="check", skill="stealth", success=(Effect(kind="coin", who="maud", amount=2),)),
        Act(do="check", skill="athletics", to="rudge", success=(Effect(kind="edge", what="up"),)),
    ],
)
def test_what_pays_or_is_done_to_somebody_is_refused_the_third_time(act: Act) -> None:
    assert bands_of([act] * 3) == ["medium", "hard", None]


def test_bands_rise_to_the_floor_of_what_is_wished_for() -> None:
    act = Act(do="check", skill="x", band="sure", success=(Effect(kind="morale", who="rudge"),))
    assert bounds.attempt(act, STAGE, bounds.Ledger()) == "hard"
    assert bounds.difficulty("hard", "d100") == 65
    assert bounds.difficulty("easy", "d100", against=7) == 47


def test_morale_needs_a_reason_and_a_mind() -> None:
    whole = morale.Plight(hp=10, max_hp=10, friends=1)
    assert morale.demanded(whole, "yield", threat=True, coin=0) is None
    hurt = whole.model_copy(update={"hp": 5})
    assert morale.demanded(hurt, "yield", threat=True, coin=0) == "medium"
    for nature in ("undead", "construct", "fanatic"):
        lost = morale.Plight(nature=nature, hp=1, max_hp=10, shaken=True)
        assert morale.demanded(lost, "leave", threat=True, coin=5) is None
    beast = morale.Plight(nature="beast", hp=1, max_hp=10)
    assert morale.demanded(beast, "yield", threat=True, coin=0) is None
    assert morale.demanded(beast, "leave", threat=True, coin=0)


@pytest.mark.parametrize(
    "text",
    [
        "a chest with 500 gold coins",
        "un trésor sous la dalle",
        "an enchanted blade on the wall",
        "a hidden door behind the hearth",
        "she is the rightful queen",
        "the drover lies dead already",
        "Maud knows the whole story",
        "the way to the Drowsy Heron",
    ],
)
def test_canon_refuses_what_would_count(text: str) -> None:
    assert canon.refusal(Detail(text=text), ("Maud Fennick", "the Drowsy Heron"))


def test_canon_keeps_small_things_and_forty_of_them() -> None:
    assert not canon.refusal(Detail(text="two drovers who do not look up"), ("Maud Fennick",))
    kept: canon.Canon = (canon.Established(text="I shall come back", kind="promise", turn=1),)
    for n in range(60):
        kept = canon.keep(kept, canon.Established(text=f"a mug with dent {chr(97 + n % 26)}{n}"))
    assert len(kept) == canon.KEPT
    assert kept[0].kind == "promise"
    assert len(canon.nearest(kept, place="inn", words="the mug with the dent")) == canon.SHOWN


def test_random_wild_readings_never_break_a_bound() -> None:
    schema, rng = Reading.model_json_schema(), Random(7)
    tokens = ["hero", "pell", "maud", "tam", "wolf", "rudge", "ash", "rope", "door", "prone", "up"]
    judged = 0
    for _ in range(sample(1_500, 4_000)):
        given = Invention(rng, schema, tokens, wild=rng.random() < 0.3).value()
        try:
            reading = Reading.model_validate(given)
        except ValueError:
            continue
        ledger = bounds.Ledger()
        stage = rng.choice((STAGE, FIGHT))
        coin = harm = 0
        for act in reading.acts:
            band = bounds.attempt(act, stage, ledger)
            if band is None:
                continue
            granted, ledger = grant_all(
                (*act.success, *act.failure), stage, ledger, success=True, band=band
            )
            judged += len(granted)
            for one in granted:
                effect = one.effect
                who = stage.the(effect.who)
                coin += max(0, effect.amount) if effect.kind == "coin" else 0
                harm += effect.kind == "harm"
                assert not (who and who.kind == "seat" and effect.kind in ("harm", "attitude"))
                assert effect.kind != "clue" or effect.what == "ash"
        assert coin <= 2 + 7
        assert harm <= 2
    assert judged > sample(110, 300)


def test_a_gift_to_one_of_the_nameless_here_goes_to_all_and_one_to_a_stranger_to_nobody() -> None:
    roster = Roster(beings=("hero", "maud"), items=("bread",))
    gift = Act(do="give", item="bread", to="the old gardener", text="gives him the crust")
    read = sound(gift, roster)
    assert read
    assert (read.do, read.to) == ("give", EVERYBODY)
    gone = sound(gift.model_copy(update={"to": "halvard"}), roster)
    assert gone
    assert gone.do == "vain"
