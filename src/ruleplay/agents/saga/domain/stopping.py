"""Stops, the game's safety tool: what a player cannot bear ends at once and costs nothing.

The topic is added to the lines of the story's style, so that it never comes up again.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.saga.domain import spoils, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import AskedBack, FlagSet, Stopped, StyleChosen
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.story import Asked
from ruleplay.story.acts import Act
from ruleplay.story.style import crossed
from ruleplay.story.texts import Text, plain, words_of

ROOT = 4
"""Fewest letters of a word that can say what a topic is about."""
THIS_TOO = Text(
    en="Shall what is going on here stop as well?",
    fr="Faut-il aussi arrêter ce qui se passe ici ?",
)
STOP_IT = Text(en="yes, stop it", fr="oui, arrêter")
GO_ON = Text(en="no, go on", fr="non, continuer")


def stop(play: Play, topic: str) -> None:
    """Keep a topic out of the story, and end the current scene if it is about that.

    A stop without a topic ends whatever goes on. If the topic seems to be about something else,
    the player is asked whether to end it. Foes who barred the way count as passed.
    """
    style = play.game.story.style.without(topic)
    if style != play.game.story.style:
        play.add(StyleChosen(style=style))
    key, lang = _going_on(play.game, play.book), play.game.lang
    if key and not concerns(topic, play.game, play.book):
        choices = (STOP_IT.of(lang), GO_ON.of(lang))
        act = Act(do="meta", meta="stop_scene")
        asked = Asked(question=THIS_TOO.of(lang), choices=choices, acts=(act,))
        play.add(AskedBack(asked=asked))
        return
    if key:
        break_off(play, key)
    if key or not topic:
        play.add(Stopped())


def break_off(play: Play, key: str) -> None:
    """End a fight or remove waiting foes; the story goes on as if they had been passed."""
    if play.game.fight:
        spoils.conclude(play, "forced_end")
    elif f"left:{key}" not in play.game.flags:
        play.add(FlagSet(flag=f"left:{key}"))
    encounter = play.book.scenario.encounters.get(key)
    for flag in encounter.gain.flags if encounter else ():
        play.add(FlagSet(flag=flag))


def unwelcome(game: Game, book: Book, key: str) -> bool:
    """Whether an encounter is about something that the player has ruled out."""
    encounter = book.scenario.encounters[key]
    kept = all(surroundings.bearable(foe, game, book) for foe in encounter.foes)
    return not kept or bool(crossed(" ".join(encounter.text.both), game.story.style))


def concerns(topic: str, game: Game, book: Book) -> bool:
    """Whether a topic is about what is going on; an empty one always is."""
    seen = plain(" ".join(_around(game, book)))
    roots = [word.rstrip("sx") for word in words_of(topic) if len(word) >= ROOT]
    return not roots or any(f" {root}" in seen for root in roots)


def kinds_here(game: Game, book: Book) -> Iterator[str]:
    """Yield the words for the kinds of foes here: "spider", "orc"."""
    key = surroundings.waiting(game, book)
    foes = book.scenario.encounters[key].foes if key else ()
    fighters = game.fight.combatants if game.fight else ()
    kinds = [foe.kind for foe in foes] + [one.kind for one in fighters if one.id != HERO]
    for kind in dict.fromkeys(kinds):
        if beast := book.rules.bestiary.get(kind):
            yield from (*beast.words.all, *beast.name.both)


def _going_on(game: Game, book: Book) -> str:
    """Return the encounter that is being fought or waits here; empty for none."""
    return game.fight.encounter if game.fight else surroundings.waiting(game, book)


def _around(game: Game, book: Book) -> Iterator[str]:
    yield from kinds_here(game, book)
    if encounter := book.scenario.encounters.get(_going_on(game, book)):
        yield from (name for foe in encounter.foes for name in foe.name.both)
        yield from encounter.text.both
    yield from surroundings.here(game, book).text.both
