"""The turn's graph: one run handles one message, in the mode that the state is in.

DispatcherNode → read_player ─┬─ narrative → NarrativeNode ─┬→ tell_story ─┬→ end
                              │                 ↑   ↑       │              │
                              │                 │   └read_on┘ elsewhere    │
                              │                 └──────── read_answer ─────┘ hanging
                              └─ combat ───→ CombatNode ────→ tell_combat ──→ end

If a message goes somewhere and does something there, `read_on` reads its rest at the new place.
What hangs on an answer is read by `read_answer` once that has been told, and told in turn.
"""

from __future__ import annotations

from typing import Literal

from ruleplay.agents.saga import nodes
from ruleplay.agents.saga.state import Draft, Update
from ruleplay.kernel.graph import END, START, Graph


def build_graph() -> Graph:
    """Compile saga's graph."""
    graph = Graph(Draft)
    graph.add_node("DispatcherNode", nodes.dispatch)
    graph.add_node("read_player", nodes.read_player)
    graph.add_node("NarrativeNode", nodes.narrative)
    graph.add_node("read_on", nodes.read_on)
    graph.add_node("read_answer", nodes.read_answer)
    graph.add_node("CombatNode", nodes.combat)
    graph.add_node("tell_story", nodes.tell_story)
    graph.add_node("tell_combat", nodes.tell_combat)
    graph.add_edge(START, "DispatcherNode")
    graph.add_edge("DispatcherNode", "read_player")
    graph.add_conditional_edges("read_player", after_read_player)
    graph.add_conditional_edges("NarrativeNode", after_narrative)
    graph.add_edge("read_on", "NarrativeNode")
    graph.add_edge("CombatNode", "tell_combat")
    graph.add_conditional_edges("tell_story", after_tell_story)
    graph.add_edge("read_answer", "NarrativeNode")
    graph.add_edge("tell_combat", END)
    return graph.compile(Update)


def after_read_player(state: Draft) -> Literal["NarrativeNode", "CombatNode"]:
    """Choose by the mode that the session was in before the turn."""
    return "CombatNode" if state.before.game.mode == "combat" else "NarrativeNode"


def after_narrative(state: Draft) -> Literal["read_on", "tell_story"]:
    """Read the rest of the message at the hero's new place, or tell the turn."""
    return "read_on" if state.rest else "tell_story"


def after_tell_story(state: Draft) -> Literal["read_answer", "__end__"]:
    """Read what hung on an answer that has been told now, once in a turn, or end the turn."""
    return "read_answer" if state.hanging else "__end__"
