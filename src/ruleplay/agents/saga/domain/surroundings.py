"""Query what is around the hero: ways, people, deeds, things, and foes who bar the way.

Conditions of the scenario are checked against the game's flags, such as `won:KEY`, `left:KEY`,
`gone:PERSON` or `talk:KEY:text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import (
    Book,
    Clue,
    Deed,
    Exit,
    Foe,
    Lore,
    Person,
    Place,
    Talk,
    When,
)
from ruleplay.agents.saga.domain.story import Left
from ruleplay.hearing.encoder import alike
from ruleplay.story import canon
from ruleplay.story.style import crossed
from ruleplay.story.texts import Text, table, words_of
from ruleplay.story.wording import find

SENTENCES = re.compile(r"(?<=[.!?…»”\"])\s+(?=[^»])")
"""Gaps between sentences; the space before a closing guillemet is none."""
KNOWN, TOLD = "known:", ("text", "failure")
"""Prefix of the flag of a person whom the hero has recognised; parts of a talk that was heard."""
BEATEN = "yielded:"
"""Prefix of the flag of a foe who gave up."""
FOLK = "-folk"
"""Ends the key of somebody without a name (`Place.folk`)."""
HIRED = "hired:"
"""Prefix of the flag of somebody without a name who was hired (`Place.folk`)."""
GONE = "away:"
"""Prefix of the flag of an encounter whose foes have left once they were got past."""
NAME_WORD = 4
"""Least letters of a word that may name a thing in a place's text."""
READ, SHARED = 5, 0.24
"""Most sentences of a message whose meaning is compared; what a word in common adds to that."""


def here(game: Game, book: Book) -> Place:
    """Return the hero's place."""
    return book.scenario.places[game.place]


def sight(game: Game, book: Book, *, again: bool = False) -> str:
    """Describe the place as it is now, without those who have died, left or joined the hero."""
    place = here(game, book)
    texts = [place.again if again and place.again else place.text]
    texts += [one.text for one in place.now if one.when.holds(game.flags)]
    without = [game.story.company, place.persons, _beaten(game, book, place)]
    return still_true(
        texts[-1].of(game.lang), game, book, *(key for keys in without for key in keys)
    )


def shows(game: Game, book: Book, name: str) -> bool:
    """Whether the text of the place tells of what a name means: "the stool by the hearth"."""
    texts = words_of(f"{sight(game, book)} {sight(game, book, again=True)}")
    return any(len(word) >= NAME_WORD and word in texts for word in words_of(name))


def _beaten(game: Game, book: Book, place: Place) -> tuple[str, ...]:
    return (place.encounter,) if f"won:{place.encounter}" in game.flags else ()


def still_true(text: str, game: Game, book: Book, *who: str) -> str:
    """Drop the sentences of an authored text that name somebody of `who` who is not here.

    `who` are keys of persons, and of encounters that are won.
    """
    story, there = book.scenario, persons(game, book)
    gone = [key for key in who if key not in there or key in game.story.company]
    names = [story.persons[key].name for key in gone if key in story.persons]
    names += [
        foe.name for key in gone if key in story.encounters for foe in story.encounters[key].foes
    ]
    calls = {word for name in names for word in _called(name.of(game.lang))}
    kept = [one for one in SENTENCES.split(text) if calls.isdisjoint(words_of(one))]
    return " ".join(kept)


def _called(name: str) -> Iterator[str]:
    """Yield the capitalised words of a name: "Maud", not "the"."""
    for word in name.split():
        if word[:1].isupper():
            yield from words_of(word)


def exits(game: Game, book: Book) -> tuple[Exit, ...]:
    """Return the ways out that are open."""
    return tuple(way for way in here(game, book).exits if way.when.holds(game.flags))


def ways(game: Game, book: Book) -> dict[str, tuple[str, ...]]:
    """Map every place that the hero can find to the way there, nearest places first.

    It is a breadth-first search; only places that were visited are passed through.
    """
    near = {way.to: (way.to,) for way in exits(game, book)}
    found: dict[str, tuple[str, ...]] = {game.place: (), **near}
    queue = [key for key in near if key in game.visited]
    for at in queue:
        for way in book.scenario.places[at].exits:
            if way.to not in found and way.when.holds(game.flags):
                found[way.to] = (*found[at], way.to)
                if way.to in game.visited:
                    queue.append(way.to)
    return {key: way for key, way in found.items() if way}


def persons(game: Game, book: Book) -> dict[str, Person]:
    """Return the persons who are here with the hero's company, each by the name that is known."""
    waiting = game.story.waiting
    own = (key for key in here(game, book).persons if waiting.get(key, game.place) == game.place)
    kept = (key for key, place in waiting.items() if place == game.place)
    there = dict.fromkeys((*own, *game.story.company, *kept))
    known = ((key, book.scenario.persons[key]) for key in there)
    return {
        key: person.model_copy(update={"name": known_name(game, book, key)})
        if person.called or key.endswith(FOLK)
        else person
        for key, person in known
        if person.when.holds(game.flags) and f"gone:{key}" not in game.flags
    }


def met(game: Game, book: Book, who: str) -> bool:
    """Whether the hero knows a person: they have talked, or were at a place that was visited."""
    story = book.scenario
    spoken = any(
        talk.person == who and {f"talk:{at}:text", f"talk:{at}:failure"} & {*game.flags}
        for at, talk in story.talks.items()
    )
    seen = any(who in story.places[at].persons for at in game.visited)
    return spoken or (seen and story.persons[who].when.holds(game.flags))


def known_name(game: Game, book: Book, who: str) -> Text:
    """Return the name by which the hero knows a person; see `Person.called`.

    Who has no name is known by the one that the hero gave them.
    """
    story = book.scenario
    person = story.persons[who]
    if who.endswith(FOLK) and (given := canon.called(game.story.canon, who)):
        return Text(en=given, fr=given)
    if person.called is None or f"{KNOWN}{who}" in game.flags:
        return person.name
    own = (key for key, talk in story.talks.items() if talk.person == who)
    told = (f"talk:{key}:{part}" for key in (*own, *person.known_by) for part in TOLD)
    return person.called if {*told}.isdisjoint(game.flags) else person.name


def recognised(game: Game, book: Book, words: str) -> tuple[str, ...]:
    """Return the persons here whose name, unknown so far, stands in the hero's words."""
    said, people = {*words_of(words)}, book.scenario.persons
    return tuple(
        key
        for key, person in persons(game, book).items()
        if person.name != people[key].name
        and said & {word for name in people[key].name.both for word in _called(name)}
    )


def awaited(game: Game, book: Book, words: str) -> str:
    """Return the person who is named first in words and is not here, empty for none."""
    said, there = words_of(words), persons(game, book)
    found = {
        word: key
        for key, person in book.scenario.persons.items()
        for name in person.name.both
        for word in _called(name)
        if key not in there
    }
    return next((found[word] for word in said if word in found), "")


def elsewhere(game: Game, book: Book) -> dict[str, str]:
    """Map persons whom the hero knows, but who are not here, to their place.

    The place is empty for those who have gone, or whose place is unknown.
    """
    there, story = persons(game, book), book.scenario
    return {
        who: game.story.waiting.get(who)
        or next((at for at in game.visited if who in story.places[at].persons), "")
        if f"gone:{who}" not in game.flags and story.persons[who].when.holds(game.flags)
        else ""
        for who in story.persons
        if who not in there and met(game, book, who)
    }


def may_go(game: Game, book: Book, who: str) -> bool:
    """Whether somebody leaves when told to: companions, and those who surrendered."""
    beaten = any(flag.startswith(BEATEN) for flag in book.scenario.persons[who].when.has)
    return who in game.story.company or beaten


def gave_up(encounter: str, foe: str) -> str:
    """Return the flag of a foe who has given up, or come over to the hero."""
    return f"{BEATEN}{encounter}:{foe}"


def afterwards(book: Book, encounter: str, foe: str) -> str:
    """Return the person that a foe is after giving up, the scenario's own or a made one."""
    flag = gave_up(encounter, foe)
    return next(who for who, one in book.scenario.persons.items() if flag in one.when.has)


def folk(place: str) -> str:
    """Return the key of the person who stands for those without a name at a place."""
    return f"{place}{FOLK}"


def may_hire(game: Game, book: Book) -> bool:
    """Whether somebody without a name is about who can be asked to come along."""
    return here(game, book).folk is not None and HIRED + folk(game.place) not in game.flags


def company(game: Game, book: Book) -> dict[str, Person]:
    """Return the hero's companions who are here; in a fight they keep back."""
    return {key: one for key, one in persons(game, book).items() if key in game.story.company}


def passed(game: Game, book: Book) -> dict[str, Foe]:
    """Return the foes who no longer bar the way: they let the hero pass, or surrendered."""
    key = here(game, book).encounter
    if not key or game.fight or waiting(game, book) or f"{GONE}{key}" in game.flags:
        return {}
    there = enumerate(book.scenario.encounters[key].foes, 1)
    foes = {f"foe{n}": foe for n, foe in there if bearable(foe, game, book)}
    last, let = game.last_result, {f"encounter:{key}:avoided", f"left:{key}"} & {*game.flags}
    fallen = last.fallen if last and last.encounter == key else ()

    def stays(who: str) -> bool:
        after = afterwards(book, key, who)
        left = f"gone:{after}" in game.flags or after in game.story.company
        there = who not in fallen and f"fled:{key}:{who}" not in game.flags
        return not left and (there if let else gave_up(key, who) in game.flags)

    return {who: foe for who, foe in foes.items() if stays(who)}


def bearable(foe: Foe, game: Game, book: Book) -> bool:
    """Whether a foe may appear: the player has not ruled out their name or kind."""
    beast = book.rules.bestiary.get(foe.kind)
    kinds = (*beast.words.all, *beast.name.both) if beast else ()
    return not crossed(" ".join((*foe.name.both, *kinds)), game.story.style)


def deeds(game: Game, book: Book) -> dict[str, Deed]:
    """Return the prepared deeds that can be done here now."""
    return {
        key: deed
        for key, deed in book.scenario.deeds.items()
        if deed.place == game.place
        and (deed.again or f"deed:{key}:failure" not in game.flags)
        and f"deed:{key}:text" not in game.flags
        and deed.when.holds(game.flags)
    }


def price_of(game: Game, book: Book, item: str, who: str) -> int:
    """Return somebody's price for an item, half if haggled down; 0 if they do not sell it."""
    seller = persons(game, book).get(who)
    if seller is None or item not in seller.sells:
        return 0
    price = book.rules.items[item].price
    return -(-price // 2) if game.story.ledger.of(lowered(who, item)) else price


def lowest_price(game: Game, book: Book, item: str) -> int:
    """Return the lowest price for an item here, 0 if nobody sells it."""
    there = persons(game, book)
    return min((one for who in there if (one := price_of(game, book, item, who))), default=0)


def lowered(who: str, item: str) -> str:
    """Return the ledger's key for a price that was haggled down."""
    return f"price:{who}:{item}"


def talks(game: Game, book: Book, person: str) -> dict[str, Talk]:
    """Return the topics that a person can still be asked about."""
    return {
        key: talk
        for key, talk in book.scenario.talks.items()
        if talk.person == person
        and f"talk:{key}:text" not in game.flags
        and f"talk:{key}:failure" not in game.flags
        and talk.when.holds(game.flags)
        and game.story.attitude(person, book.scenario.persons[person].attitude) >= talk.attitude
    }


def clues(game: Game, book: Book) -> dict[str, Clue]:
    """Return the clues that can still be found here."""
    return {
        key: clue
        for key, clue in book.scenario.clues.items()
        if clue.place == game.place
        and f"clue:{key}:text" not in game.flags
        and clue.when.holds(game.flags)
    }


def things(game: Game, book: Book) -> tuple[str, ...]:
    """Return the things that lie here and have not been taken."""
    return tuple(
        item for item in here(game, book).things if f"taken:{game.place}:{item}" not in game.flags
    )


def left(game: Game) -> tuple[Left, ...]:
    """Return what the hero has put down here."""
    return tuple(one for one in game.story.left if one.place == game.place)


def keepsakes(game: Game) -> tuple[str, ...]:
    """Return the hero's keepsakes, which are worth nothing but can be used in acts."""
    return tuple(one.text for one in game.story.canon if one.kind == "keepsake")


def waiting(game: Game, book: Book) -> str:
    """Return the key of the encounter that waits here; empty for none."""
    key = here(game, book).encounter
    if not key:
        return ""
    encounter = book.scenario.encounters[key]
    done = not {*over(key)}.isdisjoint(game.flags)
    return key if not done and encounter.when.holds(game.flags) else ""


def met_before(game: Game, book: Book, place: str) -> bool:
    """Whether the encounter of a place was met there before, so that its text has been told."""
    key = book.scenario.places[place].encounter
    fought = any((kind, at) == ("fight", key) for kind, at, _ in game.chronicle)
    always = place in game.visited and book.scenario.encounters[key].when == When()
    return bool(key) and (fought or always)


def over(encounter: str) -> tuple[str, ...]:
    """Return the flags of an encounter that is over; any one of them suffices."""
    return f"won:{encounter}", f"left:{encounter}", f"encounter:{encounter}:avoided"


def can_run(game: Game, book: Book, to: str) -> bool:
    """Whether one can run from a fight along a way: back, or on past foes who need not be fought.

    Where foes attack whoever arrives nobody runs to who has not been there.
    """
    if to not in {way.to for way in exits(game, book)}:
        return False
    there = waiting(game.model_copy(update={"place": to}), book)
    met = (game.fight.encounter if game.fight else "", there)
    known = (book.scenario.encounters[key] for key in met if key in book.scenario.encounters)
    return to in game.visited or all(one.sneak or one.parley for one in known)


def free_exits(game: Game, book: Book) -> tuple[Exit, ...]:
    """Return the ways that nobody bars; with foes waiting, only the retreat."""
    key = waiting(game, book)
    back = book.scenario.encounters[key].retreat if key else ""
    return tuple(way for way in exits(game, book) if not key or way.to == back)


def _by_themselves(text: str) -> Iterator[str]:
    """Yield a text's sentences; one that speaks of somebody by a pronoun follows the one before."""
    pronouns = {*table("subjects", "en")}
    for before, sentence in pairwise(("", *SENTENCES.split(text))):
        yield f"{before} {sentence}" if pronouns & {*words_of(sentence)} else sentence


def lore_about(text: str, book: Book, near: float, *, also: str = "") -> list[Lore]:
    """List the common knowledge that a text (or `also`) names, then what is `near` in meaning.

    `near` is the least nearness of a sentence of the text to one of the lore, and `SHARED` is
    added where both have a word that some topic or deed goes by. Meanings are compared with the
    lore's English, because the encoder knows that language best, and not at all where none can be
    as `near`.
    """
    story, words = book.scenario, words_of(f"{text} {also}")
    lores = tuple(story.lores.values())
    topics: tuple[Talk | Deed | Lore, ...] = (*story.talks.values(), *story.deeds.values(), *lores)
    calls = {words_of(said) for one in topics for said in one.words.all}
    said = {word for word in words_of(text) if (word,) in calls}
    told = [(one, part) for one in lores for part in _by_themselves(one.text.en)]
    much = {one: SHARED * any(said & {*words_of(of)} for of in one.text.both) for one in lores}
    shared = dict(much)
    for sentence in SENTENCES.split(text)[:READ] if told and near <= 1 + SHARED else ():
        likeness = alike(sentence, tuple(part for _, part in told))
        for (one, _), nearness in zip(told, likeness, strict=True):
            much[one] = max(much[one], shared[one] + nearness)
    named = [o for o in lores if any(find(words, words_of(w)) is not None for w in o.words.all)]
    ranked = sorted(lores, key=lambda one: -much[one])
    return list(dict.fromkeys((*named, *(one for one in ranked if much[one] >= near))))
