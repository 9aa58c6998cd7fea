"""The two stations of a turn: the agent, which wants tools or answers, and the tools."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import cache, partial

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.runtime import Runtime
from pydantic import JsonValue

from ruleplay.agents.raid import prompts
from ruleplay.agents.raid.adapters.nights import Nights
from ruleplay.agents.raid.domain.outcomes import ToolOutcome
from ruleplay.agents.raid.domain.overview import Overview
from ruleplay.agents.raid.policy.answers import Answer, compose
from ruleplay.agents.raid.policy.claims import Ledger, cite
from ruleplay.agents.raid.policy.facts import facts_of
from ruleplay.agents.raid.policy.plan import Plan, make_plan
from ruleplay.agents.raid.state import Answered, Draft, ToolCalled, ToolReturned, Update
from ruleplay.agents.raid.tools.registry import TOOLS, run_tool
from ruleplay.foundation.context import Context
from ruleplay.foundation.errors import UserError
from ruleplay.foundation.events import Json
from ruleplay.foundation.prose.converse import CALLS_PER_STEP, Step, Tool, Wanted, converse
from ruleplay.foundation.prose.tell import Told
from ruleplay.foundation.tracing import tool_span

RaidRuntime = Runtime[Context[Nights]]
ROLE = "raid.agent"
ROUNDS = 11
"""Rounds of tools at most: with the answer, 24 steps of the graph's 25."""
MODEL_CALLS = 6
"""Times a model is asked in one turn; then the policy answers from what is known."""
HISTORY = 6
"""Lines of the conversation that the model reads."""
MODEL_TOOLS = tuple(Tool(tool.name, tool.description, tool.arguments) for tool in TOOLS)


async def think_or_answer(state: Draft, runtime: RaidRuntime) -> Update:
    """Ask for tools, the usual ones of the question first, or answer from their results."""
    context = runtime.context
    overview = state.overview or await look(context, state)
    plan = make_plan(state.given.message, overview, state.before)
    if not state.rounds and plan.calls:
        return {"overview": overview, "messages": [_planned(plan)]}
    results = [event for event in state.events if isinstance(event, ToolReturned)]
    answer = cache(partial(compose, plan, overview, results))
    if context.model(ROLE) != "rules" and _may_go_on(state):
        return {"overview": overview, **await _ask(state, context, overview, plan, results, answer)}
    return {"overview": overview, **await _by_policy(context, plan, answer())}


async def look(context: Context[Nights], state: Draft) -> Overview:
    """Return what there is to ask about: the reports, and the night that is spoken of."""
    message, code = state.given.message, state.before.report

    def ask() -> Overview:
        return context.world.overview(message, code)

    asked: Json = {"message": message, "report": code}
    return await context.outside_later(
        "raid.overview", asked, partial(asyncio.to_thread, ask), Overview
    )


def _may_go_on(state: Draft) -> bool:
    """Whether the loop has room for another question to the model, and for what it asks for."""
    return state.rounds < ROUNDS and state.asked < MODEL_CALLS


def _planned(plan: Plan) -> AIMessage:
    calls = [
        {"name": one.tool, "args": one.args, "id": f"plan-{place}", "type": "tool_call"}
        for place, one in enumerate(plan.calls, 1)
    ]
    return AIMessage("", tool_calls=calls)


async def _by_policy(context: Context[Nights], plan: Plan, answer: Answer) -> Update:
    """Answer without a model, by the same way in, so that the call is on the record."""
    step = Step(told=Told(answer.text, "policy", answer.results))
    if context.model(ROLE) != "rules":
        context.say(answer.text)
        return _answered(context, plan, step, answer)
    step = await converse(
        context,
        ROLE,
        messages=list,
        tools=(),
        facts=(),
        check=Ledger.of((), None).check,
        otherwise=lambda: step,
    )
    return _answered(context, plan, step, answer)


async def _ask(
    state: Draft,
    context: Context[Nights],
    overview: Overview,
    plan: Plan,
    results: Sequence[ToolReturned],
    answer: Callable[[], Answer],
) -> Update:
    """Ask the model: it wants tools, or its answer passes the gate; `answer` is the policy's."""
    known = facts_of(results, overview.night, french=plan.question.french)
    ledger = Ledger.of(known, overview.night)
    history = await context.history(last=HISTORY)
    step = await converse(
        context,
        ROLE,
        messages=lambda: [
            SystemMessage(prompts.SYSTEM),
            *((HumanMessage if m.role == "user" else AIMessage)(m.text) for m in history),
            HumanMessage(prompts.question(state.given.message, overview, plan.fights, plan.asks)),
            *state.messages,
        ],
        tools=MODEL_TOOLS if overview.night else (),
        facts=ledger.facts,
        check=ledger.check,
        otherwise=lambda: Step(told=Told(answer().text, "policy", answer().results)),
        cite=cite,
    )
    if step.told is None:
        return {"messages": _wanted(state, step), "asked": state.asked + 1}
    if step.told.source != "model":
        return _answered(context, plan, step, answer())
    told = set(step.told.citations)
    findings = tuple(one.finding for one in known if one.fact.id in told)
    results_told = tuple(sorted({finding.result for finding in findings}))
    return _answered(context, plan, step, Answer(step.told.text, findings, results_told))


def _wanted(state: Draft, step: Step) -> list[BaseMessage]:
    """Return the model's calls, and why some of them were refused.

    Where all were refused, the reasons go back as a result of their own, so that the loop goes on.
    """
    calls = [
        {
            "name": one.tool,
            "args": _plain(one),
            "id": one.id or f"call-{place}",
            "type": "tool_call",
        }
        for place, one in enumerate(step.wanted[:CALLS_PER_STEP])
    ]
    refused = [
        {"name": call.name[:80], "args": {}, "id": f"refused-{place}", "type": "tool_call"}
        for place, (call, _) in enumerate(step.refused)
    ]
    reasons = {f"refused-{place}": why for place, (_, why) in enumerate(step.refused)}
    return [AIMessage("", tool_calls=[*calls, *refused], additional_kwargs={"refused": reasons})]


def _plain(wanted: Wanted) -> dict[str, JsonValue]:
    made: dict[str, JsonValue] = wanted.arguments.model_dump(mode="json", exclude_defaults=True)
    return made


def _answered(context: Context[Nights], plan: Plan, step: Step, answer: Answer) -> Update:
    told = step.told
    if told is None:
        raise AssertionError("only an answer ends the loop")
    context.cites.extend(answer.results)
    event = Answered(
        topics=plan.topics,
        report=plan.report,
        fight=plan.fights[-1] if plan.fights else None,
        players=plan.question.players,
        source=told.source,
        findings=answer.findings,
    )
    return {"events": [event], "reply": told.text, "messages": [AIMessage(told.text)]}


async def run_tools(state: Draft, runtime: RaidRuntime) -> Update:
    """Run the tools that the last message asks for, side by side; what they return is cited."""
    context, asked = runtime.context, state.messages[-1]
    calls = asked.tool_calls if isinstance(asked, AIMessage) else []
    refused = dict(asked.additional_kwargs.get("refused", {}))
    done = {_same(e.tool, e.args): e for e in state.events if isinstance(e, ToolReturned)}
    focus = state.overview.night.code if state.overview and state.overview.night else ""
    called: dict[str, ToolCalled] = {}
    for call in calls:
        args = _in_focus(call["name"], call["args"], focus)
        key = _same(call["name"], args)
        if str(call["id"]) not in refused and key not in done and key not in called:
            result = f"r{len(done) + len(called) + 1}"
            called[key] = ToolCalled(result=result, tool=call["name"], args=args)
    outcomes = await asyncio.gather(*(_run(context, one) for one in called.values()))
    returned = [
        ToolReturned.of(one, out) for one, out in zip(called.values(), outcomes, strict=True)
    ]
    known = done | dict(zip(called, returned, strict=True))
    messages: list[BaseMessage] = []
    for call in calls:
        ident, key = (
            str(call["id"]),
            _same(call["name"], _in_focus(call["name"], call["args"], focus)),
        )
        text = refused.get(ident) or prompts.result(known[key])
        messages.append(ToolMessage(text, tool_call_id=ident, name=call["name"]))
    return {
        "events": [*called.values(), *returned],
        "messages": messages,
        "rounds": state.rounds + 1,
    }


def _same(tool: str, args: Json) -> str:
    return f"{tool} {json.dumps(args, sort_keys=True, ensure_ascii=False)}"


def _in_focus(tool: str, args: Json, report: str) -> Json:
    """Return arguments with the report in focus where the tool takes one and none was named."""
    takes = next((t.arguments.model_fields for t in TOOLS if t.name == tool), {})
    needed = "report_code" in takes and not args.get("report_code") and report
    return {**args, "report_code": report} if needed else dict(args)


async def _run(context: Context[Nights], called: ToolCalled) -> ToolOutcome:
    """Run one tool in a thread; what it answers is on the record."""
    context.publish("tool", {"tool": called.tool, "args": called.args, "result": called.result})

    def ask() -> ToolOutcome:
        try:
            return run_tool(context.world.reports, called.tool, called.args)
        except UserError as error:
            return ToolOutcome(problem=str(error))

    with tool_span(called.tool):
        return await context.outside_later(
            f"tool.{called.tool}", called.args, partial(asyncio.to_thread, ask), ToolOutcome
        )
