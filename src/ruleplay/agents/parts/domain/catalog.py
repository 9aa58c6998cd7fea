"""The words of a parts catalog: parts, models, and the four verdicts on whether a part fits."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


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


class Model(BaseModel):
    """An appliance model as the catalog writes it; `row` is its catalog row ("models:42")."""

    model_config = ConfigDict(frozen=True)

    number: str
    row: str
    brand: str = ""
    appliance: str = ""


class Part(BaseModel):
    """A part; an id-only part (known from a fits list alone) has no name.

    `price` is in US dollars as of `priced_on`; `symptoms` are what the part is known to fix;
    `steps` are installation steps in order.
    """

    model_config = ConfigDict(frozen=True)

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


class PartMatch(BaseModel):
    """A part found by some number: its own, its manufacturer's, or one it replaces."""

    model_config = ConfigDict(frozen=True)

    part: Part
    asked: str
    via: str  # "number" | "manufacturer" | "replaces"


class Fit(BaseModel):
    """The answer to "does this part fit this model", with where the catalog says so."""

    model_config = ConfigDict(frozen=True)

    verdict: Verdict
    part: str
    model: str
    source: str
    explanation: str


class CatalogStamp(BaseModel):
    """Which catalog is in use: `content` is the SHA-256 of what was imported, not of the file."""

    model_config = ConfigDict(frozen=True)

    name: str
    imported_on: date
    fits_file: str
    parts: int
    id_only: int
    models: int
    pairs: int
    content: str


class Cause(BaseModel):
    """A part that fits the model and fixes some of the stated symptoms.

    `share` is the share of the stated symptoms it is known to fix (0..1).
    """

    model_config = ConfigDict(frozen=True)

    part: Part
    fixes: tuple[str, ...]
    share: float


class Hit(BaseModel):
    """A part found by description, with the words that matched; higher scores are better."""

    model_config = ConfigDict(frozen=True)

    part: Part
    matched: tuple[str, ...]
    score: float
