"""The findings that `ruleplay doctor` and `ruleplay check` report."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class Finding(BaseModel, frozen=True):
    """A part of the set-up: `missing` means an optional part, `broken` one that was asked for."""

    name: str
    state: Literal["ok", "missing", "broken"]
    detail: str = ""
    advice: str = ""
