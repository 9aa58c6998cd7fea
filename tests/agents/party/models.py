"""Models for tests of tables: one that plays well, and a clock on which its calls take time."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from typing import Any

import pytest

from ruleplay.kernel.context import Context
from ruleplay.models.scripted import Asked, Rehearsal, Reply

CALL = 2.0
"""Seconds that a call takes on the simulated clock."""


class Able(Rehearsal):
    """Picks what is listed first, speaks to a companion, and tells every beat by its mark."""

    def __init__(self, readings: dict[str, dict[str, object]] | None = None) -> None:
        super().__init__()
        self._readings = readings or {}
        self._asked: list[tuple[str, str]] = []

    @property
    def asked(self) -> list[tuple[str, str]]:
        """Return every prompt so far, with its role."""
        return self._asked

    def reply(self, asked: Asked) -> Reply:
        """Return what fits the role."""
        text = asked.messages[-1].text
        self._asked.append((asked.role, text))
        return Reply((self.answer(asked.role, text),))

    def answer(self, role: str, text: str) -> str:
        """Return an answer to a prompt."""
        if role == "party.read":
            said = text.partition("<<<\n")[2].partition("\n>>>")[0]
            return json.dumps(self._readings.get(said, {"acts": [{"do": "wait"}]}))
        if role == "party.dm.voice":
            marks = re.findall(r"^\[(b\d+)\]", text, re.MULTILINE)
            return " ".join(f"It goes on, quietly enough for once [{mark}]." for mark in marks)
        if role == "party.monsters":
            rows = re.findall(r"^(\S+) \(.*\):\n((?:- .*\n?)+)", text, re.MULTILINE)
            plans = [
                {"who": who, "pick": re.findall(r"^- (\S+):", listed, re.M)[:3]}
                for who, listed in rows
            ]
            return json.dumps({"plans": plans})
        if role == "party.answers":
            asked = re.findall(r"^\S+ \((\w+)\): .*", text, re.MULTILINE)
            said = [{"who": who, "say": "Ask me again when we are dry."} for who in asked]
            return json.dumps({"answers": said})
        if role.endswith((".answer", ".letter")):
            return json.dumps({"say": "Ask me again when we are dry."})
        options = re.findall(r"^- (\S+): ", text.partition("Options:\n")[2], re.MULTILINE)
        if role == "party.dm":
            return json.dumps({"pick": options[:1] if options != ["wait"] else []})
        return json.dumps(
            {"pick": options[:1], "instead": options[1:3], "say": "Stay close.", "to": "pell"}
        )


class Clock:
    """Counts the seconds that a run waits for models: calls side by side take as long as one."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: Counter[str] = Counter()

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let every call of a model take its time on this clock."""
        listen = Context._listen

        async def slow(
            context: Any, name: Any, messages: Any, ears: Any, brief: Any, limit: Any
        ) -> Any:
            began = self.now
            self.calls[brief.role] += 1
            for _ in range(50):  # everybody who asks at the same moment has asked by then
                await asyncio.sleep(0)
            heard = await listen(context, name, messages, ears, brief, limit)
            self.now = max(self.now, began + CALL)
            return heard

        monkeypatch.setattr(Context, "_listen", slow)
