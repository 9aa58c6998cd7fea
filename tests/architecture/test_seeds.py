"""The table of what the source documents ask: generated, complete, and every name is there."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
AGENTS = ("battle", "raid", "parts", "saga", "party")
LEAST = 384
"""Requirements that a reading of the five documents came to."""


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("seeds_page", ROOT / "docs" / "seeds.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SEEDS = load()
ROWS = SEEDS.requirements()


@cache
def defined(path: str) -> dict[str, Sequence[ast.stmt]]:
    """Return what a module defines."""
    return dict(names(ast.parse((ROOT / path).read_text(encoding="utf-8")).body))


def names(body: Sequence[ast.stmt]) -> Iterator[tuple[str, Sequence[ast.stmt]]]:
    """Yield what is defined in a module or class, each with what is defined in it."""
    for one in body:
        match one:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield one.name, one.body if isinstance(one, ast.ClassDef) else ()
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, ()
            case ast.Assign():
                for target in one.targets:
                    for part in ast.walk(target):
                        if isinstance(part, ast.Name):
                            yield part.id, ()


def problem(place: str) -> str:
    """Return what is wrong with `path::name`, or with `path` alone; "" when it is there."""
    path, _, symbol = place.partition("::")
    if not (ROOT / path).is_file():
        return f"no file {path}"
    if not symbol:
        return ""
    first, *rest = symbol.split(".")
    found = defined(path)
    for part in (first, *rest):
        if part not in found:
            return f"{path} has no {symbol}"
        found = dict(names(found[part]))
    return ""


def test_the_page_is_what_is_generated() -> None:
    written = SEEDS.PAGE.read_text(encoding="utf-8")
    assert written == SEEDS.page(), "run make seeds"


def test_every_requirement_is_there_once() -> None:
    assert len(ROWS) >= LEAST
    assert len({row.id for row in ROWS}) == len(ROWS)
    assert len({(row.agent, row.requirement) for row in ROWS}) == len(ROWS)
    assert {row.agent for row in ROWS} == set(AGENTS)
    assert all(row.id.startswith(f"{row.agent}-") for row in ROWS)


def test_every_file_symbol_and_test_is_there() -> None:
    found = [f"{row.id}: {why}" for row in ROWS if (why := problem(row.where))]
    found += [f"{row.id}: {why}" for row in ROWS if row.test and (why := problem(row.test))]
    assert found == []


def test_what_is_called_working_has_a_test_and_the_rest_a_reason() -> None:
    for row in ROWS:
        assert row.standing in SEEDS.STATES, row.id
        if row.standing in ("works", "differently"):
            name = row.test.partition("::")[2]
            assert row.test.startswith("tests/"), row.id
            assert name.startswith("test_"), row.id
        if row.standing != "works":
            assert len(row.state) > len(row.standing) + 12, f"{row.id} gives no reason"


@pytest.mark.parametrize(
    "place",
    [
        "src/ruleplay/no_such_file.py",
        "docs/seeds.py::no_such_name",
        "docs/seeds.py::Requirement.no_such_name",
        "tests/architecture/test_seeds.py::test_nothing",
    ],
)
def test_a_name_that_is_not_there_would_be_found(place: str) -> None:
    assert problem(place)
    assert not problem("docs/seeds.py::Requirement.standing")


@pytest.mark.parametrize("agent", AGENTS)
def test_each_agent_has_a_paragraph(agent: str) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = re.search(rf"^## The {agent} agent\n\n(.+?)(?=\n## |\Z)", text, re.M | re.S)
    assert found, f"docs/architecture.md has no section about {agent}"
    told = " ".join(found[1].split())
    assert "graph" in told
    assert "history" in told or "histories" in told
    assert re.search(r"\bstate\b", told)
    assert [role for role in roles(agent) if f"`{role}`" not in told] == []


def roles(agent: str) -> set[str]:
    """Return the roles that an agent's stations name when they ask a model."""
    folder = ROOT / "src" / "ruleplay" / "agents" / agent
    files = [*folder.glob("nodes.py"), *folder.glob("nodes/*.py")]
    asked = re.compile(r"(?:propose|tell\w*|converse|_told)\([^\"()]*\"(\w+(?:\.\w+)+)\"")
    return {role for file in files for role in asked.findall(file.read_text(encoding="utf-8"))}


def test_roles_are_found() -> None:
    assert {"battle.decide", "battle.explain"} <= roles("battle")
    assert {"saga.read", "saga.foes", "saga.narrator"} <= roles("saga")
