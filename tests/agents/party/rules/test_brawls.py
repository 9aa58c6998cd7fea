"""Fights of anybody against anybody with whatever comes to mind: the rules' promises hold."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.agents.party.heroes import BOOK, cast_of, foe, hero
from tests.samples import sample

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.cast_problems import broken_rules
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.dice import roll
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings.creatures import Happening
from ruleplay.agents.party.domain.intents import Act, Intent, Refusal
from ruleplay.agents.party.domain.rules.acts import resolve
from ruleplay.agents.party.domain.rules.features import COSTS
from ruleplay.agents.party.domain.rules.rests import long_rest, short_rest
from ruleplay.agents.party.domain.rules.turns import begin_fight
from ruleplay.agents.party.domain.terms import CLASSES

ANYTHING: tuple[Act, ...] = (
    "attack", "offhand", "cast", "power", "move", "dash", "dodge", "disengage", "help", "hide",
    "ready", "grapple", "shove", "escape", "stand", "drop", "stabilise", "wake", "use", "equip",
    "feature", "flee", "end",
)  # fmt: skip
STEPS = 250


def gathered(seed: int) -> tuple[Cast, tuple[Happening, ...]]:
    """Return a party and its foes at the start of their fight, all by chance."""
    chance = random.Random(seed)
    classes = chance.sample(CLASSES, chance.randint(1, 5))
    party = [hero(klass, chance.randint(1, 5), klass) for klass in classes]
    kinds = chance.choices(list(BOOK.monsters), k=chance.randint(1, 5))
    foes = [foe(kind, f"{kind}{n}") for n, kind in enumerate(kinds)]
    cast = cast_of(*party, *foes, seed=str(seed))
    places = {one.id: 5 * chance.randint(-3, 0) for one in party}
    places |= {one.id: 5 * chance.randint(0, 12) for one in foes}
    surprised = tuple(one.id for one in foes if chance.random() < 0.2)
    return cast, begin_fight(cast, BOOK, "brawl", places, surprised)


def whim(cast: Cast, one: Creature, chance: random.Random) -> Intent:
    """Return what somebody wants: often something sensible, often anything."""
    assert cast.fight is not None
    foes = [other.id for other in cast.foes_of(one.id)]
    near = [ident for ident in foes if cast.distance(one.id, ident) <= 5]
    everyone = [other.id for other in cast.creatures]
    able = cast.fight.budget.action or cast.fight.budget.attacks
    usual: Act = ("attack" if near else "move") if able else "end"
    act: Act = chance.choice(ANYTHING) if chance.random() < 0.4 else usual
    if one.spells and chance.random() < 0.25:
        act = "cast"
    if one.powers and chance.random() < 0.25:
        act = "power"
    pools = {
        "cast": one.spells,
        "attack": ("", *(each.key for each in one.attacks)),
        "ready": ("", *(each.key for each in one.attacks)),
        "power": tuple(each.key for each in one.powers),
        "use": tuple(each.item for each in one.inventory),
        "equip": tuple(each.item for each in one.inventory),
        "feature": tuple(COSTS),
        "shove": ("", "prone", "away"),
    }
    what = chance.choice(pools.get(act) or ("",))
    spell = BOOK.spells.get(what) if act == "cast" else None
    friends = [one.id, *(other.id for other in cast.friends_of(one.id))]
    meant = friends if spell and spell.friendly else near or foes
    pool = meant if chance.random() < 0.85 and meant else everyone
    several = tuple(chance.sample(pool, min(len(pool), chance.randint(0, 3))))
    return Intent(
        act=act,
        target=chance.choice(pool) if chance.random() < 0.9 else "",
        targets=several if act in ("cast", "power", "feature") else (),
        what=what,
        slot=chance.choice((0, 0, 0, 1, 2, 3)),
        to=chance.randint(-40, 60) if act == "move" and chance.random() < 0.3 else None,
    )


def follow(cast: Cast, happened: tuple[Happening, ...]) -> tuple[Cast, list[str]]:
    after = cast
    for one in happened:
        after = after.apply(one)
    return after, broken_rules(cast, happened, after)


@pytest.mark.parametrize("seed", range(sample(20, 60)))
def test_no_promise_is_broken_whatever_is_wanted(seed: int) -> None:
    chance = random.Random(seed)
    start, begun = gathered(seed)
    cast, problems = follow(start, begun)
    assert not problems
    for _ in range(STEPS):
        if cast.fight is None:
            break
        actor = cast.the(cast.fight.actor)
        intent = whim(cast, actor, chance)
        before = cast.model_copy()
        found = resolve(cast, actor.id, intent, BOOK)
        if isinstance(found, Refusal):
            assert before == cast, intent
            continue
        again = resolve(cast, actor.id, intent, BOOK)
        assert found == again, intent
        cast, problems = follow(cast, found)
        assert not problems, (intent, problems)
    if cast.fight is None and any(one.level and one.alive for one in cast.creatures):
        for rest in (short_rest, long_rest):
            cast, problems = follow(cast, rest(cast, BOOK))
            assert not problems


def test_brawls_do_come_to_everything() -> None:
    """The test above would be worth little if most of the acts were always refused."""
    done: Counter[str] = Counter()
    told: Counter[str] = Counter()
    for seed in range(40):
        chance = random.Random(seed)
        start, begun = gathered(seed)
        cast = follow(start, begun)[0]
        for _ in range(STEPS):
            if cast.fight is None:
                break
            intent = whim(cast, cast.the(cast.fight.actor), chance)
            found = resolve(cast, cast.fight.actor, intent, BOOK)
            if isinstance(found, Refusal):
                continue
            done[intent.act] += 1
            told.update(type(one).__name__ for one in found)
            for one in found:
                cast = cast.apply(one)
    assert len(done) >= len(ANYTHING) - 2, done
    assert {"Fell", "Died", "DeathSaved", "FightOver", "ConcentrationEnded", "SlotSpent"} <= {*told}
    assert told["AttackRolled"] > 300


def test_wrong_tellings_are_found_out() -> None:
    """The judge judges: what no rule allows is named."""
    cast = follow(*gathered(1))[0]
    one = cast.creatures[0]
    sums = h.HitPointsChanged(who=one.id, amount=-3, hp=one.hp, why="hit")
    assert any("is not" in each for each in broken_rules(cast, [sums], cast.apply(sums)))
    assert "the cast is not what its happenings make of it" in broken_rules(
        cast, [], cast.with_(one.id, temp=one.temp + 1)
    )
    dead = cast.with_(one.id, dead=True, hp=0, effects=())
    blow = h.ActionTaken(who=one.id, act="attack", cost="action")
    assert any("while dead" in each for each in broken_rules(dead, [blow], dead.apply(blow)))
    forged = h.Checked(
        who=one.id, what="stealth", dc=10, success=True, roll=roll("other", cast.draws, "1d20")
    )
    found = broken_rules(cast, [forged], cast.apply(forged))
    assert any("does not replay" in each for each in found)
