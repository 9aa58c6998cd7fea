"""Narrows a form's tool call to the question, and adds the calls that complement its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from pydantic import JsonValue

from ruleplay.agents.raid.domain.omissions import PETS
from ruleplay.agents.raid.domain.overview import PullSummary, fold, spans_of
from ruleplay.agents.raid.domain.persons import asks_of_pets, suffered_by_us, was_done_to
from ruleplay.agents.raid.domain.questions import Question
from ruleplay.agents.raid.domain.reference.tables import interrupts, spell_names
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.forms import PAIR, SUMS, Form
from ruleplay.agents.raid.policy.hearing import Heard

KICKS = frozenset(one.name for one in interrupts().values())
"""Spells that interrupt: asked how they were used, what they interrupted is told too."""
BETWEEN = "between"
"""The tally's `fights` value for the time outside all pulls."""
EVERYTHING = "everything"
"""The tools' `fights` value for the whole log."""
FIGHTS = 8
"""Maximum number of pulls that one question looks into individually."""


_OUTSIDE = SUMS | {"interrupts", "casts", "kills", "uptime"}
"""Measures that the tally can also sum outside pulls."""


def outside(
    tool: str, args: Mapping[str, JsonValue], fights: str = BETWEEN
) -> dict[str, JsonValue] | None:
    """Turn a call to more than pulls, named by `fights`; None if it is only told of pulls."""
    if tool == "get_tally" and args.get("measure") in _OUTSIDE:
        by = "player" if args.get("by") == "pull" else args.get("by", "")
        return {**{n: one for n, one in args.items() if n != "part"}, "by": by, "fights": fights}
    if tool == "get_lowest_health":
        return {**args, "fights": EVERYTHING}
    reports_alone = "report_code" not in BY_NAME[tool].arguments.model_fields
    return dict(args) if reports_alone or tool in ("get_night_deaths", "get_trash_time") else None


class Asked(Protocol):
    """What a plan knows when its calls are made."""

    @property
    def question(self) -> Question:
        """The question."""

    @property
    def heard(self) -> Heard:
        """The parsed intent of the question."""

    @property
    def roles(self) -> Mapping[str, str]:
        """Roles by player name."""

    @property
    def pulls(self) -> int:
        """Number of pulls of the night."""


def beside(
    form: Form, plan: Asked, pulls: Sequence[PullSummary]
) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield further calls that a form's answer needs."""
    fights = [pull.fight for pull in pulls]
    spans = spans_of(fights)
    yield from _given_up(form, pulls)
    yield from _before_deaths(form, plan, fights)
    turned = {"taken": "damage", "damage": "taken", "casts": "taken"}.get(form.measure)
    both = plan.heard.measure == "adds" and plan.question.targets
    named = plan.heard.shape == "hit" or plan.question.abilities or both
    if form.name in ("tally", "casts") and turned and named:
        by = form.by if form.by == "pull" else "player"
        yield "get_tally", narrowed(replace(form, measure=turned, by=by), plan, spans)
    yield from _of_uses(form, plan, fights)
    yield from _singly(form, plan, spans)
    if form.name == "part" and asks_of_pets(plan.question.text) and len(plan.question.players) != 1:
        whole = narrowed(replace(form, by="player"), plan, spans)
        yield from (("get_tally", whole), ("get_tally", whole | {"without": PETS}))
    if form.name == "tally" and form.measure == "taken" and plan.question.abilities:
        yield "get_tally", {"measure": "taken", "by": "ability", "fights": spans}
        yield "get_tally", narrowed(replace(form, measure="casts", by="cast"), plan, spans)
    one = len(plan.question.players) == 1 and plan.question.abilities and form.by == "player"
    if form.name == "tally" and one and form.measure in ("damage", "healing"):
        whole = narrowed(replace(form, by="ability"), plan, spans)
        yield "get_tally", {name: value for name, value in whole.items() if name != "ability"}
    if form.name == "tally" and form.by == "player" and _is_parted(form, plan):
        apart = narrowed(replace(form, by="ability"), plan, spans)
        for name in plan.question.players:
            yield "get_tally", apart | {"player_name": name}
            if len(plan.question.players) == 1:
                yield "get_tally", apart | {"by": "source", "player_name": name}
    free = not (plan.question.players or plan.question.abilities or plan.question.targets)
    given_up = 1 < len(fights) <= FIGHTS and any(pull.ended == "reset" for pull in pulls)
    if given_up and free and (form.name, form.measure, form.by) == ("tally", "damage", "player"):
        # Of pulls that were given up, some were not even begun.
        yield "get_tally", narrowed(replace(form, by="pull"), plan, spans)
    for tool, wanted in _ALWAYS.get(form.name, ()):
        yield tool, {**wanted, **({"fights": spans} if tool == "get_tally" and spans else {})}
    yield from _each_pull(form, plan, fights)
    yield from _of_form(form, plan, spans)
    yield from _of_story(plan, spans) if form.name == "spell" else ()
    yield from _saves(plan, spans) if form.name == "deaths" else ()


def _of_uses(
    form: Form, plan: Asked, fights: Sequence[int]
) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield the calls that complement the uses of an ability."""
    spans = spans_of(fights)
    if form.name == "casts" and plan.question.abilities:
        # An ability that is never cast may still show as an aura, such as a boss's frenzy.
        yield "get_tally", narrowed(replace(form, measure="uptime", by=""), plan, spans)
    if form.name == "uptime" and plan.question.abilities and not plan.question.players:
        yield "get_tally", {"measure": "present", **({"fights": spans} if spans else {})}
    if form.name in ("effects", "uptime") and plan.question.abilities:
        # An ability that neither heals nor hits, nor is an aura, may have been cast.
        yield "get_tally", narrowed(replace(form, measure="casts", by="cast"), plan, spans)
    uses = form.name in ("casts", "effects") and plan.question.abilities
    if uses and fights and len(fights) == plan.pulls and not plan.question.part:
        yield "get_tally", narrowed(replace(form, measure="casts", by="cast"), plan, BETWEEN)
    if form.name == "casts" and {*plan.question.abilities} & KICKS:
        yield "get_tally", {"measure": "interrupts", "by": "player", "fights": spans}


def _singly(form: Form, plan: Asked, spans: str) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield the calls that tell who did to whom what is counted; of what was suffered, by foes."""
    if form.measure not in SINGLY or form.by != "player":
        return
    each = narrowed(replace(form, by="cast"), plan, spans)
    yield "get_tally", each
    if was_done_to(fold(plan.question.text)):
        yield "get_tally", each | {"player_name": "enemies"}


def _before_deaths(
    form: Form, plan: Asked, fights: Sequence[int]
) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield what led to the deaths of few pulls if it is asked why somebody died."""
    why = form.name == "deaths" and plan.heard.shape in ("who", "why", "whatif")
    player = plan.question.players[:1]
    few = len(fights) == 1 or (why and player and len(fights) <= PAIR)
    why = why or form.name == "mistakes" or (form.name == "avoidable" and bool(player))
    for fight in fights if few and why else ():
        extra: dict[str, JsonValue] = {"player_name": player[0]} if player else {}
        yield "get_death_analysis", {"fight_id": str(fight), **extra}
    if form.name == "deaths" and why and player and len(fights) == plan.pulls > PAIR:
        # Whoever died but once may have died between the pulls.
        yield "get_death_analysis", {"fight_id": "trash", "player_name": player[0]}


def _given_up(
    form: Form, pulls: Sequence[PullSummary]
) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield what led to the end of pulls that were given up."""
    few = form.name in ("pulls", "story") and len(pulls) <= PAIR
    for pull in pulls if few else ():
        if pull.ended == "reset":
            yield "get_wipe_cause", {"fight_id": str(pull.fight)}


def _is_parted(form: Form, plan: Asked) -> bool:
    """Whether a total is also broken down by ability: for two compared, or damage to one player."""
    people, abilities = len(plan.question.players), plan.question.abilities
    compares = plan.heard.shape == "compare" and people == PAIR and form.measure in OF_ABILITIES
    return compares or (form.measure == "taken" and people == 1 and not abilities)


def _of_form(form: Form, plan: Asked, spans: str) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield the complementary calls of particular forms."""
    if form.name == "performance" and len(plan.question.players) == PAIR:
        healing = all(plan.roles.get(name) == "healer" for name in plan.question.players)
        apart = Form(measure="healing" if healing else "damage", by="ability")
        for name in plan.question.players:
            yield "get_tally", narrowed(apart, plan, spans) | {"player_name": name}
    if form.name == "kicks" and plan.question.abilities:
        ability = "; ".join(plan.question.abilities)
        yield "get_tally", {"measure": "casts", "by": "source", "ability": ability, "fights": spans}
    if form.name == "consumed" and form.also:
        yield form.tool, narrowed(replace(form, wanted=spell_names()["food"]), plan, spans)
    ranked = plan.question.players[:PAIR] if plan.heard.measure == "rankings" else ()
    for name in ranked if plan.question.bosses else ():
        yield "compare_to_top", {"encounter_name": plan.question.bosses[0], "player_name": name}
    if form.name == "nature":
        yield "get_tally", narrowed(replace(form, measure="casts", by="source"), plan, spans)
        yield "get_tally", narrowed(replace(form, measure="uptime", by=""), plan, spans)
    if form.name == "deaths" and spans and len(plan.question.players) == 1:
        yield form.tool, {"player_name": plan.question.players[0]}
    if form.name == "effects":
        yield "get_tally", narrowed(replace(form, measure="damage"), plan, spans)
    whole = spans_of(range(1, plan.pulls + 1)) if form.name == "overview" else ""
    if form.name in _WITH_DEATHS and (form.name != "avoidable" or plan.question.players):
        yield "get_night_deaths", {"fights": spans} if spans != whole else {}


def _of_story(plan: Asked, spans: str) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield the calls that a spell's story needs beside its uses on all pulls."""
    named: dict[str, JsonValue] = {"ability": "; ".join(plan.question.abilities)}
    inside = {**named, **({"fights": spans} if spans else {})}
    yield "get_tally", {"measure": "casts", "by": "cast", "fights": BETWEEN, **named}
    yield "get_tally", {"measure": "uptime", **named}
    for measure in ("taken", "healing", "damage", "interrupts", "dispels"):
        yield "get_tally", {"measure": measure, "by": "player", **inside}
    yield "get_tally", {"measure": "taken", "by": "pull", **named}
    if spans.isdecimal():
        yield "get_dispel_report", {"fight_id": spans}


def _saves(plan: Asked, spans: str) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield what would have killed one or two players named, had nothing saved them."""
    for name in plan.question.players if len(plan.question.players) <= PAIR else ():
        yield "get_lowest_health", {"player_name": name, **({"fights": spans} if spans else {})}


_ALWAYS: Mapping[str, tuple[tuple[str, Mapping[str, JsonValue]], ...]] = {
    "performance": (("get_tally", {"measure": "taken", "by": "ability"}),),
    "story": (
        ("get_tally", {"measure": "damage", "by": "player"}),
        ("get_tally", {"measure": "taken", "by": "ability"}),
    ),
    "consumed": (("get_tally", {"measure": "present"}),),
    "tanking": (
        (
            "get_tally",
            {"measure": "casts", "by": "cast", "ability": "; ".join(spell_names()["taunt"])},
        ),
    ),
    "priorities": (
        ("get_raid_execution", {}),
        ("get_tally", {"measure": "taken", "by": "ability"}),
        ("get_tally", {"measure": "consumed", "ability": "; ".join(spell_names()["potion"])}),
    ),
    "contrast": (("get_raid_execution", {}),),
}
"""Complementary calls that a form always makes."""
_WITH_DEATHS = frozenset(("overview", "avoidable", "priorities", "contrast", "performance"))
"""Forms that take deaths from a separate result."""


def _each_pull(
    form: Form, plan: Asked, fights: Sequence[int]
) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """Yield calls that look into each pull individually, if there are few pulls."""
    tools = _PULL_TOOLS.get(form.name, ())
    if form.name == "kicks" and plan.question.abilities:
        return
    pair = plan.heard.shape == "compare" and len(plan.question.players) == PAIR
    if form.name == "tally" and form.measure == "taken" and pair:
        tools = ("get_avoidable_damage",)
    if form.name == "everywhere":
        for fight in fights if 1 < len(fights) <= FIGHTS else ():
            yield "get_tally", {"measure": form.measure, "by": "player", "fights": str(fight)}
    if form.wanted == spell_names()["raid"] and len(fights) == 1:
        tools = ("get_damage_timeline",)
    most = PAIR if form.name == "priorities" else FIGHTS
    for fight in fights if len(fights) <= most else ():
        for tool in tools:
            yield tool, {"fight_id": str(fight)}


_PULL_TOOLS: Mapping[str, tuple[str, ...]] = {
    "avoidable": ("get_avoidable_damage",),
    "mistakes": ("get_avoidable_damage",),
    "story": ("get_avoidable_damage", "get_activity_report"),
    "performance": ("get_activity_report", "get_avoidable_damage"),
    "activity": ("get_activity_report",),
    "priorities": ("get_avoidable_damage", "get_missed_interrupts", "get_activity_report"),
    "kicks": ("get_missed_interrupts",),
}
"""Tools that a form needs for each pull."""


OF_ABILITIES = frozenset(("damage", "healing", "taken", "overheal"))
"""Measures for which a comparison of two players is broken down by ability."""
SINGLY = frozenset(("interrupts", "dispels", "kills"))
"""Measures of which each deed is told if there are few."""
AT_CREATURES = frozenset(("damage", "kills", "taken"))
"""Measures that can be narrowed to named creatures."""
NOT_OF_SPELLS = frozenset(("gear", "present", "opening", "tanking"))


def narrowed(form: Form, plan: Asked, fights: str) -> dict[str, JsonValue]:
    """Build a call's arguments, except for the report."""
    question = plan.question
    given: dict[str, JsonValue] = {}
    fields = BY_NAME[form.tool].arguments.model_fields
    everywhere = (
        form.measure == "casts"
        and fights != BETWEEN
        and (plan.heard.measure == "lust" or form.name == "spell")
    )
    if fights and "fights" in fields and not everywhere:
        given["fights"] = fights
    if form.name == "buffs":
        given["fight_id"] = fights.rpartition(", ")[2].rpartition("-")[2]
    healed = form.measure == "healing" and {*question.targets} <= {*plan.roles}
    targets = form.measure in AT_CREATURES or healed
    if form.tool == "get_tally":
        given |= {"measure": form.measure, "by": form.by}
        lusts = plan.heard.measure == "lust" and form.name != "spell"
        abilities = question.abilities if not lusts else ()
        abilities = abilities or form.wanted
        if form.measure == "consumed":
            abilities = form.wanted
        if abilities and form.name != "part" and form.measure not in NOT_OF_SPELLS:
            given["ability"] = "; ".join(abilities)
        if question.players and form.by not in ("player", "cast", "") and form.measure != "uptime":
            given["player_name"] = "; ".join(question.players)
        if form.by == "source" and suffered_by_us(fold(question.text)):
            given["player_name"] = "our side"
        given |= {
            "target_name": "; ".join(question.targets if targets else ()),
            "part": question.part,
            "without": "; ".join(
                one
                for one in question.without
                if form.measure not in SINGLY or one not in plan.roles
            ),
        }
    elif form.tool == "get_night_deaths":
        given["part"] = question.part
        given["trash"] = question.subject.difficulty[:1] == "+" and not question.bosses
        if len(question.players) == 1 and plan.heard.shape != "first":
            given["player_name"] = question.players[0]
    return {name: value for name, value in given.items() if value}
