"""Whole sessions that strangers played with a strong model, played again with the model's replies.

A row of `sessions/*.json` is a turn: the message, the readings in the order in which they were
asked for, the plans of a fight, the telling and the beats that its marks were for. Beats have
other numbers by now, so marks are carried over by what the beats say; a mark that no beat is for
any more is left out. `python -m tests.agents.saga.replayed en` prints a session.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from ruleplay.catalog import find_agent
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import Asked, Rehearsal, Reply
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings

SESSIONS = Path(__file__).parent / "sessions"
ALIKE = 0.6
"""From which share of common text on two beats are the same."""
_BEAT = re.compile(r"^\[(b\d+)\] (.*)$", re.MULTILINE)


class Replayed(Rehearsal):
    """Gives the replies that a model gave, as far as they fit what is asked now."""

    def __init__(self) -> None:
        super().__init__()
        self._row: dict[str, object] = {}
        self._readings: list[str] = []
        self._asked: list[Asked] = []

    def take(self, row: dict[str, object]) -> list[Asked]:
        """Begin a turn; the list it returns fills with what is asked."""
        self._row = row
        self._readings = [str(one) for one in row["read"]]  # type: ignore[attr-defined]
        self._asked = []
        return self._asked

    def reply(self, asked: Asked) -> Reply:
        """Return what was answered then."""
        self._asked.append(asked)
        if asked.role == "saga.read":
            text = self._readings.pop(0) if self._readings else "{}"
        elif asked.role == "saga.foes":
            text = str(self._row["foes"]) or '{"plans": []}'
        else:
            text = self._told(str(asked.messages[-1].content))
        return Reply((text,))

    def _told(self, prompt: str) -> str:
        now = dict(_BEAT.findall(prompt[prompt.find("Beats:") :]))
        return moved(str(self._row["told"]), {**self._row["beats"]}, now)  # type: ignore[dict-item]


def moved(told: str, then: dict[str, str], now: dict[str, str]) -> str:
    """Return a telling with the marks of the beats of now, by what beats say."""
    marks = {mark: new for mark, says in then.items() if (new := _same(says, now))}

    def mark(found: re.Match[str]) -> str:
        ids = [marks[one] for one in re.findall(r"b\d+", found[1]) if one in marks]
        return f"[{' '.join(ids)}]" if ids else ""

    return re.sub(r"\[((?:b\d+[ ,;]*)+)\]", mark, told)


def _same(says: str, beats: dict[str, str]) -> str:
    likeness = {
        mark: SequenceMatcher(None, says, one, autojunk=False).ratio()
        for mark, one in beats.items()
    }
    best = max(likeness, key=lambda mark: likeness[mark], default="")
    return best if best and likeness[best] >= ALIKE else ""


@dataclass
class Played:
    """A turn as it goes now, with what was asked for it."""

    message: str
    turn: Turn
    asked: list[Asked] = field(default_factory=list)


async def played(lang: str, home: Path) -> AsyncIterator[Played]:
    """Play a session again, turn by turn."""
    kept = json.loads((SESSIONS / f"{lang}.json").read_text("utf-8"))
    host = await Host.open(Settings(home=home, db="", model="scripted"), find_agent)
    model = Replayed()
    host.models.stand_ins["scripted"] = model
    try:
        made = await host.create("saga", kept["config"], seed=kept["seed"])
        session = Session(host, made.id)
        for row in kept["turns"]:
            asked = model.take(row)
            yield Played(row["message"], await session.turn(row["message"]), asked)
    finally:
        await host.close()


async def _print(lang: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        number = 0
        async for one in played(lang, Path(home)):
            number += 1
            refused = [why for call in one.turn.calls for why in call.refusals]
            print(f"\n===== {number}\n> {one.message}\n\n{one.turn.reply}")
            if refused:
                print(f"(refused: {refused})")


if __name__ == "__main__":
    asyncio.run(_print(sys.argv[1]))
