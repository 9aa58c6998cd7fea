"""Catalog imports over HTTP: files are uploaded one by one, then imported together."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from time import time
from typing import Annotated

from fastapi import APIRouter, Query, Request

from ruleplay.agents.parts.adapters.ledger import Report, counted
from ruleplay.agents.parts.routes.shapes import CatalogFile, CatalogImport, CatalogImported
from ruleplay.errors import NotFound
from ruleplay.server.errors import problems
from ruleplay.server.shapes import Plain
from ruleplay.server.uploads import BODY, NAME_LIMIT, received
from ruleplay.server.wiring import TheHost

routes = APIRouter(prefix="/api/parts", tags=["parts"], responses=problems(401, 403, 500))
KEPT_SECONDS = 3_600
"""Seconds for which an uploaded file waits to be imported."""
# Each import replaces the whole catalog; parallel ones would only compete for disk and memory.
_ONE_AT_A_TIME = asyncio.Lock()


def _folder(home: Path) -> Path:
    return home / "uploads" / "parts"


@routes.post(
    "/files",
    status_code=201,
    responses={201: {"model": CatalogFile}, **problems(413, 415, 422, 503)},
    openapi_extra=BODY,
)
async def receive_file(
    request: Request,
    host: TheHost,
    name: Annotated[Plain, Query(max_length=NAME_LIMIT, description="the file's name")] = "",
) -> CatalogFile:
    """Take a file of a catalog, CSV or JSON Lines, and say what it seems to be."""
    await asyncio.to_thread(host.find_agent, "parts")
    folder = _folder(host.settings.home)
    await asyncio.to_thread(_forget_old, folder)
    return await asyncio.to_thread(_told, await received(request, folder, name))


def _told(file: Path) -> CatalogFile:
    """Guess from a file's columns whether it lists parts, models or pairs."""
    # Imported late: a server starts without the code for imports.
    from ruleplay.agents.parts.adapters.catalog_rows import column_for, columns_of

    columns = columns_of(file)
    has = {name: column_for(name, columns, {}) for name in ("part_number", "model_number", "price")}
    # A generic header may be the guess for both numbers; only two different columns make pairs.
    pairs = has["part_number"] != has["model_number"] and has["part_number"] and not has["price"]
    kind = "parts" if not has["model_number"] else "fits" if pairs else "models"
    # Price lists may have a column for a model too, but only a parts file has prices.
    if has["price"]:
        kind = "parts"
    told = {"file": file.parent.name, "name": file.name, "kind": kind, "columns": columns}
    return CatalogFile.model_validate(told)


def _forget_old(folder: Path) -> None:
    for left in folder.glob("upload-*"):
        # Uploads that were never imported would otherwise accumulate.
        if left.stat().st_mtime < time() - KEPT_SECONDS:
            shutil.rmtree(left, ignore_errors=True)


@routes.post(
    "/imports",
    responses={200: {"model": CatalogImported}, **problems(400, 404, 413, 415, 422, 503)},
)
async def import_files(given: CatalogImport, host: TheHost) -> CatalogImported:
    """Replace the catalog by received files; what cannot be used changes nothing."""
    await asyncio.to_thread(host.find_agent, "parts")
    async with _ONE_AT_A_TIME:
        return await asyncio.to_thread(_import, given, host.settings.home)


def _import(given: CatalogImport, home: Path) -> CatalogImported:
    from ruleplay.agents.parts.adapters.catalog_import import import_catalog

    folder, named = _folder(home), (given.parts, given.fits, given.models)
    parts, fits, models = (_received(folder, one) if one else None for one in named)
    assert parts is not None
    report = import_catalog(parts, fits, models, into=home / "parts.catalog", mapping=given.mapping)
    for file in (parts, fits, models):
        if file:
            shutil.rmtree(file.parent, ignore_errors=True)
    return CatalogImported.model_validate(report.model_dump(mode="json"))


@routes.get("/report", responses=problems(422))
async def read_report(
    host: TheHost, days: Annotated[int, Query(ge=1, le=366, description="how far back")] = 30
) -> Report:
    """Say what was asked and not answered, and who was handed over, day by day: for the owner."""
    return await counted(host.store, days)


def _received(folder: Path, ident: str) -> Path:
    """Find the uploaded file with this id."""
    file = next((folder / ident).glob("*"), None)
    if file is None:
        raise NotFound(f"the file {ident!r} is not here any more; send it again")
    return file
