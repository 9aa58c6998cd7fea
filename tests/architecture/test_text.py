"""What is written names no registry and no one's own paths, and leaves no loose ends."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from tests.architecture.tree import ROOT, short, texts

# Put together here, so that this file keeps the rules it checks.
REGISTRIES = re.compile(
    r"\b("
    + "|".join(
        name + r"\." + domain
        for name, domain in (
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("npmjs", "(org|com)"),
            ("yarnpkg", "com"),
            ("crates", "io"),
            ("proxy.golang", "org"),
            ("maven", "org"),
            (r"deb\.debian", "org"),
            ("huggingface", "co"),
        )
    )
    + r")\b"
)
OWN_PATH = re.compile(r"(?<![\w.\-/}])/(?:home|root|Users|work|mnt)/\w|\b[A-Z]:\\Users\\")
LOOSE_END = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b")
GIVEN_DATA = re.compile(r"\bshared/|\bseeds/")
MAY_NAME_DATA = ("tests/", "benchmarks/", ".ci/", "benchmarks/parts/")


@cache
def read() -> dict[Path, str]:
    """Return every text, read when the first test asks for it."""
    return dict(texts())


def found(pattern: re.Pattern[str], *, besides: tuple[str, ...] = ()) -> list[str]:
    """Return where a pattern stands, as `path: text`; `besides` are paths that may have it."""
    return [
        f"{short(path)}: {match.group()}"
        for path, text in read().items()
        if not short(path).startswith(besides or "\0")
        for match in pattern.finditer(text)
    ]


def test_the_texts_are_read() -> None:
    names = {short(path) for path in read()}
    assert {"README.md", "Makefile", ".ci/run", "requirements/run.txt"} <= names
    assert "src/ruleplay/__init__.py" in names


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (REGISTRIES, "see https://" + "pypi" + ".org/simple"),
        (REGISTRIES, "files." + "pythonhosted" + ".org"),
        (OWN_PATH, 'open("/' + 'home/ann/file")'),
        (LOOSE_END, "# TO" + "DO later"),
        (GIVEN_DATA, "see ../shared" + "/data"),
    ],
)
def test_a_slip_would_be_found(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


def test_no_registry_is_named() -> None:
    assert not found(REGISTRIES)


def test_no_path_of_one_machine_is_named() -> None:
    assert not found(OWN_PATH)


def test_nothing_is_left_for_later() -> None:
    assert not found(LOOSE_END)


def test_only_tests_and_benchmarks_name_given_data() -> None:
    assert not found(GIVEN_DATA, besides=MAY_NAME_DATA)


def test_pins_hold_hashes_and_no_addresses() -> None:
    pins = sorted((ROOT / "requirements").glob("*.txt"))
    assert {pin.stem for pin in pins} >= {"build", "run", "dev", "embedded"}
    for pin in pins:
        assert unpinned(pin.read_text(encoding="utf-8")) == [], pin.name


def unpinned(requirements: str) -> list[str]:
    """Return the requirements that name no exact version or no hash, and all options and URLs."""
    entries = re.sub(r"\\\n\s*", " ", requirements).splitlines()
    good = re.compile(r"[\w.\-]+(\[[\w,\-]+\])?==\S+( ; [^@]+?)?(\s+--hash=sha256:[0-9a-f]{64})+")
    return [e for e in entries if e.strip() and not e.startswith("#") and not good.fullmatch(e)]


@pytest.mark.parametrize(
    "line", ["six", "six>=1 --hash=sha256:" + "0" * 64, "six==1", "-i https://host/" + "simple"]
)
def test_a_loose_pin_would_be_found(line: str) -> None:
    assert unpinned(line) == [line]


def test_lock_files_record_no_addresses() -> None:
    assert not (ROOT / "uv.lock").exists()
    for lock in (path for path in read() if path.name == "package-lock.json"):
        assert not addresses(json.loads(read()[lock])), short(lock)


def addresses(lock: object) -> list[str]:
    """Return the download addresses anywhere in an npm lock file."""
    if isinstance(lock, list):
        return [address for value in lock for address in addresses(value)]
    if not isinstance(lock, dict):
        return []
    own = [str(value) for key, value in lock.items() if key == "resolved"]
    return own + [address for value in lock.values() for address in addresses(value)]


def test_an_address_in_a_lock_file_would_be_found() -> None:
    assert addresses({"packages": {"a": {"resolved": "there"}}}) == ["there"]


def test_the_license_is_there() -> None:
    assert Path(ROOT, "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
