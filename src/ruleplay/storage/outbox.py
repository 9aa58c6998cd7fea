"""Messages on their way out: kept in a file until the receiver took them, each sent once.

Each has a key of its own, so that handing in twice sends once, and the receiver can tell a repeated
delivery. A webhook's body is signed: `Ruleplay-Signature: t=SECONDS,v1=HEX`, where HEX is the
HMAC-SHA256 of "SECONDS.BODY".
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ruleplay.records.events import Json

SECONDS = 10
WAITS = (0, 30, 120, 600, 3600, 6 * 3600)
"""Seconds before each try; after the last the message stays listed as failed."""
FAILURES = (OSError, HTTPException, ValueError)
"""What a way out may raise when it cannot be gone; URLError and SMTPException are OSErrors."""
_TABLE = """
CREATE TABLE IF NOT EXISTS outbox (
    key TEXT PRIMARY KEY, body TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
    due REAL NOT NULL, sent REAL, error TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID
"""

Send = Callable[[str, str], None]
"""A way out: takes a key and a body; raises one of `FAILURES`."""


class Waiting(NamedTuple):
    """A message that is not delivered yet."""

    key: str
    body: str
    tries: int
    error: str


class Outbox:
    """The file of messages; safe to use from several threads and processes."""

    def __init__(self, path: Path, ways: Sequence[Send], waits: Sequence[float] = WAITS) -> None:
        self._path, self._ways, self._waits = path, ways, waits
        self._lock = threading.Lock()

    def put(self, key: str, body: Json) -> bool:
        """Take a message in; one whose key is known is not taken again."""
        with self._open() as db, db:
            done = db.execute(
                "INSERT OR IGNORE INTO outbox (key, body, due) VALUES (?, ?, ?)",
                (key, json.dumps(body, sort_keys=True), time.time()),
            )
            return done.rowcount == 1

    def deliver_soon(self) -> None:
        """Deliver in the background; whoever handed in does not wait."""
        threading.Thread(target=self.deliver, name="outbox", daemon=True).start()

    def deliver(self, now: float | None = None) -> int:
        """Send what is due, once each; return how many were taken."""
        with self._lock:
            return sum(self._try(one, now or time.time()) for one in self._due(now or time.time()))

    def waiting(self) -> list[Waiting]:
        """List what is not delivered."""
        with self._open() as db:
            rows = db.execute("SELECT key, body, tries, error FROM outbox WHERE sent IS NULL")
            return [Waiting(*row) for row in rows]

    def _due(self, now: float) -> list[Waiting]:
        with self._open() as db:
            rows = db.execute(
                "SELECT key, body, tries, error FROM outbox"
                " WHERE sent IS NULL AND due <= ? AND tries < ? ORDER BY due",
                (now, len(self._waits)),
            )
            return [Waiting(*row) for row in rows]

    def _try(self, one: Waiting, now: float) -> bool:
        error = ""
        try:
            for send in self._ways:
                send(one.key, one.body)
        except FAILURES as problem:
            error = f"{type(problem).__name__}: {problem}"[:300]
        tries = one.tries + 1
        due = now + self._waits[min(tries, len(self._waits) - 1)]
        with self._open() as db, db:
            db.execute(
                "UPDATE outbox SET tries = ?, due = ?, error = ?, sent = ? WHERE key = ?",
                (tries, due, error, None if error else now, one.key),
            )
        return not error

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self._path, timeout=SECONDS)
        with closing(db):
            db.execute(_TABLE)
            yield db


class _Staying(HTTPRedirectHandler):
    """Goes to the address that the owner gave and to no other, such as one inside their network."""

    def redirect_request(self, *_: object) -> None:
        """Follow nothing; the answer is then a failure."""


def webhook(url: str, secret: str) -> Send:
    """Return the way to a webhook, the owner's own address; bodies are signed with the secret."""

    def post(key: str, body: str) -> None:
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Ruleplay",
            "Idempotency-Key": key,
            "Ruleplay-Signature": signature(secret, body, int(time.time())),
        }
        request = Request(url, data=body.encode(), headers=headers)
        with build_opener(_Staying).open(request, timeout=SECONDS) as answer:
            answer.read(1)

    return post


def signature(secret: str, body: str, at: int) -> str:
    """Sign a body for its receiver."""
    digest = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"
