"""What a duel's record says: tables that a narrator cites, and lines that no reply leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from duel.state import BlowStruck, BoutEnded
from ruleplay.records.events import Event
from ruleplay.telling.citing import Reader
from ruleplay.telling.table import Column, Must, Table

WHO = Column(name="who", unit="name")


def tables_of(events: Sequence[Event]) -> tuple[Table, ...]:
    """Return what a reply may state, in the order it happened."""
    found = []
    for event in events:
        match event:
            case BlowStruck(seat=seat, target=target, damage=damage):
                columns = (WHO, Column(name="target", unit="name"), Column(name="damage"))
                row = (seat.title(), target.title(), damage)
                hit = f"{row[0]} hits {row[1]} for {damage}."
                line = hit if damage else f"{row[0]} misses {row[1]}."
                found.append(_table("r1", "blow", columns, row, line))
            case BoutEnded(loser=loser):
                line = f"{loser.title()} falls."
                found.append(_table("r2", "end of the bout", (WHO,), (loser.title(),), line))
    return tuple(found)


def _table(
    ident: str, title: str, columns: tuple[Column, ...], row: tuple[str | int, ...], line: str
) -> Table:
    musts = (Must(row=1, line=line),)
    return Table(id=ident, title=title, columns=columns, rows=(row,), owner="who", musts=musts)


def template(tables: Sequence[Table]) -> str:
    """Return the tale in code's own words."""
    return " ".join(must.line for table in tables for must in table.musts)


def reader(tables: Sequence[Table]) -> Reader:
    """Return who judges a narrator's sentences."""
    return Reader(tables, ("Red", "Blue"))
