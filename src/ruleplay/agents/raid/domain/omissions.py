"""Recognises what a question excludes: "without the army", "sans les pets", "minus melee"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from ruleplay.agents.raid.domain.moments import without_words
from ruleplay.agents.raid.domain.overview import Night, fold, named_players, words
from ruleplay.agents.raid.domain.persons import calling_words, left_out, names_pets
from ruleplay.agents.raid.domain.spelling import named_abilities
from ruleplay.agents.raid.domain.subjects import question_words

PETS, MELEE, ADDS = "pets", "Melee", "adds"
"""The tools' names for: everything pets did; auto-attacks and shots; enemies other than bosses."""
_FAR = 7
"""Number of words after "without" that may name what is excluded."""
_NAMED = 5
"""Number of words after "without" that may name an excluded boss."""
LIKE = 80
"""Minimum similarity (0 to 100) between a word and a word of a pet's name: "Ghul"."""
_BEGUN = 4
"""Minimum number of letters for a word to stand for a pet by the beginning of its name."""


def cut_omissions(text: str, night: Night) -> tuple[tuple[str, ...], str]:
    """Split a question into what it excludes, in the tools' terms, and the remaining text.

    Roles and classes stay in the text: they narrow whom the question is about, not what is summed.
    """
    said = fold(text)
    found = calling_words().except_.search(said)
    if not found:
        return (), text
    behind = re.split(r"[,?!.;:]", found[1])[0].split()[:_FAR]
    last, names = 0, dict[str, None]()
    for at in range(len(behind)):
        told = [*_meant(behind[at], " ".join(behind[at:]), night)]
        if told:
            names |= dict.fromkeys(told)
            last = at + 1
        elif last and at > last:
            break
    if not names:
        return (), text
    spells = named_abilities(" ".join(behind), night, dict.fromkeys(night.abilities, 1))
    last = max((last, *(_end(behind, spell) for spell in spells)))
    end = found.start(1) + len(found[1]) - len(found[1].lstrip()) + len(" ".join(behind[:last]))
    rest = without_words(text, said, found.start(), end)
    # "That is without his pet, right? How much did the pet do?"
    return ((), text) if PETS in names and names_pets(rest) else (tuple(names), rest)


def _meant(word: str, rest: str, night: Night) -> Iterator[str]:
    """Yield what a word, the first of `rest`, refers to."""
    # "Army of the Dead" matches by "army", never by what follows "of": "drop dead".
    pets = [name for name in night.pets if _begins(words(name.partition(" of ")[0]), word)]
    # "Heals" are healers rather than the Healing Stream Totem.
    pets = [name for name in pets if word not in calling_words().roles or word in words(name)]
    spells = named_abilities(rest, night, dict.fromkeys(night.abilities, 1))
    known = calling_words()
    if word in known.swings:
        yield MELEE
    elif pets:
        yield from pets
    elif word in known.pets:
        yield PETS
    elif word in known.adds:
        yield ADDS
    elif spells and _is_part(word, rest, words(spells[0])):
        yield word.removesuffix("s")
    elif spells and _begins(words(spells[0]), word):
        yield from spells
    yield from named_players(word, night.members)


def _is_part(word: str, rest: str, own: Sequence[str]) -> bool:
    """Whether a word is part of a longer name: "without bombs" excludes bombs of every kind."""
    return word.removesuffix("s") in own and not {*own} <= {*words(rest)}


def words_left_out(text: str) -> str:
    """Extract the words after "without"; "" if nothing is excluded."""
    found = calling_words().except_.search(fold(text))
    return " ".join(found[1].split()[:_NAMED]) if found else ""


def unheard_omission(text: str) -> str:
    """Extract an exclusion that could not be interpreted; "" if there is none."""
    found = calling_words().except_.search(fold(text))
    if not found or left_out(fold(text)):
        return ""
    said = re.split(r"[,?!.;:]", found[1])[0].split()[:_FAR]
    strange = [word for word in said if len(word) >= _BEGUN and word not in question_words()]
    return " ".join(said) if strange else ""


def _end(said: Sequence[str], name: str) -> int:
    own = words(name)
    return max((n for n, word in enumerate(said, 1) if _begins(own, word)), default=0)


def _begins(own: Sequence[str], word: str) -> bool:
    single = word.removesuffix("s")
    return len(single) >= _BEGUN and any(
        one.startswith(single) or fuzz.ratio(one, single) >= LIKE for one in own
    )
