"""Turns a question into tool calls: what it is about, and which workflow answers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from pydantic import JsonValue
from rapidfuzz import fuzz

from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.moments import cut_again
from ruleplay.agents.raid.domain.omissions import (
    ADDS,
    cut_omissions,
    unheard_omission,
    words_left_out,
)
from ruleplay.agents.raid.domain.overview import (
    Night,
    Overview,
    PullSummary,
    Report,
    fold,
    short_name,
    words,
)
from ruleplay.agents.raid.domain.persons import asks_average, calling_words
from ruleplay.agents.raid.domain.questions import (
    OF_MATCHES,
    Question,
    able,
    asks_of_oneself,
    read,
    read_alone,
)
from ruleplay.agents.raid.domain.subjects import asks_each
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.beside import FIGHTS, beside, narrowed, outside, spans_of
from ruleplay.agents.raid.policy.follow_ups import (
    OF_PULLS,
    continued,
    narrowed_as_before,
)
from ruleplay.agents.raid.policy.forms import (
    PULL_BY_PULL,
    SUMS,
    TOPICS,
    Form,
    blame_form,
    chosen_pulls,
    form_of,
    of_extreme_length,
    story_form,
    with_before,
)
from ruleplay.agents.raid.policy.hearing import (
    BRIEF,
    LIKELIEST,
    TALK,
    Heard,
    begun_name,
    hear,
    names_only,
    of_creatures,
    unknown_name,
)
from ruleplay.agents.raid.policy.messages import parted, with_shared
from ruleplay.agents.raid.policy.premises import (
    HELP,
    absent,
    elsewhere,
    incomparable,
    nowhere,
    premises,
    problems,
    which_is_meant,
)
from ruleplay.agents.raid.policy.sentences import Tongue
from ruleplay.agents.raid.policy.workflows import NIGHTLY, WORKFLOWS
from ruleplay.agents.raid.state import State
from ruleplay.hearing.classifier import load

CALLS = 12
"""Maximum number of tool calls per plan."""
KEPT, ASKED = 200, 300
"""Pulls, and characters of the original question when asking back, kept in the conversation."""
OFFERED = 2
"""Number of measures offered when none is sure."""
SHORT = 8
"""Maximum length in words of a reply to a question asked back."""
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
    also: tuple[Plan, ...] = ()
    """Plans of the message's further questions."""
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


def told_again(plan: Plan) -> str:
    """Compose a reply for a question whose answer was just given: a word, or what else to ask."""
    heard, question = plan.heard, plan.question
    tongue, asks = Tongue(heard.language), calling_words().asks
    if "?" not in question.text and not asks & {*words(question.text)}:
        return tongue.say("chat")
    known = [one for one in heard.choices if one != heard.measure]
    options = [tongue.measure(one) for one in known if tongue.knows(f"measure_{one}")]
    return tongue.say("said_already", list=tongue.either(options[:OFFERED]))


def make_plan(message: str, overview: Overview, state: State) -> Plan:
    """Plan the answer to a message; deterministic in the message, night and state."""
    night = overview.night
    asked = parted(message, night, state) if night else ()
    whole = read(message, overview, _focus(night, state))
    if night is None or len(asked) < 2:
        brief = len(words(message)) <= BRIEF
        text = asked[0].text if asked and not brief else message
        plan = _plan(text, overview, state, None if text == message else whole)
        return _again(plan, text, overview, state)
    plans, missed = list[Plan](), list[str]()
    for one in asked:
        before = _after(plans[-1], state, night) if plans else state
        if plans and not (one.adds or one.unheard):
            before = before.model_copy(update={"measure": "", "shape": ""})
        plan = _plan(one.unjoined if plans else one.text, overview, before, whole)
        # "And how many did Oda do" goes on with the question before.
        follows = one.names and plan.calls and plan.heard.follows and not plan.heard.guessed
        if plans and (not (plan.calls or plan.asks) or plan.back or (one.unheard and not follows)):
            missed.append(one.text)
        else:
            plans.append(plan)
    # "… and Freezing above all" adds a name to the first question and asks nothing new.
    further = [one for one in plans[1:] if not one.heard.guessed]
    first = plans[0] if plans[0].calls or not further else further.pop(0)
    left = tuple(Tongue(first.heard.language).say("not_heard", said=one) for one in missed)
    if not first.calls:
        return first
    told = [first, *further][::-1]
    made = {str((p.calls or p.asks, p.fights, p.question.players)): p for p in told}
    return replace(first, also=tuple(made.values())[-2::-1], left=left)


def _again(plan: Plan, message: str, overview: Overview, state: State) -> Plan:
    """Make a follow-up to a message of several questions repeat all of them."""
    if not (plan.heard.follows and plan.calls and state.also) or plan.heard.part:
        return plan
    further = [
        _plan(message, overview, state.model_copy(update={"measure": measure, "shape": shape}))
        for measure, shape in state.also
    ]
    return replace(plan, also=tuple(one for one in further if one.calls))


def _after(plan: Plan, state: State, night: Night) -> State:
    """Update the state for the next question of the same message."""
    if not plan.calls:
        return state
    people = plan.question.players
    named = {"players": people, "named": people} if people else {}
    return state.model_copy(update=plan.leaves | {"report": night.code, "asked_back": ""} | named)


def _focus(night: Night | None, state: State) -> int | None:
    focus = state.fight or (state.pulls[-1] if state.pulls else None)
    return focus if night and state.report == night.code else None


def _understood(message: str, overview: Overview, state: State, whole: Question | None) -> Question:
    """Parse a question, separating the part of the pull and the exclusions from its words."""
    night = overview.night
    part, text = cut_again(message, state.part)
    without, text = cut_omissions(text, night) if night else ((), text)
    question = read(text, overview, _focus(night, state))
    left = read_alone(words_left_out(text), night).bosses if night and question.bosses else ()
    if night and left and left == question.bosses and not question.fights:
        question = _but_for(question, night, state)
    if night and (whole or part or without):
        own = read_alone(text, night).abilities
        question = replace(question, abilities=own)
    if whole:
        question = with_shared(question, whole, state)
    return replace(question, part=part, without=without)


def _but_for(question: Question, night: Night, state: State) -> Question:
    """Resolve "without Oda, it was no full try" to the other bosses' pulls."""
    before = state.pulls if state.report == night.code else ()
    kept = tuple(
        pull.fight
        for pull in night.pulls
        if pull.name not in question.bosses and (not before or pull.fight in before)
    )
    subject = replace(question.subject, bosses=(), fights=kept, pulls=kept, open=False)
    said = calling_words().except_.split(fold(question.text))[0]
    return replace(question, text=said, bosses=(), subject=subject, kind="") if kept else question


def _plan(message: str, overview: Overview, state: State, whole: Question | None = None) -> Plan:
    """Plan the answer to one question; `whole` is the message that it is part of."""
    night = overview.night
    question = _understood(message, overview, state, whole)
    heard = hear(question, night, state)
    if night:
        heard = replace(heard, unknown=unknown_name(question, heard, night, state))
        if begun := begun_name(heard.unknown, night):
            question = replace(question, players=(begun,))
            heard = hear(question, night, state)
        question, heard = of_creatures(question, heard, night, state)
    if state.asked_back:
        question, heard = _completed(question, heard, overview, state)
    adds = question.targets and not calling_words().denies & {*words(question.text)}
    if heard.boss_only and heard.measure in SUMS and not (adds or asks_each(message)):
        without = tuple(dict.fromkeys((*question.without, ADDS)))
        question = replace(question, without=without, targets=())
    question = narrowed_as_before(question, heard, state)
    person = question.players[0] if len(question.players) == 1 else state.person
    question = replace(
        continued(question, heard, overview, state),
        french=heard.language == "fr",
        abilities=heard.abilities,
        myself=question.myself or state.me,
    )
    if night is None:
        return Plan(question, heard=heard)
    tongue = Tongue(heard.language)
    question, heard, foreign = _of_foreign_name(question, heard, state, tongue)
    spoken = _spoken(question, heard, tongue, (night, overview), state)
    if spoken:
        kept = replace(heard, measure="") if heard.kind in TALK else heard
        asking = spoken[-1].rstrip().endswith("?") or "?" in spoken[-1].partition(":")[0]
        fights = question.subject.fights or question.subject.pulls if question.bosses else ()
        asking = asking and heard.kind not in TALK
        fights = fights if heard.measure != "unlogged" else ()
        return Plan(question, (), night.code, fights[-1:], asks=spoken, heard=kept, back=asking)
    if heard.measure == "deaths" and question.players and question.part.startswith("last"):
        # "Her last 5 seconds" are those before her death, not of the pull.
        question, heard = replace(question, part=""), replace(heard, shape="why")
    form = form_of(heard, question, night, state)
    if form.topics == ("gear",) and not elsewhere(night, overview):
        form = Form("gear", measure="gear")
    plan = Plan(question, (), night.code, heard=heard, form=form.name, measure=form.measure)
    roles = {one.name: one.role for one in night.members if one.role}
    plan = replace(plan, person=person, roles=roles, pulls=len(night.pulls), shown=state.places)
    looked = _looked(plan, form, night, overview, state)
    looked = looked if night.pulls else _of_whole_log(looked, tongue)
    looked = replace(looked, asks=(*foreign, *looked.asks))
    if len(looked.fights) == 1:
        there = {m.name: m.unlike[f] for m in night.members for f in looked.fights if f in m.unlike}
        looked = replace(looked, roles=roles | there)
    return _with_part(looked, tongue, night.owner)


def _of_foreign_name(
    question: Question, heard: Heard, state: State, tongue: Tongue
) -> tuple[Question, Heard, tuple[str, ...]]:
    """Answer about an ability named in another language ("Knochenschild") with all there are."""
    name, whose = heard.unknown, question.players or state.players[:1]
    likely = heard.choices[0] if heard.choices and heard.follows else heard.measure
    stopped = heard.measure in ("interrupts", "dispels")
    lasts = stopped or (likely in ("auras", "activity") and whose)
    if not name or name.kind != "ability" or not lasts or heard.language == "en":
        return question, heard, ()
    told = tongue.say("foreign_name", name=name.text.capitalize())
    if stopped:
        return question, replace(heard, unknown=None), (told,)
    heard = replace(heard, measure="auras", shape="list", unknown=None, abilities=())
    return replace(question, players=whose, abilities=()), heard, (told,)


def _with_part(plan: Plan, tongue: Tongue, owner: str) -> Plan:
    """State it if an answer cannot be narrowed to a part of a pull, rather than claim it was."""
    question = plan.question
    if plan.heard.shape == "why" and plan.heard.measure in _WILLED and plan.calls:
        plan = replace(plan, asks=(*plan.asks, tongue.say("no_motive")))
    judged = plan.heard.verdict and plan.form not in ("performance", "pulls", "duration")
    if judged and plan.calls:
        plan = replace(plan, asks=(*plan.asks, tongue.say("no_norm")))
    if plan.heard.shape == "whatif" and plan.calls:
        plan = replace(plan, asks=(tongue.say("what_if"), *plan.asks))
    mine = question.me or (plan.heard.shape == "compare" and asks_of_oneself(question.text))
    mine = mine and len(plan.roles or plan.people) != 1
    unsaid = not question.myself and fold(short_name(owner)) not in words(question.text)
    if mine and unsaid and owner in question.players[:1] and plan.calls:
        plan = replace(plan, asks=(tongue.say("taking_you", name=short_name(owner)), *plan.asks))
    if plan.heard.measure == "threat":
        plan = replace(plan, asks=(*plan.asks, tongue.say("threat")))
    if not any(call.args.get("without") for call in plan.calls):
        question = replace(question, without=())
    narrowed = any(call.args.get("part") for call in plan.calls)
    unheard = unheard_omission(question.text) if plan.measure in SUMS else ""
    if unheard and plan.calls:
        told = tongue.say("kept_in", name=unheard)
        plan = replace(plan, asks=(*plan.asks, told))
    if not question.part or narrowed or not plan.calls:
        return replace(plan, question=question)
    if plan.heard.measure in OF_PULLS:
        return replace(plan, question=replace(question, part=""))
    asks = (*plan.asks, tongue.say("no_part"))
    return replace(plan, question=replace(question, part=""), asks=asks)


def _looked(plan: Plan, form: Form, night: Night, overview: Overview, state: State) -> Plan:
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


def _of_whole_log(plan: Plan, tongue: Tongue) -> Plan:
    """Make a plan's calls cover a log that has no pulls, or state that they cannot."""
    turned = [(call, outside(call.tool, call.args)) for call in plan.calls]
    if turned and turned[0][1] is None:
        told = tongue.say("no_pulls", what=tongue.measure(plan.heard.measure))
        return replace(plan, calls=(), form="", asks=(*plan.asks, told))
    kept = tuple(replace(call, args=args) for call, args in turned if args is not None)
    return replace(plan, calls=kept)


def _none_won(question: Question, night: Night) -> tuple[int, ...]:
    """Find a boss's pulls if all were given up, so that none of them stands out."""
    subject = question.subject
    pulls = [pull for pull in night.pulls if pull.fight in subject.pulls]
    ended = {pull.ended for pull in pulls}
    if not question.bosses or question.fights or subject.fights or question.kind in ended:
        return ()
    given_up = all(pull.ended not in ("kill", "wipe") for pull in pulls)
    return tuple(pull.fight for pull in pulls[-FIGHTS:]) if given_up else ()


def _completed(
    question: Question, heard: Heard, overview: Overview, state: State
) -> tuple[Question, Heard]:
    """Complete a question from a reply to what was asked back: a choice, or a name."""
    brief = len(question.text.split()) <= SHORT
    first = _understood(state.asked_back, overview, state, None) if brief else question
    before = hear(first, overview.night, state) if brief else heard
    tongue = Tongue(before.language)
    offered = before.choices[:OFFERED] if not before.measure else ()
    chosen = next((one for one in offered if _says(question.text, tongue.measure(one))), "")
    said = words(question.text)
    # "Damage taken" answers even if other measures were offered; "who died" is a new question.
    bare = len(said) <= _BARE and not calling_words().asks & {*said} and heard.measure != "none"
    bare = bare and bool(offered) and heard.kind not in TALK
    chosen = chosen or (heard.measure if heard.measure in offered or bare else "")
    if chosen and not (question.players or question.bosses):
        known = replace(before, measure=chosen, kind="question", abilities=first.abilities)
        return first, replace(known, follows=False, guessed=False)
    names = (question.players, question.bosses, question.fights, question.abilities, question.part)
    idle = heard.follows or heard.guessed or heard.measure in ("", "none")
    idle = idle or names_only(heard.marked, question)
    if not (brief and idle and (any(names) or question.called.called)):
        return question, heard
    again = _understood(f"{state.asked_back} {question.text}", overview, state, None)
    return again, replace(hear(again, overview.night, state), unknown=heard.unknown)


def _says(text: str, option: str) -> bool:
    """Whether a reply repeats one of the offered choices."""
    return fuzz.ratio(" ".join(words(text)), " ".join(words(option))) >= _AS_WRITTEN


_BARE = 3
"""Maximum length in words of a reply that only names a measure."""
_AS_WRITTEN = 85
"""Minimum similarity (0 to 100) of a reply to an offered choice."""


def _spoken(
    question: Question,
    heard: Heard,
    tongue: Tongue,
    overview: tuple[Night, Overview],
    state: State,
) -> tuple[str, ...]:
    """Compose what needs no lookup: small talk, what no log contains, a choice to make."""
    night, reports = overview
    if heard.kind == "help" and not heard.measure:
        return (HELP,) if heard.language != "fr" else (french.render(HELP),)
    if heard.kind in TALK and not heard.measure:
        return (tongue.say(heard.kind),)
    if heard.measure == "unlogged":
        return (*_false(question, night, tongue), tongue.say("voice"))
    unknown = {*question.fights} - {pull.fight for pull in night.pulls}
    if unknown and not {*question.fights} - unknown:
        return _rendered(problems(question, night), question)
    missing = absent(question, night, reports, _companions(reports, night), tongue)
    missing = missing or incomparable(question, heard.measure, night, reports, tongue)
    if missing:
        return missing
    if heard.unknown:
        return (nowhere(heard.unknown, night, tongue, there=_asks_who_came(heard)),)
    new = {*question.players} - {*state.players}
    pairs = heard.shape == "compare" and heard.measure not in _WITH_BEFORE
    if pairs and question.of_one and not new and len(question.players) < 2:
        return (tongue.say("compare_ask"),)
    subject = question.subject
    if question.called.open or (subject.open and not question.fights):
        return which_is_meant(question, night, tongue)
    alone = question.of_one and not question.players and not state.players
    alone = alone and not question.abilities  # "Devour, how much does it do"
    if alone and (heard.measure in _OF_ONE or not heard.measure):
        people = [short_name(member.name) for member in night.members][:12]
        return (tongue.say("whom", list=", ".join(people)),)
    return _choice(question, heard, tongue)


def _choice(question: Question, heard: Heard, tongue: Tongue) -> tuple[str, ...]:
    """Offer the possible meanings if no measure is sure."""
    if not heard.measure or heard.measure == "none":
        if heard.shape == "why" and not question.bosses:
            return (tongue.say("no_motive"),)
        known = [one for one in heard.choices if tongue.knows(f"measure_{one}")]
        options = [tongue.measure(one) for one in known[:OFFERED]]
        level, day = tongue.level(question.subject.difficulty), question.subject.day
        people = map(short_name, question.players)
        named = ", ".join(filter(None, (*people, *question.bosses, level, day)))
        about_ = tongue.say("about", what=named) if named else ""
        return (tongue.say("choose", about=about_, list=tongue.either(options)),)
    return ()


_WILLED = frozenset(("activity", "trash", "duration", "casts", "cooldowns", "interrupts", "roster"))
"""Measures of what people chose to do, for which a log has no reasons."""
_BLAMING = ("who", "most", "list")
"""Shapes that ask for people when asking what went wrong."""
_WITH_BEFORE = frozenset(("pulls", "week", "gear"))
"""Measures that compare nights or pulls rather than two people."""
_OF_ONE = frozenset(("performance", "casts", "gear", "rotation", "activity"))


def _rendered(lines: Iterable[str], question: Question) -> tuple[str, ...]:
    """Translate lines into French if the question is French."""
    return tuple(map(french.render, lines)) if question.french else tuple(lines)


def _false(question: Question, night: Night, tongue: Tongue) -> tuple[str, ...]:
    """Correct a false presupposition of a question."""
    fitting = [p for p in night.pulls if p.fight in question.subject.pulls]
    open_ = fitting and fitting[-1].ended not in ("wipe", "reset")
    if question.bosses and question.kind == "kill" and not any(p.kill for p in fitting):
        if open_:
            return ()
        told = "; ".join(tongue.pull(pull) for pull in fitting[-4:])
        return (tongue.say("not_kill", boss=question.bosses[0], list=told),)
    return ()


def _asks_who_came(heard: Heard) -> bool:
    """Whether a message asks if somebody unknown to the log was present."""
    said = heard.marked.replace(heard.unknown.text if heard.unknown else "", "<player>")
    read = load("ruleplay.agents.raid", "reader.bin").read(said)["measure"][0]
    return read.label == "roster" and read.sure > LIKELIEST


def _companions(overview: Overview, night: Night) -> list[Report]:
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
    others = _companions(overview, night) if free and whole and form.wide else []
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
        asks=(*taken, *night_taken, *_false(question, night, tongue), *notes),
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
        for tool in _tools(topic, question) if workflow else ():
            yield from _calls_of(tool, question, night, fights)


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
