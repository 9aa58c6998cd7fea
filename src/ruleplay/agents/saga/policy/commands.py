"""Slash commands: what is said to the game and not in it; they need no reading."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ruleplay.agents.saga.state import Heard
from ruleplay.story.acts import Act
from ruleplay.story.texts import words_of


@cache
def _commands() -> dict[str, Act]:
    """Return what each command asks for, from `commands.json`."""
    text = files("ruleplay.agents.saga.policy").joinpath("commands.json").read_text("utf-8")
    return {name: Act.model_validate(act) for name, act in json.loads(text).items()}


def command(message: str) -> Heard | None:
    """Return what a slash command means; an unknown one asks for help. None when it is none."""
    text = message.strip()
    if not text.startswith("/") or len(text) < 2:
        return None
    name, _, rest = text[1:].partition(" ")
    name, rest = "".join(words_of(name)), rest.strip()[:300]
    if name == "say" and rest:
        return Heard(acts=(Act(do="say", to="all", text=rest),))
    if name == "x":
        return Heard(acts=(Act(do="meta", meta="stop_scene", text=rest),))
    if name == "ooc":
        return Heard(acts=(Act(do="ask", to="rules", text=rest),))
    return Heard(acts=(_commands().get(name) or _commands()["help"],))
