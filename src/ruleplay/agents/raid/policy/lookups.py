"""What answers a question: its plan, and the tool calls that look it up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from pydantic import JsonValue

from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.overview import (
    Night,
    Overview,
    PullSummary,
    Report,
    fold,
    spans_of,
)
from ruleplay.agents.raid.domain.persons import asks_average
from ruleplay.agents.raid.domain.questions import (
    OF_MATCHES,
    Question,
    able,
)
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.beside import EVERYTHING, FIGHTS, beside, narrowed, outside
from ruleplay.agents.raid.policy.forms import (
    PULL_BY_PULL,
    TOPICS,
    Form,
    blame_form,
    chosen_pulls,
    of_extreme_length,
    story_form,
    with_before,
)
from ruleplay.agents.raid.policy.hearing import (
    Heard,
)
from ruleplay.agents.raid.policy.premises import (
    premises,
    problems,
)
from ruleplay.agents.raid.policy.sentences import Tongue
from ruleplay.agents.raid.policy.workflows import NIGHTLY, WORKFLOWS
from ruleplay.agents.raid.state import State

CALLS = 12
"""Maximum number of tool calls per plan."""


KEPT = 200
"""Pulls kept in the conversation."""


ASKED = 300
"""Characters of the original question kept when asking back."""


PLAYERS = 3
"""Maximum number of players examined individually."""


@dataclass(frozen=True)
class Planned:
    """A tool call made by the policy; arguments are the tool's own."""

    tool: str
    args: dict[str, JsonValue]


@dataclass(frozen=True)
class Plan:
    """What a question is about, and the calls that answer it.

    `asks` has to be said instead of, or beside, the answer: an unknown name, a missing pull.
    """

    question: Question
    calls: tuple[Planned, ...] = ()
    report: str = ""
    fights: tuple[int, ...] = ()
    asks: tuple[str, ...] = ()
    over: bool = False
    """Whether the pulls are described together."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Roles by player name."""
    heard: Heard = field(default=Heard())
    form: str = ""
    """The form of the general answer; "" if a workflow of tools answers."""
    measure: str = ""
    by: str = ""
    measure_asked: str = ""
    wanted: tuple[str, ...] = ()
    """Abilities implied by the measure if none is named."""
    people: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    """Report titles, made of their bosses."""
    pulls: int = 0
    """Number of pulls of the night."""
    back: bool = False
    """Whether `asks` is a question that the next message may answer."""
    person: str = ""
    """The player last mentioned individually by name."""
    shown: int = 0
    """How many places of a ranking the previous answer told."""
    told: tuple[str, ...] = ()
    """Players that the answer before told of, if it is asked who else."""
    also: tuple[Plan, ...] = ()
    """Plans of the message's further questions."""
    read_as: str = ""
    """The measure that an unclear question is read as."""
    instead: bool = False
    """Whether that is only the runner-up of another reading."""
    left: tuple[str, ...] = ()
    """Replies to questions of the message that were not understood."""

    @property
    def wanted_calls(self) -> tuple[Planned, ...]:
        """The calls of all questions of the message."""
        return (*self.calls, *(call for one in self.also for call in one.calls))[: 2 * CALLS]

    @property
    def several(self) -> tuple[int, ...]:
        """The pulls described together; empty if there is only one."""
        told = self.fights if self.over else self.question.subject.pulls
        kept = len(told) > 1 and self.over
        return told[-KEPT:] if kept else ()

    @property
    def asked_back(self) -> str:
        """The original question, if the whole answer is a question."""
        return self.question.text[:ASKED] if self.back and not self.calls else ""

    @property
    def leaves(self) -> dict[str, object]:
        """What the question leaves to the next one, by the state's field names."""
        return {
            "report": self.report,
            "fight": self.fights[-1] if self.fights and not self.over else None,
            "pulls": self.several,
            "measure": self.heard.measure,
            "shape": "most" if self.heard.shape == "next" else self.heard.shape,
            "abilities": self.question.abilities,
            "language": self.heard.language,
            "part": self.question.part,
            "without": self.question.without,
            "asked_back": self.asked_back,
        }

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics answered, the measure first."""
        return self.question.topics or ((self.heard.measure,) if self.heard.measure else ())


def look_up(plan: Plan, form: Form, night: Night, overview: Overview, state: State) -> Plan:
    """Add the calls to a plan."""
    question, heard = plan.question, plan.heard
    if form.name:
        return _formed(plan, form, night, overview, state)
    told = _by_tools(plan, night, state, form.topics)
    ended = {pull.ended for pull in night.pulls if pull.fight in told.fights}
    if heard.measure in ("cause", "advice") and ended and "wipe" not in ended:
        if heard.shape in _BLAMING:
            named = replace(
                plan, form="mistakes", question=replace(told.question, fights=told.fights)
            )
            return _formed(named, blame_form(), night, overview, state)
        fights = _none_won(question, night) or told.fights
        told = replace(told, asks=()) if len(fights) > 1 else told
        named = replace(plan, form="story", question=replace(told.question, fights=fights))
        return _formed(named, story_form(), night, overview, state, taken=told.asks)
    return told


def with_trash(plan: Plan) -> Plan:
    """Make the sums of a plan cover the whole log, what lies between the pulls included."""
    turned = [(one, outside(one.tool, one.args, EVERYTHING)) for one in plan.calls]
    if plan.form not in _WITH_TRASH or not turned or turned[0][1] is None:
        return plan
    kept = (replace(call, args=args) for call, args in turned if args and call.tool == _SUMS)
    by = "player" if plan.by == "pull" else plan.by
    return replace(plan, calls=tuple(kept), fights=(), over=False, by=by)


_WITH_TRASH, _SUMS = ("tally", "kicks"), "get_tally"
"""Forms that can tell the sums of a whole log, and the tool that has them."""


def over_whole_log(plan: Plan, night: Night, tongue: Tongue) -> Plan:
    """Make a plan's calls cover a log that has no pulls, or state that they cannot.

    Of its length, and of how it went, its floors tell, if it has any.
    """
    if plan.form in _OF_TIME and len(night.stretches) > 1:
        told = tongue.floors(night.stretches)
        return replace(plan, calls=(), form="", asks=(*plan.asks, told))
    turned = [(call, outside(call.tool, call.args)) for call in plan.calls]
    if turned and turned[0][1] is None:
        told = tongue.say("no_pulls", what=tongue.measure(plan.heard.measure))
        return replace(plan, calls=(), form="", asks=(*plan.asks, told))
    kept = [replace(call, args=args) for call, args in turned if args is not None]
    focus = {"report_code": plan.report}
    once = {(one.tool, str(sorted((focus | one.args).items()))): one for one in kept}
    return replace(plan, calls=tuple(once.values()))


_OF_TIME = ("duration", "pulls", "overview", "health")
"""Forms that the floors of a log without pulls answer."""


def _none_won(question: Question, night: Night) -> tuple[int, ...]:
    """Find a boss's pulls if all were given up, so that none of them stands out."""
    subject = question.subject
    pulls = [pull for pull in night.pulls if pull.fight in subject.pulls]
    ended = {pull.ended for pull in pulls}
    if not question.bosses or question.fights or subject.fights or question.kind in ended:
        return ()
    given_up = all(pull.ended not in ("kill", "wipe") for pull in pulls)
    return tuple(pull.fight for pull in pulls[-FIGHTS:]) if given_up else ()


_BLAMING = ("who", "most", "list")
"""Shapes that ask for people when asking what went wrong."""


def rendered(lines: Iterable[str], question: Question) -> tuple[str, ...]:
    """Translate lines into French if the question is French."""
    return tuple(map(french.render, lines)) if question.french else tuple(lines)


def false_premise(
    question: Question, night: Night, tongue: Tongue, pulls: Sequence[PullSummary] = ()
) -> tuple[str, ...]:
    """State that what a question takes for killed was not, and where it was; "" if that is open.

    `pulls` are those that the answer is about, if the question names no boss.
    """
    fitting = [p for p in night.pulls if p.fight in question.subject.pulls]
    fitting = fitting if question.bosses else list(pulls)
    names = question.bosses or tuple(dict.fromkeys(pull.name for pull in fitting))
    open_ = fitting and fitting[-1].ended not in ("wipe", "reset")
    if question.kind != "kill" or not names or open_ or any(p.kill for p in fitting):
        return ()
    told = "; ".join(tongue.pull(pull) for pull in fitting[-4:])
    kills = [p for p in night.pulls if p.name in names and p.kill]
    where = [tongue.say("its_kills", list="; ".join(map(tongue.pull, kills)))] if kills else []
    return (tongue.say("not_kill", boss=", ".join(names[:1]), list=told), *where)


def companions(overview: Overview, night: Night) -> list[Report]:
    """List the other logs of the same day in chronological order."""
    return [
        one
        for one in reversed(overview.reports)
        if one.code != night.code and one.started and one.started == night.started
    ]


def _formed(
    plan: Plan,
    form: Form,
    night: Night,
    overview: Overview,
    state: State,
    taken: tuple[str, ...] = (),
) -> Plan:
    """Build the plan of a question that has a form: its pulls and calls."""
    if form.name == "priorities":  # of the raid, whoever asks
        plan = replace(plan, question=replace(plan.question, players=(), me=False))
    question, heard = plan.question, plan.heard
    pulls, notes = chosen_pulls(question, heard, form, night, state)
    if question.kind in OF_MATCHES and form.name != "pulls":
        pulls = [pull for pull in pulls if pull.ended == question.kind] or pulls
    pulls = pulls[-FIGHTS:] if form.name in PULL_BY_PULL else pulls
    if form.name == "contrast":
        pulls = with_before(pulls, question, heard, night, state)
    if form.name == "duration" and not asks_average(fold(question.text)):
        pulls = of_extreme_length(pulls, question, heard)
    fights = tuple(pull.fight for pull in pulls)
    if form.by == "pull" and len(fights) < 2:
        form = replace(form, by="player")
    free = not question.bosses and not question.fights and not question.subject.fights
    whole = len(fights) == len(night.pulls)
    free = free or (form.name == "present" and heard.shape == "who")
    free = free and (form.name != "tally" or heard.shape in ("most", "least", "list"))
    spoken = state.report == night.code and (state.fight or state.pulls)
    free = free and not (form.name == "tally" and (heard.follows or spoken))
    others = companions(overview, night) if free and whole and form.wide else []
    named = "" if whole else spans_of(fights)
    args: dict[str, JsonValue] = {"report_code": night.code}
    if form.name == "present" and others:
        named = ""
    calls = [Planned(form.tool, args | narrowed(form, plan, named))]
    calls += [Planned(tool, args | extra) for tool, extra in beside(form, plan, pulls)]
    there = {} if form.name == "pulls" else narrowed(form, plan, "")
    tool = "get_night_totals" if form.name == "pulls" else form.tool
    calls += [Planned(tool, {"report_code": one.code, **there}) for one in others[:3]]
    tongue = Tongue(heard.language)
    night_taken = premises(question, night, (), tongue) if question.subject.assumed else ()
    if form.name == "present" and others:
        calls.sort(key=lambda one: _order(overview, one.args.get("report_code")))
    return replace(
        plan,
        calls=tuple(calls),
        fights=fights,
        asks=(*taken, *night_taken, *false_premise(question, night, tongue, pulls), *notes),
        over=len(fights) > 1,
        by=form.by,
        measure_asked=heard.measure,
        wanted=form.wanted,
        people=tuple(one.name for one in night.members),
        titles={one.code: ", ".join(one.bosses) or one.title for one in overview.reports},
    )


def _order(overview: Overview, code: object) -> int:
    codes = [one.code for one in reversed(overview.reports)]
    return codes.index(str(code)) if code in codes else 0


def _by_tools(plan: Plan, night: Night, state: State, topics: tuple[str, ...] = ()) -> Plan:
    """Build the plan of a question that a workflow of tools answers."""
    topics = topics or TOPICS.get(plan.heard.measure, (plan.heard.measure,))
    question = replace(plan.question, topics=topics)
    nightly = _is_over_pulls(question)
    fights = _fights(question, night, state, over=nightly)
    nightly = nightly and len(fights) > 1
    tongue = Tongue(plan.heard.language)
    found = (*problems(question, night), *premises(question, night, fights, tongue))
    alone = plan.heard.measure == "cause" and not found
    spoken = state.report == night.code and state.fight in fights
    several = _one_of_many(question, night, fights, tongue) if alone and not spoken else ()
    wanted = _nightly(question, night, fights) if nightly else _calls(question, night, fights)
    made = {(one.tool, str(one.args)): one for one in wanted}
    if topics == ("timer",):
        subject = question.subject
        whole = subject.instance and not subject.difficulty
        fights = subject.pulls if whole else _of_run(night, fights)
    return replace(
        plan,
        question=question,
        calls=tuple(made.values())[:CALLS],
        fights=fights,
        asks=(*found, *several),
        over=nightly or len(fights) > 1,
    )


def _of_run(night: Night, fights: tuple[int, ...]) -> tuple[int, ...]:
    """Expand one pull to all pulls of its keystone run."""
    one = night.pull(fights[0]) if len(fights) == 1 else None
    runs = [list(run) for _, run in groupby(night.pulls, lambda p: (p.difficulty, p.day))]
    return next((tuple(p.fight for p in run) for run in runs if one in run), fights)


def _one_of_many(
    question: Question, night: Night, fights: Sequence[int], tongue: Tongue
) -> tuple[str, ...]:
    """Note which pull was chosen if others fit as well."""
    pull = night.pull(fights[0]) if len(fights) == 1 else None
    if pull is None or question.fights or question.subject.fights or question.left_pulls:
        return ()
    fitting = [p for p in night.pulls if p.fight in question.subject.pulls]
    same = [
        p
        for p in fitting
        if p.ended == pull.ended and (not question.bosses or p.name in question.bosses)
    ]
    if len(same) < 2 or pull.fight not in [p.fight for p in same]:
        return ()
    return (tongue.say("last_of", pull=f"{pull.name}, pull {pull.fight}"),)


def _is_over_pulls(question: Question) -> bool:
    """Whether a question covers several pulls at once and there is a tool for that."""
    subject = question.subject
    if question.topics[0] not in NIGHTLY or question.fights or subject.fights:
        return False
    if question.whole_night:
        return True
    if question.bosses:
        return False
    return bool(subject.day or subject.difficulty or question.left_pulls)


def _nightly(question: Question, night: Night, fights: tuple[int, ...]) -> Iterator[Planned]:
    """Yield the calls over several pulls at once; all pulls are meant if none are named."""
    args: dict[str, JsonValue] = {"report_code": night.code}
    if len(fights) < len(night.pulls):
        args["fights"] = spans_of(fights)
    for topic in question.topics:
        tool = NIGHTLY.get(topic)
        if tool is None:
            yield from _calls(replace(question, topics=(topic,)), night, fights[-FIGHTS:])
        else:
            yield Planned(tool, args)


def _fights(
    question: Question, night: Night, state: State, *, over: bool = False
) -> tuple[int, ...]:
    """Choose the pulls to look at: those named, else the one in focus, else the last."""
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


def _named(pull: PullSummary, question: Question) -> bool:
    return not question.bosses or pull.name in question.bosses


def _look(question: Question) -> str:
    first = WORKFLOWS.get(question.topics[0]) if question.topics else None
    return first.look if first else "last"


def _default(pulls: Sequence[PullSummary], look: str) -> PullSummary | None:
    wipes = [pull for pull in pulls if pull.ended == "wipe"]
    if look == "wipe" and wipes:
        return wipes[-1]
    whole = [pull for pull in pulls if pull.ended in ("kill", "wipe", "reset")]
    return (whole or pulls)[-1] if pulls else None


def _calls(question: Question, night: Night, fights: tuple[int, ...]) -> Iterator[Planned]:
    for topic in question.topics:
        workflow = WORKFLOWS.get(topic)
        whole = workflow is not None and workflow.look == "night"
        for tool in _tools(topic, question) if workflow else ():
            yield from _calls_of(tool, question, night, () if whole else fights)


def _tools(topic: str, question: Question) -> tuple[str, ...]:
    """List a topic's tools; over a whole night only the first, which is the most informative."""
    tools = WORKFLOWS[topic].tools
    return tools[:1] if question.whole_night else tools


def _calls_of(
    tool: str, question: Question, night: Night, fights: tuple[int, ...]
) -> Iterator[Planned]:
    """Yield a tool's calls: one per pull and player if it examines them individually."""
    fields = BY_NAME[tool].arguments.model_fields
    players: tuple[str, ...] = question.players[:PLAYERS]
    alone = "player" not in BY_NAME[tool].marks
    if "player_name" in fields and alone and not players:
        return
    by_player = players if {"player_name", "character_name"} & fields.keys() else ("",)
    for fight in fights if {"fight_id", "fights"} & fields.keys() and fights else (0,):
        for player in by_player or ("",):
            args = _arguments(tool, question, night, fight, player)
            if args is not None:
                yield Planned(tool, args)


def _arguments(
    tool: str, question: Question, night: Night, fight: int, player: str
) -> dict[str, JsonValue] | None:
    """Build a tool's arguments; None if the question lacks a required one."""
    fields = BY_NAME[tool].arguments.model_fields
    of = player or next(iter(question.players), "")
    member = next((one for one in night.members if one.name == of), None)
    pull = night.pull(fight) or (night.pulls[-1] if night.pulls else None)
    boss = question.bosses[0] if question.bosses else (pull.name if pull else "")
    pair = (*question.players, "", "")[:2]
    known: dict[str, JsonValue] = {
        "report_code": night.code,
        "fight_id": str(fight) if fight else "",
        "fights": str(fight) if fight else "",
        "player_name": player,
        "character_name": player,
        "encounter_name": boss,
        "class_name": member.class_name if member else "",
        "spec_name": member.spec if member else "",
        "player_a": pair[0],
        "player_b": pair[1],
    }
    made = {name: known[name] for name in fields if known.get(name)}
    missing = [name for name, entry in fields.items() if entry.is_required() and name not in made]
    return None if missing else made
