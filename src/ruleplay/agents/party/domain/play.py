"""The working state of one act under the rules: happenings so far and the resulting cast."""

from __future__ import annotations

from collections.abc import Collection

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.dice import Roll, roll
from ruleplay.agents.party.domain.fight import Fight
from ruleplay.agents.party.domain.happenings.creatures import Happening
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.rulebook import Rulebook


class Impossible(Exception):
    """Raised when the rules refuse an act; the resolver returns its `refusal`."""

    def __init__(self, reason: str, about: str = "", other: str = "") -> None:
        super().__init__(reason)
        self.refusal = Refusal(reason=reason, about=about, other=other)


class Play:
    """Collects happenings; each is applied to `cast` before the next one is worked out.

    With `spare`, whoever this act fells is knocked out instead of killed. A `pulled` blow aims at
    an effect other than harm: it has disadvantage and deals half damage. Those who show `mercy`
    spare with their reactions too, and strike nobody who runs away.
    """

    def __init__(self, cast: Cast, book: Rulebook, *, mercy: Collection[str] = ()) -> None:
        self.cast, self.book, self.mercy = cast, book, mercy
        self.spare = self.pulled = False
        self.happened: list[Happening] = []

    def add(self, happening: Happening) -> None:
        """Let something happen."""
        self.cast = self.cast.apply(happening)
        self.happened.append(happening)

    def roll(self, formula: str, ahead: int = 0) -> Roll:
        """Roll for the next happening; `ahead` counts rolls it has already made."""
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
