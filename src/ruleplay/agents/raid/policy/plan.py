"""From a question to tool calls: what it is about, and which workflow answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from ruleplay.agents.raid.domain.overview import Night, Overview, Pull
from ruleplay.agents.raid.domain.persons import of_role, speaks_of_role
from ruleplay.agents.raid.domain.questions import Question, able, read
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.premises import about, premises
from ruleplay.agents.raid.policy.workflows import NIGHTLY, PER_PLAYER, UNNAMED, WORKFLOWS, Look
from ruleplay.agents.raid.state import State

CALLS = 12
"""Tool calls a plan may hold."""
FIGHTS = 8
"""Pulls that one question may look at."""
KEPT, ASKED = 60, 300
"""Pulls, and characters of a question asked back, that the conversation remembers."""
SHORT = 8
"""Words of a message that answers a question back."""
PLAYERS = 3
"""Players that are looked at one by one."""


@dataclass(frozen=True)
class Planned:
    """A tool call the policy makes; arguments are the tool's own."""

    tool: str
    args: dict[str, JsonValue]


@dataclass(frozen=True)
class Plan:
    """What a question is about and the calls that answer it.

    `asks` is what has to be said instead, or beside it: a name that is not known, a missing pull.
    """

    question: Question
    calls: tuple[Planned, ...] = ()
    report: str = ""
    fights: tuple[int, ...] = ()
    asks: tuple[str, ...] = ()
    over: bool = False
    """Whether the pulls are told at once."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """What each player of the night is, by name."""

    @property
    def several(self) -> tuple[int, ...]:
        """The pulls that are told together; none where there is one."""
        told = self.fights if self.over else self.question.subject.pulls
        kept = len(told) > 1 and (self.over or "progress" in self.topics)
        return told[-KEPT:] if kept else ()

    @property
    def asked_back(self) -> str:
        """The question, where a question is all the answer."""
        return self.question.text[:ASKED] if self.asks and not self.calls else ""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that are answered."""
        return self.question.topics


def make_plan(message: str, overview: Overview, state: State) -> Plan:
    """Return how to answer a message; the same message, night and state give the same plan."""
    night = overview.night
    focus = state.fight if night and state.report == night.code else None
    question = read(message, overview, focus)
    if state.asked_back and _completes(question, read(state.asked_back, overview, focus)):
        question = read(f"{state.asked_back} {message}", overview, focus)
    question = _continued(question, overview, state)
    if night is None:
        return Plan(question)
    asks = about(question, overview, night)
    if asks or not question.topics:
        return Plan(question, (), night.code, asks=asks)
    nightly = _is_over_pulls(question, night, state)
    fights = _fights(question, night, state, over=nightly)
    nightly = nightly and (len(fights) > 1 or question.topics[0] == "totals")
    problems = (*_problems(question, overview, night), *premises(question, night, fights))
    question = _without_wipe(question, night, fights)
    wanted = _nightly(question, night, fights) if nightly else _calls(question, night, fights)
    made = {(one.tool, str(one.args)): one for one in wanted}
    calls = tuple(made.values())[:CALLS]
    roles = {one.name: one.role for one in night.members if one.role}
    return Plan(question, calls, night.code, fights, problems, over=nightly, roles=roles)


def _completes(question: Question, asked: Question) -> bool:
    """Whether a message only says what was asked back; another boss is another question."""
    subject, before = question.subject, asked.subject
    anew = subject.bosses or subject.missing or subject.unknown
    other = anew and (before.bosses or before.missing or before.unknown)
    return not question.topics and not other and len(question.text.split()) <= SHORT


def _is_over_pulls(question: Question, night: Night, state: State) -> bool:
    """Whether a question is about several pulls at once, and there is a tool for that."""
    subject = question.subject
    if question.topics[0] not in NIGHTLY or question.fights or subject.fights:
        return False
    if question.topics[0] == "totals" or question.whole_night:
        return True
    if question.bosses:
        return False
    if subject.day or subject.difficulty or question.left_pulls:
        return True
    free = state.fight is None or state.report != night.code
    return question.topics[0] in UNNAMED and free and not question.kind and len(night.pulls) > 1


def _nightly(question: Question, night: Night, fights: tuple[int, ...]) -> Iterator[Planned]:
    """Yield the calls about several pulls at once; no pulls are named where all are meant."""
    args: dict[str, JsonValue] = {"report_code": night.code}
    if len(fights) < len(night.pulls):
        args["fights"] = ", ".join(map(str, fights))
    for topic in question.topics:
        tool = NIGHTLY.get(topic)
        bosses = {pull.name for pull in night.pulls if pull.fight in fights}
        if topic == "progress" and len(bosses) == 1:
            yield Planned(
                "get_wipe_progression",
                {"report_code": night.code, "encounter_name": bosses.pop()},
            )
        elif tool is None:
            yield from _calls(replace(question, topics=(topic,)), night, fights[-FIGHTS:])
        elif tool == "get_night_deaths" and question.players:
            yield from (
                Planned(tool, args | {"player_name": p}) for p in question.players[:PLAYERS]
            )
        else:
            yield Planned(tool, args)
        if topic == "missed_interrupts":
            for fight in fights[-FIGHTS:]:
                told: dict[str, JsonValue] = {"report_code": night.code, "fight_id": str(fight)}
                yield Planned("get_missed_interrupts", told)


def _continued(question: Question, overview: Overview, state: State) -> Question:
    """Fill in what a follow-up leaves unsaid ("and Aria?", "same for pull 4")."""
    night = overview.night
    if question.me and night and night.owner:
        question = replace(question, players=(night.owner,))
        again = read(f"{question.text} {night.owner}", overview)
        question = replace(question, topics=again.topics or question.topics)
    if not question.topics and state.players and not question.players:
        meant = of_role(question.text, state.players, night.members) if night else ()
        if meant or (speaks_of_role(question.text) and len(state.players) > 1):
            meant = meant or state.players
            question = replace(question, players=meant, topics=state.topics, topics_said=False)
    names_something = bool(
        question.players or question.fights or question.bosses or question.abilities
    )
    question = _of_those_pulls(question, state, night)
    if not question.topics and state.topics and (names_something or question.follows_up):
        question = replace(question, topics=state.topics, topics_said=False)
    if not question.players and state.players and (_lacks_player(question) or question.of_one):
        question = replace(question, players=state.players)
    if not question.topics and question.subject.day and not question.bosses:
        return replace(question, topics=("overview",), whole_night=True, topics_said=False)
    named = question.bosses or question.fights or question.subject.fights
    if not question.topics and named and not question.players and question.is_bare:
        question = replace(question, topics=("progress", "deaths"), topics_said=False)
    return _by_names(question)


def _of_those_pulls(question: Question, state: State, night: Night | None) -> Question:
    """Let a follow-up that names no pull be about those of the answer before."""
    subject = question.subject
    named = subject.bosses or subject.day or subject.difficulty or subject.fights or subject.missing
    if night is None or state.report != night.code or not state.pulls or named or question.fights:
        return question
    if question.whole_night or question.kind:
        return question
    return replace(question, subject=replace(subject, pulls=state.pulls), left_pulls=True)


def _lacks_player(question: Question) -> bool:
    short = len(question.text.split()) <= SHORT and question.is_bare
    return question.follows_up and (short or not question.topics_said)


def _by_names(question: Question) -> Question:
    """Take up players without a topic as a question about how they did."""
    if question.topics or not question.players:
        return question
    two = len(question.players) == 2 and not question.called.players
    return replace(question, topics=("versus",) if two else ("performance",))


def _problems(question: Question, overview: Overview, night: Night) -> tuple[str, ...]:
    found = []
    numbers = {pull.fight for pull in night.pulls}
    for fight in question.fights:
        if fight not in numbers:
            found.append(f"Report {night.code} has no pull {fight}; it has {_extent(night)}.")
    if question.report and question.report not in {r.code for r in overview.reports}:
        found.append(f"No report {question.report!r} was imported.")
    if question.near and not question.players:
        options = " or ".join(question.near[:3])
        found.append(f"I find no player of that name in this report; did you mean {options}?")
    return tuple(found)


def _without_wipe(question: Question, night: Night, fights: tuple[int, ...]) -> Question:
    """Ask of pulls that were no wipes who died and how they went, not why the raid fell."""
    ended = {pull.ended for pull in night.pulls if pull.fight in fights}
    if "wipe" not in question.topics or not ended or "wipe" in ended:
        return question
    others = tuple(one for one in question.topics if one not in ("wipe", "fixes"))
    return replace(
        question, topics=(*others, *(("length", "deaths") if "kill" in ended else ("reset",)))
    )


def _extent(night: Night) -> str:
    return f"pulls 1 to {len(night.pulls)}" if night.pulls else "no pulls"


def _fights(
    question: Question, night: Night, state: State, *, over: bool = False
) -> tuple[int, ...]:
    """Return the pulls a question looks at: those named, else the one in focus, else the last."""
    known = {pull.fight for pull in night.pulls}
    named = tuple(fight for fight in question.fights if fight in known)
    if question.fights or not night.pulls:
        return named[:FIGHTS]
    fitting = {*question.subject.pulls}
    pulls = [p for p in able(night, question.bosses, question.kind) if p.fight in fitting]
    if over:
        return tuple(p.fight for p in night.pulls if p.fight in fitting and _named(p, question))
    if question.whole_night:
        return tuple(pull.fight for pull in pulls[-FIGHTS:])
    focus = state.fight if state.report == night.code else None
    narrowed = len(fitting) < len(night.pulls)
    free = not question.bosses and not question.kind and not narrowed
    if focus in known and focus is not None and free:
        return (focus,)
    others = [pull for pull in night.pulls if pull.fight in fitting]
    chosen = _default(pulls or others, _look(question))
    return (chosen.fight,) if chosen else ()


def _named(pull: Pull, question: Question) -> bool:
    return not question.bosses or pull.name in question.bosses


def _look(question: Question) -> Look:
    first = WORKFLOWS.get(question.topics[0]) if question.topics else None
    return first.look if first else "last"


def _default(pulls: Sequence[Pull], look: Look) -> Pull | None:
    wipes = [pull for pull in pulls if pull.ended == "wipe"]
    if look == "wipe" and wipes:
        return wipes[-1]
    return pulls[-1] if pulls else None


def _calls(question: Question, night: Night, fights: tuple[int, ...]) -> Iterator[Planned]:
    for topic in question.topics:
        workflow = WORKFLOWS.get(topic)
        for tool in _tools(topic, question) if workflow else ():
            yield from _calls_of(tool, question, night, fights)


def _tools(topic: str, question: Question) -> tuple[str, ...]:
    """Return a topic's tools; over a whole night only the first, which says most."""
    tools = WORKFLOWS[topic].tools
    if topic == "deaths" and question.whole_night and not question.bosses:
        return ("get_raid_execution",)
    if topic == "gear" and not question.players:
        return ("get_enchant_gem_check",)
    if topic == "rankings" and question.players:
        return ("get_fight_details", "compare_to_top")
    return tools[:1] if question.whole_night else tools


def _calls_of(
    tool: str, question: Question, night: Night, fights: tuple[int, ...]
) -> Iterator[Planned]:
    """Yield a tool's calls: one for each pull and player that it looks at one by one."""
    fields = BY_NAME[tool].arguments.model_fields
    players: tuple[str, ...] = question.players[:PLAYERS]
    if "player_name" in fields and tool not in PER_PLAYER and not players:
        return
    by_player = players if {"player_name", "character_name"} & fields.keys() else ("",)
    for fight in fights if {"fight_id", "fights"} & fields.keys() and fights else (0,):
        for player in by_player or ("",):
            args = _arguments(tool, question, night, fight, player)
            if args is not None:
                yield Planned(tool, args)


def _is_of_one(tool: str, question: Question) -> bool:
    """Tell whether a tool is asked about one boss: attempts may be those of the most pulled one."""
    subject = question.subject
    named = question.bosses or subject.fights or subject.difficulty or subject.day
    return tool != "get_wipe_progression" or bool(named)


def _arguments(
    tool: str, question: Question, night: Night, fight: int, player: str
) -> dict[str, JsonValue] | None:
    """Return a tool's arguments; None when the question does not give what it cannot do without."""
    fields = BY_NAME[tool].arguments.model_fields
    member = next((one for one in night.members if one.name == player), None)
    pull = night.pull(fight) or (night.pulls[-1] if night.pulls else None)
    boss = question.bosses[0] if question.bosses else (pull.name if pull else "")
    pair = (*question.players, "", "")[:2]
    known: dict[str, JsonValue] = {
        "report_code": night.code,
        "fight_id": str(fight) if fight else "",
        "fights": str(fight) if fight else "",
        "player_name": player,
        "character_name": player,
        "encounter_name": boss if _is_of_one(tool, question) else "",
        "class_name": member.class_name if member else "",
        "spec_name": member.spec if member else "",
        "player_a": pair[0],
        "player_b": pair[1],
    }
    made = {name: known[name] for name in fields if known.get(name)}
    missing = [name for name, entry in fields.items() if entry.is_required() and name not in made]
    return None if missing else made
