"""Characters and fights for the tests of the rules, with plain numbers that are easy to follow."""

from __future__ import annotations

from typing import Any, TypeVar

from ruleplay.agents.party.adapters.srd_source import shipped_rules
from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Carried, Creature, Feature
from ruleplay.agents.party.domain.happenings.creatures import Happening
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.rules.acts import resolve
from ruleplay.agents.party.domain.rules.outfit import outfitted
from ruleplay.agents.party.domain.rules.turns import begin_fight
from ruleplay.agents.party.domain.terms import ABILITIES, ClassKey, modifier, proficiency_of_level
from ruleplay.story.texts import Text

BOOK = shipped_rules()
Kind = TypeVar("Kind", bound=Happening)
KITS: dict[str, dict[str, Any]] = {
    "barbarian": {"weapon": "greataxe"},
    "bard": {"weapon": "rapier", "armour": "leather-armor"},
    "cleric": {"weapon": "mace", "armour": "scale-mail", "shield": "shield"},
    "druid": {"weapon": "scimitar", "armour": "leather-armor", "shield": "shield"},
    "fighter": {"weapon": "longsword", "armour": "chain-mail", "shield": "shield"},
    "monk": {"weapon": "shortsword"},
    "paladin": {"weapon": "longsword", "armour": "chain-mail", "shield": "shield"},
    "ranger": {"weapon": "shortsword", "offhand": "shortsword", "armour": "leather-armor"},
    "rogue": {"weapon": "rapier", "armour": "leather-armor"},
    "sorcerer": {"weapon": "dagger"},
    "warlock": {"weapon": "dagger", "armour": "leather-armor"},
    "wizard": {"weapon": "quarterstaff"},
}
PACK = ("longbow", "arrow", "dagger", "javelin", "potion-of-healing", "healers-kit", "handaxe")


def hero(klass: ClassKey, level: int = 1, ident: str = "", **changes: Any) -> Creature:
    """Return a character of a class: 16 in its two main abilities, 12 in the others."""
    rules = BOOK.classes[klass]
    scores = {ability: 16 if ability in rules.primary else 12 for ability in ABILITIES}
    con = modifier(scores["con"])
    hp = rules.hit_die + con + (level - 1) * (rules.hit_die // 2 + 1 + con)
    row = rules.levels[level - 1]
    features = tuple(_feature(key, level) for one in rules.levels[:level] for key in one.features)
    kit = KITS[klass]
    held = [one for one in (*kit.values(), *PACK) if one]
    counts = {key: 20 if key == "arrow" else held.count(key) for key in dict.fromkeys(held)}
    spells = tuple(key for key, spell in BOOK.spells.items() if klass in spell.classes)
    made = Creature(
        id=ident or klass,
        name=Text(en=klass.title(), fr=klass.title()),
        kind="human",
        classes={klass: level},
        level=level,
        proficiency=proficiency_of_level(level),
        abilities=scores,
        saves=rules.saves,
        skills=dict.fromkeys(rules.skills[: rules.choose], 1),
        hp=hp,
        max_hp=hp,
        hit_die=rules.hit_die,
        hit_dice=level,
        features=features,
        spells=spells,
        casting=rules.casting,
        slots=row.slots,
        max_slots=row.slots,
        proficient=(*rules.weapons, *rules.armour),
        inventory=tuple(Carried(item=key, count=count) for key, count in counts.items()),
        **kit,
    )
    return outfitted(made.model_copy(update=changes), BOOK)


def _feature(key: str, level: int) -> Feature:
    rule = BOOK.features[key]
    most = {"": 0, "once": 1, "twice": 2, "pool": 5 * level, "ability": 3, "level": level}
    uses = most.get(rule.uses, 2)
    return Feature(key=key, left=uses, most=uses, per=rule.per)


def foe(kind: str, ident: str = "", **changes: Any) -> Creature:
    """Return a monster of a kind."""
    return enlist(BOOK, kind, ident or kind).model_copy(update=changes)


def cast_of(*creatures: Creature, seed: str = "7") -> Cast:
    return Cast(creatures=creatures, dice_seed=seed)


def fighting(*creatures: Creature, seed: str = "7", first: str = "", **places: int) -> Cast:
    """Return a fight of these, with `first` to move: heroes at 0 feet, foes at 5, or as placed."""
    stand = {one.id: places.get(one.id, 0 if one.side == "party" else 5) for one in creatures}
    cast = cast_of(*creatures, seed=seed)
    for happening in begin_fight(cast, BOOK, "test", stand):
        cast = cast.apply(happening)
    return turn_of(cast, first) if first else cast


def turn_of(cast: Cast, who: str) -> Cast:
    """Return the fight with turns ended until somebody is to move."""
    for _ in range(40):
        fight = cast.fight
        assert fight is not None, "the fight is over"
        if fight.actor == who:
            return cast
        cast = act(cast, fight.actor, "end")[0]
    raise AssertionError(f"{who} never moves")


def act(cast: Cast, who: str, name: str, **fields: Any) -> tuple[Cast, tuple[Happening, ...]]:
    """Let somebody do something that the rules allow."""
    found = resolve(cast, who, Intent(act=name, **fields), BOOK)  # type: ignore[arg-type]
    assert not isinstance(found, Refusal), found
    for happening in found:
        cast = cast.apply(happening)
    return cast, found


def refused(cast: Cast, who: str, name: str, **fields: Any) -> str:
    """Return why the rules refuse something."""
    found = resolve(cast, who, Intent(act=name, **fields), BOOK)  # type: ignore[arg-type]
    assert isinstance(found, Refusal), found
    return found.reason


def of(happened: tuple[Happening, ...], kind: type[Kind]) -> list[Kind]:
    """Return what happened of a kind."""
    return [one for one in happened if isinstance(one, kind)]


def seeded(make: Any, wanted: Any, most: int = 400) -> Any:
    """Return what `make(seed)` gives for the first seed whose outcome is wanted."""
    for number in range(most):
        found = make(str(number))
        if wanted(found):
            return found
    raise AssertionError(f"none of {most} seeds gives what was wanted")
