"""How hard the fights of a scenario are: each is fought many times by a fresh hero with sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.saga.domain import skirmish, spoils
from ruleplay.agents.saga.domain.blows import weapon_of
from ruleplay.agents.saga.domain.creation import DEFAULT, make_sheet
from ruleplay.agents.saga.domain.fight import HERO, ROUNDS_AT_MOST
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Book

SEEDS = 200
HURT, DONE_FOR = 0.4, 0.45
"""Below which share of hit points a hero drinks, and, with nothing left to drink, runs."""


class FightFigures(BaseModel):
    """How often a fresh hero wins, flees and dies, of 100; `rounds` is the mean length.

    `survived` counts everything but death. `bold_survived` is the same for a hero who never runs.
    """

    model_config = ConfigDict(frozen=True)

    scenario: str
    encounter: str
    won: float
    fled: float
    died: float
    survived: float
    bold_survived: float
    rounds: float


def fight_figures(book: Book, seeds: int = SEEDS) -> list[FightFigures]:
    """Fight every encounter of a scenario with so many seeds."""
    return [_figures(book, key, seeds) for key in book.scenario.encounters]


def _figures(book: Book, encounter: str, seeds: int) -> FightFigures:
    wary = [fought(book, encounter, str(seed), flees=True) for seed in range(seeds)]
    bold = [fought(book, encounter, str(seed), flees=False) for seed in range(seeds)]
    ends = Counter(end for end, _ in wary)
    died = sum(end == "player_die" for end, _ in bold)
    share = {end: round(100 * count / seeds, 1) for end, count in ends.items()}
    return FightFigures(
        scenario=book.scenario.key,
        encounter=encounter,
        won=round(share.get("player_win", 0) + share.get("npc_flee", 0), 1),
        fled=share.get("player_flee", 0),
        died=share.get("player_die", 0),
        survived=round(100 - share.get("player_die", 0), 1),
        bold_survived=round(100 * (seeds - died) / seeds, 1),
        rounds=round(sum(rounds for _, rounds in wary) / seeds, 1),
    )


def fought(book: Book, encounter: str, seed: str, *, flees: bool) -> tuple[str, int]:
    """Fight once, with the hero that somebody gets who chooses nothing; return outcome, rounds."""
    sheet = make_sheet(book.rules, "Halla", "human", "bree", DEFAULT, {})
    start = book.scenario.start
    play = Play(Game(dice_seed=seed, sheet=sheet, place=start, haven=start), book)
    spoils.trigger(play, encounter)
    rounds = 1
    for _ in range(3 * ROUNDS_AT_MOST):
        if play.game.fight is None:
            break
        rounds = play.fight.round
        skirmish.fight_on(play, list(sensible(play, flees=flees)), {})
    result = play.game.last_result
    return (result.outcome if result else "unfinished"), rounds


def sensible(play: Play, *, flees: bool) -> Iterator[Intent]:
    """Yield what a player with sense does: drink when hurt, run when done for, else strike."""
    hero = play.fight.the(HERO)
    share = hero.hp / hero.max_hp
    foes = play.fight.side("foes")
    weapon = weapon_of(play, hero)
    ranged = bool(weapon and weapon.ranged)
    foe = min(foes, key=lambda one: (one.far and not ranged, one.hp, one.id))
    walks = foe.far and not ranged
    potions = play.game.sheet.count("healing-draught")
    if flees and share < DONE_FOR and not potions:
        yield Intent(act="flee")
        return
    if share < HURT and potions and not walks:
        yield Intent(act="use", item="healing-draught")
    yield Intent(act="attack", target=foe.id)
