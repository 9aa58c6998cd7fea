"""The node that tells a turn: authored text verbatim, then beats in prose with their lines.

Everything that is for some seats only becomes an aside. What the table has agreed not to hear
(`domain/safety.py`) is removed before a model or a reader sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ruleplay.agents.party import prompts
from ruleplay.agents.party.adapters.tables import Library
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.safety import PASSED_OVER, Safety, spared, touched
from ruleplay.agents.party.domain.seats import DM, EVERYONE, TABLE, Audience, private
from ruleplay.agents.party.domain.staging import people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.nodes.gathering import LINES, PartyRuntime, book_of, canon_of, manners
from ruleplay.agents.party.policy.answers import answer_of
from ruleplay.agents.party.policy.handbook import entry
from ruleplay.agents.party.policy.picking import scene_of
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.agents.party.policy.replies import could_do, looking_on, lost, wishes
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.policy.telling import Asked, Telling
from ruleplay.agents.party.state import Draft, Update
from ruleplay.kernel.context import Context, Prompt
from ruleplay.records.events import Aside, Event
from ruleplay.story.beats import MARK, Beat, listed, printed
from ruleplay.story.telling import laid as laid_with
from ruleplay.story.telling import tell_beats
from ruleplay.story.undone import quoted

VOICE, ASIDE, UNSEEN = "party.dm.voice", "party.dm.aside", "party.dm.unseen"


async def tell_turn(state: Draft, runtime: PartyRuntime) -> Update:
    """Tell what happened, by a model in the DM's voice or else by authored text and lines.

    In a turn that has gone on, only what has happened since is told.
    """
    context, book, began = runtime.context, book_of(state, runtime), state.reply
    goes_on = bool(state.told)
    state = state.since(state.told)
    telling = tell_events(state.before.table, state.events, book, within=goes_on)
    safety = agreed(telling.table, state.events)
    laid = sparing(telling, safety)
    asides = list[Aside]()
    if (state.given.action or {}).get("do") == "instead" and not goes_on:
        restored = texts("lines")["back_there"].of(telling.lang)
        asides.append(Aside(text=restored, audience=private(state.seat), first=True))
        context.say(f"{restored}\n\n", private(state.seat))
    # What was asked before anything was done is answered by how things stood then.
    first = [one for one in telling.questions if one.first and laid]
    if first:
        aside = await answered(first, first[-1].table, telling, context, within=False)
        context.say("\n\n", aside.audience)
        asides.append(aside.model_copy(update={"first": True}))
    shown = [
        one.model_copy(update={"first": one.first and bool(laid)})
        for one in spared_asides(telling, safety)
    ]
    for at, aside in enumerate(shown):
        if aside.first:
            await tell_own(at, aside, asides, "", state, telling, context)
            context.say("\n\n", aside.audience)
    reply = await in_prose(VOICE, laid, began, state, telling, context)
    for at, aside in enumerate(shown):
        if not aside.first:
            await tell_own(at, aside, asides, reply, state, telling, context)
    if later := [one for one in telling.questions if one not in first]:
        seat = later[0].question.seat
        within = reply or any(seat in aside.audience for aside in asides)
        asides.append(await answered(later, telling.table, telling, context, within=bool(within)))
    # A replay only knows the model of roles that were asked, and the voice is only asked if there
    # are beats.
    unanswered = to_ask(state, telling, context) if rows_of(laid) else ()
    # What a person is asked comes last, whatever else they are told.
    back = (one for own, one in zip(telling.asides, shown, strict=True) if own.text in telling.back)
    for aside in (*turn_notices(state, telling), *unanswered, *back):
        tell_aside(aside, asides, reply, context)
    log = log_of(state, telling, reply)
    whole = "\n\n".join(filter(None, (began, reply)))
    return {"reply": whole, "asides": asides, "ground_truth_log": log}


async def tell_own(
    at: int,
    aside: Aside,
    told: list[Aside],
    reply: str,
    state: Draft,
    telling: Telling,
    context: Context[Library],
) -> None:
    """Tell the aside of a number; deeds that only their seat knows of are told in prose."""
    seen = [seat for seat in aside.audience if telling.table.is_held(seat)]
    if at in telling.unseen and seen and not agreed(telling.table, state.events).on:
        unseen, ears = telling.unseen[at], aside.audience
        text = await in_prose(UNSEEN, unseen, reply, state, telling, context, ears)
        told.append(aside.model_copy(update={"text": text}))
    elif telling.asides[at].text not in telling.back:
        tell_aside(aside, told, reply, context)


def tell_aside(aside: Aside, told: list[Aside], reply: str, context: Context[Library]) -> None:
    """Say an aside, as a new paragraph if its seats have read something in this turn."""
    ears = {*aside.audience} - {DM}
    follows = reply or any(ears & {*one.audience} for one in told)
    context.say(f"\n\n{aside.text}" if follows else aside.text, aside.audience)
    told.append(aside)


async def answered(
    asked: Sequence[Asked],
    table: Table,
    telling: Telling,
    context: Context[Library],
    *,
    within: bool,
) -> Aside:
    """Answer a seat's questions outside the story from a table's facts, for that seat alone."""
    seat, book = asked[0].question.seat, telling.book
    heard = (line for one in await context.history(TABLE, LINES) for line in one.text.split("\n"))
    lately = [one for one in heard if one.startswith(MARK)][-LINES:]
    beat = answer_of([one.question for one in asked], table, book, lately)
    said = await tell_beats(
        context,
        ASIDE,
        prompt=lambda: prompts.aside(table.lang, table.name(seat), listed((beat,))),
        beats=(beat,),
        scene=scene_of(table, book, "\n".join((beat.says, *beat.facts))),
        otherwise=lambda: beat.passage,
        colour=False,
        audience=private(seat),
        within="…" if within else "",
    )
    return Aside(text=said.text, audience=private(seat))


def rows_of(laid: Sequence[str | Beat]) -> str:
    """List the beats that prose has to tell, with the authored text after them; may be empty."""
    beats = [one for one in laid if isinstance(one, Beat)]
    return listed(beats, placed(laid)[1]) if listed(beats) else ""


async def in_prose(
    role: str,
    laid: Sequence[str | Beat],
    within: str,
    state: Draft,
    telling: Telling,
    context: Context[Library],
    audience: Audience = (EVERYONE,),
) -> str:
    """Tell passages and beats to an audience, which has been told `within` before."""
    beats = [one for one in laid if isinstance(one, Beat)]
    opening, after = placed(laid)
    if opening:
        context.say(f"\n\n{opening}" if within else opening, audience)
    shown, spoken = "\n\n".join(filter(None, (within, opening))), ""
    if beats and not rows_of(laid):  # only lines, which no prose has to tell
        spoken = by_lines(beats, after)
        context.say(f"\n\n{spoken}" if shown else spoken, audience)
    elif beats:
        heard = [line.text for line in await context.history(TABLE, LINES)]
        known = scene_of(telling.table, telling.book, " ".join((*after.values(), shown, *heard)))
        said = await tell_beats(
            context,
            role,
            prompt=lambda: voiced(state, telling, shown, rows_of(laid), heard),
            beats=beats,
            scene=replace(known, player=player_of(state)),
            otherwise=lambda: by_lines(beats, after),
            colour=False,
            audience=audience,
            within=shown,
            after=after,
        )
        spoken = said.text
    return "\n\n".join(filter(None, (opening, spoken)))


def turn_notices(state: Draft, telling: Telling) -> Iterator[Aside]:
    """Yield notices to persons when a turn ends: whose turn it is, and their unfinished plans.

    A person who tried something in vain, and still has the turn, is told what is possible.
    """
    before, now = state.before.table, telling.table
    if state.waits:
        return
    moves = now.current_turn
    yield from struck_down(before, telling)
    over = {str(getattr(one, "seat", "")) for one in state.events if isinstance(one, p.Acted)}
    tried = {str(getattr(one, "who", "")) for one in state.events if isinstance(one, t.InVain)}
    for seat in tried - over:
        if now.is_held(seat) and (could := could_do(now, telling.book, seat)):
            yield Aside(text=could, audience=private(seat))
    stays = before.current_turn == moves
    # In a fight, words and small deeds leave the turn to whoever has it.
    acted = stays and now.cast.fight and state.seat == moves and telling.blocks and not tried
    if now.mode == "ended" or now.paused or (stays and not acted):
        return
    for seat in now.turn_queue:
        if seat in over and seat != moves and now.is_held(seat):
            # The game master's move shows itself by what it tells.
            over_ = texts("lines")["round_over" if moves == DM else "turn_over"].of(telling.lang)
            yield Aside(text=over_.format(name=telling.name(moves)), audience=private(seat))
    if now.is_held(moves):
        text = texts("lines")["your_turn"].of(telling.lang).format(name=telling.name(moves))
        left = (one for one in state.events if isinstance(one, t.LeftUndone))
        just = {text for one in left for text in getattr(one, "texts", ())}
        if plans := tuple(one for one in now.undone(moves) if one not in just):
            what = quoted(plans, telling.lang)
            text = f"{text} {texts('lines')['planned'].of(telling.lang).format(what=what)}"
        yield Aside(text=text, audience=private(moves))


def struck_down(before: Table, telling: Telling) -> Iterator[Aside]:
    """Yield to persons whose character has fallen in this turn what that means for them."""
    now, dying = telling.table, telling.book.rules.glossary.get("dying")
    for seat in now.characters if now.mode != "ended" else ():
        one, was = now.cast.get(seat), before.cast.get(seat)
        if one is None or was is None or not now.is_held(seat):
            continue
        if one.dead and not was.dead:
            yield Aside(text=lost(now, seat), audience=private(seat))
        elif one.dying and not was.dying and dying:
            text = " ".join((entry(dying, now.lang), *looking_on(now, seat)))
            yield Aside(text=text, audience=private(seat))


def to_ask(state: Draft, telling: Telling, context: Context[Library]) -> Iterator[Aside]:
    """Yield which topics a person can still be asked about, if no model tells the turn.

    If the player spoke to nobody in particular, and nobody answered, they are told so.
    """
    table, lang, said = telling.table, telling.lang, texts("lines")
    if table.current_turn != state.seat or table.cast.fight or context.model(VOICE) != "rules":
        return
    here = people(table, telling.book)
    spoken = {
        str(getattr(one, "to", "")) for one in state.events if isinstance(one, p.Spoke | t.Did)
    }
    told = choices(table, telling.book, state.seat)
    for to in sorted(spoken & {*here}):
        asked = [one for one in told if one.id.startswith(f"talk:{to}/") and one.venture]
        if asked:
            text = said["to_ask"].of(lang).format(what=wishes(asked, table, telling.book))
            yield Aside(text=text, audience=private(state.seat))
    said_by = {(str(getattr(one, "seat", "")), str(getattr(one, "to", "")))
               for one in state.events if isinstance(one, p.Spoke)}  # fmt: skip
    asked_back = any(isinstance(one, t.AskedBack) for one in state.events)
    alone = said_by == {(state.seat, "")} and not asked_back
    if (
        alone
        and here
        and not any(isinstance(one, Beat) and one.passage for one in telling.laid_out())
    ):
        text = said["to_nobody"].of(lang).format(", ".join(one.of(lang) for one in here.values()))
        yield Aside(text=text, audience=private(state.seat))


def placed(laid: Sequence[str | Beat]) -> tuple[str, dict[str, str]]:
    """Split a turn into the authored text before the first beat, and that after each beat."""
    opening: list[str] = []
    after: dict[str, list[str]] = {}
    last = ""
    for one in laid:
        if isinstance(one, Beat):
            last = one.id
        elif last:
            after.setdefault(last, []).append(one)
        else:
            opening.append(one)
    return "\n\n".join(opening), {key: "\n\n".join(texts) for key, texts in after.items()}


def by_lines(beats: Sequence[Beat], after: dict[str, str]) -> str:
    """Print beats, one row for each actor in turn, with authored text in its place."""
    runs: list[list[Beat]] = []
    for beat in beats:
        same = runs and runs[-1][-1].who in ("", beat.who) and runs[-1][-1].id not in after
        if same:
            runs[-1].append(beat)
        else:
            runs.append([beat])
    return "\n\n".join(text for text in (laid_with(run, after) for run in runs) if text)


def agreed(table: Table, events: Sequence[Event]) -> Safety:
    """Return the lines and veils that apply to this turn's text.

    There are none in turns that agree on them or tell that one was crossed, as these name them.
    """
    agreeing = any(isinstance(event, p.SafetyAgreed) for event in events)
    crossing = any(isinstance(event, p.Refused) and event.reason == "line" for event in events)
    return Safety() if agreeing or crossing else table.safety


def sparing(telling: Telling, safety: Safety) -> list[str | Beat]:
    """Return what is to be told, without what the table has agreed not to hear."""
    lang, laid = telling.lang, telling.laid_out()
    if not safety.on:
        return laid
    blocks = [spared(one, safety, lang) if isinstance(one, str) else one for one in laid]
    kept = [
        one
        for one in blocks
        if isinstance(one, str) or not (touched(one.says, safety) or touched(one.line.text, safety))
    ]
    return kept if kept or not laid else [PASSED_OVER.of(lang)]


def spared_asides(telling: Telling, safety: Safety) -> list[Aside]:
    """Return the asides, without what the table has agreed not to hear."""
    return [
        one.model_copy(update={"text": spared(one.text, safety, telling.lang)})
        for one in telling.asides
    ]


def player_of(state: Draft) -> str:
    """Return the character that prose addresses as "you": the only one that a person plays.

    With several persons nobody is, so that the style does not change from turn to turn.
    """
    table = state.now.table
    persons = [seat for seat in table.characters if table.is_held(seat)]
    return persons[0] if len(persons) == 1 else ""


def voiced(
    state: Draft, telling: Telling, opening: str, beats: str, heard: Sequence[str]
) -> Prompt:
    """Build the prompt for telling the turn, from what everybody knows and nothing else.

    A turn that leads to another place tells of the persons of both.
    """
    table, player, before = telling.table, player_of(state), state.before.table
    style = table.tale.style
    left = before.expedition.scene != table.expedition.scene
    at = telling.book.story.scenes.get(table.expedition.scene)
    here = [*(manners(before, telling.book) if left else ()), *manners(table, telling.book)]
    if not player:
        style = style.model_copy(update={"person": "third"})
    return prompts.telling(
        table.lang,
        style,
        table.safety,
        table.name(player) if player else "the party",
        [
            *((f"The place: {at.text.of(table.lang)}",) if at else ()),
            *(f"Here: {row}" for row in dict.fromkeys(here)),
            *(f"Established in play: {row}" for row in canon_of(table, TABLE)),
        ],
        heard[-LINES:],
        opening,
        beats,
    )


def log_of(state: Draft, telling: Telling, reply: str) -> list[str]:
    """Return the turn's lines of the DM's log, with speakers, and recipients of asides.

    If several seats acted the reply is logged as the DM's, followed by what each of them did.
    """
    actor = state.acted[0] if state.acted else state.seat
    name = telling.name(actor)
    lines = [f"[{name}]: {reply}"] if reply else []
    if len(state.acted) > 1:
        lines += [f"[{telling.name(seat)}]: {did}" for seat, did in deeds(state, telling)]
    for aside in telling.asides:
        ears = ", ".join(seat for seat in aside.audience if seat not in (DM, EVERYONE))
        lines.append(f"[{name} → {ears or DM}]: {aside.text}")
    return lines


def deeds(state: Draft, telling: Telling) -> Iterator[tuple[str, str]]:
    """Yield what each character did in a run of several acts, as printed without a model."""
    before, own = state.before.table, list[Event]()
    for event in state.events:
        own.append(event)
        if isinstance(event, p.TurnPassed):
            seat = before.current_turn
            told = tell_events(before, own, telling.book)
            before, own = told.table, []
            parts = sparing(told, agreed(told.table, state.events))
            texts = [one if isinstance(one, str) else printed((one,)) for one in parts]
            if seat != DM and (did := "\n\n".join(filter(None, texts))):
                yield seat, did
