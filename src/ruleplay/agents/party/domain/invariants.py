"""Invariants of the table, checked after the fact by `fuzz` and the tests on every turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.cast_problems import broken_rules as broken_by_cast
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import exploration as x
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings.creatures import Happening
from ruleplay.agents.party.domain.happenings.exploration import Explored
from ruleplay.agents.party.domain.happenings.tale import Improvised
from ruleplay.agents.party.domain.knowledge import everything
from ruleplay.agents.party.domain.memory import KEPT, RECENT
from ruleplay.agents.party.domain.seats import DM, EVERYONE
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.tale import KEEPSAKES, LETTERS, MARKS
from ruleplay.story.bounds import ATTITUDE, LEDGER
from ruleplay.story.canon import KEPT as CANON

Happened = Happening | Explored


def broken_rules(
    before: Table, happened: Sequence[Happened], after: Table, book: Book
) -> list[str]:
    """Return a description of every invariant that a turn broke."""
    problems: list[str] = []
    table = before
    for happening in happened:
        problems += _one(table, happening)
        table = table.apply(happening)
    if table != after:
        problems.append("the state is not what its events make of it")
    in_play = [
        one
        for one in happened
        if isinstance(one, Happening) and not isinstance(one, p.Proceeding | Improvised)
    ]
    problems += broken_by_cast(before.cast, in_play, after.cast)
    problems += _turn(before, happened, after)
    problems += _memories(after, book)
    problems += _tale(before, happened, after)
    return problems


def _one(table: Table, happening: Happened) -> Iterator[str]:
    match happening:
        case x.ClueFound(clue=key) | x.SecretRevealed(secret=key) if not key:
            yield "something nameless came to light"
        case x.SceneEntered() if table.cast.fight:
            yield "the party travelled in a fight"
        case x.EncounterStarted() if table.expedition.fighting:
            yield "a fight within a fight"
        case p.Whispered(seat=seat, to=to) if seat in to or not set(to) <= set(table.seats):
            yield f"a whisper to {to}"
        case p.Acted(seat=seat, how="timeout") if not table.is_held(seat):
            yield f"{seat} timed out with nobody there"
        case p.TurnPassed(seat=seat) if seat not in table.turn_queue:
            yield f"the turn passed to {seat!r}"


def _turn(before: Table, happened: Sequence[Happened], after: Table) -> Iterator[str]:
    began = [one for one in happened if isinstance(one, h.FightBegan)]
    over = [one for one in happened if isinstance(one, h.FightOver)]
    acts = max(1, sum(isinstance(one, p.Acted) for one in happened))
    if len(began) > acts or len(over) > acts:
        yield "the mode flipped more than once in an act"
    if (after.cast.fight is None) != (not after.expedition.fighting):
        yield "the adventure and the rules disagree on whether there is a fight"
    yield from _mover(after)
    yield from _refusals(before, happened, after)
    yield from _acts(before, happened, after)
    yield from _purse(before, happened, after)


def _mover(after: Table) -> Iterator[str]:
    if after.current_turn not in after.turn_queue:
        yield f"nobody is {after.current_turn!r}"
    fight = after.cast.fight
    if fight and after.mode == "combat":
        mover = fight.actor if fight.actor in after.characters else DM
        if mover != after.current_turn:
            yield f"{after.current_turn} is to move, but the initiative says {mover}"


def _refusals(before: Table, happened: Sequence[Happened], after: Table) -> Iterator[str]:
    """Check that a turn with nothing but refusals and look-ups changed nothing."""
    if not happened or not all(isinstance(one, p.Refused | p.Consulted) for one in happened):
        return
    if before != after:
        yield "a refused intent changed something"


def _acts(before: Table, happened: Sequence[Happened], after: Table) -> Iterator[str]:
    acted = [one.seat for one in happened if isinstance(one, p.Acted)]
    if not 0 <= after.round - before.round <= 1:
        yield f"the round went from {before.round} to {after.round}"
    if len({*acted} - {DM}) < len([seat for seat in acted if seat != DM]):
        yield f"somebody acted twice: {acted}"
    table = before
    for one in happened:
        if isinstance(one, p.Acted) and one.seat != table.current_turn:
            yield f"{one.seat} acted while {table.current_turn} was to move"
        table = table.apply(one)


def _purse(before: Table, happened: Sequence[Happened], after: Table) -> Iterator[str]:
    moved = sum(one.amount for one in happened if isinstance(one, x.CoinChanged))
    if before.expedition.purse + moved != after.expedition.purse:
        yield "coin out of nowhere"


def _tale(before: Table, happened: Sequence[Happened], after: Table) -> Iterator[str]:
    """Check that improvised facts stay within their limits."""
    tale = after.tale
    sizes = (
        (len(tale.canon), CANON),
        (len(tale.ledger.counts), LEDGER),
        (len(tale.marks), MARKS),
        (len(tale.keepsakes), KEEPSAKES),
        (len(tale.letters), LETTERS),
    )
    if any(size > most for size, most in sizes):
        yield f"the tale has grown too long: {sizes}"
    if any(abs(value) > ATTITUDE for value in tale.attitudes.values()):
        yield f"attitudes {tale.attitudes}"
    if any(any(char.isdigit() for char in one.text) for one in tale.canon):
        yield "a number became canon"
    if tale.minutes < before.tale.minutes:
        yield "time ran backwards"


def _memories(after: Table, book: Book) -> Iterator[str]:
    known = {one.key: one.audience for one in everything(after, book)}
    for seat, memory in after.memories.items():
        if len(memory.recent) > RECENT or len(memory.digest) > KEPT:
            yield f"the memory of {seat} has grown too long"
        for line in memory.lines:
            if line.kind == "whisper" and seat not in (DM, line.about, *line.other.split()):
                yield f"{seat} remembers a whisper that was not for them"
            audience = known.get(line.about, (EVERYONE,))
            if (
                line.kind in ("clue", "secret")
                and EVERYONE not in audience
                and seat not in audience
            ):
                yield f"{seat} remembers {line.about}"
