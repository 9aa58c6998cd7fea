"""A turn of the table in the making: the game so far, and what has happened."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.agents.party.domain import outcomes
from ruleplay.agents.party.domain import proceedings as p
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration import Exploration
from ruleplay.agents.party.domain.exploring import explore
from ruleplay.agents.party.domain.happenings import FightOver
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.journey import Happened, Journey
from ruleplay.agents.party.domain.rules.acts import resolve
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table


@dataclass
class TableTurn:
    """Collects what happens; every rule sees the table that the happenings before it made."""

    table: Table
    book: Book
    done: list[Happened] = field(default_factory=list)
    began: Table = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.table

    def add(self, *happened: Happened) -> None:
        """Let something happen."""
        for one in happened:
            self.table = self.table.apply(one)
            self.done.append(one)

    def venture(self, who: str, does: Exploration) -> Refusal | None:
        """Let somebody explore; a refusal changes nothing."""
        now, cast = self.table.expedition, self.table.cast
        came = explore(now, self.book.story, cast, self.book.rules, who, does)
        if isinstance(came, Refusal):
            return came
        self.add(*came)
        return None

    def step(self, who: str, intent: Intent) -> Refusal | None:
        """Let somebody take a step of a fight, or use something out of one; and what follows."""
        came = resolve(self.table.cast, who, intent, self.book.rules)
        if isinstance(came, Refusal):
            return came
        self.add(*came)
        for over in came:
            if isinstance(over, FightOver):
                self._conclude(over)
        return None

    def _conclude(self, over: FightOver) -> None:
        journey = Journey(self.table.expedition, self.book.story, self.table.cast, self.book.rules)
        outcomes.conclude_fight(journey, over.outcome)
        self.add(*journey.done)

    def refuse(self, seat: str, refused: Refusal) -> None:
        """Say no to a seat."""
        self.add(
            p.Refused(seat=seat, reason=refused.reason, about=refused.about, other=refused.other)
        )

    def finish(self, seat: str, how: p.How = "acts") -> None:
        """End a seat's act: the turn passes on."""
        self.add(p.Acted(seat=seat, how=how))
        mover, at = self._next_seat(seat)
        self.add(p.TurnPassed(seat=mover, round=at))

    def _next_seat(self, seat: str) -> tuple[str, int]:
        """Return who moves after a seat, and in which round of the table.

        In a fight the initiative says who, and rounds are the fight's; after it the DM goes on with
        a new round. Otherwise the queue does, past characters who cannot act.
        """
        table, fought, fight = self.table, self.began.cast.fight, self.table.cast.fight
        if fight:
            rounds = fight.round - fought.round if fought and fought.key == fight.key else 1
            actor = fight.actor
            return (actor if actor in table.characters else DM), table.round + rounds
        if fought:
            return DM, table.round + 1
        return following(table, seat)


def following(table: Table, seat: str) -> tuple[str, int]:
    """Return who moves after a seat outside a fight, and in which round."""
    queue = table.turn_queue
    for name in queue[queue.index(seat) + 1 :]:
        if not table.is_fallen(name):
            return name, table.round
    return DM, table.round + 1
