"""Creates an encounter's foes, scaled to the party."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count, islice

from ruleplay.agents.party.domain.adventure import Encounter
from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.domain.scaling import scaled
from ruleplay.agents.party.domain.terms import CreatureType
from ruleplay.agents.party.domain.terms_text import TERMS
from ruleplay.story.texts import Text

EPITHETS = {
    "": "tall limping crooked broad restless pale dark silent slow quick squat ancient",
    "beast": "one-eared lean grey limping broad-beast scarred pale-beast restless silent crooked "
    "quick old",
    "humanoid": "one-eared lean grey-humanoid limping broad-humanoid scarred pale-beast restless "
    "silent crooked quick old-humanoid",
    "undead": "gap-toothed limping crooked broad-humanoid restless pale-undead silent shambling "
    "bent mud-stained quick ancient",
}
"""The epithets of each type of creature, others first, by their keys in `terms.json`."""


def foes_of(
    encounter: Encounter, party: Sequence[Creature], rules: Rulebook, taken: Collection[str] = ()
) -> Iterator[Creature]:
    """Create the foes of an encounter; their ids are the kind and a number that is not `taken`."""
    for group in scaled(encounter.foes, [one.level for one in party]):
        kind = rules.monsters[group.foe.kind]
        free = (one for n in count(1) if (one := f"{group.foe.kind}-{n}") not in taken)
        for number, ident in enumerate(islice(free, group.count), 1):
            alone = group.count == 1
            at = -1 if alone else number - 1
            name = told_apart(group.foe.name or kind.name, at, kind.type)
            hp = int(kind.hp * group.hit_points + 0.5)
            yield enlist(rules, group.foe.kind, ident, name, hp=hp)


def told_apart(name: Text, at: int, kind: CreatureType) -> Text:
    """Return a numbered foe's name with an epithet; a negative number leaves it unchanged.

    Prose may hold no digits, so "rat 2" could not be told.
    """
    if at < 0:
        return name
    every = EPITHETS.get(kind, EPITHETS[""]).split()
    own = TERMS["epithets"][every[at % len(every)]]
    return Text(en=f"{own.en} {name.en.removeprefix('the ')}", fr=f"{name.fr} {own.fr}")
