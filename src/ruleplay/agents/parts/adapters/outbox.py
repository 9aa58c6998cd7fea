"""Delivers hand-overs to a person by the shop's webhook, by mail, or both."""

from __future__ import annotations

import json
import smtplib
from email.message import EmailMessage
from functools import partial
from pathlib import Path

from ruleplay.agents.parts.adapters.shop import Mail, People
from ruleplay.storage.outbox import SECONDS, Send, webhook
from ruleplay.storage.outbox import Outbox as Messages


class Outbox(Messages):
    """The queue of a shop's hand-overs."""

    def __init__(self, path: Path, people: People) -> None:
        ways: list[Send] = []
        if people.webhook:
            ways.append(webhook(people.webhook, people.secret.get_secret_value()))
        if people.mail:
            ways.append(partial(mailed, people.mail))
        super().__init__(path, ways)


def mailed(mail: Mail, key: str, body: str) -> None:
    """Send a hand-over as a mail written for people."""
    told = json.loads(body)
    message = EmailMessage()
    message["Subject"] = f"A customer asks for a person ({told['reason']})"
    message["From"], message["To"] = mail.sender, mail.to
    # The same id on every attempt lets mail systems recognise a repeated delivery.
    message["Message-ID"] = f"<{key}@ruleplay.invalid>"
    lines = [f"{line['role']}: {line['text']}" for line in told["transcript"]]
    message.set_content("\n".join((told["summary"], "", *lines)))
    with smtplib.SMTP(mail.host, mail.port, timeout=SECONDS) as server:
        if mail.starttls:
            server.starttls()
        if mail.user:
            server.login(mail.user, mail.password.get_secret_value())
        server.send_message(message)
