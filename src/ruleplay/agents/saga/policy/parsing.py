"""The parser as a reader: what a message means when no model reads it, or none could.

A classifier hears what each part of the message does; whom and what it is done to are the names
of the scene. What costs something has to be heard clearly; otherwise the player is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.offers import label, offered, suggestions, way_to
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import scope_of
from ruleplay.agents.saga.policy.deeds import LOOKED_UP, METAS, Meant, meaning
from ruleplay.agents.saga.state import Heard
from ruleplay.story.acts import Act
from ruleplay.story.hearing import (
    BRIEF,
    DONE,
    KEYS,
    LEADING,
    MANY,
    PERHAPS,
    PLAIN,
    PLAINLY,
    SAID,
    SURE,
    heard,
    own_words,
    part_of,
    parts_of,
)
from ruleplay.story.mentions import Scope, conditional, mentioned
from ruleplay.story.texts import Text, words_of

ASIDE = re.compile(r"\s*\(([^()]{3,})\)\s*")
"""What is all in brackets is said to the game."""
QUOTED = re.compile(r"«([^«»]*)»|“([^“”]*)”|\"([^\"]*)\"")
LIKELY, GUESSED = 0.35, 0.2
"""How certain what is free must be, and what stands beside spoken words."""
HARDLY = 0.12
"""How certain what is free must be when nothing else is half as likely."""
ACTS_AT_MOST, LONGEST, SHORTEST = 4, 1200, 3
FREE = ("say", "flourish", "ask", "vain")
"""Acts that cost nothing wherever they are done."""
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


def parse(message: str, game: Game, book: Book) -> Heard:
    """Return what a message means; unsure of something that costs, the parser asks."""
    if len(words_of(message)) == 1 and len(message.strip()) < SHORTEST:
        return _unsure((), game, book)
    if known := offered(message, game, book):
        return Heard(intents=(known.model_copy(update={"said": message[:200]}),))
    if aside := ASIDE.fullmatch(message):
        return _aside(aside[1], game, book)
    confirmed = DONE.match(message)
    message = message[confirmed.end() :] if confirmed else message
    scope, plain = scope_of(game, book), KEYS.sub(r"\1\2", message)
    spoken = [said for found in QUOTED.findall(plain) if (said := "".join(found).strip())]
    outside = QUOTED.sub(" <said> ", plain[:LONGEST])
    found, rest = _up_to_leaving(list(_meanings(outside, scope, game, book, spoken)))
    looked = LOOKED_UP.values()
    if game.dead and not any(one.intent and one.intent.act in looked for one in found):
        return _unsure((), game, book)
    brief = len(words_of(message)) <= BRIEF * len(found[:2])
    needed = PLAIN if brief else MANY if len(found) > 1 else SURE
    found = _likely(found)
    doubts = [one for one in found if one.costly and not _clear(one, message, needed)]
    doubts += [one for one in found if _entangled(one, found, scope)]
    if doubts and not confirmed:
        return _meant(doubts[0], game, book)
    least = 0.0 if confirmed else GUESSED if spoken else None
    sure = [one for one in found if one.sure >= (_least(one) if least is None else least)]
    acts = tuple(dict.fromkeys(act for one in sure for act in one.acts))[:ACTS_AT_MOST]
    wanted = {one.intent.model_copy(update={"said": ""}): one.intent for one in sure if one.intent}
    intents = tuple(wanted.values())[:ACTS_AT_MOST]
    if not acts and not intents:
        return _unsure(found, game, book, asks="?" in message)
    if any(one.onward for one in sure):
        return _onward(game, book)
    told = _spare(acts, intents, game, asks="?" in message)
    return told.model_copy(update={"rest": rest if _leads_on(intents[-1:]) else ""})


def _aside(words: str, game: Game, book: Book) -> Heard:
    """Return what is said to the game itself: nothing is done for it in the story."""
    scope = scope_of(game, book)
    part = heard(part_of(words, scope))
    if part.act in LOOKED_UP or part.act in METAS:
        found = meaning(part, (), scope, game, book)
        return Heard(acts=found.acts, intents=(found.intent,) if found.intent else ())
    topic = "help" if part.act in ("speak", "whisper") else "rules"
    return Heard(acts=(Act(do="ask", to=topic, text=words[:200]),))


def _up_to_leaving(found: list[Meant]) -> tuple[list[Meant], str]:
    """Part what is done here from what is said after going somewhere: it is heard there."""
    for at, one in enumerate(found[:-1]):
        rest = ". ".join(each.said for each in found[at + 1 :])
        if one.intent and _leads_on((one.intent,)) and one.sure >= PLAIN and SAID not in rest:
            return found[: at + 1], rest
    return found, ""


def _entangled(one: Meant, found: Sequence[Meant], scope: Scope) -> bool:
    """Whether something is bought while other words name wares: "no, five arrows" may undo it."""
    if not (one.intent and one.intent.act in ("buy", "sell")):
        return False
    wares = [ware for ware in scope.items if ware.id in (*scope.sold, one.intent.item)]
    others = (words_of(each.said) for each in found if each is not one)
    return any(mentioned(words, wares) for words in others)


def _leads_on(intents: Sequence[Intent]) -> bool:
    return any(one.act == "travel" and one.target for one in intents)


def _spare(acts: Sequence[Act], intents: Sequence[Intent], game: Game, *, asks: bool) -> Heard:
    """Drop looks beside deeds; in a fight acts and looking up do not mix."""
    if asks and not acts and any(one.act in LOOKED_UP.values() for one in intents):
        return Heard(intents=tuple(one for one in intents if one.act in LOOKED_UP.values()))
    looks = ("look", "status", "journal", "help", "map")
    doing = tuple(one for one in intents if one.act not in looks)
    kept = doing if doing or acts else tuple(intents)
    return Heard(acts=_hung(acts), intents=() if game.fight and acts else kept)


def _hung(acts: Sequence[Act]) -> tuple[Act, ...]:
    """Let what follows something vain hang on it: whether it does, only a model can tell."""
    at = next((n for n, act in enumerate(acts) if act.do == "vain"), len(acts))
    words = ("say", "vain", "ask", "whisper")
    return tuple(
        act.model_copy(update={"when": "if_success"}) if n > at and act.do not in words else act
        for n, act in enumerate(acts)
    )


def _likely(found: Sequence[Meant]) -> list[Meant]:
    """Drop costly guesses beside something plain, and demands: "Enough. I go" asks for nothing."""
    if len(found) < 2 or not any(one.sure >= PLAIN for one in found):
        return list(found)
    kept = (one for one in found if not (one.costly and one.sure < LIKELY))
    return [_merely_said(one) if one.costly and one.sure < SURE else one for one in kept]


def _merely_said(one: Meant) -> Meant:
    if not one.acts or any(act.do != "say" for act in one.acts):
        return one
    plain = tuple(act.model_copy(update={"want": "", "approach": "plain"}) for act in one.acts)
    return one.model_copy(update={"acts": plain, "costly": False})


def _least(one: Meant) -> float:
    """Return how sure a part must be: words cost nothing, what is looked up may be guessed."""
    if one.intent and one.intent.act in LOOKED_UP.values():
        return GUESSED
    free = one.intent.act == "talk" if one.intent else all(act.do in FREE for act in one.acts)
    return HARDLY if free and one.lead >= LEADING and not one.costly else LIKELY


def _clear(one: Meant, message: str, needed: float) -> bool:
    words = bool(one.acts) and all(act.do == "say" for act in one.acts)
    if words and one.sure >= PLAIN and one.lead >= PLAINLY:
        return True
    return one.sure >= needed and one.named and not conditional(words_of(message))


def _meanings(
    outside: str, scope: Scope, game: Game, book: Book, spoken: Sequence[str]
) -> Iterator[Meant]:
    """Yield what each sentence means, or each half of one that plainly does two things."""
    left = list(spoken)
    for part in parts_of(outside, scope):
        quoted = [left.pop(0) for _ in range(part.text.count(SAID)) if left]
        yield meaning(part, quoted, scope, game, book)


def _onward(game: Game, book: Book) -> Heard:
    """Go on where there is one way; with several, ask which."""
    ways = [way.to for way in surroundings.exits(game, book)]
    if len(ways) < 2 or surroundings.waiting(game, book):
        onward = next((one for one in ways if one not in game.visited), ways[0] if ways else "")
        return Heard(intents=(Intent(act="travel", target=onward),))
    choices = tuple(way_to(book, one).of(game.lang) for one in ways[:4])
    return Heard(question=WHICH_WAY.of(game.lang), choices=choices)


def _unsure(found: Sequence[Meant], game: Game, book: Book, *, asks: bool = False) -> Heard:
    known = tuple(one.of(game.lang) for one in KNOWN) if asks else ()
    best = sorted(found, key=lambda one: -one.sure)[: 1 if len(found) > 2 else 2]
    likely = [said for one in best for said in _choices(one, game, book)][: 3 - len(known)]
    choices = (*likely, *suggestions(game, book)[: 4 - len(known) - len(likely)], *known)
    return Heard(question=UNSURE.of(game.lang), choices=tuple(dict.fromkeys(choices))[:4])


def _meant(doubt: Meant, game: Game, book: Book) -> Heard:
    named = _named(doubt, game, book)
    if not named:
        return _unsure((doubt,), game, book)
    choices = tuple(dict.fromkeys((*_choices(doubt, game, book), *suggestions(game, book))))[:4]
    return Heard(question=MEANT.of(game.lang).format(named), choices=choices)


def _named(one: Meant, game: Game, book: Book) -> str:
    """Return an act in the words of an offer; empty for lack of them."""
    if intent := one.choice or one.intent:
        return label(intent, game, book)
    options = dict(setting.options(game, book))
    item = next((act.item for act in one.acts if act.item in options), "")
    return options[item].of(game.lang) if item else ""


def _choices(one: Meant, game: Game, book: Book) -> Iterator[str]:
    """Yield what was perhaps meant in words that are understood when they come back."""
    if named := _named(one, game, book):
        yield named
    doable = not named and one.sure >= PERHAPS and bool(one.acts or one.intent)
    sayable = SAID not in one.said and (one.speech >= PERHAPS or one.asks)
    yield from own_words(one.said, game.lang, doable=doable, sayable=sayable)


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
    return offered(message, game, book) is not None
