"""Letters made comparable, and the stems that prose is read by."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache, lru_cache
from importlib import resources
from typing import Literal, cast

Lang = Literal["en", "fr"]
Table = dict[Lang, list[str]]
_WORD = re.compile(r"[a-z0-9]+(?:'(?=[a-z]))?")


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return text in small letters without accents, apostrophes made one, ligatures spelt out."""
    small = text.casefold().replace("œ", "oe").replace("æ", "ae").replace("’", "'")
    parted = unicodedata.normalize("NFKD", small)
    return "".join(char for char in parted if not unicodedata.combining(char))


def plain(text: str) -> str:
    """Return folded text with single spaces around its words, for looking up stems."""
    spaced = re.sub(r"[^a-z0-9']+", " ", fold(text)).strip()
    return f" {spaced} "


def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, elisions apart: `l'arc` gives `l`, `arc`."""
    return tuple(re.findall(r"[a-z0-9]+", fold(text)))


@cache
def _data() -> dict[str, object]:
    source = resources.files("ruleplay.story").joinpath("stems.json")
    return cast("dict[str, object]", json.loads(source.read_text(encoding="utf-8")))


@cache
def table(section: str, lang: Lang) -> tuple[str, ...]:
    """Return one flat list of the stems' file, such as the pronouns."""
    return tuple(cast("Table", _data()[section])[lang])


@cache
def stems(section: str, kind: str, lang: Lang | None = None) -> re.Pattern[str]:
    """Return a pattern that finds a kind of stems in `plain` text; of both languages if None."""
    kinds = cast("dict[str, Table]", _data()[section])
    langs: tuple[Lang, ...] = (lang,) if lang else ("en", "fr")
    found = [re.escape(one) for each in langs for one in kinds[kind][each]]
    # A stem may begin a word, or follow an elision (l'or, d'argent).
    return re.compile(rf"(?<=[ '])(?:{'|'.join(found)})")


@cache
def kinds_of(section: str) -> tuple[str, ...]:
    """Return the kinds of stems in a section."""
    return tuple(cast("dict[str, Table]", _data()[section]))


@cache
def results_of(kind: str) -> tuple[str, ...]:
    """Return the results of a beat that allow words of a kind."""
    return tuple(cast("dict[str, list[str]]", _data()["results"]).get(kind, ()))
