"""Interpret one part of a message at the table: `Ear` asks questions about it, `Meant` is a result.

`Ear` combines a classified `Part` with the table, the book and the seat that wrote it. Thresholds
are probabilities from the classifier (`ruleplay.story.hearing`).
"""

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
"""Thresholds, in two lines from sure to possible: a tone or aim; a clear part; something that is
named; a weak hint; almost certain. `ASKING` and `ACCOUNT` are for questions and reported speech."""
LIKELY, HUSHED, HARDLY = 0.35, 0.15, 0.1
"""Least probability of a free act; of a whisper, from which on nothing may become public; of an
act that cannot be ruled out."""
MASTER = Named(
    id=DM, phrases=(("dm",), ("gm",), ("mj",), ("md",), ("game", "master"), ("maitre", "du", "jeu"))
)
"""How players address the game master, in both languages."""
COSTS = ("attack", "aim", "spell", "drink", "use", "go", "flee", "buy", "sell", "rest", "give")
"""Acts that use something up: an action, a slot, coin, a thing, time, or being at the place."""
RISKY = 0.5
"""Probability of such acts together from which an unclear part has to be asked about."""
CALLED = 4
"""A name among so many first words is an address."""
SHORT, LONG_TALK, TOLD = 4, 14, 300
"""Most words of a part that says a single thing; most of one in which a name alone tells the
topic; most characters of an act's `text`."""
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
    """Addressee of the part before this one."""
    partner: str = ""
    """Whom the player is talking with in this message."""

    @property
    def fighting(self) -> bool:
        """Whether a fight is on."""
        return self.table.cast.fight is not None

    @property
    def barred(self) -> str:
        """Key of the encounter that waits here, or empty."""
        now = self.table.expedition
        return waiting(now, self.book.story) if now.begun and not self.fighting else ""

    @property
    def thing(self) -> str:
        """Id of the item, spell or feature that is named, or empty."""
        return self.part.item.id if self.part.item else ""

    @property
    def who(self) -> str:
        """Id of the being that is named, or empty."""
        return self.part.being.id if self.part.being else ""

    @property
    def mates(self) -> int:
        """How many of the party its words name."""
        mates = (one for one in self.scope.beings if one.id in self.table.characters)
        return sum(mentioned(self.part.words, (one,)) is not None for one in mates)

    @property
    def companion(self) -> str:
        """Id of the party member who is named, or empty."""
        return self.who if self.who in self.table.characters else ""

    @property
    def calls(self) -> bool:
        """Whether a name is an address, by its position at the beginning or the end."""
        words = self.part.words
        ends = (*words[:CALLED], *words[-1:]) if len(words) > CALLED else words
        return self.part.being is not None and mentioned(ends, (self.part.being,)) is not None

    @property
    def foe(self) -> str:
        """Id of the foe meant: the one who is named, else the first of the scope, the nearest."""
        friends = self.table.characters
        named = self.named_foe
        there = [one.id for one in self.scope.beings if one.id not in friends]
        return named or next(iter(there), "")

    @property
    def named_foe(self) -> str:
        """Id of the foe who is named, or empty."""
        others = [one for one in self.scope.beings if one.id not in self.table.characters]
        found = mentioned(self.part.words, others)
        return found.id if found else ""

    @property
    def person(self) -> str:
        """Id of the person of the story who is meant: the one named, or the only one here."""
        here = [*people(self.table, self.book)]
        if self.who:
            return self.who if self.who in here else ""
        return here[0] if len(here) == 1 and not self.barred else ""

    @property
    def kept(self) -> bool:
        """Whether an attack is readied for a moment that may come ("when he moves I shoot")."""
        when = self.part.heard["when"][0]
        blow = sum(map(self.part.chance, ("attack", "aim", "defend", "spell"))) >= LIKELY
        both = len(self.part.words) > SHORT  # enough for both the moment and the act
        sure = when.label == "trigger" and when.sure >= CLEAR
        return sure and blow and both and "?" not in self.part.text

    @property
    def risk(self) -> float:
        """Probability that the part uses something up."""
        return sum(map(self.part.chance, COSTS))

    @property
    def lately(self) -> str:
        """Id of whoever here the seat itself has spoken with last, from its memory; or empty."""
        here = [one for one in self.scope.beings if one.id in people(self.table, self.book)]
        mates = {*self.table.characters} - {self.seat} if not self.fighting else ()
        memory, talks = self.table.memories.get(self.seat), self.book.story.talks
        for line in reversed(memory.lines if memory else ()):
            own = line.about == self.seat and line.kind in ("said", "did")
            heard = line.kind == "talk" and line.other == self.seat
            told = talks.get(line.about) if heard else None
            named = mentioned(words_of(line.value), here) if own else None
            mate = line.about if line.kind == "said" and line.about in mates else ""
            if who := told.person if told else mate or (named.id if named else ""):
                return who
        return ""

    def name_of(self, who: str) -> str:
        """Return the name of a person, a party member, or the foes of an encounter."""
        here = people(self.table, self.book)
        waits = self.book.story.encounters.get(who)
        known = here[who].of(self.table.lang) if who in here else ""
        return known or (foes_of(who, self.table, self.book) if waits else self.table.name(who))

    def options(self, *kinds: str) -> tuple[Choice, ...]:
        """Select the offered choices of some kinds, by the beginning of their ids."""
        return tuple(one for one in self.offered if one.id.split(":")[0] in kinds)

    def label(self, option: str) -> tuple[str, ...]:
        """Return a choice's label as a tuple, empty if it is not offered."""
        lang = self.table.lang
        return tuple(one.label.of(lang) for one in self.offered if one.id == option)

    def meant(
        self, act: Act, *, costly: bool = False, named: bool = True, sure: float = 0.0
    ) -> Meant:
        """Wrap an act as the meaning of this part."""
        return Meant(
            sure=max(sure, self.part.sure),
            acts=(act,),
            costly=costly,
            named=named,
            choices=self.label(act.item) if act.do == "pick" else (),
        )

    def pick(self, option: str, *, costly: bool = True, sure: float = 0.0) -> Meant:
        """Make picking an option the meaning of this part."""
        known = self.table.cast.get(mover(self.table, self.seat))
        magic = known and option.startswith("deed:") and self.thing in known.spells
        body = {"do": "pick", "item": option, "with": self.thing if magic else ""}
        act = Act.model_validate({**body, "text": self.part.text})
        return self.meant(act, costly=costly, sure=sure)

    def one_of(self, offered: Sequence[Choice], *, sure: float = 0.0) -> Meant:
        """Mean the only one of some options, or ask which of them is meant."""
        if len(offered) == 1:
            return self.option(offered[0], sure=sure)
        labels = tuple(one.label.of(self.table.lang) for one in offered)
        return Meant(sure=self.part.sure, choices=labels[:4], which=bool(labels), costly=True)

    def option(self, chosen: Choice, *, sure: float = 0.0) -> Meant:
        """Mean an option; outside fights a fight's option becomes the rule act it stands for."""
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
