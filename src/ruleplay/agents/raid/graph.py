"""The turn's graph: the agent asks for tools until it answers.

        ┌──────── wants tools ───────→ tools
START → agent                            │
        ↑ │  └─ has answered → END       │
        │ └──────────────────────────────┘
"""

from __future__ import annotations

from ruleplay.agents.raid import nodes
from ruleplay.agents.raid.state import Calls, Draft, Update
from ruleplay.kernel.graph import END, START, Graph

STEPS = 32
"""Steps of a turn at most; `nodes.MODEL_CALLS` ends the loop before this would break it off."""


def build_graph() -> Graph:
    """Compile the graph."""
    graph = Graph(Draft)
    graph.add_node("agent", nodes.think_or_answer)
    graph.add_node("tools", nodes.run_tools)
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", after_agent, {"tools": "tools", END: END})
    graph.add_edge("tools", "agent")
    return graph.compile(Update, steps=STEPS)


def after_agent(state: Draft) -> str:
    """Run the tools that were asked for, or end with the answer."""
    last = state.messages[-1] if state.messages else None
    return "tools" if isinstance(last, Calls) and last.calls else END
