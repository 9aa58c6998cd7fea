"""The nodes of a turn's graph: what happens at each station."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Collection
from typing import ParamSpec, TypeVar

from ruleplay.agents.parts import prompts, tools
from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.adapters.catalog import Catalog
from ruleplay.agents.parts.adapters.orders import order_status
from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import (
    parts_at,
    parts_named,
    qualifiers,
)
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.ids import (
    Lookup,
    ModelFound,
    PartFound,
    candidates,
)
from ruleplay.agents.parts.domain.labels import label_readings, models_likely, spelled
from ruleplay.agents.parts.domain.languages import language_of
from ruleplay.agents.parts.domain.machines import said_of_each
from ruleplay.agents.parts.domain.reader import (
    clause_around,
)
from ruleplay.agents.parts.domain.references import excluded
from ruleplay.agents.parts.domain.slots import (
    CARD_GOALS,
    Diagnose,
    Find,
    Goal,
    Question,
    Request,
    UnconfirmedId,
    VerifiedModel,
    VerifiedPart,
    request_for,
)
from ruleplay.agents.parts.domain.symptoms import one_name
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import Understood, understand
from ruleplay.agents.parts.domain.unread import unknown_thing
from ruleplay.agents.parts.domain.voice import Voice, voice
from ruleplay.agents.parts.policy import (
    apart,
    asking,
    beside,
    dangers,
    findings,
    focus,
    passing,
    quantities,
    replies,
    singled,
    taking,
    weighing,
)
from ruleplay.agents.parts.policy.comparing import compares
from ruleplay.agents.parts.policy.in_play import completed
from ruleplay.agents.parts.policy.listening import (
    Hearing,
    alarms,
    heard_by_model,
    machines_of,
    quote_problems,
)
from ruleplay.agents.parts.policy.meanings import asks_so
from ruleplay.agents.parts.policy.noting import fit_if, noted
from ruleplay.agents.parts.policy.resolve import OTHER_MACHINE, resolve, resolve_each
from ruleplay.agents.parts.policy.rows import (
    citable,
    own_lines,
    reader,
    tables_of,
    text,
)
from ruleplay.agents.parts.policy.subjects import SEARCHES
from ruleplay.agents.parts.state import Draft, Line, State, Update
from ruleplay.agents.parts.view import quick_replies
from ruleplay.kernel.context import Context
from ruleplay.kernel.graph import Runtime
from ruleplay.kernel.propose import propose
from ruleplay.kernel.tell import tell as tell_cited
from ruleplay.kernel.tracing import tool_span
from ruleplay.records.events import Event, Json
from ruleplay.records.given import Message

Given = ParamSpec("Given")
Result = TypeVar("Result")
_PICK = 20
"""Most characters of a message that only picks from a list."""
_LONG = 1_000
"""Characters from which a message is processed in a thread."""
_NODS = 3
"""Most words of a message that merely agrees: "ok, perfect"."""
_LIGHT = {"later", "thanks", "bye", "forgotten", "away", "where_is_the_number"}
"""Side questions that a short reply settles; the open question is not repeated after them."""
FEW = 3
"""Most parts of a model that are all listed if none of them was the one looked for."""
HEARD = 6
"""Earlier lines in the model's prompt."""
RECENT = 12
"""Earlier lines in which an answer still counts as in sight, so that it is not repeated."""
ALL = 1_000
"""Most lines of a conversation that are searched for quantities."""
_SETTLED = (did.Unclear, did.Declined, did.HandedOver, did.SafetyStopped)
"""What settles a message as a whole."""
PartsRuntime = Runtime[Context[Catalog]]


async def fill_slots(state: Draft, runtime: PartsRuntime) -> Update:
    """Read the message: what the catalog knows fills slots, what is unsure becomes a question."""
    context, message = runtime.context, state.given.message
    heard = await _worked_out(message, read, context, message, state)
    if plain(state.before, heard):
        events = resolve(state.before, heard, context.number)
        return {"events": events, "picked": picks(state.before, heard)}
    known, shown, listed, last = await _to_hear(context, heard, state.before)
    machines, asked = machines_of(state.before), state.before.asked
    offered, feared = asked.options if asked else (), [one.text for one in alarms(heard)]
    proposed = await propose(
        context,
        "parts.extract",
        prompt=lambda: prompts.extract(message, state.before, known, shown, listed, last, feared),
        schema=Hearing,
        legal=lambda hearing: quote_problems(hearing, message, known, listed, machines, offered),
        otherwise=Hearing,
    )
    # An empty hearing (no model, no legal answer, or nothing found) leaves it to the rules.
    if proposed.value.empty:
        each = await _worked_out(message, of_each_machine, context, heard, state) or [heard]
        events = await _worked_out(message, resolve_each, state.before, each, context.number)
        settled = any(isinstance(event, _SETTLED) for event in events) or compares(events)
        unread = each[0].unread if len(each) == 1 else heard.unread
        return {"events": events, "unread": "" if settled or asks_so(events, unread) else unread}
    kinds, brands = tools.kinds_of(context), tools.brands_of(context)
    each = heard_by_model(heard, proposed.value, listed, kinds, machines, brands, offered)
    each = [tools.in_doubt(context, one, spelled(one)) for one in each]
    events = await _worked_out(message, resolve_each, state.before, each, context.number)
    return {"events": events, "led": True}


async def _to_hear(
    context: Context[Catalog], heard: Understood, before: State
) -> tuple[dict[str, list[str]], tuple[Card, ...], tuple[Card, ...], str]:
    """Collect for the model: symptoms by kind, parts shown, all parts to pick from, last reply."""
    if context.model("parts.extract") == "rules":
        return {}, (), (), ""
    known = tools.symptoms_of(context)
    last = await last_reply(context)
    shown = tools.cards_shown(context, heard.found, before, last, before.others)
    return one_name(known), shown, tools.to_pick_from(context, heard, before, shown), last


async def last_reply(context: Context[Catalog]) -> str:
    """Get the assistant's last reply."""
    lines = await context.history(last=1)
    return lines[-1].text if lines else ""


async def _worked_out(
    message: str, work: Callable[Given, Result], *args: Given.args, **named: Given.kwargs
) -> Result:
    """Call `work`, in a thread if the message is long, so that it does not block the event loop.

    For a short message, starting a thread would take longer than the work.
    """
    if len(message) > _LONG:
        return await asyncio.to_thread(work, *args, **named)
    return work(*args, **named)


def of_each_machine(context: Context[Catalog], heard: Understood, state: Draft) -> list[Understood]:
    """Read separately what a message says about each of two machines; empty if it is about one."""
    models = models_likely(heard.found)
    corrects = heard.has("correction") and len(models) < 2  # "not drying, and a fridge …"
    if corrects or heard.has("hazard", "person"):
        return []
    said = said_of_each(heard.message, heard.language, models)
    read_alone = [read(context, one, state, heard.language) for one in said]
    numbered = len(models) > 1
    if (
        numbered
        and len({one.model.appliance for one in models}) > 1
        and all(one.goals for one in read_alone)
    ):
        return read_alone  # "fits M1? and my washer M2 needs PS1, price?"
    # A number alone is no second machine: "my fridge leaks, model M1".
    own = all(
        one.symptoms or one.suspected or one.named or (one.found and (numbered or one.appliance))
        for one in read_alone
    )
    waiting = not heard.goals and any(file.slots.symptoms for file in state.before.others)
    sought = any(one.description and one.description.broken for one in read_alone)
    problems = any(one.symptoms for one in read_alone) or waiting or sought
    if any(one.strange for one in read_alone):
        return []
    return read_alone if own and problems else []


def plain(state: State, heard: Understood) -> bool:
    """Whether a message needs no model: a button, a pick from a list, or just a known number."""
    said = heard.message.strip()
    numbers = (one for one in heard.found if isinstance(one, ModelFound | PartFound))
    return picks(state, heard) or any(one.text == said for one in numbers)


def picks(state: State, heard: Understood) -> bool:
    """Whether a message is a button or a pick from the list of the last question."""
    said = heard.message.strip()
    asked = bool(state.asked and state.asked.options)
    return said in quick_replies(state) or (asked and heard.has("choice") and len(said) <= _PICK)


def read(context: Context[Catalog], message: str, state: Draft, language: str = "") -> Understood:
    """Understand a message, using what the catalog knows about the numbers in it."""
    proposed = (*candidates(message), *completed(state.before, message))
    looked_up = context.outside(
        "catalog.numbers",
        [one.normal for one in proposed],
        lambda: context.world.look_up_all(proposed),
        dict[str, Lookup],
    )
    literal = context.outside(
        "catalog.symptoms_said",
        None,
        lambda: tuple(s for s in context.world.symptom_strings() if fold(s) in fold(message)),
        tuple[str, ...],
    )

    def as_of(appliance: str) -> Understood:
        return understand(
            message,
            proposed,
            looked_up,
            literal=literal,
            asked=state.before.asked,
            appliance=appliance,
            language=language or language_of(message, state.before.language),
            kinds=tools.kinds_of(context),
            brands=tools.brands_of(context),
        )

    heard = as_of(state.before.appliance)
    for file in state.before.others[::-1] if not (heard.symptoms or heard.appliance) else ():
        other = as_of(file.appliance)  # "the frost then" is no dishwasher's
        heard = other if other.symptoms and not heard.symptoms else heard
    return tools.in_doubt(context, heard, label_readings(message, heard.language))


async def check_requirements(state: Draft, runtime: PartsRuntime) -> Update:
    """Take the next question, unless one is open; what is unknown does not hold up the others."""
    closed, line = taking.unknown_closed(state.now)
    now = functools.reduce(State.apply, closed, state.now)
    return {"events": [*closed, *taking.take(now)], "lines": [line] if line else []}


async def ask_goal(state: Draft, runtime: PartsRuntime) -> Update:
    """Ask what the customer wants, after confirming what was understood."""
    if isinstance(slot := state.now.slots.model, UnconfirmedId):
        asked, lines = asking.number_asked("model", slot, Goal.CHECK, state.now)
        return {"events": [did.QuestionAsked(asked=asked)], "lines": [*noted(state), *lines]}
    words = voice(state.now.language)
    known, facts = state.now.slots.model is not None, noted(state)
    if not known and "model" in state.now.skipped and state.now.appliance:
        facts += [replies.where_number(state.now), replies.aside("where_send", words)]
        return {"events": [did.QuestionAsked(asked=Asked(kind="model"))], "lines": facts}
    facts += replies.ask_goal(words, state.now.appliance, known=known)
    return {"events": [did.QuestionAsked(asked=asking.goal_asked(words))], "lines": facts}


async def ask_info(state: Draft, runtime: PartsRuntime) -> Update:
    """Ask for what the goal still requires: a choice of numbers, or the missing slots."""
    now, kind = state.now, tools.kind_elsewhere(runtime.context, state.now)
    named = [did.ApplianceNamed(appliance=kind)] if kind else []
    now = now.but(appliance=kind or now.appliance)
    asked, question = asking.open_question(now)
    asked = asked.model_copy(update={"person": tools.hands_over(runtime.context)})
    if asked.kind == "confirm" and now.missing[:1] == ("model",):
        question = [*question, replies.where_number(now)]
    waiting, words = asking.waiting(now, asked), voice(now.language)
    question = asking.still_unknown(state) or asking.repeated(state, question)
    if unknown := asking.of_nothing_known(state):
        question = [weighing.nowhere(unknown, tools.kinds_of(runtime.context), words)]
    question += replies.power_first(words) if now.goal in (Goal.INSTALL, Goal.EFFORT) else []
    known = [*elsewhere(runtime.context, state), *focus.known_to_fix(state)]
    waiting = waiting if known else [*asking.held_up(state), *waiting]
    costs = now.goal is Goal.PRICE and not (now.slots.part or now.slots.description)
    causes = costs or now.goal is Goal.DIAGNOSE
    if causes and ((likely := tools.suspects(runtime.context, now)).cards or likely.near):
        known.append(focus.suspected(state, likely, words, priced=costs))
        question = [] if costs else question
    question = [] if any(line.stuck for line in known) else question  # no model has such a part
    fits = tools.fits_if(runtime.context, now)
    known += [fit_if(*one, words) for one in fits if len(fits) < FEW]
    for file in now.machines[1:]:
        goals = {one.goal for one in waiting if one.case == file.number}
        if beside := _of_waiting(runtime.context, now, file, goals):
            known.append(beside)
            waiting = [one for one in waiting if one.case != file.number]
            question = [*question, replies.number_too(file, words)]
    strange = asked.kind == "confirm"  # an unknown number is mentioned before anything else
    first = [line for line in question if line.id.startswith("unknown:")]
    question = [line for line in question if line not in first]
    known += asking.first_checks(state)
    told = [*question, *known] if strange else [*first, *known, *question]
    if beside := asking.unknown_beside(state):
        told = [beside, *(one for one in told if one.id != "ask:model")]
    lines = [*noted(state), *told, *replies.queued(waiting, words)]
    return {"events": [*named, did.QuestionAsked(asked=asked)], "lines": lines}


def _of_waiting(
    context: Context[Catalog], now: State, file: did.CaseFile, goals: Collection[Goal]
) -> Line | None:
    """Tell what the catalog has for a machine that waits; `None` if that is nothing."""
    words, sought = voice(now.language), file.slots.description
    if Goal.DIAGNOSE in goals and (spread := tools.suspects(context, now, file)).cards:
        return weighing.suspected(spread, None, words, file)
    if sought and goals and (spread := tools.called_elsewhere(context, now, file)).cards:
        return weighing.elsewhere(sought.value, spread, file.brand, words)
    return None


def elsewhere(context: Context[Catalog], state: Draft) -> list[Line]:
    """List matching parts of other models, or say that there are none."""
    now, words = state.now, voice(state.now.language)
    found, name = tools.called_elsewhere(context, now), now.slots.description
    if name and found.strange and now.goal is Goal.FIND and not now.slots.model:
        return [weighing.nowhere(name.value, tools.kinds_of(context), words)]
    found = singled.of_spread(found, state.given.message, now.language)
    if focus.asks_of_price(state.given.message, now.language):
        found = found.model_copy(update={"cards": weighing.cheapest_first(found.cards)})
    doubted = now.slots.part and found.count > FEW  # a noun beside a number is too vague
    fresh = any(card.number not in state.before.focus for card in found.cards)
    if not name or not fresh or doubted:
        return []
    return [weighing.elsewhere(name.value, found, now.brand, words)]


async def execute_tool(state: Draft, runtime: PartsRuntime) -> Update:
    """Run the goal's tool; the router has made sure that all required slots are usable."""
    context, now = runtime.context, state.now
    if now.goal is None or isinstance(request := request_for(now.goal, now.slots), tuple):
        raise AssertionError("a goal or its slots are missing; the router sees to it")
    request = _with_words(request, state)
    result, words = found_by(context, request, state), voice(now.language)
    if isinstance(request, Find) and (asked := of_other_machine(context, state, request, result)):
        return {"events": asked}
    if isinstance(request, Find) and now.goal is not Goal.FIND:
        return await subject_settled(context, state, request, result)
    before = [event for event in state.events if isinstance(event, did.ToolReturned)]
    answered = {card.number for event in before for card in event.cards}
    again = now.how == "instead" and {card.number for card in result.cards} <= answered
    adds = bool(before) and (again or now.how != "instead")
    ranks = now.goal in SEARCHES and len(result.cards) > 1
    returned = returned_as(request, now.goal, result, adds=adds)
    returned = returned.model_copy(update={"how": now.how, "ranks": ranks})
    returned = returned.model_copy(update={"lead": findings.leads(state, returned)})
    told = {fact.id for fact in state.lines}
    others = tools.listed_instead(context, returned)
    found = [] if again else findings.told_as(state, request, returned, words)
    if now.goal is Goal.PRICE:
        found = quantities.prices(state, returned, found, await said_before(context))
    found += quantities.found_total(state, returned, await said_before(context))
    if isinstance(request, Find) and not returned.cards:
        beside = asked_beside(context, state)
        found += beside or look_elsewhere(context, request.model.value, words)
    found += findings.reckoned(state, returned.cards, words)
    offered = findings.fit_offered(now, returned.cards)
    found += [] if offered and tools.unlisted(context, returned.cards) else offered
    new = [fact for fact in found if fact.id not in told]
    if any(fact.block for fact in found) and not any(fact.block for fact in new):
        new = []  # an opening without its list
    counted = [did.Wanted(part=card.number, count=now.count) for card in returned.cards]
    counted = counted if now.count and len(counted) == 1 else []
    events = [returned, *counted, *others]
    # A question to the customer comes last.
    told_now = sorted([*new, *asking.first_checks(state)], key=lambda one: one.id == "ask:more")
    lines = [*noted(state, answering=True), *told_now]
    return {"events": events, "lines": lines}


def of_other_machine(
    context: Context[Catalog], state: Draft, request: Find, result: tools.Result
) -> list[Event]:
    """Ask of another machine of the customer what this one has no part for."""
    asked = Question(goal=state.now.goal or Goal.FIND, description=request.description)
    missing = did.SubjectMissing(name=request.description.value, model=request.model.value)
    told = state.now.goal is Goal.FIND or "other" in focus.ways(
        state
    )  # a list says for which model
    told = told and request.model.value.casefold() not in state.given.message.casefold()
    for file in state.now.others if told and not findings.called_so(request, result.cards) else ():
        if isinstance(model := file.slots.model, VerifiedModel):
            there = request.model_copy(update={"model": model})
            if findings.called_so(there, found_by(context, there, state).cards):
                asked = asked.model_copy(update={"case": file.number})
                return [missing, did.QuestionRaised(question=asked)]
    return []


def asked_beside(context: Context[Catalog], state: Draft) -> list[Line]:
    """Say what the catalog tells of a thing that may come with the part in sight: "screws?"."""
    parts, words = focus.goes_with(state), voice(state.now.language)
    quote = state.given.message.strip(" ?")
    return [replies.untold(parts, quote, tools.contact(context), words)] if parts else []


async def subject_settled(
    context: Context[Catalog], state: Draft, request: Find, result: tools.Result
) -> Update:
    """Settle by a search which part a question is about, or say that there is none."""
    now, words = state.now, voice(state.now.language)
    message = state.given.message
    cards = singled.of_described(result.cards, request.description, message, now.language)
    result = result.model_copy(update={"cards": cards})
    event = findings.subject_found(request, cards)
    said = await said_before(context)
    if each := findings.each_meant(state, request.description, event):
        return {"events": each, "lines": noted(state, answering=True)}
    if (known := findings.spoken_of(state, request, event, said)) is not None:
        event = known
    elif isinstance(event, did.SubjectMissing) and not findings.is_named(
        request.description, message
    ):
        return not_a_part(context, state, event)
    if not findings.sure_of(event, cards) and now.goal in (*CARD_GOALS, Goal.CHECK):
        adds = any(isinstance(event, did.ToolReturned) for event in state.events)
        returned = returned_as(request, Goal.FIND, result, adds=adds)
        return findings.shown_instead(state, request, returned)
    facts = noted(state, answering=True)
    if isinstance(event, did.SubjectMissing):
        facts.append(replies.not_found(event.name, event.model, words))
        facts += quantities.total(state, quantities.priced(state), await said_before(context))
    elif isinstance(event.slot, VerifiedPart) and not findings.called_so(request, cards):
        taken = replies.taken_for(request.description.value, event.slot, words)
        facts += [] if any(line.id == taken.id for line in state.lines) else [taken]
    return {"events": [event], "lines": facts}


def not_a_part(context: Context[Catalog], state: Draft, event: did.SubjectMissing) -> Update:
    """Say that a clause was not understood whose words name no part, and what can be asked."""
    words = voice(state.now.language)
    quote = clause_around(state.given.message, event.name)
    reach = replies.reached(tools.contact(context), words)
    told = [replies.told("noted:unread", "unread", words, quote=quote, contact=reach)]
    return {"events": [event], "lines": [*noted(state, answering=True), *told]}


def found_by(context: Context[Catalog], request: Request, state: Draft) -> tools.Result:
    """Run a request; causes tried already are dropped."""
    slots, language = state.now.slots, state.now.language
    result = tools.with_fixes(run_tool(context, request), slots)
    if isinstance(request, Diagnose):
        left = tools.untried(result.cards, slots, language) or result.cards
        kept = findings.cheaper(state, findings.foremost(state, left))
        count = int(result.explanation or 0) - len(result.cards) + len(left)
        count = count if len(kept) == len(left) else len(kept)
        result = result.model_copy(update={"cards": kept, "explanation": str(count)})
    return result


def look_elsewhere(context: Context[Catalog], model: str, words: Voice) -> list[Line]:
    """Suggest how to go on if nothing was found: other words or, for few parts, the shop."""
    listed = tools.shelf_of(context, model)
    if 0 < len(listed) <= FEW:
        return [replies.little(model, listed, tools.contact(context), words)]
    return [replies.aside("in_other_words", words)]


def _with_words(request: Request, state: Draft) -> Request:
    """Add to a search whether the price decides, and the parts and places of a complaint."""
    if isinstance(request, Find | Diagnose):  # "the cheapest bracket you have"
        request = request.model_copy(update={"by_price": findings.by_price(state)})
    if not isinstance(request, Diagnose):
        return request
    told = [*(s.evidence.text for s in request.symptoms), *state.now.slots.complaints]
    said, language = " ".join([*told, state.given.message]), state.now.language
    nouns = [term for noun in parts_named(said, language) for term in noun.terms]
    words = [*nouns, *qualifiers(said, language), *parts_at(said, language)]
    not_meant = (w.text for w in read_words(said) if excluded(said, w.start, language))
    out = {term for word in not_meant for term in qualifiers(word, language)}
    return request.model_copy(update={"said": tuple(word for word in words if word not in out)})


async def said_before(context: Context[Catalog]) -> list[str]:
    """Get everything that the customer wrote in earlier turns."""
    return [line.text for line in await context.history(last=ALL) if line.role == "user"]


def run_tool(context: Context[Catalog], request: Request) -> tools.Result:
    """Query the catalog, recording the answer and showing readers which tool runs."""
    args = tools.arguments(request)
    context.publish("tool", {"tool": request.tool, "args": args})
    with tool_span(request.tool):
        return context.outside(
            f"tool.{request.tool}",
            dict(args),
            lambda: tools.run(request, context.world),
            tools.Result,
        )


def returned_as(
    request: Request, goal: Goal, result: tools.Result, *, adds: bool
) -> did.ToolReturned:
    """Make the event of a tool's result; `adds` says that it is not the first of its turn."""
    told = {"tool": request.tool, "goal": goal, "args": tools.arguments(request), "adds": adds}
    return did.ToolReturned.model_validate({**told, **dict(result)})


async def safety_stop(state: Draft, runtime: PartsRuntime) -> Update:
    """Say what to do about a danger before anything else; of parts, only what is asked beside it.

    That is a fit, for a model that tells a price as well; everything else is put off in words.
    """
    hazards = [event.hazard for event in state.events if isinstance(event, did.SafetyStopped)]
    context, now, words = runtime.context, state.now, voice(state.now.language)
    told = [replies.safety(hazard, words) for hazard in dict.fromkeys(hazards)]
    events = list[Event]()
    while due := taking.due_below_warning(now, priced=state.led):
        taken, goal, request = due
        returned = returned_as(request, goal, run_tool(context, request), adds=bool(events))
        events += [taken, returned]
        now = now.apply(taken).apply(returned)
        told += replies.results(returned, words)
    if not state.led and dangers.of_another(state):
        told += _of_the_shop(context, state, "carried", raised=True)
    elif not state.led and any(one.goal is not Goal.DIAGNOSE for one in now.queue):
        told.append(replies.told("safety:after", "danger_first", words))
    return {"events": events, "lines": told}


async def hand_over(state: Draft, runtime: PartsRuntime) -> Update:
    """Hand slots, transcript and reason to a person, or say how to reach the shop."""
    context, now = runtime.context, state.now
    words, world = voice(now.language), context.world
    known = passing.passed_on(now, words)
    lines = [*await context.history(last=20), Message(role="user", text=state.given.message)]
    body: Json = {
        "session": context.session,
        "reason": now.goal.value if now.goal else "asked for a person",
        "summary": known,
        "slots": now.slots.model_dump(mode="json"),
        "transcript": [{"role": line.role, "text": line.text} for line in lines],
    }
    key = f"{context.session}-{context.number}"

    def passed() -> bool:
        if not world.shop.hands_over:
            return False
        world.outbox.put(key, body)
        world.outbox.deliver_soon()
        return True

    if context.outside("shop.hand_over", key, passed, bool):
        return {"lines": [replies.answered("hand_over", words.say("hand_over", what=known))]}
    told = [passing.no_hand_over(known, tools.contact(context), words)]
    if any(told[0].says in line.text for line in lines):
        told = [replies.aside("bot", words, tools.contact(context))]  # not the same again
    topics = [event.topic for event in state.events if isinstance(event, did.Answered)]
    return {"lines": [*(replies.aside(topic, words) for topic in topics), *told]}


async def decline(state: Draft, runtime: PartsRuntime) -> Update:
    """Say what this assistant is for; an open question stays open but is not repeated."""
    words, context = voice(state.now.language), runtime.context
    reasons = [event.reason for event in state.events if isinstance(event, did.Declined)]
    if not reasons or not reasons[0].startswith(OTHER_MACHINE):
        return {"lines": [replies.aside("declined", words)]}
    machine = reasons[0].removeprefix(OTHER_MACHINE)
    return {"lines": [replies.other_machine(machine, tools.kinds_of(context), words)]}


async def answer_aside(state: Draft, runtime: PartsRuntime) -> Update:
    """Answer a side question, then return to the open one."""
    topics = [event.topic for event in state.events if isinstance(event, did.Answered)]
    context = runtime.context
    if unclear := [event for event in state.events if isinstance(event, did.Unclear)]:
        return cleared_up(context, state, unclear[0])
    raised, words = state.goes_on, voice(state.now.language)
    facts = noted(state, answering=raised)
    if {*topics} == {"repeat"}:
        if back := focus.recalled(state, words):
            return {"lines": back}
        lines = await context.history(last=1)
        last = lines[-1].text if lines else words.say("nothing_said")
        return {"lines": [*facts, replies.answered("repeat", last)]}
    said_else = {"repeat", dangers.CAUTION, *(["order_status"] if "change_order" in topics else [])}
    for topic in [one for one in topics if one not in said_else] or ["anything_else"]:
        if topic == "order_status":
            facts.append(await order_told(context, state))
        elif topic in ("carried", "complaint"):  # "do you do dryers? mine squeals"
            facts = [*_aside(context, state, topic, raised=raised), *facts]
        else:
            facts += _aside(context, state, topic, raised=raised)
    if {*topics} == {"greeting"} and state.now.goal is None and not raised:
        asked = did.QuestionAsked(asked=asking.goal_asked(words))
        return {"events": [asked], "lines": [*facts, *replies.ask_goal(words)]}
    away = "model" in state.now.skipped and state.now.missing[:1] == ("model",)
    quiet = raised or away or bool(_LIGHT & set(topics))
    said = {fact.says for fact in facts}
    waits = [] if quiet else [line for line in asking.still_open(state) if line.says not in said]
    return {"lines": [*facts, *waits]}


def cleared_up(context: Context[Catalog], state: Draft, unclear: did.Unclear) -> Update:
    """Ask which of the likely meanings is right, or admit that the message was not understood."""
    words = voice(state.now.language)
    named = (replies.option_named(label, words) for label in unclear.perhaps)
    options = tuple(dict.fromkeys(filter(None, named)))
    strange = "" if unclear.tells else unknown_thing(state.given.message, state.now.language)
    if strange and not (state.before.focus or state.before.asked):
        return {"lines": [weighing.nowhere(strange, tools.kinds_of(context), words)]}
    if options:
        options = (*options, words.say("none_of_these"))
        asked = did.QuestionAsked(asked=Asked(kind="meant", options=options))
        return {"events": [asked], "lines": [replies.unclear(options, words)]}
    waiting = asking.still_open(state)
    if unclear.tells:
        long = len(read_words(state.given.message)) > _NODS
        detail = long and state.before.goal is Goal.DIAGNOSE and state.before.cards
        nod = "anything_else" if not long else "unclear_tells"
        told = replies.aside("detail" if detail else nod, words)
        return {"lines": waiting or [told]}
    reach = replies.reached(tools.contact(context), words)
    none = replies.told("unclear", "unclear_none", words, contact=reach)
    return {"lines": asked_beside(context, state) or [none, *waiting]}


def _aside(context: Context[Catalog], state: Draft, topic: str, *, raised: bool) -> list[Line]:
    """Answer a side question; `raised` says that the message asks something else too."""
    words, shown = voice(state.now.language), focus.pointed_at(state.before)
    if raised and findings.listed_now(state, topic):
        return []
    if topic in ("sure", "away") and (likely := tools.suspects(context, state.now)).cards:
        waits = [replies.aside("away", words)] if topic == "away" else []
        return [*waits, focus.suspected(state, likely, words)]
    others = tools.others_like(context, state, topic)
    told = focus.told_of(state, topic, words, tools.contact(context))
    alike = [one for one in others if one.id != "others:model"]
    told = [] if alike and focus.wants_cheaper(state, topic) else told
    if told or others:
        return [*told, *others]
    match topic:
        case "where_is_the_number":
            places = map(replies.where_number, focus.each_machine(state))
            return [*replies.unrepeated([*places]), replies.aside("where_send", words)]
        case "compare":
            if raised:
                return []  # what is named is compared when it is found
            by_price = focus.asks_of_price(state.given.message, state.now.language)
            return apart.compared(shown, words, by=["price"], only=by_price)
        case "by_price":
            asks = [] if raised else [replies.aside("which_part", words)]  # found ones are sorted
            return weighing.by_price(shown, words) or asks
        case "quote" if raised:
            return []  # it is used once the part is found
        case "checks":
            return replies.free_checks(state.now, words) or [replies.aside(topic, words)]
    return _of_the_shop(context, state, topic, raised=raised)


def _of_the_shop(
    context: Context[Catalog], state: Draft, topic: str, *, raised: bool
) -> list[Line]:
    """Answer a side question about the shop, in the owner's words if there are any."""
    words = voice(state.now.language)
    if topic == "safe" and state.now.hazard:
        return [replies.told("aside:safe", "danger_no", words)]
    if topic == "no_address":
        return [replies.aside("no_address", words, tools.contact(context))]
    if topic == "carried":
        every = words.listed([words.label(kind) for kind in tools.kinds_of(context)])
        if not focus.names_machine(state):
            return [replies.told("aside:carried", "carried", words, kinds=every)]
        told = [replies.told("aside:carried", "carried_too", words, kinds=every)]
        kind, brand = state.now.appliance, state.now.brand
        sold = tools.assortment(context, kind).brands if kind else ()
        counted = [f"{name} {count}" for name, count in sorted(sold, key=lambda it: it[0] != brand)]
        if counted:
            says = words.say("sold", appliance=words.label(kind), brands=words.listed(counted))
            told.append(Line(id="aside:sold", says=says, found=True))
        return told
    own = context.outside("shop.says", topic, lambda: context.world.shop.says.get(topic, ""), str)
    bought = focus.to_buy(state) if topic == "payment" else []
    if bought and not (own or raised):
        return [replies.ordered_by(bought, words)]
    besides = replies.power_first(words) if topic == "tools" else []
    return [replies.aside(topic, words, tools.contact(context), own), *besides]


async def order_told(context: Context[Catalog], state: Draft) -> Line:
    """Report the status of an order, if the shop has a webhook for that."""
    words, orders = voice(state.now.language), context.world.shop.orders
    number = state.now.order
    hooked = context.outside("shop.orders", None, lambda: bool(orders.status), bool)
    if not hooked:
        return replies.order_unseen(number, tools.contact(context), words)
    if not number:
        return replies.aside("order_number", words)

    async def ask() -> str:
        return await asyncio.to_thread(order_status, orders, number)

    status = await context.outside_later("shop.order", number, ask, str)
    key = "order_is" if status else "order_unknown"
    told = words.say(key, number=number, status=status)
    return replies.answered(f"order:{number}", told)


def not_read(context: Context[Catalog], state: Draft) -> list[Line]:
    """Say which questions the policy has no answer to; a model that replies has read them."""
    words, settled = voice(state.now.language), any(isinstance(e, _SETTLED) for e in state.events)
    quote = "" if state.unread and beside.answers(state, state.unread) else state.unread
    if not (quote := quote or ("" if settled or state.led else beside.passed_over(state))):
        return []
    reach = replies.reached(tools.contact(context), words)
    key = "unread_of" if state.now.focus else "unread"
    return [replies.told("noted:unread", key, words, quote=quote, contact=reach)]


def person_offered(context: Context[Catalog], state: Draft) -> list[Line]:
    """Explain how to ask for a person if nothing else helps and somebody takes over."""
    stuck = any(line.stuck for line in state.lines)
    offered = replies.aside("person_offered", voice(state.now.language))
    return [offered] if stuck and tools.hands_over(context) else []


async def tell(state: Draft, runtime: PartsRuntime) -> Update:
    """Reply: a model tells what was found; verdicts, warnings and questions keep their wording."""
    context, message = runtime.context, state.given.message
    recent = await context.history(last=RECENT)
    lines = findings.told_together(state, quantities.beside_total(state, state.lines))
    lines = [*dangers.standing(state, recent), *lines, *dangers.cautioned(state)]
    if context.model("parts.tell") == "rules":
        own = [one.text for one in recent if one.role != "user"]
        lines += beside.told_too(state, lines, own)
    every = [*lines, *not_read(context, state), *person_offered(context, state)]
    returned = [event for event in state.events if isinstance(event, did.ToolReturned)]
    whole = lines = replies.unsaid(replies.unrepeated(every), recent)
    if state.picked or any(line.id == "repeat" for line in whole):
        # No model is asked, so none may matter: a replay knows only those that were.
        context.cites.extend(line.id for line in whole if line.found)
        reply = text(whole)
        context.say(reply)
        return {"reply": reply}
    if context.model("parts.tell") != "rules":
        told_before = [line.text for line in recent if line.role != "user"]
        unseen = asking.not_in_sight(asking.where_told(state, every), returned, told_before)
        lines = replies.unsaid(replies.unrepeated(unseen), recent)
    context.cites.extend(line.id for line in lines if line.found)
    before = state.before.cards
    if context.model("parts.tell") != "rules":
        back = [one for one in state.before.others if one.number == state.now.case]
        same = state.before.case == state.now.case  # a model just told is the one to check for
        seen = state.before.but(slots=state.now.slots) if same else state.before
        before = tools.cards_shown(context, (), seen, await last_reply(context), back)
    wanted = quantities.wanted(state.now, [*await said_before(context), message], led=state.led)
    background = tools.background(context, state.now)
    tables = tables_of(state.now, returned, lines, before, background, message, wanted.of)
    history = await context.history(last=HEARD)
    asked = " ".join([*(line.text for line in history if line.role == "user"), message])
    told = await tell_cited(
        context,
        "parts.tell",
        prompt=lambda: prompts.tell(
            message, citable(tables), own_lines(tables), history, state.now.language
        ),
        facts=tables,
        check=lambda: reader(tables, state.now, asked, before, wanted.all),
        otherwise=lambda: text(whole),
    )
    context.cites.extend(told.citations)
    # A question of the model's own is answered in words, not by the buttons of the menu.
    spoken = context.model("parts.tell") != "rules" and "?" in told.text
    asks = spoken and state.now.done and not state.now.asked
    events: list[Event] = [did.QuestionAsked(asked=Asked(kind="told"))] if asks else []
    return {"reply": told.text, "spans": told.spans, "events": events}
