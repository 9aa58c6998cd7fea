"""The full rule-based analysis of one position, without a graph; reviews of logs use it."""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.battle.domain.decision import decide
from ruleplay.agents.battle.domain.matchups import matchups
from ruleplay.agents.battle.domain.memory import Memory
from ruleplay.agents.battle.domain.options import rank_moves, rank_switches
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.prediction import predict
from ruleplay.agents.battle.domain.results import (
    Decision,
    Expected,
    Inference,
    Matchups,
    MoveOptions,
    SearchVerdict,
    SwitchOptions,
    TeraAnalysis,
)
from ruleplay.agents.battle.domain.tera import weigh_tera


@dataclass(frozen=True)
class Assessment:
    """The results of the analysis nodes for one position, and the decision made from them."""

    expected: Expected
    moves: MoveOptions
    switches: SwitchOptions
    tera: TeraAnalysis
    verdict: SearchVerdict | None
    decision: Decision


def assess(
    position: Position, inference: Inference, memory: Memory, verdict: SearchVerdict | None
) -> Assessment:
    """Analyse a position and decide, as the graph does without a model.

    `inference` has the guessed sets, `memory` the opponent's habits, and `verdict` is the result of
    a search that already ran, or None.
    """
    # No earlier matchups to reuse: a review looks at each position on its own.
    pairs = matchups(position, inference, Matchups(pairs=()))
    expected = predict(position, inference, pairs, memory.habits)
    moves = rank_moves(position, inference, expected, pairs)
    switches = rank_switches(position, inference, expected, pairs)
    tera = weigh_tera(position, inference, expected)
    chosen = decide(position, moves, switches, tera, expected, verdict)
    return Assessment(expected, moves, switches, tera, verdict, chosen)
