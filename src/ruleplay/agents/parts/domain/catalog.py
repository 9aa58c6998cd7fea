"""The words of a parts catalog: parts, models, and the four verdicts on whether a part fits."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum

from ruleplay.agents.parts.domain.frozen import Frozen


class Verdict(StrEnum):
    """Whether a part fits a model, as far as the catalog knows.

    `other_appliance`: they are for different kinds of appliance, and no line lists the pair.
    `not_listed` means the catalog knows both and has no such pair; it never means "not compatible",
    and nothing at all is claimed about a model or part the catalog does not know.
    """

    LISTED = "listed"
    NOT_LISTED = "not_listed"
    OTHER_APPLIANCE = "other_appliance"
    UNKNOWN_MODEL = "unknown_model"
    UNKNOWN_PART = "unknown_part"


class Model(Frozen):
    """An appliance model as the catalog writes it; `row` is its catalog row ("models:42")."""

    number: str
    row: str
    brand: str = ""
    appliance: str = ""


class Part(Frozen):
    """A part; an id-only part (known from a fits list alone) has no name.

    `price` is in US dollars as of `priced_on`; `symptoms` are what the part is known to fix;
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
        """Whether the catalog knows nothing of this part but its number and what it fits."""
        return not self.name and not self.manufacturer_number


class PartMatch(Frozen):
    """A part found by some number: its own, its manufacturer's, or one it replaces."""

    part: Part
    asked: str
    via: str  # "number" | "manufacturer" | "replaces"


class Fit(Frozen):
    """The answer to "does this part fit this model", with where the catalog says so."""

    verdict: Verdict
    part: str
    model: str
    source: str
    explanation: str


class CatalogStamp(Frozen):
    """Which catalog is in use: `content` is the SHA-256 of what was imported, not of the file."""

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

    `share` is the share of the stated symptoms it is known to fix (0..1).
    """

    part: Part
    fixes: tuple[str, ...]
    share: float


class Hit(Frozen):
    """A part found by description, with the words that matched; higher scores are better."""

    part: Part
    matched: tuple[str, ...]
    score: float
