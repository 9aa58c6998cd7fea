"""Parses a Pokémon written on one line for the calculator: `Great Tusk, Choice Band, +1 atk`."""

from __future__ import annotations

import re

from pydantic import Field

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.pool import EVS, IVS, SetPool
from ruleplay.agents.battle.domain.position import STATS, Status
from ruleplay.errors import NotFound, UserError

NEUTRAL = "serious"
"""Serious raises and lowers no stat; random battles use neutral natures throughout."""
HELP = (
    "write the species first, then what matters of: an item, an ability, L80, 75%, +1 atk, "
    "252 spa, a nature, tera water, brn"
)
"""Added to error messages."""
STATUSES: dict[str, Status] = {each: each for each in ("brn", "par", "slp", "frz", "psn", "tox")}
_STAGE = re.compile(r"([+-][1-6]) ?(atk|def|spa|spd|spe)")
_EFFORT = re.compile(r"(\d{1,3}) ?(hp|atk|def|spa|spd|spe)")


class Specimen(Frozen):
    """A Pokémon with everything that affects damage.

    `hp` is a fraction, `evs` and `ivs` are by stat.
    """

    species: str
    level: int = Field(default=100, ge=1, le=100)
    item: str = ""
    ability: str = ""
    nature: str = NEUTRAL
    evs: dict[str, int] = Field(default_factory=dict)
    ivs: dict[str, int] = Field(default_factory=dict)
    boosts: dict[str, int] = Field(default_factory=dict)
    status: Status = ""
    hp: float = Field(default=1.0, gt=0, le=1)
    tera: str = ""

    @property
    def words(self) -> str:
        """The Pokémon on one line, without what is at its default."""
        stages = [f"{stage:+d} {stat}" for stat, stage in self.boosts.items()]
        name = dex.species(self.species).name
        held = [item_name(self.item)] if self.item else []
        tera = [f"tera {self.tera}"] if self.tera else []
        whole = [] if self.hp == 1 else [f"{self.hp:.0%}"]
        ill = [self.status] if self.status else []
        return ", ".join([f"{name} L{self.level}", *held, *stages, *tera, *ill, *whole])


def read_specimen(text: str, pool: SetPool) -> Specimen:
    """Parse a Pokémon; anything not given comes from the most common set of the format.

    Raises NotFound for an unknown species and UserError for a part that cannot be read.
    """
    name, *parts = (part.strip() for part in text.split(","))
    species = dex.to_id(name)
    if not dex.knows_species(species):
        raise NotFound(f"no Pokémon {name!r}; {HELP}")
    made: dict[str, object] = {"species": species, **_likeliest(species, pool)}
    for part in parts:
        if part:
            _read(part, made)
    return Specimen.model_validate(made)


def _likeliest(species: str, pool: SetPool) -> dict[str, object]:
    """Take level, item, ability and spread of the most common set; else a default spread."""
    known = pool.sets(species)
    if not known:
        page = dex.species(species)
        spread = dict(zip(STATS, EVS, strict=True))
        return {"ability": dex.to_id(page.abilities[0]) if page.abilities else "", "evs": spread}
    best = known[0]
    return {
        "level": best.level,
        "item": best.item,
        "ability": best.ability,
        "evs": dict(zip(STATS, best.evs, strict=True)),
        "ivs": dict(zip(STATS, best.ivs or IVS, strict=True)),
    }


def _read(part: str, made: dict[str, object]) -> None:
    """Parse one part into `made`."""
    low, word = part.lower(), dex.to_id(part)
    if found := _STAGE.fullmatch(low):
        _into(made, "boosts", found[2], int(found[1]))
    elif (found := _EFFORT.fullmatch(low)) and int(found[1]) <= 252:
        _into(made, "evs", found[2], int(found[1]))
    elif (found := re.fullmatch(r"l(\d{1,3})", low)) and 1 <= int(found[1]) <= 100:
        made["level"] = int(found[1])
    elif (found := re.fullmatch(r"(\d{1,3})%", low)) and 1 <= int(found[1]) <= 100:
        made["hp"] = int(found[1]) / 100
    elif low in STATUSES:
        made["status"] = low
    elif low.startswith("tera ") and dex.to_id(low[5:]) in (*dex.TYPES, "stellar"):
        made["tera"] = low[5:].strip().title()
    elif not _named(word, made):
        raise UserError(f"{part!r} is nothing known of a Pokémon; {HELP}")


def _named(word: str, made: dict[str, object]) -> bool:
    """Read a nature, ability or item by name, or `no item`; False if it is none of these."""
    if word in dex.natures():
        made["nature"] = word
    elif dex.knows_ability(word):
        made["ability"] = word
    elif word == "noitem":
        made["item"] = ""
    # `item_name` returns an unknown id unchanged.
    elif item_name(word) != word:
        made["item"] = word
    else:
        return False
    return True


def _into(made: dict[str, object], what: str, stat: str, amount: int) -> None:
    """Set one stat in a dictionary of `made`, keeping the others."""
    known = made.get(what)
    made[what] = {**(known if isinstance(known, dict) else {}), stat: amount}
