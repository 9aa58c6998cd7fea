"""The prompts for models: static instructions first, changing data last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.memory import Memory, Revealed
from ruleplay.agents.battle.domain.naming import bare, order_words
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.phrases import wish_said
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.results import (
    Expected,
    MoveOptions,
    SearchVerdict,
    SwitchOptions,
    TeamAnalysis,
    TeraAnalysis,
)
from ruleplay.agents.battle.state import State
from ruleplay.kernel.context import Prompt
from ruleplay.records.given import Message
from ruleplay.telling.prompt import told
from ruleplay.telling.sentences import bounded
from ruleplay.telling.table import Table

History = Sequence[Message]
WRITTEN = {"fr": "French"}
"""Languages other than English that battles are told in."""
SAID = 900
"""Characters of an earlier line that a prompt repeats."""


_told = partial(told, "ruleplay.agents.battle")


def strategy(analysis: TeamAnalysis, tables: Sequence[Table], plan: str) -> Prompt:
    """Ask for the opening plan; `plan` is the policy's."""
    about = f"Analysis:\n{analysis.summary}\n\nCode's plan:\n{plan}"
    return Prompt(system=_told("strategy"), user=f"{_said(tables)}\n\n{about}")


def predict(state: State, position: Position, expected: Expected) -> Prompt:
    """Ask to reweight the predicted actions, given speed and the opponent's habits."""
    lines = "\n".join(
        f"{number}. {one.kind} {one.name or one.action or 'someone not yet seen'}: "
        f"{one.probability:.0%}; {one.damage_to_us} {one.reasoning}".rstrip()
        for number, one in enumerate(expected.predictions, start=1)
    )
    speed = f"Speed: {speed_summary(state, position)}\nHabits: {habits_summary(state)}"
    told = f"{battle_state(position)}\n\n{speed}\n\nCandidates:\n{lines}"
    return Prompt(system=_told("predict"), user=told)


def decide(
    state: State,
    position: Position,
    expected: Expected,
    moves: MoveOptions,
    switches: SwitchOptions,
    tera: TeraAnalysis,
    verdict: SearchVerdict | None,
) -> Prompt:
    """Ask for one of the valid orders, given a summary of all results."""
    ranked_moves = [f"{one.rank}. {one.name} - {one.reasoning}" for one in moves.moves]
    ranked_switches = [f"{one.rank}. {one.name} - {one.reasoning}" for one in switches.switches]
    sections = (
        ("Battle State", battle_state(position)),
        ("Speed", speed_summary(state, position)),
        ("Expected Opponent Action", expected.summary),
        ("Your Best Moves", _ranked(moves.summary, ranked_moves)),
        ("Your Best Switches", _ranked(switches.summary, ranked_switches)),
        ("Terastallization", tera.summary),
        ("Search", _searched(verdict, position)),
        ("Battle Context", f"As of turn {state.memory.turn}: {state.assessment or 'nothing'}"),
        ("Team Strategy", state.strategy or "None."),
        ("Wanted by the person at our side", _lines(_wanted(state, position))),
        ("Valid Orders", numbered(position.legal, position)),
    )
    return Prompt(
        system=_told("decide"),
        user="\n\n".join(f"## {title}\n{text}" for title, text in sections if text),
    )


def _wanted(state: State, position: Position) -> list[str]:
    """List the person's wishes; the valid orders are narrowed to what follows those due."""
    return [
        wish_said("en", wish, position) + ("" if wish.is_due(position) else " (not yet)")
        for wish in state.wishes
    ]


def _searched(verdict: SearchVerdict | None, position: Position) -> str:
    """Summarise the search with each order's winning chance."""
    if verdict is None:
        return "No search was made."
    chances = [f"{order_words(one.order, position)} {one.value:.0%}" for one in verdict.lines]
    return f"{verdict.summary} Chances of winning: {', '.join(chances) or 'none'}."


def memory(
    tables: Sequence[Table], known: Memory, before: str, plan: str, language: str = "en"
) -> Prompt:
    """Ask for an assessment of the battle, given its log, what was revealed, and the plan."""
    sections = (
        ("So far", before or "nothing"),
        ("The plan", plan or "none"),
        ("What they have shown", _lines([_shown(each) for each in known.revealed]) or "nothing"),
        ("Concluded", _lines([f"{each.says}: {each.evidence}" for each in known.deductions])),
        ("The battle", _lines(known.log)),
        ("To be written in", WRITTEN.get(language, "")),
    )
    told = "\n\n".join(f"{title}:\n{text}" for title, text in sections if text)
    return Prompt(system=_told("memory"), user=f"{_said(tables)}\n\n{told}")


def _shown(each: Revealed) -> str:
    parts = [", ".join(each.moves) or "no move"]
    if each.item:
        parts.append(f"item {each.item}{' (lost)' if each.item_lost else ''}")
    elif each.deduced_item:
        parts.append(f"surely {each.deduced_item}")
    parts += [f"ability {each.ability}"] if each.ability else []
    parts += [f"tera {each.tera_type}"] if each.tera_type else []
    return f"{each.name}{', fainted' if each.fainted else ''}: {'; '.join(parts)}"


def read(
    message: str, names: Sequence[tuple[str, str]], offered: Sequence[str], history: History
) -> Prompt:
    """Ask what a person's message means; `names` are titled lists of names it may use."""
    lists = "\n".join(f"{title}: {text}" for title, text in names if text)
    choices = "\n".join(f"{number}. {one}" for number, one in enumerate(offered, start=1))
    asked = f"\n\nOffered to them:\n{choices}" if choices else ""
    said = _said_before(history)
    return Prompt(system=_told("read"), user=f"{lists}{asked}\n\n{said}Message: {message}")


def explain(message: str, tables: Sequence[Table], why: str, history: History) -> Prompt:
    """Ask for an answer to a message; `why` is the policy's explanation of the decision."""
    said = _said_before(history)
    user = f"{_said(tables)}\n\nDecision: {why}\n\n{said}Asked: {message}"
    return Prompt(system=_told("explain"), user=user)


def _said_before(history: History) -> str:
    told = [one for one in history if one.text]
    lines = [f"{'They' if one.role == 'user' else 'We'}: {bounded(one.text, SAID)}" for one in told]
    return "Said before:\n" + "\n".join(lines) + "\n\n" if lines else ""


def numbered(orders: Sequence[Order], position: Position) -> str:
    """List the valid orders, numbered from one."""
    return "\n".join(
        f"{number}. {order_words(order, position)}" for number, order in enumerate(orders, start=1)
    )


def battle_state(position: Position) -> str:
    """Describe both sides and the field."""
    lines = [f"Turn {position.turn}, {position.format}."]
    for title, side in (("Ours", position.ours), ("Theirs", position.theirs)):
        active = side.active
        lines.append(f"{title}: {describe(active) if active else 'nobody out'}")
        bench = ", ".join(f"{bare(mon.ident)} {mon.hp:.0%}" for mon in side.bench)
        hidden = f"; {side.unseen} not yet seen" if side.unseen else ""
        lines.append(f"  bench: {bench or 'nobody'}{hidden}")
        if side.conditions:
            lines.append(
                f"  on their side: {', '.join(_layers(c.id, c.layers) for c in side.conditions)}"
            )
    over = [position.field.sky, position.field.ground, *(room.id for room in position.field.rooms)]
    if any(over):
        lines.append(f"Field: {', '.join(filter(None, over))}")
    return "\n".join(lines)


def describe(mon: Mon) -> str:
    """Describe a Pokémon: health, status, stages and what is known of its set."""
    parts = [f"{bare(mon.ident)} ({'/'.join(mon.types)}) {mon.hp:.0%}"]
    if mon.status and mon.status != "fnt":
        parts.append(mon.status)
    stages = {name: getattr(mon.boosts, name) for name in ("atk", "def_", "spa", "spd", "spe")}
    parts += [f"{name.rstrip('_')} {stage:+d}" for name, stage in stages.items() if stage]
    if mon.item:
        parts.append(f"item {mon.item}")
    if mon.ability:
        parts.append(f"ability {mon.ability}")
    if mon.moves:
        parts.append("moves " + ", ".join(mon.known_moves))
    return "; ".join(parts)


def speed_summary(state: State, position: Position) -> str:
    """Say who moves first, by the result of the active pair."""
    ours, theirs = position.ours.active, position.theirs.active
    if ours is None or theirs is None:
        return "Nobody faces anybody."
    pair = state.matchups.of(ours.ident, theirs.ident)
    told = "Not computed."
    if pair is not None:
        told = "You outspeed." if pair.faster else "You don't outspeed."
    first = [*_priority(ours, "your"), *_priority(theirs, "their")]
    return f"{told} Goes first whatever the speed: {', '.join(first)}." if first else told


def _priority(mon: Mon, whose: str) -> list[str]:
    known = map(dex.move, mon.known_moves)
    quick = [move for move in known if move.priority > 0 and move.damaging]
    return [f"{whose} {move.name} (priority {move.priority:+d})" for move in quick]


def habits_summary(state: State) -> str:
    """Say how often this opponent switches, once there are enough observations."""
    rate = state.memory.habits.get("switch_rate")
    if rate is None:
        return "too little was seen of this opponent yet."
    return f"switched in {rate:.0%} of {state.memory.acted} actions."


def _layers(name: str, layers: int) -> str:
    return f"{name} x{layers}" if layers > 1 else name


def _ranked(summary: str, lines: Sequence[str]) -> str:
    return f"{summary}\nRanked:\n" + ("\n".join(lines) or "none")


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _said(tables: Sequence[Table]) -> str:
    return "\n\n".join(table.prompt() for table in tables)
