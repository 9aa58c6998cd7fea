"""A session that a stranger played with a strong model, each of their turns played again.

Each turn begins from the state that was recorded before it, with the replies that the model gave
then, role by role; marks of a telling are carried over to the beats of now by what these say.
`python -m tests.agents.party.replayed` prints the turns as they go now.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from tests.agents.saga.replayed import moved

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.models.scripted import Asked, Rehearsal, Reply
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings
from ruleplay.storage.backup import restore

STORED = Path(__file__).parent / "sessions" / "glass-orchard.backup"
_BEAT = re.compile(r"^\[(b\d+)\] (.*)$", re.MULTILINE)


class Recorded(Rehearsal):
    """Gives the replies of a recorded turn in the order in which each role was asked."""

    def __init__(self) -> None:
        super().__init__()
        self._replies: defaultdict[str, deque[str]] = defaultdict(deque)
        self._beats: dict[str, str] = {}
        self._asked: list[tuple[str, str]] = []

    @property
    def asked(self) -> list[tuple[str, str]]:
        """Return every prompt of this turn, with its role."""
        return self._asked

    def take(self, turn: Turn) -> None:
        """Begin a turn: what was answered then is answered now."""
        self._replies.clear()
        self._asked, self._beats = [], {}
        for call in turn.calls:
            texts = [reply.text for reply in call.replies]
            self._replies[call.role].extend(texts[-1:])
            if call.role == "party.dm.voice":
                self._beats = dict(_BEAT.findall(call.asked))

    def reply(self, asked: Asked) -> Reply:
        """Return what was answered then; nothing where nobody was asked."""
        prompt = str(asked.messages[-1].content)
        self._asked.append((asked.role, prompt))
        if asked.role == "party.dm.aside":
            return Reply(("Look at what stands there and choose as you like [b1].",))
        replies = self._replies[asked.role]
        text = replies.popleft() if replies else '{"say": ""}'
        if asked.role == "party.dm.voice":
            text = moved(text, self._beats, dict(_BEAT.findall(prompt)))
        return Reply((text,))


@dataclass(frozen=True)
class Again:
    """A turn as it was, as it goes now, and what was asked for it."""

    then: Turn
    now: Turn
    asked: tuple[tuple[str, str], ...]


async def played(home: Path) -> AsyncIterator[Again]:
    """Play every turn of the person's again."""
    url = f"sqlite+aiosqlite:///{home / 'stored.db'}"
    await restore(url, STORED)
    host = await Host.open(Settings(home=home, db=url, model="scripted"), find_agent)
    model = Recorded()
    host.models.stand_ins["scripted"] = model
    try:
        (head,) = await host.store.recent()
        last = head.head or ""
        for then in await host.store.lineage(last):
            if not then.given.message:
                continue
            await host.go_to(head.id, last)
            model.take(then)
            now = await (await host.edit(head.id, then.number, then.given.message))
            yield Again(then, now, tuple(model.asked))
    finally:
        await host.close()


def told(turn: Turn) -> str:
    """Return all that the person read of a turn."""
    return "\n\n".join(filter(None, (turn.reply, *(aside.text for aside in turn.asides))))


async def _print() -> None:
    with tempfile.TemporaryDirectory() as home:
        async for one in played(Path(home)):
            refused = [why for call in one.now.calls for why in call.refusals]
            print(f"\n===== {one.now.number}\n> {one.then.given.message}\n\n{told(one.now)}")
            if refused:
                print(f"(refused: {refused})")


if __name__ == "__main__":
    asyncio.run(_print())
