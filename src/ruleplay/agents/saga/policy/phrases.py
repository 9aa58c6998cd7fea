"""The few words of printed lines, in both languages, by the names that `phrases.json` has."""

from __future__ import annotations

from ruleplay.story.texts import Text, texts_in

_TEXTS = texts_in("ruleplay.agents.saga.policy", "phrases.json")


def _table(name: str) -> dict[str, Text]:
    """Return the texts of one kind, such as the states that somebody may be in, by what it is."""
    head = f"{name}."
    return {key.removeprefix(head): text for key, text in _TEXTS.items() if key.startswith(head)}


def _either(name: str) -> dict[bool, Text]:
    """Return the texts for yes and no."""
    return {True: _TEXTS[f"{name}.yes"], False: _TEXTS[f"{name}.no"]}


MISSES = _TEXTS["misses"]
HELD = _TEXTS["held"]
LOSES = _TEXTS["loses"]
GAINS = _TEXTS["gains"]
LEFT = _TEXTS["left"]
CRITICAL = _TEXTS["critical"]
FUMBLE = _TEXTS["fumble"]
SLAIN = _TEXTS["slain"]
FALLEN = _TEXTS["fallen"]
FLEES = _TEXTS["flees"]
YIELDS = _TEXTS["yields"]
GIVES_UP = _TEXTS["gives_up"]
UNMOVED = _TEXTS["unmoved"]
ANSWERED = _TEXTS["answered"]
SURE = _TEXTS["sure"]
NEAR = _TEXTS["near"]
FAR = _TEXTS["far"]
INITIATIVE = _TEXTS["initiative"]
KEEPS = _TEXTS["keeps"]
PROMISED = _TEXTS["promised"]
MINUTES = _TEXTS["minutes"]
PARTS = _TEXTS["parts"]
HELPS = _TEXTS["helps"]
JOINS = _TEXTS["joins"]
STAYS = _TEXTS["stays"]
STYLED = _TEXTS["styled"]
READY = _TEXTS["ready"]
TAKEN_BACK = _TEXTS["taken_back"]
LEFT_STORY = _TEXTS["left_story"]
XP = _TEXTS["xp"]
LEVEL = _TEXTS["level"]
EQUIPS = _TEXTS["equips"]
RESTED = _TEXTS["rested"]
RETURNED = _TEXTS["returned"]
ARRIVED = _TEXTS["arrived"]
BACK = _TEXTS["back"]
LANGUAGE = _TEXTS["language"]
SECRET = _TEXTS["secret"]
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
