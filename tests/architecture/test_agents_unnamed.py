"""Nothing around the agents names one: what they bring is found by its place or entry point."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ruleplay.catalog import shipped_names

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ruleplay"
AROUND = [
    SOURCE / "catalog.py",
    *(SOURCE / "cli").rglob("*.py"),
    *(SOURCE / "server").rglob("*.py"),
]
NAMED = re.compile(
    rf"ruleplay\.agents\.(?:{'|'.join(shipped_names())})\b|/api/(?:{'|'.join(shipped_names())})\b"
)
EXAMPLES = ("autoplay.py", "shapes.py", "requests.py", "health.py")
"""Where an agent's name is an example in a text or a default that a user may replace."""


def test_the_five_are_found() -> None:
    assert shipped_names() == ("battle", "parts", "party", "raid", "saga")


def test_no_module_around_the_agents_names_one() -> None:
    found = [told for path in AROUND for told in named_in(path)]
    assert not found, "\n".join(found)
    assert len(AROUND) > 50


def named_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and NAMED.search(node.module or ""):
            yield f"{path.name}:{node.lineno} imports {node.module}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            whole = node.value in set(shipped_names()) - {"parts"} and path.name not in EXAMPLES
            if whole or NAMED.search(node.value):
                yield f"{path.name}:{node.lineno} says {node.value[:60]!r}"


def test_no_file_of_the_page_names_one() -> None:
    """Words, pictures, colours and addresses of an agent are in its own folder, in `page/`."""
    names = "|".join(shipped_names())
    telling = "|".join({*shipped_names()} - {"parts", "party"})  # which are common words too
    quoted = re.compile(
        rf"""['"`/](?:{telling})['"`/]|\w\.(?:{names})['"`]|data-agent="?(?:{names})\b|--(?:{names})\b"""
    )
    files = [*(ROOT / "web" / "src").rglob("*.*"), ROOT / "web" / "build.mjs"]
    texts = [file for file in files if file.suffix in (".js", ".mjs", ".css", ".html")]
    told = [
        f"{file.name}: {found[0]}"
        for file in texts
        for found in quoted.finditer(file.read_text(encoding="utf-8"))
    ]
    assert not told, "\n".join(told)
    assert len(texts) > 50
