"""The project's files as these checks see them."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "ruleplay"
AGENTS = tuple(sorted(p for p in (PACKAGE / "agents").iterdir() if any(p.glob("*.py"))))
MODULES = tuple(sorted(PACKAGE.rglob("*.py")))
GUIDES = tuple(sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *PACKAGE.rglob("*.md")]))
"""What people read: the README first, the documentation, each agent's own page."""

_MADE = frozenset({"node_modules", "static", "dist", "build", "__pycache__"})
_DOTTED = frozenset({".ci", ".gitignore", ".npmrc", ".pre-commit-config.yaml"})


def short(path: Path) -> str:
    """Return a path as people write it, from the project's root."""
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=short(path))


@cache
def definitions(path: Path) -> tuple[ast.stmt, ...]:
    """Return a module's functions and classes, also those inside others."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return tuple(node for node in ast.walk(parsed(path)) if isinstance(node, kinds))


def texts() -> Iterator[tuple[Path, str]]:
    """Yield every file people wrote, with its text; what was made or is binary is left out."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if _written(name))
        for name in filter(_written, sorted(names)):
            path = Path(folder, name)
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def _written(name: str) -> bool:
    return name in _DOTTED or not (name.startswith(".") or name in _MADE)
