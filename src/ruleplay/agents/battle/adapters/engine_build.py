"""Builds poke-engine from its published source with our patch (`engine.patch`).

The patch turns the width of the search, its seed and the weights of position values into
parameters, and speeds up the lookup of children; it adds the file `valuation.rs`. The source is
under the MIT licence, and so is the patch. Package metadata can express neither a patch nor the
build features that generation 9 needs, so `ruleplay setup battle` builds the package.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from importlib import invalidate_caches, util
from pathlib import Path
from tempfile import TemporaryDirectory

from ruleplay.errors import Unavailable

NAME, VERSION = "poke-engine", "0.0.48"
SOURCE_SHA256 = "070010686f2aedff11e25137e696e301ccd80fd57c805d255464067fc905ca12"
PATCH = Path(__file__).with_name("engine.patch")
VALUATION = Path(__file__).with_name("valuation.rs")
SETTINGS = "build-args=--features poke-engine/terastallization --no-default-features"
"""The default feature is generation 4 without terastallization; this selects generation 9."""
OPTIMISED = {
    "CARGO_PROFILE_RELEASE_LTO": "fat",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "1",
    "CARGO_PROFILE_RELEASE_DEBUG": "0",
}
"""Build settings for the fastest search."""
BUILD_SECONDS = 1_800
STDERR = 2
"""Subprocesses write to standard error, because standard output is for results."""


def build_engine() -> None:
    """Build and install the engine, which takes about a minute on one core.

    Progress goes to standard error. Unavailable without a Rust toolchain, or if a step fails.
    """
    if shutil.which("cargo") is None:
        raise Unavailable(
            "poke-engine is built from source with a Rust toolchain (cargo), which is not here; "
            "without it the built-in lookahead plays"
        )
    with TemporaryDirectory(prefix="ruleplay-engine-") as folder:
        source = unpack(_fetch(Path(folder)), Path(folder))
        apply_patch(source, PATCH.read_text(encoding="utf-8"))
        shutil.copy(VALUATION, source / "src" / "genx" / VALUATION.name)
        _run(_install_command(source))
    invalidate_caches()


def built_version() -> str:
    """Ask a new process for the engine's version: this one may have loaded an older build.

    Raises Unavailable if the build cannot be loaded.
    """
    program = "from ruleplay.agents.battle.adapters.engine import probe; print(probe())"
    try:
        told = subprocess.run(
            (sys.executable, "-c", program), check=True, capture_output=True, text=True, timeout=60
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Unavailable("what was built cannot be loaded; try again") from error
    return told.stdout.strip()


def _fetch(folder: Path) -> Path:
    """Download the published source with pip, and verify its hash."""
    _run(
        (
            *_pip(),
            "download",
            "--no-deps",
            "--no-binary",
            NAME,
            "--dest",
            str(folder),
            f"{NAME}=={VERSION}",
        )
    )
    for file in folder.glob("*.tar.gz"):
        if hashlib.sha256(file.read_bytes()).hexdigest() == SOURCE_SHA256:
            return file
    raise Unavailable(f"the source of {NAME} {VERSION} that came is not the published one")


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack a source archive and return its only folder."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return next(each for each in folder.iterdir() if each.is_dir())


def _pip() -> tuple[str, ...]:
    if util.find_spec("pip"):
        return (sys.executable, "-m", "pip")
    if uv := shutil.which("uv"):
        return (uv, "run", "--no-project", "--with", "pip", "python", "-m", "pip")
    raise Unavailable(f"neither pip nor uv is here to build {NAME}")


def _install_command(source: Path) -> tuple[str, ...]:
    if util.find_spec("pip"):
        pip = (sys.executable, "-m", "pip", "install", "--no-cache-dir", "--force-reinstall")
        return (*pip, "--no-deps", "--config-settings", SETTINGS, str(source))
    uv = shutil.which("uv") or "uv"
    tool = (uv, "pip", "install", "--python", sys.executable, "--no-cache", "--reinstall")
    return (*tool, "--no-deps", "--config-setting", SETTINGS, str(source))


def _run(command: tuple[str, ...]) -> None:
    try:
        subprocess.run(
            command, check=True, timeout=BUILD_SECONDS, stdout=STDERR, env=os.environ | OPTIMISED
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Unavailable(
            f"could not build {NAME}; this failed: {' '.join(map(repr, command))}"
        ) from error


def apply_patch(folder: Path, patch: str) -> None:
    """Apply a unified diff to the files in a folder; Unavailable if a line does not match.

    Only changes of files are supported, and all lines of context must match exactly at their
    position.
    """
    for part in patch.split("\n--- ")[1:]:
        header, *body = part.split("\n")[1:]
        file = folder / Path(*Path(header.removeprefix("+++ ").split("\t")[0]).parts[1:])
        try:
            text = _patched(file.read_text(encoding="utf-8").split("\n"), body)
        except (OSError, ValueError) as error:
            raise Unavailable(f"the patch does not fit {file.name}: {error}") from error
        file.write_text("\n".join(text), encoding="utf-8")


def _patched(lines: list[str], body: list[str]) -> list[str]:
    made: list[str] = []
    at = 0
    for told in body:
        sign, text = told[:1], told[1:]
        if told.startswith("@@"):
            # Lines before the hunk's start (`@@ -START,COUNT …`) stay as they are.
            start = int(told.split("-")[1].split(",")[0].split(" ")[0]) - 1
            made += lines[at:start]
            at = start
        elif sign in {" ", "-"}:
            if at >= len(lines) or lines[at] != text:
                raise ValueError(f"line {at + 1} is not {text!r}")
            made += [text] if sign == " " else []
            at += 1
        elif sign == "+":
            made.append(text)
    return made + lines[at:]
