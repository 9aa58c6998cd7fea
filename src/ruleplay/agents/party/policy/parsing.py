"""The table's own ear: what a message means when no model reads it, or none could.

A classifier hears what each part of a message does; whom and what it is done to are the names of
the scene. A message is done once all of it has been understood; else it is asked back, with what
was understood and what was not. What is for few is never taken for public.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import can, choices, distinct
from ruleplay.agents.party.domain.scope import scope_of
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import people, roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.ears import LIKELY, MASTER, Ear, Meant
from ruleplay.agents.party.policy.meaning import clear, forced, matters, meaning, told
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.story.acts import ASKED_AT_MOST, EVERYBODY, Act, Reading, problems
from ruleplay.story.hearing import (
    DONE,
    KEYS,
    MANY,
    SAID,
    SENTENCES,
    SUBJECTS,
    Part,
    clauses_of,
    heard,
    part_of,
)
from ruleplay.story.mentions import Named, Scope, conditional, mentioned
from ruleplay.story.texts import table as pronouns
from ruleplay.story.texts import words_of
from ruleplay.story.undone import quoted

QUOTED = re.compile(r"«([^«»]*)»|“([^“”]*)”|\"([^\"]*)\"|(?:(?<=\s)|^)'([^']{4,}?)'(?=\W|$)")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
"""What is put in brackets is beside the matter; how it is meant at most."""
ACTS_AT_MOST, LONGEST, CHOICES, LABEL, TOLD = 5, 1_200, 4, 120, 300
QUOTED_AT_MOST = 70
"""Characters of each part of a message that is asked about."""
TO_DM = re.compile(r"\s*(?:@(?:dm|gm|mj|md)\b|(?:dm|gm|mj|md)\s*:)", re.IGNORECASE)
"""How what is written is for the game master alone."""
YES, AGAIN = ("yes", "oui"), (("again",), ("same", "again"), ("encore",), ("pareil",))
ASK = texts("asking")
ONLY_THAT, SAY_ALL = ASK["only_that"], ASK["say_all"]
"""Answers to a question about a message, which are about all of it."""


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
    asked = question or ASK["what"].of(table.lang).format(seat=table.name(seat))
    return Reading(question=asked[:ASKED_AT_MOST], choices=offered)


def _read(message: str, table: Table, book: Book, seat: str) -> Reading:
    settled = _confirmed(message, table, book, seat) or _answered(message, table, book, seat)
    if settled:
        return settled
    bare, asides = BRACKETS.sub(" ", message).strip(), " ".join(BRACKETS.findall(message))
    if seat != DM and (for_dm := mentioned(words_of(asides), (MASTER,)) or TO_DM.match(message)):
        text = bare if bare and not isinstance(for_dm, re.Match) else message.strip()
        return _one(Act(do="whisper", to=DM, text=text[:TOLD]))
    message = bare or message
    if seat == DM and not table.cast.fight:
        return _led(message, table, book)
    prefix = DONE.match(message)
    message = message[prefix.end() :] if prefix else message
    ears = list(_ears(message, table, book, seat))
    if prefix:
        found = [one if clear(one) else forced(ear) for ear in ears for one in (meaning(ear),)]
        return Reading(acts=_acts(found))
    parted = _decided([*map(meaning, ears)], table, book, seat)
    if parted.acts:
        return parted
    # What is not clear by its clauses may be so by its sentences.
    whole = map(meaning, _ears(message, table, book, seat, apart=False))
    said = _decided([*whole], table, book, seat)
    return said if said.acts else parted


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
    message: str, table: Table, book: Book, seat: str, *, apart: bool = True
) -> Iterator[Ear]:
    """Yield each sentence, or each half of one that plainly does two things, to be understood."""
    scope, plain = scope_of(table, book, seat), KEYS.sub(r"\1\2", message)
    left = [one for found in QUOTED.findall(plain) if (one := "".join(found).strip())]
    offered = can(table, book, seat)
    outside = QUOTED.sub(" <said> ", plain[:LONGEST])
    before: Part | None = None
    for part in _parts(outside, scope, apart=apart):
        quoted = tuple(left.pop(0) for _ in range(part.text.count(SAID)) if left)
        spoken = before.being.id if before and before.being and before.act == "speak" else ""
        goes_on = spoken and (part.act == "speak" or "?" in part.text)
        if before and not part.being and (goes_on or _means_again(part, before, table)):
            part = part.model_copy(update={"being": before.being})
        yield Ear(
            part=part, quoted=quoted, scope=scope, table=table, book=book, seat=seat,
            offered=offered, spoken=spoken if part.being == (before and before.being) else "",
        )  # fmt: skip
        before = part


def _means_again(part: Part, before: Part, table: Table) -> bool:
    """Tell whether words mean whom the words before them named, by a pronoun: "je la soigne"."""
    friend = before.being is not None and before.being.id in table.characters
    known = pronouns("pronouns", table.lang)
    # In French an article looks the same, but for what stands before it.
    meant = any(
        word in known and (table.lang == "en" or previous in SUBJECTS)
        for previous, word in pairwise(part.words)
    )
    return meant and not (part.item or part.place) and friend == (part.act != "attack")


def _parts(outside: str, scope: Scope, *, apart: bool) -> Iterator[Part]:
    for sentence in filter(words_of, SENTENCES.split(outside)):
        # What names the game master may be for few, to its last word; a speech is one too.
        whole = heard(part_of(sentence, scope))
        speech = whole.act in ("speak", "whisper") and whole.sure >= MANY and SAID not in sentence
        few = mentioned(whole.words, (MASTER,)) or whole.act == "whisper"
        yield from (
            (whole,)
            if few or speech or conditional(whole.words) or not apart
            else clauses_of(sentence, scope)
        )


def _acts(found: Iterable[Meant]) -> tuple[Act, ...]:
    """Return the acts of parts; what is said to the same ears in several of them is one."""
    acts: list[Act] = []
    for act in dict.fromkeys(act for one in found for act in one.acts):
        more = f"{acts[-1].text} {act.text}"[:TOLD] if acts else ""
        if act.do == "say" and acts and acts[-1].model_copy(update={"text": act.text}) == act:
            acts[-1] = act.model_copy(update={"text": more})
        else:
            acts.append(act)
    return tuple(acts[:ACTS_AT_MOST])


def _decided(found: Sequence[Meant], table: Table, book: Book, seat: str) -> Reading:
    """Return the acts of a message of which every part is clear, else a question about it.

    Nothing happens before all that could matter is understood, but that questions are answered.
    """
    understood = [one for one in found if clear(one) and one.acts]
    costly = any(one.costly for one in understood)
    open_ = [
        one for one in found if not clear(one) and (matters(one, costly=costly) or not understood)
    ]
    acts = _acts(one if clear(one) else told(one) for one in found)
    asked = tuple(act for act in acts if act.do == "ask")
    if asked and len(asked) == len(_acts(understood)) and not any(one.costly for one in open_):
        return Reading(acts=asked)
    if understood and not open_:
        return Reading(acts=acts)
    which = next((one for one in open_ if one.which and one.sure >= LIKELY), None)
    if which and len(found) == 1:
        return asking(table, book, seat, which.choices, ASK["which"].of(table.lang))
    return _asked_back(understood, open_ or found, table, book, seat)


def _asked_back(
    understood: Sequence[Meant], open_: Sequence[Meant], table: Table, book: Book, seat: str
) -> Reading:
    """Return the question what is meant by what was not understood, and what of it could be done.

    What was understood is offered first: it is done, and the rest left.
    """
    lang, done = table.lang, [one.said for one in understood]
    parts = [(ASK["read_so"], done), (ASK["not_read"], [one.said for one in open_])]
    said = (text.of(lang).format(quoted([*map(_brief, own)], lang)) for text, own in parts if own)
    likely = [ONLY_THAT.of(lang)] if done else []
    for one in open_:
        likely += one.choices[: 2 if len(open_) == 1 else 1]
    likely += [label for one in open_ for label in one.own[:1]]
    if any(one.sayable for one in open_):
        likely = [*likely[: CHOICES - 1], SAY_ALL.of(lang)]
    what = ASK["what"].of(lang).format(seat=table.name(seat))
    return asking(table, book, seat, likely, " ".join((*said, what)))


def _answered(message: str, table: Table, book: Book, seat: str) -> Reading | None:
    """Return what an answer to the question about a message makes of that message."""
    asked, said = table.tale.question(seat), words_of(message)
    if asked and said in map(words_of, SAY_ALL.both):
        return _one(Act(do="say", to=EVERYBODY, text=asked.message[:TOLD]))
    if asked and said in map(words_of, ONLY_THAT.both):
        ears = _ears(asked.message, table, book, seat)
        acts = _acts(one for ear in ears if clear(one := meaning(ear)))
        return Reading(acts=acts) if acts else None
    return None


def _brief(said: str) -> str:
    return said if len(said) <= QUOTED_AT_MOST else f"{said[:QUOTED_AT_MOST].rsplit(' ', 1)[0]} …"
