"""Matches names regardless of case, accents and realm, without guessing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

from ruleplay.errors import NotFound, UserError

SHORTEST = 3
"""Minimum length of what stands for a longer name."""
OFFERED = 8
"""Maximum number of names suggested in an error."""


def fold(text: str) -> str:
    """Remove case, accents and surrounding space from a text."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c)).strip()


def heard(said: Iterable[str], kinds: Iterable[str]) -> set[str]:
    """Complete folded names that begin a word of a kind: "pots" is "potion", "elixirs" "elixir".

    Other names stay, beside what they are without a plural's ending.
    """
    found: set[str] = set()
    known = {*kinds}
    parts = known | {part for kind in known for part in kind.split()}
    for one in said:
        stem = one.removesuffix("s")
        fits = {part for part in parts if len(stem) >= SHORTEST and part.startswith(stem)}
        found |= {one} if one in known else fits or {one, stem}
    return found


def find_name(wanted: str, known: Iterable[str], kind: str) -> str:
    """Find the one known name that is meant.

    Tries the full name, then the name without realm, then a substring of exactly one name. NotFound
    lists the candidates, or the nearest names if there are none.
    """
    names = list(known)
    asked = fold(wanted)
    if not asked:
        raise UserError(f"no {kind} is named; there are {_some(names)}")
    for match in (_whole, _bare, _part):
        found = [name for name in names if match(asked, fold(name))]
        if len(found) == 1:
            return found[0]
        if found:
            raise UserError(f"{wanted!r} is not one {kind}: it may be {_some(found)}")
    folded = {fold(name).partition("-")[0]: name for name in names}
    near = [folded[one] for one in get_close_matches(asked.partition("-")[0], folded, 3, 0.6)]
    offer = f"did you mean {_some(near)}?" if near else f"there are {_some(sorted(names))}"
    raise NotFound(f"no {kind} {wanted[:80]!r}; {offer}")


def _whole(asked: str, name: str) -> bool:
    return asked == name


def _bare(asked: str, name: str) -> bool:
    return asked == name.partition("-")[0]


def _part(asked: str, name: str) -> bool:
    return len(asked) >= SHORTEST and asked in name


def _some(names: list[str]) -> str:
    more = f" and {len(names) - OFFERED} more" if len(names) > OFFERED else ""
    return (", ".join(names[:OFFERED]) or "none") + more
