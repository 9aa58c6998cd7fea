"""Mutable drafts of a turn's telling: authored passages, beats with their lines, and asides.

Events are added by the functions registered with `tell_one` (`telling_acts.py`,
`telling_story.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Literal, NamedTuple

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.dice import Roll
from ruleplay.agents.party.domain.exploration.acts import waiting
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.seats import DM, EVERYONE, Audience, private
from ruleplay.agents.party.domain.staging import people, waiters
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.answering import asks_of_wares, person_says, prices, taken_up
from ruleplay.agents.party.state import Happened
from ruleplay.records.events import Aside
from ruleplay.story.beats import Beat, Item, Kind, Line, Outcome, State, arrow, who
from ruleplay.story.texts import Lang, Text, towards, words_of

ItemKind = Literal["who", "arrow", "skill", "roll", "harm", "heal", "state", "gain", "loss", "text"]
COLON: dict[Lang, str] = {"en": ":", "fr": "\u00a0:"}


@dataclass
class Making:
    """A beat under construction: an act, to which later events add their results.

    `by_any`: it answers what was said to nobody in particular.
    """

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
    by_any: bool = False

    def _punctuated(self, lang: Lang) -> Iterator[Item]:
        """Yield the line's items, with a colon between an actor and what they do."""
        for n, item in enumerate(self.items):
            after = self.items[n + 1].kind if n + 1 < len(self.items) else "arrow"
            parts = item.kind == "who" and after in ("text", "skill", "heal")
            # `beats.joined` itself puts a colon before these; French adds a space before it.
            joined = item.kind == "who" and after in ("state", "gain", "loss")
            more = COLON[lang] if parts else COLON[lang][:-1] if joined else ""
            yield item.model_copy(update={"text": f"{item.text}{more}"})

    def told(self, text: str, says: str = "", kind: ItemKind = "text", dice: str = "") -> Making:
        """Add an item to the line, and what prompts say about it."""
        self.items.append(Item(kind=kind, text=text, dice=dice))
        self.says += [says] if says else []
        return self

    def is_of(self, *beings: str) -> bool:
        """Whether all of these beings are in the beat."""
        return {*beings} <= {self.who, *self.about}

    def became(self, whom: str, state: State) -> None:
        """Record a result for somebody."""
        self.results.append(Outcome(who=whom, state=state))

    def beat(self, number: int, lang: Lang) -> Beat:
        """Finish the beat with the id `b` and its number."""
        about = tuple(dict.fromkeys(one for one in self.about if one and one != self.who))
        return Beat(
            id=f"b{number}",
            kind=self.kind,
            who=self.who,
            about=about,
            results=tuple(self.results),
            must=self.must,
            says="; ".join(dict.fromkeys(self.says)),
            line=Line(items=tuple(self._punctuated(lang))),
            gained=tuple(self.gained),
            echo=self.echo,
            passage=self.passage,
        )


class Asked(NamedTuple):
    """A question outside the story, and the table as it was then.

    It came `first` if nothing had been told before it.
    """

    question: Consulted
    table: Table
    first: bool = False


@dataclass
class Telling:
    """The telling of a turn under construction; `table` is the state after the events so far.

    `blocks` are passages and beats in order. `unseen` are those of asides that prose may tell, by
    the aside's index; `back` is what seats are asked, and comes last. `questions` are answered to
    their seats alone.
    `answered` are persons whose authored answer has been told, `spoken` who has spoken to whom.
    `ears` is the audience of everything
    that is not an aside.
    """

    table: Table
    book: Book
    blocks: list[str | Making] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    unseen: dict[int, list[str | Beat]] = field(default_factory=dict)
    back: set[str] = field(default_factory=set)
    questions: list[Asked] = field(default_factory=list)
    loosed: tuple[tuple[str, str], ...] = ()
    dice: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)
    spoken: set[tuple[str, str]] = field(default_factory=set)
    ears: Audience = (EVERYONE,)

    @property
    def lang(self) -> Lang:
        """The language of the table."""
        return self.table.lang

    @property
    def last(self) -> Making | None:
        """The latest beat, if no passage has followed it."""
        block = self.blocks[-1] if self.blocks else None
        return block if isinstance(block, Making) else None

    def opened(self, kind: Kind, actor: str = "", *about: str, must: bool = True) -> Making:
        """Begin a beat of an actor; empty ids in `about` are dropped."""
        made = Making(kind, actor, [one for one in about if one], must=must)
        if actor:
            made.items.append(who(self.name(actor)))
        self.blocks.append(made)
        return made

    def about(self, *beings: str) -> Making | None:
        """Return the last beat if it is about all of these beings, else None."""
        last = self.last
        return last if last and last.is_of(*beings) else None

    def noted(self, whom: str, text: str, says: str = "", state: State | None = "state") -> None:
        """Add a result for somebody to the last beat if it is about them, else to a new one."""
        made = self.about(whom) or self.opened("state", whom, must=False)
        if made.who != whom and made.about[-1:] != [whom]:
            made.told(f"· {self.name(whom)}", kind="who")
        made.told(text, f"{self.name(whom)} {says or text}", "state")
        if state:
            made.became(whom, state)

    def roll(self, roll: Roll) -> str:
        """Format a roll with its faces."""
        return f"{roll.formula}: {', '.join(map(str, roll.faces))} = {roll.total}"

    def said(self, text: Text, **slots: object) -> str:
        """Format a text in the table's language."""
        return text.of(self.lang).format(**slots)

    def thing(self, what: str, bearer: str = "") -> str:
        """Return the name of a weapon, spell, feature or thing, its bearer's own if it has one."""
        one = self.table.cast.get(bearer)
        own = (one.attack(what) or one.power(what)) if one else None
        return (own.name if own else self.book.effect(what)).of(self.lang)

    def name(self, ident: str) -> str:
        """Return the name of a creature, seat, person, or an encounter's foes."""
        if ident in self.book.story.persons:
            return self.book.story.persons[ident].name.of(self.lang)
        group, _, kind = ident.partition("/")
        if group in self.book.story.encounters:
            foes = [one for one in self.book.story.encounters[group].foes if kind in ("", one.kind)]
            kinds = (one.name or self.book.rules.monsters[one.kind].name for one in foes)
            return ", ".join(kind.of(self.lang) for kind in kinds)
        return self.table.name(ident)

    def towards(self, ident: str) -> str:
        """Return a name as addressee: `to Pell`, `au gobelin`; empty for nobody."""
        name = self.name(ident) if ident else ""
        return name and (towards(name) if self.lang == "fr" else f"to {name}")

    def names(self, whom: Iterable[str]) -> str:
        """Join the names of several."""
        return ", ".join(self.name(one) for one in whom)

    def tell(self, text: str, audience: Audience = (EVERYONE,)) -> None:
        """Add a passage verbatim: as an aside if it is only for some."""
        if not text:
            return
        if EVERYONE in audience or {*private(*audience)} == {*self.ears}:
            self.blocks.append(text)
        else:
            self.add_aside(Aside(text=text, audience=private(*audience)))

    def add_aside(self, aside: Aside) -> None:
        """Add an aside; it comes first as long as nothing has been told to all."""
        self.asides.append(aside.model_copy(update={"first": not self.blocks}))

    def pick(self, texts: Sequence[Text]) -> Text:
        """Choose one of several wordings, by the number of dice drawn so far."""
        return texts[(self.table.cast.draws + len(self.blocks)) % len(texts)]

    def laid_out(self) -> list[str | Beat]:
        """Return passages and numbered beats in order, without repeated or empty ones."""
        found: list[str | Beat] = []
        number = 0
        makings = [block for block in self.blocks if isinstance(block, Making)]
        # Echoes have to be shown only if the turn has nothing weightier.
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
    """Add a beat in which a person who was spoken to may answer in prose.

    Speech to nobody in particular may be answered by anybody here. If no prose gives an answer the
    person's authored one is printed.
    """
    here = (*people(t.table, t.book), *waiting_here(t))
    heard = any(isinstance(b, Making) and b.kind == "say" and b.about == [seat] for b in t.blocks)
    if seat == DM or t.table.cast.fight or not (to in here or (here and not to and not heard)):
        return
    person = to or taken_up(words, t.table, t.book)
    if person in t.answered:
        return
    made = Making("say", person, [seat], must=bool(to), echo=True, key=words, by_any=not to)
    anybody = f"{t.names(here)}, or who was meant and has no name: any of them"
    whom = t.name(person) if person else anybody
    each = "answers" if to else "may answer"
    how = "as its kind can, in words or by what it does" if to in waiting_here(t) else "in words"
    made.says.append(
        f"{whom} {each} {t.name(seat)} {how}, all that is asked and offered; it settles and gives "
        "nothing"
    )
    asks = asks_of_wares(words, t.table, t.book)  # a lock of hair is no ware
    sold = prices(words_of(words), t.table, t.book) if asks else ""
    made.says += [f"sold here, never lent: {sold}"] if sold else []
    if person in people(t.table, t.book):
        made.passage = person_says(person, words, t.table, t.book)
    t.blocks = [one for one in t.blocks if not (person and answers(one, person))]
    t.blocks.append(made)


def waiting_here(t: Telling) -> tuple[str, ...]:
    """Return the ids by which those are spoken to who wait here and do not fight yet."""
    now = t.table.expedition
    key = waiting(now, t.book.story) if now.begun and t.table.cast.fight is None else ""
    return (*waiters(t.table, t.book), *((key,) if key else ()))


def answered_by(mate: str, to: str, t: Telling) -> None:
    """Let a companion's answer precede that of persons whom nobody has spoken to."""
    if mate not in t.table.characters:
        return
    later = [one for one in t.blocks if isinstance(one, Making) and one.by_any and to in one.about]
    t.blocks = [one for one in t.blocks if one not in later] + [*later]


def answers(block: str | Making, person: str) -> bool:
    """Whether a block is a beat in which a person answers."""
    return isinstance(block, Making) and (block.kind, block.who) == ("say", person)


@singledispatch
def tell_one(event: Happened, t: Telling, before: Table) -> None:
    """Add the telling of one event; unregistered kinds have none."""


__all__ = [
    "Asked", "Making", "Telling", "answered_by", "answers", "arrow", "replies", "tell_one",
    "waiting_here",
]  # fmt: skip
