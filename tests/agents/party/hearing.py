"""Tables in the situations in which things are said: in a fight, before one, on the way."""

from __future__ import annotations

from functools import lru_cache

from tests.agents.party.gatherings import laid
from tests.agents.party.heroes import turn_of

from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.foes import told_apart
from ruleplay.agents.party.domain.rules.turns import begin_fight
from ruleplay.agents.party.domain.table import Table

RATS = (5, 5, 40)
"""Where the rats of the fight stand."""


@lru_cache
def situation(lang: str, name: str, seat: str) -> tuple[Table, Book]:
    """Return the table as it stands in a situation, and its book."""
    state, book = laid(lang=lang)
    if name == "fight":
        return _fight(state.table, book, seat), book
    now = state.table.expedition
    gone = () if name == "rats" else tuple(f"over:{key}" for key in book.story.encounters)
    scene = "causeway" if name == "rats" else name
    flags = (*now.flags, "asked", *gone)
    there = now.model_copy(update={"scene": scene, "begun": True, "flags": flags})
    return state.table.model_copy(update={"expedition": there, "current_turn": seat}), book


def _fight(table: Table, book: Book, seat: str) -> Table:
    cast, kind = table.cast, book.rules.monsters["giant-rat"]
    rats = [
        enlist(book.rules, "giant-rat", f"giant-rat-{n}", told_apart(kind.name, n - 1, kind.type))
        for n in range(1, len(RATS) + 1)
    ]
    cast = cast.model_copy(update={"creatures": (*cast.creatures, *rats)})
    places = {one.id: 0 for one in table.party} | {
        rat.id: at for rat, at in zip(rats, RATS, strict=True)
    }
    for happening in begin_fight(cast, book.rules, "rats", places):
        cast = cast.apply(happening)
    cast = turn_of(cast, seat).with_("thorin", hp=4)
    if seat != "pell":
        cast = cast.with_("pell", hp=0)
    return table.model_copy(update={"cast": cast, "current_turn": seat})
