"""The accumulator of a turn: rules add happenings to it, and see their effect at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.agents.saga.domain.dice import Roll, d100
from ruleplay.agents.saga.domain.fight import Fight
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Happening, TakenBack
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.story.acts import Act


@dataclass
class Play:
    """Collects what happens; every rule sees the game that the happenings before it made."""

    game: Game
    book: Book
    turn: int = 0
    words: str = ""
    """The player's message."""
    vowed: tuple[str, ...] = ()
    """What the hero promises in the message."""
    hanging: tuple[Act, ...] = ()
    """What hangs on an answer in the message, and is read again once that has been told."""
    was: Game | None = None
    """The game that an undo returns to; None if there is none."""
    done: list[Happening] = field(default_factory=list)

    def add(self, happening: Happening) -> None:
        """Record a happening and apply it to the game."""
        self.game = self.game.apply(happening)
        self.done.append(happening)

    def take_back(self) -> bool:
        """Undo the last turn; return whether there was one."""
        if self.was is None or not self.was.visited:  # the story's own beginning stays
            return False
        self.done.append(TakenBack())
        self.game, self.was = self.was, None
        return True

    def roll(self, modifier: int, edge: int = 0, ahead: int = 0) -> Roll:
        """Roll the next d100. `ahead` is the number of rolls before it in the same happening.

        Rolls are only counted as drawn when their happening is added.
        """
        index = self.game.draws + ahead
        natural = d100(self.game.dice_seed, index)
        return Roll(index=index, natural=natural, modifier=modifier, edge=edge)

    @property
    def fight(self) -> Fight:
        """The current fight (ValueError if there is none)."""
        if self.game.fight is None:
            raise ValueError("no fight is on")
        return self.game.fight
