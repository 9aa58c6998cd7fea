"""What was seen of one Pokémon, in the words of a command line, and what it may carry then."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.position import Mon, MoveSlot
from ruleplay.agents.battle.domain.results import Guess
from ruleplay.agents.battle.domain.sets import SetPool, guess
from ruleplay.errors import NotFound, UserError


def guess_of(species: str, seen: Sequence[str], level: int, pool: SetPool) -> Guess:
    """Return the sets a species may carry after what was seen of it.

    Each of `seen` is a move, or an item, ability or tera type of one of its sets. NotFound for a
    species nobody knows, UserError for something that no set of it has and that is no move.
    """
    name = dex.to_id(species)
    if not dex.knows_species(name):
        raise NotFound(f"no Pokémon {species!r}; write it as Showdown does, such as 'Great Tusk'")
    known = pool.sets(name)
    mon = Mon(
        ident=f"p2: {species}",
        name=species,
        species=name,
        base=name,
        level=level or (known[0].level if known else 100),
        types=dex.species(name).types,
        active=True,
    )
    for word in seen:
        mon = _with(mon, word, pool)
    return guess(mon, pool)


def _with(mon: Mon, word: str, pool: SetPool) -> Mon:
    name, known = dex.to_id(word), pool.sets(mon.base)
    if dex.knows_move(name):
        slot = MoveSlot(id=name, pp=1, max_pp=1)
        return mon.model_copy(update={"moves": (*mon.moves, slot)})
    if any(one.item == name for one in known):
        return mon.model_copy(update={"item": name, "item_source": "seen"})
    if any(one.ability == name for one in known):
        update = {"ability": name, "own_ability": name, "ability_source": "seen"}
        return mon.model_copy(update=update)
    if name in dex.TYPES or name == "stellar":
        return mon.model_copy(update={"tera_type": name, "terastallized": True})
    raise UserError(
        f"{word!r} is no move, and no set of {mon.name!r} has it as item, ability or tera type"
    )
