"""The template's words: what each thing the assistant may say is, with the claims it makes.

A reply is a sequence of facts; their `says` are the reply when no model speaks, and what a model's
sentences are checked against when one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.parts.domain.appliances import where_is_the_number
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.ids import Option
from ruleplay.agents.parts.domain.slots import (
    DOES,
    MENU,
    Goal,
    Slots,
    UnconfirmedId,
    UnknownId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.state import State, ToolReturned
from ruleplay.foundation.claims import Claim, Fact

HELP_WITH = {
    Goal.INSTALL: "installing the part",
    Goal.CHECK: "checking compatibility",
    Goal.DIAGNOSE: "diagnosing the problem",
    Goal.FIND: "finding the part",
}
NEEDS = {
    "model": "Your appliance's model number (for example WDT780SAEM1)",
    "part": "The part number (for example PS3406971)",
    "symptoms": "What problem you are experiencing",
    "description": "What the part looks like or does",
}
NONE_OF_THESE = "None of these"


def text(facts: Iterable[Fact]) -> str:
    """Return the template's reply: paragraphs, and ranked parts as a numbered list."""
    reply, place = "", 0
    for fact in facts:
        place = place + 1 if fact.block else 0
        gap = "\n" if place > 1 else "\n\n"
        reply += (gap if reply else "") + (f"{place}. " if fact.block else "") + fact.says
    return reply


def said(id: str, says: str, *claims: Claim) -> Fact:  # noqa: A002
    """Return a fact that the reply must not leave out."""
    return Fact(id=id, says=says, claims=claims, must=True)


def ask_goal() -> list[Fact]:
    """Ask what the customer wants done."""
    lines = [f"{place}. {DOES[goal]}" for place, goal in enumerate(MENU, 1)]
    return [said("ask:goal", "What would you like help with? I can:\n" + "\n".join(lines))]


def ask_info(goal: Goal, missing: Sequence[str], state: State) -> list[Fact]:
    """Ask for the first missing things: a choice where there is one, else all that is missing."""
    for name in missing:
        slot = getattr(state.slots, name, None)
        if isinstance(slot, UnconfirmedId):
            return [ask_choice(name, slot) if slot.options else ask_again(name, slot, goal)]
        if isinstance(slot, UnknownId):
            return [stuck_on_unknown(name, slot, goal)]
    if missing[0] == "symptoms" and state.suspected:
        return [ask_suspected(state)]
    lines = "\n".join(f"- {NEEDS[name]}" for name in missing)
    facts = [said("ask:info", f"To help you with {HELP_WITH[goal]}, I need:\n{lines}")]
    if "model" in missing and "model" in state.skipped:
        facts.insert(0, where_number(state))
    if set(missing) & set(state.skipped):
        facts.append(said("ask:person", "If you can't find it, say “talk to a person”."))
    return facts


def ask_suspected(state: State) -> Fact:
    """Ask whether symptoms that were not said are there."""
    lines = [f"{place}. {slot.value}" for place, slot in enumerate(state.suspected, 1)]
    lines.append(f"{len(lines) + 1}. {NONE_OF_THESE}")
    quote = state.suspected[0].evidence.text
    opening = f"You wrote “{quote}”. Does the appliance also show one of these?"
    return said("ask:symptoms", opening + "\n" + "\n".join(lines))


def ask_choice(name: str, slot: UnconfirmedId) -> Fact:
    """Offer the real ids that an unlisted or ambiguous one may stand for, and none of them."""
    lines = [f"{place}. {label(option)}" for place, option in enumerate(slot.options, 1)]
    lines.append(f"{len(lines) + 1}. {NONE_OF_THESE}")
    exact = len(slot.options) == 1 and slot.options[0].likeness == 1.0
    opening = (
        f"Is {slot.value} the {name} number you mean?"
        if exact
        else f"I don't find {slot.value} as it stands. Which {name} did you mean?"
    )
    return said(f"ask:{name}", opening + "\n" + "\n".join(lines))


def label(option: Option) -> str:
    """Return an option with the words that tell it from the others: `X (Whirlpool dishwasher)`."""
    words = " ".join(word for word in (option.brand, option.appliance) if word)
    about = option.name or words
    if option.known_as and option.via not in ("", "number"):
        about = f"{about}; known as {option.known_as}" if about else f"known as {option.known_as}"
    return f"{option.number} ({about})" if about else option.number


def ask_again(name: str, slot: UnconfirmedId, goal: Goal) -> Fact:
    """Say that a number is not in the catalog, and what can be done."""
    anyway = (
        " If you are sure of it, say “use it anyway” and I will tell you what the catalog can say."
        if goal is Goal.CHECK
        else " A person can help if the number is right: say “talk to a person”."
    )
    return said(
        f"ask:{name}",
        f"I don't find {slot.value} in the catalog. "
        f"Please check the {name} number on the label.{anyway}",
    )


def stuck_on_unknown(name: str, slot: UnknownId, goal: Goal) -> Fact:
    """Say why an unknown id is not enough for this goal."""
    return said(
        f"ask:{name}",
        f"The catalog does not have {slot.value}, so it cannot help with {HELP_WITH[goal]} for it. "
        f"Give me another {name} number, or say “talk to a person”.",
    )


def where_number(state: State) -> Fact:
    """Say where the model number is on this appliance."""
    model = state.slots.model
    brand = model.brand if isinstance(model, VerifiedModel) else ""
    return said("where:model", where_is_the_number(state.appliance, brand))


def read_back(before: Slots, now: Slots) -> list[Fact]:
    """Repeat what was newly understood, so that the customer can correct it."""
    facts: list[Fact] = []
    if isinstance(now.model, VerifiedModel) and now.model != before.model:
        facts.append(model_fact(now.model))
    if isinstance(now.part, VerifiedPart) and now.part != before.part:
        facts.append(part_fact(now.part))
    new = [slot.value for slot in now.symptoms if slot not in before.symptoms]
    if new:
        every = ", ".join(slot.value for slot in now.symptoms)
        facts.append(Fact(id="noted:symptoms", says=f"Noted: {every}."))
    if now.description and now.description != before.description:
        facts.append(Fact(id="noted:part", says=f"Noted, the part: {now.description.value}."))
    return facts


def model_fact(model: VerifiedModel) -> Fact:
    """Read a model back with its brand and appliance."""
    about = " ".join(word for word in (model.brand, model.appliance) if word)
    says = f"Model {model.value}: {about}." if about else f"Model {model.value} is in the catalog."
    claim = Claim(kind="appliance", subject=model.value, value=about or "in the catalog")
    return Fact(id=f"model:{model.value}", says=says, claims=(claim,))


def part_fact(part: VerifiedPart) -> Fact:
    """Read a part back; a superseded or manufacturer's number is explained."""
    named = f"{part.value} ({part.name})" if part.name else part.value
    if part.via == "replaces":
        says = f"{part.asked} has been replaced by {named}."
    elif part.via == "manufacturer":
        says = f"{part.asked} is the manufacturer's number of {named}."
    else:
        says = f"Part {named}."
    claims = [Claim(kind="name", subject=part.value, value=part.name)] if part.name else []
    if part.via != "number":
        means = "replaced by" if part.via == "replaces" else "manufacturer's number of"
        claims.append(Claim(kind="alias", subject=part.asked, value=means, object=part.value))
    claims = claims or [Claim(kind="part", subject=part.value, value="part")]
    return Fact(id=f"part:{part.value}", says=says, claims=tuple(claims))


def results(returned: ToolReturned) -> list[Fact]:
    """Say what a tool found."""
    match returned.goal:
        case Goal.CHECK:
            return [verdict_fact(returned)]
        case Goal.INSTALL:
            return [verdict_fact(returned), *installation(returned)]
        case Goal.DIAGNOSE | Goal.FIND:
            return ranking(returned)


def verdict_fact(returned: ToolReturned) -> Fact:
    """Say the fit verdict with its source; what is not listed is never called incompatible."""
    part, model = str(returned.args["part"]), str(returned.args["model"])
    mark = "✓ " if returned.verdict == Verdict.LISTED else ""
    hint = {
        Verdict.NOT_LISTED.value: " It may still fit: a person can check before you order.",
        Verdict.LISTED.value: "",
    }.get(returned.verdict, " Please check the number, or ask for a person.")
    says = f"{mark}{returned.explanation}{hint} Source: {returned.source}."
    fit = Claim(kind="fit", subject=part, value=returned.verdict.replace("_", " "), object=model)
    source = Claim(kind="source", subject=part, value=returned.source)
    return said(f"fit:{part}:{model}", says, fit, source, *names(returned.cards))


def names(cards: Iterable[Card]) -> list[Claim]:
    """Return what cards claim about what parts are called."""
    return [Claim(kind="name", subject=card.number, value=card.name) for card in cards if card.name]


def installation(returned: ToolReturned) -> list[Fact]:
    """Say how hard and long an installation is, its steps and its video, as far as known."""
    facts: list[Fact] = []
    for card in returned.cards:
        known = [f"difficulty {card.difficulty}" if card.difficulty else ""]
        known.append(f"time {card.time}" if card.time else "")
        if any(known):
            words = ", ".join(word for word in known if word)
            facts.append(
                said(f"effort:{card.number}", f"Installing {card.number}: {words}.", *effort(card))
            )
        if card.steps:
            lines = "\n".join(f"{place}. {step}" for place, step in enumerate(card.steps, 1))
            claim = Claim(kind="steps", subject=card.number, value="steps for")
            facts.append(said(f"steps:{card.number}", f"Steps for {card.number}:\n{lines}", claim))
        else:
            claim = Claim(kind="steps", subject=card.number, value="no written steps")
            says = f"The catalog has no written steps for {card.number}."
            facts.append(said(f"steps:{card.number}", says, claim))
        if card.video:
            claim = Claim(kind="video", subject=card.number, value=card.video)
            facts.append(
                said(f"video:{card.number}", f"Video for {card.number}: {card.video}", claim)
            )
    return facts


def effort(card: Card) -> list[Claim]:
    """Return what a card claims about the work."""
    rows = (("difficulty", card.difficulty), ("time", card.time))
    return [Claim(kind=kind, subject=card.number, value=value) for kind, value in rows if value]


def ranking(returned: ToolReturned) -> list[Fact]:
    """Say which parts were found, best first, or that none was."""
    model = str(returned.args["model"])
    if not returned.cards:
        wanted = returned.args.get("symptoms") or returned.args.get("description")
        words = ", ".join(map(str, wanted)) if isinstance(wanted, list) else str(wanted)
        says = f"I found no part for {model} in the catalog that is known for “{words}”."
        hint = "Tell me more, or say “talk to a person”."
        found = Claim(kind="found", subject=model, value="found no part")
        sought = Claim(kind="sought", subject=model, value="known for")
        return [said("none", f"{says} {hint}", found, sought)]
    opening = f"For {model} the catalog suggests these parts, the best first:"
    suggests = Claim(kind="suggests", subject=model, value="catalog suggests these parts")
    return [
        Fact(id="opening", says=opening, claims=(suggests,)),
        *(card_fact(card) for card in returned.cards),
    ]


def card_fact(card: Card) -> Fact:
    """Say one part of a ranking: what it is, what it fixes, its dated price, the work."""
    named = f"{card.number} ({card.name})" if card.name else card.number
    words = [f"fixes {listed(card.fixes)}"] if card.fixes else []
    words += [f"costs {price}"] if (price := price_words(card)) else []
    words += [f"is rated {card.difficulty} to install"] if card.difficulty else []
    words += [f"takes {card.time}"] if card.time else []
    claims = [Claim(kind="fit", subject=card.number, value=card.fit, object=card.model)]
    claims += [Claim(kind="fixes", subject=card.number, value=symptom) for symptom in card.fixes]
    claims += [*names([card]), *price_claims(card), *effort(card)]
    says = f"{named} {listed(words)}." if words else f"{named} is listed for {card.model}."
    return Fact(id=f"card:{card.number}", says=says, claims=tuple(claims), must=True, block=True)


def listed(words: Sequence[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def price_words(card: Card) -> str:
    """Return the price with its date; prices go stale, so never one without the other."""
    if card.price is None:
        return ""
    when = f" as of {card.priced_on.isoformat()}" if card.priced_on else " (date unknown)"
    return f"${card.price:.2f}{when}"


def price_claims(card: Card) -> list[Claim]:
    """Return what a card claims about its price."""
    if card.price is None:
        return []
    claims = [Claim(kind="price", subject=card.number, value=f"{card.price:.2f} usd")]
    if card.priced_on:
        claims.append(
            Claim(kind="priced_on", subject=card.number, value=card.priced_on.isoformat())
        )
    return claims


SAFETY = {
    "gas": "Leave the area now, do not use switches or flames, and call your gas supplier or the "
    "emergency services from outside.",
    "fire": "If you can do so safely, cut the power at the breaker, keep away, and call the "
    "emergency services when there is fire or smoke.",
    "shock": "Do not touch the appliance. Switch it off at the breaker and have an electrician "
    "look at it before anything else.",
    "flood": "Keep out of the water while power may be on. Switch off the power at the breaker if "
    "you can reach it dry, then close the water supply.",
    "carbon_monoxide": "Get everyone into fresh air now and call the emergency services.",
    "bypass": "I can't help with bypassing a safety device: it is there to prevent fire, shock or "
    "injury. I can help you find the part that brings it back to work.",
}
"""First words on a hazard: what public safety advice has in common, kept short."""


def safety(hazard: str) -> Fact:
    """Say what to do first about a hazard."""
    words = SAFETY.get(hazard, SAFETY["fire"])
    return said(
        f"safety:{hazard}", f"⚠ Safety first. {words} When it is safe, I can help with the part."
    )


def hand_over(slots: Slots, goal: Goal | None) -> Fact:
    """Say that a person takes over, and what that person will know."""
    known = []
    if goal:
        known.append(f"wanted: {HELP_WITH[goal]}")
    for name in ("model", "part"):
        if slot := getattr(slots, name):
            known.append(f"{name}: {slot.value} ({slot.state.replace('_', ' ')})")
    if slots.symptoms:
        known.append("symptoms: " + ", ".join(slot.value for slot in slots.symptoms))
    if slots.description:
        known.append(f"described as: {slots.description.value}")
    noted = "; ".join(known) or "nothing so far"
    return said("hand_over", f"A person will take it from here. I pass on what I know: {noted}.")


DECLINED = (
    "I can only help with appliance parts: finding them, checking whether they fit, installing "
    "them, and working out which one a problem needs."
)


def declined() -> Fact:
    """Say what this assistant is for."""
    return said("declined", DECLINED)


ASIDES = {
    "thanks": "You're welcome!",
    "greeting": "Hello! I help with appliance parts.",
    "bye": "Goodbye, and good luck with the repair.",
    "order_status": "I can't see orders. A person can: say “talk to a person”.",
    "send_it": "Send it to me when you have it, or say “talk to a person”.",
    "no_part": "Which part? Give me its number and I will look it up.",
    "anything_else": "Is there anything else about your appliance? Give me another symptom, a part "
    "number, or a different model.",
}


def aside(topic: str) -> Fact:
    """Answer a side question that needs no look-up."""
    return said(f"aside:{topic}", ASIDES[topic])


def repeated(last: str) -> Fact:
    """Say the last reply again."""
    return said("repeat", last or "I have not said anything yet.")


def price_fact(card: Card) -> Fact:
    """Say what a part costs and whether it is available, as far as the catalog knows."""
    words = price_words(card) or "the catalog has no price"
    stock = f"; availability: {card.availability}" if card.availability else ""
    return said(f"price:{card.number}", f"{card.number}: {words}{stock}.", *price_claims(card))
