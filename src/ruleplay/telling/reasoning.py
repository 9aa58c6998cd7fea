"""Removes a model's reasoning and leaked tool calls from its streamed text.

Some servers write `<think>…</think>` into the text instead of a separate field, and some models
leak the raw text of a tool call into prose. Neither may reach a reader. Text that may still become
a tag is held back, and everything else passes at once. The output does not depend on how the text
was split into chunks.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NAMES = ("think", "thinking", "thought", "reasoning", "analysis", "tool_call", "tool_calls")
_PREFIXED = ("function", "function_call", "parameter", "invoke", "tool")
_TAG = re.compile(
    r"<[ \t]{0,3}(?P<close>/?)[ \t]{0,3}(?:"
    rf"(?P<name>{'|'.join(_NAMES)})(?:[ \t][^<>\n]{{0,80}})?"
    rf"|(?P<call>{'|'.join(_PREFIXED)})(?:[ \t]*=[^<>\n]{{0,80}}|[ \t][^<>\n]{{0,80}})?"
    r")[ \t]{0,3}>",
    re.IGNORECASE,
)
_OPENING = re.compile(r"<[ \t]{0,3}/?[ \t]{0,3}(?P<name>[a-z_]*)", re.IGNORECASE)
# Limits bound how long text is held back.
_TAG_LIMIT = 110
_JSON_LIMIT = 4_000
_PLAIN, _UNTAGGED = re.compile(r"[^<{]+"), re.compile(r"[^<]+")
_CALL_KEYS = re.compile(r'"(?:arguments|parameters|args|input|tool_input)"\s*:')
_CALL_NAMES = re.compile(r'"(?:name|tool|function|tool_name|action)"\s*:')


class _Step(NamedTuple):
    """How many characters of the buffer are done, and the text to show unless it is hidden."""

    used: int
    shown: str = ""
    hidden: bool = False


def _may_become_tag(text: str) -> bool:
    """Whether `text`, which starts with `<`, may be the beginning of a tag that is removed."""
    if len(text) > _TAG_LIMIT:
        return False
    found = _OPENING.match(text)
    if found is None:
        return False
    name, rest = found["name"].lower(), text[found.end() :]
    known = (*_NAMES, *_PREFIXED)
    if not rest:
        return any(tag.startswith(name) for tag in known)
    return name in known and rest[0] in " \t=" and not re.search(r"[<>\n]", rest)


def _is_call(text: str) -> bool:
    """Whether a JSON object looks like a tool call: it has a name and arguments."""
    return bool(_CALL_NAMES.search(text)) and bool(_CALL_KEYS.search(text))


class Reasoning:
    """Strips reasoning and tool calls from a stream: `feed` chunks, then `close`.

    `thinks_first`: the model starts inside its reasoning, so everything up to the first closing tag
    is hidden, and if none comes, nothing is shown. An unclosed tag hides everything after it.
    """

    def __init__(self, thinks_first: bool = False) -> None:
        self._buffer = ""
        self._open: list[str] = ["think"] if thinks_first else []
        self._implicit = thinks_first

    def feed(self, chunk: str) -> str:
        """Take a chunk of raw text; returns what may be shown by now."""
        self._buffer += chunk
        return self._drain(final=False)

    def close(self) -> str:
        """End the stream; returns the visible rest, including what turned out to be no tag."""
        return self._drain(final=True)

    def _drain(self, final: bool) -> str:
        shown: list[str] = []
        while self._buffer and (step := self._step(final)):
            self._buffer = self._buffer[step.used :]
            shown.append("" if step.hidden else step.shown)
        return "".join(shown)

    def _step(self, final: bool) -> _Step | None:
        """Handle the beginning of the buffer; None while it may become something else."""
        hidden = bool(self._open)
        if plain := (_UNTAGGED if hidden else _PLAIN).match(self._buffer):
            # Only blanks may precede a further opening tag for it to count as the implied one.
            self._implicit = self._implicit and not plain[0].strip()
            return _Step(plain.end(), plain[0], hidden)
        if self._buffer[0] == "{":
            return self._json(final)
        if found := _TAG.match(self._buffer):
            self._tag((found["name"] or found["call"]).lower(), closes=bool(found["close"]))
            return _Step(found.end())
        if not _may_become_tag(self._buffer):
            return _Step(1, "<", hidden)
        if not final:
            return None
        # A tag cut off by the end of the stream is hidden; a mere "<" is text.
        used = len(self._buffer)
        return _Step(used) if used > 3 else _Step(1, "<", hidden)

    def _tag(self, name: str, *, closes: bool) -> None:
        """Open or close a hidden block."""
        if not closes:
            # With `thinks_first` the model may write the opening tag that is assumed already.
            self._open = [name] if self._implicit else [*self._open, name]
        elif name in self._open:
            last = len(self._open) - 1 - self._open[::-1].index(name)
            del self._open[last:]
        elif len(self._open) == 1 and {name, *self._open} <= {*_NAMES[:5]}:
            self._open.clear()  # reasoning tags close each other
        self._implicit = False

    def _json(self, final: bool) -> _Step | None:
        """Hold a JSON object back until it is complete, and drop it if it is a tool call."""
        head = re.match(r"\{\s*(.?)", self._buffer, re.DOTALL)
        first = head[1] if head else ""
        # Not the start of a JSON object.
        if first and first != '"':
            return _Step(1, "{")
        end = _object_end(self._buffer)
        if end is None and not final and len(self._buffer) <= _JSON_LIMIT:
            return None
        if end is None or end > _JSON_LIMIT:
            # Anything this long or incomplete is not prose; it is hidden as far as it was scanned.
            return _Step(min(len(self._buffer), _JSON_LIMIT) if first else 1, "" if first else "{")
        text = self._buffer[:end]
        return _Step(end, "" if _is_call(text) else text)


def _object_end(text: str) -> int | None:
    """Find the end of the JSON object that `text` starts with; `None` if it is incomplete."""
    depth, quoted, escaped = 0, False, False
    for at, char in enumerate(text[:_JSON_LIMIT]):
        if quoted:
            quoted, escaped = escaped or char != '"', not escaped and char == "\\"
        elif char == '"':
            quoted = True
        elif char in "{}":
            depth += 1 if char == "{" else -1
            if depth == 0:
                return at + 1
    return None
