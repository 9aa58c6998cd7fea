"""What happens at each station of a turn."""

from __future__ import annotations

from langgraph.runtime import Runtime

from ruleplay.agents.parts import prompts, tools
from ruleplay.agents.parts.adapters.catalog import Catalog
from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.cards import Card, card
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.ids import Lookup, candidates
from ruleplay.agents.parts.domain.slots import (
    DOES,
    MENU,
    UnconfirmedId,
    VerifiedPart,
    request_for,
)
from ruleplay.agents.parts.domain.understanding import Understood, understand
from ruleplay.agents.parts.policy import replies
from ruleplay.agents.parts.policy.claims import check
from ruleplay.agents.parts.policy.listening import Hearing, merge, quote_problems
from ruleplay.agents.parts.policy.resolve import resolve
from ruleplay.agents.parts.state import (
    Answered,
    Draft,
    GoalSet,
    HandedOver,
    QuestionAsked,
    SafetyStopped,
    ToolReturned,
    Update,
)
from ruleplay.foundation.claims import Fact
from ruleplay.foundation.context import Context, Prompt
from ruleplay.foundation.propose import propose
from ruleplay.foundation.prose.tell import tell as tell_through_gate
from ruleplay.foundation.tracing import tool_span

PartsRuntime = Runtime[Context[Catalog]]
ASK_GOAL = Asked(kind="goal", options=tuple(DOES[goal] for goal in MENU))


async def fill_slots(state: Draft, runtime: PartsRuntime) -> Update:
    """Read the message; what the catalog knows becomes slots, what it doubts becomes a question."""
    context, message = runtime.context, state.given.message
    heard = read(context, message, state)
    known: list[str] = []

    def prompt() -> Prompt:
        asked = context.outside(
            "catalog.symptoms", None, context.world.symptom_strings, tuple[str, ...]
        )
        known.extend(asked)
        return prompts.extract(message, state.before, known)

    proposed = await propose(
        context,
        "parts.extract",
        prompt=prompt,
        schema=Hearing,
        legal=lambda hearing: quote_problems(hearing, message, known),
        otherwise=Hearing,
    )
    events = resolve(state.before, merge(heard, proposed.value), context.number)
    return {"events": events}


def read(context: Context[Catalog], message: str, state: Draft) -> Understood:
    """Understand a message with what the catalog knows of the numbers in it."""
    proposed = candidates(message)
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
    return understand(
        message,
        proposed,
        looked_up,
        literal=literal,
        asked=state.before.asked,
        appliance=state.before.appliance,
    )


async def check_requirements(state: Draft, runtime: PartsRuntime) -> Update:
    """Take the next queued goal once the one before it is done."""
    now = state.now
    return {"events": [GoalSet(goal=now.queue[0])] if now.done and now.queue else []}


async def ask_goal(state: Draft, runtime: PartsRuntime) -> Update:
    """Ask what the customer wants, after reading back what was understood."""
    facts = [*noted(state), *replies.ask_goal()]
    return {"events": [QuestionAsked(asked=ASK_GOAL)], "facts": facts}


async def ask_info(state: Draft, runtime: PartsRuntime) -> Update:
    """Ask for what the goal still needs: a choice among real ids, or the missing slots."""
    asked, question = open_question(state)
    return {"events": [QuestionAsked(asked=asked)], "facts": [*noted(state), *question]}


def open_question(state: Draft) -> tuple[Asked, list[Fact]]:
    """Return what stands in the goal's way as a question, and how to read its answer."""
    now = state.now
    if now.goal is None:
        return ASK_GOAL, replies.ask_goal()
    question = replies.ask_info(now.goal, now.missing, now)
    slot = getattr(now.slots, now.missing[0], None)
    if isinstance(slot, UnconfirmedId) and slot.options:
        options = (*map(replies.label, slot.options), replies.NONE_OF_THESE)
        return Asked(kind="choice", options=options), question
    if isinstance(slot, UnconfirmedId):
        return Asked(kind="confirm"), question
    if now.missing[0] == "symptoms" and now.suspected:
        options = (*(slot.value for slot in now.suspected), replies.NONE_OF_THESE)
        return Asked(kind="symptoms", options=options), question
    return Asked(kind=now.missing[0]), question


async def execute_tool(state: Draft, runtime: PartsRuntime) -> Update:
    """Run the goal's tool; its request can only be built from slots that allow it."""
    context, now = runtime.context, state.now
    if now.goal is None:
        raise AssertionError("a tool runs only for a goal; the router sees to it")
    request = request_for(now.goal, now.slots)
    if isinstance(request, tuple):
        raise AssertionError(f"slots {request} are missing; the router sees to it")
    args = tools.arguments(request)
    context.publish("tool", {"tool": request.tool, "args": args})
    with tool_span(request.tool):
        result = context.outside(
            f"tool.{request.tool}",
            dict(args),
            lambda: tools.run(request, context.world),
            tools.Result,
        )
    returned = ToolReturned(tool=request.tool, goal=now.goal, args=args, **dict(result))
    told = {fact.id for fact in state.facts}
    new = [fact for fact in replies.results(returned) if fact.id not in told]
    return {"events": [returned], "facts": [*noted(state), *new]}


async def safety_stop(state: Draft, runtime: PartsRuntime) -> Update:
    """Say what to do about the danger before anything else."""
    hazards = [event.hazard for event in state.events if isinstance(event, SafetyStopped)]
    return {"facts": [replies.safety(hazard) for hazard in hazards]}


async def hand_over(state: Draft, runtime: PartsRuntime) -> Update:
    """Pass the filled slots to a person."""
    passed = [event for event in state.events if isinstance(event, HandedOver)]
    return {"facts": [replies.hand_over(event.slots, event.goal) for event in passed]}


async def decline(state: Draft, runtime: PartsRuntime) -> Update:
    """Say what this assistant is for; an open question stays open."""
    return {"facts": [replies.declined(), *still_open(state)]}


async def answer_aside(state: Draft, runtime: PartsRuntime) -> Update:
    """Answer a side question and come back to the open one."""
    topics = [event.topic for event in state.events if isinstance(event, Answered)]
    context = runtime.context
    facts = noted(state)
    for topic in topics or ["anything_else"]:
        match topic:
            case "repeat":
                lines = await context.history(last=1)
                facts.append(replies.repeated(lines[-1].text if lines else ""))
                return {"facts": facts}
            case "where_is_the_number":
                facts += [replies.where_number(state.now), replies.aside("send_it")]
            case "price":
                facts += prices(context, state)
            case _:
                facts.append(replies.aside(topic))
    if "greeting" in topics and state.now.goal is None:
        return {"events": [QuestionAsked(asked=ASK_GOAL)], "facts": [*facts, *replies.ask_goal()]}
    return {"facts": [*facts, *still_open(state)]}


def prices(context: Context[Catalog], state: Draft) -> list[Fact]:
    """Say what the part in question costs, or the parts just shown."""
    part, shown = state.now.slots.part, state.now.cards
    if not isinstance(part, VerifiedPart):
        return [replies.price_fact(card) for card in shown] or [replies.aside("no_part")]

    def look() -> tuple[Card, ...]:
        found = context.world.part(part.value)[:1]
        return tuple(card(match.part, model="", fit="") for match in found)

    cards = context.outside("catalog.part", part.value, look, tuple[Card, ...])
    return [replies.price_fact(card) for card in cards] or [replies.aside("no_part")]


def still_open(state: Draft) -> list[Fact]:
    """Repeat the question that an aside interrupted, if one is open."""
    now = state.now
    return open_question(state)[1] if now.asked and not now.done else []


def noted(state: Draft) -> list[Fact]:
    """Read back what this message added, once a turn."""
    return [] if state.facts else replies.read_back(state.before.slots, state.now.slots)


async def tell(state: Draft, runtime: PartsRuntime) -> Update:
    """Say the facts: a model may phrase findings; questions and warnings keep their words."""
    context, facts = runtime.context, state.facts
    context.cites.extend(fact.id for fact in facts if fact.claims)
    if not any(isinstance(event, ToolReturned) for event in state.events):
        reply = replies.text(facts)
        context.say(reply)
        return {"reply": reply}
    told = await tell_through_gate(
        context,
        "parts.tell",
        prompt=lambda: prompts.tell(state.given.message, facts),
        facts=facts,
        check=check(),
        otherwise=lambda: replies.text(facts),
    )
    return {"reply": told.text}
