"""Plays double battles by immediate effect, without search and without a session."""

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
    """Answers a double battle's requests; no session is kept."""

    def __init__(self, host: Host) -> None:
        self._host, self._witness = host, Witness()
        self._pool = SetPool("", "", {})

    async def begin(self, contest: Contest) -> None:
        """Load the format's sets."""
        self._pool = (await battle_world(self._host)).pool(contest.format)

    async def choose(self, contest: Contest) -> str:
        """Choose the best answer that has not been refused."""
        request = contest.request or {}
        if request.get("teamPreview"):
            return doubles.team_order(request)
        found = (one for one in self._ranked(contest) if one not in contest.refused)
        return next(found, "/choose default")

    def _ranked(self, contest: Contest) -> list[str]:
        request = contest.request or {}
        try:
            position = self._witness.position(contest)
            # Evidence from damage assumes a single target, which does not hold in doubles.
            blank = position.model_copy(update={"hits": ()})
            return [*doubles.choose(request, blank, opponent_sets(blank, self._pool))]
        except (*UNREADABLE, Unavailable) as error:
            LOG.warning("%s: no damage reckoned, so any legal choice: %s", contest.room, error)
            contest.tally.fallbacks += 1
            return [doubles.said(pair) for pair in doubles.legal(request)]

    async def sent(self, contest: Contest) -> None:
        """Do nothing between decisions."""

    async def end(self, contest: Contest) -> None:
        """Do nothing."""


def chooser_of(
    host: Host,
    play: PlaySettings,
    battle_format: str,
    on_session: Callable[[str, str], None] = lambda room, session: None,
) -> Chooser:
    """Choose who plays a format for us: a session that searches, or the chooser for doubles."""
    if is_double(battle_format):
        return DoublesChooser(host)
    return SessionChooser(host, play, on_session)
