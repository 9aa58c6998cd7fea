"""What the model is asked: static instructions first, what changes last."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.parts.domain.voice import LANGUAGES
from ruleplay.agents.parts.state import State
from ruleplay.foundation.claims import Fact
from ruleplay.foundation.context import Prompt

EXTRACT = """You read messages to an appliance-parts shop and report what they say, as JSON.
Every quote is copied exactly from the message. Report nothing that the message does not say.
- wishes: each thing the customer asks, in order, with its own subjects:
  - goal: diagnose_repair (what is wrong, which part for a problem), check_compatibility (does a
    part fit), install_instruction (the steps), installation_effort (how hard, how long, a video),
    find_part (a part by its description), price_and_stock, about_part (what a part is or does).
  - part, model: the number as written, for each part asked about a wish of its own.
  - words: what describes or points at the part when it has no number: "the drain pump", "it",
    "the cheaper one". shown: its number in the list of shown parts, only if one is clearly meant.
  Describing a problem is a wish to diagnose it. Telling a model number alone is no wish.
- symptoms: each complaint with `quote` and `symptom`, one of the known symptoms, copied exactly.
  The component that is broken wins over the machine: "the ice maker on my fridge is dead" is about
  ice, not about the fridge. Leave out what fits none, and what the customer denies.
- denied: quotes of problems that the customer denies, takes back or does not mind.
- hazard: gas, sparks, smoke, fire, shock, burning_smell, hot_cord, water_near_electricity,
  carbon_monoxide or bypass_safety, with its quote, when there is a danger now; else null.
- topic: person, order_status, unknown_model_number, thanks, greeting, bye, repeat, out_of_scope, or
  "" when it is none of these.
- language: the message's language as two letters."""

TELL = """You are the voice of an appliance-parts assistant. Tell the customer the facts below,
all of them, in plain, friendly sentences, in the order given, in the customer's language.
- Copy part numbers, model numbers, prices, dates, times and symptoms exactly.
- Name the part in every sentence about it; never compare, round, guess or add numbers.
- Never say that a part is incompatible: "not listed" is all that is known.
- A word of sympathy for a complaint is welcome; no headings, no advice of your own."""


def extract(message: str, state: State, symptoms: Sequence[str]) -> Prompt:
    """Ask for the questions, symptoms and dangers of a message."""
    noted = ", ".join(slot.value for slot in state.slots.symptoms) or "none"
    model = state.slots.model.value if state.slots.model else "none"
    shown = "; ".join(
        f"{place}. {card.number} {card.name}" for place, card in enumerate(state.cards, 1)
    )
    asked = state.asked.kind if state.asked else "nothing"
    return Prompt(
        system=f"{EXTRACT}\n\nKnown symptoms:\n" + "\n".join(symptoms),
        user=f"Goal so far: {state.goal or 'none'}. Model so far: {model}. "
        f"Symptoms so far: {noted}. Asked last: {asked}. Shown parts: {shown or 'none'}. "
        f"Spoken of last: {', '.join(state.focus) or 'none'}.\n\nMessage:\n{message}",
    )


def tell(message: str, facts: Sequence[Fact], language: str) -> Prompt:
    """Ask for the facts in friendly words."""
    lines = "\n".join(f"- {fact.says}" for fact in facts)
    spoken = language if language in LANGUAGES else "en"
    user = (
        f"Facts:\n{lines}\n\nTell these facts to the customer, in the language {spoken!r}, "
        f"who asked: {message}"
    )
    return Prompt(system=TELL, user=user)
