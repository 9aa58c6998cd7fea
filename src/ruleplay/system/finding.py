"""What `ruleplay doctor` and `ruleplay check` find."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class Finding(BaseModel, frozen=True):
    """One part of the set-up. `missing` parts are optional; `broken` ones were asked for."""

    name: str
    state: Literal["ok", "missing", "broken"]
    detail: str = ""
    advice: str = ""
