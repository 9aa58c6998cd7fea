"""Slash commands: what is said to the game and not in it; they need no reading."""

from __future__ import annotations

from ruleplay.agents.saga.state import Heard
from ruleplay.story.acts import Act
from ruleplay.story.texts import Text, words_of

COMMANDS: dict[str, Act] = {
    "help": Act(do="ask", to="help"),
    "aide": Act(do="ask", to="help"),
    "look": Act(do="ask", to="scene"),
    "scene": Act(do="ask", to="scene"),
    "sheet": Act(do="ask", to="sheet"),
    "fiche": Act(do="ask", to="sheet"),
    "rules": Act(do="ask", to="rules"),
    "memory": Act(do="ask", to="memory"),
    "recap": Act(do="ask", to="memory"),
    "pause": Act(do="meta", meta="pause"),
    "undo": Act(do="meta", meta="undo"),
    "annuler": Act(do="meta", meta="undo"),
    "retell": Act(do="meta", meta="retell"),
    "settings": Act(do="meta", meta="settings"),
    "style": Act(do="meta", meta="settings"),
    "wait": Act(do="wait"),
    "pass": Act(do="meta", meta="end_turn"),
    "skip": Act(do="meta", meta="fast_forward"),
    "quit": Act(do="meta", meta="end_story"),
}
LISTED = Text(
    en="Commands: /look, /sheet, /recap, /rules, /settings, /x TOPIC (never again), /say WORDS, "
    "/skip, /quit.",
    fr="Commandes : /look, /fiche, /recap, /rules, /settings, /x SUJET (plus jamais), "
    "/say PAROLES, /skip, /quit.",
)


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
    return Heard(acts=(COMMANDS.get(name, COMMANDS["help"]),))
