"""Chat programs' requests for a chat's title, tags or follow-up questions.

They are sent to the chat's own model and look like any other message. Played as turns they would
disturb every chat two or three times, so they are recognised by their wording (`tasks.toml`) and
answered from the session.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, JsonValue

from ruleplay.errors import NotFound
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import view_json
from ruleplay.server.openai.finding import Asked, find_spot
from ruleplay.server.openai.history import Said, normal
from ruleplay.server.openai.live_replies import LiveReplies, LiveReply
from ruleplay.server.openai.models import TASKS
from ruleplay.storage.histories import digest

TITLE_LENGTH = 60
FOLLOW_UPS = 5


class _Form(BaseModel):
    """A kind of request: a pattern for its wording, what it wants, and its JSON key if any."""

    words: str
    wants: str
    json_key: str = ""


@cache
def _forms() -> tuple[tuple[re.Pattern[str], _Form], ...]:
    text = files("ruleplay.server.openai").joinpath("tasks.toml").read_text("utf-8")
    found = (_Form.model_validate(form) for form in tomllib.loads(text)["form"])
    return tuple((re.compile(form.words, re.DOTALL | re.IGNORECASE), form) for form in found)


def task_of(text: str) -> _Form | None:
    """Return the task that a message asks for; None for a message to the agent."""
    return next((form for words, form in _forms() if words.search(text)), None)


async def do_task(replies: LiveReplies, asked: Asked) -> LiveReply | None:
    """Answer a task; None if the request is a message to an agent."""
    form = task_of(asked.history.last)
    if form is None and asked.speaker.agent != TASKS:
        return None
    wants, key = (form.wants, form.json_key) if form else ("title", "")
    answer = await _answer(replies, asked, wants)
    if key:
        return LiveReply.saying(json.dumps({key: answer}, ensure_ascii=False))
    return LiveReply.saying(answer if isinstance(answer, str) else ", ".join(map(str, answer)))


async def _answer(replies: LiveReplies, asked: Asked, wants: str) -> str | list[JsonValue]:
    if wants == "nothing":
        return ""
    if wants == "none":
        return []
    place = await _place(replies, asked)
    if wants == "follow_ups":
        return await _replies(replies.host, *place) if place else []
    first = _first_question(asked)
    if place:
        head, _ = await replies.host.store.read(place[0])
        return f"{head.title}: {first}" if first and first not in head.title else head.title
    return first or asked.speaker.name


async def _place(replies: LiveReplies, asked: Asked) -> tuple[str, str | None] | None:
    """Find the session and turn that a task is about, by the chat or by what the task quotes."""
    if asked.chat or asked.session:
        places = (
            await replies.histories.places(asked.address.chat(asked.chat)) if asked.chat else ()
        )
        session = asked.session or next((place.session for place in places), "")
        if session:
            head, _ = await replies.host.store.read(session)
            return session, head.head
    if asked.history.exchanges:  # asked within the chat
        spot = await find_spot(replies.host, replies.histories, asked)
        if spot.session:
            return spot.session, spot.parent
    quoted = _quoted(asked.history.last)
    if len(quoted) < 2 or quoted[-1].role != "assistant":
        return None
    last = digest(
        "last",
        asked.speaker.agent,
        asked.caller,
        normal(quoted[-2].text),
        normal(quoted[-1].text),
    )
    found = await replies.histories.places(last)
    return (found[0].session, found[0].turn) if found else None


_LINE = re.compile(r"^(USER|ASSISTANT|User|AI|Assistant): ", re.MULTILINE)


def _quoted(text: str) -> Sequence[Said]:
    """Extract the messages that a task quotes, as far as its format marks them."""
    quote = text.partition("<chat_history>")[2].partition("</chat_history>")[0]
    parts = _LINE.split(quote or text)[1:]
    return [
        Said("user" if who.lower() == "user" else "assistant", said.strip())
        for who, said in zip(parts[::2], parts[1::2], strict=True)
    ]


def _first_question(asked: Asked) -> str:
    quoted = [said.text for said in _quoted(asked.history.last) if said.role == "user"]
    asked_before = [exchange.asked for exchange in asked.history.exchanges]
    words = normal(next(iter((*asked_before, *quoted)), "")).encode(errors="replace").decode()
    return words if len(words) <= TITLE_LENGTH else f"{words[:TITLE_LENGTH]}…"


async def _replies(host: Host, session: str, turn: str | None) -> list[JsonValue]:
    try:
        head, _ = await host.store.read(session)
        view = await view_json(host, head, turn)
    except NotFound:
        return []
    replies = view.get("quick_replies")
    return replies[:FOLLOW_UPS] if isinstance(replies, list) else []
