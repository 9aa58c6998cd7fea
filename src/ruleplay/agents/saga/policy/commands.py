"""Slash commands, which address the game directly and need no interpretation."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ruleplay.agents.saga.state import Heard
from ruleplay.story.acts import Act
from ruleplay.story.texts import words_of


@cache
def _commands() -> dict[str, Act]:
    """Load the act of each command from `commands.json`."""
    text = files("ruleplay.agents.saga.policy").joinpath("commands.json").read_text("utf-8")
    return {name: Act.model_validate(act) for name, act in json.loads(text).items()}


def command(message: str) -> Heard | None:
    """Parse a slash command; an unknown one asks for help. None if the message is no command.

    `/x` is the "X card" of tabletop games: it stops the scene, with an optional topic.
    """
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
