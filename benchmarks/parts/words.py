"""How well the parts assistant understands what customers type, measured on real titles.

`measure_titles(path)` reads a JSON Lines file whose rows have `text`, `part` (what the customer
bought) and `symptoms_fixed_by_that_part`; the catalog's `parts.csv` lies beside it. The label is
weak: a customer who writes "door leaks" may have bought a rack wheel too.

A title's lot follows from a hash of its part number, so all titles of a part are in one lot. A
quarter of the parts is `unseen`: nobody looks at these titles, only figures over them are taken.
The lexicon was first tuned on `tuned`; wrong titles of `held_out` have been read since, which
included some that are `unseen` now. Read no title of that lot again.

- `recognised`: titles with a label in which a symptom was found, of all titles with a label.
- `any_right`, `first_right`: recognised titles of which any, or the first, symptom is in the label.
- `each_right`: symptoms found that are in their title's label.
- `said` counts symptoms the customer says; `implied` also those that follow from a broken part.
  `known` is measured with the appliance of the bought part given, `unknown` without.
- `descriptions`: titles without a label; `right_kind` is the share of those described whose bought
  part has a name, in which one of the first five names found by the terms is of the bought part's
  kind. `right_head` compares the head noun of the names' first phrase ("Door Handle - White":
  handle), `right_kind` the kind that the vocabulary sees in it (wheel and roller are one).
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from ruleplay.agents.parts.domain.descriptions import Description, part_terms
from ruleplay.agents.parts.domain.symptoms import SymptomFound, find_symptoms, fold_symptom

Figures = dict[str, float]

_FIRST = 5
_SEARCHED = 400
_WITHOUT_HEAD = frozenset(
    [
        "assembly",
        "asm",
        "assy",
        "kit",
        "set",
        "white",
        "black",
        "clear",
        "grey",
        "gray",
        "w",
        "v",
        "hz",
    ]
)


class Title(BaseModel):
    """What a customer typed, what they bought, and which symptoms that fixes."""

    model_config = ConfigDict(frozen=True)

    text: str
    part: str
    label: tuple[str, ...] = Field(alias="symptoms_fixed_by_that_part")


LOTS = ("tuned", "held_out", "unseen")


def lot(part: str) -> str:
    """Name the lot a part's titles belong to."""
    digest = hashlib.sha256(part.encode()).digest()
    return "unseen" if digest[1] % 4 == 0 else LOTS[digest[0] % 2]


def measure_titles(path: Path) -> dict[str, dict[str, dict[str, Figures]]]:
    """All figures per lot and in all: `[lot]["symptoms"][setting]`, `[lot]["descriptions"]`."""
    titles, parts = _read(path)
    names = _names(parts)
    appliances = {number: row["appliances"] for number, row in parts.items()}
    chosen = {name: [t for t in titles if lot(t.part) == name] for name in LOTS}
    chosen["all"] = titles
    search = part_search(names.values())
    return {
        name: {
            "symptoms": _symptom_settings(some, appliances),
            "descriptions": {"all": _descriptions(some, names, search)},
        }
        for name, some in chosen.items()
    }


def right_kinds(path: Path, search: Callable[[Description], list[str]]) -> Figures:
    """Judge a search for the parts that titles without a label describe."""
    titles, parts = _read(path)
    return _descriptions(titles, _names(parts), search)


def _read(path: Path) -> tuple[list[Title], dict[str, dict[str, str]]]:
    titles = [Title.model_validate_json(line) for line in path.read_text("utf-8").splitlines()]
    with (path.parent / "parts.csv").open(encoding="utf-8", newline="") as file:
        return titles, {row["part_number"]: row for row in csv.DictReader(file)}


def _names(parts: dict[str, dict[str, str]]) -> dict[str, str]:
    return {number: row["name"] for number, row in parts.items() if row["name"]}


def _symptom_settings(titles: list[Title], appliances: dict[str, str]) -> dict[str, Figures]:
    labelled = [title for title in titles if title.label]

    def measure(*, known: bool, implied: bool) -> Figures:
        found = [
            find_symptoms(
                title.text,
                appliance=appliances.get(title.part, "") if known else "",
                implied=implied,
            )
            for title in labelled
        ]
        return _symptoms(labelled, found)

    return {
        "said, appliance unknown": measure(known=False, implied=False),
        "said, appliance known": measure(known=True, implied=False),
        "implied, appliance unknown": measure(known=False, implied=True),
        "implied, appliance known": measure(known=True, implied=True),
    }


def _symptoms(titles: list[Title], found: list[tuple[SymptomFound, ...]]) -> Figures:
    verdicts: list[list[bool]] = []
    for title, symptoms in zip(titles, found, strict=True):
        label = {fold_symptom(symptom) for symptom in title.label}
        verdicts.append([fold_symptom(s.symptom) in label for s in symptoms])
    recognised = [verdict for verdict in verdicts if verdict]
    return {
        "titles": len(titles),
        "recognised": _share(map(bool, verdicts)),
        "any_right": _share(map(any, recognised)),
        "first_right": _share(verdict[0] for verdict in recognised),
        "each_right": _share(right for verdict in recognised for right in verdict),
    }


def _descriptions(
    titles: list[Title], names: dict[str, str], search: Callable[[Description], list[str]]
) -> Figures:
    unlabelled = [title for title in titles if not title.label]
    described = [(title, part_terms(title.text)) for title in unlabelled]
    judged = [(names[t.part], search(d)) for t, d in described if d and t.part in names]
    return {
        "titles": len(unlabelled),
        "described": _share(d is not None for _, d in described),
        "judged": len(judged),
        "right_head": _share(_head(name) in map(_head, hits) for name, hits in judged),
        "right_kind": _share(_kind(name) in map(_kind, hits) for name, hits in judged),
    }


def _share(verdicts: Iterable[bool]) -> float:
    counted = list(verdicts)
    return round(sum(counted) / len(counted), 4) if counted else 0.0


def part_search(names: Iterable[str]) -> Callable[[Description], list[str]]:
    """Build a search over part names: FTS5 proposes, strong terms then weak ones rank."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE part USING fts5(name, tokenize='porter unicode61')")
    db.executemany("INSERT INTO part VALUES (?)", ((name,) for name in names))

    def search(wanted: Description) -> list[str]:
        query = " OR ".join(f'"{term}"' for term in (*wanted.terms, *wanted.weak))
        rows = db.execute(
            "SELECT name FROM part WHERE part MATCH ? ORDER BY rank LIMIT ?", (query, _SEARCHED)
        )
        ranked = sorted((name for (name,) in rows), key=lambda name: -_score(wanted, name))
        return ranked[:_FIRST]

    return search


def _score(wanted: Description, name: str) -> float:
    words = _words(name)
    strong = [place for place, term in enumerate(wanted.terms) if _has(words, term)]
    weak = sum(_has(words, term) for term in wanted.weak)
    return weak + (4 - strong[0] / len(wanted.terms) if strong else 0)


def _has(words: list[str], term: str) -> bool:
    return any(word.startswith(term) for word in words)


def _words(name: str) -> list[str]:
    return re.findall("[a-z]+", name.lower())


def _first_phrase(name: str) -> str:
    return re.split(r" - |,|\(| with ", name)[0]


def _head(name: str) -> str:
    words = [word for word in _words(_first_phrase(name)) if word not in _WITHOUT_HEAD]
    return words[-1].removesuffix("s") if words else ""


def _kind(name: str) -> str:
    described = part_terms(_first_phrase(name))
    return described.kind if described else _head(name)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure_titles(Path(sys.argv[1])), indent=2) + "\n")
