"""poke-env's battle as a `Position`: its recorded messages and its last request, read our way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleplay.agents.battle.domain.chronicle import Chronicle
from ruleplay.agents.battle.domain.vantage import see

if TYPE_CHECKING:
    from poke_env.battle import AbstractBattle

    from ruleplay.agents.battle.domain.position import Position


class Observer:
    """One battle watched from one seat: each `position` takes in only the messages that are new."""

    def __init__(self) -> None:
        self.chronicle = Chronicle()

    def position(self, battle: AbstractBattle) -> Position:
        """Return the position in which the battle's last request is to be answered."""
        # The parser has no public list of its messages; its replays are written from this one.
        self.chronicle.read(battle._replay_data)
        role = battle.player_role or "p1"
        return see(self.chronicle, role, battle.last_request, battle=battle.battle_tag)
