"""What a client may put to the agent: a decision, the memory's turn, the end of the battle."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.state import Result
from ruleplay.errors import UserError, first_invalid
from ruleplay.records.events import Json


class Decide(Frozen):
    """The server asks: choose one of the position's legal orders."""

    kind: Literal["decide"]
    position: Position


class Remember(Frozen):
    """The choice is sent: note what the last turn taught us."""

    kind: Literal["remember"]


class Finish(Frozen):
    """The battle is over."""

    kind: Literal["finish"]
    result: Result
    turns: int = 0
    timed_out: bool = False


Action = Annotated[Decide | Remember | Finish, Field(discriminator="kind")]
_READER: TypeAdapter[Decide | Remember | Finish] = TypeAdapter(Action)


def read_action(action: Json | None) -> Decide | Remember | Finish:
    """Return a turn's action (UserError names the first field that is wrong)."""
    try:
        return _READER.validate_python(action)
    except ValidationError as error:
        where, what = first_invalid(error)
        raise UserError(
            f"the action cannot be used: {where or 'all of it'}: {what}; battles are played by "
            "`ruleplay battle`, a message asks why"
        ) from error
