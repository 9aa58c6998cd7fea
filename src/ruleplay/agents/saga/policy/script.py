"""The beats of a turn in the making, which grow event by event."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.policy.answers import Asked
from ruleplay.story.beats import Beat, Item, Kind, Line, Outcome, State
from ruleplay.story.beats import who as named
from ruleplay.story.style import crossed
from ruleplay.story.texts import Lang, Text

LIGHT: tuple[Kind, ...] = ("say", "other")
"""Beats that have to be shown only where nothing else is."""


@dataclass
class Draft:
    """A beat in the making."""

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
    spoke: h.Spoke | None = None
    tried: str = ""
    posed: str = ""
    lead: str = ""
    """What is said of a gesture before how it is taken."""
    through: bool = False
    """Whether it is an arrival and no more: it goes without saying where the way leads on."""

    def became(self, who: str, state: State) -> None:
        """Note what became of somebody, who is then one of the beat's beings."""
        self.results.append(Outcome(who=who, state=state))
        if who not in (self.who, *self.about):
            self.about.append(who)


@dataclass
class Script:
    """A turn's beats, growing event by event; `game` is as the events so far have made it."""

    game: Game
    book: Book
    drafts: list[Draft] = field(default_factory=list)
    closing: list[str] = field(default_factory=list)
    before: Game | None = None
    spoke: h.Spoke | None = None
    rolled: tuple[str, ...] = ()
    turn: int = 0

    @property
    def lang(self) -> Lang:
        """Return the language of the story."""
        return self.game.lang

    def name(self, who: str) -> str:
        """Return somebody's name."""
        found = self.game.fight.get(who) if self.game.fight else None
        if found is None and self.before and self.before.fight:
            found = self.before.fight.get(who)
        if found:
            return found.name.of(self.lang)
        if who in self.book.scenario.persons:
            return self.book.scenario.persons[who].name.of(self.lang)
        key = surroundings.here(self.game, self.book).encounter
        at = re.fullmatch(r"(foe|ally)(\d+)", who)
        if key and at:
            cast = self.book.scenario.encounters[key]
            there = cast.foes if at[1] == "foe" else cast.allies
            return there[min(int(at[2]), len(there)) - 1].name.of(self.lang)
        return self.game.sheet.name if who in (HERO, "") else who

    def say(self, text: Text) -> str:
        """Return words in the language of the story."""
        return text.of(self.lang)

    def thing(self, item: str) -> str:
        """Return a thing with its article; an empty hand is a fist."""
        known = self.book.rules.items.get(item)
        return known.the("en") if known else "a bare fist"

    def open(self, kind: Kind, who: str, *about: str, says: str, must: bool = True) -> Draft:
        """Begin a beat."""
        others = [one for one in about if one]
        draft = Draft(kind=kind, who=who, about=others, says=[says], must=must)
        self.drafts.append(draft)
        return draft

    def line(
        self, kind: Kind, *items: Item, says: str, who: str = HERO, must: bool = False
    ) -> Draft:
        """Add a beat of somebody's own that prose may leave to its line."""
        draft = self.open(kind, who, says=says, must=must)
        draft.items += items
        return draft

    def passage(self, text: str, *, kind: Kind = "other", lookup: bool = False) -> None:
        """Add text that stands as it was written: the story's, or an answer about its state.

        What the player never wants to hear of is left out of it.
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
        """Return the beat that something belongs to: the last one with them in it, or a new one."""
        last = self.drafts[-1] if self.drafts else None
        if last and not last.passage and who in (last.who, *last.about):
            return last
        fate = last and last.kind in ("hit", "miss") and who not in (HERO, "")
        if last and not last.passage and last.kind in ("check", "hit", "miss", "say") and not fate:
            return last
        made = self.open("state", who, says="")
        made.items.append(named(self.name(who)))
        return made

    @property
    def ordered(self) -> list[Draft]:
        """Return the drafts as they are told: what is answered outside the story comes after it."""
        return sorted(self.drafts, key=lambda draft: draft.kind == "answer")

    def beats(self) -> tuple[Beat, ...]:
        """Return the beats, numbered."""
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
                echo=draft.echo,
            )
            for number, draft in enumerate(self.ordered, 1)
        )
