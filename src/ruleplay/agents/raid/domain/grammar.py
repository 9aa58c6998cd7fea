"""The grammar of combat log lines as tables: which token of each event means what.

Token 0 is the event name. Then come the base fields, the spell of the prefix, the advanced block
and the suffix, which is located from the end of the line. Sources: Wowpedia "COMBAT_LOG_EVENT" for
the order of suffixes; widths as observed in logs of 3.3.5a, 1.15.1, 2.5.1, 3.4, 7.3, 9.0.2 and
12.0. Known from documentation only: the 2.4.3 suffixes, `_SUPPORT`, STAGGER lines, and off-hand
swings with one more field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

# Source and target have GUID, name and flags each; newer clients add raid flags.
MODERN_BASE, OLD_BASE = 8, 6
ADVANCED_WIDTHS = (0, 16, 18, 17, 19)
VERIFIED_WIDTHS = frozenset({0, 16, 17, 18, 19})

HEADERS = frozenset(
    {
        "COMBAT_LOG_VERSION",
        "ZONE_CHANGE",
        "MAP_CHANGE",
        "ENCOUNTER_START",
        "ENCOUNTER_END",
        "COMBATANT_INFO",
        "ARENA_MATCH_START",
        "ARENA_MATCH_END",
        "CHALLENGE_MODE_START",
        "CHALLENGE_MODE_END",
        "EMOTE",
        "MAP_FLOOR_START",
        "MAP_FLOOR_END",
        "STAGGER_CLEAR",
        "STAGGER_PREVENTED",
        "WORLD_MARKER_PLACED",
        "WORLD_MARKER_REMOVED",
    }
)
"""Events without the base fields (source and target)."""

Suffixes = Mapping[int, str]
"""Number of tokens -> the columns that a suffix fills, in order; `_` skips a token."""

_HIT = "over school resisted blocked absorbed critical glancing crushing"
_OLDEST_HIT = "amount school resisted blocked absorbed critical glancing crushing"
_DAMAGE: Suffixes = {10: f"amount base_amount {_HIT}"}
_OFFHAND: Suffixes = {11: f"amount base_amount {_HIT} offhand"}
_SUPPORTED: Suffixes = {11: f"amount base_amount {_HIT} absorber"}
_OLD_DAMAGE: Suffixes = {9: f"amount {_HIT}", 8: _OLDEST_HIT}
_HEAL: Suffixes = {5: "amount base_amount over absorbed critical"}
_SUPPORTED_HEAL: Suffixes = {6: "amount base_amount over absorbed critical absorber"}
_OLD_HEAL: Suffixes = {4: "amount over absorbed critical", 2: "amount critical"}
_ENERGIZE: Suffixes = {4: "amount over power_type _"}
_OLD_ENERGIZE: Suffixes = {2: "amount power_type"}
_DRAIN: Suffixes = {4: "amount power_type extra_amount _"}
_OLD_DRAIN: Suffixes = {3: "amount power_type extra_amount"}
_MISSED: Suffixes = {
    2: "miss_type offhand",
    3: "miss_type offhand amount",
    4: "miss_type offhand amount base_amount",
    5: "miss_type offhand amount base_amount critical",
}
_OLD_MISSED: Suffixes = {1: "miss_type", 2: "miss_type amount"}
_AURA: Suffixes = {1: "aura_type", 2: "aura_type amount", 3: "aura_type amount _"}
_EXTRA = "extra_spell_id extra_spell extra_school"
_ABSORBED: Suffixes = {
    n: f"absorber _ _ _ {_EXTRA} amount base_amount" + " critical" * (n - 9) for n in (9, 10)
}
_HEAL_ABSORBED: Suffixes = {9: f"absorber _ _ _ {_EXTRA} amount base_amount"}
"""The spell is the absorbing debuff, the extra spell the heal; `absorber` is the healer."""


@dataclass(frozen=True)
class Form:
    """How lines of an event are composed; `old` are the suffixes after a base of six fields.

    `rare` suffixes are tried last, because their widths collide with those of other blocks.
    `spelled`: wider lines have a spell, others none: what a shield absorbed may be of a swing.
    """

    spell: bool
    suffixes: Suffixes
    old: Suffixes = field(default_factory=dict)
    advanced: bool = False
    rare: Suffixes = field(default_factory=dict)
    spelled: bool = False


@dataclass(frozen=True)
class Layout:
    """Token positions of a line: where each part starts, and the suffix's columns by token."""

    base: int
    spell: bool
    advanced_at: int
    advanced: int
    columns: tuple[tuple[str, int], ...]
    tail: int


def _same(spell: bool, suffixes: Suffixes, *, advanced: bool = False) -> Form:
    return Form(spell, suffixes, suffixes, advanced)


def _all_forms() -> dict[str, Form]:
    forms = {
        name: _same(spell=False, suffixes={0: "", 1: "unconscious"})
        for name in ("UNIT_DIED", "UNIT_DESTROYED", "UNIT_DISSIPATES", "PARTY_KILL", "UNIT_LOYALTY")
    }
    for prefix in ("SWING", "RANGE", "SPELL", "SPELL_PERIODIC", "SPELL_BUILDING"):
        spell = prefix != "SWING"
        swings = _OFFHAND if prefix == "SWING" else {}
        damage = Form(spell, _DAMAGE, _OLD_DAMAGE, advanced=True, rare=swings)
        drain = Form(spell, _DRAIN, _OLD_DRAIN, advanced=True)
        forms |= {
            f"{prefix}_DAMAGE": damage,
            f"{prefix}_DAMAGE_LANDED": damage,
            f"{prefix}_DAMAGE_SUPPORT": Form(spell, _SUPPORTED, advanced=True),
            f"{prefix}_HEAL_SUPPORT": Form(spell, _SUPPORTED_HEAL, advanced=True),
            f"{prefix}_MISSED": Form(spell, _MISSED, _OLD_MISSED),
            f"{prefix}_HEAL": Form(spell, _HEAL, _OLD_HEAL, advanced=True),
            f"{prefix}_ENERGIZE": Form(spell, _ENERGIZE, _OLD_ENERGIZE, advanced=True),
            f"{prefix}_DRAIN": drain,
            f"{prefix}_LEECH": drain,
        }
    shield = Form(spell=True, suffixes=_DAMAGE, old=_OLD_DAMAGE, advanced=True)
    forms |= {"DAMAGE_SHIELD": shield, "DAMAGE_SPLIT": shield}
    forms["DAMAGE_SHIELD_MISSED"] = Form(spell=True, suffixes=_MISSED, old=_OLD_MISSED)
    forms["ENVIRONMENTAL_DAMAGE"] = Form(
        spell=False,
        suffixes={n + 1: f"spell {names}" for n, names in _DAMAGE.items()},
        old={n + 1: f"spell {names}" for n, names in _OLD_DAMAGE.items()},
        advanced=True,
    )
    forms["SPELL_ABSORBED"] = Form(spell=False, suffixes=_ABSORBED, spelled=True)
    supported = {width + 1: f"{names} _" for width, names in _ABSORBED.items() if "crit" in names}
    forms["SPELL_ABSORBED_SUPPORT"] = Form(spell=False, suffixes=supported, spelled=True)
    # Despite its name it carries the blow's spell; no other form has been seen.
    forms["SWING_DAMAGE_LANDED_SUPPORT"] = Form(True, _SUPPORTED, advanced=True)
    enchant = _same(spell=False, suffixes={3: "spell extra_spell_id extra_spell"})
    return forms | {"ENCHANT_APPLIED": enchant, "ENCHANT_REMOVED": enchant} | _spell_forms()


def _spell_forms() -> dict[str, Form]:
    forms = {
        f"SPELL_AURA_{what}": _same(spell=True, suffixes=_AURA)
        for what in ("APPLIED", "REMOVED", "REFRESH", "BROKEN")
    }
    dose = _same(spell=True, suffixes={2: "aura_type stacks", 3: "aura_type stacks _"})
    broken = _same(spell=True, suffixes={3: _EXTRA, 4: f"{_EXTRA} aura_type"})
    nothing = _same(spell=True, suffixes={0: ""})
    forms |= {
        "SPELL_AURA_APPLIED_DOSE": dose,
        "SPELL_AURA_REMOVED_DOSE": dose,
        "SPELL_AURA_BROKEN_SPELL": broken,
        "SPELL_DISPEL": broken,
        "SPELL_STOLEN": broken,
        "SPELL_DISPEL_FAILED": _same(spell=True, suffixes={3: _EXTRA}),
        "SPELL_INTERRUPT": _same(spell=True, suffixes={3: _EXTRA}),
        "SPELL_EXTRA_ATTACKS": _same(spell=True, suffixes={1: "amount"}),
        "SPELL_CAST_FAILED": _same(spell=True, suffixes={1: "note"}),
        "SPELL_CAST_SUCCESS": _same(spell=True, suffixes={0: ""}, advanced=True),
    }
    for what in ("CAST_START", "SUMMON", "CREATE", "RESURRECT", "DURABILITY_DAMAGE"):
        forms[f"SPELL_{what}"] = nothing
    forms |= {
        "SPELL_INSTAKILL": _same(spell=True, suffixes={0: "", 1: "_"}),
        "SPELL_HEAL_ABSORBED": Form(spell=True, suffixes=_HEAL_ABSORBED),
        "SPELL_EMPOWER_START": nothing,
        "SPELL_EMPOWER_END": _same(spell=True, suffixes={1: "stacks"}),
        "SPELL_EMPOWER_INTERRUPT": _same(spell=True, suffixes={1: "stacks"}),
        "SPELL_DURABILITY_DAMAGE_ALL": nothing,
    }
    return forms


FORMS: Mapping[str, Form] = _all_forms()


@lru_cache(maxsize=4096)
def find_layout(event: str, width: int, *, old: bool, tail: bool) -> Layout | None:
    """Return the layout of a line with `width` tokens; None if the event has no such lines.

    `old`: six base fields. `tail`: the last token is ST or AOE, as in 2.5.5 and later.
    """
    form = FORMS.get(event)
    if form is None:
        return None
    base = OLD_BASE if old else MODERN_BASE
    suffixes = form.old if old else form.suffixes
    spell = form.spell or (form.spelled and width - 1 - base - tail > max(suffixes, default=0))
    start = 1 + base + 3 * spell
    room = width - start - tail
    advances = ADVANCED_WIDTHS if form.advanced and not old else (0,)
    # The first width that fits wins, so the order of ADVANCED_WIDTHS matters.
    for known in (suffixes, {} if old else form.rare):
        for advanced in advances:
            names = known.get(room - advanced)
            if names is not None:
                at = start + advanced
                return Layout(base, spell, start, advanced, _numbered(names, at), tail)
    return None


def _numbered(names: str, at: int) -> tuple[tuple[str, int], ...]:
    return tuple((name, at + n) for n, name in enumerate(names.split()) if name != "_")


def what_is_wrong(event: str, width: int, *, old: bool) -> str:
    """Explain why a line of this event cannot be parsed."""
    if event in FORMS or event in HEADERS:
        return f"{event} does not have {width - 1} fields after its name" + (
            " where a unit has no raid flags" if old else ""
        )
    return f"the event {event[:40]!r} is not known"
