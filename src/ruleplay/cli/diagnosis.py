"""The checks of `ruleplay doctor`: each part of the set-up, its state, and advice."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from ruleplay.catalog import usable_agents
from ruleplay.errors import RuleplayError
from ruleplay.models.names import describe_models, open_model
from ruleplay.settings import SHORT_TOKEN, Settings
from ruleplay.storage.database import GROUP_AND_OTHERS, SCHEMA
from ruleplay.storage.store import Store
from ruleplay.system.finding import Finding

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
OLDEST_NODE = 20
PROGRAM_SECONDS = 10


async def examine(settings: Settings) -> list[Finding]:
    """Run all checks; they install and create nothing, and send nothing to models."""
    return [
        _python(),
        *_extras(),
        *_models(),
        *_configured_models(settings),
        _node(),
        _program("Rust", ("cargo",), "only to build game engines from source"),
        _program("Chromium", CHROMIUM, "only for the browser tests"),
        *(row for agent in usable_agents() for row in agent.findings(settings.home)),
        _home(settings.home),
        await _database(settings),
        _token(settings.token),
    ]


def _python() -> Finding:
    found = ".".join(str(part) for part in sys.version_info[:3])
    return Finding(name="Python", state="ok", detail=found)


def _extras() -> Iterator[Finding]:
    try:
        wanted = requires("ruleplay") or []
    except PackageNotFoundError:
        yield Finding(name="extras", state="missing", detail="ruleplay runs uninstalled")
        return
    extras: dict[str, list[str]] = {}
    for line in wanted:
        package, extra = re.match(r"[\w.-]+", line), re.search(r"extra == ['\"](.+?)['\"]", line)
        if package and extra and package[0] != "ruleplay":
            extras.setdefault(extra[1], []).append(package[0])
    for name, packages in extras.items():
        missing = [package for package in packages if not _installed(package)]
        yield Finding(
            name=f"extra {name}",
            state="missing" if missing else "ok",
            detail=", ".join(missing or packages),
            advice=f"pip install 'ruleplay[{name}]'" if missing else "",
        )


def _installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def _models() -> Iterator[Finding]:
    for status in describe_models():
        yield Finding(
            name=f"model {status.name}",
            state="missing" if status.advice else "ok",
            detail=f"key in {status.key_variable}" if status.key_present else "",
            advice=status.advice,
        )


def _configured_models(settings: Settings) -> Iterator[Finding]:
    """Open the configured models; unlike for other models, a missing key is an error here."""
    for role, name in {"": settings.model, **settings.models}.items():
        label = f"configured model{f' for {role}' if role else ''}"
        try:
            open_model(name)
        except RuleplayError as error:
            yield Finding(name=label, state="broken", detail=name, advice=str(error))
        else:
            yield Finding(name=label, state="ok", detail=name)


def _node() -> Finding:
    row = _program("Node", ("node",), f"install Node {OLDEST_NODE} or newer for the web pages")
    version = re.search(r"v(\d+)", row.detail)
    if row.state == "ok" and version and int(version[1]) < OLDEST_NODE:
        advice = f"install Node {OLDEST_NODE} or newer for the web pages"
        return row.model_copy(update={"state": "missing", "advice": advice})
    return row


def _program(name: str, commands: tuple[str, ...], advice: str) -> Finding:
    path = next((found for command in commands if (found := shutil.which(command))), None)
    if path is None:
        return Finding(name=name, state="missing", detail="not found", advice=advice)
    return Finding(name=name, state="ok", detail=_version(path))


def _version(path: str) -> str:
    try:
        told = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=PROGRAM_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return path
    return told.stdout.strip().splitlines()[0] if told.stdout.strip() else path


def _home(home: Path) -> Finding:
    if not _makeable(home):
        advice = "make it writable, or set RULEPLAY_HOME"
        return Finding(name="home", state="broken", detail=str(home), advice=advice)
    if home.exists():
        try:
            tempfile.TemporaryFile(dir=home).close()
        except OSError as error:
            return Finding(name="home", state="broken", detail=str(home), advice=str(error))
    return Finding(name="home", state="ok", detail=str(home), advice=_private(home))


def _private(path: Path) -> str:
    """Advise on a path that other users of this machine can read; "" if they cannot."""
    with suppress(OSError):
        if path.stat().st_mode & GROUP_AND_OTHERS:
            right = "700" if path.is_dir() else "600"
            return f"other users can read it: chmod {right} {shlex.quote(str(path))}"
    return ""


def _makeable(path: Path) -> bool:
    """Whether a path can be created: the nearest existing parent must be a writable folder."""
    place = next(folder for folder in (path, *path.parents) if folder.exists())
    return place.is_dir() and os.access(place, os.W_OK)


async def _database(settings: Settings) -> Finding:
    """Open the database as every command does, unless that would create it."""
    try:
        url = make_url(settings.database_url)
    except ArgumentError:
        advice = "set RULEPLAY_DB to a URL such as sqlite+aiosqlite:///file.db"
        return Finding(name="database", state="broken", detail="not a database URL", advice=advice)
    shown = url.render_as_string(hide_password=True)
    sqlite = url.get_backend_name() == "sqlite"
    if sqlite and _unmade(url.database, settings.home):
        return Finding(name="database", state="ok", detail=f"{shown} (made at first use)")
    open_to_others = _private(Path(url.database)) if url.database and sqlite else ""
    try:
        store = await Store.open(settings.database_url)
    except RuleplayError as error:
        return Finding(name="database", state="broken", detail=shown, advice=str(error))
    await store.close()
    advice = f"{open_to_others} (done now)" if open_to_others else ""
    return Finding(name="database", state="ok", detail=f"{shown}, schema {SCHEMA}", advice=advice)


def _unmade(file: str | None, home: Path) -> bool:
    """Whether a database file does not exist yet, but can be created (with `home` if need be)."""
    if not file or file == ":memory:" or Path(file).exists():
        return False
    folder = Path(file).absolute().parent
    return folder.is_dir() or (folder == home.absolute() and _makeable(home))


def _token(token: str) -> Finding:
    if not token:
        advice = "set RULEPLAY_TOKEN to serve on other than loopback addresses"
        return Finding(name="token", state="missing", detail="loopback only", advice=advice)
    advice = f"take {SHORT_TOKEN} characters or more" if len(token) < SHORT_TOKEN else ""
    return Finding(name="token", state="ok", detail="set", advice=advice)
