"""Public rankings as they were imported."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Ranking(BaseModel):
    """One ranked parse of a public site; `amount` is damage (or healing) per second.

    `player` is empty for the ranking of a whole raid, where only `seconds` counts.
    """

    model_config = ConfigDict(frozen=True)

    encounter_id: int
    encounter: str
    rank: int
    seconds: float
    class_name: str = ""
    spec_name: str = ""
    metric: str = "dps"
    player: str = ""
    amount: float = 0.0
    report: str = ""
    source: str = ""
