"""Rankings of a boss, as imported from Warcraft Logs."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Ranking(BaseModel):
    """A ranked kill of one player: damage (or healing) per second, seconds, and where it stands."""

    model_config = ConfigDict(frozen=True)

    encounter_id: int
    encounter: str
    rank: int
    player: str
    class_name: str
    spec: str
    metric: str
    value: float
    seconds: float
    server: str = ""
    report: str = ""


class Parse(BaseModel):
    """How a kill of the report stands among all of that spec: percents from 0 to 100.

    `fight` is the pull's number here; `bracket_percent` compares within the same item level.
    """

    model_config = ConfigDict(frozen=True)

    fight: int
    encounter: str
    player: str
    class_name: str
    spec: str
    role: str
    amount: float
    percent: float | None = None
    bracket_percent: float | None = None
    item_level: float | None = None


class Parses(BaseModel):
    """The ranked kills of one report, as the site had them when it was imported."""

    model_config = ConfigDict(frozen=True)

    parses: tuple[Parse, ...] = ()


class Speed(BaseModel):
    """A ranked kill of a raid: how long it took."""

    model_config = ConfigDict(frozen=True)

    encounter_id: int
    encounter: str
    rank: int
    guild: str
    seconds: float
    report: str = ""


class BossRankings(BaseModel):
    """All that was imported of one boss."""

    model_config = ConfigDict(frozen=True)

    encounter_id: int
    encounter: str
    players: tuple[Ranking, ...] = ()
    raids: tuple[Speed, ...] = ()
