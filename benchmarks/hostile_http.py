"""What the worst requests do to everybody else: `python -m benchmarks.hostile_http [--route WORD]`.

A server as users start it, after `ulimit -n 1024`. Every route of its OpenAPI document and every
tool of its MCP door gets texts that are dear to read, as long as a message may be, and bodies as
long as a body may be; meanwhile `/health` is asked over and over. Told are the slowest answers of
`/health`, the requests that they came with, and the processor time that these took. Exits with 1
when one took over a second twice, and the server worked as long.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import httpx
from benchmarks.doors import cpu_seconds
from tests.routes import BYTES, Ask, Server

FILES = 1024
BOUND = 1.0
"""Seconds that `/health` may take."""
EVERY = 0.02
"""Seconds between two questions."""
GIVEN_UP = 60.0
SUSPECT = 0.5
"""Seconds after which a request is tried once more, by itself."""
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


class Watch:
    """Asks for health over and over; `slowest` is the longest that an answer took."""

    def __init__(self, url: str) -> None:
        self.slowest, self.answers = 0.0, 0
        self._url, self._over = url, Event()
        self._thread = Thread(target=self._ask, daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        with httpx.Client(base_url=self._url, timeout=GIVEN_UP) as client:
            while not self._over.is_set():
                began = monotonic()
                with suppress(httpx.NetworkError):  # a line that the server gave up is no answer
                    client.get("/health")
                    self.answers += 1
                self.slowest = max(self.slowest, monotonic() - began)
                sleep(EVERY)

    def end(self) -> None:
        """Stop asking."""
        self._over.set()
        self._thread.join(GIVEN_UP)


def delayed(
    client: httpx.Client, watch: Watch, ask: Ask, pid: int
) -> tuple[float, float, int | str]:
    """Send a request; return the slowest health check, the server's CPU seconds, and the status."""
    sleep(EVERY * 2)
    watch.slowest, used = 0.0, cpu_seconds(pid)
    status: int | str
    try:
        status = client.request(
            ask.method, ask.path, content=ask.body, headers=ask.headers
        ).status_code
    except httpx.HTTPError as error:
        status = type(error).__name__
    sleep(EVERY * 2)
    return watch.slowest, cpu_seconds(pid) - used, status


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """Send everything; return what was slow."""
    rng, chance = random.Random(given.seed), random.Random(given.seed + 1)
    whole = True
    worst: dict[str, list[float]] = {}
    slow: list[dict[str, Any]] = []
    statuses: dict[str, int] = {}
    until, count = monotonic() + given.minutes * 60, 0
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        url, pid = held.enter_context(serving(folder))
        client = held.enter_context(httpx.Client(base_url=url, timeout=GIVEN_UP))
        server = Server.met(client, SHOP)
        watch = Watch(url)
        held.callback(watch.end)
        for ask in asks(server, rng):
            if given.route not in ask.what or chance.random() > given.share:
                continue
            whole = monotonic() < until
            if not whole:
                break
            count += 1
            took, cpu, status = delayed(client, watch, ask, pid)
            statuses[str(status)] = statuses.get(str(status), 0) + 1
            if took > SUSPECT:  # another program may have had the machine to itself
                again = delayed(client, watch, ask, pid)
                took, cpu = min((took, cpu), again[:2])
            worst.setdefault(ask.what, []).append(took)
            if took > SUSPECT:
                found = {"what": ask.what, "seconds": round(took, 2), "cpu_seconds": round(cpu, 2)}
                body = ask.body or b""
                slow.append(
                    found | {"status": status, "body": len(body), "begins": repr(body[:80])}
                )
                sys.stderr.write(f"{json.dumps(slow[-1])}\n")
        told = Path(f"/proc/{pid}/status").read_text()
        rss = next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmRSS"))
    routes = sorted(((max(took), what) for what, took in worst.items()), reverse=True)
    return {
        "requests": count,
        "health_checks": watch.answers,
        "to_the_end": whole,
        "routes": len({what.partition(" as ")[0] for what in worst}),
        "statuses": dict(sorted(statuses.items())),
        "slowest_health_seconds": round(routes[0][0], 3),
        "slowest": [[round(seconds, 3), what] for seconds, what in routes[:15]],
        "over_half_a_second": slow,
        # What the machine gave to other programs is no delay of the server's making.
        "over_a_second_of_its_own": sum(min(*_times(one)) > BOUND for one in slow),
        "rss_mb": rss // 1024,
    }


def _times(found: dict[str, Any]) -> tuple[float, float]:
    return found["seconds"], found["cpu_seconds"]


def main() -> int:
    """Measure, print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--route", default="", help="only requests whose name has this word")
    parser.add_argument("--share", type=float, default=1.0, help="of the corpus, at random")
    parser.add_argument("--minutes", type=float, default=240)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
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
