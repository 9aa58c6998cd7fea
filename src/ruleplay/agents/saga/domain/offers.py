"""Suggestions for the next message, each with the intent that its words mean.

Messages that repeat a suggestion need neither parser nor model.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Act, Intent
from ruleplay.agents.saga.domain.scenario import Book, Person
from ruleplay.story.texts import Text, texts_in, towards, words_of

SHOWN = 6
"""Most suggestions shown."""
Offer = tuple[Text, Intent]
STRIKE = Text(en="attack {0}", fr="attaquer {0}")
BEGIN: Offer = (Text(en="begin", fr="commencer"), Intent(act="begin"))
FALLEN: tuple[Offer, ...] = (
    (Text(en="come back to life", fr="revenir à la vie"), Intent(act="return")),
    (Text(en="accept death", fr="accepter la mort"), Intent(act="accept")),
)


def _table(name: str) -> dict[Act, Text]:
    """Load the offers of one kind from `offers.json`, by act."""
    found = texts_in("ruleplay.agents.saga.domain", "offers.json").items()
    acts = ((key.removeprefix(f"{name}."), text) for key, text in found if key.startswith(name))
    return {Intent.model_validate({"act": act}).act: text for act, text in acts}


SIMPLE, STORY, BARRED, FIGHT = map(_table, ("simple", "story", "barred", "fight"))


def suggestions(game: Game, book: Book) -> tuple[str, ...]:
    """Suggest up to six things to do, the most pressing first."""
    if game.ending:
        return ()
    found = dict.fromkeys(text.of(game.lang) for text, _ in _pressing(game, book))
    return tuple(found)[:SHOWN]


def offered(words: str, game: Game, book: Book) -> Intent | None:
    """Find the intent of a suggestion by its words in either language, or by its act's name."""
    said = words_of(words)
    known = tuple(_all(game, book))
    worded = (one for text, one in known if said in map(words_of, text.both))
    named = (one for _, one in known if said == (one.act,) and one == Intent(act=one.act))
    return next(iter((*worded, *named)), None)


def label(intent: Intent, game: Game, book: Book) -> str:
    """Return the words that suggest an intent, with its count; empty if there are none."""
    bare = intent.model_copy(update={"said": "", "count": 1})
    words = next((text.of(game.lang) for text, one in _all(game, book) if one == bare), "")
    if not words or intent.count == 1:
        return words
    name = book.rules.items[intent.item].name.of(game.lang)
    return words.replace(name, f"{intent.count} {name}")


def _pressing(game: Game, book: Book) -> Iterator[Offer]:
    if game.fight:
        yield from _fight(game, book)
    elif game.dead:
        yield from FALLEN
    elif game.visited:
        yield from _story(game, book)
    else:
        yield BEGIN


def _all(game: Game, book: Book) -> Iterator[Offer]:
    yield from _pressing(game, book)
    tables = [SIMPLE]
    if game.fight:
        tables.append(FIGHT)
    elif not game.dead:
        barred = surroundings.waiting(game, book)
        tables += [BARRED, STORY] if barred else [STORY]
        yield from _goods(game, book)
        yield from _topics(game, book)
    yield from ((text, _bare(act)) for table in tables for act, text in table.items())


@cache
def _bare(act: Act) -> Intent:
    return Intent(act=act)


def _fight(game: Game, book: Book) -> Iterator[Offer]:
    if game.fight is None:
        return
    for foe in game.fight.side("foes"):
        words = Text(en=STRIKE.en.format(foe.name.en), fr=STRIKE.fr.format(foe.name.fr))
        yield words, Intent(act="attack", target=foe.id)
    hero = game.fight.the(HERO)
    remedies = [c.item for c in game.sheet.carried if book.rules.items[c.item].kind == "remedy"]
    if remedies and hero.hp < hero.max_hp:
        item = book.rules.items[remedies[0]]
        words = Text(en=f"drink the {item.name.en}", fr=f"boire {item.the('fr')}")
        yield words, Intent(act="use", item=remedies[0])
    yield FIGHT["defend"], Intent(act="defend")
    yield FIGHT["flee"], Intent(act="flee")


def _story(game: Game, book: Book) -> Iterator[Offer]:
    if key := surroundings.waiting(game, book):
        encounter = book.scenario.encounters[key]
        shut = {"parley": encounter.parley, "sneak": encounter.sneak, "pay": encounter.toll}
        for act in BARRED:
            if act != "flee" and shut.get(act, True):
                yield BARRED[act], Intent(act=act)
    for key, deed in surroundings.deeds(game, book).items():
        if not deed.quiet:
            yield deed.hint, Intent(act="deed", target=key)
    for key, person in surroundings.persons(game, book).items():
        yield from _talks(game, book, key, person)
    for way in surroundings.free_exits(game, book):
        yield way_to(book, way.to), Intent(act="travel", target=way.to)
    if surroundings.here(game, book).safe and game.sheet.hp < game.sheet.max_hp:
        yield STORY["rest"], Intent(act="rest")


def way_to(book: Book, place: str) -> Text:
    """Word the suggestion to go to a place."""
    name = book.scenario.places[place].name
    return Text(en=f"go to {name.en}", fr=f"aller {towards(name.fr)}")


def _talks(game: Game, book: Book, key: str, person: Person) -> Iterator[Offer]:
    """Yield how to talk to somebody: a greeting at first, later the topics that have a hint."""
    if any(talk.default for talk in surroundings.talks(game, book, key).values()):
        words = Text(en=f"talk to {person.name.en}", fr=f"parler {towards(person.name.fr)}")
        yield words, Intent(act="talk", target=key)
        return
    yield from _topics(game, book, key)


def _topics(game: Game, book: Book, *who: str) -> Iterator[Offer]:
    for person in who or surroundings.persons(game, book):
        for key, talk in surroundings.talks(game, book, person).items():
            if talk.hint:
                yield talk.hint, Intent(act="talk", target=person, item=key)


def _goods(game: Game, book: Book) -> Iterator[Offer]:
    """Yield everything that can be bought, sold, used, equipped or trained."""
    items = book.rules.items
    sold = [item for one in surroundings.persons(game, book).values() for item in one.sells]
    for key in sold:
        yield _of(items[key].name, "buy", "acheter"), Intent(act="buy", item=key)
    for one in game.sheet.carried:
        item = items[one.item]
        if sold:
            yield _of(item.name, "sell", "vendre"), Intent(act="sell", item=one.item)
        if item.kind == "remedy":
            yield _of(item.name, "use", "utiliser"), Intent(act="use", item=one.item)
        if item.kind in ("weapon", "armour"):
            yield _of(item.name, "equip", "équiper"), Intent(act="equip", item=one.item)
    for key, skill in book.rules.skills.items():
        yield _of(skill.name, "train", "travailler"), Intent(act="train", target=key)


def _of(name: Text, en: str, fr: str) -> Text:
    return Text(en=f"{en} {name.en}", fr=f"{fr} {name.fr}")
