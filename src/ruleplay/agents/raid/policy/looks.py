"""The single function by which a model reaches the tools: `look`, with one line per tool.

Thirty-six schemas would fill the prompt before anything is asked. A line states what a tool answers
and which arguments it needs; the tool's own model validates them, and errors are returned as the
call's result.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
)
from pydantic.config import JsonDict

from ruleplay.agents.raid.domain.arguments import snake
from ruleplay.agents.raid.domain.overview import Member, fold, named_players, side_given
from ruleplay.agents.raid.domain.overview import short_name as short_name_of
from ruleplay.agents.raid.domain.persons import called, roles_of, with_roles
from ruleplay.agents.raid.domain.toolbox import BY_NAME, SPECS, ToolSpec
from ruleplay.agents.raid.policy.printing import EITHER
from ruleplay.errors import first_invalid
from ruleplay.kernel.converse import Tool

LOOK = "look"
EVERYONE = "everyone"
"""Who is meant where no player is named."""
_TOLD = tomllib.loads(
    files("ruleplay.agents.raid.policy").joinpath("looks.toml").read_text("utf-8")
)
_SHORT: Mapping[str, str] = _TOLD["short"]
"""Tool argument names -> the names that `look` uses for them."""
_UNTAKEN: Mapping[str, str] = _TOLD["untaken"]
"""Measures of the tally -> arguments that it does not use for them."""
_BY: Mapping[str, str] = _TOLD["by"]
"""Measures of the tally -> what they are grouped by, where not by all that sums are."""
_OF_ROWS = frozenset(("player", "ability", "spec", "class", "target"))
"""Arguments that a broader tool may lack: they select rows of its result."""


_AND = re.compile(r"[;,&/]|\band\b|\bet\b")
_COMMA = re.compile(r"\s*,(?!\s*the\b)\s*")
"""Joins several abilities or targets; "Dimensius, the All-Devouring" is one."""
_SPANS = re.compile(r"\d[\d\s,–-]*")
"""Pulls by number, as '3, 5-8'."""
EACH = 4
"""Maximum number of players for whom a single-player tool is called."""
_OF_EVERYONE = frozenset(("get_fight_details", "get_roster"))
"""Tools without a player argument whose rows are players, so that naming one selects a row."""
_OF_SEVERAL = frozenset(("get_tally", "get_night_deaths"))
"""Tools that take several players at once."""
_OF_EACH = frozenset(
    ("get_activity_report", "get_consumable_check", "get_healer_mana", "get_resource_usage")
)
"""Tools with one row per player: called once for several players, whose rows are selected."""


def _as_text(given: object) -> object:
    return f"{given:g}" if isinstance(given, int | float) and given is not True else given


Text = Annotated[str, BeforeValidator(_as_text), Field(max_length=600)]


def _unless_everyone(said: str) -> str:
    """Take what a model is told to be the default for it."""
    return "" if fold(said) == EVERYONE else said


def short_name(tool: ToolSpec) -> str:
    """Shorten a tool's name to what the model writes."""
    return tool.name.removeprefix("get_")


_PROPERTIES: JsonDict = _TOLD["told"]
"""Argument descriptions for the model; a generated schema would be twice as long."""


class Look(BaseModel):
    """What a model wants to look at; every argument but the tool may be left out."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        str_strip_whitespace=True,
        json_schema_extra={"properties": _PROPERTIES, "description": ""},
    )

    tool: Text
    report: Text = ""
    pull: Text = ""
    pulls: Text = ""
    player: Annotated[Text, AfterValidator(_unless_everyone)] = ""
    other: Text = ""
    boss: Text = ""
    class_: Annotated[Text, Field(alias="class")] = ""
    spec: Text = ""
    target: Text = ""
    ability: Text = ""
    measure: Text = ""
    by: Text = ""
    part: Text = ""
    without: Text = ""
    step: int | None = None
    count: int | None = None
    bests: bool | None = None
    trash: bool | None = None
    page: Annotated[int, Field(ge=1, le=1000)] = 1


class BadLook(ValueError):
    """A look that fits no tool; the message is meant for the model."""


def resolved(look: Look, *, whole: bool = False) -> tuple[str, dict[str, JsonValue]]:
    """Resolve the tool and its arguments, validated by the tool's own model; raises BadLook.

    `whole` says that the log has no pulls, so that all of it is meant where no pull is named.
    """
    spec = _tool(look.tool)
    said = {
        name: value
        for name, value in look.model_dump(by_alias=True, exclude={"tool", "page"}).items()
        if value not in ("", None)
    }
    args = _arguments(spec, said)
    places = [one for one in ("fights", "fight_id") if one in spec.arguments.model_fields]
    if whole and places and not {*places} & args.keys() and args.get("by") != "floor":
        args[places[0]] = "everything"
    try:
        made = spec.arguments.model_validate(args)
    except ValidationError as error:
        where, what = first_invalid(error)
        raise BadLook(f"{signature(spec)}: {_SHORT.get(where, where)}: {what}") from error
    plain: dict[str, JsonValue] = made.model_dump(mode="json", exclude_defaults=True)
    return spec.name, plain


def narrowing(look: Look) -> tuple[str, ...]:
    """List the names that rows must contain because the tool has no such argument.

    Alternatives within a name are separated by "|".
    """
    spec = _tool(look.tool)
    taken = _taken(spec)
    taken -= {"player"} if _selects(spec, look.player) else set()
    taken -= _untaken(spec, look.measure)
    said = look.model_dump(by_alias=True)
    return tuple(
        side_given(str(said[name])) or re.sub(r"\s*;\s*", EITHER, str(said[name]))
        for name in sorted(_OF_ROWS)
        if name not in taken and said[name]
    )


def looks_of(look: Look, members: Sequence[Member]) -> tuple[Look, ...]:
    """Expand a look that names several people: names, a class, a role ("the healers").

    A tool that accepts several gets them at once; one that accepts a single player is called for
    each; for the others, which describe everyone, rows are selected.
    """
    tool = _tool(look.tool)
    fields = tool.arguments.model_fields
    kept = {"class_name", "spec_name"} & fields.keys()
    said = look.player or ("" if kept else f"{look.spec} {look.class_}".strip())
    people = _people_of(said, _there(members, look.pulls or look.pull))
    if len(people) < 2:
        found = {"player": people[0]} if people else {}
        return (look.model_copy(update=found),)
    bare = look.model_copy(update={} if kept else {"class_": "", "spec": ""})
    alone = {"player_name", "character_name"} & fields.keys()
    together = "; ".join(people)
    if not alone or tool.name in _OF_SEVERAL or _selects(tool, together):
        return (bare.model_copy(update={"player": together}),)
    if len(people) > EACH:
        names = ", ".join(people)
        raise BadLook(f"{short_name(tool)} is of one player: name up to {EACH} of {names}")
    return tuple(bare.model_copy(update={"player": name}) for name in people)


def _there(members: Sequence[Member], said: str) -> Sequence[Member]:
    """Select who took part in pulls that are given by number, with the role of a single one."""
    if not _SPANS.fullmatch(said):
        return members
    spans = [(int(a), int(b or a)) for a, b in re.findall(r"(\d+)(?:\s*[-–]\s*(\d+))?", said)]
    there = [m for m in members if any(a <= one <= b for one in m.pulls for a, b in spans)]
    if len(spans) == 1 and spans[0][0] == spans[0][1]:
        there = [
            one.model_copy(update={"role": one.unlike.get(spans[0][0], one.role)}) for one in there
        ]
    return there or members


def _selects(spec: ToolSpec, player: str) -> bool:
    """Whether a tool is called for everyone because several players are named, or a side is."""
    if spec.name in _OF_SEVERAL:
        return False
    several = player.count(";") >= (1 if spec.name in _OF_EACH else EACH)
    own = spec.arguments.model_fields.get("player_name")
    return bool(side_given(player)) or (several and own is not None and not own.is_required())


def _untaken(spec: ToolSpec, measure: str) -> set[str]:
    """Collect the arguments that a tally does not use for a measure, though others need them."""
    own = _UNTAKEN.get(measure, "") if spec.name == "get_tally" else ""
    return {*own.split()}


def _people_of(said: str, members: Sequence[Member]) -> tuple[str, ...]:
    """Resolve names, classes and roles to players; empty if one of them is unknown."""
    found: dict[str, None] = {}
    for part in map(str.strip, _AND.split(said)):
        named = named_players(part, members)
        known = named or called(f"all {part}", members).players
        roles = () if known else roles_of(fold(part))
        known = known or tuple(one.name for one in with_roles(members, {*roles}) if roles)
        if not known:
            return ()
        found |= dict.fromkeys(known)
    return tuple(map(short_name_of, found))


def _tool(name: str) -> ToolSpec:
    asked = snake(name)
    spec = BY_NAME.get(asked) or BY_NAME.get(f"get_{asked}")
    if spec is None:
        known = [short_name(one) for one in SPECS]
        near = get_close_matches(asked.removeprefix("get_"), known, 3) or known
        raise BadLook(f"no tool {name[:80]!r}; there are {', '.join(near)}")
    return spec


def _arguments(spec: ToolSpec, said: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    fields = spec.arguments.model_fields
    measure = str(said.get("measure") or "")
    untaken = _untaken(spec, measure)
    taken = _taken(spec) - untaken
    if said.get("by") == "player":  # which is what there is
        taken |= {"by"}
    said, by = _with_pulls(said, taken), str(said.get("by") or "player")
    if spec.name == "get_tally" and by not in _BY.get(measure, by).split():
        raise BadLook(f"tally of {measure} is by {_BY[measure].replace(' ', ', ')}, not by {by}")
    args = {name: said[_SHORT[name]] for name in fields if _SHORT.get(name) in said}
    args = {name: value for name, value in args.items() if _SHORT[name] not in untaken}
    several = ("player_name",) if spec.name in _OF_SEVERAL else ()
    for name in ("ability", "target_name", *several):
        if isinstance(text := args.get(name), str):
            args[name] = _COMMA.sub("; ", text)
    if _selects(spec, str(args.get("player_name"))):
        del args["player_name"]
    places = sorted({"fight_id", "fights"} & fields.keys())
    if places and not {*places} & args.keys() and said.get("boss"):
        args[places[-1]] = said["boss"]
    placed = {"boss"} if places or "boss" in taken else set()
    if unknown := said.keys() - taken - _OF_ROWS - placed - {"report"}:
        of = f" of {measure}" if untaken else ""
        raise BadLook(f"{signature(spec)}{of} takes no {', '.join(sorted(unknown))}")
    return args


def _taken(spec: ToolSpec) -> set[str]:
    """Collect the arguments of a tool, by the names that `look` uses for them."""
    return {_SHORT[name] for name in spec.arguments.model_fields if name in _SHORT}


def _with_pulls(said: Mapping[str, JsonValue], taken: Collection[str]) -> Mapping[str, JsonValue]:
    """Take one name of the pulls for the other, for a tool that has only the other."""
    for one, other in (("pull", "pulls"), ("pulls", "pull")):
        if one in said and one not in taken and other in taken:
            return {other: said[one]} | {name: v for name, v in said.items() if name != one}
    return said


def signature(spec: ToolSpec) -> str:
    """Describe how a tool is called; required arguments carry an exclamation mark."""
    told = [
        _SHORT[name] + ("!" if entry.is_required() else "")
        for name, entry in spec.arguments.model_fields.items()
        if name != "report_code"
    ]
    if spec.name in _OF_EVERYONE:
        told.append("player")
    return f"{short_name(spec)}({', '.join(told)})"


def _lines() -> Iterator[str]:
    """Yield the tools grouped by their arguments, so that these are stated once."""
    groups: dict[str, list[ToolSpec]] = {}
    for spec in SPECS:
        groups.setdefault(signature(spec).partition("(")[2], []).append(spec)
    for takes, specs in groups.items():
        yield f"({takes}"
        yield from (f"{short_name(spec)}: {spec.description.rstrip('.')}" for spec in specs)


@cache
def look_tool() -> Tool:
    """Build the function's definition for the model."""
    told = "\n".join(_lines())
    return Tool(
        LOOK,
        "Look into the combat logs. One call, one tool; several calls at once where none needs the"
        " other. Left out: report = the one in focus, pull = the last, player ="
        f" {EVERYONE}."
        f" Tools, with their arguments (! = needed):\n{told}",
        Look,
    )
