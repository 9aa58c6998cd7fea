"""The `sets` command's guess: which sets fit a species and the moves or items seen of it."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.position import Mon, MoveSlot
from ruleplay.agents.battle.domain.results import Guess
from ruleplay.agents.battle.domain.sets import SetPool, guess
from ruleplay.errors import NotFound, UserError


def guess_of(species: str, seen: Sequence[str], level: int, pool: SetPool) -> Guess:
    """Guess the sets of a species, given what has been seen of it.

    Each entry of `seen` is a move, or the item, ability or tera type of one of its known sets.
    `level` 0 means the level of its most common set. Raises NotFound for an unknown species, and
    UserError for an entry that is neither a move nor part of any set.
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
    """Add one observation to a Pokémon; moves take precedence over items, abilities and types."""
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
