"""Real battles on the real server: finished, with no invalid choice, whatever happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from ruleplay.adversary.hostile import HostileModel
from ruleplay.agents.battle.adapters.arena import Arena, ArenaReport, Plan
from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import Account, Connection, Patience
from ruleplay.agents.battle.adapters.contest import BattleResult, Contest
from ruleplay.agents.battle.adapters.opponents import BaselineChooser
from ruleplay.agents.battle.adapters.player import PlaySettings, SessionChooser
from ruleplay.agents.battle.adapters.replays import read_replay
from ruleplay.agents.battle.adapters.review import review_replay
from ruleplay.agents.battle.adapters.seat import Seat
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.adapters.teams import pack_team
from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.domain.standing import Standing
from ruleplay.agents.battle.state import State
from ruleplay.catalog import find_agent
from ruleplay.errors import Conflict
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.settings import Settings

FORMAT = "gen9randombattle"
LONG = 300.0
"""Seconds that a decision may take: on a busy machine every one of them counts."""
QUICK = PlaySettings(search_ms=0, deadline=LONG)
PATIENT = Patience(login=30, start=60, silence=60)
TEAM = """
Garchomp @ Rocky Helmet
Ability: Rough Skin
Tera Type: Steel
EVs: 252 Atk / 4 SpD / 252 Spe
Jolly Nature
- Earthquake
- Dragon Claw
- Swords Dance
- Stealth Rock

Corviknight @ Leftovers
Ability: Pressure
Tera Type: Water
EVs: 252 HP / 168 Def / 88 SpD
Impish Nature
- Brave Bird
- Body Press
- Roost
- U-turn

Gholdengo @ Choice Specs
Ability: Good as Gold
Tera Type: Ghost
EVs: 252 SpA / 4 SpD / 252 Spe
Timid Nature
- Make It Rain
- Shadow Ball
- Thunderbolt
- Trick
"""

FRAIL = """
Deoxys-Attack @ Life Orb
Ability: Pressure
EVs: 252 SpA / 252 Spe
Timid Nature
- Psycho Boost
- Ice Beam

Flutter Mane @ Choice Specs
Ability: Protosynthesis
EVs: 252 SpA / 252 Spe
Timid Nature
- Moonblast
- Shadow Ball

Iron Bundle @ Choice Specs
Ability: Quark Drive
EVs: 252 SpA / 252 Spe
Timid Nature
- Freeze-Dry
- Hydro Pump

Regieleki @ Choice Specs
Ability: Transistor
EVs: 252 SpA / 252 Spe
Timid Nature
- Thunderbolt
- Volt Switch
"""
"""Whoever has it ends a battle soon: two careful players with drawn teams may fight for minutes."""


async def unseen(outcome: BattleResult, standing: Standing) -> None:
    """Tell nobody how it stands."""


async def fought(host: Host, server: LocalServer, plan: Plan) -> ArenaReport:
    """Play an arena and check what every arena must hold."""
    arena = Arena(host, plan, server.url, "python", PATIENT)
    report = await arena.play(unseen)
    assert report.battles == plan.battles == report.wins + report.losses + report.ties
    assert report.invalid_choices == 0
    assert arena.timer_losses == 0
    assert report.decisions > 5 * plan.battles
    return report


async def test_arena_replays_and_reviews(host: Host, server: LocalServer, tmp_path: Path) -> None:
    folder = tmp_path / "replays"
    play = PlaySettings(search_ms=20, engine="python", deadline=LONG)
    plan = Plan("random", battles=2, concurrency=2, play=play, replays=folder)
    report = await fought(host, server, plan)
    assert report.fallbacks == 0
    assert set(report.model_dump()) == {
        *("opponent", "battles", "wins", "losses", "ties", "win_rate", "ci95", "decisions"),
        *("invalid_choices", "unavailable_choices", "fallbacks", "decision_ms", "search_ms"),
        *("engine", "decided"),
    }
    (saved, *_), (page, *_), (log, *_) = (
        sorted(folder.glob(f"*.{e}")) for e in ("json", "html", "log")
    )
    world, ours = World(host.settings.home), read_replay(saved)
    assert ours.decisions
    reviewed = await review_replay(ours, "", world, search_ms=0, engine="python")
    assert reviewed.exact
    for file in (page, log):
        found = read_replay(file)
        assert found.winner == ours.winner
        seen = await review_replay(found, ours.us, world, search_ms=0, engine="python")
        assert len(seen.turns) >= 0.6 * len(reviewed.turns)
        assert not seen.exact
    assert (await replay(host, ours.session)).identical


@pytest.mark.parametrize("opponent", ["maxdamage", "heuristics", "self"])
async def test_a_battle_against_each_opponent(
    host: Host, server: LocalServer, opponent: str
) -> None:
    frail = {"format": "gen9anythinggoes", "packed": pack_team(FRAIL)} if opponent == "self" else {}
    await fought(host, server, Plan(opponent, battles=1, play=QUICK, **frail))  # type: ignore[arg-type]


async def test_a_hostile_model_makes_no_invalid_choice(
    settings: Settings, server: LocalServer
) -> None:
    chosen = settings.model_copy(update={"model": "hostile"})
    host = await Host.open(chosen, find_agent)
    host.models.stand_ins["hostile"] = HostileModel(5)
    try:
        report = await fought(host, server, Plan("random", battles=1, play=QUICK))
    finally:
        await host.close()
    assert report.fallbacks > 0


async def test_a_team_is_brought_and_led(host: Host, server: LocalServer) -> None:
    plan = Plan("random", battles=1, format="gen9anythinggoes", packed=pack_team(TEAM), play=QUICK)
    await fought(host, server, plan)


class Cable:
    """A line to a server that can be cut."""

    def __init__(self, port: int) -> None:
        self._to, self.port, self.cuts = port, 0, 0
        self._writers: set[asyncio.StreamWriter] = set()

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers |= {writer, back}
        await asyncio.gather(_pump(reader, back), _pump(there, writer))

    def cut(self) -> None:
        """Cut every line there is; new ones can be laid."""
        self.cuts += 1
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def cable(server: LocalServer) -> AsyncIterator[Cable]:
    laid = Cable(server.port)
    async with await asyncio.start_server(laid.join, "127.0.0.1", 0) as listening:
        laid.port = listening.sockets[0].getsockname()[1]
        yield laid
        laid.cut()


class Cutting(SessionChooser):
    """A player whose line is cut before some of its orders are sent."""

    line: Cable

    async def choose(self, contest: Contest) -> str:
        choice = await super().choose(contest)
        if contest.turn in (3, 6) and contest.turn // 3 > self.line.cuts:
            self.line.cut()
        return choice


async def test_a_dropped_line_in_mid_battle(host: Host, server: LocalServer) -> None:
    async with cable(server) as laid:
        ours = Connection(
            f"ws://127.0.0.1:{laid.port}/showdown/websocket", Account.guest(), PATIENT
        )

        def chooser() -> SessionChooser:
            made = Cutting(host, QUICK)
            made.line = laid
            return made

        theirs = Connection(server.url, Account.guest("Gary"), PATIENT)
        async with (
            Client(ours, chooser, format=FORMAT) as us,
            Client(theirs, lambda: BaselineChooser("random"), format=FORMAT) as them,
        ):
            accepting = asyncio.create_task(them.accept(us.name))
            outcome = await us.challenge(them.name)
            await accepting
    assert laid.cuts >= 1
    assert ours.logins == laid.cuts + 1 or ours.logins == laid.cuts
    assert outcome.tally.invalid == 0
    head = next(head for head in await host.store.recent() if head.agent == "battle")
    assert json.loads(head.state)["result"] in ("win", "loss", "tie")


async def test_a_player_that_comes_back_finds_its_battle_and_session(
    host: Host, server: LocalServer
) -> None:
    account = Account.guest()
    theirs = Connection(server.url, Account.guest("Gary"), PATIENT)
    async with Client(theirs, lambda: BaselineChooser("random"), format=FORMAT) as them:
        accepting = asyncio.create_task(them.accept(account.name))
        first = Seat.at(Connection(server.url, account, PATIENT), host, QUICK, format=FORMAT)
        async with first.client as us:
            playing = asyncio.create_task(us.challenge(them.name))
            async with asyncio.timeout(180):
                while not any(contest.turn >= 2 for contest in us.contests.values()):
                    await asyncio.sleep(0.02)
            vanish(us)
            with suppress(asyncio.CancelledError):
                playing.cancel()
                await playing
        again = Seat.at(Connection(server.url, account, PATIENT), host, QUICK, format=FORMAT)
        async with again.client as us:
            async with asyncio.timeout(180):
                while not us.games:
                    await asyncio.sleep(0.02)
            (room,) = again.running()
            outcome = await again.resumed(room)
        await accepting
    assert again.sessions == first.sessions
    assert outcome.turns >= 2
    assert (outcome.tally.invalid, outcome.tally.fallbacks) == (0, 0)


def vanish(client: Client) -> None:
    """End a client as a crash does: no farewell, nothing closed in order."""
    socket = client.connection._socket
    assert socket is not None
    socket.transport.abort()


class Coach:
    """Somebody who looks at our battle, orders something else once a turn and lets it go.

    After so many orders they give the battle up.
    """

    ORDERS = 4

    def __init__(self, host: Host) -> None:
        self._host, self.session = host, ""
        self.ordered: list[str] = []
        self.gave_up = False

    def sits(self, room: str, session: str) -> None:
        self.session = session

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(0.05)
            if self.session and (await self._view())["decision"]:
                await self._speak()

    async def _speak(self) -> None:
        session, shown = Session(self._host, self.session), (await self._view())["decision"]
        if not shown["held"] or self.gave_up:
            return
        if len(self.ordered) == self.ORDERS:
            await session.turn(action={"kind": "wish", "wish": {"do": "forfeit"}})
            self.gave_up = True
            return
        head = await session.head()
        state, _ = await self._host.state(head, head.head)
        assert isinstance(state, State)
        assert state.position is not None
        other = next(o for o in state.position.legal if state.position.wire(o) != shown["wire"])
        wish = {key: value for key, value in other.model_dump().items() if key != "kind"}
        with suppress(Conflict):
            wanted: Json = {"kind": "wish", "wish": {"do": other.kind, **wish}}
            await session.turn(action=wanted)
            await session.turn(action={"kind": "send", "request_id": shown["request_id"]})
            self.ordered.append(state.position.wire(other))

    async def _view(self) -> Json:
        return await Session(self._host, self.session).view()


async def test_orders_wait_for_a_person_and_are_sent_as_they_want(
    host: Host, server: LocalServer
) -> None:
    coach = Coach(host)
    play = PlaySettings(search_ms=0, hold=20, deadline=LONG)
    ours = Connection(server.url, Account.guest(), PATIENT)
    theirs = Connection(server.url, Account.guest("Gary"), PATIENT)
    async with (
        Client(ours, lambda: SessionChooser(host, play, coach.sits), format=FORMAT) as us,
        Client(theirs, lambda: BaselineChooser("random"), format=FORMAT) as them,
    ):
        accepting = asyncio.create_task(them.accept(us.name))
        watching = asyncio.create_task(coach.watch())
        async with asyncio.timeout(200):
            outcome = await us.challenge(them.name)
        watching.cancel()
        await accepting
    turns = await Session(host, coach.session).turns()
    sent = [str(e["wire"]) for turn in turns for e in turn.events if e["type"] == "OrderSent"]
    assert coach.ordered
    assert set(coach.ordered) <= set(sent)
    assert outcome.won is False or not coach.gave_up
    assert (outcome.tally.invalid, outcome.tally.fallbacks) == (0, 0)
    assert (await replay(host, coach.session)).identical
