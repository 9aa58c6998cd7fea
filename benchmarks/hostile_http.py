"""What the worst requests do to everybody else: `python -m benchmarks.hostile_http [--route WORD]`.

A server as users start it, after `ulimit -n 1024`. Every route of its OpenAPI document and every
tool of its MCP door gets texts that are dear to read, as long as a message may be, and bodies as
long as a body may be. Meanwhile `/health` is asked over and over, and so is a peer: a bare asyncio
server in a process of its own, which shows what the machine alone delays. Told are the slowest
answers of both, the requests that they came with, the processor time that the server took, and for
how long it was ready to run while other programs had the processors (Linux counts that). Exits with
1 when an answer took a second longer than that and the peer's, each time that it was tried.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Condition, Event, Thread
from time import monotonic
from typing import Any, NamedTuple

import httpx
from benchmarks.doors import cpu_seconds
from tests.pace import grown, held_up
from tests.routes import BYTES, Ask, Server

FILES = 1024
BOUND = 1.0
"""Seconds that `/health` may take."""
EVERY = 0.05
"""Seconds between two questions."""
GIVEN_UP = 60.0
SUSPECT, TRIES = 0.5, 3
"""Seconds after which a request is tried again, and how often it is tried in all."""
PROGRESS = 500
"""Requests after which the count so far is told."""
MESSAGE = 8_000
SHOP = "https://shop.example"
"""A page that shows agents to guests."""
BODY = 999_000
LONG = 15_900_000
REVIEW = 7_900_000
PIECES = (
    *("a", "1", " ", "<script", "@dm ", "(", "[", "{", "-", "*", "`", "# ", "|a", "ß", "é", "🎲"),
    *("PS11752778 ", "WDT780SAEM1 ", "3d6+", "1,000,", "1/2 ", "two hundred ", "0.0.0.0 ", "a@"),
    *("I attack the orc and ", "if I don't not ", "and then or ", "one ", "Our Garchomp "),
    *("Gruul wipe pull 3 vs 4 ", "why did we wipe on ", "|move|p1a: X|", "http://a.", "- [ ]("),
    *("'", '"', "\\", "\n", "\x00", "\u202e\u0301", "Brom says: \u201c"),
)


def texts(rng: random.Random) -> Iterator[str]:
    """Return texts that are dear to read: one piece over and over, and mixtures."""
    for piece in PIECES:
        yield (piece * MESSAGE)[:MESSAGE]
    for _ in range(len(PIECES) // 2):
        few = rng.sample(PIECES, 4)
        yield "".join(rng.choice(few) for _ in range(MESSAGE))[:MESSAGE]


def bodies(size: int) -> Iterator[bytes]:
    """Return bodies of a size that are dear to parse."""
    yield b"[" * size
    yield b'{"a":' * (size // 5)
    yield b"[" * 900 + b"0" + b"]" * 900
    yield b'{"message": "' + b"a" * (size - 20) + b'"}'
    yield b'{"message": "' + b"\\u0000" * (size // 6 - 5) + b'"}'
    yield b'{"message": ' + b"9" * (size - 20) + b"}"
    yield (
        b'{"message": "a", "action": {'
        + b",".join(b'"%d":1' % n for n in range(size // 12))
        + b"}}"
    )
    yield b'{"message": "a", "action": {"kind": [' + b"[]," * (size // 3 - 20) + b"[]]}}"
    yield b'{"agent": "parts", "config": {"a": ' + b'[{"a":' * 400 + b"1" + b"}]" * 400 + b"}}"
    yield (
        b'{"agent": "saga", "config": {'
        + b",".join(b'"%d":{}' % n for n in range(size // 13))
        + b"}}"
    )
    yield b"1e" + b"9" * size


def chats(size: int) -> Iterator[bytes]:
    """Return whole chats, as programs send them each time."""
    for text in ("a", "My dishwasher leaks ", "I attack the orc"):
        said = json.dumps({"role": "user", "content": text}).encode()
        heard = json.dumps({"role": "assistant", "content": text}).encode()
        pair = said + b"," + heard + b","
        start = b'{"model": "parts", "stream": false, "messages": ['
        yield start + pair * (size // len(pair) - 2) + said + b"]}"
        yield (
            start.replace(b'"messages"', b'"input"') + pair * (size // len(pair) - 2) + said + b"]}"
        )
    yield (
        b'{"model": "parts", "messages": [{"role": "user", "content": "'
        + b"a" * (size - 90)
        + b'"}]}'
    )


def files() -> Iterator[bytes]:
    """Return files that are sent as a whole body."""
    for piece in (
        "<script",
        "|move|p1a: X|Tackle|p2a: Y\n",
        "a",
        "\n",
        '{"',
        "|",
        "<script class=x>",
        "1/2 12:00:00.000  A,",
    ):
        yield (piece * (REVIEW // len(piece))).encode()
    yield b"\x1f\x8b" + b"\x00" * REVIEW


def asks(server: Server, rng: random.Random) -> Iterator[Ask]:
    """Return every request of the corpus."""
    for path, methods in server.document["paths"].items():
        content = methods.get("post", {}).get("requestBody", {}).get("content", {})
        if "application/octet-stream" in content:
            for body in files():
                yield Ask(f"POST {path} file", "POST", f"{path}?name=a", body, BYTES)
        elif content:
            long = path.startswith("/v1/")
            for body in (
                *bodies(BODY),
                *(chats(LONG) if long else ()),
                *(bodies(LONG) if long else ()),
            ):
                yield from server.raw(path, body)
    for body in bodies(BODY):
        yield from server.raw("/mcp/all", body)

    for text in texts(rng):
        yield from server.asks(text)


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, int]]:
    """Run a server with few files; yield its address and process id."""
    command = [sys.executable, "-m", "ruleplay.cli.main", "serve", "--port", "0", "--json"]
    limited = ["sh", "-c", f'ulimit -n {FILES}; exec "$@"', "sh", *command]
    own = {name: value for name, value in os.environ.items() if not name.startswith("RULEPLAY_")}
    given = own | {
        "RULEPLAY_HOME": str(folder),
        "RULEPLAY_TOML": os.devnull,
        "RULEPLAY_FRAMED_BY": json.dumps([SHOP]),
    }
    with (folder / "log").open("w") as log, ExitStack() as held:
        process = held.enter_context(
            subprocess.Popen(limited, stdout=subprocess.PIPE, stderr=log, text=True, env=given)
        )
        held.callback(process.kill)
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"], process.pid


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(asyncio.IncompleteReadError):
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await writer.drain()
    writer.close()


async def serve_peer() -> None:
    """Answer whatever is asked, and print the port first."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


@contextmanager
def peer() -> Iterator[str]:
    """Run the peer; yield its address."""
    command = [sys.executable, "-m", "benchmarks.hostile_http", "--peer"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.kill()


class Watch:
    """Asks for health over and over; `slowest` is the longest that an answer took.

    `own` is the longest without the time in which the process asked could not run for others.
    """

    def __init__(self, url: str, pid: int | None = None) -> None:
        self.slowest, self.own, self.rounds, self.answers = 0.0, 0.0, 0, 0
        self._asked = () if pid is None else (pid,)
        self._url, self._over, self._told = url, Event(), Condition()
        self._at_once = Event()
        self._thread = Thread(target=self._ask, daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        with httpx.Client(base_url=self._url, timeout=GIVEN_UP) as client:
            while not self._over.is_set():
                began, before = monotonic(), held_up(*self._asked)
                with suppress(httpx.TransportError):  # a line that the server gave up is no answer
                    client.get("/health")
                    self.answers += 1
                took = monotonic() - began
                with self._told:
                    self.slowest = max(self.slowest, took)
                    self.own = max(self.own, took - grown(before, held_up(*self._asked)))
                    self.rounds += 1
                    self._told.notify_all()
                self._at_once.wait(EVERY)

    def settled(self) -> float:
        """Wait for what was asked by now, and for one answer more; return the slowest."""
        self._at_once.set()
        with self._told:
            wanted = self.rounds + 2
            self._told.wait_for(lambda: self.rounds >= wanted, GIVEN_UP * 3)
            self._at_once.clear()
            return self.slowest

    def end(self) -> None:
        """Stop asking."""
        self._over.set()
        self._thread.join(GIVEN_UP)


class Delay(NamedTuple):
    """What a request did to others: the slowest checks, in seconds, and what the server did."""

    health: float
    own: float
    peer: float
    cpu: float
    status: int | str


def delayed(client: httpx.Client, watch: Watch, beside: Watch, ask: Ask, pid: int) -> Delay:
    """Send a request; return what came of it."""
    watch.slowest = watch.own = beside.slowest = 0.0
    used = cpu_seconds(pid)
    status: int | str
    try:
        status = client.request(
            ask.method, ask.path, content=ask.body, headers=ask.headers
        ).status_code
    except httpx.HTTPError as error:
        status = type(error).__name__
    health, beside_it = watch.settled(), beside.settled()
    return Delay(health, watch.own, beside_it, cpu_seconds(pid) - used, status)


def tried(client: httpx.Client, watch: Watch, beside: Watch, ask: Ask, pid: int) -> list[Delay]:
    """Send a request, again if it was slow: another program may have had the machine to itself."""
    tries = [delayed(client, watch, beside, ask, pid)]
    while tries[-1].health > SUSPECT and len(tries) < TRIES:
        tries.append(delayed(client, watch, beside, ask, pid))
    return tries


def told_of(ask: Ask, tries: list[Delay]) -> dict[str, Any]:
    """Return what is said of a request that was tried again."""
    body = ask.body or b""
    return {
        "what": ask.what,
        "seconds": [round(each.health, 2) for each in tries],
        "own_seconds": [round(each.own, 2) for each in tries],
        "peer_seconds": [round(each.peer, 2) for each in tries],
        "cpu_seconds": [round(each.cpu, 2) for each in tries],
        "status": tries[-1].status,
        "body": len(body),
        "begins": repr(body[:80]),
    }


def memory(pid: int) -> int:
    """Return the megabytes that a process holds."""
    told = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in told if line.startswith("VmRSS")) // 1024


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """Send everything; return what was slow."""
    rng, chance = random.Random(given.seed), random.Random(given.seed + 1)
    whole = True
    worst: dict[str, float] = {}
    slow: list[dict[str, Any]] = []
    statuses: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    over, own, peers = 0, 0, 0.0
    until = monotonic() + given.minutes * 60
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        url, pid = held.enter_context(serving(folder))
        client = held.enter_context(httpx.Client(base_url=url, timeout=GIVEN_UP))
        server = Server.met(client, SHOP)
        watch, beside = Watch(url, pid), Watch(held.enter_context(peer()))
        held.callback(watch.end)
        held.callback(beside.end)
        for ask in asks(server, rng):
            if given.route not in ask.what or chance.random() > given.share:
                continue
            whole = monotonic() < until
            if not whole:
                break
            tries = tried(client, watch, beside, ask, pid)
            statuses[str(tries[0].status)] += 1
            if tries[0].status == 500:
                broken[ask.what] += 1
            over += tries[0].health > BOUND
            # What other programs took from the server or the peer is no delay of its making.
            own += min(each.own - each.peer for each in tries) > BOUND
            peers = max(peers, *(each.peer for each in tries))
            least = min(each.health for each in tries)
            worst[ask.what] = max(least, worst.get(ask.what, 0.0))
            if len(tries) > 1:
                slow.append(told_of(ask, tries))
                sys.stderr.write(f"{json.dumps(slow[-1])}\n")
            if not statuses.total() % PROGRESS:
                sys.stderr.write(f"{statuses.total()} requests, {own} over, now {ask.what}\n")
        server.check(client)
        rss = memory(pid)
    routes = sorted(((took, what) for what, took in worst.items()), reverse=True)
    return {
        "requests": statuses.total(),
        "health_checks": watch.answers,
        "peer_checks": beside.answers,
        "to_the_end": whole,
        "routes": len({what.partition(" as ")[0] for what in worst}),
        "statuses": dict(sorted(statuses.items())),
        "answered_500": dict(broken),
        "slowest_health_seconds": round(routes[0][0], 3),
        "slowest_peer_seconds": round(peers, 3),
        "slowest": [[round(seconds, 3), what] for seconds, what in routes[:15]],
        "over_half_a_second": slow,
        "over_a_second_at_first": over,
        "over_a_second_of_its_own": own,
        "rss_mb": rss,
    }


def main() -> int:
    """Measure, print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--route", default="", help="only requests whose name has this word")
    parser.add_argument("--share", type=float, default=1.0, help="of the corpus, at random")
    parser.add_argument("--minutes", type=float, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.peer:
        asyncio.run(serve_peer())
    result = measure(given)
    told = {
        "command": " ".join(("python -m benchmarks.hostile_http", *sys.argv[1:])),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "load_average": round(os.getloadavg()[1], 1)},
        "result": result,
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return 1 if result["over_a_second_of_its_own"] else 0


if __name__ == "__main__":
    sys.exit(main())
