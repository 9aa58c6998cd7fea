"""A value of the domain: it never changes."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that never changes."""

    model_config = ConfigDict(frozen=True)
