"""What a duel knows, the events that change it, and a turn's working fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from ruleplay.kernel.agent import Config, Draft, State, Update
from ruleplay.records.events import Event
from ruleplay.telling.table import Table

Seat = Literal["red", "blue"]
SEATS: tuple[Seat, ...] = ("red", "blue")
Weather = Literal["clear", "rain", "fog"]
OMENS_KEPT = 3


def rival(seat: str) -> Seat:
    """Return the other duelist."""
    return "blue" if seat == "red" else "red"


class DuelConfig(Config):
    """How long a bout lasts, whose turn it is, and whether blows can be taken back."""

    hit_points: int = 30
    alternate: bool = False
    sudden_death: bool = False


class Stance(BaseModel):
    """How a duelist attacks: `force` is added to the damage and taken from the aim."""

    model_config = ConfigDict(frozen=True)

    stance: Literal["bold", "wary"]
    force: int


class Omen(BaseModel):
    """A sign that only one duelist sees."""

    model_config = ConfigDict(frozen=True)

    sign: str


class StanceTaken(Event):
    """A duelist chose how to attack."""

    seat: Seat
    stance: Literal["bold", "wary"]
    force: int


class OmenSeen(Event):
    """A sign appeared; its audience is the one who saw it."""

    seat: Seat
    sign: str
    weather: Weather


class BlowStruck(Event):
    """A blow landed (`damage` > 0) or missed."""

    seat: Seat
    target: Seat
    roll: int
    damage: int


class BoutEnded(Event):
    """A duelist fell; both stand up again for the next bout."""

    loser: Seat


class DuelState(State):
    """Both duelists between turns."""

    hit_points: int
    red: int
    blue: int
    moved_last: Seat | None = None
    alternate: bool = False
    sudden_death: bool = False
    bouts: int = 0
    omens: tuple[tuple[Seat, str], ...] = ()

    def apply(self, event: Event) -> DuelState:
        """Return the state after `event`."""
        match event:
            case StanceTaken(seat=seat):
                return self.model_copy(update={"moved_last": seat})
            case OmenSeen(seat=seat, sign=sign):
                return self.model_copy(update={"omens": (*self.omens, (seat, sign))[-OMENS_KEPT:]})
            case BlowStruck(target=target, damage=damage):
                left = self.red if target == "red" else self.blue
                return self.model_copy(update={target: max(0, left - damage)})
            case BoutEnded():
                whole = self.hit_points
                return self.model_copy(
                    update={"red": whole, "blue": whole, "bouts": self.bouts + 1}
                )
            case _:
                raise TypeError(f"a duel has no event {type(event).__name__!r}")


@dataclass(kw_only=True)
class DuelDraft(Draft[DuelState]):
    """The draft of one blow."""

    facts: tuple[Table, ...] = ()


class DuelUpdate(Update, total=False):
    """What the duel's nodes may change."""

    facts: tuple[Table, ...]
