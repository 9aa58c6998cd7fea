"""What may still come in: those of theirs not seen yet, drawn from the format's pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import damage, scene_of
from ruleplay.agents.battle.domain.exchange import faster
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.pool import SetPool
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.worlds import Fighter, our_fighter, unseen_ones

DRAWS = 40
"""Sets of unseen ones that are drawn: shares are right to a few percent, within a third second."""
SUCH_AS = 3
"""Species named as examples."""


class Coming(Frozen):
    """How likely one that comes in is bad for ours: a share, with species as examples.

    Our `move` does nothing to it; it knocks ours out with one hit ("falls"), or so moving "first".
    """

    how: Literal["nothing", "falls", "first"]
    chance: float
    such_as: tuple[str, ...]
    move: str = ""


def coming(position: Position, ours: Mon, pool: SetPool, rng: Random) -> tuple[Coming, ...]:
    """Estimate how those not seen yet would meet one of ours; empty if nothing is known of them."""
    drawn = [one for _ in range(DRAWS) for one in unseen_ones(position, pool, rng)]
    us, on_us, on_them = our_fighter(ours), scene_of(position, defending="ours"), scene_of(position)
    able = [move.id for move in us.moves if dex.move(move.id).damaging]
    none = {
        move: [one for one in drawn if damage(move, us, one, on_them).high <= 0] for move in able
    }

    def falls(to: Fighter) -> bool:
        hits = (damage(move.id, to, us, on_us) for move in to.moves)
        return any(hit.ko_chance(us.share) > 0.5 for hit in hits)

    strong = [one for one in drawn if falls(one)]
    quick = [one for one in strong if not faster(us, one, on_them)]
    found = [_told("nothing", ones, drawn, move) for move, ones in none.items() if ones]
    found += [_told("falls", strong, drawn)] if strong else []
    found += [_told("first", quick, drawn)] if quick else []
    return tuple(found)


def _told(
    how: Literal["nothing", "falls", "first"],
    ones: Sequence[Fighter],
    drawn: Sequence[Fighter],
    move: str = "",
) -> Coming:
    common = Counter(one.species for one in ones).most_common(SUCH_AS)
    names = tuple(dex.species_name(species) for species, _ in common)
    return Coming(how=how, chance=len(ones) / len(drawn), such_as=names, move=move)
