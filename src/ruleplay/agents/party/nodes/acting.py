"""Nodes in which a seat acts: the game master, a character without a player, or a human.

Models have been asked before, side by side (`gathering.py`); here their picks are applied one after
the other, as far as they are still possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import shorten

from ruleplay.agents.party import prompts
from ruleplay.agents.party.adapters.tables import Library
from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain import effecting, mastering, orders
from ruleplay.agents.party.domain.addressing import addressed
from ruleplay.agents.party.domain.admission import read_action
from ruleplay.agents.party.domain.choices import WAIT, Choice, can, choices, named_in
from ruleplay.agents.party.domain.commands import command
from ruleplay.agents.party.domain.handling import lend
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.creatures import ActionTaken
from ruleplay.agents.party.domain.human_acts import act_for
from ruleplay.agents.party.domain.improvising import (
    at_once,
    begin,
    carry_on,
    conclude,
    do_what_is_due,
    perform,
)
from ruleplay.agents.party.domain.intended import Beat, Consent, Pick, Reply
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.orders import within
from ruleplay.agents.party.domain.performance import Performance, leaves, named, unanswered
from ruleplay.agents.party.domain.remembering import worth_remembering
from ruleplay.agents.party.domain.seats import DM, TABLE, own_words, private
from ruleplay.agents.party.domain.staging import roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_rules import confess, deal
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tactics import choose_venture
from ruleplay.agents.party.domain.tale import Order
from ruleplay.agents.party.domain.turns import STRIKES, fight_on, fight_turn, take, trial
from ruleplay.agents.party.nodes.gathering import (
    LINES,
    OWN,
    PartyRuntime,
    answers_of,
    book_of,
    canon_of,
    labelled,
    letter_of,
    open_story,
    pick_of,
)
from ruleplay.agents.party.policy.answers import between_us
from ruleplay.agents.party.policy.parsing import again, understand
from ruleplay.agents.party.policy.picking import known_ids, like, situation, still
from ruleplay.agents.party.policy.refusals import is_notice
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.state import ROUND, Draft, Update, event_of
from ruleplay.kernel.context import Context
from ruleplay.kernel.propose import propose
from ruleplay.records.events import Event
from ruleplay.records.given import Given
from ruleplay.story import reading as shared
from ruleplay.story.acts import Act, Reading, hopeless
from ruleplay.story.texts import Text
from ruleplay.story.wording import double_quoted

ASKS = Text(en="And {0}, what do you do?", fr="Et vous, {0}, que faites-vous ?")
"""Question of the game master to somebody who has been passed over, if no model leads."""
DEEDS = ("pick", "rule", "use", "give", "take", "check", "flourish", "ask")
"""Acts in a whisper to the game master that are done in secret."""
HELPED = ("check", "pick", "use")
"""Acts that another hand may help with."""
READ, LEGS, ALONE = "party.read", 2, 2
"""The role that reads; most times that the rest of a message is read in the same turn; lines told
to the seat alone that its prompt shows."""


async def dm_turn(state: Draft, runtime: PartyRuntime) -> Update:
    """Let the DM act: answer whispers, then play all monsters or move the story on."""
    play = play_of(state, runtime)
    if play.table.current_turn != DM:
        return {"acted": []}
    for seat, words in state.asked.answers.items():
        if words:
            play.add(p.Whispered(seat=DM, to=(seat,), text=words[:1_000]))
        play.add(t.Answered(seat=seat))
    if play.table.cast.fight:
        fight_on(play, state.asked.plans)
        happen(play, state.asked.beats)
        play.finish(DM)
    else:
        lead(play, runtime.context, state)
    return acted(play, DM)


def lead(play: TableTurn, context: Context[Library], state: Draft) -> None:
    """Do what the DM has picked, or what the policy chooses, with the DM's beats."""
    asked = state.asked
    chosen = by_id(choices(play.table, play.book, DM), asked.master)
    if not asked.led:
        chosen = choose_venture(play.table, play.book, DM, context.rng("dm"))
    began = play.table
    done = bool(chosen and chosen.venture and play.venture(DM, chosen.venture) is None)
    if play.table.mode == began.mode:
        happen(play, asked.beats)
        if not asked.led and not done and (seat := mastering.passed_over(play)):
            mastering.spotlight(play, seat, ASKS.of(play.table.lang).format(play.table.name(seat)))
    play.finish(DM, "acts" if done or len(play.done) else "passes")


def happen(play: TableTurn, beats: Sequence[Beat]) -> None:
    """Apply the game master's beats."""
    for beat in beats:
        match beat.do:
            case "complicate":
                mastering.complicate(play, beat.kind, beat.text, beat.effect)
            case "npc":
                mastering.npc(play, beat.who, beat.how, beat.text, "")
            case "spotlight":
                mastering.spotlight(play, beat.who, beat.text)
            case "detail":
                mastering.detail(play, beat.text)
            case "quiet":
                pass


async def pc_turn(state: Draft, runtime: PartyRuntime, *, name: str) -> Update:
    """Let a character act and speak who is played by a model or by the policy."""
    play, context = play_of(state, runtime), runtime.context
    if play.table.current_turn != name:
        return {"acted": []}
    asks = play.table.seats[name].by == "model"
    pick = state.asked.picks.get(name, Pick())
    again = list(state.again)
    # A pick that others have made impossible is asked for again, but only in fights: elsewhere a
    # change of place would invalidate everybody's, and asking all of them takes too long.
    anew = asks and play.table.cast.fight is not None and not again
    if anew and pick.pick and WAIT not in pick.pick and _stale(pick, play, name):
        pick = await pick_of(name, play.table, play.book, context)
        again.append(name)
    speak(play, name, pick)
    promised = " ".join((*play.table.undone(name), pick.say))
    order = play.table.tale.order(name)
    chosen = decided(pick, play, name)
    deed = pick.tries.act if pick.tries else order.deed if not chosen else None
    fight, lends = play.table.cast.fight, name in play.table.tale.lent
    if deed and (fight.actor == name if fight else not lends):
        perform(play, name, Reading(acts=(deed,)), deed.text)
    if any(isinstance(one, p.Acted) for one in play.done):  # the deed was the turn
        return {**acted(play, name), "again": again[len(state.again) :]}
    if fight:
        bring_along(play, name, chosen, promised)
        fight_turn(play, name, chosen, spare=pick.spare)
        say_what_holds(play, name, order)
        play.finish(name)
    else:
        if not (chosen or lends or order.keeps or WAIT in pick.pick):
            venture = choose_venture(play.table, play.book, name, context.rng(name))
            chosen = [venture] if venture else []
        done = any(take(play, name, one) for one in chosen[:1] if not lends)
        play.finish(name, "acts" if done else "passes")
    return {**acted(play, name), "again": again[len(state.again) :]}


def say_what_holds(play: TableTurn, name: str, order: Order) -> None:
    """Tell what holds somebody back who has done nothing to anybody in their turn."""
    idle = not any(isinstance(one, ActionTaken) and one.targets for one in play.done)
    if order.text and idle and play.table.cast.fight:
        play.add(t.Did(who=name, text=order.text, held=True))


def bring_along(play: TableTurn, name: str, chosen: Sequence[Choice], promised: str) -> None:
    """Let a character who runs take along the fallen whom they have promised to."""
    if any(step.act == "flee" for one in chosen for step in one.steps):
        effecting.bring_along(play, name, promised)


def decided(pick: Pick, play: TableTurn, name: str) -> list[Choice]:
    """Return what a character does: their pick, else what they have said that they would do."""
    offered, vowed = offered_to(pick, play, name), play.table.undone(name)
    if vowed:
        play.add(t.Considered(seat=name))
    chosen = picked(pick, play, name, offered)
    if chosen or pick.tries or WAIT in pick.pick or play.table.tale.order(name).deed:
        return chosen
    kept = filter(None, (named_in(offered, one) or like(offered, one, play.table) for one in vowed))
    return [one for one in kept if not trial(play, name, [one])]


def offered_to(pick: Pick, play: TableTurn, name: str) -> tuple[Choice, ...]:
    """Return what a character can do; who wants nobody killed strikes nobody who lies there."""
    offered = within(play.table, name, can(play.table, play.book, name))
    if not pick.spare:
        return offered
    down = {one.id for one in play.table.cast.creatures if not one.hp}
    return tuple(
        one
        for one in offered
        if not any(step.act in STRIKES and step.target in down for step in one.steps)
    )


def _stale(pick: Pick, play: TableTurn, name: str) -> bool:
    offered = offered_to(pick, play, name)
    return not any(still((key,), play, name, offered) for key in (*pick.pick, *pick.instead))


def picked(pick: Pick, play: TableTurn, name: str, offered: Sequence[Choice]) -> list[Choice]:
    """Return the choices of a pick that can still be done, or the first possible alternative."""
    if WAIT in pick.pick:
        return [one for one in offered if one.id in pick.pick]
    if still(pick.pick, play, name, offered):
        return [one for one in (by_id(offered, (key,)) for key in pick.pick) if one]
    for key in (*pick.pick, *pick.instead):
        if still((key,), play, name, offered):
            return [one for one in offered if one.id == key]
    return []


def speak(play: TableTurn, name: str, pick: Pick) -> None:
    """Let a character say its words, which count as an answer to whoever spoke to it."""
    if any(one.to == name for one in play.table.tale.waiting) or pick.say:
        play.add(t.Listened(seat=name))
    if not pick.say:
        return
    to = pick.to if pick.to in play.table.seats and pick.to != name else ""
    play.add(p.Spoke(seat=name, text=pick.say, to=to))
    confess(play, name, pick.tells, t.ALL)
    if to in play.table.characters:
        play.add(t.SpokenTo(seat=to, by=name, text=pick.say))


async def human_turn(state: Draft, runtime: PartyRuntime) -> Update:
    """Do what a human wants: commands and actions at once, free text after reading it."""
    play, given, seat = play_of(state, runtime), state.given, state.seat
    does, waits = unread(given, play, seat), None
    if does is None or isinstance(does, a.Instead):
        own = await own_lines(seat, runtime.context)
        message = double_quoted(again(given.message, own))
        waits = await do_as_said(play, seat, message, own, runtime.context)
    elif isinstance(does, a.TakeBack):
        await take_back(play, seat, runtime.context)
    elif isinstance(does, a.Whisper) and does.to == (DM,) and given.action is None:
        await do_hushed(play, seat, does, runtime.context)
    elif isinstance(does, a.AnyTime):
        deal(play, seat, does)
    elif isinstance(does, a.Pass | a.Timeout | a.Choose):
        if isinstance(does, a.Choose) and play.table.tale.question(seat):
            play.add(t.Considered(seat=seat))
        act_for(play, play.table.current_turn, does)
    await answer_whisper(play, seat, runtime.context)
    if seat != DM:
        await whisper_back(play, seat, runtime.context)
    passed = isinstance(does, a.Pass | a.Timeout)
    looked = all(isinstance(one, p.Refused | p.Consulted | t.Private) for one in play.done)
    if play.done and seat in play.table.characters and not passed and not looked:
        play.add(t.Listened(seat=seat))
    if _heard_out(play, seat):
        return {**by_hand(play), "acts": ROUND}
    return {**by_hand(play), "waits": waits}


def _heard_out(play: TableTurn, seat: str) -> bool:
    """Whether somebody who lies dying has spoken or dreamt: the others then play a round."""
    lies = seat in play.began.onlookers and seat in play.table.onlookers
    spoke = any(isinstance(one, p.Spoke) and one.seat == seat for one in play.done)
    dreamt = any(isinstance(one, t.Did) and one.who == seat for one in play.done)
    asks = any(isinstance(one, p.Consulted | t.AskedBack | p.TakenBack) for one in play.done)
    return lies and (spoke or dreamt) and not asks and not play.table.paused


async def go_on(state: Draft, runtime: PartyRuntime) -> Update:
    """Do what hung on an answer or a find, now that this has been told; once in a turn."""
    assert state.waits is not None
    context, play, hung = runtime.context, play_of(state, runtime), state.waits
    beside = (one.text for one in state.asides if hung.seat in one.audience)
    now = replace(hung, play=play, last=None, failed=False, heard=False, left=[], hangs=[])
    now.owned, now.told = hung.owned, (state.reply,) if state.reply else ()
    own = await own_lines(now.seat, context)
    reading = await read(
        now.message, play, now.seat, context, own, hung.hangs, (*now.told, *beside)
    )
    await carry_out(now, reading, own, context)
    conclude(now)
    await hear_answers(now, context)
    return {**by_hand(play), "waits": None, "told": len(state.events)}


async def own_lines(seat: str, context: Context[Library]) -> list[str]:
    """Return what a seat's person wrote last."""
    return [line.text for line in await context.history(own_words(seat), OWN)]


def by_hand(play: TableTurn) -> Update:
    """Build the update of a person's act."""
    over = [one.seat for one in play.done if isinstance(one, p.Acted)]
    if over:
        return acted(play, over[-1])
    do_what_is_due(play)
    remember(play)
    return {"events": as_events(play)}


def unread(given: Given, play: TableTurn, seat: str) -> a.Action | None:
    """Return the action of an input that needs no reading, None for free text.

    Words are only heard once the story has begun, so where they come first, it begins with them.
    """
    action = given.action
    message, table = given.message, play.table
    does = command(message, table, play.book, seat) if action is None else read_action(action)
    if does is None or isinstance(does, a.Say) or (isinstance(does, a.Whisper) and DM in does.to):
        open_story(play)
    return does


async def do_as_said(
    play: TableTurn, seat: str, message: str, own: Sequence[str], context: Context[Library]
) -> Performance | None:
    """Do what free text means; return it unfinished where some of it hangs on what is told now."""
    now = Performance(play, seat, message)
    reading = await read(message, play, seat, context, own)
    heard = now.worded = context.model(READ) != "rules"
    if any(act.meta == "undo" for act in reading.acts):
        rest = [act for act in reading.acts if act.meta != "undo"]
        meant = reading.quote or "; ".join(now.words(act) for act in rest)
        await take_back(play, seat, context, meant if heard else "")
        for act in () if any(getattr(one, "instead", "") for one in play.done) else rest:
            now.leave(act, "")  # the head moves back, so other acts are only reported as undone
        conclude(now)
        return None
    await carry_out(now, reading, own, context)
    waits = heard and _may_go_on(now)
    if not waits:
        conclude(now)
    await hear_answers(now, context)
    return now if waits else None


def _may_go_on(now: Performance) -> bool:
    """Whether something hangs on what is told now, and the table is as it was for it."""
    table, began, fight = now.play.table, now.play.began, now.play.table.cast.fight
    asked = any(isinstance(one, t.AskedBack) for one in now.play.done)
    same = table.mode in (began.mode, "exploring") and not table.paused
    moves = now.mine and (fight is None or fight.actor == now.who)
    fresh = any(act.text not in now.plans for act in now.hangs)
    return fresh and same and moves and not asked


async def carry_out(
    now: Performance, reading: Reading, own: Sequence[str], context: Context[Library]
) -> None:
    """Do what was read; what follows a change of place is read again there."""
    play, seat = now.play, now.seat
    scene = play.table.expedition.scene
    rest = begin(now, reading)
    for _ in range(LEGS + now.heard):
        left, scene = scene, play.table.expedition.scene
        if rest and now.heard and scene == left:
            await hear_answers(
                now, context, helping=rest[0].do in HELPED and not leaves(play, rest[0])
            )
            await whisper_back(play, seat, context)
            rest = carry_on(now, Reading(acts=rest))
        elif rest:
            rest = carry_on(now, await read(now.message, play, seat, context, own, rest))
    for act in rest:
        now.leave(act, "far")


async def do_hushed(play: TableTurn, seat: str, does: a.Whisper, context: Context[Library]) -> None:
    """Do the deeds of a whisper to the game master in secret; without deeds it is a letter."""
    reading = await read(f"@dm {does.text}", play, seat, context)
    acts = tuple(act.model_copy(update={"secret": True}) for act in reading.acts if act.do in DEEDS)
    if not acts:
        deal(play, seat, does)
        return
    perform(play, seat, reading.model_copy(update={"acts": acts, "details": ()}), does.text)


async def take_back(
    play: TableTurn, seat: str, context: Context[Library], instead: str = ""
) -> None:
    """Undo a seat's last turn, unless another person at the table would lose one."""
    persons = [one for one in play.table.turn_queue if play.table.is_held(one)]
    if context.number == 1 or persons not in ([], [seat]):
        play.refuse(seat, Refusal(reason="how_undo"))
        return
    said = await context.history(own_words(seat), 1)
    words = said[-1].text if said else ""
    words = shorten(words, 300, placeholder=" …")
    play.add(p.TakenBack(seat=seat, words=words, instead=instead[:1_000]))


async def read(
    message: str,
    play: TableTurn,
    seat: str,
    context: Context[Library],
    own: Sequence[str] = (),
    rest: Sequence[Act] = (),
    told: Sequence[str] = (),
) -> Reading:
    """Return what free text means, by a model or else the parser.

    `own` are the seat's previous messages, `rest` the acts that are left to read at a new place, or
    that hung on what has been `told` since.
    """
    table, book, left = play.table, play.book, Reading(acts=tuple(rest))
    lines = [*[line.text for line in await context.history(TABLE, LINES)], *opened(play)]
    alone = lately([line.text for line in await context.history(seat, LINES)], table)
    asked = table.tale.question(seat)
    back = f"{asked.question} ({'; '.join(asked.choices)}), about: {asked.message}" if asked else ""
    known = roster(table, book, seat)
    proposed = await propose(
        context,
        READ,
        prompt=lambda: prompts.reading(
            table.lang,
            table.name(seat),
            message,
            situation(table, book, seat if table.cast.fight else TABLE),
            known_ids(table, book, seat),
            labelled(choices(table, book, seat), table),
            lines,
            canon_of(table, seat, message),
            back,
            own,
            alone,
            () if told else tuple(named(play, act) for act in rest),
            () if rest else table.undone(seat),
            hung=shared.hung(rest, "\n\n".join(told)) if told else "",
        ),
        schema=Reading,
        legal=lambda reading: (
            hopeless(addressed(reading.heard, table, book, seat), known)
            if reading != left and (reading.acts or reading.question or not told)
            else ()
        ),
        otherwise=lambda: (
            Reading(acts=rest) if rest else understand(message, table, book, seat, own)
        ),
        audience=private(seat),
    )
    unheard = proposed.source == "policy" and context.model(READ) != "rules"
    if unheard and proposed.value.question:
        play.refuse(seat, Refusal(reason="unheard"))
    return proposed.value


def lately(told: Sequence[str], table: Table) -> list[str]:
    """Return what a seat alone was told since its last turn began, without whose move it is."""
    begun = [at for at, text in enumerate(told) if is_notice(text, table, "your_turn")]
    since = told[begun[-2] if len(begun) > 1 else 0 :]
    return [text for text in since if not is_notice(text, table)][-ALONE:]


def opened(play: TableTurn) -> list[str]:
    """Return what everybody has been told in this turn of the adventure's beginning, if it has."""
    if play.began.expedition.begun or not play.table.expedition.begun:
        return []
    told = tell_events(play.began, as_events(play), play.book).laid_out()
    return [one for one in told if isinstance(one, str)]


async def hear_answers(
    now: Performance, context: Context[Library], *, helping: bool = False
) -> None:
    """Let characters without a player answer at once who were spoken to.

    Whoever consents hands over what they were asked for; where they are `helping` with a deed that
    comes next, they spend their own turn on it.

    Each is asked only once, whatever was said to them. A replay returns a role's replies in the
    order in which they arrived, and with two concurrent questions that may be the wrong order.
    """
    play, seat = now.play, now.seat
    spoken: dict[str, list[str]] = {}
    # Whoever kept silent before is not asked for the same words again.
    said = {(one.seat, one.text) for one in play.done if isinstance(one, t.SpokenTo)} - now.asked
    now.asked |= said
    for one in play.table.tale.waiting:
        able = not play.table.is_held(one.to) and not play.table.is_fallen(one.to)
        if one.by == seat and able and (one.to, one.text) in said:
            spoken.setdefault(one.to, []).append(one.text)
    told = [(other, seat, tuple(words)) for other, words in spoken.items()]
    helping = helping and not now.fighting and not _eased(play, seat)
    asks = {
        other: prompts.HELPS for other in spoken if helping and other not in play.table.tale.lent
    }
    asks |= {
        other: prompts.LENDS.format(what=play.book.effect(what).of(play.table.lang))
        for other, what in now.wanted.items()
        if other in spoken
    }
    for other, answer in await answers_of(
        told, play.table, play.book, context, helps=asks, since=now.told
    ):
        willing = isinstance(answer, Consent) and answer.helps and other in asks
        if answer.say:
            play.add(p.Spoke(seat=other, text=answer.say, to=seat))
            confess(play, other, answer.tells, t.ALL)
        _bind(play, other, answer)
        if answer.say or willing or len(told) > 1:
            play.add(t.Listened(seat=other))
        _do_as_asked(now, other, answer, willing=willing)


def _bind(play: TableTurn, other: str, answer: Reply, *, hushed: bool = False) -> None:
    """Hold a companion to what they promise; what they cannot try now they try in their turn."""
    busy = hushed or play.table.cast.fight is not None or other in play.table.tale.lent
    tries = answer.tries if busy and play.table.mode != "ended" else None
    deed = tries.act.model_copy(update={"secret": hushed}) if tries else None
    text = answer.will or (deed.text if deed else "")
    if text or answer.harms or answer.keeps:
        orders.vow(play, other, text, harms=answer.harms, keeps=answer.keeps, deed=deed)


def _do_as_asked(now: Performance, other: str, answer: Reply, *, willing: bool) -> None:
    """Let a companion hand over, help with or do at once what they were asked for."""
    play, seat = now.play, now.seat
    busy = now.fighting or other in play.table.tale.lent
    if other in now.wanted:
        if willing or play.table.seats[other].by != "model":
            lend(now, other)
    elif willing and not _eased(play, seat):
        play.add(t.HandLent(who=other, to=seat))
        effecting.help_on(play, other, seat)
    elif answer.tries and not busy:
        at_once(play, other, answer.tries.act)


def _eased(play: TableTurn, seat: str) -> bool:
    """Whether somebody's next roll has advantage already, so that another hand changes nothing."""
    one = play.table.cast.get(seat)
    return bool(one and any(effect.key == "edge-up" for effect in one.effects))


async def whisper_back(play: TableTurn, seat: str, context: Context[Library]) -> None:
    """Let characters without a player answer a whisper at once, in a whisper."""
    hushed: dict[str, list[str]] = {}
    for other, text in unanswered(play, seat):
        if not play.table.paused:
            hushed.setdefault(other, []).append(text)
    told = [(other, seat, tuple(words)) for other, words in hushed.items()]
    ears = private(seat, *hushed)
    for other, answer in await answers_of(told, play.table, play.book, context, ears):
        _bind(play, other, answer, hushed=True)
        play.add(p.Whispered(seat=other, to=(seat,), text=answer.say))
        confess(play, other, answer.tells, (seat,))


async def answer_whisper(play: TableTurn, seat: str, context: Context[Library]) -> None:
    """Let the DM answer this turn's whisper at once, to the same seat only."""
    asks = any(isinstance(one, t.Written) and one.seat == seat for one in play.done)
    if not asks or play.table.is_held(DM) or play.table.paused:
        return
    told = tell_events(play.began, as_events(play), play.book)
    came = [one.text for one in told.asides if seat in one.audience]
    words = await letter_of(seat, play.table, play.book, context, came)
    words = words or between_us(play.table.tale.letters[-1].text, play.began, play.book, seat)
    play.add(p.Whispered(seat=DM, to=(seat,), text=words[:1_000]), t.Answered(seat=seat))


def by_id(offered: Sequence[Choice], ids: Sequence[str]) -> Choice | None:
    """Return the first option that was picked, None if there is none."""
    return next((one for one in offered if one.id in ids), None)


def play_of(state: Draft, runtime: PartyRuntime) -> TableTurn:
    """Start a `TableTurn` from the state so far."""
    return TableTurn(state.now.table, book_of(state, runtime))


def acted(play: TableTurn, seat: str) -> Update:
    """Build the update of an act: its events, and that the seat has acted."""
    do_what_is_due(play)
    remember(play)
    return {"events": as_events(play), "acted": [seat]}


def remember(play: TableTurn) -> None:
    """Add memories of what is worth remembering of this turn, except for secret deeds."""
    cast, seats = (*play.began.cast.creatures, *play.table.cast.creatures), play.table.seats
    kinds = {one.id: one.kind for one in cast if one.id not in seats}
    seen = tuple(one for at, one in enumerate(play.done) if at not in play.unseen)
    play.add(*worth_remembering(seen, lambda who: kinds.get(who, "")))


def as_events(play: TableTurn) -> list[Event]:
    """Convert what happened to events, secret ones for their seat alone."""
    return [event_of(one, play.unseen.get(at, "")) for at, one in enumerate(play.done)]
