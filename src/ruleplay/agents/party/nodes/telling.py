"""The station where a turn is told: in the voice of who acted, from the events, past the gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleplay.agents.party import prompts
from ruleplay.agents.party.domain import proceedings as p
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.safety import PASSED_OVER, Safety, spared, touched
from ruleplay.agents.party.domain.seats import DM, EVERYONE
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.nodes.acting import PartyRuntime
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.policy.table_phrases import SPOKE
from ruleplay.agents.party.policy.telling import Telling
from ruleplay.agents.party.policy.templates import rendered, told
from ruleplay.agents.party.policy.voices import words_of_a
from ruleplay.agents.party.state import Draft, Update
from ruleplay.foundation.claims import Check, Fact, Reading
from ruleplay.foundation.context import Prompt
from ruleplay.foundation.events import Event
from ruleplay.foundation.prose.tell import tell


async def tell_turn(state: Draft, runtime: PartyRuntime) -> Update:
    """Tell what happened: the adventure's words as they are, then the facts; asides to few."""
    context, before = runtime.context, state.before
    book = context.world.book(before.adventure, before.source)
    telling = tell_events(before.table, state.events, book)
    safety = agreed(telling.table, state.events)
    telling = sparing(telling, safety)
    voice = voice_of(state, telling)
    role = f"party.{voice}.voice" if voice else ""
    if role and context.model(role) != "rules" and wants_colour(state.events):
        reply = await by_voice(state, runtime, telling, voice, safety)
    else:
        quip = quip_of(state, context.number)
        blocks = (*telling.blocks, quip) if quip else telling.blocks
        spoken = rendered(blocks, telling.opening(context.number))
        reply = spared(spoken, safety, telling.lang)
        context.say(reply)
    for aside in telling.asides:
        context.say(aside.text, aside.audience)
    return {
        "reply": reply,
        "asides": telling.asides,
        "ground_truth_log": log_of(state, telling, reply),
    }


async def by_voice(
    state: Draft, runtime: PartyRuntime, telling: Telling, voice: str, safety: Safety
) -> str:
    """Return what a model made of the turn: the passages as they are, then its prose."""
    context = runtime.context
    opening = "\n\n".join(telling.passages)
    spoken = told(telling.facts, telling.opening(context.number))
    template = spared(spoken, safety, telling.lang)
    if opening:
        context.say(f"{opening}\n\n")
    said = await tell(
        context,
        f"party.{voice}.voice",
        prompt=lambda: voiced(voice, telling),
        facts=telling.facts,
        check=within(safety, context.world.check(state.before.table, telling.table, telling.book)),
        otherwise=lambda: template,
    )
    context.cites.extend(said.citations)
    return "\n\n".join(part for part in (opening, said.text) if part)


def agreed(table: Table, events: Sequence[Event]) -> Safety:
    """Return what this turn's words have to spare.

    What was agreed on is named where it is agreed, and where somebody is told that it was crossed.
    """
    agreeing = any(isinstance(event, p.SafetyAgreed) for event in events)
    crossing = any(isinstance(event, p.Refused) and event.reason == "line" for event in events)
    return Safety() if agreeing or crossing else table.safety


def sparing(telling: Telling, safety: Safety) -> Telling:
    """Return what is to be told without what the table has agreed not to hear."""
    lang = telling.lang
    blocks = [
        spared(block, safety, lang) if isinstance(block, str) else block
        for block in telling.blocks
        if isinstance(block, str) or not touched(block.says, safety)
    ]
    asides = [
        aside.model_copy(update={"text": spared(aside.text, safety, lang)})
        for aside in telling.asides
    ]
    left_out = telling.blocks and not blocks
    blocks = [PASSED_OVER.of(lang)] if left_out else blocks
    return replace(telling, blocks=blocks, asides=asides)


def within(safety: Safety, check: Check) -> Check:
    """Return a check that refuses what the table has agreed not to hear, true or not."""

    def checked(sentence: str, facts: Sequence[Fact]) -> Reading:
        found = check(sentence, facts)
        if not touched(sentence, safety):
            return found
        problem = "the table has agreed not to hear of this"
        return Reading(problems=(problem,), about=(*found.about, *found.tells))

    return checked


def voice_of(state: Draft, telling: Telling) -> str:
    """Return whose voice tells the turn; "" for the template's, where a model must not speak.

    A human's act is told by the DM's voice: nobody speaks for a human.
    """
    table = telling.table
    actor = state.acted[-1] if state.acted else DM
    speaker = actor if table.seats[actor].by == "model" and state.given.message == "" else DM
    return speaker if table.seats[speaker].by == "model" else ""


def quip_of(state: Draft, turn: int) -> str:
    """Return a few words of the character who acted, when neither a human nor a model lends any."""
    actor = state.acted[-1] if state.acted else ""
    table = state.before.table
    one = table.cast.get(actor)
    if one is None or state.by_hand or table.is_held(actor):
        return ""
    said = words_of_a(one, table.mode, turn)
    if said is None:
        return ""
    text = SPOKE.of(table.lang)
    return text.format(seat=table.name(actor), text=said.of(table.lang))


def voiced(voice: str, telling: Telling) -> Prompt:
    """Return the prompt for a voice: what all know, and nothing else."""
    table, safety = telling.table, telling.table.safety
    if voice == DM:
        return prompts.dm_voice(telling.lang, telling.facts, telling.passages, safety)
    persona = table.personas.get(voice, Persona())
    name = table.name(voice)
    return prompts.pc_voice(name, persona, telling.lang, telling.facts, telling.passages, safety)


def wants_colour(events: Sequence[Event]) -> bool:
    """Whether a model may add to what was told: not to what merely happened at the table."""
    return any(not isinstance(event, p.Proceeding) for event in events)


def log_of(state: Draft, telling: Telling, reply: str) -> list[str]:
    """Return the turn's lines of the ground truth: who said what, and who alone heard what."""
    actor = state.acted[-1] if state.acted else state.seat
    name = telling.name(actor)
    lines = [f"[{name}]: {reply}"] if reply else []
    for aside in telling.asides:
        ears = ", ".join(seat for seat in aside.audience if seat not in (DM, EVERYONE))
        lines.append(f"[{name} → {ears or DM}]: {aside.text}")
    return lines
