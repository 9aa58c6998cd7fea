"""Many battles on one server against one kind of opponent, and what they say about strength."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import Account, Connection, Patience
from ruleplay.agents.battle.adapters.contest import Chooser, Contest, Outcome
from ruleplay.agents.battle.adapters.opponents import Baseline, BaselineChooser
from ruleplay.agents.battle.adapters.player import Play, SessionChooser
from ruleplay.agents.battle.adapters.records import record_of
from ruleplay.agents.battle.adapters.replays import write_replay
from ruleplay.agents.battle.domain.standing import Standing, percentile
from ruleplay.foundation.host import Host

Opponent = Literal["random", "maxdamage", "heuristics", "self"]
OPPONENTS: tuple[Opponent, ...] = get_args(Opponent)
OnBattle = Callable[[Outcome, Standing], Awaitable[None]]


class Times(BaseModel):
    """Milliseconds: the middle one, and the one that 95% stay below."""

    model_config = ConfigDict(frozen=True)

    p50: float
    p95: float

    @classmethod
    def of(cls, values: list[float]) -> Times:
        """Summarise times."""
        return cls(p50=round(percentile(values, 0.5), 1), p95=round(percentile(values, 0.95), 1))


class ArenaReport(BaseModel):
    """What `ruleplay battle arena --json` prints; `ci95` is the Wilson interval of the win rate."""

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
    timer_losses: int = 0


@dataclass(frozen=True)
class Plan:
    """An arena: who, how many, how many at once, in which format, with whose team."""

    opponent: Opponent
    battles: int = 20
    concurrency: int = 2
    format: str = "gen9randombattle"
    packed: str = ""
    play: Play = field(default_factory=Play)
    replays: Path | None = None


@dataclass
class Arena:
    """A running arena: `play` returns its report."""

    host: Host
    plan: Plan
    url: str
    engine: str
    patience: Patience = field(default_factory=Patience)
    standing: Standing = Standing()
    outcomes: list[Outcome] = field(default_factory=list)
    sessions: dict[str, str] = field(default_factory=dict)
    logs: dict[str, list[str]] = field(default_factory=dict)

    async def play(self, on_battle: OnBattle) -> ArenaReport:
        """Play all battles; the first error that ends one ends the arena."""
        async with self._client("Ruleplay", self._ours) as us, self._client(
            "Opponent", self._theirs
        ) as them:
            places = asyncio.Semaphore(self.plan.concurrency)

            async def one() -> None:
                async with places:
                    outcome = await self._battle(us, them)
                    self._note(outcome)
                    await self._save(outcome)
                    await on_battle(outcome, self.standing)

            async with asyncio.TaskGroup() as battles:
                for _ in range(self.plan.battles):
                    battles.create_task(one())
        return self.report()

    async def _battle(self, us: Client, them: Client) -> Outcome:
        async with asyncio.TaskGroup() as both:
            accepted = both.create_task(them.accept(us.name))
            challenged = both.create_task(us.challenge(them.name))
        accepted.result()
        return challenged.result()

    def _client(self, stem: str, chooser: Callable[[], Chooser]) -> Client:
        connection = Connection(self.url, Account.guest(stem), self.patience)
        return Client(connection, chooser, format=self.plan.format, packed=self.plan.packed)

    def _ours(self) -> Chooser:
        return Keeping(SessionChooser(self.host, self.plan.play, self._open_session), self.logs)

    def _theirs(self) -> Chooser:
        opponent = self.plan.opponent
        if opponent == "self":
            return SessionChooser(self.host, self.plan.play)
        kind: Baseline = opponent
        return BaselineChooser(kind)

    def _open_session(self, room: str, session: str) -> None:
        self.sessions[room] = session

    def _note(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.standing = self.standing.after(outcome.won)

    async def _save(self, outcome: Outcome) -> None:
        log = self.logs.pop(outcome.room, [])
        session = self.sessions.get(outcome.room)
        if self.plan.replays is None or session is None:
            return
        replay = await record_of(self.host, session, log)
        await asyncio.to_thread(write_replay, replay, self.plan.replays)

    def report(self) -> ArenaReport:
        """Return what the battles so far amount to."""
        standing, tallies = self.standing, [outcome.tally for outcome in self.outcomes]
        low, high = standing.interval
        return ArenaReport(
            opponent=self.plan.opponent,
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
            timer_losses=sum(tally.timed_out for tally in tallies),
        )


class Keeping:
    """A chooser that keeps the log of its battle when it ends."""

    def __init__(self, chooser: Chooser, logs: dict[str, list[str]]) -> None:
        self._chooser, self._logs = chooser, logs

    async def begin(self, contest: Contest) -> None:
        """Begin as the chooser does."""
        await self._chooser.begin(contest)

    async def choose(self, contest: Contest) -> str:
        """Choose as the chooser does."""
        return await self._chooser.choose(contest)

    async def sent(self, contest: Contest) -> None:
        """Go on as the chooser does."""
        await self._chooser.sent(contest)

    async def end(self, contest: Contest) -> None:
        """Keep the log."""
        self._logs[contest.room] = contest.log
        await self._chooser.end(contest)
