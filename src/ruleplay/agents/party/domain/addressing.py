"""Resolves the names in a reading to ids: of creatures, persons, places and things in the scene.

The model or heuristic that read a message may name somebody by a kind, a description or a plural,
or by the id of an encounter before its foes got ids of their own. All of them are resolved here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration.acts import exits, waiting
from ruleplay.agents.party.domain.fight import DISTRACTED
from ruleplay.agents.party.domain.scope import phrases, scope_of
from ruleplay.agents.party.domain.staging import foes, roster, told_of
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.story.acts import ACTS_AT_MOST, EFFECTS_AT_MOST, EVERYBODY, Act, Effect, Reading
from ruleplay.story.canon import NAME_WORD
from ruleplay.story.mentions import Named
from ruleplay.story.texts import words_of
from ruleplay.story.wording import Phrase, find

PLURALS = (
    ("ves", "f"), ("ves", "fe"), ("ies", "y"), ("es", ""), ("men", "man"), ("aux", "al"),
)  # fmt: skip
"""Plural endings in English and French with their singulars; "s" and "x" are handled elsewhere."""
CLOSE = 0.75
"""Similarity (difflib ratio) from which a misspelt word counts as a name's word."""
SHAKES = ("morale", "attitude")
"""Effects that apply to everybody named, as a distraction does; the others only to the nearest."""
PEOPLED = ("rule", "say", "move", "give", "check", "follow", "flourish", "use", "take")
"""Acts whose `to` can be a creature or person."""


def addressed(reading: Reading, table: Table, book: Book, seat: str) -> Reading:
    """Return the reading with names replaced by ids."""
    here = Here(table, book, seat)
    acts = (here.addressed(one) for act in reading.acts for one in each(act))
    return reading.model_copy(update={"acts": tuple(acts)[:ACTS_AT_MOST]})


def each(act: Act) -> Iterator[Act]:
    """Split a rule act on several comma-separated names into one act for each."""
    names = Counter(name.strip() for name in act.to.split(",")) if act.do == "rule" else {}
    for name, count in names.items() if len(names) > 1 else ():
        yield act.model_copy(update={"to": name, "count": count})
    if len(names) < 2:
        yield act


class Here:
    """Everybody and everything that a seat can refer to; in a fight, nearest first."""

    def __init__(self, table: Table, book: Book, seat: str) -> None:
        self._known, self._cast = roster(table, book, seat), table.cast
        self._listed = {*self._known.anybody, *self._known.ways, *self._known.things}
        scope = scope_of(table, book, seat)
        self._beings, self._items, self._places = scope.beings, scope.items, scope.places
        self._told_of = (*book.story.scenes, *book.story.persons, *self._known.absent)
        self._text = _text_of(table, book)
        able = {one.id for one in foes(table, seat) if one.conscious}
        there = tuple(one.id for one in self._beings if one.id in able)
        self._waited = {table.expedition.fighting: there} if there else {}
        self._waited |= _sides(table, book, there)

    def meant(self, name: str) -> tuple[str, ...]:
        """Return the ids of everyone a name can refer to; the name itself if there are none."""
        if not name or name in (*self._listed, EVERYBODY) or self._cast.get(name):
            return (name,)  # nobody else is meant by the id of somebody who is gone
        return self._waited.get(name) or called(name, self._beings) or (name,)

    def held(self, name: str) -> str:
        """Return the id of a carried or known thing from its name."""
        if not name or name in self._known.items:
            return name
        return next(iter(called(name, self._items)), name)

    def addressed(self, act: Act) -> Act:
        """Return an act with its names replaced by ids."""
        changed = {
            "success": tuple(self._each(act.success)),
            "failure": tuple(self._each(act.failure)),
            "stunt": next(self._each((act.stunt,)), None) if act.stunt else None,
            "with_": act.with_ if act.with_ in self._listed else self.held(act.with_),
        }
        place = called(act.to, self._places) if act.do == "move" else ()
        to = self.meant(act.to) if act.do in PEOPLED else (act.to,)
        to = place if place and act.to not in self._listed else to
        if len(to) > 1 and act.do == "say":
            # Speech to several has no single addressee; without a stated aim it counts as friendly.
            return act.model_copy(update={**changed, "to": "", "want": act.want or "like"})
        return act.model_copy(update={**changed, "to": to[0]})

    def in_place(self, act: Act) -> Act:
        """Return a move to what only the place's own text names as a gesture: that is here."""
        words = [(word,) for word in words_of(act.to) if len(word) >= NAME_WORD]
        told = act.do == "move" and any(find(self._text, word) is not None for word in words)
        if not told or act.to in (*self._listed, *self._told_of) or self._cast.get(act.to):
            return act
        return act.model_copy(update={"do": "flourish", "to": "", "text": act.text or act.to})

    def _each(self, effects: Sequence[Effect]) -> Iterator[Effect]:
        """Expand effects on a name that stands for several into one for each."""
        for effect in effects:
            whom = self.meant(effect.who)
            all_ = effect.kind in SHAKES or effect.what == DISTRACTED
            most = len(whom) if all_ else EFFECTS_AT_MOST
            yield from (effect.model_copy(update={"who": who}) for who in whom[:most])


def _sides(table: Table, book: Book, foes_: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return who is meant by the name of a side, as prompts print it; foes may only wait."""
    key = waiting(table.expedition, book.story) if table.expedition.begun else ""
    sides = {"foes": foes_ or ((key,) if key else ()), "party": table.characters}
    return {side: whom for side, whom in sides.items() if whom}


def closed_way(play: TableTurn, act: Act) -> str:
    """Return the scene that a move is to by a way that is shut, and that the place's text names."""
    table, story = play.table, play.book.story
    scene = story.scenes.get(table.expedition.scene)
    if act.do != "move" or scene is None or table.cast.get(act.to):
        return ""
    ways = [Named(id=one.to, phrases=phrases(story.scenes[one.to].name)) for one in scene.exits]
    found = called(act.to, ways) or tuple(one.id for one in ways if one.id == act.to)
    shut = {*found[:1]} - {way.to for way in exits(table.expedition, story)}
    text, known = _text_of(table, play.book), table.expedition.flags
    told = (one for one in ways if f"scene:{one.id}" in known or called(" ".join(text), (one,)))
    return next((one.id for one in told if one.id in shut), "")


def leg_to(table: Table, book: Book, name: str) -> tuple[str, str]:
    """Return the scene next to this one by which a place farther off is reached, and that place.

    It is one that the players have been told of or been to; both are "" for any other.
    """
    now, story, lang = table.expedition, book.story, table.lang
    places = story.scenes.items()
    scenes = [Named(id=key, phrases=phrases(one.name, one.words)) for key, one in places]
    goal = name if name in story.scenes else next(iter(called(name, scenes)), "")
    if not goal or not now.scene or table.cast.fight:
        return "", ""
    told = any(told_of(table, book, one) for one in (name, story.scenes[goal].name.of(lang)))
    if f"scene:{goal}" not in now.flags and not told:
        return "", ""
    firsts = {way.to: way.to for way in exits(now, story)}
    for at in (queue := [*firsts]):
        for way in exits(now.model_copy(update={"scene": at}), story):
            if way.to not in (*firsts, now.scene):
                firsts[way.to] = firsts[at]
                queue.append(way.to)
    first = firsts.get(goal, "")
    return ("", "") if first in ("", goal) else (first, goal)


def _text_of(table: Table, book: Book) -> Phrase:
    """Return the words of what the present place is told to be, and of what was made out there."""
    now, story = table.expedition, book.story
    own = (one.text for one in table.tale.canon if one.place == now.scene)
    shown = [story.details[key].text for key in now.planted]
    shown += [story.encounters[now.fighting].text] if now.fighting else []
    shown += [story.scenes[now.scene].text] if now.scene else []
    return words_of(" ".join((*own, *(said for one in shown for said in one.both))))


def called(name: str, among: Sequence[Named]) -> tuple[str, ...]:
    """Return the ids that a name matches, trying plurals and then misspellings if nothing does."""
    words = words_of(name)
    known = {part for one in among for way in one.phrases for part in way}
    near = tuple(next(iter(get_close_matches(word, known, 1, CLOSE)), word) for word in words)
    forms = (words, *(_singular(words, *ending) for ending in PLURALS), near)
    return next(filter(None, (_so_called(form, among) for form in dict.fromkeys(forms))), ())


def _so_called(words: Phrase, among: Sequence[Named]) -> tuple[str, ...]:
    """Return the ids whose matching phrase is the longest, so "old guard" beats "guard"."""
    most, found = 0, list[str]()
    for one in among:
        sizes = (len(way) for way in one.phrases if way and find(words, way) is not None)
        size = max(sizes, default=0)
        if size > most:
            most, found = size, []
        if size and size == most and one.id not in found:
            found.append(one.id)
    return tuple(found)


def _singular(words: Phrase, plural: str, ending: str) -> Phrase:
    """Return the words with one plural ending replaced by the singular."""
    return tuple(
        word.removesuffix(plural) + ending if word.endswith(plural) else word for word in words
    )


def once(acts: Iterable[Act], seats: Sequence[str]) -> tuple[Act, ...]:
    """Merge the same words said to several companions into one address to everybody."""
    found: list[Act] = []
    for act in acts:
        last = found[-1] if found else None
        same = last and last.do == act.do == "say" and last.text == act.text and last.text
        if last and same and act.to in seats and last.to in (*seats, EVERYBODY):
            found[-1] = last.model_copy(update={"to": EVERYBODY})
        else:
            found.append(act)
    return tuple(found)
