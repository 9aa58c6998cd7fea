"""Words that turn what a clause tells: negations, doubts, "would have", "only X", "per second"."""

from __future__ import annotations

from ruleplay.foundation.prose import words
from ruleplay.foundation.prose.clauses import VALUES, Clause

_LISTED = frozenset(("neither", "nor", "ni", "none", "aucun"))
_SAID = frozenset(("word", "break", "pronoun", "cue"))


def negations(clause: Clause, lead: bool) -> dict[int, bool]:
    """Mark the values under a negation; return the places where one is active."""
    active, skip = lead, 0
    marked: dict[int, bool] = {-1: True} if lead else {}
    texts = [item.text for item in clause.items]
    ne = False
    doubted = False
    for at, item in enumerate(clause.items):
        skip -= 1
        doubted = doubted or item.text in words.DOUBTING
        if words.NOT_NEGATING.find(texts, at):
            skip = 3
        if item.text == "ne" and words.AFTER_NE & set(texts[at + 1 : at + 6]):
            ne = True
            active = not active
            marked[at] = active
        if ne and item.text in words.AFTER_NE:
            continue
        answer = item.text in ("no", "non") and texts[at + 1 : at + 2] in ([","], ["."], [])
        paired = item.text in ("nor", "ni") and any(marked.values())
        if answer or paired:
            continue
        negator = item.text in words.NEGATORS
        if item.sort in ("word", "break") and negator and skip <= 0:
            active = not active
            marked[at] = active
        if item.sort in VALUES:
            item.negated = active
            far = active and "," in texts[max(marked) if marked else 0 : at]
            loose = far and not clause.has(_LISTED)
            if loose or doubted or (at and texts[at - 1] in words.NEARLY):
                item.outcome = ()
    return marked if active else {}


def turned(clause: Clause, values: list[int]) -> list[str]:
    """Return problems with words that make another claim: "would have", "per second", "only X"."""
    problems: list[str] = []
    texts = [item.text if item.sort in _SAID else "" for item in clause.items]
    if clause.has(words.RIVALS) and (values or clause.names()):
        problems.append("nothing tells who the others are")
    if not values:
        return problems
    hits = [words.UNREAL.find(texts, at) for at, text in enumerate(texts) if text]
    found = any(hit and hit[1] == ["unreal"] for hit in hits)
    numbers = any(clause.items[at].sort == "quantity" for at in values)
    ends = [text for text in texts if text != "."][-2:]
    sole = any(
        set(texts[max(0, at - 2) : at][-1 - (texts[at - 1 : at] == ["the"]) :]) & words.SOLE
        for at in clause.names()
    )
    ranked = bool(clause.names()) and ends[-1:] != [""] and ends[:1] != ["at"]
    ranked = ranked and bool(set(ends[-1:]) & words.LAST_WORDS)
    trailing = {item.text for item in clause.items[values[-1] + 1 :] if item.sort in _SAID}
    if trailing & words.EXCLUDING:
        problems.append("a negation that can't be read")
    if found or sole or ranked or (numbers and clause.has(words.DIVERTS)):
        problems.append("said in words that make it another claim")
    if numbers and clause.has(words.DOUBTING):
        problems.append("what is doubted cannot be told")
    return problems
