"""Hand-overs on their way to a person: kept in a file until the webhook or the mail took them.

Each has a key of its own, so that handing in twice sends once, and the receiver can tell a repeated
delivery. A webhook's body is signed: `Ruleplay-Signature: t=SECONDS,v1=HEX`, where HEX is the
HMAC-SHA256 of "SECONDS.BODY".
"""

from __future__ import annotations

import hashlib
import hmac
import json
import smtplib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import Request, urlopen

from ruleplay.agents.parts.adapters.shop import Mail, People
from ruleplay.records.events import Json

SECONDS = 10
WAITS = (0, 30, 120, 600, 3600, 6 * 3600)
"""Seconds before each try; after the last the hand-over stays listed as failed."""
_TABLE = """
CREATE TABLE IF NOT EXISTS outbox (
    key TEXT PRIMARY KEY, body TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
    due REAL NOT NULL, sent REAL, error TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID
"""

Send = Callable[[str, str], None]


class Waiting(NamedTuple):
    """A hand-over that is not delivered yet."""

    key: str
    body: str
    tries: int
    error: str


class Outbox:
    """The file of hand-overs; safe to use from several threads and processes."""

    def __init__(self, path: Path, people: People) -> None:
        self._path, self._people = path, people
        self._lock = threading.Lock()

    def put(self, key: str, body: Json) -> bool:
        """Take a hand-over in; one whose key is known is not taken again."""
        with self._open() as db, db:
            done = db.execute(
                "INSERT OR IGNORE INTO outbox (key, body, due) VALUES (?, ?, ?)",
                (key, json.dumps(body, sort_keys=True), time.time()),
            )
            return done.rowcount == 1

    def deliver_soon(self) -> None:
        """Deliver in the background; the turn that handed in does not wait."""
        threading.Thread(target=self.deliver, name="hand-over", daemon=True).start()

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
                (now, len(WAITS)),
            )
            return [Waiting(*row) for row in rows]

    def _try(self, one: Waiting, now: float) -> bool:
        error = ""
        try:
            for send in self._ways():
                send(one.key, one.body)
        except (OSError, URLError, smtplib.SMTPException, ValueError) as problem:
            error = f"{type(problem).__name__}: {problem}"[:300]
        tries = one.tries + 1
        due = now + WAITS[min(tries, len(WAITS) - 1)]
        with self._open() as db, db:
            db.execute(
                "UPDATE outbox SET tries = ?, due = ?, error = ?, sent = ? WHERE key = ?",
                (tries, due, error, None if error else now, one.key),
            )
        return not error

    def _ways(self) -> list[Send]:
        ways: list[Send] = []
        if self._people.webhook:
            ways.append(self._post)
        if self._people.mail:
            ways.append(lambda key, body: mailed(_known(self._people.mail), key, body))
        return ways

    def _post(self, key: str, body: str) -> None:
        secret = self._people.secret.get_secret_value()
        request = Request(  # the owner's own address
            self._people.webhook,
            data=body.encode(),
            headers={
                "Content-Type": "application/json",
                "Idempotency-Key": key,
                "Ruleplay-Signature": signature(secret, body, int(time.time())),
            },
        )
        with urlopen(request, timeout=SECONDS) as answer:
            answer.read(1)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self._path, timeout=SECONDS)
        with closing(db):
            db.execute(_TABLE)
            yield db


def signature(secret: str, body: str, at: int) -> str:
    """Sign a body for its receiver."""
    digest = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def mailed(mail: Mail, key: str, body: str) -> None:
    """Send a hand-over as a mail that a person can read."""
    told = json.loads(body)
    message = EmailMessage()
    message["Subject"] = f"A customer asks for a person ({told['reason']})"
    message["From"], message["To"] = mail.sender, mail.to
    message["Message-ID"] = f"<{key}@ruleplay.invalid>"
    lines = [f"{line['role']}: {line['text']}" for line in told["transcript"]]
    message.set_content("\n".join((told["summary"], "", *lines)))
    with smtplib.SMTP(mail.host, mail.port, timeout=SECONDS) as server:
        if mail.starttls:
            server.starttls()
        if mail.user:
            server.login(mail.user, mail.password.get_secret_value())
        server.send_message(message)


def _known(mail: Mail | None) -> Mail:
    if mail is None:
        raise ValueError("no mail is configured")
    return mail
