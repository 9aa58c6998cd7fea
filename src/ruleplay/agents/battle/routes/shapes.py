"""Requests and answers of the battle routes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field

from ruleplay.agents.battle.domain.orders import Order
from ruleplay.records.events import Json
from ruleplay.server.errors import Problem
from ruleplay.server.shapes import Body

Status = Literal["starting", "running", "finished", "failed", "cancelled"]
Result = Literal["win", "loss", "tie"]
Share = Annotated[float, Field(ge=0, le=1)]


class NewBattle(Body):
    """A battle on a local Showdown server."""

    opponent: Literal["random", "maxdamage", "heuristics", "self", "you"] = "heuristics"
    """With `you`, whoever asks plays at `/api/battle/battles/{id}/seat`."""
    format: str = Field(default="gen9randombattle", pattern=r"^gen[1-9][a-z0-9]+$", max_length=60)
    search_ms: int = Field(default=100, ge=0, le=5_000, description="per decision")
    hold: int = Field(
        default=0, ge=0, le=120, description="seconds an order waits for yours before it is sent"
    )
    lang: Literal["en", "fr"] = "en"


class BattleAnswer(BaseModel):
    """A battle that this server plays; `session` is set once it has begun."""

    id: str
    opponent: str
    format: str
    status: Status
    session: str = Field(description="id of the session; empty until the battle begins")
    result: Result | None
    problem: Problem | None


class BattleList(BaseModel):
    """The battles of this server process, the newest first."""

    battles: list[BattleAnswer]


class SeatOrder(Body):
    """A person's choice; without `order` they give the battle up."""

    request: int = Field(ge=0, description="the question that is answered")
    order: Order | None = None


class MoveAnswer(BaseModel):
    """A move of the person's Pokémon; `effect` is how effective its type is against the opponent.

    A turn without a choice (`recharge`) has no type, category or PP.
    """

    id: str
    name: str
    type: str
    category: str
    power: int
    accuracy: Share
    pp: int
    max_pp: int
    effect: float | None


class SeatAnswer(BaseModel):
    """A battle as its person sees it; `position` has only what they may know."""

    version: int
    asked: bool = Field(description="whether an order is waited for")
    position: Json | None
    moves: list[MoveAnswer]
    names: dict[str, str] = Field(description="how items and abilities are written, by their ids")
    log: list[str] = Field(description="lines of Showdown's protocol")
    chance: Share | None = Field(description="of the person's winning, as Ruleplay sees it")
    battle: BattleAnswer


class TimesAnswer(BaseModel):
    """Milliseconds: the median and the 95th percentile."""

    p50: float
    p95: float


class ArenaAnswer(BaseModel):
    """A finished arena; a point of `curve` is battles so far, win rate, low, high (95% Wilson)."""

    id: str
    played: AwareDatetime
    opponent: str
    battles: int
    wins: int
    losses: int
    ties: int
    win_rate: Share
    ci95: tuple[Share, Share]
    decisions: int
    invalid_choices: int
    unavailable_choices: int
    fallbacks: int
    decision_ms: TimesAnswer
    search_ms: int
    engine: str
    decided: str = Field(description="stronger, not stronger, or empty: a sequential test's word")
    curve: list[tuple[int, Share, Share, Share]]


class ArenaList(BaseModel):
    """Arenas played with this home folder, the newest first."""

    arenas: list[ArenaAnswer]


class DamageAsked(Body):
    """A question about damage; Pokémon are written as `Great Tusk, Choice Band, +1 atk, 75%`."""

    attacker: str = Field(min_length=1, max_length=200)
    move: str = Field(min_length=1, max_length=60)
    defender: str = Field(min_length=1, max_length=200)
    field: list[Annotated[str, Field(max_length=40)]] = Field(default_factory=list, max_length=8)
    format: str = Field(default="gen9randombattle", pattern=r"^gen[1-9][a-z0-9]+$", max_length=60)
    targets: int = Field(
        default=3, ge=1, le=3, description="targets in reach of a spread move, in double battles"
    )
