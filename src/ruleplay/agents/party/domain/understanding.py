"""What a human seat's words mean: free text, slips included, to what is really possible here.

Whatever is not understood stays `Unclear`: nothing is ever made up in a player's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain import lexemes
from ruleplay.agents.party.domain.battle_words import steps_of
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration import (
    Exploration,
    Option,
    dm_options,
    exits,
    options,
    persons,
    waiting,
)
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.labels import venture_label
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.texts import Frozen, Phrasing, words_of
from ruleplay.agents.party.domain.whispering import whispered
from ruleplay.agents.party.domain.wording import SMALL, alike, content, place_of, share

WORDS_AT_MOST = 120
QUESTION, SAYING = 9, 6
"""Words of a question to the table at most; words before what is said at most."""
_QUOTED = re.compile(r"[\"“«](?P<said>[^\"“”«»]{2,})[\"”»]")
ENOUGH = 0.6
"""How much of an option's name has to be said."""
TOPICS: dict[str, a.Topic] = {
    "recap": "recap",
    "sheet": "sheet",
    "fight": "fight",
    "scene": "scene",
    "help": "help",
}
DEALINGS: dict[str, a.Action] = {
    "english": a.Speak(do="language", lang="en"),
    "french": a.Speak(do="language", lang="fr"),
    "pause": a.Pause(do="pause"),
    "resume": a.Resume(do="resume"),
    "card": a.Card(do="card"),
}


class Unclear(Frozen):
    """What was not understood: a reason to answer with, and what it was about."""

    reason: str = "unknown"
    about: str = ""


Steps = tuple[Intent, ...]
Meant = Exploration | Steps | a.Action | Unclear


def understand(message: str, table: Table, book: Book, seat: str) -> Meant:
    """Return what a message of a seat means."""
    words = words_of(message)[:WORDS_AT_MOST]
    if heard := whispered(message, table, seat):
        if not heard.to or not heard.text:
            return Unclear(reason="whom")
        return a.Whisper(do="whisper", to=heard.to, text=heard.text[:1_000])
    if spoken := _spoken(message):
        return a.Say(do="say", text=spoken)
    if proceeding := _proceeding(words):
        return proceeding
    mode: Literal["fight", "story"] = "fight" if table.mode == "combat" else "story"
    if denied(words):
        return _pass(words, mode) or Unclear()
    if table.mode == "combat":
        return steps_of(message, table, book, seat) or _pass(words, "fight") or Unclear()
    if seat == DM:
        return _lead(words, message, table, book)
    return _venture(words, message, table, book, seat) or _pass(words, "story") or Unclear()


def _spoken(message: str) -> str:
    """Return words in quotation marks: a message that is nothing else, opens with or says them."""
    text = message.strip()
    first, _, rest = text.partition(" ")
    if first.casefold() in ("/say", "/dis") and rest.strip():
        return rest.strip()[:1_000]
    found = _QUOTED.search(text)
    if found is None:
        return ""
    before = words_of(text[: found.start()])
    says = not before or any(place_of(before, phrase) is not None for phrase in _saying())
    return found["said"].strip()[:1_000] if says and len(before) <= SAYING else ""


def _saying() -> tuple[tuple[str, ...], ...]:
    return tuple(phrase for act, phrase in lexemes.phrases("table") if act == "say")


def denied(words: tuple[str, ...]) -> bool:
    """Tell whether a message says what is not to be done."""
    left = list(words)
    for phrase in lexemes.QUIETLY:
        at = place_of(tuple(left), phrase)
        if at is not None:
            del left[at : at + len(phrase)]
    return bool(lexemes.NEGATORS & set(left))


def _proceeding(words: tuple[str, ...]) -> a.Action | None:
    """Return what a short message asks of the table itself."""
    if not 0 < len(words) <= QUESTION:
        return None
    for act, phrase in lexemes.phrases("table"):
        more = len(words) - len(phrase)
        said = act in DEALINGS and place_of(words, phrase) is not None
        if said and more <= (1 if act == "resume" else 5):
            return DEALINGS[act]
    for act, phrase in lexemes.phrases("table"):
        more = len(words) - len(phrase)
        if place_of(words, phrase) is None or act not in TOPICS:
            continue
        if more <= 3 or len(phrase) > 1:
            return a.Look(do="look", topic=TOPICS[act])
    return None


def _pass(words: tuple[str, ...], mode: str) -> a.Action | None:
    acts = verbs(words, mode)
    return a.Pass() if acts[:1] == ["end"] and len(words) <= 6 else None


def verbs(words: tuple[str, ...], mode: str) -> list[str]:
    """Return the acts whose verbs occur, the longest phrase first, then as they were said."""
    heard: dict[str, tuple[int, int]] = {}
    for act, phrase in lexemes.phrases(mode):
        at = place_of(words, phrase)
        if at is not None and act not in heard:
            heard[act] = (-len(phrase), at)
    return sorted(heard, key=lambda act: heard[act])


def _venture(
    words: tuple[str, ...], message: str, table: Table, book: Book, seat: str
) -> Exploration | Steps | None:
    """Return what is meant on the way: what was named, how those who wait are met, an act."""
    if not table.expedition.begun:
        return None
    acts = verbs(words, "story")
    offered = options(table.expedition, book.story, seat, wounded=True)
    named = _best(_scored(words, offered, book))
    if named and (not acts or acts[0] not in ("rest", "sleep", "use", "cast", "end")):
        return named
    found: Exploration | Steps | None = _met(acts, table, book) or _hinted(
        words, acts, offered, book
    )
    for act in acts if found is None else ():
        if act in ("use", "cast"):
            found = steps_of(message, table, book, seat) or None
        else:
            found = _plain(act, words, table, book)
        if found:
            return found
    return found or _mentioned(words, table, book)


def _hinted(
    words: tuple[str, ...], acts: list[str], offered: Iterable[Option], book: Book
) -> Exploration | None:
    """Return the one deed that a word of the message belongs to, and to no other deed.

    Words that any search or way begins with say nothing, and what ends the adventure is not done
    on a hint.
    """
    if not set(acts) <= {"search", "look", "travel"}:
        return None
    telling = [word for word in words if word not in SMALL and not verbs((word,), "story")]
    meant = {
        one.id: one.does
        for one in offered
        if one.does.act == "deed" and not one.closing
        for phrase in _phrasing(one.does, book).all
        for part in words_of(phrase)
        if any(alike(word, part) for word in telling) and not verbs((part,), "story")
    }
    return next(iter(meant.values())) if len(meant) == 1 else None


def _only_way(table: Table, book: Book) -> str:
    """Return where the only way leads; "" where there is a choice."""
    ways = exits(table.expedition, book.story)
    return ways[0].to if len(ways) == 1 else ""


def _met(acts: list[str], table: Table, book: Book) -> Exploration | None:
    """Return how those who wait are dealt with; talking to them is parley."""
    key = waiting(table.expedition, book.story)
    meant = {"sneak": "sneak", "parley": "parley", "talk": "parley", "fight": "provoke"}
    act = next((meant[act] for act in acts if act in meant), "") if key else ""
    return Exploration.model_validate({"act": act, "target": key}) if act else None


def _plain(act: str, words: tuple[str, ...], table: Table, book: Book) -> Exploration | None:
    match act:
        case "rest":
            return Exploration(act="short_rest")
        case "sleep":
            return Exploration(act="long_rest")
        case "search" | "look":
            elsewhere = _place(words, table, book)
            return Exploration(act="go" if elsewhere else "search", target=elsewhere)
        case "talk":
            person = _person(words, table, book)
            return Exploration(act="talk", target=person) if person else None
        case "travel":
            to = _way(words, table, book) or _only_way(table, book)
            return Exploration(act="go", target=to) if to else None
        case _:
            return None


def _mentioned(words: tuple[str, ...], table: Table, book: Book) -> Exploration | None:
    """Return what a message without a known verb is about: a way to go, or somebody to ask."""
    if to := _way(words, table, book):
        return Exploration(act="go", target=to)
    person = _person(words, table, book)
    return Exploration(act="talk", target=person) if person else None


def _lead(words: tuple[str, ...], message: str, table: Table, book: Book) -> Meant:
    """Return what a human DM's words mean: one of the DM's options, or a narration."""
    offered = dm_options(table.expedition, book.story, table.characters)
    named = _best(_scored(words, offered, book))
    if named:
        return named
    if not table.expedition.begun:
        return Exploration(act="begin")
    return a.Say(do="say", text=message.strip()[:1_000])


def _best(scored: Iterable[tuple[float, Option]]) -> Exploration | None:
    ranked = sorted(scored, key=lambda one: (-one[0], -one[1].weight, one[1].id))
    return ranked[0][1].does if ranked else None


def _scored(
    words: tuple[str, ...], offered: Iterable[Option], book: Book
) -> Iterator[tuple[float, Option]]:
    """Yield the options that were named, with how clearly; way and words of the author count."""
    meant = tuple(content(" ".join(words)))
    for option in offered:
        if option.does.act in ("go", "short_rest", "long_rest", "sneak", "parley", "provoke"):
            continue
        label = venture_label(option.does, book.story)
        said = max(share(meant, content(text)) for text in label.both)
        if any(_all_said(words, phrase) for phrase in _phrasing(option.does, book).all):
            said = max(said, 0.9)
        if said >= ENOUGH:
            yield said, option


def _phrasing(does: Exploration, book: Book) -> Phrasing:
    story = book.story
    if does.act == "deed" and does.target in story.deeds:
        return story.deeds[does.target].words
    if does.act == "talk" and does.topic in story.talks:
        return story.talks[does.topic].words
    return Phrasing()


def _all_said(words: tuple[str, ...], phrase: str) -> bool:
    wanted = words_of(phrase)
    return bool(wanted) and share(words, wanted) == 1


def _person(words: tuple[str, ...], table: Table, book: Book) -> str:
    here = persons(table.expedition, book.story)
    for key, person in here.items():
        names = [content(name) for name in person.name.both]
        if any(share(words, (part,)) for name in names for part in name if len(part) > 2):
            return key
        if any(_all_said(words, phrase) for phrase in person.words.all):
            return key
    talking = {"talk", "parley"} & set(verbs(words, "story"))
    return next(iter(here)) if len(here) == 1 and talking else ""


def _place(words: tuple[str, ...], table: Table, book: Book) -> str:
    """Return the scene next to this one that was named as a place; "" when none was."""
    for way in exits(table.expedition, book.story):
        scene = book.story.scenes[way.to]
        if any(_all_said(words, phrase) for phrase in scene.words.all):
            return way.to
    return ""


def _way(words: tuple[str, ...], table: Table, book: Book) -> str:
    best, most = "", 0.0
    for way in exits(table.expedition, book.story):
        scene = book.story.scenes[way.to]
        phrases = (*way.words.all, *scene.words.all)
        said = max((share(words, words_of(phrase)) for phrase in phrases), default=0.0)
        said = max(said, *(share(words, content(name)) for name in scene.name.both))
        if said > most and said >= ENOUGH:
            best, most = way.to, said
    return best
