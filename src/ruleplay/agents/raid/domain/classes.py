"""Infers players' classes, specs and roles from the spells they cast and their talents."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from ruleplay.agents.raid.domain.reference.tables import specializations

HEALERS = frozenset(
    {
        ("Paladin", "Holy"),
        ("Priest", "Discipline"),
        ("Priest", "Holy"),
        ("Shaman", "Restoration"),
        ("Druid", "Restoration"),
    }
)
TANKS = frozenset({("Warrior", "Protection"), ("Paladin", "Protection")})
# Feral druids are absent from TANKS: the spec covers cats and bears, so casts decide.
_TALENT_TREES = 3
Talents = tuple[int, Sequence[int], int]
_TANKING = 0.1
"""Minimum share of tanking spells, among a player's class spells, that makes the player a tank."""


@dataclass(frozen=True)
class Sign:
    """What casting a spell reveals; `spec` is "" if it reveals only the class."""

    class_: str
    spec: str
    tank: bool


@dataclass(frozen=True)
class Calling:
    """A player's class, spec and role, with the log lines that show them; None if unknown."""

    class_: str | None = None
    spec: str | None = None
    role: str = "damage"
    class_line: int | None = None
    spec_line: int | None = None


@dataclass
class Signs:
    """One player's evidence: casts, distinct spells and first line per sign."""

    casts: Counter[Sign] = field(default_factory=Counter)
    spells: dict[Sign, set[int]] = field(default_factory=dict)
    first: dict[Sign, int] = field(default_factory=dict)

    def add(self, sign: Sign, spell: int, line: int, count: int) -> None:
        """Count casts of a spell that is a sign."""
        self.casts[sign] += count
        self.spells.setdefault(sign, set()).add(spell)
        self.first[sign] = min(line, self.first.get(sign, line))


@cache
def signs_by_name() -> Mapping[str, Sign]:
    """Sign by spell name; names shared by several classes are left out."""
    found: dict[str, set[Sign]] = {}
    for class_, entry in _tables().items():
        tank = set(entry["tank"]) if "tank" in entry else set()
        for spec, names in _by_spec(entry):
            for name in names:
                found.setdefault(name, set()).add(Sign(class_, spec, name in tank))
        for name in tank:
            found.setdefault(name, set()).add(Sign(class_, "", tank=True))
    return {name: _merged(signs) for name, signs in found.items() if _one_class(signs)}


@cache
def trees(class_: str) -> Sequence[str]:
    """Specs of a class in the order of its talent trees."""
    return tuple(spec for spec, _ in _by_spec(_tables()[class_]) if spec)


@cache
def _tables() -> Mapping[str, Mapping[str, Sequence[str] | Mapping[str, Sequence[str]]]]:
    folder = files("ruleplay.agents.raid.domain") / "reference"
    return tomllib.loads((folder / "class_spells.toml").read_text(encoding="utf-8"))


def _by_spec(
    entry: Mapping[str, Sequence[str] | Mapping[str, Sequence[str]]],
) -> Iterable[tuple[str, Sequence[str]]]:
    for key, value in entry.items():
        if isinstance(value, Mapping):
            yield key, value["spells"]
        elif key == "spells":
            yield "", value


def _one_class(signs: Iterable[Sign]) -> bool:
    return len({sign.class_ for sign in signs}) == 1


def _merged(signs: set[Sign]) -> Sign:
    specs = {sign.spec for sign in signs} - {""}
    (class_,) = {sign.class_ for sign in signs}
    return Sign(class_, specs.pop() if len(specs) == 1 else "", any(sign.tank for sign in signs))


def find_calling(signs: Signs | None, talents: Talents | None, *, heals: bool) -> Calling:
    """Determine a player's class, spec and role.

    Retail logs state the specialisation. Elsewhere the class is the one with the most distinct
    spells cast; the spec is the tree with the most talent points, or failing that the one with the
    most casts. `talents` is (line, points per tree, specialisation id); `heals` says that the
    player heals for more than it deals in damage.
    """
    known = specializations().get(talents[2]) if talents else None
    if known and talents:
        return Calling(known.class_, known.spec, known.role, talents[0], talents[0])
    if signs is None or not signs.casts:
        return Calling(role="healer" if heals else "damage")
    class_ = _likeliest_class(signs)
    mine = [sign for sign in signs.casts if sign.class_ == class_]
    class_line = min(signs.first[sign] for sign in mine)
    spec, spec_line = _spec_of(class_, mine, signs, talents)
    casts = sum(signs.casts[sign] for sign in mine)
    tanking = sum(signs.casts[sign] for sign in mine if sign.tank) >= _TANKING * casts
    return Calling(class_, spec, _role(class_, spec, tanking, heals), class_line, spec_line)


def _likeliest_class(signs: Signs) -> str:
    told: Counter[str] = Counter()
    # Distinct spells outweigh casts: one foreign spell, however often cast, must not decide the
    # class. Casts only break ties.
    for sign, spells in signs.spells.items():
        told[sign.class_] += len(spells) * 1_000_000 + min(signs.casts[sign], 999_999)
    return told.most_common(1)[0][0]


def _spec_of(
    class_: str,
    mine: Sequence[Sign],
    signs: Signs,
    talents: Talents | None,
) -> tuple[str | None, int | None]:
    if talents and len(talents[1]) == _TALENT_TREES and max(talents[1]) > 0:
        points = talents[1]
        return trees(class_)[points.index(max(points))], talents[0]
    casts: Counter[str] = Counter()
    for sign in mine:
        if sign.spec:
            casts[sign.spec] += signs.casts[sign]
    if not casts:
        return None, None
    spec = casts.most_common(1)[0][0]
    return spec, min(signs.first[sign] for sign in mine if sign.spec == spec)


def is_healing(
    class_: str | None, spec: str | None, healed: float, mended: float, harmed: float
) -> bool:
    """Whether somebody plays a healer: `healed` of others, `mended` with oneself, `harmed` of foes.

    Anyone who is hit heals themselves. A healer who fights back, as in arenas, remains one while
    the damage is less than twice the healing.
    """
    return healed > harmed or ((class_, spec) in HEALERS and 2 * mended > harmed)


def _role(class_: str, spec: str | None, tanking: bool, heals: bool) -> str:
    if (class_, spec) in HEALERS:
        return "healer"
    if (class_, spec) in TANKS:
        return "tank"
    if heals and spec is None:
        return "healer"
    return "tank" if tanking and not heals and spec not in {"Arms", "Fury"} else "damage"
