"""Rule-based answers about the state of the game: who is out, what is unseen, what lasts."""

from __future__ import annotations

from collections.abc import Iterable

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.durations import KINDS, Duration, durations
from ruleplay.agents.battle.domain.faceoff import after_move, face_off, move_chances
from ruleplay.agents.battle.domain.meaning import Thing, options
from ruleplay.agents.battle.domain.naming import display, move_name
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder, target
from ruleplay.agents.battle.domain.phrases import effect_said
from ruleplay.agents.battle.policy import pairings
from ruleplay.agents.battle.policy.replies import value_of
from ruleplay.agents.battle.policy.scene import RARELY, Scene, and_listed, as_shares
from ruleplay.agents.battle.state import DecisionTrace

EFFECTS = frozenset(KINDS.values())
"""The kinds of lasting effect that a question can ask about."""
COMES = 0.1
"""From this probability on, what may come in is a risk worth telling."""
SWITCHES_TOLD = 3
"""Switches that an answer lists."""


def out(scene: Scene) -> Iterable[str]:
    """Say who is on the field on each side, their health, and who would win one on one."""
    ours, theirs = scene.position.ours.active, scene.position.theirs.active
    for key, mon in (("out_ours", ours), ("out_theirs", theirs)):
        if mon is not None:
            fallen = f"{key}_fallen" if mon.fainted else key
            yield scene.say(fallen, mon=mon, hp=mon.hp)
    if ours and theirs and not (ours.fainted or theirs.fainted):
        yield from pairings.duel(scene.of())


def unseen(scene: Scene) -> Iterable[str]:
    """Say how many of theirs are unseen, who is known, and what the active one may still hide."""
    side, position = scene.position.theirs, scene.position
    met = and_listed(scene, [scene.mon(mon) for mon in side.team])
    shown = {mon.base for mon in side.team}
    hidden = [dex.species_name(one) for one in side.preview if one not in shown]
    if not side.unseen:
        yield scene.say("unseen_none", mons=met)
    elif hidden:
        yield scene.say("unseen_preview", mons=and_listed(scene, hidden))
    else:
        count = scene.say("unseen_one" if side.unseen == 1 else "unseen", count=side.unseen)
        yield f"{count} {scene.say('unseen_met', mons=met)}" if side.team else count
        yield "" if side.preview else scene.say("unseen_preview_none")
    foe, foreseen = position.theirs.active, scene.trace.expected.predictions if scene.trace else ()
    comes = sum(one.probability for one in foreseen if one.kind == "switch" and not one.action)
    yield scene.say("unseen_comes", chance=comes) if side.unseen and comes else ""
    guess = scene.inference.guesses.get(foe.ident) if foe else None
    if foe and guess and not foe.fainted:
        more = [(move_name(m), c) for m, c in move_chances(guess) if m not in foe.known_moves]
        told = as_shares(scene, more, 4) if more else ""
        yield scene.say("unseen_moves", mon=foe, moves=told) if told else ""
    # They can terastallize once a battle, so this is worth a warning until they have.
    yield "" if side.tera_used else scene.say("unseen_tera")


def comes(scene: Scene, trace: DecisionTrace) -> Iterable[str]:
    """Say what one not seen yet may do to ours if it comes in: an estimate, as nobody knows."""
    foreseen, move = trace.expected.predictions, target(trace.chosen)
    chance = sum(one.probability for one in foreseen if one.kind == "switch" and not one.action)
    found = [one for one in scene.coming if one.move in ("", move) and one.how != "first"]
    if not found or chance < COMES:
        return
    yield scene.say("coming", chance=chance)
    for one in found:
        told = {"mon": scene.ours, "chance": one.chance, "such_as": and_listed(scene, one.such_as)}
        yield scene.say(f"coming_{one.how}", move=one.move and move_name(one.move), **told)


def lasts(scene: Scene) -> Iterable[str]:
    """Say how long an effect has lasted and can still last: the one asked about, else all."""
    found = [*durations(scene.position)]
    asked = {one.id for one in options(scene.heard.named, "move", "ability")}
    mons = {one.id for one in options(scene.heard.named, "ours", "theirs")}
    named = [one for one in found if one.id in asked or one.ident in mons]
    kind = scene.heard.effect
    of_kind = [one for one in found if one.kind == kind] if kind in EFFECTS else found
    told = named or [one for one in of_kind if scene.heard.side in ("", one.whose)] or of_kind
    yield from (_lasts(scene, one) for one in told)
    if not told:
        yield scene.say(f"lasts_no_{kind}" if kind in EFFECTS else "lasts_none")
    elif not named and kind not in EFFECTS:
        yield scene.say("lasts_else")  # the effect in question may not be in the list


def _lasts(scene: Scene, one: Duration) -> str:
    """Phrase one duration."""
    whose = "" if one.whose == "both" else scene.say(f"whose_{one.whose}")
    counts = {"stood": one.stood, "least": one.least, "most": one.most or 0}
    told = {
        key: scene.say("turns_one" if count == 1 else "turns", count=count)
        for key, count in counts.items()
    }
    mon = display(scene.position, one.ident) if one.ident else ""
    what = "" if one.id == "slp" else effect_said(scene.heard.language, one.id)
    return scene.say(_how(one), what=what, mon=mon, whose=whose, **told)


def _how(one: Duration) -> str:
    """Choose the phrase's key for a duration."""
    if one.most is None:
        return "lasts_ever"
    if one.id == "slp":
        # Sleep lasts a random number of turns, so its wording depends on what is already certain.
        known = "over" if not one.most else "sure" if one.least == one.most else ""
        return f"lasts_sleep_{known or ('first' if one.least else 'may')}"
    return ("lasts_mon" if one.ident else "lasts") + ("_sure" if one.least == one.most else "")


def without(scene: Scene) -> Iterable[str]:
    """Say how the battle looks without one of ours: who of theirs the others still beat."""
    # "If theirs falls" is the same topic; then the answer is only how many they have left.
    lost, named = scene.ours, scene.heard.named
    if scene.theirs and options(named, "theirs") and not options(named, "ours"):
        count = scene.position.theirs.alive - (not scene.theirs.fainted)
        yield scene.say("without_theirs", mon=scene.theirs, count=count)
        return
    if lost is None:
        return
    pairs = [pair for pair in scene.pairs() if pair.ours.ident != lost.ident]
    others = {pair.ours.ident: scene.mon(pair.ours) for pair in pairs}
    if not others:
        yield scene.say("without_nobody", mon=lost)
        return
    foes = {pair.theirs.ident: pair.theirs for pair in pairs}
    beaten = {pair.theirs.ident for pair in pairs if pair.wins >= 0.5}
    left = [scene.mon(foe) for ident, foe in foes.items() if ident not in beaten]
    yield scene.say("without", mon=lost, mons=and_listed(scene, others.values()))
    yield scene.say("without_open" if left else "without_fine", mons=and_listed(scene, left))
    if scene.position.theirs.unseen:
        yield scene.say("danger_unseen", count=scene.position.theirs.unseen)
    value = scene.state.order.value if scene.state.order else None
    yield "" if value is None else scene.say("without_now", chance=value)


def setup(scene: Scene) -> Iterable[str]:
    """Say whether our Pokémon can raise its stats, and whether it would survive doing so."""
    mon = scene.ours
    if mon is None or scene.theirs is None:
        return
    if scene.heard.side == "theirs" and not options(scene.heard.named, "ours"):
        yield from _their_setup(scene)
        return
    moves = mon.known_moves
    rising = [m for m in moves if dex.move(m).rises]
    if not rising:
        yield scene.say("setup_none", mon=mon, moves=and_listed(scene, map(move_name, moves)))
        return
    yield scene.say("setup", mon=mon, moves=and_listed(scene, map(move_name, rising)))
    about = scene.of(Thing("ours", mon.ident), Thing("theirs", scene.theirs.ident))
    yield from pairings.survive(about)
    yield from _worth(scene, rising)


def _their_setup(scene: Scene) -> Iterable[str]:
    """Say how theirs may raise its stats, and what its worst hit does to ours after that."""
    us, them, guess = scene.ours, scene.theirs, scene.guess
    if us is None or them is None or guess is None:
        return
    known = [one for one in move_chances(guess) if dex.move(one[0]).rises and one[1] >= RARELY]
    if not known:
        yield scene.say("setup_never", mon=them)
        return
    told = [(move_name(move), chance) for move, chance in known]
    yield scene.say("setup_may", mon=them, moves=as_shares(scene, told, 3))
    risen = after_move(them, known[0][0])
    pair = face_off(scene.position, us, risen, guess)
    hits = [hit for hit in pair.their_hits if hit.chance >= RARELY]
    if worst := max(hits, key=lambda hit: (hit.ko, hit.high), default=None):
        after = scene.say("after_move", move=move_name(known[0][0]))
        yield f"{after} {pairings.hit_said(scene, worst, us)}"
        yield pairings.speed_said(scene, pair)


def _worth(scene: Scene, moves: Iterable[str]) -> Iterable[str]:
    """Compare the search's best order that uses one of `moves` with the order that was chosen."""
    trace = scene.trace
    lines = trace.verdict.lines if trace and trace.verdict else ()
    own = [o for o in lines if isinstance(o.order, MoveOrder) and o.order.move in {*moves}]
    best = max(own, key=lambda line: line.value, default=None)
    ours = value_of(trace.chosen, trace.verdict) if trace else None
    if trace and best and ours is not None and best.order != trace.chosen:
        yield scene.say(
            "setup_worth", order=best.order, chance=best.value, ours=trace.chosen, most=ours
        )
    elif trace and best:
        yield scene.say("setup_best", order=best.order, chance=best.value)


def switches(scene: Scene) -> Iterable[str]:
    """Say whom we can switch to, their health after entering, and what staying is worth."""
    trace = scene.trace
    if trace is None:
        return
    able = {o.ident for o in scene.position.legal if isinstance(o, SwitchOrder)}
    if not able:
        yield scene.say("switches_none")
        return
    named = {one.id for one in options(scene.heard.named, "ours")} & able
    chances = {line.order: line.value for line in (trace.verdict.lines if trace.verdict else ())}
    entries = [one for one in trace.switches.switches if one.ident in (named or able)]
    entries.sort(key=lambda one: -one.hp_after)
    told = [
        scene.say("switches_one", mon=display(scene.position, one.ident), hp=one.hp_after)
        for one in entries[:SWITCHES_TOLD]
    ]
    yield scene.say("switches", mons=and_listed(scene, told)) if told else ""
    if foe := scene.position.theirs.active:
        yield from pairings.beaters(scene, foe) if not (named or foe.fainted) else ()
    worth = [(c, o) for one in entries if (c := chances.get(o := SwitchOrder(ident=one.ident)))]
    best = max(worth, key=lambda each: each[0], default=None)
    stay = max((c for o, c in chances.items() if isinstance(o, MoveOrder)), default=None)
    if best is not None and stay is not None:
        yield scene.say("switches_worth", chance=best[0], order=best[1], stay=stay)


def admitted(scene: Scene) -> Iterable[str]:
    """Own what a jibe at our choice may mean: that it is resisted, or all that ours can use."""
    chosen, us = scene.trace.chosen if scene.trace else None, scene.position.ours.active
    foe = scene.position.theirs.active
    if us is None or foe is None or not isinstance(chosen, MoveOrder):
        return
    page = dex.move(chosen.move)
    if page.damaging and dex.effectiveness(page.type, foe.types) < 1:
        yield scene.say("resisted", move=page.name, mon=foe)
    able = _able(scene)
    if len(able) < min(2, len(us.moves)):
        yield scene.say("locked", move=page.name)


def unable(scene: Scene) -> Iterable[str]:
    """Say that the named move of our active Pokémon cannot be used now."""
    us, able = scene.position.ours.active, _able(scene)
    if us is None or scene.move not in us.known_moves or not able or scene.move in able:
        return
    if len(able) == 1:
        yield scene.say("locked", move=move_name(able.pop()))
    else:
        yield scene.say("disabled", move=move_name(scene.move))


def _able(scene: Scene) -> set[str]:
    """List the moves that can be chosen now."""
    return {one.move for one in scene.position.legal if isinstance(one, MoveOrder)}


TOLD = (out, unseen, lasts, without, setup, switches)
"""Functions that answer the topic of the same name; `answers.ANSWERS` collects them."""
