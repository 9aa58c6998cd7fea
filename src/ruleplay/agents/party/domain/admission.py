"""Decides whether an input is admitted: seats, turns and pauses. It never changes anything."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.commands import command
from ruleplay.agents.party.domain.safety import touched
from ruleplay.agents.party.domain.seats import DM, EVERYONE, TABLE, Audience, private
from ruleplay.agents.party.domain.table import Table

NOBODY: Audience = ()


class NotAdmitted(NamedTuple):
    """Why an input is not taken: a reason's key, what it is about, whether it is malformed."""

    reason: str
    about: str = ""
    seat: str = ""
    malformed: bool = False


def read_action(action: JsonValue) -> a.Action:
    """Parse a typed action (raises pydantic.ValidationError)."""
    return a.ACTIONS.validate_python(action)


def admit(
    table: Table, book: Book, seat: str, message: str, action: JsonValue
) -> NotAdmitted | None:
    """Return the reason why an input is refused, or None if it is admitted."""
    if seat != TABLE and seat not in table.seats:
        return NotAdmitted("seat", seat=seat)
    if action is not None:
        try:
            typed = read_action(action)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            return NotAdmitted(
                "action", about=f"{where}: {first['msg']}".lstrip(": "), malformed=True
            )
        return _acting(table, seat, typed)
    if not message.strip():
        return NotAdmitted("empty", seat=seat, malformed=True)
    if seat == TABLE:
        return NotAdmitted("spectator")
    if commanded := command(message, table, book, seat):
        return _acting(table, seat, commanded)
    return _speaking(table, seat)


def _speaking(table: Table, seat: str) -> NotAdmitted | None:
    """Refuse free text when nobody may act; whoever holds a seat may always say something.

    Whether the text needs the turn is only known once it has been read, and is checked then.
    """
    if table.is_held(seat) and not table.paused:
        return None
    return _to_move(table, seat)


def _acting(table: Table, seat: str, action: a.Action) -> NotAdmitted | None:
    if isinstance(action, a.Hold):
        return _holding(table, seat, action)
    if isinstance(action, a.Instead) and seat != TABLE:
        return _speaking(table, seat)
    if seat == TABLE and not isinstance(
        action, a.Play | a.Round | a.Timeout | a.Pause | a.Resume | a.Look | a.Speak | a.Card
    ):
        return NotAdmitted("spectator")
    if table.paused and not isinstance(action, a.WHILE_PAUSED):
        return NotAdmitted("paused")
    if table.mode == "ended" and not isinstance(action, a.WHEN_OVER):
        return NotAdmitted("over")
    if isinstance(action, a.AnyTime):
        return _named(table, action)
    return _to_move(table, seat, action)


def _named(table: Table, action: a.Action) -> NotAdmitted | None:
    """Refuse names of seats that do not exist."""
    if isinstance(action, a.Whisper | a.Reveal):
        everyone = (EVERYONE,) if isinstance(action, a.Reveal) else ()
        for name in action.to:
            if name not in table.seats and name not in everyone:
                return NotAdmitted("seat", seat=name)
    return None


def _holding(table: Table, seat: str, action: a.Hold) -> NotAdmitted | None:
    if action.seat not in table.seats:
        return NotAdmitted("seat", seat=action.seat)
    held = table.is_held(action.seat)
    if action.by == "human":
        # A seat reserved for somebody has no key yet; the first token shown for it claims it.
        kept = not table.seats[action.seat].key and action.key
        return NotAdmitted("taken", seat=action.seat) if held and not kept else None
    # A seat held by a human is handed on only by that human or by the DM.
    if held and seat not in (action.seat, DM):
        return NotAdmitted("held", seat=action.seat)
    return None


def _to_move(table: Table, seat: str, action: a.Action | None = None) -> NotAdmitted | None:
    if table.paused:
        return NotAdmitted("paused")
    if table.mode == "ended":
        return NotAdmitted("over")
    current = table.current_turn
    if isinstance(action, a.Pass | a.Round) and seat in table.onlookers:
        return None
    if seat != TABLE and seat != current:
        return NotAdmitted("turn", seat=seat)
    held = table.is_held(current)
    if isinstance(action, a.Play | a.Round) and held:
        return NotAdmitted("held", seat=current)
    if isinstance(action, a.Pass | a.Timeout) and not held:
        return NotAdmitted("not_held", seat=current)
    return None


def audience_of(table: Table, book: Book, seat: str, message: str, action: JsonValue) -> Audience:
    """Return who may read an input.

    Free text goes to its sender and the DM only: what it brings about is announced to whom it
    concerns. Text about a topic the table has excluded goes to its sender alone.
    """
    if action is None:
        typed = command(message, table, book, seat)
        if typed is None:
            return (seat,) if touched(message, table.safety) else private(seat)
        return _hearing(table, seat, typed)
    try:
        typed = read_action(action)
    except ValidationError:
        return private(seat)
    return _hearing(table, seat, typed)


def _hearing(table: Table, seat: str, typed: a.Action) -> Audience:
    match typed:
        case a.Whisper(to=to, text=text):
            hidden = touched(text, table.safety)
            return (seat,) if hidden else private(seat, *to)
        case a.Reveal(to=to):
            return (EVERYONE,) if EVERYONE in to else private(seat, *to)
        case a.Hold(key=key) if key:
            return NOBODY
        case a.Instead(text=text) if touched(text, table.safety):
            return (seat,)
        case a.Look() | a.Instead():
            return private(seat)
        case a.Say(text=text) if touched(text, table.safety):
            return (seat,)
        case a.Choose(options=ids) if touched(" ".join(ids), table.safety):
            return NOBODY
        case _:
            return (EVERYONE,)
