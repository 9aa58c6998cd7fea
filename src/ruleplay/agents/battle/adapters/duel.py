"""A person's seat in a battle against us: requests wait for orders from outside."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field

from ruleplay.agents.battle.adapters.contest import Contest
from ruleplay.agents.battle.adapters.player import Witness
from ruleplay.agents.battle.domain.orders import DefaultOrder, Order
from ruleplay.agents.battle.domain.position import Position
from ruleplay.errors import Conflict, UserError

IDLE_SECONDS = 1_800
"""How long a person may think; after that the battle is forfeited for them."""
LINES_SHOWN = 400
"""Lines of the log that the page receives."""
TOLD = re.compile(
    r"\|(turn|switch|drag|replace|faint|cant|move|win|tie|detailschange"
    r"|-(damage|heal|sethp|status|curestatus|boost|unboost|weather|fieldstart|fieldend|sidestart"
    r"|sideend|supereffective|resisted|immune|crit|miss|fail|terastallize|item|enditem|ability"
    r"|start|end))(\||$)"
)
"""Lines of the protocol that the page shows."""


@dataclass
class PersonSeat:
    """A chooser that asks a person, and what the person sees.

    `version` increases with everything new, so that clients can wait for more.
    """

    idle: float = IDLE_SECONDS
    position: Position | None = None
    version: int = 0
    lines: list[str] = field(default_factory=list)
    _witness: Witness = field(default_factory=Witness)
    _contest: Contest | None = None
    _answer: asyncio.Future[Order | None] | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def asked(self) -> bool:
        """Whether it waits for an order."""
        return self._answer is not None and not self._answer.done()

    @property
    def record(self) -> str:
        """The battle so far as Showdown's log."""
        return "\n".join(self._contest.log) if self._contest else ""

    async def begin(self, contest: Contest) -> None:
        """Remember the battle."""
        self._contest = contest

    async def choose(self, contest: Contest) -> str:
        """Wait for the person's order; giving up or not answering in time forfeits."""
        position = self._witness.position(contest)
        left = tuple(o for o in position.legal if position.wire(o) not in contest.refused)
        self.position = position.model_copy(update={"legal": left or (DefaultOrder(),)})
        self._answer = asyncio.get_running_loop().create_future()
        self._tell()
        try:
            async with asyncio.timeout(self.idle):
                order = await self._answer
        except TimeoutError:
            order = None
        self._answer = None
        self._tell()
        if order is not None:
            return self.position.wire(order)
        return await contest.give_up()

    async def sent(self, contest: Contest) -> None:
        """Do nothing between decisions."""

    async def end(self, contest: Contest) -> None:
        """Show the last lines and their effect."""
        if self.position is not None:
            self.position = self._witness.closing(contest, self.position)
        self._tell()

    def order(self, request: int, order: Order | None) -> None:
        """Answer the open request; None gives the battle up.

        Conflict if this request is not open, UserError for an illegal order.
        """
        position, answer = self.position, self._answer
        if position is None or answer is None or answer.done() or position.request_id != request:
            raise Conflict("that question is not open; look at the seat again")
        if order is not None and order not in position.legal:
            raise UserError("that order is not among the legal ones")
        answer.set_result(order)

    async def news(self, after: int) -> None:
        """Wait for a version later than `after`."""
        while self.version <= after:
            await self._news.wait()

    def wake(self) -> None:
        """Let everybody who waits return with what there is."""
        self._tell()

    def _tell(self) -> None:
        if self._contest is not None:
            kept = [line for line in self._contest.log if TOLD.match(line)]
            self.lines = kept[-LINES_SHOWN:]
        self.version += 1
        self._news.set()
        # Those who waited hold the old event; later calls wait for the next one.
        self._news = asyncio.Event()
