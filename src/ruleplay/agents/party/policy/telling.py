"""What a turn has to tell: passages as written, beats with their lines, words for few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Literal

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.dice import Roll
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.seats import DM, EVERYONE, Audience, private
from ruleplay.agents.party.domain.staging import people, waiters
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.answering import person_says, taken_up
from ruleplay.agents.party.state import Happened
from ruleplay.records.events import Aside
from ruleplay.story.beats import Beat, Item, Kind, Line, Outcome, State, arrow, who
from ruleplay.story.texts import Lang, Text, towards

ItemKind = Literal["who", "arrow", "skill", "roll", "harm", "heal", "state", "gain", "loss", "text"]
COLON: dict[Lang, str] = {"en": ":", "fr": "\u00a0:"}


@dataclass
class Making:
    """A beat in the making: an act, and what comes of it while the events go on."""

    kind: Kind
    who: str = ""
    about: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    results: list[Outcome] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    gained: list[str] = field(default_factory=list)
    must: bool = True
    key: str = ""
    echo: bool = False
    tries: bool = False
    passage: str = ""

    def _punctuated(self, lang: Lang) -> Iterator[Item]:
        """Yield the line's pieces: a colon parts who acts from what they do, but for arrows."""
        for n, item in enumerate(self.items):
            after = self.items[n + 1].kind if n + 1 < len(self.items) else "arrow"
            parts = item.kind == "who" and after in ("text", "skill", "heal")
            joined = item.kind == "who" and after in ("state", "gain", "loss")  # by a colon
            more = COLON[lang] if parts else COLON[lang][:-1] if joined else ""
            yield item.model_copy(update={"text": f"{item.text}{more}"})

    def told(self, text: str, says: str = "", kind: ItemKind = "text", dice: str = "") -> Making:
        """Add a piece to its line, and what is said of it to whoever tells it."""
        self.items.append(Item(kind=kind, text=text, dice=dice))
        self.says += [says] if says else []
        return self

    def is_of(self, *beings: str) -> bool:
        """Tell whether all of these are in it."""
        return {*beings} <= {self.who, *self.about}

    def became(self, whom: str, state: State) -> None:
        """Note what became of somebody."""
        self.results.append(Outcome(who=whom, state=state))

    def beat(self, number: int, lang: Lang) -> Beat:
        """Return it as a beat."""
        about = tuple(dict.fromkeys(one for one in self.about if one and one != self.who))
        return Beat(
            id=f"b{number}",
            kind=self.kind,
            who=self.who,
            about=about,
            results=tuple(self.results),
            must=self.must,
            says="; ".join(self.says),
            line=Line(items=tuple(self._punctuated(lang))),
            gained=tuple(self.gained),
            echo=self.echo,
            passage=self.passage,
        )


@dataclass
class Telling:
    """What a turn has to tell; grows event by event, with the table as it is after each.

    `blocks` holds passages and beats in the order in which they came about; `questions` are
    answered to their seats alone, `answered` are persons who have said what was written for them.
    `ears` are those whom all of it is for.
    """

    table: Table
    book: Book
    blocks: list[str | Making] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    questions: list[Consulted] = field(default_factory=list)
    loosed: tuple[tuple[str, str], ...] = ()
    dice: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)
    ears: Audience = (EVERYONE,)

    @property
    def lang(self) -> Lang:
        """Return the language of the table."""
        return self.table.lang

    @property
    def last(self) -> Making | None:
        """Return the beat that was told last, when nothing was told since."""
        block = self.blocks[-1] if self.blocks else None
        return block if isinstance(block, Making) else None

    def opened(self, kind: Kind, actor: str = "", *about: str, must: bool = True) -> Making:
        """Begin a beat: somebody does something, with whom it is about."""
        made = Making(kind, actor, [one for one in about if one], must=must)
        if actor:
            made.items.append(who(self.name(actor)))
        self.blocks.append(made)
        return made

    def about(self, *beings: str) -> Making | None:
        """Return the last beat if it is about all of these."""
        last = self.last
        return last if last and last.is_of(*beings) else None

    def noted(self, whom: str, text: str, says: str = "", state: State | None = "state") -> None:
        """Add what became of somebody to the last beat if it is about them, else to a new one."""
        made = self.about(whom) or self.opened("state", whom, must=False)
        if made.who != whom and made.about[-1:] != [whom]:
            made.told(f"· {self.name(whom)}", kind="who")
        made.told(text, f"{self.name(whom)} {says or text}", "state")
        if state:
            made.became(whom, state)

    def roll(self, roll: Roll) -> str:
        """Return a roll for whoever wants to see it."""
        return f"{roll.formula}: {', '.join(map(str, roll.faces))} = {roll.total}"

    def said(self, text: Text, **slots: object) -> str:
        """Return a text in the table's language."""
        return text.of(self.lang).format(**slots)

    def thing(self, what: str, bearer: str = "") -> str:
        """Return the name of a weapon, spell, feature or thing, as its bearer calls it."""
        one = self.table.cast.get(bearer)
        own = (one.attack(what) or one.power(what)) if one else None
        return (own.name if own else self.book.effect(what)).of(self.lang)

    def name(self, ident: str) -> str:
        """Return the name of a creature, seat or person."""
        if ident in self.book.story.persons:
            return self.book.story.persons[ident].name.of(self.lang)
        captive = self.table.tale.captives.get(ident)
        if captive and not self.table.cast.get(ident):
            return captive.of(self.lang)
        group, _, kind = ident.partition("/")
        if group in self.book.story.encounters:
            foes = [one for one in self.book.story.encounters[group].foes if kind in ("", one.kind)]
            kinds = (one.name or self.book.rules.monsters[one.kind].name for one in foes)
            return ", ".join(kind.of(self.lang) for kind in kinds)
        return self.table.name(ident)

    def towards(self, ident: str) -> str:
        """Return a name as whoever words are for: `to Pell`, `au gobelin`; empty for nobody."""
        name = self.name(ident) if ident else ""
        return name and (towards(name) if self.lang == "fr" else f"to {name}")

    def names(self, whom: Iterable[str]) -> str:
        """Return the names of several."""
        return ", ".join(self.name(one) for one in whom)

    def tell(self, text: str, audience: Audience = (EVERYONE,)) -> None:
        """Add a passage as it is written, for all or for some."""
        if not text:
            return
        if EVERYONE in audience or {*private(*audience)} == {*self.ears}:
            self.blocks.append(text)
        else:
            self.asides.append(Aside(text=text, audience=private(*audience)))

    def pick(self, texts: Sequence[Text]) -> Text:
        """Return one of several wordings: another one as the dice go on."""
        return texts[(self.table.cast.draws + len(self.blocks)) % len(texts)]

    def laid_out(self) -> list[str | Beat]:
        """Return passages and beats in order; beats with nothing to say or print are left out."""
        found: list[str | Beat] = []
        number = 0
        makings = [block for block in self.blocks if isinstance(block, Making)]
        # What only accompanies the rest has to be shown where there is no rest.
        weighty = any(made.must and (not made.echo or made.passage) for made in makings)
        for block in self.blocks:
            if isinstance(block, str):
                if block not in found:
                    found.append(block)
            elif block.items or block.says:
                number += 1
                beat = block.beat(number, self.lang)
                light = weighty and block.echo and not block.passage
                found.append(beat.model_copy(update={"must": False}) if light else beat)
        return found


def replies(seat: str, to: str, words: str, t: Telling) -> None:
    """Let a person of the story have a word in prose, who was spoken to: no line can have it.

    What is said to nobody in particular may be taken up by any of them. Where no prose shows it,
    they answer in the words that were written for them.
    """
    here = {**people(t.table, t.book), **waiters(t.table, t.book)}
    heard = any(isinstance(b, Making) and b.kind == "say" and b.about == [seat] for b in t.blocks)
    if seat == DM or t.table.cast.fight or not ({to} & {*here} or (here and not to and not heard)):
        return
    person = to or taken_up(words, t.table, t.book)
    if person in t.answered:
        return
    made = Making("say", person, [seat], must=bool(person), echo=True, key=words)
    whom = t.name(person) if person else f"{t.names(here)}: any of them"
    made.says.append(f"{whom} may answer {t.name(seat)} in words; it settles and gives nothing")
    if person in people(t.table, t.book):
        made.passage = person_says(person, words, t.table, t.book)
    t.blocks = [one for one in t.blocks if not (person and answers(one, person))]
    t.blocks.append(made)


def answers(block: str | Making, person: str) -> bool:
    """Tell whether a block is what somebody may answer in words."""
    return isinstance(block, Making) and (block.kind, block.who) == ("say", person)


@singledispatch
def tell_one(event: Happened, t: Telling, before: Table) -> None:
    """Add what one happening has to tell; some have nothing."""


__all__ = ["Making", "Telling", "answers", "arrow", "replies", "tell_one"]
