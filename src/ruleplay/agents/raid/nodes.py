"""The two nodes of a turn: the agent, which requests tools or answers, and the tools.

With a model, the question goes to the model, which chooses what to look up. Without a model, or if
it produces nothing usable, the planner's tools and templates answer.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from ruleplay.agents.raid import prompts
from ruleplay.agents.raid.adapters.nights import Nights
from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.classes import signs_by_name
from ruleplay.agents.raid.domain.overview import Night, Overview, short_name
from ruleplay.agents.raid.domain.tool_result import ToolOutcome
from ruleplay.agents.raid.policy import printing, rested, rows, standing
from ruleplay.agents.raid.policy.answers import Answer, compose, spans_of
from ruleplay.agents.raid.policy.looks import (
    BadLook,
    Look,
    look_tool,
    looks_of,
    narrowing,
    resolved,
)
from ruleplay.agents.raid.policy.lookups import Plan
from ruleplay.agents.raid.policy.plan import make_plan, told_again
from ruleplay.agents.raid.state import (
    Answered,
    Calls,
    Draft,
    Elsewhere,
    Shown,
    ToolCalled,
    ToolReturned,
    Update,
)
from ruleplay.agents.raid.tools.registry import TOOLS, run_tool
from ruleplay.errors import UserError
from ruleplay.kernel.context import Context
from ruleplay.kernel.converse import CALLS_PER_STEP, Step, converse
from ruleplay.kernel.graph import Runtime
from ruleplay.kernel.tracing import tool_span
from ruleplay.records.events import Json
from ruleplay.telling.citing import Reader
from ruleplay.telling.sentences import bounded
from ruleplay.telling.speech import Told
from ruleplay.telling.table import Table

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

RaidRuntime = Runtime[Context[Nights]]
ROLE = "raid.agent"
LONG = 500
"""Length in characters from which parsing a question takes noticeable time."""
MODEL_CALLS = 12
"""Maximum number of model calls per turn; the last has no tools, which forces an answer."""
NAMED, GROUP = 4, 40
"""Number of players that a conversation remembers by name, and of a class asked about."""
HISTORY = 6
"""Number of lines of the conversation that the model reads."""
PROMPT, SMALLEST = 20_000, 9_000
"""Characters of a prompt, including tools and rows: if the model's context size is unknown (and
at most), and at least."""
A_TOKEN, ANSWER = 2.5, 1_500
"""Characters per token of tabular text, and tokens of the context reserved for the answer."""
MARGIN = 1_000
"""Characters of a prompt that results must leave free."""
LEAST_ROOM = 1_500
"""Minimum characters of rows per turn, however little room is left."""
SPARE = 300
"""Characters reserved for what joins the parts of a prompt."""
ELSEWHERE = 4
"""Maximum number of other reports that a prompt lists, with their bosses."""


async def think_or_answer(state: Draft, runtime: RaidRuntime) -> Update:
    """Let the model look or answer; the planner steps in without a model, or if it fails."""
    context = runtime.context
    overview = state.overview or await survey(context, state)
    plan = await _plan(state, overview)
    known: Update = {"overview": overview, "plan": plan}
    size = state.size or _size(context)
    by_model = context.model(ROLE) != "rules" and not state.given_up
    if not by_model:
        return known | await _without_model(state, context, overview, plan)
    if not state.room:
        known["elsewhere"] = state.elsewhere or await _elsewhere(context, overview)
        state = replace(state, elsewhere=known["elsewhere"], overview=overview, size=size)
        known["size"] = size
        known["room"] = await _room(state, context, plan)
        state = replace(state, room=known["room"])
    return known | await _ask(state, context, overview, plan)


async def _plan(state: Draft, overview: Overview) -> Plan:
    """Make the turn's plan, or take the one made before."""
    if isinstance(state.plan, Plan):
        return state.plan
    asked = (state.given.message, overview, state.before)
    # Long messages are parsed in a thread, so that other requests are served meanwhile; for short
    # ones a thread would take longer than the parsing.
    long = len(state.given.message) > LONG
    return await asyncio.to_thread(make_plan, *asked) if long else make_plan(*asked)


def _size(context: Context[Nights]) -> int:
    """Compute the maximum prompt size in characters from the model's context size."""
    tokens = context.outside("raid.context", ROLE, lambda: context.models.context_tokens(ROLE), int)
    wide = int((tokens - ANSWER) * A_TOKEN)
    return min(max(SMALLEST, wide), PROMPT) if tokens else PROMPT


async def survey(context: Context[Nights], state: Draft) -> Overview:
    """Collect what can be asked about: the reports, and the night in question."""
    message, code = state.given.message, state.before.report

    def ask() -> Overview:
        return context.world.overview(message, code)

    asked: Json = {"message": message, "report": code}
    return await context.outside_later(
        "raid.overview", asked, partial(asyncio.to_thread, ask), Overview
    )


async def _elsewhere(context: Context[Nights], overview: Overview) -> tuple[Elsewhere, ...]:
    """List the newest other reports with their bosses, so that they can be asked about by name."""
    focus = overview.night.code if overview.night else ""
    others = [one for one in overview.reports if one.code != focus][:ELSEWHERE]

    def ask(code: str, title: str) -> Elsewhere:
        try:
            return Elsewhere(code=code, title=title, bosses=context.world.night(code).bosses)
        except UserError:
            return Elsewhere(code=code, title=title)

    found = [
        context.outside_later(
            "raid.bosses",
            {"report": one.code},
            partial(asyncio.to_thread, ask, one.code, one.title),
            Elsewhere,
        )
        for one in others
    ]
    return tuple(await asyncio.gather(*found))


def _planned(plan: Plan) -> Calls:
    """Wrap the plan's calls in a message."""
    wanted = {_same(one.tool, one.args): one for one in plan.wanted_calls}.values()
    return Calls(tuple(_call(x.tool, x.args, f"plan-{n}") for n, x in enumerate(wanted, 1)))


def _call(name: str, args: Json, id_: str) -> Json:
    return {"name": name, "args": args, "id": id_, "type": "tool_call"}


# Without a model


async def _without_model(
    state: Draft, context: Context[Nights], overview: Overview, plan: Plan
) -> Update:
    """Run the calls that the plan still lacks, then answer from the results."""
    results, planned = _results(state), _keys(plan, overview)
    if planned - {_same(one.tool, one.args) for one in results}:
        return {"messages": [_planned(plan)]}
    own = [one for one in results if _same(one.tool, one.args) in planned]
    answer = compose(plan, overview, own or results)
    if plan.calls and not plan.also and await _repeats(context, state.given.message, answer.text):
        answer = replace(answer, text=told_again(plan, answer.text))
    step = _told_by_rules(state, plan, answer, own or results)
    if context.model(ROLE) != "rules":
        context.say(step.told.text if step.told else "")
    else:
        # The same entry point as a model's, so that the call is recorded.
        step = await converse(
            context,
            ROLE,
            messages=list,
            tools=(),
            facts=(),
            check=lambda: Reader(()),
            otherwise=lambda: step,
        )
    return _answered(context, plan, step, answer, looked=own or results)


def _told_by_rules(
    state: Draft, plan: Plan, answer: Answer, results: Sequence[ToolReturned]
) -> Step:
    """Convert an answer by rules to spans, with the results' names as sources of its lines."""
    night = state.overview.night if state.overview else None
    tables = reversed(rows.tables_of(results, night, _asked(state, plan)))
    spans = spans_of(answer.text, {rows.result_of(one.id): one.name for one in tables})
    text = "".join(span.text for span in spans)
    return Step(told=Told(text, "policy", answer.results, spans=spans))


async def _repeats(context: Context[Nights], message: str, text: str) -> bool:
    """Whether an answer equals the previous one, to other words than those."""
    before = await context.history(last=2)
    shown = "".join(span.text for span in spans_of(text, {}))
    said = bool(before) and before[-1].text == prompts.remembered(shown, by_model=False)
    return said and not (len(before) > 1 and before[0].text == message)


def _keys(plan: Plan, overview: Overview) -> set[str]:
    """Compute keys of the plan's calls; equal calls have equal keys."""
    calls = ((one.tool, _in_focus(one.tool, one.args, overview)) for one in plan.wanted_calls)
    return {_same(tool, args) for tool, args in calls}


def _results(state: Draft) -> list[ToolReturned]:
    return [event for event in state.events if isinstance(event, ToolReturned)]


# With a model


async def _ask(
    state: Draft,
    context: Context[Nights],
    overview: Overview,
    plan: Plan,
) -> Update:
    """Ask the model, which looks or answers with citations; otherwise the policy takes over."""
    tables = rows.tables_of(state.looked, overview.night, _asked(state, plan))
    history = await _history(context)
    last = state.asked + 1 >= MODEL_CALLS
    ready = partial(_by_policy, state, overview, plan)
    step = await converse(
        context,
        ROLE,
        messages=lambda: _messages(state, overview, plan, history, last=last),
        tools=() if last or overview.night is None else (look_tool(),),
        facts=tables,
        check=lambda: _reader(tables, overview, state, plan),
        otherwise=ready,
    )
    if step.told is None:
        if (step.wanted or step.refused) and not last:
            return {"messages": _wanted(step, overview.night), "asked": state.asked + 1}
        return {"messages": [_planned(plan)], "given_up": True}
    if step.told.source != "model":
        return _answered(context, plan, step, compose(plan, overview, _results(state)))
    findings = rested.findings_of(step.told.spans, tables, state.looked)
    told = _in_tongue(step.told, plan.heard.language)
    answer = Answer(told.text, findings, _cited(told))
    update = _answered(context, plan, replace(step, told=told), answer, state)
    read = (*_standing(overview, state, plan), *tables)
    kept = {
        "again": rested.computed(step.told.spans, read, state.looked),
        "cited": rested.kept_rows(step.told.spans, read),
    }
    return update | {"events": [one.model_copy(update=kept) for one in update["events"]]}


def _in_tongue(told: Told, language: str) -> Told:
    """Reformat an answer's numbers for its language; results use English notation."""
    spans = tuple(
        span.model_copy(update={"text": french.numbers(span.text, language)}) for span in told.spans
    )
    return replace(told, text="".join(span.text for span in spans), spans=spans) if spans else told


def _by_policy(state: Draft, overview: Overview, plan: Plan) -> Step:
    """Answer by policy; an empty step until its tools have all run."""
    results = _results(state)
    if _keys(plan, overview) - {_same(one.tool, one.args) for one in results}:
        return Step()
    return _told_by_rules(state, plan, compose(plan, overview, results), results)


def _reader(tables: Sequence[Table], overview: Overview, state: Draft, plan: Plan) -> Reader:
    bosses = [boss for other in state.elsewhere for boss in other.bosses]
    question, known = plan.question, _standing(overview, state, plan)
    owner = overview.night.owner if overview.night else ""
    people = map(short_name, filter(None, (*question.players, owner)))
    about = (state.given.message, *people, *question.bosses)
    return Reader(
        (*known, *tables),
        standing.names_of(overview, bosses),
        vocabulary(),
        plan.heard.language or "en",
        about=" ".join((*about, *(f"pull {fight}" for fight in plan.fights))),
    )


def _standing(overview: Overview, state: Draft, plan: Plan) -> tuple[Table, ...]:
    """Build the tables in every prompt: pulls, people, and the last answer's evidence.

    For a long night, they cover the pulls asked about and their participants.
    """
    night = overview.night
    if night is None:
        return ()
    meant = plan.question.subject.pulls
    fights = (*plan.fights, *(meant if len(meant) < len(night.pulls) else ()))
    told = rested.told_tables(state.before.cited, state.before.told)
    people = standing.people_table(night, fights, plan.question.players)
    visits = standing.visits_table(night, fights)
    pulls = standing.overview_table(night, fights)
    return tuple(one for one in (pulls, visits, people, *told) if one)


@cache
def vocabulary() -> tuple[str, ...]:
    """List capitalised words of the game that are no player names: classes, specs, spells."""
    signs = signs_by_name()
    callings = (word for sign in signs.values() for word in (sign.class_, sign.spec))
    return tuple(dict.fromkeys((*signs, *callings)))


async def _history(context: Context[Nights]) -> list[BaseMessage]:
    """Get the conversation so far, only the last answer at length, without earlier turns' rows."""
    from langchain_core.messages import AIMessage, HumanMessage  # loads slowly

    lines = await context.history(last=HISTORY)
    if not lines:
        return []
    return [
        (HumanMessage if line.role == "user" else AIMessage)(bounded(line.text, most))
        for line, most in zip(lines, (*[prompts.SAID] * (len(lines) - 1), prompts.OWN), strict=True)
    ]


async def _room(state: Draft, context: Context[Nights], plan: Plan) -> int:
    """Compute how many characters of rows this turn's prompt has room for."""
    history = await _history(context)
    asked = _messages(state, state.overview or Overview(), plan, history, last=False)
    frame = sum(len(message.text) for message in asked) + _tools_size()
    return max(LEAST_ROOM, state.size - MARGIN - frame - SPARE)


def _messages(
    state: Draft,
    overview: Overview,
    plan: Plan,
    history: Sequence[BaseMessage],
    *,
    last: bool,
) -> list[BaseMessage]:
    """Build the prompt; in the last call, which has no tools, results precede the question."""
    from langchain_core.messages import HumanMessage, SystemMessage  # loads slowly

    frame = [SystemMessage(prompts.SYSTEM), *history]
    known = "\n\n".join(table.prompt() for table in _standing(overview, state, plan))

    def asked(results: Sequence[Calls | Shown]) -> HumanMessage:
        texts = (message.text for message in results if isinstance(message, Shown))
        told = "\n\n".join(filter(None, texts))
        note = prompts.LAST if last else prompts.left(MODEL_CALLS - 1, state.room)
        return HumanMessage(
            prompts.question(state.given.message, overview, known, state.elsewhere, told, note)
        )

    room = state.size - sum(len(m.text) for m in (*frame, asked(()))) - _tools_size() - SPARE
    shown = _fitted([m for m in state.messages if not last or isinstance(m, Shown)], room)
    return [*frame, asked(shown)] if last else [*frame, asked(()), *map(_message, shown)]


def _message(one: Calls | Shown) -> BaseMessage:
    from langchain_core.messages import AIMessage, ToolMessage  # loads slowly

    if isinstance(one, Shown):
        return ToolMessage(one.text, tool_call_id=one.call, name=one.name)
    return AIMessage("", tool_calls=[*one.calls])


def _fitted(messages: Sequence[Calls | Shown], room: int) -> list[Calls | Shown]:
    """Shorten as many of the older results as the room requires."""
    shown = list(messages)
    for place, message in enumerate(messages):
        over = sum(map(_length, shown)) - room
        if over <= 0:
            break
        if isinstance(message, Shown):
            shown[place] = replace(message, text=printing.shortened(message.text))
    for place, message in enumerate(shown):
        over = sum(map(_length, shown)) - room
        if over > 0 and isinstance(message, Shown):
            text = message.text[: max(0, len(message.text) - over - 4)]
            shown[place] = replace(message, text=f"{text} …")
    return shown


def _length(message: Calls | Shown) -> int:
    """Count the characters of a result's text, or of the calls."""
    return len(message.text) if isinstance(message, Shown) else len(str([*message.calls]))


@cache
def _tools_size() -> int:
    return len(json.dumps(look_tool().spec))


def _wanted(step: Step, night: Night | None) -> list[Calls | Shown]:
    """Extract the model's calls, and the reasons for which some were refused.

    If all were refused, the reasons are returned as a result of their own, so that the loop
    continues.
    """
    members, whole = (night.members, not night.pulls) if night else ((), False)
    calls: list[Json] = []
    looks: dict[str, tuple[str, Json, int, tuple[str, ...]]] = {}
    reasons: dict[str, str] = {}
    for place, one in enumerate(step.wanted[:CALLS_PER_STEP]):
        ident = one.id or f"call-{place}"
        asked = one.arguments if isinstance(one.arguments, Look) else Look(tool="")
        try:
            each = looks_of(asked, members)
            made = [(*resolved(look, whole=whole), look.page, narrowing(look)) for look in each]
        except BadLook as bad:
            each, made, reasons[ident] = (asked,), [], str(bad)
        idents = [ident, *(f"{ident}-{number}" for number in range(1, len(each)))]
        for look, own in zip(each, idents, strict=True):
            args = look.model_dump(mode="json", by_alias=True, exclude_defaults=True)
            calls.append(_call(one.tool, args, own))
        looks |= dict(zip(idents, made, strict=False))
    for place, (call, why) in enumerate(step.refused):
        ident = f"refused-{place}"
        calls.append(_call(call.name[:80], {}, ident))
        reasons[ident] = why
    return [Calls(tuple(calls), looks, reasons)]


def _cited(told: Told) -> tuple[str, ...]:
    """List the results that an answer's tags refer to."""
    found = [rows.result_of(ref) for tag in told.citations for ref in re.findall(r"\br\d+", tag)]
    standing_ = (standing.OVERVIEW, standing.BEFORE, *standing.CITED)
    return tuple(dict.fromkeys(one for one in found if one not in standing_))


def _answered(
    context: Context[Nights],
    plan: Plan,
    step: Step,
    answer: Answer,
    state: Draft | None = None,
    looked: Sequence[ToolReturned] = (),
) -> Update:
    told = step.told
    if told is None:
        raise AssertionError("only an answer ends the loop")
    context.cites.extend(answer.results)
    people = plan.question.players
    asked = (one.question.abilities for one in (plan, *plan.also))
    spells = next(filter(None, asked), ())
    leaves = {
        "topics": plan.topics,
        "players": people or answer.about or _spoken_of(looked),
        "named": people,
        "group": people[:GROUP] if len(people) > NAMED else (),
        "person": plan.person,
        "me": plan.question.myself,
        "places": answer.places,
        "abilities": spells or answer.abilities,
        "led": bool(answer.abilities) and not spells,
        "also": tuple((one.heard.measure, one.heard.shape) for one in plan.also if not one.read_as),
        **({} if answer.fight is None else {"fight": answer.fight, "pulls": ()}),
    }
    event = Answered.model_validate(plan.leaves | leaves).model_copy(
        update={
            "source": told.source,
            "findings": answer.findings,
            "kept": told.source == "model" and bool(answer.findings),
        }
    )
    if state is not None:
        cited = [one for one in state.looked if one.result in answer.results]
        event = _refocused(event, cited)
    return {
        "events": [event],
        "reply": told.text,
        "spans": told.spans,
    }


def _spoken_of(looked: Sequence[ToolReturned]) -> tuple[str, ...]:
    """Find the one player that results are about; empty if there are several."""
    found = {str(row["player"]) for one in looked for row in one.rows if row.get("player")}
    return tuple(found) if len(found) == 1 else ()


def _refocused(event: Answered, cited: Sequence[ToolReturned]) -> Answered:
    """Adjust an answer's focus to what it cites, if the planner had assumed otherwise."""
    fights = {one.fight for one in cited}
    reports = {one.report for one in cited if one.report}
    changes: dict[str, object] = {}
    if cited and event.fight not in fights:
        changes["fight"] = rested.shared_fight(cited)
    if len(reports) == 1:
        changes["report"] = reports.pop()
    if not event.topics:
        tools = dict.fromkeys(one.tool.removeprefix("get_") for one in cited)
        changes["topics"] = tuple(tools)[:2]
    if not event.players:
        named = (str(one.args.get("player_name") or "") for one in cited)
        changes["players"] = tuple(dict.fromkeys(name for name in named if name))
    return event.model_copy(update=changes)


# Tools


@dataclass
class _Wish:
    """A requested call: for a page of rows, or refused with a reason."""

    id: str
    tool: str = ""
    args: Json = field(default_factory=dict)
    page: int = 1
    about: tuple[str, ...] = ()
    refused: str = ""

    @property
    def key(self) -> str:
        return _same(self.tool, self.args)


async def run_tools(state: Draft, runtime: RaidRuntime) -> Update:
    """Run the tools requested by the last message concurrently; their results can be cited."""
    context, overview = runtime.context, state.overview
    wishes = _wishes(state.messages[-1], overview)
    done = {_same(one.tool, one.args): one for one in state.looked}
    called: dict[str, ToolCalled] = {}
    for wish in wishes:
        if not wish.refused and wish.key not in done and wish.key not in called:
            result = f"r{len(done) + len(called) + 1}"
            called[wish.key] = ToolCalled(result=result, tool=wish.tool, args=wish.args)
    outcomes = await asyncio.gather(*(_run(context, one) for one in called.values()))
    found = list(zip(called.values(), outcomes, strict=True))
    looked = [ToolReturned.of(one, out).model_copy(update={"rows": out.rows}) for one, out in found]
    update: Update = {
        "events": [*called.values(), *(ToolReturned.of(one, out) for one, out in found)],
        "looked": looked,
        "messages": [Shown("", wish.id, wish.tool) for wish in wishes],
        "rounds": state.rounds + 1,
    }
    if context.model(ROLE) != "rules":
        update |= _printed(state, wishes, looked)
    return update


def _wishes(message: Calls | Shown, overview: Overview | None) -> list[_Wish]:
    asked = message if isinstance(message, Calls) else Calls()
    wishes = []
    for call in asked.calls:
        ident = str(call["id"])
        own = call["args"]
        made = (str(call["name"]), own if isinstance(own, dict) else {}, 1, ())
        tool, args, page, about = asked.looks.get(ident, made)
        args, why = _in_focus(tool, args, overview), asked.refused.get(ident, "")
        wishes.append(_Wish(ident, tool, args, page, tuple(about), why))
    return wishes


def _printed(state: Draft, wishes: Sequence[_Wish], new: Sequence[ToolReturned]) -> Update:
    """Print each call's result for the model, within the turn's remaining room."""
    overview = state.overview
    made = (state.given.message, overview or Overview(), state.before)
    plan = state.plan if isinstance(state.plan, Plan) else make_plan(*made)
    all_looked = [*state.looked, *new]
    tables = rows.tables_of(all_looked, overview.night if overview else None, _asked(state, plan))
    by_key = {_same(one.tool, one.args): one for one in all_looked}
    room = _left(state)
    pages, used = dict(state.pages), 0
    messages: list[Shown] = []
    whole = [len(_told(wish, by_key, tables, pages, PROMPT)[0]) for wish in wishes]
    for wish, share, size in zip(wishes, printing.shares(whole, room), whole, strict=True):
        # What a question turns on is often one row: the margin holds it where the room is spent.
        if size <= printing.BRIEF and used + size <= room + MARGIN // 2:
            share = printing.WHOLE
        text, begun = _told(wish, by_key, tables, pages, share)
        if text in {one.text for one in messages}:
            text = "(the same as above)"
        pages, used = pages | begun, used + len(text)
        messages.append(Shown(text, wish.id, wish.tool))
    if messages:
        said = _room_left(MODEL_CALLS - state.asked - 1, room - used, messages)
        last = messages[-1]
        messages[-1] = replace(last, text=f"{last.text}\n{said}")
    return {"messages": [*messages], "pages": pages}


def _room_left(steps: int, free: int, shown: Sequence[Shown]) -> str:
    """Say how much room is left, or would be once these results are shortened too."""
    saved = sum(len(one.text) - len(printing.shortened(one.text)) for one in shown)
    if free > printing.WIDE:
        return prompts.left(steps, free)
    if free + saved > printing.WIDE:
        return f"{prompts.left(steps, free + saved)}\n{printing.SHORT}"
    return printing.SPENT


def _left(state: Draft) -> int:
    """Compute the characters left for new results once older ones are shortened."""
    kept = (
        replace(one, text=printing.shortened(one.text)) if isinstance(one, Shown) else one
        for one in state.messages
    )
    return state.room - sum(map(_length, kept))


def _told(
    wish: _Wish,
    known: dict[str, ToolReturned],
    tables: Sequence[Table],
    pages: printing.Starts,
    room: int,
) -> tuple[str, dict[str, tuple[int, ...]]]:
    """Print a result; also returns where the pages of its tables begin."""
    if wish.refused:
        return wish.refused, {}
    returned = known[wish.key]
    if returned.problem and not returned.absent:
        # Without the result's number, which only what can be cited has.
        return returned.problem, {}
    own = _first_alike(tables, returned.result)
    if room < printing.NARROW:
        return f"[{returned.result}] {own[0].name}: {len(own[0].rows)} rows, not printed.", {}
    if wish.about:
        return printing.narrowed(own, wish.about, room), {}
    return printing.printed(own, room, pages, wish.page)


def _first_alike(tables: Sequence[Table], result: str) -> list[Table]:
    """Collect a result's tables, or those of the first result that says the same.

    The same is found by arguments that differ little, and its further pages follow the first's.
    """
    by_result: dict[str, list[Table]] = {}
    for table in tables:
        by_result.setdefault(rows.result_of(table.id), []).append(table)

    def said(found: Sequence[Table]) -> list[object]:
        return [(one.name, one.columns, one.rows) for one in found]

    own = said(by_result[result])
    return next(found for found in by_result.values() if said(found) == own)


def _asked(state: Draft, plan: Plan) -> rows.Asked:
    question = plan.question
    return rows.Asked(
        text=state.given.message,
        players=question.players,
        fights=question.fights,
        french=question.french,
        titles={other.code: other.title for other in state.elsewhere},
    )


def _same(tool: str, args: Json) -> str:
    return f"{tool} {json.dumps(args, sort_keys=True, ensure_ascii=False)}"


def _in_focus(tool: str, args: Json, overview: Overview | None) -> Json:
    """Add the report in focus to the arguments if the tool takes one and none was named."""
    report = overview.night.code if overview and overview.night else ""
    takes = next((t.arguments.model_fields for t in TOOLS if t.name == tool), {})
    needed = "report_code" in takes and not args.get("report_code") and report
    return {**args, "report_code": report} if needed else dict(args)


async def _run(context: Context[Nights], called: ToolCalled) -> ToolOutcome:
    """Run one tool in a thread; the outcome is recorded."""
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
