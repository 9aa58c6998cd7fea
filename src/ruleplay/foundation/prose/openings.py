"""How a sentence begins: neutral openers, template sentences said as they are, doubts set aside."""

from __future__ import annotations

from ruleplay.foundation.claims import Reading
from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.mentions import Mention
from ruleplay.foundation.prose.record import Record

_AT_MOST_OPENING = 8


def told_verbatim(text: str, record: Record) -> Reading | None:
    """Pass a template sentence of the record as it stands, alone or after a neutral opener."""
    folded = " ".join(text.casefold().split()).lstrip("-*•>#✓ ").rstrip(" .!")
    facts = record.says.get(folded)
    if facts is None:
        for mark in (":", ","):
            opener, found, rest = folded.partition(f"{mark} ")
            if found and _is_neutral(opener):
                facts = facts or record.says.get(rest.lstrip("✓ "))
    return Reading(tells=tuple(facts)) if facts else None


def _is_neutral(opener: str) -> bool:
    """Whether what stands before a sentence says nothing of its truth ("In short")."""
    said = opener.lstrip("-*•># ").split()
    loaded = words.NEGATORS | words.CONDITIONS | words.DENIALS | words.NEARLY | words.EXCEPT
    plain = all(word.isalpha() and word not in loaded for word in said)
    return plain and len(said) <= _AT_MOST_OPENING and set(said) <= words.OPENING


def without_opener(text: str) -> str:
    """Cut off a neutral opener ("As it stands, …"): its words are no part of what is told."""
    for mark in (": ", ", "):
        opener, found, rest = text.partition(mark)
        if found and rest and _is_neutral(opener.casefold()):
            return rest[:1].upper() + rest[1:]
    return text


def is_denied(mentions: list[Mention]) -> bool:
    """Whether a sentence denies or leaves open what it says ("it's false that", "I'm not sure")."""
    texts = [item.text if item.sort in ("word", "break") else "" for item in mentions]
    places = range(len(texts))
    if any(texts[at] and words.UNSURE.find(texts, at) for at in places):
        return True
    denied = any(text in words.DENIALS for text in texts)
    return denied and not any(texts[at] and words.NOT_NEGATING.find(texts, at) for at in places)
