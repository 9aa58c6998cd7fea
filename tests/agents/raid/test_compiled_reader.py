"""The compiled log reader brings what the Python one brings, row by row, also of damaged lines."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest
from benchmarks.raid.mutations import mutate
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.raid import logs
from tests.samples import beginning, sample
from tests.shared import shared_data

from ruleplay.agents.raid.adapters import compiled_reader, log_files, report_writer
from ruleplay.agents.raid.adapters.compiled_reader import SWITCH, CompiledReader
from ruleplay.agents.raid.adapters.demo import write_demo
from ruleplay.agents.raid.adapters.log_import import follow_log, import_logs
from ruleplay.agents.raid.adapters.report_files import Manifest, manifests, reports_folder
from ruleplay.agents.raid.domain.numerals import MARGIN
from ruleplay.errors import Unavailable

Tables = Mapping[str, pl.DataFrame]

PET = 'Pet-0-1-544-1-417-0000000009,"Felhunter",0x1111,0x0'
LINES = [
    logs.strike(),
    logs.strike(18, amount=2_000_000_000, overkill=5, tail=",ST"),
    logs.strike(0),
    f"SWING_MISSED,{PET},{logs.BOSS},MISS,nil",
    f'SPELL_AURA_APPLIED,{logs.HERO},{logs.PRIEST},17,"Power Word: Shield",0x2,BUFF,900',
    f"UNIT_DIED,{logs.NULL},{logs.HERO},1",
    f'SPELL_SUMMON,{logs.HERO},{PET},1,"Xuen, the White Tiger",0x8',
    f'SPELL_ENERGIZE,{logs.HERO},{logs.HERO},1,"Plea",0x2,'
    + logs.advanced(16, "Player-1-00000001")
    + ",916.0000,0.0000,nil,18318",
    'ENCOUNTER_START,649,"High King Maulgar",4,25,565',
    'ENCOUNTER_END,649,"High King Maulgar",4,25,1',
    'SPELL_DAMAGE,0x0000000000000001,"Old",0x512,0xF130000001000001,"Mob",0xa48,'
    '1,"Bolt",0x4,120,0,4,nil,3|0,nil,1,nil,nil',
    'EMOTE,Creature-0-1-1-1-1-0000000001,"Key",00,nil,He said "no, never',
]


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    if compiled_reader.find_library() is None:
        if "reader" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail("the compiled log reader is required: run `ruleplay setup raid`")
        pytest.skip("needs the compiled log reader: run `ruleplay setup raid`")


def stored(home: Path) -> tuple[Manifest, Tables]:
    """Return what a home's only report is, without what differs from import to import."""
    (found,) = manifests(home)
    folder = reports_folder(home) / found.code
    tables = {
        table: pl.concat([pl.read_parquet(folder / name) for name in names]).with_columns(
            pl.selectors.categorical().cast(pl.String)
        )
        for table, names in found.files.items()
    }
    return found.model_copy(update={"files": {}, "raw": (), "imported_at": ""}), tables


def differences(log: Path, folder: Path) -> list[str]:
    """Import a log with both readers; name the columns in which their reports differ."""
    found = []
    for reader in ("python", "compiled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(SWITCH, reader)
            home = folder / reader
            import_logs([log], home)
            found.append(stored(home))
    (one, tables), (other, others) = found
    told = [f"{key} of the report" for key, value in one if getattr(other, key) != value]
    for name, table in tables.items():
        if table.schema != others[name].schema or table.height != others[name].height:
            told.append(name)
            continue
        told += [f"{name}.{c}" for c in table.columns if not table[c].equals(others[name][c])]
    return told


def test_the_compiled_reader_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(compiled_reader.open_reader(), CompiledReader)
    assert compiled_reader.finding().state == "ok"
    monkeypatch.setenv(SWITCH, "python")
    assert not isinstance(compiled_reader.open_reader(), CompiledReader)
    assert compiled_reader.finding().state == "missing"


@pytest.mark.parametrize("name", logs.REAL)
def test_reports_of_real_logs_are_equal(name: str, tmp_path: Path) -> None:
    log = beginning(shared_data("raid") / name, 3_000, tmp_path)
    assert differences(log, tmp_path) == []


def test_reports_of_the_demo_are_equal(tmp_path: Path) -> None:
    for night in write_demo(tmp_path):
        assert differences(night, tmp_path / night.stem) == []


@given(
    seed=st.integers(0, 1 << 30), closed=st.booleans(), size=st.sampled_from([97, 4000, 1 << 23])
)
@settings(max_examples=sample(5, 60), deadline=None)
def test_reports_of_damaged_lines_are_equal(
    seed: int, closed: bool, size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The lines come whole and damaged, in chunks and parts of any size, with either line end."""
    rng = random.Random(seed)
    lines = [line.encode() for line in logs.stamped(rng.choices(LINES, k=40)).splitlines()]
    lines += [mutate(rng.choice(lines), rng) for _ in range(80)]
    rng.shuffle(lines)
    folder = tmp_path_factory.mktemp("damaged")
    end = rng.choice([b"\n", b"\r\n"])
    log = folder / "log.txt"
    log.write_bytes(logs.stamped([logs.strike()]).encode() + end.join(lines) + end * closed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_files, "CHUNK", size)
        patch.setattr(report_writer, "_ROWS", rng.choice([1, 25, 1000]))
        assert differences(log, folder) == []


@pytest.mark.parametrize("name", logs.REAL)
def test_reports_of_damaged_real_lines_are_equal(name: str, tmp_path: Path) -> None:
    lines, rng = (shared_data("raid") / name).read_bytes().splitlines(), random.Random(name)
    count = sample(100, 400)
    first = rng.randrange(max(len(lines) - count, 1))
    whole = lines[first : first + count]
    mixed = [line for one in whole for line in (one, mutate(rng.choice(lines), rng))]
    log = tmp_path / "log.txt"
    log.write_bytes(b"\n".join(mixed))
    assert differences(log, tmp_path) == []


def test_a_followed_log_is_read_alike(tmp_path: Path) -> None:
    found = []
    for reader in ("python", "compiled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(SWITCH, reader)
            log, bodies = tmp_path / f"{reader}.txt", LINES * 20
            log.write_text(logs.stamped(bodies[:30]), "utf-8")
            cuts = iter(range(40, 240, 10))

            def stop(log: Path = log, cuts: object = cuts, bodies: list[str] = bodies) -> bool:
                upto = next(cuts, 0)  # type: ignore[call-overload]
                if upto:
                    log.write_text(logs.stamped(bodies[:upto]), "utf-8")
                return not upto

            follow_log(log, tmp_path / reader, lambda _: None, stop=stop, poll=0)
            found.append(stored(tmp_path / reader))
    (one, tables), (other, others) = found
    assert one.lines == other.lines == 230
    assert all(table.equals(others[name]) for name, table in tables.items())


def test_names_of_events_cost_no_memory() -> None:
    """What is no event gets no number of its own, however many there are."""
    reader = compiled_reader.open_reader()
    junk = "".join(f"3/24 20:00:00.000  JUNK{n},1\n" for n in range(50_000)).encode()
    read = reader.read(junk)
    assert len(read.unread) == 50_000
    assert read.unread[7].reason == "the event 'JUNK7' is not known"
    assert MARGIN == 128


def test_without_a_compiler_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="Rust toolchain"):
        compiled_reader.build_library()
