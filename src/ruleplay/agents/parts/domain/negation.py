"""Whether the words around a mention deny it: "doesn't leak", "no smoke", "the noise is gone"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ruleplay.agents.parts.domain.tokens import Mention, Word

_REACH = 5
"""How many words back a denial may stand ("isn't making any more noise")."""

# Each list is one string of words between blanks: `" word " in LIST`.
_NEGATORS = (
    " aint arent cannot cant couldnt didnt doesnt dont fixed forget hardly hasnt havent isnt "
    " neither never no nolonger nor not nothing quit shouldnt stopped wasnt werent without "
    " wont wouldnt "
)
_RESOLVED = " disappeared fixed gone resolved solved stopped "
_HAS_BEEN = " are been got has have is now was were "
_GLUE = (
    " a all an and any anymore anything are as at be been being by can coming do does from "
    " get gets getting going had has have having i in is it its longer looking make makes "
    " making me more my need of or ours plan planning really see seeing seem seems smell "
    " some such sure the there this to trying up visible want wants was were with yet you "
)


def _listed(word: Word, words: str) -> bool:
    return f" {word.text} " in words


def negated(words: Sequence[Word], mention: Mention) -> bool:
    """Tell whether the words around a mention deny it: "doesn't leak", "the noise is gone"."""
    return _denied_before(words, mention.first) or _resolved_after(words, mention.last)


def _denied_before(words: Sequence[Word], first: int) -> bool:
    """Count denials: two are none ("won't stop"), and "no smoke or fire" denies both."""
    denials, skip = 0, False
    for index in range(first - 1, max(-1, first - 1 - _REACH), -1):
        word = words[index]
        if word.phrase != words[first].phrase:
            break
        if _listed(word, _NEGATORS):
            denials += 1
        elif not _listed(word, _GLUE) and not skip:
            break
        skip = word.text in ("or", "nor")
    return denials % 2 == 1


def _resolved_after(words: Sequence[Word], last: int) -> bool:
    """Tell "the leak is fixed", which denies a leak, from "I need the leak fixed"."""
    for before, word in pairwise(words[last : last + 5]):
        if word.phrase != before.phrase:
            return False
        if _listed(word, _RESOLVED):
            return _listed(before, _HAS_BEEN)
        if not _listed(word, _GLUE):
            return False
    return False
