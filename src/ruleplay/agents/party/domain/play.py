"""A turn in the making: what has happened so far, and the cast as that leaves it."""

from __future__ import annotations

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.dice import Roll, roll
from ruleplay.agents.party.domain.fight import Fight
from ruleplay.agents.party.domain.happenings.creatures import Happening
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.rulebook import Rulebook


class Impossible(Exception):
    """The rules say no; whoever resolves the intent gives the refusal back."""

    def __init__(self, reason: str, about: str = "", other: str = "") -> None:
        super().__init__(reason)
        self.refusal = Refusal(reason=reason, about=about, other=other)


class Play:
    """Collects happenings; each one has already changed `cast` when the next is worked out.

    `spare`: whom this act fells is out, and alive. `pulled`: its blow is for more than harm, and is
    harder and half as strong.
    """

    def __init__(self, cast: Cast, book: Rulebook) -> None:
        self.cast, self.book = cast, book
        self.spare = self.pulled = False
        self.happened: list[Happening] = []

    def add(self, happening: Happening) -> None:
        """Let something happen."""
        self.cast = self.cast.apply(happening)
        self.happened.append(happening)

    def roll(self, formula: str, ahead: int = 0) -> Roll:
        """Throw dice for the happening that comes next; `ahead` counts its earlier rolls."""
        return roll(self.cast.dice_seed, self.cast.draws + ahead, formula)

    def the(self, ident: str) -> Creature:
        """Return a creature as it is now."""
        return self.cast.the(ident)

    @property
    def fight(self) -> Fight:
        """Return the fight (Impossible when there is none)."""
        if self.cast.fight is None:
            raise Impossible("no-fight")
        return self.cast.fight

    @property
    def fighting(self) -> bool:
        """Whether there is a fight."""
        return self.cast.fight is not None
