"""A secret key of this installation, from which tokens are derived instead of being stored."""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

FILE = "doors.key"


class Key:
    """Derives tokens from their purpose by HMAC-SHA256, so that only the key's owner can."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def of(cls, home: Path) -> Key:
        """Read the key of a home, creating it (mode 600) if it is missing."""
        file = home / FILE
        try:
            # O_EXCL: if two processes start at once, only one creates the key and both read it.
            with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as new:
                new.write(secrets.token_hex(32).encode())
        except FileExistsError:
            pass
        return cls(file.read_bytes())

    def token(self, *parts: str) -> str:
        """Derive the token of some parts: 43 characters of URL-safe base64."""
        # With lengths, since ("ab", "c") and ("a", "bc") must not yield the same token.
        message = "".join(f"{len(part)}:{part}" for part in parts)
        made = hmac.new(self._key, message.encode(errors="surrogatepass"), sha256).digest()
        return urlsafe_b64encode(made).decode().rstrip("=")
