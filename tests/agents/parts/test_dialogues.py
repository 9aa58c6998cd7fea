"""Random dialogues: whatever is said in whatever order, the rules of the conversation hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from tests.samples import sample

from ruleplay.agents.parts.adapters.catalog import Catalog, open_catalog
from ruleplay.agents.parts.adapters.demo import ensure_demo
from ruleplay.agents.parts.agent import AGENT
from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.ids import Lookup, candidates
from ruleplay.agents.parts.domain.slots import (
    REQUIREMENTS,
    Check,
    Find,
    Goal,
    UnconfirmedId,
    UnknownId,
    request_for,
)
from ruleplay.agents.parts.domain.understanding import Understood, understand
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy import rehearsal
from ruleplay.agents.parts.policy.asking import goal_asked, open_question
from ruleplay.agents.parts.policy.resolve import resolve
from ruleplay.agents.parts.policy.taking import take
from ruleplay.agents.parts.state import (
    Draft,
    QuestionAsked,
    SafetyStopped,
    State,
    SubjectMissing,
    ToolReturned,
)
from ruleplay.agents.parts.tools import arguments
from ruleplay.catalog import open_session
from ruleplay.kernel.replay import replay
from ruleplay.records.events import Event
from ruleplay.records.given import Given
from ruleplay.settings import Settings

DIALOGUES = sample(100, 4_000)
STORED = sample(20, 500)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return open_catalog(ensure_demo(tmp_path_factory.mktemp("catalog") / "demo.catalog"))


class Listener:
    """Understands messages; what it has understood once it remembers."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.understand = cache(self._understand)
        self.look_up = cache(self._look_up)

    def _look_up(self, message: str) -> dict[str, Lookup]:
        return self.catalog.look_up_all(candidates(message))

    def _understand(self, message: str, asked: Asked | None, appliance: str) -> Understood:
        return understand(
            message,
            candidates(message),
            self.look_up(message),
            literal=(),
            asked=asked,
            appliance=appliance,
        )


def play(state: State, heard: Understood, turn: int) -> tuple[list[Event], State]:
    """Play one turn on the pure core: what the graph's routers and nodes decide, without them."""
    events = resolve(state, heard, turn)
    now = _fold(state, events)
    if any(isinstance(event, SafetyStopped) for event in events):
        return events, now
    for _ in range(40):
        events += take(now)
        now = _fold(state, events)
        if now.done or now.goal is None:
            break
        request = request_for(now.goal, now.slots)
        if isinstance(request, tuple):
            draft = Draft(before=state, given=Given(), seat="customer", events=list(events))
            events.append(QuestionAsked(asked=open_question(draft.now)[0]))
            break
        if isinstance(request, Find) and now.goal is not Goal.FIND:
            events.append(SubjectMissing(name=request.description.value))
        else:
            args = dict(arguments(request))
            events.append(
                ToolReturned(tool=request.tool, goal=now.goal, args=args, verdict="found")
            )
        now = _fold(state, events)
    if _fold(state, events).goal is None:
        events.append(QuestionAsked(asked=goal_asked(voice("en"))))
    return events, _fold(state, events)


def _fold(state: State, events: list[Event]) -> State:
    for event in events:
        state = state.apply(event)
    return state


def check_requests(state: State) -> None:
    """No request exists whose slots are missing or unconfirmed, whatever the goal."""
    for goal, names in REQUIREMENTS.items():
        request = request_for(goal, state.slots)
        if isinstance(request, tuple):
            assert request
            assert set(request) <= {*names, "model"}
            continue
        if isinstance(request, Find) and goal is not Goal.FIND:
            continue  # it looks for the part that the goal is about
        for name in names:
            slot = getattr(state.slots, name)
            assert slot, f"{goal} ran without {name}"
            assert not isinstance(slot, UnconfirmedId)
            assert not isinstance(slot, UnknownId) or isinstance(request, Check)


def test_random_dialogues_on_the_pure_core(catalog: Catalog) -> None:
    listener, rng = Listener(catalog), Random(20_000)
    pool = [rehearsal.message(State(), rng) for _ in range(400)]
    tools = questions = 0
    for _ in range(DIALOGUES):
        state = State()
        for turn in range(1, rng.randint(3, 9)):
            heard = listener.understand(rng.choice(pool), state.asked, state.appliance)
            events, after = play(state, heard, turn)
            problems = AGENT.problems(state, events, after)
            assert not problems, f"{heard.message!r}: {problems}"
            check_requests(after)
            tools += any(isinstance(event, ToolReturned) for event in events)
            questions += after.asked is not None
            state = after
        assert State.model_validate_json(state.model_dump_json()) == state
    assert tools > DIALOGUES / 4, "the dialogues reach tools"
    assert questions > DIALOGUES / 4, "the dialogues reach questions"


async def test_random_dialogues_through_the_store(tmp_path: Path) -> None:
    rng, entries = Random(500), 0
    settings = Settings(home=tmp_path, db="", model="rules")
    async with await open_session("parts", settings=settings) as first:
        host = first.host
        for _ in range(STORED):
            head = await host.create("parts")
            for _turn in range(rng.randint(2, 4)):
                state, _number = await host.state(head, head.head)
                given = AGENT.rehearse(state, rng)
                turn = await host.start(head.id, given)
                assert turn.reply.strip(), given.message
                head, _ = await host.store.read(head.id)
            replayed = await replay(host, head.id)
            assert replayed.identical, replayed.first_difference
            state, _number = await host.state(head, head.head)
            entries += state.entries
            assert len(state.ledger) == min(state.entries, 64)
    assert entries > STORED
