"""The data a table is played with: the rules and the adventure."""

from __future__ import annotations

from dataclasses import dataclass

from ruleplay.agents.party.domain.adventure import Adventure
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.domain.terms_text import CONDITIONS
from ruleplay.story.texts import Text


@dataclass(frozen=True)
class Book:
    """The rulebook and the adventure, with names for their keys."""

    rules: Rulebook
    story: Adventure

    def item(self, key: str) -> Text:
        """Return an item's name; for an unlisted one, its key as text."""
        found = self.rules.items.get(key)
        return found.name if found else _as_written(key)

    def effect(self, key: str) -> Text:
        """Return the name of a spell, feature, item, term or condition."""
        rules = self.rules
        for known in (rules.spells, rules.features, rules.items, rules.terms):
            if key in known:
                return known[key].name
        return CONDITIONS.get(key) or _as_written(key)


def _as_written(key: str) -> Text:
    plain = key.replace("-", " ")
    return Text(en=plain, fr=plain)
