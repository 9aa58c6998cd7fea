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
    every = [*TERMS.get(f"epithets_{kind}", TERMS["epithets"]).values()]
    own = every[at % len(every)]
    return Text(en=f"{own.en} {name.en.removeprefix('the ')}", fr=f"{name.fr} {own.fr}")
