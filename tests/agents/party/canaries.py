"""A long game full of secrets, and a search for them in everything that seats get of it.

A canary is a word that stands in no other place. Who may know it is written down here when it is
planted, and never asked of the product.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import cast

import httpx
from tests.agents.party.vault import FOUR, OWN, config, own
from tests.server.streaming import Got, Life, events_of, until

from ruleplay.adversary.hostile import HostileModel
from ruleplay.agents.party.agent import LOG
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.state import State
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import Asked, Reply
from ruleplay.records.events import Json

HEADER = "Ruleplay-Seat-Token"
EVERY = (*FOUR, "table")
EACH, SAID, MOVES = 10, 4, 500
"""Canaries that each seat holds at the least; what the DM says in each round; a round's limit."""
WORD = re.compile(r"zq[a-z]+x\d+k")
LEAVING = "go:road"
"""The one way out of the vault, which nobody takes: the game goes on as long as is asked."""


class Scribe(HostileModel):
    """Writes down every prompt; picks what is legal now and then, and else does its worst."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._asked: list[tuple[str, str, str]] = []
        self._rng, self._session = Random(seed), ""

    @property
    def prompts(self) -> list[tuple[str, str, str]]:
        """Return every prompt: the session it was for, the role, and all of its text."""
        return self._asked

    def write_for(self, session: str) -> None:
        """Say which session the next prompts are for."""
        self._session = session

    def reply(self, asked: Asked) -> Reply:
        """Write the prompt down and answer."""
        text = "\n".join(message.text for message in asked.messages)
        self._asked.append((self._session, asked.role, text))
        if asked.role.count(".") == 2 or asked.role == "party.monsters":
            return super().reply(asked)
        first = asked.briefing is not None and not asked.briefing.attempt
        if first and self._rng.random() < 0.2:
            return Reply((self._rng.choice(("{", "no", '{"pick": ["nothing"]}')),))
        listed = text.partition("Options:\n")[2]
        found = re.findall(r"^- (\S+): ", listed, re.MULTILINE)
        # On the way spells cost rounds and lead nowhere.
        idle = ("cast:", "use:", "feature:") if "Round " not in text else ()
        offered = [one for one in found if one != LEAVING and not one.startswith(idle)]
        picked = self._rng.choice(offered) if first else "wait"
        picked = "begin" if "begin" in offered else picked
        # What can no longer be done leaves nothing to the policy, which would take the way out.
        return Reply((json.dumps({"pick": [picked], "instead": ["wait"]}),))


@dataclass
class Hunt:
    """A game that is played, and the canaries in it: each with the seats that may know it."""

    life: Life
    scribe: Scribe
    id: str = ""
    ears: dict[str, set[str]] = field(default_factory=dict)
    heard: dict[str, list[str]] = field(default_factory=dict)
    looked: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    tokens: dict[str, dict[str, str]] = field(default_factory=dict)
    reach: int = 6

    @property
    def path(self) -> str:
        """Return the session's address."""
        return f"/api/sessions/{self.id}"

    @property
    def session(self) -> Session:
        """Return the session."""
        return Session(self.life.host, self.id)

    @classmethod
    async def begin(cls, life: Life, seed: int = 1) -> Hunt:
        """Lay a table for a model that writes everything down."""
        scribe = Scribe(seed)
        life.host.models.stand_ins["scribe"] = scribe
        head = await life.host.create(
            "party", config(), models={"party": "scribe"}, seed=f"canaries {seed}"
        )
        known = {own(seat, n): {seat} for seat in FOUR for n in range(OWN)}
        return cls(life, scribe, head.id, known)

    async def forked(self) -> Hunt:
        """Return the same game in a fork: what is planted from now on stands in one of them."""
        fork = await self.session.fork()
        ears = {word: set(seats) for word, seats in self.ears.items()}
        return Hunt(self.life, self.scribe, fork.id, ears, reach=self.reach)

    async def table(self) -> Table:
        """Return the table as it stands."""
        return State.model_validate_json((await self.session.head()).state).table

    async def play(self, rounds: int, planted: Iterable[tuple[str, str, str]] = ()) -> None:
        """Play so many rounds, with a whisper in each as long as there are any."""
        wanted = iter(planted)
        table = await self.table()
        last = table.round + rounds
        while table.round < last:
            for seat, to, word in islice(wanted, 1):
                await self.whisper(seat, to, word)
            for n in range(SAID):
                words = {"do": "say", "text": f"Round {table.round}, {n}."}
                await self.session.turn(action=cast(Json, words), seat="dm")
            now = table.round
            for _ in range(MOVES):
                await self.move(table)
                table = await self.table()
                if table.round != now:
                    break
            assert table.round != now, f"round {now} never ended"
            assert table.mode != "ended", "the game is over before its time"
        for seat, to, word in wanted:
            await self.whisper(seat, to, word)

    async def move(self, table: Table) -> None:
        """Let whoever is to move act: over HTTP where somebody sits."""
        self.scribe.write_for(self.id)
        seat = table.current_turn
        if seat not in self.tokens:
            await self.session.turn(action={"do": "play"})
            return
        view = await self._get("", seat)
        options = [one["id"] for one in json.loads(view)["view"]["options"]]
        body = {"action": {"do": "choose", "options": [options[-1]]}, "seat": seat}
        answer = await self.life.client.post(
            f"{self.path}/turns?wait=true", json=body, headers=self.tokens[seat]
        )
        assert answer.status_code == 200, answer.text

    async def whisper(self, seat: str, to: str, word: str) -> None:
        """Whisper a canary: as an action, or in words that are typed."""
        self.ears[word] = {seat, to} - {"dm"}
        self.scribe.write_for(self.id)
        if seat == "dm" or seat not in self.tokens:
            words = {"do": "whisper", "to": [to], "text": f"Keep {word}."}
            await self.session.turn(action=cast(Json, words), seat=seat)
            return
        body = {"message": f"I whisper to {to.title()}: keep {word}", "seat": seat}
        answer = await self.life.client.post(
            f"{self.path}/turns?wait=true", json=body, headers=self.tokens[seat]
        )
        assert answer.status_code == 200, answer.text

    async def sit(self) -> None:
        """Sit down on every character's seat."""
        for seat in FOUR:
            answer = await self.life.client.post(f"{self.path}/seats/{seat}")
            assert answer.status_code == 201, answer.text
            self.life.client.cookies.clear()
            self.tokens[seat] = {HEADER: answer.json()["token"]}

    async def leave(self) -> None:
        """Leave all seats."""
        for seat, token in self.tokens.items():
            answer = await self.life.client.delete(f"{self.path}/seats/{seat}", headers=token)
            assert answer.status_code == 200, answer.text
        self.tokens.clear()

    @asynccontextmanager
    async def streamed(self, seats: Iterable[str], after: str = "") -> AsyncIterator[None]:
        """Write down what seats hear over HTTP, up to the turn that is the head at the end."""
        ends = {seat: asyncio.Event() for seat in seats}
        wanted: list[str] = []
        following = [
            asyncio.create_task(self._follow(seat, after, ends[seat], wanted)) for seat in ends
        ]
        try:
            bus = self.life.host.bus
            await until(lambda: bus.readers >= len(ends))
            yield
            wanted.append((await self.session.head()).head or "")
            # Something to hear, so that whoever has heard the last turn already sees that.
            await self.session.turn(action={"do": "say", "text": "That is all."}, seat="dm")
            async with asyncio.timeout(600):
                await asyncio.gather(*(end.wait() for end in ends.values()))
        finally:
            for task in following:
                task.cancel()
            done = await asyncio.gather(*following, return_exceptions=True)
        for one in done:
            if isinstance(one, Exception):
                raise one

    async def _follow(self, seat: str, after: str, end: asyncio.Event, wanted: list[str]) -> None:
        headers = self.tokens.get(seat, {}) | ({"Last-Event-ID": after} if after else {})
        told, seen = self.heard.setdefault(seat, []), set[object]()
        async with (
            httpx.AsyncClient(base_url=self.life.url, timeout=None) as client,
            client.stream(
                "GET", f"{self.path}/events", params={"seat": seat}, headers=headers
            ) as response,
        ):
            assert response.status_code == 200
            async for got in events_of(response.aiter_lines()):
                told.append(_shown(got))
                self.looked["stream items"] += 1
                if got.name == "turn.committed":
                    seen.add(got.data["turn"])
                    if wanted and wanted[0] in seen:
                        end.set()

    async def look(self) -> None:
        """Look for canaries in everything that each seat can get of the session."""
        await self._know_finds()
        seated = not self.tokens
        if seated:
            await self.sit()
        # Readers who come back are told what they missed, as far back as that is done one by one.
        missed = (await self.session.turns())[-self.reach :][0].id
        async with self.streamed(EVERY, after=f"{missed}:2147483647"):
            pass
        state = await self.table()
        for seat in EVERY:
            for where, text in (await self._reached(seat, state)).items():
                self._search(seat, where, text)
            self._search(seat, "stream", "".join(self.heard[seat]))
        self._search_prompts()
        await self._keeps()
        if seated:
            await self.leave()

    async def _reached(self, seat: str, table: Table) -> dict[str, str]:
        """Return what a seat can get, by way; over HTTP it needs the seat's token."""
        store, head = self.life.host.store, (await self.session.head()).head
        chronicle = await store.messages(head, seat, 100_000, 100_000)
        found = {
            "view": json.dumps(await self.session.view(seat)),
            "memory": table.memories[seat].model_dump_json(),
            "chronicle": "\n".join(line.text for line in chronicle),
            "HTTP session": await self._get("", seat),
            "HTTP export": await self._get("/export", seat),
            "HTTP JSON": await self._get("/export?format=json", seat),
        }
        turns = await self.session.turns()
        for turn in turns[:: max(1, len(turns) // self.reach)]:
            found[f"HTTP turn {turn.number}"] = await self._get(f"/turns/{turn.id}", seat)
        return found

    async def _get(self, path: str, seat: str) -> str:
        where = f"{self.path}{path}{'&' if '?' in path else '?'}seat={seat}"
        answer = await self.life.client.get(where, headers=self.tokens.get(seat, {}))
        assert answer.status_code == 200, answer.text
        return answer.text

    async def _know_finds(self) -> None:
        """Write down who was dealt and who found what, from the happenings themselves."""
        for turn in await self.session.turns():
            for event in turn.events:
                key = str(event.get("secret") or event.get("clue"))
                if event["type"] == "SecretDealt":
                    self.ears[f"zqburdenx{key.rpartition('-')[2]}k"] = {str(event["who"])}
                if event["type"] == "ClueFound":
                    self.ears[f"zqfindx{key.rpartition('-')[2]}k"] = {str(event["who"])}

    def _search(self, seat: str, where: str, text: str) -> None:
        """Look into a text that a seat has got; a word that nobody may know yet is a leak too."""
        self.looked["HTTP turn" if where.startswith("HTTP turn") else where] += 1
        for word in set(WORD.findall(text)):
            if seat not in self.ears.get(word, ()):
                self.leaks.append(f"{word} reached {seat} by {where}")

    def _search_prompts(self) -> None:
        """Look into the prompts: of what all hear none holds a secret, of a seat's only its own."""
        for session, role, text in self.scribe.prompts:
            seat, voice = role.split(".")[1], role.endswith(".voice")
            if session != self.id or (seat not in FOUR and not voice):
                continue
            self.looked[f"prompt of {role}"] += 1
            for word in set(WORD.findall(text)):
                if voice or seat not in self.ears.get(word, ()):
                    self.leaks.append(f"{word} stood in a prompt of {role}")

    async def _keeps(self) -> None:
        """A search that finds nothing must not be one that sees nothing: each seat has its own."""
        for seat in FOUR:
            shown = await self._get("", seat)
            known = {word for word, ears in self.ears.items() if seat in ears}
            lost = known - set(WORD.findall(shown))
            assert not lost, (seat, lost)
            assert len(known) >= EACH, (seat, len(known))
        # What is long past has been condensed, and is looked for all the same.
        memories = (await self.table()).memories
        self.looked["condensed memories"] += sum(bool(one.digest) for one in memories.values())
        log = await self.life.host.store.messages(
            (await self.session.head()).head, LOG, 10**5, 10**5
        )
        assert any(WORD.search(line.text) for line in log)


def _shown(got: Got) -> str:
    """Return what a page would show: pieces of a text as they are, so that they join."""
    return str(got.data["text"]) if got.name == "text" else f"\n{json.dumps(got.data)}\n"


def whispers(tag: str = "") -> list[tuple[str, str, str]]:
    """Return the whispers of a game: four to each seat from the DM, and one to its neighbour."""
    seats = [*FOUR]
    found = [("dm", seat, f"zqdm{tag}{seat}x{n}k") for n in range(4) for seat in seats]
    around = zip(seats, (*seats[1:], seats[0]), strict=True)
    return found + [(one, other, f"zqpair{tag}{one}x0k") for one, other in around]


async def hunted(life: Life, rounds: int, seed: int = 2, reach: int = 6) -> tuple[Hunt, Hunt]:
    """Play a long game and a fork of it, with people at the seats in between, and look all over."""
    hunt = await Hunt.begin(life, seed)
    hunt.reach = reach
    async with hunt.streamed(["table"]):
        await hunt.play(rounds // 2, whispers())
    await hunt.sit()
    async with hunt.streamed(EVERY):
        await hunt.play(2, [(one, other, f"zqtyped{one}x0k") for one, other in _around()])
    await hunt.leave()
    fork = await hunt.forked()
    async with fork.streamed(["table"]):
        await fork.play(max(3, rounds // 10), whispers("fork"))
    await hunt.play(rounds - rounds // 2 - 2, whispers("late"))
    await _branch_off(hunt)
    for one in (hunt, fork):
        await one.look()
    return hunt, fork


def _around() -> list[tuple[str, str]]:
    seats = [*FOUR]
    return [*zip(seats, (*seats[1:], seats[0]), strict=True)]


async def _branch_off(hunt: Hunt) -> None:
    """Leave branches behind: a whisper that is taken back, a turn that is told anew."""
    await hunt.whisper("dm", "anna", "zqbackx0k")
    hunt.ears["zqbackx0k"] = set()
    await hunt.session.undo()
    await hunt.play(1)
    await hunt.session.regenerate()
