"""Mutable drafts of a turn's beats, to which events add one after the other (see `add`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import singledispatch

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.policy import phrases
from ruleplay.agents.saga.policy.answers import Asked
from ruleplay.story import canon
from ruleplay.story.beats import Beat, Being, Item, Kind, Line, Outcome, State
from ruleplay.story.beats import who as named
from ruleplay.story.style import crossed
from ruleplay.story.texts import Lang, Text

LIGHT: tuple[Kind, ...] = ("say", "other")
"""Kinds that prose has to show only if the turn has nothing weightier."""


@dataclass
class Draft:
    """A beat under construction."""

    kind: Kind
    who: str = ""
    about: list[str] = field(default_factory=list)
    results: list[Outcome] = field(default_factory=list)
    must: bool = True
    says: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    gained: list[str] = field(default_factory=list)
    passage: str = ""
    lookup: bool = False
    topics: list[Asked] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    echo: bool = False
    again: bool = False
    """Whether its line only says what prose is to tell: it stands where no prose does."""
    left: str = ""
    """What is said of an act that is left undone, where no prose shows it."""
    spoke: h.Spoke | None = None
    tried: str = ""
    posed: str = ""
    asked_in: Game | None = None
    """The game at the time of a question, from which it is answered."""
    lead: str = ""
    """Opening of the stock reaction to a gesture."""
    on_the_way: bool = False
    """Whether this is a check of stealth, told before those who wait at a place are met."""
    waits: bool = False
    """Whether this is the text of those who wait at a place."""
    through: bool = False
    """Whether this is a bare arrival, which is dropped if the way leads on in the same turn."""

    def became(self, who: str, state: State) -> None:
        """Record a result for somebody, and count them among the beat's beings."""
        self.results.append(Outcome(who=who, state=state))
        if who not in (self.who, *self.about):
            self.about.append(who)


@dataclass
class Script:
    """The drafts of a turn; `game` is the state after the events so far, `before` after the last.

    `closing` are texts that end the reply, such as a question to the player. `unheard` are the
    player's words in those that say that something is not here, which prose may have told.
    """

    game: Game
    book: Book
    drafts: list[Draft] = field(default_factory=list)
    closing: list[str] = field(default_factory=list)
    unheard: dict[str, tuple[str, ...]] = field(default_factory=dict)
    before: Game | None = None
    spoke: h.Spoke | None = None
    rolled: tuple[str, ...] = ()
    turn: int = 0

    @property
    def lang(self) -> Lang:
        """The language of the story."""
        return self.game.lang

    def name(self, who: str) -> str:
        """Return somebody's name, also that of a foe or ally who has left the fight."""
        found = self.game.fight.get(who) if self.game.fight else None
        if found is None and self.before and self.before.fight:
            found = self.before.fight.get(who)
        if found:
            return found.name.of(self.lang)
        if who in self.book.scenario.persons:
            return surroundings.known_name(self.game, self.book, who).of(self.lang)
        key = surroundings.here(self.game, self.book).encounter
        at = re.fullmatch(r"(foe|ally)(\d+)", who)
        if key and at:
            cast = self.book.scenario.encounters[key]
            there = cast.foes if at[1] == "foe" else cast.allies
            return there[min(int(at[2]), len(there)) - 1].name.of(self.lang)
        return self.game.sheet.name if who in (HERO, "") else who

    def say(self, text: Text) -> str:
        """Return a text in the language of the story."""
        return text.of(self.lang)

    def thing(self, item: str) -> str:
        """Return the English name of a thing with its article, for prompts; no thing is a fist."""
        known = self.book.rules.items.get(item)
        return known.the("en") if known else "a bare fist"

    def open(self, kind: Kind, who: str, *about: str, says: str, must: bool = True) -> Draft:
        """Begin a beat; empty ids in `about` are dropped."""
        others = [one for one in about if one]
        draft = Draft(kind=kind, who=who, about=others, says=[says], must=must)
        self.drafts.append(draft)
        return draft

    def line(
        self, kind: Kind, *items: Item, says: str, who: str = HERO, must: bool = False
    ) -> Draft:
        """Add a beat that prose need not tell (unless `must`), since its line says enough."""
        draft = self.open(kind, who, says=says, must=must)
        draft.items += items
        return draft

    def passage(self, text: str, *, kind: Kind = "other", lookup: bool = False) -> None:
        """Add text that is shown verbatim: authored text, or code's answer about the state.

        Sentences about topics that the player has ruled out (`Style.lines`) are dropped.
        """
        style = self.game.story.style
        if style.lines:
            paragraphs = (surroundings.SENTENCES.split(part) for part in text.split("\n\n"))
            kept = (" ".join(o for o in part if not crossed(o, style)) for part in paragraphs)
            text = "\n\n".join(filter(None, kept))
            if not text:
                return
        self.drafts.append(Draft(kind=kind, must=False, passage=text, lookup=lookup))

    def current(self, who: str) -> Draft:
        """Return the draft that a result for somebody belongs to: the last one, or a new one.

        The last one fits if they take part in it, or if it is a check, a blow or speech that may
        have caused the result. A blow causes nothing for those outside it but the hero.
        """
        last = self.drafts[-1] if self.drafts else None
        if last and not last.passage and who in (last.who, *last.about):
            return last
        fate = last and last.kind in ("hit", "miss") and who not in (HERO, "")
        if last and not last.passage and last.kind in ("check", "hit", "miss", "say") and not fate:
            return last
        made = self.open("state", who, says="")
        made.items.append(named(self.name(who)))
        return made

    def meet_last(self) -> None:
        """Move checks of stealth before the meeting with those who wait at a place."""
        for at, draft in enumerate(self.drafts):
            met = next((n for n, one in enumerate(self.drafts[:at]) if one.waits), at)
            if draft.on_the_way:
                self.drafts.insert(met, self.drafts.pop(at))

    def beats(self) -> tuple[Beat, ...]:
        """Finish the drafts as beats with the ids b1, b2 and so on."""
        weighty = any(
            (d.passage and not d.lookup) or (d.must and d.kind not in LIGHT) for d in self.drafts
        )
        return tuple(
            Beat(
                id=f"b{number}",
                kind=draft.kind,
                who=draft.who,
                about=tuple(draft.about),
                results=tuple(draft.results),
                must=draft.must and not (weighty and draft.kind in LIGHT),
                facts=tuple(dict.fromkeys(draft.facts)),
                says="; ".join(one for one in draft.says if one),
                line=Line(items=tuple(draft.items)),
                gained=tuple(draft.gained),
                passage=draft.passage,
                echo=draft.echo or _says_again(draft),
            )
            for number, draft in enumerate(self.drafts, 1)
        )


def _says_again(draft: Draft) -> bool:
    """Whether a line only says again what prose tells: that something is in vain, or is done.

    Numbers, states and gains are never left to prose.
    """
    numbers = any(char.isdigit() for item in draft.items for char in item.text)
    plain = all(item.kind in ("who", "text") for item in draft.items)
    return (draft.again or draft.kind == "vain") and not numbers and plain


def cast(game: Game, before: Game, book: Book) -> tuple[Being, ...]:
    """List everybody whom prose may name, each by full name and first name."""
    known: dict[str, dict[str, None]] = {HERO: {game.sheet.name: None}}
    for one in (before, game):
        for key, person in surroundings.persons(one, book).items():
            own = (person.name, book.scenario.persons[key].name)
            names = (*(name.of(game.lang) for name in own), canon.called(one.story.canon, key))
            known.setdefault(key, {}).update(dict.fromkeys(filter(None, names)))
        for each in one.fight.combatants if one.fight else ():
            known[each.id] = {each.name.of(game.lang): None}
    found = (
        Being(id=who, names=tuple(dict.fromkeys(part for name in own for part in _names(name))))
        for who, own in known.items()
    )
    return tuple(one.model_copy(update={"was": _was(one.id, before)}) for one in found)


def _was(who: str, before: Game) -> tuple[State, ...]:
    """Return the states somebody was in before the turn: out of the fight, or wounded."""
    one = before.fight.get(who) if before.fight else None
    if one and not one.present:
        return ("dead", "fled", "yielded")
    hurt = one.hp < one.max_hp if one else who == HERO and before.hp < before.sheet.max_hp
    return ("wounded",) if hurt else ()


def _names(name: str) -> tuple[str, ...]:
    words = [word for word in name.split() if word[:1].isupper() and len(word) > 2]
    return tuple(dict.fromkeys((name, *words[:1])))


SAID = {
    h.Rested: "rested",
    h.Returned: "returned",
    h.LanguageChosen: "language",
    h.TakenBack: "taken_back",
}
"""Events that are always told in the same words, with the key of these."""


@singledispatch
def add(event: h.Happening, s: Script) -> None:
    """Add the beat of one event; unregistered kinds have a fixed text or none."""
    said = [SAID[kind] for kind in type(event).__mro__ if kind in SAID]
    if said:
        s.passage(s.say(phrases.TEXTS[said[0]]))
