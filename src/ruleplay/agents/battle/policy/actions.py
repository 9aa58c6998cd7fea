"""The actions a client can send: decide, wish, send, remember, finish; and how they are parsed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.wishes import Wish
from ruleplay.agents.battle.state import Result
from ruleplay.errors import UserError, first_invalid
from ruleplay.records.events import Json


class Decide(Frozen):
    """The server's request: choose one of the position's legal orders.

    With `hold`, the choice waits for `Send`, and a person can change it until then.
    """

    kind: Literal["decide"]
    position: Position
    hold: bool = False


class Wanted(Frozen):
    """A person's button: an order or wish, which `drop` takes back."""

    kind: Literal["wish"]
    wish: Wish
    drop: bool = False


class Free(Frozen):
    """Take all wishes back."""

    kind: Literal["free"]


class Send(Frozen):
    """Send the held choice."""

    kind: Literal["send"]
    request_id: int


class Remember(Frozen):
    """Update the memory, once the choice has been sent."""

    kind: Literal["remember"]


class Finish(Frozen):
    """Record that the battle is over; `position` is the last one with what happened after it."""

    kind: Literal["finish"]
    result: Result
    turns: int = 0
    timed_out: bool = False
    position: Position | None = None


Act = Decide | Wanted | Free | Send | Remember | Finish
Action = Annotated[Act, Field(discriminator="kind")]
_READER: TypeAdapter[Act] = TypeAdapter(Action)


def read_action(action: Json | None) -> Act:
    """Parse the action of a turn; UserError names the first field that is wrong."""
    try:
        return _READER.validate_python(action)
    except ValidationError as error:
        where, what = first_invalid(error)
        raise UserError(
            f"the action cannot be used: {where or 'all of it'}: {what}; battles are played by "
            "`ruleplay battle`, a message asks or orders"
        ) from error
