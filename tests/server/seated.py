"""People at a table: clients that sit down, act when they are to move, and are cut off at times."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import httpx
from tests.server.streaming import SECONDS, Life, events_of

HEADER = "Ruleplay-Seat-Token"


@dataclass
class Person(ABC):
    """Somebody at the table: sits down, follows the stream, and acts when it is their turn.

    `seen` are the turns that the stream told of, `answered` those that the server answered with.
    """

    life: Life
    table: str
    seat: str
    url: str
    token: dict[str, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    last: str = ""
    cuts: int = 0
    answered: dict[str, str] = field(default_factory=dict)

    @abstractmethod
    def to_move(self, view: dict[str, object]) -> bool:
        """Tell whether it is this person's move."""

    @abstractmethod
    def act(self, view: dict[str, object]) -> tuple[str, dict[str, object]]:
        """Return the idempotency key of the move, and the input."""

    async def sit(self) -> None:
        """Sit down, over a line that is not cut."""
        answer = await self.life.client.post(f"{self.table}/seats/{self.seat}")
        assert answer.status_code == 201, answer.text
        self.life.client.cookies.clear()
        self.token = {HEADER: answer.json()["token"]}

    async def stay(self) -> None:
        """Follow the table and act, over a line that may be cut, until cancelled."""
        while True:
            with suppress(httpx.HTTPError):
                async with httpx.AsyncClient(base_url=self.url, timeout=SECONDS) as client:
                    await self._follow(client)
            self.cuts += 1
            await asyncio.sleep(0.05)

    async def _follow(self, client: httpx.AsyncClient) -> None:
        shown = await client.get(self.table, params={"seat": self.seat}, headers=self.token)
        headers = self.token | ({"Last-Event-ID": self.last} if self.last else {})
        if self.to_move(shown.json()["view"]):
            await self._act(client)
        async with client.stream(
            "GET", f"{self.table}/events", params={"seat": self.seat}, headers=headers
        ) as response:
            async for got in events_of(response.aiter_lines()):
                self.last = got.id or self.last
                if got.name != "turn.committed":
                    continue
                self.seen.append(str(got.data["turn"]))
                view = got.data["view"]
                assert isinstance(view, dict)
                if self.to_move(view):
                    await self._act(client)

    async def moves(self) -> dict[str, object] | None:
        """Return what this person sees when it is their move now, over a line that is not cut."""
        shown = await self.life.client.get(
            self.table, params={"seat": self.seat}, headers=self.token
        )
        view: dict[str, object] = shown.json()["view"]
        return view if self.to_move(view) else None

    async def _act(self, client: httpx.AsyncClient) -> None:
        """Act; a line that is cut in between leads to the same request, with the same key."""
        if not (view := await self.moves()):
            return
        key, body = self.act(view)
        keyed = self.token | {"Idempotency-Key": key}
        answer = await client.post(
            f"{self.table}/turns?wait=true", json={**body, "seat": self.seat}, headers=keyed
        )
        # Too late is the one refusal there may be: the time was up, or the same was sent before.
        assert answer.status_code in (200, 409), answer.text
        if answer.status_code == 200:
            self.answered[key] = answer.json()["turn"]


async def at_rest(people: Sequence[Person]) -> str:
    """Wait until no person is to move and all have seen the last turn; return it.

    A table that was paused at a person's move goes on with what that person does.
    """
    life, table = people[0].life, people[0].table
    async with asyncio.timeout(SECONDS):
        while True:
            head = (await life.host.store.read(table.rpartition("/")[2]))[0].head or ""
            moving = [person for person in people if await person.moves()]
            if not moving and all(person.seen[-1:] == [head] for person in people):
                return head
            await asyncio.sleep(0.05)
