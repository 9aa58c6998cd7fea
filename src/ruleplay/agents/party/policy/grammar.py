"""Small grammar of both languages: articles, plurals, lists, and what French runs together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from ruleplay.agents.party.domain.texts import Lang, Text, fold

FEMININE = frozenset((
    "absorption", "ame-en-peine", "araignee", "araignee-loup", "armure", "chauve-souris",
    "chienne", "constriction", "defenses", "epee", "epine", "gargouille", "gelee", "goule",
    "griffe", "griffes", "guenaude", "harpie", "louve", "manticore", "momie", "morsure",
    "morsures", "ombre", "ponction", "sorciere", "strige", "toile", "vase",
))  # fmt: skip
"""French nouns of beings and of their natural weapons that are feminine, without accents."""
ASPIRATED = ("hobgobelin", "harpie", "hibours", "hache", "hachette", "hallebarde")
"""Words before which nothing is elided, though they begin with an h."""
_CHOICE = re.compile(r"\[(\w+):([^|\]]*)\|([^\]]*)\]")
_NUMBERED = re.compile(r"^(.*\S) (\d+)$")
_RUN_TOGETHER = (
    (re.compile(r"\b([Dd])e le (?!l')"), r"\1u "),
    (re.compile(r"\b([Dd])e les "), r"\1es "),
    (re.compile(r"\bà le "), "au "),
    (re.compile(r"\bÀ le "), "Au "),
    (re.compile(r"\bà les "), "aux "),
    (re.compile(r"\b([Dd])e (?=[aeiouyàâéèêëîïôœûAEIOUYÀÂÉÈÊËÎÏÔŒÛ])"), r"\1'"),
)


def inflected(text: str, counts: Mapping[str, int], lang: Lang) -> str:
    """Return a text with each `[slot:one|several]` resolved by how many a slot stands for.

    >>> inflected("{n} hit point[n:|s]", {"n": 1}, "en")
    '{n} hit point'
    """

    def choose(found: re.Match[str]) -> str:
        count = counts.get(found[1], 1)
        several = count > 1 or (count == 0 and lang == "en")
        return found[3] if several else found[2]

    return _CHOICE.sub(choose, text)


def listed(names: Sequence[str], lang: Lang) -> str:
    """Return names as a list: `A, B and C`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {'et' if lang == 'fr' else 'and'} {names[-1]}"


def contracted(text: str) -> str:
    """Return French with its articles run together: `du loup`, `au loup`, `d'Anna`."""
    for pattern, instead in _RUN_TOGETHER:
        text = pattern.sub(instead, text)
    return text


def several(names: Sequence[str], lang: Lang) -> str:
    """Return beings as they are spoken of together; numbered ones of a kind share their noun.

    >>> several(("giant rat 1", "giant rat 2", "Pell"), "en")
    'giant rats 1 and 2 and Pell'
    """
    parts: list[str] = []
    for stem, group in groupby(names, _stem):
        alike = list(group)
        if stem and len(alike) > 1:
            numbers = [str(n) for n in sorted(int(name.rpartition(" ")[2]) for name in alike)]
            noun = plural(stem, lang)
            parts.append(f"{'les ' if lang == 'fr' else ''}{noun} {listed(numbers, lang)}")
        else:
            parts += [definite(name, lang) for name in alike]
    return listed(parts, lang)


def _stem(name: str) -> str:
    found = _NUMBERED.match(name)
    return found[1] if found else ""


def definite(name: str, lang: Lang) -> str:
    """Return a being's name as a sentence has it: common nouns take the definite article."""
    if not name[:1].islower() or has_article(name, lang):
        return name
    if lang == "en":
        return name if _NUMBERED.match(name) else f"the {name}"
    if elides(name):
        return f"l'{name}"
    return f"{'la' if is_feminine(name) else 'le'} {name}"


def has_article(name: str, lang: Lang) -> bool:
    """Tell whether a name brings its own article."""
    own = ("the ",) if lang == "en" else ("le ", "la ", "les ", "l'", "l’")
    return name.startswith(own)


def elides(noun: str) -> bool:
    """Tell whether a French noun swallows the vowel of the article before it."""
    plain = fold(noun)
    if plain.startswith("h"):
        return not plain.startswith(ASPIRATED)
    return plain[:1] in "aeiouy"


def is_feminine(noun: str) -> bool:
    """Tell whether a French noun of a being or a natural weapon is feminine."""
    return fold(noun).split()[0] in FEMININE


def indefinite(name: Text, lang: Lang, gender: str = "") -> str:
    """Return a thing with its indefinite article: `a rapier`, `une rapière`, `des griffes`."""
    said = name.of(lang)
    if lang == "fr":
        if gender.endswith("p") or (not gender and _is_plural_fr(said)):
            return f"des {said}"
        feminine = gender.startswith("f") or (not gender and is_feminine(said))
        return f"{'une' if feminine else 'un'} {said}"
    if said.endswith("s") and not said.endswith("ss"):
        return said
    return f"{'an' if fold(said)[:1] in 'aeiou' else 'a'} {said}"


def _is_plural_fr(noun: str) -> bool:
    return fold(noun).split()[0] in ("griffes", "morsures", "sabots", "defenses")


def plural(noun: str, lang: Lang) -> str:
    """Return the plural of a noun with its adjectives; what follows `of`, `de`, `à` stays."""
    words = noun.split(" ")
    if lang == "en":
        at = words.index("of") - 1 if "of" in words else len(words) - 1
        return " ".join([*words[:at], _english_plural(words[at]), *words[at + 1 :]])
    end = next((n for n, word in enumerate(words) if re.match(r"(de|du|des|à|en|d['’].*)$", word)),
               len(words))  # fmt: skip
    return " ".join([*map(_french_plural, words[:end]), *words[end:]])


def _english_plural(word: str) -> str:
    irregular = {"wolf": "wolves", "thief": "thieves", "man": "men", "folk": "folk"}
    for ending, many in irregular.items():
        if word.endswith(ending):
            return f"{word.removesuffix(ending)}{many}"
    if re.search(r"(s|x|z|ch|sh)$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


def _french_plural(word: str) -> str:
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith(("eau", "eu")):
        return f"{word}x"
    return f"{word[:-2]}aux" if word.endswith("al") else f"{word}s"
