"""Words in both languages, and letters made comparable."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, ConfigDict

Lang = Literal["en", "fr"]
_WORD = re.compile(r"[a-z0-9]+")


class Frozen(BaseModel):
    """A value of the rules: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Text(Frozen):
    """The same words in English and French."""

    en: str
    fr: str

    def of(self, lang: Lang) -> str:
        """Return the words in a language."""
        return self.fr if lang == "fr" else self.en

    @property
    def both(self) -> tuple[str, ...]:
        """Return both wordings, each once."""
        return (self.en,) if self.en == self.fr else (self.en, self.fr)


class Phrasing(Frozen):
    """Words by which something is meant, in each language."""

    en: tuple[str, ...] = ()
    fr: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Return the phrases of both languages."""
        return (*self.en, *self.fr)


def fold(text: str) -> str:
    """Return text in small letters without accents; ligatures are spelt out."""
    return _fold_kept(text) if len(text) <= KEPT else _fold(text)


def _fold(text: str) -> str:
    small = text.casefold().replace("œ", "oe").replace("æ", "ae").replace("’", "'")
    parted = unicodedata.normalize("NFKD", small)
    return "".join(char for char in parted if not unicodedata.combining(char))


def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words of a text."""
    return _words_kept(text) if len(text) <= KEPT else _words(text)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(text)))


# Names and phrases come again and again; what people write does not, and would fill the memory.
KEPT = 120
_fold_kept = lru_cache(maxsize=8192)(_fold)
_words_kept = lru_cache(maxsize=8192)(_words)
