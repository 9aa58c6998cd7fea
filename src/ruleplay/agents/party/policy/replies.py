"""Texts from the table's knowledge: refusals, and what somebody looks up.

Everything is limited to what the seat that asks may know, and passes the table's safety lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import get_args

from ruleplay.agents.party.domain import terms
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import (
    WAITING,
    Choice,
    choices,
    distinct,
    strikes_fallen,
)
from ruleplay.agents.party.domain.creature import Attack, Creature, Feature
from ruleplay.agents.party.domain.exploration.acts import exits, left_of, persons, refuge, waiting
from ruleplay.agents.party.domain.happenings.table import Consulted, Refused
from ruleplay.agents.party.domain.knowledge import known, tellable
from ruleplay.agents.party.domain.labels import wish
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.rules.conditions import pace
from ruleplay.agents.party.domain.safety import spared, unnamed
from ruleplay.agents.party.domain.scaling import scaled
from ruleplay.agents.party.domain.scope import scope_of
from ruleplay.agents.party.domain.seats import DM, TABLE
from ruleplay.agents.party.domain.staging import carried, foes_there, marks, people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import ABILITIES, CONDITIONS, HEALTH, SKILLS, health
from ruleplay.agents.party.policy.handbook import alike_in, basics, entries, entry, magical
from ruleplay.agents.party.policy.refusals import LINES, priced, texts
from ruleplay.story.hearing import SENTENCES
from ruleplay.story.style import Style
from ruleplay.story.texts import Lang, Text, words_of
from ruleplay.story.undone import quoted
from ruleplay.story.wording import Phrase, find, same

TOLD, SETTINGS = texts("answers"), texts("settings")
SET = ("tone", "length", "person", "tense", "rating")
"""Settings that `/style` changes."""

HINTS, MEMORIES, WORD, FEW, SEEN, RARE = 4, 6, 4, 3, 2, 3
"""In this order: most hints; most lines of memory; fewest letters of a word that counts; most words
of a short question; most sentences that describe a thing; most texts of the rules with a word that
is rare enough to name something."""
NAMES = re.compile(r"(?<=[\w,;] )[A-ZÀ-Þ]\w\w+")
"""Capitalised words within a sentence."""
LISTS = frozenset({"fight", "help", "party", "rules", "sheet"})
"""Topics whose lines are names and numbers rather than narration."""


def refusal(refused: Refused, table: Table, book: Book) -> str:
    """Word a refusal, with what could be done instead."""
    known = texts("rules")
    text = known.get(refused.reason) or known["not_now"]
    about, other = (_named(key, table, book) for key in (refused.about, refused.other))
    if refused.reason != "line":
        about, other = (unnamed(name, table.safety, table.lang) for name in (about, other))
    said = text.of(table.lang).format(
        seat=table.name(refused.seat),
        about=about,
        other=other,
        hints=hints(table, book, refused.seat) or WAITING.label.of(table.lang),
        seats=", ".join(table.name(seat) for seat in table.turn_queue if seat != refused.seat),
    )
    said = said[:1].upper() + said[1:]
    if not refused.words:
        return said
    offers = "{hints}" in text.en
    could = "" if offers else could_do(table, book, refused.seat)
    return " ".join(filter(None, (f"{quoted((refused.words,), table.lang)} — {said}", could)))


def could_do(table: Table, book: Book, seat: str) -> str:
    """Suggest a few things that a seat could do, as a sentence; empty if there are none."""
    found = hints(table, book, seat)
    return TOLD["may"].of(table.lang).format(found) if found else ""


def wishes(offered: Sequence[Choice], table: Table, book: Book) -> str:
    """Join options to a phrase: "a, b or c"."""
    lang = table.lang
    said = [
        unnamed((wish(one.venture, book.story) if one.venture else one.label).of(lang),
                table.safety, lang)
        for one in offered
    ]  # fmt: skip
    *first, last = dict.fromkeys(said)
    return TOLD["or"].of(lang).format(", ".join(first), last) if first else last


def hints(table: Table, book: Book, seat: str) -> str:
    """Suggest a few things that a seat could do, as a phrase; empty if there are none."""
    able = choices(table, book, seat)
    if table.tale.spares(seat):
        able = tuple(one for one in able if not strikes_fallen(one, table))
    offered = [*distinct(able)][:HINTS]
    return wishes(offered, table, book) if offered else ""


def _named(key: str, table: Table, book: Book) -> str:
    """Name what a refusal is about; something unknown by the word itself."""
    if not key:
        return ""
    if table.cast.get(key) or key in table.seats:
        return table.name(key)
    story, lang = book.story, table.lang
    for section in (story.scenes, story.persons):
        if key in section:
            return section[key].name.of(lang)
    if key in story.encounters:
        return story.encounters[key].text.of(lang)
    return book.effect(key).of(lang)[:60]


def looked_up(asked: Consulted, table: Table, book: Book) -> str:
    """Return the text of what a seat looks up, as far as it may know that."""
    tellers: dict[str, Callable[[Table, Book, str], Iterable[str]]] = {
        "recap": _recap,
        "journal": _journal,
        "sheet": lambda table, book, seat: (
            *sheet(table, book, seat),
            *in_words(table, book, seat),
            *_healths(table, asked),
        ),
        "scene": _scene,
        "fight": _fight,
        "party": _party,
        "callbacks": _callbacks,
        "help": lambda table, book, seat: (*_latest(table, book, asked), *_help(table, book, seat)),
        "rules": lambda table, book, seat: _rules(table, book, seat, asked.about),
        "settings": _settings,
        "memory": lambda table, book, seat: _memory(table, book, seat, asked.about),
    }
    told = tellers[asked.topic](table, book, asked.seat)
    sieve = unnamed if asked.topic in LISTS else spared
    lines = (sieve(line, table.safety, table.lang) for line in told)
    return "\n".join(lines) or LINES["none"].of(table.lang)


def in_words(table: Table, book: Book, seat: str) -> Iterator[str]:
    """Yield what a seat's sheet says of its character in words, such as the ring that they wear."""
    yield from (one.text for one in known(table, book, seat) if one.of == seat)


def _healths(table: Table, asked: Consulted) -> Iterator[str]:
    """Yield the party's hit points, if a question may have been about them."""
    if asked.asked:
        each = (f"{one.name.of(table.lang)} {one.hp}/{one.max_hp}" for one in table.party)
        yield TOLD["hits"].of(table.lang).format(", ".join(each))


def _latest(table: Table, book: Book, asked: Consulted) -> Iterator[str]:
    """Yield whose move it is, the place and the sheet in short, for a question what to do."""
    me = table.cast.get(asked.seat)
    if asked.asked and not (me and me.dead):
        yield whose_move(table, asked.seat)
        yield from [*_scene(table, book, asked.seat)][:1]
        yield from [*in_short(me, table, book)][:-1] if me else ()


def whose_move(table: Table, seat: str) -> str:
    """Say whose move it is, and what is left of it in a fight."""
    lang, fight = table.lang, table.cast.fight
    order = fight.order if fight else table.turn_queue
    now = fight.turn if fight else order.index(table.current_turn)
    if table.current_turn != seat:
        said = TOLD["theirs"].of(lang).format(table.name(fight.actor if fight else order[now]))
        if (me := table.cast.get(seat)) and me.dead:
            return said
        when = "had" if seat in order[:now] else "comes"
        return f"{said} {TOLD[when].of(lang)}" if seat in order else said
    said = LINES["your_turn"].of(lang).format(name=table.name(seat))
    if not fight or fight.actor != seat:
        return said
    said = f"{said} {TOLD['missed'].of(lang).format(fight.round)}"
    budget = fight.budget
    kept = {"action": budget.action, "bonus": budget.bonus, "feet": budget.movement}
    left = (TOLD[key].of(lang).format(much) for key, much in kept.items() if much)
    return f"{said} {TOLD['left'].of(lang).format(', '.join(left) or TOLD['empty'].of(lang))}"


def caught_up(table: Table, book: Book, seat: str) -> Iterator[str]:
    """Yield what somebody who was away needs: whose move it is, the pitch, the latest events."""
    yield whose_move(table, seat)
    yield book.story.pitch.of(table.lang)
    latest = dict.fromkeys(recalled(table, book, seat, own_words=False))
    yield from (f"- {line}" for line in [*latest][-MEMORIES:])


def _recap(table: Table, book: Book, seat: str) -> Iterator[str]:
    yield from (f"- {line}" for line in recalled(table, book, seat)[-12:])


def _journal(table: Table, book: Book, seat: str) -> Iterator[str]:
    yield from (f"- {one.text}" for one in tellable(table, book, seat))


def sheet(table: Table, book: Book, seat: str) -> Iterator[str]:
    """Yield a seat's sheet line by line; the DM sees everybody's."""
    for one in table.party:
        if seat in (one.id, DM):
            yield from _sheet(one, table, book)
    listed = priced(table.expedition.purse, table.lang)
    yield TOLD["purse"].of(table.lang).format(listed or TOLD["empty"].of(table.lang))


def _head(one: Creature, book: Book, lang: Lang) -> tuple[object, ...]:
    known = book.rules.classes.items()
    classes = ", ".join(own.name.of(lang) for key, own in known if key in one.classes)
    return one.name.of(lang), classes, one.level, one.hp, one.max_hp, one.ac


def _sheet(one: Creature, table: Table, book: Book) -> Iterator[str]:
    lang = table.lang
    yield TOLD["head"].of(lang).format(*_head(one, book, lang))
    yield TOLD["speed"].of(lang).format(pace(one))
    yield from _body(one, lang)
    yield from _suffers(one, lang)
    yield from _held(one, book, lang)
    yield from filter(None, (_skilled(one, lang), _strikes(one, lang)))
    yield from magic(one, book, lang)
    if features := ", ".join(_feature(each, book, lang) for each in one.features):
        yield TOLD["features"].of(lang).format(features)
    yield from _carries(one, table, book)


def _suffers(one: Creature, lang: Lang) -> Iterator[str]:
    """Yield somebody's conditions, and death saves if they are dying."""
    if upon := ", ".join(CONDITIONS[key].of(lang) for key in one.conditions):
        yield TOLD["upon"].of(lang).format(upon)
    if one.dying:
        yield TOLD["saves"].of(lang).format(one.passed, one.failed)


def _carries(one: Creature, table: Table, book: Book) -> Iterator[str]:
    """Yield what somebody carries, and keepsakes."""
    lang = table.lang
    held = (f"{book.item(each.item).of(lang)} × {each.count}" for each in one.inventory)
    if listed := ", ".join(held):
        yield TOLD["carries"].of(lang).format(listed)
    if kept := ", ".join(each.text for each in table.tale.keepsakes if each.who == one.id):
        yield TOLD["kept"].of(lang).format(kept)


def _body(one: Creature, lang: Lang) -> Iterator[str]:
    """Yield the modifiers of somebody's abilities, and whether they see in the dark."""
    each = (f"{ABILITIES[key].of(lang)} {one.mod(key):+d}" for key in terms.ABILITIES)
    yield TOLD["abilities"].of(lang).format(", ".join(each))
    yield TOLD["darkvision" if one.darkvision else "blind"].of(lang).format(one.darkvision)


def companions(table: Table, book: Book, seat: str) -> Iterator[str]:
    """Yield what the others at the table are like and good at, how they are, and what they have."""
    lang = table.lang
    table = table.model_copy(update={"tale": table.tale.known_to(seat)})
    for one in (each for each in table.party if each.id != seat):
        manner = table.personas.get(one.id, Persona()).personality.of(lang)
        is_like = (*_body(one, lang), _skilled(one, lang), manner)
        has = (*_suffers(one, lang), *magic(one, book, lang), *_carries(one, table, book))
        for told in (is_like, has):
            if said := " ".join(filter(None, told)):
                yield texts("book")["entry"].of(lang).format(one.name.of(lang), said)


def in_short(one: Creature, table: Table, book: Book) -> Iterator[str]:
    """Yield a character's sheet in short, and what they could do now."""
    lang = table.lang
    yield TOLD["head"].of(lang).format(*_head(one, book, lang))
    yield _skilled(one, lang)
    yield from [*magic(one, book, lang)][1:] or (_strikes(one, lang),)
    yield could_do(table, book, one.id)


def _skilled(one: Creature, lang: Lang, most: int | None = None) -> str:
    good = sorted(one.skills, key=lambda key: (-one.check_bonus(key), key))[:most]
    listed = ", ".join(f"{SKILLS[key].of(lang)} {one.check_bonus(key):+d}" for key in good)
    return TOLD["skilled"].of(lang).format(listed) if listed else ""


def _strikes(one: Creature, lang: Lang) -> str:
    listed = ", ".join(
        f"{each.name.of(lang)} {each.bonus:+d}{_range(each, lang)}" for each in one.attacks
    )
    return TOLD["strikes"].of(lang).format(listed) if listed else ""


def _range(one: Attack, lang: Lang) -> str:
    """Tell how far a weapon is thrown or shot, plainly and at a disadvantage."""
    far = texts("book")["feet"].of(lang).format(f"{one.range}/{one.long}")
    return f" ({far})" if one.range else ""


def _held(one: Creature, book: Book, lang: Lang) -> Iterator[str]:
    """Yield the spell that somebody concentrates on; casters are told if there is none."""
    if one.concentration:
        yield TOLD["holding"].of(lang).format(book.effect(one.concentration).of(lang))
    elif one.casting:
        yield TOLD["holding_none"].of(lang)


def magic(one: Creature, book: Book, lang: Lang) -> Iterator[str]:
    """Yield a sheet's lines about magic: slots left, and spells by level."""
    slots = enumerate(zip(one.slots, one.max_slots, strict=False), 1)
    told = TOLD["slot"].of(lang)
    left = ", ".join(told.format(n, have, most) for n, (have, most) in slots if most)
    if left:
        yield TOLD["slots"].of(lang).format(left)
    known: dict[int, list[str]] = {}
    for spell in (book.rules.spells[key] for key in one.spells if key in book.rules.spells):
        known.setdefault(spell.level, []).append(spell.name.of(lang))
    for level, names in sorted(known.items()):
        told = TOLD["spells" if level else "cantrips"].of(lang)
        yield told.format(", ".join(names), level)


def _feature(one: Feature, book: Book, lang: Lang) -> str:
    uses = f" ({one.left}/{one.most})" if one.most else ""
    return f"{book.effect(one.key).of(lang)}{uses}"


def foes_of(key: str, table: Table, book: Book) -> str:
    """Name an encounter's foes with their numbers: as many as the party calls for, or has left."""
    left = [one.name.of(table.lang) for one in left_of(key, table.expedition, table.cast)]
    if left:
        return ", ".join(left)
    counts: dict[str, int] = {}
    for group in scaled(book.story.encounters[key].foes, [one.level for one in table.party]):
        name = (group.foe.name or book.rules.monsters[group.foe.kind].name).of(table.lang)
        counts[name] = counts.get(name, 0) + group.count
    return ", ".join(f"{name} × {n}" if n > 1 else name for name, n in counts.items())


def foes_seen(table: Table, book: Book) -> Iterator[str]:
    """Yield what anybody can see of each kind of foe here: speed and reach in feet."""
    lang, rules = table.lang, book.rules
    for foe in foes_there(table, book):
        kind = rules.monsters[foe.kind]
        far = max((one.reach for one in kind.attacks), default=0)
        fast = max(kind.speed, kind.fly)
        yield TOLD["foe"].of(lang).format((foe.name or kind.name).of(lang), fast, far)


def possible(table: Table, book: Book, seat: str, most: int = 40) -> str:
    """List what a seat could do now, and against whom."""
    now, lang = table.expedition, table.lang
    key = waiting(now, book.story) if now.begun and not now.fighting else ""
    whom = f" ({foes_of(key, table, book)})" if key else ""
    labels = [
        f"{one.label.of(lang)}{whom if one.id.split(':')[0] in FACING else ''}"
        for one in choices(table, book, seat)[:most]
    ]
    return TOLD["could"].of(lang).format(table.name(seat), ", ".join(labels)) if labels else ""


FACING = ("sneak", "parley", "provoke")
"""Kinds of options against foes who bar the way."""


def _scene(table: Table, book: Book, seat: str) -> Iterator[str]:
    now, lang, story = table.expedition, table.lang, book.story
    if not now.begun:
        yield story.intro.of(lang)
        return
    scene = story.scenes[now.scene]
    yield texts("book")["entry"].of(lang).format(scene.name.of(lang), scene.text.of(lang))
    if here := ", ".join(one.of(lang) for one in people(table, book).values()):
        yield unnamed(TOLD["here"].of(lang).format(here), table.safety, lang)
    if key := waiting(now, story):
        yield story.encounters[key].text.of(lang)
        yield TOLD["bars"].of(lang).format(foes_of(key, table, book))
    yield from changes(table, seat)
    ways = ", ".join(story.scenes[way.to].name.of(lang) for way in exits(now, story))
    line = Text(en="From here: {0}.", fr="D'ici : {0}.").of(lang).format(ways)
    yield unnamed(line, table.safety, lang)


def described(
    about: str, table: Table, book: Book, seat: str, *, before: bool = False
) -> tuple[str, ...]:
    """Find the sentences told so far that describe what words name; at most `SEEN`.

    `before` includes the adventure's introduction.
    """
    now, lang, story = table.expedition, table.lang, book.story
    if not now.begun:
        return ()
    details = (story.details[key].text.of(lang) for key in now.planted)
    clues = (one.text for one in known(table, book, TABLE))
    canon = (one.text for one in table.tale.known_to(seat).canon)
    here = (story.persons[key].text.of(lang) for key in persons(now, story))
    texts_ = (*details, story.scenes[now.scene].text.of(lang), *clues, *canon, *here)
    texts_ = (*texts_, story.intro.of(lang)) if before else texts_
    told = [one for text in texts_ for one in SENTENCES.split(text)]
    # Words that are frequent in the rules are too general to name a thing.
    rules = (book.rules.glossary, book.rules.spells, book.rules.features)
    plain = [words_of(one.text.of(lang)) for section in rules for one in section.values()]
    asked = {word for word in words_of(about)
             if len(word) >= WORD and sum(word in one for one in plain) <= RARE}  # fmt: skip
    near = {one: sum(any(same(word, own) for own in words_of(one)) for word in asked)
            for one in dict.fromkeys(told)}  # fmt: skip
    most = max(near.values(), default=0)
    return tuple(one for one in near if most and near[one] == most)[:SEEN]


HOLDERS = {
    True: Text(en="played by a person", fr="tenu par une personne"),
    False: Text(en="played by the table itself", fr="tenu par la table"),
}


def _fight(table: Table, book: Book, seat: str) -> Iterator[str]:
    fight = table.cast.fight
    if fight is None:
        yield Text(en="There is no fight.", fr="Il n'y a pas de combat.").of(table.lang)
        return
    yield from standing(table, seat, fight.order)
    yield from changes(table, seat)
    yield from ways_out(table, book)


def changes(table: Table, seat: str) -> Iterator[str]:
    """Yield what play has changed about the place for a while."""
    for one in marks(table, seat):
        yield f"- {one.text or texts('marks')[one.what].of(table.lang)}"


def ways_out(table: Table, book: Book) -> Iterator[str]:
    """Yield where a flight from the fight leads, and where else it may if the way is named."""
    now, story, lang = table.expedition, book.story, table.lang
    if goal := refuge(now, story, table.tale.way):
        ways = {way.to for way in exits(now, story)} - {goal}
        named = ", ".join(story.scenes[to].name.of(lang) for to in sorted(ways))
        line = TOLD["flight" if named else "flight_only"].of(lang)
        yield line.format(story.scenes[goal].name.of(lang), named)


def standing(table: Table, seat: str, whom: Sequence[str]) -> Iterator[str]:
    """Yield a line about each of several: health, conditions, distance from the seat."""
    fight, lang, me = table.cast.fight, table.lang, table.cast.get(seat)
    for who in whom:
        one = table.cast.get(who)
        if one is None or one.gone:
            continue
        numbers = f" {one.hp}/{one.max_hp}" if who in table.seats or seat == DM else ""
        upon = "".join(f", {CONDITIONS[key].of(lang)}" for key in one.conditions)
        mark = "▶ " if fight and who == fight.actor else ""
        feet = abs(one.position - me.position) if me and fight else 0
        away = TOLD["away"].of(lang).format(feet) if me and fight and one != me else ""
        yield f"- {mark}{one.name.of(lang)}: {HEALTH[health(one)].of(lang)}{numbers}{away}{upon}"


def _party(table: Table, book: Book, seat: str) -> Iterator[str]:
    for one in table.party:
        looks = HEALTH[health(one)].of(table.lang)
        head = TOLD["head"].of(table.lang).format(*_head(one, book, table.lang))
        yield f"- {head} {looks}, {HOLDERS[table.seats[one.id].held].of(table.lang)}"
    yield f"- {table.name(DM)}: {HOLDERS[table.is_held(DM)].of(table.lang)}"


def _callbacks(table: Table, book: Book, seat: str) -> Iterator[str]:
    now, lang = table.expedition, table.lang
    for key in now.planted:
        detail = book.story.details[key]
        back = f" → {detail.payoff.of(lang)}" if key in now.returned else ""
        yield f"- {detail.text.of(lang)}{back}"


def _memory(table: Table, book: Book, seat: str, about: str = "") -> Iterator[str]:
    """Yield what a seat remembers of a question's subject, or the latest events without one."""
    if not about:
        yield from caught_up(table, book, seat)
        return
    found = recalls(table, book, seat, about)[:MEMORIES]
    yield from (f"- {line}" for line in found)
    if not found:  # a pronoun may mean the only person here
        here = [met_as(key, table, book) for key in persons(table.expedition, book.story)]
        yield from here if len(here) == 1 else (TOLD["not_known"].of(table.lang),)


def recalls(table: Table, book: Book, seat: str, about: str) -> list[str]:
    """Rank what a seat knows by the words it shares with a question; without any it is dropped."""
    asked = {*words_of(about)}
    named = {word for phrase in _called(table, book, seat) for word in phrase if len(word) >= WORD}
    canon = [one.text for one in table.tale.known_to(seat).canon]
    secrets = [one.text for one in tellable(table, book, seat)]
    met = [met_as(key, table, book) for key in met_persons(table, book)]
    known = dict.fromkeys((*canon, *secrets, *recalled(table, book, seat, own_words=False), *met))
    ranked = [(_shared(asked, named, line, secret=line in secrets), line) for line in known]
    return [line for said, line in sorted(ranked, key=lambda one: -one[0]) if said]


def _shared(asked: set[str], named: set[str], line: str, *, secret: bool) -> int:
    """Count the words that a line shares with a question, 0 if they are too few.

    A single word suffices if it is a name, or the question is very short. For secrets it has to be
    a name, as a common word must not reveal them.
    """
    proper = {words_of(name)[0] for name in NAMES.findall(line)}
    said = {word for word in words_of(line) if len(word) >= WORD} | proper
    told = {word for word in asked if len(word) >= WORD or word in proper}
    near = {word for word in told if any(same(word, own) for own in said)}
    plain = len(told) <= FEW and not secret
    return len(near) if near & named or len(near) > 1 or plain else 0


def _called(table: Table, book: Book, seat: str) -> Iterator[Phrase]:
    """Yield all phrases that name something here: persons, places, things, topics, deeds."""
    for one in scope_of(table, book, seat).spoken_of:
        yield from one.phrases


def met(words: str, table: Table, book: Book, seat: str) -> list[str]:
    """List what a seat knows about a person whom words name; empty if they name nobody."""
    asked = words_of(words)
    for one in book.story.persons.values():
        ways = (*one.words.all, *one.name.both)
        if any(find(asked, words_of(way)) is not None for way in ways):
            known = recalls(table, book, seat, words)[:MEMORIES]
            return [f"- {line}" for line in known] or [TOLD["not_known"].of(table.lang)]
    return []


def met_persons(table: Table, book: Book) -> list[str]:
    """List the persons who count as met: everybody in scenes where the party has been."""
    been = (key for key in book.story.scenes if f"scene:{key}" in table.expedition.flags)
    return [*dict.fromkeys(who for key in been for who in book.story.scenes[key].persons)]


def met_as(key: str, table: Table, book: Book) -> str:
    """Format a person's name and description."""
    person = book.story.persons[key]
    told = texts("book")["entry"].of(table.lang)
    return told.format(person.name.of(table.lang), person.text.of(table.lang))


def _rules(table: Table, book: Book, seat: str, about: str) -> Iterator[str]:
    """Yield the rules of a question's subject, and the sheets of companions that it names.

    If there are none, yield the basic rules.
    """
    me, lang = table.cast.get(seat), table.lang
    others = tuple(of_others(table, book, seat, about))
    named = ruled(about, table, book, seat)
    near = (one for one in alike_in(about, book, lang) if one not in named)
    found = (*named, *near, *_skills(table, about), *others)
    if me and any(_wards(line, table, book) for line in found if line not in others):
        yield TOLD["head"].of(table.lang).format(*_head(me, book, table.lang))
    yield from found or basics(book, lang)
    if me and me.casting and any(magical(about, book)):
        yield from _held(me, book, table.lang)
        yield from magic(me, book, table.lang)


def ruled(about: str, table: Table, book: Book, seat: str) -> list[str]:
    """List the rules of everything that a seat's question names; in a fight, one falls and dies."""
    me, words = table.cast.get(seat), book.rules.glossary
    known = {key for one in table.party for key in carried(table, one.id)}
    own = [one.item for one in me.inventory] if me else []
    found = [*entries(about, book, table.lang, known, own)]
    said = [entry(words[key], table.lang) for key in ("fall", "dying") if key in words]
    falls = table.cast.fight and {*said[:1]} & {*found}
    return [*dict.fromkeys((*found, *said))] if falls else found


def distances(table: Table, whom: Iterable[Creature]) -> Iterator[str]:
    """Yield, in a fight, the distance in feet of everybody who is in it from each of several."""
    there = [one for one in table.cast.fighters if one.present and not one.dead]
    for me in (one for one in whom if table.cast.fight and not one.dead):
        far = [
            f"{other.name.of(table.lang)} {abs(other.position - me.position)}"
            for other in there if other.id != me.id
        ]  # fmt: skip
        yield TOLD["from"].of(table.lang).format(me.name.of(table.lang), ", ".join(far))


def could_try(me: Creature, by: str, table: Table) -> str:
    """Say with which skill something can be tried; without one, list the best skills."""
    lang, skill = table.lang, next((one for one in terms.SKILLS if one == by), None)
    bonus = f"{SKILLS[skill].of(lang)} {me.check_bonus(skill):+d}" if skill else ""
    told = TOLD["tries" if skill else "untried"].of(lang).format(me.name.of(lang), bonus)
    return told if skill else f"{told} {_skilled(me, lang, FEW)}"


def _wards(line: str, table: Table, book: Book) -> bool:
    """Whether a line of the rules is about armour class, so that the asker's own is added."""
    name = book.rules.glossary.get("armour-class")
    at = find(words_of(line), words_of(name.name.of(table.lang))) if name else None
    return at is not None and at <= FEW


def _settings(table: Table, book: Book, seat: str) -> Iterator[str]:
    """Yield the table's settings, with their current and possible values."""
    style = table.tale.style
    now = ", ".join((style.tone, style.length, style.person, style.tense, style.rating))
    choices = (get_args(Style.model_fields[name].annotation) for name in SET)
    listed = "; ".join("/".join(known) for known in choices)
    yield from (one.of(table.lang).format(now=now, listed=listed) for one in SETTINGS.values())


def _skills(table: Table, about: str) -> Iterator[str]:
    """Yield everybody's bonus to a skill that a question names."""
    asked, lang = words_of(about), table.lang
    for key in terms.SKILLS:
        name = SKILLS[key].of(lang)
        if find(asked, words_of(name)) is not None:
            each = (f"{one.name.of(lang)} {one.check_bonus(key):+d}" for one in table.party)
            yield texts("book")["entry"].of(lang).format(name, ", ".join(each))


def of_others(table: Table, book: Book, seat: str, about: str) -> Iterator[str]:
    """Yield the sheets of companions whom a question names, by name or class."""
    for one in table.party:
        if one.id != seat and named_in(about, one, table, book):
            yield from _sheet(one, table, book)


def named_in(about: str, one: Creature, table: Table, book: Book) -> bool:
    """Whether words name a party member, by name or class."""
    classes = (own.name for key, own in book.rules.classes.items() if key in one.classes)
    names = (table.name(one.id), *(said for name in classes for said in name.both))
    return any(find(words_of(about), words_of(name)[:1]) is not None for name in names)


def lost(table: Table, seat: str) -> str:
    """Say what is open to the player of a character who is dead; empty for anybody else."""
    one, lang = table.cast.get(seat), table.lang
    if one is None or not one.dead:
        return ""
    free = [each.name.of(lang) for each in table.party if each.alive and not table.is_held(each.id)]
    said = [TOLD["lost"].of(lang).format(one.name.of(lang)), *looking_on(table, seat)]
    if free:
        said.append(TOLD["lost_seats"].of(lang).format(", ".join(free)))
    return " ".join((*said, TOLD["lost_new"].of(lang)))


def looking_on(table: Table, seat: str) -> Iterator[str]:
    """Yield what a person can do whose character cannot act: take it back, or let others play."""
    if not any(table.is_held(other) for other in table.turn_queue if other != seat):
        yield TOLD["lost_undo"].of(table.lang)
    if seat in table.onlookers:
        one = table.cast.get(seat)
        yield TOLD["dying_pass" if one and one.dying else "lost_pass"].of(table.lang)


def _help(table: Table, book: Book, seat: str) -> Iterator[str]:
    if dead := lost(table, seat):
        yield dead
        return
    text = Text(
        en="Say in your own words what {0} does. You could: {1}.\n"
        "`/say` speaks aloud, `/w NAME` and `/dm` whisper, `/pass` ends the turn; "
        "`/sheet`, `/scene`, `/recap`, `/rules` look something up, and cost nothing.",
        fr="Dites avec vos mots ce que fait {0}. Par exemple : {1}.\n"
        "`/dis` parle à voix haute, `/w NOM` et `/mj` chuchotent, `/passe` finit le tour ; "
        "`/fiche`, `/scene`, `/recap`, `/regles` consultent, et ne coûtent rien.",
    )
    could = hints(table, book, seat) or WAITING.label.of(table.lang)
    yield text.of(table.lang).format(table.name(seat), could)
