"""The sentences of a spell's text that the rules carry out, and what each of them says.

The texts of the SRD 5.2 repeat a small number of sentences. Each stands here as a pattern with the
fields of a spell that follow from it; what no pattern fits, the rules do not do.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ruleplay.agents.party.domain.terms import CONDITIONS, CREATURE_TYPES, DAMAGE_TYPES
from ruleplay.agents.party.domain.terms_text import ABILITIES

Fields = dict[str, object]
Meaning = Callable[[re.Match[str]], Fields]
COUNTS = ("two", "three", "four", "five", "six")


class Unread(ValueError):
    """A text says something that the rules do not carry out."""


def read_text(text: str, level: int) -> Fields:
    """Return a spell's fields from its text; Unread names the sentence that no pattern fits.

    The first sentence may be a mere picture, when none of its words is one of the rules'.
    """
    found: Fields = {}
    for place, sentence in enumerate(_SENTENCE.findall(text)):
        said = _meaning(sentence, level)
        if said is None and (place or _RULES.search(sentence)):
            raise Unread(sentence)
        for key, value in {**_area(sentence), **(said or {})}.items():
            if found.setdefault(key, value) != value:
                raise Unread(sentence)
    return _together(found)


def _meaning(sentence: str, level: int) -> Fields | None:
    for pattern, meaning in _PATTERNS:
        if found := pattern.fullmatch(sentence):
            above = found.groupdict().get("level")
            if above is not None and (int(above) != level or not level):
                raise Unread(sentence)
            return meaning(found)
    return None


def _area(sentence: str) -> Fields:
    """Return the area that a sentence names: feet, and its shape."""
    found = re.search(_AREA, sentence)
    if found is None:
        return {}
    return {"size": int(found["size"]), "shape": found["shape"].lower()}


def _together(found: Fields) -> Fields:
    """Return the fields with condition, its time and its save gathered in one effect."""
    conditions, boon = found.pop("conditions", ()), found.pop("boon", None)
    until, again = found.pop("until", ""), found.pop("again", False)
    if again and not (conditions and found.get("lasting")):
        raise Unread("a save without an effect")
    if conditions or boon:
        effect: Fields = {"conditions": conditions, "boon": boon}
        if until:
            effect |= {"rounds": 1, "at": until}
        if again:
            effect |= {"save_ends": True}
        found["inflicts"] = effect
    if not {"save", "damage", "heal", "temp", "inflicts"} & set(found):
        raise Unread("a text without an effect")
    return found


def _ability(name: str) -> str:
    return next(key for key, text in ABILITIES.items() if text.en == name)


def _struck(m: re.Match[str]) -> Fields:
    return {"damage": (f"{m['dice']} {m['type'].lower()}",)}


def _saved(m: re.Match[str]) -> Fields:
    return {"how": "save", "save": _ability(m["ability"])}


def _condition(m: re.Match[str]) -> Fields:
    return {"conditions": (m["condition"].lower(),)}


def _hit(m: re.Match[str]) -> Fields:
    return {**_struck(m), **_condition(m), "until": m["until"]}


def _resists(m: re.Match[str]) -> Fields:
    kinds = re.findall(_TYPE, m["kinds"])
    return {
        "friendly": True,
        "lasting": True,
        "boon": {"resist": tuple(one[0].lower() for one in kinds)},
    }


def _only(m: re.Match[str]) -> Fields:
    kind = m["kind"].lower()
    return {} if kind == "creature" else {"only_types": (kind,)}


def _more_targets(m: re.Match[str]) -> Fields:
    return {"more_targets": 1, **_only(m)}


def _one_of(words: tuple[str, ...]) -> str:
    return "|".join(words)


_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s|[A-Z]|$)|$)")
_RULES = re.compile(
    r"\b(?:must|may|can(?! see)|can't|cannot|damage\w*|Hit Points?|conditions?|Advantage|Armor"
    r"|Disadvantage|sav(?:e|es|ing)|regains?|Speed|ends?|until|bonus|penalty|dispels?|Resistance"
    r"|Immun\w*|AC|teleport\w*|Reaction|actions?|DC|once|if|unless|willing|destroy\w*|kill\w*"
    r"|dies?|push\w*|pull\w*|moves?|movement|fall\w*|light|ground|Terrain|Obscured|turns?|duration"
    r"|becomes?|reduced|ignores?|immediately|halve\w*|object\w*|summon\w*)\b",
    re.IGNORECASE,
)
"""Words that make a sentence more than a picture."""
_DICE = r"(?P<dice>\d{1,2}d\d{1,2})"
_MORE = r"(?P<dice>\d{1,2}d\d{1,2}) for each spell slot level above (?P<level>\d)\."
_TYPE = rf"({_one_of(tuple(one.title() for one in DAMAGE_TYPES))})"
_OF_TYPE = rf"(?P<type>{_one_of(tuple(one.title() for one in DAMAGE_TYPES))})"
_ABILITY = rf"(?P<ability>{_one_of(tuple(text.en for text in ABILITIES.values()))})"
_CONDITION = rf"(?P<condition>(?i:{_one_of(CONDITIONS)}))"
_KIND = rf"(?P<kind>creature|{_one_of(tuple(one.title() for one in CREATURE_TYPES))})"
_AREA = (
    r"(?P<size>\d{1,3})-foot(?:-radius)?(?:, \d{1,3}-foot-(?:high|tall))?"
    r" (?P<shape>Sphere|Cone|Cube|Cylinder|Line)"
)
_PLACED = (
    rf"an? {_AREA}(?: (?:centered on (?:that point|a point(?: you choose)? within range)"
    r"|originating from you|within range))?"
)
_WHO = (
    r"(?:The target|Each target|A creature that you can see within range|Each creature in"
    rf" (?:that area|the (?:area|Sphere|Cone|Cube|Cylinder|Line)|that (?:Sphere|Cube)|{_PLACED}))"
)
_IT = r"(?:it|the target|a creature|each target)"
_LASTS = r"(?:for the duration|until the spell ends)"
_SENTENCES: tuple[tuple[str, Meaning], ...] = (
    (
        rf"{_WHO} makes an? {_ABILITY} saving throw, taking {_DICE} {_OF_TYPE} damage on a"
        r" failed save or half as much damage on a successful one\.",
        lambda m: {**_saved(m), **_struck(m), "half": True},
    ),
    (rf"{_WHO} makes an? {_ABILITY} saving throw\.", _saved),
    (rf"On a failed save, {_IT} takes {_DICE} {_OF_TYPE} damage\.", _struck),
    (
        rf"On a successful save, {_IT} takes half as much damage only\.",
        lambda m: {"half": True},
    ),
    (
        rf"{_WHO} must succeed on an? {_ABILITY} saving throw or take {_DICE} {_OF_TYPE}"
        r" damage\.",
        lambda m: {**_saved(m), **_struck(m)},
    ),
    (
        rf"{_WHO} must succeed on an? {_ABILITY} saving throw or have the {_CONDITION}"
        rf" condition {_LASTS}\.",
        lambda m: {**_saved(m), **_condition(m), "lasting": True},
    ),
    (
        r"At the end of each of its turns, (?:the|an affected) target repeats the save, ending"
        r" the spell on itself on a success\.",
        lambda m: {"again": True},
    ),
    (
        r"Make a (?P<how>ranged|melee) spell attack against the target\.",
        lambda m: {"how": m["how"]},
    ),
    (rf"On a hit, the target takes {_DICE} {_OF_TYPE} damage\.", _struck),
    (
        rf"On a hit, the target takes {_DICE} {_OF_TYPE} damage and has the {_CONDITION}"
        r" condition until the (?P<until>start|end) of your next turn\.",
        _hit,
    ),
    (
        r"(?:Each target|The target|A creature you touch|A creature of your choice that you can"
        rf" see within range) regains (?:a number of )?Hit Points equal to {_DICE} plus your"
        r" spellcasting ability modifier\.",
        lambda m: {"friendly": True, "heal": m["dice"], "heal_ability": True},
    ),
    (
        rf"You gain {_DICE} \+ (?P<more>\d{{1,2}}) Temporary Hit Points\.",
        lambda m: {"friendly": True, "temp": f"{m['dice']}+{m['more']}"},
    ),
    (
        rf"(?:A|One willing) creature you touch has the {_CONDITION} condition {_LASTS}\.",
        lambda m: {**_condition(m), "friendly": True, "lasting": True},
    ),
    (
        r"Until the spell ends, one willing creature you touch has Resistance to"
        rf" (?P<kinds>(?:{_TYPE}(?:, and |, | and )?)+) damage\.",
        _resists,
    ),
    (rf"Choose an? {_KIND} that you can see within range\.", _only),
    (
        rf"Choose up to (?P<count>{_one_of(COUNTS)}) creatures in {_PLACED}\.",
        lambda m: {"targets": COUNTS.index(m["count"]) + 2},
    ),
    (r"Using a Higher-Level Spell Slot\.|Cantrip Upgrade\.", lambda m: {}),
    (rf"The damage increases by {_MORE}", lambda m: {"upcast": m["dice"]}),
    (rf"The healing increases by {_MORE}", lambda m: {"heal_upcast": m["dice"]}),
    (
        rf"You can target one additional {_KIND} for each spell slot level above"
        r" (?P<level>\d)\.",
        _more_targets,
    ),
    (
        r"You gain (?P<more>\d{1,2}) additional Temporary Hit Points for each spell slot level"
        r" above (?P<level>\d)\.",
        lambda m: {"temp_upcast": int(m["more"])},
    ),
    (
        rf"The damage increases by {_DICE} when you reach levels 5 \(\d+d\d+\), 11 \(\d+d\d+\),"
        r" and 17 \(\d+d\d+\)\.",
        lambda m: {"scales": True},
    ),
)
"""Sentences, and the fields of a spell that follow from each."""
_PATTERNS = tuple((re.compile(pattern), meaning) for pattern, meaning in _SENTENCES)
