"""Export a session as Markdown: the current branch's turns, as one seat may read them.

Messages and replies are escaped, so that they cannot change the document around them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ruleplay.errors import Conflict, NotFound
from ruleplay.kernel.session import Session, reading_seat, turn_json
from ruleplay.records.events import Json
from ruleplay.telling.citing import Span
from ruleplay.telling.footnotes import laid_out, lines_of

LEGEND = "Clauses with a footnote are from the record; what is in italics is the teller's own view."
_HIGH = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Readership:
    """Whom an export is for: the session's owner, or strangers if `about` describes the session.

    Strangers get no ids, and numbered notes instead of Markdown footnotes. `alone` says that one
    person wrote all messages, so that headings name nobody.
    """

    about: str = ""
    legend: str = LEGEND
    alone: bool = False

    def note(self, turn: object, number: int) -> str:
        """Return the beginning of a turn's footnote."""
        return f"{number}. " if self.about else f"[^{turn}-{number}]: "

    def marks(self, turn: object, numbers: Sequence[int]) -> str:
        """Return the marks behind a clause with these footnotes."""
        if self.about:
            return "\u2009".join(str(number).translate(_HIGH) for number in numbers)
        return "".join(f"[^{turn}-{number}]" for number in numbers)


KEEPER = Readership()

_ACTIVE = re.compile(r"[\\`*_\[\]<>&|~]")
_ACTIVE_IN_REPLY = re.compile(r"[\\\[\]<&]")
_LINE_START = re.compile(r"^(\s*)([#+=-]|\d+(?=[.)]))", re.MULTILINE)
_LINE_START_IN_REPLY = re.compile(r"^(\s*)(#|={2,}|-{2,}(?=\s*$))", re.MULTILINE)


async def export_markdown(session: Session, seat: str = "", reader: Readership = KEEPER) -> str:
    """Export a session as Markdown, with what a seat may read.

    Messages are quoted and appear exactly as written. Replies keep their lists and emphasis, but
    headings, links, images and HTML in them appear as text.
    """
    head = await session.head()
    agent = session.host.find_agent(head.agent)
    seat = seat or await reading_seat(session.host, head)
    about = reader.about or f"Agent {agent.name}, session `{head.id}`."
    blocks = [f"# {escape_markdown(head.title)}", about]
    state, _ = await session.host.state(head, head.head)
    for turn in await session.turns():
        who = "" if reader.alone else f". {escape_markdown(agent.seat_title(state, turn.seat))}"
        blocks += _turn(turn_json(agent, turn, seat), who, reader)
    return "\n\n".join(blocks) + "\n"


async def export_log(session: Session, seat: str = "", last: int = 100_000) -> str:
    """Export an agent's log of everything said, one line each, with its speaker.

    NotFound if the agent keeps no log, Conflict for a seat that may not read it.
    """
    head = await session.head()
    agent = session.host.find_agent(head.agent)
    channel, reader = agent.log
    if not channel:
        raise NotFound(f"sessions of {agent.name} keep no log; export them as md or json")
    if seat != reader:
        raise Conflict(f"the log is for the seat {reader!r} alone")
    lines = await session.host.store.messages(head.head, channel, last)
    return "\n".join(line.text for line in lines) + "\n"


def _turn(shown: Json, who: str, reader: Readership) -> list[str]:
    blocks = [f"## {shown['number']}{who}"]
    given = shown["input"]
    if isinstance(given, dict):
        if message := given.get("message"):
            blocks.append(_quoted(escape_markdown(str(message))))
        if given.get("action") is not None:
            blocks.append(_fenced(given["action"]))
    asides = [aside for aside in _list(shown["asides"]) if isinstance(aside, dict)]
    blocks += [_aside(aside) for aside in asides if aside.get("first")]
    spans = [Span.model_validate(span) for span in _list(shown["spans"])]
    if spans:
        blocks += _cited(spans, shown["number"], reader)
    elif reply := str(shown["reply"]):
        blocks.append(tame_markdown(reply))
    blocks += [_aside(aside) for aside in asides if not aside.get("first")]
    # A turn of which this seat may read nothing does not even get a heading.
    return blocks if len(blocks) > 1 or not shown["hidden"] else []


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _cited(spans: Sequence[Span], turn: object, reader: Readership) -> list[str]:
    """Lay out a reply with citations, and the record's lines as footnotes, numbered per turn."""
    told = laid_out(spans, tame_markdown, lambda numbers: reader.marks(turn, numbers))
    notes = (
        f"{reader.note(turn, number)}{escape_markdown(line)}"
        for number, line in enumerate(lines_of(spans), 1)
    )
    return [told, "\n".join(notes), reader.legend] if lines_of(spans) else [told]


def _aside(aside: Json) -> str:
    whom = aside["audience"]
    names = ", ".join(str(seat) for seat in whom) if isinstance(whom, list) else ""
    return f"({escape_markdown(names)}) {tame_markdown(str(aside['text']))}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _fenced(value: JsonValue) -> str:
    body = json.dumps(value, ensure_ascii=False, indent=2)
    longest = max((len(run) for run in re.findall("`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}json\n{body}\n{fence}"


def escape_markdown(text: str) -> str:
    """Escape a text so that Markdown shows it literally (CommonMark's backslash escapes)."""
    escaped = _ACTIVE.sub(lambda found: "\\" + found[0], text)
    return _LINE_START.sub(_escape_start, escaped)


def tame_markdown(text: str) -> str:
    """Escape headings, links, images and HTML in a reply, and leave other Markdown as it is."""
    escaped = _ACTIVE_IN_REPLY.sub(lambda found: "\\" + found[0], text)
    return _LINE_START_IN_REPLY.sub(r"\1\\\2", escaped)


def _escape_start(found: re.Match[str]) -> str:
    space, mark = found.groups()
    # For a number that would start a list, CommonMark wants the backslash before the dot.
    return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"
