"""Rule-based answers about past turns and finished battles, from the battle's course."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.happenings import Happening, last_turn
from ruleplay.agents.battle.domain.meaning import options
from ruleplay.agents.battle.domain.naming import display, move_name, player_name
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder, target
from ruleplay.agents.battle.domain.phrases import happened, percent
from ruleplay.agents.battle.domain.results import Candidate
from ruleplay.agents.battle.policy.course import Choice, chances
from ruleplay.agents.battle.policy.scene import Scene, action, and_listed, as_shares, upper

STEPS_TOLD = 10
"""Steps of a turn that are told."""
FORESEEN_TOLD = 3
"""Their likeliest actions that are listed."""
CLOSE_CALL = 0.35
"""Winning chance below which a battle that was won could have been lost."""
SLIP = 0.02
"""The winning chance that a choice has to give away to be called a mistake."""
ABOUT_CHOICES = frozenset({"why", "past", "considered", "reproach", "switches", "simply", "last"})
"""Topics that, of a finished battle, can only be about choices made in it."""
TIMELESS = frozenset(
    {
        *("explain", "types", "accuracy", "clause", "levels", "other", "talk", "hello", "thanks"),
        *("bye", "bot", "record", "fair", "them", "weaker", "cheer", "lament", "novice", "lesson"),
        "numbers",
    }
)
"""Topics whose answers have nothing to do with a turn, or with whether a battle goes on."""
LASTING = frozenset(
    {
        *("sets", "item", "ability", "speed", "damage", "matchup", "survive", "crit", "pp"),
        *("health", "team", "luck", "mistake", "recap", "led", "tera", "hazards"),
    }
)
"""Topics that are still answered by how things stand when the battle is over."""
TURNS_TOLD = 2
"""Turns told in one answer."""
LUCKS = ("crit", "miss", "survived", "par", "flinch", "effect")


def asked(scene: Scene) -> tuple[int, ...]:
    """List the past turns that a question is about, by number or by what happened in them."""
    if named := [int(one.id) for one in options(scene.heard.named, "turn")]:
        return tuple(dict.fromkeys(named))
    if kind := scene.heard.when:
        return _by_event(scene, kind)
    names = {one.id for one in options(scene.heard.named, "ours", "theirs", "move")}
    over, earlier = bool(scene.state.result), scene.heard.topic in ("past", "why", "reproach")
    known = {target(order) for order in scene.position.legal}
    known |= {target(one.chosen) for one in (scene.trace, scene.state.past) if one}
    if not names or not ((over and scene.heard.topic in ABOUT_CHOICES) or earlier):
        return _latest(scene, scene.course.choices) if over and _of_choices(scene) else ()
    if not over and names & known:
        return ()  # the choice of this turn, or of the one before, is told by its own answer
    about = [one for one in scene.course.choices if names & _involved(one)]
    return _latest(scene, about)


def _of_choices(scene: Scene) -> bool:
    return scene.heard.topic in ABOUT_CHOICES


def _latest(scene: Scene, choices: Sequence[Choice]) -> tuple[int, ...]:
    """Give the turn of the last choice that is not the present one."""
    past = [one.turn for one in choices if scene.state.result or one.turn < scene.position.turn]
    return tuple(past[-1:])


def _involved(choice: Choice) -> set[str]:
    """List the move or Pokémon that was chosen, and who of ours was on the field."""
    active = choice.position.ours.active
    return {target(choice.order), active.ident if active else ""} - {""}


def _by_event(scene: Scene, kind: str) -> tuple[int, ...]:
    """Find the turn in which somebody fell, or terastallized: the named one, else the last."""
    mons = {one.id for one in options(scene.heard.named, "ours", "theirs")}
    wanted = scene.heard.side or ("ours" if kind == "tera" else "")
    found = [
        one.turn
        for one in scene.course.every
        if one.kind == kind
        and (one.mon in mons if mons else wanted in ("", "ours" if one.ours else "theirs"))
    ]
    return tuple(found[-1:])


def answered(scene: Scene) -> list[str] | None:
    """Answer what is about a past turn or a finished battle; None for anything else."""
    topic = scene.heard.topic
    if topic not in TIMELESS and (turns := asked(scene)):
        return [line for turn in turns[:TURNS_TOLD] for line in filter(None, told(scene, turn))]
    if scene.state.result is None or topic in (*TIMELESS, *LASTING):
        return None
    return [*could_lose(scene)] if topic == "chance" else []


def opens(scene: Scene) -> str:
    """Say that the battle is over, before any answer that does not hold for every battle."""
    if scene.state.result is None or scene.heard.topic in TIMELESS or asked(scene):
        return ""
    return " ".join(over(scene))


def told(scene: Scene, turn: int) -> Iterable[str]:
    """Tell a past turn: who chose what, the alternatives, what was expected, what happened."""
    choices, steps = scene.course.at(turn), scene.course.happened(turn)
    if scene.heard.topic == "luck":
        yield from _luck_of(scene, turn)
        return
    if not choices and not steps:
        yield scene.say("turn_not_kept", turn=turn)
        return
    if not choices:
        yield scene.say("turn_no_choice", turn=turn)
    struck = _strikes(scene, steps)
    yield scene.say("turn_told_of", turn=turn, steps=struck) if struck else ""
    if main := _in_question(scene, choices):
        yield " ".join(filter(None, (_chosen(scene, main), *_against(scene, main))))
        foreseen = _foreseen(scene, main.expected) if main.expected else ""
        yield scene.say("turn_expected", actions=foreseen) if foreseen else ""
        later = [one.order for one in choices if one is not main and one.position.force_switch]
        after = and_listed(scene, map(scene.order, later))
        yield scene.say("turn_then", orders=after) if later else ""
    if steps and not struck:
        shown = " ".join(happened(scene.heard.language, one) for one in steps[:STEPS_TOLD])
        yield scene.say("turn_told_of", turn=turn, steps=shown)


def _strikes(scene: Scene, steps: Sequence[Happening]) -> str:
    """Tell what the move in question did, where the question is about its damage."""
    moves = {one.id for one in options(scene.heard.named, "move")}
    if scene.heard.topic not in ("damage", "survive", "crit") or not moves:
        return ""
    used = [one for one in steps if one.kind == "used" and dex.to_id(one.what) in moves]
    return " ".join(happened(scene.heard.language, one) for one in used)


def _in_question(scene: Scene, choices: Sequence[Choice]) -> Choice | None:
    """Pick a turn's choice: the one where what is named could be chosen, else the first."""
    names = {one.id for one in options(scene.heard.named, "move", "ours")}
    able = [one for one in choices if names & {target(order) for order in one.position.legal}]
    return next(iter([*able, *choices]), None)


def _chosen(scene: Scene, choice: Choice) -> str:
    """Say what was chosen, by whom, and its winning chance."""
    key = "past_person" if choice.source == "person" else "past"
    said = scene.say(key, turn=choice.turn, order=choice.order)
    value = choice.value
    return f"{said} {scene.say('turn_value', chance=value)}" if value is not None else said


def _against(scene: Scene, choice: Choice) -> Iterable[str]:
    """Compare the choice with what is named, or with its best alternative."""
    things, active = options(scene.heard.named, "move", "ours"), choice.position.ours.active
    # Who was on the field is whom the question is about, unless it asks about sending it in.
    subject = active.ident if active and scene.heard.topic != "switches" else ""
    others = [one for one in things if one.id not in (target(choice.order), subject)]
    for thing in others:
        able = [order for order in choice.position.legal if target(order) == thing.id]
        yield _other(scene, choice, able) if able else _barred(scene, choice, thing.kind, thing.id)
    if others:
        return
    if subject in {one.id for one in things} and isinstance(choice.order, SwitchOrder):
        yield _stayed(scene, choice)
        return
    lines = choice.verdict.lines if choice.verdict else ()
    order = choice.order
    if isinstance(order, MoveOrder) and order.tera:
        value = choice.value_of(MoveOrder(move=order.move))
        yield "" if value is None else scene.say("turn_plain", chance=value)
    rest = [line for line in lines if target(line.order) != target(order)]
    if best := max(rest, key=lambda line: line.value, default=None):
        yield _other(scene, choice, [best.order])
    elif len(choice.position.legal) < 2:
        yield scene.say("turn_only")


def _stayed(scene: Scene, choice: Choice) -> str:
    """Say what staying in was worth, where a switch was chosen."""
    lines = choice.verdict.lines if choice.verdict else ()
    moves = [line for line in lines if isinstance(line.order, MoveOrder)]
    best, mon = max(moves, key=lambda one: one.value, default=None), choice.position.ours.active
    if best is None or mon is None:
        return ""
    return scene.say("turn_stay", mon=mon, order=best.order, chance=best.value)


def _other(scene: Scene, choice: Choice, orders: Sequence[Order]) -> str:
    """Say what the search gave another order then; of several the best."""
    known = [(value, one) for one in orders if (value := choice.value_of(one)) is not None]
    if not known:
        return upper(scene.say("turn_unsearched", order=orders[0]))
    value, order = max(known, key=lambda one: one[0])
    return upper(scene.say("turn_other", order=order, chance=value))


def _barred(scene: Scene, choice: Choice, kind: str, ident: str) -> str:
    """Say why something could not be chosen then."""
    position, active = choice.position, choice.position.ours.active
    out = scene.mon(active) if active else ""
    if kind == "ours":
        mon = next((one for one in position.ours.team if one.ident == ident), None)
        key = "fallen" if mon is None or mon.fainted else "out" if mon is active else "trapped"
        return scene.say(f"barred_{key}", mon=display(scene.position, ident), out=out)
    named = {"move": move_name(ident), "mon": out}
    if position.force_switch or active is None or active.fainted:
        return scene.say("barred_replacing", **named)
    slot = next((one for one in active.moves if one.id == ident), None)
    free = {one.move for one in position.legal if isinstance(one, MoveOrder)}
    if slot is None:
        return scene.say("barred_unknown", **named)
    if slot.pp <= 0:
        return scene.say("barred_pp", **named)
    if len(free) == 1:
        return scene.say("barred_locked", only=move_name(next(iter(free))), **named)
    return scene.say("barred_disabled", **named)


def _foreseen(scene: Scene, expected: Sequence[Candidate]) -> str:
    shares = [(action(scene, one), one.probability) for one in expected[:FORESEEN_TOLD]]
    return as_shares(scene, shares, FORESEEN_TOLD)


def over(scene: Scene) -> Iterable[str]:
    """Say that the battle is over: its result, in how many turns, and who was left."""
    state, position = scene.state, scene.position
    if state.result is None:
        return
    turns = max((one.turn for one in scene.course.every), default=position.turn)
    them = player_name(state.opponent or position.theirs.name) or scene.say("the_opponent")
    yield scene.say(f"over_{state.result}", them=them, turns=max(turns, position.turn))
    # Without the end's position it is only known how things stood at the last choice.
    yield scene.say(
        "over_left" if scene.course.final else "over_left_then",
        ours=position.ours.alive,
        theirs=position.theirs.alive,
        mons=and_listed(scene, [scene.mon(m) for m in position.ours.team if not m.fainted])
        or scene.say("nobody"),
    )


def luck(scene: Scene) -> Iterable[str]:
    """Count what luck decided over the whole battle, and what it gave by the search's values."""
    if scene.state.result is None:
        now = [one for one in last_turn(scene.position) if {"crit", "miss"} & {*one.notes}]
        yield " ".join(happened(scene.heard.language, one) for one in now)
    missing = and_listed(scene, map(str, _missing(scene)))
    lost = scene.say("luck_missing", turns=missing) if missing else ""
    yield f"{scene.say('luck')} {lost}".strip()
    found = [*chances(scene.course.every)]
    each = {kind: [one for told, one in found if told == kind] for kind in LUCKS}
    counts = [
        scene.say(f"luck_{kind}", **_by_side(scene, steps))
        for kind, steps in each.items()
        if steps or kind in ("crit", "miss")
    ]
    yield " ".join((*counts, scene.say("luck_crits")))
    if shares := scene.course.luck:
        best, worst = (
            (turn, signed(shares[turn]))
            for turn in (max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__))
        )
        whole = scene.say("luck_all", share=signed(sum(shares.values())))
        most = scene.say("luck_most", best=best[0], most=best[1], worst=worst[0], least=worst[1])
        yield f"{whole} {most}"


def _missing(scene: Scene) -> list[int]:
    """List the turns of which no log was kept, though they were played."""
    return [turn for turn in range(1, scene.position.turn) if turn not in scene.course.steps]


def _by_side(scene: Scene, steps: Sequence[Happening]) -> dict[str, str]:
    """Count happenings of ours and of theirs, with their turns."""
    return {
        key: _counted(scene, [one.turn for one in steps if one.ours is ours])
        for key, ours in (("ours", True), ("theirs", False))
    }


def _counted(scene: Scene, turns: Sequence[int]) -> str:
    if not turns:
        return scene.say("none_of_it")
    numbers = and_listed(scene, [str(turn) for turn, _ in groupby(turns)])
    return scene.say("counted_one" if len(turns) == 1 else "counted", count=len(turns), at=numbers)


def _luck_of(scene: Scene, turn: int) -> Iterable[str]:
    """Tell what luck decided in one turn."""
    steps = scene.course.happened(turn)
    if not steps:
        yield scene.say("turn_not_kept", turn=turn)
        return
    found = [*chances(steps)]
    said = [happened(scene.heard.language, one) for kind, one in found if kind != "survived"]
    for kind, one in found:
        if kind == "survived":
            left = percent(one.left or 0.0)
            said.append(scene.say("survived", mon=_struck(one), left=left, what=one.what))
    lines = " ".join(dict.fromkeys(said)) or scene.say("luck_turn_none")
    yield scene.say("turn_told_of", turn=turn, steps=lines)
    if (share := scene.course.luck.get(turn)) is not None:
        yield scene.say("luck_turn", turn=turn, share=signed(share))


def _struck(one: Happening) -> str:
    return one.on.partition(": ")[2] or one.on


def signed(share: float) -> str:
    """Format a change of a chance in points, with its sign."""
    return f"{100 * share:+.0f}"


def mistake(scene: Scene) -> Iterable[str]:
    """Name the choice that gave away most by the search of then; a review looks again."""
    known = [(one.lost, one) for one in scene.course.choices if one.lost is not None]
    if known:
        lost, worst = max(known, key=lambda one: one[0] or 0.0)
        key = "mistake" if lost and lost >= SLIP else "mistake_none"
        yield scene.say(key, turn=worst.turn, order=worst.order, lost=lost or 0.0)
        if lost and lost >= SLIP:
            yield from _against(scene.of(), worst)
    yield scene.say("mistake_review")


def could_lose(scene: Scene) -> Iterable[str]:
    """Say where our chance was lowest in a finished battle."""
    curve = scene.state.chances
    if not curve:
        return
    turn, low = min(curve, key=lambda one: one[1])
    key = "lowest_close" if low < CLOSE_CALL else "lowest"
    yield scene.say(key, turn=turn, chance=low)
    yield scene.say("mistake_review")


def strikes(scene: Scene) -> Iterable[str]:
    """Tell what a named move did earlier: to the named Pokémon, else to anybody."""
    moves = {one.id for one in options(scene.heard.named, "move")}
    mons = {one.id for one in options(scene.heard.named, "ours", "theirs")}
    used = [
        one
        for one in scene.course.every
        if one.kind == "used" and dex.to_id(one.what) in moves and one.share is not None
    ]
    on = [one for one in used if one.on in mons] or [one for one in used if one.mon in mons]
    for one in (on or ([] if mons else used))[-2:]:
        steps = happened(scene.heard.language, one)
        yield scene.say("turn_told_of", turn=one.turn, steps=steps)
