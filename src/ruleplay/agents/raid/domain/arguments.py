"""The arguments of the tools, as people and models write them."""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

NAME_LIMIT = 600
"""Characters that the names in an argument may have: those of a whole raid."""

_NAMES = files("ruleplay.agents.raid.domain").joinpath("aliases.toml").read_text("utf-8")
ALIASES: dict[str, str] = tomllib.loads(_NAMES)


def snake(name: str) -> str:
    """Return `fight_id` for FightId, fightID, fight-id or FIGHT ID."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\s\-_]+", "_", parted).strip("_").lower()


def _name_of(key: str, fields: set[str]) -> str:
    name = snake(key)
    if name in fields:
        return name
    alias = ALIASES.get(name, name)
    if alias == "player_name" and alias not in fields:
        alias = "character_name"
    if name == "character_name" and name not in fields:
        alias = "player_name"
    return alias if alias in fields else name


def _explain(unknown: list[str], fields: list[str]) -> str:
    told = []
    for name in unknown:
        near = get_close_matches(name, fields, 1)
        told.append(f"{name!r}" + (f" (did you mean {near[0]!r}?)" if near else ""))
    takes = ", ".join(fields) or "no arguments"
    return f"unknown argument {', '.join(told)}; it takes {takes}"


class Arguments(BaseModel):
    """Arguments of any spelling: PascalCase, camelCase and usual short names are read as meant."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _read_names(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        fields = list(cls.model_fields)
        named: dict[str, object] = {}
        for key, value in given.items():
            named.setdefault(_name_of(str(key), set(fields)), value)
        if unknown := [name for name in named if name not in fields]:
            raise ValueError(_explain(unknown, fields))
        return {name: value for name, value in named.items() if value is not None}


def _as_text(given: object) -> object:
    if isinstance(given, bool):
        return given
    if isinstance(given, int | float):
        return f"{given:g}"
    return given


def _as_flag(given: object) -> object:
    return given.strip().lower() if isinstance(given, str) else given


Name = Annotated[str, BeforeValidator(_as_text), Field(max_length=NAME_LIMIT)]
Flag = Annotated[bool, BeforeValidator(_as_flag)]

ReportCode = Annotated[Name, Field(description="code of the report; the newest when left out")]
FightRef = Annotated[
    Name,
    Field(
        description="number of the pull as text, or 'last', 'last wipe', 'last kill', or a boss's"
        " name (its last pull), also 'last wipe on Gruul'; the last pull when left out; or, for"
        " what is no pull, 'trash', 'trash before 3', 'run 2', 'everything'"
    ),
]
PlayerName = Annotated[Name, Field(description="name of the player")]
SomePlayer = Annotated[Name, Field(description="name of a player; everyone when left out")]
EncounterName = Annotated[Name, Field(description="name of the boss, or a part of it")]
ClassName = Annotated[Name, Field(description="class, such as Warlock")]
SpecName = Annotated[Name, Field(description="specialisation, such as Destruction")]


class NoArguments(Arguments):
    """A tool about everything that was imported."""


class OfReport(Arguments):
    """A tool about one report."""

    report_code: ReportCode = ""


class OfPulls(OfReport):
    """A tool about several pulls."""

    fights: Annotated[
        str,
        BeforeValidator(_as_text),
        Field(
            max_length=1000,
            description="pulls as '3, 5-8', or a boss; all of the report when left out; also"
            " 'trash', 'trash before 3', 'run 2' of the keystone runs, 'everything'",
        ),
    ] = ""


class OfPullsPlayer(OfPulls):
    """A tool about several pulls, of everyone or of one player."""

    player_name: SomePlayer = ""


class OfParts(OfPullsPlayer):
    """A tool about several pulls, or a part of each, of everyone or of one player."""

    part: Annotated[
        str, Field(max_length=20, description="0-60, 90-, last 30, phase 2, after phase 2")
    ] = ""


class OfDeaths(OfParts):
    """The deaths of several pulls, or of the report; `trash` adds those on the way to the pulls."""

    trash: Annotated[
        bool, Field(description="also on the trash before these pulls, to the end of their run")
    ] = False


class Tallied(OfParts):
    """What is added up, and by what; `ability` and `target` narrow it."""

    measure: Annotated[Name, Field(description="what is added up")] = "damage"
    by: Annotated[Name, Field(description="player, ability, source, target, pull or cast")] = ""
    ability: Annotated[
        str, Field(max_length=4000, description="names of abilities, parted by semicolons")
    ] = ""
    target_name: Annotated[Name, Field(description="who was acted on")] = ""
    without: Annotated[
        str,
        Field(max_length=2000, description="what is left out: pets, or names by semicolons"),
    ] = ""


class OfFight(OfReport):
    """A tool about one pull."""

    fight_id: FightRef = ""


class OfAnyPulls(OfPulls, OfFight):
    """A tool about one pull, several, or all of the report."""


class OfFightPlayer(OfFight):
    """A tool about one pull, of everyone or of one player."""

    player_name: SomePlayer = ""


class OfAnyPullsPlayer(OfAnyPulls, OfFightPlayer):
    """A tool about one pull or several, of everyone or of one player."""


class OfEncounter(Arguments):
    """A tool about every pull of one boss."""

    encounter_name: EncounterName


class MyPerformance(Arguments):
    """A player's history on a boss, or on every boss."""

    encounter_name: Annotated[
        EncounterName, Field(description="boss; every boss when left out")
    ] = ""
    player_name: PlayerName
    bests_only: Flag = False


class OfSpec(OfEncounter):
    """A tool about one specialisation on one boss."""

    class_name: ClassName
    spec_name: SpecName = ""


class ComparedToTop(OfEncounter):
    """A player against the best of the class."""

    player_name: PlayerName
    class_name: ClassName = ""
    spec_name: SpecName = ""


class Progression(OfEncounter):
    """A character over time on a boss."""

    character_name: PlayerName


class WipeProgression(OfReport):
    """The attempts on a boss in one report."""

    encounter_name: EncounterName = ""


class Regressions(Arguments):
    """Someone, or everyone, over the last kills."""

    player_name: SomePlayer = ""


class ResolvedFights(Arguments):
    """The newest pulls."""

    encounter_name: Annotated[
        EncounterName, Field(description="boss; every boss when left out")
    ] = ""
    count: Annotated[int, Field(ge=1, le=100)] = 5


class TwoReports(Arguments):
    """Two nights side by side; left out, the newest and the one before it."""

    report_a: Annotated[
        Name, Field(description="the earlier report; the one before the newest")
    ] = ""
    report_b: Annotated[Name, Field(description="the later report; the newest when left out")] = ""


class GearChanges(Arguments):
    """A player's gear in two reports."""

    player_name: PlayerName
    report_code_old: Annotated[Name, Field(description="earlier report; before the newest")] = ""
    report_code_new: Annotated[Name, Field(description="later report; the newest")] = ""


class TwoPlayers(OfFight):
    """Two players in one pull."""

    player_a: PlayerName
    player_b: PlayerName


class DebuffUptimes(OfFightPlayer):
    """Debuffs on one target, of everyone or of one player."""

    target_name: Annotated[Name, Field(description="target; the boss when left out")] = ""


class Timeline(OfFightPlayer):
    """Damage over time in steps."""

    step_seconds: Annotated[int, Field(ge=1, le=120, description="seconds of a step")] = 5
