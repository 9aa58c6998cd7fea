"""Parses a Pokémon written on one line for the calculator: `Great Tusk, Choice Band, +1 atk`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import Field

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.items import is_item, item_name
from ruleplay.agents.battle.domain.pool import EVS, IVS, SetPool
from ruleplay.agents.battle.domain.position import STATS, Status
from ruleplay.agents.battle.policy.nearest import offer
from ruleplay.errors import NotFound, UserError

NEUTRAL = "serious"
"""Serious raises and lowers no stat; random battles use neutral natures throughout."""
HELP = (
    "write the species first, then what matters of, with commas: an item, an ability, L80, 75%, "
    "+1 atk, 252 spa, 85 evs, 0 atk iv, a nature, tera water, brn"
)
"""Added to error messages."""
STATUSES: dict[str, Status] = {each: each for each in ("brn", "par", "slp", "frz", "psn", "tox")}
_STAGE = re.compile(r"([+-][1-6]) ?(atk|def|spa|spd|spe)")
_EFFORT = re.compile(r"(\d{1,3}) ?(hp|atk|def|spa|spd|spe)( ?ivs?)?")
_SAME = re.compile(r"(\d{1,3}) ?(evs|ivs)")
_LEVEL = re.compile(r"(?:l|lv|lvl|level)\.? ?(\d{1,3})")


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

    def words(self, items: Mapping[str, str]) -> str:
        """Write the Pokémon on one line that can be read again; `items` are names by id."""
        page, nature = dex.species(self.species), dex.natures()[self.nature]
        held = [items.get(self.item, item_name(self.item))] if self.item else []
        ability = [dex.ability_name(self.ability)] if dex.knows_ability(self.ability) else []
        leaning = [self.nature] if any(nature[stat] != 1 for stat in STATS[1:]) else []
        stages = [f"{stage:+d} {stat}" for stat, stage in self.boosts.items()]
        tera = [f"tera {self.tera}"] if self.tera else []
        ill = [self.status] if self.status else []
        whole = [] if self.hp == 1 else [f"{self.hp:.0%}"]
        spread = [*_spread(self.evs, 0, "evs", ""), *_spread(self.ivs, 31, "ivs", " iv")]
        kind = [f"{page.name} L{self.level}", *held, *ability, *leaning]
        return ", ".join([*kind, *spread, *stages, *tera, *ill, *whole])


def _spread(given: Mapping[str, int], otherwise: int, all_six: str, one: str) -> list[str]:
    """Write a spread as its most frequent value and the stats that have another one."""
    values = {stat: given.get(stat, otherwise) for stat in STATS}
    common = max(values.values(), key=list(values.values()).count)
    same = [] if common == otherwise == 31 else [f"{common} {all_six}"]
    return same + [f"{n} {stat}{one}" for stat, n in values.items() if n != common]


def read_specimen(
    text: str, pool: SetPool, *, level: int = 100, items: Mapping[str, str] | None = None
) -> Specimen:
    """Parse a Pokémon; anything not given comes from the most common set of the format.

    Without such a set, everybody has this `level`. `items` are the names of items by id.
    Raises NotFound for an unknown species and UserError for a part that cannot be read.
    """
    name, *parts = (part.strip() for part in text.split(","))
    species, rest = _species(name)
    made: dict[str, object] = {"species": species, "level": level, **_likeliest(species, pool)}
    for part in (rest, *parts):
        if part:
            _read(part, made, items or {})
    return Specimen.model_validate(made)


def _species(written: str) -> tuple[str, str]:
    """Split what stands before the first comma into a species and the rest, as in `Mew L80`."""
    words = written.split()
    for count in range(len(words), 0, -1):
        if dex.knows_species(found := dex.to_id("".join(words[:count]))):
            return found, " ".join(words[count:])
    raise NotFound(f"no Pokémon {written!r}{offer(written, dex.species_names())}; {HELP}")


def _likeliest(species: str, pool: SetPool) -> dict[str, object]:
    """Take level, item, ability and spread of the most common set; else a default spread."""
    known = pool.sets(species)
    if not known:
        # Generations 1 and 2 have no abilities, and every stat is trained in full.
        old = pool.format.startswith(("gen1", "gen2"))
        ability = "" if old else next(iter(dex.species(species).abilities), "")
        evs = (255,) * 6 if old else EVS
        return {"ability": ability, "evs": dict(zip(STATS, evs, strict=True))}
    best, page = known[0], dex.species(species)
    # The set is that of the base species where the forme is only taken in battle, such as a Mega.
    own = pool.key(species) == species or best.ability in page.abilities
    return {
        "level": best.level,
        "item": best.item,
        "ability": best.ability if own or not page.abilities else page.abilities[0],
        "evs": dict(zip(STATS, best.evs, strict=True)),
        "ivs": dict(zip(STATS, best.ivs or IVS, strict=True)),
    }


def _read(part: str, made: dict[str, object], items: Mapping[str, str]) -> None:
    """Parse one part into `made`."""
    low = part.lower()
    if found := _STAGE.fullmatch(low):
        _into(made, "boosts", found[2], int(found[1]))
    elif (found := _EFFORT.fullmatch(low)) and int(found[1]) <= (31 if found[3] else 255):
        _into(made, "ivs" if found[3] else "evs", found[2], int(found[1]))
    elif (found := _SAME.fullmatch(low)) and int(found[1]) <= (31 if found[2] == "ivs" else 255):
        made[found[2]] = dict.fromkeys(STATS, int(found[1]))
    elif (found := _LEVEL.fullmatch(low)) and 1 <= int(found[1]) <= 100:
        made["level"] = int(found[1])
    elif (found := re.fullmatch(r"(\d{1,3})%", low)) and 1 <= int(found[1]) <= 100:
        made["hp"] = int(found[1]) / 100
    elif low in STATUSES:
        made["status"] = low
    elif low.startswith("tera ") and dex.to_id(low[5:]) in (*dex.TYPES, "stellar"):
        made["tera"] = low[5:].strip().title()
    elif not _named(dex.to_id(part), made, items):
        known = (*items.values(), *dex.ability_names(), *dex.natures())
        raise UserError(f"{part!r} is nothing known of a Pokémon{offer(part, known)}; {HELP}")


def _named(word: str, made: dict[str, object], items: Mapping[str, str]) -> bool:
    """Read a nature, ability or item by name, or `no item`; False if it is none of these."""
    if word in dex.natures():
        made["nature"] = word
    elif dex.knows_ability(word):
        made["ability"] = word
    elif word == "noitem":
        made["item"] = ""
    elif word in items or is_item(word):
        made["item"] = word
    else:
        return False
    return True


def _into(made: dict[str, object], what: str, stat: str, amount: int) -> None:
    """Set one stat in a dictionary of `made`, keeping the others."""
    known = made.get(what)
    made[what] = {**(known if isinstance(known, dict) else {}), stat: amount}
