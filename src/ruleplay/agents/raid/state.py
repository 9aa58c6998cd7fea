"""What the raid analyst remembers between questions, and the events that alone change it."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from ruleplay.agents.raid.domain.overview import Overview
from ruleplay.agents.raid.domain.tool_result import Ranges, Row, ToolOutcome
from ruleplay.kernel.agent import Draft as FoundationDraft
from ruleplay.kernel.agent import State as FoundationState
from ruleplay.kernel.agent import Update as FoundationUpdate
from ruleplay.records.events import Event, Json
from ruleplay.telling.table import Cell, Unit

RESULT_ROWS = 200
"""Rows of a result that an event keeps; `total` says how many there were."""
TOLD = 32
"""Cells of the last answer that the next one may speak of."""
SHOWN_RESULTS = 16
"""Results of the last answer that the state still names; all of them stand in the events."""


class Finding(BaseModel):
    """One value of an answer: `metric` of `player` on `pull` is `value`, as `result` says.

    `player` is whoever or whatever it is said of (a player, a boss, a spell; "" for the pull or the
    night itself), `aspect` what narrows it (an ability, a cause), `pull` the number of the pull in
    `report` (None for the whole night).
    """

    model_config = ConfigDict(frozen=True)

    metric: str
    value: int | float | str
    unit: str = ""
    player: str = ""
    aspect: str = ""
    pull: int | None = None
    report: str = ""
    result: str = ""


class Kept(BaseModel):
    """Rows of a table that an answer cited, for the next one to speak of.

    `columns` are names and units, `total` is how many rows the table had.
    """

    model_config = ConfigDict(frozen=True)

    title: str
    heading: str = ""
    columns: tuple[tuple[str, Unit], ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    notes: tuple[str, ...] = ()
    owner: str = ""
    total: int = 0


class ToolCalled(Event):
    """A tool was asked; `result` is the id under which its answer is cited in this turn."""

    result: str
    tool: str
    args: Json


class ToolReturned(Event):
    """A tool answered: rows, and the log lines they rest on; `problem` when it could not.

    `rows` holds at most RESULT_ROWS of `total`. `absent` says that the log lacks what was asked
    for, `unknown` that no rows mean that it cannot be known.
    """

    result: str
    tool: str
    args: Json
    rows: tuple[Row, ...] = ()
    total: int = 0
    query: str = ""
    lines: Ranges = ()
    elsewhere: tuple[tuple[str, Ranges], ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    absent: bool = Field(default=False, exclude_if=operator.not_)
    unknown: bool = Field(default=False, exclude_if=operator.not_)
    report: str = ""
    fight: int | None = None
    pull: str = ""
    seconds: float | None = None

    @classmethod
    def of(cls, called: ToolCalled, outcome: ToolOutcome) -> Self:
        """Return the event of an outcome, its rows bounded."""
        told = outcome.model_dump(exclude={"rows"})
        return cls(
            result=called.result,
            tool=called.tool,
            args=called.args,
            rows=outcome.rows[:RESULT_ROWS],
            total=len(outcome.rows),
            **{name: value for name, value in told.items() if name in cls.model_fields},
        )


class Focus(BaseModel):
    """What a question was about, which the next one may leave unsaid."""

    report: str = ""
    fight: int | None = None
    players: tuple[str, ...] = ()
    named: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    """Whom the question itself was about; `players` may only have led a rank."""
    group: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    """All of them where they are more than the next question keeps by name: a class."""
    person: str = Field(default="", exclude_if=operator.not_)
    """Who was last spoken of by name, alone."""
    me: str = Field(default="", exclude_if=operator.not_)
    """Who the one who asks has said to be."""
    topics: tuple[str, ...] = ()
    pulls: tuple[int, ...] = Field(default=(), exclude_if=operator.not_)
    """The pulls that it was about where they were several."""
    asked_back: str = Field(default="", exclude_if=operator.not_)
    """The question that was answered with a question."""
    measure: str = Field(default="", exclude_if=operator.not_)
    """What was asked about, how, and of which abilities; a follow-up overrides what it names."""
    shape: str = Field(default="", exclude_if=operator.not_)
    abilities: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    led: bool = Field(default=False, exclude_if=operator.not_)
    """Whether these abilities were named by the answer alone, so that "that" may mean them."""
    language: str = Field(default="", exclude_if=operator.not_)
    part: str = Field(default="", exclude_if=operator.not_)
    """The part of the pull that was asked about, and what the sums left out."""
    without: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    places: int = Field(default=0, exclude_if=operator.not_)
    """How many places of a ranking it told."""
    also: tuple[tuple[str, str], ...] = Field(default=(), exclude_if=operator.not_)
    """Measure and shape of further questions of the same message."""


class Answered(Focus, Event):
    """The question was answered: what it was about, and every value the answer rests on.

    Of a model's answer these are the cells that it cites.
    """

    source: Literal["model", "policy"] = "policy"
    findings: tuple[Finding, ...] = ()
    kept: bool = Field(default=False, exclude_if=operator.not_)
    """Whether the next answer may speak of the findings."""
    again: tuple[Finding, ...] = Field(default=(), exclude_if=operator.not_)
    """The results of the formulas of a model's answer."""
    cited: tuple[Kept, ...] = Field(default=(), exclude_if=operator.not_)
    """The rows that a model's answer cites."""


class Elsewhere(BaseModel):
    """Another report than the one that is spoken of, with the bosses that were tried in it."""

    model_config = ConfigDict(frozen=True)

    code: str
    title: str
    bosses: tuple[str, ...] = ()


class Result(BaseModel):
    """A result of the last answer, as screens list it; its rows are in the events."""

    model_config = ConfigDict(frozen=True)

    id: str
    tool: str
    args: Json
    rows: int
    problem: str = ""
    pull: str = ""
    report: str = ""
    notes: tuple[str, ...] = ()


class State(Focus, FoundationState):
    """What the conversation is about: report, pull and players, and the last answer's results."""

    earlier: int | None = Field(default=None, exclude_if=operator.not_)
    """The pull that was spoken of before this one."""
    told: tuple[Finding, ...] = Field(default=(), exclude_if=operator.not_)
    """What the last answer computed, for the next one to speak of."""
    cited: tuple[Kept, ...] = Field(default=(), exclude_if=operator.not_)
    """The rows that it rested on."""
    questions: int = 0
    tools: int = 0
    results: tuple[Result, ...] = ()

    def apply(self, event: Event) -> Self:
        """Return the state after an event."""
        match event:
            case ToolCalled(result=result):
                # The first result of a turn begins a new list.
                kept = () if result == "r1" else self.results
                return self.model_copy(update={"results": kept, "tools": self.tools + 1})
            case ToolReturned():
                results = (*self.results, _listed(event))[-SHOWN_RESULTS:]
                return self.model_copy(update={"results": results})
            case Answered():
                moved = event.fight is not None and event.fight != self.fight
                earlier = {"earlier": self.fight} if moved else {}
                told = {"told": _kept(event), "cited": event.cited}
                counted = {"questions": self.questions + 1} | told
                return self.model_copy(update=_focus(event) | earlier | counted)
            case _:
                return self


def _kept(answered: Answered) -> tuple[Finding, ...]:
    """Return what a model's answer computed; of an old answer, which keeps no rows, its cells."""
    if answered.cited:
        return answered.again[:TOLD]
    return (*answered.findings, *answered.again)[:TOLD] if answered.kept or answered.again else ()


def _listed(returned: ToolReturned) -> Result:
    return Result(
        id=returned.result,
        tool=returned.tool,
        args=returned.args,
        rows=returned.total,
        problem=returned.problem,
        pull=returned.pull,
        report=returned.report,
        notes=returned.notes[:8],
    )


def _focus(answered: Answered) -> dict[str, object]:
    """Return what the next question may leave unsaid; an answer about nothing changes little."""
    said = {"me": answered.me} if answered.me else {}
    if answered.asked_back or not answered.topics:
        kept = {"language": answered.language} if answered.language else {}
        seen: dict[str, object] = {}
        if answered.fight:
            seen = {"report": answered.report, "fight": answered.fight}
        seen |= {"players": answered.named, "named": answered.named} if answered.named else {}
        # Who is meant after an unknown name was asked the same.
        seen |= {"measure": answered.measure, "shape": answered.shape} if answered.measure else {}
        return {"asked_back": answered.asked_back, **kept, **seen, **said}
    if answered.fight is None and not answered.pulls and not answered.findings:
        return {name: getattr(answered, name) for name in _SPOKEN} | said
    known = {name: getattr(answered, name) for name in (*_SPOKEN, *_ABOUT)} | said
    return known | {name: known[name][:4] for name in _FEW}


_SPOKEN = ("asked_back", "language", "topics", "measure", "shape")
"""What every answer leaves to the next question."""
_ABOUT = (
    *(
        "abilities",
        "led",
        "part",
        "without",
        "also",
        "places",
        "pulls",
        "report",
        "fight",
        "players",
    ),
    *("named", "group", "person"),
)
"""What an answer that rests on something leaves, too; of some no more than a few."""
_FEW = ("abilities", "players", "named", "topics")


EVENTS: tuple[type[Event], ...] = (ToolCalled, ToolReturned, Answered)


@dataclass(frozen=True)
class Calls:
    """Tool calls that the planner or the model requests, each with `name`, `args` and `id`.

    By id, `looks` has a model's calls as they were understood (tool, arguments, page, rows about
    whom), and `refused` why a call is not made.
    """

    calls: tuple[Json, ...] = ()
    looks: Mapping[str, tuple[str, Json, int, tuple[str, ...]]] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Shown:
    """What the model reads of a call's result."""

    text: str
    call: str
    name: str


@dataclass(kw_only=True)
class Draft(FoundationDraft[State]):
    """A question in the making: the loop's messages, rounds of tools, questions to the model.

    `looked` are the results with all their rows. `room` is how many characters of rows the prompts
    have room for, `size` how many they may have in all, `pages` where the pages of each table
    begin. `given_up` says that the model brought nothing and the policy answers. `plan` is the
    planner's plan of the message, made once a turn.
    """

    messages: Annotated[list[Calls | Shown], operator.add] = field(default_factory=list)
    looked: Annotated[list[ToolReturned], operator.add] = field(default_factory=list)
    rounds: int = 0
    asked: int = 0
    room: int = 0
    size: int = 0
    pages: dict[str, tuple[int, ...]] = field(default_factory=dict)
    given_up: bool = False
    overview: Overview | None = None
    plan: object = None
    elsewhere: tuple[Elsewhere, ...] = ()


class Update(FoundationUpdate, total=False):
    """What the two nodes may change."""

    messages: list[Calls | Shown]
    looked: list[ToolReturned]
    rounds: int
    asked: int
    room: int
    size: int
    pages: dict[str, tuple[int, ...]]
    given_up: bool
    overview: Overview
    plan: object
    elsewhere: tuple[Elsewhere, ...]
