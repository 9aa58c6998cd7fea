"""What one could do next, in words that the parser understands: hints and quick replies."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.saga.domain import journey
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.texts import Text

SHOWN = 6


def suggestions(game: Game, book: Book) -> tuple[str, ...]:
    """Return up to six things to do, the most pressing first."""
    if game.ending:
        return ()
    found = _fight(game, book) if game.fight else _story(game, book)
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
    if game.dead:
        yield Text(en="come back to life", fr="revenir à la vie")
        yield Text(en="accept death", fr="accepter la mort")
        return
    if key := journey.waiting(game, book):
        encounter = book.scenario.encounters[key]
        if encounter.parley:
            yield Text(en="negotiate", fr="négocier")
        if encounter.sneak:
            yield Text(en="sneak past", fr="passer discrètement")
        yield Text(en="attack", fr="attaquer")
    for deed in journey.deeds(game, book).values():
        yield deed.hint
    for person in journey.persons(game, book).values():
        yield Text(en=f"talk to {person.name.en}", fr=f"parler à {person.name.fr}")
    for way in journey.exits(game, book):
        place = book.scenario.places[way.to]
        yield Text(en=f"go to {place.name.en}", fr=f"aller vers {place.name.fr}")
    if journey.here(game, book).safe and game.sheet.hp < game.sheet.max_hp:
        yield Text(en="rest", fr="se reposer")
