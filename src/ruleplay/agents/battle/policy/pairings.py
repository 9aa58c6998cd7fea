"""Rule-based answers about two Pokémon: speed, damage, survival, terastallization, who wins."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import rolls, scene_of
from ruleplay.agents.battle.domain.faceoff import (
    Faceoff,
    HitRange,
    face_off,
    holding,
    move_chances,
    speeds,
    struck,
    tera_chances,
)
from ruleplay.agents.battle.domain.happenings import last_turn
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.meaning import options
from ruleplay.agents.battle.domain.naming import move_name
from ruleplay.agents.battle.domain.options import hazard_share
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder, target
from ruleplay.agents.battle.domain.phrases import happened, type_name
from ruleplay.agents.battle.domain.position import Mon
from ruleplay.agents.battle.domain.results import Damage
from ruleplay.agents.battle.domain.worlds import our_fighter, their_fighter
from ruleplay.agents.battle.policy.scene import (
    RARELY,
    SURELY,
    Scene,
    as_shares,
    defence,
    roughly,
    teras,
)

BAD = 0.5
"""Share of the health left that their likeliest move takes, or its odds to knock out, to warn."""
HITS_TOLD = 3
"""Moves listed for one attacker."""


def speed(scene: Scene) -> Iterable[str]:
    """Say who of the two moves first, and which priority move or paralysis could change that."""
    pair = scene.pair()
    if pair is None:
        return
    yield speed_said(scene, pair)
    yield from _figures(scene, pair)
    first = (pair.faster >= SURELY, pair.faster <= 1 - SURELY)
    for mon, ahead in zip((pair.ours, pair.theirs), first, strict=True):
        likely = move_chances(scene.guess) if scene.guess and mon is pair.theirs else ()
        names = (*mon.known_moves, *(name for name, chance in likely if chance >= RARELY))
        moves = map(dex.move, names)
        quick = [one.name for one in moves if one.priority > 0 and one.damaging]
        # Only worth saying of the slower one: a priority move lets it act first after all.
        if quick and not ahead:
            yield scene.say("priority", mon=mon, move=quick[0])
        if mon.status == "par":
            yield scene.say("paralysed", mon=mon)
    yield from roughly(scene)


def _figures(scene: Scene, pair: Faceoff) -> Iterable[str]:
    """Say how fast both are now, with stat stages, items and status applied."""
    if scene.guess:
        (mine, _), (low, high) = (
            speeds(scene.position, pair.ours),
            speeds(scene.position, pair.theirs, scene.guess),
        )
        names = {"ours": scene.mon(pair.ours), "theirs": scene.mon(pair.theirs)}
        span = str(low) if low == high else f"{low}–{high}"
        yield scene.say("speeds", mine=mine, span=span, **names)


def speed_said(scene: Scene, pair: Faceoff) -> str:
    """Say who is faster, or how likely ours is if it depends on the opponent's set."""
    ours, theirs, share = scene.mon(pair.ours), scene.mon(pair.theirs), pair.faster
    if share >= SURELY or share <= 1 - SURELY:
        first, second = (ours, theirs) if share >= SURELY else (theirs, ours)
        # Speeds from a set that is only guessed are not presented as certain.
        sure = scene.guess is not None and scene.guess.from_pool
        return scene.say("faster_sure" if sure else "faster", first=first, second=second)
    return scene.say("tie", first=ours, second=theirs, chance=share)


def with_item(scene: Scene, item: str) -> Iterable[str]:
    """Say what changes if theirs holds `item`: who is faster, and the move under discussion."""
    pair, guess = scene.pair(), scene.guess
    if pair is None or guess is None:
        return
    theirs, worn = holding(pair.theirs, guess, item)
    other = face_off(scene.position, pair.ours, theirs, worn)
    if speeds(scene.position, pair.theirs, guess) != speeds(scene.position, theirs, worn):
        names = [scene.mon(pair.ours), scene.mon(pair.theirs)]
        first, second = names if other.faster >= 0.5 else reversed(names)
        key = "with_item" if round(other.faster) != round(pair.faster) else "with_item_same"
        yield scene.say(key, item=item_name(item), first=first, second=second)
    spoken = scene.state.spoken
    asked = scene.move or (spoken.move if spoken else "")
    mine = [(hit, theirs) for hit in other.our_hits if hit not in pair.our_hits]
    changed = mine + [(hit, pair.ours) for hit in other.their_hits if hit not in pair.their_hits]
    about = [one for one in changed if one[0].move == asked] or changed
    for hit, on in [one for one in about if one[0].chance >= RARELY][:2]:
        said = hit_said(scene, hit, on)
        yield scene.say("with_item_hit", item=item_name(item), hit=said)
    if not changed and other.faster == pair.faster:
        told = {"ours": pair.ours, "theirs": pair.theirs}
        yield scene.say("with_item_none", item=item_name(item), **told)


def damage(scene: Scene, *, before: bool = False) -> Iterable[str]:
    """Say what the named move does, or what all moves of both do to the other.

    If it did something `before`, it is not said that nobody is known to have it.
    """
    pair, kinds = scene.pair(), options(scene.heard.named, "type")
    for thing in kinds:
        yield from into_type(scene, thing.id)
    if pair is None or (kinds and not options(scene.heard.named, "ours", "theirs")):
        return
    yield from _named_hit(scene, pair, before) if scene.move else _chosen_hit(scene, pair)
    for thing in options(scene.heard.named, "item")[:1]:
        yield from with_item(scene, thing.id)
    if not scene.move:
        yield " ".join((*_ends(scene, pair), *_hits(scene, pair)))
    yield from _with_own_tera(scene)
    yield from roughly(scene)


def into_type(scene: Scene, kind: str) -> Iterable[str]:
    """Say how the named or chosen move does against a type, whoever may have it."""
    chosen = scene.trace.chosen if scene.trace else None
    move = scene.move or (chosen.move if isinstance(chosen, MoveOrder) else "")
    if dex.knows_move(move) and dex.move(move).damaging and kind in dex.TYPES:
        times = dex.effectiveness(dex.move(move).type, (kind,))
        named = {"move": move_name(move), "type": type_name(scene.heard.language, kind)}
        yield scene.say("into_type" if times else "into_type_none", times=f"{times:g}", **named)


def first(scene: Scene) -> Iterable[str]:
    """Say whether ours knocks theirs out before it is hit, if it moves first."""
    pair = scene.pair()
    hits = [hit for hit in (pair.our_hits if pair else ()) if hit.usable and hit.high > 0]
    if pair is None or not hits:
        return
    best = max(hits, key=lambda hit: (hit.move == scene.move, hit.ko, hit.high))
    names = {"ours": scene.mon(pair.ours), "theirs": scene.mon(pair.theirs)}
    key = "first_no" if best.ko < RARELY else "first_sure" if best.ko >= SURELY else "first_may"
    yield scene.say(key, move=move_name(best.move), chance=best.ko, **names)
    yield hit_said(scene, best, pair.theirs)
    yield speed_said(scene, pair)


def _chosen_hit(scene: Scene, pair: Faceoff) -> Iterable[str]:
    """Say what the chosen move does, if it is used on the Pokémon in question."""
    chosen = scene.trace.chosen if scene.trace else None
    if pair.ours.active and pair.theirs.active and isinstance(chosen, MoveOrder):
        hits = [one for one in pair.our_hits if one.move == chosen.move and one.high > 0]
        yield from (hit_said(scene, hit, pair.theirs) for hit in hits)


def crit(scene: Scene) -> Iterable[str]:
    """Say what the named or chosen move does as a critical hit."""
    struck = [one for one in last_turn(scene.position) if one.kind == "used" and one.share]
    if struck and not scene.move:  # "was that a crit?"
        crits = [one for one in struck if "crit" in one.notes]
        yield from (happened(scene.heard.language, one) for one in crits)
        yield scene.say("luck_crits") if crits else scene.say("crit_none")
        if crits:
            return
    pair, chosen = scene.pair(), scene.trace.chosen if scene.trace else None
    move = scene.move or (chosen.move if isinstance(chosen, MoveOrder) else "")
    if pair is None or scene.guess is None or not dex.knows_move(move):
        yield scene.say("luck_crits")
        return
    ours, theirs = our_fighter(pair.ours), their_fighter(pair.theirs, scene.guess.best)
    mine = move in pair.ours.known_moves
    by, on, mon = (ours, theirs, pair.theirs) if mine else (theirs, ours, pair.ours)
    ground = scene_of(scene.position, defending="theirs" if mine else "ours")
    found = rolls(dex.move(move), by, on, ground, crit=True)
    hit = Damage(low=found.low / on.hp_max, high=found.high / on.hp_max)
    ranged = HitRange(move, hit.low, hit.high, hit.ko_chance(mon.hp))
    yield scene.say("with_crit", hit=hit_said(scene, ranged, mon))
    yield scene.say("luck_crits")


def _hits(scene: Scene, pair: Faceoff) -> Iterable[str]:
    """List the hardest usable hits of both."""
    ours, theirs = scene.mon(pair.ours), scene.mon(pair.theirs)
    sides = (("hits_ours", pair.our_hits), ("hits_theirs", pair.their_hits))
    for key, hits in sides:
        free = [hit for hit in hits if hit.usable]
        if told := [_short(scene, hit) for hit in free if hit.high > 0][:HITS_TOLD]:
            yield scene.say(key, ours=ours, theirs=theirs, hits=", ".join(told))


def _with_own_tera(scene: Scene) -> Iterable[str]:
    """Say what the named move, or the hardest ones, do once ours has terastallized."""
    pair, named = scene.with_own_tera, scene.move
    if pair is None or pair.ours.tera_type is None or scene.endured:
        return
    plain = scene.pair()
    known = {(hit.move, hit.low, hit.high) for hit in (plain.our_hits if plain and named else ())}
    able = [hit for hit in pair.our_hits if hit.high > 0 and named in ("", hit.move)]
    hits = [hit for hit in able if (hit.move, hit.low, hit.high) not in known]
    if hits:
        kind = type_name(scene.heard.language, pair.ours.tera_type)
        told = ", ".join(_short(scene, hit) for hit in hits[:HITS_TOLD]) + "."
        said = hit_said(scene, hits[0], pair.theirs) if named else told
        yield scene.say("with_our_tera", type=kind, hits=said)


def _taken_with_own_tera(scene: Scene) -> Iterable[str]:
    """Say which of their hits change once ours has terastallized."""
    pair, plain = scene.with_own_tera, scene.pair()
    if pair is None or plain is None:
        return
    known = {(hit.move, hit.high) for hit in plain.their_hits}
    if changed := [hit for hit in pair.their_hits if (hit.move, hit.high) not in known]:
        taken = ", ".join(_short(scene, hit) for hit in changed[:HITS_TOLD])
        names = {"ours": scene.mon(pair.ours), "theirs": scene.mon(pair.theirs)}
        yield scene.say("taken_then", hits=taken, **names)


def _named_hit(scene: Scene, pair: Faceoff, before: bool = False) -> Iterable[str]:
    """Say what the named move does; its user is one of the two, or else one of our team."""
    move = scene.move
    if dex.knows_move(move) and not dex.move(move).damaging:
        yield scene.say("hit_status", move=move_name(move))
        return
    mine = next((hit for hit in pair.our_hits if hit.move == move), None)
    other = next((hit for hit in pair.their_hits if hit.move == move), None)
    if mine is not None and not scene.endured:
        yield hit_said(scene, mine, pair.theirs)
        if scene.guess and dex.move(move).multihit != (1, 1):
            every = struck(scene.position, pair, scene.guess)[pair.ours.ident, move]
            yield scene.say("every_hit", low=every.low, high=every.high)
        if not mine.usable:
            yield scene.say("disabled", move=move_name(move))
    elif other is not None:
        yield from _endured(scene, other, pair)
    else:
        holder = _holder(scene, move)
        if theirs := _hit_of_theirs(scene, move, pair.ours):
            yield theirs
        elif holder is None:
            if before:
                return
            names = {"ours": scene.mon(pair.ours), "theirs": scene.mon(pair.theirs)}
            yield scene.say("hit_unknown", move=move_name(move), **names)
        elif scene.guess:
            hits = face_off(scene.position, holder, pair.theirs, scene.guess).our_hits
            yield from (
                f"{scene.mon(holder)}: {hit_said(scene, hit, pair.theirs)}"
                for hit in hits
                if hit.move == move
            )


def _hit_of_theirs(scene: Scene, move: str, on: Mon) -> str:
    """Say what a move does that another of theirs has shown, even if that one has fainted."""
    for foe in scene.position.theirs.team:
        guess = scene.inference.guesses.get(foe.ident)
        if move not in foe.known_moves or guess is None or on.fainted:
            continue
        stood = foe.model_copy(update={"hp": 1.0}) if foe.fainted else foe
        hits = face_off(scene.position, on, stood, guess).their_hits
        for hit in (one for one in hits if one.move == move):
            return f"{scene.mon(foe)}: {hit_said(scene, hit, on)}"
    return ""


def _holder(scene: Scene, move: str) -> Mon | None:
    """Find one of ours that can still fight and knows the move."""
    team = scene.position.ours.team
    return next((mon for mon in team if move in mon.known_moves and not mon.fainted), None)


def met(scene: Scene, order: Order) -> Faceoff | None:
    """Pair whoever of ours is on the field after an order, hazards taken, with their active one."""
    position, foe = scene.position, scene.position.theirs.active
    mon = position.ours.active
    if isinstance(order, SwitchOrder):
        mon = position.ours.member(order.ident)
        ground = scene_of(position, defending="ours")
        if lost := hazard_share(position.ours, our_fighter(mon), ground):
            mon = mon.model_copy(update={"hp": mon.hp - lost, "hp_now": None})
    guess = scene.inference.guesses.get(foe.ident) if foe and not foe.fainted else None
    if foe is None or guess is None or mon is None or mon.hp <= 0:
        return None
    tera = isinstance(order, MoveOrder) and order.tera
    return face_off(position, mon, foe, guess, own_tera=tera)


def expects(scene: Scene, order: Order) -> Iterable[str]:
    """Warn of their likeliest move if an order exposes ours to it badly."""
    foreseen = scene.trace.expected.predictions if scene.trace else ()
    moves = [one for one in foreseen if one.kind == "move"]
    likely = max(moves, key=lambda one: one.probability, default=None)
    pair = met(scene, order)
    if likely is None or pair is None:
        return
    lands = 1.0
    for hit in pair.our_hits if isinstance(order, MoveOrder) else ():
        ahead = dex.move(hit.move).priority - dex.move(likely.action).priority
        first = pair.faster if ahead == 0 else float(ahead > 0)
        lands -= hit.ko * first * (hit.move == target(order))
    for hit in (one for one in pair.their_hits if one.move == likely.action):
        if lands * max(hit.ko, (hit.low + hit.high) / 2 / pair.ours.hp) >= BAD:
            said = hit_said(scene, hit, pair.ours)
            yield scene.say("expects", chance=likely.probability, hit=said)


def hit_said(scene: Scene, hit: HitRange, on: Mon) -> str:
    """Say what a move does to a Pokémon, and how likely it knocks it out."""
    if hit.high <= 0:
        return scene.say("hit_none", move=move_name(hit.move), mon=on)
    if hit.ko <= 0:
        # No knock-out in one hit, so say how many it takes, from the hardest rolls to the weakest.
        least, most = ceil(on.hp / hit.high), ceil(on.hp / hit.low) if hit.low > 0 else 0
        if dex.move(hit.move).multihit != (1, 1):  # its weakest use is one whose hits miss
            most = 0
        key = "ko_never" if most == least else "ko_range" if most else "ko_least"
        ko = scene.say(key, count=least, most=most)
    elif hit.low >= on.hp:
        ko = scene.say("ko_sure") if hit.accuracy >= 1 else _chance_of_ko(scene, hit)
    else:
        ko = _chance_of_ko(scene, hit)
    return scene.say(
        "hit",
        move=move_name(hit.move),
        low=hit.low,
        high=hit.high,
        mon=on,
        hp=on.hp,
        ko=ko,
    )


def _chance_of_ko(scene: Scene, hit: HitRange) -> str:
    return scene.say("ko_chance", chance=hit.ko)


def _short(scene: Scene, hit: HitRange) -> str:
    """Phrase a hit for an enumeration."""
    key = "hit_short_ko" if hit.ko >= RARELY else "hit_short"
    return scene.say(
        key,
        move=move_name(hit.move),
        low=hit.low,
        high=hit.high,
        chance=hit.ko,
    )


def _endured(scene: Scene, hit: HitRange, pair: Faceoff) -> Iterable[str]:
    """Say whether ours survives a move, and how likely theirs has that move."""
    ours, move = scene.mon(pair.ours), move_name(hit.move)
    yield hit_said(scene, hit, pair.ours)
    if hit.ko <= 0:
        yield scene.say("lives", ours=ours, move=move)
    elif hit.low >= pair.ours.hp:
        yield scene.say("dies", ours=ours, move=move)
    else:
        yield scene.say("lives_partly", ours=ours, move=move, chance=hit.ko)
    if hit.chance < SURELY:
        key = "has_chance" if hit.chance > 0 else "has_not"
        yield scene.say(key, move=move, chance=hit.chance)


def survive(scene: Scene) -> Iterable[str]:
    """Say whether ours survives the named move, or any that theirs may have."""
    pair = scene.pair()
    if pair is None:
        return
    if scene.move:
        yield from _named_hit(scene, pair)
    elif told := [_short(scene, hit) for hit in pair.their_hits if hit.high > 0]:
        falls = any(h.ko >= RARELY for h in pair.their_hits)
        sure = any(h.ko >= SURELY and h.chance >= SURELY for h in pair.their_hits)
        key = "falls" if sure else "may_fall" if falls else "endures"
        names = {"ours": scene.mon(pair.ours), "theirs": scene.mon(pair.theirs)}
        hits = ", ".join(told[:HITS_TOLD])
        yield scene.say(key, hp=pair.ours.hp, hits=hits, **names)
        yield speed_said(scene, pair) if falls else ""
    yield from roughly(scene)


def tera(scene: Scene) -> Iterable[str]:
    """Say which types theirs may terastallize into, and what that changes between the two."""
    mon, guess = scene.theirs, scene.guess
    if mon is None or guess is None:
        return
    named = options(scene.heard.named, "ours", "theirs")
    whose = named[0].kind if named else scene.heard.side
    theirs = whose == "theirs"
    if not theirs:
        yield from _our_tera(scene) if not scene.move else ()
        yield from _with_own_tera(scene)
        yield from _taken_with_own_tera(scene) if not scene.move else ()
        if whose == "ours":
            return
    if scene.position.theirs.tera_used:
        yield scene.say("tera_used")
        # They cannot any more, so a question that names nobody probably means ours, too.
        yield from _our_tera(scene) if theirs and not named else ()
        return
    unused = scene.say("unseen_tera")
    types = as_shares(scene, teras(scene, mon, guess), 4)
    yield f"{unused} {scene.say('tera_types', mon=mon, types=types)}"
    chances = tera_chances(mon, guess)
    asked = [(one.id, dict(chances).get(one.id, 0.0)) for one in options(scene.heard.named, "type")]
    spoken = scene.state.spoken
    goes_on = scene.follows and spoken is not None and spoken.topic != "tera"
    meant = asked or (chances[:2] if goes_on or options(scene.heard.named, "theirs") else ())
    for kind, chance in meant:
        pair = scene.pair(kind)
        if pair is None:
            return
        name = type_name(scene.heard.language, kind)
        lead = scene.say("with_tera", mon=mon, type=name, chance=chance)
        # Figures of each type that it may have would be a dump; they come where one is named.
        plain = asked or (spoken is not None and goes_on)
        yield f"{lead} {_under_tera(scene, pair) if plain else ' '.join(_ends(scene, pair))}"


def _our_tera(scene: Scene) -> Iterable[str]:
    """Say our tera type, its weaknesses if asked, and what terastallizing now is worth."""
    mon = scene.ours
    if scene.position.ours.tera_used or mon is None or not mon.tera_type:
        who = next((one for one in scene.position.ours.team if one.terastallized), None)
        yield scene.say("our_tera_by", mon=who) if who else scene.say("tera_gone")
        return
    kind = type_name(scene.heard.language, mon.tera_type)
    yield scene.say("our_tera", mon=mon, type=kind)
    yield from _tera_worth(scene) if mon.active else ()
    if mon.tera_type in dex.TYPES and options(scene.heard.named, "type"):
        yield defence(scene, f"{scene.mon(mon)} ({kind})", (mon.tera_type,))


def _tera_worth(scene: Scene) -> Iterable[str]:
    """Compare the search's best order with terastallization and its best without."""
    lines = scene.trace.verdict.lines if scene.trace and scene.trace.verdict else ()
    best = {
        with_tera: max(own, key=lambda line: line.value)
        for with_tera in (True, False)
        if (own := [one for one in lines if getattr(one.order, "tera", False) is with_tera])
    }
    if len(best) == 2:
        tera, plain = best[True], best[False]
        yield scene.say(
            "tera_worth", tera=tera.order, chance=tera.value, plain=plain.order, most=plain.value
        )


def _under_tera(scene: Scene, pair: Faceoff) -> str:
    """Say how the two fare with one of them terastallized, following the question asked before."""
    spoken = scene.state.spoken
    if scene.move:
        return " ".join(_named_hit(scene, pair))
    if spoken and spoken.topic == "survive":
        return " ".join(_hits(scene, pair))
    return " ".join((*_ends(scene, pair), *_hits(scene, pair)))


def matchup(scene: Scene) -> Iterable[str]:
    """Say who of the two wins, or who of ours beats one of theirs."""
    if scene.theirs is None or scene.guess is None:
        return
    if not options(scene.heard.named, "ours", "theirs"):
        yield from beaters(scene, scene.theirs)  # such as "and who handles it?"
    yield from duel(scene)
    if pair := scene.pair():
        yield from _hits(scene, pair)
    yield from roughly(scene)


def duel(scene: Scene) -> Iterable[str]:
    """Say who of the two wins and who is faster; if only theirs is named, who of ours beats it."""
    if pair := scene.pair():
        yield from _ends(scene, pair)
        yield speed_said(scene, pair)
        if not options(scene.heard.named, "ours") and options(scene.heard.named, "theirs"):
            yield from beaters(scene, pair.theirs)


def beaters(scene: Scene, theirs: Mon) -> Iterable[str]:
    """List who of ours beats one of theirs, with the chances."""
    pairs = [pair for pair in scene.pairs() if pair.theirs.ident == theirs.ident]
    beat = [(scene.mon(pair.ours), pair.wins) for pair in pairs if pair.wins >= 0.5]
    beat.sort(key=lambda each: -each[1])
    if beat:
        yield scene.say("beat_it", theirs=theirs, mons=as_shares(scene, beat, 6))
    else:
        yield scene.say("nobody_beats", theirs=theirs)


def _ends(scene: Scene, pair: Faceoff) -> Iterable[str]:
    """Say who wins one on one, over all sets that theirs may have."""
    names = {"ours": scene.mon(pair.ours), "theirs": scene.mon(pair.theirs)}
    if pair.wins >= SURELY:
        yield scene.say("wins", **names)
    elif pair.loses >= SURELY:
        yield scene.say("loses", **names)
    elif pair.wins + pair.loses < RARELY:
        yield scene.say("draws", **names)
    else:
        yield scene.say("wins_partly", chance=pair.wins, **names)


TOLD = (speed, damage, first, crit, survive, tera, matchup)
"""Functions that answer the topic of the same name; `answers.ANSWERS` collects them."""
