"""What the model is asked: static instructions first, what changes last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.slots import VerifiedModel
from ruleplay.agents.parts.state import Own, State
from ruleplay.kernel.context import Prompt
from ruleplay.records.given import Message
from ruleplay.telling.prompt import CITING
from ruleplay.telling.table import Table

EXTRACT = """You read messages to an appliance-parts shop and report what they say, as JSON.
Every quote is copied exactly from the message. Report nothing that the message does not say.
- wishes: each thing the customer asks, in order, with its own subjects:
  - goal: diagnose_repair (what is wrong, which part for a problem), check_compatibility (does a
    part fit), install_instruction (the steps), installation_effort (how hard, how long, a video),
    find_part (a part by its description), price_and_stock, about_part (what a part is or does, its
    colour, what it comes with), list_parts (all parts of a model), replaced_numbers (which older
    numbers a part replaces), models_of_part (which models a part is for).
  - part, model: the number as written, for each part asked about a wish of its own.
  - shown: the part's number in the list of parts, wherever you can tell which one is meant, in
    whatever words or language: "the other one", "it", "le bac à eau". For several, several wishes.
  - words: what describes or points at the part when it has no number: "the drain pump", "it".
  - machine: which machine it is about, where several were spoken of or the message names one: its
    number, as the list of machines or the message has it, else its kind. Two machines of one kind
    are two: "the second one" has a number too. What is asked of two of them is two wishes.
  Describing a problem is a wish to diagnose it. Telling a model number alone is no wish.
- symptoms: each complaint with `quote`, `symptom`, one of the known symptoms for that kind of
  machine, copied exactly without the kinds behind it, and `machine` as above. The component that is
  broken wins over the machine: "the ice maker on my fridge is dead" is about ice, not about the
  fridge. Leave out what fits none, what is only said to be broken, and what the customer denies.
- denied: quotes of what the customer says is all right, or has checked, tried or changed already.
- withdrawn: what the list of machines has and the customer takes back, copied exactly: a symptom, a
  number that was wrong or is a serial number, the kind of a machine that is dropped altogether.
- hazard: gas, sparks, smoke, fire, shock, burning_smell, hot_cord, water_near_electricity,
  carbon_monoxide or bypass_safety, with its quote, when there is a danger now; else null.
- topics: person, order_status, unknown_model_number (where is it written), thanks, greeting, bye,
  repeat, out_of_scope (nothing of it is about parts of the appliances in the list), shipping,
  returns, warranty, discount, payment; those that are spoken of, often none.
- language: the message's language as two letters."""

ROWS = 24
"""Rows of a table that a prompt shows."""
TELL = (
    """You answer the customers of an appliance-parts shop: like an experienced person at the
counter, warm, plain and brief, in the language the customer writes.

# Work
- Some lines of the reply are the shop's own: they stand before and after your words, word for word.
  Never say again what they say or list: where they answer a question whole, go on from there.
- A short word of sympathy for a complaint; then the answer. Answer every question of the message;
  what the tables do not tell (delivery days, photos, tools, pieces in a pack), say so.
- Of parts that may help, say which one to look at first and why: the likely cause, what it is known
  to fix, how easy it is to put in. Take what the customer denied or tried into account. The best
  part may stand in the list of all parts of the model. Name each part with its number, and tag
  every sentence that has one, your advice too. Where you number the parts, keep the order of their
  table: customers say "the second one".
- How many of a part the customer wants stands in what they wrote: reckon with it in the tag,
  [r1.1.price+4*r1.2.price], and say the sum only where they ask for one.
- Each machine is a case of its own: never mix their problems, parts and prices.
- Say which problem none of the parts is known to fix. Explain what a word of stock means.
- Fit is "listed" or "not listed", nothing else: never say that a part fits for sure, or not at all.
  Of a model or number that is unknown to the catalog say that it is, and ask to read it again.
- No repair steps or advice on safety of your own; never make a danger small. What one can look at,
  listen to or notice without tools you may tell. Nothing that is not about parts.
- At most 120 words, in short Markdown without headings.

"""
    + CITING
)
SAID = 240
"""Characters of an earlier line that a prompt repeats."""
LAST = 1_200
"""Characters of the last reply that a prompt repeats: what "the other one" points at."""
OWN = 700
"""Characters of a line of the shop that a prompt repeats."""
QUESTION = 2_000
"""Characters of a message that a prompt repeats."""


def extract(
    message: str,
    state: State,
    symptoms: Mapping[str, Sequence[str]],
    listed: Sequence[Card] = (),
    last: str = "",
) -> Prompt:
    """Ask for the questions, symptoms and dangers of a message; `listed` are parts to pick from."""
    parts = "\n".join(
        f"{place}. {card.number} {card.name}{_listed_for(card)}"
        for place, card in enumerate(listed, 1)
    )
    asked = state.asked.kind if state.asked else "nothing"
    return Prompt(
        system=f"{EXTRACT}\n\nKnown symptoms:\n"
        + "\n".join(f"{name} ({', '.join(kinds)})" for name, kinds in symptoms.items()),
        user=f"Goal so far: {state.goal or 'none'}. Asked last: {asked}. "
        f"Spoken of last: {', '.join(state.focus) or 'none'}.\n\n"
        f"Machines:\n{_machines(state) or 'none'}\n\n"
        f"Parts, {len(state.cards)} of them shown, then others listed:\n{parts or 'none'}\n\n"
        + (f"Your last reply:\n{_short(last, LAST)}\n\n" if last else "")
        + f"Message:\n{message}",
    )


def _listed_for(card: Card) -> str:
    no = "" if card.fit == Verdict.LISTED else "not "
    return f" ({no}listed for {card.model})" if card.model and card.fit else ""


def _machines(state: State) -> str:
    """Return the machines spoken of, the one of now first, each with what is known of it."""
    cases = [(state.appliance, state.slots)]
    cases += [(file.appliance, file.slots) for file in reversed(state.others)]
    lines = [
        f"- {appliance or 'unknown kind'}, model {slots.model.value if slots.model else 'unknown'}"
        f"{'' if isinstance(slots.model, VerifiedModel | None) else ' (not in the catalog)'}"
        f", symptoms: {', '.join(slot.value for slot in slots.symptoms) or 'none'}"
        for appliance, slots in cases
        if appliance or slots.model or slots.symptoms
    ]
    return "\n".join(lines)


def tell(
    message: str, tables: Sequence[Table], own: Own, history: Sequence[Message], language: str
) -> Prompt:
    """Ask for what belongs between the shop's own lines, those before and those after."""
    cut = [*[SAID] * (len(history) - 1), LAST]
    earlier = [
        f"{line.role}: {_short(line.text, limit)}"
        for line, limit in zip(history, cut, strict=False)
    ]
    parts = [
        *(table.prompt(count=ROWS) for table in tables),
        _own("These lines of the shop stand before your words", own.before),
        _own("These lines of the shop follow your words", own.after),
        _own("These lines follow your words unless you cite a row that they are about", own.unless),
        _own(
            "This follows unless you ask a question: ask what is still needed and was not told",
            own.asks,
        ),
        _own("What the shop would say without you, to be told in your own words", own.instead),
        "\n".join(["Earlier:", *earlier]) if earlier else "",
        f"The shop's lines are in the language {language!r}.",
        f"The customer writes:\n{_short(message, QUESTION)}",
    ]
    return Prompt(system=TELL, user="\n\n".join(part for part in parts if part))


def _own(where: str, lines: Sequence[str]) -> str:
    said = "\n".join(_short(line, OWN) for line in lines)
    return f"{where}:\n" + (f"<<<\n{said}\n>>>" if lines else "none")


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + " …"
