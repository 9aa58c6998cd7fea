"""The foes of an encounter, in the numbers that a party calls for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.party.domain.adventure import Encounter
from ruleplay.agents.party.domain.bestiary import enlist
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.domain.scaling import scaled
from ruleplay.story.beats import epithet
from ruleplay.story.texts import Text


def foes_of(
    encounter: Encounter, key: str, party: Sequence[Creature], rules: Rulebook
) -> Iterator[Creature]:
    """Yield the foes of an encounter for a party; ids are the kind with a number, unique in it."""
    for group in scaled(encounter.foes, [one.level for one in party]):
        kind = rules.monsters[group.foe.kind]
        for number in range(1, group.count + 1):
            alone = group.count == 1
            ident = f"{group.foe.kind}-{number}"
            name = told_apart(group.foe.name or kind.name, -1 if alone else number - 1)
            hp = int(kind.hp * group.hit_points + 0.5)
            yield enlist(rules, group.foe.kind, ident, name, hp=hp)


def told_apart(name: Text, at: int) -> Text:
    """Return the name of one of several of a kind; a negative number leaves it as it is."""
    if at < 0:
        return name
    en, fr = epithet(name.en, at, "en", article=False), epithet(name.fr, at, "fr")
    return Text(en=en, fr=fr)
