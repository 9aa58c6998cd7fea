"""Complaints that the trained classifier finds in a message, beyond those that rules find."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ruleplay.agents.parts.domain.descriptions import only_names, parts_named
from ruleplay.agents.parts.domain.intents import Intent, IntentKind
from ruleplay.agents.parts.domain.negation import affirms, praises
from ruleplay.agents.parts.domain.reader import (
    DOUBT,
    LIKELY,
    OFFERED,
    POSSIBLE,
    SURE,
    TOPICS,
    UNLIKELY,
    VERY_SURE,
    Reading,
    clause_of,
    seems,
)
from ruleplay.agents.parts.domain.references import excluded
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.domain.symptoms import (
    LACKS,
    SymptomFound,
    called,
    of_one_thing,
    one_complaint,
)
from ruleplay.agents.parts.domain.tokens import read_words

_ASKING: tuple[IntentKind, ...] = ("goal", "price", "stock")
_ANSWERS: tuple[IntentKind, ...] = ("choice", "yes", "no", "none_of_these", "retract")
BESIDE = (
    Goal.DIAGNOSE,
    "by_price",
    "tried",
    "sure",
    "safe",
    "worth",
    "how_tell",
    "carried",
    "away",
)
"""Topics and goals that often accompany a complaint, so they do not stop one from being read."""
_STOPS = re.compile(r"[.,;:!?\n]")
_TALK = ("complaint", "chat", "story")
"""Topics of clauses that are about the customer or the shop."""
_NUMBER = re.compile(r"\d{4}")
_BARE = 3
"""A clause of at most this many words only names something: "freezer"."""
CERTAIN = 0.8
"""Least probability of a complaint that is accepted in addition to another one."""
RIVAL = 0.15
"""Least probability of another complaint about the same device for which the customer is asked
which of the two it is."""
ASIDE = 0.07
"""Least probability of another complaint that is offered next to an uncertain one."""
_TIMES = 10
"""How many times likelier one complaint has to be than another that rules found beside it."""
SETTLED = 0.95
"""Probability of a complaint that makes up for doubt whether the message complains at all."""


def heard_complaints(
    read: Sequence[Reading],
    known: Sequence[SymptomFound],
    intents: Sequence[Intent],
    appliance: str,
    language: str = "en",
) -> tuple[list[SymptomFound], list[SymptomFound]]:
    """Find complaints beyond the `known` ones: first those that are certain, then possible ones.

    Possible ones are only good for a question to the customer. Where the message asks or answers
    something else, only clauses of their own count that surely complain.
    """
    clauses = [one for one in read[1:] if not (_contrasts(one, language) or _numbers(one))]
    read = [*read[:1], *(clauses or read[1:])]
    if not (asked := [one for one in intents if _asks_else(one)]):
        return _heard(read, known, intents, appliance)
    told = [one for one in read[1:] if _stands_apart(one, asked)]
    return (_heard([told[0], *told], known, intents, appliance)[0], []) if told else ([], [])


def _numbers(clause: Reading) -> bool:
    """Whether a clause says no more than which number something has: "the fridge is 71025"."""
    return clause.words < _BARE and bool(_NUMBER.search(clause.text))


def _contrasts(clause: Reading, language: str) -> bool:
    """Whether a clause only says what is not meant: "it's the valve that leaks, not the ice"."""
    last = read_words(clause.text)[-1:]
    short = clause.words <= _BARE
    return short and any(excluded(clause.text, one.start, language) for one in last)


def _stands_apart(one: Reading, asked: Sequence[Intent]) -> bool:
    """Whether a clause beside a question surely complains: "dead, no lights. Does PS1 fit?"."""
    surely = one.goal == "diagnose" and one.sure >= SURE and one.complaint_sure >= SETTLED
    return surely and not any(it.start < one.end and one.start < it.end for it in asked)


def _heard(
    read: Sequence[Reading],
    known: Sequence[SymptomFound],
    intents: Sequence[Intent],
    appliance: str,
) -> tuple[list[SymptomFound], list[SymptomFound]]:
    """Judge each clause, then the whole message; certain complaints rule out possible ones."""
    sure: list[SymptomFound] = []
    maybe: list[SymptomFound] = []
    spoken: list[SymptomFound | Intent] = [*known]
    spoken += [one for one in intents if one.kind == "correction"]
    heard, works = {one.symptom for one in known}, set[str]()
    complains = any(one.goal == "diagnose" and one.sure >= SURE for one in read)
    # The classifier's first reading is of the whole message, the others are of its clauses.
    if not spoken and (not intents or complains) and read[0].complaint_sure < SURE:
        maybe = _likely_complaints(read, appliance)[:OFFERED]
    for one in read[1:] or read[:1]:
        name = called(one.complaint, appliance)
        same = any(one.start < other.end and other.start < one.end for other in spoken)
        if one.goal != "diagnose" or name is None or name in heard | works or same:
            continue
        # "It does drain" names a symptom only to exclude it.
        if _works(one.text, name):
            works.add(name)
            continue
        found = SymptomFound(symptom=name, start=one.start, end=one.end, text=one.text)
        rivals = [] if heard else _rivals(one, read[0], name, appliance)
        settled = one.words > _BARE and one.sure >= SURE and one.complaint_sure >= SETTLED
        # A second complaint needs more certainty than a first, unless the whole message reads the
        # same.
        alike = read[0].complaint == one.complaint and read[0].complaint_sure >= VERY_SURE
        enough = CERTAIN if heard and not alike else VERY_SURE
        if rivals:
            maybe = [found, *rivals]
        elif settled or (
            min(one.sure, one.complaint_sure) >= enough
            and (one.complaint_sure >= CERTAIN or seems(one.text, name))
        ):
            sure.append(found)
        elif one.complaint_sure >= SURE:
            maybe = [*maybe, *_as_likely(one, appliance)]
        heard.add(name)
    # No clause is certain by itself, but the message as a whole may be.
    whole = _of_whole(read[0], works, appliance)
    rivalled = [one for one in whole if _rivals(read[0], read[0], one.symptom, appliance)]
    if not (spoken or sure or rivalled):
        sure = whole
    if complains and not (spoken or sure or maybe):
        near = _likely_complaints(read[:1], appliance, UNLIKELY)
        maybe = [one for one in near if one.symptom not in works][:OFFERED]
    # With a certain complaint there is no need to ask about possible ones.
    return sure, [] if known or sure else maybe


def _likely_complaints(
    read: Sequence[Reading], appliance: str, least: float = POSSIBLE
) -> list[SymptomFound]:
    """List the complaints that a message may make, the most likely first; may be empty."""
    told = [one for one in read if one.goal == "diagnose" and one.sure >= LIKELY] or [*read[:1]]
    if (
        told[0] is read[0]
        and read[0].goal != "diagnose"
        and (read[0].complaints.get("none", 0) > LIKELY)
    ):
        return []
    clause = max(told, key=lambda one: 1 - one.complaints.get("none", 0))
    shares = sorted(clause.complaints.items(), key=lambda one: -one[1])
    enough = least if clause.complaints.get("none", 0) <= LIKELY else UNLIKELY
    likely = [name for name, sure in shares if name != "none" and sure >= enough]
    names = dict.fromkeys(filter(None, (called(name, appliance) for name in likely)))
    span = {"start": clause.start, "end": clause.end, "text": clause.text.strip(" .,;")}
    return [SymptomFound.model_validate({"symptom": name, **span}) for name in names]


def _as_likely(one: Reading, appliance: str) -> list[SymptomFound]:
    """List the complaints that an uncertain clause may make, the most likely first."""
    names = (called(label, appliance) for label, share in one.complaints.items() if share > ASIDE)
    span = {"start": one.start, "end": one.end, "text": one.text}
    found = (SymptomFound.model_validate({"symptom": name, **span}) for name in names if name)
    return list({one.symptom: one for one in found}.values())


def _works(text: str, symptom: str) -> bool:
    """Whether the text says that the device does what the symptom says it doesn't."""
    lacking = LACKS.search(symptom)
    return affirms(text, does=bool(lacking), verb=lacking[1] if lacking else "")


def _asks_else(intent: Intent) -> bool:
    """Whether an intent asks or answers something next to which no complaint is read."""
    kinds = (*_ASKING, *_ANSWERS, "hazard", "topic")
    return intent.kind in kinds and intent.value not in BESIDE


def _of_whole(whole: Reading, works: Collection[str], appliance: str) -> list[SymptomFound]:
    """Find a complaint that is certain for the whole message though not for any of its clauses."""
    name = called(whole.complaint, appliance)
    certain = min(whole.sure, whole.complaint_sure) >= CERTAIN and whole.goal == "diagnose"
    if not certain or name is None or name in works:
        return []
    return [SymptomFound(symptom=name, start=whole.start, end=whole.end, text=whole.text)]


def _rivals(one: Reading, whole: Reading, name: str, appliance: str) -> list[SymptomFound]:
    """Find other likely complaints about the same device in a clause or in the whole message.

    What a clause surely says, other clauses do not put in doubt.
    """
    sure = one is not whole and one.complaint_sure >= CERTAIN
    shares = [*one.complaints.items(), *(() if sure else whole.complaints.items())]
    likely = dict.fromkeys(called(label, appliance) for label, share in shares if share >= RIVAL)
    others = [other for other in likely if other and of_one_thing(name, other)]
    span = {"start": one.start, "end": one.end, "text": one.text}
    return [SymptomFound.model_validate({"symptom": other, **span}) for other in others]


def in_passing(whole: Reading) -> bool:
    """Whether a message complains of no machine: "price? I have been clicking all day"."""
    silent = whole.complaint == "none" and whole.complaint_sure >= CERTAIN
    return silent and whole.goal != "diagnose"


def is_minor(told: SymptomFound, read: Sequence[Reading], kind: str) -> bool:
    """Whether the message as a whole clearly complains of something else: "no ice, only a hum"."""
    whole = read[0]
    main = called(whole.complaint, kind) if whole.complaint != "none" else None
    if main is None or min(whole.sure, whole.complaint_sure) < CERTAIN or len(read) < 2:
        return False
    shares = (
        share
        for one in (whole, *read[1:])
        for name, share in one.complaints.items()
        if called(name, kind) == told.symptom
    )
    return not one_complaint(main, told.symptom) and max(shares, default=0) < SURE


def named_alone(one: Reading, language: str) -> Reading:
    """Correct the reading of a clause that only names a part, or praises it.

    A bare name ("the drain pump?") is a search. A part that is said to be fine ("the filter's
    spotless") counts as checked, not as a complaint.
    """
    praised = one.complaint_sure < SURE and praises(one.text) and "?" not in one.text
    told: dict[str, object] = {"goal": "find", "shares": {"find": one.sure}}
    if not only_names(one.text, language):
        if not (praised and one.goal == "diagnose" and parts_named(one.text, language)):
            return one
        told = {"goal": "tried", "sure": VERY_SURE}
    bare = {"complaint": "none", "complaint_sure": 1.0, "complaints": {}}
    return one.model_copy(update={**told, **bare})


def weighed(
    complained: Sequence[SymptomFound], read: Sequence[Reading], kind: str
) -> tuple[list[SymptomFound], list[SymptomFound], tuple[SymptomFound, ...]]:
    """Weigh complaints against the classifier: all that are any, the doubted, and the others."""
    complaints = [one for one in complained if not _no_complaint(one, read)]
    doubted = [
        o for o in complaints if is_minor(o, read, kind) or _is_other(o, read, kind, complaints)
    ]
    return complaints, doubted, tuple(one for one in complaints if one not in doubted)


def _no_complaint(told: SymptomFound, read: Sequence[Reading]) -> bool:
    """Whether the words say that it works, or clearly ask something else: "knock 10 bucks off"."""
    clause = clause_of(told, read)
    phrase = _STOPS.split(clause.text[told.end - clause.start :])[0]
    behind = " ".join(phrase.split()[:_BARE])
    if affirms(f"{told.text} {behind}", does=bool(LACKS.search(told.symptom))):
        return True
    asked = TOPICS.get(clause.goal, clause.goal)
    aside = asked not in ("diagnose", *BESIDE) and clause.sure >= VERY_SURE
    silent = clause.complaint == "none" and clause.complaint_sure >= CERTAIN
    cheap = read[0].goal == "cheaper"  # "the cheapest that could fix a leaky one"
    passing = clause is not read[0] and in_passing(read[0]) and not cheap
    # "The price? I have been clicking through your pages all day."
    talk = clause.goal in _TALK and clause.shares.get("diagnose", 0) < LIKELY
    apart = aside and silent and read[0].shares.get("diagnose", 0) < POSSIBLE
    return apart or (passing and (silent or talk))


def _is_other(
    told: SymptomFound, read: Sequence[Reading], kind: str, beside: Sequence[SymptomFound]
) -> bool:
    """Whether the classifier is sure of another complaint than the rules found in the clause."""
    clause = clause_of(told, read)
    named = called(clause.complaint, kind) if clause.complaint != "none" else told.symptom
    if named is None or one_complaint(named, told.symptom):
        return False
    agreed = any(one_complaint(named, one.symptom) for one in beside)
    shares = (s for n, s in clause.complaints.items() if called(n, kind) == told.symptom)
    doubt = max(DOUBT, clause.complaint_sure / _TIMES) if agreed else DOUBT
    enough = CERTAIN if agreed else SURE
    return max(shares, default=0) < doubt and clause.complaint_sure >= enough


def felt(
    known: Sequence[SymptomFound],
    doubted: Sequence[SymptomFound],
    heard: tuple[Sequence[SymptomFound], Sequence[SymptomFound]],
) -> tuple[tuple[SymptomFound, ...], list[SymptomFound]]:
    """Return the certain symptoms and, only if there are none, each possible one."""
    sure, maybe = heard
    near = [one for one in doubted if any(of_one_thing(one.symptom, s.symptom) for s in sure)]
    if near and not known:  # rules and classifier each find a different one
        doubted, sure, maybe = near, [], [*sure, *maybe]
    doubts = [] if known or sure else [*doubted, *maybe]
    once = {one.symptom: one for one in reversed(doubts)}
    return (*known, *sure), list(once.values())[::-1]


def searched(
    intents: Sequence[Intent], complaints: Sequence[object], *, strange: bool, subject: bool
) -> tuple[Intent, ...]:
    """Turn a request for parts beside complaints into a diagnosis.

    `strange`: no part is named in known words; `subject`: the message refers to one.
    """
    if not complaints:
        return (*intents,)
    meant = (Goal.LIST, Goal.FIND) if strange else (Goal.LIST,)
    meant = (*meant, Goal.CHECK, Goal.INSTALL) if strange and not subject else meant
    asks = {one for one in intents if one.kind == "goal" and one.value in meant}
    diagnosed = {"value": Goal.DIAGNOSE.value}
    return tuple(one.model_copy(update=diagnosed) if one in asks else one for one in intents)
