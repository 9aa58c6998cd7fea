"""Choose among several wordings at random, without repeating one immediately.

Randomness comes from the table's seed and the round, never from the dice, so that texts do not
change any roll. Both languages get the same choice.
"""

from __future__ import annotations

from random import Random

from ruleplay.agents.party.domain.adventure import Scene
from ruleplay.agents.party.domain.memory import Line
from ruleplay.agents.party.domain.seats import TABLE
from ruleplay.agents.party.domain.table import Table
from ruleplay.story.texts import Text

BEEN = ("scene", "again")
"""Kinds of memory lines about coming to a scene, the first time and later."""


def dealt(count: int, chance: str, at: int) -> int:
    """Return the index of the wording for moment `at`.

    The wordings are dealt like cards: each comes once before they are shuffled again, and the first
    of a deal is never the last of the one before.
    """
    if count < 3:
        return at % count
    deal, place = divmod(at, count)
    order = _shuffled(count, chance, deal)
    if deal and order[0] == _shuffled(count, chance, deal - 1)[-1]:
        order[0], order[1] = order[1], order[0]
    return order[place]


def _shuffled(count: int, chance: str, deal: int) -> list[int]:
    order = [*range(count)]
    Random(f"{chance}/{deal}").shuffle(order)
    return order


def found_again(scene: Scene, key: str, before: Table) -> Text | None:
    """Return a scene's text for coming back, None if it would be the same as last time."""
    texts = scene.phrasings
    if not texts:
        return None
    last = next(
        (one for one in reversed(lines_of(before)) if one.kind in BEEN and one.about == key), None
    )
    chance = f"{before.cast.dice_seed}/{key}"
    now = dealt(len(texts), chance, before.round)
    same = last and last.kind == "again" and dealt(len(texts), chance, last.round) == now
    return None if same else texts[now]


def lines_of(table: Table) -> tuple[Line, ...]:
    """Return the shared memory of the table."""
    memory = table.memories.get(TABLE)
    return memory.lines if memory else ()
