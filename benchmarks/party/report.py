"""`ruleplay bench party`: what a turn of a long game costs, and that prompts stay of one size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.party import prompts
from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.agent import AGENT
from ruleplay.agents.party.domain.choices import WAIT, choices
from ruleplay.agents.party.domain.exploration.acts import options
from ruleplay.agents.party.domain.knowledge import tellable
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.policy.picking import situation
from ruleplay.agents.party.state import State
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.settings import Settings

TURNS, BLOCK, OVERHEAD_MS = 1_000, 100, 50.0
Progress = Callable[[int, int], None]


class PartyBench(BaseModel):
    """What turns of one long session cost, in milliseconds, and its prompts, in characters.

    `fresh_block_ms` is the block of a session that begins where the long one's last block does,
    with no turn behind it, played turn about with it; `ratio` compares them. `overhead_ms` is the
    median of all turns, without any model. Prompts are those of the seat that is to move.
    """

    model_config = ConfigDict(frozen=True)

    turns: int
    fresh_block_ms: float
    last_block_ms: float
    ratio: float
    overhead_ms: float
    overhead_most_ms: float
    within_budget: bool
    prompt_first_block: int
    prompt_last_block: int
    prompt_most: int
    state_bytes_first_block: int
    state_bytes_last_block: int


async def bench_party(
    turns: int = TURNS, on_progress: Progress = lambda done, of: None
) -> PartyBench:
    """Play one session of so many turns with model `rules`, and a fresh one beside its end."""
    with TemporaryDirectory(prefix="ruleplay-bench-") as scratch:
        settings = Settings(home=Path(scratch), db="", model="rules")
        host = await Host.open(settings, lambda name: AGENT)
        try:
            long, fresh = await Played.begin(host), None
            for number in range(turns):
                if number == turns - BLOCK:
                    fresh = await long.twin()
                await long.turn()
                if fresh:
                    await fresh.turn()
                on_progress(number + 1, turns)
            return _figures(long, fresh or long)
        finally:
            await host.close()


def _figures(long: Played, fresh: Played) -> PartyBench:
    last, beside, whole = median(long.ms[-BLOCK:]), median(fresh.ms), median(long.ms)
    return PartyBench(
        turns=len(long.ms),
        fresh_block_ms=round(beside, 2),
        last_block_ms=round(last, 2),
        ratio=round(last / beside, 2),
        overhead_ms=round(whole, 2),
        overhead_most_ms=round(max(long.ms), 2),
        within_budget=whole < OVERHEAD_MS,
        prompt_first_block=round(median(long.prompt[:BLOCK])),
        prompt_last_block=round(median(long.prompt[-BLOCK:])),
        prompt_most=max(long.prompt),
        state_bytes_first_block=round(median(long.bytes[:BLOCK])),
        state_bytes_last_block=round(median(long.bytes[-BLOCK:])),
    )


@dataclass
class Played:
    """One session while it is played, and what its turns cost."""

    session: Session
    ms: list[float] = field(default_factory=list)
    prompt: list[int] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)

    @classmethod
    async def begin(cls, host: Host) -> Played:
        """Lay a table."""
        return cls(Session(host, (await host.create("party", seed="bench")).id))

    async def twin(self) -> Played:
        """Return a session that stands where this one does, with no turn behind it."""
        head, host = await self.session.head(), self.session.host
        young = f"{head.id[:-1]}t"
        fresh = {"id": young, "head": None, "number": 0, "version": 1}
        await host.store.create(head.model_copy(update=fresh))
        return Played(Session(host, young))

    async def turn(self) -> None:
        """Play one turn; what would end the adventure is put off."""
        state = await self._state()
        self.prompt.append(prompt_size(state))
        self.bytes.append(len(state.model_dump_json()))
        began = perf_counter()
        await self.session.turn(action=next_action(state))
        self.ms.append((perf_counter() - began) * 1000)

    async def _state(self) -> State:
        return State.model_validate_json((await self.session.head()).state)


def next_action(state: State) -> Json:
    """Return what is played next: the seat plays itself, but puts off what would be the end."""
    table, book = state.table, open_book(state.adventure, state.source, state.rules)
    now, seat = table.expedition, table.current_turn
    if table.mode != "exploring" or seat == DM:
        return {"do": "play"}
    offered = options(now, book.story, seat)
    if any(one.weight > 2 and not one.closing for one in offered):
        return {"do": "play"}
    ways = [one.id for one in offered if not one.closing] or [WAIT]
    return {"do": "choose", "options": [ways[table.round % len(ways)]]}


def prompt_size(state: State) -> int:
    """Return the characters of the prompt for the seat that is to move."""
    table, book = state.table, open_book(state.adventure, state.source, state.rules)
    seat = table.current_turn
    labelled = [(one.id, one.label.of(table.lang)) for one in choices(table, book, seat)]
    stands, remembered = situation(table, book, seat), recalled(table, book, seat)
    if seat == DM:
        asked = prompts.master_turn(table.lang, stands, labelled, [], [], remembered[-12:], "")
    else:
        known = [one.text for one in tellable(table, book, seat)]
        name, persona = table.name(seat), table.personas.get(seat, Persona())
        asked = prompts.pc_plan(name, persona, table.lang, stands, labelled, remembered, known, ())
    return len(asked.system) + len(asked.user)
