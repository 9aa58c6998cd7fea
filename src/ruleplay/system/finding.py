"""What `ruleplay doctor` and `ruleplay check` find."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Finding(BaseModel):
    """One part of the set-up. `missing` parts are optional; `broken` ones were asked for."""

    model_config = ConfigDict(frozen=True)

    name: str
    state: Literal["ok", "missing", "broken"]
    detail: str = ""
    advice: str = ""
