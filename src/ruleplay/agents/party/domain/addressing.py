"""Whom and what a reading means: ids as they are listed, else the names of who is here.

A reader may name somebody by a kind, a look or a plural, or by the id under which they waited
before a fight gave each of them one of their own. Whoever is called so is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.scope import scope_of
from ruleplay.agents.party.domain.staging import foes, roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.story.acts import ACTS_AT_MOST, EFFECTS_AT_MOST, EVERYBODY, Act, Effect, Reading
from ruleplay.story.mentions import Named
from ruleplay.story.texts import words_of
from ruleplay.story.wording import Phrase, find

PLURALS = (
    ("ves", "f"), ("ves", "fe"), ("ies", "y"), ("es", ""), ("men", "man"), ("aux", "al"),
)  # fmt: skip
"""Endings of the plural, with those of the singular; "s" and "x" are heard anyway."""
CLOSE = 0.75
"""How alike a word is to a name's that it may be a slip for it."""
SHAKES = ("morale", "attitude")
"""Effects that come upon everybody who is meant; of the others, on the nearest few."""
PEOPLED = ("rule", "say", "move", "give", "check", "follow", "flourish", "use", "take")
"""Acts whose `to` may be somebody."""


def addressed(reading: Reading, table: Table, book: Book, seat: str) -> Reading:
    """Return a reading with the ids of those whom it calls by other names."""
    here = Here(table, book, seat)
    acts = (here.addressed(one) for act in reading.acts for one in each(act))
    return reading.model_copy(update={"acts": tuple(acts)[:ACTS_AT_MOST]})


def each(act: Act) -> Iterator[Act]:
    """Yield a rule act that names several after one another as one act for each of them."""
    names = Counter(name.strip() for name in act.to.split(",")) if act.do == "rule" else {}
    for name, count in names.items() if len(names) > 1 else ():
        yield act.model_copy(update={"to": name, "count": count})
    if len(names) < 2:
        yield act


class Here:
    """Who can be meant where a seat is, in a fight the nearest first."""

    def __init__(self, table: Table, book: Book, seat: str) -> None:
        self._known, self._cast = roster(table, book, seat), table.cast
        self._listed = {*self._known.anybody, *self._known.ways, *self._known.things}
        scope = scope_of(table, book, seat)
        self._beings, self._items, self._places = scope.beings, scope.items, scope.places
        able = {one.id for one in foes(table, seat) if one.conscious}
        there = tuple(one.id for one in self._beings if one.id in able)
        self._waited = {table.expedition.fighting: there} if there else {}

    def meant(self, name: str) -> tuple[str, ...]:
        """Return everyone whom a name means."""
        if not name or name in (*self._listed, EVERYBODY) or self._cast.get(name):
            return (name,)  # nobody else is meant by the id of somebody who is gone
        return self._waited.get(name) or called(name, self._beings) or (name,)

    def held(self, name: str) -> str:
        """Return the id of something that is carried or known, by its name."""
        if not name or name in self._known.items:
            return name
        return next(iter(called(name, self._items)), name)

    def addressed(self, act: Act) -> Act:
        """Return an act with the ids of those whom it calls by other names."""
        changed = {
            "success": tuple(self._each(act.success)),
            "failure": tuple(self._each(act.failure)),
            "stunt": next(self._each((act.stunt,)), None) if act.stunt else None,
            "with_": act.with_ if act.with_ in self._listed else self.held(act.with_),
        }
        place = called(act.to, self._places) if act.do == "move" else ()
        to = self.meant(act.to) if act.do in PEOPLED else (act.to,)
        to = place if place and act.to not in self._listed else to
        if len(to) > 1 and act.do == "say":
            # Words to several are for whoever hears them; a gentle voice wants to be liked.
            return act.model_copy(update={**changed, "to": "", "want": act.want or "like"})
        return act.model_copy(update={**changed, "to": to[0]})

    def _each(self, effects: Sequence[Effect]) -> Iterator[Effect]:
        """Yield effects, one for each of those whom a name means."""
        for effect in effects:
            whom = self.meant(effect.who)
            most = len(whom) if effect.kind in SHAKES else EFFECTS_AT_MOST
            yield from (effect.model_copy(update={"who": who}) for who in whom[:most])


def called(name: str, among: Sequence[Named]) -> tuple[str, ...]:
    """Return all that go by a name, each once; in the plural or misspelt where nobody does else."""
    words = words_of(name)
    known = {part for one in among for way in one.phrases for part in way}
    near = tuple(next(iter(get_close_matches(word, known, 1, CLOSE)), word) for word in words)
    forms = (words, *(_singular(words, *ending) for ending in PLURALS), near)
    return next(filter(None, (_so_called(form, among) for form in dict.fromkeys(forms))), ())


def _so_called(words: Phrase, among: Sequence[Named]) -> tuple[str, ...]:
    """Return all of whom words hold the longest phrase."""
    most, found = 0, list[str]()
    for one in among:
        sizes = (len(way) for way in one.phrases if way and find(words, way) is not None)
        size = max(sizes, default=0)
        if size > most:
            most, found = size, []
        if size and size == most and one.id not in found:
            found.append(one.id)
    return tuple(found)


def _singular(words: Phrase, plural: str, ending: str) -> Phrase:
    """Return words with one ending of the plural made that of the singular."""
    return tuple(
        word.removesuffix(plural) + ending if word.endswith(plural) else word for word in words
    )
