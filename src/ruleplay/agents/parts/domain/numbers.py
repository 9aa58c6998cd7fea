"""The normal form in which model and part numbers are compared and stored as keys."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 40
"""Most characters of a number in normal form."""
_NOT_ID = re.compile(r"[^A-Z0-9]+")


def normal(text: str) -> str:
    """Bring a number into normal form: ASCII capitals and digits, without separators.

    `"wdt-780 saem1"` becomes `"WDT780SAEM1"`, and full-width forms become ASCII. Letters outside
    ASCII are dropped: no manufacturer uses them in numbers.
    """
    # The common case comes first, because an import normalises millions of numbers.
    if text.isascii() and text.isalnum():
        return text.upper()
    return _NOT_ID.sub("", unicodedata.normalize("NFKC", text).upper())
