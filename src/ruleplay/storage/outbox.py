"""An outbox: messages stay in a SQLite file until they are delivered, with retries.

Each message has an idempotency key. Queueing it twice sends it once, and the receiver can detect a
repeated delivery, which happens when an acknowledgement is lost. Webhook bodies are signed:
`Ruleplay-Signature: t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 of "SECONDS.BODY". The time is
signed so that receivers can refuse replayed requests.
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
"""Timeout of a delivery, and of a locked file."""
WAITS = (0, 30, 120, 600, 3600, 6 * 3600)
"""Seconds before each attempt; after the last the message stays listed as failed."""
FAILURES = (OSError, HTTPException, ValueError)
"""What a failed delivery may raise; URLError and SMTPException are OSErrors."""
_TABLE = """
CREATE TABLE IF NOT EXISTS outbox (
    key TEXT PRIMARY KEY, body TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
    due REAL NOT NULL, sent REAL, error TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID
"""

Send = Callable[[str, str], None]
"""A delivery channel: sends a body under a key, or raises one of `FAILURES`."""


class Waiting(NamedTuple):
    """An undelivered message; `error` is that of the last attempt."""

    key: str
    body: str
    tries: int
    error: str


class Outbox:
    """A file of messages, delivered by all `ways`; safe for several threads and processes."""

    def __init__(self, path: Path, ways: Sequence[Send], waits: Sequence[float] = WAITS) -> None:
        self._path, self._ways, self._waits = path, ways, waits
        self._lock = threading.Lock()

    def put(self, key: str, body: Json) -> bool:
        """Queue a message; False if its key is known already."""
        with self._open() as db, db:
            done = db.execute(
                "INSERT OR IGNORE INTO outbox (key, body, due) VALUES (?, ?, ?)",
                (key, json.dumps(body, sort_keys=True), time.time()),
            )
            return done.rowcount == 1

    def deliver_soon(self) -> None:
        """Deliver in a background thread."""
        threading.Thread(target=self.deliver, name="outbox", daemon=True).start()

    def deliver(self, now: float | None = None) -> int:
        """Try to send each message that is due; returns how many were delivered."""
        with self._lock:
            return sum(self._try(one, now or time.time()) for one in self._due(now or time.time()))

    def waiting(self) -> list[Waiting]:
        """List the undelivered messages."""
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


class _NoRedirects(HTTPRedirectHandler):
    """Makes a redirect an error: a receiver could point us into the owner's network (SSRF)."""

    def redirect_request(self, *_: object) -> None:
        """Refuse to follow; urllib then raises HTTPError."""


def webhook(url: str, secret: str) -> Send:
    """Make a channel that posts signed bodies to a webhook, whose URL the owner configured."""

    def post(key: str, body: str) -> None:
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Ruleplay",
            "Idempotency-Key": key,
            "Ruleplay-Signature": signature(secret, body, int(time.time())),
        }
        request = Request(url, data=body.encode(), headers=headers)
        with build_opener(_NoRedirects).open(request, timeout=SECONDS) as answer:
            answer.read(1)

    return post


def signature(secret: str, body: str, at: int) -> str:
    """Make the value of the `Ruleplay-Signature` header for a body sent at a Unix time."""
    digest = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"
