"""Words what a tool found, as far as it is new and answers the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from ruleplay.agents.parts import state as did
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.descriptions import (
    head_of,
    heads_of,
    parts_at,
    parts_named,
    qualifiers,
)
from ruleplay.agents.parts.domain.ids import Option, candidates
from ruleplay.agents.parts.domain.reader import (
    GOALS,
    LIKELY,
    PROBABLE,
    SURE,
    VERY_SURE,
    part_share,
    readings,
)
from ruleplay.agents.parts.domain.references import RANKED, find_references, sums_said
from ruleplay.agents.parts.domain.slots import (
    OF_PARTS,
    DescriptionSlot,
    Find,
    Goal,
    Question,
    Request,
    UnconfirmedId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.agents.parts.domain.voice import Voice, voice
from ruleplay.agents.parts.policy import apart, beside, focus, replies, weighing
from ruleplay.agents.parts.policy.noting import noted
from ruleplay.agents.parts.policy.pointing import (
    TIED,
    best_of,
    counted_at,
    is_called,
    is_plural,
    part_of,
    says_no_more,
    surely_called,
)
from ruleplay.agents.parts.policy.subjects import SEARCHES
from ruleplay.agents.parts.state import Draft, Line, State, Update
from ruleplay.records.events import Event

OFFERS_FIT = (Goal.ABOUT, Goal.PRICE, Goal.REPLACED)
"""Goals answered without a model, after which the assistant offers to check the fit."""
FEW = 3
"""Most parts of a list of which the one that a complaint names is spoken of from then on."""
_DIGITS = 4
"""Fewest digits of a part's number."""


def told_as(state: Draft, request: Request, returned: did.ToolReturned, words: Voice) -> list[Line]:
    """Word a tool's result: in the standard way, or shorter where parts of it are known."""
    if returned.how == "compared":
        return differences(state, returned, words)
    found, cards, told = replies.results(returned, words), returned.cards, state.lines
    if isinstance(request, Find) and cards and not called_so(request, cards):
        found = _near(state, request, found, cards, words)
    elif returned.how == "instead":
        new = [one for one in found[1:] if one.id not in {fact.id for fact in told}]
        model = str(returned.args["model"])
        opening = replies.told(f"instead:{model}", "found_instead", words, found=True, model=model)
        found = [opening, *new] if new else []
    elif isinstance(request, Find) and [one.number for one in cards] == [*state.before.focus]:
        found = _only_spoken(request, cards, words) or found
    elif returned.goal is Goal.DIAGNOSE and cards:
        found = _causes(state, returned, found, words)
    elif returned.goal is Goal.ABOUT:
        found = _about(state, returned, found, words)
    elif returned.goal is Goal.CHECK and _checks_again(state, returned):
        found = []
    elif returned.goal is Goal.CHECK:
        found += _beside_fit(state, returned, words)
    elif returned.goal is Goal.REPLACED:
        told_so = getattr(state.now.slots.part, "via", "") == "replaces"  # the confirmation said so
        prices = [replies.price(card, words) for card in cards]
        found = prices if told_so else [*_not_replaced(state, returned, words), *found]
    fits = {f"facts:{card.number}" for card in cards if _verdict_told(card, told)}
    return [line for line in found if line.id not in fits]


def _about(state: Draft, returned: did.ToolReturned, found: list[Line], words: Voice) -> list[Line]:
    """Word what a part is: a possible cause if it is only named, and what is not known of it."""
    cards, read = returned.cards, readings(state.given.message, ())
    if _supposes(state, returned) and cards[0].fixes and cards[0].fit != Verdict.NOT_LISTED:
        films = [line for line in found if line.id.startswith("video:")]
        told_of = replies.card_line(cards[0], words, explains=True)
        return [replies.conjecture("", cards, words), told_of, *films]
    seen = returned.how in ("antecedent", "shown")
    if seen and any(GOALS.get(o.goal) is Goal.ABOUT and o.sure >= VERY_SURE for o in read):
        return [*found, replies.told("role", "role", words).model_copy(update={"once": True})]
    return found


def _verdict_told(card: Card, told: Sequence[Line]) -> bool:
    return any(line.id == f"fit:{card.number}:{card.model}" for line in told)


def _checks_again(state: Draft, returned: did.ToolReturned) -> bool:
    """Whether an answered check runs again, unasked, for a machine of another kind."""
    raised = any(one.goal is Goal.CHECK for one in _raised(state))
    return state.before.done and not raised and returned.verdict == Verdict.OTHER_APPLIANCE


def _only_spoken(request: Find, cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say that a search has found no other part than the one spoken of: "what other valve?"."""
    gaps = {"name": request.description.value, "model": request.model.value}
    parts = words.listed([replies.bought(card, words) for card in cards])
    told = replies.told("only", "only_spoken", words, found=True, part=parts, **gaps)
    return [told] if len(cards) == 1 else []


def _causes(
    state: Draft, returned: did.ToolReturned, found: list[Line], words: Voice
) -> list[Line]:
    """Word the parts known for a problem: shorter if all were shown, and as they were asked for."""
    cards = returned.cards
    spoken = not state.before.focus or cards[0].number in state.before.focus
    if by_price(state) and len(cards) == 1 and spoken:
        opening = weighing.cheapest_led(found[0], returned, words, key="no_cheaper_fix")
        return [opening, *found[1:]]
    if by_price(state):
        return [weighing.cheapest_led(found[0], returned, words), *found[1:]]
    if again := _again(state, cards, words):
        return again
    if not (name := focus.conjectured(state)):
        return found
    every = len(cards) >= int(returned.explanation or 0)
    meant = [card for card in cards if is_called(head_of(card.name), name.terms)]
    return [*([replies.conjecture(name.text, meant, words)] if meant or every else []), *found]


_COMPARES = "compare"
"""What the reader hears in a question about a difference, and the topic of its answer."""


def _meant_of_compared(state: Draft, returned: did.ToolReturned) -> str:
    """Find the part that is spoken of from then on: the one named, else the one that fits or wins.

    Empty if both are.
    """
    message, language = state.given.message, state.now.language
    every = [one.question for one in state.events if isinstance(one, did.QuestionRaised)]
    parts = [one.part for one in every if one.how == "compared" and one.part]
    named = [one.value for one in parts if one.evidence.text != message]
    cards = _compared_cards(state, returned)
    fitting = [one.number for one in cards if one.fit == Verdict.LISTED]
    if len(named) == 1 == len(parts) - 1:
        # Who hears that the other one does not fit goes on with the one that does.
        misfits = any((c.number, c.fit) == (named[0], Verdict.NOT_LISTED) for c in cards)
        return fitting[0] if misfits and len(fitting) == 1 else named[0]
    # "Does A or B fit" picks neither, whichever does.
    which = not named and beside.asked_for(readings(message, ()))["fit"] < SURE
    if which and any(isinstance(one, did.ModelFilled) for one in state.events):
        return fitting[0] if len(fitting) == 1 else ""
    ranks = [one for one in find_references(message, language) if one.way in RANKED]
    best = best_of(cards, ranks[0]) if len(ranks) == 1 else []
    return best[0].number if len(best) == 1 else ""


def _compared_cards(state: Draft, returned: did.ToolReturned) -> list[Card]:
    before = [one for one in state.events if isinstance(one, did.ToolReturned)]
    every = [one for one in (*before, returned) if one.how == "compared"]
    return [*{card.number: card for one in every for card in one.cards}.values()]


def differences(state: Draft, returned: did.ToolReturned, words: Voice) -> list[Line]:
    """Say how the parts that a message compares differ, once all of them are looked up."""
    if any(one.how == "compared" for one in state.now.queue):
        return []
    ways, read = focus.ways(state), readings(state.given.message, ())
    shares = beside.asked_for(read)
    by = ["fit"] if any(isinstance(one, did.ModelFilled) for one in state.events) else []
    by += ["work"] if ways & {"easiest", "quickest"} else []
    by += ["price"] if ways & {"cheapest", "dearest"} else []
    by += [kind for kind in ("price", "work", "fit") if shares[kind] >= LIKELY]
    topics = {one.topic for one in state.events if isinstance(one, did.Answered)}
    differ = _COMPARES in topics or any(one.goal == _COMPARES for one in read[1:])
    only = bool(by) and not differ
    return apart.compared(_compared_cards(state, returned), words, by=by, only=only)


def told_together(state: Draft, lines: Sequence[Line]) -> list[Line]:
    """Tell of the work of two parts, and of the fit of three and more, in one line each."""
    every = [one for one in state.events if isinstance(one, did.ToolReturned)]
    worked = {c.number: c for one in every if one.goal is Goal.EFFORT for c in one.cards}
    drawn = apart.work_apart([*worked.values()], voice(state.now.language), films=False)
    lines = _instead(lines, {f"effort:{number}" for number in worked}, drawn)
    checked = {c.number: c for one in every if one.goal is Goal.CHECK for c in one.cards}
    fits = {f"fit:{card.number}:{card.model}" for card in checked.values()}
    many = len(fits) > replies.PAIR
    drawn = apart.fits([*checked.values()], voice(state.now.language)) if many else []
    return _instead(lines, fits, drawn)


def _instead(lines: Sequence[Line], own: set[str], drawn: Sequence[Line]) -> list[Line]:
    """Put lines in the place of the first of those that they sum up."""
    at = next((at for at, one in enumerate(lines) if one.id in own), -1)
    if not drawn or at < 0:
        return [*lines]
    return [*lines[:at], *drawn, *(one for one in lines[at:] if one.id not in own)]


def _beside_fit(state: Draft, returned: did.ToolReturned, words: Voice) -> list[Line]:
    """Say beside whether a part fits what else was asked of it."""
    if returned.how == "corrected":
        return _for_corrected(state, returned, words)
    if focus.told_fit(state.before, returned):
        return [replies.aside("sure", words)]  # "and it works for sure?"
    card = next(iter(returned.cards), None)
    if card and not card.name and _asks_if(state, card):
        return [replies.told("nameless", "nameless_too", words, found=True)]
    told = card and _described(state, card)
    return [replies.card_line(card, words, explains=True)] if card and told else []


def _for_corrected(state: Draft, returned: did.ToolReturned, words: Voice) -> list[Line]:
    """Say whether a corrected number of the model changes what was told of a part."""
    before, model = state.before.slots.model, str(returned.args["model"])
    if not isinstance(before, VerifiedModel):
        return []
    known = {card.number: card for card in (*state.before.spoken, *state.before.cards)}
    card = known.get(str(returned.args["part"]))
    fitted = card is not None and (card.model, card.fit) == (before.value, Verdict.LISTED)
    keys = {Verdict.LISTED: "no_change", Verdict.NOT_LISTED: "change"}
    key = keys.get(Verdict(returned.verdict)) if fitted else None
    gaps = {"model": before.value}
    return [replies.told(f"change:{model}", key, words, found=True, **gaps)] if key else []


def _asks_if(state: Draft, card: Card) -> bool:
    """Whether a message asks if a part is of some kind: "PS1, is that a filter too?"."""
    raised = [
        event.question.goal for event in state.events if isinstance(event, did.QuestionRaised)
    ]
    filled = [event.slot for event in state.events if isinstance(event, did.PartFilled)]
    ends = [one.evidence.end for one in filled if one.value == card.number]
    if Goal.ABOUT in raised:
        return False  # all that is known of it follows
    nouns = parts_named(state.given.message, state.now.language)
    return any(noun.start > end for end in ends for noun in nouns)


def listed_now(state: Draft, topic: str) -> bool:
    """Whether the list that follows answers what is sure or was tried: "is there a spring?"."""
    raised = [one.question.goal for one in state.events if isinstance(one, did.QuestionRaised)]
    if any(one.how == "compared" for one in _raised(state)):
        return topic in ("compare", "dear", "by_price")
    if topic == "on_order":
        return Goal.PRICE in raised  # a price tells what "on order" means
    if topic not in ("sure", "tried") and not focus.wants_cheaper(state, topic):
        return False
    sought = topic != "tried" and not {*SEARCHES}.isdisjoint(raised)
    unlisted = not state.before.cards and bool(state.now.slots.model)
    return sought or unlisted or state.before.case != state.now.case  # another machine's list


def _raised(state: Draft) -> list[Question]:
    return [one.question for one in state.events if isinstance(one, did.QuestionRaised)]


def _supposes(state: Draft, returned: did.ToolReturned) -> bool:
    """Whether a part in sight is only named, as a possible cause: "what is it for" asks more."""
    asked = any(one.goal == "about" for one in readings(state.given.message, ())[1:])
    return returned.how == "shown" and bool(returned.cards) and not asked


def _described(state: Draft, card: Card) -> bool:
    """Whether the part was found by its description in this message: "a button for my M1"."""
    filled = [event.slot for event in state.events if isinstance(event, did.PartFilled)]
    found = any(isinstance(one, VerifiedPart) and one.value == card.number for one in filled)
    numbers = {card.number, card.manufacturer_number, *card.replaces}
    return found and not any(one.text in numbers for one in candidates(state.given.message))


def _near(
    state: Draft, request: Find, found: list[Line], cards: Sequence[Card], words: Voice
) -> list[Line]:
    """Say that nothing matches the description, and what comes near and is new."""
    wanted = request.description
    gaps = {"name": wanted.value, "model": request.model.value}
    if wanted.sort == "roundabout":
        key = "found_guess" if len(cards) == 1 else "found_guesses"
        return [replies.told(found[0].id, key, words, found=True, **gaps), *found[1:]]
    known = {card.number for card in (*state.before.cards, *state.before.spoken)}
    like = any(
        kinds and all(is_called(head_of(card.name), kinds) for card in cards)
        for kinds in (wanted.own, wanted.strong)
    )
    like = like or _has_all(cards[0], wanted, words.language)
    strange = not like or (wanted.said and not _has_all(cards[0], wanted, words.language))
    if strange and all(card.number in known for card in cards):
        told = replies.not_there(wanted.value, request.model.value, words)
        return [told, replies.aside("in_other_words", words)]
    key = "found_like" if like else "found_near"
    listed = [line for line in found if line.block]
    return [replies.told(f"near:{wanted.value}", key, words, found=False, **gaps), *listed]


def _has_all(card: Card, wanted: DescriptionSlot, language: str) -> bool:
    """Whether a part's name has a word for the kind and one for each detail of a description.

    The catalog's words for it count in other languages: "ice" of "celui des glaçons".
    """
    own = [(word,) for word in qualifiers(wanted.value, language)] if language != "en" else []
    said = [wanted.strong, *((word,) for word in wanted.said)]
    return any(told and all(is_called(card.name, it) for it in told) for told in (said, own))


def _not_replaced(state: Draft, returned: did.ToolReturned, words: Voice) -> list[Line]:
    """Say that the number in the message is not among those that a part replaces."""
    said = [one.text for one in candidates(state.given.message) if " " not in one.text]
    unknown = [one for one in said if sum(map(str.isdigit, one)) >= _DIGITS]
    only = returned.how == "antecedent" and len(unknown) == 1
    cards = returned.cards[:1] if only else ()
    return [
        replies.told(
            f"unreplaced:{card.number}", "not_replaced", words, found=True,
            part=replies.called(card), number=unknown[0],
        )
        for card in cards
    ]  # fmt: skip


def leads(state: Draft, returned: did.ToolReturned) -> str:
    """Find the one part that alone explains all symptoms, or is named in the complaint, or meant.

    Empty if there is none.
    """
    if returned.how == "compared":
        return _meant_of_compared(state, returned)
    said = [one.evidence for one in state.now.slots.symptoms]
    message = state.given.message
    here = [one.start for one in said if message.startswith(one.text, one.start)]
    told = " ".join(
        [*(one.text for one in said), *(re.split(r"[.,;:!?\n]", message[at:])[0] for at in here)]
    )
    nouns = [term for noun in parts_at_all(told, state.now.language) for term in noun]
    named = [card for card in returned.cards if is_called(card.name, nouns)] if nouns else []
    few = returned.goal is Goal.DIAGNOSE and 1 < len(returned.cards) <= FEW
    if few and len(named) == 1 and named[0] is returned.cards[0]:
        return named[0].number
    best = weighing.best_known(returned.cards)
    alone = returned.goal is Goal.DIAGNOSE and len(best) == 1 < min(len(returned.cards), 2)
    return best[0].number if alone and len(best[0].fixes) > 1 else ""


def parts_at_all(text: str, language: str) -> list[tuple[str, ...]]:
    """List the catalog's words for each part that a text names: of "leaks at the door", "door"."""
    places = [(word,) for word in parts_at(text, language)]
    return [*(noun.terms[:1] for noun in parts_named(text, language)), *places]


def reckoned(state: Draft, cards: Sequence[Card], words: Voice) -> list[Line]:
    """Compare a price quoted for a repair with that of the part, if the message has one."""
    asks = any(isinstance(one, did.Answered) and one.topic == "quote" for one in state.events)
    sums = sums_said(state.given.message)
    if not (asks and len(cards) == 1 and sums):
        return []
    return weighing.quoted(max(sums), cards[0], words)


def _again(state: Draft, cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say which parts already shown explain more of the symptoms, or that all do equally.

    Empty if some of the parts are new.
    """
    known, found = [card.number for card in state.before.cards], [card.number for card in cards]
    best = weighing.best_known(cards)
    if {*known} >= {*found} and 0 < len(best) < len(cards) and len(best[0].fixes) > 1:
        return weighing.led(cards, words)
    if {*known} != {*found}:
        return []
    moved = len(cards) == 1 and state.before.cards[0].model != cards[0].model
    gaps = {"named": replies.called(cards[0]), "model": cards[0].model}
    fits = [replies.told("fits", "is_listed", words, found=True, **gaps)] if moved else []
    return [*fits, *replies.same_again(cards, words)]


def by_price(state: Draft) -> bool:
    """Whether parts are asked for by price."""
    read = readings(state.given.message, ())
    asked = any(one.goal == "cheaper" and one.sure >= SURE for one in read)
    return (
        state.now.cheapest or asked or focus.asks_of_price(state.given.message, state.now.language)
    )


def foremost(state: Draft, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Leave out what fixes fewer of several symptoms than others do.

    All stay where only one part fixes the most, and where the symptoms were told one after the
    other, so that they may have different causes.
    """
    new = sum(isinstance(one, did.SymptomHeard) for one in state.events)
    best = weighing.best_known(cards)
    several = bool(best) and len(best[0].fixes) > 1 < len(best)
    later = new == 1 and len(state.now.slots.symptoms) > 1
    return tuple(best if several and not later else cards)


def cheaper(state: Draft, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Select what costs less than the part spoken of, if that is asked for and there is any."""
    topics = [one.topic for one in state.events if isinstance(one, did.Answered)]
    asked = any(focus.wants_cheaper(state, topic) for topic in topics)
    known = {card.number: card.price for card in (*state.before.cards, *state.before.spoken)}
    prices = [known.get(number) for number in state.before.focus] if asked else []
    if len(prices) != 1 or (least := prices[0]) is None:
        return cards
    return tuple(card for card in cards if card.price and card.price < least) or cards


def subject_found(request: Find, cards: Sequence[Card]) -> did.PartFilled | did.SubjectMissing:
    """Turn search results into the question's part: the only match, a choice, or none."""
    described, model = request.description, request.model.value
    options = tuple(
        Option(kind="part", number=card.number, row=card.row, via="number", name=card.name)
        for card in cards
    )
    if not options:
        return did.SubjectMissing(name=described.value, model=model)
    if len(options) == 1 and taken_for(options[0].name, described):
        one = options[0]
        part = VerifiedPart(
            value=one.number,
            row=one.row,
            evidence=described.evidence,
            name=one.name,
            asked=one.number,
        )
        return did.PartFilled(slot=part)
    return did.PartFilled(
        slot=UnconfirmedId(
            value=described.value, evidence=described.evidence, options=options, pointed=True
        )
    )


def each_meant(
    state: Draft, described: DescriptionSlot, event: did.PartFilled | did.SubjectMissing
) -> list[Event]:
    """Ask of each of the parts found where as many are meant: "what are both supports?".

    So are the few of a kind that is asked about in the plural: "the seals, at what price?".
    """
    slot = event.slot if isinstance(event, did.PartFilled) else None
    options = slot.options if isinstance(slot, UnconfirmedId) else ()
    said, message = described.evidence, state.given.message
    count = counted_at(message, state.now.language, said.start)
    every = state.now.goal is Goal.PRICE and is_plural(said.text) and len(options) <= TIED
    if len(options) < replies.PAIR or not (every if count == 0 else count == len(options)):
        return []
    parts = [
        VerifiedPart(value=one.number, row=one.row, evidence=said, name=one.name, asked=one.number)
        for one in options
    ]
    goal = state.now.goal or Goal.PRICE
    rest = [Question(goal=goal, part=part, how="named") for part in parts[1:]]
    raised = [did.QuestionRaised(question=one, first=False) for one in rest]
    return [did.PartFilled(slot=parts[0]), *raised]


def is_named(described: DescriptionSlot, message: str) -> bool:
    """Whether a description names a kind of part, or an unknown word is used like such a name."""
    said = described.evidence
    known = described.terms != described.own
    return known or part_share(message, said.start, said.end) >= PROBABLE


def shown_instead(state: Draft, request: Find, returned: did.ToolReturned) -> Update:
    """Show the only part that may be meant, with all that is asked, and whether it is."""
    (card,), described, words = returned.cards, request.description, voice(state.now.language)
    part = did.PartFilled(slot=part_of(card, described.evidence))
    asks = replies.said("ask:part", words.say("this_one", value=described.value))
    effort, fit = (state.now.goal is goal for goal in (Goal.EFFORT, Goal.CHECK))
    told_too = replies.effort(card, words)[1:] if effort else []
    told_too += replies.power_first(words, [card]) if effort else []
    told_too += replies.facts(card, words, ("fit",)) if fit else []
    told = [replies.card_line(card, words, explains=True), *told_too, asks]
    return {"events": [part, returned], "lines": [*noted(state, answering=True), *told]}


def called_so(request: Find, cards: Sequence[Card]) -> bool:
    """Whether something found matches the description exactly, and not just nearly."""
    return any(surely_called(card.name, request.description) for card in cards)


def spoken_of(
    state: Draft,
    request: Find,
    event: did.PartFilled | did.SubjectMissing,
    said: Sequence[str],
) -> did.PartFilled | None:
    """Take the part spoken of last where a search settles on no other and it may be it.

    The catalog has no name for it and the customer has just called it so, or names its price;
    `said` are the earlier messages.
    """
    settled = isinstance(event, did.PartFilled) and isinstance(event.slot, VerifiedPart)
    if settled or state.now.goal not in OF_PARTS:
        return None
    meant = focus.in_focus(state)
    nouns = [noun for text in said[-1:] for noun in parts_named(text, state.now.language)]
    called = any({*noun.terms} & {*request.description.strong} for noun in nouns)
    sums = sums_said(state.given.message)  # "$60 for a knob" is the switch that costs $60.21
    known = [one for one in meant if (not one.name and called) or _costs(one, sums)]
    slot = part_of(known[0], request.description.evidence) if known else None
    return did.PartFilled(slot=slot) if slot else None


def _costs(card: Card, sums: Sequence[Decimal]) -> bool:
    return card.price is not None and any(abs(card.price - one) < 1 for one in sums)


def sure_of(event: did.PartFilled | did.SubjectMissing, cards: Sequence[Card]) -> bool:
    """Whether a search settled what is meant, or leaves several parts or none."""
    settled = isinstance(event, did.PartFilled) and isinstance(event.slot, VerifiedPart)
    return settled or len(cards) != 1


def taken_for(name: str, described: DescriptionSlot) -> bool:
    """Whether a part may be taken as the one described; if that is unsure, the reply says so."""
    sure = surely_called(name, described) or described.sort == "variant"
    return sure or says_no_more(name, described) or _has_words(name, described)


def _has_words(name: str, described: DescriptionSlot) -> bool:
    """Whether the customer's own words, or the usual word for them, are all in a part's name."""
    words = (*(described.own or described.strong[:1]), *described.said)
    whole = {one.text for one in read_words(described.value)}
    spoken = described.own == () or any(word.text in whole for word in read_words(name))
    plain = described.sort != "roundabout" and bool(words) and spoken
    # A "Water Filter Base" is no water filter, but a "Kit - White Wheels" has wheels.
    itself = any(
        is_called(head, (*described.own[-1:], *described.strong)) for head in heads_of(name)
    )
    return plain and itself and all(is_called(name, (word,)) for word in words)


def fit_offered(now: State, cards: Sequence[Card]) -> list[Line]:
    """Offer a fit check after the last answer about a part that was named without a model."""
    alone = now.goal in OFFERS_FIT and now.how == "named" and not (now.queue or now.slots.model)
    return replies.fit_offered(cards, voice(now.language)) if alone else []
