"""Arena opponents: poke-env's baseline players, without poke-env's client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ruleplay.agents.battle.adapters.contest import Contest

if TYPE_CHECKING:
    from poke_env.player import Player

Baseline = Literal["random", "maxdamage", "heuristics"]


class BaselineChooser:
    """Answers a battle's requests with one of poke-env's players."""

    def __init__(self, kind: Baseline) -> None:
        self._player = open_player(kind)

    async def begin(self, contest: Contest) -> None:
        """Do nothing: baselines keep no state between decisions."""

    async def choose(self, contest: Contest) -> str:
        """Ask the baseline; after a refusal, leave the choice to the server."""
        from poke_env.player import BattleOrder

        if contest.refused:
            return "/choose default"
        battle = contest.battle
        if battle.teampreview:
            return str(self._player.teampreview(battle))
        order = self._player.choose_move(battle)
        return order.message if isinstance(order, BattleOrder) else "/choose default"

    async def sent(self, contest: Contest) -> None:
        """Do nothing between decisions."""

    async def end(self, contest: Contest) -> None:
        """Do nothing."""


def open_player(kind: Baseline) -> Player:
    """Create one of poke-env's players without a connection."""
    from poke_env.player import MaxBasePowerPlayer, RandomPlayer, SimpleHeuristicsPlayer

    kinds: dict[Baseline, type[Player]] = {
        "random": RandomPlayer,
        "maxdamage": MaxBasePowerPlayer,
        "heuristics": SimpleHeuristicsPlayer,
    }
    return kinds[kind](start_listening=False)
