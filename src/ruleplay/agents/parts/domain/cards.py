"""Part cards: what a customer is shown of a part, with the catalog row of every value."""

from __future__ import annotations

import operator
from datetime import date
from decimal import Decimal

from pydantic import Field

from ruleplay.agents.parts.domain.catalog import Part
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.numbers import normal

REPLACED = 12
"""Most replaced numbers of a card: popular parts replace dozens, and cards are stored in events."""
DISCONTINUED = "no longer available"
"""The stock level of a part that is not made any more."""


class Card(Frozen):
    """A part as shown: its price in US dollars on `priced_on`, and its fit verdict for `model`.

    `replaced_by` are parts that took its place, looked up if it is not made any more;
    `replaces_more` counts the numbers beyond those of `replaces`.
    """

    number: str
    row: str
    name: str = ""
    brand: str = ""
    manufacturer_number: str = ""
    price: Decimal | None = None
    priced_on: date | None = None
    availability: str = ""
    fit: str = ""
    model: str = ""
    difficulty: str = ""
    time: str = ""
    video: str = ""
    fixes: tuple[str, ...] = ()
    symptoms: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    # Empty fields that earlier releases lacked are left out, so that stored hashes stay valid.
    replaced_by: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    replaces_more: int = Field(default=0, exclude_if=operator.not_)
    kind: str = Field(default="", exclude_if=operator.not_)
    url: str = Field(default="", exclude_if=operator.not_)
    image: str = Field(default="", exclude_if=operator.not_)
    cart: str = Field(default="", exclude_if=operator.not_)

    @property
    def discontinued(self) -> bool:
        """Whether it is not made any more."""
        return self.availability.strip().casefold() == DISCONTINUED

    def costs(self, amount: Decimal) -> bool:
        """Whether an amount means this price; without cents it may be rounded either way."""
        if self.price is None:
            return False
        whole = amount == amount.to_integral_value()
        near = (self.price, int(self.price), round(self.price)) if whole else (self.price,)
        return amount in near


class Spread(Frozen):
    """Parts of any model, shown while the customer's model is unknown: `cards` are some of `count`.

    They are parts for `brand`, if parts for the customer's brand are known; there are others for
    all `brands`. `least` and `most` are the cheapest and the dearest of all, if each has a price.
    `strange` means that no part of the catalog matches the words searched for, `near` that none has
    all of them, and that these are of the kind.
    """

    cards: tuple[Card, ...] = ()
    count: int = 0
    least: Card | None = None
    most: Card | None = None
    brand: str = ""
    brands: tuple[str, ...] = ()
    strange: bool = False
    near: bool = False


class Assortment(Frozen):
    """What the catalog has for a `kind` of appliance: parts by brand, and their common kinds."""

    kind: str
    brands: tuple[tuple[str, int], ...] = ()
    parts: tuple[str, ...] = ()


def with_number(card: Card, number: str) -> Card:
    """Put the replaced number that somebody asked about before the others, which may be cut."""
    others = [one for one in card.replaces if normal(one) != normal(number)]
    return card.model_copy(update={"replaces": (number, *others)[: len(card.replaces)]})


def card(part: Part, *, model: str, fit: str, fixes: tuple[str, ...] = ()) -> Card:
    """Make the card of a part; `fixes` are the stated symptoms that it is known to fix."""
    return Card(
        **part.model_dump(exclude={"appliances", "replaces", "difficulty", "time"}),
        difficulty=part.difficulty.strip(),
        time=part.time.strip(),
        replaces=part.replaces[:REPLACED],
        replaces_more=max(0, len(part.replaces) - REPLACED),
        kind=", ".join(part.appliances).casefold(),
        model=model,
        fit=fit,
        fixes=fixes,
    )
