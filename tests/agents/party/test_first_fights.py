"""The first fight of each adventure: newcomers win it, and nobody is left out of it."""

from __future__ import annotations

from random import Random

import pytest

from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.adapters.tables import lay_table
from ruleplay.agents.party.domain.exploration.draft import Journey
from ruleplay.agents.party.domain.exploration.effects import start_fight
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import fight_turn
from ruleplay.agents.party.state import Config

FIGHTS = 30


def fought(adventure: str, seed: int) -> tuple[set[str], bool]:
    """Fight an adventure's first encounter; who had a turn before it was over, and whether won."""
    config = Config(adventure=adventure)
    table, book = lay_table(config, Random(seed)).table, open_book(adventure, config.source)
    key = next(iter(book.story.encounters))
    scene = book.story.encounters[key].retreat
    begun = table.expedition.model_copy(update={"scene": scene})
    table = table.model_copy(update={"expedition": begun})
    journey = Journey(begun, book.story, table.cast, book.rules)
    start_fight(journey, key)
    play = TableTurn(table, book)
    play.add(*journey.done)
    acted: set[str] = set()
    while running := play.table.cast.fight:
        able = play.table.cast.the(running.actor).conscious
        acted |= {running.actor} if able else set()
        fight_turn(play, running.actor)
    outcome = next(one for one in reversed(play.done) if type(one).__name__ == "FightOver")
    return acted, outcome.model_dump()["outcome"] in ("won", "parted")


@pytest.mark.parametrize("adventure", ["drowned-bell", "glass-orchard"])
def test_newcomers_win_and_everybody_had_a_turn_before_it_was_decided(adventure: str) -> None:
    won, left_out, idle = 0, [], []
    for seed in range(FIGHTS):
        acted, victory = fought(adventure, seed)
        won += victory
        seats = {"thorin", "pell", "sunniva", "zephrine"}
        left_out += [(seed, one) for one in seats - acted]
        idle += [seed] if not acted - seats else []
    assert won / FIGHTS >= 0.9
    assert not idle
    assert not left_out
