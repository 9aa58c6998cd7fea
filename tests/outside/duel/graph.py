"""One blow, as a graph.

read_challenge ─┬─ choose_stance ─┬─ resolve_blow ── tell_blow
                └─ read_omen ─────┘
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duel.nodes import choose_stance, read_challenge, read_omen, resolve_blow, tell_blow
from duel.state import DuelDraft, DuelUpdate
from ruleplay.kernel.graph import END, START, Graph

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph


def build_graph() -> Graph:
    """Compile the duel's graph."""
    builder = Graph(DuelDraft)
    builder.add_node("read_challenge", read_challenge)
    builder.add_node("choose_stance", choose_stance)
    builder.add_node("read_omen", read_omen)
    builder.add_node("resolve_blow", resolve_blow)
    builder.add_node("tell_blow", tell_blow)
    builder.add_edge(START, "read_challenge")
    builder.add_edge("read_challenge", "choose_stance")
    builder.add_edge("read_challenge", "read_omen")
    builder.add_edge(["choose_stance", "read_omen"], "resolve_blow")
    builder.add_edge("resolve_blow", "tell_blow")
    builder.add_edge("tell_blow", END)
    return builder.compile(DuelUpdate)
