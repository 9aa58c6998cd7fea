"""Carries out a person's orders and wishes as far as they are legal, and says what became of them.

An order never reaches the game as text: it becomes a `Wish`, which filters the legal orders (see
docs/decisions/0035-a-wish-narrows-the-legal-orders.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.faceoff import face_off
from ruleplay.agents.battle.domain.meaning import (
    OF_THIS_TURN,
    ORDERS,
    Act,
    Heard,
    Named,
    Thing,
    options,
)
from ruleplay.agents.battle.domain.naming import bare, display, move_name
from ruleplay.agents.battle.domain.options import falls_on_entry
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder, target
from ruleplay.agents.battle.domain.phrases import (
    limit_said,
    listed,
    order_said,
    percent,
    say,
    wish_said,
)
from ruleplay.agents.battle.domain.position import LAID, Mon, Position
from ruleplay.agents.battle.domain.wishes import (
    ANYBODY,
    MILD,
    SETTINGS,
    Limit,
    Narrowed,
    Span,
    Wish,
    names,
    narrow,
    outlooks,
    with_wish,
)
from ruleplay.agents.battle.policy.names import quoted
from ruleplay.agents.battle.policy.pairings import expects, hit_said
from ruleplay.agents.battle.policy.problems import Problem, comes_in, problem_of, why_not
from ruleplay.agents.battle.policy.replies import value_of
from ruleplay.agents.battle.policy.scene import Scene
from ruleplay.agents.battle.state import (
    Chooser,
    DecisionTrace,
    OrderChanged,
    OrderChosen,
    Source,
    State,
    WishesDropped,
    WishesOffered,
    WishMade,
)
from ruleplay.records.events import Event

LEGAL_TOLD = 14
"""Legal orders listed in a refusal."""
SURE_KILL = 0.995
"""From this probability on, a knock-out or survival counts as certain."""
AT_ONCE = frozenset({"free", "quiet", "forfeit", "comment"})
"""Acts that take effect immediately, so they cannot wait for a condition."""
CLOSE = 0.015
"""Winning chances that differ by less count as equal: a search is no more precise."""


def wishes_of(act: Act, named: Named, state: State) -> tuple[Wish, ...] | Problem:
    """Translate an act into wishes; if there are several, the person has to choose one."""
    match act.do:
        case "pick":
            picked = state.offered[act.number - 1 : act.number] if act.number else ()
            return picked or Problem("which")
        case "use":
            return _used(act, named, state)
        case "switch" | "keep" | "spend" | "no_tera" if _is_of_one(act, named):
            return _of_ours(act.do, act, named, state)
        case "tera_now":
            return _other_tera(named, state) or _tera(act, named)
        case "comment":
            return (Wish(do="comment"),)
        case "boost" | "heal" | "lay" | "finish":
            found = tuple(Wish(do="move", move=one) for one in _helping(act.do, state))
            return _other_foe(act, named, state) or found or Problem(f"no_{act.do}")
        case "leave" | "stay" | "no_tera" | "safer" | "attack" | "hardest":
            return (Wish(do=act.do, span=act.span),)
        case "another":
            return _avoided(act, named) or Problem("which")
    return ()


def _is_of_one(act: Act, named: Named) -> bool:
    """Check whether an act is about one of ours; only "no tera" may be about nobody."""
    return act.do != "no_tera" or bool(act.name or options(named, "ours"))


def _used(act: Act, named: Named, state: State) -> tuple[Wish, ...] | Problem:
    """Build wishes for the move to be used; to "use" a Pokémon means to send it in."""
    moves = options(named, "move")
    if not moves and options(named, "ours"):
        return _of_ours("switch", act, named, state)
    found = tuple(Wish(do="move", move=one.id, tera=act.tera, span=act.span) for one in moves)
    return _usable(found, state) or _open(MoveOrder, act, state)


def _avoided(act: Act, named: Named) -> tuple[Wish, ...]:
    """Build wishes that rule moves and entrances out, for this turn unless more was said."""
    span: Span = act.span or ("" if act.rules_out else "this")
    moves = (Wish(do="avoid", move=one.id, span=span) for one in options(named, "move"))
    mons = (Wish(do="avoid", ident=one.id, span=span) for one in options(named, "ours"))
    return (*moves, *mons)


def _helping(how: Literal["boost", "heal", "lay", "finish"], state: State) -> list[str]:
    """List the active Pokémon's moves that can do what is ordered.

    For "finish" it is only the move most likely to knock out, of several the strongest.
    """
    orders = state.position.legal if state.position else ()
    moves = dict.fromkeys(one.move for one in orders if isinstance(one, MoveOrder))
    if how == "finish":
        ranked = state.trace.moves.moves if state.trace else ()
        hits = [one for one in ranked if one.move in moves and one.damage.high > 0]
        return [
            one.move for one in sorted(hits, key=lambda one: (-one.ko_chance, -one.damage.low))
        ][:1]
    pages = [*map(dex.move, moves)]
    if how == "lay":
        return [page.id for page in pages if page.side_condition in LAID]
    return [
        page.id
        for page in pages
        if not page.damaging and (page.self_boosts if how == "boost" else page.heal)
    ]


def _every(kind: type[MoveOrder] | type[SwitchOrder], state: State) -> tuple[Wish, ...]:
    """List wishes for all legal orders of a kind, the best first, for an order without a name."""
    position, trace = state.position, state.trace
    legal = [order for order in (position.legal if position else ()) if isinstance(order, kind)]
    legal.sort(key=lambda order: -(value_of(order, trace.verdict if trace else None) or 0.0))
    return tuple(_wish_for(o) for o in legal if not (isinstance(o, MoveOrder) and o.tera))


def _open(
    kind: type[MoveOrder] | type[SwitchOrder], act: Act, state: State
) -> tuple[Wish, ...] | Problem:
    """Offer everything that "the fat one" may mean; a name that matches nothing offers nothing."""
    return (() if act.name else _every(kind, state)) or Problem("which")


def _wish_for(order: MoveOrder | SwitchOrder) -> Wish:
    """Turn an order into a wish for it."""
    if isinstance(order, SwitchOrder):
        return Wish(do="switch", ident=order.ident)
    return Wish(do="move", move=order.move)


def _other_foe(act: Act, named: Named, state: State) -> Problem | None:
    """Say why an opposing Pokémon that is not on the field cannot be finished off."""
    foes = [one.id for one in options(named, "theirs", "species")] if act.do == "finish" else []
    out = state.position.theirs.active if state.position else None
    if not foes or act.when or (out is not None and out.ident in foes):
        return None
    return Problem("foe_not_out", mon=foes[0].partition(": ")[2] or foes[0])


def _tera(act: Act, named: Named) -> tuple[Wish, ...]:
    moves = options(named, "move")
    return (Wish(do="tera", move=moves[0].id if moves else "", span=act.span),)


def _other_tera(named: Named, state: State) -> Problem | None:
    """Say why ours cannot terastallize into a type that is not its own."""
    kinds = [thing.id for thing in options(named, "type")]
    mon = state.position.ours.active if state.position else None
    if not kinds or mon is None or not mon.tera_type or mon.tera_type in kinds:
        return None
    return Problem("no_tera_type", mon=bare(mon.ident), type=mon.tera_type)


def _of_ours(
    do: Literal["switch", "keep", "spend", "no_tera"], act: Act, named: Named, state: State
) -> tuple[Wish, ...] | Problem:
    """Build wishes about our own Pokémon: whom to send in, keep or give up."""
    if do == "switch" and not named.names:
        spoken = state.spoken.ours if state.spoken and act.once else ""
        if spoken not in ("", act.once):  # "it" is the one mentioned before
            return (Wish(do=do, ident=spoken),)
        return _open(SwitchOrder, act, state)
    ours, out = options(named, "ours"), state.position.ours.active if state.position else None
    if out is not None and not (named.names or act.name):  # "let it die": the active one
        ours = (Thing("ours", out.ident),)
    if not ours and (others := options(named, "theirs", "species")):
        return Problem("not_ours", mon=others[0].id.partition(": ")[2] or others[0].id)
    found = tuple(Wish(do=do, ident=one.id, span=act.span) for one in ours)
    return found or Problem("which")


def _usable(wishes: tuple[Wish, ...], state: State) -> tuple[Wish, ...]:
    """Keep the legal wishes, if any is; otherwise all, so that the refusal can say why."""
    if len(wishes) < 2 or state.position is None:
        return wishes
    legal = tuple(w for w in wishes if any(names(w, order) for order in state.position.legal))
    return legal or wishes


@dataclass(frozen=True)
class Obeyed:
    """What a person's orders led to: events, and the sentences that report them."""

    events: tuple[Event, ...] = ()
    lines: tuple[str, ...] = ()


def obey(state: State, orders: Sequence[tuple[Act, Named]], language: str) -> Obeyed:
    """Carry out the orders of a message; illegal or unclear ones change nothing."""
    events, lines = list[Event](), list[str]()
    orders = [*dict.fromkeys(_for_one_turn(orders))]
    # Orders for one turn that no single legal order fulfils: the person has to choose.
    if rivals := _rivals(state, orders):
        return _one_of(state, rivals, language)
    if len(state.offered) == 1 and all(act.do != "pick" for act, _ in orders):
        # Ordering something else instead of answering a yes-or-no question withdraws it: a "yes"
        # later on would be to something else.
        events.append(WishesDropped(wishes=()))
    fails = False
    for act, named in orders:
        if act.only == "otherwise" and not fails:
            continue
        why = _hindered(act, named, state)
        fails = why in ("kills", "lives")
        if why:
            told = {"move": _spoken_move(named), "said": _condition_said(act, language)}
            lines.append(say(language, f"not_sure_{why}", **told))
            continue
        done = _meant(state, act, named, language, more=act is not orders[-1][0])
        events += done.events
        lines += done.lines
        for event in done.events:
            state = state.apply(event)
    return Obeyed(tuple(events), tuple(dict.fromkeys(lines)))


def _condition_said(act: Act, language: str) -> str:
    """Quote a condition that code cannot check, as far as its words are known."""
    return f"“{act.said}”" if act.said else say(language, "the_condition")


def _for_one_turn(orders: Sequence[tuple[Act, Named]]) -> Iterator[tuple[Act, Named]]:
    """Read "no tera" beside an order for this turn as being about this turn, unless said otherwise.

    An order to use a move excludes terastallization already: "use that one, but no tera".
    """
    now = {act.do for act, _ in orders if act.do in OF_THIS_TURN and not act.is_bound}
    for act, named in orders:
        if act.do == "no_tera" and not act.is_bound and now:
            if "use" in now:
                continue
            act = act.model_copy(update={"span": "this"})
        yield act, named


def ask_back(state: State, heard: Heard) -> Obeyed:
    """Offer what an unclear clause may order; a yes or a number then carries it out."""
    language = heard.language
    unclear = [one for one in (heard, *heard.also) if ORDERS & {*one.choices} and not one.asks]
    if not unclear or state.result is not None:
        return Obeyed(lines=(say(language, "over"),) if unclear else ())
    clause = max(unclear, key=lambda one: len(one.named.names))
    line = say(language, "not_understood_part", said=quoted(clause))
    acts = [Act.model_validate({"do": one}) for one in clause.choices if one in ORDERS]
    meant = [wishes_of(act, clause.named, state) for act in acts]
    wishes = [wish for some in meant if isinstance(some, tuple) for wish in some]
    found = tuple(dict.fromkeys(w for w in wishes if not problem_of(w, state)))
    if len(found) == 1 and heard.orders and _played(found[0], state):
        return Obeyed()  # it says again what is done
    if len(found) != 1:
        asked = _one_of(state, found, language)
        return replace(asked, lines=(line, *(asked.lines or (say(language, "help"),))))
    sent = None if state.order and state.order.held else state.order
    if sent and state.position and not found[0].stands and names(found[0], sent.order):
        return Obeyed(lines=(_out(language, found[0], state.position, sent),))
    said = say(language, "unsure", wish=wish_said(language, found[0], state.position))
    return Obeyed((WishesOffered(wishes=found),), (line, said, say(language, "yes")))


def _played(wish: Wish, state: State) -> bool:
    """Check whether a wish for this turn is what is played."""
    return state.order is not None and not wish.stands and names(wish, state.order.order)


def _rivals(state: State, orders: Sequence[tuple[Act, Named]]) -> tuple[Wish, ...]:
    """List what the orders for this turn want if no single legal order fulfils them all."""
    plain = [one for one in orders if not one[0].is_bound]
    each = [wishes_of(act, named, state) for act, named in plain]
    found = dict.fromkeys(w for some in each if isinstance(some, tuple) for w in some if w.orders)
    legal = state.position.legal if state.position else ()
    if len(plain) < 2 or any(all(names(wish, order) for wish in found) for order in legal):
        return ()
    return tuple(found) if len(found) > 1 else ()


def _hindered(act: Act, named: Named, state: State) -> str:
    """Name the condition that keeps an act from being carried out: unmet, or one we cannot keep."""
    unmet = (act.only == "kills" and not _kills(act, named, state)) or (
        act.only == "lives" and not _lives(state)
    )
    if act.do in AT_ONCE and (act.waits or act.limits):
        return "at_once"
    # A condition that code cannot check may only accompany harmless wishes.
    return act.only if unmet or (act.only == "other" and act.do not in MILD) else ""


def _spoken_move(named: Named) -> str:
    return ", ".join(move_name(one.id) for one in options(named, "move"))


def _kills(act: Act, named: Named, state: State) -> bool:
    """Check whether the act's move certainly knocks out the active opponent, misses included."""
    moves = {one.id for one in options(named, "move")}
    ranked = state.trace.moves.moves if state.trace else ()
    return any(one.move in moves and one.ko_chance >= SURE_KILL for one in ranked)


def _lives(state: State) -> bool:
    """Check whether ours certainly survives what the opponent is expected to do."""
    foreseen = state.trace.expected.predictions if state.trace else ()
    return sum(one.probability * one.ko_chance for one in foreseen) < 1 - SURE_KILL


def _meant(state: State, act: Act, named: Named, language: str, *, more: bool) -> Obeyed:
    """Carry out one act; `more` says that further orders follow it in the message."""
    if state.result is not None:
        return Obeyed(lines=(say(language, "over"),))
    match act.do:
        case "free":
            return free(state, language, more=more)
        case "quiet":
            return drop(state, Wish(do="comment"), language)
        case "another" if not act.rules_out:
            return _another(state, act, named, language, more=more)
        case "forfeit" if not state.wants("forfeit"):
            return _asked_to_end(state, language)
    found = wishes_of(act, named, state)
    if isinstance(found, Problem):
        return _refused(found, state, language, act.do)
    return _bound(state, act, tuple(_waiting(wish, act, state) for wish in found), language)


def _bound(state: State, act: Act, found: tuple[Wish, ...], language: str) -> Obeyed:
    """Adopt the wish if its conditions are clear; otherwise ask or say what is missing."""
    if act.until and state.position and act.until.holds(state.position):
        return Obeyed(lines=(say(language, "until_now", limit=limit_said(language, act.until)),))
    now = found and not found[0].stands
    if act.doubted and now and state.order and names(found[0], state.order.order):
        return Obeyed()  # we do it anyway, and the question itself is answered
    # Whether an unnamed Pokémon has fainted cannot be checked, so we ask whom they mean.
    if found and ANYBODY in (found[0].once, *(limit.name for limit in act.limits.values())):
        plain = found[0].model_copy(update={"once": "", **dict.fromkeys(act.limits)})
        said = wish_said(language, plain, state.position)
        return Obeyed(lines=(say(language, "once_whom", wish=_upper(said)),))
    # The wish is offered, not adopted: a "yes" confirms it.
    key = "when_whom" if act.when == ANYBODY else "doubted" if act.doubted else ""
    if key and len(found) == 1 and not problem_of(found[0], state):
        asked = say(language, key, wish=_upper(wish_said(language, found[0], state.position)))
        return Obeyed((WishesOffered(wishes=found),), (asked, say(language, "yes")))
    done = _one_of(state, found, language)
    if act.only == "other" and any(isinstance(event, WishMade) for event in done.events):
        said = _condition_said(act, language)
        return replace(done, lines=(*done.lines, say(language, "part_held", said=said)))
    return done


def _waiting(wish: Wish, act: Act, state: State) -> Wish:
    """Add an act's conditions to a wish; "once it falls" is about our active Pokémon."""
    wish = wish.model_copy(update={**act.limits, **_for_turns(act, state)})
    if wish.until and wish.orders:
        wish = wish.model_copy(update={"span": "on"})
    if not act.waits or state.position is None:
        return _of_who_stays(wish, state)
    once, out = act.once, state.position.ours.active
    if once == ANYBODY and wish.do == "switch" and out is not None:
        once = out.ident
    lasts = act.span in ("on", "after") or act.until or not wish.orders
    since = state.position.turn + 1 if act.span == "after" else 0
    when, span = act.when.replace(ANYBODY, ""), "on" if lasts else ""
    return wish.model_copy(update={"when": when, "once": once, "span": span, "since": since})


def _for_turns(act: Act, state: State) -> dict[str, object]:
    """Turn a number of turns, counted from the first that can still be chosen, into an end."""
    if not act.turns or act.until or state.position is None:
        return {}
    sent = state.order is not None and not state.order.held
    first = state.position.turn + (sent or act.span in ("next", "after"))
    return {"until": Limit(sign="turn", number=first + act.turns)}


def _of_who_stays(wish: Wish, state: State) -> Wish:
    """Make "stay in", where it is for several turns, about the one on the field."""
    out = state.position.ours.active if state.position else None
    if wish.do != "stay" or wish.ident or not wish.stands or out is None or out.fainted:
        return wish
    return wish.model_copy(update={"ident": out.ident})


def _one_of(state: State, found: Sequence[Wish], language: str) -> Obeyed:
    """Adopt the only wish, or ask which of several is meant."""
    if len(found) < 2:
        return want(state, found[0], language) if found else Obeyed()
    # `WishesOffered` holds six at most.
    kept = tuple(found[:6])
    choices = [f"{n}. {wish_said(language, w, state.position)}" for n, w in enumerate(kept, 1)]
    line = say(language, "offered", choices=", ".join(choices))
    return Obeyed((WishesOffered(wishes=kept),), (line,))


def _another(state: State, act: Act, named: Named, language: str, *, more: bool) -> Obeyed:
    """Take back what was ordered and offer the alternatives, the best first.

    If it was our own choice, it is ruled out and we choose anew.
    """
    position = state.position
    if position is None or state.order is None:
        return _refused(Problem("which"), state, language)
    ordered = [wish for wish in state.wishes if wish.orders]
    spurned = {thing.id for thing in options(named, "ours", "move")}
    meant = [w for w in ordered if {w.ident, w.move} & spurned] if spurned else ordered[-1:]
    spurned |= {wish.ident or wish.move for wish in meant}
    spurned = spurned or {target(state.order.order)}
    if not meant:
        ruled = _ruled_out(state, sorted(spurned), act, language)
        return replace(ruled, lines=()) if more else ruled  # the next order says what to do instead
    done = [drop(state, wish, language) for wish in meant]
    switch = any(mon.ident in spurned for mon in position.ours.team)
    every = _every(SwitchOrder if switch else MoveOrder, state)
    wishes = [wish for wish in every if (wish.ident or wish.move) not in spurned]
    for one in done:
        for event in one.events:
            state = state.apply(event)
    done.append(_one_of(state, wishes, language) if wishes else free(state, language))
    return Obeyed(
        tuple(event for one in done for event in one.events),
        tuple(line for one in done for line in one.lines),
    )


def _ruled_out(state: State, spurned: Sequence[str], act: Act, language: str) -> Obeyed:
    """Choose again without what the person rejects, in the turn they mean or the current one."""
    held = state.order is not None and state.order.held
    span: Span = act.span or ("this" if held else "next")
    done = Obeyed()
    for one in spurned:
        what = {"ident": one} if ": " in one else {"move": one}
        more = want(state, Wish(do="avoid", span=span, **what), language)
        for event in more.events:
            state = state.apply(event)
        done = Obeyed((*done.events, *more.events), (*done.lines, *more.lines))
    return done


def _asked_to_end(state: State, language: str) -> Obeyed:
    """Ask for confirmation before giving up the battle, which cannot be undone."""
    value = state.order.value if state.order else None
    lines = [say(language, "forfeit_ask")]
    if value is not None:
        lines.append(say(language, "chance", chance=percent(value)))
    return Obeyed((WishesOffered(wishes=(Wish(do="forfeit"),)),), (*lines, say(language, "yes")))


def _refused(problem: Problem, state: State, language: str, do: str = "") -> Obeyed:
    """Report a problem, together with what is possible."""
    return Obeyed(lines=(problem.said(language), *_possible(do, state, language)))


def _possible(do: str, state: State, language: str) -> tuple[str, ...]:
    """List the legal orders; if somebody is to be kept or may be lost, who of ours is left."""
    position = state.position
    if position is None:
        return ()
    if do in ("keep", "spend"):
        alive = [display(position, m.ident) for m in position.ours.team if not m.fainted]
        return (say(language, "unknown_ours", mons=listed(language, alive)),)
    plain = [o for o in position.legal if not (isinstance(o, MoveOrder) and o.tera)]
    told = [order_said(language, order, position) for order in plain[:LEGAL_TOLD]]
    return (say(language, "legal", orders=", ".join(told)),)


def want(state: State, wish: Wish, language: str) -> Obeyed:
    """Adopt a wish from now on, or refuse it and say what is legal."""
    if problem := problem_of(wish, state):
        return _refused(problem, state, language, wish.do)
    if wish.stands and wish in state.wishes:
        said = wish_said(language, wish, state.position)
        return Obeyed(lines=(say(language, "wishes_hold", wishes=said),))
    gone = tuple(each for each in state.wishes if wish.replaces(each))
    events: list[Event] = [WishesDropped(wishes=gone)] if gone else []
    events.append(WishMade(wish=wish))
    position, order, trace = state.position, state.order, state.trace
    lines = [_stands(language, wish, position)] if wish.stands else []
    lines += _planned(state, wish, language)
    then = (wish.when and wish.orders) or wish.do == "hardest"
    lines += _then(state, wish, language) if then else []
    if wish.do in SETTINGS:
        return Obeyed(tuple(events), tuple(lines))
    if position is None or order is None or trace is None:
        return Obeyed(tuple(events), tuple(lines or [wish_said(language, wish, position)]))
    if order.held and not wish.later:
        ordered = tuple(each for each in order.followed if not each.stands)
        after = state.but(wishes=with_wish((*state.wishes, *ordered), wish))
        # There is no new search: the scores of the decision already made are ranked again.
        changed = rechosen(after, position, trace, order)
        if changed is not None:
            events.append(changed)
        now = changed.chosen if changed else order
        lines += _held(language, wish, position, trace, order, now)
        if now.order != order.order:
            scene = Scene(state, position, state.inference, Heard(language, Named()))
            lines += expects(scene, now.order)
    elif not wish.stands and not wish.later and (not wish.orders or names(wish, order.order)):
        # A sent order cannot be changed, and the person spoke of this turn only.
        return Obeyed(lines=(_out(language, wish, position, order),))
    elif not wish.stands:
        lines += _next(language, wish, position, order, comes_in(state, position))
    return Obeyed(tuple(events), tuple(lines))


def _stands(language: str, wish: Wish, position: Position | None) -> str:
    """Confirm a standing wish: until when, with which exception, and at what cost at most."""
    if wish.cost is not None and wish.unless is None:
        costs = Limit(sign="costs", number=round(100 * wish.cost))
        wish = wish.model_copy(update={"unless": costs})
    key = (
        "stand_when"
        if wish.waits and wish.orders
        else "stand_until"
        if wish.until
        else "stand_order"
    )
    key = f"stand_{wish.do}" if wish.do in SETTINGS and not wish.waits else key
    mon = display(position, wish.ident) if position and wish.ident else ""
    said = say(language, key, wish=wish_said(language, wish, position), mon=mon)
    return f"{said} {say(language, 'keep_forced')}" if wish.do == "keep" else said


def _planned(state: State, wish: Wish, language: str) -> Iterator[str]:
    """Say whether our own plan keeps the one to be kept, and where this turn is too dear for it."""
    if wish.do == "keep" and (plan := state.analysis) and wish.ident in plan.preserve:
        yield say(language, "keep_planned")
    elif wish.do == "keep" and plan and wish.ident in plan.expendable:
        yield say(language, "keep_unplanned")
    mon = state.position.ours.member(wish.ident) if wish.do == "keep" and state.position else None
    if mon and state.position and falls_on_entry(state.position, mon):
        yield say(language, "entry_falls", mon=display(state.position, mon.ident))
    position, trace = state.position, state.trace
    if wish.stands and wish.cost is not None and position and trace:
        left = narrowed(state.but(wishes=(wish,)), position, trace)
        if wish in left.unmet:
            yield say(language, "hardly", cost=percent(wish.cost))


def _then(state: State, wish: Wish, language: str) -> list[str]:
    """Say what an order would do to the opponent it waits for, as both are now."""
    position = state.position
    team = position.theirs.team if position else ()
    them = next((m for m in team if m.ident == wish.when or (m.active and not wish.when)), None)
    guess = state.inference.guesses.get(them.ident) if them else None
    us = position.ours.active if position else None
    if position is None or them is None or guess is None or us is None or us.fainted:
        return []
    scene = Scene(state, position, state.inference, Heard(language, Named()))
    hits = face_off(position, us, them, guess, own_tera=wish.tera).our_hits
    if wish.do == "hardest":
        able = [hit for hit in hits if hit.usable and hit.high > 0]
        hits = tuple(sorted(able, key=lambda hit: -(hit.low + hit.high) * hit.accuracy)[:1])
    return [hit_said(scene, hit, them) for hit in hits if wish.move in ("", hit.move)]


def _out(language: str, wish: Wish, position: Position, order: OrderChosen) -> str:
    """Say that the order for this turn has been sent, and whether it fits the wish."""
    fits = names(wish, order.order)
    sent = order_said(language, order.order, position)
    said = wish_said(language, wish, position)
    return say(language, "out_fits" if fits else "out_late", sent=sent, wish=said)


def _held(
    language: str,
    wish: Wish,
    position: Position,
    trace: DecisionTrace,
    before: OrderChosen,
    now: OrderChosen,
) -> list[str]:
    """Say what a wish changed about the held order, and what that costs."""
    if now.order == before.order and wish.stands:
        return []
    key = "obey_now" if wish.orders or not wish.stands else "changed"
    key = "avoided" if wish.do == "avoid" else key
    said = order_said(language, now.order, position)
    told = say(language, key, order=said, wish=wish_said(language, wish, position))
    entries = trace.switches.switches if wish.do == "leave" else ()
    why = [
        say(language, "leave_why", mon=one.name, hp=percent(one.hp_after))
        for one in entries
        if one.order == now.order
    ]
    return [_upper(told), *why, cost_said(language, now.order, position, trace)]


def _next(
    language: str,
    wish: Wish,
    position: Position,
    order: OrderChosen,
    comes: Mon | None,
) -> list[str]:
    """Say that a wish applies to the next decision."""
    sent = order_said(language, order.order, position)
    said = wish_said(language, wish, position)
    key = "obey_later" if order.held else "obey_next"
    lines = [say(language, key, sent=sent, wish=said)]
    if comes is not None and wish.do != "switch":
        lines.append(say(language, "obey_then", mon=display(position, comes.ident)))
    # The search's values are for this turn; what a later order is worth is not known yet.
    lines += [say(language, "later_unknown")] if wish.orders else []
    return lines


def cost_said(language: str, order: Order, position: Position, trace: DecisionTrace) -> str:
    """Compare the search's value of an order with its best."""
    value = value_of(order, trace.verdict)
    lines = trace.verdict.lines if trace.verdict else ()
    if value is None or not lines:
        return say(language, "cost_unknown")
    best = max(lines, key=lambda line: line.value)
    if best.order == order:
        return say(language, "cost_none", chance=percent(value))
    return say(
        language,
        "cost_close" if best.value - value < CLOSE else "cost",
        chance=percent(value),
        cost=round(100 * best.value) - round(100 * value),
        most=percent(best.value),
        best=order_said(language, best.order, position),
    )


def free(state: State, language: str, *, more: bool = False) -> Obeyed:
    """Take all wishes back and choose the held order anew.

    With `more`, further orders follow, so the new choice is not announced.
    """
    position, order, trace = state.position, state.order, state.trace
    events: list[Event] = [WishesDropped(wishes=state.wishes)] if state.wishes else []
    held = order.followed if order and order.held else ()
    said = [wish_said(language, wish, position) for wish in dict.fromkeys((*state.wishes, *held))]
    lines = [say(language, "taken_back", wishes=", ".join(said))] if said else []
    if position and order and order.held and trace:
        changed = rechosen(state.but(wishes=()), position, trace, order)
        if changed is not None and changed.chosen.order != order.order:
            events.append(changed)
            order = changed.chosen
    if said and not more:
        lines.append(_free_said("free", order, position, language))
    return Obeyed(tuple(events), tuple(lines))


def _free_said(
    key: str, order: OrderChosen | None, position: Position | None, language: str
) -> str:
    """Phrase what we play without wishes."""
    told = order_said(language, order.order, position) if order and position else "-"
    return say(language, key, order=told)


def drop(state: State, wish: Wish, language: str) -> Obeyed:
    """Take one wish back."""
    if wish not in state.wishes:
        if wish.do == "comment":
            return Obeyed(lines=(say(language, "quiet_already"),))
        return Obeyed(lines=(_free_said("free_already", state.order, state.position, language),))
    left = state.but(wishes=tuple(each for each in state.wishes if each != wish))
    events: list[Event] = [WishesDropped(wishes=(wish,))]
    said = wish_said(language, wish, state.position)
    if state.position and state.order and state.order.held and state.trace:
        changed = rechosen(left, state.position, state.trace, state.order)
        events += [changed] if changed else []
    return Obeyed(tuple(events), (say(language, "taken_back", wishes=said),))


def rechosen(
    state: State, position: Position, trace: DecisionTrace, order: OrderChosen
) -> OrderChanged | None:
    """Choose again among what the wishes leave, by the ranking of the decision already made.

    The result is None if that changes nothing.
    """
    left = narrowed(state, position, trace)
    wanted = trace.wanted if trace.wanted in left.orders else None
    best = wanted or best_of(left.orders, [one.order for one in trace.scores])
    chosen = OrderChosen(
        request_id=order.request_id,
        order=best,
        wire=position.wire(best),
        source=source_of(left, "model" if wanted else "policy"),
        value=value_of(best, trace.verdict),
        followed=left.followed,
        unmet=left.unmet,
        held=True,
    )
    return None if chosen == order else OrderChanged(chosen=chosen)


def narrowed(state: State, position: Position, trace: DecisionTrace) -> Narrowed:
    """Apply the wishes that are due to the legal orders of a decision already made."""
    known = (state.inference, trace.expected, trace.switches, trace.verdict)
    found = outlooks(position, *known)
    due = [wish for wish in state.wishes if not wish.later and wish.is_due(position)]
    return narrow(due, found)


def best_of(orders: Sequence[Order], ranked: Sequence[Order]) -> Order:
    """Pick the best ranked order among those left."""
    return next((order for order in ranked if order in orders), orders[0])


def source_of(left: Narrowed, otherwise: Source) -> Chooser:
    """Attribute an order: to the person if it follows an order of theirs, else to `otherwise`."""
    return "person" if any(wish.orders for wish in left.followed) else otherwise


def followed_said(
    state: State, order: OrderChosen, trace: DecisionTrace, position: Position
) -> list[str]:
    """Report at a decision which wishes were followed, at what cost, and why others were not."""
    language = state.language
    told = [
        say(
            language,
            "unmet",
            wish=_upper(wish_said(language, wish, position)),
            why=_unmet(wish, position, language),
        )
        for wish in order.unmet
    ]
    if order.followed and order.order != trace.best:
        said = ", ".join(wish_said(language, wish, position) for wish in order.followed)
        told.append(say(language, "obey_asked", wish=said))
        told.append(cost_said(language, order.order, position, trace))
    return told


def _unmet(wish: Wish, position: Position, language: str) -> str:
    """Say why a wish was not followed: nothing fulfils it, or only what exceeds its cost limit."""
    able = not wish.orders or any(names(wish, order) for order in position.legal)
    if wish.cost is not None and able:
        return say(language, "unmet_cost", cost=percent(wish.cost))
    why = why_not(wish, position) if wish.orders else Problem("unmet_plain")
    return why.said(language)


def ended(state: State, position: Position) -> Obeyed:
    """Drop the wishes whose `until` holds in a new position, and say so."""
    gone = [wish for wish in state.wishes if wish.until and wish.until.holds(position)]
    lines = tuple(
        say(
            state.language,
            "ended_wish",
            limit=limit_said(state.language, wish.until),
            wish=wish_said(state.language, wish.model_copy(update={"until": None}), position),
        )
        for wish in gone
        if wish.until
    )
    return Obeyed((WishesDropped(wishes=tuple(gone)),) if gone else (), lines)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
