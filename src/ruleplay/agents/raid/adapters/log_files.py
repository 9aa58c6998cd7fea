"""Reads log files in chunks of whole lines: plain, .gz or .zip, with limits on unpacked size."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ruleplay.errors import UserError

CHUNK = 8 << 20
"""Bytes read at a time."""
MOST_UNPACKED = 16 << 30
"""Maximum unpacked size in bytes; a night's log has less than 1 GB."""
MOST_RATIO = 250
"""Maximum unpacked bytes per packed byte; combat logs compress 10 to 40 times."""
_FREE_BYTES = 64 << 20
"""Unpacked bytes below which the ratio is not checked."""
_LONGEST = 32 << 20
"""Bytes without a line end after which a chunk is cut: no genuine line is that long."""


@contextmanager
def open_log(path: Path) -> Iterator[IO[bytes]]:
    """Open a log, unpacking it if necessary; UserError if it cannot be read."""
    if not path.is_file():
        raise UserError(f"There is no file {str(path)!r} to import.")
    # Recognised by content rather than by the file's name.
    try:
        with path.open("rb") as file:
            magic = file.read(4)
            file.seek(0)
            if magic[:2] == b"\x1f\x8b":
                with gzip.open(file) as unpacked:
                    yield unpacked  # type: ignore[misc]
            elif magic == b"PK\x03\x04":
                with zipfile.ZipFile(file) as archive, archive.open(_only_log(archive)) as log:
                    yield log
            else:
                yield file
    except (gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, EOFError) as err:
        raise UserError(f"{path.name!r} cannot be unpacked: {err}. Is it complete?") from err
    except (NotImplementedError, RuntimeError) as err:
        raise UserError(f"{path.name!r} cannot be unpacked: {err}. Unpack it first.") from err
    except OSError as err:
        raise UserError(f"{str(path)!r} cannot be read: {err}") from err


def _only_log(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Pick the archive's single text file; UserError if there is none, or several."""
    found = [one for one in archive.infolist() if one.filename.lower().endswith(".txt")]
    if len(found) != 1:
        names = ", ".join(repr(one.filename) for one in archive.infolist()[:5])
        raise UserError(
            f"The archive has {len(found)} text files and must have one log; it holds {names}."
        )
    if found[0].file_size > MOST_UNPACKED:
        raise UserError(_too_big(found[0].filename, found[0].file_size))
    return found[0]


def read_chunks(path: Path, *, skip: int = 0, upto: int | None = None) -> Iterator[memoryview]:
    """Yield chunks ending at line ends, except the last; each is valid until the next is requested.

    `skip` and `upto` are byte positions. UserError if a packed log unpacks to an implausible size.
    """
    packed = path.stat().st_size if path.is_file() else 0
    with open_log(path) as log:
        if skip:
            log.seek(skip)
        # Reusing a buffer costs a third of allocating fresh memory.
        buffer, held, done = bytearray(CHUNK), 0, skip
        while True:
            most = len(buffer) if upto is None else min(len(buffer), held + upto - done)
            count = _fill(log, memoryview(buffer)[held:most])
            done, held, last = done + count, held + count, held + count < len(buffer)
            _check_size(path.name, done, packed)
            end = held if last else buffer.rfind(b"\n", 0, held) + 1
            if not end and len(buffer) < _LONGEST and not last:
                buffer += bytes(len(buffer))
                continue
            end = end or held
            if end:
                yield memoryview(buffer)[:end]
            if last:
                return
            buffer[: held - end] = buffer[end:held]
            held -= end


def _fill(log: IO[bytes], room: memoryview) -> int:
    """Read until `room` is full or the file ends; return the number of bytes read."""
    done = 0
    while done < len(room) and (count := log.readinto(room[done:])):  # type: ignore[attr-defined]
        done += count
    return done


def _check_size(name: str, done: int, packed: int) -> None:
    if done > MOST_UNPACKED and done > packed:
        raise UserError(_too_big(name, done))
    if done > _FREE_BYTES and done > packed * MOST_RATIO:
        raise UserError(
            f"{name!r} unpacks to more than {MOST_RATIO} times its size, as no combat log does; "
            "nothing of it was imported. Unpack it yourself if it is one."
        )


def _too_big(name: str, size: int) -> str:
    return (
        f"{name!r} unpacks to {size:,} bytes, more than the {MOST_UNPACKED:,} that a log may have; "
        "nothing of it was imported."
    )
