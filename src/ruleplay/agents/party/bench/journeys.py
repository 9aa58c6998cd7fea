"""`ruleplay party odds --whole`: simulate whole adventures, with everybody acting by policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.adapters.tables import lay_table
from ruleplay.agents.party.domain.adventure import FALLEN
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tactics import choose_venture
from ruleplay.agents.party.domain.turns import fight_on, fight_turn, take
from ruleplay.agents.party.state import Config

TURNS = 2_000
"""Turns after which an adventure counts as not ending."""
Progress = Callable[[int, int], None]


class Journeys(BaseModel):
    """How often an adventure was survived, and how it ended; shares from 0 to 1.

    `deaths` counts characters who did not live to see the end, of adventures that were survived;
    `turns` is how many an adventure took. Both on average.
    """

    model_config = ConfigDict(frozen=True)

    adventure: str
    characters: tuple[str, ...]
    journeys: int
    survived: float
    endings: dict[str, float]
    deaths: float
    turns: float


def journeys(config: Config, seeds: int, on_progress: Progress = lambda done, of: None) -> Journeys:
    """Play a configuration's adventure to its end, once for each of `seeds` seeds."""
    ends: list[tuple[Table, int]] = []
    for seed in range(seeds):
        ends.append(journey(config, seed))
        on_progress(seed + 1, seeds)
    endings = Counter(table.expedition.ending or "none" for table, _ in ends)
    lived = [table for table, _ in ends if table.expedition.ending not in ("", FALLEN)]
    deaths = sum(one.dead for table in lived for one in table.party)
    return Journeys(
        adventure=open_book(config.adventure, config.source, config.rules).story.key,
        characters=ends[0][0].characters,
        journeys=seeds,
        survived=round(len(lived) / seeds, 3),
        endings={key: round(count / seeds, 3) for key, count in endings.most_common()},
        deaths=round(deaths / max(1, len(lived)), 2),
        turns=round(sum(turns for _, turns in ends) / seeds, 1),
    )


def journey(config: Config, seed: int) -> tuple[Table, int]:
    """Play one adventure; return the table at its end, and the number of turns."""
    table, chance = lay_table(config, Random(seed)).table, Random(seed)
    book = open_book(config.adventure, config.source, config.rules)
    for number in range(TURNS):
        if table.mode == "ended":
            return table, number
        play, seat = TableTurn(table, book), table.current_turn
        if table.cast.fight and seat == DM:
            fight_on(play)
        elif table.cast.fight:
            fight_turn(play, seat)
        elif chosen := choose_venture(table, book, seat, chance):
            take(play, seat, chosen)
        play.finish(seat)
        table = play.table
    return table, TURNS
