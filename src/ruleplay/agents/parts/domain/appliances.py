"""Recognises appliances in messages and knows where their model numbers are printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.negation import negated
from ruleplay.agents.parts.domain.phrases import Lexicon
from ruleplay.agents.parts.domain.tables import read_table
from ruleplay.agents.parts.domain.tokens import fold, read_words

# Catalogs use these kinds loosely for one machine, so they never contradict each other.
_COLD = ("refrigerator", "freezer", "ice maker", "wine cooler")
_INSIDE_A_FRIDGE = ("freezer", "ice maker")


class ApplianceFound(Frozen):
    """An appliance named in a message; the span quotes the customer's words."""

    appliance: str
    start: int
    end: int
    text: str


class _Appliances(Frozen):
    """The schema of `appliances.toml`."""

    words: dict[str, tuple[str, ...]]
    not_appliances: tuple[str, ...]
    where: dict[str, str]


@cache
def _table(language: str) -> _Appliances:
    return read_table("appliances.toml", _Appliances, language)


def appliance_words(language: str = "en") -> dict[str, tuple[str, ...]]:
    """List the words that customers use for each canonical appliance."""
    return _table(language).words


@cache
def _lexicon(language: str) -> Lexicon:
    # Phrases that only look like appliances share the name "", so that they hide shorter matches
    # inside them; callers drop that name.
    return Lexicon({**_table(language).words, "": _table(language).not_appliances}, ())


def find_appliances(message: str, language: str = "en") -> tuple[ApplianceFound, ...]:
    """Find all appliances that a message names, in order of appearance."""
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
    """Find the brand that a message names, spelled as in the catalog; empty if it names none.

    Some brands are also words for an appliance: French speakers say "mon frigidaire" of any
    refrigerator. Such a word counts as a brand only directly after another appliance.
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
    """Find the appliance that a message is about: the first one named, or `None`.

    A freezer or ice maker named together with a refrigerator is taken to be a part of it.
    """
    found = find_appliances(message, language)
    whole = [f for f in found if f.appliance not in _INSIDE_A_FRIDGE]
    fridge = any(f.appliance == "refrigerator" for f in whole)
    if fridge:
        return whole[0]
    whole_or_freezer = [f for f in found if f.appliance != "ice maker"]
    return next(iter(whole_or_freezer or found), None)


def canonical_appliances(label: str) -> tuple[str, ...]:
    """Read the appliances of a catalog's label, such as "Refrigerator, Freezer"; may be none."""
    return tuple(dict.fromkeys(found.appliance for found in find_appliances(label)))


def related(one: str, other: str) -> bool:
    """Whether two canonical appliances may be the same machine, as a fridge contains a freezer."""
    return one == other or (one in _COLD and other in _COLD)


def is_inside(one: str, other: str) -> bool:
    """Whether an appliance may be a compartment of the other: "when I open the freezer"."""
    return other == "refrigerator" and one in _INSIDE_A_FRIDGE


def kind_by_parts(label: str, parts: Iterable[str]) -> str:
    """Correct a model's appliance by the appliances of the parts listed for it.

    Real catalogs leave the label out, or call a machine a refrigerator although all of its parts
    are for dishwashers. Returns the label if any part agrees with it, the parts' appliance if they
    share exactly one, and an empty string if the label is contradicted without a replacement.
    """
    own = canonical_appliances(label)
    # Parts whose label cannot be read say nothing for or against the model's label.
    known = [kinds for kinds in map(canonical_appliances, parts) if kinds]
    agree = any(related(kind, one) for kind in own for kinds in known for one in kinds)
    if not known or agree or (label and not own):
        return label
    shared = [one for one in known[0] if all(one in kinds for kinds in known)]
    # Refrigerator parts are often labelled for freezers too, so the whole machine wins.
    cold = [one for one in shared if one not in _INSIDE_A_FRIDGE] or shared
    return cold[0] if len(cold) == 1 else ""


def where_is_the_number(
    appliance: str, brand: str = "", language: str = "en", *, brief: bool = False
) -> str:
    """Describe where the model-number label usually is; in general terms for an unknown appliance.

    The places are common to most makers, so they hold for most models but not for every one.
    `brief` leaves out how to read the label.
    """
    places, known = _table(language).where, canonical_appliances(appliance)
    place = places.get(known[0], places["anywhere"]) if known else places["anywhere"]
    brands = (places["kenmore"],) if fold(brand) == "kenmore" else ()
    return place if brief else " ".join((place, places["reading"], *brands))
