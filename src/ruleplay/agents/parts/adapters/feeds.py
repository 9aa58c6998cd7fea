"""Syncs the catalog with the shop's feed: fetch, build next to the old one, swap, compare.

Readers keep using the old catalog until the new one is in place; after a failure it stays.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from ruleplay.agents.parts.adapters.catalog_import import ImportReport, Progress, import_catalog
from ruleplay.agents.parts.adapters.shop import Feed
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.errors import Unavailable, UserError
from ruleplay.system.processes import is_running

SECONDS = 60
"""Seconds without data after which a download fails."""
MOST_BYTES = 4 * 1024**3
"""Largest feed file that is downloaded."""
_SHOWN = 20
"""Part numbers that a list of changes shows."""
_CHUNK = 1 << 20


class Changes(Frozen):
    """How the new catalog differs from the old one; the lists have the first numbers only."""

    added: int = 0
    removed: int = 0
    repriced: int = 0
    restocked: int = 0
    models_added: int = 0
    models_removed: int = 0
    pairs_before: int = 0
    pairs_now: int = 0
    added_numbers: tuple[str, ...] = ()
    removed_numbers: tuple[str, ...] = ()


class SyncReport(Frozen):
    """What was imported, and what changed by it."""

    imported: ImportReport
    changes: Changes


def sync(
    feed: Feed, into: Path, *, priced_on: date | None = None, on_progress: Progress | None = None
) -> SyncReport:
    """Bring the catalog at `into` up to date; after UserError or Unavailable it is unchanged."""
    if not feed.parts:
        raise UserError("no feed: name it with --parts, or as [feed] parts in shop.toml")
    into.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(into.parent)
    # In the catalog's folder, because hard links and renames work only within one file system.
    with TemporaryDirectory(prefix=f".sync-{os.getpid()}-", dir=into.parent) as name:
        folder = Path(name)
        files = {
            kind: _fetched(where, folder / kind)
            for kind, where in (("parts", feed.parts), ("fits", feed.fits), ("models", feed.models))
            if where
        }
        old = folder / "old"
        if into.exists():
            # A hard link keeps the old file for the comparison, without a copy.
            _link(into, old)
        report = import_catalog(
            files["parts"],
            files.get("fits"),
            files.get("models"),
            into=into,
            mapping=dict(feed.columns) or None,
            priced_on=priced_on,
            on_progress=on_progress,
        )
        return SyncReport(imported=report, changes=changes(old, into))


def _remove_stale(folder: Path) -> None:
    """Remove leftovers of killed syncs: gigabytes of feed, and a link to the old catalog."""
    for left in folder.glob(".sync-*-*"):
        owner = left.name.split("-")[1]
        if owner.isdigit() and not is_running(int(owner)):
            shutil.rmtree(left, ignore_errors=True)


def changes(old: Path, new: Path) -> Changes:
    """Compare two catalogs; without an old one everything counts as new."""
    with closing(sqlite3.connect(f"{new.absolute().as_uri()}?mode=ro", uri=True)) as db:
        if not old.exists():
            return Changes(added=_one(db, "SELECT count(*) FROM parts"), **_pairs(db, "main", ""))
        db.execute("ATTACH ? AS old", (str(old),))
        both = "FROM main.parts n JOIN old.parts o ON o.number = n.number"
        added, removed = _numbers(db, "main", "old"), _numbers(db, "old", "main")
        return Changes(
            added=len(added),
            removed=len(removed),
            repriced=_one(db, f"SELECT count(*) {both} WHERE n.price IS NOT o.price"),
            restocked=_one(db, f"SELECT count(*) {both} WHERE n.availability != o.availability"),
            models_added=_missing(db, "main", "old"),
            models_removed=_missing(db, "old", "main"),
            added_numbers=tuple(added[:_SHOWN]),
            removed_numbers=tuple(removed[:_SHOWN]),
            **_pairs(db, "main", "old"),
        )


def _one(db: sqlite3.Connection, query: str) -> int:
    return int(db.execute(query).fetchone()[0])


def _pairs(db: sqlite3.Connection, new: str, old: str) -> dict[str, int]:
    before = _one(db, f"SELECT count(*) FROM {old}.fits") if old else 0
    return {"pairs_now": _one(db, f"SELECT count(*) FROM {new}.fits"), "pairs_before": before}


def _numbers(db: sqlite3.Connection, one: str, other: str) -> list[str]:
    rows = db.execute(
        f"SELECT number FROM {one}.parts EXCEPT SELECT number FROM {other}.parts ORDER BY 1"
    )
    return [str(number) for (number,) in rows]


def _missing(db: sqlite3.Connection, one: str, other: str) -> int:
    query = f"SELECT number FROM {one}.models EXCEPT SELECT number FROM {other}.models"
    return _one(db, f"SELECT count(*) FROM ({query})")


def _link(file: Path, name: Path) -> None:
    """Link a file under another name, or copy it where the file system has no hard links."""
    try:
        name.hardlink_to(file)
    except OSError:
        shutil.copyfile(file, name)


def _fetched(where: str, into: Path) -> Path:
    """Return a local path, or download a URL under its own name, as `.gz` decides on unpacking."""
    scheme = urlsplit(where).scheme
    if scheme not in ("http", "https"):
        return Path(where).expanduser()
    into.mkdir()
    target = into / (Path(urlsplit(where).path).name or "feed.csv")
    try:
        with urlopen(Request(where), timeout=SECONDS) as answer, target.open("wb") as file:
            _copied(answer.read, file.write)
    except (URLError, OSError, ValueError) as error:
        raise Unavailable(f"the feed {where!r} could not be fetched: {error}") from error
    return target


def _copied(read: Callable[[int], bytes], write: Callable[[bytes], int]) -> None:
    size = 0
    while chunk := read(_CHUNK):
        size += write(chunk)
        # The declared length may be missing or wrong, so the bytes themselves are counted.
        if size > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES:,} bytes")
