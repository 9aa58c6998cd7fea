"""The demo catalog: a small invented shop in the real formats, so that the agent works at once.

Numbers, prices and pairs are made up, apart from WDT780SAEM1, PS3406971 and its manufacturer's
numbers, which people know as examples.
"""

from __future__ import annotations

from datetime import date
from importlib.resources import as_file, files
from pathlib import Path

from ruleplay.agents.parts.adapters.catalog import open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.errors import UserError

NAME = "demo catalog"
# The rows have their own dates; this one is for a row without.
_PRICED_ON = date(2025, 6, 16)


def ensure_demo(path: Path) -> Path:
    """Build the demo catalog at `path` unless a usable one exists; returns `path`."""
    if path.exists() and _usable(path):
        return path
    with as_file(files("ruleplay.agents.parts") / "demo") as folder:
        import_catalog(
            folder / "parts.csv",
            folder / "fits.csv",
            folder / "models.csv",
            into=path,
            priced_on=_PRICED_ON,
            name=NAME,
        )
    return path


def _usable(path: Path) -> bool:
    """Whether this release can read the catalog; a demo built by an older one is rebuilt."""
    try:
        open_catalog(path).close()
    except UserError:
        return False
    return True
