"""The set pool's file: found by version and format, made once, refused when broken."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ruleplay.agents.battle.adapters import set_pool
from ruleplay.errors import Unavailable

ROW = [80, "leftovers", "pressure", ["roost"], [85] * 6, [31] * 6, "", {"dragon": 3}]


def package(folder: Path, script: str) -> Path:
    """Lay out a package whose generator is the given script."""
    (folder / "dist" / "sim").mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"version": "1.2.3"}))
    (folder / "dist" / "sim" / "index.js").write_text(script)
    return folder


GENERATOR = """
exports.PRNG = class {};
exports.Teams = {getGenerator: () => ({getTeam: () => [{species: "Corviknight", level: 80,
  item: "Leftovers", ability: "Pressure", moves: ["Roost", "Body Press"], teraType: "Dragon",
  evs: {hp: 84, atk: 0}, ivs: {atk: 0}}]})};
"""


async def test_a_pool_is_generated_once_and_read_again(tmp_path: Path) -> None:
    folder = package(tmp_path / "package", GENERATOR)
    made = await set_pool.open_pool(tmp_path, folder, "gen9randombattle")
    (found,) = made.sets("corviknight")
    assert (found.moves, found.evs[:2], found.ivs[1]) == (("bodypress", "roost"), (84, 0), 0)
    assert found.teras == (("dragon", set_pool.TEAMS),)
    (folder / "dist" / "sim" / "index.js").write_text("throw new Error('not again')")
    again = await set_pool.open_pool(tmp_path, folder, "gen9randombattle")
    assert again.rows == made.rows


async def test_a_format_without_generator_is_unavailable(tmp_path: Path) -> None:
    folder = package(tmp_path / "package", "throw new Error('no such format')")
    with pytest.raises(Unavailable, match="gen9nothing"):
        await set_pool.open_pool(tmp_path, folder, "gen9nothing")
    assert (
        not list((tmp_path / "battle" / "sets").glob("*")) if (tmp_path / "battle").exists() else 1
    )


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    for text in (b"zzz", gzip.compress(b"{"), gzip.compress(b"{}")):
        file = tmp_path / "pool.json.gz"
        file.write_bytes(text)
        with pytest.raises(Unavailable, match="delete it"):
            set_pool.load_pool(file)


async def test_the_largest_pool_is_read_and_holds_whole_teams(tmp_path: Path) -> None:
    folder = package(tmp_path / "package", GENERATOR)
    small = await set_pool.open_pool(tmp_path, folder, "gen9randombattle")
    assert small.mates(0) == [("corviknight", 0)]
    assert small.made_set("corviknight", 0).ability == "pressure"
    assert len(small.teams_with("corviknight")) == set_pool.TEAMS
    all_ = await set_pool.open_pool(tmp_path, folder, "gen9randombattle", set_pool.ALL_TEAMS)
    again = await set_pool.open_pool(tmp_path, folder, "gen9randombattle")
    assert len(again.teams) == len(all_.teams) == set_pool.ALL_TEAMS


@pytest.mark.parametrize("name", ["../../elsewhere", "/tmp/x", "gen9ou.", "", "GEN9OU", "a" * 81])
async def test_what_is_no_formats_name_leads_to_no_file(tmp_path: Path, name: str) -> None:
    folder, home = package(tmp_path / "package", GENERATOR), tmp_path / "home"
    with pytest.raises(Unavailable, match="no format's name"):
        await set_pool.open_pool(home, folder, name)
    with pytest.raises(Unavailable, match="no format's name"):
        set_pool.pool_file(home, folder, name)
    assert not home.exists()
