"""What can be chosen, in words that the parser understands too."""

from __future__ import annotations

from ruleplay.agents.party.domain.adventure import Adventure
from ruleplay.agents.party.domain.exploration import Exploration
from ruleplay.story.texts import Text

ACTS = {
    "begin": Text(en="begin the adventure", fr="commencer l'aventure"),
    "search": Text(en="search", fr="fouiller"),
    "short_rest": Text(en="take a short rest", fr="prendre un repos court"),
    "long_rest": Text(en="take a long rest", fr="prendre un repos long"),
    "sneak": Text(en="sneak past", fr="passer discrètement"),
    "parley": Text(en="parley", fr="parlementer"),
    "provoke": Text(en="attack", fr="attaquer"),
    "spring": Text(en="let them attack", fr="les laisser attaquer"),
}


def venture_label(does: Exploration, book: Adventure) -> Text:
    """Return how something to venture is called."""
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
            return _hint_label(does.target, book)
        case act:
            return ACTS[act]


def _hint_label(target: str, book: Adventure) -> Text:
    kind, _, key = target.rpartition(":")
    if kind == "deed":
        what = book.deeds[key].hint
    elif kind == "talk":
        what = book.talks[key].hint
    else:
        what = book.scenes[key].name
    return Text(en=f"hint at: {what.en}", fr=f"suggérer : {what.fr}")
