"""Who moves next, as graph and table have it; rounds around fights; colours, the log and names."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import fighting, laid, sheets
from tests.agents.party.test_party_commands import Run, cli
from tests.agents.party.test_rounds import acted, drafted
from tests.server.seated import HEADER
from tests.server.streaming import Life

from ruleplay.agents.party import graph as graphs
from ruleplay.agents.party.agent import AGENT, ground_truth_log, run_single_round
from ruleplay.agents.party.domain.persona import PALETTE
from ruleplay.agents.party.graph import create_game_workflow, route_to_next_agent
from ruleplay.agents.party.state import State
from ruleplay.cli import output
from ruleplay.errors import Conflict
from ruleplay.kernel.export import export_log
from ruleplay.kernel.graph import END
from ruleplay.records.given import Given

__all__ = ["cli"]  # a fixture of the commands' tests
SHEET = "name: Tell\nrace: human\nclass: bard\n"
QUEUE = ("dm", "thorin", "pell")


def leads(station: str) -> set[str]:
    drawn = create_game_workflow(QUEUE).ways()
    return {edge.end for edge in drawn if edge.start == station}


def test_the_documents_functions_are_there() -> None:
    assert {"create_game_workflow", "route_to_next_agent"} <= {*graphs.__all__}
    assert all(callable(getattr(graphs, name)) for name in graphs.__all__)
    assert callable(run_single_round)


def test_a_round_begins_by_asking_and_with_the_dm() -> None:
    state, _ = laid()
    assert state.current_turn == "dm"
    assert leads("__start__") == {"ask", "human"}
    assert leads("ask") == {*QUEUE}


def test_every_seat_can_lead_to_every_other_and_to_the_end() -> None:
    for station in QUEUE:
        assert leads(station) == {*QUEUE, "human", "tell"}
    assert leads("human") == {*QUEUE, "ask", "human", "tell"}
    assert leads("tell") == {"go_on", "__end__"}
    drawn = create_game_workflow(QUEUE).ways()
    fixed = {(edge.start, edge.end) for edge in drawn if not edge.conditional}
    assert fixed == {("go_on", "tell")}


def able(state: State) -> frozenset[str]:
    return frozenset(one.id for one in state.table.cast.creatures if one.present and one.conscious)


async def test_the_router_agrees_with_the_turn_that_was_made(room: Open) -> None:
    """Whom the router names before an act is who is to move after it, in a fight and out of one."""
    table = await room(adventure="drowned-bell")
    kinds: set[bool] = set()
    for _ in range(40):
        before = await table.state()
        if before.table.mode == "ended":
            break
        named = route_to_next_agent(before)
        await table.does({"do": "play"})
        after = await table.state()
        fights = [
            one.table.cast.fight.key if one.table.cast.fight else "" for one in (before, after)
        ]
        if fights[0] == fights[1] and able(before) == able(after):
            seat = after.current_turn
            assert named == (END if after.table.round > before.table.round else seat), seat
            kinds.add(bool(fights[0]))
        made = drafted(before, acted=[before.current_turn], events=[])
        assert made.acted
    assert kinds == {True, False}


def test_the_router_passes_the_fallen_as_the_turn_does() -> None:
    state, _ = laid()
    table = state.table
    pell = table.turn_queue[2]
    creatures = tuple(
        one.model_copy(update={"hp": 0}) if one.id == pell else one for one in table.cast.creatures
    )
    cast = table.cast.model_copy(update={"creatures": creatures})
    table = table.model_copy(update={"cast": cast, "current_turn": table.turn_queue[1]})
    assert table.is_fallen(pell)
    named = route_to_next_agent(state.model_copy(update={"table": table}))
    assert named == table.turn_queue[3] == table.following(table.turn_queue[1])[0]


def test_in_a_fight_the_initiative_is_the_queue() -> None:
    state, book = laid()
    table = fighting(state.table, book)
    fight = table.cast.fight
    assert fight
    assert fight.actor == table.current_turn
    rest = [*fight.order[fight.turn + 1 :], *fight.order]
    seats = [who if who in table.characters else "dm" for who in rest]
    expected = next(
        seat
        for who, seat in zip(rest, seats, strict=True)
        if (one := table.cast.get(who)) and one.present and one.conscious
    )
    assert table.following(table.current_turn)[0] == expected


async def rounds_of(room: Open, most: int) -> list[tuple[State, list[object], State]]:
    """Play rounds; return each with the state before it, who acted in it, and the state after."""
    table = await room()
    found = []
    for _ in range(most):
        before = await table.state()
        if before.table.mode == "ended":
            break
        async with table.session() as session:
            turns = await run_single_round(session)
        found.append((before, acted(turns), await table.state()))
    return found


async def test_a_round_that_a_fight_begins_in_is_finished(room: Open) -> None:
    begun = [
        (before, who, after)
        for before, who, after in await rounds_of(room, 8)
        if not before.table.cast.fight and after.table.cast.fight
    ]
    assert begun
    for before, who, after in begun:
        standing = {seat for seat in before.table.characters if not after.table.is_fallen(seat)}
        assert standing <= {*who}


async def test_a_round_that_a_fight_ends_in_is_not_counted_twice(room: Open) -> None:
    table = await room()
    ended = 0
    for _ in range(60):
        before = (await table.state()).table
        if before.mode == "ended":
            break
        await table.does({"do": "play"})
        after = (await table.state()).table
        if before.cast.fight and not after.cast.fight and after.mode == "exploring":
            assert (after.current_turn, after.round) == ("dm", before.round)
            ended += 1
    assert ended


def test_every_character_has_a_colour_of_its_own() -> None:
    state, book = laid(
        characters=(*sheets(2), SHEET.replace("Tell", "Will") + "persona: {color: '#123456'}\n")
    )
    shown = {one["name"]: one["color"] for one in AGENT.view(state, "table")["seats"]}  # type: ignore[union-attr,index]
    assert [shown["Anna"], shown["Bert"], shown["Will"]] == [PALETTE[0], PALETTE[1], "#123456"]
    assert re.fullmatch(r"#[0-9a-f]{6}", PALETTE[5])
    assert state.table.color("dm") == ""
    page = Path(graphs.__file__).parent / "page" / "party" / "sheets.js"
    assert "color: ${one.color}" in page.read_text(encoding="utf-8")
    assert book


def test_a_terminal_shows_names_in_their_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stdout", shown)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    output.print_coloured("Anna looks at Bert.", {"Anna": "#112233"})
    assert "\x1b[38;2;17;34;51mAnna" in shown.getvalue()
    assert "Bert\x1b" not in shown.getvalue()


async def test_the_log_is_exported_for_the_dm_alone(room: Open) -> None:
    table = await room()
    await table.plays(3)
    async with table.session() as session:
        log = await export_log(session, "dm")
        assert log.splitlines() == [
            line for told in await ground_truth_log(session) for line in told.splitlines()
        ]
        with pytest.raises(Conflict, match="for the seat 'dm' alone"):
            await export_log(session, "thorin")
    assert log.startswith("[DM]: ")


async def test_the_log_is_had_over_http(life: Life) -> None:
    head = await life.host.create("party", {}, seed="1")
    await life.host.start(head.id, Given(action={"do": "play"}))
    path = f"/api/sessions/{head.id}/export?format=log"
    # The spectators' seat is everybody's; the DM's is its holder's.
    assert (await life.client.get(f"{path}&seat=dm")).status_code == 403
    sat = await life.client.post(f"/api/sessions/{head.id}/seats/dm", json={"name": "Ann"})
    assert sat.status_code in (200, 201), sat.text
    token = {HEADER: sat.json()["token"]}
    told = await life.client.get(f"{path}&seat=dm", headers=token)
    assert (told.status_code, told.text[:6]) == (200, "[DM]: ")
    assert "ruleplay-session.log" in told.headers["content-disposition"]
    assert (await life.client.get(f"{path}&seat=table")).status_code == 409


def test_the_log_is_had_on_the_command_line(cli: Run) -> None:
    made = cli("party", "new", "--json").json["session"]
    assert cli("party", "run", "--session", made, "--rounds", "1").code == 0
    told = cli("session", "export", made, "--seat", "dm", "--format", "log")
    assert told.out.startswith("[DM]: ")
    assert re.search(r"^\[Thorin\]: |^\[Pell\]: |^\[Sunniva\]: ", told.out, re.M)
    refused = cli("session", "export", made, "--seat", "pell", "--format", "log")
    assert refused.code
    assert "for the seat 'dm' alone" in refused.err


@pytest.mark.parametrize("name", ["Tell", "Ask", "Human", "Table", "Party", "Foes"])
def test_a_name_of_the_tables_own_is_refused_by_check_and_new_alike(
    cli: Run,
    tmp_path: Path,
    name: str,
) -> None:
    sheet = tmp_path / "own.yaml"
    sheet.write_text(SHEET.replace("Tell", name), encoding="utf-8")
    checked = cli("party", "check", str(sheet), "--json")
    laid_ = cli("party", "new", "--characters", str(sheet))
    written = cli(
        "party", "create", "--name", name, "--race", "human", "--class", "bard", "--no-ask"
    )
    assert (checked.code, laid_.code, written.code) == (2, 2, 2)
    for told in (checked.json["files"][0]["problem"], laid_.err, written.err):
        assert f"{name!r} is that of a seat of the table" in told
