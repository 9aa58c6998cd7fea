"""What a turn has to tell: passages as written, facts with claims, words for few."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import singledispatch

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.seats import EVERYONE, Audience, private
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.texts import Lang, Text
from ruleplay.agents.party.policy import grammar
from ruleplay.agents.party.policy.fight_phrases import MOOD, STILL
from ruleplay.agents.party.state import Happened
from ruleplay.foundation.claims import Claim, Fact
from ruleplay.foundation.events import Aside

Slot = str | int | tuple[str, ...]
"""What a text is filled with: words, a number, or the ids of beings."""


@dataclass(frozen=True)
class Said:
    """The last fact as it was put together, so that more can be said in the same breath."""

    fact: Fact
    text: Text
    slots: dict[str, Slot]


@dataclass
class Telling:
    """What a turn has to tell; grows event by event, with the table as it is after each.

    `blocks` holds passages and facts in the order in which they came about; `fought` says that a
    part of it is a fight, `loosed` what lay about when it ended.
    """

    table: Table
    book: Book
    blocks: list[str | Fact] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    fought: bool = False
    loosed: tuple[tuple[str, str], ...] = ()
    said: list[Said] = field(default_factory=list)

    @property
    def facts(self) -> list[Fact]:
        """Return the facts, in order."""
        return [block for block in self.blocks if isinstance(block, Fact)]

    @property
    def passages(self) -> list[str]:
        """Return what is told as it was written, in order."""
        return [block for block in self.blocks if isinstance(block, str)]

    @property
    def last(self) -> Said | None:
        """Return the fact that was told last, when nothing was told since."""
        told = self.said[-1] if self.said else None
        return told if told and self.blocks[-1:] == [told.fact] else None

    @property
    def lang(self) -> Lang:
        """Return the language of the table."""
        return self.table.lang

    @property
    def moods(self) -> tuple[Text, ...]:
        """Return sentences that claim nothing and suit what goes on."""
        return MOOD if self.fought or self.table.cast.fight else STILL

    def opening(self, turn: int) -> str:
        """Return a sentence that claims nothing, another one from turn to turn."""
        return self.moods[turn % len(self.moods)].of(self.lang)

    def thing(self, what: str, who: str = "") -> str:
        """Return the name of a weapon, spell, feature or thing, as its bearer calls it."""
        return self._thing(what, who).of(self.lang)

    def a_thing(self, what: str, who: str = "", count: int = 1) -> str:
        """Return a weapon or thing with its article, or how many of them."""
        name, item = self._thing(what, who), self.book.rules.items.get(what)
        if count > 1:
            return f"{count} {grammar.plural(name.of(self.lang), self.lang)}"
        return grammar.indefinite(name, self.lang, item.gender if item else "")

    def _thing(self, what: str, who: str) -> Text:
        bearer = self.table.cast.get(who)
        own = (bearer.attack(what) or bearer.power(what)) if bearer else None
        return own.name if own else self.book.effect(what)

    def name(self, who: str) -> str:
        """Return the name of a creature or seat."""
        return self.table.name(who)

    def names(self, whom: Iterable[str]) -> str:
        """Return the names of several, as sentences have them."""
        return grammar.several([self.name(who) for who in whom], self.lang)

    def say(
        self, text: Text, *claims: Claim, must: bool = True, join: str = "", **slots: Slot
    ) -> None:
        """Add a fact that all may know; with `join`, that slot is shared with the last fact.

        "A falls. B falls." becomes "A and B fall." where nothing else differs.
        """
        before = self._alike(text, join, slots)
        if before:
            self.take_back()
            slots = {**slots, join: _both(before.slots[join], slots[join])}
            claims, must = (*before.fact.claims, *claims), must or before.fact.must
        said = self.filled(text, **slots)
        said = said[:1].upper() + said[1:]
        fact = Fact(id=f"f{len(self.blocks)}", says=said, claims=claims, must=must)
        self.blocks.append(fact)
        self.said.append(Said(fact, text, slots))

    def _alike(self, text: Text, join: str, slots: dict[str, Slot]) -> Said | None:
        last = self.last
        if not join or last is None or not self.follows(text):
            return None
        rest = {key: value for key, value in slots.items() if key != join}
        same = rest == {key: value for key, value in last.slots.items() if key != join}
        return last if same else None

    def follows(self, text: Text, who: str = "") -> bool:
        """Tell whether the last thing told was this text, about somebody alone where named."""
        last = self.last
        if last is None or last.text is not text:
            return False
        return not who or (who,) in last.slots.values()

    def filled(self, text: Text, **slots: Slot) -> str:
        """Return a text in the table's language with its slots filled and agreeing."""
        words: dict[str, str | int] = {}
        counts: dict[str, int] = {}
        for key, value in slots.items():
            words[key] = self.names(value) if isinstance(value, tuple) else value
            if not isinstance(value, str):
                counts[key] = value if isinstance(value, int) else len(value)
        said = grammar.inflected(text.of(self.lang), counts, self.lang).format(**words)
        return grammar.contracted(said) if self.lang == "fr" else said

    def take_back(self) -> None:
        """Drop the last fact, to be told together with what comes."""
        self.blocks.pop()
        self.said.pop()

    def tell(self, text: str, audience: Audience = (EVERYONE,)) -> None:
        """Add a passage as it is written, for all or for some."""
        if EVERYONE in audience:
            self.blocks.append(text)
        else:
            self.asides.append(Aside(text=text, audience=private(*audience)))

    def pick(self, texts: Sequence[Text]) -> Text:
        """Return one of several wordings: another one as the dice go on."""
        return texts[(self.table.cast.draws + len(self.blocks)) % len(texts)]


def _both(earlier: Slot, later: Slot) -> Slot:
    if isinstance(earlier, tuple) and isinstance(later, tuple):
        return tuple(dict.fromkeys((*earlier, *later)))
    raise TypeError("only beings are told together")


@singledispatch
def tell_one(event: Happened, t: Telling, before: Table) -> None:
    """Add what one happening has to tell; some have nothing."""


def claim(kind: str, subject: str, value: object = "", other: str = "") -> Claim:
    """Return a claim."""
    return Claim(kind=kind, subject=subject, value=str(value), object=other)
