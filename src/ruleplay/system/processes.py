"""Whether another process still runs: the files of one that does not can be removed."""

from __future__ import annotations

import os


def is_running(pid: int) -> bool:
    """Whether a process of this id exists; True if that cannot be found out."""
    try:
        os.kill(pid, 0)  # signal 0 only checks for existence
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
