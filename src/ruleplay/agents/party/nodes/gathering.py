"""The node that asks everybody who acts in a run concurrently, before anybody acts.

Asking side by side takes as long as the slowest model instead of all of them together. Each seat's
prompt has only what that seat may know.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from typing import TypeVar

from ruleplay.agents.party import prompts
from ruleplay.agents.party.adapters.tables import Library
from ruleplay.agents.party.domain.adventure import Remark
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import Choice, can, choices, fight_choices
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.intended import (
    Answer,
    Consent,
    Intended,
    MasterTurn,
    MonsterPlans,
    Pick,
    Reply,
)
from ruleplay.agents.party.domain.knowledge import tellable, truths
from ruleplay.agents.party.domain.mastering import astray, quietest
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.recalling import recalled, said_lately
from ruleplay.agents.party.domain.seats import DM, EVERYONE, TABLE, Audience, private
from ruleplay.agents.party.domain.staging import people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import Letter
from ruleplay.agents.party.policy.answering import companion_says, facts_of
from ruleplay.agents.party.policy.picking import (
    foes_to_move,
    master_problems,
    monster_options,
    pick_problems,
    plain_words,
    plan_problems,
    prose_problems,
    situation,
    speech_problems,
)
from ruleplay.agents.party.policy.replies import companions, sheet
from ruleplay.agents.party.state import Draft, Update
from ruleplay.kernel.context import Context
from ruleplay.kernel.graph import Runtime
from ruleplay.kernel.propose import propose
from ruleplay.story.canon import Established, nearest
from ruleplay.story.texts import words_of
from ruleplay.story.wording import find

Said = TypeVar("Said")
PartyRuntime = Runtime[Context[Library]]
LETTERS, LINES, OWN, ANSWERS = 3, 12, 3, 6
"""Most whispers answered in a turn, lines of the table and of a seat's own in prompts, and seats
that answer at once."""
FACTS, ASKED, SAID = 6, 3, 320
"""Most remarks of a person in a prompt, words by which each is asked for, and its characters."""


async def ask_around(state: Draft, runtime: PartyRuntime) -> Update:
    """Ask everybody who acts in this run: characters, monsters or the DM, and pending whispers."""
    table, context = state.now.table, runtime.context
    book = book_of(state, runtime)
    seats = [seat for seat in movers(state) if table.seats[seat].by == "model"]
    asked = Intended()
    lines = [line.text for line in await context.history(TABLE, LINES)]
    ahead = _begun(table, book) if DM in seats else table
    jobs = [
        _kept(asked.picks, seat, pick_of(seat, ahead, book, context, lines))
        for seat in seats
        if seat != DM
    ]
    if DM in seats:
        jobs += _for_the_master(asked, state, table, book, context, lines)
    await asyncio.gather(*jobs)
    return {"intended": asked}


def book_of(state: Draft, runtime: PartyRuntime) -> Book:
    """Open the adventure and rules that the session is played with."""
    before = state.before
    return runtime.context.world.book(before.adventure, before.source, before.rules)


def _begun(table: Table, book: Book) -> Table:
    """Return the table after the adventure's beginning, which the DM's first turn is about to play.

    Characters are asked at the same time as the DM, so they need to see what comes first.
    """
    play = TableTurn(table, book)
    if not table.expedition.begun:
        play.venture(DM, Exploration(act="begin"))
    return play.table


def open_story(play: TableTurn) -> None:
    """Play the adventure's beginning in the DM's turn, if a person's words come before it.

    Words can only be read once there are a place and persons whom they may mean. A person at the
    DM's seat opens the story themselves.
    """
    table = play.table
    free = table.current_turn == DM and not table.is_held(DM) and not table.paused
    if free and not table.expedition.begun and play.venture(DM, Exploration(act="begin")) is None:
        play.finish(DM)


def movers(state: Draft) -> list[str]:
    """List the seats expected to act in this run, up to one that a person holds.

    Dice can still change that, for instance by ending the fight.
    """
    table = state.now.table
    fight = table.cast.fight
    if state.acts == 1:
        return [table.current_turn]
    if fight:
        order = [who if who in table.characters else DM for who in fight.order[fight.turn :]]
    else:
        order = [*table.turn_queue[table.turn_queue.index(table.current_turn) :]]
    found: list[str] = []
    for seat in order:
        if table.is_fallen(seat):
            continue
        if table.is_held(seat):
            break
        if fight or seat not in table.tale.lent:
            found.append(seat)
    return [*dict.fromkeys(found)]


def _for_the_master(
    asked: Intended,
    state: Draft,
    table: Table,
    book: Book,
    context: Context[Library],
    lines: Sequence[str],
) -> list[Coroutine[None, None, None]]:
    letters = [
        _kept(asked.answers, one.by, letter_of(one.by, table, book, context))
        for one in _letters(table)
    ]
    if table.cast.fight:
        stops = [seat for seat in table.seats if table.is_held(seat)] if state.acts > 1 else ()
        movers_ = foes_to_move(table, stops or (() if state.acts == 1 else ("",)))
        return [_ask_monsters(asked, movers_, table, book, context, lines), *letters]
    return [_ask_master(asked, table, book, context, lines), *letters]


def _letters(table: Table) -> list[Letter]:
    seen = {one.by: one for one in table.tale.letters if one.to == DM}
    return [*seen.values()][:LETTERS]


async def _kept(into: dict[str, Said], seat: str, said: Coroutine[None, None, Said]) -> None:
    """Await a seat's answer and store it."""
    into[seat] = await said


async def pick_of(
    name: str, table: Table, book: Book, context: Context[Library], lines: Sequence[str] = ()
) -> Pick:
    """Ask a character what it picks and says; an empty pick leaves the decision to the policy.

    Speech that gives private knowledge away is refused.
    """
    offered = _offered(table, book, name)
    if len(offered) < 2 and not _spoken(table, name):
        return Pick()
    known = {one.key: one.text for one in tellable(table, book, name)}
    stands = situation(table, book, name)
    memory = recalled(table, book, name)
    shared = "\n".join((stands, *lines, *recalled(table, book, TABLE), *_spoken(table, name)))
    own = (line for line in memory if line not in shared)
    hidden = [*known.values(), *own]
    common = plain_words(book, table.lang)
    proposed = await propose(
        context,
        f"party.{name}",
        prompt=lambda: prompts.pc_plan(
            table.name(name),
            table.personas.get(name, Persona()),
            table.lang,
            "\n".join((stands, *(f"So it is: {row}" for row in canon_of(table, name)))),
            labelled(offered, table),
            memory,
            _keyed(known),
            _spoken(table, name),
            [*sheet(table, book, name)],
            lines,
            table.undone(name),
            said_lately(table, name),
        ),
        schema=Pick,
        legal=lambda pick: pick_problems(
            pick, table, offered, kept_back(hidden, known.get(pick.tells)), shared, common
        ),
        otherwise=Pick,
        audience=private(name),
    )
    return proposed.value


def _keyed(known: Mapping[str, str]) -> list[str]:
    return [f"{text} ({key})" for key, text in known.items()]


def kept_back(hidden: Iterable[str], told: str | None) -> str:
    """Return the private lines that words may not give away: all but the secret that they tell."""
    return "\n".join(one for one in hidden if not told or told not in one)


def _offered(table: Table, book: Book, name: str) -> tuple[Choice, ...]:
    fight = table.cast.fight
    if fight and fight.actor != name:
        return fight_choices(table, book, name)
    return can(table.model_copy(update={"current_turn": name}), book, name)


def _spoken(table: Table, name: str) -> tuple[str, ...]:
    return tuple(
        f"{table.name(one.by)}: “{one.text}”" for one in table.tale.waiting if one.to == name
    )


async def _ask_master(
    asked: Intended, table: Table, book: Book, context: Context[Library], lines: Sequence[str]
) -> None:
    offered = choices(table, book, DM)
    if not astray(table):
        offered = tuple(one for one in offered if not (one.venture and one.venture.act == "hint"))
    quiet = quietest(TableTurn(table, book), table.characters)
    hidden, heard = truths(table, book), "\n".join((situation(table, book, TABLE), *lines))
    proposed = await propose(
        context,
        "party.dm",
        prompt=lambda: prompts.master_turn(
            table.lang,
            situation(table, book, TABLE),
            labelled(offered, table),
            manners(table, book),
            canon_of(table, DM),
            lines,
            f"Quiet longest: {quiet}." if quiet else "",
            hidden,
        ),
        schema=MasterTurn,
        legal=lambda turn: master_problems(turn, table, book, offered, hidden, heard),
        otherwise=MasterTurn,
        audience=private(DM),
    )
    asked.master, asked.beats = proposed.value.pick, proposed.value.beats
    asked.led = proposed.source == "model"


async def _ask_monsters(
    asked: Intended,
    movers_: Sequence[str],
    table: Table,
    book: Book,
    context: Context[Library],
    lines: Sequence[str],
) -> None:
    if not movers_:
        return
    proposed = await propose(
        context,
        "party.monsters",
        prompt=lambda: prompts.monsters(
            table.lang, situation(table, book, DM), monster_options(table, book, movers_), lines
        ),
        schema=MonsterPlans,
        legal=lambda wanted: plan_problems(wanted, table, book, movers_),
        otherwise=MonsterPlans,
        audience=private(DM),
    )
    asked.plans = {plan.who: plan.pick for plan in proposed.value.plans}
    asked.beats = proposed.value.beats


async def letter_of(
    seat: str, table: Table, book: Book, context: Context[Library], came: Sequence[str] = ()
) -> str:
    """Ask the DM to answer a seat's whisper, by what that seat may know.

    `came` are this turn's results that only the seat has seen.
    """
    words = " / ".join(one.text for one in table.tale.letters if one.by == seat)
    lines = [line.text for line in await context.history(TABLE, LETTERS)]
    proposed = await propose(
        context,
        "party.dm.letter",
        prompt=lambda: prompts.letter(
            table.lang,
            table.name(seat),
            situation(table, book, seat),
            recalled(table, book, seat)[-LINES:],
            [one.text for one in tellable(table, book, seat)],
            [*sheet(table, book, seat)],
            [*lines, *came],
            words,
        ),
        schema=Answer,
        legal=lambda answer: prose_problems(answer.say, table, book) if answer.say else [],
        otherwise=Answer,
        audience=private(seat),
    )
    return proposed.value.say


async def answers_of(
    spoken: Sequence[tuple[str, str, Sequence[str]]],
    table: Table,
    book: Book,
    context: Context[Library],
    audience: Audience = (EVERYONE,),
    helps: Mapping[str, str] = {},
) -> list[tuple[str, Reply]]:
    """Ask those who were `spoken` to, as (who, by whom, words), for answers to an audience.

    `helps` says what each may consent to besides; without it, they only answer.
    """
    heard = Counter(one for _, _, words in spoken for one in words)
    said = await asyncio.gather(
        *(
            _answer(
                *one,
                table,
                book,
                context,
                audience,
                alone=EVERYONE not in audience or any(heard[each] == 1 for each in one[2]),
                helps=helps.get(one[0], ""),
            )
            for one in spoken[:ANSWERS]
        )
    )
    told = zip(spoken, said, strict=False)
    return [(seat, one) for (seat, *_), one in told if one.say or isinstance(one, Consent)]


async def _answer(
    seat: str,
    by: str,
    words: Sequence[str],
    table: Table,
    book: Book,
    context: Context[Library],
    audience: Audience,
    *,
    alone: bool,
    helps: str,
) -> Reply:
    schema = Consent if helps else Reply
    secrets = {one.key: one.text for one in tellable(table, book, seat)}
    lines = [line.text for line in await context.history(TABLE, LETTERS)]

    def own() -> Reply:
        return schema(say=companion_says(seat, " ".join(words), by, table, book, alone=alone))

    if table.seats[seat].by != "model":
        return own()
    proposed = await propose(
        context,
        f"party.{seat}.answer",
        prompt=lambda: prompts.answer(
            table.name(seat),
            table.personas.get(seat, Persona()),
            table.lang,
            situation(table, book, TABLE),
            recalled(table, book, TABLE)[-LINES:],
            "\n".join(f"{table.name(by)}: “{one}”" for one in words),
            [*sheet(table, book, seat)],
            [*companions(table, book, seat)],
            _keyed(secrets),
            helps,
            lines,
            said_lately(table, seat),
            hushed=EVERYONE not in audience,
        ),
        schema=schema,
        legal=lambda answer: speech_problems(
            answer.say,
            table,
            kept_back(secrets.values(), secrets.get(answer.tells)),
            "\n".join((situation(table, book, TABLE), *recalled(table, book, TABLE), *words)),
            plain_words(book, table.lang),
        ),
        otherwise=own,
        audience=private(seat),
    )
    return proposed.value


def labelled(offered: Sequence[Choice], table: Table) -> list[tuple[str, str]]:
    """Pair the ids of options with their labels in the table's language."""
    return [(one.id, one.label.of(table.lang)) for one in offered]


def manners(table: Table, book: Book) -> list[str]:
    """Describe the persons here, with manner, attitude, and what they tell anybody who asks."""
    rows, lang = [], table.lang
    for key, name in people(table, book).items():
        person = book.story.persons[key]
        feels = table.tale.attitudes.get(key, person.attitude)
        rows.append(
            f"{name.of(lang)} ({key}): {person.text.of(lang)} {person.manner.of(lang)}; "
            f"likes {feels:+d}"
        )
        # Topics that were told are left out: either the last lines have them, or they are private.
        remarks = [one for one in facts_of(key, table, book) if isinstance(one, Remark)]
        for one in remarks[:FACTS]:
            asked = ", ".join(getattr(one.words, lang)[:ASKED])
            rows.append(f"{name.of(lang)}, where asked of {asked}: {one.text.of(lang)[:SAID]}")
    return rows


def canon_of(table: Table, seat: str, words: str = "") -> list[str]:
    """Select the most relevant details established in play, of those that a seat may know.

    Those of other places are among them only where a player's `words` name them.
    """
    found = nearest(
        table.tale.known_to(seat).canon,
        place=table.expedition.scene,
        words=words,
        beings=(*table.characters, *table.tale.followers),
    )
    return [about(one, table) for one in found]


def about(made: Established, table: Table) -> str:
    """Return what was established, with the name of the creature that a bare "she" stands for."""
    one = table.cast.get(made.about) if made.kind == "detail" else None
    name = words_of(one.name.of(table.lang)) if one else ()
    bare = bool(name) and find(words_of(made.text), name) is None
    return f"{table.name(made.about)}: {made.text}" if bare else made.text
