"""The address under which a client's requests are counted."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.types import Scope


def client_of(scope: Scope) -> str:
    """Return the client's address; for IPv6 its /64 network, all of which one customer controls."""
    host = str((scope.get("client") or ("",))[0])
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return host
