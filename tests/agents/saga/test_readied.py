"""What is readied is kept, never done at once, and done once somebody strikes or it is a fight."""

from __future__ import annotations

import pytest
from tests.agents.saga.test_improvising import at_the_toll, kinds, played, read
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising, melee, setting, spoils, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.invariants import broken_bounds, broken_rules
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.answers import facts_of
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.policy.replies import looked_up
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Reading
from ruleplay.story.texts import Lang

SEEDS = range(25)
READY = {
    "a blow": {"do": "rule", "item": "attack", "to": "foe2", "spare": True},
    "flight": {"do": "move", "to": "away"},
    "a trick": {
        "do": "check",
        "skill": "athletics",
        "to": "foe2",
        "success": [{"kind": "condition", "who": "foe2", "what": "prone"}],
    },
    "words": {"do": "say", "to": "foe2", "text": "I told you so"},
}


def blows(play: Play) -> list[tuple[str, str]]:
    return [(o.attacker, o.target) for o in play.done if isinstance(o, h.Attacked)]


@pytest.mark.parametrize("name", READY)
@pytest.mark.parametrize("place", ["inn", "greenway"])
def test_outside_a_fight_nothing_is_done_yet(name: str, place: str) -> None:
    act = {**READY[name], "when": "trigger", "text": "if he moves"}
    game = hero_at(place)
    known = setting.roster(game, lamp()).anybody
    if act.get("to") in ("foe2",) and "foe2" not in known:
        act = {**act, "to": "", "success": []}
    play = played(game, read(**act))
    assert kinds(play) == ["Readied"]
    assert (play.game.place, play.game.fight) == (place, None)


def test_it_is_done_once_talk_turns_into_a_fight() -> None:
    ready = read(**READY["a blow"], when="trigger", text="if he reaches for anything")
    press = read(do="say", to="foe2", approach="threaten", want="pass", text="Out of my way")
    struck = 0
    for seed in SEEDS:
        game = played(hero_at("greenway", seed=str(seed)), ready).game
        play = Play(game, lamp())
        improvising.enact(play, press)
        if play.game.fight:
            melee.spring(play)
            struck += (HERO, "foe2") in blows(play)
        assert broken_rules(game, play.done, play.game) == []
        assert not play.game.story.readied or play.game.fight is None
    assert struck > 3


def test_what_is_readied_in_the_message_that_comes_to_blows_is_done_as_well() -> None:
    ready = {**READY["a blow"], "when": "trigger", "text": "if he lifts his club"}
    press = {"do": "say", "to": "foe2", "approach": "threaten", "want": "pass", "text": "Away"}
    fought = struck = 0
    for seed in SEEDS:
        play = Play(hero_at("greenway", seed=str(seed)), lamp())
        improvising.enact(play, Reading.model_validate({"acts": [press, ready]}))
        if play.game.fight:
            fought += 1
            melee.spring(play)
            struck += (HERO, "foe2") in blows(play)
    assert 0 < struck == fought


@pytest.mark.parametrize("name", READY)
def test_in_a_fight_it_comes_before_the_blow_it_waits_for(name: str) -> None:
    act = {"text": "if he swings", **READY[name], "when": "trigger"}
    acts = Reading.model_validate({"acts": [act, {"do": "wait"}] if name == "words" else [act]})
    came = 0
    for seed in SEEDS:
        game = at_the_toll(str(seed))
        play = Play(game, lamp())
        melee.fight_on(play, acts, {})
        assert broken_rules(game, play.done, play.game) == []
        assert list(broken_bounds(lamp(), game, play.done, play.game)) == []
        sprung = [n for n, o in enumerate(play.done) if isinstance(o, h.Sprung) and o.came]
        mine = [n for n, o in enumerate(play.done) if isinstance(o, h.Attempted | h.Fled)]
        mine += [n for n, o in enumerate(play.done) if getattr(o, "attacker", "") == HERO]
        assert all(sprung and n > sprung[0] for n in mine)
        assert len(sprung) <= 1
        came += len(sprung)
    assert came > 5


def test_who_waits_for_another_is_told_that_it_did_not_come_to_that() -> None:
    act = read(**READY["a blow"], when="trigger", text="if Rudge swings")
    for seed in SEEDS:
        game = at_the_toll(str(seed))
        assert game.fight
        away = game.model_copy(update={"fight": game.fight.with_("foe2", fled=True)})
        play = Play(away, lamp())
        melee.fight_on(play, Reading(acts=act.acts), {})
        assert (HERO, "foe2") not in blows(play)
        if play.game.fight:
            assert not play.game.story.readied


def test_a_defence_beside_it_is_part_of_it() -> None:
    guard = {"do": "rule", "item": "defend", "text": "I parry"}
    thrust = {**READY["a blow"], "when": "trigger", "text": "and if he insists, the thigh"}
    play = played(at_the_toll(), Reading.model_validate({"acts": [guard, thrust]}))
    assert "LeftUndone" not in kinds(play)
    assert kinds(play).count("Readied") == 1


def test_it_is_forgotten_elsewhere() -> None:
    ready = read(**READY["flight"], when="trigger", text="if they follow, I run")
    game = played(hero_at("inn"), ready).game
    assert game.story.readied
    assert not played(game, read(do="move", to="greenway")).game.story.readied


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_cover_that_was_readied_is_taken_before_anybody_strikes(lang: Lang) -> None:
    dodge = {"do": "move", "to": "cover", "with": "bow", "when": "trigger", "text": "the oak"}
    press = {"do": "say", "to": "foe2", "approach": "threaten", "want": "pass", "text": "Away"}
    fought = 0
    for seed in SEEDS:
        game = hero_at("greenway", seed=str(seed), lang=lang)
        play = Play(game, lamp())
        improvising.enact(play, Reading.model_validate({"acts": [press, dodge]}))
        if play.game.fight is None:
            continue
        fought += 1
        melee.spring(play)
        assert blows(play) == []
        melee.fight_on(play, read(do="rule", item="aim", text="I aim"), {})
        assert broken_rules(game, play.done, play.game) == []
        assert play.game.sheet.weapon == "bow"
        assert [one.cost for one in play.done if covered(one)] == ["reaction"]
    assert fought > 3


def covered(one: object) -> bool:
    return isinstance(one, h.ActionTaken) and one.action == "cover"


def test_cover_that_waits_for_a_blow_is_no_flight() -> None:
    dodge = read(do="move", to="behind", when="trigger", text="if he swings, behind the cart")
    came = 0
    for seed in SEEDS:
        play = Play(at_the_toll(str(seed)), lamp())
        melee.fight_on(play, dodge, {})
        assert "Fled" not in [type(o).__name__ for o in play.done if getattr(o, "who", "") == HERO]
        came += sum(map(covered, play.done))
    assert came > 5


@pytest.mark.parametrize(("lang", "spent"), [("en", "minor one is spent"), ("fr", "dépensée")])
def test_a_question_is_answered_with_the_actions_that_are_left(lang: Lang, spent: str) -> None:
    game = fight_with("ruffians", lang=lang)
    opened = played(game, read(do="rule", item="aim", text="I aim")).game
    assert opened.fight
    shown = looked_up(h.Consulted(topic="fight"), opened, lamp())
    assert spent in shown
    fresh = opened.model_copy(update={"fight": opened.fight.model_copy(update={"spent": ()})})
    assert spent not in looked_up(h.Consulted(topic="fight"), fresh, lamp())
    assert shown.split("\n")[-1] in facts_of("rules", opened, lamp())


DRAUGHT = {"do": "use", "item": "healing-draught", "when": "trigger", "text": "if he hits, I drink"}
TRICK = {"do": "check", "skill": "athletics", "text": "I swing myself over the pole"}


def spent_by_hero(play: Play) -> list[tuple[str, str]]:
    mine = (o for o in play.done if isinstance(o, h.ActionTaken) and o.who == HERO)
    return [(one.action, one.cost) for one in mine]


@pytest.mark.parametrize("acts", [(TRICK, DRAUGHT), (DRAUGHT, TRICK)])
def test_a_draught_is_readied_beside_the_deed_of_the_turn(acts: tuple[object, ...]) -> None:
    drunk = 0
    for seed in SEEDS:
        game = at_the_toll(str(seed))
        assert game.fight
        order = (HERO, *(one for one in game.fight.order if one != HERO))
        first = game.fight.model_copy(update={"opened": True, "order": order, "turn": 0})
        hurt = game.model_copy(update={"fight": first.with_(HERO, hp=35)})
        play = Play(hurt, lamp())
        melee.fight_on(play, Reading.model_validate({"acts": acts}), {})
        assert not any(isinstance(one, h.LeftUndone) for one in play.done)
        assert {("improvise", "major"), ("ready", "minor")} <= {*spent_by_hero(play)}
        assert ("defend", "major") not in spent_by_hero(play)
        assert broken_rules(hurt, play.done, play.game) == []
        if ("use", "reaction") in spent_by_hero(play):
            drunk += 1
            healed = [o.amount for o in play.done if getattr(o, "cause", "") == "remedy"]
            assert healed == [12]
    assert drunk > 5


def test_who_only_waits_with_a_draught_stands_on_the_defensive() -> None:
    play = played(at_the_toll(), Reading.model_validate({"acts": [DRAUGHT]}))
    assert ("defend", "major") in spent_by_hero(play)


def test_a_draught_that_would_not_help_is_kept() -> None:
    struck = 0
    for seed in SEEDS:
        play = played(at_the_toll(str(seed)), Reading.model_validate({"acts": [TRICK, DRAUGHT]}))
        names = [type(one).__name__ for one in play.done]
        if "ItemLost" in names:
            before = play.done[: names.index("ItemLost")]
            assert any(isinstance(one, h.Attacked) and one.hit for one in before)
        struck += "Attacked" in names
    assert struck > 5


def test_a_draught_that_is_not_there_is_not_readied() -> None:
    game = at_the_toll()
    none = game.sheet.with_items("healing-draught", -game.sheet.count("healing-draught"))
    play = played(game.model_copy(update={"sheet": none}), read(**DRAUGHT))
    assert [one.why for one in play.done if isinstance(one, h.InVain)] == ["not_carried"]


def test_what_is_readied_holds_in_the_first_round_whoever_begins() -> None:
    threat = {"do": "say", "to": "foe2", "approach": "threaten", "want": "pass", "text": "Or else"}
    push = {**TRICK, "when": "if_failure"}
    dodge = {"do": "move", "to": "behind", "when": "trigger", "text": "down behind the pole"}
    fought = 0
    for seed in SEEDS:
        play = Play(hero_at("greenway", seed=str(seed)), lamp())
        given = Reading.model_validate({"acts": [threat, push, dodge, DRAUGHT]})
        left = improvising.enact(play, given)
        if play.game.fight is None:
            continue
        melee.strike_first(play, left)
        first = next(n for n, one in enumerate(play.done) if isinstance(one, h.TurnAdvanced))
        lost = [o for o in play.done[:first] if isinstance(o, h.Sprung) and not o.came]
        fought += 1
        assert lost == []
        struck = any(target == HERO for _, target in blows(play))
        assert not struck or any(map(covered, play.done))
    assert fought > 3


@pytest.mark.parametrize("hp", [50, 40])
def test_a_draught_readied_before_a_fight_waits_until_it_helps(hp: int) -> None:
    game = hero_at("greenway")
    sheet = game.sheet.model_copy(update={"hp": hp})
    ready = played(game.model_copy(update={"sheet": sheet}), read(**DRAUGHT)).game
    play = Play(ready, lamp())
    spoils.trigger(play, "ruffians")
    melee.spring(play)
    kept = bool(play.game.story.readied)
    assert kept == (hp == 50)
    assert not any(isinstance(one, h.Refused) for one in play.done)


@pytest.mark.parametrize(("lang", "said"), [("en", "stands down"), ("fr", "y renonce")])
def test_what_is_given_up_is_said_so(lang: Lang, said: str) -> None:
    ready = read(**READY["a blow"], when="trigger", text="if he moves")
    game = played(hero_at("greenway", lang=lang), ready).game
    play = played(game, read(do="rule", item=setting.STAND_DOWN, text="I lower it"))
    script = script_of(game, [event_of(one) for one in play.done], lamp())
    assert script.closing == []
    assert any(said in beat.line.text for beat in script.beats())


@pytest.mark.parametrize(
    ("lang", "said", "kept"),
    [
        ("en", "Should he land one on me, I down my draught", "use"),
        ("en", "I keep at Tam, and if they wound me I drink a potion", "use"),
        ("en", "If either of them swings at me, I flee", "rule"),
        ("en", "I swallow a potion if I get hurt", "use"),
        ("fr", "S'ils me blessent, j'avale ma potion", "use"),
        ("fr", "Si l'un des deux lève son gourdin, je fuis", "rule"),
        ("fr", "J'attaque Tam, et s'il me blesse je bois une potion", "use"),
    ],
)
def test_without_a_model_what_waits_for_something_is_readied_or_asked_about(
    lang: Lang, said: str, kept: str
) -> None:
    game = fight_with("ruffians", lang=lang)
    found = parse(said, game, lamp())
    ready = [act.do for act in found.acts if act.when == "trigger"]
    assert ready == [kept] or found.question
    assert not any(act.do == "check" for act in found.acts)
    assert not any(act.do == "use" and act.when == "then" for act in found.acts)


@pytest.mark.parametrize("said", ["I drink my potion", "Please, if you would, stop hitting me"])
def test_without_a_model_nothing_else_is_readied(said: str) -> None:
    found = parse(said, fight_with("ruffians"), lamp())
    assert all(act.when == "then" for act in found.acts)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Two coins and a song, no more"),
        ("en", "I'll give you two coins and a song"),
        ("en", "Three coins, and that's my last word"),
        ("fr", "Trois pièces et on n'en parle plus"),
    ],
)
def test_coins_for_those_in_the_way_are_no_stake_and_no_question(lang: Lang, said: str) -> None:
    found = parse(said, hero_at("greenway", lang=lang), lamp())
    offers = [act for act in found.acts if act.do == "say" and act.want == "pass"]
    assert found.question or offers
    assert not any(act.do in ("ask", "check", "give") for act in found.acts)


@pytest.mark.parametrize("said", ["How many coins do I have?", "Do I have three coins left?"])
def test_coins_that_are_asked_about_are_told(said: str) -> None:
    assert [act.do for act in parse(said, hero_at("greenway"), lamp()).acts] == ["ask"]


def test_what_was_readied_for_those_who_were_got_past_is_not_kept() -> None:
    ended = set()
    for seed in SEEDS:
        slip = {"do": "pick", "item": "sneak:ruffians", "text": "I slip by"}
        acts = Reading.model_validate({"acts": [slip, DRAUGHT]})
        play = Play(hero_at("greenway", seed=str(seed)), lamp())
        improvising.enact(play, acts)
        left = [one.why for one in play.done if isinstance(one, h.LeftUndone)]
        past = play.game.fight is None
        assert left == (["moment"] if past else [])
        assert bool(play.game.story.readied) != past
        ended.add(past)
    assert ended == {True, False}


def test_words_for_somebody_who_is_awaited_are_said_once_the_two_meet() -> None:
    plan = "The captain dreads the dark. We go in without a light and put out his torches. Coming?"
    said = f"I wait for Sael. When she comes I say: {plan}"
    game = hero_at("ford", flags=("deed:mend-ferry:text",))
    play = Play(game, lamp(), words=said)
    improvising.enact(play, read(do="say", want="join", when="trigger", text=plan))
    (kept,) = play.game.story.readied
    assert kept.to == "orcs-ally1"
    told = script_of(game, [event_of(one) for one in play.done], lamp()).beats()
    assert "torches" not in " ".join(beat.line.text for beat in told)
    there = next(way for way in surroundings.ways(play.game, lamp()) if way == "tower-foot")
    met = played(play.game, read(do="move", to=there))
    assert [one.to for one in met.done if isinstance(one, h.Spoke)] == ["ally1"]
    assert not met.game.story.readied


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_words_whose_moment_is_past_are_dropped_openly_and_briefly(lang: Lang) -> None:
    plan = "Nobody leaves this room before I know who of you has put out that lamp up there. " * 2
    game = hero_at("inn", lang=lang)
    ready = played(game, read(do="say", when="trigger", text=plan)).game
    left = played(ready, read(do="move", to="greenway"))
    closing = script_of(ready, [event_of(one) for one in left.done], lamp()).closing
    assert {"en": "did not come to this", "fr": "pas venu là"}[lang] in closing[0]
    assert len(closing[0]) < len(plan)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_waits_for_an_answer_is_told_to_come_after_it(lang: Lang) -> None:
    game = hero_at("inn", lang=lang)
    follows = {"do": "flourish", "when": "trigger", "text": "I do as he says unless he says home"}
    play = played(game, read(**follows))
    told = script_of(game, [event_of(one) for one in play.done], lamp()).beats()
    first = {"en": "the answer first", "fr": "d'abord la réponse"}[lang]
    assert any(first in beat.line.text for beat in told)
