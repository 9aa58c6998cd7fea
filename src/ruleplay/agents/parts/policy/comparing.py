"""Finds which parts a message compares with one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.descriptions import head_of
from ruleplay.agents.parts.domain.reader import LIKELY, TOPICS, VERY_SURE, readings
from ruleplay.agents.parts.domain.references import RANKED, Reference, is_comparative
from ruleplay.agents.parts.domain.slots import (
    CARD_GOALS,
    Evidence,
    Goal,
    Question,
    UnconfirmedId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.understanding import COMPARED, Understood
from ruleplay.agents.parts.policy.pointing import OFFERED, Subject, cards_meant, is_called, part_of
from ruleplay.agents.parts.policy.singled import singled_out
from ruleplay.agents.parts.policy.unasked import Numbers
from ruleplay.agents.parts.state import QuestionRaised, State
from ruleplay.records.events import Event

MOST = 3
"""Most parts that are compared at once."""
_PAIR = 2


def compared(
    state: State, heard: Understood, numbers: Numbers, named: Sequence[Subject], turn: int
) -> list[Question] | None:
    """Raise a question for each of the parts that a message compares; `None` if it compares none.

    What is named is compared with each other, or with the part spoken of before.
    """
    if not (_compares(state, heard, named) or _which_fits(state, heard, numbers, named)):
        return None
    priced = _priced(state, heard, turn)
    meant = priced if len(priced) > 1 else [*named, *priced]
    meant = meant or _described(state, heard, turn)
    told = {(one.part or one.description): one for one in meant}
    each = [*{about.value: one for about, one in told.items() if about}.values()]
    if len(each) == 1 < len(meant) and any(one.way in RANKED for one in heard.references):
        return []  # "60 for a switch, anything cheaper?" has nothing to be compared with
    meant = each
    numbered = [one.part.value for one in meant if isinstance(one.part, VerifiedPart)]
    if any(isinstance(one.part, UnconfirmedId) for one in meant):
        return None
    if len(meant) < _PAIR:
        others = _beside(state, heard, numbered)
        whole = Evidence(turn=turn, start=0, end=len(heard.message), text=heard.message)
        beside = [Subject(part=part_of(card, whole), how="shown") for card in others]
        meant = [*beside, *meant]
    if not _PAIR <= len(meant) <= MOST:
        return None
    model = next(iter(numbers.models), None)
    return [
        Question(
            goal=Goal.ABOUT,
            part=one.part,
            description=one.description,
            model=model,
            how="compared",
        )
        for one in meant
    ]


def compares(events: Iterable[Event]) -> bool:
    """Whether one of the questions raised is a comparison, which leaves nothing unread."""
    raised = [one.question for one in events if isinstance(one, QuestionRaised)]
    return any(one.how == "compared" for one in raised)


def _compares(state: State, heard: Understood, named: Sequence[Subject]) -> bool:
    """Whether a message asks how parts differ, or which of them has less or more of something."""
    if heard.has("hazard", "complaint") or _is_total(heard) or heard.symptoms:
        return False
    if _asks_if_same(state, heard, named):
        return True
    if {*heard.goals} - {*CARD_GOALS, Goal.FIND, Goal.CHECK, Goal.DIAGNOSE, Goal.LIST}:
        return False
    if any((one.kind, one.value) == COMPARED for one in heard.intents):
        return True
    ranks = [one for one in heard.references if one.way in RANKED]
    others = [one for one in heard.references if one.way in ("place", "other", "first", "last")]
    apart = [one for one in ranks if is_comparative(heard.message, one, heard.language)]
    numbered = [one for one in named if isinstance(one.part, VerifiedPart)]
    if len(numbered) >= _PAIR and (ranks or _asks_apart(heard)):
        return True
    if others or not apart:
        return False
    few = _PAIR <= len(state.mentioned[:OFFERED]) <= MOST
    return (
        bool(numbered)
        or len(named) > 1
        or (few and "?" in heard.message)
        or len(apart) > 1
        or _likens(heard)
    )


def _asks_if_same(state: State, heard: Understood, named: Sequence[Subject]) -> bool:
    """Whether another part's own number is likened to the part spoken of.

    "Same as PS1?", "would PS1 be cheaper?"
    """
    parts = [one.part for one in named if isinstance(one.part, VerifiedPart)]
    own = [one.value for one in parts if one.via != "replaces"]
    last = [one.number for one in state.mentioned]
    dear = any(one.value == TOPICS["cheaper"] for one in heard.intents)
    likens = dear or {*heard.goals} == {Goal.REPLACED}
    return state.done and likens and len(own) == len(parts) == len(last) == 1 and own != last


def _which_fits(
    state: State, heard: Understood, numbers: Numbers, named: Sequence[Subject]
) -> bool:
    """Whether a message asks which of the parts spoken of last is for a model: "which of them".

    After a comparison it need not point at them: "which one goes on M1, in stock?".
    """
    asked = {*heard.goals} - {Goal.CHECK, Goal.LIST, Goal.MODELS, Goal.FIND}
    known = all(isinstance(one, VerifiedModel) for one in numbers.models)
    one = len(numbers.models) == 1 and known and not numbers.parts and len(named) != 1
    if state.how == "compared" and not (heard.references or named):
        compared = _PAIR <= len(state.cards) <= MOST and not heard.symptoms
        asks = bool(heard.goals) or "check" in heard.perhaps
        return one and compared and asks and asked <= {*CARD_GOALS}
    they = any(one.way == "they" for one in heard.references)
    few = _PAIR <= len(state.mentioned[:OFFERED]) <= MOST
    return one and they and few and not asked


def _is_total(heard: Understood) -> bool:
    return any(one.value == "total" for one in heard.intents)


def _asks_apart(heard: Understood) -> bool:
    """Whether a clause surely compares: "compare PS1 and PS2: price, difficulty, the lot"."""
    read = readings(heard.message, heard.found)[1:]
    return any(one.goal == COMPARED[1] and one.sure >= VERY_SURE for one in read)


def _likens(heard: Understood) -> bool:
    """Whether the whole message may be a comparison."""
    return readings(heard.message, heard.found)[0].shares.get("compare", 0) >= LIKELY


def _priced(state: State, heard: Understood, turn: int) -> list[Subject]:
    """Find the parts that a message means by their prices."""
    found: list[Subject] = []
    for one in heard.references:
        cards = cards_meant(state, one) if one.way == "priced" else []
        said = Evidence(turn=turn, start=one.start, end=one.end, text=one.text)
        found += [Subject(part=part_of(card, said), how="shown") for card in cards[:1]]
    return found


def _described(state: State, heard: Understood, turn: int) -> list[Subject]:
    """Find the only known part that the words of a message describe: "the condenser's"."""
    known = {card.number: card for card in (*state.cards, *state.spoken)}
    only = singled_out([*known.values()], heard) if len(known) > 1 else []
    # After a motor "the evaporator's" is a motor as well, and no blade.
    heads = {head_of(known[one].name) for one in state.focus if one in known}
    only = [one for one in only if head_of(one.name) in heads] if len(only) > 1 else only
    whole = Evidence(turn=turn, start=0, end=len(heard.message), text=heard.message)
    return [Subject(part=part_of(only[0], whole), how="shown")] if len(only) == 1 else []


def _beside(state: State, heard: Understood, named: Sequence[str]) -> list[Card]:
    """Find what the one part that is named is compared with: what was spoken of before it.

    If none is named, the parts in focus are compared, or the last two that were told of.
    """
    focus = state.mentioned[:OFFERED]
    terms = [one.terms for one in heard.named]
    called = [card for card in focus if any(is_called(head_of(card.name), it) for it in terms)]
    focus = called if len(called) >= _PAIR else focus  # "which of those two motors"
    told = [*focus, *reversed([one for one in state.spoken if one not in focus])]
    told = [card for card in told if card.number not in named]
    counts = [_count(one) for one in heard.references if one.way == "they"]
    if named:
        return (
            told[: 1 if len(focus) < _PAIR else len(focus) - 1] if len(focus) <= MOST else told[-1:]
        )
    count = max(counts, default=0)
    if len(focus) > count >= _PAIR:
        spoken = state.spoken[-count:]
        return [*(spoken if len(spoken) == count else focus[:count])]
    if _PAIR <= len(focus) <= MOST:
        return focus
    return [*reversed(told[:_PAIR])] if len(focus) < _PAIR else []


def _count(reference: Reference) -> int:
    return reference.count or _PAIR
