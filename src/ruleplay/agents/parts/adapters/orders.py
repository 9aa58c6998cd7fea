"""Asks the shop's read-only webhook for the status of an order."""

from __future__ import annotations

import json
import re
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from ruleplay.agents.parts.adapters.shop import Orders

SECONDS = 5
"""Seconds after which a slow webhook counts as not answering."""
_MOST = 4_000
"""Bytes of the answer that are read."""
_SHOWN = 200
"""Characters of a status that are shown."""
_UNSEEN = re.compile(r"[^\x20-\x7e\xa0-\ud7ff]+")
"""Control characters and symbols such as emoji, since the status is shown as plain text."""


def order_status(orders: Orders, number: str) -> str:
    """Ask the webhook, which answers `{"status": "…"}`; empty if it does not know or fails."""
    secret = orders.secret.get_secret_value()
    request = Request(  # the address is the owner's, only the number is a customer's
        orders.status.replace("{order}", quote(number, safe="")),
        headers={"Authorization": f"Bearer {secret}"} if secret else {},
    )
    try:
        with urlopen(request, timeout=SECONDS) as answer:
            told = json.loads(answer.read(_MOST))
    except (URLError, OSError, ValueError):
        return ""
    status = told.get("status") if isinstance(told, dict) else None
    return _UNSEEN.sub(" ", status)[:_SHOWN] if isinstance(status, str) else ""
