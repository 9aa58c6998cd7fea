"""The shop's read-only hook for an order's status."""

from __future__ import annotations

import json
import re
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from ruleplay.agents.parts.adapters.shop import Orders

SECONDS = 5
_MOST = 4_000
_SHOWN = 200
_NUMBER = re.compile(r"\b(?=[A-Z-]{0,4}\d)[A-Z]{0,4}-?\d[\d-]{3,19}\b", re.IGNORECASE)
_UNSEEN = re.compile(r"[^\x20-\x7e\xa0-\ud7ff]+")


def order_number(message: str) -> str:
    """Return what looks like an order's number in a message; empty when nothing does."""
    found = _NUMBER.search(message)
    return found[0] if found else ""


def order_status(orders: Orders, number: str) -> str:
    """Ask the hook, which answers `{"status": "…"}`; empty when it does not know or not answer."""
    secret = orders.secret.get_secret_value()
    request = Request(  # the owner's own address
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
