"""Loopback addresses: those that only this machine itself can reach."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Whether a host name or address (without port) is `localhost` or a loopback address.

    Other names are never looked up: what they resolve to may change after the check.
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_loopback_url(url: str) -> bool:
    """Whether a URL's host is a loopback address; ValueError if it is not a URL."""
    return is_loopback(urlsplit(url).hostname or "")
