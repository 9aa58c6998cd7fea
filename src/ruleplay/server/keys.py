"""A key of this installation's own: tokens that are made of it need not be kept anywhere."""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

FILE = "doors.key"


class Key:
    """Makes tokens of what they are for; whoever does not hold the key cannot."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def of(cls, home: Path) -> Key:
        """Return the key that is kept in a folder, made when it is missing."""
        file = home / FILE
        try:
            with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as new:
                new.write(secrets.token_hex(32).encode())
        except FileExistsError:
            pass
        return cls(file.read_bytes())

    def token(self, *parts: str) -> str:
        """Return the token of some parts: 43 letters, digits, `-` and `_`."""
        told = "".join(f"{len(part)}:{part}" for part in parts)
        made = hmac.new(self._key, told.encode(errors="surrogatepass"), sha256).digest()
        return urlsafe_b64encode(made).decode().rstrip("=")
