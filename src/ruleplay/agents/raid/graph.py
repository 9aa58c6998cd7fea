"""The turn's graph: the agent asks for tools until it answers.

        ┌──────── wants tools ───────→ tools
START → agent                            │
        ↑ │  └─ has answered → END       │
        │ └──────────────────────────────┘
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import tools_condition

from ruleplay.agents.raid import nodes
from ruleplay.agents.raid.state import Draft, Update
from ruleplay.kernel.agent import compile_graph
from ruleplay.kernel.context import Context

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.nights import Nights

RECURSION_LIMIT = 32
"""Steps of a turn at most; `nodes.MODEL_CALLS` ends the loop before this would break it off."""


def build_graph() -> CompiledStateGraph[Draft, Context[Nights], Draft, Draft]:
    """Compile the graph."""
    graph = StateGraph(Draft, Context)
    graph.add_node("agent", nodes.think_or_answer)
    graph.add_node("tools", nodes.run_tools)
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", tools_condition, {"tools": "tools", END: END})
    graph.add_edge("tools", "agent")
    return compile_graph(graph, Update).with_config(recursion_limit=RECURSION_LIMIT)
