"""The values of a parts catalog: parts, models, and verdicts on whether a part fits."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum

from ruleplay.agents.parts.domain.frozen import Frozen


class Verdict(StrEnum):
    """Whether a part fits a model, as far as the catalog knows.

    `not_listed` means that the catalog knows both but has no such pair; it never means "not
    compatible". `other_appliance` means that, in addition, they are for different kinds of
    appliance. Nothing at all is claimed about a model or part that the catalog does not know.
    """

    LISTED = "listed"
    NOT_LISTED = "not_listed"
    OTHER_APPLIANCE = "other_appliance"
    UNKNOWN_MODEL = "unknown_model"
    UNKNOWN_PART = "unknown_part"


class Model(Frozen):
    """An appliance model as written in the catalog; `row` is its catalog row ("models:42")."""

    number: str
    row: str
    brand: str = ""
    appliance: str = ""


class Part(Frozen):
    """A part; one known only from a fits list has a number but no name.

    `price` is in US dollars as of `priced_on`; `symptoms` are those that the part is known to fix;
    `steps` are installation steps in order.
    """

    number: str
    row: str
    manufacturer_number: str = ""
    name: str = ""
    brand: str = ""
    appliances: tuple[str, ...] = ()
    price: Decimal | None = None
    priced_on: date | None = None
    availability: str = ""
    difficulty: str = ""
    time: str = ""
    video: str = ""
    symptoms: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    url: str = ""
    image: str = ""

    @property
    def id_only(self) -> bool:
        """Whether only this part's number and the models it fits are known."""
        return not self.name and not self.manufacturer_number


class PartMatch(Frozen):
    """A part found by one of its numbers: its own, its manufacturer's, or one that it replaces."""

    part: Part
    asked: str
    via: str  # "number" | "manufacturer" | "replaces"


class Fit(Frozen):
    """The answer to "does this part fit this model?", with where the catalog says so."""

    verdict: Verdict
    part: str
    model: str
    source: str
    explanation: str


class CatalogStamp(Frozen):
    """Identifies the catalog in use.

    `content` is the SHA-256 of the imported data, not of the catalog file.
    """

    name: str
    imported_on: date
    fits_file: str
    parts: int
    id_only: int
    models: int
    pairs: int
    content: str


class Cause(Frozen):
    """A part that fits the model and fixes some of the stated symptoms.

    `share` is the fraction of the stated symptoms that it is known to fix, from 0 to 1.
    """

    part: Part
    fixes: tuple[str, ...]
    share: float


class Hit(Frozen):
    """A part found by its description, with the words that matched; higher scores are better."""

    part: Part
    matched: tuple[str, ...]
    score: float
