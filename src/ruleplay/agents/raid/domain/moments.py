"""Recognises which part of a pull a question means: "in the first minute", "after phase 2".

Parts are written in the tools' notation: `0-60`, `120-`, `last 30` (seconds of the pull),
`phase 2`, `after phase 2`. The vocabulary is in `reference/moment_words.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ruleplay.agents.raid.domain.overview import fold, words

PARTS = re.compile(
    r"(?P<since>\d+(?:\.\d+)?)-(?P<until>\d+(?:\.\d+)?)?|last (?P<last>\d+(?:\.\d+)?)"
    r"|(?P<beside>after |before )?phase (?P<phase>\d)"
)


@dataclass(frozen=True)
class Part:
    """A part of a pull: a range of seconds, its last seconds, a phase, or what is beside a phase.

    `until` is None if open-ended; `last` and `phase` are 0 if not used.
    """

    since: float = 0
    until: float | None = None
    last: float = 0
    phase: int = 0
    beside: int = 0
    """With `phase`: 1 for what follows it, -1 for what precedes it."""


def read_part(text: str) -> Part | None:
    """Parse the tools' notation; None if it is not a part."""
    found = PARTS.fullmatch(text.strip())
    if not found:
        return None
    until = found["until"]
    return Part(
        since=float(found["since"] or 0),
        until=float(until) if until else None,
        last=float(found["last"] or 0),
        phase=int(found["phase"] or 0),
        beside={"after ": 1, "before ": -1}.get(found["beside"] or "", 0),
    )


def cut_part(text: str) -> tuple[str, str]:
    """Split a question into the part it names ("" for none) and the text without those words."""
    said = fold(text)
    for pattern, told in _ways():
        found = pattern.search(said)
        if found:
            return told(found.groupdict()), without_words(text, said, found.start(), found.end())
    return "", text


def cut_again(text: str, before: str) -> tuple[str, str]:
    """Like `cut_part`, but after a part in seconds a bare number counts as seconds: "the last 30".

    `before` is the part that the conversation last used, "" for none.
    """
    part, rest = cut_part(text)
    spoken = read_part(before)
    if part or spoken is None or spoken.phase:
        return part, rest
    timed = re.sub(r"\b(\d{1,3})\b(?=\W*$)", r"\1 s", text)
    return cut_part(timed) if timed != text and cut_part(timed)[0] else (part, rest)


def without_words(text: str, said: str, start: int, end: int) -> str:
    """Remove from `text` the words between `start` and `end`, positions in its folded form."""
    whole, mark = text.split(), "?" if "?" in said[start:] else ""
    if len(whole) != len(said.split()):
        whole = said.split()
    first, last = len(said[:start].split()), len(said[:end].split())
    rest = " ".join((*whole[:first], *whole[last:]))
    return rest if "?" in rest else f"{rest}{mark}"


@cache
def _ways() -> tuple[tuple[re.Pattern[str], Callable[[Mapping[str, str]], str]], ...]:
    """Compile the ways to name a part. The first match wins, so longer forms come first."""
    one = {name: _either(words) for name, words in _words().items()}
    numbers = _either(_numbers("numbers"))
    lead = rf"(?:\b{one['just']} )?(?:\b{one['in']} )?(?:\b{one['the']} )?"
    unit, several = rf"(?P<unit>{one['seconds']}|{one['minutes']})\b", rf"\b(?P<n>\d+|{numbers}) ?"
    time = rf"(?:(?P<clock>\d{{1,2}}:\d\d)\b(?! ?[ap]m\b)|{several}{unit})(?: {one['mark']}\b)?"
    time = rf"(?:(?:{one['the']} )?{time})"
    later = time.replace("?P<", "?P<to_")
    place = rf"(?P<place>{_either(_numbers('places'))})"
    named = rf"{one['phases']} ?(?P<n>\d|{numbers})\b|\bp(?P<p>\d)\b|\b{place} {one['phases']}\b"
    phase = rf"(?:{one['the']} )?(?:{named})"
    found: list[tuple[str, Callable[[Mapping[str, str]], str]]] = [
        (rf"\b{one['between']} {time} ?(?:-|{one['to']}) ?{later}", _between),
        (
            rf"\b{one['after']} (?:(?:{one['the']} )?{one['first']} )?{time}",
            lambda m: f"{_seconds(m)}-",
        ),
    ]
    for name, told in (("first", _begun), ("last", _ending)):
        found += [
            (rf"{lead}{several}{one[name]} {unit}", told),
            (rf"{lead}\b{one[name]} (?:{several})?{unit}", told),
        ]
    found += [
        (rf"\b{one['before']} {time}", _begun),
        (rf"\b{one['after']} {phase}", lambda m: f"after {_phase(m)}"),
        (rf"\b{one['before']} {phase}", lambda m: f"before {_phase(m)}"),
        (rf"{lead}{phase}", _phase),
    ]
    return tuple((re.compile(pattern), told) for pattern, told in found)


def names_before(text: str) -> bool:
    """Whether a text asks of what was before something."""
    return bool({*words(text)} & {*_words()["before"]})


def _between(found: Mapping[str, str]) -> str:
    return f"{_seconds(found)}-{_seconds(found, 'to_')}"


def _begun(found: Mapping[str, str]) -> str:
    return f"0-{_seconds(found)}"


def _ending(found: Mapping[str, str]) -> str:
    return f"last {_seconds(found)}"


def _phase(found: Mapping[str, str]) -> str:
    said = found.get("n") or found.get("p") or found.get("place") or "1"
    return f"phase {_number(said)}"


def _number(said: str) -> int:
    known = _numbers("numbers") | _numbers("places")
    return int(said) if said.isdigit() else known.get(said, 1)


def _seconds(found: Mapping[str, str], side: str = "") -> int:
    clock = found.get(f"{side}clock")
    if clock:
        minutes, _, seconds = clock.partition(":")
        return 60 * int(minutes) + int(seconds)
    count = _number(found.get(f"{side}n") or "1")
    return count * 60 if found[f"{side}unit"] in _words()["minutes"] else count


def _either(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    folder = files("ruleplay.agents.raid.domain.reference")
    told: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
        folder.joinpath("moment_words.toml").read_text("utf-8")
    )
    return told


def _words() -> Mapping[str, list[str]]:
    return _table()["words"]


def _numbers(table: str) -> dict[str, int]:
    return {word: int(number) for number, ways in _table()[table].items() for word in ways}
