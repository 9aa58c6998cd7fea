"""Writes a new agent's package from templates."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Collection
from importlib.metadata import packages_distributions
from pathlib import Path

from ruleplay.catalog import agent_names
from ruleplay.errors import Conflict, NotFound, UserError

TEMPLATES = Path(__file__).parent / "templates"
SHARED = "shared"
SUFFIX = ".txt"
"""Appended to the templates' names, since they are not valid Python for tools to find."""


def templates() -> tuple[str, ...]:
    """List the names of the templates."""
    return tuple(sorted(path.name for path in TEMPLATES.iterdir() if path.name != SHARED))


def write_package(
    name: str, template: str, folder: Path, commands: Collection[str] = ()
) -> list[Path]:
    """Write a package and return its files; Conflict if the folder exists.

    A name of `commands` is refused, as the agent's own commands could not be reached.
    """
    _check(name)
    if name in commands:
        raise UserError(f"'ruleplay {name}' is a command already; choose another name")
    if template not in templates():
        raise NotFound(f"no template {template!r}; there are {', '.join(templates())}")
    if folder.exists():
        raise Conflict(f"{str(folder)!r} exists already; choose another name or folder")
    title = name.replace("_", " ").title().replace(" ", "")
    filled = {"{{name}}": name, "{{Name}}": title, "{{python}}": sys.executable}
    written = []
    for base in (TEMPLATES / SHARED, TEMPLATES / template):
        for source in sorted(base.rglob(f"*{SUFFIX}")):
            path = _filled(source.relative_to(base).as_posix().removesuffix(SUFFIX), filled)
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_filled(source.read_text(encoding="utf-8"), filled), encoding="utf-8")
            written.append(file)
    return written


def _filled(text: str, names: dict[str, str]) -> str:
    for mark, name in names.items():
        text = text.replace(mark, name)
    return text


def _check(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", name) or keyword.iskeyword(name):
        form = "2 to 31 lowercase letters, digits and _, a letter first, no word of Python's"
        raise UserError(f"{name!r} cannot be a package's name: use {form}")
    if name in sys.stdlib_module_names or name in packages_distributions():
        raise UserError(f"{name!r} is the name of another package")
    if name in agent_names():
        raise Conflict(f"there is an agent {name!r} already")
