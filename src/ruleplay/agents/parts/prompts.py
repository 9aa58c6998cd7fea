"""The prompts of both model roles; static instructions come first, so that they can be cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.slots import VerifiedModel
from ruleplay.agents.parts.state import Own, State
from ruleplay.kernel.context import Prompt
from ruleplay.records.given import Message
from ruleplay.telling.prompt import told
from ruleplay.telling.sentences import bounded
from ruleplay.telling.table import Table

_told = partial(told, "ruleplay.agents.parts")


ROWS = 24
"""How many rows of a table a prompt shows."""
SAID = 240
"""Most characters of an earlier line that a prompt repeats."""
LAST = 1_200
"""Most characters of the assistant's last reply that a prompt repeats. It is longer than other
lines, because "the other one" usually refers to something in it."""
OWN = 700
"""Most characters of one of the shop's own lines in a prompt."""
QUESTION = 2_000
"""Most characters of the customer's message in a prompt."""


def extract(
    message: str,
    state: State,
    symptoms: Mapping[str, Sequence[str]],
    shown: Sequence[Card] = (),
    listed: Sequence[Card] = (),
    last: str = "",
    alarms: Sequence[str] = (),
) -> Prompt:
    """Build the prompt that asks which questions, symptoms and dangers a message contains.

    `symptoms` maps each known symptom to its kinds of appliance. `listed` are the parts the model
    may refer to by place; the first of them are those `shown` or named before. `last` is the
    assistant's last reply, and `alarms` quote what rules take for a danger.
    """
    said = f"{message}\n{last}".casefold()
    parts = "\n".join(
        f"{place}. {_part(card, said, whole=place <= len(shown))}"
        for place, card in enumerate(listed, 1)
    )
    asked = state.asked.kind if state.asked else "nothing"
    choices = enumerate(state.asked.options if state.asked else (), 1)
    offered = "\n".join(f"{place}. {option}" for place, option in choices)
    spoken = state.focus or [card.number for card in shown if card.number in last]
    return Prompt(
        system=f"{_told('extract')}\n\nKnown symptoms:\n"
        + "\n".join(f"{name} ({', '.join(kinds)})" for name, kinds in symptoms.items()),
        user=f"Goal so far: {state.goal or 'none'}. Asked last: {asked}. "
        f"Spoken of last: {', '.join(spoken) or 'none'}.\n\n"
        f"Machines:\n{_machines(state) or 'none'}\n\n"
        f"Parts, {len(shown)} of them shown, then others listed:\n{parts or 'none'}\n\n"
        + (f"Your last reply:\n{bounded(last, LAST)}\n\n" if last else "")
        + (f"Choices of the open question:\n{offered}\n\n" if offered else "")
        + (f"Taken for a danger: {'; '.join(map(repr, alarms))}\n\n" if alarms else "")
        + f"Message:\n{message}",
    )


def _part(card: Card, said: str, *, whole: bool) -> str:
    """Word a part of the list; of a part shown `whole`, with what customers call it by.

    Of the numbers that it replaces only those that were `said` are told.
    """
    price = f"${card.price:.2f}" if card.price is not None else ""
    known = [f"{card.number} {card.name}".rstrip(), price]
    if whole:
        old = [f"replaces {one}" for one in card.replaces if one.casefold() in said]
        known += [card.availability, card.manufacturer_number, *old]
    return ", ".join(filter(None, known)) + _listed_for(card)


def _listed_for(card: Card) -> str:
    no = "" if card.fit == Verdict.LISTED else "not "
    return f" ({no}listed for {card.model})" if card.model and card.fit else ""


def _machines(state: State) -> str:
    """List the machines of the conversation, the current one first, with what is known of each."""
    lines = [
        f"- {one.machine or 'unknown kind'}, model {model.value if model else 'unknown'}"
        f"{'' if isinstance(model, VerifiedModel | None) else ' (not in the catalog)'}"
        f", symptoms: {', '.join(slot.value for slot in one.slots.symptoms) or 'none'}"
        f"{''.join(f', “{quote}”' for quote in one.slots.complaints)}"
        f"{f', danger that stands: {one.hazard}' if one.hazard else ''}"
        for one in state.cases
        if (model := one.slots.model) or one.machine or one.slots.symptoms or one.hazard
    ]
    return "\n".join(lines)


def tell(
    message: str, tables: Sequence[Table], own: Own, history: Sequence[Message], language: str
) -> Prompt:
    """Build the prompt for the reply: the model writes what goes between the shop's own lines."""
    # Only the last line is repeated at length.
    cut = [*[SAID] * (len(history) - 1), LAST]
    earlier = [
        f"{line.role}: {bounded(line.text, limit)}"
        for line, limit in zip(history, cut, strict=False)
    ]
    parts = [
        *(table.prompt(count=ROWS) for table in tables),
        _own("These lines of the shop stand before your words", own.before),
        _own("These lines of the shop follow your words", own.after),
        _own(
            "These are added below your words where you don't tell them, with the tag", own.unless
        ),
        _own(
            "This follows unless you ask a question: ask what is still needed and was not told",
            own.asks,
        ),
        _own("What the shop would say without you, to be told in your own words", own.instead),
        "\n".join(["Earlier:", *earlier]) if earlier else "",
        f"The shop's lines are in the language {language!r}.",
        f"The customer writes:\n{_short(message, QUESTION)}",
    ]
    return Prompt(system=_told("tell"), user="\n\n".join(part for part in parts if part))


def _own(where: str, lines: Sequence[str]) -> str:
    said = "\n".join(_short(line, OWN) for line in lines if line)
    return f"{where}:\n" + (f"<<<\n{said}\n>>>" if said else "none")


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + " …"
