"""The turn's graph: control flow is drawn here, and decided by code.

START ─┬─ a question ──→ format_state ─┬─ first ──→ analyze_team → create_battle_strategy ─┐
       │                               └──────────→ fetch_opponent_sets ←──────────────────┘
       │    → matchup_calculator → expected_opponent_move
       │    → best_move_options | best_switch_options | tera_node | search
       │    → decision → parse_decision
       ├─ the choice is sent ──→ battle_memory_update
       ├─ the battle is over ──→ battle_result
       ├─ an order or a wish ──→ obey_person
       ├─ the order may go ────→ send_order
       └─ a message ───────────→ hear_person → explain
"""

from __future__ import annotations

from typing import Literal

from ruleplay.agents.battle import nodes
from ruleplay.agents.battle.state import Draft, Update
from ruleplay.kernel.graph import END, START, Graph

AfterStart = Literal[
    "format_state",
    "battle_memory_update",
    "battle_result",
    "obey_person",
    "send_order",
    "hear_person",
]
OPTIONS = ("best_move_options", "best_switch_options", "tera_node", "search")
"""The nodes that run concurrently between prediction and decision."""


def build_graph() -> Graph:
    """Compile the graph."""
    graph = Graph(Draft)
    for node in (
        nodes.format_state,
        nodes.analyze_team,
        nodes.create_battle_strategy,
        nodes.fetch_opponent_sets,
        nodes.matchup_calculator,
        nodes.expected_opponent_move,
        nodes.best_move_options,
        nodes.best_switch_options,
        nodes.tera_node,
        nodes.search,
        nodes.decision,
        nodes.parse_decision,
        nodes.battle_memory_update,
        nodes.battle_result,
        nodes.obey_person,
        nodes.send_order,
        nodes.hear_person,
        nodes.explain,
    ):
        graph.add_node(node.__name__, node)
    graph.add_conditional_edges(START, after_start)
    graph.add_conditional_edges("format_state", after_format_state)
    graph.add_edge("analyze_team", "create_battle_strategy")
    graph.add_edge("create_battle_strategy", "fetch_opponent_sets")
    graph.add_edge("fetch_opponent_sets", "matchup_calculator")
    graph.add_edge("matchup_calculator", "expected_opponent_move")
    for option in OPTIONS:
        graph.add_edge("expected_opponent_move", option)
    graph.add_edge([*OPTIONS], "decision")
    graph.add_edge("decision", "parse_decision")
    ends = ("parse_decision", "battle_memory_update", "battle_result", "obey_person", "send_order")
    for last in ends:
        graph.add_edge(last, END)
    graph.add_edge("hear_person", "explain")
    graph.add_edge("explain", END)
    return graph.compile(Update)


def after_start(state: Draft) -> AfterStart:
    """Route an action by its kind; anything else is a message."""
    match (state.given.action or {}).get("kind"):
        case "decide":
            return "format_state"
        case "remember":
            return "battle_memory_update"
        case "finish":
            return "battle_result"
        case "wish" | "free":
            return "obey_person"
        case "send":
            return "send_order"
    return "hear_person"


def after_format_state(state: Draft) -> Literal["analyze_team", "fetch_opponent_sets"]:
    """Route the battle's first request through the team's analysis, which is done once."""
    return "fetch_opponent_sets" if state.now.analysis else "analyze_team"
