"""Loopback addresses: those that only this machine itself can reach."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Whether a host (without port) is `localhost` or a loopback address; resolves no names."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_loopback_url(url: str) -> bool:
    """Whether a URL's host is a loopback address; ValueError if it is not a URL."""
    return is_loopback(urlsplit(url).hostname or "")
