"""The base class of the domain's values: immutable, JSON-compatible, without unknown fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that never changes and refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")
