"""Candidates for what a mistyped number meant, and the order in which to offer them.

All strings one edit away from the input are few (about 800 for eleven characters) and complete, so
the catalog looks up which of them exist by its ordinary key, and nothing extra is stored (decision
0009). Look-alikes (O/0, I/1/L, S/5, B/8, Z/2, G/6) may be confused any number of times.
"""

from __future__ import annotations

from itertools import product

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_LOOK_ALIKES = ("O0QD", "I1L", "S5", "B8", "Z2", "G6", "UV", "MN", "CG")
"""Groups of characters that are confused when a label is read; used for ranking only."""
_CONFUSABLE = {"O": "0", "0": "O", "I": "1L", "1": "IL", "L": "1I", "S": "5", "5": "S"}
_CONFUSABLE |= {"B": "8", "8": "B", "Z": "2", "2": "Z", "G": "6", "6": "G"}
_KEYBOARD = ("1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
_MAX_SPELLINGS = 1024
"""Most spellings with look-alikes that are looked up; their number grows exponentially."""


def one_edit_away(typed: str) -> set[str]:
    """Generate all strings one deletion, transposition, substitution or insertion away."""
    cuts = [(typed[:i], typed[i:]) for i in range(len(typed) + 1)]
    near = {a + b[1:] for a, b in cuts if b}
    near |= {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    near |= {a + c + b[1:] for a, b in cuts if b for c in ALPHABET}
    near |= {a + c + b for a, b in cuts for c in ALPHABET}
    return near - {typed}


def look_alikes(typed: str) -> set[str]:
    """Generate all spellings with look-alikes exchanged; none if there would be too many."""
    choices = [c + _CONFUSABLE.get(c, "") for c in typed]
    size = 1
    for options in choices:
        size *= len(options)
    if size > _MAX_SPELLINGS:
        return set()
    return {"".join(spelling) for spelling in product(*choices)} - {typed}


def likeness(typed: str, meant: str) -> float:
    """Rate how likely `typed` is a typo of `meant`; an order between 0 and 1, not a probability.

    Look-alikes come first, then swapped neighbours, a doubled or halved character, one too many or
    too few, a neighbouring key, and any other substitution.
    """
    if len(typed) != len(meant):
        return _length_slip(*sorted((typed, meant), key=len))
    pairs = [(a, b) for a, b in zip(meant, typed, strict=True) if a != b]
    if all(any(a in group and b in group for group in _LOOK_ALIKES) for a, b in pairs):
        return 0.99 - 0.01 * len(pairs)
    if len(pairs) > 1:
        return 0.95  # two neighbours swapped
    return 0.85 if all(_neighbours(a, b) for a, b in pairs) else 0.7


def _length_slip(shorter: str, longer: str) -> float:
    """Rank one character too many or too few; doubling one, or halving a double, is most common."""
    differing = (i for i, char in enumerate(shorter) if char != longer[i])
    at = next(differing, len(shorter))
    return 0.93 if longer[at] in longer[max(at - 1, 0) : at] + longer[at + 1 : at + 2] else 0.9


def _neighbours(a: str, b: str) -> bool:
    return any(a in row and b in row and abs(row.index(a) - row.index(b)) == 1 for row in _KEYBOARD)
