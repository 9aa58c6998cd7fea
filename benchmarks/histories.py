"""Whether turns are found, whatever chat programs do with a history: random programs on one server.

    python -m benchmarks.histories [--behaviours 2000] [--seed 19] [--json FILE]

The programs are simulated, the server is real but for its port: a tree of replies in each chat, of
which some have ids, and whatever people and programs do with it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from fastapi import FastAPI

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.server.app import create_app
from ruleplay.settings import Settings

OUTSIDE = Path(__file__).parents[1] / "tests" / "cli" / "outside"
"""Where the agent is found that is played: it adds numbers up, and can be held."""
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
        """The replies up to this one."""
        return (*(self.parent.line if self.parent else ()), self)

    @property
    def path(self) -> tuple[tuple[str, str], ...]:
        """What was asked and replied, as it really was."""
        return tuple((node.asked, node.replied) for node in self.line)

    @property
    def sent(self) -> tuple[tuple[str, str], ...]:
        """The same as the program has it."""
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
        self.wrong: list[str] = []

    async def step(self) -> None:
        """Do one thing in one chat."""
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
        """Begin a chat, sometimes word for word like another one.

        Of chats without an id most have words of their own, as people's have.
        """
        named, twin = self.rng.random() < 0.5, self.rng.random() < 0.3
        number = str(len(self.chats))
        chat = Chat(number if named else "", "" if named or twin else f" in chat {number}")
        self.chats.append(chat)
        await self.ask(chat, None, "add 1" if twin else self.words(chat), "new")

    async def alien(self) -> None:
        """Send a history of which nothing was said here: it has to be said."""
        strange = [("How are you?", f"Fine, {self.rng.random()}")]
        answer = await self.send(Chat("", ""), strange, "add 1")
        reply = answer.json()["choices"][0]["message"]["content"]
        self.expect(reply.startswith(LOST), "a silent new session", strange)
        self.sessions.add(answer.headers["ruleplay-session"])
        self.seen["alien"] += 1

    def words(self, chat: Chat) -> str:
        """Return something to say."""
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
        self.expect(len(turns) == 1, "the same request at once is two turns", asked)
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
            while (  # noqa: ASYNC110 - nothing tells of listeners
                self.app.state.replies.listeners < 2 and not any(one.done() for one in asking)
            ):
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
        """Hold the turn that was played against where the person was."""
        session = answer.headers["ruleplay-session"]
        replied = answer.json()["choices"][0]["message"]["content"]
        turn = await self.host.store.turn(answer.headers["ruleplay-turn"])
        line = await self.host.store.lineage(turn.parent)
        course = tuple((one.given.message, one.reply) for one in line)
        if after is None:
            self.expect(not course, "a first message after others", course)
            known = chat.nodes[0].session if chat.ident and chat.nodes else session
            self.expect(session == known, "another session in a chat with an id", does)
        else:
            new = replied.startswith(LOST) or session not in self.sessions
            self.expect(not new, "a new session", (does, history))
            if course == after.path and session != after.session and not chat.ident:
                self.seen["twins"] += 1  # equal first words, told apart by an id only
            elif course != after.path or session != after.session:
                self.expect(self.ambiguous(chat, after, does), "a wrong turn", (does, history))
                inside = session == after.session or not chat.ident
                self.expect(inside, "another session in a chat with an id", (does, history))
                self.seen["ambiguous with an id" if chat.ident else "ambiguous"] += 1
                return
        self.sessions.add(session)
        chat.here = Node(after, asked, replied, replied, session)
        chat.nodes.append(chat.here)
        self.seen[does] += 1

    def expect(self, true: bool, what: str, about: object) -> None:
        """Take note of what went wrong."""
        if not true:
            self.wrong.append(f"{what}: {about!r}")

    def ambiguous(self, chat: Chat, after: Node, does: str) -> bool:
        """Tell whether what was sent fits another place just as well.

        Of a cut history only its end is sent, and of a stopped reply its beginning. An id says in
        which chat, without one all of them are places.
        """
        chats = [chat] if chat.ident else self.chats
        nodes = [node for one in chats for node in one.nodes]
        if does == "cut":
            ends = {node.path for node in nodes if node.path[-1:] == after.path[-1:]}
            return len(ends) > 1
        questions = [question for question, _ in after.path]
        alike = {n.path for n in nodes if [question for question, _ in n.path] == questions}
        return len(alike) > 1

    async def send(self, chat: Chat, history: list[tuple[str, str]], asked: str) -> httpx.Response:
        """Send a history and what is asked now."""
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
        answer.raise_for_status()
        return answer


async def play(behaviours: int, seed: int, folder: Path) -> Program:
    """Let programs do so many things."""
    app = create_app(Settings(home=folder, model="rules"), find_agent, folder / "no page")
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client,
    ):
        program = Program(client, app, folder, seed)
        for _ in range(behaviours):
            await program.step()
    return program


def main() -> None:
    """Play, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--behaviours", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    sys.path.insert(0, str(OUTSIDE))
    with tempfile.TemporaryDirectory() as folder:
        program = asyncio.run(play(given.behaviours, given.seed, Path(folder)))
    report = {
        "behaviours": given.behaviours,
        "seed": given.seed,
        "chats": len(program.chats),
        "sessions": len(program.sessions),
        "done": dict(sorted(program.seen.items())),
        "wrong": program.wrong,
    }
    text = json.dumps(report, indent=2)
    sys.stdout.write(text + "\n")
    if given.json:
        given.json.write_text(text + "\n")
    sys.exit(bool(program.wrong))


if __name__ == "__main__":
    main()
