"""A person's seat in a battle against us: its questions wait for orders that come from outside."""

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
"""How long a person may think; then the battle is given up for them."""
LINES_SHOWN = 400
TOLD = re.compile(
    r"\|(turn|switch|drag|replace|faint|cant|move|win|tie|detailschange"
    r"|-(damage|heal|sethp|status|curestatus|boost|unboost|weather|fieldstart|fieldend|sidestart"
    r"|sideend|supereffective|resisted|immune|crit|miss|fail|terastallize|item|enditem|ability"
    r"|start|end))(\||$)"
)
"""Lines of the protocol that tell a battle."""


@dataclass
class PersonSeat:
    """What a person at the battle is asked and sees; a chooser to the client that sits there.

    `version` grows with everything new, so that whoever looks again can wait for more.
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
        """Whether an order is waited for."""
        return self._answer is not None and not self._answer.done()

    @property
    def record(self) -> str:
        """The battle so far, as Showdown's log of it."""
        return "\n".join(self._contest.log) if self._contest else ""

    async def begin(self, contest: Contest) -> None:
        """Sit down."""
        self._contest = contest

    async def choose(self, contest: Contest) -> str:
        """Ask, and wait for the person's order; who gives up or goes away forfeits."""
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
        """There is nothing to do off the clock."""

    async def end(self, contest: Contest) -> None:
        """Let the last lines be seen, and what they did."""
        if self.position is not None:
            self.position = self._witness.closing(contest, self.position)
        self._tell()

    def order(self, request: int, order: Order | None) -> None:
        """Answer the open question; None gives the battle up.

        Conflict when another question or none is open, UserError for an order that is not legal.
        """
        position, answer = self.position, self._answer
        if position is None or answer is None or answer.done() or position.request_id != request:
            raise Conflict("that question is not open; look at the seat again")
        if order is not None and order not in position.legal:
            raise UserError("that order is not among the legal ones")
        answer.set_result(order)

    async def news(self, after: int) -> None:
        """Wait until there is more than version `after`."""
        while self.version <= after:
            await self._news.wait()

    def wake(self) -> None:
        """Send those who wait away with what there is."""
        self._tell()

    def _tell(self) -> None:
        if self._contest is not None:
            kept = [line for line in self._contest.log if TOLD.match(line)]
            self.lines = kept[-LINES_SHOWN:]
        self.version += 1
        self._news.set()
        self._news = asyncio.Event()
