"""Building poke-engine from source: package metadata cannot carry the settings it needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import invalidate_caches, util

from ruleplay.foundation.errors import Unavailable

PACKAGE = "poke-engine==0.0.48"
SETTINGS = "build-args=--features poke-engine/terastallization --no-default-features"
"""The default feature is generation 4 without terastallization; this one is generation 9."""
BUILD_SECONDS = 1_800
STDERR = 2


def build_command() -> tuple[str, ...]:
    """Return the command that builds the engine into this Python environment (Unavailable)."""
    if shutil.which("cargo") is None:
        raise Unavailable(
            "poke-engine is built from source with a Rust toolchain (cargo), which is not here; "
            "without it the built-in lookahead plays"
        )
    if util.find_spec("pip"):
        pip = (sys.executable, "-m", "pip", "install", "--no-cache-dir", "--force-reinstall")
        return (*pip, "--no-deps", "--config-settings", SETTINGS, PACKAGE)
    if uv := shutil.which("uv"):
        tool = (uv, "pip", "install", "--python", sys.executable, "--no-cache", "--reinstall")
        return (*tool, "--no-deps", "--config-setting", SETTINGS, PACKAGE)
    raise Unavailable(f"neither pip nor uv is here to build {PACKAGE}")


def build_engine() -> None:
    """Build and install the engine, about a minute of one core; progress goes to standard error."""
    command = build_command()
    try:
        subprocess.run(command, check=True, timeout=BUILD_SECONDS, stdout=STDERR)
    except (subprocess.SubprocessError, OSError) as error:
        raise Unavailable(
            f"could not build {PACKAGE}; try by hand: {' '.join(map(repr, command))}"
        ) from error
    invalidate_caches()
