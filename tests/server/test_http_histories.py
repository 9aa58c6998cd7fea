"""Two thousand things that chat programs do with a history: the turn is found, or it is said."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from ruleplay.kernel.host import Host

Serve = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]
STEPS = 1_000
LOST = "*I do not find what was said before"
DOES = ("on", "on", "on", "edit", "again", "switch", "trim", "cut", "half", "twice", "new", "alien")


@dataclass(frozen=True)
class Node:
    """A reply in a chat; `path` are all questions and replies up to it, as they really were."""

    parent: Node | None
    asked: str
    replied: str
    shown: str
    session: str

    @property
    def line(self) -> tuple[Node, ...]:
        return (*(self.parent.line if self.parent else ()), self)

    @property
    def path(self) -> tuple[tuple[str, str], ...]:
        return tuple((node.asked, node.replied) for node in self.line)

    @property
    def sent(self) -> tuple[tuple[str, str], ...]:
        return tuple((node.asked, node.shown) for node in self.line)


@dataclass
class Chat:
    """A chat as its program keeps it: a tree of replies, and where the person is."""

    ident: str
    nonce: str
    nodes: list[Node] = field(default_factory=list)
    here: Node | None = None


class Program:
    """A chat program with many chats, which does whatever such programs do."""

    def __init__(self, client: httpx.AsyncClient, app: FastAPI, folder: Path, seed: int) -> None:
        self.client, self.app, self.rng = client, app, random.Random(seed)
        self.host: Host = app.state.host
        self.folder = folder
        self.chats: list[Chat] = []
        self.seen: Counter[str] = Counter()
        self.sessions: set[str] = set()

    async def step(self) -> None:
        does = self.rng.choice(DOES)
        if does in ("new", "alien") or len(self.chats) < 4:
            await (self.alien() if does == "alien" else self.new_chat())
            return
        chat = self.rng.choice(self.chats)
        if chat.here is None:
            chat.here = self.rng.choice(chat.nodes)
        if does == "edit":
            node = self.rng.choice(chat.here.line)
            await self.ask(chat, node.parent, self.words(chat), does)
        elif does == "again":
            await self.ask(chat, chat.here.parent, chat.here.asked, does)
        elif does == "switch":
            await self.ask(chat, self.rng.choice(chat.nodes), self.words(chat), does)
        elif does == "half":
            at = self.rng.randrange(len(chat.here.replied) // 2, len(chat.here.replied))
            shown = chat.here.replied[:at]
            node = Node(
                chat.here.parent, chat.here.asked, chat.here.replied, shown, chat.here.session
            )
            await self.ask(chat, node, self.words(chat), does)
        else:
            await self.ask(chat, chat.here, self.words(chat), does)

    async def new_chat(self) -> None:
        """Begin a chat, sometimes word for word like another one."""
        named = self.rng.random() < 0.5
        number = str(len(self.chats))
        twin = named and self.chats and self.rng.random() < 0.3
        chat = Chat(number if named else "", "" if named else f" in chat {number}")
        self.chats.append(chat)
        await self.ask(chat, None, "add 1" if twin else self.words(chat), "new")

    async def alien(self) -> None:
        """Send a history of which nothing was said here: it has to be said."""
        strange = [("How are you?", f"Fine, {self.rng.random()}")]
        answer = await self.send(Chat("", ""), strange, "add 1")
        reply = answer.json()["choices"][0]["message"]["content"]
        assert reply.startswith(LOST)
        self.sessions.add(answer.headers["ruleplay-session"])
        self.seen["alien"] += 1

    def words(self, chat: Chat) -> str:
        return f"add {self.rng.randrange(1, 6)}{chat.nonce}"

    async def ask(self, chat: Chat, after: Node | None, asked: str, does: str) -> None:
        """Ask after a reply; the turn has to be where the person was in this very chat."""
        history = list(after.sent) if after else []
        if does == "cut" and len(history) > 1:
            history = history[self.rng.randrange(1, len(history)) :]
        if does == "trim":
            history = [(q.replace(" ", "  "), f"<think>hm</think>{r}\n") for q, r in history]
        twice = does == "twice" and (chat.ident or after)
        if twice:
            answers = await self.at_once(chat, history, asked := self.held(chat))
        else:
            answers = [await self.send(chat, history, asked)]
        turns = {answer.headers["ruleplay-turn"] for answer in answers}
        assert len(turns) == 1, "the same request at once is one turn"
        await self.check(chat, after, history, asked, answers[0], does)

    def held(self, chat: Chat) -> str:
        """Return words whose turn ends when a file is there, which is new."""
        return f"hold 2 {self.folder / str(self.seen.total())}{chat.nonce}"

    async def at_once(
        self, chat: Chat, history: list[tuple[str, str]], asked: str
    ) -> list[httpx.Response]:
        """Send the same twice, so that both wait for a turn that runs."""
        gate = Path(asked.split(" ", 2)[2])
        asking = [asyncio.create_task(self.send(chat, history, asked)) for _ in range(2)]
        async with asyncio.timeout(60):
            while self.app.state.plays.listeners < 2 and not any(one.done() for one in asking):
                await asyncio.sleep(0)
        await asyncio.to_thread(gate.touch)
        return await asyncio.gather(*asking)

    async def check(
        self,
        chat: Chat,
        after: Node | None,
        history: list[tuple[str, str]],
        asked: str,
        answer: httpx.Response,
        does: str,
    ) -> None:
        session = answer.headers["ruleplay-session"]
        replied = answer.json()["choices"][0]["message"]["content"]
        turn = await self.host.store.turn(answer.headers["ruleplay-turn"])
        line = await self.host.store.lineage(turn.parent)
        course = tuple((one.given.message, one.reply) for one in line)
        if after is None:
            assert not course
            if chat.ident and chat.nodes:
                assert session == chat.nodes[0].session
        else:
            assert not replied.startswith(LOST), (does, history)
            assert session in self.sessions, "a new session, and not a word about it"
            if course == after.path and session != after.session and not chat.ident:
                self.seen["twins"] += 1  # equal first words, told apart by an id only
            elif course != after.path or session != after.session:
                assert self.ambiguous(chat, after, does), (does, history, course, after.path)
                self.seen["ambiguous"] += 1
                assert not chat.ident or session == after.session
                return
        self.sessions.add(session)
        chat.here = Node(after, asked, replied, replied, session)
        chat.nodes.append(chat.here)
        self.seen[does] += 1

    def ambiguous(self, chat: Chat, after: Node, does: str) -> bool:
        """Tell whether what was sent fits another place of the chat just as well.

        Of a cut history only its end is sent, and of a stopped reply its beginning.
        """
        if does == "cut":
            ends = {node.path for node in chat.nodes if node.path[-1:] == after.path[-1:]}
            return len(ends) > 1
        questions = [question for question, _ in after.path]
        alike = {n.path for n in chat.nodes if [question for question, _ in n.path] == questions}
        return len(alike) > 1

    async def send(self, chat: Chat, history: list[tuple[str, str]], asked: str) -> httpx.Response:
        messages = [{"role": "system", "content": f"It is {self.rng.random()}"}]
        for question, reply in history:
            messages += [
                {"role": "user", "content": question},
                {"role": "assistant", "content": reply},
            ]
        messages.append({"role": "user", "content": asked})
        headers = {"X-OpenWebUI-Chat-Id": chat.ident} if chat.ident else {}
        answer = await self.client.post(
            "/v1/chat/completions", json={"model": "tally", "messages": messages}, headers=headers
        )
        assert answer.status_code == 200, answer.text
        return answer


@pytest.mark.parametrize("seed", [19, 20])
async def test_a_thousand_behaviours_find_their_turns(
    serve: Serve, tmp_path: Path, seed: int
) -> None:
    async with serve() as client:
        app = client._transport.app  # type: ignore[attr-defined]  # the one that is served
        assert isinstance(app, FastAPI)
        program = Program(client, app, tmp_path, seed)
        for _ in range(STEPS):
            await program.step()
    assert program.seen["ambiguous"] < STEPS / 50, program.seen
    assert set(DOES) <= set(program.seen), program.seen
