"""The import: what it takes over, what it refuses, and that it is all or nothing."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.samples import sample

from ruleplay.agents.parts.adapters.catalog import open_catalog
from ruleplay.agents.parts.adapters.catalog_import import (
    ImportReport,
    Progress,
    import_catalog,
    rejected_file,
)
from ruleplay.agents.parts.domain.catalog import Part, Verdict
from ruleplay.errors import UserError

PRICED = date(2025, 1, 1)
PARTS = "part_number,name,price\nPS1,Door Gasket,12.50\nPS2,Drain Pump,40\n"
FITS = "model,part\nABC1000,PS1\nABC1000,PS2\n"


def shop(
    folder: Path,
    parts: str | bytes = PARTS,
    fits: str | bytes = FITS,
    models: str | None = None,
    *,
    mapping: dict[str, str] | None = None,
    on_progress: Progress | None = None,
) -> ImportReport:
    (folder / "parts").write_bytes(parts if isinstance(parts, bytes) else parts.encode())
    (folder / "fits").write_bytes(fits if isinstance(fits, bytes) else fits.encode())
    if models is not None:
        (folder / "models").write_text(models, encoding="utf-8")
    return import_catalog(
        folder / "parts",
        folder / "fits",
        folder / "models" if models is not None else None,
        into=folder / "shop.sqlite",
        priced_on=PRICED,
        mapping=mapping,
        on_progress=on_progress,
    )


def part(folder: Path, number: str) -> Part:
    with open_catalog(folder / "shop.sqlite") as catalog:
        (match,) = catalog.part(number)
        return match.part


def left_over(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


@pytest.mark.parametrize(
    "parts",
    [
        PARTS,
        PARTS.replace(",", ";"),
        PARTS.replace(",", "\t"),
        PARTS.replace(",", "|"),
        PARTS.replace("\n", "\r\n"),
        "\ufeff" + PARTS,
        '"Part Number","NAME","Price"\n"PS1","Door Gasket","$12.50"\nPS2,Drain Pump,40',
        '{"part_number": "PS1", "name": "Door Gasket", "price": 12.50}\n\n'
        '{"price": "40", "part_number": "PS2", "name": "Drain Pump"}\n',
        "\ufeff" + '{"sku": "PS1", "title": "Door Gasket", "price": "12.50"}\n{"sku": "PS2"}',
    ],
)
def test_usual_files_are_read_alike(tmp_path: Path, parts: str) -> None:
    report = shop(tmp_path, parts)
    assert (report.parts, report.id_only, report.pairs, report.rejected) == (2, 0, 2, 0)
    gasket = part(tmp_path, "PS1")
    assert (gasket.name, gasket.price, gasket.priced_on) == (
        "Door Gasket",
        Decimal("12.50"),
        PRICED,
    )
    assert report.rejected_file is None
    assert left_over(tmp_path) == []


def test_all_fields_arrive(tmp_path: Path) -> None:
    row = {
        "part_number": "PS1",
        "manufacturer_number": "W1",
        "name": "Pump",
        "brand": "GE",
        "appliances": "Washer, Dryer",
        "price": "1,299.00",
        "priced_on": "2025-02-03",
        "availability": "In Stock",
        "install_difficulty": "Very Easy ",
        "install_time": "15 - 30 mins ",
        "install_video": "",
        "symptoms": ["Leaking", " Noisy "],
        "replaces": "AP1, AP2 ",
        "steps": "Unplug it.|Swap it.",
    }
    shop(tmp_path, json.dumps(row))
    assert part(tmp_path, "ap2") == Part(
        number="PS1",
        row="parts:1",
        manufacturer_number="W1",
        name="Pump",
        brand="GE",
        appliances=("Washer", "Dryer"),
        price=Decimal("1299.00"),
        priced_on=date(2025, 2, 3),
        availability="In Stock",
        difficulty="Very Easy",
        time="15 - 30 mins",
        symptoms=("Leaking", "Noisy"),
        replaces=("AP1", "AP2"),
        steps=("Unplug it.", "Swap it."),
    )


def test_columns_are_mapped_by_the_user(tmp_path: Path) -> None:
    parts = "code;part;cost\nPS1;Door Gasket;3\n"
    report = shop(tmp_path, parts, mapping={"part_number": "code", "name": "part", "price": "cost"})
    assert (report.parts, report.id_only_numbers) == (2, ("PS2",))
    assert part(tmp_path, "PS1").name == "Door Gasket"


def test_bad_rows_are_listed_and_the_rest_is_taken(tmp_path: Path) -> None:
    parts = (
        'part_number,name\n,No number\nPS1,"Two\nlines"\nPS2\n!!!,x\nPS3,ok\n' + "9" * 50 + ",x\n"
    )
    report = shop(tmp_path, parts, "part,model\nPS1,ABC1000\n,ABC1000\nPS1,--\nPS3,ABC1000,x\n")
    assert (report.parts, report.pairs, report.rejected) == (2, 1, 7)
    told = [(one.file, one.line) for one in report.rejected_rows]
    assert told == [
        ("parts", 2),
        ("parts", 5),
        ("parts", 6),
        ("parts", 8),
        ("fits", 3),
        ("fits", 4),
        ("fits", 5),
    ]
    assert report.rejected_rows[1].reason == "1 columns where the header has 2"
    assert part(tmp_path, "PS3").row == "parts:7"
    lines = rejected_file(tmp_path / "shop.sqlite").read_text().splitlines()
    assert [json.loads(line)["line"] for line in lines] == [line for _, line in told]


def test_many_bad_rows_are_counted_but_not_remembered(tmp_path: Path) -> None:
    report = shop(tmp_path, fits="part,model\n" + ",ABC1000\n" * 5000)
    assert (report.rejected, len(report.rejected_rows)) == (5000, 20)
    assert report.rejected_file is not None
    assert len(Path(report.rejected_file).read_text().splitlines()) == 5000
    assert shop(tmp_path).rejected_file is None
    assert not rejected_file(tmp_path / "shop.sqlite").exists()


def test_bad_json_lines_are_listed(tmp_path: Path) -> None:
    parts = '{"part_number": "PS1"}\n{"part_number": \n[1]\n{"name": "x"}\n' + "[" * 100_000
    parts += '\n{"part_number": "PS8", "name": "\\ud800"}\n{"part_number": 9, "name": {}}'
    report = shop(tmp_path, parts)
    assert [(one.line, one.file) for one in report.rejected_rows] == [
        (2, "parts"),
        (3, "parts"),
        (4, "parts"),
        (5, "parts"),
        (6, "parts"),
    ]
    assert part(tmp_path, "9").name == ""


def test_duplicates_are_counted_and_the_first_row_counts(tmp_path: Path) -> None:
    parts = PARTS + "ps-1,Another,1\n"
    fits = FITS + "abc 1000,PS1\nABC1000,PS2\n"
    report = shop(tmp_path, parts, fits, "model,brand\nABC1000,GE\nABC-1000,LG\n")
    assert (report.duplicates, report.parts, report.models, report.pairs) == (4, 2, 1, 2)
    assert part(tmp_path, "PS1").name == "Door Gasket"
    with open_catalog(tmp_path / "shop.sqlite") as catalog:
        model = catalog.model("ABC1000")
        assert model is not None
        assert (model.brand, model.row) == ("GE", "models:2")
        assert catalog.fit("PS1", "ABC1000").source.endswith("fits line 2")


def test_parts_of_the_fits_file_alone_are_known_by_number(tmp_path: Path) -> None:
    report = shop(tmp_path, fits=FITS + "XYZ9,PS77\n")
    assert (report.parts, report.id_only, report.id_only_numbers) == (3, 1, ("PS77",))
    assert part(tmp_path, "PS77").id_only
    assert part(tmp_path, "PS77").row == "fits:4"
    with open_catalog(tmp_path / "shop.sqlite") as catalog:
        assert catalog.fit("PS77", "XYZ9").verdict is Verdict.LISTED


def test_a_fits_file_may_name_makers_numbers(tmp_path: Path) -> None:
    parts = "part,mpn\nPS1,W1\nPS2,W2\nPS3,W2\n"
    report = shop(tmp_path, parts, "model,part\nABC1000,W1\nABC1000,W2\n")
    assert report.id_only_numbers == ("W2",)  # two parts have it, so it names neither
    with open_catalog(tmp_path / "shop.sqlite") as catalog:
        assert catalog.fit("PS1", "ABC1000").verdict is Verdict.LISTED
        assert catalog.fit("PS2", "ABC1000").verdict is Verdict.NOT_LISTED


@pytest.mark.parametrize(
    ("listed", "kept"),
    [
        ("AP1, W10315890 ... Show more", ("AP1", "W10315890")),
        ("AP1, ... Show more", ("AP1",)),
        ("AP1, Took 2 screws out and it was qu ... Read more", ("AP1",)),
        ("AP1, Pulled, put on blocks", ("AP1",)),
        ("AP1|33-1205; RF-5310-081", ("AP1", "33-1205", "RF-5310-081")),
        ("40A15/230V, FILTER 1, RPWF", ("40A15/230V", "FILTER 1", "RPWF")),
        ("AP1, ap-1, 12", ("AP1",)),
        ("", ()),
    ],
)
def test_only_numbers_are_taken_for_replaced_numbers(
    tmp_path: Path, listed: str, kept: tuple[str, ...]
) -> None:
    shop(tmp_path, f'part_number,replaces\nPS1,"{listed}"\n')
    assert part(tmp_path, "PS1").replaces == kept


@pytest.mark.parametrize(
    ("price", "read", "flawed"),
    [
        ("$5", Decimal(5), 0),
        ("5.00 USD", Decimal("5.00"), 0),
        ("N/A", None, 0),
        ("12,50", None, 1),
        ("-3", None, 1),
        ("nan", None, 1),
        ("five", None, 1),
    ],
)
def test_prices(tmp_path: Path, price: str, read: Decimal | None, flawed: int) -> None:
    report = shop(tmp_path, f'part_number,name,price\nPS1,Pump,"{price}"\n')
    assert (part(tmp_path, "PS1").price, report.flawed, report.rejected) == (read, flawed, 0)


@pytest.mark.parametrize(
    ("parts", "fits", "mapping", "said"),
    [
        ("colour,size\nred,1\n", FITS, {}, "no column for 'part_number'; it has 'colour', 'size'"),
        (PARTS, "x,y\n1,2\n", {}, "no column for 'part_number'"),
        ("", FITS, {}, "no column"),
        (PARTS.encode() + b"PS3,caf\xe9,1\n", FITS, {}, "not UTF-8 at line 4"),
        (PARTS.encode("utf-16"), FITS, {}, "not UTF-8 at line 1"),
        (PARTS + '"PS3,Never,1\n', FITS, {}, "the quote opened in line 4 never ends"),
        (PARTS, FITS, {"colour": "x"}, "'colour' is no field of a catalog"),
        (PARTS, FITS, {"price": "cost"}, "No file has the column 'cost'"),
    ],
)
def test_an_unusable_file_leaves_the_old_catalog(
    tmp_path: Path, parts: str | bytes, fits: str, mapping: dict[str, str], said: str
) -> None:
    shop(tmp_path)
    before = (tmp_path / "shop.sqlite").read_bytes()
    with pytest.raises(UserError, match=said):
        shop(tmp_path, parts, fits, mapping=mapping)
    assert (tmp_path / "shop.sqlite").read_bytes() == before
    assert left_over(tmp_path) == []


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no file .*none\.csv"):
        import_catalog(tmp_path / "none.csv", tmp_path / "f", into=tmp_path / "c", priced_on=PRICED)
    assert list(tmp_path.iterdir()) == []


def test_progress_counts_all_bytes_and_can_stop(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    fits = "model,part\n" + "".join(f"ABC{'X' * 25}{n},PS1\n" for n in range(90_000))
    shop(tmp_path, fits=fits, on_progress=lambda done, total: seen.append((done, total)))
    size = len(PARTS) + len(fits)
    assert seen == sorted(seen)
    assert seen[-1] == (size, size)
    assert len(seen) >= 3

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    before = (tmp_path / "shop.sqlite").stat().st_ino
    with pytest.raises(KeyboardInterrupt):
        shop(tmp_path, fits=fits, on_progress=stop)
    assert (tmp_path / "shop.sqlite").stat().st_ino == before
    assert left_over(tmp_path) == []


def test_the_same_files_have_the_same_content_hash(tmp_path: Path) -> None:
    def content(fits: str) -> str:
        shop(tmp_path, fits=fits)
        with open_catalog(tmp_path / "shop.sqlite") as catalog:
            return catalog.stamp.content

    assert content(FITS) == content(FITS)
    assert content(FITS) != content(FITS + "ABC2000,PS1\n")


CHILD = """
import sys, time
from datetime import date
from pathlib import Path
from ruleplay.agents.parts.adapters.catalog_import import import_catalog

def told(done, total):
    print("reading", flush=True)
    if sys.argv[2] == "hang":
        time.sleep(600)

folder = Path(sys.argv[1])
import_catalog(folder / "parts", folder / "fits", into=folder / "shop.sqlite",
               priced_on=date(2025, 1, 1), on_progress=told)
"""


def start_child(folder: Path, *how: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder), *how],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def kill(child: subprocess.Popen[bytes]) -> None:
    child.send_signal(signal.SIGKILL)
    child.communicate()


def more_pairs(folder: Path) -> None:
    rows = (f"ABC{n},PS{n % 7}\n" for n in range(120_000))
    (folder / "fits").write_text("model,part\n" + "".join(rows))


def test_a_killed_import_leaves_the_old_catalog(tmp_path: Path) -> None:
    shop(tmp_path)
    more_pairs(tmp_path)
    child = start_child(tmp_path, "hang")
    assert child.stdout is not None
    assert child.stdout.readline() == b"reading\n"
    kill(child)
    assert len(left_over(tmp_path)) == 2
    with open_catalog(tmp_path / "shop.sqlite") as catalog:
        assert (catalog.stamp.pairs, catalog.fit("PS1", "ABC1000").verdict) == (2, Verdict.LISTED)
    shop(tmp_path)
    assert left_over(tmp_path) == []


def test_an_import_that_still_runs_keeps_its_files(tmp_path: Path) -> None:
    shop(tmp_path)
    more_pairs(tmp_path)
    child = start_child(tmp_path, "hang")
    assert child.stdout is not None
    child.stdout.readline()
    shop(tmp_path)
    assert len(left_over(tmp_path)) == 2
    kill(child)


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_moment_it_is_the_old_or_the_new(tmp_path: Path, seed: int) -> None:
    shop(tmp_path)
    more_pairs(tmp_path)
    child = start_child(tmp_path, "run")
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(random.Random(seed).uniform(0, 0.5))
    kill(child)
    with open_catalog(tmp_path / "shop.sqlite") as catalog:
        assert catalog.stamp.pairs in {2, 120_000}
    db = sqlite3.connect(tmp_path / "shop.sqlite")
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


@given(
    parts=st.binary(max_size=200)
    | st.text(max_size=200).map(str.encode)
    | st.lists(st.text(max_size=12), max_size=8).map(
        lambda rows: ("part,name,price\n" + "\n".join(rows)).encode("utf-8", "surrogatepass")
    )
)
@settings(
    max_examples=sample(10, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_bytes_are_taken_or_refused_with_a_reason(tmp_path: Path, parts: bytes) -> None:
    with suppress(UserError):
        report = shop(tmp_path, parts)
        with open_catalog(tmp_path / "shop.sqlite") as catalog:
            assert catalog.stamp.parts == report.parts >= 2
    assert left_over(tmp_path) == []


def numbers(texts: Sequence[str]) -> int:
    return sum(any(char.isdigit() for char in text) for text in texts)


def test_a_real_shops_files_are_imported(tmp_path: Path, shared_data: Path) -> None:
    report = import_catalog(
        shared_data / "parts.csv",
        shared_data / "fits.csv",
        shared_data / "models.csv",
        into=tmp_path / "real.sqlite",
        priced_on=PRICED,
    )
    assert (report.parts - report.id_only, report.pairs, report.models) == (4196, 21710, 10802)
    assert (report.rejected, report.duplicates) == (0, 0)
    assert report.seconds < 10
    with open_catalog(tmp_path / "real.sqlite") as catalog:
        assert len(catalog.symptom_strings()) in range(40, 50)
        wheel = catalog.fit("w10195416v", "wdt-780-saem1")
        assert (wheel.verdict, wheel.part) == (Verdict.LISTED, "PS3406971")
        adhesive = catalog.part("PS11728058")[0].part
        assert adhesive.replaces[-1] == "618287"
        assert numbers(adhesive.replaces) == len(adhesive.replaces)
