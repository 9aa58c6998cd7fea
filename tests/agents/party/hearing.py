"""What a table understands of what is typed at it, in the situations of the utterances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tests.agents.party.gatherings import laid
from tests.agents.party.heroes import turn_of
from tests.agents.party.utterances import Utterance

from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration import Exploration
from ruleplay.agents.party.domain.foes import numbered
from ruleplay.agents.party.domain.rules.turns import begin_fight
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.understanding import Meant, Unclear, understand

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
        enlist(book.rules, "giant-rat", f"giant-rat-{n}", numbered(kind.name, n))
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


def heard(one: Utterance) -> tuple[str, ...]:
    """Return what a table understands, as the utterances name it."""
    table, book = situation(one.lang, one.situation, one.seat)
    return named(understand(one.words, table, book, one.seat))


def named(meant: Meant) -> tuple[str, ...]:
    """Return what was understood as the names of its parts."""
    match meant:
        case Unclear():
            return ("?",)
        case Exploration(act=act, target=target):
            return (f"{act}:{target}" if target else act,)
        case a.Whisper(to=to):
            return tuple(f"whisper:{ear}" for ear in to)
        case a.Look(topic=topic):
            return (f"look:{topic}",)
        case tuple():
            return tuple(
                "pass" if it.act == "end" else ":".join(filter(None, (it.act, it.what, whom)))
                for it in meant
                for whom in it.aimed or ("",)
            )
        case _:
            return (meant.do,)


def understood(one: Utterance) -> bool:
    """Tell whether one of an utterance's meanings was meant."""
    found = heard(one)
    return any(any(_is(part, each) for each in found) for part in one.meanings)


def _is(wanted: str, found: str) -> bool:
    """Tell whether what was found is what was wanted, or more precise."""
    parts = iter(found.split(":"))
    return all(part in parts for part in wanted.split(":"))


def missed(said: Sequence[Utterance]) -> list[str]:
    """Return the utterances that were not understood, with what was made of them."""
    return [
        f"{one.situation} {one.seat}: {one.words} => {' + '.join(heard(one))}"
        for one in said
        if not understood(one)
    ]
