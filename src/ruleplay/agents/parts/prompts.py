"""What the model is asked: static instructions first, what changes last."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.parts.state import State
from ruleplay.kernel.context import Prompt
from ruleplay.records.given import Message
from ruleplay.telling.prompt import CITING
from ruleplay.telling.table import Table

EXTRACT = """You read messages to an appliance-parts shop and report what they say, as JSON.
Every quote is copied exactly from the message. Report nothing that the message does not say.
- wishes: each thing the customer asks, in order, with its own subjects:
  - goal: diagnose_repair (what is wrong, which part for a problem), check_compatibility (does a
    part fit), install_instruction (the steps), installation_effort (how hard, how long, a video),
    find_part (a part by its description), price_and_stock, about_part (what a part is or does),
    list_parts (all parts of a model), replaced_numbers (which older numbers a part replaces),
    models_of_part (which models a part is for).
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

ROWS = 24
"""Rows of a table that a prompt shows."""
TELL = (
    """You answer the customers of an appliance-parts shop: like an experienced person at the
counter, warm, plain and brief, in the language the customer writes.

# Work
- Some lines of the reply are the shop's own: they stand before and after your words, word for word.
  Write what belongs between them. Don't say again what they say, don't list again what they list,
  and don't ask what they ask. Where they say it all, one sentence of yours is enough.
- A short word of sympathy for a complaint; then the answer itself.
- Of parts that may help, say which one to look at first and why: the likely cause, how much of what
  was told it is known to fix, how easy it is to put in. Name each part with its number, and tag
  every sentence that has one, your advice too. Where you number the parts, keep the order of their
  table: customers say "the second one".
- Say which problem none of the parts is known to fix. Explain what a word of stock means.
- Fit is "listed" or "not listed", nothing else: never say that a part fits for sure, or not at all.
- Prices are of a day; the shop's lines say of which.
- No repair steps, tests or advice on safety of your own; never make a danger small. Nothing that is
  not about parts.
- At most 120 words, in short Markdown without headings.

"""
    + CITING
)
SAID = 240
"""Characters of an earlier line that a prompt repeats."""
OWN = 700
"""Characters of a line of the shop that a prompt repeats."""
QUESTION = 2_000
"""Characters of a message that a prompt repeats."""


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


def tell(
    message: str,
    tables: Sequence[Table],
    own: tuple[Sequence[str], Sequence[str]],
    history: Sequence[Message],
    language: str,
) -> Prompt:
    """Ask for what belongs between the shop's own lines, those before and those after."""
    earlier = [f"{line.role}: {_short(line.text, SAID)}" for line in history]
    parts = [
        *(table.prompt(count=ROWS) for table in tables),
        _own("before", own[0]),
        _own("after", own[1]),
        "\n".join(["Earlier:", *earlier]) if earlier else "",
        f"The shop's lines are in the language {language!r}.",
        f"The customer writes:\n{_short(message, QUESTION)}",
    ]
    return Prompt(system=TELL, user="\n\n".join(part for part in parts if part))


def _own(where: str, lines: Sequence[str]) -> str:
    if not lines:
        return f"No line of the shop stands {where} your words."
    said = "\n".join(_short(line, OWN) for line in lines)
    return f"The shop's lines {where} your words:\n<<<\n{said}\n>>>"


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + " …"
