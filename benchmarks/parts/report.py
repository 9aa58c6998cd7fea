"""`ruleplay bench parts`: ids, customers' words, lookups and whole turns, measured in one run.

Real titles and a real catalog are read from a folder with `customer_titles.jsonl`, `parts.csv`,
`fits.csv` and `models.csv`; without it those figures are null and `notes` says so.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.parts.ids import measure_ids
from benchmarks.parts.lookups import measure_catalog
from benchmarks.parts.words import measure_titles, right_kinds
from pydantic import BaseModel

from ruleplay.agents.parts.adapters.catalog import Catalog, open_catalog
from ruleplay.agents.parts.adapters.catalog_import import ImportReport, import_catalog
from ruleplay.agents.parts.agent import AGENT
from ruleplay.agents.parts.domain.descriptions import Description
from ruleplay.agents.parts.domain.slots import DescriptionSlot, Evidence
from ruleplay.agents.parts.state import State
from ruleplay.agents.parts.tools import SHOWN, meant
from ruleplay.errors import NotFound
from ruleplay.kernel.host import Host
from ruleplay.settings import Settings

DATA = Path("../shared/data/parts")
TURNS = 1_000
SESSION_TURNS = 10
SEARCHED = 400
"""Parts among which the kind described is looked for: a whole catalog has more than one model."""
Figures = dict[str, float]
Progress = Callable[[int, int], None]


class PartsBench(BaseModel):
    """All figures of the parts assistant; times in milliseconds unless named otherwise."""

    imported: ImportReport | None = None
    ids: dict[str, Figures] | None = None
    titles: dict[str, dict[str, dict[str, Figures]]] | None = None
    find_part: Figures | None = None
    lookups: Figures
    turn: Figures
    notes: tuple[str, ...] = ()


async def bench_parts(
    data: Path | None = None, on_progress: Progress = lambda done, of: None
) -> PartsBench:
    """Measure everything; takes about two minutes on two cores. NotFound when `data` is missing."""
    folder = data or DATA
    real = await asyncio.to_thread(folder.is_dir)
    if data and not real:
        raise NotFound(f"no folder {str(data)!r} with parts.csv and customer_titles.jsonl")
    with TemporaryDirectory(prefix="ruleplay-bench-") as scratch:
        turn = await measure_turns(Path(scratch))
        on_progress(1, 4)
        lookups = measure_catalog()
        on_progress(2, 4)
        if not real:
            note = f"no real titles and catalog at {str(folder)!r}: name their folder with --data"
            return PartsBench(lookups=lookups, turn=turn, notes=(note,))
        report = _import(folder, Path(scratch) / "catalog")
        lines = (folder / "customer_titles.jsonl").read_text("utf-8").splitlines()
        with open_catalog(Path(scratch) / "catalog") as catalog:
            ids = measure_ids(catalog, [str(json.loads(line)["text"]) for line in lines])
            on_progress(3, 4)
            found = _find_part(folder, catalog)
        titles = measure_titles(folder / "customer_titles.jsonl")
        on_progress(4, 4)
    return PartsBench(
        imported=report, ids=ids, titles=titles, find_part=found, lookups=lookups, turn=turn
    )


async def measure_turns(folder: Path) -> Figures:
    """Play rehearsed messages with model `rules` on SQLite, each from its arrival to its commit."""
    host = await Host.open(Settings(home=folder, db="", model="rules"), lambda name: AGENT)
    rng, took = Random("bench parts"), []
    try:
        for _ in range(TURNS // SESSION_TURNS):
            head = await host.create("parts")
            for _ in range(SESSION_TURNS):
                state, _number = await host.state(head, head.head)
                given = AGENT.rehearse(State.model_validate(state), rng)
                began = perf_counter()
                await host.start(head.id, given)
                took.append((perf_counter() - began) * 1000)
                head, _ = await host.store.read(head.id)
    finally:
        await host.close()
    cuts = quantiles(took[SESSION_TURNS:], n=100)
    return {"turns": len(took), "p50_ms": round(cuts[49], 2), "p99_ms": round(cuts[98], 2)}


def _import(folder: Path, into: Path) -> ImportReport:
    return import_catalog(
        folder / "parts.csv",
        folder / "fits.csv",
        folder / "models.csv",
        into=into,
        priced_on=date(2025, 1, 1),
    )


def _find_part(folder: Path, catalog: Catalog) -> Figures:
    """Search the catalog itself by what titles describe, as `find_part` does for one model."""

    def search(wanted: Description) -> list[str]:
        terms = tuple(dict.fromkeys((*wanted.terms, *wanted.weak)))
        said = Evidence(turn=1, start=wanted.start, end=wanted.end, text=wanted.text)
        slot = DescriptionSlot(value=wanted.text, terms=terms, strong=wanted.terms, evidence=said)
        hits = meant(catalog.find(wanted.text, limit=SEARCHED, terms=terms), slot)
        return [hit.part.name for hit in hits[:SHOWN]]

    return right_kinds(folder / "customer_titles.jsonl", search)
