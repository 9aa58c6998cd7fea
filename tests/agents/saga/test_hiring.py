"""Company can be hired: of those who are about, of foes who have let the hero by, in a fight."""

from __future__ import annotations

import pytest
from tests.agents.saga.test_improvising import kinds, played, read
from tests.agents.saga.worlds import enacted, fight_with, hero_at, lamp

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import journey, setting, surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Reading

SEEDS = range(40)
LEFT = ("left:ruffians",)
HIRE = {"do": "say", "approach": "bargain", "want": "join", "coin": 3}


def plays(game: Game, reading: Reading) -> list[Play]:
    """Play a reading with many dice."""
    found = []
    for seed in SEEDS:
        play = Play(game.model_copy(update={"dice_seed": str(seed)}), lamp())
        enacted(play, reading)
        found.append(play)
    return found


@pytest.mark.parametrize(
    ("place", "to", "who", "flags"),
    [
        ("inn", "all", "inn-folk", ()),
        ("inn", "", "inn-folk", ()),
        ("greenway", "foe2", "rudge-beaten", LEFT),
        ("greenway", "foe2", "rudge-beaten", ()),
    ],
)
def test_who_is_hired_comes_along_and_is_paid_then(
    place: str, to: str, who: str, flags: tuple[str, ...]
) -> None:
    game = hero_at(place, flags=flags)
    came = set()
    for play in plays(game, read(**HIRE, to=to, text="Three now, if you come")):
        joins = play.game.story.company == (who,)
        came.add(joins)
        assert game.sheet.coin - play.game.sheet.coin == 3 * joins
        if joins:
            assert who in surroundings.persons(play.game, play.book)
            assert to not in surroundings.passed(play.game, play.book)
            told = script_of(game, [event_of(one) for one in play.done], play.book).beats()
            assert any("comes along" in beat.line.text for beat in told)
    assert came == {True, False}


def test_who_was_hired_is_not_hired_twice_and_goes_home_when_sent() -> None:
    hired = next(p for p in plays(hero_at("inn"), read(**HIRE)) if p.game.story.company)
    assert not surroundings.may_hire(hired.game, hired.book)
    away = Play(hired.game.model_copy(update={"place": "ford"}), lamp())
    enacted(away, read(do="say", to="inn-folk", want="leave", text="Go home"))
    assert "inn-folk" not in surroundings.persons(away.game, away.book)
    home = away.game.model_copy(update={"place": "inn"})
    assert "inn-folk" in surroundings.persons(home, away.book)


def test_a_companion_who_is_told_to_wait_stays_until_they_are_asked_along() -> None:
    game = hero_at("ford", flags=(f"{surroundings.HIRED}inn-folk",))
    company = game.story.model_copy(update={"company": ("inn-folk",)})
    game = game.model_copy(update={"story": company, "visited": ("inn", "greenway", "ford")})
    vow = "The carter waits at the ford with the horses."
    wish = [
        {"kind": "place", "who": "inn-folk", "what": "aside"},
        {"kind": "detail", "who": "inn-folk", "text": vow},
    ]
    wait = {"do": "say", "to": "inn-folk", "want": "help", "text": "You wait here", "success": wish}
    play = played(game, read(**wait))
    told = script_of(game, [event_of(one) for one in play.done], lamp()).beats()
    assert any("waits here" in beat.line.text for beat in told)
    assert vow in [one.text for one in play.game.story.canon if one.kind == "promise"]
    assert play.game.story.company == ()
    assert "inn-folk" in surroundings.persons(play.game, lamp())
    away = played(play.game, read(do="move", to="greenway")).game
    assert "inn-folk" not in surroundings.persons(away, lamp())
    assert surroundings.elsewhere(away, lamp())["inn-folk"] == "ford"
    home = played(away, read(do="move", to="inn")).game
    assert "inn-folk" not in surroundings.persons(home, lamp())
    along = played(play.game, read(do="follow", to="inn-folk", text="Come"))
    assert (along.game.story.company, along.game.story.waiting) == (("inn-folk",), {})


def test_nobody_is_about_to_be_hired_where_the_scenario_has_nobody() -> None:
    assert surroundings.may_hire(hero_at("inn"), lamp())
    for play in plays(hero_at("ford"), read(**HIRE, to="all", text="Who comes?")):
        assert not play.game.story.company


def test_a_foe_who_comes_over_in_a_fight_gives_up_and_can_be_led_along() -> None:
    game, over = fight_with("captain").model_copy(update={"place": "tower-top"}), 0
    for play in plays(game, read(**HIRE, to="foe2", text="Come over to me")):
        assert "Demanded" in kinds(play)
        if any(isinstance(one, h.Yielded) and one.who == "foe2" for one in play.done):
            over += 1
            assert surroundings.gave_up("captain", "foe2") in play.game.flags
    assert over


def test_who_gave_up_goes_when_told_to() -> None:
    flags = ("won:orcs", "yielded:orcs:foe2")
    play = Play(hero_at("tower-foot", flags=flags), lamp())
    assert "foe2" in surroundings.passed(play.game, play.book)
    enacted(play, read(do="say", to="foe2", want="leave", text="Off with you"))
    assert "foe2" not in surroundings.passed(play.game, play.book)
    assert "foe2" not in setting.roster(play.game, play.book).beings


@pytest.mark.parametrize(
    ("who", "place", "said"),
    [
        ("ally1", "tower-foot", {}),
        ("halvard", "ford", {"band": "easy"}),
    ],
)
def test_friends_help_for_the_asking_once_a_day(who: str, place: str, said: dict[str, str]) -> None:
    play = Play(hero_at(place), lamp())
    ask = read(do="say", to=who, want="help", text="Give me a hand", **said)
    enacted(play, ask)
    assert "Helped" in kinds(play)
    enacted(play, ask)
    assert kinds(play).count("Helped") == 1
    assert "Attempted" not in kinds(play)


def test_a_promise_to_a_foe_is_over_once_it_is_kept() -> None:
    kept = {"text": "Skrit went free", "instead": "let Skrit go"}
    promise = {"kind": "promise", "text": "let Skrit go"}
    play = Play(hero_at("tower-foot", flags=("won:orcs",)), lamp())
    enacted(play, Reading.model_validate({"acts": [{"do": "flourish"}], "details": [promise]}))
    enacted(play, Reading.model_validate({"acts": [{"do": "flourish"}], "details": [kept]}))
    assert [one.text for one in play.game.story.canon] == ["Skrit went free"]


@pytest.mark.parametrize(
    "lie",
    [
        {"do": "say", "to": "foe1", "approach": "deceive", "want": "pass", "text": "I am a reeve"},
        {"do": "check", "skill": "persuasion", "success": [{"kind": "place", "what": "ford"}]},
    ],
)
def test_a_lie_that_is_not_believed_is_no_quarrel_the_first_time(lie: dict[str, object]) -> None:
    game = hero_at("greenway")
    first, second = plays(game, read(**lie)), list[bool]()
    assert not any(one.game.fight for one in first)
    failed = next(one.game for one in first if "Refused" in kinds(one))
    second = [one.game.fight is not None for one in plays(failed, read(**lie))]
    assert set(second) == {True, False}


def test_a_ware_is_handed_to_whom_it_is_bought_for() -> None:
    hired = next(p for p in plays(hero_at("inn"), read(**HIRE)) if p.game.story.company)
    play = Play(hired.game, lamp())
    enacted(play, read(do="pick", item="buy:lantern", to="inn-folk", text="hands it to the lad"))
    assert not play.game.sheet.count("lantern")
    assert [one.to for one in play.done if isinstance(one, h.ItemLost)] == ["inn-folk"]


def test_a_guard_that_is_readied_is_taken_up() -> None:
    guard = {"do": "rule", "item": "guard", "when": "trigger", "text": "between them and the lad"}
    play = Play(fight_with("orcs"), lamp())
    enacted(play, read(**guard))
    assert "guard" in [one.action for one in play.done if isinstance(one, h.ActionTaken)]


def test_who_is_asked_along_without_a_name_is_paid_what_the_next_clause_says() -> None:
    said = "Je cherche quelqu'un pour m'accompagner à la tour, je paie trois pièces."
    heard = parse(said, hero_at("inn", lang="fr"), lamp())
    hire = next(act for act in heard.acts if act.want == "join")
    assert (hire.to, hire.coin) == ("all", 3)
    assert not any(act.do == "give" for act in heard.acts)


def test_who_slips_past_is_where_the_words_lead() -> None:
    slip = Intent(act="sneak", target="dell", said="I slip past them to the dell")
    ends = set()
    for seed in SEEDS:
        play = Play(hero_at("greenway", seed=str(seed)), lamp())
        journey.perform(play, slip)
        ends.add((play.game.place, "encounter:ruffians:avoided" in play.game.flags))
    assert ends == {("dell", True), ("greenway", False)}
