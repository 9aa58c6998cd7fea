"""An agent of another distribution is found, played and described like those that ship here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from duel.agent import DUEL

from ruleplay import open_session
from ruleplay.catalog import agent_names, find_agent
from ruleplay.errors import NotFound, UserError
from ruleplay.settings import Settings

if TYPE_CHECKING:
    from duel.table import Tables


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a distribution that names one agent; returns its folder."""
    (tmp_path / "late.py").write_text("from duel.agent import Duel\nLATE = Duel()\nWRONG = 3\n")
    installed = tmp_path / "late-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: late\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(
        "[ruleplay.agents]\nlate = late:LATE\nwrong = late:WRONG\nabsent = late:NOTHING\n"
    )
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    return tmp_path


@pytest.mark.usefixtures("distribution")
def test_an_installed_agent_is_found_by_its_entry_point() -> None:
    assert {"late", "duel"} <= set(agent_names())
    assert type(find_agent("late")).__name__ == "Duel"


@pytest.mark.usefixtures("distribution")
def test_an_entry_point_that_is_no_agent_is_refused() -> None:
    with pytest.raises(UserError, match="late:WRONG"):
        find_agent("wrong")


def test_an_agent_that_nobody_installed_is_not_found() -> None:
    with pytest.raises(NotFound, match=r"'chess'.*duel"):
        find_agent("chess")


def test_the_agent_ships_apart_from_the_package() -> None:
    assert find_agent("duel") is DUEL
    assert "ruleplay" not in Path(sys.modules["duel"].__file__ or "").parts[-3:]


async def test_python_users_play_it(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    async with await open_session("duel", settings=settings) as session:
        items = [item async for item in session.play("En garde!")]
        name = session.id
    assert items[0].name == "turn.started"
    assert items[-1].name == "turn.committed"
    assert [item.seq for item in items] == sorted(item.seq for item in items)
    async with await open_session("duel", session=name, settings=settings) as again:
        assert len(await again.turns()) == 1
    with pytest.raises(UserError, match="belongs to agent"):
        await open_session("parts", session=name, settings=settings)


async def test_playing_a_key_again_ends_with_the_same_turn(table: Tables) -> None:
    duel = await table.duel()
    first = [item async for item in duel.play("En garde!", key="k")]
    again = [item async for item in duel.play("En garde!", key="k")]
    assert first[-1].name == again[-1].name == "turn.committed"
    assert again[-1].body["turn"] == first[-1].turn
    assert again[-1].body["reply"] == first[-1].body["reply"]
    assert len(await duel.turns()) == 1


async def test_the_graph_is_drawn_with_its_parallel_branches() -> None:
    drawing = DUEL.build_graph(DUEL.demo()).mermaid()
    for edge in ("read_challenge --> choose_stance", "read_challenge --> read_omen"):
        assert edge in drawing
