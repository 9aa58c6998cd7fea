"""Statistics of a series of battles: wins, confidence interval, and a sequential test."""

from __future__ import annotations

from math import log, sqrt

from ruleplay.agents.battle.domain.frozen import Frozen

Z95 = 1.959963984540054
"""The 97.5th percentile of the normal distribution, for two-sided 95% intervals."""
EQUAL, STRONGER, ERROR = 0.5, 0.6, 0.05
"""The win rates that the sequential test distinguishes, and its error rate."""


class Standing(Frozen):
    """Battles won, lost and tied."""

    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def battles(self) -> int:
        """The number of battles played."""
        return self.wins + self.losses + self.ties

    @property
    def win_rate(self) -> float:
        """The share of battles won; a tie is no win."""
        return self.wins / self.battles if self.battles else 0.0

    def after(self, won: bool | None) -> Standing:
        """Add one battle; None is a tie."""
        return Standing(
            wins=self.wins + (won is True),
            losses=self.losses + (won is False),
            ties=self.ties + (won is None),
        )

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson score interval of the win rate at 95% (E. B. Wilson, JASA 22, 1927)."""
        n, p = self.battles, self.win_rate
        if not n:
            return 0.0, 1.0
        middle = p + Z95**2 / (2 * n)
        spread = Z95 * sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n))
        scale = 1 + Z95**2 / n
        return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)

    @property
    def decided(self) -> str:
        """The result of Wald's sequential test: `stronger`, `not stronger`, or "" for undecided."""
        odds = self.wins * log(STRONGER / EQUAL) + self.losses * log((1 - STRONGER) / (1 - EQUAL))
        enough = log((1 - ERROR) / ERROR)
        if abs(odds) < enough:
            return ""
        return "stronger" if odds > 0 else "not stronger"

    @property
    def words(self) -> str:
        """The standing on one line: `12-3, 80% (55-93)`."""
        low, high = self.interval
        ties = f"-{self.ties}" if self.ties else ""
        rate = f"{self.win_rate:.0%} ({100 * low:.0f}-{100 * high:.0f})"
        return f"{self.wins}-{self.losses}{ties}, {rate}"


def percentile(values: list[float], share: float) -> float:
    """Find the value below which a share (0 to 1) of the values lies; 0 for no values."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else 0.0
