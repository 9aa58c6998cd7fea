"""Replaces the names in a question by marks such as <player>, as the reader was trained on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from rapidfuzz import fuzz

from ruleplay.agents.raid.domain.overview import Night, fold, is_nickname, short_name, words
from ruleplay.agents.raid.domain.persons import calling_words, without_left_out
from ruleplay.agents.raid.domain.questions import Question
from ruleplay.agents.raid.domain.reference.tables import (
    spell_names,
    translated_spells,
    translated_words,
)
from ruleplay.agents.raid.domain.spelling import KIN, environment, short_forms
from ruleplay.agents.raid.domain.subjects import in_zone, phrases, pull_words

LIKE = 72
"""Minimum similarity (0 to 100) of a word to a name it stands for."""
STEM = 5
"""Minimum length of a word that ends a name it stands for."""


_LE_PLUS = re.compile(r"\b(le|la|les|de) \+(?=\W|$)", re.IGNORECASE)
"""How French messages write "le plus"."""


def spelt_out(message: str, question: Question, night: Night | None) -> str:
    """Write in full what messages shorten to what means something else.

    "Le +", and the difficulty in "varimathras hero", if the log has it.
    """
    message = _LE_PLUS.sub(r"\1 plus", message)
    names = {word for boss in question.bosses for word in words(boss)}
    known = night and any(pull.difficulty == "heroic" for pull in night.pulls)
    return (
        re.sub(
            r"\b(\w+) hero\b",
            lambda one: f"{one[1]} heroic" if _is_of(fold(one[1]), names) else one[0],
            message,
            flags=re.IGNORECASE,
        )
        if known and names
        else message
    )


def _is_of(word: str, names: set[str]) -> bool:
    return any(word == one or fuzz.ratio(word, one) >= KIN for one in names)


def mark(question: Question, night: Night | None) -> str:
    """Replace the names in a question by marks such as <player>."""
    text = fold(question.text).replace("%", " percent ")
    text = without_left_out(text) if question.left_out else text
    foes = night and any(one.foe for one in night.members)
    text = calling_words().sides.sub(" ", text) if foes else text
    said = re.findall(r"[^\W_]+|[?!]", text)
    if question.subject.difficulty == "heroic" and not question.abilities:
        # A boss "hero le 5 mars" is of a difficulty, and asks of no Bloodlust.
        said = ["heroique" if one == "hero" else one for one in said]
    for name in question.players:
        said = _replace(said, [fold(short_name(name)).split()], "<player>")
    english = {pull.name: pull.english for pull in night.pulls} if night else {}
    spells = {word for name in question.abilities for word in words(name)}
    gone = (one for one in question.subject.missing if not spells & {*words(one)})
    for name in question.bosses or gone:
        ways = [one.split() for one in phrases(name, english.get(name, ""))]
        said = _replace(said, ways, "<boss>")
    said = _place_as_boss(said) if question.bosses else said
    # How people call a Bloodlust says what is asked for as well.
    for name in (one for one in question.abilities if one not in spell_names()["lust"]):
        own = [[way] for way in environment().get(fold(name), ())]
        short = sorted(short_forms(tuple(words(name))))
        foreign = map(words, translated_spells().get(name, ()))
        ways = [
            words(name),
            *foreign,
            *([one] for one in short),
            *([f"{one}ing"] for one in short),
            *own,
        ]
        said = _replace(said, ways, "<ability>", parts=True)
    zone = in_zone(" ".join(said), night.zones) if night and not question.bosses else ()
    said = [word for word in said if word not in zone]
    for name in question.targets:
        last = words(name)[-1]
        long = (one for one in said if len(one) > 3 and one.endswith("s"))
        many = {one for one in long if last.endswith(one[:-1])}
        said = ["adds" if word in {last, *many} else word for word in said]
    known = calling_words().classes
    for phrase in (one for one in known if " " in one):
        said = _replace_all(said, phrase.split(), "<class>")
    return " ".join(_plain(word, known) for word in said)


def _replace_all(said: list[str], phrase: Sequence[str], mark_: str) -> list[str]:
    """Replace a name of several words wherever it stands, in the plural as well."""
    ends, size = {phrase[-1], f"{phrase[-1]}s"}, len(phrase)
    for at in range(len(said) - size, -1, -1):
        if said[at : at + size - 1] == list(phrase[:-1]) and said[at + size - 1] in ends:
            said = [*said[:at], mark_, *said[at + size :]]
    return said


def _place_as_boss(said: list[str]) -> list[str]:
    """Replace "the last boss" by the mark of a boss, since it names none in particular."""
    known = pull_words()
    for at, (word, after) in enumerate(pairwise(said)):
        if after in known.boss and (word in known.last or word in known.places):
            return [*said[:at], "<boss>", *said[at + 2 :]]
    return said


def _plain(word: str, classes: Mapping[str, str]) -> str:
    if word.isdecimal():
        return "<number>"
    called = word in classes or word.removesuffix("s") in classes
    # "war" is a German verb, too.
    return "<class>" if called and word != "war" else word


def _replace(
    said: list[str], ways: Sequence[Sequence[str]], mark_: str, *, parts: bool = False
) -> list[str]:
    """Replace a name by a mark: its longest form, else the word most similar to it."""
    for way in sorted(ways, key=len, reverse=True):
        size = len(way)
        for at in range(len(said) - size + 1):
            if size and said[at : at + size] == list(way):
                return [*said[:at], mark_, *said[at + size :]]
    if parts:
        name = {word for way in ways for word in way}
        found = [n for n, word in enumerate(said) if any(_begins(own, word) for own in name)]
        if found:
            return [*said[: found[0]], mark_, *said[found[-1] + 1 :]]
    single = [word for way in ways for word in way if len(word) > 3]
    best = max(
        ((_like(word, own), at) for at, word in enumerate(said) for own in single), default=(0, 0)
    )
    if best[0] >= LIKE:
        return [*said[: best[1]], mark_, *said[best[1] + 1 :]]
    return said


def _begins(own: str, word: str) -> bool:
    near = len(own) > 3 and fuzz.ratio(word, own) >= KIN
    near = near or own in translated_words().get(word.removesuffix("s"), ())
    return len(word) > 3 and (near or own.startswith(word.removesuffix("s")))


def _like(word: str, own: str) -> float:
    begins = own.startswith(word) or is_nickname(word, own)
    if (len(word) > 3 and begins) or (len(word) >= STEM and own.endswith(word)):
        return 95.0
    return fuzz.ratio(word, own) if len(word) > 3 else 0.0
