"""What is answered without a model: a question's topic, and the sentences the record has for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.faceoff import (
    HitRange,
)
from ruleplay.agents.battle.domain.meaning import options
from ruleplay.agents.battle.domain.naming import display
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder
from ruleplay.agents.battle.domain.phrases import percent, wish_said
from ruleplay.agents.battle.policy.hearing import ORDERS
from ruleplay.agents.battle.policy.knowledge import (
    accuracy,
    explain,
    hazards,
    item,
    last,
    lesson,
    sets,
    team,
)
from ruleplay.agents.battle.policy.names import thing_name
from ruleplay.agents.battle.policy.obeying import CLOSE, cost_said
from ruleplay.agents.battle.policy.pairings import damage, hit_said, matchup, speed, survive, tera
from ruleplay.agents.battle.policy.replies import value_of
from ruleplay.agents.battle.policy.scene import (
    Scene,
    action,
    and_listed,
    as_shares,
    upper,
)
from ruleplay.agents.battle.state import DecisionTrace

SHARES_TOLD = 6
Answer = Callable[[Scene], Iterable[str]]


def answer(scene: Scene) -> str:
    """Return what the record has for a question, in sentences."""
    heard = scene.heard
    if heard.choices:
        choices = ", ".join(scene.say(f"topic_{one}") for one in heard.choices if one in NAMED)
        asks = scene.say("unsure", choices=choices) if choices else scene.say("help")
        return " ".join((scene.say("not_understood"), asks))
    missing = [
        scene.say("outside", name=thing_name(thing)) for thing in options(heard.named, "species")
    ]
    if missing and heard.topic not in ("explain", "other", "talk"):
        return " ".join(missing)
    told = [*ANSWERS.get(heard.topic, _other)(scene)]
    return " ".join(told or [scene.say("nothing_known")])


def why(scene: Scene) -> Iterable[str]:
    """Say why the last order was chosen: the search's numbers, what it does, what was expected."""
    trace, order = scene.trace, scene.state.order
    if trace is None:
        return
    chosen = scene.order(trace.chosen)
    yield upper(scene.say("why_person" if trace.source == "person" else "why", order=chosen))
    yield from _wished(scene)
    yield from _by_search(scene, trace)
    yield from _effect(scene, trace)
    yield from _expected(scene, trace)
    if order is not None and isinstance(trace.chosen, MoveOrder):
        yield from _stayed(scene, trace)


def _wished(scene: Scene) -> Iterable[str]:
    order, trace = scene.state.order, scene.trace
    bent = trace is not None and trace.chosen != trace.best
    for wish in order.followed if order and bent else ():
        if not wish.orders:
            said = wish_said(scene.heard.language, wish, scene.position)
            yield scene.say("obey_asked", wish=said)


def _by_search(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    value = value_of(trace.chosen, trace.verdict)
    lines = trace.verdict.lines if trace.verdict else ()
    if value is None:
        yield scene.say("why_rules" if not lines else "cost_unknown")
        return
    yield scene.say("why_search", chance=percent(value))
    others = [line for line in lines if line.order != trace.chosen]
    best = max(others, key=lambda line: line.value, default=None)
    if best is not None:
        far = abs(best.value - value) >= CLOSE
        key = ("why_rather" if best.value > value else "why_next") if far else "why_close"
        yield upper(scene.say(key, order=scene.order(best.order), chance=percent(best.value)))


def _effect(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    match trace.chosen:
        case MoveOrder(move=move) if dex.knows_move(move) and dex.move(move).damaging:
            option = next((one for one in trace.moves.moves if one.move == move), None)
            foe = scene.position.theirs.active
            if option and foe:
                hit = HitRange(move, option.damage.low, option.damage.high, option.ko_chance)
                yield hit_said(scene, hit, foe)
        case SwitchOrder(ident=ident):
            entry = next((one for one in trace.switches.switches if one.ident == ident), None)
            if entry:
                name = display(scene.position, ident)
                yield scene.say("why_switch_cost", mon=name, hp=percent(entry.hp_after))


def _expected(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    if trace.expected.predictions:
        first = trace.expected.predictions[0]
        chance = percent(first.probability)
        yield scene.say("why_expected", action=action(scene, first), chance=chance)


def _stayed(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    lines = trace.verdict.lines if trace.verdict else ()
    leaving = [line for line in lines if isinstance(line.order, SwitchOrder)]
    best = max(leaving, key=lambda line: line.value, default=None)
    if best is not None and isinstance(best.order, SwitchOrder):
        name = display(scene.position, best.order.ident)
        yield scene.say("why_stayed", mon=name, chance=percent(best.value))


def considered(scene: Scene) -> Iterable[str]:
    """List what else there was; of a named move or Pokémon, what the search gave it."""
    trace = scene.trace
    if trace is None:
        return
    named = [order for order in scene.position.legal if _is_named(scene, order)]
    lines = trace.verdict.lines if trace.verdict else ()
    if named:
        for order in named[:2]:
            yield f"{upper(scene.order(order))}: " + cost_said(
                scene.heard.language, order, scene.position, trace
            )
        return
    told = [
        scene.say("considered_one", order=scene.order(line.order), chance=percent(line.value))
        for line in sorted(lines, key=lambda line: -line.value)[:SHARES_TOLD]
    ]
    told = told or [scene.order(one.order) for one in trace.scores[:SHARES_TOLD]]
    yield scene.say("considered", orders=", ".join(told))


def _is_named(scene: Scene, order: Order) -> bool:
    match order:
        case MoveOrder():
            return order.move in [thing.id for thing in options(scene.heard.named, "move")]
        case SwitchOrder():
            return order.ident in [thing.id for thing in options(scene.heard.named, "ours")]
    return False


def advice(scene: Scene) -> Iterable[str]:
    """Say what is best now, and the best of the other kind: staying or switching."""
    trace = scene.trace
    if trace is None:
        return
    held = scene.state.order is not None and scene.state.order.held
    yield scene.say("advice" if held else "advice_sent", order=scene.order(trace.chosen))
    named = [order for order in scene.position.legal if _is_named(scene, order)]
    if named:
        yield from considered(scene)
        return
    lines = trace.verdict.lines if trace.verdict else ()
    for key, kind in (("advice_stay", MoveOrder), ("advice_switch", SwitchOrder)):
        own = [line for line in lines if isinstance(line.order, kind)]
        best = max(own, key=lambda line: line.value, default=None)
        if best is not None:
            yield scene.say(key, order=scene.order(best.order), chance=percent(best.value))
    yield from _effect(scene, trace)
    yield from _expected(scene, trace)


def chance(scene: Scene) -> Iterable[str]:
    """Say how likely we win, and what is left on both sides."""
    value = scene.state.order.value if scene.state.order else None
    if value is None:
        yield scene.say("chance_none")
    else:
        yield scene.say("chance", chance=percent(value))
    position = scene.position
    yield scene.say("standing", ours=position.ours.alive, theirs=position.theirs.alive)
    if value is not None:
        yield scene.say("unsure_chance")


def plan(scene: Scene) -> Iterable[str]:
    """Say who wins it for us, whom to keep, what stands in the way and what comes next."""
    analysis, position = scene.state.analysis, scene.position
    alive = {mon.ident for mon in position.ours.team if not mon.fainted}
    if analysis is not None:
        groups = (
            ("plan_win", _living([*analysis.win_conditions, *analysis.sweepers], alive)[:3]),
            ("plan_keep", _living(analysis.preserve, alive)),
            ("plan_spend", _living(analysis.expendable, alive)),
        )
        for key, idents in groups:
            if idents:
                mons = [display(position, ident) for ident in idents]
                yield scene.say(key, mons=and_listed(scene, mons))
        winners = groups[0][1]
        yield from _in_the_way(scene, winners)
    if scene.trace is not None:
        yield scene.say("plan_first", order=scene.order(scene.trace.chosen))
        if scene.trace.expected.predictions:
            first = scene.trace.expected.predictions[0]
            share = percent(first.probability)
            yield scene.say("plan_after", action=action(scene, first), chance=share)


def _living(idents: Sequence[str], alive: set[str]) -> list[str]:
    return [ident for ident in dict.fromkeys(idents) if ident in alive]


def _in_the_way(scene: Scene, winners: Sequence[str]) -> Iterable[str]:
    met = [pair for pair in scene.pairs() if pair.ours.ident in winners]
    for pair in [one for one in met if one.loses > 0.5][:3]:
        yield scene.say("plan_beats", foe=scene.mon(pair.theirs), mon=scene.mon(pair.ours))


def threat(scene: Scene) -> Iterable[str]:
    """Say what they may do next, and who of theirs is dangerous."""
    living = [mon for mon in scene.position.theirs.team if not mon.fainted]
    names = and_listed(scene, map(scene.mon, living)) if living else scene.say("nothing")
    yield scene.say("threat_left", mons=names, unseen=scene.position.theirs.unseen)
    if scene.trace is not None and scene.trace.expected.predictions:
        told = [
            (action(scene, one), one.probability) for one in scene.trace.expected.predictions[:4]
        ]
        yield scene.say("threat_expected", actions=as_shares(scene, told, 4))
    pairs = scene.pairs()
    for mon in dict.fromkeys(pair.theirs.ident for pair in pairs):
        met = [pair for pair in pairs if pair.theirs.ident == mon]
        if (foe := met[0].theirs).boosts.raised >= 2:
            yield scene.say("threat_boosted", mon=scene.mon(foe))
        if sum(pair.loses > 0.5 for pair in met) > len(met) / 2:
            yield scene.say("threat_beats", mon=scene.mon(foe))


def talk(scene: Scene) -> Iterable[str]:
    """Answer small talk without pretending to more."""
    if scene.heard.topic == "bot":
        yield scene.say("bot")
        return
    active, order = scene.position.ours.active, scene.state.order
    value = order.value if order else None
    if active is not None and active.fainted and value is not None:
        yield scene.say("talk_lost", mon=scene.mon(active), chance=percent(value))
    else:
        yield scene.say("talk")


def _other(scene: Scene) -> Iterable[str]:
    yield scene.say("other")
    yield scene.say("help")


ANSWERS: Mapping[str, Answer] = {
    "why": why,
    "considered": considered,
    "advice": advice,
    "speed": speed,
    "damage": damage,
    "survive": survive,
    "sets": sets,
    "item": item,
    "tera": tera,
    "matchup": matchup,
    "chance": chance,
    "plan": plan,
    "threat": threat,
    "hazards": hazards,
    "explain": explain,
    "team": team,
    "last": last,
    "lesson": lesson,
    "accuracy": accuracy,
    "talk": talk,
    "bot": talk,
    "yes": talk,
}
NAMED = frozenset(ANSWERS) - {"talk", "yes"} | ORDERS
