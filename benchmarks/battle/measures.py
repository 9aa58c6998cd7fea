"""How good the mind's guesses are, measured against what was true: damage ranges and set guesses.

Both need what no player sees: the true team, as the owner's request lists it. The functions are
pure, so that arenas, benchmarks and tests feed them alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.chronicle import Chronicle
from ruleplay.agents.battle.domain.evidence import Truth
from ruleplay.agents.battle.domain.pool import SetPool
from ruleplay.agents.battle.domain.position import Stats
from ruleplay.agents.battle.domain.results import Guess
from ruleplay.agents.battle.domain.sets import opponent_sets
from ruleplay.agents.battle.domain.vantage import see

TOP = 3


def truths(request: Mapping[str, object]) -> dict[str, Truth]:
    """Return the team of a battle's first request, by ident."""
    side = cast("Mapping[str, object]", request["side"])
    members = cast("list[Mapping[str, object]]", side["pokemon"])
    return {str(each["ident"]): _truth(each) for each in members}


def _truth(entry: Mapping[str, object]) -> Truth:
    found = protocol.details(str(entry["details"]))
    whole = protocol.condition(str(entry["condition"])).whole
    stats = {"hp": whole, **cast("dict[str, int]", entry["stats"])}
    return Truth(
        ident=str(entry["ident"]),
        species=found.species,
        level=found.level,
        stats=Stats.model_validate(stats),
        item=dex.to_id(str(entry.get("item") or "")),
        ability=dex.to_id(str(entry.get("baseAbility") or "")),
        moves=tuple(sorted(dex.to_id(each) for each in cast("list[str]", entry["moves"]))),
        tera=dex.to_id(str(entry.get("teraType") or "")),
    )


def found_in(guessed: Guess, true: Truth, top: int = TOP) -> bool:
    """Tell whether the true set, tera aside, is among the likeliest."""
    return any(
        (each.set.item, each.set.ability, each.set.moves) == (true.item, true.ability, true.moves)
        for each in guessed.sets[:top]
    )


def battle_set_accuracy(
    pool: SetPool, lines: Sequence[str], role: str, requests: Mapping[str, Mapping[str, object]]
) -> tuple[int, int]:
    """Replay a battle from one seat; judge each opposing guess when two of its moves are known.

    `lines` are the messages as sent, `requests` the first request of both players. Returns how many
    true sets were in the top three, of how many judged; disguises and copies are left out.
    """
    chronicle = Chronicle()
    foe = truths(requests["p2" if role == "p1" else "p1"])
    judged: set[str] = set()
    found = 0
    for line in lines:
        chronicle.take(line.split("|"))
        if not line.startswith(("|turn|", "|win|")):
            continue
        position = see(chronicle, role, requests[role])
        ready = [
            mon for mon in position.theirs.team
            if len(mon.moves) >= 2 and mon.ident not in judged and mon.ident in foe
            and mon.own_ability not in {"imposter", "illusion"}
        ]  # fmt: skip
        guesses = opponent_sets(position, pool).guesses if ready else {}
        for mon in ready:
            judged.add(mon.ident)
            found += found_in(guesses[mon.ident], foe[mon.ident])
    return found, len(judged)
