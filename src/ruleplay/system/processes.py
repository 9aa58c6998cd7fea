"""Other processes of this machine: files that one of them left behind may go when it is gone."""

from __future__ import annotations

import os


def is_running(pid: int) -> bool:
    """Tell whether a process of this number runs; True where that cannot be known."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
