"""Map the classifier's labels to saga's acts, skills and topics, from `labels.json`."""

from __future__ import annotations

from importlib.resources import files

from ruleplay.agents.saga.domain.intents import Act as Named
from ruleplay.story.acts import Approach, Meta
from ruleplay.story.texts import Frozen


class Labels(Frozen):
    """What labels stand for.

    `skills` is what an act nobody wrote is rolled with; `asks` where the answer
    is found to what is asked of whoever tells the story. `moves` are sentences that stay within a
    place, and leave it, `zones` words for where one can be within it.
    """

    assent: tuple[str, ...]
    tones: dict[str, Approach]
    looked_up: dict[str, Named]
    moves: tuple[str, str]
    zones: tuple[str, ...]
    metas: dict[str, Meta]
    skills: dict[str, str]
    asks: dict[str, str]


LABELS = Labels.model_validate_json(
    files("ruleplay.agents.saga.policy").joinpath("labels.json").read_text("utf-8")
)
