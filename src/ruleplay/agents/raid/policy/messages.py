"""The questions of one message: "who took most damage, and who healed best"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ruleplay.agents.raid.domain.overview import Night, fold, words
from ruleplay.agents.raid.domain.persons import calling_words
from ruleplay.agents.raid.domain.questions import Question, read_alone
from ruleplay.agents.raid.policy.hearing import TALK, VERDICT, WITHDRAWN, mark, names_only
from ruleplay.agents.raid.state import State
from ruleplay.hearing.classifier import load

SURE, SURER = 0.4, 0.6
"""How sure what is asked has to be of each half; of one that begins with no question word."""
LONGEST = 60
"""Words of a message that is looked through for a second question."""
_SHORTEST = 2
"""Words of a question."""
_NEAR = 2
"""Words among which a half's question word stands."""
_UNASKED = ("none", "unlogged", "cause", "overview", "threat", "week")
"""What is told in an account, so that a part of the message asks for no more."""


@dataclass(frozen=True)
class _Half:
    text: str
    marked: str
    measure: str
    sure: float
    shape: str
    asks: bool
    lowest: bool


@dataclass(frozen=True)
class Asked:
    """A question of a message; `adds`: it says only what it changes of the one before."""

    text: str
    adds: bool = False


def gist(text: str, night: Night, before: State) -> str:
    """Return what a message asks in the end: nothing taken back, nothing told beside it.

    "Top dps... no wait, who cares, who healed", "haha I knew it. what kills him", and of a
    follow-up "how about the mages, one of them never shuts up" its names alone.
    """
    sentences = re.findall(r"[^.!?…]+[.!?…]*", text)
    said = [_clause(one, night) for one in re.split(r"(?<=[.!?…,;])\s+", text) if words(one)]
    back = [at for at, one in enumerate(said) if one.kind == WITHDRAWN]
    rest = said[back[-1] + 1 :] if back else []
    if any(one.asks for one in rest):
        return " ".join(one.text for one in rest)
    bare = [one for one in said if one.bare]
    rest = [one for one in said if one not in bare]
    begin = {word for one in rest for word in words(one.text)[:_NEAR]}
    asks = any(one.asks for one in rest) or begin & calling_words().asks
    if before.measure and bare and not asks:
        return " ".join(one.text for one in bare)
    whole = [_clause(one, night) for one in sentences if words(one)]
    kept = [one for one in whole if not one.idle]
    goes_on = any(one.asks or (before.measure and one.kind == "follow") for one in kept)
    return " ".join(one.text for one in kept) if goes_on and len(kept) < len(whole) else text


@dataclass(frozen=True)
class _Clause:
    """A part of a message as it reads by itself."""

    text: str
    kind: str
    asks: bool
    """Whether it surely asks for something."""
    bare: bool
    """Whether it names somebody or something, and asks nothing: "how about the mages"."""
    idle: bool
    """Whether it only chats, and names nothing that the rest may be about."""


def _clause(text: str, night: Night) -> _Clause:
    question = read_alone(text, night)
    marked = mark(question, night)
    read = load("ruleplay.agents.raid", "reader.bin").read(marked)
    kind, measure, subject = read["kind"][0], read["measure"][0], question.subject
    sure = kind.label if kind.sure >= SURER else ""
    names = bool(re.search(r"<\w+>", marked.replace("<number>", ""))) or bool(question.fights)
    names = names or bool(subject.day or subject.difficulty or subject.fights)
    chats = sure in TALK and sure != "help" and measure.label == "none"
    chats = chats and not calling_words().asks & {*words(text)}
    return _Clause(
        text=text.strip(),
        kind=sure,
        asks=measure.label not in ("none", "unlogged") and measure.sure >= SURER,
        bare=names and names_only(marked, question),
        idle=chats and not names,
    )


def parted(text: str, night: Night) -> tuple[Asked, ...]:
    """Return the questions of a message, each as it stands there: one, or two."""
    surest, asked = 0.0, list[Asked]()
    for left, right, joined in _cuts(text):
        first, second = _half(left, night), _half(right, night)
        if (not joined and not (first.asks and second.asks)) or _is_list(first, right, night):
            continue
        turned = _is_turned(first, second)
        sure = first.sure if turned else min(first.sure, second.sure)
        if sure > surest and _both_ask(first, second):
            surest, asked = sure, [Asked(left), Asked(right, adds=turned)]
    return tuple(asked) or (Asked(text),)


def _cuts(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield where a text may be cut in two, and whether a word joins the halves there."""
    said, joins = text.split(), calling_words().joins
    said = said if len(said) <= LONGEST else []
    for at in range(_SHORTEST, len(said) - _SHORTEST + 1):
        word = fold(said[at])
        superlative = fold(said[at - 1]) in calling_words().the  # "le plus de" joins nothing
        if (word in joins or word == "&") and not superlative:
            yield " ".join(said[:at]), " ".join(said[at + 1 :]), True
        elif re.search(r"[?.,;!]$", said[at - 1]):
            yield " ".join(said[:at]), " ".join(said[at:]), False


def _half(text: str, night: Night) -> _Half:
    marked = mark(read_alone(text, night), night)
    read = load("ruleplay.agents.raid", "reader.bin").read(marked)
    measure, kind = read["measure"][0], read["kind"][0]
    begins = {*words(text)[:_NEAR]}
    return _Half(
        text=text,
        marked=marked,
        measure="" if kind.label in TALK and kind.sure > SURE else measure.label,
        sure=measure.sure,
        shape=read["shape"][0].label,
        asks=bool(begins & calling_words().asks) or _asks_late(text),
        lowest=bool(calling_words().lowest.search(fold(text))),
    )


def _is_list(first: _Half, right: str, night: Night) -> bool:
    """Whether a cut parts names of one kind: "of Aria | and of Oda, please", "hymn | and tranq".

    So is "how often did Aria | and Oda cast …".
    """
    free = calling_words().filler | calling_words().the
    asked = [one for one in first.marked.split() if one not in free]
    names = sum(one.startswith("<") for one in asked)
    if names == len(asked) or (first.shape == "compare" and names < _NEAR):
        return True  # "Aria or Oda, which …", "compare Aria and …" name what it is about
    last = asked[-1]
    begun = mark(read_alone(re.split(r"[,;:.?!]", right)[0], night), night).split()
    return last.startswith("<") and [one for one in begun if one not in free][:1] == [last]


def _asks_late(text: str) -> bool:
    """Whether a name stands before the question: "loatheb: who died"."""
    _, colon, rest = text.partition(":")
    return bool(colon) and bool({*words(rest)[:_NEAR]} & calling_words().asks)


def _both_ask(first: _Half, second: _Half) -> bool:
    if fold(second.text).strip(" ?!.,") in calling_words().amounts:
        return False
    if first.measure in ("", *_UNASKED) or first.sure < (SURE if first.asks else SURER):
        return False
    if _is_turned(first, second):
        return True
    if second.shape == VERDICT:
        return False
    known = second.measure not in ("", *_UNASKED)
    known = known and second.sure >= (SURE if second.asks else SURER)
    return known and second.measure != first.measure


def _is_turned(first: _Half, second: _Half) -> bool:
    """Whether the second asks for the other end of the first: "and which the least"."""
    return first.shape == "most" and second.lowest and not first.lowest and second.asks


def with_shared(question: Question, whole: Question) -> Question:
    """Let a question be about the boss and the pull that the other one of its message names."""
    own, other = question.subject, whole.subject
    named = own.bosses or own.fights or own.missing or own.day or own.difficulty or question.fights
    if named or len(whole.bosses) > 1:
        return question
    kind = question.kind or whole.kind
    return replace(question, subject=other, bosses=whole.bosses, fights=whole.fights, kind=kind)
