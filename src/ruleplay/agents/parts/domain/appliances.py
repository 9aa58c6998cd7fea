"""Which appliance a customer speaks of, and where its model number is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.negation import negated
from ruleplay.agents.parts.domain.phrases import Lexicon
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import fold, read_words

_COLD = ("refrigerator", "freezer", "ice maker", "wine cooler")
_INSIDE_A_FRIDGE = ("freezer", "ice maker")


class ApplianceFound(Frozen):
    """An appliance named in a message; the span quotes the customer's words."""

    appliance: str
    start: int
    end: int
    text: str


class _Appliances(Frozen):
    """The contents of `appliances.toml`."""

    words: dict[str, tuple[str, ...]]
    not_appliances: tuple[str, ...]
    where: dict[str, str]


@cache
def _table(language: str) -> _Appliances:
    return read_table("appliances.toml", _Appliances, language)


def appliance_words(language: str = "en") -> dict[str, tuple[str, ...]]:
    """Return what customers call each appliance."""
    return _table(language).words


@cache
def _lexicon(language: str) -> Lexicon:
    return Lexicon({**_table(language).words, "": _table(language).not_appliances}, ())


def find_appliances(message: str, language: str = "en") -> tuple[ApplianceFound, ...]:
    """Find every appliance named in the message, in order of appearance."""
    words = read_words(message)
    spots = sorted(
        (mention, name)
        for name, mentions in _lexicon(language).mentions(words).items()
        if name
        for mention in mentions
    )
    return tuple(
        ApplianceFound(
            appliance=name,
            start=words[spot.first].start,
            end=words[spot.last].end,
            text=message[words[spot.first].start : words[spot.last].end],
        )
        for spot, name in spots
    )


@lru_cache(8)
def _brand_lexicon(brands: tuple[str, ...]) -> Lexicon:
    return Lexicon({brand: (brand, f"{brand}s") for brand in brands}, ())


def brand_said(message: str, brands: Sequence[str], language: str = "en") -> str:
    """Return the brand that a message names, as the catalog writes it; empty where it names none.

    "Mon frigidaire" may be any: a word for an appliance is a brand only behind another one.
    """
    words, kinds = read_words(message), find_appliances(message, language)
    found = _brand_lexicon(tuple(brands)).mentions(words)
    for spot, brand in sorted((spot, brand) for brand, spots in found.items() for spot in spots):
        start = words[spot.first].start
        alone = any(one.start == start for one in kinds)
        behind = any(one.end == start - 1 for one in kinds)
        if (behind or not alone) and not negated(words, spot):
            return brand
    return ""


def find_appliance(message: str, language: str = "en") -> ApplianceFound | None:
    """Find the appliance a message is about: the first named, or `None`.

    A freezer or an ice maker named together with a refrigerator is taken for a part of it.
    """
    found = find_appliances(message, language)
    whole = [f for f in found if f.appliance not in _INSIDE_A_FRIDGE]
    fridge = any(f.appliance == "refrigerator" for f in whole)
    if fridge:
        return whole[0]
    whole_or_freezer = [f for f in found if f.appliance != "ice maker"]
    return next(iter(whole_or_freezer or found), None)


def canonical_appliances(label: str) -> tuple[str, ...]:
    """Read the canonical appliances in a catalog's label ("Refrigerator, Freezer"); none: empty."""
    return tuple(dict.fromkeys(found.appliance for found in find_appliances(label)))


def related(one: str, other: str) -> bool:
    """Whether two canonical appliances may be the same machine: a fridge has a freezer in it."""
    return one == other or (one in _COLD and other in _COLD)


def kind_by_parts(label: str, parts: Iterable[str]) -> str:
    """Return a model's appliance, where needed from the labels of the parts listed for it.

    Catalogs leave it out, or call a dishwasher a refrigerator whose every part is a dishwasher's.
    Where the parts do not agree on one, a label that all of them gainsay is left out.
    """
    own = canonical_appliances(label)
    known = [kinds for kinds in map(canonical_appliances, parts) if kinds]
    agree = any(related(kind, one) for kind in own for kinds in known for one in kinds)
    if not known or agree or (label and not own):
        return label
    shared = [one for one in known[0] if all(one in kinds for kinds in known)]
    cold = [one for one in shared if one not in _INSIDE_A_FRIDGE] or shared
    return cold[0] if len(cold) == 1 else ""


def where_is_the_number(
    appliance: str, brand: str = "", language: str = "en", *, brief: bool = False
) -> str:
    """Where the model-number label usually is; a general text for an unknown appliance.

    The places are the ones makers share: they hold for most models of every brand, not for each.
    """
    places, known = _table(language).where, canonical_appliances(appliance)
    place = places.get(known[0], places["anywhere"]) if known else places["anywhere"]
    brands = (places["kenmore"],) if fold(brand) == "kenmore" else ()
    return place if brief else " ".join((place, places["reading"], *brands))
