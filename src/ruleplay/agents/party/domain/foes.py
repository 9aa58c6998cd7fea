"""Creates an encounter's foes, scaled to the party."""

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
    """Create the foes of an encounter; their ids are the kind and a number."""
    for group in scaled(encounter.foes, [one.level for one in party]):
        kind = rules.monsters[group.foe.kind]
        for number in range(1, group.count + 1):
            alone = group.count == 1
            ident = f"{group.foe.kind}-{number}"
            name = told_apart(group.foe.name or kind.name, -1 if alone else number - 1)
            hp = int(kind.hp * group.hit_points + 0.5)
            yield enlist(rules, group.foe.kind, ident, name, hp=hp)


def told_apart(name: Text, at: int) -> Text:
    """Return a numbered foe's name with an epithet; a negative number leaves it unchanged."""
    if at < 0:
        return name
    en, fr = epithet(name.en, at, "en", article=False), epithet(name.fr, at, "fr")
    return Text(en=en, fr=fr)
