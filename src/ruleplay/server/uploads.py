"""Uploads: files that clients send as a request's whole body, streamed to disk."""

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
"""The body of such a route in the OpenAPI document."""


async def received(request: Request, folder: Path, name: str) -> Path:
    """Write a request's body to a file in a new folder below `folder`.

    `name` is the client's name for it, sanitised by `file_name`. `security.Guard` limits the size.
    The caller must remove the file's folder. Raises Unavailable if the file cannot be written.
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
        with suppress(OSError):  # closing flushes, and may fail again; the file is removed anyway
            await asyncio.to_thread(opened.close)
        raise
    await asyncio.to_thread(opened.close)


def _unkept(error: OSError) -> Unavailable:
    return Unavailable(f"the file cannot be stored: {error.strerror}")


def _new_place(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return Path(mkdtemp(prefix="upload-", dir=folder))


def file_name(name: str) -> str:
    """Reduce a client's file name to its last part and to characters that are safe in a path."""
    last = name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(sign for sign in last if sign.isalnum() or sign in " ._-()").strip(" .")
    return kept[-NAME_LIMIT:] or "upload"
