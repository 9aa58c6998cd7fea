"""The node that asks everybody who acts in a run concurrently, before anybody acts.

Asking side by side takes as long as the slowest model instead of all of them together. Each seat's
prompt has only what that seat may know.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ruleplay.agents.party import prompts
from ruleplay.agents.party.adapters.tables import Library
from ruleplay.agents.party.domain.adventure import Remark
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import Choice, can, choices, fight_choices
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.intended import (
    Answer,
    Answers,
    Consent,
    Intended,
    MasterTurn,
    MonsterPlans,
    Pick,
    Reply,
    Voice,
)
from ruleplay.agents.party.domain.knowledge import tellable, truths
from ruleplay.agents.party.domain.mastering import astray, quietest
from ruleplay.agents.party.domain.orders import within
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.recalling import recalled, said_lately
from ruleplay.agents.party.domain.seats import DM, EVERYONE, TABLE, Audience, private
from ruleplay.agents.party.domain.staging import people, skill_of
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import Letter
from ruleplay.agents.party.policy.answering import companion_says, facts_of
from ruleplay.agents.party.policy.picking import (
    foes_to_move,
    known_ids,
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
            tuple(filter(None, dict.fromkeys((*table.undone(name), table.tale.order(name).text)))),
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
        return within(table, name, fight_choices(table, book, name))
    moving = table.model_copy(update={"current_turn": name})
    return within(table, name, can(moving, book, name))


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
    since: Sequence[str] = (),
) -> list[tuple[str, Reply]]:
    """Ask those who were `spoken` to, as (who, by whom, words), for answers to an audience.

    `helps` says what each may consent to besides; without it, they only answer. Several who are
    played by the same model answer in one call, so that nobody says what another has said. `since`
    is what the turn has told to all before.
    """
    lines = [*[line.text for line in await context.history(TABLE, LETTERS)], *since]
    ask = Asking(table, book, context, audience, lines, helps)
    spoken = spoken[:ANSWERS]
    models = {context.model(ask.role(seat)) for seat, *_ in spoken}
    played = all(table.seats[seat].by == "model" for seat, *_ in spoken)
    if len(spoken) > 1 and EVERYONE in audience and played and len(models) == 1:
        return await _together(spoken, ask)
    heard = Counter(one for _, _, words in spoken for one in words)
    said = await asyncio.gather(
        *(_answer(*one, ask, alone=any(heard[each] == 1 for each in one[2])) for one in spoken)
    )
    told = zip(spoken, said, strict=True)
    return [(seat, one) for (seat, *_), one in told if one.say or isinstance(one, Consent)]


@dataclass(frozen=True)
class Asking:
    """What is the same for all who are asked for an answer; `helps` is by seat."""

    table: Table
    book: Book
    context: Context[Library]
    audience: Audience
    lines: Sequence[str]
    helps: Mapping[str, str]

    @property
    def shown(self) -> str:
        """What is in sight of all, and the ways from there."""
        ways = known_ids(self.table, self.book, TABLE)["ways"]
        shown = situation(self.table, self.book, TABLE)
        return f"{shown}\nWays: {ways}" if ways else shown

    @property
    def known(self) -> tuple[str, ...]:
        """What all remember."""
        return recalled(self.table, self.book, TABLE)

    def role(self, seat: str) -> str:
        """Return the role in which a seat answers."""
        return f"party.{seat}.answer"

    def secrets(self, seat: str) -> dict[str, str]:
        """Return the secrets that a seat may tell, by key."""
        return {one.key: one.text for one in tellable(self.table, self.book, seat)}

    def own(self, seat: str, by: str, words: Sequence[str], *, alone: bool) -> str:
        """Return a seat's answer without a model."""
        return companion_says(seat, " ".join(words), by, self.table, self.book, alone=alone)

    def problems(self, answer: Reply, seat: str, words: Sequence[str]) -> list[str]:
        """List why a seat may not answer like this."""
        secrets, tries = self.secrets(seat), answer.tries
        hidden = kept_back(secrets.values(), secrets.get(answer.tells))
        public = "\n".join((self.shown, *self.known, *words))
        common = plain_words(self.book, self.table.lang)
        texts = (answer.say, *((tries.text, tries.finds) if tries else ()))
        found = [f"no skill {tries.skill!r}"] if tries and not skill_of(tries.skill) else []
        for text in texts:
            found += speech_problems(text, self.table, hidden, public, common)
        return found


async def _answer(seat: str, by: str, words: Sequence[str], ask: Asking, *, alone: bool) -> Reply:
    table, book = ask.table, ask.book
    hushed = EVERYONE not in ask.audience
    schema = Consent if seat in ask.helps else Reply

    def own() -> Reply:
        return schema(say=ask.own(seat, by, words, alone=alone or hushed))

    if table.seats[seat].by != "model":
        return own()
    proposed = await propose(
        ask.context,
        ask.role(seat),
        prompt=lambda: prompts.answer(
            table.name(seat),
            table.personas.get(seat, Persona()),
            table.lang,
            ask.shown,
            ask.known[-LINES:],
            _said(words, by, table),
            [*sheet(table, book, seat)],
            [*companions(table, book, seat)],
            _keyed(ask.secrets(seat)),
            ask.helps.get(seat, ""),
            ask.lines,
            said_lately(table, seat),
            hushed=hushed,
        ),
        schema=schema,
        legal=lambda answer: ask.problems(answer, seat, words),
        otherwise=own,
        audience=private(seat),
    )
    return proposed.value


async def _together(
    spoken: Sequence[tuple[str, str, Sequence[str]]], ask: Asking
) -> list[tuple[str, Reply]]:
    """Ask several in one call, which shows what all of them may know and no secret."""
    table, book = ask.table, ask.book
    told = {seat: words for seat, _, words in spoken}
    open_ = table.model_copy(update={"tale": table.tale.known_to(TABLE)})
    heard = Counter(one for words in told.values() for one in words)

    def alone(words: Sequence[str]) -> bool:
        return any(heard[one] == 1 for one in words)

    def own() -> Answers:
        said = ((seat, ask.own(seat, by, words, alone=alone(words))) for seat, by, words in spoken)
        return Answers(answers=tuple(Voice(who=seat, say=say) for seat, say in said))

    def legal(given: Answers) -> list[str]:
        found: list[str] = []
        for one in given.answers:
            heard_by = told.get(one.who)
            found += (
                [f"nobody who was spoken to is {one.who!r}"]
                if heard_by is None
                else [f"{one.who}: {why}" for why in ask.problems(one, one.who, heard_by)]
            )
        return found

    proposed = await propose(
        ask.context,
        "party.answers",
        prompt=lambda: prompts.answers(
            table.lang,
            ask.shown,
            ask.known[-LINES:],
            [
                prompts.Fellow(
                    seat,
                    table.name(seat),
                    table.personas.get(seat, Persona()),
                    _said(words, by, table),
                    [*sheet(open_, book, seat)],
                    said_lately(table, seat, aloud=True),
                    ask.helps.get(seat, ""),
                )
                for seat, by, words in spoken
            ],
            ask.lines,
        ),
        schema=Answers,
        legal=legal,
        otherwise=own,
    )
    by_seat = {one.who: one for one in reversed(proposed.value.answers)}
    order = dict.fromkeys((*(one.who for one in proposed.value.answers), *told))
    # Whoever lets the others answer has heard it all the same.
    return [(seat, by_seat.get(seat) or Voice(who=seat)) for seat in order]


def _said(words: Sequence[str], by: str, table: Table) -> str:
    return "\n".join(f"{table.name(by)}: “{one}”" for one in words)


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
