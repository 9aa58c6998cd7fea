"""Loads rows into the catalog's tables and decides which rows and values to reject."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypedDict

from ruleplay.agents.parts.adapters import catalog_schema as schema
from ruleplay.agents.parts.adapters.catalog_rows import Good
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.numbers import LONGEST, normal

PART_FIELDS = ("part_number", *schema.PART_COLUMNS[2:])
"""The fields of a parts file: the columns of the table without the number's column and the source
row."""
_BATCH = 20_000
"""Rows that are inserted at once."""
_PRAGMAS = (
    "journal_mode = OFF", "synchronous = OFF", "cache_size = -131072", "temp_store = MEMORY",
    "threads = 2",
)  # fmt: skip
_Value = str | int | None
_NO_PRICE = frozenset({"", "-", "n/a", "na", "none", "null", "tba", "call"})
_LIST_OF_NUMBERS = re.compile(r"[,;|]")
_ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9./_+-]*(?: [A-Za-z0-9./_+-]+)?")

_INSERT_PART = f"INSERT INTO parts VALUES ({', '.join('?' * (len(schema.PART_COLUMNS) + 1))})"
_INSERT_WORDS = (
    "INSERT INTO part_search (rowid, name, symptoms, appliances, brand) VALUES (?, ?, ?, ?, ?)"
)

Refuse = Callable[..., None]


class Rows(Protocol):
    """A source of rows."""

    def rows(self, kind: str, fields: tuple[str, ...], required: int) -> Iterator[Good]:
        """Read the fields of one file; the first `required` ones must have a column."""
        ...


class Counts(TypedDict):
    """The final counts of the catalog."""

    parts: int
    id_only: int
    models: int
    pairs: int
    duplicates: int


class Loader:
    """A catalog file under construction: load parts, then models, then fits, then `finish`.

    The order matters, since a fits row may name parts and models that are not described.
    """

    def __init__(self, path: Path, refuse: Refuse, priced_on: date | None) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._refuse, self._priced_on = refuse, priced_on
        # The file is thrown away unless it is finished, so it needs no journal and no syncs.
        for pragma in _PRAGMAS:
            self._db.execute(f"PRAGMA {pragma}")
        self._db.executescript(schema.TABLES)
        self._db.execute("BEGIN")
        self._parts: dict[str, int] = {}
        self._makers: dict[str, int | None] = {}
        self._models: dict[str, int] = {}
        self._symptoms: dict[str, int] = {}
        self._waiting: dict[str, list[Sequence[_Value]]] = {}
        self._duplicates = self._described = self._loaded = 0
        self.id_only_numbers: list[str] = []
        self.undated = 0

    def close(self) -> None:
        """Abandon the file."""
        self._db.close()

    def load_parts(self, source: Rows) -> None:
        """Load the described parts; of several rows about one part the first counts."""
        rows = source.rows("parts", PART_FIELDS, 1)
        for line, form, fields in self._first_rows("parts", "part number", rows, self._parts):
            self._add_part(line, form, dict(zip(PART_FIELDS, fields, strict=True)))
        self._described = len(self._parts)

    def load_models(self, source: Rows) -> None:
        """Load the models file, if there is one; of several rows about a model the first counts."""
        rows = source.rows("models", ("model_number", "brand", "appliance"), 1)
        for line, form, fields in self._first_rows("models", "model number", rows, self._models):
            self._add_model(form, fields[0], f"models:{line}", fields[1], fields[2])

    def load_fits(self, source: Rows) -> None:
        """Load the pairs; models and parts that are not described are added by number."""
        pairs = self._pairs(source.rows("fits", ("part_number", "model_number"), 2))
        stored = self._db.executemany("INSERT INTO loaded VALUES (?, ?, ?)", pairs)
        self._loaded += max(stored.rowcount, 0)

    def finish(self, meta: dict[str, str]) -> Counts:
        """Build the indexes, write the metadata and close the file; returns the counts."""
        for statement in self._waiting:
            self._store(statement)
        self._db.execute("COMMIT")
        self._db.executescript("BEGIN;" + schema.CLUSTER + "COMMIT;")
        (pairs,) = self._db.execute("SELECT count(*) FROM fits").fetchone()
        counts = Counts(
            parts=len(self._parts),
            id_only=len(self._parts) - self._described,
            models=len(self._models),
            pairs=pairs,
            duplicates=self._duplicates + self._loaded - pairs,
        )
        said = meta | {key: str(value) for key, value in counts.items()}
        self._db.executemany("INSERT INTO meta VALUES (?, ?)", said.items())
        self._db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        self._db.execute(f"PRAGMA user_version = {schema.FORMAT}")
        self._db.close()
        return counts

    def _first_rows(
        self, file: str, what: str, rows: Iterable[Good], known: Container[str]
    ) -> Iterator[tuple[int, str, Sequence[str]]]:
        """Yield line, normal form and fields of each number's first row; callers extend `known`.

        Unusable numbers are rejected, and further rows about a number are counted as duplicates.
        """
        for line, fields in rows:
            form = normal(fields[0])
            if (why := _unusable(what, fields[0], form)) is not None:
                self._refuse(file, line, why)
            elif form in known:
                self._duplicates += 1
            else:
                yield line, form, fields

    def _pairs(self, rows: Iterable[Good]) -> Iterator[tuple[int, int, int]]:
        # The same spellings recur all the time; normalising each only once is most of the speed.
        """Yield the ids and line of each pair, adding models and parts that are new."""
        parts: dict[str, int | None] = {}
        models: dict[str, int | None] = {}
        for line, (part_text, model_text) in rows:
            part, model = parts.get(part_text), models.get(model_text)
            if part is None:
                part = parts[part_text] = self._part_ref(line, part_text)
            if model is None:
                model = models[model_text] = self._model_ref(line, model_text)
            if part is None:
                self._refuse("fits", line, _unusable("part number", part_text))
            elif model is None:
                self._refuse("fits", line, _unusable("model number", model_text))
            else:
                yield model, part, line

    def _part_ref(self, line: int, text: str) -> int | None:
        """Find the part of a fits row by its own or its maker's number, or add it bare."""
        form = normal(text)
        if _unusable("part number", text, form) is not None:
            return None
        # Ids begin at 1, so `or` never mistakes a known part for a missing one.
        known = self._parts.get(form) or self._makers.get(form)
        if known is not None:
            return known
        self.id_only_numbers.append(text)
        return self._insert_part(form, text, {"source_row": f"fits:{line}"})

    def _model_ref(self, line: int, text: str) -> int | None:
        form = normal(text)
        if _unusable("model number", text, form) is not None:
            return None
        return self._models.get(form) or self._add_model(form, text, f"fits:{line}", "", "")

    def _add_model(self, form: str, number: str, row: str, brand: str, appliance: str) -> int:
        ref = self._models[form] = len(self._models) + 1
        values = (ref, number, row, brand, appliance.casefold())
        self._insert("INSERT INTO models VALUES (?, ?, ?, ?, ?)", values)
        self._name(form, schema.MODEL, ref)
        return ref

    def _add_part(self, line: int, form: str, fields: dict[str, str]) -> None:
        """Insert a described part with its numbers, symptoms and searchable words."""
        price = self._price(line, fields["price"])
        priced_on = self._date(line, fields["priced_on"]) if price else None
        self.undated += bool(price) and priced_on is None
        aliases = self._aliases(line, fields["replaces"])
        symptoms = _listed(fields["symptoms"], "|")
        appliances = _listed(fields["appliances"].replace("|", ","), ",")
        ref = self._insert_part(
            form,
            fields["part_number"],
            fields
            | {
                "source_row": f"parts:{line}",
                "appliances": _as_json(appliances),
                "price": price,
                "priced_on": priced_on,
                "symptoms": _as_json(symptoms),
                "replaces": _as_json(aliases),
                "steps": _as_json(_listed(fields["steps"], "|")),
            },
        )
        self._name_aliases(ref, normal(fields["manufacturer_number"]), aliases)
        self._index_words(ref, fields, symptoms, appliances)

    def _insert_part(self, form: str, number: str, fields: dict[str, str] | _Fields) -> int:
        ref = self._parts[form] = len(self._parts) + 1
        known: _Fields = {"appliances": "[]", "symptoms": "[]", "replaces": "[]", "steps": "[]"}
        known |= {"price": None, "priced_on": None} | dict(fields) | {"number": number}
        self._insert(_INSERT_PART, (ref, *(known.get(name, "") for name in schema.PART_COLUMNS)))
        self._name(form, schema.NUMBER, ref)
        return ref

    def _name(self, form: str, via: int, ref: int) -> None:
        self._insert("INSERT INTO loaded_names VALUES (?, ?, ?)", (form, via, ref))

    def _insert(self, statement: str, values: Sequence[_Value]) -> None:
        """Queue a row for a batch insert; inserting row by row is ten times slower."""
        rows = self._waiting.setdefault(statement, [])
        rows.append(values)
        if len(rows) == _BATCH:
            self._store(statement)

    def _store(self, statement: str) -> None:
        self._db.executemany(statement, self._waiting[statement])
        self._waiting[statement].clear()

    def _name_aliases(self, ref: int, maker: str, aliases: Sequence[str]) -> None:
        if maker and len(maker) <= LONGEST:
            # A maker's number that two parts share cannot say which one a fits row means.
            self._makers[maker] = None if maker in self._makers else ref
            self._name(maker, schema.MANUFACTURER, ref)
        for alias in aliases:
            self._name(normal(alias), schema.REPLACES, ref)

    def _index_words(
        self, ref: int, fields: dict[str, str], symptoms: Sequence[str], appliances: Sequence[str]
    ) -> None:
        """Index a part by its symptoms and by the words that searches look at."""
        for symptom in symptoms:
            folded = fold(symptom)
            if folded not in self._symptoms:
                self._symptoms[folded] = len(self._symptoms) + 1
                values = (self._symptoms[folded], folded, symptom)
                self._insert("INSERT INTO symptoms VALUES (?, ?, ?)", values)
            row = (self._symptoms[folded], ref)
            self._insert("INSERT OR IGNORE INTO fixes VALUES (?, ?)", row)
        words = (fields["name"], " ".join(symptoms), " ".join(appliances), fields["brand"])
        self._insert(_INSERT_WORDS, (ref, *words))

    def _price(self, line: int, text: str) -> str | None:
        """Read a price in US dollars; "1,50" is rejected, as it would become 150."""
        if text.casefold() in _NO_PRICE:
            return None
        bare = text.removeprefix("USD").lstrip("$ ").removesuffix("USD").strip().replace(",", "")
        try:
            price = Decimal(bare)
        except InvalidOperation:
            price = Decimal("NaN")
        if not price.is_finite() or price < 0 or re.search(r",\d{1,2}$", text):
            self._refuse("parts", line, f"{text!r} is not a price in US dollars", kept=True)
            return None
        return str(price)

    def _date(self, line: int, text: str) -> str | None:
        """Read a price's date; a missing date stays unknown and is never the day of the import."""
        given = self._priced_on.isoformat() if self._priced_on else None
        try:
            return date.fromisoformat(text).isoformat() if text else given
        except ValueError:
            self._refuse("parts", line, f"{text!r} is not a date like 2025-01-31", kept=True)
            return given

    def _aliases(self, line: int, text: str) -> tuple[str, ...]:
        """Read replaced numbers; sentences and "... Show more" are debris of web pages."""
        kept: dict[str, str] = {}
        for piece in _LIST_OF_NUMBERS.split(text):
            number = piece.partition("...")[0].partition("…")[0].strip()
            if _is_alias(number):
                kept.setdefault(normal(number), number)
            elif number:
                self._refuse("parts", line, f"{number[:60]!r} is not a replaced number", kept=True)
        return tuple(kept.values())


_Fields = dict[str, str | None]


def _is_alias(text: str) -> bool:
    form = normal(text)
    if not 3 <= len(form) <= LONGEST or not _ALIAS.fullmatch(text):
        return False
    # Without a digit, only a single word in capitals is a number: ULTRAWFC, HAF-QIN.
    return bool(re.search(r"\d", form)) or (text.isupper() and " " not in text)


@lru_cache(maxsize=10_000)
def _listed(text: str, separator: str) -> tuple[str, ...]:
    pieces = (" ".join(piece.split()) for piece in text.split(separator))
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


@lru_cache(maxsize=10_000)
def _as_json(values: tuple[str, ...]) -> str:
    return json.dumps(values, ensure_ascii=False)


def _unusable(what: str, text: str, form: str | None = None) -> str | None:
    """Explain why a number cannot be used; None if it can."""
    form = normal(text) if form is None else form
    if not form:
        return f"the {what} is empty" if not text else f"{text[:60]!r} is not a {what}"
    if len(form) > LONGEST:
        return f"the {what} {text[:60]!r} is longer than {LONGEST} letters and digits"
    return None
