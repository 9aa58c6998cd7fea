"""How fast a parts catalog of a real shop's size is imported and asked.

The shop is generated: models and parts in the formats makers use, many models sharing a prefix and
a set of parts, as in real lists of what fits what.

    python -m benchmarks.parts.lookups [PAIRS]
"""

from __future__ import annotations

import csv
import json
import random
import resource
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ruleplay.agents.parts.adapters.catalog import Catalog, open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog

_LETTERS = "ABCDEFGHJKLMNPRSTUVWX"
_MAKERS = (
    "WDT",
    "WRS",
    "GSS",
    "FFSS",
    "LFX",
    "RF",
    "KDFE",
    "MFI",
    "SHE",
    "WTW",
    "106",
    "665",
    "253",
)
_APPLIANCES = ("Dishwasher", "Refrigerator", "Washer", "Dryer", "Range")
_THINGS = ("Door Gasket", "Drain Pump", "Rack Wheel", "Inlet Valve", "Shelf Bin", "Control Board")
_SYMPTOMS = ("Leaking", "Noisy", "Not draining", "Will not start", "Too warm", "Door won't close")
_PARTS_PER_MODEL = 40
_MODELS_PER_FAMILY = 25


class Shop(NamedTuple):
    """The files of a generated shop."""

    parts: Path
    fits: Path
    models: Path


def generate_catalog(folder: Path, pairs: int, seed: int = 0, sold: int = 0) -> Shop:
    """Write a shop with `pairs` distinct pairs; the same seed gives the same files.

    `sold`: how many parts it has, else as many as a real shop of its size.
    """
    rng = random.Random(seed)
    models = _models(rng, pairs // _PARTS_PER_MODEL + 1)
    parts = _parts(rng, sold or max(len(models) // 5, _PARTS_PER_MODEL * 2))
    shop = Shop(folder / "parts.csv", folder / "fits.csv", folder / "models.csv")
    _write_parts(shop.parts, parts, rng)
    _write_models(shop.models, models)
    _write_fits(shop.fits, models, parts, pairs, rng)
    return shop


def measure_catalog(pairs: int = 2_000_000, seed: int = 0) -> dict[str, float]:
    """Import a generated shop, then time single lookups in microseconds (median, 99%)."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        shop = generate_catalog(folder, pairs, seed)
        report = import_catalog(
            shop.parts,
            shop.fits,
            shop.models,
            into=folder / "catalog.sqlite",
            priced_on=date(2025, 1, 1),
        )
        figures = {
            "pairs": report.pairs,
            "parts": report.parts,
            "models": report.models,
            "import_seconds": report.seconds,
            "megabytes": round((folder / "catalog.sqlite").stat().st_size / 1e6, 1),
            "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        with open_catalog(folder / "catalog.sqlite") as catalog:
            return figures | _lookups(catalog, shop, random.Random(seed))


def _models(rng: random.Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        maker = rng.choice(_MAKERS)
        body = f"{rng.randrange(10**5):05}" + "".join(rng.choices(_LETTERS, k=2))
        stem = maker + (f"{rng.randrange(10**6):06}" if maker.isdigit() else body)
        for number in range(_MODELS_PER_FAMILY):
            found[f"{stem}{number:02}"] = None
    return list(found)[:count]


def _parts(rng: random.Random, count: int) -> list[str]:
    return [f"PS{number}" for number in rng.sample(range(100_000, 17_999_999), count)]


def _write_parts(path: Path, parts: list[str], rng: random.Random) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("part_number", "mpn", "name", "appliances", "price", "symptoms", "replaces"))
        for part in parts:
            maker = f"W1{rng.randrange(10**7):07}"
            appliance = rng.choice(_APPLIANCES)
            old = [f"{rng.randrange(10**6, 10**8)}" for _ in range(rng.randrange(10))]
            symptoms = rng.sample(_SYMPTOMS, rng.randrange(4))
            name = f"{appliance} {rng.choice(_THINGS)}"
            price = f"{rng.randrange(300, 30_000) / 100:.2f}"
            out.writerow((part, maker, name, appliance, price, "|".join(symptoms), ", ".join(old)))


def _write_models(path: Path, models: list[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("model_number", "brand", "appliance"))
        out.writerows((number, "Whirlpool", "dishwasher") for number in models)


def _write_fits(
    path: Path, models: list[str], parts: list[str], pairs: int, rng: random.Random
) -> None:
    written = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("model_number", "part_number"))
        for at, model in enumerate(models):
            if at % _MODELS_PER_FAMILY == 0:
                family = rng.sample(parts, _PARTS_PER_MODEL + 10)
            fitting = rng.sample(family, min(_PARTS_PER_MODEL, pairs - written))
            out.writerows((model, part) for part in fitting)
            written += len(fitting)


def _lookups(catalog: Catalog, shop: Shop, rng: random.Random) -> dict[str, float]:
    with shop.fits.open(encoding="utf-8") as file:
        lines = [line.strip().split(",") for line in file][1:]
    listed = rng.sample(lines, min(5000, len(lines)))
    asked: dict[str, Callable[[str, str], object]] = {
        "fit": lambda model, part: catalog.fit(part, model),
        "model": lambda model, part: catalog.model(model),
        "part": lambda model, part: catalog.part(part),
        "models_starting": lambda model, part: catalog.models_starting(model[:7]),
    }
    slow: dict[str, Callable[[str, str], object]] = {
        "near": lambda model, part: catalog.look_up(model[:3] + "Z" + model[4:]),
        "diagnose": lambda model, part: catalog.diagnose(model, ("Leaking", "Noisy")),
        "find_for_model": lambda model, part: catalog.find("the drain pump", model),
    }
    figures: dict[str, float] = {}
    for name, question in asked.items():
        figures |= _timed(name, question, listed)
    for name, question in slow.items():
        figures |= _timed(name, question, listed[:500])
    return figures


def _timed(
    name: str, question: Callable[[str, str], object], asked: list[list[str]]
) -> dict[str, float]:
    took = []
    for model, part in asked:
        started = time.perf_counter_ns()
        question(model, part)
        took.append((time.perf_counter_ns() - started) / 1000)
    took.sort()
    return {
        f"{name}_us_median": round(took[len(took) // 2], 1),
        f"{name}_us_p99": round(took[len(took) * 99 // 100], 1),
    }


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    print(json.dumps(measure_catalog(asked), indent=1))  # noqa: T201
