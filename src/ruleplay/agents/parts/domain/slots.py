"""Slots with their evidence, and tool requests that cannot be built from unverified slots.

The type of a slot says how certain it is, so a tool call with a missing or unconfirmed slot cannot
be expressed: requests take verified slots only, except that `Check` also takes a number that the
customer insists on although the catalog lacks it.
"""

from __future__ import annotations

import operator
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import (
    Field,
    JsonValue,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.ids import Option


class Goal(StrEnum):
    """What a customer can want done."""

    DIAGNOSE = "diagnose_repair"
    INSTALL = "install_instruction"
    CHECK = "check_compatibility"
    FIND = "find_part"
    PRICE = "price_and_stock"
    EFFORT = "installation_effort"
    ABOUT = "about_part"
    LIST = "list_parts"
    REPLACED = "replaced_numbers"
    MODELS = "models_of_part"


CARD_GOALS = (Goal.PRICE, Goal.EFFORT, Goal.ABOUT, Goal.REPLACED, Goal.MODELS)
"""Goals that the catalog's row of the part answers alone."""
OF_PARTS = (Goal.CHECK, Goal.INSTALL, *CARD_GOALS)
"""Goals that are about a part."""

MENU = (Goal.INSTALL, Goal.CHECK, Goal.DIAGNOSE, Goal.FIND)
"""The menu of goals, in the order in which customers see them."""


class Evidence(Frozen):
    """Where a slot's value comes from: characters `start` to `end` of a turn's message."""

    turn: int
    start: int
    end: int
    text: str


Row = Annotated[str, Field(min_length=1, description="catalog row")]


class VerifiedModel(Frozen):
    """A model that the catalog has, written as in the catalog."""

    state: Literal["verified"] = "verified"
    value: str
    row: Row
    evidence: Evidence
    brand: str = ""
    appliance: str = ""


class VerifiedPart(Frozen):
    """A part that the catalog has.

    `asked` is the number that the customer gave, `via` which of the part's numbers it is.
    """

    state: Literal["verified"] = "verified"
    value: str
    row: Row
    evidence: Evidence
    name: str = ""
    asked: str = ""
    via: str = "number"


class UnconfirmedId(Frozen):
    """Something that looks like a number but needs a choice or a confirmation first.

    `pointed` says that it is not a number but words that may mean any of the options. `readings`
    are the numbers that an illegible label may show.
    """

    state: Literal["to_confirm"] = "to_confirm"
    value: str
    evidence: Evidence
    options: tuple[Option, ...] = ()
    pointed: bool = Field(default=False, exclude_if=operator.not_)
    readings: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)

    @property
    def strange(self) -> bool:
        """Whether it is a number of which the catalog knows nothing at all."""
        return not (self.options or self.pointed)


class UnknownId(Frozen):
    """A number that the catalog lacks and the customer insists on."""

    state: Literal["unknown"] = "unknown"
    value: str
    evidence: Evidence


ModelSlot = Annotated[VerifiedModel | UnconfirmedId | UnknownId, Field(discriminator="state")]
PartSlot = Annotated[VerifiedPart | UnconfirmedId | UnknownId, Field(discriminator="state")]


class SymptomSlot(Frozen):
    """A symptom in the catalog's words, with the customer's words as evidence."""

    state: Literal["verified"] = "verified"
    value: str
    evidence: Evidence


class SuspectedSymptom(Frozen):
    """A symptom that may be meant; it does not count until the customer confirms it."""

    state: Literal["to_confirm"] = "to_confirm"
    value: str
    evidence: Evidence


class DescriptionSlot(Frozen):
    """The part that a customer describes without a number, as search terms.

    `strong` are words for the kind of part, the usual one first; `said` are words that tell which
    one; `own` are the literal words, and only these make a part the certain match. Parts whose head
    noun is in `without` are excluded. `sort` is "roundabout" for a description by function ("the
    thing you push your cup on") and "variant" for another version of the part last mentioned ("the
    ice one").
    """

    state: Literal["verified"] = "verified"
    value: str
    terms: tuple[str, ...]
    strong: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    said: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    own: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    without: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    sort: Literal["", "roundabout", "variant"] = Field(default="", exclude_if=operator.not_)
    evidence: Evidence


class Question(Frozen):
    """One thing that a customer asked, with its own subjects; none is taken from another question.

    `how` says why `part` is the subject: its number is in the message ("named"), it was picked
    among the parts shown ("shown") or among all parts of the model ("listed"), it is the only part
    mentioned so far ("antecedent"), it is offered in place of another ("instead"), or it is one of
    several that are told apart ("compared"). Without
    `model` the model of the case is meant. `count` is how many are wanted, 0 if that was not said;
    `cheapest` asks for the least to pay first.
    """

    goal: Goal
    part: PartSlot | None = None
    model: ModelSlot | None = None
    description: DescriptionSlot | None = None
    how: Literal[
        "", "named", "shown", "listed", "antecedent", "instead", "corrected", "compared"
    ] = ""
    case: int = 0
    count: int = Field(default=0, exclude_if=operator.not_)
    cheapest: bool = Field(default=False, exclude_if=operator.not_)

    @model_validator(mode="before")
    @classmethod
    def _read_bare(cls, stored: object) -> object:
        """Accept a bare goal, as edition 1 stored it."""
        return {"goal": stored} if isinstance(stored, str) else stored

    @model_serializer(mode="wrap")
    def _write_bare(self, write: SerializerFunctionWrapHandler) -> dict[str, JsonValue] | str:
        """Write a goal without subjects as edition 1 did, whose queue held only goals."""
        return self.goal.value if self == Question(goal=self.goal) else write(self)


class Slots(Frozen):
    """All slots of a case, as far as they are filled.

    `denied` quotes what the customer says is not so, or has already checked, tried or replaced, and
    `complaints` what is wrong in words that are no symptom of the catalog, or say more of one.
    """

    model: ModelSlot | None = None
    part: PartSlot | None = None
    symptoms: tuple[SymptomSlot, ...] = ()
    description: DescriptionSlot | None = None
    denied: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)
    complaints: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)

    def of(self, question: Question) -> Slots:
        """Return the slots with a question's own subjects, and with no other question's."""
        model = question.model or self.model
        taken = {"part": question.part, "description": question.description, "model": model}
        return self.model_copy(update=taken)


class Diagnose(Frozen):
    """Which parts fix these symptoms on this model; `said` are parts and places mentioned.

    With `by_price` the cheapest come first.
    """

    tool: Literal["diagnose_repair"] = "diagnose_repair"
    model: VerifiedModel
    symptoms: Annotated[tuple[SymptomSlot, ...], Field(min_length=1)]
    said: tuple[str, ...] = ()
    by_price: bool = False


class Install(Frozen):
    """How to install this part in this model."""

    tool: Literal["get_installation_instructions"] = "get_installation_instructions"
    part: VerifiedPart
    model: VerifiedModel


class Check(Frozen):
    """Whether the catalog lists this part for this model."""

    tool: Literal["check_compatibility"] = "check_compatibility"
    part: VerifiedPart | UnknownId
    model: VerifiedModel | UnknownId


class Find(Frozen):
    """Which parts of this model match a description; with `by_price` the cheapest come first."""

    tool: Literal["find_part"] = "find_part"
    description: DescriptionSlot
    model: VerifiedModel
    by_price: bool = False


class LookUp(Frozen):
    """What the catalog says of this part."""

    tool: Literal["look_up_part"] = "look_up_part"
    part: VerifiedPart
    model: VerifiedModel | None = None


class ModelsOf(Frozen):
    """Which models the catalog lists this part for."""

    tool: Literal["models_of_part"] = "models_of_part"
    part: VerifiedPart


class ListParts(Frozen):
    """Which parts the catalog lists for this model."""

    tool: Literal["list_parts"] = "list_parts"
    model: VerifiedModel


Request = Diagnose | Install | Check | Find | LookUp | ListParts | ModelsOf

REQUIREMENTS: dict[Goal, tuple[str, ...]] = {
    Goal.DIAGNOSE: ("model", "symptoms"), Goal.INSTALL: ("part", "model"),
    Goal.CHECK: ("part", "model"), Goal.FIND: ("description", "model"), Goal.PRICE: ("part",),
    Goal.EFFORT: ("part",), Goal.ABOUT: ("part",), Goal.LIST: ("model",),
    Goal.REPLACED: ("part",), Goal.MODELS: ("part",),
}  # fmt: skip


def request_for(goal: Goal, slots: Slots) -> Request | tuple[str, ...]:
    """Build the tool request for a goal, or name the slots that are still missing.

    A part that is only described is looked up first, whatever the goal.
    """
    model, part = slots.model, slots.part
    match goal:
        case Goal.DIAGNOSE if isinstance(model, VerifiedModel) and slots.symptoms:
            return Diagnose(model=model, symptoms=slots.symptoms)
        case Goal.INSTALL if isinstance(model, VerifiedModel) and isinstance(part, VerifiedPart):
            return Install(part=part, model=model)
        case Goal.CHECK if isinstance(model, VerifiedModel | UnknownId) and isinstance(
            part, VerifiedPart | UnknownId
        ):
            return Check(part=part, model=model)
        case Goal.LIST if isinstance(model, VerifiedModel):
            return ListParts(model=model)
        case Goal.FIND if isinstance(model, VerifiedModel) and slots.description:
            return Find(description=slots.description, model=model)
        case Goal.MODELS if isinstance(part, VerifiedPart):
            return ModelsOf(part=part)
        case Goal.PRICE | Goal.EFFORT | Goal.ABOUT | Goal.REPLACED if isinstance(
            part, VerifiedPart
        ):
            named = model if isinstance(model, VerifiedModel) else None
            return LookUp(part=part, model=named)
    if part is None and slots.description and isinstance(model, VerifiedModel):
        return Find(description=slots.description, model=model)
    return missing(goal, slots)


def missing(goal: Goal, slots: Slots) -> tuple[str, ...]:
    """Name the required slots that are empty, unconfirmed, or unknown where that is not enough."""
    usable = {
        "model": isinstance(slots.model, VerifiedModel)
        or (goal is Goal.CHECK and isinstance(slots.model, UnknownId)),
        "part": isinstance(slots.part, VerifiedPart)
        or (goal is Goal.CHECK and isinstance(slots.part, UnknownId)),
        "symptoms": bool(slots.symptoms),
        "description": slots.description is not None,
    }
    needed = REQUIREMENTS[goal]
    if slots.part is None and slots.description and "part" in needed:
        # The part will be found by its description, which takes a model that the catalog has.
        return () if isinstance(slots.model, VerifiedModel) else ("model",)
    return tuple(name for name in needed if not usable[name])
