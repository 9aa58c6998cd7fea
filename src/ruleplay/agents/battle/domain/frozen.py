"""The base class of the domain's values: immutable, JSON-compatible, without unknown fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value that rejects unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
