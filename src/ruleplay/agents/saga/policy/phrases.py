"""The words of printed lines in both languages, by their keys in `phrases.json`."""

from __future__ import annotations

from ruleplay.story.texts import Text, texts_in

TEXTS = texts_in("ruleplay.agents.saga.policy", "phrases.json")


def _table(name: str) -> dict[str, Text]:
    """Collect the texts with a prefix: `status.hidden` is `hidden` in the table `status`."""
    head = f"{name}."
    return {key.removeprefix(head): text for key, text in TEXTS.items() if key.startswith(head)}


def _either(name: str) -> dict[bool, Text]:
    """Collect the pair of texts for yes and no."""
    return {True: TEXTS[f"{name}.yes"], False: TEXTS[f"{name}.no"]}


MERCY = _table("mercy")
CAUSES = _table("causes")
STATUS = _table("status")
STANCES = _table("stances")
OVER = _table("over")
SKIPPED = _table("skipped")
ENDED = _table("ended")
MARKS = _table("marks")
RAISED = _table("raised")
USES = _table("uses")
CHECKED = _either("checked")
ATTITUDE = _either("attitude")
EDGE = _either("edge")
COINS = _either("coins")
