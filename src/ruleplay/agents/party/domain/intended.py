"""The choices and words that models may return for a turn, and everyone's plans before they act."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from ruleplay.agents.party.domain.intents import Short
from ruleplay.story.acts import Act, Band, Effect
from ruleplay.story.texts import Frozen

MONSTERS, RANKED, BEATS, SAID = 12, 3, 3, 240
"""The limits of a proposal: adversaries, ranked choices, beats of a game master's turn, characters
of spoken text."""
Speech = Annotated[str, Field(max_length=SAID)]


class Trial(Frozen):
    """Something that no option is: code rolls; `finds` is what a success shows.

    `with`: the spell or thing of one's own it is done with. `to` whom, or the way that is listened
    at, and the condition that is to come `upon` them; whoever sleeps and is restrained is tied up.
    """

    model_config = ConfigDict(populate_by_name=True)

    skill: Short
    with_: Annotated[Short, Field(alias="with")] = ""
    band: Band = "medium"
    text: Speech
    to: Short = ""
    upon: Literal["", "prone", "distracted", "restrained", "blinded"] = ""
    finds: Speech = ""

    @property
    def act(self) -> Act:
        """Return the trial as an act, within the limits that hold for all acts."""
        found = (Effect(kind="detail", text=self.finds),) if self.finds else ()
        felt = (Effect(kind="condition", who=self.to, what=self.upon),) if self.upon else ()
        body = {"with": self.with_, "skill": self.skill, "band": self.band, "to": self.to}
        return Act.model_validate(
            {"do": "check", "text": self.text, "success": (*felt, *found), **body}
        )


class Pick(Frozen):
    """Options by id, in the order in which they are done; `instead` where those have gone stale.

    `say` is what the character says aloud, `to` whom, and `tells` the key of a secret that it gives
    away; with `spare` nobody is to be killed.
    `tries` comes before options.
    """

    pick: Annotated[tuple[Short, ...], Field(max_length=RANKED)] = ()
    instead: Annotated[tuple[Short, ...], Field(max_length=RANKED)] = ()
    spare: bool = False
    say: Speech = ""
    to: Short = ""
    tells: Short = ""
    tries: Trial | None = None


class MonsterPlan(Frozen):
    """What one of the adversaries does: its options, the best first."""

    who: Short
    pick: Annotated[tuple[Short, ...], Field(max_length=RANKED)] = ()


class Beat(Frozen):
    """Something that the game master lets happen."""

    do: Literal["complicate", "npc", "spotlight", "detail", "quiet"]
    who: Short = ""
    how: Literal[
        "", "speaks", "offers", "leaves", "follows", "warns", "asks", "helps", "hinders"
    ] = ""
    kind: Literal["", "noise", "light", "weather", "clock", "hazard", "tactic", "loss"] = ""
    text: Speech = ""
    effect: Effect | None = None


class MonsterPlans(Frozen):
    """What all adversaries do, and what else happens; those without a plan follow their nature."""

    plans: Annotated[tuple[MonsterPlan, ...], Field(max_length=MONSTERS)] = ()
    beats: Annotated[tuple[Beat, ...], Field(max_length=1)] = ()


class MasterTurn(Frozen):
    """The game master's turn: at most one option by id, and what happens besides."""

    pick: Annotated[tuple[Short, ...], Field(max_length=1)] = ()
    beats: Annotated[tuple[Beat, ...], Field(max_length=BEATS)] = ()


class Answer(Frozen):
    """What somebody answers; what else a model adds (that they help) is not asked for."""

    model_config = ConfigDict(extra="ignore", json_schema_extra={"additionalProperties": False})

    say: Annotated[str, Field(max_length=400)] = ""


class Reply(Answer):
    """An answer at the table, and the key of the secret that it `tells`, if it tells one.

    `will` is what they say they do when it is their turn, in a few words, and are held to: `harms`
    whom and `keeps` where, as in `orders`. What they were asked to is tried (`tries`) at once on
    the way, else in their turn.
    """

    tells: Short = ""
    will: Annotated[str, Field(max_length=120)] = ""
    harms: Annotated[str, Field(max_length=120)] = ""
    keeps: Short = ""
    tries: Trial | None = None


class Consent(Reply):
    """An answer, and whether they do what they are asked: lend a hand, or hand a thing over."""

    helps: bool = False


class Voice(Consent):
    """One of several answers: whose."""

    who: Short


class Answers(Frozen):
    """What several who were spoken to answer, in the order in which they speak."""

    answers: Annotated[tuple[Voice, ...], Field(max_length=6)] = ()


@dataclass
class Intended:
    """What everyone plans to do in a run; it is filled in as they answer.

    `led` is true when the game master's `master` and `beats` came from a model.
    """

    picks: dict[str, Pick] = field(default_factory=dict)
    plans: dict[str, tuple[str, ...]] = field(default_factory=dict)
    master: tuple[str, ...] = ()
    led: bool = False
    beats: tuple[Beat, ...] = ()
    answers: dict[str, str] = field(default_factory=dict)
