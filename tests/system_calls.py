"""Processes whose system calls are counted, refused or noted, by `foundation/children/calls.c`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parent / "foundation" / "children" / "calls.c"
FAULTS = SOURCE.with_name("faults.py")
FAULT_NAMES = ("EIO", "ENOSPC", "EMFILE", "ENOMEM", "power")
NEEDED = "a C compiler and Linux"


def can_watch() -> bool:
    """Tell whether the library can be made and loaded here."""
    return sys.platform == "linux" and shutil.which("cc") is not None


def library(folder: Path) -> Path:
    """Compile the library into a folder."""
    made = folder / "calls.so"
    command = ["cc", "-shared", "-fPIC", "-O2", "-w", "-o", made, SOURCE, "-ldl", "-lpthread"]
    subprocess.run(command, check=True, timeout=60)
    return made


def hit(folder: Path, fault: str, runs: int, seed: int, seconds: float) -> dict[str, Any]:
    """Play turns with faults in a process of its own, with a database in `folder`; count."""
    home = folder / "home"
    home.mkdir()
    given = {"CALLS_UNDER": str(home), "LD_PRELOAD": str(library(folder))}
    ran = subprocess.run(
        [sys.executable, FAULTS, home, fault, str(runs), str(seed)],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        env=os.environ | given,
    )
    if ran.returncode:
        raise RuntimeError(ran.stderr[-2_000:])
    counted: dict[str, Any] = json.loads(ran.stdout)
    return counted


class Recorded:
    """What a process opened and connected to, as far as it was noted."""

    def __init__(self, folder: Path) -> None:
        self._noted = folder / "noted"
        self.environment = {"LD_PRELOAD": str(library(folder)), "CALLS_NOTED": str(self._noted)}

    def lines(self) -> list[str]:
        """Return what was noted: `open PATH`, `connect ADDRESS PORT` and `resolve NAME`."""
        if not self._noted.exists():
            return []
        return self._noted.read_text("utf-8", "replace").splitlines()
