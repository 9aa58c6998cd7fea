"""Building the engine: the patch applies where it fits and nowhere else."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from ruleplay.agents.battle.adapters import engine, engine_build
from ruleplay.agents.battle.commands import setup
from ruleplay.errors import Unavailable

PATCH = """Words before it.
--- a/src/one.rs
+++ b/src/one.rs
@@ -1,3 +1,4 @@
 first
-second
+2nd
+2.5th
 third
"""


def test_a_patch_changes_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "src" / "one.rs"
    file.parent.mkdir()
    file.write_text("first\nsecond\nthird\nfourth\n")
    engine_build.apply_patch(tmp_path, PATCH)
    assert file.read_text() == "first\n2nd\n2.5th\nthird\nfourth\n"


@pytest.mark.parametrize("text", ["first\nother\nthird\n", "first\n", None])
def test_a_patch_that_does_not_fit_is_refused(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "one.rs").write_text(text)
    with pytest.raises(Unavailable, match="does not fit"):
        engine_build.apply_patch(tmp_path, PATCH)


def test_our_patch_says_whose_licence_holds_and_changes_five_files() -> None:
    patch = engine_build.PATCH.read_text("utf-8")
    assert "MIT" in patch.split("\n--- ", 1)[0]
    assert patch.count("\n+++ b/") == 5


def test_a_source_is_unpacked(tmp_path: Path) -> None:
    inner = tmp_path / "poke_engine-1"
    inner.mkdir()
    (inner / "LICENSE").write_text("MIT")
    archive = tmp_path / "source.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(inner, "poke_engine-1")
    target = tmp_path / "out"
    target.mkdir()
    assert (engine_build.unpack(archive, target) / "LICENSE").read_text() == "MIT"


@pytest.mark.parametrize("replies", [False, True])
def test_a_setup_builds_anew_what_lacks_a_parameter(
    monkeypatch: pytest.MonkeyPatch, replies: bool
) -> None:
    built = list[str]()
    monkeypatch.setattr(engine, "takes", lambda parameter: replies or parameter != "replies")
    monkeypatch.setattr(engine, "is_tuned", lambda: True)
    monkeypatch.setattr(engine, "probe", lambda: "poke-engine")
    monkeypatch.setattr(engine_build, "build_engine", lambda: built.append("engine"))
    monkeypatch.setattr(engine_build, "built_version", lambda: "poke-engine, new")
    assert setup._engine() == ("poke-engine" if replies else "poke-engine, new")
    assert built == ([] if replies else ["engine"])
