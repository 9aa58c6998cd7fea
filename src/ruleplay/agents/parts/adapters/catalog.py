"""Read-only access to the parts catalog: numbers, fits, and what fixes a symptom.

All methods are synchronous and read one SQLite file (see `catalog_schema`). A `Catalog` may be
shared by threads. It notices when an import has replaced the file, and answers from the new one.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self

from ruleplay.agents.parts.adapters import catalog_queries as ask
from ruleplay.agents.parts.adapters import catalog_schema as schema
from ruleplay.agents.parts.adapters.outbox import Outbox
from ruleplay.agents.parts.adapters.shop import Shop, read_shop
from ruleplay.agents.parts.domain import diagnosis, verdicts
from ruleplay.agents.parts.domain.appliances import canonical_appliances
from ruleplay.agents.parts.domain.catalog import (
    CatalogStamp,
    Cause,
    Fit,
    Hit,
    Model,
    Part,
    PartMatch,
)
from ruleplay.agents.parts.domain.ids import Candidate, Lookup, Option
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.stopwords import search_terms
from ruleplay.errors import NotFound, UserError

_OFFERED = 5
# Most different names of parts that are read to tell what there is for a kind of appliance.
_NAMES = 400
# Shorter numbers are one typo away from too many others to be worth asking about.
_SHORTEST_NEAR = 4
_LONGEST_NEAR = 24
_LETTERS = ("PS", "AP", "WP")
"""Letters that shops and makers put before digits."""
_SHORTEST_BARE = 5
"""Fewest digits that are also tried with `_LETTERS` in front."""


def open_catalog(path: Path, home: Path | None = None, imported: Path | None = None) -> Catalog:
    """Open the catalog at `path`; NotFound if there is none, UserError if it is no catalog.

    `home` is the folder of the owner's `shop.toml`. `imported` is a file that is used instead as
    soon as it exists, so a server running on the demo catalog sees the first import.
    """
    return Catalog(path, home, imported)


class Catalog:
    """An open catalog file. Close it, or use it as a context manager."""

    def __init__(self, path: Path, home: Path | None = None, imported: Path | None = None) -> None:
        self.path, self._imported = path, imported
        self.shop = read_shop(home) if home else Shop()
        self.outbox = Outbox((home or path.parent) / "parts-outbox.db", self.shop.people)
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._identity: tuple[int, int, int] | None = None
        self._stamp: CatalogStamp
        self._kinds: tuple[str, ...] | None = None
        with self._reading():
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; any later query opens it again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db, self._identity = None, None

    @property
    def stamp(self) -> CatalogStamp:
        """Name, import date, counts and content hash of the catalog in use."""
        with self._reading():
            return self._stamp

    def model(self, text: str) -> Model | None:
        """Find the model with this number, however spaced, dashed or capitalised."""
        with self._reading() as db:
            found = ask.model_id(db, normal(text))
            return ask.model(db, found[0]) if found else None

    def part(self, text: str) -> tuple[PartMatch, ...]:
        """Find the parts that have this number; if there are several, the number is ambiguous."""
        with self._reading() as db:
            return tuple(
                PartMatch(part=ask.part(db, named.id), asked=text, via=named.via)
                for named in ask.parts_named(db, normal(text))
            )

    def models_starting(self, prefix: str, limit: int = _OFFERED) -> tuple[Model, ...]:
        """List models whose number begins with `prefix`, alphabetically."""
        with self._reading() as db:
            return tuple(ask.models_starting(db, normal(prefix), limit))

    def near_models(self, text: str, limit: int = _OFFERED) -> tuple[Model, ...]:
        """List models that `text` may be a typo of, the most likely first."""
        with self._reading() as db:
            found = _models_only(ask.near(db, normal(text)))[:limit]
            return tuple(ask.model(db, one.ref) for one in found)

    def near_parts(self, text: str, limit: int = _OFFERED) -> tuple[PartMatch, ...]:
        """List parts that `text` may be a typo of; `asked` is the number that was likely meant."""
        with self._reading() as db:
            found = _parts_only(ask.near(db, normal(text)))[:limit]
            return tuple(
                PartMatch(part=ask.part(db, one.ref), asked=one.normal, via=schema.VIA[one.via])
                for one in found
            )

    def look_up(self, normal_form: str, *, near: bool = True) -> Lookup:
        """Collect everything that `id_judgement.judge` needs to know about one normal form.

        `near` also searches for typos if the number itself is unknown, which takes 1 to 2 ms
        instead of 20 µs.
        """
        with self._reading() as db:
            found = ask.model_id(db, normal_form)
            parts: dict[int, Option] = {}
            for known_as in _written(normal_form):
                for named in ask.parts_named(db, known_as):
                    option = _part_option(ask.part(db, named.id), known_as, named.via)
                    parts.setdefault(named.id, option)
            exact = Lookup(
                normal=normal_form,
                model=_model_option(ask.model(db, found[0])) if found else None,
                parts=tuple(parts.values()),
            )
            if exact.model or exact.parts or not near:
                return exact
            return _with_near(db, exact)

    def look_up_all(self, candidates: Iterable[Candidate]) -> dict[str, Lookup]:
        """Look up all candidates; the result is keyed by normal form."""
        wanted: dict[str, bool] = {}
        for one in candidates:
            wanted[one.normal] = wanted.get(one.normal, False) or one.near
        return {form: self.look_up(form, near=near) for form, near in wanted.items()}

    def fit(self, part_text: str, model_text: str) -> Fit:
        """Determine whether the catalog lists this part for this model, and in which line."""
        with self._reading() as db:
            named = ask.parts_named(db, normal(part_text))
            chosen = verdicts.meant(named)
            model = ask.model_id(db, normal(model_text))
            line = ask.fits_line(db, model[0], chosen.id) if model and chosen else None
            # The appliances only matter where no line lists the pair.
            kinds: verdicts.Kinds = ((), "")
            if model and chosen and line is None:
                kinds = ask.part(db, chosen.id).appliances, ask.model(db, model[0]).appliance
            return verdicts.fit(
                (part_text, model_text),
                named,
                model[1] if model else None,
                line,
                self._stamp,
                kinds,
            )

    def parts_for(self, model_number: str) -> tuple[Part, ...]:
        """List the parts that fit a model; none if the model is unknown."""
        with self._reading() as db:
            found = ask.model_id(db, normal(model_number))
            return tuple(ask.parts_for(db, found[0])) if found else ()

    def models_of(self, part_number: str) -> tuple[Model, ...]:
        """List the models that a part is listed for."""
        with self._reading() as db:
            named = ask.parts_named(db, normal(part_number))[:1]
            return tuple(model for one in named for model in ask.models_of(db, one.id))

    def unlisted(self, part_numbers: Sequence[str]) -> tuple[str, ...]:
        """Select the parts that are listed for no model, so that no fit can be checked."""
        with self._reading() as db:
            named = {number: ask.parts_named(db, normal(number))[:1] for number in part_numbers}
            known = ask.listed(db, [one.id for each in named.values() for one in each])
            return tuple(n for n, each in named.items() if not any(o.id in known for o in each))

    def diagnose(
        self, model_number: str, symptoms: Sequence[str], said: Sequence[str] = ()
    ) -> tuple[Cause, ...]:
        """Rank the parts that fit the model by how well they fix the stated symptoms.

        Among equals, parts come first whose names have words in `said`, given in the catalog's
        words.
        """
        folded = [diagnosis.fold(symptom) for symptom in symptoms]
        with self._reading() as db:
            found = ask.model_id(db, normal(model_number))
            parts = ask.parts_fixing(db, found[0], folded) if found else []
        return diagnosis.rank(parts, symptoms, said)

    def known_for(self, symptoms: Sequence[str]) -> tuple[Part, ...]:
        """List the parts of any model that fix at least one of the symptoms."""
        folded = [diagnosis.fold(symptom) for symptom in symptoms]
        with self._reading() as db:
            return tuple(ask.parts_known_for(db, folded))

    def made_for(self, brand: str, numbers: Sequence[str]) -> set[str]:
        """Find which of the parts are of a brand, or listed for one of its models."""
        with self._reading() as db:
            return ask.made_for(db, brand, numbers)

    def sold_for(self, kind: str) -> tuple[list[tuple[str, int]], list[Part]]:
        """Count the parts for a kind of appliance by brand, and read one of each common name."""
        with self._reading() as db:
            return ask.sold_for(db, kind, _NAMES)

    def brands(self) -> tuple[str, ...]:
        """List the brands of machines and parts, written as in the catalog."""
        with self._reading() as db:
            return tuple(ask.brands(db))

    def find(
        self,
        description: str,
        model_number: str | None = None,
        limit: int = _OFFERED,
        *,
        terms: tuple[str, ...] = (),
    ) -> tuple[Hit, ...]:
        """Find parts by description; with a model, only parts that fit it (none if it is unknown).

        `terms` replaces the words of the description if the caller has better ones.
        """
        wanted = tuple(term for term in terms if _is_word(term)) or search_terms(description)
        with self._reading() as db:
            model = ask.model_id(db, normal(model_number)) if model_number is not None else None
            if not wanted or (model_number is not None and model is None):
                return ()
            return _hits(db, wanted, model[0] if model else None, limit)

    def symptom_strings(self) -> tuple[str, ...]:
        """List the distinct symptoms for which the catalog has parts."""
        with self._reading() as db:
            return ask.symptoms(db)

    def symptoms_by_kind(self) -> dict[str, list[str]]:
        """Map each symptom to the kinds of appliance that show it, the most common first."""
        with self._reading() as db:
            return ask.symptoms_by_kind(db)

    def kinds(self) -> tuple[str, ...]:
        """List the canonical appliances that the catalog has models or parts for."""
        with self._reading() as db:
            if self._kinds is None:
                named = (one for kind in ask.kinds(db) for one in canonical_appliances(kind))
                self._kinds = tuple(sorted(set(named)))
            return self._kinds

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Lock the connection to the current file, reopening it if an import replaced it."""
        with self._lock:
            # The first import replaces the demo catalog while the server runs.
            if self._imported is not None and self._imported.exists():
                self.path = self._imported
            identity = _identity(self.path)
            if self._db is None or identity != self._identity:
                self.close()
                self._db, self._stamp = _connect(self.path)
                self._identity, self._kinds = identity, None
            yield self._db


def _identity(path: Path) -> tuple[int, int, int]:
    """Identify the file at a path: a replaced file has another inode, time or size."""
    try:
        found = os.stat(path)
    except OSError as err:
        raise NotFound(f"There is no parts catalog at {str(path)!r}; import one first.") from err
    return found.st_ino, found.st_mtime_ns, found.st_size


def _connect(path: Path) -> tuple[sqlite3.Connection, CatalogStamp]:
    """Open the file; `immutable` skips locking, which is safe as imports only replace files."""
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
    )
    try:
        # Reads come from the page cache without copying.
        db.execute("PRAGMA mmap_size = 1073741824")
        return db, _read_stamp(db, path)
    except (sqlite3.Error, KeyError) as err:
        db.close()
        raise UserError(f"{str(path)!r} is not a parts catalog; import it again.") from err
    except UserError:
        db.close()
        raise


def _read_stamp(db: sqlite3.Connection, path: Path) -> CatalogStamp:
    """Read the metadata; UserError if the file is not a catalog of this release's format."""
    (kind,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    # SQLite opens any database, so the file has to identify itself.
    if kind != schema.APPLICATION_ID or version != schema.FORMAT:
        raise UserError(f"{str(path)!r} is not a parts catalog of this release; import it again.")
    meta = dict(db.execute("SELECT key, value FROM meta"))
    return CatalogStamp(
        name=meta["name"],
        imported_on=date.fromisoformat(meta["imported_on"]),
        fits_file=meta["fits_file"],
        parts=int(meta["parts"]),
        id_only=int(meta["id_only"]),
        models=int(meta["models"]),
        pairs=int(meta["pairs"]),
        content=meta["content"],
    )


def _models_only(found: Iterable[ask.Near]) -> list[ask.Near]:
    return [one for one in found if one.via == schema.MODEL]


def _parts_only(found: Iterable[ask.Near]) -> list[ask.Near]:
    """Keep each part once, by the most likely of its numbers."""
    parts: dict[int, ask.Near] = {}
    for one in found:
        if one.via != schema.MODEL:
            parts.setdefault(one.ref, one)
    return list(parts.values())


def _written(form: str) -> tuple[str, ...]:
    """List the numbers that bare digits may stand for, since people omit the shop's letters."""
    bare = form.isdigit() and len(form) >= _SHORTEST_BARE
    return (form, *(f"{letters}{form}" for letters in _LETTERS)) if bare else (form,)


def _with_near(db: sqlite3.Connection, lookup: Lookup) -> Lookup:
    """Add similar numbers and models that begin with this one."""
    form = lookup.normal
    if not _SHORTEST_NEAR <= len(form) <= _LONGEST_NEAR:
        return lookup
    # Only the shop's own letters are tried for typos, as each form costs a search.
    found = [near for known_as in _written(form)[:2] for near in ask.near(db, known_as)]
    found.sort(key=lambda near: -near.likeness)
    return lookup.model_copy(
        update={
            "near_models": tuple(
                _model_option(ask.model(db, one.ref), one.likeness)
                for one in _models_only(found)[:_OFFERED]
            ),
            "near_parts": tuple(
                _part_option(ask.part(db, one.ref), one.normal, schema.VIA[one.via], one.likeness)
                for one in _parts_only(found)[:_OFFERED]
            ),
            # One more than can be offered, so that "and others" can be said.
            "starting": tuple(map(_model_option, ask.models_starting(db, form, _OFFERED + 1))),
        }
    )


def _model_option(model: Model, likeness: float = 1.0) -> Option:
    return Option(
        kind="model",
        number=model.number,
        row=model.row,
        brand=model.brand,
        appliance=model.appliance,
        likeness=likeness,
    )


def _part_option(part: Part, known_as: str, via: str, likeness: float = 1.0) -> Option:
    return Option(
        kind="part",
        number=part.number,
        row=part.row,
        via=via,
        known_as=known_as,
        name=part.name,
        brand=part.brand,
        appliance=", ".join(part.appliances),
        likeness=likeness,
    )


def _is_word(term: str) -> bool:
    return re.search(r"[^\W_]", term) is not None


def _hits(
    db: sqlite3.Connection, terms: Sequence[str], model: int | None, limit: int
) -> tuple[Hit, ...]:
    """Search by full text, and find out per term which parts it matched."""
    ranked = ask.search(db, terms, model, limit)
    refs = [ref for ref, _ in ranked]
    matched = {term: ask.matching(db, term, refs) for term in terms}
    return tuple(
        Hit(
            part=ask.part(db, ref),
            matched=tuple(term for term in terms if ref in matched[term]),
            score=score,
        )
        for ref, score in ranked
    )
