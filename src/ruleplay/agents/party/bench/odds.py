"""`ruleplay party odds`: simulate encounters, with everybody fighting by their tactics.

Each encounter is fought many times with different dice, by a rested party that has just arrived.
The results show whether an adventure is fair: its fights are usually won, and sometimes lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.party.adapters.library import open_book
from ruleplay.agents.party.adapters.tables import lay_table
from ruleplay.agents.party.domain.exploration.draft import Journey
from ruleplay.agents.party.domain.exploration.effects import start_fight
from ruleplay.agents.party.domain.rules.rests import Difficulty, difficulty
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import fight_turn
from ruleplay.agents.party.state import Config
from ruleplay.errors import NotFound

SEEDS = 200
Progress = Callable[[int, int], None]


class Odds(BaseModel):
    """How one encounter went over many fights; shares from 0 to 1.

    `foes` are those for this party. `fallen` is how many characters were down or dead at the end of
    a fight that was won, `rounds` how many a fight took, both on average.
    """

    model_config = ConfigDict(frozen=True)

    encounter: str
    foes: tuple[str, ...]
    difficulty: Difficulty
    fights: int
    won: float
    fled: float
    lost: float
    deaths: float
    fallen: float
    hit_points_left: float
    rounds: float


def odds(
    config: Config,
    encounters: Sequence[str] = (),
    seeds: int = SEEDS,
    on_progress: Progress = lambda done, of: None,
) -> tuple[Odds, ...]:
    """Simulate encounters of a configuration's adventure, by default all of them.

    NotFound if the adventure has no such encounter.
    """
    known = open_book(config.adventure, config.source, config.rules).story.encounters
    keys = tuple(encounters) or tuple(known)
    if unknown := [key for key in keys if key not in known]:
        raise NotFound(f"no encounter {unknown[0]!r}; there are {', '.join(known)}")
    found = []
    for n, key in enumerate(keys):
        fights = []
        for seed in range(seeds):
            fights.append(fight(config, key, seed))
            on_progress(n * seeds + seed + 1, len(keys) * seeds)
        found.append(_summary(key, fights))
    return tuple(found)


class Fought(BaseModel):
    """How one fight went."""

    outcome: str
    rounds: int
    foes: tuple[str, ...]
    difficulty: Difficulty
    deaths: int
    down: int
    share: float


def fight(config: Config, key: str, seed: int) -> Fought:
    """Simulate one encounter with the dice of a seed."""
    state = lay_table(config, Random(seed))
    book = open_book(config.adventure, config.source, config.rules)
    scene = book.story.encounters[key].retreat
    begun = state.table.expedition.model_copy(update={"scene": scene})
    table = state.table.model_copy(update={"expedition": begun})
    journey = Journey(begun, book.story, table.cast, book.rules)
    start_fight(journey, key)
    play = TableTurn(table, book)
    play.add(*journey.done)
    foes = [one for one in play.table.cast.creatures if one.side != "party"]
    levels = [one.level for one in play.table.cast.side("party")]
    rounds = 1
    while running := play.table.cast.fight:
        rounds = running.round
        fight_turn(play, running.actor)
    over = next(one for one in reversed(play.done) if type(one).__name__ == "FightOver")
    party = [one for one in play.table.cast.creatures if one.side == "party"]
    return Fought(
        outcome=str(over.model_dump()["outcome"]),
        rounds=rounds,
        foes=tuple(one.kind for one in foes),
        difficulty=difficulty(levels, [one.cr for one in foes]),
        deaths=sum(one.dead for one in party),
        down=sum(not one.dead and one.hp == 0 for one in party),
        share=sum(one.hp for one in party) / sum(one.max_hp for one in party),
    )


def _summary(key: str, fights: Sequence[Fought]) -> Odds:
    outcomes = Counter(one.outcome for one in fights)
    won = [one for one in fights if one.outcome in ("won", "parted")]
    return Odds(
        encounter=key,
        foes=tuple(f"{count} {kind}" for kind, count in Counter(fights[0].foes).items()),
        difficulty=fights[0].difficulty,
        fights=len(fights),
        won=round(len(won) / len(fights), 3),
        fled=round(outcomes["fled"] / len(fights), 3),
        lost=round(outcomes["lost"] / len(fights), 3),
        deaths=_mean([one.deaths for one in fights]),
        fallen=_mean([one.deaths + one.down for one in won]),
        hit_points_left=_mean([one.share for one in won]),
        rounds=_mean([one.rounds for one in fights]),
    )


def _mean(numbers: Sequence[float]) -> float:
    return round(sum(numbers) / len(numbers), 2) if numbers else 0.0
