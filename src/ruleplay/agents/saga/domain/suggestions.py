"""What one could do next, in words that the parser understands: hints and quick replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book, Person
from ruleplay.agents.saga.domain.texts import Text, towards

SHOWN = 6
BEFORE = (Text(en="begin", fr="commencer"),)
DEAD = (
    Text(en="come back to life", fr="revenir à la vie"),
    Text(en="accept death", fr="accepter la mort"),
)


def suggestions(game: Game, book: Book) -> tuple[str, ...]:
    """Return up to six things to do, the most pressing first."""
    if game.ending:
        return ()
    if game.fight:
        found: Iterable[Text] = _fight(game, book)
    elif game.dead:
        found = DEAD
    else:
        found = _story(game, book) if game.visited else BEFORE
    return tuple(dict.fromkeys(text.of(game.lang) for text in found))[:SHOWN]


def _fight(game: Game, book: Book) -> Iterator[Text]:
    if game.fight is None:
        return
    for foe in game.fight.side("foes"):
        yield Text(en=f"attack {foe.name.en}", fr=f"attaquer {foe.name.fr}")
    hero = game.fight.the(HERO)
    remedies = [c.item for c in game.sheet.carried if book.rules.items[c.item].kind == "remedy"]
    if remedies and hero.hp < hero.max_hp:
        item = book.rules.items[remedies[0]]
        yield Text(en=f"drink the {item.name.en}", fr=f"boire {item.the('fr')}")
    yield Text(en="defend", fr="se défendre")
    yield Text(en="flee", fr="fuir")


def _story(game: Game, book: Book) -> Iterator[Text]:
    if key := surroundings.waiting(game, book):
        encounter = book.scenario.encounters[key]
        if encounter.parley:
            yield Text(en="negotiate", fr="négocier")
        if encounter.sneak:
            yield Text(en="sneak past", fr="passer discrètement")
        yield Text(en="attack", fr="attaquer")
    for deed in surroundings.deeds(game, book).values():
        if not deed.quiet:
            yield deed.hint
    for key, person in surroundings.persons(game, book).items():
        yield from _talks(game, book, key, person)
    for way in surroundings.free_exits(game, book):
        place = book.scenario.places[way.to]
        yield Text(en=f"go to {place.name.en}", fr=f"aller {towards(place.name.fr)}")
    if surroundings.here(game, book).safe and game.sheet.hp < game.sheet.max_hp:
        yield Text(en="rest", fr="se reposer")


def _talks(game: Game, book: Book, key: str, person: Person) -> Iterator[Text]:
    """Yield what somebody can still be asked: a greeting first, then what has a hint."""
    open_talks = surroundings.talks(game, book, key).values()
    if any(talk.default for talk in open_talks):
        yield Text(en=f"talk to {person.name.en}", fr=f"parler {towards(person.name.fr)}")
        return
    yield from (talk.hint for talk in open_talks if talk.hint)
