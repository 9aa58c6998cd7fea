"""The graph of a turn: models may read and write text, but code decides where a turn goes.

extract ─┬─ danger ────────────→ safety_stop ─────────┐
         ├─ wants a person ────→ hand_over ───────────┤
         ├─ not our work ──────→ decline ─────────────┤
         ├─ side question ─────→ answer ──────────────┤   (and on to the questions beside it)
         ├─ no goal ───────────→ ask_goal ────────────┼─→ tell
         └─ questions → check_requirements            │
               ↑         ├─ slots missing → ask_info ─┤
               │         └─ all met → execute_tool ───┘
               └───── next question ─────┘
"""

from __future__ import annotations

from typing import Literal

from ruleplay.agents.parts import nodes
from ruleplay.agents.parts.state import (
    Answered,
    Declined,
    Draft,
    HandedOver,
    SafetyStopped,
    Unclear,
    Update,
)
from ruleplay.kernel.graph import END, START, Graph

AfterExtract = Literal[
    "safety_stop", "hand_over", "decline", "answer", "ask_goal", "check_requirements"
]


def build_graph() -> Graph:
    """Compile the graph."""
    graph = Graph(Draft)
    graph.add_node("extract", nodes.fill_slots)
    graph.add_node("safety_stop", nodes.safety_stop)
    graph.add_node("hand_over", nodes.hand_over)
    graph.add_node("decline", nodes.decline)
    graph.add_node("answer", nodes.answer_aside)
    graph.add_node("ask_goal", nodes.ask_goal)
    graph.add_node("check_requirements", nodes.check_requirements)
    graph.add_node("ask_info", nodes.ask_info)
    graph.add_node("execute_tool", nodes.execute_tool)
    graph.add_node("tell", nodes.tell)
    graph.add_edge(START, "extract")
    graph.add_conditional_edges("extract", after_extract)
    graph.add_conditional_edges("check_requirements", after_check_requirements)
    graph.add_conditional_edges("execute_tool", after_execute_tool)
    graph.add_edge("safety_stop", "tell")
    graph.add_edge("hand_over", "tell")
    graph.add_edge("decline", "tell")
    graph.add_conditional_edges("answer", after_answer)
    graph.add_edge("ask_goal", "tell")
    graph.add_edge("ask_info", "tell")
    graph.add_edge("tell", END)
    return graph.compile(Update)


def after_extract(state: Draft) -> AfterExtract:
    """Choose the first station of a turn: danger comes first, then a person, then the questions."""
    happened = {type(event) for event in state.events}
    if SafetyStopped in happened:
        return "safety_stop"
    if HandedOver in happened:
        return "hand_over"
    if Declined in happened:
        return "decline"
    # Side questions are answered before the questions next to them.
    if Answered in happened or Unclear in happened:
        return "answer"
    if state.now.queue:
        return "check_requirements"
    if state.now.goal is None:
        return "ask_goal"
    # Without anything new, an open question is asked again.
    return "answer" if state.now.done else "check_requirements"


def after_answer(state: Draft) -> Literal["check_requirements", "tell"]:
    """Go on to the other questions of the message: a side question must not hide them."""
    return "check_requirements" if state.goes_on else "tell"


def after_check_requirements(state: Draft) -> Literal["ask_info", "execute_tool"]:
    """Run a tool only when every slot that the goal requires is usable."""
    return "ask_info" if state.now.missing else "execute_tool"


def after_execute_tool(state: Draft) -> Literal["check_requirements", "tell"]:
    """Continue until every question of the message has been answered."""
    return "check_requirements" if state.now.queue or not state.now.done else "tell"
