"""The request and response bodies of the HTTP API, as the OpenAPI document describes them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from ruleplay.kernel.autoplay import PATIENCE
from ruleplay.records.events import Json
from ruleplay.server.errors import Problem


def _plain(text: str) -> str:
    if not text.isprintable():
        raise ValueError("contains control characters")
    return text


Plain = Annotated[str, AfterValidator(_plain)]
"""One line of text that every database can store."""


class Body(BaseModel, frozen=True, extra="forbid"):
    """A request's body; unknown fields are refused."""


class NewSession(Body):
    """A session to create; without `config` it is the agent's demo."""

    agent: str = Field(examples=["parts"], max_length=64)
    config: Json | None = None
    model: str = Field(default="", description="a model, or models by role", max_length=2_000)
    title: Plain = Field(default="", max_length=200)


class Input(Body):
    """One input: a message, or an action in the agent's own format."""

    message: str = Field(default="", examples=["My dishwasher leaks."])
    action: Json | None = None
    seat: Plain = Field(default="", description="the first when empty", max_length=128)


class Edit(Body):
    """A turn of the current branch, and the message to play instead."""

    turn: int = Field(ge=1, description="number of the turn")
    message: str


class Fork(Body):
    """Where to fork: the last turn to share, all when left out."""

    turn: int | None = Field(default=None, ge=0, description="number of the turn")


class Rename(Body):
    """The new title of a session."""

    title: Plain = Field(min_length=1, max_length=200)


class Goto(Body):
    """The turn to continue from."""

    turn: Plain = Field(description="id of the turn", max_length=64)


class Health(BaseModel):
    """The server's state."""

    status: Literal["ok"]
    version: str


class Login(Body):
    """The server's token."""

    token: str = Field(max_length=1_000)


class ModelAnswer(BaseModel):
    """A model; `advice` says what is missing while it is not ready.

    `input` and `output` are prices in US dollars per million tokens, null if unknown.
    """

    name: str
    ready: bool
    advice: str
    input: str | None
    output: str | None


class DoctorAnswer(BaseModel):
    """The available models, and the default of sessions that choose none."""

    default: str
    models: list[ModelAnswer]


class EdgeAnswer(BaseModel):
    """An edge of a graph; a conditional one is taken if a router chooses it."""

    from_: str = Field(alias="from")
    to: str
    conditional: bool


class GraphAnswer(BaseModel):
    """An agent's nodes, including `__start__` and `__end__`, and its edges."""

    nodes: list[str]
    edges: list[EdgeAnswer]


class AgentAnswer(BaseModel):
    """An agent; `config` is the JSON schema of a session's configuration."""

    name: str
    title: str
    seats: list[str]
    config: Json
    problem: str = Field(description="why it cannot be used here; empty when it can")


class AgentList(BaseModel):
    """The installed agents."""

    agents: list[AgentAnswer]


class SessionRow(BaseModel):
    """A session without its content."""

    id: str
    agent: str
    title: str
    head: str | None
    number: int
    origin: str | None
    models: dict[str, str]
    created: datetime
    updated: datetime
    spent: str = Field(description="US dollars for model calls")


class SessionListed(SessionRow):
    """A session in a list; `about` is the public part of its last message or reply."""

    about: str = ""


class SessionList(BaseModel):
    """Sessions, most recently changed first."""

    sessions: list[SessionListed]


class Moved(SessionRow):
    """A session after its head has moved."""

    view: Json


class CallAnswer(BaseModel):
    """A question to a role, and who answered it."""

    role: str
    source: Literal["model", "policy"]
    model: str
    ms: float
    refusals: list[str]
    input_tokens: int
    output_tokens: int
    cost: str = Field(description="US dollars")


class AsideAnswer(BaseModel):
    """A part of a reply for some seats only."""

    text: str
    audience: list[str]
    first: bool = Field(default=False, description="it stands before the reply, not after it")


class SpanAnswer(BaseModel):
    """A piece of a reply: who vouches for it, and the record's lines that it cites."""

    text: str
    state: Literal["vouched", "doubted", "view", "plain"]
    lines: list[str]
    cites: list[str]


class TurnAnswer(BaseModel):
    """A turn as one seat sees it."""

    session: str
    turn: str
    number: int
    seat: str
    input: Json
    hidden: bool = Field(description="the input is not for this seat")
    reply: str
    spans: list[SpanAnswer] = Field(
        description="the reply in pieces; vouched for by the record, doubted, the model's own "
        "view, or plain; empty where code wrote all of it"
    )
    asides: list[AsideAnswer] = Field(description="parts of the reply for this seat only")
    events: list[Json]
    calls: list[CallAnswer]
    cites: list[str]
    ms: float


class CommittedTurn(TurnAnswer):
    """A committed turn, with the view after it."""

    status: Literal["committed"]
    view: Json


class TurnStatus(BaseModel):
    """A turn that is running, or has failed and was not stored; `problem` says why."""

    turn: str
    status: Literal["running", "committed", "failed", "cancelled"]
    problem: Problem | None = None


class Sitting(Body):
    """The person who sits down."""

    name: Plain = Field(default="", description="the person's name", max_length=80)


class AutoplayRequest(Body):
    """How long a session plays by itself; if both are 0, until there is no move to play."""

    rounds: int = Field(default=0, ge=0, le=10_000)
    moves: int = Field(default=0, ge=0, le=100_000, description="1 is a single step")
    patience: float = Field(
        default=PATIENCE, ge=1, le=3_600, description="seconds that a person gets for a move"
    )


AutoplayState = Literal[
    "idle",
    "playing",
    "waiting",
    "pausing",
    "paused",
    "unwatched",
    "away",
    "done",
    "over",
    "failed",
]


class AutoplayAnswer(BaseModel):
    """The progress of autoplay; `problem` says why it failed."""

    state: AutoplayState
    running: bool
    moves: int = Field(description="moves made since it was started")
    rounds: int
    patience: float
    seat: str = Field(description="whose move it is")
    round: int
    until: datetime | None = Field(description="when the current person is passed over")
    problem: str


class Passed(BaseModel):
    """A node that a turn went through."""

    node: str


class TurnPath(BaseModel):
    """The nodes that a committed turn went through, in order."""

    nodes: list[Passed]


class SeatAnswer(BaseModel):
    """A seat; `held` if a person sits there, `yours` if you sent its token."""

    seat: str
    held: bool
    yours: bool


class SeatList(BaseModel):
    """A session's seats; `public` is the seat to read from without a token, if one is needed."""

    public: str
    moves: str = Field(description="whose move it is, where the rules say; else empty")
    seats: list[SeatAnswer]
    autoplay: AutoplayAnswer


class SeatTaken(BaseModel):
    """A seat's token, returned only once: send it in the header `Ruleplay-Seat-Token`."""

    seat: str
    token: str
    turn: str


class SeatFreed(BaseModel):
    """A seat that was left, and the turn that did it."""

    seat: str
    turn: str


class BranchAnswer(BaseModel):
    """A turn's place in the tree."""

    id: str
    parent: str | None
    number: int
    seat: str
    message: str
    hidden: bool = Field(description="the message is not for this seat")


class SessionAnswer(BaseModel):
    """A session as one seat sees it: the turns of the current branch, and the view."""

    id: str
    agent: str
    title: str
    head: str | None
    origin: str | None
    seat: str = Field(description="the seat that the session is shown for")
    public_seat: str = Field(description="the seat to read from without a token, if seats need one")
    spent: str
    turns: list[TurnAnswer]
    branches: list[BranchAnswer]
    view: Json
