"""Turns a question into tool calls: what it is about, and which workflow answers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    fold,
    short_name,
    words,
)
from ruleplay.agents.raid.domain.persons import (
    asks_further,
    by_sides,
    calling_words,
    roles_of,
    side_of,
)
from ruleplay.agents.raid.domain.questions import (
    Question,
    asks_of_oneself,
    read,
    read_alone,
    unintroduced,
    unordered,
)
from ruleplay.agents.raid.domain.subjects import asks_each, pull_words
from ruleplay.agents.raid.policy.follow_ups import (
    OF_PULLS,
    compares,
    continued,
    healed,
    kept_on,
    narrowed_as_before,
)
from ruleplay.agents.raid.policy.forms import (
    SUMS,
    Form,
    form_of,
)
from ruleplay.agents.raid.policy.hearing import (
    BRIEF,
    LEAST_LIKELY,
    LIKELIEST,
    OF_HEALERS,
    OF_THAT,
    SURE,
    TALK,
    TELLS,
    VERDICT,
    WHATIF,
    Heard,
    begins_asking,
    begun_name,
    hear,
    is_nonsense,
    names_only,
    of_creatures,
    unheard_words,
    unknown_name,
)
from ruleplay.agents.raid.policy.lookups import (
    Plan,
    companions,
    false_premise,
    look_up,
    over_whole_log,
    rendered,
    with_trash,
)
from ruleplay.agents.raid.policy.marks import spelt_out
from ruleplay.agents.raid.policy.messages import parted, with_shared
from ruleplay.agents.raid.policy.premises import (
    HELP,
    absent,
    elsewhere,
    incomparable,
    nobody_of_role,
    nowhere,
    problems,
    which_is_meant,
)
from ruleplay.agents.raid.policy.sentences import Tongue
from ruleplay.agents.raid.policy.stories import is_of_pulls, of_it, tells_story
from ruleplay.agents.raid.state import State
from ruleplay.hearing.classifier import Guess, load

OFFERED = 2
"""Number of measures offered when none is sure."""
READINGS = 3
"""Number of readings by which an unclear question is answered."""
SURE_ALONE = 0.8
"""Confidence in a measure from which its runner-up is not answered as well.

Measured on 137 questions of strangers: above it nine in ten are heard right, below it six, and of
the others the runner-up is right for half.
"""
LEAST_TOLD = 0.6
"""Minimum confidence in a measure that another part of the message was answered for."""
NEAR, NEXT = 0.05, 0.1
"""Minimum confidence of a reading of an unclear question, and of a runner-up."""
LEAST_READ = 0.25
"""Minimum confidence of one of the readings by which an unclear question is answered."""
BESIDE, INSTEAD = 1 / 3, 1 / 2
"""How likely another reading, and a runner-up, has to be in proportion to the likeliest."""
SURE_BESIDE = 0.3
"""Minimum confidence of a measure beside the one that a follow-up continues."""
UNREAD = frozenset(("none", "unlogged", "threat", "nature"))
"""Measures that no unclear question is read as."""
SHORT = 8
"""Maximum length in words of a reply to a question asked back."""


def told_again(plan: Plan, answer: str) -> str:
    """Compose a reply for a question whose answer was just given: a word, or it and what else."""
    heard, question = plan.heard, plan.question
    tongue, said = Tongue(heard.language), words(question.text)
    if "?" not in question.text and not calling_words().asks & {*said} and len(said) <= _BARE:
        return tongue.say("chat")
    likely = [one.label for one in heard.guesses if one.sure >= LEAST_LIKELY]
    known = [one for one in heard.choices if one != heard.measure and one in likely]
    options = [tongue.measure(one) for one in known if tongue.knows(f"measure_{one}")]
    other = tongue.say("said_already", list=tongue.either(options[:OFFERED])) if options else ""
    return "\n\n".join(filter(None, (answer, other)))


def make_plan(message: str, overview: Overview, state: State) -> Plan:
    """Plan the answer to a message; deterministic in the message, night and state."""
    night = overview.night
    whole = read(message, overview, _focus(night, state))
    message = unintroduced(said := spelt_out(message, whole, night), whole.myself)
    asked = parted(message, night, state) if night else ()
    if night is None or len(asked) < 2:
        brief = len(words(message)) <= BRIEF
        text = asked[0].text if asked and not brief else message
        about = None if text == said else whole
        plan = _again(_plan(text, overview, state, about), text, overview, state)
        plan = _both_ends(plan, text, overview, state)
        plan = _with_readings(plan, text, overview, state, about)
        return _by_sides(plan, message, night) if night else plan
    plans, missed = list[Plan](), list[str]()
    whole = _shared(whole, [read_alone(one.text, night) for one in asked], night, state)
    for one in asked:
        before = _after(plans[-1], state, night) if plans else state
        text = one.unjoined if plans else one.text
        alone = text != one.text.strip() and not one.names
        if plans and not one.adds and (alone or not one.unheard):
            before = before.model_copy(update={"measure": "", "shape": ""})
        reading = plans[-1].heard.measure if plans and one.same else ""
        plan = _plan(text, overview, before, whole, reading=reading)
        if plans and plans[-1].form == "casts" and _lasts(plan, plans[-1]):
            spells = replace(whole, abilities=plans[-1].question.abilities)
            plan = _plan(text, overview, before, spells, reading="auras", shape="list")
        if plans and (own := _of_the_same(plan, plans[-1])):
            plan = _plan(f"{text.rstrip(' ?')} {own}?", overview, before, whole)
        if one.same and plans and plan.form == plans[-1].form == "consumed":
            continue  # whose times are told
        plan = plan if reading else _with_readings(plan, text, overview, before, whole)
        # "And how many did Oda do" goes on with the question before.
        follows = one.names and plan.calls and plan.heard.follows and not plan.heard.guessed
        guessed = plan.back or (plan.read_as and not plan.instead)
        answers = bool(plan.calls or plan.asks) and not guessed
        follows = follows or _is_asked(plan, text)
        if plans and (not answers or (one.unheard and not follows)):
            if not _told_already(plan, plans):
                key = "no_norm_of" if plan.heard.said == VERDICT else "not_heard"
                missed.append(Tongue(plan.heard.language).say(key, said=one.text.strip(" ,;")))
        else:
            # "What got him, and could he have been saved": what speaks to it tells what got him.
            plans = plans[:-1] if plans and _is_supposed(plan, plans[-1]) else plans
            plans.append(plan)
    return _together(plans, missed, message, night)


def _shared(whole: Question, asked: Sequence[Question], night: Night, state: State) -> Question:
    """Leave of a message what its questions may share: neither spells nor what is compared with."""
    if any(one.abilities for one in asked):
        whole = replace(whole, abilities=())  # each question names its own
    return kept_on(whole, state) if any(compares(o, night, state) for o in asked) else whole


def _together(plans: Sequence[Plan], missed: Sequence[str], message: str, night: Night) -> Plan:
    """Join the plans of a message's questions, and what was said that was not understood."""
    # "… and Freezing above all" adds a name to the first question and asks nothing new.
    plans = [one for at, one in enumerate(plans) if not _is_told_by(one, plans[at + 1 :])]
    further = [o for o in plans[1:] if not (o.heard.guessed or _lasts(o, plans[0]))]
    first = plans[0] if plans[0].calls or not further else further.pop(0)
    left = (*(() if first is plans[0] else plans[0].asks), *missed)
    if not first.calls:
        return first
    told = [part for one in (first, *further) for part in (replace(one, also=()), *one.also)][::-1]
    made = {_key(p): p for p in told}
    first = replace(first, also=tuple(made.values())[-2::-1], left=left)
    return _by_sides(first, message, night)


def _of_the_same(plan: Plan, before: Plan) -> str:
    """Name whom a further question about healing is of: "what did I heal, and what was wasted"."""
    healing = {plan.heard.measure, before.heard.measure} <= {*OF_HEALERS}
    amounts = plan.form == "tally" and plan.heard.shape in ("amount", "count")
    people = before.question.players
    asked = healing and amounts and len(people) == 1 and not plan.question.players
    return short_name(people[0]) if asked else ""


def _told_already(plan: Plan, plans: Sequence[Plan]) -> bool:
    """Whether a part of a message surely asks for the measure that another part's answer tells."""
    heard = plan.heard
    sure = any(one.label == heard.measure and one.sure >= LEAST_TOLD for one in heard.guesses)
    known = {one.heard.measure for one in plans if one.calls and one.fights == plan.fights}
    judges = heard.said == VERDICT
    return bool(plan.calls) and sure and not (heard.follows or judges) and heard.measure in known


def _is_asked(plan: Plan, text: str) -> bool:
    """Whether a part of a message asks, by itself and likely enough, for what its plan tells."""
    heard = plan.heard
    sure = any(one.label == heard.measure and one.sure >= SURE for one in heard.guesses)
    asks = begins_asking(text) or bool(calling_words().placed & {*words(text)})
    return sure and asks and not (heard.follows or heard.said == VERDICT)


def _is_supposed(plan: Plan, before: Plan) -> bool:
    """Whether a plan asks what would have been of that which the plan before it asks."""
    same = (plan.calls, plan.question.players) == (before.calls, before.question.players)
    return same and plan.heard.shape == WHATIF


def _is_of_spell(plan: Plan) -> bool:
    return bool(plan.question.abilities) or plan.heard.measure == "lust"


def _lasts(plan: Plan, first: Plan) -> bool:
    """Whether "and for how long" asks how long the spell lasted that was asked about before."""
    named = plan.question.bosses or plan.question.fights
    of_spell = bool(first.question.abilities) and first.form != "deaths"
    return plan.form == "duration" and of_spell and not named


def _is_told_by(plan: Plan, later: Sequence[Plan]) -> bool:
    """Whether a later question of a message asks of more pulls what this one asks of a spell."""
    own, spells = {*plan.fights}, plan.question.abilities
    wider = (one for one in later if one.form == "spell" and own <= {*one.fights})
    uses = plan.form in ("casts", "spell") and spells
    return bool(uses) and any(one.question.abilities == spells for one in wider)


def _both_ends(plan: Plan, text: str, overview: Overview, state: State) -> Plan:
    """Add the other end of a ranking if both are asked for: "the best and the worst healer"."""
    known, said = calling_words(), unordered(fold(text))
    ends = known.lowest.search(said) and known.highest.search(said)
    measure = plan.heard.measure
    if plan.form == "duration" and known.longest.search(said) and known.shortest.search(said):
        ways = (known.shortest.sub("", said), known.longest.sub("", said))
        long, short = (
            _plan(one, overview, state, reading=measure, shape=shape)
            for one, shape in zip(ways, ("most", "least"), strict=True)
        )
        first, other = (short, long) if short.fights == plan.fights else (long, short)
        several = first.calls and other.calls and first.fights != other.fights
        return replace(first, also=(other,)) if several else plan
    if not (ends and plan.calls and measure in (*SUMS, "gear")) or plan.question.players:
        return plan
    first, other = (
        _plan(text, overview, state, reading=measure, shape=shape) for shape in ("most", "least")
    )
    first = replace(first, question=replace(first.question, lowest=False))
    return replace(first, also=(other,)) if first.calls and other.calls else plan


def _by_sides(plan: Plan, message: str, night: Night) -> Plan:
    """Answer for each side of a match if a message asks for both apart."""
    known = any(one.foe and {*one.pulls} & {*plan.fights} for one in night.members)
    each = by_sides(fold(message)) if known else ()
    able = plan.calls and plan.form in _BY_SIDES and not plan.question.players
    if not (each and able):
        return plan
    # What all did together would be told of both.
    ranked = replace(plan.heard, shape="most") if plan.heard.shape == "amount" else plan.heard
    own, other = (
        replace(plan, question=replace(plan.question, text=text), heard=ranked, also=(), asks=())
        for text in each
    )
    tongue = Tongue(plan.heard.language)
    own = replace(own, asks=(*plan.asks, tongue.say("own_side")))
    also = tuple(_by_sides(one, message, night) for one in plan.also)
    return replace(own, also=(replace(other, asks=(tongue.say("other_side"),)), *also))


_BY_SIDES = ("tally", "kicks", "deaths")
"""Forms that can tell the sides of a match apart."""


def _with_readings(
    plan: Plan, text: str, overview: Overview, state: State, whole: Question | None
) -> Plan:
    """Answer an unclear question by its likeliest readings; add the runner-up of a doubtful one.

    A follow-up that changes nothing of the question before was not understood either.
    """
    heard = plan.heard
    uses = plan.form == "casts" and _is_of_spell(plan) and not heard.follows
    if plan.form in ("spell", "part") or uses:
        return plan
    unclear = not (plan.calls or heard.measure or heard.kind in TALK)
    unheard = unclear or _changes_nothing(plan, state)
    if unheard and not _speaks(text, heard):
        return plan
    least = NEAR if unheard else _runner_up(plan)
    best = max((one.sure for one in heard.guesses if one.label not in UNREAD), default=0.0)
    least = max(least, best * (BESIDE if unheard else INSTEAD))
    known = TELLS.get(heard.measure, ())
    likely = [one.label for one in heard.guesses if one.sure >= least and one.label not in known]
    made = {} if unclear else {_key(plan): plan}
    for measure in likely:
        told = measure == heard.measure or heard.measure in TELLS.get(measure, ())
        if measure in UNREAD or told or len(made) > READINGS:
            continue
        own = _plan(text, overview, state, whole, reading=measure)
        if own.calls:
            made.setdefault(_key(own), replace(own, read_as=measure, instead=not unheard))
    readings = [one for one in made.values() if one is not plan]
    sure = {one.label: one.sure for one in heard.guesses}
    if unclear and not any(sure[one.read_as] >= LEAST_READ for one in readings):
        return plan  # which asks what is meant
    if not readings or not unheard:
        return replace(plan, also=(*plan.also, *readings[:1]))
    asks = plan.asks if heard.shape == "why" and unclear else ()
    first = replace(readings[0], asks=(*asks, *readings[0].asks))
    return replace(first, also=tuple(readings[1:READINGS]))


def _speaks(text: str, heard: Heard) -> bool:
    """Whether a message asks for something at all: "ah right, my mistake" does not."""
    if is_nonsense(heard.marked):
        return False
    likely = max((one.sure for one in heard.guesses if one.label not in UNREAD), default=0.0)
    return "?" in text or bool(calling_words().asks & {*words(text)}) or likely >= SURE_BESIDE


def _runner_up(plan: Plan) -> float:
    """Get the confidence from which another measure is answered too; more than 1 if none is."""
    heard = plan.heard
    first = next((one for one in heard.guesses if one.label != "none"), Guess("", 0.0))
    settled = heard.verdict or heard.part or heard.shape == "whatif"
    if not plan.calls or settled or first.sure >= SURE_ALONE:
        return 2.0
    if heard.follows and plan.question.bosses:
        return SURE  # "and none on Oda?" is of Oda what the question before was of
    return NEXT if heard.measure == first.label else SURE_BESIDE


def _key(plan: Plan) -> str:
    """Identify what a plan tells: the same rows may be told from either end, or of either side."""
    question = plan.question
    end, side = plan.heard.shape == "least", side_of(fold(question.text))
    told = (plan.form, plan.calls or plan.asks, plan.fights, plan.heard.shape == WHATIF)
    return str((*told, question.players, end, side))


def _changes_nothing(plan: Plan, state: State) -> bool:
    """Whether a follow-up asks exactly what the question before asked."""
    kept = ("measure", "shape", "abilities", "part", "without", "fight", "pulls")
    same = all(plan.leaves[name] == getattr(state, name) for name in kept)
    heard, question = plan.heard, plan.question
    adds = heard.part or heard.verdict or side_of(fold(question.text))
    narrows = question.only or question.left_out or question.targets
    told = heard.follows and plan.calls and not (adds or narrows)
    return bool(told) and same and question.players in (state.named, state.players)


def _again(plan: Plan, message: str, overview: Overview, state: State) -> Plan:
    """Make a follow-up to a message of several questions repeat all of them."""
    if not (plan.heard.follows and plan.calls and state.also) or plan.heard.part:
        return plan
    further = [
        _plan(message, overview, state.model_copy(update={"measure": measure, "shape": shape}))
        for measure, shape in state.also
        if measure != plan.heard.measure
    ]
    # Of one pull the longest is the shortest.
    told = plan.fights if plan.form == "duration" else None
    return replace(plan, also=tuple(o for o in further if o.calls and o.fights != told))


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


def _plan(
    message: str,
    overview: Overview,
    state: State,
    whole: Question | None = None,
    reading: str = "",
    shape: str = "",
) -> Plan:
    """Plan one question of the message `whole`, taken for `reading` and `shape` if set.

    "It looks awful there compared to Oda" is of the pull spoken of, and only then of Oda.
    """
    night = overview.night
    question = _understood(message, overview, state, whole)
    if not (night and compares(question, night, state)):
        return _planned(question, overview, state, whole, reading, shape)
    plan = _planned(kept_on(question, state), overview, state, whole, reading, shape)
    apart = state.model_copy(update={"fight": None, "pulls": ()})
    other = _planned(question, overview, apart, whole, reading, shape)
    return replace(plan, also=(other,)) if plan.calls and other.calls else plan


def _planned(
    question: Question,
    overview: Overview,
    state: State,
    whole: Question | None,
    reading: str,
    shape: str,
) -> Plan:
    """Plan one parsed question."""
    night = overview.night
    heard = _taken_as(reading, shape, hear(question, night, state), question)
    if night:
        question, heard = _of_what_is_there(question, heard, night, state, whole)
    if state.asked_back:
        question, heard = _completed(question, heard, overview, state)
    question = narrowed_as_before(_on_bosses(question, heard), heard, state)
    person = question.players[0] if len(question.players) == 1 else state.person
    question = replace(
        continued(question, heard, overview, state),
        french=heard.language == "fr",
        abilities=heard.abilities,
        myself=question.myself or state.me,
    )
    if night is None:
        return Plan(question, heard=heard)
    question = healed(question, heard, night.owner)
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
    if tells_story(heard, question, form, night):
        form = Form("spell", measure="casts", by="cast")
        heard = replace(heard, shape="how") if heard.measure == "absorbs" else heard
    if form.topics == ("gear",) and not elsewhere(night, overview):
        form = Form("gear", measure="gear")
    plan = Plan(question, (), night.code, heard=heard, form=form.name, measure=form.measure)
    roles = {one.name: one.role for one in night.members if one.role}
    plan = replace(plan, person=person, roles=roles, pulls=len(night.pulls), shown=state.places)
    further = asks_further(fold(question.text)) and not question.players
    plan = replace(plan, told=state.players if further else ())
    looked = look_up(plan, form, night, overview, state)
    looked = _of_whole_log(looked, night, tongue)
    looked = replace(looked, asks=(*foreign, *looked.asks))
    if len(looked.fights) == 1:
        there = {m.name: m.unlike[f] for m in night.members for f in looked.fights if f in m.unlike}
        looked = replace(looked, roles=roles | there)
    # "Torghast as Maelikit, …" names who plays for all of the message.
    said = whole is not None and fold(short_name(night.owner)) in words(whole.text)
    return _with_part(looked, tongue, "" if said else night.owner)


def _of_whole_log(plan: Plan, night: Night, tongue: Tongue) -> Plan:
    """Make a plan cover more than pulls if there are none, or if the whole log is asked for."""
    if not night.pulls:
        return over_whole_log(plan, night, tongue)
    question = plan.question
    named = question.bosses or question.fights or question.subject.fights or question.part
    whole = plan.heard.night and tongue.names_log(question.text) and not named
    return with_trash(plan) if whole else plan


def _of_what_is_there(
    question: Question, heard: Heard, night: Night, state: State, whole: Question | None
) -> tuple[Question, Heard]:
    """Read a question by what the log has: names, creatures, abilities spoken of, floors."""
    heard = replace(heard, unknown=unknown_name(question, heard, night, state, whole))
    if begun := begun_name(heard.unknown, night):
        question = replace(question, players=(begun,))
        heard = hear(question, night, state)
    question, heard = of_creatures(question, heard, night, state)
    question, heard = _of_stated_ability(question, heard, whole)
    question, heard = of_it(question, heard, state)
    heard = _of_floors(question, heard, night)
    return question, heard


def _on_bosses(question: Question, heard: Heard) -> Question:
    """Leave out adds if a sum is asked for on the boss alone."""
    adds = question.targets and not calling_words().denies & {*words(question.text)}
    if not heard.boss_only or heard.measure not in SUMS or adds or asks_each(question.text):
        return question
    without = tuple(dict.fromkeys((*question.without, ADDS)))
    return replace(question, without=without, targets=())


def _of_stated_ability(
    question: Question, heard: Heard, whole: Question | None
) -> tuple[Question, Heard]:
    """Apply the ability that the rest of a message names: "we stood in Devour. who ate most"."""
    stated = whole.abilities if whole else ()
    unsaid = not (question.abilities or question.targets or heard.abilities)
    of_that = heard.measure in OF_THAT or (is_of_pulls(heard) and not question.bosses)
    if not (unsaid and stated and of_that):
        return question, heard
    own = replace(question, abilities=stated)
    return own, replace(heard, abilities=stated)


def _of_floors(question: Question, heard: Heard, night: Night) -> Heard:
    """Take an unclear question about floors, in a log that has them, for how long they took."""
    sure = any(one.label == heard.measure and one.sure >= SURE for one in heard.guesses)
    told = (sure and not heard.follows) or night.pulls or len(night.stretches) < 2
    if told or not Tongue(heard.language).names_floor(question.text):
        return heard
    return replace(heard, measure="duration", kind="question", follows=False, unknown=None)


def _taken_as(reading: str, shape: str, heard: Heard, question: Question) -> Heard:
    """Take a message for a question for this measure, unless "", whatever it was heard as."""
    if not reading:
        return heard
    own = replace(heard, measure=reading, shape=shape or heard.said, kind="question", guessed=False)
    return replace(own, abilities=question.abilities or (heard.abilities if heard.follows else ()))


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
    why = plan.heard.shape == "why" and calling_words().why & {*words(question.text)}
    if why and plan.heard.measure in _WILLED and plan.calls:
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
    if plan.calls and (unheard := _kept_in(plan)):
        told = tongue.say("kept_in", name=unheard)
        plan = replace(plan, asks=(*plan.asks, told))
    if not question.part or narrowed or not plan.calls:
        return replace(plan, question=question)
    if plan.heard.measure in OF_PULLS:
        return replace(plan, question=replace(question, part=""))
    asks = (*plan.asks, tongue.say("no_part"))
    return replace(plan, question=replace(question, part=""), asks=asks)


def _kept_in(plan: Plan) -> str:
    """Extract what a question leaves out but the sums of its answer include; "" if nothing."""
    text = plan.question.text
    if plan.by == "pull" and plan.question.left_out:
        return words_left_out(text)  # sums by pull are over all roles
    return unheard_omission(text) if plan.measure in SUMS else ""


def _completed(
    question: Question, heard: Heard, overview: Overview, state: State
) -> tuple[Question, Heard]:
    """Complete a question from a reply to what was asked back: a choice, or a name."""
    brief = len(question.text.split()) <= SHORT
    first = _understood(state.asked_back, overview, state, None) if brief else question
    before = hear(first, overview.night, state) if brief else heard
    tongue = Tongue(before.language)
    offered = _offered(before, tongue) if not before.measure else ()
    chosen = next((one for one in offered if _says(question.text, tongue.measure(one))), "")
    chosen = chosen or _counted(question.text, offered, tongue)
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


def _offered(heard: Heard, tongue: Tongue) -> tuple[str, ...]:
    """List the measures that an unclear question is asked back with."""
    return tuple(one for one in heard.choices if tongue.knows(f"measure_{one}"))[:READINGS]


def _counted(text: str, offered: Sequence[str], tongue: Tongue) -> str:
    """Find the choice that a reply counts: "2", "the first one", "yes" for the likeliest."""
    known, places = calling_words(), pull_words().places
    free = known.filler | known.the | known.one
    said = [word for word in words(text) if word not in free]
    yes = {*words(tongue.say("yes"))} & {*said[:1]}
    count = 1 if yes else places.get(said[0], 0) if len(said) == 1 else 0
    count = int(said[0]) if len(said) == 1 and said[0].isdecimal() else count
    return offered[count - 1] if 0 < count <= len(offered) else ""


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
        return (*false_premise(question, night, tongue), tongue.say("voice"))
    unknown = {*question.fights} - {pull.fight for pull in night.pulls}
    if unknown and not {*question.fights} - unknown:
        return rendered(problems(question, night), question)
    missing = absent(question, night, reports, companions(reports, night), tongue)
    missing = missing or nobody_of_role(question, night, tongue)
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
    # "Devour, how much does it do", "the healers, what did they do"
    alone = alone and not (question.abilities or roles_of(fold(question.text)))
    if alone and (heard.measure in _OF_ONE or not heard.measure):
        people = [short_name(member.name) for member in night.members][:12]
        return (tongue.say("whom", list=", ".join(people)),)
    return _choice(question, heard, tongue)


def _choice(question: Question, heard: Heard, tongue: Tongue) -> tuple[str, ...]:
    """Offer the possible meanings if no measure is sure."""
    if (not heard.measure or heard.measure == "none") and not question.abilities:
        if heard.shape == "why" and not question.bosses:
            return (tongue.say("no_motive"),)
        options = [f"({n}) {tongue.measure(o)}" for n, o in enumerate(_offered(heard, tongue), 1)]
        level, day = tongue.level(question.subject.difficulty), question.subject.day
        people = [*map(short_name, question.players)]
        spoken = ("" if people else question.called.called, *question.abilities)
        strange = (f"“{word}”" for word in unheard_words(heard.marked))
        named = ", ".join(filter(None, (*people, *question.bosses, level, day, *spoken, *strange)))
        about_ = tongue.say("about", what=named) if named else ""
        return (tongue.say("choose", about=about_, list=tongue.either(options)),)
    return ()


_WILLED = frozenset(("activity", "trash", "duration", "casts", "cooldowns", "interrupts", "roster"))
"""Measures of what people chose to do, for which a log has no reasons."""
_WITH_BEFORE = frozenset(("pulls", "week", "gear"))
"""Measures that compare nights or pulls rather than two people."""
_OF_ONE = frozenset(("performance", "casts", "gear", "rotation", "activity"))


def _asks_who_came(heard: Heard) -> bool:
    """Whether a message asks if somebody unknown to the log was present."""
    said = heard.marked.replace(heard.unknown.text if heard.unknown else "", "<player>")
    read = load("ruleplay.agents.raid", "reader.bin").read(said)["measure"][0]
    return read.label == "roster" and read.sure > LIKELIEST
