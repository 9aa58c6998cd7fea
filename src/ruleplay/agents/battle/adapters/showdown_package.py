"""The npm package `pokemon-showdown`: its location, installation and server configuration."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from ruleplay.errors import Unavailable

NAME = "pokemon-showdown"
VERSION = "0.11.11"
"""The release this agent is tested with, which determines protocol and sets."""
INSTALL_SECONDS = 900
CONFIG = {
    "bindaddress": "127.0.0.1",
    "subprocesses": 0,  # a single process starts within a second, and leaves no child behind
    "nothrottle": True,
    "noguestsecurity": True,
    "noipchecks": True,
    "repl": False,
    "backdoor": False,
    "watchconfig": False,
    "usesqlite": False,
    "reportbattles": False,
    "reportjoins": False,
    "consoleips": [],
    "loguserstats": 0,
}
"""Differences from the package's example configuration: it is for loopback only."""


def package_folder(home: Path) -> Path:
    """Locate the package under Ruleplay's home, installed or not."""
    return home / "showdown" / "node_modules" / NAME


def find_package(home: Path) -> Path | None:
    """Find the installed package; None if it is missing or of another version."""
    folder = package_folder(home).resolve()  # homes that share it by a link read it once
    return folder if installed_version(folder) == VERSION else None


def installed_version(folder: Path) -> str:
    """Read the version of an installed package; "" if there is none."""
    try:
        told = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(told.get("version", "")) if isinstance(told, dict) else ""


def require_package(home: Path) -> Path:
    """Find the package, installing it on first use (Unavailable without Node or npm)."""
    return find_package(home) or install_package(home)


def node_program() -> str:
    """Locate Node (Unavailable if it is not installed)."""
    if found := shutil.which("node"):
        return found
    raise Unavailable("a Showdown server needs Node 20 or newer, which is not installed")


def install_package(home: Path) -> Path:
    """Install the pinned package under `home`; an existing one is kept until this succeeds."""
    node_program()
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("installing a Showdown server needs npm, which comes with Node")
    home.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="showdown-", dir=home) as made:
        _run_npm(npm, Path(made))
        _configure(Path(made, "node_modules", NAME))
        _put_in_place(Path(made), home / "showdown")
    return package_folder(home)


def _run_npm(npm: str, folder: Path) -> None:
    """Install into a folder.

    Without scripts and optional packages, which would compile database drivers for minutes.
    """
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    command = [npm, "install", f"{NAME}@{VERSION}", "--ignore-scripts", "--omit=optional"]
    try:
        subprocess.run(
            [*command, "--no-audit", "--no-fund", "--silent"],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(
            f"npm did not install {NAME} within {INSTALL_SECONDS} s; try again"
        ) from error
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        raise Unavailable(
            f"npm could not install {NAME}@{VERSION}: {(said or ['no reason given'])[-1][:200]}; "
            "check the network, then run `ruleplay setup battle`"
        ) from error


def _configure(package: Path) -> None:
    """Write the server's configuration, and create the folders it expects."""
    for folder in ("logs", "config/chat-plugins"):
        (package / folder).mkdir(parents=True, exist_ok=True)
    body = f"'use strict';\nObject.assign(exports, {json.dumps(CONFIG, indent=2)});\n"
    (package / "config" / "config.js").write_text(body, encoding="utf-8")


def _put_in_place(made: Path, folder: Path) -> None:
    """Move a complete installation into place, replacing an older one."""
    old = folder.with_name(f"{folder.name}-old-{os.getpid()}")
    if folder.exists():
        folder.rename(old)
    shutil.copytree(made, folder, symlinks=True)
    shutil.rmtree(old, ignore_errors=True)
