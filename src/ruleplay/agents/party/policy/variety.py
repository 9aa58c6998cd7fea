"""Which of several wordings is told: by the table's chance, and none twice in a row.

Chance comes from the table's seed and the round, never from the dice, so that wording changes no
roll; and it is the same in both languages.
"""

from __future__ import annotations

from random import Random

from ruleplay.agents.party.domain.adventure import Scene
from ruleplay.agents.party.domain.memory import Line
from ruleplay.agents.party.domain.seats import TABLE
from ruleplay.agents.party.domain.table import Table
from ruleplay.story.texts import Text

BEEN = ("scene", "again")
"""What a memory's lines of coming to a scene are called, for the first time and later."""


def dealt(count: int, chance: str, at: int) -> int:
    """Return which of `count` wordings comes at a moment: each once a deal, none twice in a row."""
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
    """Return what a scene has to tell on coming back; None where that was told the last time."""
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
    """Return what the whole table remembers of late."""
    memory = table.memories.get(TABLE)
    return memory.lines if memory else ()
