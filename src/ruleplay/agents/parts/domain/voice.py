"""The assistant's own texts, in the languages it speaks without a model.

They are in `texts/`, one file per language; a text that a language lacks falls back to English.
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
    """The texts of one language."""

    language: str
    texts: dict[str, str]
    tables: dict[str, dict[str, str]]

    def say(self, key: str, **values: object) -> str:
        """Return a text with its placeholders filled in."""
        return self.texts[key].format(**values)

    def named(self, table: str, key: str) -> str:
        """Look up a word for a goal, a hazard, a stock level and so on; empty if there is none."""
        return self.tables[table].get(key, "")

    def label(self, value: str) -> str:
        """Translate the catalog's words, or return them unchanged."""
        return self.tables["labels"].get(fold(value), value)

    def amount(self, value: Decimal) -> str:
        """Format an amount with two decimals and the language's decimal separator."""
        written = f"{value:.2f}"
        return written if self.language == "en" else written.replace(".", ",")

    def listed(self, words: Sequence[str], joined: str = "and") -> str:
        """Enumerate words: "a", "a and b" or "a, b and c"."""
        joint = f" {self.say(joined)} "
        return joint.join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def says_checked(message: str) -> bool:
    """Whether a message states, as the quick reply does, that a technician has seen the machine."""
    ways = (fold(voice(language).say("danger_over")) for language in LANGUAGES)
    return "?" not in message and any(way in fold(message) for way in ways)


@cache
def voice(language: str) -> Voice:
    """Load the texts of a language, with English for whatever is missing."""
    english = _read("en")
    own = _read(language) if language in LANGUAGES else english
    texts = {k: v for k, v in (english | own).items() if isinstance(v, str)}
    tables = {}
    for name, entries in english.items():
        if isinstance(entries, dict):
            more = own.get(name)
            tables[name] = entries | (more if isinstance(more, dict) else {})
    # Catalogs differ in case and apostrophes, so labels are looked up in folded form.
    folded = {fold(key): value for key, value in tables["labels"].items()}
    return Voice(language, texts, tables | {"labels": folded})


def _read(language: str) -> dict[str, str | dict[str, str]]:
    text = files("ruleplay.agents.parts.domain").joinpath("texts", f"{language}.toml")
    return tomllib.loads(text.read_text("utf-8"))
