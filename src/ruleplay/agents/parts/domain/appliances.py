"""Which appliance a customer speaks of, and where its model number is printed."""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.parts.domain.phrases import Lexicon
from ruleplay.agents.parts.domain.tokens import fold, read_words

WORDS: dict[str, tuple[str, ...]] = {
    "dishwasher": (
        *("dishwasher*", "dish washer*", "dish washing machine*", "diswasher*", "dishwaser*"),
        *("dishwsher*", "dw", "d w", "dishdrawer*"),
    ),
    "refrigerator": (
        *("refrigerator", "refrigerators", "fridge", "fridges", "fridge freezer", "frig", "frige"),
        *("refridgerator*", "refrigirator*", "refrigerater*", "refrig", "refer", "refridge*"),
        *("side by side", "french door", "icebox", "ice box", "fresh food compartment"),
    ),
    "freezer": ("freezer", "freezers", "frezer*", "freezor*", "deep freeze*", "chest freezer*"),
    "ice maker": ("ice maker*", "icemaker*", "ice machine*"),
    "washer": (
        *("washer", "washers", "washing machine*", "clothes washer*", "laundry machine*"),
        *("front loader*", "top loader*", "washmachine*"),
    ),
    "dryer": ("dryer", "dryers", "drier", "driers", "tumble dryer*", "clothes dryer*"),
    "range": (
        *("range", "ranges", "stove*", "oven", "ovens", "cooktop*", "cook top*", "cooker*"),
        *("wall oven*", "hob", "stovetop*", "gas range*", "electric range*", "broiler*"),
    ),
    "microwave": ("microwave*", "micro wave*", "microwave oven*"),
    "range hood": ("range hood*", "vent hood*", "cooker hood*", "extractor hood*", "range hoods"),
    "garbage disposal": ("garbage disposal*", "garbage disposer*", "disposal*", "disposer*"),
    "trash compactor": ("trash compactor*", "compactor*"),
    "air conditioner": ("air conditioner*", "window ac", "ac unit*", "room air conditioner*"),
    "dehumidifier": ("dehumidifier*",),
    "wine cooler": (
        *("wine cooler*", "wine fridge*", "beverage cooler*", "wine chiller*", "beverage center*"),
        "wine and beverage cooler*",
    ),
}
"""Canonical appliance to customers' words for it; the longest form wins."""

_NOT_APPLIANCES = {
    "": (
        *(
            "price range",
            "hair dryer*",
            "pressure washer*",
            "wide range",
            "range of",
            "lock washer",
        ),
        *("rubber washer*", "metal washer*", "flat washer*", "washer and nut", "washer arm*"),
        *("dryer vent", "freezer burn", "ice maker mold"),
    )
}
_COLD = ("refrigerator", "freezer", "ice maker", "wine cooler")
_INSIDE_A_FRIDGE = ("freezer", "ice maker")

_LABELS = {
    "dishwasher": (
        "Open the door and look along the edge of the tub, on the left or right side where the door"
        " meets it, or on the side or top edge of the door itself."
    ),
    "refrigerator": (
        "Open the fresh-food door and look on the side wall near the top, along the ceiling, or"
        " behind the lowest drawer; on some models it is on the door frame or behind the kickplate."
    ),
    "freezer": (
        "Open the door or lid and look on the inside wall or the frame the door closes against; on"
        " chest freezers it is often on the back or on the side near the floor."
    ),
    "ice maker": (
        "On a free-standing ice maker, look inside the door frame or on the back. If it is"
        " built into a refrigerator, use the refrigerator's own model number, found inside it."
    ),
    "washer": (
        "On a top loader, lift the lid and look under it or at the rim of the opening; on a front"
        " loader, open the door and look around the opening. Some have it on the back."
    ),
    "dryer": (
        "Open the door and look around the opening or on the inner side of the door; some have it"
        " on the back."
    ),
    "range": (
        "Open the oven door or pull out the bottom drawer and look at the frame around the opening;"
        " on a cooktop it is underneath, and on a wall oven on the edge beside the door."
    ),
    "microwave": (
        "Open the door and look at the inside wall or the frame around the opening; on counter-top"
        " models it is often on the back."
    ),
    "range hood": "Look inside the hood behind the grease filters.",
    "garbage disposal": "Look at the side or the bottom of the housing, under the sink.",
    "trash compactor": "Open or take out the drawer and look at the frame or the drawer's side.",
    "air conditioner": (
        "Look on the side or the back of the cabinet, or behind the front grille beside the filter."
    ),
    "dehumidifier": "Look on the back, or inside the space where the bucket sits.",
    "wine cooler": "Open the door and look at the inside wall, near the top or by the hinge.",
}
_ANYWHERE = (
    "Look for a printed sticker or metal plate: inside the door or lid, on the frame the door"
    " closes against, behind a lower drawer or panel, or on the back."
)
_READING = (
    "The label lists a model and a serial number; the model number is the one marked"
    ' "Model", "Mod." or "M/N".'
)
_KENMORE = "On Kenmore appliances it often begins with three digits and a dot."


class ApplianceFound(BaseModel):
    """An appliance named in a message; the span quotes the customer's words."""

    model_config = ConfigDict(frozen=True)

    appliance: str
    start: int
    end: int
    text: str


@cache
def _lexicon() -> Lexicon:
    return Lexicon({**WORDS, **_NOT_APPLIANCES}, ())


def find_appliances(message: str) -> tuple[ApplianceFound, ...]:
    """Find every appliance named in the message, in order of appearance."""
    words = read_words(message)
    spots = sorted(
        (mention, name)
        for name, mentions in _lexicon().mentions(words).items()
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


def find_appliance(message: str) -> ApplianceFound | None:
    """Find the appliance a message is about: the first named, or `None`.

    A freezer or an ice maker named together with a refrigerator is taken for a part of it.
    """
    found = find_appliances(message)
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


def where_is_the_number(appliance: str, brand: str = "") -> str:
    """Where the model-number label usually is; a general text for an unknown appliance.

    The places are the ones makers share: they hold for most models of every brand, not for each.
    """
    known = canonical_appliances(appliance)
    place = _LABELS.get(known[0], _ANYWHERE) if known else _ANYWHERE
    brands = (_KENMORE,) if fold(brand) == "kenmore" else ()
    return " ".join((place, _READING, *brands))
