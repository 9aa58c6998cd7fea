"""Everyday words that are no part of a number and say nothing about which part is meant."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")

_COMMON = """
    a about after again all also am an and another any are as at back be because been before but by
    can could did do does done down fit fits for from get gets go goes got had has have he help her
    hers hi his how i if in into is isn it its just know like make me might mine model models more
    most much my need needs new no not now number numbers of off old on one only or other our out
    over part parts please put same says she should so some than thank thanks that the their them
    then there these they this those to too told try two up use used using very want was we were
    what when where which while who why will with won would yes you your
    jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july
    august september october november december mon tue wed thu fri sat sun monday tuesday wednesday
    thursday friday saturday sunday today tomorrow yesterday
"""

COMMON = frozenset(_COMMON.split())


def search_terms(description: str) -> tuple[str, ...]:
    """List the words of a description that are worth searching for, each once, at most 12."""
    words = (word.casefold() for word in _WORD.findall(description[:2000]))
    kept = dict.fromkeys(word for word in words if len(word) > 1 and word not in COMMON)
    return tuple(kept)[:12]
