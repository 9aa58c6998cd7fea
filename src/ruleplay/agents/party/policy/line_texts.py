"""The few words that printed lines are made of, in both languages; sums of coin in words."""

from __future__ import annotations

from ruleplay.agents.party.policy.refusals import texts
from ruleplay.story.texts import Lang

LINES = texts("lines")


def coined(copper: int) -> dict[str, int]:
    """Return an amount in gold, silver and copper pieces, without those there are none of."""
    found = {"gold": copper // 100, "silver": copper % 100 // 10, "copper": copper % 10}
    return {kind: count for kind, count in found.items() if count}


def priced(copper: int, lang: Lang) -> str:
    """Return an amount of coin in words."""
    return " ".join(texts("coin")[kind].of(lang).format(n=n) for kind, n in coined(copper).items())
