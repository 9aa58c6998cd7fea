"""The turn's graph: one run is one act of one seat, or a round of those that nobody holds.

START ─ seat_to_move ─┬─→ ask ─ first_to_act ─→ dm, thorin, … ─┬─ route_to_next_agent ─→ the next
                      └─→ human ──────────────────────────────┘   seat, or: ─→ tell ─→ END
                                                                    │ ↑
                                                      after_telling └─→ go_on

`ask` asks everybody who acts in the run concurrently. The seats then act one after the other, and
`tell` tells it all. `go_on` does what a person wants that hangs on what is told, and it is told as
well. Only `TableTurn.finish` decides whose move is next. `route_to_next_agent` reads it and
continues there, or ends the run: at a person's seat, after the acts that the run may have, or with
the round.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.nodes import acting, gathering, telling
from ruleplay.agents.party.state import Draft, State, Update
from ruleplay.kernel.graph import END, START, Graph

if TYPE_CHECKING:
    from ruleplay.kernel.graph import Graph

__all__ = [
    "after_telling",
    "after_words",
    "create_game_workflow",
    "first_to_act",
    "route_to_next_agent",
    "seat_to_move",
]
ASK, HUMAN, TELL, GO_ON = "ask", "human", "tell", "go_on"


def create_game_workflow(turn_queue: Sequence[str] | None = None) -> Graph:
    """Compile a table's graph, with a node for each seat of `turn_queue`, the DM's first.

    Without a queue there is only the DM.
    """
    queue = tuple(turn_queue or (DM,))
    workflow = Graph(Draft)
    workflow.add_node(ASK, gathering.ask_around)
    workflow.add_node(DM, acting.dm_turn)
    for name in queue:
        if name != DM:
            workflow.add_node(name, partial(acting.pc_turn, name=name))
    workflow.add_node(HUMAN, acting.human_turn)
    workflow.add_node(TELL, telling.tell_turn)
    seats: dict[Hashable, str] = {name: name for name in queue}
    workflow.add_conditional_edges(START, seat_to_move, {ASK: ASK, HUMAN: HUMAN})
    workflow.add_conditional_edges(ASK, first_to_act, seats)
    ends = {**seats, HUMAN: HUMAN, END: TELL}
    for name in queue:
        workflow.add_conditional_edges(name, route_to_next_agent, ends)
    workflow.add_conditional_edges(HUMAN, after_words, {**ends, ASK: ASK})
    workflow.add_node(GO_ON, acting.go_on)
    workflow.add_conditional_edges(TELL, after_telling)
    workflow.add_edge(GO_ON, TELL)
    return workflow.compile(Update)


def after_words(state: Draft) -> str:
    """Choose what follows a person's input; after words of the dying all others play a round."""
    return ASK if state.acts > 1 and not state.spent else route_to_next_agent(state)


def after_telling(state: Draft) -> Literal["go_on", "__end__"]:
    """Choose whether the turn goes on with what hung on what has been told."""
    return "go_on" if state.waits else "__end__"


def seat_to_move(state: Draft) -> str:
    """Choose where a turn begins: with a human's input, or by asking everybody who acts."""
    return HUMAN if state.by_hand else ASK


def first_to_act(state: Draft) -> str:
    """Choose the seat whose move it is."""
    return state.now.table.current_turn


def route_to_next_agent(state: Draft | State) -> str:
    """Choose the next seat after an act, or END.

    A run ends after a human's input, after its number of acts, at a person's seat, and with the
    round. Before anybody has acted, as for a bare `State`, it returns who will follow, `human` if
    a person has to move first.
    """
    table = (state.now if isinstance(state, Draft) else state).table
    if isinstance(state, Draft) and ((state.by_hand and state.acts == 1) or state.spent):
        return END
    if isinstance(state, Draft) and state.acted:
        seat, over = table.current_turn, False
    elif table.is_held(table.current_turn):
        return HUMAN
    else:
        seat, at = table.following(table.current_turn)
        over = at > table.round
    return END if over or table.is_held(seat) else seat
