"""Bilingual texts, folding of words for comparison, and the word stems that prose is checked by.

`fold`, `words_of` and `plain` each normalise more: letters, words, and words with spaces around
them for substring search. Stems and word lists are in `stems.json`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from importlib import resources
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict

Lang = Literal["en", "fr"]
Table = dict[Lang, list[str]]
_WORD = re.compile(r"[a-z0-9]+")
MARKS = "\u0300"
"""The first of the characters that combine with others."""


class Frozen(BaseModel):
    """A value of the rules: immutable, no unknown fields.

    Its validator is built when it is first needed: there are hundreds of them, few in one process.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Text(Frozen):
    """The same words in English and French."""

    en: str
    fr: str

    def of(self, lang: Lang) -> str:
        """Return the text in a language."""
        return self.fr if lang == "fr" else self.en

    @property
    def both(self) -> tuple[str, ...]:
        """Both wordings, or one if they are equal."""
        return (self.en,) if self.en == self.fr else (self.en, self.fr)


def towards(name: str) -> str:
    """Prefix a French name with "à", contracted with its article: `le gué` gives `au gué`."""
    for article, joined in (("le ", "au "), ("les ", "aux ")):
        if name.casefold().startswith(article):
            return joined + name[len(article) :]
    return f"à {name}"


class Phrasing(Frozen):
    """Words by which something is meant, in each language."""

    en: tuple[str, ...] = ()
    fr: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """The phrases of both languages."""
        return (*self.en, *self.fr)


def fold(text: str) -> str:
    """Fold a text to lower case without accents, with straight apostrophes and no ligatures."""
    return _fold_kept(text) if len(text) <= KEPT else _fold(text)


def _fold(text: str) -> str:
    small = text.casefold().replace("œ", "oe").replace("æ", "ae").replace("’", "'")
    if small.isascii():  # nothing to take apart, and no letter has to be looked at
        return small
    parted = unicodedata.normalize("NFKD", small)
    return "".join([char for char in parted if char < MARKS or not unicodedata.combining(char)])


def words_of(text: str) -> tuple[str, ...]:
    """Split a text into folded words; an elision is a word of its own: `l'arc` gives `l`, `arc`."""
    return _words_kept(text) if len(text) <= KEPT else _words(text)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(text)))


# Names and phrases recur, so they are cached; long texts do not, and would fill the cache.
KEPT = 120
_fold_kept = lru_cache(maxsize=8192)(_fold)
_words_kept = lru_cache(maxsize=8192)(_words)


def plain(text: str) -> str:
    """Fold a text to words with single spaces around them, for substring search of stems."""
    spaced = re.sub(r"[^a-z0-9']+", " ", fold(text)).strip()
    return f" {spaced} "


def _read(package: str, file: str) -> dict[str, object]:
    source = resources.files(package).joinpath(file)
    return cast("dict[str, object]", json.loads(source.read_text(encoding="utf-8")))


def texts_in(package: str, file: str) -> dict[str, Text]:
    """Read the texts of a package's JSON file by key."""
    return {key: Text.model_validate(text) for key, text in _read(package, file).items()}


@cache
def _data() -> dict[str, object]:
    return _read("ruleplay.story", "stems.json")


@cache
def table(section: str, lang: Lang) -> tuple[str, ...]:
    """Return a word list of `stems.json`, such as the pronouns."""
    return tuple(cast("Table", _data()[section])[lang])


@cache
def numbered(lang: Lang) -> tuple[tuple[int, str], ...]:
    """Return number words up to twelve with their values; French from two, as "un" is an article.

    Beyond twelve the list of `stems.json` has gaps.
    """
    words, first = table("numbers", lang), 1 if lang == "en" else 2
    return tuple(enumerate(words[: 13 - first], first))


@cache
def stems(section: str, kind: str, lang: Lang | None = None) -> re.Pattern[str]:
    """Compile a pattern for a kind of stems in `plain` text; in both languages without `lang`."""
    kinds = cast("dict[str, Table]", _data()[section])
    langs: tuple[Lang, ...] = (lang,) if lang else ("en", "fr")
    found = [re.escape(one) for each in langs for one in kinds[kind][each]]
    # A stem begins a word or follows an elision (l'or, d'argent), but not "s'", which makes it a
    # different verb: "il abat" (he strikes down), "elle s'abat" (it falls).
    return re.compile(rf"(?<=[ '])(?<! s')(?:{'|'.join(found)})")


@cache
def kinds_of(section: str) -> tuple[str, ...]:
    """List the kinds of stems in a section of `stems.json`."""
    return tuple(cast("dict[str, Table]", _data()[section]))


@cache
def results_of(kind: str) -> tuple[str, ...]:
    """List the results of beats that allow words of a kind in prose."""
    return tuple(cast("dict[str, list[str]]", _data()["results"]).get(kind, ()))


def expect(keys: Iterable[str], known: Collection[str], where: str) -> None:
    """Raise ValueError, with what there is, if a key that an entry names is not known."""
    for key in keys:
        if key not in known:
            named = ", ".join(sorted(known)) or "none"
            raise ValueError(f"{where} {key!r} is not defined; there are {named}")
