"""Applies a human's choice, pass or timeout; free text is handled elsewhere."""

from __future__ import annotations

from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.improvising import conclude, pick
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.performance import Performance
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import END
from ruleplay.story.acts import Act


def act_for(play: TableTurn, seat: str, does: a.Pass | a.Timeout | a.Choose) -> None:
    """Apply what the human of a seat chose; the turn passes on once it is used up.

    An impossible choice is refused with a reason, and the seat may try something else.
    """
    if not isinstance(does, a.Choose):
        fight = play.table.cast.fight
        if fight and seat in (DM, fight.actor):
            play.step(fight.actor, END)
        play.finish(seat, "timeout" if isinstance(does, a.Timeout) else "passes")
        return
    now = Performance(play, seat)
    for key in does.options:
        if key not in {one.id for one in choices(play.table, play.book, seat)}:
            play.refuse(seat, Refusal(reason="no_such_thing", about=key))
            break
        if not pick(now, Act(do="pick", item=key)):
            break
    conclude(now)
