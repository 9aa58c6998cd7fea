"""What a human's words or choice bring about when their seat is to move."""

from __future__ import annotations

from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain import proceedings as p
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.exploration import Exploration
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import mover
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import END, take


def act_for(play: TableTurn, seat: str, does: a.Pass | a.Timeout | a.Choose) -> None:
    """Do what the human of a seat chose; the turn passes on once it is used up.

    What is impossible is refused with a reason, and the seat may try something else.
    """
    if isinstance(does, a.Choose):
        _choose(play, seat, does.options)
    else:
        _pass(play, seat, "timeout" if isinstance(does, a.Timeout) else "passes")


def _venture(play: TableTurn, seat: str, does: Exploration) -> None:
    refused = play.venture(seat, does)
    if refused:
        play.refuse(seat, refused)
    else:
        play.finish(seat)


def _pass(play: TableTurn, seat: str, how: p.How) -> None:
    fight = play.table.cast.fight
    if fight and (seat == DM or fight.actor == seat):
        play.step(fight.actor, END)
    play.finish(seat, how)


def _choose(play: TableTurn, seat: str, ids: tuple[str, ...]) -> None:
    for key in ids:
        offered = {one.id: one for one in choices(play.table, play.book, seat)}
        chosen = offered.get(key)
        if chosen is None:
            play.refuse(seat, Refusal(reason="no_such_thing", about=key))
            return
        if chosen.venture:
            _venture(play, seat, chosen.venture)
            return
        if chosen.steps == (END,):
            _pass(play, seat, "passes")
            return
        if not take(play, mover(play.table, seat), chosen):
            play.refuse(seat, Refusal(reason="not_now", about=key))
            return
    _end_when_spent(play, seat)


def _still(play: TableTurn, seat: str) -> bool:
    fight = play.table.cast.fight
    if fight is None:
        return False
    return fight.actor == seat or (seat == DM and fight.actor not in play.table.seats)


def _end_when_spent(play: TableTurn, seat: str) -> None:
    """End the turn once its action is used; moving or a bonus action alone leave it open."""
    if not _still(play, seat):
        play.finish(seat)
        return
    fight = play.table.cast.fight
    if fight and not fight.budget.action and not fight.budget.attacks:
        play.step(fight.actor, END)
        play.finish(seat)
