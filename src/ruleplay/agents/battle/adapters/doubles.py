"""Double battles: two Pokémon are chosen for by what they do now, without search or session."""

from __future__ import annotations

from collections.abc import Callable

from ruleplay.agents.battle.adapters.contest import LOG, UNREADABLE, Chooser, Contest, is_double
from ruleplay.agents.battle.adapters.player import (
    PlaySettings,
    SessionChooser,
    Witness,
    battle_world,
)
from ruleplay.agents.battle.domain import doubles
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.errors import Unavailable
from ruleplay.kernel.host import Host


class DoublesChooser:
    """Answers a double battle's questions; nothing of it is kept as a session."""

    def __init__(self, host: Host) -> None:
        self._host, self._witness = host, Witness()
        self._pool = SetPool("", "", {})

    async def begin(self, contest: Contest) -> None:
        """Find the format's sets."""
        self._pool = (await battle_world(self._host)).pool(contest.format)

    async def choose(self, contest: Contest) -> str:
        """Return the best answer that was not refused yet."""
        request = contest.request or {}
        if request.get("teamPreview"):
            return doubles.team_order(request)
        found = (one for one in self._ranked(contest) if one not in contest.refused)
        return next(found, "/choose default")

    def _ranked(self, contest: Contest) -> list[str]:
        request = contest.request or {}
        try:
            position = self._witness.position(contest)
            # Hits are told for one target at a time: what they say of sets holds in singles.
            blank = position.model_copy(update={"hits": ()})
            return [*doubles.choose(request, blank, opponent_sets(blank, self._pool))]
        except (*UNREADABLE, Unavailable) as error:
            LOG.warning("%s: no damage reckoned, so any legal choice: %s", contest.room, error)
            contest.tally.fallbacks += 1
            return [doubles.said(pair) for pair in doubles.legal(request)]

    async def sent(self, contest: Contest) -> None:
        """There is nothing to do off the clock."""

    async def end(self, contest: Contest) -> None:
        """There is nothing to put away."""


def chooser_of(
    host: Host,
    play: PlaySettings,
    battle_format: str,
    on_session: Callable[[str, str], None] = lambda room, session: None,
) -> Chooser:
    """Return who plays a format for us: sessions that search, or the chooser for doubles."""
    if is_double(battle_format):
        return DoublesChooser(host)
    return SessionChooser(host, play, on_session)
