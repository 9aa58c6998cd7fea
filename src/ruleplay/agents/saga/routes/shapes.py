"""Bodies of saga's HTTP requests and responses."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from ruleplay.server.shapes import Body
from ruleplay.story.texts import Text

Key = Annotated[str, Field(max_length=64)]


class ScenarioChoice(BaseModel):
    """A story: the level it is made for, how many places it has, how many fights wait there."""

    id: str
    title: Text
    pitch: Text
    level: int
    places: int
    fights: int


class RaceChoice(BaseModel):
    """A people: what it adds to characteristics, and the cultures it has."""

    id: str
    name: Text
    bonuses: dict[str, int]
    cultures: list[str]


class Kit(BaseModel):
    """Things that one sets out with."""

    name: Text
    count: int


class CultureChoice(BaseModel):
    """Where somebody grew up: the skills learned there, and what one sets out with."""

    id: str
    name: Text
    skills: dict[str, int]
    kit: list[Kit]
    coin: int


class StatChoice(BaseModel):
    """A characteristic; `score` is what a hero has who chooses nothing."""

    id: str
    name: Text
    score: int


class SkillChoice(BaseModel):
    """A skill, and the characteristic that it rests on."""

    id: str
    name: Text
    stat: str


class Price(BaseModel):
    """What a score costs."""

    score: int
    points: int


class Choices(BaseModel):
    """Everything a hero can be made of."""

    scenarios: list[ScenarioChoice]
    races: list[RaceChoice]
    cultures: list[CultureChoice]
    stats: list[StatChoice]
    skills: list[SkillChoice]
    prices: list[Price]
    budget: int
    skill_ranks: int
    ranks_at_most: int


class Hero(Body):
    """A hero to be, as a session's configuration has them."""

    name: Annotated[str, Field(max_length=64, examples=["Halla"])]
    race: Annotated[Key, Field(examples=["elf"])]
    culture: Annotated[Key, Field(examples=["lindon"])]
    stats: dict[Key, Annotated[int, Field(ge=-1000, le=1000)]] = Field(max_length=12)
    skills: dict[Key, Annotated[int, Field(ge=-1000, le=1000)]] = Field(
        default_factory=dict, max_length=24
    )


class Reckoned(BaseModel):
    """What a hero to be costs, and everything that is wrong with them.

    `hp` and `scores` (with what the people adds) are there when nothing is.
    """

    legal: bool
    problems: list[Text]
    points: int
    ranks: int
    hp: int | None
    scores: dict[str, int]
