"""The assistant's own words, in the languages it speaks without a model.

The texts are data, one file for each language in `texts/`; a text that a language lacks is English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Final

from ruleplay.agents.parts.domain.diagnosis import fold

LANGUAGES: Final = ("en", "fr", "es")


@dataclass(frozen=True)
class Voice:
    """One language's texts."""

    language: str
    texts: dict[str, str]
    tables: dict[str, dict[str, str]]

    def say(self, key: str, **values: object) -> str:
        """Return a text with its gaps filled."""
        return self.texts[key].format(**values)

    def named(self, table: str, key: str) -> str:
        """Return an entry of one of the tables: a goal, a hazard, a word for a kind of stock."""
        return self.tables[table].get(key, "")

    def label(self, value: str) -> str:
        """Return the catalog's own words in this language, or as they are."""
        return self.tables["labels"].get(fold(value), value)

    def amount(self, value: Decimal) -> str:
        """Return a sum with two decimals, as this language writes them."""
        written = f"{value:.2f}"
        return written if self.language == "en" else written.replace(".", ",")

    def listed(self, words: Sequence[str], joined: str = "and") -> str:
        """Return "a", "a and b" or "a, b and c"."""
        joint = f" {self.say(joined)} "
        return joint.join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def says_checked(message: str) -> bool:
    """Whether a message says, as its button does, that a technician has looked at the machine."""
    ways = (fold(voice(language).say("danger_over")) for language in LANGUAGES)
    return "?" not in message and any(way in fold(message) for way in ways)


@cache
def voice(language: str) -> Voice:
    """Return the texts of a language; English for those there are none of."""
    english = _read("en")
    own = _read(language) if language in LANGUAGES else english
    texts = {k: v for k, v in (english | own).items() if isinstance(v, str)}
    tables = {}
    for name, entries in english.items():
        if isinstance(entries, dict):
            more = own.get(name)
            tables[name] = entries | (more if isinstance(more, dict) else {})
    folded = {fold(key): value for key, value in tables["labels"].items()}
    return Voice(language, texts, tables | {"labels": folded})


def _read(language: str) -> dict[str, str | dict[str, str]]:
    text = files("ruleplay.agents.parts.domain").joinpath("texts", f"{language}.toml")
    return tomllib.loads(text.read_text("utf-8"))
