"""The base class of the domain's values."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value."""

    model_config = ConfigDict(frozen=True, defer_build=True)
