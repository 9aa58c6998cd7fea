"""What words mean where no model reads them: what is plainly named, and a question for the rest.

Nothing is ever made up in a player's name. Whatever this does not understand it asks back, with
choices; what is for the game master's or one companion's ears is never taken for public.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import WAIT, Choice, choices
from ruleplay.agents.party.domain.exploration import Exploration, Option, exits, options, waiting
from ruleplay.agents.party.domain.labels import venture_label
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import foes, people, roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.wording import SMALL, alike, content, place_of, share
from ruleplay.agents.party.policy import lexemes
from ruleplay.story.acts import Act, Reading, problems
from ruleplay.story.texts import Phrasing, Text, fold, words_of

WORDS_AT_MOST = 120
QUESTION, SAYING, BEGINNING, STRAY = 9, 6, 3, 2
"""Words of a question to the table, before what is said, in which somebody is addressed; words of
a message that may be about something else."""
CHOICES, LABEL = 4, 120
ENOUGH = 0.6
"""How much of an option's name has to be said."""
_QUOTED = re.compile(r"[\"“«](?P<said>[^\"“”«»]{2,})[\"”»]|(?:^|\s)'(?P<own>[^']{4,}?)'(?=\W|$)")
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
ASKED = {"recap": "memory", "sheet": "sheet", "fight": "scene", "scene": "scene", "help": "help"}
META = {"pause": "pause", "card": "stop_scene"}
YES = ("yes", "oui")
WHAT = Text(en="What does {seat} do?", fr="Que fait {seat} ?")
ALOUD = Text(en="Aloud, or for their ears only?", fr="À voix haute, ou à l'oreille ?")
KINDS: dict[str, tuple[str, ...]] = {
    "attack": ("attack", "power"),
    "cast": ("cast",),
    "heal": ("cast", "use", "stabilise"),
    "use": ("use",),
    "feature": ("feature",),
    "stabilise": ("stabilise",),
    "move": ("approach",),
}
"""The options that verbs of a fight are about, by how their ids begin."""
BARE = ("dash", "dodge", "disengage", "hide", "stand", "flee")
AIMED = ("grapple", "shove", "help")


def understand(message: str, table: Table, book: Book, seat: str) -> Reading:
    """Return what a message of a seat means, as far as it is plain; else a question."""
    found = _read(message, table, book, seat)
    if found is None or problems(found, roster(table, book, seat)):
        return asking(table, book, seat)
    return found


def asking(table: Table, book: Book, seat: str) -> Reading:
    """Return the question what somebody does, with what they could do."""
    labels = [one.label.of(table.lang)[:LABEL] for one in choices(table, book, seat)]
    offered = tuple(dict.fromkeys(labels))[:CHOICES]
    question = WHAT.of(table.lang).format(seat=table.name(seat))
    if len(offered) < 2:
        offered = tuple(dict.fromkeys((*offered, "/help", "/recap")))[:CHOICES]
    return Reading(question=question, choices=offered)


def _read(message: str, table: Table, book: Book, seat: str) -> Reading | None:
    asked = table.tale.question(seat)
    if asked and asked.choices[:1] == ("yes",) and words_of(message)[:1] in {(y,) for y in YES}:
        return _confirmed(asked.question, asked.message, table, book, seat)
    bare = _QUOTED.sub(" ", message)
    words = words_of(bare)[:WORDS_AT_MOST]
    if addressed := _addressed(message, words, table, seat):
        return addressed
    if proceeding := _proceeding(words):
        return _one(proceeding)
    spoken = _spoken(message, table, book, seat)
    if seat == DM and not spoken and table.expedition.begun and not table.cast.fight:
        narrated = _one(Act(do="say", text=_bare(message)))  # what a person leads with is told
        return _one(act) if (act := _act(words, table, book, seat)) else narrated
    if denied(words):
        return spoken
    act = _act(words, table, book, seat) or _of_sentences(bare, table, book, seat)
    if spoken and act:
        return Reading(acts=(*spoken.acts, act))
    return spoken or (_one(act) if act else _wondered(bare))


def _of_sentences(message: str, table: Table, book: Book, seat: str) -> Act | None:
    """Return what the first sentence means where all others only say what if.

    What happens on a condition is for nobody to carry out before it holds.
    """
    parts = [words_of(one) for one in _SENTENCE.findall(message) if words_of(one)]
    if table.cast.fight is None:
        return None
    what_if = [_begins(one, "condition") for one in parts]
    if len(parts) > 1 and not what_if[0] and all(what_if[1:]):
        return _act(parts[0], table, book, seat)
    return None


def _begins(words: tuple[str, ...], kind: str) -> bool:
    return any(words[: len(one)] == one for one in lexemes.turns_of_speech(kind))


def _wondered(message: str) -> Reading | None:
    """Return a look around for words that only ask: it costs nothing to answer them."""
    sentences = [one for one in _SENTENCE.findall(message) if words_of(one)]
    if not sentences or any("?" not in one for one in sentences):
        return None
    words = words_of(message)
    own = any(place_of(words, one) is not None for one in lexemes.turns_of_speech("sheet"))
    return _one(Act(do="ask", to="sheet" if own else "scene", text=_bare(message)))


def _one(act: Act) -> Reading:
    return Reading(acts=(act,))


def _confirmed(question: str, message: str, table: Table, book: Book, seat: str) -> Reading | None:
    if question == "leave_seat":
        return _one(Act(do="meta", meta="leave_seat"))
    if question == "assault":
        words = words_of(message)
        person = _person(words, table, book) or next(iter(people(table, book)), "")
        return _one(Act(do="rule", item="attack", to=person, text=message)) if person else None
    return None


def _addressed(message: str, words: tuple[str, ...], table: Table, seat: str) -> Reading | None:
    """Return what is for some ears only: the master's at any mention, a companion's if whispered.

    A companion who is only called by name may be meant aloud or not: that is asked.
    """
    if seat != DM and any(place_of(words, p) is not None for a, p in _table("master")):
        return _one(Act(do="whisper", to=DM, text=_bare(message)))
    whispers = any(place_of(words[:SAYING], phrase) is not None for a, phrase in _table("whisper"))
    names = {other: words_of(table.name(other)) for other in table.characters if other != seat}
    called = [other for other, name in names.items() if _calls(message, words, name, whispers)]
    if not called:
        return Reading(question=_whom(table), choices=_ears(table, seat)) if whispers else None
    if whispers:
        ears = (Act(do="whisper", to=one, text=_bare(message)) for one in called[:CHOICES])
        return Reading(acts=tuple(ears))
    said = _bare(message)[:LABEL]
    offered = (f"/say {said}"[:LABEL], f"/w {called[0]} {said}"[:LABEL])
    return Reading(question=ALOUD.of(table.lang), choices=offered)


def _table(kind: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    return (row for row in lexemes.phrases("table") if row[0] == kind)


def _calls(message: str, words: tuple[str, ...], name: tuple[str, ...], whispers: bool) -> bool:
    """Tell whether somebody is addressed: whispered to, or called at the very beginning."""
    own = [part for part in name if len(part) > 2]
    if whispers:
        return any(part in words for part in own)
    called = re.split(r"[,:]", fold(message), maxsplit=1)
    before = words_of(called[0]) if len(called) > 1 else ()
    return len(before) <= BEGINNING and any(part in before for part in own)


def _whom(table: Table) -> str:
    return Text(en="Whisper to whom?", fr="Chuchoter à qui ?").of(table.lang)


def _ears(table: Table, seat: str) -> tuple[str, ...]:
    others = [other for other in table.turn_queue if other != seat]
    return (
        tuple(f"/w {other} …" for other in others[:CHOICES])
        if len(others) > 1
        else ("/dm …", "/help")
    )


def _bare(message: str) -> str:
    return message.strip()[:300]


def _spoken(message: str, table: Table, book: Book, seat: str) -> Reading | None:
    """Return words in quotation marks: they are said, whatever they say."""
    said = [found["said"] or found["own"] for found in _QUOTED.finditer(message)]
    if not said:
        return None
    words = words_of(_QUOTED.sub(" ", message))
    to = _person(words, table, book) or _seat_named(words, table, seat)
    if table.cast.fight:
        to = next((one.id for one in foes(table, seat) if _named(words, one.name)), to)
    return _one(Act(do="say", to=to, text=" ".join(said).strip()[:300]))


def _seat_named(words: tuple[str, ...], table: Table, seat: str) -> str:
    for other in table.characters:
        if other != seat and any(part in words for part in words_of(table.name(other))[:1]):
            return other
    return ""


def denied(words: tuple[str, ...]) -> bool:
    """Tell whether a message says what is not to be done."""
    left = list(words)
    for phrase in lexemes.QUIETLY:
        at = place_of(tuple(left), phrase)
        if at is not None:
            del left[at : at + len(phrase)]
    return bool(lexemes.NEGATORS & set(left))


def _proceeding(words: tuple[str, ...]) -> Act | None:
    """Return what a short message asks of the table itself."""
    if not 0 < len(words) <= QUESTION:
        return None
    for act, phrase in lexemes.phrases("table"):
        more = len(words) - len(phrase)
        if place_of(words, phrase) is None:
            continue
        if act in ("english", "french") and more <= 5:
            return Act(do="meta", meta="settings", text="en" if act == "english" else "fr")
        if act in META and more <= 5:
            return Act.model_validate({"do": "meta", "meta": META[act]})
        if act in ASKED and (more <= 3 or len(phrase) > 1):
            return Act(do="ask", to=ASKED[act], text=" ".join(words))
    return None


def verbs(words: tuple[str, ...], mode: str) -> list[str]:
    """Return the acts whose verbs occur, the longest phrase first, then as they were said."""
    heard: dict[str, tuple[int, int]] = {}
    for act, phrase in lexemes.phrases(mode):
        at = place_of(words, phrase)
        if at is not None and act not in heard:
            heard[act] = (-len(phrase), at)
    return sorted(heard, key=lambda act: heard[act])


def _act(words: tuple[str, ...], table: Table, book: Book, seat: str) -> Act | None:
    if table.cast.fight:
        return _fighting(words, table, book, seat)
    if seat == DM:
        begin = None if table.expedition.begun else Act(do="pick", item="begin")
        return _listed(words, choices(table, book, seat), ENOUGH) or begin
    return _on_the_way(words, table, book, seat)


def _fighting(words: tuple[str, ...], table: Table, book: Book, seat: str) -> Act | None:
    """Return what is meant in a fight: one option, or one rule act at somebody named."""
    acts = verbs(words, "fight")
    if acts[:1] == ["end"] and len(words) <= SAYING:
        return Act(do="wait")
    offered = choices(table, book, seat)
    for act in acts:
        if act in BARE and _stray(words, "fight", ()) <= STRAY:
            return Act(do="rule", item=act)
        if act in AIMED:
            whom = _aimed(words, table, seat, friends=act == "help")
            if whom:
                return Act(do="rule", item=act, to=whom)
        fitting = [one for one in offered if one.id.split(":")[0] in KINDS.get(act, ())]
        best = _best(words, fitting)
        if best and _stray(words, "fight", best.label.both) <= STRAY:
            return Act(do="pick", item=best.id)
    named = _listed(words, offered, 0.9)
    # "Wait" within a longer sentence is not what the sentence is about.
    return None if named and named.do == "wait" and _stray(words, "fight", ()) > STRAY else named


def _stray(words: tuple[str, ...], mode: str, known: Iterable[str]) -> int:
    """Return how many words of a message are about something else."""
    own = {word for text in known for word in words_of(text)}
    if own:
        own |= {word for one in lexemes.turns_of_speech("foe") for word in one}
    heard = (one for _, one in lexemes.phrases(mode) if len(one) > 1)
    own |= {word for one in heard if place_of(words, one) is not None for word in one}
    left = [word for word in words if word not in SMALL and len(word) > 2]
    return sum(
        not any(alike(word, part) for part in own) and not verbs((word,), mode) for word in left
    )


def _best(words: tuple[str, ...], offered: list[Choice]) -> Choice | None:
    """Return the option of which most is said; of equals the first, which is the nearest."""

    def said(one: Choice) -> int:
        return max(sum(any(alike(w, p) for w in words) for p in content(t)) for t in one.label.both)

    return max(offered, key=said, default=None)


def _aimed(words: tuple[str, ...], table: Table, seat: str, *, friends: bool) -> str:
    fight = table.cast.fight
    if fight is None:
        return ""
    me = fight.actor
    whom = table.cast.friends_of(me) if friends else table.cast.foes_of(me)
    named = [one.id for one in whom if _named(words, one.name)]
    return named[0] if named else (whom[0].id if len(whom) == 1 else "")


def _named(words: tuple[str, ...], name: Text) -> bool:
    parts = [part for text in name.both for part in content(text) if len(part) > 2]
    return any(alike(word, part) for word in words for part in parts)


def _listed(words: tuple[str, ...], offered: Iterable[Choice], enough: float) -> Act | None:
    """Return the one option that was called by its name."""
    ranked = sorted(
        ((max(share(words, content(text)) for text in one.label.both), one) for one in offered),
        key=lambda pair: -pair[0],
    )
    if not ranked or ranked[0][0] < enough:
        return None
    if len(ranked) > 1 and ranked[1][0] == ranked[0][0]:
        return None
    chosen = ranked[0][1]
    return Act(do="wait") if chosen.id == WAIT else Act(do="pick", item=chosen.id)


def _on_the_way(words: tuple[str, ...], table: Table, book: Book, seat: str) -> Act | None:
    """Return what is meant on the way: what was named, how those who wait are met, an act."""
    if not table.expedition.begun:
        return None
    acts = verbs(words, "story")
    if acts[:1] == ["end"] and len(words) <= SAYING:
        return Act(do="wait")
    offered = options(table.expedition, book.story, seat, wounded=True)
    does = _best_named(_scored(words, offered, book))
    if does and (not acts or acts[0] not in ("rest", "sleep", "use", "cast", "end")):
        return Act(do="pick", item=does.id)
    found = _met(acts, table, book)
    for act in acts if found is None else ():
        found = found or _plain(act, words, table, book)
    if found is None or _stray(words, "story", _about(found, book)) > STRAY:
        return None
    return Act(do="pick", item=found.id)


def _about(does: Exploration, book: Book) -> Iterator[str]:
    """Yield the words that belong to something that can be done."""
    story = book.story
    if does.target in story.scenes:
        scene = story.scenes[does.target]
        ways = (way for one in story.scenes.values() for way in one.exits if way.to == does.target)
        yield from (*scene.name.both, *scene.words.all)
        yield from (phrase for way in ways for phrase in way.words.all)
    if does.target in story.persons:
        person = story.persons[does.target]
        yield from (*person.name.both, *person.words.all)
    if does.target in story.encounters:
        for foe in story.encounters[does.target].foes:
            yield from (*foe.words.all, *(foe.name.both if foe.name else (foe.kind,)))


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
            return None if _way(words, table, book) else Exploration(act="search")
        case "talk":
            person = _person(words, table, book)
            return Exploration(act="talk", target=person) if person else None
        case "travel":
            to = _way(words, table, book) or _only_way(table, book)
            return Exploration(act="go", target=to) if to else None
        case _:
            return None


def _only_way(table: Table, book: Book) -> str:
    """Return where the only way leads; "" where there is a choice."""
    ways = exits(table.expedition, book.story)
    return ways[0].to if len(ways) == 1 else ""


def _best_named(scored: Iterable[tuple[float, Option]]) -> Exploration | None:
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
    for key, name in people(table, book).items():
        own = book.story.persons[key].words.all
        if _named(words, name) or any(_all_said(words, phrase) for phrase in own):
            return key
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
