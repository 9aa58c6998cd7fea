"""Plays many battles against one kind of opponent, and reports how strong we are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import Account, Connection, Patience
from ruleplay.agents.battle.adapters.contest import BattleResult, Chooser
from ruleplay.agents.battle.adapters.doubles import chooser_of
from ruleplay.agents.battle.adapters.opponents import BaselineChooser
from ruleplay.agents.battle.adapters.outsider import Outsider
from ruleplay.agents.battle.adapters.player import PlaySettings
from ruleplay.agents.battle.adapters.seat import Seat
from ruleplay.agents.battle.domain.standing import Standing, percentile
from ruleplay.kernel.host import Host

Opponent = Literal["random", "maxdamage", "heuristics", "self"]
OPPONENTS: tuple[Opponent, ...] = get_args(Opponent)
OnBattle = Callable[[BattleResult, Standing], Awaitable[None]]


class Times(BaseModel):
    """Milliseconds: the median and the 95th percentile."""

    model_config = ConfigDict(frozen=True)

    p50: float
    p95: float

    @classmethod
    def of(cls, values: list[float]) -> Times:
        """Summarise times."""
        return cls(p50=round(percentile(values, 0.5), 1), p95=round(percentile(values, 0.95), 1))


class ArenaReport(BaseModel):
    """An arena's report, as `ruleplay battle arena --json` prints it; `ci95` is Wilson's."""

    model_config = ConfigDict(frozen=True)

    opponent: str
    battles: int
    wins: int
    losses: int
    ties: int
    win_rate: float
    ci95: tuple[float, float]
    decisions: int
    invalid_choices: int
    unavailable_choices: int
    fallbacks: int
    decision_ms: Times
    search_ms: int
    engine: str
    decided: str = ""


@asynccontextmanager
async def _together() -> AsyncIterator[asyncio.TaskGroup]:
    """Run tasks side by side; the first error of one is raised as it is, not in a group."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from errors


@dataclass(frozen=True)
class Plan:
    """An arena's parameters.

    A `command` starts an external opponent instead, with one battle at a time. `stop_early` ends
    the arena as soon as the sequential test is decided.
    """

    opponent: Opponent
    battles: int = 20
    concurrency: int = 2
    format: str = "gen9randombattle"
    packed: str = ""
    play: PlaySettings = field(default_factory=PlaySettings)
    replays: Path | None = None
    command: str = ""
    stop_early: bool = False

    @property
    def against(self) -> str:
        """The opponent's name or command."""
        return self.command or self.opponent


@dataclass
class Arena:
    """A running arena; `play` plays it and returns the report."""

    host: Host
    plan: Plan
    url: str
    engine: str
    patience: Patience = field(default_factory=Patience)
    standing: Standing = field(default_factory=Standing)
    outcomes: list[BattleResult] = field(default_factory=list)

    async def play(self, on_battle: OnBattle) -> ArenaReport:
        """Play all battles; the first error ends the arena."""
        async with self.seated() as battle:
            # External bots may not be able to play several battles at the same time.
            places = asyncio.Semaphore(1 if self.plan.command else self.plan.concurrency)

            async def one() -> None:
                async with places:
                    if self._decided:
                        return
                    outcome = await battle()
                    self.note(outcome)
                    await on_battle(outcome, self.standing)

            async with _together() as battles:
                for _ in range(self.plan.battles):
                    battles.create_task(one())
        return self.report()

    @asynccontextmanager
    async def seated(self) -> AsyncIterator[Callable[[], Awaitable[BattleResult]]]:
        """Connect both sides; yields a function that plays one battle to its end and saves it."""
        seat = Seat.at(
            Connection(self.url, Account.guest("Ruleplay"), self.patience),
            self.host,
            self.plan.play,
            format=self.plan.format,
            packed=self.plan.packed,
        )
        async with seat.client as us, self._opponent() as them:

            async def battle() -> BattleResult:
                if isinstance(them, Outsider):
                    outcome = await them.battle(us)
                else:
                    outcome = await self._battle(us, them)
                await seat.save(outcome, self.plan.replays)
                return outcome

            yield battle

    async def _battle(self, us: Client, them: Client) -> BattleResult:
        async with _together() as both:
            accepted = both.create_task(them.accept(us.name))
            challenged = both.create_task(us.challenge(them.name))
        accepted.result()
        return challenged.result()

    def _opponent(self) -> Client | Outsider:
        plan, name = self.plan, Account.guest("Opponent").name
        if plan.command:
            return Outsider(plan.command, name, self.url, plan.format, plan.battles)
        connection = Connection(self.url, Account.guest("Opponent"), self.patience)
        return Client(connection, self._theirs, format=self.plan.format, packed=self.plan.packed)

    def _theirs(self) -> Chooser:
        opponent = self.plan.opponent
        if opponent == "self":
            return chooser_of(self.host, self.plan.play, self.plan.format)
        return BaselineChooser(opponent)

    def note(self, outcome: BattleResult) -> None:
        """Count a finished battle."""
        self.outcomes.append(outcome)
        self.standing = self.standing.after(outcome.won)

    def report(self) -> ArenaReport:
        """Summarise the battles so far."""
        standing, tallies = self.standing, [outcome.tally for outcome in self.outcomes]
        low, high = standing.interval
        return ArenaReport(
            opponent=self.plan.against,
            battles=standing.battles,
            wins=standing.wins,
            losses=standing.losses,
            ties=standing.ties,
            win_rate=round(standing.win_rate, 4),
            ci95=(round(low, 4), round(high, 4)),
            decisions=sum(tally.decisions for tally in tallies),
            invalid_choices=sum(tally.invalid for tally in tallies),
            unavailable_choices=sum(tally.unavailable for tally in tallies),
            fallbacks=sum(tally.fallbacks for tally in tallies),
            decision_ms=Times.of([ms for tally in tallies for ms in tally.ms]),
            search_ms=self.plan.play.search_ms,
            engine=self.engine,
            decided=self._decided,
        )

    @property
    def _decided(self) -> str:
        return self.standing.decided if self.plan.stop_early else ""

    @property
    def timer_losses(self) -> int:
        """The number of battles we lost on time."""
        return sum(outcome.tally.timed_out for outcome in self.outcomes)
