"""The direction of imports holds, between the packages and inside every agent."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
from tests.architecture.tree import ROOT

CONTRACTS = {
    "package-layers",
    "agents-independent",
    "agent-layers",
    "agents-reach",
    "domain-pure",
    "http-in-server",
    "providers-in-models",
    "no-cycles",
    "story-alone",
    "story-pure",
}


def test_every_contract_is_kept() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(CONTRACTS)} kept, 0 broken" in result.stdout


def test_no_contract_went_missing() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = settings["tool"]["importlinter"]["contracts"]
    assert {contract["id"] for contract in declared} == CONTRACTS
    assert all(c.get("exhaustive") for c in declared if c["type"] == "layers")


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports within functions count too; those for type checkers alone do not."""
    graph = grimp.build_graph("ruleplay", exclude_type_checking_imports=True, cache_dir=None)
    assert len(graph.modules) > 500
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # raises CycleError with the circle
