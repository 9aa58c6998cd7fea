"""Adventures of one's own: monsters, natures, attitudes and purses, and what is wrong where."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.agents.party.vault import WORLD

from ruleplay.agents.party.adapters.adventure_source import adventure_schema, read_adventure
from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.adapters.srd_source import shipped_rules
from ruleplay.agents.party.adapters.tables import lay_table
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.staging import plight
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.state import Config
from ruleplay.errors import UserError

MOLE = """
## monster ash-mole
```yaml
name: {en: ash mole, fr: taupe de cendre}
type: beast
cr: 0
archetype: beast
ac: 10
hp: 3
hit_dice: 1d6
abilities: [8, 10, 10, 2, 10, 4]
attacks:
  - {key: bite, name: {en: bite, fr: morsure}, bonus: 2, reach: 5, damage: ["1d4 piercing"]}
```
### en
Blind, and cross about it.
### fr
Aveugle, et de mauvaise humeur.
"""


def own() -> str:
    """Return the small adventure with a monster of its own in its fight."""
    return WORLD.replace("kind: giant-rat", "kind: ash-mole, nature: coward") + MOLE


def test_a_monster_of_ones_own_fights_by_its_numbers_and_nature() -> None:
    source = own()
    state = lay_table(Config(source=source), Random(1))
    book = open_book("", source)
    encounter = next(iter(book.story.encounters))
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    from ruleplay.agents.party.domain.exploration.effects import start_fight

    play.travel(lambda journey: start_fight(journey, encounter))
    foe = next(one for one in play.table.cast.creatures if one.kind == "ash-mole")
    assert (foe.ac, foe.max_hp) == (10, 3)
    assert plight(play.table, book, foe).nature == "coward"


@pytest.mark.parametrize(
    ("wrong", "with_", "says"),
    [
        ("type: beast", "type: rodent", "type"),
        ("nature: coward", "nature: shy", "nature"),
        ("hp: 3", "hp: many", "hp"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(wrong: str, with_: str, says: str) -> None:
    text = own().replace(wrong, with_)
    line = 1 + text.splitlines().index(next(one for one in text.splitlines() if with_ in one))
    with pytest.raises(UserError) as error:
        read_adventure(text, "mine.md", shipped_rules())
    found = str(error.value)
    assert found.startswith("mine.md:")
    assert says in found
    assert abs(int(found.split(":")[1]) - line) <= 1


def test_the_schema_has_every_kind_of_section() -> None:
    schema = adventure_schema()
    assert {"scene", "person", "encounter", "monster"} <= {*schema}
    person = json.dumps(schema)
    assert all(name in person for name in ("attitude", "purse", "follows", "nature"))
