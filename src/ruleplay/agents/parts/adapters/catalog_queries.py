"""The queries on the catalog file, one function each, and the conversion of rows to values."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ruleplay.agents.parts.adapters import catalog_schema as schema
from ruleplay.agents.parts.adapters.catalog_near import likeness, look_alikes, one_edit_away
from ruleplay.agents.parts.domain.appliances import canonical_appliances, kind_by_parts
from ruleplay.agents.parts.domain.catalog import Model, Part
from ruleplay.agents.parts.domain.verdicts import Named

_PART = ", ".join(f"p.{column}" for column in schema.PART_COLUMNS)
_MODEL = "m.number, m.source_row, m.brand, m.appliance"
# A part's name is weighted highest, and its brand lowest because many customers name a wrong one.
_RANK = "bm25(part_search, 10.0, 2.0, 2.0, 0.5)"

PartRow = tuple[str | None, ...]
ModelRow = tuple[str, str, str, str]


class Near(NamedTuple):
    """A number in the catalog that is one typo away from the input."""

    likeness: float
    normal: str
    via: int
    ref: int


def to_model(row: ModelRow) -> Model:
    """Convert a `models` row to a value."""
    number, source_row, brand, appliance = row
    return Model(number=number, row=source_row, brand=brand, appliance=appliance)


def to_part(row: PartRow) -> Part:
    """Convert a `parts` row to a value."""
    it = dict(zip(schema.PART_COLUMNS, row, strict=True))
    price, priced_on = it["price"], it["priced_on"]
    return Part(
        number=it["number"] or "",
        row=it["source_row"] or "",
        manufacturer_number=it["manufacturer_number"] or "",
        name=it["name"] or "",
        brand=it["brand"] or "",
        appliances=_texts(it["appliances"]),
        price=Decimal(price) if price else None,
        priced_on=date.fromisoformat(priced_on) if priced_on else None,
        availability=it["availability"] or "",
        difficulty=it["difficulty"] or "",
        time=it["time"] or "",
        video=it["video"] or "",
        symptoms=_texts(it["symptoms"]),
        replaces=_texts(it["replaces"]),
        steps=_texts(it["steps"]),
        url=it["url"] or "",
        image=it["image"] or "",
    )


def _texts(listed: str | None) -> tuple[str, ...]:
    return tuple(json.loads(listed)) if listed and listed != "[]" else ()


def model_id(db: sqlite3.Connection, normal: str) -> tuple[int, str] | None:
    """Find the id and spelling of the model with this normal form."""
    found: tuple[int, str] | None = db.execute(
        "SELECT m.id, m.number FROM names n JOIN models m ON m.id = n.ref"
        " WHERE n.normal = ? AND n.via = 0",
        (normal,),
    ).fetchone()
    return found


def model(db: sqlite3.Connection, ref: int) -> Model:
    """Read a model by id, its appliance corrected by the parts that are listed for it."""
    row = db.execute(f"SELECT {_MODEL} FROM models m WHERE m.id = ?", (ref,)).fetchone()
    found = to_model(row)
    listed = db.execute(
        "SELECT DISTINCT p.appliances FROM fits f JOIN parts p ON p.id = f.part WHERE f.model = ?",
        (ref,),
    )
    labels = [", ".join(_texts(one)) for (one,) in listed]
    return found.model_copy(update={"appliance": kind_by_parts(found.appliance, labels)})


def parts_named(db: sqlite3.Connection, normal: str) -> list[Named]:
    """Find the parts with this number, whatever its kind; each part once, by its strongest kind."""
    rows = db.execute(
        "SELECT p.id, p.number, p.name, n.via FROM names n JOIN parts p ON p.id = n.ref"
        " WHERE n.normal = ? AND n.via > 0 ORDER BY n.via, p.number",
        (normal,),
    )
    found: dict[int, Named] = {}
    for ref, number, name, via in rows:
        found.setdefault(ref, Named(ref, number, name, schema.VIA[via]))
    return list(found.values())


def part(db: sqlite3.Connection, ref: int) -> Part:
    """Read a part by id."""
    return to_part(db.execute(f"SELECT {_PART} FROM parts p WHERE p.id = ?", (ref,)).fetchone())


def fits_line(db: sqlite3.Connection, model: int, part: int) -> int | None:
    """Find the line of the fits file that lists this pair."""
    found = db.execute(
        "SELECT line FROM fits WHERE model = ? AND part = ?", (model, part)
    ).fetchone()
    return int(found[0]) if found else None


def models_of(db: sqlite3.Connection, part: int) -> list[Model]:
    """List the models of a part.

    The pairs are clustered by model and have no index by part, so every model is probed for it.
    """
    rows = db.execute(
        f"SELECT {_MODEL} FROM models m WHERE EXISTS"
        " (SELECT 1 FROM fits f WHERE f.model = m.id AND f.part = ?) ORDER BY m.number",
        (part,),
    )
    return [to_model(row) for row in rows]


def listed(db: sqlite3.Connection, parts: Sequence[int]) -> set[int]:
    """Select the parts that are listed for any model, in one pass over the pairs."""
    rows = db.execute(
        "SELECT DISTINCT part FROM fits WHERE part IN (SELECT value FROM json_each(?))",
        (json.dumps(list(parts)),),
    )
    return {part for (part,) in rows}


def models_starting(db: sqlite3.Connection, normal: str, limit: int) -> list[Model]:
    """List models whose normal form begins with `normal` or equals it."""
    rows = db.execute(
        f"SELECT {_MODEL} FROM names n JOIN models m ON m.id = n.ref"
        " WHERE n.normal >= ? AND n.normal < ? AND n.via = 0 ORDER BY n.normal LIMIT ?",
        # "~" sorts after all characters of a normal form.
        (normal, normal + "~", limit),
    )
    return [to_model(row) for row in rows]


def near(db: sqlite3.Connection, normal: str) -> list[Near]:
    """Find all numbers that `normal` may be a typo of, the most likely first."""
    spellings = one_edit_away(normal) | look_alikes(normal)
    rows = db.execute(
        # SQLite does not reorder a CROSS JOIN: each spelling is looked up by key, and no table is
        # scanned.
        "SELECT n.normal, n.via, n.ref FROM json_each(?) j CROSS JOIN names n"
        " ON n.normal = j.value",
        (json.dumps(sorted(spellings)),),
    )
    found = [Near(likeness(normal, meant), meant, via, ref) for meant, via, ref in rows]
    return sorted(found, key=lambda one: (-one.likeness, one.via, one.normal, one.ref))


def parts_for(db: sqlite3.Connection, model: int) -> list[Part]:
    """List the parts that fit a model, by number."""
    rows = db.execute(
        f"SELECT {_PART} FROM fits f JOIN parts p ON p.id = f.part WHERE f.model = ?"
        " ORDER BY p.number",
        (model,),
    )
    return [to_part(row) for row in rows]


_FIXING = (
    " IN (SELECT x.part FROM fixes x JOIN symptoms s ON s.id = x.symptom"
    "  WHERE s.folded IN (SELECT value FROM json_each(?)))"
)


def parts_fixing(db: sqlite3.Connection, model: int, folded: Sequence[str]) -> list[Part]:
    """List the parts that fit a model and fix at least one of the symptoms."""
    rows = db.execute(
        f"SELECT {_PART} FROM fits f JOIN parts p ON p.id = f.part WHERE f.model = ? AND f.part"
        + _FIXING,
        (model, json.dumps(list(folded))),
    )
    return [to_part(row) for row in rows]


def parts_known_for(db: sqlite3.Connection, folded: Sequence[str]) -> list[Part]:
    """List the named parts of any model that fix at least one of the symptoms, by number."""
    rows = db.execute(
        f"SELECT {_PART} FROM parts p WHERE p.name != '' AND p.id{_FIXING} ORDER BY p.number",
        (json.dumps(list(folded)),),
    )
    return [to_part(row) for row in rows]


def brands(db: sqlite3.Connection) -> list[str]:
    """List the brands of models and parts."""
    rows = db.execute("SELECT brand FROM models UNION SELECT brand FROM parts ORDER BY 1")
    return [brand for (brand,) in rows if brand]


def sold_for(
    db: sqlite3.Connection, kind: str, limit: int
) -> tuple[list[tuple[str, int]], list[Part]]:
    """Count the named parts for a kind of appliance by brand, and read one part of each name."""
    listed = [one for (one,) in db.execute("SELECT DISTINCT appliances FROM parts") if one]
    own = [one for one in listed if any(kind in canonical_appliances(k) for k in _texts(one))]
    named = "FROM parts p WHERE p.name != '' AND p.appliances IN (SELECT value FROM json_each(?))"
    counted = f"SELECT p.brand, count(*) {named} GROUP BY 1 ORDER BY 2 DESC, 1"
    each = f"SELECT {_PART} {named} GROUP BY p.name ORDER BY count(*) DESC, p.name LIMIT ?"
    brands = db.execute(counted, (json.dumps(own),)).fetchall()
    return brands, [to_part(row) for row in db.execute(each, (json.dumps(own), limit))]


def made_for(db: sqlite3.Connection, brand: str, numbers: Sequence[str]) -> set[str]:
    """Find which of the parts are of a brand, called by it, or listed for one of its models."""
    # A maker sells under other brands, which only the name may tell: "Kenmore Dishwasher Filter".
    rows = db.execute(
        "SELECT p.number FROM parts p WHERE p.number IN (SELECT value FROM json_each(:numbers))"
        " AND (p.brand = :brand COLLATE NOCASE OR p.id IN (SELECT f.part FROM models m"
        " JOIN fits f ON f.model = m.id WHERE m.brand = :brand COLLATE NOCASE)"
        " OR lower(substr(p.name, 1, length(:brand) + 1)) = lower(:brand) || ' ')",
        {"numbers": json.dumps(list(numbers)), "brand": brand},
    )
    return {number for (number,) in rows}


def symptoms(db: sqlite3.Connection) -> tuple[str, ...]:
    """List the distinct symptom strings, alphabetically."""
    return tuple(text for (text,) in db.execute("SELECT text FROM symptoms ORDER BY text"))


def symptoms_by_kind(db: sqlite3.Connection) -> dict[str, list[str]]:
    """Map each symptom to the kinds of appliances whose parts fix it, the most common first.

    A kind needs more than a tenth of the most common kind's parts, since parts fit odd machines
    too.
    """
    counted = db.execute(
        "SELECT s.text, json_extract(p.appliances, '$[0]') AS kind, count(*) AS parts"
        " FROM fixes f JOIN symptoms s ON s.id = f.symptom JOIN parts p ON p.id = f.part"
        " GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2"
    )
    most: dict[str, int] = {}
    found: dict[str, list[str]] = {}
    for symptom, kind, parts in counted:
        # Rows come with the most common kind first, which sets the measure for the symptom.
        if kind and parts * 10 > most.setdefault(symptom, parts):
            found.setdefault(symptom, []).append(kind.casefold())
    return found


def kinds(db: sqlite3.Connection) -> list[str]:
    """List the appliances of all models, or, if no model has one, those of all parts."""
    models = [kind for (kind,) in db.execute("SELECT DISTINCT appliance FROM models") if kind]
    parts = db.execute("SELECT DISTINCT appliances FROM parts") if not models else ()
    return models or [kind for (listed,) in parts for kind in _texts(listed)]


def search(
    db: sqlite3.Connection, terms: Sequence[str], model: int | None, limit: int
) -> list[tuple[int, float]]:
    """Rank parts by how well their words match any of the terms; higher scores first."""
    scope = "" if model is None else " AND rowid IN (SELECT part FROM fits WHERE model = :model)"
    rows = db.execute(
        f"SELECT rowid, -{_RANK} FROM part_search WHERE part_search MATCH :query{scope}"
        f" ORDER BY {_RANK}, rowid LIMIT :limit",
        {"query": _any_of(terms), "model": model, "limit": limit},
    )
    return [(int(ref), float(score)) for ref, score in rows]


def matching(db: sqlite3.Connection, term: str, refs: Sequence[int]) -> set[int]:
    """Find which of the parts contain a term, as stemmed by the full-text index."""
    rows = db.execute(
        "SELECT rowid FROM part_search WHERE part_search MATCH ?"
        " AND rowid IN (SELECT value FROM json_each(?))",
        (_any_of((term,)), json.dumps(list(refs))),
    )
    return {int(ref) for (ref,) in rows}


def _any_of(terms: Sequence[str]) -> str:
    """Write an FTS5 query; quoting keeps customers' words from being read as operators."""
    plain = (term.replace('"', " ").replace("\0", " ") for term in terms)
    return " OR ".join(f'"{term}"' for term in plain)
