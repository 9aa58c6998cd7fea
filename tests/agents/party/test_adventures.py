"""Adventure files: what they hold, and that what is wrong with one is told with file and line."""

from __future__ import annotations

import pytest
from tests.agents.party.small import SMALL

from ruleplay.agents.party.adapters.adventure_source import read_adventure
from ruleplay.agents.party.adapters.library import shipped_adventures
from ruleplay.agents.party.adapters.srd_source import SHIPPED, shipped_rules
from ruleplay.agents.party.domain.adventure import FALLEN, Foe
from ruleplay.agents.party.domain.adventure_problems import reachable
from ruleplay.agents.party.domain.scaling import CROWD, scaled, strength
from ruleplay.errors import UserError


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_an_adventure_is_read() -> None:
    story = read_adventure(SMALL, "small.md", shipped_rules())
    assert story.scenes["room"].text.fr == "Quatre murs."
    assert story.deeds["find-key"].failure is not None
    assert "clue:mat" in reachable(story, lucky=True)
    assert "clue:mat" not in reachable(story, lucky=False)


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        ("---\nkey", "key", "---", "expected a header"),
        ("start: room", "start: cellar", "---", "scene 'cellar' is not defined"),
        ("{to: yard,", "{to: street,", "## scene room", "scene 'street' is not defined"),
        ("clues: [mat]", "clues: [rug]", "## deed find-key", "clue 'rug' is not defined"),
        ("skill: perception", "skill: knitting", "test:", "test.skill"),
        ("dc: 10", "dc: 50", "test:", "less than or equal to 30"),
        ("has: [key]", "has: [kye]", "## scene room", "nothing ever sets the flag 'kye'"),
        (", clues: [mat]", "", "## clue mat", "cannot be reached by anything"),
        ("has: [key]}}", "has: [key], hat: [x]}}", "exits:", "hat: Extra inputs"),
        ("### fr\nQuatre murs.", "", "## scene room", "no text in 'fr'"),
        ("## clue mat", "## clew mat", "## clue mat", "no section kind 'clew'"),
        ("## deed break-door", "## deed find-key", "## deed break-door", "stands twice"),
        ("safe: true", "save: true", "safe: true", "save: Extra inputs"),
        ("## ending fallen", "## ending dead", "---", "no ending 'fallen'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, at: str, says: str) -> None:
    broken = SMALL.replace(old, new, 1)
    with pytest.raises(UserError) as told:
        read_adventure(broken, "small.md", shipped_rules())
    file, line, problem = str(told.value).split(":", 2)
    assert file == "small.md"
    assert says in problem
    assert int(line) in range(line_of(SMALL, at), line_of(SMALL, at) + 2)


def test_a_needed_check_without_a_way_round_is_told() -> None:
    blocked = SMALL.replace(
        "hint: {en: break the door", "test: {skill: athletics, dc: 12}\nhint: {en: break the door"
    )
    with pytest.raises(UserError, match="without luck no ending can be reached"):
        read_adventure(blocked, "small.md", shipped_rules())


def test_monsters_and_things_are_those_of_the_rules() -> None:
    foe = "encounter: crowd\nname: {en: the yard"
    fight = (
        SMALL.replace("name: {en: the yard", foe)
        + """
## encounter crowd
```yaml
retreat: room
foes: [{kind: jabberwock}]
won: {en: Won., fr: Gagné.}
```
### en
Feet.
### fr
Des pieds.
"""
    )
    with pytest.raises(UserError, match="no monster 'jabberwock' in the rules"):
        read_adventure(fight, "small.md", shipped_rules())


@pytest.mark.parametrize("key", ["drowned-bell", "glass-orchard"])
def test_the_shipped_adventures_are_whole(key: str) -> None:
    story = shipped_adventures()[key].adventure
    assert 8 <= len(story.scenes) <= 12
    assert len(story.encounters) >= 3
    assert len([ending for ending in story.endings if ending != FALLEN]) >= 3
    assert len(story.secrets) >= 4
    assert len(story.details) >= 3
    assert {clue.audience for clue in story.clues.values()} == {"party", "finder"}


@pytest.mark.parametrize(
    "path", sorted(SHIPPED.glob("adventures/*.md")), ids=lambda path: path.name
)
def test_encounter_texts_fit_any_number_of_foes(path: object) -> None:
    """The rule of scaling changes counts, so a text must not tell how many there are."""
    stories = [one.adventure for one in shipped_adventures().values()]
    for story in stories:
        for key, encounter in story.encounters.items():
            words = f" {encounter.text.en.casefold()} ".replace(",", " ").split()
            assert not {"two", "three", "four", "five"} & set(words), key


@pytest.mark.parametrize(("size", "rats"), [(1, 1), (2, 1), (3, 3), (4, 4), (5, 5), (6, 6)])
def test_a_crowd_grows_with_the_party_and_small_ones_have_it_easier(size: int, rats: int) -> None:
    crowd = Foe(kind="giant-rat", count=4)
    assert [group.count for group in scaled([crowd], [1] * size)] == [rats]


def test_a_leader_stays_alone_and_is_tougher_for_more() -> None:
    chief, men = Foe(kind="thug", leader=True), Foe(kind="bandit", count=3)
    found = {size: scaled([chief, men], [1] * size) for size in (1, 3, 4, 6)}
    assert {size: [group.count for group in groups] for size, groups in found.items()} == {
        1: [1],
        3: [1, 1],
        4: [1, 3],
        6: [1, 4],
    }
    tough = [groups[0].hit_points for groups in found.values()]
    assert tough == sorted(tough)
    assert tough[0] < 1 < tough[-1]


def test_higher_levels_are_worth_more_and_no_fight_is_without_bounds() -> None:
    assert strength([1] * 4) == 1.0
    assert strength([3] * 4) > strength([2] * 4) > 1
    crowd = scaled([Foe(kind="giant-rat", count=8)], [5] * 6)
    assert sum(group.count for group in crowd) == CROWD
