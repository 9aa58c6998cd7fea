"""Inputs that need no interpretation: slash commands and options given by id or exact label."""

from __future__ import annotations

from typing import get_args

from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table
from ruleplay.story.style import Style
from ruleplay.story.texts import fold
from ruleplay.story.wording import akin

LOOKS: dict[str, a.Topic] = {
    "help": "help", "aide": "help", "?": "help", "recap": "recap", "resume": "recap",
    "sheet": "sheet", "fiche": "sheet", "scene": "scene", "look": "scene", "fight": "fight",
    "party": "party", "journal": "journal", "rules": "rules", "regles": "rules",
    "settings": "settings", "reglages": "settings",
}  # fmt: skip
SPEECH = ("say", "dis", "dire")
WHISPERS = ("w", "whisper", "chuchoter")
MASTER = ("dm", "gm", "mj", "md")
ENDS = ("pass", "end", "passer", "fin", "wait", "attendre")
TABLES: dict[str, a.Action] = {
    "pause": a.Pause(do="pause"),
    "go": a.Resume(do="resume"),
    "undo": a.TakeBack(do="undo"),
    "annuler": a.TakeBack(do="undo"),
    "x": a.Card(do="card"),
    "en": a.Speak(do="language", lang="en"),
    "fr": a.Speak(do="language", lang="fr"),
}


def command(message: str, table: Table, book: Book, seat: str) -> a.Action | None:
    """Return the action that a message asks for without interpretation; None for free text."""
    text = message.strip()
    if text.startswith("/"):
        return _slash(text[1:], table, seat)
    if seat in table.onlookers and passes(text, table, seat):
        return a.Pass(do="pass")
    said = fold(text).rstrip(". ")
    for one in choices(table, book, seat) if seat == table.current_turn else ():
        if text == one.id or said in {fold(label) for label in one.label.both}:
            return a.Choose(do="choose", options=(one.id,))
    return None


def passes(message: str, table: Table, seat: str) -> bool:
    """Whether a message of a person who looks on lets the others play a round."""
    text = message.strip()
    typed = _slash(text[1:], table, seat) if text.startswith("/") else None
    return isinstance(typed, a.Pass) or fold(text).rstrip(". ") in ENDS


def _slash(text: str, table: Table, seat: str) -> a.Action:
    word, _, rest = text.partition(" ")
    known = (*SPEECH, *WHISPERS, *MASTER, *ENDS, *TABLES, *LOOKS, "style")
    said, rest = fold(word), rest.strip()
    # Commands may be mistyped, and French verbs inflected.
    like = (one for one in known if len(said) <= len(one) and akin(said, one))
    name = said if said in known else next(like, said)
    if name in SPEECH and rest:
        return a.Say(do="say", text=rest[:1_000])
    if name in MASTER and rest and seat != DM:
        return a.Whisper(do="whisper", to=(DM,), text=rest[:1_000])
    if name in WHISPERS:
        who, _, words = rest.partition(" ")
        to = seat_called(who, table)
        if to and to != seat and words.strip():
            return a.Whisper(do="whisper", to=(to,), text=words.strip()[:1_000])
    if name == "style":
        return _style(rest)
    if name in ENDS:
        return a.Pass(do="pass")
    if name in TABLES:
        return TABLES[name]
    # An unknown command shows the help, so a mistyped whisper is never said aloud.
    return a.Look(do="look", topic=LOOKS.get(name, "help"), about=rest[:300])


def _style(words: str) -> a.Action:
    """Return the style named by the words, as in `/style grim past long`; else the settings."""
    chosen = {
        field: word
        for word in fold(words).split()
        for field in ("tone", "length", "person", "tense", "rating")
        if word in get_args(Style.model_fields[field].annotation)
    }
    if not chosen:
        return a.Look(do="look", topic="settings")
    return a.Restyle.model_validate({"do": "style", **chosen})


def seat_called(name: str, table: Table) -> str:
    """Return the seat with this name, first name or key; empty if there is none."""
    said = fold(name).strip(" :,")
    if said in MASTER:
        return DM
    for seat in table.turn_queue:
        names = (seat, fold(table.name(seat)), *fold(table.name(seat)).split()[:1])
        if said and said in names:
            return seat
    return ""
