"""The nodes of saga's graph: load the history, read the message, apply the rules, tell the turn.

Nodes only return events and what the next node needs. A model is asked at most once in each, in
the roles `saga.read`, `saga.foes`, `saga.narrator` and `saga.herald`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.adapters.library import Library
from ruleplay.agents.saga.domain import (
    dependence,
    improvising,
    journey,
    melee,
    setting,
    skirmish,
    spoils,
    surroundings,
)
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.combat_acts import plan_problem
from ruleplay.agents.saga.domain.game import CHRONICLE, Game
from ruleplay.agents.saga.domain.intents import Intent, Plan
from ruleplay.agents.saga.domain.offers import suggestions
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.policy.asking import again, chosen
from ruleplay.agents.saga.policy.commands import command
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import exact, parse, parse_after_the_end
from ruleplay.agents.saga.policy.recap import known_so_far
from ruleplay.agents.saga.policy.replies import answer_text, own_text
from ruleplay.agents.saga.policy.responses import by_rules
from ruleplay.agents.saga.policy.scenes import scene_of
from ruleplay.agents.saga.policy.script import Draft as Drafted
from ruleplay.agents.saga.policy.script import Script, cast
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
from ruleplay.story import bounds
from ruleplay.story.acts import Act, Reading, hopeless, sound
from ruleplay.story.beats import Beat, Item, Line, printed
from ruleplay.story.passage import BROUGHT
from ruleplay.story.reading import hung
from ruleplay.story.telling import tell_beats
from ruleplay.story.texts import words_of
from ruleplay.story.undone import Undone
from ruleplay.story.wording import in_own_words

SagaRuntime = Runtime[Context[Library]]
LEGS, ABOUT = 3, 200
"""Most times that the rest of a message is read in the same turn; most characters of a quotation
of the player's words in an event."""
LONG = 500
"""Characters from which parsing a message takes noticeable time, so that a thread does it."""
COLOURLESS = (*(h.Refused, h.LanguageChosen, h.StyleChosen, h.AskedBack, h.Answered, h.TakenBack),)
"""Events that need no prose: a turn of nothing else is told by code."""
IDLE = (h.Consulted, h.Refused, h.LeftUndone, h.Answered, h.TakenBack)
"""Events that are no move of the player's: undo skips a turn of these and of
questions alone."""
LOOKED_UP = (
    *("inventory", "sheet", "journal", "map", "help", "fight", "price"),
    *("rules", "memory", "settings", "undo", "pause"),
)
"""Topics whose answers code prints as they are; prose could only falsify them."""

GOING = ("move", "follow")
"""Acts that leave the place if they name a way or somebody who is elsewhere."""
BLOWS = ("attack", "trigger_combat")
"""Intents that start a fight; the blow that starts it is struck, too."""
LASTING = ("secret", "talk", "deed", "clue", "clock", "fight", "joined", "avoided")
"""Kinds of chronicle entries that stay in memory after the chronicle has dropped them."""


async def dispatch(state: Draft, runtime: SagaRuntime) -> Update:
    """Load the history of the active mode only; the first message of a session begins the story."""
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
    """Understand the player's message: a model reads free text, the parser is its fallback."""
    context, game, message = runtime.context, state.now.game, meant(state)
    book = open_book(state, runtime)
    if known := typed(state, message, book):
        return known
    # Parsing is CPU-bound: a long text must not block the event loop for other sessions.
    long, parser = len(message) > LONG, parse_after_the_end if game.ending else parse
    parsed = await asyncio.to_thread(parser, message, game, book) if long else None
    heard = await propose(
        context,
        "saga.read",
        prompt=lambda: prompts.read(message, game, book, state.history),
        schema=Reading,
        legal=lambda one: reading_problems(one, game, book),
        otherwise=lambda: parsed or parser(message, game, book),
    )
    picked = chosen(message, game) is not None  # an answered question is not asked again
    return {**standing(heard.value, game, book), "confirmed": picked}


def meant(state: Draft) -> str:
    """Return the player's message; a bare number is what was offered as that, "again" the last."""
    said, hints = state.given.message.strip(), state.before.hints
    if said.isascii() and said.isdigit() and 1 <= int(said[:9]) <= len(hints):
        return hints[int(said) - 1]
    lines = state.history.lines if state.history else ()
    return again(state.given.message, [one.text for one in lines if one.role == "user"])


def typed(state: Draft, message: str, book: Book) -> Update | None:
    """Recognise input that needs no model: actions, commands, choices, exact suggestions.

    None if the message is free text.
    """
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
    # "Begin" was suggested before the story began, so the state before the turn counts, too.
    for known in (game,) if state.before.game.visited else (game, state.before.game):
        if exact(message, known, book):
            return {"reading": parse(message, known, book)}
    return None if message.strip() else {"reading": Heard()}


def reading_problems(reading: Reading, game: Game, book: Book) -> list[str]:
    """Return why a model's whole reading is rejected; empty as long as one act can stand.

    The parser's own readings (`Heard`) are not checked here: the rules judge their intents.
    """
    if isinstance(reading, Heard):
        return []
    acts = trifles(hanging(reading.acts, game), game, book)
    reading = reading.model_copy(update={"acts": acts})
    here = gestures(reading.acts[: leaving(reading, game, book)], game, book)
    roster = setting.roster(game, book)
    return hopeless(reading.model_copy(update={"acts": here}), roster)


def standing(reading: Reading, game: Game, book: Book) -> Update:
    """Drop the acts of a reading that name unknown ids, and keep their words as `unheard`.

    Outside fights a way that is not open waits for what is done before it, and the rest with it.
    """
    if isinstance(reading, Heard):
        return {"reading": reading}
    acts = trifles(hanging(looks(reading.acts, game), game), game, book)
    reading = reading.model_copy(update={"acts": gestures(acts, game, book)})
    at, roster = leaving(reading, game, book), setting.roster(game, book)
    # What an act is to get can be named by those after it, which are left undone without it.
    wares = tuple(act.item.removeprefix("buy:") for act in reading.acts)
    items = (*roster.items, *(one for one in wares if one in book.rules.items))
    roster = roster.model_copy(update={"items": items})
    found = [(act, sound(act, roster)) for act in reading.acts[:at]]
    shut = (
        n for n, (act, one) in enumerate(found) if act.do == "move" and one and one.do == "vain"
    )
    if (n := next(shut, 0)) and not game.fight:
        first = standing(reading.model_copy(update={"acts": reading.acts[:n]}), game, book)
        return {**first, "later": reading.acts[n:]}
    here = tuple(one for act, one in found if one and one.do == act.do)
    unheard = tuple(act.text for act, one in found if act.text and not (one and one.do == act.do))
    kept = reading.model_copy(update={"acts": (*here, *reading.acts[at:])})
    return {"reading": kept, "unheard": unheard, "later": ()}


def hanging(acts: tuple[Act, ...], game: Game) -> tuple[Act, ...]:
    """Keep the words alone of what hangs on an answer, to be read again; in a fight it is readied.

    What it names may only come with the answer.
    """
    ready = {"when": "trigger"}
    return tuple(
        act
        if act.when != "answer"
        else act.model_copy(update=ready)
        if game.fight
        else Act(do="flourish", text=act.text or act.item or act.to or act.do, when=act.when)
        for act in acts
    )


def trifles(acts: tuple[Act, ...], game: Game, book: Book) -> tuple[Act, ...]:
    """Name keepsakes by their own names; a check needs no trifle that nobody has ever kept."""
    roster, known = setting.roster(game, book), surroundings.keepsakes(game)
    real = {*roster.items, *roster.things, *roster.lendable, *book.rules.items, ""}

    def own(act: Act) -> Act:
        mine = {
            name: bounds.meant_of(known, value)
            for name, value in (("item", act.item), ("with_", act.with_))
            if value not in real and (name == "with_" or act.do in ("use", "give", "say"))
        }
        found = {name: one for name, one in mine.items() if one}
        if act.do == "check" and "with_" in mine and not found:
            return act.model_copy(update={"with_": "", "spent": False})
        return act.model_copy(update=found) if found else act

    return tuple(map(own, acts))


def gestures(acts: tuple[Act, ...], game: Game, book: Book) -> tuple[Act, ...]:
    """Make a move to what only the place's text tells of a gesture: that is here already.

    Where a way is still shut, "the far bank" may be what is beyond it.
    """
    shut = len(surroundings.here(game, book).exits) - len(surroundings.exits(game, book))
    if game.fight or shut:
        return acts
    known = setting.roster(game, book)
    there = {*known.ways, *known.anybody, *known.things, *known.absent}
    there |= {*book.scenario.places, *book.scenario.persons}
    return tuple(
        Act(do="flourish", text=act.text or act.to, when=act.when)
        if act.do == "move" and act.to not in there and surroundings.shows(game, book, act.to)
        else act
        for act in acts
    )


def looks(acts: tuple[Act, ...], game: Game) -> tuple[Act, ...]:
    """Make a question about the scene a look amid a fight's deeds, which the telling shows.

    Hit points would answer "how does he look?" in pitch dark.
    """
    fights = game.fight is not None or any(map(improvising.attacks, acts))
    if not (fights and any(act.do in ("rule", "pick", "check", "use") for act in acts)):
        return acts
    look = {"do": "flourish", "to": ""}
    asks = (act.do == "ask" and act.to == "scene" and bool(act.text) for act in acts)
    return tuple(
        act.model_copy(update=look) if one else act for act, one in zip(acts, asks, strict=True)
    )


def leaving(reading: Reading, game: Game, book: Book) -> int:
    """Count the acts up to and including the first that leaves the place.

    The rest is read again at the new place, since it may name beings and things that are there.
    """
    away = {*surroundings.ways(game, book), *surroundings.elsewhere(game, book)}
    moves = (at for at, act in enumerate(reading.acts) if act.do in GOING and act.to in away)
    return next(moves, len(reading.acts)) + 1


async def narrative(state: Draft, runtime: SagaRuntime) -> Update:
    """Apply the rules outside fights to what was read."""
    game, message = state.now.game, meant(state)
    play = Play(game, open_book(state, runtime), state.before.turns + 1, message, was=state.now.was)
    if game.ending and not state.legs and not after_the_end(play, state):
        play.add(h.Refused(reason="over", about=message[:ABOUT]))
        return {"events": as_events(play)}
    if not state.legs:
        keep_style(state, play)
    rest = answer(play, state)
    # At a new place, or after a deed, more beings and things can be named than before.
    moved = play.game.place != game.place
    if state.later:
        later, state = go_later(play, state, game)
        rest, moved = (*rest, *later), moved or bool(later)
    waits = (*state.hanging, *play.hanging)
    onward = rest if moved else state.unheard if opened(play, state, game) else ()
    free = play.game.mode == "narrative" and not play.game.story.asked
    if onward and free and state.legs < LEGS:
        unheard = state.unheard if moved else ()
        done: Update = {"events": as_events(play), "rest": onward, "unheard": unheard}
        return {**done, "hanging": waits}
    if rest:
        open_ = tuple(in_own_words(message, one) for one in rest)
        play.add(h.LeftUndone(what=tuple(dict.fromkeys(open_)), why="far"))
    say_unheard(play, state)
    if play.game.fight and not play.fight.opened:
        melee.spring(play)
    improvising.strike_clocks(play)
    stops = state.answered or not free or play.game.dead or play.game.ending
    if waits and stops:
        leave_open(play, waits)
    remember(play)
    return {"events": as_events(play), "rest": (), "hanging": () if stops else waits}


def leave_open(play: Play, waits: Sequence[Act]) -> None:
    """Record what hung on an answer that has not come, or that does not count any more."""
    if play.game.fight or play.game.dead or play.game.ending:
        improvising.leave_undone(play, waits, "fight" if play.game.fight else "ended")
    else:
        play.add(h.LeftUndone(what=improvising.texts(play, waits), why="hangs"))


def after_the_end(play: Play, state: Draft) -> bool:
    """Whether a message still counts after the ending: it undoes the last turn or looks it up."""
    acts = state.reading.acts if state.reading else ()
    if any(act.meta == "undo" for act in acts):
        return play.was is not None
    return command(state.given.message) is not None and all(act.do == "ask" for act in acts)


def opened(play: Play, state: Draft, game: Game) -> bool:
    """Whether words that made no sense before the rest was done might make sense now.

    They do if a way has opened since `game`; at first also if more of anything can be named.
    """
    failed = any(map(dependence.failed, play.done))
    was, now = (setting.roster(one, play.book) for one in (game, play.game))
    return was.ways != now.ways or (not state.legs and was != now and not failed)


def go_later(play: Play, state: Draft, game: Game) -> tuple[tuple[str, ...], Draft]:
    """Go on where a way was shut; return the words to read again, since it is open or one moved.

    Where it is shut still, what does not need it is done here.
    """
    # What hangs on a failed roll needs no word; what hangs on something in vain does.
    due = [a for a in state.later if dependence.allowed(play, a) or dependence.hangs(play, a, 0)]
    over = play.game.fight or play.game.story.asked or play.game.dead or play.game.ending
    if over or due[:1] != [*state.later[:1]]:
        why: Undone = "fight" if play.game.fight else "vain"
        improvising.leave_undone(play, improvising.say_the_rest(play, due, why), why)
        return (), state
    if play.game.place != game.place or opened(play, state, game):
        return improvising.texts(play, due), state
    here = standing(Reading(acts=tuple(due)), play.game, play.book)
    unheard = (*state.unheard, *here["unheard"])
    state = replace(state, reading=here["reading"], unheard=unheard)
    return answer(play, state), state


def say_unheard(play: Play, state: Draft) -> None:
    """Report the parts of a message that could not be understood or done."""
    if state.unheard:
        open_ = (in_own_words(state.given.message, one) for one in state.unheard)
        hung = any(map(dependence.failed, play.done))
        what = tuple(dict.fromkeys(open_))
        play.add(h.LeftUndone(what=what, why="vain" if hung else "unknown"))


def answer(play: Play, state: Draft) -> tuple[str, ...]:
    """Do what was read; return the player's words that are left to read where the hero is now."""
    reading = state.reading or Reading()
    if state.legs and isinstance(reading, Heard) and reading.question:
        return state.rest  # no model has read the rest, and the parser is unsure of it
    if isinstance(reading, Heard):
        hear(play, reading, begins=not (state.before.game.visited or state.legs))
        return (reading.rest,) if reading.rest else ()
    if state.legs and not state.answered:  # the details were kept when the whole message was read
        reading = reading.model_copy(update={"details": ()})
    left = improvising.enact(play, reading, confirmed=state.confirmed)
    if left and play.game.fight:
        melee.strike_first(play, left)
        return ()
    return improvising.texts(play, left)


async def read_on(state: Draft, runtime: SagaRuntime) -> Update:
    """Understand the rest of a message at the place that the hero has reached."""
    game, book = state.now.game, open_book(state, runtime)
    said = ". ".join(one.rstrip(".") for one in state.rest)
    led = game.place != state.before.game.place
    heard = await propose(
        runtime.context,
        "saga.read",
        prompt=lambda: prompts.read(meant(state), game, book, state.history, rest=said, led=led),
        schema=Reading,
        legal=lambda one: reading_problems(one, game, book) if one.acts or one.question else [],
        otherwise=lambda: parse(said, game, book),
    )
    stands = standing(heard.value, game, book)
    stands["unheard"] = (*state.unheard, *stands.get("unheard", ()))
    return {**stands, "legs": state.legs + 1}


async def read_answer(state: Draft, runtime: SagaRuntime) -> Update:
    """Understand what hung on an answer, once that has been told; without a model it stays open."""
    game, book = state.now.game, open_book(state, runtime)
    on = hung(state.hanging, state.reply)
    heard = await propose(
        runtime.context,
        "saga.read",
        prompt=lambda: prompts.read(meant(state), game, book, state.history, on=on),
        schema=Reading,
        legal=lambda one: reading_problems(one, game, book) if one.acts or one.question else [],
        otherwise=lambda: Reading(acts=state.hanging),
    )
    return {**standing(heard.value, game, book), "hanging": (), "answered": True}


def remember(play: Play) -> None:
    """Copy lasting entries of the chronicle to memory before the chronicle drops them."""
    # The chronicle is bounded (`CHRONICLE`), so look 20 entries ahead of what drops out next.
    oldest = play.game.chronicle[: max(0, len(play.game.chronicle) - CHRONICLE + 20)]
    for entry in oldest:
        if entry[0] in LASTING and entry not in play.game.story.memory:
            play.add(h.Remembered(entry=entry))


def keep_style(state: Draft, play: Play) -> None:
    """Apply the style of the session's configuration in its first turn."""
    wanted = state.before.style
    if wanted is not None and not (state.before.turns or state.events):
        play.add(h.StyleChosen(style=wanted))


def hear(play: Play, heard: Heard, *, begins: bool = False) -> None:
    """Do what the parser understood. With `begins`, the story's opening has just been told."""
    intents = speak_as_asked(play, heard.intents)
    if begins:
        intents = [one for one in intents if one.act not in ("begin", "unknown")]
        first = {key for key, one in play.book.scenario.talks.items() if one.default} | {""}
        greets = all(one.act == "talk" and one.item in first for one in intents)
        plain = {"do": "say", "approach": "plain", "want": ""}
        said = all(plain.items() <= dict(one).items() for one in heard.acts)
        if greets and said and (intents or heard.acts) and "?" not in play.words:
            # Players who only greet may not know how this is played, so explain it.
            play.add(h.Consulted(topic="playing", key=play.words[:ABOUT]))
    if heard.question:
        ask(play, heard)
        return
    sure = decided(play, intents)
    later = [act for act in heard.acts if act.do == "ask" and asked_later(act, intents, play.words)]
    if acts := tuple(act for act in heard.acts if act not in later):
        left = improvising.enact(play, heard.model_copy(update={"acts": acts}))
        if left and play.game.fight:
            melee.strike_first(play, left)
        if not heard.intents:
            return
    elif play.game.story.asked:
        play.add(h.Answered())
    follow(play, intents, sure=sure)
    blow = intents[-1] if intents else None
    if play.game.fight and not play.fight.opened and blow and blow.act in BLOWS:
        body = {"do": "rule", "item": "attack", "to": blow.target, "with": blow.item}
        struck = Act.model_validate({**body, "text": blow.said})
        melee.strike_first(play, (struck,))
    for act in later:
        improvising.perform(play, act)


def decided(play: Play, intents: Sequence[Intent]) -> bool:
    """Whether a message is an offered choice, or repeats what the player was asked to confirm."""
    written = [improvising.as_act(one) for one in intents]
    return exact(play.words, play.game, play.book) or improvising.insists(play, written)


def follow(play: Play, intents: Sequence[Intent], *, sure: bool) -> None:
    """Do intents; unless the player is `sure`, stop at one that ends the story, and ask first."""
    for at, one in enumerate(() if sure else intents):
        act = improvising.as_act(one)
        if hint := improvising.last_act(play, act):
            journey.follow(play, intents[:at])
            if play.game.mode == "narrative":
                improvising.ask_before_the_end(play, hint, (act,))
            return
    journey.follow(play, intents)


def asked_later(act: Act, intents: Sequence[Intent], words: str) -> bool:
    """Whether a question stands behind the first deed of a message, or it is unclear where."""
    asked = words.find(act.text)
    done = [at for one in intents if (at := words.find(one.said)) >= 0]
    return bool(intents) and not (done and 0 <= asked < min(done))


def ask(play: Play, heard: Heard) -> None:
    """Ask the player what is meant, after doing the acts that were clear."""
    if play.game.story.asked:
        play.add(h.Answered())
    for act in heard.acts:
        improvising.perform(play, act)
    improvising.ask_back(play, heard.question, heard.choices)


def speak_as_asked(play: Play, intents: Sequence[Intent]) -> list[Intent]:
    """Change the language if the player asks for that; return the other intents."""
    for one in intents:
        if one.act == "language" and one.item in ("en", "fr"):
            play.add(h.LanguageChosen.model_validate({"lang": one.item}))
    return [one for one in intents if one.act != "language"]


async def combat(state: Draft, runtime: SagaRuntime) -> Update:
    """Play a round of a fight: the hero as read, the others by a model's plan or their nature."""
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
    """Apply what was read to the fight."""
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
    """Whether the others will get to move, by a trial run of the turn.

    They do not if the hero is refused or only looks or speaks; then no model need be asked.
    """
    trial = Play(play.game, play.book)
    fight(trial, state, {})
    return any(isinstance(one, h.TurnAdvanced | h.FightOpened) for one in trial.done)


async def others(state: Draft, runtime: SagaRuntime, play: Play) -> dict[str, Plan]:
    """Ask a model for the others' plans in the fight and what they say, by their ids."""
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
    """Let at most two of the others say what they planned to, if they are present and no beasts."""
    if play.game.fight is None:
        return
    for plan in [one for one in plans.values() if one.says][:2]:
        one = play.game.fight.get(plan.who)
        mind = one and setting.nature_of(play.game, play.book, one) != "beast"
        if plan.says and one and one.present and mind:
            play.add(h.Spoke(who=plan.who, text=plan.says))


async def tell_story(state: Draft, runtime: SagaRuntime) -> Update:
    """Tell a turn outside fights: authored passages verbatim, the rest in prose."""
    return await _told(state, runtime, "saga.narrator")


async def tell_combat(state: Draft, runtime: SagaRuntime) -> Update:
    """Tell a turn of a fight."""
    return await _told(state, runtime, "saga.herald")


async def _told(state: Draft, runtime: SagaRuntime, role: str) -> Update:
    context, book, part = runtime.context, open_book(state, runtime), state.since(state.at)
    script = script_of(
        part.before.game,
        part.events,
        book,
        was=part.before.was,
        rolled=part.before.rolled,
        turn=part.before.turns,
    )
    beats = script.beats()
    # What is done instead of what was taken back is no outcome of the words that take it back.
    lead = lead_of(beats, brought=() if takes_back(part.events) else BROUGHT)
    chronicle = known_so_far(part.before.game, book)
    shown = [state.reply] if state.reply else []

    def show(text: str) -> None:
        if text:
            context.say(f"\n\n{text}" if shown else text)
            shown.append(text)

    show(printed(beats[:lead]))
    rest, within = beats[lead:], "\n\n".join(shown)
    people = cast(part.now.game, part.before.game, book)
    said = await tell_beats(
        context,
        role,
        prompt=lambda: prompts.tell(part, book, rest, within, chronicle),
        # After a stop only code speaks: it must not be dramatised.
        beats=() if stops(part.events) else to_tell(script.drafts[lead:], rest),
        scene=scene_of(part, book, people, within, chronicle),
        otherwise=lambda: by_rules(script, rest) if part.events or not shown else "",
        colour=wants_colour(part),
        within=within,
    )
    shown += [said.text] if said.text else []
    prose = words_of(said.text) if script.unheard and said.source == "model" else ()
    open_ = (one for one in script.closing if not settled(script, one, prose))
    left = {d.left for d in script.drafts if d.left and said.source == "model"}
    closing = (*state.closing, *(one for one in open_ if one not in left))
    if left:  # these have lines where prose has not told them
        beats = (*beats[:lead], *to_tell(script.drafts[lead:], rest))
    told = "\n\n".join(shown)
    lines = (*state.lines, *(printable(beats, told) if state.reading else ()))
    rolled = (*state.rolled, *(text for beat in beats if (text := with_dice(beat.line))))
    if state.hanging:
        at = len(state.events)
        return {"reply": told, "at": at, "closing": closing, "lines": lines, "rolled": rolled}
    show("\n\n".join(closing))
    if not shown:  # a reply is never empty
        show(answer_text("untold", state.now.game.lang))
    return {
        "reply": "\n\n".join(shown),
        "events": [concluded(state, book, lines, rolled)],
    }


def to_tell(drafts: Sequence[Drafted], beats: Sequence[Beat]) -> tuple[Beat, ...]:
    """Prepare beats for a model, which retells what the player said or did: no line repeats that.

    A line that only says again what prose is to tell stands where no prose has told it.
    """

    def to_show(draft: Drafted, beat: Beat) -> Beat:
        if draft.left:
            line = Line(items=(Item(kind="text", text=draft.left),))
            return beat.model_copy(update={"line": line, "echo": True})
        if draft.echo:
            return beat.told()
        return beat.model_copy(update={"passage": ""}) if beat.echo else beat

    return tuple(map(to_show, drafts, beats))


def settled(script: Script, closing: str, prose: Sequence[str]) -> bool:
    """Whether prose has told itself of each thing that is not here, so that no line says it."""
    parts = [words_of(part) for part in script.unheard.get(closing, ())]
    named = ([word for word in words if len(word) >= surroundings.NAME_WORD] for words in parts)
    return bool(parts) and all({*words} & {*prose} for words in named)


def with_dice(line: Line) -> str:
    """Print a line with the dice of its rolls; empty if nothing was rolled."""
    dice = [item.dice for item in line.items if item.dice]
    return f"{line.text} ({' · '.join(dice)})" if dice else ""


def lead_of(beats: Sequence[Beat], brought: Sequence[str] = BROUGHT) -> int:
    """Count the leading beats that are authored text, with what it brought.

    Code shows these before asking a model.
    """
    lead = 0
    for at, beat in enumerate(beats):
        written = bool(beat.passage) and beat.kind in ("other", "arrive") and not beat.must
        if not written and not (lead and beat.kind in brought):
            break
        lead = at + 1
    return lead


def takes_back(events: Sequence[Event]) -> bool:
    """Whether what was done before is taken back."""
    return any(isinstance(one, h.TakenBack) for one in events)


def stops(events: Sequence[Event]) -> bool:
    """Whether the player stopped the scene because its content was too much for them."""
    return any(isinstance(one, h.Stopped) for one in events)


def wants_colour(part: Draft) -> bool:
    """Whether a model may add prose although there are no beats to tell."""
    events = part.events
    if part.answered and all(isinstance(one, h.LeftUndone) for one in events):
        return False  # what stays open is a sentence of the story already
    if any(isinstance(one, h.AskedBack) for one in events):
        return False  # a question to the player stands alone
    return bool(part.hanging) or (
        not stops(events)
        and not all(
            isinstance(e, COLOURLESS) or (isinstance(e, h.Consulted) and e.topic in LOOKED_UP)
            for e in events
        )
    )


def printable(beats: Sequence[Beat], told: str) -> tuple[Line, ...]:
    """Select the lines that a reply contains; passages and echoes may stand without theirs."""
    return tuple(
        b.line
        for b in beats
        if b.line.items and (b.line.text in told if b.passage or b.echo else True)
    )


def concluded(
    state: Draft, book: Book, lines: tuple[Line, ...], rolled: tuple[str, ...]
) -> TurnConcluded:
    """Build the turn's typed result: payload, channel, printed lines and up to six suggestions."""
    game = state.now.game
    ended = any(isinstance(event, h.CombatEnded) for event in state.events)
    payload: PayloadName = "NarrativeResponsePayload"
    if ended:
        payload = "CombatTurnEndPayload"
    elif takes_back(state.events):
        payload = "CombatTurnContinuePayload" if game.fight else payload
    elif state.before.game.mode == "combat":
        payload = "CombatTurnContinuePayload"
    elif game.mode == "combat":
        payload = "NarrativeTriggerCombatPayload"
    channel = state.history.channel if state.history else channel_of(state.before.game)
    asked = game.story.asked.choices if game.story.asked else ()
    back = (own_text("take_back").of(game.lang),) if game.ending else ()
    open_ = [one for one in state.events if getattr(one, "why", "") not in ("gone", "unknown")]
    words = (text for one in prompts.left_undone(open_) for text in one.what)
    offered = (*asked, *words, *suggestions(game, book), *back)
    return TurnConcluded(
        payload=payload,
        channel=channel,
        hints=tuple(dict.fromkeys(offered))[:6],
        lines=lines,
        rolled=rolled,
        began=payload == BEGAN and channel == NARRATIVE,
        played=any(isinstance(one, h.Happening) and not idle(one) for one in state.events),
    )


def idle(one: Event) -> bool:
    """Whether an event changes nothing that could be taken back, as a question and its answer."""
    asks = isinstance(one, h.Spoke) and one.want == "know"
    told = isinstance(one, h.SectionTold) and one.kind == "talk"
    return isinstance(one, IDLE) or asks or told


def open_book(state: Draft, runtime: SagaRuntime) -> Book:
    """Open the scenario and rules that the session is played with."""
    before = state.before
    return runtime.context.world.book(before.scenario, before.source, before.rules)


def as_events(play: Play) -> list[Event]:
    """Convert what happened to events."""
    return [event_of(happening) for happening in play.done]
