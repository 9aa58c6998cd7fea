"""Fuzz: play an agent against the hostile model and look for broken guarantees.

The lies are searched for in what readers received, by code that the gate does not share.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from traceback import extract_tb
from typing import TYPE_CHECKING

from pydantic import BaseModel

from ruleplay.adversary.cited_truths import Cited
from ruleplay.adversary.hostile import HostileModel
from ruleplay.adversary.lies import Planted, lies_shown, truths_shown
from ruleplay.adversary.verdicts import Span, covering, judged, shares
from ruleplay.errors import UserError
from ruleplay.kernel.agent import State
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay_turn
from ruleplay.kernel.turn import run_turn, state_hash
from ruleplay.records.given import Given
from ruleplay.records.stream import Bus, Item
from ruleplay.records.turns import Head, Turn
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent

STORED_TURNS = 500
KEPT = 50
"""Violations that are listed in full."""
TRUTHS, CITED_TRUTHS, HARD_LIES = 0.95, 0.93, 0.95
"""The least shares: of true sentences shown, of cited ones, of hard lies refused or doubted."""
ENOUGH = 60
"""Sentences from which a share means something: one bad answer takes several with it."""


class FuzzReport(BaseModel):
    """What the hostile model achieved; `violations` are broken guarantees, empty when all held.

    `classes` holds the verdicts on cited lies by class, and on cited truths under `true: …`.
    """

    agent: str
    turns: int
    violations: list[str] = []
    refused: int = 0
    fell_back: int = 0
    lies_planted: int = 0
    unsupported_sentences_shown: int = 0
    true_sentences_offered: int = 0
    true_sentences_shown: int = 0
    replay_identical: bool = True
    classes: dict[str, dict[str, int]] = {}
    seed: int

    @property
    def broken(self) -> bool:
        """Whether a guarantee was broken."""
        offered, shown = self.true_sentences_offered, self.true_sentences_shown
        floor = CITED_TRUTHS if self.classes else TRUTHS
        too_strict = offered >= ENOUGH and shown < floor * offered
        found = shares(self.classes)
        too_lax = found.lies >= ENOUGH and found.hard_stopped < HARD_LIES
        lied = self.unsupported_sentences_shown > 0 or too_lax
        return bool(self.violations) or lied or too_strict or not self.replay_identical


@dataclass
class Fuzz:
    """One fuzz run over one agent."""

    host: Host
    agent: AnyAgent
    model: HostileModel
    report: FuzzReport
    rng: Random
    heard: list[Item] = field(default_factory=list)

    async def play(self, turns: int, on_progress: Callable[[int], None]) -> None:
        """Play all turns, the first 500 through the store."""
        for start in range(0, turns, self.agent.rehearsal):
            count = min(self.agent.rehearsal, turns - start)
            head = await self.host.create(
                self.agent.name, models={"": "hostile"}, seed=f"{self.report.seed}-{start}"
            )
            if start < STORED_TURNS:
                await self.through_store(head, count)
            else:
                await self.through_core(head, count)
            on_progress(start + count)

    async def through_store(self, head: Head, count: int) -> None:
        """Play a session as users do, and replay it from its record."""
        for _ in self._until(count):
            before, _number = await self.host.state(head, head.head)
            seat, given = self.agent.rehearse_seat(before, self.rng)
            playing = run_turn(self.host, head.id, given, seat=seat)
            turn, shown = await self._heard(self.host.bus, head, given, playing)
            if turn is None:
                continue
            head, _ = await self.host.store.read(head.id)
            after, _number = await self.host.state(head, turn.id)
            await self.judge(head, before, turn, after, shown)

    async def through_core(self, head: Head, count: int) -> None:
        """Play turns on a state in memory: the same graph, no storage."""
        state: State
        state, _ = await self.host.state(head, None)
        for number in self._until(count):
            seat, given = self.agent.rehearse_seat(state, self.rng)
            outcome = await self._unstored(head, state, seat, given, number)
            if outcome is not None:
                turn, after, shown = outcome
                await self.judge(head, state, turn, after, shown)
                state = after

    def _until(self, count: int) -> Iterator[int]:
        """Yield numbers until so many turns are played; refused input is tried anew, in bounds."""
        last = self.report.turns + count
        for number in range(1, 2 * count + 1):
            if self.report.turns < last:
                yield number

    async def _unstored(
        self, head: Head, state: State, seat: str, given: Given, number: int
    ) -> tuple[Turn, State, list[Item]] | None:
        run = await self.host.make_run(head, state, given, seat, None, number)
        run.bus = Bus()

        async def played() -> Turn:
            await run.play()
            return run.sealed()[0]

        turn, shown = await self._heard(run.bus, head, given, played())
        return (turn, run.draft.now, shown) if turn else None

    async def _heard(
        self, bus: Bus, head: Head, given: Given, playing: Coroutine[None, None, Turn]
    ) -> tuple[Turn | None, list[Item]]:
        """Return a turn and what was heard of it; None of one that was refused or crashed."""
        with bus.reading(head.id) as reader:
            try:
                turn = await playing
            except UserError:
                return None, []
            except Exception as error:  # noqa: BLE001  # any crash is a finding
                self.violate(_crash(given, error))
                return None, []
            reader.close()
            return turn, [item async for item in reader]

    async def judge(
        self, head: Head, before: State, turn: Turn, after: State, shown: list[Item]
    ) -> None:
        """Hold one turn against the guarantees."""
        events = [self.agent.codec.load(body) for body in turn.events]
        told = self.agent.problems_told(before, turn.given, events, turn.reply, after)
        for problem in told:
            self.violate(f"turn {turn.number}, {turn.given.message!r}: {problem}")
        if not any(text.strip() for text in _told(turn)):
            self.violate(f"turn {turn.number}, {turn.given.message!r}: the reply is empty")
        stored = type(after).model_validate_json(after.model_dump_json())
        if stored != after.model_copy(update={"rules": stored.rules}):
            self.violate(f"turn {turn.number}: the state does not survive storage")
        again, difference = await replay_turn(self.host, head, before, turn)
        if difference or state_hash(again) != turn.state_hash:
            self.report.replay_identical = False
            self.violate(f"turn {turn.number}: replay differs: {str(difference)[:300]}")
        self._count(turn, shown)

    def _count(self, turn: Turn, shown: list[Item]) -> None:
        report, planted = self.report, self.model.take_planted()
        plain = [plant for plant in planted if not isinstance(plant, Cited)]
        streamed = "".join(str(item.body["text"]) for item in shown if item.name == "text")
        received = [*_told(turn), streamed]
        lies = lies_shown(plain, received)
        report.turns += 1
        report.refused += sum(len(call.refusals) for call in turn.calls)
        report.fell_back += sum(call.source == "policy" for call in turn.calls)
        report.lies_planted += sum(plant.kind == "lie" for plant in planted)
        report.true_sentences_offered += sum(plant.kind == "truth" for plant in planted)
        report.true_sentences_shown += truths_shown(plain, received)
        cited, kept = [p for p in planted if isinstance(p, Cited)], _kept(turn)
        # A battle plan is told as well, only not in the reply.
        noted = [p for p in cited if p.kind == "truth" and covering(p.needle, kept)]
        report.true_sentences_shown += len(noted)
        found = judged([p for p in cited if p not in noted], _spans(turn), report.classes)
        report.true_sentences_shown += sum(
            item.kind == "truth" and what != "refused" for item, what in found
        )
        lies += [item for item, what in found if what == "bare"]
        report.unsupported_sentences_shown += len(lies)
        for lie in lies:
            self.violate(_lie(turn, lie))

    def violate(self, what: str) -> None:
        """Note a broken guarantee; beyond the first ones only the count grows."""
        if len(self.report.violations) < KEPT:
            self.report.violations.append(what)


def _told(turn: Turn) -> list[str]:
    return [turn.reply, *(aside.text for aside in turn.asides)]


def _spans(turn: Turn) -> list[Span]:
    """Return what readers got in spans; text without them is code's own or an aside."""
    told = [Span.model_validate(span.model_dump(exclude={"cites"})) for span in turn.spans]
    asides = [Span(text=aside.text, state="plain") for aside in turn.asides]
    return [*(told or [Span(text=turn.reply, state="plain")]), *asides]


def _kept(turn: Turn) -> list[Span]:
    """Return the texts of events that are in no reply."""
    texts = (str(event.get("text", "")) for event in turn.events)
    return [Span(text=text, state="plain") for text in texts if text not in turn.reply]


def _crash(given: Given, error: Exception) -> str:
    """Return what failed, and where."""
    last = extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    return f"{given.message!r}: {type(error).__name__}: {error} ({where})"


def _lie(turn: Turn, lie: Planted) -> str:
    return f"turn {turn.number} showed {lie.sentence!r}: {lie.why}"


async def fuzz(
    agent: AnyAgent,
    *,
    turns: int,
    seed: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> FuzzReport:
    """Play turns of an agent with the hostile model in every role; deterministic by seed."""
    with TemporaryDirectory(prefix="ruleplay-fuzz-") as folder:
        host = await Host.open(Settings(home=Path(folder), db=""), lambda name: agent)
        model = HostileModel(seed)
        host.models.stand_ins["hostile"] = model
        report = FuzzReport(agent=agent.name, turns=0, seed=seed)
        try:
            fuzzing = Fuzz(host, agent, model, report, Random(f"fuzz/{seed}"))
            await fuzzing.play(turns, on_progress)
        finally:
            await host.close()
    return report
