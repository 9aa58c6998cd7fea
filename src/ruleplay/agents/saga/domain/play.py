"""A turn of the rules in the making: the game so far, and what has happened."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleplay.agents.saga.domain.dice import Roll, d100
from ruleplay.agents.saga.domain.fight import Fight
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Happening, TakenBack
from ruleplay.agents.saga.domain.scenario import Book


@dataclass
class Play:
    """Collects what happens; every rule sees the game that the happenings before it made."""

    game: Game
    book: Book
    turn: int = 0
    words: str = ""
    """What the player wrote."""
    was: Game | None = None
    """The game before the last turn in which something was done; None when it is not taken back."""
    done: list[Happening] = field(default_factory=list)

    def add(self, happening: Happening) -> None:
        """Let something happen."""
        self.game = self.game.apply(happening)
        self.done.append(happening)

    def take_back(self) -> bool:
        """Let the last turn count no more; tell whether there was one to take back."""
        if self.was is None or not self.was.visited:  # the story's own beginning stays
            return False
        self.done.append(TakenBack())
        self.game, self.was = self.was, None
        return True

    def roll(self, modifier: int, edge: int = 0, ahead: int = 0) -> Roll:
        """Return the next roll; `ahead` counts rolls of the same happening before it."""
        index = self.game.draws + ahead
        natural = d100(self.game.dice_seed, index)
        return Roll(index=index, natural=natural, modifier=modifier, edge=edge)

    @property
    def fight(self) -> Fight:
        """Return the fight that is on (ValueError when there is none)."""
        if self.game.fight is None:
            raise ValueError("no fight is on")
        return self.game.fight
