"""A model that waits to be let go, and says when it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ruleplay.models.scripted import Asked, Reply, ScriptedModel

STANCE = '{"stance": "bold", "force": 2}'


class StallingModel(ScriptedModel):
    """Gives the answers of `first` at once; whoever asks more waits for ever."""

    def __init__(self, first: Sequence[str] = ()) -> None:
        super().__init__({"duel.stance": [*first, *[Reply((asyncio.Event(), STANCE))] * 9]})
        self._first = len(first)
        self._stalled = asyncio.Event()

    def reply(self, asked: Asked) -> Reply:
        """Return the next entry of the script."""
        self._first -= 1
        if self._first < 0:
            self._stalled.set()
        return super().reply(asked)

    async def stalled(self) -> None:
        """Wait until it has been asked what it does not answer."""
        await asyncio.wait_for(self._stalled.wait(), 30)
