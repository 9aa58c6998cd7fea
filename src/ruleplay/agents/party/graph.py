"""The turn's graph: one run is one act of one seat; the DM leads, the characters follow in order.

START ─ seat_to_move ─┬─→ dm ──────┬─ route_to_next_agent ─→ the next seat, or: ─→ tell ─→ END
                      ├─→ thorin … ┤
                      └─→ human ───┘   (who sits there, or speaks up whosever move it is)

`route_to_next_agent` is the supervisor: after the DM the first character, after the last one the
round is complete. A turn of a session is one act, so that nothing of another seat's is lost with
it; a run whose draft allows more `acts` plays a whole round in memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from langgraph.graph import END, START, StateGraph

from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.nodes import acting, telling
from ruleplay.agents.party.state import Draft, State, Update
from ruleplay.foundation.agent import compile_graph
from ruleplay.foundation.context import Context

if TYPE_CHECKING:
    from ruleplay.foundation.agent import Graph

__all__ = ["create_game_workflow", "route_to_next_agent", "seat_to_move"]
HUMAN, TELL = "human", "tell"


def create_game_workflow(turn_queue: Sequence[str] | None = None) -> Graph:
    """Compile the workflow of a table: one node per seat of `turn_queue`, the DM's first.

    Without a queue the DM sits alone.
    """
    queue = tuple(turn_queue or (DM,))
    workflow = StateGraph(Draft, Context)
    workflow.add_node(DM, acting.dm_turn)
    for name in queue:
        if name != DM:
            workflow.add_node(name, partial(acting.pc_turn, name=name))
    workflow.add_node(HUMAN, acting.human_turn)
    workflow.add_node(TELL, telling.tell_turn)
    seats: dict[Hashable, str] = {name: name for name in (*queue, HUMAN)}
    workflow.add_conditional_edges(START, seat_to_move, seats)
    for name in (*queue, HUMAN):
        workflow.add_conditional_edges(name, route_to_next_agent, {**seats, END: TELL})
    workflow.add_edge(TELL, END)
    return compile_graph(workflow, Update)


def seat_to_move(state: Draft) -> str:
    """Return the node that a turn begins with: who is to move, or the human who speaks up."""
    return HUMAN if state.by_hand else state.now.table.current_turn


def route_to_next_agent(state: Draft | State) -> str:
    """Return who goes on after the current turn: the next in the queue, `human`, or END.

    The human who holds the current seat and has not acted yet goes first. A run ends with a human's
    input, with the acts that it may have, and with the round, which the last seat completes.
    """
    table = (state.now if isinstance(state, Draft) else state).table
    acted = isinstance(state, Draft) and bool(state.acted)
    if isinstance(state, Draft) and (state.by_hand or state.spent):
        return END
    if not acted and table.human_active and table.controlled_character == table.current_turn:
        return HUMAN
    following = table.current_turn if acted else table.after(table.current_turn)
    return END if following is None or table.is_held(following) else following
