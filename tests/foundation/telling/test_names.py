"""Which names of the record stand in prose, and which words only look like them."""

from __future__ import annotations

import pytest

from ruleplay.telling.citing import Reader
from ruleplay.telling.names import Names
from ruleplay.telling.table import Column, Table

NAMES = Names(
    [
        "Gorlash the Spiteful",
        "Ash Devourer",
        "Lesser Mass",
        "Lesser Mass 2",
        *(f"pull {n}" for n in (1, 2, 5, 6)),
    ]
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Spiteful hits like a truck", ["Gorlash the Spiteful"]),
        ("twelve Spiteful Strike on one tank", []),  # which is a spell of somebody else
        ("a Devourer Demon Hunter", []),
        ("the Devourer ate him", ["Ash Devourer"]),
        ("Lesser Mass 2 fell", ["Lesser Mass 2"]),
        ("of the Lesser Mass, 2 fell", ["Lesser Mass"]),
        ("pulls 2, and then none", ["pull 2"]),
        ("of the pulls, 2.88M came late", []),
        ("on pulls 1 to 2, 5 of your kicks hit", ["pull 1", "pull 2"]),
        ("on pulls 1-2, 5 and 6", ["pull 1", "pull 2", "pull 5", "pull 6"]),
    ],
)
def test_a_word_of_a_longer_name_is_no_name_inside_another_one(text: str, names: list[str]) -> None:
    assert [one.name for one in NAMES.find(text)] == names


def test_a_numeral_of_the_rows_own_name_is_no_number_in_disguise() -> None:
    columns = (Column(name="player", unit="name"), Column(name="abilities", unit="text"))
    rows = (("Oda", "Wound Poison VII 5"), ("Bram", "Web 3"))
    table = Table(id="r1", title="dispels", columns=columns, rows=rows, owner="player")
    reader = Reader((table,), ("Oda", "Bram"))
    assert not reader.judge("Oda took off Wound Poison VII [r1.1].").refused
    assert reader.judge("Bram took off Web VII times [r1.2].").refused
