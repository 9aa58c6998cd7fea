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
from ruleplay.agents.party.domain.labels import wish
from ruleplay.agents.party.domain.scope import scope_of
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import people, roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.answering import wares
from ruleplay.agents.party.policy.deeds import accounts, tried
from ruleplay.agents.party.policy.ears import LIKELY, MASTER, TOLD, Ear, Meant
from ruleplay.agents.party.policy.meaning import (
    announced,
    clear,
    counted,
    matters,
    meaning,
    told,
)
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.agents.party.policy.variety import lines_of
from ruleplay.agents.party.policy.ways import only, ways
from ruleplay.story.acts import ASKED_AT_MOST, Act, Reading, problems
from ruleplay.story.hearing import (
    BRIEF,
    CLAUSES,
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
from ruleplay.story.mentions import Named, Scope, conditional, mentioned, negated
from ruleplay.story.texts import table as pronouns
from ruleplay.story.texts import words_of
from ruleplay.story.undone import quoted
from ruleplay.story.wording import find

QUOTED = re.compile(r"«([^«»]*)»|“([^“”]*)”|\"([^\"]*)\"|(?:(?<=\s)|^)'([^']{4,}?)'(?=\W|$)")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
"""What is put in brackets is beside the matter; how it is meant at most."""
ACTS_AT_MOST, LONGEST, CHOICES, LABEL = 5, 1_200, 4, 120
QUOTED_AT_MOST = 160
"""Characters of a message that is asked about."""
TO_DM = re.compile(r"\s*(?:@(?:dm|gm|mj|md)\b|(?:dm|gm|mj|md)\s*:)", re.IGNORECASE)
"""How what is written is for the game master alone."""
UNSEEN = ("pick", "rule", "use", "give", "take", "check")
"""Deeds that may be done unseen."""
STOPS = re.compile(r"[,.;:!?]")
"""Where the first words of a message end."""
YES, AGAIN = ("yes", "oui"), (("again",), ("same", "again"), ("encore",), ("pareil",))
ASK = texts("asking")
TAKING_UP = tuple(words_of(way) for one in texts("taking_up").values() for way in one.both)
"""How somebody means what was said before, whatever it was."""


def understand(
    message: str, table: Table, book: Book, seat: str, own: Sequence[str] = ()
) -> Reading:
    """Return what a message of a seat means; `own` are its last ones before."""
    if words_of(message) in AGAIN:
        return asking(table, book, seat)
    message = _proposed(message, table, book, seat, own) or message
    found = _read(message, table, book, seat)
    if problems(found, roster(table, book, seat)):
        return asking(table, book, seat)
    return found


def again(message: str, said: Sequence[str]) -> str:
    """Return the message that is meant: the last of those before where one says "again"."""
    if words_of(message) not in AGAIN:
        return message
    return next((one for one in reversed(said) if words_of(one) not in AGAIN), message)


def _proposed(message: str, table: Table, book: Book, seat: str, own: Sequence[str]) -> str:
    """Return what was proposed that a message takes up: by a companion, or by a question before.

    Of a question what would come of a deed the deed counts, whoever is to help with it.
    """
    scope = scope_of(table, book, seat)
    first = (words_of(one) for one in STOPS.split(message)[:2])
    takes = [one for one in first if any(find(one, way) is not None for way in TAKING_UP)]
    part = part_of(" ".join(takes[0]) if takes else "", scope)
    if not takes or len(part.words) > BRIEF + 2 or part.being or part.item or part.place:
        return ""
    last = next((one.value for one in reversed(lines_of(table)) if one.kind == "said"), "")
    wished = {
        wish(one.venture, book.story).of(table.lang): one.label.of(table.lang)
        for one in choices(table, book, seat) if one.venture
    }  # fmt: skip
    if found := next((label for said, label in wished.items() if said in last), ""):
        return found
    before, _, deed = (own[-1] if own else "").partition(" if " if table.lang == "en" else " si ")
    helper = mentioned(words_of(deed)[:1], scope.beings)
    return (deed.partition(" ")[2] if helper else deed).rstrip(" ?!.") if before else ""


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
        return _unseen(text, table, book, seat)
    if asides and not bare and "?" not in asides and seat != DM:
        return only(Act(do="whisper", to=DM, text=message.strip()[:TOLD]))  # beside the story
    message = bare or message
    if seat == DM and not table.cast.fight:
        return _led(message, table, book)
    ears = [*_ears(message, table, book, seat)]
    found = limited([*map(meaning, ears)])
    if any(act.do == "whisper" and act.to == DM for one in found for act in one.acts):
        return _unseen(message, table, book, seat)
    if not (said := _decided(found)):
        # What is not clear by its clauses may be so by its sentences.
        said = _decided([*map(meaning, _ears(message, table, book, seat, apart=False))])
        deeds = len(found) > 1 and any(one.deed and not clear(one) for one in found)
        if deeds and said and all(act.do == "ask" for act in said.acts):
            said = None  # a deed that is open is no part of a question
    return said or _asked_back(message, ears, found)


def _unseen(message: str, table: Table, book: Book, seat: str) -> Reading:
    """Return what is for the game master alone, to its last word.

    A deed in it that is plain is done unseen; else all of it is a letter.
    """
    scope, text = scope_of(table, book, seat), TO_DM.sub("", message, count=1)
    said = [one for sentence in SENTENCES.split(text) for one in CLAUSES.split(sentence)]
    rest = [one for one in said if words_of(one) and not _hushes(one, scope)]
    ears = [*_ears(", ".join(rest), table, book, seat)] if rest and "?" not in text else ()
    looks = ((ear, meaning(ear)) for ear in ears)
    rolled = {"slight": True}
    found = [tried(ear).model_copy(update=rolled) if _looks(one) else one
             for ear, one in looks if one.acts]  # fmt: skip
    heard_so = (one for one in found if clear(one) or (one.slight and one.sure >= LIKELY))
    acts = [act for one in heard_so for act in one.acts if act.do in UNSEEN]
    if not acts or len(acts) < len(found):
        return only(Act(do="whisper", to=DM, text=message.strip()[:TOLD]))
    return Reading(acts=tuple(one.model_copy(update={"secret": True}) for one in acts))


def _looks(one: Meant) -> bool:
    """Tell whether somebody looks for what is there: unseen they find by a roll alone."""
    return any(act.item == "search" or (act.do, act.to) == ("ask", "scene") for act in one.acts)


def _hushes(text: str, scope: Scope) -> bool:
    """Tell whether words only say for whom the others are."""
    part = heard(part_of(text, scope))
    return part.act == "whisper" or mentioned(part.words, (MASTER,)) is not None


def _confirmed(message: str, table: Table, book: Book, seat: str) -> Reading | None:
    """Return what a "yes" is to: the confirmation that waits, or the first of the choices."""
    asked = table.tale.question(seat)
    if asked is None or words_of(message)[:1] not in {(one,) for one in YES}:
        return None
    if asked.choices[:1] != ("yes",):
        return _read(asked.choices[0], table, book, seat) if asked.choices else None
    if asked.question == "leave_seat":
        return only(Act(do="meta", meta="leave_seat"))
    here = [*people(table, book)]
    named = mentioned(words_of(asked.message), scope_of(table, book, seat).beings)
    person = named.id if named and named.id in here else next(iter(here), "")
    if asked.question != "assault" or not person:
        return None
    return only(Act(do="rule", item="attack", to=person, text=asked.message[:TOLD]))


def _led(message: str, table: Table, book: Book) -> Reading:
    """Return what a person who leads the table says: an option by its name, else what is told."""
    words = words_of(message)
    named = (
        Named(id=one.id, phrases=tuple(words_of(said) for said in one.label.both))
        for one in choices(table, book, DM)
    )
    found = mentioned(words, tuple(named))
    if found and found.id == "wait":
        return only(Act(do="wait"))
    if found or not table.expedition.begun:
        return only(Act(do="pick", item=found.id if found else "begin"))
    return only(Act(do="say", text=message.strip()[:TOLD]))


def _ears(
    message: str, table: Table, book: Book, seat: str, *, apart: bool = True
) -> Iterator[Ear]:
    """Yield each sentence, or each half of one that plainly does two things, to be understood."""
    scope, plain = scope_of(table, book, seat), KEYS.sub(r"\1\2", message)
    left = [one for found in QUOTED.findall(plain) if (one := "".join(found).strip())]
    offered = can(table, book, seat)
    outside = QUOTED.sub(" <said> ", plain[:LONGEST])
    before: Part | None = None
    volleys = {key for key, one in book.rules.spells.items() if one.rays > 1}
    for part in _parts(outside, scope, volleys, (table, book), apart=apart):
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
    fits = part.act == "speak" or friend == (part.act != "attack")
    return meant and not (part.item or part.place) and fits


def _parts(
    outside: str, scope: Scope, volleys: set[str], at: tuple[Table, Book], *, apart: bool
) -> Iterator[Part]:
    for sentence in filter(words_of, SENTENCES.split(outside)):
        # What names the game master may be for few, to its last word; a speech is one too.
        whole = heard(part_of(sentence, scope))
        speech = whole.act in ("speak", "whisper") and whole.sure >= MANY and SAID not in sentence
        speech = speech and not accounts(whole)  # who tells what they say may go on to what they do
        few = mentioned(whole.words, (MASTER,)) or whole.act == "whisper"
        shared = whole.item and whole.item.id in volleys and scope.mode == "combat"
        shared = shared and any(counted(whole.words, lang) for lang in ("en", "fr"))
        yield from (
            (whole,)
            if few
            or speech
            or shared
            or conditional(whole.words)
            or ("?" in sentence and len(wares(whole.words, *at)) > 1)
            or not apart
            or announced(sentence, scope)
            else clauses_of(sentence, scope)
        )


def _acts(found: Iterable[Meant]) -> tuple[Act, ...]:
    """Return the acts of parts; what is said to the same ears in several of them is one."""
    acts: list[Act] = []
    for act in dict.fromkeys(act for one in found for act in one.acts):
        more = f"{acts[-1].text} {act.text}"[:TOLD] if acts else ""
        if acts and _goes_on(act, acts[-1]):
            continue
        if act.do == "say" and acts and acts[-1].model_copy(update={"text": act.text}) == act:
            acts[-1] = act.model_copy(update={"text": more})
        else:
            acts.append(act)
    return tuple(acts[:ACTS_AT_MOST])


def _goes_on(act: Act, last: Act) -> bool:
    """Tell whether an act only says more of the one before it: a question, the same try."""
    asks = act.do == last.do == "ask" and (
        act.to == "memory" or (act.to == "help" and not last.text)
    )
    return asks or (act.do == last.do == "check" and act.skill == last.skill and not act.to)


def _decided(found: Sequence[Meant]) -> Reading | None:
    """Return the acts of a message of which every part is clear; None where one is not.

    Nothing happens before all that could matter is understood, but that questions are answered.
    """
    understood = [one for one in found if clear(one) and one.acts]
    costly = any(one.costly for one in understood)
    open_ = [
        one for one in found if not clear(one) and (matters(one, costly=costly) or not understood)
    ]
    asked = tuple(act for act in _acts(understood) if act.do == "ask")
    deeds = any(one.costly or one.deed for one in open_)
    if asked and len(asked) == len(_acts(understood)) and not deeds:
        return Reading(acts=asked)
    if open_ and understood and _follows(found, open_):
        # What comes last and is not clear yet is kept, and said.
        rest = [Act(do="flourish", when="trigger", text=one.said[:TOLD]) for one in open_]
        return Reading(acts=(*_acts(understood), *rest)[:ACTS_AT_MOST])
    if not understood or open_:
        return None
    if costly and any(act.to in ("rules", "help") for act in asked):
        # Whether it can be done is asked: the deed waits for the answer.
        rest = [Act(do="flourish", when="trigger", text=one.said[:TOLD]) for one in found
                if one.costly]  # fmt: skip
        return Reading(acts=(*asked, *rest)[:ACTS_AT_MOST])
    if asked and not costly:
        # What stands beside a question to the game, and calls nobody, is no deed and no speech.
        words = ("say", "flourish")
        kept = _acts(one for one in understood if one.called or one.acts[0].do not in words)
        return Reading(acts=kept)
    return Reading(acts=_acts(one if clear(one) else told(one) for one in found))


def _follows(found: Sequence[Meant], open_: Sequence[Meant]) -> bool:
    """Tell whether what is open comes after all that is clear: plain words, and what they do."""
    first = next(at for at, one in enumerate(found) if one is open_[0])
    before = [one for one in found[:first] if one.acts]
    does = any(act.do in ("say", "flourish", "check", "ask") for one in before for act in one.acts)
    plain = not any(one.which or not one.acts for one in open_)
    return (
        does
        and plain
        and all(clear(one) for one in before)
        and not any(clear(one) and one.acts for one in found[first:])
    )


def limited(found: Sequence[Meant]) -> list[Meant]:
    """Return meanings without the words that only say what a deed beside them is not to be."""
    deeds = any(clear(one) and one.costly for one in found)
    bounds = (deeds and negated(words_of(one.said)) and not one.called for one in found)
    return [Meant(sure=1.0) if bound else one for one, bound in zip(found, bounds, strict=True)]


def _asked_back(message: str, ears: Sequence[Ear], found: Sequence[Meant]) -> Reading:
    """Return the question how all of a message is meant, with what it may be, likeliest first."""
    table, book, seat = ears[0].table, ears[0].book, ears[0].seat
    which = next((one for one in found if one.which and one.sure >= LIKELY), None)
    if which and len(found) == 1:
        return asking(table, book, seat, which.choices, ASK["which"].of(table.lang))
    said = quoted((_brief(message),), table.lang)
    question = ASK["how"].of(table.lang).format(said, seat=table.name(seat))
    return asking(table, book, seat, [*ways(message, ears, found)], question)


def _answered(message: str, table: Table, book: Book, seat: str) -> Reading | None:
    """Return what an answer to the question about a message makes of that message."""
    asked = table.tale.question(seat)
    if asked is None or message.strip() not in asked.choices:
        return None
    ears = [*_ears(asked.message, table, book, seat)]
    meant = ways(asked.message, ears, [*map(meaning, ears)]) if ears else {}
    found = next((one for label, one in meant.items() if label[:LABEL] == message.strip()), None)
    return found if found and found.acts else None


def _brief(said: str) -> str:
    return said if len(said) <= QUOTED_AT_MOST else f"{said[:QUOTED_AT_MOST].rsplit(' ', 1)[0]} …"
