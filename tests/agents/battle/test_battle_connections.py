"""Dead and hostile servers: whatever they do, it ends in bounded time with a clear error."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from ruleplay.agents.battle.adapters import connection
from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import (
    Account,
    Connection,
    Patience,
    assertion,
    read_frame,
    server_url,
    user_id,
)
from ruleplay.agents.battle.adapters.contest import Contest
from ruleplay.errors import Conflict, Unavailable, UserError

LONG = Patience(login=60, start=60, silence=60, returns=1)
"""For what comes in time, also on a busy machine; each test shortens what is not to come."""
SECONDS = 300
ROOM = "battle-gen9randombattle-1"
INIT = f">{ROOM}\n|init|battle\n|player|p1|Ash|1|\n|player|p2|Gary|2|"
Behave = Callable[[ServerConnection], Awaitable[None]]


class Splash:
    """A chooser that always says the same."""

    def __init__(self) -> None:
        self.asked = 0

    async def begin(self, contest: Contest) -> None:
        pass

    async def choose(self, contest: Contest) -> str:
        self.asked += 1
        return f"/choose move {1 + len(contest.refused)}"

    async def sent(self, contest: Contest) -> None:
        pass

    async def end(self, contest: Contest) -> None:
        pass


@asynccontextmanager
async def behaving(behave: Behave, **short: float) -> AsyncIterator[Client]:
    """Run a server that behaves so, and a client that is not connected yet.

    `short` names what the client waits for in vain, with the seconds it does.
    """

    async def handle(socket: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            await behave(socket)

    async with serve(handle, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        patience = replace(LONG, **short)
        connection = Connection(f"ws://127.0.0.1:{port}/x", Account("Ash"), patience)
        yield Client(connection, Splash, format="gen9randombattle")


async def greet(socket: ServerConnection) -> None:
    await socket.send("|challstr|4|abc")
    assert await socket.recv() == "|/trn Ash,0,"
    await socket.send("|updateuser| Ash|0|1|{}")


async def until_asked(socket: ServerConnection, what: str) -> None:
    while what not in str(await socket.recv()):
        pass


async def silent(socket: ServerConnection) -> None:
    await socket.wait_closed()


async def closing(socket: ServerConnection) -> None:
    await socket.close()


async def garbage(socket: ServerConnection) -> None:
    while True:
        await socket.send("\x00|||{]" * 50)
        await socket.send(b"\xff\xfe" * 50)
        await asyncio.sleep(0.01)


async def refusing(socket: ServerConnection) -> None:
    await socket.send("|challstr|4|abc")
    while True:
        await socket.send("|nametaken|Ash|Someone is already using the name")
        await asyncio.sleep(0.05)


async def kicking(socket: ServerConnection) -> None:
    await greet(socket)
    await socket.close()


async def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        line = Connection(f"ws://127.0.0.1:{port}/x", Account("Ash"), LONG)
        with pytest.raises(Unavailable, match="cannot be used"):
            async with asyncio.timeout(SECONDS), Client(line, Splash, format="gen9ou"):
                pass


@pytest.mark.parametrize("behave", [silent, closing, garbage, refusing])
async def test_a_server_that_lets_nobody_in(behave: Behave) -> None:
    async with behaving(behave, login=0.5) as client:
        with pytest.raises(Unavailable):
            async with asyncio.timeout(SECONDS), client:
                pass


async def test_a_name_that_an_older_line_of_ours_still_holds_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "NAME_PAUSE", 0.01)

    async def behave(socket: ServerConnection) -> None:
        await socket.send("|challstr|4|abc")
        for _ in range(3):
            await until_asked(socket, "/trn Ash,")
            await socket.send("|nametaken|Ash|Someone is already using the name")
        await until_asked(socket, "/trn Ash,")
        await socket.send("|updateuser| Ash|1|60|{}")
        await socket.wait_closed()

    async with behaving(behave) as client, asyncio.timeout(SECONDS), client:
        assert client.name == "Ash"


async def test_a_server_that_kicks_everybody_out() -> None:
    async with behaving(kicking, start=0.5) as client:
        with pytest.raises(Unavailable, match=r"cannot be used|no battle began"):
            async with asyncio.timeout(SECONDS), client:
                await client.challenge("Gary")


async def test_a_challenge_nobody_answers() -> None:
    async def behave(socket: ServerConnection) -> None:
        await greet(socket)
        await socket.wait_closed()

    async with behaving(behave, start=0.5) as client:
        with pytest.raises(Unavailable, match="no battle began"):
            async with asyncio.timeout(SECONDS), client:
                await client.challenge("Gary")


async def test_a_challenge_that_is_refused_says_why() -> None:
    async def behave(socket: ServerConnection) -> None:
        await greet(socket)
        await until_asked(socket, "/challenge")
        await socket.send("|popup|Your team was rejected||- It has no Pokémon")
        await socket.wait_closed()

    async with behaving(behave) as client:
        with pytest.raises(Conflict, match="Your team was rejected"):
            async with asyncio.timeout(SECONDS), client:
                await client.challenge("Gary")


async def test_a_battle_that_falls_silent() -> None:
    async def behave(socket: ServerConnection) -> None:
        await greet(socket)
        await until_asked(socket, "/challenge")
        await socket.send(INIT)
        await socket.wait_closed()

    async with behaving(behave, silence=0.5) as client:
        with pytest.raises(Unavailable, match="nothing was heard"):
            async with asyncio.timeout(SECONDS), client:
                await client.challenge("Gary")


async def test_a_battle_of_nonsense() -> None:
    async def behave(socket: ServerConnection) -> None:
        await greet(socket)
        await until_asked(socket, "/challenge")
        await socket.send(INIT)
        while True:
            await socket.send(
                f">{ROOM}\n|request|{{nonsense\n|switch|p9z|??|\n|move|\n|-damage|p1a"
            )
            await asyncio.sleep(0)

    async with behaving(behave) as client:
        with pytest.raises(Unavailable, match=r"nonsense|more than can be read"):
            async with asyncio.timeout(SECONDS), client:
                await client.challenge("Gary")


class Followed(Contest):
    """A battle that counts the frames it has dealt with."""

    dealt_with = 0

    async def _follow(self) -> None:
        await super()._follow()
        self.dealt_with += 1


async def played(*lines: str) -> tuple[Contest, list[str]]:
    """Play a battle of which the server sends these frames, and return what we sent."""
    sent: list[str] = []

    async def send(room: str, text: str) -> bool:
        sent.append(text)
        return True

    contest = Followed(ROOM, "Ash", "gen9randombattle", Splash(), send, silence=60)
    playing = asyncio.create_task(contest.play())
    for count, line in enumerate((*INIT.split("\n")[1:], *lines), 1):
        contest.put([line])
        async with asyncio.timeout(180):
            while contest.dealt_with < count and not playing.done():
                await asyncio.sleep(0)
    try:
        await playing
    except Unavailable as error:
        sent.append(str(error))
    return contest, [text for text in sent if text != "/timer on"]


def request(number: int) -> str:
    asked = {"rqid": number, "side": {"id": "p1", "pokemon": []}, "active": [{"moves": []}]}
    return f"|request|{json.dumps(asked)}"


INVALID = "|error|[Invalid choice] Can't move: You can't use that"
LATE = "|error|[Invalid choice] Sorry, too late to make a different move"
HIDDEN = "|error|[Unavailable choice] Can't switch: The active Pokémon is trapped"


async def test_an_invalid_choice_is_counted_and_another_is_made() -> None:
    contest, sent = await played(request(3), INVALID, INVALID, "|win|Ash")
    assert sent == ["/choose move 1|3", "/choose move 2|3", "/choose move 3|3"]
    assert contest.tally.invalid == 2
    assert contest.outcome is not None
    assert contest.outcome.won


async def test_refusals_without_end_are_given_up() -> None:
    contest, sent = await played(request(3), *[INVALID] * 20)
    assert sent[4] == "/choose default|3"
    assert len(sent) < 12
    assert "takes none of our choices" in sent[-1]
    assert contest.outcome is None


async def test_a_hidden_trap_is_no_fault_of_ours() -> None:
    contest, sent = await played(request(3), HIDDEN, request(4), "|win|Gary")
    assert sent == ["/choose move 1|3", "/choose move 1|4"]
    assert (contest.tally.invalid, contest.tally.unavailable) == (0, 1)
    assert contest.outcome is not None
    assert contest.outcome.won is False


async def test_a_late_choice_is_no_illegal_one() -> None:
    contest, sent = await played(request(3), LATE, "|tie")
    assert sent == ["/choose move 1|3"]
    assert (contest.tally.invalid, contest.tally.late) == (0, 1)
    assert contest.outcome is not None
    assert contest.outcome.won is None


async def test_waiting_is_no_question_and_what_was_sent_is_not_sent_again() -> None:
    wait = '|request|{"wait": true, "rqid": 2}'
    _, sent = await played(wait, "|win|Ash")
    assert sent == []


async def test_losing_on_time_is_noticed() -> None:
    contest, _ = await played("|inactive|Ash lost due to inactivity.", "|win|Gary")
    assert contest.tally.timed_out


def test_servers_are_named_in_many_ways() -> None:
    assert server_url("showdown").startswith("wss://")
    assert server_url("http://127.0.0.1:8000") == "ws://127.0.0.1:8000/showdown/websocket"
    assert server_url("127.0.0.1:8000") == "ws://127.0.0.1:8000/showdown/websocket"
    assert server_url("wss://h/socket") == "wss://h/socket"
    with pytest.raises(UserError):
        server_url("ftp://h")


def test_frames_names_and_assertions() -> None:
    assert read_frame(">battle-1\n|turn|1\n|x") == ("battle-1", ["|turn|1", "|x"])
    assert read_frame("|updateuser|x") == ("", ["|updateuser|x"])
    assert read_frame(b"\xff") == ("", [])
    assert user_id("Mr. Mime-Galar 2") == "mrmimegalar2"
    assert assertion(']{"assertion": "abc"}') == "abc"
    assert assertion("]garbage") == ""
    assert assertion(" abc \n") == "abc"
    assert len(Account.guest("Ruleplay is long").name) <= 18
    assert Account.guest().name != Account.guest().name
