"""The policy's choice: scores every legal order from the search and the ranked options.

If a search ran, its visit shares decide and the options break near ties; otherwise the options
decide alone. Every legal order has a score, so there is always a choice.
"""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.orders import (
    DefaultOrder,
    MoveOrder,
    Order,
    SwitchOrder,
    TeamOrder,
    key,
)
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import (
    Decision,
    Expected,
    MoveOptions,
    Scored,
    SearchVerdict,
    SwitchOptions,
    TeraAnalysis,
)

OPTIONS_WEIGHT = 0.04
"""Weight of the options' score next to the search's shares, which sum to one."""

SWITCH_COST = 0.35
"""The price of a voluntary switch, which costs us the turn."""


def decide(
    position: Position,
    moves: MoveOptions,
    switches: SwitchOptions,
    tera: TeraAnalysis,
    expected: Expected,
    verdict: SearchVerdict | None = None,
) -> Decision:
    """Choose the legal order with the best score, and return all scores."""
    own = {order: _own_score(order, position, moves, switches, tera) for order in position.legal}
    shares = {line.order: line for line in verdict.lines} if verdict else {}
    scored = []
    for order, (score, why) in own.items():
        if shares:
            line = shares.get(order)
            share = line.share if line else 0.0
            told = ", ".join(filter(None, [f"{line.value:.0%} to win" if line else "", why]))
            scored.append(Scored(order=order, score=share + OPTIONS_WEIGHT * score, why=told))
        else:
            scored.append(Scored(order=order, score=score, why=why))
    scored.sort(key=lambda each: (-each.score, key(each.order)))
    best = scored[0]
    return Decision(order=best.order, scores=tuple(scored), summary=_summary(best, position))


def _own_score(
    order: Order,
    position: Position,
    moves: MoveOptions,
    switches: SwitchOptions,
    tera: TeraAnalysis,
) -> tuple[float, str]:
    """Score an order by the ranked options alone, and say why."""
    match order:
        case MoveOrder():
            return _move_score(order, moves, tera)
        case SwitchOrder():
            return _switch_score(order, position, switches, moves)
        case TeamOrder():
            return _lead_score(order, position)
        case DefaultOrder():
            return 0.0, "nothing else to choose"


def _lead_score(order: TeamOrder, position: Position) -> tuple[float, str]:
    """Score a lead by its types against the team preview; without one the first member leads."""
    team, shown = position.ours.team, position.theirs.preview
    first = order.order[0] - 1
    foes = [dex.species(each).types for each in shown if dex.knows_species(each)]
    if not foes or first >= len(team):
        return (1.0 if first == 0 else 0.0), "the first leads"
    mon = team[first]
    hits = map(dex.move, mon.known_moves)
    kinds = {move.type for move in hits if move.damaging} or set(mon.types)
    gain = 0.0
    for foe in foes:
        best = max(dex.effectiveness(kind, foe) for kind in kinds)
        worst = max(dex.effectiveness(kind, mon.types) for kind in foe)
        gain += min(2.0, best) - min(2.0, worst)
    # Ties go to the earlier member of the team.
    return gain / len(foes) - 0.001 * first, f"{mon.name} stands best against what they showed"


def _move_score(order: MoveOrder, moves: MoveOptions, tera: TeraAnalysis) -> tuple[float, str]:
    option = next((each for each in moves.moves if each.move == order.move), None)
    score, why = (option.score, option.reasoning) if option else (0.0, "")
    if order.tera:
        recommended = tera.recommendation == order
        return score + (tera.gain - 0.2 if recommended else -0.5), f"{why}; terastallizing"
    return score, why


def _switch_score(
    order: SwitchOrder, position: Position, switches: SwitchOptions, moves: MoveOptions
) -> tuple[float, str]:
    option = next((each for each in switches.switches if each.ident == order.ident), None)
    if option is None:
        return -1.0, ""
    score = option.score - (0.0 if option.survives else 1.0)
    if not position.force_switch and moves.moves:
        score -= SWITCH_COST
    return score, option.matchup_result


def _summary(best: Scored, position: Position) -> str:
    order = best.order
    match order:
        case MoveOrder():
            tera = " after terastallizing" if order.tera else ""
            return f"{dex.move_name(order.move)}{tera}: {best.why or 'the best of what there is'}."
        case SwitchOrder():
            name = position.ours.member(order.ident).name
            return f"Switch to {name}: {best.why or 'the best of what there is'}."
        case _:
            return "The only thing to do."
