"""What the model is asked: static instructions first, what changes last."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.parts.state import State
from ruleplay.foundation.claims import Fact
from ruleplay.foundation.context import Prompt

EXTRACT = """You read messages to an appliance-parts assistant.
Report only what the message says, as JSON. - goal: diagnose_repair, install_instruction,
check_compatibility or find_part when the customer wants
  that; null when the message does not say.
- symptoms: each complaint, with `quote`, the customer's exact words, and `symptom`, one of the
known
  symptoms, copied exactly. Leave out what fits none of them, and what the customer denies.
Never report model or part numbers."""

TELL = """You are the voice of an appliance-parts assistant. Tell the customer the facts below,
all of them, in plain, friendly sentences, in the order given.
- Copy part numbers, model numbers, prices, dates, times and symptoms exactly.
- Name the part in every sentence about it; never compare, round, guess or add numbers.
- Never say that a part is incompatible: "not listed" is all that is known.
- No greeting, no headings, no advice of your own."""


def extract(message: str, state: State, symptoms: Sequence[str]) -> Prompt:
    """Ask for goal and symptoms of a message."""
    noted = ", ".join(slot.value for slot in state.slots.symptoms) or "none"
    return Prompt(
        system=f"{EXTRACT}\n\nKnown symptoms:\n" + "\n".join(symptoms),
        user=f"Goal so far: {state.goal or 'none'}. Symptoms so far: {noted}.\n\n"
        f"Message:\n{message}",
    )


def tell(message: str, facts: Sequence[Fact]) -> Prompt:
    """Ask for the facts in friendly words."""
    lines = "\n".join(f"- {fact.says}" for fact in facts)
    user = f"Facts:\n{lines}\n\nTell these facts to the customer, who asked: {message}"
    return Prompt(system=TELL, user=user)
