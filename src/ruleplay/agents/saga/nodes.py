"""What happens at each station of a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.adapters.library import Library
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import (
    improvising,
    journey,
    melee,
    setting,
    skirmish,
    spoils,
    surroundings,
)
from ruleplay.agents.saga.domain.combat_acts import plan_problem
from ruleplay.agents.saga.domain.game import CHRONICLE, Game
from ruleplay.agents.saga.domain.intents import Intent, Plan
from ruleplay.agents.saga.domain.offers import suggestions
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.policy.commands import command
from ruleplay.agents.saga.policy.lines import cast, script_of
from ruleplay.agents.saga.policy.parsing import again, chosen, exact, parse
from ruleplay.agents.saga.policy.recap import known_so_far
from ruleplay.agents.saga.policy.replies import answer_text
from ruleplay.agents.saga.policy.responses import by_rules
from ruleplay.agents.saga.policy.scenes import scene_of
from ruleplay.agents.saga.state import (
    BEGAN,
    NARRATIVE,
    Draft,
    Heard,
    History,
    PayloadName,
    Plans,
    TurnConcluded,
    Update,
    channel_of,
    event_of,
)
from ruleplay.kernel.context import Context
from ruleplay.kernel.graph import Runtime
from ruleplay.kernel.propose import propose
from ruleplay.records.events import Event
from ruleplay.story.acts import Act, Reading, hopeless, sound
from ruleplay.story.beats import Beat, Line, printed
from ruleplay.story.passage import BROUGHT
from ruleplay.story.telling import tell_beats
from ruleplay.story.wording import in_own_words

SagaRuntime = Runtime[Context[Library]]
LEGS, ABOUT = 3, 200
"""Places to which a message is followed in a turn; characters of what was asked after the end."""
LONG = 500
"""Characters of a message that takes a while to read."""
COLOURLESS = (*(h.Refused, h.LanguageChosen, h.StyleChosen, h.AskedBack, h.Answered, h.TakenBack),)
"""Turns of only these are told by code alone: there is nothing to add."""
IDLE = (h.Consulted, h.Refused, h.LeftUndone, h.Answered, h.TakenBack)
"""What is no move of the player's: there is nothing in it to take back."""
LOOKED_UP = (
    *("inventory", "sheet", "journal", "map", "help", "fight", "price"),
    *("rules", "memory", "settings", "undo", "pause"),
)

GOING = ("move", "follow")
"""Acts that lead elsewhere where they name a place, or somebody who is not here."""
BLOWS = ("attack", "trigger_combat")
"""What begins a fight is its first blow."""
LASTING = ("secret", "talk", "deed", "clue", "clock", "fight", "joined", "avoided")


async def dispatch(state: Draft, runtime: SagaRuntime) -> Update:
    """Load the history of the active mode, and of no other; a story that is spoken to begins."""
    game = state.before.game
    channel = channel_of(game)
    last = min(prompts.LINES, state.before.lines_in(channel))
    lines = await runtime.context.history(channel, last=last) if last else ()
    history = History(kind=game.mode, channel=channel, lines=lines)
    if game.visited or state.given.action is not None:
        return {"history": history}
    book, message = open_book(state, runtime), state.given.message
    play = Play(game, book, state.before.turns + 1, message, was=state.before.was)
    keep_style(state, play)
    journey.begin(play, Intent(act="begin"))
    return {"history": history, "events": as_events(play)}


async def read_player(state: Draft, runtime: SagaRuntime) -> Update:
    """Understand what the player wrote: a model reads all free text, the parser stands in."""
    context, game, message = runtime.context, state.now.game, meant(state)
    book = open_book(state, runtime)
    if game.ending:
        return {}
    if known := typed(state, message, book):
        return known
    # A long text is read in a thread, so that others are answered meanwhile.
    long = len(message) > LONG
    parsed = await asyncio.to_thread(parse, message, game, book) if long else None
    heard = await propose(
        context,
        "saga.read",
        prompt=lambda: prompts.read(message, game, book, state.history),
        schema=Reading,
        legal=lambda one: reading_problems(one, game, book),
        otherwise=lambda: parsed or parse(message, game, book),
    )
    picked = chosen(message, game) is not None  # what was asked is not asked again
    return {**standing(heard.value, game, book), "confirmed": picked}


def meant(state: Draft) -> str:
    """Return what the player wrote; what they wrote before where they say "again"."""
    lines = state.history.lines if state.history else ()
    return again(state.given.message, [one.text for one in lines if one.role == "user"])


def typed(state: Draft, message: str, book: Book) -> Update | None:
    """Return what needs no reading: actions, commands, choices and what was offered, exactly."""
    game = state.now.game
    if state.given.action is not None:
        return {"reading": Reading.model_validate(state.given.action)}
    if told := command(message):
        return {"reading": told}
    at = chosen(message, game)
    asked = game.story.asked
    if at is not None and asked and asked.acts:
        if at == 0:
            return {"reading": Reading(acts=asked.acts), "confirmed": True}
        if asked.choices[at] == improvising.NO.of(game.lang):
            return {"reading": Reading(acts=(Act(do="meta", meta="pause"),))}
    # "Begin" was offered before the story began.
    for known in (game,) if state.before.game.visited else (game, state.before.game):
        if exact(message, known, book):
            return {"reading": parse(message, known, book)}
    return None if message.strip() else {"reading": Heard()}


def reading_problems(reading: Reading, game: Game, book: Book) -> list[str]:
    """Return why nothing of a reading is believed; the rules judge the parser's own intents."""
    if isinstance(reading, Heard):
        return []
    here = reading.acts[: leaving(reading, game, book)]
    roster = setting.roster(game, book)
    return hopeless(reading.model_copy(update={"acts": here}), roster)


def standing(reading: Reading, game: Game, book: Book) -> Update:
    """Return what can stand of a reading: one wrong id costs its own act, whose words stay open."""
    if isinstance(reading, Heard):
        return {"reading": reading}
    at, roster = leaving(reading, game, book), setting.roster(game, book)
    found = [(act, sound(act, roster)) for act in reading.acts[:at]]
    here = tuple(one for act, one in found if one and one.do == act.do)
    unheard = tuple(act.text for act, one in found if act.text and not (one and one.do == act.do))
    kept = reading.model_copy(update={"acts": (*here, *reading.acts[at:])})
    return {"reading": kept, "unheard": unheard}


def leaving(reading: Reading, game: Game, book: Book) -> int:
    """Return how many acts are done here: what follows is read again there, with the ids there."""
    away = {*surroundings.ways(game, book), *surroundings.elsewhere(game, book)}
    moves = (at for at, act in enumerate(reading.acts) if act.do in GOING and act.to in away)
    return next(moves, len(reading.acts)) + 1


async def narrative(state: Draft, runtime: SagaRuntime) -> Update:
    """Let the story's rules answer what the player wants."""
    game, message = state.now.game, meant(state)
    play = Play(game, open_book(state, runtime), state.before.turns + 1, message, was=state.now.was)
    if game.ending and not state.legs:
        play.add(h.Refused(reason="over", about=message[:ABOUT]))
        return {"events": as_events(play)}
    if not state.legs:
        keep_style(state, play)
    rest = answer(play, state)
    # Where the hero has come to, or once a deed is done, more can be named than before.
    moved = play.game.place != game.place
    onward = rest if moved else opened_by(play, state)
    free = play.game.mode == "narrative" and not play.game.story.asked
    if onward and free and state.legs < LEGS:
        unheard = state.unheard if moved else ()
        return {"events": as_events(play), "rest": onward, "unheard": unheard}
    if rest:
        open_ = tuple(in_own_words(message, one) for one in rest)
        play.add(h.LeftUndone(what=tuple(dict.fromkeys(open_)), why="far"))
    say_unheard(play, state)
    if play.game.fight and not play.fight.opened:
        melee.spring(play)
    improvising.strike_clocks(play)
    remember(play)
    return {"events": as_events(play), "rest": ()}


def opened_by(play: Play, state: Draft) -> tuple[str, ...]:
    """Return what was asked for and could not be named before the rest of a message was done."""
    failed = any(map(improvising.failed, play.done))
    return () if failed or state.legs or not play.done else state.unheard


def say_unheard(play: Play, state: Draft) -> None:
    """Name what of a message could not be done as it was read."""
    if state.unheard:
        open_ = (in_own_words(state.given.message, one) for one in state.unheard)
        hung = any(map(improvising.failed, play.done))
        what = tuple(dict.fromkeys(open_))
        play.add(h.LeftUndone(what=what, why="vain" if hung else ""))


def answer(play: Play, state: Draft) -> tuple[str, ...]:
    """Do what was read; return the player's words for where it has led them."""
    reading = state.reading or Reading()
    if state.legs and isinstance(reading, Heard) and reading.question:
        return state.rest  # no model heard it, and the parser is not sure of it
    if isinstance(reading, Heard):
        hear(play, reading, begins=not (state.before.game.visited or state.legs))
        return (reading.rest,) if reading.rest else ()
    left = improvising.enact(play, reading, confirmed=state.confirmed)
    if left and play.game.fight:
        melee.strike_first(play, left)
        return ()
    return improvising.texts(play, left)


async def read_on(state: Draft, runtime: SagaRuntime) -> Update:
    """Understand the rest of a message where the hero has come to: there are others there."""
    game, book = state.now.game, open_book(state, runtime)
    said = ". ".join(state.rest)
    heard = await propose(
        runtime.context,
        "saga.read",
        prompt=lambda: prompts.read(meant(state), game, book, state.history, rest=said),
        schema=Reading,
        legal=lambda one: reading_problems(one, game, book) if one.acts or one.question else [],
        otherwise=lambda: parse(said, game, book),
    )
    stands = standing(heard.value, game, book)
    stands["unheard"] = (*state.unheard, *stands.get("unheard", ()))
    return {**stands, "legs": state.legs + 1}


def remember(play: Play) -> None:
    """Keep what matters of the chronicle before its oldest lines are dropped."""
    oldest = play.game.chronicle[: max(0, len(play.game.chronicle) - CHRONICLE + 20)]
    for entry in oldest:
        if entry[0] in LASTING and entry not in play.game.story.memory:
            play.add(h.Remembered(entry=entry))


def keep_style(state: Draft, play: Play) -> None:
    """Begin with the style that the session was made with."""
    wanted = state.before.style
    if wanted is not None and not (state.before.turns or state.events):
        play.add(h.StyleChosen(style=wanted))


def hear(play: Play, heard: Heard, *, begins: bool = False) -> None:
    """Do what the parser understood; a story that has just begun needs no look at the place."""
    intents = speak_as_asked(play, heard.intents)
    if begins:
        intents = [one for one in intents if one.act not in ("begin", "unknown")]
        first = {key for key, one in play.book.scenario.talks.items() if one.default} | {""}
        greets = all(one.act == "talk" and one.item in first for one in intents)
        plain = {"do": "say", "approach": "plain", "want": ""}
        said = all(plain.items() <= dict(one).items() for one in heard.acts)
        if greets and said and (intents or heard.acts) and "?" not in play.words:
            # Whoever greets and says no more may not know how this is played.
            play.add(h.Consulted(topic="playing", key=play.words[:ABOUT]))
    if heard.question:
        ask(play, heard)
        return
    if heard.acts:
        left = improvising.enact(play, heard)
        if left and play.game.fight:
            melee.strike_first(play, left)
        if not heard.intents:
            return
    elif play.game.story.asked:
        play.add(h.Answered())
    journey.follow(play, intents)
    blow = intents[-1] if intents else None
    if play.game.fight and not play.fight.opened and blow and blow.act in BLOWS:
        body = {"do": "rule", "item": "attack", "to": blow.target, "with": blow.item}
        struck = Act.model_validate({**body, "text": blow.said})
        melee.strike_first(play, (struck,))


def ask(play: Play, heard: Heard) -> None:
    """Ask what is meant, after what was asked besides."""
    if play.game.story.asked:
        play.add(h.Answered())
    for act in heard.acts:
        improvising.perform(play, act)
    improvising.ask_back(play, heard.question, heard.choices)


def speak_as_asked(play: Play, intents: Sequence[Intent]) -> list[Intent]:
    """Change the language where that is asked for; return the other intents."""
    for one in intents:
        if one.act == "language" and one.item in ("en", "fr"):
            play.add(h.LanguageChosen.model_validate({"lang": one.item}))
    return [one for one in intents if one.act != "language"]


async def combat(state: Draft, runtime: SagaRuntime) -> Update:
    """Let the hero act as the player wants, the others by their nature or a model's plan."""
    book, message = open_book(state, runtime), meant(state)
    was = state.before.was
    play = Play(state.before.game, book, state.before.turns + 1, message, was=was)
    plans = await others(state, runtime, play) if stirs(play, state) else {}
    fight(play, state, plans)
    say_unheard(play, state)
    speak_up(play, plans)
    remember(play)
    return {"events": as_events(play)}


def fight(play: Play, state: Draft, plans: dict[str, Plan]) -> None:
    """Play the turn by what was read."""
    reading = state.reading or Reading()
    if not isinstance(reading, Heard):
        melee.fight_on(play, reading, plans, confirmed=state.confirmed)
        return
    intents = speak_as_asked(play, reading.intents)
    if any(one.act == "force_end" for one in intents):
        spoils.conclude(play, "forced_end")
        return
    if reading.question:
        ask(play, reading)
        return
    if reading.acts:
        melee.fight_on(play, reading, plans)
    if intents and play.game.fight:
        skirmish.fight_on(play, intents, plans)


def stirs(play: Play, state: Draft) -> bool:
    """Whether anybody else will move: not when the hero is refused, only looks or speaks."""
    trial = Play(play.game, play.book)
    fight(trial, state, {})
    return any(isinstance(one, h.TurnAdvanced | h.FightOpened) for one in trial.done)


async def others(state: Draft, runtime: SagaRuntime, play: Play) -> dict[str, Plan]:
    """Ask what everybody else in the fight wants to do, and perhaps says."""
    message, game = state.given.message, state.before.game
    found = await propose(
        runtime.context,
        "saga.foes",
        prompt=lambda: prompts.foes(message, game, play.book, state.history),
        schema=Plans,
        legal=lambda one: [why for plan in one.plans if (why := plan_problem(play, plan))],
        otherwise=Plans,
    )
    return {plan.who: plan for plan in found.value.plans}


def speak_up(play: Play, plans: dict[str, Plan]) -> None:
    """Let those say something who wanted to and are still there; beasts have no words."""
    if play.game.fight is None:
        return
    for plan in [one for one in plans.values() if one.says][:2]:
        one = play.game.fight.get(plan.who)
        mind = one and setting.nature_of(play.game, play.book, one) != "beast"
        if plan.says and one and one.present and mind:
            play.add(h.Spoke(who=plan.who, text=plan.says))


async def tell_story(state: Draft, runtime: SagaRuntime) -> Update:
    """Tell the story's turn: what is written as it stands, the rest in prose."""
    return await _told(state, runtime, "saga.narrator")


async def tell_combat(state: Draft, runtime: SagaRuntime) -> Update:
    """Tell the fight's turn."""
    return await _told(state, runtime, "saga.herald")


async def _told(state: Draft, runtime: SagaRuntime, role: str) -> Update:
    context, book = runtime.context, open_book(state, runtime)
    before = state.before
    past, turn = before.rolled, before.turns
    script = script_of(before.game, state.events, book, was=before.was, rolled=past, turn=turn)
    beats = script.beats()
    lead = lead_of(beats)
    reply = printed(beats[:lead])
    if reply:
        context.say(reply)
    rest, chronicle = beats[lead:], known_so_far(state.before.game, book)
    people = cast(state.now.game, state.before.game, book)
    scene = scene_of(state, book, people, reply, chronicle)
    said = await tell_beats(
        context,
        role,
        prompt=lambda: prompts.tell(state, book, rest, reply, chronicle),
        # What the player said or did is said again only where nobody tells it; a stop is told by
        # nobody but code.
        beats=() if stops(state.events) else tuple(b.told() if b.echo else b for b in rest),
        scene=scene,
        otherwise=lambda: by_rules(script, rest),
        colour=wants_colour(state.events),
        within=reply,
    )
    parts = [reply, said.text]
    if closing := "\n\n".join(script.closing):
        context.say(f"\n\n{closing}" if any(parts) else closing)
        parts.append(closing)
    told = "\n\n".join(part for part in parts if part)
    if not told:  # all that there was to tell was left out
        told = answer_text("untold", state.now.game.lang)
        context.say(told)
    lines = printable(beats, told) if state.reading else ()
    rolled = tuple(text for beat in beats if (text := with_dice(beat.line)))
    return {"reply": told, "events": [concluded(state, book, lines, rolled)]}


def with_dice(line: Line) -> str:
    """Return a line with the dice of its rolls; empty where none fell."""
    dice = [item.dice for item in line.items if item.dice]
    return f"{line.text} ({' · '.join(dice)})" if dice else ""


def lead_of(beats: Sequence[Beat]) -> int:
    """Return how many beats code tells at once: what the book says before anybody acts."""
    lead = 0
    for at, beat in enumerate(beats):
        written = bool(beat.passage) and beat.kind in ("other", "arrive") and not beat.must
        if not written and not (lead and beat.kind in BROUGHT):
            break
        lead = at + 1
    return lead


def stops(events: Sequence[Event]) -> bool:
    """Whether the player could not bear what went on, so that it is over."""
    return any(isinstance(one, h.Stopped) for one in events)


def wants_colour(events: Sequence[Event]) -> bool:
    """Whether a model may add to what was told: not to refusals and what was looked up."""
    if any(isinstance(one, h.AskedBack) for one in events):
        return False  # the question says what there is to say
    return not stops(events) and not all(
        isinstance(e, COLOURLESS) or (isinstance(e, h.Consulted) and e.topic in LOOKED_UP)
        for e in events
    )


def printable(beats: Sequence[Beat], told: str) -> tuple[Line, ...]:
    """Return the lines that stand in a reply; what was said in full needs none."""
    return tuple(
        b.line
        for b in beats
        if b.line.items and (b.line.text in told if b.passage or b.echo else True)
    )


def concluded(
    state: Draft, book: Book, lines: tuple[Line, ...], rolled: tuple[str, ...]
) -> TurnConcluded:
    """Return the turn's typed result: which payload, in which channel, what could come next."""
    game = state.now.game
    ended = any(isinstance(event, h.CombatEnded) for event in state.events)
    undone = any(isinstance(event, h.TakenBack) for event in state.events)
    payload: PayloadName = "NarrativeResponsePayload"
    if ended:
        payload = "CombatTurnEndPayload"
    elif undone:
        payload = "CombatTurnContinuePayload" if game.fight else payload
    elif state.before.game.mode == "combat":
        payload = "CombatTurnContinuePayload"
    elif game.mode == "combat":
        payload = "NarrativeTriggerCombatPayload"
    channel = state.history.channel if state.history else channel_of(state.before.game)
    asked = game.story.asked.choices if game.story.asked else ()
    offered = (*asked, *prompts.left_undone(state.events), *suggestions(game, book))
    return TurnConcluded(
        payload=payload,
        channel=channel,
        hints=tuple(dict.fromkeys(offered))[:6],
        lines=lines,
        rolled=rolled,
        began=payload == BEGAN and channel == NARRATIVE,
        played=any(isinstance(e, h.Happening) and not isinstance(e, IDLE) for e in state.events),
    )


def open_book(state: Draft, runtime: SagaRuntime) -> Book:
    """Return the book that the session is played with."""
    before = state.before
    return runtime.context.world.book(before.scenario, before.source, before.rules)


def as_events(play: Play) -> list[Event]:
    """Return what happened as events."""
    return [event_of(happening) for happening in play.done]
