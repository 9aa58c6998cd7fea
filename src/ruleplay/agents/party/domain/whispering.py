"""Whether a message is a whisper, to whom, and in which words."""

from __future__ import annotations

import re
from typing import NamedTuple

from ruleplay.agents.party.domain.seats import DM, Audience
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.texts import fold

_WHISPER = re.compile(
    r"^\s*(?:/w(?:hisper)?|/chuchote|(?:i\s+|je\s+)?(?:whisper|murmur|chuchot|murmure)\w*"
    r"|(?:i\s+)?(?:quietly|secretly)\s+tell"
    r"|(?:i\s+)?tell(?=[^:,]*\b(?:quietly|secretly|in private)\b)"
    r"|(?:je\s+)?(?:glisse|souffle|dis|confie)\w*\s+(?:a|à|dans)\s+l['’]oreille"
    r"|(?:je\s+)?dis\s+tout\s+bas)\b\s*"
    r"(?:(?:to|a|à|au|aux|de|d['’])\s*)?(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_QUIETLY = re.compile(r"^\s*(?:quietly|secretly|in private|tout bas|en secret)\b", re.IGNORECASE)
DM_WORDS = ("dm", "gm", "mj", "game master", "maitre du jeu", "the dm", "le mj")


class Heard(NamedTuple):
    """A whisper: its ears and its words. No ears: nobody of that name is here."""

    to: Audience
    text: str


def whispered(message: str, table: Table, seat: str) -> Heard | None:
    """Return the whisper that a message is, or None; a name that nobody bears leaves `to` empty."""
    found = _WHISPER.match(message)
    if not found:
        return None
    rest, to = found["rest"].strip(), []
    while True:
        name = _leading_name(rest, table)
        if not name:
            break
        seat_named, length = name
        if seat_named != seat:
            to.append(seat_named)
        rest = rest[length:]
        joined = re.match(r"\s*(?:,|and|et|&)\s+(?=\S)", rest, re.IGNORECASE)
        if not joined or not _leading_name(rest[joined.end() :], table):
            break
        rest = rest[joined.end() :]
    rest = _QUIETLY.sub("", rest)
    text = re.sub(r"^\s*(?:[:,–-]|that\b|que\b)\s*", "", rest, flags=re.IGNORECASE).strip()
    return Heard(tuple(dict.fromkeys(to)), text.strip('"“”«» ') or rest.strip())


def _leading_name(text: str, table: Table) -> tuple[str, int] | None:
    """Return the seat that a text begins with the name of, and the length of that name."""
    plain = fold(text)
    if len(plain) != len(text):
        plain = text.casefold()
    names = [(word, DM) for word in DM_WORDS] if DM in table.seats else []
    names += [(fold(table.name(seat)), seat) for seat in table.characters]
    names += [(fold(table.name(seat)).split()[0], seat) for seat in table.characters]
    names += [(seat, seat) for seat in table.seats]
    for word, seat in sorted(names, key=lambda one: -len(one[0])):
        if plain.startswith(word) and not plain[len(word) : len(word) + 1].isalnum():
            return seat, len(word)
    return None
