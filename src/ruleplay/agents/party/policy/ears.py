"""A part of a message with all that it may be about, and what it was understood as."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import Choice
from ruleplay.agents.party.domain.exploration.acts import waiting
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import mover, people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.replies import foes_of
from ruleplay.story.acts import Act
from ruleplay.story.hearing import Part
from ruleplay.story.mentions import Named, Scope, mentioned
from ruleplay.story.texts import Frozen, words_of

TONED, CLEAR, STRUCK, HEARD, PLAINLY = 0.5, 0.6, 0.4, 0.2, 0.9
ASKING = ACCOUNT = 0.3
"""How sure: a tone, lest words are meant plainly; a clear part; a topic or deed that is
named; going to a place that is; few words that name an act."""
LIKELY, HUSHED, HARDLY = 0.35, 0.15, 0.1
"""How certain what is free must be; from where on words may be for few, and nobody else hears them
then; from where on something is not out of the question."""
MASTER = Named(
    id=DM, phrases=(("dm",), ("gm",), ("mj",), ("md",), ("game", "master"), ("maitre", "du", "jeu"))
)
"""What the game master is called."""
COSTS = ("attack", "aim", "spell", "drink", "use", "go", "flee", "buy", "sell", "rest", "give")
"""Acts after which something is gone: a blow, a slot, coin, a thing, the place, the time."""
RISKY = 0.5
"""How likely it has to be that a part is one of those, to be asked about where it is not clear."""
CALLED = 4
"""Words at the beginning among which whoever is spoken to is named."""
SHORT, LONG_TALK, TOLD = 4, 14, 300
"""Words of a part that says one thing only, and of one that may say anything; characters of an
act's words."""
ASKED = {
    "look": "scene",
    "map": "scene",
    "inventory": "sheet",
    "sheet": "sheet",
    "recap": "memory",
    "recall": "memory",
    "commands": "help",
    "rules": "rules",
}
SKILLS = {
    "stunt": "athletics",
    "manoeuvre": "athletics",
    "trick": "sleight-of-hand",
    "perform": "performance",
    "insight": "insight",
    "help": "athletics",
    "sneak": "stealth",
    "steal": "sleight-of-hand",
    "search": "perception",
}


class Meant(Frozen):
    """What a part means: acts; how sure, whether they cost, whether their target was named.

    `choices` are the labels by which it can be asked about, the likeliest first; with `which` it
    has to be: several things are meant by the same words. What `depends` is for another case;
    `said` is the part. What is `slight` costs no more than a roll. `plain` is the part as words or
    a gesture, which it is in any case; `risk` how likely it is that something is gone after it.
    """

    sure: float
    acts: tuple[Act, ...] = ()
    choices: tuple[str, ...] = ()
    which: bool = False
    costly: bool = False
    named: bool = True
    depends: bool = False
    said: str = ""
    slight: bool = False
    names: bool = False
    called: bool = False
    plain: tuple[Act, ...] = ()
    risk: float = 0.0


class Ear(Frozen):
    """A part that is to be understood, where and by whom it was said."""

    part: Part
    quoted: tuple[str, ...]
    scope: Scope
    table: Table
    book: Book
    seat: str
    offered: tuple[Choice, ...]
    spoken: str = ""
    """To whom the words before it were."""
    partner: str = ""
    """With whom its player is talking: in this message, else lately."""

    @property
    def fighting(self) -> bool:
        """Whether there is a fight."""
        return self.table.cast.fight is not None

    @property
    def barred(self) -> str:
        """Return the encounter that waits here."""
        now = self.table.expedition
        return waiting(now, self.book.story) if now.begun and not self.fighting else ""

    @property
    def thing(self) -> str:
        """Return what is named of all that one carries or can."""
        return self.part.item.id if self.part.item else ""

    @property
    def who(self) -> str:
        """Return whoever is named."""
        return self.part.being.id if self.part.being else ""

    @property
    def companion(self) -> str:
        """Return the companion who is named."""
        return self.who if self.who in self.table.characters else ""

    @property
    def calls(self) -> bool:
        """Whether a name stands where one calls somebody: at the beginning or the end."""
        words = self.part.words
        ends = (*words[:CALLED], *words[-1:]) if len(words) > CALLED else words
        return self.part.being is not None and mentioned(ends, (self.part.being,)) is not None

    @property
    def foe(self) -> str:
        """Return the adversary who is meant: who was named, else the nearest."""
        friends = self.table.characters
        named = self.named_foe
        there = [one.id for one in self.scope.beings if one.id not in friends]
        return named or next(iter(there), "")

    @property
    def named_foe(self) -> str:
        """Return the adversary who is named."""
        others = [one for one in self.scope.beings if one.id not in self.table.characters]
        found = mentioned(self.part.words, others)
        return found.id if found else ""

    @property
    def person(self) -> str:
        """Return the person of the story who is meant: who was named, or the only one here."""
        here = [*people(self.table, self.book)]
        if self.who:
            return self.who if self.who in here else ""
        return here[0] if len(here) == 1 and not self.barred else ""

    @property
    def kept(self) -> bool:
        """Whether a deed is kept for a moment that may come."""
        when = self.part.heard["when"][0]
        blow = sum(map(self.part.chance, ("attack", "aim", "defend", "spell"))) >= LIKELY
        both = len(self.part.words) > SHORT  # the moment and what is done at it
        sure = when.label == "trigger" and when.sure >= CLEAR
        return sure and blow and both and "?" not in self.part.text

    @property
    def risk(self) -> float:
        """Return how likely something is gone after it."""
        return sum(map(self.part.chance, COSTS))

    @property
    def lately(self) -> str:
        """Return who here was spoken with last: a person of the story, or a companion."""
        here = [one for one in self.scope.beings if one.id in people(self.table, self.book)]
        mates = {*self.table.characters} - {self.seat} if not self.fighting else ()
        memory, talks = self.table.memories.get(self.seat), self.book.story.talks
        for line in reversed(memory.lines if memory else ()):
            told = talks.get(line.about) if line.kind == "talk" else None
            named = mentioned(words_of(line.value), here) if line.kind == "said" else None
            mate = line.about if line.kind == "said" and line.about in mates else ""
            if who := told.person if told else mate or (named.id if named else ""):
                return who
        return ""

    def name_of(self, who: str) -> str:
        """Return what somebody is called: a person, a companion, those who wait."""
        here = people(self.table, self.book)
        waits = self.book.story.encounters.get(who)
        known = here[who].of(self.table.lang) if who in here else ""
        return known or (foes_of(who, self.table, self.book) if waits else self.table.name(who))

    def options(self, *kinds: str) -> tuple[Choice, ...]:
        """Return what is offered of some kinds, by how their ids begin."""
        return tuple(one for one in self.offered if one.id.split(":")[0] in kinds)

    def label(self, option: str) -> tuple[str, ...]:
        """Return what an option is called, if it is offered."""
        lang = self.table.lang
        return tuple(one.label.of(lang) for one in self.offered if one.id == option)

    def meant(
        self, act: Act, *, costly: bool = False, named: bool = True, sure: float = 0.0
    ) -> Meant:
        """Return an act as what the part means."""
        return Meant(
            sure=max(sure, self.part.sure),
            acts=(act,),
            costly=costly,
            named=named,
            choices=self.label(act.item) if act.do == "pick" else (),
        )

    def pick(self, option: str, *, costly: bool = True, sure: float = 0.0) -> Meant:
        """Return an option as what the part means."""
        known = self.table.cast.get(mover(self.table, self.seat))
        magic = known and option.startswith("deed:") and self.thing in known.spells
        body = {"do": "pick", "item": option, "with": self.thing if magic else ""}
        act = Act.model_validate({**body, "text": self.part.text})
        return self.meant(act, costly=costly, sure=sure)

    def one_of(self, offered: Sequence[Choice], *, sure: float = 0.0) -> Meant:
        """Return the only option of those, or the question which of them is meant."""
        if len(offered) == 1:
            return self.option(offered[0], sure=sure)
        labels = tuple(one.label.of(self.table.lang) for one in offered)
        return Meant(sure=self.part.sure, choices=labels[:4], which=bool(labels), costly=True)

    def option(self, chosen: Choice, *, sure: float = 0.0) -> Meant:
        """Return an option of a fight; outside one, the rule act that it stands for."""
        if self.fighting or chosen.venture:
            return self.pick(chosen.id, sure=sure)
        kind, what, to = (*chosen.id.split(":"), "", "")[:3]
        body = {"do": "rule", "item": kind, "with": what, "to": to, "text": self.part.text}
        if kind == "stabilise":
            body |= {"with": "", "to": what}
        label = (chosen.label.of(self.table.lang),)
        return Meant(
            sure=max(self.part.sure, sure),
            acts=(Act.model_validate(body),),
            costly=True,
            choices=label,
        )
