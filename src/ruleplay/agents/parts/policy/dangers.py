"""Dangers: when one is open, on which machine, and when it is over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.complaints import CERTAIN
from ruleplay.agents.parts.domain.reader import SURE, TOPICS, VERY_SURE, readings, seems_fine
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.domain.understanding import OVER, Understood
from ruleplay.agents.parts.domain.voice import says_checked, voice
from ruleplay.agents.parts.policy import replies
from ruleplay.agents.parts.state import Draft, Line, State
from ruleplay.records.events import Event
from ruleplay.records.given import Message

_SENTENCES = re.compile(r"[^.?!\n]+[.?!]*")
HAZARDS = {
    "gas": "gas", "sparks": "shock", "shock": "shock", "smoke": "fire", "fire": "fire",
    "burning_smell": "fire", "hot_cord": "hot_cord", "water_near_electricity": "flood",
    "carbon_monoxide": "carbon_monoxide", "bypass_safety": "bypass", "rewire": "rewire",
}  # fmt: skip
"""The advice text for each kind of danger; several kinds share one."""
PASSING = ("bypass", "rewire")
"""Requests that are refused once; every other danger stands until it is cleared."""
_AIR = ("gas", "carbon_monoxide")
"""Dangers of a room: none of the machines that the shop has parts for burns gas."""

CAUTION = "caution"
"""The topic of an answer to what a model says is no danger."""


def hazards(state: State, heard: Understood, turn: int) -> Iterator[Event]:
    """Stop for dangers first; everything else in the message is still remembered.

    The danger is that of the machine that the message is about. One that is over is that of this
    machine or, if it has none, the newest of another.
    """
    over = says_checked(heard.message) or heard.has("cleared") or _seems_over(heard)
    if over and (open_ := _open(state)):
        other = open_.number if open_.number != state.case else 0
        yield did.SafetyCleared(hazard=open_.hazard, case=other)
        yield did.Answered(topic="checked")
        if heard.wishes is None:
            return  # rules hear the danger in the words that say that it is over
    elif state.hazard and heard.has("person"):
        return  # it stands above the reply; whoever wants a person is told how to reach one
    if danger := heard.first("hazard"):
        kind = HAZARDS.get(danger.value, "fire")
        yield did.SafetyStopped(hazard=kind, quote=danger.text, stands=kind not in PASSING)
    elif heard.has("dismissed"):
        yield did.Answered(topic=CAUTION)


def only_fears(state: State, heard: Understood) -> bool:
    """Whether a message asks no more than whether something is safe, while a danger stands.

    "Can we plug it back in? The food is going bad" is no complaint of the fridge.
    """
    safe = any(one.value == TOPICS["safe"] for one in heard.intents)
    rules = heard.wishes is None and {*heard.goals} <= {Goal.DIAGNOSE}
    return bool(state.hazard) and safe and rules


def of_another(state: Draft) -> bool:
    """Whether a message probably tells of a machine that the shop has nothing for: a toaster."""
    known = state.now.appliance or state.now.slots.model
    whole = readings(state.given.message, ())[0]
    return not known and TOPICS.get(whole.goal) == "carried" and whole.sure >= SURE


def _seems_over(heard: Understood) -> bool:
    """Whether a sentence surely says that somebody came, or a clause beside another: all is well.

    "The gas company was here but I smell it again" ends nothing.
    """
    read = readings(heard.message, heard.found)
    if heard.wishes is not None or any(one.goal == "hazard" and one.sure >= SURE for one in read):
        return False
    said = [readings(one, ())[0] for one in _SENTENCES.findall(heard.message) if "?" not in one]
    came = any(one.goal == OVER[0] and one.sure >= VERY_SURE for one in read)
    fine = any(seems_fine(one.text) for one in read[1:])
    return (came and fine) or any(one.goal == OVER[0] and one.sure >= CERTAIN for one in said)


def in_the_air(state: State) -> bool:
    """Whether the open case is only a danger of the room, which no machine told of later has."""
    return state.hazard in _AIR and not (state.appliance or state.slots.model)


def _open(state: State) -> did.CaseFile | None:
    """Find the case whose danger is over."""
    return next((file for file in state.cases if file.hazard), None)


def standing(state: Draft, recent: Sequence[Message]) -> list[Line]:
    """Repeat, at the top of the reply, that a danger from an earlier turn is not cleared.

    In few words while the advice is still in sight.
    """
    new = any(isinstance(event, did.SafetyStopped) for event in state.events)
    keys = ("danger_air",) * 2 if state.now.hazard in _AIR else ("danger", "danger_still")
    line, brief = (voice(state.now.language).say(key) for key in keys)
    line = brief if any(line in one.text for one in recent) else line
    return [replies.warned("safety:stands", line)] if state.now.hazard and not new else []


def cautioned(state: Draft) -> list[Line]:
    """Say, at the end of a reply, what to do if words that a model dismissed are a danger."""
    topics = [one.topic for one in state.events if isinstance(one, did.Answered)]
    if CAUTION not in topics:
        return []
    line = voice(state.now.language).say("caution")
    return [Line(id="safety:caution", says=line, place="end")]
