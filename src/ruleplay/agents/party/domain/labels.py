"""Labels for what can be chosen, in words that the parser also understands."""

from __future__ import annotations

from ruleplay.agents.party.domain.adventure import Adventure
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.terms_text import TERMS
from ruleplay.story.texts import Text


def venture_label(does: Exploration, book: Adventure) -> Text:
    """Return the label of an act of exploring."""
    match does.act:
        case "go":
            name = book.scenes[does.target].name
            return Text(en=f"go to {name.en}", fr=f"aller vers {name.fr}")
        case "deed":
            return book.deeds[does.target].hint
        case "talk":
            hint, name = book.talks[does.topic].hint, book.persons[does.target].name
            return Text(en=f"{name.en}: {hint.en}", fr=f"{name.fr} : {hint.fr}")
        case "hint":
            what = hinted(does.target, book)
            return Text(en=f"hint at: {what.en}", fr=f"suggérer : {what.fr}")
        case act:
            return TERMS["ventures"][act]


def wish(does: Exploration, book: Adventure) -> Text:
    """Return how somebody says that they would do something; a talk leaves out the person."""
    return book.talks[does.topic].hint if does.act == "talk" else venture_label(does, book)


def hinted(target: str, book: Adventure) -> Text:
    """Return what a hint is about: a deed, a talk, or a place to go to."""
    kind, _, key = target.rpartition(":")
    if kind in ("deed", "talk"):
        return (book.deeds if kind == "deed" else book.talks)[key].hint
    return book.scenes[key].name
