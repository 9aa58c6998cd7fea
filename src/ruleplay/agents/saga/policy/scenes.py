"""Collect what a model's prose may mention in a turn: beings, known names, unknown secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import bare_name
from ruleplay.agents.saga.policy.phrases import COINS
from ruleplay.agents.saga.state import Draft
from ruleplay.story.beats import Being
from ruleplay.story.passage import Scene
from ruleplay.story.texts import words_of

TELLING = 6
"""Fewest letters of a secret's word that, together with another one, gives the secret away."""


def scene_of(draft: Draft, book: Book, beings: Sequence[Being], told: str, chronicle: str) -> Scene:
    """Build the scene that prose is checked against (`ruleplay.story.passage`).

    `told` is what this turn's reply has shown so far.
    """
    game = draft.now.game
    heard = "\n".join([*_heard(game, book), told, chronicle, draft.given.message])
    if draft.history:
        heard += "\n".join(line.text for line in draft.history.lines)
    return Scene(
        lang=game.lang,
        beings=tuple(beings),
        heard=heard,
        secrets=tuple(_secrets(game, book, heard)),
        unsaid=tuple(_unsaid(book, game)),
        style=game.story.style,
        player=HERO,
    )


def _heard(game: Game, book: Book) -> Iterator[str]:
    lang, story = game.lang, book.scenario
    yield story.title.of(lang)
    yield story.pitch.of(lang)
    yield story.intro.of(lang)
    yield book.rules.races[game.sheet.race].name.of(lang)
    yield book.rules.cultures[game.sheet.culture].name.of(lang)
    yield from (skill.name.of(lang) for skill in book.rules.skills.values())
    for key in game.visited:
        place = story.places[key]
        yield f"{place.name.of(lang)} {place.text.of(lang)}"
        yield from (one.of(lang) for one in (place.again,) if one)
        if ("fight", place.encounter) in {entry[:2] for entry in game.chronicle}:
            yield story.encounters[place.encounter].text.of(lang)
    for way in surroundings.exits(game, book):
        yield story.places[way.to].name.of(lang)
    for person in surroundings.persons(game, book).values():
        yield person.text.of(lang)
        yield from (book.rules.items[item].name.of(lang) for item in person.sells)
        yield person.traits(lang)
    for foe in setting.waiting_foes(game, book).values():
        yield foe.traits(lang)
    if key := surroundings.waiting(game, book):
        yield story.encounters[key].text.of(lang)
    yield COINS[True].of(lang)
    for one in game.sheet.carried:
        yield book.rules.items[one.item].name.of(lang)
    yield from (detail.text for detail in game.story.canon)
    yield from (mark.text for mark in game.story.marks)
    yield from (story.secrets[key].text.of(lang) for key in game.secrets)


def _secrets(game: Game, book: Book, heard: str) -> Iterator[tuple[str, ...]]:
    """Yield the marks of each unknown secret: its long words that have not occurred so far."""
    known = set(words_of(heard))
    for key, secret in book.scenario.secrets.items():
        if key not in game.secrets:
            words = dict.fromkeys(words_of(secret.text.of(game.lang)))
            marks = tuple(w for w in words if len(w) >= TELLING and w not in known)
            if len(marks) > 1:
                yield marks


def _unsaid(book: Book, game: Game) -> Iterator[str]:
    """Yield all authored names of places, persons and foes, without articles."""
    story, lang = book.scenario, game.lang
    names = [place.name for place in story.places.values()]
    names += [person.name for person in story.persons.values()]
    names += [foe.name for e in story.encounters.values() for foe in (*e.foes, *e.allies)]
    yield from (bare_name(name.of(lang)) for name in names)
