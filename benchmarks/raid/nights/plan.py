"""What a night is to be: which pulls, how they end, and what goes wrong on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Story = Literal["kill", "tank", "avoidable", "missed", "nova"]
"""How a pull ends: a kill, or a wipe by what is named."""


@dataclass(frozen=True)
class PullPlan:
    """A pull: the encounter, how it ends, and the boss's health (0..1) at which a wipe begins.

    `deaths` is how many die on the way without ending the pull; `trash` how many packs stand before
    the boss; `bloodlust` the second of the first Bloodlust, None for none.
    """

    boss: int
    story: Story = "kill"
    at: float = 0.4
    deaths: int = 1
    trash: int = 1
    bloodlust: float | None = 20.0


@dataclass(frozen=True)
class NightPlan:
    """A night: when it starts (a clock without zone, and the zone's hours), its pulls, its tuning.

    `health` scales every enemy's health, so how long a pull takes; `power` scales what players do,
    so that a later week is better. `roster` seeds who raids, so that two nights can share a raid.
    `kicks`, `dispels` and `care` are chances that an interrupt or dispel is made, that a player
    keeps out of what can be avoided.
    """

    pulls: tuple[PullPlan, ...]
    start: datetime = datetime(2026, 11, 12, 20, 0, 0)  # noqa: DTZ001 (a log has a wall clock)
    zone_hours: int = 1
    health: float = 1.0
    power: float = 1.0
    roster: int = 0
    kicks: float = 0.8
    dispels: float = 0.85
    care: float = 0.9
    lacking: int = 2


FULL_NIGHT = NightPlan(
    pulls=(
        PullPlan(649, "missed", at=0.55, deaths=1, trash=2, bloodlust=None),
        PullPlan(649, "kill", deaths=1, trash=0),
        PullPlan(650, "avoidable", at=0.45, deaths=1, trash=1, bloodlust=25.0),
        PullPlan(650, "tank", at=0.22, deaths=1, trash=0, bloodlust=40.0),
        PullPlan(650, "kill", deaths=2, trash=0, bloodlust=15.0),
        PullPlan(651, "nova", at=0.6, deaths=1, trash=1, bloodlust=None),
        PullPlan(651, "kill", deaths=2, trash=0, bloodlust=60.0),
        PullPlan(731, "tank", at=0.35, deaths=1, trash=2, bloodlust=18.0),
        PullPlan(731, "kill", deaths=1, trash=0, bloodlust=30.0),
    )
)
"""An evening with four bosses, five wipes and four kills."""
