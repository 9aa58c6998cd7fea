"""The lines that a reply can consist of, worded from the templates of each language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from ruleplay.agents.parts.domain import checks
from ruleplay.agents.parts.domain.appliances import where_is_the_number
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.ids import Option
from ruleplay.agents.parts.domain.reader import ASKED, GOALS
from ruleplay.agents.parts.domain.slots import (
    MENU,
    DescriptionSlot,
    Goal,
    Question,
    Slots,
    UnconfirmedId,
    UnknownId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.stopwords import COMMON
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.understanding import POLICIES
from ruleplay.agents.parts.domain.voice import Voice, voice
from ruleplay.agents.parts.policy.covering import is_fixed, nearly_same, problems, stated
from ruleplay.agents.parts.state import CaseFile, Line, State, ToolReturned
from ruleplay.records.given import Message

LEAK = "Leaking"
"""The symptom that calls for immediate action."""
_WET = {"Not draining", "Will not fill with water", "Not dispensing water"}
"""Symptoms known to be fixed by parts that carry water."""
PAIR = 2
QUOTED = 40
"""Most characters of a message that are quoted back."""
MOST_NAMED = 3
"""Most symptoms that a question for further details names."""
LEFT_TO_PEOPLE = ("complaint", "where_send", *POLICIES)
"""Side questions with which a person can help more."""


def said(id: str, line: str, *, stuck: bool = False) -> Line:  # noqa: A002
    """Make a closing question, which is omitted if a model asks one in its own words."""
    return Line(id=id, says=line, place="end", stuck=stuck, unless=("?",))


def answered(id: str, line: str, *, found: bool = False) -> Line:  # noqa: A002
    """Make a line that follows a model's text."""
    return Line(id=id, says=line, place="end", found=found)


def told(id: str, key: str, words: Voice, *, found: bool = False, **gaps: str) -> Line:  # noqa: A002
    """Make a line from a text of the assistant with its placeholders filled."""
    return Line(id=id, says=words.say(key, **gaps), found=found)


def warned(id: str, line: str) -> Line:  # noqa: A002
    """Make a line that opens the reply: what must be done at once, or else decides all."""
    return Line(id=id, says=line, place="start")


def unsaid(lines: Sequence[Line], earlier: Iterable[Message]) -> list[Line]:
    """Drop `once` lines that are still in sight, unless nothing else would answer."""
    told = [line.text for line in earlier if line.role != "user"]
    new = [one for one in lines if not (one.once and any(one.says in text for text in told))]
    answers = any(not one.once for one in new)
    return new if answers else [*lines[:1], *(one for one in new if one != lines[0])]


def unrepeated(lines: Sequence[Line]) -> list[Line]:
    """Drop confirmations that another line of the reply includes."""
    # Reversed, so that the first of equal lines is kept.
    once = {one.says: one for one in reversed(lines)}
    kept = [one for one in lines if once[one.says] is one]
    return [one for one in kept if not any(_says_it(other, one) for other in kept)]


def _says_it(other: Line, one: Line) -> bool:
    kind, _, value = one.id.partition(":")
    if other is one or kind not in ("model", "noted"):
        pairs = (("aside:where_send", "ask:info"), ("aside:complaint", "noted:symptoms"))
        return (one.id, other.id) in pairs
    lists = f":{Goal.DIAGNOSE}:" in other.id or other.id.startswith("none:")
    return value in other.says if kind == "model" else value == "symptoms" and lists


def menu(words: Voice) -> tuple[str, ...]:
    """List the goals to choose from, as shown."""
    return tuple(words.named("menu", goal) for goal in MENU)


def ask_goal(words: Voice, appliance: str = "", *, known: bool = False) -> list[Line]:
    """Ask what the customer wants or, if an appliance is known, what is wrong with it.

    `known` says that its model number is known.
    """
    if not appliance:
        return [said("ask:goal", words.say("ask_goal") + "\n" + numbered(menu(words)))]
    key = "ask_trouble_of" if known else "ask_trouble"
    return [said("ask:trouble", words.say(key, appliance=words.label(appliance)))]


def numbered(lines: Iterable[str]) -> str:
    """Format lines as a numbered list."""
    return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))


def ask_info(goal: Goal, missing: Sequence[str], state: State) -> list[Line]:
    """Ask for what is missing: suspected symptoms as a choice, everything else together."""
    words = voice(state.language)
    for name in missing:
        slot = getattr(state.slots, name, None)
        if isinstance(slot, UnknownId):
            return [stuck_on_unknown(name, slot, goal, state.slots.description, words)]
    if "symptoms" not in missing or not state.suspected:
        return _ask_slots(goal, missing, state, words)
    others = [name for name in missing if name != "symptoms"]
    also = _ask_slots(goal, others, state, words) if others else []
    return [ask_suspected(state, words), *also]


def waits_for_model(named: str, words: Voice) -> Line:
    """Say that what was asked about waits until the model is certain."""
    what = words.say("need_model", where="").rstrip(" .")
    line = words.say("need_described_one", name=named, what=what[:1].lower() + what[1:])
    return said("ask:waits", line)


def _ask_slots(goal: Goal, missing: Sequence[str], state: State, words: Voice) -> list[Line]:
    """Ask for all missing slots in one sentence, or as a list if there are several."""
    described, alone = state.slots.description, len(missing) == 1
    gaps = {"goal": words.named("goals", goal)}
    key = "need"
    if described and "model" in missing:
        key, gaps = "need_described", {"name": described.value}
    told = state.asked is not None and state.asked.kind == "model"
    brand = state.appliance if not told and "model" not in state.skipped else ""
    where = words.say("model_example")
    if brand and not state.hazard:  # nobody is sent to a machine that is to be left alone
        where = ". " + where_is_the_number(brand, "", state.language, brief=True)
    quote = "" if state.slots.symptoms else next(iter(state.slots.complaints[-1:]), "")
    names = ["symptoms_else" if quote and name == "symptoms" else name for name in missing]
    asking = [words.say(f"need_{n}", where=where, what=quote).rstrip(" .") for n in names]
    if alone:
        one = asking[0][:1].lower() + asking[0][1:]
        says = words.say(f"{key}_one", what=one, **gaps)
    else:
        says = "\n".join([words.say(key, **gaps), *(f"- {one}" for one in asking)])
    if state.others and isinstance(state.slots.model, VerifiedModel):
        says = f"{model_fact(state.slots.model, words).says} {says}"
    facts, number = [said("ask:info", says)], (words.say("model_number"),)
    if [*missing] == ["model"]:
        facts[0] = facts[0].model_copy(update={"unless": ("?", *number)})
    stuck = bool(set(missing) & set(state.skipped))
    return [fact.model_copy(update={"stuck": stuck}) for fact in facts]


def queued(queue: Sequence[Question], words: Voice) -> list[Line]:
    """List the questions that are still waiting."""
    waiting = [f"{words.named('goals', one.goal)}{_subject(one)}" for one in queue]
    if not waiting:
        return []
    return [said("queued", words.say("queued", what="; ".join(dict.fromkeys(waiting))))]


def _subject(question: Question) -> str:
    about = question.part or question.description
    where = f" / {question.model.value}" if question.model else ""
    name = about.name if isinstance(about, VerifiedPart) and about.name else ""
    return f" ({about.value}{name and f', {name}'}{where})" if about and about.value else ""


def ask_suspected(state: State, words: Voice) -> Line:
    """Ask whether the appliance shows any of the suspected symptoms."""
    quote = state.suspected[0].evidence.text
    lines = [*(words.label(slot.value) for slot in state.suspected), words.say("none_of_these")]
    key = "ask_suspected" if len(quote) <= QUOTED else "ask_which"
    asked = words.say(key, quote=quote)
    return answered("ask:symptoms", f"{asked}\n{numbered(lines)}")


def ask_choice(name: str, slot: UnconfirmedId, words: Voice) -> list[Line]:
    """Offer the known numbers that an unknown or ambiguous one may stand for; one alone in words.

    That the number is not in the catalog is left out where a model's text has it.
    """
    lines = [*(label(option, words) for option in slot.options), words.say("none_of_these")]
    single = slot.options[0] if len(slot.options) == 1 else None
    kind, unknown = words.say(f"kind_{name}"), list[Line]()
    if slot.pointed:
        opening = words.say("which_pointed" if slot.value else "which_part", value=slot.value)
    elif slot.readings:
        opening = words.say("which_reading", value=written(slot, words))
    else:
        opening = words.say("which_number", kind=kind)
    if not (slot.pointed or slot.readings or (single and single.likeness == 1.0)):
        says = words.say("not_found", value=slot.value)
        unknown = [Line(id=f"unknown:{slot.value}", says=says, place="end", unless=(slot.value,))]
    ask = said if slot.pointed else answered
    line = ask(f"ask:{name}", opening + "\n" + numbered(lines))
    if single and not slot.readings:
        key = "mean_by" if slot.pointed and slot.value else "mean_one"
        says = words.say(key, option=lines[0], value=slot.value)
        line = line.model_copy(update={"says": says, "unless": (f"{single.number}?",)})
    return [*unknown, line]


def label(option: Option, words: Voice) -> str:
    """Word an option so that it differs from the others: `X (Whirlpool dishwasher)`."""
    kinds = " ".join(word for word in (option.brand, words.label(option.appliance)) if word)
    about = option.name or kinds
    if option.known_as and option.via not in ("", "number"):
        alias = words.say("known_as", number=option.known_as)
        about = f"{about}; {alias}" if about else alias
    return f"{option.number} ({about})" if about else option.number


def ask_again(
    name: str,
    slots: Sequence[UnconfirmedId],
    words: Voice,
    model: VerifiedModel | None = None,
    *,
    also: UnconfirmedId | None = None,
) -> Line:
    """Say that numbers are not in the catalog, and what to do; for parts also for which model.

    `also` is a model number that is as unknown.
    """
    slot = slots[0]
    if slot.pointed:
        return said(f"ask:{name}", words.say("which_part"))
    value = words.listed([written(one, words) for one in slots], "or")
    gaps = {"value": value, "kind": words.say(f"kind_{name}")}
    key = "not_found_for" if model else "not_found_both" if also else "not_found_number"
    gaps |= {"model": written(also, words)} if also else {}
    if model:
        machine = words.label(model.appliance or "appliance")
        gaps |= {"model": model.value, "appliance": machine}
    again = said(f"ask:{name}", words.say(key, **gaps), stuck=True)
    return again.model_copy(update={"unless": (*again.unless, slot.value), "once": True})


def written(slot: UnconfirmedId, words: Voice) -> str:
    """Word a number as it was given, with all readings of its label."""
    return words.listed(slot.readings, "or") or slot.value


def stuck_on_unknown(
    name: str, slot: UnknownId, goal: Goal, about: DescriptionSlot | None, words: Voice
) -> Line:
    """Explain why an unknown number is not enough for this goal, and for what part it is asked."""
    kind, wanted = words.say(f"kind_{name}"), words.named("goals", goal)
    gaps = {"value": slot.value, "goal": wanted, "kind": kind}
    says = words.say("stuck_of", what=about.value, **gaps) if about else words.say("stuck", **gaps)
    return said(f"ask:{name}", says, stuck=True)


def not_found(name: str, model: str, words: Voice) -> Line:
    """Say that nothing in the catalog matches what was named."""
    says = words.say("not_found_name", name=name, model=model)
    return Line(id=f"missing:{name}", says=says, stuck=True)


def number_too(file: CaseFile, words: Voice) -> Line:
    """Ask for the model number of another machine too."""
    says = words.say("number_too", appliance=words.label(file.appliance or "appliance"))
    return said(f"ask:model:{file.number}", says)


def where_number(state: State) -> Line:
    """Say where the model number is on this appliance."""
    model = state.slots.model
    brand = model.brand if isinstance(model, VerifiedModel) else ""
    place = where_is_the_number(state.appliance, brand, state.language)
    return Line(id="where:model", says=place, once=True)


def read_back(before: State, state: State, words: Voice) -> list[Line]:
    """Confirm what was newly understood about each machine, so that it can be corrected."""
    known = {file.number: file.slots for file in before.cases}
    now, was = state.slots, known.get(state.case, before.slots)
    facts: list[Line] = []
    if isinstance(now.model, VerifiedModel) and now.model != was.model:
        facts.append(model_fact(now.model, words))
    new: list[str] = []
    told: list[str] = []
    for file in sorted(state.cases, key=lambda one: one.number):
        slots = known.get(file.number, Slots())
        added = [one.value for one in file.slots.symptoms if one not in slots.symptoms]
        new += added
        told += [_told_of(file, slots, words)] if added else []
    if told:
        line = words.say("noted" if was.symptoms else "sorry", what="; ".join(told))
        facts.append(Line(id="noted:symptoms", says=line))
    if LEAK in new:
        facts.append(Line(id="aside:leak", says=words.say("leak_first"), once=True))
    return facts


def _told_of(file: CaseFile, before: Slots, words: Voice) -> str:
    """Summarise a machine: brand and kind, its symptoms, and what was tried now."""
    machine = f"{file.brand} {words.label(file.appliance)}".strip()
    every = ", ".join(begun(words.label(slot.value)) for slot in file.slots.symptoms)
    tried = [quote for quote in file.slots.denied if quote not in before.denied]
    done = words.say("done_already", what=", ".join(tried)) if tried else ""
    return " – ".join(filter(None, (machine, every, done)))


def taken_for(words_said: str, part: VerifiedPart, words: Voice) -> Line:
    """Say which part a partial description was taken to mean."""
    named = f"{part.value} ({part.name})" if part.name else part.value
    return told(f"taken:{part.value}", "takes_for", words, name=words_said, part=named)


def ordered_by(cards: Sequence[Card], words: Voice) -> Line:
    """Say that no orders are taken here, and by which numbers to order the parts."""
    parts = [
        " ".join(filter(None, (at_price(card, words), card.cart and f"– {card.cart}")))
        for card in cards
    ]
    return told("aside:payment", "payment_of", words, parts=words.listed(parts))


def model_fact(model: VerifiedModel, words: Voice) -> Line:
    """Confirm a model with its brand and appliance."""
    about = " ".join(word for word in (model.brand, words.label(model.appliance)) if word)
    key = "model_is" if about else "model_known"
    line = words.say(key, number=model.value, about=about)
    return Line(id=f"model:{model.value}", says=line, found=True)


def results(returned: ToolReturned, words: Voice) -> list[Line]:
    """Word a tool's result in the standard way for its goal."""
    match returned.goal:
        case Goal.CHECK:
            return [verdict(returned, words)]
        case Goal.INSTALL:
            fit = verdict(returned, words).model_copy(update={"once": True})
            return [fit, *installation(returned, words)]
        case Goal.DIAGNOSE | Goal.FIND | Goal.LIST:
            return ranking(returned, words)
        case Goal.PRICE:
            return [price(card, words) for card in returned.cards]
        case Goal.EFFORT:
            told_of = [line for card in returned.cards for line in effort(card, words, named=True)]
            return [*told_of, *power_first(words, returned.cards)]
        case Goal.REPLACED:
            return [replaced(card, words) for card in returned.cards]
        case Goal.MODELS:
            return [models_of(card, returned.explanation, words) for card in returned.cards]
        case Goal.ABOUT:
            return [line for card in returned.cards for line in about(card, words)]


def verdict(returned: ToolReturned, words: Voice) -> Line:
    """State the fit verdict with its source; "not listed" is never worded as "incompatible"."""
    part, model = str(returned.args["part"]), str(returned.args["model"])
    card = returned.cards[0] if returned.cards else None
    named = f"{part} ({card.name})" if card and card.name else part
    gaps = {
        "part": part,
        "named": named,
        "model": model,
        "opening": words.say("in_catalog", named=named),
        "kind": words.label(card.kind) if card else "",
        "appliance": words.label(returned.appliance),
    }
    says = words.say(returned.verdict, **gaps)
    # A question about the fit is answered first; beside steps, the fit is an addition.
    place = "start" if returned.goal is Goal.CHECK else "end"
    return Line(id=f"fit:{part}:{model}", says=says, place=place, found=True)


def installation(returned: ToolReturned, words: Voice) -> list[Line]:
    """State difficulty, duration, steps and video of an installation, as far as known."""
    lines: list[Line] = []
    for card in returned.cards:
        if known := _effort_words(card, words):
            lines.append(_effort(card, known, words, card.number))
        line = Line(id=f"steps:{card.number}", says=words.say("no_steps", part=card.number))
        if card.steps:
            told = words.say("steps", part=card.number) + "\n" + numbered(card.steps)
            line = answered(f"steps:{card.number}", told, found=True)
        lines.append(line)
        lines += video(card, words)
    return lines


def total(wanted: Sequence[tuple[Card, int]], words: Voice) -> list[Line]:
    """Add up the prices of several parts or quantities; nothing if one has no price."""
    prices = [card.price * count for card, count in wanted if card.price is not None]
    if sum(count for _, count in wanted) < 2 or len(prices) < len(wanted):
        return []
    numbers = ":".join(card.number for card, _ in wanted)
    counts = words.listed([_counted(card, count, words) for card, count in wanted])
    line = words.say("total", parts=counts, total=words.amount(sum(prices, Decimal(0))))
    return [Line(id=f"total:{numbers}", says=line, place="start", found=True)]


def _counted(card: Card, count: int, words: Voice) -> str:
    """Name a part with its price, and its quantity if that is not one."""
    price = words.say("undated", price=words.amount(card.price or Decimal(0)))
    times = f"{count} × " if count > 1 else ""
    return times + words.say("priced_at", part=called(card), price=price)


def at_price(card: Card, words: Voice) -> str:
    """Name a part with its dated price, if it has one."""
    price = price_words(card, words)
    return words.say("priced_at", part=called(card), price=price) if price else called(card)


def other_machine(machine: str, kinds: Sequence[str], words: Voice) -> Line:
    """Say which appliances there are parts for, after a question about another one."""
    carried = words.listed([words.label(kind) for kind in kinds])
    line = words.say("other_machine", kinds=carried, appliance=words.label(machine))
    return Line(id="declined", says=line)


def effort(card: Card, words: Voice, *, named: bool = False) -> list[Line]:
    """State difficulty and duration, and whether there is a video; `named` adds the part's name."""
    known = _effort_words(card, words)
    part = called(card) if named else card.number
    none = Line(id=f"effort:{card.number}", says=words.say("no_effort", part=part))
    no_video = told(f"video:{card.number}", "no_video", words, found=True, part=card.number)
    return [
        _effort(card, known, words, part) if known else none,
        *(video(card, words) or [no_video]),
    ]


def _effort(card: Card, known: str, words: Voice, part: str) -> Line:
    line = words.say("effort", part=part, what=known)
    return Line(id=f"effort:{card.number}", says=line, found=True)


def video(card: Card, words: Voice) -> list[Line]:
    """Link to the video of a part, if there is one."""
    if not card.video:
        return []
    line = words.say("video", part=card.number, url=card.video)
    return [Line(id=f"video:{card.number}", says=line, place="end", found=True)]


def about(card: Card, words: Voice) -> list[Line]:
    """Describe a part: its name, price, what it fixes, its fit and the effort."""
    if not (card.name or card.price or card.symptoms):
        return [
            Line(id=f"about:{card.number}", says=words.say("bare", part=card.number), found=True)
        ]
    lines = [price(card, words).says]
    if not card.name:
        lines.append(words.say("nameless_too"))
    if card.manufacturer_number:
        lines.append(words.say("about_maker", number=card.manufacturer_number))
    lines += [line.says for line in facts(card, words, ("fixes",))]
    if known := _effort_words(card, words):
        lines.append(words.say("effort_it", what=known))
    told = [Line(id=f"about:{card.number}", says=" ".join(lines), found=True)]
    told += [*facts(card, words, ("fit",)), *video(card, words)]
    return [line.model_copy(update={"once": True}) for line in told]


def facts(card: Card, words: Voice, kinds: Sequence[str]) -> list[Line]:
    """Word facts of a part that the line before has named: "price", "fit", "fixes", "work"."""
    found = {"fit": _fit_fact, "price": _price_fact, "fixes": _fixes_fact, "work": _work_fact}
    says = " ".join(filter(None, (found[kind](card, words) for kind in kinds)))
    return [Line(id=f"facts:{card.number}", says=says, found=True)] if says else []


def _fit_fact(card: Card, words: Voice) -> str:
    if card.fit not in (Verdict.LISTED, Verdict.NOT_LISTED):
        return ""
    key, mark = ("is_listed", "✓ ") if card.fit == Verdict.LISTED else ("not_listed", "")
    return mark + words.say(key, named=card.number, model=card.model)


def _price_fact(card: Card, words: Voice) -> str:
    return price(card.model_copy(update={"name": ""}), words).says


def _fixes_fact(card: Card, words: Voice) -> str:
    """List what a part is known to fix, the customer's own problem first."""
    known = dict.fromkeys((*card.fixes, *card.symptoms))
    what = ", ".join(begun(words.label(one)) for one in known)
    return words.say("about_symptoms", what=what) if known else ""


def _work_fact(card: Card, words: Voice) -> str:
    known = _effort_words(card, words)
    says = words.say("effort_it", what=known) if known else ""
    film = words.say("has_video") if card.video else ""
    return " ".join(filter(None, (says, film)))


def replaced(card: Card, words: Voice) -> Line:
    """State which numbers a part replaces."""
    key = "number_replaces" if card.replaces else "number_replaces_none"
    says = words.say(key, part=called(card), what=", ".join(card.replaces))
    return Line(id=f"replaced:{card.number}", says=says, found=True)


def models_of(card: Card, known: str, words: Voice) -> Line:
    """State for which models a part is listed, naming some of them."""
    count, _, named = known.partition(": ")
    key = "models_are" if named else "models_none"
    says = words.say(key, part=called(card), count=count, models=named)
    return Line(id=f"models:{card.number}", says=says, found=True)


def ranking(returned: ToolReturned, words: Voice) -> list[Line]:
    """List the parts found, the best first, or say that none was; a single one with its video."""
    model = str(returned.args["model"])
    wanted = returned.args.get("symptoms") or returned.args.get("description")
    told_of = problems(returned) if isinstance(wanted, list) else [str(wanted)]
    what = ", ".join(begun(words.label(one)) for one in told_of)
    opens = f"opening:{model}:{returned.goal}:{what}"
    if not returned.cards:
        if wanted is None:
            return [Line(id=f"none:{model}", says=words.say("found_nothing", model=model))]
        key = "found_none" if returned.goal is Goal.FIND else "found_no_fix"
        line = words.say(key, model=model, what=what)
        return [Line(id=f"none:{model}:{returned.goal}:{what}", says=line, stuck=True)]
    shown = len(returned.cards)
    count = max(int(returned.explanation or shown), shown)
    gaps = {"model": model, "count": count, "shown": shown, "what": what, "name": what}
    opening = words.say(_opening_key(returned.goal, count, shown), **gaps)
    several = isinstance(wanted, list) and len(wanted) > 1
    cards = [card_line(card, words, fixes=several, explains=shown == 1) for card in returned.cards]
    films = video(returned.cards[0], words) if shown == 1 else []
    opens_with = Line(id=opens, says=opening, found=True)
    left = [one for one in stated(returned) if not is_fixed(returned, one)]
    left = left if len(left) < len(stated(returned)) else []  # it goes by other names
    named = words.listed([begun(words.label(one)) for one in left], "or")
    rest = [told("none_fixes", "none_fixes", words, found=True, what=named)] if left else []
    return [opens_with, *cards, *rest, *films, *_asked_besides(returned, words)]


def _asked_besides(returned: ToolReturned, words: Voice) -> list[Line]:
    """Ask for further symptoms that would tell the many possible causes apart.

    For each part, one symptom is suggested that was not stated and that not all parts fix.
    """
    if returned.goal is not Goal.DIAGNOSE or len(returned.cards) <= PAIR:
        return []
    known = [one for card in returned.cards for one in card.symptoms if one not in card.fixes]
    stated = [one for card in returned.cards for one in card.fixes]
    known = [one for one in known if not any(nearly_same(one, other) for other in stated)]
    telling = [one for one in dict.fromkeys(known) if known.count(one) < len(returned.cards)]
    own = (next((one for one in telling if one in card.symptoms), "") for card in returned.cards)
    named = [begun(words.label(one)) for one in dict.fromkeys(filter(None, own))][:MOST_NAMED]
    key = "what_else_of" if named else "what_else"
    asked = said("ask:more", words.say(key, what=", ".join(named)))
    return [asked.model_copy(update={"once": True})]


def fit_offered(cards: Sequence[Card], words: Voice) -> list[Line]:
    """Offer to check the fit of a part that was described without a model.

    A model's text that asks something, or speaks of the model number, has no need of it.
    """
    unless = ("?", words.say("model_number"))
    offered = said("ask:fit", words.say("check_fit"))
    return [offered.model_copy(update={"once": True, "unless": unless})] if cards else []


def conjecture(name: str, known: Sequence[Card], words: Voice) -> Line:
    """Answer whether a part that the customer suspects is the cause, as the catalog has it."""
    if not known:
        return told(f"unknown_cause:{name}", "not_known_for", words, name=name)
    card = known[0]
    fixed = [begun(words.label(one)) for one in card.fixes or card.symptoms]
    gaps = {"part": called(card), "what": words.listed(fixed)}
    return told(f"cause:{card.number}", "may_be", words, found=True, **gaps)


def not_there(name: str, model: str, words: Voice) -> Line:
    """Say that no part of a model matches a name."""
    return told(f"none:{model}:{name}", "found_none", words, what=name, model=model)


def power_first(words: Voice, cards: Sequence[Card] = ()) -> list[Line]:
    """Say what to shut off before any work, once: the water unless the parts carry none."""
    wet = not cards or any(not _WET.isdisjoint(card.symptoms) for card in cards)
    says = words.say("power_first", water=words.say("water_too") if wet else "")
    return [Line(id="aside:power", says=says, once=True)]


def _opening_key(goal: Goal, count: int, shown: int) -> str:
    """Choose the text that opens a list: parts of a model, for a symptom, or of a name."""
    if goal is Goal.LIST:
        return "found_all" if count > shown else "found_listed"
    some = "found_best" if goal is Goal.DIAGNOSE else "found_named"
    every = "found_some" if goal is Goal.DIAGNOSE else "found_every"
    one = "found_one" if goal is Goal.DIAGNOSE else "found_this"
    return some if count > shown else one if shown == 1 else every


def begun(words: str) -> str:
    """Lower-case words for use inside a sentence, but keep abbreviations: "DVD slot"."""
    return " ".join(one if one.isupper() else one.lower() for one in words.split(" "))


def little(model: str, cards: Sequence[Card], contact: str, words: Voice) -> Line:
    """Name the few parts that are listed for a model, if none is the one looked for."""
    parts = [
        called(card) if card.name else words.say("nameless", part=card.number) for card in cards
    ]
    gaps = {"model": model, "parts": words.listed(parts), "contact": reached(contact, words)}
    return told(f"little:{model}", "found_little", words, found=True, **gaps)


def bought(card: Card, words: Voice) -> str:
    """Name a part with its dated price and stock, as far as known."""
    known = filter(None, (price_words(card, words), words.label(card.availability)))
    return f"{called(card)} ({', '.join(known)})".removesuffix(" ()")


def same_again(cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say that the result is the same as before or, for a single part, what it fixes."""
    if len(cards) == 1 and cards[0].fixes:
        fixed = words.listed([words.label(one) for one in cards[0].fixes])
        gaps = {"part": called(cards[0]), "what": fixed}
        return [told("again", "fixes_it", words, found=True, **gaps)]
    return [told("again", "same_again", words, found=True, parts=all_called(cards, words))]


def all_called(cards: Iterable[Card], words: Voice) -> str:
    """Enumerate parts by number and name."""
    return words.listed([called(card) for card in cards])


def called(card: Card) -> str:
    """Name a part by its number and, if known, its name."""
    return f"{card.number} ({card.name})" if card.name else card.number


def card_line(card: Card, words: Voice, *, fixes: bool = False, explains: bool = False) -> Line:
    """Describe one part of a list: its dated price, stock and effort.

    `fixes` adds which of several symptoms it fixes, `explains` what the stock level means.
    """
    fixed = words.listed([begun(words.label(symptom)) for symptom in card.fixes])
    stock = stock_words(card, words) if explains else words.label(card.availability)
    bought = filter(None, (price_words(card, words), stock))
    known = [words.say("fixes", what=fixed)] if fixes and card.fixes else []
    known += [*filter(None, (", ".join(bought), work_words(card, words)))]
    says = words.say("is_listed", named=called(card), model=card.model)
    if known:
        says = words.say("card", part=called(card), what=words.say("besides").join(known))
    return Line(id=f"card:{card.number}", says=says, block=True, found=True)


def _effort_words(card: Card, words: Voice) -> str:
    """Word difficulty and duration as the end of a sentence; empty if unknown."""
    return work_words(card, words, "is_")


def work_words(card: Card, words: Voice, begins: str = "") -> str:
    """Word difficulty and duration as part of a sentence; empty if unknown."""
    ways = {(True, True): "rated_takes", (True, False): "rated", (False, True): "takes"}
    key = begins + ways.get((bool(card.difficulty), bool(card.time)), "")
    if key == begins:
        return ""
    hard, time = words.label(card.difficulty), words.label(card.time)
    return words.say(key, value=hard if card.difficulty else time, time=time)


def price_words(card: Card, words: Voice) -> str:
    """Word the price with its date: prices go stale, so a missing date is stated too."""
    if card.price is None:
        return ""
    price = words.amount(card.price)
    if card.priced_on is None:
        return words.say("undated", price=price)
    return words.say("as_of", price=price, date=card.priced_on.isoformat())


def stock_words(card: Card, words: Voice) -> str:
    """Word the stock level, with its meaning if that is not obvious."""
    stock, meaning = words.label(card.availability), words.named("stock", fold(card.availability))
    if card.discontinued:
        key = "successor" if card.replaced_by else "no_successor"
        meaning = f"{meaning}, {words.say(key, parts=words.listed(card.replaced_by))}"
    if not (stock and meaning):
        return stock
    return words.say("stock_means", stock=stock, meaning=meaning)


def price(card: Card, words: Voice) -> Line:
    """State what a part costs and whether it is available, as far as known."""
    costs, stock = price_words(card, words), stock_words(card, words)
    key = {
        (True, True): "price_stock", (True, False): "price_line",
        (False, True): "no_price_stock", (False, False): "no_price_no_stock",
    }[bool(costs), bool(stock)]  # fmt: skip
    says = words.say(key, part=called(card), price=costs, stock=stock)
    return Line(id=f"price:{card.number}", says=f"{says}.", found=True)


def stocked(cards: Iterable[Card], words: Voice) -> list[Line]:
    """State whether parts are in stock, those of one stock level together."""
    levels: dict[str, list[Card]] = {}
    for card in cards:
        if stock := stock_words(card, words):
            levels.setdefault(stock, []).append(card)
    return [
        told("stock", "stock_of", words, found=True, parts=all_called(own, words), stock=stock)
        for stock, own in levels.items()
    ]


def safety(hazard: str, words: Voice) -> Line:
    """Say what to do first about a danger."""
    advice = words.named("hazards", hazard) or words.named("hazards", "fire")
    return warned(f"safety:{hazard}", words.say("safety", what=advice))


def option_named(label: str, words: Voice) -> str:
    """Name a goal or topic for a customer to pick; empty if it cannot be picked."""
    goal = GOALS.get(label)
    return words.named("menu", goal) if goal else words.named("topics", ASKED[label])


def unclear(options: Sequence[str], words: Voice) -> Line:
    """Ask which of several things a message means."""
    return said("ask:meant", words.say("unclear") + "\n" + numbered(options))


def aside(topic: str, words: Voice, contact: str = "", owner: str = "") -> Line:
    """Answer a side question that needs no look-up, in the owner's words if there are any."""
    says = owner or words.say(topic, contact=reached(contact, words))
    stuck = topic in LEFT_TO_PEOPLE and not owner
    line = Line(id=f"aside:{topic}", says=says, stuck=stuck, once=True)
    # What can't be done is said plainly, whoever tells the rest.
    return line.model_copy(update={"place": "start"}) if topic == "change_order" else line


def reached(contact: str, words: Voice) -> str:
    """Say how the shop is reached."""
    return words.say("contact_is", contact=contact) if contact else words.say("no_contact")


def order_unseen(number: str, contact: str, words: Voice) -> Line:
    """Say that orders cannot be seen here, and how to reach somebody who can see them."""
    key = "order_unseen" if number else "order_status"
    says = words.say(key, number=number, contact=reached(contact, words))
    return warned("aside:order_status", says)


_DETAILS = re.compile(r" - | with ", re.IGNORECASE)
"""What parts a name from its details: "Kit - White Wheels", "Basket with Lids"."""


def untold(cards: Sequence[Card], quote: str, contact: str, words: Voice) -> Line:
    """Say, in the customer's words, what the catalog does not tell of the parts asked about.

    Their names may answer it, so they are said to be all that the catalog has on it.
    """
    gaps = {"quote": quote, "part": all_called(cards, words), "contact": reached(contact, words)}
    said = {word.text for word in read_words(quote)} - COMMON
    details = [piece for card in cards[:1] for piece in _DETAILS.split(card.name)[1:]]
    named = {word.text for piece in details for word in read_words(piece)}
    key = "by_name" if said & named else "untold_of" if cards else "untold"
    return told(f"aside:{key}", key, words, found=bool(cards), **gaps)


def free_checks(state: State, words: Voice) -> list[Line]:
    """Say what anybody can look at before a part is bought for the symptoms; once."""
    slots = state.slots
    known = checks.free_checks(
        [one.value for one in slots.symptoms], state.appliance, slots.denied, words.language
    )
    what = words.listed(known, "or") if words.language == "en" else words.listed(known)
    says = words.say("check_first", what=what)
    return [Line(id="checks", says=says, found=True, once=True)] if known else []


def tried(left: Sequence[Card], words: Voice) -> Line:
    """Acknowledge what is ruled out, and say which of the parts shown are left."""
    says = words.say("tried_of" if left else "tried", parts=all_called(left, words))
    return Line(id="aside:tried", says=says, found=bool(left))
