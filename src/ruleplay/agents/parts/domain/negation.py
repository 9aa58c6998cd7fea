"""Whether the context of a mention denies it: "doesn't leak", "no smoke", "the noise is gone"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import Mention, Word, read_words

_STEM = 4
"""Leading letters by which forms of a word are matched."""
_TELLING = 3
"""Fewest letters of a word that carries meaning."""
_REACH = 5
"""Words before a mention in which a negation may be ("isn't making any more noise")."""


class _Negation(Frozen):
    """The schema of `negation.toml`."""

    negators: frozenset[str]
    half: frozenset[str]
    answers: frozenset[str]
    behind: frozenset[str]
    does: frozenset[str]
    well: frozenset[str]
    alone: frozenset[str]
    pointing: frozenset[str]
    definite: frozenset[str]
    resolved: frozenset[str]
    has_been: frozenset[str]
    glue: frozenset[str]
    by_now: frozenset[str]
    states: frozenset[str]


@cache
def _table() -> _Negation:
    return read_table("negation.toml", _Negation)


def negated(words: Sequence[Word], mention: Mention) -> bool:
    """Whether the words around a mention deny it: "doesn't leak", "the noise is gone"."""
    return (
        _denied_before(words, mention.first)
        or _denied_behind(words, mention)
        or resolved_after(words, mention.last)
    )


def affirms(message: str, *, does: bool = True, verb: str = "") -> bool:
    """Whether a text says that something works: "ça lave bien", "it does drain", "it fills".

    `does` accepts an emphatic "does", `verb` is the beginning of a verb that is enough by itself.
    """
    table, said = _table(), [word.text for word in read_words(message)]
    said = [one for before, one in pairwise(["", *said]) if (before, one) != ("as", "well")]
    # "It doesn't work well" is no praise.
    if any(word in table.negators for word in said):
        return False
    if verb and any(word.startswith(verb) for word in said):
        return True
    works = does and any(word in table.does for word in said[:-1])
    return works or bool(table.well & {*said})


def says_it_works(message: str, quote: str) -> bool:
    """Whether a message says that what the quote complains of does work: "it does make ice"."""
    stems, words = _stems(quote), read_words(message)
    phrases = {word.phrase for word in words if word.text[:_STEM] in stems}
    said = (" ".join(w.text for w in words if w.phrase == phrase) for phrase in phrases)
    return any(affirms(one) for one in said)


def praises(message: str) -> bool:
    """Whether a text says that something is in order, with more than a mere "ok" or "fine"."""
    said = {word.text for word in read_words(message)}
    return bool(said & (_table().well - _table().alone)) and not said & _table().negators


def without_praise(message: str) -> str:
    """Blank out things that are said to be fine, with the praise: "the freezer is fine"."""
    words, table = read_words(message), _table()
    for index, word in enumerate(words):
        behind = [one for one in range(max(index - 2, 0), index) if words[one].text in table.states]
        bare = index and word.phrase == words[index - 1].phrase and not behind
        behind = [index] if bare and word.text in table.alone else behind
        if word.text in table.well and behind and behind[0] > 0:
            start = words[behind[0] - 1].start
            denied = any(one.text in table.negators for one in words[behind[0] - 1 : index])
            blank = "" if denied else " " * (word.end - start)
            message = message[:start] + blank + message[word.end :] if blank else message
    return message


def set_aside(words: Sequence[Word], mention: Mention) -> bool:
    """Whether a mention that begins with a negation is only excluded: "it's not the ice".

    "No ice", without an article, is a complaint.
    """
    table, first = _table(), mention.first
    if first == mention.last or words[first].text not in table.negators:
        return False
    named = words[first + 1].text in table.definite
    before = words[first - 1] if first else None
    return named and (before is None or before.text in table.pointing)


def things_of(symptom: str) -> set[str]:
    """Collect the stems of the meaningful words of a symptom's name."""
    words = {word.text for word in read_words(symptom)} - COMMON - _table().negators
    return {word[:_STEM] for word in words}


def denies(message: str, quote: str) -> bool:
    """Whether a message denies words of an earlier quote, in whatever form."""
    stems, words = _stems(quote), read_words(message)
    return any(
        word.text[:_STEM] in stems and negated(words, Mention(index, index))
        for index, word in enumerate(words)
    )


def _stems(quote: str) -> set[str]:
    return {word.text[:_STEM] for word in read_words(quote) if len(word.text) >= _TELLING}


def _denied_before(words: Sequence[Word], first: int) -> bool:
    """Count negations: two cancel out ("won't stop"), and "no smoke or fire" denies both."""
    denials, skip, table = 0, False, _table()
    for index in range(first - 1, max(-1, first - 1 - _REACH), -1):
        word = words[index]
        if word.phrase != words[first].phrase:
            break
        if word.text in table.answers and words[index + 1].text in table.definite:
            break  # "no, the freezer is ok"
        if word.text in table.negators or (word.text in table.half and not denials):
            denials += 1
        elif word.text not in table.glue and not skip and word.text not in table.half:
            break
        # The word before an "or" is an alternative, so the search continues past it.
        skip = word.text in ("or", "nor")
    return denials % 2 == 1


def _denied_behind(words: Sequence[Word], mention: Mention) -> bool:
    """Recognise French "il fuit pas", unless the mention itself contains a negation."""
    table, after = _table(), mention.last + 1
    own = {word.text for word in words[mention.first : after]}
    if after >= len(words) or words[after].phrase != words[mention.last].phrase:
        return False
    return words[after].text in table.behind and not own & (table.negators | table.half)


def resolved_after(words: Sequence[Word], last: int) -> bool:
    """Recognise "the leak is fixed", which denies a leak, but not "I need the leak fixed"."""
    for before, word in pairwise(words[last : last + 5]):
        if word.phrase != before.phrase:
            return False
        if word.text in _table().resolved:
            after = words[last + 2].text if last + 2 < len(words) else ""
            said_so = before is words[last] and after in _table().by_now
            return before.text in _table().has_been or said_so
        if word.text not in _table().glue:
            return False
    return False
