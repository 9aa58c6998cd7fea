"""Intents and plans: what somebody wants to do; the rules decide what comes of it.

Intents are acts that the written rules know. Improvised acts are `ruleplay.story.acts.Act`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ruleplay.story.acts import Effect
from ruleplay.story.texts import Frozen

Act = Literal[
    "begin",
    "look",
    "travel",
    "talk",
    "deed",
    "search",
    "sneak",
    "parley",
    "pay",
    "trigger_combat",
    "use",
    "equip",
    "rest",
    "buy",
    "sell",
    "train",
    "inventory",
    "sheet",
    "journal",
    "map",
    "help",
    "wait",
    "return",
    "accept",
    "language",
    "attack",
    "defend",
    "guard",
    "aim",
    "withdraw",
    "close_in",
    "flee",
    "intimidate",
    "first_aid",
    "pass",
    "status",
    "force_end",
    "unknown",
]
"""All acts, first those of the story, then those of fights."""
Short = Annotated[str, Field(max_length=200)]


class Intent(Frozen):
    """An act, with the ids of whom or what it is about; `said` are the words it was heard in.

    `spare`: whoever falls by it is out of the fight alive. `stunt` is wished for beside a hit.
    """

    act: Act
    target: Short = ""
    item: Short = ""
    said: Short = ""
    count: Annotated[int, Field(ge=1, le=99)] = 1
    spare: bool = False
    stunt: Effect | None = None


class Plan(Frozen):
    """What an adversary or ally wants to do in its turn, and perhaps says."""

    who: Short
    act: Literal["attack", "flee", "defend", "withdraw", "close_in", "yield"]
    target: Short = ""
    says: Short = ""
