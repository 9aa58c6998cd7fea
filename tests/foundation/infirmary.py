"""A small record that the tests of telling cite: healers, deaths, a table that is empty."""

from __future__ import annotations

from ruleplay.telling.citing import Judged, Reader
from ruleplay.telling.table import Cell, Column, Must, Table

PLAYER = Column(name="player", unit="name")


def table(ident: str, title: str, *columns: Column, rows: tuple[tuple[Cell, ...], ...]) -> Table:
    return Table(
        id=ident,
        title=title,
        heading="The Sandglass, pull 13, wipe",
        seconds=323.3,
        owner="player",
        columns=(PLAYER, *columns),
        rows=rows,
        notes=("Pets count for their owners; 2 pets had none.",),
    )


HEALERS = table(
    "r1",
    "healing",
    Column(name="healing", stems=("heal", "soign")),
    Column(name="overheal_percent", unit="%", label="overhealing", stems=("overheal", "wast")),
    Column(name="active_percent", unit="%", label="activity", stems=("activ",)),
    rows=(
        ("Oda", 116225, 90.3, 50.0),
        ("Bram-Northwind", 107947, 20.5, 88.0),
        ("Wilmet", 0, None, 3.0),
        ("d'Arvil", 52300, 41.0, 76.5),
    ),
)
DEATHS = Table(
    id="r2",
    title="deaths",
    heading="The Sandglass, pull 13, wipe",
    owner="player",
    stems=("die", "death", "dead", "mort", "meurt"),
    columns=(
        PLAYER,
        Column(name="at", unit="s", label="at", ranked=False),
        Column(name="killing_blow", unit="name"),
        Column(name="overkill"),
    ),
    rows=(("Oda", 31.2, "Grain Burst", 1523), ("Wilmet", 150.0, "High Voltage!", 12)),
)
DISPELS = table("r3", "dispels", Column(name="dispels"), rows=())
PRICES = Table(
    id="r4",
    title="parts",
    owner="part",
    columns=(
        Column(name="part", unit="name"),
        Column(name="name", unit="name"),
        Column(name="price", unit="$"),
        Column(name="stock", unit="text"),
    ),
    rows=(
        ("PS900123", "Drain pump", 42.1, "in stock"),
        ("PS900456", "Door seal", 1250.0, "on order, 5 days"),
    ),
    musts=(Must(row=1, line="PS900123 fits the model that you named."),),
)
TABLES = (HEALERS, DEATHS, DISPELS, PRICES)
NAMES = ("Hollow King", "pull 14", "Bram", "Mirelle", "Grain Burst")


def reader(language: str = "en") -> Reader:
    return Reader(TABLES, NAMES, vocabulary=("Bloodlust",), language=language)


def judge(sentence: str, language: str = "en") -> Judged:
    return reader(language).judge(sentence)
