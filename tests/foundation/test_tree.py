"""A session is a tree: going back loses nothing, and no branch or fork changes another."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from duel.table import Tables
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.samples import sample

from ruleplay.errors import Conflict, NotFound
from ruleplay.kernel.replay import replay
from ruleplay.models.scripted import ScriptedModel

if TYPE_CHECKING:
    from ruleplay.kernel.session import Session
    from ruleplay.records.turns import Turn


async def played(tables: Tables, turns: int, **config: bool) -> Session:
    duel = await tables.duel(config=config)
    for n in range(1, turns + 1):
        await duel.turn(f"blow {n}", seat=("red", "blue")[n % 2])
    return duel


def messages(turns: list[Turn]) -> list[str]:
    return [turn.given.message for turn in turns]


async def test_undo_and_redo(tables: Tables) -> None:
    duel = await played(tables, 3)
    before, turns = await duel.head(), await duel.turns()
    head = await duel.undo()
    assert (head.head, head.number) == (turns[1].id, 2)
    assert await duel.turns() == turns[:2]
    again = await duel.host.go_to(duel.id, turns[2].id)
    assert (again.head, again.number, again.state) == (before.head, 3, before.state)
    assert again.version == before.version + 2


async def test_undo_to_the_start_and_no_further(tables: Tables) -> None:
    duel = await played(tables, 2)
    start = await tables.duel(duel.host)
    await duel.undo()
    head = await duel.undo()
    assert (head.head, head.number, head.state) == (None, 0, (await start.head()).state)
    with pytest.raises(Conflict, match="nothing to undo"):
        await duel.undo()
    with pytest.raises(Conflict, match="nothing to regenerate"):
        await duel.regenerate()
    await duel.turn("afresh")
    assert messages(await duel.turns()) == ["afresh"]


async def test_regenerate_keeps_input_and_dice_and_tells_anew(table: Tables) -> None:
    script = {"duel.narrator": ["Steel rings.", "A crow takes wing."]}
    duel = await table.duel(model=ScriptedModel(script), roles=("duel.narrator",))
    first = await duel.turn("En garde!", seat="blue")
    second = await duel.regenerate()
    assert second.id != first.id
    assert (second.parent, second.number, second.seat) == (first.parent, 1, "blue")
    assert second.given == first.given
    blows = [[e for e in turn.events if e["type"] == "BlowStruck"] for turn in (first, second)]
    assert blows[0] == blows[1]
    assert (first.reply[:6], second.reply[:6]) == ("Steel ", "A crow")
    assert [turn.id for turn in await duel.turns()] == [second.id]
    branches = await duel.host.store.branches(duel.id)
    assert {branch.id for branch in branches} == {first.id, second.id}


async def test_edit_makes_a_sibling(tables: Tables) -> None:
    duel = await played(tables, 4)
    old = await duel.turns()
    edited = await duel.edit(2, "no, so")
    assert (edited.parent, edited.number, edited.seat) == (old[0].id, 2, old[1].seat)
    assert messages(await duel.turns()) == ["blow 1", "no, so"]
    await duel.host.go_to(duel.id, old[3].id)
    assert await duel.turns() == old


@pytest.mark.parametrize("number", [0, -1, 4])
async def test_only_turns_of_this_branch_can_be_edited_or_forked(
    table: Tables, number: int
) -> None:
    duel = await played(table, 3)
    with pytest.raises(NotFound):
        await duel.edit(number, "x")
    if number:
        with pytest.raises(NotFound):
            await duel.fork(number)


async def test_a_fork_shares_ancestry_without_copying(tables: Tables) -> None:
    duel = await played(tables, 4)
    parent, turns = await duel.head(), await duel.turns()
    fork = await duel.fork(2)
    assert await fork.turns() == turns[:2]
    assert (await fork.head()).origin == duel.id
    assert await duel.host.store.branches(fork.id) == []
    mine = await fork.turn("another way", seat="red")
    assert mine.parent == turns[1].id
    # The same dice as the parent's third turn: chance hangs on seed and depth.
    assert mine.events[2]["roll"] == turns[2].events[2]["roll"]
    assert await duel.head() == parent
    assert await duel.turns() == turns


async def test_a_fork_can_go_where_it_came_from_but_not_into_strangers(tables: Tables) -> None:
    duel = await played(tables, 3)
    turns = await duel.turns()
    fork = await duel.fork()
    await fork.undo()
    await fork.undo()
    assert await fork.turns() == turns[:1]
    again = await duel.host.go_to(fork.id, turns[0].id)
    assert again.number == 1
    other = await tables.duel(duel.host)
    alien = await other.turn("elsewhere")
    with pytest.raises(NotFound):
        await duel.host.go_to(fork.id, alien.id)


async def test_a_fork_can_redo_what_it_inherited_and_has_undone(tables: Tables) -> None:
    duel = await played(tables, 3)
    turns = await duel.turns()
    fork = await duel.fork()
    await fork.undo()
    head = await duel.host.go_to(fork.id, turns[2].id)
    assert head.number == 3


async def test_a_fork_from_the_start_and_a_fork_of_a_fork(tables: Tables) -> None:
    duel = await played(tables, 2)
    fork = await duel.fork(0)
    assert await fork.turns() == []
    await fork.turn("own way")
    second = await fork.fork()
    assert messages(await second.turns()) == ["own way"]
    assert (await second.head()).origin == fork.id


async def test_an_agent_may_forbid_to_take_turns_back(table: Tables) -> None:
    duel = await played(table, 2, sudden_death=True)
    before = await duel.head()
    for attempt in (duel.undo, duel.regenerate, lambda: duel.edit(1, "x")):
        with pytest.raises(Conflict, match="sudden-death"):
            await attempt()
    assert await duel.head() == before
    assert len(await (await duel.fork()).turns()) == 2


async def test_undo_beside_turns_never_tears_the_tree(tables: Tables) -> None:
    duel = await played(tables, 5)
    steps = [duel.turn("x") if n % 2 else duel.undo() for n in range(10)]
    ended = await asyncio.gather(*steps, return_exceptions=True)
    assert [error for error in ended if isinstance(error, BaseException)] == []
    head, turns = await duel.head(), await duel.turns()
    assert [turn.number for turn in turns] == list(range(1, head.number + 1))
    assert (await replay(duel.host, duel.id)).identical


async def test_regenerate_twice_at_once_makes_two_siblings(table: Tables) -> None:
    duel = await played(table, 2)
    first = (await duel.turns())[0]
    both = await asyncio.gather(duel.regenerate(), duel.regenerate())
    assert {turn.parent for turn in both} == {first.id}
    assert {turn.number for turn in both} == {2}


Path_ = tuple[tuple[str, str], ...]


@dataclass
class Line:
    """What the model of a session knows: its current branch as (seat, message) pairs."""

    session: Session
    path: Path_ = ()
    seen: dict[str, Path_] = field(default_factory=dict)


class Tree(RuleBasedStateMachine):
    """Plays, undoes, edits, regenerates and forks against a model of plain tuples."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp(prefix="ruleplay-tree-"))
        self.tables = Tables(f"sqlite+aiosqlite:///{self.folder / 'ruleplay.db'}", self.folder)
        self.lines: list[Line] = []
        self.hashes: dict[Path_, str] = {}

    @initialize()
    def begin(self) -> None:
        """Start with one session."""
        self.lines.append(Line(self.runner.run(self.tables.duel())))

    def line(self, pick: int) -> Line:
        """Return one of the sessions."""
        return self.lines[pick % len(self.lines)]

    def played(self, line: Line, turn: Turn, path: Path_) -> None:
        """Move a line to where its new turn is; equal paths must have equal states."""
        line.path = path
        line.seen[turn.id] = path
        known = self.hashes.setdefault(path, turn.state_hash)
        assert turn.state_hash == known

    PICK = st.integers(0, 5)
    SEAT = st.sampled_from(("red", "blue"))
    WORD = st.sampled_from(("thrust", "parry", "feint"))

    @rule(pick=PICK, seat=SEAT, word=WORD)
    def turn(self, pick: int, seat: str, word: str) -> None:
        """Play a turn."""
        line = self.line(pick)
        turn = self.runner.run(line.session.turn(word, seat=seat))
        self.played(line, turn, (*line.path, (seat, word)))

    @rule(pick=PICK)
    def undo(self, pick: int) -> None:
        """Take a turn back."""
        line = self.line(pick)
        if not line.path:
            with pytest.raises(Conflict):
                self.runner.run(line.session.undo())
            return
        self.runner.run(line.session.undo())
        line.path = line.path[:-1]

    @rule(pick=PICK, which=st.integers(0, 50))
    def redo(self, pick: int, which: int) -> None:
        """Go to any turn that was played here."""
        line = self.line(pick)
        if line.seen:
            turn, path = list(line.seen.items())[which % len(line.seen)]
            self.runner.run(line.session.host.go_to(line.session.id, turn))
            line.path = path

    @precondition(lambda self: any(line.path for line in self.lines))
    @rule(pick=PICK)
    def regenerate(self, pick: int) -> None:
        """Play the last turn again."""
        line = self.line(pick)
        if line.path:
            turn = self.runner.run(line.session.regenerate())
            self.played(line, turn, line.path)

    @rule(pick=PICK, at=st.integers(0, 50), word=WORD)
    def edit(self, pick: int, at: int, word: str) -> None:
        """Play an earlier turn with another message."""
        line = self.line(pick)
        if line.path:
            place = at % len(line.path)
            turn = self.runner.run(line.session.edit(place + 1, word))
            self.played(line, turn, (*line.path[:place], (line.path[place][0], word)))

    @rule(pick=PICK, at=st.integers(0, 50))
    def fork(self, pick: int, at: int) -> None:
        """Branch off a new session."""
        line = self.line(pick)
        number = at % (len(line.path) + 1)
        forked = self.runner.run(line.session.fork(number))
        if len(self.lines) < 4:
            turns = self.runner.run(forked.turns())
            inherited = {turn.id: line.path[: turn.number] for turn in turns}
            self.lines.append(Line(forked, line.path[:number], inherited))

    @rule(pick=PICK)
    def replay(self, pick: int) -> None:
        """Re-run a session."""
        session = self.line(pick).session
        found = self.runner.run(replay(session.host, session.id))
        assert found.identical, found.first_difference

    @rule()
    def restart(self) -> None:
        """Go on in a new process."""
        self.runner.run(self.tables.close())
        host = self.runner.run(self.tables.host())
        for line in self.lines:
            line.session.host = host

    @invariant()
    def every_session_stands_where_it_should(self) -> None:
        """Compare every session with its model."""
        for line in self.lines:
            turns = self.runner.run(line.session.turns())
            assert tuple((turn.seat, turn.given.message) for turn in turns) == line.path
            head = self.runner.run(line.session.head())
            assert (head.number, head.head) == (len(turns), turns[-1].id if turns else None)

    def teardown(self) -> None:
        """Close what was opened."""
        self.runner.run(self.tables.close())
        self.runner.close()
        shutil.rmtree(self.folder)


TestTree = Tree.TestCase
TestTree.settings = settings(
    max_examples=sample(10, 25),
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
