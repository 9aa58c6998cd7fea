"""The duel's outside world: an almanac that nobody inside the turn can foresee."""

from __future__ import annotations

from itertools import count

from duel.state import Weather


class Almanac:
    """Gives another weather each time it is asked, so that only a recording can repeat it."""

    def __init__(self) -> None:
        self._asked = count()

    def weather(self) -> Weather:
        """Return the weather now."""
        skies: tuple[Weather, ...] = ("clear", "rain", "fog")
        return skies[next(self._asked) % len(skies)]

    async def moon(self) -> int:
        """Return how many people look at the moon; a slow source."""
        return next(self._asked)
