"""What a client's address counts as."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.types import Scope


def client_of(scope: Scope) -> str:
    """Return the address a request is counted under; of IPv6 the network that one customer has."""
    host = str((scope.get("client") or ("",))[0])
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return host
