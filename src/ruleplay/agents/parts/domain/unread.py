"""Finds the clauses and words of a message that nothing was recognised of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ruleplay.agents.parts.domain.descriptions import Description
from ruleplay.agents.parts.domain.ids import Found, Span
from ruleplay.agents.parts.domain.intents import Intent, question_words
from ruleplay.agents.parts.domain.reader import (
    ASKED,
    GOALS,
    LIKELY,
    SURE,
    TOPICS,
    VERY_SURE,
    Reading,
    may_name_part,
    part_share,
    quoted,
    seems_fine,
)
from ruleplay.agents.parts.domain.references import (
    Reference,
    foreign_words,
    has_machine,
    placed_as_names,
)

_BARE = 3
"""Most words of a clause that says nothing by itself: "any idea?"."""
_SHORT = 5
"""Most words of a clause that asks about the complaint beside it: "what could that be?"."""
_LISTED = ("price", "effort", "diagnose", "find")
"""What a list of causes answers by itself."""


def unread(
    message: str,
    read: Sequence[Reading],
    used: Iterable[tuple[int, int]],
    topics: Collection[str],
    *,
    told: bool,
) -> str:
    """Quote the clauses that ask and meet no stretch that was `used`; often empty.

    `topics` are the goals and side questions that are answered, and `told` says that the message
    has a complaint. The first of `read` is the whole message.
    """
    spots = [*used]
    spans = [
        (one.start, one.end)
        for one in read[1:]
        if _wants_answer(one, told=told)
        and not (told and one.complaint == read[0].complaint != "none")
        and ASKED.get(one.goal) not in topics
        and not any(start < one.end and one.start < end for start, end in spots)
    ]
    return " … ".join(quoted(message[start:end]) for start, end in spans)


def _wants_answer(one: Reading, *, told: bool) -> bool:
    """Whether a clause asks something; a list of causes has prices and effort already.

    What is told in passing needs no answer, understood or not.
    """
    listed = told and one.goal in _LISTED and one.sure >= SURE
    sure = VERY_SURE if told else SURE
    asks = "?" in one.text or (one.goal == "untold" and one.sure >= sure)
    return asks and one.words > (_SHORT if told else _BARE) and not listed


def spared(
    read: Sequence[Reading], pointing: Iterable[Reference], named: Iterable[Description]
) -> bool:
    """Whether a clause says or supposes of "it" that it is in order: "and if it's good?"."""
    its, nouns = [one.start for one in pointing], [one.start for one in named]
    return any(
        (one.sure < SURE or one.goal not in GOALS)
        and any(one.start <= at < one.end for at in its)
        and not any(one.start <= at < one.end for at in nouns)
        and seems_fine(one.text)
        for one in read[1:]
    )


def unknown_thing(message: str, language: str) -> str:
    """Find the words in no vocabulary that are used most like a name: "headlight"; may be empty."""
    strange = foreign_words(message, (), language, question_words(language))
    named = [(part_share(message, one.start, one.end), one.text) for one in strange]
    named = [one for one in named if not one[1].isdigit()]
    return max(named, key=lambda one: one[0])[1] if named else ""


def untold(quote: str, read: Sequence[Reading]) -> tuple[Intent, ...]:
    """Take an unread clause for a question that the catalog has no data for, if that is likeliest.

    "Do I need one on each side?" is answered with what the catalog does not say.
    """
    meant = {"kind": "topic", "value": TOPICS["untold"]}
    return tuple(
        Intent.model_validate({**meant, "start": one.start, "end": one.end, "text": one.text})
        for one in read
        if quote and quoted(one.text) == quote
        if one.goal == "untold" and one.sure >= LIKELY
    )[:1]


def unknown_names(
    message: str,
    covered: Sequence[tuple[int, int]],
    language: str,
    numbers: Sequence[Found],
    picking: Sequence[Reference],
    bare: int,
) -> tuple[Span, ...]:
    """Find the unknown words that may name a part.

    Before position `bare`, where nothing else is the message's subject, an article is enough: "how
    much is *the gizmo*, it's for …".
    """
    models = [one.start for one in numbers if "model" in (one.type, getattr(one, "kind", ""))]
    strange = tuple(
        one
        for one in foreign_words(message, covered, language, question_words(language))
        if not any(has_machine(message, one, model, language) for model in models)
    )
    placed, around = placed_as_names(message, strange, language), (*numbers, *picking)
    likely = tuple(
        one for one in strange if may_name_part(message, one, around, placed=one in placed)
    )
    return likely or tuple(one for one in placed if one.end <= bare)
