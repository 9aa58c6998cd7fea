"""Files that clients send as a request's whole body: where they are kept."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from starlette.requests import Request

from ruleplay.errors import Unavailable

MEDIA_TYPE = "application/octet-stream"
NAME_LIMIT = 120
BODY = {"requestBody": {"required": True, "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}}
"""How the OpenAPI document shows the body of such a route."""


async def received(request: Request, folder: Path, name: str) -> Path:
    """Write a request's body into a new folder below `folder` and return the file.

    `name` is what the client calls it, of which only the last part is used. The guard has bounded
    the size. Whoever gets the file removes its folder.
    """
    try:
        place = await asyncio.to_thread(_new_place, folder)
    except OSError as error:
        raise _unkept(error) from error
    file = place / file_name(name)
    try:
        await _write(request, file)
    except BaseException as error:
        await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)
        if isinstance(error, OSError):
            raise _unkept(error) from error
        raise
    return file


async def _write(request: Request, file: Path) -> None:
    opened = await asyncio.to_thread(file.open, "wb")
    try:
        async for piece in request.stream():
            await asyncio.to_thread(opened.write, piece)
    except BaseException:
        with suppress(OSError):  # what is left to write does not matter any more
            await asyncio.to_thread(opened.close)
        raise
    await asyncio.to_thread(opened.close)


def _unkept(error: OSError) -> Unavailable:
    return Unavailable(f"the file cannot be kept: {error.strerror}")


def _new_place(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return Path(mkdtemp(prefix="upload-", dir=folder))


def file_name(name: str) -> str:
    """Return a client's name for a file as one that is safe in any folder."""
    last = name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(sign for sign in last if sign.isalnum() or sign in " ._-()").strip(" .")
    return kept[-NAME_LIMIT:] or "upload"
