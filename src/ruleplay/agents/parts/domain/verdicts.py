"""States the verdict on a part and a model in a sentence that claims no more than is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ruleplay.agents.parts.domain.appliances import canonical_appliances, related
from ruleplay.agents.parts.domain.catalog import CatalogStamp, Fit, Verdict


class Named(NamedTuple):
    """A part that a number stands for; `via` is "number", "manufacturer" or "replaces"."""

    id: int
    number: str
    name: str
    via: str


Kinds = tuple[tuple[str, ...], str]


def meant(named: Sequence[Named]) -> Named | None:
    """Pick the part that a number stands for: the only one, or the only one with it as its own."""
    # A part's own number outweighs being another part's replaced or maker's number.
    own = [one for one in named if one.via == "number"]
    candidates = own or list(named)
    return candidates[0] if len(candidates) == 1 else None


def fit(
    asked: tuple[str, str],
    named: Sequence[Named],
    model: str | None,
    line: int | None,
    stamp: CatalogStamp,
    kinds: Kinds = ((), ""),
) -> Fit:
    """Give the verdict on a part and a model, both as `asked`.

    `named` are the parts that the first may stand for, `model` is the catalog's form of the second,
    `line` is the line of the fits file that lists the pair, and `kinds` are the appliances of part
    and model as the catalog labels them.
    """
    part_text, model_text = asked
    part = meant(named)
    if part is None:
        verdict, why = Verdict.UNKNOWN_PART, _no_part(part_text, named)
    elif model is None:
        verdict = Verdict.UNKNOWN_MODEL
        why = f"The catalog does not know model {model_text!r}, so it cannot say what fits it."
    elif line is None and (strange := _other_kind(*kinds)):
        verdict = Verdict.OTHER_APPLIANCE
        why = f"{_opening(part_text, part)} for {strange}; model {model} is a {kinds[1]}."
    elif line is None:
        verdict = Verdict.NOT_LISTED
        why = (
            f"{_opening(part_text, part)} and model {model} is known, but no line lists this pair."
        )
    else:
        verdict = Verdict.LISTED
        why = f"{_opening(part_text, part)} and is listed for model {model}."
    return Fit(
        verdict=verdict,
        part=part.number if part else part_text,
        model=model or model_text,
        source=_source(stamp, line),
        explanation=why,
    )


def _other_kind(part: tuple[str, ...], model: str) -> str:
    """Name what a part is for, if that is certainly another kind of appliance than the model."""
    fitting = [kind for label in part for kind in canonical_appliances(label)]
    machines = canonical_appliances(model)
    # One label that cannot be read may be the model's kind, so it prevents the verdict.
    if not fitting or not machines or len(fitting) < len(part):
        return ""
    alike = any(related(one, other) for one in fitting for other in machines)
    return "" if alike else " and ".join(fitting)


def _no_part(asked: str, named: Sequence[Named]) -> str:
    if not named:
        return f"The catalog does not know part {asked!r}, so it cannot say what it fits."
    numbers = " or ".join(one.number for one in named[:5])
    return f"Part number {asked!r} can mean {numbers}; the catalog cannot say which one is meant."


def _opening(asked: str, part: Named) -> str:
    called = f"{part.number} ({part.name})" if part.name else part.number
    if part.via == "replaces":
        return f"{asked} has been replaced by {called}, which is in the catalog"
    if part.via == "manufacturer":
        return f"{asked} is the manufacturer's number of {called}, which is in the catalog"
    return f"{called} is in the catalog"


def _source(stamp: CatalogStamp, line: int | None) -> str:
    where = f"{stamp.fits_file} line {line}" if line is not None else stamp.fits_file
    known = (stamp.name, f"imported {stamp.imported_on.isoformat()}", where)
    return ", ".join(word for word in known if word)
