"""Everything a message can refer to, with the phrases by which it is recognised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.acts import deeds, exits, talks, waiting
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import carried, encounter_of, foes, mover, people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import SKILLS
from ruleplay.story.mentions import Named, Scope
from ruleplay.story.texts import Phrasing, Text, words_of
from ruleplay.story.wording import Phrase

ARTICLES = ("the", "a", "an", "le", "la", "les", "l", "un", "une", "old", "vieux")
"""Words dropped from the front of a name."""
SOLD = ("gear", "tool", "ammunition", "service")
"""Kinds of items for sale in settlements: no weapons and no magic."""
COMPOUND = 2
"""Words of a name that are often written as one."""
SHORTENED = 4
"""The number of letters of a companion's name that is enough to call them, as in "zeph"."""
HEAD = 3
"""Letters of a word within another, on either side."""


def scope_of(table: Table, book: Book, seat: str) -> Scope:
    """Return what a seat can refer to now."""
    items = carried(table, mover(table, seat))
    on_the_way = table.expedition.begun and table.cast.fight is None
    return Scope(
        mode="combat" if table.cast.fight else "narrative",
        beings=(*_others(table, book, seat), *_seats(table, seat)),
        places=tuple(_places(table, book)) if on_the_way else (),
        items=tuple(_headed([Named(id=key, phrases=_called(key, book)) for key in items], book)),
        deeds=tuple(_deeds(table, book, seat)) if on_the_way else (),
        topics=tuple(_topics(table, book, seat)) if on_the_way else (),
        skills=tuple(Named(id=key, phrases=phrases(name)) for key, name in SKILLS.items()),
    )


def _headed(named: Sequence[Named], book: Book) -> Iterator[Named]:
    """Yield things with their names' nouns added, where nothing else has that noun."""
    heads = {
        one.id: {*_heads(book.rules.items[one.id].name)} - {()}
        for one in named
        if one.id in book.rules.items
    }
    for one in named:
        others = {way for other in named if other.id != one.id for way in other.phrases}
        others |= {way for key, own in heads.items() if key != one.id for way in own}
        fresh = sorted(heads.get(one.id, set()) - others)
        yield one.model_copy(update={"phrases": (*one.phrases, *fresh)})


def phrases(name: Text, more: Phrasing | None = None) -> tuple[Phrase, ...]:
    """Return the phrases for something: its name with and without the words in front."""
    own = [words_of(said) for said in name.both]
    bare = [one[1:] for one in own if len(one) > 1 and one[0] in ARTICLES]
    return tuple(filter(None, dict.fromkeys((*own, *bare, *_split(more.all if more else ())))))


def _run_together(named: Sequence[Phrase]) -> Iterator[Phrase]:
    """Yield names of several words as one word, such as `firebolt`."""
    yield from (("".join(one),) for one in named if len(one) == COMPOUND)


def _split(said: Sequence[str]) -> Iterator[Phrase]:
    yield from map(words_of, said)


def _called(key: str, book: Book) -> tuple[Phrase, ...]:
    rules = book.rules
    for known in (rules.items, rules.spells, rules.features):
        if key in known:
            return _ways(known[key].name, known[key].words, rules.item_names)
    return phrases(book.effect(key))


@lru_cache(maxsize=4096)
def _ways(name: Text, more: Phrasing, items: tuple[str, ...]) -> tuple[Phrase, ...]:
    """Return the phrases for something of the rules, among items of these English names."""
    heads = ((head,) for head in _compounds(name.en, items))
    called = phrases(name, more)
    return (*called, *heads, *_run_together(called))


def things(book: Book) -> tuple[Named, ...]:
    """Return every item that has a price."""
    names = book.rules.item_names
    return tuple(_ware(key, one.name, one.words, names) for key, one in book.rules.items.items())


@lru_cache(maxsize=4096)
def _ware(key: str, name: Text, more: Phrasing, items: tuple[str, ...]) -> Named:
    return Named(id=key, phrases=(*_ways(name, more, items), words_of(key)))


def _compounds(name: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words in which a name and those of other things end: the axe in `handaxe`."""
    ends = [name[at:] for at in range(HEAD, len(name) - HEAD + 1)] if name.isalpha() else []
    rest = [other for other in others if other != name]
    return tuple(end for end in ends if any(one.endswith(end) for one in rest))[:1]


def _others(table: Table, book: Book, seat: str) -> Iterator[Named]:
    """Yield the story's people who are here; in a fight, the adversaries, the nearest first."""
    if table.cast.fight:
        me = table.cast.get(mover(table, seat))
        there = [one for one in foes(table, seat) if one.present and not one.dead]
        if me:  # those who sleep come last
            there.sort(key=lambda one: (not one.conscious, abs(one.position - me.position)))
        for one in there:
            yield Named(id=one.id, phrases=_names_of(one, table, book))
        return
    for key, name in people(table, book).items():
        person = book.story.persons[key]
        surname = tuple((part,) for part in words_of(name.en) if len(part) > 3)
        yield Named(id=key, phrases=(*phrases(name, person.words), *surname))
    key = waiting(table.expedition, book.story) if table.expedition.begun else ""
    for foe in book.story.encounters[key].foes if key else ():
        kind = book.rules.monsters.get(foe.kind)
        name = foe.name or (kind.name if kind else Text(en=foe.kind, fr=foe.kind))
        yield Named(id=key, phrases=_kinds(name, foe.words))


def _names_of(one: Creature, table: Table, book: Book) -> tuple[Phrase, ...]:
    """Return an adversary's own name, what distinguishes it, and the name of its kind."""
    encounter = encounter_of(table, book)
    group = (
        next((foe for foe in encounter.foes if foe.kind == one.kind), None) if encounter else None
    )
    kind = book.rules.monsters.get(one.kind)
    name = group.name if group and group.name else kind.name if kind else one.name
    shared = {word for said in name.both for word in words_of(said)}
    apart = tuple(
        tuple(word for word in words_of(said) if word not in (*shared, *ARTICLES))
        for said in one.name.both
    )
    kinds = _kinds(name, group.words if group else None)
    (en, fr), (first, last) = (apart * 2)[:2], _heads(name)
    brief = ((*en, *first), (*last, *fr)) if any(apart) else ()
    return tuple(filter(None, (*phrases(one.name), *brief, *apart, *kinds)))


def _kinds(name: Text, more: Phrasing | None) -> tuple[Phrase, ...]:
    """Return the names of a kind: `giant rat`, `rat`, `rats`."""
    return tuple(dict.fromkeys((*phrases(name, more), *filter(None, _heads(name)))))


def _heads(name: Text) -> tuple[Phrase, Phrase]:
    """Return the noun of a name in each language: `rat`, `rat`."""
    french = tuple(word for word in words_of(name.fr) if word not in ARTICLES)
    return words_of(name.en)[-1:], french[:1]


def _seats(table: Table, seat: str) -> Iterator[Named]:
    for other in table.characters:
        if other != seat:
            name = table.name(other)
            own = words_of(name)
            short = ((own[0][:size],) for size in range(len(own[0]) - 1, SHORTENED - 1, -1))
            ways = (own, own[:1], words_of(other), *short)
            yield Named(id=other, phrases=tuple(dict.fromkeys(ways)))


def _places(table: Table, book: Book) -> Iterator[Named]:
    for way in exits(table.expedition, book.story):
        scene = book.story.scenes[way.to]
        words = Phrasing(en=(*way.words.en, *scene.words.en), fr=(*way.words.fr, *scene.words.fr))
        yield Named(id=way.to, phrases=phrases(scene.name, words))


def _deeds(table: Table, book: Book, seat: str) -> Iterator[Named]:
    if seat == DM:
        return
    for key, deed in deeds(table.expedition, book.story, seat).items():
        yield Named(id=key, phrases=(*_split(deed.hint.both), *_split(deed.words.all)))


def _topics(table: Table, book: Book, seat: str) -> Iterator[tuple[str, Named]]:
    for person in people(table, book):
        for key, talk in talks(table.expedition, book.story, person, seat).items():
            yield person, Named(id=key, phrases=tuple(_split(talk.words.all)))
