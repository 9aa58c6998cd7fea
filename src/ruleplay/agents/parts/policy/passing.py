"""Words what a person who takes a conversation over is told, or the customer tells the shop."""

from __future__ import annotations

from ruleplay.agents.parts.domain.voice import Voice
from ruleplay.agents.parts.policy import replies
from ruleplay.agents.parts.state import Line, State


def no_hand_over(known: str, contact: str, words: Voice) -> Line:
    """Say how to reach the shop if nobody takes conversations over."""
    way = replies.reached(contact, words)
    return replies.warned("hand_over", words.say("no_hand_over", contact=way, what=known))


def passed_on(state: State, words: Voice) -> str:
    """Summarise what is known for the person who takes over; a danger comes first."""
    slots, goal, order = state.slots, state.goal, state.order
    known = [words.say("passed_hazard", what=words.label(state.hazard))] if state.hazard else []
    if goal and not state.done:  # what was answered is not wanted any more
        known.append(words.say("passed_wanted", what=words.named("goals", goal)))
    for name in ("model", "part"):
        slot = getattr(slots, name)
        unsaid = slot is None or getattr(slot, "pointed", False)
        if name == "part" and (told := _settled_on(state)) and (unsaid or len(told) > 1):
            known.append(words.say("passed_part", value=words.listed(told), state=""))
        elif slot:
            sure = getattr(slot, "state", "verified")
            doubt = "" if sure == "verified" else words.say(f"state_{sure}")
            known.append(words.say(f"passed_{name}", value=slot.value, state=doubt))
    if slots.symptoms:
        every = words.listed([replies.begun(words.label(slot.value)) for slot in slots.symptoms])
        known.append(words.say("passed_symptoms", what=every))
    if slots.description:
        known.append(words.say("passed_description", what=slots.description.value))
    if order:
        known.append(words.say("passed_order", number=order))
    return "; ".join(known).replace(" ()", "") or words.say("passed_nothing")


def _settled_on(state: State) -> list[str]:
    """List the parts that were spoken of last, or the last that was told of."""
    spoken = [card.number for card in state.spoken]
    return [one for one in state.focus if one in spoken] or spoken[-1:]
