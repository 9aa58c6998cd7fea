"""Allies fall before they die and can be tended; what was won, lent or limited holds as said."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.agents.saga.test_improvising import played, read
from tests.agents.saga.test_named import by
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.domain import demands, journey, spoils, surroundings
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.blows import apply_damage, strike
from ruleplay.agents.saga.domain.fight import HERO, Fight, Status
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.talking import LENT, LOAN
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.story.acts import Reading

SEEDS = range(40)
SAEL, MAUD = "ally1", "maud"
POURS = {"do": "use", "item": "healing-draught", "to": SAEL, "text": "pour it between her lips"}
DRAGS = {
    "do": "check",
    "skill": "athletics",
    "to": SAEL,
    "text": "drag her to cover",
    "success": [{"kind": "place", "who": HERO, "what": "cover"}],
}


def on(game: Game) -> Fight:
    assert game.fight is not None
    return game.fight


def opened(game: Game, *, down: bool) -> Game:
    """Return a fight on the hero's turn, with Sael down or unhurt."""
    play = Play(game, lamp())
    play.add(h.FightOpened(actor=HERO))
    play.add(h.TurnAdvanced(round=1, turn=play.fight.order.index(HERO), actor=HERO))
    if down:
        apply_damage(play, SAEL, play.fight.the(SAEL).hp, by="foe2")
        assert isinstance(play.done[-1], h.Fell)
    return play.game


def several(*acts: Mapping[str, object], **more: object) -> Reading:
    return Reading.model_validate({"acts": acts, **more})


def test_a_draught_poured_into_a_fallen_ally_is_hers_and_she_is_dragged_along() -> None:
    before = opened(fight_with("orcs"), down=True)
    runs = {"do": "move", "to": SAEL, "text": "run to her through the nettles"}
    play = played(before, several(runs, POURS, DRAGS))
    healed = [o for o in play.done if isinstance(o, h.HitPointsChanged) and o.amount > 0]
    assert [(one.who, one.cause) for one in healed] == [(SAEL, "remedy")]
    assert play.game.sheet.count("healing-draught") == before.sheet.count("healing-draught") - 1
    assert any(isinstance(one, h.Attempted) for one in play.done)
    assert not any(isinstance(one, h.LeftUndone) for one in play.done)
    assert "Sael +12" in by(play, before)


@pytest.mark.parametrize(
    "act",
    [
        {"do": "give", "item": "healing-draught", "to": SAEL},
        {"do": "rule", "item": "first_aid", "to": SAEL},
        {"do": "check", "skill": "healing", "to": SAEL, "text": "bind her wounds"},
    ],
)
def test_whoever_is_down_is_tended_in_every_way(act: dict[str, object]) -> None:
    up = set()
    for seed in SEEDS:
        play = played(opened(fight_with("orcs", seed=str(seed)), down=True), read(**act))
        up.add(any(isinstance(o, h.HitPointsChanged) and o.amount > 0 for o in play.done))
    assert up == ({True} if act["do"] == "give" else {True, False})


def test_a_draught_for_somebody_unhurt_is_kept_and_the_rest_is_done() -> None:
    before = opened(fight_with("orcs"), down=False)
    play = played(before, several(POURS, DRAGS))
    assert [o.about for o in play.done if isinstance(o, h.Refused) and o.reason == "sound"] == [
        SAEL
    ]
    assert any(isinstance(one, h.Attempted) for one in play.done)
    assert play.game.sheet.count("healing-draught") == before.sheet.count("healing-draught")


def test_only_what_needs_a_refused_act_falls_with_it() -> None:
    before = opened(fight_with("orcs"), down=False)
    hangs = {**DRAGS, "when": "if_success"}
    play = played(before, several(POURS, hangs))
    assert [one.why for one in play.done if isinstance(one, h.LeftUndone)] == ["vain"]
    assert on(play.game).spent == ()


def test_a_draught_for_somebody_outside_a_fight_is_theirs() -> None:
    before = hero_at("inn")
    play = played(before, read(**{**POURS, "to": MAUD}))
    lost = [one for one in play.done if isinstance(one, h.ItemLost)]
    assert [(one.item, one.to) for one in lost] == [("healing-draught", MAUD)]
    assert not any(isinstance(one, h.Refused) for one in play.done)


def test_an_exchange_that_opens_a_fight_holds_one_round_of_the_others() -> None:
    quick = 0
    for seed in SEEDS:
        game = fight_with("orcs", seed=str(seed))
        play = played(game, read(do="rule", item="attack", to="foe1"))
        acted = [
            one.who
            for one in play.done
            if isinstance(one, h.ActionTaken) and (one.cost, one.action) == ("major", "attack")
        ]
        assert max(map(acted.count, acted)) == 1
        quick += on(game).order[0] != HERO
        if play.game.fight and not play.game.dead:
            assert play.fight.actor == HERO
    assert quick


def test_a_condition_that_was_won_before_a_fight_is_borne_in_it() -> None:
    wish = [{"kind": "condition", "who": "foe2", "what": "distracted"}]
    blinds = read(do="check", skill="athletics", to="foe2", text="dazzle him", success=wish)
    tries = [played(hero_at("tower-foot", seed=str(seed)), blinds) for seed in SEEDS]
    won = next(one for one in tries if any(isinstance(o, h.MarkMade) for o in one.done))
    spoils.trigger(won, "orcs")
    assert on(won.game).the("foe2").has("distracted")


def test_who_is_distracted_stays_so_until_they_strike() -> None:
    play = Play(opened(fight_with("orcs"), down=False), lamp())
    play.add(h.StatusGained(who="foe2", status=Status(kind="distracted", rounds=2)))
    strike(play, SAEL, "foe2")
    assert not play.fight.the("foe2").present or play.fight.the("foe2").has("distracted")
    if play.fight.the("foe2").present:
        strike(play, "foe2", SAEL)
        assert not play.fight.the("foe2").has("distracted")


BORROWS = {"do": "say", "to": MAUD, "approach": "bargain", "want": "give", "text": "Lend me these"}
VOW = {"kind": "promise", "text": "bring Maud back the lantern, the rope and tinder", "about": HERO}


def borrowed(seed: int, *wares: str, **more: object) -> Play:
    tinder = [{"kind": "keepsake", "who": HERO, "text": "tinder"}]
    acts = [{**BORROWS, "item": one, "success": tinder} for one in wares]
    return played(hero_at("inn", seed=str(seed)), several(*acts, **more))


def test_a_loan_is_granted_where_a_gift_is_not() -> None:
    price = lamp().rules.items["lantern"].price
    assert LENT < price <= LOAN
    for promised in (True, False):
        outcomes = set()
        for seed in SEEDS:
            play = borrowed(seed, "lantern", details=[VOW] if promised else [])
            outcomes.add(play.game.sheet.count("lantern"))
        assert outcomes == ({0, 1} if promised else {0})


def test_only_what_was_had_is_promised() -> None:
    seen = set()
    for seed in SEEDS:
        play = borrowed(seed, "lantern", "rope", details=[VOW])
        kept = [one.text for one in play.game.story.canon if one.kind == "promise"]
        had = {one for one in ("lantern", "rope") if play.game.sheet.count(one)}
        seen.add(tuple(sorted(had)))
        for one in ("lantern", "rope"):
            assert any(one in text for text in kept) == (one in had), (kept, had)
    assert len(seen) > 1


@pytest.mark.parametrize(("limit", "had"), [(2, 0), (3, 1), (9, 1)])
def test_a_limit_is_compared_with_the_price(limit: int, had: int) -> None:
    before = hero_at("inn")
    wish = {"to": MAUD, "want": "give", "item": "lantern", "coin": limit, "most": True}
    play = played(before, read(do="say", **wish, text="The lantern, if it is no dearer than that"))
    assert play.game.sheet.count("lantern") == had
    assert before.sheet.coin - play.game.sheet.coin == had * lamp().rules.items["lantern"].price
    told = [one.key for one in play.done if isinstance(one, h.Consulted)]
    assert told == ([] if had else ["lantern"])


@pytest.mark.parametrize("do", ["say", "give"])
def test_where_no_sum_was_named_nothing_is_paid(do: str) -> None:
    before = hero_at("inn")
    act = {"to": MAUD, "approach": "bargain", "want": "know", "coin": 5, "most": True}
    play = played(before, read(do=do, **act, text="I settle their lines if it is five at most"))
    assert play.game.sheet.coin == before.sheet.coin
    assert [o.reason for o in play.done if isinstance(o, h.Refused)][-1:] == ["unpriced"]


def test_who_was_won_to_come_along_lends_a_hand() -> None:
    helped = set()
    for seed in SEEDS:
        flags = ("encounter:ruffians:avoided",)
        before = hero_at("greenway", flags=flags, seed=str(seed))
        who = next(
            k for k, o in surroundings.passed(before, lamp()).items() if "Rudge" in o.name.en
        )
        asks = {"do": "say", "to": who, "approach": "charm", "want": "join", "text": "Come along"}
        play = played(before, read(**asks))
        if not play.game.story.company:
            continue
        then = Play(play.game, lamp())
        to = play.game.story.company[0]
        hand = read(do="say", to=to, want="help", text="Mend the ferry with me").acts[0]
        demands.called_on(then, hand)
        helped.add(any(isinstance(one, h.Helped) for one in then.done))
    assert helped == {True}


def test_a_companion_with_a_grudge_is_won_over_by_a_roll() -> None:
    outcomes = set()
    for seed in SEEDS:
        game = hero_at("ford", seed=str(seed), flags=("yielded:ruffians:foe2",))
        play = Play(game, lamp())
        play.add(h.Joined(who="rudge-beaten"))
        act = {"do": "say", "to": "rudge-beaten", "approach": "bargain", "want": "help", "coin": 2}
        after = played(play.game, read(**act, text="Two coins for your arms"))
        rolls = [one.success for one in after.done if isinstance(one, h.Attempted)]
        assert len(rolls) == 1
        outcomes.add(rolls[0])
        assert (after.game.sheet.coin < game.sheet.coin) == rolls[0]
    assert outcomes == {True, False}


def test_peace_that_all_make_together_may_be_shown_by_any_of_them() -> None:
    shown = set()
    for seed in SEEDS:
        before = fight_with("ruffians", seed=str(seed))
        offer = {"do": "say", "to": "foe1", "approach": "bargain", "want": "truce", "band": "easy"}
        play = played(before, read(**offer, coin=1, text="One coin, and we let it be"))
        script = script_of(before, [event_of(one) for one in play.done], lamp())
        made = [b for b in script.beats() if b.kind == "check" and "agrees" in b.says]
        shown |= {"foe2" in one.beings for one in made}
    assert shown == {True}


def test_an_answer_does_not_repeat_what_the_reply_has_just_told() -> None:
    before = hero_at("inn").model_copy(update={"visited": ()})
    play = Play(before, lamp())
    journey.perform(play, Intent(act="begin"))
    play.add(h.Consulted(topic="place", key="Where am I, and who is here?"))
    script = script_of(before, [event_of(one) for one in play.done], lamp())
    (answer,) = (one for one in script.beats() if one.kind == "answer")
    told = {part for one in script.beats() for part in one.passage.split("\n\n") if one != answer}
    assert told
    assert answer.facts
    assert not {part for one in answer.facts for part in one.split("\n\n")} & told
