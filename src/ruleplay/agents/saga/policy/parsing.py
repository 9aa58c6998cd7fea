"""The parser as a reader: what a message means when no model reads it, or none could."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruleplay.agents.saga.domain import lexemes, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.mentions import mentioned, negated
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import Named, Scope, scope_of
from ruleplay.agents.saga.domain.suggestions import suggestions
from ruleplay.agents.saga.domain.texts import Text, towards, words_of
from ruleplay.agents.saga.domain.understanding import clauses, heard_in, understand
from ruleplay.agents.saga.domain.wording import Phrase, akin, same
from ruleplay.agents.saga.state import Heard
from ruleplay.story.acts import EVERYBODY, Act

QUOTED = re.compile(r"«([^«»]*)»|“([^“”]*)”|\"([^\"]*)\"")
FREE = ("look", "talk", "sheet", "inventory", "journal", "map", "help", "status", "begin")
"""What costs nothing; all else is asked about when it was heard in a message that says more."""
HOSTILE = ("attack", "trigger_combat", "flee", "sneak", "parley", "intimidate")
"""What needs somebody who bars the way."""
UNSURE = Text(
    en="I am not sure what you want to do. Perhaps one of these?",
    fr="Je ne suis pas sûr de ce que vous voulez faire. Peut-être ceci ?",
)
MEANT = Text(en="Do you mean: {0}?", fr="Voulez-vous dire : {0} ?")
KNOWN = (
    Text(en="what do I know so far", fr="ce que je sais"),
    Text(en="inventory", fr="inventaire"),
)
"""What is offered beside other things when a question was not understood."""
AGAIN = Text(en="again", fr="encore")
WHICH_WAY = Text(en="Which way?", fr="Par où ?")
NAMED: dict[str, Text] = {
    "rest": Text(en="rest", fr="se reposer"),
    "wait": Text(en="wait", fr="attendre"),
    "pass": Text(en="wait", fr="attendre"),
    "search": Text(en="search", fr="fouiller"),
    "defend": Text(en="defend", fr="se défendre"),
    "guard": Text(en="defend", fr="se défendre"),
    "aim": Text(en="aim", fr="viser"),
    "use": Text(en="use {0}", fr="utiliser {0}"),
    "equip": Text(en="equip {0}", fr="équiper {0}"),
    "buy": Text(en="buy {0}", fr="acheter {0}"),
    "travel": Text(en="go to {0}", fr="aller {0}"),
    "attack": Text(en="attack", fr="attaquer"),
    "trigger_combat": Text(en="attack", fr="attaquer"),
    "flee": Text(en="flee", fr="fuir"),
    "sneak": Text(en="sneak past", fr="passer discrètement"),
    "parley": Text(en="negotiate", fr="négocier"),
    "intimidate": Text(en="intimidate", fr="intimider"),
    "force_end": Text(en="stop the fight", fr="arrêter le combat"),
}
SHORT = 4
"""Words that a message may say besides what was understood of it."""
CLAUSE_OPENS = 3
"""Words of a clause among which the verb of going on stands."""


def parse(message: str, game: Game, book: Book) -> Heard:
    """Return what a message means; unsure of something that costs, the parser asks."""
    scope = scope_of(game, book)
    spoken = [words for found in QUOTED.findall(message) if (words := "".join(found).strip())]
    outside = QUOTED.sub(" ", message) if spoken else message
    intents = tuple(one for one in understand(outside, scope) if one.act != "unknown")
    said = tuple(_said(words, outside, scope) for words in spoken[:2])
    if spoken:
        # What is said aloud raises a topic; it never strikes a blow.
        topics = understand(" ".join(spoken), scope) if not game.fight else ()
        intents += tuple(one for one in topics if one.act == "talk" and not intents)
    if not intents and not said and goes_on(outside, scope):
        return _onward(game, book)
    if not intents and not said:
        return _unsure(game, book, asks="?" in message)
    free = tuple(one for one in intents if _is_free(one, book))
    for costly in (one for one in intents if one not in free):
        if doubtful(outside, scope, costly):
            looked_up = any(one.act != "talk" for one in free) and not conditional(outside)
            return Heard(intents=free) if looked_up else _meant(costly, game, book)
    return Heard(acts=said, intents=intents)


def _is_free(intent: Intent, book: Book) -> bool:
    """Whether nothing is lost if it was not meant; a topic that is rolled for may be."""
    topic = book.scenario.talks.get(intent.item) if intent.act == "talk" else None
    return intent.act in FREE and not (topic and topic.test)


def conditional(message: str) -> bool:
    """Whether a message depends on something: what on, only a model can tell."""
    return not lexemes.CONDITIONS.isdisjoint(words_of(message))


def doubtful(message: str, scope: Scope, intent: Intent) -> bool:
    """Whether an act may not be what a message wants: it says much else, or only "if"."""
    waits = intent.act in ("wait", "pass") and "?" in message
    return conditional(message) or waits or len(strays(message, scope, intent)) > SHORT


def goes_on(message: str, scope: Scope) -> bool:
    """Whether a clause says that one goes on, without saying where, and says little else."""
    travel = Intent(act="travel")
    return scope.mode == "narrative" and any(
        one.act == "travel" and one.at < CLAUSE_OPENS
        for clause in clauses(message)
        if not negated(clause) and len(_strays(clause, scope, travel)) < SHORT - 1
        for one in heard_in(clause, scope.mode)
    )


def _onward(game: Game, book: Book) -> Heard:
    """Go on where there is one way; with several, ask which."""
    ways = [way.to for way in surroundings.exits(game, book)]
    if len(ways) < 2 or surroundings.waiting(game, book):
        onward = next((one for one in ways if one not in game.visited), ways[0] if ways else "")
        return Heard(intents=(Intent(act="travel", target=onward),))
    choices = tuple(_label(Intent(act="travel", target=one), game, book) for one in ways[:4])
    return Heard(question=WHICH_WAY.of(game.lang), choices=choices)


def _said(words: str, outside: str, scope: Scope) -> Act:
    being = mentioned(words_of(words), scope.beings) or mentioned(words_of(outside), scope.beings)
    to = being.id if being and not being.id.startswith("encounter:") else EVERYBODY
    return Act(do="say", to="" if to == HERO else to, text=words[:300])


def _unsure(game: Game, book: Book, *, asks: bool = False) -> Heard:
    known = tuple(one.of(game.lang) for one in KNOWN) if asks else ()
    choices = (*suggestions(game, book)[: 4 - len(known)], *known)
    return Heard(question=UNSURE.of(game.lang), choices=choices)


def _meant(intent: Intent, game: Game, book: Book) -> Heard:
    lang, label = game.lang, _label(intent, game, book)
    nobody = not game.fight and not surroundings.waiting(game, book)
    if not label or (nobody and intent.act in HOSTILE):
        return _unsure(game, book)
    others = [one for one in suggestions(game, book) if not one.startswith(label)]
    choices = tuple(dict.fromkeys((label, *others)))[:4]
    return Heard(question=MEANT.of(lang).format(label), choices=choices, intents=(intent,))


def _label(intent: Intent, game: Game, book: Book) -> str:
    """Return an act in words that are understood when they come back; empty for lack of them."""
    lang, story = game.lang, book.scenario
    if intent.act == "deed":
        return story.deeds[intent.target].hint.of(lang)
    if intent.act == "talk":
        hint = story.talks[intent.item].hint
        return hint.of(lang) if hint else ""
    if intent.act == "travel" and intent.target:
        name = story.places[intent.target].name
        return NAMED["travel"].of(lang).format(towards(name.fr) if lang == "fr" else name.en)
    if intent.act in ("use", "equip", "buy"):
        item = book.rules.items.get(intent.item)
        return NAMED[intent.act].of(lang).format(item.name.of(lang)) if item else ""
    return NAMED[intent.act].of(lang) if intent.act in NAMED and intent.act != "travel" else ""


def strays(message: str, scope: Scope, intent: Intent) -> list[str]:
    """Return the words of a message that what was understood does not account for."""
    return _strays(words_of(message), scope, intent)


def _strays(words: Phrase, scope: Scope, intent: Intent) -> list[str]:
    known = {*lexemes.FILLERS, *lexemes.SPLITTERS}
    table = {one.act for one in heard_in(words, scope.mode)} | {intent.act}
    named = [*scope.beings, *scope.places, *scope.items, *scope.deeds]
    return [
        word
        for word in words
        if len(word) > 2
        and word not in known
        and not any(_names(word, one) for one in named)
        and not any(one.act in table for one in heard_in((word,), scope.mode))
    ]


def _names(word: str, one: Named) -> bool:
    return any(same(word, part) or akin(word, part) for phrase in one.phrases for part in phrase)


def chosen(message: str, game: Game) -> int | None:
    """Return which choice of the question that waits a message picks: by its words, or the first.

    "yes" picks "yes, attack Maud".
    """
    asked = game.story.asked
    said = words_of(message)
    if asked is None or not said:
        return None
    for at, choice in enumerate(asked.choices):
        words = words_of(choice)
        if said == words or (asked.acts and said == words[: len(said)]):
            return at
    return None


def again(message: str, said: Sequence[str]) -> str:
    """Return the message that is meant: the last of those before where one says "again"."""
    repeats = tuple(words_of(one) for one in AGAIN.both)
    if words_of(message) not in repeats:
        return message
    return next((one for one in reversed(said) if words_of(one) not in repeats), message)


def exact(message: str, game: Game, book: Book) -> bool:
    """Whether a message is one of the things that were offered, word for word."""
    said = words_of(message)
    offered = (*suggestions(game, book), *_choices(game))
    return any(said == words_of(one) for one in offered)


def _choices(game: Game) -> Iterator[str]:
    if game.story.asked and not game.story.asked.acts:
        yield from game.story.asked.choices
