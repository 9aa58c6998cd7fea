"""The rules of exploring: going, talking, doing, resting, what follows of itself, and the end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tests.agents.party.expeditions import Trip, story

from ruleplay.agents.party.domain.adventure import FALLEN, Gain
from ruleplay.agents.party.domain.exploration.acts import SHORT_RESTS, options
from ruleplay.agents.party.domain.exploration.draft import DM, Journey
from ruleplay.agents.party.domain.exploration.effects import conclude_fight, gain
from ruleplay.agents.party.domain.fight import Outcome
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import exploration as x
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.rules.turns import outcome as fight_outcome

DROWNED, GLASS = "drowned-bell", "glass-orchard"


def kinds(came: object) -> list[str]:
    assert not isinstance(came, Refusal), came
    return [type(one).__name__ for one in came]  # type: ignore[attr-defined]


def reason(came: object) -> str:
    assert isinstance(came, Refusal), came
    return came.reason


def test_setting_out_deals_each_secret_to_whom_it_suits() -> None:
    trip = Trip(DROWNED).begin()
    dealt = {one.secret: one.who for one in trip.now.secrets}
    assert dealt == {
        "grandmother": "thorin",
        "debt": "pell",
        "dream": "sunniva",
        "master": "zephrine",
    }
    secret = [one for one in trip.told if isinstance(one, x.SecretDealt)]
    assert all(one.audience == (one.who,) for one in secret)
    assert trip.now.scene == "inn"
    assert "notches" in trip.now.planted


@pytest.mark.parametrize(
    ("prepare", "who", "act", "target", "why"),
    [
        (False, "thorin", "go", "causeway", "not_begun"),
        (True, DM, "begin", "", "begun"),
        (True, DM, "go", "causeway", "not_for_you"),
        (True, "thorin", "spring", "", "not_for_you"),
        (True, "nobody", "go", "causeway", "cannot-act"),
        (True, "thorin", "go", "belfry", "no_way"),
        (True, "thorin", "go", "inn", "already-there"),
        (True, "thorin", "deed", "ring-seven", "not_possible"),
        (True, "thorin", "talk", "vask", "not_here"),
        (True, "thorin", "search", "", "nothing_found"),
        (True, "thorin", "sneak", "", "nobody_waits"),
        (True, "thorin", "provoke", "", "nobody_waits"),
        (True, DM, "hint", "deed:ring-seven", "not_possible"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    prepare: bool, who: str, act: str, target: str, why: str
) -> None:
    trip = Trip(DROWNED)
    if prepare:
        trip.begin()
    before = trip.now, trip.cast
    assert reason(trip.do(who, act, target)) == why  # type: ignore[arg-type]
    assert (trip.now, trip.cast) == before


def test_who_cannot_be_avoided_attacks_at_once() -> None:
    trip = Trip(DROWNED).begin()
    came = trip.do("thorin", "go", "causeway")
    assert kinds(came)[:2] == ["SceneEntered", "EncounterMet"]
    assert "EncounterStarted" in kinds(came)
    assert trip.cast.fight is not None
    assert trip.now.fighting == "rats"
    assert reason(trip.do("pell", "go", "inn")) == "fight_on"


def test_who_may_be_avoided_waits_and_bars_the_way() -> None:
    trip = Trip(GLASS).begin()
    trip.do("thorin", "go", "rows")
    assert trip.cast.fight is None
    assert reason(trip.do("pell", "go", "terrace")) == "way_barred"
    assert reason(trip.do("pell", "search")) == "somebody_waits"
    assert reason(trip.do("pell", "short_rest")) == "somebody_waits"
    offered = [one.does.act for one in trip.offered("pell")]
    assert offered == ["sneak", "provoke", "go"]
    assert "SceneEntered" in kinds(trip.do("pell", "go", "press"))


def test_sneaking_is_everyones_check_and_half_must_succeed() -> None:
    for seed in range(8):
        trip = Trip(GLASS, seed=str(seed)).begin()
        trip.do("thorin", "go", "rows")
        came = trip.do("pell", "sneak")
        assert not isinstance(came, Refusal)
        checks = [one for one in came if isinstance(one, h.Checked)]
        past = 2 * sum(one.success for one in checks) >= 4
        assert len(checks) == 4
        assert ("avoided:wolves" in trip.now.flags) == past
        assert (trip.cast.fight is None) == past


def test_a_check_is_tried_once_by_each_until_one_succeeds() -> None:
    trip = Trip("small").begin()
    tried = []
    for who in trip.names:
        came = trip.do(who, "search")
        if isinstance(came, Refusal):
            assert came.reason == "nothing_found"
            break
        tried.append(who)
        failed = "deed:find-key" not in trip.now.flags
        assert trip.now.has_tried("deed", "find-key", who) == failed
        if failed:
            assert reason(trip.do(who, "deed", "find-key")) == "not_possible"
    assert tried


def test_a_way_opens_and_an_ending_is_reached() -> None:
    trip = Trip("small").begin()
    came = trip.do("thorin", "deed", "break-door")
    assert kinds(came) == ["DeedDone", "FlagSet", "FlagSet", "ExitOpened"]
    came = trip.do("thorin", "go", "yard")
    assert kinds(came) == ["SceneEntered", "EndingReached"]
    assert trip.now.ending == "splinters"
    assert reason(trip.do("thorin", "go", "room")) == "adventure_over"
    assert trip.offered("thorin") == ()


def test_a_finders_clue_is_the_finders_alone() -> None:
    trip = Trip(DROWNED).begin()
    journey = Journey(trip.now, trip.story, trip.cast, _rules())
    gain(journey, Gain(clues=("heel", "bribe")), "pell")
    assert journey.expedition.knows("pell") == ("heel", "bribe")
    assert journey.expedition.knows("thorin") == ("bribe",)


def _rules():  # type: ignore[no-untyped-def]
    from ruleplay.agents.party.adapters.srd_source import shipped_rules

    return shipped_rules()


def test_a_topic_of_a_secret_is_its_keepers_alone_and_heard_by_nobody_else() -> None:
    trip = _at(DROWNED, "mill")
    assert reason(trip.do("thorin", "talk", "vask", "vask-debt")) == "nothing_more"
    came = trip.do("pell", "talk", "vask", "vask-debt")
    assert not isinstance(came, Refusal)
    heard = [one for one in came if isinstance(one, x.TalkHeard)]
    assert [one.audience for one in heard] == [("pell",)]


def _at(key: str, scene: str, **changes: object) -> Trip:
    """Return a party that has begun and stands in a scene, encounters behind it."""
    trip = Trip(key).begin()
    over = tuple(f"over:{one}" for one in trip.story.encounters)
    update = {"scene": scene, "flags": (*trip.now.flags, *over, f"scene:{scene}"), **changes}
    trip.now = trip.now.model_copy(update=update)
    return trip


def test_planted_details_come_back() -> None:
    trip = _at(DROWNED, "crypt", planted=("toy-boat",))
    came = trip.do("thorin", "talk", "lowen")
    assert not isinstance(came, Refusal)
    assert [one.detail for one in came if isinstance(one, x.DetailReturned)] == ["toy-boat"]


def test_a_secret_comes_out_when_what_it_is_about_happens() -> None:
    trip = _at(GLASS, "first-tree")
    trip.do("pell", "deed", "take-heart")
    assert [one for one in trip.now.secrets if one.out and one.secret == "buyer"]
    assert trip.now.ending == "kept"
    assert trip.now.purse == 50_000


def test_rests_have_their_places_and_their_number() -> None:
    trip = _at(DROWNED, "causeway")
    assert reason(trip.do("thorin", "long_rest")) == "not_safe"
    for _ in range(SHORT_RESTS):
        assert "ShortRestTaken" in kinds(trip.do("thorin", "short_rest"))
    assert reason(trip.do("thorin", "short_rest")) == "rested_enough"
    trip.do("thorin", "go", "inn")
    trip.do("thorin", "long_rest")
    assert trip.now.day == 2
    assert trip.now.short_rests == 0
    assert "day:2" in trip.now.flags


def test_experience_makes_a_level_at_the_next_rest() -> None:
    trip = _at(DROWNED, "inn")
    journey = Journey(trip.now, trip.story, trip.cast, _rules())
    gain(journey, Gain(xp=300), "thorin")
    trip.take(tuple(journey.done))
    before = trip.cast.the("zephrine")
    came = trip.do("thorin", "short_rest")
    assert kinds(came).count("LevelReached") == 4
    after = trip.cast.the("zephrine")
    assert after.level == 2
    assert after.max_hp > before.max_hp
    assert after.max_slots == (3,)
    assert trip.cast.the("thorin").has_feature("action-surge")


@pytest.mark.parametrize(
    ("result", "flag", "place", "ending"),
    [
        ("won", "won:rats", "causeway", ""),
        ("fled", "fled:rats", "inn", ""),
        ("lost", "", "causeway", FALLEN),
    ],
)
def test_a_fight_leaves_the_adventure_as_it_ended(
    result: Outcome, flag: str, place: str, ending: str
) -> None:
    trip = Trip(DROWNED).begin()
    trip.do("thorin", "go", "causeway")
    journey = Journey(trip.now, trip.story, trip.cast, _rules())
    journey.add(h.FightOver(key="rats", outcome=result, rounds=2))
    conclude_fight(journey, result)
    now = journey.expedition
    assert not now.fighting
    assert (now.scene, now.ending) == (place, ending)
    assert not flag or flag in now.flags


def test_the_dm_hints_at_each_thing_once() -> None:
    trip = Trip(DROWNED).begin()
    hints = [one.does.target for one in trip.offered(DM)]
    assert hints == ["talk:brenna-bell", "talk:jory-rope"]
    trip.do(DM, "hint", hints[0])
    assert [one.does.target for one in trip.offered(DM)] == hints[1:]


def test_the_dm_lets_those_who_wait_attack() -> None:
    trip = Trip(GLASS).begin()
    trip.do("thorin", "go", "rows")
    assert [one.id for one in trip.offered(DM)] == ["spring:wolves"]
    trip.do(DM, "spring", "wolves")
    assert trip.cast.fight is not None


@pytest.mark.parametrize("key", [DROWNED, GLASS])
@pytest.mark.parametrize("names", [("thorin",), ("pell", "zephrine"), None])
def test_the_most_sensible_options_lead_to_an_end(
    key: str, names: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fights are left out here: the way alone has no circle in which a party is caught."""
    monkeypatch.setattr("ruleplay.agents.party.domain.exploration.effects.start_fight", _win)
    endings = set()
    for seed in range(12):
        trip = Trip(key, names=names or Trip(key).names, seed=str(seed)).begin()
        trip.wander(Random(seed))
        endings.add(trip.now.ending)
    assert "" not in endings
    assert FALLEN not in endings
    assert len(endings) >= 2


def _win(journey: Journey, key: str) -> None:
    journey.add(x.EncounterStarted(encounter=key, foes=()))
    journey.add(x.EncounterOver(encounter=key, outcome="won"))
    gain(journey, journey.adventure.encounters[key].gain, journey.able[0])


def test_everything_offered_is_legal() -> None:
    offer: Callable[[Trip, str], None]

    def offer(trip: Trip, who: str) -> None:
        for option in trip.offered(who):
            does = option.does
            copy = Trip(trip.key)
            copy.now, copy.cast = trip.now, trip.cast
            came = copy.do(who, does.act, does.target, does.topic)
            assert not isinstance(came, Refusal), (option.id, came)

    for seed in range(4):
        trip = Trip(GLASS, seed=str(seed)).begin()
        chance = Random(seed)
        for _ in range(60):
            for who in (DM, *trip.names):
                offer(trip, who)
            trip.wander(chance, acts=5)
            if trip.cast.fight or trip.now.ending:
                break


def test_whoever_is_wounded_is_offered_rest_first() -> None:
    trip = _at(DROWNED, "inn")
    offered = options(trip.now, trip.story, "thorin", wounded=True)
    assert [one.does.act for one in offered[:2]] == ["long_rest", "short_rest"]


def test_a_fight_that_is_on_has_no_outcome_yet() -> None:
    trip = Trip(DROWNED).begin()
    trip.do("thorin", "go", "causeway")
    assert fight_outcome(trip.cast) is None
    assert story(DROWNED).encounters["rats"].retreat == "inn"
