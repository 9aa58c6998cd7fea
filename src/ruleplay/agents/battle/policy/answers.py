"""Answers questions without a model: one function per topic yields sentences from phrases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.chances import turning
from ruleplay.agents.battle.domain.faceoff import HitRange, face_off
from ruleplay.agents.battle.domain.happenings import Happening, last_turn
from ruleplay.agents.battle.domain.meaning import ORDERS, Thing, options
from ruleplay.agents.battle.domain.memory import told_on
from ruleplay.agents.battle.domain.naming import display
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder, target
from ruleplay.agents.battle.domain.phrases import happened, percent, wish_said
from ruleplay.agents.battle.domain.position import LAID
from ruleplay.agents.battle.domain.results import Expected, Line
from ruleplay.agents.battle.domain.wishes import Wish
from ruleplay.agents.battle.policy import knowledge, pairings, situation, turns
from ruleplay.agents.battle.policy.hearing import CONDITIONS
from ruleplay.agents.battle.policy.names import quoted, thing_name
from ruleplay.agents.battle.policy.obeying import CLOSE, best_of, cost_said, narrowed
from ruleplay.agents.battle.policy.replies import value_of
from ruleplay.agents.battle.policy.scene import RARELY, Scene, action, and_listed, as_shares, upper
from ruleplay.agents.battle.state import DecisionTrace

SHARES_TOLD = 4
"""Alternatives listed in an answer."""
SHARES_NAMED = 3
"""Named alternatives that are compared one by one."""
TOLD, FEW_TOLD = {1: 4, 2: 3}, 2
"""Sentences per question, by the number of questions; FEW_TOLD for more than two."""
STEPS_TOLD = 8
"""Steps told of a turn in which our chance changed most."""
SACK_TOLD = 3
"""Sentences of advice added to whether one may be given up."""
LOST = 0.25
"""Winning chance below which the outlook is called bad, and above one minus it good."""
SPENT = 0.2
"""Health below which one of ours may be given up."""
Answer = Callable[[Scene], Iterable[str]]


def answer(scene: Scene, said: Sequence[str] = ()) -> str:
    """Answer each question in the message.

    `said` is what came of its orders; it stands before the answers, and nothing is said twice.
    """
    heard = (scene.heard, *scene.heard.also)
    unsure = sorted((one for one in heard if one.choices), key=lambda one: len(one.named.names))
    # Of unclear clauses each question is asked about, but only one remark.
    asked = [one for one in heard if one.asks or one not in unsure[:-1]]
    if len(asked) > 1:
        asked = [one for one in asked if not _beside_the_point(replace(scene, heard=one))]
    asked.sort(key=lambda one: one.topic != "explain")  # what words mean comes first
    most = TOLD.get(len(asked), FEW_TOLD)
    alone = len(asked) == 1 and not scene.heard.orders
    told = (
        line
        for one in asked
        for line in islice(
            _answer(replace(scene, heard=one), alone=alone, obeyed=bool(scene.heard.orders)), most
        )
    )
    over = next(filter(None, (turns.opens(replace(scene, heard=one)) for one in asked)), "")
    done = over or " ".join(said)
    asked_for = " ".join(one for one in dict.fromkeys(told) if one not in done)
    return "\n\n".join(filter(None, (done, asked_for)))


def _beside_the_point(scene: Scene) -> bool:
    """Check whether it asks about alternatives, but names none that can be chosen."""
    named = bool(scene.heard.named.names) and scene.heard.topic == "considered"
    return named and not any(_is_named(scene, order) for order in scene.position.legal)


def _answer(scene: Scene, *, alone: bool, obeyed: bool) -> Iterable[str]:
    heard = scene.heard
    if (past_told := turns.answered(scene)) is not None:
        return past_told
    if heard.choices:
        return _unsure(scene, alone=alone, obeyed=obeyed)
    # Of species that are not in this battle there is nothing to say.
    missing = [
        scene.say("outside", name=thing_name(thing)) for thing in options(heard.named, "species")
    ]
    if missing and heard.topic not in ("explain", "other", "talk"):
        return missing
    named = {one.id for one in options(heard.named, "ours", "theirs")}
    gone = [mon for _, side in scene.position.sides for mon in side.team if mon.fainted]
    fallen = [scene.say("is_fainted", mon=mon) for mon in gone if mon.ident in named]
    if fallen and heard.topic in OF_THE_LIVING:
        return [*fallen, *turns.strikes(scene)]
    told = [*knowledge.defined(scene), *filter(None, ANSWERS.get(heard.topic, _other)(scene))]
    after = [scene.say("after_move", move=dex.move_name(scene.setup))] if scene.setup else []
    return [*after, *told] if told else [scene.say("nothing_known")]


def _unsure(scene: Scene, *, alone: bool, obeyed: bool) -> Iterable[str]:
    """Answer an unclear question or remark with the state of play; not an unclear order."""
    heard = scene.heard
    if heard.supposes and alone and scene.state.wishes:
        yield scene.say("condition_alone", wishes=_standing(scene))
    elif heard.asks and alone:
        yield scene.say("unsure_asked")
        yield from account(scene)
        yield from standing(scene)
        yield scene.say("help")
    elif heard.asks:
        yield scene.say("not_understood_part", said=quoted(heard))
    elif ORDERS & {*heard.choices}:
        return
    elif CONDITIONS & {*heard.choices}:
        key = "as_reason" if obeyed else "not_understood_part"
        yield scene.say(key, said=quoted(heard))
    elif alone:
        yield scene.say("remark")


def _standing(scene: Scene) -> str:
    """List the person's wishes that hold."""
    wishes = scene.state.wishes
    return and_listed(scene, [wish_said(scene.heard.language, w, scene.position) for w in wishes])


def standing(scene: Scene) -> Iterable[str]:
    """Say what the person has asked for and still holds."""
    if scene.state.wishes:
        yield scene.say("wishes_hold", wishes=_standing(scene))


def account(scene: Scene) -> Iterable[str]:
    """Say what is played and why, what else was an option, and what the opponent may do."""
    trace = scene.trace
    if trace is None:
        return
    if any(_is_named(scene, order) for order in _others(scene, trace)):
        yield from islice(considered(scene), 1)
    elif scene.heard.named.names and not any(_is_named(scene, o) for o in scene.position.legal):
        mons = [thing.id for thing in options(scene.heard.named, "ours", "theirs")]
        yield from [*knowledge.suffered(scene, mons)] or islice(knowledge.explain(scene), 2)
    else:
        yield " ".join(islice(reasons(scene, effects=False), 3))
    yield " ".join((*_expected(scene, trace), *_taken(scene, trace)))


def comment(scene: Scene) -> Iterable[str]:
    """Comment on a turn for somebody who is learning: what happened, then why we chose this."""
    told = [happened(scene.heard.language, one) for one in last_turn(scene.position)]
    yield " ".join((scene.say("turn_told"), *told)) if told else ""
    yield from reasons(scene)


def why(scene: Scene) -> Iterable[str]:
    """Explain the last choice: its value, staying against switching, its effect and its risk."""
    trace = scene.trace
    if trace is None:
        return
    yield " ".join(situation.unable(scene))
    before = scene.state.past
    if any(_is_named(scene, o) for o in _others(scene, trace)):
        # "Why that one?" is about the choice before where that one was chosen then, not now.
        yield from past(scene) if before and _is_named(scene, before.chosen) else considered(scene)
        return
    chosen, *searched = reasons(scene, effects=False)
    yield " ".join((chosen, *searched[:1]))
    yield " ".join(_other_kind(scene, trace)) or " ".join(searched[1:])
    yield " ".join(_effect(scene, trace, trace.chosen))
    yield " ".join((*_expected(scene, trace), *_taken(scene, trace)))


def _taken(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    """Say what their likeliest move does to whoever of ours will be on the field."""
    if pair := pairings.met(scene, trace.chosen):
        likely = next((one.action for one in trace.expected.predictions), "")
        hits = [one for one in pair.their_hits if one.move == likely]
        yield from (pairings.hit_said(scene, hit, pair.ours) for hit in hits)


def _others(scene: Scene, trace: DecisionTrace) -> list[Order]:
    """List the legal orders with another target than the chosen one, with or without tera."""
    return [one for one in scene.position.legal if target(one) != target(trace.chosen)]


def reasons(scene: Scene, *, effects: bool = True) -> Iterable[str]:
    """Yield the reasons for the last choice: wishes, search values, its effect, their move."""
    trace = scene.trace
    if trace is None:
        return
    chosen = scene.order(trace.chosen)
    yield upper(scene.say("why_person" if trace.source == "person" else "why", order=chosen))
    yield from _wished(scene)
    yield from _by_search(scene, trace)
    if effects:
        yield from _effect(scene, trace, trace.chosen)
        yield from _expected(scene, trace)


def _wished(scene: Scene) -> Iterable[str]:
    """Say which wishes changed the choice."""
    order, trace = scene.state.order, scene.trace
    bent = trace is not None and trace.chosen != trace.best
    for wish in order.followed if order and bent else ():
        if not wish.orders:
            said = wish_said(scene.heard.language, wish, scene.position)
            yield scene.say("obey_asked", wish=said)


def _by_search(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    """Compare the search's value of the chosen order with the next best."""
    value = value_of(trace.chosen, trace.verdict)
    lines = trace.verdict.lines if trace.verdict else ()
    if value is None:
        yield scene.say("why_rules" if not lines else "cost_unknown")
        return
    yield scene.say("why_search", chance=value)
    if best := _next_best(trace):
        far = abs(best.value - value) >= CLOSE
        key = ("why_rather" if best.value > value else "why_next") if far else "why_close"
        yield upper(scene.say(key, order=best.order, chance=best.value))


def _next_best(trace: DecisionTrace) -> Line | None:
    """Find the best searched order besides the chosen one."""
    lines = trace.verdict.lines if trace.verdict else ()
    others = [line for line in lines if line.order != trace.chosen]
    return max(others, key=lambda line: line.value, default=None)


def _effect(scene: Scene, trace: DecisionTrace, order: Order) -> Iterable[str]:
    """Say what an order does: a move's damage, or the health a switch costs."""
    match order:
        case MoveOrder(move=move) if dex.move(move).damaging:
            option = next((one for one in trace.moves.moves if one.move == move), None)
            foe = scene.position.theirs.active
            if option and foe and not foe.fainted:
                told = option.damage
                plain = HitRange(
                    move, told.low, told.high, option.ko_chance, accuracy=told.accuracy
                )
                changed = scene.with_own_tera if order.tera else None
                mine = changed.our_hits if changed and changed.theirs is foe else ()
                hit = next((one for one in mine if one.move == move), plain)
                if hit is not plain or not order.tera:  # the plain damage would be wrong for a tera
                    yield pairings.hit_said(scene, hit, foe)
                pair = scene.pair() if hit.ko else None
                if pair and pair.faster < 0.5 and not option.priority and pair.theirs is foe:
                    yield scene.say("faster", first=foe, second=pair.ours)
        case SwitchOrder(ident=ident):
            entry = next((one for one in trace.switches.switches if one.ident == ident), None)
            if entry:
                name = display(scene.position, ident)
                yield scene.say("why_switch_cost", mon=name, hp=entry.hp_after)


def _expected(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    """Say what the opponent will most likely do."""
    yield from _expected_of(scene, trace.expected)


def _expected_of(
    scene: Scene, expected: Expected | None, *, switches: bool = False
) -> Iterable[str]:
    """Say what was most likely, and with `switches` how likely a switch was."""
    foreseen = expected.predictions if expected else ()
    for first in foreseen[:1]:
        chance = percent(first.probability)
        yield scene.say("why_expected", action=action(scene, first), chance=chance)
        left = percent(sum(one.probability for one in foreseen if one.kind == "switch"))
        if switches and first.kind != "switch":
            yield scene.say("past_switch", chance=left)


def past(scene: Scene) -> Iterable[str]:
    """Say what was chosen the turn before, its alternatives then, what theirs did, and its text."""
    before = scene.state.past
    if before is None:
        yield scene.say("past_none")
        return
    key = "past_person" if before.source == "person" else "past"
    yield scene.say(key, turn=before.turn, order=before.chosen)
    value = value_of(before.chosen, before.verdict)
    lines = before.verdict.lines if before.verdict else ()
    others = [line for line in lines if target(line.order) != target(before.chosen)]
    best = max(others, key=lambda one: (_is_named(scene, one.order), one.value), default=None)
    if value is not None and best is not None:
        yield scene.say("past_search", chance=value, most=best.value, other=best.order)
    told, steps = [*_expected_of(scene, before.expected, switches=True)], last_turn(scene.position)
    suffered = [one for one in steps if _suffered(scene, one)]
    came = [one for one in steps if one.kind == "came" and not one.ours]
    told += [happened(scene.heard.language, one) for one in suffered[-1:] or came[:1]]
    yield " ".join(filter(None, told))
    if text := scene.printed.get(f"move/{target(before.chosen)}"):
        yield scene.say("explain_printed", name=upper(scene.order(before.chosen)), text=text)


def _suffered(scene: Scene, one: Happening) -> bool:
    """Check whether a step was a hit of theirs on ours."""
    ours = [mon.ident for mon in scene.position.ours.team]
    return one.kind == "used" and not one.ours and bool(one.share) and one.on in ours


def considered(scene: Scene) -> Iterable[str]:
    """List the alternatives, or compare those named with the choice."""
    trace = scene.trace
    if trace is None:
        return
    named = [order for order in scene.position.legal if _is_named(scene, order)]
    named.sort(key=lambda order: isinstance(order, MoveOrder) and order.tera)
    lines = trace.verdict.lines if trace.verdict else ()
    if named and not any(order in _others(scene, trace) for order in named):
        yield from why(scene)  # "sure about that one?", about what is chosen
        return
    if named:
        for order in _each_once(named, trace):
            yield _against_ours(scene, trace, order)
            yield from _effect(scene, trace, order)
        return
    told = [
        scene.say("considered_one", order=line.order, chance=line.value)
        for line in sorted(lines, key=lambda line: -line.value)[:SHARES_TOLD]
    ]
    told = told or [scene.order(one.order) for one in trace.scores[:SHARES_TOLD]]
    yield scene.say("considered", orders=and_listed(scene, told))


def _each_once(orders: Sequence[Order], trace: DecisionTrace) -> list[Order]:
    """Pick one order for each named target: the chosen one, else without terastallization."""
    found = {target(one): one for one in (*reversed(orders), trace.chosen)}
    return [found[name] for name in dict.fromkeys(map(target, orders))][:SHARES_NAMED]


def _against_ours(scene: Scene, trace: DecisionTrace, order: Order) -> str:
    """Compare the search's value of an order with that of the chosen one."""
    value, ours = value_of(order, trace.verdict), value_of(trace.chosen, trace.verdict)
    if value is None or ours is None or order == trace.chosen:
        cost = cost_said(scene.heard.language, order, scene.position, trace)
        return f"{upper(scene.order(order))}: {cost}"
    close = abs(ours - value) < CLOSE
    key = "beside_close" if close else "beside_less" if ours > value else "beside_more"
    return upper(scene.say(key, order=order, chance=value, ours=trace.chosen, most=ours))


def _is_named(scene: Scene, order: Order) -> bool:
    """Check whether the message names an order's move or Pokémon."""
    return target(order) in {thing.id for thing in options(scene.heard.named, "move", "ours")}


def advice(scene: Scene) -> Iterable[str]:
    """Say what is best now, and the best alternative of the other kind: staying or switching."""
    trace = scene.trace
    if trace is None:
        return
    yield _choice(scene)
    named = [order for order in scene.position.legal if _is_named(scene, order)]
    if any(order != trace.chosen for order in named):
        yield from considered(scene)
        return
    yield from _other_kind(scene, trace)
    yield from _effect(scene, trace, trace.chosen)
    yield from _expected(scene, trace)


def _other_kind(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    """Give the best way to stay if we switch, or the best switch if we stay."""
    other = MoveOrder if isinstance(trace.chosen, SwitchOrder) else SwitchOrder
    lines = trace.verdict.lines if trace.verdict else ()
    own = [line for line in lines if isinstance(line.order, other)]
    if best := max(own, key=lambda line: line.value, default=None):
        key = "advice_switch" if other is SwitchOrder else "advice_stay"
        yield scene.say(key, order=best.order, chance=best.value)


def _choice(scene: Scene) -> str:
    """Say what is played this turn and its winning chance."""
    order = scene.state.order
    if order is None:
        return ""
    key = "advice" if order.held else "sent_already"
    if order.value is not None:
        key += "_chance"
    return scene.say(key, order=order.order, chance=order.value or 0.0)


def numbers(scene: Scene) -> Iterable[str]:
    """Explain the numbers, with this turn's as an example."""
    yield scene.say("numbers")
    yield from considered(scene)


def recap(scene: Scene) -> Iterable[str]:
    """Summarise the battle: its result, who has fallen, and where our chance turned."""
    position, curve = scene.position, scene.state.chances
    yield from standing(scene)
    ours, theirs = (
        and_listed(scene, [scene.mon(mon) for mon in side.team if mon.fainted])
        or scene.say("nobody")
        for side in (position.ours, position.theirs)
    )
    yield scene.say("recap_fallen", ours=ours, theirs=theirs)
    if curve:
        first, final = percent(curve[0][1]), percent(curve[-1][1])
        yield scene.say("recap_curve", first=first, last=final)
    for key, (turn, before, after) in turning(curve).items():
        yield scene.say(key, turn=turn, before=before, after=after)
        known = [happened(scene.heard.language, one) for one in scene.course.happened(turn)]
        told = known or told_on(scene.state.memory, turn, position, scene.heard.language)
        steps = told[:STEPS_TOLD]
        yield scene.say("recap_told", steps=" ".join(steps)) if steps else ""


def length(scene: Scene) -> Iterable[str]:
    """Estimate how long the battle takes: who is left and how many hits the active one needs."""
    left = scene.position.theirs.alive
    yield scene.say("length", count=left)
    pair = scene.pair()
    if pair and (hits := [hit for hit in pair.our_hits if hit.usable and hit.high > 0]):
        hit = hits[0]
        count = ceil(pair.theirs.hp / ((hit.low + hit.high) / 2))
        names = {"move": dex.move_name(hit.move), "theirs": scene.mon(pair.theirs)}
        yield scene.say("length_hits", count=count, **names)
    yield from chance(scene)


def enters(scene: Scene) -> Iterable[str]:
    """Say what happens if they send somebody in: how likely, what our choice does, who beats it."""
    foe, trace = scene.theirs, scene.trace
    if foe is None or trace is None:
        return
    found = [c.probability for c in trace.expected.predictions if c.action == foe.ident]
    out = foe is scene.position.theirs.active
    if out:
        yield from _leaves(scene, trace)
        return
    yield scene.say("enters", mon=foe, chance=percent(sum(found)))
    named = [o for o in scene.position.legal if isinstance(o, MoveOrder) and _is_named(scene, o)]
    order = min(named, key=lambda one: one.tera, default=trace.chosen)
    if isinstance(order, MoveOrder) and dex.move(order.move).damaging:
        yield scene.say("enters_choice", order=order)
        yield from pairings.damage(scene.of(Thing("move", order.move), Thing("theirs", foe.ident)))
    yield from pairings.matchup(scene)


def _leaves(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    """Say how likely they switch, who is immune to our move, and our next best order."""
    switches = [one for one in trace.expected.predictions if one.kind == "switch"]
    told = [(action(scene, one), one.probability) for one in switches]
    share = percent(sum(one.probability for one in switches))
    named = as_shares(scene, told, 3) if told else scene.say("nobody")
    yield scene.say("leaves", chance=share, mons=named)
    mon, chosen = scene.position.ours.active, trace.chosen
    move = scene.move or (chosen.move if isinstance(chosen, MoveOrder) else "")
    if mon and dex.knows_move(move) and dex.move(move).damaging:
        bench = {one.ident for one in scene.position.theirs.bench}
        none = [
            scene.mon(pair.theirs)
            for pair in scene.pairs()
            if pair.ours is mon
            and pair.theirs.ident in bench
            and any(hit.move == move and hit.high <= 0 for hit in pair.our_hits)
        ]
        key = "leaves_immune" if none else "leaves_none"
        yield scene.say(
            key,
            move=dex.move_name(move),
            mons=and_listed(scene, none),
            count=scene.position.theirs.unseen,
        )
    if beside := _next_best(trace):
        yield _against_ours(scene, trace, beside.order)


def _stood(scene: Scene) -> Iterable[str]:
    """Say how likely we win and who is left, how the active two compare, and how we win."""
    yield from chance(scene)
    ours, theirs = scene.position.ours.active, scene.position.theirs.active
    if ours and theirs and not (ours.fainted or theirs.fainted):
        yield from islice(pairings.duel(scene.of()), 1)
    yield from islice(plan(scene.of()), 1)


def chance(scene: Scene) -> Iterable[str]:
    """Say how likely we win, and who is left on both sides."""
    value = scene.state.order.value if scene.state.order else None
    if value is None:
        yield scene.say("chance_none")
    else:
        key = "bad" if value < LOST else "good" if value > 1 - LOST else "open"
        yield scene.say(f"chance_{key}", chance=value)
    position = scene.position
    yield scene.say("standing", ours=position.ours.alive, theirs=position.theirs.alive)


def plan(scene: Scene) -> Iterable[str]:
    """Say who wins it for us, whom to keep, what stands in the way and what we play next."""
    analysis, position = scene.state.analysis, scene.position
    alive = {mon.ident for mon in position.ours.team if not mon.fainted}
    if analysis is not None:
        groups = (
            ("plan_win", _living([*analysis.win_conditions, *analysis.sweepers], alive)[:3]),
            ("plan_keep", _living(analysis.preserve, alive)),
            ("plan_spend", _living(analysis.expendable, alive)),
        )
        told = [
            scene.say(key, mons=and_listed(scene, [display(position, one) for one in idents]))
            for key, idents in groups
            if idents
        ]
        yield " ".join(told[:2])
        yield from _in_the_way(scene, groups[0][1])
    if scene.theirs and options(scene.heard.named, "theirs") and not scene.theirs.fainted:
        yield from pairings.beaters(scene, scene.theirs)
    if scene.trace is not None:
        beside = " ".join(_other_kind(scene, scene.trace))
        yield f"{scene.say('plan_first', order=scene.trace.chosen)} {beside}".strip()
    if scene.position.theirs.unseen:
        yield scene.say("danger_unseen", count=scene.position.theirs.unseen)


def _living(idents: Sequence[str], alive: set[str]) -> list[str]:
    """Remove duplicates and those who have fainted."""
    return [ident for ident in dict.fromkeys(idents) if ident in alive]


def _in_the_way(scene: Scene, winners: Sequence[str]) -> Iterable[str]:
    """Name the Pokémon of theirs that beats our likely winners."""
    beaten: dict[str, list[str]] = {}
    for pair in scene.pairs():
        if pair.ours.ident in winners and pair.loses > 0.5:
            beaten.setdefault(scene.mon(pair.theirs), []).append(scene.mon(pair.ours))
    for foe, mons in [*beaten.items()][:1]:
        yield scene.say("plan_beats", foe=foe, mon=and_listed(scene, mons))


def threat(scene: Scene) -> Iterable[str]:
    """Say what they may do next, and what the likeliest move does to our active or a named one."""
    trace, foe, out = scene.trace, scene.position.theirs.active, scene.position.ours.active
    if trace is None or not trace.expected.predictions:
        return
    first, named = trace.expected.predictions[0], options(scene.heard.named, "ours")
    told = [(action(scene, one), one.probability) for one in trace.expected.predictions[:4]]
    mons = [mon for mon in scene.position.ours.team if mon.ident in {one.id for one in named}]
    guess = scene.inference.guesses.get(foe.ident) if foe else None
    hits = list[str]()
    for mon in (*mons, *([] if out in mons else [out])):
        if mon and foe and guess and not (mon.fainted or foe.fainted) and first.kind == "move":
            found = face_off(scene.position, mon, foe, guess).their_hits
            hits += [pairings.hit_said(scene, h, mon) for h in found if h.move == first.action]
    expected = scene.say("threat_expected", actions=as_shares(scene, told, 4))
    yield from (*hits, expected) if mons else (expected, *hits)
    yield " ".join(islice(pairings.speed(scene.of()), 1)) if hits and not mons else ""


def risk(scene: Scene) -> Iterable[str]:
    """Say what their worst move does to whoever of ours will be on the field."""
    trace = scene.trace
    pair = pairings.met(scene, trace.chosen) if trace else None
    hits = [one for one in (pair.their_hits if pair else ()) if one.chance >= RARELY]
    worst = max(hits, key=lambda one: (one.ko, one.high), default=None)
    if trace is None or pair is None or worst is None:
        return
    chances, mon = {one.action: one.probability for one in trace.expected.predictions}, pair.ours
    named = {"foe": scene.mon(pair.theirs), "move": dex.move_name(worst.move)}
    chance = percent(chances.get(worst.move, 0.0))
    yield scene.say("risk", chance=chance, mon=mon, **named)
    yield pairings.hit_said(scene, worst, mon)
    # A critical hit does 1.5 times the damage.
    if worst.ko < 1 and worst.high * 1.5 >= mon.hp:
        yield scene.say("risk_crit", mon=mon)
    yield " ".join(situation.comes(scene, trace))


def safest(scene: Scene) -> Iterable[str]:
    """Say which choice is the safest, what it costs, and what is chosen now."""
    trace, state = scene.trace, scene.state
    if trace is None or state.order is None:
        return
    # Answered by what the wish for safer play would leave, so question and order agree.
    careful = state.but(wishes=(Wish(do="safer"),), inference=scene.inference)
    left = narrowed(careful, scene.position, trace).orders
    best = best_of(left, [one.order for one in trace.scores])
    yield scene.say("safest", order=best)
    yield cost_said(scene.heard.language, best, scene.position, trace)
    if best != state.order.order:
        key = "advice" if state.order.held else "advice_sent"
        yield scene.say(key, order=state.order.order)


def danger(scene: Scene) -> Iterable[str]:
    """Say how dangerous their most dangerous or a named Pokémon is, and who of ours beats it."""
    worst = scene.by_danger
    named = [pairs for pairs in worst if pairs[0].theirs.ident in scene.heard.named.of("theirs")]
    for at, pairs in enumerate((named or worst)[:1]):
        foe, beaten = pairs[0].theirs, sum(pair.loses > 0.5 for pair in pairs)
        yield scene.say(
            "danger" if pairs in worst[:1] else "danger_one",
            mon=foe,
            count=beaten,
            all=len(pairs),
            hp=foe.hp,
        )
        yield scene.say("threat_boosted", mon=foe) if foe.boosts.raised >= 2 else ""
        met_now = next((pair for pair in pairs if pair.ours.active), None)
        if met_now and met_now.their_hits:
            yield pairings.hit_said(scene, met_now.their_hits[0], met_now.ours)
        yield from pairings.beaters(scene, foe) if beaten < len(pairs) else ()
        after = [] if named else [scene.mon(one[0].theirs) for one in worst[at + 1 : at + 2]]
        yield scene.say("danger_next", mon=after[0]) if after else ""
    if scene.position.theirs.unseen:
        yield scene.say("danger_unseen", count=scene.position.theirs.unseen)


def clock(scene: Scene) -> Iterable[str]:
    """Say how much time the server gave for this choice."""
    left = scene.position.time_left
    yield scene.say("clock_none") if left is None else scene.say("clock", seconds=left)
    yield _choice(scene)


def wait(scene: Scene) -> Iterable[str]:
    """Say whether the choice can still wait, and what is sent if nobody changes it."""
    held = scene.state.order is not None and scene.state.order.held
    yield scene.say("wait_held" if held else "wait_sent")
    yield from clock(scene)


def bye(scene: Scene) -> Iterable[str]:
    """Say goodbye; the battle is played to its end regardless."""
    yield scene.say("bye")


def takeover(scene: Scene) -> Iterable[str]:
    """Explain how a person can choose, and what is played otherwise."""
    yield scene.say("takeover")
    yield _choice(scene)


def cheer(scene: Scene) -> Iterable[str]:
    """Share the mood, and say how we stand."""
    value = scene.state.order.value if scene.state.order else None
    mood = "lament" if scene.heard.topic == "lament" else "cheer"
    how = "bad" if value is None or value < LOST else "good" if value > 1 - LOST else "open"
    yield scene.say(mood if value is None else f"{mood}_{how}")


def unknown(scene: Scene) -> Iterable[str]:
    """Ask whom or what an unknown name means, and list the Pokémon there are."""
    said = [thing_name(thing) for thing in options(scene.heard.named, "unknown")]
    yield scene.say("unknown", said=", ".join(said))
    for key, side in (
        ("unknown_ours", scene.position.ours),
        ("unknown_theirs", scene.position.theirs),
    ):
        alive = [scene.mon(mon) for mon in side.team if not mon.fainted]
        yield scene.say(key, mons=and_listed(scene, alive)) if alive else ""


def undo(scene: Scene) -> Iterable[str]:
    """Explain that a sent order stays, and say what can still be changed."""
    yield scene.say("undo")
    if order := scene.state.order:
        key = "undo_open" if order.held else "sent_already"
        yield scene.say(key, order=order.order)


def talk(scene: Scene) -> Iterable[str]:
    """Answer small talk."""
    active, order = scene.position.ours.active, scene.state.order
    if scene.heard.topic in SAID:
        yield scene.say(scene.heard.topic)
        return
    if scene.heard.topic in ("yes", "hurry") and order:
        yield _choice(scene)
        return
    fell = active is not None and active.fainted
    yield scene.say("talk_lost" if fell else "talk", mon=active)


def simply(scene: Scene) -> Iterable[str]:
    """Say in plain words what we do this turn, and why."""
    if order := scene.state.order:
        key = "simply" if order.value is None else "simply_chance"
        yield scene.say(key, order=order.order, chance=order.value or 0.0)
    if trace := scene.trace:
        yield from _effect(scene, trace, trace.chosen)
        yield from _other_kind(scene, trace)


def sack(scene: Scene) -> Iterable[str]:
    """Say whether a Pokémon of ours may be given up, or which may; this orders nothing."""
    analysis = scene.state.analysis
    alive = {mon.ident for mon in scene.position.ours.team if not mon.fainted}
    spend = _living(analysis.expendable, alive) if analysis else []
    if named := options(scene.heard.named, "ours"):
        mons = [scene.position.ours.member(one.id) for one in named]
        mon = min(mons, key=lambda one: (not one.active, one.hp))
        key = "sack_yes" if mon.ident in spend or mon.hp < SPENT else "sack_no"
        yield scene.say(key, mon=mon, hp=mon.hp)
    elif spend:
        names = and_listed(scene, [display(scene.position, ident) for ident in spend])
        yield scene.say("plan_spend", mons=names)
    yield from islice(advice(scene), SACK_TOLD)


def reproach(scene: Scene) -> Iterable[str]:
    """Respond to a reproach: one that asks or names a choice gets figures, a jibe what is true."""
    yield scene.say("reproach")
    if scene.heard.asks or any(_is_named(scene, order) for order in scene.position.legal):
        yield from past(scene) if scene.state.past else islice(reasons(scene), 2)
        return
    yield from situation.admitted(scene)
    yield scene.say("reproach_ask")


def _other(scene: Scene) -> Iterable[str]:
    yield scene.say("other")


def _cannot_wait(scene: Scene) -> Iterable[str]:
    yield scene.say("not_sure_other", said=f"“{quoted(scene.heard)}”")


OF_THE_LIVING = frozenset(
    {
        *("damage", "speed", "matchup", "survive", "kills", "lives"),
        *("setup", "sack", "switches", "first"),
    }
)
"""Topics about Pokémon that can still fight."""
SAID = frozenset({"pick", "bot", "record", "hello", "thanks", "weaker", "fair", "them"})
"""Topics that are answered with one fixed sentence."""
_TOLD: Sequence[Answer] = (
    why,
    considered,
    advice,
    chance,
    plan,
    threat,
    danger,
    numbers,
    recap,
    turns.luck,
    turns.mistake,
    length,
    enters,
    reproach,
    past,
    risk,
    safest,
    simply,
    sack,
    clock,
    wait,
    bye,
    takeover,
    cheer,
    unknown,
    undo,
    *situation.TOLD,
    *knowledge.TOLD,
    *pairings.TOLD,
)


def _damage(scene: Scene) -> Iterable[str]:
    """Say what a move does; entry hazards hurt whoever comes in."""
    if scene.move in LAID:
        yield from knowledge.hazards(scene)
        return
    before = [*turns.strikes(scene)]
    yield from (line for line in pairings.damage(scene, before=bool(before)))
    yield " ".join(before)


ANSWERS: Mapping[str, Answer] = {
    **dict.fromkeys((*SAID, "talk", "yes", "hurry"), talk),
    **{one.__name__: one for one in _TOLD},
    "lament": cheer,
    "chance": _stood,
    "damage": _damage,
    "kills": pairings.damage,
    "lives": pairings.survive,
    "falls": situation.without,
    "proviso": _cannot_wait,
}
"""The function for each topic; most have the topic's name."""
