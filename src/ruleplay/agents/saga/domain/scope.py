"""List what a message may mention where the hero is, with the phrases that mean each thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.offers import BARRED
from ruleplay.agents.saga.domain.rulebook import Item
from ruleplay.agents.saga.domain.scenario import Book, Person, Place
from ruleplay.story.mentions import Named, Scope
from ruleplay.story.texts import Text, words_of
from ruleplay.story.wording import Phrase

ARTICLES = ("the", "a", "le", "la", "les", "l", "du", "au")
TOLL = "toll"
"""Id of the toll that foes ask for, as something that can be named."""


def scope_of(game: Game, book: Book) -> Scope:
    """Build the scope of messages at this moment."""
    mode = "combat" if game.fight else "fallen" if game.dead else "narrative"
    persons = surroundings.persons(game, book)
    carried = [one.item for one in game.sheet.carried]
    sold = [item for person in persons.values() for item in person.sells]
    lies = [one.item for one in surroundings.left(game) if one.item]
    items = book.rules.items
    return Scope(
        mode=mode,
        beings=tuple(_fighters(game, book) if game.fight else _beings(game, book)),
        places=tuple(_places(game, book)),
        items=(
            *(item_named(key, items[key]) for key in dict.fromkeys((*carried, *sold, *lies))),
            *_toll(game, book),
        ),
        deeds=tuple(
            Named(id=key, phrases=_split(deed.words.all), told=not deed.quiet)
            for key, deed in surroundings.deeds(game, book).items()
        ),
        topics=tuple(
            (person, Named(id=key, phrases=_split(talk.words.all)))
            for person in persons
            for key, talk in surroundings.talks(game, book, person).items()
        ),
        skills=tuple(
            Named(id=key, phrases=_phrases(skill.name, skill.words.all))
            for key, skill in book.rules.skills.items()
        ),
        sold=tuple(sold),
        weapons=tuple(key for key in carried if items[key].kind == "weapon"),
        remedies=tuple(key for key in carried if items[key].kind == "remedy"),
        absent=tuple(
            Named(id=key, phrases=_phrases(person.name, [*_called(person)]))
            for key, person in book.scenario.persons.items()
            if key not in persons
        ),
    )


def _toll(game: Game, book: Book) -> Iterator[Named]:
    """Yield the toll that foes ask for, named as in the suggestion to pay it."""
    key = surroundings.waiting(game, book)
    if key and book.scenario.encounters[key].toll:
        yield Named(id=TOLL, phrases=tuple(words_of(one)[-1:] for one in BARRED["pay"].both))


def _called(person: Person) -> Iterator[str]:
    """Yield the words for a person that are part of their name: "Maud", not "the keeper".

    Somebody absent is only meant by name: another keeper may be here.
    """
    names = {*words_of(f"{person.name.en} {person.name.fr}")}
    yield from (one for one in person.words.all if {*words_of(one)} <= names)


def _split(phrases: Sequence[str]) -> tuple[Phrase, ...]:
    return tuple(filter(None, map(words_of, phrases)))


def _phrases(name: Text, more: Sequence[str] = ()) -> tuple[Phrase, ...]:
    own = (_bare(words_of(said)) for said in name.both)
    return tuple(dict.fromkeys((*own, *_split(more))))


def _bare(words: Phrase) -> Phrase:
    return words[1:] if len(words) > 1 and words[0] in ARTICLES else words


def bare_name(name: str) -> str:
    """Fold a name and drop its article."""
    return " ".join(_bare(words_of(name)))


def item_named(key: str, item: Item) -> Named:
    """Pair a thing with the phrases that mean it."""
    return Named(id=key, phrases=_phrases(item.name, item.words.all))


def items_alone(book: Book, keys: Iterable[str]) -> list[Named]:
    """Pair things with the phrases that mean them and nothing that the story itself is about.

    A ware that goes by "lamp" is called a lantern where a lamp is what everybody talks of.
    """
    story = book.scenario
    told = (story.talks, story.deeds, story.lores, story.places)
    topics = {words_of(said) for some in told for one in some.values() for said in one.words.all}
    named = ((item_named(key, item := book.rules.items[key]), item) for key in keys)
    return [
        one.model_copy(update={"phrases": tuple(_apart(one.phrases, item.name, topics))})
        for one, item in named
    ]


def _apart(phrases: Sequence[Phrase], name: Text, topics: Set[Phrase]) -> Iterator[Phrase]:
    own = {word for said in name.both for word in words_of(said)}
    yield from (one for one in phrases if one not in topics or {*one} <= own)


def place_named(key: str, place: Place) -> Named:
    """Pair a place with the phrases that mean it."""
    return Named(id=key, phrases=_phrases(place.name, place.words.all))


def _fighters(game: Game, book: Book) -> Iterator[Named]:
    """Yield the fighters, beginning with the foes who are still fighting."""
    if game.fight is None:
        return
    cast = book.scenario.encounters.get(game.fight.encounter)
    own = {f"foe{n}": foe.words.all for n, foe in enumerate(cast.foes, 1)} if cast else {}
    order = sorted(
        (one for one in game.fight.combatants if one.id != HERO),
        key=lambda one: (not one.present, one.side != "foes", one.id),
    )
    for one in order:
        beast = book.rules.bestiary.get(one.kind)
        kinds = (*beast.words.all, *beast.name.both) if beast else ()
        phrases = _phrases(one.name, (*own.get(one.id, ()), *kinds))
        yield Named(id=one.id, phrases=phrases, here=one.present and one.side == "foes")


def _beings(game: Game, book: Book) -> Iterator[Named]:
    for key, person in surroundings.persons(game, book).items():
        yield Named(id=key, phrases=_phrases(person.name, person.words.all))
    if key := surroundings.waiting(game, book):
        for foe in book.scenario.encounters[key].foes:
            beast = book.rules.bestiary[foe.kind]
            words = (*foe.words.all, *beast.words.all, *beast.name.both)
            yield Named(id=f"encounter:{key}", phrases=_phrases(foe.name, words))
    for key, one in setting.waiting_allies(game, book).items():
        yield Named(id=key, phrases=_phrases(one.name, one.words.all))


def _places(game: Game, book: Book) -> Iterator[Named]:
    places = book.scenario.places
    ways = {way.to: way for way in places[game.place].exits}
    for key, way in ways.items():
        # Outside a fight "back" may be the words of a way; in one it is a step, so words that
        # several ways share are left out.
        led = [one for place in places.values() for one in place.exits if one.to != key]
        common = {word for one in led for word in one.words.all} if game.fight else set()
        words = [word for word in way.words.all if word not in common]
        yield Named(id=key, phrases=_phrases(places[key].name, (*words, *places[key].words.all)))
    for key in (*game.visited, game.place):
        if key not in ways:
            yield place_named(key, places[key])
