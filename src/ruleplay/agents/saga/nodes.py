"""What happens at each station of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.adapters.library import Library
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import journey, skirmish
from ruleplay.agents.saga.domain.intents import Intent, Plan
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import Scope, scope_of
from ruleplay.agents.saga.domain.suggestions import suggestions
from ruleplay.agents.saga.domain.understanding import understand
from ruleplay.agents.saga.policy.facts import Telling, tell_events
from ruleplay.agents.saga.policy.hearing import (
    CombatHearing,
    Hearing,
    hearing_problems,
    intent_of,
    plan_problems,
)
from ruleplay.agents.saga.policy.phrases import MOOD
from ruleplay.agents.saga.policy.replies import known_so_far
from ruleplay.agents.saga.policy.telling import told
from ruleplay.agents.saga.state import (
    Draft,
    History,
    PayloadName,
    TurnConcluded,
    Update,
    channel_of,
    event_of,
)
from ruleplay.foundation.context import Context
from ruleplay.foundation.events import Event
from ruleplay.foundation.propose import propose
from ruleplay.foundation.prose.tell import tell

SagaRuntime = Runtime[Context[Library]]
COLOURLESS = (h.Refused, h.LanguageChosen)
"""Turns of only these are told by template: there is nothing to add."""
LOOKED_UP = ("inventory", "sheet", "journal", "map", "help", "fight", "price")


async def dispatch(state: Draft, runtime: SagaRuntime) -> Update:
    """Load the history of the active mode, and of no other."""
    game = state.before.game
    channel = channel_of(game)
    last = min(prompts.LINES, state.before.lines_in(channel))
    lines = await runtime.context.history(channel, last=last) if last else ()
    return {"history": History(kind=game.mode, channel=channel, lines=lines)}


async def narrative(state: Draft, runtime: SagaRuntime) -> Update:
    """Understand the message and let the story's rules answer it."""
    context, game, message = runtime.context, state.before.game, state.given.message
    book = open_book(state, runtime)
    play = Play(game, book)
    if game.ending:
        play.add(h.Refused(reason="over"))
        return {"events": as_events(play)}
    scope = scope_of(game, book)
    intents = understand(message, scope)
    if intents[0].act == "unknown" and game.visited:
        heard = await propose(
            context,
            "saga.narrative",
            prompt=lambda: prompts.hear(message, scope, game.lang),
            schema=Hearing,
            legal=lambda hearing: hearing_problems(hearing, message, scope),
            otherwise=Hearing,
        )
        intents = (intent_of(heard.value, message),)
    tell_the_story(play, speak_as_asked(play, intents))
    return {"events": as_events(play)}


def tell_the_story(play: Play, intents: Sequence[Intent]) -> None:
    """Begin the story if it has not begun; then do what was asked for."""
    if not play.game.visited:
        journey.begin(play, Intent(act="begin"))
        intents = [one for one in intents if one.act not in ("begin", "look", "unknown", "wait")]
    journey.follow(play, intents)


def speak_as_asked(play: Play, intents: Sequence[Intent]) -> list[Intent]:
    """Change the language where that is asked for; return the other intents."""
    for one in intents:
        if one.act == "language" and one.item in ("en", "fr"):
            play.add(h.LanguageChosen.model_validate({"lang": one.item}))
    return [one for one in intents if one.act != "language"]


async def combat(state: Draft, runtime: SagaRuntime) -> Update:
    """Let the hero act as the message says, the others by their nature or a model's plan."""
    context, game, message = runtime.context, state.before.game, state.given.message
    play = Play(game, open_book(state, runtime))
    scope = scope_of(game, play.book)
    intents: Sequence[Intent] = understand(message, scope)
    intents = speak_as_asked(play, intents)
    if not intents:
        return {"events": as_events(play)}
    understood = intents[0].act != "unknown"
    plans: dict[str, Plan] = {}
    if not understood or needs_plans(play, intents):
        heard = await propose(
            context,
            "saga.combat",
            prompt=lambda: prompts.combat(
                message, play.fight, state.history, game.lang, understood
            ),
            schema=CombatHearing,
            legal=lambda one: combat_problems(one, message, scope, play, understood),
            otherwise=CombatHearing,
        )
        plans = {plan.who: plan for plan in heard.value.plans}
        intents = intents if understood else [intent_of(heard.value, message)]
    skirmish.fight_on(play, intents, plans)
    return {"events": as_events(play)}


def needs_plans(play: Play, intents: Sequence[Intent]) -> bool:
    """Whether anybody else will move: not when the hero is refused or only looks."""
    trial = Play(play.game, play.book)
    skirmish.fight_on(trial, intents, {})
    return any(isinstance(one, h.TurnAdvanced | h.FightOpened) for one in trial.done)


def combat_problems(
    heard: CombatHearing, message: str, scope: Scope, play: Play, understood: bool
) -> list[str]:
    """Return why a model's hearing and plans are not taken; a needless hearing is not read."""
    problems = [] if understood else hearing_problems(heard, message, scope)
    return problems + plan_problems(heard.plans, play)


async def tell_story(state: Draft, runtime: SagaRuntime) -> Update:
    """Tell the story's turn: the author's passages as written, then the facts."""
    telling = telling_of(state, runtime)
    chronicle = known_so_far(state.before.game, telling.book)
    facts = telling.facts
    return await _told(
        state,
        runtime,
        telling,
        "saga.narrator",
        lambda: prompts.narrate(state, chronicle, telling.passages, facts),
    )


async def tell_combat(state: Draft, runtime: SagaRuntime) -> Update:
    """Tell the fight's turn from its events."""
    telling = telling_of(state, runtime)
    facts = telling.facts
    return await _told(
        state, runtime, telling, "saga.herald", lambda: prompts.tell_blows(state, facts)
    )


def telling_of(state: Draft, runtime: SagaRuntime) -> Telling:
    """Return what this turn has to tell."""
    return tell_events(state.before.game, state.events, open_book(state, runtime))


async def _told(
    state: Draft,
    runtime: SagaRuntime,
    telling: Telling,
    role: str,
    prompt: prompts.Asking,
) -> Update:
    context, game = runtime.context, state.now.game
    reply = "\n\n".join(telling.passages)
    mood = MOOD[context.number % len(MOOD)] if state.before.game.fight else None
    template = told(telling.facts, telling.paragraphs, mood, game.lang)
    if reply:
        context.say(f"{reply}\n\n" if template else reply)
    if telling.facts or (context.model(role) != "rules" and wants_colour(state.events)):
        said = await tell(
            context,
            role,
            prompt=prompt,
            facts=telling.facts,
            check=context.world.check(state.before.scenario, state.before.source, game),
            otherwise=lambda: template,
        )
        context.cites.extend(said.citations)
        reply = "\n\n".join(part for part in (reply, said.text) if part)
    if closing := "\n\n".join(telling.closing):
        context.say(f"\n\n{closing}" if reply else closing)
        reply = "\n\n".join(part for part in (reply, closing) if part)
    return {"reply": reply, "events": [concluded(state, telling.book)]}


def wants_colour(events: Sequence[Event]) -> bool:
    """Whether a model may add to what was told: not to refusals and what was looked up."""
    looked_up = [e for e in events if isinstance(e, h.Consulted) and e.topic in LOOKED_UP]
    return not looked_up and not all(isinstance(event, COLOURLESS) for event in events)


def concluded(state: Draft, book: Book) -> TurnConcluded:
    """Return the turn's typed result: which payload, in which channel, what could come next."""
    game = state.now.game
    ended = any(isinstance(event, h.CombatEnded) for event in state.events)
    payload: PayloadName = "NarrativeResponsePayload"
    if state.before.game.mode == "combat":
        payload = "CombatTurnEndPayload" if ended else "CombatTurnContinuePayload"
    elif game.mode == "combat":
        payload = "NarrativeTriggerCombatPayload"
    channel = state.history.channel if state.history else channel_of(state.before.game)
    return TurnConcluded(payload=payload, channel=channel, hints=suggestions(game, book))


def open_book(state: Draft, runtime: SagaRuntime) -> Book:
    """Return the book that the session is played with."""
    return runtime.context.world.book(state.before.scenario, state.before.source)


def as_events(play: Play) -> list[Event]:
    """Return what happened as events."""
    return [event_of(happening) for happening in play.done]
