"""Readings: what a message means, as a sequence of typed acts, for all agents with a game master.

A reading is what a model or a parser understood. It decides nothing: each agent's rules determine
which acts are possible, what they cost and what comes of them, within `bounds`.

Classes of this module go into the JSON schema that models get, so names of fields are short, and
`_compact` removes what a model does not need.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Do = Literal[
    "pick",
    "rule",
    "say",
    "move",
    "use",
    "give",
    "take",
    "check",
    "follow",
    "yield",
    "flourish",
    "wait",
    "ask",
    "whisper",
    "meta",
    "vain",
]
Approach = Literal[
    "plain", "charm", "comfort", "bargain", "press", "provoke", "threaten", "deceive"
]
Want = Literal["know", "pass", "leave", "yield", "truce", "join", "help", "give", "like"]
Band = Literal["sure", "easy", "medium", "hard", "extreme"]
When = Literal["then", "if_success", "if_failure", "trigger", "answer"]
Meta = Literal[
    "end_turn",
    "stop_scene",
    "pause",
    "undo",
    "retell",
    "leave_seat",
    "end_story",
    "settings",
    "rules_talk",
    "fast_forward",
    "correct",
]
Vain = Literal[
    "claims_outcome",
    "not_here",
    "not_carried",
    "not_of_this_world",
    "not_yours",
    "not_able",
    "limits",
]
EffectKind = Literal[
    "edge",
    "attitude",
    "coin",
    "item",
    "keepsake",
    "time",
    "place",
    "condition",
    "clue",
    "morale",
    "harm",
    "mark",
    "detail",
]
ASKED = ("scene", "sheet", "rules", "memory", "help")
"""Topics of an `ask`."""
EVERYBODY, MASTER = "all", "dm"
"""Addressees of speech other than beings: everybody present, and the game master."""

ACTS_AT_MOST, DETAILS_AT_MOST, EFFECTS_AT_MOST = 5, 2, 2
ASKED_AT_MOST, NAME_AT_MOST = 400, 80
"""Most characters of a question to the player, and of an id or a keepsake's name."""
NEEDED: dict[Do, tuple[tuple[str, ...], ...]] = {
    "pick": (("item",),),
    "rule": (("item",),),
    "say": (("text", "topic", "want"),),
    "move": (("to",),),
    "use": (("item",),),
    "give": (("item", "coin"),),  # without `to` it is put down
    "take": (("item",),),
    "check": (("skill",),),
    "follow": (("to",),),
    "flourish": (("text",),),
    "ask": (("to",),),
    "whisper": (("to",), ("text",)),
    "meta": (("meta",),),
    "vain": (("vain",),),
}
"""Required fields of each kind of act: at least one of every group."""


def _compact(schema: dict[str, Any]) -> None:
    """Remove titles, defaults and descriptions from a schema; they cost tokens and say nothing."""
    for node in (schema, *schema.get("properties", {}).values()):
        for key in ("title", "default", "description"):
            node.pop(key, None)


class Frozen(BaseModel):
    """A value of the vocabulary: immutable, nothing unknown in it, null for what is left out."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, json_schema_extra=_compact
    )

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: object) -> object:
        # Some models write null for every optional field.
        if isinstance(given, dict):
            return {key: value for key, value in given.items() if value is not None}
        return given


def _bare(given: object) -> object:
    return given.strip() if isinstance(given, str) else given


Id = Annotated[str, BeforeValidator(_bare), Field(max_length=NAME_AT_MOST)]
Words = Annotated[str, BeforeValidator(_bare), Field(max_length=300)]


class Effect(Frozen):
    """One thing that may come of an act; code clamps it (see `bounds`)."""

    kind: EffectKind
    who: Id = ""
    what: Id = ""
    amount: int = 0
    text: Words = ""


class Act(Frozen):
    """One thing that somebody does; which fields count depends on `do`.

    `unit` is what `coin` counts, gold where it is empty; stories with one kind of coin ignore it.
    `spent`: its item, or without one what it is done with, is used up, broken or thrown away.
    `most`: `coin` is paid only for what costs no more. `when`: after what came of the acts before
    it (`answer`), it is read again once that has been told; `after` is the id of what it waits for
    where code can tell when that has come.
    """

    do: Do
    to: Id = ""
    item: Id = ""
    with_: Id = Field(default="", alias="with")
    approach: Approach = "plain"
    want: Want | Literal[""] = ""
    topic: Id = ""
    coin: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    unit: Literal["", "silver", "copper"] = Field(default="", exclude_if=operator.not_)
    count: Annotated[int, Field(ge=1, le=99, exclude_if=lambda n: n == 1)] = 1
    skill: Id = ""
    band: Band = "medium"
    success: tuple[Effect, ...] = Field(default=(), max_length=EFFECTS_AT_MOST)
    failure: tuple[Effect, ...] = Field(default=(), max_length=EFFECTS_AT_MOST)
    vain: Vain | Literal[""] = ""
    meta: Meta | Literal[""] = ""
    stunt: Effect | None = None
    spare: bool = False
    spent: bool = Field(default=False, exclude_if=operator.not_)
    most: bool = Field(default=False, exclude_if=operator.not_)
    secret: bool = False
    when: When = "then"
    after: Id = Field(default="", exclude_if=operator.not_)
    text: Words = ""


class Detail(Frozen):
    """Something the words establish about the world; `about` is the id of whom it is told of.

    A `name` is what they are called from now on, and it alone is the text.
    `instead` is the text of what was established before and no longer holds.
    """

    kind: Literal["detail", "keepsake", "promise", "name"] = "detail"
    text: Words
    about: Id = ""
    instead: Words = ""


class Reading(Frozen):
    """What an input means: acts in order, or a question back with choices."""

    acts: tuple[Act, ...] = Field(default=(), max_length=ACTS_AT_MOST)
    question: Annotated[str, BeforeValidator(_bare), Field(max_length=ASKED_AT_MOST)] = ""
    choices: tuple[Annotated[str, Field(min_length=1, max_length=120)], ...] = Field(
        default=(), max_length=4
    )
    details: tuple[Detail, ...] = Field(default=(), max_length=DETAILS_AT_MOST)
    quote: Words = ""

    @property
    def heard(self) -> Reading:
        """What is to be judged: the acts, where only the rest of the message is asked about."""
        return self.model_copy(update={"question": "", "choices": ()}) if self.acts else self


class Roster(Frozen):
    """The ids a reading may name, as the prompt has listed them.

    `absent` are known, and elsewhere: what is promised may be about them, and one may go to them.
    `lendable` are things that companions carry and may hand over.
    """

    beings: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    clues: tuple[str, ...] = ()
    lendable: tuple[str, ...] = ()

    @property
    def anybody(self) -> tuple[str, ...]:
        """Ids of everyone who can be addressed: beings present, and seats at the table."""
        return (*self.beings, *self.seats)


def problems(reading: Reading, roster: Roster) -> list[str]:
    """List what is wrong with a reading: its form, then ids that were not listed."""
    return [*shape_problems(reading), *_unknown(reading, roster)]


def shape_problems(reading: Reading) -> list[str]:
    """List what is wrong with a reading's form, whatever its ids are."""
    if reading.acts and reading.question:
        return ["either acts or a question, not both"]
    if not reading.acts and not reading.question:
        return ["a reading needs acts, or a question with choices"]
    if reading.question and len(reading.choices) < 2:
        return ["a question needs 2 to 4 choices"]
    found = [
        f"acts.{at}: {act.do!r} needs {' or '.join(group)}"
        for at, act in enumerate(reading.acts)
        for group in NEEDED.get(act.do, ())
        if not any(getattr(act, name) for name in group)
    ]
    return found + [
        f"details.{at}: a detail has three words or more"
        for at, detail in enumerate(reading.details)
        if detail.kind == "detail" and len(detail.text.split()) < 3
    ]


def _unknown(reading: Reading, roster: Roster) -> Iterator[str]:
    for at, act in enumerate(reading.acts):
        for name, value, known in _named(act, roster):
            if value and value not in known:
                listed = ", ".join([*known][:12]) or "none"
                yield f"acts.{at}.{name}: no {value!r} here; there are {listed}"
    for at, detail in enumerate(reading.details):
        if detail.about and detail.about not in (*roster.anybody, *roster.absent):
            yield f"details.{at}.about: nobody here is {detail.about!r}"


def _named(act: Act, roster: Roster) -> Iterator[tuple[str, str, Collection[str]]]:
    """Yield each id that an act names: the field, the id, and the ids allowed there."""
    heard = (*roster.anybody, EVERYBODY)
    if act.do == "ask":
        yield "to", act.to, ASKED
    elif act.do == "whisper":
        yield "to", act.to, (*roster.seats, *roster.beings, MASTER)
    elif act.do == "follow":
        yield "to", act.to, (*heard, *roster.absent)
    elif act.do in ("move", "rule"):
        yield "to", act.to, (*roster.ways, *heard, *roster.things, *roster.absent)
    elif act.do in ("use", "take", "check", "give"):
        yield "to", act.to, (*heard, *roster.things, *roster.ways)
    else:
        yield "to", act.to, heard
    if act.do in ("pick", "rule"):
        yield "item", act.item, roster.options if act.do == "pick" else roster.rules
    elif act.do == "give":
        yield "item", act.item, (*roster.items, *roster.things)
    yield "with", act.with_, (*roster.items, *roster.things, *roster.lendable)
    yield "topic", act.topic, roster.topics
    yield "skill", act.skill, roster.skills
    for effect in (*act.success, *act.failure, *((act.stunt,) if act.stunt else ())):
        yield "effect.who", effect.who, roster.anybody
        if effect.kind == "clue":
            yield "effect.what", effect.what, roster.clues


def hopeless(reading: Reading, roster: Roster) -> list[str]:
    """List why nothing of a reading can be used; empty as long as one of its acts can.

    A model is only asked to repair readings that are hopeless; from all others the unusable acts
    are dropped (`sound`), which saves a call.
    """
    if reading.question or not reading.acts:
        return shape_problems(reading)
    stands = (sound(act, roster) for act in reading.acts)
    meant = (one and one.do == act.do for one, act in zip(stands, reading.acts, strict=True))
    return [] if any(meant) else problems(reading, roster)


def sound(act: Act, roster: Roster) -> Act | None:
    """Return an act without unknown ids, or what can be made of it; None if that is nothing.

    Spelling is corrected and optional ids are dropped. Speech is kept without its addressee; any
    other act that names something unknown becomes one in vain, so that the player is told.
    """
    act = _without_unknown_effects(_spelt(act, roster), roster)
    unknown = {name for name, value, known in _named(act, roster) if value and value not in known}
    lacking = any(not any(getattr(act, name) for name in group) for group in NEEDED.get(act.do, ()))
    own = unknown == {"item"} and act.do == "give"  # perhaps an earlier act brings the item
    if unknown == {"to"} and act.do == "give" and " " in act.to and act.to.islower():
        return act.model_copy(update={"to": EVERYBODY})  # "the old gardener", one of all here
    if (not unknown or own) and not lacking:
        return act
    if act.do in ADDRESSED and act.text:
        nobody = "to" in unknown or (lacking and act.do != "say")
        to = {"to": ADDRESSED[act.do], "want": "", "approach": "plain"} if nobody else {}
        kept = not nobody and "topic" not in unknown
        shown = "" if "with" in unknown else act.with_
        topic = act.topic if kept else ""
        return act.model_copy(update={**to, "topic": topic, "with_": shown})
    spare = {"to": "to", "with": "with_", "topic": "topic"}
    if act.do == "check":
        del spare["with"]  # whether a check is possible depends on its tool
    if not lacking and unknown <= {*spare} and act.do in ("flourish", "check", "use", "take"):
        return act.model_copy(update={spare[name]: "" for name in unknown})
    why: Vain = "not_able" if lacking or "skill" in unknown else "not_here"
    why = "not_carried" if "with" in unknown else why
    text = act.text or act.item or act.to
    return Act(do="vain", vain=why, text=text, when=act.when) if text else None


ADDRESSED: dict[Do, str] = {"say": "", "whisper": MASTER, "ask": "help"}
"""Addressee of speech to somebody unknown. A whisper goes to the game master, so that nobody
hears it who was not meant to."""


def _spelt(act: Act, roster: Roster) -> Act:
    """Correct ids that differ from a listed one only in case, underscores or spaces."""
    changed = {
        {"with": "with_"}.get(name, name): listed
        for name, value, known in _named(act, roster)
        if value and value not in known and name in ("to", "item", "with", "topic")
        for listed in known
        if _plainly(listed) == _plainly(value)
    }
    return act.model_copy(update=changed)


def _plainly(value: str) -> str:
    return value.casefold().replace("_", "-").replace(" ", "-")


def _without_unknown_effects(act: Act, roster: Roster) -> Act:
    def known(effect: Effect) -> bool:
        there = effect.who in ("", *roster.anybody)
        return there and (effect.kind != "clue" or effect.what in roster.clues)

    return act.model_copy(
        update={
            "success": tuple(one for one in act.success if known(one)),
            "failure": tuple(one for one in act.failure if known(one)),
            "stunt": act.stunt if act.stunt and known(act.stunt) else None,
        }
    )
