"""A model that does its worst, repeatably: the adversary that every guarantee is measured against.

Asked for JSON it sends every kind of nonsense, offered tools it misuses them, asked to tell it
mixes true sentences with lies made from the turn's own facts, and its streams are chopped, cut and
broken. It writes down what it planted, so that `lies.lies_shown` can look for it in what readers
received. Its clock is virtual: a stall raises `TimeoutError` at once.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from pydantic import JsonValue

from ruleplay.adversary.cited_liar import CitedLiar
from ruleplay.adversary.garble import (
    Invention,
    camel,
    garbled,
    pascal,
    respelled,
    stringly,
)
from ruleplay.adversary.garble import tokens_of as prompt_tokens
from ruleplay.adversary.lies import INJECTIONS, Planted, Segment
from ruleplay.adversary.tales import beats_asked, greedy, is_reading, passage
from ruleplay.models.briefing import Briefing
from ruleplay.models.scripted import Asked, Call, Piece, Reasoning, Rehearsal, Reply
from ruleplay.telling.table import Table

TOLD_BY_BEATS = "\n\nBeats:\n"
"""What a prompt holds whose prose is told by beats."""
BROKEN: Mapping[str, Callable[[], Exception]] = {
    "stall": partial(TimeoutError, "stalled"),
    "error": partial(ConnectionError, "reset by peer"),
}
"""How streams break off."""
_LISTED = re.compile(r"^(\w+): ", re.MULTILINE)
Make = Callable[[], Planted | None]


class HostileModel(Rehearsal):
    """The seeded adversary; the n-th call of a role depends on seed, role, n and the call alone."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed
        self._calls: Counter[str] = Counter()
        self._mischief: Counter[str] = Counter()
        self._planted: list[Planted] = []
        self._taken = 0

    @property
    def planted(self) -> list[Planted]:
        """Everything planted so far, in order."""
        return list(self._planted)

    @property
    def mischief(self) -> Mapping[str, int]:
        """How often each kind of harm was done."""
        return dict(self._mischief)

    def take_planted(self) -> list[Planted]:
        """Return what was planted since the last call of this: today's lie may be true tomorrow."""
        fresh, self._taken = self._planted[self._taken :], len(self._planted)
        return fresh

    def reply(self, asked: Asked) -> Reply:
        """Return the next piece of harm for the role that asks."""
        briefing = asked.briefing or Briefing("", tools=_plain_tools(asked.tools))
        rng = random.Random(f"{self._seed}/{briefing.role}/{self._calls[briefing.role]}")
        self._calls[briefing.role] += 1
        tokens = prompt_tokens([message.text for message in asked.messages])
        if rng.random() < 0.05:
            return self._absent(rng)
        last = asked.messages[-1].text if asked.messages else ""
        if briefing.schema is not None:
            if is_reading(briefing.schema) and rng.random() < 0.7:
                self._mischief["reading: greedy"] += 1
                wish = json.dumps(greedy(rng, "\n".join(m.text for m in asked.messages)))
                return Reply(tuple(chunked(rng, wish)))
            return self._json(rng, briefing.schema, tokens)
        if TOLD_BY_BEATS in last:
            return self._tale(rng, last)
        if not briefing.facts and rng.random() < 0.7 and (sound := looks(rng, briefing.tools)):
            # Without tables there is nothing to lie about.
            self._mischief["tools: looked"] += 1
            return Reply(sound, finish_reason="tool_calls")
        draw = rng.random()
        calls = self._tool_calls(rng, briefing.tools, tokens) if draw < 0.6 else ()
        if calls and draw < 0.5:
            return Reply(calls, finish_reason="tool_calls")
        told = self._prose(rng, briefing, bool(calls))
        return replace(told, pieces=(*told.pieces, *calls)) if calls else told

    def _tale(self, rng: random.Random, asked: str) -> Reply:
        """Tell beats with lies among them; now and then the stream breaks."""
        text, planted = passage(rng, beats_asked(asked), french="Write in French" in asked)
        self._mischief["tale"] += 1
        self._planted.extend(planted)
        pieces: list[Piece] = list(chunked(rng, text))
        if rng.random() < 0.15:
            pieces = [*pieces[: rng.randint(0, len(pieces))], rng.choice([*BROKEN.values()])()]
        return Reply(tuple(pieces))

    def _absent(self, rng: random.Random) -> Reply:
        error = rng.choice([make() for make in BROKEN.values()] + [ValueError("bad gateway")])
        self._mischief[f"absent: {type(error).__name__}"] += 1
        return Reply((error,))

    def _json(
        self, rng: random.Random, schema: Mapping[str, JsonValue], tokens: Sequence[str]
    ) -> Reply:
        text, name = garbled(rng, schema, tokens)
        self._mischief[f"json: {name}"] += 1
        pieces: list[Piece] = list(chunked(rng, text)) if len(text) < 10_000 else [text]
        if rng.random() < 0.05:
            self._mischief["json: stall"] += 1
            pieces.insert(rng.randint(0, len(pieces)), TimeoutError("stalled"))
        return Reply(tuple(pieces), "length" if name == "truncated" else "stop")

    def _tool_calls(
        self,
        rng: random.Random,
        tools: Sequence[Mapping[str, JsonValue]],
        tokens: Sequence[str],
    ) -> tuple[Call, ...]:
        if not tools:
            return ()
        call, name = misused(rng, rng.choice(tools), tokens)
        self._mischief[f"tools: {name}"] += 1
        count = rng.choice((1, 1, 1, 2, 12)) if name != "repeated" else 6
        return tuple(replace(call, index=i) for i in range(count))

    def _prose(self, rng: random.Random, briefing: Briefing, before_calls: bool) -> Reply:
        tables = tuple(fact for fact in briefing.facts if isinstance(fact, Table))
        hide, cut, segments = self._told(rng, briefing, tables)
        if before_calls:  # Whether prose beside tool calls is shown is for the loop to decide.
            segments = [segment.without_truths() for segment in segments]
        if briefing.tools and rng.random() < 0.4:
            at = rng.randint(0, len(segments))
            segments.insert(at, _leak(rng, briefing.tools))
            self._mischief["prose: tool call in the text"] += 1
        if tables and rng.random() < 0.1:
            segments.insert(
                rng.randint(0, len(segments)), Segment(f"[{tables[0].id}.1]", block=True)
            )
            self._mischief["prose: tag alone"] += 1
        first, segments = self._thought(rng, hide, segments)
        return self._streamed(rng, cut, first, segments)

    def _told(
        self, rng: random.Random, briefing: Briefing, tables: Sequence[Table]
    ) -> tuple[Make, Make, list[Segment]]:
        """Return what makes a lie to hide, one to end with, and the prose itself."""
        if tables:
            cited = CitedLiar(rng, tables)
            segments = cited.repair() if briefing.attempt else cited.reply()
            for planted in (p for segment in segments for p in segment.planted):
                self._mischief[f"cited {planted.kind}: {planted.why}"] += 1
            return cited.lie, cited.cut, segments
        return (lambda: None), (lambda: None), self._chatter(rng)

    def _chatter(self, rng: random.Random) -> list[Segment]:
        """Say little where there is nothing to lie about, and try to give orders."""
        segments = [Segment(rng.choice(INJECTIONS), block=True)]
        self._mischief["prose: injection"] += 1
        return [Segment("Well."), *segments] if rng.random() < 0.5 else segments

    def _thought(
        self, rng: random.Random, hide: Make, segments: list[Segment]
    ) -> tuple[tuple[Piece, ...], list[Segment]]:
        """Add reasoning: apart, in tags, or in half a pair of tags; count truths it may swallow."""
        shape = rng.choice(("none",) * 6 + ("apart", "tags", "tags", "half open", "stray close"))
        self._mischief[f"think: {shape}"] += 1
        lie = hide()
        hidden, said = ((lie,), lie.sentence) if lie else ((), "this one wants a lie")
        at = rng.randrange(len(segments)) if segments else 0
        if shape == "apart":
            self._planted.extend(hidden)
            return (Reasoning(f"Hm. {said}.", as_block=rng.random() < 0.3),), segments
        if shape == "tags":
            tagged = Segment(f"<think>\nSo, {said}.\n</think>", hidden)
            return (), [tagged, *segments]
        if shape == "half open":
            tail = [Segment("<think>"), *(s.without_truths() for s in segments[at:])]
            return (), [*segments[:at], *tail]
        if shape == "stray close":
            head = [*(s.without_truths() for s in segments[:at]), Segment("</think>")]
            return (), [*head, *segments[at:]]
        return (), segments

    def _streamed(
        self,
        rng: random.Random,
        cut: Make,
        first: tuple[Piece, ...],
        segments: list[Segment],
    ) -> Reply:
        ending = rng.choice(("whole",) * 6 + ("cut", "length", "stall", "error"))
        self._mischief[f"stream: {ending}"] += 1
        if ending == "cut" and (made := cut()):
            segments = [*segments, Segment(made.sentence, (made,))]
        text, ends = joined(rng, segments)
        until = len(text) if ending in ("whole", "cut") else rng.randint(0, len(text))
        for segment, end in zip(segments, ends, strict=True):
            if end - len(segment.text) >= until:
                break  # What was never sent is no test of anyone.
            # Before an error only what has visibly ended can be shown: its successor has begun.
            safe = until == len(text) if ending in ("whole", "cut") else end + 2 < until
            self._planted.extend((segment if safe else segment.without_truths()).planted)
        last = (BROKEN[ending](),) if ending in BROKEN else ()
        reason = "length" if ending == "length" else "stop"
        return Reply((*first, *chunked(rng, text[:until]), *last), reason)


def joined(rng: random.Random, segments: Sequence[Segment]) -> tuple[str, list[int]]:
    """Return the prose and where each segment ends in it; blocks get lines of their own."""
    text, ends, was_block = "", list[int](), False
    for segment in segments:
        if text and (segment.block or was_block):
            text += "\n\n" if rng.random() < 0.5 else "\n"
        elif text and not text.endswith(("<think>", "</think>")):
            text += rng.choice((" ", " ", " ", "\n", "\n\n"))
        text += segment.text
        ends.append(len(text))
        was_block = segment.block
    return text, ends


def chunked(rng: random.Random, text: str) -> Iterable[str]:
    """Cut text into chunks: whole, by words, by single characters or anyhow."""
    style = rng.choice(("whole", "words", "characters", "anyhow", "anyhow"))
    if style == "whole":
        return [text] if text else []
    if style == "characters":
        return list(text)
    if style == "words":
        return re.findall(r"\s*\S+|\s+$", text)
    cuts = sorted(rng.randrange(len(text) + 1) for _ in range(len(text) // 4))
    return [text[a:b] for a, b in pairwise((0, *cuts, len(text))) if a < b]


def misused(
    rng: random.Random, tool: Mapping[str, JsonValue], tokens: Sequence[str]
) -> tuple[Call, str]:
    """Return a call of a tool that is wrong in the named way, or `valid`."""
    schema = tool.get("parameters")
    form = schema if isinstance(schema, dict) else {}
    name, cuts = str(tool.get("name", "tool")), rng.choice((1, 1, 2, 5))
    good, odd = (Invention(rng, form, tokens, wild=w).value() for w in (False, True))
    ways: Mapping[str, tuple[str, JsonValue]] = {
        "valid": (name, good),
        "repeated": (name, good),
        "ids out of the blue": (name, odd),
        "unknown tool": (rng.choice((f"{name}_now", "delete_everything", "")), good),
        "respelt": (name, respelled(good, rng.choice((pascal, camel)))),
        "respelt tool": (pascal(name), good),
        "stringly": (name, stringly(good)),
        "text": (name, json.dumps(json.dumps(good))),
        "invalid JSON": (name, json.dumps(good)[:-1] + rng.choice(("", ",", "'"))),
        "no arguments": (name, ""),
        "extra": (name, {**good, "state": {"won": True}} if isinstance(good, dict) else {}),
    }
    way = rng.choice(sorted(ways) + ["valid"] * 3)
    called, arguments = ways[way]
    sent = arguments if isinstance(arguments, (dict, str)) else json.dumps(arguments)
    return Call(called, sent, cuts=cuts), way


def looks(rng: random.Random, tools: Sequence[Mapping[str, JsonValue]]) -> tuple[Call, ...]:
    """Call what a tool's description lists as `name: what it tells`, properly, up to three."""
    for tool in tools:
        form = tool.get("parameters")
        needed = form.get("required") if isinstance(form, dict) else None
        names = _LISTED.findall(str(tool.get("description")))
        if names and isinstance(needed, list) and len(needed) == 1:
            chosen = rng.sample(names, min(len(names), rng.randint(1, 3)))
            return tuple(
                Call(str(tool["name"]), {str(needed[0]): name}, index=place)
                for place, name in enumerate(chosen)
            )
    return ()


def _leak(rng: random.Random, tools: Sequence[Mapping[str, JsonValue]]) -> Segment:
    name, nonce = str(rng.choice(tools).get("name", "tool")), f"zq{rng.randrange(10**8):08d}"
    call = json.dumps({"name": name, "arguments": {"id": nonce}})
    frame = rng.choice(
        (
            "<tool_call>{}</tool_call>",
            "```json\n{}\n```",
            "Calling {} now.",
            "[TOOL_CALLS] {}",
            "{}",
        )
    )
    text = frame.format(rng.choice((call, f'{name}(id="{nonce}")')))
    return Segment(text, (Planted("lie", text, nonce, "tool call in the text"),), block=True)


def _plain_tools(
    tools: Sequence[Mapping[str, JsonValue]],
) -> tuple[Mapping[str, JsonValue], ...]:
    inner = [tool.get("function") for tool in tools]
    return tuple(tool for tool in inner if isinstance(tool, dict))
