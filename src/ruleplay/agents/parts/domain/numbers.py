"""The one form in which model and part numbers are compared."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 40
_NOT_ID = re.compile(r"[^A-Z0-9]+")


def normal(text: str) -> str:
    """Fold case, spaces, dashes, dots, slashes and full-width forms.

    `"wdt-780 saem1"` becomes `"WDT780SAEM1"`. Letters outside ASCII are dropped:
    no manufacturer uses them in numbers.
    """
    if text.isascii() and text.isalnum():
        return text.upper()
    return _NOT_ID.sub("", unicodedata.normalize("NFKC", text).upper())
