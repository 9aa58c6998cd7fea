"""Scenario and rule files: what is wrong is told with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleplay.agents.saga.adapters.library import scenarios_in, shipped_scenarios
from ruleplay.agents.saga.adapters.rules_source import DATA, read_rules, shipped_rules
from ruleplay.agents.saga.adapters.scenario_source import read_book
from ruleplay.errors import UserError

SMALL = """---
key: small
title: {en: Small, fr: Petit}
pitch: {en: A room., fr: Une pièce.}
intro: {en: You are in a room., fr: Vous êtes dans une pièce.}
start: room
---

## place room
```yaml
name: {en: the room, fr: la pièce}
exits:
  - {to: room}
```
### en
Four walls.
### fr
Quatre murs.

## ending fallen
```yaml
name: {en: Over, fr: Fini}
tone: dark
when: {has: [never]}
```
### en
Over.
### fr
Fini.
"""


def read(text: str) -> None:
    read_book(text, "small.md", shipped_rules())


def test_a_scenario_is_read() -> None:
    book = read_book(SMALL, "small.md", shipped_rules())
    assert book.rules is shipped_rules()
    assert book.scenario.places["room"].text.fr == "Quatre murs."


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("---\nkey", "key", 1, "expected a header"),
        ("start: room", "start: [room", 6, "expected"),
        ("start: room", "start: cellar", 2, "place 'cellar' is not defined"),
        ("{to: room}", "{to: cellar}", 9, "place 'cellar' is not defined"),
        ("{to: room}", "{to: room, key: x}", 13, "Extra inputs"),
        ("tone: dark", "tone: sad", 23, "tone"),
        ("## place room", "## planet room", 9, "no section kind 'planet'"),
        ("### fr\nQuatre murs.", "", 9, "has no text in 'fr'"),
        ("Four walls.\n", "Four walls.\n## place room\n", 17, "stands twice"),
        ("name: {en: the room, fr: la pièce}", "name: &a {en: x, fr: y}\nagain: *a", 12, "aliases"),
        ("## ending fallen", "## ending other", 2, "no ending 'fallen'"),
        ("exits:\n", "encounter: dragon\nexits:\n", 9, "encounter 'dragon' is not defined"),
    ],
)
def test_what_is_wrong_has_a_line(old: str, new: str, line: int, says: str) -> None:
    assert old in SMALL
    with pytest.raises(UserError) as caught:
        read(SMALL.replace(old, new, 1))
    assert str(caught.value).startswith(f"small.md:{line}: "), caught.value
    assert says in str(caught.value)


def test_what_the_rules_lack_has_a_line() -> None:
    with pytest.raises(UserError, match=r"small\.md:\d+: person bo: no item 'wand'"):
        read(
            SMALL
            + "\n## person bo\n```yaml\nname: {en: Bo, fr: Bo}\nsells: [wand]\n```\n"
            + "### en\nBo.\n### fr\nBo.\n"
        )


OWN = """
## item boathook
```yaml
name: {en: boathook, fr: gaffe}
kind: weapon
damage: 6
gender: f
price: 12
words: {en: [boathook, hook], fr: [gaffe]}
```

## skill rowing
```yaml
name: {en: rowing, fr: canotage}
stat: strength
words: {en: [row], fr: [rame, ramer]}
```

## culture ferrymen
```yaml
name: {en: ferrymen, fr: passeurs}
skills: {rowing: 2}
kit: {boathook: 1}
```

## race riverfolk
```yaml
name: {en: Riverfolk, fr: Gens du fleuve}
bonuses: {strength: 1}
cultures: [ferrymen]
```

## beast otter
```yaml
name: {en: giant otter, fr: loutre géante}
hp: 12
stats: {strength: 10, agility: 14, constitution: 10, intelligence: 4, wisdom: 10, charisma: 6}
weapon: fangs
archetype: beast
loot: [boathook]
words: {en: [otter], fr: [loutre]}
```

## encounter bank
```yaml
retreat: room
foes: [{kind: otter, name: {en: Silt, fr: Vase}}]
```
### en
An otter as long as a boat.
### fr
Une loutre longue comme une barque.
"""


def test_a_scenario_brings_rules_of_its_own() -> None:
    book = read_book(SMALL + OWN, "small.md", shipped_rules())
    assert book.rules.bestiary["otter"].loot == ("boathook",)
    assert book.rules.races["riverfolk"].cultures == ("ferrymen",)
    assert book.rules.items.keys() > shipped_rules().items.keys()
    assert "boathook" not in shipped_rules().items


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        ("weapon: fangs", "weapon: paddle", "## beast", "beast otter: item 'paddle' is not"),
        ("cultures: [ferry", "cultures: [f", "## race", "race riverfolk: culture 'fmen' is not"),
        ("damage: 6", "damage: much", "damage: much", "damage: Input should be a valid integer"),
        ("kind: otter", "kind: eel", "## encounter", "encounter bank: no beast 'eel'"),
    ],
)
def test_what_is_wrong_in_ones_own_rules_has_a_line(old: str, new: str, at: str, says: str) -> None:
    assert OWN.count(old) == 1
    text = SMALL + OWN.replace(old, new)
    line = text[: text.rindex(at)].count("\n") + 1
    with pytest.raises(UserError) as caught:
        read(text)
    assert str(caught.value).startswith(f"small.md:{line}: {says}")


def test_shipped_scenarios_have_three_fights_and_several_endings() -> None:
    shelf = shipped_scenarios()
    assert len(shelf) >= 2
    for shelved in shelf.values():
        assert len(shelved.scenario.encounters) >= 3
        assert len(shelved.scenario.endings) >= 3


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "small.md").write_text(SMALL, encoding="utf-8")
    assert scenarios_in(tmp_path)["small"].source == SMALL
    with pytest.raises(UserError, match="no folder"):
        scenarios_in(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("skills.yaml", "stat: agility", "stat: speed", r"skills\.yaml:5: skills\.stealth\.stat"),
        (
            "bestiary.yaml",
            "weapon: rusty-knife",
            "weapon: spoon",
            r"bestiary\.yaml:3: beast snaga: item 'spoon'",
        ),
        ("equipment.yaml", "damage: 8", "damage: many", r"equipment\.yaml:3: items\.sword\.damage"),
        ("peoples.yaml", "cultures:", "cultur:", r"peoples\.yaml:3: races\.human"),
    ],
)
def test_a_wrong_rule_has_a_line(file: str, old: str, new: str, says: str) -> None:
    changed = DATA.shipped[f"rules/{file}"].replace(old, new, 1)
    with pytest.raises(UserError, match=says):
        read_rules({**DATA.shipped, f"rules/{file}": changed})
