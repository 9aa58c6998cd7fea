"""The table's own ear: what a message means when no model reads it, or none could.

A classifier hears what each part of a message does; whom and what it is done to are the names of
the scene. What costs something has to be heard clearly, otherwise it is asked back with choices;
what is for the game master's or one companion's ears is never taken for public.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import can, choices, distinct
from ruleplay.agents.party.domain.scope import scope_of
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import people, roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.deeds import Ear, Meant, meaning
from ruleplay.story.acts import Act, Reading, problems
from ruleplay.story.hearing import BRIEF, DONE, KEYS, PLAIN, SAID, SURE, parts_of
from ruleplay.story.mentions import Named, Scope, mentioned
from ruleplay.story.texts import Text, words_of
from ruleplay.story.wording import find

QUOTED = re.compile(r"«([^«»]*)»|“([^“”]*)”|\"([^\"]*)\"|(?:(?<=\s)|^)'([^']{4,}?)'(?=\W|$)")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
"""What is put in brackets is beside the matter; how it is meant at most."""
LIKELY, GUESSED, HUSHED, HARDLY = 0.35, 0.2, 0.15, 0.1
"""How certain what is free must be, what stands beside spoken words; and from
where on words may be for few: nobody else hears them then; words that are likely enough."""
MANY = 0.8
"""A message of several sentences is plain enough later than one of few words."""
ACTS_AT_MOST, LONGEST, CHOICES, LABEL, TOLD = 4, 1_200, 4, 120, 300
MASTER = Named(
    id=DM,
    phrases=(("dm",), ("gm",), ("mj",), ("md",), ("game", "master"), ("maitre", "du", "jeu")),
)
"""Whoever names the game master speaks to nobody else."""
YES, AGAIN = ("yes", "oui"), (("again",), ("same", "again"), ("encore",), ("pareil",))
WHAT = Text(en="What does {seat} do?", fr="Que fait {seat} ?")
MEANT = Text(en="Do you mean: {0}?", fr="Voulez-vous dire : {0} ?")
WHICH = Text(en="Which do you mean?", fr="Lequel voulez-vous dire ?")
WHOM = Text(en="Whisper to whom?", fr="Chuchoter à qui ?")


def understand(message: str, table: Table, book: Book, seat: str) -> Reading:
    """Return what a message of a seat means."""
    if words_of(message) in AGAIN:
        return asking(table, book, seat)
    found = _read(message, table, book, seat)
    if problems(found, roster(table, book, seat)):
        return asking(table, book, seat)
    return found


def again(message: str, said: Sequence[str]) -> str:
    """Return the message that is meant: the last of those before where one says "again"."""
    if words_of(message) not in AGAIN:
        return message
    return next((one for one in reversed(said) if words_of(one) not in AGAIN), message)


def asking(
    table: Table, book: Book, seat: str, first: Sequence[str] = (), question: str = ""
) -> Reading:
    """Return the question what somebody does, with what they could do, the likeliest first."""
    asked_before = table.tale.question(seat)
    labels = [one.label.of(table.lang) for one in distinct(choices(table, book, seat))]
    if asked_before and {*labels[:CHOICES]} & {*asked_before.choices}:
        labels = []  # the same list again would be no help
    likely = first if len(first) > 1 else (*first, *labels)
    offered = tuple(dict.fromkeys(one[:LABEL] for one in likely))[:CHOICES]
    if len(offered) < 2:
        offered = tuple(dict.fromkeys((*offered, "/help", "/recap")))[:CHOICES]
    asked = question or WHAT.of(table.lang).format(seat=table.name(seat))
    return Reading(question=asked[:160], choices=offered)


def _read(message: str, table: Table, book: Book, seat: str) -> Reading:
    if confirmed := _confirmed(message, table, book, seat):
        return confirmed
    bare, asides = BRACKETS.sub(" ", message).strip(), " ".join(BRACKETS.findall(message))
    if seat != DM and mentioned(words_of(message), (MASTER,)):
        private = bool(mentioned(words_of(asides), (MASTER,)) and bare)
        return _one(Act(do="whisper", to=DM, text=(bare if private else message.strip())[:TOLD]))
    message = bare or message
    if seat == DM and not table.cast.fight:
        return _led(message, table, book)
    prefix = DONE.match(message)
    message = message[prefix.end() :] if prefix else message
    scope, plain = scope_of(table, book, seat), KEYS.sub(r"\1\2", message)
    spoken = [one for found in QUOTED.findall(plain) if (one := "".join(found).strip())]
    outside = QUOTED.sub(" <said> ", plain[:LONGEST])
    ears = list(_ears(outside, scope, table, book, seat, spoken))
    if whispered := _whispered(message, ears, table, seat):
        return whispered
    found = [meaning(ear) for ear in ears]
    if prefix and (done := tuple(act for one in found for act in one.acts)):
        return Reading(acts=done[:ACTS_AT_MOST])
    return _decided(message, found, table, book, seat, spoken)


def _one(act: Act) -> Reading:
    return Reading(acts=(act,))


def _confirmed(message: str, table: Table, book: Book, seat: str) -> Reading | None:
    """Return what a "yes" is to: the confirmation that waits, or the first of the choices."""
    asked = table.tale.question(seat)
    if asked is None or words_of(message)[:1] not in {(one,) for one in YES}:
        return None
    if asked.choices[:1] != ("yes",):
        return _read(asked.choices[0], table, book, seat) if asked.choices else None
    if asked.question == "leave_seat":
        return _one(Act(do="meta", meta="leave_seat"))
    here = [*people(table, book)]
    named = mentioned(words_of(asked.message), scope_of(table, book, seat).beings)
    person = named.id if named and named.id in here else next(iter(here), "")
    if asked.question != "assault" or not person:
        return None
    return _one(Act(do="rule", item="attack", to=person, text=asked.message[:TOLD]))


def _led(message: str, table: Table, book: Book) -> Reading:
    """Return what a person who leads the table says: an option by its name, else what is told."""
    words = words_of(message)
    named = (
        Named(id=one.id, phrases=tuple(words_of(said) for said in one.label.both))
        for one in choices(table, book, DM)
    )
    found = mentioned(words, tuple(named))
    if found and found.id == "wait":
        return _one(Act(do="wait"))
    if found or not table.expedition.begun:
        return _one(Act(do="pick", item=found.id if found else "begin"))
    return _one(Act(do="say", text=message.strip()[:TOLD]))


def _ears(
    outside: str, scope: Scope, table: Table, book: Book, seat: str, spoken: Sequence[str]
) -> Iterator[Ear]:
    """Yield each sentence, or each half of one that plainly does two things, to be understood."""
    left, offered = list(spoken), can(table, book, seat)
    for part in parts_of(outside, scope, things=True):
        quoted = tuple(left.pop(0) for _ in range(part.text.count(SAID)) if left)
        yield Ear(
            part=part, quoted=quoted, scope=scope, table=table, book=book, seat=seat,
            offered=offered,
        )  # fmt: skip


def _whispered(message: str, ears: Sequence[Ear], table: Table, seat: str) -> Reading | None:
    """Return words for few: all of the message, to the companions whom it names."""
    secret = (guess for ear in ears for guess in ear.part.heard["act"] if guess.label == "whisper")
    if not any(guess.sure >= HUSHED for guess in secret):
        return None
    said = words_of(message)
    named = [
        one.id
        for one in ears[0].scope.beings
        if one.id in table.characters and any(find(said, way) is not None for way in one.phrases)
    ]
    if named:
        text = message.strip()[:TOLD]
        return Reading(acts=tuple(Act(do="whisper", to=one, text=text) for one in named[:CHOICES]))
    others = [one for one in table.turn_queue if one != seat]
    offered = tuple(f"/w {one} …" for one in others)[:CHOICES]
    return Reading(question=WHOM.of(table.lang), choices=(*offered, "/help")[:CHOICES])


def _free(one: Meant) -> bool:
    return one.free and one.sure >= HARDLY


def _decided(
    message: str,
    found: Sequence[Meant],
    table: Table,
    book: Book,
    seat: str,
    spoken: Sequence[str],
) -> Reading:
    """Return the acts that were heard clearly enough for what they cost, else a question."""
    # What hangs on something is for nobody to carry out before it holds.
    now = [one for one in found if not one.depends]
    found = now if any(one.sure >= LIKELY for one in now) else found
    brief = len(words_of(message)) <= BRIEF * len(found[:2])
    needed = PLAIN if brief else MANY if len(found) > 1 else SURE
    for one in found:
        if one.which and one.sure >= LIKELY:
            return asking(table, book, seat, one.choices, WHICH.of(table.lang))
        if one.costly and not (one.sure >= needed and one.named and not one.depends):
            likely = one.choices if one.sure >= GUESSED else ()
            asks = MEANT.of(table.lang).format(likely[0]) if likely else ""
            return asking(table, book, seat, (*likely, *one.own), asks)
    sure = [one for one in found if one.sure >= (GUESSED if spoken else LIKELY) or _free(one)]
    acts = tuple(dict.fromkeys(act for one in sure for act in one.acts))[:ACTS_AT_MOST]
    asked = tuple(act for act in acts if act.do == "ask")
    doing = tuple(act for act in acts if act.do != "ask" and not (asked and act.do == "flourish"))
    if not acts:
        likely = tuple(label for one in found[:2] for label in (*one.choices[:1], *one.own))
        return asking(table, book, seat, likely)
    vain = next((at for at, act in enumerate(doing) if act.do == "vain"), len(doing))
    return Reading(acts=doing[: vain + 1] or asked[:1])
