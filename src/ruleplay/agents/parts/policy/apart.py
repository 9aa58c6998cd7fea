"""Words how two or three parts differ, as far as the catalog tells."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.references import difficulty, minutes
from ruleplay.agents.parts.domain.symptoms import one_complaint
from ruleplay.agents.parts.domain.voice import Voice
from ruleplay.agents.parts.policy import replies
from ruleplay.agents.parts.policy.pointing import named_kind
from ruleplay.agents.parts.policy.replies import PAIR
from ruleplay.agents.parts.state import Line


def compared(
    cards: Sequence[Card], words: Voice, *, by: Sequence[str] = (), only: bool = False
) -> list[Line]:
    """Compare parts; differences are never guessed.

    `by` lists what was asked about, of "price", "work" and "fit", and comes first; with `only`
    nothing else is told.
    """
    if len(cards) < PAIR:  # one part has nothing to be compared with
        return [Line(id="aside:compare", says=words.say("which_part"))]
    told = {"price": _prices, "work": work_apart, "fixes": _fixes, "fit": fits, "names": _names}
    if len({card.fit for card in cards}) > 1:
        by = ["fit", *by]
    asked = [one for one in dict.fromkeys(by) if told[one](cards, words)]
    kept = asked if only and asked else [*asked, *(one for one in told if one not in asked)]
    lines = [line for one in kept for line in told[one](cards, words)]
    listed = [] if len(cards) == PAIR else [replies.card_line(one, words) for one in cards]
    return [*lines[:1], *listed, *lines[1:]]


def fits(cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say which of the parts are listed for the model; nothing without a model."""
    if len({card.model for card in cards}) > 1 or not all(
        card.model and card.fit for card in cards
    ):
        return []
    listed = [card for card in cards if card.fit == Verdict.LISTED]
    others = [card for card in cards if card.fit == Verdict.NOT_LISTED]
    gaps = {"model": cards[0].model, "parts": replies.all_called(listed, words)}
    if len(listed) == len(cards):
        says = words.say("apart_fit_all" if len(cards) > PAIR else "apart_fit_both", **gaps)
    elif listed and len(listed) + len(others) == len(cards):
        out = words.listed([card.number for card in others], "nor")
        says = words.say("apart_fit_some", rest=out, **gaps)
    else:
        return []
    return [Line(id=f"apart:fit:{cards[0].model}", says=says, found=True)]


def _prices(cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say which part costs less, and by how much, and whether they are in stock.

    Of more than two parts, the dearest is named instead of the difference.
    """
    priced = sorted(
        ((card.price, card) for card in cards if card.price is not None), key=lambda one: one[0]
    )
    # Without all prices, "the cheapest" could be wrong.
    if len(priced) < len(cards):
        says = " ".join(replies.price(card, words).says for card in cards)
        return [Line(id=_known("price", cards), says=says, found=True)]
    (low_price, low), (high_price, high) = priced[0], priced[-1]
    gaps = {"low": replies.called(low), "high": replies.called(high)}
    gaps |= {"low_price": words.amount(low_price), "high_price": words.amount(high_price)}
    gap = words.amount(high_price - low_price)
    key = "cheapest_dearest"
    if low_price == high_price:
        key, gaps = (
            "apart_same_price",
            {
                "price": words.amount(low_price),
                "parts": replies.all_called(cards, words),
            },
        )
    elif len(cards) == PAIR:
        key = "apart_price"
    says = words.say(key, gap=gap, **gaps)
    stock = {card.availability for card in cards}
    if len(cards) == PAIR and all(stock):
        says = f"{says} {_stock(cards, words)}"
    return [Line(id=_known("price", cards), says=says, found=True)]


def _stock(cards: Sequence[Card], words: Voice) -> str:
    """Word the stock levels of two parts."""
    one, other = (replies.stock_words(card, words) for card in cards)
    if one == other:
        return words.say("apart_stock_both", stock=one)
    gaps = {"one": cards[0].number, "other": cards[1].number}
    return words.say("apart_stock", stock=one, rest=other, **gaps)


def work_apart(cards: Sequence[Card], words: Voice, *, films: bool = True) -> list[Line]:
    """Say which of two parts takes less time or is easier to put in, or that neither does.

    `films` adds of which of them there is a video.
    """
    if len(cards) != PAIR or not all(card.time or card.difficulty for card in cards):
        return []
    shown = _films(cards, words) if films else ""
    if len({replies.work_words(card, words) for card in cards}) == 1:
        what = replies.work_words(cards[0], words)
        gaps = {"parts": words.listed([card.number for card in cards]), "what": what}
        return [_worked(words.say("same_work", **gaps) + shown, cards)]
    measures = ([minutes(card.time) for card in cards], [difficulty(c.difficulty) for c in cards])
    apart = [pair for pair in measures if None not in pair and pair[0] != pair[1]]
    key = "quicker" if apart and apart[0] is measures[0] else "less_work"
    key = key if apart else "work_of"
    less, more = cards if not apart or (apart[0][0] or 0) < (apart[0][1] or 0) else cards[::-1]
    gaps = {"part": less.number, "other": more.number}
    gaps |= {"time": replies.work_words(less, words), "rest": replies.work_words(more, words)}
    return [_worked(words.say(key, **gaps) + shown, cards)]


def _worked(says: str, cards: Sequence[Card]) -> Line:
    return Line(id=_known("work", cards), says=says, found=True)


def _films(cards: Sequence[Card], words: Voice) -> str:
    """Word whether there is a video of just one of two parts, or of both."""
    filmed = [card for card in cards if card.video]
    if not filmed:
        return ""
    key = "apart_video_both" if len(filmed) == len(cards) else "apart_video"
    return " " + words.say(key, part=filmed[0].number, url=filmed[0].video)


def _fixes(cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say which symptoms all parts are listed for, and which only one of two."""
    known = [{fold(one): one for one in card.symptoms} for card in cards]
    shared = [one for key, one in known[0].items() if all(key in each for each in known[1:])]
    says = [words.say("apart_fix_all", what=_problems(shared, words))] if shared else []
    for card, own in zip(cards, known, strict=True):
        alone = [one for one in own.values() if not _also(one, own, known)]
        if alone and len(cards) == PAIR:
            key = "apart_fix_too" if shared else "apart_fix_own"
            says.append(words.say(key, part=card.number, what=_problems(alone, words)))
    return [Line(id=_known("fixes", cards), says=" ".join(says), found=True)] if says else []


def _also(one: str, own: dict[str, str], known: Sequence[dict[str, str]]) -> bool:
    others = [other for each in known if each is not own for other in each.values()]
    return any(fold(one) == fold(other) or one_complaint(one, other) for other in others)


def _problems(symptoms: Sequence[str], words: Voice) -> str:
    return words.listed([replies.begun(words.label(one)) for one in symptoms])


def _names(cards: Sequence[Card], words: Voice) -> list[Line]:
    """Say of parts with the same name that the catalog tells no more of how they differ."""
    names = {named_kind(card) for card in cards}
    numbers = [card.manufacturer_number for card in cards]
    if len(names) > 1 or not all(numbers):
        return []
    gaps = {"name": next(iter(names)), "numbers": words.listed(numbers)}
    key = "apart_names" if gaps["name"] else "apart_nameless"
    return [replies.told(_known("names", cards), key, words, found=True, **gaps)]


def _known(what: str, cards: Sequence[Card]) -> str:
    return ":".join(["apart", what, *(card.number for card in cards)])
