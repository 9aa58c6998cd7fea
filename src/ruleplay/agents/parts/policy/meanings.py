"""What an unclear message may mean: the menu, the meanings offered, and the likeliest readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.reader import ASKED as LABELS
from ruleplay.agents.parts.domain.reader import DOUBT, GOALS, POSSIBLE, TOPICS, UNLIKELY, readings
from ruleplay.agents.parts.domain.slots import MENU, OF_PARTS, Goal
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy.focus import SHORT
from ruleplay.agents.parts.policy.replies import option_named
from ruleplay.agents.parts.policy.subjects import about_antecedent
from ruleplay.agents.parts.policy.unasked import in_symptom
from ruleplay.agents.parts.state import State
from ruleplay.records.events import Event

_OTHERS = "othermachine"
"""What the reader hears in a question about things that are not carried."""
_READINGS = 2
"""Most readings of an unclear message that are answered."""


def likeliest(
    state: State, heard: Understood, perhaps: Sequence[str], turn: int
) -> Iterator[Event]:
    """Answer the likeliest readings of a message where it is sure which part it is about."""
    short = len(read_words(heard.message)) <= SHORT  # "any staples?" asks what the part has
    if heard.tells or len(state.focus) != 1 or not state.done or short:
        return
    named = [one for one in heard.named if not in_symptom(heard, one)]
    if not named and not heard.foreign and not heard.found:
        for place, label in enumerate([one for one in perhaps if _is_of_one(one)][:_READINGS]):
            yield from _meaning(state, heard, turn, label, first=place == 0)


def not_carried(state: State, heard: Understood) -> Iterator[Event]:
    """Say what there are parts for, where something unknown may be asked of the shop: "car parts?".

    Nothing that is known may be named, and talk that asks nothing is left alone.
    """
    known = heard.named or heard.found or heard.symptoms or heard.references or heard.suspected
    shares = readings(heard.message, ())[0].shares
    least = UNLIKELY if "?" in heard.message and not state.focus else POSSIBLE
    asks = shares.get(_OTHERS, 0) >= least
    answers = state.asked is not None and "?" not in heard.message
    if heard.wishes is None and asks and not (known or answers):
        yield did.Answered(topic=TOPICS[_OTHERS])


def asks_so(events: Sequence[Event], unread: str) -> bool:
    """Whether one of the questions raised may be what a clause asks that was not read."""
    likely = readings(unread, ())[0].shares if unread else {}
    meant = {LABELS[label] for label, share in likely.items() if label in LABELS and share >= DOUBT}
    raised = {one.question.goal for one in events if isinstance(one, did.QuestionRaised)}
    topics = {one.topic for one in events if isinstance(one, did.Answered)}
    return not meant.isdisjoint(raised | topics)


def _is_of_one(label: str) -> bool:
    return label not in GOALS or GOALS[label] in OF_PARTS


def menu(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Take a goal that was picked from the menu."""
    if state.asked and state.asked.kind == "meant":
        yield from _picked_meaning(state, heard, turn)
    elif not state.queue:
        yield from (did.GoalSet(goal=goal) for goal in _goal_from_menu(state, heard))


def _picked_meaning(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Take the meaning that was picked after the assistant asked what a message meant."""
    options = state.asked.options if state.asked else ()
    chosen = heard.first("choice")
    picked = options[chosen.option] if chosen and chosen.option is not None else ""
    if heard.has("none_of_these", "no") or picked == options[-1]:
        yield did.Unclear(perhaps=())
    for label in LABELS if picked else ():
        if option_named(label, voice(state.language)) == picked:
            yield from _meaning(state, heard, turn, label)
            return


def _meaning(
    state: State, heard: Understood, turn: int, label: str, *, first: bool = True
) -> Iterator[Event]:
    if label not in GOALS:
        yield did.Answered(topic=LABELS[label])
        return
    yield did.QuestionRaised(
        question=about_antecedent(state, heard, GOALS[label], turn), first=first
    )


def _goal_from_menu(state: State, heard: Understood) -> Iterator[Goal]:
    """Read the answer to the menu; a symptom or a broken part is an answer too."""
    asked = state.asked
    if state.goal is not None or asked is None or asked.kind != "goal":
        return
    chosen = heard.first("choice")
    if chosen and chosen.option is not None and chosen.option < len(MENU):
        yield MENU[chosen.option]
