"""How well numbers are found in customers' sentences, measured on real titles and a real catalog.

A number of the catalog is planted in a customer's title, clean or spoilt in one way, and read back.
Three things are counted per kind of number and way of spoiling: `found` (the right one was taken,
or is the one to confirm), `wrong` (another one was taken) and, for slips, `offered` (the right one
is among the at most five that are asked about). A spoilt number that is itself exactly another
number of the catalog cannot be told from it by anyone: `collisions` counts those apart.

    python -m benchmarks.parts.ids CATALOG TITLES [TRIALS]
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ruleplay.agents.parts.adapters.catalog import Catalog, open_catalog
from ruleplay.agents.parts.domain.id_judgement import judge
from ruleplay.agents.parts.domain.ids import (
    Choice,
    Found,
    ModelFound,
    PartFound,
    candidates,
)
from ruleplay.agents.parts.domain.numbers import normal

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_LOOKS = {"O": "0", "0": "O", "I": "1", "1": "I", "S": "5", "5": "S", "B": "8", "8": "B"}
# Few enough that the catalog stays as crowded around a hidden model as it was.
_HIDDEN = 300
_KINDS = {
    "model": "SELECT m.number, m.number FROM models m ORDER BY m.id",
    "part": "SELECT p.number, p.number FROM parts p ORDER BY p.id",
    "alias": (
        "SELECT j.value, p.number FROM parts p, json_each(p.replaces) j UNION "
        "SELECT manufacturer_number, number FROM parts WHERE manufacturer_number != ''"
        " ORDER BY 1, 2"
    ),
}
# The bare ones give no hint that a number follows; people write both.
_FRAMES = {
    "model": (
        "{title}. My model number is {id}",
        "{title} - model {id}",
        "{title} {id}",
        "{id} {title}",
    ),
    "part": (
        "{title}. I need part number {id}",
        "{title}, part {id}",
        "{title} {id}",
        "{id} {title}",
    ),
}

Numbers = Sequence[tuple[str, str]]


class Outcome(NamedTuple):
    """What became of one planted number."""

    taken: bool
    confirm: bool
    offered: bool
    wrong: bool
    collision: bool


def measure_ids(
    catalog: Catalog, titles: Sequence[str], trials: int = 1000, seed: int = 0
) -> dict[str, dict[str, float]]:
    """Plant `trials` numbers for each kind and way of spoiling; returns rates (0..1) and counts."""
    numbers = {kind: _numbers(catalog.path, query) for kind, query in _KINDS.items()}
    alone = {title: _read(catalog, title) for title in titles}
    cells = {"titles alone": _alone(list(alone.values()))}
    # A customer who named a real number in the title already would count as a wrong one.
    titles = [title for title, found in alone.items() if not found]
    for kind, known in numbers.items():
        for way, spoil in WAYS.items():
            rng = random.Random(f"{seed}/{kind}/{way}")
            outcomes = [_trial(catalog, titles, kind, known, spoil, rng) for _ in range(trials)]
            cells[f"{kind}, {way}"] = _rates([one for one in outcomes if one is not None])
    rng = random.Random(f"{seed}/unlisted")
    cells["model, unlisted"] = _unlisted(catalog, titles, numbers["model"], trials, rng)
    return cells


def clean(number: str, rng: random.Random) -> str:
    """As the catalog writes it."""
    return number


def lower(number: str, rng: random.Random) -> str:
    """In small letters."""
    return number.lower()


def dashes(number: str, rng: random.Random) -> str:
    """With one or two dashes put in."""
    return _insert(number, "-", rng)


def spaces(number: str, rng: random.Random) -> str:
    """With one or two spaces put in."""
    return _insert(number, " ", rng)


def slip(number: str, rng: random.Random) -> str:
    """With one character left out, added, exchanged, swapped, or taken for a look-alike."""
    at = rng.randrange(len(number))
    how = rng.choice(("drop", "add", "change", "swap", "look"))
    if how == "drop":
        return number[:at] + number[at + 1 :]
    if how == "add":
        return number[:at] + rng.choice(_ALPHABET) + number[at:]
    if how == "swap" and at + 1 < len(number):
        return number[:at] + number[at + 1] + number[at] + number[at + 2 :]
    alike = [i for i, char in enumerate(number) if char in _LOOKS]
    if how == "look" and alike:
        at = rng.choice(alike)
        return number[:at] + _LOOKS[number[at]] + number[at + 1 :]
    return number[:at] + rng.choice(_ALPHABET) + number[at + 1 :]


WAYS: dict[str, Callable[[str, random.Random], str]] = {
    "clean": clean,
    "lower": lower,
    "dashes": dashes,
    "spaces": spaces,
    "slip": slip,
}


def _insert(number: str, what: str, rng: random.Random) -> str:
    places = sorted(rng.sample(range(1, len(number)), min(rng.choice((1, 2)), len(number) - 1)))
    for place in reversed(places):
        number = number[:place] + what + number[place:]
    return number


def _numbers(path: Path, query: str) -> Numbers:
    with sqlite3.connect(path) as db:
        rows = [(str(number), str(means)) for number, means in db.execute(query)]
    db.close()
    return [(number, means) for number, means in rows if len(normal(number)) >= 3]


def _trial(
    catalog: Catalog,
    titles: Sequence[str],
    kind: str,
    known: Numbers,
    spoil: Callable[[str, random.Random], str],
    rng: random.Random,
) -> Outcome | None:
    number, means = rng.choice(known)
    typed = spoil(number, rng)
    if spoil is slip and normal(typed) == normal(number):
        return None
    found = _read(catalog, _sentence(kind, titles, typed, rng))
    return _outcome(found, kind, means, _is_another(catalog, typed, means))


def _sentence(kind: str, titles: Sequence[str], typed: str, rng: random.Random) -> str:
    frame = rng.choice(_FRAMES["model" if kind == "model" else "part"])
    return frame.format(title=rng.choice(titles), id=typed)


def _read(catalog: Catalog, message: str) -> tuple[Found, ...]:
    proposed = candidates(message)
    return judge(message, proposed, catalog.look_up_all(proposed))


def _alone(read: Sequence[Sequence[Found]]) -> dict[str, float]:
    """Count the titles, mostly without any number in them, where something is found."""
    taken = sum(any(isinstance(one, ModelFound | PartFound) for one in found) for found in read)
    return {"taken": taken, "asked": sum(map(bool, read)) - taken, "trials": len(read)}


def _outcome(found: Sequence[Found], kind: str, means: str, collision: bool) -> Outcome:
    taken = [_taken(one) for one in found if isinstance(one, ModelFound | PartFound)]
    choices = [one for one in found if isinstance(one, Choice)]
    offered = [one for one in choices if means in [option.number for option in one.options]]
    return Outcome(
        taken=means in taken,
        confirm=any(one.reason in {"confirm", "ambiguous"} for one in offered),
        offered=means in taken or bool(offered),
        wrong=any(number != means for number in taken),
        collision=collision,
    )


def _taken(one: ModelFound | PartFound) -> str:
    return one.model.number if isinstance(one, ModelFound) else one.part.number


def _is_another(catalog: Catalog, typed: str, means: str) -> bool:
    lookup = catalog.look_up(normal(typed), near=False)
    exact = [*lookup.parts, *([lookup.model] if lookup.model else [])]
    return bool(exact) and means not in [option.number for option in exact]


def _rates(outcomes: Sequence[Outcome]) -> dict[str, float]:
    fair = [one for one in outcomes if not one.collision]
    count = Counter[str]()
    for one in fair:
        count["taken"] += one.taken
        count["found"] += one.taken or one.confirm
        count["offered"] += one.offered
    rates = {name: round(count[name] / len(fair), 4) for name in ("taken", "found", "offered")}
    wrong = sum(one.wrong for one in fair)
    return rates | {"wrong": wrong, "collisions": len(outcomes) - len(fair), "trials": len(fair)}


def _unlisted(
    catalog: Catalog, titles: Sequence[str], known: Numbers, trials: int, rng: random.Random
) -> dict[str, float]:
    """Take models out of a copy of the catalog and name them: none may be taken for another."""
    hidden = [number for number, _ in rng.sample(list(known), min(_HIDDEN, len(known)))]
    became = asked = said = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "catalog.sqlite"
        shutil.copyfile(catalog.path, copy)
        _forget(copy, hidden)
        with open_catalog(copy) as fewer:
            for _ in range(trials):
                found = _read(fewer, _sentence("model", titles, rng.choice(hidden), rng))
                became += any(isinstance(one, ModelFound) for one in found)
                asked += any(isinstance(one, Choice) for one in found)
                said += bool(found)
    return {"wrong": became, "asked": asked / trials, "noticed": said / trials, "trials": trials}


def _forget(path: Path, numbers: Sequence[str]) -> None:
    db = sqlite3.connect(path)
    for number in numbers:
        db.execute("DELETE FROM names WHERE via = 0 AND normal = ?", (normal(number),))
        db.execute("DELETE FROM models WHERE number = ?", (number,))
    db.commit()
    db.close()


def main() -> None:
    """Print the cells of three seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalog", type=Path)
    parser.add_argument("titles", type=Path)
    parser.add_argument("trials", type=int, nargs="?", default=1000)
    asked = parser.parse_args()
    lines = asked.titles.read_text(encoding="utf-8").splitlines()
    titles = [str(json.loads(line)["text"]) for line in lines]
    with open_catalog(asked.catalog) as catalog:
        for seed in range(3):
            cells = measure_ids(catalog, titles, asked.trials, seed)
            print(json.dumps({"seed": seed, "cells": cells}, indent=1))  # noqa: T201


if __name__ == "__main__":
    main()
