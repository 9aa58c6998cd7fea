"""Which language a message is in, told by its small words; too little of it changes nothing."""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import read_words


class _Languages(BaseModel):
    """The contents of `languages.toml`."""

    model_config = ConfigDict(frozen=True)

    en: tuple[str, ...]
    fr: tuple[str, ...]
    es: tuple[str, ...]


@cache
def _table() -> dict[str, frozenset[str]]:
    words = read_table("languages.toml", _Languages)
    return {name: frozenset(getattr(words, name)) for name in _Languages.model_fields}


def language_of(message: str, current: str = "en") -> str:
    """Return the language most small words are of; the one spoken so far when none prevails."""
    words = [word.text.strip("'’") for word in read_words(message)]
    counts = {name: sum(word in known for word in words) for name, known in _table().items()}
    best = max(counts.values())
    leading = [name for name, count in counts.items() if count == best]
    if not best or current in leading or len(leading) > 1:
        return current
    return leading[0]
