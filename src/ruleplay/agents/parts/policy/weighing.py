"""Compares parts: by the symptoms they fix, by price, by the effort of replacing them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from ruleplay.agents.parts.domain.cards import Card, Spread
from ruleplay.agents.parts.domain.descriptions import head_of
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.domain.voice import Voice
from ruleplay.agents.parts.policy import apart, replies
from ruleplay.agents.parts.policy.covering import problems
from ruleplay.agents.parts.policy.pointing import by_kind, named_kind, own_words
from ruleplay.agents.parts.policy.replies import PAIR
from ruleplay.agents.parts.state import CaseFile, Line, ToolReturned

SHOWN = 4
"""Most kinds of parts that are named at once."""
MOST_KINDS = 6
"""Kinds of parts that are named where a word may mean any of them."""
FEW = 3
"""Most parts that are named individually, with their prices."""


def led(cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say which of the parts listed before best explain all symptoms known by now."""
    best = best_known(cards)
    gaps = {"what": words.listed([replies.begun(words.label(one)) for one in best[0].fixes])}
    if len(best) > 1:
        parts = words.listed([replies.at_price(card, words) for card in best])
        return [
            replies.told(
                f"lead:{Goal.DIAGNOSE}:", "narrowed", words, found=True, parts=parts, **gaps
            )
        ]
    opening = replies.told(
        f"lead:{Goal.DIAGNOSE}:", "lead", words, found=True, part=replies.called(best[0]), **gaps
    )
    return [opening, replies.card_line(best[0], words, explains=True)]


def best_known(cards: Sequence[Card]) -> list[Card]:
    """Select the parts that are known for most of the symptoms."""
    most = max((len(card.fixes) for card in cards), default=0)
    return [card for card in cards if len(card.fixes) == most]


def weighed(goal: Goal, cards: Sequence[Card], words: Voice) -> list[Line]:
    """Compare parts briefly while it is unclear which is meant, the most likely first."""
    if goal is not Goal.PRICE and (drawn := apart.work_apart(cards, words)):
        return drawn
    lines: list[str] = []
    groups: dict[str, list[str]] = {}
    for card in cards:
        bought = ", ".join(
            filter(None, (replies.price_words(card, words), words.label(card.availability)))
        )
        what = bought if goal is Goal.PRICE else replies.work_words(card, words)
        # The first card is the most likely cause and gets a sentence of its own.
        if card is cards[0] and card.fixes and what:
            lines.append(words.say("weigh_first", part=replies.called(card), what=what))
        elif what:
            groups.setdefault(what, []).append(replies.called(card))
    for what, parts in groups.items():
        lines.append(words.say("weigh_rest", parts=words.listed(parts), what=what))
    compared = [Line(id="weighed", says="\n".join(lines), found=True)] if lines else []
    films = [line for card in cards for line in replies.video(card, words)][:1]
    compared += films if lines and goal is not Goal.PRICE else []
    return [*compared, replies.said("ask:part", words.say("weigh_ask" if lines else "which_part"))]


def quoted(asked: Decimal, card: Card, words: Voice) -> list[Line]:
    """Compute what remains of a quoted repair price without the part."""
    if card.price is None:
        return []
    rest = asked - card.price
    gaps = {"asked": f"{asked:f}", "price": words.amount(card.price), "rest": words.amount(rest)}
    key = "quoted" if rest > 0 else "quoted_less"
    return [replies.told(f"quoted:{card.number}", key, words, found=True, **gaps)]


def suspected(
    found: Spread,
    named: Sequence[Card] | None,
    words: Voice,
    file: CaseFile,
    *,
    priced: bool = False,
) -> Line:
    """Say which kinds of parts are known for a machine's symptoms while its model is unknown.

    A few parts for its brand are named individually. `named` are the parts that the customer
    suspects, or `None` if they named none. `priced` adds what one of each kind costs.
    """
    if not found.cards:
        what = _of_machine(file, [one.value for one in file.slots.symptoms], words)
        out = ", ".join(file.slots.denied)
        return replies.told("none:left", "known_left", words, what=what, out=out)
    best = best_known(found.cards)
    known = [cards[0] for cards in by_kind(found.cards).values()][:SHOWN]
    stated = dict.fromkeys(one for card in found.cards for one in card.fixes)
    gaps = {"what": _of_machine(file, stated, words)}
    # Naming parts is only useful if they are few and for the customer's brand.
    if found.brand and len(best) <= FEW and named is None:
        parts = "; ".join(replies.bought(card, words) for card in best)
        gaps["what"] = _of_machine(file, best[0].fixes, words)
        gaps |= {"brand": found.brand, "parts": parts}
        return replies.told(f"suspected:{file.number}", "known_of_brand", words, found=True, **gaps)
    others = [card for card in known if not named or card not in named]
    gaps["parts"] = words.listed([_own_name(card, words, priced=priced) for card in others])
    key = "known_kinds" if named is None else "may_be_kind" if named else "not_kind"
    if named is None and file.brand and not found.brand:
        gaps["brand"], key = file.brand, "known_elsewhere"
    if named:
        called = dict.fromkeys(_own_name(one, words, priced=priced) for one in named)
        gaps["named"] = words.listed([*called])
        key = key if others else "only_kind"
    return replies.told(f"suspected:{file.number}", key, words, found=True, **gaps)


def _of_machine(file: CaseFile, stated: Iterable[str], words: Voice) -> str:
    """Join a machine's kind and symptoms: "dishwasher – noisy"."""
    problems = words.listed([replies.begun(words.label(one)) for one in stated])
    return " – ".join(filter(None, (words.label(file.appliance), problems)))


def _own_name(card: Card, words: Voice, *, priced: bool = False) -> str:
    name = named_kind(card)
    if not priced or card.price is None:
        return name
    return words.say("kind_at", part=name, price=words.amount(card.price))


def sure(cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say which part the catalog makes most likely and which is cheapest; this is no test."""
    told = replies.aside("sure", words)
    priced = [(card.price, card) for card in cards if card.price is not None]
    if len(cards) < PAIR or not priced:
        return [told]
    price, cheapest = min(priced, key=lambda one: one[0])
    same = cheapest.number == cards[0].number
    says = words.say("first_both" if same else "first_best", first=replies.called(cards[0]))
    if reasons := cards[0].fixes:
        says += " " + words.say("about_symptoms", what=", ".join(map(words.label, reasons)))
    if not same:
        says += " " + words.say(
            "first_cheap", first=replies.called(cheapest), price=words.amount(price)
        )
    return [Line(id="aside:first", says=says, found=True), told]


def by_price(cards: Sequence[Card], words: Voice) -> list[Line]:
    """State the prices of several parts, the lowest first."""
    priced = [(card.price, card) for card in cards if card.price is not None]
    return [replies.price(card, words) for _, card in sorted(priced, key=lambda one: one[0])]


def cheapest_first(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Sort cards by price, those without a price last."""
    return tuple(sorted(cards, key=lambda one: (one.price is None, one.price or 0)))


def cheapest_led(
    opening: Line, returned: ToolReturned, words: Voice, key: str = "found_cheap"
) -> Line:
    """Open a list of parts for a symptom that was asked for by price."""
    what = ", ".join(replies.begun(words.label(one)) for one in problems(returned))
    gaps = {"model": str(returned.args["model"]), "what": what}
    return replies.told(opening.id, key, words, found=True, **gaps)


def dear(card: Card, words: Voice) -> Line:
    """Answer that a price somebody finds high is the one in the catalog."""
    if card.price is None:
        return replies.aside("dear", words)
    price = words.amount(card.price)
    return replies.told(
        f"dear:{card.number}", "dear_of", words, found=True, part=replies.called(card), price=price
    )


def others_like(
    card: Card, shelf: Sequence[Card], model: str, words: Voice, *, cheaper: bool = False
) -> list[Line]:
    """Say which parts of a model are of the same kind as one of its parts, or only called alike.

    Nothing if the part is not listed for the model, or has no name. With `cheaper`, only parts that
    cost less count.
    """
    head, own = head_of(card.name), {*own_words(card)}
    if not head or card.number not in {one.number for one in shelf}:
        return []
    alike = [one for one in shelf if head_of(one.name) == head and one.number != card.number]
    unnamed = [one for one in shelf if not one.name and {*one.symptoms} & {*card.symptoms}]
    same = [one for one in alike if own <= {*own_words(one)} or own >= {*own_words(one)}]
    least = card.price if cheaper else None
    if least is not None:
        same, alike, unnamed = (
            [o for o in each if o.price and o.price < least] for each in (same, alike, unnamed)
        )
    parts = words.listed([replies.bought(one, words) for one in same or alike])
    gaps = {"model": model, "name": named_kind(card), "parts": parts}
    gaps["part"] = replies.at_price(card, words)
    none = "others_none" if least is None else "none_cheaper"
    key = "others_same" if same else "others_alike" if alike else none
    told = [replies.told(f"others:{card.number}", key, words, found=True, **gaps)]
    if key == none and 0 < len(unnamed) <= FEW:  # one of them may be of the kind
        parts = words.listed([replies.bought(one, words) for one in unnamed])
        told.append(replies.told("others:unnamed", "unnamed", words, found=True, parts=parts))
    return told


def elsewhere(name: str, found: Spread, brand: str, words: Voice) -> Line:
    """List matching parts, whichever models they are for, and whether any is for the `brand`."""
    kinds = [*by_kind(found.cards)]
    if found.near and len(kinds) > MOST_KINDS:  # too many to read: only what they are
        kinds = [*dict.fromkeys(filter(None, (head_of(one.name) for one in found.cards)))]
    line = _spread_out(words.listed(kinds) if found.near else name, kinds, found, words)
    if found.near:
        line = f"{words.say('none_called', name=name)} {line}"
    if brand and not found.brand:
        line = f"{line} {words.say('none_of_brand', brand=brand)}"
    elif found.count > (FEW if found.brand else PAIR):
        line = f"{line} {words.say('which_spread')}"
    return Line(id="elsewhere", says=line, found=True)


def _spread_out(name: str, kinds: Sequence[str], found: Spread, words: Voice) -> str:
    """Word which parts there are: a few by number, of many their kinds, brands and prices."""
    if found.count <= (FEW if found.brand else PAIR):
        parts = "; ".join(replies.bought(card, words) for card in found.cards)
        return words.say("found_elsewhere", name=name, parts=parts)
    prices = ""
    if found.least and found.most:
        gaps = {"low": replies.at_price(found.least, words), "part": found.most.number}
        prices = words.say("spread_prices", high=replies.price_words(found.most, words), **gaps)
    every = dict.fromkeys(kind for one in found.cards for kind in one.kind.split(", ") if kind)
    machines = words.listed([words.label(kind) for kind in every])
    several = not found.near and 1 < len(kinds) <= MOST_KINDS
    return words.say(
        "found_spread",
        name=name,
        count=str(found.count),
        kinds=f"{machines} – {words.listed(kinds)}" if several else machines,
        brands=words.listed([found.brand] if found.brand else found.brands),
        prices=prices,
    )


def nowhere(name: str, kinds: Sequence[str], words: Voice) -> Line:
    """Say that no part of any model matches a name, and which kinds of machines have parts."""
    listed = words.listed([words.label(kind) for kind in kinds])
    line = replies.told(f"none:{name}", "found_nowhere", words, name=name, kinds=listed)
    return line.model_copy(update={"stuck": True})
