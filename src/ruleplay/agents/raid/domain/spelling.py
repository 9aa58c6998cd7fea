"""Recognises abilities of a log in a message: full names, parts, initials and misspellings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from rapidfuzz import fuzz, process

from ruleplay.agents.raid.domain.overview import Night, fold, short_name, words
from ruleplay.agents.raid.domain.persons import calling_words
from ruleplay.agents.raid.domain.reference.tables import (
    spell_names,
    translated_spells,
    translated_words,
)
from ruleplay.agents.raid.domain.subjects import is_plain, phrases, pull_words, question_words
from ruleplay.hearing.classifier import load
from ruleplay.hearing.encoder import is_everyday
from ruleplay.hearing.gaps import window

_WHOLE, _BEGUN = 6, 4
"""Minimum length of a one-word full name, and of a prefix that stands for a name."""
_LIKE = 84
"""Minimum similarity (0 to 100) between a word of a name and a misspelling of it."""
_RARE = 0.02
"""Share of an average ability's events below which one is not meant by half its name."""
_STANDS = 0.3
"""Confidence from which an everyday word may stand in the place of an ability's name."""
_SAID = 4
"""Maximum number of words of a message that may stand for one name."""
KIN = 75
"""Minimum similarity (0 to 100) of a foreign word to the name it means: "empaler"."""
_VERB = re.compile(r"(?:s|ing|ed)$")
"""Endings that turn initials into a verb or a plural: "boping"."""


def named_abilities(text: str, night: Night, spells: Mapping[str, int]) -> tuple[str, ...]:
    """Find the abilities that a message names, the most specific first."""
    taken = _taken(night)
    plain, specs = words(text), {fold(m.spec) for m in night.members}
    said = [_unelided(word, spells) if word not in taken else "" for word in plain]
    said = ["" if _begins_boss(word, night, spells) else word for word in said]
    by_words: dict[tuple[str, ...], str] = {}
    # Ascending by frequency: of two names with the same words, the more frequent one remains.
    for name in sorted(spells, key=lambda name: spells[name]):
        for other in translated_spells().get(name, ()):
            by_words.setdefault(tuple(words(other)), name)
        by_words[tuple(words(name))] = name
    rare = _RARE * sum(spells.values()) / max(1, len(spells))
    found: dict[str, None] = {}
    for size in range(_SAID, 0, -1):
        for at in range(len(said) - size + 1):
            part = said[at : at + size]
            if size == 1 and part[0] in specs and tuple(part) not in by_words:
                continue  # "unholy dks" does not name Unholy Aura
            name = _meant(part, by_words, spells) if all(part) else ""
            beside = (*said[max(0, at - 1) : at], *said[at + size : at + size + 1])
            partly = name and tuple(part) not in by_words
            if partly and any(map(_is_strange, beside)):
                continue  # "mortal strike" is not Frost Strike
            if name and size == 1 and _is_ordinary(plain, at, name):
                continue
            if partly and size == 1 and spells[name] < rare:
                continue  # "in torghast" is no Exit Torghast
            if name:
                found |= dict.fromkeys(_with_longer(name, part, by_words))
                said[at : at + size] = [""] * size
    found |= dict.fromkeys(_by_initials(text, said, by_words, spells))
    harms = environment()
    # "En héro" is a difficulty.
    levels = [way.split() for way in pull_words().difficulties if " " in way]
    level = {word for way in levels if " ".join(way) in fold(text) for word in way}
    fallen = (name for name in spells if {*harms.get(fold(name), ())} & {*plain} - level)
    found |= dict.fromkeys(fallen)
    found = found or dict.fromkeys(_word_by_word(said, by_words))
    return tuple(found or dict.fromkeys(_akin(said, by_words, taken)))


def _unelided(word: str, spells: Iterable[str]) -> str:
    """Strip a French article that is written with its word: "linnerve"."""
    rest = word[1:]
    if word[:1] not in ("l", "d") or len(rest) <= _BEGUN or is_everyday(word):
        return word
    own = {one for name in spells for one in words(name)}
    begun = any(one.startswith(rest[:-1]) for one in own)
    return rest if begun and not any(one.startswith(word) for one in own) else word


def _begins_boss(word: str, night: Night, spells: Iterable[str]) -> bool:
    """Whether a word is the beginning of a boss's name and of no ability's: "frac kill time"."""
    names = [way for pull in night.pulls for way in phrases(pull.name, pull.english)]
    begun = len(word) >= _BEGUN and any(way.startswith(word) for way in names)
    return begun and not any(own.startswith(word) for name in spells for own in words(name))


def _word_by_word(said: Sequence[str], known: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    """Yield abilities whose words all stand in a text, close together, in another language."""
    meant = [(_one(word), translated_words().get(_one(word), frozenset())) for word in said]
    for own, name in known.items():
        rest = {_one(word) for word in own if len(word) > _BEGUN - 2}
        places = [
            [at for at, (word, ways) in enumerate(meant) if one in ways or _is_kin(word, one)]
            for one in rest
        ]
        near = all(places) and max(map(min, places)) - min(map(min, places)) < _SAID
        if len(rest) > 1 and near and len({at for each in places for at in each}) > 1:
            yield name


def _is_kin(word: str, own: str) -> bool:
    """Whether a word is much the same in another language: "cristalline"."""
    return len(word) >= _WHOLE and fuzz.ratio(word, own) >= _LIKE


def _akin(
    said: Sequence[str], known: Mapping[tuple[str, ...], str], taken: frozenset[str]
) -> Iterator[str]:
    """Yield one-word abilities that an unknown word spells in another language: "empaler".

    Consonants must agree except for an ending, so that "simple" does not match Impale.
    """
    single = {own[0]: name for own, name in known.items() if len(own) == 1}
    reader = load("ruleplay.agents.raid", "reader.bin")
    for word in said:
        if len(word) < _WHOLE - 1 or word in question_words() or reader.knows_any([word]):
            continue
        if is_everyday(word):
            continue
        near = process.extractOne(word, [*single, *taken], scorer=fuzz.ratio, score_cutoff=KIN)
        own, other = (_bones(near[0]), _bones(word)) if near else ("", "")
        begun = _bones(_VERB.sub("", word))
        if near and near[0] in single and (other.startswith(own) or own.startswith(begun)):
            yield single[near[0]]


def named_creatures(text: str, creatures: Iterable[str]) -> tuple[str, ...]:
    """Find creatures whose names end in a word of the message: "bombs" means every kind of bomb.

    Class words do not count ("Plagued Warrior"), nor what follows "of" ("Mother of Night").
    """
    said = {_one(word) for word in words(text)} - {*calling_words().classes}
    # An unusual plural also means compounds: "rats" are every kind of Mawrat.
    knows = load("ruleplay.agents.raid", "reader.bin").knows_any
    many = (word for word in words(text) if len(word) >= _BEGUN and word.endswith("s"))
    many = (word for word in many if not is_everyday(word))  # "lors" is no kind of councilor
    # "Trys" is a known word misspelt, not every Sentry.
    ends = tuple(word[:-1] for word in many if not knows([word]) and not knows([word[:-1]]))
    own = ((name, words(re.split(r",| of ", name)[0])) for name in creatures)
    kinds = ((name, _one(parts[-1])) for name, parts in own if parts and len(parts[-1]) > 2)
    return tuple(name for name, kind in kinds if kind in said or kind.endswith(ends))


@cache
def environment() -> Mapping[str, Sequence[str]]:
    """Map environmental damage types, as the log names them (folded), to what people call them."""
    return {name: tuple(words_) for name, words_ in _table()["environment"].items()}


@cache
def renamed() -> Mapping[str, str]:
    """Map first words of names that the game has renamed to the other form, in both directions."""
    return _table()["renamed"]


def _table() -> dict[str, dict[str, str]]:
    folder = files("ruleplay.agents.raid.domain.reference")
    return tomllib.loads(folder.joinpath("spell_names.toml").read_text("utf-8"))


def _by_initials(
    text: str,
    said: Sequence[str],
    known: Mapping[tuple[str, ...], str],
    spells: Mapping[str, int],
) -> Iterator[str]:
    """Yield abilities meant by their initials ("PI", "amz"); two letters only count in capitals."""
    whole = {fold(one) for one in re.findall(r"\b[A-Z]{2,4}\b", text)}
    for word in said:
        learnt = load("ruleplay.agents.raid", "reader.bin").knows_any([word])
        strange = len(word) > 2 and not learnt
        stem = _VERB.sub("", word) if strange else word
        if not 1 < len(stem) <= _SAID or (not strange and (learnt or word not in whole)):
            continue  # "BL" is French shorthand for Bloodlust
        if stem != word and len(stem) < _SAID - 1 and word not in whole:
            continue  # "gas" is not the plural of two initials
        if not word.isalpha() or word in question_words() | calling_words().asks:
            continue
        named = [name for own, name in known.items() if {word, stem} & short_forms(own)]
        if named:
            yield max(named, key=lambda name: spells[name])


def _is_ordinary(said: Sequence[str], at: int, name: str) -> bool:
    """Whether a word stands where hardly any ability does and is used as an everyday one."""
    word = said[at]
    the = word in words(name) and {*said[max(0, at - 1) : at]} & calling_words().the
    if not the and is_plain(said, at):
        return True  # "spits numbers out" is no Acid Spit, "the voltage thing" High Voltage
    if word in _cooldowns() or not is_everyday(word):
        return False  # but "in return" names no Runic Return
    guesses = load("ruleplay.agents.raid", "names.bin").read(window(said, at, at + 1))["name"]
    return not any(one.label == "ability" and one.sure >= _STANDS for one in guesses)


def _bones(word: str) -> str:
    """Reduce a word to its consonants, with doubled ones merged."""
    return re.sub(r"[aeiouy]|(.)(?=\1)", "", word)


def short_forms(own: tuple[str, ...]) -> set[str]:
    """Compute the initials of a name, and of the name before or after its renaming."""
    old = renamed().get(own[0], "") if own[1:2] == ("of",) else ""
    return {initials(own), initials((old, *own[1:]))} if old else {initials(own)}


def initials(words_: Sequence[str]) -> str:
    """Join the first letters of a name of several words."""
    return "".join(word[0] for word in words_) if len(words_) > 1 else ""


def _is_strange(word: str) -> bool:
    known = question_words() | calling_words().filler
    return len(word) >= _BEGUN and word.isalpha() and word not in known and not is_everyday(word)


def _taken(night: Night) -> frozenset[str]:
    """Collect the words that name players, bosses and classes, and thus no abilities."""
    people = frozenset(fold(short_name(member.name)) for member in night.members)
    bosses = {
        word
        for pull in night.pulls
        for way in phrases(pull.name, pull.english)
        for word in way.split()
    }
    return people | bosses | _classes()


@cache
def _classes() -> frozenset[str]:
    """Collect the words for classes, singular and plural; of "chevalier de la mort" none alone."""
    single = {way for way in calling_words().classes if " " not in way}
    return frozenset(single | {f"{word}s" for word in single})


def _meant(
    part: Iterable[str], known: Mapping[tuple[str, ...], str], spells: Mapping[str, int]
) -> str:
    """Find the ability that some words mean, "" if none does.

    If several fit, one that has the word itself is preferred, then the most frequent.
    """
    said = tuple(part)
    parts = [word for word in said if len(word) > 1]
    joined = known.get(("".join(parts),)) if len(parts) > 1 else None  # "shadow-y form"
    whole = known.get(said) or joined
    if whole and (len(said) > 1 or len(said[0]) >= _WHOLE) and not _asks(said):
        return whole
    if len(said) == 1 and (len(said[0]) < _BEGUN or _asks(said)):
        return ""
    if len(said) > 1 and not any(map(_is_strange, said)):
        return ""  # "of the" is not Commander of the Dead
    fitting = [name for own, name in known.items() if _within(said, own)]
    fitting = fitting or [name for own, name in known.items() if _turned(said, own)]
    ends = {_one(said[-1])}
    return max(fitting, key=lambda name: (ends <= {*words(name)}, spells[name]), default="")


def _with_longer(name: str, said: Sequence[str], known: Mapping[tuple[str, ...], str]) -> list[str]:
    """Extend a partial match by names with one more word: Spirit Link, Spirit Link Totem."""
    own = tuple(words(name))
    if tuple(said) == own:
        return [name]
    return [name, *(other for ways, other in known.items() if ways[:-1] == own)]


def _asks(said: tuple[str, ...]) -> bool:
    asking = question_words()
    own = {*said, *map(_one, said)}
    return len(said) == 1 and bool(own & asking) and not own & _cooldowns()


@cache
def _cooldowns() -> frozenset[str]:
    """One-word cooldowns so common in questions that they also count as question words."""
    known = (*spell_names()["raid"], *spell_names()["defensive"])
    return frozenset(fold(one) for one in known if one.isalpha() and len(one) >= _WHOLE)


def _within(said: tuple[str, ...], own: tuple[str, ...]) -> bool:
    """Whether words abbreviate words of a name, in its order."""
    rest: Iterator[str] = iter(own)
    return all(any(_is(word, one, len(said)) for one in rest) for word in said)


def _turned(said: tuple[str, ...], own: tuple[str, ...]) -> bool:
    """Whether words are a whole name in another order, as in French: "zones anti magie"."""
    if len(said) != len(own) or len(own) < 3:
        return False
    return all(max(fuzz.ratio(_one(word), one) for word in said) >= KIN for one in own)


def _is(word: str, own: str, count: int) -> bool:
    if word == own or _one(word) == own:
        return count > 1 or len(own) >= _BEGUN
    if len(word) < _BEGUN:
        return False
    # "wave" stands for "Shockwave" only beside another word of the name; so do misspellings.
    beside = own.endswith(_one(word)) or fuzz.ratio(word, own) >= _LIKE
    return own.startswith(_one(word)) or (count > 1 and beside)


def _one(word: str) -> str:
    """Strip a plural s."""
    return word[:-1] if len(word) > _BEGUN and word.endswith("s") else word


_ENDING = re.compile(r"(?:s|ing|ed)$")
"""What an everyday word may end in."""
_ELIDED = (1, 2)
"""How many letters French words may have elided before them."""
_LONGER = 4
"""Minimum length of a word whose ending says something."""


def is_plain_word(word: str) -> bool:
    """Whether a word is a form of an everyday one: "themselves", "blowing"."""
    return is_everyday(word) or is_everyday(_ENDING.sub("", word))


def is_elided(word: str) -> bool:
    """Whether a French word is an everyday one with what it elides: "qui sest fait", "jlai eu"."""
    starts = [at for at in _ELIDED if {*word[:at]} <= {*"cdjlmnst"}]
    return any(is_everyday(word[at:]) for at in starts)


def is_like_form(word: str, said: Sequence[str]) -> bool:
    """Whether a word ends as an everyday form beside it does: "landed … vs whiffed"."""
    end = _ENDING.search(word)
    if end is None or end[0] == "s":
        return False
    long = (one for one in said if one != word and one.endswith(end[0]) and len(one) > _LONGER)
    return any(map(is_plain_word, long))
