"""The tools of the goals, which query the catalog, and a toolbox for other programs' models.

Requests can only be built from verified slots. The toolbox's tools take numbers as text instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, islice, zip_longest

from pydantic import BaseModel, Field, JsonValue

from ruleplay.agents.parts import prompts
from ruleplay.agents.parts.adapters.catalog import Catalog
from ruleplay.agents.parts.domain.appliances import canonical_appliances, related
from ruleplay.agents.parts.domain.cards import Assortment, Card, Spread, card, with_number
from ruleplay.agents.parts.domain.catalog import Fit, Hit, Verdict
from ruleplay.agents.parts.domain.descriptions import (
    PLACES,
    Description,
    head_of,
    parts_named,
    qualifiers,
)
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.ids import Found, Lookup, ModelFound, PartFound, candidates
from ruleplay.agents.parts.domain.labels import Readings, left_open
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.slots import (
    Check,
    DescriptionSlot,
    Diagnose,
    Find,
    Goal,
    Install,
    ListParts,
    LookUp,
    ModelsOf,
    Question,
    Request,
    Slots,
    UnconfirmedId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.symptoms import other_names
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.voice import voice
from ruleplay.agents.parts.policy import focus, replies, weighing
from ruleplay.agents.parts.policy.pointing import (
    by_kind,
    is_called,
    named_kind,
    named_like,
    surely_called,
)
from ruleplay.agents.parts.policy.rows import Background
from ruleplay.agents.parts.state import (
    CaseFile,
    Draft,
    Line,
    QuestionRaised,
    State,
    ToolReturned,
)
from ruleplay.kernel.context import Context
from ruleplay.kernel.toolbox import Answer, Starter, Tool, Toolbox
from ruleplay.records.events import Json

SHOWN = 7
"""Parts that a ranking shows."""
SEARCHED = 20
"""Parts that a search by words fetches, before those of the wrong kind are dropped."""
MANY = 200
"""Parts of any model that a search fetches, before those called otherwise are dropped."""
SPREAD = 24
"""Most parts of any model that are presented at once."""
FEW = 3
"""Most parts at a place that count as near what was described."""


class Result(Frozen):
    """What a tool found; `verdict` is a fit verdict, or `found` or `nothing_found`."""

    verdict: str
    cards: tuple[Card, ...] = ()
    explanation: str = ""
    source: str = ""
    appliance: str = ""


def with_fixes(result: Result, slots: Slots) -> Result:
    """Mark on each part found which of the case's symptoms it is known to fix."""
    return result.model_copy(update={"cards": fixing(result.cards, slots)})


def fixing(cards: Sequence[Card], slots: Slots) -> tuple[Card, ...]:
    """Mark on each card which of the case's symptoms it is known to fix.

    If no card has one under its own name, other catalogs' names for the symptoms are tried.
    """
    stated = {fold(slot.value) for slot in slots.symptoms}
    if not any(fold(symptom) in stated for one in cards for symptom in one.symptoms):
        stated = {fold(one) for slot in slots.symptoms for one in other_names(slot.value)}
    return tuple(
        one.model_copy(update={"fixes": tuple(s for s in one.symptoms if fold(s) in stated)})
        for one in cards
    )


def untried(cards: Sequence[Card], slots: Slots, language: str) -> tuple[Card, ...]:
    """Leave out parts that the customer has ruled out or already replaced."""
    nouns = [noun for quote in slots.denied for noun in parts_named(quote, language)]
    out = {one.number for noun in nouns for one in _named_by(noun, cards)}
    return tuple(one for one in cards if one.number not in out)


def _named_by(noun: Description, cards: Sequence[Card]) -> list[Card]:
    """Find the parts that a noun names: "drain pump" does not name a circulation pump.

    Other words for it count only where the usual one names none.
    """
    fit = [one for one in cards if all(is_called(one.name, (word,)) for word in noun.weak)]
    own = [one for one in fit if is_called(head_of(one.name), noun.terms[:1])]
    return own or [one for one in fit if is_called(head_of(one.name), noun.terms)]


def run(request: Request, catalog: Catalog) -> Result:
    """Run the tool for a request; cards get the shop's own links and what replaces them."""
    found = _asked(request, catalog)
    shop = catalog.shop
    linked = (
        one.model_copy(
            update={"url": shop.product(one.number, one.url), "cart": shop.cart(one.number)}
        )
        for one in found.cards
    )
    part = getattr(request, "part", None)
    told = part if isinstance(part, VerifiedPart) and part.via == "replaces" else None
    cards = (
        with_number(one, told.asked) if told and one.number == told.value else one for one in linked
    )
    return found.model_copy(update={"cards": replaced(cards, catalog)})


def replaced(cards: Iterable[Card], catalog: Catalog) -> tuple[Card, ...]:
    """Add to parts that are not made any more the parts that are known to replace them."""
    return tuple(
        one.model_copy(update={"replaced_by": _successors(one, catalog)})
        if one.discontinued
        else one
        for one in cards
    )


def _successors(card: Card, catalog: Catalog) -> tuple[str, ...]:
    numbers = filter(None, (card.number, card.manufacturer_number))
    found = (match for number in numbers for match in catalog.part(number))
    named = (match.part.number for match in found if match.via == "replaces")
    return tuple(dict.fromkeys(number for number in named if number != card.number))


def _asked(request: Request, catalog: Catalog) -> Result:
    match request:
        case Diagnose():
            return diagnose_repair(request, catalog)
        case Install() | Check():
            return check_compatibility(request, catalog)
        case Find():
            return find_part(request, catalog)
        case LookUp():
            return look_up_part(request, catalog)
        case ListParts():
            return list_parts(request, catalog)
        case ModelsOf():
            return models_of_part(request, catalog)


def diagnose_repair(request: Diagnose, catalog: Catalog) -> Result:
    """Rank the parts listed for the model by how well they fix the stated symptoms.

    If none is known for a symptom by its name, its other names are tried ("frost", "not
    defrosting"). Among equals come those first that fix more of the symptoms by other names; where
    the price decides, it does among those that fix the same number by any name.
    """
    model, stated = request.model.value, [slot.value for slot in request.symptoms]
    others = [name for one in stated for name in other_names(one)]
    causes = catalog.diagnose(model, stated, request.said)
    causes = causes or catalog.diagnose(model, others, request.said)
    names = [{fold(name) for name in (one, *other_names(one))} for one in stated]

    def fixed(known: Iterable[str]) -> int:
        own = {fold(one) for one in known}
        return sum(bool(own & each) for each in names)

    causes = tuple(sorted(causes, key=lambda one: (-one.share, -fixed(one.part.symptoms))))
    cards = tuple(card(one.part, model=model, fit="listed") for one in causes)
    if request.by_price:
        cheap = weighing.cheapest_first(cards)
        cards = tuple(sorted(cheap, key=lambda one: -fixed(one.symptoms)))
    return _ranking(cards, catalog)


def find_part(request: Find, catalog: Catalog) -> Result:
    """Find parts listed for the model by the words of a description."""
    wanted, model = request.description, request.model.value
    hits = catalog.find(wanted.value, model, limit=SEARCHED, terms=wanted.terms)
    cards = tuple(card(hit.part, model=model, fit="listed") for hit in meant(hits, wanted))
    return _ranking(weighing.cheapest_first(cards) if request.by_price else cards, catalog)


def has_like(catalog: Catalog, wanted: DescriptionSlot, model: str) -> bool:
    """Whether a part that certainly matches the description is listed for a model."""
    hits = catalog.find(wanted.value, model, limit=SEARCHED, terms=wanted.terms)
    return any(surely_called(hit.part.name, wanted) for hit in hits)


def numbers_in(catalog: Catalog, text: str) -> list[str]:
    """Find the parts that a text names by the shop's own numbers."""
    looked_up = catalog.look_up_all(proposed := candidates(text))
    known = (part.number for one in looked_up.values() for part in one.parts)
    said = {one.normal for one in proposed}
    return [number for number in known if normal(number) in said]


def numbered(catalog: Catalog, numbers: Sequence[str], model: str) -> tuple[Card, ...]:
    """Make the cards of some parts, each once, with their fit if a model is given."""
    found = (
        one
        for number in dict.fromkeys(numbers)
        for one in _cards_of(number, catalog, catalog.fit(number, model) if model else None)
    )
    return replaced(found, catalog)


def anywhere(catalog: Catalog, wanted: DescriptionSlot, appliance: str, brand: str) -> Spread:
    """Find parts of any model that match the description by name or have all of its words."""
    # The full-text index also finds words that merely occur in a name, so names are checked here.
    hits = catalog.find(wanted.value, limit=MANY, terms=wanted.terms)
    own = [hit for hit in hits if _is_for(", ".join(hit.part.appliances), appliance)]
    surely = [hit for hit in own if surely_called(hit.part.name, wanted)]
    called = surely or [hit for hit in own if len(hit.matched) == len(wanted.terms) > 1]
    kind = [hit for hit in own if is_called(head_of(hit.part.name), wanted.strong)]
    own_words = (*wanted.own, *wanted.said)
    if wanted.own and not called:  # "a crisper" is a crisper drawer or a crisper pan
        called = [hit for hit in kind if _bears(hit, own_words)]
    details = [one for one in wanted.terms if one not in wanted.strong]  # "of the bottom rack"
    called = [hit for hit in called if _bears(hit, details)] or called
    if brand and called and not _made_for(catalog, brand, called):
        # "Drain Pump 120/60 Ls08 Ul" is a drain pump too, whatever its name ends in.
        bear = [h for h in own if _bears(h, own_words) and is_called(h.part.name, wanted.strong)]
        called = _made_for(catalog, brand, bear) or called
    if brand and called and PLACES.intersection(wanted.terms):
        # A name that tells no place may be of this one too.
        rest = [one for one in details if one not in PLACES]
        silent = [hit for hit in kind if _bears(hit, rest)]
        silent = [hit for hit in silent if not PLACES.intersection(qualifiers(hit.part.name))]
        called += [hit for hit in _made_for(catalog, brand, silent) if hit not in called]
    like = kind if wanted.said or appliance else []  # "seal": a gasket on another machine
    cards = [card(hit.part, model="", fit="") for hit in called or like]
    found = {*chain.from_iterable(hit.matched for hit in hits)}
    strange = wanted.sort == "" and found.isdisjoint(wanted.strong or wanted.terms)
    told = {"strange": strange, "near": not called}
    return _spread(catalog, cards, appliance, brand).model_copy(update=told)


def _bears(hit: Hit, words: Iterable[str]) -> bool:
    """Whether a part's name has each of some words."""
    return all(is_called(hit.part.name, (word,)) for word in words)


def _made_for(catalog: Catalog, brand: str, hits: Sequence[Hit]) -> list[Hit]:
    """Select the parts that are of a brand, or listed for one of its models."""
    numbers = catalog.made_for(brand, [hit.part.number for hit in hits])
    return [hit for hit in hits if hit.part.number in numbers]


def _is_for(label: str, appliance: str) -> bool:
    kinds = canonical_appliances(label)
    return not appliance or any(related(appliance, one) for one in kinds)


def suspected(catalog: Catalog, slots: Slots, appliance: str, brand: str, language: str) -> Spread:
    """Find parts of any model that are known to fix the stated symptoms, without those tried.

    Parts that fix most of the symptoms come first, then kinds of which there are many. `near` and
    no part mean that all that are known were ruled out.
    """
    stated = [slot.value for slot in slots.symptoms]
    names = [name for one in stated for name in (one, *other_names(one))]
    known = tuple(card(part, model="", fit="") for part in catalog.known_for(names))
    cards = untried(fixing(known, slots), slots, language)
    own = {one.number for one in known if _is_for(one.kind, appliance)}
    if own and not own & {one.number for one in cards}:
        return Spread(near=True)
    kinds = Counter(map(named_kind, cards))
    ranked = sorted(cards, key=lambda one: (-len(one.fixes), -kinds[named_kind(one)]))
    return _spread(catalog, [one for one in ranked if named_kind(one)], appliance, brand)


def _spread(catalog: Catalog, cards: Sequence[Card], appliance: str, brand: str) -> Spread:
    """Select, from parts of any model, those for the customer's machine, with some of each kind."""
    kinds = {one.number: canonical_appliances(one.kind) for one in cards}
    fit = [c for c in cards if not appliance or any(related(appliance, k) for k in kinds[c.number])]
    own = catalog.made_for(brand, [one.number for one in fit]) if brand else set()
    chosen = [one for one in fit if one.number in own] or fit
    # Kinds take turns, so that a common kind does not crowd out the others.
    turns = chain.from_iterable(zip_longest(*by_kind(chosen).values()))
    kept = list(islice(filter(None, turns), SPREAD))
    told = weighing.cheapest_first(chosen) if all(one.price for one in chosen) else ()
    return Spread(
        cards=replaced((one for one in chosen if one in (*kept, *told[:1])), catalog),
        count=len(chosen),
        least=next(iter(told), None),
        most=next(reversed(told), None),
        brand=brand if own else "",
        brands=tuple(dict.fromkeys(one.brand for one in fit if one.brand)),
    )


def meant(hits: Sequence[Hit], wanted: DescriptionSlot) -> list[Hit]:
    """Select from search results the parts of the described kind, or only those that match exactly.

    If there are none of the kind, a few parts at the place count as near: "the flap of the
    dispenser".
    """
    strong = set(wanted.strong or wanted.terms)
    place = {term for term in wanted.terms if term not in strong}
    of_kind = [hit for hit in hits if strong & set(hit.matched)]
    if not of_kind:
        near = [hit for hit in hits if place and place <= set(hit.matched)]
        of_kind = near if len(near) <= FEW else []  # "near" must not mean half the freezer
    exact = [hit for hit in of_kind if all(_has(hit, word) for word in wanted.said)]
    if wanted.sort == "roundabout" or (wanted.sort == "variant" and not exact):
        # "The ice one" after a button may be a lever, but it has to be for ice.
        every = [hit for hit in hits if set(wanted.said) <= set(hit.matched)]
        most = max((len(set(hit.matched)) for hit in every), default=0)
        return [hit for hit in every if len(set(hit.matched)) == most]
    chosen = exact or of_kind
    chosen = [hit for hit in chosen if not head_of(hit.part.name).startswith(wanted.without)]
    telling = {term for term in wanted.terms if term not in wanted.strong}
    chosen = [hit for hit in chosen if telling <= set(hit.matched)] or chosen
    sure = [hit for hit in chosen if surely_called(hit.part.name, wanted)]
    return sure or [hit for hit in chosen if head_of(hit.part.name) in strong] or chosen


def _has(hit: Hit, word: str) -> bool:
    """Whether a part's name has a word, possibly inside a compound ("dishrack")."""
    return word in hit.matched or is_called(hit.part.name, (word,))


def list_parts(request: ListParts, catalog: Catalog) -> Result:
    """List the model's parts, those with a name and a price first, and count them."""
    return _ranking(shelf(catalog, request.model.value), catalog)


def shelf(catalog: Catalog, model: str, most: int | None = None) -> tuple[Card, ...]:
    """List the parts of a model, those with a name and a price first."""
    known = catalog.parts_for(model)
    parts = sorted(known, key=lambda part: (not part.name, part.price is None))
    return replaced((card(part, model=model, fit="listed") for part in parts[:most]), catalog)


def models_of_part(request: ModelsOf, catalog: Catalog) -> Result:
    """List some models of a part and count them; the part's card comes with them."""
    models = catalog.models_of(request.part.value)
    found = _ranking(_cards_of(request.part.value, catalog), catalog)
    named = ", ".join(model.number for model in models[:SHOWN])
    return found.model_copy(update={"explanation": f"{len(models)}: {named}"})


def look_up_part(request: LookUp, catalog: Catalog) -> Result:
    """Look up a part, with its fit if the model is known."""
    fit = catalog.fit(request.part.value, request.model.value) if request.model else None
    return _ranking(_cards_of(request.part.value, catalog, fit), catalog)


def check_compatibility(request: Check | Install, catalog: Catalog) -> Result:
    """Check whether the catalog lists the part for the model; includes the part's card, if any."""
    model = catalog.model(request.model.value)
    found = _fit_of(request.part.value, request.model.value, catalog)
    return found.model_copy(update={"appliance": model.appliance if model else ""})


def _fit_of(part: str, model: str, catalog: Catalog) -> Result:
    fit = catalog.fit(part, model)
    told = {"verdict": fit.verdict.value, "explanation": fit.explanation, "source": fit.source}
    return Result(cards=_cards_of(part, catalog, fit), **told)


def _cards_of(part: str, catalog: Catalog, fit: Fit | None = None) -> tuple[Card, ...]:
    """Make the card of a part, if the catalog has it, with its fit if that is known."""
    model, verdict = (fit.model, fit.verdict.value) if fit else ("", "")
    return tuple(card(one.part, model=model, fit=verdict) for one in catalog.part(part)[:1])


def _ranking(cards: tuple[Card, ...], catalog: Catalog) -> Result:
    """Make a result of the best cards; `explanation` is the number of all cards."""
    stamp = catalog.stamp
    source = f"{stamp.name}, imported {stamp.imported_on.isoformat()}"
    found = Result(verdict="nothing_found", explanation=str(len(cards)), source=source)
    return found.model_copy(update={"verdict": "found", "cards": cards[:SHOWN]}) if cards else found


def arguments(request: Request) -> Json:
    """Write a request's arguments as they are recorded."""
    match request:
        case Diagnose(model=model, symptoms=symptoms):
            told: Json = {"model": model.value, "symptoms": [*(slot.value for slot in symptoms)]}
            return told | _by_price(request)
        case Find(description=description, model=model):
            told = {"description": description.value, "model": model.value}
            return told | _by_price(request)
        case Install(part=part, model=model) | Check(part=part, model=model):
            return {"part": part.value, "model": model.value}
        case ListParts(model=model):
            return {"model": model.value}
        case ModelsOf(part=part):
            return {"part": part.value}
        case LookUp(part=part, model=about):
            found: Json = {"part": part.value}
            return found | ({"model": about.value} if about else {})


def _by_price(request: Find | Diagnose) -> Json:
    return {"by_price": True} if request.by_price else {}


def in_doubt(context: Context[Catalog], heard: Understood, told: Readings | None) -> Understood:
    """Merge the readings of an illegible label into one finding, with those the catalog has."""
    if told is None:
        return heard
    forms = [normal(one) for one in told.numbers]
    known = context.outside(
        "catalog.readings",
        [*forms],
        lambda: {form: context.world.look_up(form) for form in forms},
        dict[str, Lookup],
    )
    return heard.model_copy(update={"found": left_open(heard.found, told, known)})


def cards_shown(
    context: Context[Catalog],
    found: Sequence[Found],
    before: State,
    last: str,
    apart: Sequence[CaseFile] = (),
) -> tuple[Card, ...]:
    """Collect the parts shown, and those named in the last reply or in the message.

    Those shown for machines set `apart` come first. Each has its fit, if a model is known.
    """
    slot = before.slots.model
    models = [one.model.number for one in found if isinstance(one, ModelFound)]
    models += [slot.value] if isinstance(slot, VerifiedModel) else []
    old = {card.number: card for card in (*(c for f in apart for c in f.shown), *before.cards)}
    model, known = next(iter(models), ""), [*old]
    named = [one.part.number for one in found if isinstance(one, PartFound)]
    asked: list[JsonValue] = [[*known], last, [*named], model]

    def cards() -> tuple[Card, ...]:
        numbers = [*known, *numbers_in(context.world, last), *named]
        told = {number: card for number, card in old.items() if card.fit}
        new = numbered(context.world, numbers, model)
        return tuple(told.get(card.number, card) for card in new)

    return context.outside("catalog.shown", asked, cards, tuple[Card, ...])


def to_pick_from(
    context: Context[Catalog], heard: Understood, before: State, shown: Sequence[Card]
) -> tuple[Card, ...]:
    """List the parts shown, then those listed for the models mentioned."""
    models = [one.model.number for one in heard.found if isinstance(one, ModelFound)]
    slots = [before.slots.model, *(file.slots.model for file in before.others)]
    models += [slot.value for slot in slots if isinstance(slot, VerifiedModel)]
    others = {
        card.number: card
        for model in dict.fromkeys(models)
        for card in shelf_of(context, model)
        if card.name or card.price is not None  # the rest can only be meant by number
    }
    numbers = {card.number for card in shown}
    return (*shown, *(card for card in others.values() if card.number not in numbers))


def kinds_of(context: Context[Catalog]) -> tuple[str, ...]:
    """Ask for the kinds of appliances that the catalog covers."""
    return context.outside("catalog.kinds", None, context.world.kinds, tuple[str, ...])


def symptoms_of(context: Context[Catalog]) -> dict[str, list[str]]:
    """Ask for the symptoms of each kind of appliance that the catalog covers.

    Parts that also fit other appliances are listed with symptoms of those.
    """
    known = context.outside(
        "catalog.symptoms_by_kind", None, context.world.symptoms_by_kind, dict[str, list[str]]
    )
    covered = kinds_of(context)
    own = {
        name: [one for one in kinds if any(related(one, kind) for kind in covered)]
        for name, kinds in known.items()
    }
    return {name: kinds for name, kinds in own.items() if kinds}


def hands_over(context: Context[Catalog]) -> bool:
    """Ask whether the shop takes conversations over."""
    return context.outside("shop.hands_over", None, lambda: context.world.shop.hands_over, bool)


def brands_of(context: Context[Catalog]) -> tuple[str, ...]:
    """Ask for the brands that the catalog knows."""
    return context.outside("catalog.brands", None, context.world.brands, tuple[str, ...])


def called_elsewhere(context: Context[Catalog], now: State, file: CaseFile | None = None) -> Spread:
    """Find parts of any model that match the description, while the customer's model is unknown.

    `file` is the machine that is meant, if it is not that of the open case.
    """
    file = file or now.cases[0]
    described, known = file.slots.description, isinstance(file.slots.model, VerifiedModel)
    if described is None or known or isinstance(file.slots.part, VerifiedPart):
        return Spread()
    return context.outside(
        "catalog.anywhere",
        [described.value, kind := file.appliance or _kind_in_sight(now), file.brand],
        lambda: anywhere(context.world, described, kind, file.brand),
        Spread,
    )


def kind_elsewhere(context: Context[Catalog], now: State) -> str:
    """Infer the appliance, if not yet known, from the kind that all matching parts share."""
    known = now.appliance or now.slots.model
    kinds = set[str]() if known else {one.kind for one in called_elsewhere(context, now).cards}
    return kinds.pop() if len(kinds) == 1 else ""


def _kind_in_sight(now: State) -> str:
    """Return the kind of appliance that all parts spoken of last are for; else ""."""
    kinds = {card.kind for card in now.cards}
    return kinds.pop() if len(kinds) == 1 else ""


def kinds_called(context: Context[Catalog], described: DescriptionSlot) -> tuple[str, ...]:
    """Find for which kinds of appliances the catalog has such parts, the most common first."""

    def kinds() -> tuple[str, ...]:
        hits = context.world.find(described.value, limit=MANY, terms=described.terms)
        strong, said = described.strong or described.terms, {*described.said}
        of_kind = [
            h for h in hits if is_called(head_of(h.part.name), strong) and said <= {*h.matched}
        ]
        found = Counter(kind.casefold() for hit in of_kind for kind in hit.part.appliances)
        return tuple(kind for kind, _ in found.most_common())

    return context.outside("catalog.called", described.value, kinds, tuple[str, ...])


def assortment(context: Context[Catalog], kind: str) -> Assortment:
    """Ask what the catalog has for a kind of appliance."""

    def sold() -> Assortment:
        brands, parts = context.world.sold_for(kind)
        named = by_kind(card(one, model="", fit="") for one in parts)
        common = sorted(filter(None, named), key=lambda one: -len(named[one]))
        return Assortment(kind=kind, brands=tuple(brands), parts=tuple(common[:SPREAD]))

    return context.outside("catalog.sold", kind, sold, Assortment)


def suspects(context: Context[Catalog], now: State, file: CaseFile | None = None) -> Spread:
    """Find parts of any model that are known for the symptoms, while the model is unknown.

    `file` is the machine that is meant, if it is not that of the open case.
    """
    file = file or now.cases[0]
    slots, kind, brand = file.slots, file.appliance, file.brand
    if isinstance(slots.model, VerifiedModel) or not slots.symptoms:
        return Spread()
    return context.outside(
        "catalog.suspects",
        [kind, brand, *(slot.value for slot in slots.symptoms), *slots.denied],
        lambda: suspected(context.world, slots, kind, brand, now.language),
        Spread,
    )


def shelf_of(context: Context[Catalog], model: str) -> tuple[Card, ...]:
    """List the first parts of a model, as many as a prompt shows."""
    return context.outside(
        "catalog.shelf",
        model,
        lambda: shelf(context.world, model, prompts.ROWS),
        tuple[Card, ...],
    )


def others_like(context: Context[Catalog], state: Draft, topic: str) -> list[Line]:
    """Say which parts of the model are of the kind whose price is found high, if any."""
    meant, model = focus.in_focus(state), state.now.slots.model
    if topic not in ("dear", "by_price") or not meant:
        return []
    words = voice(state.now.language)
    if not isinstance(model, VerifiedModel):
        return [replies.told("others:model", "others_model", words)]
    head, cheaper = head_of(meant[0].name), focus.wants_cheaper(state, topic)

    def alike() -> tuple[Card, ...]:
        every = shelf(context.world, model.value)
        return tuple(one for one in every if not one.name or head_of(one.name) == head)

    known = context.outside("catalog.alike", [model.value, head], alike, tuple[Card, ...])
    return weighing.others_like(meant[0], known, model.value, words, cheaper=cheaper)


def background(context: Context[Catalog], now: State) -> Background:
    """Collect what the telling model may refer to beyond this turn's results."""
    if context.model("parts.tell") == "rules":
        return Background()
    wants = now.goal or now.slots.symptoms
    model = now.slots.model if wants else None
    find = (called_elsewhere, suspects)
    spreads = [(file, each(context, now, file)) for each in find for file in now.machines]
    described = [one.slots.description for one in now.machines]
    called = {one.value: kinds_called(context, one) for one in described if one}
    browses = now.goal in (None, Goal.LIST, Goal.FIND)
    unknown = [c.appliance for c in now.cases if not isinstance(c.slots.model, VerifiedModel)]
    unknown = unknown if browses else []
    return Background(
        shelf=shelf_of(context, model.value) if isinstance(model, VerifiedModel) else (),
        spreads=[one for one in spreads if one[1].cards],
        called={name: kinds for name, kinds in called.items() if kinds},
        kinds=(kinds := kinds_of(context)),
        sold=[
            assortment(context, one) for one in dict.fromkeys(unknown) if browses and one in kinds
        ],
        contact=contact(context),
        near=near_to(context, now),
        fits_if=fits_if(context, now),
        unlisted=() if isinstance(model, VerifiedModel) else unlisted(context, now.mentioned),
    )


def unlisted(context: Context[Catalog], cards: Iterable[Card]) -> tuple[str, ...]:
    """Ask which parts, told without a model, are listed for none at all."""
    if not (numbers := [card.number for card in cards if not card.fit]):
        return ()
    found = partial(context.world.unlisted, numbers)
    return context.outside("catalog.unlisted", [*numbers], found, tuple[str, ...])


def near_to(context: Context[Catalog], now: State) -> tuple[Card, ...]:
    """Look up the parts that an unknown number may stand for, with their fit for a known model."""
    part = now.slots.part
    if not isinstance(part, UnconfirmedId) or part.pointed or not part.options:
        return ()
    numbers, slot = [one.number for one in part.options], now.slots.model
    model = slot.value if isinstance(slot, VerifiedModel) else ""
    return context.outside(
        "catalog.near",
        [[*numbers], model],
        lambda: numbered(context.world, numbers, model),
        tuple[Card, ...],
    )


def fits_if(context: Context[Catalog], now: State) -> tuple[tuple[str, str, str], ...]:
    """Check a part for each model that an unknown number may stand for: part, model, verdict."""
    part, model = now.slots.part, now.slots.model
    checks = now.goal is Goal.CHECK and isinstance(part, VerifiedPart)
    if not (checks and part and isinstance(model, UnconfirmedId) and model.options):
        return ()
    number, models = part.value, [one.number for one in model.options]
    return context.outside(
        "catalog.fits_if",
        [number, *models],
        lambda: tuple(
            (number, one, context.world.fit(number, one).verdict.value) for one in models
        ),
        tuple[tuple[str, str, str], ...],
    )


def contact(context: Context[Catalog]) -> str:
    """Ask how the shop is reached; empty if unknown."""
    return context.outside("shop.contact", None, lambda: context.world.shop.reach, str)


class FitQuestion(BaseModel):
    """A part and a model, by their numbers."""

    part: str = Field(max_length=80, description="the part's number, of the shop or the maker")
    model: str = Field(max_length=80, description="the appliance's model number")


class FindQuestion(BaseModel):
    """A description, and the model that the part is for."""

    description: str = Field(max_length=400, description="what the part is called or does")
    model: str = Field(max_length=80, description="the appliance's model number")


class DiagnoseQuestion(BaseModel):
    """What is wrong with an appliance."""

    model: str = Field(max_length=80, description="the appliance's model number")
    symptoms: list[str] = Field(
        min_length=1, max_length=8, description="symptoms, best in the catalog's words"
    )


def _fit(catalog: Catalog, asked: FitQuestion) -> Answer:
    found = _fit_of(asked.part, asked.model, catalog)
    return _answer(found, catalog, part="" if found.cards else asked.part, model=asked.model)


def _find(catalog: Catalog, asked: FindQuestion) -> Answer:
    hits = catalog.find(asked.description, asked.model, limit=SHOWN)
    cards = tuple(card(hit.part, model=asked.model, fit="listed") for hit in hits)
    return _answer(_ranking(cards, catalog), catalog, model=asked.model)


def _diagnose(catalog: Catalog, asked: DiagnoseQuestion) -> Answer:
    causes = catalog.diagnose(asked.model, asked.symptoms)[:SHOWN]
    cards = tuple(
        card(cause.part, model=asked.model, fit="listed", fixes=cause.fixes) for cause in causes
    )
    known = [*catalog.symptom_strings()] if not cards else []
    return _answer(_ranking(cards, catalog), catalog, model=asked.model, symptoms=known)


def _answer(
    found: Result,
    catalog: Catalog,
    *,
    part: str = "",
    model: str = "",
    symptoms: Sequence[str] = (),
) -> Answer:
    """Wrap a result; for numbers that the catalog lacks, it adds those that may have been meant."""
    content: Json = found.model_dump(mode="json")
    if model and catalog.model(model) is None:
        content["models_like_it"] = [near.number for near in catalog.near_models(model)]
    if part:
        content["parts_like_it"] = [near.part.number for near in catalog.near_parts(part)]
    if symptoms:
        content["known_symptoms"] = [*symptoms]
    return Answer(content=content)


TOOLBOX = Toolbox(
    tools=(
        Tool(
            "parts_fit",
            "Whether the catalog lists a part for a model; never a guess. With the part's card.",
            FitQuestion,
            _fit,
        ),
        Tool("parts_find", "Parts for a model by a description.", FindQuestion, _find),
        Tool(
            "parts_diagnose",
            "Parts for a model, by how well they fix what is wrong with it.",
            DiagnoseQuestion,
            _diagnose,
        ),
    ),
    starters=(
        Starter(
            "which_part",
            "Find the part that an appliance needs",
            "Use the Ruleplay parts tools to find the part I need. {problem}",
            (("problem", "what is wrong, and with which model"),),
        ),
    ),
)


def listed_instead(context: Context[Catalog], returned: ToolReturned) -> list[QuestionRaised]:
    """If a part is not listed for the model, look for one of the same name that is."""
    cards, model = returned.cards, str(returned.args.get("model"))
    unlisted = returned.goal is Goal.CHECK and returned.verdict == Verdict.NOT_LISTED
    wanted = named_like(cards[0]) if cards and unlisted else None
    if wanted is None:
        return []
    found = context.outside(
        "catalog.instead",
        [wanted.value, model],
        lambda: has_like(context.world, wanted, model),
        bool,
    )
    asked = Question(goal=Goal.FIND, description=wanted, how="instead")
    return [QuestionRaised(question=asked)] if found else []
