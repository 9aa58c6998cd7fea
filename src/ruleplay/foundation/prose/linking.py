"""Names that stand together: which is another word for which, what belongs to whom, mere lists."""

from __future__ import annotations

from itertools import pairwise

from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.clauses import Clause, groups
from ruleplay.foundation.prose.mentions import Mention
from ruleplay.foundation.prose.record import Record, Recorded

_PARTS_OF = frozenset(
    ("/", "of", "out", "sur", "her", "his", "its", "their", "a", "the", "max", "-")
)


def identify(mentions: list[Mention], record: Record) -> tuple[list[Mention], list[str]]:
    """Merge "the drain pump (PS1)" and "PS1, the drain pump" into one name of PS1.

    Returns the mentions left and the names that the record does not have for what they stand by.
    """
    left: list[Mention] = []
    strange: list[str] = []
    at = 0
    while at < len(mentions):
        item = mentions[at]
        end = _apposed(mentions, at) if item.sort == "name" else 0
        other = mentions[end - 1] if end else item
        bracket = end and mentions[at + 1].text == "("
        if not end:
            left.append(item)
            at += 1
            continue
        merged = _merge(item, other, record)
        if merged is None and (bracket or _is_title(item, other, record)):
            strange.append(other.text)
            merged = item
        if merged is None:
            left.append(item)
            at += 1
            continue
        closing = end < len(mentions) and mentions[end].text == ")"
        if bracket and not closing:
            # "PS1 (the pump, $42)": what follows in the brackets stays there.
            left += [merged, mentions[at + 1]]
        else:
            left.append(merged)
            end += closing or (mentions[end : end + 1] != [] and mentions[end].text == ",")
        at = end
    return left, strange


def _apposed(mentions: list[Mention], at: int) -> int:
    """Return the place after a name that stands by the one at `at`; 0 when none does."""
    place = at + 1
    if mentions[at].owner or place >= len(mentions):
        return 0
    if mentions[place].text in ("(", ","):
        place += 1
    while place < len(mentions) and mentions[place].text in words.DETERMINERS | words.TITLES:
        place += 1
    if place >= len(mentions) or mentions[place].sort != "name" or mentions[place].owner:
        return 0
    closed = place + 1 >= len(mentions) or mentions[place + 1].text in (",", ".", ")")
    return place + 1 if closed or mentions[at + 1].text != "," else 0


def _merge(one: Mention, other: Mention, record: Record) -> Mention | None:
    """Return the name of both: the same thing, or one recorded as what the other is called."""
    if set(one.keys) & set(other.keys):
        return one if len(one.keys) <= len(other.keys) else other
    for thing, title in ((one, other), (other, one)):
        for key in title.keys:
            if any(claim.subject in thing.keys for claim in record.valued.get(key, ())):
                return thing
    return None


def _is_title(one: Mention, other: Mention, record: Record) -> bool:
    """Whether exactly one of two names is of a kind that things are only called by."""
    acting = [
        any(record.entity_kinds.get(key, "") in record.acting_kinds for key in item.keys)
        for item in (one, other)
    ]
    return acting[0] != acting[1] and not _is_object(one if acting[1] else other, record)


def _is_object(item: Mention, record: Record) -> bool:
    return any(
        claim.object in item.keys for key in item.keys for claim in record.by_entity.get(key, ())
    )


def links_of(clause: Clause, place: int, heads: set[str], record: Record) -> list[Recorded]:
    """Return the claims that give a name (a weapon, a title) to the nearest of `heads`."""
    others = [at for at in clause.names() if set(clause.items[at].keys) & heads]
    near = heads
    if others:
        nearest = min(others, key=lambda at: (abs(at - place), at > place))
        near = set(clause.items[nearest].keys)
    return [
        claim
        for key in clause.items[place].keys
        for claim in record.valued.get(key, ())
        if claim.subject in near
    ]


def attached(clause: Clause, place: int) -> bool:
    """Whether a name is held or owned by who stands before it ("Aria's axe", "with her axe")."""
    return place > 0 and clause.items[place - 1].sort == "name" and clause.items[place - 1].owner


def unlinked(clause: Clause, names: list[int], record: Record) -> list[str]:
    """Return the names of a tale that belong to somebody else, and of kinds that never meet."""
    heads = {
        key
        for place in names
        for key in clause.items[place].keys
        if record.entity_kinds.get(key, "") in record.acting_kinds
    }
    return [
        clause.items[place].text
        for place in names
        if not set(clause.items[place].keys) & heads and not links_of(clause, place, heads, record)
    ]


def only_lists(clause: Clause, names: list[int], question: bool) -> bool:
    """Whether a clause only strings names together, saying nothing of them ("A and B are here")."""
    if len(names) < 2 or len(groups(clause, names)) != 1:
        return False
    said = {item.text for item in clause.items if item.sort != "name"}
    return said <= words.LISTING or (question and "or" in said)


def pair_with_most(mentions: list[Mention], record: Record) -> bool:
    """Give "18 of 24 hit points" and "18/24 HP" their kinds: what is left, and the most of it.

    False when the record has no such two kinds.
    """
    places = [at for at, item in enumerate(mentions) if item.sort == "quantity"]
    paired = [pair for pair in pairwise(places) if _is_share(mentions[pair[0] + 1 : pair[1]])]
    for at in places:
        before = [item.text for item in mentions[max(0, at - 2) : at]]
        if before == ["out", "of"] and not any(at == right for _, right in paired):
            rest = [place for place in places if place > at]
            if not rest:
                return False
            paired.append((rest[0], at))
    for left, right in paired:
        kinds = mentions[left].kinds | mentions[right].kinds
        most = frozenset(
            kind for kind in record.numbered if {"max", "total"} & set(kind.split("_"))
        )
        if not most or not kinds:
            return False
        mentions[left].kinds, mentions[right].kinds = kinds - most, most
        mentions[left].dimension = mentions[right].dimension = ""
        for item in mentions[left + 1 : right]:
            if item.text == "/":
                item.sort = "word"
    return True


def _is_share(between: list[Mention]) -> bool:
    texts = [item.text for item in between]
    linked = bool(texts) and texts[0] in ("/", "of", "sur") and set(texts) <= _PARTS_OF
    return linked or "out of" in " ".join(texts)


def count_lists(mentions: list[Mention]) -> None:
    """Read "three parts: A, B and C" as no claim when three are named."""
    colons = [at for at, item in enumerate(mentions) if item.text == ":"]
    for at, item in enumerate(mentions):
        colon = next((place for place in colons if place > at), None)
        if item.sort != "quantity" or not item.counts or colon is None or not item.interval:
            continue
        listed = {other.keys for other in mentions[colon:] if other.sort == "name"}
        if item.interval.low == item.interval.high == len(listed):
            item.sort = "word"


def owned(clause: Clause, place: int, record: Record) -> list[Recorded]:
    """Return the claims by which a name belongs to its owner in front ("Aria's axe")."""
    if not attached(clause, place):
        return []
    return links_of(clause, place, set(clause.items[place - 1].keys), record)


def equated(clause: Clause, names: list[int], record: Record) -> list[Recorded]:
    """Return the claims by which one thing is called the other ("our drain pump is PS1")."""
    if len(names) != 2 or clause.has(words.NEGATORS):
        return []
    between = {item.text for item in clause.items[names[0] + 1 : names[1]]}
    if not between & words.BE or not between <= words.BE | words.DETERMINERS:
        return []
    one, other = (set(clause.items[place].keys) for place in names)
    return [
        claim
        for thing, title in ((one, other), (other, one))
        for key in title
        for claim in record.valued.get(key, ())
        if claim.subject in thing
    ]


def strangers(clause: Clause, good: list[Recorded], record: Record, atmosphere: bool) -> list[str]:
    """Return the names that take no part in the claims told, nor belong to who does."""
    heads = {key for claim in good for key in (claim.subject, claim.object) if key}
    acting = {claim.subject for claim in good}
    told = heads | {claim.symbol for claim in good}
    kinds, facts = {claim.kind for claim in good}, {claim.fact for claim in good}
    found: list[str] = []
    for place in clause.names():
        if set(clause.items[place].keys) & told:
            continue
        owns = attached(clause, place)
        links = links_of(clause, place, heads if owns else acting, record)
        evident = atmosphere or owns or clause.before(place) in words.INSTRUMENT
        if not any(evident or link.kind in kinds or link.fact in facts for link in links):
            found.append(clause.items[place].text)
    return found
